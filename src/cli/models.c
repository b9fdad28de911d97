#include "cli/models.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The user's data folder, whose name must be absolute; NULL: there is none. */
static const char *find_user_folder(Arena *arena)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    return data && *data == '/' ? arena_printf(arena, "%s/collcost/models", data)
           : home && *home      ? arena_printf(arena, "%s/.local/share/collcost/models", home)
                                : NULL;
}

void models_note_replaced(Arena *arena, const Library *library, Diag *diag)
{
    const char *folder = find_user_folder(arena), *list = NULL;
    size_t length = folder ? strlen(folder) : 0;
    for (size_t i = 0; folder && i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->replaces && strncmp(entry->path, folder, length) == 0 &&
            entry->path[length] == '/')
            list = list ? arena_printf(arena, "%s, %s", list, entry->name) : entry->name;
    }
    if (list)
        diag_note(diag, NOWHERE, "models in %s replace built-in ones: %s", folder, list);
}

bool models_may_read(const Context *context, Text path, Diag *diag)
{
    return !context || !context->reads_input || !text_equals(path, "-") ||
           diag_error(diag, path.span, "the standard input holds the lines that are run");
}

const Source *models_read_source(const Context *context, Arena *arena, Text path, size_t limit,
                                 Diag *diag)
{
    const char *why = NULL;
    if (!models_may_read(context, path, diag))
        return NULL;
    const char *name = text_string(arena, path);
    const Source *source = source_read(arena, name, limit, &why);
    return source ? source : DIAG_NULL(diag, path.span, "cannot read '%s': %s", name, why);
}

static const Source *make_models(void *wish, Arena *arena, const Source *source, Diag *diag)
{
    return network_is_described(arena, source) ? network_as_models(arena, source, wish, diag)
                                               : source;
}

/* All that is not said in a line, to be read. */
static Library *enter_all(Arena *arena, const SourceArray *loaded, const NetworkWish *wish,
                          Diag *diag)
{
    const char *variable = getenv("COLLCOST_MODELS");
    Library *library = library_open(arena);
    NetworkWish *own = ARENA_COPY(arena, NetworkWish, wish, 1);
    own->library = library;
    library_make_by(library, make_models, own);
    /* It is optional: it counts where it exists, and is no obstacle to what does not need it. */
    const char *folder = find_user_folder(arena);
    if (folder && access(folder, F_OK) == 0)
        library_enter_readable(library, folder, diag);
    if (variable) {
        /* A colon-separated list of paths, as in $PATH. */
        char *rest = arena_copy(arena, variable, strlen(variable));
        for (char *path = strsep(&rest, ":"); path; path = strsep(&rest, ":"))
            if (*path)
                library_enter(library, path, diag);
    }
    for (size_t i = 0; loaded && i < loaded->count; i++)
        library_enter_source(library, loaded->items[i], diag);
    return library;
}

Library *models_open(Arena *arena, const SourceArray *loaded, Diag *diag)
{
    Library *library = enter_all(arena, loaded, &(NetworkWish){0}, diag);
    return library_read(library, diag) ? library : NULL;
}

/* The path of a file in "FILE:SIZES" or "FILE", which has a dot or a slash, in the place of the
   name of a model. */
static Text file_of(Text text)
{
    Text name = text, sizes;
    text_split(text, ':', &name, &sizes);
    char path[PATH_MAX];
    struct stat status;
    const bool is_short =
        (memchr(name.chars, '.', name.length) || memchr(name.chars, '/', name.length)) &&
        name.length < sizeof path;
    if (is_short)
        path[name.length] = '\0', memcpy(path, name.chars, name.length);
    const bool is_file = is_short && stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
    return is_file ? name : (Text){.chars = ""};
}

Text models_name_in(const Library *library, Text text, ModelKind kind)
{
    const char *name = library_first_of(library, text, kind);
    return name ? (Text){name, strlen(name), text.span, false} : text;
}

bool models_read_wish(const CommandLine *line, NetworkWish *wish)
{
    static const char *const orders[] = {"leaf", "name", "given"};
    *wish = (NetworkWish){0};
    if (!option_integer(line, OPTION_NODES, 1, 1 << 20, &wish->nodes))
        return false;
    if (option_given(line, OPTION_HOSTS))
        wish->hosts = option_value(line, OPTION_HOSTS);
    if (option_given(line, OPTION_ORDER)) {
        const Text order = option_value(line, OPTION_ORDER);
        if (text_among(order, orders, COUNT_OF(orders)) < COUNT_OF(orders))
            wish->order = order;
        if (!wish->order.length && !(order.length && strchr("0123456789", order.chars[0])))
            return diag_error(line->diag, order.span,
                              "an order is leaf, name or given, or a number");
    }
    if (option_given(line, OPTION_NODE))
        wish->node = models_read_source(line->context, line->arena, option_value(line, OPTION_NODE),
                                        LIMIT_FILE_BYTES, line->diag);
    return !option_given(line, OPTION_NODE) || wish->node;
}

Library *models_of_line(const CommandLine *line)
{
    const Context *context = line->context;
    const TextArray *paths = &line->values[OPTION_MODELS];
    /* Typed algorithms and files become part of the library; and what other libraries run may be a
       typed sequence. */
    bool adds = option_given(line, OPTION_MODELS) || option_given(line, OPTION_FOR) ||
                option_given(line, OPTION_WITHOUT) ||
                (line->command && (line->command->options & OPTION_MASK(OPTION_MAP)));
    for (size_t i = 0; i < line->operands.count; i++) {
        const Text operand = line->operands.items[i];
        adds |= text_equals(operand, "-") || memchr(operand.chars, ':', operand.length) ||
                memchr(operand.chars, '.', operand.length) || access(operand.chars, F_OK) == 0;
    }
    /* Files where a network, or a model to be shown, is named. */
    const TextArray *lists[] = {&line->values[OPTION_TOPOLOGY], &line->values[OPTION_MACHINE],
                                &line->operands};
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; i < lists[n]->count; i++)
            adds |= file_of(lists[n]->items[i]).length > 0;
    if (context && context->library && !adds)
        return context->library;
    NetworkWish wish;
    if (!models_read_wish(line, &wish))
        return NULL;
    Library *library = enter_all(line->arena, context ? &context->models : NULL, &wish, line->diag);
    for (size_t i = 0; i < paths->count; i++) {
        if (!models_may_read(context, paths->items[i], line->diag))
            return NULL;
        library_enter(library, paths->items[i].chars, line->diag);
    }
    const int count = line->command && line->command->shows_models ? 3 : 2;
    for (int n = 0; n < count; n++)
        for (size_t i = 0; i < lists[n]->count; i++) {
            const Text path = file_of(lists[n]->items[i]);
            if (path.length && models_may_read(context, path, line->diag))
                library_enter(library, text_string(line->arena, path), line->diag);
        }
    if (!library_read(library, line->diag))
        return NULL;
    if (!context || !context->library) /* else the session has told */
        models_note_replaced(line->arena, library, line->diag);
    return library;
}
