#include "lang/informal_lexer.h"

#include "base/utf8.h"
#include "lang/grammar.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 60 };

typedef struct {
    const char *typed, *meant; /* meant "": as good as a blank */
} Spelling;

static const Spelling signs[] = {
#define SIGN(typed, meant) {typed, meant},
#include "lang/spellings.def"
};
static const Spelling commands[] = {
#define COMMAND(typed, meant) {typed, meant},
#include "lang/spellings.def"
};
/* `\mathrm{log}` is the word between its braces. */
static const char *const fonts[] = {
#define FONT(typed) typed,
#include "lang/spellings.def"
};
/* They and what is between the braces behind them say nothing. */
static const char *const silent[] = {
#define SILENT(typed) typed,
#include "lang/spellings.def"
};
static const char *const greek[] = {
#define GREEK(typed) typed,
#include "lang/spellings.def"
};
/* What people try, and what stands for it. */
static const Spelling translations[] = {
#define FOREIGN(typed, meant) {typed, meant},
#include "lang/spellings.def"
};

enum {
    SIGN_COUNT = COUNT_OF(signs),
    COMMAND_COUNT = COUNT_OF(commands),
    FONT_COUNT = COUNT_OF(fonts),
    SILENT_COUNT = COUNT_OF(silent),
    GREEK_COUNT = COUNT_OF(greek),
    TRANSLATION_COUNT = COUNT_OF(translations)
};

static unsigned char byte_at(const Lexer *lexer, size_t at)
{
    return at < lexer->text.length ? (unsigned char)lexer->text.chars[at] : 0;
}

/* Bytes of the character at `at`, at least 1; *code is 0 where it is no good UTF-8. */
static size_t decode(const Lexer *lexer, size_t at, unsigned *code)
{
    const size_t rest = at < lexer->text.length ? lexer->text.length - at : 0;
    const size_t length = utf8_length(lexer->text.chars + at, rest);
    *code = byte_at(lexer, at) & (length > 1 ? 0x7Fu >> length : length ? 0x7Fu : 0);
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | (byte_at(lexer, at + i) & 0x3Fu);
    return length ? length : 1;
}

/* Bytes of the Latin letter, slanted ones included, or digit at `at`; 0: none stands there. */
static size_t take_letter(const Lexer *lexer, size_t at, char *letter)
{
    unsigned code;
    size_t length = decode(lexer, at, &code);
    if (code >= 0x1D434 && code < 0x1D434 + 52) /* mathematical italics, as PDF gives them */
        code = code - 0x1D434 < 26 ? 'A' + code - 0x1D434 : 'a' + code - 0x1D434 - 26;
    if (code == 0x210E) /* its h stands elsewhere */
        code = 'h';
    if (code >= 0x2090 && code < 0x2090 + 13) /* small ones below a letter */
        code = (unsigned char)"aeox?hklmnpst"[code - 0x2090];
    if (code == 0x1D62 || code == 0x2C7C)
        code = code == 0x1D62 ? 'i' : 'j';
    *letter = (char)code;
    return code < 0x80 && isalnum((int)code) ? length : 0;
}

