/* Means over ranks of when each is done, by hand: ts 100, th 10, tw 1, tc 2 on 4 ranks, of 40
   bytes: a message takes 150, combining them 80. */
#include "cost/derive.h"
#include "cost/derive_finish.h"

#include "rules_cases.h"

#include <string.h>

#define MEAN .averages = true
#define LITTLE .ports = 1, FREE, MEAN

static const struct {
    const char *network, *algorithm;
    Rules rules;
    double ends; /* of all ranks, added up */
} cases[] = {
    /* round 1, 2, 3 and 3; the root in 3, the others in 1, 2 and 3 */
    {"full:4", "broadcast/chain", {LITTLE}, (1 + 2 + 3 + 3) * 150},
    {"full:4", "broadcast/flat", {LITTLE}, (3 + 1 + 2 + 3) * 150},
    {"full:4", "broadcast/chain", {LITTLE, FORWARD}, (1 + 2 + 3 + 3) * 150},
    {"full:4", "broadcast/chain", {LITTLE, ASYNCHRONOUS}, (1 + 2 + 3 + 3) * 150},
    /* one port step after the other; rank 1 does nothing */
    {"full:4", FORK, {LITTLE}, 300 + 150 + 300},
    {"full:4", FORK, {LITTLE, .delays[DELAY_GAP] = {true, false, 9}}, 199 + 150 + 199},
    /* a rank that combines in port step 1 of 2 has all of it at 150 */
    {"full:4",
     FORK,
     {.ports = 1, MEAN, .delays[DELAY_GAP] = {true, false, 9}},
     279 + 80 + 150 + 80 + 279},
    /* what a rank did earlier lasts longer: 0 -> 3 until 170, 0 -> 1 from 49 on until 49 + 120 */
    {"linear:4",
     BOTH(0, 3, 0, 1),
     {LITTLE, .delays[DELAY_GAP] = {true, false, 9}},
     170 + 169 + 170},
    /* together: 110, and 80 through the port of rank 0 */
    {"full:4", FORK, {LITTLE, POSTED}, 3 * 190},
    {"full:4", FORK, {LITTLE, POSTED, .delays[DELAY_GAP] = {true, false, 9}}, 199 + 190 + 199},
    /* a message is done before the round is: over 2 links with 40, over 3 with 10 */
    {"linear:4", BOTH(0, 2, 3, 0), {LITTLE}, 160 + 160 + 140},
    {"linear:4", BOTH(0, 2, 3, 0), {LITTLE, ASYNCHRONOUS}, 160 + 160 + 140},
    /* three times 150 and 80 at the root, each of the others behind what was before it */
    {"full:4", AT_ONCE, {.ports = 1, MEAN}, 150 + 380 + 610 + 690},
    {"full:4", AT_ONCE, {.ports = 1, MEAN, ASYNCHRONOUS}, 150 + 380 + 610 + 690},
    /* who combines waits for the round: 160, then 80; 3 is done after 140 */
    {"linear:4", BOTH(0, 2, 3, 0), {.ports = 1, MEAN}, 160 + 20 + 160 + 80 + 140},
    /* 150, 300, 450; combined from 150, 300, 450 on */
    {"full:4", AT_ONCE, {.ports = 1, MEAN, OVERLAP}, 150 + 300 + 450 + 530},
    /* together, all are under way for 110 + 120 */
    {"full:4", AT_ONCE, {.ports = 1, MEAN, POSTED}, 3 * 230 + 230 + 240},
};

START_TEST(means_over_ranks)
{
    const Prices prices = {100, 10, 1, 2};
    Fixture *fixture = fixture_open();
    Rules rules = cases[_i].rules;
    const double parameters[PARAMETER_COUNT] = {100, 10, 1, 2};
    memcpy(rules.parameters, parameters, sizeof parameters);
    Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    Instance instance = rules_instance(fixture, cases[_i].algorithm, 0, 1, &network, &rules);
    assert_near(time_of(fixture, &instance, &network, &rules, prices, 40), cases[_i].ends / 4,
                1e-14);
    fixture_close(fixture);
}
END_TEST

/* The mean is that of the ends of all ranks, and the last of these is the time without it. */
START_TEST(ends_of_ranks)
{
    static const char *const algorithms[] = {"broadcast/binomial",      "scatter/binomial",
                                             "reduce/binomial",         "allreduce/ring",
                                             "scan/recursive-doubling", "gather/flat"};
    const Prices prices = {100, 10, 1, 2};
    const double parameters[PARAMETER_COUNT] = {100, 10, 1, 2};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "mesh:3x4", TIES_PLUS);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        for (int x = 0; x < 2; x++) {
            Rules rules = {.ports = 1, .asynchronous = x, .averages = true};
            Instance instance = rules_instance(fixture, algorithms[i], 5, 1, &network, &rules);
            double ends[12], sum = 0, last = 0;
            TraceVisitor visitor;
            Profile profile;
            Averager *averager = averager_create(fixture->arena, 12, &visitor);
            ck_assert(profile_trace(fixture->arena, &instance, &network, &rules, &visitor, &profile,
                                    &fixture->diag));
            double block = profile_block(&profile, 1200);
            if (x)
                timeline_run(&(TimelineRun){.timeline = profile.timeline,
                                            .paths = profile.paths,
                                            .parameters = parameters,
                                            .block = block,
                                            .ends = ends});
            else
                averager_ends(averager, parameters, block, ends);
            for (int r = 0; r < 12; r++) {
                sum += ends[r];
                last = ends[r] > last ? ends[r] : last;
            }
            assert_near(time_of(fixture, &instance, &network, &rules, prices, 1200), sum / 12,
                        1e-13);
            rules.averages = false;
            assert_near(time_of(fixture, &instance, &network, &rules, prices, 1200), last, 1e-13);
        }
    fixture_close(fixture);
}
END_TEST

Suite *finish_suite(void)
{
    Suite *suite = suite_create("finish");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, means_over_ranks, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(times, ends_of_ranks);
    suite_add_tcase(suite, times);
    return suite;
}
