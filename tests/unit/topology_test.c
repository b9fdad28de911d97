/* The topologies of the library and of user files: ways worked out by hand, and the known formulas
   for links and diameters. */
#include "base/random.h"
#include "net/measure.h"

#include "unit.h"

#include <string.h>

/* The links of one message: "0>1 1>2". */
static const char *way(Fixture *fixture, const Network *network, int64_t from, int64_t to)
{
    Routes routes;
    if (!network_route(network, fixture->arena, 1, &from, &to, &routes, &fixture->diag))
        return NULL;
    const char *text = "";
    for (size_t i = 0; i < routes.link_count; i++) {
        ck_assert_int_eq(routes.slot[i], (int64_t)i);
        text = arena_printf(fixture->arena, "%s%s%lld>%lld", text, i ? " " : "",
                            (long long)routes.from[i], (long long)routes.to[i]);
    }
    return text;
}

static const struct {
    const char *network;
    Ties ties;
    int64_t from, to;
    const char *way;
} ways[] = {
    {"full:4x8", TIES_PLUS, 3, 20, "3>20"},
    {"linear:9", TIES_PLUS, 7, 5, "7>6 6>5"},
    {"ring:5", TIES_PLUS, 0, 3, "0>4 4>3"},
    {"ring:2", TIES_PLUS, 0, 1, "0>1"},
    {"ring:2", TIES_PARITY, 1, 0, "1>0"},
    /* three links on either side */
    {"ring:6", TIES_PLUS, 1, 4, "1>2 2>3 3>4"},
    {"ring:6", TIES_PLUS, 4, 1, "4>5 5>0 0>1"},
    {"ring:6", TIES_INSIDE, 1, 4, "1>2 2>3 3>4"},
    {"ring:6", TIES_INSIDE, 4, 1, "4>3 3>2 2>1"},
    {"ring:6", TIES_PARITY, 1, 4, "1>0 0>5 5>4"},
    {"ring:6", TIES_PARITY, 4, 1, "4>5 5>0 0>1"},
    /* no tie: two links are fewer than four */
    {"ring:6", TIES_INSIDE, 5, 1, "5>0 0>1"},
    {"uniring:4", TIES_PLUS, 2, 1, "2>3 3>0 0>1"},
    /* rank x + 3 y */
    {"mesh:3x2", TIES_PLUS, 0, 5, "0>1 1>2 2>5"},
    {"mesh:3x2", TIES_PLUS, 5, 0, "5>4 4>3 3>0"},
    /* rank x + 4 y: 11 is (3, 2), one link back in either dimension */
    {"torus:4x3", TIES_PLUS, 0, 11, "0>3 3>11"},
    {"torus:4x3", TIES_PLUS, 0, 6, "0>1 1>2 2>6"},
    {"torus:4x3", TIES_INSIDE, 3, 1, "3>2 2>1"},
    {"torus:4x3", TIES_PARITY, 1, 3, "1>0 0>3"},
    /* 101 -> 010: the lowest bit first */
    {"hypercube:8", TIES_PLUS, 5, 2, "5>4 4>6 6>2"},
    /* 7 and 8 are below 3, 3 and 4 below 1 */
    {"tree:15", TIES_PLUS, 7, 4, "7>3 3>1 1>4"},
    {"tree:15", TIES_PLUS, 0, 14, "0>2 2>6 6>14"},
    {"tree:12", TIES_PLUS, 5, 3, "5>2 2>0 0>1 1>3"},
    /* the hub is node 5 */
    {"star:5", TIES_PLUS, 1, 3, "1>5 5>3"},
    /* 4 nodes of 8: 9 and 10 are on node 1, whose switch is 33; the core is 36 */
    {"cluster:4x8", TIES_PLUS, 9, 10, "9>33 33>10"},
    {"cluster:4x8", TIES_PLUS, 9, 0, "9>33 33>36 36>32 32>0"},
    /* 16 hosts; edge switches 16 .. 23, aggregation 24 .. 31, core 32 .. 35 */
    {"fat-tree:4x2x2", TIES_PLUS, 0, 1, "0>16 16>1"},
    /* 3 is odd: by the second aggregation switch of the pod */
    {"fat-tree:4x2x2", TIES_PLUS, 0, 3, "0>16 16>25 25>17 17>3"},
    /* 14 is even, and its edge switch the second of its pod: second core switch of the first two */
    {"fat-tree:4x2x2", TIES_PLUS, 5, 14, "5>18 18>26 26>33 33>30 30>23 23>14"},
    /* 4 hosts on an edge switch, 2 links up: edge switches 32 .. 39, aggregation 40 .. 47, core 48
       .. 51 */
    {"fat-tree:4x2x4:taper=2", TIES_PLUS, 0, 3, "0>32 32>3"},
    {"fat-tree:4x2x4:taper=2", TIES_PLUS, 0, 7, "0>32 32>41 41>33 33>7"},
    {"fat-tree:4x2x4:taper=2", TIES_PLUS, 5, 30, "5>33 33>40 40>49 49>46 46>39 39>30"},
    /* as above, with 2 devices a host: node switches 64 .. 95, edge 96 .. 103, aggregation 104 ..
       111 */
    {"fat-tree-devices:4x2x4x2:taper=2", TIES_PLUS, 11, 60,
     "11>69 69>97 97>104 104>113 113>110 110>103 103>94 94>60"},
    /* 72 hosts; router a of group g is 72 + 4 g + a; global link i is at router (i - 1) mod 4 */
    {"dragonfly:9x4x2", TIES_PLUS, 0, 1, "0>72 72>1"},
    {"dragonfly:9x4x2", TIES_PLUS, 0, 7, "0>72 72>75 75>7"},
    /* 2 groups on, from router 1, to router (9 - 2 - 1) mod 4 = 2 of group 2; 20 is at router 2 */
    {"dragonfly:9x4x2", TIES_PLUS, 0, 20, "0>72 72>73 73>82 82>20"},
    /* from group 8 two on to group 1, from router 3; 8 is at router 0 */
    {"dragonfly:9x4x2", TIES_PLUS, 70, 8, "70>107 107>105 105>78 78>76 76>8"},
};

