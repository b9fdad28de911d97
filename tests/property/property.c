/* What must hold for random machines, ranks and schedules. Seeded: every run tries the same cases.
 */
#include "base/random.h"
#include "cost/bound.h"
#include "cost/closed.h"
#include "cost/derive.h"
#include "model/builtin.h"
#include "model/compose.h"
#include "model/library.h"
#include "verify/verify.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLAIM_CASES = 3000,
    BOUND_CASES = 2000,
    TREE_CASES = 600,
    RULE_CASES = 1000,
    MUTATION_CASES = 5000
};

typedef struct {
    Arena *arena; /* of one case */
    Diag diag;    /* errors of a case are written as comments of the test */
    Library *library;
    uint64_t random;
} World;

static uint64_t below(World *world, uint64_t limit)
{
    return random_next(&world->random) % limit;
}

/* Between 10^least and 10^most, or zero now and then. */
static double random_price(World *world, double least, double most)
{
    double unit = (double)(random_next(&world->random) >> 11) * 0x1p-53;
    return below(world, 6) ? pow(10, least + unit * (most - least)) : 0;
}

static Text text_of(World *world, const char *string)
{
    size_t length = strlen(string);
    const Source *source = source_from_text(world->arena, "name", string, length);
    return (Text){string, length, {source, 0, length}, true};
}

static World world_open(uint64_t seed)
{
    Arena *arena = arena_create();
    return (World){arena, diag_create(stdout), library_open(arena), seed};
}

static void world_close(World *world)
{
    arena_destroy(world->arena);
}

static int test_count, failure_count;

static void result(bool good, const char *name)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++test_count, name);
    failure_count += !good;
}

typedef struct {
    const Algorithm *algorithm;
    Network network;
    Instance instance;
    double prices[PARAMETER_COUNT];
    double bytes;
    Rules rules;
    Level levels[2]; /* of a cluster; `rules` may point to them */
} Case;

static const Algorithm *random_algorithm(World *world)
{
    for (;;) {
        size_t i = below(world, library_entry_count(world->library));
        const ModelEntry *entry = library_entry(world->library, i);
        if (entry->kind == KIND_ALGORITHM)
            return library_load(world->library, entry, &world->diag);
    }
}

static bool make_network(World *world, const char *name, int64_t p, Network *network)
{
    const Topology *topology = library_topology(world->library, text_of(world, name), &world->diag);
    if (!topology)
        return false;
    const Shape shape = topology_shape(topology, p);
    return network_create(world->arena, topology, &shape, (Ties)below(world, TIES_COUNT), network,
                          &world->diag);
}

/* One that allows every number of ranks; the first two are those that most claims speak of, and
   clusters, which have levels, come more often. */
static const char *random_topology(World *world, bool any)
{
    static const char *const names[] = {"full",  "linear", "ring", "uniring", "mesh",
                                        "torus", "star",   "tree", "cluster"};
    if (any && below(world, 6) == 0)
        return "cluster";
    return names[below(world, any ? sizeof names / sizeof *names : 2)];
}

static void random_machine(World *world, Case *drawn)
{
    drawn->prices[PARAMETER_TS] = random_price(world, -7, -4);
    drawn->prices[PARAMETER_TH] = random_price(world, -9, -6);
    drawn->prices[PARAMETER_TW] = random_price(world, -12, -8);
    drawn->prices[PARAMETER_TC] = random_price(world, -13, -8);
    drawn->bytes = floor(pow(10, (double)below(world, 9))) * (double)(1 + below(world, 9));
}

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

static void set_rules(Case *drawn)
{
    drawn->rules = (Rules){.ports = drawn->instance.ports};
    memcpy(drawn->rules.parameters, drawn->prices, sizeof drawn->prices);
}

/* Where the drawn algorithm may run. */
static bool draw_instance(World *world, bool any, Case *drawn)
{
    do {
        if (!random_network(world, any, &drawn->network))
            return false;
    } while (!schedule_allows(drawn->algorithm, &drawn->network.shape, 1, NULL, &world->diag));
    int64_t p = drawn->network.p;
    drawn->instance = (Instance){drawn->algorithm,
                                 p,
                                 (int64_t)below(world, (uint64_t)p),
                                 (int64_t)below(world, 12) + 1,
                                 (int64_t)below(world, 4) + 1,
                                 &drawn->network.shape,
                                 (int64_t)below(world, (uint64_t)p)};
    random_machine(world, drawn);
    set_rules(drawn);
    return true;
}

