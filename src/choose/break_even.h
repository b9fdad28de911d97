/* Where two algorithms break even: one parameter of the machine, or the size, changes by itself
   until the other one is the faster; of two that cost the same, until either is.

   Going outwards from the value in force, intervals are cut until it is certain that the order
   stays as it is there, or another one is the faster: so the nearest crossing is found, to full
   precision, and none before it is missed. Each time is that of the best number of chunks. Switch
   points by size are those of the envelope; by the size of a protocol the order can change where it
   is that of a message. */
#ifndef COLLCOST_CHOOSE_BREAK_EVEN_H
#define COLLCOST_CHOOSE_BREAK_EVEN_H

#include "choose/comparison.h"

typedef struct {
    bool is_found;
    bool is_open; /* it could not be found out in a reasonable time; there may be one */
    double at;    /* the nearest value beyond which another one is the faster */
    int faster;   /* which, beyond */
} Crossing;

typedef struct {
    Crossing below, above;
} BreakEven;

/* By a parameter, in its values: see varied_set and varied_now. */
BreakEven break_even_by_parameter(const Comparison *comparison, const VariedParameter *varied);
/* By the size, from one byte to 2^53, without chunks of whole bytes. No parameter may vary after
   it, since the curves keep what was found. */
BreakEven break_even_by_size(const Comparison *comparison);

/* By each parameter of the machine, its levels and its protocols, and by the size. */
typedef struct {
    VariedParameterArray parameters;
    BreakEven *by_parameter;
    BreakEven by_size;
} BreakEvens;
BreakEvens break_evens_find(Arena *arena, const Comparison *comparison);

#endif
