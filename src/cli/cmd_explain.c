#include "cli/cmd_import.h"
#include "cli/explain_parts.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/setting.h"

#include <string.h>

enum { LONGEST_NAME = 32 };

static const char *const part_names[COLLCOST_PART_COUNT] = {
    [COLLCOST_STARTUP] = "startup",   [COLLCOST_HOP] = "hop time",
    [COLLCOST_TRANSFER] = "transfer", [COLLCOST_CONTENTION] = "contention",
    [COLLCOST_COMPUTE] = "compute",   [COLLCOST_TOTAL] = "total"};

static const Key part_keys[COLLCOST_PART_COUNT] = {
    [COLLCOST_STARTUP] = KEY_startup_s,   [COLLCOST_HOP] = KEY_hop_s,
    [COLLCOST_TRANSFER] = KEY_transfer_s, [COLLCOST_CONTENTION] = KEY_contention_s,
    [COLLCOST_COMPUTE] = KEY_compute_s,   [COLLCOST_TOTAL] = KEY_total_s};

typedef struct {
    const Query *query;
    const Collective *collective;
    const Algorithm *algorithms[2];
    const char *labels[2]; /* their names, unless these are long */
    collcost_case *sides[2];
    const char *rules;
    const collcost_explanation *found;
} Report;

/* Of a side, in tables; for people it may be short. */
static const char *name_of(const Report *report, int side)
{
    return report->query->format == FORMAT_TEXT ? report->labels[side]
                                                : report->algorithms[side]->head.name;
}

static void put_question(const Report *report, Table *table)
{
    case_put(table, report->sides[0]);
    put_number(table, KEY_m_bytes, report->found->bytes);
}

static void write_costs(const Report *report)
{
    Table *table = query_table(report->query, TABLE_explain_costs);
    put_question(report, table);
    setting_put(table, report->query, false, report->rules);
    for (int i = 0; i < 2; i++) {
        const collcost_side *side = &report->found->sides[i];
        if (side->has_chunks)
            put_number(table, KEY_k, side->k);
        choices_put(table, KEY_algorithm, side->algorithm, &side->branches);
        put_number(table, KEY_rounds, (double)side->rounds);
        for (int part = 0; part < COLLCOST_PART_COUNT; part++)
            put_number(table, part_keys[part], side->seconds[part]);
        put_text(table, KEY_time_from, side->from_closed_form ? "closed form" : "schedule");
        table_row(table);
    }
    table_close(table);
}

/* The parts side by side, and what the first pays more. */
static void write_parts(const Report *report)
{
    const collcost_explanation *found = report->found;
    const char *more = arena_printf(report->query->study.arena, "%s pays more", report->labels[0]);
    Table *table = query_table(report->query, TABLE_explain_parts);
    table_title(table, KEY_part_of_first, report->labels[0]);
    table_title(table, KEY_part_of_second, report->labels[1]);
    table_title(table, KEY_part_more, more);
    for (int i = 0; i < COLLCOST_PART_COUNT; i++) {
        put_text(table, KEY_part, part_names[i]);
        put_number(table, KEY_part_of_first, found->sides[0].seconds[i]);
        put_number(table, KEY_part_of_second, found->sides[1].seconds[i]);
        put_number(table, KEY_part_more, found->more[i]);
        table_row(table);
    }
    table_close(table);
}

/* A kind of rounds, of which facts are told. */
typedef struct {
    const char *key, *heading;
    size_t offset; /* in collcost_rounds */
} RoundKind;

static const RoundKind round_kinds[] = {
    {"first_difference", "the first round whose time differs, with its slowest message",
     offsetof(collcost_rounds, first_difference)},
    {"slowest", "the slowest round of each algorithm", offsetof(collcost_rounds, slowest)},
    {"most_contended",
     "the most contended round: its slowest message shares a link with the most bytes of others",
     offsetof(collcost_rounds, most_contended)},
};
enum { ROUND_KIND_COUNT = COUNT_OF(round_kinds) };

static const collcost_round *fact_of(const Report *report, const RoundKind *kind, int side)
{
    return (const collcost_round *)((const char *)&report->found->sides[side].of_note +
                                    kind->offset);
}

