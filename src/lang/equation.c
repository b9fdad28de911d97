#include "lang/equation.h"

#include "lang/grammar.h"
#include "lang/informal.h"

#include <ctype.h>
#include <string.h>

enum { MOST_PARTS = 8 };

enum { COMMANDS, STEPS, LINKS, FUNCTIONS, CONDITIONS, LEADS, ORDERS };
static const char *const words[] = {
    /* with braces, behind a formula */
    [COMMANDS] = "\\label \\tag \\tag* \\end \\hspace \\cite \\footnote",
    [STEPS] = "step round phase stage iteration",
    [LINKS] = "in of at for during", /* before a step */
    [FUNCTIONS] = "log mod div",
    [CONDITIONS] = "For for If if When when Since since Let let Assume assume Assuming assuming "
                   "Suppose Given given Where where With with",       /* before a formula */
    [LEADS] = "e.g. E.g. i.e. I.e. cf. Thus Hence Therefore Then So", /* of a sentence */
    [ORDERS] = "O Theta Omega",
};

/* "4.2a" */
static bool is_number(Text text)
{
    size_t i = 0;
    while (i < text.length && (isdigit((unsigned char)text.chars[i]) || text.chars[i] == '.'))
        i++;
    return i > 0 && i + (i < text.length && islower((unsigned char)text.chars[i])) == text.length;
}

/* Without "\quad (where p = 2^k)", " (i = 1, ..., p)", " [p > 1]", or the number of an equation or
   of a source, " (1)", " [4]", at its end. */
static Text cut_remark(Arena *arena, Text text, InformalLetters *letters, Equation *equation)
{
    size_t length, open = text_ends(text, ")")   ? equation_open(text, '(', ')')
                          : text_ends(text, "]") ? equation_open(text, '[', ']')
                                                 : text.length;
    Text before = equation_cut(text, open), bare = equation_cut_idle(before), inner;
    int relation;
    EquationParts none = {0};
    Expr *condition = NULL;
    if (open == text.length || bare.length == 0 || bare.length == open)
        return text;
    inner = text_slice(text, open + 1, text.length - open - 2);
    while (text_ends(before, " ") || text_ends(before, "$"))
        before.length--;
    const bool is_said = text_ends(before, "quad") ||
                         (equation_relation(inner, 0, &relation, &length) < inner.length &&
                          relation == RELATION_EQUAL) ||
                         (letters && remark_read(arena, inner, letters, &none, &condition));
    if (is_said && letters && !is_number(inner))
        *ARRAY_PUSH(arena, &equation->said) = inner;
    if (is_said)
        return bare;
    if (!is_number(inner))
        return text;
    if (letters)
        *ARRAY_PUSH(arena, &letters->doubtful) =
            (InformalRun){equation_rest(text, open), "the number of an equation", "a factor"};
    return bare;
}

static Text last_word(Text text)
{
    size_t start = text.length;
    while (start > 0 && isalpha((unsigned char)text.chars[start - 1]))
        start--;
    return equation_rest(text, start);
}

/* Without "in step i" at its end. */
static Text cut_step(Text text, Text *step)
{
    Text index = last_word(text);
    Text before = equation_cut_idle(equation_cut(text, text.length - index.length));
    Text word = last_word(before);
    if (index.length == 0 || index.length > 2 || !equation_is_among(word, words[STEPS]))
        return text;
    before = equation_cut_idle(equation_cut(before, before.length - word.length));
    *step = index;
    word = last_word(before);
    return equation_is_among(word, words[LINKS]) ? equation_cut(before, before.length - word.length)
                                                 : before;
}

/* Without what stands behind a formula. */
static Text cut_tail(Arena *arena, Text text, InformalLetters *letters, Equation *equation)
{
    size_t before;
    do {
        before = text.length;
        text = equation_cut_idle(text);
        /* "\label{eq:ring}" */
        const size_t open = text_ends(text, "}") ? equation_open(text, '{', '}') : text.length;
        const char *start = open < text.length ? memrchr(text.chars, '\\', open) : NULL;
        const size_t at = start ? (size_t)(start - text.chars) : open;
        if (equation_is_among(text_slice(text, at, open - at), words[COMMANDS]))
            text = equation_cut(text, at);
        text = cut_step(cut_remark(arena, text, letters, equation), &equation->step);
    } while (text.length < before);
    return text;
}

