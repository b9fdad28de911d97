#include "bound/bounds.h"

#include "unit.h"

enum { MOST_TRIED = 33 };

static bool are_same_at(const Holding *a, const Holding *b, int64_t rank, int64_t blocks)
{
    bool same = holding_count(a, rank) == holding_count(b, rank);
    for (int64_t i = 0; same && i < holding_count(a, rank); i++)
        same = holding_block(a, rank, i) == holding_block(b, rank, i);
    for (int64_t block = -1; same && block <= blocks; block++)
        same = holding_has(a, rank, block) == holding_has(b, rank, block);
    return same;
}

static bool are_same(const Holding *a, const Holding *b, int64_t blocks)
{
    bool same = a->p == b->p && a->total == b->total && a->holders == b->holders &&
                a->is_shared == b->is_shared && a->from == b->from && a->to == b->to;
    for (int64_t r = 0; same && r < a->p; r++)
        same = are_same_at(a, b, r, blocks);
    return same;
}

/* One set can be runs; named twice, it holds no more. */
static void lay_out_lists(Fixture *fixture, const Collective *collective, const SetList *sets,
                          const BlockSpace *space, const Frame *frame, int64_t p, Holding *holding)
{
    CompiledSet twice[] = {sets->items[0], sets->items[0]};
    const SetList again = {.items = twice, .count = 2};
    const HoldingLayout layout = {fixture->arena, collective, p, space, frame, &fixture->diag};
    ck_assert(holding_lay_out(&layout, sets->count == 1 ? &again : sets, holding));
    ck_assert(holding->blocks || holding->total == 0);
}

/* Both sides as contracts have them, and as lists. */
static void assert_contract(Fixture *fixture, const Collective *collective, int64_t p, int64_t root,
                            int64_t target)
{
    Contract contract;
    BlockSpace space;
    Holding before, after;
    const int64_t *ranks = lanes_identity(fixture->arena, (size_t)p);
    const Frame frame = {{&p, ranks, collective->rooted ? &root : NULL, &target}};
    ck_assert(
        contract_create(fixture->arena, collective, p, root, target, &contract, &fixture->diag));
    ck_assert(blockspace_create(collective, p, 0, &space, &fixture->diag));
    lay_out_lists(fixture, collective, &collective->before, &space, &frame, p, &before);
    lay_out_lists(fixture, collective, &collective->after, &space, &frame, p, &after);
    ck_assert(are_same(&contract.before, &before, space.count));
    ck_assert(are_same(&contract.after, &after, space.count));
}

static const char *const built_in[] = {
    "allgather", "allreduce", "alltoall", "barrier",        "broadcast",      "exscan",
    "gather",    "reduce",    "scan",     "reduce-scatter", "point-to-point", "scatter",
};

START_TEST(contracts_of_the_library_are_runs)
{
    Fixture *fixture = fixture_open();
    const Collective *collective = collective_named(fixture, built_in[_i]);
    for (int64_t p = 1; p <= MOST_TRIED; p++)
        for (int64_t root = 0; root < p; root += p / 3 + 1) {
            Contract contract;
            assert_contract(fixture, collective, p, root, p - 1 - root);
            ck_assert(contract_create(fixture->arena, collective, p, root, p - 1 - root, &contract,
                                      &fixture->diag));
            ck_assert_ptr_null(contract.before.blocks);
            ck_assert_ptr_null(contract.after.blocks);
        }
    fixture_close(fixture);
}
END_TEST

/* Blocks of rank r in a space of 4 p x 3 blocks; has_runs for p > 3. */
static const struct {
    const char *set;
    bool has_runs;
} sets[] = {
    {"(r, 0)", true},
    {"((r * r) mod p, r mod 3)", true},
    {"(i, 2) for i in 0 .. p - 1", true},
    {"(i, 2) for i in p - 1 down to r", true},
    {"(2 * i + r, 1) for i in 0 .. p - 1", true},
    {"(4 * p - 1 - 3 * i, 1) for i in 0 .. r if r mod 2 == 1", true},
    {"(r + 2 * (i - 1), i) for i in 1 .. 2", true},
    {"(r, 2 - i) for i in 0 .. 2 if r > p", true},
    {"(r, i - r) for i in r .. r + 2", true},
    {"(r, i) for i in 2 .. 0", true},
    {"((r + 1) * i, 0) for i in 0 .. 1", false},
    {"(i * i, 0) for i in 0 .. 1", false},
    {"(i mod p, 0) for i in 0 .. p", false},
    {"(i, 0) for i in 0 .. p - 1 if i != r", false},
    {"(r, 0) for i in 0 .. p - 1", false},
    {"(i, j) for i in 0 .. r for j in 0 .. 2", false},
    {"(p div (r + 1), 0) if r > 0", true},
    {"(i, 1) for i in 2 .. p if r mod 3 == 1", true},
    {"(p, 1) if r == p div 2 or r > p - 3", true},
    {"(4 * p, 0) if r < 0", true},
    {"(p div r, 0) if r > 0", false},
    {"[\"(r, 0)\", \"(r, 1)\"]", false},
};

