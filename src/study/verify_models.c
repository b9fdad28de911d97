#include "study/verify_models.h"
#include "base/watch.h"
#include "claims/grid.h"
#include "claims/verdicts.h"
#include "study/check_cost.h"
#include "verify/verify.h"

/* Is a model usable at all? What can only be said of numbers of ranks is tried for some of them. */

/* Numbers of ranks that are tried; up to which a topology's own number is laid out; and up to which
   all pairs of ranks are routed. */
enum { MOST_TRIED = 16, MOST_LAID_OUT = 4096, MOST_PAIRED = 64 };

/* Is there a network of p ranks? It is reported to `refusals` why not, and to `diag` where messages
   go astray; then *good is false. */
static bool try_ranks(Arena *arena, const Topology *topology, int64_t p, bool *good, Diag *refusals,
                      Diag *diag)
{
    Network network;
    if (!topology_has_shape(topology, p))
        return false;
    Shape shape = topology_shape(topology, p);
    if (!network_create(arena, topology, &shape, TIES_PLUS, &network, refusals))
        return false;
    if (p > MOST_PAIRED || topology->direct)
        return true;
    const size_t ranks = (size_t)p;
    size_t count = 0;
    int64_t *from = ARENA_ROOM(arena, int64_t, ranks * ranks);
    int64_t *to = ARENA_ROOM(arena, int64_t, ranks * ranks);
    Routes routes;
    for (size_t pair = 0; pair < ranks * ranks; pair++) {
        from[count] = (int64_t)(pair / ranks);
        to[count] = (int64_t)(pair % ranks);
        count += from[count] != to[count];
    }
    *good = count == 0 || network_route(&network, arena, count, from, to, &routes, diag);
    return true;
}

/* Its links make a network for some number of ranks (or for its own), and there all messages
   arrive. False after reports. */
static bool model_check_topology(Arena *arena, const Topology *topology, Diag *diag)
{
    Diag silent = diag_silent();
    bool any = false, good = true;
    int64_t first = topology->ranks ? topology->ranks : 2, refused = 0;
    int64_t last = topology->ranks ? topology->ranks : MOST_TRIED;
    if (first > MOST_LAID_OUT)
        return true;
    for (int64_t p = first; p <= last && good; p++) {
        size_t errors = silent.error_count;
        Arena *scratch = arena_scratch(arena);
        any |= try_ranks(scratch, topology, p, &good, &silent, diag);
        refused = refused == 0 && silent.error_count > errors ? p : refused;
        arena_destroy(scratch);
    }
    if (any || refused == 0)
        return good;
    try_ranks(arena, topology, refused, &good, diag, diag);
    return false;
}

/* Its blocks make sense for some number of ranks. False after reports. */
static bool model_check_collective(Arena *arena, const Collective *collective, Diag *diag)
{
    Diag silent = diag_silent();
    Contract contract;
    for (int64_t p = 2; p <= MOST_TRIED / 2; p++) {
        Arena *scratch = arena_scratch(arena);
        bool good = contract_create(scratch, collective, p, 0, p - 1, &contract, &silent);
        arena_destroy(scratch);
        if (good || silent.limit_count)
            return true;
    }
    return contract_create(arena, collective, 2, 0, 1, &contract, diag);
}

ARRAY_TYPE(Runs, collcost_run);
ARRAY_TYPE(JudgedClaims, collcost_claim);
ARRAY_TYPE(VerifiedModels, collcost_verified);

typedef struct {
    const Study *study;
    const VerifyTask *task;
    IntArray ranks; /* the task's, or the default ones */
    Runs runs;
    JudgedClaims claims;
    VerifiedModels models;
    int64_t passed, failed;
    bool too_large; /* some run could not be made: there is no verdict on the data */
    int64_t ports;  /* of each rank: of the rules, or more where an algorithm requires them */
} Verifier;

/* So many numbers of ports are tried for an algorithm. */
enum { MORE_PORTS = 3 };

/* Runs one schedule for each target, order, number of chunks and of branches; the first that fails
   is the result. */
