/* The closed form of a composition, which adds the claims about its stages, is the time derived
   from its schedule, for random sequences of stages along random dimensions: algorithms of the
   library, and some that keep what they send, so that a stage which follows finds more than their
   contract says. What a composition does to data does not count, only what it costs.

   usage: compositions [CASES [FIRST]] */
#include "world.h"

#include "cost/closed.h"
#include "model/use.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CASES = 1500, MOST_STAGES = 4, MOST_RANKS = 40, MOST_TRIES = 100 };

/* Each sends or receives p - 1 messages, one by one, and keeps what it sends. */
static const char keeping[] = "algorithm: by-sends\n"
                              "collective: scatter\n"
                              "summary: The root keeps all.\n"
                              "schedule:\n"
                              "  - repeat: i in 1 .. p - 1\n"
                              "    steps:\n"
                              "      - send: (root + i) mod p\n"
                              "        to: (root + i) mod p\n"
                              "        if: r == root\n"
                              "claims:\n"
                              "  - source: derived here\n"
                              "    on: full\n"
                              "    time: (p - 1) * (ts + th + m * tw)\n"
                              "---\n"
                              "algorithm: by-sends\n"
                              "collective: gather\n"
                              "summary: Each rank keeps its own.\n"
                              "schedule:\n"
                              "  - repeat: i in 1 .. p - 1\n"
                              "    steps:\n"
                              "      - send: r\n"
                              "        to: root\n"
                              "        if: r == (root + i) mod p\n"
                              "claims:\n"
                              "  - source: derived here\n"
                              "    on: full\n"
                              "    time: (p - 1) * (ts + th + m * tw)\n"
                              "---\n"
                              "algorithm: by-sends\n"
                              "collective: alltoall\n"
                              "summary: Each rank keeps what it had.\n"
                              "schedule:\n"
                              "  - repeat: i in 1 .. p - 1\n"
                              "    steps:\n"
                              "      - send: (r, (r + i) mod p)\n"
                              "        to: (r + i) mod p\n"
                              "claims:\n"
                              "  - source: derived here\n"
                              "    on: full\n"
                              "    time: (p - 1) * (ts + th + m * tw)\n"
                              "---\n"
                              "algorithm: by-sends\n"
                              "collective: reduce-scatter\n"
                              "summary: Each rank keeps its parts.\n"
                              "schedule:\n"
                              "  - repeat: i in 1 .. p - 1\n"
                              "    steps:\n"
                              "      - exchange: (r + i) mod p\n"
                              "        to: (r + i) mod p\n"
                              "claims:\n"
                              "  - source: derived here\n"
                              "    on: full\n"
                              "    time: (p - 1) * (ts + th + m * tw + m * tc)\n"
                              "---\n"
                              "algorithm: by-sends\n"
                              "collective: reduce\n"
                              "summary: Each rank keeps its own.\n"
                              "schedule:\n"
                              "  - repeat: i in 1 .. p - 1\n"
                              "    steps:\n"
                              "      - exchange: 0\n"
                              "        to: root\n"
                              "        if: r == (root + i) mod p\n"
                              "claims:\n"
                              "  - source: derived here\n"
                              "    on: full\n"
                              "    time: (p - 1) * (ts + th + m * tw + m * tc)\n";

/* With claims about all of their stages. */
static const char *const known[] = {
    "broadcast: binomial along every dimension",
    "broadcast: pipelined-chain along every dimension",
    "broadcast: scatter/binomial, allgather/ring",
    "broadcast: scatter/flat along x, chain along y, allgather/ring along x",
    "reduce: chain along x then y",
    "scatter: binomial along every dimension",
    "gather: flat along y then x",
    "allgather: ring along every dimension",
    "allgather: gather/binomial along x, ring along y, broadcast/binomial along x",
    "allreduce: reduce-scatter/ring along x, ring along y, allgather/ring along x",
    "allreduce: reduce/pipelined-chain along x, ring along y, broadcast/pipelined-chain along x",
    "reduce-scatter: ring along every dimension",
    "alltoall: ring along every dimension",
    "alltoall: tree along y, hypercube along x",
    "scatter: by-sends along x then y",
};

/* One of the collective, or any; blocks with other indices do not fit. */
static const Algorithm *draw_stage(World *world, const Collective *collective)
{
    bool is_same = below(world, 2);
    for (;;) {
        const Algorithm *algorithm = random_algorithm(world);
        const Collective *other = algorithm ? algorithm->collective : NULL;
        if (!algorithm || (!algorithm->expect_wrong && !other->targeted &&
                           (is_same ? other == collective
                                    : other->index_count == collective->index_count ||
                                          other->index_count == 0 || collective->index_count == 0)))
            return algorithm;
    }
}

/* Of one stage in eight: several copies side by side, whose cost has no closed form. */
static const char *draw_channels(World *world)
{
    static const char *const channels[] = {" channels 2", " channels d",
                                           " channels 3 renumber (r + channel) mod p",
                                           " channels 2 renumber when(channel == 0, r, p - 1 - r)"};
    return below(world, 8) ? "" : channels[below(world, sizeof channels / sizeof *channels)];
}

