#include "cli/cost_parts.h"

#include "cli/choices.h"
#include "cli/composed.h"
#include "cli/setting.h"

#include <math.h>

static void write_row(const collcost_traffic *traffic, double size, double asked, Table *table)
{
    put_number(table, KEY_m_bytes, size);
    put_number(table, KEY_nccl_bytes, asked);
    if (traffic->has_chunks)
        put_number(table, KEY_k, traffic->k);
    PUT(table, traffic, total_s, links, link_count, busiest_bytes);
    put_number(table, KEY_traffic_bytes, traffic->bytes);
    if (!isnan(traffic->least_bytes)) {
        put_number(table, KEY_least_traffic_bytes, traffic->least_bytes);
        put_number(table, KEY_least_busiest_bytes, traffic->least_busiest_bytes);
    }
    if (traffic->least_bytes > 0)
        put_number(table, KEY_traffic_ratio, traffic->bytes / traffic->least_bytes);
    put_text(table, KEY_stages, traffic->stages);
    table_row(table);
}

bool cost_traffic_write(const Query *query, collcost_case *opened, const char *rules, double size,
                        double asked, Table *table)
{
    const collcost_traffic *traffic;
    size_t count;
    setting_put(table, query, false, rules);
    if (!query_answered(query, collcost_case_traffic(opened, size, &traffic, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        choices_put_subject(table, query->study.arena, opened, traffic[i].algorithm,
                            &traffic[i].branches);
        write_row(&traffic[i], size, asked, table);
    }
    if (query->format != FORMAT_TEXT)
        return true;
    table_close(table);
    if (!setting_is_brief(query))
        fputc('\n', query->line->out);
    TextArray written = {0};
    for (size_t i = 0; i < count; i++)
        composed_write(query, traffic[i].algorithm, traffic[i].stages, &written);
    return true;
}
