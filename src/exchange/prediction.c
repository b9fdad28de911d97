#include "exchange/prediction.h"

#include "base/watch.h"
#include "study/study.h"

#include <math.h>
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

static bool try_shape(const Predictor *predictor, const Measurement *row, Shape *shape)
{
    const ShapeArray *given = &predictor->shapes;
    bool is_pair = strcmp(row->collective, "point-to-point") == 0;
    for (size_t i = 0; i < given->count; i++)
        if (given->items[i].p == row->p || (is_pair && given->items[i].p > 1)) {
            *shape = given->items[i];
            return true;
        }
    if (given->count)
        return false;
    /* "4x8" for 4 nodes with 8 ranks each, where dimensions have names: a cluster. */
    const int64_t per_node = row->ranks_per_node;
    if (per_node > 0 && row->p % per_node == 0 &&
        topology_try_named(predictor->topology, (int64_t[]){row->p / per_node, per_node}, 2, shape))
        return true;
    if (!topology_takes(predictor->topology, row->p))
        return false;
    *shape = topology_shape(predictor->topology, row->p);
    return true;
}

/* On how many nodes a row ran: by its log, or its network if that has several; 0: not known. */
static int64_t node_count(const Predictor *predictor, const Measurement *row)
{
    Shape shape;
    if (row->ranks_per_node)
        return row->p / row->ranks_per_node;
    const int64_t nodes = try_shape(predictor, row, &shape) ? shape_node_count(&shape) : 0;
    return nodes > 1 ? nodes : 0;
}

/* What logs call "OMPI4.1.6", "ompi"; NULL: none, or it chooses in another way. */
static const char *library_called(const char *name)
{
    static const struct {
        const char *part, *library;
    } parts[] = {{"cray", NULL},          {"rccl", NULL},           {"ompi", "open-mpi"},
                 {"openmpi", "open-mpi"}, {"open mpi", "open-mpi"}, {"open-mpi", "open-mpi"},
                 {"mvapich", NULL},       {"mpich", "mpich"},       {"nccl", "nccl"}};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strcasestr(name, parts[i].part))
            return parts[i].library;
    return NULL;
}

/* That library, with the version that is known. */
static NamedByLibrary find_library(const Study *study, const char *name)
{
    size_t from = strcspn(name, "0123456789");
    Text number = text_plain(name + from);
    number.length = strspn(name + from, "0123456789.");
    const char *called = library_called(name);
    const Implementation *library =
        called && (number.length || strcmp(called, "nccl") == 0)
            ? library_try(study->library, KIND_IMPLEMENTATION, text_plain(called))
            : NULL;
    const char *version = library ? implementation_try_version(library, number) : NULL;
    return (NamedByLibrary){.library = version ? library : NULL, .version = version};
}

/* "ring_ompi" of "OMPI4.1.6": what that library calls "ring"; NULL: it is not called so. */
static const LibraryAlgorithm *find_called(const NamedByLibrary *by, const Measurement *row)
{
    const LibraryAlgorithm *one;
    const char *suffix = memrchr(row->algorithm, '_', measurement_name_length(row));
    const char *called = suffix ? library_called(suffix) : NULL;
    if (!called || strcmp(called, by->library->head.name) != 0)
        return NULL;
    const Text name = {.chars = row->algorithm, .length = (size_t)(suffix - row->algorithm)};
    for (size_t at = 0;
         (one = implementation_next(by->library, by->version, row->collective, &at));)
        if (one->model.length && text_equals(name, one->name))
            return one;
    return NULL;
}

/* "ring_ll128": cuts the protocol off; "": there is none. */
static const char *cut_protocol(Text *name)
{
    static const char *const ends[] = {"_ll128", "_ll", "_simple"};
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (text_ends(*name, ends[i]) && name->length > strlen(ends[i])) {
            name->length -= strlen(ends[i]);
            return ends[i] + 1;
        }
    return "";
}

