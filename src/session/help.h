/* `help` and `help TOPIC`: the tables of commands, options and statements, and the manual pages. */
#ifndef COLLCOST_SESSION_HELP_H
#define COLLCOST_SESSION_HELP_H

#include "base/source.h"
#include "session/state.h"

Status help_write(Run *run);
/* The end of `help` alone: what else there is to ask about. */
void help_list_topics(Run *run);

/* The sections of the manual pages. */

/* Appends the titles of all that are not about one command, in small letters. */
void topics_list(Arena *arena, StringArray *topics);

/* The manual pages as plain text, made from man/ at build time (build-aux/render-manual). */

/* Each section behind a line "\f1 TITLE" or, inside of that one, "\f2 TITLE". */
extern const char manual_text[];

#endif
