#include "prove/proof.h"

/* Loops over few numbers are written out: at most so many values of each. */
enum { MOST_WRITTEN_OUT = 10 };

static void list_sets(Proof *proof, const ScheduleStep *step, const Template *common,
                      Templates *templates)
{
    const Transfer *transfer = &step->transfer;
    for (size_t i = 0; i < transfer->blocks.count; i++) {
        const CompiledSet *set = &transfer->blocks.items[i];
        for (int array = set->syntax->all ? 0 : set->syntax->array;
             array < (set->syntax->all ? proof->array_count : set->syntax->array + 1); array++) {
            Template *template = ARRAY_PUSH(proof->kernel->arena, templates);
            *template = *common;
            template->array = array;
            template->set = set->syntax->all ? NULL : set;
            template->into = transfer->into.count ? &transfer->into.items[i] : NULL;
            for (int j = 0; template->set && j < set->loop_count; j++)
                template->loops[template->loop_count++] = set->loops[j];
        }
    }
}

/* The loops of a transfer from number `next` on: written out, or left to the messages. */
static void list_loops(Proof *proof, const ScheduleStep *step, size_t next, const Template *common,
                       Templates *templates)
{
    if (next == step->loop_count) {
        list_sets(proof, step, common, templates);
        return;
    }
    const StepLoop *loop = &step->loops[next];
    Kernel *kernel = proof->kernel;
    int64_t from, to;
    const Term *first = kernel_program(kernel, &common->env, loop->from);
    const Term *last = kernel_program(kernel, &common->env, loop->to);
    Template template = *common;
    if (!term_is_int(first, &from) || !term_is_int(last, &to) || to - from > MOST_WRITTEN_OUT ||
        from - to > MOST_WRITTEN_OUT) {
        if (template.loop_count == MOST_LOOPS) {
            kernel_refuse(kernel, "many loops of a transfer");
            return;
        }
        template.is_down[template.loop_count] = loop->loop.down;
        template.loops[template.loop_count++] = (SetLoop){loop->loop.slot, loop->from, loop->to};
        list_loops(proof, step, next + 1, &template, templates);
        return;
    }
    for (int64_t i = loop->loop.down ? to : from; i <= (loop->loop.down ? from : to); i++) {
        template.env.slots[loop->loop.slot] = term_int(kernel->terms, i);
        list_loops(proof, step, next + 1, &template, templates);
    }
}

void templates_list(Proof *proof, const ScheduleStep *round, Env env, Templates *templates)
{
    const bool alone = round->kind == STEP_TRANSFER;
    const Term *own = env.slots[SCHEDULE_R];
    if (!alone)
        kernel_lets(&env, &round->lets);
    for (size_t i = 0; i < (alone ? 1 : round->step_count); i++) {
        const ScheduleStep *step = alone ? round : &round->steps[i];
        Template common = {.step = step, .env = env};
        common.env.slots[SCHEDULE_R] = own ? own : proof->x;
        list_loops(proof, step, 0, &common, templates);
    }
}

static Block translate_block(Proof *proof, const CompiledSet *set, const Env *env)
{
    Block block = {.array = set->syntax->array, .count = set->index_count};
    for (int i = 0; i < set->index_count; i++)
        block.index[i] = set->is_range ? env->slots[set->loops[set->loop_count - 1].slot]
                                       : kernel_program(proof->kernel, env, set->indices[i]);
    return block;
}

