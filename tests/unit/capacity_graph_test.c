/* Fat trees and dragonflies: what the papers say of their size, paths and load. */
#include "net/measure.h"

#include "unit.h"

#include <string.h>

static const char *sizes_named(Fixture *fixture, const char *name, int64_t a, int64_t b, int64_t c)
{
    return arena_printf(fixture->arena, "%s:%lldx%lldx%lld", name, (long long)a, (long long)b,
                        (long long)c);
}

static bool is_of_level(const Network *network, int64_t from, int64_t to, const char *level)
{
    for (int64_t i = network->starts[from]; i < network->starts[from + 1]; i++)
        if (network->neighbours[i] == to) {
            size_t class = network->link_classes ? network->link_classes[i] : 0;
            return strcmp(network->classes[class].level, level) == 0;
        }
    ck_abort_msg("no link from %lld to %lld", (long long)from, (long long)to);
}

/* Al-Fares et al. 2008: k pods, each of k/2 edge and k/2 aggregation switches, (k/2)^2
   core switches, k^3/4 hosts; k ports on every switch. */
START_TEST(fat_trees_have_the_sizes_of_the_paper)
{
    Fixture *fixture = fixture_open();
    int64_t k = 2 * _i;
    const char *name = sizes_named(fixture, "fat-tree", k, k / 2, k / 2);
    Network network = network_named(fixture, name, TIES_PLUS);
    ck_assert_int_eq(network.p, k * k * k / 4);
    ck_assert_int_eq(network.node_count - network.p, k * k + k * k / 4);
    for (int64_t node = 0; node < network.node_count; node++)
        ck_assert_int_eq(network_degree(&network, node), node < network.p ? 1 : k);
    ck_assert_int_eq(network_measure(&network).diameter, 6);
    fixture_close(fixture);
}
END_TEST

/* Kim et al. 2008, section 3.1, with p = h hosts a router, a = 2 h routers a group and a h + 1
   groups: a router has p + a + h - 1 ports, the network a p (a h + 1) hosts. */
START_TEST(balanced_dragonflies_have_the_sizes_of_the_paper)
{
    Fixture *fixture = fixture_open();
    int64_t h = _i, a = 2 * h, groups = a * h + 1;
    const char *name = sizes_named(fixture, "dragonfly", groups, a, h);
    Network network = network_named(fixture, name, TIES_PLUS);
    ck_assert_int_eq(network.p, a * h * groups);
    for (int64_t node = 0; node < network.node_count; node++)
        ck_assert_int_eq(network_degree(&network, node), node < network.p ? 1 : h + a + h - 1);
    ck_assert_int_eq(network_measure(&network).diameter, 5);
    fixture_close(fixture);
}
END_TEST

/* Local, global, local at most, and one global link just where the groups differ. */
static void assert_minimal(Fixture *fixture, const Network *network, int64_t group, int64_t from,
                           int64_t to)
{
    Routes routes;
    ck_assert(network_route(network, fixture->arena, 1, &from, &to, &routes, &fixture->diag));
    int64_t locals[2] = {0}, globals = 0;
    for (size_t i = 0; i < routes.link_count; i++) {
        if (is_of_level(network, routes.from[i], routes.to[i], "local"))
            locals[globals]++;
        globals += is_of_level(network, routes.from[i], routes.to[i], "global");
        ck_assert_int_le(globals, 1);
    }
    ck_assert_int_eq(routes.to[routes.link_count - 1], to);
    ck_assert_int_eq(globals, from / group != to / group);
    ck_assert_int_le(locals[0], 1);
    ck_assert_int_le(locals[1], 1);
}

START_TEST(dragonflies_of_all_sizes_send_minimal_ways)
{
    Fixture *fixture = fixture_open();
    int64_t groups = _i;
    library_topology(fixture->library, text_of(fixture, "dragonfly"), &fixture->diag);
    for (int64_t a = 1; a <= 4; a++)
        for (int64_t hosts = 1; hosts <= 2; hosts++) {
            ArenaMark mark = arena_mark(fixture->arena);
            const char *name = sizes_named(fixture, "dragonfly", groups, a, hosts);
            Network network = network_named(fixture, name, TIES_PLUS);
            ck_assert_str_eq(network.name, name);
            ck_assert_int_eq(network_measure(&network).links,
                             2 * network.p + groups * a * (a - 1) + groups * (groups - 1));
            for (int64_t s = 0; s < network.p; s++)
                for (int64_t t = 0; t < network.p; t++)
                    if (s != t)
                        assert_minimal(fixture, &network, a * hosts, s, t);
            arena_release(fixture->arena, mark);
        }
    fixture_close(fixture);
}
END_TEST

