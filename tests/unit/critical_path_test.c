/* Who waits for whom, message by message, by hand. */
#include "study/explain_rounds.h"

#include "net/group.h"

#include "unit.h"

#include <math.h>

enum { MOST_STEPS = 3 };

/* ts = 1, m tw = 2, each hop 0.5, m tc = 4. */
static const Prices prices = {1, .5, 2, 4};

static const struct {
    const char *network, *algorithm;
    size_t count;
    collcost_message messages[MOST_STEPS];
} cases[] = {
    /* the root receives one after the other, the last rank first, each 1 + 0.5 + 2 */
    {"full:4",
     "gather/flat",
     3,
     {{1, 3, 0, 1, 0, 3.5, 0, -1}, {2, 2, 0, 1, 3.5, 7, 0, 0}, {3, 1, 0, 1, 7, 10.5, 0, 0}}},
    /* from rank to rank: what arrives is sent on */
    {"linear:3", "broadcast/chain", 2, {{1, 0, 1, 1, 0, 3.5, 0, -1}, {2, 1, 2, 1, 3.5, 7, 0, 1}}},
    /* combining stands between messages, 4 after the first */
    {"linear:3", "reduce/chain", 2, {{1, 2, 1, 1, 0, 3.5, 0, -1}, {2, 1, 0, 1, 7.5, 11, 0, 1}}},
};

static void compare(const collcost_message *found, const collcost_message *expected)
{
    ck_assert_int_eq(found->round, expected->round);
    ck_assert_int_eq(found->from, expected->from);
    ck_assert_int_eq(found->to, expected->to);
    ck_assert_double_eq(found->bytes, expected->bytes);
    assert_near(found->start_s + 1, expected->start_s + 1, 1e-12);
    assert_near(found->end_s, expected->end_s, 1e-12);
    assert_near(found->contention_s + 1, expected->contention_s + 1, 1e-12);
    ck_assert_int_eq(found->waits_at, expected->waits_at);
}

static CriticalPath path_on(Fixture *fixture, const Network *network, const char *algorithm)
{
    Study study = {.arena = fixture->arena, .diag = &fixture->diag, .rules = rules_of(prices, 1)};
    Instance instance = instance_of(fixture, algorithm, network->p, 0, 1);
    CriticalPath path;
    instance.shape = &network->shape;
    study.rules.contention = CONTENTION_SHARED;
    study.rules.asynchronous = true;
    ck_assert(critical_path_find(&study, &instance, network, 1, &path));
    return path;
}

START_TEST(test_paths)
{
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    const CriticalPath path = path_on(fixture, &network, cases[_i].algorithm);
    ck_assert_int_eq(path.count, cases[_i].count);
    for (size_t i = 0; i < path.count; i++)
        compare(&path.messages[i], &cases[_i].messages[i]);
    fixture_close(fixture);
}
END_TEST

/* 0 -> 2 and 1 -> 3 share 1 -> 2 from beginning to end: 2 more. */
START_TEST(test_contention)
{
    Fixture *fixture = fixture_open();
    static const int64_t members[] = {0, 2, 1, 3};
    const Network whole = network_named(fixture, "linear:4", TIES_PLUS);
    const Shape pair = shape_line(2);
    Network network;
    network_group(fixture->arena, &whole, &pair, members, 2, "pairs", &network);
    const CriticalPath path = path_on(fixture, &network, "broadcast/binomial");
    ck_assert_int_eq(path.count, 1);
    assert_near(path.messages[0].end_s, 1 + 2 * .5 + 4, 1e-12);
    assert_near(path.messages[0].contention_s, 2, 1e-12);
    ck_assert_int_eq(path.messages[0].waits_at, -1);
    ck_assert(path.messages[0].to == path.messages[0].from + 2);
    fixture_close(fixture);
}
END_TEST

/* ---- rounds beside one another, against every message of every round ---- */

enum { MOST_ROUNDS = 100, MOST_MESSAGES = 2000 };

typedef struct {
    int64_t from, to, size, others;
    double seconds;
} Crossing;

/* A schedule followed message by message. */
typedef struct {
    const Rules *rules;
    double block, seconds[MOST_ROUNDS];
    int64_t rounds, last;
    size_t count;
    Crossing items[MOST_MESSAGES];
    int64_t round_of[MOST_MESSAGES];
} Seen;

