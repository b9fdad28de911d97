#include "cli/command.h"
#include "cli/cost_parts.h"
#include "cli/files.h"
#include "study/study.h"

#include <string.h>

/* Some ranks of a network as a network of their own. The other ranks are left out of it, or become
   switches where the members need them to reach one another. */

/* Do members reach one another past members and switches alone? */
static bool are_connected(const Query *query, const Network *network, const int64_t *numbers,
                          int64_t count)
{
    int64_t *queue = ARENA_ROOM(query->study.arena, int64_t, (size_t)network->node_count);
    bool *reached = ARENA_ARRAY(query->study.arena, bool, (size_t)network->node_count);
    int64_t tail = 1, members = 1, first = 0;
    if (!network->starts)
        return true;
    while (numbers[first] != 0)
        first++;
    queue[0] = first, reached[first] = true;
    for (int64_t head = 0; head < tail; head++)
        for (int64_t i = network->starts[queue[head]]; i < network->starts[queue[head] + 1]; i++) {
            const int64_t to = network->neighbours[i];
            if (reached[to] || (to < network->p && numbers[to] < 0))
                continue;
            reached[to] = true;
            queue[tail++] = to;
            members += to < network->p;
        }
    return members == count;
}

/* The network of the members. */
typedef struct {
    const Network *of;
    const int64_t *numbers;
    int64_t count, nodes;
    Buffer *text;
} Members;

static void write_link(const Members *members, int64_t link, int64_t from, int64_t to)
{
    const Network *network = members->of;
    const int64_t *numbers = members->numbers;
    Buffer *text = members->text;
    if (numbers[from] < 0 || numbers[to] < 0)
        return;
    buffer_printf(text, "  - {from: %lld, to: %lld", (long long)numbers[from],
                  (long long)numbers[to]);
    if (network->starts) {
        const LinkClass *of = &network->classes[network_link_class(network, link)];
        if (of->level)
            buffer_printf(text, ", level: %s", of->level);
        if (of->lanes)
            buffer_printf(text, ", lanes: %lld", (long long)of->lanes);
        if (of->tw >= 0)
            buffer_printf(text, ", bandwidth: %.17g B/s", 1 / of->tw);
        if (of->th >= 0)
            buffer_printf(text, ", latency: %.17g s", of->th);
    }
    buffer_printf(text, "}\n");
}

static void write_topology(const Members *members, const char *name)
{
    const Network *network = members->of;
    const Topology *topology = network->topology;
    Buffer *text = members->text;
    buffer_printf(text, "topology: %s\nranks: %lld\n", name, (long long)members->count);
    if (members->nodes > members->count)
        buffer_printf(text, "switches: %lld\n", (long long)(members->nodes - members->count));
    for (size_t i = 0; i < topology->level_count && network->starts; i++)
        buffer_printf(text, "%s%s%s", i ? ", " : "levels: [", topology->levels[i],
                      i + 1 == topology->level_count ? "]\n" : "");
    buffer_printf(text, "links:\n");
    for (int64_t node = 0; node < network->node_count; node++)
        if (network->starts)
            for (int64_t i = network->starts[node]; i < network->starts[node + 1]; i++)
                write_link(members, i, node, network->neighbours[i]);
        else
            for (int64_t to = 0; to < network->p; to++)
                if (to != node)
                    write_link(members, 0, node, to);
    buffer_printf(text, "routing: shortest\n");
}

/* Where the line says --members 0,4..7, makes them the ranks 0, 1, ... of the network of the query,
   which must be one; messages take shortest ways. Its topology is appended to `text`, and part of
   the library of the query. False after a report. */
