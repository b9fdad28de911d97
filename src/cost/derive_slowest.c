#include "cost/derive_slowest.h"

#include "cost/derive_axes.h"
#include "cost/derive_plain.h"
#include "cost/derive_routes.h"

typedef struct {
    int64_t port_step; /* of which this is known */
    LinkLoad load;
} LinkState;

ARRAY_TYPE(LinkStateArray, LinkState);

/* Paths along one dimension of those that go on there or carry over to the next one; NULL: not
   known yet. */
typedef struct {
    PlainList *kept[2];
} ShiftedPaths;

struct LinkLoads {
    LinkLoads *next; /* of other turns */
    int64_t by;      /* messages of so many ranks stand for all; 0: each for itself */
    NetworkTurn turn;
    KnownRoutes *routes;
    LinkStateArray states; /* by number of the link */
    int64_t port_step;
    bool is_plain;          /* a path costs what its length and its largest load say */
    LinkLoads *whole;       /* the same without turns */
    ShiftedPaths **shifted; /* by dimension and distance; NULL: not known yet */
};

static LinkLoads *open_loads(LinkLoads **list, Arena *arena, const LoadContext *context,
                             const NetworkTurn *turn)
{
    const bool turns = turn->turns > 1;
    LinkLoads *loads = *list;
    while (loads &&
           !(loads->routes->network == context->network && loads->by == (turns ? turn->by : 0)))
        loads = loads->next;
    if (loads)
        return loads;
    loads = ARENA_NEW(arena, LinkLoads);
    *loads = (LinkLoads){.next = *list, .by = turns ? turn->by : 0, .turn = *turn};
    loads->routes = ARENA_NEW(arena, KnownRoutes);
    *loads->routes = routes_open(arena, context->network, turns ? &loads->turn : NULL,
                                 context->rules->duplex == DUPLEX_HALF, !context->node_capacities);
    loads->routes->nodes = node_capacities_find(arena, context->rules, context->network);
    loads->is_plain = links_are_plain(context);
    *list = loads;
    return loads;
}

LinkLoads *link_loads_open(PortStepMemo *memo, const LoadContext *context, int64_t by)
{
    Arena *arena;
    LinkLoads **list = memo_loads(memo, &arena);
    const int64_t p = context->network->p;
    const NetworkTurn none = {.p = p, .by = p, .turns = 1};
    if (context->rules->switching != SWITCHING_CUT_THROUGH || !context->network->router ||
        (context->node_capacities &&
         !node_capacities_are_links(context->node_capacities, context->rules, context->network)))
        return NULL;
    LinkLoads *whole = open_loads(list, arena, context, &none);
    if (!by)
        return whole;
    const NetworkTurn own = network_turn(context->network), turn = turn_multiple(&own, by);
    LinkLoads *loads = open_loads(list, arena, context, &turn);
    loads->turn = turn;
    loads->whole = whole;
    return loads;
}

KnownRoutes *link_loads_routes(const LinkLoads *loads)
{
    return loads->routes;
}

static bool find_routes(LinkLoads *loads, Arena *scratch, size_t count, const int64_t *from,
                        const int64_t *to, int32_t *found, Diag *diag)
{
    if (!routes_find(loads->routes, scratch, count, from, to, found, diag))
        return false;
    while (loads->states.count < (size_t)loads->routes->link_count)
        *ARRAY_PUSH_ALONE(loads->routes->arena, &loads->states) = (LinkState){0};
    return true;
}

static void add_load(LinkState *state, int64_t now, int64_t own, int64_t times)
{
    if (state->port_step != now)
        *state = (LinkState){now, {0, 0}};
    state->load.blocks += times * own;
    state->load.messages += times;
}

/* The link in front of the route of a message. */
static const FirstLink *first_of(const LinkLoads *loads, const PortStep *step, size_t i)
{
    return loads->routes->firsts ? routes_first(loads->routes, step->from[i]) : NULL;
}

