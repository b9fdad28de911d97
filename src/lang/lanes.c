#include "lang/lanes.h"

#include "base/watch.h"
#include "lang/check.h"
#include "lang/interval.h"

#include <string.h>

static void note_variables(const Expr *expr, CompiledSet *set)
{
    uint64_t bit = (uint64_t)1 << expr->slot;
    if (expr->kind == EXPR_VARIABLE && expr->varies)
        set->varying |= bit;
    if (expr->kind == EXPR_VARIABLE && expr->type != TYPE_REAL)
        set->whole |= bit;
    for (int i = 0; i < expr->argument_count; i++)
        note_variables(expr->arguments[i], set);
}

static Program *compile(Arena *arena, const Expr *expr, const Scope *scope, CompiledSet *set)
{
    if (!expr)
        return NULL;
    note_variables(expr, set);
    return program_compile(arena, expr, scope);
}

/* `variable < bound`, or the like, on either side; NULL if it is none. */
static const Expr *find_bound(const Expr *expr, int slot, ExprKind *kind)
{
    static const ExprKind turned[EXPR_KIND_COUNT] = {
        [EXPR_EQUAL] = EXPR_EQUAL,  [EXPR_UNEQUAL] = EXPR_UNEQUAL,
        [EXPR_LESS] = EXPR_GREATER, [EXPR_LESS_EQUAL] = EXPR_GREATER_EQUAL,
        [EXPR_GREATER] = EXPR_LESS, [EXPR_GREATER_EQUAL] = EXPR_LESS_EQUAL};
    if (operation_info[expr->kind].rule != RULE_COMPARISON)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (expr->arguments[i]->kind == EXPR_VARIABLE && expr->arguments[i]->slot == slot &&
            !expr_uses(expr->arguments[1 - i], slot)) {
            *kind = i ? turned[expr->kind] : expr->kind;
            return expr->arguments[1 - i];
        }
    return NULL;
}

enum { MOST_EXCLUDED = 4 };

/* Is it `and` of bounds of the variable and of conditions without it? */
static bool is_solved_for(const Expr *condition, int slot, int *excluded)
{
    ExprKind kind;
    if (condition->kind == EXPR_AND)
        return is_solved_for(condition->arguments[0], slot, excluded) &&
               is_solved_for(condition->arguments[1], slot, excluded);
    if (!expr_uses(condition, slot))
        return true;
    if (!find_bound(condition, slot, &kind))
        return false;
    *excluded += kind == EXPR_UNEQUAL;
    return *excluded <= MOST_EXCLUDED;
}

static void plan_count(CompiledSet *set)
{
    int loops = set->loop_count - set->is_range, excluded = 0;
    for (int i = 0; i < set->loop_count; i++) {
        int slot = set->loops[i].slot;
        uint64_t reads = i < loops ? program_reads(set->condition) : 0;
        for (int j = i + 1; j < set->loop_count; j++)
            reads |= program_reads(set->loops[j].from) | program_reads(set->loops[j].to);
        if (reads >> slot & 1)
            set->walked |= (uint64_t)1 << i;
    }
    if (!set->condition || loops == 0 || set->is_range || !(set->walked >> (loops - 1) & 1))
        return;
    set->is_solved =
        is_solved_for(program_expr(set->condition), set->loops[loops - 1].slot, &excluded);
    if (set->is_solved)
        set->walked &= ~((uint64_t)1 << (loops - 1));
}

bool set_compile(Arena *arena, const BlockSet *syntax, Scope *scope, CompiledSet *set, Diag *diag)
{
    const size_t before = scope->count;
    BlockSet *checked = ARENA_COPY(arena, BlockSet, syntax, 1);
    *set = (CompiledSet){.syntax = checked, .outer_names = before};
    if (before + MOST_LOOPS + 2 > MOST_SLOTS)
        return diag_error(diag, syntax->text.span, "too many names (at most %d)", MOST_SLOTS);
    if (!check_block_set(arena, checked, scope, diag)) {
        scope->count = before;
        return false;
    }
    for (int i = 0; i < checked->loop_count; i++) {
        const Loop *loop = &checked->loops[i];
        set->loops[set->loop_count++] =
            (SetLoop){loop->slot, compile(arena, loop->from, scope, set),
                      compile(arena, loop->to, scope, set)};
    }
    set->condition = compile(arena, checked->condition, scope, set);
    set->counted = set->varying;
    if (checked->range_end) {
        int slot = scope_add(arena, scope, (Variable){"", TYPE_INT, DIMENSION_NONE, true});
        set->is_range = true;
        set->loops[set->loop_count++] =
            (SetLoop){slot, compile(arena, checked->indices[0], scope, set),
                      compile(arena, checked->range_end, scope, set)};
        set->counted = set->varying;
    } else {
        for (int i = 0; i < checked->index_count; i++)
            set->indices[i] = compile(arena, checked->indices[i], scope, set);
    }
    set->index_count = checked->index_count; /* checking may change it */
    plan_count(set);
    scope->count = before;
    return true;
}

