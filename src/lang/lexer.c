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

/* What is no sign is reported with what stands for it, where that is known. */
static void take_sign(Lexer *lexer)
{
    const Text rest = text_behind(lexer->text, lexer->at);
    const char *sign = lexer->about_models && text_begins(rest, "%") ? "%" : NULL;
    const char *foreign = NULL, *native = NULL;
    for (size_t i = 0; i < COUNT_OF(signs) && !sign && !text_begins(rest, "**"); i++)
        sign = text_begins(rest, signs[i]) ? signs[i] : NULL;
    if (sign) {
        take(lexer, TOKEN_SIGN, strlen(sign));
        return;
    }
    for (size_t i = COUNT_OF(translations); i-- > 0;)
        if (text_begins(rest, translations[i].foreign))
            foreign = translations[i].foreign, native = translations[i].native;
    const size_t length = foreign ? strlen(foreign) : 1;
    const Span span = text_span(rest, 0, length);
    const unsigned char byte = (unsigned char)*rest.chars;
    if (foreign || isprint(byte))
        diag_error(lexer->diag, span, "unexpected '%.*s'", (int)length, rest.chars);
    else
        diag_error(lexer->diag, span, "an unexpected character (byte 0x%02x)", byte);
    int depth = 0; /* of parentheses */
    for (size_t i = 0; i < lexer->at; i++)
        depth += (lexer->text.chars[i] == '(') - (lexer->text.chars[i] == ')');
    if (foreign && lexer->about_models && *foreign == '=' && depth > 0)
        diag_note(lexer->diag, NOWHERE, "arguments have no names: time(allreduce/ring, 1KiB)");
    else if (foreign)
        diag_note(lexer->diag, NOWHERE, "'%s' is written '%s'", foreign, native);
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
        Quantity quantity;
        const bool is_good = quantity_scan(text_behind(*text, lexer->at), &quantity, lexer->diag);
        take(lexer, is_good ? TOKEN_NUMBER : TOKEN_BAD, is_good ? quantity.length : 0);
        if (is_good)
            lexer->token.quantity = quantity;
    } else if (isalpha(byte) || byte == '_') {
        size_t end = lexer->at;
        while (end < text->length &&
               (isalnum((unsigned char)text->chars[end]) || text->chars[end] == '_'))
            end++;
        take(lexer, TOKEN_NAME, end - lexer->at);
    } else if (lexer->about_models && byte == '\'') {
        /* 'allreduce: ring along x' is one name */
        const char *rest = text->chars + lexer->at + 1;
        const char *end = memchr(rest, '\'', text->length - lexer->at - 1);
        if (end) {
            lexer->at++;
            take(lexer, TOKEN_NAME, (size_t)(end - rest));
            lexer->at++;
        } else {
            diag_error(lexer->diag, text_span(*text, lexer->at, 1), "this quote is not closed");
            take(lexer, TOKEN_BAD, 0);
        }
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
