#include "sched/runs.h"

#include "base/watch.h"
#include "net/network.h"
#include "sched/expander.h"

/* Parts into which the ranks of a step are split, at most. */
enum { MOST_PARTS = 64 };
/* A part of the work, before it is asked how much all is. */
enum { WORK_AHEAD = 64 };

ARRAY_TYPE(RunArray, MessageRun);

typedef struct {
    const Instance *instance;
    BlockSpace space;
    LinearScope scope;
    RunVisitor visit; /* NULL: they are only counted */
    void *context;
    bool named, is_dual; /* runs of the dual are wanted, from the last one on */
    Arena *arena;
    RunArray runs; /* of the round at hand */
    int64_t split; /* where an answer LINEAR_SPLIT divides the ranks that were asked */
    int64_t work, work_of_all;
    int64_t of_messages; /* of the work */
    bool is_known;       /* that all is within MOST_WORK */
    Span *too_large;
    Diag silent;
} Runner;

static bool run_steps(Runner *runner, const ScheduleStep *steps, size_t count);
static bool read_program(Runner *runner);

/* As expander_count has it, but ranks that send nothing take no time; what it would count for all
   is known, too. */
static bool count_work(Runner *runner, int64_t messages, Span span)
{
    runner->work += 1 + messages / RANKS_PER_WORK;
    runner->of_messages += messages / RANKS_PER_WORK;
    runner->work_of_all += messages ? 0 : 1 + runner->instance->p / RANKS_PER_WORK;
    if (runner->work > MOST_WORK && runner->work_of_all > MOST_WORK)
        *runner->too_large = span;
    return runner->work <= MOST_WORK;
}

static bool find_known(const Runner *runner, const Program *program, int64_t *value)
{
    Interval found;
    const Expr *expr = program_expr(program);
    if (!expr || expr->varies || !interval_find(expr, &runner->scope.box, &found))
        return false;
    *value = found.least;
    return found.least == found.most;
}

static void know(Runner *runner, int slot, int64_t value)
{
    box_set(&runner->scope.box, slot, value, value);
    runner->scope.lets &= ~((uint64_t)1 << slot);
}

/* A name has a value at every rank, or the program is wrong. */
static bool note_lets(Runner *runner, const LetList *lets)
{
    for (size_t i = 0; i < lets->count; i++) {
        const int slot = lets->items[i].slot;
        const Expr *expr = program_expr(lets->items[i].program);
        Interval range;
        if (!expr || !interval_find(expr, &runner->scope.box, &range))
            return false;
        runner->scope.lets &= ~((uint64_t)1 << slot);
        box_set(&runner->scope.box, slot, range.least, range.most);
        if (range.least == range.most)
            continue;
        runner->scope.lets |= (uint64_t)1 << slot;
        runner->scope.meanings[slot] = expr;
    }
    return true;
}

/* What the variable of a set's loop can be, and how many values it takes on. */
static LinearAnswer note_loop(Runner *runner, const CompiledSet *set, int i,
                              const Progression *ranks, Linear *count)
{
    Linear ends[2];
    Interval ranges[2], length;
    const bool down = i < set->syntax->loop_count && set->syntax->loops[i].down;
    const Program *const programs[] = {set->loops[i].from, set->loops[i].to};
    for (int e = 0; e < 2; e++) {
        const Expr *expr = program_expr(programs[down ? 1 - e : e]);
        for (int outer = 0; outer < i; outer++)
            if (expr_uses(expr, set->loops[outer].slot))
                return LINEAR_LOST;
        const LinearAnswer answer =
            linear_find(expr, &runner->scope, ranks, &ends[e], &runner->split);
        if (answer != LINEAR_FOUND)
            return answer;
        if (!linear_range(&ends[e], &runner->scope, ranks, &ranges[e]))
            return LINEAR_LOST;
    }
    if (ends[0].scale && ends[1].scale && ends[0].mask != ends[1].mask)
        return LINEAR_LOST;
    *count = (Linear){ends[1].scale - ends[0].scale, ends[0].mask | ends[1].mask,
                      ends[1].offset - ends[0].offset + 1};
    if (!count->scale)
        count->mask = 0;
    if (count->mask || !linear_range(count, &runner->scope, ranks, &length))
        return LINEAR_LOST;
    box_set(&runner->scope.box, set->loops[i].slot, ranges[0].least, ranges[1].most);
    if (length.least < 0 && length.most > 0) { /* none is as good as fewer */
        runner->split = linear_below(count, ranks, 1);
        return runner->split < ranks->count ? LINEAR_SPLIT : LINEAR_LOST;
    }
    if (length.most <= 0)
        *count = (Linear){0, 0, 0};
    return LINEAR_FOUND;
}

