/* Fields of objects in JSON, which must be there. */
#ifndef COLLCOST_EXCHANGE_JSON_FIELDS_H
#define COLLCOST_EXCHANGE_JSON_FIELDS_H

#include "model/node.h"

/* Who reads: texts of messages live in `arena`. */
typedef struct {
    Arena *arena;
    Diag *diag;
} JsonReader;

/* Reports; false. */
#define JSON_FAIL(reader, node, ...) diag_error((reader)->diag, (node)->text.span, __VA_ARGS__)
/* The value of a key, of that kind; NULL after a report. */
const Node *json_get(const JsonReader *reader, const Node *map, const char *key, NodeKind kind);
/* The same of a list; NULL also where the key is missing, or `map` is no object. False after a
   report. */
bool json_list(const JsonReader *reader, const Node *map, const char *key, const Node **list);
/* A whole number in this range; false after a report. */
bool json_whole(const JsonReader *reader, const Node *node, int64_t least, int64_t most,
                int32_t *number);
bool json_get_number(const JsonReader *reader, const Node *map, const char *key, int64_t least,
                     int64_t most, int32_t *number);

#endif
