#include "exchange/program_readers.h"
#include "exchange/xml.h"
#include "verify/gpu_run.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *arena;
    Diag *diag;
    GpuProgram *program;
    Gpu *gpu;
    bool has_failed;
    bool *has_gpu;
    int64_t blocks, steps;
    const XmlElement *element; /* at hand */
} Reader;

/* The first fault is told. */
#define FAIL(reader, ...)                                                                          \
    ((reader)->has_failed = (reader)->has_failed ||                                                \
                            !diag_error((reader)->diag, (reader)->element->span, __VA_ARGS__))

/* The attribute's number; `absent` where it is not there, -2: then that is an error. */
static int32_t number(Reader *reader, const char *name, int32_t absent)
{
    const char *text = xml_get(reader->element, name);
    char *end;
    if (!text && absent != -2)
        return absent;
    if (!text) {
        FAIL(reader, "'%s' has no '%s'", reader->element->name, name);
        return 0;
    }
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < -1 || value > MOST_GPU_CHUNKS) {
        FAIL(reader, "%s=\"%.*s\" is no number from -1 to %d", name, LONGEST_WORD, text,
             MOST_GPU_CHUNKS);
        return 0;
    }
    return (int32_t)value;
}

static const char *word(Reader *reader, const char *name)
{
    const char *text = xml_get(reader->element, name);
    if (text)
        return text;
    FAIL(reader, "'%s' has no '%s'", reader->element->name, name);
    return "";
}

/* Old files say neither for which collective they are, nor on how many GPUs. */
static void start_algo(Reader *reader)
{
    GpuProgram *program = reader->program;
    const char *coll = xml_get(reader->element, "coll"), *label = coll ? coll : "custom",
               *protocol = word(reader, "proto");
    int32_t gpus = 0;
    for (const XmlElement *at = reader->element->first; at; at = at->next)
        gpus += xml_is(at, "gpu");
    const char *name = xml_get(reader->element, "name");
    program->span = reader->element->span;
    program->name = arena_printf(reader->arena, "%s", name ? name : "");
    program->protocol = arena_printf(reader->arena, "%s", protocol);
    program->rank_count = number(reader, "ngpus", gpus);
    program->chunks = number(reader, "nchunksperloop", -2);
    program->in_place = number(reader, "inplace", 0) == 1;
    program->out_of_place = number(reader, "outofplace", !program->in_place) == 1;
    program->out_of_place |= !program->in_place;
    program->slots = strcmp(protocol, "Simple") == 0 ? 2 : 8;
    program->label = gpu_label_find(text_plain(label));
    if (reader->has_failed)
        return;
    if (program->label == GPU_LABEL_COUNT)
        FAIL(reader, "there is no coll=\"%.*s\"", LONGEST_WORD, label);
    else if (program->rank_count < 1 || program->rank_count > MOST_GPU_RANKS)
        FAIL(reader, "ngpus is a number from 1 to 4096");
    else if (program->chunks < 1)
        FAIL(reader, "nchunksperloop is at least 1");
    else {
        program->gpus = ARENA_ARRAY(reader->arena, Gpu, (size_t)program->rank_count);
        reader->has_gpu = ARENA_ARRAY(reader->arena, bool, (size_t)program->rank_count);
    }
}

static void start_gpu(Reader *reader)
{
    const int32_t id = number(reader, "id", -2), scratch = number(reader, "s_chunks", 0);
    if (reader->has_failed)
        return;
    if (id < 0 || id >= reader->program->rank_count || reader->has_gpu[id]) {
        FAIL(reader, "gpu %d is not one of 0 to %d, or there twice", id,
             reader->program->rank_count - 1);
        return;
    }
    reader->has_gpu[id] = true;
    reader->gpu = &reader->program->gpus[id];
    reader->gpu->scratch = scratch > 0 ? scratch : 0;
    reader->gpu->span = reader->element->span;
}

