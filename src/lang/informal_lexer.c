#include "lang/informal_lexer.h"

#include "base/utf8.h"
#include "lang/grammar.h"

#include <ctype.h>
#include <string.h>

/* Commands come last. */
typedef enum { SIGN, WORD, FOREIGN, OPENING, COMMAND, SIDE, GREEK, FONT, SILENT, ENVIRONMENT } Kind;

typedef struct {
    Kind kind;
    const char *typed, *meant; /* meant "": as good as a blank */
} Spelling;

static const Spelling spellings[] = {
#define SPELLING(kind, typed, meant) {kind, typed, meant},
#include "lang/spellings.def"
};
enum { SPELLING_COUNT = COUNT_OF(spellings), GREEK_COUNT = 25 };

/* The longest of some kinds with which a text begins, or NULL. */
static const Spelling *find_spelling(Kind first, Kind last, Text text)
{
    const Spelling *found = NULL;
    const char begin = text.length ? *text.chars : 0;
    for (const Spelling *one = spellings; one < spellings + SPELLING_COUNT; one++)
        if (*one->typed == begin && one->kind >= first && one->kind <= last &&
            text_begins(text, one->typed) && (!found || strlen(one->typed) > strlen(found->typed)))
            found = one;
    return found;
}

/* \bigl and \biggr are \big and \bigg. */
static const Spelling *find_command(Text word)
{
    if ((text_begins(word, "big") || text_begins(word, "Big")) &&
        strchr("lrm", word.chars[word.length - 1]))
        word.length--;
    const Spelling *found = find_spelling(COMMAND, ENVIRONMENT, word);
    return found && text_equals(word, found->typed) ? found : NULL;
}

static unsigned char byte_at(const Lexer *lexer, size_t at)
{
    return at < lexer->text.length ? (unsigned char)lexer->text.chars[at] : 0;
}

static Text rest_from(const Lexer *lexer, size_t at)
{
    return text_slice(lexer->text, at, at < lexer->text.length ? lexer->text.length - at : 0);
}

/* Where the letters from `at` on end. */
static size_t skip_letters(const Lexer *lexer, size_t at)
{
    while (isalpha(byte_at(lexer, at)))
        at++;
    return at;
}

/* Bytes of the character at `at`, at least 1; *code is 0 where it is no good UTF-8. */
static size_t decode(const Lexer *lexer, size_t at, unsigned *code)
{
    const Text rest = rest_from(lexer, at);
    const size_t length = utf8_length(rest.chars, rest.length);
    *code = byte_at(lexer, at) & (length > 1 ? 0x7Fu >> length : length ? 0x7Fu : 0);
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | (byte_at(lexer, at + i) & 0x3Fu);
    return length ? length : 1;
}

/* Bytes of the Latin letter, slanted ones included, or digit at `at`, also below a letter, t₀,
   unless it is the base of a logarithm; 0: none stands there. */
static size_t take_letter(const Lexer *lexer, size_t at, bool may_be_index, char *letter)
{
    unsigned code;
    size_t length = decode(lexer, at, &code);
    if (code >= 0x1D434 && code < 0x1D434 + 52) /* mathematical italics, as PDF gives them */
        code = code - 0x1D434 < 26 ? 'A' + code - 0x1D434 : 'a' + code - 0x1D434 - 26;
    if (code == 0x210E) /* its h stands elsewhere */
        code = 'h';
    if (code >= 0x2090 && code < 0x2090 + 13) /* small ones below a letter */
        code = (unsigned char)"aeox?hklmnpst"[code - 0x2090];
    if (may_be_index && code >= 0x2080 && code < 0x2080 + 10)
        code = '0' + code - 0x2080;
    if (code == 0x1D62 || code == 0x2C7C)
        code = code == 0x1D62 ? 'i' : 'j';
    *letter = (char)code;
    return code < 0x80 && isalnum((int)code) ? length : 0;
}

/* The text from `at` to `end` becomes a token that means `meant`. */
static void take(Lexer *lexer, TokenKind kind, size_t end, const char *meant, size_t length)
{
    Span span = text_span(lexer->text, lexer->at, end - lexer->at);
    lexer->token = (Token){.kind = kind, .text = {meant, length, span, false}};
    lexer->at = end;
}

static void take_word(Lexer *lexer, size_t end, const char *meant)
{
    bool is_name = isalpha((unsigned char)*meant) != 0;
    take(lexer, is_name ? TOKEN_NAME : TOKEN_SIGN, end, meant, strlen(meant));
}

