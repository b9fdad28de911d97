#include "model/node.h"

#include <string.h>

const Node *node_get(const Node *map, const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (text_equals(map->keys[i]->text, key))
            return map->values[i];
    return NULL;
}

bool node_check_keys(const Node *map, const char *what, const char *const *keys, size_t count,
                     Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < map->count; i++) {
        Text key = map->keys[i]->text;
        if (text_among(key, keys, count) < count)
            continue;
        diag_error(diag, key.span, "%s has no key '%.*s'", what, TEXT_ARGS(key));
        if (memchr(key.chars, ')', key.length))
            diag_note(diag, NOWHERE,
                      "YAML splits a map in braces at every comma: a value that has one needs "
                      "quotes, or a line of its own");
        else
            diag_suggest(diag, key, keys, count);
        good = false;
    }
    return good;
}

static const char *const kind_names[] = {"a single value", "a list", "a map of keys"};

static bool is_kind(const Node *node, NodeKind kind, const char *what, Diag *diag)
{
    if (node->kind != kind)
        diag_error(diag, node->text.span, "%s is %s, not %s", what, kind_names[kind],
                   kind_names[node->kind]);
    return node->kind == kind;
}

bool node_is_scalar(const Node *node, const char *what, Diag *diag)
{
    return is_kind(node, NODE_SCALAR, what, diag);
}

bool node_is_map(const Node *node, const char *what, Diag *diag)
{
    return is_kind(node, NODE_MAP, what, diag);
}

const char *node_string(Arena *arena, const Node *node)
{
    return text_string(arena, node->text);
}

size_t node_item_count(const Node *node)
{
    return node->kind == NODE_LIST ? node->count : 1;
}

const Node *node_item(const Node *node, size_t index)
{
    return node->kind == NODE_LIST ? node->values[index] : node;
}
