#include "cli/command.h"

#include <string.h>

/* Options that say something about many commands. What is about one collective only (--among), one
   message (--from) or one file is not kept. */
static const OptionSet kept =
    OPTIONS_OF_RULES | OPTIONS(TOPOLOGY, RANKS, SIZE, SIZES, MACHINE, SET, ORDER, ELEMENT, TIES,
                               PORTS, ROOT, REAL_K, CEIL_CHUNKS, BANDWIDTHS, OUTPUT);

/* Where a line says the one, the context does not say the other. */
static const struct {
    OptionId said, dropped;
} rivals[] = {{OPTION_FROM, OPTION_ROOT},
              {OPTION_OVERLAP, OPTION_COMBINING},
              {OPTION_COMBINING, OPTION_OVERLAP},
              {OPTION_REAL_K, OPTION_CEIL_CHUNKS},
              {OPTION_CEIL_CHUNKS, OPTION_REAL_K}};

bool context_takes(OptionId option)
{
    return kept >> option & 1;
}

static bool is_dropped(const CommandLine *line, OptionId option)
{
    for (size_t i = 0; i < COUNT_OF(rivals); i++)
        if (rivals[i].dropped == option && option_given(line, rivals[i].said))
            return true;
    return option == OPTION_RANKS && option_is_spoken(line, OPTION_TOPOLOGY) &&
           topology_has_sizes(line);
}

/* Several values add up, those of the line last. With ranks of its own a line takes the kind of
   network, not its sizes. */
static void take(CommandLine *line, OptionId option)
{
    const TextArray *lists[] = {&line->context->values[option], &line->values[option]};
    TextArray both = {0};
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; i < lists[n]->count; i++)
            *ARRAY_PUSH(line->arena, &both) = lists[n]->items[i];
    line->values[option] = both;
    line->assumed |= OPTION_MASK(option);
    if (option == OPTION_TOPOLOGY && option_is_spoken(line, OPTION_RANKS)) {
        Text *name = &line->values[option].items[0], sizes; /* "torus" of "torus:4x8" */
        text_split(*name, ':', name, &sizes);
    }
}

/* A command that looks for sizes by itself takes a range of the context, but no single size. */
static bool is_taken(const CommandLine *line, OptionSet options, OptionSet spoken, OptionId option)
{
    bool is_size = option == OPTION_SIZE || option == OPTION_ORDER;
    if (!(options >> option & 1) || line->context->values[option].count == 0)
        return false;
    return !(spoken >> option & 1) || (is_size && spoken != OPTIONS_ANY &&
                                       strstr(line->context->values[option].items[0].chars, ".."));
}

void context_fill(CommandLine *line, OptionSet options, OptionSet spoken)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        OptionId option = (OptionId)i;
        bool adds = option == OPTION_SET || !option_given(line, option);
        if (adds && is_taken(line, options, spoken, option) && !is_dropped(line, option))
            take(line, option);
    }
}

bool line_lacks(const CommandLine *line, Span span, OptionId option, const char *message)
{
    static const struct {
        OptionId option;
        const char *statement;
    } hints[] = {{OPTION_SIZE, "'set m = 1MiB'"},
                 {OPTION_RANKS, "'use full:8', or 'set p = 8',"},
                 {OPTION_ORDER, "'set n = 1024'"}};
    diag_error(line->diag, span, "%s", message);
    for (size_t i = 0; i < COUNT_OF(hints); i++)
        if (hints[i].option == option && line->context && line->context->has_lines)
            diag_note(line->diag, NOWHERE, "%s gives it to all lines that follow",
                      hints[i].statement);
    return false;
}