/* The Greek letter's name, or NULL. */
static const char *find_greek(unsigned code)
{
    unsigned slanted = code - 0x1D6FC, upright = code - 0x3B1;
    return upright < GREEK_COUNT ? greek[upright] : slanted < GREEK_COUNT ? greek[slanted] : NULL;
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

static void fail(Lexer *lexer, size_t end)
{
    take(lexer, TOKEN_BAD, end, "", 0);
}

static void report_character(Lexer *lexer)
{
    unsigned code;
    size_t length = decode(lexer, lexer->at, &code);
    Text rest = text_slice(lexer->text, lexer->at, lexer->text.length - lexer->at);
    Span span = text_span(lexer->text, lexer->at, length);
    if (code >= 0x20 && code != 0x7F)
        diag_error(lexer->diag, span, "unexpected '%.*s'", (int)length, rest.chars);
    else
        diag_error(lexer->diag, span, "an unexpected character (byte 0x%02x)",
                   byte_at(lexer, lexer->at));
    for (size_t i = 0; i < TRANSLATION_COUNT; i++) {
        const char *typed = translations[i].typed;
        if (rest.length >= strlen(typed) && memcmp(rest.chars, typed, strlen(typed)) == 0) {
            diag_note(lexer->diag, NOWHERE, "'%s' is written '%s'", typed, translations[i].meant);
            break;
        }
    }
    fail(lexer, lexer->at + length);
}

/* The longest sign at `at`, or NULL. */
static const Spelling *find_sign(const Lexer *lexer, size_t at)
{
    const Spelling *found = NULL;
    size_t rest = lexer->text.length - at, longest = 0;
    for (size_t i = 0; i < SIGN_COUNT; i++) {
        size_t length = strlen(signs[i].typed);
        if (length > longest && length <= rest &&
            memcmp(lexer->text.chars + at, signs[i].typed, length) == 0) {
            found = &signs[i];
            longest = length;
        }
    }
    return found;
}

/* number = digits [ "." digits ], as a fraction */
static void take_number(Lexer *lexer)
{
    size_t end = lexer->at;
    int64_t integer = 0, divisor = 1;
    bool fits = true, has_point = false;
    for (;; end++) {
        bool is_point =
            byte_at(lexer, end) == '.' && !has_point && isdigit(byte_at(lexer, end + 1));
        has_point |= is_point;
        if (is_point)
            continue;
        if (!isdigit(byte_at(lexer, end)))
            break;
        fits &= !__builtin_mul_overflow(integer, 10, &integer) &&
                !__builtin_add_overflow(integer, byte_at(lexer, end) - '0', &integer) &&
                (!has_point || !__builtin_mul_overflow(divisor, 10, &divisor));
    }
    if (!fits)
        diag_error(lexer->diag, text_span(lexer->text, lexer->at, end - lexer->at),
                   "this number is too large");
    take(lexer, fits ? TOKEN_NUMBER : TOKEN_BAD, end, lexer->text.chars + lexer->at,
         end - lexer->at);
    lexer->token.integer = integer;
    lexer->token.divisor = divisor;
}

/* A name while it is put together, with its underscores and without. */
typedef struct {
    char whole[LONGEST_NAME + 1], plain[LONGEST_NAME + 1];
    size_t whole_length, plain_length;
    size_t ends[LONGEST_NAME + 1]; /* in the typed text, behind the sign before this place of
                                      `whole`; 0: it is between braces */
    size_t end;                    /* in the typed text */
    bool good;
} Name;

/* Words whose subscript is an operand, not a part of the name. */
static bool has_base(const Name *name)
{
    static const char *const words[] = {"log", "lg", "ln", "sum"};
    const Text whole = {name->whole, name->whole_length, NOWHERE, false};
    return text_among(whole, words, COUNT_OF(words)) < COUNT_OF(words);
}

static void add_letter(Name *name, char letter)
{
    name->good &= name->whole_length < LONGEST_NAME;
    if (!name->good)
        return;
    name->whole[name->whole_length++] = letter;
    if (letter != '_')
        name->plain[name->plain_length++] = letter;
}

/* The same of a digit below a letter, t₀; below a logarithm it is the base. */
static size_t take_index(const Lexer *lexer, const Name *name, char *letter)
{
    unsigned code;
    size_t length = decode(lexer, name->end, &code);
    *letter = (char)('0' + code % 16);
    return code >= 0x2080 && code < 0x208A && !has_base(name) ? length : 0;
}

static void add_letters(const Lexer *lexer, Name *name)
{
    char letter;
    size_t length;
    while ((length = take_letter(lexer, name->end, &letter)) > 0 ||
           (length = take_index(lexer, name, &letter)) > 0) {
        add_letter(name, letter);
        name->end += length;
        name->ends[name->whole_length] = name->end;
    }
}

static void skip_command(const Lexer *lexer, Name *name)
{
    if (byte_at(lexer, name->end) == '\\')
        for (name->end++; isalpha(byte_at(lexer, name->end)); name->end++)
            continue;
}

/* The word between braces, "\mathrm{s}" among them; false after a report. */
static bool add_braced(Lexer *lexer, Name *name)
{
    size_t open = name->end++, first = name->whole_length;
    int depth = 1;
    while (depth > 0) {
        size_t before = name->end;
        skip_command(lexer, name);
        add_letters(lexer, name);
        unsigned char byte = byte_at(lexer, name->end);
        depth += (byte == '{') - (byte == '}');
        name->end += byte && strchr("{} ,-_/+", byte) != NULL;
        if (name->end > before)
            continue;
        bool is_cut = name->end == lexer->text.length;
        return diag_error(lexer->diag, text_span(lexer->text, is_cut ? open : name->end, 1),
                          is_cut ? "this '{' is not closed"
                                 : "a name is made of letters and digits");
    }
    memset(name->ends + first, 0, (name->whole_length - first) * sizeof *name->ends);
    name->ends[name->whole_length] = name->end;
    return true;
}

/* "_s", "_{s}", "_\mathrm{s}" behind a name; false after a report. */
static bool add_subscripts(Lexer *lexer, Name *name)
{
    while (byte_at(lexer, name->end) == '_' && !has_base(name)) {
        size_t start = name->end++;
        add_letter(name, '_');
        skip_command(lexer, name);
        if (byte_at(lexer, name->end) == '{') {
            if (!add_braced(lexer, name))
                return false;
        } else {
            add_letters(lexer, name);
        }
        if (name->end > start + 1)
            continue;
        return diag_error(lexer->diag, text_span(lexer->text, start, 1), "missing subscript");
    }
    return true;
}

Text informal_base(Text name)
{
    static const char *const words[] = {
#define IDLE(typed) typed,
#include "lang/spellings.def"
    };
    const char *typed = name.span.source ? name.span.source->text + name.span.offset : "";
    const size_t is_command = *typed == '\\';
    const char *below = memchr(typed, '_', name.span.source ? name.span.length : 0);
    const size_t length = below ? (size_t)(below - typed) - is_command : name.length;
    const size_t rest = length < name.length ? name.length - length : 0;
    const Text word = {name.chars + length, rest, NOWHERE, false};
    if (rest && text_among(word, words, COUNT_OF(words)) < COUNT_OF(words))
        name.length = length;
    return name;
}

bool informal_is_letter(const InformalLetters *letters, Text name)
{
    for (size_t i = 0; i < letters->names.count; i++)
        if (text_same(letters->names.items[i], name) ||
            text_same(letters->names.items[i], informal_base(name)))
            return true;
    return false;
}

/* The signs of a name from one place to another, without underscores. */
static Text piece_of(const Name *name, size_t from, size_t to, char plain[LONGEST_NAME + 1])
{
    size_t length = 0;
    for (size_t i = from; i < to; i++)
        if (name->whole[i] != '_')
            plain[length++] = name->whole[i];
    return (Text){plain, length, NOWHERE, false};
}

/* Of m2^i the 2 is one too. */
static bool is_piece(const Lexer *lexer, const Name *name, size_t from, size_t to)
{
    char plain[LONGEST_NAME + 1];
    static const char *const words[] = {"log", "lg", "log2", "sqrt"};
    Text piece = piece_of(name, from, to, plain);
    const bool is_word = text_among(piece, words, COUNT_OF(words)) < COUNT_OF(words);
    bool is_number = from > 0 && to == name->whole_length && byte_at(lexer, name->end) == '^';
    for (size_t i = from; i < to; i++)
        is_number &= isdigit((unsigned char)name->whole[i]) != 0;
    return name->ends[to] && (to == name->whole_length || name->whole[to] != '_') &&
           (is_number || (isalpha((unsigned char)name->whole[from]) &&
                          (is_word || informal_is_letter(lexer->letters, piece))));
}

/* How a name can be taken apart into letters, from each place of it. */
typedef struct {
    int ways[LONGEST_NAME + 1];     /* 2: more than one */
    size_t next[LONGEST_NAME + 1];  /* where the longest first piece ends */
    size_t other[LONGEST_NAME + 1]; /* the same of the next longest one */
} Pieces;

static void find_pieces(const Lexer *lexer, const Name *name, Pieces *pieces)
{
    size_t length = name->whole_length;
    *pieces = (Pieces){0};
    pieces->ways[length] = 1;
    for (size_t from = length; from-- > 0;)
        for (size_t to = length; to > from; to--) {
            if (!pieces->ways[to] || !is_piece(lexer, name, from, to))
                continue;
            size_t *place = pieces->ways[from] ? &pieces->other[from] : &pieces->next[from];
            *place = *place ? *place : to;
            pieces->ways[from] = pieces->ways[from] || pieces->ways[to] > 1 ? 2 : 1;
        }
}

/* "l o g p"; `other`: the second way, which parts from the first where it first can. */
static const char *show_pieces(const Lexer *lexer, const Name *name, const Pieces *pieces,
                               bool other)
{
    char plain[LONGEST_NAME + 1];
    const char *text = "";
    for (size_t from = 0, to; from < name->whole_length; from = to) {
        to = other && pieces->other[from] ? pieces->other[from] : pieces->next[from];
        other &= !pieces->other[from];
        Text piece = piece_of(name, from, to, plain);
        text = arena_printf(lexer->arena, "%s%s%.*s", text, *text ? " " : "", TEXT_ARGS(piece));
    }
    return text;
}

static void note_doubt(const Lexer *lexer, const Name *name, const Pieces *pieces)
{
    InformalRuns *runs = &lexer->letters->doubtful;
    Text typed = text_slice(lexer->text, lexer->at, name->end - lexer->at);
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].typed.span.offset + runs->items[i].typed.length > typed.span.offset)
            return;
    *ARRAY_PUSH(lexer->arena, runs) = (InformalRun){typed, show_pieces(lexer, name, pieces, false),
                                                    show_pieces(lexer, name, pieces, true)};
}

