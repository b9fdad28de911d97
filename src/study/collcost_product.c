/* The functions of collcost.h that are about products of matrices. */
#include "choose/winner.h"
#include "study/call.h"
#include "study/product.h"
#include "study/study.h"

#include <math.h>

typedef struct {
    const Study *study;
    const char *subject;
    const char *const *topologies;
    size_t topology_count;
    Products *opened;
} OpenCall;

static collcost_status open_products(void *arguments)
{
    OpenCall *call = arguments;
    const Study *study = call->study;
    const Collective *problem;
    const Algorithm *only;
    ProductPlaces places = {0};
    Text subject = call_text(study, "subject", call->subject);
    if (!subject_read(study, subject, &problem, &only))
        return COLLCOST_BAD_INPUT;
    for (size_t i = 0; i < call->topology_count; i++) {
        ProductPlace *place = ARRAY_PUSH(study->arena, &places);
        Text name = call_text(study, "topology", call->topologies[i]);
        place->topology = subject_topology(study, name, &place->shape);
        if (!place->topology)
            return COLLCOST_BAD_INPUT;
    }
    if (!problem->problem)
        return call_status(diag_error(study->diag, subject.span,
                                      "%s is a collective, not a product of matrices",
                                      problem->head.name));
    call->opened = ARENA_NEW(study->arena, Products);
    switch (products_open(study, problem, only, &places, call->opened)) {
    case PRODUCT_WRONG:
        return COLLCOST_CHECK_FAILED;
    case PRODUCT_REFUSED:
        return COLLCOST_BAD_INPUT;
    case PRODUCT_OPENED:
        break;
    }
    return COLLCOST_FINE;
}

collcost_status collcost_products_open(collcost_study *study, const char *subject,
                                       const char *const *topologies, size_t topology_count,
                                       collcost_products **opened)
{
    OpenCall call = {study, subject, topologies, topology_count, NULL};
    collcost_status status = call_study(study, open_products, &call);
    if (status == COLLCOST_FINE)
        *opened = call.opened;
    return status;
}

typedef enum { SOUGHT_COSTS, SOUGHT_SCALING, SOUGHT_ORDERS, SOUGHT_LARGEST_RANKS } Sought;

/* What an answer about products works on. */
typedef struct {
    const Products *opened;
    Sought sought;
    const int64_t *orders;
    size_t order_count;
    double efficiency;
    bool over_orders; /* from the first n to the last; else over ranks at the first */
    int64_t first, last;
    const void *list;
    size_t count;
} Question;

static collcost_status answer(Question *question, CallBody *find, const void **list, size_t *count)
{
    collcost_status status = call_study(question->opened->study, find, question);
    if (!call_was_interrupted(status))
        products_put_away(question->opened);
    if (status == COLLCOST_FINE) {
        *list = question->list;
        *count = question->count;
    }
    return status;
}

static bool check_order(const Question *question, int64_t n, int64_t least)
{
    return (n >= least && n <= LARGEST_ORDER) ||
           diag_error(question->opened->study->diag, NOWHERE, "an order is between %lld and %lld",
                      (long long)least, (long long)LARGEST_ORDER);
}

/* The list of an answer; with what is said of growth where n was sought. */
static collcost_status find_products(void *arguments)
{
    Question *question = arguments;
    const Study *study = question->opened->study;
    const ProductCases *cases = &question->opened->cases;
    const double efficiency = question->efficiency;
    ProductPoints points = {0};
    IntArray orders = {0};
    for (size_t i = 0; i < question->order_count; i++) {
        if (!check_order(question, question->orders[i], 1))
            return COLLCOST_BAD_INPUT;
        *ARRAY_PUSH(study->arena, &orders) = question->orders[i];
    }
    if (question->sought >= SOUGHT_ORDERS && !(efficiency > 0 && efficiency < 1))
        return call_status(
            diag_error(study->diag, NOWHERE, "an efficiency must lie between 0 and 1"));
    bool good = true;
    switch (question->sought) {
    case SOUGHT_SCALING:
        good = product_scaling(cases, &orders, &points);
        break;
    case SOUGHT_ORDERS:
        good = product_orders(cases, efficiency, &points);
        break;
    case SOUGHT_LARGEST_RANKS:
        good = product_largest_ranks(cases, &orders, efficiency, &points);
        break;
    case SOUGHT_COSTS:
        for (size_t i = 0; i < cases->count * orders.count && good; i++)
            good = product_costs(cases->items[i / orders.count], orders.items[i % orders.count],
                                 &points);
        break;
    }
    if (!good)
        return COLLCOST_BAD_INPUT;
    collcost_product *list = ARENA_ARRAY(study->arena, collcost_product, points.count + 1);
    for (size_t i = 0; i < points.count; i++) {
        const ProductPoint *found = &points.items[i];
        list[i] = found->point;
        list[i].algorithm = found->algorithm->head.name;
        list[i].network = found->on->network;
        list[i].rules = found->on->rules;
        list[i].growth = question->sought == SOUGHT_ORDERS ? product_growth(&points, found)
                                                           : (collcost_growth){.power = NAN};
    }
    question->list = list;
    question->count = points.count;
    return COLLCOST_FINE;
}

