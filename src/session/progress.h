/* How far long work is: on standard error, if that is a terminal, after a second, and erased when
   the work is done. */
#ifndef COLLCOST_SESSION_PROGRESS_H
#define COLLCOST_SESSION_PROGRESS_H

#include "base/workspace.h"

enum { LONGEST_TASK = 60 };

typedef struct {
    bool shows, is_shown;
    double started, written;
    int64_t number, total;
    char task[LONGEST_TASK + 1];
} Progress;

Progress progress_start(void);
/* At a safe point of the work; step NULL: no new one. */
void progress_note(Progress *progress, const WorkStep *step);
/* Takes it off the terminal, before something else is written there. */
void progress_erase(Progress *progress);

#endif
