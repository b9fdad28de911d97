/* Trees and paths as a model file, which reads back as the algorithm that they are. */
#ifndef COLLCOST_SYNTH_TREE_TEXT_H
#define COLLCOST_SYNTH_TREE_TEXT_H

#include "base/buffer.h"
#include "synth/packing.h"
#include "synth/ways.h"

/* Append a model `name` of the collective; another one may be in the text before it. */
void packing_write(Buffer *text, const TreePacking *packing, const char *collective,
                   const char *name, const char *network);
void ways_write(Buffer *text, const WaySet *ways, const char *collective, const char *name,
                const char *network);

#endif
