#include "cli/models.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A colon-separated list of paths, as in $PATH. */
static bool add_paths(Arena *arena, Library *library, const char *paths, Diag *diag)
{
    bool good = true;
    char *rest = arena_copy(arena, paths, strlen(paths));
    for (char *path = strsep(&rest, ":"); path; path = strsep(&rest, ":"))
        if (*path)
            good &= library_add(library, path, diag);
    return good;
}

/* The user's data folder is optional: it counts only where it exists. */
static bool add_user_folder(Arena *arena, Library *library, Diag *diag)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const char *path = data && *data ? arena_printf(arena, "%s/collcost/models", data)
                       : home && *home
                           ? arena_printf(arena, "%s/.local/share/collcost/models", home)
                           : NULL;
    return !path || access(path, R_OK) != 0 || library_add(library, path, diag);
}

Library *models_open(Arena *arena, const SourceArray *loaded, Diag *diag)
{
    const char *variable = getenv("COLLCOST_MODELS");
    Library *library = library_open(arena);
    bool good = add_user_folder(arena, library, diag);
    if (variable)
        good &= add_paths(arena, library, variable, diag);
    for (size_t i = 0; loaded && i < loaded->count; i++)
        good &= library_add_source(library, loaded->items[i], diag);
    return good ? library : NULL;
}

/* Typed algorithms and files become part of the library. */
static bool may_add(Text operand)
{
    return memchr(operand.chars, ':', operand.length) ||
           memchr(operand.chars, '.', operand.length) || access(operand.chars, F_OK) == 0;
}

static bool adds_models(const CommandLine *line)
{
    bool adds = option_given(line, OPTION_MODELS);
    for (size_t i = 0; i < line->operands.count; i++)
        adds |= may_add(line->operands.items[i]);
    return adds;
}

Library *models_of_line(const CommandLine *line)
{
    const Context *context = line->context;
    const TextArray *paths = &line->values[OPTION_MODELS];
    if (context && context->library && !adds_models(line))
        return context->library;
    Library *library = models_open(line->arena, context ? &context->models : NULL, line->diag);
    bool good = library != NULL;
    for (size_t i = 0; good && i < paths->count; i++)
        good &= library_add(library, paths->items[i].chars, line->diag);
    return good ? library : NULL;
}
