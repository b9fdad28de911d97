#include "prove/term.h"

#include "base/random.h"
#include "base/whole.h"

#include <inttypes.h>

Terms *terms_create(Arena *arena)
{
    Terms *terms = ARENA_NEW(arena, Terms);
    terms->arena = arena;
    return terms;
}

/* A term that is made takes as long as so many that are evaluated. */
enum { WORK_OF_TERM = 10 };

static void add_bound(int64_t *bound, int64_t factor, const Term *argument, int64_t unknown)
{
    const int64_t other = (factor > 0) == (unknown == INT64_MIN) ? argument->least : argument->most;
    int64_t part;
    if (*bound == unknown || other == INT64_MIN || other == INT64_MAX ||
        __builtin_mul_overflow(other, factor, &part) || __builtin_add_overflow(*bound, part, bound))
        *bound = unknown;
}

static void find_bounds(Term *term)
{
    const Term *const *a = term->arguments;
    term->least = INT64_MIN, term->most = INT64_MAX;
    if (term->kind == TERM_LINEAR) {
        term->least = term->most = term->value;
        for (int i = 0; i < term->count; i++) {
            add_bound(&term->least, term->coefficients[i], a[i], INT64_MIN);
            add_bound(&term->most, term->coefficients[i], a[i], INT64_MAX);
        }
    } else if (term->kind == TERM_CHOICE) {
        term->least = a[1]->least < a[2]->least ? a[1]->least : a[2]->least;
        term->most = a[1]->most > a[2]->most ? a[1]->most : a[2]->most;
    } else if (term->kind == TERM_MOD) {
        term->least = 0, term->most = term->value - 1;
    } else if (term->kind == TERM_DIV) {
        if (a[0]->least != INT64_MIN)
            term->least = a[0]->least / term->value - (a[0]->least % term->value < 0);
        if (a[0]->most != INT64_MAX)
            term->most = a[0]->most / term->value - (a[0]->most % term->value < 0);
    }
}

/* The one term that is like this one. */
static const Term *keep(Terms *terms, const Term *term)
{
    uint64_t hash = random_hash((uint64_t)term->kind * 31 + (uint64_t)term->value);
    for (int i = 0; i < term->count; i++) {
        hash = random_hash(hash ^ (uint64_t)term->arguments[i]->id);
        if (term->coefficients)
            hash = random_hash(hash ^ (uint64_t)term->coefficients[i]);
    }
    int32_t *place = place_table_find(terms->arena, &terms->table, hash >> 1);
    for (int64_t i = *place; i >= 0; i = terms->next.items[i]) {
        const Term *other = terms->items.items[i];
        bool is_same =
            other->kind == term->kind && other->value == term->value && other->count == term->count;
        for (int k = 0; k < term->count && is_same; k++)
            is_same = other->arguments[k] == term->arguments[k] &&
                      (!term->coefficients || other->coefficients[k] == term->coefficients[k]);
        if (!is_same)
            continue;
        if (term->kind == TERM_LINEAR) /* more may be known of its variables by now */
            find_bounds((Term *)other);
        return other;
    }
    terms->work += WORK_OF_TERM;
    Term *kept = ARENA_COPY(terms->arena, Term, term, 1);
    const size_t count = (size_t)term->count;
    kept->id = (int)terms->items.count;
    kept->arguments = ARENA_COPY(terms->arena, const Term *, term->arguments, count);
    if (term->coefficients)
        kept->coefficients = ARENA_COPY(terms->arena, int64_t, term->coefficients, count);
    find_bounds(kept);
    *ARRAY_PUSH(terms->arena, &terms->items) = kept;
    *ARRAY_PUSH(terms->arena, &terms->next) = *place;
    *place = kept->id;
    return kept;
}

const Term *term_int(Terms *terms, int64_t value)
{
    return keep(terms, &(Term){.kind = TERM_LINEAR, .value = value});
}

const Term *term_bool(Terms *terms, bool value)
{
    return keep(terms, &(Term){.kind = value ? TERM_AND : TERM_OR});
}

bool term_is_int(const Term *term, int64_t *value)
{
    if (term->kind == TERM_LINEAR && term->count == 0) {
        *value = term->value;
        return true;
    }
    return false;
}

bool term_is_true(const Term *term)
{
    return term->kind == TERM_AND && term->count == 0;
}

bool term_is_false(const Term *term)
{
    return term->kind == TERM_OR && term->count == 0;
}

