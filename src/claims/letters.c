#include "claims/letters.h"

#include "lang/informal.h"
#include "sched/contract.h"

#include <string.h>

const MeaningInfo meaning_info[MEANING_COUNT] = {
#define MEANING(id, word, name, inverse, what) {word, name, inverse, what},
#include "claims/meanings.def"
#undef MEANING
};

typedef struct {
    const char *name;
    bool is_ours;
    Meaning meanings[MOST_MEANINGS];
    int count;
} KnownSymbol;

#define SYMBOL_MEANINGS(...) (int)(sizeof((Meaning[]){__VA_ARGS__}) / sizeof(Meaning))
static const KnownSymbol known[] = {
#define SYMBOL(name, is_ours, ...) {name, is_ours, {__VA_ARGS__}, SYMBOL_MEANINGS(__VA_ARGS__)},
#include "claims/symbols.def"
#undef SYMBOL
};
enum { KNOWN_COUNT = COUNT_OF(known) };

/* Names of claims that nobody writes otherwise; the radix or fan-out of an algorithm is one more.
 */
static const char *const plain_names[] = {"root", "target", "X", "Y", "Z", "dims"};
enum { PLAIN_COUNT = COUNT_OF(plain_names) };

int meaning_find(Text word)
{
    for (int i = 0; i < MEANING_COUNT; i++) {
        const MeaningInfo *info = &meaning_info[i];
        bool is_inverse = info->inverse && word.length > 2 && memcmp(word.chars, "1/", 2) == 0;
        Text name = is_inverse ? text_behind(word, 2) : word;
        if (text_equals(word, info->word) ||
            (is_inverse == info->inverse && text_equals(name, info->name)))
            return i;
    }
    return -1;
}

/* The letters while they are collected. */
typedef struct {
    Arena *arena;
    const FixedMeaningArray *fixed;
    const Algorithm *algorithm;
    bool one_size; /* m and M are the same */
    SymbolList *symbols;
    Diag *diag;
} Finder;

bool symbol_is_bound(const BoundName *bound, Text name)
{
    for (; bound; bound = bound->outer)
        if (text_same(bound->name, name))
            return true;
    return false;
}

int symbols_place(const SymbolList *symbols, Text name)
{
    for (int i = 0; i < symbols->count; i++)
        if (text_same(symbols->items[i].name, name))
            return i;
    return -1;
}

static const KnownSymbol *find_known(Text name)
{
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (informal_same_name(name, text_plain(known[i].name)) ||
            informal_same_name(informal_base(name), text_plain(known[i].name)))
            return &known[i];
    return NULL;
}

TextArray readings_names(Arena *arena, const FixedMeaningArray *fixed, const Algorithm *algorithm)
{
    TextArray names = {0};
    for (int i = 0; i < KNOWN_COUNT; i++)
        *ARRAY_PUSH(arena, &names) = text_plain(known[i].name);
    for (int i = 0; i < PLAIN_COUNT; i++)
        *ARRAY_PUSH(arena, &names) = text_plain(plain_names[i]);
    for (size_t i = 0; i < fixed->count; i++)
        *ARRAY_PUSH(arena, &names) = fixed->items[i].name;
    if (algorithm->branching)
        *ARRAY_PUSH(arena, &names) = text_plain(branching_names[algorithm->branching]);
    return names;
}

static bool report_unknown(Finder *finder, Text name)
{
    const char *names[KNOWN_COUNT + PLAIN_COUNT + 1];
    int count = KNOWN_COUNT + PLAIN_COUNT;
    if (text_equals(name, "O") || text_equals(name, "Theta") || text_equals(name, "Omega")) {
        diag_error(finder->diag, name.span,
                   "an order of growth is not a time: there is nothing to compare");
        finder->symbols->is_growth = true;
        return false;
    }
    if (find_known(name))
        return diag_error(finder->diag, name.span, "'%.*s' is %s, and %s has none", TEXT_ARGS(name),
                          meaning_info[find_known(name)->meanings[0]].what,
                          algorithm_full_name(finder->arena, finder->algorithm));
    for (int i = 0; i < KNOWN_COUNT; i++)
        names[i] = known[i].name;
    for (int i = 0; i < PLAIN_COUNT; i++)
        names[KNOWN_COUNT + i] = plain_names[i];
    if (finder->algorithm->branching)
        names[count++] = branching_names[finder->algorithm->branching];
    diag_error(finder->diag, name.span, "unknown symbol '%.*s'", TEXT_ARGS(name));
    return diag_suggest(finder->diag, name, names, count);
}

