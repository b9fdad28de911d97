#include "sched/lines.h"

#include "sched/grid_stages.h"

int64_t lines_project_place(const Lines *lines, const Collective *theirs, const Pieces *inner,
                            int64_t number)
{
    const Collective *own = lines->expander->algorithm->collective;
    const Pieces *pieces = &lines->expander->pieces;
    const int64_t inner_chunks = inner->cuts * inner->chunks, chunk = number % pieces->chunks;
    const bool is_cut = pieces->cut_dimensions >> lines_place(lines) & 1;
    int64_t place = number / pieces->chunks, block = 0, coordinates[MOST_INDICES] = {0};
    if (is_cut) {
        coordinates[own->index_count] = place % lines->length;
        place /= lines->length;
    }
    for (int i = own->index_count - 1; i >= 0; i--) {
        coordinates[i] = place % lines->length;
        place /= lines->length;
    }
    for (int i = 0; i < theirs->index_count; i++)
        block = block * lines->length + lines_played_at(lines, coordinates[i]);
    return block * inner_chunks + chunk / (pieces->chunks / inner_chunks);
}

static GridOwnership *grid_of(const Lines *lines)
{
    return lines->expander->wanted->grid;
}

/* How many blocks go with each coordinate along the other dimensions, of the ranks of each line. */
static void count_copies(Lines *lines)
{
    const GridOwnership *grid = grid_of(lines);
    lines->copies = ARENA_ROOM(lines->expander->arena, int64_t, (size_t)lines->count);
    for (int64_t line = 0; line < lines->count; line++) {
        const int64_t rank = lines_rank_at(lines, line, 0);
        lines->copies[line] = 1;
        for (int d = 0; d < grid->shape.count; d++)
            if (d != lines_place(lines))
                lines->copies[line] *=
                    grid_ownership_count(grid, d, shape_coordinate(&grid->shape, rank, d));
    }
}

/* Where the lines are, how many blocks go with each, and how messages are posted. */
static WideHash hash_place(const Lines *lines)
{
    const Expander *expander = lines->expander;
    WideHash hash = {(uint64_t)lines->length, (uint64_t)lines->stride};
    hash = hash_add(hash, (uint64_t)lines->count, (uint64_t)expander->instance->ports);
    hash = hash_add(hash, (uintptr_t)expander->algorithm->collective,
                    (uint64_t)expander->algorithm->posting);
    for (int64_t line = 0; line < lines->count; line++)
        hash = hash_add(hash, (uint64_t)lines->copies[line], 0);
    return hash;
}

/* Each transfer in all lines. */
static bool emit_copies(const Lines *lines, const LineRound *round)
{
    Expander *expander = lines->expander;
    Draft draft = {.posting = round->posting, .more = round->more};
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *inner = &round->transfers[t];
        ScheduledTransfer transfer = *inner;
        if (!lines->step->use.is_own)
            transfer.span = &lines->step->span;
        transfer.first_block = 0;
        for (int64_t line = 0; line < lines->count; line++) {
            const int64_t copies = lines->copies[line], count = copies * inner->block_count;
            if (count == 0)
                continue;
            if (count > INT32_MAX)
                return false;
            transfer.from = (int32_t)lines_rank_at(lines, line, inner->from);
            transfer.to = (int32_t)lines_rank_at(lines, line, inner->to);
            transfer.block_count = (uint32_t)count;
            draft_append(expander->drafts, &draft, &transfer);
            *ARRAY_PUSH(expander->drafts, &draft.had) = copies * round->had[t];
        }
    }
    return expander_emit(expander, &draft);
}

bool lines_emit_round(const Lines *lines, const LineRound *round)
{
    Expander *expander = lines->expander;
    GridOwnership *grid = grid_of(lines);
    GridStage stage = {.key = lines->place};
    int64_t work = 0; /* of rounds was counted */
    for (size_t t = 0; t < round->count; t++) {
        int64_t *holds = &lines->holds[round->transfers[t].to];
        if (round->transfers[t].block_count && round->holds[t] > *holds)
            *holds = round->holds[t];
    }
    if (!expander_count(expander, (int64_t)round->count * lines->count, lines->step->span))
        return false;
    if (!grid->stages)
        return emit_copies(lines, round);
    stage.key = hash_add(stage.key, round->count, (uint64_t)round->more);
    stage.key = hash_add(stage.key, (uint64_t)round->posting, 1);
    stage.key = grid_stages_add_transfers(stage.key, round->transfers, round->had, round->count);
    if (grid_stages_repeat(grid->stages, grid->visitor, &stage, &work, &expander->round_number))
        return true;
    if (!emit_copies(lines, round))
        return false;
    grid_stages_finish(grid->stages, grid->visitor, &stage, work, expander->round_number);
    return true;
}

/* map_round where dimensions are followed one by one: the round runs in one line, by what goes with
   its coordinates, and its transfers are those of all lines. */
static bool map_round_by_place(void *context, const Round *round, Arena *arena)
{
    const Lines *lines = context;
    Expander *expander = lines->expander;
    Ownership *ownership = lines->followed;
    Draft alone = {0};
    int64_t *had = ARENA_ROOM(arena, int64_t, round->count);
    int64_t *holds = ARENA_ROOM(arena, int64_t, round->count);
    ScheduledTransfer *transfers =
        ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
    ArenaMark mark = arena_mark(expander->drafts);
    for (size_t t = 0; t < round->count; t++) {
        transfers[t].from = (int32_t)lines_player_of(lines, transfers[t].from);
        transfers[t].to = (int32_t)lines_player_of(lines, transfers[t].to);
        lines_note_held(lines, round, &round->transfers[t], 0, &alone, &transfers[t]);
    }
    const Round own = {.count = round->count,
                       .transfers = transfers,
                       .blocks = alone.blocks.items,
                       .destination = alone.destination.count ? alone.destination.items : NULL,
                       .packed = expander->packs ? alone.packing.numbers.items : NULL,
                       .packed_count = alone.packing.numbers.count};
    ownership_depart(ownership, &own);
    for (size_t t = 0; t < round->count; t++) {
        had[t] = ownership_arrive(ownership, &own, &transfers[t]);
        holds[t] = ownership->counts[transfers[t].to];
    }
    const LineRound in_line = {round->count, transfers, had, holds, round->posting, 0};
    const bool good = lines_emit_round(lines, &in_line);
    arena_release(expander->drafts, mark);
    return good;
}

