#include "lang/informal.h"

#include "lang/grammar.h"
#include "lang/informal_lexer.h"
#include "lang/parser.h"

#include <string.h>

static const struct {
    const char *open, *close;
    ExprKind rounds; /* EXPR_NUMBER: it only groups */
} brackets[] = {{"(", ")", EXPR_NUMBER},
                {"[", "]", EXPR_NUMBER},
                {"{", "}", EXPR_NUMBER},
                {"⌈", "⌉", EXPR_CEIL},
                {"⌊", "⌋", EXPR_FLOOR}};
enum { BRACKET_COUNT = COUNT_OF(brackets), GROUPING_COUNT = 3 };

static Expr *read_binding(Parser *parser, int least);
static Expr *read_tight(Parser *parser);
static Expr *read_script(Parser *parser);
static Expr *read_logarithm(Parser *parser, const char *name, size_t start, Expr *base);

/* Where a token, or what a node stands for, begins. */
static size_t start_of(const Parser *parser, Text text)
{
    return text.span.offset - parser->lexer.text.span.offset;
}

/* A call of a function that expressions do not have. */
static Expr *name_call(Expr *call, const char *name)
{
    call->text = (Text){name, strlen(name), call->text.span, false};
    return call;
}

bool informal_is_call(const Expr *expr, const char *name)
{
    return expr->kind == EXPR_CALL && text_equals(expr->text, name);
}

/* Is it a natural logarithm, or one to a base that is a number, 2 not among them? */
static bool has_other_base(const Expr *expr)
{
    return informal_is_call(expr, "ln") ||
           (informal_is_call(expr, "log") && expr->argument_count == 2 &&
            expr->arguments[1]->kind == EXPR_NUMBER);
}

/* A node for the text from `start` to the end of the last token that was read. */
static Expr *make_node(Parser *parser, ExprKind kind, size_t start, Expr *a, Expr *b)
{
    parser->nodes++;
    if (kind == EXPR_DIVIDE && has_other_base(b)) {
        /* Of ln p / ln 2 those to base 2 have the same value, and take their place. */
        Expr *above = a;
        while (above->kind == EXPR_MULTIPLY)
            above = above->arguments[1];
        if (has_other_base(above) && text_same(above->text, b->text) &&
            (b->argument_count == 1 || above->arguments[1]->integer == b->arguments[1]->integer)) {
            name_call(above, "log")->argument_count = 1;
            name_call(b, "log")->argument_count = 1;
        }
    }
    Text text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    return expr_make(parser->arena, kind, text, a, b);
}

static Expr *report(Parser *parser, Span span, const char *what)
{
    if (parser->lexer.token.kind != TOKEN_BAD)
        diag_error(parser->lexer.diag, span, "%s", what);
    return NULL;
}

static Expr *whole_number(Parser *parser, int64_t value, Text text)
{
    parser->nodes++;
    return expr_number(parser->arena, value, text);
}

/* 1.5 becomes 15 / 10, which is exact; 1.0 is a real number, too. */
static Expr *read_number(Parser *parser)
{
    Token token = parser->lexer.token;
    size_t start = start_of(parser, parser->lexer.token.text);
    lexer_advance(&parser->lexer);
    Expr *number = whole_number(parser, token.integer, token.text);
    if (token.divisor == 1)
        return number;
    if (token.integer % token.divisor)
        return make_node(parser, EXPR_DIVIDE, start, number,
                         whole_number(parser, token.divisor, token.text));
    number->type = TYPE_REAL;
    number->real = (double)(token.integer / token.divisor);
    return number;
}

static Expr *read_variable(Parser *parser)
{
    const Text name = parser->lexer.token.text;
    lexer_advance(&parser->lexer);
    parser->nodes++;
    return expr_make(parser->arena, EXPR_VARIABLE, name, NULL, NULL);
}

/* The bracket that opens here, or -1. */
static int see_bracket(const Parser *parser, int count)
{
    for (int i = 0; i < count; i++)
        if (lexer_sees(&parser->lexer, brackets[i].open))
            return i;
    return -1;
}