START_TEST(ways_are_those_worked_out_by_hand)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, ways[_i].network, ways[_i].ties);
    ck_assert_str_eq(network.name, ways[_i].network);
    ck_assert_str_eq(way(fixture, &network, ways[_i].from, ways[_i].to), ways[_i].way);
    fixture_close(fixture);
}
END_TEST

/* Formulas from textbooks, for sizes a, b and c (1 where there is none). */
typedef int64_t (*Formula3)(int64_t a, int64_t b, int64_t c);

static int64_t floor_log(int64_t n)
{
    int64_t log = 0;
    while (n >>= 1)
        log++;
    return log;
}

/* Links of one rank in a ring of n. */
static int64_t of_ring(int64_t n)
{
    return n > 2 ? 2 : n - 1;
}

static int64_t full_links(int64_t a, int64_t b, int64_t c)
{
    return a * b * c * (a * b * c - 1);
}

static int64_t full_diameter(int64_t a, int64_t b, int64_t c)
{
    return a * b * c > 1;
}

static int64_t mesh_links(int64_t a, int64_t b, int64_t c)
{
    return 2 * ((a - 1) * b * c + (b - 1) * a * c + (c - 1) * a * b);
}

static int64_t mesh_diameter(int64_t a, int64_t b, int64_t c)
{
    return a + b + c - 3;
}

static int64_t torus_links(int64_t a, int64_t b, int64_t c)
{
    return a * b * c * (of_ring(a) + of_ring(b) + of_ring(c));
}

static int64_t torus_diameter(int64_t a, int64_t b, int64_t c)
{
    return a / 2 + b / 2 + c / 2;
}

static int64_t uniring_links(int64_t a, int64_t b, int64_t c)
{
    return a > 1 ? a : 0 * b * c;
}

static int64_t hypercube_links(int64_t a, int64_t b, int64_t c)
{
    return a * floor_log(a) * b * c;
}

static int64_t hypercube_diameter(int64_t a, int64_t b, int64_t c)
{
    return floor_log(a) * b * c;
}

