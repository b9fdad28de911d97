#include "base/watch.h"
#include "cli/cost_picture.h"
#include "cli/files.h"
#include "cli/problem_cost.h"
#include "cli/switchpoints.h"
#include "study/attained.h"
#include "study/check_cost.h"
#include "study/lower_bound.h"

#include <math.h>
#include <stdlib.h>

/* Ranks up to which symbols are derived from the schedule; beyond, a claim serves if there is one.
 */
enum { MOST_SYMBOL_RANKS = 4096 };

/* One number of ranks. */
typedef struct {
    const Query *query;
    const Collective *collective;
    Network network;
    Candidates candidates;
    double asked;      /* the size in the convention of --sizes */
    double buffer;     /* M / m; this and the next with --bandwidths only */
    double bus_factor; /* NAN: the collective has none */
    LowerBound lower;
    size_t audited, too_large;
    bool wrong;
} Case;

typedef struct {
    CurveCost cost;
    const Algorithm *algorithm;
    size_t order; /* in the library */
} Row;

static int compare_rows(const void *a, const void *b)
{
    const Row *left = a, *right = b;
    if (left->cost.total != right->cost.total)
        return left->cost.total < right->cost.total ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* What bandwidths are computed from. */
static bool find_bus_factor(Case *here)
{
    const Collective *collective = here->collective;
    const Query *query = here->query;
    here->bus_factor = NAN;
    return query_largest_buffer(query, collective, here->network.p, &here->buffer) &&
           (!collective->bus_factor.program ||
            collective_bus_factor(collective, here->network.p, &here->bus_factor,
                                  query->study.diag));
}

static bool open_case(const Query *asked, const Collective *collective, const Algorithm *only,
                      size_t index, Case *here)
{
    Query *query = ARENA_COPY(asked->study.arena, Query, asked, 1);
    *here = (Case){.query = query, .collective = collective};
    if (!query_network(query, index, &here->network) ||
        !query_settle_ends(query, collective, &here->network) ||
        !candidates_open(&query->study, collective, only, &here->network, &here->candidates))
        return false;
    if (option_given(query->line, OPTION_BANDWIDTHS) && !find_bus_factor(here))
        return false;
    here->lower = lower_bound_find(&query->study, collective, &here->network);
    return true;
}

static void audit(Case *here, const Row *row, double size)
{
    CostCheck found = check_cost(&here->query->study, row->algorithm, &here->network,
                                 floor(row->cost.k), size, row->cost.closed);
    here->audited += found == COST_GOOD;
    here->too_large += found == COST_TOO_LARGE;
    here->wrong |= found == COST_WRONG;
}

static void write_row(const Case *here, const Row *row, double size, Table *table)
{
    const Query *query = here->query;
    const CurveCost *cost = &row->cost;
    const LowerBound *lower = &here->lower;
    double bound = lower_bound_seconds(lower, size);
    Attained *attained = ARENA_NEW(query->study.arena, Attained);
    if (lower->known)
        *attained = attained_find(&lower->bounds, lower->least, cost->parts, size);
    double block = size / (double)cost->chunks;
    double bandwidth = size * here->buffer / cost->total;
    put_text(table, KEY_collective, here->collective->head.name);
    put_text(table, KEY_algorithm, row->algorithm->head.name);
    put_text(table, KEY_topology, here->network.name);
    put_number(table, KEY_p, (double)here->network.p);
    put_number(table, KEY_m_bytes, size);
    put_number(table, KEY_nccl_bytes, here->asked);
    if (row->algorithm->free_chunks)
        put_number(table, KEY_k, cost->k);
    put_number(table, KEY_rounds, (double)cost->rounds);
    put_number(table, KEY_startup_s, cost->parts.startup);
    put_number(table, KEY_hop_s, cost->parts.hop);
    put_number(table, KEY_transfer_s, cost->parts.transfer);
    put_number(table, KEY_compute_s, cost->parts.compute);
    put_number(table, KEY_total_s, cost->total);
    put_text(table, KEY_time_from, cost->closed ? "closed form" : "schedule");
    put_text(table, KEY_rules,
             rules_describe_on(query->study.arena, &query->study.rules, &here->network));
    if (cost->peak_blocks >= 0)
        put_number(table, KEY_peak_bytes, (double)cost->peak_blocks * block);
    if (lower->known) {
        put_number(table, KEY_bound_s, bound);
        if (bound > 0)
            put_number(table, KEY_ratio, cost->total / bound);
        put_bool(table, KEY_optimal, attained->whole);
        put_shown(table, KEY_optimal, attained_show(query->study.arena, attained));
    }
    put_list(table, KEY_optimal_in, attained->parts, attained->count);
    put_number(table, KEY_algorithm_bandwidth, bandwidth);
    put_number(table, KEY_bus_bandwidth, bandwidth * here->bus_factor);
    table_row(table);
}

static bool write_size(Case *here, double size, Table *table)
{
    size_t count = here->candidates.algorithms.count;
    Row *rows = ARENA_ARRAY(here->query->study.arena, Row, count);
    for (size_t i = 0; i < count; i++) {
        watch_step(here->query->study.arena, here->candidates.algorithms.items[i]->head.name,
                   (int64_t)i, (int64_t)count);
        rows[i] = (Row){.algorithm = here->candidates.algorithms.items[i], .order = i};
        if (!curve_cost(here->candidates.curves[i], size, &rows[i].cost, here->query->study.diag))
            return false;
        audit(here, &rows[i], size);
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count; i++)
        write_row(here, &rows[i], size, table);
    return true;
}

/* "binomial up to 497.8 kB, then pipelined-chain" */
static void write_switch_points(Case *here)
{
    SwitchPoints points;
    Query all = *here->query;
    Diag silent = diag_silent();
    all.sizes = (SizeArray){0};
    all.study.diag = &silent;
    FILE *out = all.line->out;
    fputs("switch: ", out);
    if (!switchpoints_find(&all, &here->candidates, &points)) {
        fprintf(out, "not found (see collcost switch %s)\n", here->collective->head.name);
        return;
    }
    for (size_t i = 0; i < points.pieces.count; i++) {
        const Piece *piece = &points.pieces.items[i];
        fputs(curve_algorithm(points.curves[piece->curve])->head.name, out);
        if (i + 1 < points.pieces.count)
            fprintf(out, " up to %s, then ",
                    quantity_show_bytes(all.study.arena, piece->to * all.m_count));
    }
    fputs(all.nccl_sizes && points.pieces.count > 1 ? " (nccl sizes)\n" : "\n", out);
}

static void write_bound(const Case *here, double size)
{
    const Query *query = here->query;
    const LowerBound *lower = &here->lower;
    if (!lower->known) {
        fputs("bound: not computed for so many ranks\n", query->line->out);
        return;
    }
    BoundKind kind = bounds_binding(&lower->bounds, lower->least, size);
    const Bound *bound = &lower->bounds.items[kind];
    fprintf(query->line->out, "bound: %s = %s (%s: %s)\n", bound_formula(query->study.arena, bound),
            quantity_show_time(query->study.arena, bound_seconds(bound, lower->least, size)),
            bound_names[kind], bound->reason);
}

static void write_audit(const Case *here)
{
    FILE *out = here->query->line->out;
    if (here->audited)
        fprintf(out,
                "verified: %zu schedule%s run on real data for p = %lld, claims equal to derived "
                "costs\n",
                here->audited, here->audited == 1 ? "" : "s", (long long)here->network.p);
    if (here->too_large)
        fprintf(out,
                "not verified here: %zu schedule%s, too large for a quick answer (see collcost "
                "verify)\n",
                here->too_large, here->too_large == 1 ? "" : "s");
}

static Table *open_table(const Query *query, Format format)
{
    Table *table = table_open(query->study.arena, query->line->out, format, TABLE_cost);
    if (query->nccl_sizes)
        table_include(table, KEY_nccl_bytes);
    if (option_given(query->line, OPTION_BANDWIDTHS)) {
        table_include(table, KEY_algorithm_bandwidth);
        table_include(table, KEY_bus_bandwidth);
    }
    return table;
}

/* ", root 3", ", from 0 to 7", or nothing. */
static const char *describe_ends(const Case *here)
{
    const Query *query = here->query;
    if (here->collective->targeted)
        return arena_printf(query->study.arena, ", from %lld to %lld", (long long)query->study.root,
                            (long long)query->study.target);
    return query->study.root
               ? arena_printf(query->study.arena, ", root %lld", (long long)query->study.root)
               : "";
}

static bool write_text(Case *here, double size)
{
    const Query *query = here->query;
    FILE *out = query->line->out;
    fprintf(out, "%s on %s, m = %s%s%s\n", here->collective->head.name, here->network.name,
            quantity_show_bytes(query->study.arena, size), query_describe_size(query, here->asked),
            describe_ends(here));
    query_describe_machine(query);
    fputc('\n', out);
    Table *table = open_table(query, FORMAT_TEXT);
    here->audited = here->too_large = 0;
    if (!write_size(here, size, table))
        return false;
    table_close(table);
    fputc('\n', out);
    write_bound(here, size);
    if (here->candidates.algorithms.count > 1 && !query->study.rules.ceil_chunks)
        write_switch_points(here);
    if (!here->wrong)
        write_audit(here);
    fprintf(out, "rules: %s\n",
            rules_describe_on(query->study.arena, &query->study.rules, &here->network));
    return true;
}

static const char *const parameter_words[PARAMETER_COUNT] = {"ts", "th", "m tw", "m tc"};

static const char *add_term(Arena *arena, const char *text, double coefficient, const char *name)
{
    if (coefficient == 0)
        return text;
    const char *factor = coefficient == 1 ? "" : arena_printf(arena, "%.10g ", coefficient);
    return arena_printf(arena, "%s%s%s%s", text, *text ? " + " : "", factor, name);
}

/* The costs of one parameter after the other add up to the cost of all at once where the same ways
   are the slowest for each; elsewhere they do not belong together. */
static bool add_up(const Profile *profile, const double *parameters, double bytes)
{
    double sum = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double only[PARAMETER_COUNT] = {0};
        only[i] = parameters[i];
        sum += cost_total(profile_cost(profile, only, bytes));
    }
    return cost_total(profile_cost(profile, parameters, bytes)) >= sum * (1 - 1e-12);
}

