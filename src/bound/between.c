#include "base/whole.h"
#include "bound/kinds.h"

typedef struct {
    Arena *arena;
    const Demand *demand;
    const RankGroups *groups;
    int64_t *seen; /* room of each group: the last for which it was counted */
    int64_t stamp;
} Counter;

/* The groups that hold each block, each group once: groups[starts[b] .. starts[b + 1] - 1]. */
typedef struct {
    const int64_t *starts, *groups;
} HoldingGroups;

/* Ranks by group, those of one group together. */
static const int64_t *order_ranks(const Counter *counter, int64_t p)
{
    int64_t *starts = ARENA_ARRAY(counter->arena, int64_t, (size_t)counter->groups->count + 1);
    int64_t *order = ARENA_ROOM(counter->arena, int64_t, (size_t)p);
    for (int64_t r = 0; r < p; r++)
        starts[counter->groups->of[r] + 1]++;
    for (int64_t g = 0; g < counter->groups->count; g++)
        starts[g + 1] += starts[g];
    for (int64_t r = 0; r < p; r++)
        order[starts[counter->groups->of[r]]++] = r;
    return order;
}

static HoldingGroups list_groups(const Counter *counter, const Holding *holding,
                                 const int64_t *order)
{
    size_t blocks = (size_t)counter->demand->contract->block_count;
    int64_t *starts = ARENA_ARRAY(counter->arena, int64_t, blocks + 2);
    int64_t *last = ARENA_ARRAY(counter->arena, int64_t, blocks), *groups = NULL, done = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < holding->p; i++) {
            int64_t rank = order[i], group = counter->groups->of[rank];
            int64_t mark = group + 1 + pass * counter->groups->count;
            int64_t count = mark == done ? 0 : holding_count(holding, rank);
            if (count > 0 && holding->is_shared)
                done = mark; /* the others of the group hold nothing else */
            for (int64_t j = 0; j < count; j++) {
                int64_t block = holding_block(holding, rank, j);
                if (last[block] == mark)
                    continue;
                last[block] = mark;
                if (pass)
                    groups[starts[block + 1]++] = group;
                else
                    starts[block + 2]++;
            }
        }
        for (size_t b = 0; b < blocks && !pass; b++)
            starts[b + 2] += starts[b + 1];
        if (!pass)
            groups = ARENA_ROOM(counter->arena, int64_t, (size_t)starts[blocks + 1]);
    }
    return (HoldingGroups){starts, groups};
}

/* Of blocks that are only moved: groups that need one and do not hold it. */
static int64_t count_moved(Counter *counter)
{
    const Contract *contract = counter->demand->contract;
    const int64_t *order = order_ranks(counter, contract->p);
    HoldingGroups before = list_groups(counter, &contract->before, order);
    HoldingGroups after = list_groups(counter, &contract->after, order);
    int64_t total = 0;
    for (int64_t b = 0; b < contract->block_count; b++) {
        if (before.starts[b] == before.starts[b + 1])
            continue;
        counter->stamp++;
        for (int64_t i = before.starts[b]; i < before.starts[b + 1]; i++)
            counter->seen[before.groups[i]] = counter->stamp;
        for (int64_t i = after.starts[b]; i < after.starts[b + 1]; i++)
            if (counter->seen[after.groups[i]] != counter->stamp)
                total += demand_weight(counter->demand, b);
    }
    return total;
}

/* What the result of a rank combines: contributions of so many groups, its own among them or not.
 */
typedef struct {
    int64_t from, to, groups, others;
} Contributors;

static void find_contributors(Counter *counter, int64_t rank, Contributors *found)
{
    const Contract *contract = counter->demand->contract;
    int64_t from = per_rank(&contract->contributors_from, rank),
            to = per_rank(&contract->contributors_to, rank);
    if (from != found->from || to != found->to) {
        *found = (Contributors){.from = from, .to = to};
        counter->stamp++;
        for (int64_t r = from; r <= to; r++) {
            int64_t group = counter->groups->of[r];
            found->groups += counter->seen[group] != counter->stamp;
            counter->seen[group] = counter->stamp;
        }
    }
    bool own = counter->seen[counter->groups->of[rank]] == counter->stamp;
    found->others = found->groups - own;
}

