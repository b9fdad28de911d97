#include "bound/demand.h"

#include <string.h>

static void count_holders(const Contract *contract, int64_t *holders, int64_t *holder)
{
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = contract->before.starts[r]; i < contract->before.starts[r + 1]; i++) {
            holders[contract->before.blocks[i]]++;
            holder[contract->before.blocks[i]] = r;
        }
}

static bool has_nothing(const Holding *holding, int64_t rank)
{
    return holding->starts[rank] == holding->starts[rank + 1];
}

int64_t demand_contributors(const Demand *demand, int64_t rank)
{
    const Contract *contract = demand->contract;
    int64_t from = contract->contributors_from[rank], to = contract->contributors_to[rank];
    return to < from ? 0 : to - from + 1 - (from <= rank && rank <= to);
}

bool demand_combines(const Demand *demand, int64_t from, int64_t to)
{
    const Contract *contract = demand->contract;
    return from != to && contract->contributors_from[to] <= from &&
           from <= contract->contributors_to[to];
}

/* marks[b] = 1 of the blocks that the rank holds before, or 0 again. */
static void mark_held(const Contract *contract, int64_t rank, int64_t *marks, int64_t mark)
{
    for (int64_t i = contract->before.starts[rank]; i < contract->before.starts[rank + 1]; i++)
        marks[contract->before.blocks[i]] = mark;
}

/* What must come to each rank. */
static void count_entering(const Demand *demand, int64_t *needed, int64_t *receivers,
                           int64_t *entering)
{
    const Contract *contract = demand->contract;
    for (int64_t r = 0; r < contract->p; r++) {
        mark_held(contract, r, demand->inside, 1);
        for (int64_t i = contract->after.starts[r]; i < contract->after.starts[r + 1]; i++) {
            int64_t block = contract->after.blocks[i];
            bool enters =
                contract->combines ? demand_contributors(demand, r) > 0 : !demand->inside[block];
            receivers[block]++;
            needed[block] += enters;
            entering[r] += enters;
        }
        mark_held(contract, r, demand->inside, 0);
    }
}

/* In a combination: how many other ranks' results hold the contribution of each rank. */
static void count_wanted(const Demand *demand, int64_t *wanted)
{
    const Contract *contract = demand->contract;
    int64_t *difference = ARENA_ARRAY(demand->arena, int64_t, (size_t)contract->p + 1);
    for (int64_t r = 0; r < contract->p; r++) {
        int64_t from = contract->contributors_from[r], to = contract->contributors_to[r];
        if (has_nothing(&contract->after, r) || to < from)
            continue;
        difference[from]++, difference[to + 1]--;
        if (from <= r && r <= to)
            difference[r]--, difference[r + 1]++;
    }
    for (int64_t s = 0, asked = 0; s < contract->p; s++)
        wanted[s] = asked += difference[s];
}

/* Blocks of rank s that the result of another rank holds, where all results hold contributions of
   s; where only some do, one block if any. */
static int64_t count_contributed(const Demand *demand, int64_t s, int64_t result_count)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t others = result_count - !has_nothing(after, s), leaving = 0;
    if (demand->wanted[s] < others)
        return demand->wanted[s] > 0;
    for (int64_t i = after->starts[s]; i < after->starts[s + 1]; i++)
        demand->inside[after->blocks[i]] = 1;
    for (int64_t i = contract->before.starts[s]; i < contract->before.starts[s + 1]; i++) {
        int64_t block = contract->before.blocks[i];
        leaving += demand->receivers[block] > demand->inside[block];
    }
    for (int64_t i = after->starts[s]; i < after->starts[s + 1]; i++)
        demand->inside[after->blocks[i]] = 0;
    return leaving;
}

