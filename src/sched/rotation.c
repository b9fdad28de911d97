#include "sched/rotation.h"

#include "lang/motion.h"
#include "sched/pieces.h"

/* Origins of what turns: as r does, and as the variable of loop i of a set does. */
enum { ORIGIN_R = 1, ORIGIN_LOOPS };

/* Loops over few dimensions and ways are looked at pass by pass, so many times together: what a
   step does with the coordinate that turns is known in a pass, and differs between them. */
enum { FEW_PASSES = 8, MOST_PASSES = 512 };

typedef struct {
    const Instance *instance;
    Rotation *rotation;
    uint64_t staying, staying_fronts; /* indices that stay */
    int64_t passes;                   /* that may still be looked at one by one */
    MotionScope scope;
    Diag silent;
} Finder;

static bool steps_turn(Finder *finder, const ScheduleStep *steps, size_t count);

static Motion motion_of(Finder *finder, const Program *program)
{
    return motion_find(program_expr(program), &finder->scope);
}

/* The number of a rank, 0 .. p-1, that turns as r does. */
static bool turns_as_rank(const Finder *finder, const Motion *motion)
{
    const int64_t by = finder->rotation->by;
    return motion->kind == MOTION_TURNS && motion->by == by && motion->least >= 0 &&
           motion->most < by;
}

/* An index turns, or stays, wherever it stands. */
static bool note_index(const Finder *finder, const Motion *motion, int64_t extent, uint64_t bit,
                       uint64_t *turning, uint64_t *staying)
{
    if (motion->kind == MOTION_STAYS)
        *staying |= bit;
    else if (turns_as_rank(finder, motion) && extent == finder->instance->p)
        *turning |= bit;
    else
        return false;
    return (*turning & *staying & bit) == 0;
}

static bool note_indices(Finder *finder, const CompiledSet *set)
{
    Rotation *rotation = finder->rotation;
    const BlockSpace *space = &rotation->space;
    int array = set->syntax->array;
    int64_t copies = array ? space->arrays.extents[array - 1] : 0;
    int front = copies > 0;
    for (int x = 0; x < set->index_count; x++) {
        Motion motion = set->is_range ? finder->scope.slots[set->loops[set->loop_count - 1].slot]
                                      : motion_of(finder, set->indices[x]);
        bool good = x < front ? note_index(finder, &motion, copies, (uint64_t)1 << array,
                                           &rotation->fronts, &finder->staying_fronts)
                              : note_index(finder, &motion, space->extents[x - front],
                                           (uint64_t)1 << (x - front), &rotation->turning,
                                           &finder->staying);
        if (!good)
            return false;
    }
    return true;
}

/* What the variable of a loop takes on stays where its ends do. */
static bool note_loop(Finder *finder, int slot, const Program *from, const Program *to)
{
    Motion first = motion_of(finder, from), last = motion_of(finder, to);
    int64_t least = first.least < last.least ? first.least : last.least;
    finder->scope.slots[slot] =
        motion_stays(least, first.most > last.most ? first.most : last.most);
    return first.kind == MOTION_STAYS && last.kind == MOTION_STAYS;
}

/* The expression that gives the value, where conditions are known. */
static const Expr *chosen(Finder *finder, const Program *program)
{
    const Expr *expr = program_expr(program);
    while (expr->kind == EXPR_WHEN) {
        Motion condition = motion_find(expr->arguments[0], &finder->scope);
        if (!motion_is_known(&condition))
            break;
        expr = expr->arguments[condition.least ? 1 : 2];
    }
    return expr;
}

/* What the variable of a set's loop takes on: what both ends are, where they are one, or where it
   stays between them. If it takes on all ranks, or coordinates, it may as well turn, for then it
   names the same ones. */