static void write_kind(const Report *report, const RoundKind *kind, Table *table)
{
    for (int side = 0; side < 2; side++) {
        const collcost_round *fact = fact_of(report, kind, side);
        put_text(table, KEY_which, kind->key);
        put_text(table, KEY_algorithm, name_of(report, side));
        if (fact->number > 0) {
            put_number(table, KEY_round, (double)fact->number);
            put_number(table, KEY_time_s, fact->seconds);
        }
        if (fact->number > 0 && fact->bytes >= 0 && fact->from >= 0)
            PUT(table, fact, from, to, bytes);
        if (fact->has_link) {
            PUT(table, fact, link_from, link_to);
            put_text(table, KEY_busiest_link,
                     arena_printf(report->query->study.arena, "%lld > %lld",
                                  (long long)fact->link_from, (long long)fact->link_to));
            put_number(table, KEY_link_messages, (double)fact->messages);
            put_number(table, KEY_link_bytes, fact->load);
        }
        table_row(table);
    }
}

/* Of one side, at most so many messages. */
static void write_path(const Report *report, int side, size_t most, Table *table)
{
    const collcost_explanation *found = report->found;
    for (size_t i = 0; i < found->critical_counts[side] && i < most; i++) {
        put_text(table, KEY_algorithm, name_of(report, side));
        critical_path_put(table, &found->critical_paths[side][i]);
        table_row(table);
    }
}

static void write_break_evens(const Report *report)
{
    const char *const names[2] = {name_of(report, 0), name_of(report, 1)};
    explain_break_even_write(report->query, report->found, names);
}

static const char *describe_verdict(const Report *report)
{
    Arena *arena = report->query->study.arena;
    int faster = report->found->order > 0;
    const collcost_side *sides = report->found->sides;
    if (report->found->order == 0)
        return "both cost the same";
    double share =
        sides[!faster].seconds[COLLCOST_TOTAL] / sides[faster].seconds[COLLCOST_TOTAL] - 1;
    return arena_printf(arena, "%s is faster: %s takes %s%s", report->labels[faster],
                        report->labels[!faster], quantity_show_share(arena, share),
                        share < 10 ? " longer" : "");
}

static void write_heading(const Query *query, const Collective *collective, const char *network)
{
    FILE *out = query->line->out;
    fprintf(out, "%s on %s", collective->head.name, network);
    if (!collective->is_empty)
        fprintf(out, ", %s", query_show_size(query, query->sizes.items[0], query->asked.items[0]));
    fputs("\n", out);
    setting_write_machine(query);
}

static void write_explain_text(const Report *report)
{
    FILE *out = report->query->line->out;
    Arena *arena = report->query->study.arena;
    for (int i = 0; i < 2; i++) {
        const collcost_side *side = &report->found->sides[i];
        const char *name = side->algorithm, *label = report->labels[i];
        const char *chunks = side->has_chunks ? arena_printf(arena, ", k = %.10g", side->k) : "";
        if (side->branches.name)
            chunks = arena_printf(arena, "%s, %s = %lld", chunks, side->branches.name,
                                  (long long)side->branches.value);
        if (strcmp(label, name) != 0)
            name = arena_printf(arena, "%s, %s", label, name);
        line_say(report->query->line, "%s: %lld round%s%s, from the %s", name,
                 (long long)side->rounds, PLURAL_END(side->rounds), chunks,
                 side->from_closed_form ? "closed form" : "schedule");
    }
    fputc('\n', out);
    write_parts(report);
    fputc('\n', out);
    line_say(report->query->line, "%s", describe_verdict(report));
    if (report->found->order) {
        /* For people a table for each kind of which there is something to tell. */
        for (int j = 0; j < ROUND_KIND_COUNT && report->found->has_rounds; j++) {
            const RoundKind *kind = &round_kinds[j];
            if (!fact_of(report, kind, 0)->number && !fact_of(report, kind, 1)->number)
                continue;
            fprintf(report->query->line->out, "\n%s\n", kind->heading);
            Table *table = query_table(report->query, TABLE_explain_rounds);
            write_kind(report, kind, table);
            table_close(table);
        }
    }
    for (int i = 0; i < 2; i++) {
        /* For people the beginning of each. */
        const size_t count = report->found->critical_counts[i];
        if (count == 0)
            continue;
        fputc('\n', out);
        line_say(report->query->line,
                 "the critical path of %s: %zu message%s, each after the one it waits for",
                 report->labels[i], count, PLURAL_END(count));
        Table *table = query_table(report->query, TABLE_explain_path);
        write_path(report, i, MOST_SHOWN, table);
        table_close(table);
        if (count > MOST_SHOWN)
            fprintf(out, "... and %zu more\n", count - MOST_SHOWN);
    }
    fputs(report->found->order ? "\nwhat would reverse the order\n"
                               : "\nwhat would make one of them faster\n",
          out);
    write_break_evens(report);
    fputc('\n', out);
    line_say(report->query->line, "rules: %s", report->rules);
}

