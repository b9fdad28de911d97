#include "prove/proof.h"

#include "base/random.h"

#include <inttypes.h>
#include <stdlib.h>

/* Free variables that a term needs to have a value, each once. */
static void gather_free(Terms *terms, const Term *term, bool *seen, TermArray *free)
{
    if (seen[term->id])
        return;
    seen[term->id] = true;
    for (int i = 0; i < term->count; i++)
        gather_free(terms, term->arguments[i], seen, free);
    const TermVariable *variable = term->variable;
    if (!variable)
        return;
    if (variable->definition) {
        gather_free(terms, variable->definition, seen, free);
        return;
    }
    gather_free(terms, variable->low, seen, free);
    if (variable->high)
        gather_free(terms, variable->high, seen, free);
    *ARRAY_PUSH(terms->arena, free) = term;
}

static int by_id(const void *a, const void *b)
{
    const Term *const *x = a, *const *y = b;
    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

Samples samples_of(Proof *proof, const Term *const *needed, size_t count)
{
    Terms *terms = proof->kernel->terms;
    Samples samples = {.terms = terms,
                       .hypotheses = &proof->hypotheses,
                       .seed = 1,
                       .p_base = proof->kernel->p_base,
                       .most_p = 40};
    bool *seen = ARENA_ARRAY(terms->arena, bool, terms->items.count + 1);
    gather_free(terms, proof->kernel->p, seen, &samples.free);
    for (size_t i = 0; i < proof->hypotheses.count; i++)
        gather_free(terms, proof->hypotheses.items[i], seen, &samples.free);
    for (size_t i = 0; i < count; i++)
        gather_free(terms, needed[i], seen, &samples.free);
    qsort(samples.free.items, samples.free.count, sizeof *samples.free.items, by_id);
    return samples;
}

static bool assign(Samples *samples)
{
    Terms *terms = samples->terms;
    terms_new_point(terms);
    for (size_t i = 0; i < samples->free.count; i++) {
        TermVariable *variable = samples->free.items[i]->variable;
        const int64_t low = term_value(terms, variable->low);
        const int64_t high = variable->high ? term_value(terms, variable->high) : 0;
        if (!variable->high) { /* p */
            const uint64_t random = random_next(&samples->seed);
            const int64_t most = random % 3 ? 9 : samples->most_p;
            const uint64_t width = (uint64_t)(most > low ? most - low + 1 : 1);
            int64_t p = low + (int64_t)(random / 3 % width), power = 1;
            while (samples->p_base && power * samples->p_base <= p)
                power *= samples->p_base;
            variable->now = samples->p_base ? power : p;
            continue;
        }
        if (high < low || terms->undefined)
            return false;
        uint64_t random = random_next(&samples->seed);
        const uint64_t width = (uint64_t)(high - low) + 1;
        variable->now = low + (int64_t)(random % width);
    }
    for (size_t i = 0; i < samples->hypotheses->count; i++)
        if (!term_value(terms, samples->hypotheses->items[i]))
            return false;
    return !terms->undefined;
}

bool samples_next(Samples *samples, int most)
{
    while (samples->count++ < most)
        if (assign(samples))
            return true;
    return false;
}

enum { SAMPLE_POINTS = 3000 };

bool obligation_holds(Proof *proof, const Obligation *obligation)
{
    Terms *terms = proof->kernel->terms;
    const Term *hypotheses = term_and_all(terms, &obligation->hypotheses);
    const Term *needed[2] = {hypotheses, obligation->goal};
    if (term_is_true(obligation->goal) || term_is_false(hypotheses))
        return true;
    Samples samples = samples_of(proof, needed, 2);
    while (!kernel_is_tired(proof->kernel) && samples_next(&samples, SAMPLE_POINTS)) {
        if (!term_value(terms, hypotheses) || terms->undefined)
            continue;
        if (!term_value(terms, obligation->goal) && !terms->undefined) {
            proof->failed_p = term_value(terms, proof->kernel->p);
            return false;
        }
    }
    return true;
}

/* What a solver sees of an obligation. */
typedef struct {
    Proof *proof;
    bool *seen;
    TermArray variables;
} Reached;

static void reach(Reached *reached, const Term *term)
{
    if (reached->seen[term->id])
        return;
    reached->seen[term->id] = true;
    for (int i = 0; i < term->count; i++)
        reach(reached, term->arguments[i]);
    if (!term->variable)
        return;
    *ARRAY_PUSH(reached->proof->kernel->arena, &reached->variables) = term;
    for (size_t i = 0; i < term->variable->axioms.count; i++)
        reach(reached, term->variable->axioms.items[i]);
}

/* Of two multiples of N: equal, a few N apart, or more. */
static const Term *apart(Terms *terms, const PowerLevel *level, const Term *a, const Term *b)
{
    const Term *difference = term_sum(terms, a, -1, b), *some = term_bool(terms, false);
    const int64_t base = level->chain->base;
    for (int64_t k = 1 - base; k < base; k++)
        some =
            term_or(terms, some, term_equal(terms, difference, term_times(terms, level->value, k)));
    some = term_or(terms, some, term_le(terms, term_times(terms, level->value, base), difference));
    return term_or(terms, some, term_le(terms, difference, term_times(terms, level->value, -base)));
}

static bool all_named(const Reached *reached, const Term *term)
{
    if (term->variable && !reached->seen[term->id])
        return false;
    for (int i = 0; i < term->count; i++)
        if (!all_named(reached, term->arguments[i]))
            return false;
    return true;
}

/* A sum of several multiples, without the level's own value, unless it is there. */
static void add_sum(Reached *reached, const PowerLevel *level, const Term *sum,
                    TermArray *multiples)
{
    Terms *terms = reached->proof->kernel->terms;
    const Term *unit = level->chain->unit;
    sum = term_sum(terms, sum, -term_coefficient(sum, unit), unit);
    if (sum->kind != TERM_LINEAR || sum->count < 2 || !all_named(reached, sum))
        return;
    for (size_t i = 0; i < multiples->count; i++)
        if (multiples->items[i] == sum)
            return;
    *ARRAY_PUSH(terms->arena, multiples) = sum;
}

static void add_apart(Reached *reached, const PowerLevel *level, TermArray *facts)
{
    Terms *terms = reached->proof->kernel->terms;
    TermArray multiples = {0};
    int64_t value;
    const size_t reached_count = reached->variables.count;
    if (term_is_int(level->value, &value) || !reached->seen[level->chain->unit->id])
        return;
    *ARRAY_PUSH(terms->arena, &multiples) = term_int(terms, 0);
    for (size_t i = 0; i < reached_count; i++)
        if (reached->variables.items[i] != level->chain->unit &&
            level_divides(level, reached->variables.items[i], 1))
            *ARRAY_PUSH(terms->arena, &multiples) = reached->variables.items[i];
    for (size_t i = 0; i < level->products.count; i++)
        add_sum(reached, level, level->products.items[i], &multiples);
    for (size_t i = 0; i < level->wholes.count; i++)
        add_sum(reached, level, level->wholes.items[i], &multiples);
    for (size_t i = 0; i < multiples.count; i++)
        for (size_t j = 0; j < i; j++)
            *ARRAY_PUSH(terms->arena, facts) =
                apart(terms, level, multiples.items[i], multiples.items[j]);
}

/* Of two factors and their products: their order, and where they are one apart. */
static void add_order(Reached *reached, const PowerLevel *level, TermArray *facts)
{
    Terms *terms = reached->proof->kernel->terms;
    for (size_t i = 0; i < level->factors.count; i++)
        for (size_t j = 0; j < level->factors.count; j++) {
            const Term *u = level->factors.items[i], *w = level->factors.items[j];
            const Term *apart =
                term_sum(terms, level->products.items[i], -1, level->products.items[j]);
            const bool named = i != j && all_named(reached, u) && all_named(reached, w) &&
                               all_named(reached, apart) && all_named(reached, level->value);
            for (int64_t k = 0; named && k < 2; k++) {
                const Term *most = term_le(terms, apart, term_times(terms, level->value, k));
                const Term *bound = term_int(terms, k);
                *ARRAY_PUSH(terms->arena, facts) =
                    term_same(terms, term_le(terms, term_sum(terms, u, -1, w), bound), most);
            }
        }
}

/* Quotients of one number by a power and by the next: a digit more. */
static void add_digits(Reached *reached, const PowerLevel *low, const PowerLevel *high,
                       TermArray *facts)
{
    Terms *terms = reached->proof->kernel->terms;
    for (size_t i = 0; high && i < low->factors.count; i++)
        for (size_t j = 0; j < high->factors.count; j++) {
            const Term *u = low->factors.items[i], *w = high->factors.items[j];
            const Term *const of_u = u->variable ? u->variable->definition : NULL;
            const Term *const of_w = w->variable ? w->variable->definition : NULL;
            if (!of_u || !of_w || of_u->kind != TERM_ANY_DIV || of_w->kind != TERM_ANY_DIV ||
                of_u->arguments[0] != of_w->arguments[0] || !reached->seen[u->id] ||
                !reached->seen[w->id])
                continue;
            const Term *some = term_bool(terms, false);
            for (int64_t k = 0; k < low->chain->base; k++)
                some = term_or(
                    terms, some,
                    term_equal(terms, u,
                               term_plus(terms, term_times(terms, w, low->chain->base), k)));
            *ARRAY_PUSH(terms->arena, facts) = some;
        }
}

static void name_variables(Reached *reached)
{
    Arena *arena = reached->proof->kernel->arena;
    TermArray *variables = &reached->variables;
    qsort(variables->items, variables->count, sizeof *variables->items, by_id);
    for (size_t i = 0; i < variables->count; i++) {
        TermVariable *variable = variables->items[i]->variable;
        int same = 0, before = 0;
        for (size_t j = 0; j < variables->count; j++) {
            const bool alike = strcmp(variables->items[j]->variable->stem, variable->stem) == 0;
            same += alike;
            before += alike && j <= i;
        }
        variable->name = before > 1 || (same > 1 && variable->definition)
                             ? arena_printf(arena, "%s%d", variable->stem, before)
                             : variable->stem;
    }
}

static void print_operation(Buffer *text, const Term *definition)
{
    static const char *const words[] = {
        [TERM_ANY_MOD] = "mod", [TERM_ANY_DIV] = "div",    [TERM_MULTIPLE] = "rounded down to",
        [TERM_PRODUCT] = "*",   [TERM_DIGIT] = "digit at",
    };
    if (definition->kind == TERM_POWER) {
        buffer_printf(text, "%" PRId64 "^", definition->value);
        buffer_printf(text, "(...)");
    } else if (definition->kind < TERM_ANY_MOD || definition->count < 2) {
        buffer_printf(text, "...");
    } else {
        term_print(text, definition->arguments[0]);
        buffer_printf(text, " %s ", words[definition->kind]);
        term_print(text, definition->arguments[1]);
    }
}

static void print_variable(Reached *reached, Buffer *text, const Term *term)
{
    const TermVariable *variable = term->variable;
    if (variable->meaning)
        buffer_printf(text, "; %s\n", variable->meaning);
    else if (variable->definition && all_named(reached, variable->definition)) {
        buffer_printf(text, "; %s: ", variable->name);
        print_operation(text, variable->definition);
        buffer_printf(text, "\n");
    }
    buffer_printf(text, "(declare-const %s Int)\n", variable->name);
}

static void print_assert(Buffer *text, const Term *term)
{
    buffer_printf(text, "(assert ");
    term_print(text, term);
    buffer_printf(text, ")\n");
}

const char *obligation_text(Proof *proof, const Obligation *obligation, const char *title)
{
    Terms *terms = proof->kernel->terms;
    Reached reached = {.proof = proof};
    Buffer text = {.arena = terms->arena};
    TermArray facts = {0};
    reached.seen = ARENA_ARRAY(terms->arena, bool, terms->items.count + 1);
    reach(&reached, obligation->goal);
    for (size_t i = 0; i < obligation->hypotheses.count; i++)
        reach(&reached, obligation->hypotheses.items[i]);
    for (size_t i = 0; i < proof->hypotheses.count; i++)
        reach(&reached, proof->hypotheses.items[i]);
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < proof->kernel->chains.count; i++) {
            PowerLevel *const *levels = proof->kernel->chains.items[i]->levels;
            for (int k = 0; k < MOST_PLACES; k++)
                if (levels[k] && kind == 0)
                    add_apart(&reached, levels[k], &facts);
                else if (levels[k] && kind == 1)
                    add_order(&reached, levels[k], &facts);
                else if (levels[k])
                    add_digits(&reached, levels[k], levels[k + 1], &facts);
        }
    name_variables(&reached);
    buffer_printf(&text, "; %s: %s\n; %s\n(set-logic QF_LIA)\n", title, obligation->name,
                  obligation->meaning);
    for (size_t i = 0; i < reached.variables.count; i++)
        print_variable(&reached, &text, reached.variables.items[i]);
    buffer_printf(&text, "; what these are\n");
    for (size_t i = 0; i < reached.variables.count; i++) {
        const TermArray *axioms = &reached.variables.items[i]->variable->axioms;
        for (size_t j = 0; j < axioms->count; j++)
            if (!term_is_true(axioms->items[j]))
                print_assert(&text, axioms->items[j]);
    }
    if (facts.count)
        buffer_printf(&text, "; multiples of a power are equal, or so many times it apart\n");
    for (size_t i = 0; i < facts.count; i++)
        if (!term_is_true(facts.items[i]))
            print_assert(&text, facts.items[i]);
    buffer_printf(&text, "; what is given\n");
    for (size_t i = 0; i < proof->hypotheses.count; i++)
        print_assert(&text, proof->hypotheses.items[i]);
    for (size_t i = 0; i < obligation->hypotheses.count; i++)
        print_assert(&text, obligation->hypotheses.items[i]);
    buffer_printf(&text, "; refute the contrary\n(assert (not ");
    term_print(&text, obligation->goal);
    buffer_printf(&text, "))\n(check-sat)\n");
    return text.items;
}
