#include "lang/equation.h"

#include "lang/informal.h"

#include <ctype.h>

enum { MOST_PARTS = 8 };

/* By Relation, and what looks like one but stands in a condition. */
static const char *const relations[] = {
    "= := ≡ ≜ \\equiv \\triangleq \\doteq \\coloneqq",
    "≈ ≃ ≅ ∼ → \\approx \\simeq \\cong \\sim \\to \\rightarrow",
    "<= ≤ \\le \\leq \\leqslant",
    ">= ≥ \\ge \\geq \\geqslant",
    "== !=",
};
enum { RELATIONS = sizeof relations / sizeof *relations };

/* Behind a formula they belong to the sentence, or to the page: the long ones first. */
static const char *const idle[] = {
    "\\\\ ", "\\nonumber", "\\notag", "\\qquad", "\\quad", "\\\\", "\\,",    "\\;", "\\:", "\\!",
    "\\ ",   "\\]",        "\\)",     "。",      "，",     "；",   "\u00a0", " ",   "\t",  "\n",
    "\r",    ".",          ",",       ";",       ":",      "$",    "&",      "~"};

static bool ends_with(Text text, const char *ending)
{
    size_t length = strlen(ending);
    return text.length >= length && memcmp(text.chars + text.length - length, ending, length) == 0;
}

static Text cut(Text text, size_t length)
{
    return text_slice(text, 0, length);
}

/* Where the bracket opens that closes at the end of the text; the length of the text: nowhere. */
static size_t find_open(Text text, char open, char close)
{
    int depth = 0;
    for (size_t i = text.length; i-- > 0;) {
        depth += (text.chars[i] == close) - (text.chars[i] == open);
        if (depth == 0)
            return i;
    }
    return text.length;
}

static Text cut_idle(Text text)
{
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (ends_with(text, idle[i])) {
            text = cut(text, text.length - strlen(idle[i]));
            i = (size_t)-1;
        }
    return text;
}

/* Without "\label{eq:ring}" at its end. */
static Text cut_command(Text text)
{
    static const char *const commands[] = {"\\label", "\\tag", "\\tag*", "\\end", "\\hspace"};
    size_t open = ends_with(text, "}") ? find_open(text, '{', '}') : text.length;
    for (size_t i = 0; i < sizeof commands / sizeof *commands && open < text.length; i++)
        if (ends_with(cut(text, open), commands[i]))
            return cut(text, open - strlen(commands[i]));
    return text;
}

/* "4.2a" */
static bool is_number(Text text)
{
    size_t i = 0;
    while (i < text.length && (isdigit((unsigned char)text.chars[i]) || text.chars[i] == '.'))
        i++;
    return i > 0 && i + (i < text.length && islower((unsigned char)text.chars[i])) == text.length;
}

/* Without "\quad (where p = 2^k)" or the number of an equation, " (1)", at its end. */
static Text cut_remark(Arena *arena, Text text, InformalLetters *letters)
{
    size_t open = ends_with(text, ")") ? find_open(text, '(', ')') : text.length;
    Text before = cut(text, open), inner;
    if (open == text.length || cut_idle(before).length == 0)
        return text;
    inner = text_slice(text, open + 1, text.length - open - 2);
    while (ends_with(before, " ") || ends_with(before, "$"))
        before.length--;
    if (ends_with(before, "quad") || ends_with(before, "\\hspace"))
        return before;
    if (!is_number(inner) || before.length == open)
        return text;
    if (letters)
        *ARRAY_PUSH(arena, &letters->doubtful) = (InformalRun){
            text_slice(text, open, text.length - open), "the number of an equation", "a factor"};
    return before;
}

static Text last_word(Text text)
{
    size_t start = text.length;
    while (start > 0 && isalpha((unsigned char)text.chars[start - 1]))
        start--;
    return text_slice(text, start, text.length - start);
}

static bool is_one_of(Text word, const char *const *words)
{
    while (*words && !text_equals(word, *words))
        words++;
    return *words != NULL;
}

/* Without "in step i" at its end. */
static Text cut_step(Text text, Text *step)
{
    static const char *const steps[] = {"step", "round", "phase", "stage", "iteration", NULL};
    static const char *const links[] = {"in", "of", "at", "for", "during", NULL};
    Text index = last_word(text);
    Text before = cut_idle(cut(text, text.length - index.length));
    Text word = last_word(before);
    if (index.length == 0 || index.length > 2 || !is_one_of(word, steps))
        return text;
    before = cut_idle(cut(before, before.length - word.length));
    *step = index;
    word = last_word(before);
    return is_one_of(word, links) ? cut(before, before.length - word.length) : before;
}

/* Without what stands behind a formula. */
static Text cut_tail(Arena *arena, Text text, InformalLetters *letters, Text *step)
{
    size_t before;
    do {
        before = text.length;
        text = cut_remark(arena, cut_command(cut_idle(text)), letters);
        text = cut_step(text, step);
    } while (text.length < before);
    return text;
}

