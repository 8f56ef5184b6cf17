# compile_by_folder(TARGET): the files of a folder as one, so that their headers are read and their templates made once.
# A whole build takes about half of the time; after a change to one file, more. DRIFTLESS_BY_FOLDER chooses.
# Names in unnamed namespaces must differ within a folder.
option(DRIFTLESS_BY_FOLDER "Compile the files of a folder as one" OFF)

# GCC looks for memory to give back again and again while it compiles, which takes a tenth of the time. A folder takes up to
# two gigabytes without; machines with less a core do as GCC likes.
set(gcc_without_collections "")
cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR megabytes_a_core "${megabytes} / ${cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND megabytes_a_core GREATER 4000)
  set(gcc_without_collections "SHELL:--param ggc-min-heapsize=4194304")
endif()

function(compile_by_folder target)
  if(NOT DRIFTLESS_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What two files have in unnamed namespaces meets here; the file by file build (dev) still warns.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    ${gcc_without_collections})
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX REPLACE ".*/(driftless|tests|python)(/|$)" "" group "${folder}")
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()