/* Are all indices of a set, at these ranks, those of blocks? */
static bool proves_indices(Runner *runner, const CompiledSet *set, const Progression *ranks)
{
    const LinearScope *scope = &runner->scope;
    int64_t extents[MOST_INDICES], split;
    if (!blockspace_extents(&runner->space, set, extents))
        return false;
    for (int x = 0; x < set->index_count; x++) {
        Interval index = {0};
        Linear value;
        bool good = true;
        const Expr *expr = set->is_range ? NULL : program_expr(set->indices[x]);
        if (set->is_range)
            index = scope->box.slots[set->loops[set->loop_count - 1].slot];
        else if (linear_find(expr, scope, ranks, &value, &split) == LINEAR_FOUND)
            good = linear_range(&value, scope, ranks, &index);
        else
            good = interval_find(expr, &scope->box, &index);
        if (!good)
            return false;
        if (index.least < 0 || index.most >= extents[x])
            return false;
    }
    return true;
}

/* How many blocks of a set each of these ranks sends. */
static LinearAnswer count_set(Runner *runner, const CompiledSet *set, const Progression *ranks,
                              Linear *count)
{
    const Interval all = {0, runner->instance->p - 1};
    *count = (Linear){0, 0, 1};
    if (set->syntax->all || set->condition)
        return LINEAR_LOST;
    for (int i = 0; i < set->loop_count; i++) {
        Linear length;
        const LinearAnswer answer = note_loop(runner, set, i, ranks, &length);
        if (answer != LINEAR_FOUND)
            return answer;
        if (length.scale && count->scale)
            return LINEAR_LOST;
        const int64_t factor = length.scale ? count->offset : length.offset;
        const Linear grown = length.scale ? length : *count;
        *count = (Linear){grown.scale * factor, 0, grown.offset * factor};
        if (count->offset > INT32_MAX || count->scale > INT32_MAX || count->scale < -INT32_MAX)
            return LINEAR_LOST;
    }
    Box *box = &runner->scope.box;
    box_set(box, SCHEDULE_R, ranks->first, progression_last(ranks));
    const bool good =
        (count->scale == 0 && count->offset == 0) || proves_indices(runner, set, ranks);
    box->slots[SCHEDULE_R] = all;
    return good ? LINEAR_FOUND : LINEAR_LOST;
}

/* How many blocks each of these ranks sends in a step, whose sets are added up; found only where
   each rank sends something, or none does. */
static LinearAnswer count_blocks(Runner *runner, const Transfer *transfer, const Progression *ranks,
                                 Linear *count)
{
    const SetList *sets = &transfer->blocks;
    Interval range;
    *count = (Linear){0, 0, 0};
    for (size_t s = 0; s < sets->count; s++) {
        Linear of_set;
        const LinearAnswer answer = count_set(runner, &sets->items[s], ranks, &of_set);
        if (answer != LINEAR_FOUND)
            return answer;
        count->scale += of_set.scale;
        count->offset += of_set.offset;
    }
    if (!linear_range(count, &runner->scope, ranks, &range) ||
        range.most > INT32_MAX / (int64_t)(sets->count + 1))
        return LINEAR_LOST;
    if (range.least > 0 || range.most == 0)
        return LINEAR_FOUND;
    runner->split = linear_below(count, ranks, 1);
    return LINEAR_SPLIT;
}