static bool random_case(World *world, bool any, Case *drawn)
{
    drawn->algorithm = random_algorithm(world);
    return drawn->algorithm && draw_instance(world, any, drawn);
}

static double derived_time(const Profile *profile, const Case *drawn)
{
    CostParts parts = profile_cost(profile, drawn->prices, drawn->bytes);
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

static void describe(const Case *drawn)
{
    Arena *arena = arena_create();
    printf("# %s\n", rules_describe(arena, &drawn->rules));
    arena_destroy(arena);
    printf("# %s/%s on %s, root %lld, k %lld, %lld ports, %.17g bytes, ts %.17g th %.17g tw %.17g "
           "tc %.17g\n",
           drawn->algorithm->collective->head.name, drawn->algorithm->head.name,
           drawn->network.name, (long long)drawn->instance.root, (long long)drawn->instance.k,
           (long long)drawn->instance.ports, drawn->bytes, drawn->prices[PARAMETER_TS],
           drawn->prices[PARAMETER_TH], drawn->prices[PARAMETER_TW], drawn->prices[PARAMETER_TC]);
}

/* A machine may know each level, and each of its parameters, or not. */
static void random_levels(World *world, Case *drawn)
{
    static const char *const names[] = {"node", "device"};
    drawn->rules.levels = drawn->levels;
    drawn->rules.level_count = 0;
    for (int i = 0; i < 2; i++) {
        if (below(world, 4) == 0)
            continue;
        Level *level = &drawn->levels[drawn->rules.level_count++];
        *level = (Level){.name = text_of(world, names[i]), .ports = (int64_t)below(world, 4)};
        for (int x = 0; x < PARAMETER_COUNT; x++)
            level->parameters[x] =
                x == PARAMETER_TC || below(world, 2) ? -1 : random_price(world, -10, -5);
    }
    drawn->rules.fixed_ports = below(world, 4) == 0;
}

/* Any conventions; the number of ports stays. */
static void random_rules(World *world, Case *drawn)
{
    Rules *rules = &drawn->rules;
    if (drawn->network.topology->level_count)
        random_levels(world, drawn);
    rules->ties = drawn->network.ties;
    rules->switching = (Switching)below(world, SWITCHING_COUNT);
    rules->contention = (Contention)below(world, CONTENTION_COUNT);
    rules->duplex = (Duplex)below(world, DUPLEX_COUNT);
    rules->combining = (Combining)below(world, COMBINING_COUNT);
    rules->asynchronous = rules->combining == COMBINING_OVERLAP || below(world, 2);
    rules->all_ports = below(world, 4) == 0;
    rules->ceil_chunks = below(world, 4) == 0;
    drawn->instance.ports = rules_ports(rules, &drawn->network);
}

/* Parameters that the text of a claim does not know are zero there. Returns false if it does not
   speak of this case. */
static bool compare_claim(World *world, const Claim *claim, const Case *drawn,
                          const Profile *profile, bool *good)
{
    ClaimPoint point = claim_point(&drawn->network.shape, drawn->instance.root, drawn->instance.k,
                                   drawn->instance.ports);
    point.target = drawn->instance.target;
    double claimed;
    Case known = *drawn;
    if (claim->kind != CLAIM_TIME || claim->recorded_refuted || drawn->network.ties != TIES_PLUS ||
        !claim_is_on(claim, drawn->network.topology->head.name) ||
        !(drawn->network.topology->direct || claim->switching[drawn->rules.switching]) ||
        !contract_buffer_blocks(drawn->algorithm->collective, point.p, &point.buffer_blocks,
                                &world->diag) ||
        !claim_applies(claim, &point, &world->diag))
        return false;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!claim_counts(claim, (Parameter)i))
            known.prices[i] = 0;
    double derived = derived_time(profile, &known);
    *good = claim_seconds(claim, &point, known.prices, &known.bytes, 1, &claimed, &world->diag) &&
            fabs(claimed - derived) <= 1e-12 * fabs(derived);
    if (!*good) {
        describe(&known);
        printf("# '%s' claims %.17g, derived is %.17g\n", claim->source, claimed, derived);
    }
    return true;
}

