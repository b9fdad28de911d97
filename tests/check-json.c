/* Checks JSON against a JSON Schema; knows nothing of collcost.

   check-json SCHEMA NAME FILE   FILE is one value, as #/$defs/NAME says; and as the whole schema
   says

   Prints what is wrong, with its place, and then fails. Else prints a line NAME.KEY for each
   property of the object, or of the objects in the array, that is not null somewhere; NAME is that
   of the definition. Of JSON Schema (draft 2020-12) it knows the words in `words` below, and
   refuses others. JSON itself is taken strictly: no key twice, no NaN. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TYPE_NULL, TYPE_BOOLEAN, TYPE_NUMBER, TYPE_STRING, TYPE_ARRAY, TYPE_OBJECT } Type;

/* A value; members of an array or object hang on one another. */
typedef struct Value {
    Type type;
    bool truth;
    double number;
    char *string; /* without escapes being read: equal texts are spelled alike here */
    char *key;    /* of a member of an object */
    struct Value *first, *next;
} Value;

static const char *file_name;

__attribute__((format(printf, 1, 2))) _Noreturn static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", file_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* All memory, until the end. */
typedef struct Piece {
    struct Piece *next;
    max_align_t content[];
} Piece;

static Piece *pieces;

static void *allocate(size_t size)
{
    Piece *piece = calloc(1, sizeof *piece + size);
    if (!piece)
        die("no memory");
    piece->next = pieces;
    pieces = piece;
    return piece->content;
}

static void free_all(void)
{
    for (Piece *next; pieces; pieces = next) {
        next = pieces->next;
        free(pieces);
    }
}

/* Reading. */

static const char *at;

static void skip_blanks(void)
{
    at += strspn(at, " \t\r\n");
}

static void expect(const char *text)
{
    if (strncmp(at, text, strlen(text)) != 0)
        die("'%s' expected before '%.20s'", text, at);
    at += strlen(text);
}

static char *read_string(void)
{
    expect("\"");
    const char *start = at;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            die("a string does not end, or has a control character");
        if (*at == '\\' && (*++at == '\0' || !strchr("\"\\/bfnrtu", *at)))
            die("no escape: \\%c", *at);
    }
    char *string = allocate((size_t)(at - start) + 1);
    memcpy(string, start, (size_t)(at - start));
    at++;
    return string;
}

static double read_number(void)
{
    const char *start = at;
    at += *at == '-';
    if (!isdigit((unsigned char)*at) || (*at == '0' && isdigit((unsigned char)at[1])))
        die("no value: '%.20s'", start);
    at += strspn(at, "0123456789");
    if (*at == '.' && !isdigit((unsigned char)at[1]))
        die("no digit after the point");
    char *end;
    double number = strtod(start, &end);
    at = end;
    return number;
}

static Value *read_value(int depth);

static Value *read_members(Value *value, int depth)
{
    bool is_object = value->type == TYPE_OBJECT;
    const char *end = is_object ? "}" : "]";
    Value **last = &value->first;
    at++;
    skip_blanks();
    while (*at != *end) {
        char *key = NULL;
        if (value->first)
            expect(",");
        skip_blanks();
        if (is_object) {
            key = read_string();
            for (const Value *other = value->first; other; other = other->next)
                if (strcmp(other->key, key) == 0)
                    die("key \"%s\" twice", key);
            skip_blanks();
            expect(":");
        }
        *last = read_value(depth + 1);
        (*last)->key = key;
        last = &(*last)->next;
        skip_blanks();
    }
    at++;
    return value;
}

static Value *read_value(int depth)
{
    Value *value = allocate(sizeof *value);
    if (depth > 64)
        die("too deep");
    skip_blanks();
    if (*at == '{' || *at == '[') {
        value->type = *at == '{' ? TYPE_OBJECT : TYPE_ARRAY;
        return read_members(value, depth);
    }
    if (*at == '"') {
        value->type = TYPE_STRING;
        value->string = read_string();
    } else if (*at == 't' || *at == 'f') {
        value->type = TYPE_BOOLEAN;
        value->truth = *at == 't';
        expect(value->truth ? "true" : "false");
    } else if (*at == 'n') {
        expect("null");
    } else {
        value->type = TYPE_NUMBER;
        value->number = read_number();
    }
    return value;
}

static Value *read_file(const char *name)
{
    size_t size = 0, length = 0, count;
    char *text = NULL;
    file_name = name;
    FILE *file = fopen(name, "r");
    if (!file)
        die("cannot be read");
    do {
        size = size ? 2 * size : 1 << 16;
        if (!(text = realloc(text, size + 1)))
            die("no memory");
        length += count = fread(text + length, 1, size - length, file);
    } while (count > 0);
    fclose(file);
    text[length] = '\0';
    at = text;
    Value *value = read_value(0);
    skip_blanks();
    if (*at)
        die("more than one value: '%.20s'", at);
    free(text); /* strings are copies */
    at = "";
    return value;
}

static const Value *member(const Value *object, const char *key)
{
    if (object && object->type == TYPE_OBJECT)
        for (const Value *value = object->first; value; value = value->next)
            if (strcmp(value->key, key) == 0)
                return value;
    return NULL;
}

