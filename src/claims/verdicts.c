#include "claims/verdicts.h"

#include "claims/compare.h"
#include "claims/grid.h"
#include "cost/derive_memo.h"
#include "model/proved.h"
#include "net/measure.h"
#include "sched/rotation.h"

enum { LARGEST_P_OTHER_PORTS = 17, LARGEST_P_LIMIT = 17 };

/* The time for k chunks, ts = th = 0, is L + C / k if three values of k agree on L and C. */
typedef struct {
    Profile at_8, at_16, at_32;
} LimitProfiles;

static Exact extrapolate(const Profile *at_k, const Profile *at_2k,
                         const ExactParameters *parameters, Exact size)
{
    Exact twice = exact_multiply(exact_from_int(2), profile_time_exact(at_2k, parameters, size));
    return exact_subtract(twice, profile_time_exact(at_k, parameters, size));
}

static Exact limit_truth(const void *context, const ExactParameters *parameters, Exact size)
{
    const LimitProfiles *profiles = context;
    ExactParameters rates = *parameters;
    rates.parameters[PARAMETER_TS] = rates.parameters[PARAMETER_TH] = exact_from_int(0);
    Exact first = extrapolate(&profiles->at_8, &profiles->at_16, &rates, size);
    Exact second = extrapolate(&profiles->at_16, &profiles->at_32, &rates, size);
    return exact_equal(first, second) ? first : exact_from_double(-1);
}

static bool limit_is_tried(const Place *place)
{
    return place->point.k == 1 && place->point.p <= LARGEST_P_LIMIT;
}

static void compare_limit(const Trial *trial)
{
    Judge *judge = trial->judge;
    const Place *place = trial->place;
    LimitProfiles profiles;
    Profile *const targets[3] = {&profiles.at_8, &profiles.at_16, &profiles.at_32};
    if (!limit_is_tried(place))
        return;
    for (int i = 0; i < 3; i++) {
        Instance instance = judge_instance(judge, place);
        instance.k = 8 << i;
        if (!profile_derive(judge->scratch, &instance, place->network, &place->rules, targets[i],
                            judge->diag))
            return;
    }
    judge_compare_times(trial, limit_truth, &profiles, "the derived limit is");
}

/* Is the profile of the place enough, without a look at each round? */
static bool needs_rounds(const Claim *claim)
{
    ClaimNames names = claim_info[claim->kind].names;
    return names == NAMES_ROUND || names == NAMES_SENDER || claim->kind == CLAIM_ROUND_COUNT ||
           claim->kind == CLAIM_TRAFFIC || claim->first.program;
}

static void judge_claim(const Trial *trial, const Profile *profile, const Observation *observation,
                        const Rivals *rivals)
{
    if (observation) {
        judge_rounds(trial, profile, observation);
        return;
    }
    switch (trial->claim->kind) {
    case CLAIM_LIMIT:
        compare_limit(trial);
        break;
    case CLAIM_REACHES:
    case CLAIM_MISSES:
        judge_reached(trial, profile);
        break;
    case CLAIM_PEAK: {
        Exact piece = exact_divide(trial->place->sizes[0], exact_from_int(profile->chunks));
        if (profile->peak_blocks >= 0)
            judge_compare_value(trial, exact_multiply(piece, exact_from_int(profile->peak_blocks)),
                                "");
    } break;
    case CLAIM_PERIOD: {
        const Instance instance = judge_instance(trial->judge, trial->place);
        judge_period(trial, &instance);
        break;
    }
    case CLAIM_BOUND:
        judge_lower_bound(trial, rivals);
        break;
    default:
        judge_compare_times(trial, judge_profile_truth, profile, "derived");
        break;
    }
}

/* The profiles of those modes that are not known yet, from one expansion. */
static bool derive_modes(Judge *judge, const Place *place, const Switching *modes, size_t count,
                         JudgedSchedule *schedule)
{
    Instance instance = judge_instance(judge, place);
    Rules rules[SWITCHING_COUNT];
    PortStepMemo *memos[SWITCHING_COUNT];
    Profile profiles[SWITCHING_COUNT];
    size_t missing = 0;
    for (size_t i = 0; i < count; i++)
        if (!schedule->is_known[modes[i]]) {
            memos[missing] = judge->memos[modes[i]];
            rules[missing++] = verdict_rules(judge->grid, place->point.ports, modes[i]);
        }
    if (missing == 0)
        return true;
    const Derivation of = {.instance = &instance,
                           .network = place->network,
                           .rules = rules,
                           .count = missing,
                           .memos = memos,
                           .wants_peaks = true,
                           .profiles = profiles};
    if (!profiles_derive(judge->scratch, &of, judge->diag))
        return false;
    schedule->is_kept = profiles[0].has_spare_ports && !instance.algorithm->reads_ports;
    for (size_t i = 0; i < missing; i++) {
        schedule->is_known[rules[i].switching] = true;
        schedule->profiles[rules[i].switching] =
            schedule->is_kept ? profile_copy(judge->kept, &profiles[i]) : profiles[i];
    }
    return true;
}