static void claims_equal_derived_costs(void)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < CLAIM_CASES && wrong < 5; n++) {
        World world = world_open(n);
        Case drawn;
        Profile profile;
        bool good = random_case(&world, false, &drawn) &&
                    profile_derive(world.arena, &drawn.instance, &drawn.network, &drawn.rules,
                                   &profile, &world.diag);
        wrong += !good;
        for (size_t i = 0; good && i < drawn.algorithm->claims.count; i++) {
            bool equal = true;
            compared +=
                compare_claim(&world, &drawn.algorithm->claims.items[i], &drawn, &profile, &equal);
            wrong += !equal;
        }
        wrong += world.diag.error_count > 0;
        world_close(&world);
    }
    printf("# %d claims compared\n", compared);
    result(wrong == 0 && compared > CLAIM_CASES / 8, "claims that hold equal derived costs");
}

/* Algorithms made of others, with claims about all of their parts. */
static const char *const compositions[] = {
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
};

static bool compare_closed(World *world, bool *compared)
{
    Case drawn;
    Profile profile;
    uint64_t which = below(world, sizeof compositions / sizeof *compositions);
    drawn.algorithm = compose_typed(world->library, world->arena,
                                    text_of(world, compositions[which]), &world->diag);
    if (!drawn.algorithm || !draw_instance(world, false, &drawn))
        return false;
    drawn.instance.ports = drawn.rules.ports = 1;
    ClosedForm closed =
        closed_find(world->arena, &drawn.instance, &drawn.network, &drawn.rules, false);
    *compared = closed.count > 0;
    if (!*compared)
        return true;
    double claimed;
    bool good = profile_derive(world->arena, &drawn.instance, &drawn.network, &drawn.rules,
                               &profile, &world->diag) &&
                closed_seconds(&closed, (double)drawn.instance.k, drawn.prices, drawn.bytes,
                               &claimed, &world->diag) &&
                fabs(claimed - derived_time(&profile, &drawn)) <= 1e-9 * claimed;
    if (!good)
        describe(&drawn);
    return good;
}

static void closed_forms_of_compositions_equal_derived_costs(void)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < CLAIM_CASES && wrong < 5; n++) {
        World world = world_open(4000000 + n);
        bool had_closed = false;
        wrong += !compare_closed(&world, &had_closed);
        compared += had_closed;
        world_close(&world);
    }
    printf("# %d closed forms compared\n", compared);
    result(wrong == 0 && compared > CLAIM_CASES / 3,
           "closed forms of compositions equal derived costs");
}

static bool is_above_bounds(World *world, const Case *drawn)
{
    Profile profile;
    Contract contract;
    BoundSet bounds;
    double least[PARAMETER_COUNT];
    if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules, &profile,
                        &world->diag) ||
        !contract_create_to(world->arena, drawn->algorithm->collective, drawn->instance.p,
                            drawn->instance.root, drawn->instance.target, &contract, &world->diag))
        return false;
    bounds_compute(world->arena, &contract, &drawn->network, &drawn->rules, BOUND_SEARCH_WHOLE, &bounds);
    rules_least(&drawn->rules, &drawn->network, least);
    double derived = derived_time(&profile, drawn);
    for (int i = 0; i < BOUND_KIND_COUNT; i++) {
        double bound = bound_seconds(&bounds.items[i], least, drawn->bytes);
        if (derived >= bound * (1 - 1e-12))
            continue;
        describe(drawn);
        printf("# the bound '%s' is %.17g, derived is %.17g\n", bound_names[i], bound, derived);
        return false;
    }
    return true;
}

static void library_costs_are_above_bounds(void)
{
    int wrong = 0;
    for (uint64_t n = 0; n < BOUND_CASES && wrong < 5; n++) {
        World world = world_open(1000000 + n);
        Case drawn;
        bool good = random_case(&world, true, &drawn);
        if (good && n % 2)
            random_rules(&world, &drawn);
        wrong += !good || !is_above_bounds(&world, &drawn);
        world_close(&world);
    }
    printf("# %d cases\n", BOUND_CASES);
    result(wrong == 0, "costs of the library are nowhere below a bound");
}

