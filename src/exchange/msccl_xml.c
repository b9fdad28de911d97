#include "exchange/program_readers.h"

#include "verify/gpu_run.h"

#ifdef HAVE_EXPAT

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 40, DEPTH_OF_STEPS = 3 };

typedef struct {
    Resource resource; /* the parser */
    XML_Parser parser;
    Arena *arena;
    const Source *source;
    Diag *diag;
    GpuProgram *program;
    Gpu *gpu;
    int depth, ignored; /* elements that are open; those of them below one that is passed over */
    bool has_failed;
    bool *has_gpu;
    int64_t blocks, steps;
    const char *const *attributes; /* of the element at hand */
    const char *element;
} Reader;

static void end_reader(Resource *resource)
{
    XML_ParserFree(((Reader *)(void *)resource)->parser);
}

/* The tag at hand, as far as its line goes. */
static Span here(const Reader *reader)
{
    const XML_Index at = XML_GetCurrentByteIndex(reader->parser);
    const size_t offset = at > 0 ? (size_t)at : 0, most = reader->source->length;
    size_t length = (size_t)XML_GetCurrentByteCount(reader->parser), end = 0;
    const size_t from = offset < most ? offset : most;
    while (end < length && from + end < most && reader->source->text[from + end] != '\n')
        end++;
    return (Span){reader->source, from, end};
}

static void fail(Reader *reader, const char *text)
{
    if (!reader->has_failed)
        diag_error(reader->diag, here(reader), "%s", text);
    reader->has_failed = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

static const char *find(const Reader *reader, const char *name)
{
    for (size_t i = 0; reader->attributes[i]; i += 2)
        if (strcmp(reader->attributes[i], name) == 0)
            return reader->attributes[i + 1];
    return NULL;
}

/* The attribute's number; `absent` where it is not there, -2: then that is an error. */
static int32_t number(Reader *reader, const char *name, int32_t absent)
{
    const char *text = find(reader, name);
    char *end;
    if (!text && absent != -2)
        return absent;
    if (!text) {
        fail(reader, arena_printf(reader->arena, "'%s' has no '%s'", reader->element, name));
        return 0;
    }
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < -1 || value > MOST_GPU_CHUNKS) {
        fail(reader, arena_printf(reader->arena, "%s=\"%.*s\" is no number from -1 to %d", name,
                                  MOST_WORD, text, MOST_GPU_CHUNKS));
        return 0;
    }
    return (int32_t)value;
}

static const char *word(Reader *reader, const char *name)
{
    const char *text = find(reader, name);
    if (text)
        return text;
    fail(reader, arena_printf(reader->arena, "'%s' has no '%s'", reader->element, name));
    return "";
}

static void start_algo(Reader *reader)
{
    GpuProgram *program = reader->program;
    const char *label = word(reader, "coll"), *protocol = word(reader, "proto");
    const char *name = find(reader, "name");
    program->span = here(reader);
    program->name = arena_printf(reader->arena, "%s", name ? name : "");
    program->protocol = arena_printf(reader->arena, "%s", protocol);
    program->rank_count = number(reader, "ngpus", -2);
    program->chunks = number(reader, "nchunksperloop", -2);
    program->in_place = number(reader, "inplace", 0) == 1;
    program->out_of_place = number(reader, "outofplace", !program->in_place) == 1;
    program->out_of_place |= !program->in_place;
    program->slots = strcmp(protocol, "Simple") == 0 ? 2 : 8;
    program->label = gpu_label_find((Text){.chars = label, .length = strlen(label)});
    if (reader->has_failed)
        return;
    if (program->label == GPU_LABEL_COUNT)
        fail(reader, arena_printf(reader->arena, "there is no coll=\"%.*s\"", MOST_WORD, label));
    else if (program->rank_count < 1 || program->rank_count > MOST_GPU_RANKS)
        fail(reader, "ngpus is a number from 1 to 4096");
    else if (program->chunks < 1)
        fail(reader, "nchunksperloop is at least 1");
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
        fail(reader, arena_printf(reader->arena, "gpu %d is not one of 0 to %d, or there twice", id,
                                  reader->program->rank_count - 1));
        return;
    }
    reader->has_gpu[id] = true;
    reader->gpu = &reader->program->gpus[id];
    reader->gpu->scratch = scratch > 0 ? scratch : 0;
    reader->gpu->span = here(reader);
}