static bool judge_mode(Judge *judge, Place *place, JudgedSchedule *schedule)
{
    Switching mode = place->rules.switching;
    const Rivals *rivals = NULL;
    for (size_t i = 0; i < judge->claims->count; i++) {
        const Claim *claim = &judge->claims->items[i];
        if (!judge_is_open(judge, i, place))
            continue;
        if (claim->kind == CLAIM_BOUND && claim->is_lower && !rivals &&
            !(rivals = rivals_find(judge, place)))
            return false;
        const Observation **observed = &schedule->observed[mode];
        if (needs_rounds(claim) && !*observed) {
            Instance instance = judge_instance(judge, place);
            *observed = rounds_observe(schedule->is_kept ? judge->kept : judge->scratch, &instance,
                                       place, judge->diag);
            if (!*observed)
                return false;
        }
        ArenaMark mark = arena_mark(judge->scratch);
        judge_claim(&(Trial){judge, claim, &judge->verdicts[i], place}, &schedule->profiles[mode],
                    needs_rounds(claim) ? *observed : NULL, rivals);
        arena_release(judge->scratch, mark);
    }
    return true;
}

/* In all of these modes. Where rounds do not depend on ports, and each is one port step, more ports
   change nothing. */
static bool judge_modes(Judge *judge, Place *place, const Switching *modes, size_t count)
{
    const ClaimPoint *point = &place->point;
    JudgedSchedule *known = NULL;
    for (size_t i = 0; i < judge->schedules.count && !known; i++) {
        JudgedSchedule *one = &judge->schedules.items[i];
        if (one->root == point->root && one->target == point->target && one->k == point->k &&
            one->order == point->order && one->branches == point->branches)
            known = one;
    }
    JudgedSchedule fresh = {.root = point->root,
                            .target = point->target,
                            .k = point->k,
                            .order = point->order,
                            .branches = point->branches};
    JudgedSchedule *schedule = known ? known : &fresh;
    if (judge->subject.algorithm && !derive_modes(judge, place, modes, count, schedule))
        return false;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        place->rules.switching = modes[i];
        good = judge_mode(judge, place, schedule);
    }
    if (!known && fresh.is_kept)
        *ARRAY_PUSH(judge->kept, &judge->schedules) = fresh;
    return good;
}

static bool judge_place(Judge *judge, Place *place)
{
    Switching modes[SWITCHING_COUNT];
    int wanted = judge->grid->switching;
    size_t count = 0;
    judge_set_vectors(place);
    for (int mode = 0; mode < 2; mode++) {
        const bool has_one = judge_has_one_mode(judge, place);
        bool has_open_claim = false; /* some are tried on few ranks */
        place->rules = verdict_rules(judge->grid, place->point.ports, (Switching)mode);
        for (size_t i = 0; i < judge->claims->count && !has_open_claim; i++) {
            const ClaimKind kind = judge->claims->items[i].kind;
            has_open_claim = judge_is_open(judge, i, place) &&
                             (kind != CLAIM_PERIOD || period_is_tried(place)) &&
                             (kind != CLAIM_LIMIT || limit_is_tried(place));
        }
        if ((has_one ? mode == 0 : wanted < 0 || wanted == mode) && has_open_claim)
            modes[count++] = (Switching)mode;
    }
    ArenaMark mark = arena_mark(judge->scratch);
    bool good = count == 0 || judge_modes(judge, place, modes, count);
    arena_release(judge->scratch, mark);
    return good;
}

/* The targets tried for the root at hand: those of verdict_roots, and the farthest. */
static int list_targets(const Judge *judge, const Place *place, int64_t targets[5])
{
    int64_t root = place->point.root, farthest = -1;
    targets[0] = -1;
    if (judge->grid->farthest && judge->collective->targeted)
        return network_farthest(place->network, &root, &targets[0]);
    int count = verdict_roots(judge->collective->targeted, place->point.p, targets);
    if (judge->grid->target >= 0) {
        targets[0] = judge->grid->target;
        return judge->grid->target < place->point.p;
    }
    if (judge->collective->targeted && network_farthest(place->network, &root, &farthest))
        targets[count++] = farthest;
    return count;
}

