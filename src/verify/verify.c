#include "verify/verify.h"

#include "sched/store.h"
#include "verify/contents.h"
#include "verify/executor.h"
#include "verify/product.h"

enum { ELEMENTS_BESIDE_CHUNKS = 3, MOST_CHUNKS = 1 << 26 };

typedef struct {
    Contents *contents; /* NULL: too large */
    Executor *executor;
    Failure failure;
} Run;

static bool apply_round(void *context, const Round *round, Arena *arena)
{
    Run *run = context;
    (void)arena;
    return (!run->contents || contents_apply(run->contents, round, &run->failure)) &&
           executor_apply(run->executor, round, &run->failure);
}

/* Nothing is combined in a broadcast, so one kind of data says all. Some chunks get an element more
   than others: 2 k + 3 elements. */
static bool start_run(Run *run, Arena *arena, const Instance *instance, const Contract *contract,
                      const BlockSpace *space, int64_t chunks)
{
    const unsigned operations = (1u << (contract->combines ? OPERATION_COUNT : 1)) - 1;
    const uint64_t seed = (uint64_t)instance->p * 1000003u + (uint64_t)instance->root * 17u;
    if (chunks > MOST_CHUNKS)
        return false;
    run->contents = contents_create(arena, contract, space, chunks);
    run->executor = executor_create(arena, contract, space, chunks, operations,
                                    2 * chunks + ELEMENTS_BESIDE_CHUNKS, instance->weights, seed);
    return run->executor != NULL;
}

static bool check_run(Run *run, bool *in_rank_order)
{
    return (!run->contents || contents_check(run->contents, &run->failure)) &&
           executor_check(run->executor, in_rank_order, &run->failure);
}

/* A problem, in whole numbers and in doubles. */
typedef struct {
    ProductRun *runs[2];
    Failure failure;
} ProductRuns;

static bool apply_products(void *context, const Round *round, Arena *arena)
{
    ProductRuns *both = context;
    (void)arena;
    return product_apply(both->runs[0], round, &both->failure) &&
           product_apply(both->runs[1], round, &both->failure);
}

static Verification verify_problem(Arena *scratch, const Instance *instance, Diag *diag)
{
    Verification result = {0};
    ProductRuns both = {0};
    Contract contract;
    BlockSpace space;
    Extents extents;
    if (!schedule_blocks(instance, &space, diag) ||
        !schedule_contract(instance, scratch, &contract, diag) ||
        !extents_find(scratch, &space, instance->order, &extents, diag))
        return result;
    for (int i = 0; i < 2; i++) {
        both.runs[i] = product_create(scratch, instance, &contract, &space, &extents, i == 0);
        if (!both.runs[i])
            return result;
    }
    result.on_data = true;
    result.right = store_expand(instance, apply_products, &both, diag) &&
                   product_check(both.runs[0], &both.failure) &&
                   product_check(both.runs[1], &both.failure);
    if (!result.right)
        result.failure = both.failure;
    if (result.failure.text)
        result.failure.text =
            arena_printf(scratch, "%s, n = %lld", result.failure.text, (long long)instance->order);
    return result;
}

static Verification verify_here(Arena *scratch, const Instance *instance, Diag *diag)
{
    Verification result = {0};
    Run run = {0};
    Contract contract;
    BlockSpace space;
    int64_t chunks;
    if (instance->algorithm->collective->problem)
        return verify_problem(scratch, instance, diag);
    if (!contract_create(scratch, instance->algorithm->collective, instance->p, instance->root,
                         instance->target, &contract, diag) ||
        !contract_check_entries(instance->algorithm->collective, &contract, contract.p, diag) ||
        !schedule_chunks(instance, &chunks, diag) || !schedule_blocks(instance, &space, diag))
        return result;
    if (!start_run(&run, scratch, instance, &contract, &space, chunks))
        return result;
    result.on_data = true;
    result.right =
        store_expand(instance, apply_round, &run, diag) && check_run(&run, &result.in_rank_order);
    if (!result.right)
        result.failure = run.failure;
    result.in_rank_order &= result.right;
    return result;
}

Verification verify_schedule(Arena *arena, const Instance *instance, Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    size_t errors = diag->error_count;
    Verification result = verify_here(scratch, instance, diag);
    if (result.failure.text)
        result.failure.text = arena_printf(arena, "%s", result.failure.text);
    else if (!result.right && diag->error_count > errors)
        result.failure.text = arena_printf(arena, "the schedule cannot be expanded for p = %lld",
                                           (long long)instance->p);
    arena_destroy(scratch);
    return result;
}
