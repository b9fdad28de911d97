/* Traffic over links counted by hand, and the least that is possible. */
#include "bound/demand.h"
#include "cost/link_traffic.h"

#include "unit.h"

#include <string.h>

/* Blocks of m bytes over a group of links, and over its busiest link; each beside the least. */
static const struct {
    const char *algorithm, *network, *links;
    int64_t count;
    double total, least, busiest, least_busiest;
} cases[] = {
    /* 6 rounds of 4 messages of 1/4; each crosses 2 links of devices. Each of 8 links carries 3/2.
       What 4 contribute and 4 need crosses 3 + 3 times, on 2 links each. */
    {"allreduce/ring", "cluster:2x2", "device", 8, 12, 12, 1.5, 1.5},
    /* of 4 neighbours 2 are on the other node: 6 rounds of 2 messages of 1/4, on 2 links each;
       what 2 nodes contribute and need crosses 1 + 1 times, on 2 links each */
    {"allreduce/ring", "cluster:2x2", "node", 4, 6, 4, 1.5, 1},
    /* 0 to 2, then 0 to 1 and 2 to 3; one of 2 columns needs the block, over 2 links that lead in
     */
    {"broadcast/binomial", "mesh:2x2", "x", 4, 2, 1, 1, 0.5},
    {"broadcast/binomial", "mesh:2x2", "y", 4, 1, 1, 1, 0.5},
    /* every pair has a link and a message */
    {"alltoall/pairwise", "full:4", "all links", 12, 12, 12, 1, 1},
    /* 3 blocks over each link of one direction; 12 that must come in could use both */
    {"allgather/ring", "ring:4", "all links", 8, 12, 12, 3, 1.5},
    /* x and y first: 4 .. 7 all come to 4, and from there to 0; 4 blocks, and 4 links lead there */
    {"gather/flat", "hypercube:8", "z", 8, 4, 4, 4, 1},
};

START_TEST(traffic_and_least_by_hand)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    Instance instance = instance_of(fixture, cases[_i].algorithm, network.p, 0, 1);
    instance.shape = &network.shape;
    LinkGroups groups = link_groups_list(&network);
    LeastTraffic least[MOST_DIMENSIONS + 1];
    LinkTraffic traffic;
    Contract contract;
    size_t found = 0;
    ck_assert(contract_create(fixture->arena, instance.algorithm->collective, network.p, 0, 0,
                              &contract, &fixture->diag));
    ck_assert(link_traffic_count(fixture->arena, &instance, &groups, &traffic, &fixture->diag));
    least_traffic_find(fixture->arena, &contract, &groups, least);
    while (found < groups.count && strcmp(groups.items[found].name, cases[_i].links) != 0)
        found++;
    ck_assert_msg(found < groups.count, "no links %s", cases[_i].links);
    ck_assert_int_eq(groups.items[found].count, cases[_i].count);
    assert_near((double)traffic.groups[found].total / (double)traffic.chunks, cases[_i].total,
                1e-12);
    assert_near((double)traffic.groups[found].busiest / (double)traffic.chunks, cases[_i].busiest,
                1e-12);
    assert_near(least[found].total, cases[_i].least, 1e-12);
    assert_near(least[found].busiest, cases[_i].least_busiest, 1e-12);
    fixture_close(fixture);
}
END_TEST

Suite *link_traffic_suite(void)
{
    Suite *suite = suite_create("link_traffic");
    TCase *counted = tcase_create("counted");
    tcase_add_loop_test(counted, traffic_and_least_by_hand, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, counted);
    return suite;
}