/* All targets, numbers of chunks and of branches for the root at hand. */
static bool judge_root(Judge *judge, Place *place)
{
    int64_t targets[5];
    VerdictChoice choices[VERDICT_CHOICES] = {{1, 0}};
    int target_count = list_targets(judge, place, targets), choice_count = 1;
    place->distances = NULL;
    if (judge->collective->targeted) {
        place->distances = ARENA_ARRAY(judge->scratch, int64_t, (size_t)place->network->node_count);
        network_distances(place->network, judge->scratch, place->point.root, place->distances);
    }
    if (judge->subject.algorithm)
        choice_count = verdict_choices(judge->scratch, judge->subject.algorithm,
                                       &place->network->shape, place->point.ports, choices);
    const bool any_target = judge->collective->targeted && judge->grid->target < 0;
    for (int t = 0; t < target_count; t++)
        for (int i = 0; i < choice_count; i++) {
            if (any_target && targets[t] == place->point.root) /* no message */
                continue;
            place->point.target = targets[t];
            place->point.links = place->distances ? place->distances[targets[t]] : 0;
            place->point.k = choices[i].k;
            place->point.branches = choices[i].branches;
            /* In a problem, orders of which all parts are whole where p divides them. */
            int count = judge->collective->problem ? 3 : 1;
            for (int j = 1; j <= count; j++) {
                place->point.order = judge->collective->problem ? j * place->point.p : 0;
                if (!judge_place(judge, place))
                    return false;
            }
        }
    return true;
}

/* All roots for the ports at hand. */
static bool judge_ports(Judge *judge, Place *place)
{
    const int64_t given = judge->grid->root;
    int64_t roots[4] = {given};
    int root_count = given < place->point.p;
    if (given < 0 || !judge->collective->rooted)
        root_count = verdict_roots(judge->collective->rooted, place->point.p, roots);
    for (int mode = 0; mode < SWITCHING_COUNT; mode++)
        judge->memos[mode] = memo_create(judge->kept);
    if (judge->subject.algorithm &&
        !schedule_allows(judge->subject.algorithm, &place->network->shape, place->point.ports, NULL,
                         judge->diag))
        return true;
    for (int r = 0; r < root_count; r++) {
        place->point.root = roots[r];
        if (!judge_root(judge, place))
            return false;
    }
    return true;
}

static bool judge_network(Judge *judge, Place *place)
{
    const Network *network = place->network;
    const int64_t most = place->point.p > LARGEST_P_OTHER_PORTS ? 2 : 3, given = judge->grid->ports,
                  all = network_degree(network, 0);
    /* As many as every rank has links, if that is more than are tried anyway. */
    bool tries_all = !given && all > most && !network->topology->direct;
    for (int64_t r = 0; tries_all && network->starts && r < network->p; r++)
        tries_all = network_degree(network, r) == all && network_arrivals(network, r) == all;
    for (int64_t ports = given ? given : 1; ports <= (given ? judge->grid->most_ports : most);
         ports++) {
        place->point.ports = ports;
        if (!judge_ports(judge, place))
            return false;
    }
    place->point.ports = all;
    return !tries_all || judge_ports(judge, place);
}

static bool judge_on(Judge *judge, const Topology *topology)
{
    bool good = true, concerned = false;
    const VerdictGrid *grid = judge->grid;
    for (size_t i = 0; i < judge->claims->count; i++)
        concerned |= claim_is_on(&judge->claims->items[i], topology->head.name);
    if (!concerned)
        return true;
    ArenaMark mark = arena_mark(judge->scratch);
    const ShapeArray shapes =
        verdict_grid_shapes(judge->scratch, grid, topology, judge->subject.algorithm);
    for (size_t i = 0; i < shapes.count && good; i++) {
        const Shape *shape = &shapes.items[i];
        if (shape->p < grid->least_p)
            continue;
        ArenaMark inner = arena_mark(judge->scratch);
        Network network;
        Place place = {.topology = topology->head.name,
                       .network = &network,
                       .point = claim_point(shape, 0, 1, 1)};
        place.point.terms = grid->terms;
        ArenaMark kept = arena_mark(judge->kept);
        judge->schedules = (JudgedSchedules){0};
        good = contract_buffer_blocks(judge->collective, shape->p, &place.point.buffer_blocks,
                                      judge->diag) &&
               network_create(judge->scratch, topology, shape, TIES_PLUS, &network, judge->diag) &&
               judge_network(judge, &place);
        arena_release(judge->kept, kept);
        arena_release(judge->scratch, inner);
    }
    arena_release(judge->scratch, mark);
    return good;
}

