#include "study/subject.h"

#include "sched/contract.h"
#include "study/parts.h"

static const char *shown(const Study *study, Text text)
{
    return arena_printf(study->arena, "%.*s", (int)text.length, text.chars);
}

/* What a library runs in a stage by itself. NULL after a report. */
static const char *chosen_stage(const Study *study, Text stage, const LibraryCall *call)
{
    const Implementation *library = study->implementation;
    const Collective *collective = library_collective(study->library, stage, study->diag);
    LibraryCall inner = *call;
    int64_t blocks;
    if (!collective || !contract_buffer_blocks(collective, call->p, &blocks, study->diag))
        return NULL;
    inner.m = call->buffer / (double)blocks;
    const size_t errors = study->diag->error_count;
    const LibraryAlgorithm *chosen =
        implementation_runs(library, study->version,
                            implementation_chooses(library, study->version, collective->head.name,
                                                   "", &inner, study->diag),
                            &inner, study->diag);
    if (chosen && chosen->model.length)
        return shown(study, chosen->model);
    if (study->diag->error_count == errors)
        diag_error(study->diag, NOWHERE, "what %s@%s chooses for %s is not known",
                   library->head.name, study->version, collective->head.name);
    return NULL;
}

/* Stages with what is chosen for them. Without characters after a report. */
static Text fill_stages(const Study *study, const LibraryAlgorithm *one, const LibraryCall *call)
{
    Text collective, stages, what, name;
    const char *found = NULL;
    if (!text_split(one->model, ':', &collective, &stages))
        return one->model;
    while (stages.length) {
        Text stage = stages, after = {0};
        text_split(stages, ',', &stage, &after);
        stage = text_trim(stage);
        const char *model = shown(study, stage);
        if (text_split(stage, '/', &what, &name) && text_equals(name, "chosen"))
            model = chosen_stage(study, what, call);
        if (!model)
            return (Text){0};
        found = found ? arena_printf(study->arena, "%s, %s", found, model)
                      : arena_printf(study->arena, "%s: %s", shown(study, collective), model);
        stages = after;
    }
    return source_argument(study->arena, "model", found);
}

const Algorithm *subject_model(const Study *study, Text text)
{
    if (!library_is_typed(text))
        return library_algorithm(study->library, text, study->diag);
    const ModelEntry *entry = library_add_typed(study->library, text, study->diag);
    return entry ? library_load(study->library, entry, study->diag) : NULL;
}

const Algorithm *subject_of_library(const Study *study, const LibraryAlgorithm *one,
                                    const LibraryCall *call)
{
    const Text model = fill_stages(study, one, call);
    return model.length ? subject_model(study, model) : NULL;
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
    if (!topology->ranks) {
        diag_error(study->diag, text.span, "the number of ranks is missing: %s:8",
                   topology->head.name);
        return NULL;
    }
    *shape = topology_shape(topology, topology->ranks);
    return topology;
}
