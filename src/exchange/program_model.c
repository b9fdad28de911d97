#include "base/limits.h"
#include "base/utf8.h"
#include "exchange/program_blocks.h"
#include "verify/gpu_run.h"

enum { MOST_INDICES = 3, MOST_CELLS = 1 << 24, MOST_NAME = 60 };

/* Blocks of a message, or of local work, from slots to slots. Slot 0 is the main array. */
typedef struct {
    int64_t chunk;
    int32_t from_slot, to_slot;
} Move;

ARRAY_TYPE(Moves, Move);

/* Where a value is. */
typedef struct {
    int32_t slot;
    int64_t chunk, left; /* left: uses that are still to come */
} Place;

ARRAY_TYPE(Places, Place);

typedef struct {
    Arena *arena;
    Diag *diag;
    const GpuProgram *program;
    int64_t number; /* above 1 at the end of its name */
    const ProgramBlocks *blocks;
    const ProgramFlow *flow;
    Buffer *text, steps; /* steps: of the schedule, before it is known how many arrays there are */
    bool rooted;
    Places places;  /* of each value; behind them, of what has landed to be combined */
    uint32_t *full; /* of each rank and chunk: slots that hold something */
    int32_t slots;  /* that are needed */
    int32_t sizes[MOST_INDICES], indices; /* of blocks with their chunks */
    int32_t rank_index; /* which index of a block is a rank that turns with the root; -1 */
} Writer;

#define FAIL(from, ...) diag_error((from)->diag, (from)->program->span, __VA_ARGS__)

/* ---- words ---- */

static const char *array_name(const Writer *writer, int32_t slot)
{
    return slot ? arena_printf(writer->arena, "a%d", slot) : "main";
}

/* The indices of a chunk, the last one as `last` if that is not NULL. */
static const char *index_text(const Writer *writer, int64_t chunk, const char *last)
{
    const char *text = "";
    for (int32_t i = writer->indices - 1; i >= 0; i--) {
        const int64_t value = chunk % writer->sizes[i];
        const char *word = last && i == writer->indices - 1
                               ? last
                               : arena_printf(writer->arena, "%lld", (long long)value);
        if (i == writer->rank_index)
            word = arena_printf(writer->arena, "(%s + turn) mod p", word);
        text = *text ? arena_printf(writer->arena, "%s, %s", word, text) : word;
        chunk /= writer->sizes[i];
    }
    return text;
}

/* `a1(2, h)` */
static const char *block_text(const Writer *writer, int32_t slot, const char *index)
{
    if (slot)
        return arena_printf(writer->arena, "a%d(%s)", slot, index);
    return arena_printf(writer->arena, writer->indices > 1 ? "(%s)" : "%s", index);
}

/* How many moves from the first one on are one run, whose last index does not turn over. */
static size_t run_length(const Writer *writer, const Move *moves, size_t count)
{
    const int64_t last = writer->sizes[writer->indices - 1];
    size_t length = 1;
    while (length < count && moves[length].chunk == moves[0].chunk + (int64_t)length &&
           moves[length].chunk % last && moves[length].from_slot == moves[0].from_slot &&
           moves[length].to_slot == moves[0].to_slot)
        length++;
    return length;
}

static void write_condition(Writer *writer, const char *indent, int32_t rank)
{
    buffer_printf(&writer->steps, "%sif: %s == %d\n", indent, writer->rooted ? "v" : "r", rank);
}

