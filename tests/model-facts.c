/* Usage: model-facts FILE|FOLDER...

   What readers of models accept, on standard output, for build-aux/write-model-schema; each file is
   read beside the built-in models alone. The linker puts functions of this file before those by
   which readers check maps, words and answers (--wrap). So it is told of each map and value that is
   read, and needs no second list of keys.

   keys   WHAT KEY...         the keys of a kind of map
   map    WHAT KEY NAME       a value, or an item of one, is a map of that kind; key *: any
   words  WHAT KEY WORD...    a value, or an item of one, is one of these words
   scalar WHAT KEY            it is another scalar

   Fields are separated by tabs. A map without a list of keys is named after its place,
   "a machine.levels". */
#include "model/library.h"
#include "model/reader.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const Node *node;
    const char *fact; /* of a map what it is, of a scalar its words */
} Note;

ARRAY_TYPE(NoteArray, Note);

/* The linker hands the functions below no place of ours. */
static NoteArray notes;
static NodeArray read_documents;
static Arena *kept;

bool __real_yaml_parse(Arena *arena, const Source *source, NodeArray *documents, Diag *diag);
bool __wrap_yaml_parse(Arena *arena, const Source *source, NodeArray *documents, Diag *diag);
bool __real_node_check_keys(const Node *map, const char *what, const char *const *keys,
                            size_t count, Diag *diag);
bool __wrap_node_check_keys(const Node *map, const char *what, const char *const *keys,
                            size_t count, Diag *diag);
int __real_read_word(const Node *node, const char *what, const char *const *words, size_t count,
                     Diag *diag);
int __wrap_read_word(const Node *node, const char *what, const char *const *words, size_t count,
                     Diag *diag);
bool __real_read_flags(const Node *list, const char *what, const char *const *words, size_t count,
                       bool *flags, Diag *diag);
bool __wrap_read_flags(const Node *list, const char *what, const char *const *words, size_t count,
                       bool *flags, Diag *diag);
bool __real_read_keyword(const Node *map, const char *key, const char *what,
                         const char *const *words, size_t count, int *word, Diag *diag);
bool __wrap_read_keyword(const Node *map, const char *key, const char *what,
                         const char *const *words, size_t count, int *word, Diag *diag);
bool __real_read_either(const Node *map, const char *key, const char *what,
                        const char *const words[2], bool *is_second, Diag *diag);
bool __wrap_read_either(const Node *map, const char *key, const char *what,
                        const char *const words[2], bool *is_second, Diag *diag);
bool __real_read_answer(const Node *map, const char *key, bool *answer, Diag *diag);
bool __wrap_read_answer(const Node *map, const char *key, bool *answer, Diag *diag);

bool __wrap_yaml_parse(Arena *arena, const Source *source, NodeArray *documents, Diag *diag)
{
    size_t before = documents->count;
    bool good = __real_yaml_parse(arena, source, documents, diag);
    for (size_t i = before; i < documents->count; i++)
        *ARRAY_PUSH(kept, &read_documents) = documents->items[i];
    return good;
}

static void note(const Node *node, const char *fact)
{
    *ARRAY_PUSH(kept, &notes) = (Note){node, fact};
}

bool __wrap_node_check_keys(const Node *map, const char *what, const char *const *keys,
                            size_t count, Diag *diag)
{
    note(map, what);
    printf("keys\t%s", what);
    for (size_t i = 0; i < count; i++)
        printf("\t%s", keys[i]);
    putchar('\n');
    return __real_node_check_keys(map, what, keys, count, diag);
}

static void note_words(const Node *node, const char *const *words, size_t count)
{
    const char *fact = "";
    for (size_t i = 0; node && i < count; i++)
        fact = arena_printf(kept, "%s\t%s", fact, words[i]);
    if (node)
        note(node, fact);
}

int __wrap_read_word(const Node *node, const char *what, const char *const *words, size_t count,
                     Diag *diag)
{
    note_words(node, words, count);
    return __real_read_word(node, what, words, count, diag);
}

bool __wrap_read_flags(const Node *list, const char *what, const char *const *words, size_t count,
                       bool *flags, Diag *diag)
{
    for (size_t i = 0; i < node_item_count(list); i++)
        note_words(node_item(list, i), words, count);
    return __real_read_flags(list, what, words, count, flags, diag);
}

bool __wrap_read_keyword(const Node *map, const char *key, const char *what,
                         const char *const *words, size_t count, int *word, Diag *diag)
{
    note_words(node_get(map, key), words, count);
    return __real_read_keyword(map, key, what, words, count, word, diag);
}

bool __wrap_read_either(const Node *map, const char *key, const char *what,
                        const char *const words[2], bool *is_second, Diag *diag)
{
    note_words(node_get(map, key), words, 2);
    return __real_read_either(map, key, what, words, is_second, diag);
}

bool __wrap_read_answer(const Node *map, const char *key, bool *answer, Diag *diag)
{
    const Node *node = node_get(map, key);
    if (node)
        note(node, "\tyes\tno");
    return __real_read_answer(map, key, answer, diag);
}

static int by_node(const void *a, const void *b)
{
    const Note *left = a, *right = b;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return (left > right) - (left < right);
}

static const char *noted(const Node *node)
{
    size_t low = 0, high = notes.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (notes.items[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < notes.count && notes.items[low].node == node ? notes.items[low].fact : NULL;
}

static void write_value(const Node *node, const char *map, const char *key);

static void write_map(const Node *node, const char *name, bool is_known)
{
    for (size_t i = 0; i < node->count; i++)
        write_value(node->values[i], name, is_known ? node_string(kept, node->keys[i]) : "*");
}

static void write_value(const Node *node, const char *map, const char *key)
{
    const char *fact = noted(node);
    if (node->kind == NODE_LIST) {
        for (size_t i = 0; i < node->count; i++)
            write_value(node->values[i], map, key);
    } else if (node->kind == NODE_SCALAR) {
        printf("%s\t%s\t%s%s\n", fact ? "words" : "scalar", map, key, fact ? fact : "");
    } else {
        const char *name = fact ? fact : arena_printf(kept, "%s.%s", map, key);
        printf("map\t%s\t%s\t%s\n", map, key, name);
        write_map(node, name, fact != NULL);
    }
}

static void report(void *user, const Diagnostic *diagnostic)
{
    (void)user;
    fprintf(stderr, "model-facts: %s\n", diagnostic->message);
}

int main(int argc, char **argv)
{
    bool good = true;
    Diag diag = diag_create(report, NULL);
    kept = arena_create(NULL);
    for (int i = 1; i < argc; i++) {
        Library *library = library_open(kept);
        library_check_formulas(library);
        good &= library_add(library, argv[i], &diag);
    }
    qsort(notes.items, notes.count, sizeof *notes.items, by_node);
    for (size_t i = 0; i < read_documents.count; i++)
        if (noted(read_documents.items[i]))
            write_map(read_documents.items[i], noted(read_documents.items[i]), true);
    arena_destroy(kept);
    return good && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
