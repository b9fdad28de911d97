#include "lang/parse.h"

#include "lang/exact.h"
#include "lang/parser.h"

#include <string.h>

static Expr *parse_binding(Parser *parser, int least);

/* From the start of `first` to the end of `last`, both pieces of the parsed text. */
static Text text_between(Parser *parser, Text first, Text last)
{
    const Text *whole = &parser->lexer.text;
    size_t start = (size_t)(first.chars - whole->chars);
    size_t end = (size_t)(last.chars - whole->chars) + last.length;
    return text_slice(*whole, start, end - start);
}

Expr *parser_unexpected(Parser *parser, const char *wanted)
{
    const Token *token = &parser->lexer.token;
    if (token->kind == TOKEN_END)
        diag_error(parser->lexer.diag, token->text.span, "expected %s at the end", wanted);
    else if (token->kind != TOKEN_BAD)
        diag_error(parser->lexer.diag, token->text.span, "expected %s, not '%.*s'", wanted,
                   TEXT_ARGS(token->text));
    return NULL;
}

void parser_fold_arguments(Parser *parser, Expr *call, Expr *next)
{
    if (call->argument_count == 2) {
        call->arguments[0] = ARENA_COPY(parser->arena, Expr, call, 1);
        call->argument_count = 1;
    }
    call->arguments[call->argument_count++] = next;
}

static Expr *fail_too_long(Parser *parser, Span span)
{
    return DIAG_NULL(parser->lexer.diag, span,
                     "this expression is too long (more than %d operators)",
                     LIMIT_EXPRESSION_NODES);
}

/* call = name "(" expression { "," expression } ")"; a name that is unknown here may be that of a
   function or array of the model, which check knows */
static Expr *parse_call(Parser *parser, Text name)
{
    Lexer *lexer = &parser->lexer;
    const int kind = grammar_function(name);
    const bool is_known = kind >= 0, any_number = kind == EXPR_MIN || kind == EXPR_MAX;
    const int most = is_known ? operation_info[kind].arity : MOST_PARAMETERS;
    Expr *call = expr_make(parser->arena, is_known ? (ExprKind)kind : EXPR_CALL, name, NULL, NULL);
    if (!lexer_expect(lexer, "("))
        return NULL;
    do {
        Expr *argument = parser_expression(parser);
        if (!argument)
            return NULL;
        if (any_number && ++parser->nodes <= LIMIT_EXPRESSION_NODES)
            parser_fold_arguments(parser, call, argument);
        else if (call->argument_count < most)
            call->arguments[call->argument_count++] = argument;
        else
            call->argument_count = most + 1;
        if (parser->nodes > LIMIT_EXPRESSION_NODES)
            return fail_too_long(parser, argument->text.span);
        if (!is_known && call->argument_count > most)
            return DIAG_NULL(lexer->diag, argument->text.span,
                             "a function has at most %d parameters", most);
    } while (lexer_accept(lexer, ","));
    if (!lexer_expect(lexer, ")"))
        return NULL;
    if (is_known && call->argument_count != most)
        return DIAG_NULL(lexer->diag, name.span, "%s takes %s%d argument%s",
                         operation_info[kind].word, any_number ? "at least " : "", most,
                         PLURAL_END(most));
    if (expr_is_loop(call) && call->arguments[0]->kind != EXPR_VARIABLE)
        return DIAG_NULL(lexer->diag, call->arguments[0]->text.span,
                         "the first argument of %s is the name of its index",
                         operation_info[kind].word);
    return call;
}

static Expr *parse_prefixed(Parser *parser, ExprKind kind, int power)
{
    Text sign = parser->lexer.token.text;
    lexer_advance(&parser->lexer);
    Expr *operand = parse_binding(parser, power);
    if (!operand)
        return NULL;
    return expr_make(parser->arena, kind, text_between(parser, sign, operand->text), operand, NULL);
}

/* primary = number | name | call | "(" expression ")" | "-" expression | "not" expression */
static Expr *parse_primary(Parser *parser)
{
    Lexer *lexer = &parser->lexer;
    const Text text = lexer->token.text;
    if (lexer->token.kind == TOKEN_NUMBER) {
        const Quantity *quantity = &lexer->token.quantity;
        Expr *node = expr_number(parser->arena, quantity->integer, text);
        node->type = quantity->is_integer ? TYPE_INT : TYPE_REAL;
        node->real = quantity->value;
        node->dimension = quantity->dimension;
        if (node->type == TYPE_REAL) {
            Exact *exact = ARENA_NEW(parser->arena, Exact);
            *exact = exact_from_text(text, node->real);
            node->exact = exact;
        }
        lexer_advance(lexer);
        return node;
    }
    if (lexer_sees(lexer, "-"))
        return parse_prefixed(parser, EXPR_NEGATE, POWER_UNARY);
    if (lexer_sees(lexer, "not"))
        return parse_prefixed(parser, EXPR_NOT, POWER_NOT);
    if (lexer_sees(lexer, "(")) {
        lexer_advance(lexer);
        Expr *inner = parser_expression(parser);
        Text close = lexer->token.text;
        if (!inner || !lexer_expect(lexer, ")"))
            return NULL;
        if (inner->kind != EXPR_VARIABLE && inner->kind != EXPR_CALL) /* theirs is their name */
            inner->text = text_between(parser, text, close);
        return inner;
    }
    if (lexer->token.kind != TOKEN_NAME || grammar_is_reserved(text))
        return parser_unexpected(parser, "a value");
    lexer_advance(lexer);
    return lexer_sees(lexer, "(") ? parse_call(parser, text)
                                  : expr_make(parser->arena, EXPR_VARIABLE, text, NULL, NULL);
}

