#include "synth/packed_tree.h"

static void write_ranks(Buffer *text, const int32_t *parents, const int32_t *numbers, int64_t p)
{
    for (int32_t r = 0; r < p; r++)
        if (parents[r] == TREE_ROOT)
            buffer_printf(text, " .");
        else if (parents[r] == TREE_OUTSIDE)
            buffer_printf(text, " x");
        else
            buffer_printf(text, " %d", numbers[r]);
    buffer_printf(text, "\n");
}

static void write_path(Buffer *text, const PackedTree *tree, int32_t to)
{
    if (tree->parents[to] >= 0)
        write_path(text, tree, tree->parents[to]);
    buffer_printf(text, " %d", to);
}

void packing_write(Buffer *text, const TreePacking *packing, TreeForm form, const char *collective,
                   const char *name, const char *network)
{
    buffer_printf(text,
                  "%salgorithm: %s\ncollective: %s\nsummary: %s the links of %s.\n"
                  "posting: together\ntrees:\n",
                  text->count ? "---\n" : "", name, collective,
                  form == TREES_ARE_PATHS ? "Paths over" : "Trees packed into", network);
    for (size_t i = 0; i < packing->trees.count; i++) {
        const PackedTree *tree = &packing->trees.items[i];
        buffer_printf(text, form == TREES_ARE_PATHS ? "  - path:" : "  - parents:");
        if (form == TREES_ARE_PATHS)
            write_path(text, tree, tree->target), buffer_printf(text, "\n");
        else
            write_ranks(text, tree->parents, tree->parents, packing->p);
        if (form == TREES_OF_BLOCKS)
            buffer_printf(text, "    block: %lld\n", (long long)tree->block);
        if (tree->weight > 1)
            buffer_printf(text, "    weight: %lld\n", (long long)tree->weight);
        if (!tree->rounds)
            continue;
        buffer_printf(text, "    rounds:");
        write_ranks(text, tree->parents, tree->rounds, packing->p);
    }
}
