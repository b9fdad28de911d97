/* Models checked by themselves: algorithms run on real data for many numbers of ranks, and every
   claim judged against what is derived from the schedule or with the lower bound. */
#ifndef COLLCOST_STUDY_VERIFY_MODELS_H
#define COLLCOST_STUDY_VERIFY_MODELS_H

#include "claims/verdict.h"
#include "sched/shapes.h"
#include "study/study.h"

/* Ranks 1 .. so many are tried where none are given. */
enum { VERIFY_RANKS = 64 };

ARRAY_TYPE(ModelEntries, const ModelEntry *);

/* Which models, and where their schedules run. */
typedef struct {
    ModelEntries entries;
    IntArray ranks;    /* in all shapes that suit an algorithm; empty: 1 .. VERIFY_RANKS */
    ShapeArray shapes; /* if there are any, then on these alone */
    bool warns;        /* of an algorithm that runs on none of them */
} VerifyTask;

/* An algorithm on one shape with one root, run for some targets, chunks and orders. */
typedef struct {
    const Algorithm *algorithm;
    const Shape *shape;
    int64_t root;
    bool right;
    const char *detail; /* what is wrong; "" where it is right */
} ModelRun;
ARRAY_TYPE(ModelRuns, ModelRun);

typedef struct {
    const char *model;
    const Claim *claim;
    Verdict verdict;
} ModelClaim;
ARRAY_TYPE(ModelClaims, ModelClaim);

/* What was found about one model. */
typedef struct {
    const char *model; /* its full name */
    int64_t runs, wrong_runs;
    int64_t hold, refuted, compared; /* claims, and the comparisons made for them */
} ModelSummary;
ARRAY_TYPE(ModelSummaries, ModelSummary);

/* Lives in the study's arena. */
typedef struct {
    ModelRuns runs;
    ModelClaims claims;
    ModelSummaries models;
    int64_t passed, failed; /* runs and claims that went as the models record it, and others */
} VerifyReport;

/* Of a model that fails, one run is the counterexample: no more are made, and its claims are not
   judged. What fails is an error in study->diag and counts in report->failed. False after a report
   where there is no verdict: a model cannot be read, a schedule is too large to be run. */
bool verify_models(const Study *study, const VerifyTask *task, VerifyReport *report);

#endif
