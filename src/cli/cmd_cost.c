#include "cli/cost_picture.h"
#include "cli/files.h"
#include "cli/problem_cost.h"
#include "cli/query.h"
#include "study/symbols.h"

#include <math.h>

/* One number of ranks. */
typedef struct {
    const Query *query; /* with sizes as m */
    Case *opened;
    double asked;      /* the size in the convention of --sizes */
    double buffer;     /* M / m; this and the next with --bandwidths only */
    double bus_factor; /* NAN: the collective has none */
    size_t verified, too_large;
    bool wrong;
} Answer;

/* What bandwidths are computed from. */
static bool find_bus_factor(Answer *answer)
{
    const Collective *collective = answer->opened->collective;
    const Query *query = answer->query;
    int64_t p = answer->opened->network.p;
    answer->bus_factor = NAN;
    return query_largest_buffer(query, collective, p, &answer->buffer) &&
           (!collective->bus_factor.program ||
            collective_bus_factor(collective, p, &answer->bus_factor, query->study.diag));
}

static bool open_answer(const Query *settled, const Collective *collective, const Algorithm *only,
                        size_t index, Answer *answer)
{
    Query *query = ARENA_COPY(settled->study.arena, Query, settled, 1);
    *answer = (Answer){.query = query, .opened = query_case(query, index, collective, only)};
    return answer->opened &&
           (!option_given(query->line, OPTION_BANDWIDTHS) || find_bus_factor(answer));
}

static void count_check(Answer *answer, CostCheck check)
{
    answer->verified += check == COST_GOOD;
    answer->too_large += check == COST_TOO_LARGE;
    answer->wrong |= check == COST_WRONG;
}

static void write_row(const Answer *answer, const CaseCost *row, double size, Table *table)
{
    const Query *query = answer->query;
    const CurveCost *cost = &row->cost;
    const Algorithm *algorithm = case_algorithm(answer->opened, row->candidate);
    const LowerBound *lower = case_bound(answer->opened);
    double bound = lower_bound_seconds(lower, size);
    Attained *attained = ARENA_NEW(query->study.arena, Attained);
    if (lower->known)
        *attained = attained_find(&lower->bounds, lower->least, cost->parts, size);
    double block = size / (double)cost->chunks;
    double bandwidth = size * answer->buffer / cost->total;
    put_text(table, KEY_collective, answer->opened->collective->head.name);
    put_text(table, KEY_algorithm, algorithm->head.name);
    put_text(table, KEY_topology, answer->opened->network.name);
    put_number(table, KEY_p, (double)answer->opened->network.p);
    put_number(table, KEY_m_bytes, size);
    put_number(table, KEY_nccl_bytes, answer->asked);
    if (algorithm->free_chunks)
        put_number(table, KEY_k, cost->k);
    put_number(table, KEY_rounds, (double)cost->rounds);
    put_number(table, KEY_startup_s, cost->parts.startup);
    put_number(table, KEY_hop_s, cost->parts.hop);
    put_number(table, KEY_transfer_s, cost->parts.transfer);
    put_number(table, KEY_compute_s, cost->parts.compute);
    put_number(table, KEY_total_s, cost->total);
    put_text(table, KEY_time_from, cost->closed ? "closed form" : "schedule");
    put_text(table, KEY_rules,
             rules_describe_on(query->study.arena, &query->study.rules, &answer->opened->network));
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
    put_number(table, KEY_bus_bandwidth, bandwidth * answer->bus_factor);
    table_row(table);
}

static bool write_size(Answer *answer, double size, Table *table)
{
    const Case *opened = answer->opened;
    size_t count = opened->candidates.algorithms.count;
    CaseCost *costs = ARENA_ARRAY(answer->query->study.arena, CaseCost, count);
    if (!case_costs(opened, size, costs))
        return false;
    for (size_t i = 0; i < count; i++)
        count_check(answer, case_check(opened, costs[i].candidate, costs[i].cost.k, size));
    for (size_t i = 0; i < count; i++)
        write_row(answer, &costs[i], size, table);
    return true;
}

/* "binomial up to 497.8 kB, then pipelined-chain" */
static void write_switch_points(Answer *answer)
{
    const Query *query = answer->query;
    Case *opened = answer->opened;
    SwitchPoints points;
    Diag silent = diag_silent(), *diag = opened->study.diag;
    FILE *out = query->line->out;
    opened->study.diag = &silent;
    bool found = switch_points_find(opened, 1, LARGEST_SIZE, -1, &points);
    opened->study.diag = diag;
    fputs("switch: ", out);
    if (!found) {
        fprintf(out, "not found (see collcost switch %s)\n", opened->collective->head.name);
        return;
    }
    for (size_t i = 0; i < points.pieces.count; i++) {
        const Piece *piece = &points.pieces.items[i];
        fputs(case_algorithm(opened, piece->curve)->head.name, out);
        if (i + 1 < points.pieces.count)
            fprintf(out, " up to %s, then ",
                    quantity_show_bytes(query->study.arena, piece->to * query->m_count));
    }
    fputs(query->nccl_sizes && points.pieces.count > 1 ? " (nccl sizes)\n" : "\n", out);
}