/* The first mismatch of each claim on the grid. */
static bool find(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts)
{
    Arena *arena = asked->arena;
    const VerdictSubject *subject = &asked->subject;
    const Collective *collective =
        subject->algorithm ? subject->algorithm->collective : subject->collective;
    Judge judge = {.arena = arena,
                   .scratch = arena_scratch(arena),
                   .kept = arena_scratch(arena),
                   .library = asked->library,
                   .subject = *subject,
                   .collective = collective,
                   .claims = claims,
                   .grid = asked->grid,
                   .verdicts = verdicts,
                   .diag = asked->diag};
    for (size_t i = 0; i < claims->count; i++)
        verdicts[i] = (Verdict){.holds = true,
                                .few_error = -1,
                                .many_error = -1,
                                .far_errors = {-1, -1},
                                .switching = -1,
                                .weakness = 1};
    bool good = true;
    size_t topologies = 0; /* of which claims may speak */
    if (!collective)
        judge_topology(&judge);
    else if (asked->grid->on)
        good = judge_on(&judge, asked->grid->on);
    else
        topologies = library_entry_count(asked->library);
    for (size_t i = 0; i < topologies && good; i++) {
        const ModelEntry *entry = library_entry(asked->library, i);
        if (entry->kind != KIND_TOPOLOGY)
            continue;
        const Topology *topology = library_load(asked->library, entry, asked->diag);
        good = topology && judge_on(&judge, topology);
    }
    arena_destroy(judge.kept);
    arena_destroy(judge.scratch);
    return good;
}

/* One rank is a trivial place to fail at. Where that is the first mismatch, the claim is judged
   once more with several ranks. */
static bool look_past_one_rank(const VerdictQuestion *asked, const ClaimList *claims,
                               Verdict *verdicts)
{
    Arena *arena = asked->arena;
    VerdictGrid several = *asked->grid;
    VerdictQuestion once_more = *asked;
    once_more.grid = &several;
    several.least_p = 2;
    ClaimList again = {ARENA_ARRAY(arena, Claim, claims->count + 1), 0};
    Verdict **whose = ARENA_ARRAY(arena, Verdict *, claims->count + 1);
    for (size_t i = 0; i < claims->count; i++)
        if (!verdicts[i].holds && verdicts[i].place.shape.p == 1) {
            whose[again.count] = &verdicts[i];
            again.items[again.count++] = claims->items[i];
        }
    Verdict *found = ARENA_ARRAY(arena, Verdict, again.count + 1);
    if (again.count && !find(&once_more, &again, found))
        return false;
    for (size_t i = 0; i < again.count; i++) {
        Verdict alone = *whose[i];
        if (!found[i].holds || found[i].cases > 0)
            *whose[i] = found[i];
        if (!found[i].holds || found[i].cases == 0)
            continue;
        whose[i]->holds = false;
        whose[i]->fails_alone = true;
        whose[i]->counterexample = alone.counterexample;
        whose[i]->claimed = alone.claimed;
        whose[i]->values = alone.values;
        whose[i]->place = alone.place;
    }
    return true;
}

/* The claims about one way to combine, under its rules. */
static bool find_combining(const VerdictQuestion *asked, const ClaimList *claims, bool overlaps,
                           Verdict *verdicts)
{
    Arena *arena = asked->arena;
    ClaimList some = {ARENA_ARRAY(arena, Claim, claims->count + 1), 0};
    Verdict *found = ARENA_ARRAY(arena, Verdict, claims->count + 1);
    VerdictGrid grid = *asked->grid;
    VerdictQuestion under = *asked;
    under.grid = &grid;
    grid.overlap |= overlaps;
    for (size_t i = 0; i < claims->count; i++)
        if (claims->items[i].overlaps == overlaps)
            some.items[some.count++] = claims->items[i];
    if (some.count == 0 && overlaps)
        return true;
    if (!find(&under, &some, found) || !look_past_one_rank(&under, &some, found))
        return false;
    for (size_t i = 0, next = 0; i < claims->count; i++)
        if (claims->items[i].overlaps == overlaps)
            verdicts[i] = found[next++];
    return true;
}

/* What holds may be recorded as proved for all p. */
static void mark_proved(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts)
{
    const ProofRecord *record =
        asked->subject.algorithm ? proof_record(asked->arena, asked->subject.algorithm) : NULL;
    for (size_t i = 0; record && i < claims->count; i++) {
        const ClaimRecord *proved = proof_claim(asked->arena, record, &claims->items[i]);
        verdicts[i].is_proved |= verdicts[i].holds && proved && proved->is_all;
    }
}

