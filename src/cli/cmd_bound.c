#include "cli/certificate.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/setting.h"

static unsigned wanted_of(const Query *query)
{
    return option_given(query->line, OPTION_FLOW) ? COLLCOST_FLOW : 0;
}

/* All kinds for the size with this number, or in symbols where there are no sizes. False after a
   report. */
static bool write_bounds(const Query *query, Case *opened, size_t which, Table *table)
{
    const collcost_bound *bounds;
    const char *rules;
    size_t count;
    const bool has_size = query->sizes.count > 0;
    const double size = has_size ? query->sizes.items[which] : 0;
    if (!query_answered(query,
                        collcost_case_bounds(opened, size, wanted_of(query), &bounds, &count)) ||
        !query_answered(query, collcost_case_rules(opened, &rules)))
        return false;
    setting_put(table, query, false, rules);
    for (size_t i = 0; i < count; i++) {
        const collcost_bound *bound = &bounds[i];
        case_put(table, opened);
        put_text(table, KEY_bound_kind, bound->kind);
        PUT(table, bound, formula, reason);
        put_text(table, KEY_for_any_p, bound->closed_form);
        if (has_size) {
            put_number(table, KEY_m_bytes, size);
            put_number(table, KEY_nccl_bytes, query->asked.items[which]);
            put_number(table, KEY_bound_s, bound->seconds);
            put_bool(table, KEY_binding, bound->binds);
        }
        table_row(table);
    }
    return true;
}

/* False after a report. */
static bool check_options(const Query *query)
{
    const CommandLine *line = query->line;
    bool has_certificate = option_given(line, OPTION_CERTIFICATE);
    if (query->only)
        return diag_error(line->diag, line->operands.items[0].span,
                          "a lower bound holds for every algorithm: give only the collective");
    if (has_certificate && query->ranks.count > 1)
        return diag_error(line->diag, option_value(line, OPTION_CERTIFICATE).span,
                          "a certificate needs exactly one number of ranks");
    if (option_given(line, OPTION_FLOW) && !collcost_has_flow())
        return diag_error(
            line->diag, option_value(line, OPTION_FLOW).span,
            "--flow needs GLPK, which was missing when collcost was built or cannot be loaded");
    return true;
}

static Status run(const CommandLine *line)
{
    Query query;
    if (!picture_check(line) || !query_read_subject(line, &query) ||
        !query_is_collective(&query, line->operands.items[0], query.collective) ||
        !check_options(&query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE))
        return bound_picture(&query);
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "lower bounds of %s%s\n", query.collective->head.name,
                setting_of_machine(&query));
    setting_begin(&query);
    bool only_bounds = false; /* nothing is known about schedules that reach a bound */
    Table *table = query_table(&query, query.sizes.count ? TABLE_bound : TABLE_bound_symbols);
    if (query.nccl_sizes && query.sizes.count)
        table_include(table, KEY_nccl_bytes);
    for (size_t i = 0; i < query.ranks.count; i++) {
        Query settled;
        const collcost_bound *bounds;
        size_t count;
        if (!query_settle_sizes(&query, query.collective, query.ranks.items[i], &settled))
            return STATUS_BAD_INPUT;
        collcost_case *opened = query_bound_case(&settled, i, query.collective);
        if (!opened || !query_answered(&query, collcost_case_bounds(opened, 0, wanted_of(&query),
                                                                    &bounds, &count)))
            return STATUS_BAD_INPUT;
        only_bounds |= bounds[0].may_be_loose;
        if (option_given(line, OPTION_CERTIFICATE)) {
            const Status status = certificate_write(&settled, opened);
            if (status != STATUS_FINE)
                return status;
        }
        for (size_t s = 0; s < settled.sizes.count || s == 0; s++)
            if (!write_bounds(&settled, opened, s, table))
                return STATUS_BAD_INPUT;
    }
    table_close(table);
    if (query.format != FORMAT_TEXT || setting_is_brief(&query))
        return STATUS_FINE;
    fputs("\nThe bound is the largest of these, not their sum.\n", line->out);
    if (only_bounds)
        line_say(line, "For %s, the bound is proven, but not that a schedule comes close to it.",
                 query.collective->head.name);
    setting_write_rules(&query);
    return STATUS_FINE;
}

const Command command_bound = {
    .name = "bound",
    .operands = "COLLECTIVE",
    .summary = "the lower bounds, with their reasons",
    .description =
        "Shows the lower bounds of a collective on a network, each with its reason, and which "
        "of them is the largest. Without -m they are in symbols. With --picture the best cut is "
        "drawn.",
    .examples = "collcost bound allreduce -t torus:4x4 -m 1MiB\n"
                "collcost bound alltoall -t fat-tree:2x2x4 -m 64KiB",
    .options = OPTIONS_OF_COSTS | OPTIONS_OF_PICTURES |
               OPTIONS(WEIGHTS, ALONG, MEMBERS, FINISH, SIZES, BRIEF, FLOW, CERTIFICATE, JOBS),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run,
};
