#include "lang/informal.h"

#include "lang/dots.h"
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
static Expr *read_logarithm(Parser *parser, size_t start, Expr *base);

static const Token *token_of(const Parser *parser)
{
    return &parser->lexer.token;
}

static bool sees(const Parser *parser, const char *word)
{
    return lexer_sees(&parser->lexer, word);
}

static bool accept(Parser *parser, const char *word)
{
    return lexer_accept(&parser->lexer, word);
}

/* Where the token in view begins. */
static size_t start_of(const Parser *parser)
{
    return token_of(parser)->text.span.offset - parser->lexer.text.span.offset;
}

static size_t start_of_node(const Parser *parser, const Expr *expr)
{
    return expr->text.span.offset - parser->lexer.text.span.offset;
}

/* Of ln p / ln 2 those to base 2 have the same value, and take their place. */
static void pair_naturals(Expr *above, Expr *below)
{
    while (above->kind == EXPR_MULTIPLY)
        above = above->arguments[1];
    if (above->kind == EXPR_CALL && below->kind == EXPR_CALL && text_equals(above->text, "ln ") &&
        text_equals(below->text, "ln "))
        above->text.chars = below->text.chars = "log";
}

/* A node for the text from `start` to the end of the last token that was read. */
static Expr *make_node(Parser *parser, ExprKind kind, size_t start, Expr *a, Expr *b)
{
    parser->nodes++;
    if (kind == EXPR_DIVIDE)
        pair_naturals(a, b);
    Text text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    return expr_make(parser->arena, kind, text, a, b);
}

static Expr *report(Parser *parser, Span span, const char *what)
{
    if (token_of(parser)->kind != TOKEN_BAD)
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
    Token token = *token_of(parser);
    size_t start = start_of(parser);
    lexer_advance(&parser->lexer);
    Expr *number = whole_number(parser, token.integer, token.text);
    if (token.divisor == 1)
        return number;
    if (token.integer % token.divisor)
        return make_node(parser, EXPR_DIVIDE, start, number,
                         whole_number(parser, token.divisor, token.text));
    const int64_t quotient = token.integer / token.divisor;
    number->type = TYPE_REAL;
    number->real = (double)quotient;
    return number;
}

static Expr *read_variable(Parser *parser)
{
    Text name = token_of(parser)->text;
    size_t start = start_of(parser);
    lexer_advance(&parser->lexer);
    Expr *variable = make_node(parser, EXPR_VARIABLE, start, NULL, NULL);
    variable->text = name;
    return variable;
}

/* The bracket that opens here, or -1. */
static int see_bracket(const Parser *parser, int count)
{
    for (int i = 0; i < count; i++)
        if (sees(parser, brackets[i].open))
            return i;
    return -1;
}

static bool close_bracket(Parser *parser, int bracket, Span open)
{
    bool is_bad = token_of(parser)->kind == TOKEN_BAD;
    if (lexer_expect(&parser->lexer, brackets[bracket].close))
        return true;
    if (!is_bad)
        diag_note(parser->lexer.diag, open, "for the '%s' here", brackets[bracket].open);
    return false;
}

/* Can it be other than whole, so that [ ] may be meant to round it? It is no time either. */
static bool may_round(const Expr *expr)
{
    bool may = expr->kind == EXPR_DIVIDE || expr->kind == EXPR_SQRT || expr->kind == EXPR_CALL;
    for (int i = 0; i < expr->argument_count; i++)
        may |= may_round(expr->arguments[i]);
    return may;
}

static bool sees_logarithm(const Parser *parser)
{
    static const char *const words[] = {"log", "lg", "log2"};
    return token_of(parser)->kind == TOKEN_NAME &&
           text_among(token_of(parser)->text, words, COUNT_OF(words)) < COUNT_OF(words);
}

/* "log", "log_2", or as editors of formulas write them, "{\log _2}", "{{\log }_2}": what stands
   below in *base. Where no logarithm begins nothing is read. */
