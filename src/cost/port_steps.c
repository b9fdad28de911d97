#include "cost/port_steps.h"

#include "cost/merging.h"
#include "sched/rotation.h"

/* Of each transfer: the levels of the link by which it leaves its sender, and of that by which it
   reaches its receiver. */
typedef struct {
    int *out, *in;
} PortLevels;

bool port_levels_differ(const Rules *rules, const Network *network)
{
    bool differ = false;
    if (!rules->level_ports || rules->all_ports || !network->levels_out)
        return false;
    for (int64_t r = 0; r < network->p && !differ; r++)
        differ = __builtin_popcount(network->levels_out[r]) > 1 ||
                 __builtin_popcount(network->levels_in[r]) > 1;
    return differ;
}

/* False after a report: no path. Local transfers have level 0. */
static bool find_levels(const Network *network, Arena *arena, const Round *round,
                        PortLevels *levels, Diag *diag)
{
    int *of_class = ARENA_ARRAY(arena, int, network->class_count);
    int64_t *from = ARENA_ROOM(arena, int64_t, round->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, round->count);
    size_t *places = ARENA_ROOM(arena, size_t, round->count), count = 0;
    *levels =
        (PortLevels){ARENA_ARRAY(arena, int, round->count), ARENA_ARRAY(arena, int, round->count)};
    for (size_t t = 0; t < round->count; t++) {
        if (transfer_is_local(&round->transfers[t]))
            continue;
        from[count] = round->transfers[t].from;
        to[count] = round->transfers[t].to;
        places[count++] = t;
    }
    Routes routes;
    if (!network_route(network, arena, count, from, to, &routes, diag))
        return false;
    for (size_t c = 0; c < network->class_count; c++)
        of_class[c] = network_level(network, network->classes[c].level);
    for (size_t i = 0; i < routes.link_count; i++) {
        size_t t = places[routes.message[i]];
        int level = of_class[routes.classes ? routes.classes[i] : 0];
        if (routes.slot[i] == 0)
            levels->out[t] = level;
        if (routes.slot[i] + 1 == routes.hops[routes.message[i]])
            levels->in[t] = level;
    }
    return true;
}

PortSteps port_steps_create(Arena *arena, const Instance *instance, const Rotation *rotation,
                            const Rules *rules, const Network *network)
{
    PortSteps ports = {.arena = arena,
                       .instance = instance,
                       .rotation = rotation,
                       .rules = rules,
                       .network = network,
                       .has_spare = true};
    ports.level_ports = port_levels_differ(rules, network);
    ports.same_ports =
        !rules->all_ports && !rules->level_ports && (rules->fixed_ports || rules->level_count == 0);
    return ports;
}

static int64_t free_port_step(Port *port, int32_t round, int64_t ports)
{
    if (port->round != round)
        *port = (Port){round, 0, 0};
    return port_free_step(port, ports);
}

int64_t port_steps_assign(PortSteps *ports, Arena *arena, const Round *round,
                          const int64_t *bundles, int64_t *steps, Diag *diag)
{
    const bool together = rules_post_together(ports->rules, round->posting);
    const Rotation *rotation = ports->rotation;
    int64_t count = 0, out = ports->instance->ports, in = out;
    int32_t stamp = (int32_t)(round->number + 1);
    PortLevels levels = {NULL, NULL};
    int64_t *bundle_steps = NULL; /* of each bundle: its last port step, plus 1 */
    if (bundles)
        bundle_steps = ARENA_ARRAY(arena, int64_t, MERGING_COUNT * round->count);
    if (!ports->senders) {
        const size_t all = (size_t)ports->instance->p * (ports->level_ports ? PORT_LEVELS : 1);
        ports->senders = ARENA_ARRAY(ports->arena, Port, all);
        ports->receivers = ARENA_ARRAY(ports->arena, Port, all);
    }
    if (ports->level_ports && !find_levels(ports->network, arena, round, &levels, diag))
        return -1;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        steps[t] = 0;
        count = count ? count : 1;
        if (transfer_is_local(transfer))
            continue;
        int64_t from = transfer->from, to = rotation ? transfer->to % rotation->by : transfer->to;
        if (together) {
            Port *sender = &ports->senders[from], *receiver = &ports->receivers[to];
            ports->has_spare &= free_port_step(sender, stamp, 1) == 0;
            ports->has_spare &= free_port_step(receiver, stamp, 1) == 0;
            port_use(sender, 0);
            port_use(receiver, 0);
            continue;
        }
        if (ports->level_ports) {
            from = from * PORT_LEVELS + levels.out[t];
            to = to * PORT_LEVELS + levels.in[t];
            out = in = 1;
        } else if (!ports->same_ports) {
            out = rules_send_ports(ports->rules, ports->network, from);
            in = rules_receive_ports(ports->rules, ports->network, transfer->to);
        }
        Port *sender = &ports->senders[from], *receiver = &ports->receivers[to];
        const int64_t first_out = free_port_step(sender, stamp, out);
        const int64_t first_in = free_port_step(receiver, stamp, in);
        const int64_t bundle = bundles ? bundles[t] : -1;
        const bool arrives = bundle >= 0 && bundle_arrives(bundles, t);
        const int64_t last = bundle >= 0 ? bundle_steps[bundle] - 1 : -1;
        /* It takes the port that one of its bundle has taken, at the end that they share. */
        const bool joins = last >= 0 && (arrives ? first_out : first_in) <= last;
        steps[t] = joins ? last : first_out > first_in ? first_out : first_in;
        if (!joins || arrives)
            port_use(sender, steps[t]);
        if (!joins || !arrives)
            port_use(receiver, steps[t]);
        if (bundle >= 0)
            bundle_steps[bundle] = steps[t] + 1;
        count = steps[t] + 1 > count ? steps[t] + 1 : count;
    }
    return count;
}