static bool note_set_loop(Finder *finder, const CompiledSet *set, int i, bool may_turn)
{
    const SetLoop *loop = &set->loops[i];
    const int64_t turns = finder->scope.turns;
    Motion *motion = &finder->scope.slots[loop->slot];
    Motion first = motion_of(finder, loop->from), last = motion_of(finder, loop->to);
    if (first.kind == MOTION_TURNS && last.kind == MOTION_TURNS) {
        *motion = first;
        return expr_equals(chosen(finder, loop->from), chosen(finder, loop->to));
    }
    if (!note_loop(finder, loop->slot, loop->from, loop->to))
        return false;
    const int64_t count = last.most < INT64_MAX ? last.most + 1 : 1;
    if (may_turn && motion_is_known(&first) && motion_is_known(&last) && first.least == 0 &&
        count > 1 && count % turns == 0)
        *motion = motion_turns(0, count / turns - 1, count / turns, ORIGIN_LOOPS + i);
    return true;
}

/* As many blocks at every rank, turned. `all` is what a rank holds. Items of two sets that go
   together one by one must be the same ones, too (`in_order`). What all ranks of a layer send of
   all layers is taken to turn, as other sets of such schedules do; else loops turn where they must.
 */
static bool set_turns(Finder *finder, const CompiledSet *set, bool in_order)
{
    const Finder before = *finder;
    const Rotation known = *finder->rotation;
    const unsigned ways = in_order ? 1 : 1u << set->loop_count;
    for (unsigned way = 0; way < ways; way++) {
        /* bit i: loop i may turn */
        const unsigned turning = finder->rotation->by > 2 ? ways - 1 - way : way;
        bool turns = true;
        for (int i = 0; i < set->loop_count && turns; i++)
            turns = note_set_loop(finder, set, i, turning >> i & 1);
        if (turns && set->condition)
            turns = motion_of(finder, set->condition).kind == MOTION_STAYS;
        if (turns && (set->syntax->all || note_indices(finder, set)))
            return true;
        *finder = before;
        *finder->rotation = known;
    }
    return false;
}

static bool sets_turn(Finder *finder, const SetList *sets, bool in_order)
{
    for (size_t i = 0; i < sets->count; i++)
        if (!set_turns(finder, &sets->items[i], in_order))
            return false;
    return true;
}

static bool message_turns(Finder *finder, const ScheduleStep *step)
{
    const Transfer *transfer = &step->transfer;
    if (step->condition.program) {
        Motion condition = motion_of(finder, step->condition.program);
        if (motion_is_known(&condition) && !condition.least)
            return true;
        if (condition.kind != MOTION_STAYS)
            return false;
    }
    if (transfer->to.program) {
        Motion to = motion_of(finder, transfer->to.program);
        if (!turns_as_rank(finder, &to))
            return false;
    }
    bool in_order = transfer->into.count > 0;
    return sets_turn(finder, &transfer->blocks, in_order) &&
           sets_turn(finder, &transfer->into, in_order);
}

/* Has the loop few passes, from *first on? They are looked at one by one then. */
static bool has_few_passes(Finder *finder, const Program *from, const Program *to, int64_t *first,
                           int64_t *last)
{
    Motion least = motion_of(finder, from), most = motion_of(finder, to);
    *first = least.least, *last = most.least;
    int64_t span;
    if (!motion_is_known(&least) || !motion_is_known(&most) ||
        __builtin_sub_overflow(*last, *first, &span) || span < 0 || span >= FEW_PASSES ||
        finder->passes <= span)
        return false;
    finder->passes -= span + 1;
    return true;
}

static bool transfer_turns(Finder *finder, const ScheduleStep *step, size_t loop)
{
    if (loop == step->loop_count)
        return message_turns(finder, step);
    const int slot = step->loops[loop].loop.slot;
    const Program *from = step->loops[loop].from, *to = step->loops[loop].to;
    int64_t first, last;
    if (!has_few_passes(finder, from, to, &first, &last))
        return note_loop(finder, slot, from, to) && transfer_turns(finder, step, loop + 1);
    for (int64_t i = first; i <= last; i++) {
        finder->scope.slots[slot] = motion_known(i);
        if (!transfer_turns(finder, step, loop + 1))
            return false;
    }
    return true;
}