/* What the decisions of a library name for a row; no algorithm: they are not known. */
static LibraryChoice find_choice(const Predictor *predictor, const NamedByLibrary *by,
                                 const Measurement *row)
{
    const Study *study = predictor->study;
    const Collective *collective =
        library_try(study->library, KIND_COLLECTIVE, text_plain(row->collective));
    LibraryCall call = {.p = row->p,
                        .m = row->bytes,
                        .element = study->element,
                        .nodes = node_count(predictor, row),
                        .machine = &study->machine};
    int64_t blocks;
    if (!collective || !contract_try_buffer_blocks(collective, row->p, &blocks))
        return (LibraryChoice){0};
    call.buffer = call.m * (double)blocks;
    return implementation_try_choice(by->library, by->version, row->collective, NULL, &call);
}

/* What ran where a log, or the decisions of its library, say it: "=nccl@2.27:ring/ll128"; else the
   algorithm of the log. */
static const char *find_key(const Predictor *predictor, const Measurement *row)
{
    const Study *study = predictor->study;
    const bool is_default = measurement_is_default(row);
    Text name = text_plain(is_default ? row->ran : row->algorithm);
    if (naming_find(&predictor->naming, row))
        return row->algorithm;
    name.length = is_default ? name.length : measurement_name_length(row);
    const char *protocol = cut_protocol(&name);
    NamedByLibrary by = find_library(study, *protocol ? "nccl" : row->library);
    by.algorithm = by.library && !is_default && !*protocol ? find_called(&by, row) : NULL;
    if (by.algorithm)
        name = text_plain(by.algorithm->name);
    else if (!by.library || (!is_default && !*protocol))
        return row->algorithm;
    if (!*protocol && !by.algorithm) {
        const LibraryChoice choice = find_choice(predictor, &by, row);
        if (!choice.algorithm || !choice.algorithm->model.length)
            return row->algorithm;
        name = text_plain(choice.algorithm->name);
        protocol = choice.protocol;
    }
    return arena_printf(study->arena, "=%s@%s:%.*s/%s", by.library->head.name, by.version,
                        TEXT_ARGS(name), protocol);
}

/* The model of what a library runs on so many ranks, with the settings of the library. */
static const Algorithm *find_of_library(const Predictor *predictor, Study *study, Text model,
                                        const Measurement *row)
{
    NamedByLibrary named;
    const LibraryCall call = {.p = row->p, .m = LARGEST_SIZE, .buffer = LARGEST_SIZE, .segment = 1};
    const LibraryCall typical = {.p = row->p,
                                 .m = SIZE_OF_PARTS,
                                 .buffer = SIZE_OF_PARTS,
                                 .nodes = node_count(predictor, row)};
    if (!naming_by_library(study->arena, study->library, model, row->collective, &named,
                           study->diag))
        return NULL;
    study->implementation = named.library;
    study->version = named.version;
    const LibraryAlgorithm *run =
        implementation_runs(named.library, named.version, named.algorithm, &call, study->diag);
    if (run && run->model.length)
        return subject_of_library(study, run, &typical);
    if (run)
        diag_error(study->diag, NOWHERE, "there is no model of %s of %s@%s", run->name,
                   named.library->head.name, named.version);
    return NULL;
}

/* What libbine sends over any MPI, by its names in PICO's logs, as --map has it. */
static const char *const of_libbine[] = {
    "allgather/bine_permute_remap_over=bine",
    "allgather/recursive_doubling_over=recursive-doubling",
    "allgather/ring_over=ring",
    "allgather/sparbit_over=open-mpi-sparbit",
    "allreduce/bine_bdw_remap_over=bine",
    "allreduce/bine_lat_over=swing-latency",
    "allreduce/rabenseifner_over=open-mpi-rabenseifner",
    "allreduce/recursive_doubling_over=open-mpi-recursive-doubling",
    "allreduce/ring_over=open-mpi-ring",
    "broadcast/bine_lat_new_over=distance-halving-bine",
    "gather/bine_over=bine",
    "reduce/bine_lat_over=distance-halving-bine",
    "reduce-scatter/bine_permute_remap_over=bine",
    "reduce-scatter/recursive_halving_over=open-mpi-recursive-halving",
    "reduce-scatter/ring_over=open-mpi-ring",
    "scatter/bine_over=bine",
};

