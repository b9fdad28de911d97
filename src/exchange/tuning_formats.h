/* The libraries whose tuning files are known. */
#ifndef COLLCOST_EXCHANGE_TUNING_FORMATS_H
#define COLLCOST_EXCHANGE_TUNING_FORMATS_H

#include "exchange/tuning.h"

/* The format of the files of a library, by its name, in a version. NULL: none is known. */
const TuningFormat *tuning_format(const char *library, const char *version);
/* The library that a file seems to be for, as --for has it: what the file says of itself where tune
   wrote it, else what its lines look like. NULL: there is no sign. */
const char *tuning_recognise(Arena *arena, const Source *source);

#endif
