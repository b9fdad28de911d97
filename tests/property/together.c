/* Collectives at the same time: one alone takes what its own derivation says, groups of ranks one
   by one take what they do as one network, and none is done below a bound of its own. Others can
   make one faster: what they hold back may make way for what counts. */
#include "world.h"

#include "bound/bounds.h"
#include "cost/derive_timeline.h"
#include "cost/together.h"
#include "net/group.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>

enum { DEFAULT_CASES = 160, MOST_GROUPS = 4, MOST_GROUPED = 120, MOST_MESSAGES = 1 << 14 };

static const double tolerance = 1e-9;

/* The groups as one network, and each by itself. */
typedef struct {
    Case all, each[MOST_GROUPS];
    int64_t groups;
} Split;

typedef struct {
    int64_t costed, unequal, changed, below, beside, slowed, sped;
} Tally;

/* Shared in time, without what has no cost at the same time. */
static void draw_rules(World *world, uint64_t number, Case *drawn)
{
    if (number % 2)
        random_rules(world, drawn);
    while (drawn->rules.contention != CONTENTION_SHARED)
        random_sharing(world, drawn);
    drawn->rules.protocols = NULL;
    drawn->rules.protocol_count = 0;
    for (size_t i = 0; i < sizeof drawn->levels / sizeof *drawn->levels; i++)
        drawn->levels[i].protocol_count = 0;
}

static bool draw_split(World *world, uint64_t number, Split *split)
{
    Case *all = &split->all;
    if (!random_case(world, true, all) || all->algorithm->expect_wrong ||
        all->network.p * 2 > MOST_GROUPED)
        return false;
    draw_rules(world, number, all);
    const Shape shape = all->network.shape;
    const int64_t most = MOST_GROUPED / shape.p;
    split->groups = 2 + (int64_t)below(world, (uint64_t)(most < MOST_GROUPS ? most - 1 : 3));
    const int64_t ranks = shape.p * split->groups + (int64_t)below(world, 4);
    Network *whole = ARENA_NEW(world->arena, Network);
    if (!make_network(world, random_topology(world, true), ranks, whole))
        return false;
    int64_t *members = ARENA_ROOM(world->arena, int64_t, (size_t)ranks);
    for (int64_t r = 0; r < ranks; r++) {
        const int64_t other = (int64_t)below(world, (uint64_t)r + 1);
        members[r] = members[other];
        members[other] = r;
    }
    network_group(world->arena, whole, &shape, members, split->groups, whole->name, &all->network);
    all->instance.shape = &all->network.shape;
    for (int64_t i = 0; i < split->groups; i++) {
        Case *one = &split->each[i];
        *one = *all;
        if (all->rules.levels)
            one->rules.levels = all->levels;
        network_group(world->arena, whole, &shape, members + i * shape.p, 1, whole->name,
                      &one->network);
        one->instance.shape = &one->network.shape;
    }
    return true;
}

static bool derive(World *world, const Case *drawn, Profile *profile)
{
    Diag silent = diag_silent();
    return profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules, profile,
                          &silent) &&
           (!profile->timeline || profile->timeline->messages.count <= MOST_MESSAGES);
}

/* When each is done, with the local work of its ranks. */
static void run(World *world, const Case *const *cases, const Profile *profiles, size_t count,
                double *ends)
{
    ScheduleTogether schedules[MOST_GROUPS] = {0};
    for (size_t i = 0; i < count; i++)
        schedules[i] = (ScheduleTogether){&profiles[i], cases[i]->bytes};
    together_run(world->arena, schedules, count, cases[0]->link_costs, ends);
    for (size_t i = 0; i < count; i++)
        for (int work = 0; work < LOCAL_WORK_COUNT; work++)
            ends[i] += profile_local(&profiles[i], (LocalWork)work, cases[i]->bytes);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= tolerance * fmax(a, b);
}

static void complain(const Case *drawn, const char *what, double here, double there)
{
    describe(drawn);
    printf("# %s: %.17g, %.17g\n", what, here, there);
}

