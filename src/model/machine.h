/* Machines: what a message and a combination cost.

   All values in seconds and bytes. ts: startup of a message; th: per hop; tw: per byte on a link
   (1 / bandwidth); tc: per combined byte (1 / compute). 0: free. */
#ifndef COLLCOST_MODEL_MACHINE_H
#define COLLCOST_MODEL_MACHINE_H

#include "model/reader.h"

typedef enum { PARAMETER_TS, PARAMETER_TH, PARAMETER_TW, PARAMETER_TC, PARAMETER_COUNT } Parameter;

/* "ts", "th", "tw", "tc" and their dimensions, by Parameter. */
typedef struct {
    const char *name;
    const char *key; /* as a machine file and --set spell the natural quantity: "bandwidth" */
    Dimension dimension, key_dimension;
    bool inverse; /* the natural quantity is the inverse: a bandwidth */
} ParameterInfo;
extern const ParameterInfo parameter_info[PARAMETER_COUNT];

typedef struct {
    Head head;
    double parameters[PARAMETER_COUNT];
    int64_t ports; /* messages that a rank can send, and receive, at the same time */
    bool assumed[PARAMETER_COUNT]; /* not stated by the source, chosen by the model's author */
} Machine;

/* NULL after reports. */
Machine *machine_read(Arena *arena, const Node *map, Diag *diag);
/* Sets a parameter by either of its names ("tw=15us/B" or "bandwidth=64GB/s"). False after a
   report; `name` must be one of parameter_names. */
bool machine_set(Machine *machine, Text name, Text value, Diag *diag);
/* "startup 1 us (assumed), bandwidth 64 GB/s, compute 512 GB/s": zero parameters are left out. */
const char *machine_describe(Arena *arena, const Machine *machine);

enum { LARGEST_PORTS = 1 << 20 };

#endif
