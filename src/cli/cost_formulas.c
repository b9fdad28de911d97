#include "cli/cost_parts.h"

#include "cli/setting.h"
#include "model/claim.h"

#include <string.h>

bool cost_formulas_are_asked(const CommandLine *line)
{
    static const OptionId others[] = {OPTION_RANKS,  OPTION_SIZE,      OPTION_ORDER, OPTION_PICTURE,
                                      OPTION_WITH,   OPTION_TRAFFIC,   OPTION_ALONG, OPTION_MEMBERS,
                                      OPTION_MATRIX, OPTION_WEIGHTS,   OPTION_FOR,   OPTION_COMPOSE,
                                      OPTION_FINISH, OPTION_BANDWIDTHS};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (option_given(line, others[i]))
            return false;
    if (!option_given(line, OPTION_TOPOLOGY))
        return true;
    const Text network = option_value(line, OPTION_TOPOLOGY);
    return !memchr(network.chars, ':', network.length);
}

static bool is_shown(const Query *query, const Claim *claim)
{
    return claim && claim->kind == CLAIM_TIME && !claim->first.program &&
           !claim->recorded_refuted && !claim->overlaps &&
           claim->switching[query->study.rules.switching];
}

static size_t put_algorithms(const Query *query, const AlgorithmArray *algorithms, Table *table)
{
    size_t rows = 0;
    for (size_t a = 0; a < algorithms->count; a++) {
        const Algorithm *algorithm = algorithms->items[a];
        for (size_t i = 0; i < algorithm->claims.list.count; i++) {
            const Claim *claim = claims_on(&algorithm->claims, i, query->topology->head.name);
            if (!is_shown(query, claim))
                continue;
            rows++;
            if (table) {
                Arena *arena = query->study.arena;
                put_text(table, KEY_collective, algorithm->collective->head.name);
                put_text(table, KEY_algorithm, algorithm->head.name);
                put_text(table, KEY_topology, query->topology->head.name);
                put_text(table, KEY_closed_form, claim_formula(arena, claim));
                put_text(table, KEY_claimed_where, claim_where(arena, claim));
                put_text(table, KEY_source, claim->source);
                table_row(table);
            }
        }
    }
    return rows;
}

Status cost_formulas(const CommandLine *line, bool *any)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    AlgorithmArray algorithms = {0};
    *any = false;
    if (!query_read(line, &query) ||
        !query_subject(&query, line->operands.items[0], &collective, &only))
        return STATUS_BAD_INPUT;
    if (only)
        *ARRAY_PUSH(query.study.arena, &algorithms) = only;
    else if (!library_algorithms(query.study.library, collective, &algorithms, query.study.diag))
        return STATUS_BAD_INPUT;
    *any = !query.ranks.count && put_algorithms(&query, &algorithms, NULL) > 0;
    if (!*any)
        return STATUS_FINE;
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "%s on %s, any p\n%s", collective->head.name, query.topology->head.name,
                setting_is_brief(&query) ? "" : "\n");
    Table *table = line_table(line, query.format, TABLE_cost_formulas);
    put_algorithms(&query, &algorithms, table);
    table_close(table);
    if (query.format != FORMAT_TEXT || setting_is_brief(&query))
        return STATUS_FINE;
    fputc('\n', line->out);
    line_say(line,
             "Closed forms, which 'verify' compares with the schedules. Give -t %s:8, or -p 8, "
             "for all algorithms, also those without.",
             query.topology->head.name);
    return STATUS_FINE;
}
