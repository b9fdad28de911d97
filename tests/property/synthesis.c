/* Trees packed into random networks: right on data, and as fast as the bound, but for what the
   first chunk takes to reach the last rank. Trees both ways, paths, trees in few rounds, and those
   for blocks that any ranks have and any need: right, never faster than the bound, and how near to
   it. And trees with an edge changed: wrong, or refused. `synthesis N` draws N networks, and tries
   the most chunks on all. */
#include "base/buffer.h"
#include "bound/bounds.h"
#include "puzzle.h"
#include "synth/packed_tree.h"
#include "synth/packing.h"
#include "synth/relay.h"
#include "synth/ways.h"
#include "verify/verify.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CASES = 100, SIZE = 1 << 30, CHUNKS = 4, COLLECTIVES = 4, OTHERS = 4 };
static const int64_t chunks[CHUNKS] = {1, 8, 64, 4096};
static const char *const collectives[COLLECTIVES] = {"broadcast", "reduce", "allgather",
                                                     "reduce-scatter"};
static const char *const others[OTHERS] = {"allreduce", "scatter", "gather", "alltoall"};

typedef struct {
    int64_t cases, packed, wrong, slow, rounded, switched;
    double sum[CHUNKS], most[CHUNKS];
    int64_t costed[CHUNKS];
    double least_share;
    bool is_whole; /* all schedules with the most chunks too */
    int64_t made[OTHERS], few_rounds, mutants, caught, exact, beaten;
    double sum_of[OTHERS], most_of[OTHERS]; /* transfer over bound as k grows */
    int64_t contracts;
    double sum_of_contracts, most_of_contracts;
} Tally;

/* GB/s of a link: a few different ones, or any. */
static int speed(World *world, bool any)
{
    static const int speeds[] = {5, 10, 10, 20, 40};
    return any ? 1 + (int)below(world, 997) : speeds[below(world, 5)];
}

static void add_link(Buffer *text, int64_t from, int64_t to, int gigabytes)
{
    buffer_printf(text, "  - {from: %lld, to: %lld, both: yes, bandwidth: %d GB/s}\n",
                  (long long)from, (long long)to, gigabytes);
}

/* Every rank has a link to one before it; some have further ones, which are not there yet. */
static void add_direct_links(World *world, Buffer *text, int64_t p, bool any)
{
    bool linked[64][64] = {{false}};
    for (int64_t r = 1; r < p; r++) {
        const int64_t to = (int64_t)below(world, (uint64_t)r);
        linked[r][to] = true;
        add_link(text, r, to, speed(world, any));
    }
    for (int64_t i = 0; i < p; i++) {
        const int64_t from = (int64_t)below(world, (uint64_t)p),
                      to = (int64_t)below(world, (uint64_t)p);
        if (from <= to || linked[from][to])
            continue;
        linked[from][to] = true;
        add_link(text, from, to, speed(world, any));
    }
}

/* Ranks below switches, all by links of one speed, and switches below one another. */
static void add_switches(World *world, Buffer *text, int64_t p, int64_t switches)
{
    const int gigabytes = speed(world, false);
    for (int64_t s = 1; s < switches; s++)
        add_link(text, p + s, p + (int64_t)below(world, (uint64_t)s),
                 gigabytes * (1 + (int)below(world, 4)));
    for (int64_t r = 0; r < p; r++)
        add_link(text, r, p + (int64_t)below(world, (uint64_t)switches), gigabytes);
}

static bool draw_network(World *world, uint64_t number, Network *network)
{
    Buffer text = {.arena = world->arena};
    const int64_t p = number % 25 == 24 ? 64 : 4 + (int64_t)below(world, 20);
    const int64_t switches = below(world, 3) ? 0 : 1 + (int64_t)below(world, 5);
    buffer_printf(&text, "topology: drawn\nranks: %lld\nswitches: %lld\nlinks:\n", (long long)p,
                  (long long)switches);
    if (switches)
        add_switches(world, &text, p, switches);
    else
        add_direct_links(world, &text, p, below(world, 3) == 0);
    buffer_printf(&text, "routing: shortest\n");
    return library_add_source(world->library,
                              source_from_text(world->arena, "drawn", text.items, text.count),
                              &world->diag) &&
           make_network(world, "drawn", p, network);
}

