#include "cost/claim.h"

#include "lang/fold.h"

ClaimPoint claim_point(const Shape *shape, int64_t root, int64_t k, int64_t ports)
{
    ClaimPoint point = {
        .p = shape->p, .root = root, .k = k, .ports = ports, .dimensions = shape->count};
    for (int i = 0; i < 3; i++)
        point.sizes[i] = i < shape->count ? shape->sizes[i] : 1;
    return point;
}

Instance claim_instance(const Algorithm *algorithm, const Shape *shape, const ClaimPoint *point)
{
    return (Instance){.algorithm = algorithm,
                      .p = point->p,
                      .root = point->root,
                      .k = point->k,
                      .ports = point->ports,
                      .shape = shape,
                      .target = point->target,
                      .sizes.order = point->order,
                      .branches = point->branches};
}

/* What conditions are about. */
static void bind_whole(const ClaimPoint *point, const void **slots)
{
    slots[CLAIM_P] = &point->p;
    slots[CLAIM_ROOT] = &point->root;
    slots[CLAIM_K] = &point->k;
    slots[CLAIM_D] = &point->ports;
    for (int i = 0; i < 3; i++)
        slots[CLAIM_X + i] = &point->sizes[i];
    slots[CLAIM_DIMENSIONS] = &point->dimensions;
    slots[CLAIM_TARGET] = &point->target;
    slots[CLAIM_PATH] = &point->links;
    slots[CLAIM_N] = &point->order;
    slots[CLAIM_BRANCHES] = &point->branches;
}

/* What formulas are about, but for sizes. */
static void bind(const ClaimPoint *point, const double *parameters, const void **slots)
{
    bind_whole(point, slots);
    slots[CLAIM_J] = &point->j;
    slots[CLAIM_R] = &point->r;
    slots[CLAIM_TO] = &point->to;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        slots[CLAIM_TS + i] = &parameters[i];
    slots[CLAIM_TM] = &point->multiply;
}

bool claim_applies(const Claim *claim, const ClaimPoint *point)
{
    int64_t holds = 1;
    const void *slots[MOST_SLOTS] = {0};
    bind_whole(point, slots);
    if (claim->when.program && !program_try(claim->when.program, slots, 1, &holds))
        return false;
    return holds != 0;
}

bool claim_rounds(const Claim *claim, const ClaimPoint *point, int64_t *first, int64_t *last)
{
    const void *slots[MOST_SLOTS] = {0};
    bind_whole(point, slots);
    return program_try(claim->first.program, slots, 1, first) &&
           program_try(claim->last.program, slots, 1, last);
}

bool claim_seconds(const Claim *claim, const ClaimPoint *point, const double *parameters,
                   const double *sizes, size_t count, double *seconds, Diag *diag)
{
    enum { AT_ONCE = 1024 };
    double buffers[AT_ONCE];
    const void *slots[MOST_SLOTS] = {[CLAIM_BUFFER] = buffers};
    bind(point, parameters, slots);
    for (size_t start = 0; start < count; start += AT_ONCE) {
        size_t part = count - start < AT_ONCE ? count - start : AT_ONCE;
        slots[CLAIM_SIZE] = sizes + start;
        for (size_t i = 0; i < part; i++)
            buffers[i] = sizes[start + i] * (double)point->buffer_blocks;
        if (!program_run(claim->formula.program, slots, part, seconds + start, diag))
            return false;
    }
    return true;
}

Program *claim_fold(Arena *arena, const Claim *claim, const ClaimPoint *point)
{
    const void *slots[MOST_SLOTS] = {0};
    uint64_t known = 0;
    bind_whole(point, slots);
    slots[CLAIM_TM] = &point->multiply;
    slots[CLAIM_K] = NULL;
    for (int i = 0; i < CLAIM_SLOTS; i++)
        known |= (uint64_t)(slots[i] != NULL) << i;
    return program_fold(arena, claim->formula.program, known, slots);
}

bool claim_seconds_folded(Program *folded, int64_t k, int64_t buffer_blocks,
                          const double *parameters, double size, double *seconds)
{
    double buffer = size * (double)buffer_blocks;
    const void *slots[CLAIM_SLOTS]; /* it reads no others */
    slots[CLAIM_K] = &k;
    slots[CLAIM_SIZE] = &size;
    slots[CLAIM_BUFFER] = &buffer;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        slots[CLAIM_TS + i] = &parameters[i];
    return program_try(folded, slots, 1, seconds);
}

bool claim_seconds_real_k(const Claim *claim, const ClaimPoint *point, double k,
                          const double *parameters, double size, double *seconds, Diag *diag)
{
    const double buffer = size * (double)point->buffer_blocks;
    const void *slots[MOST_SLOTS] = {[CLAIM_SIZE] = &size, [CLAIM_BUFFER] = &buffer};
    Program *real_k = claim_real_k(claim);
    if (!real_k)
        return false;
    bind(point, parameters, slots);
    slots[CLAIM_K] = &k;
    return program_run(real_k, slots, 1, seconds, diag);
}