/* What ranks held at most, when they had got something, and what a stage leaves in its own arrays;
   `left`: NULL where it has none. */
static void note_held(const Lines *lines, const int64_t *holds, const int64_t *left)
{
    const GridOwnership *grid = grid_of(lines);
    for (int64_t line = 0; line < lines->count; line++)
        for (int64_t c = 0; c < lines->length; c++) {
            const int64_t rank = lines_rank_at(lines, line, c);
            const int64_t held =
                lines->copies[line] * holds[c] + (grid->left && holds[c] ? grid->left[rank] : 0);
            if (held > grid->peaks[rank])
                grid->peaks[rank] = held;
            if (left)
                grid->left[rank] = lines->copies[line] * left[c];
        }
}

/* All that a stage depends on. False: that is not known. */
static bool find_key(const Lines *lines, const Instance *inner, WideHash *key)
{
    const Use *use = &lines->step->use;
    if (use->renumber.program || use->root.program || use->target.program ||
        !grid_stages_hash(grid_of(lines), key))
        return false;
    *key = hash_add(*key, (uintptr_t)inner->algorithm, (uint64_t)lines->dimension);
    *key = hash_add(*key, (uint64_t)inner->root, (uint64_t)inner->target);
    *key = hash_add(*key, (uint64_t)inner->k, (uint64_t)inner->branches);
    *key = hash_add(*key, (uint64_t)inner->ports, (uint64_t)lines->expander->algorithm->posting);
    return true;
}

bool lines_run_again(Lines *lines, const Instance *inner)
{
    Expander *expander = lines->expander;
    GridOwnership *grid = grid_of(lines);
    WideHash key;
    const GridStage *stage =
        find_key(lines, inner, &key) ? grid_stages_find(grid->stages, key) : NULL;
    const bool goes_on = stage && (stage->line || lines->is_last);
    if (!goes_on || *expander->work + stage->work > MOST_WORK)
        return false;
    *expander->work += stage->work;
    expander->round_number += stage->rounds;
    count_copies(lines);
    note_held(lines, stage->holds, stage->left);
    grid->visitor->repeat(grid->visitor->context, stage->kept);
    grid_stages_end(grid, lines_place(lines), stage);
    return true;
}

/* Every rank of a line. */
static bool run_all(Lines *lines, const Instance *inner)
{
    const Expander *expander = lines->expander;
    const RoundsWanted in_line = {
        .takes_packed = expander->packs, .visit = map_round_by_place, .context = lines};
    return expander_expand(inner, &in_line, expander->work, expander->diag);
}

/* With room for the arrays of the used algorithm. *left: what each coordinate has there then, in a
   line by itself. */
static bool run_with_arrays(Lines *lines, const Instance *inner, int64_t **left)
{
    Expander *expander = lines->expander;
    Ownership *line = lines->followed, wide;
    int64_t count;
    if (__builtin_mul_overflow(line->block_count, 1 + lines->inner_copies, &count) ||
        !ownership_widen(expander->arena, line, count, &wide))
        return false;
    lines->ownership = lines->followed = &wide;
    const bool good = run_all(lines, inner);
    lines->ownership = lines->followed = line;
    if (!good)
        return false;
    ownership_narrow(&wide, line);
    *left = ARENA_ROOM(expander->arena, int64_t, (size_t)line->p);
    for (int64_t c = 0; c < line->p; c++)
        (*left)[c] = wide.counts[c] - line->counts[c];
    return true;
}

bool lines_run_by_place(Lines *lines, const Instance *inner)
{
    const Expander *expander = lines->expander;
    GridOwnership *grid = grid_of(lines);
    GridStage stage = {.work = -*expander->work, .rounds = -expander->round_number};
    int64_t *left = NULL;
    bool good;
    const bool is_kept = find_key(lines, inner, &stage.key);
    count_copies(lines);
    lines->place = hash_place(lines);
    lines->holds = ARENA_ARRAY(expander->arena, int64_t, (size_t)lines->length);
    grid_stages_own(grid, lines_place(lines));
    if (is_kept)
        grid->visitor->begin(grid->visitor->context);
    if (lines->inner_copies > 0)
        good = run_with_arrays(lines, inner, &left);
    else if (!lines_run_alike(lines, inner, &good))
        good = run_all(lines, inner);
    if (!good || !grid_ownership_is_whole(grid, lines_place(lines)))
        return false;
    note_held(lines, lines->holds, left);
    if (!is_kept) {
        grid->unknown |= (uint64_t)1 << lines_place(lines);
        return true;
    }
    Arena *arena = grid_stages_arena(grid->stages);
    stage.work += *expander->work;
    stage.rounds += expander->round_number;
    stage.holds = ARENA_COPY(arena, int64_t, lines->holds, (size_t)lines->length);
    stage.left = left ? ARENA_COPY(arena, int64_t, left, (size_t)lines->length) : NULL;
    stage.kept = grid->visitor->end(grid->visitor->context, arena);
    grid_stages_keep(grid, lines_place(lines), lines->is_last, stage);
    return true;
}
