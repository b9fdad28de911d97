/* The libraries whose tuning files are known. */
#ifndef COLLCOST_EXCHANGE_TUNING_FORMATS_H
#define COLLCOST_EXCHANGE_TUNING_FORMATS_H

#include "exchange/tuning.h"

/* The format of the files of a library, by its name, in a version. NULL: none is known. */
const TuningFormat *tuning_format(const char *library, const char *version);

#endif
