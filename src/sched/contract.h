/* The contract of a collective for concrete p and root: who holds what before and after.

   Blocks are whole here, not cut into chunks. */
#ifndef COLLCOST_SCHED_CONTRACT_H
#define COLLCOST_SCHED_CONTRACT_H

#include "sched/holding.h"

typedef struct {
    int64_t p, root, target, block_count;
    bool rooted, targeted, combines, rank_order, is_empty;
    Holding before, after;
    /* of a rank that holds something afterwards: the ranks that its blocks combine */
    PerRank contributors_from, contributors_to;
    int64_t buffer_blocks;  /* M / m */
    const int64_t *weights; /* of each block, by weights_apply; NULL: all are 1 */
} Contract;

/* `target` counts where the collective has one. False after a report, also if there are too many
   ranks, or blocks that are no runs. */
bool contract_create(Arena *arena, const Collective *collective, int64_t p, int64_t root,
                     int64_t target, Contract *contract, Diag *diag);
/* The same without a report. */
bool contract_try(Arena *arena, const Collective *collective, int64_t p, int64_t root,
                  int64_t target, Contract *contract);
/* False after a report if a side has too many entries to keep something for each of those of
   `ranks` ranks, which stand for all. */
bool contract_check_entries(const Collective *collective, const Contract *contract, int64_t ranks,
                            Diag *diag);
/* "p = 8, root = 2", "p = 8, root = 2, target = 5": for messages. */
const char *contract_describe(Arena *arena, const Contract *contract);
/* The contract of `groups` groups of p ranks each, which ask for the same among themselves: rank r
   of group g is rank g p + r, its block b block g B + b of B. False where there are too many blocks
   to keep something for each. */
bool contract_repeat(Arena *arena, const Contract *contract, int64_t groups, Contract *repeated);
/* M / m alone. */
bool contract_buffer_blocks(const Collective *collective, int64_t p, int64_t *count, Diag *diag);
/* The same without a report. */
bool contract_try_buffer_blocks(const Collective *collective, int64_t p, int64_t *count);

#endif