static int64_t star_links(int64_t a, int64_t b, int64_t c)
{
    return 2 * a * b * c;
}

static int64_t star_diameter(int64_t a, int64_t b, int64_t c)
{
    return a > 1 ? 2 : 0 * b * c;
}

static int64_t tree_links(int64_t a, int64_t b, int64_t c)
{
    return 2 * (a - 1) * b * c;
}

/* Ranks of depth L begin at 2^L - 1; their right half is below the root's right child. */
static int64_t tree_diameter(int64_t a, int64_t b, int64_t c)
{
    int64_t depth = floor_log(a), right = ((int64_t)3 << depth >> 1) - 1;
    return a == 1 ? 0 : 2 * depth - (a - 1 < right) * b * c;
}

/* A link for every device and one for every node, there and back. */
static int64_t cluster_links(int64_t a, int64_t b, int64_t c)
{
    return 2 * (a * b + a) * c;
}

static int64_t cluster_diameter(int64_t a, int64_t b, int64_t c)
{
    return a > 1 ? 4 : b > 1 ? 2 * c : 0;
}

/* As many links on each of the three levels, there and back; one pod alone has no core. */
static int64_t fat_tree_links(int64_t a, int64_t b, int64_t c)
{
    return 2 * a * b * c * (a > 1 ? 3 : 2);
}

static int64_t fat_tree_diameter(int64_t a, int64_t b, int64_t c)
{
    return a > 1 ? 6 : b > 1 ? 4 : c > 1 ? 2 : 0;
}

static const struct {
    const char *name;
    int dimensions;
    bool symmetric;
    Formula3 links, diameter;
} families[] = {
    {"full", 2, true, full_links, full_diameter},
    {"linear", 1, true, mesh_links, mesh_diameter},
    {"mesh", 2, true, mesh_links, mesh_diameter},
    {"mesh", 3, true, mesh_links, mesh_diameter},
    {"ring", 1, true, torus_links, torus_diameter},
    {"torus", 1, true, torus_links, torus_diameter},
    {"torus", 2, true, torus_links, torus_diameter},
    {"torus", 3, true, torus_links, torus_diameter},
    {"uniring", 1, false, uniring_links, mesh_diameter},
    {"hypercube", 0, true, hypercube_links, hypercube_diameter},
    {"star", 1, true, star_links, star_diameter},
    {"tree", 1, true, tree_links, tree_diameter},
    {"cluster", 2, true, cluster_links, cluster_diameter},
    {"fat-tree", 3, true, fat_tree_links, fat_tree_diameter},
};

static void assert_symmetric(const Network *network)
{
    for (int64_t n = 0; n < network->node_count && network->starts; n++) {
        ck_assert_int_eq(network_degree(network, n), network_arrivals(network, n));
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            int64_t other = network->neighbours[i];
            bool back = false;
            for (int64_t j = network->starts[other]; j < network->starts[other + 1]; j++)
                back |= network->neighbours[j] == n;
            ck_assert(back);
        }
    }
}

/* Every message begins and ends where it should, goes from link to link, and takes a shortest way.
 */
static void assert_routes(Fixture *fixture, const Network *network)
{
    int64_t p = network->p,
            *distances = ARENA_ROOM(fixture->arena, int64_t, (size_t)network->node_count);
    int64_t *from = ARENA_ROOM(fixture->arena, int64_t, (size_t)p);
    int64_t *to = ARENA_ROOM(fixture->arena, int64_t, (size_t)p);
    for (int64_t s = 0; s < p; s++) {
        size_t count = 0;
        Routes routes;
        network_distances(network, fixture->arena, s, distances);
        for (int64_t r = 0; r < p; r++)
            if (r != s)
                from[count] = s, to[count++] = r;
        ck_assert(network_route(network, fixture->arena, count, from, to, &routes, &fixture->diag));
        int64_t *at = ARENA_COPY(fixture->arena, int64_t, from, count);
        int64_t *hops = ARENA_ARRAY(fixture->arena, int64_t, count + 1);
        for (size_t i = 0; i < routes.link_count; i++) {
            int64_t message = routes.message[i];
            ck_assert_int_eq(routes.from[i], at[message]);
            ck_assert_int_eq(routes.slot[i], hops[message]++);
            at[message] = routes.to[i];
        }
        for (size_t i = 0; i < count; i++) {
            ck_assert_int_eq(at[i], to[i]);
            ck_assert_int_eq(hops[i], routes.hops[i]);
            ck_assert_int_eq(hops[i], distances[to[i]]);
        }
    }
}

