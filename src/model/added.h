/* Which files of the user were read, under whatever names. */
#ifndef COLLCOST_MODEL_ADDED_H
#define COLLCOST_MODEL_ADDED_H

#include "base/source.h"

typedef struct {
    uint64_t device, inode; /* of the file system */
    const Source *source;
} AddedFile;

ARRAY_TYPE(AddedFiles, AddedFile);

/* What was read from the file ("-": the standard input); NULL: it was not, or there is none. */
const Source *added_source(const AddedFiles *files, const char *path);
/* The entry lives in `arena`. A file that has gone by now is not remembered. */
void added_remember(Arena *arena, AddedFiles *files, const char *path, const Source *source);

#endif
