/* Sums over rounds, and costs as sums of products, with obligations that say what they are. */
#ifndef COLLCOST_PROVE_SUMS_H
#define COLLCOST_PROVE_SUMS_H

#include "prove/poly.h"
#include "prove/proof.h"

/* Of which networks something is known. */
typedef enum { NET_FULL, NET_STAR, NET_UNIRING, NET_RING, NET_LINEAR, NET_HYPERCUBE } Net;
enum { NET_COUNT = NET_HYPERCUBE + 1, MOST_DEPTH = 8 };
extern const char *const net_names[NET_COUNT];

/* A sum that has no closed form: a variable of any value stands for it. */
typedef struct {
    const Term *atom, *index, *low, *high;
    Poly body;
} Sum;

ARRAY_TYPE(Sums, Sum);

/* By Parameter. */
typedef struct {
    Poly of[PARAMETER_COUNT];
} Measures;

typedef struct {
    Proof *main; /* where obligations and what is assumed of p are kept */
    Kernel *kernel;
    Net net;
    bool stores;    /* each link passes on whole messages */
    bool backwards; /* the program runs so */
    const Term *ports;
    Poly unit; /* the bytes of a block of the stage that is followed */
    Measures total, outer[MOST_DEPTH];
    int depth;
    TermArray inside; /* no loop around is empty */
    Sums sums;
    const Term *parameters[PARAMETER_COUNT], *size; /* what ts .. tc and m are */
    const char *why;                                /* what stands in the way */
} Costing;

/* Is the condition true wherever these are? Tried at sample points; then it is an
   obligation. */
bool costing_shows(Costing *costing, const char *name, const char *meaning, const TermArray *given,
                   const Term *goal);
bool costing_always(Costing *costing, const char *name, const char *meaning, const Term *goal);
/* Are they equal, by obligations? */
bool costing_equal(Costing *costing, const Poly *a, const Poly *b);
/* The sum for all values of an index. */
Poly costing_sum(Costing *costing, const Term *index, const Term *low, const Term *high,
                 const Poly *body);
/* a where the condition holds, else b; one of them where that is always so. */
const Term *costing_choice(Costing *costing, const Term *condition, const Term *a, const Term *b);
/* 1 or 0 */
Poly costing_count(Costing *costing, const Term *condition);

/* What a program costs, for all p, as sums over its rounds: how many there are, the links of their
   longest paths, their bytes, and what is combined.

   Ranks that have a message to send are found by a witness: a rank that sends the longest one if
   any sends at all. On a network other than a full one lemmas say how links are loaded. */

/* Told of a direct program while it is followed. */
void costing_round(void *context, Proof *proof, const Templates *templates, const State *before);
void costing_loop(void *context, const Term *index, const Term *low, const Term *high, bool begins);

#endif
