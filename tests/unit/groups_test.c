/* Groups of ranks that run a collective at the same time: costs and bounds by hand. */
#include "net/group.h"

#include "bound/bounds.h"
#include "cost/derive.h"
#include "study/groups.h"
#include "study/study.h"

#include "unit.h"

#include <string.h>

/* The network of the groups, as a study is told them; NULL after a report. */
static const Network *grouped(Fixture *fixture, const char *name, const char *setting,
                              const char *groups)
{
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    Network *network = ARENA_NEW(fixture->arena, Network);
    *network = network_named(fixture, name, TIES_PLUS);
    ck_assert(study_set(study, text_of(fixture, setting), text_of(fixture, groups)));
    return groups_apply(fixture->arena, &study->groups, network, &fixture->diag) ? network : NULL;
}

/* The coefficients of ts, th, tw and tc. */
static const struct {
    const char *network, *setting, *groups, *algorithm;
    Contention contention;
    double startups, hops, transfer, compute;
} costs[] = {
    /* 0 - 2 and 1 - 3, up to the core and down: both cross the links between switches */
    {"cluster:2x2", "along", "node", "alltoall/pairwise", CONTENTION_SHARED, 1, 4, 2, 0},
    {"cluster:2x2", "along", "node", "alltoall/pairwise", CONTENTION_BYTES, 1, 4, 2, 0},
    {"cluster:2x2", "along", "node", "alltoall/pairwise", CONTENTION_NONE, 1, 4, 1, 0},
    /* within nodes nothing is shared */
    {"cluster:2x2", "along", "device", "alltoall/pairwise", CONTENTION_SHARED, 1, 2, 1, 0},
    /* rows have links of their own: 3 rounds of m / 4 twice, one neighbour on */
    {"torus:4x4", "along", "x", "allreduce/ring", CONTENTION_SHARED, 6, 6, 1.5, .75},
    {"torus:4x4", "along", "x", "allreduce/ring", CONTENTION_BYTES, 6, 6, 1.5, .75},
    /* all ranks are one group */
    {"torus:4x4", "along", "x,y", "allgather/ring", CONTENTION_BYTES, 15, 30, 15, 0},
    /* 0 -> 1 -> 2 -> 3 are neighbours, 3 -> 0 goes back over three links; the halves are apart */
    {"ring:8", "members", "0..3/4..7", "allgather/ring", CONTENTION_SHARED, 3, 9, 3, 0},
    /* 0 -> 2 and 1 -> 3 meet on 1 -> 2, and 2 -> 0 and 3 -> 1 on 2 -> 1 */
    {"linear:4", "members", "0,2/1,3", "alltoall/pairwise", CONTENTION_SHARED, 1, 2, 2, 0},
    {"linear:4", "members", "0,2", "alltoall/pairwise", CONTENTION_SHARED, 1, 2, 1, 0},
    /* 0 -> 3 meets 1 -> 2 */
    {"linear:6", "members", "0,3/1,2", "broadcast/binomial", CONTENTION_BYTES, 1, 3, 2, 0},
    {"linear:6", "members", "0,3/1,2", "broadcast/binomial", CONTENTION_SHARED, 1, 3, 2, 0},
    {"full:6", "members", "0,2,4/1,3,5", "allgather/ring", CONTENTION_SHARED, 2, 2, 2, 0},
};

START_TEST(test_costs)
{
    Fixture *fixture = fixture_open();
    const Network *network =
        grouped(fixture, costs[_i].network, costs[_i].setting, costs[_i].groups);
    ck_assert_ptr_nonnull(network);
    Instance instance = instance_of(fixture, costs[_i].algorithm, network->p, 0, 1);
    instance.shape = &network->shape;
    const double expected[] = {costs[_i].startups, costs[_i].hops, costs[_i].transfer,
                               costs[_i].compute};
    const Prices one[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        Rules rules = rules_of(one[i], 1);
        Profile profile;
        rules.contention = costs[_i].contention;
        rules.asynchronous = rules.contention == CONTENTION_SHARED;
        ck_assert(
            profile_derive(fixture->arena, &instance, network, &rules, &profile, &fixture->diag));
        assert_near(cost_total(profile_cost(&profile, rules.parameters, 1)), expected[i], 1e-12);
    }
    fixture_close(fixture);
}
END_TEST

