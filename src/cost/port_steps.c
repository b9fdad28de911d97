#include "cost/port_steps.h"

#include "cost/merging.h"
#include "cost/port_levels.h"
#include "sched/rotation.h"

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
    return port->used < ports ? port->step : port->step + 1;
}

static void use_port(Port *port, int64_t step)
{
    port->used = port->step == step ? port->used + 1 : 1;
    port->step = (int32_t)step;
}

int64_t port_steps_assign(PortSteps *ports, Arena *arena, const Round *round,
                          const int64_t *bundles, int64_t *steps, Diag *diag)
{
    const bool together = rules_post_together(ports->rules, round->posting);
    const Rotation *rotation = ports->rotation;
    int64_t count = 0, out = ports->instance->ports, in = out;
    int32_t stamp = (int32_t)(round->number + 1);
    PortLevels levels;
    int64_t *bundle_steps = NULL; /* of each bundle: its last port step, plus 1 */
    if (bundles)
        bundle_steps = ARENA_ARRAY(arena, int64_t, MERGING_COUNT * round->count);
    if (!ports->senders) {
        const size_t all = (size_t)ports->instance->p * (ports->level_ports ? PORT_LEVELS : 1);
        ports->senders = ARENA_ARRAY(ports->arena, Port, all);
        ports->receivers = ARENA_ARRAY(ports->arena, Port, all);
    }
    if (ports->level_ports && !port_levels_find(ports->network, arena, round, &levels, diag))
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
            use_port(sender, 0);
            use_port(receiver, 0);
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
            use_port(sender, steps[t]);
        if (!joins || !arrives)
            use_port(receiver, steps[t]);
        if (bundle >= 0)
            bundle_steps[bundle] = steps[t] + 1;
        count = steps[t] + 1 > count ? steps[t] + 1 : count;
    }
    return count;
}
