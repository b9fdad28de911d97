#include "scale/scale.h"

#include <math.h>

/* Longer sums are unknown, so that no formula takes long. */
enum { MOST_TERMS = 256, MOST_POWER = 8, NO_PARAMETER = -1 };

/* factor p^p n^n (log p)^log, times a parameter */
typedef struct {
    double factor, p, n, log;
    int parameter; /* PARAMETER_COUNT: tm */
} Term;
ARRAY_TYPE(Terms, Term);

typedef struct {
    Arena *arena;
    const Shape *shape;
} Reader;

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static bool same_monomial(const Term *a, const Term *b)
{
    return near(a->p, b->p) && near(a->n, b->n) && near(a->log, b->log) &&
           a->parameter == b->parameter;
}

/* Adds to the term with the same powers, which goes where nothing is left of it. */
static bool add_term(const Reader *reader, Term term, Terms *terms)
{
    for (size_t i = 0; i < terms->count; i++)
        if (same_monomial(&terms->items[i], &term)) {
            terms->items[i].factor += term.factor;
            if (near(terms->items[i].factor, 0))
                terms->items[i] = terms->items[--terms->count];
            return true;
        }
    if (terms->count == MOST_TERMS)
        return false;
    *ARRAY_PUSH(reader->arena, terms) = term;
    return true;
}

static bool multiply(const Reader *reader, const Terms *left, const Terms *right, Terms *product)
{
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = 0; j < right->count; j++) {
            Term a = left->items[i], b = right->items[j];
            if (a.parameter != NO_PARAMETER && b.parameter != NO_PARAMETER)
                return false;
            int parameter = a.parameter != NO_PARAMETER ? a.parameter : b.parameter;
            if (!add_term(
                    reader,
                    (Term){a.factor * b.factor, a.p + b.p, a.n + b.n, a.log + b.log, parameter},
                    product))
                return false;
        }
    return true;
}

/* One term without a parameter, to a power. */
static bool raise(const Reader *reader, const Terms *base, double power, Terms *terms)
{
    const Term *term = base->items;
    if (base->count != 1 || term->parameter != NO_PARAMETER || term->factor <= 0)
        return false;
    return add_term(reader,
                    (Term){pow(term->factor, power), term->p * power, term->n * power,
                           term->log * power, NO_PARAMETER},
                    terms);
}

static bool expand_power(const Reader *reader, const Terms *base, const Terms *exponent,
                         Terms *terms)
{
    const Term constant = {.parameter = NO_PARAMETER};
    if (exponent->count != 1 || !same_monomial(&exponent->items[0], &constant))
        return false;
    double power = exponent->items[0].factor;
    if (base->count == 1)
        return raise(reader, base, power, terms);
    if (power < 1 || power > MOST_POWER || power != floor(power))
        return false;
    *terms = *base;
    for (int i = 1; i < (int)power; i++) {
        Terms longer = {0};
        if (!multiply(reader, terms, base, &longer))
            return false;
        *terms = longer;
    }
    return true;
}

/* log (c p^a) = log c + a log p */
static bool expand_logarithm(const Reader *reader, const Terms *inner, Terms *terms)
{
    if (inner->count != 1)
        return false;
    Term term = inner->items[0];
    if (term.parameter != NO_PARAMETER || term.factor <= 0 || !near(term.n, 0) ||
        !near(term.log, 0))
        return false;
    return (near(term.p, 0) || add_term(reader, (Term){term.p, 0, 0, 1, NO_PARAMETER}, terms)) &&
           (near(term.factor, 1) ||
            add_term(reader, (Term){log2(term.factor), 0, 0, 0, NO_PARAMETER}, terms));
}

static bool expand_sum(const Reader *reader, double sign, const Terms *right, Terms *terms)
{
    for (size_t i = 0; i < right->count; i++) {
        Term term = right->items[i];
        term.factor *= sign;
        if (!add_term(reader, term, terms))
            return false;
    }
    return true;
}

static bool expand_operation(const Reader *reader, const Expr *expr, Terms *left,
                             const Terms *right, Terms *terms)
{
    Terms inverse = {0};
    switch (expr->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        *terms = *left;
        return expand_sum(reader, expr->kind == EXPR_ADD ? 1 : -1, right, terms);
    case EXPR_NEGATE:
        return expand_sum(reader, -1, left, terms);
    case EXPR_MULTIPLY:
        return multiply(reader, left, right, terms);
    case EXPR_DIVIDE:
    case EXPR_QUOTIENT:
        return raise(reader, right, -1, &inverse) && multiply(reader, left, &inverse, terms);
    case EXPR_POWER:
        return expand_power(reader, left, right, terms);
    case EXPR_SQRT:
        return raise(reader, left, 1.0 / 2, terms);
    case EXPR_CBRT:
        return raise(reader, left, 1.0 / 3, terms);
    case EXPR_LOG2:
    case EXPR_CLOG2:
    case EXPR_FLOG2:
        return expand_logarithm(reader, left, terms);
    case EXPR_CEIL:
    case EXPR_FLOOR:
    case EXPR_TO_REAL:
    case EXPR_TO_WHOLE:
        *terms = *left;
        return true;
    default:
        return false;
    }
}