static collcost_run run_root(Verifier *verifier, const Algorithm *algorithm, const Shape *shape,
                             int64_t root, const Weights *weights)
{
    const Study *study = verifier->study;
    const int64_t ports = study->rules.all_ports ? shape->p - (shape->p > 1) : verifier->ports;
    const Instance of = {.algorithm = algorithm,
                         .p = shape->p,
                         .root = root,
                         .ports = ports,
                         .shape = shape,
                         .sizes.weights = weights};
    InstanceArray instances = {0};
    instances_list(study->arena, &of, &instances);
    collcost_run run = {.model = algorithm_full_name(study->arena, algorithm),
                        .grid = shape->count > 1 ? shape_describe(study->arena, shape) : NULL,
                        .p = shape->p,
                        .root = root,
                        .is_right = true,
                        .detail = ""};
    for (size_t i = 0; i < instances.count && run.is_right; i++) {
        Diag quiet = diag_silent();
        bool expected = algorithm->expect_wrong;
        Diag *diag = expected ? &quiet : study->diag;
        size_t limits = diag->limit_count;
        Verification found = verify_schedule(study->arena, &instances.items[i], diag);
        run.is_right = found.right;
        verifier->too_large |= diag->limit_count > limits;
        if (found.right)
            continue;
        verifier->too_large |= !found.on_data && !found.failure.text;
        run.detail = found.failure.text ? found.failure.text
                     : found.on_data    ? "the schedule cannot be expanded"
                                        : "too large to run on data";
        if (shape->count != 1)
            run.detail = arena_printf(study->arena, "%s, on %s", run.detail,
                                      shape_describe(study->arena, shape));
        Span step = found.failure.span;
        if (!expected)
            diag_error(study->diag, step.source ? step : algorithm->head.span, "%s", run.detail);
    }
    return run;
}

/* Runs all roots on one shape, until one is wrong. */
static bool run_shape(Verifier *verifier, const Algorithm *algorithm, const Shape *shape,
                      collcost_verified *model, Refusal *refusal)
{
    const Study *study = verifier->study;
    int64_t roots[4];
    size_t errors = study->diag->error_count;
    bool allowed = schedule_allows(algorithm, shape, verifier->ports, refusal, study->diag);
    if (study->diag->error_count > errors)
        return false;
    int count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
    const Weights *weights = NULL;
    if (allowed && study->weights.text.length) {
        weights = weights_find(study->arena, &study->weights, algorithm->collective, shape->p,
                               study->diag);
        if (!weights)
            return false;
    }
    for (int r = 0; allowed && r < count && !model->wrong_runs; r++) {
        collcost_run run = run_root(verifier, algorithm, shape, roots[r], weights);
        *ARRAY_PUSH(study->arena, &verifier->runs) = run;
        model->runs++;
        model->wrong_runs += !run.is_right;
    }
    return true;
}

static bool run_algorithm(Verifier *verifier, const Algorithm *algorithm, collcost_verified *model)
{
    const Study *study = verifier->study;
    ShapeArray shapes = verifier->task->shapes;
    Refusal refusal = {0};
    for (size_t i = 0; verifier->task->shapes.count == 0 && i < verifier->ranks.count; i++)
        shapes_list(study->arena, algorithm, verifier->ranks.items[i], &shapes);
    const int64_t ports = study->rules.ports;
    for (verifier->ports = ports; verifier->ports < ports + MORE_PORTS; verifier->ports++) {
        for (size_t i = 0; i < shapes.count && !model->wrong_runs; i++)
            if (!run_shape(verifier, algorithm, &shapes.items[i], model, &refusal))
                return false;
        if (model->runs || !algorithm->reads_ports)
            break;
    }
    if (model->runs == 0 && verifier->task->warns)
        diag_warning(study->diag, NOWHERE, "%s was not run: %s", model->model,
                     shapes.count ? schedule_explain(study->arena, &refusal)
                                  : "no grid of that many ranks suits it");
    bool as_expected = algorithm->expect_wrong == (model->wrong_runs > 0);
    if (algorithm->expect_wrong && !as_expected)
        diag_error(study->diag, algorithm->head.span,
                   "this algorithm is expected to be wrong, but no run found a fault");
    verifier->passed += algorithm->expect_wrong ? as_expected : model->runs - model->wrong_runs;
    verifier->failed += algorithm->expect_wrong ? !as_expected : model->wrong_runs;
    return true;
}

