/* The sizes of a question in the convention of --sizes. */
#include "cli/query.h"

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

const char *query_describe_size(const Query *settled, double asked)
{
    if (!settled->nccl_sizes)
        return "";
    return arena_printf(settled->study.arena, " (nccl size %s = %.0f m)",
                        quantity_show_bytes(settled->study.arena, asked), settled->m_count);
}
