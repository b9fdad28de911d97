#include "bound/demand.h"

#include <string.h>

/* Row r of a square of p x p blocks, numbered row by row; or column r. */
static bool are_lines(const Holding *holding, bool are_rows)
{
    bool good = !holding->blocks && holding->stride == (are_rows ? 1 : holding->p);
    for (int64_t r = 0; r < holding->p && good; r++)
        good = holding_count(holding, r) == holding->p &&
               holding_block(holding, r, 0) == (are_rows ? r * holding->p : r);
    return good;
}

int64_t demand_weight(const Demand *demand, int64_t kind)
{
    const int64_t *weights = demand->contract->weights;
    return weights ? weights[kind] : 1;
}

/* Of all blocks that a rank holds. */
static int64_t weigh(const Demand *demand, const Holding *holding, int64_t rank)
{
    int64_t sum = 0, count = holding_count(holding, rank);
    for (int64_t i = 0; i < count && demand->contract->weights; i++)
        sum += demand_weight(demand, holding_block(holding, rank, i));
    return demand->contract->weights ? sum : count;
}

/* Of each block: ranks that hold it, and, unless that is NULL, one of them. */
static void count_ranks(const Holding *holding, int64_t *ranks, int64_t *one)
{
    for (int64_t r = holding->from; r < holding->to; r++)
        for (int64_t i = 0, count = holding_count(holding, r); i < count; i++) {
            int64_t block = holding_block(holding, r, i);
            ranks[block] += holding->is_shared ? holding->holders : 1;
            if (one)
                one[block] = r;
        }
}

int64_t demand_contributors(const Demand *demand, int64_t rank)
{
    const Contract *contract = demand->contract;
    int64_t from = per_rank(&contract->contributors_from, rank),
            to = per_rank(&contract->contributors_to, rank);
    return to < from ? 0 : to - from + 1 - (from <= rank && rank <= to);
}

bool demand_combines(const Demand *demand, int64_t from, int64_t to)
{
    const Contract *contract = demand->contract;
    return from != to && per_rank(&contract->contributors_from, to) <= from &&
           from <= per_rank(&contract->contributors_to, to);
}

int64_t demand_next(const Demand *demand, int64_t rank)
{
    const int64_t before = holding_next(&demand->contract->before, rank);
    const int64_t after = holding_next(&demand->contract->after, rank);
    return before < after ? before : after;
}

/* What must come to each rank whose result combines contributions of others. */
static void count_combined(Demand *demand, int64_t *needed)
{
    const Holding *after = &demand->contract->after;
    PerRankFilling entering = per_rank_begin(demand->arena, after->p);
    int64_t fed = 0;
    for (int64_t r = 0; r < after->p; r++) {
        const int64_t enters = demand_contributors(demand, r) > 0 ? weigh(demand, after, r) : 0;
        per_rank_push(&entering, enters, 1);
        fed += enters > 0;
    }
    demand->entering = entering.values;
    for (int64_t r = after->from; r < after->to; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++)
            needed[holding_block(after, r, i)] +=
                after->is_shared ? fed : per_rank(&demand->entering, r) > 0;
}

/* What must come to each rank: what it holds after and not before. And what must leave it: what
   only it has, and anyone needs. */
static void count_entering(Demand *demand, int64_t *needed)
{
    const Holding *before = &demand->contract->before, *after = &demand->contract->after;
    PerRankFilling entering = per_rank_begin(demand->arena, after->p), leaving = entering;
    memcpy(needed, demand->receivers, (size_t)demand->kinds * sizeof *needed);
    for (int64_t r = 0, next; r < after->p; r = next) {
        next = demand_next(demand, r);
        bool is_longer = holding_count(after, r) > holding_count(before, r);
        const Holding *shorter = is_longer ? before : after, *longer = is_longer ? after : before;
        int64_t enters = weigh(demand, after, r);
        for (int64_t i = 0, count = holding_count(shorter, r); i < count; i++) {
            int64_t block = holding_block(shorter, r, i);
            bool stays = holding_has(longer, r, block);
            needed[block] -= stays ? next - r : 0;
            enters -= stays ? demand_weight(demand, block) : 0;
        }
        per_rank_push(&entering, enters, next - r);
    }
    for (int64_t r = 0, next; r < before->p; r = next) {
        int64_t leaves = 0, count = holding_count(before, r);
        next = holding_next(before, r);
        for (int64_t i = 0; i < count && next == r + 1; i++) {
            int64_t block = holding_block(before, r, i);
            if (demand->holders[block] == 1 && needed[block] > 0)
                leaves += demand_weight(demand, block);
        }
        per_rank_push(&leaving, leaves, next - r);
    }
    demand->entering = entering.values, demand->leaving = leaving.values;
}

