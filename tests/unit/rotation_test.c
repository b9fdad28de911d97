#include "lang/motion.h"
#include "net/turn.h"
#include "sched/expander.h"
#include "sched/rotation.h"

#include "unit.h"

typedef struct {
    const char *network;
    int64_t by;
} Turning;

static const Turning turning[] = {
    {"full:6", 1},          {"ring:7", 1},          {"uniring:5", 1},      {"torus:4x3", 4},
    {"torus:3x5x2", 15},    {"cluster:5x3", 3},     {"fat-tree:4x3x2", 6}, {"fat-tree:3x2x4", 8},
    {"dragonfly:4x3x2", 6}, {"dragonfly:7x3x1", 3}, {"star:6", 1},         {"hypercube:8", 8},
    {"mesh:3x4", 12},       {"linear:6", 6},        {"tree:7", 7},
};

/* The links that stand for those of a path must be those of the path that starts `by` ranks behind.
 */
static void assert_paths_turn(Fixture *fixture, const Network *network, const NetworkTurn *turn)
{
    const int64_t p = network->p;
    for (int64_t from = 0; from < p; from++)
        for (int64_t to = 0; to < p; to++) {
            const int64_t starts[] = {from, (from + turn->by) % p};
            const int64_t ends[] = {to, (to + turn->by) % p};
            Routes routes[2];
            if (from == to)
                continue;
            for (int i = 0; i < 2; i++)
                ck_assert(network_route(network, fixture->arena, 1, &starts[i], &ends[i],
                                        &routes[i], &fixture->diag));
            ck_assert_uint_eq(routes[0].link_count, routes[1].link_count);
            for (size_t i = 0; i < routes[0].link_count; i++) {
                int64_t links[2][2] = {{routes[0].from[i], routes[0].to[i]},
                                       {routes[1].from[i], routes[1].to[i]}};
                bool alone = turn_link(turn, &links[0][0], &links[0][1]);
                ck_assert_int_eq(turn_link(turn, &links[1][0], &links[1][1]), alone);
                ck_assert_mem_eq(links[0], links[1], sizeof links[0]);
                ck_assert(!routes[0].classes || routes[0].classes[i] == routes[1].classes[i]);
            }
        }
}

START_TEST(networks_turn)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, turning[_i].network, TIES_PLUS);
    NetworkTurn turn = network_turn(&network);
    ck_assert_int_eq(turn.by, turning[_i].by);
    ck_assert_int_eq(turn.turns, network.p / turn.by);
    if (turn.turns > 1)
        assert_paths_turn(fixture, &network, &turn);
    for (int64_t ranks = 1; ranks <= network.p && turn.turns > 1; ranks++) {
        if (network.p % ranks != 0)
            continue;
        NetworkTurn multiple = turn_multiple(&turn, ranks);
        ck_assert_int_eq(multiple.by % ranks, 0);
        ck_assert_int_eq(multiple.by % turn.by, 0);
        if (multiple.turns > 1)
            assert_paths_turn(fixture, &network, &multiple);
    }
    fixture_close(fixture);
}
END_TEST

/* A tie that depends on where the message is does not turn; nor do shortest paths without a rule,
   and a link that is slower than the others. */
START_TEST(networks_that_do_not_turn)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: found\n"
                        "links:\n"
                        "  - {from: r, to: (r + 1) mod p, both: yes}\n"
                        "routing: shortest\n"
                        "---\n"
                        "topology: slower\n"
                        "links:\n"
                        "  - {from: r, to: (r + 1) mod p, if: r > 0}\n"
                        "  - {from: 0, to: 1, bandwidth: 1 GB/s}\n"
                        "next: (r + 1) mod p\n");
    Network inside = network_named(fixture, "ring:6", TIES_INSIDE);
    Network found = network_of(fixture, "found", 6), slower = network_of(fixture, "slower", 6);
    ck_assert_int_eq(network_turn(&inside).by, 6);
    ck_assert_int_eq(network_turn(&found).by, 6);
    ck_assert_int_eq(network_turn(&slower).by, 6);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    const char *algorithm;
    int64_t p, by; /* 0: not proven */
} Alike;

