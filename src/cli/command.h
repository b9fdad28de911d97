/* Commands: one file each, one table for dispatch, help and tests. */
#ifndef COLLCOST_CLI_COMMAND_H
#define COLLCOST_CLI_COMMAND_H

#include "base/array.h"
#include "base/diag.h"

typedef enum {
#define OPTION(id, letter, name, argument, help) OPTION_##id,
#include "cli/options.def"
#undef OPTION
    OPTION_COUNT
} OptionId;

#define OPTION_BIT(id) ((uint64_t)1 << OPTION_##id)

/* The conventions of cost/rules.h, beside the ports. */
#define OPTIONS_OF_RULES                                                                           \
    (OPTION_BIT(SWITCHING) | OPTION_BIT(CONTENTION) | OPTION_BIT(DUPLEX) | OPTION_BIT(COMBINING) | \
     OPTION_BIT(OVERLAP) | OPTION_BIT(ASYNCHRONOUS))

/* What every question about costs on a network takes. */
#define OPTIONS_OF_COSTS                                                                           \
    (OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(SIZE) | OPTION_BIT(MACHINE) |           \
     OPTION_BIT(SET) | OPTION_BIT(TIES) | OPTION_BIT(PORTS) | OPTION_BIT(ROOT) |                   \
     OPTION_BIT(FROM) | OPTION_BIT(TO) | OPTION_BIT(MODELS) | OPTION_BIT(OUTPUT) |                 \
     OPTIONS_OF_RULES)

typedef enum {
    STATUS_FINE = 0,
    STATUS_CHECK_FAILED = 1, /* data is wrong, or a verdict is not the recorded one */
    STATUS_BAD_INPUT = 2,
    STATUS_SYSTEM = 3 /* memory, writing */
} Status;

ARRAY_TYPE(TextArray, Text);

/* One command line. Everything lives in `arena`. */
typedef struct {
    Arena *arena;
    Diag *diag;
    FILE *out;
    TextArray values[OPTION_COUNT]; /* of each option, in order; a flag has one empty value */
    TextArray operands;
} CommandLine;

typedef struct {
    const char *name;
    const char *operands;              /* for the usage line */
    int least_operands, most_operands; /* -1: any number */
    const char *summary;               /* one line */
    const char *description;           /* some lines for --help */
    uint64_t options;                  /* bits of those that it takes */
    Status (*run)(const CommandLine *line);
} Command;

/* NULL-terminated. */
extern const Command *const command_table[];

/* Parses and runs one line: arguments[0] is the command. */
Status command_run(Arena *arena, Diag *diag, FILE *out, int count, char **arguments);

bool option_given(const CommandLine *line, OptionId option);
/* The last value of an option. */
Text option_value(const CommandLine *line, OptionId option);

#endif