void *lanes_gather(Arena *arena, const void *values, const int64_t *lanes, size_t count)
{
    const int64_t *from = values;
    int64_t *to = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        to[i] = from[lanes[i]];
    return to;
}

typedef struct {
    const CompiledSet *set;
    Arena *arena;
    Frame frame;
    size_t count;
    const int64_t *lanes; /* NULL: item i belongs to lane i */
    uint64_t gathered;    /* slots whose values must follow their lane */
    int64_t *weights;     /* for how many items item i stands; NULL: for itself */
    Diag *diag;
} Expansion;

/* Keeps the items listed in `chosen`: their lanes and all variables that later steps read. */
static void select_items(Expansion *expansion, const int64_t *chosen, size_t count)
{
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if ((expansion->gathered >> slot & 1) && expansion->frame.slots[slot])
            expansion->frame.slots[slot] =
                lanes_gather(expansion->arena, expansion->frame.slots[slot], chosen, count);
    expansion->lanes =
        expansion->lanes ? lanes_gather(expansion->arena, expansion->lanes, chosen, count) : chosen;
    if (expansion->weights)
        expansion->weights = lanes_gather(expansion->arena, expansion->weights, chosen, count);
    expansion->count = count;
}

static int64_t *run(Expansion *expansion, Program *program)
{
    watch_poll(expansion->arena);
    int64_t *values = ARENA_ROOM(expansion->arena, int64_t, expansion->count);
    bool good =
        program_run(program, expansion->frame.slots, expansion->count, values, expansion->diag);
    return good ? values : NULL;
}

bool set_report_too_many(const CompiledSet *set, Diag *diag)
{
    return diag_limit(diag, set->syntax->text.span, "this names too many %s (more than %d)",
                      set->syntax->of_links ? "links" : "blocks", LIMIT_ITEMS);
}

/* Every item becomes one item for each value of the loop variable. */
static bool run_loop(Expansion *expansion, const SetLoop *loop, bool down)
{
    int64_t *from = run(expansion, loop->from), *to = from ? run(expansion, loop->to) : NULL;
    size_t total = 0, at = 0;
    if (!to)
        return false;
    if (down) {
        int64_t *swap = from;
        from = to, to = swap;
    }
    for (size_t i = 0; i < expansion->count; i++) {
        int64_t length = 0;
        if (from[i] <= to[i] && __builtin_sub_overflow(to[i], from[i] - 1, &length))
            length = INT64_MAX;
        if (length > LIMIT_ITEMS || (total += (size_t)length) > LIMIT_ITEMS)
            return set_report_too_many(expansion->set, expansion->diag);
    }
    int64_t *chosen = ARENA_ROOM(expansion->arena, int64_t, total);
    int64_t *values = ARENA_ROOM(expansion->arena, int64_t, total);
    for (size_t i = 0; i < expansion->count; i++)
        for (int64_t count = from[i] <= to[i] ? to[i] - from[i] + 1 : 0, n = 0; n < count; n++) {
            chosen[at] = (int64_t)i;
            values[at++] = down ? to[i] - n : from[i] + n;
        }
    select_items(expansion, chosen, total);
    expansion->frame.slots[loop->slot] = values;
    return true;
}

static bool run_condition(Expansion *expansion)
{
    int64_t *holds = run(expansion, expansion->set->condition);
    if (!holds)
        return false;
    int64_t *chosen = ARENA_ROOM(expansion->arena, int64_t, expansion->count);
    size_t kept = 0;
    for (size_t i = 0; i < expansion->count; i++)
        if (holds[i])
            chosen[kept++] = (int64_t)i;
    if (kept < expansion->count)
        select_items(expansion, chosen, kept);
    return true;
}

const int64_t *lanes_identity(Arena *arena, size_t count)
{
    int64_t *lanes = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        lanes[i] = (int64_t)i;
    return lanes;
}

