#include "sched/grid_ownership.h"

#include "sched/grid_stages.h"

#include <string.h>

/* Do uses run on all ranks, which are one line then? Where nothing is used, or some do and some run
   along dimensions, what follows finds that. */
static bool runs_on_all_ranks(const ScheduleStep *steps, size_t count)
{
    bool all = false;
    for (size_t i = 0; i < count && !all; i++)
        all = steps[i].kind == STEP_USE ? steps[i].use.along == ALONG_ALL_RANKS
                                        : runs_on_all_ranks(steps[i].steps, steps[i].step_count);
    return all;
}

/* Only uses along dimensions, or on all ranks, of algorithms whose blocks have no more indices than
   those here. */
static bool runs_along_dimensions(const GridOwnership *grid, const Collective *own,
                                  const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        if (step->kind == STEP_REPEAT) {
            if (!runs_along_dimensions(grid, own, step->steps, step->step_count))
                return false;
            continue;
        }
        if (step->kind != STEP_USE || step->use.of.count || step->use.channels.program ||
            (step->use.along == ALONG_ALL_RANKS) != grid->is_one_line)
            return false;
        int theirs = step->use.algorithm->collective->index_count;
        if (theirs > own->index_count && (own->index_count > 0 || theirs > 1))
            return false;
    }
    return grid->is_one_line || grid->shape.count > 1;
}

/* In how many stages an algorithm runs that has arrays of its own; more than one, too, where it may
   run again. */
static int stages_with_arrays(const ScheduleStep *steps, size_t count)
{
    int stages = 0;
    for (size_t i = 0; i < count; i++) {
        const Use *use = &steps[i].use;
        stages += 2 * stages_with_arrays(steps[i].steps, steps[i].step_count);
        if (steps[i].kind != STEP_USE)
            continue;
        const Algorithm *used = algorithm_origin(use->algorithm);
        const bool is_once = use->along == ALONG_NAMED && use->dimension_count == 1;
        const int own = (used->array_count > 0) + stages_with_arrays(used->steps, used->step_count);
        stages += is_once ? own : 2 * own;
    }
    return stages;
}

static bool is_cut_along(const GridOwnership *grid, int dimension)
{
    return grid->pieces.cut_dimensions >> dimension & 1;
}

int64_t grid_ownership_count(const GridOwnership *grid, int dimension, int64_t coordinate)
{
    return grid->lines[dimension].counts[coordinate] / grid->pieces.chunks;
}

bool grid_ownership_is_whole(const GridOwnership *grid, int dimension)
{
    const Ownership *line = &grid->lines[dimension];
    const int64_t chunks = grid->pieces.chunks;
    for (int64_t r = 0; r < line->p && chunks > 1 && !grid->is_one_line; r++) {
        /* Runs of blocks that a coordinate holds begin and end between whole blocks. */
        int64_t block = 0, end = line->block_count;
        bool whole = true;
        for (bool held = true; block < end && whole; held = !held) {
            block = ownership_seek(line, r, block, end, held);
            whole = block % chunks == 0;
        }
        if (!whole)
            return false;
    }
    return true;
}

/* A rank with this coordinate may hold blocks whose indices have this place, whatever their cuts.
 */
static void put(GridOwnership *grid, int dimension, int64_t coordinate, int64_t place)
{
    const int64_t chunks =
        grid->pieces.chunks * (is_cut_along(grid, dimension) ? grid->shape.sizes[dimension] : 1);
    Ownership *line = &grid->lines[dimension];
    if (!ownership_has(line, coordinate, place * chunks))
        for (int64_t h = 0; h < chunks; h++)
            ownership_put(line, coordinate, place * chunks + h);
}

static void put_held(GridOwnership *grid, int index_count, const Holding *holding, int64_t rank)
{
    const Shape *shape = &grid->shape;
    const int64_t p = shape->p, count = holding_count(holding, rank);
    const bool is_row = index_count == 2 && count == p && !holding->blocks &&
                        holding->stride == 1 && holding_block(holding, rank, 0) % p == 0;
    for (int d = 0; d < shape->count; d++) {
        const int64_t coordinate = shape_coordinate(shape, rank, d);
        if (is_row) { /* all blocks with these indices but the last, which is each rank once */
            const int64_t front = holding_block(holding, rank, 0) / p;
            for (int64_t c = 0; c < shape->sizes[d]; c++)
                put(grid, d, coordinate, shape_coordinate(shape, front, d) * shape->sizes[d] + c);
            continue;
        }
        for (int64_t i = 0; i < count; i++) {
            int64_t place = 0, rest = holding_block(holding, rank, i), below = 1;
            for (int x = index_count - 1; x >= 0; x--) {
                place += shape_coordinate(shape, rest % p, d) * below;
                below *= shape->sizes[d];
                rest /= p;
            }
            put(grid, d, coordinate, place);
        }
    }
}

