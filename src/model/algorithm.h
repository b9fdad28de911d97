/* Algorithms: schedule programs and the claims about them.

   A program is a tree of steps:

       repeat  i in 0 .. clog2(p) - 1          one variable, all ranks together
         let   v: (r - root) mod p             values per rank, seen below
               first(x): x - x mod 2           and functions
         then  n: n - n div 2                  what names of an outer `let` are in the next pass
         round                                 transfers that happen at once
           transfer  send SETS to RANK as ARRAY if CONDITION
           combine   BLOCK += BLOCK            local: a transfer from each rank to itself

         use   allgather/ring along x          another algorithm, in every line of ranks
         compute  C(i, j) += A(i, k) * B(k, j) in a problem: each rank multiplies blocks

   A transfer outside a round is a round of its own, with all repetitions of its `for`. `sequence`
   is a list of uses. `trees` has no steps, but says edge by edge where data goes. `chunks`
   cuts every block; its pieces are blocks with one index more. `dual` takes the program of another
   algorithm, turned round. With `along` the program is that of a line: the algorithm is one use of
   it. */
#ifndef COLLCOST_MODEL_ALGORITHM_H
#define COLLCOST_MODEL_ALGORITHM_H

#include "model/grid.h"
#include "model/problem.h"

typedef enum {
#define VERB(id, key, keeps, combines) VERB_##id,
#include "model/verbs.def"
#undef VERB
    VERB_COUNT
} Verb;

typedef struct {
    const char *key;
    bool keeps;    /* the sender keeps its copy */
    bool combines; /* the receiver combines what comes with what it has */
} VerbInfo;
extern const VerbInfo verb_info[VERB_COUNT];

/* What the number of branches is called of which an algorithm leaves the choice: into how many
   parts each step divides ranks, or to how many others a rank sends. */
typedef enum { BRANCHING_NONE, BRANCHING_RADIX, BRANCHING_FANOUT, BRANCHING_COUNT } Branching;
extern const char *const branching_names[BRANCHING_COUNT]; /* that of none is "" */

typedef struct {
    int slot;
    Program *program;
    bool varies;
} Let;

typedef struct {
    Let *items;
    size_t count;
} LetList;

/* Where blocks land at the receiver:   as < 0       in the array in which they were
                                        as >= 0      in that array (0: the main one)
                                        into.count   block by block where `into` says */
typedef struct {
    Verb verb;
    SetList blocks;
    Formula to; /* no program: to the sender itself */
    int as;
    SetList into;     /* of `combine` */
    bool skips_empty; /* not sent where all of its chunks are empty */
} Transfer;

typedef struct Algorithm Algorithm;

/* How a library cuts into segments of a given size: into equal ones, as many as it takes; into full
   ones and a rest; or into equal ones, as many as come nearest to that size. */
typedef enum { SEGMENTS_EVEN, SEGMENTS_FULL, SEGMENTS_NEAREST } Segments;

/* What the sizes of chunks can read, by slot. */
typedef enum {
    CUTTING_P,
    CUTTING_K,
    CUTTING_ELEMENTS,
    CUTTING_SEGMENT,
    CUTTING_CHUNK,
    CUTTING_SLOTS
} CuttingSlot;

/* How many elements each chunk has, where that is not left open: `elements`, of c, the number of a
   chunk; n, the elements of the whole block; s, those of a full segment; k and p. With `bytes` the
   same in bytes. */
typedef struct {
    Formula size; /* no program: full segments and a rest, or what is left open */
    bool of_bytes;
    bool reads_segment;
    Segments segments;
} Cutting;

/* Which lines of ranks a used algorithm runs in: one of all ranks; those along each dimension, one
   dimension after the other; those along the named ones. */
typedef enum { ALONG_ALL_RANKS, ALONG_EVERY_DIMENSION, ALONG_NAMED } Along;

typedef struct {
    const Algorithm *algorithm;
    Along along;
    const Text *dimensions; /* ALONG_NAMED */
    size_t dimension_count;
    bool by_level; /* ALONG_EVERY_DIMENSION: where dimensions are levels, the outermost first; */
    bool is_backwards; /* the last one first */
    Formula channels;  /* so many copies side by side, each on its part of every block, with rounds
                          in common; uniform; no program: one */
    Formula renumber;  /* which rank of the line plays rank r, in a channel; no program: rank r */
    Formula root;      /* no program: that of the collective, or 0 */
    Formula target;    /* the same */
    bool reads_ports, reads_shape; /* channels or renumber read d; sizes of the network */
    bool is_own;                   /* of the program of the same file, for a line */
    SetList of;  /* in a problem: for each block of the collective, the blocks it stands for */
    int of_slot; /* where the names of the collective's indices begin */
} Use;

