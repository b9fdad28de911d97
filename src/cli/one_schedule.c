#include "cli/query.h"

#include "study/study.h"

#include <math.h>

/* Numbers of chunks and of branches: given, the best for the size, or the least. */
static bool choose_k(const Query *query, const Algorithm *algorithm, const Network *network,
                     Instance *instance)
{
    const FreeChoice chosen = study_choice(&query->study, algorithm, network);
    const CurveSubject of = study_subject(&query->study, algorithm, network);
    instance->k = chosen.k ? chosen.k : 1;
    instance->branches = chosen.branches[algorithm->branching];
    instance->branches = branches_of(instance);
    if (!study_check_segment(&query->study, algorithm, query->sizes.count > 0))
        return false;
    if (!query->sizes.count || (!algorithm->free_chunks && !algorithm->branching))
        return true;
    Curve *curve = curve_create(query->study.arena, &of, &chosen, query->study.diag);
    CurvePoint point;
    double size = query->sizes.items[0];
    if (!curve || !curve_at(curve, size, curve_most_chunks(size), &point, query->study.diag))
        return false;
    instance->k = (int64_t)point.k;
    instance->branches = point.branches;
    return true;
}

/* Of a message of more bytes chunks are as if they were alike, so that they can be added up. */
#define LARGEST_COUNTED 0x1p40

/* What the operand names: "bcast/7", "broadcast/knomial", as a library calls an algorithm of a
   collective, or of a variant of one, is the model of what that library runs then on these ranks,
   for the size if there is one. NULL after a report. */
static const Algorithm *find_algorithm(Query *query, Text operand, bool *is_of_library)
{
    const Study *study = &query->study;
    Text owner, name;
    const LibraryAlgorithm *one = NULL;
    LibraryCall call;
    size_t at = 0;
    *is_of_library = false;
    if (study->implementation && text_split(operand, '/', &owner, &name)) {
        const Collective *of = library_try(study->library, KIND_COLLECTIVE, owner);
        while (!*is_of_library && (one = implementation_next_for(
                                       study->implementation, study->version, "", BLOCKS_ANY, &at)))
            *is_of_library =
                (*one->variant ? text_equals(owner, one->variant)
                               : of && text_equals(one->collective, of->head.name)) &&
                (text_equals(name, one->name) || library_algorithm_has_number(one, name));
    }
    if (!*is_of_library)
        return subject_algorithm(study, operand);
    if (!query_settle_ranks(query))
        return NULL;
    const Shape shape = query_shape(query, 0);
    const Collective *collective = library_collective(study->library, one->collective, study->diag);
    if (!collective ||
        !study_call(study, collective, query->ranks.items[0], &shape,
                    query->sizes.count ? query->sizes.items[0] : LARGEST_SIZE, &call))
        return NULL;
    call.segment = study->chosen.segment;
    study_note(study, "element",
               true); /* what it falls back on, and how it cuts, can depend on it */
    const LibraryAlgorithm *run =
        implementation_runs(study->implementation, study->version, one, &call, study->diag);
    if (!run || run->model.length)
        return run ? subject_of_library(study, run, &call) : NULL;
    return DIAG_NULL(study->diag, NOWHERE, "there is no model of %s of %s", run->name,
                     collective->head.name);
}

bool one_schedule_read(const CommandLine *line, const char *command, OneSchedule *found)
{
    Query *asked = &found->asked, *query = &found->query;
    Network *network = &found->network;
    if (!query_read(line, asked))
        return false;
    const Text operand = line->operands.items[0];
    bool is_of_library;
    const Algorithm *algorithm = find_algorithm(asked, operand, &is_of_library);
    if (!algorithm || (!is_of_library && !query_check_library(asked, algorithm, operand.span)) ||
        !query_check_subject(asked, algorithm->collective) || !query_settle_ranks(asked))
        return false;
    if (asked->ranks.count > 1 || asked->sizes.count > 1 || asked->orders.count > 1)
        return diag_error(line->diag, NOWHERE, "'%s' takes one number of ranks and at most one %s",
                          command, asked->orders.count ? "order" : "size");
    if (!query_settle_sizes(asked, algorithm->collective, asked->ranks.items[0], query))
        return false;
    /* Rounds do not depend on n; where none is given any will do, and no sizes are shown. */
    bool is_problem = algorithm->collective->problem != NULL;
    found->instance =
        (Instance){.algorithm = algorithm,
                   .p = query->ranks.items[0],
                   .k = 1,
                   .shape = &network->shape,
                   .sizes.order = query->orders.count ? query->orders.items[0] : is_problem};
    AlgorithmArray allowed = {0};
    if (!query_network(query, 0, network) ||
        !study_weigh(&query->study, algorithm->collective, network->p) ||
        !query_check_ends(query, algorithm->collective) ||
        !study_settle_ends(&query->study, algorithm->collective, network) ||
        !candidates_list(&query->study, algorithm->collective, algorithm, network, &allowed, NULL))
        return false;
    found->instance.ports = rules_ports(&query->study.rules, network);
    found->instance.sizes.weights = query->study.rules.weights;
    found->instance.root = query->study.root;
    found->instance.target = query->study.target;
    if (!choose_k(query, algorithm, network, &found->instance))
        return false;
    /* The sizes of chunks where a copy of a library says them, in its elements, or in bytes where
       messages are no elements. */
    const Cutting *cutting = algorithm_cutting(algorithm);
    const double m = query->sizes.count ? floor(query->sizes.items[0]) : 0;
    const double segment = study_choice(&query->study, algorithm, network).each;
    BlockSizes *sizes = &found->instance.sizes;
    if (m < 1 || m > LARGEST_COUNTED || (!cutting->size.program && !cutting->segments))
        return true;
    sizes->unit =
        cutting->of_bytes || fmod(m, query->study.element) != 0 ? 1 : query->study.element;
    study_note(&query->study, "element", true);
    sizes->elements = (int64_t)(m / sizes->unit);
    sizes->segment = (int64_t)fmin(ceil(segment / sizes->unit), m);
    return true;
}