/* Takes from the frame what was left there by names that have ended. */
static void forget_ended(Expansion *expansion)
{
    for (size_t slot = expansion->set->outer_names; slot < MOST_SLOTS; slot++)
        expansion->frame.slots[slot] = NULL;
}

bool set_expand(const CompiledSet *set, Arena *arena, const Frame *frame, size_t count,
                SetItems *items, Diag *diag)
{
    Expansion expansion = {.set = set,
                           .arena = arena,
                           .frame = *frame,
                           .count = count,
                           .gathered = set->varying,
                           .diag = diag};
    forget_ended(&expansion);
    int loops = set->loop_count - set->is_range;
    for (int i = 0; i < loops; i++)
        if (!run_loop(&expansion, &set->loops[i], set->syntax->loops[i].down))
            return false;
    size_t tried = expansion.count;
    if (set->condition && !run_condition(&expansion))
        return false;
    if (set->is_range && !run_loop(&expansion, &set->loops[loops], false))
        return false;
    *items = (SetItems){.count = expansion.count,
                        .tried = tried > expansion.count ? tried : expansion.count,
                        .lanes = expansion.lanes ? expansion.lanes
                                                 : lanes_identity(arena, expansion.count)};
    if (set->is_range)
        items->indices[0] = expansion.frame.slots[set->loops[loops].slot];
    for (int i = 0; !set->is_range && i < set->index_count; i++)
        if (!(items->indices[i] = run(&expansion, set->indices[i])))
            return false;
    return true;
}

/* Items are walked in portions of about so many. */
enum { ITEMS_AT_ONCE = 1 << 15 };
static const int64_t most_counted = (int64_t)1 << 40;

typedef struct {
    const CompiledSet *set;
    Arena *arena;
    const Frame *frame;
    uint64_t varying;
    const int64_t *extents;
    Box box;
    int64_t walked;                /* the most items of a lane that are walked */
    int64_t tried[MOST_LOOPS + 1]; /* items behind each loop, of all lanes */
    Diag silent;
} Counting;

/* What the names from outside are in lanes `first` to `end` - 1. */
static void enclose_names(Counting *counting, size_t first, size_t end)
{
    for (int slot = 0; slot < (int)counting->set->outer_names; slot++) {
        const int64_t *values = counting->frame->slots[slot];
        if (!(counting->set->whole >> slot & 1) || !values)
            continue;
        if (!(counting->varying >> slot & 1)) {
            box_set(&counting->box, slot, values[0], values[0]);
            continue;
        }
        int64_t least = values[first], most = least;
        for (size_t i = first; i < end; i++) {
            least = values[i] < least ? values[i] : least;
            most = values[i] > most ? values[i] : most;
        }
        box_set(&counting->box, slot, least, most);
    }
}

static bool never_holds(const Program *condition, const Box *box)
{
    Interval value;
    return condition && interval_find(program_expr(condition), box, &value) && value.most == 0;
}

/* Are all indices in their extents in lanes `first` to `end` - 1? */
static bool encloses_indices(Counting *counting, size_t first, size_t end)
{
    const CompiledSet *set = counting->set;
    Interval from, to, index;
    enclose_names(counting, first, end);
    counting->walked = 1;
    for (int i = 0; i < set->loop_count; i++) {
        if (i == set->loop_count - set->is_range && never_holds(set->condition, &counting->box))
            return true;
        bool down = i < set->syntax->loop_count && set->syntax->loops[i].down;
        const SetLoop *loop = &set->loops[i];
        if (!interval_find(program_expr(down ? loop->to : loop->from), &counting->box, &from) ||
            !interval_find(program_expr(down ? loop->from : loop->to), &counting->box, &to))
            return false;
        if (from.least > to.most)
            return true;
        box_set(&counting->box, loop->slot, from.least, to.most);
        if ((set->walked >> i & 1) &&
            (__builtin_sub_overflow(to.most, from.least - 1, &index.most) ||
             __builtin_mul_overflow(counting->walked, index.most, &counting->walked)))
            return false;
    }
    if (!set->is_range && never_holds(set->condition, &counting->box))
        return true;
    for (int x = 0; x < set->index_count; x++) {
        if (set->is_range)
            index = counting->box.slots[set->loops[set->loop_count - 1].slot];
        else if (!interval_find(program_expr(set->indices[x]), &counting->box, &index))
            return false;
        if (index.least < 0 || index.most >= counting->extents[x])
            return false;
    }
    return true;
}

