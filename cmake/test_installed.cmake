# cmake -D build=... -D source=... -P: uses the library as others do, from what is installed.
set(work ${build}/installed)
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(failed)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

function(step_fails word)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(NOT failed OR NOT output MATCHES "${word}")
    message(FATAL_ERROR "this should have failed with the words \"${word}\": ${ARGN}\n${output}")
  endif()
endfunction()

# The core alone, where there is no MPI, no OpenSSL and no HTTP: the example builds on it and runs.
step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/core --component core)
step(${CMAKE_COMMAND} -S ${source}/examples -B ${work}/examples -G Ninja -D CMAKE_PREFIX_PATH=${work}/core
  -D CMAKE_DISABLE_FIND_PACKAGE_MPI=ON -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_cpp-httplib=ON)
step(${CMAKE_COMMAND} --build ${work}/examples)
step(${work}/examples/own_problem)

# A part that is not there is named.
set(project ${source}/tests/installed)
step_fails("driftless::report is not installed in" ${CMAKE_COMMAND} -S ${project} -B ${work}/missing -G Ninja
  -D CMAKE_PREFIX_PATH=${work}/core -D parts=report)

# All parts: a program of one's own has all commands.
step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/all)
file(GLOB_RECURSE headers RELATIVE ${source} ${source}/driftless/*.hpp)
list(FILTER headers EXCLUDE REGEX "^driftless/(cli|site)/")
foreach(header ${headers} driftless/cli/program.hpp)
  if(NOT EXISTS ${work}/all/include/${header})
    message(FATAL_ERROR "not installed: ${header}")
  endif()
endforeach()
foreach(script bash-completion/completions/driftless zsh/site-functions/_driftless fish/vendor_completions.d/driftless.fish)
  if(NOT EXISTS ${work}/all/share/${script})
    message(FATAL_ERROR "not installed: ${script}")
  endif()
endforeach()
step_fails("driftless::program needs the package OpenSSL" ${CMAKE_COMMAND} -S ${project} -B ${work}/no_openssl -G Ninja
  -D CMAKE_PREFIX_PATH=${work}/all -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON -D parts=program)
step_fails("driftless::program needs the package cpp-httplib" ${CMAKE_COMMAND} -S ${project} -B ${work}/no_httplib -G Ninja
  -D CMAKE_PREFIX_PATH=${work}/all -D CMAKE_DISABLE_FIND_PACKAGE_cpp-httplib=ON -D parts=program)
step(${CMAKE_COMMAND} -S ${source}/examples -B ${work}/program -G Ninja -D CMAKE_PREFIX_PATH=${work}/all)
step(${CMAKE_COMMAND} --build ${work}/program --target own_program)
set(own_program ${work}/program/own_program)
step(${own_program} list)

# Its own problem and method: a sweep, the same bits over ranks, going on with more rounds, and a page.
set(run run ${source}/examples/own_program.toml --quiet)
set(method kind=momentum-d-sgd,momentum=0.9)
step(${own_program} ${run} --out ${work}/one)
step(${CMAKE_COMMAND} -E env ${mpi_environment} ${mpiexec} -n 3 ${own_program} ${run} --out ${work}/three)
step(${CMAKE_COMMAND} -E compare_files ${work}/one/${method}/nodes.npy ${work}/three/${method}/nodes.npy)
step(${own_program} ${run} --out ${work}/half --set run.rounds=100)
step(${own_program} ${run} --out ${work}/half --resume)
step(${CMAKE_COMMAND} -E compare_files ${work}/one/${method}/nodes.npy ${work}/half/${method}/nodes.npy)
step(${own_program} report ${work}/one)