/* Says what is wrong from a place to the end of what is no token then. */
static bool fail(Lexer *lexer, size_t from, size_t end, const char *what)
{
    diag_error(lexer->diag, text_span(lexer->text, from, end - from), "%s", what);
    take(lexer, TOKEN_BAD, end, "", 0);
    return false;
}

/* number = digits [ "." digits ], as a fraction */
static void take_number(Lexer *lexer)
{
    size_t end = lexer->at;
    int64_t integer = 0, divisor = 0; /* 0: no point yet */
    bool fits = true;
    for (;; end++) {
        const unsigned char byte = byte_at(lexer, end);
        if (byte == '.' && !divisor && isdigit(byte_at(lexer, end + 1)))
            divisor = 1;
        else if (isdigit(byte))
            fits &= !__builtin_mul_overflow(integer, 10, &integer) &&
                    !__builtin_add_overflow(integer, byte - '0', &integer) &&
                    !__builtin_mul_overflow(divisor, 10, &divisor);
        else
            break;
    }
    if (!fits) {
        fail(lexer, lexer->at, end, "this number is too large");
        return;
    }
    take(lexer, TOKEN_NUMBER, end, lexer->text.chars + lexer->at, end - lexer->at);
    lexer->token.integer = integer;
    lexer->token.divisor = divisor ? divisor : 1;
}

/* Words whose subscript is an operand, not a part of the name. */
static bool has_base(const InformalName *name)
{
    static const char *const words[] = {"log", "lg", "ln", "sum"};
    return text_among((Text){name->chars, name->length, NOWHERE, false}, words, COUNT_OF(words)) <
           COUNT_OF(words);
}

static void add_letter(InformalName *name, char letter)
{
    name->is_long |= name->length == LONGEST_NAME;
    if (!name->is_long)
        name->chars[name->length++] = letter;
}

static void add_letters(const Lexer *lexer, InformalName *name)
{
    char letter;
    size_t length;
    while ((length = take_letter(lexer, name->end, !has_base(name), &letter)) > 0) {
        add_letter(name, letter);
        name->end += length;
        name->ends[name->length] = name->end;
    }
}

static void skip_command(const Lexer *lexer, InformalName *name)
{
    if (byte_at(lexer, name->end) == '\\')
        name->end = skip_letters(lexer, name->end + 1);
}

/* The word between braces, "\mathrm{s}" among them; false after a report. */
static bool add_braced(Lexer *lexer, InformalName *name)
{
    size_t open = name->end++, first = name->length;
    for (int depth = 1; depth > 0;) {
        size_t before = name->end;
        skip_command(lexer, name);
        add_letters(lexer, name);
        unsigned char byte = byte_at(lexer, name->end);
        depth += (byte == '{') - (byte == '}');
        name->end += byte && strchr("{} ,-_/+", byte) != NULL;
        if (name->end > before)
            continue;
        const bool is_cut = name->end == lexer->text.length;
        const size_t place = is_cut ? open : name->end;
        return fail(lexer, place, place + 1,
                    is_cut ? "this '{' is not closed" : "a name is made of letters and digits");
    }
    memset(name->ends + first, 0, (name->length - first) * sizeof *name->ends);
    name->ends[name->length] = name->end;
    return true;
}

/* Underscores belong to a function's name, power_of_two, and to N_p, where Np is a product; t_s is
   ts. */
static void take_name(Lexer *lexer, InformalName *name)
{
    /* "_s", "_{s}", "_\mathrm{s}", and "\_" in num\_ranks */
    while (!has_base(name) &&
           (byte_at(lexer, name->end) == '_' || text_begins(rest_from(lexer, name->end), "\\_"))) {
        name->end += byte_at(lexer, name->end) == '\\';
        const size_t start = name->end++;
        name->is_below[name->length] = true;
        skip_command(lexer, name);
        const bool is_braced = byte_at(lexer, name->end) == '{';
        if (is_braced && !add_braced(lexer, name))
            return;
        if (!is_braced)
            add_letters(lexer, name);
        if (text_begins(rest_from(lexer, name->end), "∞"))
            name->end += strlen("∞");
        if (name->end == start + 1) {
            fail(lexer, start, start + 1, "missing subscript");
            return;
        }
    }
    if (name->is_long) {
        fail(lexer, lexer->at, name->end, "this name is too long");
        return;
    }
    char whole[2 * LONGEST_NAME];
    size_t length = 0;
    for (size_t i = 0; i < name->length; i++) {
        if (name->is_below[i])
            whole[length++] = '_';
        whole[length++] = name->chars[i];
    }
    Text meant = {whole, length, NOWHERE, false};
    if (lexer->counts_np && text_equals(meant, "np"))
        meant = text_plain("n_p");
    if (grammar_function(meant) < 0 &&
        !(lexer->letters && informal_is_letter(lexer->letters, meant))) {
        informal_cut_run(lexer, name);
        meant = (Text){name->chars, name->length, NOWHERE, false};
    }
    take(lexer, TOKEN_NAME, name->end, text_string(lexer->arena, meant), meant.length);
}

