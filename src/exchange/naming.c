#include "exchange/naming.h"

#include <string.h>

bool naming_add(Arena *arena, Naming *naming, Text text, Diag *diag)
{
    NamedModel named = {0};
    Text name, model, collective;
    if (!text_split(text, '=', &name, &model) || !text_trim(name).length ||
        !text_trim(model).length)
        return diag_error(diag, text.span,
                          "expected NAME=MODEL: an algorithm of a log, and one of the library");
    named.name = text_trim(name);
    named.model = text_trim(model);
    named.model.chars = text_string(arena, named.model); /* ends in NUL */
    if (text_split(named.name, '/', &collective, &named.name)) {
        named.operation = operation_find(collective);
        if (!named.operation)
            return diag_error(diag, collective.span, "'%.*s' is not a collective that logs contain",
                              TEXT_ARGS(collective));
    }
    *ARRAY_PUSH(arena, naming) = named;
    return true;
}

bool naming_read(Arena *arena, Naming *naming, const Source *source, Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < source->line_count; i++) {
        size_t from = source->line_starts[i], length;
        const char *chars = source_line(source, from, &length);
        const char *comment = memchr(chars, '#', length);
        length = comment ? (size_t)(comment - chars) : length;
        Text line = text_trim((Text){chars, length, {source, from, length}, true});
        good &= line.length == 0 || naming_add(arena, naming, line, diag);
    }
    return good;
}

const NamedModel *naming_find(const Naming *naming, const Measurement *row)
{
    const size_t length = measurement_name_length(row);
    for (size_t i = 0; i < naming->count; i++) {
        const NamedModel *named = &naming->items[i];
        const bool is_open = text_ends(named->name, "*");
        const size_t start = named->name.length - is_open;
        if ((!named->operation || strcmp(named->operation->name, row->collective) == 0) &&
            strncmp(named->name.chars, row->algorithm, start) == 0 &&
            (is_open ? length >= start : length == start))
            return named;
    }
    return NULL;
}

bool naming_is_by_library(Library *library, Text model)
{
    Text name, id;
    return text_split(model, ':', &name, &id) &&
           !library_try(library, KIND_COLLECTIVE, text_trim(name));
}

bool naming_by_library(Arena *arena, Library *library, Text model, const char *collective,
                       NamedByLibrary *named, Diag *diag)
{
    Text name, id, version = {0};
    size_t at = 0;
    const LibraryAlgorithm *one;
    text_split(model, ':', &name, &id);
    id = text_trim(id);
    text_split(name, '@', &name, &version);
    *named = (NamedByLibrary){.library = library_implementation(library, text_trim(name), diag)};
    named->version =
        named->library ? implementation_version(named->library, text_trim(version), diag) : NULL;
    if (!named->version)
        return false;
    while ((one = implementation_next(named->library, named->version, collective, &at)))
        if ((text_equals(id, one->name) || library_algorithm_has_number(one, id)) &&
            (!named->algorithm || !named->algorithm->model.length))
            named->algorithm = one;
    if (!named->algorithm) {
        const char **names = ARENA_ARRAY(arena, const char *, named->library->algorithm_count + 1);
        size_t count = 0;
        at = 0;
        while ((one = implementation_next(named->library, named->version, collective, &at)))
            names[count++] = one->name;
        diag_error(diag, id.span, "%s@%s has no algorithm '%.*s'%s%s", named->library->head.name,
                   named->version, TEXT_ARGS(id), *collective ? " of " : "", collective);
        return diag_suggest(diag, id, names, count);
    }
    return named->algorithm->model.length ||
           diag_error(diag, id.span, "there is no model of %s of %s@%s", named->algorithm->name,
                      named->library->head.name, named->version);
}