static bool has_unknown(const InformalLetters *letters, const Expr *expr)
{
    bool found = expr->kind == EXPR_VARIABLE && !informal_is_letter(letters, expr->text);
    for (int i = 0; i < expr->argument_count; i++)
        found |= has_unknown(letters, expr->arguments[i]);
    return found;
}

/* "T", "Ring", "T(p, m)", "T(p = 8)" */
static bool is_plain_name(Arena *arena, Text text)
{
    Diag silent = diag_silent();
    Lexer lexer;
    informal_lexer_start(&lexer, arena, NULL, text, &silent);
    if (lexer.token.kind != TOKEN_NAME)
        return false;
    lexer_advance(&lexer);
    if (lexer_accept(&lexer, "("))
        while (lexer.token.kind == TOKEN_NAME || lexer.token.kind == TOKEN_NUMBER ||
               lexer_sees(&lexer, ",") || lexer_sees(&lexer, "=") || lexer_sees(&lexer, ")"))
            lexer_advance(&lexer);
    return lexer.token.kind == TOKEN_END;
}

/* Does it say nothing, or name what the formula is about and is no formula itself? "T_2" behind a
   formula, on a line of its own or between signs of its own, names another. */
static bool is_name(Arena *arena, Text text, const InformalLetters *letters, bool is_first)
{
    Diag silent = diag_silent();
    InformalLetters own = {0};
    Lexer lexer;
    if (letters)
        own.names = letters->names;
    informal_lexer_start(&lexer, arena, letters ? &own : NULL, text, &silent);
    if (lexer.token.kind == TOKEN_END) /* nothing but what LaTeX needs */
        return true;
    bool is_letter = letters && informal_is_letter(letters, lexer.token.text);
    bool is_word = lexer.token.kind == TOKEN_NAME || lexer.token.kind == TOKEN_BAD;
    size_t last = text.length; /* the last line, or what stands between signs of its own */
    while (last > 0 && !strchr("$\n", text.chars[last - 1]))
        last--;
    if (is_first ? is_plain_name(arena, text)
                 : last > 2 && is_plain_name(arena, equation_rest(text, last)))
        return is_first;
    const Expr *formula = informal_parse(arena, text, letters ? &own : NULL, &silent);
    return formula ? letters && has_unknown(&own, formula) && formula->kind != EXPR_AND
                   : is_first && is_word && !is_letter;
}

/* Does it end in a word of three letters or more that is none of formulas? */
static bool ends_in_word(const InformalLetters *letters, Text label)
{
    const Text word = last_word(label);
    return word.length >= 3 && !(letters && informal_is_letter(letters, word)) &&
           grammar_function(word) < 0 && !equation_is_among(word, words[FUNCTIONS]);
}

/* Without what stands round a formula in programs and boxes: comments, "return", \\boxed{ }. */
static Text unwrap(Text text, const InformalLetters *letters)
{
    size_t start = 0;
    const size_t open = equation_find(text, "/*"), last = equation_find(text, "*/");
    if (open + 1 < last && last < text.length)
        text = open ? equation_cut(text, open) : equation_rest(text, last + 2);
    const size_t line = equation_find(text, "// ");
    size_t end = line + strlen("// ");
    while (end < text.length && isalpha((unsigned char)text.chars[end]))
        end++;
    if (line && end <= text.length && ends_in_word(letters, equation_cut(text, end)))
        text = equation_cut(text, line);
    while (start < text.length && strchr("/$# ", text.chars[start]))
        start++;
    text = equation_rest(text, start);
    if (text_begins(text, "return "))
        text = equation_rest(text, strlen("return "));
    const size_t box = strlen("\\boxed");
    if (text_begins(text, "\\boxed{") && equation_open(text, '{', '}') == box)
        text = text_slice(text, box + 1, text.length - box - 2);
    return text;
}

