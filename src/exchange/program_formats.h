/* The formats in which schedules are imported. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_FORMATS_H
#define COLLCOST_EXCHANGE_PROGRAM_FORMATS_H

#include "exchange/program_readers.h"

/* Has the name of a file an ending of these formats? */
bool program_has_ending(Text name);
/* The format is known by the first character of the file. False after reports, also where none has
   it. */
bool program_read(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);

#endif
