#include "sched/contract.h"

const char *contract_describe(Arena *arena, const Contract *contract)
{
    const char *text = arena_printf(arena, "p = %lld", (long long)contract->p);
    if (contract->rooted)
        text = arena_printf(arena, "%s, root = %lld", text, (long long)contract->root);
    if (contract->targeted)
        text = arena_printf(arena, "%s, target = %lld", text, (long long)contract->target);
    return text;
}

bool contract_buffer_blocks(const Collective *collective, int64_t p, int64_t *count, Diag *diag)
{
    const void *slots[MOST_SLOTS] = {&p};
    *count = 1;
    return !collective->buffer.program ||
           program_run_int(collective->buffer.program, slots, count, diag);
}

bool contract_try_buffer_blocks(const Collective *collective, int64_t p, int64_t *count)
{
    Diag silent = diag_silent();
    return contract_buffer_blocks(collective, p, count, &silent);
}

static bool find_contributors(const HoldingLayout *layout, Arena *scratch, Contract *contract)
{
    const Collective *collective = layout->collective;
    const void *const *slots = layout->frame->slots;
    const size_t p = (size_t)layout->p;
    int64_t *from = ARENA_ROOM(scratch, int64_t, p), *to = ARENA_ROOM(scratch, int64_t, p);
    if (!program_run(collective->contributors_from, slots, p, from, layout->diag) ||
        !program_run(collective->contributors_to, slots, p, to, layout->diag))
        return false;
    for (int64_t r = 0; r < layout->p; r++)
        if (from[r] < 0 || to[r] >= layout->p)
            return diag_error(layout->diag, collective->head.span,
                              "'combine' names ranks outside of 0 .. %lld for rank %lld",
                              (long long)layout->p - 1, (long long)r);
    contract->contributors_from = per_rank_of(layout->arena, from, layout->p);
    contract->contributors_to = per_rank_of(layout->arena, to, layout->p);
    return true;
}

bool contract_create(Arena *arena, const Collective *collective, int64_t p, int64_t root,
                     int64_t target, Contract *contract, Diag *diag)
{
    *contract = (Contract){.p = p,
                           .root = root,
                           .target = target,
                           .rooted = collective->rooted,
                           .targeted = collective->targeted,
                           .combines = collective->combines,
                           .rank_order = collective->rank_order,
                           .is_empty = collective->is_empty};
    if (p > LIMIT_CONTRACT_RANKS)
        return diag_limit(diag, NOWHERE, "%lld ranks are too many to lay out", (long long)p);
    Arena *scratch = arena_scratch(arena);
    const Frame frame = {{&p, lanes_identity(scratch, (size_t)p),
                          collective->rooted ? &contract->root : NULL, &contract->target}};
    BlockSpace space;
    const HoldingLayout layout = {arena, collective, p, &space, &frame, diag};
    const bool good = blockspace_create(collective, p, 0, &space, diag) &&
                      contract_buffer_blocks(collective, p, &contract->buffer_blocks, diag) &&
                      holding_lay_out(&layout, &collective->before, &contract->before) &&
                      holding_lay_out(&layout, &collective->after, &contract->after) &&
                      (!collective->combines || find_contributors(&layout, scratch, contract));
    contract->block_count = space.count;
    arena_destroy(scratch);
    return good;
}

bool contract_try(Arena *arena, const Collective *collective, int64_t p, int64_t root,
                  int64_t target, Contract *contract)
{
    Diag silent = diag_silent();
    return contract_create(arena, collective, p, root, target, contract, &silent);
}

static Holding repeat_holding(Arena *arena, const Holding *one, int64_t blocks, int64_t groups)
{
    const size_t p = (size_t)one->p, entries = one->blocks ? (size_t)one->starts[p] : 0;
    const size_t copies = (size_t)groups;
    int64_t *starts = one->blocks ? ARENA_ROOM(arena, int64_t, p * copies + 1) : NULL;
    int64_t *listed = one->blocks ? ARENA_ROOM(arena, int64_t, entries * copies) : NULL;
    PerRankFilling firsts = per_rank_begin(arena, one->p * groups), counts = firsts;
    for (size_t g = 0; g < copies; g++) {
        for (size_t r = 0; r <= p && starts; r++)
            starts[g * p + r] = (int64_t)(g * entries) + one->starts[r];
        for (int64_t r = 0; r < one->p && !starts; r++) {
            per_rank_push(&firsts, per_rank(&one->firsts, r) + (int64_t)g * blocks, 1);
            per_rank_push(&counts, per_rank(&one->counts, r), 1);
        }
        for (size_t i = 0; i < entries; i++)
            listed[g * entries + i] = one->blocks[i] + (int64_t)g * blocks;
    }
    return (Holding){.p = one->p * groups,
                     .starts = starts,
                     .blocks = listed,
                     .firsts = firsts.values,
                     .counts = counts.values,
                     .stride = one->stride,
                     .total = one->total * groups,
                     .holders = one->holders * groups,
                     .to = one->p * groups};
}

static PerRank repeat_ranks(Arena *arena, const PerRank *ranks, int64_t p, int64_t groups)
{
    PerRankFilling repeated = per_rank_begin(arena, p * groups);
    for (int64_t i = 0; i < p * groups; i++)
        per_rank_push(&repeated, per_rank(ranks, i % p) + i / p * p, 1);
    return repeated.values;
}

bool contract_repeat(Arena *arena, const Contract *contract, int64_t groups, Contract *repeated)
{
    const int64_t blocks = contract->block_count, most = MOST_ENTRIES / groups;
    if (blocks > most || contract->before.total > most || contract->after.total > most)
        return false;
    *repeated = *contract;
    repeated->p *= groups;
    repeated->block_count *= groups;
    repeated->before = repeat_holding(arena, &contract->before, blocks, groups);
    repeated->after = repeat_holding(arena, &contract->after, blocks, groups);
    if (contract->combines) {
        repeated->contributors_from =
            repeat_ranks(arena, &contract->contributors_from, contract->p, groups);
        repeated->contributors_to =
            repeat_ranks(arena, &contract->contributors_to, contract->p, groups);
    }
    int64_t *weights =
        contract->weights ? ARENA_ROOM(arena, int64_t, (size_t)repeated->block_count) : NULL;
    for (int64_t b = 0; b < repeated->block_count && weights; b++)
        weights[b] = contract->weights[b % blocks];
    repeated->weights = weights;
    return true;
}

bool contract_check_entries(const Collective *collective, const Contract *contract, int64_t ranks,
                            Diag *diag)
{
    const int64_t most = LIMIT_ITEMS, groups = contract->p / ranks;
    if (contract->before.total / groups > most)
        return set_report_too_many(&collective->before.items[0], diag);
    return contract->after.total / groups <= most ||
           set_report_too_many(&collective->after.items[0], diag);
}
