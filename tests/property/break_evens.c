/* Where two random algorithms on random networks and machines break even: just beyond the value
   that is found the other one is the faster, up to it nowhere, and where there is none, nowhere
   between a thousandth and the thousandfold. The machine is changed as --set and --vary change it,
   and costs are those of new curves.

   break_evens [CASES [FIRST]] */
#include "world.h"

#include "choose/break_even.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CASES = 50, MOST_RANKS = 12, MOST_RANKS_ASYNCHRONOUS = 6, POINTS = 24 };

static const double close = 1e-9, farthest = 1000;

/* Links with values of their own, some of them of a level that machines know. */
static const char islands[] = "topology: islands\n"
                              "summary: Rings with cables between them.\n"
                              "dimensions: {island: I, rank: M}\n"
                              "fastest: last\n"
                              "levels: [device, node]\n"
                              "links:\n"
                              "  - from: r\n"
                              "    to: r - r mod M + (r + 1) mod M\n"
                              "    if: M > 1\n"
                              "    both: yes\n"
                              "    level: device\n"
                              "  - for: [i in 0 .. I - 1]\n"
                              "    from: i * M\n"
                              "    to: (i + 1) mod I * M\n"
                              "    if: I > 2 and i > 0\n"
                              "    both: yes\n"
                              "    level: node\n"
                              "    bandwidth: 1 GB/s\n"
                              "    latency: 800 ns\n"
                              "  - {from: 0, to: M, if: I > 1, both: yes, level: node, "
                              "bandwidth: 300 MB/s}\n"
                              "routing: shortest\n";

typedef struct {
    World *world;
    Case drawn;
    const Algorithm *algorithms[2];
    Machine machine;
    Rules rules;
    int64_t k;
    Comparison comparison;
    const VariedParameter *varied; /* NULL: the size */
    Curve *curves[2];              /* for all sizes */
} Trial;

typedef struct {
    int64_t cases, wrong, parameters, found, open;
} Tally;

static bool lay_islands(Trial *trial)
{
    World *world = trial->world;
    Text text = text_of(world, islands);
    if (!library_add_source(world->library, text.span.source, &world->diag))
        return false;
    const Topology *topology =
        library_topology(world->library, text_of(world, "islands"), &world->diag);
    const Shape shape = topology_shape(topology, trial->drawn.network.p);
    return network_create(world->arena, topology, &shape, TIES_PLUS, &trial->drawn.network,
                          &world->diag);
}

static bool draw_network(Trial *trial)
{
    Case *drawn = &trial->drawn;
    do {
        drawn->algorithm = random_algorithm(trial->world);
        if (!drawn->algorithm || !draw_instance(trial->world, true, drawn))
            return false;
    } while (drawn->algorithm->expect_wrong || drawn->instance.p > MOST_RANKS ||
             drawn->instance.p < 2);
    return below(trial->world, 5) || lay_islands(trial);
}

static bool may_run(const Trial *trial, const Algorithm *algorithm)
{
    const Case *drawn = &trial->drawn;
    Diag silent = diag_silent();
    return !algorithm->expect_wrong &&
           schedule_allows(algorithm, &drawn->network.shape, drawn->instance.ports, NULL, &silent);
}

/* Another one for the same collective; itself where there is none. */
static bool draw_algorithms(Trial *trial)
{
    AlgorithmArray all = {0};
    World *world = trial->world;
    trial->algorithms[0] = trial->algorithms[1] = trial->drawn.algorithm;
    if (!library_algorithms(world->library, trial->drawn.algorithm->collective, &all, &world->diag))
        return false;
    uint64_t skip = below(world, all.count);
    for (size_t i = 0; i < all.count; i++) {
        const Algorithm *algorithm = all.items[(i + skip) % all.count];
        if (algorithm != trial->drawn.algorithm && may_run(trial, algorithm))
            trial->algorithms[1] = algorithm;
    }
    return may_run(trial, trial->algorithms[0]);
}

/* With names, so that --set could speak of them. */
static void name_protocols(Trial *trial)
{
    static const char *const names[] = {"small", "middle", "large"};
    for (int i = 0; i < trial->machine.listed_count; i++)
        trial->machine.protocols[i].name = text_of(trial->world, names[i % 3]);
}

static void follow_machine(const Trial *trial, const Machine *machine, Rules *rules)
{
    *rules = trial->drawn.rules;
    memcpy(rules->parameters, machine->parameters, sizeof rules->parameters);
    rules->levels = machine->levels;
    rules->level_count = machine->level_count;
    rules->protocols = machine_protocols(machine);
    rules->protocol_count = machine->protocol_count;
    rules->select_fastest = machine->select_fastest;
    rules->compute = machine->compute;
    memcpy(rules->local, machine->local, sizeof rules->local);
}

