#include "cli/models.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A colon-separated list of paths, as in $PATH. */
static void enter_paths(Arena *arena, Library *library, const char *paths, Diag *diag)
{
    char *rest = arena_copy(arena, paths, strlen(paths));
    for (char *path = strsep(&rest, ":"); path; path = strsep(&rest, ":"))
        if (*path)
            library_enter(library, path, diag);
}

/* The user's data folder is optional: it counts only where it exists. */
static void enter_user_folder(Arena *arena, Library *library, Diag *diag)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const char *path = data && *data ? arena_printf(arena, "%s/collcost/models", data)
                       : home && *home
                           ? arena_printf(arena, "%s/.local/share/collcost/models", home)
                           : NULL;
    if (path && access(path, R_OK) == 0)
        library_enter(library, path, diag);
}

/* All that is not said in a line, to be read. */
static Library *enter_all(Arena *arena, const SourceArray *loaded, Diag *diag)
{
    const char *variable = getenv("COLLCOST_MODELS");
    Library *library = library_open(arena);
    enter_user_folder(arena, library, diag);
    if (variable)
        enter_paths(arena, library, variable, diag);
    for (size_t i = 0; loaded && i < loaded->count; i++)
        library_enter_source(library, loaded->items[i], diag);
    return library;
}

Library *models_open(Arena *arena, const SourceArray *loaded, Diag *diag)
{
    Library *library = enter_all(arena, loaded, diag);
    return library_read(library, diag) ? library : NULL;
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
    Library *library = enter_all(line->arena, context ? &context->models : NULL, line->diag);
    for (size_t i = 0; i < paths->count; i++)
        library_enter(library, paths->items[i].chars, line->diag);
    return library_read(library, line->diag) ? library : NULL;
}
