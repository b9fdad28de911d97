#include "claims/readings.h"

#include "base/limits.h"
#include "lang/informal.h"
#include "lang/parse.h"
#include "lang/show.h"
#include "model/claim.h"

#include <string.h>

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

/* A formula while it is written down in one reading. */
typedef struct {
    Arena *arena;
    const SymbolList *symbols;
    const int *choices;
    Expr *when;
    bool good;
} Writer;

static Expr *write_expr(Writer *writer, const Expr *expr, const BoundName *bound, bool is_rounded);

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
    int i = symbols_place(writer->symbols, name);
    return i < 0 ? MEANING_COUNT : writer->symbols->items[i].meanings[writer->choices[i]];
}

static bool is_inverse(const Writer *writer, const Expr *expr, const BoundName *bound)
{
    if (expr->kind != EXPR_VARIABLE || symbol_is_bound(bound, expr->text))
        return false;
    Meaning meaning = meaning_of(writer, expr->text);
    return meaning < MEANING_COUNT && meaning_info[meaning].inverse;
}

/* The first bandwidth that is a factor of this, or NULL. */
static const Expr *find_inverse(const Writer *writer, const Expr *expr, const BoundName *bound)
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
static Expr *write_times(Writer *writer, const Expr *expr, const char *tw, const BoundName *bound)
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
static Expr *write_quotient(Writer *writer, const Expr *expr, const BoundName *bound)
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
static Expr *count_powers(Writer *writer, const Expr *log, const BoundName *bound, bool up)
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

static Expr *write_rounded(Writer *writer, const Expr *log, const BoundName *bound, bool up)
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
static void add_condition(Writer *writer, const Expr *log, const BoundName *bound)
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

static Expr *write_logarithm(Writer *writer, const Expr *log, const BoundName *bound,
                             bool is_rounded)
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

static Expr *write_other(Writer *writer, const Expr *expr, const BoundName *bound)
{
    bool loops = expr_is_loop(expr);
    BoundName own = {loops ? expr->arguments[0]->text : expr->text, bound};
    Expr *copy = ARENA_NEW(writer->arena, Expr);
    *copy = *expr;
    for (int i = 0; i < expr->argument_count; i++)
        copy->arguments[i] =
            write_expr(writer, expr->arguments[i], loops && (i == 0 || i == 3) ? &own : bound,
                       expr_is_rounding(expr));
    return copy;
}

/* What one of two formulas needs it needs only where it counts. */
static Expr *write_choice(Writer *writer, const Expr *expr, const BoundName *bound)
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

static Expr *write_power(Writer *writer, const Expr *expr, const BoundName *bound)
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

static Expr *write_expr(Writer *writer, const Expr *expr, const BoundName *bound, bool is_rounded)
{
    const Expr *first = expr->argument_count ? expr->arguments[0] : NULL;
    if (expr->kind == EXPR_MULTIPLY && first->kind == EXPR_POWER && has_half(expr->arguments[1]) &&
        is_inverse(writer, first->arguments[0], bound))
        return write_times(writer, expr->arguments[1], inverse_name(writer, first->arguments[0]),
                           bound);
    if (expr->kind == EXPR_VARIABLE) {
        const Meaning meaning = meaning_of(writer, expr->text);
        if (symbol_is_bound(bound, expr->text) || meaning == MEANING_COUNT)
            return make(writer, EXPR_VARIABLE, expr->text, NULL, NULL);
        writer->good &= !meaning_info[meaning].inverse && meaning != MEANING_HALF;
        return make_variable(writer, name_of(writer, meaning), expr->text);
    }
    if (expr->kind == EXPR_DIVIDE)
        return write_quotient(writer, expr, bound);
    if (expr->kind == EXPR_POWER)
        return write_power(writer, expr, bound);
    if (expr->kind == EXPR_WHEN)
        return write_choice(writer, expr, bound);
    if (expr_is_rounding(expr) && informal_is_call(expr->arguments[0], "log") &&
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

/* Two letters that mean the same, unless neither can mean anything else; false: none. */
static bool find_same(const SymbolList *symbols, const int *choices, int *first, int *second)
{
    for (int i = 0; i < symbols->count; i++)
        for (int j = 0; j < i; j++)
            if (symbols->items[i].meanings[choices[i]] == symbols->items[j].meanings[choices[j]] &&
                (symbols->items[i].count > 1 || symbols->items[j].count > 1)) {
                *first = j, *second = i;
                return true;
            }
    return false;
}

bool readings_check_same(const SymbolList *symbols, const int *choices, bool is_right, Diag *diag)
{
    int first, second;
    if (!find_same(symbols, choices, &first, &second))
        return true;
    const Symbol *a = &symbols->items[first], *b = &symbols->items[second];
    const Meaning meaning = a->meanings[choices[first]];
    if (meaning == MEANING_RANKS && is_right)
        return true;
    diag_error(diag, b->name.span, "'%.*s' and '%.*s' would both be %s", TEXT_ARGS(a->name),
               TEXT_ARGS(b->name), meaning_info[meaning].what);
    return diag_note(diag, NOWHERE, "--read NAME=READING says what a letter is");
}

/* Terms without a time are numbers of multiply-adds, which texts take for the unit of time. */
static Expr *give_units(Writer *writer, Expr *expr)
{
    bool is_sum = expr->kind == EXPR_ADD || expr->kind == EXPR_SUBTRACT;
    if (!claim_names_time(expr))
        return make(writer, EXPR_MULTIPLY, expr->text, expr,
                    make_variable(writer, "tm", expr->text));
    if (is_sum || expr->kind == EXPR_MULTIPLY || expr->kind == EXPR_DIVIDE)
        for (int i = 0; i < 2; i++)
            if (is_sum || claim_names_time(expr->arguments[i]))
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

void readings_visit(Arena *arena, const Expr *formula, const SymbolList *symbols, bool apart,
                    ReadingVisitor visit, void *context)
{
    enum { LARGEST_SUM = MOST_SYMBOLS * (MOST_MEANINGS - 1) };
    bool more = true;
    for (int sum = 0; sum <= LARGEST_SUM && more; sum++) {
        int choices[MOST_SYMBOLS] = {0}, looked_at = 0, first, second;
        do {
            int own_sum = 0;
            for (int i = 0; i < symbols->count; i++)
                own_sum += choices[i];
            if (own_sum == sum && !(apart && find_same(symbols, choices, &first, &second)))
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