static void assert_family(Fixture *fixture, size_t family, const char *name, int64_t a, int64_t b,
                          int64_t c)
{
    for (int ties = 0; ties < TIES_COUNT; ties++) {
        ArenaMark mark = arena_mark(fixture->arena);
        Network network = network_named(fixture, name, (Ties)ties);
        Measures measures = network_measure(&network);
        ck_assert_str_eq(network.name, name);
        ck_assert_int_eq(network.p, a * b * c);
        ck_assert_msg(measures.links == families[family].links(a, b, c), "%s has %lld links", name,
                      (long long)measures.links);
        ck_assert_msg(measures.diameter == families[family].diameter(a, b, c),
                      "%s has the diameter %lld", name, (long long)measures.diameter);
        if (families[family].symmetric)
            assert_symmetric(&network);
        assert_routes(fixture, &network);
        arena_release(fixture->arena, mark);
    }
}

START_TEST(families_agree_with_their_formulas)
{
    Fixture *fixture = fixture_open();
    const char *name = families[_i].name;
    int dimensions = families[_i].dimensions;
    library_topology(fixture->library, text_of(fixture, name), &fixture->diag);
    for (int64_t a = 1; a <= (dimensions == 1 ? 20 : dimensions == 2 ? 6 : 4); a++)
        for (int64_t b = 1; b <= (dimensions > 1 ? 5 : 1); b++)
            for (int64_t c = 1; c <= (dimensions > 2 ? 3 : 1); c++) {
                int64_t p = dimensions ? a : 1 << a;
                const char *sizes = arena_printf(fixture->arena,
                                                 dimensions > 2   ? "%s:%lldx%lldx%lld"
                                                 : dimensions > 1 ? "%s:%lldx%lld"
                                                                  : "%s:%lld",
                                                 name, (long long)p, (long long)b, (long long)c);
                assert_family(fixture, (size_t)_i, sizes, p, b, c);
            }
    fixture_close(fixture);
}
END_TEST

/* Rows and columns are counted by hand: means over ordered pairs of different ranks. */
static const struct {
    const char *network;
    int64_t numerator, denominator;
} means[] = {
    {"linear:3", 4, 3},     /* 1 + 2, 1 + 1, 2 + 1 over 6 */
    {"ring:4", 4, 3},       /* 1 + 2 + 1 from each rank, over 3 */
    {"torus:4x4", 32, 15},  /* each dimension 1 + 2 + 1 in 4 lines, twice: 32 from each rank */
    {"hypercube:8", 12, 7}, /* 3 of 1, 3 of 2, 1 of 3 */
    {"star:9", 2, 1},       {"cluster:2x2", 10, 3}, /* 2, 4, 4 from each rank */
    {"tree:3", 4, 3},
};

START_TEST(means_are_those_counted_by_hand)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, means[_i].network, TIES_PLUS);
    Measures measures = network_measure(&network);
    ck_assert_int_eq(measures.numerator, means[_i].numerator);
    ck_assert_int_eq(measures.denominator, means[_i].denominator);
    fixture_close(fixture);
}
END_TEST

/* A long ring keeps the next hops only once they were computed often enough. */
START_TEST(kept_hops_are_the_computed_ones)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "ring:90", TIES_PARITY);
    const char *first = way(fixture, &network, 3, 48);
    for (int i = 0; i < 3; i++)
        assert_routes(fixture, &network);
    ck_assert_str_eq(way(fixture, &network, 3, 48), first);
    ck_assert_int_eq(first[2], '2'); /* down: 3>2 */
    fixture_close(fixture);
}
END_TEST

