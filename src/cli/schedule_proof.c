#include "cli/schedule_proof.h"

#include "sched/schedule.h"
#include "study/candidates.h"

#include <math.h>

/* Up to here a schedule is written out. */
enum { MOST_RANKS = 64, MOST_PIECES = 1 << 16 };

/* Bytes beside which nothing else counts. */
static const double huge = 1e18;

typedef struct {
    Buffer *out;
    const Query *query;
    const Network *network;
    Arena *scratch;
    int64_t round, step; /* the last ones that were begun */
    bool is_plain;       /* so far: all transfers carry blocks of the contract from rank to rank */
} Writer;

static Instance instance_of(const Query *query, const Algorithm *algorithm, const Network *network)
{
    return (Instance){.algorithm = algorithm,
                      .p = network->p,
                      .root = query->study.root,
                      .k = 1,
                      .ports = rules_ports(&query->study.rules, network),
                      .shape = &network->shape,
                      .target = query->study.target};
}

/* " via 8 9": routers of the nodes on the way. */
static void write_way(Writer *writer, const ScheduledTransfer *transfer)
{
    const int64_t from = transfer->from, to = transfer->to;
    long long p = writer->network->p;
    Routes routes;
    if (!network_route(writer->network, writer->scratch, 1, &from, &to, &routes,
                       writer->query->study.diag)) {
        writer->is_plain = false;
        return;
    }
    buffer_printf(writer->out, " via %lld", p + from);
    for (int64_t slot = 0; slot < routes.hops[0]; slot++)
        for (size_t i = 0; i < routes.link_count; i++)
            if (routes.slot[i] == slot)
                buffer_printf(writer->out, " %lld", p + routes.to[i]);
}

static void write_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Writer *writer = context;
    const ScheduledTransfer *transfer = costed->transfer;
    writer->is_plain &= !transfer_is_local(transfer) && !round->destination;
    if (!writer->is_plain || transfer->block_count == 0)
        return;
    if (round->number != writer->round)
        buffer_printf(writer->out, "round\n");
    if (costed->step->number != writer->step)
        buffer_printf(writer->out, "turn\n");
    writer->round = round->number, writer->step = costed->step->number;
    buffer_printf(writer->out, "%s %d %d", verb_info[transfer->verb].key, transfer->from,
                  transfer->to);
    const ArenaMark mark = arena_mark(writer->scratch);
    write_way(writer, transfer);
    arena_release(writer->scratch, mark);
    buffer_printf(writer->out, " of");
    for (size_t i = 0; i < transfer->block_count; i++)
        buffer_printf(writer->out, " %lld", (long long)round->blocks[transfer->first_block + i]);
    buffer_printf(writer->out, "\n");
}

/* Does it take, for bytes alone, what the bound says, with blocks that are not too many? */
static bool reaches(const Query *query, const Instance *instance, const Network *network,
                    const Bound *bound)
{
    Profile profile;
    double parameters[PARAMETER_COUNT] = {0}, least[PARAMETER_COUNT];
    BlockSpace space;
    parameters[PARAMETER_TW] = query->study.rules.parameters[PARAMETER_TW];
    rules_least(&query->study.rules, network, least);
    if (!schedule_blocks(instance, &space, query->study.diag) || space.count > MOST_PIECES ||
        space.count != space.array_blocks ||
        !profile_derive(query->study.arena, instance, network, &query->study.rules, &profile,
                        query->study.diag))
        return false;
    double time = cost_total(profile_cost(&profile, parameters, huge));
    return fabs(time - bound_seconds(bound, least, huge)) <= 1e-9 * time;
}

/* Into a text of its own, since what is no plain schedule shows late. */
static bool write_schedule(Buffer *out, const Query *query, const Instance *instance,
                           const Network *network)
{
    int64_t pieces;
    Profile profile;
    Buffer text = {.arena = arena_scratch(query->study.arena)};
    Writer writer = {&text, query, network, arena_scratch(query->study.arena), -1, -1, true};
    const TraceVisitor visitor = {.transfer = write_transfer, .context = &writer};
    bool good = schedule_chunks(instance, &pieces, query->study.diag) &&
                profile_trace(query->study.arena, instance, network, &query->study.rules, &visitor,
                              &profile, query->study.diag) &&
                writer.is_plain;
    if (good) {
        buffer_printf(out, "# reached by %s\npieces %lld\n",
                      algorithm_full_name(query->study.arena, instance->algorithm),
                      (long long)(pieces ? pieces : 1));
        buffer_add(out, text.items, text.count);
    }
    arena_destroy(writer.scratch);
    arena_destroy(text.arena);
    return good;
}

static bool are_simple(const Rules *rules)
{
    return rules_are_usual(rules) && rules->switching == SWITCHING_CUT_THROUGH;
}

void schedule_proof_write(Buffer *out, const Query *query, const Collective *collective,
                          const Network *network, const Bound *bound)
{
    Diag silent = diag_silent();
    Query quiet = *query;
    AlgorithmArray algorithms = {0};
    quiet.study.diag = &silent, quiet.study.skips_refused = true;
    if (!are_simple(&query->study.rules) || network->p > MOST_RANKS ||
        bound->coefficient.real <= 0 ||
        !candidates_list(&quiet.study, collective, NULL, network, &algorithms, NULL))
        return;
    for (size_t i = 0; i < algorithms.count; i++) {
        Instance instance = instance_of(&quiet, algorithms.items[i], network);
        if (reaches(&quiet, &instance, network, bound) &&
            write_schedule(out, &quiet, &instance, network))
            return;
    }
}
