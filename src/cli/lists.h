/* Several answers as one, found by several processes (--jobs): for numbers of ranks, and for
   several machines or networks in one question, --machine A,B or -t ring:8,torus:4x4. */
#ifndef COLLCOST_CLI_LISTS_H
#define COLLCOST_CLI_LISTS_H

#include "cli/command.h"
#include "format/table.h"

/* What an answer consists of. The parts do not depend on one another. */
typedef struct {
    size_t count;
    bool is_whole;       /* the rows of several parts have one table in all formats */
    const char *between; /* two parts for people */
    /* Of a part, for progress. */
    const char *(*name)(const void *context, size_t part);
    /* Prints parts first .. end - 1 to line->out as if they were all, or after a report returns
       what went wrong. */
    Status (*print)(void *context, size_t first, size_t end, const CommandLine *line);
    void *context;
} AnswerParts;

/* Prints all parts, up to the first that fails, as one answer: the rows of all in JSON and CSV,
   where an empty line stands before other columns; elsewhere one after the other, or those of a
   whole by one call. Returns the worst of their statuses. */
Status lists_print(const CommandLine *line, Format format, const AnswerParts *parts);

/* Splits at the first comma that ends a name: sizes go on behind others, as in mesh:4x4,8x2. False,
   with all of it in *rest, where there is none. */
bool lists_split(Text text, Text *first, Text *rest);

/* Runs the command for each combination of what its options `lists` name, networks in the outer
   loop. */
Status lists_run(const Command *command, const CommandLine *line);

#endif
