#include "cli/problem_cost.h"
#include "cli/switch_table.h"

static bool answer(const Query *asked, const Collective *collective, size_t index, Table *table,
                   bool *right)
{
    SwitchCase here;
    if (!switchcase_open(asked, collective, index, &here))
        return false;
    *right &= switchcase_audit(&here);
    return switch_table_write(table, &here, collective);
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    Network network;
    bool right = true;
    if (!query_read_subject(line, &query, &collective, &only))
        return STATUS_BAD_INPUT;
    if (collective->problem)
        return problem_switch(&query, collective, only);
    double tolerance;
    bool good;
    switch_tolerance(&query, &tolerance, &good);
    if (!good || !switchpoints_check_sizes(&query) || !switchpoints_check_subject(&query, only))
        return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT)
        query_describe_machine(&query);
    for (size_t i = 0; i < query.ranks.count && query.format == FORMAT_TEXT; i++) {
        if (!query_network(&query, i, &network))
            return STATUS_BAD_INPUT;
        fprintf(line->out, "\n%s on %s%s\n", collective->head.name, network.name,
                query.nccl_sizes ? ", sizes as nccl counts them: M, not m" : "");
        Table *table = switch_table_open(&query);
        if (!answer(&query, collective, i, table, &right))
            return STATUS_BAD_INPUT;
        table_close(table);
    }
    if (query.format == FORMAT_TEXT) {
        fprintf(line->out, "\nrules: %s\n", rules_describe(line->arena, &query.rules));
        return right ? STATUS_FINE : STATUS_CHECK_FAILED;
    }
    Table *table = switch_table_open(&query);
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!answer(&query, collective, i, table, &right))
            return STATUS_BAD_INPUT;
    table_close(table);
    return right ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_switch = {
    .name = "switch",
    .operands = "COLLECTIVE|PROBLEM",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the fastest algorithm by message size, with exact switch points",
    .description =
        "Which algorithm of a collective is the fastest from which message size on. Switch points\n"
        "are computed, not sampled; k is the best number of chunks at the lower end of a row, and\n"
        "ties are named; second best is what else is fastest, and loses is how much longer it "
        "takes\n"
        "at most, which is how much a row matters. With -m LO..HI only that range is searched, "
        "and\n"
        "with --tolerance 5% rows are merged as long as they lose no more. For a product of "
        "matrices:\n"
        "from which order on, up to 65536 or in -n LO..HI.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(AMONG) |
               OPTION_BIT(WITHOUT) | OPTION_BIT(TOLERANCE) | OPTION_BIT(ORDER) |
               OPTION_BIT(ELEMENT) | OPTION_BIT(USING),
    .run = run,
};
