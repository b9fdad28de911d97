#include "sched/grid_ownership.h"
#include "sched/lines.h"
#include "sched/rotation.h"

/* A stage in whose lines all ranks behave alike, as in a ring: rank r + 1 of a line does what rank
   r does, one rank further. If each rank holds at first what the used algorithm wants, and of that
   only whole blocks, then what rank 0 of it sends, in an expansion of its own, says what all ranks
   of all lines send. Rounds in which that is as much, and goes as far, as before are handed on
   once:

       allgather/ring, 4 ranks       0 -> 1 [0]   0 -> 1 [3]   0 -> 1 [2]
       in a line                     0 -> 1, 1 -> 2, 2 -> 3, 3 -> 0, and two rounds more        */

/* What rank 0 sends. */
typedef struct {
    int64_t ahead; /* so many ranks */
    int64_t count, had;
    Verb verb;
    const Span *span;
} AlikeTransfer;

typedef struct {
    size_t first, count;
    int64_t more;  /* such rounds */
    int64_t holds; /* the most behind one of them */
    Posting posting;
} AlikeRound;

ARRAY_TYPE(AlikeTransferArray, AlikeTransfer);
ARRAY_TYPE(AlikeRoundArray, AlikeRound);

typedef struct {
    Lines *lines;
    Rotation rotation;
    Ownership *line;     /* who holds what in a line */
    Contract contract;   /* of the used algorithm */
    int64_t chunks;      /* of each of its blocks */
    int64_t weight;      /* so many numbers in the line are one of its blocks */
    Ownership ownership; /* rank 0 of it */
    AlikeTransferArray transfers;
    AlikeRoundArray rounds;
    Arena *arena;
} Alike;

static bool stand_for_as_many(Alike *alike)
{
    const Lines *lines = alike->lines;
    alike->weight = lines->array_blocks / lines->inner_array_blocks;
    for (int64_t b = 0; b < lines->inner_array_blocks; b++)
        if (lines->parts.starts[b + 1] - lines->parts.starts[b] != alike->weight)
            return false;
    return alike->weight > 0;
}

/* Does this rank of the used algorithm hold what it wants, and nothing else? */
static bool starts_right(const Alike *alike, int64_t rank)
{
    const Holding *before = &alike->contract.before;
    const int64_t coordinate = lines_player_of(alike->lines, rank);
    const int64_t count = holding_count(before, rank) * alike->chunks * alike->weight;
    if (alike->line->counts[coordinate] != count)
        return false;
    for (int64_t i = 0; i < holding_count(before, rank) && count < alike->line->block_count; i++)
        for (int64_t h = 0; h < alike->chunks; h++) {
            int64_t inner = holding_block(before, rank, i) * alike->chunks + h;
            const Lines *lines = alike->lines;
            const int64_t *part = lines_parts_of(lines, inner);
            for (int64_t n = part[0]; n < part[1]; n++)
                if (!ownership_has(alike->line, coordinate, lines->parts.numbers[n]))
                    return false;
        }
    return true;
}

static bool all_start_right(const Alike *alike)
{
    for (int64_t rank = 0; rank < alike->lines->length; rank++)
        if (!starts_right(alike, rank))
            return false;
    return true;
}

static bool same_transfers(const Alike *alike, const AlikeRound *a, const AlikeRound *b)
{
    bool same = a->count == b->count && a->posting == b->posting;
    for (size_t t = 0; t < a->count && same; t++) {
        const AlikeTransfer *one = &alike->transfers.items[a->first + t];
        const AlikeTransfer *other = &alike->transfers.items[b->first + t];
        same = one->ahead == other->ahead && one->count == other->count && one->had == other->had &&
               one->verb == other->verb && one->span == other->span;
    }
    return same;
}

/* A round like the last one is counted there. */
static void add_round(Alike *alike, AlikeRound round)
{
    AlikeRoundArray *rounds = &alike->rounds;
    AlikeRound *last = rounds->count ? &rounds->items[rounds->count - 1] : NULL;
    if (!last || !same_transfers(alike, last, &round)) {
        *ARRAY_PUSH(alike->arena, rounds) = round;
        return;
    }
    last->more++;
    last->holds = round.holds > last->holds ? round.holds : last->holds;
    alike->transfers.count = round.first;
}

/* False where rank 0 sends what it does not hold. */
static bool note_round(void *context, const Round *round, Arena *arena)
{
    Alike *alike = context;
    AlikeRound own = {.first = alike->transfers.count, .posting = round->posting};
    (void)arena;
    if (round->destination)
        return false;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        const int64_t *blocks = round->blocks + transfer->first_block;
        for (size_t i = 0; i < transfer->block_count; i++)
            if (!ownership_has(&alike->ownership, transfer->from, blocks[i]))
                return false;
    }
    ownership_depart(&alike->ownership, round);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        const int64_t had = ownership_arrive(&alike->ownership, round, transfer);
        if (transfer->block_count == 0)
            continue;
        *ARRAY_PUSH(alike->arena, &alike->transfers) = (AlikeTransfer){
            transfer->to, transfer->block_count, had, transfer->verb, transfer->span};
    }
    own.count = alike->transfers.count - own.first;
    own.holds = alike->ownership.counts[0];
    if (own.count)
        add_round(alike, own);
    return true;
}

