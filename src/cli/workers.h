/* Work on many items that do not depend on one another, in several processes (--jobs).

   The work on an item leaves an answer as bytes (cli/packed.h), and answers are taken in the order
   of the items by the process that began. Workers are made by fork, so they know all that was read
   before. A warning about the line as a whole comes with the answer; what one has another message
   about, or cannot do, is done again here, in its turn: so output, messages and exit status are
   those of one process. */
#ifndef COLLCOST_CLI_WORKERS_H
#define COLLCOST_CLI_WORKERS_H

#include "cli/command.h"
#include "cli/packed.h"

typedef struct {
    size_t count;
    bool rising; /* the last take the longest, and are begun first */
    /* Of an item, for progress. */
    const char *(*name)(const void *context, size_t item);
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

#endif
