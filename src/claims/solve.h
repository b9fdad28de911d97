/* Equations about what follows from a time, solved for it.

       S = W / T, E = S / p, T_o = p T - W, C = p T      of products; W multiply-adds are the work
       B = S / t * 2 (n - 1) / n                         a bandwidth; algbw is S / t */
#ifndef COLLCOST_CLAIMS_SOLVE_H
#define COLLCOST_CLAIMS_SOLVE_H

#include "lang/equation.h"
#include "model/algorithm.h"

/* Puts formulas of the time in place of those of the equation, and returns what they were of, "the
   speedup"; NULL: of the time. */
const char *solve_for_time(Arena *arena, const Algorithm *algorithm, InformalLetters *letters,
                           Equation *equation);

#endif
