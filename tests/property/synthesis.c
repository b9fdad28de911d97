/* Trees packed into random networks: right on data, and as fast as the bound, but for what the
   first chunk takes to reach the last rank. */
#include "base/buffer.h"
#include "bound/bounds.h"
#include "synth/tree_text.h"
#include "verify/verify.h"
#include "world.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CASES = 200, SIZE = 1 << 30, CHUNKS = 4, COLLECTIVES = 4 };
static const int64_t chunks[CHUNKS] = {1, 8, 64, 4096};
static const char *const collectives[COLLECTIVES] = {"broadcast", "reduce", "allgather",
                                                     "reduce-scatter"};

typedef struct {
    int64_t cases, packed, wrong, slow, rounded, switched;
    double sum[CHUNKS], most[CHUNKS];
    int64_t costed[CHUNKS];
    double least_share;
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
    if (!schedule_contract(&drawn->instance, world->arena, &contract, &world->diag))
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

/* Rounds take no longer than those in which all links are busy: k + height - 1 of them. */
static void compare_bound(World *world, Case *drawn, const TreePacking *packing, uint64_t number,
                          Tally *tally)
{
    const double bound = transfer_bound(world, drawn);
    for (int i = 0; i < CHUNKS; i++) {
        const int64_t k = chunks[i];
        Profile profile;
        /* the most chunks take some seconds with many ranks */
        if (k > 64 && (number % 10 || drawn->network.p > 16))
            continue;
        drawn->instance.k = k;
        if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules,
                            &profile, &world->diag)) {
            tally->wrong++;
            return;
        }
        const double ratio = profile_cost(&profile, drawn->link_costs, SIZE).transfer / bound;
        const double most = (1 + (double)(packing->height - 1) / (double)k) / packing->share_of_cut;
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
    packing_write(&text, &packing, name, "drawn", "drawn");
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
    tally->rounded += packing.share_of_cut < 1;
    tally->switched += network->node_count > network->p;
    tally->least_share = fmin(tally->least_share, packing.share_of_cut);
    if (!is_right(world, &drawn)) {
        tally->wrong++;
        printf("# case %llu: %s is wrong\n", (unsigned long long)number, name);
        return;
    }
    compare_bound(world, &drawn, &packing, number, tally);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {.least_share = 1};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    for (uint64_t n = range.first; n < range.first + range.cases; n++) {
        World world = world_open(n + 1);
        Network network;
        if (!draw_network(&world, n, &network))
            tally.wrong++;
        else
            for (int i = 0; i < COLLECTIVES; i++)
                run_collective(&world, &network, collectives[i], n, &tally);
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
    result(&results, tally.wrong == 0, "all trees are packed, and right on data");
    result(&results, tally.slow == 0, "they reach the bound but for the first chunk");
    result(&results, tally.least_share > 0.98, "rounded rates lose little");
    return results_end(&results);
}
