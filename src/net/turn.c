#include "net/turn.h"

#include "base/whole.h"
#include "lang/motion.h"

/* Origins of what turns: the node where a message is, and where it wants to be. */
enum { ORIGIN_AT = 1, ORIGIN_TO };

static int kind_of(const NetworkTurn *turn, int64_t node)
{
    int i = 0;
    while (node >= turn->kinds[i].first + turn->kinds[i].count)
        i++;
    return i;
}

/* The node on which this one lands after some turns, 0 .. turns - 1, back or forth. */
static int64_t move(const TurningNodes *kind, int64_t node, int64_t turns)
{
    int64_t place = node - kind->first + turns * kind->by;
    place += place < 0 ? kind->count : place >= kind->count ? -kind->count : 0;
    return kind->first + place;
}

bool turn_link(const NetworkTurn *turn, int64_t *from, int64_t *to)
{
    const TurningNodes *kinds[] = {&turn->kinds[kind_of(turn, *from)],
                                   &turn->kinds[kind_of(turn, *to)]};
    const int64_t nodes[] = {*from, *to};
    for (int end = 0; end < 2; end++) {
        if (!kinds[end]->by)
            continue;
        int64_t back = -((nodes[end] - kinds[end]->first) / kinds[end]->by);
        *from = move(kinds[0], *from, back);
        *to = move(kinds[1], *to, back);
        return false;
    }
    return true;
}

NetworkTurn turn_multiple(const NetworkTurn *turn, int64_t ranks)
{
    NetworkTurn multiple = *turn;
    int64_t times = ranks / whole_common_divisor(ranks, turn->by);
    multiple.by *= times;
    multiple.turns /= times;
    for (int i = 0; i < multiple.kind_count; i++)
        multiple.kinds[i].by *= times;
    return multiple;
}

/* Do all links land on links of the same class, where each node lands on its image? */
static bool links_land(const Graph *graph, const int64_t *images)
{
    for (int64_t n = 0; n < graph->nodes; n++) {
        const int64_t image = images[n];
        if (graph->starts[n + 1] - graph->starts[n] !=
            graph->starts[image + 1] - graph->starts[image])
            return false;
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1]; i++) {
            const int64_t link = graph_find(graph, image, images[graph->neighbours[i]]);
            if (link < 0 || (graph->classes && graph->classes[link] != graph->classes[i]))
                return false;
        }
    }
    return true;
}

/* Is every value of the expression a node, and does it turn as that node does? */
static bool lands_on_node(const Expr *expr, MotionScope *scope, const NetworkTurn *turn)
{
    if (expr->kind == EXPR_WHEN) {
        Motion condition = motion_find(expr->arguments[0], scope);
        if (condition.kind != MOTION_STAYS)
            return false;
        return (condition.most == 0 || lands_on_node(expr->arguments[1], scope, turn)) &&
               (condition.least == 1 || lands_on_node(expr->arguments[2], scope, turn));
    }
    Motion next = motion_find(expr, scope);
    for (int i = 0; i < turn->kind_count; i++) {
        const TurningNodes *kind = &turn->kinds[i];
        bool moves = kind->by && next.kind == MOTION_TURNS && next.by == kind->by;
        bool stays = !kind->by && next.kind == MOTION_STAYS;
        int64_t end = kind->first + (moves ? kind->by : kind->count);
        if ((moves || stays) && next.least >= kind->first && next.most < end)
            return true;
    }
    return false;
}

/* Does `next` of the line turn with the node where a message is and its destination? */
static bool paths_turn(const Line *line, const NetworkTurn *turn)
{
    if (!line->topology->next.program)
        return false;
    for (int i = 0; i < turn->kind_count; i++) {
        const TurningNodes *kind = &turn->kinds[i];
        MotionScope scope = {.turns = turn->turns};
        int64_t last = kind->first + (kind->by ? kind->by : kind->count) - 1;
        scope.slots[TOPOLOGY_P] = motion_known(turn->p);
        scope.slots[TOPOLOGY_R] = motion_turns(kind->first, last, kind->by, ORIGIN_AT);
        scope.slots[TOPOLOGY_TO] = motion_turns(0, turn->by - 1, turn->by, ORIGIN_TO);
        if (line->ties == TIES_PLUS)
            scope.slots[TOPOLOGY_UP] = motion_known(1);
        for (int x = 0; x < line->topology->named_count; x++)
            scope.slots[TOPOLOGY_SIZES + x] = motion_known(line->names.sizes[x]);
        scope.slots[TOPOLOGY_UPLINKS] = motion_known(line->names.uplinks);
        scope.slots[TOPOLOGY_ADAPTERS] = motion_known(line->names.adapters);
        if (!lands_on_node(program_expr(line->topology->next.program), &scope, turn))
            return false;
    }
    return true;
}

/* Are all neighbours of the node whose images are known sent to neighbours of `image`? */
static bool may_land(const Graph *graph, const int64_t *images, int64_t node, int64_t image)
{
    for (int64_t i = graph->starts[node]; i < graph->starts[node + 1]; i++) {
        int64_t neighbour = images[graph->neighbours[i]];
        if (neighbour >= 0 && graph_find(graph, image, neighbour) < 0)
            return false;
    }
    return true;
}

