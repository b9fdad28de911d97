/* The terminal to which answers go. */
#ifndef COLLCOST_SESSION_TERMINAL_H
#define COLLCOST_SESSION_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Characters of a line: those of $COLUMNS, else those of the terminal; 0 where the stream is no
   terminal, or does not say. */
size_t terminal_width(FILE *stream);
/* Is it a terminal that shows letters in bold, and has nobody set $NO_COLOR? */
bool terminal_has_styles(FILE *stream);

#endif
