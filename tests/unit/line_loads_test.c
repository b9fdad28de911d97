#include "base/random.h"
#include "cost/derive_lines.h"
#include "cost/derive_loads.h"
#include "unit.h"

typedef struct {
    const char *network;
    Ties ties;
} Grid;

static const Grid grids[] = {
    {"ring:2", TIES_PLUS},        {"ring:3", TIES_PLUS},      {"ring:8", TIES_INSIDE},
    {"ring:9", TIES_PARITY},      {"linear:6", TIES_PLUS},    {"torus:4x4", TIES_PLUS},
    {"torus:4x6", TIES_PARITY},   {"torus:8x2", TIES_INSIDE}, {"torus:1x5", TIES_PLUS},
    {"torus:2x2x3", TIES_PARITY}, {"mesh:3x4", TIES_PLUS},    {"mesh:2x3x2", TIES_PLUS},
    {"hypercube:16", TIES_PLUS},
};

enum { GRIDS = sizeof grids / sizeof *grids, MOST_MESSAGES = 40, TRIALS = 60 };

static int64_t draw(uint64_t *state, int64_t limit)
{
    return (int64_t)(random_next(state) % (uint64_t)limit);
}

static PortStep draw_step(Arena *arena, const Network *network, uint64_t *state)
{
    const size_t count = 1 + (size_t)draw(state, MOST_MESSAGES);
    PortStep step = {.count = count,
                     .transfers = ARENA_ROOM(arena, const ScheduledTransfer *, count),
                     .sizes = ARENA_ROOM(arena, int64_t, count),
                     .combines = ARENA_ARRAY(arena, int64_t, count)};
    for (size_t i = 0; i < count; i++) {
        ScheduledTransfer *transfer = ARENA_NEW(arena, ScheduledTransfer);
        const int64_t from = draw(state, network->p), ahead = 1 + draw(state, network->p - 1);
        transfer->from = (int32_t)from;
        transfer->to = (int32_t)((from + ahead) % network->p);
        step.transfers[i] = transfer;
        step.sizes[i] = 1 + draw(state, 5);
    }
    return step;
}

static double time_of(const PortStep *step, const double *prices, double bytes)
{
    ck_assert_uint_eq(step->entry_count, 1);
    const PathRange range = step->entries[0];
    return cost_total(paths_slowest(step->entry_paths + range.first, range.count, prices, bytes));
}

/* By lines, and by the list of the links of each route. */
START_TEST(loads_by_lines_are_those_by_routes)
{
    static const double prices[][PARAMETER_COUNT] = {
        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {3, 2, 1, 0}, {1, 1, 100, 0}};
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, grids[_i].network, grids[_i].ties);
    uint64_t state = (uint64_t)_i;
    for (int trial = 0; trial < TRIALS; trial++) {
        Rules rules = {.ports = 1};
        rules.duplex = trial % 2 ? DUPLEX_HALF : DUPLEX_FULL;
        rules.contention = trial % 3 ? CONTENTION_BYTES : CONTENTION_MESSAGES;
        const LoadContext context = {.rules = &rules,
                                     .network = &network,
                                     .link_costs =
                                         rules_link_costs(fixture->arena, &rules, &network),
                                     .ports = 1,
                                     .kept = fixture->arena};
        LineLoads *lines = line_loads_open(fixture->arena, &network, rules.duplex == DUPLEX_HALF);
        ck_assert_ptr_nonnull(lines);
        /* what the first port step has loaded is gone with the second */
        for (int again = 0; again < 2; again++) {
            PortStep step = draw_step(fixture->arena, &network, &state), listed = step;
            PlainList plain = {0};
            PathList paths = {0};
            ck_assert(port_step_route(&context, fixture->arena, &listed, &fixture->diag));
            ck_assert(line_loads_list(lines, fixture->arena, &step, &plain));
            ck_assert(plain_paths(&context, fixture->arena, &plain, &paths));
            const PathRange all = {0, paths.count};
            step.entries = ARENA_COPY(fixture->arena, PathRange, &all, 1);
            step.entry_count = 1, step.entry_paths = paths.items;
            for (size_t i = 0; i < sizeof prices / sizeof *prices; i++)
                ck_assert_double_eq(time_of(&step, prices[i], 8), time_of(&listed, prices[i], 8));
        }
    }
    fixture_close(fixture);
}
END_TEST

/* Of networks whose routes turn around, skip nodes or leave the ranks; `may_open`: that shows only
   when messages are sent. */
START_TEST(other_networks_are_no_grids_of_lines)
{
    static const struct {
        const char *network;
        bool may_open;
    } others[] = {
        {"cluster:2x3", false}, {"fat-tree:2x2x2", false}, {"found:6", true}, {"full:4", false}};
    uint64_t state = 1;
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: found\n"
                        "links:\n"
                        "  - {from: r, to: (r + 1) mod p, both: yes}\n"
                        "  - {from: r, to: (r + 2) mod p, both: yes}\n"
                        "routing: shortest\n");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const Network network = network_named(fixture, others[i].network, TIES_PLUS);
        LineLoads *lines = line_loads_open(fixture->arena, &network, false);
        ck_assert_msg((lines != NULL) == others[i].may_open, "%s", others[i].network);
        bool lists = true;
        for (int trial = 0; lines && lists && trial < TRIALS; trial++) {
            PortStep step = draw_step(fixture->arena, &network, &state);
            PlainList plain = {0};
            lists = line_loads_list(lines, fixture->arena, &step, &plain);
        }
        ck_assert(!lines || !lists);
    }
    fixture_close(fixture);
}
END_TEST

Suite *line_loads_suite(void)
{
    Suite *suite = suite_create("line_loads");
    TCase *grid = tcase_create("grids");
    tcase_add_loop_test(grid, loads_by_lines_are_those_by_routes, 0, GRIDS);
    tcase_add_test(grid, other_networks_are_no_grids_of_lines);
    suite_add_tcase(suite, grid);
    return suite;
}
