#include "lang/circulant.h"

enum { MOST_ROUNDS = 62 };

typedef struct {
    int rounds;                     /* q */
    int64_t skips[MOST_ROUNDS + 1]; /* that of q is p */
} Circulant;

/* A sum of falling skips, and the last of them. */
typedef struct {
    int64_t value;
    int last;
} SkipSum;

/* No skip is read back: gcc 12 at -O2 would load that of q before p is stored there. */
static void lay_out(Circulant *graph, int64_t p)
{
    int64_t skip = p;
    graph->rounds = 64 - __builtin_clzll((unsigned long long)p - 1);
    for (int i = graph->rounds; i >= 0; i--, skip = skip / 2 + skip % 2)
        graph->skips[i] = skip;
}

/* The largest sum of skips from number `least` on that is at most x. */
static SkipSum sum_below(const Circulant *graph, int64_t x, int least)
{
    SkipSum sum = {0, graph->rounds};
    if (x >= graph->skips[graph->rounds])
        sum.value = graph->skips[graph->rounds];
    for (int i = graph->rounds - 1; i >= least; i--)
        if (sum.value + graph->skips[i] <= x)
            sum = (SkipSum){sum.value + graph->skips[i], i};
    return sum;
}

/* Does any number above `low`, up to `high`, have that base block? */
static int has_base(const Circulant *graph, int64_t low, int64_t high, int base)
{
    SkipSum sum = sum_below(graph, high, base);
    while (sum.value > low && sum.last != base)
        sum = sum_below(graph, sum.value - 1, base);
    return sum.value > low;
}

/* The greatest one that is not used; -1: there is none. */
static int greatest_base(const Circulant *graph, int64_t low, int64_t high, uint64_t used)
{
    int base = graph->rounds;
    while (base >= 0 && ((used >> base & 1) || !has_base(graph, low, high, base)))
        base--;
    return base;
}

int64_t circulant_block(int64_t p, int64_t n)
{
    Circulant graph;
    if (p < 2 || p > INT64_MAX / 128 || n < 0)
        return INT64_MIN;
    lay_out(&graph, p);
    const int64_t rank = n / graph.rounds, round = n % graph.rounds;
    if (rank >= p)
        return INT64_MIN;
    if (rank == 0)
        return 0;
    const int own = sum_below(&graph, rank, 0).last;
    uint64_t used = (uint64_t)1 << own;
    int base = own;
    for (int i = 0; i <= round; i++) {
        const int64_t low = rank + p - graph.skips[i + 1], high = rank + p - graph.skips[i];
        base = greatest_base(&graph, low, high, used);
        if (base < 0) /* the rank below them counts where no other is left */
            base = greatest_base(&graph, low - 1, high, used);
        if (base < 0)
            return INT64_MIN;
        used |= (uint64_t)1 << base;
    }
    return base == graph.rounds ? own : base - graph.rounds;
}
