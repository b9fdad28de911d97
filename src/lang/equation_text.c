#include "lang/equation_text.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* By Relation, what looks like one but stands in a condition, and what ends a formula. */
static const char *const relations[] = {
    "= := : ≡ ≜ ＝ ∈ \\in \\equiv \\triangleq \\doteq \\coloneqq",
    "≈ ≃ ≅ ∼ → ≲ ≳ \\approx \\simeq \\cong \\sim \\to \\rightarrow \\lesssim \\gtrsim \\approxeq",
    "<= ≤ \\le \\leq \\leqslant",
    ">= ≥ \\ge \\geq \\geqslant",
    "== !=",
    ", ; # ， ； where for if with when while since as unless except assuming given bytes seconds "
    "steps rounds phases communication startups \\eqno "
    "\\leqno "
    "\\forall \\text \\mbox \\textrm \\textit \\hbox",
};
/* Behind a formula they belong to the sentence, or to the page: the long ones first. */
static const char *const idle[] = {"\\\\ ", "\\hfill", "\\nonumber", "\\notag", "\\qquad", "\\quad",
                                   "\\\\",  "\\,",     "\\;",        "\\:",     "\\!",     "\\ ",
                                   "\\]",   "\\)",     "。",         "，",      "；",      "\u00a0",
                                   " ",     "\t",      "\n",         "\r",      ".",       ",",
                                   ";",     ":",       "$",          "&",       "~"};

Text equation_cut(Text text, size_t length)
{
    return text_slice(text, 0, length);
}

Text equation_rest(Text text, size_t at)
{
    return at < text.length ? text_behind(text, at) : text_slice(text, text.length, 0);
}

/* Where the bracket opens that closes at the end of the text; the length of the text: nowhere. */
size_t equation_open(Text text, char open, char close)
{
    int depth = 0;
    for (size_t i = text.length; i-- > 0;) {
        depth += (text.chars[i] == close) - (text.chars[i] == open);
        if (depth == 0)
            return i;
    }
    return text.length;
}

Text equation_cut_idle(Text text)
{
    for (size_t i = 0; i < COUNT_OF(idle); i++)
        if (text_ends(text, idle[i])) {
            text = equation_cut(text, text.length - strlen(idle[i]));
            i = (size_t)-1;
        }
    return text;
}

bool equation_is_among(Text word, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (word.length == length && memcmp(words, word.chars, length) == 0)
            return true;
    }
    return false;
}

/* Words end where other signs begin, and \text ends a formula where it is no word of one. */
static bool stands_alone(Text text, size_t at, size_t length)
{
    static const char inner[] = "for where if when with and bytes seconds";
    const char *start = text.chars + at, *end = text.chars + text.length, *next = start + length;
    if (length == strlen("bytes") && strncmp(start, "bytes", length) == 0) {
        /* beside an operator it is a name, bytes * beta */
        const char *before = start, *behind = next;
        while (before > text.chars && before[-1] == ' ')
            before--;
        while (behind < end && *behind == ' ')
            behind++;
        if ((before > text.chars && strchr("*/+", before[-1])) ||
            (behind < end && strchr("*/+", *behind)))
            return false;
    }
    if (isalpha((unsigned char)*start))
        return (at == 0 || !(isalnum((unsigned char)start[-1]) || strchr("_{\\", start[-1]))) &&
               (next == end || !(isalnum((unsigned char)*next) || strchr("_(", *next)));
    if (*start != '\\' || next == end || *next != '{')
        return *start != '\\' || !strchr("tmh", start[1]) || strncmp(start, "\\to", length) == 0;
    const char *first = ++next;
    while (next < end && isalnum((unsigned char)*next))
        next++;
    Text word = text_slice(text, (size_t)(first - text.chars), (size_t)(next - first));
    return at > 0 && start[-1] != '_' &&
           (next == end || *next != '}' || equation_is_among(word, inner));
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
    for (int i = 0; i < RELATION_COUNT; i++)
        for (const char *sign = relations[i], *end; *sign; sign = end + (*end == ' ')) {
            end = sign + strcspn(sign, " ");
            size_t own = (size_t)(end - sign);
            if (*sign == text.chars[at] && (whole > 1 ? own == whole : own >= *length) &&
                own <= rest && memcmp(text.chars + at, sign, own) == 0 &&
                stands_alone(text, at, own))
                found = i, *length = own;
        }
    if (found == RELATION_NONE)
        found = -1;
    if (whole == 1 && text.chars[at] == '\\') /* \( and \\ are no brackets; \{ is one */
        *length = rest < 2 || strchr("{}", text.chars[at + 1]) ? 1 : 2;
    return found;
}

