/* Editing of typed lines: keys, history, completion. One file has it with Readline, another says
   that there is none; configure chooses. There is one terminal, and so one editor. */
#ifndef COLLCOST_SESSION_EDITOR_H
#define COLLCOST_SESSION_EDITOR_H

#include "session/begun_line.h"

#include <signal.h>

typedef struct {
    Session *session;                            /* whose lines are completed */
    const char *history;                         /* a file; or NULL */
    const volatile sig_atomic_t *is_interrupted; /* set by a signal's handler */
} EditorSettings;

/* False where there is no editor: lines are then read as they come. */
bool editor_open(const EditorSettings *settings);
/* The next line, which the caller frees; NULL at the end of the input, or when interrupted. */
char *editor_read(const char *prompt);
void editor_remember(const char *line);
void editor_close(void);

#endif
