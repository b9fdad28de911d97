/* Times on machines that change (collcost_times_create) are those of cases that are opened anew, on
   random networks, under random conventions.

   times [CASES [FIRST]] */
#include "world.h"

#include "base/workspace.h"
#include "study/study.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CASES = 150, CHANGES = 12, MOST_SIZES = 4, MOST_PRICES = 256, MOST_TRIED = 20 };

static const double close = 1e-9;

typedef struct {
    Workspace workspace; /* of `study.arena` */
    Study study;
    Machine *machine; /* of the study */
    const char *subject, *topology;
    double sizes[MOST_SIZES];
    size_t count;
    const char *changed; /* of what is changed: "level 1 tw" */
} Question;

static const char *draw_topology(World *world)
{
    static const char *const grids[] = {"torus", "mesh",     "cluster",   "smp",
                                        "smp",   "fat-tree", "dragonfly", "rails"};
    static const char *const lines[] = {"full", "ring", "linear", "star", "tree", "uniring"};
    const uint64_t kind = below(world, 8), which = below(world, 12);
    const long long x = (long long)below(world, 3) + 1, y = (long long)below(world, 4) + 2,
                    z = (long long)below(world, 2) + 1;
    if (which >= 8)
        return arena_printf(world->arena, "%s:%lld", lines[below(world, 6)], x * y * z);
    if (which == 7 && kind < 2)
        return arena_printf(world->arena, "hypercube:%d", 1 << (kind + 2));
    const bool is_flat = which != 5 && which != 6 && (which > 1 || kind > 3);
    return is_flat ? arena_printf(world->arena, "%s:%lldx%lld", grids[which], x + 1, y)
                   : arena_printf(world->arena, "%s:%lldx%lldx%lld", grids[which], x, y, z);
}

/* Conventions that are those of the case. */
static void draw_rules(World *world, Rules *rules)
{
    rules->fixed_ports = below(world, 2);
    rules->fixed_posting = below(world, 2);
    if (rules->fixed_posting)
        rules->posting = (Posting)(1 + below(world, POSTING_COUNT - 1));
    rules->switching =
        below(world, 4) ? SWITCHING_CUT_THROUGH : (Switching)below(world, SWITCHING_COUNT);
    rules->contention = (Contention)(below(world, 2) ? below(world, CONTENTION_COUNT) : 0);
    rules->duplex = (Duplex)below(world, DUPLEX_COUNT);
    rules->combining = (Combining)(below(world, 2) ? below(world, COMBINING_COUNT) : 0);
    rules->asynchronous = rules->contention == CONTENTION_SHARED ||
                          rules->combining == COMBINING_OVERLAP || below(world, 3) == 0;
    rules->averages = below(world, 5) == 0;
    rules->ceil_chunks = below(world, 5) == 0;
}

/* Another price; of what need not have one of its own none. */
static double draw_price(World *world, double before, double none)
{
    static const double factors[] = {0.01, 0.4, 0.9, 1.1, 3, 200};
    switch (below(world, 8)) {
    case 0:
        return 0;
    case 1:
        return none;
    case 2:
        return random_price(world, -10, -5);
    default:
        return before > 0 ? before * factors[below(world, 6)] : random_price(world, -10, -5);
    }
}

static Level *draw_level(World *world, Question *question)
{
    Machine *machine = question->machine;
    const uint64_t i = below(world, (uint64_t)machine->level_count + 1);
    question->changed = arena_printf(world->arena, "level %d", (int)i - 1);
    return i ? &machine->levels[i - 1] : NULL;
}

static void change_price(World *world, Question *question)
{
    Machine *machine = question->machine;
    const int levels = machine->level_count, x = (int)below(world, PARAMETER_COUNT);
    const int which = (int)below(world, 1 + (uint64_t)levels + (uint64_t)machine->listed_count);
    const int y = which > levels && x == PARAMETER_TH ? PARAMETER_TS
                  : which > 0 && x == PARAMETER_TC    ? PARAMETER_TW
                                                      : x;
    double *price = which == 0        ? &machine->parameters[y]
                    : which <= levels ? &machine->levels[which - 1].parameters[y]
                                      : &machine->protocols[which - 1 - levels].parameters[y];
    *price = draw_price(world, *price, which ? -1 : 0);
    question->changed = arena_printf(world->arena, "%s of %s %d: %g", parameter_info[y].name,
                                     which > levels ? "protocol" : "level",
                                     which > levels ? which - 1 - levels : which - 1, *price);
}

