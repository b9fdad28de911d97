#include "lang/names.h"

#include "lang/exact.h"
#include "lang/grammar.h"

#include <string.h>

Checker checker_start(Arena *arena, Scope *scope, Diag *diag)
{
    return (Checker){.arena = arena, .scope = scope, .diag = diag, .room = LIMIT_EXPRESSION_NODES};
}

static bool report_unknown(Checker *checker, Text name, bool is_called)
{
    const Scope *scope = checker->scope;
    const char **names = ARENA_ARRAY(checker->arena, const char *, scope->count + EXPR_KIND_COUNT);
    size_t count = 0;
    for (int kind = 0; kind < EXPR_KIND_COUNT && is_called; kind++)
        if (grammar_is_function((ExprKind)kind))
            names[count++] = operation_info[kind].word;
    for (size_t i = 0; i < scope->count; i++)
        if (is_called == (scope->items[i].type >= TYPE_FUNCTION))
            names[count++] = scope->items[i].name;
    diag_error(checker->diag, name.span, "unknown %s '%.*s'", is_called ? "function" : "name",
               TEXT_ARGS(name));
    if (!diag_note_foreign(checker->diag, FOREIGN_NAME, name))
        diag_suggest(checker->diag, name, names, count);
    return false;
}

static bool report_array(Checker *checker, Text name)
{
    return diag_error(checker->diag, name.span,
                      "'%.*s' is an array of blocks, not a number; a block of it is %.*s(0)",
                      TEXT_ARGS(name), TEXT_ARGS(name));
}

bool names_report_too_many(Checker *checker, Text text)
{
    return diag_error(checker->diag, text.span, "too many names (at most %d)", MOST_SLOTS);
}

static bool report_too_large(Checker *checker, Text text)
{
    return diag_error(checker->diag, text.span,
                      "with its functions written out this is too long (more than %d operations)",
                      LIMIT_EXPRESSION_NODES);
}

static int find_between(const Scope *scope, Text name, size_t from, size_t to)
{
    for (size_t i = to; i-- > from;)
        if (text_equals(name, scope->items[i].name))
            return (int)i;
    return -1;
}

/* The slot of a name that can be seen here, or -1; or the parameter of that name. */
static int find_name(const Checker *checker, Text name, int *parameter)
{
    const Inlining *inlining = checker->inlining;
    *parameter = -1;
    if (!inlining)
        return scope_find(checker->scope, name);
    int own = find_between(checker->scope, name, inlining->base, checker->scope->count);
    if (own >= 0)
        return own;
    const Signature *signature = &inlining->function->signature;
    for (int i = 0; i < signature->parameter_count; i++)
        if (text_same(signature->parameters[i], name)) {
            *parameter = i;
            return -1;
        }
    return find_between(checker->scope, name, 0, inlining->function->names);
}

/* Puts the body of a function in the place of its call, whose arguments are checked. */
static bool inline_function(Checker *checker, Expr *call, const Function *function)
{
    Text text = call->text;
    const Inlining *outer = checker->inlining;
    Inlining inlining = {.function = function, .base = checker->scope->count};
    for (int i = 0; i < function->signature.parameter_count; i++)
        inlining.arguments[i] = call->arguments[i];
    Expr *body = expr_copy(checker->arena, function->body, 0, 0, &checker->room);
    if (!body)
        return report_too_large(checker, text);
    checker->inlining = &inlining;
    bool good = checker_node(checker, body);
    checker->inlining = outer;
    if (!good && !outer)
        diag_note(checker->diag, text.span, "in '%.*s', which is used here", TEXT_ARGS(text));
    *call = *body;
    call->text = text;
    return good;
}

