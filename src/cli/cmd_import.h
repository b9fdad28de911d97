/* `import`, for other commands that are given schedules of other programs. */
#ifndef COLLCOST_CLI_CMD_IMPORT_H
#define COLLCOST_CLI_CMD_IMPORT_H

#include "cli/query.h"
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
/* The sizes of the query as m, and M / m, by the collective of the program's label; of none *blocks
   is 1. False after a report. */
bool import_settle_sizes(const Query *asked, const GpuProgram *program,
                         const Collective **collective, Query *settled, double *blocks);
/* Reads a GOAL file (exchange/goal), by the options of the line. False after a report. */
bool import_goal(const CommandLine *line, const Source *source, GoalProgram *program);
/* STATUS_FINE where all of its operations end, else reports which does not. */
Status import_goal_end(const CommandLine *line, const GoalTime *found);

/* The cost of schedules of other programs. */

/* Is the first operand such a file, NAME.xml, NAME.json, NAME.goal, or "-", the standard input? */
bool imported_is_asked(const CommandLine *line);
/* `cost FILE` with the options of the line. Not STATUS_FINE after a report. */
Status imported_cost(const CommandLine *line);
/* `trace FILE`: when each step begins and ends. */
Status imported_trace(const CommandLine *line);
/* False after a report: the line is about models, and gives an option that is for such files only.
 */
bool imported_check_absent(const CommandLine *line);

/* Schedules of other programs where an algorithm is named: files that become models of the line. */

/* What `imported_models` hands out. */
typedef struct {
    CommandLine line; /* with names of algorithms in place of files */
    Context context;  /* with their models */
} ImportedModels;

/* The line with all files of schedules among its operands run on names, as `import` does, and named
   as algorithms: by file, `ring.xml` is `allreduce/ring-xml`. The ranks of the file, and its root,
   hold where the line says none. Not STATUS_FINE after reports. Lives as long as the line; is not
   to be moved. */
Status imported_models(const CommandLine *line, ImportedModels *models);

#endif
