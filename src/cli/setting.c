#include "cli/setting.h"

#include "cli/composed.h"
#include "model/parameters.h"

#include <string.h>

static void add_once(Arena *arena, StringArray *list, const char *text)
{
    if (!strings_hold(list, text))
        *ARRAY_PUSH(arena, list) = text;
}

void setting_put(Table *table, const Query *query, bool multiplies, const char *rules)
{
    if (query->format == FORMAT_TEXT)
        return;
    /* What --set and --ports say, with the values in force; a factor of several values as it was
       written. Numbers of chunks, radix and fan-out are columns of their own. */
    Arena *arena = query->study.arena;
    const CommandLine *line = query->line;
    const TextArray *settings = &line->values[OPTION_SET];
    StringArray parameters = {0};
    for (size_t i = 0; i < settings->count; i++) {
        Text name, value;
        if (!text_split(settings->items[i], '=', &name, &value) || text_equals(name, "k") ||
            text_equals(name, "radix") || text_equals(name, "fanout"))
            continue;
        const char *setting = machine_setting(arena, &query->study.machine, name);
        add_once(arena, &parameters, setting ? setting : text_string(arena, settings->items[i]));
    }
    if (option_given(line, OPTION_PORTS))
        add_once(
            arena, &parameters,
            arena_printf(arena, "ports=%s", text_string(arena, option_value(line, OPTION_PORTS))));
    if (query->study.implementation)
        add_once(arena, &parameters,
                 arena_printf(arena, "for=%s@%s", query->study.implementation->head.name,
                              query->study.version));
    /* The time of a multiply-add counts for problems only. */
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

void choices_put(Table *table, Key key, const char *algorithm, const collcost_branches *branches)
{
    put_text(table, key, algorithm);
    if (!branches->name)
        return;
    put_number(table, strcmp(branches->name, "radix") == 0 ? KEY_radix : KEY_fanout,
               (double)branches->value);
    put_shown(table, key, "%s %s=%lld", algorithm, branches->name, (long long)branches->value);
}

void case_put(Table *table, const collcost_case *opened)
{
    put_text(table, KEY_collective, collcost_case_collective(opened));
    put_text(table, KEY_topology, collcost_case_network(opened));
    put_number(table, KEY_p, (double)collcost_case_ranks(opened));
}

void choices_put_subject(Table *table, const collcost_case *opened, const char *algorithm,
                         const collcost_branches *branches)
{
    case_put(table, opened);
    choices_put(table, KEY_algorithm, algorithm, branches);
}

void choices_put_range(Table *table, const char *algorithm, const collcost_branches *branches,
                       int64_t to)
{
    choices_put(table, KEY_algorithm, algorithm, branches);
    if (!branches->name)
        return;
    put_number(table, strcmp(branches->name, "radix") == 0 ? KEY_to_radix : KEY_to_fanout,
               (double)to);
    if (to != branches->value)
        put_shown(table, KEY_algorithm, "%s %s=%lld..%lld", algorithm, branches->name,
                  (long long)branches->value, (long long)to);
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

void critical_path_put(Table *table, const collcost_message *message)
{
    PUT(table, message, round, from, to, bytes, start_s, end_s, contention_s);
    if (message->waits_at >= 0)
        PUT(table, message, waits_at);
}
