#include "sched/lines.h"

#include "sched/grid_ownership.h"
#include "sched/rotation.h"

static bool note_plays(const Lines *lines, const int64_t *played_by, int64_t *plays)
{
    const Span span = lines->step->use.renumber.text.span;
    const long long length = lines->length;
    for (int64_t i = 0; i < length; i++)
        plays[i] = -1;
    for (int64_t i = 0; i < length; i++) {
        const int64_t to = played_by[i];
        if (to < 0 || to >= length)
            return diag_error(
                lines->expander->diag, span,
                "rank %lld becomes rank %lld, but there are ranks 0 .. %lld (p = %lld)",
                (long long)i, (long long)to, length - 1, length);
        if (plays[to] >= 0)
            return diag_error(lines->expander->diag, span,
                              "ranks %lld and %lld both become rank %lld (p = %lld)",
                              (long long)plays[to], (long long)i, (long long)to, length);
        plays[to] = i;
    }
    return true;
}

/* Which rank plays which: in each channel, each rank of the line once. */
static bool renumber(Lines *lines, const Shape *line_shape)
{
    Expander *expander = lines->expander;
    const Formula *formula = &lines->step->use.renumber;
    if (!formula->program)
        return true;
    size_t length = (size_t)lines->length;
    const size_t count = length * (size_t)lines->channels;
    const void *slots[MOST_SLOTS] = {[SCHEDULE_R] = lanes_identity(expander->arena, length),
                                     [SCHEDULE_CHANNEL] = &lines->channel};
    int64_t sizes[1 + MOST_NETWORK_GRID];
    int64_t *played_by = ARENA_ROOM(expander->arena, int64_t, count);
    int64_t *plays = ARENA_ROOM(expander->arena, int64_t, count);
    pieces_fill_slots(line_shape, &expander->instance->ports, slots, sizes);
    if (!program_varies(formula->program) && length > 1)
        return diag_error(expander->diag, formula->text.span,
                          "this gives all ranks the same number");
    for (lines->channel = 0; lines->channel < lines->channels; lines->channel++) {
        const size_t first = (size_t)lines->channel * length;
        if (!program_run(formula->program, slots, length, played_by + first, expander->diag) ||
            !note_plays(lines, played_by + first, plays + first))
            return false;
    }
    lines->channel = 0;
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
    if (rank < 0 || rank >= expander->instance->p)
        return diag_error(expander->diag, given->text.span,
                          "the %s %lld is not one of the ranks 0 .. %lld", what, (long long)rank,
                          (long long)expander->instance->p - 1);
    *end = lines_played_at(lines, lines_coordinate_of(lines, rank));
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

/* Block number -> the used algorithm's block on which it projects, behind those of the channels
   before its own. */
static int64_t project(Lines *lines, const BlockSpace *whole, const Collective *theirs,
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
    const int64_t piece = chunk / (pieces->chunks / (lines->channels * inner_chunks));
    lines->channel = piece / inner_chunks;
    bool by_cut =
        theirs->index_count == 1 && lines->expander->algorithm->collective->index_count == 0;
    if (by_cut && lines->dimension != ALL_RANKS)
        cut = pieces_coordinate(pieces, &lines->shape, cut, lines->dimension);
    /* The index of the used algorithm's block along one of its indices. */
    for (int i = 0; i < theirs->index_count; i++)
        number = number * lines->length +
                 lines_played_at(lines, by_cut ? cut : lines_coordinate_of(lines, indices[i]));
    return lines->channel * lines->inner_array_blocks + number * inner_chunks +
           piece % inner_chunks;
}

static bool check_indices(const Lines *lines, const BlockSpace *whole, const BlockSpace *inner,
                          const Collective *theirs)
{
    const Collective *own = lines->expander->algorithm->collective;
    bool ranks = true;
    for (int i = 0; i < theirs->index_count; i++)
        ranks &= inner->extents[i] == lines->length &&
                 (own->index_count == 0 || whole->extents[i] == lines->expander->instance->p);
    return ranks ||
           diag_error(
               lines->expander->diag, lines->step->span,
               "blocks of %s and %s are not numbered by ranks, so they cannot be distinguished "
               "within a line",
               own->head.name, theirs->head.name);
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
    const bool by_place = expander->wanted->grid != NULL;
    size_t count =
        (size_t)(by_place ? lines->ownership->block_count : expander->space.array_blocks);
    lines->inner_copies = arrays_copies(&pieces.arrays);
    lines->array_blocks = (int64_t)count;
    lines->inner_array_blocks = inner_whole.count * pieces.cuts * pieces.chunks;
    const size_t inner_count = (size_t)(lines->channels * lines->inner_array_blocks);
    int64_t *blocks = (int64_t *)(uintptr_t)lanes_identity(expander->arena, count);
    int64_t *targets = ARENA_ROOM(expander->arena, int64_t, count);
    for (size_t b = 0; b < count; b++)
        targets[b] = by_place ? lines_project_place(lines, theirs, &pieces, (int64_t)b)
                              : project(lines, &whole, theirs, &pieces, (int64_t)b);
    SetItems items = {.count = count, .lanes = targets};
    lines->parts = lanes_lists(expander->arena, &items, &blocks, 1, inner_count);
    lines->parts_are_same = count == inner_count && lines->channels == 1;
    for (size_t b = 0; b < count && lines->parts_are_same; b++)
        lines->parts_are_same = targets[b] == (int64_t)b;
    if (!expander->packs)
        return true;
    /* Rows end with the lists, at the latest. */
    const LaneLists *parts = &lines->parts;
    lines->row_ends = ARENA_ROOM(expander->arena, int64_t, (size_t)parts->starts[inner_count]);
    for (size_t list = 0; list < inner_count; list++)
        for (int64_t first = parts->starts[list], end = parts->starts[list + 1]; end-- > first;) {
            const bool goes_on = end + 1 < parts->starts[list + 1] &&
                                 parts->numbers[end + 1] == parts->numbers[end] + 1;
            lines->row_ends[end] = goes_on ? lines->row_ends[end + 1] : end + 1;
        }
    return true;
}

/* Where some ranks stand for all: the block for that one which is `behind`. */
static int64_t block_ahead(const Lines *lines, int64_t block, int64_t behind)
{
    return behind ? rotation_turn(lines->expander->wanted->rotation, block, -behind) : block;
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
        int64_t first = lines_parts_of(lines, inner)[0];
        int64_t end = lines_parts_of(lines, inner)[1];
        int64_t shift = lines_parts_of(lines, destination)[0] - first;
        if (!lands && !behind) {
            IntArray *blocks = &draft->blocks;
            ARRAY_RESERVE(expander->drafts, blocks, (size_t)(end - first));
            blocks->count += ownership_select(lines->ownership, from, array, parts->numbers + first,
                                              (size_t)(end - first), blocks->items + blocks->count);
            continue;
        }
        for (int64_t n = first; n < end; n++) {
            int64_t block = block_ahead(lines, array + parts->numbers[n], behind);
            if (!ownership_has(lines->ownership, from, block))
                continue;
            *ARRAY_PUSH(expander->drafts, &draft->blocks) = block;
            if (lands)
                *ARRAY_PUSH(expander->drafts, &draft->destination) =
                    block_ahead(lines, other + parts->numbers[n + shift], behind);
        }
    }
}

