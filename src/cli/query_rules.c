#include "cli/query_rules.h"

/* A word of a list that an option takes; false after a report. */
static bool read_choice(const Query *query, OptionId option, const char *const *names, int count,
                        int *choice)
{
    if (!option_given(query->line, option))
        return true;
    Text text = option_value(query->line, option);
    for (int i = 0; i < count; i++)
        if (text_equals(text, names[i])) {
            *choice = i;
            return true;
        }
    diag_error(query->study.diag, text.span, "'%s' is no choice here", text.chars);
    const char *list = names[0];
    for (int i = 1; i < count; i++)
        list = arena_printf(query->study.arena, "%s%s%s", list, i == count - 1 ? " and " : ", ",
                            names[i]);
    diag_note(query->study.diag, NOWHERE, "choices are %s", list);
    return false;
}

static bool read_switching(const Query *query, int *switching)
{
    if (!option_given(query->line, OPTION_SWITCHING))
        return true;
    int found = switching_find(option_value(query->line, OPTION_SWITCHING));
    if (found < 0)
        return read_choice(query, OPTION_SWITCHING, switching_letters, SWITCHING_COUNT, switching);
    *switching = found;
    return true;
}

/* --overlap is short for --combining overlap, and both leave no barriers. */
static bool read_combining(Query *query)
{
    const CommandLine *line = query->line;
    int combining = COMBINING_AFTER;
    if (!read_choice(query, OPTION_COMBINING, combining_names, COMBINING_COUNT, &combining))
        return false;
    if (option_given(line, OPTION_OVERLAP)) {
        if (option_given(line, OPTION_COMBINING) && combining != COMBINING_OVERLAP) {
            diag_error(query->study.diag, option_value(line, OPTION_COMBINING).span,
                       "--overlap says that combining is overlapped");
            return false;
        }
        combining = COMBINING_OVERLAP;
    }
    query->study.rules.combining = (Combining)combining;
    query->study.rules.asynchronous =
        option_given(line, OPTION_ASYNCHRONOUS) || combining == COMBINING_OVERLAP;
    return true;
}

static bool read_ties(Query *query)
{
    if (!option_given(query->line, OPTION_TIES))
        return true;
    Text text = option_value(query->line, OPTION_TIES);
    for (int ties = 0; ties < TIES_COUNT; ties++)
        if (text_equals(text, ties_names[ties])) {
            query->study.rules.ties = (Ties)ties;
            return true;
        }
    diag_error(query->study.diag, text.span, "ties cannot be decided by '%s'", text.chars);
    diag_note(query->study.diag, NOWHERE, "they are plus, inside or parity");
    return false;
}

bool query_read_rules(Query *query)
{
    const CommandLine *line = query->line;
    const Machine *machine = &query->study.machine;
    Rules *rules = &query->study.rules;
    int switching = (int)machine->switching, duplex = (int)machine->duplex, contention = 0;
    if (!read_switching(query, &switching) || !read_combining(query) || !read_ties(query) ||
        !read_choice(query, OPTION_DUPLEX, duplex_names, DUPLEX_COUNT, &duplex) ||
        !read_choice(query, OPTION_CONTENTION, contention_names, CONTENTION_COUNT, &contention))
        return false;
    rules->ports = machine->ports;
    rules->all_ports = machine->all_ports;
    rules->fixed_ports = option_given(line, OPTION_PORTS);
    rules->switching = (Switching)switching;
    rules->duplex = (Duplex)duplex;
    rules->contention = (Contention)contention;
    rules->real_chunks = option_given(line, OPTION_REAL_K);
    rules->ceil_chunks = option_given(line, OPTION_CEIL_CHUNKS);
    rules->levels = machine->levels;
    rules->level_count = machine->level_count;
    rules->protocols = machine->protocol_count ? machine->protocols : NULL;
    if (!rules->ceil_chunks || !rules->real_chunks)
        return true;
    diag_error(query->study.diag, NOWHERE, "--real-k and --ceil-chunks contradict each other");
    return false;
}
