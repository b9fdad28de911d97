#include "claims/verdict.h"

VerdictGrid verdict_grid_up_to(int64_t largest_p)
{
    return (VerdictGrid){
        .least_p = 1, .largest_p = largest_p, .root = -1, .target = -1, .switching = -1};
}

Rules verdict_rules(const VerdictGrid *grid, int64_t ports, Switching switching)
{
    return (Rules){.ports = ports,
                   .switching = switching,
                   .asynchronous = grid->asynchronous || grid->overlap,
                   .combining = grid->overlap ? COMBINING_OVERLAP : COMBINING_AFTER};
}

const ClaimList *verdict_claims(const VerdictSubject *subject)
{
    return claims_all(subject->algorithm    ? &subject->algorithm->claims
                      : subject->collective ? &subject->collective->claims
                                            : &subject->topology->claims);
}
