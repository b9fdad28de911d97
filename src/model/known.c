#include "model/known.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMED = 4 };

#define KIND(id, key, plural, folder) key,
const char *const kind_keys[KIND_COUNT] = {
#include "model/kinds.def"
};
#undef KIND
#define KIND(id, key, plural, folder) plural,
const char *const kind_plurals[KIND_COUNT] = {
#include "model/kinds.def"
};
#undef KIND

static bool is_separator(char byte)
{
    return byte == '-' || byte == '_';
}

bool known_alike(Text text, const char *name)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < text.length && is_separator(text.chars[i]))
            i++;
        while (is_separator(name[j]))
            j++;
        if (i == text.length || !name[j])
            return i == text.length && !name[j];
        if (tolower((unsigned char)text.chars[i++]) != tolower((unsigned char)name[j++]))
            return false;
    }
}

/* "binomial" of "reduce/binomial", "reduce" of "reduce" */
static const char *plain_name(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash ? slash + 1 : name;
}

const KnownModel *known_find(const KnownModels *models, ModelKind kind, Text word)
{
    for (size_t i = 0; i < models->count; i++)
        if (models->items[i].kind == kind && known_alike(word, models->items[i].name))
            return &models->items[i];
    for (size_t i = 0; i < models->count; i++) {
        const KnownModel *model = &models->items[i];
        Text plain = word;
        if (model->kind != kind)
            continue;
        if (kind == KIND_ALGORITHM) {
            size_t prefix = (size_t)(plain_name(model->name) - model->name);
            if (prefix >= word.length || strncmp(word.chars, model->name, prefix) != 0)
                continue;
            plain = text_behind(word, prefix);
        }
        for (size_t a = 0; a < model->also_count; a++)
            if (known_alike(plain, model->also[a]))
                return model;
    }
    return NULL;
}

const KnownModel *known_owner(const KnownModels *models, Text word)
{
    const KnownModel *found = known_find(models, KIND_COLLECTIVE, word);
    return found ? found : known_find(models, KIND_PROBLEM, word);
}

/* Does the name of an algorithm begin with the collective and a slash? */
static bool is_of(const KnownModel *model, Text collective)
{
    return model->kind == KIND_ALGORITHM &&
           strncmp(model->name, collective.chars, collective.length) == 0 &&
           model->name[collective.length] == '/';
}

/* Does a word of "double-binary-tree" begin with `word`? Of short ones, all of it. */
static bool has_word(const char *name, Text word)
{
    const char *found = name;
    while (word.length > 0 && (found = strstr(found, word.chars))) {
        char after = found[word.length];
        if ((found == name || is_separator(found[-1])) &&
            (!after || is_separator(after) || word.length >= 4))
            return true;
        found++;
    }
    return false;
}

/* Names that are gathered for a note. */
typedef struct {
    Arena *arena;
    const char *list;
    size_t count;
} Gathered;

static void gather(Gathered *gathered, const char *name)
{
    if (gathered->count < MOST_NAMED)
        gathered->list =
            arena_printf(gathered->arena, "%s%s%s", gathered->count ? gathered->list : "",
                         gathered->count ? ", " : "", name);
    else if (gathered->count == MOST_NAMED)
        gathered->list = arena_printf(gathered->arena, "%s, ...", gathered->list);
    gathered->count++;
}

static bool note_gathered(const Gathered *found, const char *several, Diag *diag)
{
    if (found->count == 1)
        diag_note(diag, NOWHERE, "did you mean '%s'?", found->list);
    else if (found->count)
        diag_note(diag, NOWHERE, "%s: %s", several, found->list);
    return found->count > 0;
}

/* Notes the collectives, or problems, that have an algorithm of this name. */
static bool note_same_name(Arena *arena, const KnownModels *models, Text plain, Diag *diag)
{
    Gathered found = {.arena = arena};
    for (size_t i = 0; i < models->count; i++)
        if (models->items[i].kind == KIND_ALGORITHM &&
            known_alike(plain, plain_name(models->items[i].name)))
            gather(&found, models->items[i].name);
    return note_gathered(&found, "algorithms of that name", diag);
}

/* Notes models of this kind, and algorithms of this collective, whose name has the word: "tree" is
   no algorithm of allreduce, but double-binary-tree is one. */
static bool note_same_word(Arena *arena, const KnownModels *models, ModelKind kind, Text collective,
                           Text plain, Diag *diag)
{
    Gathered found = {.arena = arena};
    Text word = text_plain(text_string(arena, plain));
    for (size_t i = 0; i < models->count; i++) {
        const KnownModel *model = &models->items[i];
        const char *name = kind == KIND_ALGORITHM ? plain_name(model->name) : model->name;
        if (model->kind == kind && (!collective.length || is_of(model, collective)) &&
            has_word(name, word))
            gather(&found, model->name);
    }
    return note_gathered(&found, "similar names", diag);
}

