#include "cli/query.h"
#include "study/product.h"

#include <string.h>

/* The questions about one network that a line opens. */

const char *const *query_network_names(const Query *query)
{
    const char **names = ARENA_ARRAY(query->study.arena, const char *, query->ranks.count + 1);
    for (size_t i = 0; i < query->ranks.count; i++) {
        const Shape shape = query_shape(query, i);
        names[i] = topology_name(query->study.arena, query->topology, &shape);
    }
    return names;
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
    Study *study = &query->study;
    Case **shared = query->line->shared, *opened = shared ? *shared : NULL;
    Arena *curves = study->curves;
    if (!query_check_ends(query, collective))
        return NULL;
    /* Of lines that differ in sizes and in what they show. What is put off is so by closed
       forms. */
    const bool is_same_question =
        opened && !only && opened->network.p == shape.p &&
        strcmp(opened->collective->head.name, collective->head.name) == 0 &&
        (opened->study.defers == study->defers || !rules_have_closed_forms(&study->rules)) &&
        (opened->study.size == study->size || !study->implementation) &&
        !(study->chosen.segment > 0);
    if (is_same_question) {
        opened->study.diag = study->diag;
        opened->sizes = 0;
    } else {
        study->curves = shared ? NULL : curves;
        opened = case_open(study, collective, only, query->topology, &shape);
        if (shared && opened && !only)
            *shared = opened;
    }
    take_over(query, opened);
    study->curves = curves;
    return opened;
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

bool query_contract(const Case *opened, Contract *contract)
{
    const Study *study = &opened->study;
    return contract_create(study->arena, opened->collective, opened->network.p, study->root,
                           study->target, contract, study->diag) &&
           contract_check_entries(opened->collective, contract, contract->p, study->diag);
}

Status query_products(const Query *query, collcost_products **opened)
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
    ProductOpening opening =
        products_open(&query->study, query->collective, query->only, &places, *opened);
    return opening == PRODUCT_OPENED  ? STATUS_FINE
           : opening == PRODUCT_WRONG ? STATUS_CHECK_FAILED
                                      : STATUS_BAD_INPUT;
}

/* The sizes of a question in the convention of --sizes. */

bool query_largest_buffer(const Query *query, const Collective *collective, int64_t p,
                          double *blocks)
{
    if (!study_buffer_blocks(&query->study, collective, p, blocks))
        return false;
    if (*blocks < 1 && query->study.weights.text.length)
        diag_error(query->study.diag, query->study.weights.text.span,
                   "all weights are 0, so the largest buffer has no size");
    else if (*blocks < 1)
        diag_error(query->study.diag, collective->buffer.text.span,
                   "the largest buffer has %g blocks for p = %lld, so it has no size", *blocks,
                   (long long)p);
    return *blocks >= 1;
}

bool query_settle_sizes(const Query *query, const Collective *collective, int64_t p, Query *settled)
{
    *settled = *query;
    if (collective->is_empty)
        settled->sizes = (SizeArray){0};
    for (size_t i = 0; collective->is_empty && i < query->sizes.count; i++) {
        *ARRAY_PUSH(query->study.arena, &settled->sizes) = 0;
        if (query->sizes.items[i] > 0) /* 0 asks for numbers, in place of symbols */
            study_note(&query->study, "size", false);
    }
    settled->study.size = settled->sizes.count == 1 ? settled->sizes.items[0] : 0;
    if (!query->nccl_sizes || collective->is_empty)
        return true;
    if (!query_largest_buffer(query, collective, p, &settled->m_count))
        return false;
    settled->sizes = (SizeArray){0};
    for (size_t i = 0; i < query->asked.count; i++)
        *ARRAY_PUSH(query->study.arena, &settled->sizes) = query->asked.items[i] / settled->m_count;
    settled->study.size /= settled->m_count;
    return true;
}

void query_fill_size(Query *query, const Collective *collective)
{
    if (!collective->is_empty || query->sizes.count)
        return;
    *ARRAY_PUSH(query->study.arena, &query->sizes) = 0;
    query->asked = query->sizes;
}

const char *query_show_size(const Query *settled, double m, double asked)
{
    Arena *arena = settled->study.arena;
    const char *text = arena_printf(arena, "m = %s", quantity_show_bytes(arena, m));
    return settled->nccl_sizes ? arena_printf(arena, "%s (nccl size %s = %.0f m)", text,
                                              quantity_show_bytes(arena, asked), settled->m_count)
                               : text;
}
