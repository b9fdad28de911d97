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

void context_fill(CommandLine *line, OptionSet options, OptionSet spoken)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionId option = (OptionId)i;
        const TextArray *lent = &line->context->values[option], *own = &line->values[option];
        const bool is_size = option == OPTION_SIZE || option == OPTION_ORDER;
        bool is_dropped = option == OPTION_RANKS && option_is_spoken(line, OPTION_TOPOLOGY) &&
                          topology_has_sizes(line);
        for (size_t r = 0; r < COUNT_OF(rivals); r++)
            is_dropped |= rivals[r].dropped == option && option_given(line, rivals[r].said);
        if (!(options >> option & 1) || lent->count == 0 ||
            (option != OPTION_SET && own->count > 0) || is_dropped)
            continue;
        /* A command that looks for sizes by itself takes a range of the context, but no single
           size. */
        if (spoken >> option & 1 &&
            !(is_size && spoken != OPTIONS_ANY && strstr(lent->items[0].chars, "..")))
            continue;
        TextArray both; /* several values add up, those of the line last */
        ARRAY_COPY(line->arena, &both, lent);
        for (size_t v = 0; v < own->count; v++)
            *ARRAY_PUSH(line->arena, &both) = own->items[v];
        line->values[option] = both;
        line->assumed |= OPTION_MASK(option);
        /* With ranks of its own a line takes the kind of network, not its sizes. */
        if (option == OPTION_TOPOLOGY && option_is_spoken(line, OPTION_RANKS)) {
            Text *name = &line->values[option].items[0], sizes; /* "torus" of "torus:4x8" */
            text_split(*name, ':', name, &sizes);
        }
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
