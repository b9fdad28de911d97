/* Costs derived from schedules, against costs by hand. */
#include "cost/derive.h"
#include "cost/deriver.h"

#include "base/random.h"

#include "unit.h"

#include <math.h>
#include <string.h>

/* Coefficients of ts, th, m tw and m tc. */
static void assert_cost(Fixture *fixture, Instance instance, const Network *network, double ts,
                        double th, double tw, double tc)
{
    const double m = 240;
    ck_assert_double_eq(derived_time(fixture, &instance, network, (Prices){1, 0, 0, 0}, m), ts);
    ck_assert_double_eq(derived_time(fixture, &instance, network, (Prices){0, 1, 0, 0}, m), th);
    assert_near(derived_time(fixture, &instance, network, (Prices){0, 0, 1, 0}, m), m * tw, 1e-14);
    assert_near(derived_time(fixture, &instance, network, (Prices){0, 0, 0, 1}, m), m * tc, 1e-14);
}

static const struct {
    const char *algorithm, *topology;
    int64_t p, root, k;
    double ts, th, tw, tc;
} cases[] = {
    {"broadcast/chain", "full", 5, 0, 0, 4, 4, 4, 0},
    {"broadcast/chain", "full", 5, 3, 0, 4, 4, 4, 0},
    {"broadcast/chain", "linear", 5, 0, 0, 4, 4, 4, 0},
    {"broadcast/chain", "linear", 5, 3, 0, 4, 7, 4, 0}, /* 3 -> 4 -> 0 -> 1 -> 2 */
    {"reduce/chain", "full", 5, 0, 0, 4, 4, 4, 4},
    {"broadcast/binomial", "full", 8, 0, 0, 3, 3, 3, 0},
    {"broadcast/binomial", "full", 9, 0, 0, 4, 4, 4, 0},
    {"broadcast/binomial", "linear", 8, 0, 0, 3, 7, 3, 0},
    {"reduce/binomial", "full", 8, 5, 0, 3, 3, 3, 3},
    {"reduce/binomial", "linear", 8, 0, 0, 3, 7, 3, 3},
    {"broadcast/pipelined-chain", "full", 4, 0, 3, 5, 5, 5. / 3, 0},
    {"broadcast/pipelined-chain", "linear", 4, 0, 3, 5, 5, 5. / 3, 0},
    {"broadcast/pipelined-chain", "full", 2, 0, 4, 4, 4, 1, 0},
    {"broadcast/pipelined-chain", "full", 4, 0, 1, 3, 3, 3, 0},
    {"reduce/pipelined-chain", "full", 4, 0, 3, 5, 5, 5. / 3, 5. / 3},
    {"scatter/binomial", "full", 8, 0, 0, 3, 3, 7, 0},
    {"scatter/binomial", "full", 6, 0, 0, 3, 3, 5, 0}, /* 4 and 5; 2 and 3; 1 (also 3, 5) */
    {"gather/binomial", "linear", 8, 0, 0, 3, 7, 7, 0},
    {"scatter/flat", "linear", 4, 1, 0, 3, 4, 3, 0},
    {"reduce/flat", "full", 6, 2, 0, 5, 5, 5, 5},
    {"broadcast/flat", "full", 1, 0, 0, 0, 0, 0, 0},
};

START_TEST(library_costs_by_hand)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, cases[_i].topology, cases[_i].p);
    Instance instance =
        instance_of(fixture, cases[_i].algorithm, cases[_i].p, cases[_i].root, cases[_i].k);
    assert_cost(fixture, instance, &network, cases[_i].ts, cases[_i].th, cases[_i].tw,
                cases[_i].tc);
    fixture_close(fixture);
}
END_TEST