Message message_build(Proof *proof, const Template *template, const Term *from,
                      const Term *const *parameters, const Block *any)
{
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    Env env = template->env;
    const Transfer *transfer = &template->step->transfer;
    Message message = {.from = from, .guard = term_bool(terms, true)};
    env.slots[SCHEDULE_R] = from;
    const int own = template->set ? template->set->loop_count : 0;
    for (int i = 0; i <= template->loop_count; i++) {
        if (i == template->loop_count - own) {
            message.guard =
                term_and(terms, message.guard,
                         kernel_program(kernel, &env, template->step->condition.program));
            message.sends = message.guard;
        }
        if (i == template->loop_count)
            break;
        const bool down = template->is_down[i];
        const Term *first = kernel_program(kernel, &env, template->loops[i].from);
        const Term *last = kernel_program(kernel, &env, template->loops[i].to);
        const Term *low = down ? last : first, *high = down ? first : last;
        const Term *value = parameters ? parameters[i] : NULL;
        if (!value)
            value = term_free(terms, "j", low, high);
        else
            message.guard = term_and(terms, message.guard, term_between(terms, low, value, high));
        message.parameters[i] = value;
        env.slots[template->loops[i].slot] = value;
    }
    if (template->set)
        message.guard =
            term_and(terms, message.guard, kernel_program(kernel, &env, template->set->condition));
    message.to = transfer->to.program ? kernel_program(kernel, &env, transfer->to.program) : from;
    message.block = template->set ? translate_block(proof, template->set, &env) : *any;
    message.landing = message.block;
    if (transfer->as >= 0)
        message.landing.array = transfer->as;
    if (message.landing.count > proof_index_count(proof, message.landing.array)) {
        /* without the index in front */
        message.landing.count--;
        for (int i = 0; i < message.landing.count; i++)
            message.landing.index[i] = message.block.index[i + 1];
    }
    if (!template->set && message.landing.array != message.block.array)
        kernel_refuse(kernel, "all blocks to another array");
    if (template->into)
        message.landing = translate_block(proof, template->into, &env);
    bool stays = message.landing.array == message.block.array;
    for (int i = 0; stays && i < message.block.count; i++)
        stays = message.landing.index[i] == message.block.index[i];
    if (stays) /* a transfer to oneself is none */
        message.guard =
            term_and(terms, message.guard, term_not(terms, term_equal(terms, message.to, from)));
    return message;
}

enum { MOST_CANDIDATES = 160, MOST_UNKNOWNS = 2 * MOST_LOOPS + 1 };

/* What is sought: the sender, or only the indices, of a message of which some values are known. */
typedef struct {
    Proof *proof;
    const Term *unknowns[MOST_UNKNOWNS];
    int unknown_count;
    TermArray equations; /* that are zero */
    TermArray pool;      /* values to try where no equation tells */
    TermArray known, values;
    const Term *found[MOST_CANDIDATES][MOST_UNKNOWNS];
    int found_count;
} Search;

/* Values of `unknown` for which the term may be `target`. */
static void invert(Search *search, const Term *term, const Term *unknown, const Term *target,
                   const Term *modulus, int depth, TermArray *out);

static void invert_atom(Search *search, const Term *atom, const Term *unknown, const Term *target,
                        int depth, TermArray *out)
{
    Kernel *kernel = search->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *definition = atom->variable ? atom->variable->definition : atom;
    int64_t value;
    if (atom == unknown) {
        *ARRAY_PUSH(terms->arena, out) = target;
    } else if (definition && definition->kind == TERM_ANY_MOD) {
        invert(search, definition->arguments[0], unknown, target, definition->arguments[1],
               depth + 1, out);
    } else if (definition && definition->kind == TERM_DIV) {
        for (int64_t k = 0; k < definition->value && k < 4; k++)
            invert(search, definition->arguments[0], unknown,
                   term_plus(terms, term_times(terms, target, definition->value), k), NULL,
                   depth + 1, out);
    } else if (definition && definition->kind == TERM_PRODUCT) {
        invert(search, definition->arguments[0], unknown,
               kernel_quotient(kernel, target, definition->arguments[1]), NULL, depth + 1, out);
    } else if (definition && definition->kind == TERM_ANY_DIV &&
               !term_is_int(definition->arguments[1], &value)) {
        invert(search, definition->arguments[0], unknown,
               kernel_product(kernel, target, definition->arguments[1]), NULL, depth + 1, out);
    } else if (definition && definition->kind == TERM_MULTIPLE) {
        invert(search, definition->arguments[0], unknown, target, NULL, depth + 1, out);
    }
}