static void compare_groups(World *world, const Split *split, Tally *tally)
{
    Profile all, each[MOST_GROUPS];
    const Case *cases[MOST_GROUPS];
    double ends[MOST_GROUPS], last = 0;
    if (!derive(world, &split->all, &all))
        return;
    for (int64_t i = 0; i < split->groups; i++) {
        cases[i] = &split->each[i];
        if (!derive(world, cases[i], &each[i]))
            return;
        run(world, &cases[i], &each[i], 1, ends);
        const double alone = derived_time(&each[i], cases[i]);
        if (!is_near(ends[0], alone) && tally->changed++ < MOST_SHOWN)
            complain(cases[i], "one alone, and derived", ends[0], alone);
    }
    run(world, cases, each, (size_t)split->groups, ends);
    for (int64_t i = 0; i < split->groups; i++)
        last = fmax(last, ends[i]);
    const double derived = derived_time(&all, &split->all);
    tally->costed++;
    if (!is_near(last, derived) && tally->unequal++ < MOST_SHOWN)
        complain(&split->all, "groups one by one, and as one network", last, derived);
}

static double highest_bound(World *world, const Case *drawn)
{
    Contract contract;
    BoundSet bounds;
    double least[PARAMETER_COUNT], highest = 0;
    Rules rules = drawn->rules;
    Diag silent = diag_silent();
    rules.posting = rules_loosest_posting(&rules, drawn->algorithm);
    if (!contract_create(world->arena, drawn->algorithm->collective, drawn->instance.p,
                         drawn->instance.root, drawn->instance.target, &contract, &silent))
        return 0;
    bounds_compute(world->arena, &contract, &drawn->network, &rules, BOUND_SEARCH_CUTS, &bounds);
    rules_least(&drawn->rules, &drawn->network, least);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        highest = fmax(highest, bound_seconds(&bounds.items[i], least, drawn->bytes));
    return highest;
}

/* Another algorithm, of any collective, on the same ranks or on those of another group. */
static bool draw_other(World *world, const Split *split, Case *other)
{
    enum { MOST_TRIES = 20 };
    *other = split->each[below(world, (uint64_t)split->groups)];
    other->bytes *= (double)(1 + below(world, 9));
    for (int i = 0; i < MOST_TRIES; i++) {
        Diag silent = diag_silent();
        other->algorithm = random_algorithm(world);
        if (!other->algorithm->expect_wrong && !other->algorithm->branching &&
            schedule_allows(other->algorithm, &other->network.shape, other->instance.ports, NULL,
                            &silent)) {
            other->instance.algorithm = other->algorithm;
            other->instance.branches = 0;
            return true;
        }
    }
    return false;
}

static void compare_others(World *world, const Split *split, Tally *tally)
{
    Case other;
    Profile profiles[2];
    double ends[2];
    if (!draw_other(world, split, &other))
        return;
    other.instance.shape = &other.network.shape;
    const Case *cases[] = {&split->each[0], &other};
    if (!derive(world, cases[0], &profiles[0]) || !derive(world, cases[1], &profiles[1]))
        return;
    run(world, cases, profiles, 2, ends);
    tally->beside++;
    for (int i = 0; i < 2; i++) {
        const double bound = highest_bound(world, cases[i]);
        const double alone = derived_time(&profiles[i], cases[i]);
        if (ends[i] < bound * (1 - 1e-12) && tally->below++ < MOST_SHOWN)
            complain(cases[i], "beside another, and its bound", ends[i], bound);
        tally->slowed += ends[i] > alone * (1 + tolerance);
        tally->sped += ends[i] < alone * (1 - tolerance);
    }
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    for (uint64_t n = range.first; n < range.first + range.cases; n++) {
        World world = world_open(9000000 + n);
        Split split = {0};
        if (draw_split(&world, n, &split)) {
            compare_groups(&world, &split, &tally);
            compare_others(&world, &split, &tally);
        }
        world_close(&world);
    }
    printf("# %lld groups, %lld pairs: %lld slower than alone, %lld faster\n",
           (long long)tally.costed, (long long)tally.beside, (long long)tally.slowed,
           (long long)tally.sped);
    result(&results, tally.changed == 0, "one schedule alone takes what its derivation says");
    result(&results, tally.unequal == 0, "groups one by one take what they do as one network");
    result(&results, tally.below == 0, "none is done below its bound");
    result(&results,
           range.cases < 100 ||
               (tally.costed * 4 > (int64_t)range.cases && tally.slowed * 20 > tally.beside),
           "many have a cost, and many slow one another");
    return results_end(&results);
}