/* Rounds of a reduce with 4 chunks for p = 6, all of whom hold all chunks at first. */
static const struct {
    const char *steps, *topology;
    double ts, th, tw, tc;
} rounds[] = {
    /* both cross the link 1 -> 2 */
    {"      - reduce: 0 .. 3\n        to: 2\n        if: r == 0\n"
     "      - reduce: 0 .. 3\n        to: 3\n        if: r == 1\n",
     "linear", 1, 2, 2, 1},
    /* the same link, the other path: no contention */
    {"      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"
     "      - exchange: 0 .. 3\n        to: 0\n        if: r == 2\n",
     "linear", 1, 2, 1, 1},
    /* a short message behind a long one waits for it */
    {"      - reduce: 0 .. 3\n        to: 5\n        if: r == 0\n"
     "      - reduce: 0\n        to: 3\n        if: r == 2\n",
     "linear", 1, 5, 1.25, 1},
    /* far with little, near with much: one counts for th, the other for tw */
    {"      - reduce: 0\n        to: 3\n        if: r == 0\n"
     "      - reduce: 0 .. 2\n        to: 5\n        if: r == 4\n",
     "linear", 1, 3, .75, .75},
    /* two to one rank are two port steps with one port */
    {"      - reduce: 0\n        to: 2\n        if: r == 0\n"
     "      - reduce: 0 .. 2\n        to: 2\n        if: r == 4\n",
     "full", 2, 2, 1, 1},
    /* two from one rank as well */
    {"      - exchange: 0\n        to: 1\n        if: r == 0\n"
     "      - exchange: 1\n        to: 2\n        if: r == 0\n",
     "full", 2, 2, .5, .5},
    /* a rank sends and receives at once */
    {"      - exchange: 0 .. 3\n        to: (r + 1) mod p\n", "full", 1, 1, 1, 1},
    {"      - exchange: 0 .. 3\n        to: (r + 1) mod p\n", "linear", 1, 5, 1, 1},
    {"      - exchange: 0 .. 3\n        to: (r + 2) mod p\n", "linear", 1, 4, 2, 1},
};

START_TEST(rounds_by_hand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: mine\ncollective: reduce\nchunks: 4\n"
                                     "schedule:\n  - round:\n%s",
                                     rounds[_i].steps));
    Network network = network_of(fixture, rounds[_i].topology, 6);
    assert_cost(fixture, instance_of(fixture, "reduce/mine", 6, 0, 0), &network, rounds[_i].ts,
                rounds[_i].th, rounds[_i].tw, rounds[_i].tc);
    fixture_close(fixture);
}
END_TEST

/* Rounds between the same two ranks, of one, two and one block. */
START_TEST(rounds_of_other_sizes_cost_their_own)
{
    static const char one_two_one[] = "algorithm: mine\ncollective: reduce\nchunks: 4\n"
                                      "schedule:\n  - repeat: i in 0 .. 2\n    steps:\n"
                                      "      - round:\n"
                                      "          - exchange: 0 .. i mod 2\n            to: 2\n"
                                      "            if: r == 0\n";
    Fixture *fixture = fixture_open();
    use_models(fixture, one_two_one);
    Network network = network_of(fixture, "linear", 6);
    assert_cost(fixture, instance_of(fixture, "reduce/mine", 6, 0, 0), &network, 3, 6, 1, 1);
    fixture_close(fixture);
}
END_TEST

/* The slowest message depends on the machine. */
START_TEST(a_round_is_as_long_as_its_slowest_message)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: mine\ncollective: reduce\nchunks: 4\n"
                                     "schedule:\n  - round:\n%s",
                                     rounds[3].steps));
    Network network = network_of(fixture, "linear", 6);
    Instance instance = instance_of(fixture, "reduce/mine", 6, 0, 0);
    /* 3 th + tw against th + 3 tw for 4 bytes */
    ck_assert_double_eq(derived_time(fixture, &instance, &network, (Prices){0, 10, 1, 0}, 4), 31);
    ck_assert_double_eq(derived_time(fixture, &instance, &network, (Prices){0, 1, 10, 0}, 4), 31);
    ck_assert_double_eq(derived_time(fixture, &instance, &network, (Prices){5, 1, 1, 2}, 4), 15);
    fixture_close(fixture);
}
END_TEST

