# The pages: their links lead somewhere, and what they show to type works as they say.
add_test(NAME Docs.LinksResolve COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/links_resolve)
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS README.md docs/*.md examples/*/*.md)
foreach(page ${pages})
  add_test(NAME Docs.CommandsOf.${page} COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/run_commands ${page} $<TARGET_FILE:driftless>)
  set_tests_properties(Docs.CommandsOf.${page} PROPERTIES ENVIRONMENT "${mpi_environment}" TIMEOUT 300)
endforeach()
add_test(NAME Docs.Tutorial COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/run_notebook ${PROJECT_SOURCE_DIR}/docs/tutorial.ipynb
         $<TARGET_FILE:driftless>)
set_tests_properties(Docs.Tutorial PROPERTIES TIMEOUT 300)
set_tests_properties(Docs.Tutorial Docs.CommandsOf.README.md PROPERTIES COST 50)  # begun first, for the longest must not be the last