START_TEST(shapes_are_as_square_as_possible)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(network_of(fixture, "torus", 16).name, "torus:4x4");
    ck_assert_str_eq(network_of(fixture, "torus", 24).name, "torus:6x4");
    ck_assert_str_eq(network_of(fixture, "mesh", 7).name, "mesh:7x1");
    ck_assert_str_eq(network_of(fixture, "hypercube", 1).name, "hypercube:1");
    ck_assert_str_eq(network_of(fixture, "full", 24).name, "full:24");
    /* devices vary fastest, nodes are written first */
    Network cluster = network_named(fixture, "cluster:4x8", TIES_PLUS);
    ck_assert_str_eq(cluster.shape.names[0], "device");
    ck_assert_int_eq(cluster.shape.sizes[0], 8);
    ck_assert_int_eq(shape_coordinate(&cluster.shape, 11, 0), 3);
    ck_assert_int_eq(shape_coordinate(&cluster.shape, 11, 1), 1);
    Network cube = network_named(fixture, "hypercube:8", TIES_PLUS);
    ck_assert_int_eq(cube.shape.count, 3);
    fixture_close(fixture);
}
END_TEST

/* 0 - 1
   |   |   each link there and back
   2 - 3                          */
static const char square[] = "topology: square\nranks: 4\nrouting: shortest\nlinks:\n"
                             "  - {from: 0, to: 1, both: yes}\n"
                             "  - {from: 1, to: 3, both: yes}\n"
                             "  - {from: 3, to: 2, both: yes}\n"
                             "  - {from: 2, to: 0, both: yes}\n";

START_TEST(shortest_ways_are_chosen_by_their_end)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, square);
    Network network = network_of(fixture, "square", 4);
    /* both neighbours of 0 are nearer to 3: number 3 mod 2 = 1 of (1, 2) */
    ck_assert_str_eq(way(fixture, &network, 0, 3), "0>2 2>3");
    /* number 2 mod 2 = 0 of (0, 3) */
    ck_assert_str_eq(way(fixture, &network, 1, 2), "1>0 0>2");
    ck_assert_str_eq(way(fixture, &network, 2, 3), "2>3");
    fixture_close(fixture);
}
END_TEST

START_TEST(no_way_is_an_error)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: pairs\nrouting: shortest\nlinks: {from: r, to: r xor 1}\n");
    Network network = network_of(fixture, "pairs", 4);
    ck_assert_str_eq(way(fixture, &network, 0, 1), "0>1");
    ck_assert_ptr_null(way(fixture, &network, 0, 2));
    assert_error_at(fixture, "user.yaml", 1, 11);
    ck_assert(!network_measure(&network).connected);
    fixture_close(fixture);
}
END_TEST

enum { MOST_NODES = 24 };

/* Shortest ways between all nodes, by Floyd and Warshall. */
static void find_ways(int64_t ways_between[MOST_NODES][MOST_NODES], int nodes)
{
    for (int k = 0; k < nodes; k++)
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++)
                if (ways_between[i][k] + ways_between[k][j] < ways_between[i][j])
                    ways_between[i][j] = ways_between[i][k] + ways_between[k][j];
}

