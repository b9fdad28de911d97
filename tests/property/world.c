#include "world.h"

#include "base/random.h"
#include "cli/messages.h"
#include "cost/derive.h"
#include "model/use.h"
#include "net/group.h"
#include "sched/branching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t below(World *world, uint64_t limit)
{
    return random_next(&world->random) % limit;
}

/* Between 10^least and 10^most, or zero now and then. */
double random_price(World *world, double least, double most)
{
    double unit = (double)(random_next(&world->random) >> 11) * 0x1p-53;
    return below(world, 6) ? pow(10, least + unit * (most - least)) : 0;
}

Text text_of(World *world, const char *string)
{
    size_t length = strlen(string);
    const Source *source = source_from_text(world->arena, "name", string, length);
    return (Text){string, length, {source, 0, length}, true};
}

World world_open(uint64_t seed)
{
    Arena *arena = arena_create(NULL);
    return (World){arena, messages_to(stdout), library_open(arena), seed};
}

void world_close(World *world)
{
    arena_destroy(world->arena);
}

/* Any divisor of the size that is tapered. */
static void random_taper(World *world, const Topology *topology, Shape *shape)
{
    int at = topology->last_is_fastest ? shape->count - 1 - topology->tapered : topology->tapered;
    int64_t size = shape->sizes[at], taper = 1 + (int64_t)below(world, (uint64_t)size);
    while (size % taper)
        taper--;
    shape->taper = taper > 1 ? taper : 0;
}

bool make_network(World *world, const char *name, int64_t p, Network *network)
{
    const Topology *topology = library_topology(world->library, text_of(world, name), &world->diag);
    if (!topology)
        return false;
    Shape shape = topology_shape(topology, p);
    if (topology->uplinks && below(world, 2))
        random_taper(world, topology, &shape);
    return network_create(world->arena, topology, &shape, (Ties)below(world, TIES_COUNT), network,
                          &world->diag);
}

/* One that allows every number of ranks; the first two are those that most claims speak of, and
   those with levels come more often. */
const char *random_topology(World *world, bool any)
{
    static const char *const names[] = {"full",  "linear", "ring", "uniring", "mesh",
                                        "torus", "star",   "tree", "cluster"};
    static const char *const levelled[] = {"cluster",  "cluster",          "rails",     "smp",
                                           "fat-tree", "fat-tree-devices", "dragonfly", "cluster"};
    if (any && below(world, 6) == 0)
        return levelled[below(world, sizeof levelled / sizeof *levelled)];
    return names[below(world, any ? sizeof names / sizeof *names : 2)];
}

void random_machine(World *world, Case *drawn)
{
    drawn->link_costs[PARAMETER_TS] = random_price(world, -7, -4);
    drawn->link_costs[PARAMETER_TH] = random_price(world, -9, -6);
    drawn->link_costs[PARAMETER_TW] = random_price(world, -12, -8);
    drawn->link_costs[PARAMETER_TC] = random_price(world, -13, -8);
    drawn->bytes = floor(pow(10, (double)below(world, 9))) * (double)(1 + below(world, 9));
}

enum { MOST_NETWORKS = 2000 };

/* A complete network or a line of up to 100 ranks, or a grid or ring of up to 64; or any other. */
static bool random_network(World *world, bool any, Network *network)
{
    static const char *const flat[] = {"full", "linear"}, *const grids[] = {"torus", "mesh"};
    if (any && below(world, 2))
        return make_network(world, random_topology(world, true), (int64_t)below(world, 100) + 1,
                            network);
    if (below(world, 2))
        return make_network(world, flat[below(world, 2)], (int64_t)below(world, 100) + 1, network);
    Shape shape = {.p = 1};
    for (uint64_t n = below(world, 3) + 1; n > 0; n--)
        shape_add(&shape, NULL, (int64_t)below(world, 4) + 1);
    Text name = text_of(world, grids[below(world, 2)]);
    const Topology *topology = library_topology(world->library, name, &world->diag);
    return topology && network_create(world->arena, topology, &shape,
                                      (Ties)below(world, TIES_COUNT), network, &world->diag);
}