/* The one block of a set at each of these ranks, by its number. */
static LinearAnswer name_block(Runner *runner, const CompiledSet *set, const Progression *ranks,
                               Linear *number)
{
    int64_t extents[MOST_INDICES];
    const BlockSpace *space = &runner->space;
    *number = (Linear){0, 0, 0};
    if (set->syntax->all || set->loop_count || set->condition ||
        !blockspace_extents(space, set, extents) || set->index_count != space->index_count)
        return LINEAR_LOST;
    for (int x = 0; x < set->index_count; x++) {
        Linear index;
        Interval range;
        const LinearAnswer answer = linear_find(program_expr(set->indices[x]), &runner->scope,
                                                ranks, &index, &runner->split);
        if (answer != LINEAR_FOUND)
            return answer;
        if (index.mask || !linear_range(&index, &runner->scope, ranks, &range) || range.least < 0 ||
            range.most >= extents[x])
            return LINEAR_LOST;
        number->scale = number->scale * extents[x] + index.scale;
        number->offset = number->offset * extents[x] + index.offset;
    }
    number->offset += blockspace_start(space, set->syntax->array);
    return LINEAR_FOUND;
}

/* Names the blocks of a run, and where they land. */
static LinearAnswer name_blocks(Runner *runner, const Transfer *transfer, MessageRun *run)
{
    const Progression *ranks = &run->from;
    const CompiledSet *set = &transfer->blocks.items[0];
    Linear block, goal;
    if (transfer->blocks.count != 1 || run->blocks != 1 || run->slope)
        return LINEAR_LOST;
    LinearAnswer answer = name_block(runner, set, ranks, &block);
    if (answer != LINEAR_FOUND)
        return answer;
    goal = block;
    if (transfer->as >= 0)
        goal.offset += blockspace_start(&runner->space, transfer->as) -
                       blockspace_start(&runner->space, set->syntax->array);
    if (transfer->into.count)
        answer = name_block(runner, &transfer->into.items[0], ranks, &goal);
    run->block = block.scale * ranks->first + block.offset, run->block_step = block.scale;
    run->goal = goal.scale * ranks->first + goal.offset, run->goal_step = goal.scale;
    run->block_step *= ranks->stride, run->goal_step *= ranks->stride;
    return answer;
}

/* The message of these ranks, if they send any; *ranks: those of them that may. */
static LinearAnswer find_run(Runner *runner, const ScheduleStep *step, Progression *ranks,
                             MessageRun *run)
{
    Linear to = {1, 0, 0}, count;
    Interval range;
    LinearAnswer answer = LINEAR_FOUND;
    *run = (MessageRun){.blocks = 0};
    if (step->condition.program)
        answer = linear_restrict(program_expr(step->condition.program), &runner->scope, ranks,
                                 &runner->split);
    if (answer != LINEAR_FOUND || ranks->count == 0)
        return answer;
    if (step->transfer.to.program)
        answer = linear_find(program_expr(step->transfer.to.program), &runner->scope, ranks, &to,
                             &runner->split);
    if (answer != LINEAR_FOUND)
        return answer;
    if (!linear_range(&to, &runner->scope, ranks, &range) || range.least < 0 ||
        range.most >= runner->instance->p || (to.scale != 1 && ranks->count > 1))
        return LINEAR_LOST;
    if (to.scale != 1) /* of one rank */
        to = (Linear){1, 0, range.least - ranks->first};
    const bool is_local = to.mask == 0 && to.offset == 0;
    const bool is_combined = step->transfer.into.count > 0;
    const bool is_renamed = step->transfer.as >= 0 && runner->named;
    if ((to.mask && to.offset) || (is_combined && !is_local))
        return LINEAR_LOST;
    answer = count_blocks(runner, &step->transfer, ranks, &count);
    if (answer != LINEAR_FOUND || count.scale * ranks->first + count.offset == 0 ||
        (is_local && !is_combined && !is_renamed))
        return answer;
    MessageRun of_all = {.from = *ranks,
                         .mask = to.mask,
                         .shift = to.offset,
                         .blocks = count.scale * ranks->first + count.offset,
                         .slope = count.scale * ranks->stride,
                         .verb = step->transfer.verb};
    if (runner->named)
        answer = name_blocks(runner, &step->transfer, &of_all);
    if (answer == LINEAR_FOUND)
        *run = of_all;
    return answer;
}