/* In a combination: how many other ranks' results hold the contribution of each rank. */
static void count_wanted(Demand *demand)
{
    const Contract *contract = demand->contract;
    Arena *scratch = arena_scratch(demand->arena);
    int64_t *difference = ARENA_ARRAY(scratch, int64_t, (size_t)contract->p + 1), asked = 0;
    for (int64_t r = 0; r < contract->p; r++) {
        int64_t from = per_rank(&contract->contributors_from, r),
                to = per_rank(&contract->contributors_to, r);
        if (holding_count(&contract->after, r) == 0 || to < from)
            continue;
        difference[from]++, difference[to + 1]--;
        if (from <= r && r <= to)
            difference[r]--, difference[r + 1]++;
    }
    for (int64_t s = 0; s < contract->p; s++)
        difference[s] = asked += difference[s];
    demand->wanted = per_rank_of(demand->arena, difference, contract->p);
    arena_destroy(scratch);
}

/* Blocks of rank s that any result holds. */
static int64_t count_resulting(const Demand *demand, int64_t s)
{
    const Holding *before = &demand->contract->before;
    int64_t resulting = 0;
    for (int64_t i = 0, count = holding_count(before, s); i < count; i++)
        resulting += demand->receivers[holding_block(before, s, i)] > 0
                         ? demand_weight(demand, holding_block(before, s, i))
                         : 0;
    return resulting;
}

/* Blocks of each rank that the result of another rank holds, where all results hold contributions
   of it; where only some do, one block if any, the lightest. */
static void count_contributed(Demand *demand)
{
    PerRankFilling leaving = per_rank_begin(demand->arena, demand->contract->p);
    const Holding *before = &demand->contract->before, *after = &demand->contract->after;
    int64_t shared = before->is_shared ? count_resulting(demand, before->from) : 0;
    int64_t least = 0;
    for (int64_t b = 0; b < demand->kinds; b++)
        if (demand->receivers[b] > 0 && (least == 0 || demand_weight(demand, b) < least))
            least = demand_weight(demand, b);
    for (int64_t s = 0; s < before->p; s++) {
        const int64_t others = after->holders - (holding_count(after, s) > 0);
        const int64_t wanted = per_rank(&demand->wanted, s);
        int64_t leaves = wanted > 0 ? least : 0;
        const bool has_any = holding_count(before, s) > 0;
        if (wanted >= others)
            leaves = !has_any ? 0 : before->is_shared ? shared : count_resulting(demand, s);
        /* Without what only its own result holds. */
        const bool may_own =
            wanted >= others && has_any && !(after->is_shared && after->holders > 1);
        for (int64_t i = 0, count = may_own ? holding_count(after, s) : 0; i < count; i++) {
            const int64_t block = holding_block(after, s, i);
            if (demand->receivers[block] == 1 && holding_has(before, s, block))
                leaves -= demand_weight(demand, block);
        }
        per_rank_push(&leaving, leaves, 1);
    }
    demand->leaving = leaving.values;
}

