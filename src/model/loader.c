#include "model/loader.h"

#include "lang/check.h"

bool loader_has_room(Loader *loader, Span span)
{
    return loader->scope.count < MOST_SLOTS ||
           diag_error(loader->diag, span, "too many names (at most %d)", MOST_SLOTS);
}

/* A name with its value, which is appended to `lets`; or a function. */
static bool load_let(Loader *loader, const Node *key, const Node *value, LetList *lets)
{
    Signature signature;
    if (!parse_signature(loader->arena, key->text, &signature, loader->diag))
        return false;
    const char *name = text_string(loader->arena, signature.name);
    if (scope_find(&loader->scope, signature.name) >= 0)
        return diag_error(loader->diag, signature.name.span, "'%s' is already defined", name);
    if (!node_is_scalar(value, "an expression", loader->diag))
        return false;
    Expr *expr = parse_expression(loader->arena, value->text, loader->diag);
    if (expr && signature.parameter_count)
        return check_function(loader->arena, &signature, expr, &loader->scope, loader->diag) &&
               loader_has_room(loader, key->text.span);
    if (expr)
        expr = check_any(loader->arena, expr, &loader->scope, loader->diag);
    if (!expr)
        return false;
    Let *let = &lets->items[lets->count++];
    let->program = program_compile(loader->arena, expr, &loader->scope);
    let->varies = expr->varies;
    let->slot = scope_add(loader->arena, &loader->scope,
                          (Variable){name, expr->type, expr->dimension, expr->varies});
    if (!loader_has_room(loader, key->text.span))
        return false;
    loader->lets |= (uint64_t)1 << let->slot;
    return true;
}

bool loader_read_lets(Loader *loader, const Node *map, LetList *lets)
{
    const Node *node = node_get(map, "let");
    if (!node)
        return true;
    if (!node_is_map(node, "the value of 'let'", loader->diag))
        return false;
    lets->items = ARENA_ARRAY(loader->arena, Let, node->count);
    bool good = true;
    for (size_t i = 0; i < node->count; i++)
        good = load_let(loader, node->keys[i], node->values[i], lets) && good;
    return good;
}
