#include "cli/switch_over.h"

#include "choose/breakpoints.h"
#include "cli/audit.h"
#include "cli/candidates.h"

#include <math.h>
#include <string.h>

/* One number of ranks; algorithms by their place in the library's list. */
typedef struct {
    int64_t p;
    size_t winner;
    CurvePoint *points; /* of those that run there */
    bool *runs, *tied;  /* which do, and which cost the same as the winner */
} Heat;
ARRAY_TYPE(HeatArray, Heat);

typedef struct {
    const Query *query;
    const Collective *collective;
    AlgorithmArray all;
    HeatArray heats;
    bool is_wrong;
} Race;

/* What the best of the others loses at most; `algorithm` is the one there. */
typedef struct {
    double loss; /* negative and infinite where there is no other */
    size_t algorithm;
    int64_t p;
} Second;

/* What one algorithm wins: heats first .. last, those of other rows between them left out. */
typedef struct {
    size_t algorithm, first, last;
    bool *tied;
    IntArray covered;
    Second second;
} Row;

bool switch_over_asked(const CommandLine *line, bool *good)
{
    *good = true;
    if (!option_given(line, OPTION_OVER))
        return false;
    Text text = option_value(line, OPTION_OVER);
    *good = text_equals(text, "m") || text_equals(text, "p");
    if (!*good)
        diag_error(line->diag, text.span, "switch points are over 'm' or 'p'");
    return text_equals(text, "p");
}

static size_t place_of(const Race *race, const Algorithm *algorithm)
{
    size_t i = 0;
    while (i < race->all.count && strcmp(race->all.items[i]->head.name, algorithm->head.name) != 0)
        i++;
    return i;
}

/* The fastest of the candidates; of equals the first. */
static bool find_winner(const Query *query, const Candidates *candidates, double bytes,
                        CurvePoint *points, size_t *winner)
{
    *winner = 0;
    for (size_t i = 0; i < candidates->algorithms.count; i++) {
        if (!curve_at(candidates->curves[i], bytes, curve_most_chunks(bytes), &points[i],
                      query->diag))
            return false;
        if (time_is_below(points[i].total, points[*winner].total))
            *winner = i;
    }
    return true;
}

static bool audit(const Query *query, const Candidates *candidates, size_t i,
                  const Network *network, const CurvePoint *point, double bytes)
{
    return audit_algorithm(query, candidates->algorithms.items[i], network, floor(point->k), bytes,
                           curve_closed(candidates->curves[i])) != AUDIT_WRONG;
}

static void add_heat(Race *race, int64_t p, const Candidates *candidates, const CurvePoint *points,
                     size_t winner)
{
    Arena *arena = race->query->arena;
    size_t count = race->all.count + 1;
    Heat heat = {p, place_of(race, candidates->algorithms.items[winner]),
                 ARENA_ARRAY(arena, CurvePoint, count), ARENA_ARRAY(arena, bool, count),
                 ARENA_ARRAY(arena, bool, count)};
    for (size_t i = 0; i < candidates->algorithms.count; i++) {
        size_t place = place_of(race, candidates->algorithms.items[i]);
        heat.runs[place] = true;
        heat.points[place] = points[i];
        heat.tied[place] = i != winner && !time_is_below(points[winner].total, points[i].total);
    }
    *ARRAY_PUSH(arena, &race->heats) = heat;
}

static bool find_heat(Race *race, const Query *asked, size_t index)
{
    int64_t p = asked->ranks.items[index];
    Query query;
    Network *network = ARENA_NEW(asked->arena, Network);
    Candidates candidates;
    size_t winner;
    if (!query_settle_sizes(asked, race->collective, p, &query) ||
        !query_network(&query, index, network) ||
        !query_settle_ends(&query, race->collective, network) ||
        !candidates_open(&query, race->collective, NULL, network, &candidates))
        return false;
    size_t count = candidates.algorithms.count;
    CurvePoint *points = ARENA_ARRAY(query.arena, CurvePoint, count + 1);
    if (count == 0) /* of those that were named none runs here */
        return true;
    if (!find_winner(&query, &candidates, query.sizes.items[0], points, &winner))
        return false;
    race->is_wrong |=
        !audit(&query, &candidates, winner, network, &points[winner], query.sizes.items[0]);
    add_heat(race, p, &candidates, points, winner);
    return true;
}

/* Its curves are needed no longer. */
static bool run_heat(Race *race, size_t index)
{
    Query asked = *race->query;
    asked.curves = arena_create();
    bool good = find_heat(race, &asked, index);
    arena_destroy(asked.curves);
    return good;
}

/* Some numbers of ranks are not for this algorithm. */
static bool is_choosy(const Race *race, size_t algorithm)
{
    for (size_t i = 0; i < race->heats.count; i++)
        if (!race->heats.items[i].runs[algorithm])
            return true;
    return false;
}

/* Does a heat neither belong to the rows of an algorithm nor end them? It cannot run there, or one
   has won that is for some numbers of ranks only. */
static bool is_passed(const Race *race, const Heat *heat, size_t algorithm)
{
    return !heat->runs[algorithm] || (heat->winner != algorithm && is_choosy(race, heat->winner));
}

/* The fastest in a heat of those that neither win a row nor are tied with it; the number of all
   where none runs. */
static size_t find_other(const Race *race, const Row *row, const Heat *heat)
{
    size_t best = race->all.count;
    for (size_t i = 0; i < race->all.count; i++)
        if (heat->runs[i] && i != row->algorithm && !row->tied[i] &&
            (best == race->all.count ||
             time_is_below(heat->points[i].total, heat->points[best].total)))
            best = i;
    return best;
}

