/* Port steps seen before. Rings and pipelines send the same messages port step after port step, and
   a schedule begins and ends alike for all numbers of chunks: what is known of a port step need not
   be found again. Messages are not kept, but their hash, of 128 bits. */
#ifndef COLLCOST_COST_DERIVE_MEMO_H
#define COLLCOST_COST_DERIVE_MEMO_H

#include "cost/derive_loads.h"

typedef struct PortStepMemo PortStepMemo;

/* Of 128 bits: two of 2^40 port steps have the same with a probability of 2^-49. */
typedef struct {
    uint64_t high, low;
} MessageHash;

/* Two chains of steps that can be undone, so that what differs in one number never has the same. */
static inline MessageHash hash_add(MessageHash hash, uint64_t ends, uint64_t size)
{
    hash.high = (hash.high ^ ends) * 0x9E3779B97F4A7C15u;
    hash.high = ((hash.high ^ hash.high >> 32) + size) * 0xD6E8FEB86659FD93u;
    hash.high ^= hash.high >> 29;
    hash.low = (hash.low + ends) * 0xC2B2AE3D27D4EB4Fu;
    hash.low = (hash.low ^ hash.low >> 31 ^ size) * 0xFF51AFD7ED558CCDu;
    hash.low ^= hash.low >> 33;
    return hash;
}

static inline uint64_t transfer_ends(const ScheduledTransfer *transfer)
{
    return (uint64_t)transfer->from << 32 | (uint64_t)transfer->to;
}

/* For port steps of one network with the same rules and ports; it lives in `arena`. */
PortStepMemo *memo_create(Arena *arena);
/* Fills the entries of a port step whose messages have been seen; false where they have not. */
bool memo_recall(PortStepMemo *memo, PortStep *step);
/* Where what is known of its network's links is kept; NULL there: nothing yet (derive_slowest.h).
 */
struct LinkLoads **memo_loads(PortStepMemo *memo, Arena **arena);
/* The same with what each of its messages costs, of the last port step that was kept so: rings and
   pipelines send the same again. */
bool memo_recall_each(PortStepMemo *memo, PortStep *step);
void memo_keep_each(PortStepMemo *memo, const PortStep *step);
/* Keeps the entries of a port step that memo_recall has just not found. */
void memo_keep(PortStepMemo *memo, const PortStep *step);

#endif
