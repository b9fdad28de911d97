#include "bound/bounds.h"
#include "bound/certificate.h"
#include "cli/files.h"
#include "cli/query.h"
#include "cli/schedule_proof.h"
#include "cli/setting.h"
#include "cost/claim.h"

#include <stdlib.h>
#include <string.h>

/* The formula of a claim about this kind of bound alone that is recorded to hold here, or NULL. */
static const char *closed_form(const Query *query, const Collective *collective,
                               const Network *network, BoundKind kind)
{
    Diag silent = diag_silent();
    ClaimPoint point = claim_point(&network->shape, query->study.root, 1,
                                   rules_ports(&query->study.rules, network));
    point.target = query->study.target;
    for (size_t i = 0; i < collective->claims.count; i++) {
        const Claim *claim = &collective->claims.items[i];
        bool alone = claim->bounds[kind];
        for (int other = 0; other < BOUND_KIND_COUNT; other++)
            alone &= other == (int)kind || !claim->bounds[other];
        alone &=
            rules_are_usual(&query->study.rules) && claim->switching[query->study.rules.switching];
        if (alone && !claim->recorded_refuted && claim_is_on(claim, network->topology->head.name) &&
            claim_applies(claim, &point, &silent))
            return arena_copy(query->study.arena, claim->formula.text.chars,
                              claim->formula.text.length);
    }
    return NULL;
}

/* All kinds for one size, or in symbols where `size` is NULL. */
static void write_bounds(const Query *query, const Collective *collective, const Network *network,
                         const BoundSet *bounds, const double *size, const double *asked,
                         Table *table)
{
    double parameters[PARAMETER_COUNT];
    rules_least(&query->study.rules, network, parameters);
    setting_put(table, query, collective->problem, setting_rules(query, network));
    BoundKind binding = size ? bounds_binding(bounds, parameters, *size) : BOUND_ROUNDS;
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
        if (kind == BOUND_FLOW && !option_given(query->line, OPTION_FLOW))
            continue;
        const Bound *bound = &bounds->items[kind];
        put_text(table, KEY_collective, collective->head.name);
        put_text(table, KEY_topology, network->name);
        put_number(table, KEY_p, (double)network->p);
        put_text(table, KEY_bound_kind, bound_names[kind]);
        put_text(table, KEY_formula, bound_formula(query->study.arena, bound));
        put_text(table, KEY_reason, bound->reason);
        put_text(table, KEY_for_any_p, closed_form(query, collective, network, (BoundKind)kind));
        if (size) {
            put_number(table, KEY_m_bytes, *size);
            put_number(table, KEY_nccl_bytes, *asked);
            put_number(table, KEY_bound_s, bound_seconds(bound, parameters, *size));
            put_bool(table, KEY_binding, kind == (int)binding);
        }
        table_row(table);
    }
}

static BoundSearch search_of(const Query *query)
{
    return option_given(query->line, OPTION_FLOW) ? BOUND_SEARCH_FLOW : BOUND_SEARCH_CUTS;
}

/* The bound that a certificate proves: of the best cut, or of flows where that is larger. */
static const Bound *certified(const BoundSet *bounds)
{
    const Bound *cut = &bounds->items[BOUND_CUT], *flow = &bounds->items[BOUND_FLOW];
    return exact_compare(flow->coefficient, cut->coefficient) > 0 ? flow : cut;
}

/* Nothing is written where there is no cut. */
static Status write_certificate(const Query *query, const Collective *collective,
                                const Network *network, const Contract *contract,
                                const BoundSet *bounds)
{
    Text name = option_value(query->line, OPTION_CERTIFICATE);
    Buffer text = {.arena = arena_scratch(query->study.arena)};
    bool has_cut = bound_certify(&text, collective->head.name, contract, network,
                                 &query->study.rules, search_of(query) == BOUND_SEARCH_FLOW);
    if (has_cut)
        schedule_proof_write(&text, query, collective, network, certified(bounds));
    else
        diag_error(query->study.diag, name.span,
                   "there is no cut to certify: nothing has to move, or there are too many links");
    bool written = has_cut && file_write(query->line, name, text.items, text.count);
    arena_destroy(text.arena);
    return written ? STATUS_FINE : has_cut ? STATUS_SYSTEM : STATUS_BAD_INPUT;
}

