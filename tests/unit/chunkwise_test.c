#include "sched/chunkwise.h"

#include "cost/derive.h"
#include "cost/derive_chunks.h"
#include "cost/derive_instance.h"
#include "cost/derive_memo.h"
#include "model/machine.h"
#include "sched/chunk_repeats.h"

#include "unit.h"

#include "../same_steps.h"

enum { MOST = 40 };

static const Prices link_costs = {1e-6, 3e-9, 1 / 64e9, 1 / 512e9};

typedef struct {
    const char *algorithm, *network;
    int64_t root, ports;
    Contention contention;
    Duplex duplex;
} ChunkCase;

static const ChunkCase cases[] = {
    {"broadcast/pipelined-chain", "full:8", 3, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/pipelined-chain", "fat-tree:2x3x4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/pipelined-chain", "torus:5x3", 7, 1, CONTENTION_BYTES, DUPLEX_HALF},
    {"scan/pipelined-chain", "mesh:4x4", 0, 1, CONTENTION_MESSAGES, DUPLEX_FULL},
    {"broadcast/pipelined-chains", "torus:4x5", 2, 3, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/pipelined-chains", "dragonfly:4x2x2", 1, 2, CONTENTION_BYTES, DUPLEX_HALF},
    {"broadcast/pipelined-binary-tree", "cluster:4x4", 5, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/pipelined-binary-tree", "linear:11", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/pipelined-binary-tree", "linear:140", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/spanning-binomial-trees", "cluster:2x4", 1, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/spanning-binomial-trees", "torus:4x4", 6, 1, CONTENTION_NONE, DUPLEX_FULL},
    {"reduce-scatter/segmented-ring", "torus:3x3", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/double-binary-tree", "cluster:3x4", 5, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/double-binary-tree", "linear:11", 0, 2, CONTENTION_MESSAGES, DUPLEX_HALF},
    {"broadcast/double-binary-tree", "torus:5x3", 2, 1, CONTENTION_BYTES, DUPLEX_FULL},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* From the first chunks alone, if the schedule does the same for later ones and `shifts`. */
static ChunkCosts *find_costs(Fixture *fixture, const Instance *instance, const Network *network,
                              const Rules *rules, bool shifts)
{
    Chunkwise *chunkwise = ARENA_NEW(fixture->arena, Chunkwise);
    ChunkCosts *costs = chunk_costs_create(fixture->arena, chunkwise, true);
    bool good = chunkwise_find(fixture->arena, instance, chunkwise, &fixture->diag);
    ck_assert(!shifts || !chunkwise->picks || chunkwise->shift.passes > 0);
    if (!shifts)
        chunkwise->shift.passes = 0;
    good = good &&
           derive_chunkwise(fixture->arena, NULL, instance, network, rules, costs, &fixture->diag);
    return good ? costs : NULL;
}

static void assert_same_steps(const Profile *found, const Profile *derived)
{
    ck_assert_int_eq(found->startups, derived->startups);
    ck_assert_int_eq(found->chunks, derived->chunks);
    ck_assert(are_same_steps(found, derived));
}

/* As many port steps of each kind, in whichever order. */
static void assert_same_tally(const Profile *found, const Profile *derived)
{
    ck_assert_int_eq(found->startups, derived->startups);
    ck_assert_int_eq(found->chunks, derived->chunks);
    for (size_t t = 0; t < found->step_count; t++) {
        int64_t times = 0;
        for (size_t i = 0; i < derived->step_count; i++)
            if (is_same_step(found, &found->steps[t], derived, &derived->steps[i]))
                times += derived->steps[i].repeat;
        ck_assert_int_eq(found->steps[t].repeat, times);
    }
}

static Instance case_instance(Fixture *fixture, const ChunkCase *tried, const Network *network,
                              int64_t k)
{
    Instance instance = instance_of(fixture, tried->algorithm, network->p, tried->root, k);
    instance.shape = &network->shape;
    instance.ports = tried->ports;
    return instance;
}

/* `levels`: of the machine, `level_count` of them. */
static void assert_all_follow(Fixture *fixture, const ChunkCase *tried, const Level *levels,
                              int level_count, bool shifts)
{
    Network network = network_named(fixture, tried->network, TIES_PLUS);
    Rules rules = rules_of(link_costs, tried->ports);
    rules.contention = tried->contention;
    rules.duplex = tried->duplex;
    rules.levels = levels, rules.level_count = level_count;
    rules.fixed_ports = true;
    Instance instance = case_instance(fixture, tried, &network, MOST);
    ChunkCosts *costs = find_costs(fixture, &instance, &network, &rules, shifts);
    ck_assert_ptr_nonnull(costs);
    for (int64_t k = 1; k <= MOST; k++) {
        Profile derived;
        instance.k = k;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &derived, &fixture->diag));
        assert_same_steps(chunk_costs_profile(costs, &rules, k), &derived);
    }
}

START_TEST(all_numbers_of_chunks_follow_from_the_most)
{
    Fixture *fixture = fixture_open();
    assert_all_follow(fixture, &cases[_i / 2], NULL, 0, _i % 2 == 0);
    fixture_close(fixture);
}
END_TEST

/* Through memories of nodes, which pass so many bytes a second. */
START_TEST(they_follow_through_memories_of_nodes)
{
    static const ChunkCase through[] = {
        {"broadcast/pipelined-chain", "smp:3x4", 5, 1, CONTENTION_BYTES, DUPLEX_FULL},
        {"reduce/pipelined-binary-tree", "smp:2x5", 0, 1, CONTENTION_MESSAGES, DUPLEX_HALF},
        {"broadcast/double-binary-tree", "smp:3x3", 2, 1, CONTENTION_BYTES, DUPLEX_FULL},
    };
    const Level memory = {.name = text_plain("memory"),
                          .parameters = {-1, -1, -1, -1},
                          .capacity = 90e9,
                          .passes = 2};
    Fixture *fixture = fixture_open();
    assert_all_follow(fixture, &through[_i / 2], &memory, 1, _i % 2 == 0);
    fixture_close(fixture);
}
END_TEST

/* With one port a chain is what several chains are: it is costed once, and what is no chain not so.
 */
START_TEST(schedules_that_send_the_same_are_costed_once)
{
    static const struct {
        const char *name;
        int64_t root;
    } names[] = {{"broadcast/pipelined-chain", 3},
                 {"broadcast/pipelined-chains", 3},
                 {"broadcast/pipelined-chain", 0},
                 {"reduce/pipelined-chain", 3},
                 {"reduce/pipelined-chains", 3}};
    enum { NAMES = sizeof names / sizeof *names };
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "linear:9", TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    PortStepMemo *memo = memo_create(fixture->arena);
    const PathCost *paths[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        const ChunkCase tried = {names[i].name,    "",         names[i].root, 1,
                                 CONTENTION_BYTES, DUPLEX_FULL};
        Instance instance = case_instance(fixture, &tried, &network, MOST);
        Chunkwise *chunkwise = ARENA_NEW(fixture->arena, Chunkwise);
        ChunkCosts *costs = chunk_costs_create(fixture->arena, chunkwise, true);
        ck_assert(chunkwise_find(fixture->arena, &instance, chunkwise, &fixture->diag));
        ck_assert(derive_chunkwise(fixture->arena, memo, &instance, &network, &rules, costs,
                                   &fixture->diag));
        for (instance.k = 1; instance.k <= MOST; instance.k += 13) {
            Profile derived;
            const Profile *found = chunk_costs_profile(costs, &rules, instance.k);
            ck_assert(profile_derive(fixture->arena, &instance, &network, &rules, &derived,
                                     &fixture->diag));
            assert_same_steps(found, &derived);
            paths[i] = found->paths;
        }
    }
    ck_assert_ptr_eq(paths[0], paths[1]);
    ck_assert_ptr_eq(paths[3], paths[4]);
    ck_assert_ptr_ne(paths[0], paths[2]);
    ck_assert_ptr_ne(paths[0], paths[3]);
    fixture_close(fixture);
}
END_TEST

/* Rounds that take several port steps. */
static const ChunkCase windowed[] = {
    {"allreduce/double-tree", "full:8", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"allreduce/double-tree", "fat-tree:2x3x4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"allreduce/double-tree", "torus:5x7", 0, 2, CONTENTION_MESSAGES, DUPLEX_HALF},
    {"allreduce/double-tree", "cluster:3x4", 0, 3, CONTENTION_NONE, DUPLEX_FULL},
    {"allreduce/double-tree", "linear:2", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/tried", "torus:2x2", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/tried", "full:4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/turned", "linear:4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"reduce/falling", "linear:4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
    {"broadcast/rising", "full:4", 0, 1, CONTENTION_BYTES, DUPLEX_FULL},
};
enum { WINDOWED_COUNT = sizeof windowed / sizeof *windowed };

/* A chunk goes to two ranks at once, and to the last one in every second pass. */
#define SEND_TWICE                                                                                 \
    "schedule:\n  - repeat: t in 0 .. 2 * k + 3\n    steps:\n      - round:\n"                     \
    "          - send: (t - r) div 2\n            to: r + i\n            for: i in 1 .. 2\n"       \
    "            if: r == 0 and 0 <= (t - r) div 2 and (t - r) div 2 < k and t mod 2 == 0\n"       \
    "          - send: (t - r) div 2\n            to: 3\n"                                         \
    "            if: r == 1 and 0 <= (t - r) div 2 and (t - r) div 2 < k and t mod 2 == 1\n"

/* Two ranks send to one at once. */
#define TAKE_TWICE                                                                                 \
    "schedule:\n  - repeat: t in 2 * k + 1 down to 0\n    steps:\n      - round:\n"                \
    "          - reduce: t div 2\n            to: 0\n"                                             \
    "            if: (r == 1 or r == 2) and 0 <= t div 2 and t div 2 < k and t mod 2 == 0\n"       \
    "          - reduce: (t - 1) div 2\n            to: 1\n"                                       \
    "            if: r == 3 and 0 <= (t - 1) div 2 and (t - 1) div 2 < k and t mod 2 == 1\n"

START_TEST(rounds_of_several_port_steps_follow_from_windows)
{
    Fixture *fixture = fixture_open();
    const ChunkCase *tried = &windowed[_i];
    use_models(fixture, "algorithm: tried\ncollective: broadcast\nsummary: Tried.\n"
                        "chunks: k\n" SEND_TWICE);
    use_models(fixture, "algorithm: turned\ncollective: reduce\nsummary: Tried.\n"
                        "dual: broadcast/tried\n");
    use_models(fixture, "algorithm: falling\ncollective: reduce\nsummary: Tried.\n"
                        "chunks: k\n" TAKE_TWICE);
    use_models(fixture, "algorithm: rising\ncollective: broadcast\nsummary: Tried.\n"
                        "dual: reduce/falling\n");
    Network network = network_named(fixture, tried->network, TIES_PLUS);
    Rules rules = rules_of(link_costs, tried->ports);
    rules.contention = tried->contention;
    rules.duplex = tried->duplex;
    Instance instance = case_instance(fixture, tried, &network, MOST);
    ChunkCosts *costs = find_costs(fixture, &instance, &network, &rules, true);
    ck_assert_ptr_nonnull(costs);
    int64_t several = 0;
    for (int64_t k = 1; k <= MOST; k++) {
        Profile derived;
        instance.k = k;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &derived, &fixture->diag));
        assert_same_tally(chunk_costs_profile(costs, &rules, k), &derived);
        several += !derived.has_spare_ports;
    }
    ck_assert(several > 0);
    fixture_close(fixture);
}
END_TEST

/* Programs for p = 4 that are not of this form, and one that is. */
#define SEND_CHUNK "      - send: c\n        to: r + 1\n        if: r < p - 1\n"
#define SEND_LATER "          - send: c\n            to: r + 1\n            if: r == i - 1\n"
#define LATE(steps) "schedule:\n  - repeat: t in 0 .. p + k - 3\n    steps:\n" steps
#define SEND(if) "      - send: t - r\n        to: r + 1\n        if: " if "\n"
static const struct {
    const char *program;
    bool is_chunkwise;
} programs[] = {
    {LATE(SEND("0 <= t - r and t - r < k and r < p - 1")), true},
    {LATE(SEND("0 <= t - r and r < p - 1 and t - r < k")), true},
    {LATE(SEND("0 <= t - r and t - r <= k - 1 and r < p - 1")), false},
    {LATE(SEND("0 <= t - r and t - r <= k and r < p - 1")), false},
    {LATE(SEND("0 <= t - r and not t - r >= k and r < p - 1")), false},
    {LATE(SEND("0 <= t - r and (t - r < k or r > p) and r < p - 1")), false},
    {LATE(SEND("0 <= t - r and t - r + 0 < k and r < p - 1")), false},
    {LATE("      - send: t - r\n        to: when(k > 9, r + 1, r + 1)\n"
          "        if: 0 <= t - r and t - r < k and r < p - 1\n"),
     false},
    {"let:\n  last: k\n" LATE(SEND("0 <= t - r and t - r < last and r < p - 1")), false},
    /* the last chunk comes in a pass that goes as chunks are added */
    {"schedule:\n  - repeat: t in when(k > 30, 1, 0) .. p + k - 3\n    steps:\n" SEND(
         "0 <= t - r and t - r < k and r < p - 1"),
     false},
    {"schedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: c\n        to: r + 1\n        if: r < p - 1\n",
     true},
    {"schedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - repeat: i in 1 .. when(k > 7, 2, 1)\n        steps:\n"
     "          - send: c\n            to: r + 1\n            if: r < p - 1\n",
     false},
    /* from and to are farther apart than a number can say */
    {"schedule:\n  - repeat: t in 0 - (k - 1) * 200000000000000000 .. (k - 1) * "
     "200000000000000000\n    steps:\n" SEND("0 <= t - r and t - r < k and r < p - 1"),
     false},
    {"schedule:\n  - repeat: t in 9223372036854775807 - k .. 9223372036854775807\n    "
     "steps:\n" SEND("0 <= t - r and t - r < k and r < p - 1"),
     true},
};
enum { PROGRAM_COUNT = sizeof programs / sizeof *programs };

/* As broadcast/tried. */
static void use_program(Fixture *fixture, const char *program)
{
    use_models(
        fixture,
        arena_printf(fixture->arena,
                     "algorithm: tried\ncollective: broadcast\nsummary: Tried.\nchunks: k\n%s",
                     program));
}

START_TEST(only_what_is_proven_counts)
{
    Fixture *fixture = fixture_open();
    Chunkwise chunkwise;
    use_program(fixture, programs[_i].program);
    Instance instance = instance_of(fixture, "broadcast/tried", 4, 0, MOST);
    ck_assert_int_eq(chunkwise_find(fixture->arena, &instance, &chunkwise, &fixture->diag),
                     programs[_i].is_chunkwise);
    fixture_close(fixture);
}
END_TEST

/* Rounds of which some chunks are lost, or that are not one port step, show only when they are
   expanded. */
static const struct {
    const char *program;
    int64_t ports;
} expanded[] = {
    {"schedule:\n  - repeat: t in 0 .. k - 1\n    steps:\n" SEND(
         "0 <= t - r and t - r < k and r < p - 1"),
     1},
    {"schedule:\n  - repeat: t in 0 .. p + k - 3 - when(k == 20, 1, 0)\n    steps:\n" SEND(
         "0 <= t - r and t - r < k and r < p - 1"),
     1},
    {"schedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: min(c, 5)\n        to: r + 1\n        if: r < p - 1\n",
     1},
    {"schedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: c\n        to: (r + i) mod p\n        for: i in 1 .. 2\n",
     1},
};
enum { EXPANDED_COUNT = sizeof expanded / sizeof *expanded };

START_TEST(what_an_expansion_refutes_is_not_used)
{
    Fixture *fixture = fixture_open();
    Chunkwise chunkwise;
    use_program(fixture, expanded[_i].program);
    Network network = network_named(fixture, "torus:4", TIES_PLUS);
    Rules rules = rules_of(link_costs, expanded[_i].ports);
    Instance instance = instance_of(fixture, "broadcast/tried", 4, 0, MOST);
    instance.shape = &network.shape;
    instance.ports = expanded[_i].ports;
    ck_assert(chunkwise_find(fixture->arena, &instance, &chunkwise, &fixture->diag));
    ck_assert_ptr_null(find_costs(fixture, &instance, &network, &rules, false));
    if (chunkwise.shift.passes)
        ck_assert_ptr_null(find_costs(fixture, &instance, &network, &rules, true));
    fixture_close(fixture);
}
END_TEST

/* The last of MOST chunks would be sent behind the last pass: it is not as the first ones are. */
START_TEST(chunks_without_a_pass_do_not_follow_from_the_first)
{
    Fixture *fixture = fixture_open();
    use_program(fixture, "schedule:\n  - repeat: t in 0 .. p + k - 3 - when(k > 39, 1, 0)\n"
                         "    steps:\n" SEND("0 <= t - r and t - r < k and r < p - 1"));
    Network network = network_named(fixture, "torus:4", TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    Instance instance = instance_of(fixture, "broadcast/tried", 4, 0, MOST);
    instance.shape = &network.shape;
    ck_assert_ptr_nonnull(find_costs(fixture, &instance, &network, &rules, false));
    ck_assert_ptr_null(find_costs(fixture, &instance, &network, &rules, true));
    fixture_close(fixture);
}
END_TEST

/* One chunk after the other, or all together; and what comes near to it. */
static const struct {
    const char *program;
    bool repeats;
} repeating[] = {
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n" SEND_CHUNK, true},
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - repeat: i in 1 .. p - 1\n        steps:\n" SEND_LATER,
     true},
    {"sequence:\n  - broadcast/steps\n  - broadcast/flat\n", true},
    {"sequence:\n  - broadcast/steps\n  - broadcast/pipelined-chain\n", false},
    {"sequence:\n  - broadcast/pipelined-chain\n", false},
    {"sequence:\n  - broadcast/flat\n", false},
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k\n    steps:\n" SEND_CHUNK, false},
    {"chunks: k\nschedule:\n  - repeat: c in 1 .. k - 1\n    steps:\n" SEND_CHUNK, false},
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: c\n        to: when(c == 1, r + 1, r + 1)\n        if: r < p - 1\n",
     false},
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: c + 0\n        to: r + 1\n        if: r < p - 1\n",
     false},
    {"chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
     "      - send: c\n        to: r + 1\n        if: r < p - 1 and k > 0\n",
     false},
    {"chunks: k\nschedule:\n  - send: 0\n    to: r + 1\n    if: r < p - 1\n", false},
};
enum { REPEATING_COUNT = sizeof repeating / sizeof *repeating };

