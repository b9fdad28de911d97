/* Claims: closed forms that the literature gives, each with its source and recorded verdict. */
#ifndef COLLCOST_MODEL_CLAIM_H
#define COLLCOST_MODEL_CLAIM_H

#include "model/origin.h"

struct Library;
typedef struct Collective Collective;

typedef enum {
    CLAIM_TIME,    /* the time of the algorithm */
    CLAIM_MESSAGE, /* bytes of the largest message of round j = 1, 2, ... */
    CLAIM_LIMIT,   /* what the time tends to as the number of chunks k grows, ts = th = 0 */
    CLAIM_REACHES, /* the algorithm meets these lower bounds */
    CLAIM_BOUND    /* a lower bound of the collective; stands in the collective's file */
} ClaimKind;

typedef enum {
#define BOUND(id, name, why) BOUND_##id,
#include "model/bounds.def"
#undef BOUND
    BOUND_KIND_COUNT
} BoundKind;
extern const char *const bound_names[BOUND_KIND_COUNT];

/* The variables of a claim's formula. */
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
    CLAIM_J,      /* number of a round, from 1 */
    CLAIM_SIZE,   /* m */
    CLAIM_BUFFER, /* M */
    CLAIM_TS,     /* and th, tw, tc behind it, in the order of Parameter */
    CLAIM_SLOTS = CLAIM_TS + PARAMETER_COUNT
};

typedef struct {
    ClaimKind kind;
    const char *source;   /* as written: "S3, eq. cc-reduce-chain" */
    const Origin *origin; /* NULL: all parameters count */
    Span span;
    const char *const *on; /* names of topologies */
    size_t on_count;
    bool switching[SWITCHING_COUNT]; /* the modes of which it speaks: never that with ts at hops */
    Formula when;
    Formula formula; /* of a time (s) or a message (bytes) */
    bool is_sum;     /* of one term for each parameter: it can be taken apart */
    Program *real_k; /* the formula compiled for a real k; NULL where it needs a whole one */
    bool bounds[BOUND_KIND_COUNT]; /* reaches: which; bound: the kinds of which it is the largest */
    bool recorded_refuted;
    const char *note;
} Claim;

typedef struct {
    Claim *items;
    size_t count;
} ClaimList;

/* What the names of a formula mean for this subject. */
typedef struct {
    bool is_collective;
    bool rooted;
    bool has_chunks; /* k is a name */
    bool targeted;
} ClaimSubject;

/* Reads the value of the key `claims`. False after reports. */
bool claims_read(struct Library *library, Arena *arena, const Node *list, ClaimSubject subject,
                 ClaimList *claims, Diag *diag);
/* Does the claim speak of this topology? */
bool claim_is_on(const Claim *claim, const char *topology);
/* Does this parameter exist in the model of the claim's source? */
bool claim_counts(const Claim *claim, Parameter parameter);

#endif