/* Without "Thus, for p = 8:", "on a ring," in front; *given: what it says. */
static Text skip_condition(Text text, Text *given)
{
    Text first = equation_cut(text, equation_find(text, " "));
    if (equation_is_among(equation_cut(first, first.length - text_ends(first, ",")), words[LEADS]))
        text = text_trim(equation_rest(text, first.length));
    first = equation_cut(text, equation_find(text, " "));
    const size_t colon = equation_find(text, ":");
    const size_t stop = equation_find(equation_cut(text, equation_find(text, " then ")), ". ");
    size_t end = equation_find(text, ",");
    const bool is_prose = equation_is_words(equation_cut(text, end)) && text_holds(text, "=");
    end = colon < text.length ? colon : stop < end ? stop : end;
    if (end == text.length || !(is_prose || equation_is_among(first, words[CONDITIONS])))
        return text;
    *given = equation_cut(text, end);
    return text_trim(equation_rest(text, end + 1));
}

/* Without "Ring:", "t_msg =" or "ring all-reduce:" in front: letters that are a product elsewhere
   are a name there. */
static Text skip_label(Text text, const InformalLetters *letters, Equation *equation)
{
    size_t end = 0;
    while (end < text.length &&
           (isalnum((unsigned char)text.chars[end]) || strchr(" _'-", text.chars[end])))
        end++;
    const Text label = text_trim(equation_cut(text, end));
    const bool is_run =
        !memchr(label.chars, ' ', label.length) && !memchr(label.chars, '-', label.length);
    const char sign = end + 1 < text.length ? text.chars[end] : 0;
    if (!label.length || !isalpha((unsigned char)*label.chars) || !sign || !strchr(":=", sign) ||
        text.chars[end + 1] == sign || !(is_run || ends_in_word(letters, label)))
        return text;
    end += sign == ':' && text.chars[end + 1] == '=';
    equation->name = label;
    return equation_rest(text, end + 1);
}

/* "T(8) =" is about 8 ranks, and "T(p = 8) =" says so. */
static void note_arguments(Arena *arena, Equation *equation)
{
    const Text name = equation_cut_idle(equation->name);
    const size_t open = text_ends(name, ")") ? equation_open(name, '(', ')') : name.length;
    if (open == name.length)
        return;
    Text inner = text_slice(name, open + 1, name.length - open - 2);
    if (is_number(inner))
        inner = source_argument(arena, "remark", arena_printf(arena, "p = %.*s", TEXT_ARGS(inner)));
    *ARRAY_PUSH(arena, &equation->said) = inner;
}

/* The index of "in step k" is that which i is elsewhere. */
static void name_step(Arena *arena, Equation *equation)
{
    const char *step = text_string(arena, equation->step);
    for (size_t n = 0; n < equation->parts.count && *step && !strchr("ij", *step); n++) {
        Expr **formula = &equation->parts.items[n].formula;
        if (!expr_names(*formula, "i") && !expr_names(*formula, "j"))
            *formula =
                expr_replace(arena, *formula, step, expr_variable(arena, "i", equation->step));
    }
}

/* "O(p)" */
static bool is_growth(const Expr *expr)
{
    while (expr->kind == EXPR_MULTIPLY)
        expr = expr->arguments[0];
    return expr->kind == EXPR_VARIABLE && equation_is_among(expr->text, words[ORDERS]);
}

/* A formula of the chain; of its own growth nothing is judged. */
static void add_part(Arena *arena, Expr *formula, int relation, Equation *equation)
{
    if (formula->kind == EXPR_ADD && is_growth(formula->arguments[1])) {
        equation->growth = formula->arguments[1]->text;
        formula = formula->arguments[0];
    }
    if (equation->parts.count && is_growth(formula))
        equation->growth = formula->text;
    else
        *ARRAY_PUSH(arena, &equation->parts) = (EquationPart){formula, (Relation)relation};
}

/* Without words that no formula has in front, "of" or "steps *". */
static Text skip_words(Text text, const InformalLetters *letters)
{
    for (size_t end = 0; end < text.length; text = text_trim(equation_rest(text, end + 1))) {
        for (end = 0; end < text.length && isalpha((unsigned char)text.chars[end]);)
            end++;
        if (end == text.length || !strchr(" *$", text.chars[end]) ||
            informal_is_letter(letters, equation_cut(text, end)))
            break;
    }
    return text;
}