START_TEST(random_graphs_have_shortest_routes)
{
    Fixture *fixture = fixture_open();
    uint64_t state = 77 + (uint64_t)_i;
    int ranks = 2 + (int)(random_next(&state) % 14), switches = (int)(random_next(&state) % 9);
    int nodes = ranks + switches;
    int64_t ways_between[MOST_NODES][MOST_NODES];
    const char *yaml = arena_printf(fixture->arena,
                                    "topology: random\nrouting: shortest\nranks: %d\n"
                                    "switches: %d\nlinks:\n",
                                    ranks, switches);
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++) {
            /* a directed ring through all nodes, so that every one is reached, and some more */
            bool linked = i != j && (j == (i + 1) % nodes || random_next(&state) % 9 == 0);
            ways_between[i][j] = i == j ? 0 : linked ? 1 : 1000;
            if (linked)
                yaml = arena_printf(fixture->arena, "%s  - {from: %d, to: %d}\n", yaml, i, j);
        }
    find_ways(ways_between, nodes);
    use_models(fixture, yaml);
    Network network = network_of(fixture, "random", ranks);
    ck_assert_int_eq(network.node_count, nodes);
    assert_routes(fixture, &network);
    for (int64_t i = 0; i < ranks; i++) {
        int64_t distances[MOST_NODES];
        network_distances(&network, fixture->arena, i, distances);
        for (int64_t j = 0; j < nodes; j++)
            ck_assert_int_eq(distances[j], ways_between[i][j]);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(links_know_their_class)
{
    Fixture *fixture = fixture_open();
    int64_t from = 9, to = 0;
    Routes routes;
    Network network = network_named(fixture, "cluster:4x8", TIES_PLUS);
    ck_assert(network_route(&network, fixture->arena, 1, &from, &to, &routes, &fixture->diag));
    const char *const levels[] = {"device", "node", "node", "device"};
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(network.classes[routes.classes[i]].level, levels[i]);
    use_models(fixture, "topology: mine\nranks: 3\nrouting: shortest\nlinks:\n"
                        "  - {from: 0, to: 1, bandwidth: 4 GB/s, latency: 100 ns}\n"
                        "  - {from: 1, to: 2, lanes: p - 1}\n"
                        "  - {from: 2, to: 0}\n");
    Network mine = network_of(fixture, "mine", 3);
    from = 0, to = 2;
    ck_assert(network_route(&mine, fixture->arena, 1, &from, &to, &routes, &fixture->diag));
    const LinkClass *first = &mine.classes[routes.classes[0]];
    const LinkClass *second = &mine.classes[routes.classes[1]];
    ck_assert(first->tw == 1 / 4e9 && first->th == 1e-7 && first->lanes == 0);
    ck_assert(second->tw < 0 && second->th < 0 && second->lanes == 2);
    fixture_close(fixture);
}
END_TEST

/* One way between two ranks, and no class of its own where all links are alike. */
START_TEST(the_same_link_twice_is_one)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: twice\nranks: 2\nnext: to\nlinks:\n"
                        "  - {from: 0, to: 1, both: yes, latency: 1 us}\n"
                        "  - {from: 1, to: 0, latency: 1 us}\n");
    Network network = network_of(fixture, "twice", 2);
    ck_assert_int_eq(network.starts[2], 2);
    ck_assert_ptr_null(network.link_classes);
    ck_assert(network.classes[0].th == 1e-6);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *yaml;
    size_t line, column;
} mistakes[] = {
    {"links: {from: r, to: r + 1, both: yes}\nnext: to\n", 2, 22},
    {"links: {from: r - 1, to: r}\nnext: to\n", 2, 15},
    {"links: {from: r, to: r}\nnext: to\n", 2, 22},
    {"links:\n  - {from: 0, to: 1}\n  - {from: 0, to: 1, latency: 1 us}\nnext: to\n", 4, 12},
    {"links:\n  - {from: 0, to: 1, bandwidth: 5 GB/s}\n  - {from: 0, to: 1, bandwidth: 6 GB/s}\n"
     "next: to\n",
     4, 12},
    {"links: {from: 0, to: 1, lanes: 0}\nnext: to\n", 2, 32},
    {"switches: 0 - 1\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 11},
    {"switches: 2^62 + (2^62 - 1)\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 11},
    {"switches: 2^40\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 11},
    {"links: {for: i in 0 .. 2^40, from: 0, to: 1}\nnext: to\n", 2, 36},
    {"links: {for: i in 1 .. 40000, from: 0, to: 1 + 0 * i, lanes: i}\nnext: to\n", 2, 37},
};

START_TEST(links_that_cannot_be_are_refused)
{
    Fixture *fixture = fixture_open();
    Network network;
    const Shape shape = shape_line(4);
    use_models(fixture, arena_printf(fixture->arena, "topology: x\n%s", mistakes[_i].yaml));
    const Topology *topology =
        library_topology(fixture->library, text_of(fixture, "x"), &fixture->diag);
    assert_no_error(fixture);
    ck_assert(
        !network_create(fixture->arena, topology, &shape, TIES_PLUS, &network, &fixture->diag));
    assert_error_at(fixture, "user.yaml", mistakes[_i].line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *yaml;
    size_t line, column;
} unreadable[] = {
    {"product: hypercube\n", 2, 10},
    {"product: cluster\n", 2, 10},
    {"product: fat-tree:4x2\n", 2, 19},
    {"dimensions: {a: A, b: B}\nproduct: [ring, hypercube]\n", 3, 17},
    {"dimensions: {a: A, b: B}\nproduct: [ring]\n", 3, 10},
    {"dimensions: any\nproduct: [ring, star]\n", 3, 10},
    {"product: ring\nnext: to\n", 3, 7},
    {"links: {from: 0, to: 1}\nnext: to\nrouting: shortest\n", 4, 10},
    {"links: {from: 0, to: 1}\nrouting: longest\n", 3, 10},
    {"dimensions: two\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 13},
    {"dimensions: {a: p}\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 17},
    {"dimensions: {a: N, b: N}\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 23},
    {"dimensions: {a: 4, b: N}\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 23},
    {"dimensions: {for: N}\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 14},
    {"fastest: middle\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 10},
    {"ranks: 6\ndimensions: 2 each\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 8},
    {"ranks: 0\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 8},
    {"switches: r\nlinks: {from: 0, to: 1}\nnext: to\n", 2, 11},
    {"links: {from: 0}\nnext: to\n", 2, 8},
    {"links: {from: 0, to: 1, level: node}\nnext: to\n", 2, 32},
    {"levels: [a, b]\nlinks: {from: 0, to: 1, level: c}\nnext: to\n", 3, 32},
    {"links: {from: 0, to: 1, bandwidth: 1 us}\nnext: to\n", 2, 36},
    {"links: {from: 0, to: 1, bandwidth: 0 B/s}\nnext: to\n", 2, 36},
    {"links: {from: 0, to: 1, latency: 3}\nnext: to\n", 2, 34},
    {"links: {from: 0, to: 1, both: maybe}\nnext: to\n", 2, 31},
    {"links: {for: r in 0 .. 1, from: 0, to: 1}\nnext: to\n", 2, 14},
    {"links: {for: i in 0, from: 0, to: 1}\nnext: to\n", 2, 20},
    {"links: {from: up, to: 1}\nnext: to\n", 2, 15},
    {"links: {fro: 0, to: 1}\nnext: to\n", 2, 9},
};

START_TEST(mistakes_are_told_with_their_place)
{
    Fixture *fixture = fixture_open();
    const char *yaml = arena_printf(fixture->arena, "topology: x\n%s", unreadable[_i].yaml);
    ck_assert(!add_models(fixture, yaml) ||
              !library_topology(fixture->library, text_of(fixture, "x"), &fixture->diag));
    assert_error_at(fixture, "user.yaml", unreadable[_i].line, unreadable[_i].column);
    fixture_close(fixture);
}
END_TEST

Suite *topology_suite(void)
{
    Suite *suite = suite_create("topology");
    TCase *formulas = tcase_create("families"), *good = tcase_create("networks");
    tcase_set_timeout(formulas, 300);
    tcase_set_tags(formulas, "slow");
    tcase_set_timeout(good, 300);
    tcase_add_loop_test(good, ways_are_those_worked_out_by_hand, 0, sizeof ways / sizeof *ways);
    tcase_add_loop_test(formulas, families_agree_with_their_formulas, 0,
                        sizeof families / sizeof *families);
    tcase_add_loop_test(good, means_are_those_counted_by_hand, 0, sizeof means / sizeof *means);
    tcase_add_test(good, kept_hops_are_the_computed_ones);
    tcase_add_test(good, shapes_are_as_square_as_possible);
    tcase_add_test(good, shortest_ways_are_chosen_by_their_end);
    tcase_add_loop_test(good, random_graphs_have_shortest_routes, 0, 40);
    tcase_add_test(good, links_know_their_class);
    tcase_add_test(good, the_same_link_twice_is_one);
    suite_add_tcase(suite, formulas);
    suite_add_tcase(suite, good);
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, no_way_is_an_error);
    tcase_add_loop_test(errors, links_that_cannot_be_are_refused, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(errors, mistakes_are_told_with_their_place, 0,
                        sizeof unreadable / sizeof *unreadable);
    suite_add_tcase(suite, errors);
    return suite;
}