static double transfer_bound(World *world, const Case *drawn)
{
    Contract contract;
    BoundSet bounds;
    double largest = 0, least[PARAMETER_COUNT];
    rules_least(&drawn->rules, &drawn->network, least);
    if (!schedule_contract(&drawn->instance, drawn->instance.p, world->arena, &contract,
                           &world->diag))
        return 0;
    bounds_compute(world->arena, &contract, &drawn->network, &drawn->rules, BOUND_SEARCH_CUTS,
                   &bounds);
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++)
        if (bound_parameter((BoundKind)kind) == PARAMETER_TW)
            largest = fmax(largest, bound_seconds(&bounds.items[kind], least, SIZE));
    return largest;
}

static bool is_right(World *world, const Case *drawn)
{
    Instance instance = drawn->instance;
    instance.k = 2;
    const Verification found = verify_schedule(world->arena, &instance, &world->diag);
    return found.right || !found.on_data;
}

/* Of the bound, trees reach a share as k grows. Rounds take no longer than those in which all links
 * are busy: k + height - 1 of them. */
static void compare_bound(World *world, Case *drawn, const TreePacking *packing, double share,
                          uint64_t number, Tally *tally)
{
    const double bound = transfer_bound(world, drawn);
    for (int i = 0; i < CHUNKS; i++) {
        const int64_t k = chunks[i];
        Profile profile;
        /* the most chunks take some seconds with many ranks */
        if (k > 64 && !tally->is_whole && (number % 10 || drawn->network.p > 16))
            continue;
        drawn->instance.k = k;
        if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules,
                            &profile, &world->diag)) {
            tally->wrong++;
            return;
        }
        const double ratio = profile_cost(&profile, drawn->link_costs, SIZE).transfer / bound;
        const double most = (1 + (double)(packing->height - 1) / (double)k) / share;
        tally->costed[i]++;
        tally->sum[i] += ratio;
        tally->most[i] = fmax(tally->most[i], ratio);
        if (ratio <= most * (1 + 1e-9) && ratio >= 1 - 1e-9)
            continue;
        tally->slow++;
        printf("# case %llu: %s, k = %lld: %g of the bound, not %g\n", (unsigned long long)number,
               drawn->algorithm->collective->head.name, (long long)k, ratio, most);
        return;
    }
}

static void run_collective(World *world, const Network *network, const char *name, uint64_t number,
                           Tally *tally)
{
    Case drawn = {.network = *network, .link_costs = {[PARAMETER_TW] = 1e-9}};
    TreePacking packing;
    Hops hops;
    Buffer text = {.arena = world->arena};
    const Collective *collective =
        library_collective(world->library, text_of(world, name), &world->diag);
    const int64_t root = collective->rooted ? (int64_t)below(world, (uint64_t)network->p) : -1;
    drawn.rules = (Rules){.ports = 1, .all_ports = true};
    memcpy(drawn.rules.parameters, drawn.link_costs, sizeof drawn.link_costs);
    tally->cases++;
    if (!packing_find(world->arena, network, &drawn.rules,
                      (PackingTask){root, collective->combines}, &packing, &world->diag)) {
        tally->wrong++;
        return;
    }
    packing_write(&text, &packing, TREES_OF_ROOTS, name, "drawn", "drawn");
    if (!library_add_source(world->library,
                            source_from_text(world->arena, "trees", text.items, text.count),
                            &world->diag)) {
        tally->wrong++;
        return;
    }
    drawn.algorithm = library_algorithm(
        world->library, text_of(world, arena_printf(world->arena, "%s/drawn", name)), &world->diag);
    drawn.instance = (Instance){.algorithm = drawn.algorithm,
                                .p = network->p,
                                .root = root < 0 ? 0 : root,
                                .k = 1,
                                .ports = network->p - 1,
                                .shape = &drawn.network.shape};
    tally->packed++;
    const double share =
        hops_find(world->arena, network, &drawn.rules, collective->combines, &hops, &world->diag)
            ? transfer_bound(world, &drawn) / SIZE / ways_load(&hops, &packing)
            : 0;
    tally->rounded += share < 1 - 1e-9;
    tally->switched += network->node_count > network->p;
    tally->least_share = fmin(tally->least_share, share);
    if (!is_right(world, &drawn)) {
        tally->wrong++;
        printf("# case %llu: %s is wrong\n", (unsigned long long)number, name);
        return;
    }
    compare_bound(world, &drawn, &packing, share, number, tally);
}

