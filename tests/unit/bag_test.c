#include "cost/bag.h"

#include "cost/derive.h"
#include "cost/derive_memo.h"
#include "cost/profiles.h"
#include "model/use.h"

#include "unit.h"

#include "../same_steps.h"

#include <math.h>

static const Prices link_costs = {1e-6, 3e-9, 1 / 64e9, 1 / 512e9};

/* Messages of up to 100 bytes, and larger ones. */
static const Protocol protocols[] = {
    {.number = 0, .up_to = 100, .parameters = {1e-6, -1, 1 / 8e9, -1}},
    {.number = 1, .up_to = INFINITY, .parameters = {3e-6, -1, 1 / 64e9, -1}}};

typedef struct {
    const char *algorithm, *network;
    Posting posting; /* together: with protocols, so that messages of a port are listed */
} SteadyCase;

static const SteadyCase cases[] = {
    {"broadcast/pipelined-chain", "full:8", POSTING_UNSTATED},
    {"allreduce/double-tree", "full:8", POSTING_UNSTATED},
    {"allreduce/double-tree", "torus:4x4", POSTING_UNSTATED},
    {"allreduce/double-tree", "full:13", POSTING_UNSTATED},
    {"allreduce/segmented-ring", "torus:3x3", POSTING_UNSTATED},
    {"allreduce/segmented-ring", "full:6", POSTING_UNSTATED},
    {"reduce/pipelined-binary-tree", "linear:7", POSTING_UNSTATED},
    {"broadcast/circulant", "ring:37", POSTING_UNSTATED}, /* every 6 chunks */
    {"reduce/circulant", "torus:8x8", POSTING_UNSTATED},
    {"broadcast/split-binary-tree", "torus:4x4", POSTING_UNSTATED}, /* whose halves grow */
    {"broadcast/split-binary-tree", "cluster:8x4", POSTING_UNSTATED},
    {"reduce/split-binary-tree", "full:13", POSTING_UNSTATED},
    {"broadcast/uneven", "full:4", POSTING_TOGETHER},
    {"broadcast/late", "full:4", POSTING_UNSTATED},
    {"broadcast/later", "full:4", POSTING_UNSTATED},
    {"allreduce/double-tree", "star:68", POSTING_UNSTATED},         /* odd numbers settle later */
    {"broadcast/pipelined-chain", "torus:16x16", POSTING_UNSTATED}, /* some are passed over */
    {"broadcast/pipelined-chain", "hypercube:256", POSTING_UNSTATED},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* The root posts a chunk to its neighbour, and with it the next one to the rank behind that. */
static const char uneven[] = "algorithm: uneven\n"
                             "collective: broadcast\n"
                             "chunks: k\n"
                             "schedule:\n"
                             "  - repeat: c in 0 .. k - 2\n"
                             "    steps:\n"
                             "      - round:\n"
                             "          - send: c\n"
                             "            if: r == root\n"
                             "            to: (root + 1) mod p\n"
                             "          - send: c .. c + 1\n"
                             "            if: r == root\n"
                             "            to: (root + 2) mod p\n";

/* A schedule that sends every third chunk twice behind the tenth. */
static const char late[] =
    "algorithm: late\n"
    "collective: broadcast\n"
    "summary: One rank after another, but for every third chunk behind the tenth.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: c in 0 .. k - 1\n"
    "    steps:\n"
    "      - repeat: i in 1 .. when(c > 10 and c mod 3 == 0, 2, 1)\n"
    "        steps:\n"
    "          - send: c\n"
    "            for: s in 1 .. p - 1\n"
    "            if: r == root\n"
    "            to: (root + s) mod p\n"
    "claims:\n"
    "  - source: here\n"
    "    on: full\n"
    "    period: 3\n"
    "---\n"
    "algorithm: later\n"
    "collective: broadcast\n"
    "summary: The same, but for all chunks behind the hundredth.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: c in 0 .. k - 1\n"
    "    steps:\n"
    "      - repeat: i in 1 .. when(c > 100, 2, 1)\n"
    "        steps:\n"
    "          - send: c\n"
    "            for: s in 1 .. p - 1\n"
    "            if: r == root\n"
    "            to: (root + s) mod p\n";

static const struct {
    const char *text, *network;
    int64_t ports;
} pipelines[] = {
    {"allgather: pipelined allgather/ring along node, allgather/bine along device", "cluster:3x4",
     2},
    {"allreduce: pipelined reduce-scatter/ring along device, allreduce/rabenseifner along node, "
     "allgather/bruck along device",
     "cluster:4x2", 3},
    {"allreduce: pipelined allreduce/recursive-doubling along every dimension", "torus:2x2x2", 1},
    {"alltoall: pipelined alltoall/bruck along y then x", "torus:3x4", 2},
    {"broadcast: pipelined scatter/binomial, allgather/ring", "full:5", 1},
};

/* What is told of all numbers of chunks is what their own schedules cost, to the last digit.
   Returns whether all is told. */
static bool compare_with(Fixture *fixture, const Algorithm *algorithm, const Network *network,
                         const Rules *rules, int64_t root, int64_t target)
{
    static const double parameters[][PARAMETER_COUNT] = {
        {1e-6, 3e-9, 1 / 64e9, 1 / 512e9}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    ClaimPoint point = claim_point(&network->shape, root, 1, rules->ports);
    point.target = target;
    ChunkProfiles *profiles = profiles_create(
        fixture->arena, &(CurveSubject){algorithm, network, rules, point}, true, false);
    for (int64_t k = 1; k <= 300; k += k < 40 ? 1 : 13) {
        const Profile *told = profiles_timed(profiles, k, &fixture->diag);
        Instance instance = {.algorithm = algorithm,
                             .p = network->p,
                             .root = root,
                             .k = k,
                             .ports = rules->ports,
                             .target = target,
                             .shape = &network->shape};
        Profile derived;
        ck_assert(
            profile_derive(fixture->arena, &instance, network, rules, &derived, &fixture->diag));
        ck_assert_int_eq(told->startups, derived.startups);
        ck_assert_int_eq(told->chunks, derived.chunks);
        for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
            for (double bytes = 1; bytes < 1e9; bytes *= 97)
                ck_assert_msg(cost_total(profile_cost(told, parameters[i], bytes)) ==
                                  cost_total(profile_cost(&derived, parameters[i], bytes)),
                              "%s on %s, k = %d", algorithm->head.name, network->name, (int)k);
    }
    return profiles_are_all_known(profiles, MOST_DERIVED_CHUNKS);
}

static bool compare_all(Fixture *fixture, const Algorithm *algorithm, const char *name,
                        int64_t root, int64_t target, int64_t ports)
{
    const Network network = network_named(fixture, name, TIES_PLUS);
    const Rules rules = rules_of(link_costs, ports);
    return compare_with(fixture, algorithm, &network, &rules, root, target);
}

START_TEST(bags_tell_what_is_derived)
{
    Fixture *fixture = fixture_open();
    const SteadyCase *tried = &cases[_i];
    Rules rules = rules_of(link_costs, 1);
    use_models(fixture, uneven);
    use_models(fixture, late);
    const Network network = network_named(fixture, tried->network, TIES_PLUS);
    rules.posting = tried->posting;
    if (rules.posting)
        rules.protocols = protocols, rules.protocol_count = 2;
    ck_assert(
        compare_with(fixture, algorithm_named(fixture, tried->algorithm), &network, &rules, 0, -1));
    fixture_close(fixture);
}
END_TEST

/* Few numbers of chunks are derived: those up to where the counts go on alike, and some large ones.
 */
typedef struct {
    int64_t first, second; /* from these on the counts of a kind rise by one, and by three */
    int derived;
} Bending;

static bool derive_bending(void *context, int64_t k, Arena *arena, Profile *profile)
{
    Bending *bending = context;
    const int64_t steps = (k > bending->first ? k - bending->first : 0) +
                          (k > bending->second ? 2 * (k - bending->second) : 0);
    PathCost *path = ARENA_NEW(arena, PathCost);
    PortStepCost *step = ARENA_NEW(arena, PortStepCost);
    *path = (PathCost){.startups = 1, .hops = 1, .load = 1, .lanes = 1};
    *step = (PortStepCost){.repeat = 4000 + steps, .path_count = 1, .message = 1};
    *profile = (Profile){.steps = step,
                         .step_count = 1,
                         .paths = path,
                         .path_count = 1,
                         .startups = step->repeat,
                         .chunks = k,
                         .effort = 1 << 18};
    bending->derived++;
    return true;
}

START_TEST(bends_are_found_between_what_is_derived)
{
    static const struct {
        int64_t first, second;
    } bends[] = {{0, 64}, {3, 4}, {100, 101}, {17, 200}, {120, 255}, {9, 10}, {300, 300}};
    Fixture *fixture = fixture_open();
    Bending bending = {bends[_i].first, bends[_i].second, 0};
    const Bag *bag = bag_fill(fixture->arena, 1, 256, derive_bending, &bending);
    ck_assert_ptr_nonnull(bag);
    ck_assert_int_le(bending.derived, 32);
    for (int64_t k = 1; k <= 256; k++) {
        Profile derived;
        ck_assert(derive_bending(&bending, k, fixture->arena, &derived));
        ck_assert(bag_knows(bag, k));
        ck_assert_int_eq(bag_profile(bag, fixture->arena, k)->startups, derived.startups);
    }
    fixture_close(fixture);
}
END_TEST

/* Where it cannot be derived, there is no bag. */
static bool derive_few(void *context, int64_t k, Arena *arena, Profile *profile)
{
    return k < 5 && derive_bending(context, k, arena, profile);
}

START_TEST(there_is_no_bag_of_what_cannot_be_derived)
{
    Fixture *fixture = fixture_open();
    Bending bending = {0, 0, 0};
    ck_assert_ptr_null(bag_fill(fixture->arena, 1, 256, derive_few, &bending));
    fixture_close(fixture);
}
END_TEST

static const Algorithm *typed(Fixture *fixture, const char *text)
{
    const Resolver resolver = library_resolver(fixture->library, fixture->arena, &fixture->diag);
    const Algorithm *algorithm = sequence_typed(&resolver, text_of(fixture, text));
    ck_assert_ptr_nonnull(algorithm);
    return algorithm;
}

/* Once all stages of a pipeline run at a time, a chunk more is a period more. */
START_TEST(pipelines_follow_from_as_many_chunks_as_stages)
{
    Fixture *fixture = fixture_open();
    ck_assert(compare_all(fixture, typed(fixture, pipelines[_i].text), pipelines[_i].network, 0, -1,
                          pipelines[_i].ports));
    fixture_close(fixture);
}
END_TEST

/* In some a stage finds less than it starts from alone: only the root has something to send, or
   what a reduction has sent on is gone. */
static const struct {
    const char *text, *network;
    int64_t root, ports;
} sequences[] = {
    {"allreduce: reduce/double-binary-tree, broadcast/double-binary-tree", "torus:3x5", 0, 1},
    {"allreduce: reduce/pipelined-chain, broadcast/pipelined-chains", "cluster:3x4", 0, 2},
    {"broadcast: broadcast/pipelined-chain, broadcast/pipelined-binary-tree", "linear:11", 5, 1},
    {"broadcast: reduce/double-binary-tree, broadcast/double-binary-tree", "torus:3x5", 0, 1},
    {"reduce: reduce/pipelined-chain, reduce/double-binary-tree", "torus:3x5", 2, 1},
    {"allreduce: reduce/pipelined-chain, allreduce/double-tree", "torus:3x5", 0, 1},
    {"broadcast: allreduce/double-tree, broadcast/pipelined-chain", "torus:3x5", 0, 1},
};

START_TEST(sequences_follow_from_their_stages)
{
    Fixture *fixture = fixture_open();
    ck_assert(compare_all(fixture, typed(fixture, sequences[_i].text), sequences[_i].network,
                          sequences[_i].root, -1, sequences[_i].ports));
    fixture_close(fixture);
}
END_TEST

/* What a sequence does beside its stages: it posts messages together, has a target, cuts what its
   stage cuts once more; and in the second stage rank 1 has nothing left with which rank 5 could be
   combined. */
static const char particular[] =
    "algorithm: fan\n"
    "collective: broadcast\n"
    "summary: The root sends each chunk to two ranks at a time.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: t in 0 .. k - 1\n"
    "    steps:\n"
    "      - round:\n"
    "          - {send: t, to: (r + i) mod p, for: i in 1 .. 2, if: r == root and 0 <= t and t < "
    "k}\n"
    "---\n"
    "algorithm: posted\n"
    "collective: broadcast\n"
    "summary: Posted together.\n"
    "posting: together\n"
    "sequence: broadcast/fan\n"
    "---\n"
    "algorithm: cut\n"
    "collective: broadcast\n"
    "summary: Cut twice.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - use: broadcast/fan\n"
    "---\n"
    "algorithm: way\n"
    "collective: point-to-point\n"
    "summary: From rank to rank.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: t in 0 .. p + k - 2\n"
    "    steps:\n"
    "      - send: t - (r - root) mod p\n"
    "        to: (r + 1) mod p\n"
    "        if: (r - root) mod p < (target - root) mod p and 0 <= t - (r - root) mod p and "
    "t - (r - root) mod p < k\n"
    "---\n"
    "algorithm: ways\n"
    "collective: point-to-point\n"
    "summary: One stage.\n"
    "sequence: point-to-point/way\n"
    "---\n"
    "algorithm: half\n"
    "collective: reduce\n"
    "summary: Rank 1 gives what it has to the root.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: t in 0 .. k - 1\n"
    "    steps:\n"
    "      - round:\n"
    "          - {reduce: t, to: root, if: r == 1 and 0 <= t and t < k}\n"
    "---\n"
    "algorithm: tail\n"
    "collective: reduce\n"
    "summary: Two by two.\n"
    "chunks: k\n"
    "schedule:\n"
    "  - repeat: t in 0 .. k + 2\n"
    "    steps:\n"
    "      - round:\n"
    "          - {reduce: t, to: r - 1, if: (r == 2 or r == 4) and 0 <= t and t < k}\n"
    "          - {reduce: t - 1, to: 1, if: r == 5 and 0 <= t - 1 and t - 1 < k}\n"
    "          - {reduce: t - 2, to: 3, if: r == 1 and 0 <= t - 2 and t - 2 < k}\n"
    "          - {reduce: t - 3, to: 0, if: r == 3 and 0 <= t - 3 and t - 3 < k}\n"
    "---\n"
    "algorithm: both\n"
    "collective: reduce\n"
    "summary: One behind the other.\n"
    "sequence: [reduce/half, reduce/tail]\n";

START_TEST(sequences_are_more_than_their_stages)
{
    static const struct {
        const char *name, *network;
        int64_t target, ports;
    } tried[] = {{"broadcast/posted", "ring:9", -1, 1},
                 {"broadcast/cut", "ring:9", -1, 1},
                 {"point-to-point/ways", "ring:9", 5, 1},
                 {"reduce/both", "full:6", -1, 2}};
    Fixture *fixture = fixture_open();
    use_models(fixture, particular);
    compare_all(fixture, algorithm_named(fixture, tried[_i].name), tried[_i].network, 0,
                tried[_i].target, tried[_i].ports);
    fixture_close(fixture);
}
END_TEST

/* Whoever compares it with one that has chunks may ask for some. */
START_TEST(an_algorithm_without_chunks_has_times_for_any)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm = algorithm_named(fixture, "broadcast/binomial");
    Network network = network_named(fixture, "ring:7", TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    const ClaimPoint point = claim_point(&network.shape, 0, 1, 1);
    ChunkProfiles *profiles = profiles_create(
        fixture->arena, &(CurveSubject){algorithm, &network, &rules, point}, true, false);
    for (int64_t k = 1; k <= 3; k++) {
        const Profile *timed = profiles_timed(profiles, k, &fixture->diag);
        ck_assert_ptr_nonnull(timed);
        ck_assert_int_eq(timed->startups, 3);
    }
    fixture_close(fixture);
}
END_TEST

/* Schedules that repeat port steps, and some with more of them, or longer ones, than are kept. */
static const SteadyCase recalled[] = {
    {"allreduce/double-tree", "torus:4x4", POSTING_UNSTATED},
    {"allreduce/double-tree", "cluster:7x5", POSTING_UNSTATED},
    {"allreduce/double-binary-tree", "torus:4x9", POSTING_UNSTATED},
    {"reduce/double-binary-tree", "cluster:8x4", POSTING_UNSTATED},
    {"broadcast/chains", "ring:300", POSTING_UNSTATED}, /* ranks of more classes than are kept */
    {"reduce/pipelined-binary-tree", "linear:7", POSTING_UNSTATED},
    {"broadcast/circulant", "ring:37", POSTING_UNSTATED}, /* every 6 chunks */
    {"reduce/circulant", "torus:8x8", POSTING_UNSTATED},
    {"scatter/flat", "ring:300", POSTING_UNSTATED},
    {"scatter/flat", "ring:200", POSTING_UNSTATED},
    {"alltoall/pairwise", "ring:260", POSTING_UNSTATED},
};
enum { RECALLED_COUNT = sizeof recalled / sizeof *recalled };

/* Again with another root: its port steps drive out those of the first. Rounds come again where
   nobody follows what ranks hold. */
START_TEST(steps_of_other_schedules_are_recalled)
{
    Fixture *fixture = fixture_open();
    const SteadyCase *tried = &recalled[_i];
    Network network = network_named(fixture, tried->network, TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    PortStepMemo *memo = memo_create(fixture->arena);
    const Algorithm *algorithm = algorithm_named(fixture, tried->algorithm);
    int64_t most = algorithm->free_chunks ? 12 : 1;
    for (int64_t root = 0; root <= algorithm->collective->rooted; root++)
        for (int64_t i = 0; i < 4 * most; i++) {
            Instance instance = instance_of(fixture, tried->algorithm, network.p, root, 1 + i / 4);
            instance.shape = &network.shape;
            Profile own, with;
            ck_assert(
                profile_derive(fixture->arena, &instance, &network, &rules, &own, &fixture->diag));
            ck_assert(profile_derive_with(fixture->arena, memo, &instance, &network, &rules,
                                          i % 2 == 0, &with, &fixture->diag));
            ck_assert(with.path_count == own.path_count && are_same_steps(&with, &own));
        }
    fixture_close(fixture);
}
END_TEST

/* Combining costs time where the receiver holds something already, whether or not peaks are wanted.
 */
START_TEST(combining_is_counted_without_peaks)
{
    static const char *const names[] = {"scan/allgather-combine", "exscan/allgather-combine",
                                        "reduce/binomial", "allreduce/ring"};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:2x3", TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    Instance instance = instance_of(fixture, names[_i], network.p, 0, 1);
    instance.shape = &network.shape;
    Profile with, without;
    ck_assert(profile_derive_with(fixture->arena, NULL, &instance, &network, &rules, true, &with,
                                  &fixture->diag));
    ck_assert(profile_derive_with(fixture->arena, NULL, &instance, &network, &rules, false,
                                  &without, &fixture->diag));
    ck_assert(without.path_count == with.path_count && are_same_steps(&without, &with));
    fixture_close(fixture);
}
END_TEST

/* Rates of combining by what a rank holds: profiles that follow from others have them, too. */
START_TEST(rates_by_what_ranks_hold_are_those_that_are_derived)
{
    static const char *const collectives[] = {"reduce", "allreduce", "reduce-scatter"};
    static const char *const networks[] = {"full:7", "torus:3x4"};
    static const int64_t tried[] = {2, 3, 31, 64, 100};
    Fixture *fixture = fixture_open();
    Rules rules = rules_of(link_costs, 1);
    rules.compute = (WorkingPrices){{{1000, 1e-11}, {1e6, 3e-11}, {INFINITY, 2e-10}}, 3};
    AlgorithmArray algorithms = {0};
    const Collective *collective = collective_named(fixture, collectives[_i / 2]);
    Network network = network_named(fixture, networks[_i % 2], TIES_PLUS);
    ck_assert(library_algorithms(fixture->library, collective, &algorithms, &fixture->diag));
    int compared = 0;
    for (size_t a = 0; a < algorithms.count; a++) {
        const Algorithm *algorithm = algorithms.items[a];
        if (!algorithm->free_chunks || algorithm->branching || algorithm->expect_wrong ||
            !schedule_allows(algorithm, &network.shape, 1, NULL, &fixture->diag))
            continue;
        const ClaimPoint point = claim_point(&network.shape, 0, 1, 1);
        ChunkProfiles *profiles = profiles_create(
            fixture->arena, &(CurveSubject){algorithm, &network, &rules, point}, true, false);
        for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
            const Profile *follows = profiles_timed(profiles, tried[i], &fixture->diag);
            Instance instance = {.algorithm = algorithm,
                                 .p = network.p,
                                 .k = tried[i],
                                 .ports = 1,
                                 .shape = &network.shape};
            Profile derived;
            ck_assert(follows && profile_derive(fixture->arena, &instance, &network, &rules,
                                                &derived, &fixture->diag));
            for (double bytes = 100; bytes < 1e9; bytes *= 7)
                assert_near(cost_total(profile_cost(follows, rules.parameters, bytes)),
                            cost_total(profile_cost(&derived, rules.parameters, bytes)), 1e-12);
            compared++;
        }
    }
    ck_assert_int_ge(compared, 5);
    fixture_close(fixture);
}
END_TEST

Suite *bag_suite(void)
{
    Suite *suite = suite_create("bag");
    TCase *all = tcase_create("bag");
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, bags_tell_what_is_derived, 0, CASE_COUNT);
    tcase_add_loop_test(all, bends_are_found_between_what_is_derived, 0, 7);
    tcase_add_test(all, there_is_no_bag_of_what_cannot_be_derived);
    tcase_add_loop_test(all, steps_of_other_schedules_are_recalled, 0, RECALLED_COUNT);
    tcase_add_loop_test(all, combining_is_counted_without_peaks, 0, 4);
    tcase_add_loop_test(all, pipelines_follow_from_as_many_chunks_as_stages, 0,
                        (int)(sizeof pipelines / sizeof *pipelines));
    tcase_add_loop_test(all, sequences_follow_from_their_stages, 0,
                        (int)(sizeof sequences / sizeof *sequences));
    tcase_add_loop_test(all, sequences_are_more_than_their_stages, 0, 4);
    tcase_add_test(all, an_algorithm_without_chunks_has_times_for_any);
    tcase_add_loop_test(all, rates_by_what_ranks_hold_are_those_that_are_derived, 0, 6);
    suite_add_tcase(suite, all);
    return suite;
}