static Term *new_variable(Terms *terms, const char *name)
{
    Term *term = ARENA_NEW(terms->arena, Term);
    *term = (Term){.kind = TERM_VARIABLE,
                   .id = (int)terms->items.count,
                   .least = INT64_MIN,
                   .most = INT64_MAX,
                   .variable = ARENA_NEW(terms->arena, TermVariable)};
    term->variable->stem = name;
    *ARRAY_PUSH(terms->arena, &terms->items) = term;
    *ARRAY_PUSH(terms->arena, &terms->next) = -1;
    *ARRAY_PUSH(terms->arena, &terms->variables) = term;
    return term;
}

void term_axiom(Terms *terms, const Term *variable, const Term *axiom)
{
    *ARRAY_PUSH(terms->arena, &variable->variable->axioms) = axiom;
}

const Term *term_free(Terms *terms, const char *name, const Term *low, const Term *high)
{
    Term *term = new_variable(terms, name);
    term->variable->low = low, term->variable->high = high;
    term_axiom(terms, term, term_le(terms, low, term));
    if (high)
        term_axiom(terms, term, term_le(terms, term, high));
    term->least = low->least, term->most = high ? high->most : INT64_MAX;
    return term;
}

const Term *term_defined(Terms *terms, const char *name, const Term *definition,
                         const char *meaning)
{
    for (size_t i = 0; i < terms->variables.count; i++)
        if (terms->variables.items[i]->variable->definition == definition)
            return terms->variables.items[i];
    Term *term = new_variable(terms, name);
    term->variable->definition = definition;
    term->variable->meaning = meaning;
    return term;
}

enum { MOST_ATOMS = 64 }; /* of a linear form; with more, nothing is proved */

/* A linear form with one atom more; atoms are in the order of their ids. */
typedef struct {
    Terms *terms;
    int64_t value;
    const Term *arguments[MOST_ATOMS];
    int64_t coefficients[MOST_ATOMS];
    int count;
} Form;

static void form_add(Form *form, const Term *term, int64_t factor)
{
    int64_t part;
    if (term->kind == TERM_LINEAR) {
        form->terms->overflows |= __builtin_mul_overflow(term->value, factor, &part) ||
                                  __builtin_add_overflow(form->value, part, &form->value);
        for (int i = 0; i < term->count; i++) {
            form->terms->overflows |= __builtin_mul_overflow(term->coefficients[i], factor, &part);
            form_add(form, term->arguments[i], part);
        }
        return;
    }
    int place = 0;
    while (place < form->count && form->arguments[place]->id < term->id)
        place++;
    if (place < form->count && form->arguments[place] == term) {
        form->terms->overflows |=
            __builtin_add_overflow(form->coefficients[place], factor, &form->coefficients[place]);
        return;
    }
    if (form->count == MOST_ATOMS) {
        form->terms->overflows = true;
        return;
    }
    for (int i = form->count++; i > place; i--) {
        form->arguments[i] = form->arguments[i - 1];
        form->coefficients[i] = form->coefficients[i - 1];
    }
    form->arguments[place] = term;
    form->coefficients[place] = factor;
}

const Term *term_sum(Terms *terms, const Term *a, int64_t factor, const Term *b)
{
    Form form = {.terms = terms};
    form_add(&form, a, 1);
    form_add(&form, b, factor);
    int count = 0;
    for (int i = 0; i < form.count; i++)
        if (form.coefficients[i]) {
            form.arguments[count] = form.arguments[i];
            form.coefficients[count++] = form.coefficients[i];
        }
    if (count == 1 && form.value == 0 && form.coefficients[0] == 1)
        return form.arguments[0];
    return keep(terms, &(Term){.kind = TERM_LINEAR,
                               .value = form.value,
                               .count = count,
                               .arguments = form.arguments,
                               .coefficients = form.coefficients});
}

const Term *term_plus(Terms *terms, const Term *a, int64_t value)
{
    return term_sum(terms, a, 1, term_int(terms, value));
}

const Term *term_times(Terms *terms, const Term *a, int64_t factor)
{
    return term_sum(terms, term_int(terms, 0), factor, a);
}

/* The part of a linear form whose coefficients are multiples of the divisor. */
static const Term *divisible_part(Terms *terms, const Term *a, int64_t divisor)
{
    const Term *part = term_int(terms, 0);
    for (int i = 0; a->kind == TERM_LINEAR && i < a->count; i++)
        if (a->coefficients[i] % divisor == 0)
            part = term_sum(terms, part, a->coefficients[i] / divisor, a->arguments[i]);
    return part;
}

const Term *term_div(Terms *terms, const Term *a, int64_t divisor)
{
    int64_t value;
    if (divisor == 1)
        return a;
    const Term *part = divisible_part(terms, a, divisor);
    if (!term_is_int(part, &value))
        return term_sum(terms, part, 1,
                        term_div(terms, term_sum(terms, a, -divisor, part), divisor));
    if (term_is_int(a, &value))
        return term_int(terms, whole_floor_quotient(value, divisor));
    return keep(terms, &(Term){.kind = TERM_DIV, .value = divisor, .count = 1, .arguments = &a});
}

