#include "cli/certificate.h"
#include "bound/certificate.h"
#include "cli/files.h"

#include <math.h>

/* A schedule behind a certificate of a bound: where an algorithm of the library takes no longer
   than the bound, if only bytes count, the bound cannot be improved. */

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
    /* " via 8 9": routers of the nodes on the way. */
    const ArenaMark mark = arena_mark(writer->scratch);
    const int64_t from = transfer->from, to = transfer->to;
    const long long p = writer->network->p;
    Routes routes;
    if (network_route(writer->network, writer->scratch, 1, &from, &to, &routes,
                      writer->query->study.diag)) {
        buffer_printf(writer->out, " via %lld", p + from);
        for (int64_t slot = 0; slot < routes.hops[0]; slot++)
            for (size_t i = 0; i < routes.link_count; i++)
                if (routes.slot[i] == slot)
                    buffer_printf(writer->out, " %lld", p + routes.to[i]);
    } else
        writer->is_plain = false;
    arena_release(writer->scratch, mark);
    buffer_printf(writer->out, " of");
    for (size_t i = 0; i < transfer->block_count; i++)
        buffer_printf(writer->out, " %lld", (long long)round->blocks[transfer->first_block + i]);
    buffer_printf(writer->out, "\n");
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

/* Writes these lines, or nothing where no algorithm reaches the bound with one chunk, or the rules
   are others than cut-through, full duplex and rounds one after another:

       pieces 4                    of each block: block b is pieces 4 b .. 4 b + 3
       round                       what is sent in it was there before it
       turn                        a port step: the transfers that follow are at the same time
       send 0 1 via 8 9 of 0 3 5   from node 0 through nodes 8 and 9 to node 1: these pieces

   A verb as in schedules: with `move` and `reduce` the sender keeps nothing, with `reduce` and
   `exchange` the receiver combines. A port step takes as long as its busiest arc: pieces over their
   number in a block, over the capacity; all port steps together take the bound. */
static void schedule_proof_write(Buffer *out, const Query *query, const Collective *collective,
                                 const Network *network, const Bound *bound)
{
    const Rules *rules = &query->study.rules;
    double parameters[PARAMETER_COUNT] = {0}, least[PARAMETER_COUNT];
    Query quiet = *query;
    AlgorithmArray algorithms = {0};
    study_silence(&quiet.study);
    quiet.study.skips_refused = true;
    if (!(rules_are_usual(rules) && rules->switching == SWITCHING_CUT_THROUGH) ||
        network->p > MOST_RANKS || bound->coefficient.real <= 0 ||
        !candidates_list(&quiet.study, collective, NULL, network, &algorithms, NULL))
        return;
    parameters[PARAMETER_TW] = rules->parameters[PARAMETER_TW];
    rules_least(rules, network, least);
    for (size_t i = 0; i < algorithms.count; i++) {
        const Instance instance = study_instance(&quiet.study, algorithms.items[i], network, 1, 0);
        Profile profile;
        BlockSpace space;
        if (!schedule_blocks(&instance, &space, quiet.study.diag) || space.count > MOST_PIECES ||
            space.count != space.array_blocks ||
            !profile_derive(quiet.study.arena, &instance, network, rules, &profile,
                            quiet.study.diag))
            continue;
        /* Does it take, for bytes alone, what the bound says? */
        const double time = cost_total(profile_cost(&profile, parameters, huge));
        if (fabs(time - bound_seconds(bound, least, huge)) <= 1e-9 * time &&
            write_schedule(out, &quiet, &instance, network))
            return;
    }
}

Status certificate_write(const Query *query, Case *opened)
{
    const bool has_flow = option_given(query->line, OPTION_FLOW);
    const Text name = option_value(query->line, OPTION_CERTIFICATE);
    const Study *study = &opened->study;
    Contract contract;
    Buffer text = {.arena = study->arena};
    if (!query_contract(opened, &contract))
        return STATUS_BAD_INPUT;
    if (!bound_certify(&text, opened->collective->head.name, &contract, &opened->network,
                       &study->rules, has_flow))
        return BAD_INPUT(
            study->diag, name.span,
            "there is no cut to certify: nothing has to move, or there are too many links");
    const LowerBound *bound =
        case_bound_by(opened, has_flow ? BOUND_SEARCH_FLOW : BOUND_SEARCH_CUTS);
    /* The bound that a certificate proves: of the best cut, or of flows where that is larger. */
    const Bound *cut = &bound->bounds.items[BOUND_CUT], *flow = &bound->bounds.items[BOUND_FLOW];
    schedule_proof_write(&text, query, opened->collective, &opened->network,
                         exact_compare(flow->coefficient, cut->coefficient) > 0 ? flow : cut);
    return file_write(query->line, name, text.items, text.count);
}