/* Cuts a run of letters behind the first of them, unless it is a name as a whole. */
static void cut_run(const Lexer *lexer, Name *name)
{
    Pieces pieces;
    Text whole = {name->plain, name->plain_length, NOWHERE, false};
    if (!lexer->letters || informal_is_letter(lexer->letters, whole) || grammar_is_reserved(whole))
        return;
    find_pieces(lexer, name, &pieces);
    if (!pieces.ways[0] || pieces.next[0] == name->whole_length)
        return;
    if (pieces.ways[0] > 1)
        note_doubt(lexer, name, &pieces);
    name->whole_length = pieces.next[0];
    name->end = name->ends[name->whole_length];
    name->plain_length = piece_of(name, 0, name->whole_length, name->plain).length;
}

/* Underscores belong to a function's name, power_of_two, and to N_p, where Np is a product; t_s is
   ts. */
static void take_name(Lexer *lexer, Name *name)
{
    if (!add_subscripts(lexer, name)) {
        fail(lexer, name->end);
        return;
    }
    if (!name->good) {
        diag_error(lexer->diag, text_span(lexer->text, lexer->at, name->end - lexer->at),
                   "this name is too long");
        fail(lexer, name->end);
        return;
    }
    Text whole = {name->whole, name->whole_length, NOWHERE, false};
    bool is_function = grammar_function(whole) >= 0;
    bool is_whole = is_function || (lexer->letters && informal_is_letter(lexer->letters, whole));
    if (!is_whole)
        cut_run(lexer, name);
    const char *meant = is_whole ? name->whole : name->plain;
    size_t length = is_whole ? name->whole_length : name->plain_length;
    take(lexer, TOKEN_NAME, name->end, arena_copy(lexer->arena, meant, length), length);
}