START_TEST(what_only_repeats_wants_one_chunk)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               "algorithm: steps\ncollective: broadcast\nsummary: Chunk by chunk.\n"
               "chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n" SEND_CHUNK);
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: tried\ncollective: broadcast\nsummary: Tried.\n%s",
                                     repeating[_i].program));
    Instance instance = instance_of(fixture, "broadcast/tried", 6, 0, 1);
    ck_assert_int_eq(chunks_only_repeat(&instance, MOST), repeating[_i].repeats);
    fixture_close(fixture);
}
END_TEST

/* With other numbers of chunks than the one that is wanted, times are no shorter. */
START_TEST(more_chunks_than_wanted_are_no_faster)
{
    static const char *const names[] = {"reduce-scatter/segmented-ring",
                                        "allreduce/segmented-ring"};
    static const char *const networks[] = {"torus:3x2", "fat-tree:2x2x2", "cluster:2x3", "mesh:5"};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, networks[_i / 2], TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    Instance instance = instance_of(fixture, names[_i % 2], network.p, 0, 1);
    instance.shape = &network.shape;
    ck_assert(chunks_only_repeat(&instance, MOST));
    for (int switching = 0; switching < SWITCHING_COUNT; switching++)
        for (double bytes = 1; bytes < 1e9; bytes *= 97) {
            rules.switching = (Switching)switching;
            double least = 0;
            for (instance.k = 1; instance.k < 6; instance.k++) {
                Profile derived;
                ck_assert(profile_derive(fixture->arena, &instance, &network, &rules, &derived,
                                         &fixture->diag));
                double time = cost_total(profile_cost(&derived, rules.parameters, bytes));
                least = instance.k == 1 ? time : least;
                ck_assert_double_ge(time, least);
            }
        }
    fixture_close(fixture);
}
END_TEST