const Term *term_mod(Terms *terms, const Term *a, int64_t divisor)
{
    int64_t value;
    if (divisor == 1)
        return term_int(terms, 0);
    a = term_sum(terms, a, -divisor, divisible_part(terms, a, divisor));
    if (term_is_int(a, &value))
        return term_int(terms, whole_floor_rest(value, divisor));
    if (a->least >= 0 && a->most < divisor)
        return a;
    return keep(terms, &(Term){.kind = TERM_MOD, .value = divisor, .count = 1, .arguments = &a});
}

static bool is_condition(const Term *term)
{
    return term->kind >= TERM_AT_LEAST_ZERO && term->kind <= TERM_NOT;
}

const Term *term_choice(Terms *terms, const Term *condition, const Term *a, const Term *b)
{
    if (term_is_true(condition) || a == b)
        return a;
    if (term_is_false(condition))
        return b;
    if (is_condition(a)) {
        const Term *otherwise = term_or(terms, condition, b);
        return term_and(terms, term_implies(terms, condition, a), otherwise);
    }
    return keep(
        terms,
        &(Term){.kind = TERM_CHOICE, .count = 3, .arguments = (const Term *[]){condition, a, b}});
}

const Term *term_operation(Terms *terms, TermKind kind, int64_t value, const Term *a, const Term *b)
{
    return keep(terms, &(Term){.kind = kind,
                               .value = value,
                               .count = b ? 2 : 1,
                               .arguments = (const Term *[]){a, b}});
}

const Term *term_le(Terms *terms, const Term *a, const Term *b)
{
    const Term *difference = term_sum(terms, b, -1, a);
    if (difference->least >= 0)
        return term_bool(terms, true);
    if (difference->most < 0)
        return term_bool(terms, false);
    return term_operation(terms, TERM_AT_LEAST_ZERO, 0, difference, NULL);
}

const Term *term_less(Terms *terms, const Term *a, const Term *b)
{
    return term_le(terms, term_plus(terms, a, 1), b);
}

const Term *term_between(Terms *terms, const Term *low, const Term *a, const Term *high)
{
    const Term *below = term_le(terms, a, high);
    return term_and(terms, term_le(terms, low, a), below);
}

const Term *term_equal(Terms *terms, const Term *a, const Term *b)
{
    const Term *difference = a->id < b->id ? term_sum(terms, b, -1, a) : term_sum(terms, a, -1, b);
    int64_t value;
    if (term_is_int(difference, &value))
        return term_bool(terms, value == 0);
    if (difference->least > 0 || difference->most < 0)
        return term_bool(terms, false);
    return term_operation(terms, TERM_ZERO, 0, difference, NULL);
}

/* Adds a condition, or those of the same kind in it, each once. */
static void gather(Terms *terms, TermKind kind, const Term *term, TermArray *list)
{
    if (term->kind == kind) {
        for (int i = 0; i < term->count; i++)
            gather(terms, kind, term->arguments[i], list);
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == term)
            return;
    *ARRAY_PUSH(terms->arena, list) = term;
}

static const Term *join(Terms *terms, TermKind kind, const Term *a, const Term *b)
{
    const TermKind other = kind == TERM_AND ? TERM_OR : TERM_AND;
    TermArray list = {0};
    gather(terms, kind, a, &list);
    gather(terms, kind, b, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i]->kind == other && list.items[i]->count == 0)
            return list.items[i];
    if (list.count == 1)
        return list.items[0];
    return keep(terms, &(Term){.kind = kind, .count = (int)list.count, .arguments = list.items});
}

const Term *term_and(Terms *terms, const Term *a, const Term *b)
{
    return join(terms, TERM_AND, a, b);
}

const Term *term_or(Terms *terms, const Term *a, const Term *b)
{
    return join(terms, TERM_OR, a, b);
}

const Term *term_and_all(Terms *terms, const TermArray *items)
{
    const Term *all = term_bool(terms, true);
    for (size_t i = 0; i < items->count; i++)
        all = term_and(terms, all, items->items[i]);
    return all;
}

const Term *term_not(Terms *terms, const Term *a)
{
    if (a->kind == TERM_NOT)
        return a->arguments[0];
    if (term_is_true(a) || term_is_false(a))
        return term_bool(terms, term_is_false(a));
    if (a->kind == TERM_AT_LEAST_ZERO)
        return term_less(terms, a->arguments[0], term_int(terms, 0));
    return keep(terms, &(Term){.kind = TERM_NOT, .count = 1, .arguments = &a});
}