static bool close_bracket(Parser *parser, int bracket, Span open)
{
    bool is_bad = parser->lexer.token.kind == TOKEN_BAD;
    parser->open_sum = NULL;
    return lexer_expect(&parser->lexer, brackets[bracket].close) ||
           (!is_bad &&
            diag_note(parser->lexer.diag, open, "for the '%s' here", brackets[bracket].open));
}

/* Can it be other than whole, so that [ ] may be meant to round it? It is no time either. */
static bool may_round(const Expr *expr)
{
    bool may = expr->kind == EXPR_DIVIDE || expr->kind == EXPR_SQRT || expr->kind == EXPR_CALL;
    for (int i = 0; i < expr->argument_count; i++)
        may |= may_round(expr->arguments[i]);
    return may;
}

static bool is_logarithm(Text name)
{
    static const char *const words[] = {"log", "lg", "log2", "ld", "lb", "log10"};
    return text_among(name, words, COUNT_OF(words)) < COUNT_OF(words);
}

/* "log", "log_2", or as editors of formulas write them, "{\log _2}", "{{\log }_2}": what stands
   below in *base. Where no logarithm begins nothing is read. */
static bool accept_logarithm(Parser *parser, Expr **base)
{
    const Lexer before = parser->lexer;
    size_t open = 0;
    while (open < LIMIT_EXPRESSION_DEPTH && lexer_accept(&parser->lexer, "{"))
        open++;
    const Text word = parser->lexer.token.text;
    if (is_logarithm(word)) {
        *base = text_equals(word, "log10") ? whole_number(parser, 10, word) : *base;
        lexer_advance(&parser->lexer);
        do {
            if (!*base && !lexer_accept(&parser->lexer, "₂") && lexer_accept(&parser->lexer, "_") &&
                !(*base = read_script(parser)))
                parser->lexer.token.kind = TOKEN_BAD; /* it is reported */
            if (!open && parser->lexer.token.kind != TOKEN_BAD)
                return true;
        } while (open-- && lexer_accept(&parser->lexer, "}"));
    }
    if (parser->lexer.token.kind != TOKEN_BAD)
        parser->lexer = before;
    return false;
}

/* *second: of the operand of a logarithm, the base behind a comma; NULL elsewhere. */
static Expr *read_group(Parser *parser, int bracket, Expr **second)
{
    Span open = parser->lexer.token.text.span;
    size_t start = start_of(parser, parser->lexer.token.text);
    Expr *base = NULL;
    if (*brackets[bracket].open == '{' && accept_logarithm(parser, &base))
        return read_logarithm(parser, "log", start, base);
    lexer_advance(&parser->lexer);
    Expr *inner = read_binding(parser, POWER_NONE);
    if (inner && lexer_accept(&parser->lexer, "//")) {
        Expr *below = read_binding(parser, POWER_NONE);
        inner = below ? make_node(parser, EXPR_DIVIDE, start, inner, below) : NULL;
    }
    if (inner && second && lexer_accept(&parser->lexer, ",") &&
        !(*second = read_binding(parser, POWER_NONE)))
        return NULL;
    if (!inner || !close_bracket(parser, bracket, open))
        return NULL;
    const bool is_limit = start && parser->lexer.text.chars[start - 1] == '^'; /* of a sum */
    const Text before = text_slice(parser->lexer.text, 0, start);
    const bool is_below =
        *brackets[bracket].open == '{' && !is_limit && lexer_accept(&parser->lexer, "_");
    if (is_below || (text_ends(before, "\\overbrace") && lexer_accept(&parser->lexer, "^"))) {
        if (lexer_sees(&parser->lexer, "{"))
            informal_lexer_pass(&parser->lexer);
        else if (!read_script(parser))
            return NULL;
    }
    if (brackets[bracket].rounds != EXPR_NUMBER)
        return make_node(parser, brackets[bracket].rounds, start, inner, NULL);
    if (parser->lexer.letters && *brackets[bracket].open == '[' && may_round(inner))
        return name_call(make_node(parser, EXPR_CALL, start, inner, NULL), "[]");
    Text whole = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    if (inner->kind == EXPR_CALL) /* its text is the name of the function */
        inner->text.span = whole.span;
    else if (inner->kind != EXPR_VARIABLE)
        inner->text = whole;
    return inner;
}

