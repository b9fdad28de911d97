#include "model/origin.h"

#include <ctype.h>
#include <string.h>

/* {order: 8, grid: 4x4, block: 1, owner: EXPRESSION} */
static bool read_partition(Arena *arena, const Node *node, PrintedPartition *partition, Diag *diag)
{
    static const char *const keys[] = {"order", "grid", "block", "owner"};
    *partition = (PrintedPartition){.order = 0};
    static const char *const names[] = {"i", "j"};
    Text rows, columns;
    Scope scope = scope_of_whole(arena, names, 2, -1);
    if (!read_map(node, "a partition", keys, COUNT_OF(keys), diag) ||
        !read_key_whole(node, "order", "a whole number", 1, LIMIT_ROWS, &partition->order, diag))
        return false;
    const Node *grid = node_get(node, "grid");
    if (!grid || !node_is_scalar(grid, "the grid of ranks", diag))
        return false;
    if (!text_split(grid->text, 'x', &rows, &columns))
        return diag_error(diag, grid->text.span, "a grid of ranks is ROWSxCOLUMNS, such as 4x4");
    if (!quantity_parse_integer(rows, 1, LIMIT_ROWS, &partition->rows, diag) ||
        !quantity_parse_integer(columns, 1, LIMIT_ROWS, &partition->columns, diag) ||
        !read_key_whole(node, "block", "a whole number", 1, LIMIT_ROWS, &partition->block, diag) ||
        !read_formula((FormulaMap){arena, node, &scope, diag}, "owner", TYPE_INT, DIMENSION_NONE,
                      &partition->owner))
        return false;
    return (partition->order && partition->owner.program) ||
           diag_error(diag, node->text.span, "a partition needs 'order', 'grid' and 'owner'");
}

/* printed: [{place: eq. (1), formula: ..., about: ..., lost: yes}, ...] */
static bool read_printed(Arena *arena, const Node *map, Printed *printed, Diag *diag)
{
    static const char *const keys[] = {"place",       "formula",    "about",     "lost",
                                       "approximate", "definition", "partition", "corrections"};
    printed->span = map->text.span;
    if (!read_map(map, "what a source prints", keys, COUNT_OF(keys), diag) ||
        !read_text(arena, map, "place", &printed->place, diag) ||
        !read_text(arena, map, "formula", &printed->printed, diag) ||
        !read_text(arena, map, "about", &printed->about, diag) ||
        !read_answer(map, "lost", &printed->is_lost, diag) ||
        !read_answer(map, "approximate", &printed->is_approximate, diag) ||
        !read_answer(map, "definition", &printed->is_definition, diag))
        return false;
    const Node *cut = node_get(map, "partition"), *corrections = node_get(map, "corrections");
    printed->partition_count = cut ? node_item_count(cut) : 0;
    PrintedPartition *partitions =
        ARENA_ARRAY(arena, PrintedPartition, printed->partition_count + 1);
    for (size_t i = 0; i < printed->partition_count; i++)
        if (!read_partition(arena, node_item(cut, i), &partitions[i], diag))
            return false;
    printed->partitions = partitions;
    if (corrections && !(printed->corrections = read_names(arena, corrections, "a correction",
                                                           &printed->correction_count, diag)))
        return false;
    return (*printed->place && (*printed->printed || printed->is_lost)) ||
           diag_error(diag, printed->span, "what a source prints needs a 'place' and a 'formula'");
}

/* {number: I028, operation: broadcast, item: chain, topology: full, answer: cost broadcast/chain}
 */
static bool read_covered(Arena *arena, const Node *map, const char *origin, Covered *covered,
                         Diag *diag)
{
    static const char *const keys[] = {"number",    "operation", "item",  "topology",
                                       "switching", "sources",   "answer"};
    const char **const texts[] = {&covered->number,   &covered->operation, &covered->item,
                                  &covered->topology, &covered->switching, &covered->sources,
                                  &covered->answer};
    const char *const defaults[] = {NULL, NULL, NULL, "-", "-", origin, ""};
    const size_t count = COUNT_OF(keys);
    if (!read_map(map, "what a source covers", keys, count, diag))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!read_text(arena, map, keys[i], texts[i], diag))
            return false;
        if (!**texts[i] && !defaults[i])
            return diag_error(diag, map->text.span, "what a source covers needs '%s'", keys[i]);
        *texts[i] = **texts[i] ? *texts[i] : defaults[i];
    }
    return true;
}

