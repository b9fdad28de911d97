#include "model/folder.h"

#include "base/limits.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    dev_t device;
    ino_t inode;
} Place;

ARRAY_TYPE(PlaceArray, Place);

typedef struct {
    Arena *arena;
    PathArray *files;
    PlaceArray folders; /* that were met */
    size_t entry_count;
    bool is_too_large;
    DiagSay *say;
    Diag *diag;
} Search;

/* A folder while its entries are read. */
typedef struct {
    Resource resource;
    DIR *stream;
} OpenFolder;

static void close_folder(Resource *resource)
{
    closedir(((OpenFolder *)(void *)resource)->stream); /* its first member */
}

/* In any locale. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool report(Search *search, const char *path, int error)
{
    if (error == ENOMEM)
        workspace_fail(arena_workspace(search->arena), 0);
    return search->say(search->diag, NOWHERE, "cannot read the folder '%s': %s", path,
                       strerror(error));
}

/* What is in the folder, sorted. */
static bool list_names(Search *search, const char *path, PathArray *names)
{
    OpenFolder open = {.stream = opendir(path)};
    if (!open.stream)
        return report(search, path, errno);
    workspace_hold(arena_workspace(search->arena), &open.resource, close_folder);
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(open.stream)) && !search->is_too_large) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        search->is_too_large = ++search->entry_count > LIMIT_FOLDER_ENTRIES;
        if (entry->d_name[0] != '.')
            *ARRAY_PUSH(search->arena, names) =
                arena_copy(search->arena, entry->d_name, strlen(entry->d_name));
    }
    const int error = errno;
    workspace_drop(&open.resource);
    closedir(open.stream);
    if (search->is_too_large)
        return search->say(search->diag, NOWHERE,
                           "too many files below a folder of models (more than %d): give the "
                           "folder that holds the models",
                           LIMIT_FOLDER_ENTRIES);
    if (error)
        return report(search, path, error);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    return true;
}

static bool is_known(Search *search, const struct stat *status)
{
    for (size_t i = 0; i < search->folders.count; i++)
        if (search->folders.items[i].device == status->st_dev &&
            search->folders.items[i].inode == status->st_ino)
            return true;
    *ARRAY_PUSH(search->arena, &search->folders) = (Place){status->st_dev, status->st_ino};
    return false;
}

static bool search_folder(Search *search, const char *path, int depth)
{
    PathArray names = {0};
    if (depth == LIMIT_FOLDER_DEPTH)
        return search->say(search->diag, NOWHERE, "cannot read the folder '%s': nested too deeply",
                           path);
    bool good = list_names(search, path, &names);
    for (size_t i = 0; i < names.count && !search->is_too_large; i++) {
        const char *inner = arena_printf(search->arena, "%s/%s", path, names.items[i]);
        struct stat status;
        const bool is_seen = stat(inner, &status) == 0;
        if (is_seen && S_ISDIR(status.st_mode)) {
            good &= is_known(search, &status) || search_folder(search, inner, depth + 1);
        } else if (text_ends(text_plain(inner), ".yaml") || text_ends(text_plain(inner), ".yml")) {
            /* Reading a pipe or a device may never end. What cannot be looked at is left to who
               reads it. */
            if (!is_seen || S_ISREG(status.st_mode))
                *ARRAY_PUSH(search->arena, search->files) = inner;
            else
                good &= search->say(search->diag, NOWHERE,
                                    "cannot read '%s': it is not a regular file", inner);
        }
    }
    return good;
}

bool folder_list(Arena *arena, const char *path, PathArray *files, DiagSay *say, Diag *diag)
{
    Search search = {.arena = arena, .files = files, .say = say, .diag = diag};
    struct stat status;
    if (stat(path, &status) == 0)
        is_known(&search, &status);
    return search_folder(&search, path, 0);
}

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
