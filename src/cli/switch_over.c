#include "cli/switch_over.h"

#include "cli/setting.h"
#include "study/rank_sweep.h"

#include <math.h>

typedef struct {
    const Query *query;
    const Collective *collective;
    RankSweep found;
} Sweep;

bool switch_over_asked(const CommandLine *line, bool *good)
{
    *good = true;
    if (!option_given(line, OPTION_OVER))
        return false;
    Text text = option_value(line, OPTION_OVER);
    *good = text_equals(text, "m") || text_equals(text, "p");
    if (!*good)
        diag_error(line->diag, text.span, "invalid value '%s'; valid values are m and p",
                   text.chars);
    return text_equals(text, "p");
}

/* Of the algorithms that were named perhaps none runs there. */
static bool find_point(Sweep *sweep, const Query *asked, size_t index)
{
    Query query;
    if (!query_settle_sizes(asked, sweep->collective, asked->ranks.items[index], &query))
        return false;
    const Case *opened = query_case(&query, index, sweep->collective, NULL);
    return opened && rank_sweep_add(&sweep->found, opened, query.sizes.items[0]);
}

/* Its curves are needed no longer. */
static bool run_point(Sweep *sweep, size_t index)
{
    Query asked = *sweep->query;
    asked.study.curves = arena_scratch(asked.study.arena);
    bool good = find_point(sweep, &asked, index);
    arena_destroy(asked.study.curves);
    return good;
}

/* "2..7, 9, 16" */
static const char *show_covered(Arena *arena, const IntArray *covered)
{
    const char *text = "";
    for (size_t i = 0; i < covered->count;) {
        size_t end = i;
        while (end + 1 < covered->count && covered->items[end + 1] == covered->items[end] + 1)
            end++;
        text = arena_printf(arena, "%s%s%lld", text, i ? ", " : "", (long long)covered->items[i]);
        if (end > i)
            text = arena_printf(arena, "%s..%lld", text, (long long)covered->items[end]);
        i = end + 1;
    }
    return text;
}

static void put_tied(const Sweep *sweep, const SweepRow *row, Table *table)
{
    size_t all = sweep->found.candidates.count, count = 0;
    const char **tied = ARENA_ARRAY(sweep->query->study.arena, const char *, all + 1);
    for (size_t i = 0; i < all; i++)
        if (row->tied[i])
            tied[count++] = sweep->found.candidates.items[i]->head.name;
    put_list(table, KEY_tied, tied, count);
}

/* "7", or "7..12" where the last number of ranks wants another. */
static void put_chunks(Arena *arena, double k, double to_k, Table *table)
{
    put_number(table, KEY_k, k);
    put_number(table, KEY_to_k, to_k);
    if (k != to_k)
        put_shown(table, KEY_k, arena_printf(arena, "%.10g..%.10g", k, to_k));
}

static void write_row(const Sweep *sweep, const SweepRow *row, Table *table)
{
    const Query *query = sweep->query;
    const Algorithm *algorithm = sweep->found.candidates.items[row->winner];
    const CurvePoint *from = &sweep->found.costs.items[row->first][row->winner];
    const CurvePoint *to = &sweep->found.costs.items[row->last][row->winner];
    bool has_chunks = algorithm->free_chunks, has_second = row->second.loss > -INFINITY;
    put_text(table, KEY_collective, sweep->collective->head.name);
    put_text(table, KEY_topology, query->topology->head.name);
    put_number(table, KEY_m_bytes, sweep->collective->is_empty ? 0 : query->asked.items[0]);
    put_number(table, KEY_from_p, (double)sweep->found.points.items[row->first].at);
    put_number(table, KEY_to_p, (double)sweep->found.points.items[row->last].at);
    put_text(table, KEY_algorithm, algorithm->head.name);
    if (has_chunks)
        put_chunks(query->study.arena, from->k, to->k, table);
    put_number(table, KEY_total_at_from_s, from->total);
    put_number(table, KEY_total_at_to_s, to->total);
    if (has_second)
        put_text(table, KEY_second,
                 sweep->found.candidates.items[row->second.candidate]->head.name);
    put_number(table, KEY_second_slower_by, row->second.loss);
    if (has_second)
        put_number(table, KEY_second_slower_at_p, (double)row->second.at);
    put_tied(sweep, row, table);
    put_text(table, KEY_covers, show_covered(query->study.arena, &row->covers));
    table_row(table);
}

static void write_rows(const Sweep *sweep)
{
    const Query *query = sweep->query;
    Table *table =
        table_open(query->study.arena, query->line->out, query->format, TABLE_switch_ranks);
    setting_put(table, query, sweep->collective->problem, setting_rules(query, NULL));
    SweepRowArray rows = rank_sweep_rows(&sweep->found);
    for (size_t i = 0; i < rows.count; i++)
        write_row(sweep, &rows.items[i], table);
    table_close(table);
}

static void write_text(const Sweep *sweep)
{
    const Query *query = sweep->query;
    FILE *out = query->line->out;
    query_describe_machine(query);
    fprintf(out, "\n%s on %s", sweep->collective->head.name, query->topology->head.name);
    if (!sweep->collective->is_empty)
        fprintf(out, ", m = %s%s", quantity_show_bytes(query->study.arena, query->asked.items[0]),
                query->nccl_sizes ? " as in NCCL: M, not m" : "");
    fputs("\n", out);
    write_rows(sweep);
    fputc('\n', out);
    query_describe_rules(query);
}

/* What is said of switch points by size only. */
static bool check_options(const Query *query)
{
    static const OptionId foreign[] = {OPTION_TOLERANCE, OPTION_VARY, OPTION_RULES};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (option_given(query->line, foreign[i])) {
            diag_error(query->study.diag, option_value(query->line, foreign[i]).span,
                       "this option does not apply to --over p");
            return false;
        }
    return true;
}

static bool check(const Query *query)
{
    if (query->sizes.count == 1)
        return check_options(query);
    diag_error(query->study.diag,
               query->sizes.count ? option_value(query->line, OPTION_SIZE).span : NOWHERE,
               "--over p needs exactly one size, such as -m 1MiB");
    return false;
}

Status switch_over_ranks(const Query *asked, const Collective *collective)
{
    Query query = *asked;
    Sweep sweep = {.query = &query, .collective = collective};
    query.study.skips_refused = query.ranks.count > 1;
    query_fill_size(&query, collective);
    if (!check(&query) || !rank_sweep_open(&query.study, collective, &sweep.found))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!run_point(&sweep, i))
            return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT)
        write_text(&sweep);
    else
        write_rows(&sweep);
    return sweep.found.is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}