static const char flat_in_one_step[] = "algorithm: at-once\n"
                                       "collective: reduce\n"
                                       "schedule:\n"
                                       "  - reduce: 0\n"
                                       "    to: root\n"
                                       "    if: r != root\n";

static const struct {
    const char *topology;
    int64_t ports;
    double ts, th, tw, tc;
} steps[] = {
    {"full", 1, 4, 4, 4, 4},   {"full", 2, 2, 2, 2, 4},   {"full", 3, 2, 2, 2, 4},
    {"full", 4, 1, 1, 1, 4},   {"full", 9, 1, 1, 1, 4},   {"linear", 1, 4, 10, 4, 4},
    {"linear", 2, 2, 6, 4, 4}, {"linear", 4, 1, 4, 4, 4},
};

START_TEST(ports_make_steps)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, flat_in_one_step);
    Network network = network_of(fixture, steps[_i].topology, 5);
    Instance instance = instance_of(fixture, "reduce/at-once", 5, 0, 0);
    instance.ports = steps[_i].ports;
    assert_cost(fixture, instance, &network, steps[_i].ts, steps[_i].th, steps[_i].tw,
                steps[_i].tc);
    fixture_close(fixture);
}
END_TEST

static Profile derived(Fixture *fixture, const char *algorithm, int64_t p, int64_t k)
{
    Profile profile;
    Network network = network_of(fixture, "full", p);
    Instance instance = instance_of(fixture, algorithm, p, 0, k);
    const Rules rules = {.ports = 1};
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    return profile;
}

START_TEST(peaks_are_the_most_blocks_held)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               "collective: allgather\nblocks: {b: p}\nbuffer: p\nbefore: r\nafter: 0 .. p - 1\n"
               "---\nalgorithm: ring\ncollective: allgather\nschedule:\n"
               "  - repeat: i in 0 .. p - 2\n    steps:\n"
               "      - send: (r - i) mod p\n        to: (r + 1) mod p\n");
    ck_assert_int_eq(derived(fixture, "scatter/binomial", 8, 0).peak_blocks, 8);
    ck_assert_int_eq(derived(fixture, "gather/binomial", 6, 0).peak_blocks, 6);
    ck_assert_int_eq(derived(fixture, "broadcast/chain", 6, 0).peak_blocks, 1);
    ck_assert_int_eq(derived(fixture, "broadcast/pipelined-chain", 6, 3).peak_blocks, 3);
    ck_assert_int_eq(derived(fixture, "allgather/ring", 7, 0).peak_blocks, 7);
    ck_assert_int_eq(derived(fixture, "allgather/ring", 7, 0).startups, 6);
    fixture_close(fixture);
}
END_TEST

