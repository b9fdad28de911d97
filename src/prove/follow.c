#include "prove/proof.h"

#include "lang/check.h"

void proof_oblige(Proof *proof, const char *name, const char *meaning, const TermArray *hypotheses,
                  const Term *goal)
{
    Obligation obligation = {name, meaning, *hypotheses, goal};
    if (proof->kernel->why || proof->failed || proof->watch || term_is_true(goal))
        return;
    for (size_t i = 0; i < hypotheses->count; i++)
        if (term_is_false(hypotheses->items[i]))
            return;
    if (!proof->found_only && !obligation_holds(proof, &obligation)) {
        proof->failed = name;
        return;
    }
    *ARRAY_PUSH(proof->kernel->arena, &proof->obligations) = obligation;
}

static void give(Proof *proof, TermArray *hypotheses, const Term *term)
{
    *ARRAY_PUSH(proof->kernel->arena, hypotheses) = term;
}

static const Term *in_range(Proof *proof, const Block *block)
{
    Terms *terms = proof->kernel->terms;
    const Term *is = term_bool(terms, true);
    for (int i = 0; i < block->count; i++) {
        const Term *last = term_plus(terms, proof_extent(proof, block->array, i), -1);
        is = term_and(terms, is, term_le(terms, term_int(terms, 0), block->index[i]));
        is = term_and(terms, is, term_le(terms, block->index[i], last));
    }
    return is;
}

/* What ranks hold before, as a formula: their own contributions. */
static State *initial_state(Proof *proof)
{
    Terms *terms = proof->kernel->terms;
    State *state = ARENA_NEW(terms->arena, State);
    state->is_formula = true;
    for (int a = 1; a < proof->array_count; a++)
        state->formula[a] = term_bool(terms, false);
    state->formula[0] =
        proof_in_sets(proof, &proof->algorithm->collective->before, proof->x, &proof->blocks[0]);
    if (proof->combines)
        state->formula[0] =
            term_and(terms, state->formula[0], term_equal(terms, proof->c, proof->x));
    return state;
}

/* A round while it is followed. */
typedef struct {
    Proof *proof;
    Templates templates;
    const State *before;
    State *after; /* NULL: the formula that follows from the messages */
    const Term *arrives[MOST_BLOCK_ARRAYS], *leaves[MOST_BLOCK_ARRAYS];
} RoundProof;

static Message any_message(RoundProof *round, const Template *template, const char *rank)
{
    const Block any = template->set ? (Block){0} : proof_block(round->proof, template->array);
    return message_build(round->proof, template, proof_rank(round->proof, rank), NULL, &any);
}

/* Ranks and blocks exist, and the sender holds what it sends. */
static void oblige_message(RoundProof *round, const Template *template)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    const Message message = any_message(round, template, "r");
    const Term *last = term_plus(terms, proof->kernel->p, -1);
    TermArray given = {0}, sends = {0};
    give(proof, &given, message.guard);
    give(proof, &sends, message.sends);
    proof_oblige(proof, "receiver", "the receiver exists", &sends,
                 term_between(terms, term_int(terms, 0), message.to, last));
    const Term *lands = in_range(proof, &message.landing);
    proof_oblige(proof, "range", "the block exists", &given,
                 term_and(terms, in_range(proof, &message.block), lands));
    if (!template->set)
        return;
    const Term *holds =
        state_holds(round->proof, round->before, message.from, &message.block, message.from);
    if (proof->combines) { /* some contribution is in it */
        const Term *c = proof_rank(proof, "con");
        const TermArray some = message_contributions(
            proof, state_holds(round->proof, round->before, message.from, &message.block, c), c);
        for (size_t i = 0; i < some.count; i++) {
            const Term *there = state_holds(round->proof, round->before, message.from,
                                            &message.block, some.items[i]);
            const Term *exists = term_between(terms, term_int(terms, 0), some.items[i], last);
            holds = term_or(terms, holds, term_and(terms, exists, there));
        }
    }
    proof_oblige(proof, "sender holds", "who sends a block holds it before the round", &given,
                 holds);
}

