/* The built-in models as trees, which build-aux/flatten-models has parsed: reading them with
   libyaml would take most of the time of a short question.

   A tree is a list of numbers, node after node, each before its values; a key comes before its
   value.

       kind + 4 * verbatim + 8 * count of values,  place,  length of the span
       a scalar whose characters are not in the file as they are:  their number, after that

   The characters of the latter follow one another, each with a NUL, in builtin_tree_texts. */
#ifndef COLLCOST_MODEL_BUILTIN_TREE_H
#define COLLCOST_MODEL_BUILTIN_TREE_H

#include "model/builtin.h"
#include "model/node.h"

typedef struct {
    size_t numbers, texts; /* where its own begin */
    size_t node_count;
    size_t link_count; /* of keys and values */
    bool is_copy;      /* of what a library runs: the document has the key `library` */
} BuiltinTree;

/* In the order of builtin_files; none where the program was built for another machine. */
extern const BuiltinTree builtin_trees[];
extern const size_t builtin_tree_count;
extern const uint16_t builtin_tree_numbers[];
extern const char builtin_tree_texts[];

/* NULL: the program has no trees. */
const BuiltinTree *builtin_tree_of(const BuiltinFile *file);
/* The document of `source`, which is that of a built-in file, as yaml_parse makes it. */
const Node *builtin_tree_read(Arena *arena, const BuiltinTree *tree, const Source *source);

#endif