/* Are blocks combined for several ranks, so that results must come back? */
static bool spreads_results(const Contract *contract)
{
    return contract->combines && !contract->is_empty &&
           contract->after.starts[contract->p] > contract->block_count;
}

/* *only_bounds: becomes true where nothing is known about schedules that reach the bound. */
static Status answer(Query *query, const Collective *collective, size_t index, Table *table,
                     bool *only_bounds)
{
    Network network;
    Contract contract;
    BoundSet bounds;
    if (!query_network(query, index, &network) || !query_settle_ends(query, collective, &network) ||
        !contract_create_to(query->study.arena, collective, network.p, query->study.root,
                            query->study.target, &contract, query->study.diag))
        return STATUS_BAD_INPUT;
    bounds_compute(query->study.arena, &contract, &network, &query->study.rules, search_of(query),
                   &bounds);
    Status status = option_given(query->line, OPTION_CERTIFICATE)
                        ? write_certificate(query, collective, &network, &contract, &bounds)
                        : STATUS_FINE;
    if (status != STATUS_FINE)
        return status;
    *only_bounds |= spreads_results(&contract);
    for (size_t i = 0; i < query->sizes.count; i++)
        write_bounds(query, collective, &network, &bounds, &query->sizes.items[i],
                     &query->asked.items[i], table);
    if (query->sizes.count == 0)
        write_bounds(query, collective, &network, &bounds, NULL, NULL, table);
    return STATUS_FINE;
}

static void write_end(const Query *query, const Collective *collective, bool only_bounds)
{
    FILE *out = query->line->out;
    fputs("\nThe bound is the largest of these, not their sum.\n", out);
    if (only_bounds)
        fprintf(out, "For %s, the bound is proven, but not that a schedule comes close to it.\n",
                collective->head.name);
    query_describe_rules(query);
}

/* False after a report. */
static bool check_options(const Query *query, const Algorithm *only)
{
    const CommandLine *line = query->line;
    bool has_certificate = option_given(line, OPTION_CERTIFICATE);
    if (only)
        diag_error(line->diag, line->operands.items[0].span,
                   "a lower bound holds for every algorithm: give only the collective");
    else if (has_certificate && query->ranks.count > 1)
        diag_error(line->diag, option_value(line, OPTION_CERTIFICATE).span,
                   "a certificate needs exactly one number of ranks");
    else if (option_given(line, OPTION_FLOW) && !bounds_have_flow())
        diag_error(line->diag, option_value(line, OPTION_FLOW).span,
                   "--flow needs GLPK, and this collcost was built without it");
    else
        return true;
    return false;
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    if (!query_read_subject(line, &query, &collective, &only) ||
        !query_is_collective(&query, line->operands.items[0], collective) ||
        !check_options(&query, only))
        return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT) {
        fprintf(line->out, "lower bounds of %s\n", collective->head.name);
        query_describe_machine(&query);
        fputc('\n', line->out);
    }
    bool only_bounds = false;
    Table *table = table_open(line->arena, line->out, query.format,
                              query.sizes.count ? TABLE_bound : TABLE_bound_symbols);
    if (query.nccl_sizes && query.sizes.count)
        table_include(table, KEY_nccl_bytes);
    for (size_t i = 0; i < query.ranks.count; i++) {
        Query settled;
        if (!query_settle_sizes(&query, collective, query.ranks.items[i], &settled))
            return STATUS_BAD_INPUT;
        Status status = answer(&settled, collective, i, table, &only_bounds);
        if (status != STATUS_FINE)
            return status;
    }
    table_close(table);
    if (query.format == FORMAT_TEXT)
        write_end(&query, collective, only_bounds);
    return STATUS_FINE;
}

const Command command_bound = {
    .name = "bound",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the lower bounds, with their reasons",
    .description =
        "The lower bounds of a collective on a network, each with its reason, and the one that\n"
        "binds. Without -m they are shown in symbols.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(FLOW) | OPTION_BIT(CERTIFICATE),
    .run = run,
};