/* The values that an atom which stands in the way may have. */
static TermArray branch_values(Terms *terms, const Term *atom)
{
    TermArray values = {0};
    const Term *definition = atom->variable ? atom->variable->definition : atom;
    const int64_t most = !definition                         ? -1
                         : definition->kind == TERM_DIGIT    ? definition->value - 1
                         : definition->kind == TERM_MOD      ? definition->value - 1
                         : definition->kind == TERM_MULTIPLE ? 3
                                                             : -1;
    if (atom->kind == TERM_CHOICE) {
        *ARRAY_PUSH(terms->arena, &values) = atom->arguments[1];
        *ARRAY_PUSH(terms->arena, &values) = atom->arguments[2];
    }
    for (int64_t k = 0; k <= most && k < 8; k++)
        *ARRAY_PUSH(terms->arena, &values) = definition->kind == TERM_MULTIPLE
                                                 ? term_times(terms, definition->arguments[1], k)
                                                 : term_int(terms, k);
    return values;
}

static void invert(Search *search, const Term *term, const Term *unknown, const Term *target,
                   const Term *modulus, int depth, TermArray *out)
{
    Terms *terms = search->proof->kernel->terms;
    const bool is_form = term->kind == TERM_LINEAR;
    const Term *single = NULL, *branch = NULL;
    int dependents = 0;
    if (depth > 10 || out->count > 32 || kernel_is_tired(search->proof->kernel))
        return;
    for (int i = 0; i < (is_form ? term->count : 1); i++) {
        const Term *atom = is_form ? term->arguments[i] : term;
        if (!term_depends(atom, unknown))
            continue;
        dependents++;
        single = atom;
        if (atom->kind == TERM_CHOICE || (atom != unknown && branch_values(terms, atom).count))
            branch = atom;
    }
    if (dependents == 0)
        return;
    if (branch && (dependents > 1 || branch->kind == TERM_CHOICE)) {
        const TermArray values = branch_values(terms, branch);
        const int64_t factor = term_coefficient(term, branch);
        for (size_t i = 0; i < values.count; i++)
            invert(search,
                   term_sum(terms, term_sum(terms, term, -factor, branch), factor, values.items[i]),
                   unknown, target, modulus, depth + 1, out);
        return;
    }
    if (dependents > 1)
        return;
    const int64_t factor = term_coefficient(term, single);
    const Term *rest = term_sum(terms, term, -factor, single);
    const Term *value = term_times(terms, term_sum(terms, target, -1, rest), factor > 0 ? 1 : -1);
    if (modulus)
        value = kernel_modulo(search->proof->kernel, value, modulus);
    invert_atom(search, single, unknown, term_div(terms, value, factor > 0 ? factor : -factor),
                depth, out);
}

/* Contributions for which a condition may hold: those at which parts of it are equalities. */
static void gather_contributions(Search *search, const Term *condition, const Term *c,
                                 TermArray *out)
{
    const bool compares = condition->kind == TERM_ZERO || condition->kind == TERM_AT_LEAST_ZERO;
    if (out->count > 12 || !term_depends(condition, c))
        return;
    if (compares)
        invert(search, condition->arguments[0], c, term_int(search->proof->kernel->terms, 0), NULL,
               0, out);
    for (int i = 0; !compares && i < condition->count; i++)
        gather_contributions(search, condition->arguments[i], c, out);
}

TermArray message_contributions(Proof *proof, const Term *condition, const Term *c)
{
    Search *search = ARENA_NEW(proof->kernel->arena, Search);
    TermArray found = {0};
    search->proof = proof;
    gather_contributions(search, condition, c, &found);
    return found;
}

/* NULL: it is still sought. */
static const Term *known_value(const Search *search, const Term *unknown)
{
    for (size_t i = 0; i < search->known.count; i++)
        if (search->known.items[i] == unknown)
            return search->values.items[i];
    return NULL;
}

