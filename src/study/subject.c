#include "study/subject.h"

#include "study/parts.h"

const Algorithm *subject_model(const Study *study, Text text)
{
    if (!library_is_typed(text))
        return library_algorithm(study->library, text, study->diag);
    const ModelEntry *entry = library_add_typed(study->library, text, study->diag);
    return entry ? library_load(study->library, entry, study->diag) : NULL;
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
