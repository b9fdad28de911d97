#include "sched/pieces.h"

#include "base/whole.h"
#include "model/trees.h"

int64_t branches_within(int64_t least, int64_t most, int64_t wanted)
{
    int64_t number = wanted < most ? wanted : most;
    return number > least ? number : least;
}

static int64_t lowest_branches(const Algorithm *algorithm)
{
    return algorithm->branching == BRANCHING_RADIX ? 2 : 1;
}

bool branches_own_range(const Algorithm *algorithm, int64_t p, int64_t ports, int64_t *least,
                        int64_t *most)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &p, [SCHEDULE_D] = &ports};
    return program_try(algorithm->least_branches.program, slots, 1, least) &&
           program_try(algorithm->most_branches.program, slots, 1, most) &&
           *least >= lowest_branches(algorithm);
}

bool branches_settle(const Algorithm *algorithm, const Instance *instance, int64_t *branches,
                     Diag *diag)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &instance->p, [SCHEDULE_D] = &instance->ports};
    int64_t least, most;
    *branches = 0;
    if (!algorithm->least_branches.program)
        return true;
    if (!program_run_int(algorithm->least_branches.program, slots, &least, diag) ||
        !program_run_int(algorithm->most_branches.program, slots, &most, diag))
        return false;
    if (least < lowest_branches(algorithm))
        return diag_error(diag, algorithm->least_branches.text.span,
                          "a %s is at least %lld, but for p = %lld this range begins at %lld",
                          branching_names[algorithm->branching],
                          (long long)lowest_branches(algorithm), (long long)instance->p,
                          (long long)least);
    *branches = branches_within(least, most, instance->branches);
    return true;
}

typedef struct {
    const Instance *instance;
    Shape shape;
    Pieces *pieces;
    int64_t *work;
    Diag *diag;
} Finder;

static bool find_pieces(const Instance *instance, int64_t *work, Pieces *pieces, Diag *diag);

Shape instance_shape(const Instance *instance)
{
    const RankGrid *grid = &instance->algorithm->grid;
    int64_t sizes[MOST_PARAMETERS];
    const Shape own = instance->shape ? *instance->shape : shape_line(instance->p);
    if (!grid->count || grid->is_network || !grid_try_sizes(grid, &own, instance->ports, sizes))
        return own;
    Shape shape = {.p = 1};
    for (int i = 0; i < grid->count; i++)
        shape_add(&shape, grid->dimensions[i].name, sizes[i]);
    return shape;
}

int64_t pieces_line_length(const Shape *shape, int line)
{
    return line == ALL_RANKS ? shape->p : shape->sizes[line];
}

int pieces_try_lines(const Use *use, const Shape *shape, int lines[MOST_DIMENSIONS])
{
    int count = 0;
    lines[0] = ALL_RANKS;
    if (use->along == ALONG_ALL_RANKS)
        return 1;
    const bool from_last = (use->by_level && shape_has_levels(shape)) != use->is_backwards;
    for (int i = 0; use->along == ALONG_EVERY_DIMENSION && i < shape->count; i++)
        lines[count++] = from_last ? shape->count - 1 - i : i;
    for (size_t i = 0; use->along == ALONG_NAMED && i < use->dimension_count; i++) {
        const int found = shape_find(shape, use->dimensions[i]);
        if (found < 0 || count == MOST_DIMENSIONS)
            return -1;
        lines[count++] = found;
    }
    return count;
}

int pieces_lines(const Use *use, const Shape *shape, int lines[MOST_DIMENSIONS], Diag *diag)
{
    const int count = pieces_try_lines(use, shape, lines);
    size_t unknown = 0;
    while (count < 0 && unknown < use->dimension_count &&
           shape_find(shape, use->dimensions[unknown]) >= 0)
        unknown++;
    if (count < 0 && unknown < use->dimension_count)
        diag_error(diag, use->dimensions[unknown].span, "unknown dimension '%.*s'",
                   (int)use->dimensions[unknown].length, use->dimensions[unknown].chars);
    else if (count < 0)
        diag_error(diag, use->dimensions[MOST_DIMENSIONS].span, "too many dimensions");
    return count;
}

Instance pieces_line_instance(const Instance *instance, const Use *use, int line, Shape *line_shape)
{
    Shape shape = instance_shape(instance);
    *line_shape = line == ALL_RANKS ? shape : shape_line(shape.sizes[line]);
    return (Instance){.algorithm = use->algorithm,
                      .p = line_shape->p,
                      .k = instance->algorithm->pipelined ? 1 : instance->k,
                      .ports = instance->ports,
                      .shape = line_shape,
                      .branches = instance->branches};
}