enum { MOST_TREE_RANKS = 40 };

typedef struct {
    int64_t p;
    int64_t ranks[MOST_TREE_RANKS];  /* the root first */
    int64_t parent[MOST_TREE_RANKS]; /* of ranks[i], as an index below i */
    int64_t level[MOST_TREE_RANKS];
    int64_t height;
} Tree;

static Tree random_tree(World *world)
{
    Tree tree = {.p = (int64_t)below(world, MOST_TREE_RANKS) + 1};
    for (int64_t i = 0; i < tree.p; i++) {
        int64_t j = (int64_t)below(world, (uint64_t)i + 1);
        tree.ranks[i] = tree.ranks[j];
        tree.ranks[j] = i;
    }
    uint64_t nearest = 1 + below(world, 8); /* chains, bushes and all between */
    for (int64_t i = 1; i < tree.p; i++) {
        uint64_t reach = (uint64_t)i < nearest ? (uint64_t)i : nearest;
        tree.parent[i] = i - 1 - (int64_t)below(world, reach);
        tree.level[i] = tree.level[tree.parent[i]] + 1;
        tree.height = tree.level[i] > tree.height ? tree.level[i] : tree.height;
    }
    return tree;
}

static const char *edge_text(World *world, const Tree *tree, int64_t i, bool reduces)
{
    long long child = tree->ranks[i], parent = tree->ranks[tree->parent[i]];
    return arena_printf(world->arena, "      - %s: 0\n        to: %lld\n        if: r == %lld\n",
                        reduces ? "reduce" : "send", reduces ? parent : child,
                        reduces ? child : parent);
}

/* All edges of a level in one round, or each in a round of its own. */
static const char *tree_text(World *world, const Tree *tree, bool reduces, bool by_level)
{
    const char *text = arena_printf(world->arena, "algorithm: tree\ncollective: %s\nschedule:%s\n",
                                    reduces ? "reduce" : "broadcast", tree->height ? "" : " []");
    for (int64_t n = 1; n <= tree->height; n++) {
        int64_t level = reduces ? tree->height + 1 - n : n;
        if (by_level)
            text = arena_printf(world->arena, "%s  - round:\n", text);
        for (int64_t i = 1; i < tree->p; i++)
            if (tree->level[i] == level)
                text = arena_printf(world->arena, "%s%s%s", text, by_level ? "" : "  - round:\n",
                                    edge_text(world, tree, i, reduces));
    }
    return text;
}

static bool try_tree(World *world)
{
    Tree tree = random_tree(world);
    bool reduces = below(world, 2);
    const char *text = tree_text(world, &tree, reduces, below(world, 2));
    const Source *source = source_from_text(world->arena, "tree.yaml", text, strlen(text));
    if (!library_add_source(world->library, source, &world->diag))
        return false;
    Case drawn = {.algorithm = library_algorithm(
                      world->library, text_of(world, reduces ? "reduce/tree" : "broadcast/tree"),
                      &world->diag)};
    if (!drawn.algorithm ||
        !make_network(world, random_topology(world, true), tree.p, &drawn.network))
        return false;
    drawn.instance = (Instance){
        drawn.algorithm, tree.p, tree.ranks[0], 1, (int64_t)below(world, 4) + 1, NULL, 0};
    random_machine(world, &drawn);
    set_rules(&drawn);
    if (below(world, 2))
        random_rules(world, &drawn);
    Verification verification = verify_schedule(world->arena, &drawn.instance, &world->diag);
    if (!verification.right) {
        describe(&drawn);
        printf("# %s\n", verification.failure.text ? verification.failure.text : "not right");
    }
    return verification.right && is_above_bounds(world, &drawn);
}

/* Each makes `more` cost at least what `less` does, both alike before. False where that is no
   theorem, but for some conventions that were drawn. */
typedef bool Order(Case *less, Case *more);

static bool is_barred(const Case *drawn)
{
    return !drawn->rules.asynchronous;
}

