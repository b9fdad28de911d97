#include "exchange/prediction.h"

#include "study/subject.h"

#include <string.h>

static const char no_algorithm[] = "no algorithm of the library runs there";

/* The model of an algorithm of a log on so many ranks. */
typedef struct OpenedModel {
    Arena *arena;
    const char *collective, *algorithm;
    int64_t p, ranks_per_node;
    Diag diag;    /* for all that happens to the case */
    Case *opened; /* NULL: there is none, for this reason */
    FirstError reason;
} OpenedModel;

/* "4x8" for 4 nodes with 8 ranks each, where dimensions have names: a cluster. */
static bool shape_nodes(const Predictor *predictor, const Measurement *row, Shape *shape)
{
    Diag silent = diag_silent();
    int64_t per_node = row->ranks_per_node;
    if (predictor->topology->dimensions != DIMENSIONS_NAMED || per_node < 1 || row->p % per_node)
        return false;
    const char *text = arena_printf(predictor->study->arena, "%lldx%lld",
                                    (long long)(row->p / per_node), (long long)per_node);
    return topology_parse_shape(predictor->topology, text_plain(text), shape, &silent);
}

static bool find_shape(const Predictor *predictor, const Measurement *row, Shape *shape, Diag *diag)
{
    const ShapeArray *given = &predictor->shapes;
    bool is_pair = strcmp(row->collective, "point-to-point") == 0;
    for (size_t i = 0; i < given->count; i++)
        if (given->items[i].p == row->p || (is_pair && given->items[i].p > 1)) {
            *shape = given->items[i];
            return true;
        }
    if (given->count) {
        diag_error(diag, NOWHERE, "no network of p = %lld was given", (long long)row->p);
        return false;
    }
    if (shape_nodes(predictor, row, shape))
        return true;
    if (!topology_allows(predictor->topology, row->p, NOWHERE, diag))
        return false;
    *shape = topology_shape(predictor->topology, row->p);
    return true;
}

/* The model of what a library runs on so many ranks, with the settings of the library. */
static const Algorithm *find_of_library(Study *study, Text model, const Measurement *row)
{
    NamedByLibrary named;
    const LibraryCall call = {.p = row->p, .m = LARGEST_SIZE, .buffer = LARGEST_SIZE, .segment = 1};
    if (!naming_by_library(study->arena, study->library, model, row->collective, &named,
                           study->diag))
        return NULL;
    study->implementation = named.library;
    study->version = named.version;
    const LibraryAlgorithm *run =
        implementation_runs(named.library, named.version, named.algorithm, &call, study->diag);
    if (run && run->model.length)
        return subject_model(study, run->model);
    if (run)
        diag_error(study->diag, NOWHERE, "no model stands for %s of %s@%s", run->name,
                   named.library->head.name, named.version);
    return NULL;
}

/* The algorithm of a row; *only is NULL where the library chose. */
static bool find_algorithm(const Predictor *predictor, Study *study, const Measurement *row,
                           const Collective **collective, const Algorithm **only)
{
    const NamedModel *named = naming_find(&predictor->naming, row);
    Arena *arena = study->arena;
    const char *name = arena_copy(arena, row->algorithm, measurement_name_length(row));
    Diag silent = diag_silent();
    *only = NULL;
    *collective = library_collective(study->library, text_plain(row->collective), &silent);
    if (!*collective) {
        diag_error(study->diag, NOWHERE, "%s is not a collective of the library", row->collective);
        return false;
    }
    if (!named && measurement_is_default(row))
        return true;
    if (named && naming_is_by_library(study->library, named->model)) {
        *only = find_of_library(study, named->model, row);
        return *only != NULL;
    }
    if (named)
        name = arena_copy(arena, named->model.chars, named->model.length);
    bool is_full = strchr(name, '/') || strchr(name, ':');
    const char *full = is_full ? name : arena_printf(arena, "%s/%s", row->collective, name);
    Study quiet = *study;
    quiet.diag = &silent;
    *only =
        subject_algorithm(named ? study : &quiet, source_argument(arena, row->collective, full));
    if (*only && (*only)->collective == *collective)
        return true;
    diag_error(study->diag, NOWHERE, *only ? "%s is of another collective" : "there is no model %s",
               full);
    return false;
}

