#include "base/random.h"
#include "base/whole.h"
#include "net/measure.h"

#include "unit.h"

/* Given ends, -1: sought; then the pair. */
static const struct {
    const char *topology;
    int64_t p, from, to, found_from, found_to;
} pairs[] = {
    {"full", 4, -1, -1, 0, 1},
    {"full", 4, 0, -1, 0, 1},
    {"full", 4, -1, 0, 1, 0},
    {"full", 1, -1, -1, 0, 0},
    {"linear", 7, -1, -1, 0, 6},
    {"linear", 7, 4, -1, 4, 0}, /* 4 links to the left, 2 to the right */
    {"linear", 7, 3, -1, 3, 0}, /* 3 links both ways: the smaller number */
    {"linear", 7, -1, 2, 6, 2}, /* 4 links from the right end, 2 from the left one */
    {"linear", 7, 5, 1, 5, 1},  /* nothing is sought */
    {"ring", 8, -1, -1, 0, 4},  /* half-way round */
    {"ring", 7, 2, -1, 2, 5},   /* 3 links: 5 and 6 */
    {"uniring", 5, -1, -1, 0, 4},
    {"uniring", 5, 3, -1, 3, 2}, /* all the way round */
    {"hypercube", 16, -1, -1, 0, 15},
    {"hypercube", 16, 5, -1, 5, 10}, /* all bits turned */
    {"star", 5, -1, -1, 0, 1},       /* two links between any two; the hub is no rank */
    {"tree", 15, -1, -1, 7, 11},     /* 7 3 1 0 2 5 11: the first leaves of both halves */
    {"torus", 16, -1, -1, 0, 10},    /* 4 x 4: (2, 2) = 2 + 4 * 2 */
    {"torus", 16, 7, -1, 7, 13},     /* from (3, 1): x 3 + 2 - 4 = 1, y 1 + 2 = 3 */
    {"mesh", 12, 5, -1, 5, 3},       /* 4 x 3, from (1, 1): x 3; y 0 is as far as y 2 */
};

START_TEST(the_farthest_pair_is_found)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, pairs[_i].topology, pairs[_i].p);
    int64_t from = pairs[_i].from, to = pairs[_i].to;
    ck_assert(network_farthest(&network, &from, &to));
    ck_assert_int_eq(from, pairs[_i].found_from);
    ck_assert_int_eq(to, pairs[_i].found_to);
    fixture_close(fixture);
}
END_TEST

/* 30000 searches over 30000 nodes and their links are too many; one is not. */
START_TEST(a_search_that_takes_too_long_is_refused)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "ring", 30000);
    int64_t from = -1, to = -1;
    ck_assert(!network_farthest(&network, &from, &to));
    from = 7;
    ck_assert(network_farthest(&network, &from, &to));
    ck_assert_int_eq(to, 15007);
    fixture_close(fixture);
}
END_TEST

/* Random networks, link by link: leaves of one switch, and such as have more links than one, or
   hang on it in one direction only. */
enum { MOST_RANKS = 7, MOST_NODES = 11, NONE = 100 };

typedef struct {
    int64_t ranks, nodes;
    int64_t far[MOST_NODES][MOST_NODES]; /* links on the shortest way; NONE: there is none */
} Sketch;

static void sketch_link(Fixture *fixture, Sketch *sketch, const char **yaml, int64_t from,
                        int64_t to)
{
    if (from == to || sketch->far[from][to] == 1)
        return;
    sketch->far[from][to] = 1;
    *yaml = arena_printf(fixture->arena, "%s  - {from: %lld, to: %lld}\n", *yaml, (long long)from,
                         (long long)to);
}

static const char *sketch_draw(Fixture *fixture, Sketch *sketch, const char *name, uint64_t *random)
{
    sketch->ranks = 2 + (int64_t)(random_next(random) % (MOST_RANKS - 1));
    const int64_t p = sketch->ranks, switches = 1 + (int64_t)(random_next(random) % 4);
    sketch->nodes = p + switches;
    const char *yaml =
        arena_printf(fixture->arena, "topology: %s\nranks: %lld\nswitches: %lld\nlinks:\n", name,
                     (long long)p, (long long)switches);
    for (int64_t a = 0; a < sketch->nodes; a++)
        for (int64_t b = 0; b < sketch->nodes; b++)
            sketch->far[a][b] = a == b ? 0 : NONE;
    for (int64_t r = 0; r < p; r++) {
        const int64_t above = p + (int64_t)(random_next(random) % (uint64_t)switches);
        const uint64_t kind = random_next(random) % 16;
        if (kind != 0)
            sketch_link(fixture, sketch, &yaml, r, above);
        const int64_t other = p + (int64_t)(random_next(random) % (uint64_t)switches);
        if (kind != 1)
            sketch_link(fixture, sketch, &yaml, kind < 6 ? other : above, r);
    }
    for (int64_t s = p + 1; s < sketch->nodes; s++) {
        sketch_link(fixture, sketch, &yaml, s - 1, s);
        sketch_link(fixture, sketch, &yaml, s, s - 1);
    }
    for (uint64_t more = 1 + random_next(random) % 3; more > 0; more--)
        sketch_link(fixture, sketch, &yaml,
                    (int64_t)(random_next(random) % (uint64_t)sketch->nodes),
                    (int64_t)(random_next(random) % (uint64_t)sketch->nodes));
    return arena_printf(fixture->arena, "%srouting: shortest\n", yaml);
}

