#include "cli/setting.h"

#include "cli/composed.h"

#include <string.h>

ARRAY_TYPE(StringArray, const char *);

static void add_once(Arena *arena, StringArray *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return;
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

static void add_assumed(Arena *arena, StringArray *list, Text owner,
                        const bool assumed[PARAMETER_COUNT], const Delay *delays, int delay_count)
{
    for (int i = 0; i < delay_count; i++)
        if (delays[i].is_assumed)
            *ARRAY_PUSH(arena, list) =
                arena_printf(arena, "%.*s%s%s", (int)owner.length, owner.chars,
                             owner.length ? "." : "", delay_names[i]);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (assumed[i])
            *ARRAY_PUSH(arena, list) =
                arena_printf(arena, "%.*s%s%s", (int)owner.length, owner.chars,
                             owner.length ? "." : "", parameter_info[i].key);
}

static void add_assumed_of_protocols(Arena *arena, StringArray *list, const Machine *machine,
                                     const Level *level)
{
    for (int i = level->first_protocol; i < level->first_protocol + level->protocol_count; i++) {
        const Protocol *protocol = &machine->protocols[i];
        const char *owner =
            arena_printf(arena, "%.*s.%.*s", (int)level->name.length, level->name.chars,
                         (int)protocol->name.length, protocol->name.chars);
        add_assumed(arena, list, (Text){.chars = owner, .length = strlen(owner)}, protocol->assumed,
                    NULL, 0);
    }
}

/* The time of a multiply-add counts for problems only. */
static StringArray list_assumed(const Query *query, bool multiplies)
{
    const Machine *machine = &query->study.machine;
    StringArray list = {0};
    add_assumed(query->study.arena, &list, (Text){0}, machine->assumed, machine->delays,
                DELAY_COUNT);
    for (int i = 0; i < machine->level_count; i++)
        add_assumed(query->study.arena, &list, machine->levels[i].name, machine->levels[i].assumed,
                    machine->levels[i].delays, DELAYS_OF_LEVELS);
    for (int i = 0; i < machine->protocol_count; i++)
        add_assumed(query->study.arena, &list, machine->protocols[i].name,
                    machine->protocols[i].assumed, NULL, 0);
    for (int i = 0; i < machine->level_count; i++)
        add_assumed_of_protocols(query->study.arena, &list, machine, &machine->levels[i]);
    if (multiplies && machine->multiply_assumed)
        *ARRAY_PUSH(query->study.arena, &list) = "multiply";
    return list;
}

void setting_put(Table *table, const Query *query, bool multiplies, const char *rules)
{
    if (query->format == FORMAT_TEXT)
        return;
    StringArray parameters = list_parameters(query);
    StringArray assumed = list_assumed(query, multiplies);
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