/* A transfer of moves to one slot: local work, or one of the messages of a round. */
static void write_transfer(Writer *writer, const char *verb, int32_t from, int32_t to,
                           const Moves *moves)
{
    const char *indent = from == to ? "  " : "      ";
    Buffer *steps = &writer->steps;
    bool lands_elsewhere = false;
    buffer_printf(steps, "%s- %s:\n", indent, verb);
    for (size_t i = 0, length; i < moves->count; i += length) {
        const Move *move = &moves->items[i];
        length = run_length(writer, move, moves->count - i);
        lands_elsewhere |= move->from_slot != move->to_slot;
        const int64_t first = move->chunk % writer->sizes[writer->indices - 1];
        const char *index = index_text(writer, move->chunk, length > 1 ? "h" : NULL);
        buffer_printf(steps, "%s    - %s", indent, block_text(writer, move->from_slot, index));
        if (length > 1)
            buffer_printf(steps, " for h in %lld .. %lld", (long long)first,
                          (long long)first + (long long)length - 1);
        buffer_printf(steps, "\n");
    }
    const char *deeper = arena_printf(writer->arena, "%s  ", indent);
    if (lands_elsewhere)
        buffer_printf(steps, "%sas: %s\n", deeper, array_name(writer, moves->items[0].to_slot));
    buffer_printf(steps, "%sto: %s\n", deeper,
                  arena_printf(writer->arena, writer->rooted ? "(%d + turn) mod p" : "%d", to));
    write_condition(writer, deeper, from);
}

/* Local moves, each run a step of its own. */
static void write_local(Writer *writer, const char *verb, int32_t rank, const Moves *moves)
{
    for (size_t i = 0, length; i < moves->count; i += length) {
        length = run_length(writer, &moves->items[i], moves->count - i);
        const Moves run = {.items = &moves->items[i], .count = length};
        write_transfer(writer, verb, rank, rank, &run);
    }
}

static void write_combine(Writer *writer, int32_t rank, int64_t chunk, int32_t into, int32_t slot)
{
    const char *index = index_text(writer, chunk, NULL);
    buffer_printf(&writer->steps, "  - combine: %s += %s\n", block_text(writer, into, index),
                  block_text(writer, slot, index));
    write_condition(writer, "    ", rank);
}

/* ---- slots ---- */

static int64_t chunk_of(const Writer *writer, int64_t value)
{
    return writer->places.items[value].chunk;
}

static int32_t slot_of(const Writer *writer, int64_t value)
{
    return writer->places.items[value].slot;
}

static uint32_t *full_slots(const Writer *writer, int32_t rank, int64_t chunk)
{
    return &writer->full[rank * writer->blocks->chunks + chunk];
}

/* The first slot that is free for all these chunks; -1 after a report. */
static int32_t free_slot(Writer *writer, int32_t rank, const Moves *moves)
{
    uint32_t full = 0;
    int32_t slot = 0;
    for (size_t i = 0; i < moves->count; i++)
        full |= *full_slots(writer, rank, moves->items[i].chunk);
    while (full >> slot & 1)
        slot++;
    if (slot > LIMIT_ARRAYS) {
        FAIL(writer,
             "rank %d holds more than %d values of a block at once: too many "
             "arrays for a model",
             rank, LIMIT_ARRAYS);
        return -1;
    }
    writer->slots = slot > writer->slots ? slot : writer->slots;
    return slot;
}

static void hold(Writer *writer, int32_t rank, int64_t value, int32_t slot)
{
    writer->places.items[value].slot = slot;
    *full_slots(writer, rank, chunk_of(writer, value)) |= UINT32_C(1) << slot;
}

static void drop(Writer *writer, int32_t rank, int64_t value)
{
    *full_slots(writer, rank, chunk_of(writer, value)) &= ~(UINT32_C(1) << slot_of(writer, value));
}

/* ---- local work ---- */

/* `old` is used up; what is combined into it is kept or not. */
static void combine_into_old(Writer *writer, int32_t rank, ProgramItem item, Moves *moves)
{
    const int64_t chunk = chunk_of(writer, item.made);
    const int32_t from = slot_of(writer, item.sent), into = slot_of(writer, item.old);
    writer->places.items[item.made].slot = into;
    writer->places.items[item.sent].left--;
    if (writer->places.items[item.sent].left) {
        write_combine(writer, rank, chunk, into, from);
        return;
    }
    *ARRAY_PUSH(writer->arena, moves) = (Move){chunk, from, into};
    drop(writer, rank, item.sent);
}

