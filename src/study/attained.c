#include "study/attained.h"

#include <math.h>

static const char *const part_names[ATTAINED_PARTS] = {"startup", "hop", "transfer", "compute"};
static const Parameter part_parameters[ATTAINED_PARTS] = {PARAMETER_TS, PARAMETER_TH, PARAMETER_TW,
                                                          PARAMETER_TC};

/* To 9 digits. */
static bool is_reached(double time, double bound)
{
    return fabs(time - bound) <= bound * 1e-9;
}

/* The largest bound of those that a parameter multiplies. */
static double bound_of_part(const BoundSet *bounds, const double *least, Parameter parameter,
                            double bytes)
{
    double largest = 0;
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++)
        if (bound_parameter((BoundKind)kind) == parameter)
            largest = fmax(largest, bound_seconds(&bounds->items[kind], least, bytes));
    return largest;
}

Attained attained_find(const BoundSet *bounds, const double *least, CostParts parts, double bytes)
{
    Attained attained = {0};
    const double times[ATTAINED_PARTS] = {parts.startup, parts.hop, parts.transfer, parts.compute};
    double largest = 0;
    for (int i = 0; i < ATTAINED_PARTS; i++) {
        double bound = bound_of_part(bounds, least, part_parameters[i], bytes);
        largest = fmax(largest, bound);
        if (bound > 0 && is_reached(times[i], bound))
            attained.parts[attained.count++] = part_names[i];
    }
    attained.whole = is_reached(cost_total(parts), largest);
    return attained;
}
