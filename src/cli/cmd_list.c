#include "cli/query.h"

#include <string.h>

/* Every model begins with a head, whatever its kind. */
static const Head *head_of(const Query *query, const ModelEntry *entry)
{
    const void *model = library_load(query->study.library, entry, query->study.diag);
    if (!model)
        return NULL;
    switch (entry->kind) {
    case KIND_ALGORITHM:
        return &((const Algorithm *)model)->head;
    case KIND_COLLECTIVE:
        return &((const Collective *)model)->head;
    case KIND_TOPOLOGY:
        return &((const Topology *)model)->head;
    case KIND_MACHINE:
        return &((const Machine *)model)->head;
    default:
        return &((const Origin *)model)->head;
    }
}

static Status run(const CommandLine *line)
{
    Query query;
    int only = -1;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    for (int kind = 0; kind < KIND_COUNT && line->operands.count; kind++)
        if (text_equals(line->operands.items[0], kind_plurals[kind]) ||
            text_equals(line->operands.items[0], kind_keys[kind]))
            only = kind;
    if (line->operands.count && only < 0) {
        diag_error(line->diag, line->operands.items[0].span, "there is no kind of model '%s'",
                   line->operands.items[0].chars);
        diag_suggest(line->diag, line->operands.items[0], kind_plurals, KIND_COUNT);
        return STATUS_BAD_INPUT;
    }
    Table *table = table_open(line->arena, line->out, query.format, TABLE_list);
    for (size_t i = 0; i < library_entry_count(query.study.library); i++) {
        const ModelEntry *entry = library_entry(query.study.library, i);
        if (only >= 0 && entry->kind != (ModelKind)only)
            continue;
        const Head *head = head_of(&query, entry);
        if (!head)
            return STATUS_BAD_INPUT;
        put_text(table, KEY_kind, kind_keys[entry->kind]);
        put_text(table, KEY_name, entry->name);
        put_text(table, KEY_summary, head->summary);
        table_row(table);
    }
    table_close(table);
    return STATUS_FINE;
}

const Command command_list = {
    .name = "list",
    .operands = "[KIND]",
    .most_operands = 1,
    .summary = "what is in the library",
    .description =
        "Lists the models: algorithms, collectives, topologies, machines and sources, or those\n"
        "of one KIND.",
    .options = OPTION_BIT(MODELS) | OPTION_BIT(OUTPUT),
    .run = run,
};