static void load_links(LinkLoads *loads, const PortStep *step, const int32_t *found)
{
    LinkState *states = loads->states.items;
    const int32_t *times = loads->by ? loads->routes->times.items : NULL;
    const int64_t now = ++loads->port_step;
    for (size_t i = 0; i < step->count; i++) {
        const KnownRoute route = loads->routes->items.items[found[i]];
        const int32_t *links = loads->routes->links.items;
        const int64_t own = message_blocks(step, i);
        const FirstLink *link = first_of(loads, step, i);
        if (link)
            add_load(&states[link->link], now, own, times ? times[link->link] : 1);
        for (size_t l = route.first; l < route.first + route.count; l++)
            add_load(&states[links[l]], now, own, times ? times[links[l]] : 1);
    }
}

static void add_plain_link(const LinkLoads *loads, int32_t link, PlainCost *cost)
{
    const LinkLoad *load = &loads->states.items[link].load;
    cost->most.blocks = load->blocks > cost->most.blocks ? load->blocks : cost->most.blocks;
    cost->most.messages =
        load->messages > cost->most.messages ? load->messages : cost->most.messages;
    cost->hops++;
}

/* `link`: in front of the route; NULL: none. */
static PlainCost plain_cost(const LinkLoads *loads, const FirstLink *link, const KnownRoute *route,
                            int64_t own)
{
    const int32_t *links = loads->routes->links.items;
    PlainCost cost = {own, 0, {0, 0}};
    if (link)
        add_plain_link(loads, link->link, &cost);
    for (size_t l = route->first; l < route->first + route->count; l++)
        add_plain_link(loads, links[l], &cost);
    return cost;
}

static bool add_paths(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                      const FirstLink *link, const KnownRoute *route, int64_t own, PathList *paths)
{
    const LinkLoad *few[64], **crossed = few;
    uint8_t few_classes[64], *classes = few_classes;
    const int32_t *links = loads->routes->links.items;
    size_t count = 0;
    if (route->count + 1 > sizeof few / sizeof *few) {
        crossed = ARENA_ROOM(scratch, const LinkLoad *, route->count + 1);
        classes = ARENA_ROOM(scratch, uint8_t, route->count + 1);
    }
    if (link) {
        crossed[count] = &loads->states.items[link->link].load;
        classes[count++] = link->class;
    }
    for (size_t l = route->first; l < route->first + route->count; l++) {
        crossed[count] = &loads->states.items[links[l]].load;
        classes[count++] = loads->routes->classes.items[l];
    }
    return message_paths(context, scratch, own, count, classes, crossed, paths);
}

static void list_plain(const LinkLoads *loads, Arena *scratch, const PortStep *step,
                       const int32_t *found, size_t first, size_t end, PlainList *list)
{
    for (size_t i = first; i < end; i++) {
        const KnownRoute *route = &loads->routes->items.items[found[i]];
        const PlainCost cost =
            plain_cost(loads, first_of(loads, step, i), route, message_blocks(step, i));
        plain_push(scratch, list, &cost);
    }
}

/* Where each coordinate moves by itself: from the messages on the axes. False where it does not. */
static bool list_by_axes(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         const PortStep *step, PathList *slowest)
{
    Diag silent = diag_silent();
    AxisMessages axes;
    const Shape *shape = &context->network->shape;
    if (!loads->is_plain || !axis_messages_find(context->network, scratch, step, &axes))
        return false;
    const int64_t own = message_blocks(step, 0);
    PortStep some = {.count = axes.starts[shape->count],
                     .sizes = ARENA_ROOM(scratch, int64_t, axes.starts[shape->count])};
    for (size_t i = 0; i < some.count; i++)
        some.sizes[i] = own;
    int32_t *found = ARENA_ROOM(scratch, int32_t, some.count);
    some.from = axes.from;
    if (!find_routes(loads, scratch, some.count, axes.from, axes.to, found, &silent))
        return false;
    load_links(loads, &some, found);
    PlainList all = {0};
    *ARRAY_PUSH(scratch, &all) = (PlainCost){.own = own};
    for (int i = 0; i < shape->count; i++) {
        PlainList along = {0};
        if (axes.rests[i])
            *ARRAY_PUSH(scratch, &along) = (PlainCost){.own = own};
        list_plain(loads, scratch, &some, found, axes.starts[i], axes.starts[i + 1], &along);
        plain_keep_highest(&along);
        all = plain_join(scratch, &all, &along);
    }
    return plain_paths(context, scratch, &all, slowest);
}