/* The word between the braces at `open`. */
static void take_braced_word(Lexer *lexer, size_t open)
{
    InformalName name = {.end = open};
    if (add_braced(lexer, &name))
        take_name(lexer, &name);
}

static void take_greek(Lexer *lexer, const char *letter, size_t end)
{
    InformalName name = {.end = end};
    for (const char *at = letter; *at; at++)
        add_letter(&name, *at);
    name.ends[name.length] = end;
    take_name(lexer, &name);
}

/* Steps over "{...}", with braces in it, if it stands there. */
static void take_silent(Lexer *lexer, size_t end)
{
    int depth = 0;
    end += byte_at(lexer, end) == '*';
    const size_t open = end;
    do {
        end += depth > 0 && byte_at(lexer, end) == '\\' ? 2 : 0;
        depth += (byte_at(lexer, end) == '{') - (byte_at(lexer, end) == '}');
        end += depth > 0 || byte_at(lexer, end) == '}';
    } while (depth > 0 && end < lexer->text.length);
    if (depth > 0)
        fail(lexer, open, open + 1, "this '{' is not closed");
    else
        take(lexer, TOKEN_SIGN, end, "", 0);
}

/* A backslash and letters. */
static void take_command(Lexer *lexer)
{
    size_t end = skip_letters(lexer, lexer->at + 1), close;
    const Text command = text_slice(lexer->text, lexer->at + 1, end - lexer->at - 1);
    const Spelling *found = find_command(command);
    const char *names[SPELLING_COUNT], *nearest;
    size_t count = 0;
    Text inside, behind;
    switch (found ? found->kind : FOREIGN) {
    case FOREIGN:
        for (size_t i = 0; i < SPELLING_COUNT; i++)
            if (spellings[i].kind >= COMMAND && spellings[i].kind <= GREEK)
                names[count++] = spellings[i].typed;
        nearest = diag_nearest(command.chars, command.length, names, count);
        fail(lexer, lexer->at, end, "unknown LaTeX command");
        if (nearest)
            diag_note(lexer->diag, NOWHERE, "did you mean '\\%s'?", nearest);
        break;
    case GREEK:
        take_greek(lexer, found->typed, end);
        break;
    case FONT: /* "\mathrm{log}"; without braces, and before those round a formula, it says nothing
                */
        while (byte_at(lexer, end) == ' ')
            end++;
        if (byte_at(lexer, end) != '{' ||
            (text_split(rest_from(lexer, end), '}', &inside, &behind) &&
             (text_holds(inside, "(") || text_begins(inside, "{\\"))))
            take(lexer, TOKEN_SIGN, end, "", 0);
        else
            take_braced_word(lexer, end);
        break;
    case SILENT:
        take_silent(lexer, end);
        break;
    case ENVIRONMENT: /* "\begin{aligned}", "\begin{array}{rcl}" and their ends say nothing */
        close = end + 1;
        while (isalpha(byte_at(lexer, close)) || byte_at(lexer, close) == '*')
            close++;
        if (byte_at(lexer, end) == '{' && byte_at(lexer, close) == '}')
            take_silent(lexer, close + 1);
        else
            fail(lexer, lexer->at, end, "expected an environment, such as {aligned}");
        break;
    default:
        take_word(lexer, end + (found->kind == SIDE && byte_at(lexer, end) == '.'), found->meant);
    }
}

static void skip_any(const Lexer *lexer, InformalName *name, const char *set)
{
    while (byte_at(lexer, name->end) && strchr(set, byte_at(lexer, name->end)))
        name->end++;
}

