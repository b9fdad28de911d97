/* Output that is kept in memory until it is known to be complete.

   A stream of the C library that writes to memory (open_memstream) does not remember that memory
   has run out: its text would be cut without a word. What is written here is either all there, or
   kept_close says that it is not. */
#ifndef COLLCOST_CLI_KEPT_H
#define COLLCOST_CLI_KEPT_H

#include "base/workspace.h"

#include <stdio.h>

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

#endif
