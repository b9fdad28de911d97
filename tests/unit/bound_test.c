#include "bound/bounds.h"
#include "bound/demand.h"
#include "bound/kinds.h"

#include "unit.h"

static const char collectives[] =
    "collective: allgather\nblocks: {b: p}\nbuffer: p\nbefore: r\nafter: 0 .. p - 1\n"
    "---\n"
    "collective: reduce-scatter\nblocks: {b: p}\nbuffer: p\nbefore: 0 .. p - 1\nafter: r\n"
    "combine: 0 .. p - 1\n"
    "---\n"
    "collective: allreduce\nbefore: 0\nafter: 0\ncombine: 0 .. p - 1\n"
    "---\n"
    "collective: alltoall\nblocks: {s: p, t: p}\nbuffer: p\nbefore: (r, j) for j in 0 .. p - 1\n"
    "after: (j, r) for j in 0 .. p - 1\n"
    "---\n"
    "collective: scan\nbefore: 0\nafter: 0\ncombine: 0 .. r\norder: rank\n"
    "---\n"
    "collective: first-sums\nbefore: 0\nafter: 0 if r < 3\ncombine: 0 .. r\n"
    "---\n"
    "collective: shift\nblocks: {b: p}\nbefore: r\nafter: (r - 1) mod p\n"
    "---\n"
    "collective: copies\nblocks: {b: p}\nbefore: 0 .. p - 1 if r == 1\nafter:\n  - r\n  - 0\n"
    "---\n"
    "collective: sums\nblocks: {b: p}\nbefore: 0 .. p - 1\nafter:\n  - r\n  - 0\n"
    "combine: 0 .. p - 1\n"
    "---\n"
    "collective: twofold\nblocks: {h: 2, t: p}\nbefore:\n"
    "  - (0, t) for t in 0 .. p - 1 if r < 2\n  - (1, (r + 1) mod p)\n"
    "after: (h, r) for h in 0 .. 1\n";

/* node and compute as fractions: {numerator, denominator}. */
static const struct {
    const char *collective, *topology;
    int64_t p, root, ports, rounds, distance, node[2], compute[2];
} cases[] = {
    {"broadcast", "full", 8, 0, 1, 3, 1, {1, 1}, {0, 1}},
    {"broadcast", "full", 9, 3, 1, 4, 1, {1, 1}, {0, 1}},
    {"broadcast", "full", 8, 0, 2, 2, 1, {1, 2}, {0, 1}},
    {"broadcast", "full", 9, 0, 2, 2, 1, {1, 2}, {0, 1}},
    {"broadcast", "full", 10, 0, 2, 3, 1, {1, 2}, {0, 1}},
    {"broadcast", "full", 2, 0, 4, 1, 1, {1, 1}, {0, 1}},
    {"broadcast", "full", 1, 0, 1, 0, 0, {0, 1}, {0, 1}},
    {"broadcast", "linear", 8, 0, 1, 3, 7, {1, 1}, {0, 1}},
    {"broadcast", "linear", 8, 3, 1, 3, 4, {1, 1}, {0, 1}},
    {"broadcast", "linear", 8, 3, 2, 2, 4, {1, 1}, {0, 1}},
    {"reduce", "full", 8, 0, 1, 3, 1, {1, 1}, {7, 8}},
    {"reduce", "full", 8, 5, 2, 2, 1, {1, 2}, {7, 8}},
    {"reduce", "linear", 6, 1, 1, 3, 4, {1, 1}, {5, 6}},
    {"reduce", "full", 1, 0, 1, 0, 0, {0, 1}, {0, 1}},
    {"scatter", "full", 8, 0, 1, 3, 1, {7, 1}, {0, 1}},
    {"scatter", "full", 8, 0, 2, 2, 1, {7, 2}, {0, 1}},
    {"scatter", "linear", 8, 0, 2, 2, 7, {7, 1}, {0, 1}},
    {"scatter", "linear", 8, 3, 2, 2, 4, {7, 2}, {0, 1}},
    {"gather", "full", 8, 7, 1, 3, 1, {7, 1}, {0, 1}},
    {"gather", "linear", 5, 2, 2, 2, 2, {2, 1}, {0, 1}},
    {"allgather", "full", 8, 0, 1, 3, 1, {7, 1}, {0, 1}},
    {"allgather", "full", 8, 0, 2, 2, 1, {7, 2}, {0, 1}},
    {"allgather", "linear", 5, 0, 2, 2, 4, {4, 1}, {0, 1}},
    {"reduce-scatter", "full", 8, 0, 1, 3, 1, {7, 1}, {7, 1}},
    {"allreduce", "full", 8, 0, 1, 3, 1, {1, 1}, {7, 8}},
    {"allreduce", "linear", 8, 0, 1, 3, 7, {1, 1}, {7, 8}},
    {"alltoall", "full", 8, 0, 1, 3, 1, {7, 1}, {0, 1}},
    {"alltoall", "full", 5, 0, 2, 2, 1, {2, 1}, {0, 1}},
    {"scan", "full", 8, 0, 1, 3, 1, {1, 1}, {7, 8}},
    {"scan", "linear", 5, 0, 1, 3, 4, {1, 1}, {4, 5}},
    /* only three ranks wait for others, the third of them for two */
    {"first-sums", "full", 8, 0, 1, 2, 1, {1, 1}, {1, 4}},
    {"first-sums", "linear", 8, 0, 1, 2, 2, {1, 1}, {1, 4}},
    {"shift", "full", 7, 0, 1, 1, 1, {1, 1}, {0, 1}},
    {"shift", "linear", 7, 0, 1, 1, 6, {1, 1}, {0, 1}},
};

