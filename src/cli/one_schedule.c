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

/* "bcast/7", "broadcast/knomial": what a library calls an algorithm of a collective, or of a
   variant of one. NULL: it has none of that name. */
static const LibraryAlgorithm *find_of_library(const Study *study, Text operand)
{
    Text owner, name;
    const LibraryAlgorithm *one;
    size_t at = 0;
    if (!study->implementation || !text_split(operand, '/', &owner, &name))
        return NULL;
    const Collective *collective = library_try(study->library, KIND_COLLECTIVE, owner);
    while (
        (one = implementation_next_for(study->implementation, study->version, "", BLOCKS_ANY, &at)))
        if ((*one->variant ? text_equals(owner, one->variant)
                           : collective && text_equals(one->collective, collective->head.name)) &&
            (text_equals(name, one->name) || library_algorithm_has_number(one, name)))
            return one;
    return NULL;
}

/* The model of what a library runs when it is to run that on p ranks, for m bytes if they are
   given. NULL after a report. */
static const Algorithm *model_of_library(const Query *query, const LibraryAlgorithm *one, int64_t p)
{
    const Study *study = &query->study;
    const Shape shape = query_shape(query, 0);
    LibraryCall call;
    const Collective *collective = library_collective(study->library, one->collective, study->diag);
    if (!collective ||
        !study_call(study, collective, p, &shape,
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
    const LibraryAlgorithm *one = find_of_library(&asked->study, operand);
    const Algorithm *algorithm = one && query_settle_ranks(asked)
                                     ? model_of_library(asked, one, asked->ranks.items[0])
                                 : !one ? subject_algorithm(&asked->study, operand)
                                        : NULL;
    if (!algorithm || (!one && !query_check_library(asked, algorithm, operand.span)) ||
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