static void seek(Search *search)
{
    Kernel *kernel = search->proof->kernel;
    TermArray candidates = {0};
    const Term *unknown = NULL;
    int left = 0;
    if (search->found_count == MOST_CANDIDATES || kernel_is_tired(kernel))
        return;
    for (int i = 0; i < search->unknown_count; i++) {
        if (known_value(search, search->unknowns[i]))
            continue;
        left++;
        for (size_t e = 0; !candidates.count && e < search->equations.count; e++) {
            const Term *equation = kernel_substitute(kernel, search->equations.items[e],
                                                     &search->known, &search->values);
            bool others = false;
            for (int j = 0; j < search->unknown_count; j++)
                others |= j != i && term_depends(equation, search->unknowns[j]);
            if (!others)
                invert(search, equation, search->unknowns[i], term_int(kernel->terms, 0), NULL, 0,
                       &candidates);
            if (candidates.count)
                unknown = search->unknowns[i];
        }
    }
    if (left == 0) {
        const Term **found = search->found[search->found_count++];
        for (int i = 0; i < search->unknown_count; i++)
            found[i] = known_value(search, search->unknowns[i]);
        return;
    }
    for (int i = 0; !unknown; i++)
        if (!known_value(search, search->unknowns[i]))
            unknown = search->unknowns[i];
    for (size_t i = 0; i < search->pool.count; i++)
        *ARRAY_PUSH(kernel->arena, &candidates) = search->pool.items[i];
    for (size_t i = 0; i < candidates.count && i < 32; i++) {
        bool depends = false;
        for (int j = 0; j < search->unknown_count && !depends; j++)
            depends = term_depends(candidates.items[i], search->unknowns[j]);
        if (depends)
            continue;
        *ARRAY_PUSH(kernel->arena, &search->known) = unknown;
        *ARRAY_PUSH(kernel->arena, &search->values) = candidates.items[i];
        seek(search);
        search->known.count--;
        search->values.count--;
    }
}

static void fill_pool(Search *search, const Block *block)
{
    Proof *proof = search->proof;
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    TermArray *pool = &search->pool;
    *ARRAY_PUSH(terms->arena, pool) = term_int(terms, 0);
    if (proof->env.slots[SCHEDULE_ROOT])
        *ARRAY_PUSH(terms->arena, pool) = proof->env.slots[SCHEDULE_ROOT];
    *ARRAY_PUSH(terms->arena, pool) = proof->x;
    for (int i = 0; i < block->count; i++)
        *ARRAY_PUSH(terms->arena, pool) = block->index[i];
    if (proof->combines)
        *ARRAY_PUSH(terms->arena, pool) = proof->c;
    for (int i = 0; i < block->count && i < proof->algorithm->collective->index_count; i++)
        for (int sign = -1; sign < 2; sign += 2)
            *ARRAY_PUSH(terms->arena, pool) = kernel_modulo(
                kernel, term_times(terms, term_sum(terms, block->index[i], -1, proof->x), sign),
                kernel->p);
    if (proof->algorithm->collective->index_count == 2 && block->count >= 2)
        for (int sign = -1; sign < 2; sign += 2)
            *ARRAY_PUSH(terms->arena, pool) = kernel_modulo(
                kernel,
                term_times(terms, term_sum(terms, block->index[0], -1, block->index[1]), sign),
                kernel->p);
}

/* A message of this sender, with these indices, that is the one which is meant. */
static const Term *alternative(Proof *proof, const Template *template, const State *state,
                               const Term *const *values, const Block *formal, bool leaves)
{
    Terms *terms = proof->kernel->terms;
    const Term *from = leaves ? proof->x : values[0];
    const Message message =
        message_build(proof, template, from, leaves ? values : values + 1, formal);
    const Block *block = leaves ? &message.block : &message.landing;
    const Term *last = term_plus(terms, proof->kernel->p, -1);
    const Term *is = message.guard;
    if (!leaves)
        is = term_and(terms, is, term_equal(terms, message.to, proof->x));
    is = term_and(terms, is, term_le(terms, term_int(terms, 0), from));
    is = term_and(terms, is, term_le(terms, from, last));
    for (int i = 0; i < block->count; i++)
        is = term_and(terms, is, term_equal(terms, block->index[i], formal->index[i]));
    return term_and(terms, is, state_holds(proof, state, from, &message.block, proof->c));
}

