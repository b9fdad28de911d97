#include "model/builtin_tree.h"

const uint16_t builtin_tree_numbers[] = {0};
const char builtin_tree_texts[] = "";
const BuiltinTree builtin_trees[] = {{0, 0, 0, 0, 0}};
const size_t builtin_tree_count = 0;
