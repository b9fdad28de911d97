#include "sched/expander.h"
#include "sched/rotation.h"

/* A used algorithm runs in all lines of ranks at once. Along y in a grid of 3 x 2, stride 3:

       line 0: 0 3    line 1: 1 4    line 2: 2 5

   Its ranks are coordinates, and its blocks stand for the blocks that project on them: in a line
   along y, block (c) of an allgather stands for all blocks of ranks with the coordinate y = c. What
   a transfer of it carries is what its sender holds of these. */
typedef struct {
    Expander *expander;
    const ScheduleStep *step;
    int dimension; /* or ALL_RANKS */
    Shape shape;
    int64_t length, stride, count; /* of the lines */
    const int64_t *played_by;      /* rank of the used algorithm -> coordinate; NULL: the same */
    const int64_t *plays;          /* the inverse */
    int64_t array_blocks, inner_array_blocks;
    LaneLists parts; /* of each block of the used algorithm's main array: those it stands for */
                     /* of each block of the used algorithm: blocks for which it stands */
} Lines;

static int64_t coordinate_of(const Lines *lines, int64_t rank)
{
    return lines->dimension == ALL_RANKS ? rank
                                         : shape_coordinate(&lines->shape, rank, lines->dimension);
}

static int64_t rank_at(const Lines *lines, int64_t line, int64_t coordinate)
{
    return line % lines->stride +
           (line / lines->stride * lines->length + coordinate) * lines->stride;
}

static int64_t player_of(const Lines *lines, int64_t inner_rank)
{
    return lines->played_by ? lines->played_by[inner_rank] : inner_rank;
}

static int64_t played_at(const Lines *lines, int64_t coordinate)
{
    return lines->plays ? lines->plays[coordinate] : coordinate;
}

static void report_number(const Lines *lines, const int64_t *plays, int64_t rank, int64_t to)
{
    Span span = lines->step->use.renumber.text.span;
    if (to < 0 || to >= lines->length)
        diag_error(lines->expander->diag, span,
                   "rank %lld becomes rank %lld, but there are ranks 0 .. %lld (p = %lld)",
                   (long long)rank, (long long)to, (long long)lines->length - 1,
                   (long long)lines->length);
    else
        diag_error(lines->expander->diag, span,
                   "ranks %lld and %lld both become rank %lld (p = %lld)", (long long)plays[to],
                   (long long)rank, (long long)to, (long long)lines->length);
}

/* Which rank plays which: must be each rank of the line once. */
static bool renumber(Lines *lines)
{
    Expander *expander = lines->expander;
    const Formula *formula = &lines->step->use.renumber;
    if (!formula->program)
        return true;
    size_t length = (size_t)lines->length;
    const void *slots[MOST_SLOTS] = {&lines->length, lanes_identity(expander->arena, length)};
    int64_t *played_by = ARENA_ROOM(expander->arena, int64_t, length);
    int64_t *plays = ARENA_ROOM(expander->arena, int64_t, length);
    for (size_t i = 0; i < length; i++)
        plays[i] = -1;
    if (!program_varies(formula->program) && length > 1) {
        diag_error(expander->diag, formula->text.span, "this gives all ranks the same number");
        return false;
    }
    if (!program_run(formula->program, slots, length, played_by, expander->diag))
        return false;
    for (size_t i = 0; i < length; i++) {
        int64_t to = played_by[i];
        if (to < 0 || to >= lines->length || plays[to] >= 0) {
            report_number(lines, plays, (int64_t)i, to);
            return false;
        }
        plays[to] = (int64_t)i;
    }
    lines->played_by = played_by;
    lines->plays = plays;
    return true;
}

/* The rank of the used algorithm that stands at the root, or target: the given one, or `usual`. */
static bool find_end(const Lines *lines, const char *what, const Formula *given, int64_t usual,
                     int64_t *end)
{
    const Expander *expander = lines->expander;
    int64_t rank = usual;
    if (given->program &&
        !program_run_int(given->program, expander->frame.slots, &rank, expander->diag))
        return false;
    if (rank < 0 || rank >= expander->instance->p) {
        diag_error(expander->diag, given->text.span,
                   "the %s %lld is not one of the ranks 0 .. %lld", what, (long long)rank,
                   (long long)expander->instance->p - 1);
        return false;
    }
    *end = played_at(lines, coordinate_of(lines, rank));
    return true;
}

