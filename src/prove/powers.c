#include "prove/powers.h"

#include <inttypes.h>

const Term *kernel_refuse(Kernel *kernel, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!kernel->why)
        kernel->why = arena_vprintf(kernel->arena, format, arguments);
    va_end(arguments);
    return term_int(kernel->terms, 0);
}

bool kernel_is_tired(Kernel *kernel)
{
    if (kernel->terms->work > kernel->most_work)
        kernel_refuse(kernel, "more work than is allowed");
    return kernel->why;
}

static Chain *find_chain(const Kernel *kernel, const Term *exponent, int64_t base)
{
    for (size_t i = 0; i < kernel->chains.count; i++)
        if (kernel->chains.items[i]->exponent == exponent && kernel->chains.items[i]->base == base)
            return kernel->chains.items[i];
    return NULL;
}

/* Is the variable such a logarithm? */
static bool is_log(const Term *variable, int64_t base)
{
    const Term *definition = variable->variable ? variable->variable->definition : NULL;
    return definition && definition->value == base &&
           (definition->kind == TERM_CEIL_LOG || definition->kind == TERM_FLOOR_LOG);
}

/* Or one to a smaller base, of which a power is the larger? */
static bool is_larger_log(const Term *variable, int64_t base)
{
    const Term *definition = variable->variable ? variable->variable->definition : NULL;
    return definition && definition->kind == TERM_CEIL_LOG && definition->value < base;
}

const Term *kernel_log(Kernel *kernel, int64_t base, bool up, const Term *x)
{
    Terms *terms = kernel->terms;
    if (x->least < 1 || base < 2)
        return kernel_refuse(kernel, "a logarithm of what may be below 1");
    const bool whole = kernel->p_base == base && x == kernel->p; /* both are the same */
    const Term *log = term_defined(
        terms, "log",
        term_operation(terms, up && !whole ? TERM_CEIL_LOG : TERM_FLOOR_LOG, base, x, NULL),
        arena_printf(kernel->arena, "the %s whole number with %" PRId64 "^log %s",
                     up && !whole ? "least" : "largest", base, up && !whole ? ">=" : "<="));
    if (!log->variable->axioms.count) {
        term_axiom(terms, log, term_le(terms, term_int(terms, 0), log));
        ((Term *)log)->least = 0;
        const Term *two = term_le(terms, term_int(terms, up && !whole ? 2 : base), x);
        term_axiom(terms, log, term_same(terms, two, term_le(terms, term_int(terms, 1), log)));
        term_axiom(terms, log, term_less(terms, log, x));
    }
    return log;
}

PowerLevel *kernel_level_at(Kernel *kernel, Chain *chain, int place)
{
    const int index = place - chain->shift;
    if (index < 0 || index >= MOST_PLACES)
        return NULL;
    int64_t factor = 1;
    for (int i = 0; i < index; i++)
        factor *= chain->base;
    if (!chain->levels[index]) {
        PowerLevel *level = ARENA_NEW(kernel->arena, PowerLevel);
        *level = (PowerLevel){.value = term_times(kernel->terms, chain->unit, factor),
                              .chain = chain,
                              .place = place};
        chain->levels[index] = level;
    }
    return chain->levels[index];
}

/* The unit of a logarithm of x: the powers next to x. */
static void describe_top(Kernel *kernel, Chain *chain)
{
    Terms *terms = kernel->terms;
    const Term *n = chain->unit, *one = term_int(terms, 1);
    if (chain->shift == 1) {
        term_axiom(terms, n, term_le(terms, kernel->p, n));
        return;
    }
    const Term *definition = chain->exponent->variable->definition, *x = definition->arguments[0];
    if (definition->value < chain->base) {
        term_axiom(terms, n, term_le(terms, x, n));
    } else if (definition->kind == TERM_CEIL_LOG) {
        const Term *less = term_less(terms, n, term_times(terms, x, chain->base));
        term_axiom(terms, n, term_le(terms, x, n));
        term_axiom(terms, n, term_or(terms, term_equal(terms, n, one), less));
    } else {
        term_axiom(terms, n, term_le(terms, n, x));
        term_axiom(terms, n, term_less(terms, x, term_times(terms, n, chain->base)));
    }
}

