#include "cli/explain_break_even.h"
#include "cli/setting.h"
#include "cost/derive.h"
#include "study/candidates.h"
#include "study/explain_rounds.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Ranks times chunks up to which a schedule is followed round by round. */
enum { MOST_WORK = 1 << 16, LONGEST_NAME = 32 };

/* Times that differ by less than this share of the whole are equal. */
static const double rounding = 1e-12;

typedef enum {
    PART_STARTUP,
    PART_HOP,
    PART_TRANSFER,
    PART_CONTENTION,
    PART_COMPUTE,
    PART_TOTAL,
    PART_COUNT
} Part;

static const char *const part_names[PART_COUNT] = {"startup",    "hop time", "transfer",
                                                   "contention", "compute",  "total"};

/* One of the two algorithms. */
typedef struct {
    const Algorithm *algorithm;
    const char *label; /* its name, unless that is long */
    CurveCost cost;
    double parts[PART_COUNT]; /* contention is NAN where it is not known */
} Side;

typedef struct {
    const Query *query;
    const Collective *collective;
    Network network;
    double bytes;
    Comparison comparison;
    Side sides[2];
    bool has_rounds;
    RoundFacts rounds[2];
    BreakEvens break_evens;
    int order; /* -1: the first is faster */
} Explanation;

static Instance instance_of(const Explanation *explanation, int which)
{
    const Side *side = &explanation->sides[which];
    const Query *query = explanation->query;
    return (Instance){side->algorithm,
                      explanation->network.p,
                      query->study.root,
                      (int64_t)floor(side->cost.k),
                      rules_ports(&query->study.rules, &explanation->network),
                      &explanation->network.shape,
                      query->study.target,
                      0};
}

static bool can_be_followed(const Explanation *explanation, int which)
{
    const Side *side = &explanation->sides[which];
    double k = side->cost.k;
    return k == floor(k) && k * (double)explanation->network.p <= MOST_WORK;
}

/* What the time would be if each message had its links for itself. */
static bool find_contention(const Explanation *explanation, int which, CostParts *alone)
{
    Instance instance = instance_of(explanation, which);
    Rules rules = explanation->query->study.rules;
    Arena *scratch = arena_scratch(explanation->query->study.arena);
    Diag silent = diag_silent();
    Profile profile;
    rules.contention = CONTENTION_NONE;
    bool good =
        can_be_followed(explanation, which) &&
        profile_derive(scratch, &instance, &explanation->network, &rules, &profile, &silent);
    if (good)
        *alone = profile_cost(&profile, rules.parameters, explanation->bytes);
    arena_destroy(scratch);
    return good;
}

static void fill_parts(const Explanation *explanation, int which, Side *side)
{
    CostParts parts = side->cost.parts;
    double contention = NAN;
    if (find_contention(explanation, which, &parts))
        contention = side->cost.total - cost_total(parts);
    if (fabs(contention) < rounding * side->cost.total)
        contention = 0;
    const double values[PART_COUNT] = {parts.startup, parts.hop,     parts.transfer,
                                       contention,    parts.compute, side->cost.total};
    for (int i = 0; i < PART_COUNT; i++)
        side->parts[i] = values[i];
}

static bool open_comparison(Explanation *explanation)
{
    const Query *query = explanation->query;
    explanation->comparison = (Comparison){
        .algorithms = {explanation->sides[0].algorithm, explanation->sides[1].algorithm},
        .network = &explanation->network,
        .root = query->study.root,
        .target = query->study.target,
        .k = query->study.k,
        .machine = &query->study.machine,
        .rules = &query->study.rules,
        .bytes = explanation->bytes};
    return comparison_open(query->study.arena, &explanation->comparison, query->study.diag);
}

static bool find_costs(Explanation *explanation)
{
    Diag *diag = explanation->query->study.diag;
    for (int i = 0; i < 2; i++) {
        Side *side = &explanation->sides[i];
        if (!curve_cost(explanation->comparison.current->curves[i], explanation->bytes, &side->cost,
                        diag))
            return false;
        fill_parts(explanation, i, side);
    }
    return comparison_order(&explanation->comparison, &explanation->order, diag);
}

static bool find_rounds(Explanation *explanation)
{
    const Instance instances[2] = {instance_of(explanation, 0), instance_of(explanation, 1)};
    Query quiet = *explanation->query;
    Diag silent = diag_silent();
    quiet.study.diag = &silent;
    explanation->has_rounds = !quiet.study.rules.asynchronous && can_be_followed(explanation, 0) &&
                              can_be_followed(explanation, 1) &&
                              explain_rounds(&quiet.study, &explanation->network, instances,
                                             explanation->bytes, explanation->rounds);
    return true;
}