/* Whether a program of the form does the same for later chunks, and after how many passes. */
static const struct {
    const char *steps;
    int64_t passes, chunks;
} shifting[] = {
    {LATE(SEND("0 <= t - r and t - r < k and r < p - 1")), 1, 1},
    {LATE(SEND("0 <= t - r and t - r < k and r < p - 1 and (t + r) mod 3 != 1")), 3, 3},
    {LATE(SEND("0 <= t - r and t - r < k and r < p - 1 and t < 9")), 0, 0},
    {LATE(SEND("0 < t - r and t - r < k and r < p - 1")), 0, 0},
    {LATE("      - send: t - r\n        to: when(t > 9, r + 1, r + 1)\n"
          "        if: 0 <= t - r and t - r < k and r < p - 1\n"),
     0, 0},
    {LATE("      - send: (t - r) div 2\n        to: r + 1\n"
          "        if: 0 <= (t - r) div 2 and (t - r) div 2 < k and r < p - 1\n"),
     2, 1},
    {LATE("      - send: 2 * t - 3 * r\n        to: r + 1\n"
          "        if: 0 <= 2 * t - 3 * r and 2 * t - 3 * r < k and r < p - 1\n"),
     1, 2},
    {LATE("      - send: r * t\n        to: r + 1\n"
          "        if: 0 <= r * t and r * t < k and r < p - 1\n"),
     0, 0},
    {LATE("      - send: t * t - r\n        to: r + 1\n"
          "        if: 0 <= t * t - r and t * t - r < k and r < p - 1\n"),
     0, 0},
    {LATE("      - send: 9 - t + r\n        to: r + 1\n"
          "        if: 0 <= 9 - t + r and 9 - t + r < k and r < p - 1\n"),
     0, 0},
};
enum { SHIFTING_COUNT = sizeof shifting / sizeof *shifting };