void set_rules(Case *drawn)
{
    drawn->rules = (Rules){.ports = drawn->instance.ports};
    memcpy(drawn->rules.parameters, drawn->link_costs, sizeof drawn->link_costs);
}

/* Where the drawn algorithm may run; false too where none of many networks suits all of its stages.
 */
bool draw_instance(World *world, bool any, Case *drawn)
{
    int64_t ports, tried = 0;
    do {
        ports = (int64_t)below(world, 4) + 1;
        if (tried++ == MOST_NETWORKS || !random_network(world, any, &drawn->network))
            return false;
    } while (!schedule_allows(drawn->algorithm, &drawn->network.shape, ports, NULL, &world->diag));
    int64_t p = drawn->network.p;
    drawn->instance = (Instance){.algorithm = drawn->algorithm,
                                 .p = p,
                                 .root = (int64_t)below(world, (uint64_t)p),
                                 .k = (int64_t)below(world, 12) + 1,
                                 .ports = ports,
                                 .shape = &drawn->network.shape,
                                 .target = (int64_t)below(world, (uint64_t)p)};
    random_machine(world, drawn);
    set_rules(drawn);
    if (drawn->algorithm->branching) {
        drawn->instance.branches = (int64_t)below(world, 8);
        drawn->instance.branches = branches_of(&drawn->instance);
    }
    return true;
}

bool random_groups(World *world, Case *drawn)
{
    enum { MOST_GROUPED = 120 };
    const Shape shape = drawn->network.shape;
    const int64_t p = shape.p, most = MOST_GROUPED / p;
    if (below(world, 5) || most < 2 || drawn->rules.combining == COMBINING_OVERLAP)
        return true;
    const int64_t groups = 1 + (int64_t)below(world, (uint64_t)(most < 4 ? most : 4));
    const int64_t ranks = p * groups + (int64_t)below(world, 4);
    Network *whole = ARENA_NEW(world->arena, Network);
    if (!make_network(world, random_topology(world, true), ranks, whole))
        return false;
    int64_t *members = ARENA_ROOM(world->arena, int64_t, (size_t)ranks);
    for (int64_t r = 0; r < ranks; r++) {
        const int64_t other = (int64_t)below(world, (uint64_t)r + 1);
        members[r] = members[other];
        members[other] = r;
    }
    network_group(world->arena, whole, &shape, members, groups,
                  arena_printf(world->arena, "%lld groups of %s", (long long)groups, whole->name),
                  &drawn->network);
    drawn->instance.shape = &drawn->network.shape;
    return true;
}

const Algorithm *random_algorithm(World *world)
{
    for (;;) {
        size_t i = below(world, library_entry_count(world->library));
        const ModelEntry *entry = library_entry(world->library, i);
        const Algorithm *algorithm = entry->kind == KIND_ALGORITHM
                                         ? library_load(world->library, entry, &world->diag)
                                         : NULL;
        if (algorithm && !algorithm->collective->problem)
            return algorithm;
    }
}

/* Stages that are pipelined, on any network. */
static const Algorithm *random_pipeline(World *world)
{
    static const char *const lines[] = {
        "allreduce: pipelined reduce-scatter/ring along every dimension, allgather/ring along "
        "every "
        "dimension",
        "allreduce: pipelined reduce/binomial, broadcast/chain",
        "allreduce: pipelined ring along every dimension channels d renumber (r + channel) mod p",
        "broadcast: pipelined binomial along every dimension",
        "reduce: pipelined reduce-scatter/ring, gather/flat",
        "allgather: pipelined ring along every dimension channels 2",
        "alltoall: pipelined ring along every dimension",
    };
    const Resolver resolver = library_resolver(world->library, world->arena, &world->diag);
    const char *line = lines[below(world, sizeof lines / sizeof *lines)];
    return sequence_typed(&resolver, text_of(world, line));
}