static Table *open_table(const Explanation *explanation, TableId id)
{
    const Query *query = explanation->query;
    return table_open(query->study.arena, query->line->out, query->format, id);
}

static void write_costs(const Explanation *explanation)
{
    Table *table = open_table(explanation, TABLE_explain_costs);
    put_text(table, KEY_collective, explanation->collective->head.name);
    put_text(table, KEY_topology, explanation->network.name);
    put_number(table, KEY_p, (double)explanation->network.p);
    put_number(table, KEY_m_bytes, explanation->bytes);
    setting_put(table, explanation->query, explanation->collective->problem,
                setting_rules(explanation->query, &explanation->network));
    for (int i = 0; i < 2; i++) {
        const Side *side = &explanation->sides[i];
        const double *parts = side->parts;
        put_text(table, KEY_algorithm, side->algorithm->head.name);
        if (side->algorithm->free_chunks)
            put_number(table, KEY_k, side->cost.k);
        put_number(table, KEY_rounds, (double)side->cost.rounds);
        put_number(table, KEY_startup_s, parts[PART_STARTUP]);
        put_number(table, KEY_hop_s, parts[PART_HOP]);
        put_number(table, KEY_transfer_s, parts[PART_TRANSFER]);
        put_number(table, KEY_contention_s, parts[PART_CONTENTION]);
        put_number(table, KEY_compute_s, parts[PART_COMPUTE]);
        put_number(table, KEY_total_s, parts[PART_TOTAL]);
        put_text(table, KEY_time_from, side->cost.closed ? "closed form" : "schedule");
        table_row(table);
    }
    table_close(table);
}

/* The parts side by side, and what the first pays more. Contention is a difference of totals, and
   as exact as these. */
static void write_parts(const Explanation *explanation)
{
    const Side *sides = explanation->sides;
    Arena *arena = explanation->query->study.arena;
    const char *more = arena_printf(arena, "%s pays more", sides[0].label);
    Table *table = open_table(explanation, TABLE_explain_parts);
    table_title(table, KEY_part_of_first, sides[0].label);
    table_title(table, KEY_part_of_second, sides[1].label);
    table_title(table, KEY_part_more, more);
    for (int i = 0; i < PART_COUNT; i++) {
        double a = sides[0].parts[i], b = sides[1].parts[i];
        double whole = i == PART_CONTENTION ? sides[0].cost.total : fmax(fabs(a), fabs(b));
        bool is_same = fabs(a - b) <= rounding * whole;
        put_text(table, KEY_part, part_names[i]);
        put_number(table, KEY_part_of_first, a);
        put_number(table, KEY_part_of_second, b);
        put_number(table, KEY_part_more, is_same ? 0 : a - b);
        table_row(table);
    }
    table_close(table);
}

static void write_fact(const Explanation *explanation, const char *which, int side,
                       const RoundFact *fact, Table *table)
{
    bool is_text = explanation->query->format == FORMAT_TEXT;
    const Side *of = &explanation->sides[side];
    const char *name = is_text ? of->label : of->algorithm->head.name;
    bool has_round = fact->number > 0,
         has_message = has_round && fact->bytes >= 0 && fact->from >= 0;
    put_text(table, KEY_which, which);
    put_text(table, KEY_algorithm, name);
    if (has_round) {
        put_number(table, KEY_round, (double)fact->number);
        put_number(table, KEY_time_s, fact->seconds);
    }
    if (has_message) {
        put_number(table, KEY_from, (double)fact->from);
        put_number(table, KEY_to, (double)fact->to);
        put_number(table, KEY_bytes, fact->bytes);
    }
    if (fact->has_link) {
        put_number(table, KEY_link_from, (double)fact->link_from);
        put_number(table, KEY_link_to, (double)fact->link_to);
        put_text(table, KEY_busiest_link,
                 arena_printf(explanation->query->study.arena, "%lld > %lld",
                              (long long)fact->link_from, (long long)fact->link_to));
        put_number(table, KEY_link_messages, (double)fact->messages);
        put_number(table, KEY_link_bytes, fact->load);
    }
    table_row(table);
}

/* A kind of rounds, of which facts are told. */
typedef struct {
    const char *key, *heading;
    size_t offset; /* in RoundFacts */
} RoundKind;

static const RoundKind round_kinds[] = {
    {"first_difference", "the first round whose time differs, with its slowest message",
     offsetof(RoundFacts, parting)},
    {"slowest", "the slowest round of each", offsetof(RoundFacts, slowest)},
    {"most_contended",
     "the round whose slowest message shares a link with the most bytes of others",
     offsetof(RoundFacts, crowded)},
};
enum { ROUND_KIND_COUNT = sizeof round_kinds / sizeof *round_kinds };

