#include "net/measure.h"

#include "unit.h"

/* Given ends, -1: sought; then the pair. */
static const struct {
    const char *topology;
    int64_t p, from, to, found_from, found_to;
} pairs[] = {
    {"full", 4, -1, -1, 0, 1},
    {"full", 4, 0, -1, 0, 1},
    {"full", 4, -1, 0, 1, 0},
    {"full", 1, -1, -1, 0, 0},
    {"linear", 7, -1, -1, 0, 6},
    {"linear", 7, 4, -1, 4, 0}, /* 4 links to the left, 2 to the right */
    {"linear", 7, 3, -1, 3, 0}, /* 3 links both ways: the smaller number */
    {"linear", 7, -1, 2, 6, 2}, /* 4 links from the right end, 2 from the left one */
    {"linear", 7, 5, 1, 5, 1},  /* nothing is sought */
    {"ring", 8, -1, -1, 0, 4},  /* half-way round */
    {"ring", 7, 2, -1, 2, 5},   /* 3 links: 5 and 6 */
    {"uniring", 5, -1, -1, 0, 4},
    {"uniring", 5, 3, -1, 3, 2}, /* all the way round */
    {"hypercube", 16, -1, -1, 0, 15},
    {"hypercube", 16, 5, -1, 5, 10}, /* all bits turned */
    {"star", 5, -1, -1, 0, 1},       /* two links between any two; the hub is no rank */
    {"tree", 15, -1, -1, 7, 11},     /* 7 3 1 0 2 5 11: the first leaves of both halves */
    {"torus", 16, -1, -1, 0, 10},    /* 4 x 4: (2, 2) = 2 + 4 * 2 */
    {"torus", 16, 7, -1, 7, 13},     /* from (3, 1): x 3 + 2 - 4 = 1, y 1 + 2 = 3 */
    {"mesh", 12, 5, -1, 5, 3},       /* 4 x 3, from (1, 1): x 3; y 0 is as far as y 2 */
};

START_TEST(the_farthest_pair_is_found)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, pairs[_i].topology, pairs[_i].p);
    int64_t from = pairs[_i].from, to = pairs[_i].to;
    ck_assert(network_farthest(&network, &from, &to));
    ck_assert_int_eq(from, pairs[_i].found_from);
    ck_assert_int_eq(to, pairs[_i].found_to);
    fixture_close(fixture);
}
END_TEST

/* 30000 searches over 30000 nodes and their links are too many; one is not. */
START_TEST(a_search_that_takes_too_long_is_refused)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "ring", 30000);
    int64_t from = -1, to = -1;
    ck_assert(!network_farthest(&network, &from, &to));
    from = 7;
    ck_assert(network_farthest(&network, &from, &to));
    ck_assert_int_eq(to, 15007);
    fixture_close(fixture);
}
END_TEST

Suite *farthest_suite(void)
{
    Suite *suite = suite_create("farthest");
    TCase *all = tcase_create("farthest pairs");
    tcase_add_loop_test(all, the_farthest_pair_is_found, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(all, a_search_that_takes_too_long_is_refused);
    suite_add_tcase(suite, all);
    return suite;
}
