/* How counts are shown, and what many of them need. */
#include "refuted_counts.h"

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

const char *show_fraction(Arena *arena, int over, int under)
{
    int divisor = common_divisor(over, under);
    return divisor == under ? arena_printf(arena, "%d", over / divisor)
                            : arena_printf(arena, "%d/%d", over / divisor, under / divisor);
}

const char *show_cost(Arena *arena, Cost cost)
{
    int parts = cost.parts ? cost.parts : 1, hop_parts = cost.hop_parts ? cost.hop_parts : 1;
    const struct {
        int over, under;
        const char *name;
    } terms[] = {{cost.ts, 1, "ts"},
                 {cost.th, hop_parts, "th"},
                 {cost.tw, parts, cost.of_words ? "word tw" : "m tw"},
                 {cost.tc, parts, cost.of_words ? "word tc" : "m tc"},
                 {cost.tm, 1, "tm"}};
    const char *text = "";
    for (int i = 0; i < 5; i++) {
        const char *factor = show_fraction(arena, terms[i].over, terms[i].under);
        bool is_one = terms[i].over == terms[i].under;
        if (terms[i].over)
            text = arena_printf(arena, "%s%s%s%s%s", text, *text ? " + " : "", is_one ? "" : factor,
                                is_one ? "" : " ", terms[i].name);
    }
    return *text ? text : "0";
}

Counts counts_of(Arena *arena, Cost claimed, Cost found)
{
    return (Counts){show_cost(arena, claimed), show_cost(arena, found)};
}

Counts numbers_of(Arena *arena, int claimed, int found)
{
    return (Counts){arena_printf(arena, "%d", claimed), arena_printf(arena, "%d", found)};
}

Counts messages_of(Arena *arena, int round, int claimed, int found, int parts)
{
    return (Counts){
        arena_printf(arena, "%s m in round %d", show_fraction(arena, claimed, parts), round),
        arena_printf(arena, "%s m", show_fraction(arena, found, parts))};
}

int chunks_of(Case at)
{
    return at.k ? at.k : 1;
}

int ports_of(Case at)
{
    return at.d ? at.d : 1;
}

int smaller(int a, int b)
{
    return a < b ? a : b;
}

int larger(int a, int b)
{
    return a > b ? a : b;
}

int count_doublings(int p)
{
    int doublings = 0;
    for (int reached = 1; reached < p; reached *= 2)
        doublings++;
    return doublings;
}

int side_of(int p)
{
    int side = 0;
    while (side * side < p)
        side++;
    return side;
}