/* For all lanes together, else lane by lane. */
static bool proves_indices(Counting *counting, size_t count)
{
    if (encloses_indices(counting, 0, count))
        return true;
    if (counting->set->loop_count == 0)
        return false;
    int64_t walked = 1;
    for (size_t i = 0; i < count; i++) {
        if (!encloses_indices(counting, i, i + 1))
            return false;
        walked = counting->walked > walked ? counting->walked : walked;
    }
    counting->walked = walked;
    return true;
}

static bool is_within_limit(Counting *counting, int loop, int64_t items)
{
    return items <= most_counted && (counting->tried[loop] += items) <= most_counted;
}

/* A loop whose variable nothing depends on: every item stands for as many as it has turns. */
static bool weigh_loop(Counting *counting, Expansion *expansion, int number, int64_t **from,
                       int64_t **to)
{
    const CompiledSet *set = counting->set;
    bool down = number < set->syntax->loop_count && set->syntax->loops[number].down;
    const SetLoop *loop = &set->loops[number];
    int64_t total = 0;
    if (!(*from = run(expansion, down ? loop->to : loop->from)) ||
        !(*to = run(expansion, down ? loop->from : loop->to)))
        return false;
    for (size_t i = 0; i < expansion->count; i++) {
        int64_t length = 0;
        if ((*from)[i] <= (*to)[i] && __builtin_sub_overflow((*to)[i], (*from)[i] - 1, &length))
            return false;
        if (__builtin_mul_overflow(expansion->weights[i], length, &expansion->weights[i]) ||
            __builtin_add_overflow(total, expansion->weights[i], &total))
            return false;
    }
    return is_within_limit(counting, number, total);
}

/* How many values of a variable are left. */
typedef struct {
    int64_t from, to, excluded[MOST_EXCLUDED];
    int excluded_count;
} Solution;

static int64_t count_solutions(const Solution *solution)
{
    int64_t count = solution->to < solution->from ? 0 : solution->to - solution->from + 1;
    for (int i = 0; i < solution->excluded_count; i++) {
        const int64_t value = solution->excluded[i];
        bool is_new = value >= solution->from && value <= solution->to;
        for (int j = 0; j < i; j++)
            is_new &= solution->excluded[j] != value;
        count -= is_new;
    }
    return count;
}

/* False where a part of the condition has no value. */
static bool bound_variable(const Expr *condition, int slot, const Box *box, Solution *solution)
{
    ExprKind kind = condition->kind;
    Interval value;
    if (condition->kind == EXPR_AND)
        return bound_variable(condition->arguments[0], slot, box, solution) &&
               (solution->from > solution->to ||
                bound_variable(condition->arguments[1], slot, box, solution));
    const Expr *bound = find_bound(condition, slot, &kind);
    if (!interval_find(bound ? bound : condition, box, &value) || value.least != value.most)
        return false;
    if (!bound)
        solution->to = value.least ? solution->to : solution->from - 1;
    else if (kind == EXPR_UNEQUAL)
        solution->excluded[solution->excluded_count++] = value.least;
    int64_t most = kind == EXPR_LESS ? value.least - 1 : value.least;
    int64_t least = kind == EXPR_GREATER ? value.least + 1 : value.least;
    bool ends = kind == EXPR_LESS || kind == EXPR_LESS_EQUAL || kind == EXPR_EQUAL;
    bool starts = kind == EXPR_GREATER || kind == EXPR_GREATER_EQUAL || kind == EXPR_EQUAL;
    if (bound && ends)
        solution->to = most < solution->to ? most : solution->to;
    if (bound && starts)
        solution->from = least > solution->from ? least : solution->from;
    return true;
}

/* The condition, where it bounds the innermost variable, which runs from from[i] to to[i]. */
static bool solve_condition(Counting *counting, Expansion *expansion, const int64_t *from,
                            const int64_t *to)
{
    const CompiledSet *set = counting->set;
    const Expr *condition = program_expr(set->condition);
    for (size_t i = 0; i < expansion->count; i++) {
        Solution solution = {.from = from[i], .to = to[i]};
        if (solution.from > solution.to)
            continue;
        for (int slot = 0; slot < MOST_SLOTS; slot++) {
            const int64_t *values = expansion->frame.slots[slot];
            if ((set->whole & set->counted) >> slot & 1 && values)
                box_set(&counting->box, slot, values[i], values[i]);
        }
        if (!bound_variable(condition, set->loops[set->loop_count - 1].slot, &counting->box,
                            &solution))
            return false;
        expansion->weights[i] =
            expansion->weights[i] / (to[i] - from[i] + 1) * count_solutions(&solution);
    }
    return true;
}

