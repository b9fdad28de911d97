/* The context of a session in words. */
#ifndef COLLCOST_SESSION_DESCRIBE_H
#define COLLCOST_SESSION_DESCRIBE_H

#include "cli/command.h"

/* As lines of a batch file that restore it. */
void describe_context(Arena *arena, const Context *context, FILE *stream);
/* In short, for a prompt: "torus:8x8 sg2260 ports=2"; "" where nothing is set. */
const char *describe_shortly(Arena *arena, const Context *context);

#endif