/* The algorithm of a row, by its key. NULL after a report. */
static const Algorithm *find_algorithm(const Predictor *predictor, Study *study,
                                       const Measurement *row, const char *key,
                                       const Collective *collective)
{
    const NamedModel *named = naming_find(&predictor->naming, row);
    Arena *arena = study->arena;
    const char *name = named ? text_string(arena, named->model)
                             : arena_copy(arena, row->algorithm, measurement_name_length(row));
    if (*key == '=') {
        const char *end = strrchr(key, '/');
        const char *model = arena_copy(arena, key + 1, (size_t)(end - key - 1));
        if (end[1] && machine_keep_protocol(&study->machine, end + 1))
            rules_follow_machine(&study->rules, &study->machine);
        return find_of_library(predictor, study, text_plain(model), row);
    }
    if (naming_is_by_library(study->library, text_plain(name)))
        return find_of_library(predictor, study, text_plain(name), row);
    const char *key_of_libbine = arena_printf(arena, "%s/%s=", row->collective, name);
    for (size_t i = 0; i < COUNT_OF(of_libbine) && !named; i++)
        if (strncmp(of_libbine[i], key_of_libbine, strlen(key_of_libbine)) == 0)
            name = of_libbine[i] + strlen(key_of_libbine);
    bool is_full = strchr(name, '/') || strchr(name, ':');
    const char *full = is_full ? name : arena_printf(arena, "%s/%s", row->collective, name);
    Study quiet = *study;
    study_silence(&quiet);
    const Algorithm *only =
        subject_algorithm(named ? study : &quiet, source_argument(arena, row->collective, full));
    return only && only->collective == collective
               ? only
               : DIAG_NULL(study->diag, NOWHERE,
                           only ? "%s is of another collective" : "there is no model %s", full);
}

