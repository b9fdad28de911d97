#include "study/check_cost.h"

#include "base/random.h"
#include "claims/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

/* Schedules that were run on data and found right, remembered as long as the library: a session
   asks for the same ones line after line. */

/* Each is kept in one place, which follows from what it is, until another one comes there. */
enum { PLACES = 1 << 10 };

/* A shape, and a composition by the text of its stages, is known by its hash: these may live in a
   line, and are long. */
typedef struct {
    uint64_t algorithm; /* 0: the place is free */
    int64_t root, k, ports, target, branches;
    uint64_t shape;
} Place;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return random_hash(hash ^ value);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (const char *c = text; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    return hash;
}

static Place describe(const Instance *of)
{
    Place place;
    memset(&place, 0, sizeof place); /* they are compared byte by byte */
    place.algorithm =
        of->algorithm->composed ? mix_text(1, of->algorithm->composed) : (uintptr_t)of->algorithm;
    place.root = of->root, place.target = of->target;
    place.k = of->k, place.branches = of->branches;
    place.ports = of->ports;
    place.shape = mix((uint64_t)of->shape->p, (uint64_t)of->shape->count);
    for (int i = 0; i < of->shape->count; i++)
        place.shape =
            mix_text(mix(place.shape, (uint64_t)of->shape->sizes[i]), of->shape->names[i]);
    return place;
}

static size_t place_of(const Place *place)
{
    uint64_t hash = mix(place->algorithm, (uint64_t)place->root);
    hash = mix(hash, (uint64_t)place->k);
    hash = mix(mix(hash, (uint64_t)place->ports), (uint64_t)place->target);
    hash = mix(hash, (uint64_t)place->branches);
    return (size_t)(mix(hash, place->shape) % PLACES);
}

/* Was this one found right before? Takes the same time however much is remembered. */
static bool checked_is_known(const Study *study, const Instance *instance)
{
    Arena *arena;
    const Place *places = *library_findings(study->library, &arena);
    if (!places || study->parts.count)
        return false;
    Place wanted = describe(instance);
    return memcmp(&places[place_of(&wanted)], &wanted, sizeof wanted) == 0;
}

/* Ranks times chunks, and ranks, up to which an audit is a matter of milliseconds; on more, it is
   made on so few ranks. */
enum { MOST_WORK = 4096, MOST_RANKS = 128, FEW_RANKS = 64 };

bool check_closed(const Study *study, const ClosedForm *closed, double k, const Network *network,
                  double bytes, double derived)
{
    double claimed;
    if (!closed_seconds(closed, k, study->rules.parameters, bytes, &claimed, study->diag))
        return false;
    if (fabs(claimed - derived) <= 1e-12 * fabs(derived))
        return true;
    const bool outer = diag_begin_trial(study->diag);
    diag_error(study->diag, closed_span(closed),
               "this claim does not hold: %s claimed, %s derived from the schedule for %s, %s",
               quantity_show_time(study->arena, claimed), quantity_show_time(study->arena, derived),
               network->name, quantity_show_bytes(study->arena, bytes));
    diag_end_trial(study->diag, outer);
    return false;
}

/* Runs the schedule on data, unless that was done before. */
static CostCheck check_schedule(const Study *study, const Instance *instance)
{
    if (instance->p > MOST_RANKS || instance->k > MOST_WORK / instance->p)
        return COST_TOO_LARGE;
    if (checked_is_known(study, instance))
        return COST_GOOD;
    size_t errors = study->diag->error_count;
    Verification result = verify_schedule(study->arena, instance, study->diag);
    if (!result.right && result.failure.text) {
        const bool outer = diag_begin_trial(study->diag);
        diag_error(study->diag, result.failure.span, "%s", result.failure.text);
        diag_note(study->diag, instance->algorithm->head.span, "so %s is wrong",
                  algorithm_full_name(study->arena, instance->algorithm));
        diag_end_trial(study->diag, outer);
    }
    if (!result.right)
        return result.on_data || study->diag->error_count > errors ? COST_WRONG : COST_TOO_LARGE;
    /* algorithms with other parts live in a line: the next one may lie there */
    if (study->parts.count)
        return COST_GOOD;
    Arena *arena;
    void **findings = library_findings(study->library, &arena);
    if (!*findings)
        *findings = ARENA_ARRAY(arena, Place, PLACES);
    const Place place = describe(instance); /* perhaps in the place of another one */
    ((Place *)*findings)[place_of(&place)] = place;
    return COST_GOOD;
}

/* The stages of a composition are right by themselves; that they fit together shows on few ranks.
 */
