/* Trees and paths as a model file, which reads back as the algorithm that they are. */
#ifndef COLLCOST_SYNTH_TREE_TEXT_H
#define COLLCOST_SYNTH_TREE_TEXT_H

#include "base/buffer.h"
#include "synth/packed_tree.h"

/* How trees are written: by the root, whose block they carry; the block by its number; paths by
   both ends, from or to a root. */
typedef enum { TREES_OF_ROOTS, TREES_OF_BLOCKS, TREES_ARE_PATHS } TreeForm;

/* Appends a model `name` of the collective; another one may be in the text before it. */
void packing_write(Buffer *text, const TreePacking *packing, TreeForm form, const char *collective,
                   const char *name, const char *network);

#endif