static bool members_become_network(Query *query, Buffer *text)
{
    Study *study = &query->study;
    Network network;
    int64_t count;
    if (!option_given(query->line, OPTION_MEMBERS))
        return true;
    if (!query_network(query, 0, &network))
        return false;
    if (network_link_count(&network) > LIMIT_MEMBERS_LINKS)
        return diag_limit(study->diag, NOWHERE, "%s has too many links for --members",
                          network.name);
    /* What the nodes of the whole network are in that of the members. */
    int64_t *numbers = ARENA_ROOM(study->arena, int64_t, (size_t)network.node_count);
    for (int64_t i = 0; i < network.node_count; i++)
        numbers[i] = -1;
    const Text given = option_value(query->line, OPTION_MEMBERS);
    if (!members_parse(given, network.p, numbers, &count, study->diag))
        return false;
    if (count < 2)
        return diag_error(study->diag, given.span, "expected at least two members");
    const bool alone = are_connected(query, &network, numbers, count);
    int64_t nodes = count;
    for (int64_t i = alone ? network.p : 0; i < network.node_count; i++)
        if (numbers[i] < 0)
            numbers[i] = nodes++;
    /* "torus-4x4-members", or with what stands in place of the members where it is no longer. */
    const char *members =
        given.length <= 24 ? arena_printf(query->study.arena, "%.*s", TEXT_ARGS(given)) : "some";
    char *name = arena_printf(query->study.arena, "%s-members-%s", network.name, members);
    for (char *c = name; *c; c++)
        if (strchr(":. /=,", *c))
            *c = '-';
    const size_t before = text->count;
    write_topology(&(Members){&network, numbers, count, nodes, text}, name);
    if (!library_add_source(
            study->library,
            source_from_text(study->arena, "members", text->items + before, text->count - before),
            study->diag))
        return false;
    query->topology = library_topology(study->library,
                                       source_argument(study->arena, "members", name), study->diag);
    query->ranks.items[0] = count;
    query->shapes.items[0] = NULL;
    return query->topology != NULL;
}

static Status run_synthesize(const CommandLine *given)
{
    Context alone;
    CommandLine line = synthesized_alone(given, &alone);
    Query query;
    Objective objective;
    SynthesizedList made = {0};
    Buffer text = {.arena = line.arena};
    if (!synthesized_objective(&line, &objective) || !query_read_subject(&line, &query))
        return STATUS_BAD_INPUT;
    if (query.only)
        return BAD_INPUT(line.diag, line.operands.items[0].span,
                         "expected a collective, not one algorithm");
    if (query.ranks.count != 1)
        return BAD_INPUT(line.diag, NOWHERE, "expected one network");
    if (!query.sizes.count)
        return LACKING(&line, NOWHERE, OPTION_SIZE, "the message size is missing: give -m");
    if (!synthesized_is_possible(query.collective)) {
        diag_error(line.diag, line.operands.items[0].span, "no schedule of %s can be synthesized",
                   query.collective->head.name);
        diag_note(line.diag, NOWHERE,
                  "broadcast, reduce, scatter, gather, allgather, reduce-scatter, allreduce and "
                  "alltoall can be synthesized, and contracts without a root that combine nothing");
        return STATUS_BAD_INPUT;
    }
    /* All links at once, unless the line says otherwise. */
    if ((!option_given(&line, OPTION_PORTS) &&
         !study_set(&query.study, source_argument(line.arena, "--ports", "ports"),
                    source_argument(line.arena, "--ports", "all"))) ||
        !members_become_network(&query, &text) ||
        !synthesized_add(&query, 0, objective, &text, &made))
        return STATUS_BAD_INPUT;
    const char *names = made.items[0].name;
    for (size_t i = 1; i < made.count; i++)
        names = arena_printf(line.arena, "%s,%s", names, made.items[i].name);
    if (!study_set(&query.study, source_argument(line.arena, "--among", "among"),
                   source_argument(line.arena, "--among", names)))
        return STATUS_BAD_INPUT;
    const Status status = cost_synthesized(&query, &made);
    if (status != STATUS_FINE || !option_given(&line, OPTION_SAVE))
        return status;
    return file_write(&line, option_value(&line, OPTION_SAVE), text.items, text.count);
}

const Command command_synthesize = {
    .name = "synthesize",
    .operands = "COLLECTIVE",
    .summary = "schedules for this network that come near the bound",
    .description =
        "Makes schedules for any network. For large messages, trees are packed into its links, "
        "so that a broadcast, reduce, allgather, reduce-scatter or allreduce runs at the rate "
        "of the tightest cut; scatter, gather and alltoall follow paths that share the links; "
        "contracts of your own, such as M trainers to N generators, use both. The chunks of a "
        "block follow one another. --objective latency makes schedules of few rounds, for small "
        "messages. Schedules are run on real data, costed and compared with the bound like any "
        "others. A rank sends over all links at once unless --ports says otherwise. --members "
        "makes them for some ranks of the network. --save writes a model file that other "
        "commands read.",
    .examples = "collcost synthesize allgather -t torus:3x3 -m 1MiB\n"
                "collcost synthesize broadcast -t cluster:2x4 -m 1MiB --save broadcast.yaml",
    .options = OPTIONS_OF_COSTS | OPTIONS(FINISH, SIZES, REAL_K, CEIL_CHUNKS, BANDWIDTHS, OBJECTIVE,
                                          MEMBERS, SAVE, JOBS),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run_synthesize,
};
