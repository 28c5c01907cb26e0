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

# The prefix is found from where the file is, so that an installation can be moved.
file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig /prefix)
configure_file(cmake/headrace.pc.in ${CMAKE_CURRENT_BINARY_DIR}/headrace.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headrace.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