static void change_delay(World *world, Question *question)
{
    Level *level = draw_level(world, question);
    const int kind = (int)below(world, level ? DELAYS_OF_LEVELS : DELAY_COUNT);
    Delay *delay = level ? &level->delays[kind] : &question->machine->delays[kind];
    const bool is_share = kind == DELAY_EXCHANGE;
    if (below(world, 4) == 0)
        *delay = (Delay){0};
    else
        *delay = (Delay){.is_given = true,
                         .seconds = is_share ? random_price(world, -2, 0)
                                             : draw_price(world, delay->seconds, 0)};
    question->changed = arena_printf(world->arena, "%s delay %d: %d %g", question->changed, kind,
                                     delay->is_given, delay->seconds);
}

static void change_prices(World *world, Question *question)
{
    Machine *machine = question->machine;
    const int which = (int)below(world, LOCAL_WORK_COUNT + 2) - 2;
    WorkingPrices *prices = which < 0 ? &machine->compute : &machine->local[which];
    if (below(world, 3) == 0)
        prices->count = 0;
    else if (below(world, 2) && prices->count)
        prices->items[below(world, (uint64_t)prices->count)].price *= 0.5 + (double)below(world, 4);
    else
        prices->count = 1 + (int)below(world, 3);
    for (int i = 0; i < prices->count; i++) {
        WorkingPrice *item = &prices->items[i];
        item->price = item->price > 0 ? item->price : 1e-12 * (double)(1 + below(world, 1000));
        item->up_to = i + 1 == prices->count ? INFINITY : 100 * pow(30, i);
    }
    question->changed = arena_printf(world->arena, "prices of work %d: %d", which, prices->count);
}

/* Where a protocol ends, or whether it waits. */
static void change_protocol(World *world, Question *question)
{
    Machine *machine = question->machine;
    if (machine->listed_count == 0)
        return change_price(world, question);
    const int i = (int)below(world, (uint64_t)machine->listed_count);
    Protocol *protocol = &machine->protocols[i];
    if (isinf(protocol->up_to) || below(world, 3) == 0) {
        protocol->waits = !protocol->waits;
    } else {
        const bool is_first = i == 0 || isinf(protocol[-1].up_to);
        const double least = is_first ? 1 : protocol[-1].up_to, most = protocol[1].up_to;
        protocol->up_to = isinf(most) ? (least + 1) * (double)(2 + below(world, 50))
                                      : least + (most - least) * (double)(1 + below(world, 8)) / 9;
    }
    question->changed = arena_printf(world->arena, "protocol %d up to %g waits %d", i,
                                     protocol->up_to, protocol->waits);
}

static void change_level(World *world, Question *question)
{
    Level *level = draw_level(world, question);
    const uint64_t what = below(world, 11), value = below(world, 4);
    const double factor = pow(4, (double)value - 1.5);
    if (!level)
        return change_price(world, question);
    if (what < 5)
        level->capacity = value == 0            ? 0
                          : level->capacity > 0 ? level->capacity * factor
                                                : pow(10, 6 + (double)below(world, 5));
    else if (what == 5)
        level->ports = (int64_t)value;
    else if (what == 6)
        level->passes = (int64_t)value;
    else if (what == 7)
        level->merging = value == 0 ? 0 : (double)value / 4;
    else if (what == 8)
        level->merges[value % MERGING_COUNT] = !level->merges[value % MERGING_COUNT];
    else if (what == 9)
        level->link_scales[PARAMETER_TH + value % 2] = value < 2 ? -1 : factor;
    else
        level->devices_per_adapter = (int64_t)value % 3;
    question->changed =
        arena_printf(world->arena, "%s, property %d: %d", question->changed, (int)what, (int)value);
}

static void change_conventions(World *world, Question *question)
{
    Machine *machine = question->machine;
    const uint64_t what = below(world, 6), value = below(world, 4);
    if (what == 0)
        machine->contacts = (int64_t)value;
    else if (what == 1)
        machine->ports = 1 + (int64_t)value;
    else if (what == 2)
        machine->all_ports = !machine->all_ports;
    else if (what == 3)
        machine->level_ports = !machine->level_ports;
    else if (what == 4)
        machine->posting = (Posting)(value % POSTING_COUNT);
    else
        machine->select_fastest = !machine->select_fastest;
    question->changed =
        arena_printf(world->arena, "convention %d of the machine: %d", (int)what, (int)value);
}

static bool change_machine(World *world, Question *question)
{
    static const char *const machines[] = {"edr-fat-tree", "slingshot", "alaska-smp", "hdr",
                                           "h100-ndr",     "a100-efa",  "lumi",       "griffon",
                                           "sg2260",       "ndr"};
    question->changed = machines[below(world, COUNT_OF(machines))];
    const Machine *machine =
        library_machine(world->library, text_of(world, question->changed), &world->diag);
    if (machine)
        *question->machine = *machine;
    return machine != NULL;
}

static void change(World *world, Question *question)
{
    static void (*const changes[])(World *, Question *) = {
        change_price, change_price,    change_price, change_price,       change_delay, change_delay,
        change_delay, change_protocol, change_level, change_conventions, change_prices};
    if (below(world, 40) == 0)
        change_machine(world, question);
    else
        changes[below(world, COUNT_OF(changes))](world, question);
}