/* Messages on the busiest link where every rank sends to the rank `shift` places up. */
static int64_t load_of_shift(Fixture *fixture, const Network *network, int64_t shift)
{
    int64_t *from = ARENA_ARRAY(fixture->arena, int64_t, (size_t)network->p);
    int64_t *to = ARENA_ARRAY(fixture->arena, int64_t, (size_t)network->p);
    for (int64_t r = 0; r < network->p; r++)
        from[r] = r, to[r] = (r + shift) % network->p;
    Routes routes;
    ck_assert(network_route(network, fixture->arena, (size_t)network->p, from, to, &routes,
                            &fixture->diag));
    size_t nodes = (size_t)network->node_count;
    int64_t *loads = ARENA_ARRAY(fixture->arena, int64_t, nodes * nodes), most = 0;
    for (size_t i = 0; i < routes.link_count; i++) {
        int64_t load = ++loads[(size_t)routes.from[i] * nodes + (size_t)routes.to[i]];
        most = load > most ? load : most;
    }
    return most;
}

/* Any shift at full speed, with or without a core, with pods as the paper has them or not. */
START_TEST(fat_trees_do_not_block_shifts)
{
    static const char *const names[] = {"fat-tree:4x2x2", "fat-tree:6x3x3", "fat-tree:3x4x2",
                                        "fat-tree:5x2x3", "fat-tree:1x8x4", "fat-tree:1x5x3"};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, names[_i], TIES_PLUS);
    for (int64_t shift = 1; shift < network.p; shift++)
        ck_assert_int_eq(load_of_shift(fixture, &network, shift), 1);
    fixture_close(fixture);
}
END_TEST

/* With one link up for 4 hosts a shift loads it with 4 messages at most, and some shift does. */
START_TEST(tapers_of_fat_trees_share_links_up)
{
    static const char *const names[] = {"fat-tree:4x2x4:taper=4", "fat-tree:1x8x4:taper=4",
                                        "fat-tree:4x2x4:taper=2", "fat-tree:3x3x4:taper=2"};
    static const int64_t tapers[] = {4, 4, 2, 2};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, names[_i], TIES_PLUS);
    ck_assert_str_eq(network.name, names[_i]);
    int64_t most = 0;
    for (int64_t shift = 1; shift < network.p; shift++) {
        int64_t load = load_of_shift(fixture, &network, shift);
        most = load > most ? load : most;
    }
    ck_assert_int_eq(most, tapers[_i]);
    fixture_close(fixture);
}
END_TEST

/* All hosts of a group send to the next one, or to the fifth: a p messages over one link. */
START_TEST(dragonflies_block_groups)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "dragonfly:9x4x2", TIES_PLUS);
    ck_assert_int_eq(load_of_shift(fixture, &network, 8), 8);
    ck_assert_int_eq(load_of_shift(fixture, &network, 40), 8);
    /* Half of each group to the next one: 4 messages over one link from router 0 to router 3 there.
       Before, 2 each come from routers 2 and 3; behind, 2 each go to routers 0 and 1. So the local
       link from 3 to 0 has 2 + 2. */
    ck_assert_int_eq(load_of_shift(fixture, &network, 4), 4);
    Network larger = network_named(fixture, "dragonfly:33x8x4", TIES_PLUS);
    ck_assert_int_eq(load_of_shift(fixture, &larger, 32), 32);
    fixture_close(fixture);
}
END_TEST

Suite *capacity_graph_suite(void)
{
    Suite *suite = suite_create("capacity_graph");
    TCase *tcase = tcase_create("capacity_graph");
    tcase_add_loop_test(tcase, fat_trees_have_the_sizes_of_the_paper, 1, 6);
    tcase_add_loop_test(tcase, balanced_dragonflies_have_the_sizes_of_the_paper, 1, 4);
    tcase_add_loop_test(tcase, dragonflies_of_all_sizes_send_minimal_ways, 1, 10);
    tcase_add_loop_test(tcase, fat_trees_do_not_block_shifts, 0, 6);
    tcase_add_loop_test(tcase, tapers_of_fat_trees_share_links_up, 0, 4);
    tcase_add_test(tcase, dragonflies_block_groups);
    suite_add_tcase(suite, tcase);
    return suite;
}