/* Without others, root and target are those of the collective, or the first rank. */
static bool find_ends(const Lines *lines, Instance *inner)
{
    const Instance *whole = lines->expander->instance;
    const Collective *own = whole->algorithm->collective, *theirs = inner->algorithm->collective;
    const Use *use = &lines->step->use;
    int64_t root, target;
    if (!find_end(lines, "root", &use->root, own->rooted ? whole->root : 0, &root) ||
        !find_end(lines, "target", &use->target, own->targeted ? whole->target : 0, &target))
        return false;
    inner->root = theirs->rooted ? root : 0;
    inner->target = theirs->targeted ? target : 0;
    return true;
}

/* The index of the used algorithm's block along one of its indices. */
static int64_t project_index(const Lines *lines, int64_t index)
{
    return played_at(lines, coordinate_of(lines, index));
}

static int64_t project_cut(const Lines *lines, int64_t cut)
{
    const Pieces *pieces = &lines->expander->pieces;
    if (lines->dimension == ALL_RANKS)
        return played_at(lines, cut);
    return played_at(lines, pieces_coordinate(pieces, &lines->shape, cut, lines->dimension));
}

/* Block number -> the used algorithm's block on which it projects. */
static int64_t project(const Lines *lines, const BlockSpace *whole, const Collective *theirs,
                       const Pieces *inner, int64_t block)
{
    const Pieces *pieces = &lines->expander->pieces;
    int64_t indices[MOST_INDICES], number = 0, inner_chunks = inner->cuts * inner->chunks;
    int64_t chunk = block % pieces->chunks, cut = block / pieces->chunks % pieces->cuts;
    int64_t rest = block / pieces->chunks / pieces->cuts;
    for (int i = whole->index_count - 1; i >= 0; i--) {
        indices[i] = rest % whole->extents[i];
        rest /= whole->extents[i];
    }
    bool by_cut =
        theirs->index_count == 1 && lines->expander->algorithm->collective->index_count == 0;
    for (int i = 0; i < theirs->index_count; i++)
        number = number * lines->length +
                 (by_cut ? project_cut(lines, cut) : project_index(lines, indices[i]));
    return number * inner_chunks + chunk / (pieces->chunks / inner_chunks);
}

static bool check_indices(const Lines *lines, const BlockSpace *whole, const BlockSpace *inner,
                          const Collective *theirs)
{
    const Collective *own = lines->expander->algorithm->collective;
    bool ranks = true;
    for (int i = 0; i < theirs->index_count; i++)
        ranks &= inner->extents[i] == lines->length &&
                 (own->index_count == 0 || whole->extents[i] == lines->expander->instance->p);
    if (!ranks)
        diag_error(lines->expander->diag, lines->step->span,
                   "blocks of %s and %s are not numbered by ranks, so they cannot be distinguished "
                   "within a line",
                   own->head.name, theirs->head.name);
    return ranks;
}

/* For each of the used algorithm's blocks, the blocks for which it stands. */
static bool list_parts(Lines *lines, const Instance *inner)
{
    Expander *expander = lines->expander;
    const Collective *theirs = inner->algorithm->collective;
    BlockSpace whole, inner_whole;
    Pieces pieces;
    if (!pieces_find(inner, &pieces, expander->diag) ||
        !blockspace_create(expander->algorithm->collective, expander->instance->p, 0, &whole,
                           expander->diag) ||
        !blockspace_create(theirs, inner->p, 0, &inner_whole, expander->diag) ||
        !check_indices(lines, &whole, &inner_whole, theirs))
        return false;
    size_t count = (size_t)expander->space.array_blocks;
    size_t inner_count = (size_t)(inner_whole.count * pieces.cuts * pieces.chunks);
    lines->array_blocks = expander->space.array_blocks;
    lines->inner_array_blocks = (int64_t)inner_count;
    int64_t *blocks = (int64_t *)(uintptr_t)lanes_identity(expander->arena, count);
    int64_t *targets = ARENA_ROOM(expander->arena, int64_t, count);
    for (size_t b = 0; b < count; b++)
        targets[b] = project(lines, &whole, theirs, &pieces, (int64_t)b);
    SetItems items = {.count = count, .lanes = targets};
    lines->parts = lanes_lists(expander->arena, &items, &blocks, 1, inner_count);
    return true;
}

/* Where some ranks stand for all: the block for that one which is `behind`. */
static int64_t block_ahead(const Lines *lines, int64_t block, int64_t behind)
{
    return behind ? rotation_turn(lines->expander->instance->rotation, block, -behind) : block;
}

/* What `from` holds of the blocks that a transfer of the used algorithm stands for, and where it
   lands: the n-th part of a block becomes the n-th part of the block where that lands. */