/* One that does something else may have no value at some rank, also where nobody reads it. */
static bool note_lets(Finder *finder, const LetList *lets)
{
    for (size_t i = 0; i < lets->count; i++) {
        Motion motion = motion_of(finder, lets->items[i].program);
        if (motion.kind == MOTION_OTHER)
            return false;
        finder->scope.slots[lets->items[i].slot] = motion;
    }
    return true;
}

static bool repeat_turns(Finder *finder, const ScheduleStep *step)
{
    int64_t first, last;
    if (!step->then.count && has_few_passes(finder, step->from, step->to, &first, &last)) {
        for (int64_t i = first; i <= last; i++) {
            finder->scope.slots[step->loop.slot] = motion_known(i);
            if (!note_lets(finder, &step->lets) ||
                !steps_turn(finder, step->steps, step->step_count))
                return false;
        }
        return true;
    }
    if (!note_loop(finder, step->loop.slot, step->from, step->to))
        return false;
    /* In the next pass names with a `then` stay if their new values do; what they are is not known.
     */
    for (size_t i = 0; i < step->then.count; i++) {
        Motion *motion = &finder->scope.slots[step->then.items[i].slot];
        if (motion->kind != MOTION_STAYS)
            return false;
        *motion = motion_stays(INT64_MIN, INT64_MAX);
    }
    if (!note_lets(finder, &step->lets) || !steps_turn(finder, step->steps, step->step_count))
        return false;
    for (size_t i = 0; i < step->then.count; i++)
        if (motion_of(finder, step->then.items[i].program).kind != MOTION_STAYS)
            return false;
    return true;
}

/* Blocks of the used algorithm stand for those of the same index, or for pieces of the same number:
   these turn where its blocks do. Its own pieces must stay. */
static bool note_used(Finder *finder, const Rotation *used, const Collective *theirs,
                      const Pieces *pieces)
{
    const Collective *own = finder->instance->algorithm->collective;
    const int count = theirs->index_count;
    if (used->turning >> count || used->fronts)
        return false;
    bool by_cut = count == 1 && own->index_count == 0;
    for (int x = 0; x < count; x++) {
        uint64_t bit = (uint64_t)1 << x; /* the cut comes first where there is no other index */
        bool turns = used->turning >> x & 1;
        int64_t extent = by_cut ? pieces->cuts : finder->rotation->space.extents[x];
        if (turns && extent != finder->instance->p)
            return false;
        *(turns ? &finder->rotation->turning : &finder->staying) |= bit;
    }
    return (finder->rotation->turning & finder->staying) == 0;
}

static bool use_turns(Finder *finder, const Use *use)
{
    const Instance *instance = finder->instance;
    Shape shape;
    Pieces pieces;
    Rotation used;
    const int64_t by = finder->rotation->by;
    if (use->along != ALONG_ALL_RANKS || use->of.count || use->root.program ||
        use->target.program || use->channels.program)
        return false;
    if (use->renumber.program) { /* ranks turn with r then, up or down */
        const Motion motion = motion_of(finder, use->renumber.program);
        if (motion.kind != MOTION_TURNS || (motion.by != by && motion.by != -by))
            return false;
    }
    Instance inner = pieces_line_instance(instance, use, ALL_RANKS, &shape);
    inner.root = use->algorithm->collective->rooted ? instance->root : 0;
    return pieces_find(instance, &pieces, &finder->silent) && rotation_find_by(&inner, by, &used) &&
           note_used(finder, &used, use->algorithm->collective, &pieces);
}

static bool steps_turn(Finder *finder, const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].condition.program && steps[i].kind != STEP_TRANSFER) {
            Motion condition = motion_of(finder, steps[i].condition.program);
            if (motion_is_known(&condition) && !condition.least)
                continue;
        }
        const ScheduleStep *step = &steps[i];
        bool turns = false;
        if (step->kind == STEP_REPEAT)
            turns = repeat_turns(finder, step);
        else if (step->kind == STEP_USE)
            turns = use_turns(finder, &step->use);
        else if (step->kind == STEP_ROUND)
            turns =
                note_lets(finder, &step->lets) && steps_turn(finder, step->steps, step->step_count);
        else if (step->kind == STEP_TRANSFER)
            turns = note_lets(finder, &step->lets) && transfer_turns(finder, step, 0);
        if (!turns)
            return false;
    }
    return true;
}

