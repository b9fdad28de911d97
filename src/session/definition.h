/* Models that come into a session: typed, or from files. They are read, and run on real data,
   beside the library in force, which changes only if all of that is well. */
#ifndef COLLCOST_SESSION_DEFINITION_H
#define COLLCOST_SESSION_DEFINITION_H

#include "session/state.h"

Status definition_start(Run *run);
/* One more line; the last is blank or `end`. */
Status definition_continue(Run *run);
/* `load FILE...` */
Status definition_load(Run *run);

#endif
