#include "synth/packing.h"

#include "synth/fabric.h"

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

/* In one order whatever the heights: by root, heavy trees first. */
static void measure(TreePacking *packing, int64_t shares)
{
    packing->weight = shares;
    for (size_t i = 0; i < packing->trees.count; i++)
        if (packing->trees.items[i].height > packing->height)
            packing->height = packing->trees.items[i].height;
}

bool packing_find(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                  TreePacking *packing, Diag *diag)
{
    Fabric fabric;
    int64_t wanted, shares;
    *packing = (TreePacking){.p = network->p};
    if (!fabric_lay_out(arena, network, rules, task, &fabric, diag))
        return false;
    const Rate rate = fabric_rate(&fabric);
    if (rate.numerator == 0 || network->p < 2) {
        diag_error(diag, NOWHERE,
                   network->p < 2 ? "one rank needs no schedule"
                                  : "some rank of this network is not reached");
        return false;
    }
    const double scaled = fabric_scale(&fabric, rate, &wanted);
    fabric_split_switches(&fabric, wanted);
    shares = shares_left(&fabric, wanted);
    if (shares == 0 || !fabric_has_time(&fabric, diag)) {
        if (shares == 0)
            diag_error(diag, NOWHERE, "the switches of this network leave no capacity to trees");
        return false;
    }
    packing->share_of_cut = scaled * (double)shares / (double)wanted;
    if (!fabric_pack(&fabric, shares, &packing->trees, diag))
        return false;
    measure(packing, shares);
    return true;
}
