/* Values as bytes, for another process of the same program: written one after another, and read in
   the same order. */
#ifndef COLLCOST_CLI_PACKED_H
#define COLLCOST_CLI_PACKED_H

#include "base/buffer.h"

void pack_int(Buffer *bytes, int64_t value);
void pack_double(Buffer *bytes, double value);
/* text NULL is read as NULL. */
void pack_text(Buffer *bytes, const char *text);
void pack_list(Buffer *bytes, const char *const *texts, size_t count);

/* Bytes that are read; they live on where texts are wanted. */
typedef struct {
    Arena *arena; /* for lists */
    const char *next, *end;
} Packed;

/* 0 and NULL behind the end. */
int64_t unpack_int(Packed *packed);
double unpack_double(Packed *packed);
const char *unpack_text(Packed *packed);
const char *const *unpack_list(Packed *packed, size_t *count);

#endif
