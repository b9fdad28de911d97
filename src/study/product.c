#include "study/product.h"

#include "choose/winner.h"
#include "study/followed.h"
#include "verify/verify.h"

#include <string.h>

/* Ranks and n up to which a product is tried before its cost is shown. */
enum { MOST_RANKS = 128, TRIED_ORDER = 24 };

static void put_away(ProductNetwork *laid)
{
    arena_destroy(laid->arena);
    *laid = (ProductNetwork){0};
}

void products_put_away(const Products *products)
{
    put_away(products->laid_out);
}

static bool lay_out(const ProductCase *opened)
{
    ProductNetwork *laid = opened->laid_out;
    Study study = *opened->study;
    if (laid->shape == &opened->shape)
        return true;
    if (groups_are_given(&study.groups))
        return diag_error(study.diag, NOWHERE,
                          "products of matrices have no cost in groups of ranks");
    put_away(laid);
    study.arena = laid->arena = arena_scratch(opened->study->arena);
    laid->shape = study_network(&study, opened->topology, &opened->shape, &laid->network)
                      ? &opened->shape
                      : NULL;
    return laid->shape != NULL;
}

/* Runs an algorithm on small matrices. */
static ProductOpening try_algorithm(const ProductCase *opened, const Algorithm *algorithm)
{
    const Study *study = opened->study;
    Instance instance = {.algorithm = algorithm,
                         .p = opened->shape.p,
                         .k = 1,
                         .ports = rules_ports(&study->rules, &opened->laid_out->network),
                         .shape = &opened->shape,
                         .sizes.order = TRIED_ORDER};
    if (opened->shape.p > MOST_RANKS)
        return PRODUCT_OPENED;
    size_t errors = study->diag->error_count;
    Verification result = verify_schedule(study->arena, &instance, study->diag);
    if (study->diag->error_count > errors)
        return PRODUCT_REFUSED;
    if (result.right || !result.failure.text)
        return PRODUCT_OPENED;
    diag_error(study->diag, result.failure.span, "%s", result.failure.text);
    diag_note(study->diag, algorithm->head.span, "so %s is wrong",
              algorithm_full_name(study->arena, algorithm));
    return PRODUCT_WRONG;
}

ProductOpening products_open(const Study *study, const Collective *problem, const Algorithm *only,
                             const ProductPlaces *places, Products *products)
{
    Study *listing = ARENA_COPY(study->arena, Study, study, 1);
    ProductOpening opening = PRODUCT_OPENED;
    *products = (Products){
        .study = listing, .problem = problem, .laid_out = ARENA_NEW(study->arena, ProductNetwork)};
    listing->skips_refused |= places->count > 1;
    for (size_t i = 0; i < places->count && opening == PRODUCT_OPENED; i++) {
        ProductCase *opened = ARENA_NEW(study->arena, ProductCase);
        *opened = (ProductCase){.study = listing,
                                .problem = problem,
                                .topology = places->items[i].topology,
                                .shape = places->items[i].shape,
                                .laid_out = products->laid_out,
                                .is_named = only != NULL};
        *ARRAY_PUSH(study->arena, &products->cases) = opened;
        const Network *network = &opened->laid_out->network;
        if (!lay_out(opened) ||
            !candidates_list(listing, problem, only, network, &opened->algorithms, NULL)) {
            opening = PRODUCT_REFUSED;
            break;
        }
        opened->network = arena_printf(study->arena, "%s", network->name);
        opened->rules = rules_describe_on(study->arena, &study->rules, network);
        for (size_t a = 0; a < opened->algorithms.count && opening == PRODUCT_OPENED; a++)
            opening = try_algorithm(opened, opened->algorithms.items[a]);
    }
    products_put_away(products);
    return opening;
}

bool product_scale_case(const ProductCase *opened, const Algorithm *algorithm, ScaleCase *scale)
{
    const Study *study = opened->study;
    if (!lay_out(opened))
        return false;
    *scale = (ScaleCase){.algorithm = algorithm,
                         .network = &opened->laid_out->network,
                         .rules = &study->rules,
                         .multiply = study->machine.multiply.seconds,
                         .element = study->element,
                         .counts_loads = study->counts_loads};
    return study->machine.multiply.is_given ||
           diag_error(study->diag, NOWHERE,
                      "machine %s does not say how long a multiply-add takes: give --set tm=1ps",
                      study->machine.head.name);
}

ProductOutcome product_try(const ProductCase *opened, const Algorithm *algorithm, bool has_others,
                           ProductTask task, void *context)
{
    const Study *study = opened->study;
    ScaleCase scale;
    Diag silent = diag_silent();
    if (!product_scale_case(opened, algorithm, &scale))
        return PRODUCT_FAILED;
    if (task(context, &scale, &silent))
        return PRODUCT_FOUND;
    if (!has_others || silent.limit_count < silent.error_count)
        return task(context, &scale, study->diag) ? PRODUCT_FOUND : PRODUCT_FAILED;
    diag_warning(study->diag, NOWHERE,
                 "%s is left out for p = %lld: its schedule is too large to expand",
                 algorithm_full_name(study->arena, algorithm), (long long)opened->shape.p);
    return PRODUCT_LEFT_OUT;
}

static bool find_point(void *context, const ScaleCase *scale, Diag *diag)
{
    collcost_product *point = context;
    return scale_point(scale, point->n, point, diag);
}

ProductOutcome product_find_point(ProductPoint *row, bool has_others)
{
    return product_try(row->on, row->algorithm, has_others, find_point, &row->point);
}

bool product_costs(const ProductCase *opened, int64_t n, ProductPoints *points)
{
    Arena *arena = opened->study->arena;
    size_t most = opened->algorithms.count, count = 0;
    ProductPoint *found = ARENA_ARRAY(arena, ProductPoint, most + 1);
    double *seconds = ARENA_ARRAY(arena, double, most + 1);
    size_t *order = ARENA_ARRAY(arena, size_t, most + 1);
    for (size_t i = 0; i < most; i++) {
        found[count] =
            (ProductPoint){.on = opened, .algorithm = opened->algorithms.items[i], .point.n = n};
        ProductOutcome outcome = product_find_point(&found[count], most > 1);
        if (outcome == PRODUCT_FAILED)
            return false;
        if (outcome == PRODUCT_FOUND) {
            seconds[count] = found[count].point.total_s;
            count++;
        }
    }
    winner_order(seconds, count, order);
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(arena, points) = found[order[i]];
    return true;
}

bool product_is_same(const Algorithm *a, const Algorithm *b)
{
    return a->collective == b->collective && strcmp(a->head.name, b->head.name) == 0;
}

size_t product_place(const AlgorithmArray *algorithms, const Algorithm *algorithm)
{
    size_t i = 0;
    while (i < algorithms->count && !product_is_same(algorithms->items[i], algorithm))
        i++;
    return i;
}