/* "{T}_{s}", as editors of formulas write T_s; what stands above a sign before `_` is not meant.
   |P|, how many there are, is the letter alone. */
static bool take_braced_name(Lexer *lexer)
{
    InformalName name = {.end = lexer->at + 1};
    const bool is_set = byte_at(lexer, lexer->at) == '|';
    if (!is_set &&
        (byte_at(lexer, lexer->at) != '{' || (lexer->at && byte_at(lexer, lexer->at - 1) == '^')))
        return false;
    skip_any(lexer, &name, is_set ? " " : "");
    skip_command(lexer, &name);
    skip_any(lexer, &name, is_set ? " {" : "");
    add_letters(lexer, &name);
    skip_any(lexer, &name, is_set ? " }" : "");
    if (is_set && text_begins(rest_from(lexer, name.end), "\\right|"))
        name.end += strlen("\\right");
    if (!name.length || byte_at(lexer, name.end) != (is_set ? '|' : '}') ||
        (!is_set && byte_at(lexer, name.end + 1) != '_') || has_base(&name))
        return false;
    name.ends[name.length] = ++name.end;
    take_name(lexer, &name);
    return true;
}

/* {-} is a minus, and {\rm log} a word. */
static bool take_in_braces(Lexer *lexer)
{
    const Text rest = rest_from(lexer, lexer->at);
    const Spelling *sign =
        *rest.chars == '{' ? find_spelling(SIGN, SIGN, rest_from(lexer, lexer->at + 1)) : NULL;
    const size_t end = lexer->at + 1 + (sign ? strlen(sign->typed) : 0);
    if (sign && !strchr("([{}])$_", *sign->typed) && byte_at(lexer, end) == '}') {
        take_word(lexer, end + 1, sign->meant);
        return true;
    }
    if (!find_spelling(OPENING, OPENING, rest))
        return take_braced_name(lexer);
    take_braced_word(lexer, lexer->at);
    return true;
}

static void take_other(Lexer *lexer)
{
    unsigned code;
    char letter;
    InformalName name = {.end = lexer->at};
    size_t length = decode(lexer, lexer->at, &code);
    const Text rest = rest_from(lexer, lexer->at);
    const Spelling *sign = find_spelling(SIGN, SIGN, rest);
    const unsigned slanted = code - 0x1D6FC, upright = code - 0x3B1;
    const unsigned greek = upright < GREEK_COUNT ? upright : slanted;
    /* A function as programs and spreadsheets write it; its bracket is left. */
    const Spelling *word = find_spelling(WORD, WORD, rest);
    if (take_in_braces(lexer))
        return;
    if (word) {
        take_word(lexer, lexer->at + strcspn(word->typed, "("), word->meant);
    } else if (code == 0xBD) {
        take(lexer, TOKEN_NUMBER, lexer->at + length, "½", length);
        lexer->token.integer = 1, lexer->token.divisor = 2;
    } else if (byte_at(lexer, lexer->at) == '\\' && isalpha(byte_at(lexer, lexer->at + 1))) {
        take_command(lexer);
    } else if (greek < GREEK_COUNT) {
        take_greek(lexer, find_command(text_plain("alpha"))[greek].typed, lexer->at + length);
    } else if (take_letter(lexer, lexer->at, false, &letter)) {
        add_letters(lexer, &name);
        take_name(lexer, &name);
    } else if (sign && !(*sign->typed == '.' && isdigit(byte_at(lexer, lexer->at + 1)))) {
        take_word(lexer, lexer->at + strlen(sign->typed), sign->meant);
    } else {
        const Spelling *known = find_spelling(FOREIGN, FOREIGN, rest);
        const char *what =
            code >= 0x20 && code != 0x7F
                ? arena_printf(lexer->arena, "unexpected '%.*s'", (int)length, rest.chars)
                : arena_printf(lexer->arena, "an unexpected character (byte 0x%02x)",
                               (unsigned char)*rest.chars);
        fail(lexer, lexer->at, lexer->at + length, what);
        if (known)
            diag_note(lexer->diag, NOWHERE, "'%s' is written '%s'", known->typed, known->meant);
    }
}

/* The sign above the line at `at`, ² or ⁻, as it is on the line; else 0. */
static char raised_at(const Lexer *lexer, size_t at, size_t *length)
{
    unsigned code;
    *length = decode(lexer, at, &code);
    if (code >= 0x2070 && code < 0x2080)
        return "0i??456789+-???n"[code - 0x2070];
    return code == 0xB9 ? '1' : code == 0xB2 || code == 0xB3 ? (char)('0' + code % 16) : 0;
}

