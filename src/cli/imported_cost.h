/* The cost of schedules of other programs. */
#ifndef COLLCOST_CLI_IMPORTED_COST_H
#define COLLCOST_CLI_IMPORTED_COST_H

#include "cli/command.h"

/* Is the first operand such a file, NAME.xml, NAME.json, NAME.goal, or "-", the standard input? */
bool imported_is_asked(const CommandLine *line);
/* `cost FILE` with the options of the line. Not STATUS_FINE after a report. */
Status imported_cost(const CommandLine *line);
/* `trace FILE`: when each step begins and ends. */
Status imported_trace(const CommandLine *line);
/* False after a report: the line is about models, and gives an option that is for such files only.
 */
bool imported_check_absent(const CommandLine *line);

#endif