static void start_block(Reader *reader)
{
    const int32_t id = number(reader, "id", -2);
    ThreadBlock block = {.send = number(reader, "send", -2),
                         .receive = number(reader, "recv", -2),
                         .channel = number(reader, "chan", -2),
                         .span = here(reader)};
    if (reader->has_failed)
        return;
    if ((size_t)id != reader->gpu->blocks.count)
        fail(reader, arena_printf(reader->arena, "tb %d stands where tb %zu is expected", id,
                                  reader->gpu->blocks.count));
    else
        *ARRAY_PUSH(reader->arena, &reader->gpu->blocks) = block;
    if (block.channel < 0)
        fail(reader, "there is no channel -1");
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
    fail(reader, arena_printf(reader->arena, "%s is i, o or s", buffer_name));
    return found;
}

static void start_step(Reader *reader)
{
    ThreadBlock *block = &reader->gpu->blocks.items[reader->gpu->blocks.count - 1];
    const char *type = word(reader, "type");
    GpuStep step = {.kind = GPU_STEP_COUNT, .span = here(reader)};
    const int32_t s = number(reader, "s", -2);
    for (int i = 0; i <= GPU_STEP_NOTHING; i++)
        if (strcmp(type, gpu_step_info[i].name) == 0)
            step.kind = (GpuStepKind)i;
    if (!reader->has_failed && step.kind == GPU_STEP_COUNT)
        fail(reader, arena_printf(reader->arena, "there is no type=\"%.*s\"", MOST_WORD, type));
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
        fail(reader, arena_printf(reader->arena, "step %d stands where step %zu is expected", s,
                                  block->steps.count));
    *ARRAY_PUSH(reader->arena, &block->steps) = step;
    if (++reader->steps * reader->blocks > MOST_GPU_CLOCKS)
        fail(reader, "too many steps of too many thread blocks are too many to be followed");
}

static void XMLCALL start_element(void *context, const XML_Char *name, const XML_Char **attributes)
{
    static const struct {
        const char *name;
        void (*start)(Reader *reader);
    } levels[] = {
        {"algo", start_algo}, {"gpu", start_gpu}, {"tb", start_block}, {"step", start_step}};
    Reader *reader = context;
    const int depth = reader->depth++;
    if (reader->has_failed)
        return;
    reader->attributes = (const char *const *)attributes;
    reader->element = name;
    if (reader->ignored || depth > DEPTH_OF_STEPS) {
        reader->ignored++;
    } else if (strcmp(name, levels[depth].name) == 0) {
        levels[depth].start(reader);
    } else if (depth == 0 || strcmp(name, "copy") != 0) {
        fail(reader, arena_printf(reader->arena, "expected '%s', not '%.*s'", levels[depth].name,
                                  MOST_WORD, name));
    } else {
        reader->ignored++;
    }
}

static void XMLCALL end_element(void *context, const XML_Char *name)
{
    Reader *reader = context;
    (void)name;
    reader->depth--;
    if (reader->ignored)
        reader->ignored--;
}

/* Entities can make much of little, and no such file has any. */
static void XMLCALL start_doctype(void *context, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int has_internal)
{
    (void)name, (void)system, (void)public, (void)has_internal;
    fail(context, "a document type is not read");
}

static void check_complete(Reader *reader)
{
    for (int32_t r = 0; r < reader->program->rank_count && !reader->has_failed; r++)
        if (!reader->has_gpu[r]) {
            diag_error(reader->diag, reader->program->span, "there is no gpu %d", r);
            reader->has_failed = true;
        }
}

bool read_msccl_xml(Arena *arena, const Source *source, GpuProgram *program, Diag *diag)
{
    Reader reader = {.arena = arena, .source = source, .program = program, .diag = diag};
    *program = (GpuProgram){0};
    reader.parser = XML_ParserCreate(NULL);
    if (!reader.parser)
        workspace_fail(arena_workspace(arena), 0);
    workspace_hold(arena_workspace(arena), &reader.resource, end_reader);
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, start_element, end_element);
    XML_SetStartDoctypeDeclHandler(reader.parser, start_doctype);
    if (XML_Parse(reader.parser, source->text, (int)source->length, 1) != XML_STATUS_OK &&
        !reader.has_failed) {
        if (XML_GetErrorCode(reader.parser) == XML_ERROR_NO_MEMORY)
            workspace_fail(arena_workspace(arena), 0);
        fail(&reader, arena_printf(arena, "this is not valid XML: %s",
                                   XML_ErrorString(XML_GetErrorCode(reader.parser))));
    }
    check_complete(&reader);
    workspace_drop(&reader.resource);
    XML_ParserFree(reader.parser);
    return !reader.has_failed;
}

#else

bool read_msccl_xml(Arena *arena, const Source *source, GpuProgram *program, Diag *diag)
{
    (void)arena, (void)source, (void)program;
    diag_error(diag, NOWHERE, "this collcost was built without expat, and reads no XML");
    return false;
}

#endif
