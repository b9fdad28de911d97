#include "cost/derive_lines.h"

#include "net/turn.h"

#include <string.h>

/* 16 bytes each; cubes of many dimensions have more, and lines of two nodes gain nothing. */
enum { MOST_LINKS = 1 << 23 };

/* Links first .. first + count - 1. */
typedef struct {
    uint32_t first, count;
} Piece;

ARRAY_TYPE(PieceArray, Piece);

/* Where a rank is along a dimension: its number among all ranks, line by line. */
typedef struct {
    int32_t number, coordinate;
} LinePlace;

struct LineLoads {
    Arena *arena;
    const Network *network;
    bool joins;
    LinePlace *places;               /* by rank and dimension */
    bool turns[MOST_DIMENSIONS];     /* runs to each place are those to place 0, moved along */
    int32_t **runs[MOST_DIMENSIONS]; /* by goal, as line_runs has them; NULL: not known */
    /* By dimension, direction (one where both are joined), and place of the rank that a link
       leaves, or of the lower one; 0 between calls. */
    LinkLoad *links;
};

static LinePlace *find_places(Arena *arena, const Shape *shape)
{
    const size_t count = (size_t)shape->p * (size_t)shape->count;
    LinePlace *places = ARENA_ROOM(arena, LinePlace, count), *place = places;
    for (int64_t r = 0; r < shape->p; r++)
        for (int64_t i = 0, stride = 1; i < shape->count; stride *= shape->sizes[i++]) {
            const int64_t size = shape->sizes[i], coordinate = r / stride % size;
            const int64_t line = r / (stride * size) * stride + r % stride;
            *place++ = (LinePlace){(int32_t)(line * size + coordinate), (int32_t)coordinate};
        }
    return places;
}

LineLoads *line_loads_open(Arena *arena, const Network *network, bool joins)
{
    const Shape *shape = &network->shape;
    if (!network->router || network->grouping || network->router->count != shape->count ||
        network->node_count != network->p || shape->p != network->p ||
        network->p > MOST_LINKS / 2 / shape->count)
        return NULL;
    for (int i = 0; i < shape->count; i++)
        if (network->router->lines[i].graph.nodes != shape->sizes[i] ||
            !network->router->lines[i].columns)
            return NULL;
    LineLoads *loads = ARENA_NEW(arena, LineLoads);
    *loads = (LineLoads){.arena = arena, .network = network, .joins = joins};
    loads->places = find_places(arena, shape);
    for (int i = 0; i < shape->count; i++) {
        loads->turns[i] = turns_by_one(&network->router->lines[i]);
        loads->runs[i] = ARENA_ARRAY(arena, int32_t *, (size_t)shape->sizes[i]);
    }
    loads->links =
        ARENA_ARRAY(arena, LinkLoad, (size_t)shape->p * (size_t)shape->count * (joins ? 1 : 2));
    return loads;
}

/* From one place of a line to another, as line_runs has it; 0: it is no run. */
static int64_t run_to(LineLoads *loads, Arena *scratch, int dimension, int64_t at, int64_t to)
{
    Line *line = &loads->network->router->lines[dimension];
    const int64_t size = line->graph.nodes;
    if (loads->turns[dimension]) {
        at -= to - (at < to ? size : 0);
        to = 0;
    }
    int32_t **runs = &loads->runs[dimension][to];
    if (!*runs) {
        int32_t *found = ARENA_ROOM(loads->arena, int32_t, (size_t)size);
        if (!line_runs(line, scratch, to, found))
            return 0;
        *runs = found;
    }
    return (*runs)[at];
}

static void push_piece(Arena *arena, PieceArray *pieces, int64_t first, int64_t count)
{
    if (count)
        *ARRAY_PUSH(arena, pieces) = (Piece){(uint32_t)first, (uint32_t)count};
}

/* A run of links along a line that closes behind its last node. `base`: its first link. */
static void push_run(const LineLoads *loads, Arena *arena, int64_t base, int64_t size, int64_t at,
                     int64_t run, PieceArray *pieces)
{
    int64_t first = at;
    if (run < 0) {
        run = -run;
        first = at - run + (loads->joins ? 0 : 1);
        first += first < 0 ? size : 0;
    }
    if (loads->joins && size == 2)
        first = 0; /* the two are neighbours once */
    const int64_t before = run < size - first ? run : size - first;
    push_piece(arena, pieces, base + first, before);
    push_piece(arena, pieces, base, run - before);
}

/* The links of all messages; ends[i]: behind those of message i. */
static bool find_pieces(LineLoads *loads, Arena *scratch, const PortStep *step, PieceArray *pieces,
                        size_t *ends)
{
    const Shape *shape = &loads->network->shape;
    const int dimensions = shape->count;
    for (size_t m = 0; m < step->count; m++) {
        int64_t node = step->transfers[m]->from, stride = 1, offset = 0;
        const LinePlace *goal = loads->places + step->transfers[m]->to * dimensions;
        for (int i = 0; i < dimensions; i++) {
            const LinePlace place = loads->places[node * dimensions + i];
            const int64_t size = shape->sizes[i], at = place.coordinate, to = goal[i].coordinate;
            if (at != to) {
                const int64_t run = run_to(loads, scratch, i, at, to);
                if (!run)
                    return false;
                const int64_t base =
                    offset + place.number - at + (run < 0 && !loads->joins ? shape->p : 0);
                push_run(loads, scratch, base, size, at, run, pieces);
                node += (to - at) * stride;
            }
            stride *= size;
            offset += shape->p * (loads->joins ? 1 : 2);
        }
        ends[m] = pieces->count;
    }
    return true;
}

static void load_pieces(LinkLoad *links, const PortStep *step, const PieceArray *pieces,
                        const size_t *ends)
{
    for (size_t m = 0, i = 0; m < step->count; m++)
        for (const int64_t own = message_blocks(step, m); i < ends[m]; i++) {
            LinkLoad *first = links + pieces->items[i].first;
            for (uint32_t l = 0; l < pieces->items[i].count; l++) {
                first[l].blocks += own;
                first[l].messages++;
            }
        }
}

static PlainCost cost_of(const LinkLoad *links, const Piece *pieces, size_t count, int64_t own)
{
    LinkLoad most = {0, 0};
    size_t hops = 0;
    for (size_t i = 0; i < count; i++) {
        const LinkLoad *first = links + pieces[i].first;
        for (uint32_t l = 0; l < pieces[i].count; l++) {
            most.blocks = first[l].blocks > most.blocks ? first[l].blocks : most.blocks;
            most.messages = first[l].messages > most.messages ? first[l].messages : most.messages;
        }
        hops += pieces[i].count;
    }
    return (PlainCost){own, hops, most};
}

bool line_loads_list(LineLoads *loads, Arena *scratch, const PortStep *step, PlainList *list)
{
    PieceArray pieces = {0};
    size_t *ends = ARENA_ROOM(scratch, size_t, step->count + 1);
    if (!find_pieces(loads, scratch, step, &pieces, ends))
        return false;
    load_pieces(loads->links, step, &pieces, ends);
    for (size_t m = 0, i = 0; m < step->count; i = ends[m++]) {
        const PlainCost cost =
            cost_of(loads->links, pieces.items + i, ends[m] - i, message_blocks(step, m));
        plain_push(scratch, list, &cost);
    }
    for (size_t i = 0; i < pieces.count; i++)
        memset(loads->links + pieces.items[i].first, 0,
               pieces.items[i].count * sizeof *loads->links);
    return true;
}