/* Can the letter have this meaning here? */
static bool is_meant(const Finder *finder, Text letter, Meaning meaning)
{
    bool is_problem = finder->symbols->is_problem, is_n = text_equals(letter, "n");
    switch (meaning) {
    case MEANING_CHUNKS:
    case MEANING_SEGMENT:
        return finder->algorithm->free_chunks;
    case MEANING_RADIX:
        return finder->algorithm->branching != 0;
    case MEANING_LINKS:
        return finder->algorithm->collective->targeted;
    case MEANING_ORDER:
    case MEANING_MULTIPLY:
        return is_problem;
    case MEANING_BLOCK:
    case MEANING_BUFFER:
        return !is_problem;
    case MEANING_RANKS:
    case MEANING_PORTS:
        return (!is_problem || !is_n) &&
               !(finder->algorithm->free_chunks && text_equals(letter, "k"));
    default:
        return true;
    }
}

/* What the letter is tried as; none where it is unknown. */
static void fill_meanings(const Finder *finder, Symbol *symbol)
{
    const KnownSymbol *entry = find_known(symbol->name);
    bool has_size = false;
    for (int i = 0; entry && i < entry->count; i++) {
        Meaning meaning = entry->meanings[i];
        bool is_size = meaning == MEANING_BLOCK || meaning == MEANING_BUFFER;
        bool is_same = is_size && has_size && finder->one_size;
        bool is_here = is_meant(finder, symbol->name, meaning);
        if (!is_same && is_here)
            symbol->meanings[symbol->count++] = meaning;
        has_size |= is_size;
    }
    symbol->is_ours =
        entry && entry->is_ours && /* k only where there are chunks */
        (entry->meanings[0] != MEANING_CHUNKS || is_meant(finder, symbol->name, MEANING_CHUNKS));
    for (size_t i = 0; i < finder->fixed->count; i++)
        if (text_same(finder->fixed->items[i].name, symbol->name)) {
            symbol->meanings[0] = finder->fixed->items[i].meaning;
            symbol->count = 1;
        }
}

static bool add_symbol(Finder *finder, Text name)
{
    SymbolList *symbols = finder->symbols;
    Symbol symbol = {.name = name};
    if (symbols_place(symbols, name) >= 0)
        return true;
    for (int i = 0; i < symbols->count && find_known(name); i++)
        if (find_known(symbols->items[i].name) == find_known(name))
            return diag_error(finder->diag, name.span, "'%.*s' and '%.*s' would be the same",
                              TEXT_ARGS(name), TEXT_ARGS(symbols->items[i].name));
    fill_meanings(finder, &symbol);
    if (symbol.count == 0)
        return text_equals(name, branching_names[finder->algorithm->branching]) ||
               text_among(name, plain_names, PLAIN_COUNT) < PLAIN_COUNT ||
               report_unknown(finder, name);
    if (symbols->count == MOST_SYMBOLS)
        return diag_error(finder->diag, name.span, "too many different symbols (at most %d)",
                          MOST_SYMBOLS);
    symbols->items[symbols->count++] = symbol;
    return true;
}