START_TEST(largest_messages_of_steps)
{
    Fixture *fixture = fixture_open();
    static const int64_t of_6[] = {1, 2, 2, 0, 0}, of_8[] = {1, 2, 4, 0, 0};
    Profile six = derived(fixture, "gather/binomial", 6, 0);
    Profile eight = derived(fixture, "gather/binomial", 8, 0);
    for (int64_t j = 1; j <= 5; j++) {
        ck_assert_int_eq(profile_message(&six, j), of_6[j - 1]);
        ck_assert_int_eq(profile_message(&eight, j), of_8[j - 1]);
    }
    Profile chain = derived(fixture, "broadcast/chain", 50, 0);
    ck_assert_int_eq(profile_message(&chain, 49), 1);
    ck_assert_int_eq(profile_message(&chain, 50), 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(startups_count_repeated_steps)
{
    Fixture *fixture = fixture_open();
    Profile profile = derived(fixture, "broadcast/pipelined-chain", 20, 7);
    int64_t step_count = 0;
    for (size_t i = 0; i < profile.step_count; i++)
        step_count += profile.steps[i].repeat;
    ck_assert_int_eq(step_count, 25);
    ck_assert_int_eq(profile.startups, 25);
    ck_assert_int_eq(profile.chunks, 7);
    fixture_close(fixture);
}
END_TEST

START_TEST(exact_times_are_fractions)
{
    Fixture *fixture = fixture_open();
    Profile profile = derived(fixture, "reduce/pipelined-chain", 4, 3);
    ExactParameters parameters = {
        .parameters = {exact_from_int(7), exact_from_int(2), exact_from_int(3), exact_from_int(5)}};
    /* 5 rounds of ts + th + m / 3 (tw + tc) */
    Exact time = profile_time_exact(&profile, &parameters, exact_from_int(4));
    ck_assert(time.exact);
    ck_assert_int_eq(time.numerator, 295);
    ck_assert_int_eq(time.denominator, 3);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    Fixture *fixture;
    const char *text;
} Trace;

static void note_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Trace *trace = context;
    (void)round;
    trace->text =
        arena_printf(trace->fixture->arena, "%s%lld: %lld>%lld %lld %lld %lld; ", trace->text,
                     (long long)costed->step->step, (long long)costed->transfer->from,
                     (long long)costed->transfer->to, (long long)costed->hops,
                     (long long)costed->load_blocks, (long long)costed->load_messages);
}

/* Of so many bytes, with so many chunks; `unit` > 0: as large as that, whatever is sent. */
START_TEST(blocks_are_shares_or_units)
{
    static const struct {
        int64_t chunks;
        double unit, bytes;
        bool rounds_up;
        double block;
    } blocks[] = {
        {4, 0, 10, false, 2.5}, {4, 0, 10, true, 3}, {4, 0, 12, true, 3},    {1, 0, 7, false, 7},
        {4, 1, 10, false, 1},   {4, 4, 10, true, 4}, {4, 0.5, 10, true, .5}, {3, 0, 0, true, 0},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const Profile profile = {
            .chunks = blocks[i].chunks, .unit = blocks[i].unit, .ceil_chunks = blocks[i].rounds_up};
        ck_assert_double_eq(profile_block(&profile, blocks[i].bytes), blocks[i].block);
    }
}
END_TEST

START_TEST(a_trace_shows_hops_and_loads)
{
    Fixture *fixture = fixture_open();
    Trace trace = {fixture, ""};
    Profile profile;
    use_models(fixture, flat_in_one_step);
    Network network = network_of(fixture, "linear", 4);
    Instance instance = instance_of(fixture, "reduce/at-once", 4, 0, 0);
    instance.ports = 2;
    const Rules rules = {.ports = 2};
    const TraceVisitor visitor = {.transfer = note_transfer, .context = &trace};
    ck_assert(profile_trace(fixture->arena, &instance, &network, &rules, &visitor, &profile,
                            &fixture->diag));
    ck_assert_str_eq(trace.text, "0: 1>0 1 2 2; 0: 2>0 2 2 2; 1: 3>0 3 1 1; ");
    fixture_close(fixture);
}
END_TEST

/* ---- how many blocks must be combined ---- */

/* `before`, `after` and `combine` of a collective of p blocks, on four ranks; then (p - 1) times
   the blocks where all contribute to all, and all are wanted; -1: that does not follow. */
static const struct {
    const char *before, *after, *combine;
    int64_t fewest;
} contracts[] = {
    {"0 .. p - 1", "0 .. p - 1", "0 .. p - 1", 12},
    {"0 .. p - 1", "r", "0 .. p - 1", 12},
    {"0 .. p - 1", "0 .. p - 1 if r == 2", "0 .. p - 1", 12},
    {"0 .. p - 1", "r .. r + 1 if r < p - 1", "0 .. p - 1", 12},
    {"0 .. p - 1", "p - 1 - r", "0 .. p - 1", 12},
    {"0 .. p - 1", "r", "0 .. r", -1},
    {"0 .. p - 1", "r", "r .. p - 1", -1},
    {"0 .. p - 1", "r", "when(r == 0, 1, 0) .. p - 1", -1},
    {"0 .. p - 1", "0 .. p - 1 if r == p - 1", "0 .. r", 12},
    {"0 .. p - 1", "0 .. p - 1 if r == 0", "r .. p - 1", 12},
    {"0 .. p - 1", "0 .. p - 1 if r == 1", "0 .. r", -1},
    {"0 .. p - 1", "0 .. p - 1 if r == 1", "0 .. p - 2", -1},
    {"0 .. p - 1", "0 .. p - 1 if r == 1", "1 .. p - 1", -1},
    {"0 .. p - 1", "0 if r == 0", "0 .. p - 1", -1},
    {"0 .. p - 1", "r if r > 0", "0 .. p - 1", -1},
    {"0 .. p - 1", "0 .. p - 2", "0 .. p - 1", -1},
    {"r", "0 .. p - 1", "0 .. p - 1", -1},
    {"0 .. p - 2", "0 .. p - 2", "0 .. p - 1", -1},
    {"0 .. p - 1", "0 .. p - 1 if r < 3", "0 .. p - 1", 12},
    /* lists of more than p + blocks entries are not looked at */
    {"0 .. p - 1", "0 .. when(r == 0, 3, when(r == 1, 1, 0))", "0 .. p - 1", 12},
    {"0 .. p - 1", "0 .. when(r == 0, 3, when(r == 1, 2, 0))", "0 .. p - 1", -1},
};

START_TEST(the_fewest_combined_blocks_follow_from_contracts)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena,
                            "collective: c\nblocks: {b: p}\nbefore: %s\nafter: %s\n"
                            "combine: %s\n---\n"
                            "algorithm: a\ncollective: c\nchunks: 3\nrequires: p < 9\n"
                            "schedule: [{send: \"(0, 0)\", to: 0, if: r == 1}]\n",
                            contracts[_i].before, contracts[_i].after, contracts[_i].combine));
    int64_t fewest = 0;
    const Instance instance = instance_of(fixture, "c/a", 4, 0, 0);
    const bool good = fewest_combines(fixture->arena, &instance, &fewest);
    ck_assert_int_eq(good, contracts[_i].fewest >= 0);
    if (good)
        ck_assert_int_eq(fewest, 3 * contracts[_i].fewest);
    fixture_close(fixture);
}
END_TEST

