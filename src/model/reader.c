#include "model/reader.h"

#include "lang/check.h"
#include "model/known.h"

#include <ctype.h>
#include <stdio.h>

bool is_model_name(Text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.chars[i];
        bool sign = byte == '-' || byte == '_' || byte == '.';
        if (!isalnum(byte) && !(sign && i > 0))
            return false;
    }
    return text.length > 0;
}

bool read_key_string(Arena *arena, const Node *map, const char *key, const char *what,
                     const char **string, Diag *diag)
{
    const Node *node = node_get(map, key);
    const bool good = !node || node_is_scalar(node, what, diag);
    *string = node && good ? node_string(arena, node) : "";
    return good;
}

bool read_text(Arena *arena, const Node *map, const char *key, const char **text, Diag *diag)
{
    return read_key_string(arena, map, key, key, text, diag);
}

static bool check_name(const Node *node, Diag *diag)
{
    if (!node_is_scalar(node, "the name of a model", diag))
        return false;
    return is_model_name(node->text) ||
           diag_error(
               diag, node->text.span,
               "a name is made of letters, digits, '-', '_' and '.', and begins with a letter "
               "or a digit");
}

bool read_head(Arena *arena, const Node *map, const char *kind, Head *head, Diag *diag)
{
    const Node *name = node_get(map, kind), *also = node_get(map, "also");
    if (!check_name(name, diag))
        return false;
    head->name = node_string(arena, name);
    head->workspace = arena_workspace(arena);
    head->span = name->text.span;
    head->map = map;
    if (!read_text(arena, map, "summary", &head->summary, diag) ||
        !read_text(arena, map, "source", &head->source, diag))
        return false;
    for (size_t i = 0; also && i < node_item_count(also); i++)
        if (!check_name(node_item(also, i), diag))
            return false;
    if (also)
        head->also = read_names(arena, also, "another name", &head->also_count, diag);
    return true;
}

bool head_is_called(const Head *head, Text name)
{
    bool is_called = known_alike(name, head->name);
    for (size_t i = 0; i < head->also_count; i++)
        is_called |= known_alike(name, head->also[i]);
    return is_called;
}

bool formula_compile(Arena *arena, const Expr *checked, Text text, const Scope *scope,
                     Formula *formula)
{
    *formula = (Formula){checked ? program_compile(arena, checked, scope) : NULL, text};
    return checked != NULL;
}

bool read_expression(FormulaMap in, Text text, Type type, Dimension dimension, Formula *formula)
{
    Expr *expr = parse_expression(in.arena, text, in.diag);
    if (expr)
        expr = check_expression(in.arena, expr, in.scope, type, dimension, in.diag);
    return formula_compile(in.arena, expr, text, in.scope, formula);
}

bool read_whole_range(FormulaMap in, const char *key, const char *what, Formula *from, Formula *to)
{
    const Node *node = node_get(in.map, key);
    Expr *low, *high;
    if (!node_is_scalar(node, what, in.diag) ||
        !parse_range(in.arena, node->text, &low, &high, in.diag))
        return false;
    low = check_expression(in.arena, low, in.scope, TYPE_INT, DIMENSION_NONE, in.diag);
    high = check_expression(in.arena, high, in.scope, TYPE_INT, DIMENSION_NONE, in.diag);
    return formula_compile(in.arena, low, node->text, in.scope, from) &&
           formula_compile(in.arena, high, node->text, in.scope, to);
}

static bool read_node(FormulaMap in, const Node *node, Type type, Dimension dimension,
                      Formula *formula)
{
    return node_is_scalar(node, "an expression", in.diag) &&
           read_expression(in, node->text, type, dimension, formula);
}

bool read_formula(FormulaMap in, const char *key, Type type, Dimension dimension, Formula *formula)
{
    const Node *node = node_get(in.map, key);
    *formula = (Formula){0};
    return !node || read_node(in, node, type, dimension, formula);
}

void defer_formula(FormulaMap in, const char *key, Type type, Dimension dimension, Formula *formula)
{
    const Node *node = node_get(in.map, key);
    *formula = (Formula){0};
    if (node)
        *formula =
            (Formula){program_defer(in.arena, node->text, in.scope, type, dimension), node->text};
}

bool formula_is_uniform(const Formula *formula, Diag *diag)
{
    return !formula->program || !program_varies(formula->program) ||
           diag_error(diag, formula->text.span,
                      "this differs from rank to rank; it must be the same for all");
}

bool read_uniform_formula(FormulaMap in, const char *key, Type type, Formula *formula)
{
    return read_formula(in, key, type, DIMENSION_NONE, formula) &&
           formula_is_uniform(formula, in.diag);
}

bool read_uniform_formulas(FormulaMap in, const char *key, Type type, FormulaList *formulas)
{
    const Node *node = node_get(in.map, key);
    const size_t count = node ? node_item_count(node) : 0;
    *formulas = (FormulaList){ARENA_ARRAY(in.arena, Formula, count + 1), count};
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= read_node(in, node_item(node, i), type, DIMENSION_NONE, &formulas->items[i]) &&
                formula_is_uniform(&formulas->items[i], in.diag);
    return good;
}