static const Alike alike[] = {
    {"allgather/ring", 12, 1},
    {"allgather/bruck", 11, 1},
    {"allgather/circulant", 12, 1},
    {"allgather/k-bruck", 12, 1},
    {"allgather/pat", 12, 1},
    {"allgather/pat-linear", 12, 1},
    {"allgather/sparbit", 12, 1},
    {"allgather/two-way-ring", 12, 1},
    {"allgather/two-way-ring", 13, 1},
    {"allgather/bine", 12, 2},
    {"allgather/swing", 16, 2},
    {"allgather/neighbour-exchange", 12, 2},
    {"allgather/both-ways", 12, 0},
    {"allgather/folded-ring", 12, 0},
    {"allgather/recursive-doubling", 16, 0},
    {"alltoall/bruck", 12, 1},
    {"alltoall/pairwise", 12, 1},
    {"alltoall/ring", 12, 1},
    {"alltoall/spread-out", 12, 1},
    {"alltoall/two-way-ring", 12, 1},
    {"alltoall/pairwise-xor", 16, 0},
    {"allreduce/ring", 12, 1},
    {"allreduce/segmented-ring", 12, 1},
    {"allreduce/swing", 16, 2},
    {"allreduce/swing-latency", 16, 2},
    {"allreduce/swing", 12, 0},
    {"allreduce/allgather-combine", 12, 1},
    {"allreduce/allgather-combine-doubling", 16, 0},
    {"barrier/dissemination", 12, 1},
    {"reduce-scatter/ring", 12, 1},
    {"reduce-scatter/swing", 16, 2},
    {"reduce-scatter/two-way-ring", 12, 1},
    {"broadcast/binomial", 16, 0},
    {"scan/hillis-steele", 16, 0},
};

START_TEST(schedules_that_turn)
{
    Fixture *fixture = fixture_open();
    Rotation rotation;
    Instance instance = instance_of(fixture, alike[_i].algorithm, alike[_i].p, 0, 2);
    ck_assert_int_eq(rotation_find(&instance, &rotation) ? rotation.by : 0, alike[_i].by);
    fixture_close(fixture);
}
END_TEST

/* Of a grid of 3 x 4 ranks, layers of 3 do what the first one does, or not. */
START_TEST(layers_that_turn)
{
    static const struct {
        const char *blocks, *to;
        int64_t by;
    } rows[] = {
        {"rank(x, y)", "rank(x, (y + 1) mod 4)", 3},
        {"rank(a, y) for a in 0 .. x", "rank(2 - x, (y - i) mod 4)", 3},
        {"rank(x, b) for b in 0 .. 3", "rank(x, (y + 1) mod 4)", 3},
        {"rank(a, b) for a in 0 .. 2 for b in 0 .. 3", "rank(x, (y + 1) mod 4)", 3},
        {"rank(x, b) for b in (y + 1) mod 4 .. (y + 1) mod 4", "rank(x, (y + 1) mod 4)", 3},
        {"rank(x, b) for b in when(e == 0, 0, (y - 1) mod 4) .. when(e == 0, 3, (y - 1) mod 4)",
         "rank(x, (y + e + 1) mod 4)", 3},
        {"rank(x, b) for b in (y + 1) mod 4 .. (y + 2) mod 4", "rank(x, (y + 1) mod 4)", 0},
        {"rank(x, b) for b in 0 .. 2", "rank(x, (y + 1) mod 4)", 3}, /* the same ones everywhere */
        {"rank(x, b) for b in y .. 3", "rank(x, (y + 1) mod 4)", 0},
        {"rank(x, b) for b in y .. (y + e) mod 4", "rank(x, (y + 1) mod 4)", 0},
        {"rank(x, 3 - y)", "rank(x, (y + 1) mod 4)", 0},
        {"rank(x, y)", "rank(x, 3 - y)", 0},
        {"rank(x, y)", "rank(x, (2 * y) mod 4)", 0},
    };
    Fixture *fixture = fixture_open();
    Rotation rotation;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        use_models(fixture,
                   arena_printf(fixture->arena,
                                "algorithm: layers-%d\ncollective: allgather\ngrid: {x: 3, y: 4}\n"
                                "schedule:\n  - repeat: e in 0 .. 1\n    steps:\n"
                                "      - repeat: i in 1 .. 20\n        steps:\n"
                                "          - send: %s\n            to: %s\n",
                                i, rows[i].blocks, rows[i].to));
        const char *name = arena_printf(fixture->arena, "allgather/layers-%d", i);
        Instance instance = instance_of(fixture, name, 12, 0, 1);
        const int64_t by = rotation_find(&instance, &rotation) ? rotation.by : 0;
        ck_assert_msg(by == rows[i].by, "%s to %s: %lld", rows[i].blocks, rows[i].to,
                      (long long)by);
    }
    fixture_close(fixture);
}
END_TEST