/* All that ranks hold is put; if each holds as much as the product has, it holds all of that. */
static bool lay_out(GridOwnership *grid, int index_count, const Holding *holding)
{
    const int64_t p = grid->shape.p;
    const bool all_alike = holding->is_shared && holding->holders == p;
    for (int64_t r = 0; r < (all_alike ? 1 : p); r++)
        put_held(grid, index_count, holding, r);
    if (all_alike) {
        /* What goes with coordinate 0 goes with all. */
        for (int d = 0; d < grid->shape.count; d++) {
            Ownership *line = &grid->lines[d];
            for (int64_t c = 1; c < line->p; c++) {
                memcpy(ownership_word(line, c, 0), line->bits, line->words * sizeof *line->bits);
                line->counts[c] = line->counts[0];
                line->peaks[c] = line->peaks[0];
            }
        }
    }
    for (int64_t r = 0; r < p; r++) {
        int64_t count = 1;
        for (int d = 0; d < grid->shape.count; d++)
            count *= grid_ownership_count(grid, d, shape_coordinate(&grid->shape, r, d));
        if (count / grid->pieces.cuts != holding_count(holding, r))
            return false;
        grid->peaks[r] = holding_count(holding, r) * grid->pieces.cuts * grid->pieces.chunks;
    }
    return true;
}

/* Lays out what the contract of the instance says is before, in a grid whose pieces are known. */
static bool lay_out_before(Arena *arena, const Instance *instance, GridOwnership *grid)
{
    const Collective *collective = instance->algorithm->collective;
    Contract contract;
    BlockSpace whole;
    Diag silent = diag_silent();
    if (instance->p > LIMIT_RANKS ||
        !blockspace_create(collective, instance->p, 0, &whole, &silent))
        return false;
    for (int i = 0; i < collective->index_count; i++)
        if (whole.extents[i] != instance->p)
            return false;
    grid->peaks = ARENA_ARRAY(arena, int64_t, (size_t)instance->p);
    Arena *scratch = arena_scratch(arena);
    /* With a place of a block along a dimension for the coordinates of its indices, the last one
       first, and of its cut. */
    bool good = true;
    for (int d = 0; d < grid->shape.count && good; d++) {
        const int64_t size = grid->shape.sizes[d];
        const Contract nothing = {.p = size};
        BlockSpace space = {.count = grid->pieces.chunks};
        const int coordinates = collective->index_count + is_cut_along(grid, d);
        for (int i = 0; i < coordinates && good; i++)
            good = !__builtin_mul_overflow(space.count, size, &space.count);
        good = good && ownership_create(arena, &nothing, &space, grid->pieces.chunks, NULL, NULL,
                                        &grid->lines[d]);
    }
    good = good && schedule_contract(instance, instance->p, scratch, &contract, &silent) &&
           lay_out(grid, collective->index_count, &contract.before);
    arena_destroy(scratch);
    return good;
}

bool grid_ownership_create(Arena *arena, const Instance *instance, GridStages *stages,
                           GridOwnership *grid, Diag *diag)
{
    Instance origin = *instance;
    if (instance->algorithm->dual)
        origin.algorithm = instance->algorithm->dual;
    const Algorithm *algorithm = origin.algorithm;
    const bool overlaps = algorithm->pipelined && instance->k > 1;
    *grid =
        (GridOwnership){.shape = instance_shape(instance),
                        .is_one_line = runs_on_all_ranks(algorithm->steps, algorithm->step_count)};
    if (grid->is_one_line)
        grid->shape = shape_line(instance->p);
    if (overlaps) {
        grid->is_one_chunk = true;
        grid->periods = stages;
        stages = NULL; /* they give no rounds, which are to be overlapped */
        origin.k = 1;
    }
    const bool good = !algorithm->dual && !algorithm->trees && !algorithm->collective->problem &&
                      !(algorithm->moves_blocks && instance->algorithm->dual) &&
                      runs_along_dimensions(grid, algorithm->collective, algorithm->steps,
                                            algorithm->step_count) &&
                      pieces_find(&origin, &grid->pieces, diag) && !grid->pieces.has_own_chunks;
    const bool has_arrays = good && grid->pieces.arrays.count > 0;
    if (!good || algorithm->array_count > 0 ||
        (has_arrays && stages_with_arrays(algorithm->steps, algorithm->step_count) > 1))
        return false;
    if (!stages || !grid_stages_start(stages, arena, &origin, grid)) {
        if (!lay_out_before(arena, &origin, grid))
            return false;
        if (stages)
            grid_stages_keep_start(stages, grid);
    }
    grid->left = has_arrays ? ARENA_ARRAY(arena, int64_t, (size_t)grid->shape.p) : NULL;
    return true;
}

bool grid_ownership_is_before(Arena *arena, const Instance *instance, const GridOwnership *grid)
{
    GridOwnership other = *grid;
    Arena *scratch = arena_scratch(arena);
    bool same = lay_out_before(scratch, instance, &other);
    for (int d = 0; d < grid->shape.count && same; d++) {
        const Ownership *a = &grid->lines[d], *b = &other.lines[d];
        same = a->words == b->words &&
               memcmp(a->bits, b->bits, (size_t)a->p * a->words * sizeof *a->bits) == 0;
    }
    arena_destroy(scratch);
    return same;
}
