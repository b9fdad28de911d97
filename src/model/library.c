#include "model/library.h"

#include "model/builtin_tree.h"
#include "model/folder.h"
#include "model/use.h"

#include <string.h>
#include <sys/stat.h>

typedef enum { STATE_UNREAD, STATE_READING, STATE_READ, STATE_BAD } State;

typedef struct {
    ModelEntry public;
    const BuiltinFile *builtin; /* of a built-in model, until it is read */
    const Node *document;
    const void *model;
    State state;
    bool is_used; /* another model that was read is made from it */
} Entry;

ARRAY_TYPE(EntryArray, Entry *);

struct Library {
    Arena *arena;
    EntryArray entries; /* sorted by kind, then name */
    AddedFiles files;   /* of the user */
    EntryArray entered; /* since library_read was last called, and what there was before them */
    EntryArray before;
    bool has_bad;         /* something could not be entered */
    bool checks_formulas; /* of built-in models */
    ModelMaker *maker;
    void *maker_user;
    int depth; /* of models that are being read for one another */
    void *findings;
};

#define KIND(id, key, plural, folder) folder,
static const char *const kind_folders[KIND_COUNT] = {
#include "model/kinds.def"
};
#undef KIND

static int compare_entry(const Entry *entry, ModelKind kind, Text name)
{
    if (entry->public.kind != kind)
        return entry->public.kind < kind ? -1 : 1;
    const int order = strncmp(entry->public.name, name.chars, name.length);
    return order ? order : strlen(entry->public.name) > name.length;
}

