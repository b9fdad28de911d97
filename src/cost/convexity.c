#include "cost/convexity.h"

#include "model/claim.h"

#include <math.h>

enum { LEAST_POWER = -2, POWERS = 5 };

/* A sum of terms c k^e: between which numbers each c is. */
typedef struct {
    double low[POWERS], high[POWERS];
} Terms;

static bool find_terms(const Expr *expr, Terms *terms);

static bool single(int power, double low, double high, Terms *terms)
{
    *terms = (Terms){.low = {0}};
    terms->low[power - LEAST_POWER] = low;
    terms->high[power - LEAST_POWER] = high;
    return true;
}

static bool is_none(const Terms *terms, int at)
{
    return terms->low[at] == 0 && terms->high[at] == 0;
}

static void add_terms(const Terms *more, bool negated, Terms *terms)
{
    for (int i = 0; i < POWERS; i++) {
        terms->low[i] += negated ? -more->high[i] : more->low[i];
        terms->high[i] += negated ? -more->low[i] : more->high[i];
    }
}

/* 0 * infinity is 0. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static bool multiply_terms(const Terms *a, const Terms *b, Terms *terms)
{
    Terms all = {.low = {0}};
    for (int i = 0; i < POWERS; i++)
        for (int j = 0; j < POWERS; j++) {
            int at = i + j + LEAST_POWER;
            if (is_none(a, i) || is_none(b, j))
                continue;
            if (at < 0 || at >= POWERS)
                return false;
            double ends[] = {product(a->low[i], b->low[j]), product(a->low[i], b->high[j]),
                             product(a->high[i], b->low[j]), product(a->high[i], b->high[j])};
            all.low[at] += fmin(fmin(ends[0], ends[1]), fmin(ends[2], ends[3]));
            all.high[at] += fmax(fmax(ends[0], ends[1]), fmax(ends[2], ends[3]));
        }
    *terms = all;
    return true;
}

/* Of one term, which is not negative. */
static bool invert_terms(Terms *terms)
{
    int count = 0, at = 0;
    for (int i = 0; i < POWERS; i++)
        if (!is_none(terms, i))
            count++, at = i;
    return count == 1 && terms->low[at] >= 0 &&
           single(-(at + LEAST_POWER), 1 / terms->high[at], 1 / terms->low[at], terms);
}

static bool find_operation(const Expr *expr, Terms *terms)
{
    Terms second = {.low = {0}};
    if (!find_terms(expr->arguments[0], terms) ||
        (expr->argument_count > 1 && !find_terms(expr->arguments[1], &second)))
        return false;
    switch (expr->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        add_terms(&second, expr->kind == EXPR_SUBTRACT, terms);
        return true;
    case EXPR_MULTIPLY:
        return multiply_terms(terms, &second, terms);
    case EXPR_DIVIDE:
        return expr->type == TYPE_REAL && invert_terms(&second) &&
               multiply_terms(terms, &second, terms);
    case EXPR_TO_REAL:
        return true;
    default:
        return false;
    }
}

static bool find_terms(const Expr *expr, Terms *terms)
{
    if (expr->kind == EXPR_NUMBER) {
        double value = expr->type == TYPE_REAL ? expr->real : (double)expr->integer;
        return single(0, value, value, terms);
    }
    if (expr->kind == EXPR_VARIABLE) {
        bool is_size = expr->slot == CLAIM_SIZE || expr->slot == CLAIM_BUFFER;
        bool is_parameter = expr->slot >= CLAIM_TS && expr->slot < CLAIM_TS + (int)PARAMETER_COUNT;
        return expr->slot == CLAIM_K ? single(1, 1, 1, terms)
                                     : (is_size || is_parameter) && single(0, 0, INFINITY, terms);
    }
    return !expr_is_loop(expr) && expr->argument_count > 0 && find_operation(expr, terms);
}

bool formula_is_convex(const Expr *formula)
{
    Terms terms;
    bool convex = find_terms(formula, &terms);
    for (int i = 0; convex && i < POWERS; i++)
        convex = terms.low[i] >= 0 || i + LEAST_POWER == 0 || i + LEAST_POWER == 1;
    return convex;
}