static const RoundFact *fact_of(const Explanation *explanation, const RoundKind *kind, int side)
{
    return (const RoundFact *)((const char *)&explanation->rounds[side] + kind->offset);
}

static void write_kind(const Explanation *explanation, const RoundKind *kind, Table *table)
{
    for (int i = 0; i < 2; i++)
        write_fact(explanation, kind->key, i, fact_of(explanation, kind, i), table);
}

/* Of all kinds, for programs. */
static void write_rounds(const Explanation *explanation)
{
    Table *table = open_table(explanation, TABLE_explain_rounds);
    for (int i = 0; i < ROUND_KIND_COUNT && explanation->has_rounds; i++)
        write_kind(explanation, &round_kinds[i], table);
    table_close(table);
}

/* For people a table for each kind of which there is something to tell. */
static void tell_rounds(const Explanation *explanation)
{
    for (int i = 0; i < ROUND_KIND_COUNT && explanation->has_rounds; i++) {
        const RoundKind *kind = &round_kinds[i];
        if (!fact_of(explanation, kind, 0)->number && !fact_of(explanation, kind, 1)->number)
            continue;
        fprintf(explanation->query->line->out, "\n%s\n", kind->heading);
        Table *table = open_table(explanation, TABLE_explain_rounds);
        write_kind(explanation, kind, table);
        table_close(table);
    }
}

static void write_break_evens(const Explanation *explanation)
{
    const Side *sides = explanation->sides;
    bool is_text = explanation->query->format == FORMAT_TEXT;
    const char *const names[2] = {is_text ? sides[0].label : sides[0].algorithm->head.name,
                                  is_text ? sides[1].label : sides[1].algorithm->head.name};
    explain_break_even_write(explanation->query, &explanation->break_evens,
                             &explanation->comparison, names, explanation->order);
}

static const char *faster_name(const Explanation *explanation)
{
    return explanation->order == 0
               ? NULL
               : explanation->sides[explanation->order > 0].algorithm->head.name;
}

static void write_json(const Explanation *explanation)
{
    const Query *query = explanation->query;
    Table *record = open_table(explanation, TABLE_explain);
    put_text(record, KEY_collective, explanation->collective->head.name);
    put_text(record, KEY_topology, explanation->network.name);
    put_number(record, KEY_p, (double)explanation->network.p);
    put_number(record, KEY_m_bytes, explanation->bytes);
    put_text(record, KEY_faster, faster_name(explanation));
    setting_put(record, query, explanation->collective->problem,
                setting_rules(query, &explanation->network));
    table_nest(record, KEY_costs);
    write_costs(explanation);
    table_nest(record, KEY_rounds_of_both);
    write_rounds(explanation);
    table_nest(record, KEY_break_even);
    write_break_evens(explanation);
    table_close(record);
}

static const char *describe_side(const Explanation *explanation, int which)
{
    const Side *side = &explanation->sides[which];
    Arena *arena = explanation->query->study.arena;
    const char *chunks =
        side->algorithm->free_chunks ? arena_printf(arena, ", k = %.10g", side->cost.k) : "";
    const char *name = side->algorithm->head.name;
    if (side->label != name)
        name = arena_printf(arena, "%s, %s", side->label, name);
    return arena_printf(arena, "%s: %lld rounds%s, from the %s", name, (long long)side->cost.rounds,
                        chunks, side->cost.closed ? "closed form" : "schedule");
}

static void write_verdict(const Explanation *explanation)
{
    FILE *out = explanation->query->line->out;
    const Side *faster = &explanation->sides[explanation->order > 0];
    const Side *slower = &explanation->sides[explanation->order <= 0];
    if (explanation->order == 0) {
        fputs("\nthey cost the same\n", out);
        return;
    }
    double share = slower->cost.total / faster->cost.total - 1;
    fprintf(out, "\n%s is faster: %s takes %s%s\n", faster->label, slower->label,
            quantity_show_share(explanation->query->study.arena, share),
            share < 10 ? " longer" : "");
}

static void write_text(const Explanation *explanation)
{
    const Query *query = explanation->query;
    FILE *out = query->line->out;
    fprintf(out, "%s on %s", explanation->collective->head.name, explanation->network.name);
    if (!explanation->collective->is_empty)
        fprintf(out, ", m = %s%s", quantity_show_bytes(query->study.arena, explanation->bytes),
                query_describe_size(query, query->asked.items[0]));
    fputs("\n", out);
    query_describe_machine(query);
    fprintf(out, "%s\n%s\n\n", describe_side(explanation, 0), describe_side(explanation, 1));
    write_parts(explanation);
    write_verdict(explanation);
    if (explanation->order)
        tell_rounds(explanation);
    fputs(explanation->order ? "\nwhat would reverse the order\n"
                             : "\nwhat would make one of them the faster\n",
          out);
    write_break_evens(explanation);
    fprintf(out, "\nrules: %s\n",
            rules_describe_on(query->study.arena, &query->study.rules, &explanation->network));
}

