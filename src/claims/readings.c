#include "claims/readings.h"

#include "base/limits.h"
#include "lang/informal.h"
#include "lang/parse.h"
#include "lang/show.h"
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
        Text name = is_inverse ? text_slice(word, 2, word.length - 2) : word;
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

/* Names that an outer sum binds. */
typedef struct Bound {
    Text name;
    const struct Bound *outer;
} Bound;

static bool is_bound(const Bound *bound, Text name)
{
    for (; bound; bound = bound->outer)
        if (text_same(bound->name, name))
            return true;
    return false;
}

static int find_symbol(const SymbolList *symbols, Text name)
{
    for (int i = 0; i < symbols->count; i++)
        if (text_same(symbols->items[i].name, name))
            return i;
    return -1;
}

static const KnownSymbol *find_known(Text name)
{
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (text_equals(name, known[i].name) || text_equals(informal_base(name), known[i].name))
            return &known[i];
    return NULL;
}

static bool is_plain(const Algorithm *algorithm, Text name)
{
    return text_equals(name, branching_names[algorithm->branching]) ||
           text_among(name, plain_names, PLAIN_COUNT) < PLAIN_COUNT;
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
    if (find_symbol(symbols, name) >= 0)
        return true;
    for (int i = 0; i < symbols->count && find_known(name); i++)
        if (find_known(symbols->items[i].name) == find_known(name))
            return diag_error(finder->diag, name.span, "'%.*s' and '%.*s' would be the same",
                              TEXT_ARGS(name), TEXT_ARGS(symbols->items[i].name));
    fill_meanings(finder, &symbol);
    if (symbol.count == 0)
        return is_plain(finder->algorithm, name) || report_unknown(finder, name);
    if (symbols->count == MOST_SYMBOLS)
        return diag_error(finder->diag, name.span, "too many different symbols (at most %d)",
                          MOST_SYMBOLS);
    symbols->items[symbols->count++] = symbol;
    return true;
}

static bool is_rounding(const Expr *expr)
{
    return expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR;
}

/* A logarithm that is rounded where it stands leaves no choice. */
static bool find_in(Finder *finder, const Expr *expr, const Bound *bound, bool is_rounded)
{
    Bound own = {expr->text, bound};
    bool loops = expr_is_loop(expr);
    if (expr->kind == EXPR_VARIABLE)
        return is_bound(bound, expr->text) || add_symbol(finder, expr->text);
    if (((informal_is_call(expr, "log") && !is_rounded) || informal_is_call(expr, "[]")) &&
        !add_symbol(finder, expr->text))
        return false;
    if (loops)
        own.name = expr->arguments[0]->text;
    for (int i = loops; i < expr->argument_count; i++)
        if (!find_in(finder, expr->arguments[i], loops && i == 3 ? &own : bound, is_rounding(expr)))
            return false;
    return true;
}

/* The letter must occur, and logarithms have meanings of their own. */
static bool check_fixed(const SymbolList *symbols, const FixedMeaning *fixed, Diag *diag)
{
    bool is_log = text_equals(fixed->name, "log");
    const char *what = meaning_info[fixed->meaning].what;
    if (find_symbol(symbols, fixed->name) < 0)
        return diag_error(diag, fixed->name.span, "the formula has no ambiguous symbol '%.*s'",
                          TEXT_ARGS(fixed->name));
    if (is_log != (fixed->meaning >= MEANING_EXACT))
        return diag_error(diag, fixed->name.span,
                          is_log ? "a logarithm cannot be %s" : "a symbol cannot be %s", what);
    return true;
}

/* How many nodes the longest reading has: a logarithm stands in its condition once more, one to
   another base in both ways of rounding too. */
static double longest_reading(const Expr *expr)
{
    double lengths[4] = {0}, sum = 1;
    for (int i = 0; i < expr->argument_count; i++) {
        lengths[i] = longest_reading(expr->arguments[i]);
        sum += lengths[i];
    }
    if (!informal_is_call(expr, "log"))
        return sum;
    return expr->argument_count == 1 ? 2 * lengths[0] + 3 : 5 * lengths[0] + 3 * lengths[1] + 30;
}

