# The Python package, laid out in build/python: PYTHONPATH=build/python imports it. Its extension module is made twice from
# python/src: _core, which needs no MPI on the machine, and _core_mpi, which is imported under mpirun alone.
if(NOT TARGET driftless_report)
  message(FATAL_ERROR "DRIFTLESS_PYTHON needs DRIFTLESS_REPORT: runs show themselves as pages and figures.")
endif()

# The system's interpreter has pybind11 and numpy beside it; another python3 that is first in PATH often has neither.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module NumPy)
if(Python_FOUND)
  find_package(pybind11 2.10 QUIET)
endif()
if(NOT pybind11_FOUND)
  message(FATAL_ERROR "The Python package needs pybind11 2.10, and of Python 3.9 or later (here: ${Python_EXECUTABLE}) the "
    "headers and numpy.\nRemedy: on Debian apt-get install python3-dev python3-numpy pybind11-dev; elsewhere name an "
    "interpreter that has them by -D Python_EXECUTABLE=...; or leave the package out by -D DRIFTLESS_PYTHON=OFF.")
endif()

# No function of ours or of the standard library's templates may stand in for one that another module of the same interpreter
# brings, torch for one: no symbol is visible but the entry.
function(show_only_the_entry module)
  set(map ${PROJECT_SOURCE_DIR}/cmake/python_exports.map)
  target_link_options(${module} PRIVATE LINKER:--version-script=${map})
  set_property(TARGET ${module} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()

# What both modules share is compiled once.
file(GLOB python_sources CONFIGURE_DEPENDS python/src/*.cpp)
set(python_entry python/src/module.cpp python/src/runtime.cpp)
list(TRANSFORM python_entry PREPEND ${PROJECT_SOURCE_DIR}/)
list(REMOVE_ITEM python_sources ${python_entry})
add_library(driftless_python_objects OBJECT ${python_sources})
set_target_properties(driftless_python_objects PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_libraries(driftless_python_objects PUBLIC pybind11::module Python::NumPy driftless_report)
compile_by_folder(driftless_python_objects)

set(python_package ${PROJECT_BINARY_DIR}/python/driftless)
add_custom_target(driftless_python)

# add_python_module(NAME LIBRARY...): one of the two modules.
function(add_python_module name)
  pybind11_add_module(${name} MODULE NO_EXTRAS ${python_entry})
  target_compile_definitions(${name} PRIVATE DRIFTLESS_PYTHON_MODULE=${name})
  target_link_libraries(${name} PRIVATE driftless_python_objects ${ARGN})
  show_only_the_entry(${name})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${python_package} VISIBILITY_INLINES_HIDDEN ON)
  compile_by_folder(${name})
  add_dependencies(driftless_python ${name})
  # For wheels alone: `make install` knows no interpreter.
  install(TARGETS ${name} LIBRARY DESTINATION driftless COMPONENT python EXCLUDE_FROM_ALL)
endfunction()

add_python_module(_core)
if(DRIFTLESS_MPI)
  add_python_module(_core_mpi driftless_mpi)
  target_compile_definitions(_core_mpi PRIVATE DRIFTLESS_PYTHON_MPI=1)
endif()

# Links, so that a change of the package's Python needs no build.
function(link_python_files folder)
  set(source ${PROJECT_SOURCE_DIR}/python/driftless)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${source} ${source}/*.py ${source}/*.pyi ${source}/py.typed)
  file(GLOB links ${folder}/*.py ${folder}/*.pyi ${folder}/py.typed)
  foreach(link ${links})  # one may lead to a file that is gone
    file(REMOVE ${link})
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  foreach(name ${files})
    file(CREATE_LINK ${source}/${name} ${folder}/${name} SYMBOLIC)
  endforeach()
endfunction()
link_python_files(${python_package})
