/* Files that a command writes beside its answer, or instead of it. */
#ifndef COLLCOST_CLI_FILES_H
#define COLLCOST_CLI_FILES_H

#include "cli/command.h"
#include "format/drawing.h"

/* The file holds either all of the text afterwards, or what it held before: the text is written to
   a file beside it, which takes its place once it is on the disk. A link stays one. What is no file
   (a pipe, a device, a link that leads nowhere yet) is written to as it is. STATUS_SYSTEM after a
   report. */
Status file_write(const CommandLine *line, Text name, const char *text, size_t length);

/* Can the file of --picture be written at all? To be asked before anything is computed. True
   without the option; false after a report: also where -o asks for a table, or --title and --width
   for what is not drawn. */
bool picture_check(const CommandLine *line);
/* Writes the drawing where --picture says, as --title and --width have it. */
Status picture_write(const CommandLine *line, Drawing *drawing);

#endif
