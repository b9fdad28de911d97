#include "claims/verdicts.h"

#include "claims/compare.h"
#include "claims/grid.h"
#include "cost/closed.h"

/* The sum, if it is one of stages: a form of one term can be a claim of the algorithm's own. */
static bool find_sum(const Judge *judge, const Instance *instance, const Place *place,
                     ClosedForm *form)
{
    const ClaimList *own = &judge->subject.algorithm->claims.list;
    Rules rules = place->rules;
    for (int i = 0; i < PARAMETER_COUNT; i++) /* each counts */
        rules.parameters[i] = 1;
    *form = closed_find(judge->scratch, instance, place->network, &rules, false, false);
    return form->count && !(own->count && form->items[0].claim >= own->items &&
                            form->items[0].claim < own->items + own->count);
}

/* Neither side has a parameter that the other lacks. */
static void compare_sum(const Trial *trial, const ClosedForm *form, const Profile *profile)
{
    const Place *place = trial->place;
    Exact claimed[VECTOR_COUNT], found[VECTOR_COUNT];
    bool equal = true;
    for (int v = 0; v < place->vector_count; v++) {
        found[v] = profile_time_exact(profile, &place->vectors[v], place->sizes[v]);
        equal &=
            closed_exact(form, place->point.k, &place->vectors[v], place->sizes[v], &claimed[v]) &&
            exact_equal(claimed[v], found[v]);
    }
    trial->verdict->cases += place->vector_count;
    if (!equal)
        judge_refute(trial, judge_show_coefficients(trial->judge, place, claimed), "derived",
                     judge_show_coefficients(trial->judge, place, found));
}

static bool judge_modes(Judge *judge, Place *place, Verdict *verdict)
{
    const Instance instance = judge_instance(judge, place);
    bool good = true;
    judge_set_vectors(place);
    for (int mode = 0; mode < 2 && good && verdict->holds; mode++) {
        ArenaMark mark = arena_mark(judge->scratch);
        ClosedForm form;
        Profile profile;
        place->rules = (Rules){.ports = 1, .switching = (Switching)mode};
        if ((mode == 0 || !judge_has_one_mode(judge, place)) &&
            find_sum(judge, &instance, place, &form)) {
            good = profile_derive(judge->scratch, &instance, place->network, &place->rules,
                                  &profile, judge->diag);
            if (good)
                compare_sum(&(Trial){judge, NULL, verdict, place}, &form, &profile);
        }
        arena_release(judge->scratch, mark);
    }
    return good;
}

static bool judge_shape(Judge *judge, const Topology *topology, const Shape *shape,
                        Verdict *verdict)
{
    const Algorithm *algorithm = judge->subject.algorithm;
    int64_t roots[4];
    VerdictChoice choices[VERDICT_CHOICES];
    Network network;
    Place place = {
        .topology = topology->head.name, .network = &network, .point = claim_point(shape, 0, 1, 1)};
    const size_t errors = judge->diag->error_count;
    if (!schedule_allows(algorithm, shape, 1, NULL, judge->diag))
        return judge->diag->error_count == errors;
    if (!contract_buffer_blocks(algorithm->collective, shape->p, &place.point.buffer_blocks,
                                judge->diag))
        return false;
    if (!network_try(judge->scratch, topology, shape, TIES_PLUS, &network))
        return true; /* a topology need not make a network of every size */
    int root_count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
    int count = verdict_choices(judge->scratch, algorithm, shape, 1, choices);
    for (int i = 0; i < root_count * count; i++) {
        place.point.root = roots[i / count];
        place.point.k = choices[i % count].k;
        place.point.branches = choices[i % count].branches;
        if (!judge_modes(judge, &place, verdict))
            return false;
    }
    return true;
}

bool stages_judge(const VerdictQuestion *asked, Verdict *verdict)
{
    const Algorithm *algorithm = asked->subject.algorithm;
    Library *library = asked->library;
    Judge judge = {.arena = asked->arena,
                   .scratch = arena_scratch(asked->arena),
                   .library = library,
                   .subject = asked->subject,
                   .collective = algorithm->collective,
                   .grid = asked->grid,
                   .diag = asked->diag};
    /* Only what is made of uses, each behind the one before, can have such a sum. */
    bool are_uses =
        algorithm->step_count > 0 && !algorithm->pipelined && !algorithm->collective->problem;
    for (size_t i = 0; i < algorithm->step_count; i++)
        are_uses &= algorithm->steps[i].kind == STEP_USE;
    size_t count = are_uses ? library_entry_count(library) : 0;
    bool good = true;
    *verdict = (Verdict){.holds = true};
    for (size_t i = 0; i < count && good; i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->kind != KIND_TOPOLOGY)
            continue;
        const Topology *topology = library_load(library, entry, asked->diag);
        if (!topology) {
            good = false;
            break;
        }
        ShapeArray shapes = {0};
        ArenaMark mark = arena_mark(judge.scratch);
        verdict_shapes(judge.scratch, topology, algorithm, asked->grid->largest_p, &shapes);
        for (size_t n = 0; n < shapes.count && good && verdict->holds; n++) {
            ArenaMark inner = arena_mark(judge.scratch);
            good = judge_shape(&judge, topology, &shapes.items[n], verdict);
            arena_release(judge.scratch, inner);
        }
        arena_release(judge.scratch, mark);
    }
    arena_destroy(judge.scratch);
    return good;
}