/* The sign of a relation at `at`, with its length, or -1. */
static int find_relation(Text text, size_t at, size_t *length)
{
    int found = -1;
    *length = 1;
    while (text.chars[at] == '\\' && at + *length < text.length &&
           isalpha((unsigned char)text.chars[at + *length]))
        ++*length;
    size_t whole = *length, rest = text.length - at;
    for (int i = 0; i < RELATIONS; i++)
        for (const char *sign = relations[i], *end; *sign; sign = end + (*end == ' ')) {
            end = sign + strcspn(sign, " ");
            size_t own = (size_t)(end - sign);
            if ((whole > 1 ? own == whole : own >= *length) && own <= rest &&
                memcmp(text.chars + at, sign, own) == 0)
                found = i < RELATIONS - 1 ? i : -1, *length = own;
        }
    if (whole == 1 && text.chars[at] == '\\') /* \( and \\ are no brackets; \{ is one */
        *length = rest < 2 || strchr("{}", text.chars[at + 1]) ? 1 : 2;
    return found;
}

/* Where a relation stands outside brackets, from `at` on; the length of the text: nowhere. */
static size_t next_relation(Text text, size_t at, int *relation, size_t *length)
{
    int depth = 0;
    for (; at < text.length; at += *length) {
        *relation = find_relation(text, at, length);
        if (*relation >= 0 && depth <= 0)
            return at;
        depth += *length == 1 && strchr("([{", text.chars[at]) != NULL;
        depth -= *length == 1 && depth > 0 && strchr(")]}", text.chars[at]) != NULL;
    }
    return text.length;
}

/* Nothing but what LaTeX needs? */
static bool is_empty(Arena *arena, Text text)
{
    Diag silent = diag_silent();
    InformalLexer lexer;
    informal_lexer_start(&lexer, arena, NULL, text, &silent);
    return lexer.token.kind == TOKEN_END;
}

static bool has_unknown(const InformalLetters *letters, const Expr *expr)
{
    bool found = expr->kind == EXPR_VARIABLE && !informal_is_letter(letters, expr->text);
    for (int i = 0; i < expr->argument_count; i++)
        found |= has_unknown(letters, expr->arguments[i]);
    return found;
}

/* "T", "T(p, m)" */
static bool is_plain_name(InformalLexer *lexer)
{
    if (lexer->token.kind != TOKEN_NAME)
        return false;
    informal_lexer_advance(lexer);
    if (informal_lexer_accept(lexer, "("))
        while (lexer->token.kind == TOKEN_NAME || informal_lexer_sees(lexer, ",") ||
               informal_lexer_sees(lexer, ")"))
            informal_lexer_advance(lexer);
    return lexer->token.kind == TOKEN_END;
}

/* Does it name what the formula is about, and is no formula itself? */
static bool is_name(Arena *arena, Text text, const InformalLetters *letters, bool is_first)
{
    Diag silent = diag_silent();
    InformalLetters own = {0};
    InformalLexer lexer;
    if (letters)
        own.names = letters->names;
    informal_lexer_start(&lexer, arena, letters ? &own : NULL, text, &silent);
    bool is_letter = letters && informal_is_letter(letters, lexer.token.text);
    bool is_word = lexer.token.kind == TOKEN_NAME || lexer.token.kind == TOKEN_BAD;
    if (is_first && is_plain_name(&lexer))
        return true;
    const Expr *formula = informal_parse(arena, text, letters ? &own : NULL, &silent);
    return formula ? letters && has_unknown(&own, formula) : is_first && is_word && !is_letter;
}

bool equation_read(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                   Diag *diag)
{
    int relation = RELATION_EQUAL, next = 0;
    size_t length;
    *equation = (Equation){.name = cut(text, 0)};
    text = cut_tail(arena, text, letters, &equation->step);
    for (size_t start = 0, end; start <= text.length; start = end + length, relation = next) {
        end = next_relation(text, start, &next, &length);
        Text part = text_slice(text, start, end - start);
        part = cut_tail(arena, part, letters, &equation->step);
        if (end == text.length)
            length = 1;
        else if (equation->parts.count == 0 &&
                 (is_empty(arena, part) || is_name(arena, part, letters, start == 0))) {
            equation->name = part.length ? part : equation->name;
            continue;
        }
        if (equation->parts.count == MOST_PARTS) {
            diag_error(diag, part.span, "too many formulas in one chain (at most %d)", MOST_PARTS);
            return false;
        }
        Expr *formula = informal_parse(arena, part, letters, diag);
        if (!formula)
            return false;
        *ARRAY_PUSH(arena, &equation->parts) = (EquationPart){formula, (Relation)relation};
    }
    return true;
}