collcost_status collcost_products_costs(collcost_products *opened, const int64_t *orders,
                                        size_t order_count, const collcost_product **list,
                                        size_t *count)
{
    Question question = {.opened = opened, .orders = orders, .order_count = order_count};
    return answer(&question, find_products, (const void **)list, count);
}

collcost_status collcost_products_scaling(collcost_products *opened, const int64_t *orders,
                                          size_t order_count, const collcost_product **list,
                                          size_t *count)
{
    Question question = {
        .opened = opened, .sought = SOUGHT_SCALING, .orders = orders, .order_count = order_count};
    return answer(&question, find_products, (const void **)list, count);
}

collcost_status collcost_products_orders(collcost_products *opened, double efficiency,
                                         const collcost_product **list, size_t *count)
{
    Question question = {.opened = opened, .sought = SOUGHT_ORDERS, .efficiency = efficiency};
    return answer(&question, find_products, (const void **)list, count);
}

collcost_status collcost_products_largest_ranks(collcost_products *opened, const int64_t *orders,
                                                size_t order_count, double efficiency,
                                                const collcost_product **list, size_t *count)
{
    Question question = {.opened = opened,
                         .sought = SOUGHT_LARGEST_RANKS,
                         .orders = orders,
                         .order_count = order_count,
                         .efficiency = efficiency};
    return answer(&question, find_products, (const void **)list, count);
}

/* Of those at one n, on p ranks unless that is 0, and with an efficiency unless that is 0. */
static bool counts(const collcost_product *row, int64_t n, int64_t p, double efficiency)
{
    return row->n == n && (p == 0 || row->p == p) &&
           (!(efficiency > 0) || row->efficiency >= efficiency);
}

/* By the rule of choose/winner.h, which needs no array here. */
static const collcost_product *find_fastest(const collcost_product *list, size_t count, int64_t n,
                                            int64_t p, double efficiency)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (counts(&list[i], n, p, efficiency))
            least = fmin(least, list[i].total_s);
    for (size_t i = 0; i < count; i++)
        if (counts(&list[i], n, p, efficiency) && !time_is_below(least, list[i].total_s))
            return &list[i];
    return NULL;
}

const collcost_product *collcost_products_fastest(const collcost_product *list, size_t count,
                                                  int64_t n, int64_t p)
{
    return find_fastest(list, count, n, p, 0);
}

const collcost_product *collcost_products_cost_optimal(const collcost_product *list, size_t count,
                                                       int64_t n, double efficiency)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(&list[i], n, 0, efficiency) && list[i].p > most)
            most = list[i].p;
    return most ? find_fastest(list, count, n, most, efficiency) : NULL;
}

static collcost_status find_rows(void *arguments)
{
    Question *question = arguments;
    const ProductCases *cases = &question->opened->cases;
    const int64_t first = question->first, last = question->last;
    ProductRows rows = {0};
    if (!check_order(question, first, 1) ||
        (question->over_orders && !check_order(question, last, first)))
        return COLLCOST_BAD_INPUT;
    bool good = question->over_orders || product_over_ranks(cases, first, &rows);
    for (size_t i = 0; i < cases->count && question->over_orders && good; i++)
        good = product_over_orders(cases->items[i], first, last, &rows);
    question->list = rows.items;
    question->count = rows.count;
    return call_status(good);
}

collcost_status collcost_products_over_orders(collcost_products *opened, int64_t first,
                                              int64_t last, const collcost_product_row **rows,
                                              size_t *count)
{
    Question question = {.opened = opened, .over_orders = true, .first = first, .last = last};
    return answer(&question, find_rows, (const void **)rows, count);
}

collcost_status collcost_products_over_ranks(collcost_products *opened, int64_t n,
                                             const collcost_product_row **rows, size_t *count)
{
    Question question = {.opened = opened, .first = n};
    return answer(&question, find_rows, (const void **)rows, count);
}