/* Without case and separators: all_reduce and AllReduce are equally near to allreduce. */
static const char *folded(Arena *arena, Text text)
{
    char *copy = text_string(arena, text);
    size_t kept = 0;
    for (size_t i = 0; i < text.length; i++)
        if (!is_separator(text.chars[i]))
            copy[kept++] = (char)tolower((unsigned char)text.chars[i]);
    copy[kept] = '\0';
    return copy;
}

/* The nearest by spelling of the models of this kind (KIND_COUNT: of any); of algorithms, of those
   of one collective unless its length is 0. */
static const char *nearest(Arena *arena, const KnownModels *models, ModelKind kind, Text collective,
                           Text word)
{
    size_t all = 0, count = 0;
    for (size_t i = 0; i < models->count; i++)
        all += 1 + models->items[i].also_count;
    const char **spellings = ARENA_ARRAY(arena, const char *, all + 1);
    const char **names = ARENA_ARRAY(arena, const char *, all + 1);
    for (size_t i = 0; i < models->count; i++) {
        const KnownModel *model = &models->items[i];
        bool is_problem = kind == KIND_COLLECTIVE && model->kind == KIND_PROBLEM;
        bool is_wanted = kind == KIND_COUNT || model->kind == kind || is_problem;
        if (!is_wanted || (collective.length && !is_of(model, collective)))
            continue;
        const char *plain = collective.length ? plain_name(model->name) : model->name;
        for (size_t a = 0; a <= model->also_count; a++) {
            const char *spelling = a ? model->also[a - 1] : plain;
            names[count] = model->name;
            spellings[count++] = folded(arena, text_plain(spelling));
        }
    }
    const char *wanted = folded(arena, word);
    const char *found = diag_nearest(wanted, strlen(wanted), spellings, count);
    for (size_t i = 0; found && i < count; i++)
        if (spellings[i] == found)
            return names[i];
    return NULL;
}

/* The word may name a model of another kind. */
static bool note_other_kind(const KnownModels *models, ModelKind kind, Text word, Diag *diag)
{
    static const struct {
        ModelKind kind;
        const char *hint;
    } others[] = {{KIND_TOPOLOGY, "give it with --topology"},
                  {KIND_MACHINE, "give it with --machine"}};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        const KnownModel *model = known_find(models, others[i].kind, word);
        if (!model || others[i].kind == kind)
            continue;
        diag_note(diag, NOWHERE, "%s is a %s; %s", model->name, kind_keys[model->kind],
                  others[i].hint);
        return true;
    }
    return false;
}

/* An algorithm was wanted, and a collective or problem named: some of its algorithms. */
static bool note_algorithms(Arena *arena, const KnownModels *models, Text word, Diag *diag)
{
    const KnownModel *found = known_owner(models, word);
    Gathered gathered = {.arena = arena};
    if (!found)
        return false;
    for (size_t i = 0; i < models->count; i++)
        if (is_of(&models->items[i], text_plain(found->name)))
            gather(&gathered, models->items[i].name);
    if (gathered.count)
        diag_note(diag, NOWHERE, "%s is a %s; algorithms for it are %s", found->name,
                  kind_keys[found->kind], gathered.list);
    return gathered.count > 0;
}

/* What an algorithm of a collective that there is may have been. */
static void note_algorithm(Arena *arena, const KnownModels *models, Text collective, Text plain,
                           Diag *diag)
{
    if (memchr(plain.chars, '(', plain.length)) {
        diag_note(diag, NOWHERE,
                  "a composition is given by its stages, as an answer that has it says: "
                  "'%.*s: reduce-scatter/ring along device, ...'",
                  TEXT_ARGS(collective));
        return;
    }
    bool noted = diag_note_foreign(diag, FOREIGN_MODEL, plain) ||
                 note_same_word(arena, models, KIND_ALGORITHM, collective, plain, diag);
    noted |= note_same_name(arena, models, plain, diag);
    const char *near = noted ? NULL : nearest(arena, models, KIND_ALGORITHM, collective, plain);
    if (near)
        diag_note(diag, NOWHERE, "did you mean '%s'?", near);
    else if (!noted)
        diag_note(diag, NOWHERE, "'list %.*s' lists its algorithms", TEXT_ARGS(collective));
}

