/* Times on machines that change (collcost_times_create) are those of cases that are opened anew, on
   random networks, under random conventions.

   times [CASES [FIRST]] */
#include "opened.h"
#include "world.h"

#include "base/workspace.h"
#include "study/study.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CASES = 700, CHANGES = 12, MOST_SIZES = 4, MOST_TRIED = 20 };

static const double close = 1e-9;

typedef struct {
    Workspace workspace; /* of `study.arena` */
    Study study;
    const char *subject, *topology;
    double sizes[MOST_SIZES];
    size_t count;
    const char *changes; /* all so far */
} Question;

static const char *const topologies[] = {
    "full:5",   "ring:8",  "tree:6",    "torus:3x3",      "cluster:2x3", "cluster:4x4",
    "smp:2x5",  "smp:4x2", "rails:3x4", "torus:2x2x3",    "mesh:3x2",    "fat-tree:3x2x2",
    "linear:7", "star:5",  "uniring:4", "dragonfly:2x3x2"};

static void draw_rules(World *world, Rules *rules)
{
    rules->fixed_ports = below(world, 2);
    rules->fixed_posting = below(world, 2);
    if (rules->fixed_posting)
        rules->posting = (Posting)(1 + below(world, POSTING_COUNT - 1));
    rules->switching = (Switching)(below(world, 4) ? 0 : below(world, SWITCHING_COUNT));
    rules->contention = (Contention)(below(world, 2) ? 0 : below(world, CONTENTION_COUNT));
    rules->duplex = (Duplex)below(world, DUPLEX_COUNT);
    rules->combining = (Combining)(below(world, 2) ? 0 : below(world, COMBINING_COUNT));
    rules->asynchronous = rules->contention == CONTENTION_SHARED ||
                          rules->combining == COMBINING_OVERLAP || below(world, 3) == 0;
    rules->averages = below(world, 5) == 0;
    rules->ceil_chunks = below(world, 5) == 0;
}

/* Another price, or none; most often the one before times a factor. */
static double change_price(World *world, double before, double none)
{
    static const double factors[] = {0.01, 0.4, 0.9, 1.1, 3, 200};
    const uint64_t how = below(world, 9);
    return how > 2 && before > 0 ? before * factors[below(world, COUNT_OF(factors))]
           : how == 0            ? none
                                 : random_price(world, -10, -5);
}

static const char *change_protocol(World *world, Protocol *protocol)
{
    const uint64_t how = below(world, 5);
    const int x = how % 2 ? PARAMETER_TS : PARAMETER_TW;
    if (how < 3)
        protocol->parameters[x] = change_price(world, protocol->parameters[x], -1);
    else if (how == 3 || isinf(protocol->up_to))
        protocol->waits = !protocol->waits;
    else
        protocol->up_to = isinf(protocol[1].up_to) ? protocol->up_to * (double)(1 + below(world, 9))
                                                   : (protocol->up_to + protocol[1].up_to) / 2;
    return arena_printf(world->arena, "protocol %d: ts %g tw %g up to %g waits %d",
                        protocol->number, protocol->parameters[PARAMETER_TS],
                        protocol->parameters[PARAMETER_TW], protocol->up_to, protocol->waits);
}

/* Of the machine, or of a level: three times in four it has one then. */
static const char *change_delay(World *world, Delay *delays, int count)
{
    const int kind = (int)below(world, (uint64_t)count);
    const double seconds = kind == DELAY_EXCHANGE ? random_price(world, -2, 0)
                                                  : change_price(world, delays[kind].seconds, 0);
    delays[kind] = below(world, 4) ? (Delay){.is_given = true, .seconds = seconds} : (Delay){0};
    return arena_printf(world->arena, "delay %d: given %d, %g", kind, delays[kind].is_given,
                        delays[kind].seconds);
}

static const char *change_level(World *world, Level *level)
{
    const uint64_t what = below(world, 18), value = below(world, 4);
    const int x = (int)below(world, PARAMETER_TC);
    const double factor = pow(4, (double)value - 1.5);
    if (what < 6)
        level->parameters[x] = change_price(world, level->parameters[x], -1);
    else if (what < 9)
        return change_delay(world, level->delays, DELAYS_OF_LEVELS);
    else if (what < 12)
        level->capacity = level->capacity > 0 ? level->capacity * (value ? factor : 0)
                                              : pow(10, 6 + (double)value);
    else if (what == 12)
        level->ports = (int64_t)value;
    else if (what == 13)
        level->passes = (int64_t)value;
    else if (what == 14)
        level->merging = (double)value / 4;
    else if (what == 15)
        level->merges[value % MERGING_COUNT] = !level->merges[value % MERGING_COUNT];
    else if (what == 16)
        level->link_scales[PARAMETER_TH + value % 2] = value < 2 ? -1 : factor;
    else
        level->devices_per_adapter = (int64_t)value % 3;
    return arena_printf(world->arena, "%.*s, property %d, price %d: %g, %d", TEXT_ARGS(level->name),
                        (int)what, x, level->parameters[x], (int)value);
}

/* Prices by what a rank holds. */
static void change_prices(World *world, WorkingPrices *prices)
{
    prices->count = below(world, 2) ? prices->count : (int)below(world, 4);
    for (int i = 0; i < prices->count; i++)
        prices->items[i] = (WorkingPrice){i + 1 == prices->count ? INFINITY : 100 * pow(30, i),
                                          1e-12 * (double)(1 + below(world, 1000))};
}

