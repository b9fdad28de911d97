/* Messages that share links in time: hand counts, and schedules followed event by event in another
   way. */
#include "cost/derive.h"

#include "rules_cases.h"

#include <math.h>

#define SHARED ONE, ASYNCHRONOUS, .contention = CONTENTION_SHARED
#define THEN(from, to) "  - exchange: 0 .. 3\n    to: " #to "\n    if: r == " #from "\n"
#define QUARTER(block, from, to) "  - send: " #block "\n    to: " #to "\n    if: r == " #from "\n"

static const double startup = 100, per_hop = 10;

static Rules priced(const Rules *rules)
{
    Rules with = *rules;
    with.parameters[PARAMETER_TS] = startup, with.parameters[PARAMETER_TH] = per_hop;
    with.parameters[PARAMETER_TW] = 1, with.parameters[PARAMETER_TC] = 2;
    return with;
}

/* ts 100, th 10, tw 1; tc 2 where combining is not free. */
static const struct {
    const char *network, *algorithm;
    Rules rules;
    double bytes, time;
} cases[] = {
    /* half of the link each up to 20, where the short one has its 10 bytes; 30 more of the other */
    {"linear:4", MEETING, {SHARED, FREE}, 40, 20 + 30 + 120},
    /* apart */
    {"linear:6", FAR_AND_NEAR, {SHARED, FREE}, 40, 140},
    /* of two rounds, but at once: 1 -> 2 does not wait for 0 -> 3 */
    {"linear:4", THEN(0, 3) THEN(1, 2), {SHARED, FREE}, 40, 80 + 130},
    {"linear:4", THEN(0, 3) THEN(1, 2), {ONE, ASYNCHRONOUS, FREE}, 40, 40 + 130},
    /* both ways on one link */
    {"linear:4", BOTH(0, 2, 3, 0), {SHARED, FREE}, 40, 160},
    {"linear:4", BOTH(0, 2, 3, 0), {SHARED, FREE, HALF}, 40, 20 + 30 + 120},
    /* through two ports, over the same links */
    {"linear:4",
     FORK,
     {.ports = 2, ASYNCHRONOUS, .contention = CONTENTION_SHARED, FREE},
     40,
     80 + 130},
    /* one after the other through one */
    {"linear:4", FORK, {SHARED, FREE}, 40, 40 + 120 + 40 + 130},
    {"full:4", PAIRS, {SHARED}, 40, 150 + 80},
    /* posted together, at half the rate each through one port */
    {"full:4", FORK, {SHARED, FREE, POSTED}, 40, 80 + 110},
    {"full:4",
     FORK,
     {.ports = 2, ASYNCHRONOUS, .contention = CONTENTION_SHARED, FREE, POSTED},
     40,
     40 + 110},
    /* 10 bytes and 40 through the port: at 20 the short message is done, 30 of the other are left
     */
    {"full:4", BOTH(0, 1, 0, 2), {SHARED, FREE, POSTED}, 40, 20 + 30 + 110},
    /* that of the receiver; its next round starts when both are there, at 160 */
    {"full:4", BOTH(0, 3, 1, 3) THEN(2, 3), {SHARED, FREE, POSTED}, 40, 160 + 40 + 110},
    {"linear:4", FORK, {SHARED, FREE, POSTED}, 40, 80 + 130},
    /* 0 -> 1 has its 100 at 210; then 1 -> 3 shares a link with 2 -> 4, which has 190 left: at 590
       these are gone, and 210 of 1 -> 3 remain */
    {"linear:5", BOTH(2, 4, 0, 1) THEN(1, 3), {SHARED, FREE}, 400, 210 + 380 + 210 + 120},
    /* 1 -> 3 can start at 410, of which 200 are combining; 2 -> 4 has 20 left on a link of both at
       that time, and 1 -> 3 has 5 left when these are gone. With longer blocks it starts later and
       waits less: the time rises by 5 a byte of a block, of which combining would be 8. */
    {"linear:6",
     THEN(0, 1) QUARTER(1, 5, 4) QUARTER(2, 5, 4) QUARTER(3, 5, 4) QUARTER(1, 2, 4)
         QUARTER(0, 1, 3),
     {SHARED},
     100,
     410 + 40 + 5 + 120},
};

START_TEST(counted_by_hand)
{
    Fixture *fixture = fixture_open();
    const Rules rules = priced(&cases[_i].rules);
    Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    Instance instance = rules_instance(fixture, cases[_i].algorithm, 0, 0, &network, &rules);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, rules.parameters, cases[_i].bytes)),
                cases[_i].time, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* What shared contention has no cost with. */
static const Rules refused[] = {
    {SHARED, FREE, FORWARD},
    {SHARED, FREE, STARTUPS},
    {SHARED, .combining = COMBINING_OVERLAP},
    {ONE, FREE, .contention = CONTENTION_SHARED},
};

