/* What a verdict says, about whose claims, and where they are judged. */
#ifndef COLLCOST_CLAIMS_VERDICT_H
#define COLLCOST_CLAIMS_VERDICT_H

#include "cost/claim.h"
#include "model/topology.h"
#include "sched/store.h"

/* A point of the grid. */
typedef struct {
    Shape shape;
    ClaimPoint point;
    Switching switching;
} VerdictPlace;

typedef struct {
    bool holds;
    bool fails_alone;           /* refuted by one rank alone: with more it holds, or is not said */
    int64_t cases;              /* comparisons made */
    int64_t sizes, largest_p;   /* of times: how many numbers of ranks above 1, and the last */
    const char *counterexample; /* NULL where it holds; else "ring, p = 3: claimed X, derived Y".
                                   One rank is shown only where nothing else fails. */
    const char *claimed;        /* X; and where it is */
    VerdictPlace place;
} Verdict;

/* Whose claims are judged: one of these, others NULL. */
typedef struct {
    const Algorithm *algorithm;
    const Collective *collective;
    const Topology *topology;
    ScheduleStore *schedules; /* of the algorithm, expanded before; NULL: there are none */
} VerdictSubject;

/* Where they are judged. What is given narrows the grid. */
typedef struct {
    int64_t least_p, largest_p;
    const Topology *on;  /* NULL: all topologies of which claims speak */
    const Shape *shapes; /* of `on`; NULL: all up to largest_p */
    size_t shape_count;
    int64_t ports;              /* 0: 1, 2, 3 and one for each link */
    int64_t root;               /* -1: some */
    int64_t target;             /* -1: some */
    int switching;              /* -1: both that claims can speak of */
    bool asynchronous, overlap; /* conventions of the derivation; by default neither */
} VerdictGrid;

VerdictGrid verdict_grid_up_to(int64_t largest_p);
/* The rules at a place of the grid. */
Rules verdict_rules(const VerdictGrid *grid, int64_t ports, Switching switching);
const ClaimList *verdict_claims(const VerdictSubject *subject);

#endif