static void start_block(Reader *reader)
{
    const int32_t id = number(reader, "id", -2);
    ThreadBlock block = {.send = number(reader, "send", -2),
                         .receive = number(reader, "recv", -2),
                         .channel = number(reader, "chan", -2),
                         .span = reader->element->span};
    if (reader->has_failed)
        return;
    if ((size_t)id != reader->gpu->blocks.count)
        FAIL(reader, "this is tb %d, where tb %zu is expected", id, reader->gpu->blocks.count);
    else
        *ARRAY_PUSH(reader->arena, &reader->gpu->blocks) = block;
    if (block.channel < 0)
        FAIL(reader, "there is no channel -1");
    reader->blocks++;
}

static GpuPlace place(Reader *reader, const char *buffer_name, const char *offset_name)
{
    const char *buffer = word(reader, buffer_name);
    GpuPlace found = {.chunk = number(reader, offset_name, -2)};
    for (int i = 0; i < GPU_BUFFER_COUNT; i++)
        if (buffer[0] == gpu_buffer_letters[i] && !buffer[1]) {
            found.buffer = (GpuBuffer)i;
            return found;
        }
    FAIL(reader, "%s is i, o or s", buffer_name);
    return found;
}

static void start_step(Reader *reader)
{
    ThreadBlock *block = &reader->gpu->blocks.items[reader->gpu->blocks.count - 1];
    const char *type = word(reader, "type");
    GpuStep step = {.kind = GPU_STEP_COUNT, .span = reader->element->span};
    const int32_t s = number(reader, "s", -2);
    for (int i = 0; i <= GPU_STEP_NOTHING; i++)
        if (strcmp(type, gpu_step_info[i].name) == 0)
            step.kind = (GpuStepKind)i;
    if (!reader->has_failed && step.kind == GPU_STEP_COUNT)
        FAIL(reader, "there is no type=\"%.*s\"", LONGEST_WORD, type);
    step.wait_block = number(reader, "depid", -1);
    step.wait_step = number(reader, "deps", -1);
    step.signals = number(reader, "hasdep", 0) == 1;
    if (reader->has_failed)
        return;
    if (step.kind != GPU_STEP_NOTHING) {
        step.count = number(reader, "cnt", -2);
        step.source = place(reader, "srcbuf", "srcoff");
        step.destination = place(reader, "dstbuf", "dstoff");
    }
    if ((size_t)s != block->steps.count)
        FAIL(reader, "this is step %d, where step %zu is expected", s, block->steps.count);
    *ARRAY_PUSH(reader->arena, &block->steps) = step;
    if (++reader->steps * reader->blocks > MOST_GPU_CLOCKS)
        FAIL(reader, "too many steps of too many thread blocks are too many to be followed");
}

/* Those in an element, at depth `depth`, but for copies, which nobody needs to know. */
static void read_elements(Reader *reader, const XmlElement *element, int depth)
{
    static const struct {
        const char *name;
        void (*start)(Reader *reader);
    } levels[] = {
        {"algo", start_algo}, {"gpu", start_gpu}, {"tb", start_block}, {"step", start_step}};
    const int count = COUNT_OF(levels);
    for (; element && depth < count && !reader->has_failed; element = element->next) {
        reader->element = element;
        if (xml_is(element, levels[depth].name)) {
            levels[depth].start(reader);
            read_elements(reader, element->first, depth + 1);
        } else if (depth == 0 || !xml_is(element, "copy")) {
            FAIL(reader, "expected '%s', not '%.*s'", levels[depth].name, LONGEST_WORD,
                 element->name);
        }
    }
}

bool read_msccl_xml(Arena *arena, const Source *source, GpuProgram *program, Diag *diag)
{
    Reader reader = {.arena = arena, .program = program, .diag = diag};
    *program = (GpuProgram){0};
    const XmlElement *root = xml_read(arena, source, diag);
    if (!root)
        return false;
    read_elements(&reader, root, 0);
    for (int32_t r = 0; r < reader.program->rank_count && !reader.has_failed; r++)
        if (!reader.has_gpu[r]) {
            diag_error(reader.diag, reader.program->span, "there is no gpu %d", r);
            reader.has_failed = true;
        }
    return !reader.has_failed;
}