/* What a rank held and does not give away in this round. */
static const Term *kept(RoundProof *round, const Term *rank, const Block *block, const Term *c)
{
    Terms *terms = round->proof->kernel->terms;
    State left = {.is_formula = true};
    left.formula[block->array] = round->leaves[block->array];
    const Term *stays = term_not(terms, state_holds(round->proof, &left, rank, block, c));
    return term_and(terms, state_holds(round->proof, round->before, rank, block, c), stays);
}

/* What arrives is held afterwards; what is combined was not in it, what is copied is no other. */
static void oblige_arrival(RoundProof *round, const Template *template)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    const Message message = any_message(round, template, "r");
    const VerbInfo *verb = &verb_info[template->step->transfer.verb];
    const Term *c = proof_rank(proof, "con"), *c2 = proof_rank(proof, "con");
    const Term *const here =
        state_holds(round->proof, round->before, message.from, &message.block, c);
    TermArray given = {0}, other;
    give(proof, &given, message.guard);
    give(proof, &given, here);
    proof_oblige(proof, "arrives", "what arrives is held after the round", &given,
                 state_holds(round->proof, round->after, message.to, &message.landing, c));
    const Term *there = kept(round, message.to, &message.landing, c);
    if (!proof->combines || verb->combines) {
        proof_oblige(proof, "once", "what arrives was not there before", &given,
                     term_not(terms, there));
    } else {
        other = (TermArray){0};
        give(proof, &other, message.guard);
        give(proof, &other, kept(round, message.to, &message.landing, c2));
        proof_oblige(proof, "same value", "what is written over was the same", &other,
                     term_same(terms, there, here));
    }
    if (!proof->algorithm->collective->rank_order || !verb->combines)
        return;
    other = given;
    give(proof, &other, kept(round, message.to, &message.landing, c2));
    const Term *c3 = proof_rank(proof, "con"), *c4 = proof_rank(proof, "con");
    give(proof, &other, state_holds(round->proof, round->before, message.from, &message.block, c3));
    give(proof, &other, kept(round, message.to, &message.landing, c4));
    const Term *beside = term_less(terms, c3, c4);
    proof_oblige(proof, "order", "what is combined lies on one side of what was there", &other,
                 term_same(terms, term_less(terms, c, c2), beside));
}

/* What a rank gives away and holds afterwards has arrived. */
static void oblige_departure(RoundProof *round, const Template *template)
{
    Proof *proof = round->proof;
    const Message message = any_message(round, template, "r");
    const Term *c = proof_rank(proof, "con");
    TermArray given = {0};
    give(proof, &given, message.guard);
    give(proof, &given, state_holds(round->proof, round->before, message.from, &message.block, c));
    give(proof, &given, state_holds(round->proof, round->after, message.from, &message.block, c));
    State arrived = {.is_formula = true};
    arrived.formula[message.block.array] = round->arrives[message.block.array];
    proof_oblige(proof, "given away", "who gives a block away holds it only if it arrives again",
                 &given, state_holds(round->proof, &arrived, message.from, &message.block, c));
}

/* Two messages with the same block for the same rank are one. */
static void oblige_pair(RoundProof *round, size_t i, size_t j)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    const Template *a = &round->templates.items[i], *b = &round->templates.items[j];
    const Message one = any_message(round, a, "r"), two = any_message(round, b, "s");
    const Term *c = proof_rank(proof, "con"), *same = term_bool(terms, i == j);
    TermArray given = {0};
    if (one.landing.array != two.landing.array)
        return;
    give(proof, &given, one.guard);
    give(proof, &given, two.guard);
    give(proof, &given, term_equal(terms, one.to, two.to));
    for (int k = 0; k < one.landing.count; k++)
        give(proof, &given, term_equal(terms, one.landing.index[k], two.landing.index[k]));
    if (!proof->algorithm->collective->rank_order) {
        give(proof, &given, state_holds(round->proof, round->before, one.from, &one.block, c));
        give(proof, &given, state_holds(round->proof, round->before, two.from, &two.block, c));
    }
    same = term_and(terms, same, term_equal(terms, one.from, two.from));
    for (int k = 0; i == j && k < a->loop_count; k++)
        same = term_and(terms, same, term_equal(terms, one.parameters[k], two.parameters[k]));
    proof_oblige(proof, "no two", "two messages that bring the same to one rank are one", &given,
                 same);
}

