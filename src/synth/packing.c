#include "synth/packing.h"

#include "base/limits.h"
#include "synth/fabric.h"
#include "synth/translate.h"

enum { MOST_ROOTS = 2048 };

/* What is left of the rate after switches were split, where they lost some of it. */
static int64_t shares_left(Fabric *fabric, int64_t shares)
{
    int64_t least = 0, most = shares;
    if (fabric_carries(fabric, 1, shares, NULL))
        return shares;
    while (least + 1 < most) {
        const int64_t middle = least + (most - least) / 2;
        if (fabric_carries(fabric, 1, middle, NULL))
            least = middle;
        else
            most = middle;
    }
    return least;
}

static void measure(TreePacking *packing, int64_t shares)
{
    packing->weight = shares;
    for (size_t i = 0; i < packing->trees.count; i++)
        if (packing->trees.items[i].height > packing->height)
            packing->height = packing->trees.items[i].height;
}

/* What the messages of all trees, a share each, load the busiest link with, as they are routed:
   over its bandwidth. Negative after a report. */
static double busiest_load(Arena *arena, const Network *network, const Rules *rules, bool is_inward,
                           const PackedTrees *trees, Diag *diag)
{
    const LinkCost *costs = rules_link_costs(arena, rules, network);
    const size_t p = (size_t)network->p, count = trees->count * (p - 1);
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    int64_t *weights = ARENA_ROOM(arena, int64_t, count);
    double *loads = ARENA_ARRAY(arena, double, (size_t)network_link_count(network));
    double most = 0;
    Routes routes;
    size_t n = 0;
    for (size_t t = 0; t < trees->count; t++)
        for (size_t r = 0; r < p; r++) {
            const int64_t parent = trees->items[t].parents[r];
            if (parent < 0)
                continue;
            from[n] = is_inward ? (int64_t)r : parent, to[n] = is_inward ? parent : (int64_t)r;
            weights[n++] = trees->items[t].weight;
        }
    if (!network_route(network, arena, n, from, to, &routes, diag))
        return -1;
    for (size_t i = 0; i < routes.link_count; i++) {
        const int64_t link = network_find_link(network, routes.from[i], routes.to[i]);
        const LinkCost *cost = &costs[network_link_class(network, link)];
        loads[link] +=
            (double)weights[routes.message[i]] * cost->values[PARAMETER_TW] / (double)cost->lanes;
        most = loads[link] > most ? loads[link] : most;
    }
    return most;
}

/* Splits switches, and packs. False after a report. */
static bool pack(Fabric *fabric, int64_t wanted, bool evenly, TreePacking *packing, Diag *diag)
{
    fabric_split_switches(fabric, wanted, evenly);
    const int64_t shares = shares_left(fabric, wanted);
    if (shares == 0)
        diag_error(diag, NOWHERE, "the switches of this network leave no capacity to trees");
    if (shares == 0 || !fabric_has_time(fabric, diag) ||
        !fabric_pack(fabric, shares, &packing->trees, diag))
        return false;
    packing->share_of_cut *= (double)shares / (double)wanted;
    measure(packing, shares);
    return true;
}

/* Arcs past switches stand for paths that messages need not take: of two ways to split them, that
   whose trees load links the less, and are lower. */
static bool pack_past_switches(const Network *network, const Rules *rules, PackingTask task,
                               const Fabric *fabric, int64_t wanted, TreePacking *packing,
                               Diag *diag)
{
    TreePacking other = *packing;
    Fabric fabrics[2] = {*fabric, *fabric};
    if (!pack(&fabrics[0], wanted, true, packing, diag))
        return false;
    const double load =
        busiest_load(fabric->arena, network, rules, task.is_inward, &packing->trees, diag) /
        (double)packing->weight;
    Diag silent = diag_silent();
    if (load < 0 || !pack(&fabrics[1], wanted, false, &other, &silent))
        return load >= 0;
    const double others =
        busiest_load(fabric->arena, network, rules, task.is_inward, &other.trees, diag) /
        (double)other.weight;
    const bool is_equal = others <= load * (1 + 1e-6) && other.height <= packing->height;
    if (others >= 0 && (is_equal || others < load * (1 - 1e-6)))
        *packing = other;
    return others >= 0;
}

bool packing_find(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                  TreePacking *packing, Diag *diag)
{
    Fabric fabric;
    int64_t shares;
    *packing = (TreePacking){.p = network->p, .share_of_cut = 1};
    if (task.root < 0 && network->p > LIMIT_ROOTS) {
        diag_limit(diag, NOWHERE, "trees from all of %lld ranks are too many to write out",
                   (long long)network->p);
        return false;
    }
    if (network->p < 2) {
        diag_error(diag, NOWHERE, "one rank needs no schedule");
        return false;
    }
    if (!fabric_lay_out(arena, network, rules, task, &fabric, diag))
        return false;
    Rate rate;
    if (!fabric_rate(&fabric, &rate, diag))
        return false;
    if (rate.numerator == 0) {
        diag_error(diag, NOWHERE, "some rank of this network is not reached");
        return false;
    }
    if (translate_trees(&fabric, &network->shape, rate, &shares, &packing->trees)) {
        measure(packing, shares);
        return true;
    }
    packing->share_of_cut = fabric_scale(&fabric, rate, &shares);
    return network->node_count == network->p
               ? pack(&fabric, shares, false, packing, diag)
               : pack_past_switches(network, rules, task, &fabric, shares, packing, diag);
}
