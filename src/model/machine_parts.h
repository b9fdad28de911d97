/* What reading a machine and setting its parameters have in common. */
#ifndef COLLCOST_MODEL_MACHINE_PARTS_H
#define COLLCOST_MODEL_MACHINE_PARTS_H

#include "model/machine.h"

/* Time per multiply-add, as machine files and --set spell it. */
#define MULTIPLY_KEY "multiply"

/* The natural quantity of a parameter ("64 GB/s") as what is kept. False after a report. */
bool machine_read_value(double *parameters, Parameter parameter, Text value, Diag *diag);
/* One rate for all sizes. False after a report. */
bool machine_read_rate(WorkingPrices *prices, Text value, Diag *diag);
/* A time; it is no longer assumed. False after a report. */
bool machine_read_delay(Delay *delay, Text value, Diag *diag);
#define ADAPTER_KEY "devices-per-adapter"
/* What the messages on links and switches of a level share. */
typedef enum {
    SHARE_PORTS,
    SHARE_PASSES,
    SHARE_ADAPTER,
    SHARE_CAPACITY,
    SHARE_MERGING,
    LEVEL_SHARE_COUNT
} LevelShare;
enum { COUNTED_SHARES = SHARE_CAPACITY }; /* the first so many are whole numbers */
/* NULL: the share is no whole number. */
int64_t *level_counted(Level *level, LevelShare share);
extern const char *const level_share_names[LEVEL_SHARE_COUNT];
/* LEVEL_SHARE_COUNT where the name is of none. */
LevelShare level_share_find(Text name);
/* False after a report. */
bool level_read_share(Level *level, LevelShare share, Text value, Diag *diag);
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
