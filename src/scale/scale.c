#include "scale/scale.h"

#include "cost/claim.h"
#include "cost/derive.h"
#include "sched/branching.h"
#include "sched/extents.h"

#include <math.h>

/* Ranks up to which work and memory are derived beside a claimed time. */
enum { MOST_DERIVED = 1 << 14 };

/* Operations, and with loads and stores, of one combined element and one sent element. */
static const double operations[2][2] = {{1, 0}, {4, 2}};

/* Its schedule for n x n. */
static Instance scale_instance(const ScaleCase *scale, int64_t n)
{
    const Network *network = scale->network;
    return (Instance){.algorithm = scale->algorithm,
                      .p = network->p,
                      .k = 1,
                      .ports = rules_ports(scale->rules, network),
                      .shape = &network->shape,
                      .sizes.order = n};
}

/* Does p cut each array into blocks of one size? */
static bool is_even(const ScaleCase *scale, const Instance *instance)
{
    int64_t parts[PROBLEM_ARRAYS][2];
    Diag silent = diag_silent();
    return blockspace_parts(scale->algorithm, instance->p, instance->ports, parts, &silent) &&
           extents_are_even(scale->algorithm->collective->problem, parts, instance->sizes.order);
}

/* Beside a claim, which is then compared. */
static bool can_derive(const Instance *instance)
{
    BlockSpace space;
    Diag silent = diag_silent();
    return instance->p <= MOST_DERIVED && schedule_blocks(instance, &space, &silent);
}

/* Claims are compared where all blocks of an array are alike, and speak of nothing else. Others
   than those that are compared anyway answer only where the schedule is derived beside them. */
static const Claim *find_claim(const ScaleCase *scale, const Instance *instance, bool derives,
                               ClaimPoint *point)
{
    *point = claim_point(&scale->network->shape, 0, 1, instance->ports);
    point->order = instance->sizes.order;
    point->branches = branches_of(instance);
    point->multiply = scale->multiply;
    const Claim *claim = is_even(scale, instance) ? claim_find(scale->algorithm, scale->network,
                                                               point, scale->rules, false)
                                                  : NULL;
    return claim && (derives || claim_is_compared(claim, scale->algorithm, scale->network)) ? claim
                                                                                            : NULL;
}

const Claim *scale_claim(const ScaleCase *scale, int64_t n)
{
    ClaimPoint point;
    Instance instance = scale_instance(scale, n);
    return find_claim(scale, &instance, false, &point);
}

double scale_work_power(const ScaleCase *scale)
{
    enum { SMALL = 64, LARGE = 128 };
    const Problem *problem = scale->algorithm->collective->problem;
    double small, large;
    return problem_try_work(problem, SMALL, &small) && problem_try_work(problem, LARGE, &large)
               ? log2(large / small)
               : NAN;
}

/* A claim's time is a sum of terms, each with one parameter. */
static bool claim_parts(const ScaleCase *scale, const Claim *claim, const ClaimPoint *point,
                        CostParts *parts, Diag *diag)
{
    double seconds[PARAMETER_COUNT + 1];
    for (int i = 0; i <= PARAMETER_COUNT; i++) {
        ClaimPoint alone = *point;
        double parameters[PARAMETER_COUNT] = {0};
        if (i < PARAMETER_COUNT) {
            alone.multiply = 0;
            parameters[i] = scale->rules->parameters[i];
        }
        if (!claim_seconds(claim, &alone, parameters, &scale->element, 1, &seconds[i], diag))
            return false;
    }
    *parts = (CostParts){.startup = seconds[PARAMETER_TS],
                         .hop = seconds[PARAMETER_TH],
                         .transfer = seconds[PARAMETER_TW],
                         .compute = seconds[PARAMETER_TC] + seconds[PARAMETER_COUNT]};
    return true;
}

static CostParts derived_parts(const ScaleCase *scale, const Profile *profile)
{
    CostParts parts = profile_cost(profile, scale->rules->parameters, scale->element);
    parts.compute += scale->multiply * (double)profile->work;
    return parts;
}