static bool draw_machine(Trial *trial)
{
    World *world = trial->world;
    Rules *rules = &trial->drawn.rules;
    if (below(world, 3))
        random_rules(world, &trial->drawn);
    rules->ties = trial->drawn.network.ties;
    rules->asynchronous &= trial->drawn.instance.p <= MOST_RANKS_ASYNCHRONOUS;
    if (!rules->asynchronous && rules->combining == COMBINING_OVERLAP)
        rules->combining = COMBINING_AFTER;
    trial->k = rules->asynchronous || below(world, 3) == 0 ? 1 + (int64_t)below(world, 6) : 0;
    memcpy(trial->machine.parameters, rules->parameters, sizeof rules->parameters);
    trial->machine.level_count = rules->level_count;
    memcpy(trial->machine.levels, trial->drawn.levels, sizeof trial->drawn.levels);
    trial->machine.protocol_count = rules->protocol_count;
    trial->machine.listed_count = rules->protocols ? 9 : 0;
    trial->machine.select_fastest = rules->select_fastest;
    trial->machine.compute = rules->compute;
    memcpy(trial->machine.local, rules->local, sizeof rules->local);
    memcpy(trial->machine.protocols, trial->drawn.protocols, sizeof trial->drawn.protocols);
    name_protocols(trial);
    if (below(world, 5) == 0) {
        const Machine *griffon =
            library_machine(world->library, text_of(world, "griffon"), &world->diag);
        trial->machine = *griffon;
    }
    return true;
}

/* As a user would change it. */
static bool change(Trial *trial, double value, Machine *machine)
{
    const VariedParameter *varied = trial->varied;
    bool inverse = varied_info(varied)->inverse;
    *machine = trial->machine;
    if (varied_is_size(varied) || varied->is_zero) {
        varied_set(varied, machine, value);
        return true;
    }
    return machine_scale(machine, text_of(trial->world, varied->name), inverse ? 1 / value : value,
                         &trial->world->diag);
}

static bool open_curves(Trial *trial, Arena *arena, const Rules *rules, Curve *curves[2])
{
    const Comparison *comparison = &trial->comparison;
    for (int i = 0; i < 2; i++) {
        curves[i] =
            curve_create(arena,
                         &(CurveSubject){comparison->algorithms[i],
                                         comparison->network,
                                         rules,
                                         {.root = comparison->root, .target = comparison->target}},
                         &comparison->chosen[i], &trial->world->diag);
        if (!curves[i])
            return false;
    }
    return true;
}

/* -1, 0 or 1; 0 also where the two are close, or it cannot be said. */
static int order_of(Trial *trial, Curve *const curves[2], double bytes)
{
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        CurvePoint point;
        if (!curve_at(curves[i], bytes, curve_most_chunks(bytes), &point, &trial->world->diag))
            return 0;
        seconds[i] = point.total;
    }
    return seconds[0] < seconds[1] * (1 - close) ? -1 : seconds[1] < seconds[0] * (1 - close);
}

/* At a value of what varies. All sizes have the same curves. */
static int order_at(Trial *trial, double value)
{
    if (!trial->varied)
        return order_of(trial, trial->curves, value);
    Arena *arena = arena_create(NULL);
    Machine machine;
    Rules rules;
    Curve *curves[2];
    int order = 0;
    bool good = change(trial, value, &machine);
    follow_machine(trial, &machine, &rules);
    if (good && open_curves(trial, arena, &rules, curves))
        order = order_of(trial, curves, trial->comparison.bytes);
    arena_destroy(arena);
    return order;
}

static bool complain(const Trial *trial, const char *what, double at, const Crossing *crossing)
{
    const Machine *machine = &trial->machine;
    describe(&trial->drawn);
    printf("# machine %s\n", machine_describe(trial->world->arena, machine));
    printf("# %s and %s, k %lld, %s: %s at %.17g (%s at %.17g)\n", trial->algorithms[0]->head.name,
           trial->algorithms[1]->head.name, (long long)trial->k,
           trial->varied ? trial->varied->name : "m", what, at,
           crossing->is_found ? "breaks even" : "never", crossing->at);
    return false;
}

/* How far a scan goes where there is no crossing. */
static double scan_end(const Trial *trial, bool up)
{
    const VariedParameter *varied = trial->varied;
    double bytes = trial->comparison.bytes;
    if (!varied)
        return up ? bytes * farthest : fmin(bytes, fmax(1, bytes / farthest));
    if (varied->is_zero)
        return 1e-3;
    if (varied_is_size(varied))
        return up ? fmin(varied->below, varied->most * farthest) * (1 - close)
                  : fmax(varied->above * (1 + close), varied->most / farthest);
    return up ? farthest : 1 / farthest;
}