/* What `from` holds of the row from `block` on, before `end`, which lands as far behind `to`. */
static void pack_row(const Lines *lines, int64_t from, int64_t block, int64_t end, int64_t to,
                     Draft *draft)
{
    const int64_t shift = to - block;
    while (block < end) {
        block = ownership_seek(lines->ownership, from, block, end, true);
        const int64_t next = ownership_seek(lines->ownership, from, block, end, false);
        draft->block_count += (size_t)(next - block);
        packing_add(lines->expander->drafts, &draft->packing, block, next - block, block + shift);
        block = next;
    }
}

/* What `from` holds of those for which `inner` stands, and which land where those are for which
   `lands` stands. */
static void pack_parts(const Lines *lines, int64_t from, int64_t inner, int64_t lands, Draft *draft)
{
    const int64_t *numbers = lines->parts.numbers;
    const int64_t array = inner / lines->inner_array_blocks * lines->array_blocks;
    const int64_t other = lands / lines->inner_array_blocks * lines->array_blocks;
    const int64_t first = lines_parts_of(lines, inner)[0], end = lines_parts_of(lines, inner)[1];
    const int64_t shift = lines_parts_of(lines, lands)[0] - first;
    for (int64_t n = first, next; n < end; n = next) {
        const int64_t there = lines->row_ends[n + shift] - shift;
        next = lines->row_ends[n] < there ? lines->row_ends[n] : there;
        pack_row(lines, from, array + numbers[n], array + numbers[n] + next - n,
                 other + numbers[n + shift], draft);
    }
}