static Second find_second(const Race *race, const Row *row)
{
    Second second = {.loss = -INFINITY};
    for (size_t i = row->first; i <= row->last; i++) {
        const Heat *heat = &race->heats.items[i];
        size_t other = find_other(race, row, heat);
        if (heat->winner != row->algorithm || other == race->all.count)
            continue;
        double time = heat->points[other].total, least = heat->points[row->algorithm].total;
        double loss = time == least ? 0 : time / least - 1;
        if (second.loss == -INFINITY || time_is_below(1 + second.loss, 1 + loss))
            second = (Second){loss, other, heat->p};
    }
    return second;
}

/* The row that begins with a heat. */
static Row grow_row(const Race *race, size_t first)
{
    Arena *arena = race->query->arena;
    const Heat *heats = race->heats.items;
    size_t algorithm = heats[first].winner;
    Row row = {.algorithm = algorithm,
               .first = first,
               .last = first,
               .tied = ARENA_COPY(arena, bool, heats[first].tied, race->all.count)};
    for (size_t i = first; i < race->heats.count; i++) {
        if (heats[i].winner != algorithm && !is_passed(race, &heats[i], algorithm))
            break;
        if (heats[i].winner != algorithm)
            continue;
        row.last = i;
        *ARRAY_PUSH(arena, &row.covered) = heats[i].p;
        for (size_t a = 0; a < race->all.count; a++)
            row.tied[a] = row.tied[a] && heats[i].tied[a];
    }
    row.second = find_second(race, &row);
    return row;
}

/* Is a heat in the row of an earlier one? */
static bool is_within(const Race *race, size_t heat)
{
    size_t algorithm = race->heats.items[heat].winner;
    for (size_t i = heat; i-- > 0;) {
        if (race->heats.items[i].winner == algorithm)
            return true;
        if (!is_passed(race, &race->heats.items[i], algorithm))
            return false;
    }
    return false;
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

static void put_tied(const Race *race, const Row *row, Table *table)
{
    const char **tied = ARENA_ARRAY(race->query->arena, const char *, race->all.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < race->all.count; i++)
        if (row->tied[i])
            tied[count++] = race->all.items[i]->head.name;
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

static void write_row(const Race *race, const Row *row, Table *table)
{
    const Query *query = race->query;
    const Algorithm *algorithm = race->all.items[row->algorithm];
    const Heat *first = &race->heats.items[row->first], *last = &race->heats.items[row->last];
    const CurvePoint *from = &first->points[row->algorithm], *to = &last->points[row->algorithm];
    bool has_chunks = algorithm->free_chunks, has_second = row->second.loss > -INFINITY;
    put_text(table, KEY_collective, race->collective->head.name);
    put_text(table, KEY_topology, query->topology->head.name);
    put_number(table, KEY_m_bytes, race->collective->is_empty ? 0 : query->asked.items[0]);
    put_number(table, KEY_from_p, (double)first->p);
    put_number(table, KEY_to_p, (double)last->p);
    put_text(table, KEY_algorithm, algorithm->head.name);
    if (has_chunks)
        put_chunks(query->arena, from->k, to->k, table);
    put_number(table, KEY_total_at_from_s, from->total);
    put_number(table, KEY_total_at_to_s, to->total);
    if (has_second)
        put_text(table, KEY_second, race->all.items[row->second.algorithm]->head.name);
    put_number(table, KEY_second_loss, row->second.loss);
    if (has_second)
        put_number(table, KEY_second_loss_at_p, (double)row->second.p);
    put_tied(race, row, table);
    put_text(table, KEY_covers, show_covered(query->arena, &row->covered));
    table_row(table);
}

static void write_rows(const Race *race)
{
    const Query *query = race->query;
    Table *table = table_open(query->arena, query->line->out, query->format, TABLE_switch_ranks);
    for (size_t i = 0; i < race->heats.count; i++)
        if (!is_within(race, i)) {
            Row row = grow_row(race, i);
            write_row(race, &row, table);
        }
    table_close(table);
}

static void write_text(const Race *race)
{
    const Query *query = race->query;
    FILE *out = query->line->out;
    query_describe_machine(query);
    fprintf(out, "\n%s on %s", race->collective->head.name, query->topology->head.name);
    if (!race->collective->is_empty)
        fprintf(out, ", m = %s%s", quantity_show_bytes(query->arena, query->asked.items[0]),
                query->nccl_sizes ? " as nccl counts it: M, not m" : "");
    fputs("\n", out);
    write_rows(race);
    fprintf(out, "\nrules: %s\n", rules_describe(query->arena, &query->rules));
}

/* What is said of switch points by size only. */
static bool check_options(const Query *query)
{
    static const OptionId foreign[] = {OPTION_TOLERANCE, OPTION_VARY, OPTION_RULES};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (option_given(query->line, foreign[i])) {
            diag_error(query->diag, option_value(query->line, foreign[i]).span,
                       "this is for switch points over m, not over p");
            return false;
        }
    return true;
}

static bool check(const Query *query)
{
    if (query->sizes.count == 1)
        return check_options(query);
    diag_error(query->diag,
               query->sizes.count ? option_value(query->line, OPTION_SIZE).span : NOWHERE,
               "over the number of ranks, the size is one: -m 1MiB");
    return false;
}

Status switch_over_ranks(const Query *asked, const Collective *collective)
{
    Query query = *asked;
    Race race = {.query = &query, .collective = collective};
    query.skips_refused = query.ranks.count > 1;
    query_fill_size(&query, collective);
    if (!check(&query) || !library_algorithms(query.library, collective, &race.all, query.diag))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!run_heat(&race, i))
            return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT)
        write_text(&race);
    else
        write_rows(&race);
    return race.is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}
