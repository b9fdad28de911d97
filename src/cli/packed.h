/* Values as bytes, for another process of the same program: written one after another, and read in
   the same order. */
#ifndef COLLCOST_CLI_PACKED_H
#define COLLCOST_CLI_PACKED_H

#include "base/buffer.h"
#include "format/table.h"

void pack_int(Buffer *bytes, int64_t value);
/* text NULL is read as NULL. */
void pack_text(Buffer *bytes, const char *text);

/* Bytes that are read; they live on where texts are wanted. */
typedef struct {
    Arena *arena; /* for lists */
    const char *next, *end;
} Packed;

/* 0 and NULL behind the end. */
int64_t unpack_int(Packed *packed);
const char *unpack_text(Packed *packed);

/* Values that go either way: to `to`, or where that is NULL, from `from` into what is named. So one
   list of the members of a struct is enough. */
typedef struct {
    Buffer *to;
    Packed *from;
} Carrier;

void carry_int(Carrier carrier, int64_t *value);
void carry_flag(Carrier carrier, bool *value);
void carry_double(Carrier carrier, double *value);
void carry_text(Carrier carrier, const char **value);
void carry_list(Carrier carrier, const char *const **texts, size_t *count);
/* Up to ten members of a struct, whole numbers, flags, doubles and texts. */
#define CARRY(carrier, row, ...) EACH_MEMBER(CARRY_MEMBER, carrier, row, __VA_ARGS__)
#define CARRY_MEMBER(carrier, row, member)                                                         \
    _Generic((row)->member, double                                                                 \
             : carry_double, bool                                                                  \
             : carry_flag, int64_t                                                                 \
             : carry_int, const char *                                                             \
             : carry_text)(carrier, &(row)->member)

#endif