static Case *open_model(const Predictor *predictor, OpenedModel *model, const Measurement *row)
{
    Shape shape;
    Study *study = ARENA_COPY(model->arena, Study, predictor->study, 1);
    study->diag = &model->diag;
    rules_follow_machine(&study->rules, &study->machine); /* the copy, not the original */
    const Collective *collective =
        library_try(study->library, KIND_COLLECTIVE, text_plain(row->collective));
    if (!collective)
        return DIAG_NULL(study->diag, NOWHERE, "%s is not a collective of the library",
                         row->collective);
    const bool is_chosen_by_library = *model->algorithm != '=' && measurement_is_default(row) &&
                                      !naming_find(&predictor->naming, row);
    const Algorithm *only =
        is_chosen_by_library ? NULL
                             : find_algorithm(predictor, study, row, model->algorithm, collective);
    if (!only && !is_chosen_by_library)
        return NULL;
    if (!try_shape(predictor, row, &shape)) {
        if (predictor->shapes.count)
            diag_error(study->diag, NOWHERE, "no network of p = %lld was given", (long long)row->p);
        else
            topology_allows(predictor->topology, row->p, NOWHERE, study->diag);
        return NULL;
    }
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
static int compare_to(const OpenedModel *model, const Measurement *row, const char *key)
{
    int order = strcmp(model->collective, row->collective);
    order = order ? order : strcmp(model->algorithm, key);
    order = order ? order : (model->p > row->p) - (model->p < row->p);
    return order ? order
                 : (model->ranks_per_node > row->ranks_per_node) -
                       (model->ranks_per_node < row->ranks_per_node);
}

/* The model of a row, opened if need be. NULL, with a reason, where there is no prediction whatever
   the machine. */
static OpenedModel *model_of(Predictor *predictor, const Measurement *row, const char **reason)
{
    if (row->finish == FINISH_STREAM) {
        *reason = "a rate of many messages at once, not the time of one";
        return NULL;
    }
    Arena *arena = predictor->study->arena;
    const char *key = find_key(predictor, row);
    OpenedModel *model = NULL;
    size_t low = 0, high = predictor->opened.count;
    while (low < high && !model) {
        size_t middle = low + (high - low) / 2;
        int order = compare_to(predictor->opened.items[middle], row, key);
        model = order == 0 ? predictor->opened.items[middle] : NULL;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    if (!model) {
        model = ARENA_NEW(arena, OpenedModel);
        *model = (OpenedModel){.arena = arena,
                               .collective = row->collective,
                               .algorithm = key,
                               .p = row->p,
                               .ranks_per_node = row->ranks_per_node};
        model->reason.arena = arena;
        model->diag = diag_keep_first(&model->reason);
        model->opened = open_model(predictor, model, row);
        ARRAY_RESERVE(arena, &predictor->opened, 1);
        OpenedModel **place = &predictor->opened.items[low];
        memmove(place + 1, place, (predictor->opened.count++ - low) * sizeof(OpenedModel *));
        *place = model;
    }
    if (model->opened)
        return model;
    *reason = model->reason.message ? model->reason.message : no_algorithm;
    return NULL;
}

bool prediction_find(Predictor *predictor, const Measurement *row, Prediction *found,
                     const char **reason)
{
    OpenedModel *model = model_of(predictor, row, reason);
    if (!model)
        return false;
    *found = (Prediction){.of = model->opened,
                          .ran = *model->algorithm == '=' ? model->algorithm + 1 : ""};
    const collcost_status status = collcost_case_best(model->opened, row->bytes, &found->cost);
    if (!workspace_answered(arena_workspace(model->arena), status) ||
        status == COLLCOST_CHECK_FAILED)
        *reason = model->reason.message ? model->reason.message : no_algorithm;
    else if (found->cost->total_s <= 0)
        *reason = row->p == 1 ? "nothing is sent by one rank" : "the predicted time is 0";
    else
        return true;
    return false;
}

/* ### Many rows, as a function of the machine */

static void open_times(const FitModel *model, ModelledCase *of)
{
    workspace_answered(
        arena_workspace(model->arena),
        collcost_times_create(of->opened, of->sizes.items, of->sizes.count, &of->times));
}

FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons)
{
    Arena *arena = predictor->study->arena;
    FitModel model = {.arena = arena,
                      .rows = ARENA_ARRAY(arena, ModelledRow, rows->count + 1),
                      .cases = ARENA_ARRAY(arena, ModelledCase, rows->count + 1)};
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        watch_step(arena, row->algorithm, (int64_t)i, (int64_t)rows->count);
        const OpenedModel *opened = NULL;
        reasons[i] = NULL;
        if (measurement_is_default(row) && !naming_find(&predictor->naming, row))
            reasons[i] = "the library chose the algorithm; --algorithm or --map says which it is";
        else if (row->p == 1)
            reasons[i] = "nothing is sent by one rank";
        else
            opened = model_of(predictor, row, &reasons[i]);
        if (!opened)
            continue;
        size_t at = 0; /* its case, which is one more, or was there before */
        while (at < model.case_count && model.cases[at].opened != opened->opened)
            at++;
        ModelledCase *of = &model.cases[at];
        if (at == model.case_count)
            model.cases[model.case_count++] = (ModelledCase){.opened = opened->opened};
        *ARRAY_PUSH(arena, &of->sizes) = row->bytes;
        model.rows[model.row_count++] =
            (ModelledRow){row, at, of->sizes.count - 1, i, log(row->seconds)};
    }
    for (size_t i = 0; i < model.case_count; i++) {
        ModelledCase *of = &model.cases[i];
        of->wanted = ARENA_ARRAY(arena, bool, of->sizes.count);
        of->seconds = ARENA_ARRAY(arena, double, of->sizes.count);
        open_times(&model, of);
    }
    return model;
}

bool fit_model_seconds(const FitModel *model, const Machine *machine, const bool *wanted,
                       double *seconds)
{
    for (size_t i = 0; i < model->case_count; i++)
        model->cases[i].any = false;
    for (size_t i = 0; i < model->row_count; i++) {
        ModelledCase *of = &model->cases[model->rows[i].opened];
        of->wanted[model->rows[i].size] = !wanted || wanted[i];
        of->any |= !wanted || wanted[i];
    }
    for (size_t i = 0; i < model->case_count; i++) {
        const ModelledCase *of = &model->cases[i];
        if (!of->any)
            continue;
        if (!of->times ||
            !workspace_answered(arena_workspace(model->arena),
                                collcost_times_on(of->times, machine, of->wanted, of->seconds)))
            return false;
    }
    for (size_t i = 0; i < model->row_count; i++)
        if (!wanted || wanted[i])
            seconds[i] = model->cases[model->rows[i].opened].seconds[model->rows[i].size];
    return true;
}

void fit_model_forget(FitModel *model)
{
    fit_model_close(model);
    for (size_t i = 0; i < model->case_count; i++)
        open_times(model, &model->cases[i]);
}

void fit_model_close(FitModel *model)
{
    for (size_t i = 0; i < model->case_count; i++)
        collcost_times_free(model->cases[i].times);
}
