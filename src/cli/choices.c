#include "cli/choices.h"

#include "base/quantity.h"

#include <string.h>

static bool is_radix(const collcost_branches *branches)
{
    return strcmp(branches->name, "radix") == 0;
}

void choices_put(Table *table, Arena *arena, Key key, const char *algorithm,
                 const collcost_branches *branches)
{
    put_text(table, key, algorithm);
    if (!branches->name)
        return;
    put_number(table, is_radix(branches) ? KEY_radix : KEY_fanout, (double)branches->value);
    put_shown(
        table, key,
        arena_printf(arena, "%s %s=%lld", algorithm, branches->name, (long long)branches->value));
}

void case_put(Table *table, const collcost_case *opened)
{
    put_text(table, KEY_collective, collcost_case_collective(opened));
    put_text(table, KEY_topology, collcost_case_network(opened));
    put_number(table, KEY_p, (double)collcost_case_ranks(opened));
}

void choices_put_subject(Table *table, Arena *arena, const collcost_case *opened,
                         const char *algorithm, const collcost_branches *branches)
{
    case_put(table, opened);
    choices_put(table, arena, KEY_algorithm, algorithm, branches);
}

void choices_put_range(Table *table, Arena *arena, const char *algorithm,
                       const collcost_branches *branches, int64_t to)
{
    choices_put(table, arena, KEY_algorithm, algorithm, branches);
    if (!branches->name)
        return;
    put_number(table, is_radix(branches) ? KEY_to_radix : KEY_to_fanout, (double)to);
    if (to != branches->value)
        put_shown(table, KEY_algorithm,
                  arena_printf(arena, "%s %s=%lld..%lld", algorithm, branches->name,
                               (long long)branches->value, (long long)to));
}

const char *choices_show_ranges(Arena *arena, const int64_t *numbers, size_t count,
                                const char *sign)
{
    const char *text = "";
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end + 1 < count && numbers[end + 1] == numbers[end] + 1)
            end++;
        text = arena_printf(arena, "%s%s%lld", text, i ? ", " : "", (long long)numbers[i]);
        if (end > i)
            text = arena_printf(arena, "%s%s%lld", text, *sign == ' ' && end == i + 1 ? ", " : sign,
                                (long long)numbers[end]);
        i = end + 1;
    }
    return text;
}

const char *pieces_show(Arena *arena, const collcost_piece *pieces, size_t count, double m_count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        text = arena_printf(arena, "%s%s", text, pieces[i].algorithm);
        if (i + 1 < count)
            text = arena_printf(arena, "%s up to %s, then ", text,
                                quantity_show_bytes(arena, pieces[i].to_bytes * m_count));
    }
    return text;
}