/* Long names would make wide tables. */
static void set_labels(Report *report)
{
    static const char *const labels[2] = {"the first", "the second"};
    const char *first = report->algorithms[0]->head.name;
    const char *second = report->algorithms[1]->head.name;
    bool is_long = strlen(first) > LONGEST_NAME || strlen(second) > LONGEST_NAME;
    report->labels[0] = is_long ? labels[0] : first;
    report->labels[1] = is_long ? labels[1] : second;
}

static bool read_sides(const Query *query, Report *report)
{
    Arena *arena = query->study.arena;
    Text first = query->line->operands.items[0], second = query->line->operands.items[1];
    const Span place = second.span;
    const Algorithm *algorithm = query_algorithm(query, first);
    if (!algorithm)
        return false;
    report->algorithms[0] = algorithm;
    report->collective = algorithm->collective;
    /* The second may leave out the collective: "ring", or stages, "ring along x, ring along y". */
    bool has_stages = strpbrk(second.chars, ", ") != NULL;
    if (!library_is_typed(second) && (has_stages || !strchr(second.chars, '/')))
        second = source_argument(arena, "explain",
                                 arena_printf(arena, has_stages ? "%s: %s" : "%s/%s",
                                              algorithm->collective->head.name, second.chars));
    report->algorithms[1] = query_algorithm(query, second);
    if (!report->algorithms[1])
        return false;
    if (algorithm->collective != report->algorithms[1]->collective)
        return diag_error(query->study.diag, place,
                          "both must be algorithms of the same collective");
    if (strcmp(algorithm->head.name, report->algorithms[1]->head.name) == 0)
        return diag_error(query->study.diag, place,
                          "this is the same algorithm: there is nothing to explain");
    set_labels(report);
    return query_is_collective(query, first, algorithm->collective);
}

