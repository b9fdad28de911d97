/* The questions about one network that a line opens. */
#include "cli/query.h"

#include "study/product.h"

const char *query_network_name(const Query *query, size_t index)
{
    const Shape shape = query_shape(query, index);
    return topology_name(query->study.arena, query->topology, &shape);
}

static Case *take_over(Query *query, Case *opened)
{
    if (opened)
        query->study = opened->study;
    return opened;
}

Case *query_case(Query *query, size_t index, const Collective *collective, const Algorithm *only)
{
    const Shape shape = query_shape(query, index);
    if (!query_check_ends(query, collective))
        return NULL;
    return take_over(query, case_open(&query->study, collective, only, query->topology, &shape));
}

Case *query_bound_case(Query *query, size_t index, const Collective *collective)
{
    const Shape shape = query_shape(query, index);
    static const char *const idle[] = {"k", "segment", "radix", "fanout"};
    for (size_t i = 0; i < COUNT_OF(idle); i++)
        study_note(&query->study, idle[i], false);
    if (!query_check_ends(query, collective))
        return NULL;
    return take_over(query, case_create(&query->study, collective, query->topology, &shape));
}

Status query_products(const Query *query, const Collective *problem, const Algorithm *only,
                      collcost_products **opened)
{
    ProductPlaces places = {0};
    static const char *const idle[] = {"k",  "segment", "radix",      "fanout",    "from",
                                       "to", "compose", "bandwidths", "synthesize"};
    for (size_t i = 0; i < COUNT_OF(idle); i++)
        study_note(&query->study, idle[i], false);
    *opened = ARENA_NEW(query->study.arena, Products);
    for (size_t i = 0; i < query->ranks.count; i++)
        *ARRAY_PUSH(query->study.arena, &places) =
            (ProductPlace){query->topology, query_shape(query, i)};
    ProductOpening opening = products_open(&query->study, problem, only, &places, *opened);
    return opening == PRODUCT_OPENED  ? STATUS_FINE
           : opening == PRODUCT_WRONG ? STATUS_CHECK_FAILED
                                      : STATUS_BAD_INPUT;
}
