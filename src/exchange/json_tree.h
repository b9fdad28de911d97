/* JSON as a tree whose values know their place, and whose objects keep all their keys, equal
   ones among them: for files of libraries that read JSON in their own ways. */
#ifndef COLLCOST_EXCHANGE_JSON_TREE_H
#define COLLCOST_EXCHANGE_JSON_TREE_H

#include "base/source.h"

typedef enum { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_WORD } JsonKind;

typedef struct JsonValue {
    JsonKind kind;
    Text text; /* of a string its characters, else how it stands there; its place, without quotes */
    size_t count;
    struct JsonValue **keys;   /* of an object, in written order */
    struct JsonValue **values; /* of an object or array */
} JsonValue;

/* What a reader takes beside JSON with commas behind the last value. */
typedef struct {
    bool is_lenient; /* comments, single quotes; what follows the value is not read */
    int depth;       /* most objects and arrays around one another; at most LIMIT_DEPTH */
    size_t *from; /* where the value begins, and then where it ends; NULL: it is the whole text */
} JsonDialect;

/* Where and why a text is no JSON. */
typedef struct {
    Span span;
    const char *text;
} JsonFault;

/* The value of a text; NULL: there is a fault. Linear in the text. */
const JsonValue *json_tree_parse(Arena *arena, const Source *source, JsonDialect dialect,
                                 JsonFault *fault);
/* The value of a key, of equal ones the last; NULL: there is none. */
const JsonValue *json_tree_get(const JsonValue *object, const char *key);
/* The same, also of values within it. */
const JsonValue *json_tree_find(const JsonValue *object, const char *key);
/* Its text; empty: there is none. */
Text json_tree_text(const JsonValue *object, const char *key);

#endif