/* What is known of ranks that all send to the one `shift` places up along a dimension, modulo its
   size, as many messages as there are links of a line: the paths of those that carry over its end,
   or of the others. NULL: they are not found. */
static const PlainList *shifted_along(LinkLoads *loads, Arena *scratch, int dimension,
                                      int64_t shift, bool carries)
{
    Diag silent = diag_silent();
    Arena *arena = loads->routes->arena;
    const Shape *shape = &loads->routes->network->shape;
    const int64_t size = shape->sizes[dimension], stride = shape_stride(shape, dimension);
    ShiftedPaths *known = &loads->shifted[dimension][shift];
    if (known->kept[carries])
        return known->kept[carries];
    int64_t *from = ARENA_ROOM(scratch, int64_t, size), *to = ARENA_ROOM(scratch, int64_t, size);
    PortStep some = {.from = from, .sizes = ARENA_ROOM(scratch, int64_t, size)};
    const bool rests = shift % size == 0;
    for (int64_t a = 0; a < size && !rests; a++, some.count++) {
        from[a] = a * stride, to[a] = (a + shift) % size * stride;
        some.sizes[a] = 1;
    }
    int32_t *found = ARENA_ROOM(scratch, int32_t, some.count + 1);
    if (!find_routes(loads, scratch, some.count, from, to, found, &silent))
        return NULL;
    load_links(loads, &some, found);
    /* those that carry over are the last ones */
    const size_t over = (size_t)(shift < size ? size - shift : 0);
    for (int out = 0; out < 2; out++) {
        PlainList *list = known->kept[out] = ARENA_NEW(arena, PlainList);
        if (!rests)
            list_plain(loads, arena, &some, found, out ? over : 0, out ? some.count : over, list);
        else if (out == (over == 0))
            *ARRAY_PUSH(arena, list) = (PlainCost){.own = 1};
        plain_keep_highest(list);
    }
    return known->kept[carries];
}

/* Where rank r sends to (r + c) mod p, and all send as much: along each dimension as far as the
   digit of c says, and one further where the ones before it carry over. In each line that is the
   same for all its ranks, since ranks with one goal along these others come from one place there.
 */
static bool list_by_shift(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                          const PortStep *step, PathList *slowest)
{
    const Shape *shape = &context->network->shape;
    const int64_t own = message_blocks(step, 0), p = context->network->p;
    int64_t left = (step->transfers[0]->to - step->transfers[0]->from + p) % p;
    PlainList before[2] = {{0}};
    if (!loads || !loads->is_plain || step->by != 1 || step->count != 1 ||
        !axes_are_lines(context->network))
        return false;
    if (!loads->shifted) {
        loads->shifted = ARENA_ARRAY(loads->routes->arena, ShiftedPaths *, shape->count);
        for (int i = 0; i < shape->count; i++)
            loads->shifted[i] =
                ARENA_ARRAY(loads->routes->arena, ShiftedPaths, (size_t)shape->sizes[i] + 1);
    }
    *ARRAY_PUSH(scratch, &before[0]) = (PlainCost){.own = 1};
    for (int i = 0; i < shape->count; left /= shape->sizes[i++]) {
        PlainList after[2] = {{0}};
        for (int in = 0; in < 2; in++)
            for (int out = 0; out < 2 && before[in].count; out++) {
                const PlainList *along =
                    shifted_along(loads, scratch, i, left % shape->sizes[i] + in, out);
                if (!along)
                    return false;
                const PlainList joined = plain_join(scratch, &before[in], along);
                for (size_t j = 0; j < joined.count; j++)
                    plain_push(scratch, &after[out], &joined.items[j]);
            }
        for (int out = 0; out < 2; out++) {
            plain_keep_highest(&after[out]);
            before[out] = after[out];
        }
    }
    for (size_t j = 0; j < before[1].count; j++)
        plain_push(scratch, &before[0], &before[1].items[j]);
    plain_keep_highest(&before[0]);
    for (size_t j = 0; j < before[0].count; j++) {
        PlainCost *cost = &before[0].items[j];
        cost->own = own;
        cost->most.blocks = cost->most.messages * own;
    }
    return plain_paths(context, scratch, &before[0], slowest);
}

