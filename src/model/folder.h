/* The files of models below a folder. */
#ifndef COLLCOST_MODEL_FOLDER_H
#define COLLCOST_MODEL_FOLDER_H

#include "base/diag.h"

ARRAY_TYPE(PathArray, const char *);

/* Appends all files *.yaml and *.yml below `path`, sorted by name in each folder, folder by folder.
   What begins with a dot is left out, and a folder that was met before, by a link. What cannot be
   read, is too deep or too much is said by `say`: diag_error, and then false, or diag_warning, and
   then it is left out. */
bool folder_list(Arena *arena, const char *path, PathArray *files, DiagSay *say, Diag *diag);

#endif
