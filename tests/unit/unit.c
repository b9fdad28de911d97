#include "unit.h"

#include "cli/messages.h"
#include "lang/check.h"
#include "lang/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Fixture *fixture_open(void)
{
    Workspace *workspace = calloc(1, sizeof *workspace);
    Arena *arena = arena_create(workspace);
    Fixture *fixture = ARENA_NEW(arena, Fixture);
    fixture->arena = arena;
    fixture->stream = open_memstream(&fixture->messages, &fixture->message_length);
    fixture->diag = messages_to(fixture->stream);
    fixture->kept = arena_scratch(arena);
    fixture->library = library_open(fixture->kept);
    return fixture;
}

void fixture_close(Fixture *fixture)
{
    assert_no_error(fixture);
    fclose(fixture->stream);
    free(fixture->messages);
    Workspace *workspace = arena_workspace(fixture->arena);
    arena_destroy(fixture->kept);
    arena_destroy(fixture->arena);
    free(workspace);
}

Text text_of(Fixture *fixture, const char *string)
{
    size_t length = strlen(string);
    const Source *source = source_from_text(fixture->arena, "text", string, length);
    return (Text){string, length, {source, 0, length}, true};
}

const char *take_messages(Fixture *fixture)
{
    fflush(fixture->stream);
    const char *taken = arena_copy(fixture->arena, fixture->messages, fixture->message_length);
    rewind(fixture->stream);
    fixture->diag.error_count = 0;
    return taken;
}

void assert_error_at(Fixture *fixture, const char *name, size_t line, size_t column)
{
    size_t errors = fixture->diag.error_count;
    const char *messages = take_messages(fixture);
    const char *place = arena_printf(fixture->arena, "%s:%zu:%zu: error: ", name, line, column);
    ck_assert_msg(errors == 1, "1 error was expected, not %zu:\n%s", errors, messages);
    ck_assert_msg(strncmp(messages, place, strlen(place)) == 0, "%swas expected, not:\n%s", place,
                  messages);
}

void assert_error(Fixture *fixture)
{
    ck_assert_uint_gt(fixture->diag.error_count, 0);
    take_messages(fixture);
}

void assert_no_error(Fixture *fixture)
{
    size_t errors = fixture->diag.error_count;
    ck_assert_msg(errors == 0, "an unexpected error:\n%s", take_messages(fixture));
}

static int name_variable(Fixture *fixture, const char *name, Type type, Dimension dimension)
{
    int slot = scope_add(fixture->arena, &fixture->scope, (Variable){name, type, dimension, false});
    ck_assert_int_lt(slot, MOST_NAMES);
    return slot;
}

void name_whole(Fixture *fixture, const char *name, int64_t value)
{
    fixture->whole[name_variable(fixture, name, TYPE_INT, DIMENSION_NONE)] = value;
}

void name_real(Fixture *fixture, const char *name, Dimension dimension, double value)
{
    fixture->real[name_variable(fixture, name, TYPE_REAL, dimension)] = value;
}

Expr *checked(Fixture *fixture, const char *expression)
{
    Expr *expr = parse_expression(fixture->arena, text_of(fixture, expression), &fixture->diag);
    return expr ? check_any(fixture->arena, expr, &fixture->scope, &fixture->diag) : NULL;
}

bool exact_value(Fixture *fixture, const Expr *expr, Exact *value)
{
    size_t count = fixture->scope.count + (size_t)expr_slot_count(expr);
    Exact *slots = ARENA_ARRAY(fixture->arena, Exact, count);
    for (size_t i = 0; i < fixture->scope.count; i++)
        slots[i] = fixture->scope.items[i].type == TYPE_REAL ? exact_from_double(fixture->real[i])
                                                             : exact_from_int(fixture->whole[i]);
    return exact_evaluate(expr, slots, value, &fixture->diag);
}

bool program_value(Fixture *fixture, const Expr *expr, double *value)
{
    const void *slots[MOST_NAMES + 8] = {NULL};
    union {
        int64_t whole;
        double real;
    } out;
    for (size_t i = 0; i < fixture->scope.count; i++)
        slots[i] = fixture->scope.items[i].type == TYPE_REAL ? (const void *)&fixture->real[i]
                                                             : (const void *)&fixture->whole[i];
    Program *program = program_compile(fixture->arena, expr, &fixture->scope);
    if (!program_run(program, slots, 1, &out, &fixture->diag))
        return false;
    *value = expr->type == TYPE_REAL ? out.real : (double)out.whole;
    return true;
}

void assert_fraction(Fixture *fixture, const char *expression, int64_t numerator,
                     int64_t denominator)
{
    Expr *expr = checked(fixture, expression);
    Exact exact;
    double computed;
    assert_no_error(fixture);
    ck_assert(exact_value(fixture, expr, &exact));
    ck_assert_msg(exact.exact, "%s is inexact", expression);
    ck_assert_msg(exact.numerator == numerator && exact.denominator == denominator,
                  "%s is %s in exact arithmetic", expression, exact_show(fixture->arena, exact));
    ck_assert(program_value(fixture, expr, &computed));
    ck_assert_msg(computed == (double)numerator / (double)denominator, "%s is %.17g in a program",
                  expression, computed);
}

void assert_whole(Fixture *fixture, const char *expression, int64_t expected)
{
    assert_fraction(fixture, expression, expected, 1);
    ck_assert_msg(checked(fixture, expression)->type == TYPE_INT, "%s is not whole", expression);
}

