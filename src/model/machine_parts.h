/* Levels, protocols and facts about the hardware of a machine. */
#ifndef COLLCOST_MODEL_MACHINE_PARTS_H
#define COLLCOST_MODEL_MACHINE_PARTS_H

#include "model/machine.h"

/* A new level has nothing of its own. NULL after a report. */
Level *machine_add_level(Machine *machine, Text name, Diag *diag);
/* NULL where there is none. */
Level *machine_find_level(Machine *machine, Text name);
/* "eager", and of a level "node.eager". */
Protocol *machine_find_protocol(Machine *machine, Text name);
/* The sizes up to which protocols count must rise. False after a report. */
bool machine_check_rising(const Machine *machine, Span span, Diag *diag);

/* `hardware: {channels: 8}`. False after a report. */
bool machine_read_hardware(const Node *map, Machine *machine, Diag *diag);
/* Sets one of these facts, which the machine need not have stated. False after a report. */
bool machine_set_hardware(Machine *machine, Text name, Text value, Diag *diag);
/* The owner of these facts in the names of --set: "hardware.channels". */
#define HARDWARE_KEY "hardware"

#endif