/* Keeps as few of the candidates as are needed for the messages at sample points. */
static const Term *cover(Proof *proof, const Template *template, const State *state, bool leaves,
                         const Term *const *candidates, int count)
{
    enum { POINTS = 1500 };
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    const Term *rank = proof_rank(proof, "r"), *c = proof->c;
    Block any = proof_block(proof, template->array);
    const Message message = message_build(proof, template, rank, NULL, &any);
    const Term *given =
        term_and(terms, message.guard, state_holds(proof, state, rank, &message.block, c));
    const Block *block = leaves ? &message.block : &message.landing;
    const Block formal = proof->blocks[block->array];
    const Term *needed[MOST_INDICES + 3] = {given, message.to, c};
    for (int i = 0; i < block->count; i++)
        needed[3 + i] = block->index[i];
    unsigned char *covers = ARENA_ARRAY(terms->arena, unsigned char, (size_t)count *POINTS);
    int points = 0;
    if (kernel->why)
        return term_bool(terms, false);
    Samples samples = samples_of(proof, needed, (size_t)(3 + block->count));
    while (points < POINTS && !kernel_is_tired(kernel) && samples_next(&samples, 4 * POINTS)) {
        if (!term_value(terms, given) || terms->undefined)
            continue;
        const int64_t at = term_value(terms, leaves ? rank : message.to);
        int64_t index[MOST_INDICES];
        for (int i = 0; i < block->count; i++)
            index[i] = term_value(terms, block->index[i]);
        proof->x->variable->now = at;
        for (int i = 0; i < block->count; i++)
            formal.index[i]->variable->now = index[i];
        terms_new_point(terms);
        for (int i = 0; i < count; i++) {
            terms->undefined = false;
            covers[i * POINTS + points] =
                term_value(terms, candidates[i]) != 0 && !terms->undefined;
        }
        points++;
    }
    const Term *some = term_bool(terms, false);
    for (int rounds = 0; rounds < 8; rounds++) {
        int best = -1, most = 0;
        for (int i = 0; i < count; i++) {
            int gain = 0;
            for (int point = 0; point < points; point++)
                gain += covers[i * POINTS + point];
            if (gain > most)
                best = i, most = gain;
        }
        if (best < 0)
            break;
        some = term_or(terms, some, candidates[best]);
        for (int point = 0; point < points; point++)
            if (covers[best * POINTS + point])
                for (int i = 0; i < count; i++)
                    covers[i * POINTS + point] = 0;
    }
    return some;
}

const Term *message_found(Proof *proof, const Template *template, const State *state, bool leaves)
{
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    Search *search = ARENA_NEW(terms->arena, Search);
    search->proof = proof;
    const Term *sender = leaves ? proof->x : proof_rank(proof, "y");
    if (!leaves)
        search->unknowns[search->unknown_count++] = sender;
    Block any = proof->blocks[template->array];
    const Message probe = message_build(proof, template, sender, NULL, &any);
    const Block *block = leaves ? &probe.block : &probe.landing;
    const Block formal = proof->blocks[block->array];
    for (int i = 0; i < template->loop_count; i++)
        search->unknowns[search->unknown_count++] = probe.parameters[i];
    if (!leaves)
        *ARRAY_PUSH(terms->arena, &search->equations) = term_sum(terms, probe.to, -1, proof->x);
    for (int i = 0; template->set && i < block->count; i++)
        *ARRAY_PUSH(terms->arena, &search->equations) =
            term_sum(terms, block->index[i], -1, formal.index[i]);
    fill_pool(search, &formal);
    seek(search);
    const Term *candidates[MOST_CANDIDATES];
    for (int i = 0; i < search->found_count && !kernel->why; i++)
        candidates[i] = alternative(proof, template, state, search->found[i], &formal, leaves);
    if (kernel->why)
        return term_bool(terms, false);
    return cover(proof, template, state, leaves, candidates, search->found_count);
}