static bool expand(const Reader *reader, const Expr *expr, Terms *terms)
{
    Terms arguments[2] = {0};
    if (expr->kind == EXPR_VARIABLE) {
        const int slot = expr->slot, dimensions = reader->shape->count;
        Term term = {1, 0, 0, 0, NO_PARAMETER};
        if (slot == CLAIM_P)
            term.p = 1;
        else if (slot == CLAIM_N)
            term.n = 1;
        else if (slot >= CLAIM_X && slot <= CLAIM_Z) /* sizes of dimensions are roots of p */
            term.p = slot - CLAIM_X < dimensions ? 1.0 / dimensions : 0;
        else if (slot >= CLAIM_TS && slot <= CLAIM_TM)
            term.parameter = slot - CLAIM_TS;
        else if (slot != CLAIM_SIZE)
            return false;
        return add_term(reader, term, terms);
    }
    if (expr->kind == EXPR_NUMBER) {
        double value = expr->type == TYPE_INT ? (double)expr->integer : expr->real;
        return value == 0 || add_term(reader, (Term){value, 0, 0, 0, NO_PARAMETER}, terms);
    }
    if (expr_is_loop(expr) || expr->argument_count < 1 || expr->argument_count > 2)
        return false;
    for (int i = 0; i < expr->argument_count; i++)
        if (!expand(reader, expr->arguments[i], &arguments[i]))
            return false;
    return expand_operation(reader, expr, &arguments[0], &arguments[1], terms);
}

Growth growth_find(Arena *arena, const Claim *claim, const Shape *shape,
                   const double parameters[PARAMETER_COUNT], double work_power)
{
    const Reader reader = {arena, shape};
    Growth growth = {.kind = GROWTH_FOUND};
    Terms terms = {0};
    const Term work = {1, -1, work_power, 0, PARAMETER_COUNT}; /* serial, shared by all ranks */
    if (!expand(&reader, program_expr(claim->formula.program), &terms))
        return (Growth){.kind = GROWTH_UNKNOWN};
    for (size_t i = 0; i < terms.count && growth.kind == GROWTH_FOUND; i++) {
        const Term *term = &terms.items[i];
        const double rest = work_power - term->n;
        double power = term->p + 1; /* which it asks for, as a term of the overhead */
        if (term->parameter == NO_PARAMETER)
            growth.kind = GROWTH_UNKNOWN;
        if (term->parameter == NO_PARAMETER || same_monomial(term, &work) ||
            (term->parameter < PARAMETER_COUNT && !(parameters[term->parameter] > 0)) ||
            power < -1e-9 || (near(power, 0) && term->log < 1e-9))
            continue;
        if (rest < 1e-9) {
            growth.kind = GROWTH_NEVER;
            continue;
        }
        power *= work_power / rest;
        const double logarithm = term->log * work_power / rest;
        const bool equal = near(power, growth.power) && near(logarithm, growth.logarithm);
        if (!equal && (power < growth.power - 1e-9 ||
                       (near(power, growth.power) && logarithm < growth.logarithm)))
            continue;
        if (!equal)
            growth = (Growth){growth.kind, power, logarithm, {false}};
        growth.decides[term->parameter] = true;
    }
    return growth;
}

const char *growth_describe(Arena *arena, const Growth *growth)
{
    if (growth->power < 1e-9 && growth->logarithm < 1e-9)
        return "nothing at all";
    const char *text = near(growth->power, 1) ? "p" : arena_printf(arena, "p^%.4g", growth->power);
    const char *link = ", by ";
    if (growth->logarithm > 0)
        text = near(growth->logarithm, 1)
                   ? arena_printf(arena, "%s log p", text)
                   : arena_printf(arena, "%s (log p)^%.4g", text, growth->logarithm);
    for (int i = 0; i <= PARAMETER_COUNT; i++)
        if (growth->decides[i]) {
            text = arena_printf(arena, "%s%s%s", text, link,
                                i < PARAMETER_COUNT ? parameter_info[i].name : "tm");
            link = " and ";
        }
    return text;
}
