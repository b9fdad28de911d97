#include "exchange/json_tree.h"

#include "base/limits.h"

#include <string.h>

ARRAY_TYPE(JsonValues, JsonValue *);

typedef struct {
    Arena *arena;
    const Source *source;
    JsonDialect dialect;
    size_t at, values;
    int depth;
    JsonFault *fault;
} Parser;

static JsonValue *parse_value(Parser *parser);

static int next_char(const Parser *parser)
{
    return parser->at < parser->source->length ? (unsigned char)parser->source->text[parser->at]
                                               : -1;
}

static JsonValue *fail(Parser *parser, const char *text)
{
    const bool is_at_end = parser->at >= parser->source->length;
    *parser->fault = (JsonFault){{parser->source, parser->at, !is_at_end},
                                 is_at_end ? "the text ends too early" : text};
    return NULL;
}

static bool begins(const Parser *parser, const char *string)
{
    const size_t length = strlen(string);
    return parser->source->length - parser->at >= length &&
           memcmp(parser->source->text + parser->at, string, length) == 0;
}

static void skip_past(Parser *parser, const char *string)
{
    while (parser->at < parser->source->length && !begins(parser, string))
        parser->at++;
    if (parser->at < parser->source->length)
        parser->at += strlen(string);
}

static void skip_blanks(Parser *parser)
{
    for (;;) {
        const int c = next_char(parser);
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            parser->at++;
        else if (parser->dialect.is_lenient && begins(parser, "//"))
            skip_past(parser, "\n");
        else if (parser->dialect.is_lenient && begins(parser, "/*"))
            skip_past(parser, "*/");
        else
            return;
    }
}

static JsonValue *add_value(Parser *parser, JsonKind kind, size_t from, size_t end)
{
    JsonValue *value = ARENA_NEW(parser->arena, JsonValue);
    value->kind = kind;
    value->text = (Text){.chars = parser->source->text + from,
                         .length = end - from,
                         .span = {parser->source, from, end - from},
                         .verbatim = true};
    return value;
}

/* The characters of a string with escapes: those of letters; others stay as they stand. */
static void unescape(Parser *parser, Text *text)
{
    static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
    char *chars = ARENA_ARRAY(parser->arena, char, text->length + 1);
    size_t length = 0;
    for (size_t i = 0; i < text->length; i++) {
        const char *letter = NULL;
        char c = text->chars[i];
        if (c == '\\' && text->chars[i + 1] != 'u') {
            c = text->chars[++i];
            letter = memchr(letters, c, sizeof letters - 1);
        }
        chars[length++] = letter ? meant[letter - letters] : c;
    }
    text->chars = chars;
    text->length = length;
    text->verbatim = false;
}

static JsonValue *parse_string(Parser *parser)
{
    const int quote = next_char(parser);
    bool has_escapes = false;
    const size_t from = ++parser->at;
    for (int c; (c = next_char(parser)) != quote; parser->at++) {
        if (c == '\\' && parser->at + 1 < parser->source->length) {
            has_escapes = true;
            parser->at++;
        } else if (c < 0 || c == '\\') {
            parser->at = parser->source->length;
            return fail(parser, "");
        }
    }
    JsonValue *string = add_value(parser, JSON_STRING, from, parser->at++);
    if (has_escapes)
        unescape(parser, &string->text);
    return string;
}

static bool is_quote(const Parser *parser)
{
    const int c = next_char(parser);
    return c == '"' || (c == '\'' && parser->dialect.is_lenient);
}

/* "key": value. False after a fault. */
static bool parse_member(Parser *parser, JsonValues *keys)
{
    if (!is_quote(parser)) {
        fail(parser, "expected a key in quotes");
        return false;
    }
    JsonValue *key = parse_string(parser);
    if (!key)
        return false;
    *ARRAY_PUSH(parser->arena, keys) = key;
    skip_blanks(parser);
    if (next_char(parser) != ':') {
        fail(parser, "expected ':' after the key");
        return false;
    }
    parser->at++;
    return true;
}

/* An object or array. */
static JsonValue *parse_values(Parser *parser, bool is_object)
{
    const size_t from = parser->at++;
    const int end = is_object ? '}' : ']';
    JsonValues keys = {0}, values = {0};
    skip_blanks(parser);
    while (next_char(parser) != end) {
        if (is_object && !parse_member(parser, &keys))
            return NULL;
        JsonValue *value = parse_value(parser);
        if (!value)
            return NULL;
        *ARRAY_PUSH(parser->arena, &values) = value;
        skip_blanks(parser);
        if (next_char(parser) == ',')
            parser->at++;
        else if (next_char(parser) != end)
            return fail(parser, is_object ? "expected ',' or '}'" : "expected ',' or ']'");
        skip_blanks(parser);
    }
    parser->at++;
    JsonValue *list = add_value(parser, is_object ? JSON_OBJECT : JSON_ARRAY, from, parser->at);
    list->count = values.count;
    list->keys = keys.items;
    list->values = values.items;
    return list;
}

/* A number, or true, false and null. */
static JsonValue *parse_word(Parser *parser)
{
    static const char *const words[] = {"true", "false", "null"};
    const size_t from = parser->at;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (begins(parser, words[i])) {
            parser->at += strlen(words[i]);
            return add_value(parser, JSON_WORD, from, parser->at);
        }
    while (next_char(parser) > 0 && strchr("+-.0123456789eE", next_char(parser)))
        parser->at++;
    return parser->at > from ? add_value(parser, JSON_NUMBER, from, parser->at)
                             : fail(parser, "expected a value");
}

static JsonValue *parse_value(Parser *parser)
{
    skip_blanks(parser);
    const int c = next_char(parser);
    if (++parser->values > LIMIT_NODES)
        return fail(parser, "there are too many values");
    if (c != '{' && c != '[')
        return is_quote(parser) ? parse_string(parser) : parse_word(parser);
    if (parser->depth == parser->dialect.depth)
        return fail(parser, "this is nested too deeply");
    parser->depth++;
    JsonValue *value = parse_values(parser, c == '{');
    parser->depth--;
    return value;
}

const JsonValue *json_tree_parse(Arena *arena, const Source *source, JsonDialect dialect,
                                 JsonFault *fault)
{
    Parser parser = {.arena = arena, .source = source, .dialect = dialect, .fault = fault};
    parser.at = dialect.from ? *dialect.from : 0;
    const JsonValue *value = parse_value(&parser);
    if (value && dialect.from)
        *dialect.from = parser.at;
    if (!value || dialect.from || dialect.is_lenient)
        return value;
    skip_blanks(&parser);
    return parser.at == source->length ? value : fail(&parser, "nothing can follow the value");
}

const JsonValue *json_tree_get(const JsonValue *object, const char *key)
{
    for (size_t i = object->kind == JSON_OBJECT ? object->count : 0; i > 0; i--)
        if (text_equals(object->keys[i - 1]->text, key))
            return object->values[i - 1];
    return NULL;
}

const JsonValue *json_tree_find(const JsonValue *object, const char *key)
{
    const JsonValue *found = json_tree_get(object, key);
    for (size_t i = 0; !found && i < object->count; i++)
        found = json_tree_find(object->values[i], key);
    return found;
}

Text json_tree_text(const JsonValue *object, const char *key)
{
    const JsonValue *value = json_tree_find(object, key);
    return value ? value->text : (Text){0};
}
