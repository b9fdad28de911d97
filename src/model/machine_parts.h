/* What reading a machine and setting its parameters have in common. */
#ifndef COLLCOST_MODEL_MACHINE_PARTS_H
#define COLLCOST_MODEL_MACHINE_PARTS_H

#include "model/machine.h"

/* Time per multiply-add, as machine files and --set spell it. */
#define MULTIPLY_KEY "multiply"

/* The natural quantity of a parameter ("64 GB/s") as what is kept. False after a report. */
bool machine_read_value(double *parameters, Parameter parameter, Text value, Diag *diag);
/* A time; it is no longer assumed. False after a report. */
bool machine_read_delay(Delay *delay, Text value, Diag *diag);
/* A new level has nothing of its own. NULL after a report. */
Level *machine_add_level(Machine *machine, Text name, Diag *diag);
/* NULL where there is none. */
Level *machine_find_level(Machine *machine, Text name);
/* "eager", and of a level "node.eager". */
Protocol *machine_find_protocol(Machine *machine, Text name);
/* The sizes up to which protocols count must rise. False after a report. */
bool machine_check_rising(const Machine *machine, Span span, Diag *diag);

#endif