static void see(void *context, const CostedTransfer *costed, const Round *round)
{
    Seen *seen = context;
    const CostedPortStep *step = costed->step;
    const int64_t place = step->step < 0 ? 0 : step->step;
    (void)round;
    ck_assert_int_lt(place, MOST_ROUNDS);
    ck_assert_uint_lt(seen->count, MOST_MESSAGES);
    if (step->number != seen->last)
        seen->seconds[place] +=
            cost_total(port_step_total(step, seen->rules->parameters, seen->block));
    seen->last = step->number;
    seen->rounds = place + 1;
    if (costed->transfer->from == costed->transfer->to)
        return;
    seen->round_of[seen->count] = place;
    seen->items[seen->count++] =
        (Crossing){costed->transfer->from, costed->transfer->to, costed->size,
                   costed->load_blocks - costed->size,
                   cost_total(paths_slowest(costed->paths, costed->path_count,
                                            seen->rules->parameters, seen->block))};
}

/* The slowest message of a round, of several those between the lowest ranks; NULL: none. */
static const Crossing *slowest_of(const Seen *seen, int64_t round)
{
    const Crossing *found = NULL;
    for (size_t i = 0; i < seen->count; i++) {
        const Crossing *one = &seen->items[i];
        if (seen->round_of[i] != round)
            continue;
        const bool is_equal = found && fabs(one->seconds - found->seconds) <= 1e-12 * one->seconds;
        if (!found ||
            (is_equal ? one->from < found->from || (one->from == found->from && one->to < found->to)
                      : one->seconds > found->seconds))
            found = one;
    }
    return found;
}

/* Bytes and messages of a round on a link of the network. */
static double load_on(Fixture *fixture, const Seen *seen, int64_t round, const Network *network,
                      int64_t from, int64_t to, int64_t *messages)
{
    double load = 0;
    *messages = 0;
    for (size_t i = 0; i < seen->count; i++) {
        Routes routes;
        if (seen->round_of[i] != round)
            continue;
        ck_assert(network_route(network, fixture->arena, 1, &seen->items[i].from,
                                &seen->items[i].to, &routes, &fixture->diag));
        for (size_t j = 0; j < routes.link_count; j++)
            if (routes.from[j] == from && routes.to[j] == to) {
                load += (double)seen->items[i].size * seen->block;
                ++*messages;
            }
    }
    return load;
}

static void check_round(Fixture *fixture, const Seen *seen, const Network *network, int64_t round,
                        const collcost_round *fact)
{
    if (round >= seen->rounds) {
        ck_assert_int_eq(fact->number, 0);
        return;
    }
    const Crossing *slowest = slowest_of(seen, round);
    int64_t messages;
    ck_assert_int_eq(fact->number, round + 1);
    assert_near(fact->seconds, seen->seconds[round], 1e-12);
    ck_assert_int_eq(fact->from, slowest ? slowest->from : -1);
    if (!slowest)
        return;
    ck_assert_int_eq(fact->to, slowest->to);
    assert_near(fact->bytes, (double)slowest->size * seen->block, 1e-12);
    Routes routes;
    ck_assert(network_route(network, fixture->arena, 1, &slowest->from, &slowest->to, &routes,
                            &fixture->diag));
    ck_assert(fact->has_link);
    double most = 0;
    for (size_t j = routes.link_count; j-- > 0;)
        most = fmax(
            most, load_on(fixture, seen, round, network, routes.from[j], routes.to[j], &messages));
    for (size_t j = 0; j < routes.link_count; j++)
        if (load_on(fixture, seen, round, network, routes.from[j], routes.to[j], &messages) ==
            most) {
            ck_assert_int_eq(fact->link_from, routes.from[j]);
            ck_assert_int_eq(fact->link_to, routes.to[j]);
            ck_assert_int_eq(fact->messages, messages);
            break;
        }
    assert_near(fact->load, most, 1e-12);
}

/* Of the same collective. */
static const char *const compared[][2] = {
    {"broadcast/binomial", "broadcast/scatter-ring-allgather"},
    {"allgather/ring", "allgather/recursive-doubling"},
    {"allgather/bruck", "allgather/neighbour-exchange"},
    {"reduce/binomial", "reduce/flat"},
    {"allreduce/ring", "allreduce/rabenseifner"},
    {"alltoall/pairwise", "alltoall/bruck"},
    {"alltoall/pairwise", "alltoall/pairwise"},
    {"scatter/binomial", "scatter/flat"},
    {"gather/binomial", "gather/chain"},
    {"broadcast/pipelined-chain", "broadcast/flat"},
    {"barrier/dissemination", "barrier/ring"},
};
static const char *const networks[] = {"ring:8", "torus:4x4",  "star:8", "fat-tree:2x2x2:taper=2",
                                       "full:8", "cluster:2x4"};
