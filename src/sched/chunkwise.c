#include "sched/chunkwise.h"

#include "sched/expander.h"
#include "sched/reads.h"

/* Trees in the dimensions of a hypercube do the same after as many passes as it has dimensions. */
enum { MOST_SHIFTED_PASSES = 20 };

/* How often steps say that they send chunks below k, and how often they do not. */
typedef struct {
    size_t picked, unpicked;
} Picks;

static bool is_same_value(const Expr *a, const Expr *b)
{
    return expr_equals(expr_unconverted(a), expr_unconverted(b));
}

/* The chunk that a step sends: the last index of its only block; NULL: there may be others. */
static const Expr *chunk_of(const Transfer *transfer)
{
    const CompiledSet *set = transfer->blocks.items;
    bool single = transfer->blocks.count == 1 && set->loop_count == 0 && !set->is_range &&
                  set->index_count > 0;
    return single ? program_expr(set->indices[set->index_count - 1]) : NULL;
}

/* Is each part of the condition free of k, or CHUNK < k? */
static bool picks_chunks(const Expr *condition, const Expr *chunk, bool *picks)
{
    condition = expr_unconverted(condition);
    if (condition->kind == EXPR_AND)
        return picks_chunks(condition->arguments[0], chunk, picks) &&
               picks_chunks(condition->arguments[1], chunk, picks);
    if (!expr_uses(condition, SCHEDULE_K))
        return true;
    *picks = true;
    return chunk && condition->kind == EXPR_LESS && is_same_value(condition->arguments[0], chunk) &&
           expr_is_variable(condition->arguments[1], SCHEDULE_K);
}

static bool is_transfer_chunkwise(const ScheduleStep *step, Picks *picks)
{
    const Transfer *transfer = &step->transfer;
    bool picked = false;
    if (sets_name_all(&transfer->blocks) || sets_read(&transfer->blocks, SCHEDULE_K, false) ||
        sets_read(&transfer->into, SCHEDULE_K, false) ||
        program_uses(transfer->to.program, SCHEDULE_K) || loops_read(step, SCHEDULE_K) ||
        (step->condition.program &&
         !picks_chunks(program_expr(step->condition.program), chunk_of(transfer), &picked)))
        return false;
    picks->picked += picked;
    picks->unpicked += !picked;
    return true;
}

static bool is_step_chunkwise(const ScheduleStep *step, bool is_outermost, Picks *picks)
{
    if (step->kind == STEP_USE || step->kind == STEP_COMPUTE || step->then.count ||
        lets_read(&step->lets, SCHEDULE_K))
        return false;
    if (step->kind == STEP_TRANSFER)
        return is_transfer_chunkwise(step, picks);
    if (program_uses(step->condition.program, SCHEDULE_K) ||
        (!is_outermost &&
         (program_uses(step->from, SCHEDULE_K) || program_uses(step->to, SCHEDULE_K))))
        return false;
    for (size_t i = 0; i < step->step_count; i++)
        if (!is_step_chunkwise(&step->steps[i], false, picks))
            return false;
    return true;
}

/* Does the program read k nowhere but in bounds of outermost repeats and to pick chunks? */
static bool is_program_chunkwise(const Algorithm *algorithm, Picks *picks)
{
    if (!algorithm->chunks.program ||
        !expr_is_variable(program_expr(algorithm->chunks.program), SCHEDULE_K) ||
        algorithm->names_all || lets_read(&algorithm->lets, SCHEDULE_K))
        return false;
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (!is_step_chunkwise(&algorithm->steps[i], true, picks))
            return false;
    return true;
}

/* What is known of the values of names while t, the pass of a repeat, grows by `passes`. */
typedef struct {
    int64_t passes;
    bool moves[MOST_SLOTS]; /* by by[]; else nothing is known, if `other`, or it stays */
    bool other[MOST_SLOTS];
    int64_t by[MOST_SLOTS];
    const int64_t *known[MOST_SLOTS]; /* the value that a name has everywhere; NULL: it may vary */
} PassShift;

static bool find_shift(PassShift *shift, const Expr *expr, int64_t *by);

/* The value of a number, or of a name that has one. */
static bool find_value(const PassShift *shift, const Expr *expr, int64_t *value)
{
    expr = expr_unconverted(expr);
    if (expr->kind == EXPR_NUMBER && expr->type == TYPE_INT)
        *value = expr->integer;
    else if (expr->kind == EXPR_VARIABLE && shift->known[expr->slot])
        *value = *shift->known[expr->slot];
    else
        return false;
    return true;
}

