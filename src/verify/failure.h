/* Why a schedule is wrong: where in the model file, and in words. */
#ifndef COLLCOST_VERIFY_FAILURE_H
#define COLLCOST_VERIFY_FAILURE_H

#include "base/diag.h"

typedef struct {
    const char *text; /* NULL: nothing is wrong */
    Span span;        /* the step; no place if the end result is what is wrong */
} Failure;

#endif
