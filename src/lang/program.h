/* Checked expressions, compiled once and evaluated for many points at a time.

   A program runs over blocks of some thousand lanes, so that every step is a loop over arrays
   which the compiler turns into vector code. A lane is a rank, a message or a point of a grid.
   Uniform variables (p, ts) hold one value for all lanes, varying ones (r, m) one for each. */
#ifndef COLLCOST_LANG_PROGRAM_H
#define COLLCOST_LANG_PROGRAM_H

#include "lang/expr.h"

typedef struct Program Program;

/* `expr` must have been checked in `scope`. A program that asks for blocks of circulant graphs adds
   them to `arena` when it runs, so the arena must not go back to an earlier mark while the program
   is used. */
Program *program_compile(Arena *arena, const Expr *expr, const Scope *scope);

/* The program of a text that is known to be right in `scope`, whose names stay in place: it is
   parsed, checked and compiled when it is first needed. program_expr is NULL where it was wrong
   after all. */
Program *program_defer(Arena *arena, Text text, const Scope *scope, Type type, Dimension dimension);

/* Does the value differ from lane to lane? And its tree. */
bool program_varies(const Program *program);
const Expr *program_expr(const Program *program);
/* The slots of the variables that it reads, a bit each; NULL reads none. */
uint64_t program_reads(const Program *program);
/* The names of its slots. */
const Scope *program_scope(const Program *program);

/* Evaluates `count` lanes into `out`: int64_t for whole numbers and conditions (0 or 1), double
   for reals. slots[i] points to the value of variable i (int64_t or double), or to `count` values
   if it varies; slots that the expression does not use may be NULL. False after a report that
   names the place, the reason and the variables of the first lane that has no value (overflow,
   division by zero, not whole, infinite). */
bool program_run(Program *program, const void *const *slots, size_t count, void *out, Diag *diag);
/* The same without a report: have all lanes a value? */
bool program_try(Program *program, const void *const *slots, size_t count, void *out);

/* One value for programs in which nothing varies. */
bool program_run_int(Program *program, const void *const *slots, int64_t *value, Diag *diag);

#endif
