/* Long work looks up now and then: may it go on, and how far is it?

   Who runs a command runs it under watch_run. Work calls watch_poll at safe points, where nothing
   is held but memory of arenas: a round of a schedule, an algorithm, a step of a search. There, and
   nowhere else, an interrupted command ends, and there its progress is shown: on standard error, if
   that is a terminal, after a second, and erased when the command is done. */
#ifndef COLLCOST_BASE_WATCH_H
#define COLLCOST_BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Runs work(context). False where it was interrupted; then all arenas that were made meanwhile are
   gone. Runs may be nested: an interrupt ends the innermost, which reports it. */
bool watch_run(void (*work)(void *context), void *context);
/* Asks the running work to end at its next safe point; all that a signal handler may do. */
void watch_interrupt(void);

/* Forgets an interrupt that came while nothing ran, as at a prompt. */
void watch_forget(void);

/* A safe point: returns, or ends the run. Costs some nanoseconds. */
void watch_poll(void);
/* The same, and says what is worked on: the first of `total` has number 0. total 0: not known. */
void watch_step(const char *what, int64_t number, int64_t total);

/* Between these two, what is held is more than memory of arenas, and no point is safe. */
void watch_pause(void);
void watch_resume(void);

/* Takes the progress off the terminal, before something else is written there. */
void watch_erase(void);

#endif