bool random_case(World *world, bool any, Case *drawn)
{
    drawn->algorithm = below(world, 16) ? random_algorithm(world) : random_pipeline(world);
    return drawn->algorithm && draw_instance(world, any, drawn);
}

double derived_time(const Profile *profile, const Case *drawn)
{
    CostParts parts = profile_cost(profile, drawn->link_costs, drawn->bytes);
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

void describe(const Case *drawn)
{
    Arena *arena = arena_create(NULL);
    printf("# %s\n", rules_describe(arena, &drawn->rules));
    arena_destroy(arena);
    printf("# %s/%s on %s, root %lld, k %lld, %lld branches, %lld ports, %.17g bytes, ts %.17g th "
           "%.17g tw %.17g "
           "tc %.17g\n",
           drawn->algorithm->collective->head.name, drawn->algorithm->head.name,
           drawn->network.name, (long long)drawn->instance.root, (long long)drawn->instance.k,
           (long long)drawn->instance.branches, (long long)drawn->instance.ports, drawn->bytes,
           drawn->link_costs[PARAMETER_TS], drawn->link_costs[PARAMETER_TH],
           drawn->link_costs[PARAMETER_TW], drawn->link_costs[PARAMETER_TC]);
}

/* A machine may know each level, and each of its parameters, or not. */
static void random_levels(World *world, Case *drawn)
{
    static const char *const names[] = {"node", "device", "memory"};
    drawn->rules.levels = drawn->levels;
    drawn->rules.level_count = 0;
    for (int i = 0; i < 3; i++) {
        if (below(world, 4) == 0)
            continue;
        Level *level = &drawn->levels[drawn->rules.level_count++];
        *level = (Level){.name = text_of(world, names[i]), .ports = (int64_t)below(world, 4)};
        for (int x = 0; x < PARAMETER_COUNT; x++)
            level->parameters[x] =
                x == PARAMETER_TC || below(world, 2) ? -1 : random_price(world, -10, -5);
        if (below(world, 2))
            level->capacity = pow(10, 5 + (double)below(world, 6)) * (double)(1 + below(world, 9));
        level->passes = (int64_t)below(world, 4);
    }
    drawn->rules.fixed_ports = below(world, 4) == 0;
}

/* By what a rank holds; faster or slower as that grows. */
static void random_prices(World *world, const Case *drawn, WorkingPrices *prices)
{
    double up_to = random_price(world, 1, 6) + 1;
    prices->count = 1 + (int)below(world, 3);
    for (int i = 0; i < prices->count; i++) {
        double price = drawn->link_costs[PARAMETER_TC] * (double)(1 + below(world, 8));
        prices->items[i] = (WorkingPrice){i + 1 == prices->count ? INFINITY : up_to, price};
        up_to *= 1 + (double)(1 + below(world, 50));
    }
}

/* Sizes rise, and startups and bandwidths may do what they like. */
static void random_list(World *world, Protocol *list)
{
    double up_to = random_price(world, 0, 4) + 1;
    for (int i = 0; i < 3; i++) {
        list[i] = (Protocol){.number = i, .up_to = i == 2 ? INFINITY : up_to, .waits = i > 0};
        up_to *= 1 + (double)below(world, 50);
        for (int x = 0; x < PARAMETER_COUNT; x++)
            list[i].parameters[x] = -1;
        if (below(world, 3))
            list[i].parameters[PARAMETER_TS] = random_price(world, -7, -4);
        if (below(world, 3))
            list[i].parameters[PARAMETER_TW] = random_price(world, -10, -5);
    }
}

/* Of the machine, of levels, or of both. */
static void random_protocols(World *world, Case *drawn)
{
    Rules *rules = &drawn->rules;
    rules->protocols = drawn->protocols;
    rules->protocol_count = below(world, 4) ? 3 : 0;
    rules->select_fastest = below(world, 2);
    random_list(world, drawn->protocols);
    for (int i = 0; i < rules->level_count; i++) {
        drawn->levels[i].first_protocol = 3 * (i + 1);
        drawn->levels[i].protocol_count = (int)below(world, 2) * 3;
        random_list(world, drawn->protocols + drawn->levels[i].first_protocol);
    }
}

/* Any conventions; the number of ports stays. */
static void random_delays(World *world, Delay *delays)
{
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        if (below(world, 3) == 0)
            delays[i] = (Delay){.is_given = true,
                                .seconds = i == DELAY_EXCHANGE ? random_price(world, -2, 0)
                                                               : random_price(world, -8, -4)};
}

static void forget_delays(Case *drawn, DelayKind first, DelayKind end)
{
    for (int i = -1; i < drawn->rules.level_count; i++) {
        Delay *delays = i < 0 ? drawn->rules.delays : drawn->levels[i].delays;
        for (int kind = first; kind < (int)end; kind++)
            delays[kind] = (Delay){0};
    }
}

/* What has no cost is left out: store-and-forward without barriers, gaps in order with either, and
   contacts without barriers. */
static void random_posting(World *world, Case *drawn)
{
    Rules *rules = &drawn->rules;
    bool plain = rules->switching == SWITCHING_CUT_THROUGH && !rules->asynchronous;
    if (below(world, 2) || (rules->switching != SWITCHING_CUT_THROUGH && rules->asynchronous))
        return;
    rules->posting = below(world, 2) || !plain ? POSTING_TOGETHER : POSTING_IN_ORDER;
    rules->fixed_posting = below(world, 2) || !plain;
    rules->contacts = 1 + (int64_t)below(world, 3);
    random_delays(world, rules->delays);
    for (int i = 0; i < rules->level_count; i++)
        random_delays(world, drawn->levels[i].delays);
    if (rules->asynchronous)
        forget_delays(drawn, DELAY_CONTACT, DELAY_EXCHANGE);
}

/* Small ones, with some that are 0, or a few that are far larger than all others. */
void random_sizes(World *world, Case *drawn)
{
    const Collective *collective = drawn->algorithm->collective;
    BlockSpace space;
    Diag silent = diag_silent();
    bool can = !collective->problem && collective->index_count > 0 && !collective->is_empty &&
               !rules_price_local(&drawn->rules, drawn->algorithm) &&
               blockspace_create(collective, drawn->instance.p, 0, &space, &silent);
    if (!can || space.count > 1 << 14 || below(world, 3))
        return;
    int64_t *values = ARENA_ROOM(world->arena, int64_t, (size_t)space.count);
    uint64_t most = 1 + below(world, 9), zeros = below(world, 4), giants = below(world, 2);
    for (int64_t b = 0; b < space.count; b++) {
        values[b] = (int64_t)below(world, most) + 1;
        if (zeros && below(world, zeros + 1) == 0)
            values[b] = 0;
        if (giants && below(world, 8) == 0)
            values[b] *= 1000;
    }
    Weights *weights = ARENA_NEW(world->arena, Weights);
    *weights = (Weights){space.count, values, 1, "random"};
    drawn->rules.weights = weights;
    drawn->instance.sizes.weights = weights;
    drawn->rules.ceil_chunks = false;
    if (drawn->rules.combining == COMBINING_OVERLAP)
        drawn->rules.combining = COMBINING_AFTER;
}

void random_no_posting(Case *drawn)
{
    drawn->rules.posting = POSTING_UNSTATED;
    drawn->rules.fixed_posting = false;
    for (int i = 0; i < DELAYS_OF_LEVELS; i++) {
        drawn->rules.delays[i] = (Delay){0};
        for (size_t j = 0; j < sizeof drawn->levels / sizeof *drawn->levels; j++)
            drawn->levels[j].delays[i] = (Delay){0};
    }
}

void random_no_merging(Case *drawn)
{
    for (size_t i = 0; i < sizeof drawn->levels / sizeof *drawn->levels; i++)
        memset(drawn->levels[i].merges, 0, sizeof drawn->levels[i].merges);
}

/* Whatever an algorithm says itself. */
static void post_in_order(Rules *rules)
{
    rules->posting = POSTING_IN_ORDER;
    rules->fixed_posting = true;
}

/* Switches of some levels, where rounds have barriers and messages cross all their links at once.
 */
static void random_merging(World *world, Case *drawn)
{
    const Rules *rules = &drawn->rules;
    if (rules->asynchronous || rules->switching != SWITCHING_CUT_THROUGH || below(world, 3))
        return;
    for (int i = 0; i < rules->level_count; i++)
        for (int kind = 0; kind < MERGING_COUNT; kind++)
            drawn->levels[i].merges[kind] = below(world, 3) > 0;
}

void random_rules(World *world, Case *drawn)
{
    Rules *rules = &drawn->rules;
    if (drawn->network.topology->level_count)
        random_levels(world, drawn);
    if (below(world, 4) == 0)
        random_protocols(world, drawn);
    if (below(world, 6) == 0)
        random_prices(world, drawn, &drawn->rules.compute);
    if (below(world, 6) == 0)
        random_prices(world, drawn, &drawn->rules.local[below(world, LOCAL_WORK_COUNT)]);
    rules->ties = drawn->network.ties;
    rules->switching = (Switching)below(world, SWITCHING_COUNT);
    rules->contention = (Contention)below(world, CONTENTION_SHARED);
    rules->duplex = (Duplex)below(world, DUPLEX_COUNT);
    rules->combining = (Combining)below(world, COMBINING_COUNT);
    rules->asynchronous = rules->combining == COMBINING_OVERLAP || below(world, 2);
    rules->all_ports = below(world, 4) == 0;
    rules->level_ports = below(world, 3) == 0;
    rules->ceil_chunks = below(world, 4) == 0;
    if (rules_have_lists(rules))
        rules->switching = SWITCHING_CUT_THROUGH;
    random_posting(world, drawn);
    if (rules->asynchronous && rules->switching != SWITCHING_CUT_THROUGH && drawn->algorithm &&
        rules_loosest_posting(rules, drawn->algorithm) >= POSTING_TOGETHER)
        post_in_order(rules);
    random_merging(world, drawn);
    drawn->instance.ports = rules_ports(rules, &drawn->network);
}

void random_sharing(World *world, Case *drawn)
{
    Rules *rules = &drawn->rules;
    if (below(world, 8))
        return;
    if (rules->posting == POSTING_TOGETHER) /* gaps between others have a cost with barriers only */
        rules->fixed_posting = true;
    else
        random_no_posting(drawn);
    forget_delays(drawn, DELAY_CONTACT, DELAY_CALL);
    rules->contention = CONTENTION_SHARED;
    rules->asynchronous = true;
    rules->switching = SWITCHING_CUT_THROUGH;
    if (rules->combining == COMBINING_OVERLAP)
        rules->combining = COMBINING_AFTER;
}

CaseRange read_range(int count, char **arguments, uint64_t usual_cases)
{
    const char *more = getenv("MORE");
    const uint64_t cases = usual_cases * (more ? strtoull(more, NULL, 10) : 1);
    return (CaseRange){.cases = count > 1 ? strtoull(arguments[1], NULL, 10) : cases,
                       .first = count > 2 ? strtoull(arguments[2], NULL, 10) : 0};
}

void result(Results *results, bool good, const char *name)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++results->tests, name);
    results->failures += !good;
}

int results_end(const Results *results)
{
    printf("1..%d\n", results->tests);
    return results->failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
