#include "model/trees.h"
#include "sched/pieces.h"

#include <math.h>
#include <string.h>

/* While it is found whether an algorithm may run. */
typedef struct {
    int64_t work; /* steps of it, and of those that it uses */
    Refusal *refusal;
    Diag *diag;
} Asking;

static bool allows(const Instance *instance, Asking *asking);

/* Ranks in different lines of a dimension meet only if some step crosses it. */
static void note_crossed(const ScheduleStep *steps, size_t count, const Shape *shape,
                         uint64_t *crossed)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        if (step->kind == STEP_TRANSFER || step->kind == STEP_COMPUTE ||
            (step->kind == STEP_USE && step->use.along != ALONG_NAMED))
            *crossed = UINT64_MAX;
        for (size_t d = 0; d < step->use.dimension_count; d++)
            *crossed |= (uint64_t)1 << shape_find(shape, step->use.dimensions[d]);
        note_crossed(step->steps, step->step_count, shape, crossed);
    }
}

static bool allows_steps(const ScheduleStep *steps, size_t count, const Instance *user,
                         Asking *asking)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        if (++asking->work > MOST_WORK)
            return diag_error(asking->diag, step->span, "algorithms use each other too often");
        if (!allows_steps(step->steps, step->step_count, user, asking))
            return false;
        if (step->kind != STEP_USE)
            continue;
        const Use *use = &step->use;
        for (size_t d = 0; d < use->dimension_count; d++)
            if (shape_find(user->shape, use->dimensions[d]) < 0) {
                *asking->refusal = (Refusal){.dimension = use->dimensions[d]};
                return false;
            }
        int lines[MOST_DIMENSIONS];
        const int line_count = pieces_lines(use, user->shape, lines, asking->diag);
        Instance used = *user; /* on the ranks of the user, whose shape is that of its own grid */
        used.algorithm = use->algorithm;
        for (int l = 0; l < line_count; l++) {
            Shape line_shape;
            const Instance line = pieces_line_instance(&used, use, lines[l], &line_shape);
            if (!allows(&line, asking))
                return false;
        }
        if (line_count < 0)
            return false;
    }
    return true;
}

static bool allows(const Instance *instance, Asking *asking)
{
    const Algorithm *algorithm = instance->algorithm;
    Diag *diag = asking->diag;
    int64_t sizes[MOST_PARAMETERS], zero = 0, one = 1, allowed = 1;
    const void *slots[MOST_SLOTS] = {&instance->p, NULL, &zero, &one, &instance->ports};
    const size_t errors = diag->error_count;
    const bool meets =
        !(algorithm->trees && algorithm->trees->p != instance->p) &&
        (!algorithm->requires.program ||
         (program_run_int(algorithm->requires.program, slots, &allowed, diag) && allowed));
    if (!meets || (algorithm->grid.count &&
                   !grid_sizes(&algorithm->grid, instance->shape, instance->ports, sizes, diag))) {
        *asking->refusal = (Refusal){.algorithm = algorithm,
                                     .is_of_grid = meets,
                                     .is_reported = diag->error_count > errors,
                                     .p = instance->p};
        return false;
    }
    Instance own = *instance;
    if (algorithm->dual) {
        own.algorithm = algorithm->dual;
        return allows(&own, asking);
    }
    const Shape shape = instance_shape(instance);
    own.shape = &shape;
    own.p = shape.p;
    if (!allows_steps(algorithm->steps, algorithm->step_count, &own, asking))
        return false;
    uint64_t crossed = 0;
    note_crossed(algorithm->steps, algorithm->step_count, &shape, &crossed);
    for (int i = 0; i < shape.count && crossed; i++)
        if (shape.sizes[i] > 1 && !(crossed >> i & 1)) {
            *asking->refusal =
                (Refusal){.algorithm = algorithm, .p = shape.p, .uncrossed = shape.names[i]};
            return false;
        }
    return true;
}

bool schedule_allows(const Algorithm *algorithm, const Shape *shape, int64_t ports,
                     Refusal *refusal, Diag *diag)
{
    Refusal unread;
    const Instance instance = {
        .algorithm = algorithm, .p = shape->p, .k = 1, .ports = ports, .shape = shape};
    Asking asking = {.refusal = refusal ? refusal : &unread, .diag = diag};
    if (refusal)
        *refusal = (Refusal){0};
    const bool outer = diag_begin_trial(diag);
    const bool does = allows(&instance, &asking);
    diag_end_trial(diag, outer);
    return does;
}

bool schedule_try(const Algorithm *algorithm, const Shape *shape, int64_t ports)
{
    Diag silent = diag_silent();
    return schedule_allows(algorithm, shape, ports, NULL, &silent);
}

const char *schedule_explain(Arena *arena, const Refusal *refusal)
{
    if (!refusal->algorithm)
        return arena_printf(arena, "the network has no dimension '%.*s'",
                            (int)refusal->dimension.length, refusal->dimension.chars);
    if (refusal->uncrossed)
        return arena_printf(arena, "%s does not run along the dimension '%s'",
                            algorithm_full_name(arena, refusal->algorithm), refusal->uncrossed);
    const Algorithm *trees = algorithm_origin(refusal->algorithm);
    if (trees->trees)
        return arena_printf(arena, "the trees of %s have %lld ranks, not %lld",
                            algorithm_full_name(arena, trees), (long long)trees->trees->p,
                            (long long)refusal->p);
    const Text *condition = &refusal->algorithm->requires.text;
    return arena_printf(arena, "%s does not allow p = %lld: it requires %s",
                        algorithm_full_name(arena, refusal->algorithm), (long long)refusal->p,
                        refusal->is_of_grid
                            ? grid_requirement(arena, &refusal->algorithm->grid)
                            : arena_copy(arena, condition->chars, condition->length));
}

