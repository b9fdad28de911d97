/* How a line can go on: at the prompt, and in a shell through `collcost --complete LINE`. */
#ifndef COLLCOST_SESSION_COMPLETION_H
#define COLLCOST_SESSION_COMPLETION_H

#include "session/help.h"
#include "session/state.h"

typedef struct {
    StringArray words; /* all that begin like the word at the end of the line */
    bool wants_files;  /* a file's name may stand here */
    bool goes_on;      /* the one word is followed by more, as allreduce by /ring */
} Completion;

Completion completion_find(Arena *arena, Session *session, const char *line, size_t length);

#endif
