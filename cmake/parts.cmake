# add_part(NAME FOLDER...): the part driftless::NAME of the library, made of the files in these folders of driftless/. New
# files are found without a change here. All parts are listed in driftless_parts.
set(driftless_parts "")

function(add_part name)
  set(target driftless_${name})
  list(TRANSFORM ARGN REPLACE "(.+)" "driftless/\\1/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  if(name STREQUAL "core")  # network/mpi and network/peers are parts of their own
    list(FILTER sources EXCLUDE REGEX "/driftless/network/(mpi|peers)/")
  endif()
  list(FILTER sources EXCLUDE REGEX "/driftless/cli/main.cpp$")  # main is no part of a library

  add_library(${target} STATIC ${sources})
  add_library(driftless::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  compile_by_folder(${target})
  if(name STREQUAL "core" OR name STREQUAL "program")
    # Eigen's headers are most of the compile time. The program has other options, which GCC would take from a shared header.
    target_precompile_headers(${target} PRIVATE <Eigen/Dense> <fmt/format.h> <vector> <string>)
  else()
    target_precompile_headers(${target} REUSE_FROM driftless_core)
  endif()
  set(driftless_parts ${driftless_parts} ${name} PARENT_SCOPE)
endfunction()