Origin *origin_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"source", "summary", "parameters", "printed", "covers"};
    Origin *origin = ARENA_NEW(arena, Origin);
    if (!node_check_keys(map, "a source", keys, COUNT_OF(keys), diag) ||
        !read_head(arena, map, "source", &origin->head, diag))
        return NULL;
    const Node *parameters = node_get(map, "parameters"), *covers = node_get(map, "covers");
    const char *names[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        names[i] = parameter_info[i].name;
    if (!parameters)
        return DIAG_NULL(diag, origin->head.span, "a source needs 'parameters', such as [ts, tw]");
    if (!read_flags(parameters, "a parameter of a source", names, PARAMETER_COUNT, origin->counts,
                    diag))
        return NULL;
    const Node *printed = node_get(map, "printed");
    if (printed && printed->kind != NODE_LIST)
        return DIAG_NULL(diag, printed->text.span, "what a source prints is a list");
    bool good = true;
    origin->printed_count = printed ? printed->count : 0;
    origin->printed = printed ? ARENA_ARRAY(arena, Printed, printed->count) : NULL;
    for (size_t i = 0; i < origin->printed_count; i++) {
        Printed *own = &origin->printed[i];
        good &= read_printed(arena, printed->values[i], own, diag);
        for (size_t j = 0; j < i && good; j++)
            if (strcmp(origin->printed[j].place, own->place) == 0)
                good = diag_error(diag, own->span, "duplicate place '%s'", own->place);
    }
    if (!good)
        return NULL;
    if (covers && covers->kind != NODE_LIST)
        return DIAG_NULL(diag, covers->text.span, "what a source covers is a list");
    origin->covered_count = covers ? covers->count : 0;
    origin->covered = ARENA_ARRAY(arena, Covered, origin->covered_count + 1);
    for (size_t i = 0; i < origin->covered_count; i++)
        if (!read_covered(arena, covers->values[i], origin->head.name, &origin->covered[i], diag))
            return NULL;
    return origin;
}

bool origin_cite(const Resolver *resolver, Text source, Citation *citation)
{
    /* A word of one capital letter and digits in front of the comma names an origin. */
    const char *comma = memchr(source.chars, ',', source.length);
    size_t start = comma ? (size_t)(comma - source.chars) : source.length;
    bool is_name = start >= 2 && isupper((unsigned char)source.chars[0]);
    for (size_t i = 1; i < start; i++)
        is_name &= isdigit((unsigned char)source.chars[i]) != 0;
    *citation = (Citation){.remark = ""};
    if (!is_name)
        return true;
    citation->origin = resolver_find(resolver, KIND_ORIGIN, text_slice(source, 0, start));
    if (!citation->origin)
        return false;
    while (start < source.length && strchr(", ", source.chars[start]))
        start++;
    Text place = text_behind(source, start);
    if (citation->origin->printed_count == 0)
        return true;
    /* The item whose place the text begins with, the longest of several. */
    size_t length = 0;
    for (size_t i = 0; i < citation->origin->printed_count; i++) {
        const Printed *printed = &citation->origin->printed[i];
        const size_t own = strlen(printed->place);
        if (own > length && text_begins(place, printed->place) &&
            (own == place.length || strchr(" ,;", place.chars[own])))
            citation->printed = printed, length = own;
    }
    if (!citation->printed) {
        const char **places =
            ARENA_ARRAY(resolver->arena, const char *, citation->origin->printed_count);
        for (size_t i = 0; i < citation->origin->printed_count; i++)
            places[i] = citation->origin->printed[i].place;
        diag_error(resolver->diag, place.span, "%s prints nothing at '%.*s'",
                   citation->origin->head.name, TEXT_ARGS(place));
        return diag_suggest(resolver->diag, place, places, citation->origin->printed_count);
    }
    while (length < place.length && strchr(",; ", place.chars[length]))
        length++;
    citation->remark = arena_copy(resolver->arena, place.chars + length, place.length - length);
    return true;
}

bool origin_cite_head(const Resolver *resolver, const Node *map, Citation *citation)
{
    const Node *source = node_get(map, "source");
    *citation = (Citation){.remark = ""};
    return !source || origin_cite(resolver, source->text, citation);
}
