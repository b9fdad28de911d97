#include "study/study.h"

#include "model/use.h"

static const char *shown(const Study *study, Text text)
{
    return arena_printf(study->arena, "%.*s", TEXT_ARGS(text));
}

/* What a library runs in a stage of `one` by itself; `which` is "chosen" or "chosen along node".
   NULL after a report. */
static const char *chosen_stage(const Study *study, const LibraryAlgorithm *one, Text stage,
                                Text which, const LibraryCall *call)
{
    const Implementation *library = study->implementation;
    const Text owner = implementation_variant(library, study->version, stage);
    const Collective *collective =
        library_collective(study->library, owner.length ? owner : stage, study->diag);
    Text word = which, dimension = {0};
    int64_t blocks;
    if (text_split(which, ' ', &word, &dimension))
        text_split(text_trim(dimension), ' ', &word, &dimension);
    if (dimension.length && !call->nodes)
        return DIAG_NULL(study->diag, NOWHERE,
                         "'%s' of %s has a stage along %.*s: on how many nodes the "
                         "ranks are is not known",
                         one->name, library->head.name, TEXT_ARGS(dimension));
    /* In lines of ranks along `node` or `device`, or over all; blocks of the whole vector, or with
       `device` those of a node. */
    LibraryCall inner = *call;
    inner.nodes = 0;
    if (dimension.length) {
        const bool is_between = text_equals(dimension, "node");
        inner.p = is_between ? call->nodes : call->p / call->nodes;
        inner.nodes = is_between ? inner.p : 0;
        if (one->settings.segment > 0 && one->settings.segment < inner.buffer)
            inner.buffer = one->settings.segment;
    }
    if (!collective || !contract_buffer_blocks(collective, inner.p, &blocks, study->diag))
        return NULL;
    if (blocks > 1 && text_equals(dimension, "device"))
        inner.buffer /= (double)call->nodes;
    inner.m = inner.buffer / (double)blocks;
    const size_t errors = study->diag->error_count;
    const LibraryAlgorithm *chosen = implementation_runs(
        library, study->version,
        implementation_chooses(library, study->version, collective->head.name,
                               owner.length ? shown(study, stage) : "", &inner, study->diag),
        &inner, study->diag);
    if (chosen && chosen->model.length)
        return arena_printf(study->arena, "%.*s%s%.*s", TEXT_ARGS(chosen->model),
                            dimension.length ? " along " : "", TEXT_ARGS(dimension));
    if (study->diag->error_count == errors)
        diag_error(study->diag, NOWHERE, "what %s@%s chooses for %s is not known",
                   library->head.name, study->version, collective->head.name);
    return NULL;
}

/* "allreduce/ring", or stages, "allreduce: reduce-scatter/ring, allgather/ring". NULL after a
   report. */
static const Algorithm *subject_model(const Study *study, Text text)
{
    if (!library_is_typed(text))
        return library_algorithm(study->library, text, study->diag);
    const ModelEntry *entry = library_add_typed(study->library, text, study->diag);
    return entry ? library_load(study->library, entry, study->diag) : NULL;
}

const Algorithm *subject_of_library(const Study *study, const LibraryAlgorithm *one,
                                    const LibraryCall *call)
{
    Text collective, stages, what, name;
    const char *found = NULL;
    if (!text_split(one->model, ':', &collective, &stages))
        return subject_model(study, one->model);
    const char *before = sequence_take_pipelined(&stages) ? "pipelined " : "";
    while (stages.length) {
        Text stage = stages, after = {0};
        text_split(stages, ',', &stage, &after);
        stage = text_trim(stage);
        const char *model = shown(study, stage);
        if (text_split(stage, '/', &what, &name)) {
            Text first = name, along; /* "chosen", "chosen along node" */
            text_split(name, ' ', &first, &along);
            if (text_equals(first, "chosen"))
                model = chosen_stage(study, one, what, name, call);
        }
        if (!model)
            return NULL;
        found =
            found ? arena_printf(study->arena, "%s, %s", found, model)
                  : arena_printf(study->arena, "%s: %s%s", shown(study, collective), before, model);
        stages = after;
    }
    return subject_model(study, source_argument(study->arena, "model", found));
}

const Algorithm *subject_algorithm(const Study *study, Text text)
{
    AlgorithmArray loaded = {0};
    const Algorithm *algorithm = subject_model(study, text);
    if (!algorithm)
        return NULL;
    *ARRAY_PUSH(study->arena, &loaded) = algorithm;
    return parts_check(study, &loaded) ? parts_apply(study, algorithm) : NULL;
}

bool subject_read(const Study *study, Text text, const Collective **collective,
                  const Algorithm **only)
{
    Text before, after;
    *only = NULL;
    if (library_is_typed(text) || text_split(text, '/', &before, &after)) {
        *only = subject_algorithm(study, text);
        *collective = *only ? (*only)->collective : NULL;
    } else {
        *collective = library_collective(study->library, text, study->diag);
    }
    return *collective != NULL;
}

const Topology *subject_topology(const Study *study, Text text, Shape *shape)
{
    Text name = text, sizes = {0};
    bool has_sizes = text_split(text, ':', &name, &sizes);
    const Topology *topology = library_topology(study->library, name, study->diag);
    if (!topology)
        return NULL;
    if (has_sizes)
        return topology_parse_shape(topology, sizes, shape, study->diag) ? topology : NULL;
    if (!topology->ranks)
        return DIAG_NULL(study->diag, text.span, "the number of ranks is missing: %s:8",
                         topology->head.name);
    *shape = topology_shape(topology, topology->ranks);
    return topology;
}

bool parts_add(Study *study, Text name)
{
    const Algorithm *part = library_algorithm(study->library, name, study->diag);
    if (!part)
        return false;
    if (part->collective->problem || part->expect_wrong)
        return diag_error(
            study->diag, name.span,
            part->expect_wrong
                ? "%s is known to be wrong; it cannot be a part"
                : "%s computes a matrix product; only algorithms of collectives can be parts",
            algorithm_full_name(study->arena, part));
    for (size_t i = 0; i < study->parts.count; i++)
        if (study->parts.items[i]->collective == part->collective)
            return diag_error(study->diag, name.span, "this is the second algorithm for %s",
                              part->collective->head.name);
    *ARRAY_PUSH(study->arena, &study->parts) = part;
    return true;
}

const Algorithm *parts_apply(const Study *study, const Algorithm *algorithm)
{
    return exchange_parts(study->arena, algorithm, study->parts.items, study->parts.count);
}

bool parts_check(const Study *study, const AlgorithmArray *algorithms)
{
    for (size_t i = 0; i < study->parts.count; i++) {
        const Collective *collective = study->parts.items[i]->collective;
        size_t using = 0;
        while (using < algorithms->count && !exchange_uses(algorithms->items[using], collective))
            using ++;
        if (using < algorithms->count)
            continue;
        const char *who =
            algorithms->count == 1 ? algorithm_full_name(study->arena, algorithms->items[0]) : NULL;
        return diag_error(study->diag, study->parts_place, "%s %s %s",
                          who ? who : "no algorithm here", who ? "uses no" : "uses any",
                          collective->head.name);
    }
    return true;
}