static bool accept_logarithm(Parser *parser, Expr **base)
{
    const Lexer before = parser->lexer;
    size_t open = 0;
    while (open < LIMIT_EXPRESSION_DEPTH && accept(parser, "{"))
        open++;
    if (sees_logarithm(parser)) {
        lexer_advance(&parser->lexer);
        do {
            if (!*base && !accept(parser, "₂") && accept(parser, "_") &&
                !(*base = read_script(parser)))
                parser->lexer.token.kind = TOKEN_BAD; /* it is reported */
            if (!open && token_of(parser)->kind != TOKEN_BAD)
                return true;
        } while (open-- && accept(parser, "}"));
    }
    if (token_of(parser)->kind != TOKEN_BAD)
        parser->lexer = before;
    return false;
}

static Expr *read_group(Parser *parser, int bracket)
{
    Span open = token_of(parser)->text.span;
    size_t start = start_of(parser);
    Expr *base = NULL;
    if (*brackets[bracket].open == '{' && accept_logarithm(parser, &base))
        return read_logarithm(parser, start, base);
    lexer_advance(&parser->lexer);
    Expr *inner = read_binding(parser, POWER_NONE), *below = NULL;
    if (inner && accept(parser, "//") && !(below = read_binding(parser, POWER_NONE)))
        return NULL;
    if (!inner || !close_bracket(parser, bracket, open))
        return NULL;
    if (below)
        inner = make_node(parser, EXPR_DIVIDE, start, inner, below);
    const bool is_limit = start && parser->lexer.text.chars[start - 1] == '^'; /* of a sum */
    if (*brackets[bracket].open == '{' && !is_limit && accept(parser, "_")) {  /* below a brace */
        if (sees(parser, "{"))
            informal_lexer_pass(&parser->lexer);
        else if (!read_script(parser))
            return NULL;
    }
    if (brackets[bracket].rounds != EXPR_NUMBER)
        return make_node(parser, brackets[bracket].rounds, start, inner, NULL);
    if (parser->lexer.letters && *brackets[bracket].open == '[' && may_round(inner)) {
        inner = make_node(parser, EXPR_CALL, start, inner, NULL);
        inner->text = (Text){"[]", 2, inner->text.span, false};
        return inner;
    }
    Text whole = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    if (inner->kind == EXPR_CALL) /* its text is the name of the function */
        inner->text.span = whole.span;
    else if (inner->kind != EXPR_VARIABLE)
        inner->text = whole;
    return inner;
}

/* What stands below or above a sign: a number, a name or a group. */
static Expr *read_script(Parser *parser)
{
    int bracket = see_bracket(parser, GROUPING_COUNT);
    if (bracket >= 0)
        return read_group(parser, bracket);
    if (token_of(parser)->kind == TOKEN_NUMBER)
        return read_number(parser);
    if (token_of(parser)->kind == TOKEN_NAME)
        return read_variable(parser);
    return parser_unexpected(parser, "a number or a name");
}

bool informal_is_log(const Expr *expr)
{
    return expr->kind == EXPR_CALL && text_equals(expr->text, "log");
}

bool informal_is_bracket(const Expr *expr)
{
    return expr->kind == EXPR_CALL && text_equals(expr->text, "[]");
}

/* [ "^" exponent ] operand, behind "log" and its base */
static Expr *read_logarithm(Parser *parser, size_t start, Expr *base)
{
    Expr *exponent = NULL;
    if (accept(parser, "^") && !(exponent = read_script(parser)))
        return NULL;
    Expr *operand = read_tight(parser);
    if (!operand)
        return NULL;
    if (base && base->kind == EXPR_NUMBER && base->integer == 2)
        base = NULL;
    Expr *logarithm = make_node(parser, EXPR_CALL, start, operand, base);
    logarithm->text = (Text){"log", 3, logarithm->text.span, false};
    return exponent ? make_node(parser, EXPR_POWER, start, logarithm, exponent) : logarithm;
}

