/* Claims: closed forms that the literature gives, each with its source and recorded verdict. */
#ifndef COLLCOST_MODEL_CLAIM_H
#define COLLCOST_MODEL_CLAIM_H

#include "model/origin.h"

typedef struct Collective Collective;

typedef enum {
#define CLAIM(id, key, whose, names, unit, words) CLAIM_##id,
#include "model/claims.def"
#undef CLAIM
    CLAIM_KIND_COUNT
} ClaimKind;

typedef enum { WHOSE_ALGORITHM, WHOSE_COLLECTIVE, WHOSE_TOPOLOGY } ClaimOwner;
typedef enum { NAMES_PLAIN, NAMES_ROUND, NAMES_SENDER, NAMES_APART, NAMES_PAIR } ClaimNames;

typedef struct {
    const char *key;
    ClaimOwner owner;
    ClaimNames names;
    Dimension dimension;
    const char *words; /* what is claimed; "" where the bounds are named instead */
} ClaimInfo;
extern const ClaimInfo claim_info[CLAIM_KIND_COUNT];

typedef enum {
#define BOUND(id, name, why) BOUND_##id,
#include "model/bounds.def"
#undef BOUND
    BOUND_KIND_COUNT
} BoundKind;
extern const char *const bound_names[BOUND_KIND_COUNT];

/* tm, behind the parameters that a claim neglects. */
enum { NEGLECTS_MULTIPLY = PARAMETER_COUNT };

/* The variables of a claim's formula. Those before CLAIM_J can stand in conditions too. */
enum {
    CLAIM_P,
    CLAIM_ROOT,
    CLAIM_K,
    CLAIM_D, /* ports */
    CLAIM_X, /* sizes of the first three dimensions; 1 where there are fewer */
    CLAIM_Y,
    CLAIM_Z,
    CLAIM_DIMENSIONS, /* how many there are */
    CLAIM_TARGET,
    CLAIM_PATH,                            /* between the root and the target, where these are */
    CLAIM_N,                               /* order of the matrices of a problem */
    CLAIM_BRANCHES,                        /* radix or fanout */
    CLAIM_J,                               /* number of a round, from 1; a distance */
    CLAIM_R,                               /* a rank */
    CLAIM_TO,                              /* another one */
    CLAIM_SIZE,                            /* m; in a problem the bytes of an element */
    CLAIM_BUFFER,                          /* M */
    CLAIM_TS,                              /* and th, tw, tc behind it, in the order of Parameter */
    CLAIM_TM = CLAIM_TS + PARAMETER_COUNT, /* of a problem */
    CLAIM_OVERHEAD,                        /* o: a part of ts, any that is not whole */
    CLAIM_SLOTS
};

typedef struct {
    ClaimKind kind;
    const char *source; /* as written: "S3, eq. cc-reduce-chain" */
    Citation citation;  /* without an origin all parameters count */
    Span span;
    const char *const *on; /* names of topologies */
    size_t on_count;
    bool switching[SWITCHING_COUNT]; /* the modes of which it speaks: never that with ts at hops */
    bool overlaps;                   /* it is about combining that overlaps receiving */
    /* Taken to be zero, beside what the origin leaves out: parameters, and tm. */
    bool neglects[PARAMETER_COUNT + 1];
    Formula when;
    Formula first, last; /* the rounds of which it speaks; no programs: all */
    Formula formula;     /* in the unit of the kind: s, bytes or a number */
    Program *real_k;     /* the formula with a real k, for claim_real_k; NULL where it has no k */
    bool bounds[BOUND_KIND_COUNT]; /* reaches, misses: which; bound: the kinds of which it is the
                                      largest */
    bool is_lower;                 /* it is said to be never above what it is compared with */
    bool is_upper;                 /* or never below; of a time CLAIM_AT_MOST says so */
    bool is_approximate;           /* it is said to be: errors are measured */
    bool recorded_refuted;
    const char *note;
} Claim;

typedef struct {
    Claim *items;
    size_t count;
} ClaimList;

/* Those of a model, in their order. Where it is known to be right each is read when it is first
   asked for, since a question about one topology needs a few of some hundred: claims_all and
   claims_on give them. */
typedef struct {
    ClaimList list;
    struct ClaimReader *reader; /* NULL: all are read */
} ModelClaims;

/* What the names of a formula mean for this subject. */
typedef struct {
    ClaimOwner owner;
    const char *topology; /* the owner, if it is one */
    bool rooted;
    bool has_chunks; /* k is a name */
    bool targeted;
    bool is_problem;      /* n, word and tm are names, m and M are none */
    bool is_judged;       /* links and o are names, which models do not have */
    const char *branches; /* "radix", "fanout"; NULL or "": neither is a name */
} ClaimSubject;

/* Takes the value of the key `claims`. The node, the resolver's models and the arena must live as
   long as the claims are used. False after reports. */
bool claims_read(const Resolver *resolver, const Node *list, ClaimSubject subject,
                 ModelClaims *claims);
/* All of them, read. */
const ClaimList *claims_all(const ModelClaims *claims);
/* Claim number `index`, read; NULL where it does not speak of this topology. */
const Claim *claims_on(const ModelClaims *claims, size_t index, const char *topology);
/* Does the formula, which is not checked, name a time? */
bool claim_names_time(const Expr *formula);
/* A claim about the time, on no topology yet and without a condition, from a formula that is not
   checked; about each round where j is in it; without a time, about the message of each round, and
   without a size too, about the number of rounds, or of links where there is a target. False after
   a report. */
bool claim_compile(Arena *arena, ClaimSubject subject, Expr *formula, Claim *claim, Diag *diag);
/* Gives it a condition, in the place of the one that it had. */
bool claim_condition(Arena *arena, ClaimSubject subject, Expr *condition, Claim *claim, Diag *diag);
/* Is its formula one term for each parameter, so that it can be taken apart? */
bool claim_is_sum(const Claim *claim);
/* The formula for a real k; NULL where it needs a whole one. */
Program *claim_real_k(const Claim *claim);
/* Does the claim speak of this topology? */
bool claim_is_on(const Claim *claim, const char *topology);
/* Does this parameter exist in the model of the claim's source? */
bool claim_counts(const Claim *claim, Parameter parameter);

/* Claims in words, for people. */

/* "time", "rounds bound": what is claimed; "" where the formula's text says it. */
const char *claim_words(Arena *arena, const Claim *claim);
/* The formula as written, or "reaches the bounds rounds node". */
const char *claim_formula(Arena *arena, const Claim *claim);
/* "on ring uniring, cut-through, rounds 1 .. 3, when d == 1, neglecting th": where it is claimed.
 */
const char *claim_where(Arena *arena, const Claim *claim);

#endif