/* A claim with its verdict, from so many cases. Is it as the model records it? */
static bool add_claim(Verifier *verifier, collcost_claim claim, int64_t cases,
                      collcost_verified *model)
{
    bool as_recorded = claim.holds == claim.recorded;
    claim.model = model->model;
    *ARRAY_PUSH(verifier->study->arena, &verifier->claims) = claim;
    model->hold += claim.holds;
    model->refuted += !claim.holds;
    model->compared += cases;
    verifier->passed += as_recorded;
    verifier->failed += !as_recorded;
    return as_recorded;
}

/* The largest number of ranks that is tried, but no more than by default. */
static int64_t largest_judged(const Verifier *verifier)
{
    int64_t largest = 1;
    for (size_t i = 0; i < verifier->ranks.count; i++)
        if (verifier->ranks.items[i] > largest)
            largest = verifier->ranks.items[i];
    for (size_t i = 0; i < verifier->task->shapes.count; i++)
        if (verifier->task->shapes.items[i].p > largest)
            largest = verifier->task->shapes.items[i].p;
    return largest < VERIFY_RANKS ? largest : VERIFY_RANKS;
}

static void add_verdicts(Verifier *verifier, const ClaimList *claims, const Verdict *verdicts,
                         collcost_verified *model)
{
    const Study *study = verifier->study;
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->items[i];
        if (verdicts[i].cases == 0) {
            /* What was not tried neither holds nor is refuted. With fewer ranks than by default
               that is to be expected of claims about more. */
            if (verifier->task->warns && largest_judged(verifier) == VERIFY_RANKS)
                diag_warning(
                    verifier->study->diag, claim->span,
                    "this claim was not compared: up to p = %d no case that can run meets its "
                    "conditions",
                    VERIFY_RANKS);
            continue;
        }
        collcost_claim judged = {.source = claim->source,
                                 .on = claim->on,
                                 .on_count = claim->on_count,
                                 .holds = verdicts[i].holds,
                                 .recorded = !claim->recorded_refuted,
                                 .counterexample = verdicts[i].counterexample,
                                 .verdict = verdict_words(study->arena, &verdicts[i])};
        if (add_claim(verifier, judged, verdicts[i].cases, model))
            continue;
        diag_error(study->diag, claim->span, "this claim is recorded to %s, but it %s",
                   claim->recorded_refuted ? "be refuted" : "hold",
                   verdicts[i].holds ? "holds" : "does not");
        if (verdicts[i].counterexample)
            diag_note(study->diag, claim->formula.text.span, "%s", verdicts[i].counterexample);
    }
}

static bool judge_up_to(const Study *study, const VerdictSubject *subject, int64_t largest,
                        Verdict *verdicts)
{
    const VerdictGrid grid = verdict_grid_up_to(largest);
    const VerdictQuestion asked = {study->arena, study->library, *subject, &grid, study->diag};
    return verdicts_find(&asked, verdict_claims(subject), verdicts) &&
           verdicts_find_lacking(&asked, verdict_claims(subject), verdicts);
}

/* Where the claims about the stages of an algorithm give its cost, their sum is a claim about it.
 */
static bool judge_stages(Verifier *verifier, const VerdictSubject *subject,
                         collcost_verified *model)
{
    const Study *study = verifier->study;
    const VerdictGrid grid = verdict_grid_up_to(largest_judged(verifier));
    const VerdictQuestion asked = {study->arena, study->library, *subject, &grid, study->diag};
    Verdict verdict;
    if (!stages_judge(&asked, &verdict))
        return false;
    if (verdict.cases == 0)
        return true;
    collcost_claim sum = {.source = "the claims about its stages, added up",
                          .holds = verdict.holds,
                          .recorded = true,
                          .counterexample = verdict.counterexample,
                          .verdict = verdict_words(study->arena, &verdict)};
    if (!add_claim(verifier, sum, verdict.cases, model)) {
        diag_error(study->diag, subject->algorithm->head.span,
                   "the claims about its stages do not add up to its cost");
        diag_note(study->diag, NOWHERE, "%s", verdict.counterexample);
    }
    return true;
}