typedef enum { STEP_REPEAT, STEP_ROUND, STEP_TRANSFER, STEP_USE, STEP_COMPUTE } ScheduleStepKind;

/* `for: c in 1 .. d`: the transfer for each value, all ranks together. */
typedef struct {
    Loop loop;
    Program *from, *to;
} StepLoop;

typedef struct ScheduleStep {
    ScheduleStepKind kind;
    Span span;
    Formula condition; /* of a repeat or round: the same for all ranks */
    LetList lets;      /* of a repeat or round */
    LetList then;      /* of a repeat: new values for names from outside */
    Loop loop;         /* of a repeat */
    Program *from, *to;
    struct ScheduleStep *steps; /* of a repeat or round */
    size_t step_count;
    Transfer transfer;
    Use use;
    CompiledSet *product; /* of a compute: blocks of the left, right and result array, one by one */
    StepLoop *loops;      /* of a transfer, outermost first */
    size_t loop_count;
} ScheduleStep;

struct Algorithm {
    Head head;
    Citation citation;            /* of the head's source */
    const Collective *collective; /* of a problem, what stands for it */
    ProblemBlocks blocks;         /* of a problem: how its arrays are cut, */
    SetList before, after;        /* and where blocks lie */
    const char *library; /* whose algorithm it copies, message by message; "": it is for everyone */
    bool is_builtin;     /* and its collective, and all that it is made of */
    bool expect_wrong;   /* printed somewhere, and wrong: kept to show it, never offered */
    Formula requires;    /* which p are allowed */
    Formula chunks;      /* into how many pieces a block is cut; no program: one */
    Cutting cutting;
    FormulaList local[LOCAL_WORK_COUNT]; /* of p and d: with how many times m bytes, buffer by
                                            buffer, a rank does such work beside its messages */
    Text protocol;       /* its messages have that one where a machine has one of that name */
    Posting posting;     /* of its own rounds; in parts theirs counts where they have one */
    bool streams;        /* some round, as those are posted together, */
    bool posts_together; /* in some round, if the rules leave that to algorithms */
    bool free_chunks;    /* `chunks: k`, or pipelined: k is chosen optimal, or by the user */
    bool pipelined;      /* its stages run once for each of k chunks, which follow one another */
    Branching branching; /* a radix or fan-out that is free, too; its own, or one of a part */
    Formula least_branches, most_branches; /* its own range; no programs: it has none of its own */
    RankGrid grid;
    LetList lets;
    Scope names; /* of the program, those of `let` included; of a loop come behind them */
    ScheduleStep *steps;
    size_t step_count;
    const struct TreeSet *trees; /* in place of steps (model/trees.h); or NULL */
    const char *const *arrays;   /* their names; the main one is not among them */
    size_t array_count;
    Formula *array_sizes; /* of each: the extent of an index in front; no program: it has none */
    bool moves_blocks;    /* some transfer has `as`, or is a `combine` */
    bool names_all;       /* some set is `all`, or another algorithm is used */
    bool keeps,
        combines;       /* some sender keeps what it sends, some receiver combines; in parts too */
    bool reads_ports;   /* its rounds may depend on d, */
    bool reads_shape;   /* and on the dimensions of the network */
    bool has_transfers; /* of its own */
    const char *composed;  /* its stages as one typed line, where a question put it together, with
                              which it lives; else NULL */
    const Algorithm *dual; /* the algorithm to turn round, or NULL */
    int chain;    /* the longest of algorithms each of which is made from the next, this one
                     not counted */
    int64_t uses; /* its own, and those of what it uses, each time that it does */
    ModelClaims claims;
};

/* NULL after reports. */
Algorithm *algorithm_read(const Resolver *resolver, const Node *map);
/* "reduce/binomial" */
const char *algorithm_full_name(Arena *arena, const Algorithm *algorithm);
/* The one whose program it runs, from the first round to the last or back: behind all duals, or
   itself. */
const Algorithm *algorithm_origin(const Algorithm *algorithm);
/* How it cuts: as it says itself, or that which it is made of. */
const Cutting *algorithm_cutting(const Algorithm *algorithm);

#endif
