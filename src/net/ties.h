/* Which path a message takes where both paths round a ring are equally long. */
#ifndef COLLCOST_NET_TIES_H
#define COLLCOST_NET_TIES_H

typedef enum {
#define TIES(id, word, help) TIES_##id,
#include "net/ties.def"
    TIES_COUNT
} Ties;

/* "plus", ...: how --ties names them. */
extern const char *const ties_names[TIES_COUNT];

#endif
