#include "exchange/fit_breaks.h"

#include "base/watch.h"
#include "exchange/fit_start.h"

#include <math.h>
#include <string.h>

static const double least_break = 0x1p7, largest_break = 0x1p21;

/* The machine with one more protocol, up to `bytes`, which begins with what such messages cost now.
 */
static Machine add_break(Arena *arena, const Machine *machine, double bytes)
{
    Machine more = *machine;
    Protocol protocols[MOST_PROTOCOLS];
    double sizes[MOST_PROTOCOLS];
    int count = 0;
    for (int i = 0; i + 1 < machine->protocol_count; i++)
        sizes[count++] = machine->protocols[i].up_to;
    int place = count++;
    for (; place > 0 && sizes[place - 1] > bytes; place--)
        sizes[place] = sizes[place - 1];
    sizes[place] = bytes;
    sizes[count++] = INFINITY;
    for (int i = 0; i < count; i++) {
        const Protocol *now =
            machine->protocol_count ? protocol_for(machine->protocols, sizes[i]) : NULL;
        protocols[i] = (Protocol){.number = i, .up_to = sizes[i], .parameters = {-1, -1, -1, -1}};
        for (int x = 0; x < PARAMETER_COUNT; x++)
            if (x == PARAMETER_TS || x == PARAMETER_TW)
                protocols[i].parameters[x] = now ? now->parameters[x] : machine->parameters[x];
        protocols[i].name = fit_start_name(arena, sizes, count, i);
    }
    memcpy(more.protocols, protocols, sizeof *protocols * (size_t)count);
    more.protocol_count = more.listed_count = count;
    return more;
}

/* Startups, bandwidths and compute on that machine, which becomes the best of these. */
static bool fit_simple(Fitting *fitting, const Network *network, Machine *machine,
                       double *criterion)
{
    Arena *scratch = arena_scratch(fitting->arena);
    LeastSquaresFit found;
    fitting->start = *machine;
    bool good = fitting_begin(fitting, network);
    size_t kept = 0;
    for (size_t i = 0; good && i < fitting->parameters->count; i++) {
        int parameter = fitting->parameters->items[i].varied.parameter;
        bool is_simple =
            parameter == PARAMETER_TS || parameter == PARAMETER_TW || parameter == PARAMETER_TC;
        fitting->is_absent[i] = !is_simple && fitting->parameters->items[i].varied.is_zero;
        if (is_simple)
            fitting->places[kept++] = i;
    }
    fitting->place_count = kept;
    double rows = (double)fitting->model.row_count;
    good = good && rows > (double)kept && fitting_run(fitting, scratch, &found);
    if (good) {
        *criterion = rows * log(found.loss * found.scale * found.scale / rows) +
                     (double)(kept + (size_t)machine->protocol_count) * log(rows);
        fitting_keep(fitting, &found);
        *machine = fitting_machine(fitting, NULL);
    }
    arena_destroy(scratch);
    return good;
}

static bool add_best_break(Fitting *fitting, const Network *network, Machine *machine,
                           double *criterion)
{
    Machine before = *machine;
    bool any = false;
    for (double bytes = least_break; bytes <= largest_break; bytes *= 2) {
        bool is_there = false;
        for (int i = 0; i < before.protocol_count; i++)
            is_there |= before.protocols[i].up_to == bytes;
        Machine tried = add_break(fitting->arena, &before, bytes);
        double found;
        watch_step(fitting->arena, "breaks of protocols", before.protocol_count, 0);
        if (is_there || !fit_simple(fitting, network, &tried, &found))
            continue;
        if (!any || found < *criterion) {
            *criterion = found;
            *machine = tried;
        }
        any = true;
    }
    return any;
}

bool fit_breaks_find(Fitting *fitting, const Network *network, int count, int most)
{
    Machine best = fitting->start;
    double least;
    if (fitting->model.row_count < FEWEST_ROWS_FOR_BREAKS ||
        !fit_simple(fitting, network, &best, &least))
        return false;
    Machine machine = best;
    for (int pieces = 2; pieces <= (count ? count : most); pieces++) {
        double criterion = least;
        if (!add_best_break(fitting, network, &machine, &criterion))
            break;
        if (!count && criterion >= least)
            break;
        least = criterion;
        best = machine;
    }
    fitting->start = best;
    return true;
}