bool verdicts_find(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts)
{
    const bool found = find_combining(asked, claims, false, verdicts) &&
                       find_combining(asked, claims, true, verdicts);
    if (found)
        mark_proved(asked, claims, verdicts);
    return found;
}

/* Is the claim about a time, which may have terms of all parameters? */
static bool is_of_terms(const Claim *claim)
{
    return claim->kind == CLAIM_TIME || claim->kind == CLAIM_AT_MOST || claim->kind == CLAIM_STEP;
}

static void leave_out(Claim *claim)
{
    const Expr *formula = program_expr(claim->formula.program);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        claim->neglects[i] |= !expr_uses(formula, CLAIM_TS + i);
    claim->neglects[NEGLECTS_MULTIPLY] |= !expr_uses(formula, CLAIM_TM);
}

/* Those that fail in both modes, each in one of them. */
static bool try_mode(const VerdictQuestion *asked, const ClaimList *claims, Switching mode,
                     Verdict *verdicts)
{
    Arena *arena = asked->arena;
    ClaimList some = {ARENA_ARRAY(arena, Claim, claims->count + 1), 0};
    size_t *whose = ARENA_ARRAY(arena, size_t, claims->count + 1);
    for (size_t i = 0; i < claims->count; i++) {
        Claim *claim = &claims->items[i];
        if (verdicts[i].holds || verdicts[i].fails_alone || !is_of_terms(claim) ||
            !claim->switching[SWITCHING_CUT_THROUGH] ||
            !claim->switching[SWITCHING_STORE_AND_FORWARD])
            continue;
        whose[some.count] = i;
        some.items[some.count] = *claim;
        some.items[some.count++].switching[!mode] = false;
    }
    Verdict *found = ARENA_ARRAY(arena, Verdict, some.count + 1);
    if (some.count && !verdicts_find(asked, &some, found))
        return false;
    for (size_t i = 0; i < some.count; i++)
        if (found[i].holds && found[i].cases > 0) {
            verdicts[whose[i]] = found[i];
            verdicts[whose[i]].switching = (int)mode;
            claims->items[whose[i]] = some.items[i];
        }
    return true;
}

/* Those that are said to be approximations and are not exact are measured. */
static bool measure(const VerdictQuestion *asked, const ClaimList *claims, const bool *approximate,
                    Verdict *verdicts)
{
    bool good = true;
    for (size_t i = 0; i < claims->count && good; i++) {
        Claim *claim = &claims->items[i];
        claim->is_approximate = approximate[i];
        if (!approximate[i] || verdicts[i].holds)
            continue;
        good = verdicts_find(asked, &(ClaimList){claim, 1}, &verdicts[i]);
        if (good && verdicts[i].error > 0 && asked->subject.algorithm)
            judge_look_far(asked->subject.algorithm, claim, &verdicts[i]);
    }
    return good;
}

bool verdicts_find_printed(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts)
{
    bool *approximate = ARENA_ARRAY(asked->arena, bool, claims->count + 1);
    const ClaimList whole = {ARENA_COPY(asked->arena, Claim, claims->items, claims->count),
                             claims->count};
    for (size_t i = 0; i < claims->count; i++) {
        if (is_of_terms(&claims->items[i]))
            leave_out(&claims->items[i]);
        approximate[i] = claims->items[i].is_approximate;
        claims->items[i].is_approximate = false;
    }
    bool good = verdicts_find(asked, claims, verdicts);
    for (int mode = 0; mode < SWITCHING_STARTUPS && good && asked->grid->switching < 0; mode++)
        good = try_mode(asked, claims, (Switching)mode, verdicts);
    good = good && measure(asked, claims, approximate, verdicts);
    if (good)
        mark_proved(asked, &whole, verdicts);
    return good;
}

bool verdicts_find_lacking(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts)
{
    bool good = true;
    for (size_t i = 0; i < claims->count && good; i++) {
        Claim claim = claims->items[i];
        Verdict found;
        if (verdicts[i].holds || verdicts[i].fails_alone || !is_of_terms(&claim))
            continue;
        leave_out(&claim);
        if (memcmp(claim.neglects, claims->items[i].neglects,
                   PARAMETER_COUNT * sizeof *claim.neglects) == 0)
            continue;
        good = verdicts_find(asked, &(ClaimList){&claim, 1}, &found);
        verdicts[i].only_lacks = good && found.holds && found.cases > 0;
        for (int x = 0; x < PARAMETER_COUNT && verdicts[i].only_lacks; x++)
            verdicts[i].lacks[x] = found.lacks[x] && claim_counts(&claims->items[i], (Parameter)x);
    }
    return good;
}