bool readings_check_length(const Expr *formula, Diag *diag)
{
    return longest_reading(formula) <= LIMIT_EXPRESSION_NODES ||
           diag_error(diag, formula->text.span,
                      "with its logarithms written out this is too long (more than %d operations)",
                      LIMIT_EXPRESSION_NODES);
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
    for (size_t i = 0; i < fixed->count; i++)
        if (!check_fixed(symbols, &fixed->items[i], diag))
            return false;
    return true;
}

/* A formula while it is written down in one reading. */
typedef struct {
    Arena *arena;
    const SymbolList *symbols;
    const int *choices;
    Expr *when;
    bool good;
} Writer;

static Expr *write_expr(Writer *writer, const Expr *expr, const Bound *bound, bool is_rounded);

static Expr *make(Writer *writer, ExprKind kind, Text text, Expr *a, Expr *b)
{
    return expr_make(writer->arena, kind, text, a, b);
}

static Expr *make_variable(Writer *writer, const char *name, Text text)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyzM")]
               ? expression_of(writer->arena, source_argument(writer->arena, "", name))
               : expr_variable(writer->arena, name, text);
}

static Meaning meaning_of(const Writer *writer, Text name)
{
    int i = find_symbol(writer->symbols, name);
    return i < 0 ? MEANING_COUNT : writer->symbols->items[i].meanings[writer->choices[i]];
}

static bool is_inverse(const Writer *writer, const Expr *expr, const Bound *bound)
{
    if (expr->kind != EXPR_VARIABLE || is_bound(bound, expr->text))
        return false;
    Meaning meaning = meaning_of(writer, expr->text);
    return meaning < MEANING_COUNT && meaning_info[meaning].inverse;
}

/* The first bandwidth that is a factor of this, or NULL. */
static const Expr *find_inverse(const Writer *writer, const Expr *expr, const Bound *bound)
{
    if (is_inverse(writer, expr, bound))
        return expr;
    const Expr *found = NULL;
    if (expr->kind == EXPR_MULTIPLY || expr->kind == EXPR_DIVIDE)
        found = find_inverse(writer, expr->arguments[0], bound);
    if (!found && expr->kind == EXPR_MULTIPLY)
        found = find_inverse(writer, expr->arguments[1], bound);
    return found;
}

static bool is_one(const Expr *expr)
{
    return expr->kind == EXPR_NUMBER && expr->type == TYPE_INT && expr->integer == 1;
}

