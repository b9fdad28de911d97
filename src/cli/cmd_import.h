/* `import`, for other commands that are given schedules of other programs. */
#ifndef COLLCOST_CLI_CMD_IMPORT_H
#define COLLCOST_CLI_CMD_IMPORT_H

#include "cli/command.h"
#include "cost/goal_time.h"
#include "sched/gpu_program.h"

/* Is the operand the name of such a file, NAME.xml, NAME.json or NAME.goal? */
bool import_is_file(Text operand);
/* Checks the operands of the line, which are all such files. */
Status import_files(const CommandLine *line);
/* Opens such a file; NULL after a report. */
const Source *import_source(const CommandLine *line, Text path);
/* Reads a program of GPUs, by the options of the line, and runs it: not STATUS_FINE after a report.
 */
Status import_program(const CommandLine *line, const Source *source, GpuProgram *program);
/* Reads a GOAL file (exchange/goal), by the options of the line. False after a report. */
bool import_goal(const CommandLine *line, const Source *source, GoalProgram *program);
/* STATUS_FINE where all of its operations end, else reports which does not. */
Status import_goal_end(const CommandLine *line, const GoalTime *found);

#endif