bool read_functions(Arena *arena, const Node *lets, Scope *scope, Diag *diag)
{
    for (size_t i = 0; lets && lets->kind == NODE_MAP && i < lets->count; i++) {
        Signature signature;
        if (!node_is_scalar(lets->values[i], "an expression", diag) ||
            !parse_signature(arena, lets->keys[i]->text, &signature, diag))
            return false;
        Expr *body = parse_expression(arena, lets->values[i]->text, diag);
        if (!body)
            return false;
        scope_add_function(arena, scope, &signature, body);
    }
    return true;
}

bool read_sets(FormulaMap in, const char *key, const char *what, SetList *sets)
{
    const Node *node = node_get(in.map, key);
    sets->count = node_item_count(node);
    sets->items = ARENA_ARRAY(in.arena, CompiledSet, sets->count);
    bool good = true;
    for (size_t i = 0; i < sets->count; i++) {
        const Node *item = node_item(node, i);
        BlockSet syntax;
        good = node_is_scalar(item, what, in.diag) &&
               parse_block_set(in.arena, item->text, &syntax, in.diag) &&
               set_compile(in.arena, &syntax, in.scope, &sets->items[i], in.diag) && good;
    }
    return good;
}

bool check_index_counts(const SetList *sets, int count, const Formula *sizes,
                        const char *collective, Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < sets->count; i++) {
        const CompiledSet *set = &sets->items[i];
        int array = set->syntax->array;
        bool sized = sizes && array > 0 && sizes[array - 1].program;
        if (set->syntax->all || set->index_count == count + sized)
            continue;
        diag_error(diag, set->syntax->text.span,
                   "this names a block by %d %s, but a block of %s %s %d", set->index_count,
                   set->index_count == 1 ? "index" : "indices", collective,
                   sized ? "in that array has" : "here has", count + sized);
        good = false;
    }
    return good;
}

int read_word(const Node *node, const char *what, const char *const *words, size_t count,
              Diag *diag)
{
    if (!node_is_scalar(node, what, diag))
        return -1;
    const size_t found = text_among(node->text, words, count);
    if (found < count)
        return (int)found;
    diag_error(diag, node->text.span, "%s cannot be '%.*s'", what, TEXT_ARGS(node->text));
    const char *nearest = diag_nearest(node->text.chars, node->text.length, words, count);
    if (nearest)
        diag_note(diag, NOWHERE, "did you mean '%s'?", nearest);
    else
        for (size_t i = 0; i < count; i++)
            diag_note(diag, NOWHERE, "it can be '%s'", words[i]);
    return -1;
}

bool read_flags(const Node *list, const char *what, const char *const *words, size_t count,
                bool *flags, Diag *diag)
{
    for (size_t i = 0; i < node_item_count(list); i++) {
        const int word = read_word(node_item(list, i), what, words, count, diag);
        if (word < 0)
            return false;
        flags[word] = true;
    }
    return true;
}

bool read_keyword(const Node *map, const char *key, const char *what, const char *const *words,
                  size_t count, int *word, Diag *diag)
{
    const Node *node = node_get(map, key);
    *word = node ? read_word(node, what, words, count, diag) : 0;
    return *word >= 0;
}

bool read_key_text(const Node *map, const char *key, const char *what, Text *text, Diag *diag)
{
    const Node *node = node_get(map, key);
    if (node && !node_is_scalar(node, what, diag))
        return false;
    if (node)
        *text = node->text;
    return true;
}

bool read_key_quantity(const Node *map, const char *key, const char *what, Dimension dimension,
                       double *value, Diag *diag)
{
    const Node *node = node_get(map, key);
    return !node ||
           (node_is_scalar(node, what, diag) && quantity_parse(node->text, dimension, value, diag));
}

bool read_key_whole(const Node *map, const char *key, const char *what, int64_t least, int64_t most,
                    int64_t *value, Diag *diag)
{
    const Node *node = node_get(map, key);
    return !node || (node_is_scalar(node, what, diag) &&
                     quantity_parse_integer(node->text, least, most, value, diag));
}

bool refuse_keys(const Node *map, const char *const *keys, size_t count, const char *words,
                 Diag *diag)
{
    for (size_t i = 0; i < count; i++)
        if (node_get(map, keys[i]))
            return diag_error(diag, node_get(map, keys[i])->text.span, "'%s' %s", keys[i], words);
    return true;
}

bool read_map(const Node *map, const char *what, const char *const *keys, size_t count, Diag *diag)
{
    return node_is_map(map, what, diag) && node_check_keys(map, what, keys, count, diag);
}

bool read_either(const Node *map, const char *key, const char *what, const char *const words[2],
                 bool *is_second, Diag *diag)
{
    int found;
    const bool good = read_keyword(map, key, what, words, 2, &found, diag);
    *is_second = found == 1;
    return good;
}

bool read_answer(const Node *map, const char *key, bool *answer, Diag *diag)
{
    static const char *const answers[] = {"no", "yes"};
    char what[32];
    snprintf(what, sizeof what, "'%s'", key);
    return read_either(map, key, what, answers, answer, diag);
}

const char *const *read_names(Arena *arena, const Node *node, const char *what, size_t *count,
                              Diag *diag)
{
    *count = node_item_count(node);
    const char **names = ARENA_ARRAY(arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        if (!node_is_scalar(node_item(node, i), what, diag))
            return NULL;
        names[i] = node_string(arena, node_item(node, i));
    }
    return names;
}