/* What coordinates are follows from r, as r div stride mod size. False: no such grid. */
static bool note_grid(Finder *finder, const RankGrid *grid)
{
    const Instance *instance = finder->instance;
    const Shape shape = instance_shape(instance);
    int64_t sizes[MOST_PARAMETERS], stride = 1;
    if (!grid_try_sizes(grid, &shape, instance->ports, sizes))
        return false;
    Motion *slots = finder->scope.slots;
    slots[SCHEDULE_DIMS] = motion_known(shape.count);
    for (int x = 0; x < grid->count; x++) {
        slots[grid->dimensions[x].slot] =
            motion_coordinate(&slots[SCHEDULE_R], stride, sizes[x], finder->scope.turns);
        slots[grid->dimensions[x].size_slot] = motion_known(sizes[x]);
        stride *= sizes[x];
    }
    return true;
}

static bool turns_by(const Instance *instance, int64_t by, Rotation *rotation)
{
    const Algorithm *algorithm = instance->algorithm;
    Finder finder = {.instance = instance,
                     .rotation = rotation,
                     .passes = by > 2 ? MOST_PASSES : 0, /* the others know no coordinates */
                     .scope = {.turns = instance->p / by},
                     .silent = diag_silent()};
    *rotation = (Rotation){.p = instance->p, .by = by};
    if (instance->p % by != 0 || instance->p <= by ||
        !schedule_blocks(instance, &rotation->space, &finder.silent))
        return false;
    int64_t branches;
    if (!branches_settle(algorithm, instance, &branches, &finder.silent))
        return false;
    Motion *slots = finder.scope.slots;
    slots[SCHEDULE_P] = motion_known(instance->p);
    slots[SCHEDULE_R] = motion_turns(0, by - 1, by, ORIGIN_R);
    slots[SCHEDULE_ROOT] = motion_known(instance->root);
    slots[SCHEDULE_K] = motion_known(instance->k);
    slots[SCHEDULE_D] = motion_known(instance->ports);
    slots[SCHEDULE_TARGET] = motion_known(instance->target);
    slots[SCHEDULE_BRANCHES] = motion_known(branches);
    if ((algorithm->grid.count && !note_grid(&finder, &algorithm->grid)) ||
        !note_lets(&finder, &algorithm->lets) ||
        !steps_turn(&finder, algorithm->steps, algorithm->step_count))
        return false;
    for (int x = 0; x < algorithm->collective->index_count; x++)
        if (!(finder.staying >> x & 1) && rotation->space.extents[x] == instance->p)
            rotation->turning |= (uint64_t)1 << x; /* blocks that nothing but `all` names */
    return true;
}

/* The algorithm whose rounds these are. NULL: turns say nothing of them. */
static const Algorithm *origin_of(const Instance *instance)
{
    const Algorithm *algorithm = algorithm_origin(instance->algorithm);
    if (instance->algorithm->collective->problem)
        return NULL;
    /* stages of what is pipelined turn for one chunk alone */
    return algorithm->trees || (algorithm->pipelined && instance->k > 1) ? NULL : algorithm;
}

/* The ranks of a layer of the first grid of the algorithm or of one that it uses on all ranks; or
   p, for want of one. */
static int64_t layer_of_grid(const Algorithm *algorithm, const Instance *instance)
{
    const Shape shape = instance_shape(instance);
    int64_t sizes[MOST_PARAMETERS];
    algorithm = algorithm_origin(algorithm);
    int x = algorithm->grid.count - 1;
    if (x >= 0 && !grid_try_sizes(&algorithm->grid, &shape, instance->ports, sizes))
        return instance->p;
    while (x > 0 && sizes[x] == 1)
        x--;
    if (x >= 0)
        return instance->p / sizes[x];
    int64_t layer = instance->p;
    for (size_t i = 0; i < algorithm->step_count && layer == instance->p; i++)
        if (algorithm->steps[i].kind == STEP_USE &&
            algorithm->steps[i].use.along == ALONG_ALL_RANKS)
            layer = layer_of_grid(algorithm->steps[i].use.algorithm, instance);
    return layer;
}