/* What rank 0 does, round by round. */
static bool note_rounds(Alike *alike, const Instance *inner)
{
    Diag silent = diag_silent();
    BlockSpace space;
    int64_t work = *alike->lines->expander->work;
    if (!rotation_find_by(inner, 1, &alike->rotation))
        return false;
    const RoundsWanted of_one = {
        .rotation = &alike->rotation, .visit = note_round, .context = alike};
    return schedule_chunks(inner, &alike->chunks, &silent) &&
           schedule_blocks(inner, &space, &silent) &&
           space.count == alike->lines->inner_array_blocks && stand_for_as_many(alike) &&
           schedule_contract(inner, 1, alike->arena, &alike->contract, &silent) &&
           rotation_fits(&alike->rotation, inner->algorithm->collective, &alike->contract.before) &&
           all_start_right(alike) &&
           ownership_create(alike->arena, &alike->contract, &space, alike->chunks, NULL,
                            &alike->rotation, &alike->ownership) &&
           expander_expand(inner, &of_one, &work, &silent);
}

/* A round in all lines. */
static bool emit_round(const Alike *alike, const AlikeRound *round)
{
    const Lines *lines = alike->lines;
    Expander *expander = lines->expander;
    const size_t length = (size_t)lines->length, count = round->count * length;
    ArenaMark mark = arena_mark(expander->drafts);
    ScheduledTransfer *transfers = ARENA_ROOM(expander->drafts, ScheduledTransfer, count);
    int64_t *had = ARENA_ROOM(expander->drafts, int64_t, count);
    int64_t *holds = ARENA_ROOM(expander->drafts, int64_t, count);
    bool good = true;
    for (size_t t = 0; t < round->count; t++) {
        const AlikeTransfer *alone = &alike->transfers.items[round->first + t];
        good = good && alone->count * alike->weight <= INT32_MAX;
        for (size_t rank = 0; rank < length && good; rank++) {
            const int64_t to = ((int64_t)rank + alone->ahead) % lines->length;
            transfers[t * length + rank] =
                (ScheduledTransfer){.from = (int32_t)lines_player_of(lines, (int64_t)rank),
                                    .to = (int32_t)lines_player_of(lines, to),
                                    .block_count = (uint32_t)(alone->count * alike->weight),
                                    .verb = alone->verb,
                                    .span = alone->span};
            had[t * length + rank] = alone->had * alike->weight;
            holds[t * length + rank] = round->holds * alike->weight;
        }
    }
    const LineRound in_line = {count, transfers, had, holds, round->posting, round->more};
    good = good && lines_emit_round(lines, &in_line);
    arena_release(expander->drafts, mark);
    return good;
}

/* What rank 0 of the used algorithm holds behind its last round, turned, is what others hold. */
static void end_stage(const Alike *alike)
{
    const Lines *lines = alike->lines;
    Ownership *line = alike->line;
    IntArray held = {0};
    ownership_list(&alike->ownership, 0, alike->arena, &held);
    const bool holds_all_blocks = (int64_t)held.count == lines->inner_array_blocks;
    for (int64_t rank = 0; rank < lines->length; rank++) {
        const int64_t coordinate = lines_player_of(lines, rank);
        uint64_t *bits = ownership_word(line, coordinate, 0);
        line->counts[coordinate] = 0;
        for (size_t w = 0; w < line->words; w++)
            bits[w] = 0;
        if (holds_all_blocks) {
            ownership_fill(line, coordinate);
            continue;
        }
        for (size_t i = 0; i < held.count; i++) {
            const int64_t *part =
                lines_parts_of(lines, rotation_turn(&alike->rotation, held.items[i], rank));
            for (int64_t n = part[0]; n < part[1]; n++)
                ownership_put(line, coordinate, lines->parts.numbers[n]);
        }
    }
}

bool lines_run_alike(Lines *lines, const Instance *inner, bool *good)
{
    Alike alike = {.lines = lines,
                   .line = &lines->expander->wanted->grid->lines[lines_place(lines)],
                   .arena = arena_scratch(lines->expander->arena)};
    const bool is_alike = note_rounds(&alike, inner);
    *good = is_alike;
    for (size_t i = 0; i < alike.rounds.count && *good; i++)
        *good = emit_round(&alike, &alike.rounds.items[i]);
    if (*good)
        end_stage(&alike);
    arena_destroy(alike.arena);
    return is_alike;
}