/* Where links have costs of their own there is no formula in the machine's: "17.5 us + m / 2
   GB/s", from the time of an empty message and that of the last byte of a large one. */
static const char *derive_line(const Query *query, const Profile *profile)
{
    const double *parameters = query->study.rules.parameters, large = 0x1p100;
    CostParts last = profile_cost(profile, parameters, large);
    double start = cost_total(profile_cost(profile, parameters, 0));
    double slope = (last.transfer + last.compute) / large;
    double meet = slope > 0 ? start / slope : 1;
    bool exact =
        cost_total(profile_cost(profile, parameters, meet)) >= (start + slope * meet) * (1 - 1e-12);
    const char *text = quantity_show_time(query->study.arena, start);
    if (slope > 0)
        text = arena_printf(query->study.arena, "%s + m / (%s)", text,
                            quantity_show_bandwidth(query->study.arena, 1 / slope));
    return exact ? text : arena_printf(query->study.arena, "at most %s", text);
}

/* "7 ts + 7 m tw" from the schedule; parameters that are zero on the machine are left out. */
static const char *derive_formula(const Case *here, const Algorithm *algorithm, int64_t k,
                                  Profile *profile)
{
    const Query *query = here->query;
    Instance instance = {algorithm,
                         here->network.p,
                         query->study.root,
                         k,
                         rules_ports(&query->study.rules, &here->network),
                         &here->network.shape,
                         query->study.target,
                         0};
    if (!profile_derive(query->study.arena, &instance, &here->network, &query->study.rules, profile,
                        query->study.diag))
        return NULL;
    Profile fractions = *profile; /* formulas have m / k, not rounded up */
    fractions.ceil_chunks = false;
    if (profile->has_link_costs)
        return derive_line(query, &fractions);
    const char *text = "";
    double all[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double unit[PARAMETER_COUNT] = {0};
        all[i] = unit[i] = query->study.rules.parameters[i] != 0;
        text = add_term(query->study.arena, text, cost_total(profile_cost(&fractions, unit, 1)),
                        parameter_words[i]);
    }
    return !*text                       ? "0"
           : add_up(&fractions, all, 1) ? text
                                        : arena_printf(query->study.arena, "at most %s", text);
}

