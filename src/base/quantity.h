/* Numbers with units: "1 us", "64 GB/s", "4KiB", "1.5e-05 s/B".

   Inside the program a quantity is a double in seconds and bytes; units exist
   only where text comes in or goes out. SI prefixes are powers of ten, IEC
   prefixes (KiB) powers of two. "3us" is read as the decimal 3e-6, so it is the
   double nearest to it. */
#ifndef COLLCOST_BASE_QUANTITY_H
#define COLLCOST_BASE_QUANTITY_H

#include "base/diag.h"

/* Exponents: seconds^time * bytes^bytes. */
typedef struct {
    int8_t time, bytes;
} Dimension;

#define DIMENSION_NONE ((Dimension){0, 0})
#define DIMENSION_TIME ((Dimension){1, 0})
#define DIMENSION_BYTES ((Dimension){0, 1})
#define DIMENSION_BANDWIDTH ((Dimension){-1, 1})
#define DIMENSION_TIME_PER_BYTE ((Dimension){1, -1})

bool dimension_equal(Dimension a, Dimension b);
/* "a time", "a bandwidth", "s^2 B^-1": for messages; the text lives in `arena` or is constant. */
const char *dimension_name(Arena *arena, Dimension dimension);
/* "s", "B", "s/B", "B/s", "" or "s^2 B": the unit of output. */
const char *dimension_unit(Arena *arena, Dimension dimension);

typedef struct {
    double value;
    int64_t integer; /* the value, if is_integer */
    bool is_integer; /* written without point, exponent or unit, and fits */
    bool is_rounded; /* a whole number that is no double */
    bool has_unit;
    Dimension dimension;
    size_t length;   /* bytes read */
    size_t mantissa; /* of which so many are the number without its exponent, */
    int ten, two;    /* which is the value but for these powers */
} Quantity;

/* Reads an unsigned number with an optional unit at the start of `text`.
   False (and a report) if none stands there, it is too large or too small for a double, or its
   unit is unknown. */
bool quantity_scan(Text text, Quantity *quantity, Diag *diag);
/* What is given from outside is no more, and of bandwidths no less than its inverse. */
#define LARGEST_QUANTITY 1e30
/* The whole of `text` must be one quantity of `dimension`. A bare number counts as bytes if bytes
   are wanted; 0 needs no unit; for other dimensions a missing unit is an error. */
bool quantity_parse(Text text, Dimension dimension, double *value, Diag *diag);
/* The same as a question: does such a quantity stand there? Nothing is reported. */
bool quantity_is(Text text, Dimension dimension, double *value);
bool quantity_starts(Text text, Quantity *quantity);
bool quantity_is_integer(Text text, int64_t least, int64_t most, int64_t *value);
/* A share, "5%" or "0.05": at least 0. */
bool quantity_parse_share(Text text, double *share, Diag *diag);
/* A whole number from `least` to `most`. */
bool quantity_parse_integer(Text text, int64_t least, int64_t most, int64_t *value, Diag *diag);

/* For people: "29.25 us"; "486.1 KiB" or "497.8 kB", as the workspace says. */
const char *quantity_show_time(Arena *arena, double seconds);
const char *quantity_show_bytes(Arena *arena, double bytes);
/* "5%", "0.05%"; from ten on "11-fold", which is what is more and what was there. */
const char *quantity_show_share(Arena *arena, double share);
const char *quantity_show_bandwidth(Arena *arena, double bytes_per_second);

/* For programs: the fewest decimal digits that read back as the same number. */
enum { LONGEST_NUMBER = 32 };
const char *number_exactly(double number, char text[LONGEST_NUMBER]);
/* "7/4": the fraction of a denominator up to 2^20 that the number is but for rounding, of which
   there is at most one; elsewhere ten digits. */
const char *number_as_fraction(Arena *arena, double number);
/* The inverse with the fewest digits of those whose own inverse is `number`: 64 GB/s for the time
   of a byte that was read as 64 GB/s. */
double number_inverse(double number);

#endif
