/* One schedule: an algorithm on one network, for at most one size, as commands that follow it need
   it. It is not copied: its parts point at one another. */
#ifndef COLLCOST_CLI_ONE_SCHEDULE_H
#define COLLCOST_CLI_ONE_SCHEDULE_H

#include "cli/query.h"

typedef struct {
    Query asked; /* as the options say; the rest points into it */
    Query query; /* its sizes as m; sender and receiver are settled */
    Network network;
    Instance instance; /* of `network` */
} OneSchedule;

/* Reads the options of the line, and the algorithm that is its first operand; the numbers of chunks
   and of branches are given, the best for the size, or the least. False after reports: also where
   the algorithm does not run there, or several numbers of ranks or sizes are given. */
bool one_schedule_read(const CommandLine *line, const char *command, OneSchedule *found);

#endif
