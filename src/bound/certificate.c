#include "bound/certificate.h"

#include "bound/bounds.h"
#include "bound/flow.h"
#include "bound/kinds.h"

typedef struct {
    Buffer *out;
    const Bounder *bounder;
    const Cut *cut;
    const Weighing *weighing;
    const char *reason;
} Certificate;

static void write_range(Buffer *out, int64_t first, int64_t last)
{
    buffer_printf(out, first == last ? " %lld" : " %lld..%lld", (long long)first, (long long)last);
}

static void write_nodes(Buffer *out, const bool *marks, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        int64_t first = n;
        if (!marks[n])
            continue;
        while (n + 1 < count && marks[n + 1])
            n++;
        write_range(out, first, n);
    }
}

/* Links whose directions share their capacity are edges. In a cut, where what enters counts as
   well, so are all others. */
static void write_arc(const Certificate *certificate, size_t i)
{
    const Bounder *bounder = certificate->bounder;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const FlowArc *arc = &capacity_graph->arcs[i];
    bool weighs = certificate->weighing->crossed > 0;
    bool counts_both = weighs ? bounder->rules->duplex == DUPLEX_HALF : certificate->cut->both;
    const int64_t shared = counts_both ? capacity_graph_both(capacity_graph, i) : 0;
    if (shared && arc->from > arc->to)
        return;
    buffer_printf(certificate->out, "%s %d %d %lld",
                  shared || (counts_both && !weighs) ? "edge" : "arc", arc->from, arc->to,
                  (long long)(shared ? shared : capacity_graph->capacities[i]));
    int64_t weight = weighs && capacity_graph_is_link(capacity_graph, i)
                         ? certificate->weighing->weights[i - 2 * (size_t)bounder->contract->p]
                         : 0;
    if (weight > 0)
        buffer_printf(certificate->out, " %lld", (long long)weight);
    buffer_printf(certificate->out, "\n");
}

/* Who holds, and who needs, each block: marks[b * p + r]. */
static bool *mark_sides(Arena *arena, const Contract *contract, const Holding *holding)
{
    size_t p = (size_t)contract->p;
    bool *marks = ARENA_ARRAY(arena, bool, (size_t)contract->block_count *p);
    for (size_t r = 0; r < p; r++)
        for (int64_t i = 0, count = holding_count(holding, (int64_t)r); i < count; i++)
            marks[(size_t)holding_block(holding, (int64_t)r, i) * p + r] = true;
    return marks;
}

static void write_demand(const Certificate *certificate)
{
    const Demand *demand = &certificate->bounder->demand;
    const Contract *contract = certificate->bounder->contract;
    Arena *arena = certificate->bounder->arena;
    Buffer *out = certificate->out;
    const int64_t p = contract->p;
    const bool *holders =
        contract->combines ? NULL : mark_sides(arena, contract, &contract->before);
    const bool *needers = mark_sides(arena, contract, &contract->after);
    for (int64_t i = 0; i < contract->block_count * p && contract->combines; i++) {
        const int64_t r = i % p;
        if (!needers[i] || demand_contributors(demand, r) == 0)
            continue;
        buffer_printf(out, "result %lld at %lld of", (long long)(i / p), (long long)r);
        write_range(out, per_rank(&contract->contributors_from, r),
                    per_rank(&contract->contributors_to, r));
        buffer_printf(out, "\n");
    }
    for (int64_t b = 0; b < contract->block_count && !contract->combines; b++) {
        const int64_t kind = demand->is_exchange ? b / p == b % p : b;
        if (demand->needed[kind] == 0 || demand->holders[kind] == 0)
            continue;
        buffer_printf(out, "block %lld at", (long long)b);
        write_nodes(out, holders + b * p, p);
        buffer_printf(out, " to");
        write_nodes(out, needers + b * p, p);
        buffer_printf(out, "\n");
    }
}

/* What is divided by what, under these names. */
static void write_fraction(Buffer *out, const char *above, int64_t numerator, const char *below,
                           int64_t denominator)
{
    Exact bound = exact_divide(exact_from_int(numerator), exact_from_int(denominator));
    buffer_printf(out, "%s %lld\n%s %lld\nbound %lld/%lld\n", above, (long long)numerator, below,
                  (long long)denominator, (long long)bound.numerator, (long long)bound.denominator);
}

static void write_certificate(const Certificate *certificate, const char *collective)
{
    const Cut *cut = certificate->cut;
    const Weighing *weighing = certificate->weighing;
    const Bounder *bounder = certificate->bounder;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    Buffer *out = certificate->out;
    buffer_printf(
        out,
        "# %s on %s, %s\n# %s\n"
        "# node r is the memory of rank r, node %lld + n the router of node n of the network%s\n",
        collective, bounder->network->name, contract_describe(bounder->arena, bounder->contract),
        rules_describe_on(bounder->arena, bounder->rules, bounder->network),
        (long long)bounder->contract->p,
        capacity_graph->links_share ? "" : "; the last one joins them, as messages share no links");
    if (capacity_graph->per_link_costs)
        buffer_printf(out, "# capacity 1: %lld bytes/s; time: bound * m / that\n",
                      (long long)capacity_graph->unit);
    else
        buffer_printf(out, "# capacity 1: %lld / tw; time: bound * m * tw / %lld\n",
                      (long long)capacity_graph->unit, (long long)capacity_graph->unit);
    buffer_printf(out, "# %s\nnodes %lld\n", certificate->reason, (long long)capacity_graph->nodes);
    for (size_t i = 0; i < capacity_graph->count; i++)
        write_arc(certificate, i);
    if (weighing->crossed == 0) {
        buffer_printf(out, cut->both ? "both\ninside" : "inside");
        write_nodes(out, cut->inside, capacity_graph->nodes);
        buffer_printf(out, "\n");
    }
    write_demand(certificate);
    if (weighing->crossed > 0)
        write_fraction(out, "crossed", weighing->crossed, "passed", weighing->passed);
    else
        write_fraction(out, "blocks", cut->blocks, "capacity", cut->capacity);
}

bool bound_certify(Buffer *out, const char *collective, const Contract *contract,
                   const Network *network, const Rules *rules, bool flow)
{
    Arena *arena = arena_scratch(out->arena);
    Bounder bounder = bounder_open(arena, contract, network, rules);
    Cut cut;
    Weighing weighing = {0}, none = {0};
    Bound node = bound_node(&bounder);
    Bound best = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
    Bound weighed = flow ? bound_flow(&bounder, &cut, &weighing) : best;
    bool weighs = exact_compare(weighed.coefficient, best.coefficient) > 0;
    const Certificate certificate = {out, &bounder, &cut, weighs ? &weighing : &none,
                                     weighs ? weighed.reason : best.reason};
    bool found = weighs || cut.blocks > 0;
    if (found)
        write_certificate(&certificate, collective);
    arena_destroy(arena);
    return found;
}