static const Operator *see_operator(Parser *parser)
{
    const Token *token = &parser->lexer.token;
    if (token->kind != TOKEN_NAME && token->kind != TOKEN_SIGN)
        return NULL;
    if (parser->looked_at != token->text.chars)
        parser->found = grammar_operator(token->text);
    parser->looked_at = token->text.chars;
    return parser->found;
}

static bool is_zero(const Expr *expr)
{
    return expr->kind == EXPR_NUMBER && expr->real == 0;
}

/* `factor` times the size of `right`, in nodes of their own. NULL after a report. */
static Expr *make_share(Parser *parser, Text text, const Expr *right, Expr *factor)
{
    size_t room = LIMIT_EXPRESSION_NODES;
    Expr *again = expr_copy(parser->arena, right, MOST_SLOTS, 0, &room);
    if (again)
        return expr_make(parser->arena, EXPR_MULTIPLY, text, factor,
                         expr_make(parser->arena, EXPR_ABS, text, again, NULL));
    return DIAG_NULL(parser->lexer.diag, right->text.span, "this is too long");
}

/* What two values may be apart at most, with room for the rounding of both: 99 us is within 1% of
   100 us, whatever doubles make of that. A literal 0 is zero of any dimension and stays one. */
static Expr *make_allowed(Parser *parser, Text text, Expr *allowed, bool is_share,
                          const Expr *right)
{
    Arena *arena = parser->arena;
    Expr *factor = expr_number(arena, 0, text), *rounding = expr_number(arena, 0, text);
    factor->type = rounding->type = TYPE_REAL;
    rounding->real = 1e-12;
    factor->real = 1 + rounding->real;
    if (is_share && is_zero(right))
        return expr_number(arena, 0, text);
    if (is_share)
        allowed =
            make_share(parser, text, right,
                       expr_make(arena, EXPR_DIVIDE, text, allowed, expr_number(arena, 100, text)));
    if (!allowed || is_zero(allowed))
        return allowed;
    allowed = expr_make(arena, EXPR_MULTIPLY, text, allowed, factor);
    if (is_zero(right))
        return allowed;
    Expr *slack = make_share(parser, text, right, rounding);
    return slack ? expr_make(arena, EXPR_ADD, text, allowed, slack) : NULL;
}

/* within = expression "within" expression [ "%" ] "of" expression, between two operators that bind
   like a comparison */
static Expr *parse_within(Parser *parser, Expr *left)
{
    Lexer *lexer = &parser->lexer;
    lexer_advance(lexer);
    Expr *allowed = parse_binding(parser, POWER_COMPARE);
    bool is_share = allowed && lexer_accept(lexer, "%");
    Expr *right =
        allowed && lexer_expect(lexer, "of") ? parse_binding(parser, POWER_COMPARE) : NULL;
    if (!right)
        return NULL;
    Text text = text_between(parser, left->text, right->text);
    Expr *apart = expr_make(parser->arena, EXPR_ABS, text,
                            expr_make(parser->arena, EXPR_SUBTRACT, text, left, right), NULL);
    allowed = make_allowed(parser, text, allowed, is_share, right);
    return allowed ? expr_make(parser->arena, EXPR_LESS_EQUAL, text, apart, allowed) : NULL;
}

static Expr *parse_operators(Parser *parser, Expr *left, int least)
{
    for (;;) {
        bool is_within = parser->lexer.about_models && lexer_sees(&parser->lexer, "within");
        if (is_within && least < POWER_COMPARE) {
            left = parse_within(parser, left);
            if (!left)
                return NULL;
        }
        const Operator *found = see_operator(parser);
        if (!found || found->power <= least)
            return left;
        if (++parser->nodes > LIMIT_EXPRESSION_NODES)
            return fail_too_long(parser, parser->lexer.token.text.span);
        int power = found->power;
        lexer_advance(&parser->lexer);
        Expr *right = parse_binding(parser, power == POWER_RAISE ? POWER_UNARY : power);
        if (!right)
            return NULL;
        left = expr_make(parser->arena, found->kind, text_between(parser, left->text, right->text),
                         left, right);
        const Operator *next = see_operator(parser);
        if (power == POWER_COMPARE && next && next->power == POWER_COMPARE)
            return DIAG_NULL(parser->lexer.diag, parser->lexer.token.text.span,
                             "comparisons do not chain: write 'a < b and b < c'");
    }
}