/* Of a whole number that moves, and perhaps another that does not. */
static bool combine_shifts(PassShift *shift, const Expr *expr, const int64_t by[2], int64_t *sum)
{
    int64_t value;
    switch (expr->kind) {
    case EXPR_ADD:
        return !__builtin_add_overflow(by[0], by[1], sum);
    case EXPR_SUBTRACT:
        return !__builtin_sub_overflow(by[0], by[1], sum);
    case EXPR_MULTIPLY:
        *sum = 0;
        return (by[0] == 0 || by[1] == 0) &&
               find_value(shift, expr->arguments[by[0] != 0], &value) &&
               !__builtin_mul_overflow(by[0] + by[1], value, sum);
    case EXPR_QUOTIENT:
        *sum = 0;
        if (by[1] || !find_value(shift, expr->arguments[1], &value) || value <= 0 || by[0] % value)
            return false;
        *sum = by[0] / value;
        return true;
    case EXPR_MODULO:
        *sum = 0;
        return !by[1] && find_value(shift, expr->arguments[1], &value) && value > 0 &&
               by[0] % value == 0;
    default:
        return false;
    }
}

/* By how much the value of an expression grows, at every rank. False where that is not known. */
static bool find_shift(PassShift *shift, const Expr *expr, int64_t *by)
{
    int64_t each[4] = {0};
    bool stays = true;
    *by = 0;
    if (expr->kind == EXPR_VARIABLE) {
        *by = shift->moves[expr->slot] ? shift->by[expr->slot] : 0;
        return !shift->other[expr->slot];
    }
    if (expr_is_loop(expr))
        shift->moves[expr->slot] = shift->other[expr->slot] = false;
    for (int i = 0; i < expr->argument_count; i++) {
        if (!find_shift(shift, expr->arguments[i], &each[i]))
            return false;
        stays &= each[i] == 0;
    }
    if (stays)
        return true;
    if (expr->kind == EXPR_WHEN && each[0] == 0 && each[1] == each[2]) {
        *by = each[1];
        return true;
    }
    return expr->type == TYPE_INT && expr->argument_count == 2 &&
           combine_shifts(shift, expr, each, by);
}

static bool stays(PassShift *shift, const Program *program)
{
    int64_t by = 0;
    return !program || (find_shift(shift, program_expr(program), &by) && by == 0);
}

static void shift_lets(PassShift *shift, const LetList *lets)
{
    for (size_t i = 0; i < lets->count; i++) {
        const int slot = lets->items[i].slot;
        int64_t by;
        shift->other[slot] = !find_shift(shift, program_expr(lets->items[i].program), &by);
        shift->moves[slot] = true;
        shift->by[slot] = by;
        shift->known[slot] = NULL;
    }
}

/* Does each part of the condition stay, or say 0 <= CHUNK or CHUNK < k? */
static bool condition_shifts(PassShift *shift, const Expr *condition, const Expr *chunk)
{
    int64_t by;
    condition = expr_unconverted(condition);
    if (condition->kind == EXPR_AND)
        return condition_shifts(shift, condition->arguments[0], chunk) &&
               condition_shifts(shift, condition->arguments[1], chunk);
    if (condition->kind == EXPR_LESS && expr_is_variable(condition->arguments[1], SCHEDULE_K))
        return is_same_value(condition->arguments[0], chunk);
    if (condition->kind == EXPR_LESS_EQUAL && expr_is_integer(condition->arguments[0], 0) &&
        is_same_value(condition->arguments[1], chunk))
        return true;
    return find_shift(shift, condition, &by) && by == 0;
}

/* All indices of its only block stay, but for the chunk, which grows by `chunks`. */
static bool block_shifts(PassShift *shift, const SetList *sets, int64_t *chunks)
{
    const CompiledSet *set = sets->items;
    if (sets->count != 1 || set->loop_count || set->is_range || !set->index_count ||
        !stays(shift, set->condition))
        return false;
    for (int i = 0; i < set->index_count - 1; i++)
        if (!stays(shift, set->indices[i]))
            return false;
    return find_shift(shift, program_expr(set->indices[set->index_count - 1]), chunks);
}

