#include "cli/verify_parts.h"

#include "cli/models.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(Text text, const char *ending)
{
    size_t length = strlen(ending);
    return text.length > length && strcmp(text.chars + text.length - length, ending) == 0;
}

/* A file or folder, unless a model has that name. */
static bool is_path(const Query *query, Text text)
{
    return !library_find(query->study.library, text) &&
           (text_equals(text, "-") || ends_with(text, ".yaml") || ends_with(text, ".yml") ||
            access(text.chars, F_OK) == 0);
}

/* Does the folder hold the file, however either is spelled? */
static bool is_below(const char *file, const char *folder)
{
    char whole_file[PATH_MAX], whole_folder[PATH_MAX];
    if (!realpath(file, whole_file) || !realpath(folder, whole_folder))
        return false;
    size_t length = strlen(whole_folder);
    return strncmp(whole_file, whole_folder, length) == 0 &&
           (whole_file[length] == '/' || length == 1);
}

/* Was the model read from that file, or from one in that folder? A pipe is known by what it gave,
   since it has no path. */
static bool is_from(const Library *library, const ModelEntry *entry, const char *path)
{
    const Source *source = library_source(library, path);
    return entry->is_users && (source ? entry->source == source : is_below(entry->path, path));
}

/* A file's models, a collective with its algorithms, or one model. */
static bool list_named(const Query *query, Text name, ModelEntries *entries)
{
    size_t before = entries->count;
    if (library_is_typed(name) && access(name.chars, F_OK) != 0) {
        const ModelEntry *typed = library_add_typed(query->study.library, name, query->study.diag);
        *ARRAY_PUSH(query->study.arena, entries) = typed;
        return typed != NULL;
    }
    bool named_by_path = is_path(query, name);
    const ModelEntry *found = named_by_path ? NULL : library_find(query->study.library, name);
    size_t length = found ? strlen(found->name) : 0;
    if (named_by_path && (!models_may_read(query->line->context, name, query->study.diag) ||
                          !library_add(query->study.library, name.chars, query->study.diag)))
        return false;
    for (size_t i = 0; i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        bool matches = named_by_path ? is_from(query->study.library, entry, name.chars)
                                     : found && strncmp(entry->name, found->name, length) == 0 &&
                                           (!entry->name[length] || entry->name[length] == '/');
        if (matches)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    if (entries->count > before)
        return true;
    if (named_by_path)
        diag_error(query->study.diag, name.span, "'%s' has no models", name.chars);
    else
        library_report_missing(query->study.library, KIND_COUNT, name, query->study.diag);
    return false;
}

/* A model that is named twice is verified once. */
static void drop_repeated(ModelEntries *entries)
{
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        size_t before = 0;
        while (before < kept && entries->items[before] != entries->items[i])
            before++;
        if (before == kept)
            entries->items[kept++] = entries->items[i];
    }
    entries->count = kept;
}

/* A model of the files that are named would pass unseen where one that was read later hides it. */
static bool check_hidden(const Query *query, const ModelEntry *entry)
{
    const TextArray *names = &query->line->operands;
    if (entry->kind != KIND_ALGORITHM && entry->kind != KIND_COLLECTIVE &&
        entry->kind != KIND_TOPOLOGY)
        return true; /* nothing of it is verified */
    for (const ModelEntry *hidden = entry->hides; hidden; hidden = hidden->hides)
        for (size_t i = 0; i < names->count; i++)
            if (is_from(query->study.library, hidden, names->items[i].chars))
                return diag_error(query->study.diag, names->items[i].span,
                                  "%s of %s cannot be verified: that of %s takes its place",
                                  entry->name, hidden->path, entry->path);
    return true;
}

/* Those that are named, else all, or all of one source. */
bool verify_entries(const Query *query, const Source *source, ModelEntries *entries)
{
    const TextArray *names = &query->line->operands;
    for (size_t i = 0; i < names->count; i++)
        if (!list_named(query, names->items[i], entries))
            return false;
    if (names->count > 1)
        drop_repeated(entries);
    for (size_t i = 0; names->count && i < entries->count; i++)
        if (!check_hidden(query, entries->items[i]))
            return false;
    for (size_t i = 0; names->count == 0 && i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        if (!source || entry->source == source)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    return true;
}