static bool moves(const Template *template)
{
    return !verb_info[template->step->transfer.verb].keeps;
}

static void find_messages(RoundProof *round)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    for (int a = 0; a < proof->array_count; a++)
        round->arrives[a] = round->leaves[a] = term_bool(terms, false);
    for (size_t i = 0; i < round->templates.count && !proof->kernel->why; i++) {
        const Template *template = &round->templates.items[i];
        const Transfer *transfer = &template->step->transfer;
        const int lands = template->into      ? template->into->syntax->array
                          : transfer->as >= 0 ? transfer->as
                                              : template->array;
        round->arrives[lands] = term_or(terms, round->arrives[lands],
                                        message_found(proof, template, round->before, false));
        if (moves(template))
            round->leaves[template->array] =
                term_or(terms, round->leaves[template->array],
                        message_found(proof, template, round->before, true));
    }
}

/* What ranks hold after the round: what they held and did not give away, and what arrived. */
static State *state_after(RoundProof *round)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    State *state = ARENA_NEW(terms->arena, State);
    state->is_formula = true;
    for (int a = 0; a < proof->array_count; a++) {
        const Term *held = state_holds(proof, round->before, proof->x, &proof->blocks[a], proof->c);
        state->formula[a] = term_or(terms, term_and(terms, held, term_not(terms, round->leaves[a])),
                                    round->arrives[a]);
    }
    return state;
}

/* What the stated condition says was held, or arrived; and, exactly, what was held and is not now
   was given away. */
static void oblige_step(RoundProof *round)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    for (int a = 0; a < proof->array_count; a++) {
        const Block *block = &proof->blocks[a];
        const Term *before = state_holds(proof, round->before, proof->x, block, proof->c);
        const Term *after = state_holds(proof, round->after, proof->x, block, proof->c);
        TermArray given = {0};
        give(proof, &given, after);
        proof_oblige(proof, "step", "what is held after the round was held before, or arrives",
                     &given, term_or(terms, before, round->arrives[a]));
        if (!proof->exact)
            continue;
        given = (TermArray){0};
        give(proof, &given, before);
        give(proof, &given, term_not(terms, after));
        proof_oblige(proof, "keeps", "what is held no more was given away", &given,
                     round->leaves[a]);
    }
}

/* Follows one round; `after` is what is to be held then, or NULL. */
static State *follow_round(Proof *proof, const ScheduleStep *step, const Env *env,
                           const State *before, State *after)
{
    RoundProof round = {.proof = proof, .before = before, .after = after};
    Env inner = *env;
    inner.slots[SCHEDULE_R] = NULL;
    templates_list(proof, step, inner, &round.templates);
    for (size_t i = 0; i < round.templates.count; i++)
        if (!proof->combines && verb_info[round.templates.items[i].step->transfer.verb].combines)
            kernel_refuse(proof->kernel, "combining where nothing is combined");
    if (proof->watch) {
        proof->watch->round(proof->watch->context, proof, &round.templates, before);
        if (after)
            return after;
    }
    for (size_t i = 0; i < round.templates.count; i++)
        oblige_message(&round, &round.templates.items[i]);
    find_messages(&round);
    if (proof->kernel->why || proof->failed)
        return NULL;
    if (!after)
        round.after = state_after(&round);
    for (size_t i = 0; i < round.templates.count; i++) {
        if (proof->exact)
            oblige_arrival(&round, &round.templates.items[i]);
        if (moves(&round.templates.items[i]))
            oblige_departure(&round, &round.templates.items[i]);
        for (size_t j = 0; proof->exact && j <= i; j++)
            oblige_pair(&round, j, i);
    }
    if (after)
        oblige_step(&round);
    return round.after;
}