/* No barrier waits, though the loads are still those of a turn. */
static bool order_barriers(Case *less, Case *more)
{
    less->rules.combining = more->rules.combining = COMBINING_AFTER;
    less->rules.asynchronous = true, more->rules.asynchronous = false;
    return true;
}

static bool order_overlap(Case *less, Case *more)
{
    less->rules.asynchronous = more->rules.asynchronous = true;
    less->rules.combining = COMBINING_OVERLAP, more->rules.combining = COMBINING_AFTER;
    return true;
}

static bool order_combining(Case *less, Case *more)
{
    less->rules.combining = COMBINING_NONE, more->rules.combining = COMBINING_AFTER;
    return true;
}

static bool order_alone(Case *less, Case *more)
{
    less->rules.contention = CONTENTION_NONE;
    return more->rules.contention != CONTENTION_NONE;
}

/* On one link the largest message times their number is no less than their sum. But a message that
   goes far among larger ones is slower by bytes: hops must cost nothing, or be taken together. */
static bool order_contention(Case *less, Case *more)
{
    less->rules.contention = CONTENTION_BYTES, more->rules.contention = CONTENTION_MESSAGES;
    if (less->rules.switching == SWITCHING_CUT_THROUGH) {
        less->prices[PARAMETER_TH] = more->prices[PARAMETER_TH] = 0;
        less->rules.level_count = more->rules.level_count = 0;
    }
    return is_barred(less);
}

static bool order_duplex(Case *less, Case *more)
{
    less->rules.duplex = DUPLEX_FULL, more->rules.duplex = DUPLEX_HALF;
    return true;
}

/* The slots of a turn add up to the load of each link, if links are alike. */
static bool order_switching(Case *less, Case *more)
{
    less->rules.switching = SWITCHING_CUT_THROUGH;
    more->rules.switching = SWITCHING_STORE_AND_FORWARD;
    less->rules.level_count = more->rules.level_count = 0;
    return is_barred(less) && less->rules.contention != CONTENTION_MESSAGES;
}

/* With barriers and levels, a slot may hide a startup behind a slow link. */
static bool order_startups(Case *less, Case *more)
{
    less->rules.switching = SWITCHING_STORE_AND_FORWARD;
    more->rules.switching = SWITCHING_STARTUPS;
    if (is_barred(less))
        less->rules.level_count = more->rules.level_count = 0;
    return true;
}

static bool order_chunks(Case *less, Case *more)
{
    less->rules.ceil_chunks = false, more->rules.ceil_chunks = true;
    return true;
}

/* "node", the upper level, comes first in the list. */
static bool order_lanes(Case *less, Case *more)
{
    less->levels[0].ports = more->levels[0].ports + 1;
    return less->rules.level_count == 2;
}

static bool derive_case(World *world, Case *drawn, double *time)
{
    Profile profile;
    drawn->instance.ports = rules_ports(&drawn->rules, &drawn->network);
    drawn->instance.shape = &drawn->network.shape;
    if (drawn->rules.level_count)
        drawn->rules.levels = drawn->levels;
    if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules, &profile,
                        &world->diag))
        return false;
    *time = derived_time(&profile, drawn);
    return true;
}

static bool keeps_order(World *world, bool *compared)
{
    static Order *const orders[] = {
        order_barriers, order_overlap,   order_combining, order_alone,  order_contention,
        order_duplex,   order_switching, order_startups,  order_chunks, order_lanes,
    };
    Case more;
    double less_time, more_time;
    if (!random_case(world, true, &more))
        return false;
    random_rules(world, &more);
    Case less = more;
    *compared = orders[below(world, sizeof orders / sizeof *orders)](&less, &more);
    if (!*compared)
        return true;
    if (!derive_case(world, &less, &less_time) || !derive_case(world, &more, &more_time))
        return false;
    if (less_time <= more_time * (1 + 1e-12))
        return true;
    describe(&less);
    describe(&more);
    printf("# %.17g is more than %.17g\n", less_time, more_time);
    return false;
}

