#include "lang/informal.h"

#include "lang/dots.h"
#include "lang/grammar.h"
#include "lang/informal_lexer.h"

static const struct {
    const char *open, *close;
    ExprKind rounds; /* EXPR_NUMBER: it only groups */
} brackets[] = {{"(", ")", EXPR_NUMBER},
                {"[", "]", EXPR_NUMBER},
                {"{", "}", EXPR_NUMBER},
                {"⌈", "⌉", EXPR_CEIL},
                {"⌊", "⌋", EXPR_FLOOR}};
enum { BRACKET_COUNT = sizeof brackets / sizeof *brackets, GROUPING_COUNT = 3 };

typedef struct {
    Arena *arena;
    Lexer lexer;
    int depth, nodes;
} Reader;

static Expr *read_binding(Reader *reader, int least);
static Expr *read_tight(Reader *reader);
static Expr *read_script(Reader *reader);

static const Token *token_of(const Reader *reader)
{
    return &reader->lexer.token;
}

static bool sees(const Reader *reader, const char *word)
{
    return lexer_sees(&reader->lexer, word);
}

static bool accept(Reader *reader, const char *word)
{
    return lexer_accept(&reader->lexer, word);
}

/* Where the token in view begins. */
static size_t start_of(const Reader *reader)
{
    return token_of(reader)->text.span.offset - reader->lexer.text.span.offset;
}

static size_t start_of_node(const Reader *reader, const Expr *expr)
{
    return expr->text.span.offset - reader->lexer.text.span.offset;
}

/* A node for the text from `start` to the end of the last token that was read. */
static Expr *make_node(Reader *reader, ExprKind kind, size_t start, Expr *a, Expr *b)
{
    reader->nodes++;
    Text text = text_slice(reader->lexer.text, start, reader->lexer.last_end - start);
    return expr_make(reader->arena, kind, text, a, b);
}

static Expr *report(Reader *reader, Span span, const char *what)
{
    if (token_of(reader)->kind != TOKEN_BAD)
        diag_error(reader->lexer.diag, span, "%s", what);
    return NULL;
}

static Expr *report_unexpected(Reader *reader, const char *wanted)
{
    const Token *token = token_of(reader);
    if (token->kind == TOKEN_END)
        diag_error(reader->lexer.diag, token->text.span, "expected %s at the end", wanted);
    else if (token->kind != TOKEN_BAD)
        diag_error(reader->lexer.diag, token->text.span, "expected %s, not '%.*s'", wanted,
                   (int)token->text.length, token->text.chars);
    return NULL;
}

static Expr *whole_number(Reader *reader, int64_t value, Text text)
{
    reader->nodes++;
    return expr_number(reader->arena, value, text);
}

/* 1.5 becomes 15 / 10, which is exact; 1.0 is a real number, too. */
static Expr *read_number(Reader *reader)
{
    Token token = *token_of(reader);
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *number = whole_number(reader, token.integer, token.text);
    if (token.divisor == 1)
        return number;
    if (token.integer % token.divisor)
        return make_node(reader, EXPR_DIVIDE, start, number,
                         whole_number(reader, token.divisor, token.text));
    const int64_t quotient = token.integer / token.divisor;
    number->type = TYPE_REAL;
    number->real = (double)quotient;
    return number;
}

static Expr *read_variable(Reader *reader)
{
    Text name = token_of(reader)->text;
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *variable = make_node(reader, EXPR_VARIABLE, start, NULL, NULL);
    variable->text = name;
    return variable;
}

/* The bracket that opens here, or -1. */
static int see_bracket(const Reader *reader, int count)
{
    for (int i = 0; i < count; i++)
        if (sees(reader, brackets[i].open))
            return i;
    return -1;
}