static bool combine_apart(Writer *writer, int32_t rank, const ProgramItem *item)
{
    const int64_t chunk = chunk_of(writer, item->made);
    Move move = {.chunk = chunk};
    const int32_t slot = free_slot(writer, rank, &(Moves){.items = &move, .count = 1});
    if (slot < 0)
        return false;
    write_combine(writer, rank, chunk, slot, slot_of(writer, item->old));
    write_combine(writer, rank, chunk, slot, slot_of(writer, item->sent));
    writer->places.items[item->old].left--;
    writer->places.items[item->sent].left--;
    hold(writer, rank, item->made, slot);
    return true;
}

static bool add_local(Writer *writer, int32_t rank, const ProgramItem *items, int32_t count)
{
    Moves moves = {0};
    for (int32_t i = 0; i < count; i++) {
        const ProgramItem *item = &items[i];
        if (chunk_of(writer, item->made) < 0)
            return FAIL(writer, "it combines chunks that are no part of one another");
        if (i && (slot_of(writer, item->sent) != slot_of(writer, item[-1].sent) ||
                  slot_of(writer, item->old) != slot_of(writer, item[-1].old))) {
            write_local(writer, "reduce", rank, &moves);
            moves.count = 0;
        }
        if (writer->places.items[item->old].left == 1)
            combine_into_old(writer, rank, *item, &moves);
        else if (writer->places.items[item->sent].left == 1)
            combine_into_old(writer, rank, (ProgramItem){item->old, item->sent, item->made},
                             &moves);
        else if (!combine_apart(writer, rank, item))
            return false;
    }
    write_local(writer, "reduce", rank, &moves);
    return true;
}

/* ---- messages ---- */

/* A message while its round is written. */
typedef struct {
    const ProgramWork *work;
    bool dies;    /* its sender needs none of it any more */
    Moves *moves; /* for each transfer: a transfer carries a chunk once */
    bool *combines;
    size_t transfers;
    ProgramItem *later; /* what is combined behind the round */
    int32_t later_count;
} Landing;

/* The items of one transfer: they land in one slot. */
static bool land(Writer *writer, Landing *landing, const ProgramItem *items, int32_t count)
{
    const int32_t rank = landing->work->to;
    /* all items can be combined with what the receiver has as they come */
    bool direct = items[0].old >= 0;
    for (int32_t i = 0; direct && i < count; i++)
        direct = items[i].old >= 0 && writer->places.items[items[i].old].left == 1 &&
                 slot_of(writer, items[i].old) == slot_of(writer, items[0].old);
    Moves *moves = &landing->moves[landing->transfers];
    for (int32_t i = 0; i < count; i++)
        *ARRAY_PUSH(writer->arena, moves) =
            (Move){chunk_of(writer, items[i].sent), slot_of(writer, items[i].sent), 0};
    const int32_t slot = direct ? slot_of(writer, items[0].old) : free_slot(writer, rank, moves);
    if (slot < 0)
        return false;
    for (int32_t i = 0; i < count; i++) {
        moves->items[i].to_slot = slot;
        *full_slots(writer, rank, moves->items[i].chunk) |= UINT32_C(1) << slot;
        if (!direct && items[i].old >= 0) {
            *ARRAY_PUSH(writer->arena, &writer->places) = (Place){slot, moves->items[i].chunk, 1};
            landing->later[landing->later_count++] =
                (ProgramItem){(int64_t)writer->places.count - 1, items[i].old, items[i].made};
            continue;
        }
        writer->places.items[items[i].made].slot = slot;
    }
    landing->combines[landing->transfers++] = direct;
    return true;
}