bool scale_point(const ScaleCase *scale, int64_t n, collcost_product *point, Diag *diag)
{
    const Problem *problem = scale->algorithm->collective->problem;
    Instance instance = scale_instance(scale, n);
    ClaimPoint at;
    Profile profile;
    CostParts parts;
    double work;
    const Claim *claim = find_claim(scale, &instance, can_derive(&instance), &at);
    const bool derives = !claim || can_derive(&instance);
    Arena *scratch = arena_create(scale->network->topology->head.workspace);
    *point = (collcost_product){.p = instance.p,
                                .n = n,
                                .rounds = -1,
                                .from_closed_form = claim != NULL,
                                .overhead_work = NAN,
                                .peak_bytes = NAN,
                                .peak_total_bytes = NAN};
    bool good = problem_work(problem, n, &work, diag) &&
                (!derives || profile_derive(scratch, &instance, scale->network, scale->rules,
                                            &profile, diag)) &&
                (!claim || claim_parts(scale, claim, &at, &parts, diag));
    if (good) {
        const CostParts derived = derives ? derived_parts(scale, &profile) : parts;
        const double p = (double)point->p, serial = scale->multiply * work;
        parts = claim ? parts : derived;
        point->startup_s = parts.startup;
        point->hop_s = parts.hop;
        point->transfer_s = parts.transfer;
        point->compute_s = parts.compute;
        point->total_s = cost_total(parts);
        point->speedup = serial > 0 ? serial / point->total_s : NAN;
        point->efficiency = point->speedup / p;
        point->cost_s = p * point->total_s;
        point->overhead_s = point->cost_s - serial;
        const double *weights = operations[scale->counts_loads];
        if (derives) {
            point->rounds = profile.startups;
            point->overhead_work =
                weights[0] * (double)profile.combined + weights[1] * (double)profile.moved;
        }
        if (derives && profile.peak_blocks >= 0) {
            point->peak_bytes = (double)profile.peak_blocks * scale->element;
            point->peak_total_bytes = (double)profile.peak_total * scale->element;
        }
        const double seconds = cost_total(derived);
        if (claim && derives && !(fabs(seconds - point->total_s) <= 1e-9 * seconds))
            good = diag_error(
                diag, claim->formula.text.span,
                "for p = %lld and n = %lld this claim says %.9g s, but the schedule costs %.9g",
                (long long)point->p, (long long)point->n, point->total_s, seconds);
    }
    arena_destroy(scratch);
    return good;
}

bool scale_time(const ScaleCase *scale, int64_t n, double *seconds, Diag *diag)
{
    Instance instance = scale_instance(scale, n);
    ClaimPoint at;
    Profile profile;
    CostParts parts;
    const Claim *claim = find_claim(scale, &instance, false, &at);
    Arena *scratch = arena_create(scale->network->topology->head.workspace);
    bool good = claim ? claim_parts(scale, claim, &at, &parts, diag)
                      : profile_derive_with(scratch, NULL, &instance, scale->network, scale->rules,
                                            false, &profile, diag);
    if (good)
        *seconds = cost_total(claim ? parts : derived_parts(scale, &profile));
    arena_destroy(scratch);
    return good;
}

bool scale_reaches(const ScaleCase *scale, int64_t n, double wanted, bool *reached, Diag *diag)
{
    double seconds, work;
    if (!problem_work(scale->algorithm->collective->problem, n, &work, diag) ||
        !scale_time(scale, n, &seconds, diag))
        return false;
    *reached = scale->multiply * work >= wanted * (double)scale->network->p * seconds;
    return true;
}

/* n rises until it is efficient, then the least such n is found by halving. */
bool scale_order(const ScaleCase *scale, double wanted, int64_t largest, collcost_product *point,
                 int64_t *n, Diag *diag)
{
    int64_t low = 0, high = 1;
    bool reached = false;
    *n = 0;
    for (;; high *= 2) {
        high = high < largest ? high : largest;
        if (!scale_reaches(scale, high, wanted, &reached, diag))
            return false;
        if (reached)
            break;
        if (high == largest)
            return true;
        low = high;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (!scale_reaches(scale, middle, wanted, &reached, diag))
            return false;
        *(reached ? &high : &low) = middle;
    }
    *n = high;
    return scale_point(scale, high, point, diag);
}