static void count_leaving(const Demand *demand, int64_t *leaving)
{
    const Contract *contract = demand->contract;
    int64_t results = 0;
    for (int64_t r = 0; r < contract->p; r++)
        results += !has_nothing(&contract->after, r);
    for (int64_t r = 0; r < contract->p && contract->combines; r++)
        leaving[r] = count_contributed(demand, r, results);
    for (int64_t b = 0; b < contract->block_count && !contract->combines; b++)
        leaving[demand->holder[b]] += demand->holders[b] == 1 && demand->needed[b] > 0;
}

Demand demand_count(Arena *arena, const Contract *contract)
{
    size_t p = (size_t)contract->p, blocks = (size_t)contract->block_count;
    int64_t *holders = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *holder = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *needed = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *receivers = ARENA_ARRAY(arena, int64_t, blocks);
    int64_t *entering = ARENA_ARRAY(arena, int64_t, p), *leaving = ARENA_ARRAY(arena, int64_t, p);
    int64_t *wanted = ARENA_ARRAY(arena, int64_t, p);
    Demand demand = {.arena = arena,
                     .contract = contract,
                     .holders = holders,
                     .holder = holder,
                     .needed = needed,
                     .receivers = receivers,
                     .entering = entering,
                     .leaving = leaving,
                     .wanted = wanted,
                     .size = contract->before.starts[p] + contract->after.starts[p],
                     .inside = ARENA_ARRAY(arena, int64_t, blocks + p + 1)};
    count_holders(contract, holders, holder);
    count_entering(&demand, needed, receivers, entering);
    if (contract->combines)
        count_wanted(&demand, wanted);
    count_leaving(&demand, leaving);
    for (size_t b = 0; b < blocks; b++)
        demand.demanded += needed[b] > 0;
    return demand;
}

/* counts[r]: ranks below r that are inside. */
static void count_below(int64_t p, const bool *inside, int64_t *counts)
{
    counts[0] = 0;
    for (int64_t r = 0; r < p; r++)
        counts[r + 1] = counts[r] + inside[r];
}

/* Does a rank inside contribute to what the rank outside must hold? */
static bool is_fed(const Demand *demand, const int64_t *counts, int64_t rank)
{
    int64_t from = demand->contract->contributors_from[rank];
    int64_t to = demand->contract->contributors_to[rank];
    return from <= to && counts[to + 1] > counts[from];
}

int64_t demand_crossing(const Demand *demand, const bool *inside)
{
    const Contract *contract = demand->contract;
    int64_t *marks = demand->inside, *counts = marks + contract->block_count, crossing = 0;
    memset(marks, 0, (size_t)contract->block_count * sizeof *marks);
    count_below(contract->p, inside, counts);
    for (int64_t r = 0; r < contract->p && !contract->combines; r++)
        for (int64_t i = contract->before.starts[r];
             inside[r] && i < contract->before.starts[r + 1]; i++)
            marks[contract->before.blocks[i]]++;
    for (int64_t r = 0; r < contract->p; r++) {
        if (inside[r] || (contract->combines && !is_fed(demand, counts, r)))
            continue;
        for (int64_t i = contract->after.starts[r]; i < contract->after.starts[r + 1]; i++) {
            int64_t block = contract->after.blocks[i];
            int64_t wanted = contract->combines ? 0 : demand->holders[block];
            crossing += marks[block] == wanted && (contract->combines || wanted > 0);
            marks[block] = -1;
        }
    }
    memset(marks, 0, (size_t)contract->block_count * sizeof *marks);
    return crossing;
}

static bool have_one_holder(const Demand *demand)
{
    for (int64_t b = 0; b < demand->contract->block_count; b++)
        if (demand->needed[b] > 0 && demand->holders[b] != 1)
            return false;
    return true;
}