bool claim_exact(const Claim *claim, const ClaimPoint *point, const ExactParameters *parameters,
                 Exact size, Exact *value)
{
    Exact slots[MOST_SLOTS] = {
        [CLAIM_P] = exact_from_int(point->p),
        [CLAIM_ROOT] = exact_from_int(point->root),
        [CLAIM_K] = exact_from_int(point->k),
        [CLAIM_D] = exact_from_int(point->ports),
        [CLAIM_X] = exact_from_int(point->sizes[0]),
        [CLAIM_Y] = exact_from_int(point->sizes[1]),
        [CLAIM_Z] = exact_from_int(point->sizes[2]),
        [CLAIM_DIMENSIONS] = exact_from_int(point->dimensions),
        [CLAIM_TARGET] = exact_from_int(point->target),
        [CLAIM_PATH] = exact_from_int(point->links),
        [CLAIM_N] = exact_from_int(point->order),
        [CLAIM_BRANCHES] = exact_from_int(point->branches),
        [CLAIM_J] = exact_from_int(point->j),
        [CLAIM_R] = exact_from_int(point->r),
        [CLAIM_TO] = exact_from_int(point->to),
        [CLAIM_SIZE] = size,
        [CLAIM_BUFFER] = exact_multiply(size, exact_from_int(point->buffer_blocks)),
    };
    for (int i = 0; i < PARAMETER_COUNT; i++)
        slots[CLAIM_TS + i] = parameters->parameters[i];
    slots[CLAIM_TM] = parameters->multiply;
    slots[CLAIM_OVERHEAD] =
        exact_divide(exact_multiply(parameters->parameters[PARAMETER_TS], exact_from_int(29)),
                     exact_from_int(101));
    const Expr *formula = program_expr(claim->formula.program);
    return point->terms ? exact_evaluate_within(formula, slots, point->terms, value)
                        : exact_evaluate(formula, slots, value, NULL);
}

/* Claims are about links that are all alike, at the machine's cost, and ranks with as many ports.
 */
static bool is_uniform(const Rules *rules, const Network *network, int64_t ports)
{
    const LinkClass *links = &network->classes[0];
    const Level *level = level_find(rules->levels, rules->level_count, links->level);
    bool same = network->class_count == 1 && links->tw < 0 && links->th < 0 && links->lanes <= 1;
    same &= !level || level->capacity <= 0;
    for (int i = 0; level && i < PARAMETER_COUNT; i++)
        same &= level->parameters[i] < 0;
    for (int64_t r = 0; same && rules->all_ports && network->starts && r < network->p; r++)
        same = network_degree(network, r) == ports && network_arrivals(network, r) == ports;
    return same;
}

const Claim *claim_find(const Algorithm *algorithm, const Network *network, const ClaimPoint *point,
                        const Rules *rules, bool any_k)
{
    if (network->grouping || !rules_are_usual(rules) || !is_uniform(rules, network, point->ports) ||
        (rules->ties != TIES_PLUS && !network->topology->direct))
        return NULL;
    for (size_t i = 0; i < algorithm->claims.list.count; i++) {
        const Claim *claim = claims_on(&algorithm->claims, i, network->topology->head.name);
        if (!claim)
            continue;
        bool of_all_k = !any_k || !claim->when.program ||
                        !expr_uses(program_expr(claim->when.program), CLAIM_K);
        bool covers = of_all_k && claim->kind == CLAIM_TIME && !claim->first.program &&
                      !claim->recorded_refuted && !claim->overlaps &&
                      !(point->order && claim->neglects[NEGLECTS_MULTIPLY]) &&
                      (network->topology->direct || claim->switching[rules->switching]) &&
                      !network->shape.taper && claim_applies(claim, point) && claim_is_sum(claim);
        for (int x = 0; x < PARAMETER_COUNT && covers; x++)
            covers = rules->parameters[x] == 0 || claim_counts(claim, (Parameter)x);
        if (covers)
            return claim;
    }
    return NULL;
}

bool claim_is_compared(const Claim *claim, const Algorithm *algorithm, const Network *network)
{
    const Topology *topology = network->topology;
    for (int i = 0; i < topology->factor_count; i++)
        if (!head_is_builtin(&topology->factors[i]->head))
            return false;
    return algorithm->is_builtin && head_is_builtin(&topology->head) &&
           (!claim->citation.origin || head_is_builtin(&claim->citation.origin->head));
}

const Claim *claim_on_rounds(const Algorithm *algorithm, const Network *network,
                             const ClaimPoint *point, ClaimKind kind)
{
    const ModelClaims *claims = &algorithm->claims;
    for (size_t i = 0; i < claims->list.count; i++) {
        const Claim *claim = NULL;
        if (!network->grouping)
            claim = claims_on(claims, i, network->topology->head.name);
        if (!claim && !algorithm->reads_shape)
            claim = claims_on(claims, i, "full");
        if (claim && claim->kind == kind && !claim->recorded_refuted && claim_applies(claim, point))
            return claim;
    }
    return NULL;
}

bool claim_peak(const Algorithm *algorithm, const Network *network, const ClaimPoint *point,
                Exact *share)
{
    static const ExactParameters free_of_charge;
    const Claim *claim = claim_on_rounds(algorithm, network, point, CLAIM_PEAK);
    return claim && claim_is_compared(claim, algorithm, network) &&
           claim_exact(claim, point, &free_of_charge, exact_from_int(1), share);
}
