/* The sections of the manual pages. */
#ifndef COLLCOST_SESSION_TOPICS_H
#define COLLCOST_SESSION_TOPICS_H

#include "base/source.h"

ARRAY_TYPE(WordArray, const char *);

typedef struct {
    Text title;
    const char *text;
    size_t length;
} Section;

/* Appends the titles of all that are not about one command, in small letters. */
void topics_list(Arena *arena, WordArray *topics);
/* The section of that title, else the first that begins so; false where there is none. */
bool topic_find(Text topic, Section *found);

#endif
