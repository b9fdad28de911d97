/* Two algorithms of a collective on one network at one size: which is the faster, what each pays,
   and the rounds that make the difference. */
#ifndef COLLCOST_STUDY_EXPLANATION_H
#define COLLCOST_STUDY_EXPLANATION_H

#include "choose/comparison.h"
#include "study/case.h"
#include "study/explain_rounds.h"

/* Of a time; the others add up to the total, contention being what messages lose by sharing links.
 */
typedef enum {
    PART_STARTUP,
    PART_HOP,
    PART_TRANSFER,
    PART_CONTENTION,
    PART_COMPUTE,
    PART_TOTAL,
    PART_COUNT
} ExplainedPart;

typedef struct {
    Case *opened; /* of this algorithm alone */
    const Algorithm *algorithm;
    CurveCost cost;
    double parts[PART_COUNT]; /* seconds; contention is NAN where it is not known */
} ExplainedSide;

/* Not copied: the comparison points into it. */
typedef struct {
    double bytes;
    ExplainedSide sides[2];
    int order;       /* -1: the first is faster, 1: the second, 0: they cost the same */
    bool is_wrong;   /* one of them is, which was reported: nothing below is filled */
    bool has_rounds; /* both are short enough to be followed round by round, under barriers */
    RoundFacts rounds[2];
    Comparison comparison; /* of both: for break_evens_find */
} Explanation;

/* Both algorithms are for one collective, and must run on the network. False after a report. */
bool explanation_find(const Study *study, const Algorithm *const algorithms[2],
                      const Topology *topology, const Shape *shape, double bytes,
                      Explanation *explanation);
/* Is the difference of two times of one part rounding? */
bool explanation_is_same(const Explanation *explanation, ExplainedPart part);

#endif
