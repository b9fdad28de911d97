/* Commands: one file each, and one table, made by who runs them, for dispatch, help and tests. The
   same words are a command on the command line, in a batch file and at the prompt. */
#ifndef COLLCOST_CLI_COMMAND_H
#define COLLCOST_CLI_COMMAND_H

#include "format/table.h"
#include "lang/expr.h"

ARRAY_TYPE(StringArray, const char *);
/* Is the text one of them? */
bool strings_hold(const StringArray *strings, const char *text);

/* A value with its unit, as formulas give it. */

typedef struct {
    Type type;       /* TYPE_BOOL, TYPE_INT or TYPE_REAL */
    int64_t integer; /* of the first two */
    double real;     /* of the last */
    Dimension dimension;
    const char *name; /* of an algorithm, which is its value then; or NULL */
} Value;

Value value_integer(int64_t integer);
Value value_real(double real, Dimension dimension);
double value_number(const Value *value);

/* For people: "29.25 us", "true", "ring". */
const char *value_show(Arena *arena, const Value *value);
/* An expression with just this value. */
const char *value_exactly(Arena *arena, const Value *value);
/* The answer of `eval`; in a unit other than the usual one, if that is not NULL, to which the value
   is converted. */
void value_write(Arena *arena, FILE *stream, Format format, const Value *value, const char *unit);

typedef enum {
#define OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
#undef OPTION
    OPTION_COUNT
} OptionId;

typedef unsigned __int128 OptionSet;
#define OPTION_MASK(option) ((OptionSet)1 << (option))
#define OPTION_BIT(id) OPTION_MASK(OPTION_##id)
/* From 2 to 24 of them: those that are missing are the first again. */
#define OPTIONS(a, ...)                                                                            \
    OPTIONS_24(a, __VA_ARGS__, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, )
#define OPTIONS_24(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, ...)    \
    (OPTIONS_8(a, b, c, d, e, f, g, h) | OPTIONS_8(i, j, k, l, m, n, o, p) |                       \
     OPTIONS_8(q, r, s, t, u, v, w, x))
#define OPTIONS_8(a, b, c, d, e, f, g, h)                                                          \
    (OPTION_BIT(a) | OPTION_BIT(b) | OPTION_BIT(c) | OPTION_BIT(d) | OPTION_BIT(e) |               \
     OPTION_BIT(f) | OPTION_BIT(g) | OPTION_BIT(h))
#define OPTIONS_ANY (~(OptionSet)0)
_Static_assert(OPTION_COUNT <= 128, "an option has no bit");

/* What every command takes. */
#define OPTIONS_OF_ALL OPTIONS(HELP, LIMIT)

/* The conventions of cost/rules.h, beside the ports. */
#define OPTIONS_OF_RULES                                                                           \
    OPTIONS(SWITCHING, CONTENTION, DUPLEX, COMBINING, OVERLAP, ASYNCHRONOUS, POSTING)

/* What is said of files that describe networks. */
#define OPTIONS_OF_DESCRIPTIONS OPTIONS(NODES, NODE, HOSTS, ORDER)

/* What every question about costs on a network takes. */
#define OPTIONS_OF_COSTS                                                                           \
    (OPTIONS(TOPOLOGY, RANKS, SIZE, MACHINE, SET, TIES, PORTS, ROOT, FROM, TO, MODELS, OUTPUT,     \
             WITHOUT) |                                                                            \
     OPTIONS_OF_DESCRIPTIONS | OPTIONS_OF_RULES)

/* What predictions take for the rows of logs, whose sizes are those of the rows. */
#define OPTIONS_OF_PREDICTIONS                                                                     \
    ((OPTIONS_OF_COSTS & ~OPTION_BIT(SIZE)) |                                                      \
     OPTIONS(FINISH, REAL_K, CEIL_CHUNKS, USING, MAP, ALGORITHM, COLLECTIVE, SYSTEM, UNIT))

/* What draws an answer. */
#define OPTIONS_OF_PICTURES OPTIONS(PICTURE, TITLE, WIDTH)

/* What says of a file of a schedule what it does not say itself. */
#define OPTIONS_OF_IMPORTS OPTIONS(COLLECTIVE, INPLACE, SLOTS)

/* What every formula takes. */
#define OPTIONS_OF_FORMULAS (OPTIONS_OF_COSTS | OPTIONS(SIZES, REAL_K, COMPOSE, FOR))

typedef enum {
    STATUS_FINE = 0,
    STATUS_CHECK_FAILED = 1, /* data is wrong, or a verdict is not the recorded one */
    STATUS_BAD_INPUT = 2,
    STATUS_SYSTEM = 3 /* memory, writing */
} Status;

/* diag_error, and the status of it: `return BAD_INPUT(...)`. */
#define BAD_INPUT(...) (diag_error(__VA_ARGS__), STATUS_BAD_INPUT)

ARRAY_TYPE(SourceArray, const Source *);

typedef struct {
    const char *name;
    Value value;
} NamedValue;
ARRAY_TYPE(NamedValueArray, NamedValue);

