/* Counts on rows, rings and square grids. */
#include "refuted_counts.h"

enum { MOST_NODES = 64, ANY_SLOT = -1 };

/* n nodes in a row, or closed to a ring, on which the way up is taken where both are as long. */
typedef struct {
    int n;
    bool closed;
} Line;

/* Links from one node to another: up > 0, down < 0. */
static int way_between(Line line, int from, int to)
{
    int up = to - from;
    if (!line.closed)
        return up;
    up = up < 0 ? up + line.n : up;
    return up <= line.n - up ? up : up - line.n;
}

/* The most messages on one link, each way apart, if node r sends to to[r]: over all the time, or
   while each takes the link of that number on its way. */
static int busiest_link(Line line, const int to[], int slot)
{
    int crossed[2][MOST_NODES] = {{0}}, most = 0;
    for (int r = 0; r < line.n; r++) {
        int way = way_between(line, r, to[r]), is_up = way > 0, step = is_up ? 1 : -1;
        for (int s = 0; s < step * way; s++) {
            int *link = &crossed[is_up][(r + step * s + line.n) % line.n];
            *link += slot == ANY_SLOT || slot == s;
            most = larger(most, *link);
        }
    }
    return most;
}

/* How often m is sent, link after link, if messages are stored at each node. */
static int stored_times(Line line, const int to[])
{
    int times = 0;
    for (int slot = 0; slot < line.n; slot++)
        times += busiest_link(line, to, slot);
    return times;
}

/* Rounds until each node of a closed chain of n knows what all have, one more in each round. */
static int rounds_of_ring(int n)
{
    int rounds = 0;
    for (int known = 1; known < n; known++)
        rounds++;
    return rounds;
}

int stored_round(int n)
{
    int to[MOST_NODES];
    for (int r = 0; r < n; r++)
        to[r] = (r + 1) % n;
    return stored_times((Line){n, false}, to);
}

int turns_of_step(int n, int i)
{
    int turns = 0;
    for (int r = 0; r < n; r++) {
        int sends = (r + 1 < n && r - i + 1 >= 0) + (r > 0 && r + i - 1 < n);
        turns = larger(turns, sends);
    }
    return turns;
}

/* (ts + m tw) (p - 1) */
static Cost neighbour_steps(int p)
{
    return (Cost){.ts = p - 1, .tw = p - 1};
}

Counts count_both_ways(Arena *arena, Case at)
{
    Cost found = {0};
    for (int i = 1; i < at.p; i++)
        found.ts += turns_of_step(at.p, i);
    found.tw = found.ts;
    return counts_of(arena, neighbour_steps(at.p), found);
}

Counts count_stored_round(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.ts = 1, .tw = 1}, (Cost){.ts = 1, .tw = stored_round(at.p)});
}

Counts count_stored_rounds(Arena *arena, Case at)
{
    int rounds = rounds_of_ring(at.p);
    return counts_of(arena, neighbour_steps(at.p),
                     (Cost){.ts = rounds, .tw = rounds * stored_round(at.p)});
}

Counts count_rounds_to_know_all(Arena *arena, Case at)
{
    return numbers_of(arena, at.p, rounds_of_ring(at.p));
}

/* The side of the square, not p, has so many neighbours. */
Counts count_rows_of_square(Arena *arena, Case at)
{
    int rounds = rounds_of_ring(side_of(at.p));
    return counts_of(arena, neighbour_steps(at.p), (Cost){.ts = rounds, .tw = rounds});
}

Counts count_columns_of_square(Arena *arena, Case at)
{
    int side = side_of(at.p), rounds = rounds_of_ring(side);
    return counts_of(arena, (Cost){.ts = at.p - 1, .tw = (at.p - 1) * side},
                     (Cost){.ts = rounds, .tw = rounds * side});
}

/* Rows with m, then columns with what a row has. */
Counts count_stored_square(Arena *arena, Case at)
{
    int side = side_of(at.p), rounds = rounds_of_ring(side), times = rounds * stored_round(side);
    return counts_of(arena, (Cost){.ts = 2 * (side - 1), .tw = at.p - 1},
                     (Cost){.ts = 2 * rounds, .tw = times + side * times});
}

/* `each` m to the neighbour in a closed row of a square, until all of the row is known. */
static Cost round_torus(int p, int each)
{
    int rounds = rounds_of_ring(side_of(p));
    return (Cost){.ts = rounds, .th = rounds, .tw = each * rounds};
}

static Cost rows_then_columns(int p)
{
    Cost rows = round_torus(p, 1), columns = round_torus(p, side_of(p));
    return (Cost){.ts = rows.ts + columns.ts,
                  .th = rows.th + columns.th,
                  .tw = rows.tw + columns.tw,
                  .parts = 1,
                  .hop_parts = 1};
}

/* (ts + m tw) (sqrt p - 1) */
Counts count_rows_of_torus(Arena *arena, Case at)
{
    int steps = side_of(at.p) - 1;
    return counts_of(arena, (Cost){.ts = steps, .tw = steps}, round_torus(at.p, 1));
}

/* (ts + m sqrt p tw) (sqrt p - 1) */
Counts count_columns_of_torus(Arena *arena, Case at)
{
    int side = side_of(at.p), steps = side - 1;
    return counts_of(arena, (Cost){.ts = steps, .tw = side * steps}, round_torus(at.p, side));
}

/* Both of these. */
Counts count_torus_sum(Arena *arena, Case at)
{
    int side = side_of(at.p), steps = side - 1;
    return counts_of(arena, (Cost){.ts = steps + steps, .tw = steps + side * steps},
                     rows_then_columns(at.p));
}

/* 2 ts (sqrt p - 1) + m tw (p - 1) */
Counts count_torus(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.ts = 2 * (side_of(at.p) - 1), .tw = at.p - 1},
                     rows_then_columns(at.p));
}

/* The third step of the hypercube's procedure, 4 m from each r to r xor 4. */
Counts count_hypercube_step_on_ring(Arena *arena, Case at)
{
    int to[MOST_NODES], messages;
    for (int r = 0; r < at.p; r++)
        to[r] = r ^ 4;
    messages = busiest_link((Line){at.p, true}, to, ANY_SLOT);
    return counts_of(arena, (Cost){.ts = 4, .tw = 4 * 4}, (Cost){.ts = 1, .tw = 4 * messages});
}