/* Checking: each check returns whether the value is as the schema says. */

enum { LONGEST_PLACE = 256 };
static const Value *root;
static bool is_quiet; /* one of several possibilities is tried */

__attribute__((format(printf, 2, 3))) static bool report(const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!is_quiet) {
        fprintf(stderr, "%s: %s: ", file_name, *place ? place : "/");
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
    return false;
}

static bool has_type(const Value *value, const char *type)
{
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    if (strcmp(type, "integer") == 0)
        return value->type == TYPE_NUMBER && floor(value->number) == value->number;
    return strcmp(type, names[value->type]) == 0;
}

static bool check_type(const Value *value, const Value *wanted, const char *place)
{
    if (wanted->type == TYPE_STRING)
        return has_type(value, wanted->string) || report(place, "is no %s", wanted->string);
    for (const Value *type = wanted->first; type; type = type->next)
        if (has_type(value, type->string))
            return true;
    return report(place, "has none of the types that it may have");
}

static bool check(const Value *value, const Value *schema, const char *place);

static const Value *follow(const char *reference)
{
    const Value *found = strncmp(reference, "#/$defs/", 8) == 0
                             ? member(member(root, "$defs"), reference + 8)
                             : NULL;
    if (!found)
        die("%s leads nowhere", reference);
    return found;
}

static bool check_properties(const Value *value, const Value *schema, const char *place)
{
    const Value *known = member(schema, "properties"),
                *others = member(schema, "additionalProperties");
    const Value *required = member(schema, "required");
    bool good = true;
    for (const Value *key = required ? required->first : NULL; key; key = key->next)
        if (!member(value, key->string))
            good = report(place, "lacks \"%s\"", key->string);
    for (const Value *own = value->first; own; own = own->next) {
        char inner[LONGEST_PLACE];
        const Value *property = member(known, own->key);
        snprintf(inner, sizeof inner, "%s/%s", place, own->key);
        if (property)
            good &= check(own, property, inner);
        else if (others && others->type == TYPE_BOOLEAN && !others->truth)
            good = report(inner, "is unknown");
    }
    return good;
}

static bool check_items(const Value *value, const Value *items, const char *place)
{
    bool good = true;
    int i = 0;
    for (const Value *item = value->first; item; item = item->next, i++) {
        char inner[LONGEST_PLACE];
        snprintf(inner, sizeof inner, "%s/%d", place, i);
        good &= check(item, items, inner);
    }
    return good;
}

static bool check_any(const Value *value, const Value *schemas, const char *place)
{
    bool was_quiet = is_quiet, good = false;
    is_quiet = true;
    for (const Value *schema = schemas->first; schema && !good; schema = schema->next)
        good = check(value, schema, place);
    is_quiet = was_quiet;
    return good || report(place, "is none of the possibilities");
}

static bool check(const Value *value, const Value *schema, const char *place)
{
    static const char *const words[] = {
        "$schema", "title",      "description", "$defs",
        "$ref",    "type",       "required",    "additionalProperties",
        "items",   "properties", "anyOf"};
    bool good = true;
    for (const Value *word = schema->first; word; word = word->next) {
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known |= strcmp(word->key, words[i]) == 0;
        if (!known)
            die("the schema has a word that is not known here: %s", word->key);
        if (strcmp(word->key, "type") == 0)
            good &= check_type(value, word, place);
        else if (strcmp(word->key, "$ref") == 0)
            good &= check(value, follow(word->string), place);
        else if (strcmp(word->key, "anyOf") == 0)
            good &= check_any(value, word, place);
        else if (strcmp(word->key, "items") == 0 && value->type == TYPE_ARRAY)
            good &= check_items(value, word, place);
    }
    return (value->type != TYPE_OBJECT || check_properties(value, schema, place)) && good;
}

/* What is told: which properties have values. */

static void tell_object(const Value *object, const char *name)
{
    for (const Value *own = object->first; own; own = own->next) {
        const char *inner = NULL;
        const Value *property =
            member(member(member(member(root, "$defs"), name), "properties"), own->key);
        if (own->type != TYPE_NULL)
            printf("%s.%s\n", name, own->key);
        if (property && member(property, "$ref"))
            inner = member(property, "$ref")->string + strlen("#/$defs/");
        for (const Value *row = inner ? own->first : NULL; row; row = row->next)
            tell_object(row, inner);
    }
}

int main(int argc, char **argv)
{
    char reference[LONGEST_PLACE];
    atexit(free_all);
    if (argc != 4) {
        fputs("usage: check-json SCHEMA NAME FILE\n", stderr);
        return 2;
    }
    root = read_file(argv[1]);
    snprintf(reference, sizeof reference, "#/$defs/%s", argv[2]);
    const Value *schema = follow(reference), *value = read_file(argv[3]);
    bool good = check(value, schema, "");
    good &= check(value, root, "");
    if (!good)
        return 1;
    if (value->type == TYPE_OBJECT)
        tell_object(value, argv[2]);
    for (const Value *row = value->type == TYPE_ARRAY ? value->first : NULL; row; row = row->next)
        tell_object(row, argv[2]);
    return 0;
}