/* Every state is a condition on x, block and c: is that of `a` that of `b`, or at least implied? */
static void oblige_same(Proof *proof, const State *a, const State *b, const char *name,
                        const char *meaning)
{
    for (int i = 0; i < proof->array_count; i++) {
        const Term *from = state_holds(proof, a, proof->x, &proof->blocks[i], proof->c);
        const Term *to = state_holds(proof, b, proof->x, &proof->blocks[i], proof->c);
        TermArray given = {0};
        if (proof->exact) {
            proof_oblige(proof, name, meaning, &given, term_same(proof->kernel->terms, from, to));
        } else {
            give(proof, &given, to);
            proof_oblige(proof, name, meaning, &given, from);
        }
    }
}

static const State *follow_steps(Proof *proof, const ScheduleStep *steps, size_t count,
                                 const Env *env, const State *state, State *last);

/* The next invariant, with the names of the loop's program; false: there is none. */
static bool take_invariant(Proof *proof, const ScheduleStep *loop, State *state)
{
    Kernel *kernel = proof->kernel;
    if (proof->used == proof->invariant_count) {
        proof->wants_more = true;
        proof->index_wanted = text_string(kernel->arena, loop->loop.name);
        return false;
    }
    const Scope *names = &proof->algorithm->names;
    Scope scope = {0};
    for (size_t i = 0; i < names->count; i++)
        scope_add(kernel->arena, &scope, names->items[i]);
    scope.functions = names->functions;
    while ((int)scope.count <= loop->loop.slot) {
        const char *name = "";
        for (size_t i = 0; i < proof->loops.count; i++)
            if (proof->loops.items[i].slot == (int)scope.count)
                name = text_string(kernel->arena, proof->loops.items[i].name);
        scope_add(kernel->arena, &scope, (Variable){name, TYPE_INT, DIMENSION_NONE, false});
    }
    state->blk_slot = (int)scope.count;
    Text rest = text_plain(proof->invariants[proof->used++]), part;
    for (int a = 0; a < proof->array_count; a++) {
        part = text_next(&rest, ';', &part) ? text_trim(part) : text_plain("");
        scope.count = (size_t)state->blk_slot;
        for (int i = 0; i < MOST_INDICES; i++)
            scope_add(
                kernel->arena, &scope,
                (Variable){i < proof_index_count(proof, a) ? proof_index_name(proof, a, i) : "",
                           TYPE_INT, DIMENSION_NONE, true});
        state->con_slot =
            scope_add(kernel->arena, &scope, (Variable){"con", TYPE_INT, DIMENSION_NONE, true});
        for (size_t i = 0; i < 2 * proof->algorithm->lets.count; i++) {
            const Variable *of = &names->items[proof->algorithm->lets.items[i / 2].slot];
            const char *ends[] = {"blk", "con"};
            scope_add(kernel->arena, &scope,
                      (Variable){arena_printf(kernel->arena, "%s_%s", of->name, ends[i % 2]),
                                 of->type, DIMENSION_NONE, true});
        }
        FirstError error = {.arena = kernel->arena};
        Diag silent = diag_keep_first(&error);
        Expr *expr = part.length ? parse_expression(kernel->arena, part, &silent) : NULL;
        if (expr)
            expr =
                check_expression(kernel->arena, expr, &scope, TYPE_BOOL, DIMENSION_NONE, &silent);
        if (part.length && !expr) {
            kernel_refuse(kernel, "the invariant '%.*s' (%s)", TEXT_ARGS(part), error.message);
            return false;
        }
        state->held[a] = expr;
    }
    return true;
}

/* The invariant with the loop's index at a boundary. */
static State *at_boundary(Proof *proof, const State *invariant, const Env *env, int slot,
                          const Term *index)
{
    State *state = ARENA_COPY(proof->kernel->arena, State, invariant, 1);
    state->env = *env;
    state->env.slots[slot] = index;
    return state;
}

static const Term *loop_end(Terms *terms, const Term *low, const Term *high)
{
    const Term *end = term_plus(terms, high, 1);
    return term_is_true(term_le(terms, low, end))
               ? end
               : term_choice(terms, term_le(terms, low, high), end, low);
}

