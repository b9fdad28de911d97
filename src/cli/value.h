/* A value with its unit, as formulas give it. */
#ifndef COLLCOST_CLI_VALUE_H
#define COLLCOST_CLI_VALUE_H

#include "format/table.h"
#include "lang/expr.h"

typedef struct {
    Type type;       /* TYPE_BOOL, TYPE_INT or TYPE_REAL */
    int64_t integer; /* of the first two */
    double real;     /* of the last */
    Dimension dimension;
    const char *name; /* of an algorithm, which is its value then; or NULL */
} Value;

Value value_integer(int64_t integer);
Value value_real(double real, Dimension dimension);
double value_number(const Value *value);

/* For people: "29.25 us", "true", "ring". */
const char *value_show(Arena *arena, const Value *value);
/* An expression with just this value. */
const char *value_exactly(Arena *arena, const Value *value);
/* The answer of `eval`; in a unit other than the usual one, if that is not NULL, to which the value
   is converted. */
void value_write(Arena *arena, FILE *stream, Format format, const Value *value, const char *unit);

#endif
