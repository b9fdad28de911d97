#include "cli/formula.h"

#include "lang/check.h"
#include "lang/grammar.h"

#include <string.h>

/* Names of the context that have no value before it is given. */
static const char *const given_names[] = {"p", "m", "k", "d", "root", "target"};

bool formula_is_taken(Text name)
{
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (text_equals(name, parameter_info[i].name))
            return true;
    return text_among(name, given_names, COUNT_OF(given_names)) < COUNT_OF(given_names) ||
           text_equals(name, "ans") || grammar_is_reserved(name) || grammar_function(name) >= 0 ||
           measure_find(name) >= 0;
}

/* Room for sums in a formula that knows as many names as it can. */
enum { ROOM = MOST_SLOTS - 8 };
_Static_assert(COUNT_OF(given_names) + PARAMETER_COUNT + 1 < ROOM, "names of a formula");

static void add_name(TypedFormula *formula, const char *name, Type type, Dimension dimension,
                     const void *value)
{
    int slot = scope_add(formula->query->study.arena, &formula->scope,
                         (Variable){name, type, dimension, false});
    formula->frame.slots[slot] = value;
}

static void add_named(TypedFormula *formula, const NamedValue *named)
{
    const Value *value = &named->value;
    const void *at = value->type == TYPE_REAL ? (const void *)&value->real : &value->integer;
    add_name(formula, named->name, value->type, value->dimension, at);
}

static bool names(const Expr *expr, const char *name)
{
    bool does = expr->kind == EXPR_VARIABLE && text_equals(expr->text, name);
    for (int i = 0; i < expr->argument_count && !does; i++)
        does = names(expr->arguments[i], name);
    return does;
}

void formula_keep(const Query *query, const Value *value)
{
    const Context *context = query->line->context;
    if (context && context->answer && !value->name)
        *context->answer = (NamedValue){"ans", *value};
}

bool formula_open(const Query *query, TypedFormula *formula)
{
    *formula = (TypedFormula){.query = query, .measures = measures_of_line(query)};
    if (query->ranks.count == 1)
        add_name(formula, "p", TYPE_INT, DIMENSION_NONE, query->ranks.items);
    if (query->sizes.count == 1)
        add_name(formula, "m", TYPE_REAL, DIMENSION_BYTES, query->sizes.items);
    if (query->study.chosen.k)
        add_name(formula, "k", TYPE_INT, DIMENSION_NONE, &query->study.chosen.k);
    add_name(formula, "root", TYPE_INT, DIMENSION_NONE, &query->study.root);
    if (query->study.target >= 0)
        add_name(formula, "target", TYPE_INT, DIMENSION_NONE, &query->study.target);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        add_name(formula, parameter_info[i].name, TYPE_REAL, parameter_info[i].dimension,
                 &query->study.rules.parameters[i]);
    if (query->line->context && query->line->context->answer && query->line->context->answer->name)
        add_named(formula, query->line->context->answer);
    /* d, where it is known. */
    const Rules *rules = &query->study.rules;
    int64_t *ports = ARENA_COPY(query->study.arena, int64_t, &rules->ports, 1);
    /* Do the ports of a rank depend on the network that it is in? */
    if ((rules->all_ports || rules->level_ports || (rules->level_count && !rules->fixed_ports)) &&
        query->ranks.count == 1) {
        Network network;
        if (!query_network(query, 0, &network))
            return false;
        *ports = rules_ports(rules, &network);
    }
    if (!(rules->all_ports || rules->level_ports) || query->ranks.count == 1)
        add_name(formula, "d", TYPE_INT, DIMENSION_NONE, ports);
    return true;
}

static bool check_formula(TypedFormula *formula, Expr *expr)
{
    const Query *query = formula->query;
    const Context *context = query->line->context;
    const NamedValueArray *lets = context ? &context->lets : &(NamedValueArray){0};
    const bool are_few = lets->count < ROOM / 2;
    for (size_t i = 0; i < lets->count; i++) {
        /* Of many names of a session those that the expression has. */
        const NamedValue *named = &lets->items[i];
        if ((!are_few && !names(expr, named->name)) ||
            scope_find(&formula->scope, text_plain(named->name)) >= 0)
            continue;
        if (formula->scope.count == ROOM)
            return diag_error(query->study.diag, expr->text.span, "too many names in a formula");
        add_named(formula, named);
    }
    if (check_any(query->study.arena, expr, &formula->scope, query->study.diag))
        return true;
    bool is_missing = false; /* p, m, k or d */
    for (int i = 0; i < 4; i++)
        is_missing |= names(expr, given_names[i]) &&
                      scope_find(&formula->scope, text_plain(given_names[i])) < 0;
    if (is_missing)
        diag_note(
            query->study.diag, NOWHERE, "%s",
            context && context->has_lines
                ? "p has a value after 'set p = 8' or 'use full:8', m after 'set m = 1MiB', k "
                  "after 'set k = 4', d of all ports after 'use full:8'"
                : "p has a value with -p, m with -m, k with --set k=, d of all ports with -t");
    return false;
}

bool formula_evaluate(TypedFormula *formula, const Expr *expr, Value *value)
{
    const Query *query = formula->query;
    bool is_real = expr->type == TYPE_REAL;
    *value = (Value){.type = expr->type, .dimension = expr->dimension};
    for (size_t i = 0; i < formula->algorithms.count; i++)
        if (formula->algorithms.items[i].place == expr)
            value->name = formula->algorithms.items[i].name;
    Program *program = program_compile(query->study.arena, expr, &formula->scope);
    static const char *const named[][2] = {{"k", "k"}, {"root", "root"}, {"m", "size"}};
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (names(expr, named[i][0]))
            study_note(&query->study, named[i][1], true);
    return program_run(program, formula->frame.slots, 1,
                       is_real ? (void *)&value->real : &value->integer, query->study.diag);
}

