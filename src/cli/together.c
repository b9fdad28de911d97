#include "cli/cost_parts.h"

#include "cli/setting.h"
#include "cost/together.h"
#include "study/study.h"

/* One collective, with its fastest algorithm or the one that is named. */
typedef struct {
    Case *opened;
    CaseCost cost;
    double bytes;
} Part;

ARRAY_TYPE(PartArray, Part);

static bool refuse(const Query *query, const char *what)
{
    return diag_error(query->study.diag, option_value(query->line, OPTION_WITH).span,
                      "collectives at the same time have no cost with %s", what);
}

static bool check_together(const Query *query)
{
    const OptionSet alone = OPTIONS(WEIGHTS, FINISH, TRAFFIC, PICTURE, SIZES, BANDWIDTHS, COMPOSE,
                                    SYNTHESIZE, MATRIX, BRIEF);
    const Rules *rules = &query->study.rules;
    const OptionId given = option_among(query->line, alone & ~query->line->assumed);
    if (given != OPTION_COUNT)
        return refuse(query, arena_printf(query->study.arena, "--%s", option_name(given)));
    if (query->collective->problem)
        return refuse(query, "products of matrices");
    if (rules->protocols)
        return refuse(query, "protocols");
    if (query->study.chose_contention && rules->contention != CONTENTION_SHARED)
        return refuse(query, "this contention: they share links in time");
    return (query->ranks.count == 1 && query->sizes.count == 1) ||
           diag_error(query->study.diag, NOWHERE, "--with needs one number of ranks and one size");
}

static bool add_part(Query *query, double bytes, PartArray *parts)
{
    Part part = {.bytes = bytes};
    query->study.rules.contention = CONTENTION_SHARED;
    query->study.rules.asynchronous = true;
    query->study.chose_contention = true;
    part.opened = query_case(query, 0, query->collective, query->only);
    if (!part.opened || !case_winner(part.opened, bytes, &part.cost))
        return false;
    if (part.cost.cost.k != (double)(int64_t)part.cost.cost.k)
        return refuse(query, "a number of chunks that is not whole");
    *ARRAY_PUSH(query->study.arena, parts) = part;
    return part.cost.check != COST_WRONG;
}

/* "alltoall/pairwise along device of 1MiB" beside `main`. */
static bool read_part(const Query *main, Text text, PartArray *parts)
{
    Query *query = ARENA_COPY(main->study.arena, Query, main, 1);
    Study *study = &query->study;
    Text subject = text_trim(text), words = {0};
    double bytes = main->sizes.items[0];
    if (text_split(subject, ' ', &subject, &words))
        words = text_trim(words);
    study->groups = (GivenGroups){0};
    study->root = 0, study->target = -1;
    study->given_root = study->given_target = (GivenRank){0};
    study->among = study->without = (NameList){0};
    if (!subject_read(study, subject, &query->collective, &query->only))
        return false;
    /* "along node", "members 0..3/4..7", "of 1MiB", in any order. */
    for (Text key, value, rest = words; rest.length;) {
        const bool has_value = text_split(rest, ' ', &key, &rest);
        rest = text_trim(rest);
        if (!text_split(rest, ' ', &value, &rest))
            value = rest, rest = (Text){0};
        rest = text_trim(rest);
        const bool is_size = has_value && text_equals(key, "of");
        if (!is_size && !(has_value && (text_equals(key, "along") || text_equals(key, "members"))))
            return diag_error(study->diag, words.span,
                              "expected 'along DIMENSION', 'members LIST' or 'of SIZE'");
        if (!(is_size ? query_read_size(query, value, &bytes) : study_set(study, key, value)))
            return false;
    }
    if (query->collective->problem)
        return refuse(query, "products of matrices");
    return add_part(query, bytes, parts);
}

/* ends[i], or false after a report. */
static bool run(const Query *query, const PartArray *parts, double *ends)
{
    Arena *arena = query->study.arena;
    ScheduleTogether *schedules = ARENA_ARRAY(arena, ScheduleTogether, parts->count);
    for (size_t i = 0; i < parts->count; i++) {
        const Part *part = &parts->items[i];
        const Study *study = &part->opened->study;
        const Instance instance = study_instance(
            study, case_algorithm(part->opened, part->cost.candidate), &part->opened->network,
            (int64_t)part->cost.cost.k, part->cost.cost.branches);
        Profile *profile = ARENA_NEW(arena, Profile);
        if (!profile_derive(arena, &instance, &part->opened->network, &study->rules, profile,
                            study->diag))
            return false;
        schedules[i] = (ScheduleTogether){profile, part->bytes};
    }
    together_run(arena, schedules, parts->count, query->study.rules.parameters, ends);
    for (size_t i = 0; i < parts->count; i++) {
        ends[i] += query->study.rules.delays[DELAY_CALL].seconds;
        for (int work = 0; work < LOCAL_WORK_COUNT; work++)
            ends[i] += profile_local(schedules[i].profile, (LocalWork)work, parts->items[i].bytes);
    }
    return true;
}

Status together_cost(const Query *query)
{
    const TextArray *with = &query->line->values[OPTION_WITH];
    Query main = *query;
    PartArray parts = {0};
    if (!check_together(query) || !add_part(&main, query->sizes.items[0], &parts))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < with->count; i++) {
        Query asked = *query;
        if (!read_part(&asked, with->items[i], &parts))
            return STATUS_BAD_INPUT;
    }
    double *ends = ARENA_ARRAY(query->study.arena, double, parts.count);
    if (!run(&main, &parts, ends))
        return STATUS_BAD_INPUT;
    if (query->format == FORMAT_TEXT)
        fprintf(query->line->out, "%zu collectives at the same time\n", parts.count);
    setting_begin(query);
    Table *table = query_table(query, TABLE_together);
    const char *rules = rules_describe(query->study.arena, &main.study.rules);
    setting_put(table, &main, false, rules);
    for (size_t i = 0; i < parts.count; i++) {
        const Part *part = &parts.items[i];
        const Algorithm *algorithm = case_algorithm(part->opened, part->cost.candidate);
        const CurveCost *cost = &part->cost.cost;
        const collcost_branches branches = study_branches(algorithm, cost->branches);
        const LowerBound *lower = case_bound(part->opened);
        put_text(table, KEY_collective, algorithm->collective->head.name);
        choices_put(table, KEY_algorithm, algorithm->head.name, &branches);
        put_text(table, KEY_topology, part->opened->network.name);
        put_number(table, KEY_p, (double)part->opened->network.p);
        put_number(table, KEY_m_bytes, part->bytes);
        if (algorithm->free_chunks)
            put_number(table, KEY_k, cost->k);
        put_number(table, KEY_total_s, cost->total);
        put_number(table, KEY_together_s, ends[i]);
        if (cost->total > 0)
            put_number(table, KEY_slowdown, ends[i] / cost->total);
        if (lower->known)
            put_number(table, KEY_bound_s, lower_bound_seconds(lower, part->bytes));
        table_row(table);
    }
    table_close(table);
    setting_end(query, rules);
    return STATUS_FINE;
}