START_TEST(refused_by_the_rules)
{
    Fixture *fixture = fixture_open();
    const Rules rules = priced(&refused[_i]);
    Network network = network_named(fixture, "linear:4", TIES_PLUS);
    Instance instance = rules_instance(fixture, FORK, 0, 0, &network, &rules);
    Profile profile;
    ck_assert(
        !profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* A round of equal messages over equally many links takes as long as with barriers. */
START_TEST(one_round_of_equal_messages)
{
    static const char *const networks[] = {"ring:6",   "torus:4x4", "hypercube:8",
                                           "linear:5", "full:4",    "cluster:2x4"};
    static const char *const rounds[] = {SHIFT, PAIRS,
                                         "  - exchange: 0 .. 3\n    to: (r + 1) mod p\n"};
    Fixture *fixture = fixture_open();
    const Rules barriers = {ONE, .parameters = {startup, 0, 1, 2}};
    const Rules shared = {SHARED, .parameters = {startup, 0, 1, 2}};
    Network network = network_named(fixture, networks[_i % 6], TIES_PLUS);
    for (int i = 0; i < 3; i++) {
        if (i == 1 && network.p % 2)
            continue;
        Profile with, without;
        Instance instance = rules_instance(fixture, rounds[i], 0, 0, &network, &barriers);
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &barriers, &with, &fixture->diag));
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &shared, &without, &fixture->diag));
        assert_near(cost_total(profile_cost(&without, shared.parameters, 4000)),
                    cost_total(profile_cost(&with, barriers.parameters, 4000)), 1e-12);
    }
    fixture_close(fixture);
}
END_TEST

/* A schedule on a line of ranks, or a ring in one direction, followed in the simplest way: at each
   event all shares are found anew. */
enum { MOST_RANKS = 7, MOST_MESSAGES = 24 };
static const double never = 1e300;

typedef struct {
    int from, to, round, quarters;
    bool crosses[MOST_RANKS][2]; /* the link behind rank r, upwards and downwards */
    int hops;
    double left, rate, end;
    bool started, sent;
} Message;

typedef struct {
    int ranks, count;
    bool is_ring;
    Message messages[MOST_MESSAGES];
} World;

static int below(uint64_t *state, int limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)limit);
}

static void lay_path(const World *world, Message *message)
{
    const bool down = !world->is_ring && message->to < message->from;
    for (int at = message->from; at != message->to; message->hops++) {
        const int next = down ? at - 1 : (at + 1) % world->ranks;
        message->crosses[down ? next : at][down] = true;
        at = next;
    }
}

/* Rounds in which every rank sends and receives once at most. */
static World make_world(uint64_t *state)
{
    World world = {.ranks = 3 + below(state, MOST_RANKS - 2), .is_ring = below(state, 2)};
    const int rounds = 1 + below(state, 6);
    for (int round = 0; round < rounds; round++) {
        bool sends[MOST_RANKS] = {false}, receives[MOST_RANKS] = {false};
        for (int tries = 1 + below(state, 4); tries > 0; tries--) {
            Message message = {.from = below(state, world.ranks),
                               .to = below(state, world.ranks),
                               .round = round,
                               .quarters = 1 + below(state, 4)};
            if (message.from == message.to || sends[message.from] || receives[message.to])
                continue;
            sends[message.from] = receives[message.to] = true;
            lay_path(&world, &message);
            world.messages[world.count++] = message;
        }
    }
    return world;
}

static bool may_start(const World *world, const Message *message, double now)
{
    bool may = !message->started;
    for (int i = 0; i < world->count && may; i++) {
        const Message *other = &world->messages[i];
        bool meets = other->from == message->from || other->to == message->to ||
                     other->from == message->to || other->to == message->from;
        if (meets && other->round < message->round)
            may = other->sent && other->end <= now * (1 + 1e-12);
    }
    return may;
}

/* The room that is left on a link, and the messages there that can still be faster. */
static double room_of(const World *world, const bool *grows, int r, int way, int *growing)
{
    double room = 1;
    *growing = 0;
    for (int i = 0; i < world->count; i++) {
        const Message *message = &world->messages[i];
        if (!message->crosses[r][way] || !message->started || message->sent)
            continue;
        room -= message->rate;
        *growing += grows[i];
    }
    return room;
}

static void share_links(World *world)
{
    bool grows[MOST_MESSAGES], any = false;
    int growing;
    for (int i = 0; i < world->count; i++) {
        grows[i] = world->messages[i].started && !world->messages[i].sent;
        world->messages[i].rate = 0;
        any |= grows[i];
    }
    while (any) {
        double step = never;
        for (int r = 0; r < world->ranks; r++)
            for (int way = 0; way < 2; way++) {
                double room = room_of(world, grows, r, way, &growing);
                if (growing)
                    step = fmin(step, room / growing);
            }
        for (int i = 0; i < world->count; i++)
            world->messages[i].rate += grows[i] ? step : 0;
        bool full[MOST_RANKS][2];
        for (int r = 0; r < world->ranks; r++)
            for (int way = 0; way < 2; way++)
                full[r][way] = room_of(world, grows, r, way, &growing) < 1e-9;
        any = false;
        for (int i = 0; i < world->count; i++) {
            for (int r = 0; r < world->ranks; r++)
                for (int way = 0; way < 2; way++)
                    grows[i] &= !(world->messages[i].crosses[r][way] && full[r][way]);
            any |= grows[i];
        }
    }
}

