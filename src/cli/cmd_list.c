#include "cli/messages.h"
#include "cli/query.h"

#include <string.h>

/* What is to be listed: all, one kind, or the algorithms of one collective or problem. */
typedef struct {
    int kind;          /* -1: all */
    const char *owner; /* "allreduce"; NULL: any */
} Selection;

/* False after a report. */
static bool select_models(const Query *query, Text word, Selection *selection)
{
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (text_equals(word, kind_plurals[kind]) || text_equals(word, kind_keys[kind]))
            selection->kind = kind;
    if (selection->kind >= 0)
        return true;
    const ModelEntry *entry = library_find(query->study.library, word);
    if (entry && (entry->kind == KIND_COLLECTIVE || entry->kind == KIND_PROBLEM)) {
        *selection = (Selection){KIND_ALGORITHM, entry->name};
        return true;
    }
    const char *kind = messages_foreign(FOREIGN_MODEL, word)
                           ? NULL
                           : diag_nearest(word.chars, word.length, kind_plurals, KIND_COUNT);
    if (entry) {
        diag_error(query->study.diag, word.span,
                   "'%s' is a single %s, not a kind of model or a collective", entry->name,
                   kind_keys[entry->kind]);
        diag_note(query->study.diag, NOWHERE, "did you mean 'show %s'?", entry->name);
    } else if (kind) {
        diag_error(query->study.diag, word.span, "unknown kind of model '%.*s'", TEXT_ARGS(word));
        diag_note(query->study.diag, NOWHERE, "did you mean '%s'?", kind);
    } else {
        library_report_missing(query->study.library, KIND_COLLECTIVE, word, query->study.diag);
    }
    return false;
}

static void put_if(Table *table, Key key, const char *text)
{
    if (*text)
        put_text(table, key, text);
}

/* Every algorithm of a library, or those of one collective, in the order of its file. */
static Status list_library(const Query *query, const Selection *selection)
{
    const Study *study = &query->study;
    Arena *arena = study->arena;
    const CommandLine *line = query->line;
    if (line->operands.count && !selection->owner)
        return BAD_INPUT(study->diag, line->operands.items[0].span,
                         "with --for only a collective can be listed");
    const char *owner = selection->owner ? selection->owner : "";
    size_t at = 0;
    const LibraryAlgorithm *one =
        implementation_next_for(study->implementation, study->version, owner, BLOCKS_ANY, &at);
    if (!one) {
        implementation_refuse(study->implementation, study->version, owner, study->diag);
        return STATUS_BAD_INPUT;
    }
    Table *table = query_table(query, TABLE_list_for);
    for (; one; one = implementation_next_for(study->implementation, study->version, owner,
                                              BLOCKS_ANY, &at)) {
        const Text name = one->collective, model = one->model, when = one->unless.text;
        put_text(table, KEY_collective, text_string(arena, name));
        put_if(table, KEY_library_collective, one->variant);
        if (one->number >= 0)
            put_number(table, KEY_library_number, (double)one->number);
        put_text(table, KEY_library_name, one->name);
        put_if(table, KEY_library_model, text_string(arena, model));
        put_if(table, KEY_settings, library_settings_describe(arena, &one->settings));
        put_if(table, KEY_fallback, one->fallback);
        put_if(table, KEY_fallback_when, text_string(arena, when));
        if (one->recorded)
            put_number(table, KEY_runs_recorded, (double)one->recorded);
        put_if(table, KEY_note, one->note);
        table_row(table);
    }
    table_close(table);
    return STATUS_FINE;
}

static Status run(const CommandLine *line)
{
    Query query;
    Selection selection = {.kind = -1};
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < line->operands.count; i++) {
        if (i && (selection.kind != KIND_ALGORITHM || selection.owner))
            return BAD_INPUT(line->diag, line->operands.items[i].span,
                             "only algorithms have a collective: 'list algorithms COLLECTIVE'");
        selection.kind = -1;
        if (!select_models(&query, line->operands.items[i], &selection))
            return STATUS_BAD_INPUT;
    }
    if (query.study.implementation)
        return list_library(&query, &selection);
    const char *owner = selection.owner ? selection.owner : "";
    const size_t length = strlen(owner);
    Table *table = query_table(&query, TABLE_list);
    for (size_t i = 0; i < library_entry_count(query.study.library); i++) {
        const ModelEntry *entry = library_entry(query.study.library, i);
        if (selection.kind >= 0 && entry->kind != (ModelKind)selection.kind)
            continue;
        if (length && (strncmp(entry->name, owner, length) != 0 || entry->name[length] != '/'))
            continue;
        /* Every model begins with a head, whatever its kind. */
        const Head *head = library_load(query.study.library, entry, line->diag);
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
    .operands = "[KIND] [COLLECTIVE]",
    .summary = "what is in the library",
    .description =
        "Lists the models: algorithms, collectives, problems, topologies, machines, sources and "
        "libraries; or those of one KIND; or the algorithms of one COLLECTIVE or problem. With "
        "--for the algorithms of a library, by its numbers and names, with their "
        "models.",
    .examples = "collcost list allreduce\n"
                "collcost list machines",
    .options = OPTIONS(MODELS, OUTPUT, FOR),
    .run = run,
};