bool names_check_variable(Checker *checker, Expr *expr)
{
    int parameter;
    expr->slot = find_name(checker, expr->text, &parameter);
    if (parameter >= 0) {
        const Inlining *inlining = checker->inlining;
        int shift = (int)(checker->scope->count - inlining->base);
        Expr *copy = expr_copy(checker->arena, inlining->arguments[parameter], (int)inlining->base,
                               shift, &checker->room);
        if (!copy)
            return report_too_large(checker, expr->text);
        *expr = *copy;
        return expr_slot_count(copy) <= MOST_SLOTS || names_report_too_many(checker, expr->text);
    }
    if (expr->slot < 0)
        return report_unknown(checker, expr->text, false);
    const Variable *variable = &checker->scope->items[expr->slot];
    const Function *function = scope_function(checker->scope, expr->slot);
    if (variable->type == TYPE_ARRAY)
        return report_array(checker, expr->text);
    if (function && function->signature.parameter_count == 0)
        return inline_function(checker, expr, function);
    if (function)
        return diag_error(checker->diag, expr->text.span,
                          "'%s' is a function: write its arguments after it, in parentheses",
                          variable->name);
    checker->scope->read |= (uint64_t)1 << (expr->slot % MOST_SLOTS);
    expr->type = variable->type;
    expr->dimension = variable->dimension;
    expr->varies = variable->varies;
    return true;
}

/* The function that is called, or NULL after a report. */
static const Function *find_called(Checker *checker, const Expr *call)
{
    int parameter, slot = find_name(checker, call->text, &parameter);
    if (parameter < 0 && slot < 0) {
        report_unknown(checker, call->text, true);
        return NULL;
    }
    if (slot >= 0 && checker->scope->items[slot].type == TYPE_ARRAY) {
        report_array(checker, call->text);
        return NULL;
    }
    const Function *function = slot >= 0 ? scope_function(checker->scope, slot) : NULL;
    if (!function)
        return DIAG_NULL(checker->diag, call->text.span, "'%.*s' is not a function",
                         TEXT_ARGS(call->text));
    if (function->signature.parameter_count == call->argument_count)
        return function;
    diag_error(checker->diag, call->text.span, "%.*s takes %d argument%s", TEXT_ARGS(call->text),
               function->signature.parameter_count,
               PLURAL_END(function->signature.parameter_count));
    diag_note(checker->diag, function->signature.name.span, "it is defined here");
    return NULL;
}

bool names_check_call(Checker *checker, Expr *call)
{
    const Function *function = find_called(checker, call);
    for (int i = 0; function && i < call->argument_count; i++)
        if (!checker_node(checker, call->arguments[i]))
            return false;
    return function && inline_function(checker, call, function);
}

/* Are all names of a function's body known? The scope holds its parameters. */
static bool check_names(Checker *checker, const Expr *expr)
{
    Scope *scope = checker->scope;
    bool good = true;
    if (expr->kind == EXPR_VARIABLE && scope_find(scope, expr->text) < 0)
        return report_unknown(checker, expr->text, false);
    if (expr->kind == EXPR_CALL && !find_called(checker, expr))
        return false;
    bool sums = expr_is_loop(expr);
    for (int i = sums; i < expr->argument_count; i++) {
        size_t count = scope->count;
        if (sums && i == 3) {
            Text index = expr->arguments[0]->text;
            const char *name = text_string(checker->arena, index);
            scope_add(checker->arena, scope, (Variable){name, TYPE_INT, DIMENSION_NONE, false});
        }
        good = check_names(checker, expr->arguments[i]) && good;
        scope->count = count;
    }
    return good;
}

bool check_function(Arena *arena, const Signature *signature, Expr *body, Scope *scope, Diag *diag)
{
    Checker checker = checker_start(arena, scope, diag);
    size_t names = scope->count;
    for (int i = 0; i < signature->parameter_count; i++) {
        Text text = signature->parameters[i];
        const char *name = text_string(arena, text);
        scope_add(arena, scope, (Variable){name, TYPE_INT, DIMENSION_NONE, false});
    }
    bool good = check_names(&checker, body);
    scope->count = names;
    scope_add_function(arena, scope, signature, body);
    return good;
}
