/* Usage: flatten-models SRCDIR MODEL...

   Writes, on standard output, the trees of all models in C, in the byte order of their paths, for
   src/model/builtin_tree.h, which explains the numbers. */
#include "model/builtin_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    size_t numbers, texts, nodes, links;
    FILE *text; /* what goes to builtin_tree_texts */
} Writer;

static void report(void *user, const Diagnostic *diagnostic)
{
    const Writer *writer = user;
    fprintf(stderr, "%s:%zu:%zu: %s\n", writer->name, diagnostic->position.line,
            diagnostic->position.column, diagnostic->message);
}

static void fail(const Writer *writer, const char *why)
{
    fprintf(stderr, "flatten-models: %s: %s\n", writer->name, why);
    exit(1);
}

static void write_number(Writer *writer, size_t number)
{
    if (number > UINT16_MAX)
        fail(writer, "too large for trees of 16-bit numbers");
    printf("%zu,%s", number, ++writer->numbers % 16 ? "" : "\n");
}

static void write_text(Writer *writer, Text text)
{
    write_number(writer, text.length);
    fputs("    \"", writer->text);
    for (size_t i = 0; i < text.length; i++)
        fprintf(writer->text, "\\%03o", (unsigned)(unsigned char)text.chars[i]);
    fputs("\\0\"\n", writer->text);
    writer->texts += text.length + 1;
}

static void write_node(Writer *writer, const Node *node)
{
    const Text *text = &node->text;
    writer->nodes++;
    writer->links += node->kind == NODE_MAP ? 2 * node->count : node->count;
    write_number(writer, (size_t)node->kind + 4 * (size_t)text->verbatim + 8 * node->count);
    write_number(writer, text->span.offset);
    write_number(writer, text->span.length);
    if (node->kind == NODE_SCALAR && !text->verbatim)
        write_text(writer, *text);
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == NODE_MAP)
            write_node(writer, node->keys[i]);
        write_node(writer, node->values[i]);
    }
}

static BuiltinTree write_tree(Writer *writer, const char *folder)
{
    BuiltinTree tree = {.numbers = writer->numbers, .texts = writer->texts};
    Arena *arena = arena_create(NULL);
    Diag diag = diag_create(report, writer);
    NodeArray documents = {0};
    const char *why;
    const Source *source =
        source_read(arena, arena_printf(arena, "%s/%s", folder, writer->name), UINT16_MAX, &why);
    if (!source)
        fail(writer, why);
    if (!yaml_parse(arena, source, &documents, &diag) || documents.count != 1)
        fail(writer, "this is not one YAML document");
    writer->nodes = writer->links = 0;
    write_node(writer, documents.items[0]);
    tree.node_count = writer->nodes;
    tree.link_count = writer->links;
    for (size_t i = 0; documents.items[0]->keys && i < documents.items[0]->count; i++)
        tree.is_copy |= text_equals(documents.items[0]->keys[i]->text, "library");
    arena_destroy(arena);
    return tree;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int count, char **arguments)
{
    char *texts = NULL;
    size_t length, models = count > 2 ? (size_t)count - 2 : 0;
    Writer writer = {.name = "memory", .text = open_memstream(&texts, &length)};
    BuiltinTree *trees = calloc(models + 1, sizeof *trees);
    if (!models || !trees || !writer.text)
        fail(&writer, "usage: flatten-models SRCDIR MODEL...");
    qsort(arguments + 2, models, sizeof *arguments, compare_names);
    printf("#include \"model/builtin_tree.h\"\n\nconst uint16_t builtin_tree_numbers[] = {\n");
    for (size_t i = 0; i < models; i++) {
        writer.name = arguments[i + 2];
        trees[i] = write_tree(&writer, arguments[1]);
    }
    fclose(writer.text);
    printf("};\n\nconst char builtin_tree_texts[] =\n%s    \"\";\n", texts);
    printf("\nconst BuiltinTree builtin_trees[] = {\n");
    for (size_t i = 0; i < models; i++)
        printf("    {%zu, %zu, %zu, %zu, %d},\n", trees[i].numbers, trees[i].texts,
               trees[i].node_count, trees[i].link_count, trees[i].is_copy);
    printf("};\n\nconst size_t builtin_tree_count = %zu;\n", models);
    free(texts);
    free(trees);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