static Expr *read_atom(Parser *parser, int count, Expr *(*named)(Parser *), const char *wanted)
{
    const int bracket = see_bracket(parser, count);
    if (bracket >= 0)
        return read_group(parser, bracket, NULL);
    if (parser->lexer.token.kind == TOKEN_NUMBER)
        return read_number(parser);
    if (parser->lexer.token.kind == TOKEN_NAME)
        return named(parser);
    return parser_unexpected(parser, wanted);
}

/* What stands below or above a sign: a number, a name or a group. */
static Expr *read_script(Parser *parser)
{
    return read_atom(parser, GROUPING_COUNT, read_variable, "a number or a name");
}

/* [ "^" exponent ] operand, behind "log" and its base, or "ln"; log(p, 2) in programs and
   spreadsheets, where a base makes one of "ln", too */
static Expr *read_logarithm(Parser *parser, const char *name, size_t start, Expr *base)
{
    Expr *exponent = NULL;
    if (lexer_accept(&parser->lexer, "^") && !(exponent = read_script(parser)))
        return NULL;
    const bool may_have_base = !base && lexer_sees(&parser->lexer, "(");
    Expr *operand = may_have_base ? read_group(parser, 0, &base) : read_tight(parser);
    if (!operand)
        return NULL;
    if (base)
        name = "log";
    if (base && may_have_base && operand->kind == EXPR_NUMBER && base->kind != EXPR_NUMBER) {
        Expr *const first = operand; /* log(2, p), as some have it */
        operand = base, base = first;
    }
    if (base && base->kind == EXPR_NUMBER && base->integer == 2)
        base = NULL;
    Expr *logarithm = name_call(make_node(parser, EXPR_CALL, start, operand, base), name);
    return exponent ? make_node(parser, EXPR_POWER, start, logarithm, exponent) : logarithm;
}

/* \sqrt[3]{p} */
static Expr *read_root(Parser *parser, size_t start)
{
    ExprKind kind = EXPR_SQRT;
    if (parser->lexer.text.chars[start] == '\\' && lexer_accept(&parser->lexer, "[")) {
        const Token index = parser->lexer.token;
        if (index.kind != TOKEN_NUMBER || index.divisor != 1 ||
            (index.integer != 2 && index.integer != 3))
            return report(parser, index.text.span, "only square and cube roots are supported");
        kind = index.integer == 3 ? EXPR_CBRT : EXPR_SQRT;
        lexer_advance(&parser->lexer);
        if (!lexer_expect(&parser->lexer, "]"))
            return NULL;
    }
    Expr *operand = read_tight(parser);
    return operand ? make_node(parser, kind, start, operand, NULL) : NULL;
}

static Expr *read_part(Parser *parser)
{
    if (!lexer_sees(&parser->lexer, "{"))
        informal_lexer_narrow(&parser->lexer);
    if (!lexer_sees(&parser->lexer, "{") && parser->lexer.token.text.span.length != 1)
        return report(parser, parser->lexer.token.text.span,
                      "\\frac has two parts, in braces or of one sign: \\frac{p-1}{p}");
    return read_script(parser);
}