static bool verify_entry(Verifier *verifier, const ModelEntry *entry)
{
    const Study *study = verifier->study;
    VerdictSubject subject = {0};
    const void *loaded = library_load(study->library, entry, study->diag);
    bool judged = loaded != NULL;
    if (loaded && entry->kind == KIND_ALGORITHM) {
        subject.algorithm = parts_apply(study, loaded);
        judged = subject.algorithm != NULL;
    } else if (loaded && entry->kind == KIND_COLLECTIVE) {
        subject.collective = loaded;
        judged = model_check_collective(study->arena, loaded, study->diag);
    } else if (loaded && entry->kind == KIND_TOPOLOGY) {
        subject.topology = loaded;
        judged = model_check_topology(study->arena, loaded, study->diag);
    }
    if (!judged)
        return false;
    if (!subject.algorithm && !subject.collective &&
        !(subject.topology && subject.topology->claims.list.count))
        return true;
    collcost_verified model = {.model = entry->name};
    if (subject.algorithm) {
        model.model = algorithm_full_name(study->arena, subject.algorithm);
        if (!run_algorithm(verifier, subject.algorithm, &model))
            return false;
    }
    const ClaimList *claims = verdict_claims(&subject);
    Verdict *verdicts = ARENA_ARRAY(study->arena, Verdict, claims->count + 1);
    /* claims are about blocks that are all alike */
    if (!study->weights.text.length && !model.wrong_runs) {
        /* A claim that is recorded to be refuted may well hold for few ranks: its counterexample is
           then sought among all that are tried by default. */
        const int64_t largest = largest_judged(verifier);
        bool too_few = false;
        judged = claims->count == 0 || judge_up_to(study, &subject, largest, verdicts);
        for (size_t i = 0; i < claims->count && judged; i++)
            too_few |= verdicts[i].holds && claims->items[i].recorded_refuted;
        if (too_few && largest < VERIFY_RANKS)
            judged = judge_up_to(study, &subject, VERIFY_RANKS, verdicts);
        if (judged)
            add_verdicts(verifier, claims, verdicts, &model);
        if (judged && subject.algorithm)
            judged = judge_stages(verifier, &subject, &model);
    }
    *ARRAY_PUSH(study->arena, &verifier->models) = model;
    return judged && !verifier->too_large;
}

bool verify_models(const Study *study, const VerifyTask *task, collcost_verification *found)
{
    Verifier verifier = {.study = study, .task = task, .ranks = task->ranks};
    const ModelEntries *entries = &task->entries;
    /* Is every part of the study used by one of the algorithms? */
    AlgorithmArray algorithms = {0};
    for (size_t i = 0; i < entries->count && study->parts.count; i++) {
        if (entries->items[i]->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(study->library, entries->items[i], study->diag);
        if (!algorithm)
            return false;
        *ARRAY_PUSH(study->arena, &algorithms) = algorithm;
    }
    if (!parts_check(study, &algorithms))
        return false;
    bool by_default = task->ranks.count == 0 && task->shapes.count == 0;
    for (int64_t p = 1; by_default && p <= VERIFY_RANKS; p++)
        *ARRAY_PUSH(study->arena, &verifier.ranks) = p;
    for (size_t i = 0; i < entries->count; i++) {
        if (entries->count > 1)
            watch_step(study->arena, entries->items[i]->name, (int64_t)i, (int64_t)entries->count);
        if (!verify_entry(&verifier, entries->items[i]))
            return false;
    }
    *found = (collcost_verification){
        .runs = verifier.runs.items,
        .run_count = verifier.runs.count,
        .claims = verifier.claims.items,
        .claim_count = verifier.claims.count,
        .models = verifier.models.items,
        .model_count = verifier.models.count,
        .passed = verifier.passed,
        .failed = verifier.failed,
    };
    return true;
}
