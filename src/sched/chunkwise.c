#include "sched/chunkwise.h"

#include "sched/expander.h"

/* How often steps say that they send chunks below k, and how often they do not. */
typedef struct {
    size_t picked, unpicked;
} Picks;

static bool reads_k(const Program *program)
{
    return program && expr_uses(program_expr(program), SCHEDULE_K);
}

static bool lets_read_k(const LetList *lets)
{
    bool reads = false;
    for (size_t i = 0; i < lets->count; i++)
        reads |= reads_k(lets->items[i].program);
    return reads;
}

static bool sets_read_k(const SetList *sets)
{
    bool reads = false;
    for (size_t s = 0; s < sets->count; s++) {
        const CompiledSet *set = &sets->items[s];
        reads |= set->syntax->all || reads_k(set->condition);
        for (int i = 0; i < set->index_count; i++)
            reads |= reads_k(set->indices[i]);
        for (int i = 0; i < set->loop_count; i++)
            reads |= reads_k(set->loops[i].from) || reads_k(set->loops[i].to);
    }
    return reads;
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

static bool is_k(const Expr *expr)
{
    expr = without_conversion(expr);
    return expr->kind == EXPR_VARIABLE && expr->slot == SCHEDULE_K;
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
    bool reads = sets_read_k(&transfer->blocks) || sets_read_k(&transfer->into) ||
                 reads_k(transfer->to.program);
    bool picked = false;
    for (size_t i = 0; i < step->loop_count; i++)
        reads |= reads_k(step->loops[i].from) || reads_k(step->loops[i].to);
    if (reads || (step->condition.program && !picks_chunks(program_expr(step->condition.program),
                                                           chunk_of(transfer), &picked)))
        return false;
    picks->picked += picked;
    picks->unpicked += !picked;
    return true;
}

static bool is_step_chunkwise(const ScheduleStep *step, bool is_outermost, Picks *picks)
{
    if (step->kind == STEP_USE || step->kind == STEP_COMPUTE || step->then.count ||
        lets_read_k(&step->lets))
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
        algorithm->names_all || lets_read_k(&algorithm->lets))
        return false;
    for (size_t i = 0; i < algorithm->array_count; i++)
        if (reads_k(algorithm->array_sizes[i].program))
            return false;
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (!is_step_chunkwise(&algorithm->steps[i], true, picks))
            return false;
    return true;
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
    while (origin.algorithm->dual)
        origin.algorithm = origin.algorithm->dual;
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