static Demand count_exchange(Arena *arena, const Contract *contract)
{
    static const int64_t once[] = {1, 1}, others[] = {1, 0}, none[] = {-1, -1};
    const int64_t p = contract->p;
    const PerRank all = {.pieces = {{0, p - 1, 0}}};
    return (Demand){.arena = arena,
                    .contract = contract,
                    .is_exchange = true,
                    .kinds = 2,
                    .holders = once,
                    .holder = none,
                    .needed = others,
                    .receivers = once,
                    .entering = all,
                    .leaving = all,
                    .demanded = p * (p - 1),
                    .size = contract->before.total + contract->after.total};
}

Demand demand_count(Arena *arena, const Contract *contract)
{
    const Holding *before = &contract->before, *after = &contract->after;
    if (!contract->combines && contract->p > 1 && !contract->weights &&
        contract->block_count == contract->p * contract->p &&
        ((are_lines(before, true) && are_lines(after, false)) ||
         (are_lines(before, false) && are_lines(after, true))))
        return count_exchange(arena, contract);
    const size_t blocks = (size_t)contract->block_count;
    int64_t *holders = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *holder = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *needed = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *receivers = ARENA_ARRAY(arena, int64_t, blocks);
    Demand demand = {.arena = arena,
                     .contract = contract,
                     .kinds = contract->block_count,
                     .holders = holders,
                     .holder = holder,
                     .needed = needed,
                     .receivers = receivers,
                     .size = contract->before.total + contract->after.total,
                     .inside = ARENA_NEW(arena, int64_t *)};
    count_ranks(&contract->before, holders, holder);
    count_ranks(&contract->after, receivers, NULL);
    if (contract->combines) {
        count_combined(&demand, needed);
        count_wanted(&demand);
        count_contributed(&demand);
    } else
        count_entering(&demand, needed);
    for (size_t b = 0; b < blocks; b++)
        demand.demanded += needed[b] > 0;
    return demand;
}

int64_t demand_crossing(const Demand *demand, const bool *inside)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t crossing = 0;
    if (demand->is_exchange) {
        for (int64_t r = 0; r < contract->p; r++)
            crossing += inside[r];
        return crossing * (contract->p - crossing);
    }
    if (!*demand->inside)
        *demand->inside =
            ARENA_ROOM(demand->arena, int64_t, (size_t)(contract->block_count + contract->p + 1));
    int64_t *marks = *demand->inside, *counts = marks + contract->block_count;
    memset(marks, 0, (size_t)contract->block_count * sizeof *marks);
    /* counts[r]: ranks below r that are inside. */
    counts[0] = 0;
    for (int64_t r = 0; r < contract->p; r++)
        counts[r + 1] = counts[r] + inside[r];
    if (!contract->combines) {
        /* marks[b]: ranks inside that hold block b before. */
        int64_t sharing = 0;
        for (int64_t r = 0; r < contract->before.p && contract->before.is_shared; r++)
            sharing += inside[r] && holding_count(&contract->before, r) > 0;
        for (int64_t r = contract->before.from; r < contract->before.to; r++)
            for (int64_t i = 0, count = holding_count(&contract->before, r); i < count; i++)
                marks[holding_block(&contract->before, r, i)] +=
                    contract->before.is_shared ? sharing : inside[r];
    }
    for (int64_t r = 0; r < contract->p; r++) {
        const int64_t from = per_rank(&contract->contributors_from, r);
        const int64_t to = per_rank(&contract->contributors_to, r);
        if (inside[r] || holding_count(after, r) == 0)
            continue;
        /* Does a rank inside contribute to what this one must hold? */
        if (contract->combines && (from > to || counts[to + 1] == counts[from]))
            continue;
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++) {
            int64_t block = holding_block(after, r, i);
            int64_t wanted = contract->combines ? 0 : demand->holders[block];
            if (marks[block] == wanted && (contract->combines || wanted > 0))
                crossing += demand_weight(demand, block);
            marks[block] = -1;
        }
        if (after->is_shared)
            break;
    }
    return crossing;
}