static Expr *read_call(Parser *parser, ExprKind kind, size_t start, Text name)
{
    Expr *call = make_node(parser, kind, start, NULL, NULL);
    const int bracket = see_bracket(parser, GROUPING_COUNT);
    const Span open = parser->lexer.token.text.span;
    if (bracket < 0)
        return parser_unexpected(parser, "'('");
    lexer_advance(&parser->lexer);
    do {
        Expr *argument = read_binding(parser, POWER_NONE);
        if (!argument)
            return NULL;
        parser->nodes++;
        /* of CEILING(x, 1) or ROUNDUP(x, 0), as spreadsheets have it */
        const bool is_step = (kind == EXPR_CEIL || kind == EXPR_FLOOR) &&
                             call->argument_count == 1 && argument->kind == EXPR_NUMBER &&
                             argument->integer <= 1;
        if (kind == EXPR_MIN || kind == EXPR_MAX)
            parser_fold_arguments(parser, call, argument);
        else if (!is_step && call->argument_count++ < operation_info[kind].arity)
            call->arguments[call->argument_count - 1] = argument;
    } while (lexer_accept(&parser->lexer, ",") && parser->nodes <= LIMIT_EXPRESSION_NODES);
    if (!close_bracket(parser, bracket, open))
        return NULL;
    call->text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    if (call->argument_count != operation_info[kind].arity)
        return DIAG_NULL(parser->lexer.diag, name.span, "%s does not have %d argument%s",
                         operation_info[kind].word, call->argument_count,
                         PLURAL_END(call->argument_count));
    if (expr_is_loop(call) && call->arguments[0]->kind != EXPR_VARIABLE)
        return report(parser, call->arguments[0]->text.span,
                      "the first argument is the name of an index");
    return call;
}

/* "_" "{" index "=" from "}", or with both ends, "1 <= index < to" */
static bool read_lower_limit(Parser *parser, Expr *sum)
{
    Text name;
    Expr **index = &sum->arguments[0], **from = &sum->arguments[1], **to = &sum->arguments[2];
    const bool is_below = lexer_expect(&parser->lexer, "_");
    const Span open = parser->lexer.token.text.span;
    if (!is_below || !lexer_expect(&parser->lexer, "{"))
        return false;
    const bool has_both = parser->lexer.token.divisor == 1 && !*to;
    if (has_both) {
        *from = read_number(parser);
        if (lexer_accept(&parser->lexer, "<"))
            (*from)->integer++;
        else if (!lexer_expect(&parser->lexer, "<="))
            return false;
    }
    if (!parser_new_name(parser, "the name of an index", &name))
        return false;
    if (parser->lexer.letters)
        *ARRAY_PUSH(parser->arena, &parser->lexer.letters->names) = name;
    *index = expr_make(parser->arena, EXPR_VARIABLE, name, NULL, NULL);
    if (has_both) { /* "<= to" or "< to", which is up to the whole number below it */
        const bool ends_before = lexer_accept(&parser->lexer, "<");
        if (ends_before || lexer_expect(&parser->lexer, "<="))
            *to = read_binding(parser, POWER_NONE);
        if (*to && ends_before && may_round(*to))
            *to = make_node(parser, EXPR_CEIL, start_of(parser, (*to)->text), *to, NULL);
        if (*to && ends_before)
            *to = make_node(parser, EXPR_SUBTRACT, start_of(parser, (*to)->text), *to,
                            whole_number(parser, 1, (*to)->text));
    } else if (lexer_expect(&parser->lexer, "="))
        *from = read_binding(parser, POWER_NONE);
    return *from && (*to || !has_both) && close_bracket(parser, 2, open);
}

/* "sum" limits product, where "^" to is before the lower limit or behind it */
static Expr *read_sum(Parser *parser, size_t start)
{
    Expr *sum = make_node(parser, EXPR_SUM, start, NULL, NULL), **to = &sum->arguments[2];
    if ((lexer_accept(&parser->lexer, "^") && !(*to = read_script(parser))) ||
        !read_lower_limit(parser, sum) ||
        (!*to && !(lexer_expect(&parser->lexer, "^") && (*to = read_script(parser)))) ||
        !(sum->arguments[3] = read_binding(parser, POWER_ADD)))
        return NULL;
    sum->argument_count = 4;
    sum->text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    parser->open_sum = sum;
    return sum;
}

static Expr *read_name(Parser *parser)
{
    const Text name = parser->lexer.token.text;
    const size_t start = start_of(parser, parser->lexer.token.text);
    const int function = grammar_function(name);
    const bool is_fraction = text_equals(name, "frac"), is_natural = text_equals(name, "ln");
    Expr *base = NULL;
    if (grammar_is_reserved(name))
        return parser_unexpected(parser, "a value");
    if (is_logarithm(name))
        return accept_logarithm(parser, &base) ? read_logarithm(parser, "log", start, base) : NULL;
    if (function < 0 && !is_fraction && !is_natural)
        return read_variable(parser);
    lexer_advance(&parser->lexer);
    if (is_fraction) {
        Expr *above = read_part(parser), *below = above ? read_part(parser) : NULL;
        return below ? make_node(parser, EXPR_DIVIDE, start, above, below) : NULL;
    }
    if (is_natural)
        return read_logarithm(parser, "ln", start, NULL);
    if (function == EXPR_SQRT)
        return read_root(parser, start);
    if (function == EXPR_SUM && see_bracket(parser, GROUPING_COUNT) < 0)
        return read_sum(parser, start);
    return read_call(parser, (ExprKind)function, start, name);
}

