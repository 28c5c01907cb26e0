# Installs the headers, a CMake config package and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS headrace EXPORT headraceTargets)
install(DIRECTORY include/headrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

install(FILES src/headrace.cpp src/headrace.cppm DESTINATION ${CMAKE_INSTALL_DATADIR}/headrace)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/headrace)
install(EXPORT headraceTargets NAMESPACE headrace:: DESTINATION ${package_dir})
configure_package_config_file(cmake/headraceConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/headraceConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/headraceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headraceConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/headraceConfigVersion.cmake cmake/headraceModule.cmake DESTINATION ${package_dir})

# The prefix is found from where the file is, so that an installation can be moved; a folder that was given as an
# absolute path stays where it is.
if(IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}")
  set(pkgconfig_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig /prefix)
  set(pkgconfig_prefix "\${pcfiledir}/${pkgconfig_to_prefix}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pkgconfig_include "${CMAKE_INSTALL_INCLUDEDIR}")
  set(cps_include "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(pkgconfig_include "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  set(cps_include "@prefix@/${CMAKE_INSTALL_INCLUDEDIR}") # whoever reads the file replaces @prefix@ by where it is
endif()
configure_file(cmake/headrace.pc.in ${CMAKE_CURRENT_BINARY_DIR}/headrace.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headrace.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)

# A file of the Common Package Specification, for build systems that read those. Only by `cmake --install BUILD
# --component cps`: CMake 4.3 takes it before the package above, which has headrace::compiled and headrace::module, too.
set(cps_dir ${CMAKE_INSTALL_DATADIR}/cps/headrace)
set(oldest_compatible ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0)
if(IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}") # which install(PACKAGE_INFO) refuses
  set(cps_path "${cps_dir}")
else()
  set(cps_path "@prefix@/${cps_dir}")
endif()
if(CMAKE_VERSION VERSION_LESS 4.3 OR IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}")
  configure_file(cmake/headrace.cps.in ${CMAKE_CURRENT_BINARY_DIR}/headrace.cps @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headrace.cps DESTINATION ${cps_dir} COMPONENT cps EXCLUDE_FROM_ALL)
else()
  install(PACKAGE_INFO headrace EXPORT headraceTargets DESTINATION ${cps_dir} LICENSE MIT
    VERSION ${PROJECT_VERSION} COMPAT_VERSION ${oldest_compatible} DEFAULT_TARGETS headrace
    COMPONENT cps EXCLUDE_FROM_ALL)
endif()