/* ---- contacts, against the last ranks that each sent to ---- */

enum { MOST_KEPT = 6, CONTACT_RANKS = 9, CONTACT_ROUNDS = 40 };

typedef struct {
    int64_t square, line, skip, places;
    int64_t last[CONTACT_RANKS][MOST_KEPT], count[CONTACT_RANKS];
} Meetings;

/* Does the rank lose one of its contacts, which it has no place for? */
static bool meet(Meetings *meetings, int64_t rank, int64_t to)
{
    int64_t *last = meetings->last[rank], *count = &meetings->count[rank], at = 0;
    while (at < *count && last[at] != to)
        at++;
    const bool is_new = at == *count, loses = is_new && *count == meetings->places;
    if (is_new && !loses)
        ++*count;
    for (at = at < *count ? at : *count - 1; at > 0; at--)
        last[at] = last[at - 1];
    last[0] = to;
    return loses;
}

/* In round i rank r sends to the one that is 1 + (square i^2 + line i) mod (p - 1) up, unless
   r + i is a multiple of `skip`. */
START_TEST(contacts_are_the_last_ranks_that_were_sent_to)
{
    Fixture *fixture = fixture_open();
    uint64_t random = (uint64_t)_i;
    Meetings meetings = {.square = (int64_t)(random_next(&random) % 5),
                         .line = (int64_t)(random_next(&random) % 5),
                         .skip = 2 + (int64_t)(random_next(&random) % 4),
                         .places = 1 + (int64_t)(random_next(&random) % MOST_KEPT)};
    int64_t sent = 0, lost = 0;
    for (int64_t i = 0; i < CONTACT_ROUNDS; i++) {
        bool sends = false, loses = false;
        for (int64_t r = 0; r < CONTACT_RANKS; r++) {
            const int64_t up =
                1 + (meetings.square * i * i + meetings.line * i) % (CONTACT_RANKS - 1);
            if ((r + i) % meetings.skip == 0)
                continue;
            sends = true;
            loses |= meet(&meetings, r, (r + up) % CONTACT_RANKS);
        }
        sent += sends, lost += loses;
    }
    use_models(fixture,
               arena_printf(fixture->arena,
                            "algorithm: visits\ncollective: allreduce\nschedule:\n"
                            "  - repeat: i in 0 .. %d\n    steps:\n      - send: 0\n"
                            "        to: (r + 1 + (%lld * i * i + %lld * i) mod (p - 1)) mod p\n"
                            "        if: (r + i) mod %lld != 0\n",
                            CONTACT_ROUNDS - 1, (long long)meetings.square,
                            (long long)meetings.line, (long long)meetings.skip));
    const Network network = network_of(fixture, "full", CONTACT_RANKS);
    const Instance instance = instance_of(fixture, "allreduce/visits", CONTACT_RANKS, 0, 0);
    Rules rules = rules_of((Prices){1, 0, 0, 0}, 1);
    rules.contacts = meetings.places;
    rules.delays[DELAY_CONTACT] = (Delay){.is_given = true, .seconds = 100};
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, rules.parameters, 8)),
                (double)(sent + 100 * lost), 1e-12);
    fixture_close(fixture);
}
END_TEST

