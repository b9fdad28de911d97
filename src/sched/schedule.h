/* Schedules as plain data: rounds of transfers, made from a schedule program for concrete p.

       round 0   0 -> 4 send [0]                      transfers of one round happen at once:
       round 1   0 -> 2 send [0]    4 -> 6 send [0]   all reads come before all writes        */
#ifndef COLLCOST_SCHED_SCHEDULE_H
#define COLLCOST_SCHED_SCHEDULE_H

#include "sched/contract.h"

/* What sizes of blocks depend on, but rounds do not. */
typedef struct {
    int64_t order;    /* n of a problem */
    int64_t elements; /* of a block, where the chunks of a copy of a library have the sizes that it
                         gives them (chunk_sizes_find); 0: as if these were alike */
    int64_t segment;  /* elements of a full one; 0: nothing is cut into segments */
    double unit;      /* bytes of an element, which then is what sizes count */
    const struct Weights *weights; /* sched/weights.h: sizes of blocks where it is run on data;
                                      NULL: all are alike */
} BlockSizes;

/* What a schedule is made for. */
typedef struct Instance {
    const Algorithm *algorithm;
    int64_t p, root, k, ports;
    const Shape *shape; /* of the network; NULL: the ranks lie in one line */
    int64_t target;     /* where the collective has one */
    int64_t branches;   /* radix or fan-out; sched/pieces.h says what is made of it */
    BlockSizes sizes;
} Instance;

/* blocks[first_block .. first_block + block_count - 1] of the round, by number (blockspace.h). */
typedef struct {
    int32_t from, to; /* at most graph_largest */
    uint32_t block_count;
    Verb verb;
    size_t first_block;
    const Span *span; /* of the step in the model file */
    bool skips_empty; /* not sent where all of its chunks are empty */
} ScheduledTransfer;

/* A rank multiplies two of its blocks into a third, which it need not hold before. */
typedef struct {
    int32_t rank;
    int64_t blocks[PROBLEM_ARRAYS]; /* by ProblemRole */
    const Span *span;
} ScheduledProduct;

typedef struct {
    int64_t
        number; /* from 0; one without messages is not counted, but has that of the one before */
    size_t count;
    const ScheduledTransfer *transfers;
    const int64_t *blocks; /* NULL where counts were enough: then there are counts only; or */
    const int32_t *packed; /* packed_count numbers (sched/packed.h); first_block is a place there */
    size_t packed_count;
    const int64_t
        *destination;     /* the blocks that they become at the receiver; NULL: the same ones */
    size_t product_count; /* behind the transfers */
    const ScheduledProduct *products;
    size_t stage;    /* how often other algorithms were used before it, once for each dimension */
    Posting posting; /* as the algorithm states it that the round comes from */
    size_t channels; /* of a stage, which move their own parts; 0: it has none */
    const size_t *ends; /* of each: behind its last transfer */
    const int64_t *had; /* of each transfer: how many of its blocks the receiver had already; NULL:
                           whoever follows the blocks knows */
    int64_t more; /* so many rounds follow that are like it, but for their numbers, and are not
                     handed on themselves; only with a grid */
} Round;

/* Where blocks[i] of the round lands. */
static inline int64_t round_destination(const Round *round, size_t i)
{
    return round->destination ? round->destination[i] : round->blocks[i];
}

static inline size_t round_block_count(const Round *round)
{
    size_t count = 0;
    for (size_t t = 0; t < round->count; t++)
        count += round->transfers[t].block_count;
    return count;
}

/* A transfer from a rank to itself is local work: it uses no port, no link and no time but that of
   combining. */
static inline bool transfer_is_local(const ScheduledTransfer *transfer)
{
    return transfer->from == transfer->to;
}

static inline uint64_t transfer_ends(const ScheduledTransfer *transfer)
{
    return (uint64_t)transfer->from << 32 | (uint64_t)transfer->to;
}

/* Called for every round; false ends the expansion. `arena` is freed after the call. */
typedef bool (*RoundVisitor)(void *context, const Round *round, Arena *arena);

