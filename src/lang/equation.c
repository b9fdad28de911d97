#include "lang/equation.h"

#include "lang/informal.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { MOST_PARTS = 8 };

/* By Relation, what looks like one but stands in a condition, and what ends a formula. */
static const char *const relations[] = {
    "= := : ≡ ≜ ＝ \\equiv \\triangleq \\doteq \\coloneqq",
    "≈ ≃ ≅ ∼ → ≲ ≳ \\approx \\simeq \\cong \\sim \\to \\rightarrow \\lesssim \\gtrsim \\approxeq",
    "<= ≤ \\le \\leq \\leqslant",
    ">= ≥ \\ge \\geq \\geqslant",
    "== !=",
    ", ; # ， ； where for if with when while since as bytes seconds steps rounds startups \\eqno "
    "\\leqno "
    "\\forall \\text \\mbox \\textrm \\textit \\hbox",
};
enum { NO_RELATION = RELATION_AT_LEAST + 1, REMARK, RELATIONS };

/* Behind a formula they belong to the sentence, or to the page: the long ones first. */
static const char *const idle[] = {
    "\\\\ ", "\\nonumber", "\\notag", "\\qquad", "\\quad", "\\\\", "\\,",    "\\;", "\\:", "\\!",
    "\\ ",   "\\]",        "\\)",     "。",      "，",     "；",   "\u00a0", " ",   "\t",  "\n",
    "\r",    ".",          ",",       ";",       ":",      "$",    "&",      "~"};

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
    for (size_t i = 0; i < COUNT_OF(idle); i++)
        if (text_ends(text, idle[i])) {
            text = cut(text, text.length - strlen(idle[i]));
            i = (size_t)-1;
        }
    return text;
}

/* Without "\label{eq:ring}" at its end. */
static Text cut_command(Text text)
{
    static const char *const commands[] = {"\\label", "\\tag", "\\tag*", "\\end", "\\hspace"};
    size_t open = text_ends(text, "}") ? find_open(text, '{', '}') : text.length;
    for (size_t i = 0; i < COUNT_OF(commands) && open < text.length; i++)
        if (text_ends(cut(text, open), commands[i]))
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

static bool is_one_of(Text word, const char *const *words)
{
    while (*words && !text_equals(word, *words))
        words++;
    return *words != NULL;
}

/* Words end where other signs begin, and \text ends a formula where it is no word of one. */
static bool stands_alone(Text text, size_t at, size_t length)
{
    static const char *const inner[] = {"for", "where", "if",      "when", "with",
                                        "and", "bytes", "seconds", NULL};
    const char *start = text.chars + at, *end = text.chars + text.length, *next = start + length;
    if (isalpha((unsigned char)*start))
        return (at == 0 || !(isalnum((unsigned char)start[-1]) || strchr("_{\\", start[-1]))) &&
               (next == end || !(isalnum((unsigned char)*next) || strchr("_(", *next)));
    if (*start != '\\' || next == end || *next != '{')
        return *start != '\\' || !strchr("tmh", start[1]) || strncmp(start, "\\to", length) == 0;
    const char *first = ++next;
    while (next < end && isalnum((unsigned char)*next))
        next++;
    Text word = text_slice(text, (size_t)(first - text.chars), (size_t)(next - first));
    return at > 0 && start[-1] != '_' && (next == end || *next != '}' || is_one_of(word, inner));
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
                memcmp(text.chars + at, sign, own) == 0 && stands_alone(text, at, own))
                found = i, *length = own;
        }
    if (found == NO_RELATION)
        found = -1;
    if (whole == 1 && text.chars[at] == '\\') /* \( and \\ are no brackets; \{ is one */
        *length = rest < 2 || strchr("{}", text.chars[at + 1]) ? 1 : 2;
    return found;
}

