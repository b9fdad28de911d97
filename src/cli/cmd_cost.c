#include "cli/cmd_import.h"
#include "cli/cost_parts.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/setting.h"
#include "cli/workers.h"
#include "collcost.h"

#include <math.h>
#include <string.h>

/* One number of ranks. */
typedef struct {
    const Query *query;          /* with sizes as m */
    ComposedModels *saved;       /* compositions that are shown; NULL: not wanted */
    const SynthesizedList *made; /* algorithms that were synthesized; or NULL */
    const char *collective;
    bool is_rooted, is_targeted;
    collcost_case *opened;
    double asked;      /* the size in the convention of --sizes */
    double buffer;     /* M / m; this and the next with --bandwidths only */
    double bus_factor; /* NAN: the collective has none */
    const char *rules;
    bool is_one;       /* an algorithm is named */
    size_t count;      /* of algorithms */
    const char *tried; /* radices and fan-outs, for people */
    bool has_bound;
    size_t verified, smaller, too_large;
    bool wrong;
} Answer;

/* With what was left out so far. */
static bool find_rules(Answer *answer)
{
    if (!query_answered(answer->query, collcost_case_rules(answer->opened, &answer->rules)))
        return false;
    if (!answer->is_one)
        answer->rules = composed_rules(answer->query, answer->rules);
    return true;
}

static bool open_answer(const Query *settled, size_t index, Answer *answer)
{
    const Collective *collective = settled->collective;
    Query *query = ARENA_COPY(settled->study.arena, Query, settled, 1);
    *answer = (Answer){.query = query,
                       .collective = collective->head.name,
                       .is_rooted = collective->rooted,
                       .is_targeted = collective->targeted,
                       .bus_factor = NAN,
                       .tried = "",
                       .opened = query_case(query, index, collective, settled->only)};
    answer->is_one = settled->only != NULL;
    if (!answer->opened || !find_rules(answer))
        return false;
    if (!option_given(query->line, OPTION_BANDWIDTHS))
        return true;
    const int64_t p = collcost_case_ranks(answer->opened);
    return query_largest_buffer(query, collective, p, &answer->buffer) &&
           (!collective->bus_factor.program ||
            collective_bus_factor(collective, p, &answer->bus_factor, query->study.diag));
}

static void count_check(Answer *answer, collcost_check check)
{
    answer->verified += check == COLLCOST_VERIFIED;
    answer->smaller += check == COLLCOST_VERIFIED_SMALLER;
    answer->too_large += check == COLLCOST_NOT_VERIFIED;
    answer->wrong |= check == COLLCOST_WRONG;
}

static const char *show_origin(bool from_closed_form, collcost_check check)
{
    static const char *const origins[][2] = {
        {"schedule", "closed form"}, {"schedule (check failed)", "closed form (check failed)"}};
    return origins[check == COLLCOST_WRONG][from_closed_form];
}

static const char *show_tried(const Answer *answer, const collcost_cost *cost)
{
    return choices_show_ranges(answer->query->study.arena, cost->tried, cost->tried_count, "..");
}

