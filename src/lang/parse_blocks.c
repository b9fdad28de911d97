/* Loops and block sets. */
#include "lang/parse.h"
#include "lang/parser.h"

/* loop = name "in" expression (".." | "down" "to") expression */
static bool parse_loop_here(Parser *parser, Loop *loop)
{
    Lexer *lexer = &parser->lexer;
    *loop = (Loop){.slot = -1};
    if (!parser_new_name(parser, "the name of an index", &loop->name) || !lexer_expect(lexer, "in"))
        return false;
    loop->from = parser_expression(parser);
    if (!loop->from)
        return false;
    loop->down = lexer_accept(lexer, "down");
    if (!lexer_expect(lexer, loop->down ? "to" : ".."))
        return false;
    loop->to = parser_expression(parser);
    return loop->to != NULL;
}

bool parse_loop(Arena *arena, Text text, Loop *loop, Diag *diag)
{
    Parser parser = parser_start(arena, text, diag);
    return parse_loop_here(&parser, loop) && parser_at_end(&parser, "expression");
}

/* A parenthesis opens a tuple if a comma follows its first expression; else it is an ordinary
   expression, which may go on behind the closing one: (r + 1) mod p. So look first. */
static bool opens_tuple(Parser *parser)
{
    const Text token = parser->lexer.token.text, text = parser->lexer.text;
    int depth = 0;
    for (size_t at = (size_t)(token.chars - text.chars); at < text.length; at++) {
        const char sign = text.chars[at];
        depth += (sign == '(') - (sign == ')');
        if (depth == 0 || (depth == 1 && sign == ','))
            return depth == 1;
    }
    return false;
}

static bool parse_item(Parser *parser, BlockSet *set)
{
    Lexer *lexer = &parser->lexer;
    if (lexer_accept(lexer, "all")) {
        set->all = true;
        return true;
    }
    const bool is_tuple = lexer_sees(lexer, "(") && opens_tuple(parser);
    if (is_tuple)
        lexer_advance(lexer);
    do {
        if (set->index_count == MOST_INDICES)
            return diag_error(lexer->diag, lexer->token.text.span, "a block has at most %d indices",
                              MOST_INDICES);
        Expr *index = parser_expression(parser);
        if (!index)
            return false;
        set->indices[set->index_count++] = index;
    } while (is_tuple && lexer_accept(lexer, ","));
    if (is_tuple)
        return lexer_expect(lexer, ")");
    if (!lexer_accept(lexer, ".."))
        return true;
    set->range_end = parser_expression(parser);
    return set->range_end != NULL;
}

/* { "for" loop } [ "if" expression ] */
static bool parse_picking(Parser *parser, BlockSet *set)
{
    Lexer *lexer = &parser->lexer;
    while (lexer_accept(lexer, "for")) {
        if (set->loop_count == MOST_LOOPS)
            return diag_error(lexer->diag, lexer->token.text.span,
                              "at most %d 'for' in one block set", MOST_LOOPS);
        if (!parse_loop_here(parser, &set->loops[set->loop_count++]))
            return false;
    }
    if (lexer_accept(lexer, "if")) {
        set->condition = parser_expression(parser);
        if (!set->condition)
            return false;
    }
    return parser_at_end(parser, "expression");
}

bool parse_block_set(Arena *arena, Text text, BlockSet *set, Diag *diag)
{
    Parser parser = parser_start(arena, text, diag);
    *set = (BlockSet){.text = text};
    return parse_item(&parser, set) && parse_picking(&parser, set);
}

static bool parse_single_block(Parser *parser, BlockSet *set)
{
    Text first = parser->lexer.token.text;
    if (!parse_item(parser, set))
        return false;
    return (!set->all && !set->range_end) ||
           diag_error(parser->lexer.diag, first.span,
                      "one block is combined with one: use 'for' instead");
}

/* Checking changes a tree, so each set needs loops and a condition of its own: the text is read
   twice. */
bool parse_combination(Arena *arena, Text text, BlockSet *into, BlockSet *from, Diag *diag)
{
    for (int i = 0; i < 2; i++) {
        Parser parser = parser_start(arena, text, diag);
        BlockSet sides[2] = {{.text = text}, {.text = text}};
        if (!parse_single_block(&parser, &sides[0]) || !lexer_expect(&parser.lexer, "+=") ||
            !parse_single_block(&parser, &sides[1]) || !parse_picking(&parser, &sides[i]))
            return false;
        *(i == 0 ? into : from) = sides[i];
    }
    return true;
}

/* A set for each factor and for the result, which are written as calls of arrays. Each set needs a
   reading of its own. */
bool parse_product(Arena *arena, Text text, BlockSet sets[3], Diag *diag)
{
    for (int i = 0; i < 3; i++) {
        Parser parser = parser_start(arena, text, diag);
        Expr *result = parser_expression(&parser);
        if (!result || !lexer_expect(&parser.lexer, "+="))
            return false;
        Expr *product = parser_expression(&parser);
        if (!product)
            return false;
        if (product->kind != EXPR_MULTIPLY)
            return diag_error(diag, product->text.span, "expected a product of two blocks");
        const Expr *call = i < 2 ? product->arguments[i] : result;
        if (call->kind != EXPR_CALL)
            return diag_error(diag, call->text.span,
                              "expected a block of an array, such as A(i, k)");
        sets[i] = (BlockSet){.text = text, .name = call->text, .index_count = call->argument_count};
        for (int n = 0; n < call->argument_count; n++)
            sets[i].indices[n] = call->arguments[n];
        if (!parse_picking(&parser, &sets[i]))
            return false;
    }
    return true;
}
