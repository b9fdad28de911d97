#include "base/limits.h"
#include "exchange/gpu_builder.h"
#include "exchange/json_fields.h"
#include "exchange/program_readers.h"
#include "verify/gpu_run.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1024, WORD = 64, MOST_NAME = 40 };

/* A send of one address, or of `count` from there on. */
typedef struct {
    int32_t from, to, address, count;
    GpuStepKind kind; /* at the receiver */
    Span span;
} Send;

ARRAY_TYPE(Sends, Send);

/* What a collective says: chunk c, one of those at an address, is held by these ranks. */
typedef struct {
    int32_t address, origin; /* origin: the first rank that holds it before */
    int32_t number;          /* among those at the address */
    const Node *before, *after;
} Chunk;

typedef struct {
    JsonReader json;
    GpuProgram *program;
    GpuBuilder builder;
    int32_t p, divisor; /* each address stands for so many */
    int32_t addresses;  /* of all of them */
    Chunk *chunks;
    size_t chunk_count, words; /* words: of a set of the chunks at an address */
    uint64_t *held;            /* of each rank and address: which of its chunks */
    size_t *listed_in, lists;  /* of each rank: the last of so many lists that has it */
} Reader;

static uint64_t *held_at(const Reader *reader, int32_t rank, int32_t address)
{
    return reader->held +
           ((size_t)rank * (size_t)reader->addresses + (size_t)address) * reader->words;
}

/* ---- the collective ---- */

/* No rank twice. */
static bool check_ranks(Reader *reader, const Node *list)
{
    reader->lists++;
    for (size_t i = 0; i < list->count; i++) {
        int32_t rank;
        if (!json_whole(&reader->json, list->values[i], 0, reader->p - 1, &rank))
            return false;
        if (reader->listed_in[rank] == reader->lists)
            return JSON_FAIL(&reader->json, list->values[i], "this rank is listed twice");
        reader->listed_in[rank] = reader->lists;
    }
    return true;
}

static int32_t rank_of(const Node *list, size_t i)
{
    return (int32_t)strtol(list->values[i]->text.chars, NULL, 10);
}

static int compare_chunks(const void *a, const void *b)
{
    const Chunk *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->origin > y->origin) - (x->origin < y->origin);
}

/* Chunks by address, then by where they come from. */
static bool read_chunks(Reader *reader, const Node *list)
{
    int32_t most = 0;
    reader->chunk_count = list->count;
    reader->chunks = ARENA_ARRAY(reader->json.arena, Chunk, list->count + 1);
    reader->listed_in = ARENA_ARRAY(reader->json.arena, size_t, (size_t)reader->p);
    for (size_t c = 0; c < list->count; c++) {
        Chunk *chunk = &reader->chunks[c];
        const Node *node = list->values[c];
        if (!(chunk->before = json_get(&reader->json, node, "pre", NODE_LIST)) ||
            !(chunk->after = json_get(&reader->json, node, "post", NODE_LIST)) ||
            !check_ranks(reader, chunk->before) || !check_ranks(reader, chunk->after) ||
            !json_get_number(&reader->json, node, "addr", 0, MOST_GPU_CHUNKS / reader->divisor - 1,
                             &chunk->address))
            return false;
        if (!chunk->before->count)
            return JSON_FAIL(&reader->json, node, "no rank has this chunk before");
        chunk->origin = rank_of(chunk->before, 0);
        for (size_t i = 1; i < chunk->before->count; i++)
            if (rank_of(chunk->before, i) < chunk->origin)
                chunk->origin = rank_of(chunk->before, i);
        if (chunk->address >= reader->addresses)
            reader->addresses = chunk->address + 1;
    }
    qsort(reader->chunks, reader->chunk_count, sizeof *reader->chunks, compare_chunks);
    for (size_t c = 1; c < reader->chunk_count; c++) {
        Chunk *chunk = &reader->chunks[c];
        if (compare_chunks(chunk, chunk - 1) == 0)
            return JSON_FAIL(&reader->json, chunk->before,
                             "this rank has two chunks with one address");
        chunk->number = chunk->address == chunk[-1].address ? chunk[-1].number + 1 : 0;
        most = chunk->number > most ? chunk->number : most;
    }
    reader->words = (size_t)most / WORD + 1;
    return true;
}

