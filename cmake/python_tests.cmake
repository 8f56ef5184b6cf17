# The Python package by pytest: one test a file, so that they run side by side.
file(GLOB python_tests CONFIGURE_DEPENDS python/tests/test_*.py)
foreach(file ${python_tests})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE "test_" "" name ${name})
  add_test(NAME Python.${name} COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${file})
  set_tests_properties(Python.${name} PROPERTIES TIMEOUT 300 ENVIRONMENT
    "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;OMP_NUM_THREADS=1;DRIFTLESS_PROGRAM=$<TARGET_FILE:driftless>")
endforeach()
# Several ranks each, of which every one starts an interpreter.
set_tests_properties(Python.ranks Python.rank_failures PROPERTIES PROCESSORS 2 COST 60)
set_tests_properties(Python.modules Python.examples PROPERTIES COST 50)
