# `cmake --install build` gives a package: find_package(driftless COMPONENTS core mpi peers report program). Every part is a
# component of the installation too: `cmake --install build --component core` installs that part alone, and `--component command`
# the program.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/driftless)

# install_part(NAME FOLDER...): the part's archive, its target, and the headers of these folders of driftless/.
function(install_part name)
  if(NOT TARGET driftless_${name})
    return()
  endif()
  install(TARGETS driftless_${name} EXPORT driftless-${name} ARCHIVE COMPONENT ${name})
  install(EXPORT driftless-${name} FILE driftless-${name}-targets.cmake NAMESPACE driftless::
    DESTINATION ${package_dir} COMPONENT ${name})
  set(excluded PATTERN "report/page" EXCLUDE)
  if(name STREQUAL "core")  # network/mpi and network/peers are parts of their own
    list(APPEND excluded PATTERN "network/mpi" EXCLUDE PATTERN "network/peers" EXCLUDE)
  endif()
  foreach(folder ${ARGN})
    cmake_path(GET folder PARENT_PATH parent)
    install(DIRECTORY driftless/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/driftless/${parent} COMPONENT ${name}
      FILES_MATCHING PATTERN "*.hpp" ${excluded})
  endforeach()
endfunction()

install_part(core base graph data problem network algorithm config experiment record)
install_part(mpi network/mpi)
install_part(peers network/peers)
install_part(report report reproduce)
install_part(program)
file(GLOB umbrella_headers CONFIGURE_DEPENDS driftless/*.hpp)
install(FILES ${umbrella_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/driftless COMPONENT core)
if(TARGET driftless)
  install(FILES driftless/cli/program.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/driftless/cli COMPONENT program)
  install(FILES cmake/Findcpp-httplib.cmake DESTINATION ${package_dir} COMPONENT program)
  install(TARGETS driftless RUNTIME COMPONENT command)
  # Where the shells look: each script asks the program itself.
  set(completion driftless/cli/completion)
  install(FILES ${completion}/driftless.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME driftless COMPONENT command)
  install(FILES ${completion}/_driftless DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT zsh)
  install(FILES ${completion}/driftless.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT command)
endif()

# What finds the parts comes with the core, on which all parts stand.
configure_package_config_file(cmake/driftless-config.cmake.in driftless-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(driftless-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/driftless-config.cmake
              ${PROJECT_BINARY_DIR}/driftless-config-version.cmake DESTINATION ${package_dir} COMPONENT core)