/* Is there another formula of a time in the remark, "rounds of α + m β", ", T_2 = m β"? What is
   compared, or a product behind words, "large m β", is none. */
static bool has_formula(Arena *arena, Text remark, const InformalLetters *letters)
{
    static const char *const times[] = {"alpha", "beta", "gamma", "ts", "tw", "tc"};
    bool found = false;
    int next;
    for (size_t start = 0, end, length; start < remark.length; start = end + length) {
        end = equation_relation(remark, start, &next, &length);
        InformalLetters own = {.names = letters->names};
        const Text whole = text_trim(text_slice(remark, start, end - start));
        const Text part = equation_cut_idle(skip_words(whole, letters));
        const bool has_runs = text_holds(part, "_") || text_holds(part, "("); /* no 2 p o r ts */
        const Expr *formula = informal_formula(arena, part, has_runs ? &own : NULL);
        for (size_t i = 0; i < COUNT_OF(times) && formula && !has_unknown(letters, formula); i++)
            found |= expr_names(formula, times[i]) &&
                     expr_size(formula) > (part.chars == whole.chars ? 1 : 3) &&
                     operation_info[formula->kind].rule < RULE_COMPARISON;
        if (end < remark.length && next >= RELATION_AT_MOST && next <= RELATION_NONE)
            return false;
    }
    return found;
}

/* "Where log is the natural logarithm", "to base 10"? */
static bool has_base(Text remark)
{
    const size_t at = equation_find(remark, "base ") + strlen("base ");
    return text_holds(remark, "natural log") || (text_holds(remark, "log") && at < remark.length &&
                                                 strchr("013456789e", remark.chars[at]));
}

/* Does a term stand behind ", "? It would be left out. */
static bool is_term(Text remark)
{
    size_t at = 0;
    while (at < remark.length && strchr(",; \t\n&$\\~", remark.chars[at]))
        at++;
    return at && at + 1 < remark.length && strchr("+-", remark.chars[at]) &&
           strchr(",;", *remark.chars);
}

/* ### Cases */

/* Rows `formula & condition`, the last one perhaps of all others; else they hold together where
   one of the conditions does. */
static bool read_rows(Arena *arena, Text body, InformalLetters *letters, Relation relation,
                      Equation *equation, Diag *diag)
{
    Expr *formulas[MOST_PARTS], *conditions[MOST_PARTS], *any = NULL;
    bool is_rest = false;
    int count = 0;
    Equation inner;
    while (body.length) {
        const size_t end = equation_find(body, "\\\\");
        const Text row = text_trim(equation_cut(body, end));
        const size_t sign = equation_find(row, "&");
        body = equation_rest(body, end + 2);
        if (!equation_cut_idle(row).length)
            continue;
        if (is_rest || count == MOST_PARTS)
            return diag_error(diag, row.span,
                              is_rest ? "a case after that of all others"
                                      : "there are more than %d cases",
                              MOST_PARTS);
        formulas[count] = informal_parse(
            arena, cut_tail(arena, equation_cut(row, sign), NULL, &inner), letters, diag);
        conditions[count] = formulas[count] ? condition_read(arena, equation_rest(row, sign + 1),
                                                             letters, &is_rest, diag)
                                            : NULL;
        if (!conditions[count++] && !is_rest)
            return false;
    }
    if (!count)
        return diag_error(diag, body.span, "the cases are missing");
    Expr *whole = formulas[count - 1];
    for (int i = 0; i < count && !is_rest; i++)
        any = any ? expr_make(arena, EXPR_OR, body, any, conditions[i]) : conditions[i];
    for (int i = count - 1; i-- > 0;) {
        Expr *choice = expr_make(arena, EXPR_WHEN, body, conditions[i], formulas[i]);
        choice->arguments[choice->argument_count++] = whole;
        whole = choice;
    }
    equation->condition = any;
    *ARRAY_PUSH(arena, &equation->parts) = (EquationPart){whole, relation};
    return true;
}

static size_t find_cases(Text text)
{
    const size_t cases = equation_find(text, "cases}"),
                 array = equation_find(text, "\\begin{array}");
    return cases < text.length || text_ends(equation_cut_idle(equation_cut(text, array)), "\\{")
               ? equation_find(text, "\\begin{")
               : text.length;
}

