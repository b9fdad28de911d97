#include "sched/chunkwise.h"

#include "sched/expander.h"

/* Trees in the dimensions of a hypercube do the same after as many passes as it has dimensions. */
enum { MOST_SHIFTED_PASSES = 20 };

/* How often steps say that they send chunks below k, and how often they do not. */
typedef struct {
    size_t picked, unpicked;
} Picks;

static bool reads(const Program *program, int slot)
{
    return program && expr_uses(program_expr(program), slot);
}

static bool reads_k(const Program *program)
{
    return reads(program, SCHEDULE_K);
}

static bool lets_read(const LetList *lets, int slot)
{
    bool found = false;
    for (size_t i = 0; i < lets->count; i++)
        found |= reads(lets->items[i].program, slot);
    return found;
}

/* `but_last`: the last index of a block does not count. */
static bool sets_read(const SetList *sets, int slot, bool but_last)
{
    bool found = false;
    for (size_t s = 0; s < sets->count; s++) {
        const CompiledSet *set = &sets->items[s];
        found |= reads(set->condition, slot);
        for (int i = 0; i < set->index_count - but_last; i++)
            found |= reads(set->indices[i], slot);
        for (int i = 0; i < set->loop_count; i++)
            found |= reads(set->loops[i].from, slot) || reads(set->loops[i].to, slot);
    }
    return found;
}

static bool names_all(const SetList *sets)
{
    bool all = false;
    for (size_t s = 0; s < sets->count; s++)
        all |= sets->items[s].syntax->all;
    return all;
}

static bool loops_read(const ScheduleStep *step, int slot)
{
    bool found = false;
    for (size_t i = 0; i < step->loop_count; i++)
        found |= reads(step->loops[i].from, slot) || reads(step->loops[i].to, slot);
    return found;
}

static bool arrays_read(const Algorithm *algorithm, int slot)
{
    bool found = false;
    for (size_t i = 0; i < algorithm->array_count; i++)
        found |= reads(algorithm->array_sizes[i].program, slot);
    return found;
}

static const Expr *without_conversion(const Expr *expr)
{
    bool converts =
        expr->kind == EXPR_TO_REAL || expr->kind == EXPR_TO_WHOLE || expr->kind == EXPR_TO_BOOL;
    return converts ? without_conversion(expr->arguments[0]) : expr;
}

static bool is_same(const Expr *a, const Expr *b)
{
    a = without_conversion(a);
    b = without_conversion(b);
    bool same = a->kind == b->kind && a->argument_count == b->argument_count &&
                a->kind != EXPR_SUM && a->kind != EXPR_LARGEST;
    if (same && a->kind == EXPR_VARIABLE)
        same = a->slot == b->slot;
    if (same && a->kind == EXPR_NUMBER)
        same = a->type == b->type && a->integer == b->integer && a->real == b->real;
    for (int i = 0; same && i < a->argument_count; i++)
        same = is_same(a->arguments[i], b->arguments[i]);
    return same;
}

static bool is_variable(const Expr *expr, int slot)
{
    expr = without_conversion(expr);
    return expr->kind == EXPR_VARIABLE && expr->slot == slot;
}

static bool is_k(const Expr *expr)
{
    return is_variable(expr, SCHEDULE_K);
}

static bool is_whole(const Expr *expr, int64_t number)
{
    expr = without_conversion(expr);
    return expr->kind == EXPR_NUMBER && expr->type == TYPE_INT && expr->integer == number;
}

/* The one whose program it is, perhaps turned round. */
static const Algorithm *origin_of(const Algorithm *algorithm)
{
    return algorithm->dual ? origin_of(algorithm->dual) : algorithm;
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
    condition = without_conversion(condition);
    if (condition->kind == EXPR_AND)
        return picks_chunks(condition->arguments[0], chunk, picks) &&
               picks_chunks(condition->arguments[1], chunk, picks);
    if (!expr_uses(condition, SCHEDULE_K))
        return true;
    *picks = true;
    return chunk && condition->kind == EXPR_LESS && is_same(condition->arguments[0], chunk) &&
           is_k(condition->arguments[1]);
}

