#include "verify/verify.h"
#include "verify/executor.h"

#include <string.h>

enum { MOST_BYTES = 64 << 20 };

/* sets: p x blocks x words; the set of (rank, block) is all zero where the rank lacks the block. */
struct Contents {
    FailureSite site;
    int64_t chunks, block_count;

    size_t words;
    uint64_t *sets;
};

static uint64_t *set_of(const Contents *contents, int64_t rank, int64_t block)
{
    size_t place = (size_t)rank * (size_t)contents->block_count + (size_t)block;
    return contents->sets + place * contents->words;
}

static bool is_empty(const Contents *contents, const uint64_t *set)
{
    for (size_t w = 0; w < contents->words; w++)
        if (set[w])
            return false;
    return true;
}

Contents *contents_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks)
{
    size_t p = (size_t)contract->p, words = p / 64 + 1;
    if ((size_t)space->count > (size_t)MOST_BYTES / 8 / words / p)
        return NULL;
    Contents *contents = ARENA_NEW(arena, Contents);
    *contents = (Contents){.site = {arena, contract, space, 0},
                           .chunks = chunks,
                           .block_count = space->count,
                           .words = words,
                           .sets = ARENA_ARRAY(arena, uint64_t, p * (size_t)space->count * words)};
    const Holding *before = &contract->before;
    /* A block that several ranks hold before is one value unless contributions are combined. */
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0, count = holding_count(before, r); i < count; i++)
            for (int64_t h = 0; h < chunks; h++) {
                int64_t origin = contract->combines ? r : 0;
                uint64_t *set = set_of(contents, r, holding_block(before, r, i) * chunks + h);
                set[origin / 64] |= (uint64_t)1 << (origin % 64);
            }
    return contents;
}

/* All reads come before all writes: what is sent is copied first, then taken from its sender. */
static bool read_round(Contents *contents, const Round *round, uint64_t *sent, Failure *failure)
{
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = transfer->first_block; i < transfer->first_block + transfer->block_count;
             i++) {
            const uint64_t *set = set_of(contents, transfer->from, round->blocks[i]);
            if (is_empty(contents, set))
                return failure_of_transfer(&contents->site, transfer, round->blocks[i], failure,
                                           failure_not_held(transfer));
            memcpy(sent + i * contents->words, set, contents->words * sizeof *set);
        }
    }
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count && !verb_info[transfer->verb].keeps; i++)
            memset(set_of(contents, transfer->from, round->blocks[transfer->first_block + i]), 0,
                   contents->words * sizeof *sent);
    }
    return true;
}

static bool receive(Contents *contents, const ScheduledTransfer *transfer, int64_t block,
                    const uint64_t *sent, Failure *failure)
{
    uint64_t *set = set_of(contents, transfer->to, block);
    if (!verb_info[transfer->verb].combines) {
        if (!is_empty(contents, set) && memcmp(set, sent, contents->words * sizeof *set) != 0)
            return failure_of_transfer(&contents->site, transfer, block, failure,
                                       failure_overwrites(transfer));
        memcpy(set, sent, contents->words * sizeof *set);
        return true;
    }
    for (size_t w = 0; w < contents->words; w++) {
        const uint64_t twice = set[w] & sent[w];
        if (twice)
            return failure_of_transfer(
                &contents->site, transfer, block, failure,
                arena_printf(contents->site.arena,
                             "the contribution of rank %lld is combined twice",
                             (long long)w * 64 + __builtin_ctzll(twice)));
        set[w] |= sent[w];
    }
    return true;
}

bool contents_apply(Contents *contents, const Round *round, Failure *failure)
{
    ArenaMark mark = arena_mark(contents->site.arena);
    uint64_t *sent =
        ARENA_ARRAY(contents->site.arena, uint64_t, round_block_count(round) * contents->words);
    contents->site.round_number = round->number;
    if (!read_round(contents, round, sent, failure))
        return false;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = transfer->first_block; i < transfer->first_block + transfer->block_count;
             i++)
            if (!receive(contents, transfer, round_destination(round, i),
                         sent + i * contents->words, failure))
                return false;
    }
    arena_release(contents->site.arena, mark);
    return true;
}

