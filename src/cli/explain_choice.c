#include "cli/explain_choice.h"

#include "cli/choices.h"
#include "cli/setting.h"
#include "sched/contract.h"
#include "study/subject.h"

typedef struct {
    const char *which;
    const LibraryAlgorithm *library; /* NULL: it is none of the library */
    const Algorithm *algorithm;
    CurveCost cost;
} Chosen;

/* The fastest of all candidates, or `only` this one. */
static Status find_fastest(Query *query, const Collective *collective, const Algorithm *only,
                           Chosen *chosen)
{
    CaseCost winner;
    const Case *opened = query_case(query, 0, collective, only);
    if (!opened || !case_winner(opened, query->sizes.items[0], &winner))
        return STATUS_BAD_INPUT;
    chosen->algorithm = case_algorithm(opened, winner.candidate);
    chosen->library = study_library_algorithm(&query->study, chosen->algorithm);
    chosen->cost = winner.cost;
    return winner.check == COST_WRONG ? STATUS_CHECK_FAILED : STATUS_FINE;
}

/* NULL after a report. */
static const LibraryAlgorithm *find_choice(const Query *query, const Collective *collective)
{
    const Study *study = &query->study;
    const char *library = study->implementation->head.name;
    size_t first = 0;
    if (!implementation_next(study->implementation, study->version, collective->head.name,
                             &first)) {
        implementation_refuse(study->implementation, study->version, collective->head.name,
                              study->diag);
        return NULL;
    }
    LibraryCall call = {
        .p = query->ranks.items[0], .m = query->sizes.items[0], .element = study->element};
    int64_t blocks;
    if (!contract_buffer_blocks(collective, call.p, &blocks, study->diag))
        return NULL;
    call.buffer = call.m * (double)blocks;
    size_t errors = study->diag->error_count;
    const LibraryAlgorithm *choice = implementation_chooses(
        study->implementation, study->version, collective->head.name, NULL, &call, study->diag);
    if (choice && choice->model.length)
        return choice;
    if (study->diag->error_count == errors && !choice)
        diag_error(study->diag, NOWHERE, "what %s@%s chooses for %s is not known", library,
                   study->version, collective->head.name);
    else if (choice)
        diag_error(study->diag, NOWHERE, "%s@%s chooses %s, for which there is no model", library,
                   study->version, choice->name);
    return NULL;
}

static void put_row(const Query *query, const Collective *collective, const Chosen *chosen,
                    double least, Table *table)
{
    Arena *arena = query->study.arena;
    const Shape shape = query_shape(query, 0);
    const collcost_branches branches = study_branches(chosen->algorithm, chosen->cost.branches);
    put_text(table, KEY_collective, collective->head.name);
    put_text(table, KEY_topology, topology_name(arena, query->topology, &shape));
    put_number(table, KEY_p, (double)shape.p);
    put_number(table, KEY_m_bytes, query->sizes.items[0]);
    setting_put(table, query, false, setting_rules(query));
    put_text(table, KEY_choice_which, chosen->which);
    if (chosen->library && chosen->library->number >= 0)
        put_number(table, KEY_library_number, (double)chosen->library->number);
    if (chosen->library)
        put_text(table, KEY_library_name, chosen->library->name);
    choices_put(table, arena, KEY_algorithm, chosen->algorithm->head.name, &branches);
    if (chosen->algorithm->free_chunks)
        put_number(table, KEY_k, chosen->cost.k);
    put_number(table, KEY_total_s, chosen->cost.total);
    put_number(table, KEY_choice_loses, chosen->cost.total / least - 1);
    table_row(table);
}

Status explain_choice_write(Query *query, const Collective *collective,
                            const Algorithm *compared[2])
{
    const LibraryAlgorithm *choice = find_choice(query, collective);
    const Algorithm *model = choice ? subject_model(&query->study, choice->model) : NULL;
    Chosen rows[3] = {
        {.which = "its choice"}, {.which = "its fastest"}, {.which = "fastest elsewhere"}};
    Query all = *query;
    all.study.implementation = NULL;
    Status status = model ? STATUS_FINE : STATUS_BAD_INPUT;
    if (status == STATUS_FINE)
        status = find_fastest(query, collective, model, &rows[0]);
    if (status == STATUS_FINE)
        status = find_fastest(query, collective, NULL, &rows[1]);
    if (status == STATUS_FINE)
        status = find_fastest(&all, collective, NULL, &rows[2]);
    if (status != STATUS_FINE)
        return status;
    rows[0].library = choice;
    double least =
        rows[2].cost.total < rows[1].cost.total ? rows[2].cost.total : rows[1].cost.total;
    Table *table = line_table(query->line, query->format, TABLE_explain_choice);
    for (int i = 0; i < 3; i++)
        put_row(query, collective, &rows[i], least, table);
    table_close(table);
    compared[0] = rows[0].algorithm;
    compared[1] = rows[1].cost.total < rows[0].cost.total ? rows[1].algorithm : rows[0].algorithm;
    return STATUS_FINE;
}
