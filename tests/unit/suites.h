/* Every suite of unit tests: SUITE(arena) is arena_suite() in arena_test.c. */
SUITE(arena)
SUITE(parse)
SUITE(check)