static bool close_bracket(Reader *reader, int bracket, Span open)
{
    bool is_bad = token_of(reader)->kind == TOKEN_BAD;
    if (lexer_expect(&reader->lexer, brackets[bracket].close))
        return true;
    if (!is_bad)
        diag_note(reader->lexer.diag, open, "for the '%s' here", brackets[bracket].open);
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

static Expr *read_group(Reader *reader, int bracket)
{
    Span open = token_of(reader)->text.span;
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *inner = read_binding(reader, POWER_NONE), *below = NULL;
    if (inner && accept(reader, "//") && !(below = read_binding(reader, POWER_NONE)))
        return NULL;
    if (!inner || !close_bracket(reader, bracket, open))
        return NULL;
    if (below)
        inner = make_node(reader, EXPR_DIVIDE, start, inner, below);
    if (*brackets[bracket].open == '{' && accept(reader, "_") && !read_script(reader))
        return NULL; /* what stands below a brace */
    if (brackets[bracket].rounds != EXPR_NUMBER)
        return make_node(reader, brackets[bracket].rounds, start, inner, NULL);
    if (reader->lexer.letters && *brackets[bracket].open == '[' && may_round(inner)) {
        inner = make_node(reader, EXPR_CALL, start, inner, NULL);
        inner->text = (Text){"[]", 2, inner->text.span, false};
        return inner;
    }
    Text whole = text_slice(reader->lexer.text, start, reader->lexer.last_end - start);
    if (inner->kind == EXPR_CALL) /* its text is the name of the function */
        inner->text.span = whole.span;
    else if (inner->kind != EXPR_VARIABLE)
        inner->text = whole;
    return inner;
}

/* What stands below or above a sign: a number, a name or a group. */
static Expr *read_script(Reader *reader)
{
    int bracket = see_bracket(reader, GROUPING_COUNT);
    if (bracket >= 0)
        return read_group(reader, bracket);
    if (token_of(reader)->kind == TOKEN_NUMBER)
        return read_number(reader);
    if (token_of(reader)->kind == TOKEN_NAME)
        return read_variable(reader);
    return report_unexpected(reader, "a number or a name");
}

static bool is_word(Text name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_equals(name, words[i]))
            return true;
    return false;
}

static bool is_logarithm(Text name)
{
    static const char *const words[] = {"log", "lg", "log2", "ln"};
    return is_word(name, words, sizeof words / sizeof *words);
}

bool informal_is_log(const Expr *expr)
{
    return expr->kind == EXPR_CALL && text_equals(expr->text, "log");
}

bool informal_is_bracket(const Expr *expr)
{
    return expr->kind == EXPR_CALL && text_equals(expr->text, "[]");
}

/* log [ "_" base | "₂" ] [ "^" exponent ] operand */
static Expr *read_logarithm(Reader *reader)
{
    Text name = token_of(reader)->text;
    size_t start = start_of(reader);
    Expr *base = NULL, *exponent = NULL;
    if (text_equals(name, "ln"))
        return report(reader, name.span, "no cost has a natural logarithm: write log for log2");
    lexer_advance(&reader->lexer);
    if (!accept(reader, "₂") && accept(reader, "_") && !(base = read_script(reader)))
        return NULL;
    if (accept(reader, "^") && !(exponent = read_script(reader)))
        return NULL;
    Expr *operand = read_tight(reader);
    if (!operand)
        return NULL;
    if (base && base->kind == EXPR_NUMBER && base->integer == 2)
        base = NULL;
    Expr *logarithm = make_node(reader, EXPR_CALL, start, operand, base);
    logarithm->text = (Text){"log", 3, logarithm->text.span, false};
    return exponent ? make_node(reader, EXPR_POWER, start, logarithm, exponent) : logarithm;
}

/* \sqrt[3]{p} */
static Expr *read_root(Reader *reader)
{
    size_t start = start_of(reader);
    bool is_command = reader->lexer.text.chars[start] == '\\';
    ExprKind kind = EXPR_SQRT;
    lexer_advance(&reader->lexer);
    if (is_command && accept(reader, "[")) {
        const Token *index = token_of(reader);
        bool is_whole = index->kind == TOKEN_NUMBER && index->divisor == 1;
        if (!is_whole || (index->integer != 2 && index->integer != 3))
            return report(reader, index->text.span, "only square and cube roots are supported");
        kind = index->integer == 3 ? EXPR_CBRT : EXPR_SQRT;
        lexer_advance(&reader->lexer);
        if (!lexer_expect(&reader->lexer, "]"))
            return NULL;
    }
    Expr *operand = read_tight(reader);
    return operand ? make_node(reader, kind, start, operand, NULL) : NULL;
}

