# `make package`: two Debian packages, of the program and of what is built on the library. cpack makes them of what is built.
find_program(DPKG_QUERY dpkg-query)
if(NOT DPKG_QUERY)
  return()
endif()
set(DRIFTLESS_CONTACT "Driftless maintainers <maintainers@driftless.example>" CACHE STRING
  "Maintainer that the Debian packages name")

# install_documents(PACKAGE COMPONENT): what Debian's policy asks of every package.
function(install_documents package component)
  set(work ${PROJECT_BINARY_DIR}/debian/${package})
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(CONFIGURE OUTPUT ${work}/changelog @ONLY CONTENT "driftless (@PROJECT_VERSION@) stable; urgency=medium\n
  * CHANGELOG.md of the source tells what is new.\n
 -- @DRIFTLESS_CONTACT@  @now@\n")
  file(ARCHIVE_CREATE OUTPUT ${work}/changelog.gz PATHS ${work}/changelog FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  install(FILES ${work}/changelog.gz cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# same_upstream_version(VARIABLE PACKAGE...): these packages in the versions that are installed here. The archives hold what
# the headers of C++ libraries expand to, and names with their versions in them.
function(same_upstream_version variable)
  set(wanted "")
  foreach(package ${ARGN})
    execute_process(COMMAND ${DPKG_QUERY} -W -f "\${source:Upstream-Version}" ${package}
      OUTPUT_VARIABLE version ERROR_QUIET)
    if(version)
      list(APPEND wanted "${package} (>= ${version})" "${package} (<< ${version}.)")
    else()  # the library came another way
      list(APPEND wanted ${package})
    endif()
  endforeach()
  list(JOIN wanted ", " wanted)
  set(${variable} ${wanted} PARENT_SCOPE)
endfunction()

install_documents(driftless debian_command)
install_documents(libdriftless-dev debian_library)
# Debian's zsh looks here, and not where `make install` puts it.
install(FILES driftless/cli/completion/_driftless DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT debian_command EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CONTACT ${DRIFTLESS_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # else it would stand before each package's own
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS  # whatever the umask is
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE driftless)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL command debian_command core mpi peers report program debian_library)
foreach(component command debian_command)
  string(TOUPPER ${component} component)
  set(CPACK_COMPONENT_${component}_GROUP program_package)
endforeach()
foreach(component core mpi peers report program debian_library)
  string(TOUPPER ${component} component)
  set(CPACK_COMPONENT_${component}_GROUP library_package)
endforeach()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_PACKAGE_NAME driftless)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_PACKAGE_SHLIBDEPS ON)
# mpirun; figures as svg, and of it png and pdf; `driftless data fetch`.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_PACKAGE_RECOMMENDS "openmpi-bin, nodejs, librsvg2-bin")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_PACKAGE_SUGGESTS "npm")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DESCRIPTION "decentralised training over nodes that keep their own data
The program driftless trains one model over many nodes that keep their own
data, have no server, talk only to their neighbours, and talk rarely. It has
K-GT and the methods that K-GT is compared with, networks that drop, delay and
compress letters, sweeps and tuning, runs over MPI with the bits of one process,
and reports as pages and figures.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_PACKAGE_NAME libdriftless-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_PACKAGE_SECTION libdevel)
same_upstream_version(depends libeigen3-dev libtbb-dev libfmt-dev libhwy-dev libtomlplusplus-dev nlohmann-json3-dev)
same_upstream_version(recommends libcpp-httplib-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_PACKAGE_DEPENDS "${depends}, zlib1g-dev")
# What only parts beyond driftless::core need. find_package names what a wanted part lacks.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_PACKAGE_RECOMMENDS "cmake, libopenmpi-dev, libssl-dev, ${recommends}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DESCRIPTION "decentralised training over nodes that keep their own data - development files
Headers, static libraries and the CMake package of Driftless, for problems,
methods and programs of your own.
.
find_package(driftless) gives driftless::core, and with the recommended packages
also driftless::mpi, driftless::peers, driftless::report and driftless::program.")

include(CPack)