void pieces_fill_slots(const Shape *line_shape, const int64_t *ports, const void **slots,
                       int64_t sizes[1 + MOST_NETWORK_GRID])
{
    sizes[0] = line_shape->count;
    slots[SCHEDULE_P] = &line_shape->p;
    slots[SCHEDULE_D] = ports;
    slots[SCHEDULE_DIMS] = &sizes[0];
    for (int i = 0; i < MOST_NETWORK_GRID; i++) {
        sizes[1 + i] = i < line_shape->count ? line_shape->sizes[i] : 1;
        slots[SCHEDULE_SIZES + i] = &sizes[1 + i];
    }
}

bool pieces_channels(const Instance *instance, const Use *use, int line, int64_t *channels,
                     Diag *diag)
{
    const void *slots[MOST_SLOTS] = {0};
    int64_t sizes[1 + MOST_NETWORK_GRID];
    Shape line_shape;
    *channels = 1;
    if (!use->channels.program)
        return true;
    pieces_line_instance(instance, use, line, &line_shape);
    pieces_fill_slots(&line_shape, &instance->ports, slots, sizes);
    if (!program_run_int(use->channels.program, slots, channels, diag))
        return false;
    if (*channels >= 1 && *channels <= LIMIT_CHANNELS)
        return true;
    if (*channels < 1)
        diag_error(diag, use->channels.text.span, "a stage cannot have %lld channels",
                   (long long)*channels);
    else
        diag_limit(diag, use->channels.text.span, "a stage has at most %d channels, not %lld",
                   LIMIT_CHANNELS, (long long)*channels);
    return false;
}

static uint64_t all_dimensions(const Shape *shape)
{
    return ((uint64_t)1 << shape->count) - 1;
}

/* A used algorithm with a block for each rank asks for cuts of whole vectors. Own chunks serve if
   there are as many as ranks, or as the line has. */
static bool need_cuts(Finder *finder, const Use *use, int line)
{
    Pieces *pieces = finder->pieces;
    const Shape *shape = &finder->shape;
    uint64_t wanted = line == ALL_RANKS ? all_dimensions(shape) : (uint64_t)1 << line;
    if (!pieces->has_own_chunks) {
        pieces->cut_dimensions |= wanted;
        return true;
    }
    if (pieces->cuts == shape->p)
        pieces->cut_dimensions = all_dimensions(shape);
    else if (pieces->cuts == pieces_line_length(shape, line) &&
             (pieces->cut_dimensions & ~wanted) == 0)
        pieces->cut_dimensions = wanted;
    else {
        return diag_error(finder->diag, finder->instance->algorithm->chunks.text.span,
                          "%s needs a block for each of %lld ranks, but blocks are cut into %lld",
                          use->algorithm->head.name, (long long)pieces_line_length(shape, line),
                          (long long)pieces->cuts);
    }
    return true;
}

static bool note_line(Finder *finder, const Use *use, int line, Span span)
{
    Shape line_shape;
    Instance used = pieces_line_instance(finder->instance, use, line, &line_shape);
    const Collective *own = finder->instance->algorithm->collective;
    const Collective *theirs = use->algorithm->collective;
    Pieces inner;
    if (!find_pieces(&used, finder->work, &inner, finder->diag))
        return false;
    if (own->problem) {
        /* Blocks of a problem are used as they are. */
        bool cuts = inner.cuts > 1 || inner.chunks > 1;
        if (cuts || inner.arrays.count)
            diag_error(finder->diag, span, "%s %s, which blocks of a matrix cannot follow",
                       use->algorithm->head.name,
                       cuts ? "cuts blocks into chunks" : "has arrays of its own");
        return !cuts && inner.arrays.count == 0;
    }
    if (theirs->index_count && own->index_count == 0 && !need_cuts(finder, use, line))
        return false;
    if (arrays_copies(&inner.arrays) > arrays_copies(&finder->pieces->arrays))
        finder->pieces->arrays = inner.arrays;
    int64_t count, channels, chunks = finder->pieces->chunks;
    if (!pieces_channels(finder->instance, use, line, &channels, finder->diag))
        return false;
    if (__builtin_mul_overflow(inner.cuts, inner.chunks, &count) ||
        __builtin_mul_overflow(count, channels, &count) ||
        __builtin_mul_overflow(chunks / whole_common_divisor(chunks, count), count,
                               &finder->pieces->chunks))
        return diag_error(finder->diag, span, "this cuts blocks into too many pieces");
    return true;
}

