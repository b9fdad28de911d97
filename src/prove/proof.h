/* A proof in the making: what ranks hold at the points of a schedule program, as conditions on a
   rank x, a block and a contribution; and the obligations that lead from one point to the next.

   Rounds are followed as they are written. What arrives in a round is found again from the place
   where it arrives: a witness (who sends it, with which indices) is sought by solving for it and
   chosen at sample points. Witnesses and invariants are not trusted: obligations say that they are
   right. Where contributions are combined, or `exact` is set, conditions are what ranks hold;
   elsewhere they hold at least that. */
#ifndef COLLCOST_PROVE_PROOF_H
#define COLLCOST_PROVE_PROOF_H

#include "prove/kernel.h"

enum { MOST_BLOCK_ARRAYS = LIMIT_ARRAYS + 1 };

typedef struct {
    int array, count;
    const Term *index[MOST_INDICES];
} Block;

/* Where contributions do not count, `c` is NULL. */
typedef struct State {
    bool is_formula;
    /* an invariant: for each array a condition, NULL: nothing is held */
    const Expr *held[MOST_BLOCK_ARRAYS];
    int blk_slot, con_slot; /* of its names: block indices from the first one on */
    Env env;
    /* a formula of the formal rank, block and contribution of the proof */
    const Term *formula[MOST_BLOCK_ARRAYS];
} State;

typedef struct {
    const char *name, *meaning;
    TermArray hypotheses;
    const Term *goal;
} Obligation;

ARRAY_TYPE(Obligations, Obligation);
ARRAY_TYPE(Loops, Loop);

/* What of a round a rank sends, once for each value of its first loops that are few. */
typedef struct {
    const ScheduleStep *step;
    const CompiledSet *set, *into; /* NULL: what it holds; where blocks land */
    Env env;                       /* of rank r: all but r and the indices that follow */
    SetLoop loops[2 * MOST_LOOPS]; /* of the transfer and of the set, that are left */
    bool is_down[2 * MOST_LOOPS];
    int loop_count;
    int array; /* of `set`, or of what is held */
} Template;
ARRAY_TYPE(Templates, Template);

struct Proof;

/* Who follows a program that is proved already, and makes no obligations of its rounds: told of
   each round with what is held before it, and of each loop when it begins and when it ends. */
typedef struct {
    void *context;
    void (*round)(void *context, struct Proof *proof, const Templates *templates,
                  const State *before);
    void (*loop)(void *context, const Term *index, const Term *low, const Term *high, bool begins);
} Watch;

typedef struct Proof {
    Kernel *kernel;
    const Algorithm *algorithm;
    Env env;
    bool exact, combines;
    int array_count, index_count;
    const Term *x, *c; /* formal, with blocks[a] */
    Block blocks[MOST_BLOCK_ARRAYS];
    TermArray hypotheses; /* of the whole: what is required of p */
    Obligations obligations;
    const char *const *invariants; /* of the loops, in their order; */
    size_t invariant_count, used;
    bool wants_more; /* invariants ran out: one for the loop with this index */
    const char *index_wanted;
    Loops loops;                /* around the steps that are followed */
    const ScheduleStep *wanted; /* the loop, and what is held before it */
    Env wanted_env;
    const State *wanted_state;
    const char *failed; /* such an obligation */
    int64_t failed_p;
    bool found_only;    /* the obligations of samples are not evaluated */
    const Watch *watch; /* or NULL */
} Proof;

/* One message: conditions, receiver, block, and the block as which it lands. */
typedef struct {
    const Term *guard, *from, *to;
    const Term *sends; /* of the guard, what holds even if there are no blocks */
    Block block, landing;
    const Term *parameters[2 * MOST_LOOPS];
} Message;

Proof *proof_start(Kernel *kernel, const Algorithm *algorithm, RankCase ranks, bool exact);
/* All obligations of the program, with these invariants. False: the kernel refused, or some
   obligation fails at a sample point. */
bool proof_follow(Proof *proof);
/* May this be the invariant that is wanted, by what is held before the loop? */
bool proof_may_begin(Proof *proof, const char *invariant);
const Term *state_holds(Proof *proof, const State *state, const Term *rank, const Block *block,
                        const Term *c);
/* How many values an index of blocks of an array has, how many indices there are, their names. */
const Term *proof_extent(const Proof *proof, int array, int place);
int proof_index_count(const Proof *proof, int array);
const char *proof_index_name(const Proof *proof, int array, int place);
/* What the names of the collective's contract mean for a rank. */
Env proof_contract_env(const Proof *proof, const Term *rank);
/* Is the block in one of the collective's sets, for a rank? */
const Term *proof_in_sets(Proof *proof, const SetList *sets, const Term *rank, const Block *block);
/* A rank and a block that are any; a contribution is that of a rank "con". */
const Term *proof_rank(Proof *proof, const char *name);
Block proof_block(Proof *proof, int array);
void proof_oblige(Proof *proof, const char *name, const char *meaning, const TermArray *hypotheses,
                  const Term *goal);

/* messages.c: parameters[i] NULL: any in its range. */
void templates_list(Proof *proof, const ScheduleStep *round, Env env, Templates *templates);
Message message_build(Proof *proof, const Template *template, const Term *from,
                      const Term *const *parameters, const Block *any);
/* Contributions for which the condition may hold. */
TermArray message_contributions(Proof *proof, const Term *condition, const Term *c);
/* What arrives at the formal rank as the formal block, or leaves it, as a condition on who is at
   the other end. */
const Term *message_found(Proof *proof, const Template *template, const State *state, bool leaves);

/* samples.c: points at which free variables have values. */
typedef struct {
    Terms *terms;
    const TermArray *hypotheses; /* of the whole */
    TermArray free;
    uint64_t seed;
    int64_t p_base, most_p;
    int count;
} Samples;
Samples samples_of(Proof *proof, const Term *const *needed, size_t count);
/* False after `most` points. */
bool samples_next(Samples *samples, int most);
/* Is the obligation true at sample points? */
bool obligation_holds(Proof *proof, const Obligation *obligation);
/* The obligation for a solver. */
const char *obligation_text(Proof *proof, const Obligation *obligation, const char *title);

#endif
