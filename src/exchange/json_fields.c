#include "exchange/json_fields.h"

#include "base/quantity.h"

const Node *json_get(const JsonReader *reader, const Node *map, const char *key, NodeKind kind)
{
    static const char *const words[] = {"a number or a name", "a list", "an object"};
    const Node *found = map->kind == NODE_MAP ? node_get(map, key) : NULL;
    if (found && found->kind == kind)
        return found;
    JSON_FAIL(reader, found ? found : map, "expected %s '%s'", words[kind], key);
    return NULL;
}

bool json_list(const JsonReader *reader, const Node *map, const char *key, const Node **list)
{
    *list = map->kind == NODE_MAP ? node_get(map, key) : NULL;
    return !*list || (*list)->kind == NODE_LIST ||
           JSON_FAIL(reader, *list, "expected a list '%s'", key);
}

bool json_whole(const JsonReader *reader, const Node *node, int64_t least, int64_t most,
                int32_t *number)
{
    int64_t value;
    if (node->kind != NODE_SCALAR)
        return JSON_FAIL(reader, node, "expected a number");
    if (!quantity_parse_integer(node->text, least, most, &value, reader->diag))
        return false;
    *number = (int32_t)value;
    return true;
}

bool json_get_number(const JsonReader *reader, const Node *map, const char *key, int64_t least,
                     int64_t most, int32_t *number)
{
    const Node *node = json_get(reader, map, key, NODE_SCALAR);
    return node && json_whole(reader, node, least, most, number);
}
