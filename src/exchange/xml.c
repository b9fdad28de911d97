#include "exchange/xml.h"

#include "base/limits.h"

#include <string.h>

const char *xml_get(const XmlElement *element, const char *name)
{
    for (size_t i = 0; element->attributes[i]; i += 2)
        if (strcmp(element->attributes[i], name) == 0)
            return element->attributes[i + 1];
    return NULL;
}

const char *xml_value(const XmlElement *element, const char *name)
{
    const char *value = xml_get(element, name);
    return value ? value : "";
}

/* Behind a comment, declaration or document type at `at`. */
static size_t pass_over(const Source *source, size_t at)
{
    const char *end = strncmp(source->text + at, "<!--", 4) == 0 ? "-->" : ">";
    const char *found = memmem(source->text + at, source->length - at, end, strlen(end));
    const char *inner =
        found ? memchr(source->text + at, '[', (size_t)(found - source->text) - at) : NULL;
    if (inner && *end == '>') /* a document type that declares something */
        found = memmem(inner, source->length - (size_t)(inner - source->text), end = "]>", 2);
    return found ? (size_t)(found - source->text) + strlen(end) : source->length;
}

Text xml_root_name(const Source *source)
{
    size_t at = source_mark(source), end;
    while (at < source->length) {
        if (strchr(" \t\r\n", source->text[at]))
            at++;
        else if (source->text[at] == '<' && at + 1 < source->length &&
                 strchr("!?", source->text[at + 1]))
            at = pass_over(source, at);
        else
            break;
    }
    if (at >= source->length || source->text[at] != '<')
        return (Text){.chars = ""};
    for (end = ++at; end < source->length && !strchr(" \t\r\n/>", source->text[end]);)
        end++;
    return (Text){source->text + at, end - at, {source, at, end - at}, true};
}

bool xml_is(const XmlElement *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

const XmlElement *xml_after(const XmlElement *element, const XmlElement *top)
{
    if (element->first)
        return element->first;
    while (element != top && !element->next)
        element = element->parent;
    return element == top ? NULL : element->next;
}

#ifdef HAVE_EXPAT

#include <expat.h>

typedef struct {
    Resource resource; /* the parser */
    XML_Parser parser;
    Arena *arena;
    const Source *source;
    Diag *diag;
    XmlElement *root, *open;
    int depth;
    bool has_failed;
} Reader;

static void end_reader(Resource *resource)
{
    XML_ParserFree(((Reader *)(void *)resource)->parser);
}

static Span here(const Reader *reader)
{
    const XML_Index at = XML_GetCurrentByteIndex(reader->parser);
    const size_t most = reader->source->length, offset = at > 0 ? (size_t)at : 0;
    const size_t from = offset < most ? offset : most;
    const size_t length = (size_t)XML_GetCurrentByteCount(reader->parser);
    size_t end = 0;
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

static void XMLCALL start_element(void *context, const XML_Char *name, const XML_Char **given)
{
    Reader *reader = context;
    Arena *arena = reader->arena;
    size_t count = 0;
    if (reader->has_failed)
        return;
    if (++reader->depth > LIMIT_DEPTH) {
        fail(reader, "this is nested too deeply");
        return;
    }
    while (given[count])
        count++;
    const char **attributes = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        attributes[i] = arena_copy(arena, given[i], strlen(given[i]));
    XmlElement *element = ARENA_NEW(arena, XmlElement);
    *element = (XmlElement){.name = arena_copy(arena, name, strlen(name)),
                            .attributes = attributes,
                            .parent = reader->open,
                            .text.arena = arena,
                            .span = here(reader)};
    if (!reader->open)
        reader->root = element;
    else if (reader->open->last)
        reader->open->last->next = element;
    else
        reader->open->first = element;
    if (reader->open)
        reader->open->last = element;
    reader->open = element;
}

static void XMLCALL end_element(void *context, const XML_Char *name)
{
    Reader *reader = context;
    (void)name;
    if (reader->has_failed)
        return;
    reader->depth--;
    reader->open = reader->open->parent;
}

static void XMLCALL add_text(void *context, const XML_Char *text, int length)
{
    Reader *reader = context;
    if (!reader->has_failed && memmem(text, (size_t)length, "...", 3))
        fail(reader, "lines are left out here: the whole file is needed");
    else if (!reader->has_failed && reader->open)
        buffer_add(&reader->open->text, text, (size_t)length);
}

/* Entities can make much of little, and no such file has any. */
static void XMLCALL start_doctype(void *context, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int has_internal)
{
    (void)name, (void)system, (void)public;
    if (has_internal)
        fail(context, "a document type with declarations of its own is not read");
}

const XmlElement *xml_read(Arena *arena, const Source *source, Diag *diag)
{
    Reader reader = {.arena = arena, .source = source, .diag = diag};
    /* Blanks for dashes within comments: XML forbids "--" there, and files that the simple parsers
       of their programs read have it. */
    char *text = arena_copy(arena, source->text, source->length), *end;
    for (char *at = text; (at = strstr(at, "<!--")) && (end = strstr(at + 4, "-->"));)
        for (at += 4; at < end; at++)
            *at = *at == '-' ? ' ' : *at;
    reader.parser = XML_ParserCreate(NULL);
    if (!reader.parser)
        workspace_fail(arena_workspace(arena), 0);
    workspace_hold(arena_workspace(arena), &reader.resource, end_reader);
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, start_element, end_element);
    XML_SetCharacterDataHandler(reader.parser, add_text);
    XML_SetStartDoctypeDeclHandler(reader.parser, start_doctype);
    if (XML_Parse(reader.parser, text, (int)source->length, 1) != XML_STATUS_OK &&
        !reader.has_failed) {
        if (XML_GetErrorCode(reader.parser) == XML_ERROR_NO_MEMORY)
            workspace_fail(arena_workspace(arena), 0);
        fail(&reader, arena_printf(arena, "this is not valid XML: %s",
                                   XML_ErrorString(XML_GetErrorCode(reader.parser))));
    }
    workspace_drop(&reader.resource);
    XML_ParserFree(reader.parser);
    return reader.has_failed ? NULL : reader.root;
}

#else

const XmlElement *xml_read(Arena *arena, const Source *source, Diag *diag)
{
    (void)arena;
    return DIAG_NULL(diag, (Span){source, 0, 0},
                     "this collcost was built without the library expat, and reads no XML");
}

#endif