static Expr *read_part(Reader *reader)
{
    if (!sees(reader, "{"))
        informal_lexer_narrow(&reader->lexer);
    if (!sees(reader, "{") && token_of(reader)->text.span.length != 1)
        return report(reader, token_of(reader)->text.span,
                      "\\frac has two parts, in braces or of one sign: \\frac{p-1}{p}");
    return read_script(reader);
}

static Expr *read_fraction(Reader *reader)
{
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *above = read_part(reader);
    Expr *below = above ? read_part(reader) : NULL;
    return below ? make_node(reader, EXPR_DIVIDE, start, above, below) : NULL;
}

/* min and max take two or more: min(a, b, c) is min(min(a, b), c). */
static void add_argument(Reader *reader, Expr *call, Expr *next)
{
    bool folds = call->kind == EXPR_MIN || call->kind == EXPR_MAX;
    int arity = operation_info[call->kind].arity;
    if (folds && call->argument_count == arity) {
        Expr *inner = ARENA_NEW(reader->arena, Expr);
        *inner = *call;
        call->arguments[0] = inner;
        call->argument_count = 1;
        reader->nodes++;
    }
    if (call->argument_count < arity)
        call->arguments[call->argument_count] = next;
    call->argument_count++;
}

static bool read_arguments(Reader *reader, Expr *call)
{
    int bracket = see_bracket(reader, GROUPING_COUNT);
    Span open = token_of(reader)->text.span;
    if (bracket < 0) {
        report_unexpected(reader, "'('");
        return false;
    }
    lexer_advance(&reader->lexer);
    do {
        Expr *argument = read_binding(reader, POWER_NONE);
        if (!argument)
            return false;
        add_argument(reader, call, argument);
    } while (accept(reader, ",") && reader->nodes <= LIMIT_EXPRESSION_NODES);
    return close_bracket(reader, bracket, open);
}

static Expr *read_call(Reader *reader, ExprKind kind)
{
    Text name = token_of(reader)->text;
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *call = make_node(reader, kind, start, NULL, NULL);
    if (!read_arguments(reader, call))
        return NULL;
    call->text = text_slice(reader->lexer.text, start, reader->lexer.last_end - start);
    if (call->argument_count != operation_info[kind].arity) {
        diag_error(reader->lexer.diag, name.span, "%s does not have %d argument%s",
                   operation_info[kind].word, call->argument_count,
                   call->argument_count == 1 ? "" : "s");
        return NULL;
    }
    if (expr_is_loop(call) && call->arguments[0]->kind != EXPR_VARIABLE)
        return report(reader, call->arguments[0]->text.span,
                      "the first argument is the name of an index");
    return call;
}

/* "_" "{" index "=" from "}" "^" to */
static bool read_limits(Reader *reader, Expr *sum)
{
    if (!lexer_expect(&reader->lexer, "_"))
        return false;
    Span open = token_of(reader)->text.span;
    if (!lexer_expect(&reader->lexer, "{"))
        return false;
    if (token_of(reader)->kind != TOKEN_NAME || grammar_is_reserved(token_of(reader)->text))
        return report_unexpected(reader, "the name of an index") != NULL;
    if (reader->lexer.letters)
        *ARRAY_PUSH(reader->arena, &reader->lexer.letters->names) = token_of(reader)->text;
    sum->arguments[0] = read_variable(reader);
    if (!lexer_expect(&reader->lexer, "="))
        return false;
    sum->arguments[1] = read_binding(reader, POWER_NONE);
    if (!sum->arguments[1] || !close_bracket(reader, 2, open) || !lexer_expect(&reader->lexer, "^"))
        return false;
    sum->arguments[2] = read_script(reader);
    return sum->arguments[2] != NULL;
}

/* "sum" limits product, or sum(i, from, to, term) */
static Expr *read_sum(Reader *reader)
{
    size_t start = start_of(reader);
    Lexer before = reader->lexer;
    lexer_advance(&reader->lexer);
    if (see_bracket(reader, GROUPING_COUNT) >= 0) {
        reader->lexer = before;
        return read_call(reader, EXPR_SUM);
    }
    Expr *sum = make_node(reader, EXPR_SUM, start, NULL, NULL);
    if (!read_limits(reader, sum))
        return NULL;
    sum->arguments[3] = read_binding(reader, POWER_ADD);
    sum->argument_count = 4;
    sum->text = text_slice(reader->lexer.text, start, reader->lexer.last_end - start);
    return sum->arguments[3] ? sum : NULL;
}

