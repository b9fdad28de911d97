#include "lang/equation_remark.h"

#include "lang/informal.h"

#include <ctype.h>
#include <string.h>

/* "p is a power of two" of "$p$ \\text{ is a power of two}"; of braces those round such words go.
 */
static Text plain_words(Arena *arena, Text text)
{
    static const char *const fonts[] = {"\\textrm", "\\textit", "\\text", "\\mbox", "\\mathrm",
                                        "\\quad",   "\\,",      "\\ ",    "\\;"};
    char *words = text_string(arena, text);
    size_t length = 0;
    uint64_t is_kept = 0; /* bit i: what is open at depth i */
    for (size_t i = 0; i < text.length; i++) {
        const Text rest = equation_rest(text, i);
        size_t own = 0;
        for (size_t n = 0; n < COUNT_OF(fonts) && !own; n++)
            own = text_begins(rest, fonts[n]) ? strlen(fonts[n]) : 0;
        char next = own || strchr("$~\t\n\r", text.chars[i]) ? ' ' : text.chars[i];
        i += own ? own - 1 : 0;
        if (own && i + 1 < text.length && text.chars[i + 1] == '{')
            is_kept <<= 1, i++;
        else if (next == '{')
            is_kept = is_kept << 1 | 1;
        else if (next == '}') {
            next = is_kept & 1 ? '}' : ' ';
            is_kept >>= 1;
        }
        if (next != ' ' || (length && words[length - 1] != ' '))
            words[length++] = next;
    }
    words[length] = '\0';
    return text_trim(text_plain(words));
}

/* Is it a letter that counts ranks, chunks or ports? */
static bool is_count(const Expr *expr)
{
    static const char counts[] = "p P n N k d R nproc nprocs nranks N_p n_p";
    return expr->kind == EXPR_VARIABLE && equation_is_among(expr->text, counts);
}

/* "2^q" on one side of =, with a count on the other; NULL: it is something else. */
static const Expr *exponent_of(const Expr *expr, const Expr **count)
{
    for (int i = 0; i < 2 && (expr->kind == EXPR_EQUAL || expr->kind == EXPR_UNEQUAL); i++) {
        const Expr *power = expr->arguments[!i];
        *count = expr->arguments[i];
        if (is_count(*count) && power->kind == EXPR_POWER &&
            power->arguments[0]->kind == EXPR_NUMBER && power->arguments[0]->integer == 2 &&
            power->arguments[1]->kind == EXPR_VARIABLE)
            return power->arguments[1];
    }
    return NULL;
}

/* Without "for" in front. */
static Text skip_first(Text words)
{
    static const char *const first[] = {"if ", "for ", "when ", "where ", "with "};
    for (size_t i = 0; i < COUNT_OF(first); i++)
        if (text_begins(words, first[i]))
            words = text_trim(equation_rest(words, strlen(first[i])));
    return words;
}

/* The condition in words that have no remark round them; NULL: it is none, or *is_rest. */
static Expr *read_words(Arena *arena, Text words, InformalLetters *letters, bool *is_rest)
{
    static const struct {
        const char *ending, *before, *after;
    } known[] = {{" is not a power of two", "not power_of_two(", ")"},
                 {" not a power of two", "not power_of_two(", ")"},
                 {" is a power of two", "power_of_two(", ")"},
                 {" a power of two", "power_of_two(", ")"},
                 {"powers of two", "power_of_two(p", ")"},
                 {" is even", "(", ") mod 2 == 0"},
                 {" even", "(", ") mod 2 == 0"},
                 {" is odd", "(", ") mod 2 == 1"},
                 {" odd", "(", ") mod 2 == 1"}};
    const Expr *count;
    words = skip_first(equation_cut_idle(words));
    *is_rest = !words.length || text_equals(words, "otherwise") || text_equals(words, "else");
    if (*is_rest)
        return NULL;
    const char *string = text_string(arena, words);
    if (text_ends(words, "power of 2"))
        string = arena_printf(arena, "%.*stwo", (int)words.length - 1, string);
    else if (text_begins(words, "even ") || text_begins(words, "odd "))
        string = arena_printf(arena, "%s %.*s", strchr(string, ' ') + 1, (int)strcspn(string, " "),
                              string);
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
    Expr *read = informal_formula(arena, source_argument(arena, "condition", string), letters);
    if (!read || operation_info[read->kind].rule < RULE_COMPARISON || !exponent_of(read, &count))
        return read && operation_info[read->kind].rule >= RULE_COMPARISON ? read : NULL;
    Expr *power = expr_make(arena, EXPR_POWER_OF_TWO, read->text, (Expr *)count, NULL);
    return read->kind == EXPR_EQUAL ? power : expr_make(arena, EXPR_NOT, read->text, power, NULL);
}