static bool is_transfer_chunkwise(const ScheduleStep *step, Picks *picks)
{
    const Transfer *transfer = &step->transfer;
    bool picked = false;
    if (names_all(&transfer->blocks) || sets_read(&transfer->blocks, SCHEDULE_K, false) ||
        sets_read(&transfer->into, SCHEDULE_K, false) || reads_k(transfer->to.program) ||
        loops_read(step, SCHEDULE_K) ||
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
    if (reads_k(step->condition.program) ||
        (!is_outermost && (reads_k(step->from) || reads_k(step->to))))
        return false;
    for (size_t i = 0; i < step->step_count; i++)
        if (!is_step_chunkwise(&step->steps[i], false, picks))
            return false;
    return true;
}

/* Does the program read k nowhere but in bounds of outermost repeats and to pick chunks? */
static bool is_program_chunkwise(const Algorithm *algorithm, Picks *picks)
{
    if (!algorithm->chunks.program || !is_k(program_expr(algorithm->chunks.program)) ||
        algorithm->names_all || lets_read(&algorithm->lets, SCHEDULE_K) ||
        arrays_read(algorithm, SCHEDULE_K))
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
    expr = without_conversion(expr);
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
    condition = without_conversion(condition);
    if (condition->kind == EXPR_AND)
        return condition_shifts(shift, condition->arguments[0], chunk) &&
               condition_shifts(shift, condition->arguments[1], chunk);
    if (condition->kind == EXPR_LESS && is_k(condition->arguments[1]))
        return is_same(condition->arguments[0], chunk);
    if (condition->kind == EXPR_LESS_EQUAL && is_whole(condition->arguments[0], 0) &&
        is_same(condition->arguments[1], chunk))
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
    if (algorithm->step_count != 1 || repeat->kind != STEP_REPEAT || repeat->loop.down ||
        repeat->step_count != 1)
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
            *found = (ChunkShift){.passes = passes, .chunks = chunks};
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
    if (!passes->first_chunks || passes->least < 0)
        return false;
    shift->behind = passes->least + passes->count;
    const int64_t last = shift->behind + shift->passes - 1;
    shift->most_chunks =
        (last / shift->passes + 1) * shift->chunks + chunkwise->chunks + shift->chunks;
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
    later.algorithm = origin_of(instance->algorithm);
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
    int64_t first, last, least, most, longest = (int64_t)MOST_WORK;
    bool is_empty = true;
    if (!find_range(expander, step, chunks, &least, &most))
        return false;
    if (most < least || most - least >= longest)
        return false;
    passes->least = least;
    passes->count = most - least + 1;
    passes->first_chunks = ARENA_ROOM(arena, int64_t, (size_t)passes->count);
    int64_t low = 0, high = -1; /* of those with less chunks */
    for (int64_t k = 1; k <= chunks; k++) {
        if (!find_range(expander, step, k, &first, &last))
            return false;
        if (first > last && is_empty)
            continue;
        if (first < least || last > most || (!is_empty && (first > low || last < high)))
            return false;
        for (int64_t i = first; i <= last; i++)
            if (is_empty || i < low || i > high)
                passes->first_chunks[i - least] = k;
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
        if (step->kind == STEP_REPEAT && (reads_k(step->from) || reads_k(step->to)) &&
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
    origin.algorithm = origin_of(instance->algorithm);
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

/* Nothing in the step reads a variable, but the last index of its blocks, which then is just that.
 */
static bool reads_as_chunk(const ScheduleStep *step, int slot)
{
    const SetList *lists[] = {&step->transfer.blocks, &step->transfer.into};
    if (step->kind == STEP_USE || step->kind == STEP_COMPUTE || step->then.count ||
        reads(step->condition.program, slot) || lets_read(&step->lets, slot) ||
        reads(step->from, slot) || reads(step->to, slot) || loops_read(step, slot) ||
        reads(step->transfer.to.program, slot))
        return false;
    for (size_t l = 0; l < 2 && step->kind == STEP_TRANSFER; l++) {
        if (names_all(lists[l]) || sets_read(lists[l], slot, true))
            return false;
        for (size_t s = 0; s < lists[l]->count; s++) {
            const CompiledSet *set = &lists[l]->items[s];
            if (set->is_range || !set->index_count ||
                !is_variable(program_expr(set->indices[set->index_count - 1]), slot))
                return false;
        }
    }
    for (size_t i = 0; i < step->step_count; i++)
        if (!reads_as_chunk(&step->steps[i], slot))
            return false;
    return true;
}

/* What it uses, and steps inside, not counted. */
static bool step_reads_k(const ScheduleStep *step)
{
    const Transfer *transfer = &step->transfer;
    const Use *use = &step->use;
    return reads_k(step->condition.program) || lets_read(&step->lets, SCHEDULE_K) ||
           lets_read(&step->then, SCHEDULE_K) || reads_k(step->from) || reads_k(step->to) ||
           loops_read(step, SCHEDULE_K) || reads_k(transfer->to.program) ||
           sets_read(&transfer->blocks, SCHEDULE_K, false) ||
           sets_read(&transfer->into, SCHEDULE_K, false) || reads_k(use->root.program) ||
           reads_k(use->target.program);
}

static bool names_read_k(const Algorithm *algorithm)
{
    return lets_read(&algorithm->lets, SCHEDULE_K) || arrays_read(algorithm, SCHEDULE_K);
}

/* Does nothing in these steps, or in what they use, depend on k, nor cut blocks? */
static bool are_free_of_k(const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        if (step->kind == STEP_COMPUTE || step_reads_k(step) ||
            !are_free_of_k(step->steps, step->step_count))
            return false;
        const Algorithm *used = step->kind == STEP_USE ? origin_of(step->use.algorithm) : NULL;
        if (used &&
            (used->chunks.program || used->trees || used->pipelined || step->use.channels.program ||
             names_read_k(used) || !are_free_of_k(used->steps, used->step_count)))
            return false;
    }
    return true;
}

/* repeat: h in 0 .. k - 1, for nothing but the chunk h */
static bool repeats_by_chunk(const ScheduleStep *step)
{
    if (step->kind != STEP_REPEAT || step->loop.down || step->condition.program)
        return false;
    const Expr *to = without_conversion(program_expr(step->to));
    bool all = is_whole(program_expr(step->from), 0) && to->kind == EXPR_SUBTRACT &&
               is_k(to->arguments[0]) && is_whole(to->arguments[1], 1);
    if (!all || step->then.count || lets_read(&step->lets, SCHEDULE_K) ||
        lets_read(&step->lets, step->loop.slot) || !are_free_of_k(step->steps, step->step_count))
        return false;
    for (size_t i = 0; i < step->step_count; i++)
        if (!reads_as_chunk(&step->steps[i], step->loop.slot))
            return false;
    return true;
}

/* Does each outermost step either the same for one chunk after the other, or what it does for all
   chunks together? */
static bool only_repeats(const Algorithm *algorithm)
{
    algorithm = origin_of(algorithm);
    bool has_own = algorithm->chunks.program != NULL;
    if (algorithm->trees || algorithm->pipelined ||
        (has_own && !is_k(program_expr(algorithm->chunks.program))) || names_read_k(algorithm))
        return false;
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        bool uses = !has_own && step->kind == STEP_USE && !step->use.channels.program;
        if (!(has_own && repeats_by_chunk(step)) && !(uses && are_free_of_k(step, 1)) &&
            !(uses && !step_reads_k(step) && only_repeats(step->use.algorithm)))
            return false;
    }
    return true;
}

bool chunks_only_repeat(const Instance *instance, int64_t most)
{
    Instance tried = *instance;
    Pieces one, pieces;
    Diag silent = diag_silent();
    tried.k = 1;
    if (!pieces_find(&tried, &one, &silent) || !only_repeats(instance->algorithm))
        return false;
    for (tried.k = 2; tried.k <= most; tried.k++)
        if (!pieces_find(&tried, &pieces, &silent) ||
            pieces.cuts * pieces.chunks != tried.k * one.cuts * one.chunks)
            return false;
    return true;
}