static void take_greek(Lexer *lexer, const char *letter, size_t end)
{
    Name name = {.end = end, .good = true};
    for (const char *at = letter; *at; at++)
        add_letter(&name, *at);
    name.ends[name.whole_length] = end;
    take_name(lexer, &name);
}

static void report_command(Lexer *lexer, Text command)
{
    const char *names[COMMAND_COUNT + GREEK_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].typed;
    for (size_t i = 0; i < GREEK_COUNT; i++)
        names[COMMAND_COUNT + i] = greek[i];
    diag_error(lexer->diag, text_span(lexer->text, lexer->at, command.length + 1),
               "unknown LaTeX command");
    const char *nearest =
        diag_nearest(command.chars, command.length, names, COMMAND_COUNT + GREEK_COUNT);
    if (nearest)
        diag_note(lexer->diag, NOWHERE, "did you mean '\\%s'?", nearest);
    fail(lexer, lexer->at + 1 + command.length);
}

/* "\mathrm{log}"; without braces, and before those round a formula, the font says nothing. */
static void take_font(Lexer *lexer, size_t end)
{
    Name name = {.end = end, .good = true};
    while (byte_at(lexer, name.end) == ' ')
        name.end++;
    const char *inside = lexer->text.chars + name.end;
    const size_t rest = lexer->text.length - name.end;
    const char *close = rest ? memchr(inside, '}', rest) : NULL;
    if (byte_at(lexer, name.end) != '{' || (close && memchr(inside, '(', (size_t)(close - inside))))
        take(lexer, TOKEN_SIGN, end, "", 0);
    else if (add_braced(lexer, &name))
        take_name(lexer, &name);
    else
        fail(lexer, name.end);
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
        diag_error(lexer->diag, text_span(lexer->text, open, 1), "this '{' is not closed");
    take(lexer, depth > 0 ? TOKEN_BAD : TOKEN_SIGN, depth > 0 ? open + 1 : end, "", 0);
}

