#include "study/subject.h"

bool subject_read(const Study *study, Text text, const Collective **collective,
                  const Algorithm **only)
{
    Text before, after;
    *only = NULL;
    if (library_is_typed(text)) {
        const ModelEntry *entry = library_add_typed(study->library, text, study->diag);
        *only = entry ? library_load(study->library, entry, study->diag) : NULL;
    } else if (text_split(text, '/', &before, &after)) {
        *only = library_algorithm(study->library, text, study->diag);
    } else {
        *collective = library_collective(study->library, text, study->diag);
        return *collective != NULL;
    }
    if (*only)
        *collective = (*only)->collective;
    return *only != NULL;
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
