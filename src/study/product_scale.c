#include "study/product.h"

#include "scale/scale.h"

#include <gsl/gsl_fit.h>
#include <math.h>

/* A power that is fitted to fewer points says nothing. */
enum { LEAST_POINTS = 3 };

/* Far more than rounding makes of a time. */
#define SLACK 1e-9

bool product_scaling(const ProductCases *cases, const IntArray *orders, ProductPoints *points)
{
    for (size_t i = 0; i < cases->count; i++) {
        const ProductCase *opened = cases->items[i];
        bool has_others = !opened->is_named || opened->study->skips_refused || orders->count > 1;
        for (size_t j = 0; j < opened->algorithms.count * orders->count; j++) {
            ProductPoint row = {.on = opened,
                                .algorithm = opened->algorithms.items[j / orders->count],
                                .point.n = orders->items[j % orders->count]};
            ProductOutcome outcome = product_find_point(&row, has_others);
            if (outcome == PRODUCT_FAILED)
                return false;
            if (outcome == PRODUCT_FOUND)
                *ARRAY_PUSH(opened->study->arena, points) = row;
        }
    }
    return true;
}

/* The smallest n with an efficiency, of all and of those that are cut evenly; 0: there is none. */
typedef struct {
    double efficiency;
    int64_t n, even;
    collcost_product point;
} OrderTask;

static bool find_order(void *context, const ScaleCase *scale, Diag *diag)
{
    OrderTask *task = context;
    return scale_order(scale, task->efficiency, LARGEST_ORDER, &task->point, &task->n, diag) &&
           (!task->n || scale_even_order(scale, task->efficiency, task->n, &task->even, diag));
}

bool product_orders(const ProductCases *cases, double efficiency, ProductPoints *points)
{
    for (size_t i = 0; i < cases->count; i++) {
        const ProductCase *opened = cases->items[i];
        bool has_others = !opened->is_named || cases->count > 1;
        for (size_t a = 0; a < opened->algorithms.count; a++) {
            const Algorithm *algorithm = opened->algorithms.items[a];
            OrderTask task = {.efficiency = efficiency};
            ProductOutcome outcome = product_try(opened, algorithm, has_others, find_order, &task);
            if (outcome == PRODUCT_FAILED)
                return false;
            if (outcome == PRODUCT_FOUND && task.n)
                *ARRAY_PUSH(opened->study->arena, points) =
                    (ProductPoint){opened, algorithm, task.point, task.even};
        }
    }
    return true;
}

/* What an algorithm reaches on a network, n by n. */
typedef struct {
    int64_t n, largest;
    double efficiency;
    bool reached;
    Arena *arena;
    LeastTime *least; /* NULL: not yet known */
} ReachTask;

/* The longest time with which n by n is efficient; INFINITY: not known. */
static double longest_time(const ScaleCase *scale, int64_t n, double efficiency)
{
    double work;
    bool known = problem_try_work(scale->algorithm->collective->problem, n, &work);
    return known ? scale->multiply * work * (1 + SLACK) / (efficiency * (double)scale->network->p)
                 : INFINITY;
}

/* It need not be derived where the least that it can take is too long. */
static bool find_reach(void *context, const ScaleCase *scale, Diag *diag)
{
    ReachTask *task = context;
    task->reached = false;
    if (!scale_claim(scale, task->n)) {
        if (!task->least)
            task->least = least_time_open(task->arena, ARENA_COPY(task->arena, ScaleCase, scale, 1),
                                          longest_time(scale, task->largest, task->efficiency));
        if (least_time_seconds(task->least, task->n) >
            longest_time(scale, task->n, task->efficiency))
            return true;
    }
    return scale_reaches(scale, task->n, task->efficiency, &task->reached, diag);
}

/* Keeps where an algorithm is efficient on one network. One that is too large to be followed joins
   `stopped`: later networks are larger. */