/* How rounds are wanted by who can do with less than each message with its blocks. */
typedef struct {
    int64_t most_messages; /* of a round that lists them: more are too many; 0: no matter */
    bool counts_only;      /* rounds need not say which blocks move, only how many */
    bool all_combine;  /* what arrives in messages that combine is taken to meet its like there */
    bool takes_packed; /* rounds may say which blocks move by packed lists (sched/packed.h) */
    const struct Rotation *rotation; /* sched/rotation.h: rounds have messages of ranks 0 .. by - 1
                                        alone, which stand for all; NULL: of all ranks */
    struct GridOwnership
        *grid;                       /* sched/grid_ownership.h: who holds what is followed there,
                                        dimension by dimension, and rounds only count blocks; NULL: not */
    const struct RoundsAgain *again; /* sched/grid_stages.h: in place of rounds that are known, what
                                        was kept of them is handed on; NULL: all are visited */
    RoundVisitor visit;              /* who takes them, as schedule_expand_as was told */
    void *context;
} RoundsWanted;

/* Why an algorithm may not run: a requirement of its own, or of one that it uses, or a dimension
   that the network lacks. */
typedef struct {
    const Algorithm *algorithm; /* whose requirement; NULL: the dimension is missing */
    bool is_of_grid;            /* the ranks do not fill its grid */
    bool is_reported;           /* the requirement, or the grid, has no value here */
    int64_t p;
    Text dimension;
    const char *uncrossed; /* the dimension along which none of its steps runs */
} Refusal;

/* May the algorithm run on ranks so arranged? False also after a report. `refusal` may be NULL. */
bool schedule_allows(const Algorithm *algorithm, const Shape *shape, int64_t ports,
                     Refusal *refusal, Diag *diag);
/* The same without a report. */
bool schedule_try(const Algorithm *algorithm, const Shape *shape, int64_t ports);
const char *schedule_explain(Arena *arena, const Refusal *refusal);
/* With how many times m bytes each rank works in its memory, beside its messages. */
bool schedule_local_work(const Instance *instance, LocalBytes local[LOCAL_WORK_COUNT], Diag *diag);
/* Into how many chunks each block is cut, and how their blocks are numbered. */
bool schedule_chunks(const Instance *instance, int64_t *chunks, Diag *diag);
bool schedule_try_chunks(const Instance *instance, int64_t *chunks);
bool schedule_blocks(const Instance *instance, BlockSpace *space, Diag *diag);
void schedule_report_too_large(const Instance *instance, Span span, Diag *diag);
/* Is it made of algorithms that run on all ranks, one after the other, each of which leaves what
   the next one needs, and as far as is seen without following ranks, of which `ranks` are looked
   at, not too large to expand? Not those that are made of others in their turn. */
bool schedule_parts_fit(const Arena *arena, const Instance *instance, int64_t ranks);
/* Who holds what before and after: the collective's contract, or where a problem's blocks lie. So
   many `ranks` are asked, which stand for all. False after a report. */
bool schedule_contract(const Instance *instance, int64_t ranks, Arena *arena, Contract *contract,
                       Diag *diag);
/* Expands the program round by round, each message with its blocks. False if the visitor said so,
   or after a report. */
bool schedule_expand(const Instance *instance, RoundVisitor visit, void *context, Diag *diag);
/* The same, as rounds are wanted. */
bool schedule_expand_as(const Instance *instance, const RoundsWanted *wanted, RoundVisitor visit,
                        void *context, Diag *diag);

/* Rounds that outlive the expansion that made them. */
ARRAY_TYPE(RoundArray, Round);
/* Appends a copy of `round`. Returns the bytes that it took. */
size_t rounds_keep(Arena *arena, RoundArray *rounds, const Round *round);

/* The chunks of a block where a copy of a library says how long each is, in elements.

       n = 10, 4 ranks     full segments of s = 3   3 3 3 1      the first ones longer   3 3 2 2

   Elsewhere, and where costs are derived for any size, chunks are alike. */

/* *sizes: of each of the chunks of a block, cut by cut, in elements of the instance; where that has
   none, as shares of as many elements as there are chunks. NULL: they are alike. False after a
   report. */
bool chunk_sizes_find(Arena *arena, const Instance *instance, int64_t chunks, const int64_t **sizes,
                      Diag *diag);

#endif