static Status find_explain(Query *query, Report *report)
{
    bool is_drawn = option_given(query->line, OPTION_PICTURE);
    unsigned wanted = query->format == FORMAT_CSV || is_drawn ? 0 : COLLCOST_BREAK_EVENS;
    for (int i = 0; i < 2; i++) {
        if (!report->sides[i])
            report->sides[i] = query_case(query, 0, report->collective, report->algorithms[i]);
        if (!report->sides[i])
            return STATUS_BAD_INPUT;
    }
    collcost_status status = collcost_explain(report->sides[0], report->sides[1],
                                              query->sizes.items[0], wanted, &report->found);
    if (!query_answered(query, status) ||
        !query_answered(query, collcost_case_rules(report->sides[0], &report->rules)))
        return STATUS_BAD_INPUT;
    return status == COLLCOST_CHECK_FAILED ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status explain_both(Query *query, Report *report)
{
    Status status = find_explain(query, report);
    if (status != STATUS_FINE)
        return status;
    if (option_given(query->line, OPTION_PICTURE))
        return explain_picture(query, report->sides, describe_verdict(report));
    if (query->format == FORMAT_TEXT) {
        write_heading(query, report->collective, collcost_case_network(report->sides[0]));
        write_explain_text(report);
        return STATUS_FINE;
    }
    if (query->format != FORMAT_JSON) {
        write_costs(report);
        return STATUS_FINE;
    }
    Table *record = query_table(query, TABLE_explain);
    const int order = report->found->order;
    put_question(report, record);
    put_text(record, KEY_faster, order == 0 ? NULL : report->found->sides[order > 0].algorithm);
    setting_put(record, query, false, report->rules);
    table_nest(record, KEY_costs);
    write_costs(report);
    table_nest(record, KEY_rounds_of_both);
    /* Of all kinds, for programs. */
    Table *table = query_table(query, TABLE_explain_rounds);
    for (int i = 0; i < ROUND_KIND_COUNT && report->found->has_rounds; i++)
        write_kind(report, &round_kinds[i], table);
    table_close(table);
    table_nest(record, KEY_critical_path);
    table = query_table(query, TABLE_explain_path);
    for (int i = 0; i < 2; i++)
        write_path(report, i, SIZE_MAX, table);
    table_close(table);
    table_nest(record, KEY_break_even);
    write_break_evens(report);
    table_close(record);
    return STATUS_FINE;
}

/* What a library chooses; for people also how that compares with its fastest, or with --picture
   both. */
static Status explain_library(Query *query, Report *report)
{
    const CommandLine *line = query->line;
    const Shape shape = query_shape(query, 0);
    const bool is_drawn = option_given(line, OPTION_PICTURE);
    if (query->format == FORMAT_TEXT && !is_drawn) {
        write_heading(query, report->collective,
                      topology_name(query->study.arena, query->topology, &shape));
        fputs("\n", line->out);
    }
    bool has_protocol;
    Status status =
        explain_choice_write(query, report->collective, report->algorithms, &has_protocol);
    if (status != STATUS_FINE || query->format != FORMAT_TEXT)
        return status;
    const bool is_fastest = report->algorithms[0] == report->algorithms[1];
    set_labels(report);
    if (is_drawn)
        return !is_fastest
                   ? explain_both(query, report)
                   : BAD_INPUT(query->study.diag, option_value(line, OPTION_PICTURE).span,
                               "%s@%s chooses the fastest, %s: there is nothing to compare it with",
                               query->study.implementation->head.name, query->study.version,
                               report->algorithms[0]->head.name);
    fputs("\n", line->out);
    if (is_fastest) {
        setting_write_rules(query);
        return STATUS_FINE;
    }
    if (has_protocol && query->study.machine.listed_count > 0)
        fputs("below, each message has the protocol that the machine gives it\n\n", line->out);
    status = find_explain(query, report);
    if (status == STATUS_FINE)
        write_explain_text(report);
    return status;
}

static Status run_explain(const CommandLine *given)
{
    ImportedModels models;
    const Status status = imported_models(given, &models);
    if (status != STATUS_FINE)
        return status;
    const CommandLine *line = &models.line;
    Query asked, query;
    Report report = {.query = &query};
    if (!picture_check(line) || !query_read(line, &asked))
        return STATUS_BAD_INPUT;
    /* Two algorithms, one, or a collective alone. */
    const Text first = line->operands.items[0];
    const bool is_read =
        line->operands.count == 2
            ? read_sides(&asked, &report)
            : query_subject(&asked, first, &report.collective, &report.algorithms[0]) &&
                  query_is_collective(&asked, first, report.collective);
    if (!is_read || !query_check_subject(&asked, report.collective) || !query_settle_ranks(&asked))
        return STATUS_BAD_INPUT;
    query_fill_size(&asked, report.collective);
    if (asked.ranks.count != 1 || asked.sizes.count != 1)
        return LACKING(line, NOWHERE, asked.ranks.count == 1 ? OPTION_SIZE : OPTION_COUNT,
                       "'explain' needs one number of ranks and one size, such as -m 1MiB");
    if (!query_settle_sizes(&asked, report.collective, asked.ranks.items[0], &query))
        return STATUS_BAD_INPUT;
    if (!report.algorithms[0] && query.study.implementation &&
        groups_are_given(&query.study.groups))
        return BAD_INPUT(line->diag, NOWHERE,
                         "what a library chooses for groups of ranks is not known");
    if (!report.algorithms[0] && query.study.implementation)
        return explain_library(&query, &report);
    if (!report.algorithms[1]) {
        if (!explain_rivals_find(&query, report.collective, report.algorithms, report.sides))
            return STATUS_BAD_INPUT;
        set_labels(&report);
    }
    return explain_both(&query, &report);
}

const Command command_explain = {
    .name = "explain",
    .operands = "COLLECTIVE[/A]|FILE [B|FILE]",
    .summary = "why one algorithm is faster than another, and what would reverse that",
    .description =
        "Compares two algorithms of a collective for one size: their costs side by side, the "
        "first round in which they differ, the slowest round of each with its slowest message "
        "and the busiest link on its path, and which parameter would reverse the order, and at "
        "what value. A single algorithm is compared with the fastest of the others; for a "
        "COLLECTIVE alone, the fastest is compared with the next. With --for, it shows what the "
        "library chooses by itself, and what that loses. --picture draws both schedules on one "
        "scale.",
    .examples = "collcost explain allreduce/ring swing -t torus:4x4 -m 64KiB\n"
                "collcost explain broadcast -t torus:4x4 -m 1MiB",
    .options = OPTIONS_OF_COSTS | OPTIONS_OF_IMPORTS | OPTIONS_OF_PICTURES |
               OPTIONS(WEIGHTS, ALONG, MEMBERS, SIZES, REAL_K, USING, FOR, JOBS),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run_explain,
};