/* Where a relation stands outside brackets, from `at` on; the length of the text: nowhere. */
static size_t next_relation(Text text, size_t at, int *relation, size_t *length)
{
    bool begins[UCHAR_MAX + 1] = {false}; /* a sign, by its first byte */
    int depth = 0;
    for (int i = 0; i < RELATIONS; i++)
        for (const char *sign = relations[i]; sign; sign = strchr(sign, ' '))
            begins[(unsigned char)*(sign += *sign == ' ')] = true;
    for (; at < text.length; at += *length) {
        *relation = -1, *length = 1;
        if (begins[(unsigned char)text.chars[at]])
            *relation = find_relation(text, at, length);
        if (*relation >= 0 && depth <= 0)
            return at;
        depth += *length == 1 && strchr("([{", text.chars[at]) != NULL;
        depth -= *length == 1 && depth > 0 && strchr(")]}", text.chars[at]) != NULL;
    }
    return text.length;
}

/* Without "\quad (where p = 2^k)", " (i = 1, ..., p)", or the number of an equation or of a source,
   " (1)", " [4]", at its end. */
static Text cut_remark(Arena *arena, Text text, InformalLetters *letters)
{
    size_t length, open = text_ends(text, ")")   ? find_open(text, '(', ')')
                          : text_ends(text, "]") ? find_open(text, '[', ']')
                                                 : text.length;
    Text before = cut(text, open), bare = cut_idle(before), inner;
    int relation;
    if (open == text.length || bare.length == 0 || bare.length == open)
        return text;
    inner = text_slice(text, open + 1, text.length - open - 2);
    while (text_ends(before, " ") || text_ends(before, "$"))
        before.length--;
    if (text_ends(before, "quad") ||
        (next_relation(inner, 0, &relation, &length) < inner.length && relation == RELATION_EQUAL))
        return bare;
    if (!is_number(inner))
        return text;
    if (letters)
        *ARRAY_PUSH(arena, &letters->doubtful) = (InformalRun){
            text_slice(text, open, text.length - open), "the number of an equation", "a factor"};
    return bare;
}