/* A logarithm that is rounded where it stands leaves no choice. */
static bool find_in(Finder *finder, const Expr *expr, const BoundName *bound, bool is_rounded)
{
    BoundName own = {expr->text, bound};
    bool loops = expr_is_loop(expr);
    if (expr->kind == EXPR_VARIABLE)
        return symbol_is_bound(bound, expr->text) || add_symbol(finder, expr->text);
    if (((informal_is_call(expr, "log") && !is_rounded) || informal_is_call(expr, "[]")) &&
        !add_symbol(finder, expr->text))
        return false;
    if (loops)
        own.name = expr->arguments[0]->text;
    for (int i = loops; i < expr->argument_count; i++)
        if (!find_in(finder, expr->arguments[i], loops && i == 3 ? &own : bound,
                     expr_is_rounding(expr)))
            return false;
    return true;
}

static bool has_less_one(const Expr *expr, const char *name)
{
    const Expr *const *of = (const Expr *const *)expr->arguments;
    bool found = expr->kind == EXPR_SUBTRACT && of[0]->kind == EXPR_VARIABLE &&
                 text_equals(of[0]->text, name) && of[1]->kind == EXPR_NUMBER &&
                 of[1]->integer == 1;
    for (int i = 0; i < expr->argument_count; i++)
        found |= has_less_one(of[i], name);
    return found;
}

/* Is there (x - 1) / x, as of ranks? */
static bool has_share(const Expr *expr, const char *name)
{
    bool found = expr->kind == EXPR_DIVIDE && expr_names(expr->arguments[1], name) &&
                 has_less_one(expr->arguments[0], name);
    for (int i = 0; i < expr->argument_count; i++)
        found |= has_share(expr->arguments[i], name);
    return found;
}

/* Such a letter may be the number of ranks, whatever it is elsewhere. */
static void add_ranks(const Finder *finder, const Expr *formula, Symbol *symbol)
{
    bool is_size = symbol->count < MOST_MEANINGS &&
                   (symbol->meanings[0] == MEANING_BLOCK || symbol->meanings[0] == MEANING_BUFFER);
    for (size_t i = 0; i < finder->fixed->count; i++)
        is_size &= !text_same(finder->fixed->items[i].name, symbol->name);
    for (int i = 0; i < symbol->count; i++)
        if (symbol->meanings[i] == MEANING_RANKS)
            return;
    if (!is_size || !has_share(formula, text_string(finder->arena, symbol->name)))
        return;
    memmove(symbol->meanings + 1, symbol->meanings, sizeof(Meaning) * (size_t)symbol->count++);
    symbol->meanings[0] = MEANING_RANKS;
    symbol->is_ours = false;
}

bool symbols_find(Arena *arena, const Expr *formula, const Expr *condition,
                  const FixedMeaningArray *fixed, const Algorithm *algorithm, SymbolList *symbols,
                  Diag *diag)
{
    int64_t few, more;
    bool one_size = contract_try_buffer_blocks(algorithm->collective, 2, &few) && few == 1 &&
                    contract_try_buffer_blocks(algorithm->collective, 5, &more) && more == 1;
    Finder finder = {arena, fixed, algorithm, one_size, symbols, diag};
    *symbols = (SymbolList){.condition = condition,
                            .branches = branching_names[algorithm->branching],
                            .is_problem = algorithm->collective->problem != NULL};
    if (!find_in(&finder, formula, NULL, false) ||
        (condition && !find_in(&finder, condition, NULL, false)))
        return false;
    for (int i = 0; i < symbols->count; i++)
        add_ranks(&finder, formula, &symbols->items[i]);
    /* The letter must occur, and logarithms have meanings of their own. */
    for (size_t i = 0; i < fixed->count; i++) {
        const Text name = fixed->items[i].name;
        const Meaning meaning = fixed->items[i].meaning;
        const bool is_log = text_equals(name, "log");
        if (symbols_place(symbols, name) < 0)
            return diag_error(diag, name.span, "the formula has no ambiguous symbol '%.*s'",
                              TEXT_ARGS(name));
        if (is_log != (meaning >= MEANING_EXACT))
            return diag_error(diag, name.span,
                              is_log ? "a logarithm cannot be %s" : "a symbol cannot be %s",
                              meaning_info[meaning].what);
    }
    return true;
}