static bool starts_operand(const Parser *parser)
{
    const Token *token = &parser->lexer.token;
    return token->kind == TOKEN_NUMBER ||
           (token->kind == TOKEN_NAME && !grammar_is_reserved(token->text)) ||
           see_bracket(parser, BRACKET_COUNT) >= 0;
}

static bool enter(Parser *parser)
{
    const char *why = parser->depth > LIMIT_EXPRESSION_DEPTH    ? "this is nested too deeply"
                      : parser->nodes >= LIMIT_EXPRESSION_NODES ? "this formula is too long"
                                                                : NULL;
    parser->depth += !why;
    return !why || report(parser, parser->lexer.token.text.span, why);
}

/* What a function without parentheses takes:
   group | name [ "^" binding ] | number [ "^" binding ] */
static Expr *read_tight(Parser *parser)
{
    const bool is_group = see_bracket(parser, BRACKET_COUNT) >= 0;
    const size_t start = start_of(parser, parser->lexer.token.text);
    Expr *operand =
        enter(parser) ? read_atom(parser, BRACKET_COUNT, read_name, "an operand") : NULL;
    /* Is log 2 p the logarithm of 2 p, or p times that of 2? */
    if (operand && !is_group && operand->kind == EXPR_NUMBER && starts_operand(parser))
        return DIAG_NULL(parser->lexer.diag, operand->text.span,
                         "ambiguous operand of a function: put it in parentheses");
    if (operand && !is_group && lexer_accept(&parser->lexer, "^")) {
        Expr *exponent = read_binding(parser, POWER_UNARY);
        operand = exponent ? make_node(parser, EXPR_POWER, start, operand, exponent) : NULL;
    }
    parser->depth--;
    return operand;
}

static Expr *read_prefixed(Parser *parser, ExprKind kind, int power)
{
    size_t start = start_of(parser, parser->lexer.token.text);
    lexer_advance(&parser->lexer);
    Expr *operand = read_binding(parser, power);
    return operand ? make_node(parser, kind, start, operand, NULL) : NULL;
}

static const Operator *see_operator(const Parser *parser)
{
    static const Operator product = {"", EXPR_MULTIPLY, POWER_MULTIPLY};
    const Operator *found = grammar_operator(parser->lexer.token.text);
    return !found && starts_operand(parser) ? &product : found;
}

/* "... + last", behind a plus and what is left of it, which ends in so many terms of a sum */
static Expr *read_dots(Parser *parser, Expr *left, int terms)
{
    const Span dots = parser->lexer.token.text.span;
    lexer_advance(&parser->lexer);
    Expr *last = lexer_expect(&parser->lexer, "+") ? read_binding(parser, POWER_ADD) : NULL, *rest;
    if (!last)
        return NULL;
    const Text text = text_slice(parser->lexer.text, 0, parser->lexer.last_end);
    Expr *sum = dots_sum(parser->arena, left, terms, last, text, &rest);
    if (!sum)
        return report(parser, dots,
                      "the terms round these dots follow no pattern that is known: two or three, "
                      "in which a number rises by the same step or factor, and the last one");
    parser->nodes += (int)expr_size(sum);
    return rest ? make_node(parser, EXPR_ADD, start_of(parser, rest->text), rest, sum) : sum;
}

/* Does the next term belong to the sum in which `left` ends, since it has its index:
   sum_i t_s + m 2^i t_w? */
