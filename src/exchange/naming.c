#include "exchange/naming.h"

#include <string.h>

bool naming_add(Arena *arena, Naming *naming, Text text, Diag *diag)
{
    NamedModel named = {0};
    Text name, model, collective;
    if (!text_split(text, '=', &name, &model) || !text_trim(name).length ||
        !text_trim(model).length) {
        diag_error(diag, text.span,
                   "expected NAME=MODEL: an algorithm of a log, and one of the library");
        return false;
    }
    named.name = text_trim(name);
    named.model = text_trim(model);
    named.model.chars = arena_copy(arena, named.model.chars, named.model.length); /* ends in NUL */
    if (text_split(named.name, '/', &collective, &named.name)) {
        named.operation = operation_find(collective);
        if (!named.operation) {
            diag_error(diag, collective.span, "'%.*s' is not a collective that logs contain",
                       (int)collective.length, collective.chars);
            return false;
        }
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

static bool fits(const NamedModel *named, const Measurement *row)
{
    size_t length = named->name.length;
    bool is_open = length > 0 && named->name.chars[length - 1] == '*';
    length -= is_open;
    return (!named->operation || strcmp(named->operation->name, row->collective) == 0) &&
           strncmp(named->name.chars, row->algorithm, length) == 0 &&
           strlen(row->algorithm) >= length && (is_open || row->algorithm[length] == '\0');
}

const NamedModel *naming_find(const Naming *naming, const Measurement *row)
{
    for (size_t i = 0; i < naming->count; i++)
        if (fits(&naming->items[i], row))
            return &naming->items[i];
    return NULL;
}
