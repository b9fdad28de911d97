#include "cost/port_runs.h"

/* Pieces of a round, at most. */
enum { MOST_PIECES = 256 };

/* Ranks start .. the start of the next stretch - 1: they have used `used` ports of port step
 * `step`.
 */
typedef struct {
    int64_t start, step, used;
} Stretch;

ARRAY_TYPE(Stretches, Stretch);

static size_t stretch_of(const Stretches *ports, int64_t rank)
{
    size_t i = 0;
    while (i + 1 < ports->count && ports->items[i + 1].start <= rank)
        i++;
    return i;
}

static int64_t end_of(const Stretches *ports, size_t i, int64_t p)
{
    return i + 1 < ports->count ? ports->items[i + 1].start : p;
}

/* Makes a stretch begin at this rank. */
static void cut(Arena *arena, Stretches *ports, int64_t rank, int64_t p)
{
    const size_t i = stretch_of(ports, rank);
    if (rank >= p || ports->items[i].start == rank)
        return;
    *ARRAY_PUSH(arena, ports) = (Stretch){0, 0, 0};
    for (size_t j = ports->count - 1; j > i + 1; j--)
        ports->items[j] = ports->items[j - 1];
    ports->items[i + 1] = ports->items[i];
    ports->items[i + 1].start = rank;
}

/* The first port step in which these ranks have a port. */
static int64_t free_step(const Stretch *port, int64_t ports)
{
    return port->used < ports ? port->step : port->step + 1;
}

static void use(Arena *arena, Stretches *ports, int64_t first, int64_t count, int64_t step,
                int64_t p)
{
    cut(arena, ports, first, p);
    cut(arena, ports, first + count, p);
    for (size_t i = stretch_of(ports, first);
         i < ports->count && ports->items[i].start < first + count; i++) {
        Stretch *port = &ports->items[i];
        port->used = port->step == step ? port->used + 1 : 1;
        port->step = step;
    }
}

static MessageRun run_part(const MessageRun *run, int64_t first, int64_t count)
{
    MessageRun part = *run;
    part.from = (Progression){run_sender(run, first), run->from.stride, count};
    part.blocks += first * run->slope;
    part.goal += first * run->goal_step;
    return part;
}

/* Cuts one run where the ports of its senders or receivers differ. */
static bool assign_run(Arena *arena, int64_t p, int64_t ports, const MessageRun *run,
                       Stretches *senders, Stretches *receivers, PortRunArray *pieces)
{
    for (int64_t done = 0, count; done < run->from.count; done += count) {
        const int64_t from = run->from.first + done, to = from + run->shift;
        const size_t s = stretch_of(senders, from), r = stretch_of(receivers, to);
        const int64_t out = end_of(senders, s, p) - from, in = end_of(receivers, r, p) - to;
        const int64_t left = run->from.count - done;
        count = out < in ? out : in;
        count = count < left ? count : left;
        const int64_t a = free_step(&senders->items[s], ports);
        const int64_t b = free_step(&receivers->items[r], ports), step = a > b ? a : b;
        if (pieces->count == MOST_PIECES)
            return false;
        *ARRAY_PUSH(arena, pieces) = (PortRun){run_part(run, done, count), step};
        use(arena, senders, from, count, step, p);
        use(arena, receivers, to, count, step, p);
    }
    return true;
}

/* Have these no rank in common? False also where that is not seen from their ends and strides. */
static bool are_apart(Progression a, Progression b)
{
    const int64_t least = a.stride < b.stride ? a.stride : b.stride;
    const int64_t most = a.stride < b.stride ? b.stride : a.stride;
    return progression_last(&a) < b.first || progression_last(&b) < a.first ||
           (most % least == 0 && (a.first - b.first) % least != 0);
}

static Progression receivers_of(const MessageRun *run)
{
    return (Progression){run->from.first + run->shift, run->from.stride, run->from.count};
}

/* Does each rank send and receive one message? */
static bool use_ports_once(const MessageRun *runs, size_t count)
{
    if (count > 16)
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (runs[i].mask || runs[j].mask || !are_apart(runs[i].from, runs[j].from) ||
                !are_apart(receivers_of(&runs[i]), receivers_of(&runs[j])))
                return false;
    return true;
}

int64_t port_runs_assign(Arena *arena, int64_t p, int64_t ports, const MessageRun *runs,
                         size_t count, PortRunArray *pieces)
{
    Stretches senders = {0}, receivers = {0};
    int64_t steps = 0;
    if (use_ports_once(runs, count)) {
        for (size_t i = 0; i < count; i++)
            *ARRAY_PUSH(arena, pieces) = (PortRun){runs[i], 0};
        return 1;
    }
    *ARRAY_PUSH(arena, &senders) = (Stretch){0, 0, 0};
    *ARRAY_PUSH(arena, &receivers) = (Stretch){0, 0, 0};
    for (size_t i = 0; i < count; i++)
        if (runs[i].mask || (runs[i].from.stride != 1 && runs[i].from.count > 1) ||
            !assign_run(arena, p, ports, &runs[i], &senders, &receivers, pieces))
            return -1;
    for (size_t i = 0; i < pieces->count; i++)
        steps = pieces->items[i].step + 1 > steps ? pieces->items[i].step + 1 : steps;
    return steps;
}