static const char *change_whole(World *world, Machine *machine)
{
    const uint64_t what = below(world, 16), value = below(world, 4);
    const int x = (int)value;
    if (what < 4)
        machine->parameters[x] = change_price(world, machine->parameters[x], 0);
    else if (what < 8)
        return change_delay(world, machine->delays, DELAY_COUNT);
    else if (what < 10)
        change_prices(world, value % 2 ? &machine->compute
                                       : &machine->local[below(world, LOCAL_WORK_COUNT)]);
    else if (what == 10)
        machine->contacts = (int64_t)value;
    else if (what == 11)
        machine->ports = 1 + (int64_t)value;
    else if (what == 12)
        machine->all_ports = !machine->all_ports;
    else if (what == 13)
        machine->level_ports = !machine->level_ports;
    else if (what == 14)
        machine->posting = (Posting)(value % POSTING_COUNT);
    else
        machine->select_fastest = !machine->select_fastest;
    return arena_printf(world->arena, "property %d, price %d: %g", (int)what, x,
                        machine->parameters[x]);
}

static void change(World *world, Question *question, bool wants_other)
{
    static const char *const names[] = {"edr-fat-tree", "slingshot", "alaska-smp", "hdr",   "ndr",
                                        "h100-ndr",     "a100-efa",  "lumi",       "tpu-v4"};
    Machine *machine = &question->study.machine;
    const uint64_t levels = (uint64_t)machine->level_count, which = below(world, 12);
    const char *what;
    if (wants_other || below(world, 40) == 0) {
        what = names[below(world, COUNT_OF(names))];
        *machine = *library_machine(world->library, text_of(world, what), &world->diag);
    } else if (which < 4 && machine->listed_count) {
        what = change_protocol(world,
                               &machine->protocols[below(world, (uint64_t)machine->listed_count)]);
    } else {
        what = which < 8 && levels ? change_level(world, &machine->levels[below(world, levels)])
                                   : change_whole(world, machine);
    }
    question->changes = arena_printf(world->arena, "%s# %s\n", question->changes, what);
}

/* One algorithm where it has a time; false: none of many has. */
static bool draw(World *world, Question *question, Diag *diag, collcost_case **opened)
{
    bool good = false;
    double seconds;
    for (int tried = 0; tried < MOST_TRIED && !good; tried++) {
        const Algorithm *algorithm = random_algorithm(world);
        const int64_t k = below(world, 6) ? 1 + (int64_t)below(world, 8) : 0;
        *question = (Question){.changes = "", .count = 3 + below(world, 2)};
        Study *study = &question->study;
        *study = (Study){.arena = arena_create(&question->workspace),
                         .library = world->library,
                         .diag = diag,
                         .element = 1,
                         .target = -1,
                         .chosen.k = k};
        question->subject = arena_printf(world->arena, "%s/%s", algorithm->collective->head.name,
                                         algorithm->head.name);
        question->topology = topologies[below(world, COUNT_OF(topologies))];
        if (below(world, 8) == 0)
            study->groups.members = text_of(world, "1,0/3,2");
        for (uint64_t i = 1 + (below(world, 2) ? below(world, 8) : 0); i > 0; i--)
            change(world, question, question->changes[0] == '\0');
        rules_follow_machine(&study->rules, &study->machine);
        draw_rules(world, &study->rules);
        for (size_t i = 0; i < question->count; i++) /* with so many chunks, where k is free */
            question->sizes[i] =
                floor(pow(10, (double)below(world, k ? 9 : 2))) * (double)(1 + below(world, 9));
        good = collcost_case_open(study, question->subject, question->topology, opened) ==
                   COLLCOST_FINE &&
               opened_seconds(*opened, question->sizes[0], &seconds);
        if (!good)
            arena_destroy(study->arena);
    }
    return good;
}

/* False: some times are not known, or are 0. */
static bool ask_anew(const Question *question, double *seconds)
{
    Workspace workspace = {0};
    Study study = question->study;
    collcost_case *opened;
    study.arena = arena_create(&workspace);
    rules_follow_machine(&study.rules, &study.machine);
    bool good =
        collcost_case_open(&study, question->subject, question->topology, &opened) == COLLCOST_FINE;
    for (size_t i = 0; i < question->count && good; i++)
        good = opened_seconds(opened, question->sizes[i], &seconds[i]);
    arena_destroy(study.arena);
    return good;
}

static bool compare(const Question *question, collcost_times *times, int64_t *compared)
{
    double anew[MOST_SIZES], seconds[MOST_SIZES];
    const bool is_told =
        collcost_times_on(times, &question->study.machine, NULL, seconds) == COLLCOST_FINE;
    bool same = ask_anew(question, anew) == is_told;
    if (!same)
        printf("# %s\n", is_told ? "refused anew" : "refused");
    for (size_t i = 0; i < question->count && same && is_told; i++) {
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
    collcost_times *times;
    bool good = true;
    if (draw(&world, &question, &silent, &opened)) {
        good =
            collcost_times_create(opened, question.sizes, question.count, &times) == COLLCOST_FINE;
        for (int i = 0; i < CHANGES && good; i++) {
            change(&world, &question, false);
            good = compare(&question, times, compared);
        }
        if (!good)
            printf("# case %llu: %s on %s, %s\n%s", (unsigned long long)n, question.subject,
                   question.topology, rules_describe(world.arena, &question.study.rules),
                   question.changes);
        collcost_times_free(times);
        arena_destroy(question.study.arena);
    }
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
