#include "cli/using.h"

#include "model/exchange.h"

static bool add_part(Query *query, Text name)
{
    const Algorithm *part = library_algorithm(query->library, name, query->diag);
    if (!part)
        return false;
    if (part->collective->problem || part->expect_wrong) {
        diag_error(query->diag, name.span,
                   part->expect_wrong
                       ? "%s is kept to show that it is wrong; it cannot be a part"
                       : "%s computes a product; only algorithms of collectives can be parts",
                   algorithm_full_name(query->arena, part));
        return false;
    }
    for (size_t i = 0; i < query->parts.count; i++)
        if (query->parts.items[i]->collective == part->collective) {
            diag_error(query->diag, name.span, "this is the second algorithm for %s",
                       part->collective->head.name);
            return false;
        }
    *ARRAY_PUSH(query->arena, &query->parts) = part;
    return true;
}

bool using_read(Query *query)
{
    if (!option_given(query->line, OPTION_USING))
        return true;
    Text name, rest = option_value(query->line, OPTION_USING);
    while (query_split(rest, ',', &name, &rest))
        if (!add_part(query, name))
            return false;
    return add_part(query, rest);
}

const Algorithm *using_apply(const Query *query, const Algorithm *algorithm)
{
    return exchange_parts(query->arena, algorithm, query->parts.items, query->parts.count);
}

static bool any_uses(const AlgorithmArray *algorithms, const Collective *collective)
{
    for (size_t i = 0; i < algorithms->count; i++)
        if (exchange_uses(algorithms->items[i], collective))
            return true;
    return false;
}

bool using_check(const Query *query, const AlgorithmArray *algorithms)
{
    for (size_t i = 0; i < query->parts.count; i++) {
        const Collective *collective = query->parts.items[i]->collective;
        if (any_uses(algorithms, collective))
            continue;
        const char *who =
            algorithms->count == 1 ? algorithm_full_name(query->arena, algorithms->items[0]) : NULL;
        diag_error(query->diag, option_value(query->line, OPTION_USING).span, "%s %s %s",
                   who ? who : "no algorithm here", who ? "uses no" : "uses any",
                   collective->head.name);
        return false;
    }
    return true;
}