static void conventions_keep_their_order(void)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < RULE_CASES && wrong < 5; n++) {
        World world = world_open(4000000 + n);
        bool was_compared = false;
        wrong += !keeps_order(&world, &was_compared);
        compared += was_compared;
        world_close(&world);
    }
    printf("# %d cases\n", compared);
    result(wrong == 0 && compared > RULE_CASES / 2,
           "less waiting, sharing and work is no slower, where that is a theorem");
}

static void random_trees_are_right_and_above_bounds(void)
{
    int wrong = 0;
    for (uint64_t n = 0; n < TREE_CASES && wrong < 5; n++) {
        World world = world_open(2000000 + n);
        wrong += !try_tree(&world);
        world_close(&world);
    }
    printf("# %d cases\n", TREE_CASES);
    result(wrong == 0, "random spanning trees are right, and nowhere below a bound");
}

/* A word, sign or digit in the place of one byte of the schedule. */
static const char *mutate(World *world, const char *text, size_t length)
{
    static const char *const pieces[] = {
        "+", "-", "*", "/",    "r",   "p",   "0",   "1",    "2",  " mod ",
        "(", ")", "i", "root", "xor", "not", "all", " .. ", "k",  "v",
        ",", "",  " ", "==",   "<",   "if",  "\n",  ": ",   "1/0"};
    const char *schedule = strstr(text, "schedule:"), *claims = strstr(text, "\nclaims:");
    size_t start = schedule ? (size_t)(schedule - text) + 9 : 0;
    size_t end = claims ? (size_t)(claims - text) : length;
    const char *mutated = arena_copy(world->arena, text, end); /* claims are read elsewhere */
    for (uint64_t n = 1 + below(world, 3); n > 0; n--) {
        size_t at = start + below(world, strlen(mutated) - start);
        const char *piece = pieces[below(world, sizeof pieces / sizeof *pieces)];
        mutated =
            arena_printf(world->arena, "%.*s%s%s\n", (int)at, mutated, piece, mutated + at + 1);
    }
    return mutated;
}

/* Returns whether the mutated file was still a model. */
static bool try_mutation(World *world)
{
    static const int64_t counts[] = {1, 2, 5, 8};
    const BuiltinFile *file = &builtin_files[below(world, builtin_file_count)];
    const char *text = mutate(world, file->text, file->length);
    const Source *source = source_from_text(world->arena, "mutated.yaml", text, strlen(text));
    if (!library_add_source(world->library, source, &world->diag))
        return false;
    for (size_t i = 0; i < library_entry_count(world->library); i++) {
        const ModelEntry *entry = library_entry(world->library, i);
        if (!entry->is_users || entry->kind != KIND_ALGORITHM)
            continue;
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            Instance instance = {library_load(world->library, entry, &world->diag),
                                 counts[n],
                                 (int64_t)below(world, (uint64_t)counts[n]),
                                 3,
                                 1,
                                 NULL,
                                 0};
            Network network;
            Profile profile;
            const Rules rules = {.ports = 1};
            if (make_network(world, "linear", counts[n], &network) &&
                verify_schedule(world->arena, &instance, &world->diag).on_data)
                profile_derive(world->arena, &instance, &network, &rules, &profile, &world->diag);
        }
    }
    return true;
}

static void mutated_models_do_not_crash(void)
{
    int accepted = 0, silent = 0;
    for (uint64_t n = 0; n < MUTATION_CASES; n++) {
        World world = world_open(3000000 + n);
        world.diag = diag_silent();
        bool good = try_mutation(&world);
        accepted += good;
        silent += !good && world.diag.error_count == 0;
        world_close(&world);
    }
    printf("# %d cases, of which %d were models still\n", MUTATION_CASES, accepted);
    result(silent == 0 && accepted > MUTATION_CASES / 20,
           "mutated models are refused with a reason, or run");
}

int main(void)
{
    gsl_set_error_handler_off();
    claims_equal_derived_costs();
    closed_forms_of_compositions_equal_derived_costs();
    library_costs_are_above_bounds();
    conventions_keep_their_order();
    random_trees_are_right_and_above_bounds();
    mutated_models_do_not_crash();
    printf("1..%d\n", test_count);
    return failure_count ? EXIT_FAILURE : EXIT_SUCCESS;
}