/* The same from a closed form, for numbers of ranks whose schedule is too long. */
static const char *closed_formula(const Case *here, const ClosedForm *closed, int64_t k)
{
    const Query *query = here->query;
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double unit[PARAMETER_COUNT] = {0}, coefficient;
        unit[i] = query->study.rules.parameters[i] != 0;
        if (!closed_seconds(closed, (double)k, unit, 1, &coefficient, query->study.diag))
            return NULL;
        text = add_term(query->study.arena, text, coefficient, parameter_words[i]);
    }
    return *text ? text : "0";
}

static bool write_symbol_row(Case *here, const Algorithm *algorithm, Table *table)
{
    const Query *query = here->query;
    bool free_k = algorithm->free_chunks && !query->study.k;
    Instance instance = {algorithm,
                         here->network.p,
                         query->study.root,
                         query->study.k && algorithm->free_chunks ? query->study.k : 1,
                         rules_ports(&query->study.rules, &here->network),
                         &here->network.shape,
                         query->study.target,
                         0};
    Profile profile = {0};
    ClosedForm closed =
        closed_find(query->study.arena, &instance, &here->network, &query->study.rules, free_k);
    bool by_claim = closed.count && instance.p > MOST_SYMBOL_RANKS;
    const char *formula = by_claim ? closed_formula(here, &closed, instance.k)
                                   : derive_formula(here, algorithm, instance.k, &profile);
    if (!formula)
        return false;
    here->wrong |= check_cost(&query->study, algorithm, &here->network, (double)instance.k, 0,
                              NULL) == COST_WRONG;
    put_text(table, KEY_collective, here->collective->head.name);
    put_text(table, KEY_algorithm, algorithm->head.name);
    put_text(table, KEY_topology, here->network.name);
    put_number(table, KEY_p, (double)here->network.p);
    if (algorithm->free_chunks)
        put_number(table, KEY_k, (double)instance.k);
    if (!by_claim)
        put_number(table, KEY_rounds, (double)profile.startups);
    put_text(table, KEY_formula, formula);
    put_text(table, KEY_time_from, by_claim ? "closed form" : "schedule");
    put_text(table, KEY_closed_form,
             closed.count ? closed_text(query->study.arena, &closed) : NULL);
    put_text(table, KEY_rules,
             rules_describe_on(query->study.arena, &query->study.rules, &here->network));
    table_row(table);
    return true;
}

