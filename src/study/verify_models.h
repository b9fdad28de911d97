/* Models checked by themselves: algorithms run on real data for many numbers of ranks, and every
   claim judged against what is derived from the schedule or with the lower bound. */
#ifndef COLLCOST_STUDY_VERIFY_MODELS_H
#define COLLCOST_STUDY_VERIFY_MODELS_H

#include "sched/shapes.h"
#include "study/study.h"

/* Ranks 1 .. so many are tried where none are given. */
enum { VERIFY_RANKS = 64 };

/* Which models, and where their schedules run. */
typedef struct {
    ModelEntries entries;
    IntArray ranks;    /* in all shapes that suit an algorithm; empty: 1 .. VERIFY_RANKS */
    ShapeArray shapes; /* if there are any, then on these alone */
    bool warns;        /* of an algorithm that runs on none of them */
} VerifyTask;

/* What fails is an error in study->diag and counts in found->failed. False after a report where
   there is no verdict: a model cannot be read, a schedule is too large to be run. */
bool verify_models(const Study *study, const VerifyTask *task, collcost_verification *found);

#endif