/* The model in `text` that is called `name`. False after a report. */
static bool read_drawn(World *world, const char *name, const Buffer *text, const Network *network,
                       int64_t root, Case *drawn)
{
    *drawn = (Case){.network = *network, .link_costs = {[PARAMETER_TW] = 1e-9}};
    drawn->rules = (Rules){.ports = 1, .all_ports = true};
    memcpy(drawn->rules.parameters, drawn->link_costs, sizeof drawn->link_costs);
    if (!library_add_source(world->library,
                            source_from_text(world->arena, "trees", text->items, text->count),
                            &world->diag))
        return false;
    drawn->algorithm = library_algorithm(world->library, text_of(world, name), &world->diag);
    drawn->instance = (Instance){.algorithm = drawn->algorithm,
                                 .p = network->p,
                                 .root = root,
                                 .k = 1,
                                 .ports = network->p - 1,
                                 .shape = &drawn->network.shape};
    return drawn->algorithm != NULL;
}

/* What the transfer comes to for each chunk more, over the bound: as k grows, the ratio itself. */
static double limit_ratio(World *world, Case *drawn)
{
    const int64_t k = 16;
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        Profile profile;
        drawn->instance.k = k << i;
        if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules,
                            &profile, &world->diag))
            return 0;
        seconds[i] = profile_cost(&profile, drawn->link_costs, SIZE).transfer;
    }
    /* seconds = a + b / k */
    return (2 * seconds[1] - seconds[0]) / transfer_bound(world, drawn);
}