static void write_bound(const Answer *answer, double size)
{
    const Query *query = answer->query;
    const LowerBound *lower = case_bound(answer->opened);
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

static void write_verified(const Answer *answer)
{
    FILE *out = answer->query->line->out;
    if (answer->verified)
        fprintf(out,
                "verified: %zu schedule%s run on real data for p = %lld, claims equal to derived "
                "costs\n",
                answer->verified, answer->verified == 1 ? "" : "s",
                (long long)answer->opened->network.p);
    if (answer->too_large)
        fprintf(out,
                "not verified here: %zu schedule%s, too large for a quick answer (see collcost "
                "verify)\n",
                answer->too_large, answer->too_large == 1 ? "" : "s");
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
static const char *describe_ends(const Answer *answer)
{
    const Query *query = answer->query;
    if (answer->opened->collective->targeted)
        return arena_printf(query->study.arena, ", from %lld to %lld", (long long)query->study.root,
                            (long long)query->study.target);
    return query->study.root
               ? arena_printf(query->study.arena, ", root %lld", (long long)query->study.root)
               : "";
}

static bool write_text(Answer *answer, double size)
{
    const Query *query = answer->query;
    FILE *out = query->line->out;
    fprintf(out, "%s on %s, m = %s%s%s\n", answer->opened->collective->head.name,
            answer->opened->network.name, quantity_show_bytes(query->study.arena, size),
            query_describe_size(query, answer->asked), describe_ends(answer));
    query_describe_machine(query);
    fputc('\n', out);
    Table *table = open_table(query, FORMAT_TEXT);
    answer->verified = answer->too_large = 0;
    if (!write_size(answer, size, table))
        return false;
    table_close(table);
    fputc('\n', out);
    write_bound(answer, size);
    if (answer->opened->candidates.algorithms.count > 1 && !query->study.rules.ceil_chunks)
        write_switch_points(answer);
    if (!answer->wrong)
        write_verified(answer);
    fprintf(out, "rules: %s\n",
            rules_describe_on(query->study.arena, &query->study.rules, &answer->opened->network));
    return true;
}

static bool write_symbol_row(Answer *answer, size_t candidate, Table *table)
{
    const Case *opened = answer->opened;
    const Algorithm *algorithm = case_algorithm(opened, candidate);
    CostSymbols symbols;
    if (!case_symbols(opened, candidate, &symbols))
        return false;
    count_check(answer, symbols.check);
    put_text(table, KEY_collective, opened->collective->head.name);
    put_text(table, KEY_algorithm, algorithm->head.name);
    put_text(table, KEY_topology, opened->network.name);
    put_number(table, KEY_p, (double)opened->network.p);
    if (algorithm->free_chunks)
        put_number(table, KEY_k, (double)symbols.k);
    if (symbols.rounds >= 0)
        put_number(table, KEY_rounds, (double)symbols.rounds);
    put_text(table, KEY_formula, symbols.formula);
    put_text(table, KEY_time_from, symbols.from_closed_form ? "closed form" : "schedule");
    put_text(table, KEY_closed_form, symbols.closed_form);
    put_text(table, KEY_rules,
             rules_describe_on(answer->query->study.arena, &opened->study.rules, &opened->network));
    table_row(table);
    return true;
}

static bool write_symbols(Answer *answer, Table *table)
{
    for (size_t i = 0; i < answer->opened->candidates.algorithms.count; i++)
        if (!write_symbol_row(answer, i, table))
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
        Answer answer;
        if (!open_answer(query, collective, only, i, &answer))
            return STATUS_BAD_INPUT;
        if (query->format == FORMAT_TEXT)
            fprintf(out, "%s%s on %s%s\n\n", i ? "\n" : "", collective->head.name,
                    answer.opened->network.name,
                    collective->targeted ? describe_ends(&answer) : "");
        if (!table || query->format == FORMAT_TEXT)
            table = table_open(query->study.arena, out, query->format, TABLE_cost_symbols);
        if (!write_symbols(&answer, table))
            return STATUS_BAD_INPUT;
        if (query->format == FORMAT_TEXT)
            table_close(table);
        wrong |= answer.wrong;
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
        Answer answer;
        if (!query_settle_sizes(query, collective, query->ranks.items[i], &settled) ||
            !open_answer(&settled, collective, only, i, &answer))
            return STATUS_BAD_INPUT;
        for (size_t s = 0; s < query->sizes.count; s++) {
            if (!table && !first)
                fputc('\n', query->line->out);
            first = false;
            double size = settled.sizes.items[s];
            answer.asked = settled.asked.items[s];
            if (!(table ? write_size(&answer, size, table) : write_text(&answer, size)))
                return STATUS_BAD_INPUT;
        }
        wrong |= answer.wrong;
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
