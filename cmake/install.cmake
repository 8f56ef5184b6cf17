# `cmake --install build` gives a package: find_package(driftless), target driftless::driftless.
include(CMakePackageConfigHelpers)

install(TARGETS driftless RUNTIME)
install(TARGETS driftless_library EXPORT driftless-targets ARCHIVE)
install(DIRECTORY driftless TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/driftless)
install(EXPORT driftless-targets NAMESPACE driftless:: DESTINATION ${package_dir})
configure_package_config_file(cmake/driftless-config.cmake.in driftless-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(driftless-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/driftless-config.cmake
              ${PROJECT_BINARY_DIR}/driftless-config-version.cmake DESTINATION ${package_dir})