/* Down while the efficiency is reached, or up until it is. */
bool scale_even_order(const ScaleCase *scale, double wanted, int64_t near, int64_t *n, Diag *diag)
{
    enum { MOST_STEPS = 16, LARGEST_CUT = 1 << 14 };
    /* The smallest n that is cut evenly; its multiples are, too. 0: there is none. */
    int64_t cut = 0;
    for (int64_t order = 1; order <= LARGEST_CUT && !cut; order++) {
        const Instance instance = scale_instance(scale, order);
        cut = is_even(scale, &instance) ? order : 0;
    }
    int64_t at = cut && near > cut ? near / cut * cut : cut;
    bool reached = false, was_reached = false;
    *n = 0;
    for (int step = 0; step < MOST_STEPS && at > 0; step++) {
        if (!scale_reaches(scale, at, wanted, &reached, diag))
            return false;
        if (reached)
            *n = at;
        if (step > 0 && reached != was_reached)
            break;
        was_reached = reached;
        at += reached ? -cut : cut;
    }
    return true;
}

/* Of one rank in each round. */
ARRAY_TYPE(ProductArray, ScheduledProduct);

struct LeastTime {
    Arena *arena;
    const ScaleCase *scale;
    double most;
    bool is_known;
    int64_t rounds;
    BlockSpace space;
    IntArray sent; /* blocks */
    ProductArray products;
};

static double startups(const LeastTime *least)
{
    return (double)least->rounds * least->scale->rules->parameters[PARAMETER_TS];
}

static bool take_round(void *context, const Round *round, Arena *arena)
{
    LeastTime *least = context;
    (void)arena;
    least->rounds = round->number + 1;
    /* The message of the most blocks: others may have more elements, but none is needed. */
    const ScheduledTransfer *longest = NULL;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (!transfer_is_local(transfer) &&
            (!longest || transfer->block_count > longest->block_count))
            longest = transfer;
    }
    for (size_t b = 0; longest && b < longest->block_count; b++)
        *ARRAY_PUSH(least->arena, &least->sent) = round->blocks[longest->first_block + b];
    /* Of the rank that comes first. */
    for (size_t i = 0; i < round->product_count; i++)
        if (round->products[i].rank == round->products[0].rank)
            *ARRAY_PUSH(least->arena, &least->products) = round->products[i];
    return startups(least) <= least->most;
}

LeastTime *least_time_open(Arena *arena, const ScaleCase *scale, double most)
{
    LeastTime *least = ARENA_NEW(arena, LeastTime);
    const Instance instance = scale_instance(scale, scale->network->p);
    Diag silent = diag_silent();
    *least = (LeastTime){.arena = arena, .scale = scale, .most = most};
    /* Does each message cost at least a startup and its bytes, whatever else there is? */
    const Rules *rules = scale->rules;
    if (!(rules_are_usual(rules) && !rules->protocols && rules->level_count == 0 &&
          scale->network->class_count == 1 &&
          rules_loosest_posting(rules, scale->algorithm) < POSTING_TOGETHER) ||
        !schedule_blocks(&instance, &least->space, &silent))
        return least;
    const bool is_whole = schedule_expand(&instance, take_round, least, &silent);
    least->is_known = is_whole || startups(least) > most;
    return least;
}

double least_time_seconds(const LeastTime *least, int64_t n)
{
    const double *parameters = least->scale->rules->parameters;
    Extents extents;
    double sent = 0, work = 0;
    if (!least->is_known || !extents_try(&least->space, n, &extents))
        return 0;
    for (size_t i = 0; i < least->sent.count; i++)
        sent += (double)extents_elements(&extents, least->sent.items[i]);
    for (size_t i = 0; i < least->products.count; i++)
        work += (double)extents_work(&extents, &least->products.items[i]);
    return startups(least) + sent * least->scale->element * parameters[PARAMETER_TW] +
           work * least->scale->multiply;
}
