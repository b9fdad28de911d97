#include "lang/parser.h"

#include <math.h>

enum { SEEDS = 3, MOST_FACTORS = 8, MOST_TERMS_BEFORE_DOTS = 3 };

/* The place in a term at which the terms differ, and what stands there in the others. */
typedef struct {
    Arena *arena;
    Text text;
    const Expr *of, *hole;
    const Expr *first, *last; /* there, in the first term and in the last one */
    double step;              /* or factor */
    bool is_factor;
} Pattern;

/* Some number for each name: terms that are equal for a few of them are equal. */
static double value(const Expr *expr, int seed)
{
    double a = expr->argument_count > 0 ? value(expr->arguments[0], seed) : 0;
    double b = expr->argument_count > 1 ? value(expr->arguments[1], seed) : 0;
    uint64_t hash = (uint64_t)seed;
    switch (expr->kind) {
    case EXPR_NUMBER:
        return expr->type == TYPE_INT ? (double)expr->integer : expr->real;
    case EXPR_VARIABLE:
        for (size_t i = 0; i < expr->text.length; i++)
            hash = (hash ^ (unsigned char)expr->text.chars[i]) * 0x100000001b3u;
        return 2 + (double)(hash % 9973) / 997;
    case EXPR_CALL: /* a logarithm, or brackets */
        return text_equals(expr->text, "log") ? log2(a) / (b > 0 ? log2(b) : 1) : NAN;
    case EXPR_ADD:
        return a + b;
    case EXPR_SUBTRACT:
        return a - b;
    case EXPR_NEGATE:
        return -a;
    case EXPR_MULTIPLY:
        return a * b;
    case EXPR_DIVIDE:
        return a / b;
    case EXPR_POWER:
        return pow(a, b);
    case EXPR_SQRT:
        return sqrt(a);
    default:
        return NAN;
    }
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* The least part of `a` without which it is `b`; NULL: they are the same. */
static const Expr *differ(const Expr *a, const Expr *b)
{
    const Expr *found = NULL;
    const bool is_leaf = a->argument_count == 0 || a->kind == EXPR_CALL;
    if (a->kind != b->kind || a->argument_count != b->argument_count ||
        (is_leaf && (a->integer != b->integer || a->real != b->real ||
                     (a->kind != EXPR_NUMBER && !text_same(a->text, b->text)))))
        return a;
    for (int i = 0; i < a->argument_count; i++) {
        const Expr *here = differ(a->arguments[i], b->arguments[i]);
        found = here && found ? a : here ? here : found;
    }
    return found;
}

/* What stands in `b` where `a` has the hole; NULL: they are not alike so far. */
static const Expr *counterpart(const Expr *a, const Expr *b, const Expr *hole)
{
    const Expr *found = a == hole ? b : NULL;
    if (found || a->kind != b->kind || a->argument_count != b->argument_count)
        return found;
    for (int i = 0; i < a->argument_count && !found; i++)
        found = counterpart(a->arguments[i], b->arguments[i], hole);
    return found;
}

/* The term with something else in its hole. */
static Expr *fill(const Pattern *pattern, const Expr *expr, const Expr *other)
{
    if (expr == pattern->hole || !counterpart(expr, expr, pattern->hole))
        return (Expr *)(expr == pattern->hole ? other : expr);
    Expr *copy = ARENA_COPY(pattern->arena, Expr, expr, 1);
    for (int i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = fill(pattern, expr->arguments[i], other);
    return copy;
}

/* What this term has in the hole: a factor of 1 need not be written. NULL: it is no such term. */
static const Expr *find(const Pattern *pattern, const Expr *term)
{
    const Expr *tried[] = {counterpart(pattern->of, term, pattern->hole),
                           expr_number(pattern->arena, 1, pattern->text)};
    for (int i = 0; i < 2; i++) {
        bool fits = tried[i] != NULL;
        for (int seed = 0; seed < SEEDS && fits; seed++)
            fits = is_near(value(fill(pattern, pattern->of, tried[i]), seed), value(term, seed));
        if (fits)
            return tried[i];
    }
    return NULL;
}

/* From one term to the next, in *step; false: it is no number. */
static bool is_constant(const Expr *one, const Expr *next, bool is_factor, double *step)
{
    bool is = true;
    for (int seed = 0; seed < SEEDS; seed++) {
        const double a = value(one, seed), b = value(next, seed), now = is_factor ? b / a : b - a;
        is &= seed == 0 || is_near(now, *step);
        *step = now;
    }
    return is;
}

/* A whole step, or a whole factor or one part of it. */
static bool find_step(const Expr *one, const Expr *next, bool is_factor, double *step)
{
    if (!is_constant(one, next, is_factor, step))
        return false;
    const double size = is_factor && fabs(*step) < 1 ? 1 / *step : *step;
    return isfinite(size) && fabs(size) < 1e6 && is_near(size, round(size)) &&
           (is_factor ? size > 1.5 : size != 0);
}

static bool has_power(const Expr *expr, double base)
{
    bool found = expr->kind == EXPR_POWER && expr->arguments[0]->kind == EXPR_NUMBER &&
                 value(expr->arguments[0], 0) == base;
    for (int i = 0; i < expr->argument_count && !found; i++)
        found = has_power(expr->arguments[i], base);
    return found;
}

static bool find_pattern(Pattern *pattern, Expr *const *terms, int count, const Expr *last)
{
    const Expr *in[MOST_TERMS_BEFORE_DOTS];
    double next;
    for (int i = 0; i < count; i++)
        if (!(in[i] = find(pattern, terms[i])))
            return false;
    pattern->first = in[0];
    pattern->last = find(pattern, last);
    for (int n = 0; n < 2 && pattern->last; n++) {
        /* Of two terms the last one says by a power whether it is a factor; else terms fall by
           factors. */
        const bool is_power =
            count == 2 && find_step(in[0], in[1], true, &next) &&
            (has_power(pattern->last, next) || value(terms[1], 0) < value(terms[0], 0));
        pattern->is_factor = is_power != (n == 1);
        if (find_step(in[0], in[1], pattern->is_factor, &pattern->step) &&
            (count == 2 ||
             (find_step(in[1], in[2], pattern->is_factor, &next) && is_near(next, pattern->step))))
            return true;
    }
    return false;
}

static Expr *make(const Pattern *pattern, ExprKind kind, const Expr *a, const Expr *b)
{
    return expr_make(pattern->arena, kind, pattern->text, (Expr *)a, (Expr *)b);
}

static bool is_number(const Expr *expr, int64_t number)
{
    return expr->kind == EXPR_NUMBER && expr->type == TYPE_INT && expr->integer == number;
}

/* The factors of a product, and behind them those that it is divided by. */
typedef struct {
    const Expr *items[2][MOST_FACTORS];
    int counts[2];
    bool are_too_many;
} Factors;

static void add_factors(Factors *factors, const Expr *expr, bool below)
{
    int *count = &factors->counts[below];
    const bool is_product = expr->kind == EXPR_MULTIPLY || expr->kind == EXPR_DIVIDE;
    const Expr **others = factors->items[!below];
    for (int i = 0; i < factors->counts[!below] && !is_product; i++)
        if (!differ(others[i], expr)) {
            others[i] = others[--factors->counts[!below]];
            return;
        }
    factors->are_too_many |= *count == MOST_FACTORS;
    if (is_product) {
        add_factors(factors, expr->arguments[0], below);
        add_factors(factors, expr->arguments[1], below != (expr->kind == EXPR_DIVIDE));
    } else if (*count < MOST_FACTORS)
        factors->items[below][(*count)++] = expr;
}

/* a / b, without what both have. */
static const Expr *divide(const Pattern *pattern, const Expr *a, const Expr *b)
{
    const Expr *products[2] = {NULL};
    Factors factors = {0};
    add_factors(&factors, a, false);
    add_factors(&factors, b, true);
    if (factors.are_too_many)
        return make(pattern, EXPR_DIVIDE, a, b);
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < factors.counts[n]; i++)
            products[n] = products[n]
                              ? make(pattern, EXPR_MULTIPLY, products[n], factors.items[n][i])
                              : factors.items[n][i];
    if (!products[0])
        products[0] = expr_number(pattern->arena, 1, pattern->text);
    return products[1] ? make(pattern, EXPR_DIVIDE, products[0], products[1]) : products[0];
}

/* Also as an index. */
static bool mentions(const Expr *expr, const char *name)
{
    bool found = expr->kind == EXPR_VARIABLE && text_equals(expr->text, name);
    for (int i = 0; i < expr->argument_count && !found; i++)
        found = mentions(expr->arguments[i], name);
    return found;
}

static Expr *make_sum(Pattern *pattern)
{
    static const char *const names[] = {"i", "j", "u", "v"};
    const bool falls = pattern->is_factor ? pattern->step < 1 : pattern->step < 0;
    size_t n = 0;
    while (n < 3 && (mentions(pattern->of, names[n]) || mentions(pattern->last, names[n])))
        n++;
    if (falls) {
        const Expr *first = pattern->first;
        pattern->first = pattern->last, pattern->last = first;
        pattern->step = pattern->is_factor ? 1 / pattern->step : -pattern->step;
    }
    Expr *index = expr_variable(pattern->arena, names[n], pattern->text);
    Expr *step = expr_number(pattern->arena, (int64_t)llround(pattern->step), pattern->text);
    const Expr *from = expr_number(pattern->arena, 0, pattern->text), *to, *in;
    if (pattern->is_factor) {
        const Expr *first = pattern->first, *last = pattern->last;
        const bool is_one = is_number(first, 1);
        in = make(pattern, EXPR_POWER, step, index);
        in = is_one ? in : make(pattern, EXPR_MULTIPLY, first, in);
        if (is_one && last->kind == EXPR_POWER && is_number(last->arguments[0], step->integer))
            to = last->arguments[1];
        else {
            Expr *log = make(pattern, EXPR_CALL, is_one ? last : divide(pattern, last, first),
                             is_number(step, 2) ? NULL : step);
            log->text = (Text){"log", 3, pattern->text.span, false};
            to = log;
        }
    } else if (is_number(step, 1))
        from = pattern->first, to = pattern->last, in = index;
    else {
        in = make(pattern, EXPR_ADD, pattern->first, make(pattern, EXPR_MULTIPLY, step, index));
        to = make(pattern, EXPR_DIVIDE, make(pattern, EXPR_SUBTRACT, pattern->last, pattern->first),
                  step);
    }
    Expr *sum = make(pattern, EXPR_SUM, index, from);
    sum->arguments[2] = (Expr *)to;
    sum->arguments[3] = fill(pattern, pattern->of, in);
    sum->argument_count = 4;
    return sum;
}

/* Of three terms the first may be none of the sum: then *count becomes 2. */
static Expr *sum_of(Arena *arena, Expr *const *terms, int *count, Expr *last, Text text)
{
    Pattern pattern = {.arena = arena, .text = text, .of = terms[*count - 1]};
    const Expr *places[] = {differ(pattern.of, last), differ(pattern.of, terms[*count - 2]),
                            pattern.of};
    bool is_alike = *count == 2;
    double step;
    for (int i = 0; i < 3 && places[0] && places[1]; i++) {
        pattern.hole = places[i];
        if (find_pattern(&pattern, terms, *count, last))
            return make_sum(&pattern);
        const Expr *one = find(&pattern, terms[0]), *next = find(&pattern, terms[1]);
        is_alike |= one && next &&
                    (is_constant(one, next, false, &step) || is_constant(one, next, true, &step));
    }
    return !is_alike && --*count ? sum_of(arena, terms + 1, count, last, text) : NULL;
}

Expr *dots_sum(Arena *arena, Expr *left, int terms, Expr *last, Text text, Expr **rest)
{
    Expr *items[MOST_TERMS_BEFORE_DOTS] = {left}, *before[MOST_TERMS_BEFORE_DOTS];
    const int most = terms < MOST_TERMS_BEFORE_DOTS ? terms : MOST_TERMS_BEFORE_DOTS;
    int count = most;
    for (int i = most; i-- > 0; left = before[i]) {
        const bool is_first = i == 0 && most == terms;
        before[i] = is_first ? NULL : left->arguments[0];
        items[i] = is_first ? left : left->arguments[1];
    }
    const size_t start = items[0]->text.span.offset - text.span.offset;
    text = text_behind(text, start);
    Expr *sum = most > 1 ? sum_of(arena, items, &count, last, text) : NULL;
    *rest = sum ? before[most - count] : NULL;
    return sum;
}