/* "allreduce: reduce-scatter/ring along x, ..." */
static const char *draw_composition(World *world)
{
    static const char *const alongs[] = {
        "",         " along every dimension", " along every level",          " along x", " along y",
        " along z", " along y then x",        " along every level backwards"};
    const char *const *one = &known[below(world, sizeof known / sizeof *known)];
    const Algorithm *first = random_algorithm(world);
    if (!first || first->collective->targeted || below(world, 4) == 0)
        return *one;
    const char *text = arena_printf(world->arena, "%s:%s", first->collective->head.name,
                                    below(world, 16) ? "" : " pipelined");
    for (uint64_t n = 1 + below(world, MOST_STAGES), i = 0; i < n; i++) {
        const Algorithm *stage = draw_stage(world, first->collective);
        if (!stage)
            return NULL;
        text = arena_printf(world->arena, "%s%s %s%s%s", text, i ? "," : "",
                            algorithm_full_name(world->arena, stage),
                            alongs[below(world, sizeof alongs / sizeof *alongs)],
                            draw_channels(world));
    }
    return text;
}

static bool draw_network(World *world, Case *drawn)
{
    static const char *const names[] = {"full", "full", "torus", "mesh"};
    Shape shape = {.p = 1};
    const Topology *topology = library_topology(
        world->library, text_of(world, names[below(world, sizeof names / sizeof *names)]),
        &world->diag);
    for (uint64_t n = below(world, 3) + 1; n > 0; n--)
        shape_add(&shape, NULL, (int64_t)below(world, n > 2 ? 4 : 6) + 1);
    return topology &&
           network_create(world->arena, topology, &shape, TIES_PLUS, &drawn->network, &world->diag);
}

/* A composition, and a network that suits it. False where none is found. */
static bool draw(World *world, Case *drawn)
{
    Diag silent = diag_silent();
    const Resolver resolver = library_resolver(world->library, world->arena, &silent);
    const char *text = draw_composition(world);
    if (!text)
        return false;
    drawn->algorithm = sequence_typed(&resolver, text_of(world, text));
    for (int i = 0; i < MOST_TRIES && drawn->algorithm; i++) {
        if (!draw_network(world, drawn))
            return false;
        int64_t p = drawn->network.p;
        if (p > MOST_RANKS ||
            !schedule_allows(drawn->algorithm, &drawn->network.shape, 1, NULL, &silent))
            continue;
        drawn->instance = (Instance){.algorithm = drawn->algorithm,
                                     .p = p,
                                     .root = (int64_t)below(world, (uint64_t)p),
                                     .k = (int64_t)below(world, 5) + 1,
                                     .ports = 1,
                                     .shape = &drawn->network.shape};
        random_machine(world, drawn);
        if (drawn->algorithm->collective->is_empty)
            drawn->bytes = 0;
        set_rules(drawn);
        return true;
    }
    return false;
}

typedef struct {
    int64_t cases, compared, wrong;
} Tally;

/* Where there is a closed form, and a schedule, are their times equal? */
static bool compare(World *world, Tally *tally)
{
    Case drawn = {0};
    Profile profile;
    double claimed;
    Diag silent = diag_silent();
    if (!draw(world, &drawn))
        return true;
    ClosedForm closed =
        closed_find(world->arena, &drawn.instance, &drawn.network, &drawn.rules, false, false);
    if (!closed.count || !profile_derive(world->arena, &drawn.instance, &drawn.network,
                                         &drawn.rules, &profile, &silent))
        return true;
    tally->compared++;
    if (!closed_seconds(&closed, (double)drawn.instance.k, drawn.link_costs, drawn.bytes, &claimed,
                        &world->diag))
        return false;
    double derived = derived_time(&profile, &drawn);
    if (fabs(claimed - derived) <= 1e-12 * derived)
        return true;
    if (tally->wrong < MOST_SHOWN) {
        describe(&drawn);
        printf("# claimed %.17g, derived %.17g\n", claimed, derived);
    }
    return false;
}

static void run_case(uint64_t n, Tally *tally)
{
    World world = world_open(5000000 + n);
    const Source *source = source_from_text(world.arena, "keeping.yaml", keeping, strlen(keeping));
    bool good = library_add_source(world.library, source, &world.diag) && compare(&world, tally) &&
                world.diag.error_count == 0;
    if (!good && tally->wrong < MOST_SHOWN)
        printf("# case %llu\n", (unsigned long long)n);
    tally->wrong += !good;
    tally->cases++;
    world_close(&world);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    for (uint64_t n = range.first; n < range.first + range.cases; n++)
        run_case(n, &tally);
    printf("# %lld cases, %lld closed forms compared, %lld wrong\n", (long long)tally.cases,
           (long long)tally.compared, (long long)tally.wrong);
    result(&results, tally.wrong == 0, "closed forms of compositions are derived costs");
    result(&results, range.cases < 100 || tally.compared * 8 > tally.cases,
           "many compositions have a closed form");
    return results_end(&results);
}