/* An allreduce of trees both ways, or what is asked for block by block. */
static bool write_other(World *world, const Network *network, const char *name, int64_t root,
                        TreeForm form, Buffer *text)
{
    const Rules rules = {.ports = 1, .all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    const Collective *collective =
        library_collective(world->library, text_of(world, name), &world->diag);
    Hops hops;
    TreePacking packing;
    Contract contract;
    Errands errands = ways_list_roots(world->arena, network->p, 0);
    if (!hops_find(world->arena, network, &rules, false, &hops, &world->diag) ||
        !contract_create(world->arena, collective, network->p, root, 0, &contract, &world->diag))
        return false;
    if (!collective->combines) {
        errands = (Errands){0};
        if (!ways_list_errands(world->arena, &contract, &errands, &world->diag))
            return false;
    }
    if (errands.count > 0 && !ways_find(&hops, &errands, collective->combines, &packing))
        return false;
    if (errands.count > 0)
        packing_write(text, &packing, form, name, "drawn", "drawn");
    return true;
}

/* The limit of a reduce-scatter and an allgather, one after the other. 0 after a report. */
static double limit_of_halves(World *world, const Network *network)
{
    const Rules rules = {.ports = 1, .all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    static const char *const halves[] = {"allgather", "reduce-scatter"};
    Buffer text = {.arena = world->arena};
    Case drawn;
    for (int i = 0; i < 2; i++) {
        TreePacking packing;
        if (!packing_find(world->arena, network, &rules, (PackingTask){-1, i == 1}, &packing,
                          &world->diag))
            return 0;
        packing_write(&text, &packing, TREES_OF_ROOTS, halves[i], "half", "drawn");
    }
    buffer_printf(&text, "---\nalgorithm: halves\ncollective: allreduce\nsequence:\n"
                         "  - reduce-scatter/half\n  - allgather/half\n");
    if (!read_drawn(world, "allreduce/halves", &text, network, 0, &drawn))
        return 0;
    return limit_ratio(world, &drawn);
}

static void run_other(World *world, const Network *network, int which, uint64_t number,
                      Tally *tally)
{
    Buffer text = {.arena = world->arena};
    Case drawn;
    const int64_t root = which == 1 || which == 2 ? (int64_t)below(world, (uint64_t)network->p) : 0;
    if (!write_other(world, network, others[which], root,
                     which == 0 ? TREES_OF_ROOTS : TREES_ARE_PATHS, &text) ||
        !read_drawn(world, arena_printf(world->arena, "%s/drawn", others[which]), &text, network,
                    root, &drawn) ||
        !is_right(world, &drawn)) {
        tally->wrong++;
        printf("# case %llu: %s is wrong\n", (unsigned long long)number, others[which]);
        return;
    }
    double ratio = limit_ratio(world, &drawn);
    if (which == 0)
        ratio = fmin(ratio, limit_of_halves(world, network));
    tally->made[which]++;
    tally->sum_of[which] += ratio;
    tally->most_of[which] = fmax(tally->most_of[which], ratio);
    if (ratio >= 1 - 1e-9)
        return;
    tally->slow++;
    printf("# case %llu: %s takes %g of the bound\n", (unsigned long long)number, others[which],
           ratio);
}

/* Any contract, on a network whose links differ. */
static void run_contract(World *world, uint64_t number, Tally *tally)
{
    Puzzle puzzle = {.schedule = "schedule: []\n"};
    Buffer text = {.arena = world->arena};
    Network network;
    Case drawn;
    puzzle_draw(world, &puzzle);
    const bool good = puzzle_add(world, &puzzle) &&
                      make_network(world, "graph", puzzle.p, &network) &&
                      write_other(world, &network, "wanted", 0, TREES_OF_BLOCKS, &text);
    if (good && text.count == 0)
        return; /* nothing has to move */
    if (!good || !read_drawn(world, "wanted/drawn", &text, &network, 0, &drawn) ||
        !is_right(world, &drawn)) {
        tally->wrong++;
        printf("# case %llu: a contract is wrong\n", (unsigned long long)number);
        return;
    }
    const double ratio = limit_ratio(world, &drawn);
    tally->contracts++;
    tally->sum_of_contracts += ratio;
    tally->most_of_contracts = fmax(tally->most_of_contracts, ratio);
    if (ratio >= 1 - 1e-9)
        return;
    tally->slow++;
    printf("# case %llu: a contract takes %g of the bound\n", (unsigned long long)number, ratio);
}

/* A rank below itself, or not later than its parent, or a share more than other roots have. */
static void change_tree(World *world, TreePacking *packing, uint64_t number)
{
    const size_t p = (size_t)packing->p;
    PackedTree *tree = &packing->trees.items[number % packing->trees.count];
    const int32_t r = (int32_t)((tree->root + 1 + (int32_t)below(world, p - 1)) % (int32_t)p);
    tree->parents = ARENA_COPY(world->arena, int32_t, tree->parents, p);
    tree->rounds = ARENA_COPY(world->arena, int32_t, tree->rounds, p);
    if (number % 3 == 0)
        tree->rounds[r] = tree->rounds[tree->parents[r]];
    else if (number % 3 == 1 && packing->trees.count > 1)
        tree->weight++;
    else
        tree->parents[r] = r;
}

/* What the links of a tree carry, round by round, where each rank gets its data after its parent;
   else INFINITY. */
static double transfer_of(World *world, const Hops *hops, int32_t rounds, const int32_t *parents,
                          const int32_t *reached)
{
    double *loads = ARENA_ROOM(world->arena, double, hops->link_count), sum = 0;
    for (int32_t round = 1; round <= rounds; round++) {
        double most = 0;
        memset(loads, 0, hops->link_count * sizeof *loads);
        for (int32_t r = 0; r < hops->p; r++) {
            if (reached[r] != round)
                continue;
            if (reached[parents[r]] >= round)
                return INFINITY;
            most = fmax(most, hops_load(hops, loads, parents[r], r, 1));
            hops_add(hops, loads, parents[r], r, 1);
        }
        for (size_t i = 0; i < hops->link_count; i++)
            most = fmax(most, loads[i]);
        sum += most;
    }
    return sum;
}

/* All trees of 4 ranks in two or three rounds, one by one. */
static void compare_exact(World *world, Tally *tally)
{
    enum { P = 4 };
    const Rules rules = {.ports = 1, .all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    Buffer text = {.arena = world->arena};
    const int32_t rounds = 2 + (int32_t)below(world, 2);
    const int32_t root = (int32_t)below(world, P);
    int32_t parents[P], reached[P];
    Network network;
    Hops hops;
    buffer_printf(&text, "topology: small\nranks: %d\nlinks:\n", P);
    add_direct_links(world, &text, P, true);
    buffer_printf(&text, "routing: shortest\n");
    if (!library_add_source(world->library,
                            source_from_text(world->arena, "small", text.items, text.count),
                            &world->diag) ||
        !make_network(world, "small", P, &network) ||
        !hops_find(world->arena, &network, &rules, false, &hops, &world->diag)) {
        tally->wrong++;
        return;
    }
    const double found = relay_exactly(&hops, root, rounds, parents, reached);
    const double taken = transfer_of(world, &hops, rounds, parents, reached);
    double least = INFINITY;
    for (int32_t code = 0; code < 16 * 16 * 16; code++) {
        for (int32_t r = 0, rest = code; r < P; r++) {
            parents[r] = r == root ? -1 : rest % 4;
            reached[r] = r == root ? 0 : 1 + rest / 4 % rounds;
            rest = r == root ? rest : rest / 16;
        }
        ArenaMark mark = arena_mark(world->arena);
        least = fmin(least, transfer_of(world, &hops, rounds, parents, reached));
        arena_release(world->arena, mark);
    }
    tally->exact++;
    tally->beaten += fabs(found - least) > 1e-9 * least || fabs(taken - least) > 1e-9 * least;
}

/* Trees in few rounds, and mutants of them. */
static void run_few_rounds(World *world, const Network *network, uint64_t number, Tally *tally)
{
    const Rules rules = {.ports = 1, .all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    const bool is_all = number % 2, is_inward = number / 2 % 2;
    const char *name = is_all      ? is_inward ? "reduce-scatter" : "allgather"
                       : is_inward ? "reduce"
                                   : "broadcast";
    const int64_t root = is_all ? -1 : (int64_t)below(world, (uint64_t)network->p);
    Buffer text = {.arena = world->arena}, mutant = {.arena = world->arena};
    Hops hops;
    TreePacking packing;
    Case drawn;
    double transfer;
    if (!hops_find(world->arena, network, &rules, is_inward, &hops, &world->diag) ||
        !relay_find(&hops, root, (int32_t)(number % 4), &packing, &transfer)) {
        tally->wrong++;
        return;
    }
    packing_write(&text, &packing, TREES_OF_ROOTS, name, "drawn", "drawn");
    if (!read_drawn(world, arena_printf(world->arena, "%s/drawn", name), &text, network,
                    root < 0 ? 0 : root, &drawn) ||
        !is_right(world, &drawn)) {
        tally->wrong++;
        printf("# case %llu: %s in few rounds is wrong\n", (unsigned long long)number, name);
        return;
    }
    tally->few_rounds++;
    change_tree(world, &packing, number);
    packing_write(&mutant, &packing, TREES_OF_ROOTS, name, "mutant", "drawn");
    tally->mutants++;
    world->diag = diag_silent();
    tally->caught +=
        !library_add_source(world->library,
                            source_from_text(world->arena, "mutant", mutant.items, mutant.count),
                            &world->diag) ||
        !library_algorithm(world->library,
                           text_of(world, arena_printf(world->arena, "%s/mutant", name)),
                           &world->diag);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {.least_share = 1, .is_whole = count > 1};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    for (uint64_t n = range.first; n < range.first + range.cases; n++) {
        World world = world_open(n + 1);
        Network network;
        if (!draw_network(&world, n, &network)) {
            tally.wrong++;
            world_close(&world);
            continue;
        }
        for (int i = 0; i < COLLECTIVES; i++)
            run_collective(&world, &network, collectives[i], n, &tally);
        for (int i = 0; i < OTHERS && network.p <= 16; i++)
            if (n % OTHERS == (uint64_t)i)
                run_other(&world, &network, i, n, &tally);
        if (network.p <= 16)
            run_few_rounds(&world, &network, n, &tally);
        run_contract(&world, n, &tally);
        world.diag = diag_silent();
        compare_exact(&world, &tally);
        world_close(&world);
    }
    printf(
        "# %lld schedules, %lld with switches, %lld at rounded rates, the least %.4f of the cut\n",
        (long long)tally.packed, (long long)tally.switched, (long long)tally.rounded,
        tally.least_share);
    for (int i = 0; i < CHUNKS; i++)
        printf("# k = %lld: transfer over bound %.4f on average, %.4f at most, of %lld\n",
               (long long)chunks[i], tally.sum[i] / (double)tally.costed[i], tally.most[i],
               (long long)tally.costed[i]);
    for (int i = 0; i < OTHERS; i++)
        printf("# %s: as chunks become many %.4f of the bound on average, %.4f at most, of %lld\n",
               others[i], tally.sum_of[i] / (double)tally.made[i], tally.most_of[i],
               (long long)tally.made[i]);
    printf("# contracts: %.4f of the bound on average, %.4f at most, of %lld\n",
           tally.sum_of_contracts / (double)tally.contracts, tally.most_of_contracts,
           (long long)tally.contracts);
    printf("# %lld in few rounds, %lld mutants\n", (long long)tally.few_rounds,
           (long long)tally.mutants);
    result(&results, tally.wrong == 0, "all trees are packed, and right on data");
    result(&results, tally.slow == 0, "they reach the bound but for the first chunk");
    result(&results, tally.least_share > 0.98, "rounded rates lose little");
    result(&results, tally.exact > 0 && tally.beaten == 0,
           "no tree in as many rounds carries less");
    result(&results, tally.caught == tally.mutants, "what is no tree is refused");
    return results_end(&results);
}