static Expr *read_name(Reader *reader)
{
    Text name = token_of(reader)->text;
    int function = grammar_function(name);
    if (grammar_is_reserved(name))
        return report_unexpected(reader, "a value");
    if (text_equals(name, "frac"))
        return read_fraction(reader);
    if (is_logarithm(name))
        return read_logarithm(reader);
    if (function == EXPR_SQRT)
        return read_root(reader);
    if (function == EXPR_SUM)
        return read_sum(reader);
    return function >= 0 ? read_call(reader, (ExprKind)function) : read_variable(reader);
}

static bool starts_operand(const Reader *reader)
{
    const Token *token = token_of(reader);
    return token->kind == TOKEN_NUMBER ||
           (token->kind == TOKEN_NAME && !grammar_is_reserved(token->text)) ||
           see_bracket(reader, BRACKET_COUNT) >= 0;
}

/* Is log 2 p the logarithm of 2 p, or p times that of 2? */
static bool is_clear(Reader *reader, const Expr *operand)
{
    if (operand->kind != EXPR_NUMBER || !starts_operand(reader))
        return true;
    diag_error(reader->lexer.diag, operand->text.span,
               "ambiguous operand of a function: put it in parentheses");
    return false;
}

/* operand = group | name [ "^" binding ] | number [ "^" binding ] */
static Expr *read_operand(Reader *reader)
{
    int bracket = see_bracket(reader, BRACKET_COUNT);
    const Token *token = token_of(reader);
    if (bracket >= 0)
        return read_group(reader, bracket);
    if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_NAME)
        return report_unexpected(reader, "an operand");
    size_t start = start_of(reader);
    Expr *operand = token->kind == TOKEN_NUMBER ? read_number(reader) : read_name(reader);
    if (!operand || !is_clear(reader, operand))
        return NULL;
    if (!accept(reader, "^"))
        return operand;
    Expr *exponent = read_binding(reader, POWER_UNARY);
    return exponent ? make_node(reader, EXPR_POWER, start, operand, exponent) : NULL;
}

static bool enter(Reader *reader)
{
    const char *why = reader->depth >= LIMIT_EXPRESSION_DEPTH   ? "this is nested too deeply"
                      : reader->nodes >= LIMIT_EXPRESSION_NODES ? "this formula is too long"
                                                                : NULL;
    if (why)
        report(reader, token_of(reader)->text.span, why);
    reader->depth += !why;
    return !why;
}

/* What a function without parentheses takes. */
static Expr *read_tight(Reader *reader)
{
    if (!enter(reader))
        return NULL;
    Expr *operand = read_operand(reader);
    reader->depth--;
    return operand;
}

static Expr *read_prefixed(Reader *reader, ExprKind kind, int power)
{
    size_t start = start_of(reader);
    lexer_advance(&reader->lexer);
    Expr *operand = read_binding(reader, power);
    return operand ? make_node(reader, kind, start, operand, NULL) : NULL;
}

static Expr *read_primary(Reader *reader)
{
    int bracket = see_bracket(reader, BRACKET_COUNT);
    if (bracket >= 0)
        return read_group(reader, bracket);
    if (sees(reader, "-"))
        return read_prefixed(reader, EXPR_NEGATE, POWER_UNARY);
    if (sees(reader, "not"))
        return read_prefixed(reader, EXPR_NOT, POWER_NOT);
    if (token_of(reader)->kind == TOKEN_NUMBER)
        return read_number(reader);
    if (token_of(reader)->kind == TOKEN_NAME)
        return read_name(reader);
    return report_unexpected(reader, "a value");
}

static const Operator *see_operator(const Reader *reader)
{
    static const Operator product = {"", EXPR_MULTIPLY, POWER_MULTIPLY};
    const Token *token = token_of(reader);
    bool may_be = token->kind == TOKEN_NAME || token->kind == TOKEN_SIGN;
    const Operator *found = may_be ? grammar_operator(token->text) : NULL;
    return !found && starts_operand(reader) ? &product : found;
}

/* A number behind something may be a power or an index that lost its place, unless it has a power
   itself, m 2^i. */