/* A value that is missing at some rank only must be missed, also where nobody reads it. */
START_TEST(values_that_some_ranks_lack)
{
    static const char *const lines[] = {
        "let: {x: 12 div (r - 200)}", "let: {x: 12 div (1 + r mod 2)}",
        "let: {x: r + 9223372036854775000}", "let: {x: (r + 2) * 46116860184273879}"};
    static const int64_t by[] = {0, 2, 0, 0};
    Fixture *fixture = fixture_open();
    Rotation rotation;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        use_models(fixture, arena_printf(fixture->arena,
                                         "algorithm: lacking-%d\n"
                                         "collective: allgather\n"
                                         "%s\n"
                                         "schedule:\n"
                                         "  - repeat: i in 1 .. p - 1\n"
                                         "    steps:\n"
                                         "      - send: (r - i + 1) mod p\n"
                                         "        to: (r + 1) mod p\n",
                                         (int)i, lines[i]));
        const char *name = arena_printf(fixture->arena, "allgather/lacking-%d", (int)i);
        Instance instance = instance_of(fixture, name, 1024, 0, 1);
        ck_assert_int_eq(rotation_find(&instance, &rotation) ? rotation.by : 0, by[i]);
    }
    fixture_close(fixture);
}
END_TEST

/* What goes on from pass to pass must be the same for all ranks. */
START_TEST(values_that_go_on)
{
    static const char *const next[] = {"2 * x", "x + r", "x + r mod 3"};
    static const int64_t by[] = {1, 0, 0};
    Fixture *fixture = fixture_open();
    Rotation rotation;
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        use_models(fixture, arena_printf(fixture->arena,
                                         "algorithm: going-on-%d\n"
                                         "collective: allgather\n"
                                         "let: {x: 1}\n"
                                         "schedule:\n"
                                         "  - repeat: i in 1 .. 3\n"
                                         "    steps:\n"
                                         "      - send: r\n"
                                         "        to: (r + x) mod p\n"
                                         "    then: {x: %s}\n",
                                         (int)i, next[i]));
        const char *name = arena_printf(fixture->arena, "allgather/going-on-%d", (int)i);
        Instance instance = instance_of(fixture, name, 12, 0, 1);
        ck_assert_int_eq(rotation_find(&instance, &rotation) ? rotation.by : 0, by[i]);
    }
    fixture_close(fixture);
}
END_TEST

/* Ranks that send as many blocks, but not the same ones turned. */
START_TEST(schedules_that_only_seem_to_turn)
{
    static const char *const lines[] = {
        "let: {x: r}\nschedule:\n  - repeat: i in 1 .. 2\n    steps:\n"
        "      - send: x\n        to: (r + 1) mod p\n    then: {x: 3}\n",
        "schedule:\n  - send: b for b in 0 .. r\n    to: (r + 1) mod p\n",
        "schedule:\n  - send: b for b in r .. p - 1\n    to: (r + 1) mod p\n",
        "schedule:\n  - send: b for b in 0 .. p - 1 if b < r\n    to: (r + 1) mod p\n",
        "schedule:\n  - send: b for b in 0 .. p - 1\n    to: (r + 1) mod p\n",
        "schedule:\n  - send: (r + b) mod p for b in 0 .. 2\n    to: (r + 1) mod p\n",
    };
    static const int64_t by[] = {0, 0, 0, 0, 1, 1};
    Fixture *fixture = fixture_open();
    Rotation rotation;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        use_models(fixture,
                   arena_printf(fixture->arena, "algorithm: seeming-%d\ncollective: allgather\n%s",
                                (int)i, lines[i]));
        const char *name = arena_printf(fixture->arena, "allgather/seeming-%d", (int)i);
        Instance instance = instance_of(fixture, name, 12, 0, 1);
        ck_assert_int_eq(rotation_find(&instance, &rotation) ? rotation.by : 0, by[i]);
    }
    fixture_close(fixture);
}
END_TEST