/* Where a switch must land: where it is, or beside the images of its neighbours, where no other one
   lands; -1: nowhere. Whether the guess is right is seen by its links. */
static int64_t guess_image(const Graph *graph, int64_t ranks, const int64_t *images,
                           const bool *taken, int64_t node)
{
    int64_t beside = -1;
    for (int64_t i = graph->starts[node]; i < graph->starts[node + 1] && beside < 0; i++)
        beside = images[graph->neighbours[i]];
    if (beside < 0 || may_land(graph, images, node, node))
        return beside < 0 ? -1 : node;
    for (int64_t i = graph->starts[beside]; i < graph->starts[beside + 1]; i++) {
        int64_t other = graph->neighbours[i];
        if (other >= ranks && !taken[other] && may_land(graph, images, node, other))
            return other;
    }
    return -1;
}

/* Switches that follow one another and land in the same way are one kind. False: too many. */
static bool add_kinds(NetworkTurn *turn, const int64_t *images, int64_t nodes)
{
    for (int64_t first = turn->p; first < nodes;) {
        int64_t by = images[first] - first, end = first + 1;
        if (turn->kind_count == MOST_TURNING_KINDS || by < 0 || by > nodes / turn->turns)
            return false;
        if (by > 0)
            end = first + by * turn->turns;
        while (by == 0 && end < nodes && images[end] == end)
            end++;
        const TurningNodes kind = {first, end - first, by};
        for (int64_t n = first; n < end; n++)
            if (end > nodes || images[n] != move(&kind, n, 1))
                return false;
        turn->kinds[turn->kind_count++] = kind;
        first = end;
    }
    return true;
}

/* Finds where switches land, and whether all links do. */
static bool graph_turns(const Graph *graph, NetworkTurn *turn)
{
    Arena *arena = arena_create(graph->workspace);
    int64_t *images = ARENA_ROOM(arena, int64_t, (size_t)graph->nodes);
    bool *taken = ARENA_ARRAY(arena, bool, (size_t)graph->nodes), good = true;
    for (int64_t n = 0; n < graph->nodes; n++)
        images[n] = n < turn->p ? move(&turn->kinds[0], n, 1) : -1;
    for (int64_t n = turn->p; n < graph->nodes && good; n++) {
        images[n] = guess_image(graph, turn->p, images, taken, n);
        good = images[n] >= turn->p;
        if (good)
            taken[images[n]] = true;
    }
    good = good && add_kinds(turn, images, graph->nodes) && links_land(graph, images);
    arena_destroy(arena);
    return good;
}

/* A turn of ranks alone: `by` of `p`. */
static NetworkTurn turn_ranks(int64_t p, int64_t by)
{
    return (NetworkTurn){p, by, p / by, {{0, p, by}}, 1};
}

/* In a line that stands for the network, or for its slowest dimension. */
static bool line_turns(const Line *line, NetworkTurn *turn)
{
    return graph_turns(&line->graph, turn) && paths_turn(line, turn);
}

static NetworkTurn find_turn(const Network *network)
{
    const Router *router = network->router;
    const Shape *shape = &network->shape;
    int slowest = shape->count - 1;
    while (slowest > 0 && shape->sizes[slowest] == 1)
        slowest--;
    int64_t stride = shape_stride(shape, slowest);
    if (!network->topology->factor_count) {
        NetworkTurn turn = turn_ranks(network->p, stride);
        return line_turns(&router->lines[0], &turn) ? turn : turn_ranks(network->p, network->p);
    }
    const Line *line = &router->lines[slowest];
    NetworkTurn by_one = turn_ranks(line->names.p, 1);
    const bool turns =
        network->node_count == network->p && line_turns(line, &by_one) && by_one.kind_count == 1;
    return turn_ranks(network->p, turns ? stride : network->p);
}

NetworkTurn network_turn(const Network *network)
{
    Router *router = network->router;
    if (network->grouping)
        return turn_ranks(network->p, network->router ? network->p : 1);
    if (!router)
        return turn_ranks(network->p, 1);
    if (!router->turn.p)
        router->turn = find_turn(network);
    return router->turn;
}

bool network_is_symmetric(const Network *network)
{
    if (!network->starts)
        return true;
    if (network->node_count > network->p || network->grouping)
        return false;
    Graph graph = network_graph(network);
    graph.classes = network->link_classes;
    Arena *arena = arena_create(graph.workspace);
    int64_t *images = ARENA_ROOM(arena, int64_t, (size_t)network->p);
    bool good = true;
    for (int i = 0; i < network->shape.count && good; i++) {
        const int64_t stride = shape_stride(&network->shape, i), size = network->shape.sizes[i];
        for (int64_t r = 0; r < network->p; r++) {
            const bool is_last = shape_coordinate(&network->shape, r, i) + 1 >= size;
            images[r] = is_last ? r - (size - 1) * stride : r + stride;
        }
        good = links_land(&graph, images);
    }
    arena_destroy(arena);
    return good;
}
