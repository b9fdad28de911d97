#include "model/added.h"

#include <string.h>
#include <sys/stat.h>

static bool find_file(const char *path, struct stat *status)
{
    return stat(strcmp(path, "-") == 0 ? "/dev/stdin" : path, status) == 0;
}

const Source *added_source(const AddedFiles *files, const char *path)
{
    struct stat status;
    if (!find_file(path, &status))
        return NULL;
    for (size_t i = 0; i < files->count; i++)
        if (files->items[i].device == (uint64_t)status.st_dev &&
            files->items[i].inode == (uint64_t)status.st_ino)
            return files->items[i].source;
    return NULL;
}

void added_remember(Arena *arena, AddedFiles *files, const char *path, const Source *source)
{
    struct stat status;
    if (find_file(path, &status))
        *ARRAY_PUSH(arena, files) =
            (AddedFile){(uint64_t)status.st_dev, (uint64_t)status.st_ino, source};
}
