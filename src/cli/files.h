/* Files that a command writes beside its answer, or instead of it. */
#ifndef COLLCOST_CLI_FILES_H
#define COLLCOST_CLI_FILES_H

#include "base/workspace.h"
#include "cli/command.h"
#include "format/drawing.h"

#include <stdio.h>

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

/* Output that is kept in memory until it is known to be complete.

   A stream of the C library that writes to memory (open_memstream) does not remember that memory
   has run out: its text would be cut without a word. What is written here is either all there, or
   kept_close says that it is not. */

/* Must stay where it is while it is open; ends with the work in which it was opened. */
typedef struct {
    Resource resource;
    FILE *stream; /* write here; NULL: closed */
    char *text;   /* ends with a NUL; complete once kept_close has returned true */
    size_t length, capacity;
    bool is_cut; /* memory has run out */
} Kept;

/* False where there is no memory for a stream. */
bool kept_open(Kept *kept, Workspace *workspace);
/* Nothing is written any more. False where memory has run out meanwhile. */
bool kept_close(Kept *kept);
/* Frees the text, also of one that is open. */
void kept_free(Kept *kept);
/* kept_open and kept_close for work that ends where memory runs out. */
void kept_begin(Kept *kept, Workspace *workspace);
void kept_end(Kept *kept, Workspace *workspace);

#endif