/* Where the entry is, or where it would go. */
static size_t find_place(const Library *library, ModelKind kind, Text name)
{
    size_t low = 0, high = library->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_entry(library->entries.items[middle], kind, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Entry *find_entry(const Library *library, ModelKind kind, Text name)
{
    size_t place = find_place(library, kind, name);
    bool found = place < library->entries.count &&
                 compare_entry(library->entries.items[place], kind, name) == 0;
    return found ? library->entries.items[place] : NULL;
}

static void insert_entry(Library *library, Entry *entry)
{
    EntryArray *entries = &library->entries;
    const Text name = text_plain(entry->public.name);
    const size_t place = find_place(library, entry->public.kind, name);
    if (!find_entry(library, entry->public.kind, name)) {
        ARRAY_PUSH(library->arena, entries);
        memmove(&entries->items[place + 1], &entries->items[place],
                (entries->count - 1 - place) * sizeof *entries->items);
    }
    entries->items[place] = entry;
}

Library *library_open(Arena *arena)
{
    Library *library = ARENA_NEW(arena, Library);
    library->arena = arena;
    for (size_t i = 0; i < builtin_file_count; i++) {
        const BuiltinFile *file = &builtin_files[i];
        int kind = 0;
        while (strncmp(file->path, kind_folders[kind], strlen(kind_folders[kind])) != 0)
            kind++;
        const char *name = file->path + strlen(kind_folders[kind]);
        Entry *entry = ARENA_NEW(arena, Entry);
        entry->public.kind = (ModelKind)kind;
        entry->public.name = arena_copy(arena, name, strlen(name) - strlen(".yaml"));
        entry->public.path = arena_printf(arena, "models/%s", file->path);
        entry->builtin = file;
        insert_entry(library, entry);
    }
    return library;
}

void library_check_formulas(Library *library)
{
    library->checks_formulas = true;
}

void **library_findings(Library *library, Arena **arena)
{
    *arena = library->arena;
    return &library->findings;
}

static bool parse_builtin(const Library *library, Entry *entry, Diag *diag)
{
    const BuiltinFile *file = entry->builtin;
    const BuiltinTree *tree = builtin_tree_of(file);
    NodeArray documents = {0};
    Source *source = ARENA_COPY(
        library->arena, Source,
        source_from_text(library->arena, entry->public.path, file->text, file->length), 1);
    source->is_builtin = true;
    entry->public.source = source;
    if (tree)
        entry->document = builtin_tree_read(library->arena, tree, entry->public.source);
    else if (yaml_parse(library->arena, entry->public.source, &documents, diag))
        entry->document = documents.items[0];
    return entry->document != NULL;
}

static const void *find_model(void *library, ModelKind kind, Text name, Diag *diag);

Resolver library_resolver(Library *library, Arena *arena, Diag *diag)
{
    return (Resolver){.arena = arena, .diag = diag, .models = library, .find = find_model};
}

static const void *read_model(Library *library, Entry *entry, Diag *diag)
{
    const Node *document = entry->document;
    Resolver resolver = library_resolver(library, library->arena, diag);
    resolver.is_known_right = entry->builtin && !library->checks_formulas;
    switch (entry->public.kind) {
    case KIND_ALGORITHM:
        return algorithm_read(&resolver, document);
    case KIND_COLLECTIVE:
        return collective_read(&resolver, document);
    case KIND_PROBLEM:
        return problem_read(&resolver, document);
    case KIND_TOPOLOGY:
        return topology_read(&resolver, document);
    case KIND_MACHINE:
        return machine_read(library->arena, document, diag);
    case KIND_IMPLEMENTATION:
        return implementation_read(&resolver, document);
    default:
        return origin_read(library->arena, document, diag);
    }
}

/* `span`: where it is named. */
static const void *load_entry(Library *library, Entry *entry, Span span, Diag *diag)
{
    if (entry->state == STATE_READING)
        return DIAG_NULL(diag, span, "circular reference: %s '%s' refers to itself",
                         kind_keys[entry->public.kind], entry->public.name);
    if (entry->state == STATE_UNREAD && library->depth == LIMIT_CHAIN)
        return DIAG_NULL(diag, span, "references between models are nested too deeply at %s '%s'",
                         kind_keys[entry->public.kind], entry->public.name);
    if (entry->state == STATE_UNREAD) {
        entry->state = STATE_READING;
        library->depth++;
        if (entry->document || parse_builtin(library, entry, diag))
            entry->model = read_model(library, entry, diag);
        library->depth--;
        entry->state = entry->model ? STATE_READ : STATE_BAD;
    } else if (entry->state == STATE_BAD) {
        diag_error(diag, span, "%s '%s' has errors", kind_keys[entry->public.kind],
                   entry->public.name);
    }
    return entry->model;
}

const void *library_load(Library *library, const ModelEntry *entry, Diag *diag)
{
    return load_entry(library, find_entry(library, entry->kind, text_plain(entry->name)), NOWHERE,
                      diag);
}

/* Its document, for which the model need not be read; NULL: it is wrong. */
static const Node *document_of(const Library *library, Entry *entry)
{
    Diag silent = diag_silent();
    if (!entry->document && entry->builtin)
        parse_builtin(library, entry, &silent);
    return entry->document;
}

static const char *const *list_also(const Library *library, Arena *arena, const ModelEntry *model,
                                    size_t *count)
{
    Entry *entry = find_entry(library, model->kind, text_plain(model->name));
    const Node *document = document_of(library, entry);
    const Node *also = document ? node_get(document, "also") : NULL;
    *count = also ? node_item_count(also) : 0;
    const char **names = ARENA_ARRAY(arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++)
        names[i] = node_string(arena, node_item(also, i));
    return names;
}

const char *const *library_also(const Library *library, const ModelEntry *model, size_t *count)
{
    return list_also(library, library->arena, model, count);
}

/* All models by name. Aliases are read from the files, so those of algorithms only for one
   collective: the characters before the slash of `name`. */
static KnownModels list_known(const Library *library, Arena *arena, Text name)
{
    Text collective, rest;
    KnownModels known = {0};
    bool has_slash = text_split(name, '/', &collective, &rest);
    for (size_t i = 0; i < library->entries.count; i++) {
        const ModelEntry *entry = library_entry(library, i);
        KnownModel *model = ARRAY_PUSH(arena, &known);
        *model = (KnownModel){.kind = entry->kind, .name = entry->name};
        bool is_of = has_slash && strncmp(model->name, name.chars, collective.length + 1) == 0;
        if (model->kind != KIND_ORIGIN && (model->kind != KIND_ALGORITHM || is_of))
            model->also = list_also(library, arena, entry, &model->also_count);
    }
    return known;
}

/* By its name, or by another one or otherwise spelled, as people type it. A session asks again and
   again: what looking takes is given back. */
static Entry *find_typed(const Library *library, ModelKind kind, Text name)
{
    Entry *entry = find_entry(library, kind, name);
    if (entry || library->depth > 0)
        return entry;
    Text collective, rest;
    Arena *scratch = arena_scratch(library->arena);
    KnownModels known = list_known(library, scratch, name);
    const KnownModel *owner = kind == KIND_ALGORITHM && text_split(name, '/', &collective, &rest)
                                  ? known_owner(&known, collective)
                                  : NULL;
    if (owner) {
        /* bcast/Binomial is broadcast/Binomial, which is looked for among those of broadcast */
        name = text_plain(arena_printf(scratch, "%s/%.*s", owner->name, TEXT_ARGS(rest)));
        known = list_known(library, scratch, name);
    }
    const KnownModel *model = known_find(&known, kind, name);
    entry = model ? find_entry(library, kind, text_plain(model->name)) : NULL;
    arena_destroy(scratch);
    return entry;
}

void library_report_missing(const Library *library, ModelKind kind, Text name, Diag *diag)
{
    Arena *scratch = arena_scratch(library->arena);
    const KnownModels known = list_known(library, scratch, name);
    known_report_missing(scratch, &known, kind, name, diag);
    arena_destroy(scratch);
}

static const void *load_named(Library *library, ModelKind kind, Text name, Diag *diag)
{
    Entry *entry = find_typed(library, kind, name);
    if (!entry)
        library_report_missing(library, kind, name, diag);
    else if (library->depth > 0)
        entry->is_used |= kind == KIND_COLLECTIVE || kind == KIND_ALGORITHM;
    return entry ? load_entry(library, entry, name.span, diag) : NULL;
}

const void *library_try(Library *library, ModelKind kind, Text name)
{
    Diag silent = diag_silent();
    Entry *entry = find_typed(library, kind, name);
    if (!entry && kind == KIND_COLLECTIVE) {
        const Problem *problem = library_try(library, KIND_PROBLEM, name);
        return problem ? &problem->collective : NULL;
    }
    return entry ? load_entry(library, entry, name.span, &silent) : NULL;
}

const Machine *library_machine(Library *library, Text name, Diag *diag)
{
    return load_named(library, KIND_MACHINE, name, diag);
}

const Topology *library_topology(Library *library, Text name, Diag *diag)
{
    return load_named(library, KIND_TOPOLOGY, name, diag);
}

const Collective *library_collective(Library *library, Text name, Diag *diag)
{
    if (find_typed(library, KIND_COLLECTIVE, name) || !find_typed(library, KIND_PROBLEM, name))
        return load_named(library, KIND_COLLECTIVE, name, diag);
    const Problem *problem = library_problem(library, name, diag);
    return problem ? &problem->collective : NULL;
}

static const void *find_model(void *library, ModelKind kind, Text name, Diag *diag)
{
    return kind == KIND_COLLECTIVE ? library_collective(library, name, diag)
                                   : load_named(library, kind, name, diag);
}

const Problem *library_problem(Library *library, Text name, Diag *diag)
{
    return load_named(library, KIND_PROBLEM, name, diag);
}

const Algorithm *library_algorithm(Library *library, Text full_name, Diag *diag)
{
    return load_named(library, KIND_ALGORITHM, full_name, diag);
}

const Origin *library_origin(Library *library, Text name, Diag *diag)
{
    return load_named(library, KIND_ORIGIN, name, diag);
}

const Implementation *library_implementation(Library *library, Text name, Diag *diag)
{
    return load_named(library, KIND_IMPLEMENTATION, name, diag);
}

size_t library_entry_count(const Library *library)
{
    return library->entries.count;
}

const ModelEntry *library_entry(const Library *library, size_t index)
{
    return &library->entries.items[index]->public;
}

const ModelEntry *library_find(const Library *library, Text name)
{
    for (size_t i = 0; i < library->entries.count; i++)
        if (text_equals(name, library->entries.items[i]->public.name))
            return &library->entries.items[i]->public;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const Entry *entry = find_typed(library, (ModelKind)kind, name);
        if (entry)
            return &entry->public;
    }
    return NULL;
}

const ModelEntry *library_algorithm_of(Library *library, Text collective, Text name, Diag *diag)
{
    Text before, plain = name, full = name;
    const bool has_slash = text_split(name, '/', &before, &plain);
    full.chars = arena_printf(library->arena, "%.*s/%.*s", TEXT_ARGS(collective), TEXT_ARGS(plain));
    full.length = strlen(full.chars);
    const Entry *entry = find_typed(library, KIND_ALGORITHM, full);
    if (!entry)
        library_report_missing(library, KIND_ALGORITHM, full, diag);
    else if (has_slash && find_typed(library, KIND_ALGORITHM, name) != entry)
        return DIAG_NULL(diag, name.span, "'%.*s' is not an algorithm of %.*s", TEXT_ARGS(name),
                         TEXT_ARGS(collective));
    return entry ? &entry->public : NULL;
}

const ModelEntry *library_try_algorithm_of(Library *library, Text collective, Text name)
{
    Diag silent = diag_silent();
    return library_algorithm_of(library, collective, name, &silent);
}

bool library_is_typed(Text text)
{
    return memchr(text.chars, ':', text.length) != NULL;
}

const ModelEntry *library_add_typed(Library *library, Text text, Diag *diag)
{
    const Resolver resolver = library_resolver(library, library->arena, diag);
    const Algorithm *algorithm = sequence_typed(&resolver, text);
    if (!algorithm)
        return NULL;
    Entry *entry = ARENA_NEW(library->arena, Entry);
    *entry = (Entry){.public = {.kind = KIND_ALGORITHM,
                                .name = algorithm_full_name(library->arena, algorithm),
                                .path = text.span.source->name,
                                .source = text.span.source,
                                .is_users = true,
                                .is_typed = true},
                     .model = algorithm,
                     .state = STATE_READ};
    insert_entry(library, entry);
    library->checks_formulas = true;
    return &entry->public;
}

bool library_algorithms(Library *library, const Collective *collective, AlgorithmArray *algorithms,
                        Diag *diag)
{
    const Text prefix = text_plain(arena_printf(library->arena, "%s/", collective->head.name));
    AlgorithmArray general = {
        0}; /* what one of them can be has a name of its own, which comes first */
    for (size_t i = find_place(library, KIND_ALGORITHM, prefix); i < library->entries.count; i++) {
        Entry *entry = library->entries.items[i];
        if (entry->public.kind != KIND_ALGORITHM ||
            strncmp(entry->public.name, prefix.chars, prefix.length) != 0)
            break;
        /* What copies a library says so in its document: it need not be read to be left out. */
        const BuiltinTree *tree = entry->builtin ? builtin_tree_of(entry->builtin) : NULL;
        const Node *document = tree ? NULL : document_of(library, entry);
        const bool is_copy = tree ? tree->is_copy : document && node_get(document, "library");
        if (entry->public.is_typed || is_copy)
            continue;
        const Algorithm *algorithm = load_entry(library, entry, NOWHERE, diag);
        if (!algorithm)
            return false;
        *ARRAY_PUSH(library->arena, algorithm->branching ? &general : algorithms) = algorithm;
    }
    for (size_t i = 0; i < general.count; i++)
        *ARRAY_PUSH(library->arena, algorithms) = general.items[i];
    return true;
}

/* The kind of a document and the name under which it is found. */
static bool identify(Library *library, const Node *document, Entry *entry, Diag *diag)
{
    if (!node_is_map(document, "a model", diag))
        return false;
    const Node *name = NULL;
    int kind = 0;
    for (; kind < KIND_COUNT; kind++)
        if ((name = node_get(document, kind_keys[kind])))
            break;
    if (!name)
        return diag_error(diag, document->text.span,
                          "a model begins with one of the keys algorithm, "
                          "collective, problem, topology, machine, source and library");
    Head head;
    if (!read_head(library->arena, document, kind_keys[kind], &head, diag))
        return false;
    entry->public.kind = (ModelKind)kind;
    entry->public.name = head.name;
    const Node *problem = node_get(document, "problem");
    const Node *collective = problem ? problem : node_get(document, "collective");
    if (kind == KIND_ALGORITHM && collective && collective->kind == NODE_SCALAR)
        entry->public.name = arena_printf(library->arena, "%s/%s",
                                          node_string(library->arena, collective), head.name);
    return true;
}

static bool enter_document(Library *library, const Source *source, const Node *document, Diag *diag)
{
    if (library->entries.count == LIMIT_MODELS)
        return diag_error(diag, document->text.span, "too many models (more than %d)",
                          LIMIT_MODELS);
    Entry *entry = ARENA_NEW(library->arena, Entry);
    entry->document = document;
    entry->public = (ModelEntry){.path = source->name, .source = source, .is_users = true};
    if (!identify(library, document, entry, diag))
        return false;
    /* Two models of one name in one file are a mistake; in two files the later one counts, unless
       models that were read before it are made from the earlier one. */
    const Entry *other = find_entry(library, entry->public.kind, text_plain(entry->public.name));
    if (other && other->public.source == source) {
        diag_error(diag, document->text.span, "this file defines %s '%s' twice",
                   kind_keys[entry->public.kind], entry->public.name);
        return diag_note(diag, other->document->text.span, "the first one is here");
    }
    if (other && other->is_used)
        return diag_error(diag, document->text.span,
                          "%s '%s' is already used by models read earlier; give this file first",
                          kind_keys[entry->public.kind], entry->public.name);
    entry->public.replaces = other && (!other->public.is_users || other->public.replaces);
    entry->public.hides = other && other->public.is_users ? &other->public : NULL;
    insert_entry(library, entry);
    library->checks_formulas = true;
    *ARRAY_PUSH(library->arena, &library->entered) = entry;
    return true;
}

static void start_entering(Library *library)
{
    if (!library->entered.count && !library->has_bad)
        ARRAY_COPY(library->arena, &library->before, &library->entries);
}

void library_make_by(Library *library, ModelMaker *maker, void *user)
{
    library->maker = maker;
    library->maker_user = user;
}

bool library_enter_source(Library *library, const Source *source, Diag *diag)
{
    NodeArray documents = {0};
    start_entering(library);
    if (library->maker)
        source = library->maker(library->maker_user, library->arena, source, diag);
    bool good = source && yaml_parse(library->arena, source, &documents, diag);
    if (good && documents.count == 0)
        good = diag_error(diag, (Span){source, 0, 0}, "this file contains no model");
    for (size_t i = 0; i < documents.count; i++)
        if (documents.items[i]->kind != NODE_MAP ||
            !node_get(documents.items[i], "proofs")) /* a record of proofs (model/proved.h) */
            good &= enter_document(library, source, documents.items[i], diag);
    library->has_bad |= !good;
    return good;
}

bool library_read(Library *library, Diag *diag)
{
    bool good = !library->has_bad;
    for (size_t i = 0; i < library->entered.count; i++)
        if (library->entered.items[i]->state == STATE_UNREAD)
            good &= load_entry(library, library->entered.items[i], NOWHERE, diag) != NULL;
    if (!good)
        library->entries = library->before;
    library->entered.count = 0;
    library->has_bad = false;
    return good;
}

bool library_add_source(Library *library, const Source *source, Diag *diag)
{
    library_enter_source(library, source, diag);
    return library_read(library, diag);
}

const char *library_first_of(const Library *library, Text path, ModelKind kind)
{
    const Entry *first = NULL;
    for (size_t i = 0; i < library->entries.count; i++) {
        const Entry *entry = library->entries.items[i];
        if (entry->public.kind == kind && entry->public.is_users && entry->document &&
            text_equals(path, entry->public.path) &&
            (!first || entry->document->text.span.offset < first->document->text.span.offset))
            first = entry;
    }
    return first ? first->public.name : NULL;
}

const Source *library_source(const Library *library, const char *path)
{
    return added_source(&library->files, path);
}

static bool enter_file(Library *library, const char *path, DiagSay *say, Diag *diag)
{
    const char *why = NULL;
    if (library_source(library, path))
        return true;
    const Source *source = source_read(library->arena, path, LIMIT_FILE_BYTES, &why);
    if (!source)
        return say(diag, NOWHERE, "cannot read '%s': %s", path, why);
    added_remember(library->arena, &library->files, path, source);
    return library_enter_source(library, source, diag);
}

static bool enter_folder(Library *library, const char *path, DiagSay *say, Diag *diag)
{
    PathArray files = {0};
    if (!folder_list(library->arena, path, &files, say, diag))
        return false;
    bool good = true;
    for (size_t i = 0; i < files.count; i++)
        good &= enter_file(library, files.items[i], say, diag);
    return good;
}

bool library_enter(Library *library, const char *path, Diag *diag)
{
    struct stat status;
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    start_entering(library);
    bool good = (is_folder ? enter_folder : enter_file)(library, path, diag_error, diag);
    library->has_bad |= !good;
    return good;
}

void library_enter_readable(Library *library, const char *path, Diag *diag)
{
    start_entering(library);
    library->has_bad |= !enter_folder(library, path, diag_warning, diag);
}

bool library_add(Library *library, const char *path, Diag *diag)
{
    library_enter(library, path, diag);
    return library_read(library, diag);
}
