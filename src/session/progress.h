/* How far long work is, on standard error. On a terminal it is shown after a second, and erased
   when the work is done. Elsewhere, in the log of a job, it is a line after 2 seconds, and then
   whenever twice as much time has passed. Nothing is shown where COLLCOST_PROGRESS is `no`. */
#ifndef COLLCOST_SESSION_PROGRESS_H
#define COLLCOST_SESSION_PROGRESS_H

#include "base/workspace.h"

enum { LONGEST_TASK = 60 };

typedef struct {
    bool is_silent, is_terminal, is_shown;
    double started;
    double next; /* seconds after the start until it is shown again */
    int64_t number, total;
    char task[LONGEST_TASK + 1];
} Progress;

Progress progress_start(void);
/* At a safe point of the work; step NULL: no new one. */
void progress_note(Progress *progress, const WorkStep *step);
/* Takes it off the terminal, before something else is written there. */
void progress_erase(Progress *progress);

#endif