/* ---- loads of links, against routes that are followed one by one ---- */

enum { MOST_LINKED = 64 };

typedef struct {
    Fixture *fixture;
    const Network *network;
    const Rules *rules;
    double block, seconds;
    int64_t transfers;
} Followed;

static double slowest_message(const Followed *followed, const Round *round)
{
    static double bytes[MOST_LINKED][MOST_LINKED], messages[MOST_LINKED][MOST_LINKED];
    const Rules *rules = followed->rules;
    Routes *routes = ARENA_ARRAY(followed->fixture->arena, Routes, round->count + 1);
    int64_t *ends = ARENA_ARRAY(followed->fixture->arena, int64_t, 2 * round->count + 1);
    double slowest = 0;
    memset(bytes, 0, sizeof bytes);
    memset(messages, 0, sizeof messages);
    for (size_t i = 0; i < round->count; i++) {
        const ScheduledTransfer *transfer = &round->transfers[i];
        int64_t *from = &ends[2 * i], *to = from + 1;
        *from = transfer->from, *to = transfer->to;
        if (*from == *to)
            continue;
        ck_assert(network_route(followed->network, followed->fixture->arena, 1, from, to,
                                &routes[i], &followed->fixture->diag));
        for (size_t j = 0; j < routes[i].link_count; j++) {
            int64_t a = routes[i].from[j], b = routes[i].to[j];
            bytes[a][b] += (double)transfer->block_count * followed->block;
            messages[a][b]++;
        }
    }
    for (size_t i = 0; i < round->count; i++) {
        const double own = (double)round->transfers[i].block_count * followed->block;
        double load = own;
        for (size_t j = 0; j < routes[i].link_count; j++) {
            const int64_t a = routes[i].from[j], b = routes[i].to[j];
            const bool is_half = rules->duplex == DUPLEX_HALF;
            load = fmax(load, rules->contention == CONTENTION_BYTES
                                  ? bytes[a][b] + (is_half ? bytes[b][a] : 0)
                              : rules->contention == CONTENTION_MESSAGES
                                  ? own * (messages[a][b] + (is_half ? messages[b][a] : 0))
                                  : own);
        }
        if (routes[i].link_count)
            slowest =
                fmax(slowest, rules->parameters[PARAMETER_TS] +
                                  (double)routes[i].link_count * rules->parameters[PARAMETER_TH] +
                                  load * rules->parameters[PARAMETER_TW]);
    }
    return slowest;
}

static bool follow_round(void *context, const Round *round, Arena *arena)
{
    Followed *followed = context;
    (void)arena;
    followed->seconds += slowest_message(followed, round);
    followed->transfers += (int64_t)round->count;
    return true;
}

static const char *const loaded[] = {"broadcast/binomial",
                                     "scatter/binomial",
                                     "gather/binomial",
                                     "allgather/ring",
                                     "allgather/bruck",
                                     "alltoall/pairwise",
                                     "allgather/recursive-doubling",
                                     "alltoall/bruck",
                                     "allreduce/ring",
                                     "scatter/flat",
                                     "broadcast/pipelined-chain",
                                     "allreduce/rabenseifner",
                                     "reduce-scatter/ring",
                                     "allreduce/double-tree"};