/* What `from` holds of the blocks that a transfer of a line's round names, as runs. Pipelines list
   their blocks. */
static void pack_held(const Lines *lines, const Round *round, const ScheduledTransfer *transfer,
                      int64_t from, Draft *draft)
{
    Expander *expander = lines->expander;
    const Ownership *ownership = lines->ownership;
    Packing *packing = &draft->packing;
    const size_t first = transfer->first_block;
    for (size_t i = first; !round->packed && i < first + transfer->block_count; i++)
        pack_parts(lines, from, round->blocks[i], round_destination(round, i), draft);
    if (!round->packed)
        return;
    const int64_t single = packed_single(round, transfer);
    if (single >= 0 && lines->parts_are_same) {
        if (ownership_has(ownership, from, single)) {
            draft->block_count++;
            packing_add(expander->drafts, packing, single, 1, single);
        }
        return;
    }
    for (PackedBlocks at = packed_blocks(round, transfer); packed_more(&at);) {
        const BlockRun *run = &at.run;
        const bool is_row = lines->parts_are_same && run->stride == 1 && run->to_stride == 1;
        if (is_row)
            pack_row(lines, from, run->first, run->first + run->count, run->to, draft);
        bool holds_run = !is_row && lines->parts_are_same;
        for (int64_t i = 0; i < run->count && holds_run; i++)
            holds_run = ownership_has(ownership, from, run->first + i * run->stride);
        if (holds_run) {
            draft->block_count += (size_t)run->count;
            packing_add_run(expander->drafts, packing, run);
            continue;
        }
        for (int64_t i = 0; i < run->count && !is_row; i++) {
            const int64_t inner = run->first + i * run->stride;
            pack_parts(lines, from, inner, run->to + i * run->to_stride, draft);
        }
    }
}

void lines_note_held(const Lines *lines, const Round *round, const ScheduledTransfer *inner,
                     int64_t behind, Draft *draft, ScheduledTransfer *transfer)
{
    if (lines->expander->packs) {
        const size_t before = draft->block_count;
        transfer->first_block = packing_start(&draft->packing);
        pack_held(lines, round, inner, transfer->from, draft);
        transfer->block_count = (uint32_t)(draft->block_count - before);
        return;
    }
    transfer->first_block = draft->blocks.count;
    append_held(lines, round, inner, transfer->from, behind, draft);
    transfer->block_count = (uint32_t)(draft->blocks.count - transfer->first_block);
}

/* Those beyond the last one count as that. */
static void end_channel(Draft *draft)
{
    draft->channels += draft->channels < LIMIT_CHANNELS;
    draft->ends[draft->channels - 1] = draft->transfers.count;
}

/* The transfers of a round of the used algorithm, in the channel at hand, in all lines; a line
   whose senders hold nothing of what they should send stays idle. */
static void add_round(const Lines *lines, const Round *round, Draft *draft)
{
    Expander *expander = lines->expander;
    const Rotation *rotation = expander->wanted->rotation;
    size_t ended = 0; /* channels of the used algorithm itself */
    for (size_t t = 0; t < round->count; t++) {
        for (; ended < round->channels && round->ends[ended] <= t; ended++)
            end_channel(draft);
        ScheduledTransfer transfer = round->transfers[t];
        int64_t from = lines_player_of(lines, round->transfers[t].from);
        int64_t to = lines_player_of(lines, round->transfers[t].to);
        for (int64_t line = 0; line < lines->count; line++) {
            int64_t behind = 0;
            transfer.from = (int32_t)lines_rank_at(lines, line, from);
            transfer.to = (int32_t)lines_rank_at(lines, line, to);
            if (rotation)
                behind = rotation_turn_sender(rotation, &transfer);
            if (!lines->step->use.is_own) /* the fault is more likely here than there */
                transfer.span = &lines->step->span;
            lines_note_held(lines, round, &round->transfers[t], behind, draft, &transfer);
            draft_append(expander->drafts, draft, &transfer);
        }
    }
    for (; ended < round->channels; ended++)
        end_channel(draft);
}