/* expression = primary { operator expression }, with operators that bind tighter than `least` */
static Expr *parse_binding(Parser *parser, int least)
{
    if (parser->depth > LIMIT_EXPRESSION_DEPTH)
        return DIAG_NULL(parser->lexer.diag, parser->lexer.token.text.span,
                         "this is nested too deeply (more than %d levels)", LIMIT_EXPRESSION_DEPTH);
    parser->depth++;
    Expr *left = parse_primary(parser);
    Expr *whole = left ? parse_operators(parser, left, least) : NULL;
    parser->depth--;
    return whole;
}

Expr *parser_expression(Parser *parser)
{
    return parse_binding(parser, POWER_NONE);
}

bool parse_sides(const Expr *expr, const Expr **left, const Expr **right)
{
    if (operation_info[expr->kind].rule != RULE_COMPARISON)
        return false;
    bool is_within = expr->arguments[0]->kind == EXPR_ABS &&
                     expr->arguments[0]->text.chars == expr->text.chars &&
                     expr->arguments[0]->text.length == expr->text.length;
    const Expr *sides = is_within ? expr->arguments[0]->arguments[0] : expr;
    *left = sides->arguments[0];
    *right = sides->arguments[1];
    return true;
}

Parser parser_start(Arena *arena, Text text, Diag *diag)
{
    Parser parser = {.arena = arena};
    lexer_start(&parser.lexer, text, false, diag);
    return parser;
}

bool parser_at_end(Parser *parser, const char *what)
{
    if (parser->lexer.token.kind == TOKEN_END)
        return true;
    const Token *token = &parser->lexer.token;
    if (token->kind != TOKEN_BAD) {
        diag_error(parser->lexer.diag, token->text.span, "unexpected '%.*s' after the %s",
                   TEXT_ARGS(token->text), what);
        if (!diag_note_foreign(parser->lexer.diag, FOREIGN_NAME, token->text) &&
            token->kind == TOKEN_NAME && !grammar_is_reserved(token->text))
            diag_note(parser->lexer.diag, NOWHERE,
                      "no operator is before it: a product is written with '*', as in 2 * p");
    }
    return false;
}

Expr *parse_expression(Arena *arena, Text text, Diag *diag)
{
    Parser parser = parser_start(arena, text, diag);
    Expr *expr = parser_expression(&parser);
    return expr && parser_at_end(&parser, "expression") ? expr : NULL;
}

Expr *expression_of(Arena *arena, Text text)
{
    Diag silent = diag_silent();
    return parse_expression(arena, text, &silent);
}

Expr *parse_question(Arena *arena, Text text, Diag *diag)
{
    Parser parser = {.arena = arena};
    lexer_start(&parser.lexer, text, true, diag);
    Expr *expr = parser_expression(&parser);
    return expr && parser_at_end(&parser, "expression") ? expr : NULL;
}

bool parser_new_name(Parser *parser, const char *what, Text *name)
{
    *name = parser->lexer.token.text;
    if (parser->lexer.token.kind != TOKEN_NAME || grammar_is_reserved(*name))
        return parser_unexpected(parser, what) != NULL;
    lexer_advance(&parser->lexer);
    return true;
}

bool parse_signature(Arena *arena, Text text, Signature *signature, Diag *diag)
{
    Parser parser = parser_start(arena, text, diag);
    Lexer *lexer = &parser.lexer;
    Text name, *known = signature->parameters;
    *signature = (Signature){0};
    if (!parser_new_name(&parser, "a name", &signature->name))
        return false;
    if (!lexer_sees(lexer, "("))
        return parser_at_end(&parser, "expression");
    if (grammar_function(signature->name) >= 0)
        return diag_error(diag, signature->name.span, "'%.*s' is a function already",
                          TEXT_ARGS(signature->name));
    do {
        lexer_advance(lexer);
        if (!parser_new_name(&parser, "the name of a parameter", &name))
            return false;
        for (int i = 0; i < signature->parameter_count; i++)
            if (text_same(known[i], name))
                return diag_error(diag, name.span, "two parameters have this name");
        if (signature->parameter_count == MOST_PARAMETERS)
            return diag_error(diag, name.span, "a function has at most %d parameters",
                              MOST_PARAMETERS);
        known[signature->parameter_count++] = name;
    } while (lexer_sees(lexer, ","));
    bool is_cut = lexer->token.kind == TOKEN_END;
    if (lexer_expect(lexer, ")"))
        return parser_at_end(&parser, "expression");
    if (is_cut)
        diag_note(diag, NOWHERE,
                  "inside { }, YAML splits at every comma: give each name a line of its own");
    return false;
}

bool parse_range(Arena *arena, Text text, Expr **from, Expr **to, Diag *diag)
{
    Parser parser = parser_start(arena, text, diag);
    *from = parser_expression(&parser);
    if (!*from || !lexer_expect(&parser.lexer, ".."))
        return false;
    *to = parser_expression(&parser);
    return *to && parser_at_end(&parser, "expression");
}