/* Behind the last path only what it does not exceed. */
static void thin_out(PathList *paths, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < paths->count; i++)
        if (kept == 0 || !path_exceeds(&paths->items[kept - 1], &paths->items[i]))
            paths->items[kept++] = paths->items[i];
    paths->count = kept;
}

static bool list_slowest(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         const PortStep *step, const int32_t *found, PathList *slowest)
{
    PlainList plain = {0};
    bool good = true;
    if (loads->is_plain) {
        list_plain(loads, scratch, step, found, 0, step->count, &plain);
        return plain_paths(context, scratch, &plain, slowest);
    }
    for (size_t i = 0; i < step->count && good; i++) {
        const size_t before = slowest->count;
        good = add_paths(loads, context, scratch, first_of(loads, step, i),
                         &loads->routes->items.items[found[i]], message_blocks(step, i), slowest);
        thin_out(slowest, before);
    }
    return good;
}

static bool list_by_routes(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                           const PortStep *step, PathList *slowest, Diag *diag)
{
    PortStep all = *step;
    int64_t *from = ARENA_ROOM(scratch, int64_t, step->count);
    int64_t *to = ARENA_ROOM(scratch, int64_t, step->count);
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from;
        to[i] = step->transfers[i]->to;
    }
    all.from = from, all.to = to;
    if (step->by)
        all = port_step_of_turn(&loads->turn, scratch, step);
    int32_t *found = ARENA_ROOM(scratch, int32_t, all.count);
    if (!find_routes(loads, scratch, all.count, all.from, all.to, found, diag))
        return false;
    load_links(loads, &all, found);
    return list_slowest(loads, context, scratch, &all, found, slowest);
}

static bool find_slowest(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         PortStep *step, Diag *diag)
{
    PathList slowest = {0};
    Diag silent = diag_silent();
    const bool by_axes = list_by_shift(loads->whole, context, scratch, step, &slowest) ||
                         (!step->by && list_by_axes(loads, context, scratch, step, &slowest));
    if (!by_axes && !list_by_routes(loads, context, scratch, step, &slowest, &silent))
        return silent.limit_count ? network_report_hops(context->network, diag)
                                  : port_step_route(context, scratch, step, diag); /* tells why */
    step->entries = ARENA_NEW(scratch, PathRange);
    step->entries[0] = (PathRange){0, paths_keep_slowest(slowest.items, slowest.count)};
    step->entry_count = 1;
    step->entry_paths = slowest.items;
    step->path_count = step->entries[0].count;
    return true;
}

bool port_step_slowest(const LoadContext *context, PortStepMemo *memo, LinkLoads *loads,
                       Arena *scratch, PortStep *step, Diag *diag)
{
    const bool may_recall =
        !context->each && !context->network->topology->direct && !step->overlaps;
    if (may_recall && memo_recall(memo, step))
        return true;
    const bool is_alone = !step->together && !step->overlaps;
    const bool keeps_each = context->each && is_alone && memo && !step->by;
    step->is_again = keeps_each && memo_recall_each(memo, step);
    if (step->is_again)
        return true;
    if (context->each && memo && !keeps_each)
        memo_forget_each(memo);
    if (!(loads && is_alone ? find_slowest(loads, context, scratch, step, diag)
                            : port_step_route(context, scratch, step, diag)))
        return false;
    if (may_recall)
        memo_keep(memo, step);
    if (keeps_each)
        memo_keep_each(memo, step);
    return true;
}
