/* The files of models below a folder. */
#ifndef COLLCOST_MODEL_FOLDER_H
#define COLLCOST_MODEL_FOLDER_H

#include "base/diag.h"
#include "base/source.h"

ARRAY_TYPE(PathArray, const char *);

/* Appends all files *.yaml and *.yml below `path`, sorted by name in each folder, folder by folder.
   What begins with a dot is left out, and a folder that was met before, by a link. What cannot be
   read, is too deep or too much is said by `say`: diag_error, and then false, or diag_warning, and
   then it is left out. */
bool folder_list(Arena *arena, const char *path, PathArray *files, DiagSay *say, Diag *diag);

/* Which files of the user were read, under whatever names. */

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
