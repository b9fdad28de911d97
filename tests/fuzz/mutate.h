/* Changes that random bytes never make: a structure of a text, many times. */
#ifndef COLLCOST_FUZZ_MUTATE_H
#define COLLCOST_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Repeats a piece of the text in place: a line, a line with all that is indented below it, a
   document between `---`, or a run of bytes of one line; or puts a pair of brackets around one as
   often. Names in the copies are numbered, so that they differ, or that each names the next. The
   new length, at most `most`. */
size_t mutate_repeat(uint8_t *bytes, size_t length, size_t most, uint64_t seed);

#endif