const Term *term_implies(Terms *terms, const Term *a, const Term *b)
{
    return term_or(terms, term_not(terms, a), b);
}

const Term *term_same(Terms *terms, const Term *a, const Term *b)
{
    const Term *back = term_implies(terms, b, a);
    return term_and(terms, term_implies(terms, a, b), back);
}

int64_t term_coefficient(const Term *linear, const Term *atom)
{
    if (linear == atom)
        return 1;
    for (int i = 0; linear->kind == TERM_LINEAR && i < linear->count; i++)
        if (linear->arguments[i] == atom)
            return linear->coefficients[i];
    return 0;
}

bool term_depends(const Term *term, const Term *variable)
{
    if (term == variable)
        return true;
    if (term->id < variable->id)
        return false;
    if (term->variable && term->variable->definition)
        return term_depends(term->variable->definition, variable);
    for (int i = 0; i < term->count; i++)
        if (term_depends(term->arguments[i], variable))
            return true;
    return false;
}

/* How many parts of a linear form have this sign; an atom is one. */
static int count_side(const Term *linear, int sign)
{
    if (linear->kind != TERM_LINEAR)
        return sign > 0;
    int parts = linear->value && (linear->value > 0) == (sign > 0);
    for (int i = 0; i < linear->count; i++)
        parts += (linear->coefficients[i] > 0) == (sign > 0);
    return parts;
}

/* The part of a linear form with coefficients of this sign. */
static void print_side(Buffer *buffer, const Term *linear, int sign)
{
    const int parts = count_side(linear, sign);
    if (parts && linear->kind != TERM_LINEAR) {
        term_print(buffer, linear);
        return;
    }
    buffer_printf(buffer, parts == 0 ? "0" : parts > 1 ? "(+" : "");
    const char *space = parts > 1 ? " " : "";
    for (int i = 0; parts && i < linear->count; i++) {
        const int64_t factor = linear->coefficients[i] * sign;
        if (factor <= 0)
            continue;
        buffer_printf(buffer, "%s", space);
        if (factor > 1)
            buffer_printf(buffer, "(* %" PRId64 " ", factor);
        term_print(buffer, linear->arguments[i]);
        buffer_printf(buffer, factor > 1 ? ")" : "");
    }
    if (parts && (linear->value > 0) == (sign > 0) && linear->value != 0)
        buffer_printf(buffer, "%s%" PRId64, space, linear->value * sign);
    buffer_printf(buffer, parts > 1 ? ")" : "");
}

void term_print(Buffer *buffer, const Term *term)
{
    static const char *const words[] = {
        [TERM_CHOICE] = "ite", [TERM_DIV] = "div", [TERM_MOD] = "mod",
        [TERM_AND] = "and",    [TERM_OR] = "or",   [TERM_NOT] = "not"};
    if (term->kind == TERM_LINEAR && term->count == 0) {
        buffer_printf(buffer, term->value < 0 ? "(- %" PRIu64 ")" : "%" PRIu64,
                      term->value < 0 ? -(uint64_t)term->value : (uint64_t)term->value);
    } else if (term->kind == TERM_LINEAR) {
        const bool has_negative = count_side(term, -1) > 0;
        buffer_printf(buffer, has_negative ? "(- " : "");
        print_side(buffer, term, 1);
        buffer_printf(buffer, has_negative ? " " : "");
        if (has_negative)
            print_side(buffer, term, -1);
        buffer_printf(buffer, has_negative ? ")" : "");
    } else if (term->kind == TERM_VARIABLE) {
        buffer_printf(buffer, "%s",
                      term->variable->name ? term->variable->name : term->variable->stem);
    } else if (term->kind == TERM_AT_LEAST_ZERO || term->kind == TERM_ZERO) {
        buffer_printf(buffer, term->kind == TERM_ZERO ? "(= " : "(<= ");
        print_side(buffer, term->arguments[0], -1);
        buffer_printf(buffer, " ");
        print_side(buffer, term->arguments[0], 1);
        buffer_printf(buffer, ")");
    } else if (is_condition(term) && term->count == 0) {
        buffer_printf(buffer, term_is_true(term) ? "true" : "false");
    } else {
        buffer_printf(buffer, "(%s", words[term->kind]);
        for (int i = 0; i < term->count; i++) {
            buffer_printf(buffer, " ");
            term_print(buffer, term->arguments[i]);
        }
        if (term->kind == TERM_DIV || term->kind == TERM_MOD)
            buffer_printf(buffer, " %" PRId64, term->value);
        buffer_printf(buffer, ")");
    }
}
