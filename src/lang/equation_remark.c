#include "lang/equation_remark.h"

#include "lang/informal.h"

#include <ctype.h>
#include <string.h>

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
Expr *condition_read(Arena *arena, Text text, InformalLetters *letters, bool *is_rest, Diag *diag)
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
    Text words = equation_cut_idle(plain_words(arena, text));
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
    const size_t sign = equation_find(words, "=");
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

/* "p > 1", on whole numbers */
static bool is_condition(const Expr *expr, const char *const *counts)
{
    return expr && expr->kind >= EXPR_LESS && expr->kind <= EXPR_GREATER_EQUAL &&
           expr->arguments[0]->kind == EXPR_VARIABLE &&
           equation_is_among(expr->arguments[0]->text, counts) &&
           expr->arguments[1]->kind == EXPR_NUMBER;
}

/* "q = \\sqrt{p}": q is written out in all formulas. */
static void define(Arena *arena, Text text, InformalLetters *letters, const char *const *counts,
                   EquationParts *parts)
{
    size_t length;
    int relation;
    Text name;
    Diag silent = diag_silent();
    size_t end = equation_relation(text, 0, &relation, &length);
    if (end == text.length || relation != RELATION_EQUAL ||
        !informal_parse_name(arena, equation_cut(text, end), &name, &silent) ||
        equation_is_among(name, counts))
        return;
    text = text_slice(text, end + length, text.length - end - length);
    text = equation_cut_idle(equation_cut(text, equation_relation(text, 0, &relation, &length)));
    Expr *value = informal_parse(arena, text, letters, &silent);
    const char *word = arena_copy(arena, name.chars, name.length);
    for (size_t i = 0; i < parts->count && value && !expr_names(value, word); i++) {
        EquationPart *part = &parts->items[i];
        part->formula = expr_replace(arena, part->formula, word, value);
    }
}

/* What a remark says about the formulas before it, from one of its words on. */
void remark_read(Arena *arena, Text remark, InformalLetters *letters, EquationParts *parts,
                 Expr **condition)
{
    enum { MOST_WORDS = 16 };
    static const char *const counts[] = {"p", "P", "n", "N", "k", "d", NULL};
    static const char *const fixed[] = {"p", "P", "n", "N", "m", "M", "l", "i", "j", NULL};
    for (size_t at = 0, tried = 0; at < remark.length && tried < MOST_WORDS; at++) {
        if (!isalpha((unsigned char)remark.chars[at]) ||
            (at > 0 && isalpha((unsigned char)remark.chars[at - 1])))
            continue;
        InformalLetters own = {.names = letters->names};
        Text rest = equation_cut_idle(text_slice(remark, at, remark.length - at));
        Expr *found = informal_formula(arena, rest, &own);
        if (is_condition(found, counts))
            *condition = found;
        else
            define(arena, rest, &own, fixed, parts);
        tried++;
    }
}
