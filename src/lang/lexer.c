#include "lang/lexer.h"

#include <ctype.h>
#include <string.h>

static const char *const signs[] = {"+=", "..", "==", "!=", "<=", ">=", "+", "-",
                                    "*",  "/",  "^",  "(",  ")",  ",",  "<", ">"};

/* C's spellings, and those of print, and what stands for them here. */
static const struct {
    const char *foreign, *native;
} translations[] = {{"%", "mod"}, {"&&", "and"},      {"||", "or"}, {"!", "not"},
                    {"=", "=="},  {"?", "when(...)"}, {"&", "and"}, {"|", "or"},
                    {"−", "-"},   {"–", "-"},         {"×", "*"},   {"·", "*"},
                    {"≤", "<="},  {"≥", ">="},        {"≠", "!="},  {"**", "^"}};

static void take(Lexer *lexer, TokenKind kind, size_t length)
{
    lexer->token = (Token){.kind = kind, .text = text_slice(lexer->text, lexer->at, length)};
    lexer->at += length;
}

static bool starts_with(const Lexer *lexer, const char *sign)
{
    for (size_t i = 0; sign[i]; i++)
        if (lexer->at + i == lexer->text.length || lexer->text.chars[lexer->at + i] != sign[i])
            return false;
    return true;
}

static void take_number(Lexer *lexer)
{
    Quantity quantity;
    Text rest = text_behind(lexer->text, lexer->at);
    if (!quantity_scan(rest, &quantity, lexer->diag)) {
        take(lexer, TOKEN_BAD, 0);
        return;
    }
    take(lexer, TOKEN_NUMBER, quantity.length);
    lexer->token.quantity = quantity;
}

/* 'allreduce: ring along x' is one name. */
static void take_quoted(Lexer *lexer)
{
    const char *rest = lexer->text.chars + lexer->at + 1;
    const char *end = memchr(rest, '\'', lexer->text.length - lexer->at - 1);
    if (!end) {
        diag_error(lexer->diag, text_span(lexer->text, lexer->at, 1), "this quote is not closed");
        take(lexer, TOKEN_BAD, 0);
        return;
    }
    lexer->at++;
    take(lexer, TOKEN_NAME, (size_t)(end - rest));
    lexer->at++;
}

static bool is_in_parentheses(const Lexer *lexer)
{
    int depth = 0;
    for (size_t i = 0; i < lexer->at; i++)
        depth += (lexer->text.chars[i] == '(') - (lexer->text.chars[i] == ')');
    return depth > 0;
}

/* With what stands for it, where that is known. */
static void report_sign(const Lexer *lexer)
{
    size_t known = 0, count = COUNT_OF(translations);
    while (known < count && !starts_with(lexer, translations[known].foreign))
        known++;
    const char *foreign = known < count ? translations[known].foreign : NULL;
    size_t length = foreign ? strlen(foreign) : 1;
    Span span = text_span(lexer->text, lexer->at, length);
    unsigned char byte = (unsigned char)lexer->text.chars[lexer->at];
    if (foreign || isprint(byte))
        diag_error(lexer->diag, span, "unexpected '%.*s'", (int)length,
                   lexer->text.chars + lexer->at);
    else
        diag_error(lexer->diag, span, "an unexpected character (byte 0x%02x)", byte);
    if (foreign && lexer->about_models && *foreign == '=' && is_in_parentheses(lexer))
        diag_note(lexer->diag, NOWHERE, "arguments have no names: time(allreduce/ring, 1KiB)");
    else if (foreign)
        diag_note(lexer->diag, NOWHERE, "'%s' is written '%s'", foreign,
                  translations[known].native);
}

static void take_sign(Lexer *lexer)
{
    if (lexer->about_models && starts_with(lexer, "%")) {
        take(lexer, TOKEN_SIGN, 1);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(signs) && !starts_with(lexer, "**"); i++)
        if (starts_with(lexer, signs[i])) {
            take(lexer, TOKEN_SIGN, strlen(signs[i]));
            return;
        }
    report_sign(lexer);
    take(lexer, TOKEN_BAD, 0);
}

void lexer_advance(Lexer *lexer)
{
    const Text *text = &lexer->text;
    if (lexer->advance) {
        lexer->advance(lexer);
        return;
    }
    if (lexer->token.kind == TOKEN_BAD)
        return;
    while (lexer->at < text->length && isspace((unsigned char)text->chars[lexer->at]))
        lexer->at++;
    if (lexer->at == text->length) {
        take(lexer, TOKEN_END, 0);
        return;
    }
    unsigned char byte = (unsigned char)text->chars[lexer->at];
    if (isdigit(byte)) {
        take_number(lexer);
    } else if (isalpha(byte) || byte == '_') {
        size_t end = lexer->at;
        while (end < text->length &&
               (isalnum((unsigned char)text->chars[end]) || text->chars[end] == '_'))
            end++;
        take(lexer, TOKEN_NAME, end - lexer->at);
    } else if (lexer->about_models && byte == '\'') {
        take_quoted(lexer);
    } else {
        take_sign(lexer);
    }
}

void lexer_start(Lexer *lexer, Text text, bool about_models, Diag *diag)
{
    *lexer = (Lexer){.text = text, .about_models = about_models, .diag = diag};
    lexer_advance(lexer);
}

bool lexer_sees(const Lexer *lexer, const char *word)
{
    return (lexer->token.kind == TOKEN_NAME || lexer->token.kind == TOKEN_SIGN) &&
           text_equals(lexer->token.text, word);
}

bool lexer_accept(Lexer *lexer, const char *word)
{
    if (!lexer_sees(lexer, word))
        return false;
    lexer_advance(lexer);
    return true;
}

bool lexer_expect(Lexer *lexer, const char *word)
{
    if (lexer_accept(lexer, word))
        return true;
    if (lexer->token.kind != TOKEN_BAD)
        diag_error(lexer->diag, lexer->token.text.span, "expected '%s'", word);
    return false;
}