typedef struct {
    Arena *arena;
    RoundArray *rounds;
} RoundCopies;

static bool copy_round(void *context, const Round *round, Arena *arena)
{
    const RoundCopies *copies = context;
    (void)arena;
    rounds_keep(copies->arena, copies->rounds, round);
    return true;
}

/* Turned by t, the rounds of the ranks that stand for all are those of all. */
START_TEST(rounds_of_a_few_ranks)
{
    Fixture *fixture = fixture_open();
    Rotation rotation;
    RoundArray few = {0}, all = {0};
    Instance instance = instance_of(fixture, alike[_i].algorithm, alike[_i].p, 0, 2);
    if (!rotation_find(&instance, &rotation)) {
        fixture_close(fixture);
        return;
    }
    const RoundsWanted some = {.rotation = &rotation};
    RoundCopies copies_of = {fixture->arena, &few};
    ck_assert(expander_collect(fixture->arena, &instance, &(RoundsWanted){0}, &(int64_t){0}, &all,
                               &fixture->diag));
    ck_assert(schedule_expand_as(&instance, &some, copy_round, &copies_of, &fixture->diag));
    ck_assert_uint_eq(few.count, all.count);
    for (size_t i = 0; i < all.count; i++) {
        const int64_t copies = rotation.p / rotation.by;
        ck_assert_uint_eq(all.items[i].count, few.items[i].count * (size_t)copies);
        for (size_t t = 0; t < all.items[i].count; t++) {
            ScheduledTransfer turned = all.items[i].transfers[t];
            const int64_t *blocks = all.items[i].blocks + turned.first_block;
            int64_t behind = rotation_turn_sender(&rotation, &turned);
            bool is_there = false;
            for (size_t u = 0; u < few.items[i].count && !is_there; u++) {
                const ScheduledTransfer *other = &few.items[i].transfers[u];
                const int64_t *others = few.items[i].blocks + other->first_block;
                is_there = other->from == turned.from && other->to == turned.to &&
                           other->block_count == turned.block_count && other->verb == turned.verb;
                for (size_t b = 0; is_there && b < other->block_count; b++) {
                    bool found = false;
                    for (size_t c = 0; c < other->block_count; c++)
                        found |= rotation_turn(&rotation, others[c], behind) == blocks[b];
                    is_there = found;
                }
            }
            ck_assert(is_there);
        }
    }
    fixture_close(fixture);
}
END_TEST

Suite *rotation_suite(void)
{
    Suite *suite = suite_create("rotation");
    TCase *networks = tcase_create("networks"), *schedules = tcase_create("schedules");
    tcase_add_loop_test(networks, networks_turn, 0, sizeof turning / sizeof *turning);
    tcase_add_test(networks, networks_that_do_not_turn);
    suite_add_tcase(suite, networks);
    tcase_add_loop_test(schedules, schedules_that_turn, 0, sizeof alike / sizeof *alike);
    tcase_add_test(schedules, layers_that_turn);
    tcase_add_test(schedules, values_that_some_ranks_lack);
    tcase_add_test(schedules, values_that_go_on);
    tcase_add_test(schedules, schedules_that_only_seem_to_turn);
    tcase_add_loop_test(schedules, rounds_of_a_few_ranks, 0, sizeof alike / sizeof *alike);
    suite_add_tcase(suite, schedules);
    return suite;
}
