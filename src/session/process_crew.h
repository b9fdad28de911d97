/* Processes made by fork that run the lines of a batch between them (batch --jobs).

   They know all that process 0 has read before. What lines have printed, and votes, go to it
   through a socket for each; nobody waits to send: what the socket does not take yet is kept. Where
   a process dies, its lines are lost, and that is reported. */
#ifndef COLLCOST_SESSION_PROCESS_CREW_H
#define COLLCOST_SESSION_PROCESS_CREW_H

#include "base/diag.h"
#include "session/crew.h"

/* `count` processes, this one among them; returns in each, whose rank says which it is. Fewer where
   the system allows no more, NULL where it allows none: then this one is alone. `diag` is told of
   processes that die. */
Crew *process_crew_open(Arena *arena, int count, Diag *diag);
/* Process 0 goes on alone; the others end here. crew NULL: nothing happens. */
void process_crew_close(Crew *crew);

#endif