/* p⁻¹ is p^(-1). */
static bool take_raised(Lexer *lexer)
{
    size_t length, end = lexer->at;
    char sign = raised_at(lexer, end, &length);
    if (!sign && lexer->raised == 0)
        return false;
    if (!sign || lexer->raised < 2) {
        static const char *const words[] = {"^", "(", ")"};
        take(lexer, TOKEN_SIGN, end, words[sign ? lexer->raised : 2], 1);
        lexer->raised = sign ? lexer->raised + 1 : 0;
        return true;
    }
    const TokenKind kind = isalpha(sign) ? TOKEN_NAME : isdigit(sign) ? TOKEN_NUMBER : TOKEN_SIGN;
    take(lexer, kind, end + length, arena_copy(lexer->arena, &sign, 1), 1);
    lexer->token.integer = sign - '0', lexer->token.divisor = 1;
    while (isdigit(sign) && isdigit(sign = raised_at(lexer, lexer->at, &length)) &&
           lexer->token.integer < INT64_MAX / 100) {
        lexer->token.integer = 10 * lexer->token.integer + sign - '0';
        lexer->at += length;
    }
    return true;
}

bool informal_lexer_is_raised(const Lexer *lexer)
{
    size_t at = lexer->at, length;
    while (isspace(byte_at(lexer, at)))
        at++;
    return byte_at(lexer, at) == '^' || raised_at(lexer, at, &length) != 0;
}

static void advance(Lexer *lexer)
{
    if (lexer->token.kind == TOKEN_BAD)
        return;
    lexer->last_end = lexer->at;
    do {
        if (take_raised(lexer))
            continue;
        unsigned char byte, before = lexer->at ? byte_at(lexer, lexer->at - 1) : 0;
        for (; (byte = byte_at(lexer, lexer->at)) != 0; lexer->at++, before = byte) {
            const unsigned char next = byte_at(lexer, lexer->at + 1);
            /* & aligns, but for "&=" and "&&" */
            const bool aligns = byte == '&' && next != '&' && next != '=' && before != '&';
            if (!isspace(byte) && !aligns)
                break;
        }
        if (lexer->at == lexer->text.length)
            take(lexer, TOKEN_END, lexer->at, "", 0);
        else if (isdigit(byte_at(lexer, lexer->at)))
            take_number(lexer);
        else
            take_other(lexer);
    } while (lexer->token.kind == TOKEN_SIGN && lexer->token.text.length == 0);
}

void informal_lexer_narrow(Lexer *lexer)
{
    Token *token = &lexer->token;
    if (token->kind == TOKEN_NUMBER)
        token->integer = token->text.chars[0] - '0', token->divisor = 1;
    else if (token->kind != TOKEN_NAME || token->text.span.length != token->text.length)
        return;
    token->text.length = token->text.span.length = 1;
    lexer->at = token->text.span.offset - lexer->text.span.offset + 1;
}

void informal_lexer_pass(Lexer *lexer)
{
    lexer->at = lexer->token.text.span.offset - lexer->text.span.offset;
    take_silent(lexer, lexer->at);
    advance(lexer);
}

/* Is "np" n_p without its index: is something taken from it, or its logarithm wanted, and is p
   nowhere else? */
static bool counts_np(Text text)
{
    static const char *const counted[] = {"np-",       "np -",    "np−",      "np −",
                                          "log np",    "log(np)", "log2(np)", "log_2 np",
                                          "log_2(np)", "₂ np",    "₂(np)"};
    bool is_counted = false;
    for (size_t i = 0; i < COUNT_OF(counted); i++)
        is_counted |= text_holds(text, counted[i]);
    for (size_t i = 0; i < text.length && is_counted; i++)
        is_counted = text.chars[i] != 'p' || (i > 0 && text.chars[i - 1] == 'n') ||
                     (i + 1 < text.length && isalpha((unsigned char)text.chars[i + 1]));
    return is_counted;
}

void informal_lexer_start(Lexer *lexer, Arena *arena, InformalLetters *letters, Text text,
                          Diag *diag)
{
    *lexer =
        (Lexer){.advance = advance, .arena = arena, .letters = letters, .text = text, .diag = diag};
    lexer->counts_np = letters && counts_np(text);
    advance(lexer);
}