Expr *condition_read(Arena *arena, Text text, InformalLetters *letters, bool *is_rest, Diag *diag)
{
    Expr *condition = read_words(arena, plain_words(arena, text), letters, is_rest);
    return condition || *is_rest
               ? condition
               : DIAG_NULL(diag, text.span,
                           "this condition is not understood: p > 2, p even, p a power of two, or "
                           "otherwise");
}

/* "p > 1", "p mod 2 == 0": of one count, and no letter else */
static bool is_condition(const Expr *expr)
{
    if (expr->kind == EXPR_NOT || expr->kind == EXPR_POWER_OF_TWO)
        return is_count(expr->arguments[0]) || is_condition(expr->arguments[0]);
    if (operation_info[expr->kind].rule != RULE_COMPARISON)
        return false;
    const bool turned = expr->arguments[0]->kind == EXPR_NUMBER;
    const Expr *count = expr->arguments[turned], *number = expr->arguments[!turned];
    if (count->kind == EXPR_MODULO && count->arguments[1]->kind == EXPR_NUMBER)
        count = count->arguments[0];
    return is_count(count) && number->kind == EXPR_NUMBER;
}

static bool replace(Arena *arena, EquationParts *parts, Text name, Expr *value)
{
    const char *word = text_string(arena, name);
    bool any = false;
    for (size_t i = 0; i < parts->count && value && !expr_names(value, word); i++) {
        any |= expr_names(parts->items[i].formula, word);
        parts->items[i].formula = expr_replace(arena, parts->items[i].formula, word, value);
    }
    return any;
}

/* "q = \\sqrt{p} is the side", and "p = 2^q": q is written out in all formulas. False: the text
   says no such thing. */
static bool define(Arena *arena, Text text, InformalLetters *letters, EquationParts *parts)
{
    static const char fixed[] = "p P n N m M l i j";
    static const char *const verbs[] = {" is ", " are ", " denotes ", " being ", " with ", " for "};
    size_t length;
    int relation;
    Text name;
    Diag silent = diag_silent();
    size_t end = equation_relation(text, 0, &relation, &length);
    if (end == text.length || relation != RELATION_EQUAL)
        return false;
    Text right = equation_rest(text, end + length);
    right = equation_cut(right, equation_relation(right, 0, &relation, &length));
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        right = equation_cut(right, equation_find(right, verbs[i]));
    right = equation_cut_idle(right);
    if (!informal_parse_name(arena, equation_cut(text, end), &name, &silent))
        return false;
    Expr *value = informal_parse(arena, right, letters, &silent);
    const Expr *count, *exponent;
    Expr *equal = value ? expr_make(arena, EXPR_EQUAL, text,
                                    expr_make(arena, EXPR_VARIABLE, name, NULL, NULL), value)
                        : NULL;
    if (equal && (exponent = exponent_of(equal, &count)) &&
        !equation_is_among(exponent->text, fixed)) {
        const char *log = arena_printf(arena, "log %.*s", TEXT_ARGS(name));
        replace(arena, parts, exponent->text,
                informal_formula(arena, source_argument(arena, "remark", log), letters));
    }
    return !equation_is_among(name, fixed) && replace(arena, parts, name, value);
}

