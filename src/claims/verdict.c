#include "claims/verdict.h"

VerdictGrid verdict_grid_up_to(int64_t largest_p)
{
    return (VerdictGrid){.largest_p = largest_p, .root = -1, .target = -1, .switching = -1};
}

const ClaimList *verdict_claims(const VerdictSubject *subject)
{
    return subject->algorithm    ? &subject->algorithm->claims
           : subject->collective ? &subject->collective->claims
                                 : &subject->topology->claims;
}