START_TEST(runs_are_what_lists_are)
{
    Fixture *fixture = fixture_open();
    use_models(
        fixture,
        arena_printf(fixture->arena,
                     "collective: mine\nblocks: {a: 4 * p, b: 3}\nbefore: %s\nafter: (r, 0)\n",
                     sets[_i].set));
    for (int64_t p = 1; p <= MOST_TRIED; p++) {
        Contract contract;
        assert_contract(fixture, collective_named(fixture, "mine"), p, 0, 0);
        ck_assert(contract_create(fixture->arena, collective_named(fixture, "mine"), p, 0, 0,
                                  &contract, &fixture->diag));
        if (p > 3)
            ck_assert_int_eq(contract.before.blocks == NULL, sets[_i].has_runs);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(random_runs_are_what_lists_are)
{
    Fixture *fixture = fixture_open();
    uint64_t state = (uint64_t)_i + 1;
    int drawn[6];
    for (int i = 0; i < 6; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        drawn[i] = (int)(state >> 33) % 5;
    }
    use_models(
        fixture,
        arena_printf(fixture->arena,
                     "collective: mine\nblocks: {a: 60 * p}\n"
                     "before: 20 * p + %d * r - i * %d + %d for i in %d - r .. %d + r if r mod "
                     "%d == 0\nafter: %d .. p + %d if r mod %d != 1\n",
                     drawn[0], drawn[1] - 2, drawn[2], drawn[3], drawn[4], drawn[5] + 1, drawn[0],
                     drawn[1], drawn[2] + 1));
    for (int64_t p = 1; p <= MOST_TRIED; p++)
        assert_contract(fixture, collective_named(fixture, "mine"), p, 0, 0);
    fixture_close(fixture);
}
END_TEST

/* The last block of each rank stands in a set of its own, so there are no runs. */
static const char models[] = "collective: exchange\nblocks: {s: p, t: p}\n"
                             "before: [\"(r, t) for t in 0 .. p - 2\", \"(r, p - 1)\"]\n"
                             "after: [\"(s, r) for s in 0 .. p - 2\", \"(p - 1, r)\"]\n"
                             "---\n"
                             "collective: turned\nblocks: {t: p, s: p}\n"
                             "before: (t, r) for t in 0 .. p - 1\n"
                             "after: (r, s) for s in p - 1 down to 0\n";

static const struct {
    const char *topology;
    int64_t p;
} networks[] = {{"full", 2},  {"full", 9},   {"ring", 8},   {"uniring", 7},   {"linear", 6},
                {"mesh", 12}, {"torus", 12}, {"torus", 25}, {"hypercube", 16}};

/* An exchange is counted without looking at its blocks. */
START_TEST(exchanges_are_bounded_as_by_blocks)
{
    Fixture *fixture = fixture_open();
    static const char *const names[] = {"exchange", "alltoall", "turned"};
    use_models(fixture, models);
    Network network = network_of(fixture, networks[_i].topology, networks[_i].p);
    for (int64_t ports = 1; ports <= 2; ports++) {
        const Rules rules = {.ports = ports};
        BoundSet bounds[3];
        for (int c = 0; c < 3; c++) {
            Contract contract;
            ck_assert(contract_create(fixture->arena, collective_named(fixture, names[c]),
                                      network.p, 0, 0, &contract, &fixture->diag));
            ck_assert_int_eq(contract.before.blocks == NULL, c > 0);
            bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS,
                           &bounds[c]);
        }
        for (int kind = 0; kind < BOUND_KIND_COUNT; kind++)
            for (int c = 1; c < 3; c++) {
                ck_assert_int_eq(exact_compare(bounds[0].items[kind].coefficient,
                                               bounds[c].items[kind].coefficient),
                                 0);
                ck_assert_str_eq(bounds[0].items[kind].reason, bounds[c].items[kind].reason);
            }
    }
    fixture_close(fixture);
}
END_TEST

static PerRank by_rank(Arena *arena, const PerRank *values, int64_t p)
{
    int64_t *items = ARENA_ARRAY(arena, int64_t, (size_t)p);
    for (int64_t r = 0; r < p; r++)
        items[r] = per_rank(values, r);
    return (PerRank){.items = items};
}

/* Bounds look at ranks by pieces that hold, and ask for, the same; each by itself they give the
   same bounds, with the same reasons. */
START_TEST(bounds_by_pieces_are_those_by_rank)
{
    static const char *const topologies[] = {"full:1",      "full:2", "full:11",  "torus:3x4",
                                             "cluster:3x4", "ring:8", "mesh:2x3", "fat-tree:3x2x2"};
    static const Rules rules[] = {{.ports = 1},
                                  {.ports = 3, .switching = SWITCHING_STORE_AND_FORWARD},
                                  {.ports = 1, .all_ports = true, .duplex = DUPLEX_HALF},
                                  {.ports = 2, .posting = POSTING_TOGETHER, .asynchronous = true}};
    Fixture *fixture = fixture_open();
    Arena *arena = fixture->arena;
    use_models(fixture, "collective: some\nrooted: yes\nblocks: {b: 3 * p}\n"
                        "before: 0 .. p if r == root or r > p div 2\nafter: 0 .. 1 if r > 1\n---\n"
                        "collective: summed\nrooted: yes\nblocks: {b: p}\nbefore: 0 .. p - 1\n"
                        "after: 0 .. p - 1 if r <= root\ncombine: root div 2 .. p - 1\n");
    const char *const name = _i < (int)COUNT_OF(built_in)    ? built_in[_i]
                             : _i == (int)COUNT_OF(built_in) ? "some"
                                                             : "summed";
    for (size_t t = 0; t < COUNT_OF(topologies); t++) {
        Network network = network_named(fixture, topologies[t], TIES_PLUS);
        const int64_t p = network.p;
        for (int64_t root = 0; root < p; root += p / 2 + 1)
            for (size_t i = 0; i < COUNT_OF(rules); i++) {
                BoundSet bounds[2];
                Contract contract;
                ck_assert(contract_create(arena, collective_named(fixture, name), p, root,
                                          p - 1 - root, &contract, &fixture->diag));
                bounds_compute(arena, &contract, &network, &rules[i], BOUND_SEARCH_CUTS,
                               &bounds[0]);
                Holding *const sides[] = {&contract.before, &contract.after};
                for (size_t s = 0; s < COUNT_OF(sides); s++) {
                    sides[s]->firsts = by_rank(arena, &sides[s]->firsts, p);
                    sides[s]->counts = by_rank(arena, &sides[s]->counts, p);
                }
                contract.contributors_from = by_rank(arena, &contract.contributors_from, p);
                contract.contributors_to = by_rank(arena, &contract.contributors_to, p);
                bounds_compute(arena, &contract, &network, &rules[i], BOUND_SEARCH_CUTS,
                               &bounds[1]);
                for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
                    ck_assert_double_eq(bounds[0].items[kind].coefficient.real,
                                        bounds[1].items[kind].coefficient.real);
                    ck_assert_str_eq(bounds[0].items[kind].reason, bounds[1].items[kind].reason);
                }
            }
    }
    fixture_close(fixture);
}
END_TEST