static bool land_items(Writer *writer, Landing *landing)
{
    const ProgramWork *work = landing->work;
    ProgramItem *rest = ARENA_COPY(writer->arena, ProgramItem, work->items, (size_t)work->count);
    ProgramItem *now = ARENA_ARRAY(writer->arena, ProgramItem, (size_t)work->count);
    landing->moves = ARENA_ARRAY(writer->arena, Moves, (size_t)work->count);
    landing->combines = ARENA_ARRAY(writer->arena, bool, (size_t)work->count);
    landing->later = ARENA_ARRAY(writer->arena, ProgramItem, (size_t)work->count);
    for (int32_t count = work->count, kept, ready; count; count = kept) {
        kept = ready = 0;
        for (int32_t i = 0; i < count; i++) {
            const int64_t chunk = chunk_of(writer, rest[i].sent);
            if (chunk < 0 || chunk_of(writer, rest[i].made) < 0)
                return FAIL(writer, "its messages carry what is no part of the result");
            bool is_there = false;
            for (int32_t k = 0; k < ready && !is_there; k++)
                is_there = chunk_of(writer, now[k].sent) == chunk;
            *(is_there ? &rest[kept++] : &now[ready++]) = rest[i];
        }
        if (!land(writer, landing, now, ready))
            return false;
    }
    return true;
}

/* The messages [first, end) of one round, and what their receivers combine behind it. */
static bool add_round(Writer *writer, size_t first, size_t end)
{
    Landing *landings = ARENA_ARRAY(writer->arena, Landing, end - first);
    /* What is sent counts as read before anything lands. */
    for (size_t i = 0; i < end - first; i++) {
        const ProgramWork *work = &writer->flow->works.items[first + i];
        Landing *landing = &landings[i];
        *landing = (Landing){.work = work, .dies = true};
        for (int32_t j = 0; j < work->count; j++)
            landing->dies &= --writer->places.items[work->items[j].sent].left == 0;
    }
    buffer_printf(&writer->steps, "  - round:\n");
    for (size_t i = 0; i < end - first; i++)
        if (!land_items(writer, &landings[i]))
            return false;
    for (size_t i = 0; i < end - first; i++) {
        const Landing *landing = &landings[i];
        const ProgramWork *work = landing->work;
        const bool dies = landing->dies && landing->transfers == 1;
        for (size_t t = 0; t < landing->transfers; t++) {
            const char *verb = dies ? "move" : "send";
            if (landing->combines[t])
                verb = dies ? "reduce" : "exchange";
            write_transfer(writer, verb, work->from, work->to, &landing->moves[t]);
        }
        for (int32_t j = 0; j < work->count && dies; j++)
            drop(writer, work->from, work->items[j].sent);
    }
    for (size_t i = 0; i < end - first; i++)
        if (landings[i].later_count &&
            !add_local(writer, landings[i].work->to, landings[i].later, landings[i].later_count))
            return false;
    return true;
}

