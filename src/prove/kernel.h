/* Expressions of models as terms, for any number of ranks.

   Powers R^e are opaque: n >= 1, where e is a loop's index or a logarithm of p. A chain holds n, R
   n, R^2 n, ...; a number is split at a level as x = A + rest, 0 <= rest < N, A a multiple of N,
   and of two multiples of N it is known that they are equal, a few N apart, or more. What has no
   such translation is unsupported: then nothing is proved. */
#ifndef COLLCOST_PROVE_KERNEL_H
#define COLLCOST_PROVE_KERNEL_H

#include "prove/powers.h"

/* What the names of an expression mean. */
typedef struct {
    const Term *slots[MOST_SLOTS];
    const Expr *lets[MOST_SLOTS];
} Env;

Kernel *kernel_create(Arena *arena, RankCase ranks, int64_t branches, int64_t ports,
                      int64_t least_p);
/* p, d, radix; the root, if it has one (0 with RANKS_POWERS, else any); the names of `let`. */
Env kernel_env(Kernel *kernel, const Algorithm *algorithm, RankCase ranks);
/* What the names of the schedule's first slots are, made when it is first asked for. */
const Term *kernel_root(Kernel *kernel);
const Term *kernel_target(Kernel *kernel);
const Term *kernel_chunks(Kernel *kernel);
void kernel_lets(Env *env, const LetList *lets);
/* Past conversions between whole and real numbers. */
const Expr *expr_bare(const Expr *expr);
/* A number or a condition, by the type of the expression. */
const Term *kernel_translate(Kernel *kernel, const Env *env, const Expr *expr);
const Term *kernel_xor(Kernel *kernel, const Term *a, const Term *b);
/* True where there is none. */
const Term *kernel_program(Kernel *kernel, const Env *env, const Program *program);
const Term *kernel_modulo(Kernel *kernel, const Term *a, const Term *divisor);
const Term *kernel_quotient(Kernel *kernel, const Term *a, const Term *divisor);
const Term *kernel_product(Kernel *kernel, const Term *a, const Term *b);
/* The term with variables replaced. */
const Term *kernel_substitute(Kernel *kernel, const Term *term, const TermArray *from,
                              const TermArray *to);
/* The largest power of two that divides x, which is at least 1. */
const Term *kernel_lowest_bit(Kernel *kernel, const Term *x);
/* The digit of x that a power of the base stands for: x div base^exponent mod base. */
const Term *kernel_digit(Kernel *kernel, const Term *x, const Term *power);

#endif