/* One algorithm where it has a time, on a machine that may have been changed. False: none of many
   has. */
static bool draw(World *world, Question *question, Diag *silent, collcost_case **opened)
{
    const collcost_cost *best;
    *question = (Question){0};
    Study *study = &question->study;
    question->machine = &study->machine;
    for (int tried = 0; tried < MOST_TRIED; tried++) {
        const Algorithm *algorithm = random_algorithm(world);
        *study = (Study){.arena = arena_create(&question->workspace),
                         .library = world->library,
                         .diag = silent,
                         .element = 1,
                         .target = -1,
                         .chosen.k = (int64_t)(below(world, 2) ? below(world, 12) : 1)};
        if (!change_machine(world, question))
            return false;
        question->subject = arena_printf(world->arena, "%s/%s", algorithm->collective->head.name,
                                         algorithm->head.name);
        question->topology = draw_topology(world);
        for (uint64_t i = below(world, 2) ? below(world, 8) : 0; i > 0; i--)
            change(world, question);
        rules_follow_machine(&study->rules, &study->machine);
        draw_rules(world, &study->rules);
        question->count = 3 + below(world, 2);
        for (size_t i = 0; i < question->count; i++)
            question->sizes[i] =
                floor(pow(10, (double)below(world, 9))) * (double)(1 + below(world, 9));
        if (collcost_case_open(study, question->subject, question->topology, opened) ==
                COLLCOST_FINE &&
            collcost_case_best(*opened, question->sizes[0], &best) == COLLCOST_FINE)
            return true;
        arena_destroy(study->arena);
    }
    study->arena = NULL;
    return false;
}

/* All times of a case that is opened anew; false: some are not known, or are 0. */
static bool ask_anew(const Question *question, double *seconds)
{
    Workspace workspace = {0};
    Study study = question->study;
    collcost_case *opened;
    const collcost_cost *best;
    study.arena = arena_create(&workspace);
    rules_follow_machine(&study.rules, &study.machine);
    bool good =
        collcost_case_open(&study, question->subject, question->topology, &opened) == COLLCOST_FINE;
    for (size_t i = 0; i < question->count && good; i++) {
        good = collcost_case_best(opened, question->sizes[i], &best) == COLLCOST_FINE;
        if (good)
            seconds[i] = best->total_s;
        good = good && seconds[i] > 0;
    }
    arena_destroy(study.arena);
    return good;
}

static bool compare(Question *question, collcost_times *times, int64_t *compared)
{
    double anew[MOST_SIZES], seconds[MOST_SIZES];
    const collcost_status status = collcost_times_on(times, question->machine, NULL, seconds);
    const bool known = ask_anew(question, anew);
    bool same = known == (status == COLLCOST_FINE);
    if (!same)
        printf("# status %d, anew %s\n", (int)status, known ? "known" : "not known");
    for (size_t i = 0; i < question->count && same && known; i++) {
        same = fabs(seconds[i] - anew[i]) <= close * anew[i];
        if (!same)
            printf("# %g bytes: %.17g, anew %.17g\n", question->sizes[i], seconds[i], anew[i]);
        ++*compared;
    }
    return same;
}

static bool run_case(uint64_t n, int64_t *compared)
{
    World world = world_open(13000000 + n);
    Question question;
    Diag silent = diag_silent();
    collcost_case *opened;
    collcost_times *times = NULL;
    const char *history = "";
    bool good = true;
    if (draw(&world, &question, &silent, &opened) &&
        collcost_times_create(opened, question.sizes, question.count, &times) == COLLCOST_FINE) {
        for (int i = 0; i < CHANGES && good; i++) {
            good = compare(&question, times, compared);
            if (!good)
                break;
            change(&world, &question);
            history = arena_printf(world.arena, "%s# then %s\n", history, question.changed);
        }
        if (!good)
            printf("# case %llu: %s on %s, %s\n%s", (unsigned long long)n, question.subject,
                   question.topology, rules_describe(world.arena, &question.study.rules), history);
        collcost_times_free(times);
    }
    if (question.study.arena)
        arena_destroy(question.study.arena);
    world_close(&world);
    return good;
}

int main(int count, char **arguments)
{
    Results results = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    int64_t wrong = 0, compared = 0;
    gsl_set_error_handler_off();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t n = range.first; n < range.first + range.cases && wrong < 5; n++)
        wrong += !run_case(n, &compared);
    printf("# %lld times\n", (long long)compared);
    result(&results, wrong == 0, "times on changed machines are those of cases opened anew");
    result(&results, compared > 2 * CHANGES * (int64_t)range.cases, "most times are compared");
    return results_end(&results);
}