/* In the order of kinds: times m tw. */
static const struct {
    const char *network, *setting, *groups, *collective;
    double node, ports, volume, cut;
} bounds[] = {
    /* 2 of each of 2 ranks over one link; 4 blocks over 4 links each, by 4 ports, 12 links */
    {"cluster:2x2", "along", "node", "alltoall", 1, 1, 4. * 4 / 12, 2},
    {"cluster:2x2", "along", "device", "alltoall", 1, 1, 4. * 2 / 12, 1},
    /* blocks of 2 ranks of each of 3 other nodes enter a node; 12 messages of one group over 4
       links each, by 24 */
    {"cluster:4x2", "along", "node", "allgather", 3, 3, 12. * 4 / 24, 6},
    /* two blocks each way between 1 and 2; 4 blocks over 2 links each, by 6 */
    {"linear:4", "members", "0,2/1,3", "alltoall", 1, 1, 4. * 2 / 6, 2},
    {"linear:4", "members", "0,2", "alltoall", 1, 1, 2. * 2 / 6, 1},
    /* each has its two links for itself */
    {"full:4", "members", "0,2/1,3", "alltoall", 1, 1, 2. / 2, 1},
};

START_TEST(test_bounds)
{
    Fixture *fixture = fixture_open();
    const Network *network =
        grouped(fixture, bounds[_i].network, bounds[_i].setting, bounds[_i].groups);
    const Rules rules = rules_of((Prices){1, 1, 1, 1}, 1);
    Contract contract;
    BoundSet found;
    ck_assert_ptr_nonnull(network);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, bounds[_i].collective),
                              network->p, 0, 0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, network, &rules, BOUND_SEARCH_CUTS, &found);
    assert_near(found.items[BOUND_NODE].coefficient.real, bounds[_i].node, 1e-12);
    assert_near(found.items[BOUND_PORTS].coefficient.real, bounds[_i].ports, 1e-12);
    assert_near(found.items[BOUND_VOLUME].coefficient.real, bounds[_i].volume, 1e-12);
    assert_near(found.items[BOUND_CUT].coefficient.real, bounds[_i].cut, 1e-12);
    fixture_close(fixture);
}
END_TEST

START_TEST(test_numbers)
{
    Fixture *fixture = fixture_open();
    static const int64_t ranks[] = {0, 3, 1, 4, 2, 5};
    const Network *network = grouped(fixture, "cluster:2x3", "along", "node");
    ck_assert_int_eq(network->p, 2);
    ck_assert_int_eq(network_groups(network), 3);
    ck_assert_int_eq(network_of_all(network)->p, 6);
    for (int64_t r = 0; r < 6; r++)
        ck_assert_int_eq(network_rank(network, r), ranks[r]);
    ck_assert_int_eq(network_first_switch(network), 6);
    /* rank 1 of group 0 is rank 3, behind switch 7 */
    ck_assert_int_eq(network_degree(network, 1), 1);
    ck_assert_int_eq(network->neighbours[network->starts[1]], 7);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *setting, *groups, *message;
} refused[] = {
    {"along", "rack", "cluster:2x3 has no dimension 'rack'"},
    {"members", "0,1/2,1", "rank 1 is a member twice"},
    {"members", "0,1,1", "rank 1 is a member twice"},
    {"members", "0,1/2,3,4", "this group has 3 members, and the first 2"},
    {"members", "0,1/2", "expected at least two members"},
    {"members", "0,6", "6"},
};

START_TEST(test_refused)
{
    Fixture *fixture = fixture_open();
    ck_assert_ptr_null(grouped(fixture, "cluster:2x3", refused[_i].setting, refused[_i].groups));
    ck_assert_ptr_nonnull(strstr(take_messages(fixture), refused[_i].message));
    fixture_close(fixture);
}
END_TEST

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

Suite *groups_suite(void)
{
    Suite *suite = suite_create("groups");
    TCase *tests = tcase_create("groups");
    tcase_add_loop_test(tests, test_costs, 0, COUNT(costs));
    tcase_add_loop_test(tests, test_bounds, 0, COUNT(bounds));
    tcase_add_test(tests, test_numbers);
    tcase_add_loop_test(tests, test_refused, 0, COUNT(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