bool demand_share_contributors(const Demand *demand)
{
    const Contract *contract = demand->contract;
    int64_t first = -1;
    if (per_rank_is_same(&contract->contributors_from) &&
        per_rank_is_same(&contract->contributors_to))
        return true;
    for (int64_t r = 0; r < contract->p; r++) {
        if (holding_count(&contract->after, r) == 0)
            continue;
        first = first < 0 ? r : first;
        if (per_rank(&contract->contributors_from, r) !=
                per_rank(&contract->contributors_from, first) ||
            per_rank(&contract->contributors_to, r) != per_rank(&contract->contributors_to, first))
            return false;
    }
    return true;
}

DemandForm demand_form(const Demand *demand)
{
    const Contract *contract = demand->contract;
    bool one_holder = true, one_source = true, one_receiver = true;
    int64_t source = -1;
    for (int64_t b = 0; b < demand->kinds; b++) {
        one_receiver &= (contract->combines ? demand->receivers[b] : demand->needed[b]) <= 1;
        if (demand->needed[b] == 0)
            continue;
        one_holder &= demand->holders[b] == 1;
        one_source &= source < 0 || demand->holder[b] == source;
        source = demand->holder[b];
    }
    if (contract->combines)
        return demand->demanded <= 1                               ? DEMAND_PAIRS
               : one_receiver && demand_share_contributors(demand) ? DEMAND_SOURCES
                                                                   : DEMAND_OTHER;
    if (demand->is_exchange || !one_holder)
        return DEMAND_OTHER;
    return demand->demanded <= 1        ? DEMAND_PAIRS
           : contract->after.is_shared  ? DEMAND_TARGETS
           : one_source && one_receiver ? DEMAND_SOURCES
                                        : DEMAND_OTHER;
}

bool demand_are_alike(const Demand *demand, DemandForm form)
{
    const Contract *contract = demand->contract;
    bool alike = form != DEMAND_OTHER && !contract->weights &&
                 per_rank_is_same(&demand->entering) && per_rank(&demand->entering, 0) > 0 &&
                 per_rank_is_same(&demand->leaving) && per_rank(&demand->leaving, 0) > 0;
    for (int64_t r = 0; r < contract->p && alike && contract->combines; r++)
        alike = demand_contributors(demand, r) == contract->p - 1;
    return alike;
}

/* In an exchange: a block of, or for, each of the others. */
static int64_t weigh_others(int64_t p, int64_t rank, int64_t *weights)
{
    for (int64_t r = 0; r < p; r++)
        weights[r] = r != rank;
    return p - 1;
}

int64_t demand_weigh_sources(const Demand *demand, int64_t target, int64_t *weights)
{
    const Contract *contract = demand->contract;
    int64_t total = 0;
    if (contract->combines || per_rank(&demand->entering, target) == 0)
        return 0;
    if (demand->is_exchange)
        return weigh_others(contract->p, target, weights);
    memset(weights, 0, (size_t)contract->p * sizeof *weights);
    for (int64_t i = 0, count = holding_count(&contract->after, target); i < count; i++) {
        int64_t block = holding_block(&contract->after, target, i);
        if (demand->holders[block] != 1 || demand->holder[block] == target)
            continue;
        weights[demand->holder[block]] += demand_weight(demand, block);
        total += demand_weight(demand, block);
    }
    return total;
}

int64_t demand_weigh_targets(const Demand *demand, int64_t source, int64_t *weights)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t total = 0;
    if (per_rank(contract->combines ? &demand->wanted : &demand->leaving, source) == 0)
        return 0;
    if (demand->is_exchange)
        return weigh_others(contract->p, source, weights);
    memset(weights, 0, (size_t)contract->p * sizeof *weights);
    for (int64_t t = 0; t < contract->p; t++) {
        if (t == source || (contract->combines && !demand_combines(demand, source, t)))
            continue;
        for (int64_t i = 0, count = holding_count(after, t); i < count; i++) {
            int64_t block = holding_block(after, t, i);
            bool only = contract->combines
                            ? demand->receivers[block] == 1
                            : demand->needed[block] == 1 && demand->holders[block] == 1 &&
                                  demand->holder[block] == source;
            weights[t] += only ? demand_weight(demand, block) : 0;
        }
        total += weights[t];
    }
    return total;
}