/* Bounds of contracts that would have 2^32 entries; volume: of m tw, on links of one lane. */
static const struct {
    const char *collective, *topology;
    int64_t distance, volume;
} large[] = {
    {"alltoall", "full:65536", 1, 1},
    {"alltoall", "torus:256x256", 256, 2097152},
    {"allgather", "full:65536", 1, 1},
    {"alltoall", "ring:65536", 32768, 536870912},
    {"reduce-scatter", "torus:256x256", 256, 0},
    {"allgather", "torus:256x256", 256, 0},
    {"scan", "torus:256x256", 256, 0},
    {"gather", "ring:65536", 32768, 8192},
};

START_TEST(bounds_of_many_ranks)
{
    Fixture *fixture = fixture_open();
    Contract contract;
    BoundSet bounds;
    Network network = network_named(fixture, large[_i].topology, TIES_PLUS);
    const Rules rules = {.ports = 1};
    ck_assert(contract_create(fixture->arena, collective_named(fixture, large[_i].collective),
                              network.p, 0, 0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_NONE, &bounds);
    ck_assert_double_eq(bounds.items[BOUND_DISTANCE].coefficient.real, (double)large[_i].distance);
    if (large[_i].volume)
        ck_assert_double_eq(bounds.items[BOUND_VOLUME].coefficient.real, (double)large[_i].volume);
    fixture_close(fixture);
}
END_TEST

Suite *holding_suite(void)
{
    Suite *suite = suite_create("holding");
    TCase *runs = tcase_create("runs"), *bounds = tcase_create("bounds");
    tcase_add_loop_test(runs, contracts_of_the_library_are_runs, 0,
                        sizeof built_in / sizeof *built_in);
    tcase_add_loop_test(runs, runs_are_what_lists_are, 0, sizeof sets / sizeof *sets);
    tcase_add_loop_test(runs, random_runs_are_what_lists_are, 0, 40);
    suite_add_tcase(suite, runs);
    tcase_add_loop_test(bounds, exchanges_are_bounded_as_by_blocks, 0,
                        sizeof networks / sizeof *networks);
    tcase_add_loop_test(bounds, bounds_by_pieces_are_those_by_rank, 0, COUNT_OF(built_in) + 2);
    tcase_add_loop_test(bounds, bounds_of_many_ranks, 0, sizeof large / sizeof *large);
    suite_add_tcase(suite, bounds);
    return suite;
}
