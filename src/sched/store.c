#include "sched/store.h"

#include "base/random.h"
#include "base/watch.h"

#include <string.h>

enum { BUCKETS = 1 << 10, MOST_BYTES = 1 << 26 };

/* What the rounds of an instance depend on. */
typedef struct {
    const Algorithm *algorithm;
    int64_t p, root, k, target, ports, branches;
    bool has_shape;
    Shape shape;
} Key;

typedef struct Stored {
    struct Stored *next; /* in its bucket */
    Key key;
    RoundArray rounds;
} Stored;

struct ScheduleStore {
    Arena *arena;
    Stored *buckets[BUCKETS];
    size_t bytes;
};

ScheduleStore *store_create(Arena *arena)
{
    ScheduleStore *store = ARENA_NEW(arena, ScheduleStore);
    store->arena = arena;
    return store;
}

static Key key_of(const Instance *instance)
{
    Key key = {.algorithm = instance->algorithm,
               .p = instance->p,
               .root = instance->root,
               .k = instance->k,
               .target = instance->target,
               .branches = instance->branches,
               .ports = instance->algorithm->reads_ports ? instance->ports : 0,
               .has_shape = instance->shape && instance->algorithm->reads_shape};
    if (key.has_shape)
        key.shape = *instance->shape;
    return key;
}

static bool same_shape(const Shape *a, const Shape *b)
{
    bool same = a->p == b->p && a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = a->sizes[i] == b->sizes[i] && strcmp(a->names[i], b->names[i]) == 0;
    return same;
}

static bool same_key(const Key *a, const Key *b)
{
    return a->algorithm == b->algorithm && a->p == b->p && a->root == b->root && a->k == b->k &&
           a->target == b->target && a->ports == b->ports && a->branches == b->branches &&
           a->has_shape == b->has_shape && (!a->has_shape || same_shape(&a->shape, &b->shape));
}

static const Stored *find(const Stored *stored, const Key *key)
{
    while (stored && !same_key(&stored->key, key))
        stored = stored->next;
    return stored;
}

static bool visit_again(const ScheduleStore *store, const RoundArray *rounds, RoundVisitor visit,
                        void *context, Diag *diag)
{
    Arena *scratch = arena_scratch(store->arena);
    const bool outer = diag_begin_trial(diag);
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < rounds->count; i++) {
        watch_poll(scratch);
        ArenaMark mark = arena_mark(scratch);
        goes_on = visit(context, &rounds->items[i], scratch);
        arena_release(scratch, mark);
    }
    diag_end_trial(diag, outer);
    arena_destroy(scratch);
    return goes_on;
}

/* Who keeps the rounds that somebody visits. */
typedef struct {
    ScheduleStore *store;
    RoundArray rounds;
    bool is_whole; /* nothing is left out */
    RoundVisitor visit;
    void *context;
} Keeper;

static bool keep_round(void *context, const Round *round, Arena *arena)
{
    Keeper *keeper = context;
    keeper->is_whole &= keeper->store->bytes <= MOST_BYTES;
    if (keeper->is_whole)
        keeper->store->bytes += rounds_keep(keeper->store->arena, &keeper->rounds, round);
    return keeper->visit(keeper->context, round, arena);
}

bool store_expand_as(const Instance *instance, const RoundsWanted *wanted, RoundVisitor visit,
                     void *context, Diag *diag)
{
    ScheduleStore *store = instance->store;
    if (!store || wanted->rotation)
        return schedule_expand_as(instance, wanted, visit, context, diag);
    const Key key = key_of(instance);
    uint64_t hash = random_hash((uint64_t)key.p);
    hash = random_hash(hash ^ (uint64_t)key.root);
    hash = random_hash(hash ^ (uint64_t)key.k);
    hash = random_hash(hash ^ (uint64_t)key.target);
    hash = random_hash(hash ^ (uint64_t)key.branches);
    Stored **bucket = &store->buckets[hash % BUCKETS];
    const Stored *stored = find(*bucket, &key);
    if (stored)
        return visit_again(store, &stored->rounds, visit, context, diag);
    if (wanted->counts_only)
        return schedule_expand_as(instance, wanted, visit, context, diag);
    Keeper keeper = {.store = store, .is_whole = true, .visit = visit, .context = context};
    if (!schedule_expand_as(instance, wanted, keep_round, &keeper, diag))
        return false;
    if (keeper.is_whole) {
        Stored *news = ARENA_NEW(store->arena, Stored);
        *news = (Stored){*bucket, key, keeper.rounds};
        *bucket = news;
    }
    return true;
}

bool store_expand(const Instance *instance, RoundVisitor visit, void *context, Diag *diag)
{
    const RoundsWanted whole = {0};
    return store_expand_as(instance, &whole, visit, context, diag);
}
