#include "cli/setting.h"

#include "cli/composed.h"
#include "model/parameters.h"

#include <string.h>

ARRAY_TYPE(StringArray, const char *);

static void add_once(Arena *arena, StringArray *list, const char *text)
{
    if (text_among(text_plain(text), list->items, list->count) == list->count)
        *ARRAY_PUSH(arena, list) = text;
}

static const char *copy_text(Arena *arena, Text text)
{
    return arena_copy(arena, text.chars, text.length);
}

/* What --set and --ports say, with the values in force; a factor of several values as it was
   written. Numbers of chunks, radix and fan-out are columns of their own. */
static StringArray list_parameters(const Query *query)
{
    Arena *arena = query->study.arena;
    const CommandLine *line = query->line;
    const TextArray *settings = &line->values[OPTION_SET];
    StringArray list = {0};
    for (size_t i = 0; i < settings->count; i++) {
        Text name, value;
        if (!text_split(settings->items[i], '=', &name, &value) || text_equals(name, "k") ||
            text_equals(name, "radix") || text_equals(name, "fanout"))
            continue;
        const char *setting = machine_setting(arena, &query->study.machine, name);
        add_once(arena, &list, setting ? setting : copy_text(arena, settings->items[i]));
    }
    if (option_given(line, OPTION_PORTS))
        add_once(
            arena, &list,
            arena_printf(arena, "ports=%s", copy_text(arena, option_value(line, OPTION_PORTS))));
    if (query->study.implementation)
        add_once(arena, &list,
                 arena_printf(arena, "for=%s@%s", query->study.implementation->head.name,
                              query->study.version));
    return list;
}

void setting_put(Table *table, const Query *query, bool multiplies, const char *rules)
{
    if (query->format == FORMAT_TEXT)
        return;
    StringArray parameters = list_parameters(query);
    /* The time of a multiply-add counts for problems only. */
    Arena *arena = query->study.arena;
    const char *const *names;
    const size_t count = machine_assumed(arena, &query->study.machine, &names);
    StringArray assumed = {0};
    for (size_t i = 0; i < count; i++)
        if (multiplies || strcmp(names[i], "multiply") != 0)
            *ARRAY_PUSH(arena, &assumed) = names[i];
    const char *misfit = query->study.misfit ? *query->study.misfit : NULL;
    if (misfit) {
        table_include(table, KEY_misfit);
        put_text(table, KEY_misfit, misfit);
    }
    put_text(table, KEY_machine, query->study.machine.head.name);
    put_list(table, KEY_parameters, parameters.items, parameters.count);
    put_list(table, KEY_assumed, assumed.items, assumed.count);
    put_text(table, KEY_rules, rules);
    table_keep(table);
}

const char *setting_machine(const Query *query)
{
    return arena_printf(query->study.arena, "machine %s: %s", query->study.machine.head.name,
                        machine_describe(query->study.arena, &query->study.machine));
}

bool setting_is_brief(const Query *query)
{
    return option_given(query->line, OPTION_BRIEF);
}

const char *setting_of_machine(const Query *query)
{
    const Study *study = &query->study;
    return setting_is_brief(query) && query->line->is_one_machine
               ? arena_printf(study->arena, ", machine %s", study->machine.head.name)
               : "";
}

void setting_write_machine(const Query *query)
{
    const Study *study = &query->study;
    if (setting_is_brief(query))
        return;
    line_say(query->line, "%s", setting_machine(query));
    if (study->implementation)
        fprintf(query->line->out, "as %s@%s runs it\n", study->implementation->head.name,
                study->version);
}

void setting_begin(const Query *query)
{
    if (query->format != FORMAT_TEXT || setting_is_brief(query))
        return;
    setting_write_machine(query);
    fputc('\n', query->line->out);
}

void setting_end(const Query *query, const char *rules)
{
    if (query->format != FORMAT_TEXT || setting_is_brief(query))
        return;
    fputc('\n', query->line->out);
    line_say(query->line, "rules: %s", rules ? rules : setting_rules(query));
}

const char *setting_rules(const Query *query)
{
    const char *rules = "";
    query_answered(query, collcost_study_rules(&query->study, &rules));
    return composed_rules(query, rules);
}

void setting_write_rules(const Query *query)
{
    if (!setting_is_brief(query))
        line_say(query->line, "rules: %s", setting_rules(query));
}
