#include "prove/proof.h"

const Term *proof_extent(const Proof *proof, int array, int place)
{
    Kernel *kernel = proof->kernel;
    const Algorithm *algorithm = proof->algorithm;
    const Collective *collective = algorithm->collective;
    if (array && algorithm->array_sizes[array - 1].program) {
        if (place == 0)
            return kernel_program(kernel, &proof->env, algorithm->array_sizes[array - 1].program);
        place--;
    }
    if (place < collective->index_count)
        return kernel_program(kernel, &proof->env, collective->extents[place]);
    return algorithm->chunks.program
               ? kernel_program(kernel, &proof->env, algorithm->chunks.program)
               : term_int(kernel->terms, 1);
}

int proof_index_count(const Proof *proof, int array)
{
    return proof->index_count + (array && proof->algorithm->array_sizes[array - 1].program);
}

/* "blk", or "src" and "dst"; "chk" of a piece; "idx" in front in an array that has that. */
const char *proof_index_name(const Proof *proof, int array, int place)
{
    const Collective *collective = proof->algorithm->collective;
    if (proof_index_count(proof, array) > proof->index_count && place-- == 0)
        return "idx";
    if (place >= collective->index_count)
        return collective->index_count ? "chk" : "blk";
    return collective->index_count == 1 ? "blk" : place ? "dst" : "src";
}

Block proof_block(Proof *proof, int array)
{
    Terms *terms = proof->kernel->terms;
    Block block = {.array = array, .count = proof_index_count(proof, array)};
    for (int i = 0; i < block.count; i++) {
        const Term *last = term_plus(terms, proof_extent(proof, array, i), -1);
        const char *name = proof_index_name(proof, array, i);
        block.index[i] = term_free(terms, name, term_int(terms, 0), last);
    }
    return block;
}

const Term *proof_rank(Proof *proof, const char *name)
{
    Terms *terms = proof->kernel->terms;
    const Term *last = term_plus(terms, proof->kernel->p, -1);
    return term_free(terms, name, term_int(terms, 0), last);
}

Env proof_contract_env(const Proof *proof, const Term *rank)
{
    const Term *const *slots = proof->env.slots;
    return (Env){.slots = {[COLLECTIVE_P] = proof->kernel->p,
                           [COLLECTIVE_R] = rank,
                           [COLLECTIVE_ROOT] = slots[SCHEDULE_ROOT],
                           [COLLECTIVE_TARGET] = slots[SCHEDULE_TARGET]}};
}

/* Is the block one of a set of the collective, for a rank? Its indices are the variables of its
   loops, or numbers. */
static const Term *in_set(Proof *proof, const CompiledSet *set, const Term *rank,
                          const Block *block)
{
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    const int count = proof->algorithm->collective->index_count;
    const Term *is = term_bool(terms, true);
    Env env = proof_contract_env(proof, rank);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            int slot = -1;
            if (set->is_range && i == set->index_count - 1) {
                slot = set->loops[set->loop_count - 1].slot;
            } else {
                const Expr *index = program_expr(set->indices[i]);
                for (int j = 0; j < set->loop_count; j++)
                    if (index->kind == EXPR_VARIABLE && index->slot == set->loops[j].slot)
                        slot = index->slot;
            }
            if (pass == 0 && slot >= 0)
                env.slots[slot] = block->index[i];
            if (pass == 1 && slot < 0)
                is = term_and(terms, is,
                              term_equal(terms, block->index[i],
                                         kernel_program(kernel, &env, set->indices[i])));
        }
    for (int j = 0; j < set->loop_count && count; j++) {
        const Term *value = env.slots[set->loops[j].slot];
        if (!value)
            return kernel_refuse(kernel, "blocks of the contract");
        is = term_and(terms, is,
                      term_le(terms, kernel_program(kernel, &env, set->loops[j].from), value));
        is = term_and(terms, is,
                      term_le(terms, value, kernel_program(kernel, &env, set->loops[j].to)));
    }
    return term_and(terms, is, kernel_program(kernel, &env, set->condition));
}

const Term *proof_in_sets(Proof *proof, const SetList *sets, const Term *rank, const Block *block)
{
    Terms *terms = proof->kernel->terms;
    const Term *is = term_bool(terms, false);
    for (size_t i = 0; i < sets->count; i++)
        is = term_or(terms, is, in_set(proof, &sets->items[i], rank, block));
    return is;
}

/* The labels of other ranks in an invariant: v_blk is v of rank blk. */
static void add_labels(Proof *proof, const State *state, Env *env, const Block *block,
                       const Term *c)
{
    const LetList *lets = &proof->algorithm->lets;
    for (size_t i = 0; i < lets->count; i++)
        for (int of = 0; of < 2; of++) {
            const int slot = state->con_slot + 1 + 2 * (int)i + of;
            if (slot >= MOST_SLOTS || !expr_uses(state->held[block->array], slot))
                continue;
            Env other = *env;
            other.slots[SCHEDULE_R] = of ? c : block->index[block->count - 1];
            if (!of && block->count > 1 && proof->algorithm->chunks.program)
                other.slots[SCHEDULE_R] = block->index[block->count - 2];
            env->slots[slot] =
                kernel_translate(proof->kernel, &other, program_expr(lets->items[i].program));
        }
}

const Term *state_holds(Proof *proof, const State *state, const Term *rank, const Block *block,
                        const Term *c)
{
    Kernel *kernel = proof->kernel;
    const int array = block->array;
    if (state->is_formula) {
        TermArray from = {0}, to = {0};
        *ARRAY_PUSH(kernel->arena, &from) = proof->x;
        *ARRAY_PUSH(kernel->arena, &to) = rank;
        *ARRAY_PUSH(kernel->arena, &from) = proof->c;
        *ARRAY_PUSH(kernel->arena, &to) = c;
        for (int i = 0; i < block->count; i++) {
            *ARRAY_PUSH(kernel->arena, &from) = proof->blocks[array].index[i];
            *ARRAY_PUSH(kernel->arena, &to) = block->index[i];
        }
        return kernel_substitute(kernel, state->formula[array], &from, &to);
    }
    if (!state->held[array])
        return term_bool(kernel->terms, false);
    Env env = state->env;
    env.slots[SCHEDULE_R] = rank;
    for (int i = 0; i < block->count; i++)
        env.slots[state->blk_slot + i] = block->index[i];
    env.slots[state->con_slot] = c;
    add_labels(proof, state, &env, block, c);
    return kernel_translate(kernel, &env, state->held[array]);
}