static bool note_steps(Finder *finder, const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int lines[MOST_DIMENSIONS], line_count = 0;
        if (++*finder->work > MOST_WORK)
            return diag_error(finder->diag, steps[i].span, "algorithms use each other too often");
        if (!note_steps(finder, steps[i].steps, steps[i].step_count))
            return false;
        if (steps[i].kind == STEP_USE)
            line_count = pieces_lines(&steps[i].use, &finder->shape, lines, finder->diag);
        for (int l = 0; l < line_count; l++)
            if (!note_line(finder, &steps[i].use, lines[l], steps[i].span))
                return false;
        if (line_count < 0)
            return false;
    }
    return true;
}

static bool find_own_chunks(const Instance *instance, Pieces *pieces, Diag *diag)
{
    const Algorithm *algorithm = instance->algorithm;
    const Shape shape = instance_shape(instance);
    int64_t branches, sizes[1 + MOST_NETWORK_GRID];
    const void *slots[MOST_SLOTS] = {[SCHEDULE_ROOT] = &instance->root,
                                     [SCHEDULE_K] = &instance->k,
                                     [SCHEDULE_TARGET] = &instance->target,
                                     [SCHEDULE_BRANCHES] = &branches};
    pieces_fill_slots(&shape, &instance->ports, slots, sizes);
    pieces->has_own_chunks = algorithm->chunks.program || algorithm->trees;
    if (algorithm->trees &&
        __builtin_mul_overflow(algorithm->trees->weight, instance->k, &pieces->cuts))
        return diag_error(diag, algorithm->head.span, "blocks are cut into too many pieces");
    if (!algorithm->chunks.program)
        return true;
    if (!branches_settle(algorithm, instance, &branches, diag) ||
        !program_run_int(algorithm->chunks.program, slots, &pieces->cuts, diag))
        return false;
    if (pieces->cuts < 1)
        diag_error(diag, algorithm->chunks.text.span, "a block cannot be cut into %lld chunks",
                   (long long)pieces->cuts);
    return pieces->cuts >= 1;
}

static bool find_arrays(const Instance *instance, Arrays *arrays, Diag *diag)
{
    const Algorithm *algorithm = instance->algorithm;
    int64_t zero = 0, one = 1;
    const void *slots[MOST_SLOTS] = {&instance->p, NULL, &zero, &one, &instance->ports};
    *arrays = (Arrays){.names = algorithm->arrays, .count = algorithm->array_count};
    for (size_t i = 0; i < arrays->count; i++) {
        const Formula *size = &algorithm->array_sizes[i];
        if (!size->program)
            continue;
        if (!program_run_int(size->program, slots, &arrays->extents[i], diag))
            return false;
        if (arrays->extents[i] < 1)
            return diag_error(diag, size->text.span, "the index of '%s' cannot have %lld values",
                              arrays->names[i], (long long)arrays->extents[i]);
    }
    return true;
}

static bool find_pieces(const Instance *instance, int64_t *work, Pieces *pieces, Diag *diag)
{
    const Algorithm *algorithm = algorithm_origin(instance->algorithm);
    Instance origin = *instance;
    origin.algorithm = algorithm;
    *pieces = (Pieces){.cuts = 1, .chunks = 1};
    if (!find_arrays(&origin, &pieces->arrays, diag) || !find_own_chunks(&origin, pieces, diag))
        return false;
    Finder finder = {&origin, instance_shape(instance), pieces, work, diag};
    if (!note_steps(&finder, algorithm->steps, algorithm->step_count))
        return false;
    for (int i = 0; !pieces->has_own_chunks && i < finder.shape.count; i++)
        if (pieces->cut_dimensions >> i & 1)
            pieces->cuts *= finder.shape.sizes[i];
    if (algorithm->pipelined &&
        __builtin_mul_overflow(pieces->chunks, instance->k, &pieces->chunks))
        return diag_error(diag, algorithm->head.span, "this cuts blocks into too many pieces");
    bool is_foreign = pieces->chunks > 1 || (pieces->cuts > 1 && !pieces->has_own_chunks);
    if (is_foreign && algorithm->has_transfers)
        return diag_error(
            diag, algorithm->head.span,
            "a used algorithm cuts blocks here, so transfers cannot name them: put them into "
            "an algorithm of their own");
    return true;
}

bool pieces_find(const Instance *instance, Pieces *pieces, Diag *diag)
{
    int64_t work = 0;
    return find_pieces(instance, &work, pieces, diag);
}

int64_t pieces_coordinate(const Pieces *pieces, const Shape *shape, int64_t cut, int dimension)
{
    for (int i = 0; i < dimension; i++)
        if (pieces->cut_dimensions >> i & 1)
            cut /= shape->sizes[i];
    return cut % shape->sizes[dimension];
}