static bool step_over(Reader *reader, const Operator *operator)
{
    if (*operator->word)
        lexer_advance(&reader->lexer);
    else if (token_of(reader)->kind == TOKEN_NUMBER && !informal_lexer_is_raised(&reader->lexer))
        return report(reader, token_of(reader)->text.span,
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
static Expr *read_dots(Reader *reader, const Terms *terms)
{
    const Span dots = token_of(reader)->text.span;
    const size_t start = start_of_node(reader, terms->items[0]);
    int count = terms->count;
    lexer_advance(&reader->lexer);
    if (!lexer_expect(&reader->lexer, "+"))
        return NULL;
    Expr *last = read_binding(reader, POWER_ADD);
    if (!last)
        return NULL;
    const Text text = text_slice(reader->lexer.text, start, reader->lexer.last_end - start);
    Expr *sum = count > 1 ? dots_sum(reader->arena, terms->items, &count, last, text) : NULL;
    if (!sum)
        return report(reader, dots,
                      "the terms round these dots follow no pattern that is known: two or three, "
                      "in which a number rises by the same step or factor, and the last one");
    reader->nodes += (int)expr_size(sum);
    Expr *before = terms->before[terms->count - count];
    return before ? make_node(reader, EXPR_ADD, start_of_node(reader, before), before, sum) : sum;
}

static Expr *read_operators(Reader *reader, Expr *left, int least)
{
    Terms terms = {0};
    for (;;) {
        const Operator *operator= see_operator(reader);
        if (!operator|| operator->power <= least)
            return left;
        int power = operator->power;
        if (!step_over(reader, operator))
            return NULL;
        if (operator->kind != EXPR_ADD)
            terms.count = 0;
        else if (!terms.count)
            add_term(&terms, NULL, left);
        if (operator->kind == EXPR_ADD && sees(reader, "…")) {
            left = read_dots(reader, &terms);
            if (!left)
                return NULL;
            terms.count = 0;
            continue;
        }
        Expr *right = read_binding(reader, power == POWER_RAISE ? POWER_UNARY : power);
        if (!right)
            return NULL;
        if (operator->kind == EXPR_ADD)
            add_term(&terms, left, right);
        left = make_node(reader, operator->kind, start_of_node(reader, left), left, right);
        const Operator *next = see_operator(reader);
        if (power == POWER_COMPARE && next && next->power == POWER_COMPARE)
            return report(reader, token_of(reader)->text.span,
                          "comparisons do not chain: write 'a < b and b < c'");
    }
}

/* primary { [ operator ] primary }, with operators that bind tighter than `least` */
static Expr *read_binding(Reader *reader, int least)
{
    if (!enter(reader))
        return NULL;
    Expr *left = read_primary(reader);
    Expr *whole = left ? read_operators(reader, left, least) : NULL;
    reader->depth--;
    return whole;
}

static bool at_end(Reader *reader)
{
    const Token *token = token_of(reader);
    if (token->kind == TOKEN_END)
        return true;
    if (token->kind != TOKEN_BAD)
        diag_error(reader->lexer.diag, token->text.span, "unexpected '%.*s' after the formula",
                   (int)token->text.length, token->text.chars);
    return false;
}

Expr *informal_parse(Arena *arena, Text text, InformalLetters *letters, Diag *diag)
{
    Reader reader = {.arena = arena};
    informal_lexer_start(&reader.lexer, arena, letters, text, diag);
    if (token_of(&reader)->kind == TOKEN_END)
        return report(&reader, token_of(&reader)->text.span, "the formula is missing");
    Expr *expr = read_binding(&reader, POWER_NONE);
    return expr && at_end(&reader) ? expr : NULL;
}

bool informal_parse_name(Arena *arena, Text text, Text *name, Diag *diag)
{
    Reader reader = {.arena = arena};
    informal_lexer_start(&reader.lexer, arena, NULL, text, diag);
    *name = token_of(&reader)->text;
    if (token_of(&reader)->kind != TOKEN_NAME || grammar_is_reserved(*name))
        return report_unexpected(&reader, "a name") != NULL;
    if (is_logarithm(*name))
        *name = (Text){"log", 3, name->span, false};
    lexer_advance(&reader.lexer);
    return at_end(&reader);
}
