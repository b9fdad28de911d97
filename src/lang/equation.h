/* Equations as papers print them: formulas (lang/informal.h) with what is around them.

       $$T_{ring} = (t_s + mt_w)(p - 1). \quad (1)$$       t_s + 2^{i-1}mt_w in step i
       T \approx \log p\,(t_s + mt_w)                      T = \sum_{i=1}^{k} i m t_w = k(k+1)/2 m
   t_w

   A name in front, punctuation, remarks, numbers and labels after it say nothing about the formula,
   but for a condition on the ranks. */
#ifndef COLLCOST_LANG_EQUATION_H
#define COLLCOST_LANG_EQUATION_H

#include "lang/equation_remark.h"

typedef struct {
    Text name; /* "T_P" in front of the first sign; empty: there is none */
    Text step; /* "i" of "in step i"; empty: there is none */
    EquationParts parts;
    Text growth;     /* "O(p)" that ends them, of which nothing is read; empty: there is none */
    Text remark;     /* behind them, where nothing of it is understood; empty: there is none */
    TextArray said;  /* remarks elsewhere: in brackets, before them, in the name */
    Expr *condition; /* "p > 1" of remarks; NULL: there is none */
} Equation;

/* `text` must be verbatim; without letters every name counts as one. False after a report. */
bool equation_read(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                   Diag *diag);

#endif
