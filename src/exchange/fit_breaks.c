#include "exchange/fitting.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

/* Of a break, since it is the best of so many. */
static const double price_of_choice = 6;

/* The machine with one more protocol, up to `bytes`, which begins with what such messages cost now.
   False where it has one up to there. */
static bool add_protocol(Arena *arena, const Machine *machine, double bytes, Machine *more)
{
    double sizes[LIMIT_PROTOCOLS];
    int count = 0;
    for (int i = 0; i + 1 < machine->protocol_count; i++)
        sizes[count++] = machine->protocols[i].up_to;
    sizes[count++] = bytes;
    if (sort_doubles_once(sizes, (size_t)count) < (size_t)count)
        return false;
    sizes[count++] = INFINITY;
    *more = *machine;
    more->protocol_count = more->listed_count = count;
    for (int i = 0; i < count; i++) {
        const double *now = machine->protocol_count
                                ? protocol_for(machine->protocols, sizes[i])->parameters
                                : machine->parameters;
        more->protocols[i] =
            fit_protocol(arena, sizes, count, i, now[PARAMETER_TS], now[PARAMETER_TW]);
    }
    return true;
}

/* The machine with one more rate of combining, for collectives of which ranks hold up to `bytes`,
   which begins with the one it had. False where it has one up to there, or can have no more. */
static bool add_compute(Arena *arena, const Machine *machine, double bytes, Machine *more)
{
    WorkingPrices *prices = &more->compute;
    (void)arena;
    *more = *machine;
    if (prices->count == 0)
        *prices = (WorkingPrices){{{INFINITY, machine->parameters[PARAMETER_TC]}}, 1};
    int place = 0;
    while (prices->items[place].up_to < bytes)
        place++;
    if (prices->items[place].up_to == bytes || prices->count == MOST_WORKING_PRICES)
        return false;
    memmove(&prices->items[place + 1], &prices->items[place],
            (size_t)(prices->count++ - place) * sizeof *prices->items);
    prices->items[place].up_to = bytes;
    return true;
}

/* So many breaks that are not worth their price may come before one that is. */
enum { MOST_IDLE = 2 };

typedef struct {
    const char *name;
    double least, largest; /* powers of two, where breaks are sought */
    bool (*add)(Arena *arena, const Machine *machine, double bytes, Machine *more);
} BreakKind;

static const BreakKind of_protocols = {"breaks of protocols", 0x1p7, 0x1p21, add_protocol};
static const BreakKind of_compute = {"breaks of combining", 0x1p16, 0x1p29, add_compute};

/* A machine, and how well it fits. */
typedef struct {
    Machine machine;
    double criterion;
    double bytes; /* where the last break is */
} Tried;

/* What the machine did not have, and rows do not depend on, it does not get. Combining begins again
   with its guess: with a break more it can count. */
static void leave_out(Fitting *fitting, const LeastSquaresFit *found)
{
    for (size_t j = 0; j < fitting->place_count; j++) {
        size_t i = fitting->places[j];
        const VariedParameter *varied = &fitting->parameters->items[i].varied;
        if (found->lengths[j] >= LEAST_EFFECT)
            continue;
        if (varied->parameter == PARAMETER_TC)
            fitting->logs[i] = fitting->first[i];
        else
            fitting->is_absent[i] |= varied->is_zero;
    }
}

/* Startups, bandwidths and compute on that machine, which becomes the best of these. Levels keep
   theirs where only breaks are compared, since a fit of levels begins from several places. */
