#include "bound/kinds.h"

Bound bound_distance(Bounder *bounder)
{
    const RequiredPaths *paths = &bounder->paths;
    const char *reason =
        paths->longest
            ? arena_printf(bounder->arena, "from rank %s to rank %s",
                           network_name_node(bounder->arena, bounder->network, paths->from),
                           network_name_node(bounder->arena, bounder->network, paths->to))
        : paths->known ? "nothing has to move"
                       : "not computed for this many ranks";
    return (Bound){BOUND_DISTANCE, exact_from_int(paths->longest), false, reason};
}