static bool transfer_shifts(PassShift *shift, const ScheduleStep *step, int64_t *chunks)
{
    const Transfer *transfer = &step->transfer;
    int64_t by;
    for (size_t i = 0; i < step->loop_count; i++) {
        const int slot = step->loops[i].loop.slot;
        if (!stays(shift, step->loops[i].from) || !stays(shift, step->loops[i].to))
            return false;
        shift->moves[slot] = shift->other[slot] = false;
        shift->known[slot] = NULL;
    }
    if (!block_shifts(shift, &transfer->blocks, &by) || transfer->into.count || by < 1 ||
        (*chunks && by != *chunks) || !stays(shift, transfer->to.program) ||
        !step->condition.program ||
        !condition_shifts(shift, program_expr(step->condition.program), chunk_of(transfer)))
        return false;
    *chunks = by;
    return true;
}

/* Does the only step of a repeat do the same `passes` passes later, for chunks that come so much
   later? Each pass is one round then. */
static bool step_shifts(PassShift *shift, const ScheduleStep *step, int64_t *chunks)
{
    if (step->kind == STEP_TRANSFER)
        return transfer_shifts(shift, step, chunks);
    if (step->kind != STEP_ROUND || step->condition.program)
        return false;
    shift_lets(shift, &step->lets);
    for (size_t i = 0; i < step->step_count; i++)
        if (!transfer_shifts(shift, &step->steps[i], chunks))
            return false;
    return *chunks > 0;
}

/* The fewest passes after which the program does the same for later chunks. */
static bool find_program_shift(const Expander *expander, ChunkShift *found)
{
    const Algorithm *algorithm = expander->algorithm;
    const ScheduleStep *repeat = &algorithm->steps[0];
    if (algorithm->step_count != 1 || repeat->kind != STEP_REPEAT || repeat->step_count != 1)
        return false;
    for (int64_t passes = 1; passes <= MOST_SHIFTED_PASSES; passes++) {
        PassShift shift = {.passes = passes};
        int64_t chunks = 0;
        for (size_t i = 0; i < algorithm->lets.count; i++) {
            const Let *let = &algorithm->lets.items[i];
            shift.known[let->slot] = let->varies ? NULL : expander->frame.slots[let->slot];
        }
        shift.known[SCHEDULE_P] = &expander->instance->p;
        shift.moves[repeat->loop.slot] = true;
        shift.by[repeat->loop.slot] = passes;
        shift.known[repeat->loop.slot] = NULL;
        shift_lets(&shift, &repeat->lets);
        if (step_shifts(&shift, &repeat->steps[0], &chunks)) {
            *found = (ChunkShift){.passes = passes, .chunks = chunks, .down = repeat->loop.down};
            return true;
        }
    }
    return false;
}

static bool count_transfers(void *context, const Round *round, Arena *arena)
{
    (void)arena;
    *(int64_t *)context += (int64_t)round->count;
    return true;
}

/* What is sent in passes behind the last one, in which each rank that ever sends a chunk has come
   to chunk 0 or beyond it, with so many chunks that none has come to the last: with each rank and
   pass here goes one transfer of one of the first chunks. What is at a chunk below 0 was there in
   all passes before, and what is behind the last is behind chunk `chunks` in pass 0. */
static bool count_shifted(const Instance *origin, const Chunkwise *chunkwise, ChunkShift *shift)
{
    const ChunkPasses *passes = &chunkwise->passes[0];
    Diag silent = diag_silent();
    Instance later = *origin;
    int64_t end, most;
    if (!passes->first_chunks || passes->least < 0 ||
        __builtin_add_overflow(passes->least, passes->count, &shift->behind) ||
        __builtin_add_overflow(shift->behind, shift->passes, &end) ||
        __builtin_mul_overflow((end - 1) / shift->passes + 1, shift->chunks, &most) ||
        __builtin_add_overflow(most, chunkwise->chunks + shift->chunks, &shift->most_chunks))
        return false;
    const int64_t last = end - 1;
    later.k = shift->most_chunks;
    later.counts_only = true;
    shift->transfers = 0;
    return expander_expand_passes(&later, shift->behind, last, count_transfers, &shift->transfers,
                                  &silent) &&
           shift->transfers > 0;
}

bool chunkwise_visit_steady(const Instance *instance, const Chunkwise *chunkwise,
                            RoundVisitor visit, void *context)
{
    const ChunkShift *shift = &chunkwise->shift;
    Diag silent = diag_silent();
    Instance later = *instance;
    later.algorithm = algorithm_origin(instance->algorithm);
    later.k = shift->most_chunks;
    later.counts_only = later.takes_packed = false;
    return expander_expand_passes(&later, shift->behind, shift->behind + shift->passes - 1, visit,
                                  context, &silent);
}