/* \sqrt[3]{p} */
static Expr *read_root(Parser *parser)
{
    size_t start = start_of(parser);
    bool is_command = parser->lexer.text.chars[start] == '\\';
    ExprKind kind = EXPR_SQRT;
    lexer_advance(&parser->lexer);
    if (is_command && accept(parser, "[")) {
        const Token *index = token_of(parser);
        bool is_whole = index->kind == TOKEN_NUMBER && index->divisor == 1;
        if (!is_whole || (index->integer != 2 && index->integer != 3))
            return report(parser, index->text.span, "only square and cube roots are supported");
        kind = index->integer == 3 ? EXPR_CBRT : EXPR_SQRT;
        lexer_advance(&parser->lexer);
        if (!lexer_expect(&parser->lexer, "]"))
            return NULL;
    }
    Expr *operand = read_tight(parser);
    return operand ? make_node(parser, kind, start, operand, NULL) : NULL;
}

static Expr *read_part(Parser *parser)
{
    if (!sees(parser, "{"))
        informal_lexer_narrow(&parser->lexer);
    if (!sees(parser, "{") && token_of(parser)->text.span.length != 1)
        return report(parser, token_of(parser)->text.span,
                      "\\frac has two parts, in braces or of one sign: \\frac{p-1}{p}");
    return read_script(parser);
}

static Expr *read_fraction(Parser *parser)
{
    size_t start = start_of(parser);
    lexer_advance(&parser->lexer);
    Expr *above = read_part(parser);
    Expr *below = above ? read_part(parser) : NULL;
    return below ? make_node(parser, EXPR_DIVIDE, start, above, below) : NULL;
}

static void add_argument(Parser *parser, Expr *call, Expr *next)
{
    const int arity = operation_info[call->kind].arity;
    parser->nodes++;
    if (call->kind == EXPR_MIN || call->kind == EXPR_MAX)
        parser_fold_arguments(parser, call, next);
    else if (call->argument_count++ < arity)
        call->arguments[call->argument_count - 1] = next;
}

static bool read_arguments(Parser *parser, Expr *call)
{
    int bracket = see_bracket(parser, GROUPING_COUNT);
    Span open = token_of(parser)->text.span;
    if (bracket < 0) {
        parser_unexpected(parser, "'('");
        return false;
    }
    lexer_advance(&parser->lexer);
    do {
        Expr *argument = read_binding(parser, POWER_NONE);
        if (!argument)
            return false;
        add_argument(parser, call, argument);
    } while (accept(parser, ",") && parser->nodes <= LIMIT_EXPRESSION_NODES);
    return close_bracket(parser, bracket, open);
}

