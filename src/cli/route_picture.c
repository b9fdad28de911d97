#include "cli/pictures.h"

#include "cli/files.h"
#include "cost/journey.h"
#include "format/charts.h"

#include <math.h>

typedef struct {
    const Query *query;
    const Network *network;
    Routes routes;
    size_t *at; /* the number in `routes` of its first link, its second, ... */
    const LinkCost *link_costs;
    double bytes;
    int protocol; /* that the message has, by number; -1: none */
} MessagePath;

static const LinkCost *link_cost_at(const MessagePath *path, size_t hop)
{
    return &path->link_costs[path->routes.classes ? path->routes.classes[path->at[hop]] : 0];
}
double link_price(const Rules *rules, const LinkCost *cost, int protocol, Parameter parameter)
{
    if (cost->own[parameter] && !cost->listed[parameter])
        return cost->values[parameter];
    return rules->protocols
               ? protocol_price(rules, cost->list, protocol, parameter, rules->parameters)
               : rules->parameters[parameter];
}

static double value_at(const MessagePath *path, size_t hop, Parameter parameter)
{
    return link_price(&path->query->study.rules, link_cost_at(path, hop), path->protocol,
                      parameter);
}

static RoutePanel make_panel(const MessagePath *path, Switching switching)
{
    Arena *arena = path->query->study.arena;
    const size_t count = path->routes.link_count;
    RouteHop *hops = ARENA_ARRAY(arena, RouteHop, count);
    bool is_asked = path->query->study.rules.switching == switching;
    /* The header goes ahead, and the body follows at the speed of the slowest link; else a node
       sends it on when it is there. */
    const bool goes_ahead = switching == SWITCHING_CUT_THROUGH;
    double clock = 0, slowest = 0;
    size_t highest = 0; /* the level whose startup a message pays */
    for (size_t i = 0; i < count; i++) {
        slowest = fmax(slowest, path->bytes * value_at(path, i, PARAMETER_TW));
        if (link_cost_at(path, i)->level > link_cost_at(path, highest)->level)
            highest = i;
    }
    for (size_t i = 0; i < count; i++) {
        const double startup = switching == SWITCHING_STARTUPS ? value_at(path, i, PARAMETER_TS)
                               : i == 0 ? value_at(path, highest, PARAMETER_TS)
                                        : 0;
        const double body = goes_ahead ? slowest : path->bytes * value_at(path, i, PARAMETER_TW);
        hops[i] = (RouteHop){clock, startup, value_at(path, i, PARAMETER_TH), body};
        clock += startup + hops[i].header + (goes_ahead ? 0 : body);
    }
    const double end = goes_ahead ? clock + slowest : clock;
    return (RoutePanel){
        .words = arena_printf(arena, "%s%s", switching_names[switching],
                              is_asked ? "" : ", for comparison"),
        .total = arena_printf(arena, "total: %s", quantity_show_time(arena, end)),
        .end = end,
        .hops = hops,
    };
}

static const char *node_name(const MessagePath *path, int64_t node)
{
    bool is_rank = node < path->network->p;
    return arena_printf(path->query->study.arena, "%s %lld", is_rank ? "rank" : "switch",
                        (long long)(is_rank ? node : node - path->network->p));
}

Status route_picture(const Query *query, const TraceSubject *subject, double bytes)
{
    Arena *arena = query->study.arena;
    const Instance *instance = subject->instance;
    const Switching asked = query->study.rules.switching;
    MessagePath path = {.query = query,
                        .network = subject->network,
                        .link_costs =
                            rules_link_costs(arena, &query->study.rules, subject->network),
                        .bytes = bytes};
    if (!network_route(subject->network, arena, 1, &instance->root, &instance->target, &path.routes,
                       query->study.diag))
        return STATUS_BAD_INPUT;
    const size_t count = path.routes.link_count;
    path.at = ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++)
        path.at[path.routes.slot[i]] = i;
    if (count > ROUTE_MOST_HOPS)
        return BAD_INPUT(query->study.diag, NOWHERE,
                         "a path of %zu links is too long for a picture (at most %d)", count,
                         ROUTE_MOST_HOPS);
    /* The protocol of a message that has all links for itself. */
    const Rules *rules = &query->study.rules;
    const LoadContext context = {
        .rules = rules, .network = subject->network, .link_costs = path.link_costs};
    const LinkLoad alone = {1, 1};
    Journey journey = journey_begin(&context, arena, 1);
    PathList paths = {0};
    PathCost crossing;
    bool is_crossed = rules->protocols != NULL;
    for (size_t i = 0; i < count && is_crossed; i++)
        is_crossed = journey_cross(&journey, path.routes.classes ? path.routes.classes[i] : 0,
                                   &alone, &crossing);
    if (is_crossed)
        journey_end(&journey, arena, &paths);
    path.protocol =
        is_crossed ? choose_protocol(&paths.items[0].choice, rules->parameters, bytes) : -1;
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    names[0] = node_name(&path, instance->root);
    for (size_t i = 0; i < count; i++)
        names[i + 1] = node_name(&path, path.routes.to[path.at[i]]);
    MessageRoute data = {
        .heading = trace_heading(query, subject, NULL),
        .hop_count = count,
        .nodes = names,
        .size = quantity_show_bytes(query->study.arena, bytes),
        .panels = {make_panel(&path, asked),
                   make_panel(&path, asked == SWITCHING_CUT_THROUGH ? SWITCHING_STORE_AND_FORWARD
                                                                    : SWITCHING_CUT_THROUGH)}};
    if (!trace_check_length(query, fmax(data.panels[0].end, data.panels[1].end)))
        return STATUS_BAD_INPUT;
    return picture_write(query->line, message_route_draw(query->study.arena, &data));
}