/* Where a clause ends: at a comma, or "and", outside of brackets. */
static size_t find_end(Text text)
{
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        const Text rest = equation_rest(text, i);
        depth += strchr("([{", text.chars[i]) != NULL;
        depth -= strchr(")]}", text.chars[i]) != NULL;
        if (depth <= 0 && (strchr(",;", text.chars[i]) || text_begins(rest, " and ")))
            return i;
    }
    return text.length;
}

static Expr *join(Arena *arena, ExprKind kind, Expr *a, Expr *b)
{
    return a && b ? expr_make(arena, kind, b->text, a, b) : a ? a : b;
}

/* p of "p = 2", to which more numbers may follow; NULL: none may. */
static Expr *listed(const Expr *list)
{
    while (list && list->kind == EXPR_OR)
        list = list->arguments[1];
    return list && list->kind == EXPR_EQUAL && list->arguments[0]->kind == EXPR_VARIABLE
               ? (Expr *)list->arguments[0]
               : NULL;
}

/* What one clause says, from one of its words on; *condition: what it adds. */
static bool read_clause(Arena *arena, Text clause, InformalLetters *letters, EquationParts *parts,
                        Expr **condition)
{
    enum { MOST_WORDS = 16 };
    static const char *const against[] = {"unless", "except", "not for", "not if", "not when"};
    bool is_rest;
    for (size_t i = 0; i < COUNT_OF(against); i++)
        if (equation_find(clause, against[i]) < clause.length)
            return false;
    for (size_t at = 0, tried = 0; at < clause.length && tried < MOST_WORDS; at++) {
        if (!isalnum((unsigned char)clause.chars[at]) ||
            (at > 0 && isalnum((unsigned char)clause.chars[at - 1])))
            continue;
        InformalLetters own = {.names = letters->names};
        Text rest = skip_first(equation_cut_idle(equation_rest(clause, at)));
        Expr *found = read_words(arena, rest, &own, &is_rest);
        *condition = found && is_condition(found) ? found : NULL;
        const bool may_define = !*condition || found->kind == EXPR_POWER_OF_TWO;
        if ((may_define && define(arena, rest, &own, parts)) || *condition)
            return true;
        tried++;
    }
    return false;
}

bool remark_read(Arena *arena, Text remark, InformalLetters *letters, EquationParts *parts,
                 Expr **condition)
{
    enum { MOST_CLAUSES = 16 };
    const Text words = plain_words(arena, remark);
    const Text text = source_argument(arena, "remark", text_string(arena, words));
    Expr *before = *condition, *last = NULL; /* "p = 2", to which "4" adds "p = 4" */
    bool any = false;
    for (size_t at = 0, tried = 0; at < text.length && tried < MOST_CLAUSES; tried++) {
        const Text rest = equation_rest(text, at);
        const Text clause = equation_cut_idle(text_trim(equation_cut(rest, find_end(rest))));
        at += find_end(rest) + 1;
        Expr *found = NULL;
        Expr *number = listed(last) ? informal_formula(arena, clause, letters) : NULL;
        if (number && number->kind == EXPR_NUMBER) {
            found = expr_make(arena, EXPR_EQUAL, clause, listed(last), number);
            last = join(arena, EXPR_OR, last, found);
        } else if (listed(last) && (text_holds(clause, "..") || text_holds(clause, "dots"))) {
            any = false, last = NULL; /* "p = 1, 2, ..., 8" is no condition that is known */
        } else if (read_clause(arena, clause, letters, parts, &found)) {
            before = join(arena, EXPR_AND, before, last);
            last = found;
            any = true;
        }
    }
    *condition = join(arena, EXPR_AND, before, last);
    return any;
}