/* Why a block is not what the contract says. */
static const char *describe_block(const Contents *contents, int64_t rank, int64_t block)
{
    Arena *arena = contents->site.arena;
    const Contract *contract = contents->site.contract;
    const uint64_t *set = set_of(contents, rank, block);
    const char *name = blockspace_name(arena, contents->site.space, block);
    const char *at =
        arena_printf(arena, "after the last round (%s)", contract_describe(arena, contract));
    if (is_empty(contents, set))
        return arena_printf(arena, "rank %lld lacks block %s %s", (long long)rank, name, at);
    int64_t from = per_rank(&contract->contributors_from, rank),
            to = per_rank(&contract->contributors_to, rank);
    const char *missing = ""; /* "rank 1, 3, 5": at most eight */
    for (int64_t r = from, shown = 0; r <= to && shown <= 8; r++) {
        if (set[r / 64] >> (r % 64) & 1)
            continue;
        missing = shown++ == 8 ? arena_printf(arena, "%s, ...", missing)
                               : arena_printf(arena, "%s%s%lld", missing, *missing ? ", " : "rank ",
                                              (long long)r);
    }
    if (*missing)
        return arena_printf(arena, "block %s of rank %lld lacks the contribution of %s %s", name,
                            (long long)rank, missing, at);
    int64_t extra = 0;
    while ((extra >= from && extra <= to) || !(set[extra / 64] >> (extra % 64) & 1))
        extra++;
    return arena_printf(arena,
                        "block %s of rank %lld holds the contribution of rank %lld, which "
                        "does not belong there, %s",
                        name, (long long)rank, (long long)extra, at);
}

static bool check_block(const Contents *contents, int64_t rank, int64_t block, Failure *failure)
{
    const Contract *contract = contents->site.contract;
    const uint64_t *set = set_of(contents, rank, block);
    bool right = !is_empty(contents, set);
    if (right && contract->combines) { /* of the contributors, and no other ranks */
        const int64_t from = per_rank(&contract->contributors_from, rank);
        const int64_t to = per_rank(&contract->contributors_to, rank);
        for (size_t w = 0; w < contents->words; w++) {
            int64_t first = from - (int64_t)w * 64, last = to - (int64_t)w * 64;
            uint64_t from_first = first <= 0 ? UINT64_MAX : first > 63 ? 0 : UINT64_MAX << first;
            uint64_t to_last = last >= 63 ? UINT64_MAX : last < 0 ? 0 : UINT64_MAX >> (63 - last);
            right &= set[w] == (from_first & to_last);
        }
    }
    if (!right)
        failure->text = describe_block(contents, rank, block);
    return right;
}

bool contents_check(const Contents *contents, Failure *failure)
{
    const Holding *after = &contents->site.contract->after;
    failure->span = NOWHERE;
    for (int64_t r = 0; r < contents->site.contract->p; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++)
            for (int64_t h = 0; h < contents->chunks; h++)
                if (!check_block(contents, r, holding_block(after, r, i) * contents->chunks + h,
                                 failure))
                    return false;
    return true;
}

enum { ELEMENTS_BESIDE_CHUNKS = 3 };

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
        !schedule_contract(instance, instance->p, scratch, &contract, diag) ||
        !extents_find(scratch, &space, instance->sizes.order, &extents, diag))
        return result;
    for (int i = 0; i < 2; i++) {
        both.runs[i] = product_create(scratch, instance, &contract, &space, &extents, i == 0);
        if (!both.runs[i])
            return result;
    }
    result.on_data = true;
    result.right = schedule_expand(instance, apply_products, &both, diag) &&
                   product_check(both.runs[0], &both.failure) &&
                   product_check(both.runs[1], &both.failure);
    if (!result.right)
        result.failure = both.failure;
    if (result.failure.text)
        result.failure.text = arena_printf(scratch, "%s, n = %lld", result.failure.text,
                                           (long long)instance->sizes.order);
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
    /* Nothing is combined in a broadcast, so one kind of data says all. Some chunks get an
       element more than others: 2 k + 3 elements. */
    const unsigned operations = (1u << (contract.combines ? OPERATION_COUNT : 1)) - 1;
    const uint64_t seed = (uint64_t)instance->p * 1000003u + (uint64_t)instance->root * 17u;
    if (chunks > MOST_BYTES)
        return result;
    run.contents = contents_create(scratch, &contract, &space, chunks);
    run.executor =
        executor_create(scratch, &contract, &space, chunks, operations,
                        2 * chunks + ELEMENTS_BESIDE_CHUNKS, instance->sizes.weights, seed);
    if (!run.executor)
        return result;
    result.on_data = true;
    result.right = schedule_expand(instance, apply_round, &run, diag) &&
                   (!run.contents || contents_check(run.contents, &run.failure)) &&
                   executor_check(run.executor, &result.in_rank_order, &run.failure);
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