static Expr *read_call(Parser *parser, ExprKind kind)
{
    Text name = token_of(parser)->text;
    size_t start = start_of(parser);
    lexer_advance(&parser->lexer);
    Expr *call = make_node(parser, kind, start, NULL, NULL);
    if (!read_arguments(parser, call))
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

/* "<= to" or "< to", which is up to the whole number below it */
static Expr *read_upper_end(Parser *parser)
{
    const bool is_below = accept(parser, "<");
    if (!is_below && !lexer_expect(&parser->lexer, "<="))
        return NULL;
    const size_t start = start_of(parser);
    Expr *to = read_binding(parser, POWER_NONE);
    if (!to || !is_below)
        return to;
    if (may_round(to))
        to = make_node(parser, EXPR_CEIL, start, to, NULL);
    return make_node(parser, EXPR_SUBTRACT, start, to, whole_number(parser, 1, to->text));
}

/* "_" "{" index "=" from "}", or with both ends, "1 <= index < to" */
static bool read_lower_limit(Parser *parser, Expr *sum)
{
    if (!lexer_expect(&parser->lexer, "_"))
        return false;
    Span open = token_of(parser)->text.span;
    if (!lexer_expect(&parser->lexer, "{"))
        return false;
    const bool has_both = token_of(parser)->kind == TOKEN_NUMBER && !sum->arguments[2];
    if (has_both) {
        sum->arguments[1] = read_number(parser);
        if (accept(parser, "<"))
            sum->arguments[1]->integer++;
        else if (!lexer_expect(&parser->lexer, "<="))
            return false;
    }
    if (token_of(parser)->kind != TOKEN_NAME || grammar_is_reserved(token_of(parser)->text))
        return parser_unexpected(parser, "the name of an index") != NULL;
    if (parser->lexer.letters)
        *ARRAY_PUSH(parser->arena, &parser->lexer.letters->names) = token_of(parser)->text;
    sum->arguments[0] = read_variable(parser);
    if (has_both)
        return (sum->arguments[2] = read_upper_end(parser)) && close_bracket(parser, 2, open);
    if (!lexer_expect(&parser->lexer, "="))
        return false;
    sum->arguments[1] = read_binding(parser, POWER_NONE);
    return sum->arguments[1] && close_bracket(parser, 2, open);
}

/* "^" to, before the lower limit or behind it */
static bool read_limits(Parser *parser, Expr *sum)
{
    const bool is_first = sees(parser, "^");
    if (!is_first && !read_lower_limit(parser, sum))
        return false;
    if (sum->arguments[2])
        return true;
    if (!lexer_expect(&parser->lexer, "^") || !(sum->arguments[2] = read_script(parser)))
        return false;
    return !is_first || read_lower_limit(parser, sum);
}

/* "sum" limits product, or sum(i, from, to, term) */
static Expr *read_sum(Parser *parser)
{
    size_t start = start_of(parser);
    Lexer before = parser->lexer;
    lexer_advance(&parser->lexer);
    if (see_bracket(parser, GROUPING_COUNT) >= 0) {
        parser->lexer = before;
        return read_call(parser, EXPR_SUM);
    }
    Expr *sum = make_node(parser, EXPR_SUM, start, NULL, NULL);
    if (!read_limits(parser, sum))
        return NULL;
    sum->arguments[3] = read_binding(parser, POWER_ADD);
    sum->argument_count = 4;
    sum->text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    return sum->arguments[3] ? sum : NULL;
}

static Expr *read_name(Parser *parser)
{
    Text name = token_of(parser)->text;
    size_t start = start_of(parser);
    Expr *base = NULL;
    int function = grammar_function(name);
    if (grammar_is_reserved(name))
        return parser_unexpected(parser, "a value");
    if (text_equals(name, "frac"))
        return read_fraction(parser);
    if (text_equals(name, "ln")) {
        lexer_advance(&parser->lexer);
        Expr *natural = read_logarithm(parser, start, NULL);
        if (natural)
            (natural->kind == EXPR_CALL ? natural : natural->arguments[0])->text.chars = "ln ";
        return natural;
    }
    if (sees_logarithm(parser))
        return accept_logarithm(parser, &base) ? read_logarithm(parser, start, base) : NULL;
    if (function == EXPR_SQRT)
        return read_root(parser);
    if (function == EXPR_SUM)
        return read_sum(parser);
    return function >= 0 ? read_call(parser, (ExprKind)function) : read_variable(parser);
}

static bool starts_operand(const Parser *parser)
{
    const Token *token = token_of(parser);
    return token->kind == TOKEN_NUMBER ||
           (token->kind == TOKEN_NAME && !grammar_is_reserved(token->text)) ||
           see_bracket(parser, BRACKET_COUNT) >= 0;
}

/* Is log 2 p the logarithm of 2 p, or p times that of 2? */
static bool is_clear(Parser *parser, const Expr *operand)
{
    return operand->kind != EXPR_NUMBER || !starts_operand(parser) ||
           diag_error(parser->lexer.diag, operand->text.span,
                      "ambiguous operand of a function: put it in parentheses");
}

/* operand = group | name [ "^" binding ] | number [ "^" binding ] */
static Expr *read_operand(Parser *parser)
{
    int bracket = see_bracket(parser, BRACKET_COUNT);
    const Token *token = token_of(parser);
    if (bracket >= 0)
        return read_group(parser, bracket);
    if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_NAME)
        return parser_unexpected(parser, "an operand");
    size_t start = start_of(parser);
    Expr *operand = token->kind == TOKEN_NUMBER ? read_number(parser) : read_name(parser);
    if (!operand || !is_clear(parser, operand))
        return NULL;
    if (!accept(parser, "^"))
        return operand;
    Expr *exponent = read_binding(parser, POWER_UNARY);
    return exponent ? make_node(parser, EXPR_POWER, start, operand, exponent) : NULL;
}