bool schedule_local_work(const Instance *instance, LocalBytes local[LOCAL_WORK_COUNT], Diag *diag)
{
    int64_t zero = 0, one = 1;
    const void *slots[MOST_SLOTS] = {&instance->p, NULL, &zero, &one, &instance->ports};
    for (int i = 0; i < LOCAL_WORK_COUNT; i++) {
        const FormulaList *formulas = &instance->algorithm->local[i];
        local[i] = (LocalBytes){0};
        for (size_t j = 0; j < formulas->count; j++) {
            const Formula *formula = &formulas->items[j];
            double times;
            if (!program_run(formula->program, slots, 1, &times, diag))
                return false;
            if (!(times >= 0 && isfinite(times)))
                return diag_error(diag, formula->text.span, "%s cannot be %g times m bytes",
                                  local_work_info[i].bytes, times);
            local[i].all += times;
            local[i].largest = fmax(local[i].largest, times);
        }
    }
    return true;
}

bool schedule_chunks(const Instance *instance, int64_t *chunks, Diag *diag)
{
    Pieces pieces;
    if (!pieces_find(instance, &pieces, diag))
        return false;
    if (!__builtin_mul_overflow(pieces.cuts, pieces.chunks, chunks))
        return true;
    return diag_error(diag, instance->algorithm->head.span, "blocks are cut into too many pieces");
}

bool schedule_try_chunks(const Instance *instance, int64_t *chunks)
{
    Diag silent = diag_silent();
    return schedule_chunks(instance, chunks, &silent);
}

bool schedule_blocks(const Instance *instance, BlockSpace *space, Diag *diag)
{
    Pieces pieces;
    if (instance->algorithm->collective->problem)
        return blockspace_of_problem(instance->algorithm, instance->p, instance->ports, space,
                                     diag);
    if (!pieces_find(instance, &pieces, diag))
        return false;
    bool has_cuts = pieces.has_own_chunks || pieces.cuts > 1;
    if (!blockspace_create(instance->algorithm->collective, instance->p, has_cuts ? pieces.cuts : 0,
                           space, diag))
        return false;
    Span span = instance->algorithm->head.span;
    if (pieces.chunks > 1) { /* which get an index of their own */
        if (space->index_count == MOST_INDICES ||
            __builtin_mul_overflow(space->count, pieces.chunks, &space->count))
            return diag_error(diag, span, "blocks are cut into too many pieces");
        space->extents[space->index_count++] = pieces.chunks;
        space->array_blocks = space->count;
    }
    return blockspace_add_arrays(space, &pieces.arrays, span, diag);
}

static bool find_size(const Cutting *cutting, const int64_t values[], int64_t *size, Diag *diag)
{
    const int64_t n = values[CUTTING_ELEMENTS], s = values[CUTTING_SEGMENT];
    const int64_t left = n - values[CUTTING_CHUNK] * s;
    const void *slots[MOST_SLOTS] = {0};
    for (int i = 0; i < CUTTING_SLOTS; i++)
        slots[i] = &values[i];
    *size = left < 0 ? 0 : left < s ? left : s;
    if (cutting->size.program && !program_run_int(cutting->size.program, slots, size, diag))
        return false;
    return *size >= 0 || diag_error(diag, cutting->size.text.span,
                                    "chunk %lld of %lld elements has a size below 0",
                                    (long long)values[CUTTING_CHUNK], (long long)n);
}

bool chunk_sizes_find(Arena *arena, const Instance *instance, int64_t chunks, const int64_t **sizes,
                      Diag *diag)
{
    const Cutting *cutting = algorithm_cutting(instance->algorithm);
    const bool is_exact = instance->sizes.elements > 0;
    const bool is_free = instance->algorithm->free_chunks;
    Pieces pieces;
    *sizes = NULL;
    if (!cutting->size.program && (!is_exact || !cutting->segments))
        return true;
    if (!pieces_find(instance, &pieces, diag))
        return false;
    /* Where other stages cut blocks, the chunks are those of each cut. */
    const int64_t cuts = pieces.has_own_chunks ? 1 : pieces.cuts, own = chunks / cuts;
    const int64_t all = is_exact ? instance->sizes.elements : chunks;
    int64_t *found = ARENA_ROOM(arena, int64_t, (size_t)chunks);
    bool alike = !is_exact;
    for (int64_t cut = 0; cut < cuts; cut++) {
        const int64_t n = all / cuts + (cut < all % cuts);
        int64_t sum = 0, segment = is_exact ? instance->sizes.segment : 0;
        if (!segment)
            segment = is_free ? (n + own - 1) / own : n;
        for (int64_t c = 0; c < own; c++) {
            const int64_t values[CUTTING_SLOTS] = {instance->p, instance->k, n, segment, c};
            int64_t *size = &found[cut * own + c];
            if (!find_size(cutting, values, size, diag))
                return false;
            sum += *size;
            alike &= *size == 1;
        }
        if (sum != n)
            return diag_error(diag, cutting->size.text.span,
                              "the chunks of %lld elements have %lld of them together",
                              (long long)n, (long long)sum);
    }
    *sizes = alike ? NULL : found;
    return true;
}