static bool count_lanes(Counting *counting, size_t first, size_t count, int64_t *counts)
{
    const CompiledSet *set = counting->set;
    Expansion expansion = {.set = set,
                           .arena = counting->arena,
                           .frame = *counting->frame,
                           .count = count,
                           .gathered = set->counted,
                           .weights = ARENA_ROOM(counting->arena, int64_t, count),
                           .diag = &counting->silent};
    const void **slots = expansion.frame.slots;
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if (((set->counted & counting->varying) >> slot & 1) && slots[slot])
            slots[slot] = (const int64_t *)slots[slot] + first;
    forget_ended(&expansion);
    for (size_t i = 0; i < count; i++)
        expansion.weights[i] = 1;
    int loops = set->loop_count - set->is_range;
    int64_t *from = NULL, *to = NULL;
    for (int i = 0; i <= set->loop_count; i++) {
        if (i == loops && set->condition &&
            !(set->is_solved ? solve_condition(counting, &expansion, from, to)
                             : run_condition(&expansion)))
            return false;
        if (i == set->loop_count)
            break;
        if (!(set->walked >> i & 1)) {
            if (!weigh_loop(counting, &expansion, i, &from, &to))
                return false;
            continue;
        }
        if (!run_loop(&expansion, &set->loops[i], set->syntax->loops[i].down))
            return false;
        int64_t items = 0;
        for (size_t n = 0; n < expansion.count; n++)
            items += expansion.weights[n];
        if (!is_within_limit(counting, i, items))
            return false;
    }
    for (size_t i = 0; i < expansion.count; i++)
        counts[expansion.lanes ? expansion.lanes[i] : (int64_t)i] += expansion.weights[i];
    return true;
}

bool set_count(const CompiledSet *set, Arena *arena, const Frame *frame, uint64_t varying,
               size_t count, const int64_t *extents, int64_t *counts)
{
    Counting counting = {.set = set,
                         .arena = arena,
                         .frame = frame,
                         .varying = varying,
                         .extents = extents,
                         .silent = diag_silent()};
    if (set->syntax->all || count == 0 || !proves_indices(&counting, count))
        return false;
    const bool alike = !(set->counted & varying);
    const size_t counted = alike ? 1 : count,
                 portion = counting.walked > ITEMS_AT_ONCE
                               ? 1
                               : (size_t)(ITEMS_AT_ONCE / counting.walked);
    memset(counts, 0, count * sizeof *counts);
    for (size_t first = 0; first < counted; first += portion) {
        const size_t left = counted - first;
        ArenaMark mark = arena_mark(arena);
        bool good = count_lanes(&counting, first, left < portion ? left : portion, counts + first);
        arena_release(arena, mark);
        if (!good)
            return false;
    }
    for (size_t i = 1; alike && i < count; i++)
        counts[i] = counts[0];
    for (int i = 0; alike && i < set->loop_count; i++)
        if (counting.tried[i] > most_counted / (int64_t)count)
            return false;
    return true;
}

/* Sorted between two looks at the clock, which takes longer than to sort a short list. */
enum { NUMBERS_A_POLL = 1 << 10 };

LaneLists lanes_lists(Arena *arena, const SetItems *items, int64_t *const *numbers, size_t count,
                      size_t lanes)
{
    int64_t *starts = ARENA_ARRAY(arena, int64_t, lanes + 1);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < items[s].count; i++)
            starts[items[s].lanes[i] + 1]++;
    for (size_t r = 0; r < lanes; r++)
        starts[r + 1] += starts[r];
    int64_t *listed = ARENA_ROOM(arena, int64_t, (size_t)starts[lanes]);
    int64_t *ends = ARENA_COPY(arena, int64_t, starts, lanes);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < items[s].count; i++)
            listed[ends[items[s].lanes[i]]++] = numbers[s][i];
    int64_t kept = 0, polled = 0;
    for (size_t r = 0; r < lanes; r++) {
        const int64_t first = starts[r], end = starts[r + 1], own = kept;
        if (end - polled > NUMBERS_A_POLL) {
            watch_poll(arena);
            polled = end;
        }
        sort_whole(listed + first, (size_t)(end - first));
        for (int64_t i = first; i < end; i++)
            if (kept == own || listed[kept - 1] != listed[i])
                listed[kept++] = listed[i];
        starts[r] = own;
    }
    starts[lanes] = kept;
    return (LaneLists){starts, listed};
}