bool proof_may_begin(Proof *proof, const char *invariant)
{
    const ScheduleStep *loop = proof->wanted;
    const Term *first = kernel_program(proof->kernel, &proof->wanted_env, loop->from);
    State state = {0};
    const char *const *invariants = proof->invariants;
    const size_t count = proof->invariant_count, used = proof->used;
    proof->invariants = &invariant;
    proof->invariant_count = 1;
    proof->used = 0;
    if (loop->loop.down)
        first = loop_end(proof->kernel->terms,
                         kernel_program(proof->kernel, &proof->wanted_env, loop->to), first);
    if (take_invariant(proof, loop, &state))
        oblige_same(proof, proof->wanted_state,
                    at_boundary(proof, &state, &proof->wanted_env, loop->loop.slot, first), "", "");
    const bool may = !proof->kernel->why && !proof->failed;
    proof->kernel->why = proof->failed = NULL;
    proof->invariants = invariants;
    proof->invariant_count = count;
    proof->used = used;
    return may;
}

static const State *follow_loop(Proof *proof, const ScheduleStep *loop, const Env *env,
                                const State *before)
{
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    const bool down = loop->loop.down;
    const int slot = loop->loop.slot;
    State invariant = {0};
    if (loop->then.count || loop->condition.program) {
        kernel_refuse(kernel, loop->then.count ? "names with new values in each pass"
                                               : "a condition of a repeat");
        return NULL;
    }
    const Term *first = kernel_program(kernel, env, loop->from);
    const Term *last = kernel_program(kernel, env, loop->to);
    const Term *low = down ? last : first, *high = down ? first : last;
    *ARRAY_PUSH(kernel->arena, &proof->loops) = loop->loop;
    proof->wanted = loop;
    proof->wanted_env = *env;
    proof->wanted_state = before;
    if (kernel->why || !take_invariant(proof, loop, &invariant))
        return NULL;
    const Term *end = loop_end(terms, low, high);
    char *name = text_string(kernel->arena, loop->loop.name);
    const Term *index = term_free(terms, name, low, high), *next = term_plus(terms, index, 1);
    oblige_same(proof, before, at_boundary(proof, &invariant, env, slot, down ? end : low), "entry",
                "before the loop its invariant holds");
    Env inner = *env;
    inner.slots[slot] = index;
    kernel_lets(&inner, &loop->lets);
    State *after = at_boundary(proof, &invariant, env, slot, down ? index : next);
    if (proof->watch)
        proof->watch->loop(proof->watch->context, index, low, high, true);
    const State *followed =
        follow_steps(proof, loop->steps, loop->step_count, &inner,
                     at_boundary(proof, &invariant, env, slot, down ? next : index), after);
    proof->loops.count--;
    if (proof->watch)
        proof->watch->loop(proof->watch->context, index, low, high, false);
    if (!followed)
        return NULL;
    return at_boundary(proof, &invariant, env, slot, down ? low : end);
}

/* `last`: what must be held after the steps; NULL: what follows. */
static const State *follow_steps(Proof *proof, const ScheduleStep *steps, size_t count,
                                 const Env *env, const State *state, State *last)
{
    for (size_t i = 0; i < count && state && !proof->kernel->why && !proof->failed; i++) {
        State *wanted = i + 1 == count ? last : NULL;
        const ScheduleStep *step = &steps[i];
        if (step->kind == STEP_REPEAT) {
            state = follow_loop(proof, step, env, state);
            if (wanted && state)
                oblige_same(proof, state, wanted, "exit",
                            "after the inner loop the invariant holds again");
        } else if (step->kind == STEP_TRANSFER ||
                   (step->kind == STEP_ROUND && !step->condition.program)) {
            state = follow_round(proof, step, env, state, wanted);
        } else {
            kernel_refuse(proof->kernel, "steps that use other algorithms");
        }
    }
    return proof->kernel->why || proof->failed ? NULL : state;
}

