#include "cost/scale.h"

#include "cost/derive.h"

#include <math.h>

/* Operations, and with loads and stores, of one multiply-add, combined element, sent element. */
static const double operations[2][3] = {{2, 1, 0}, {6, 4, 2}};

static void measure(const ScaleCase *scale, const Profile *profile, double serial_work,
                    ScalePoint *point)
{
    const double *weights = operations[scale->counts_loads];
    double p = (double)point->p;
    point->serial = scale->multiply * serial_work;
    point->speedup = point->serial > 0 ? point->serial / point->total : NAN;
    point->efficiency = point->speedup / p;
    point->cost = p * point->total;
    point->overhead = point->cost - point->serial;
    point->overhead_work =
        weights[1] * (double)profile->combined + weights[2] * (double)profile->moved;
    point->work = weights[0] * serial_work + point->overhead_work;
    point->memory = (double)profile->peak_blocks * scale->element;
    point->memory_total = (double)profile->peak_total * scale->element;
}

bool scale_point(const ScaleCase *scale, int64_t n, ScalePoint *point, Diag *diag)
{
    const Network *network = scale->network;
    Instance instance = {.algorithm = scale->algorithm,
                         .p = network->p,
                         .k = 1,
                         .ports = rules_ports(scale->rules, network),
                         .shape = &network->shape,
                         .order = n};
    Profile profile;
    double work;
    Arena *scratch = arena_create();
    bool good = problem_work(scale->algorithm->collective->problem, n, &work, diag) &&
                profile_derive(scratch, &instance, network, scale->rules, &profile, diag);
    if (good) {
        *point = (ScalePoint){.p = network->p, .n = n, .rounds = profile.startups};
        point->parts = profile_cost(&profile, scale->rules->parameters, scale->element);
        point->parts.compute += scale->multiply * (double)profile.work;
        point->total = cost_total(point->parts);
        measure(scale, &profile, work, point);
    }
    arena_destroy(scratch);
    return good;
}

/* n rises until it is efficient, then the least such n is found by halving. */
bool scale_order(const ScaleCase *scale, double wanted, int64_t largest, ScalePoint *point,
                 int64_t *n, Diag *diag)
{
    int64_t low = 0, high = 1;
    *n = 0;
    for (;; high *= 2) {
        high = high < largest ? high : largest;
        if (!scale_point(scale, high, point, diag))
            return false;
        if (point->efficiency >= wanted)
            break;
        if (high == largest)
            return true;
        low = high;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        ScalePoint there;
        if (!scale_point(scale, middle, &there, diag))
            return false;
        if (there.efficiency >= wanted)
            high = middle, *point = there;
        else
            low = middle;
    }
    *n = high;
    return point->n == high || scale_point(scale, high, point, diag);
}