static BoundSet bounds_of(Fixture *fixture, const char *collective, const char *topology, int64_t p,
                          int64_t root, int64_t ports)
{
    BoundSet bounds;
    Contract contract;
    Network network = network_of(fixture, topology, p);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, collective), p, root, 0,
                              &contract, &fixture->diag));
    const Rules rules = {.ports = ports};
    bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS, &bounds);
    return bounds;
}

static void assert_bound(const BoundSet *bounds, BoundKind kind, int64_t numerator,
                         int64_t denominator)
{
    Exact coefficient = bounds->items[kind].coefficient;
    ck_assert_int_eq(bounds->items[kind].kind, kind);
    ck_assert_msg(coefficient.exact && coefficient.numerator == numerator &&
                      coefficient.denominator == denominator,
                  "%s: %g, not %g", bound_names[kind], coefficient.real,
                  (double)numerator / (double)denominator);
}

START_TEST(bounds_by_hand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, collectives);
    BoundSet bounds = bounds_of(fixture, cases[_i].collective, cases[_i].topology, cases[_i].p,
                                cases[_i].root, cases[_i].ports);
    assert_bound(&bounds, BOUND_ROUNDS, cases[_i].rounds, 1);
    assert_bound(&bounds, BOUND_DISTANCE, cases[_i].distance, 1);
    assert_bound(&bounds, BOUND_NODE, cases[_i].node[0], cases[_i].node[1]);
    assert_bound(&bounds, BOUND_COMPUTE, cases[_i].compute[0], cases[_i].compute[1]);
    fixture_close(fixture);
}
END_TEST

/* Searched among all links, as where a flow is wanted, too; certificates rest on that. */
START_TEST(cuts_by_ports_are_the_best_ones)
{
    static const char *const names[] = {"broadcast", "reduce",         "scatter",   "gather",
                                        "allgather", "reduce-scatter", "allreduce", "alltoall",
                                        "scan",      "shift"};
    Fixture *fixture = fixture_open();
    use_models(fixture, collectives);
    for (int64_t p = 2; p <= 9; p++) {
        Network network = network_of(fixture, "full", p);
        Contract contract;
        Bound bound = {0};
        Cut cut;
        const Rules rules = {.ports = 1 + _i % 2 * 2, .duplex = _i % 3 == 2 ? DUPLEX_HALF : 0};
        ck_assert(contract_create(fixture->arena, collective_named(fixture, names[_i / 6]), p,
                                  p / 2, 0, &contract, &fixture->diag));
        Bounder bounder = bounder_open(fixture->arena, &contract, &network, &rules);
        bool by_ports = bound_port_cut(&bounder, &bound);
        Bound node = bound_node(&bounder);
        Bound found = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
        ck_assert_int_eq(by_ports, (rules.ports == 1 || p == 2) && rules.duplex != DUPLEX_HALF &&
                                       node.coefficient.real > 0);
        if (by_ports) {
            ck_assert_double_eq(bound.coefficient.real, found.coefficient.real);
            ck_assert_str_eq(bound.reason, found.reason);
        }
    }
    fixture_close(fixture);
}
END_TEST

