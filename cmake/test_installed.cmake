# cmake -D build=... -D source=... -P: installs the build into a fresh prefix, then configures, builds and
# runs the example as a project of its own.
set(prefix ${build}/installed)
set(example ${build}/installed-example)
file(REMOVE_RECURSE ${prefix} ${example})

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(failed)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

step(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
step(${CMAKE_COMMAND} -S ${source}/examples -B ${example} -G Ninja -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_PREFIX_PATH=${prefix})
step(${CMAKE_COMMAND} --build ${example})
step(${example}/own_problem)