/* Adds a chunk, as the one that comes from `origin`, to what ranks have at its address. */
static void add_terms(const Reader *reader, const Chunk *chunk, const Node *ranks, GpuSum *sums)
{
    for (size_t i = 0; i < ranks->count; i++)
        for (int32_t d = 0; d < reader->divisor; d++) {
            const int32_t address = chunk->address * reader->divisor + d;
            GpuSum *sum = &sums[(int64_t)rank_of(ranks, i) * reader->addresses + address];
            GpuTerm *terms = ARENA_ROOM(reader->json.arena, GpuTerm, (size_t)sum->count + 1);
            if (sum->count)
                memcpy(terms, sum->terms, (size_t)sum->count * sizeof *terms);
            terms[sum->count] = (GpuTerm){chunk->origin, address, 1};
            *sum = (GpuSum){sum->count + 1, terms};
        }
}

static void make_contract(Reader *reader)
{
    const size_t count = (size_t)reader->p * (size_t)reader->addresses;
    GpuContract *contract = ARENA_NEW(reader->json.arena, GpuContract);
    GpuSum *before = ARENA_ARRAY(reader->json.arena, GpuSum, count);
    GpuSum *after = ARENA_ARRAY(reader->json.arena, GpuSum, count);
    reader->held = ARENA_ARRAY(reader->json.arena, uint64_t, count * reader->words);
    for (size_t c = 0; c < reader->chunk_count; c++) {
        const Chunk *chunk = &reader->chunks[c];
        add_terms(reader, chunk, chunk->before, before);
        add_terms(reader, chunk, chunk->after, after);
        for (size_t i = 0; i < chunk->before->count; i++)
            for (int32_t d = 0; d < reader->divisor; d++)
                held_at(reader, rank_of(chunk->before, i),
                        chunk->address * reader->divisor + d)[chunk->number / WORD] |=
                    UINT64_C(1) << chunk->number % WORD;
    }
    *contract = (GpuContract){reader->addresses, before, after};
    reader->program->contract = contract;
}