void assert_no_value(Fixture *fixture, const char *expression, size_t column)
{
    Expr *expr = checked(fixture, expression);
    Exact exact;
    double computed;
    assert_no_error(fixture);
    ck_assert_msg(!exact_value(fixture, expr, &exact), "%s has a value in exact arithmetic",
                  expression);
    assert_error_at(fixture, "text", 1, column);
    ck_assert_msg(!program_value(fixture, expr, &computed), "%s is %g in a program", expression,
                  computed);
    assert_error_at(fixture, "text", 1, column);
}

bool add_models(Fixture *fixture, const char *yaml)
{
    const Source *source = source_from_text(
        fixture->arena, "user.yaml", arena_copy(fixture->arena, yaml, strlen(yaml)), strlen(yaml));
    return library_add_source(fixture->library, source, &fixture->diag);
}

void use_models(Fixture *fixture, const char *yaml)
{
    bool good = add_models(fixture, yaml);
    assert_no_error(fixture);
    ck_assert(good);
}

void assert_program_error_at(Fixture *fixture, const char *collective, const char *program,
                             size_t line, size_t column)
{
    const char *text =
        arena_printf(fixture->arena, "algorithm: x\ncollective: %s\n%s", collective, program);
    ck_assert(!add_models(fixture, text));
    assert_error_at(fixture, "user.yaml", line, column);
}

const Algorithm *algorithm_named(Fixture *fixture, const char *full_name)
{
    const Algorithm *algorithm =
        library_algorithm(fixture->library, text_of(fixture, full_name), &fixture->diag);
    assert_no_error(fixture);
    ck_assert_ptr_nonnull(algorithm);
    return algorithm;
}

const Collective *collective_named(Fixture *fixture, const char *name)
{
    const Collective *collective =
        library_collective(fixture->library, text_of(fixture, name), &fixture->diag);
    assert_no_error(fixture);
    ck_assert_ptr_nonnull(collective);
    return collective;
}

Network network_of(Fixture *fixture, const char *topology, int64_t p)
{
    Network network;
    const Topology *found =
        library_topology(fixture->library, text_of(fixture, topology), &fixture->diag);
    assert_no_error(fixture);
    const Shape shape = topology_shape(found, p);
    ck_assert(network_create(fixture->arena, found, &shape, TIES_PLUS, &network, &fixture->diag));
    return network;
}

Network network_named(Fixture *fixture, const char *name, Ties ties)
{
    Network network;
    Shape shape;
    size_t colon = strcspn(name, ":");
    Text text = text_of(fixture, name);
    const Topology *found =
        library_topology(fixture->library, text_slice(text, 0, colon), &fixture->diag);
    assert_no_error(fixture);
    ck_assert(topology_parse_shape(found, text_slice(text, colon + 1, text.length - colon - 1),
                                   &shape, &fixture->diag));
    ck_assert(network_create(fixture->arena, found, &shape, ties, &network, &fixture->diag));
    return network;
}

Instance instance_of(Fixture *fixture, const char *algorithm, int64_t p, int64_t root, int64_t k)
{
    return (Instance){
        .algorithm = algorithm_named(fixture, algorithm), .p = p, .root = root, .k = k, .ports = 1};
}

static bool write_round(void *context, const Round *round, Arena *arena)
{
    FILE *out = context;
    bool is_first = true;
    (void)arena;
    for (size_t i = 0; i < round->count; i++) {
        const ScheduledTransfer *transfer = &round->transfers[i];
        if (transfer->from == transfer->to)
            continue; /* no message */
        fprintf(out, "%s%lld>%lld %s ",
                !is_first        ? ", "
                : ftell(out) > 0 ? "; "
                                 : "",
                (long long)transfer->from, (long long)transfer->to, verb_info[transfer->verb].key);
        is_first = false;
        for (size_t b = 0; b < transfer->block_count; b++)
            fprintf(out, "%s%lld", b ? "+" : "",
                    (long long)round->blocks[transfer->first_block + b]);
    }
    return true;
}

const char *schedule_text(Fixture *fixture, const Instance *instance)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = schedule_expand(instance, write_round, out, &fixture->diag);
    fclose(out);
    const char *copy = arena_copy(fixture->arena, text, length);
    free(text);
    return good ? copy : NULL;
}

Rules rules_of(Prices link_costs, int64_t ports)
{
    return (Rules){.parameters = {link_costs.ts, link_costs.th, link_costs.tw, link_costs.tc},
                   .ports = ports};
}

double derived_time(Fixture *fixture, const Instance *instance, const Network *network,
                    Prices link_costs, double bytes)
{
    Profile profile;
    const Rules rules = rules_of(link_costs, instance->ports);
    bool good = profile_derive(fixture->arena, instance, network, &rules, &profile, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    CostParts parts = profile_cost(&profile, rules.parameters, bytes);
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

Curve *curve_of(Fixture *fixture, const char *algorithm, const Network *network, int64_t root,
                const Rules *rules, int64_t k)
{
    Curve *curve = curve_create(
        fixture->arena,
        &(CurveSubject){
            algorithm_named(fixture, algorithm), network, rules, {.root = root, .target = 0}},
        &(FreeChoice){.k = k}, &fixture->diag);
    assert_no_error(fixture);
    ck_assert_ptr_nonnull(curve);
    return curve;
}

void assert_near(double actual, double expected, double relative)
{
    ck_assert_msg(fabs(actual - expected) <= relative * fabs(expected),
                  "%.17g was expected, not %.17g", expected, actual);
}