static bool add_works(Writer *writer)
{
    const ProgramWorks *works = &writer->flow->works;
    for (size_t first = 0, end; first < works->count; first = end) {
        const ProgramWork *work = &works->items[first];
        end = first + 1;
        if (work->from == work->to) {
            if (!add_local(writer, work->to, work->items, work->count))
                return false;
            continue;
        }
        while (end < works->count && works->items[end].round == work->round &&
               works->items[end].from != works->items[end].to)
            end++;
        if (!add_round(writer, first, end))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

/* What the result is moves to the main array, and out of its way what is there. */
static bool add_result(Writer *writer)
{
    const ProgramHolding *after = &writer->flow->after;
    for (size_t first = 0, end; first < after->count; first = end) {
        const int32_t rank = after->items[first].rank;
        Moves away = {0}, home = {0};
        for (end = first; end < after->count && after->items[end].rank == rank; end++) {
            const ProgramHeld *held = &after->items[end];
            const int32_t slot = slot_of(writer, held->value);
            Move move = {held->chunk, slot, 0};
            if (slot == 0)
                continue;
            *ARRAY_PUSH(writer->arena, &home) = move;
            if (!(*full_slots(writer, rank, held->chunk) & 1))
                continue;
            move.from_slot = 0;
            move.to_slot = free_slot(writer, rank, &(Moves){.items = &move, .count = 1});
            if (move.to_slot < 0)
                return false;
            *ARRAY_PUSH(writer->arena, &away) = move;
        }
        write_local(writer, "move", rank, &away);
        write_local(writer, "move", rank, &home);
    }
    return true;
}

static void find_sizes(Writer *writer)
{
    const GpuProgram *program = writer->program;
    const GpuLabel label = program->label;
    const bool whole = label == GPU_ALLREDUCE || label == GPU_REDUCE || label == GPU_BROADCAST;
    int32_t *sizes = writer->sizes;
    writer->rank_index = label == GPU_GATHER || label == GPU_SCATTER ? 0 : -1;
    writer->rooted = writer->rank_index == 0 || label == GPU_REDUCE || label == GPU_BROADCAST;
    if (!gpu_label_info[label].collective) {
        sizes[writer->indices++] = (int32_t)writer->blocks->chunks;
        return;
    }
    if (!whole)
        sizes[writer->indices++] = program->rank_count;
    if (label == GPU_ALLTOALL)
        sizes[writer->indices++] = program->rank_count;
    if (writer->blocks->pieces > 1 || whole)
        sizes[writer->indices++] = writer->blocks->pieces;
}

/* Letters, digits and dashes, from a letter on. */
static const char *model_name(const Writer *writer)
{
    char word[MOST_NAME + 1];
    size_t length = 0;
    for (const char *at = writer->program->name; *at && length < MOST_NAME; at++) {
        const char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        const bool is_letter = c >= 'a' && c <= 'z';
        if (is_letter || (length && c >= '0' && c <= '9'))
            word[length++] = c;
        else if (length && word[length - 1] != '-')
            word[length++] = '-';
    }
    while (length && word[length - 1] == '-')
        length--;
    word[length] = '\0';
    const char *name = length ? word : "imported";
    return writer->number > 1
               ? arena_printf(writer->arena, "%s-%lld", name, (long long)writer->number)
               : arena_printf(writer->arena, "%s", name);
}

static void write_summary(Buffer *text, const char *words, const char *from)
{
    buffer_printf(text, "summary: \"%s ", words);
    for (const char *at = utf8_clean(text->arena, from, strlen(from)); *at; at++)
        buffer_printf(text, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    buffer_printf(text, ".\"\n");
}

static const char *collective_name(const Writer *writer)
{
    const char *name = gpu_label_info[writer->program->label].collective;
    return name ? name : arena_printf(writer->arena, "custom-%s", model_name(writer));
}

/* `contract`: that of a collective of its own, or nothing. */
static void write_model(Writer *writer, int32_t root, const char *from, const Buffer *contract)
{
    Buffer *text = writer->text;
    buffer_printf(text, "%salgorithm: %s\ncollective: %s\n", text->count ? "---\n" : "",
                  model_name(writer), collective_name(writer));
    write_summary(text, "The schedule of", from);
    buffer_printf(text, "requires: p == %d\n", writer->program->rank_count);
    if (writer->blocks->pieces > 1)
        buffer_printf(text, "chunks: %d\n", writer->blocks->pieces);
    for (int32_t slot = 1; slot <= writer->slots; slot++)
        buffer_printf(text, "%s%s%s", slot == 1 ? "arrays: [" : ", ", array_name(writer, slot),
                      slot == writer->slots ? "]\n" : "");
    if (writer->rooted)
        buffer_printf(text, "let:\n  turn: root - %d\n  v: (r - turn) mod p\n", root);
    buffer_printf(text, "schedule:%s\n", writer->steps.count ? "" : " []");
    buffer_add(text, writer->steps.items, writer->steps.count);
    if (!contract->count)
        return;
    buffer_printf(text, "---\ncollective: %s\n", collective_name(writer));
    write_summary(text, "What ranks hold before and after the schedule of", from);
    buffer_add(text, contract->items, contract->count);
}

static bool is_too_large(const Writer *writer, int64_t chunks)
{
    return writer->program->rank_count * chunks > MOST_CELLS &&
           !FAIL(writer, "too many chunks of too many ranks for a model");
}

/* What JSON says of addresses, as a program that runs in place with the label of the file. The
   addresses are the chunks of the larger buffer, in order. */
static GpuProgram labelled(Arena *arena, const GpuProgram *program)
{
    GpuProgram made = *program;
    const bool is_input = program->label == GPU_REDUCE_SCATTER || program->label == GPU_SCATTER;
    made.gpus = ARENA_COPY(arena, Gpu, program->gpus, (size_t)program->rank_count);
    made.contract = NULL;
    made.in_place = true;
    made.out_of_place = false;
    for (int32_t r = 0; r < made.rank_count; r++) {
        Gpu *gpu = &made.gpus[r];
        gpu->scratch = 0;
        gpu->blocks.items = ARENA_COPY(arena, ThreadBlock, gpu->blocks.items, gpu->blocks.count);
        for (size_t b = 0; b < gpu->blocks.count; b++) {
            GpuSteps *steps = &gpu->blocks.items[b].steps;
            steps->items = ARENA_COPY(arena, GpuStep, steps->items, steps->count);
            for (size_t i = 0; i < steps->count; i++)
                steps->items[i].source.buffer = steps->items[i].destination.buffer =
                    is_input ? GPU_INPUT : GPU_OUTPUT;
        }
    }
    return made;
}

/* The name of the model that is appended to the text; NULL after a report. */
static const char *program_write(Writer *writer, const GpuProgram *program, int32_t root,
                                 const char *from)
{
    Arena *arena = writer->arena;
    ProgramBlocks blocks = {0};
    ProgramFlow flow;
    Buffer contract = {.arena = arena};
    writer->program = program;
    writer->blocks = &blocks;
    writer->flow = &flow;
    if (is_too_large(writer, program->chunks))
        return NULL;
    if (gpu_label_info[program->label].collective)
        blocks = program_blocks_of_label(arena, program, root);
    else if (!program_contract(arena, program, &blocks, &contract, writer->diag))
        return NULL;
    if (is_too_large(writer, blocks.chunks))
        return NULL;
    flow = program_flow(arena, program, &blocks);
    find_sizes(writer);
    writer->full = ARENA_ARRAY(arena, uint32_t, (size_t)(program->rank_count * blocks.chunks));
    for (size_t i = 0; i < flow.values.count; i++)
        *ARRAY_PUSH(arena, &writer->places) =
            (Place){0, flow.values.items[i].chunk, flow.values.items[i].uses};
    for (size_t i = 0; i < flow.before.count; i++)
        hold(writer, flow.before.items[i].rank, flow.before.items[i].value, 0);
    if (!add_works(writer) || !add_result(writer))
        return NULL;
    write_model(writer, root, from, &contract);
    return arena_printf(arena, "%s/%s", collective_name(writer), model_name(writer));
}

const char *program_model(Arena *arena, const GpuProgram *program, int32_t root, const char *from,
                          int64_t number, Buffer *text, Diag *diag)
{
    Writer writer = {
        .arena = arena, .diag = diag, .number = number, .text = text, .steps = {.arena = arena}};
    if (!program->contract)
        return program_write(&writer, program, root, from);
    GpuProgram made = labelled(arena, program);
    if (gpu_label_info[program->label].collective) {
        const GpuRun found = gpu_run(arena, &made, made.label);
        if (found.verdict == GPU_RIGHT)
            return program_write(&writer, &made, found.root, from);
    }
    made = *program;
    made.label = GPU_CUSTOM;
    return program_write(&writer, &made, 0, from);
}
