#include "model/node.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

/* libyaml's document API loses the place of aliases, accepts cycles and needs minutes for deep
   nesting, so the tree is built here from events, with limits. */

typedef struct {
    Resource resource; /* parser and event, while nodes are made */
    Arena *arena;
    const Source *source;
    Diag *diag;
    yaml_parser_t parser;
    yaml_event_t event; /* the one in view */
    bool has_event;
    size_t node_count;
    size_t seen,
        seen_offset; /* the last place that was asked for: characters, and bytes, before it */
} Reader;

static bool is_inside_character(const Source *source, size_t offset)
{
    return offset < source->length && ((unsigned char)source->text[offset] & 0xC0) == 0x80;
}

/* libyaml counts characters. Marks are near to one another, so the way from the last one is short,
   in whichever direction, however long a line is. */
static size_t mark_offset(Reader *reader, yaml_mark_t mark)
{
    const Source *source = reader->source;
    size_t start = source_mark(source), offset = reader->seen_offset;
    offset = offset < start ? start : offset;
    for (; reader->seen < mark.index && offset < source->length; reader->seen++)
        do
            offset++;
        while (is_inside_character(source, offset));
    for (; reader->seen > mark.index; reader->seen--)
        do
            offset--;
        while (is_inside_character(source, offset));
    return reader->seen_offset = offset;
}

static Span event_span(Reader *reader)
{
    size_t start = mark_offset(reader, reader->event.start_mark);
    size_t end = mark_offset(reader, reader->event.end_mark);
    return (Span){reader->source, start, end > start ? end - start : 0};
}

static void report_malformed(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    Span span = {reader->source, mark_offset(reader, parser->problem_mark), 0};
    if (parser->error == YAML_READER_ERROR) /* what cannot be read has no mark */
        span.offset = source_mark(reader->source) + parser->problem_offset;
    if (span.offset < reader->source->length && reader->source->text[span.offset] == '\t') {
        diag_error(reader->diag, span, "YAML does not allow a tab here");
        return;
    }
    diag_error(reader->diag, span, "this is not valid YAML: %s",
               parser->problem ? parser->problem : "unknown problem");
    if (parser->context) {
        span.offset = mark_offset(reader, parser->context_mark);
        diag_note(reader->diag, span, "%s", parser->context);
    }
}

/* Not all of libyaml says so where its memory runs out, but whoever allocates sets errno. */
static bool next_event(Reader *reader)
{
    if (reader->has_event)
        yaml_event_delete(&reader->event);
    errno = 0;
    reader->has_event = yaml_parser_parse(&reader->parser, &reader->event) == 1;
    if (reader->parser.error == YAML_MEMORY_ERROR || errno == ENOMEM)
        workspace_fail(arena_workspace(reader->arena), 0);
    if (!reader->has_event)
        report_malformed(reader);
    return reader->has_event;
}

static Node *fail(Reader *reader, const char *message)
{
    return DIAG_NULL(reader->diag, event_span(reader), "%s", message);
}

static Node *create_node(Reader *reader, NodeKind kind)
{
    if (++reader->node_count > LIMIT_NODES)
        return fail(reader, "this file has too many values");
    Node *node = ARENA_NEW(reader->arena, Node);
    node->kind = kind;
    node->text.span = event_span(reader);
    return node;
}

static bool has_properties(Reader *reader, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        fail(reader, "anchors (&name) are not supported in model files; repeat the value");
    else if (tag)
        fail(reader, "tags (!name) are not supported in model files");
    return anchor || tag;
}

/* A scalar whose characters stand in the file as they are keeps the place of each of them. */
static Node *read_key_text(Reader *reader)
{
    Node *node = create_node(reader, NODE_SCALAR);
    if (!node)
        return NULL;
    size_t length = reader->event.data.scalar.length;
    node->text.chars = arena_copy(reader->arena, reader->event.data.scalar.value, length);
    node->text.length = length;
    Span *span = &node->text.span;
    bool quoted = reader->event.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                  reader->event.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    if (quoted && span->length == length + 2)
        *span = (Span){span->source, span->offset + 1, length};
    node->text.verbatim = span->length >= length && length > 0 &&
                          memcmp(span->source->text + span->offset, node->text.chars, length) == 0;
    if (node->text.verbatim)
        span->length = length;
    size_t controls = 0;
    for (size_t i = 0; i < node->text.length; i++)
        controls += utf8_control(node->text.chars + i, node->text.length - i);
    if (controls > 0)
        return fail(reader, "control characters are not allowed, not even as escapes");
    return node;
}