/* One round of what its channels do in it; NULL: a channel that has ended. */
static bool map_rounds(Lines *lines, const Round *const *rounds)
{
    Expander *expander = lines->expander;
    Draft draft = {0};
    int64_t work = 0;
    ArenaMark mark = arena_mark(expander->drafts);
    for (lines->channel = 0; lines->channel < lines->channels; lines->channel++) {
        const Round *round = rounds[lines->channel];
        if (round) {
            draft.posting = round->posting;
            add_round(lines, round, &draft);
            work += (int64_t)round->count * lines->count;
        }
        if (!round || !round->channels)
            end_channel(&draft);
    }
    bool good =
        expander_count(expander, work, lines->step->span) && expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

/* A round that is the same in all channels, but for who plays whom. */
static bool map_round(void *context, const Round *round, Arena *arena)
{
    Lines *lines = context;
    const Round *rounds[LIMIT_CHANNELS];
    (void)arena;
    for (int64_t c = 0; c < lines->channels; c++)
        rounds[c] = round;
    return map_rounds(lines, rounds);
}

/* Where root or target play different ranks in the channels, these have different rounds. */
static bool run_channels(Lines *lines, const Instance *inners)
{
    Expander *expander = lines->expander;
    const RoundsWanted of_channels = {.takes_packed = expander->packs};
    RoundArray collected[LIMIT_CHANNELS] = {0};
    size_t count = 0;
    for (int64_t c = 0; c < lines->channels; c++) {
        if (!expander_collect(expander->arena, &inners[c], &of_channels, expander->work,
                              &collected[c], expander->diag))
            return false;
        count = collected[c].count > count ? collected[c].count : count;
    }
    for (size_t i = 0; i < count; i++) {
        const Round *rounds[LIMIT_CHANNELS];
        for (int64_t c = 0; c < lines->channels; c++)
            rounds[c] = i < collected[c].count ? &collected[c].items[i] : NULL;
        if (!map_rounds(lines, rounds))
            return false;
    }
    return true;
}

static bool run_line(Expander *expander, const ScheduleStep *step, int dimension, bool is_last)
{
    Lines lines = {.expander = expander,
                   .step = step,
                   .dimension = dimension,
                   .is_last = is_last,
                   .shape = instance_shape(expander->instance)};
    Instance inners[LIMIT_CHANNELS];
    bool are_alike = true;
    lines.length = pieces_line_length(&lines.shape, dimension);
    lines.stride = dimension == ALL_RANKS ? 1 : shape_stride(&lines.shape, dimension);
    lines.count = lines.shape.p / lines.length;
    Shape line_shape;
    Instance inner = pieces_line_instance(expander->instance, &step->use, dimension, &line_shape);
    if (step->use.of.count)
        return lines_run_named(&lines, &inner);
    Rotation rotation;
    GridOwnership *grid = expander->wanted->grid;
    lines.followed = grid ? &grid->lines[lines_place(&lines)] : NULL;
    lines.ownership = grid ? lines.followed : &expander->ownership;
    RoundsWanted of_inner = {
        .takes_packed = expander->packs, .visit = map_round, .context = &lines};
    if (!pieces_channels(expander->instance, &step->use, dimension, &lines.channels,
                         expander->diag) ||
        !renumber(&lines, &line_shape))
        return false;
    for (int64_t c = 0; c < lines.channels; c++) {
        lines.channel = c;
        inners[c] = inner;
        if (!find_ends(&lines, &inners[c]))
            return false;
        are_alike &= inners[c].root == inners[0].root && inners[c].target == inners[0].target;
    }
    lines.channel = 0;
    inner = inners[0];
    if (expander->wanted->all_combine)
        return lines_run_counted(&lines, &inner);
    if (grid && are_alike && lines_run_again(&lines, &inner))
        return true;
    if (!list_parts(&lines, &inner))
        return false;
    if (!are_alike)
        return run_channels(&lines, inners);
    if (expander->wanted->rotation) {
        const Rotation *own = expander->wanted->rotation;
        if (!rotation_find_by(&inner, own->by, &rotation))
            return false;
        of_inner.rotation = &rotation;
    }
    return grid ? lines_run_by_place(&lines, &inner)
                : expander_expand(&inner, &of_inner, expander->work, expander->diag);
}

bool lines_run(Expander *expander, const ScheduleStep *step)
{
    Shape shape = instance_shape(expander->instance);
    int dimensions[MOST_DIMENSIONS];
    int count = pieces_lines(&step->use, &shape, dimensions, expander->diag);
    const Algorithm *algorithm = expander->algorithm;
    const bool is_last = step + 1 == algorithm->steps + algorithm->step_count;
    for (int i = 0; i < count; i++) {
        ArenaMark mark = arena_mark(expander->arena);
        bool good = run_line(expander, step, dimensions[i], is_last && i + 1 == count);
        expander->stage++;
        arena_release(expander->arena, mark);
        if (!good)
            return false;
    }
    return count >= 0;
}
