/* Inside of the expansion of schedule programs (expand*.c, lines*.c); others see schedule.h.

   A step is evaluated for all ranks at once: its condition picks lanes, and `to` and the block sets
   are expanded for these. */
#ifndef COLLCOST_SCHED_EXPANDER_H
#define COLLCOST_SCHED_EXPANDER_H

#include "base/wide_hash.h"
#include "sched/ownership.h"
#include "sched/packed.h"
#include "sched/pieces.h"

enum { RANKS_PER_WORK = 256 };

typedef struct {
    const Instance *instance;
    const RoundsWanted *wanted;
    const Algorithm *algorithm;
    Pieces pieces;
    int64_t branches; /* the radix or fan-out, within its range; 0: it has none */
    BlockSpace space;
    Arena *arena;
    Arena *drafts;       /* of the round at hand */
    size_t lanes;        /* ranks that are looked at: p, or those that stand for all */
    Frame frame;         /* so many lanes */
    uint64_t varying;    /* slots of the frame with a value for each rank */
    uint64_t passing;    /* slots with a value that k, or the pass of a repeat, decides */
    Ownership ownership; /* kept only for programs that say `all` or use another algorithm */
    bool counts_only;    /* rounds are made without their blocks */
    bool packs;          /* rounds have packed blocks */
    bool counts_work;    /* and nothing else: names of ranks have no values, nobody sends */
    bool is_backwards;   /* the last step first, and the last pass of a repeat */
    int64_t round_number;
    size_t stage;  /* runs of used algorithms in lines that came before */
    int64_t *work; /* so far, used algorithms included: no program may run for hours by malice */
    Diag *diag;
} Expander;

ARRAY_TYPE(TransferArray, ScheduledTransfer);
ARRAY_TYPE(ProductArray, ScheduledProduct);

/* One round while its transfers are collected. */
typedef struct {
    TransferArray transfers;
    IntArray blocks, destination; /* the latter only if the program moves blocks between arrays */
    Packing packing;              /* in place of both */
    size_t block_count;           /* of the transfers, also where blocks are not kept */
    IntArray had;                 /* of each transfer; only with a grid */
    ProductArray products;
    bool has_messages;
    int64_t more;                          /* so many rounds like it follow */
    Posting posting;                       /* of a used algorithm; unstated: that of this one */
    size_t channels, ends[LIMIT_CHANNELS]; /* as Round has them */
} Draft;

/* The ranks for which a step's condition and blocks are evaluated: all, or one of each class. */
typedef struct {
    size_t count;
    Frame frame;            /* with so many lanes */
    const uint8_t *classes; /* of all ranks; NULL: all are asked */
} AskedRanks;

/* Adds the transfers of a step to a round, for the values of its loops at hand: one for each rank
   that sends anything. False after a report. */
bool expander_add_once(Expander *expander, const ScheduleStep *step, Draft *draft);
/* Adds what each rank multiplies in a step: item by item of the three sets. False after a report.
 */
bool expander_list_products(Expander *expander, const ScheduleStep *step, Draft *draft);
/* The slots that a step reads of its senders. */
uint64_t expander_reads(const ScheduleStep *step);
/* Classes and names of ranks that do not depend on k are kept with rounds that come again. */
AskedRanks expander_ask(const Expander *expander, const ScheduleStep *step);
void expander_keep_names(const Expander *expander);
/* In place of evaluating them. False where none are kept. */
bool expander_recall_names(Expander *expander);
/* What tells the round of a step, or that one of trees (NULL), of what the same algorithm does on
   the same ranks with any number of chunks. False, silently, where that is not known. */
bool expander_key(const Expander *expander, const ScheduleStep *step, int64_t round, WideHash *key);
/* For a program within another one, whose posting holds where its own states none, and in which
   blocks count so many times; 0: which is its dual. */
const struct RoundsAgain *expander_again_in(const struct RoundsAgain *outer, int64_t times,
                                            Posting posting, struct RoundsAgain *inner);
/* Appends a transfer; one that carries nothing is none. */
void draft_append(Arena *arena, Draft *draft, const ScheduledTransfer *transfer);
/* Hands a round on; one without transfers is none. */
bool expander_emit(Expander *expander, const Draft *draft);
/* A step costs one unit of work, and one more for each 256 ranks for which it is evaluated. False
   after a report: too much. */
bool expander_count(Expander *expander, int64_t ranks, Span span);
/* schedule_expand_as, within the work that is left, for the visitor of `wanted`. */
bool expander_expand(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                     Diag *diag);
/* Adds to `work` what the program takes at least, whatever its ranks send, of which so many are
   looked at. O(work / ranks) */
void expander_count_ahead(const Instance *instance, int64_t ranks, int64_t *work);
/* May the program be run with its last round first? Not where what is done depends on what was done
   before: who holds what, or a name with a new value in each pass. */
bool expander_may_go_back(const Algorithm *algorithm);
/* expander_expand from the last round to the first, of a program that may go back. The rounds are
   not numbered. */
bool expander_expand_backwards(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                               Diag *diag);
/* All rounds, copied into `arena`. */
bool expander_collect(Arena *arena, const Instance *instance, const RoundsWanted *wanted,
                      int64_t *work, RoundArray *rounds, Diag *diag);
/* expander_expand for stages that are pipelined, where k > 1. O(messages of one chunk) memory. */
bool expander_expand_pipelined(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                               Diag *diag);
/* A copy becomes a combination, and back. */
Verb verb_of_dual(Verb verb);
/* Have both the same blocks, as an algorithm and its dual must? False after a report. */
bool expander_same_blocks(const Instance *instance, const Instance *other, Diag *diag);
/* expander_expand for an algorithm that is the dual of another. */
bool expander_expand_dual(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                          Diag *diag);
/* Runs a step that uses another algorithm. */
bool lines_run(Expander *expander, const ScheduleStep *step);

#endif