static bool fit_simple(Fitting *fitting, bool keeps_levels, Tried *tried)
{
    Arena *scratch = arena_scratch(fitting->arena);
    LeastSquaresFit found;
    fitting->start = tried->machine;
    bool good = fitting_begin(fitting);
    size_t kept = 0;
    for (size_t i = 0; good && i < fitting->parameters->count; i++) {
        int parameter = fitting->parameters->items[i].varied.parameter;
        bool is_simple = parameter == PARAMETER_TS || parameter == PARAMETER_TW ||
                         parameter == PARAMETER_TC ||
                         varied_is_local(&fitting->parameters->items[i].varied);
        const Text owner = fitting->parameters->items[i].varied.owner;
        is_simple &= !keeps_levels || !machine_find_level(&tried->machine, owner);
        fitting->is_absent[i] |= !is_simple && fitting->parameters->items[i].varied.is_zero;
        if (is_simple)
            fitting->places[kept++] = i;
    }
    fitting->place_count = kept;
    good = good && fitting->model.row_count > kept &&
           (keeps_levels || !tried->machine.level_count ? fitting_run : fitting_run_widely)(
               fitting, scratch, &found);
    if (good) {
        int protocols = tried->machine.protocol_count ? tried->machine.protocol_count : 1;
        int rates = tried->machine.compute.count ? tried->machine.compute.count : 1;
        const size_t breaks = (size_t)(protocols + rates - 2);
        tried->criterion = fitting_criterion(fitting, &found, fitting->place_count + breaks) +
                           (double)breaks * price_of_choice;
        fitting_keep(fitting, &found);
        leave_out(fitting, &found);
        tried->machine = fitting_machine(fitting, NULL);
    }
    arena_destroy(scratch);
    return good;
}

/* Where a break there is better, *best is the machine with it. */
static void try_break(Fitting *fitting, const BreakKind *kind, const Tried *before, double bytes,
                      Tried *best)
{
    Tried tried;
    watch_step(fitting->arena, kind->name, (int64_t)log2(bytes / kind->least),
               (int64_t)log2(kind->largest / kind->least) + 1);
    if (bytes < kind->least || bytes > kind->largest ||
        !kind->add(fitting->arena, &before->machine, bytes, &tried.machine) ||
        !fit_simple(fitting, true, &tried) || !(tried.criterion < best->criterion))
        return;
    *best = tried;
    best->bytes = bytes;
}

/* The best machine with one break more: of every other power of two, then of those beside it; and
   with levels that may have changed since. */
static bool add_best_break(Fitting *fitting, const BreakKind *kind, const Tried *before,
                           Tried *best)
{
    best->criterion = INFINITY;
    for (double bytes = kind->least; bytes <= kind->largest; bytes *= 4)
        try_break(fitting, kind, before, bytes, best);
    if (best->criterion == INFINITY)
        return false;
    const double coarse = best->bytes;
    try_break(fitting, kind, before, coarse / 2, best);
    try_break(fitting, kind, before, coarse * 2, best);
    Tried widely = *best;
    if (widely.machine.level_count && fit_simple(fitting, false, &widely) &&
        widely.criterion < best->criterion)
        *best = widely;
    return true;
}

bool fit_breaks_find(Fitting *fitting, int count, int most)
{
    Tried now = {.machine = fitting->start}, best, protocol, compute;
    int protocols = count ? count : most;
    if ((int)fitting->model.row_count <
        (count > 1 ? FEWEST_ROWS_WHERE_ASKED : FEWEST_ROWS_FOR_BREAKS))
        return false;
    fitting->is_seeking = true;
    const bool good = fit_simple(fitting, false, &now);
    best = now;
    for (int idle = 0; good && idle < MOST_IDLE;) {
        int pieces = now.machine.protocol_count ? now.machine.protocol_count : 1;
        bool has_protocol =
            pieces < protocols && add_best_break(fitting, &of_protocols, &now, &protocol);
        bool has_compute = now.machine.compute.count < MOST_RATES &&
                           now.machine.parameters[PARAMETER_TC] > 0 &&
                           add_best_break(fitting, &of_compute, &now, &compute);
        if (!has_protocol && !has_compute)
            break;
        bool takes_compute =
            has_compute && (!has_protocol || compute.criterion < protocol.criterion);
        now = takes_compute ? compute : protocol;
        bool is_wanted = count > best.machine.protocol_count && !takes_compute;
        bool is_better = is_wanted || now.criterion < best.criterion;
        idle = is_better || now.machine.protocol_count < count ? 0 : idle + 1;
        best = is_better ? now : best;
    }
    if (good)
        fitting->start = best.machine;
    fitting->is_seeking = false;
    return good;
}