/* "\begin{aligned}", "\begin{array}{rcl}" and their ends say nothing. */
static void take_environment(Lexer *lexer, size_t end)
{
    size_t close = end;
    if (byte_at(lexer, end) == '{')
        for (close++; isalpha(byte_at(lexer, close)) || byte_at(lexer, close) == '*'; close++)
            continue;
    if (byte_at(lexer, close) == '}') {
        take_silent(lexer, close + 1);
        return;
    }
    diag_error(lexer->diag, text_span(lexer->text, lexer->at, end - lexer->at),
               "expected an environment, such as {aligned}");
    fail(lexer, end);
}

/* A backslash and letters. */
static void take_command(Lexer *lexer)
{
    size_t end = lexer->at + 1;
    while (isalpha(byte_at(lexer, end)))
        end++;
    Text command = text_slice(lexer->text, lexer->at + 1, end - lexer->at - 1);
    if (text_equals(command, "begin") || text_equals(command, "end")) {
        take_environment(lexer, end);
        return;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (text_equals(command, commands[i].typed)) {
            const bool is_side = text_equals(command, "left") || text_equals(command, "right");
            end += is_side && byte_at(lexer, end) == '.'; /* no bracket */
            take_word(lexer, end, commands[i].meant);
            return;
        }
    const size_t letter = text_among(command, greek, GREEK_COUNT);
    if (letter < GREEK_COUNT)
        take_greek(lexer, greek[letter], end);
    else if (text_among(command, fonts, FONT_COUNT) < FONT_COUNT)
        take_font(lexer, end);
    else if (text_among(command, silent, SILENT_COUNT) < SILENT_COUNT)
        take_silent(lexer, end);
    else
        report_command(lexer, command);
}

/* "{T}_{s}", as editors of formulas write T_s; what stands above a sign before `_` is not meant.
   |P|, how many there are, is the letter alone. */
static bool take_braced_name(Lexer *lexer)
{
    Name name = {.end = lexer->at + 1, .good = true};
    const bool is_set = byte_at(lexer, lexer->at) == '|';
    if (!is_set &&
        (byte_at(lexer, lexer->at) != '{' || (lexer->at && byte_at(lexer, lexer->at - 1) == '^')))
        return false;
    while (is_set && byte_at(lexer, name.end) == ' ')
        name.end++;
    skip_command(lexer, &name);
    name.end += is_set && (byte_at(lexer, name.end) == '{' || byte_at(lexer, name.end) == ' ');
    add_letters(lexer, &name);
    while (is_set && strchr("} ", byte_at(lexer, name.end)) && byte_at(lexer, name.end))
        name.end++;
    const Text rest = text_slice(lexer->text, name.end, lexer->text.length - name.end);
    name.end += is_set && text_begins(rest, "\\right|") ? strlen("\\right") : 0;
    if (!name.whole_length || byte_at(lexer, name.end) != (is_set ? '|' : '}') ||
        (!is_set && byte_at(lexer, name.end + 1) != '_') || has_base(&name))
        return false;
    name.ends[name.whole_length] = ++name.end;
    take_name(lexer, &name);
    return true;
}

/* {-} is a minus, and {\rm log} a word. */
static bool take_in_braces(Lexer *lexer)
{
    static const char *const fonts_before[] = {"{\\rm ", "{\\it ", "{\\bf "};
    Text rest = text_slice(lexer->text, lexer->at, lexer->text.length - lexer->at);
    const Spelling *sign =
        rest.length > 2 && *rest.chars == '{' ? find_sign(lexer, lexer->at + 1) : NULL;
    size_t end = lexer->at + 1 + (sign ? strlen(sign->typed) : 0);
    Name name = {.end = lexer->at, .good = true};
    if (sign && !strchr("([{}])$_", *sign->typed) && byte_at(lexer, end) == '}') {
        take_word(lexer, end + 1, sign->meant);
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(fonts_before); i++)
        if (rest.length > 5 && memcmp(rest.chars, fonts_before[i], 5) == 0) {
            if (add_braced(lexer, &name))
                take_name(lexer, &name);
            else
                fail(lexer, name.end);
            return true;
        }
    return take_braced_name(lexer);
}

static void take_other(Lexer *lexer)
{
    unsigned code;
    char letter;
    Name name = {.end = lexer->at, .good = true};
    size_t length = decode(lexer, lexer->at, &code);
    const char *named = find_greek(code);
    const Spelling *sign = find_sign(lexer, lexer->at);
    if (take_in_braces(lexer))
        return;
    if (code == 0xBD) {
        take(lexer, TOKEN_NUMBER, lexer->at + length, "½", length);
        lexer->token.integer = 1, lexer->token.divisor = 2;
    } else if (byte_at(lexer, lexer->at) == '\\' && isalpha(byte_at(lexer, lexer->at + 1))) {
        take_command(lexer);
    } else if (named) {
        take_greek(lexer, named, lexer->at + length);
    } else if (take_letter(lexer, lexer->at, &letter)) {
        add_letters(lexer, &name);
        take_name(lexer, &name);
    } else if (sign && !(*sign->typed == '.' && isdigit(byte_at(lexer, lexer->at + 1)))) {
        take_word(lexer, lexer->at + strlen(sign->typed), sign->meant);
    } else {
        report_character(lexer);
    }
}

/* & aligns, but for "&=" and "&&". */
static bool is_blank(const Lexer *lexer, size_t at)
{
    unsigned char byte = byte_at(lexer, at), next = byte_at(lexer, at + 1);
    bool aligns =
        byte == '&' && next != '&' && next != '=' && (at == 0 || byte_at(lexer, at - 1) != '&');
    return isspace(byte) || aligns;
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
    take(lexer,
         isdigit(sign)   ? TOKEN_NUMBER
         : isalpha(sign) ? TOKEN_NAME
                         : TOKEN_SIGN,
         end + length, arena_copy(lexer->arena, &sign, 1), 1);
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
        while (lexer->at < lexer->text.length && is_blank(lexer, lexer->at))
            lexer->at++;
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

void informal_lexer_start(Lexer *lexer, Arena *arena, InformalLetters *letters, Text text,
                          Diag *diag)
{
    *lexer =
        (Lexer){.advance = advance, .arena = arena, .letters = letters, .text = text, .diag = diag};
    advance(lexer);
}