static bool write_symbols(Case *here, Table *table)
{
    for (size_t i = 0; i < here->candidates.algorithms.count; i++)
        if (!write_symbol_row(here, here->candidates.algorithms.items[i], table))
            return false;
    return true;
}

static Status answer_in_symbols(const Query *query, const Collective *collective,
                                const Algorithm *only)
{
    FILE *out = query->line->out;
    Table *table = NULL;
    bool wrong = false;
    for (size_t i = 0; i < query->ranks.count; i++) {
        Case here;
        if (!open_case(query, collective, only, i, &here))
            return STATUS_BAD_INPUT;
        if (query->format == FORMAT_TEXT)
            fprintf(out, "%s%s on %s%s\n\n", i ? "\n" : "", collective->head.name,
                    here.network.name, collective->targeted ? describe_ends(&here) : "");
        if (!table || query->format == FORMAT_TEXT)
            table = table_open(query->study.arena, out, query->format, TABLE_cost_symbols);
        if (!write_symbols(&here, table))
            return STATUS_BAD_INPUT;
        if (query->format == FORMAT_TEXT)
            table_close(table);
        wrong |= here.wrong;
    }
    if (query->format != FORMAT_TEXT) {
        table_close(table);
        return wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
    }
    fputs("\nm: bytes of a block, M: of the largest buffer; times for a given size with -m, a "
          "given k "
          "with --set k=\n",
          out);
    query_describe_machine(query);
    fprintf(out, "rules: %s\n", rules_describe(query->study.arena, &query->study.rules));
    return wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status answer_in_numbers(const Query *query, const Collective *collective,
                                const Algorithm *only)
{
    bool wrong = false, first = true;
    Table *table = query->format == FORMAT_TEXT ? NULL : open_table(query, query->format);
    for (size_t i = 0; i < query->ranks.count; i++) {
        Query settled;
        Case here;
        if (!query_settle_sizes(query, collective, query->ranks.items[i], &settled) ||
            !open_case(&settled, collective, only, i, &here))
            return STATUS_BAD_INPUT;
        for (size_t s = 0; s < query->sizes.count; s++) {
            if (!table && !first)
                fputc('\n', query->line->out);
            first = false;
            double size = settled.sizes.items[s];
            here.asked = settled.asked.items[s];
            if (!(table ? write_size(&here, size, table) : write_text(&here, size)))
                return STATUS_BAD_INPUT;
        }
        wrong |= here.wrong;
    }
    if (table)
        table_close(table);
    return wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    if (!picture_check(line) || !query_read_subject(line, &query, &collective, &only))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE))
        return cost_picture(&query, collective, only);
    if (collective->problem)
        return problem_cost(&query, collective, only);
    if (option_given(line, OPTION_BANDWIDTHS) && !query.sizes.count) {
        diag_error(line->diag, NOWHERE, "a bandwidth is for a size: give -m");
        return STATUS_BAD_INPUT;
    }
    if (query.sizes.count)
        return answer_in_numbers(&query, collective, only);
    query.study.rules.protocols = NULL; /* symbols leave open which one a message has */
    return answer_in_symbols(&query, collective, only);
}

const Command command_cost = {
    .name = "cost",
    .operands = "COLLECTIVE[/ALGORITHM]",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "what each algorithm costs, beside the lower bound",
    .description =
        "A table of the algorithms of a collective, or of one: startup, per-hop, transfer and\n"
        "compute time, total, lower bound and their ratio, the fastest first. The schedules are "
        "run\n"
        "on real data for this number of ranks before they are shown (up to 128 ranks). Without "
        "-m\n"
        "the answer is in symbols. With --picture the times are drawn over the size, -m LO..HI.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(CEIL_CHUNKS) |
               OPTION_BIT(AMONG) | OPTION_BIT(WITHOUT) | OPTION_BIT(BANDWIDTHS) |
               OPTION_BIT(ORDER) | OPTION_BIT(ELEMENT) | OPTION_BIT(USING) | OPTION_BIT(PICTURE),
    .run = run,
};