/* The transfer part over the largest of the bounds that are in transfer. */
static bool put_trees(const Answer *answer, const collcost_cost *cost, double size, Table *table)
{
    static const char *const kinds[] = {"node", "ports", "volume", "cut"};
    const collcost_bound *bounds = NULL;
    size_t count = 0;
    double largest = 0;
    if (!answer->query->study.rules.averages && answer->has_bound &&
        !query_answered(answer->query,
                        collcost_case_bounds(answer->opened, size, 0, &bounds, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
            if (strcmp(bounds[i].kind, kinds[kind]) == 0)
                largest = fmax(largest, bounds[i].seconds);
    for (size_t i = 0; i < answer->made->count; i++) {
        const SynthesizedTrees *trees = &answer->made->items[i];
        if (strcmp(trees->name, cost->algorithm) != 0)
            continue;
        PUT(table, trees, trees, shares);
        put_number(table, KEY_tree_height, (double)trees->height);
    }
    if (largest > 0)
        put_number(table, KEY_transfer_ratio, cost->transfer_s / largest);
    return true;
}

static void write_row(const Answer *answer, const collcost_cost *cost, double size, Table *table)
{
    const bool is_right = cost->check != COLLCOST_WRONG; /* else it reaches no bound */
    const size_t optimal_in_count = is_right ? cost->optimal_in_count : 0;
    double bandwidth = size * answer->buffer / cost->total_s;
    choices_put_subject(table, answer->opened, cost->algorithm, &cost->branches);
    put_number(table, KEY_m_bytes, size);
    put_number(table, KEY_nccl_bytes, answer->asked);
    if (cost->has_chunks)
        put_number(table, KEY_k, cost->k);
    if (cost->tried_count)
        put_text(table, KEY_tried, show_tried(answer, cost));
    PUT(table, cost, rounds, startup_s, hop_s, transfer_s, compute_s, total_s);
    put_text(table, KEY_time_from, show_origin(cost->from_closed_form, cost->check));
    if (cost->peak_bytes >= 0)
        put_number(table, KEY_peak_bytes, cost->peak_bytes);
    if (cost->bound_s >= 0) {
        put_number(table, KEY_bound_s, cost->bound_s);
        if (cost->bound_s > 0)
            put_number(table, KEY_ratio, cost->total_s / cost->bound_s);
        const bool is_optimal = cost->is_optimal && is_right;
        put_bool(table, KEY_optimal, is_optimal);
        /* "yes", "in startup, transfer" or "no" */
        const char *text = is_optimal ? "yes" : optimal_in_count ? "in " : "no";
        for (size_t i = 0; i < optimal_in_count && !is_optimal; i++)
            text = arena_printf(answer->query->study.arena, "%s%s%s", text, i ? ", " : "",
                                cost->optimal_in[i]);
        put_shown(table, KEY_optimal, "%s", text);
    }
    put_list(table, KEY_optimal_in, (const char **)cost->optimal_in, optimal_in_count);
    put_number(table, KEY_algorithm_bandwidth, bandwidth);
    put_number(table, KEY_bus_bandwidth, bandwidth * answer->bus_factor);
    put_text(table, KEY_stages, cost->stages);
    table_row(table);
}

static bool write_size(Answer *answer, double size, Table *table)
{
    const collcost_cost *costs = NULL;
    collcost_status status =
        (answer->query->study.wants_front ? collcost_case_front : collcost_case_costs)(
            answer->opened, size, &costs, &answer->count);
    if (!query_answered(answer->query, status) || !find_rules(answer))
        return false;
    setting_put(table, answer->query, false, answer->rules);
    answer->tried = "";
    answer->has_bound = answer->count > 0 && costs[0].bound_s >= 0;
    for (size_t n = 0; n < 2 * answer->count; n++) { /* what failed its check, last */
        const size_t i = n % answer->count;
        if ((costs[i].check == COLLCOST_WRONG) != (n >= answer->count))
            continue;
        count_check(answer, costs[i].check);
        /* "multinomial radix=2..64, chains fanout=1..63" */
        if (costs[i].tried_count)
            answer->tried = arena_printf(answer->query->study.arena, "%s%s%s %s=%s", answer->tried,
                                         *answer->tried ? "; " : "", costs[i].algorithm,
                                         costs[i].branches.name, show_tried(answer, &costs[i]));
        if (answer->made && !put_trees(answer, &costs[i], size, table))
            return false;
        if (answer->saved && costs[i].stages)
            composed_note(answer->saved, answer->collective, costs[i].algorithm, costs[i].stages);
        write_row(answer, &costs[i], size, table);
    }
    if (answer->query->format != FORMAT_TEXT)
        return true;
    table_close(table);
    if (!setting_is_brief(answer->query))
        fputc('\n', answer->query->line->out);
    StringArray written = {0};
    for (size_t i = 0; i < answer->count; i++)
        composed_write(answer->query, costs[i].algorithm, costs[i].stages, &written);
    return true;
}

static void write_bound(const Answer *answer, double size)
{
    const Query *query = answer->query;
    const collcost_bound *bounds = NULL;
    size_t count = 0;
    if (query->study.rules.averages)
        fputs("bound: none is proven for the mean over ranks\n", query->line->out);
    else if (!answer->has_bound)
        fputs("bound: not computed for this many ranks\n", query->line->out);
    else if (!query_answered(query, collcost_case_bounds(answer->opened, size, 0, &bounds, &count)))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!bounds[i].binds)
            continue;
        const char *time = quantity_show_time(query->study.arena, bounds[i].seconds);
        bool is_time = strcmp(bounds[i].formula, time) == 0;
        line_say(query->line, "bound: %s%s%s (%s: %s)", is_time ? "" : bounds[i].formula,
                 is_time ? "" : " = ", time, bounds[i].kind, bounds[i].reason);
    }
}

static bool shows_traffic(const Query *query)
{
    return option_given(query->line, OPTION_TRAFFIC);
}

static TableId table_of(const Query *query)
{
    return shows_traffic(query) ? TABLE_traffic : TABLE_cost;
}

static void include_trees(Table *table)
{
    table_include(table, KEY_trees);
    table_include(table, KEY_tree_height);
    table_include(table, KEY_shares);
    table_include(table, KEY_transfer_ratio);
}

static Table *open_table(const Query *query, TableId id)
{
    Table *table = query_table(query, id);
    if (composed_may_occur(query))
        table_include(table, KEY_stages);
    if (query->nccl_sizes && id != TABLE_cost_symbols)
        table_include(table, KEY_nccl_bytes);
    if (option_given(query->line, OPTION_BANDWIDTHS) && id == TABLE_cost) {
        table_include(table, KEY_algorithm_bandwidth);
        table_include(table, KEY_bus_bandwidth);
    }
    if (query->line->has_styles && id == TABLE_cost)
        table_mark_first(table);
    return table;
}

static bool write_rows(Answer *answer, double size, Table *table)
{
    return shows_traffic(answer->query)
               ? cost_traffic_write(answer->query, answer->opened, answer->rules, size,
                                    answer->asked, table)
               : write_size(answer, size, table);
}

/* ", root 3", ", from 0 to 7", or nothing. */
static const char *describe_ends(const Answer *answer)
{
    const Query *query = answer->query;
    if (answer->is_targeted)
        return arena_printf(query->study.arena, ", from %lld to %lld", (long long)query->study.root,
                            (long long)query->study.target);
    return query->study.root && answer->is_rooted
               ? arena_printf(query->study.arena, ", root %lld", (long long)query->study.root)
               : "";
}

static bool write_text(Answer *answer, double size)
{
    const Query *query = answer->query;
    FILE *out = query->line->out;
    fprintf(out, "%s on %s, %s%s%s\n", answer->collective, collcost_case_network(answer->opened),
            query_show_size(query, size, answer->asked), describe_ends(answer),
            setting_of_machine(query));
    setting_begin(query);
    Table *table = open_table(query, table_of(query));
    if (answer->made)
        include_trees(table);
    answer->verified = answer->smaller = answer->too_large = 0;
    if (!write_rows(answer, size, table))
        return false;
    if (setting_is_brief(query))
        return true;
    if (*answer->tried)
        line_say(query->line, "tried: %s", answer->tried);
    if (shows_traffic(query)) {
        line_say(query->line, "rules: %s", answer->rules);
        return true;
    }
    write_bound(answer, size);
    /* Where chunks are whole bytes there are no switch points; with contention shared in time
       they can take minutes; what is wrong must win at no size. */
    if (answer->count > 1 && !answer->wrong && !query->study.rules.ceil_chunks &&
        query->study.rules.contention != CONTENTION_SHARED && !query->study.wants_front) {
        const collcost_piece *pieces;
        size_t count;
        const collcost_status status = collcost_case_switch_points(
            answer->opened, 1, collcost_case_largest_size(answer->opened), -1, COLLCOST_QUIET,
            &pieces, &count);
        if (query_answered(query, status))
            line_say(query->line, "switch: %s%s",
                     pieces_show(query->study.arena, pieces, count, query->m_count),
                     query->nccl_sizes && count > 1 ? " (nccl sizes)" : "");
        else
            line_say(query->line, "switch: not found (see collcost switch %s)", answer->collective);
    }
    if (answer->verified && !answer->wrong)
        line_say(query->line, "verified: %zu schedule%s run on real data for p = %lld, %s",
                 answer->verified, PLURAL_END(answer->verified),
                 (long long)collcost_case_ranks(answer->opened),
                 query->study.weights.text.length ? "with blocks of these sizes"
                                                  : "claims equal to derived costs");
    if (answer->smaller && !answer->wrong)
        line_say(query->line, "verified: %zu composition%s run on real data with fewer ranks",
                 answer->smaller, PLURAL_END(answer->smaller));
    if (answer->too_large && !answer->wrong)
        line_say(query->line,
                 "not verified: %zu schedule%s too large for a quick check (see collcost verify)",
                 answer->too_large, PLURAL_END(answer->too_large));
    line_say(query->line, "rules: %s", answer->rules);
    return true;
}

static Status answer_in_symbols(const Query *query)
{
    FILE *out = query->line->out;
    Table *table = NULL;
    bool wrong = false;
    Answer answer;
    for (size_t i = 0; i < query->ranks.count; i++) {
        if (!open_answer(query, i, &answer))
            return STATUS_BAD_INPUT;
        if (query->format == FORMAT_TEXT)
            fprintf(out, "%s%s on %s%s%s\n%s", i ? "\n" : "", query->collective->head.name,
                    collcost_case_network(answer.opened),
                    query->collective->targeted ? describe_ends(&answer) : "",
                    setting_of_machine(query), setting_is_brief(query) ? "" : "\n");
        if (!table || query->format == FORMAT_TEXT)
            table = open_table(query, TABLE_cost_symbols);
        const collcost_symbols *symbols;
        size_t count;
        setting_put(table, query, false, answer.rules);
        if (!query_answered(query, collcost_case_symbols(answer.opened, &symbols, &count)))
            return STATUS_BAD_INPUT;
        for (size_t s = 0; s < count; s++) {
            const collcost_symbols *row = &symbols[s];
            count_check(&answer, row->check);
            choices_put_subject(table, answer.opened, row->algorithm, &row->branches);
            if (row->has_chunks)
                put_number(table, KEY_k, (double)row->k);
            PUT(table, row, rounds, formula, closed_form, stages);
            put_text(table, KEY_time_from, show_origin(row->from_closed_form, row->check));
            table_row(table);
        }
        wrong |= answer.wrong;
        if (query->format != FORMAT_TEXT)
            continue;
        table_close(table);
        StringArray written = {0};
        for (size_t s = 0; s < count; s++)
            composed_write(query, symbols[s].algorithm, symbols[s].stages, &written);
    }
    const Status status = wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
    if (query->format != FORMAT_TEXT)
        table_close(table);
    if (query->format != FORMAT_TEXT || setting_is_brief(query))
        return status;
    fputc('\n', out);
    line_say(
        query->line,
        "m: bytes of %s; M: bytes of the largest buffer. Give -m for times, --set k= for a fixed "
        "number of chunks.",
        query->study.weights.text.length ? "a block of weight 1" : "a message, as MPI counts it");
    setting_write_machine(query);
    line_say(query->line, "rules: %s", answer.rules);
    return status;
}

/* For numbers of ranks from `first` on. */
static Status print_ranks(void *context, size_t first, size_t end, const CommandLine *line)
{
    const Answer *common = context; /* what answers have in common */
    Query query = *common->query;
    bool good = true, wrong = false;
    query.line = line;
    Table *table = query.format == FORMAT_TEXT ? NULL : open_table(&query, table_of(&query));
    if (table && common->made)
        include_trees(table);
    for (size_t i = first; i < end && good; i++) {
        Query settled;
        Answer answer;
        if (!query_settle_sizes(&query, query.collective, query.ranks.items[i], &settled))
            return STATUS_BAD_INPUT;
        settled.study.curves = arena_scratch(query.study.arena); /* needed for these ranks alone */
        good = open_answer(&settled, i, &answer);
        CommandLine own_line = *line;
        Query own = *answer.query; /* texts of one size are for it alone */
        answer.query = &own, own.line = &own_line;
        answer.saved = common->saved;
        answer.made = common->made;
        for (size_t s = 0; s < settled.sizes.count && good; s++) {
            own_line.arena = own.study.arena = arena_scratch(settled.study.arena);
            if (!table && s > 0)
                fputc('\n', line->out);
            answer.asked = settled.asked.items[s];
            good = table ? write_rows(&answer, settled.sizes.items[s], table)
                         : write_text(&answer, settled.sizes.items[s]);
            arena_destroy(own_line.arena);
        }
        wrong |= answer.wrong;
        arena_destroy(settled.study.curves);
    }
    if (table && good)
        table_close(table);
    return !good ? STATUS_BAD_INPUT : wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status answer_in_numbers(const Query *query, ComposedModels *saved,
                                const SynthesizedList *made)
{
    Answer common = {.query = query, .saved = saved, .made = made};
    const AnswerParts parts = {.count = query->ranks.count,
                               .is_whole = true,
                               .between = "\n",
                               .names = query_network_names(query),
                               .print = print_ranks,
                               .context = &common};
    return saved ? print_ranks(&common, 0, parts.count, query->line)
                 : lists_print(query->line, query->format, &parts);
}

static Status run(const CommandLine *given)
{
    Context alone;
    CommandLine own;
    const CommandLine *line = synthesized_line(given, &own, &alone);
    Query query;
    if (imported_is_asked(line))
        return imported_cost(line);
    if (cost_formulas_are_asked(line)) {
        bool any;
        const Status status = cost_formulas(line, &any);
        if (any || status != STATUS_FINE)
            return status;
    }
    if (!imported_check_absent(line) || !picture_check(line) || !query_read_subject(line, &query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_WITH))
        return together_cost(&query);
    if (shows_traffic(&query) && (option_given(line, OPTION_PICTURE) || query.collective->problem ||
                                  option_given(line, OPTION_BANDWIDTHS)))
        return BAD_INPUT(line->diag, NOWHERE, "--traffic goes with %s",
                         query.collective->problem ? "collectives, not with problems"
                                                   : "neither --picture nor --bandwidths");
    if (option_given(line, OPTION_MATRIX) && !cost_matrix_check(&query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE))
        return cost_picture(&query, AXIS_TIME);
    if (query.collective->problem)
        return problem_cost(&query);
    if (!query.sizes.count && (option_given(line, OPTION_BANDWIDTHS) || shows_traffic(&query)))
        return LACKING(line, NOWHERE, OPTION_SIZE,
                       shows_traffic(&query) ? "--traffic needs a message size: give -m"
                                             : "--bandwidths needs a message size: give -m");
    if (!synthesized_join(&query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_MATRIX) && query.format != FORMAT_CSV &&
        query.format != FORMAT_JSON) /* programs have rows for a matrix without it */
        return cost_matrix(&query);
    if (query.sizes.count)
        return answer_in_numbers(&query, NULL, NULL);
    return answer_in_symbols(&query);
}

Status cost_front(const CommandLine *line, ComposedModels *saved)
{
    Query query;
    if (!query_read_subject(line, &query) ||
        !query_is_collective(&query, line->operands.items[0], query.collective))
        return STATUS_BAD_INPUT;
    if (query.only)
        return BAD_INPUT(line->diag, line->operands.items[0].span,
                         "expected a collective, not one algorithm");
    if (!query.sizes.count)
        return LACKING(line, NOWHERE, OPTION_SIZE, "the message size is missing: give -m");
    query.study.wants_front = true;
    return answer_in_numbers(&query, saved, NULL);
}

Status cost_synthesized(const Query *query, const SynthesizedList *made)
{
    return answer_in_numbers(query, NULL, made);
}

const Command command_cost = {
    .name = "cost",
    .operands = "COLLECTIVE|PROBLEM[/ALGORITHM] | FILE",
    .summary = "the cost of each algorithm, beside the lower bound",
    .description =
        "Shows what each algorithm of a collective costs, the fastest first: startup, per-hop, "
        "transfer and compute time, the total, the lower bound and the ratio of the two. Each "
        "schedule is first run on real data for this number of ranks (up to 128). Without -m "
        "the answer is in symbols. With --picture it is a plot of the times over the sizes -m "
        "LO..HI. FILE is a schedule of MSCCL (XML or JSON), a plan of MSCCL++ or a GOAL file.",
    .examples = "collcost cost allreduce -t torus:4x4 -m 1MiB\n"
                "collcost cost allreduce -t cluster:4x8 --machine h100-ndr -m 1KiB..1GiB --matrix",
    .options =
        OPTIONS_OF_COSTS |
        OPTIONS(WEIGHTS, ALONG, WITH, MEMBERS, FINISH, SIZES, REAL_K, CEIL_CHUNKS, AMONG, FOR,
                COMPOSE, SYNTHESIZE, BANDWIDTHS, MATRIX, BRIEF, TRAFFIC, ORDER, ELEMENT, USING) |
        OPTIONS_OF_PICTURES | OPTIONS(AXIS, COLLECTIVE, INPLACE, SLOTS, TILES, JOBS),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run,
};
