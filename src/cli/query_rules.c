#include "cli/query_rules.h"

/* A word of a list that an option takes; false after a report. */
static bool read_choice(const CommandLine *line, OptionId option, const char *const *names,
                        int count, int *choice)
{
    if (!option_given(line, option))
        return true;
    Text text = option_value(line, option);
    for (int i = 0; i < count; i++)
        if (text_equals(text, names[i])) {
            *choice = i;
            return true;
        }
    diag_error(line->diag, text.span, "'%s' is no choice here", text.chars);
    const char *list = names[0];
    for (int i = 1; i < count; i++)
        list = arena_printf(line->arena, "%s%s%s", list, i == count - 1 ? " and " : ", ", names[i]);
    diag_note(line->diag, NOWHERE, "choices are %s", list);
    return false;
}

static bool read_switching(const CommandLine *line, int *switching)
{
    if (!option_given(line, OPTION_SWITCHING))
        return true;
    int found = switching_find(option_value(line, OPTION_SWITCHING));
    if (found < 0)
        return read_choice(line, OPTION_SWITCHING, switching_letters, SWITCHING_COUNT, switching);
    *switching = found;
    return true;
}

/* --overlap is short for --combining overlap, and both leave no barriers. */
static bool read_combining(const CommandLine *line, Rules *rules)
{
    int combining = COMBINING_AFTER;
    if (!read_choice(line, OPTION_COMBINING, combining_names, COMBINING_COUNT, &combining))
        return false;
    if (option_given(line, OPTION_OVERLAP)) {
        if (option_given(line, OPTION_COMBINING) && combining != COMBINING_OVERLAP) {
            diag_error(line->diag, option_value(line, OPTION_COMBINING).span,
                       "--overlap says that combining is overlapped");
            return false;
        }
        combining = COMBINING_OVERLAP;
    }
    rules->combining = (Combining)combining;
    rules->asynchronous = option_given(line, OPTION_ASYNCHRONOUS) || combining == COMBINING_OVERLAP;
    return true;
}

static bool read_ties(const CommandLine *line, Rules *rules)
{
    if (!option_given(line, OPTION_TIES))
        return true;
    Text text = option_value(line, OPTION_TIES);
    for (int ties = 0; ties < TIES_COUNT; ties++)
        if (text_equals(text, ties_names[ties])) {
            rules->ties = (Ties)ties;
            return true;
        }
    diag_error(line->diag, text.span, "ties cannot be decided by '%s'", text.chars);
    diag_note(line->diag, NOWHERE, "they are plus, inside or parity");
    return false;
}

bool query_read_rules(const CommandLine *line, const Machine *machine, Rules *rules)
{
    int switching = (int)machine->switching, duplex = (int)machine->duplex, contention = 0;
    if (!read_switching(line, &switching) || !read_combining(line, rules) ||
        !read_ties(line, rules) ||
        !read_choice(line, OPTION_DUPLEX, duplex_names, DUPLEX_COUNT, &duplex) ||
        !read_choice(line, OPTION_CONTENTION, contention_names, CONTENTION_COUNT, &contention))
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
    diag_error(line->diag, NOWHERE, "--real-k and --ceil-chunks contradict each other");
    return false;
}
