#include "exchange/fit_breaks.h"

#include "base/watch.h"
#include "exchange/fit_start.h"

#include <math.h>
#include <string.h>

static const double least_break = 0x1p7, largest_break = 0x1p21;
/* So much better a break must be, since it is the best of so many. */
static const double least_gain = 6;

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

/* A machine with what it was fitted with. */
typedef struct {
    Machine machine;
    double scale;     /* of its residuals */
    double loss;      /* at that scale, with what parameters and breaks cost by the criterion */
    double as_before; /* the same at the scale of the machine with one break less */
} Tried;

/* Startups, bandwidths and compute on that machine, which becomes the best of these. `scale`: of
   the machine with one break less; 0: there is none. */
static bool fit_simple(Fitting *fitting, const Network *network, double scale, Tried *tried)
{
    Arena *scratch = arena_scratch(fitting->arena);
    LeastSquaresFit found;
    fitting->start = tried->machine;
    bool good = fitting_begin(fitting, network);
    size_t kept = 0;
    for (size_t i = 0; good && i < fitting->parameters->count; i++) {
        int parameter = fitting->parameters->items[i].varied.parameter;
        bool is_simple =
            parameter == PARAMETER_TS || parameter == PARAMETER_TW || parameter == PARAMETER_TC;
        fitting->is_absent[i] |= !is_simple && fitting->parameters->items[i].varied.is_zero;
        if (is_simple)
            fitting->places[kept++] = i;
    }
    fitting->place_count = kept;
    good = good && fitting->model.row_count > kept && fitting_run(fitting, scratch, &found);
    if (good) {
        const LeastSquares problem = {.rows = fitting->model.row_count};
        double price = (double)(kept + (size_t)tried->machine.protocol_count) *
                       log((double)fitting->model.row_count);
        tried->scale = found.scale;
        tried->loss = found.loss + price;
        tried->as_before =
            scale > 0 ? least_squares_loss(&problem, found.residuals, scale) + price : 0;
        fitting_keep(fitting, &found);
        tried->machine = fitting_machine(fitting, NULL);
    }
    arena_destroy(scratch);
    return good;
}

/* The best machine with one break more. */
static bool add_best_break(Fitting *fitting, const Network *network, const Tried *before,
                           Tried *best)
{
    const Machine *machine = &before->machine;
    bool any = false;
    for (double bytes = least_break; bytes <= largest_break; bytes *= 2) {
        bool is_there = false;
        for (int i = 0; i < machine->protocol_count; i++)
            is_there |= machine->protocols[i].up_to == bytes;
        Tried tried = {.machine = add_break(fitting->arena, machine, bytes)};
        watch_step(fitting->arena, "breaks of protocols", machine->protocol_count, 0);
        if (is_there || !fit_simple(fitting, network, before->scale, &tried))
            continue;
        if (!any || tried.as_before < best->as_before)
            *best = tried;
        any = true;
    }
    return any;
}

bool fit_breaks_find(Fitting *fitting, const Network *network, int count, int most)
{
    Tried now = {.machine = fitting->start}, more;
    if (fitting->model.row_count < FEWEST_ROWS_FOR_BREAKS || !fit_simple(fitting, network, 0, &now))
        return false;
    for (int pieces = 2; pieces <= (count ? count : most); pieces++) {
        if (!add_best_break(fitting, network, &now, &more) ||
            (!count && more.as_before >= now.loss - least_gain))
            break;
        now = more;
    }
    fitting->start = now.machine;
    return true;
}