static Case *open_model(const Predictor *predictor, OpenedModel *model, const Measurement *row)
{
    const Collective *collective;
    const Algorithm *only;
    Shape shape;
    Study *study = ARENA_COPY(model->arena, Study, predictor->study, 1);
    study->diag = &model->diag;
    rules_follow_machine(&study->rules, &study->machine); /* the copy, not the original */
    if (!find_algorithm(predictor, study, row, &collective, &only) ||
        !find_shape(predictor, row, &shape, study->diag))
        return NULL;
    if (!collective->rooted) {
        study->given_root = (GivenRank){0};
        study->root = 0;
    }
    if (!collective->targeted) {
        study->given_target = (GivenRank){0};
        study->target = -1;
    }
    return case_open(study, collective, only, predictor->topology, &shape);
}

/* The order of `opened`. */
static int compare_to(const OpenedModel *model, const Measurement *row)
{
    int order = strcmp(model->collective, row->collective);
    order = order ? order : strcmp(model->algorithm, row->algorithm);
    order = order ? order : (model->p > row->p) - (model->p < row->p);
    return order ? order
                 : (model->ranks_per_node > row->ranks_per_node) -
                       (model->ranks_per_node < row->ranks_per_node);
}

static OpenedModel *find_model(Predictor *predictor, const Measurement *row)
{
    Arena *arena = predictor->study->arena;
    size_t low = 0, high = predictor->opened.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_to(predictor->opened.items[middle], row);
        if (order == 0)
            return predictor->opened.items[middle];
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    OpenedModel *model = ARENA_NEW(arena, OpenedModel);
    *model = (OpenedModel){.arena = arena,
                           .collective = row->collective,
                           .algorithm = row->algorithm,
                           .p = row->p,
                           .ranks_per_node = row->ranks_per_node};
    model->reason.arena = arena;
    model->diag = diag_keep_first(&model->reason);
    model->opened = open_model(predictor, model, row);
    ARRAY_RESERVE(arena, &predictor->opened, 1);
    OpenedModel **place = &predictor->opened.items[low];
    memmove(place + 1, place, (predictor->opened.count++ - low) * sizeof(OpenedModel *));
    return *place = model;
}

static OpenedModel *model_of(Predictor *predictor, const Measurement *row, const char **reason)
{
    if (row->finish == FINISH_STREAM) {
        *reason = "a rate of many messages at once, not the time of one";
        return NULL;
    }
    OpenedModel *model = find_model(predictor, row);
    if (model->opened)
        return model;
    *reason = model->reason.message ? model->reason.message : no_algorithm;
    return NULL;
}

Case *prediction_case(Predictor *predictor, const Measurement *row, const char **reason)
{
    OpenedModel *model = model_of(predictor, row, reason);
    return model ? model->opened : NULL;
}

bool prediction_find(Predictor *predictor, const Measurement *row, Prediction *found,
                     const char **reason)
{
    OpenedModel *model = model_of(predictor, row, reason);
    CaseCost winner;
    if (!model)
        return false;
    if (!case_winner(model->opened, row->bytes, &winner)) {
        *reason = model->reason.message ? model->reason.message : no_algorithm;
        return false;
    }
    if (winner.check == COST_WRONG) {
        *reason = model->reason.message;
        return false;
    }
    if (winner.cost.total <= 0) {
        *reason = row->p == 1 ? "nothing is sent by one rank" : "the predicted time is 0";
        return false;
    }
    const Algorithm *algorithm = case_algorithm(model->opened, winner.candidate);
    *found = (Prediction){.model = algorithm->head.name,
                          .of = model->opened,
                          .has_chunks = algorithm->free_chunks,
                          .branches = study_branches(algorithm, winner.cost.branches),
                          .cost = winner.cost};
    return true;
}