static bool enter(Parser *parser)
{
    const char *why = parser->depth > LIMIT_EXPRESSION_DEPTH    ? "this is nested too deeply"
                      : parser->nodes >= LIMIT_EXPRESSION_NODES ? "this formula is too long"
                                                                : NULL;
    if (why)
        report(parser, token_of(parser)->text.span, why);
    parser->depth += !why;
    return !why;
}

/* What a function without parentheses takes. */
static Expr *read_tight(Parser *parser)
{
    if (!enter(parser))
        return NULL;
    Expr *operand = read_operand(parser);
    parser->depth--;
    return operand;
}

static Expr *read_prefixed(Parser *parser, ExprKind kind, int power)
{
    size_t start = start_of(parser);
    lexer_advance(&parser->lexer);
    Expr *operand = read_binding(parser, power);
    return operand ? make_node(parser, kind, start, operand, NULL) : NULL;
}

static Expr *read_primary(Parser *parser)
{
    int bracket = see_bracket(parser, BRACKET_COUNT);
    if (bracket >= 0)
        return read_group(parser, bracket);
    if (sees(parser, "-"))
        return read_prefixed(parser, EXPR_NEGATE, POWER_UNARY);
    if (sees(parser, "not"))
        return read_prefixed(parser, EXPR_NOT, POWER_NOT);
    if (token_of(parser)->kind == TOKEN_NUMBER)
        return read_number(parser);
    if (token_of(parser)->kind == TOKEN_NAME)
        return read_name(parser);
    return parser_unexpected(parser, "a value");
}

static const Operator *see_operator(const Parser *parser)
{
    static const Operator product = {"", EXPR_MULTIPLY, POWER_MULTIPLY};
    const Token *token = token_of(parser);
    bool may_be = token->kind == TOKEN_NAME || token->kind == TOKEN_SIGN;
    const Operator *found = may_be ? grammar_operator(token->text) : NULL;
    return !found && starts_operand(parser) ? &product : found;
}

/* A number behind something may be a power or an index that lost its place, unless it has a power
   itself, m 2^i, or LaTeX puts a space before it. */
static bool step_over(Parser *parser, const Operator *operator)
{
    if (*operator->word)
        lexer_advance(&parser->lexer);
    else if (token_of(parser)->kind == TOKEN_NUMBER && !informal_lexer_is_raised(&parser->lexer) &&
             !memmem(parser->lexer.text.chars + parser->lexer.last_end,
                     start_of(parser) - parser->lexer.last_end, "\\,", 2))
        return report(parser, token_of(parser)->text.span,
                      "an operator is missing before this number, such as * or ^") != NULL;
    return true;
}

/* The last terms of a sum while it is read, each with what stands before it. */
typedef struct {
    Expr *items[MOST_TERMS_BEFORE_DOTS], *before[MOST_TERMS_BEFORE_DOTS];
    int count;
} Terms;

static void add_term(Terms *terms, Expr *before, Expr *term)
{
    for (int i = 1; i < MOST_TERMS_BEFORE_DOTS && terms->count == MOST_TERMS_BEFORE_DOTS; i++)
        terms->items[i - 1] = terms->items[i], terms->before[i - 1] = terms->before[i];
    terms->count -= terms->count == MOST_TERMS_BEFORE_DOTS;
    terms->before[terms->count] = before;
    terms->items[terms->count++] = term;
}

/* "... + last", behind a plus */
static Expr *read_dots(Parser *parser, const Terms *terms)
{
    const Span dots = token_of(parser)->text.span;
    const size_t start = start_of_node(parser, terms->items[0]);
    int count = terms->count;
    lexer_advance(&parser->lexer);
    if (!lexer_expect(&parser->lexer, "+"))
        return NULL;
    Expr *last = read_binding(parser, POWER_ADD);
    if (!last)
        return NULL;
    const Text text = text_slice(parser->lexer.text, start, parser->lexer.last_end - start);
    Expr *sum = count > 1 ? dots_sum(parser->arena, terms->items, &count, last, text) : NULL;
    if (!sum)
        return report(parser, dots,
                      "the terms round these dots follow no pattern that is known: two or three, "
                      "in which a number rises by the same step or factor, and the last one");
    parser->nodes += (int)expr_size(sum);
    Expr *before = terms->before[terms->count - count];
    return before ? make_node(parser, EXPR_ADD, start_of_node(parser, before), before, sum) : sum;
}

