#include "net/ties.h"

const char *const ties_names[TIES_COUNT] = {
#define TIES(id, word, help) word,
#include "net/ties.def"
#undef TIES
};
