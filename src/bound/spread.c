#include "bound/kinds.h"

static void sink(Spread *spread, int64_t at)
{
    double *next = spread->next;
    for (;;) {
        int64_t least = at, left = 2 * at + 1;
        for (int64_t child = left; child < left + 2 && child < spread->reached; child++)
            if (next[child] < next[least])
                least = child;
        if (least == at)
            return;
        double time = next[at];
        next[at] = next[least], next[least] = time;
        at = least;
    }
}

static void reach(Spread *spread, double time)
{
    double *next = spread->next;
    int64_t at = spread->reached;
    spread->arrivals[spread->reached++] = time;
    for (; at > 0 && next[(at - 1) / 2] > time; at = (at - 1) / 2)
        next[at] = next[(at - 1) / 2];
    next[at] = time;
}

Spread spread_start(Arena *arena, int64_t most, int64_t ports, double spacing, double startup)
{
    return (Spread){.ports = ports,
                    .most = most,
                    .spacing = spacing,
                    .startup = startup,
                    .arrivals = ARENA_ROOM(arena, double, (size_t)most),
                    .next = ARENA_ROOM(arena, double, (size_t)most)};
}

double spread_seconds(Spread *spread, int64_t start, int64_t wanted)
{
    if (spread->start != start)
        spread->reached = 0;
    spread->start = start;
    while (spread->reached < start)
        reach(spread, 0);
    while (spread->reached < wanted) {
        double arrival = spread->next[0] + spread->startup;
        spread->next[0] += spread->spacing;
        sink(spread, 0);
        for (int64_t i = 0; i < spread->ports && spread->reached < spread->most; i++)
            reach(spread, arrival);
    }
    return spread->arrivals[wanted - 1];
}