static const char *const loaded_networks[] = {
    "ring:8",       "torus:4x4",   "tree:13",   "fat-tree:2x2x2:taper=2",
    "full:9",       "cluster:2x4", "linear:11", "mesh:3x4",
    "hypercube:16", "star:16",     "uniring:6"};
enum {
    LOADED = sizeof loaded / sizeof *loaded,
    LOADED_NETWORKS = sizeof loaded_networks / sizeof *loaded_networks
};

START_TEST(loads_are_those_of_routes)
{
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, loaded_networks[_i / LOADED], TIES_PLUS);
    const Algorithm *algorithm = algorithm_named(fixture, loaded[_i % LOADED]);
    const Instance instance = {.algorithm = algorithm,
                               .p = network.p,
                               .root = algorithm->collective->rooted ? network.p / 3 : 0,
                               .k = 5,
                               .ports = MOST_LINKED,
                               .shape = &network.shape};
    static const Contention contentions[] = {CONTENTION_BYTES, CONTENTION_MESSAGES,
                                             CONTENTION_NONE};
    Diag silent = diag_silent();
    int64_t chunks;
    ck_assert(schedule_try_chunks(&instance, &chunks));
    if (!schedule_allows(algorithm, &network.shape, MOST_LINKED, NULL, &silent)) {
        fixture_close(fixture);
        return;
    }
    for (int i = 0; i < 6; i++) {
        Rules rules = rules_of((Prices){3e-6, 7e-7, 1e-9, 0}, MOST_LINKED);
        rules.contention = contentions[i % 3];
        rules.duplex = i < 3 ? DUPLEX_FULL : DUPLEX_HALF;
        Followed followed = {fixture, &network, &rules, 4000 / (double)chunks, 0, 0};
        Profile profile;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
        ck_assert(schedule_expand(&instance, follow_round, &followed, &fixture->diag));
        ck_assert_int_eq(profile.transfers, followed.transfers);
        assert_near(cost_total(profile_cost(&profile, rules.parameters, 4000)), followed.seconds,
                    1e-12);
    }
    fixture_close(fixture);
}
END_TEST

Suite *cost_suite(void)
{
    Suite *suite = suite_create("cost");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, library_costs_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(times, rounds_by_hand, 0, sizeof rounds / sizeof *rounds);
    tcase_add_test(times, rounds_of_other_sizes_cost_their_own);
    tcase_add_test(times, a_round_is_as_long_as_its_slowest_message);
    tcase_add_loop_test(times, ports_make_steps, 0, sizeof steps / sizeof *steps);
    tcase_add_test(times, exact_times_are_fractions);
    suite_add_tcase(suite, times);
    TCase *profiles = tcase_create("profiles");
    tcase_add_test(profiles, peaks_are_the_most_blocks_held);
    tcase_add_test(profiles, largest_messages_of_steps);
    tcase_add_test(profiles, startups_count_repeated_steps);
    tcase_add_test(profiles, blocks_are_shares_or_units);
    tcase_add_test(profiles, a_trace_shows_hops_and_loads);
    suite_add_tcase(suite, profiles);
    TCase *deriver = tcase_create("deriver");
    tcase_add_loop_test(deriver, the_fewest_combined_blocks_follow_from_contracts, 0,
                        sizeof contracts / sizeof *contracts);
    suite_add_tcase(suite, deriver);
    TCase *contacts = tcase_create("contacts");
    tcase_add_loop_test(contacts, contacts_are_the_last_ranks_that_were_sent_to, 0, 60);
    suite_add_tcase(suite, contacts);
    TCase *loads = tcase_create("loads_of_routes");
    tcase_add_loop_test(loads, loads_are_those_of_routes, 0, LOADED * LOADED_NETWORKS);
    suite_add_tcase(suite, loads);
    return suite;
}
