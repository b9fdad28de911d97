#include "net/exchange.h"

#include "unit.h"

typedef struct {
    const char *network;
    int64_t bits;
} Exchanging;

static const Exchanging exchanging[] = {
    {"cluster:4x8", 31},
    {"cluster:8x4:taper=2", 31},
    {"cluster:1x8", 7},
    {"fat-tree:4x2x4", 31},
    {"fat-tree:2x4x8:taper=2", 63},
    {"fat-tree:1x4x4", 15},
    {"dragonfly:8x2x4", 3},
    {"star:8", 7},
    {"cluster:3x8", 0},
    {"ring:8", 0},
    {"torus:4x4", 0},
    {"full:8", 0},
    {"linear:8", 0},
    {"hypercube:8", 0},
};

/* The links that stand for those of a path must be those of the path between their images, of the
   same classes. */
static void assert_paths_land(Fixture *fixture, const Network *network, const Exchange *exchange)
{
    const int64_t p = network->p;
    const Graph graph = network_graph(network);
    for (int64_t n = 0; n < p * p * p; n++) {
        const int64_t from = n % p, to = n / p % p, by = n / p / p;
        const int64_t starts[] = {from, from ^ by}, ends[] = {to, to ^ by};
        Routes routes[2];
        if (from == to || (by & ~exchange->bits))
            continue;
        for (int i = 0; i < 2; i++)
            ck_assert(network_route(network, fixture->arena, 1, &starts[i], &ends[i], &routes[i],
                                    &fixture->diag));
        ck_assert_uint_eq(routes[0].link_count, routes[1].link_count);
        for (size_t i = 0; i < routes[0].link_count; i++) {
            int64_t links[2];
            for (int r = 0; r < 2; r++)
                links[r] = graph_find(&graph, routes[r].from[i], routes[r].to[i]);
            ck_assert_int_eq(exchange->links[links[0]], exchange->links[links[1]]);
            ck_assert(!routes[0].classes || routes[0].classes[i] == routes[1].classes[i]);
        }
    }
}

START_TEST(ranks_are_exchanged)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, exchanging[_i].network, TIES_PLUS);
    Exchange exchange;
    const bool any = exchange_find(&network, fixture->arena, &exchange);
    ck_assert_int_eq(exchange.bits, exchanging[_i].bits);
    ck_assert_int_eq(any, exchange.bits != 0);
    ck_assert_int_eq(exchange.images, (int64_t)1 << __builtin_popcountll((uint64_t)exchange.bits));
    if (any) {
        int64_t landing = 0, links = network.starts[network.node_count];
        assert_paths_land(fixture, &network, &exchange);
        for (int64_t i = 0; i < links; i++)
            landing += exchange.links[i] == i ? exchange.landing[i] : 0;
        ck_assert_int_eq(landing, links);
    }
    fixture_close(fixture);
}
END_TEST

/* Two switches to which all ranks are linked. Which of them is taken depends on the receiver, so
   that exchanging its low bit exchanges the switches; but for one sender, which always takes the
   same. */
START_TEST(paths_that_are_not_exchanged)
{
    static const char rules[] = "switches: 2\nlinks:\n  - {from: r, to: p, both: yes}\n"
                                "  - {from: r, to: p + 1, both: yes}\nnext: ";
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena,
                            "topology: even\n%swhen(r < p, p + to mod 2, to)\n---\n"
                            "topology: odd\n%swhen(r == 5, p, when(r < p, p + to mod 2, to))\n---\n"
                            "topology: thirds\n%swhen(r < p, p + to mod 3 mod 2, to)\n",
                            rules, rules, rules));
    use_models(fixture,
               arena_printf(fixture->arena,
                            "topology: halves\n%swhen(r < 4, p + to mod 2, when(r < p, p + "
                            "to div 2 mod 2, to))\n",
                            rules));
    const struct {
        const char *name;
        int64_t bits;
    } own[] = {{"even:8", 7}, {"odd:8", 0}, {"thirds:8", 0}, {"halves:8", 0}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        Network network = network_named(fixture, own[i].name, TIES_PLUS);
        Exchange exchange;
        exchange_find(&network, fixture->arena, &exchange);
        ck_assert_int_eq(exchange.bits, own[i].bits);
        if (exchange.bits)
            assert_paths_land(fixture, &network, &exchange);
    }
    fixture_close(fixture);
}
END_TEST

Suite *exchange_ranks_suite(void)
{
    Suite *suite = suite_create("exchange_ranks");
    TCase *tests = tcase_create("exchange_ranks");
    tcase_add_loop_test(tests, ranks_are_exchanged, 0, sizeof exchanging / sizeof *exchanging);
    tcase_add_test(tests, paths_that_are_not_exchanged);
    suite_add_tcase(suite, tests);
    return suite;
}
