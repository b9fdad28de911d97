/* What one rank does of a schedule: what it sends, receives and combines, phase by phase.

   memory of a rank:  | a block of the schedule | another one | ..      only those that it touches

   In a phase all messages are posted at once, and then received blocks land, in the order of the
   schedule; so all reads come before all writes. A message of several blocks is packed. */
#ifndef COLLCOST_MPI_PLAN_H
#define COLLCOST_MPI_PLAN_H

#include "exchange/schedule_text.h"

typedef struct {
    size_t from, to; /* where in the rank's memory, or in what it has received */
    size_t bytes;
    bool combines;
} PlannedCopy;

ARRAY_TYPE(PlannedCopies, PlannedCopy);

typedef struct {
    int32_t peer;
    bool sends;
    size_t buffer, bytes; /* where the message is packed */
} PlannedMessage;

ARRAY_TYPE(PlannedMessages, PlannedMessage);

/* Of a phase: the copies from `packs` pack messages, and local work; those from `lands` unpack. */
typedef struct {
    size_t messages, packs, lands; /* the ends of its parts of the lists */
} PlannedPhase;

ARRAY_TYPE(PlannedPhases, PlannedPhase);

typedef struct {
    size_t memory, buffers; /* bytes */
    PlannedPhases phases;
    PlannedMessages messages;
    PlannedCopies packs, lands;
    const int64_t *places; /* of each block of the schedule in the memory; -1: not touched */
} Plan;

/* Byte h m / k of a whole block of m bytes is where its chunk h of k begins. */
size_t chunk_begin(const ListedSchedule *schedule, size_t m, int64_t block);
size_t chunk_bytes(const ListedSchedule *schedule, size_t m, int64_t block);

/* The part of rank `me`, with whole blocks of m bytes; it lives in `arena`. */
Plan plan_make(Arena *arena, const ListedSchedule *schedule, size_t m, int32_t me);

#endif
