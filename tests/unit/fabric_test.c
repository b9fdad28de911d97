/* How much trees from all ranks can carry: the rate of the tightest cut, exactly. */
#include "synth/fabric.h"

#include "unit.h"

/* Every pair of ranks is linked; one link of each rank is narrower than the others. Capacities are
   as large as a fabric has them, and have no common divisor. */
static const char narrow[] = "topology: narrow\nlinks:\n"
                             "  - from: r\n    to: (r + 1) mod p\n"
                             "    bandwidth: 999.999999937 GB/s\n"
                             "  - for: d in 2 .. p - 1\n    from: r\n    to: (r + d) mod p\n"
                             "    bandwidth: 1099.511627773 GB/s\n"
                             "next: to\n";
static const int64_t narrow_link = 999999999937, wide_link = 1099511627773;

/* The search for a rate in a workspace that ends it after so many safe points: a flow has one for
   each of its levels. */
typedef struct {
    Workspace workspace;
    int64_t left;
    Fixture *fixture;
    const Network *network;
    Rules rules;
    int64_t root, most_work; /* negative: as much as usual */
    bool is_inward, good;
    Rate rate;
    int64_t work;
} Search;

static void count_down(void *listener, const WorkStep *step)
{
    Search *search = listener;
    (void)step;
    if (search->left-- == 0)
        workspace_cancel(&search->workspace);
}

static void find_rate(void *context)
{
    Search *search = context;
    Fabric fabric;
    Arena *arena = arena_create(&search->workspace);
    search->good = fabric_lay_out(arena, search->network, &search->rules,
                                  (PackingTask){search->root, search->is_inward}, &fabric,
                                  &search->fixture->diag);
    if (search->good && search->most_work >= 0)
        fabric.most_work = search->most_work;
    search->good = search->good && fabric_rate(&fabric, &search->rate, &search->fixture->diag);
    search->work = fabric.work;
    arena_destroy(arena);
}

static Search search_on(Fixture *fixture, const Network *network, int64_t root)
{
    return (Search){.left = 100000,
                    .fixture = fixture,
                    .network = network,
                    .rules = rules_of((Prices){1e-6, 0, 1e-9, 0}, 1),
                    .root = root,
                    .most_work = -1};
}

static void search_run(Search *search)
{
    search->workspace.progress = count_down;
    search->workspace.listener = search;
    ck_assert_int_eq(workspace_run(&search->workspace, find_rate, search), ENDING_DONE);
}

static const struct {
    int64_t p;
    int64_t root; /* -1: all ranks */
} narrow_cases[] = {{3, -1}, {8, -1}, {8, 3}, {230, -1}, {230, 7}};

/* The tightest cut is around one rank. Of 230 ranks, all that all links carry, for each root, is
   more than 2^63. */
START_TEST(rates_of_large_capacities_are_exact)
{
    const int64_t p = narrow_cases[_i].p, root = narrow_cases[_i].root;
    Fixture *fixture = fixture_open();
    use_models(fixture, narrow);
    const Network network = network_of(fixture, "narrow", p);
    for (int inward = 0; inward < 2; inward++) {
        Search search = search_on(fixture, &network, root);
        search.is_inward = inward;
        search_run(&search);
        ck_assert(search.good);
        const __int128 around = narrow_link + (p - 2) * (__int128)wide_link;
        ck_assert(search.rate.numerator * (__int128)(root < 0 ? p - 1 : 1) ==
                  around * search.rate.denominator);
    }
    fixture_close(fixture);
}
END_TEST

/* In a row whose link in the middle is the narrow one the tightest cut has two ranks on both sides.
 */
START_TEST(the_tightest_cut_may_be_around_several_ranks)
{
    static const char row[] = "topology: row\nranks: 4\nlinks:\n"
                              "  - {from: 0, to: 1, both: yes, bandwidth: 30 GB/s}\n"
                              "  - {from: 1, to: 2, both: yes, bandwidth: 6 GB/s}\n"
                              "  - {from: 2, to: 3, both: yes, bandwidth: 30 GB/s}\n"
                              "routing: shortest\n";
    Fixture *fixture = fixture_open();
    use_models(fixture, row);
    const Network network = network_of(fixture, "row", 4);
    Search search = search_on(fixture, &network, -1);
    search_run(&search);
    ck_assert(search.good);
    ck_assert_int_eq(search.rate.numerator, 1); /* links are 5 and 1: 6 GB/s and no less */
    ck_assert_int_eq(search.rate.denominator, 2);
    fixture_close(fixture);
}
END_TEST

/* It ends within a flow: no more is done than to load the links, and those from the source. */
START_TEST(a_search_without_time_says_so)
{
    enum { RANKS = 64 };
    Fixture *fixture = fixture_open();
    use_models(fixture, narrow);
    const Network network = network_of(fixture, "narrow", RANKS);
    Search search = search_on(fixture, &network, -1);
    search.most_work = 1000;
    search_run(&search);
    ck_assert(!search.good);
    ck_assert_int_eq(search.work, RANKS * (RANKS - 1) + RANKS);
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

Suite *fabric_suite(void)
{
    Suite *suite = suite_create("fabric");
    TCase *rates = tcase_create("rates");
    tcase_add_loop_test(rates, rates_of_large_capacities_are_exact, 0,
                        sizeof narrow_cases / sizeof *narrow_cases);
    tcase_add_test(rates, the_tightest_cut_may_be_around_several_ranks);
    tcase_add_test(rates, a_search_without_time_says_so);
    suite_add_tcase(suite, rates);
    return suite;
}
