# The pages: their links lead somewhere.
add_test(NAME Docs.LinksResolve COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/links_resolve)