static bool is_new_key(Reader *reader, const NodeArray *keys, const Node *key)
{
    if (key->kind != NODE_SCALAR)
        return diag_error(reader->diag, key->text.span, "a key must be a plain word");
    if (keys->count == LIMIT_KEYS)
        return diag_error(reader->diag, key->text.span, "too many keys in one map (more than %d)",
                          LIMIT_KEYS);
    for (size_t i = 0; i < keys->count; i++) {
        Text other = keys->items[i]->text;
        if (!text_same(other, key->text))
            continue;
        diag_error(reader->diag, key->text.span, "duplicate key '%.*s'", TEXT_ARGS(key->text));
        return diag_note(reader->diag, other.span, "the first one is here");
    }
    return true;
}

static Node *read_node(Reader *reader, int depth);

/* The items of a list, or the keys and values of a map. */
static Node *read_items(Reader *reader, NodeKind kind, int depth)
{
    const bool is_map = kind == NODE_MAP;
    const yaml_event_type_t end = is_map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    Node *node = create_node(reader, kind);
    NodeArray keys = {0}, values = {0};
    if (!node || !next_event(reader))
        return NULL;
    while (reader->event.type != end) {
        Node *key = is_map ? read_node(reader, depth + 1) : NULL;
        if (is_map && (!key || !is_new_key(reader, &keys, key) || !next_event(reader)))
            return NULL;
        Node *value = read_node(reader, depth + 1);
        if (!value || !next_event(reader))
            return NULL;
        if (is_map)
            *ARRAY_PUSH(reader->arena, &keys) = key;
        *ARRAY_PUSH(reader->arena, &values) = value;
    }
    node->keys = keys.items;
    node->values = values.items;
    node->count = values.count;
    return node;
}

/* The node that begins with the event in view; its last event is in view afterwards. */
static Node *read_node(Reader *reader, int depth)
{
    const yaml_event_t *event = &reader->event;
    if (depth > LIMIT_DEPTH)
        return fail(reader, "this is nested too deeply");
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return has_properties(reader, event->data.scalar.anchor, event->data.scalar.tag)
                   ? NULL
                   : read_key_text(reader);
    case YAML_SEQUENCE_START_EVENT:
        return has_properties(reader, event->data.sequence_start.anchor,
                              event->data.sequence_start.tag)
                   ? NULL
                   : read_items(reader, NODE_LIST, depth);
    case YAML_MAPPING_START_EVENT:
        return has_properties(reader, event->data.mapping_start.anchor,
                              event->data.mapping_start.tag)
                   ? NULL
                   : read_items(reader, NODE_MAP, depth);
    case YAML_ALIAS_EVENT:
        return fail(reader, "aliases (*name) are not supported in model files; repeat the value");
    default:
        return fail(reader, "expected a value");
    }
}

static bool read_documents(Reader *reader, NodeArray *documents)
{
    if (!next_event(reader))
        return false;
    while (next_event(reader)) {
        if (reader->event.type == YAML_STREAM_END_EVENT)
            return true;
        if (!next_event(reader))
            return false;
        if (documents->count == LIMIT_MODELS)
            return diag_error(reader->diag, event_span(reader), "too many models (more than %d)",
                              LIMIT_MODELS);
        Node *root = read_node(reader, 0);
        if (!root || !next_event(reader))
            return false;
        *ARRAY_PUSH(reader->arena, documents) = root;
    }
    return false;
}

static void end_reader(Resource *resource)
{
    Reader *reader = (Reader *)(void *)resource; /* its first member */
    if (reader->has_event)
        yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
}

bool yaml_parse(Arena *arena, const Source *source, NodeArray *documents, Diag *diag)
{
    Reader reader = {.arena = arena, .source = source, .diag = diag};
    /* libyaml gives no place for such bytes, and lets NUL pass inside a scalar. */
    const unsigned char *bytes = (const unsigned char *)source->text;
    for (size_t i = 0; i < source->length;) {
        size_t length = bytes[i] ? utf8_length(source->text + i, source->length - i) : 0;
        if (!length)
            return diag_error(diag, (Span){source, i, 1},
                              bytes[i] ? "this is not UTF-8 (byte 0x%02x)"
                                       : "a NUL byte (0x%02x) in a text file",
                              bytes[i]);
        i += length;
    }
    if (!yaml_parser_initialize(&reader.parser))
        workspace_fail(arena_workspace(arena), sizeof reader.parser);
    workspace_hold(arena_workspace(arena), &reader.resource, end_reader);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    size_t start = source_mark(source);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)source->text + start,
                                 source->length - start);
    bool good = read_documents(&reader, documents);
    workspace_drop(&reader.resource);
    end_reader(&reader.resource);
    return good;
}
