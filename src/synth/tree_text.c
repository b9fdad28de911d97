#include "synth/tree_text.h"

void packing_write(Buffer *text, const TreePacking *packing, const char *collective,
                   const char *name, const char *network)
{
    buffer_printf(text,
                  "%salgorithm: %s\ncollective: %s\nsummary: Trees packed into the links of %s.\n"
                  "posting: together\ntrees:\n",
                  text->count ? "---\n" : "", name, collective, network);
    for (size_t i = 0; i < packing->trees.count; i++) {
        const PackedTree *tree = &packing->trees.items[i];
        buffer_printf(text, "  - parents:");
        for (int64_t r = 0; r < packing->p; r++) {
            if (tree->parents[r] < 0)
                buffer_printf(text, " .");
            else
                buffer_printf(text, " %d", tree->parents[r]);
        }
        buffer_printf(text, "\n");
        if (tree->weight > 1)
            buffer_printf(text, "    weight: %lld\n", (long long)tree->weight);
    }
}