enum {
    COMPARED = sizeof compared / sizeof *compared,
    NETWORKS = sizeof networks / sizeof *networks
};

static void compare_rounds(Fixture *fixture, const Network *network, const char *const names[2],
                           const Rules *rules)
{
    const Study study = {.arena = fixture->arena,
                         .diag = &fixture->diag,
                         .library = fixture->library,
                         .rules = *rules,
                         .target = -1};
    Instance instances[2];
    collcost_rounds facts[2];
    Seen *seen[2];
    for (int i = 0; i < 2; i++) {
        instances[i] = instance_of(fixture, names[i], network->p, 0, 3);
        instances[i].shape = &network->shape;
        instances[i].ports = rules->ports;
        Profile profile;
        seen[i] = ARENA_NEW(fixture->arena, Seen);
        const TraceVisitor visitor = {.transfer = see, .context = seen[i]};
        ck_assert(profile_derive(fixture->arena, &instances[i], network, rules, &profile,
                                 &fixture->diag));
        *seen[i] = (Seen){.rules = rules, .block = profile_block(&profile, 0x1p18), .last = -1};
        ck_assert(profile_trace(fixture->arena, &instances[i], network, rules, &visitor, &profile,
                                &fixture->diag));
    }
    int64_t first = 0;
    while ((first < seen[0]->rounds || first < seen[1]->rounds) &&
           fabs(seen[0]->seconds[first] - seen[1]->seconds[first]) <=
               1e-12 * fmax(seen[0]->seconds[first], seen[1]->seconds[first]))
        first++;
    ck_assert(explain_rounds(&study, network, instances, 0x1p18, facts));
    for (int i = 0; i < 2; i++) {
        int64_t slowest = 0, contended = seen[i]->rounds, most = 0;
        for (int64_t r = 0; r < seen[i]->rounds; r++) {
            const Crossing *message = slowest_of(seen[i], r);
            if (seen[i]->seconds[r] > seen[i]->seconds[slowest] * (1 + 1e-12))
                slowest = r;
            if (message && message->others > most)
                most = message->others, contended = r;
        }
        check_round(fixture, seen[i], network, first, &facts[i].first_difference);
        check_round(fixture, seen[i], network, slowest, &facts[i].slowest);
        check_round(fixture, seen[i], network, contended, &facts[i].most_contended);
    }
}

START_TEST(explained_rounds_are_those_of_all_messages)
{
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, networks[_i / COMPARED], TIES_PLUS);
    Rules rules = rules_of((Prices){1e-6, 3e-8, 1 / 8e9, 1 / 64e9}, 1);
    compare_rounds(fixture, &network, compared[_i % COMPARED], &rules);
    rules.switching = SWITCHING_STORE_AND_FORWARD;
    compare_rounds(fixture, &network, compared[_i % COMPARED], &rules);
    rules = rules_of((Prices){1e-6, 3e-8, 1 / 8e9, 1 / 64e9}, 3);
    rules.contention = CONTENTION_MESSAGES;
    compare_rounds(fixture, &network, compared[_i % COMPARED], &rules);
    rules = rules_of((Prices){1, 0x1p15, 1, 0}, 1); /* a hop is as long as 1/8 of a message */
    compare_rounds(fixture, &network, compared[_i % COMPARED], &rules);
    rules = rules_of((Prices){0, 3e-8, 0, 0}, 1);
    compare_rounds(fixture, &network, compared[_i % COMPARED], &rules);
    fixture_close(fixture);
}
END_TEST

Suite *critical_path_suite(void)
{
    Suite *suite = suite_create("critical_path");
    TCase *paths = tcase_create("paths");
    tcase_add_loop_test(paths, test_paths, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(paths, test_contention);
    suite_add_tcase(suite, paths);
    TCase *rounds = tcase_create("explained rounds");
    tcase_add_loop_test(rounds, explained_rounds_are_those_of_all_messages, 0, COMPARED * NETWORKS);
    suite_add_tcase(suite, rounds);
    return suite;
}