/* Ranks 0 and 1 both hold a block for each of the four others, and all send one to the next rank:
   5 m leave those two through their ports, while no rank gets, or must send, more than 2 m. */
START_TEST(the_best_cut_goes_through_the_ports_of_several_ranks)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, collectives);
    BoundSet bounds = bounds_of(fixture, "twofold", "full", 6, 0, 1);
    assert_bound(&bounds, BOUND_NODE, 2, 1);
    assert_bound(&bounds, BOUND_CUT, 5, 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(the_largest_bound_binds)
{
    Fixture *fixture = fixture_open();
    BoundSet bounds = bounds_of(fixture, "reduce", "full", 8, 0, 1);
    const double parameters[] = {1e-6, 0, 1e-9, 2e-9};
    ck_assert_int_eq(bounds_binding(&bounds, parameters, 100), BOUND_ROUNDS);
    ck_assert_int_eq(bounds_binding(&bounds, parameters, 1e6), BOUND_COMPUTE);
    const double slow_links[] = {1e-6, 0, 2e-9, 1e-9};
    ck_assert_int_eq(bounds_binding(&bounds, slow_links, 1e6), BOUND_NODE);
    ck_assert_double_eq(bound_seconds(&bounds.items[BOUND_ROUNDS], parameters, 1e6), 3 * 1e-6);
    assert_near(bound_seconds(&bounds.items[BOUND_COMPUTE], parameters, 1e6), 1.75e-3, 1e-14);
    const double equal[] = {1, 3, 0, 0};
    ck_assert_int_eq(bounds_binding(&bounds, equal, 1), BOUND_ROUNDS);
    fixture_close(fixture);
}
END_TEST

START_TEST(bounds_are_written_as_formulas)
{
    Fixture *fixture = fixture_open();
    BoundSet bounds = bounds_of(fixture, "reduce", "full", 8, 0, 1);
    ck_assert_str_eq(bound_formula(fixture->arena, &bounds.items[BOUND_ROUNDS], 0), "3 ts");
    ck_assert_str_eq(bound_formula(fixture->arena, &bounds.items[BOUND_COMPUTE], 0), "7/8 m tc");
    bounds = bounds_of(fixture, "broadcast", "full", 1, 0, 1);
    ck_assert_str_eq(bound_formula(fixture->arena, &bounds.items[BOUND_NODE], 0), "0");
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *collective;
    int64_t p;
    DemandForm form;
} forms[] = {
    {"broadcast", 6, DEMAND_PAIRS},
    {"allreduce", 6, DEMAND_PAIRS},
    {"scan", 6, DEMAND_PAIRS},
    {"gather", 6, DEMAND_TARGETS},
    {"allgather", 6, DEMAND_TARGETS},
    {"scatter", 6, DEMAND_SOURCES},
    {"reduce-scatter", 6, DEMAND_SOURCES},
    {"alltoall", 6, DEMAND_OTHER},
    {"shift", 6, DEMAND_OTHER},
    {"copies", 3, DEMAND_OTHER}, /* block 0 alone has two receivers */
    {"sums", 2, DEMAND_OTHER},
};

START_TEST(what_the_best_cut_needs_to_know)
{
    Fixture *fixture = fixture_open();
    Contract contract;
    use_models(fixture, collectives);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, forms[_i].collective),
                              forms[_i].p, 1, 0, &contract, &fixture->diag));
    const Demand demand = demand_count(fixture->arena, &contract);
    ck_assert_int_eq(demand_form(&demand), forms[_i].form);
    fixture_close(fixture);
}
END_TEST

Suite *bound_suite(void)
{
    Suite *suite = suite_create("bound");
    TCase *bounds = tcase_create("bounds");
    tcase_add_loop_test(bounds, bounds_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(bounds, cuts_by_ports_are_the_best_ones, 0, 60);
    tcase_add_loop_test(bounds, what_the_best_cut_needs_to_know, 0, sizeof forms / sizeof *forms);
    tcase_add_test(bounds, the_best_cut_goes_through_the_ports_of_several_ranks);
    tcase_add_test(bounds, the_largest_bound_binds);
    tcase_add_test(bounds, bounds_are_written_as_formulas);
    suite_add_tcase(suite, bounds);
    return suite;
}
