#include "cost/period.h"

#include "base/whole.h"
#include "sched/pieces.h"

/* The least common multiple, or the first where that is too large. */
static int64_t common_period(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a / whole_common_divisor(a, b), b, &product) ? a : product;
}

static int64_t period_of_steps(const Instance *instance, const Network *network,
                               const ScheduleStep *steps, size_t count)
{
    const Shape shape = instance_shape(instance);
    int64_t period = 1;
    for (size_t i = 0; i < count; i++) {
        int lines[MOST_DIMENSIONS];
        Diag silent = diag_silent();
        const Use *use = &steps[i].use;
        const int found = steps[i].kind == STEP_USE ? pieces_lines(use, &shape, lines, &silent) : 0;
        for (int l = 0; l < found; l++) {
            Shape line;
            const Instance inner = pieces_line_instance(instance, use, lines[l], &line);
            period = common_period(period, period_find(&inner, network));
        }
        period = common_period(
            period, period_of_steps(instance, network, steps[i].steps, steps[i].step_count));
    }
    return period;
}

int64_t period_find(const Instance *instance, const Network *network)
{
    static const ExactParameters none;
    const ClaimPoint point = claim_point(instance->shape, instance->root, 1, instance->ports);
    Instance origin = *instance;
    Exact period;
    for (;; origin.algorithm = origin.algorithm->dual) {
        const Algorithm *algorithm = origin.algorithm;
        const Claim *claim = algorithm->free_chunks
                                 ? claim_on_rounds(algorithm, network, &point, CLAIM_PERIOD)
                                 : NULL;
        if (claim && claim_exact(claim, &point, &none, exact_from_int(1), &period) &&
            period.exact && period.denominator == 1)
            return period.numerator > 1 ? period.numerator : 1;
        if (!algorithm->free_chunks)
            return 1;
        if (!algorithm->dual)
            return period_of_steps(&origin, network, algorithm->steps, algorithm->step_count);
    }
}
