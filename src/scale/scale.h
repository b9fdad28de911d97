/* What a parallel product costs, and how it scales: times, work and memory for n and p.

   With T_1 the time of the serial product, and T_p that on p ranks:
     speedup S = T_1 / T_p,  efficiency E = S / p,  cost p T_p,  overhead p T_p - T_1.
   Work counts operations: a multiply-add is two, combining an element one. With loads and stores, a
   multiply-add has four more (c += a b), combining three, and an element that is sent two. So
   W_p - W_1 is what combining and moving add, since all multiply as often together as one would. */
#ifndef COLLCOST_SCALE_SCALE_H
#define COLLCOST_SCALE_SCALE_H

#include "collcost.h"
#include "cost/derive_profile.h"
#include "model/claim.h"
#include "model/shape.h"
#include "sched/schedule.h"

typedef struct {
    const Algorithm *algorithm; /* of a problem */
    const Network *network;
    const Rules *rules;
    double multiply; /* tm */
    double element;  /* bytes */
    bool counts_loads;
} ScaleCase;

/* The time is that of a compared claim, where one covers the case and p cuts all arrays evenly;
   work and memory are derived from the schedule, unless ranks or blocks are so many that they stay
   unknown. Rules, growth and the names stay empty. False after a report: also where claim and
   derivation differ. */
bool scale_point(const ScaleCase *scale, int64_t n, collcost_product *point, Diag *diag);
/* The time alone, in seconds, in the same way. */
bool scale_time(const ScaleCase *scale, int64_t n, double *seconds, Diag *diag);
/* Is the efficiency at least `wanted`? False after a report. */
bool scale_reaches(const ScaleCase *scale, int64_t n, double wanted, bool *reached, Diag *diag);
/* The claim that gives the time; NULL: there is none. All algorithms cut n = p evenly. */
const Claim *scale_claim(const ScaleCase *scale, int64_t n);
/* w, where the serial work grows as n^w; NAN where it is not known. */
double scale_work_power(const ScaleCase *scale);
/* The smallest n up to `largest` at which the efficiency is at least `wanted`, if it rises with n;
   0: there is none. False after a report. */
bool scale_order(const ScaleCase *scale, double wanted, int64_t largest, collcost_product *point,
                 int64_t *n, Diag *diag);
/* The smallest n at which the efficiency is at least `wanted` among those that p cuts evenly,
   sought from `near` on; 0: there is none near. (Uneven cuts cost more, by chance.) False after a
   report. */
bool scale_even_order(const ScaleCase *scale, double wanted, int64_t near, int64_t *n, Diag *diag);

/* The least that a product can take on a network, for any n, without the cost of its rounds: of
   each round the startup, one message as if it were alone, and what one rank multiplies. It costs a
   few blocks a round, where a derivation looks at all messages on all their links. */

typedef struct LeastTime LeastTime;

/* Follows the rounds once, until their startups alone take more than `most` seconds. Where nothing
   is known of the time that way, the least time is 0. It lives as long as `arena`. */
LeastTime *least_time_open(Arena *arena, const ScaleCase *scale, double most);
/* In seconds. */
double least_time_seconds(const LeastTime *least, int64_t n);

/* How fast the work of a product must grow with p to keep its efficiency: the order of the
   isoefficiency function, read off a closed form.

   Each term c p^a (log p)^l n^b of a time T adds p times that to the overhead p T - T_1. Work
   W ~ n^w keeps up with it where

       n^w ~ p^(a + 1) (log p)^l n^b,   so   W ~ (p^(a + 1) (log p)^l)^(w / (w - b)),

   and the term that asks for most decides (Grama, Gupta and Kumar, Isoefficiency, IEEE Parallel &
   Distributed Technology 1(3), 1993). */

typedef enum {
    GROWTH_UNKNOWN, /* the formula is no sum of such terms */
    GROWTH_NEVER,   /* no n keeps the efficiency */
    GROWTH_FOUND
} GrowthKind;

typedef struct {
    GrowthKind kind;
    double power, logarithm;           /* W ~ p^power (log p)^logarithm */
    bool decides[PARAMETER_COUNT + 1]; /* whose terms grow like that; the last one is tm */
} Growth;

/* Of a claim about a time, on networks of this shape that grow alike along all dimensions.
   Parameters that are 0 count for nothing; the work is n^`work_power`. */
Growth growth_find(Arena *arena, const Claim *claim, const Shape *shape,
                   const double parameters[PARAMETER_COUNT], double work_power);
/* "p^1.5 log p, by tw" */
const char *growth_describe(Arena *arena, const Growth *growth);

#endif
