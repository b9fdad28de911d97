/* A YAML document as a tree of nodes that know where they stood.

   Nobody above this layer sees YAML; nobody but yaml.c sees libyaml. */
#ifndef COLLCOST_MODEL_NODE_H
#define COLLCOST_MODEL_NODE_H

#include "base/diag.h"

typedef enum { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeKind;

typedef struct Node {
    NodeKind kind;
    Text text; /* a scalar's characters; for a list or map only the span counts */
    size_t count;
    struct Node **keys;   /* of a map: scalars, in written order, no two equal */
    struct Node **values; /* of a map or list */
} Node;

ARRAY_TYPE(NodeArray, Node *);

/* Appends the documents of `source`. False after reports: malformed YAML, anchors, tags, two equal
   keys, more than 64 levels, 2^20 nodes; bytes that are not UTF-8, or NUL. */
bool yaml_parse(Arena *arena, const Source *source, NodeArray *documents, Diag *diag);

/* The value of a key in a map, or NULL. */
const Node *node_get(const Node *map, const char *key);
/* Reports keys that are not among `keys` (with a suggestion). */
bool node_check_keys(const Node *map, const char *what, const char *const *keys, size_t count,
                     Diag *diag);

/* Each reports and returns false if the node is of another kind. `what` is what the value means:
   "the startup time of a machine". */
bool node_is_scalar(const Node *node, const char *what, Diag *diag);
bool node_is_map(const Node *node, const char *what, Diag *diag);
/* A scalar's text as a string. */
const char *node_string(Arena *arena, const Node *node);

/* A list's items, or the node itself as the only one: `after: b` and `after: [b, c]`. */
size_t node_item_count(const Node *node);
const Node *node_item(const Node *node, size_t index);

#endif
