/* What of a machine can be changed by itself: its parameters, and those that its levels, the links
   of these and its protocols have of their own, by the names that --set and --vary know. */
#ifndef COLLCOST_MODEL_VARIED_H
#define COLLCOST_MODEL_VARIED_H

#include "model/machine.h"
#include "model/parameters.h"
#include "model/topology.h"

/* A parameter is multiplied wherever it is given; one that is zero everywhere is set. `least` and
   `most` are what there is now, as times (by byte) or, of a size, in bytes. */
typedef struct {
    const char *name; /* "bandwidth", "node.bandwidth", "eager.up-to" */
    const char *time; /* the same as a time: "node.tw" */
    Text owner;       /* "node"; empty: the machine */
    int parameter;    /* its place in parameter_info */
    double least, most;
    double above, below; /* a size stays between these */
    bool is_zero;
    bool of_links; /* what the links of some class cost: profiles contain it */
} VariedParameter;
ARRAY_TYPE(VariedParameterArray, VariedParameter);

/* Parameters that can be changed on a network with links of these classes: those of the machine
   first, by Parameter. */
VariedParameterArray varied_list(Arena *arena, const Machine *machine, const LinkClass *classes,
                                 size_t class_count);
bool varied_is_delay(const VariedParameter *varied);
/* Is it the rate of what ranks do in their own memory? */
bool varied_is_local(const VariedParameter *varied);
/* Is it fitted last, since schedules are derived in other, slower ways where it counts? */
bool varied_is_late(const VariedParameter *varied);
/* Appends what else is fitted: delays of the machine and the rates at which ranks copy and touch
   memory, zero where they are not given, and capacities that levels of the classes have. */
void varied_list_others(Arena *arena, const Machine *machine, const LinkClass *classes,
                        size_t class_count, VariedParameterArray *parameters);
/* Appends the items of lists by what ranks hold ("to-32MiB.compute"), where there are several. */
void varied_list_items(Arena *arena, const Machine *machine, VariedParameterArray *parameters);
/* Is it what the items of such a list have, all together? */
bool varied_is_of_items(const Machine *machine, const VariedParameter *varied);
bool varied_is_size(const VariedParameter *varied);
const ParameterInfo *varied_info(const VariedParameter *varied);
/* Multiplies the times by `value`; what is zero, and a size, gets the value. A delay of 0 is not
 * given. */
void varied_set(const VariedParameter *varied, Machine *machine, double value);

/* What is varied is no longer a mere assumption of the machine. */
void varied_is_known(const VariedParameter *varied, Machine *machine);

#endif