/* Of each block: groups that must receive it, at least in part; and the most messages that one
   result takes, as if no other rank wanted it. */
typedef struct {
    int64_t *receivers, *entered, *most;
} Combined;

/* Until some group has all of k contributions, k - 1 others have sent; then each other group that
   is to have the result must receive. */
static int64_t count_combined(Counter *counter)
{
    const Demand *demand = counter->demand;
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    size_t blocks = (size_t)contract->block_count;
    const int64_t *order = order_ranks(counter, contract->p);
    const bool alike = demand_share_contributors(demand);
    Combined of = {ARENA_ARRAY(counter->arena, int64_t, blocks),
                   ARENA_ARRAY(counter->arena, int64_t, blocks),
                   ARENA_ARRAY(counter->arena, int64_t, blocks)};
    int64_t *last = ARENA_ARRAY(counter->arena, int64_t, blocks), total = 0;
    int64_t *last_fed = ARENA_ARRAY(counter->arena, int64_t, blocks);
    Contributors found = {.from = -1};
    for (int64_t i = 0; i < contract->p; i++) {
        int64_t rank = order[i], mark = counter->groups->of[rank] + 1;
        int64_t count = holding_count(after, rank);
        if (count == 0)
            continue;
        find_contributors(counter, rank, &found);
        for (int64_t j = 0; j < count; j++) {
            int64_t block = holding_block(after, rank, j);
            of.receivers[block] += last[block] != mark;
            of.entered[block] += found.others > 0 && last_fed[block] != mark;
            of.most[block] = whole_larger(of.most[block], found.others);
            last[block] = mark;
            if (found.others > 0)
                last_fed[block] = mark;
            if (after->is_shared)
                break; /* the others are like this one */
        }
    }
    for (size_t b = 0; b < blocks; b++) {
        int64_t both = alike && of.receivers[b] > 1 && found.groups > 0
                           ? found.groups + of.receivers[b] - 2
                           : 0;
        total += whole_larger(both, whole_larger(of.entered[b], of.most[b])) *
                 (after->is_shared ? 1 : demand_weight(demand, (int64_t)b));
    }
    if (!after->is_shared)
        return total;
    int64_t shared = 0; /* `total` is of the first of them alone */
    for (int64_t i = 0; i < holding_count(after, after->from); i++)
        shared += demand_weight(demand, holding_block(after, after->from, i));
    return total * shared;
}

int64_t demand_between(const Demand *demand, const RankGroups *groups)
{
    const Contract *contract = demand->contract;
    __int128 entries = 0; /* that are looked at */
    for (int side = 0; side < 2 && !demand->is_exchange; side++) {
        const Holding *of = side ? &contract->after : &contract->before;
        entries += of->is_shared ? (__int128)holding_count(of, of->from) * groups->count + of->p
                                 : (__int128)of->total;
    }
    if (entries > LIMIT_ITEMS)
        return 0;
    Counter counter = {.arena = arena_scratch(demand->arena), .demand = demand, .groups = groups};
    counter.seen = ARENA_ARRAY(counter.arena, int64_t, (size_t)groups->count);
    int64_t total = 0;
    if (demand->is_exchange) {
        /* Each rank has a block for each of another group. */
        int64_t *sizes = ARENA_ARRAY(counter.arena, int64_t, (size_t)groups->count);
        for (int64_t r = 0; r < contract->p; r++)
            sizes[groups->of[r]]++;
        for (int64_t g = 0; g < groups->count; g++)
            total += sizes[g] * (contract->p - sizes[g]);
    } else
        total = contract->combines ? count_combined(&counter) : count_moved(&counter);
    arena_destroy(counter.arena);
    return total;
}