/* Adds the runs of a step, for the values of its loops at hand. */
static bool add_runs(Runner *runner, const ScheduleStep *step)
{
    Progression parts[MOST_PARTS] = {{0, 1, runner->instance->p}};
    int left = 1, tried = 0;
    while (left > 0) {
        MessageRun run;
        Progression *ranks = &parts[left - 1];
        if (++tried > MOST_PARTS)
            return false;
        const LinearAnswer answer = find_run(runner, step, ranks, &run);
        if (answer == LINEAR_LOST || left == MOST_PARTS)
            return false;
        left--;
        if (answer == LINEAR_FOUND && run.blocks)
            *ARRAY_PUSH(runner->arena, &runner->runs) = run;
        if (answer == LINEAR_SPLIT) { /* the first of them next */
            const Progression all = *ranks;
            const int64_t split = runner->split;
            parts[left++] =
                (Progression){all.first + split * all.stride, all.stride, all.count - split};
            parts[left++] = (Progression){all.first, all.stride, split};
        }
    }
    return true;
}

static bool repeat_runs(Runner *runner, const ScheduleStep *step, size_t depth)
{
    int64_t from, to;
    if (depth == step->loop_count)
        return add_runs(runner, step);
    const StepLoop *loop = &step->loops[depth];
    const bool down = loop->loop.down;
    if (!find_known(runner, loop->from, &from) || !find_known(runner, loop->to, &to))
        return false;
    const int64_t by = down ? -1 : 1;
    bool more = down ? from >= to : from <= to;
    for (int64_t i = from; more; i += more ? by : 0) {
        more = i != to;
        know(runner, loop->loop.slot, i);
        if (!count_work(runner, 0, step->span) || !repeat_runs(runner, step, depth + 1))
            return false;
    }
    return true;
}

/* To read runs takes far less than to follow their messages: once some of many are followed, is all
   of the work within the limit? */
static bool is_known_to_end(Runner *runner)
{
    if (!runner->visit || runner->is_known || runner->of_messages < MOST_WORK / WORK_AHEAD ||
        runner->of_messages < runner->work / 2)
        return true;
    Runner ahead = *runner;
    ahead.visit = NULL;
    ahead.scope = (LinearScope){0};
    ahead.work = ahead.work_of_all = 0;
    ahead.arena = arena_scratch(runner->arena);
    runner->is_known = read_program(&ahead);
    arena_destroy(ahead.arena);
    return runner->is_known;
}

static bool run_round(Runner *runner, const ScheduleStep *step)
{
    const bool is_round = step->kind == STEP_ROUND;
    const size_t count = is_round ? step->step_count : 1;
    const ArenaMark mark = arena_mark(runner->arena);
    runner->runs = (RunArray){0};
    watch_poll(runner->arena);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const ScheduleStep *sends = is_round ? &step->steps[i] : step;
        const int as = sends->transfer.as;
        const size_t into = sends->transfer.into.count;
        if (into > 0) /* chunks of unequal sizes must not meet */
            good = runner->named && into == 1 && !runner->instance->algorithm->chunks.program;
        else
            good = as <= 0 || runner->space.arrays.extents[as - 1] == 0;
        good = good && repeat_runs(runner, sends, 0);
    }
    for (size_t i = 0; i < runner->runs.count && good; i++) {
        MessageRun *run = &runner->runs.items[i];
        const MessageRun origin = *run;
        good = count_work(runner, run->from.count, step->span) && !(runner->is_dual && run->mask);
        if (!runner->is_dual) /* what is received is sent, in the dual */
            continue;
        run->from.first += run->shift;
        run->shift = -run->shift;
        run->block = origin.goal, run->block_step = origin.goal_step;
        run->goal = origin.block, run->goal_step = origin.block_step;
        run->verb = verb_of_dual(run->verb);
    }
    good = good && is_known_to_end(runner) &&
           (runner->runs.count == 0 || !runner->visit ||
            runner->visit(runner->context, runner->runs.items, runner->runs.count, runner->arena));
    arena_release(runner->arena, mark);
    return good;
}