/* By Floyd and Warshall. */
static void sketch_measure(Sketch *sketch)
{
    for (int64_t by = 0; by < sketch->nodes; by++)
        for (int64_t a = 0; a < sketch->nodes; a++)
            for (int64_t b = 0; b < sketch->nodes; b++)
                if (sketch->far[a][by] + sketch->far[by][b] < sketch->far[a][b])
                    sketch->far[a][b] = sketch->far[a][by] + sketch->far[by][b];
}

/* In a grid of two such lines, ranks stand at (a, b) = a + b * ranks of the first one. */
static void check_measures(const Network *network, const Sketch *one, const Sketch *other)
{
    const int64_t p = one->ranks * other->ranks;
    const Measures found = network_measure(network);
    int64_t sum = 0, longest = 0;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < p; j++) {
            const int64_t far = one->far[i % one->ranks][j % one->ranks] +
                                other->far[i / one->ranks][j / one->ranks];
            sum += far;
            longest = far > longest ? far : longest;
        }
    ck_assert_int_eq(network->p, p);
    ck_assert_int_eq(found.connected, longest < NONE);
    if (!found.connected)
        return;
    const int64_t divisor = whole_common_divisor(sum, p * (p - 1));
    ck_assert(found.has_distances);
    ck_assert_int_eq(found.diameter, longest);
    ck_assert_int_eq(found.numerator, sum / divisor);
    ck_assert_int_eq(found.denominator, p * (p - 1) / divisor);
}

static void check_degrees(const Network *network, const bool linked[MOST_NODES][MOST_NODES],
                          const Sketch *sketch)
{
    const Measures found = network_measure(network);
    int64_t links = 0, least = NONE, most = 0;
    for (int64_t a = 0; a < sketch->nodes; a++) {
        int64_t degree = 0;
        for (int64_t b = 0; b < sketch->nodes; b++)
            degree += linked[a][b];
        links += degree;
        if (a >= sketch->ranks)
            continue;
        least = degree < least ? degree : least;
        most = degree > most ? degree : most;
    }
    ck_assert_int_eq(found.switches, sketch->nodes - sketch->ranks);
    ck_assert_int_eq(found.links, links);
    ck_assert_int_eq(found.least_degree, least);
    ck_assert_int_eq(found.most_degree, most);
}

/* All pairs of which none, one or both ends are given. */
static void check_farthest(const Network *network, const Sketch *sketch)
{
    const int64_t p = sketch->ranks;
    for (int64_t from = -1; from < p; from++)
        for (int64_t to = -1; to < p; to++) {
            int64_t found_from = from, found_to = to, longest = -1, best_from = 0, best_to = 0;
            for (int64_t a = from < 0 ? 0 : from; a <= (from < 0 ? p - 1 : from); a++)
                for (int64_t b = to < 0 ? 0 : to; b <= (to < 0 ? p - 1 : to); b++)
                    if (sketch->far[a][b] > longest)
                        longest = sketch->far[a][b], best_from = a, best_to = b;
            ck_assert(network_farthest(network, &found_from, &found_to));
            ck_assert_int_eq(found_from, best_from);
            ck_assert_int_eq(found_to, best_to);
        }
}

START_TEST(measures_are_those_of_all_pairs)
{
    Fixture *fixture = fixture_open();
    uint64_t random = (uint64_t)_i;
    Sketch one = {0}, other = {0};
    bool linked[MOST_NODES][MOST_NODES];
    use_models(
        fixture,
        arena_printf(
            fixture->arena,
            "%s---\n%s---\ntopology: both\nproduct: [one, other]\ndimensions: {a: A, b: B}\n",
            sketch_draw(fixture, &one, "one", &random),
            sketch_draw(fixture, &other, "other", &random)));
    for (int64_t a = 0; a < one.nodes; a++)
        for (int64_t b = 0; b < one.nodes; b++)
            linked[a][b] = one.far[a][b] == 1;
    sketch_measure(&one);
    sketch_measure(&other);
    const Network line = network_of(fixture, "one", one.ranks);
    const Network grid = network_named(fixture,
                                       arena_printf(fixture->arena, "both:%lldx%lld",
                                                    (long long)one.ranks, (long long)other.ranks),
                                       TIES_PLUS);
    const Sketch single = {.ranks = 1, .nodes = 1};
    check_degrees(&line, linked, &one);
    check_measures(&line, &one, &single);
    check_measures(&grid, &one, &other);
    bool connected = true;
    for (int64_t a = 0; a < one.ranks; a++)
        for (int64_t b = 0; b < one.ranks; b++)
            connected = connected && one.far[a][b] < NONE;
    if (connected)
        check_farthest(&line, &one);
    fixture_close(fixture);
}
END_TEST

Suite *farthest_suite(void)
{
    Suite *suite = suite_create("farthest");
    TCase *all = tcase_create("farthest pairs");
    tcase_add_loop_test(all, the_farthest_pair_is_found, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(all, a_search_that_takes_too_long_is_refused);
    suite_add_tcase(suite, all);
    TCase *measures = tcase_create("measures");
    tcase_add_loop_test(measures, measures_are_those_of_all_pairs, 0, 200);
    suite_add_tcase(suite, measures);
    return suite;
}
