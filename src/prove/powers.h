/* What the translation of a program knows, and powers R^e in it: opaque numbers in chains n, R n,
   R^2 n, ... (prove/kernel.h). */
#ifndef COLLCOST_PROVE_POWERS_H
#define COLLCOST_PROVE_POWERS_H

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
    int64_t branches, ports;
    RankCase ranks;
    int64_t p_base; /* p is a power of it; 0: any number */
    const Term *p;
    ChainArray chains;
    const Term *root, *target, *chunks; /* any; NULL: not named yet */
    bool asks_powers;                   /* power_of_two(p) is asked for, with RANKS_ANY */
    bool tests_powers;                  /* it is then the condition that p is 2^flog2(p) */
    int64_t least_p;                    /* with fewer ranks than that min(d + 1, p) is p */
    int64_t most_work;
    const char *why; /* what is unsupported; NULL: nothing so far */
} Kernel;

/* Notes why, once; what is returned stands for anything. */
const Term *kernel_refuse(Kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Has it refused, or worked for too long, which is refused now? */
bool kernel_is_tired(Kernel *kernel);
/* The least e with base^e >= x, or the largest with base^e <= x. */
const Term *kernel_log(Kernel *kernel, int64_t base, bool up, const Term *x);
/* base^exponent, if it can be said. */
const Term *kernel_power(Kernel *kernel, int64_t base, const Term *exponent);
/* The power that stands so many places above the unit of its chain; NULL: below all of the loop. */
PowerLevel *kernel_level_at(Kernel *kernel, Chain *chain, int place);
/* The power with this value, if there is one. */
PowerLevel *kernel_find_level(const Kernel *kernel, const Term *value);
/* Is the atom, so many times, a multiple of the level's value? */
bool level_divides(const PowerLevel *level, const Term *atom, int64_t factor);

#endif