bool rotation_find_by(const Instance *instance, int64_t by, Rotation *rotation)
{
    Instance origin = *instance;
    origin.algorithm = origin_of(instance);
    return origin.algorithm && turns_by(&origin, by, rotation);
}

bool rotation_find(const Instance *instance, Rotation *rotation)
{
    if (rotation_find_by(instance, 1, rotation) || rotation_find_by(instance, 2, rotation))
        return true;
    const Algorithm *algorithm = origin_of(instance);
    const int64_t layer = algorithm ? layer_of_grid(algorithm, instance) : instance->p;
    return layer > 2 && layer < instance->p && rotation_find_by(instance, layer, rotation);
}

/* A number made of the first `count` indices, turned; `ranks` is 0 .. p-1. */
static int64_t turn_indices(const Rotation *rotation, int count, int64_t number, int64_t ranks)
{
    const BlockSpace *space = &rotation->space;
    int64_t turned = 0, weight = 1;
    for (int x = count - 1; x >= 0; x--) {
        int64_t index = number % space->extents[x];
        number /= space->extents[x];
        if (rotation->turning >> x & 1)
            index = (index + ranks) % rotation->p;
        turned += index * weight;
        weight *= space->extents[x];
    }
    return turned;
}

int64_t rotation_turn(const Rotation *rotation, int64_t block, int64_t ranks)
{
    const BlockSpace *space = &rotation->space;
    ranks %= rotation->p;
    ranks += ranks < 0 ? rotation->p : 0;
    const int64_t copy = block / space->array_blocks;
    int64_t lands = copy; /* the copy of the main array in which it does */
    for (int a = 1; rotation->fronts && a <= (int)space->arrays.count; a++) {
        const int64_t first = blockspace_start(space, a) / space->array_blocks;
        if ((rotation->fronts >> a & 1) && copy >= first && copy < first + rotation->p)
            lands = first + (copy - first + ranks) % rotation->p;
    }
    return lands * space->array_blocks +
           turn_indices(rotation, space->index_count, block % space->array_blocks, ranks);
}

/* Does what the rank holds, a run of whole blocks, lie where that of the one that stands for it is
   turned to? Runs that are known: no block or one, all blocks, all of one first or last index. */
static bool run_fits(const Rotation *rotation, const Holding *holding, int indices,
                     int64_t block_count, int64_t rank)
{
    int64_t ranks, stand_in = rotation_stand_in(rotation, rank, &ranks);
    int64_t count = holding_count(holding, rank);
    if (count != holding_count(holding, stand_in))
        return false;
    if (count == 0 || count == block_count || ranks == 0)
        return true;
    int64_t first = per_rank(&holding->firsts, stand_in),
            last = first + (count - 1) * holding->stride;
    int64_t extent = rotation->space.extents[indices - 1];
    bool is_row = holding->stride == 1 && count == extent && first % extent == 0;
    bool is_column =
        indices == 2 && holding->stride == extent && first < extent && last + extent >= block_count;
    int64_t turned = turn_indices(rotation, indices, first, ranks);
    if (is_row)
        turned -= turned % extent;
    else if (is_column)
        turned %= extent;
    else if (count > 1)
        return false;
    return per_rank(&holding->firsts, rank) == turned;
}

bool rotation_fits(const Rotation *rotation, const Collective *collective, const Holding *holding)
{
    int indices = collective->index_count;
    int64_t block_count = 1;
    for (int x = 0; x < indices; x++)
        block_count *= rotation->space.extents[x];
    if (holding->blocks)
        return false;
    for (int64_t r = 0; r < rotation->p; r++)
        if (!run_fits(rotation, holding, indices, block_count, r))
            return false;
    return true;
}
