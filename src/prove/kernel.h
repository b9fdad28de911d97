/* Expressions of models as terms, for any number of ranks.

   Powers R^e are opaque: n >= 1, where e is a loop's index or a logarithm of p. A chain holds n, R
   n, R^2 n, ...; a number is split at a level as x = A + rest, 0 <= rest < N, A a multiple of N,
   and of two multiples of N it is known that they are equal, a few N apart, or more. What has no
   such translation is unsupported: then nothing is proved. */
#ifndef COLLCOST_PROVE_KERNEL_H
#define COLLCOST_PROVE_KERNEL_H

#include "model/algorithm.h"
#include "prove/term.h"

/* How power_of_two(p) is read where an algorithm goes another way there. */
typedef enum { RANKS_ANY, RANKS_OTHERS, RANKS_POWERS } RankCase;

/* N = unit * base^place of a chain. */
typedef struct PowerLevel {
    const Term *value;
    struct Chain *chain;
    int place;
    TermArray parts, wholes;     /* parts[i] split at it: wholes[i] */
    TermArray factors, products; /* products[i] is factors[i] * value */
} PowerLevel;

enum { MOST_PLACES = 8 };

/* base^(exponent + shift), and powers above. */
typedef struct Chain {
    const Term *exponent, *unit;
    int64_t base;
    int shift;
    PowerLevel *levels[MOST_PLACES + 1];
    struct Chain *divides; /* all levels up to that place divide the unit of this chain; or NULL */
    int divides_to;
} Chain;

ARRAY_TYPE(ChainArray, Chain *);

typedef struct Kernel {
    Arena *arena;
    Terms *terms;
    const Algorithm *algorithm;
    int64_t branches, ports;
    RankCase ranks;
    int64_t p_base; /* p is a power of it; 0: any number */
    const Term *p;
    ChainArray chains;
    bool asks_powers; /* power_of_two(p) is asked for, with RANKS_ANY */
    int64_t least_p;  /* with fewer ranks than that min(d + 1, p) is p */
    const char *why;  /* what is unsupported; NULL: nothing so far */
} Kernel;

/* What the names of an expression mean. */
typedef struct {
    const Term *slots[MOST_SLOTS];
    const Expr *lets[MOST_SLOTS];
} Env;

Kernel *kernel_create(Arena *arena, const Algorithm *algorithm, RankCase ranks, int64_t branches,
                      int64_t ports, int64_t least_p);
/* p, d, radix; the root, if it has one (0 with RANKS_POWERS, else any); the names of `let`. */
Env kernel_env(Kernel *kernel);
/* Notes why, once; what is returned stands for anything. */
const Term *kernel_refuse(Kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void kernel_lets(Env *env, const LetList *lets);
/* A number or a condition, by the type of the expression. */
const Term *kernel_translate(Kernel *kernel, const Env *env, const Expr *expr);
const Term *kernel_formula(Kernel *kernel, const Env *env, const Formula *formula);
const Term *kernel_xor(Kernel *kernel, const Term *a, const Term *b);
const Term *kernel_program(Kernel *kernel, const Env *env, const Program *program);
const Term *kernel_modulo(Kernel *kernel, const Term *a, const Term *divisor);
const Term *kernel_quotient(Kernel *kernel, const Term *a, const Term *divisor);
const Term *kernel_product(Kernel *kernel, const Term *a, const Term *b);
/* The term with variables replaced. */
const Term *kernel_substitute(Kernel *kernel, const Term *term, const TermArray *from,
                              const TermArray *to);
/* The least e with base^e >= x, or the largest with base^e <= x. */
const Term *kernel_log(Kernel *kernel, int64_t base, bool up, const Term *x);
/* base^exponent, if it can be said. */
const Term *kernel_power(Kernel *kernel, int64_t base, const Term *exponent);
/* The digit of x that a power of the base stands for: x div base^exponent mod base. */
const Term *kernel_digit(Kernel *kernel, const Term *x, const Term *power);
/* Is the atom, so many times, a multiple of the level's value? */
bool level_divides(const PowerLevel *level, const Term *atom, int64_t factor);

#endif
