#include "sched/grid_stages.h"

#include "base/place_table.h"
#include "sched/expander.h"

typedef struct {
    WideHash key;
    GridOwnership grid;
} Start;

ARRAY_TYPE(StartArray, Start);
ARRAY_TYPE(StageArray, GridStage);

struct GridStages {
    Arena *arena;
    StartArray starts;
    StageArray stages;
    PlaceTable places; /* of stages, by half of their keys */
    size_t kept;       /* bytes */
};

GridStages *grid_stages_create(Arena *arena)
{
    GridStages *stages = ARENA_NEW(arena, GridStages);
    *stages = (GridStages){.arena = arena};
    return stages;
}

Arena *grid_stages_arena(GridStages *stages)
{
    return stages->arena;
}

static size_t bytes_of(const Ownership *line)
{
    return (size_t)line->p * line->words * sizeof *line->bits;
}

static Ownership copy_line(Arena *arena, const Ownership *line)
{
    Ownership copy = *line;
    copy.bits = ARENA_COPY(arena, uint64_t, line->bits, (size_t)line->p * line->words);
    copy.counts = ARENA_COPY(arena, int64_t, line->counts, (size_t)line->p);
    copy.peaks = ARENA_COPY(arena, int64_t, line->peaks, (size_t)line->p);
    return copy;
}

static WideHash hash_line(const Ownership *line)
{
    const size_t count = (size_t)line->p * line->words;
    WideHash hash = {(uint64_t)line->p, (uint64_t)line->block_count};
    for (size_t i = 0; i + 1 < count; i += 2)
        hash = hash_add(hash, line->bits[i], line->bits[i + 1]);
    return count % 2 ? hash_add(hash, line->bits[count - 1], 0) : hash;
}

WideHash grid_stages_add_transfers(WideHash hash, const ScheduledTransfer *transfers,
                                   const int64_t *had, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        const ScheduledTransfer *transfer = &transfers[t];
        hash = hash_add(hash, transfer_ends(transfer), transfer->block_count);
        hash = hash_add(hash, (uint64_t)had[t], (uint64_t)transfer->verb);
    }
    return hash;
}

bool grid_stages_start(GridStages *stages, Arena *arena, const Instance *instance,
                       GridOwnership *grid)
{
    const Shape shape = instance_shape(instance);
    const Pieces *pieces = &grid->pieces;
    WideHash frame = {(uintptr_t)instance->algorithm->collective, (uint64_t)grid->is_one_line};
    frame = hash_add(frame, (uint64_t)pieces->chunks, (uint64_t)pieces->cuts);
    frame = hash_add(frame, pieces->cut_dimensions, (uint64_t)shape.taper);
    for (int d = 0; d < shape.count; d++) {
        frame = hash_add(frame, (uint64_t)shape.sizes[d], (uint64_t)d);
        for (const char *name = shape.names[d]; name && *name; name++)
            frame = hash_add(frame, (uint64_t)*name, 0);
    }
    grid->stages = stages;
    grid->arena = arena;
    grid->frame = frame;
    grid->start = hash_add(frame, (uint64_t)instance->root, (uint64_t)instance->target);
    for (size_t i = 0; i < stages->starts.count; i++) {
        const Start *start = &stages->starts.items[i];
        if (!hash_same(start->key, grid->start))
            continue;
        *grid = start->grid;
        grid->arena = arena;
        grid->peaks = ARENA_COPY(arena, int64_t, start->grid.peaks, (size_t)instance->p);
        return true;
    }
    return false;
}

