#include "net/network.h"

#include "unit.h"

#include <string.h>

static const char ring[] = "topology: ring\n"
                           "links:\n"
                           "  - {from: r, to: (r + 1) mod p, if: p > 1}\n"
                           "  - {from: r, to: (r - 1) mod p, if: p > 1}\n"
                           "next: when((to - r) mod p <= p div 2, (r + 1) mod p, (r - 1) mod p)\n";

/* Where the path is known without the rule, it is the one that the rule gives. */
static void check_walk(Fixture *fixture, const Network *network, const Routes *routes, int64_t from,
                       int64_t to)
{
    Walk walk = {0};
    const bool is_known = network_walk(network, fixture->arena, from, to, &walk);
    ck_assert_int_eq(is_known, network->router != NULL);
    ck_assert_uint_eq(walk.count, is_known ? routes->link_count : 0);
    for (size_t i = 0; i < walk.count; i++)
        ck_assert_int_eq(walk.items[i], routes->to[i]);
}

/* The links of one message: "0>1 1>2". */
static const char *way(Fixture *fixture, const Network *network, int64_t from, int64_t to)
{
    Routes routes;
    if (!network_route(network, fixture->arena, 1, &from, &to, &routes, &fixture->diag))
        return NULL;
    ck_assert_int_eq(routes.hops[0], (int64_t)routes.link_count);
    const char *text = "";
    for (size_t i = 0; i < routes.link_count; i++) {
        ck_assert_int_eq(routes.message[i], 0);
        text = arena_printf(fixture->arena, "%s%s%lld>%lld", text, i ? " " : "",
                            (long long)routes.from[i], (long long)routes.to[i]);
    }
    check_walk(fixture, network, &routes, from, to);
    return text;
}

