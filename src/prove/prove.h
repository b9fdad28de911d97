/* Algorithms proved right for all numbers of ranks: invariants found, obligations made, solvers
   asked, lemmas for what is made of other algorithms. */
#ifndef COLLCOST_PROVE_PROVE_H
#define COLLCOST_PROVE_PROVE_H

#include "model/proved.h"
#include "prove/proof.h"

ARRAY_TYPE(Conditions, const char *);

/* Bit i: number i. RECORDED: none is asked, and obligations must be in models/proofs.yaml. */
typedef enum { SOLVER_NONE, SOLVER_Z3, SOLVER_CVC5, SOLVER_BOTH, SOLVER_RECORDED } Solvers;

/* What is proved of an algorithm. */
typedef enum { NOT_PROVED, PROVED_ALL_P, PROVED_SOME, REFUTED_AS_PRINTED } Proving;

typedef struct {
    const char *text; /* "proved for all p", "proved for radix 2, 3", "not proved" */
    Proving verdict;
    unsigned values; /* PROVED_SOME: bit v, for v of these: */
    const char *of;  /* "radix", "fanout" or "ports" */
    bool exact;      /* no block arrives twice, and none is left over */
    const char *why; /* the invariants or lemmas, or what stands in the way */
    int obligations;
    const char *hashes, *cases; /* of all obligations, and invariants, as a record has them */
    bool is_split;              /* solvers disagree */
    int unsure;                 /* bit i: solver i could not tell of all obligations */
    int64_t failed_p;           /* some obligation is false there; 0: nowhere */
} Proved;

/* How a program is proved with one radix or number of ports, for such p. */
typedef struct {
    RankCase ranks;
    int64_t branches, ports, least_p;
    bool exact;
    const char *invariants[8];
    size_t count;
} ProofCase;
ARRAY_TYPE(ProofCases, ProofCase);

/* A program that is proved by itself, and how. */
typedef struct {
    const Algorithm *algorithm;
    ProofCases cases;
} ProvedPart;
ARRAY_TYPE(ProvedParts, ProvedPart);

typedef struct {
    Arena *arena;
    Solvers solvers;    /* none: what is recorded is followed, and not asked about */
    const char *folder; /* where obligations are kept; NULL: nowhere */
    ProvedParts *parts; /* gets those that a proof rests on; or NULL */
    Conditions *asked; /* hashes of formulas that solvers refuted, whatever their titles; or NULL */
} Prover;

/* ask.c: solvers that are asked about the obligations of some proofs. */
typedef struct {
    const Prover *prover;
    const char *name; /* of files */
    Buffer hashes;
    int obligations;
    const char *why;
    bool gives_up; /* a solver could not tell */
    bool is_split; /* one says unsat, the other sat */
    int unsure;    /* bit i: solver i could not tell, but the other */
} Asked;
/* Are all obligations of the proof true? Without solvers they are only written. */
bool ask(Asked *asked, Proof *proof, const char *title);
const char *asked_hashes(const Asked *asked);

/* infer.c: conditions to try before the rounds of a loop with this index, the likely ones first. */
void invariants_list(Arena *arena, const Algorithm *algorithm, const char *index, int64_t ports,
                     Conditions *candidates);

extern const char *const solver_names[2];
/* solver.c: what a solver says of a text: unsat, sat, unknown; NULL: it cannot be run. */
const char *solver_answer(Arena *arena, const char *program, const char *text, int seconds);
/* The version of a solver on the path, or NULL. */
const char *solver_version(Arena *arena, const char *program);

/* Does the schedule of any root follow from that of root 0, where p is a power of two? */
bool lemma_xor(const Algorithm *algorithm);

Proved prove_algorithm(const Prover *prover, const Algorithm *algorithm, bool exact);
/* Its verdict and text, by the values for which it is proved. */
void proved_for(Arena *arena, Proved *proved);
/* What the record says, without the obligations: for claims. */
Proved prove_recorded(const Prover *prover, const Algorithm *algorithm);
/* A claim of an algorithm that was proved by this prover, from those parts. */
Proved prove_claim(const Prover *prover, const Algorithm *algorithm, const Proved *proved,
                   const Claim *claim);

#endif
