#include "cli/one_schedule.h"

#include "study/candidates.h"

/* Numbers of chunks and of branches: given, the best for the size, or the least. */
static bool choose_k(const Query *query, const Algorithm *algorithm, const Network *network,
                     Instance *instance)
{
    const FreeChoice chosen = study_choice(&query->study, algorithm, network);
    instance->k = chosen.k ? chosen.k : 1;
    instance->branches = chosen.branches[algorithm->branching];
    instance->branches = branches_of(instance);
    if (!study_check_segment(&query->study, algorithm, query->sizes.count > 0))
        return false;
    if (!query->sizes.count || (!algorithm->free_chunks && !algorithm->branching))
        return true;
    Curve *curve =
        curve_create(query->study.arena, algorithm, network, query->study.root, query->study.target,
                     &query->study.rules, &chosen, query->study.diag);
    CurvePoint point;
    double size = query->sizes.items[0];
    if (!curve || !curve_at(curve, size, curve_most_chunks(size), &point, query->study.diag))
        return false;
    instance->k = (int64_t)point.k;
    instance->branches = point.branches;
    return true;
}

static bool check_single(const Query *query, const char *command)
{
    if (query->ranks.count == 1 && query->sizes.count <= 1 && query->orders.count <= 1)
        return true;
    diag_error(query->study.diag, NOWHERE, "'%s' takes one number of ranks and at most one %s",
               command, query->orders.count ? "order" : "size");
    return false;
}

static bool is_allowed(const Query *query, const Algorithm *algorithm, const Network *network)
{
    AlgorithmArray algorithms = {0};
    return candidates_list(&query->study, algorithm->collective, algorithm, network, &algorithms,
                           NULL);
}

/* Rounds do not depend on n; where none is given any will do, and no sizes are shown. */
static int64_t choose_order(const Query *query, const Algorithm *algorithm)
{
    bool is_problem = algorithm->collective->problem != NULL;
    return query->orders.count ? query->orders.items[0] : is_problem;
}

bool one_schedule_read(const CommandLine *line, const char *command, OneSchedule *found)
{
    Query *asked = &found->asked, *query = &found->query;
    Network *network = &found->network;
    if (!query_read(line, asked))
        return false;
    const Algorithm *algorithm = query_algorithm(asked, line->operands.items[0]);
    if (!algorithm || !query_check_subject(asked, algorithm->collective) ||
        !query_settle_ranks(asked) || !check_single(asked, command) ||
        !query_settle_sizes(asked, algorithm->collective, asked->ranks.items[0], query))
        return false;
    found->instance = (Instance){.algorithm = algorithm,
                                 .p = query->ranks.items[0],
                                 .k = 1,
                                 .shape = &network->shape,
                                 .order = choose_order(query, algorithm)};
    if (!query_network(query, 0, network) ||
        !study_weigh(&query->study, algorithm->collective, network->p) ||
        !query_settle_ends(query, algorithm->collective, network) ||
        !is_allowed(query, algorithm, network))
        return false;
    found->instance.ports = rules_ports(&query->study.rules, network);
    found->instance.weights = query->study.rules.weights;
    found->instance.root = query->study.root;
    found->instance.target = query->study.target;
    return choose_k(query, algorithm, network, &found->instance);
}