static CostCheck check_smaller(const Study *study, const Instance *instance)
{
    Shape shape = *instance->shape;
    Instance smaller = *instance;
    if (!instance->algorithm->composed)
        return COST_TOO_LARGE;
    /* Halves the longest dimension until there are few ranks, or none can be halved. */
    while (shape.p > FEW_RANKS) {
        int longest = 0;
        for (int i = 1; i < shape.count; i++)
            if (shape.sizes[i] > shape.sizes[longest])
                longest = i;
        int64_t size = shape.sizes[longest];
        if (size < 4)
            break;
        shape.p = shape.p / size * (size / 2);
        shape.sizes[longest] = size / 2;
    }
    if (shape.p > MOST_RANKS || !schedule_try(instance->algorithm, &shape, instance->ports))
        return COST_TOO_LARGE;
    smaller.shape = &shape, smaller.p = shape.p;
    smaller.root = instance->root % shape.p;
    smaller.k = instance->k < MOST_WORK / shape.p ? instance->k : MOST_WORK / shape.p;
    CostCheck found = check_schedule(study, &smaller);
    return found == COST_GOOD ? COST_SMALLER : found;
}

CostCheck check_cost(const Study *study, const Instance *asked, const Network *network,
                     double bytes, const ClosedForm *closed, CheckEffort effort)
{
    Instance instance = *asked;
    if (effort == CHECK_ONCE && !study->chosen.k) {
        /* A power of two, or one more, of the size of k. */
        int64_t power = 1;
        while (power <= asked->k / 2)
            power *= 2;
        instance.k = power > 1 ? power + asked->k % 2 : 1;
    }
    if (effort == CHECK_ONCE && checked_is_known(study, &instance))
        return COST_GOOD;
    Study passing = *study;
    passing.arena = arena_scratch(study->arena);
    CostCheck found = check_schedule(&passing, &instance);
    if (found == COST_TOO_LARGE)
        found = check_smaller(&passing, &instance);
    else if (found == COST_GOOD && closed && effort == CHECK_EACH) {
        const Rules *rules = &study->rules;
        Profile profile;
        if (!profile_derive(passing.arena, &instance, network, rules, &profile, study->diag) ||
            !check_closed(&passing, closed, (double)instance.k, network, bytes,
                          cost_total(profile_cost(&profile, rules->parameters, bytes))))
            found = COST_WRONG;
    }
    arena_destroy(passing.arena);
    return found;
}

void instances_list(Arena *arena, const Instance *of, InstanceArray *instances)
{
    const Algorithm *algorithm = of->algorithm;
    int64_t targets[4], orders[VERDICT_ORDERS];
    VerdictChoice choices[VERDICT_CHOICES];
    const int order_count = verdict_orders(algorithm->collective->problem != NULL, orders);
    const int choice_count = verdict_choices(arena, algorithm, of->shape, of->ports, choices);
    const int target_count = verdict_roots(algorithm->collective->targeted, of->p, targets);
    for (int i = 0; i < order_count * target_count * choice_count; i++) {
        Instance *instance = ARRAY_PUSH(arena, instances);
        *instance = *of;
        instance->k = choices[i % choice_count].k;
        instance->branches = choices[i % choice_count].branches;
        instance->target = targets[i / choice_count % target_count];
        instance->sizes.order = orders[i / choice_count / target_count];
    }
}

const char *smoke_run(const Study *study, const Algorithm *algorithm, int64_t most,
                      CombiningOrder *order)
{
    ShapeArray shapes = {0};
    InstanceArray instances = {0};
    *order = ORDER_OF_RANKS;
    for (int64_t p = 1; p <= most; p++)
        shapes_list(study->arena, algorithm, p, &shapes);
    for (size_t s = 0; s < shapes.count; s++) {
        const Shape *shape = &shapes.items[s];
        int64_t roots[4];
        const int root_count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
        instances.count = 0;
        if (!schedule_allows(algorithm, shape, study->rules.ports, NULL, study->diag))
            continue;
        for (int r = 0; r < root_count; r++) {
            const Instance of = {.algorithm = algorithm,
                                 .p = shape->p,
                                 .root = roots[r],
                                 .ports = study->rules.ports,
                                 .shape = shape};
            instances_list(study->arena, &of, &instances);
        }
        for (size_t i = 0; i < instances.count; i++) {
            Diag quiet = diag_silent();
            const Verification found = verify_schedule(
                study->arena, &instances.items[i], algorithm->expect_wrong ? &quiet : study->diag);
            const CombiningOrder here = found.in_rank_order            ? ORDER_OF_RANKS
                                        : instances.items[i].root == 0 ? ORDER_NONE
                                                                       : ORDER_AT_ROOT_0;
            *order = here > *order ? here : *order;
            if (!found.right)
                return found.failure.text ? found.failure.text : "it cannot be run";
        }
    }
    return NULL;
}