static void append_held(const Lines *lines, const Round *round, const ScheduledTransfer *transfer,
                        int64_t from, int64_t behind, Draft *draft)
{
    Expander *expander = lines->expander;
    const LaneLists *parts = &lines->parts;
    bool lands = expander->algorithm->moves_blocks;
    for (size_t i = 0; i < transfer->block_count; i++) {
        int64_t inner = round->blocks[transfer->first_block + i];
        int64_t destination = round_destination(round, transfer->first_block + i);
        int64_t array = inner / lines->inner_array_blocks * lines->array_blocks;
        int64_t other = destination / lines->inner_array_blocks * lines->array_blocks;
        int64_t first = parts->starts[inner % lines->inner_array_blocks];
        int64_t end = parts->starts[inner % lines->inner_array_blocks + 1];
        int64_t shift = parts->starts[destination % lines->inner_array_blocks] - first;
        if (!lands && !behind) {
            IntArray *blocks = &draft->blocks;
            ARRAY_RESERVE(expander->drafts, blocks, (size_t)(end - first));
            blocks->count +=
                ownership_select(&expander->ownership, from, array, parts->numbers + first,
                                 (size_t)(end - first), blocks->items + blocks->count);
            continue;
        }
        for (int64_t n = first; n < end; n++) {
            int64_t block = block_ahead(lines, array + parts->numbers[n], behind);
            if (!ownership_has(&expander->ownership, from, block))
                continue;
            *ARRAY_PUSH(expander->drafts, &draft->blocks) = block;
            if (lands)
                *ARRAY_PUSH(expander->drafts, &draft->destination) =
                    block_ahead(lines, other + parts->numbers[n + shift], behind);
        }
    }
}

/* A round of the used algorithm becomes a round in all lines; a line whose senders hold nothing of
   what they should send stays idle. */
static bool map_round(void *context, const Round *round, Arena *arena)
{
    const Lines *lines = context;
    Expander *expander = lines->expander;
    const Rotation *rotation = expander->instance->rotation;
    Draft draft = {.posting = round->posting};
    (void)arena;
    ArenaMark mark = arena_mark(expander->drafts);
    for (size_t t = 0; t < round->count; t++) {
        ScheduledTransfer transfer = round->transfers[t];
        int64_t from = player_of(lines, round->transfers[t].from);
        int64_t to = player_of(lines, round->transfers[t].to);
        for (int64_t line = 0; line < lines->count; line++) {
            int64_t behind = 0;
            transfer.from = (int32_t)rank_at(lines, line, from);
            transfer.to = (int32_t)rank_at(lines, line, to);
            if (rotation)
                behind = rotation_turn_sender(rotation, &transfer);
            if (!lines->step->use.is_own) /* the fault is more likely here than there */
                transfer.span = &lines->step->span;
            transfer.first_block = draft.blocks.count;
            append_held(lines, round, &round->transfers[t], transfer.from, behind, &draft);
            transfer.block_count = (uint32_t)(draft.blocks.count - transfer.first_block);
            if (!transfer.block_count)
                continue;
            *ARRAY_PUSH(expander->drafts, &draft.transfers) = transfer;
            draft.has_messages |= !transfer_is_local(&transfer);
        }
    }
    bool good = expander_count(expander, (int64_t)round->count * lines->count, lines->step->span) &&
                expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

static bool run_line(Expander *expander, const ScheduleStep *step, int dimension)
{
    Lines lines = {.expander = expander,
                   .step = step,
                   .dimension = dimension,
                   .shape = instance_shape(expander->instance)};
    lines.length = pieces_line_length(&lines.shape, dimension);
    lines.stride = dimension == ALL_RANKS ? 1 : shape_stride(&lines.shape, dimension);
    lines.count = lines.shape.p / lines.length;
    Shape line_shape;
    Instance inner = pieces_line_instance(expander->instance, &step->use, dimension, &line_shape);
    Rotation rotation;
    if (!renumber(&lines) || !find_ends(&lines, &inner) || !list_parts(&lines, &inner))
        return false;
    if (expander->instance->rotation) {
        if (!rotation_find(&inner, &rotation) || rotation.by != expander->instance->rotation->by)
            return false;
        inner.rotation = &rotation;
    }
    return expander_expand(&inner, expander->work, map_round, &lines, expander->diag);
}

bool lines_run(Expander *expander, const ScheduleStep *step)
{
    Shape shape = instance_shape(expander->instance);
    int dimensions[MOST_DIMENSIONS];
    int count = pieces_lines(&step->use, &shape, dimensions, expander->diag);
    for (int i = 0; i < count; i++) {
        ArenaMark mark = arena_mark(expander->arena);
        bool good = run_line(expander, step, dimensions[i]);
        arena_release(expander->arena, mark);
        if (!good)
            return false;
    }
    return count >= 0;
}
