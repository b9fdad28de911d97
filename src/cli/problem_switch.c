#include "cli/problem_cost.h"

#include <math.h>

/* n at which algorithms are compared first: so many in each octave. */
enum { TRIES_PER_OCTAVE = 8, DEFAULT_LAST = 1 << 16 };

/* The fastest at one n; where two are equal, the first of the library. */
typedef struct {
    int64_t n;
    size_t algorithm;
    double seconds;
} Winner;
ARRAY_TYPE(WinnerArray, Winner);

typedef struct {
    const Query *query;
    const Network *network;
    AlgorithmArray algorithms;
    WinnerArray switches; /* the first n of each row */
} Race;

static bool run_race(const Race *race, int64_t n, Winner *winner)
{
    *winner = (Winner){n, 0, INFINITY};
    for (size_t i = 0; i < race->algorithms.count; i++) {
        ScaleCase scale;
        double seconds;
        if (!problem_case(race->query, race->algorithms.items[i], race->network, &scale) ||
            !scale_time(&scale, n, &seconds, race->query->diag))
            return false;
        if (seconds < winner->seconds)
            *winner = (Winner){n, i, seconds};
    }
    return true;
}

/* Leaves out what is too large to be followed. False after a report. */
static bool choose_racers(Race *race, const AlgorithmArray *algorithms, int64_t first)
{
    for (size_t i = 0; i < algorithms->count; i++) {
        TimeTask task = {.n = first};
        Outcome outcome = problem_try(race->query, algorithms->items[i], race->network, true,
                                      problem_find_time, &task);
        if (outcome == OUTCOME_FAILED)
            return false;
        if (outcome == OUTCOME_DONE)
            *ARRAY_PUSH(race->query->arena, &race->algorithms) = algorithms->items[i];
    }
    return true;
}

/* All changes of the winner that halving finds behind `low` up to `high`: where the winner in the
   middle is a third one there are at least two. */
static bool find_changes(Race *race, const Winner *low, const Winner *high)
{
    if (low->algorithm == high->algorithm)
        return true;
    if (high->n - low->n == 1) {
        *ARRAY_PUSH(race->query->arena, &race->switches) = *high;
        return true;
    }
    Winner middle;
    return run_race(race, low->n + (high->n - low->n) / 2, &middle) &&
           find_changes(race, low, &middle) && find_changes(race, &middle, high);
}

static int64_t next_try(int64_t n, int64_t last)
{
    int64_t step = 1;
    while (step * 2 * TRIES_PER_OCTAVE <= n)
        step *= 2;
    return n + step < last ? n + step : last;
}

static bool find_switches(Race *race, int64_t first, int64_t last)
{
    Winner low, high;
    if (race->algorithms.count == 0)
        return true;
    if (!run_race(race, first, &low))
        return false;
    *ARRAY_PUSH(race->query->arena, &race->switches) = low;
    while (low.n < last) {
        if (!run_race(race, next_try(low.n, last), &high) || !find_changes(race, &low, &high))
            return false;
        low = high;
    }
    return true;
}

static void write_rows(const Race *race, int64_t last, Table *table)
{
    for (size_t i = 0; i < race->switches.count; i++) {
        const Winner *winner = &race->switches.items[i];
        bool is_last = i + 1 == race->switches.count;
        const Algorithm *algorithm = race->algorithms.items[winner->algorithm];
        put_text(table, KEY_problem, algorithm->collective->head.name);
        put_text(table, KEY_topology, race->network->name);
        put_number(table, KEY_p, (double)race->network->p);
        put_number(table, KEY_from_n, (double)winner->n);
        put_number(table, KEY_to_n, (double)(is_last ? last : race->switches.items[i + 1].n - 1));
        put_text(table, KEY_algorithm, algorithm->head.name);
        put_number(table, KEY_total_at_from_s, winner->seconds);
        table_row(table);
    }
}

/* -n LO..HI, or 1 .. 65536. */
static bool read_range(const Query *query, int64_t *first, int64_t *last)
{
    const IntArray *orders = &query->orders;
    *first = orders->count ? orders->items[0] : 1;
    *last = orders->count ? orders->items[orders->count - 1] : DEFAULT_LAST;
    if (orders->count == 0 || *first < *last)
        return true;
    diag_error(query->diag, option_value(query->line, OPTION_ORDER).span,
               "switch points are sought in a range of orders, such as 64..4096, or for one order "
               "in a range of ranks");
    return false;
}

static Status run_races(const Query *query, const Collective *collective, int64_t first,
                        int64_t last, Race *races)
{
    Status status = STATUS_FINE;
    for (size_t i = 0; status == STATUS_FINE && i < query->ranks.count; i++) {
        Network *network = ARENA_NEW(query->arena, Network);
        AlgorithmArray algorithms = {0};
        races[i] = (Race){.query = query, .network = network};
        status = problem_prepare(query, collective, NULL, i, network, &algorithms);
        if (status == STATUS_FINE && (!choose_racers(&races[i], &algorithms, first) ||
                                      !find_switches(&races[i], first, last)))
            status = STATUS_BAD_INPUT;
    }
    return status;
}

static bool has_switches(const Query *query, const Race *races)
{
    for (size_t i = 0; i < query->ranks.count; i++)
        if (races[i].switches.count)
            return true;
    return false;
}

static void write_answer(const Query *query, const Collective *collective, const Race *races,
                         int64_t last)
{
    bool is_text = query->format == FORMAT_TEXT;
    bool is_single = query->ranks.count == 1;
    if (is_text) {
        problem_describe_machine(query);
        fprintf(query->line->out, "\n%s%s%s\n", collective->head.name, is_single ? " on " : "",
                is_single ? races[0].network->name : "");
    }
    Table *table = table_open(query->arena, query->line->out, query->format, TABLE_problem_switch);
    if (!is_single)
        table_title(table, KEY_topology, "topology");
    for (size_t i = 0; i < query->ranks.count; i++)
        write_rows(&races[i], last, table);
    table_close(table);
    if (is_text)
        fprintf(query->line->out, "\nrules: %s\n", rules_describe(query->arena, &query->rules));
}

Status problem_switch(const Query *query, const Collective *collective, const Algorithm *only)
{
    int64_t first, last;
    Race *races = ARENA_ARRAY(query->arena, Race, query->ranks.count);
    if (only) {
        diag_error(query->diag, query->line->operands.items[0].span,
                   "switch points are between algorithms: name the problem, and --among A,B");
        return STATUS_BAD_INPUT;
    }
    if (query->orders.count == 1 && query->ranks.count > 1)
        return problem_switch_ranks(query, collective);
    if (!read_range(query, &first, &last))
        return STATUS_BAD_INPUT;
    Status status = run_races(query, collective, first, last, races);
    if (status == STATUS_FINE && !has_switches(query, races)) {
        diag_error(query->diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks",
                   collective->head.name);
        return STATUS_BAD_INPUT;
    }
    if (status == STATUS_FINE)
        write_answer(query, collective, races, last);
    return status;
}