static Text last_word(Text text)
{
    size_t start = text.length;
    while (start > 0 && isalpha((unsigned char)text.chars[start - 1]))
        start--;
    return text_slice(text, start, text.length - start);
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

/* Nothing but what LaTeX needs? */
static bool is_empty(Arena *arena, Text text)
{
    Diag silent = diag_silent();
    Lexer lexer;
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
static bool is_plain_name(Lexer *lexer)
{
    if (lexer->token.kind != TOKEN_NAME)
        return false;
    lexer_advance(lexer);
    if (lexer_accept(lexer, "("))
        while (lexer->token.kind == TOKEN_NAME || lexer_sees(lexer, ",") || lexer_sees(lexer, ")"))
            lexer_advance(lexer);
    return lexer->token.kind == TOKEN_END;
}

/* Does it name what the formula is about, and is no formula itself? */
static bool is_name(Arena *arena, Text text, const InformalLetters *letters, bool is_first)
{
    Diag silent = diag_silent();
    InformalLetters own = {0};
    Lexer lexer;
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

/* "p > 1", on whole numbers */
static bool is_condition(const Expr *expr, const char *const *counts)
{
    return expr && expr->kind >= EXPR_LESS && expr->kind <= EXPR_GREATER_EQUAL &&
           expr->arguments[0]->kind == EXPR_VARIABLE &&
           is_one_of(expr->arguments[0]->text, counts) && expr->arguments[1]->kind == EXPR_NUMBER;
}

/* "q = \\sqrt{p}": q is written out in all formulas. */
static void define(Arena *arena, Text text, InformalLetters *letters, const char *const *counts,
                   Equation *equation)
{
    size_t length;
    int relation;
    Text name;
    Diag silent = diag_silent();
    size_t end = next_relation(text, 0, &relation, &length);
    if (end == text.length || relation != RELATION_EQUAL ||
        !informal_parse_name(arena, cut(text, end), &name, &silent) || is_one_of(name, counts))
        return;
    text = text_slice(text, end + length, text.length - end - length);
    text = cut_idle(cut(text, next_relation(text, 0, &relation, &length)));
    Expr *value = informal_parse(arena, text, letters, &silent);
    const char *word = arena_copy(arena, name.chars, name.length);
    for (size_t i = 0; i < equation->parts.count && value && !expr_names(value, word); i++) {
        EquationPart *part = &equation->parts.items[i];
        part->formula = expr_replace(arena, part->formula, word, value);
    }
}

/* What a remark says about the formulas before it, from one of its words on. */
static void read_remark(Arena *arena, Text remark, InformalLetters *letters, Equation *equation)
{
    enum { MOST_WORDS = 16 };
    static const char *const counts[] = {"p", "P", "n", "N", "k", "d", NULL};
    static const char *const fixed[] = {"p", "P", "n", "N", "m", "M", "l", "i", "j", NULL};
    for (size_t at = 0, tried = 0; at < remark.length && tried < MOST_WORDS; at++) {
        if (!isalpha((unsigned char)remark.chars[at]) ||
            (at > 0 && isalpha((unsigned char)remark.chars[at - 1])))
            continue;
        InformalLetters own = {.names = letters->names};
        Text rest = cut_idle(text_slice(remark, at, remark.length - at));
        Expr *condition = informal_formula(arena, rest, &own);
        if (is_condition(condition, counts))
            equation->condition = condition;
        else
            define(arena, rest, &own, fixed, equation);
        tried++;
    }
}

/* Are there some words, and a formula behind the remark, "in a ring, T = t_s"? */
static bool is_prose(Text part, Text text, size_t at)
{
    size_t length;
    int relation = REMARK;
    for (size_t i = 0; i < part.length; i++)
        if (!isalpha((unsigned char)part.chars[i]) && part.chars[i] != ' ')
            return false;
    if (!memchr(part.chars, ' ', part.length))
        return false;
    while (at < text.length && relation == REMARK)
        at = next_relation(text, at, &relation, &length) + length;
    return relation == RELATION_EQUAL;
}

/* Without what may stand before a formula, as in programs. */
static Text skip_comment(Text text)
{
    size_t start = 0;
    while (start < text.length && strchr("/$ ", text.chars[start]))
        start++;
    return text_slice(text, start, text.length - start);
}

/* ### Cases */

static size_t find_text(Text text, const char *what)
{
    const char *found = memmem(text.chars, text.length, what, strlen(what));
    return found ? (size_t)(found - text.chars) : text.length;
}

/* "p is a power of two" of "$p$ \text{ is a power of two}". */
static Text plain_words(Arena *arena, Text text)
{
    static const char *const fonts[] = {"\\textrm", "\\textit", "\\text", "\\mbox", "\\mathrm",
                                        "\\quad",   "\\,",      "\\ ",    "\\;"};
    char *words = arena_copy(arena, text.chars, text.length);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        const Text rest = text_slice(text, i, text.length - i);
        size_t own = 0;
        for (size_t n = 0; n < COUNT_OF(fonts) && !own; n++)
            own = text_begins(rest, fonts[n]) ? strlen(fonts[n]) : 0;
        const char next = own || strchr("{}$~\t\n\r", text.chars[i]) ? ' ' : text.chars[i];
        i += own ? own - 1 : 0;
        if (next != ' ' || (length && words[length - 1] != ' '))
            words[length++] = next;
    }
    words[length] = '\0';
    return text_trim(text_plain(words));
}

/* The condition of a case; *is_rest: that of all others. NULL after a report, or with that. */
static Expr *read_condition(Arena *arena, Text text, InformalLetters *letters, bool *is_rest,
                            Diag *diag)
{
    static const struct {
        const char *ending, *before, *after;
    } known[] = {{" is not a power of two", "not power_of_two(", ")"},
                 {" not a power of two", "not power_of_two(", ")"},
                 {" is a power of two", "power_of_two(", ")"},
                 {" a power of two", "power_of_two(", ")"},
                 {" is even", "(", ") mod 2 == 0"},
                 {" even", "(", ") mod 2 == 0"},
                 {" is odd", "(", ") mod 2 == 1"},
                 {" odd", "(", ") mod 2 == 1"},
                 {" = 2^k", "power_of_two(", ")"},
                 {"=2^k", "power_of_two(", ")"},
                 {" \\neq 2^k", "not power_of_two(", ")"}};
    static const char *const first[] = {"if ", "for ", "when ", "where ", "with "};
    Text words = cut_idle(plain_words(arena, text));
    for (size_t i = 0; i < COUNT_OF(first); i++)
        if (text_begins(words, first[i]))
            words = text_trim(text_slice(words, strlen(first[i]), words.length - strlen(first[i])));
    *is_rest = !words.length || text_equals(words, "otherwise") || text_equals(words, "else");
    if (*is_rest)
        return NULL;
    const char *string = arena_copy(arena, words.chars, words.length);
    if (text_ends(words, "power of 2"))
        string = arena_printf(arena, "%.*stwo", (int)words.length - 1, string);
    else if (words.length > 3 && memcmp(string + words.length - 3, "2^", 2) == 0)
        string = arena_printf(arena, "%.*sk", (int)words.length - 1, string); /* any letter */
    words = text_plain(string);
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (text_ends(words, known[i].ending)) {
            const int length = (int)(words.length - strlen(known[i].ending));
            string = arena_printf(arena, "%s%.*s%s", known[i].before, length, words.chars,
                                  known[i].after);
            break;
        }
    const size_t sign = find_text(words, "=");
    if (string == words.chars && sign && sign + 1 < words.length &&
        !strchr("<>!=:", words.chars[sign - 1]) && words.chars[sign + 1] != '=')
        string = arena_printf(arena, "%.*s=%s", (int)sign, string, string + sign);
    Expr *condition = informal_formula(arena, source_argument(arena, "condition", string), letters);
    if (condition && operation_info[condition->kind].rule >= RULE_COMPARISON)
        return condition;
    return DIAG_NULL(
        diag, text.span,
        "this condition is not understood: p > 2, p even, p a power of two, or otherwise");
}

static Expr *join(Arena *arena, ExprKind kind, Text text, Expr *a, Expr *b, Expr *c)
{
    Expr *whole = expr_make(arena, kind, text, a, b);
    whole->arguments[2] = c;
    whole->argument_count += c != NULL;
    return whole;
}

/* Rows `formula & condition`, the last one perhaps of all others; else they hold together where
   one of the conditions does. */
static bool read_rows(Arena *arena, Text body, InformalLetters *letters, Relation relation,
                      Equation *equation, Diag *diag)
{
    Expr *formulas[MOST_PARTS], *conditions[MOST_PARTS], *any = NULL;
    bool is_rest = false;
    int count = 0;
    Text step;
    while (body.length) {
        const size_t end = find_text(body, "\\\\"),
                     next = end + 2 < body.length ? end + 2 : body.length;
        const Text row = text_trim(cut(body, end));
        const size_t sign = find_text(row, "&");
        body = text_slice(body, next, body.length - next);
        if (!cut_idle(row).length)
            continue;
        if (is_rest || count == MOST_PARTS)
            return diag_error(diag, row.span,
                              is_rest ? "a case after that of all others"
                                      : "there are more than %d cases",
                              MOST_PARTS);
        const size_t from = sign + (sign < row.length);
        formulas[count] =
            informal_parse(arena, cut_tail(arena, cut(row, sign), NULL, &step), letters, diag);
        conditions[count] = formulas[count]
                                ? read_condition(arena, text_slice(row, from, row.length - from),
                                                 letters, &is_rest, diag)
                                : NULL;
        if (!conditions[count++] && !is_rest)
            return false;
    }
    if (!count)
        return diag_error(diag, body.span, "the cases are missing");
    Expr *whole = formulas[count - 1];
    for (int i = 0; i < count && !is_rest; i++)
        any = any ? join(arena, EXPR_OR, body, any, conditions[i], NULL) : conditions[i];
    for (int i = count - 1; i-- > 0;)
        whole = join(arena, EXPR_WHEN, body, conditions[i], formulas[i], whole);
    equation->condition = any;
    *ARRAY_PUSH(arena, &equation->parts) = (EquationPart){whole, relation};
    return true;
}

static size_t find_cases(Text text)
{
    const size_t cases = find_text(text, "cases}"), array = find_text(text, "\\begin{array}");
    return cases < text.length || text_ends(cut_idle(cut(text, array)), "\\{")
               ? find_text(text, "\\begin{")
               : text.length;
}

/* \begin{cases} ... \end{cases}, or an array behind a brace, as the whole right side. */
static bool read_cases(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                       Diag *diag)
{
    int relation = RELATION_EQUAL;
    size_t length = 0, open = find_text(text, "\\begin{"), at = 0;
    Text before = cut(text, open), body = text_slice(text, open, text.length - open);
    before = cut_idle(before);
    if (text_ends(before, "\\{"))
        before = cut(before, before.length - (text_ends(before, "\\left\\{") ? 7 : 2));
    before = skip_comment(cut_idle(before));
    if (before.length)
        at = next_relation(before, 0, &relation, &length);
    const size_t from = find_text(body, "}"), end = find_text(body, "\\end{");
    if (at + length != before.length || relation > RELATION_AT_LEAST || from >= end)
        return diag_error(diag, text_span(text, open, 0),
                          "cases are read where they are all of a formula");
    equation->name = cut(before, at);
    body = text_slice(body, from + 1, end - from - 1);
    if (body.length && *body.chars == '{') { /* columns of an array */
        const size_t columns = find_text(body, "}"), behind = columns + (columns < body.length);
        body = text_slice(body, behind, body.length - behind);
    }
    return read_rows(arena, body, letters, (Relation)relation, equation, diag);
}

bool equation_read(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                   Diag *diag)
{
    int relation = RELATION_EQUAL, next = 0;
    size_t length;
    Text remark = cut(text, 0);
    *equation = (Equation){.name = remark};
    if (find_cases(text) < text.length)
        return read_cases(arena, text, letters, equation, diag);
    text = skip_comment(cut_tail(arena, text, letters, &equation->step));
    for (size_t start = 0, end; start <= text.length; start = end + length, relation = next) {
        end = next_relation(text, start, &next, &length);
        Text part = text_slice(text, start, end - start);
        part = cut_tail(arena, part, letters, &equation->step);
        bool is_preface = (next != REMARK && is_empty(arena, part)) ||
                          ((next != REMARK || is_prose(part, text, end + length)) &&
                           is_name(arena, part, letters, start == 0));
        if (equation->parts.count == 0 && end < text.length && is_preface) {
            equation->name = part.length ? part : equation->name;
            next = next == REMARK ? RELATION_EQUAL : next;
            continue;
        }
        if (end < text.length && next == REMARK)
            remark = text_slice(text, end, text.length - end);
        if (next == REMARK || end == text.length)
            length = 1, end = text.length;
        if (equation->parts.count == MOST_PARTS)
            return diag_error(diag, part.span, "too many formulas in one chain (at most %d)",
                              MOST_PARTS);
        Expr *formula = informal_parse(arena, part, letters, diag);
        if (!formula)
            return false;
        *ARRAY_PUSH(arena, &equation->parts) = (EquationPart){formula, (Relation)relation};
    }
    equation->remark = remark;
    if (letters)
        read_remark(arena, remark, letters, equation);
    return true;
}