static void oblige_contract(Proof *proof, const State *state)
{
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    const Collective *collective = proof->algorithm->collective;
    const Term *held = state_holds(proof, state, proof->x, &proof->blocks[0], proof->c);
    TermArray given = {0};
    give(proof, &given, proof_in_sets(proof, &collective->after, proof->x, &proof->blocks[0]));
    if (!collective->combines) {
        const Term *wanted = given.items[0];
        if (!proof->exact)
            proof_oblige(proof, "contract", "all that is asked for is held at the end", &given,
                         held);
        given.count = 0;
        if (proof->exact)
            proof_oblige(proof, "contract", "what is asked for is held at the end, nothing else",
                         &given, term_same(terms, wanted, held));
        return;
    }
    const Env env = proof_contract_env(proof, proof->x);
    const Term *from = kernel_program(kernel, &env, collective->contributors_from);
    const Term *to = kernel_program(kernel, &env, collective->contributors_to);
    proof_oblige(proof, "contract",
                 "at the end the contributions asked for are combined, no others", &given,
                 term_same(terms, held, term_between(terms, from, proof->c, to)));
}

/* What is required of p: that it is a power, or conditions. */
static void require(Proof *proof, const Expr *expr)
{
    Kernel *kernel = proof->kernel;
    if (expr->kind == EXPR_AND) {
        require(proof, expr->arguments[0]);
        require(proof, expr->arguments[1]);
        return;
    }
    if (expr->kind == EXPR_POWER_OF_TWO && expr->arguments[0]->kind == EXPR_VARIABLE &&
        expr->arguments[0]->slot == SCHEDULE_P) {
        kernel->p_base = 2;
        return;
    }
    const Expr *power = expr->kind == EXPR_EQUAL ? expr->arguments[0] : NULL;
    if (power && power->kind == EXPR_LARGEST && expr->arguments[1]->kind == EXPR_VARIABLE &&
        expr->arguments[1]->slot == SCHEDULE_P) {
        const Term *largest = kernel_translate(kernel, &proof->env, power);
        for (size_t i = 0; i < kernel->chains.count; i++)
            if (kernel->chains.items[i]->unit == largest)
                kernel->p_base = kernel->chains.items[i]->base;
        kernel->chains.count = 0; /* from now on it is p itself */
        return;
    }
    const Term *required = kernel_translate(kernel, &proof->env, expr);
    if (term_is_false(required))
        kernel_refuse(kernel, "it does not run so");
    else
        give(proof, &proof->hypotheses, required);
}

Proof *proof_start(Kernel *kernel, const Algorithm *algorithm, RankCase ranks, bool exact)
{
    Proof *proof = ARENA_NEW(kernel->arena, Proof);
    const Collective *collective = algorithm->collective;
    proof->kernel = kernel;
    proof->algorithm = algorithm;
    proof->combines = collective->combines;
    proof->exact = exact || collective->combines;
    proof->array_count = (int)algorithm->array_count + 1;
    proof->index_count =
        collective->index_count + (algorithm->chunks.program || !collective->index_count);
    proof->env = kernel_env(kernel, algorithm, ranks);
    if (algorithm->requires.program)
        require(proof, program_expr(algorithm->requires.program));
    proof->x = proof_rank(proof, "x");
    proof->c = proof_rank(proof, "con");
    for (int a = 0; a < proof->array_count; a++)
        proof->blocks[a] = proof_block(proof, a);
    return proof;
}

bool proof_follow(Proof *proof)
{
    const Algorithm *algorithm = proof->algorithm;
    Kernel *kernel = proof->kernel;
    if (algorithm->grid.count || algorithm->grid.is_network || algorithm->trees ||
        algorithm->dual || algorithm->collective->problem || !algorithm->step_count)
        kernel_refuse(kernel, "programs on grids, or made from others");
    if (kernel->why)
        return false;
    const State *state = follow_steps(proof, algorithm->steps, algorithm->step_count, &proof->env,
                                      initial_state(proof), NULL);
    if (state)
        oblige_contract(proof, state);
    if (kernel->terms->overflows)
        kernel_refuse(kernel, "numbers that are too large");
    return state && !kernel->why && !proof->failed && !proof->wants_more;
}