START_TEST(what_later_chunks_do_is_read_off_the_program)
{
    Fixture *fixture = fixture_open();
    Chunkwise chunkwise;
    use_program(fixture, shifting[_i].steps);
    Instance instance = instance_of(fixture, "broadcast/tried", 4, 0, MOST);
    ck_assert(chunkwise_find(fixture->arena, &instance, &chunkwise, &fixture->diag));
    ck_assert_int_eq(chunkwise.shift.passes, shifting[_i].passes);
    if (chunkwise.shift.passes)
        ck_assert_int_eq(chunkwise.shift.chunks, shifting[_i].chunks);
    fixture_close(fixture);
}
END_TEST

Suite *chunkwise_suite(void)
{
    Suite *suite = suite_create("chunkwise");
    TCase *all = tcase_create("chunkwise");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, they_follow_through_memories_of_nodes, 0, 6);
    tcase_add_loop_test(all, all_numbers_of_chunks_follow_from_the_most, 0, 2 * CASE_COUNT);
    tcase_add_test(all, schedules_that_send_the_same_are_costed_once);
    tcase_add_loop_test(all, rounds_of_several_port_steps_follow_from_windows, 0, WINDOWED_COUNT);
    tcase_add_loop_test(all, only_what_is_proven_counts, 0, PROGRAM_COUNT);
    tcase_add_loop_test(all, what_an_expansion_refutes_is_not_used, 0, EXPANDED_COUNT);
    tcase_add_loop_test(all, what_only_repeats_wants_one_chunk, 0, REPEATING_COUNT);
    tcase_add_loop_test(all, more_chunks_than_wanted_are_no_faster, 0, 8);
    tcase_add_test(all, chunks_without_a_pass_do_not_follow_from_the_first);
    tcase_add_loop_test(all, what_later_chunks_do_is_read_off_the_program, 0, SHIFTING_COUNT);
    suite_add_tcase(suite, all);
    return suite;
}
