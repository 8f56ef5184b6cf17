# What is given away, made of what is built and used out of the tree: Debian packages, and the Python package's wheel.
add_test(NAME Package.DebsServe COMMAND ${PROJECT_SOURCE_DIR}/tests/package/debs_serve ${PROJECT_BINARY_DIR})
set_tests_properties(Package.DebsServe PROPERTIES SKIP_RETURN_CODE 77 COST 40 TIMEOUT 600)
if(TARGET driftless_python)
  add_test(NAME Package.WheelImports COMMAND ${PROJECT_SOURCE_DIR}/tests/package/wheel_imports ${PROJECT_BINARY_DIR})
  set_tests_properties(Package.WheelImports PROPERTIES COST 40 TIMEOUT 600)
endif()