/* The expression without this factor of it. */
static Expr *without(Writer *writer, const Expr *expr, const Expr *factor)
{
    if (expr == factor)
        return expr_number(writer->arena, 1, expr->text);
    Expr *copy = ARENA_NEW(writer->arena, Expr);
    *copy = *expr;
    if (expr->kind != EXPR_MULTIPLY && expr->kind != EXPR_DIVIDE)
        return copy;
    for (int i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = without(writer, expr->arguments[i], factor);
    if (is_one(copy->arguments[1]))
        return copy->arguments[0];
    return expr->kind == EXPR_MULTIPLY && is_one(copy->arguments[0]) ? copy->arguments[1] : copy;
}

/* Times per byte are times per element in products. */
static const char *name_of(const Writer *writer, Meaning meaning)
{
    const char *name =
        meaning == MEANING_RADIX ? writer->symbols->branches : meaning_info[meaning].name;
    bool per_byte = strcmp(name, "tw") == 0 || strcmp(name, "tc") == 0;
    return writer->symbols->is_problem && per_byte
               ? arena_printf(writer->arena, "(%s * word)", name)
               : name;
}

static const char *inverse_name(const Writer *writer, const Expr *expr)
{
    return name_of(writer, meaning_of(writer, expr->text));
}

/* x tw. Of (n + n12) tw the second term is ts, which does not need a tw. */
static Expr *write_times(Writer *writer, const Expr *expr, const char *tw, const Bound *bound)
{
    if (expr->kind == EXPR_VARIABLE && meaning_of(writer, expr->text) == MEANING_HALF)
        return make_variable(writer, "ts", expr->text);
    if (expr->kind == EXPR_ADD)
        return make(writer, EXPR_ADD, expr->text,
                    write_times(writer, expr->arguments[0], tw, bound),
                    write_times(writer, expr->arguments[1], tw, bound));
    return make(writer, EXPR_MULTIPLY, expr->text, write_expr(writer, expr, bound, false),
                make_variable(writer, tw, expr->text));
}

static bool has_half(const Expr *expr)
{
    return expr->kind == EXPR_ADD && expr_names(expr, "n12");
}

/* x / (k B) with a bandwidth B is x / k tw: tw may be zero, one over it has no value then. */
static Expr *write_quotient(Writer *writer, const Expr *expr, const Bound *bound)
{
    const Expr *factor = find_inverse(writer, expr->arguments[1], bound);
    Expr *below = (Expr *)expr->arguments[1];
    if (!factor) {
        Expr *above = write_expr(writer, expr->arguments[0], bound, false);
        return make(writer, EXPR_DIVIDE, expr->text, above,
                    write_expr(writer, below, bound, false));
    }
    Expr rest = *expr;
    rest.arguments[1] = without(writer, below, factor);
    if (is_one(rest.arguments[1]) && has_half(rest.arguments[0]))
        return write_times(writer, rest.arguments[0], inverse_name(writer, factor), bound);
    Expr *quotient = is_one(rest.arguments[1]) ? write_expr(writer, rest.arguments[0], bound, false)
                                               : write_quotient(writer, &rest, bound);
    Expr *name = make_variable(writer, inverse_name(writer, factor), factor->text);
    return is_one(quotient) ? name : make(writer, EXPR_MULTIPLY, expr->text, quotient, name);
}

/* The least i with b^i >= x, or the largest with b^i <= x, counted one by one. */
static Expr *count_powers(Writer *writer, const Expr *log, const Bound *bound, bool up)
{
    Text text = log->text;
    Expr *operand[2];
    for (int i = 0; i < 2; i++)
        operand[i] = write_expr(writer, log->arguments[0], bound, false);
    Expr *most =
        make(writer, EXPR_CEIL, text, make(writer, EXPR_LOG2, text, operand[0], NULL), NULL);
    Expr *base = write_expr(writer, log->arguments[1], bound, false);
    Expr *power = make(writer, EXPR_POWER, text, base, make_variable(writer, "i_", text));
    Expr *counts = make(writer, up ? EXPR_LESS : EXPR_LESS_EQUAL, text, power, operand[1]);
    Expr *term = make(writer, EXPR_WHEN, text, counts, expr_number(writer->arena, 1, text));
    term->arguments[term->argument_count++] = expr_number(writer->arena, 0, text);
    Expr *sum = make(writer, EXPR_SUM, text, make_variable(writer, "i_", text),
                     expr_number(writer->arena, !up, text));
    sum->arguments[2] = most;
    sum->arguments[3] = term;
    sum->argument_count = 4;
    return sum;
}

static Expr *write_rounded(Writer *writer, const Expr *log, const Bound *bound, bool up)
{
    if (log->argument_count == 2)
        return count_powers(writer, log, bound, up);
    Expr *operand = write_expr(writer, log->arguments[0], bound, false);
    Expr *exact = make(writer, EXPR_LOG2, log->text, operand, NULL);
    return make(writer, up ? EXPR_CEIL : EXPR_FLOOR, log->text, exact, NULL);
}

/* Is it one of the conditions that `when` joins? They have no types and slots yet. */
static bool is_among(Arena *arena, const Expr *when, const Expr *condition)
{
    const char *text = expr_show(arena, condition);
    for (; when && when->kind == EXPR_AND; when = when->arguments[0])
        if (strcmp(expr_show(arena, when->arguments[1]), text) == 0)
            return true;
    return when && strcmp(expr_show(arena, when), text) == 0;
}

/* The claim is about sizes where the logarithm is whole. */
static void add_condition(Writer *writer, const Expr *log, const Bound *bound)
{
    Expr *operand = write_expr(writer, log->arguments[0], bound, false);
    Expr *condition =
        log->argument_count == 1
            ? make(writer, EXPR_POWER_OF_TWO, log->text, operand, NULL)
            : make(writer, EXPR_EQUAL, log->text, write_rounded(writer, log, bound, true),
                   write_rounded(writer, log, bound, false));
    if (is_among(writer->arena, writer->when, condition))
        return;
    writer->when =
        writer->when ? make(writer, EXPR_AND, log->text, writer->when, condition) : condition;
}

static Expr *write_logarithm(Writer *writer, const Expr *log, const Bound *bound, bool is_rounded)
{
    Meaning meaning = is_rounded ? MEANING_EXACT : meaning_of(writer, log->text);
    if (meaning != MEANING_EXACT)
        return write_rounded(writer, log, bound, meaning == MEANING_CEIL);
    Expr *operand = write_expr(writer, log->arguments[0], bound, false);
    Expr *exact = make(writer, EXPR_LOG2, log->text, operand, NULL);
    if (!is_rounded && !bound)
        add_condition(writer, log, bound);
    if (log->argument_count == 1)
        return exact;
    Expr *base = write_expr(writer, log->arguments[1], bound, false);
    return make(writer, EXPR_DIVIDE, log->text, exact,
                make(writer, EXPR_LOG2, log->text, base, NULL));
}

static Expr *write_other(Writer *writer, const Expr *expr, const Bound *bound)
{
    bool loops = expr_is_loop(expr);
    Bound own = {loops ? expr->arguments[0]->text : expr->text, bound};
    Expr *copy = ARENA_NEW(writer->arena, Expr);
    *copy = *expr;
    for (int i = 0; i < expr->argument_count; i++)
        copy->arguments[i] =
            write_expr(writer, expr->arguments[i], loops && (i == 0 || i == 3) ? &own : bound,
                       is_rounding(expr));
    return copy;
}

/* What one of two formulas needs it needs only where it counts. */
static Expr *write_choice(Writer *writer, const Expr *expr, const Bound *bound)
{
    Expr *all = writer->when, *copy = ARENA_COPY(writer->arena, Expr, expr, 1);
    for (int i = 0; i < expr->argument_count; i++) {
        writer->when = NULL;
        copy->arguments[i] = write_expr(writer, expr->arguments[i], bound, false);
        Expr *need = writer->when, *condition = copy->arguments[0];
        if (need && i == 1 && is_among(writer->arena, condition, need))
            continue;
        if (need && i)
            need = make(writer, EXPR_OR, expr->text,
                        i == 1 ? make(writer, EXPR_NOT, expr->text, condition, NULL) : condition,
                        need);
        all = need && all ? make(writer, EXPR_AND, expr->text, all, need) : need ? need : all;
    }
    writer->when = all;
    return copy;
}

static Expr *write_power(Writer *writer, const Expr *expr, const Bound *bound)
{
    const Expr *base = expr->arguments[0], *exponent = expr->arguments[1];
    if (exponent->kind != EXPR_NEGATE)
        return write_other(writer, expr, bound);
    if (is_inverse(writer, base, bound) && is_one(exponent->arguments[0]))
        return make_variable(writer, inverse_name(writer, base), expr->text);
    Expr *below = write_expr(writer, base, bound, false);
    if (!is_one(exponent->arguments[0]))
        below = make(writer, EXPR_POWER, expr->text, below,
                     write_expr(writer, exponent->arguments[0], bound, false));
    return make(writer, EXPR_DIVIDE, expr->text, expr_number(writer->arena, 1, expr->text), below);
}

static Expr *write_expr(Writer *writer, const Expr *expr, const Bound *bound, bool is_rounded)
{
    const Expr *first = expr->argument_count ? expr->arguments[0] : NULL;
    if (expr->kind == EXPR_MULTIPLY && first->kind == EXPR_POWER && has_half(expr->arguments[1]) &&
        is_inverse(writer, first->arguments[0], bound))
        return write_times(writer, expr->arguments[1], inverse_name(writer, first->arguments[0]),
                           bound);
    if (expr->kind == EXPR_VARIABLE) {
        if (is_bound(bound, expr->text) || find_symbol(writer->symbols, expr->text) < 0)
            return make(writer, EXPR_VARIABLE, expr->text, NULL, NULL);
        Meaning meaning = meaning_of(writer, expr->text);
        writer->good &= !meaning_info[meaning].inverse && meaning != MEANING_HALF;
        return make_variable(writer, name_of(writer, meaning), expr->text);
    }
    if (expr->kind == EXPR_DIVIDE)
        return write_quotient(writer, expr, bound);
    if (expr->kind == EXPR_POWER)
        return write_power(writer, expr, bound);
    if (expr->kind == EXPR_WHEN)
        return write_choice(writer, expr, bound);
    if (is_rounding(expr) && informal_is_call(expr->arguments[0], "log") &&
        expr->arguments[0]->argument_count == 2)
        return write_rounded(writer, expr->arguments[0], bound, expr->kind == EXPR_CEIL);
    if (informal_is_call(expr, "log"))
        return write_logarithm(writer, expr, bound, is_rounded);
    if (expr->kind == EXPR_SUBTRACT && is_one(expr->arguments[1])) {
        Expr *size = write_expr(writer, expr->arguments[0], bound, false);
        if (size->kind == EXPR_VARIABLE && (expr_names(size, "m") || expr_names(size, "M")))
            return size; /* LogGP's (m - 1) G: one byte is nothing */
    }
    if (informal_is_call(expr, "[]")) {
        Meaning meaning = meaning_of(writer, expr->text);
        Expr *inner = write_expr(writer, expr->arguments[0], bound, meaning != MEANING_PLAIN);
        return meaning == MEANING_PLAIN
                   ? inner
                   : make(writer, meaning == MEANING_UP ? EXPR_CEIL : EXPR_FLOOR, expr->text, inner,
                          NULL);
    }
    return write_other(writer, expr, bound);
}

/* Do no two letters of the formula mean the same? */
static bool are_apart(const SymbolList *symbols, const int *choices)
{
    for (int i = 0; i < symbols->count; i++)
        for (int j = 0; j < i; j++)
            if (symbols->items[i].meanings[choices[i]] == symbols->items[j].meanings[choices[j]] &&
                (symbols->items[i].count > 1 || symbols->items[j].count > 1))
                return false;
    return true;
}

static bool has_time(const Expr *expr)
{
    static const char *const times[] = {"ts", "th", "tw", "tc", "tm", "o"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(times); i++)
        found |= expr_names(expr, times[i]);
    return found;
}

/* Terms without a time are numbers of multiply-adds, which texts take for the unit of time. */
static Expr *give_units(Writer *writer, Expr *expr)
{
    bool is_sum = expr->kind == EXPR_ADD || expr->kind == EXPR_SUBTRACT;
    if (!has_time(expr))
        return make(writer, EXPR_MULTIPLY, expr->text, expr,
                    make_variable(writer, "tm", expr->text));
    if (is_sum || expr->kind == EXPR_MULTIPLY || expr->kind == EXPR_DIVIDE)
        for (int i = 0; i < 2; i++)
            if (is_sum || has_time(expr->arguments[i]))
                expr->arguments[i] = give_units(writer, expr->arguments[i]);
    return expr;
}

/* False: enough have been seen. */
static bool visit_reading(Arena *arena, const Expr *formula, const SymbolList *symbols,
                          const int *choices, ReadingVisitor visit, void *context)
{
    Writer writer = {arena, symbols, choices, NULL, true};
    Reading reading = {{0}, NULL, NULL};
    if (symbols->condition)
        writer.when = write_expr(&writer, symbols->condition, NULL, false);
    memcpy(reading.choices, choices, sizeof reading.choices);
    reading.formula = write_expr(&writer, formula, NULL, false);
    if (symbols->is_problem)
        reading.formula = give_units(&writer, reading.formula);
    reading.when = writer.when;
    return !writer.good || visit(context, &reading);
}

/* The next combination of choices, counted up like an odometer; false behind the last. */
static bool next_choices(const SymbolList *symbols, int *choices)
{
    int i = symbols->count;
    while (i-- > 0) {
        if (++choices[i] < symbols->items[i].count)
            return true;
        choices[i] = 0;
    }
    return false;
}

static int sum_of(const int *choices)
{
    int sum = 0;
    for (int i = 0; i < MOST_SYMBOLS; i++)
        sum += choices[i];
    return sum;
}

void readings_visit(Arena *arena, const Expr *formula, const SymbolList *symbols, bool apart,
                    ReadingVisitor visit, void *context)
{
    enum { LARGEST_SUM = MOST_SYMBOLS * (MOST_MEANINGS - 1) };
    bool more = true;
    for (int sum = 0; sum <= LARGEST_SUM && more; sum++) {
        int choices[MOST_SYMBOLS] = {0}, looked_at = 0;
        do {
            if (sum_of(choices) == sum && (!apart || are_apart(symbols, choices)))
                more = visit_reading(arena, formula, symbols, choices, visit, context);
        } while (more && next_choices(symbols, choices) && ++looked_at < MOST_TRIED);
    }
}

bool reading_is_unusual(const SymbolList *symbols, const Reading *reading)
{
    for (int i = 0; i < symbols->count; i++)
        if (symbols->items[i].is_ours && reading->choices[i] > 0)
            return true;
    return false;
}
