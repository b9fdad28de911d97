#include "cli/explain_parts.h"
#include "cli/setting.h"
#include "study/case.h"
#include "study/study.h"

typedef struct {
    const char *which;
    const LibraryAlgorithm *library; /* NULL: it is none of the library */
    const char *protocol;            /* "": not said */
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

/* No algorithm after a report. */
static LibraryChoice find_choice(const Query *query, const Collective *collective,
                                 const Algorithm **model)
{
    const Study *study = &query->study;
    const char *library = study->implementation->head.name;
    const LibraryBlocks kind = study_blocks(study);
    size_t first = 0;
    const LibraryAlgorithm *any = implementation_next_for(study->implementation, study->version,
                                                          collective->head.name, kind, &first);
    if (!any) {
        implementation_refuse(study->implementation, study->version, collective->head.name,
                              study->diag);
        return (LibraryChoice){0};
    }
    const Shape shape = query_shape(query, 0);
    LibraryCall call;
    if (!study_call(study, collective, query->ranks.items[0], &shape, query->sizes.items[0], &call))
        return (LibraryChoice){0};
    call.machine = &study->machine;
    size_t errors = study->diag->error_count;
    const LibraryChoice choice =
        implementation_choice(study->implementation, study->version, collective->head.name,
                              kind == BLOCKS_EQUAL ? NULL : any->variant, &call, study->diag);
    if (choice.algorithm && choice.algorithm->model.length) {
        *model = subject_of_library(study, choice.algorithm, &call);
        return choice;
    }
    if (study->diag->error_count == errors && !choice.algorithm)
        diag_error(study->diag, NOWHERE, "what %s@%s chooses for %s%s is not known", library,
                   study->version, collective->head.name,
                   kind == BLOCKS_EQUAL ? "" : " of unequal blocks");
    else if (choice.algorithm)
        diag_error(study->diag, NOWHERE, "%s@%s chooses %s, for which there is no model", library,
                   study->version, choice.algorithm->name);
    return (LibraryChoice){0};
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
    if (*chosen->protocol)
        put_text(table, KEY_library_protocol, chosen->protocol);
    choices_put(table, KEY_algorithm, chosen->algorithm->head.name, &branches);
    if (chosen->algorithm->free_chunks)
        put_number(table, KEY_k, chosen->cost.k);
    put_number(table, KEY_total_s, chosen->cost.total);
    put_number(table, KEY_choice_loses, chosen->cost.total / least - 1);
    table_row(table);
}

Status explain_choice_write(Query *query, const Collective *collective,
                            const Algorithm *algorithms[2], bool *has_protocol)
{
    const Algorithm *model = NULL;
    const LibraryChoice choice = find_choice(query, collective, &model);
    Chosen rows[3] = {{.which = "its choice", .protocol = ""},
                      {.which = "its fastest", .protocol = ""},
                      {.which = "fastest elsewhere", .protocol = ""}};
    if (!model)
        return STATUS_BAD_INPUT;
    /* With the protocol that the library chose, where the machine has it. */
    Query kept = *query, all = *query;
    if (*choice.protocol && machine_keep_protocol(&kept.study.machine, choice.protocol))
        rules_follow_machine(&kept.study.rules, &kept.study.machine);
    else
        kept.study = query->study;
    all.study.implementation = NULL;
    Status status = find_fastest(&kept, collective, model, &rows[0]);
    rows[0].library = choice.algorithm;
    rows[0].protocol = choice.protocol;
    if (status == STATUS_FINE)
        status = find_fastest(query, collective, NULL, &rows[1]);
    if (status == STATUS_FINE)
        status = find_fastest(&all, collective, NULL, &rows[2]);
    if (status != STATUS_FINE)
        return status;
    double least =
        rows[2].cost.total < rows[1].cost.total ? rows[2].cost.total : rows[1].cost.total;
    if (!option_given(query->line, OPTION_PICTURE)) {
        Table *table = query_table(query, TABLE_explain_choice);
        if (*rows[0].protocol)
            table_include(table, KEY_library_protocol);
        for (int i = 0; i < 3; i++)
            put_row(query, collective, &rows[i], least, table);
        table_close(table);
    }
    algorithms[0] = rows[0].algorithm;
    algorithms[1] = rows[rows[1].cost.total < rows[0].cost.total].algorithm;
    *has_protocol = *choice.protocol != 0;
    return STATUS_FINE;
}

bool explain_rivals_find(Query *query, const Collective *collective, const Algorithm *algorithms[2],
                         collcost_case *sides[2])
{
    Arena *arena = query->study.arena;
    const Algorithm *given = algorithms[0];
    size_t found[2];
    query->study.defers = true;
    Case *opened = query_case(query, 0, collective, NULL);
    query->study.defers = false;
    if (!opened ||
        !explanation_rivals(opened, query->sizes.items[0], given ? given->head.name : NULL, found))
        return false;
    if (found[1] == opened->candidates.algorithms.count)
        return diag_error(query->study.diag, query->line->operands.items[0].span,
                          "there is no other algorithm to compare with");
    for (int i = given != NULL; i < 2; i++) {
        /* A candidate as it would be asked for: of a model, or of stages. */
        const Algorithm *candidate = case_algorithm(opened, found[i]);
        const char *text =
            candidate->composed ? candidate->composed : algorithm_full_name(arena, candidate);
        algorithms[i] = subject_algorithm(&query->study, source_argument(arena, "explain", text));
        if (!algorithms[i])
            return false;
        if (algorithms[i] == candidate) /* then its times are known */
            sides[i] = case_narrow(opened, found[i]);
    }
    return true;
}