/* What a session lends to its lines. */
typedef struct {
    TextArray values[OPTION_COUNT]; /* of options, for lines that do not give them */
    NamedValueArray lets;           /* names that formulas know */
    NamedValue *answer;      /* the last value of a formula, which has no name before; NULL: nobody
                                keeps it */
    SourceArray models;      /* that were loaded; of two models of one name the later counts */
    struct Library *library; /* with these; NULL: each line opens its own */
    struct Measures *measures; /* what formulas have asked so far; or NULL */
    bool reads_input;          /* lines come from the standard input, which can then be no file */
    bool has_lines;            /* lines of a session, not the program's one */
} Context;

typedef struct Command Command;

/* One command line. Everything lives in `arena`. */
typedef struct {
    const Command *command;
    Arena *arena;
    Diag *diag;
    FILE *out;                      /* kept back until the answer is complete */
    FILE *stream;                   /* where it goes then */
    size_t width;                   /* of the terminal that this is; 0: it is none */
    bool has_styles;                /* the terminal can show letters in bold */
    const Context *context;         /* NULL: the only line */
    struct Effects *effects;        /* of what is given, as the work on the line notes them */
    const char **misfit;            /* where why the machine does not fit a network is kept */
    const char **finding;           /* where a check that fails says in short why; or NULL */
    TextArray values[OPTION_COUNT]; /* of each option, in order; a flag has one empty value */
    OptionSet assumed;              /* bits of those whose value is the context's */
    bool is_one_machine;            /* of several that were named, which have an answer each */
    struct collcost_case **shared;  /* of lines that ask the same, the first one's; or NULL */
    int64_t most_jobs;              /* of a part, where others work on other parts; 0: any number */
    TextArray operands;
} CommandLine;

struct Command {
    const char *name;
    const char *operands;    /* for the usage line: "A|B [C]", "[A...]" */
    const char *summary;     /* one line */
    const char *description; /* some lines for --help */
    const char *examples;    /* command lines, one each, that run as they stand */
    OptionSet options;       /* bits of those that it takes */
    OptionSet spoken;        /* of those that it does not take from a context */
    OptionSet lists;         /* of those that can name several, with commas (workers.h) */
    bool shows_models;       /* its operands can be files of models */
    bool compares;           /* an option that is given twice makes two questions */
    const char *formats;     /* what -o can be, where these are not the usual ones */
    Status (*run)(const CommandLine *line);
    /* In its place, of a command that runs lines itself: in the session that runs this one. */
    Status (*run_in)(void *session, const CommandLine *line);
};

/* The commands that there are, in the order of the help. */
typedef struct {
    const Command *const *items;
    const char *const *titles; /* of the group that begins with the command; else NULL */
    size_t count;
} CommandTable;

/* How many operands its usage line allows; *most is -1: any number. */
void command_operands(const Command *command, int *least, int *most);
/* The command of that name, or NULL. */
const Command *command_find(const CommandTable *table, Text name);
/* Parses one line, of which the fields up to `finding` are set: words[0] is the command. Words
   without a place are arguments of the program. NULL where nothing is left to run: *status is
   STATUS_FINE where help was asked for, else there was a report. */
const Command *command_parse(CommandLine *line, const CommandTable *table, const TextArray *words,
                             Status *status);

/* Says of options that are given on the line itself that they have had no effect. */
void command_note_idle(const CommandLine *line);

/* A line of the answer as text, in sentences or the like: broken where the terminal ends. The
   format has no newline. */
void line_say(const CommandLine *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A table of the answer, which as text fits into the terminal. */
Table *line_table(const CommandLine *line, Format format, TableId id);

/* The option that is called so on the command line ("ports") or by its letter, or -1. */
int option_find(Text name);
const char *option_name(OptionId option);
bool option_is_flag(OptionId option);
/* Is its value, or a part of it, the name of a file or folder? */
bool option_names_file(OptionId option);
/* Its lines in the help, not broken. */
void option_write(Arena *arena, FILE *stream, OptionId option);
/* All commands with their summaries, by groups. */
void commands_write(FILE *stream, const CommandTable *table);
bool option_given(const CommandLine *line, OptionId option);
/* The last value of an option. */
Text option_value(const CommandLine *line, OptionId option);
/* The last value as a whole number, or as a share, "5%" or "0.05"; nothing where the option is not
   given. False after a report. */
bool option_integer(const CommandLine *line, OptionId option, int64_t least, int64_t most,
                    int64_t *value);
bool option_share(const CommandLine *line, OptionId option, double *share);
/* "torus:4x4", not "torus" alone, which says nothing of ranks. */
bool topology_has_sizes(const CommandLine *line);
/* Is it given on the line itself, not by the context? */
bool option_is_spoken(const CommandLine *line, OptionId option);
/* The first of these that is given; OPTION_COUNT: none is. */
OptionId option_among(const CommandLine *line, OptionSet options);
/* False after a report, "--OPTION WORDS", that one of these is given on the line itself. */
bool options_are_absent(const CommandLine *line, OptionSet options, const char *words);

/* The context of a session, which fills what a line leaves open. */

/* May a context give a value to this option? */
bool context_takes(OptionId option);
/* Gives a line the options of its context that are among `options` (bits) and that the line does
   not say, in these or in other words; those among `spoken` only where a range of sizes is meant.
 */
void context_fill(CommandLine *line, OptionSet options, OptionSet spoken);
/* Reports that an option is missing, and in a session how the context has it. False. */
bool line_lacks(const CommandLine *line, Span span, OptionId option, const char *message);
#define LACKING(...) (line_lacks(__VA_ARGS__), STATUS_BAD_INPUT)

#endif