static bool goes_on(const Parser *parser, const Expr *left, const Expr *sum, const Expr *term)
{
    while (left->kind == EXPR_ADD || left->kind == EXPR_SUBTRACT || left->kind == EXPR_MULTIPLY)
        left = left->arguments[1];
    if (left != sum)
        return false;
    const Text index = sum->arguments[0]->text;
    return expr_names(term, text_string(parser->arena, index));
}

static Expr *read_operators(Parser *parser, Expr *left, int least)
{
    for (int terms = 1;;) { /* of a sum, in which `left` ends */
        const Operator *found = see_operator(parser);
        if (!found || found->power <= least)
            return left;
        Expr *sum = parser->open_sum;
        const size_t end = parser->lexer.last_end;
        const Text next_text = parser->lexer.token.text;
        /* A number behind something may be a power or an index that lost its place, unless it has a
           power itself, m 2^i, or LaTeX puts a space before it. */
        if (*found->word)
            lexer_advance(&parser->lexer);
        else if (parser->lexer.token.kind == TOKEN_NUMBER &&
                 !informal_lexer_is_raised(&parser->lexer) &&
                 !text_holds(text_slice(parser->lexer.text, end, start_of(parser, next_text) - end),
                             "\\,"))
            return report(parser, next_text.span,
                          "an operator is missing before this number, such as * or ^");
        if (found->kind == EXPR_ADD && lexer_sees(&parser->lexer, "…")) {
            if (!(left = read_dots(parser, left, terms)))
                return NULL;
            terms = 1;
            continue;
        }
        Expr *right =
            read_binding(parser, found->power == POWER_RAISE ? POWER_UNARY : found->power);
        if (!right)
            return NULL;
        const bool is_within = found->power == POWER_ADD && goes_on(parser, left, sum, right);
        if (is_within)
            parser->open_sum = sum;
        Expr **whole = is_within ? &sum->arguments[3] : &left;
        *whole = make_node(parser, found->kind, start_of(parser, (*whole)->text), *whole, right);
        terms = found->kind == EXPR_ADD && !is_within ? terms + 1 : 1;
        const Operator *next = see_operator(parser);
        if (found->power == POWER_COMPARE && next && next->power == POWER_COMPARE)
            return report(parser, parser->lexer.token.text.span,
                          "comparisons do not chain: write 'a < b and b < c'");
    }
}

/* primary { [ operator ] primary }, with operators that bind tighter than `least` */
static Expr *read_binding(Parser *parser, int least)
{
    if (!enter(parser))
        return NULL;
    Expr *left = lexer_sees(&parser->lexer, "-") ? read_prefixed(parser, EXPR_NEGATE, POWER_UNARY)
                 : lexer_sees(&parser->lexer, "not")
                     ? read_prefixed(parser, EXPR_NOT, POWER_NOT)
                     : read_atom(parser, BRACKET_COUNT, read_name, "a value");
    Expr *whole = left ? read_operators(parser, left, least) : NULL;
    parser->depth--;
    return whole;
}

Expr *informal_parse(Arena *arena, Text text, InformalLetters *letters, Diag *diag)
{
    Parser parser = {.arena = arena};
    informal_lexer_start(&parser.lexer, arena, letters, text, diag);
    if (parser.lexer.token.kind == TOKEN_END)
        return report(&parser, parser.lexer.token.text.span, "the formula is missing");
    Expr *expr = read_binding(&parser, POWER_NONE);
    if (!expr || !parser_at_end(&parser, "formula"))
        return NULL;
    return expr_names(expr, "ln") ? report(&parser, expr->text.span,
                                           "no cost has a natural logarithm: write log for log2")
                                  : expr;
}

bool informal_parse_name(Arena *arena, Text text, Text *name, Diag *diag)
{
    Parser parser = {.arena = arena};
    informal_lexer_start(&parser.lexer, arena, NULL, text, diag);
    if (!parser_new_name(&parser, "a name", name))
        return false;
    if (is_logarithm(*name))
        *name = (Text){"log", 3, name->span, false};
    return parser_at_end(&parser, "formula");
}

Expr *informal_formula(Arena *arena, Text text, InformalLetters *letters)
{
    Diag silent = diag_silent();
    return informal_parse(arena, text, letters, &silent);
}