static bool read_collective(Reader *reader, const Node *root)
{
    GpuProgram *program = reader->program;
    const Node *collective = json_get(&reader->json, root, "collective", NODE_MAP);
    const Node *instance = json_get(&reader->json, root, "instance", NODE_MAP);
    const Node *name = collective ? json_get(&reader->json, collective, "name", NODE_SCALAR) : NULL;
    const Node *chunks = name ? json_get(&reader->json, collective, "chunks", NODE_LIST) : NULL;
    if (!chunks || !instance ||
        !json_get_number(&reader->json, collective, "nodes", 1, MOST_RANKS, &reader->p) ||
        !json_get_number(&reader->json, instance, "chunks", 1, MOST_GPU_CHUNKS, &reader->divisor) ||
        !read_chunks(reader, chunks))
        return false;
    reader->addresses *= reader->divisor;
    if (!reader->addresses ||
        (size_t)reader->p * (size_t)reader->addresses * reader->words > MOST_ENTRIES)
        return JSON_FAIL(&reader->json, chunks, "there are no chunks, or too many to be followed");
    /* "Allgather(n=4)" is an allgather; what has no label is custom. */
    char word[MOST_NAME + 1];
    size_t length = 0;
    while (length < name->text.length && length < MOST_NAME && name->text.chars[length] != '(') {
        const char c = name->text.chars[length];
        word[length++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    word[length] = '\0';
    const GpuLabel label = gpu_label_find((Text){.chars = word, .length = length});
    program->label =
        label < GPU_LABEL_COUNT && gpu_label_info[label].collective ? label : GPU_CUSTOM;
    program->rank_count = reader->p;
    program->chunks = reader->addresses;
    if (program->label == GPU_ALLTOALL && program->chunks % reader->p == 0)
        program->chunks /= reader->p; /* of a rank's own buffer */
    reader->builder = gpu_builder(reader->json.arena, program);
    for (int32_t r = 0; r < reader->p; r++) {
        program->gpus[r].scratch = reader->addresses;
        program->gpus[r].span = root->text.span;
    }
    make_contract(reader);
    return true;
}

/* ---- steps ---- */

static int compare_sends(const void *a, const void *b)
{
    const Send *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

static bool read_sends(const Reader *reader, const Node *list, Sends *sends)
{
    sends->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Node *node = list->values[i];
        Send send = {.count = 1, .span = node->text.span};
        if (node->kind != NODE_LIST || node->count < 3)
            return JSON_FAIL(&reader->json, node, "expected [address, from, to]");
        if (!json_whole(&reader->json, node->values[0], 0, reader->addresses - 1, &send.address) ||
            !json_whole(&reader->json, node->values[1], 0, reader->p - 1, &send.from) ||
            !json_whole(&reader->json, node->values[2], 0, reader->p - 1, &send.to))
            return false;
        if (send.from == send.to)
            return JSON_FAIL(&reader->json, node, "a rank sends to itself");
        *ARRAY_PUSH(reader->json.arena, sends) = send;
    }
    if (sends->count)
        qsort(sends->items, sends->count, sizeof *sends->items, compare_sends);
    return true;
}

/* What arrives takes the place of what is a part of it, and is added to all else. All is read
   before anything is written. */
static void find_kinds(const Reader *reader, const Sends *sends)
{
    Arena *scratch = arena_scratch(reader->json.arena);
    uint64_t *arriving = ARENA_ARRAY(scratch, uint64_t, sends->count * reader->words + 1);
    for (size_t i = 0; i < sends->count; i++) {
        const Send *send = &sends->items[i];
        memcpy(arriving + i * reader->words, held_at(reader, send->from, send->address),
               reader->words * sizeof *arriving);
    }
    for (size_t i = 0; i < sends->count; i++) {
        Send *send = &sends->items[i];
        uint64_t *held = held_at(reader, send->to, send->address), beside = 0;
        for (size_t w = 0; w < reader->words; w++) {
            beside |= held[w] & ~arriving[i * reader->words + w];
            held[w] |= arriving[i * reader->words + w];
        }
        send->kind = beside ? GPU_STEP_REDUCE : GPU_STEP_RECEIVE;
    }
    arena_destroy(scratch);
}

static void add_steps(Reader *reader, const Sends *sends)
{
    for (int receives = 0; receives < 2; receives++)
        for (size_t i = 0; i < sends->count; i++) {
            const Send *send = &sends->items[i];
            const GpuPlace place = {GPU_SCRATCH, send->address, 0};
            const int32_t rank = receives ? send->to : send->from;
            const int32_t block = receives ? gpu_receiver(&reader->builder, rank, send->from)
                                           : gpu_sender(&reader->builder, rank, send->to);
            gpu_add_step(&reader->builder, rank, block,
                         (GpuStep){.kind = receives ? send->kind : GPU_STEP_SEND,
                                   .source = place,
                                   .destination = place,
                                   .count = send->count,
                                   .span = send->span});
            reader->program->gpus[rank].blocks.items[block].span = send->span;
        }
}

static bool read_steps(Reader *reader, const Node *list)
{
    Sends sends = {0};
    for (size_t i = 0; i < list->count; i++) {
        const Node *step = json_get(&reader->json, list->values[i], "sends", NODE_LIST);
        if (!step || !read_sends(reader, step, &sends))
            return false;
        find_kinds(reader, &sends);
        /* Addresses side by side are one message. */
        size_t count = 0;
        for (size_t j = 0; j < sends.count; j++) {
            const Send *send = &sends.items[j];
            Send *last = count ? &sends.items[count - 1] : NULL;
            if (last && last->from == send->from && last->to == send->to &&
                last->kind == send->kind && last->address + last->count == send->address)
                last->count++;
            else
                sends.items[count++] = *send;
        }
        sends.count = count;
        add_steps(reader, &sends);
    }
    if (gpu_program_work(reader->program) <= MOST_GPU_CLOCKS)
        return true;
    return JSON_FAIL(&reader->json, list,
                     "too many steps of too many thread blocks are too many to be followed");
}

bool read_msccl_json(Arena *arena, const Source *source, GpuProgram *program, Diag *diag)
{
    NodeArray documents = {0};
    Reader reader = {.json = {arena, diag}, .program = program};
    *program = (GpuProgram){.out_of_place = true, .slots = MOST_GPU_CHUNKS, .protocol = ""};
    if (!yaml_parse(arena, source, &documents, diag))
        return false;
    const Node *root = documents.count ? documents.items[0] : NULL;
    const Node *type = NULL;
    if (root && root->kind == NODE_MAP && node_get(root, "gpus"))
        return read_execution_plan(arena, root, program, diag);
    if (root && root->kind == NODE_MAP) {
        type = node_get(root, "msccl_type");
        type = type ? type : node_get(root, "sccl_type");
    }
    if (!type || type->kind != NODE_SCALAR || !text_equals(type->text, "algorithm"))
        return diag_error(
            diag, root ? root->text.span : NOWHERE,
            "this is no algorithm of msccl, which has \"msccl_type\": \"algorithm\", and no "
            "execution plan of MSCCL++, which has \"gpus\"");
    const Node *name = json_get(&reader.json, root, "name", NODE_SCALAR);
    const Node *steps = json_get(&reader.json, root, "steps", NODE_LIST);
    if (!name || !steps)
        return false;
    program->name = node_string(arena, name);
    program->span = root->text.span;
    return read_collective(&reader, root) && read_steps(&reader, steps);
}
