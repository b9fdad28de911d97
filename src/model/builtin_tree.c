#include "model/builtin_tree.h"

typedef struct {
    const Source *source;
    const uint16_t *number;
    const char *text;
    Node *node;  /* the next one, */
    Node **link; /* and the next place for one */
} TreeReader;

static Node **take_links(TreeReader *reader, size_t count)
{
    Node **links = reader->link;
    reader->link += count;
    return count ? links : NULL;
}

static Node *read_tree(TreeReader *reader)
{
    const uint16_t *number = reader->number;
    Node *node = reader->node++;
    *node = (Node){.kind = (NodeKind)(number[0] & 3), .count = number[0] >> 3};
    Text *text = &node->text;
    text->span = (Span){reader->source, number[1], number[2]};
    text->verbatim = number[0] >> 2 & 1;
    reader->number += 3;
    if (text->verbatim) {
        text->chars = reader->source->text + number[1];
        text->length = number[2];
    } else if (node->kind == NODE_SCALAR) {
        text->chars = reader->text;
        text->length = *reader->number++;
        reader->text += text->length + 1;
    }
    node->keys = node->kind == NODE_MAP ? take_links(reader, node->count) : NULL;
    node->values = take_links(reader, node->count);
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == NODE_MAP)
            node->keys[i] = read_tree(reader);
        node->values[i] = read_tree(reader);
    }
    return node;
}

const BuiltinTree *builtin_tree_of(const BuiltinFile *file)
{
    const size_t index = (size_t)(file - builtin_files);
    return index < builtin_tree_count ? &builtin_trees[index] : NULL;
}

const Node *builtin_tree_read(Arena *arena, const BuiltinTree *tree, const Source *source)
{
    TreeReader reader = {
        source, builtin_tree_numbers + tree->numbers, builtin_tree_texts + tree->texts,
        ARENA_ROOM(arena, Node, tree->node_count), ARENA_ROOM(arena, Node *, tree->link_count)};
    return read_tree(&reader);
}
