#include "synth/tree_text.h"

static void begin(Buffer *text, const char *collective, const char *name, const char *what,
                  const char *network)
{
    buffer_printf(text,
                  "%salgorithm: %s\ncollective: %s\nsummary: %s the links of %s.\n"
                  "posting: together\ntrees:\n",
                  text->count ? "---\n" : "", name, collective, what, network);
}

static void write_weight(Buffer *text, int64_t weight)
{
    if (weight > 1)
        buffer_printf(text, "    weight: %lld\n", (long long)weight);
}

static void write_ranks(Buffer *text, const PackedTree *tree, const int32_t *numbers, int64_t p)
{
    for (int32_t r = 0; r < p; r++)
        if (r == tree->root)
            buffer_printf(text, " .");
        else
            buffer_printf(text, " %d", numbers[r]);
    buffer_printf(text, "\n");
}

void packing_write(Buffer *text, const TreePacking *packing, const char *collective,
                   const char *name, const char *network)
{
    begin(text, collective, name, "Trees packed into", network);
    for (size_t i = 0; i < packing->trees.count; i++) {
        const PackedTree *tree = &packing->trees.items[i];
        buffer_printf(text, "  - parents:");
        write_ranks(text, tree, tree->parents, packing->p);
        write_weight(text, tree->weight);
        if (!tree->rounds)
            continue;
        buffer_printf(text, "    rounds:");
        write_ranks(text, tree, tree->rounds, packing->p);
    }
}

void ways_write(Buffer *text, const WaySet *ways, const char *collective, const char *name,
                const char *network)
{
    begin(text, collective, name, "Paths over", network);
    for (size_t i = 0; i < ways->paths.count; i++) {
        const Way *way = &ways->paths.items[i];
        buffer_printf(text, "  - path:");
        for (int32_t r = 0; r < way->count; r++)
            buffer_printf(text, " %d", way->ranks[r]);
        buffer_printf(text, "\n");
        write_weight(text, way->weight);
    }
}
