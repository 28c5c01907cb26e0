# Installs the headers, the archive, a CMake config package and pkg-config files.
include(CMakePackageConfigHelpers)

install(TARGETS headrace headrace_header_only EXPORT headraceTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/headrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

install(FILES src/headrace.cpp src/headrace.cppm DESTINATION ${CMAKE_INSTALL_DATADIR}/headrace)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headrace)
install(EXPORT headraceTargets NAMESPACE headrace:: DESTINATION ${package_dir})
configure_package_config_file(cmake/headraceConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/headraceConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/headraceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headraceConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/headraceConfigVersion.cmake cmake/headraceModule.cmake
  cmake/headraceCompression.cmake DESTINATION ${package_dir})

# A folder in the prefix as `${to_prefix}/folder`; one that was given as an absolute path stays where it is.
function(headrace_in_prefix to to_prefix folder)
  if(IS_ABSOLUTE "${folder}")
    set(${to} "${folder}" PARENT_SCOPE)
  else()
    set(${to} "${to_prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()

# The prefix is found from where the file is, so that an installation can be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pkgconfig_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  set(pkgconfig_prefix "\${pcfiledir}/${pkgconfig_to_prefix}")
endif()
headrace_in_prefix(pkgconfig_include "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
headrace_in_prefix(pkgconfig_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
function(headrace_pkgconfig pkgconfig_name pkgconfig_cflags pkgconfig_libs)
  configure_file(cmake/headrace.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${pkgconfig_name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${pkgconfig_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
headrace_pkgconfig(headrace " -DHEADRACE_COMPILED=1" "Libs: -L\${libdir} -lheadrace")
headrace_pkgconfig(headrace-header-only "" "")
headrace_pkgconfig(headrace-gzip "" "Requires: zlib")
headrace_pkgconfig(headrace-zstd "" "Requires: libzstd")

# A file of the Common Package Specification, for build systems that read those. Only by `cmake --install BUILD
# --component cps`: CMake 4.3 takes it before the package above, which has headrace::compiled and headrace::module, too.
set(cps_dir ${CMAKE_INSTALL_LIBDIR}/cps/headrace)
set(oldest_compatible ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0)
headrace_in_prefix(cps_path "@prefix@" "${cps_dir}") # whoever reads the file replaces @prefix@ by where it is
headrace_in_prefix(cps_include "@prefix@" "${CMAKE_INSTALL_INCLUDEDIR}")
headrace_in_prefix(cps_libdir "@prefix@" "${CMAKE_INSTALL_LIBDIR}")
configure_file(cmake/headrace.cps.in ${CMAKE_CURRENT_BINARY_DIR}/headrace.cps @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headrace.cps DESTINATION ${cps_dir} COMPONENT cps EXCLUDE_FROM_ALL)
