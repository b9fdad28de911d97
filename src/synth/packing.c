#include "synth/packing.h"

#include "base/limits.h"
#include "synth/fabric.h"
#include "synth/translate.h"
#include "synth/ways.h"

/* Links that carry so little more, or less, make no difference. */
static const double close_enough = 0.02;

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
    measure(packing, shares);
    return true;
}

/* If its trees load links less, or are lower and load them as much. */
static void keep_better(const Hops *hops, const TreePacking *other, TreePacking *packing)
{
    const double load = ways_load(hops, packing), others = ways_load(hops, other);
    const bool is_equal = others <= load * (1 + 1e-6) && other->height < packing->height;
    if (is_equal || others < load * (1 - 1e-6))
        *packing = *other;
}

/* Arcs past switches stand for paths that messages need not take, and arcs know of no ports. So
   switches are split in two ways, and where either loads links or ports more than the rate allows,
   trees are sought along the paths that messages take. */
static bool pack_best(const Hops *hops, PackingTask task, const Fabric *fabric, int64_t wanted,
                      double least, TreePacking *packing, Diag *diag)
{
    Diag silent = diag_silent();
    TreePacking other = *packing;
    const int ways = fabric->nodes > fabric->p ? 2 : 1;
    bool found = false;
    for (int evenly = 0; evenly < ways; evenly++) {
        Fabric copy = *fabric;
        TreePacking here = other;
        if (!pack(&copy, wanted, evenly, &here, found || hops ? &silent : diag))
            continue;
        if (found && hops)
            keep_better(hops, &here, packing);
        else if (!found)
            *packing = here;
        found = true;
    }
    if (!hops || (found && ways_load(hops, packing) <= least * (1 + close_enough)))
        return found;
    const Errands errands = ways_list_roots(fabric->arena, packing->p, task.root);
    if (!ways_find(hops, &errands, false, &other)) {
        if (!found)
            diag_error(diag, NOWHERE, "no trees reach all ranks of this network");
        return found;
    }
    if (found && ways_load(hops, &other) > ways_load(hops, packing) * (1 - close_enough))
        return true;
    *packing = other;
    return true;
}

/* About so many arcs do flows look at where switches are split: one for each rank and pair of arcs
   at a switch. False after a report, if that is more than some seconds. */
static bool has_few_arcs(const Fabric *fabric, const Network *network, Diag *diag)
{
    static const double most = 1 << 27;
    const double arcs = (double)fabric->arcs.count;
    if (fabric->nodes == fabric->p || (double)fabric->p * arcs * arcs <= most)
        return true;
    diag_limit(diag, NOWHERE,
               "%s takes too much work to synthesize a schedule: %d ranks, %d switches, %zu links; "
               "--members asks for some of the ranks",
               network->name, fabric->p, fabric->nodes - fabric->p, fabric->arcs.count);
    return false;
}

bool packing_find(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                  TreePacking *packing, Diag *diag)
{
    Fabric fabric;
    int64_t shares;
    *packing = (TreePacking){.p = network->p};
    if (task.root < 0 && network->p > LIMIT_ROOTS) {
        diag_limit(diag, NOWHERE, "trees from all of %lld ranks are too many to write out",
                   (long long)network->p);
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
    if (!has_few_arcs(&fabric, network, diag))
        return false;
    Hops hops;
    Diag silent = diag_silent();
    const FabricArc arc = fabric.arcs.items[0];
    const double least = (double)arc.capacity * (double)rate.denominator / (double)rate.numerator;
    fabric_scale(&fabric, rate, &shares);
    const bool has_hops = hops_find(arena, network, rules, task.is_inward, &hops, &silent);
    const int64_t link = network_find_link(network, task.is_inward ? arc.to : arc.from,
                                           task.is_inward ? arc.from : arc.to);
    const LinkCost *cost =
        &rules_link_costs(arena, rules, network)[network_link_class(network, link)];
    return pack_best(has_hops ? &hops : NULL, task, &fabric, shares,
                     least * cost->values[PARAMETER_TW] / (double)cost->lanes, packing, diag);
}
