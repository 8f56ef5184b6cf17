# cmake -D package=... -D version=... -D sha512=... -D folder=... -P: unpacks an npm package into folder/package,
# from folder/package-version.tgz, which npm fetches if it is not there. Nothing of it is run.
set(archive ${folder}/${package}-${version}.tgz)

function(fail what)
  message(FATAL_ERROR "${package} ${version}, which the report page is made or tested with, ${what}\n"
    "Remedy: build where npm reaches its registry (on Debian: apt-get install npm), or put the package's archive "
    "at ${archive} yourself.")
endfunction()

file(MAKE_DIRECTORY ${folder})
if(NOT EXISTS ${archive})
  find_program(npm npm)
  if(NOT npm)
    fail("must be fetched, but there is no npm.")
  endif()
  execute_process(COMMAND ${npm} pack ${package}@${version} --loglevel=error --no-update-notifier
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE reason)
  if(failed)
    fail("could not be fetched:\n${reason}")
  endif()
endif()
file(SHA512 ${archive} found)
if(NOT found STREQUAL sha512)
  file(REMOVE ${archive})
  fail("is not what it should be: found SHA-512 ${found}, expected ${sha512}; the archive was removed.")
endif()
file(REMOVE_RECURSE ${folder}/${package})
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}/unpacking-${package} TOUCH)
file(RENAME ${folder}/unpacking-${package}/package ${folder}/${package})
file(REMOVE_RECURSE ${folder}/unpacking-${package})