/* The unit of a loop's index i, which ends at a logarithm, or a little before or after it. */
static void describe_loop(Kernel *kernel, Chain *chain)
{
    Terms *terms = kernel->terms;
    const Term *high = chain->exponent->variable->high;
    if (!high)
        return;
    const bool is_form = high->kind == TERM_LINEAR;
    const Term *log = is_form && high->count == 1 ? high->arguments[0] : high;
    const int64_t above = is_form ? high->value : 0;
    if (is_form && (high->count != 1 || high->coefficients[0] != 1))
        return;
    if (!is_log(log, chain->base) || above < -3 || above > 0)
        return;
    const Term *top = kernel_power(kernel, chain->base, log);
    const Term *definition = log->variable->definition;
    const PowerLevel *last = kernel_level_at(kernel, chain, (int)-above);
    chain->divides = find_chain(kernel, log, chain->base);
    chain->divides_to = (int)-above;
    if (last)
        term_axiom(terms, chain->unit, term_le(terms, last->value, top));
    const PowerLevel *below = kernel_level_at(kernel, chain, (int)-above - 1);
    if (below && definition->kind == TERM_CEIL_LOG) {
        const Term *larger = term_less(terms, below->value, definition->arguments[0]);
        term_axiom(terms, chain->unit,
                   term_or(terms, term_equal(terms, top, term_int(terms, 1)), larger));
    }
}

static Chain *new_chain(Kernel *kernel, const Term *exponent, int64_t base)
{
    Terms *terms = kernel->terms;
    Chain *chain = ARENA_NEW(kernel->arena, Chain);
    const bool is_loop = exponent->variable && !exponent->variable->definition;
    *chain = (Chain){.exponent = exponent, .base = base};
    if (is_loop && exponent->least >= 1)
        chain->shift = -1;
    if (exponent->kind == TERM_DIV)
        chain->shift = 1;
    *ARRAY_PUSH(kernel->arena, &kernel->chains) = chain;
    if (kernel->p_base == base && exponent == kernel_log(kernel, base, true, kernel->p)) {
        chain->unit = kernel->p;
        kernel_level_at(kernel, chain, 0);
        return chain;
    }
    const Term *power =
        term_operation(terms, TERM_POWER, base, term_plus(terms, exponent, chain->shift), NULL);
    chain->unit = term_defined(terms, is_loop ? "n" : "top", power, NULL);
    term_axiom(terms, chain->unit, term_le(terms, term_int(terms, 1), chain->unit));
    ((Term *)chain->unit)->least = 1;
    kernel_level_at(kernel, chain, chain->shift);
    if (is_loop)
        describe_loop(kernel, chain);
    else
        describe_top(kernel, chain);
    return chain;
}

const Term *kernel_power(Kernel *kernel, int64_t base, const Term *exponent)
{
    int64_t value, power = 1;
    if (term_is_int(exponent, &value)) {
        for (int64_t i = 0; i < value; i++)
            if (__builtin_mul_overflow(power, base, &power))
                return kernel_refuse(kernel, "a large power");
        return value < 0 ? kernel_refuse(kernel, "a power with a negative exponent")
                         : term_int(kernel->terms, power);
    }
    const Term *atom = exponent;
    if (exponent->kind == TERM_LINEAR) {
        if (exponent->count != 1 || exponent->coefficients[0] != 1)
            return kernel_refuse(kernel, "a power with an exponent that is no index");
        atom = exponent->arguments[0];
    }
    const bool is_loop = atom->variable && !atom->variable->definition;
    if ((!is_loop && !is_log(atom, base) && !is_larger_log(atom, base) && atom->kind != TERM_DIV) ||
        base < 2)
        return kernel_refuse(kernel, "a power with an exponent that is no index");
    Chain *chain = find_chain(kernel, atom, base);
    if (!chain)
        chain = new_chain(kernel, atom, base);
    const PowerLevel *level =
        kernel_level_at(kernel, chain, exponent->kind == TERM_LINEAR ? (int)exponent->value : 0);
    return level ? level->value : kernel_refuse(kernel, "a power below those of the loop");
}

PowerLevel *kernel_find_level(const Kernel *kernel, const Term *value)
{
    for (size_t i = 0; i < kernel->chains.count; i++)
        for (int k = 0; k < MOST_PLACES; k++)
            if (kernel->chains.items[i]->levels[k] &&
                kernel->chains.items[i]->levels[k]->value == value)
                return kernel->chains.items[i]->levels[k];
    return NULL;
}

bool level_divides(const PowerLevel *level, const Term *atom, int64_t factor)
{
    const Chain *chain = level->chain;
    if (atom == chain->unit) {
        for (int place = chain->shift; place < level->place; place++) {
            if (factor % chain->base)
                return false;
            factor /= chain->base;
        }
        return true;
    }
    const bool whole = chain->divides && level->place <= chain->divides_to;
    if (whole && atom == chain->divides->unit)
        return true;
    const PowerLevel *other = atom->variable ? atom->variable->level : NULL;
    return other && ((other->chain == chain && other->place >= level->place) ||
                     (whole && other->chain == chain->divides));
}