/* "4x4", "torus4x4" and "torus 4x4": how it is written; "3": it is a number of ranks. */
static bool note_sizes(Arena *arena, const KnownModels *models, Text name, Diag *diag)
{
    size_t length = strcspn(name.chars, "0123456789"), end = 0;
    length = length < name.length ? length : name.length;
    char *sizes = arena_copy(arena, name.chars + length, name.length - length);
    while (length > 0 && strchr(" -_=/(", name.chars[length - 1]))
        length--;
    const KnownModel *model = known_find(models, KIND_TOPOLOGY, text_slice(name, 0, length));
    if (!*sizes || sizes[strspn(sizes, "0123456789xX*) ")])
        return false;
    if (model && memchr(name.chars, '(', name.length)) {
        diag_note(diag, NOWHERE, "sizes are written after a colon, as in torus:4x8");
        return true;
    }
    for (const char *at = sizes; *at; at++) {
        const bool is_digit = isdigit((unsigned char)*at);
        if (is_digit || sizes[end - 1] != 'x') /* it begins with a digit */
            sizes[end++] = (char)(is_digit ? *at : 'x');
    }
    sizes[end - (sizes[end - 1] == 'x')] = '\0';
    if (model)
        diag_note(diag, NOWHERE, "did you mean '%s:%s'?", model->name, sizes);
    else if (length == 0 && !strchr(sizes, 'x'))
        diag_note(diag, NOWHERE, "the number of ranks is given with -p %s", sizes);
    else if (length == 0)
        diag_note(diag, NOWHERE, "did you mean 'torus:%s', 'mesh:%s' or 'cluster:%s'?", sizes,
                  sizes, sizes);
    return model || length == 0;
}

/* A file in place of the name of a model: of models, or of something else; or a name that only a
   file has. */
static bool note_file(Arena *arena, const char *what, Text name, Diag *diag)
{
    const char *path = text_string(arena, name), *end = strrchr(path, '.');
    const bool is_there = strpbrk(path, "./") && access(path, F_OK) == 0;
    if (is_there && end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0))
        diag_note(diag, NOWHERE,
                  "'%s' is a file: give '--models %s', and the %s by its name in that file", path,
                  path, what);
    else if (is_there)
        diag_note(diag, NOWHERE, "'%s' is a file: one of a network is given with '-t %s'", path,
                  path);
    else if (*path == '.' || *path == '/' ||
             (end && isalpha((unsigned char)end[1]) && strlen(end) >= sizeof ".xml" - 1))
        diag_note(diag, NOWHERE, "nor is there a file '%s'", path);
    return is_there;
}

void known_report_missing(Arena *arena, const KnownModels *models, ModelKind kind, Text name,
                          Diag *diag)
{
    Text collective, plain;
    const Text whole = name;
    bool may_be_algorithm = kind == KIND_ALGORITHM || kind == KIND_COUNT;
    bool has_slash = may_be_algorithm && text_split(name, '/', &collective, &plain);
    const KnownModel *owner = has_slash ? known_owner(models, collective) : NULL;
    if (has_slash && !owner && kind == KIND_ALGORITHM) {
        kind = KIND_COLLECTIVE;
        name = collective;
    }
    const char *what = owner                ? kind_keys[KIND_ALGORITHM]
                       : kind == KIND_COUNT ? "model"
                                            : kind_keys[kind];
    diag_error(diag, name.span, "unknown %s '%.*s'", what, TEXT_ARGS(name));
    if (owner) {
        note_algorithm(arena, models, text_plain(owner->name), plain, diag);
        return;
    }
    if (note_file(arena, what, whole, diag))
        return;
    bool noted = kind == KIND_ALGORITHM && note_algorithms(arena, models, name, diag);
    const ForeignPlace place = kind == KIND_TOPOLOGY  ? FOREIGN_TOPOLOGY
                               : kind == KIND_MACHINE ? FOREIGN_MACHINE
                                                      : FOREIGN_MODEL;
    noted = noted || diag_note_foreign(diag, place, name) ||
            (kind == KIND_TOPOLOGY && note_sizes(arena, models, name, diag));
    if (!noted && (kind == KIND_TOPOLOGY || kind == KIND_MACHINE))
        noted = note_same_word(arena, models, kind, (Text){0}, name, diag);
    const bool has_sizes = name.length && name.chars[name.length] == ':'; /* "ring:8" */
    if (has_sizes)
        noted = noted || note_other_kind(models, kind, name, diag);
    if (kind == KIND_ALGORITHM || kind == KIND_COLLECTIVE || kind == KIND_COUNT)
        noted = noted || note_same_name(arena, models, name, diag);
    if (kind != KIND_COUNT)
        noted = noted || note_other_kind(models, kind, name, diag);
    const char *near = noted ? NULL : nearest(arena, models, kind, (Text){0}, name);
    if (near)
        diag_note(diag, NOWHERE, "did you mean '%s'?", near);
    else if (!noted && kind == KIND_COUNT)
        diag_note(diag, NOWHERE, "'list' lists them");
    else if (!noted && (kind == KIND_TOPOLOGY || kind == KIND_MACHINE))
        diag_note(diag, NOWHERE, "'list %s' lists them; 'help %s' describes how to write your own",
                  kind_plurals[kind], kind_plurals[kind]);
    else if (!noted)
        diag_note(diag, NOWHERE, "'list %s' lists them", kind_plurals[kind]);
}