/* The sum to which the next term belongs too, since it has its index: sum_i t_s + m 2^i t_w. */
static Expr *find_open_sum(const Parser *parser, Expr *left, const Expr *term)
{
    while (left->kind == EXPR_ADD || left->kind == EXPR_SUBTRACT || left->kind == EXPR_MULTIPLY)
        left = left->arguments[1];
    if (left->kind != EXPR_SUM || strchr("([{s", *left->text.chars))
        return NULL;
    const Text index = left->arguments[0]->text;
    return expr_names(term, arena_copy(parser->arena, index.chars, index.length)) ? left : NULL;
}

static Expr *read_operators(Parser *parser, Expr *left, int least)
{
    Terms terms = {0};
    for (;;) {
        const Operator *operator= see_operator(parser);
        if (!operator|| operator->power <= least)
            return left;
        int power = operator->power;
        if (!step_over(parser, operator))
            return NULL;
        if (operator->kind != EXPR_ADD)
            terms.count = 0;
        else if (!terms.count)
            add_term(&terms, NULL, left);
        if (operator->kind == EXPR_ADD && sees(parser, "…")) {
            left = read_dots(parser, &terms);
            if (!left)
                return NULL;
            terms.count = 0;
            continue;
        }
        Expr *right = read_binding(parser, power == POWER_RAISE ? POWER_UNARY : power);
        if (!right)
            return NULL;
        Expr *open = power == POWER_ADD ? find_open_sum(parser, left, right) : NULL;
        if (open) {
            Expr **body = &open->arguments[3];
            *body = make_node(parser, operator->kind, start_of_node(parser, *body), *body, right);
            terms.count = 0;
            continue;
        }
        if (operator->kind == EXPR_ADD)
            add_term(&terms, left, right);
        left = make_node(parser, operator->kind, start_of_node(parser, left), left, right);
        const Operator *next = see_operator(parser);
        if (power == POWER_COMPARE && next && next->power == POWER_COMPARE)
            return report(parser, token_of(parser)->text.span,
                          "comparisons do not chain: write 'a < b and b < c'");
    }
}

/* primary { [ operator ] primary }, with operators that bind tighter than `least` */
static Expr *read_binding(Parser *parser, int least)
{
    if (!enter(parser))
        return NULL;
    Expr *left = read_primary(parser);
    Expr *whole = left ? read_operators(parser, left, least) : NULL;
    parser->depth--;
    return whole;
}

Expr *informal_parse(Arena *arena, Text text, InformalLetters *letters, Diag *diag)
{
    Parser parser = {.arena = arena};
    informal_lexer_start(&parser.lexer, arena, letters, text, diag);
    if (token_of(&parser)->kind == TOKEN_END)
        return report(&parser, token_of(&parser)->text.span, "the formula is missing");
    Expr *expr = read_binding(&parser, POWER_NONE);
    if (!expr || !parser_at_end(&parser, "formula"))
        return NULL;
    return expr_names(expr, "ln ") ? report(&parser, expr->text.span,
                                            "no cost has a natural logarithm: write log for log2")
                                   : expr;
}

bool informal_parse_name(Arena *arena, Text text, Text *name, Diag *diag)
{
    Parser parser = {.arena = arena};
    informal_lexer_start(&parser.lexer, arena, NULL, text, diag);
    *name = token_of(&parser)->text;
    if (token_of(&parser)->kind != TOKEN_NAME || grammar_is_reserved(*name))
        return parser_unexpected(&parser, "a name") != NULL;
    if (sees_logarithm(&parser))
        *name = (Text){"log", 3, name->span, false};
    lexer_advance(&parser.lexer);
    return parser_at_end(&parser, "formula");
}

Expr *informal_formula(Arena *arena, Text text, InformalLetters *letters)
{
    Diag silent = diag_silent();
    return informal_parse(arena, text, letters, &silent);
}