/* Where a relation stands outside brackets, from `at` on; the length of the text: nowhere. */
size_t equation_relation(Text text, size_t at, int *relation, size_t *length)
{
    bool begins[UCHAR_MAX + 1] = {false}; /* a sign, by its first byte */
    int depth = 0;
    for (int i = 0; i < RELATION_COUNT; i++)
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

size_t equation_find(Text text, const char *what)
{
    const char *found = memmem(text.chars, text.length, what, strlen(what));
    return found ? (size_t)(found - text.chars) : text.length;
}

Text equation_without_markup(Arena *arena, Text text)
{
    static const char *const markup[][2] = {
        {"&lceil;", "⌈"},  {"&rceil;", "⌉"},  {"&lfloor;", "⌊"}, {"&rfloor;", "⌋"},
        {"&times;", "×"},  {"&middot;", "·"}, {"&sdot;", "⋅"},   {"&minus;", "-"},
        {"&ndash;", "-"},  {"&divide;", "/"}, {"&frasl;", "/"},  {"&radic;", "√"},
        {"&sum;", "∑"},    {"&lt;", "<"},     {"&gt;", ">"},     {"&le;", "≤"},
        {"&ge;", "≥"},     {"&asymp;", "≈"},  {"&amp;", "&"},    {"&nbsp;", " "},
        {"&thinsp;", " "}, {"&alpha;", "α"},  {"&beta;", "β"},   {"&gamma;", "γ"},
        {"&delta;", "δ"},  {"&lambda;", "λ"}, {"&tau;", "τ"},    {"<sub>", "_{"},
        {"</sub>", "}"},   {"<sup>", "^{"},   {"</sup>", "}"},   {"<i>", ""},
        {"</i>", ""},      {"<em>", ""},      {"</em>", ""},     {"<var>", ""},
        {"</var>", ""},    {"<code>", ""},    {"</code>", ""}};
    char *copy = arena_alloc(arena, text.length + 1), *to = copy;
    for (size_t at = 0, length; at < text.length; at += length) {
        const Text rest = equation_rest(text, at);
        size_t i = 0;
        while (i < COUNT_OF(markup) && !text_begins(rest, markup[i][0]))
            i++;
        length = i < COUNT_OF(markup) ? strlen(markup[i][0]) : 1;
        if (i < COUNT_OF(markup))
            to = stpcpy(to, markup[i][1]);
        else
            *to++ = *rest.chars;
    }
    *to = '\0';
    return (size_t)(to - copy) == text.length
               ? text
               : source_argument(arena, text.span.source->name, copy);
}

/* Perhaps not one; *any: there is one. */
static bool are_words(Text text, bool *any)
{
    static const char own[] = "log lg ln ld sqrt min max sum ceil floor alpha beta gamma times "
                              "twice double half plus minus least most per each";
    static const char between[] = " \t\n\r,.;:()'-";
    for (size_t i = 0, length; i < text.length; i += length + 1) {
        for (length = 0;
             i + length < text.length && isalpha((unsigned char)text.chars[i + length]);)
            length++;
        *any |= length > 2;
        if ((length == 1 && text.chars[i] != 'a') ||
            equation_is_among(text_slice(text, i, length), own))
            return false;
        if (i + length < text.length &&
            !memchr(between, text.chars[i + length], sizeof between - 1))
            return false;
    }
    return true;
}

bool equation_is_words(Text text)
{
    bool any = false;
    return are_words(text, &any) && any;
}

/* A letter between signs, perhaps with an index, or a number says what a word would. */
static bool is_single(Text inner)
{
    size_t end = 0;
    while (end < inner.length &&
           (isalnum((unsigned char)inner.chars[end]) || strchr("_\\", inner.chars[end])))
        end++;
    return end == inner.length;
}

Text equation_cut_sentence(Text text)
{
    static const char *const signs[][2] = {
        {"$$", "$$"}, {"$", "$"}, {"\\(", "\\)"}, {"\\[", "\\]"}, {"`", "`"}};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        const size_t width = strlen(signs[i][0]);
        Text rest = text, found = equation_cut(text, 0);
        bool is_sentence = false, is_one = true;
        size_t open;
        while (is_one && (open = equation_find(rest, signs[i][0])) < rest.length) {
            const Text before = equation_cut(rest, open);
            rest = equation_rest(rest, open + width);
            const size_t close = equation_find(rest, signs[i][1]);
            const Text inner = equation_cut(rest, close);
            is_one = close < rest.length && are_words(before, &is_sentence) &&
                     (is_single(inner) || !found.length);
            found = is_single(inner) ? found : inner;
            rest = equation_rest(rest, close + width);
        }
        if (is_one && found.length && are_words(rest, &is_sentence) && is_sentence)
            return found;
    }
    return text;
}