/* The first and last pass of a repeat with k chunks, the lesser first. */
static bool find_range(Expander *expander, const ScheduleStep *step, int64_t k, int64_t *first,
                       int64_t *last)
{
    int64_t from, to;
    expander->frame.slots[SCHEDULE_K] = &k;
    if (!program_run_int(step->from, expander->frame.slots, &from, expander->diag) ||
        !program_run_int(step->to, expander->frame.slots, &to, expander->diag))
        return false;
    *first = step->loop.down ? to : from;
    *last = step->loop.down ? from : to;
    return true;
}

/* With each chunk more a repeat must have the passes that it had, and may have others. */
static bool find_passes(Expander *expander, Arena *arena, const ScheduleStep *step, int64_t chunks,
                        ChunkPasses *passes)
{
    int64_t first, last, least, most, span, longest = (int64_t)MOST_WORK;
    bool is_empty = true;
    if (!find_range(expander, step, chunks, &least, &most))
        return false;
    if (most < least || __builtin_sub_overflow(most, least, &span) || span >= longest)
        return false;
    passes->least = least;
    passes->count = span + 1;
    passes->first_chunks = ARENA_ROOM(arena, int64_t, (size_t)passes->count);
    int64_t low = 0, high = -1; /* of those with less chunks, from `least` on */
    for (int64_t k = 1; k <= chunks; k++) {
        if (!find_range(expander, step, k, &first, &last))
            return false;
        if (first > last && is_empty)
            continue;
        if (first > last || first < least || last > most)
            return false;
        first -= least, last -= least;
        if (!is_empty && (first > low || last < high))
            return false;
        for (int64_t i = first; i <= last; i++)
            if (is_empty || i < low || i > high)
                passes->first_chunks[i] = k;
        is_empty = false;
        low = first, high = last;
    }
    return true;
}

static bool find_all_passes(Expander *expander, Arena *arena, Chunkwise *chunkwise)
{
    const Algorithm *algorithm = expander->algorithm;
    if (!expander_start_frame(expander))
        return false;
    chunkwise->passes = ARENA_ARRAY(arena, ChunkPasses, algorithm->step_count);
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        if (step->kind == STEP_REPEAT &&
            (program_uses(step->from, SCHEDULE_K) || program_uses(step->to, SCHEDULE_K)) &&
            !find_passes(expander, arena, step, chunkwise->chunks, &chunkwise->passes[i]))
            return false;
    }
    return true;
}

bool chunkwise_find(Arena *arena, const Instance *instance, Chunkwise *chunkwise, Diag *diag)
{
    int64_t work = 0;
    Picks picks = {0};
    Instance origin = *instance;
    origin.algorithm = algorithm_origin(instance->algorithm);
    if (!is_program_chunkwise(origin.algorithm, &picks) || (picks.picked && picks.unpicked))
        return false;
    *chunkwise = (Chunkwise){.chunks = instance->k, .picks = picks.picked > 0};
    Expander expander = {.instance = &origin,
                         .algorithm = origin.algorithm,
                         .lanes = (size_t)instance->p,
                         .arena = arena_scratch(arena),
                         .work = &work,
                         .diag = diag};
    bool good = find_all_passes(&expander, arena, chunkwise);
    if (good && chunkwise->picks &&
        !(find_program_shift(&expander, &chunkwise->shift) &&
          chunkwise->shift.chunks <= instance->k &&
          count_shifted(&origin, chunkwise, &chunkwise->shift)))
        chunkwise->shift.passes = 0;
    arena_destroy(expander.arena);
    return good;
}

int64_t chunkwise_chunk(const Chunkwise *chunkwise, const Round *round,
                        const ScheduledTransfer *transfer)
{
    const ChunkPasses *passes = &chunkwise->passes[round->part];
    size_t end = transfer->first_block + transfer->block_count;
    int64_t chunk = round->blocks[transfer->first_block] % chunkwise->chunks;
    for (size_t b = transfer->first_block; b < end; b++)
        if (round->blocks[b] % chunkwise->chunks != chunk ||
            round_destination(round, b) % chunkwise->chunks != chunk)
            return -1;
    int64_t first = passes->first_chunks ? passes->first_chunks[round->pass - passes->least] : 1;
    bool is_there = chunkwise->picks ? first <= chunk + 1 : first == chunk + 1;
    return is_there ? chunk : -1;
}