START_TEST(routes_follow_the_rule)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, ring);
    Network full = network_of(fixture, "full", 8), linear = network_of(fixture, "linear", 8);
    Network round = network_of(fixture, "ring", 5);
    ck_assert_str_eq(way(fixture, &full, 6, 1), "6>1");
    ck_assert_str_eq(way(fixture, &linear, 2, 5), "2>3 3>4 4>5");
    ck_assert_str_eq(way(fixture, &linear, 2, 0), "2>1 1>0");
    ck_assert_str_eq(way(fixture, &round, 3, 0), "3>4 4>0");
    ck_assert_str_eq(way(fixture, &round, 0, 3), "0>4 4>3");
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(many_messages_are_routed_together)
{
    Fixture *fixture = fixture_open();
    Network linear = network_of(fixture, "linear", 16);
    enum { COUNT = 16 * 15 };
    int64_t from[COUNT], to[COUNT], links[COUNT] = {0};
    Routes routes;
    for (int64_t i = 0; i < COUNT; i++)
        from[i] = i / 15, to[i] = (from[i] + 1 + i % 15) % 16;
    ck_assert(network_route(&linear, fixture->arena, COUNT, from, to, &routes, &fixture->diag));
    for (size_t i = 0; i < routes.link_count; i++) {
        int64_t distance = routes.to[i] - routes.from[i];
        ck_assert(distance == 1 || distance == -1);
        links[routes.message[i]]++;
    }
    for (int64_t i = 0; i < COUNT; i++) {
        int64_t distance = from[i] < to[i] ? to[i] - from[i] : from[i] - to[i];
        ck_assert_int_eq(routes.hops[i], distance);
        ck_assert_int_eq(links[i], distance);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(distances_are_shortest_ways)
{
    Fixture *fixture = fixture_open();
    int64_t distances[8];
    use_models(fixture, ring);
    Network network = network_of(fixture, "full", 8);
    network_distances(&network, fixture->arena, 3, distances);
    for (int64_t r = 0; r < 8; r++)
        ck_assert_int_eq(distances[r], r != 3);
    network = network_of(fixture, "linear", 8);
    network_distances(&network, fixture->arena, 3, distances);
    for (int64_t r = 0; r < 8; r++)
        ck_assert_int_eq(distances[r], r < 3 ? 3 - r : r - 3);
    network = network_of(fixture, "ring", 8);
    network_distances(&network, fixture->arena, 0, distances);
    for (int64_t r = 0; r < 8; r++)
        ck_assert_int_eq(distances[r], r < 8 - r ? r : 8 - r);
    fixture_close(fixture);
}
END_TEST

START_TEST(degrees_count_links)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, ring);
    Network network = network_of(fixture, "full", 8);
    ck_assert_str_eq(network.name, "full:8");
    ck_assert_int_eq(network_degree(&network, 3), 7);
    network = network_of(fixture, "linear", 8);
    ck_assert_int_eq(network_degree(&network, 0), 1);
    ck_assert_int_eq(network_degree(&network, 3), 2);
    ck_assert_int_eq(network_degree(&network, 7), 1);
    network = network_of(fixture, "ring", 8);
    ck_assert_int_eq(network_degree(&network, 0), 2);
    network = network_of(fixture, "ring", 2); /* one link, not two */
    ck_assert_int_eq(network_degree(&network, 0), 1);
    network = network_of(fixture, "ring", 1);
    ck_assert_int_eq(network_degree(&network, 0), 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(unreachable_ranks_have_no_distance)
{
    Fixture *fixture = fixture_open();
    int64_t distances[4];
    use_models(fixture, "topology: pairs\nlinks: {from: r, to: r xor 1}\nnext: r xor 1\n");
    Network network = network_of(fixture, "pairs", 4);
    network_distances(&network, fixture->arena, 0, distances);
    ck_assert_int_eq(distances[0], 0);
    ck_assert_int_eq(distances[1], 1);
    ck_assert_int_eq(distances[2], -1);
    ck_assert_ptr_null(way(fixture, &network, 0, 2)); /* back and forth for ever */
    assert_error_at(fixture, "user.yaml", 3, 7);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *next;
    size_t column;
} wrong_rules[] = {{"to", 7}, {"r + 3", 7}, {"r", 7}, {"(r + 1) div (r - 1)", 7}, {"-1", 7}};

START_TEST(a_wrong_next_is_refused)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "topology: mine\n"
                                     "links: {from: r, to: r + 1, if: r < p - 1, both: yes}\n"
                                     "next: %s\n",
                                     wrong_rules[_i].next));
    Network network = network_of(fixture, "mine", 6);
    ck_assert_ptr_null(way(fixture, &network, 1, 4));
    assert_error_at(fixture, "user.yaml", 3, wrong_rules[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_neighbour_must_exist)
{
    Fixture *fixture = fixture_open();
    Network network;
    const Shape shape = shape_line(4);
    use_models(fixture, "topology: mine\nlinks: {from: r, to: r + 1}\nnext: r + 1\n");
    const Topology *topology =
        library_topology(fixture->library, text_of(fixture, "mine"), &fixture->diag);
    ck_assert(
        !network_create(fixture->arena, topology, &shape, TIES_PLUS, &network, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 2, 22);
    fixture_close(fixture);
}
END_TEST

START_TEST(too_many_ranks_are_refused)
{
    Fixture *fixture = fixture_open();
    Network network;
    const Shape shape = shape_line(graph_largest + 1);
    const Topology *topology =
        library_topology(fixture->library, text_of(fixture, "linear"), &fixture->diag);
    ck_assert(
        !network_create(fixture->arena, topology, &shape, TIES_PLUS, &network, &fixture->diag));
    ck_assert_uint_eq(fixture->diag.limit_count, 1);
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

Suite *net_suite(void)
{
    Suite *suite = suite_create("net");
    TCase *ways = tcase_create("ways");
    tcase_add_test(ways, routes_follow_the_rule);
    tcase_add_test(ways, many_messages_are_routed_together);
    tcase_add_test(ways, distances_are_shortest_ways);
    tcase_add_test(ways, degrees_count_links);
    suite_add_tcase(suite, ways);
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, unreachable_ranks_have_no_distance);
    tcase_add_loop_test(errors, a_wrong_next_is_refused, 0,
                        sizeof wrong_rules / sizeof *wrong_rules);
    tcase_add_test(errors, a_neighbour_must_exist);
    tcase_add_test(errors, too_many_ranks_are_refused);
    suite_add_tcase(suite, errors);
    return suite;
}
