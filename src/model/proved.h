/* What is proved of built-in algorithms for all numbers of ranks, as models/proofs.yaml records it.

   A record is about the texts from which the proof was made. Where one of them has changed since,
   or the program makes other obligations, there is no record. */
#ifndef COLLCOST_MODEL_PROVED_H
#define COLLCOST_MODEL_PROVED_H

#include "model/algorithm.h"

/* Changes when obligations mean something else. */
#define PROVE_KERNEL "2"

typedef struct {
    const char *verdict;    /* "proved for all p", "not proved" */
    bool is_proved, is_all; /* for something; for all p that the algorithm allows */
    const char *why;
    const char *by; /* the solvers, with their versions */
    int obligations;
    const char *hash;  /* of each obligation, "" if none */
    const Node *cases; /* with which invariants; NULL: made from other proofs */
    const Node *claims;
} ProofRecord;

/* What is proved of a claim. */
typedef struct {
    const char *verdict;
    bool is_proved, is_all;
    int obligations;
    const char *hash; /* of its obligations; or why it is not proved */
} ClaimRecord;

/* NULL: none that is about this algorithm, as it is now. */
const ProofRecord *proof_record(Arena *arena, const Algorithm *algorithm);
/* NULL: the claim, as it is now, is not in the record. */
const ClaimRecord *proof_claim(Arena *arena, const ProofRecord *record, const Claim *claim);
/* By what a record knows a claim: all that it says, and of what. */
const char *proof_claim_id(Arena *arena, const Claim *claim);
/* The hash of all that a proof reads. */
const char *proof_text_hash(Arena *arena, const Algorithm *algorithm);

#endif