static bool run_repeat(Runner *runner, const ScheduleStep *step)
{
    int64_t from, to;
    const bool down = step->loop.down;
    if (step->then.count || !find_known(runner, step->from, &from) ||
        !find_known(runner, step->to, &to))
        return false;
    const int64_t first = runner->is_dual ? to : from, last = runner->is_dual ? from : to;
    const int64_t by = down == runner->is_dual ? 1 : -1;
    bool more = down ? from >= to : from <= to;
    for (int64_t i = first; more; i += more ? by : 0) {
        more = i != last;
        know(runner, step->loop.slot, i);
        if (!count_work(runner, 0, step->span) || !note_lets(runner, &step->lets) ||
            !run_steps(runner, step->steps, step->step_count))
            return false;
    }
    return true;
}

/* The names of a step end with it. */
static bool run_steps(Runner *runner, const ScheduleStep *steps, size_t count)
{
    const uint64_t lets = runner->scope.lets;
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[runner->is_dual ? count - 1 - i : i];
        const bool is_sent = step->kind == STEP_ROUND || step->kind == STEP_TRANSFER;
        int64_t holds = 1;
        if (!count_work(runner, 0, step->span) ||
            (step->condition.program && step->kind != STEP_TRANSFER &&
             !find_known(runner, step->condition.program, &holds)))
            return false;
        const bool good = !holds                      ? true
                          : step->kind == STEP_REPEAT ? run_repeat(runner, step)
                                                      : is_sent && note_lets(runner, &step->lets) &&
                                                            run_round(runner, step);
        if (!good)
            return false;
        runner->scope.lets = lets;
    }
    return true;
}

static bool read_program(Runner *runner)
{
    const Instance *instance = runner->instance;
    const Algorithm *algorithm = instance->algorithm;
    const Shape shape = instance->shape ? *instance->shape : shape_line(instance->p);
    int64_t branches;
    if (!branches_settle(algorithm, instance, &branches, &runner->silent) ||
        !schedule_blocks(instance, &runner->space, &runner->silent))
        return false;
    runner->scope.p = instance->p;
    runner->scope.rank = SCHEDULE_R;
    know(runner, SCHEDULE_P, instance->p);
    know(runner, SCHEDULE_ROOT, instance->root);
    know(runner, SCHEDULE_K, instance->k);
    know(runner, SCHEDULE_D, instance->ports);
    know(runner, SCHEDULE_TARGET, instance->target);
    know(runner, SCHEDULE_BRANCHES, branches);
    know(runner, SCHEDULE_DIMS, shape.count);
    box_set(&runner->scope.box, SCHEDULE_R, 0, instance->p - 1);
    return note_lets(runner, &algorithm->lets) &&
           run_steps(runner, algorithm->steps, algorithm->step_count);
}

bool runs_are_possible(const Instance *instance)
{
    const Algorithm *dual = instance->algorithm->dual;
    const Algorithm *algorithm = dual ? dual : instance->algorithm;
    bool uses = false;
    for (size_t i = 0; i < algorithm->step_count; i++)
        uses |= algorithm->steps[i].kind == STEP_USE;
    return instance->p <= graph_largest && !algorithm->collective->problem && !algorithm->dual &&
           !algorithm->trees && !algorithm->grid.count && !algorithm->names_all && !uses &&
           !(algorithm->pipelined && instance->k > 1);
}

bool runs_expand(const Instance *instance, bool named, RunVisitor visit, void *context,
                 Span *too_large)
{
    Instance origin = *instance;
    Diag silent = diag_silent();
    const bool is_dual = instance->algorithm->dual != NULL;
    const Algorithm *algorithm = is_dual ? instance->algorithm->dual : instance->algorithm;
    if (!runs_are_possible(instance))
        return false;
    origin.algorithm = algorithm;
    if (is_dual &&
        (!expander_may_go_back(algorithm) || !expander_same_blocks(instance, &origin, &silent)))
        return false;
    Runner runner = {.instance = &origin,
                     .named = named,
                     .is_dual = is_dual,
                     .visit = visit,
                     .context = context,
                     .arena = arena_create(algorithm->head.workspace),
                     .too_large = too_large,
                     .silent = silent};
    const bool good = read_program(&runner);
    arena_destroy(runner.arena);
    return good;
}
