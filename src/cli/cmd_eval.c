#include "cli/query.h"
#include "lang/check.h"

#include <math.h>

/* The names of the present context; p and m only where they are given. */
typedef struct {
    Scope scope;
    Frame frame;
} Context;

static void add_name(const Query *query, Context *context, const char *name, Type type,
                     Dimension dimension, const void *value)
{
    int slot = scope_add(query->arena, &context->scope, (Variable){name, type, dimension, false});
    context->frame.slots[slot] = value;
}

/* Do the ports of a rank depend on the network that it is in? */
static bool ports_are_of_network(const Rules *rules)
{
    return rules->all_ports || (rules->level_count && !rules->fixed_ports);
}

/* d, where it is known. False after a report. */
static bool add_ports(const Query *query, Context *context)
{
    const Rules *rules = &query->rules;
    int64_t *ports = ARENA_COPY(query->arena, int64_t, &rules->ports, 1);
    if (ports_are_of_network(rules) && query->ranks.count) {
        Network network;
        if (!query_network(query, 0, &network))
            return false;
        *ports = rules_ports(rules, &network);
    }
    if (!rules->all_ports || query->ranks.count)
        add_name(query, context, "d", TYPE_INT, DIMENSION_NONE, ports);
    return true;
}

static bool fill_context(const Query *query, Context *context)
{
    *context = (Context){0};
    if (query->ranks.count)
        add_name(query, context, "p", TYPE_INT, DIMENSION_NONE, query->ranks.items);
    if (query->sizes.count)
        add_name(query, context, "m", TYPE_REAL, DIMENSION_BYTES, query->sizes.items);
    if (query->k)
        add_name(query, context, "k", TYPE_INT, DIMENSION_NONE, &query->k);
    add_name(query, context, "root", TYPE_INT, DIMENSION_NONE, &query->root);
    if (query->target >= 0)
        add_name(query, context, "target", TYPE_INT, DIMENSION_NONE, &query->target);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        add_name(query, context, parameter_info[i].name, TYPE_REAL, parameter_info[i].dimension,
                 &query->rules.parameters[i]);
    return add_ports(query, context);
}

/* Does the expression name p, m, k or d without a value for it? */
static bool names_missing(const Expr *expr, const Scope *scope)
{
    bool is_one = text_equals(expr->text, "p") || text_equals(expr->text, "m") ||
                  text_equals(expr->text, "k") || text_equals(expr->text, "d");
    if (expr->kind == EXPR_VARIABLE)
        return is_one && scope_find(scope, expr->text) < 0;
    for (int i = 0; i < expr->argument_count; i++)
        if (names_missing(expr->arguments[i], scope))
            return true;
    return false;
}

static const char *show_value(Arena *arena, double value, Dimension dimension)
{
    if (dimension_equal(dimension, DIMENSION_TIME))
        return quantity_show_time(arena, value);
    if (dimension_equal(dimension, DIMENSION_BYTES))
        return quantity_show_bytes(arena, value);
    if (dimension_equal(dimension, DIMENSION_BANDWIDTH))
        return quantity_show_bandwidth(arena, value);
    const char *unit = dimension_unit(arena, dimension);
    return arena_printf(arena, "%.10g%s%s", value, *unit ? " " : "", unit);
}

static void write_value(const Query *query, const Expr *expr, double value)
{
    FILE *out = query->line->out;
    const char *unit = dimension_unit(query->arena, expr->dimension);
    if (query->format == FORMAT_JSON) {
        fputs("{\"value\": ", out);
        if (expr->type == TYPE_BOOL)
            fputs(value != 0 ? "true" : "false", out);
        else
            json_number(out, value);
        fputs(", \"unit\": ", out);
        json_string(out, unit);
        fputs("}\n", out);
    } else if (query->format == FORMAT_CSV) {
        fprintf(out, "value,unit\n%.17g,%s\n", value, unit);
    } else if (expr->type == TYPE_BOOL) {
        fprintf(out, "%s\n", value != 0 ? "true" : "false");
    } else {
        fprintf(out, "%s\n", show_value(query->arena, value, expr->dimension));
    }
}

static Status run(const CommandLine *line)
{
    Query query;
    Context context;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    if (query.ranks.count > 1 || query.sizes.count > 1) {
        diag_error(line->diag, NOWHERE, "'eval' takes one number of ranks and one size");
        return STATUS_BAD_INPUT;
    }
    if (!fill_context(&query, &context))
        return STATUS_BAD_INPUT;
    Expr *expr = parse_expression(line->arena, line->operands.items[0], line->diag);
    if (!expr)
        return STATUS_BAD_INPUT;
    if (!check_any(line->arena, expr, &context.scope, line->diag)) {
        if (names_missing(expr, &context.scope))
            diag_note(line->diag, NOWHERE,
                      "p has a value with -p, m with -m, k with --set k=, d of all ports with -t");
        return STATUS_BAD_INPUT;
    }
    Program *program = program_compile(line->arena, expr, &context.scope);
    double value;
    int64_t whole;
    bool is_real = expr->type == TYPE_REAL;
    if (!program_run(program, context.frame.slots, 1, is_real ? (void *)&value : &whole,
                     line->diag))
        return STATUS_BAD_INPUT;
    write_value(&query, expr, is_real ? value : (double)whole);
    return STATUS_FINE;
}

const Command command_eval = {
    .name = "eval",
    .operands = "EXPRESSION",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "any formula, with units",
    .description =
        "The value of a formula such as '(p - 1) * (ts + 1MiB * tw)'. Its names are the machine's\n"
        "ts, th, tw, tc, d (ports) and root; p with -p or -t, m with -m, k with --set k=,\n"
        "target with --to.",
    .options = OPTIONS_OF_COSTS & ~OPTIONS_OF_RULES,
    .run = run,
};
