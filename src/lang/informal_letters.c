#include "lang/informal_letters.h"

#include "lang/grammar.h"

#include <ctype.h>
#include <string.h>

Text informal_base(Text name)
{
    static const char *const words[] = {"eff",  "link",  "net",  "nic",    "dir", "comm",
                                        "comp", "total", "grad", "nvlink", "msg"};
    const char *typed = name.span.source ? name.span.source->text + name.span.offset : "";
    const size_t is_command = *typed == '\\';
    const char *below = memchr(typed, '_', name.span.source ? name.span.length : 0);
    const size_t length = below ? (size_t)(below - typed) - is_command : name.length;
    const Text word = {name.chars + length, name.length - length, NOWHERE, false};
    if (length < name.length && text_among(word, words, COUNT_OF(words)) < COUNT_OF(words))
        name.length = length;
    return name;
}

bool informal_same_name(Text a, Text b)
{
    const bool is_word = a.length > 3 && b.length > 3;
    size_t i = 0, j = 0;
    for (; is_word && i < a.length && j < b.length; i++, j++) {
        i += a.chars[i] == '_' && i + 1 < a.length;
        j += b.chars[j] == '_' && j + 1 < b.length;
        if (tolower((unsigned char)a.chars[i]) != tolower((unsigned char)b.chars[j]))
            return false;
    }
    return is_word ? i == a.length && j == b.length : text_same(a, b);
}

bool informal_is_letter(const InformalLetters *letters, Text name)
{
    for (size_t i = 0; i < letters->names.count; i++)
        if (informal_same_name(letters->names.items[i], name) ||
            informal_same_name(letters->names.items[i], informal_base(name)))
            return true;
    return false;
}

static Text piece_of(const InformalName *name, size_t from, size_t to)
{
    return (Text){name->chars + from, to - from, NOWHERE, false};
}

/* Of m2^i the 2 is one too. */
static bool is_piece(const Lexer *lexer, const InformalName *name, size_t from, size_t to)
{
    static const char *const words[] = {"log", "lg", "log2", "sqrt"};
    const Text piece = piece_of(name, from, to);
    const bool is_last = to == name->length;
    const bool is_whole = from == 0 && is_last; /* "ld p", but "mlb" is m l b */
    const bool is_word = text_among(piece, words, COUNT_OF(words)) < COUNT_OF(words) ||
                         (is_whole && (text_equals(piece, "ld") || text_equals(piece, "lb")));
    bool is_number = from > 0 && is_last && name->end < lexer->text.length &&
                     lexer->text.chars[name->end] == '^';
    for (size_t i = from; i < to; i++)
        is_number &= isdigit((unsigned char)name->chars[i]) != 0;
    return name->ends[to] && (is_last || !name->is_below[to]) &&
           (is_number || (isalpha((unsigned char)name->chars[from]) &&
                          (is_word || informal_is_letter(lexer->letters, piece))));
}

/* How a name can be taken apart into letters, from each place of it; 0: it cannot. */
typedef struct {
    size_t next[LONGEST_NAME + 1];  /* where the longest first piece ends */
    size_t other[LONGEST_NAME + 1]; /* the same of the next longest one */
} Pieces;

/* "l o g p"; `other`: the second way, which parts from the first where it first can. */
static const char *show_pieces(const Lexer *lexer, const InformalName *name, const Pieces *pieces,
                               bool other)
{
    const char *text = "";
    for (size_t from = 0, to; from < name->length; from = to) {
        to = other && pieces->other[from] ? pieces->other[from] : pieces->next[from];
        other &= !pieces->other[from];
        text = arena_printf(lexer->arena, "%s%s%.*s", text, *text ? " " : "",
                            TEXT_ARGS(piece_of(name, from, to)));
    }
    return text;
}

void informal_cut_run(const Lexer *lexer, InformalName *name)
{
    Pieces pieces = {0};
    const Text whole = piece_of(name, 0, name->length);
    if (!lexer->letters || informal_is_letter(lexer->letters, whole) || grammar_is_reserved(whole))
        return;
    pieces.next[name->length] = name->length;
    for (size_t from = name->length; from-- > 0;)
        for (size_t to = name->length; to > from && !pieces.other[from]; to--)
            if (pieces.next[to] && is_piece(lexer, name, from, to))
                *(pieces.next[from] ? &pieces.other[from] : &pieces.next[from]) = to;
    if (!pieces.next[0] || pieces.next[0] == name->length)
        return;
    /* Can it be taken apart in two ways, and is that not noted yet? */
    InformalRuns *runs = &lexer->letters->doubtful;
    const Text typed = text_slice(lexer->text, lexer->at, name->end - lexer->at);
    size_t from = 0;
    while (from < name->length && !pieces.other[from])
        from = pieces.next[from];
    bool is_new = from < name->length;
    for (size_t i = 0; i < runs->count; i++)
        is_new &=
            runs->items[i].typed.span.offset + runs->items[i].typed.length <= typed.span.offset;
    if (is_new)
        *ARRAY_PUSH(lexer->arena, runs) =
            (InformalRun){typed, show_pieces(lexer, name, &pieces, false),
                          show_pieces(lexer, name, &pieces, true)};
    name->length = pieces.next[0];
    name->end = name->ends[name->length];
}