static bool resolve(TypedFormula *formula, Expr *expr);

/* The value of an algorithm is the place where its name first stood. */
static void become_name(TypedFormula *formula, Expr *expr, const char *name)
{
    size_t number = 0;
    AlgorithmNameArray *known = &formula->algorithms;
    while (number < known->count && strcmp(known->items[number].name, name) != 0)
        number++;
    *ARRAY_PUSH(formula->query->study.arena, known) = (AlgorithmName){expr, name};
    *expr = (Expr){.kind = EXPR_NUMBER,
                   .type = TYPE_INT,
                   .text = expr->text,
                   .integer = (int64_t)number,
                   .real = (double)number};
}

static bool resolve_call(TypedFormula *formula, Expr *call, MeasureKind kind)
{
    Value value;
    Measure measure = {.kind = kind, .call = call->text};
    const MeasureInfo *info = &measure_info[kind];
    const int most = kind == MEASURE_SWITCH || kind == MEASURE_MEASURED ? 3 : 2;
    const int place = kind == MEASURE_MEASURED ? 2 : 1; /* of the size */
    const Query *query = formula->query;
    if (call->argument_count < info->fewest || call->argument_count > most)
        return diag_error(formula->query->study.diag, call->text.span, "usage: %s(%s)", info->name,
                          info->arguments);
    measure.log = call->arguments[0]->text;
    measure.subject = call->arguments[kind == MEASURE_MEASURED]->text;
    if (kind == MEASURE_SWITCH) {
        measure.from = call->arguments[1]->text;
        measure.to = call->arguments[2]->text;
    } else if (call->argument_count <= place) {
        /* The size that it is asked for is the context's. */
        if (query->asked.count != 1)
            return line_lacks(query->line, call->text.span, OPTION_SIZE,
                              arena_printf(query->study.arena, "'%s' needs a size: %s(%s)",
                                           info->name, info->name, info->arguments));
        measure.bytes = query->asked.items[0];
    } else {
        Expr *size = call->arguments[place];
        if (!resolve(formula, size) || !check_formula(formula, size) ||
            !formula_evaluate(formula, size, &value))
            return false;
        measure.bytes = value_number(&value);
        if (value.name || value.type == TYPE_BOOL || !(measure.bytes >= 0) ||
            !(dimension_equal(value.dimension, DIMENSION_BYTES) ||
              dimension_equal(value.dimension, DIMENSION_NONE)))
            return diag_error(query->study.diag, size->text.span,
                              "expected a size in bytes, such as 1MiB");
        if (!query_check_size(query, size->text, measure.bytes))
            return false;
    }
    if (!measure_take(formula->measures, formula->query, &measure, &value, &formula->is_wrong))
        return false;
    if (value.name)
        become_name(formula, call, value.name);
    else
        *call = (Expr){.kind = EXPR_NUMBER,
                       .type = value.type,
                       .text = call->text,
                       .integer = value.integer,
                       .real = value_number(&value),
                       .dimension = value.dimension};
    return true;
}

static bool is_best(const Expr *expr)
{
    return expr->kind == EXPR_CALL && measure_find(expr->text) == MEASURE_BEST;
}

/* Replaces what is asked about algorithms by its value, everywhere in the tree. */
static bool resolve(TypedFormula *formula, Expr *expr)
{
    int kind = expr->kind == EXPR_CALL ? measure_find(expr->text) : -1;
    if (kind >= 0)
        return resolve_call(formula, expr, (MeasureKind)kind);
    Comparison found = {.whole = expr};
    if (parse_sides(expr, &found.left, &found.right))
        *ARRAY_PUSH(formula->query->study.arena, &formula->comparisons) = found;
    /* There is no arithmetic with algorithms. */
    bool compares = expr->kind == EXPR_EQUAL || expr->kind == EXPR_UNEQUAL;
    for (int i = 0; i < expr->argument_count && !compares; i++)
        if (is_best(expr->arguments[i]))
            return diag_error(
                formula->query->study.diag, expr->arguments[i]->text.span,
                "this is the name of an algorithm: compare it, as in best(...) == ring");
    for (int i = 0; i < 2 && compares; i++) {
        /* best(...) == ring: the other side is a name, unless it is a best(...) too. */
        Expr *asking = expr->arguments[i], *other = expr->arguments[1 - i];
        if (!is_best(asking) || is_best(other) || asking->argument_count == 0)
            continue;
        const char *name = measure_algorithm(formula->measures, formula->query,
                                             asking->arguments[0]->text, other->text);
        if (!name)
            return false;
        become_name(formula, other, name);
    }
    for (int i = 0; i < expr->argument_count; i++)
        if (!resolve(formula, expr->arguments[i]))
            return false;
    return true;
}

bool formula_parses(Arena *arena, Text text)
{
    Diag silent = diag_silent();
    return parse_question(arena, text, &silent) != NULL;
}

Expr *formula_read(TypedFormula *formula, Text text)
{
    const Query *query = formula->query;
    Expr *expr = parse_question(query->study.arena, text, query->study.diag);
    return expr && resolve(formula, expr) && check_formula(formula, expr) ? expr : NULL;
}

Status formula_status(const TypedFormula *formula)
{
    return formula->is_wrong ? STATUS_CHECK_FAILED : STATUS_BAD_INPUT;
}
