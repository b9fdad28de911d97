/* `import`, for other commands that are given schedules of other programs. */
#ifndef COLLCOST_CLI_CMD_IMPORT_H
#define COLLCOST_CLI_CMD_IMPORT_H

#include "cli/command.h"

/* Is the operand the name of such a file, NAME.xml? */
bool import_is_file(Text operand);
/* Checks the operands of the line, which are all such files. */
Status import_files(const CommandLine *line);

#endif