static double follow(World world, double bytes)
{
    double now = 0, last = 0;
    for (;;) {
        double next = never;
        for (int i = 0; i < world.count; i++)
            if (may_start(&world, &world.messages[i], now)) {
                world.messages[i].started = true;
                world.messages[i].left = bytes / 4 * world.messages[i].quarters;
            }
        share_links(&world);
        for (int i = 0; i < world.count; i++) {
            const Message *message = &world.messages[i];
            if (message->started && !message->sent)
                next = fmin(next, now + message->left / message->rate);
            else if (message->sent && message->end > now * (1 + 1e-12))
                next = fmin(next, message->end);
        }
        if (next == never)
            return last;
        for (int i = 0; i < world.count; i++) {
            Message *message = &world.messages[i];
            if (!message->started || message->sent)
                continue;
            message->left -= message->rate * (next - now);
            if (message->left > 1e-9 * bytes)
                continue;
            message->sent = true;
            message->end = next + startup + per_hop * message->hops;
            last = fmax(last, message->end);
        }
        now = next;
    }
}

static const char *write_steps(Fixture *fixture, const World *world)
{
    const char *text = "";
    for (int i = 0; i < world->count; i++) {
        const Message *message = &world->messages[i];
        if (i == 0 || message->round != message[-1].round)
            text = arena_printf(fixture->arena, "%s  - round:\n", text);
        text = arena_printf(fixture->arena,
                            "%s      - exchange: 0 .. %d\n        to: %d\n        if: r == %d\n",
                            text, message->quarters - 1, message->to, message->from);
    }
    return text;
}

/* Between bends the time is a line. */
static void assert_lines(Fixture *fixture, const Profile *profile, const Rules *rules)
{
    const double least = 1, most = 1e6;
    SizeArray sizes = {0};
    *ARRAY_PUSH(fixture->arena, &sizes) = least;
    ck_assert(profile_bends(profile, rules->parameters,
                            &(BendList){least, most, fixture->arena, &sizes, &fixture->diag}));
    *ARRAY_PUSH(fixture->arena, &sizes) = most;
    for (size_t i = 0; i + 1 < sizes.count; i++) {
        double times[3];
        for (int at = 0; at < 3; at++) {
            double bytes = sizes.items[i] + (sizes.items[i + 1] - sizes.items[i]) * at / 2;
            times[at] = cost_total(profile_cost(profile, rules->parameters, bytes));
        }
        assert_near(times[1], (times[0] + times[2]) / 2, 1e-7);
    }
}

START_TEST(as_followed_in_the_simplest_way)
{
    enum { PER_TEST = 50 };
    const Rules rules = priced(&(Rules){SHARED, FREE});
    uint64_t state = 77 + (uint64_t)_i;
    for (int i = 0; i < PER_TEST; i++) {
        World world = make_world(&state);
        if (world.count == 0)
            continue;
        Fixture *fixture = fixture_open();
        Network network =
            network_named(fixture,
                          arena_printf(fixture->arena, "%s:%d",
                                       world.is_ring ? "uniring" : "linear", world.ranks),
                          TIES_PLUS);
        const char *steps = write_steps(fixture, &world);
        Instance instance = rules_instance(fixture, steps, 0, 0, &network, &rules);
        Profile profile;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
        for (double bytes = 8; bytes < 1e5; bytes *= 7) {
            double time = cost_total(profile_cost(&profile, rules.parameters, bytes));
            double expected = follow(world, bytes);
            ck_assert_msg(fabs(time - expected) <= 1e-9 * expected,
                          "%s, %g bytes: %.17g, not %.17g\n%s", network.name, bytes, time, expected,
                          steps);
        }
        assert_lines(fixture, &profile, &rules);
        fixture_close(fixture);
    }
}
END_TEST

Suite *shared_suite(void)
{
    Suite *suite = suite_create("shared");
    TCase *tests = tcase_create("shared");
    tcase_add_loop_test(tests, counted_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, refused_by_the_rules, 0, sizeof refused / sizeof *refused);
    tcase_add_loop_test(tests, one_round_of_equal_messages, 0, 6);
    tcase_add_loop_test(tests, as_followed_in_the_simplest_way, 0, 40);
    tcase_set_timeout(tests, 300);
    suite_add_tcase(suite, tests);
    return suite;
}