/* \begin{cases} ... \end{cases}, or an array behind a brace, as the whole right side. */
static bool read_cases(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                       Diag *diag)
{
    int relation = RELATION_EQUAL;
    size_t length = 0, open = equation_find(text, "\\begin{"), at = 0;
    Text before = equation_cut(text, open), body = equation_rest(text, open);
    before = equation_cut_idle(before);
    if (text_ends(before, "\\{"))
        before = equation_cut(before, before.length - (text_ends(before, "\\left\\{") ? 7 : 2));
    before = unwrap(equation_cut_idle(before), letters);
    if (before.length)
        at = equation_relation(before, 0, &relation, &length);
    const size_t from = equation_find(body, "}"), end = equation_find(body, "\\end{");
    if (at + length != before.length || relation > RELATION_AT_LEAST || from >= end)
        return diag_error(diag, text_span(text, open, 0),
                          "cases are read where they are all of a formula");
    equation->name = equation_cut(before, at);
    body = text_slice(body, from + 1, end - from - 1);
    if (body.length && *body.chars == '{') /* columns of an array */
        body = equation_rest(body, equation_find(body, "}") + 1);
    return read_rows(arena, body, letters, (Relation)relation, equation, diag);
}

bool equation_read(Arena *arena, Text text, InformalLetters *letters, Equation *equation,
                   Diag *diag)
{
    int relation = RELATION_EQUAL, next = 0;
    size_t length;
    text = equation_without_markup(arena, text);
    Text remark = equation_cut(text, 0), given = remark;
    *equation = (Equation){.name = remark};
    if (find_cases(text) < text.length)
        return read_cases(arena, equation_cut_sentence(text), letters, equation, diag);
    const Text sentence = skip_condition(text, &given);
    text = equation_cut_sentence(sentence);
    const size_t from = (size_t)(text.chars - sentence.chars), to = from + text.length;
    *ARRAY_PUSH(arena, &equation->said) = equation_cut(sentence, from);
    *ARRAY_PUSH(arena, &equation->said) = equation_rest(sentence, to);
    text = unwrap(cut_tail(arena, text, letters, equation), letters);
    text = skip_label(text, letters, equation);
    for (size_t start = 0, end; start <= text.length; start = end + length, relation = next) {
        end = equation_relation(text, start, &next, &length);
        Text part = text_slice(text, start, end - start);
        part = cut_tail(arena, part, letters, equation);
        bool is_preface = next != RELATION_REMARK &&
                          is_name(arena, part, letters, start == 0 && !equation->name.length);
        if (equation->parts.count == 0 && end < text.length && is_preface) {
            equation->name = part.length ? part : equation->name;
            continue;
        }
        if (end < text.length && next == RELATION_REMARK)
            remark = equation_rest(text, end);
        if (is_term(remark))
            return diag_error(diag, equation_cut(remark, 1).span,
                              "a term stands behind this sign: is it one of the formula?");
        if (next == RELATION_REMARK || end == text.length)
            length = 1, end = text.length;
        if (equation->parts.count == MOST_PARTS)
            return diag_error(diag, part.span, "too many formulas in one chain (at most %d)",
                              MOST_PARTS);
        Expr *formula = informal_parse(arena, part, letters, diag);
        if (!formula)
            return false;
        add_part(arena, formula, relation, equation);
    }
    name_step(arena, equation);
    note_arguments(arena, equation);
    for (size_t i = 0; i < equation->said.count && letters; i++)
        remark_read(arena, equation->said.items[i], letters, &equation->parts,
                    &equation->condition);
    if (has_base(remark) || has_base(given))
        return diag_error(diag, equation_cut(remark.length ? remark : given, 1).span,
                          "logarithms are to base 2 unless they are written log_b p");
    if (!letters || !remark_read(arena, given, letters, &equation->parts, &equation->condition))
        equation->remark = given;
    if (!remark.length ||
        (letters && remark_read(arena, remark, letters, &equation->parts, &equation->condition)))
        return true;
    equation->remark = remark;
    return !letters || !has_formula(arena, remark, letters) ||
           diag_error(diag, equation_cut(remark, 1).span,
                      "another formula stands behind this: each is judged by itself");
}