static bool keep_efficient(const ProductCase *opened, const Algorithm *algorithm,
                           const IntArray *orders, double efficiency, AlgorithmArray *stopped,
                           ProductPoints *points)
{
    Arena *kept = arena_scratch(opened->study->arena);
    ReachTask task = {.efficiency = efficiency, .largest = orders->items[0], .arena = kept};
    for (size_t i = 0; i < orders->count; i++)
        task.largest = orders->items[i] > task.largest ? orders->items[i] : task.largest;
    bool good = true;
    bool goes_on = product_place(stopped, algorithm) == stopped->count;
    for (size_t i = 0; i < orders->count && goes_on; i++) {
        task.n = orders->items[i];
        ProductOutcome outcome = product_try(opened, algorithm, true, find_reach, &task);
        good = outcome != PRODUCT_FAILED;
        goes_on = outcome == PRODUCT_FOUND;
        if (outcome == PRODUCT_LEFT_OUT)
            *ARRAY_PUSH(opened->study->arena, stopped) = algorithm;
        if (!goes_on || !task.reached)
            continue;
        /* Takes the place of the row with fewer ranks. */
        size_t place = 0;
        while (place < points->count &&
               !(product_is_same(points->items[place].algorithm, algorithm) &&
                 points->items[place].point.n == task.n))
            place++;
        if (place == points->count)
            ARRAY_PUSH(opened->study->arena, points);
        points->items[place] =
            (ProductPoint){.on = opened, .algorithm = algorithm, .point.n = task.n};
    }
    arena_destroy(kept);
    return good;
}

bool product_largest_ranks(const ProductCases *cases, const IntArray *orders, double efficiency,
                           ProductPoints *points)
{
    AlgorithmArray stopped = {0};
    for (size_t i = 0; i < cases->count; i++)
        for (size_t a = 0; a < cases->items[i]->algorithms.count; a++)
            if (!keep_efficient(cases->items[i], cases->items[i]->algorithms.items[a], orders,
                                efficiency, &stopped, points))
                return false;
    for (size_t i = 0; i < points->count; i++) {
        ProductPoint *row = &points->items[i];
        ScaleCase scale;
        if (!product_scale_case(row->on, row->algorithm, &scale) ||
            !scale_point(&scale, row->point.n, &row->point, row->on->study->diag))
            return false;
    }
    return true;
}

collcost_growth product_growth(const ProductPoints *points, const ProductPoint *row)
{
    const Study *study = row->on->study;
    collcost_growth found = {.power = NAN};
    ScaleCase scale;
    /* Fits a line to log W against log p on more than one rank, where p cuts evenly: elsewhere the
       time has jumps, which a fit would take for growth. */
    double *x = ARENA_ARRAY(study->arena, double, points->count), constant, slope;
    double *y = ARENA_ARRAY(study->arena, double, points->count), cov00, cov01, cov11, sum;
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const ProductPoint *other = &points->items[i];
        double work;
        if (!product_is_same(other->algorithm, row->algorithm) || other->point.p < 2 ||
            !other->even_order ||
            !problem_try_work(row->on->problem->problem, other->even_order, &work))
            continue;
        x[count] = log((double)other->point.p);
        y[count++] = log(work);
    }
    if (count >= LEAST_POINTS &&
        gsl_fit_linear(x, 1, y, 1, count, &constant, &slope, &cov00, &cov01, &cov11, &sum) == 0)
        found = (collcost_growth){.power = slope, .from_p = exp(x[0]), .to_p = exp(x[count - 1])};
    const Claim *claim = product_scale_case(row->on, row->algorithm, &scale)
                             ? scale_claim(&scale, scale.network->p)
                             : NULL;
    if (!claim)
        return found;
    Growth growth = growth_find(study->arena, claim, &row->on->shape, study->rules.parameters,
                                scale_work_power(&scale));
    found.order = growth.kind == GROWTH_NEVER   ? "no n can"
                  : growth.kind == GROWTH_FOUND ? growth_describe(study->arena, &growth)
                                                : NULL;
    return found;
}
