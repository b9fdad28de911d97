#include "base/quantity.h"
#include "cli/files.h"
#include "cli/trace_picture.h"
#include "format/message_route.h"

#include <math.h>

typedef struct {
    const Query *query;
    const Network *network;
    Routes routes;
    size_t *at; /* the number in `routes` of its first link, its second, ... */
    const LinkPrice *prices;
    double bytes;
} Way;

static bool find_way(const Query *query, const Subject *subject, Way *way)
{
    const Instance *instance = subject->instance;
    *way = (Way){.query = query,
                 .network = subject->network,
                 .prices = rules_prices(query->arena, &query->rules, subject->network)};
    if (!network_route(subject->network, query->arena, 1, &instance->root, &instance->target,
                       &way->routes, query->diag))
        return false;
    way->at = ARENA_ARRAY(query->arena, size_t, way->routes.link_count);
    for (size_t i = 0; i < way->routes.link_count; i++)
        way->at[way->routes.slot[i]] = i;
    if (way->routes.link_count <= ROUTE_MOST_HOPS)
        return true;
    diag_error(query->diag, NOWHERE,
               "a picture of %zu links on a way could not be read: it shows up to %d",
               way->routes.link_count, ROUTE_MOST_HOPS);
    return false;
}

static const LinkPrice *price_at(const Way *way, size_t hop)
{
    return &way->prices[way->routes.classes ? way->routes.classes[way->at[hop]] : 0];
}

/* The link's own, else that of the message's protocol, else the machine's. */
static double value_of(const Way *way, const LinkPrice *price, Parameter parameter)
{
    const Rules *rules = &way->query->rules;
    if (price->own[parameter])
        return price->values[parameter];
    double value =
        rules->protocols ? protocol_for(rules->protocols, way->bytes)->parameters[parameter] : -1;
    return value >= 0 ? value : rules->parameters[parameter];
}

static double value_at(const Way *way, size_t hop, Parameter parameter)
{
    return value_of(way, price_at(way, hop), parameter);
}

/* A message pays the startup of the highest level on its way. */
static double startup_of(const Way *way)
{
    const LinkPrice *highest = price_at(way, 0);
    for (size_t i = 1; i < way->routes.link_count; i++)
        if (price_at(way, i)->level > highest->level)
            highest = price_at(way, i);
    return value_of(way, highest, PARAMETER_TS);
}

/* The header goes ahead, and the body follows at the speed of the slowest link. */
static double cut_through(const Way *way, RouteHop *hops)
{
    double clock = 0, body = 0;
    for (size_t i = 0; i < way->routes.link_count; i++)
        body = fmax(body, way->bytes * value_at(way, i, PARAMETER_TW));
    for (size_t i = 0; i < way->routes.link_count; i++) {
        double startup = i == 0 ? startup_of(way) : 0;
        hops[i] = (RouteHop){clock, startup, value_at(way, i, PARAMETER_TH), body};
        clock += startup + hops[i].header;
    }
    return clock + body;
}

/* A node sends it on when it is there. */
static double store_and_forward(const Way *way, bool all_startups, RouteHop *hops)
{
    double clock = 0;
    for (size_t i = 0; i < way->routes.link_count; i++) {
        double startup = all_startups ? value_at(way, i, PARAMETER_TS)
                         : i == 0     ? startup_of(way)
                                      : 0;
        hops[i] = (RouteHop){clock, startup, value_at(way, i, PARAMETER_TH),
                             way->bytes * value_at(way, i, PARAMETER_TW)};
        clock += startup + hops[i].header + hops[i].body;
    }
    return clock;
}

static RoutePanel make_panel(const Way *way, Switching switching)
{
    Arena *arena = way->query->arena;
    RouteHop *hops = ARENA_ARRAY(arena, RouteHop, way->routes.link_count);
    bool is_asked = way->query->rules.switching == switching;
    double end = switching == SWITCHING_CUT_THROUGH
                     ? cut_through(way, hops)
                     : store_and_forward(way, switching == SWITCHING_STARTUPS, hops);
    return (RoutePanel){
        .words = arena_printf(arena, "%s%s", switching_names[switching],
                              is_asked ? "" : ", for comparison"),
        .total = arena_printf(arena, "total: %s", quantity_show_time(arena, end)),
        .end = end,
        .hops = hops,
    };
}

static const char *node_name(const Way *way, int64_t node)
{
    bool is_rank = node < way->network->p;
    return arena_printf(way->query->arena, "%s %lld", is_rank ? "rank" : "switch",
                        (long long)(is_rank ? node : node - way->network->p));
}

Status route_picture(const Query *query, const Subject *subject, double bytes)
{
    Way way;
    Switching asked = query->rules.switching;
    if (!find_way(query, subject, &way))
        return STATUS_BAD_INPUT;
    way.bytes = bytes;
    size_t count = way.routes.link_count;
    const char **names = ARENA_ARRAY(query->arena, const char *, count + 1);
    names[0] = node_name(&way, subject->instance->root);
    for (size_t i = 0; i < count; i++)
        names[i + 1] = node_name(&way, way.routes.to[way.at[i]]);
    MessageRoute data = {
        .heading = trace_heading(query, subject, NULL),
        .hop_count = count,
        .nodes = names,
        .size = quantity_show_bytes(query->arena, bytes),
        .panels = {make_panel(&way, asked),
                   make_panel(&way, asked == SWITCHING_CUT_THROUGH ? SWITCHING_STORE_AND_FORWARD
                                                                   : SWITCHING_CUT_THROUGH)}};
    if (!trace_check_length(query, fmax(data.panels[0].end, data.panels[1].end)))
        return STATUS_BAD_INPUT;
    return picture_write(query->line, message_route_draw(query->arena, &data));
}
