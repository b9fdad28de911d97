/* Work on many items that do not depend on one another, in several processes (--jobs).

   The work on an item leaves an answer as bytes (Carrier), and answers are taken in the order
   of the items by the process that began. Workers are made by fork, so they know all that was read
   before. A warning about the line as a whole comes with the answer; what one has another message
   about, or cannot do, is done again here, in its turn: so output, messages and exit status are
   those of one process. */
#ifndef COLLCOST_CLI_WORKERS_H
#define COLLCOST_CLI_WORKERS_H

#include "base/buffer.h"
#include "cli/command.h"
#include "format/table.h"

/* Values as bytes, for another process of the same program: written one after another, and read in
   the same order. */

void pack_int(Buffer *bytes, int64_t value);
/* text NULL is read as NULL. */
void pack_text(Buffer *bytes, const char *text);

/* Bytes that are read; they live on where texts are wanted. */
typedef struct {
    Arena *arena; /* for lists */
    const char *next, *end;
} Packed;

/* 0 and NULL behind the end. */
int64_t unpack_int(Packed *packed);
const char *unpack_text(Packed *packed);

/* Values that go either way: to `to`, or where that is NULL, from `from` into what is named. So one
   list of the members of a struct is enough. */
typedef struct {
    Buffer *to;
    Packed *from;
} Carrier;

void carry_int(Carrier carrier, int64_t *value);
void carry_flag(Carrier carrier, bool *value);
void carry_double(Carrier carrier, double *value);
void carry_text(Carrier carrier, const char **value);
void carry_list(Carrier carrier, const char *const **texts, size_t *count);
/* Up to ten members of a struct, whole numbers, flags, doubles and texts. */
#define CARRY(carrier, row, ...) EACH_MEMBER(CARRY_MEMBER, carrier, row, __VA_ARGS__)
#define CARRY_MEMBER(carrier, row, member)                                                         \
    _Generic((row)->member, double                                                                 \
             : carry_double, bool                                                                  \
             : carry_flag, int64_t                                                                 \
             : carry_int, const char *                                                             \
             : carry_text)(carrier, &(row)->member)

/* The items. */
typedef struct {
    size_t count;
    bool rising;              /* the last take the longest, and are begun first */
    const char *const *names; /* of the items, for progress */
    /* Adds the answer to `bytes`. False after a report. What else it changes may be lost. */
    bool (*work)(void *context, size_t item, Buffer *bytes);
    /* Called for one item after another, in the process that began. False after a report. */
    bool (*take)(void *context, size_t item, Packed *answer);
    void *context;
} WorkItems;

/* --jobs of the line, or the cores that it may use: from 1 on. False after a report. */
bool workers_read_jobs(const CommandLine *line, int64_t *jobs);
/* STATUS_BAD_INPUT after reports of work or take, STATUS_SYSTEM where a worker has died. Ends with
   the line; then there are no workers any more. */
Status workers_run(const CommandLine *line, const WorkItems *items);

/* Several answers as one, found by several processes (--jobs): for numbers of ranks, and for
   several machines or networks in one question, --machine A,B or -t ring:8,torus:4x4. */

/* What an answer consists of. The parts do not depend on one another. */
typedef struct {
    size_t count;
    bool is_whole;            /* the rows of several parts have one table in all formats */
    const char *between;      /* two parts for people */
    const char *const *names; /* of the parts, for progress */
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