/* Does every rank that needs anything afterwards need the same? */
static bool have_one_result(const Contract *contract)
{
    const Holding *after = &contract->after;
    int64_t first = -1;
    for (int64_t r = 0; r < contract->p; r++) {
        int64_t count = after->starts[r + 1] - after->starts[r];
        if (count == 0)
            continue;
        if (first < 0)
            first = r;
        if (count != after->starts[first + 1] - after->starts[first] ||
            memcmp(after->blocks + after->starts[r], after->blocks + after->starts[first],
                   (size_t)count * sizeof *after->blocks) != 0)
            return false;
    }
    return true;
}

bool demand_share_contributors(const Demand *demand)
{
    const Contract *contract = demand->contract;
    int64_t first = -1;
    for (int64_t r = 0; r < contract->p; r++) {
        if (has_nothing(&contract->after, r))
            continue;
        if (first < 0)
            first = r;
        if (contract->contributors_from[r] != contract->contributors_from[first] ||
            contract->contributors_to[r] != contract->contributors_to[first])
            return false;
    }
    return true;
}

static bool have_one_source(const Demand *demand)
{
    int64_t source = -1;
    for (int64_t b = 0; b < demand->contract->block_count; b++) {
        if (demand->needed[b] == 0)
            continue;
        if (source >= 0 && demand->holder[b] != source)
            return false;
        source = demand->holder[b];
    }
    return true;
}

static bool have_one_receiver(const Demand *demand)
{
    for (int64_t b = 0; b < demand->contract->block_count; b++)
        if ((demand->contract->combines ? demand->receivers[b] : demand->needed[b]) > 1)
            return false;
    return true;
}

DemandForm demand_form(const Demand *demand)
{
    const Contract *contract = demand->contract;
    if (contract->combines)
        return demand->demanded <= 1                                            ? DEMAND_PAIRS
               : have_one_receiver(demand) && demand_share_contributors(demand) ? DEMAND_SOURCES
                                                                                : DEMAND_OTHER;
    if (!have_one_holder(demand))
        return DEMAND_OTHER;
    return demand->demanded <= 1                                  ? DEMAND_PAIRS
           : have_one_result(contract)                            ? DEMAND_TARGETS
           : have_one_source(demand) && have_one_receiver(demand) ? DEMAND_SOURCES
                                                                  : DEMAND_OTHER;
}

bool demand_are_alike(const Demand *demand, DemandForm form)
{
    const Contract *contract = demand->contract;
    if (form == DEMAND_OTHER)
        return false;
    for (int64_t r = 0; r < contract->p; r++)
        if (demand->entering[r] != demand->entering[0] ||
            demand->leaving[r] != demand->leaving[0] || demand->entering[r] == 0 ||
            demand->leaving[r] == 0 ||
            (contract->combines && demand_contributors(demand, r) != contract->p - 1))
            return false;
    return true;
}

int64_t demand_weigh_sources(const Demand *demand, int64_t target, int64_t *weights)
{
    const Contract *contract = demand->contract;
    int64_t total = 0;
    memset(weights, 0, (size_t)contract->p * sizeof *weights);
    if (contract->combines)
        return 0;
    for (int64_t i = contract->after.starts[target]; i < contract->after.starts[target + 1]; i++) {
        int64_t block = contract->after.blocks[i];
        if (demand->holders[block] != 1 || demand->holder[block] == target)
            continue;
        weights[demand->holder[block]]++;
        total++;
    }
    return total;
}

int64_t demand_weigh_targets(const Demand *demand, int64_t source, int64_t *weights)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t total = 0;
    memset(weights, 0, (size_t)contract->p * sizeof *weights);
    for (int64_t t = 0; t < contract->p; t++) {
        if (t == source || (contract->combines && !demand_combines(demand, source, t)))
            continue;
        for (int64_t i = after->starts[t]; i < after->starts[t + 1]; i++) {
            int64_t block = after->blocks[i];
            weights[t] += contract->combines
                              ? demand->receivers[block] == 1
                              : demand->needed[block] == 1 && demand->holders[block] == 1 &&
                                    demand->holder[block] == source;
        }
        total += weights[t];
    }
    return total;
}