static double present_value(const Trial *trial)
{
    return trial->varied ? varied_now(trial->varied) : trial->comparison.bytes;
}

/* Of a parameter that is zero now, what is scanned begins where it starts to matter. */
static double scan_begin(const Trial *trial, double end)
{
    double now = present_value(trial);
    return now > 0 ? now : end / 1e9;
}

static bool check_side(Trial *trial, int order, const Crossing *crossing, bool up)
{
    bool is_found = crossing->is_found;
    double end = is_found ? crossing->at : scan_end(trial, up);
    double begin = scan_begin(trial, end);
    for (int i = 0; i <= POINTS && end > 0; i++) {
        double at = begin * pow(end / begin, i / (POINTS + (is_found ? 0.5 : 0)));
        int here = order_at(trial, at);
        if (order ? here == -order : here && fabs(end - begin) > close * begin)
            return complain(trial, "a crossing that was missed", at, crossing);
    }
    double beyond = up ? crossing->at * (1 + 1e-6) : crossing->at * (1 - 1e-6);
    if (is_found && order_at(trial, beyond) == (crossing->faster ? -1 : 1))
        return complain(trial, "no crossing", beyond, crossing);
    return true;
}

/* Where searches may give up: times of the fastest protocol bend at many values, and those with
   contacts at as many as there are chains of messages. */
static bool may_give_up(const Trial *trial)
{
    return trial->machine.select_fastest || trial->rules.delays[DELAY_CONTACT].seconds > 0;
}

static bool check_parameter(Trial *trial, Tally *tally)
{
    int order = order_at(trial, present_value(trial));
    BreakEven break_even = trial->varied
                               ? break_even_by_parameter(&trial->comparison, trial->varied)
                               : break_even_by_size(&trial->comparison);
    const Crossing *crossings[] = {&break_even.below, &break_even.above};
    tally->parameters++;
    for (int up = 0; up < 2; up++) {
        tally->found += crossings[up]->is_found;
        tally->open += crossings[up]->is_open && !may_give_up(trial);
        if (up == 0 && trial->varied && trial->varied->is_zero)
            continue;
        if (!crossings[up]->is_open && !check_side(trial, order, crossings[up], up))
            return false;
    }
    return true;
}

static bool check(Trial *trial, Tally *tally)
{
    World *world = trial->world;
    trial->comparison = (Comparison){.algorithms = {trial->algorithms[0], trial->algorithms[1]},
                                     .network = &trial->drawn.network,
                                     .root = trial->drawn.instance.root,
                                     .target = trial->drawn.instance.target,
                                     .chosen = {{.k = trial->k}, {.k = trial->k}},
                                     .machine = &trial->machine,
                                     .rules = &trial->rules,
                                     .bytes = trial->drawn.bytes};
    follow_machine(trial, &trial->machine, &trial->rules);
    if (!comparison_open(world->arena, &trial->comparison, &world->diag) ||
        !open_curves(trial, world->arena, &trial->rules, trial->curves))
        return false;
    VariedParameterArray parameters =
        varied_list(world->arena, &trial->machine, trial->drawn.network.classes,
                    trial->drawn.network.class_count);
    /* The size comes last, since no parameter may vary after it. Chunks of whole bytes make steps.
     */
    for (int n = 0; n < (trial->rules.ceil_chunks ? 3 : 4); n++) {
        trial->varied = n < 3 ? &parameters.items[below(world, parameters.count)] : NULL;
        if (!check_parameter(trial, tally))
            return false;
    }
    return true;
}

static void run_case(uint64_t n, Tally *tally)
{
    World world = world_open(9000000 + n);
    Trial *trial = ARENA_NEW(world.arena, Trial);
    trial->world = &world;
    bool good = draw_network(trial);
    if (good && draw_machine(trial) && draw_algorithms(trial))
        good = check(trial, tally);
    if (!good)
        printf("# case %llu\n", (unsigned long long)n);
    tally->wrong += !good;
    tally->cases++;
    world_close(&world);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t n = range.first; n < range.first + range.cases && tally.wrong < 5; n++)
        run_case(n, &tally);
    printf("# %lld cases, %lld parameters, %lld break-evens, %lld searches without an end\n",
           (long long)tally.cases, (long long)tally.parameters, (long long)tally.found,
           (long long)tally.open);
    result(&results, tally.wrong == 0, "they break even where it is said, and nowhere before");
    result(&results, tally.found * 10 >= tally.parameters, "there are break-evens");
    result(&results, tally.open * 50 <= tally.parameters, "few searches have no end");
    return results_end(&results);
}
