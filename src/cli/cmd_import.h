/* `import`, for other commands that are given schedules of other programs. */
#ifndef COLLCOST_CLI_CMD_IMPORT_H
#define COLLCOST_CLI_CMD_IMPORT_H

#include "cli/command.h"
#include "sched/gpu_program.h"

/* Is the operand the name of such a file, NAME.xml or NAME.json? */
bool import_is_file(Text operand);
/* Checks the operands of the line, which are all such files. */
Status import_files(const CommandLine *line);
/* Reads such a file, by the options of the line, and runs it: not STATUS_FINE after a report. */
Status import_program(const CommandLine *line, Text path, GpuProgram *program);

#endif