/* The second may leave out the collective: "ring", or stages, "ring along x, ring along y". */
static Text complete_operand(const Query *query, const Collective *collective, Text operand)
{
    bool has_stages = strpbrk(operand.chars, ", ") != NULL;
    if (library_is_typed(operand) || (!has_stages && strchr(operand.chars, '/')))
        return operand;
    return source_argument(query->study.arena, "explain",
                           arena_printf(query->study.arena, has_stages ? "%s: %s" : "%s/%s",
                                        collective->head.name, operand.chars));
}

/* Long names would make wide tables. */
static void set_labels(Explanation *explanation)
{
    static const char *const labels[2] = {"the first", "the second"};
    Side *sides = explanation->sides;
    const char *first = sides[0].algorithm->head.name, *second = sides[1].algorithm->head.name;
    bool is_long = strlen(first) > LONGEST_NAME || strlen(second) > LONGEST_NAME;
    sides[0].label = is_long ? labels[0] : first;
    sides[1].label = is_long ? labels[1] : second;
}

/* Two that are compared are for one collective, and not the same. */
static bool check_sides(const Query *query, const Explanation *explanation)
{
    Span second = query->line->operands.items[1].span;
    const Algorithm *a = explanation->sides[0].algorithm, *b = explanation->sides[1].algorithm;
    if (a->collective != b->collective)
        diag_error(query->study.diag, second, "both must be algorithms for one collective");
    else if (strcmp(a->head.name, b->head.name) == 0)
        diag_error(query->study.diag, second,
                   "this is the same algorithm: there is nothing to explain");
    else
        return true;
    return false;
}

static bool read_sides(const Query *query, Explanation *explanation)
{
    Text first = query->line->operands.items[0], second = query->line->operands.items[1];
    const Algorithm *algorithm = query_algorithm(query, first);
    if (!algorithm)
        return false;
    explanation->sides[0].algorithm = algorithm;
    explanation->collective = algorithm->collective;
    second = complete_operand(query, algorithm->collective, second);
    explanation->sides[1].algorithm = query_algorithm(query, second);
    if (!explanation->sides[1].algorithm || !check_sides(query, explanation))
        return false;
    set_labels(explanation);
    return query_is_collective(query, first, algorithm->collective);
}

static bool check_single(const Query *query)
{
    if (query->ranks.count == 1 && query->sizes.count == 1)
        return true;
    diag_error(query->study.diag, NOWHERE,
               "an explanation is for one number of ranks and one size: -m 1MiB");
    return false;
}

static bool run_on_network(const Explanation *explanation, int which)
{
    AlgorithmArray algorithms = {0};
    const Algorithm *algorithm = explanation->sides[which].algorithm;
    return candidates_list(&explanation->query->study, algorithm->collective, algorithm,
                           &explanation->network, &algorithms, NULL);
}

static bool explain(Explanation *explanation)
{
    return run_on_network(explanation, 0) && run_on_network(explanation, 1) &&
           open_comparison(explanation) && find_costs(explanation) && find_rounds(explanation);
}

static Status run(const CommandLine *line)
{
    Query asked, query;
    Explanation explanation = {.query = &query};
    if (!query_read_ranks(line, &asked) || !read_sides(&asked, &explanation) ||
        !query_check_subject(&asked, explanation.collective))
        return STATUS_BAD_INPUT;
    query_fill_size(&asked, explanation.collective);
    if (!check_single(&asked) ||
        !query_settle_sizes(&asked, explanation.collective, asked.ranks.items[0], &query) ||
        !query_network(&query, 0, &explanation.network) ||
        !query_settle_ends(&query, explanation.collective, &explanation.network))
        return STATUS_BAD_INPUT;
    explanation.bytes = query.sizes.items[0];
    if (!explain(&explanation))
        return STATUS_BAD_INPUT;
    if (query.format != FORMAT_CSV)
        explanation.break_evens = break_evens_find(query.study.arena, &explanation.comparison);
    if (query.format == FORMAT_TEXT)
        write_text(&explanation);
    else if (query.format == FORMAT_JSON)
        write_json(&explanation);
    else
        write_costs(&explanation);
    return STATUS_FINE;
}

const Command command_explain = {
    .name = "explain",
    .operands = "COLLECTIVE/A B",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "why one algorithm is faster than another, and what would reverse that",
    .description =
        "Two algorithms of a collective for one size: their costs side by side, the first round "
        "in\n"
        "which they differ and the slowest round of each, with its slowest message and the "
        "busiest\n"
        "link on its way; and what would reverse the order, each parameter changed by itself.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(USING),
    .run = run,
};