void grid_stages_keep_start(GridStages *stages, GridOwnership *grid)
{
    size_t bytes = 0;
    /* Large lines are known by what they were made from. */
    for (int d = 0; d < grid->shape.count; d++)
        grid->held[d] = bytes_of(&grid->lines[d]) <= MOST_KEPT
                            ? hash_line(&grid->lines[d])
                            : hash_add(grid->start, (uint64_t)d, 1);
    for (int d = 0; d < grid->shape.count; d++)
        bytes += bytes_of(&grid->lines[d]);
    if (stages->kept + bytes > MOST_KEPT)
        return;
    stages->kept += bytes;
    Start *start = ARRAY_PUSH_ALONE(stages->arena, &stages->starts);
    *start = (Start){grid->start, *grid};
    start->grid.borrowed = ~(uint64_t)0;
    start->grid.peaks = ARENA_COPY(stages->arena, int64_t, grid->peaks, (size_t)grid->shape.p);
    for (int d = 0; d < grid->shape.count; d++)
        start->grid.lines[d] = copy_line(stages->arena, &grid->lines[d]);
}

bool grid_stages_hash(const GridOwnership *grid, WideHash *hash)
{
    if (!grid->stages || grid->unknown)
        return false;
    *hash = grid->frame;
    for (int d = 0; d < grid->shape.count; d++)
        *hash = hash_add(*hash, grid->held[d].high, grid->held[d].low);
    return true;
}

void grid_stages_own(GridOwnership *grid, int dimension)
{
    if (grid->borrowed >> dimension & 1)
        grid->lines[dimension] = copy_line(grid->arena, &grid->lines[dimension]);
    grid->borrowed &= ~((uint64_t)1 << dimension);
}

const GridStage *grid_stages_find(GridStages *stages, WideHash key)
{
    const int32_t place = place_table_get(&stages->places, key.low >> 1);
    const bool is_known = place >= 0 && hash_same(stages->stages.items[place].key, key) &&
                          stages->stages.items[place].kept;
    return is_known ? &stages->stages.items[place] : NULL;
}

bool grid_stages_repeat(GridStages *stages, const StageVisitor *visitor, GridStage *stage,
                        int64_t *work, int64_t *rounds)
{
    const GridStage *known = grid_stages_find(stages, stage->key);
    if (known && *work + known->work <= MOST_WORK) {
        *work += known->work;
        *rounds += known->rounds;
        visitor->repeat(visitor->context, known->kept);
        return true;
    }
    stage->work = -*work, stage->rounds = -*rounds;
    visitor->begin(visitor->context);
    return false;
}

void grid_stages_finish(GridStages *stages, const StageVisitor *visitor, GridStage *stage,
                        int64_t work, int64_t rounds)
{
    stage->work += work, stage->rounds += rounds;
    stage->kept = visitor->end(visitor->context, stages->arena);
    grid_stages_put(stages, *stage);
}

void grid_stages_end(GridOwnership *grid, int dimension, const GridStage *stage)
{
    const uint64_t bit = (uint64_t)1 << dimension;
    grid->unknown |= stage->line ? 0 : bit;
    if (!stage->line)
        return;
    grid->lines[dimension] = *stage->line;
    grid->held[dimension] = stage->end;
    grid->borrowed |= bit;
}

void grid_stages_put(GridStages *stages, GridStage stage)
{
    int32_t *place = place_table_find(stages->arena, &stages->places, stage.key.low >> 1);
    if (*place < 0) {
        *place = (int32_t)stages->stages.count;
        ARRAY_PUSH_ALONE(stages->arena, &stages->stages);
    }
    stages->stages.items[*place] = stage;
}

void grid_stages_keep(GridOwnership *grid, int dimension, bool is_last, GridStage stage)
{
    GridStages *stages = grid->stages;
    const Ownership *line = &grid->lines[dimension];
    const size_t bytes = bytes_of(line);
    grid->unknown |= (uint64_t)1 << dimension;
    if (!is_last && bytes <= MOST_KEPT) {
        grid->unknown &= ~((uint64_t)1 << dimension);
        grid->held[dimension] = stage.end = hash_line(line);
        if (stages->kept + bytes <= MOST_KEPT) {
            const Ownership copy = copy_line(stages->arena, line);
            stages->kept += bytes;
            stage.line = ARENA_COPY(stages->arena, Ownership, &copy, 1);
        }
    }
    grid_stages_put(stages, stage);
}
