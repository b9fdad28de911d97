/* Ways of many senders over links of limited capacity, mixed so that the fullest link is as empty
   as can be: a linear program, solved by GLPK where configure has found it.

       least T with   sum over paths w of sender s: share(w)            = 1             for each s
                      sum over all paths w: share(w) load(w, e)        <= T capacity(e) for each e

   Its dual weighs links, with capacity(e) weight(e) adding up to 1: no paths are shorter, by these
   weights, than T in all. So new paths that are the shortest ones make the mix better, until they
   are as long as that: then the weights prove T (Dantzig and Wolfe, Operations Research 8(1),
   1960). Doubles throughout: what follows from the weights is computed from them afresh. */
#ifndef COLLCOST_BOUND_LINEAR_PROGRAM_H
#define COLLCOST_BOUND_LINEAR_PROGRAM_H

#include "base/arena.h"

typedef struct RouteMix RouteMix;

/* False if collcost was built without GLPK or cannot load it: then nothing below may be called. */
bool route_mix_exists(void);

/* To be closed by the thread that opened it. capacities[e] > 0 of link e. */
RouteMix *route_mix_open(Arena *arena, const double *capacities, size_t links, size_t senders);
void route_mix_close(RouteMix *mix);
/* One more path for all that the sender sends: loads[e] of it cross link e. */
void route_mix_add(RouteMix *mix, size_t sender, const double *loads);
/* T, and the weight of each link. Every sender must have a path. False where the solver gives up,
   as it does after some seconds' work in all. */
bool route_mix_solve(RouteMix *mix, double *fullest, double *weights);

#endif
