#include "cli/composed.h"

#include "synth/packed_tree.h"
#include "synth/packing.h"
#include "synth/relay.h"
#include "synth/ways.h"

#include <math.h>
#include <string.h>

/* Trees from all roots of more ranks than an alltoall is synthesized for take so long that only
   those in few rounds are sought. */
enum { FEWEST_ROUNDS = 3 };

/* What is synthesized of one collective on one network. */
typedef struct {
    const Query *query;
    const Collective *collective;
    Contract contract;
    bool is_usual; /* names_no_blocks */
    Network network;
    const char *place; /* the end of all names */
    Buffer *text;      /* the model file */
    SynthesizedList *made;
} Synthesis;

static bool is_allreduce(const Collective *collective)
{
    return collective->combines && !collective->rooted && collective->index_count == 0;
}

/* Does each block go from one rank to another? */
static bool is_along_paths(const Collective *collective)
{
    return !collective->combines && collective->index_count == (collective->rooted ? 1 : 2);
}

bool synthesized_is_possible(const Collective *collective)
{
    return !collective->problem && !collective->targeted && !collective->is_empty &&
           !collective->rank_order &&
           ((!collective->combines && !collective->rooted) ||
            collective->index_count < 2 - (collective->combines && collective->rooted));
}

/* Do ranks have, and get, the blocks of their own numbers, as in allgather, reduce-scatter and
   alltoall? Then trees and paths need not name them. With a root, or of one vector, they never do.
 */
static bool names_no_blocks(const Collective *collective, const Contract *contract)
{
    const int64_t p = contract->p, n = collective->index_count == 2 ? p : 1;
    const Holding *few = collective->combines ? &contract->after : &contract->before;
    const Holding *all = collective->combines ? &contract->before : &contract->after;
    if (p > LIMIT_ROOTS ||
        (collective->index_count == 0 && (collective->rooted || collective->combines)))
        return true;
    if (collective->rooted)
        return contract->block_count == p && few->total == p && all->total == p;
    bool same = collective->index_count > 0 && contract->block_count == p * n &&
                few->total == p * n && all->total == p * p;
    for (int64_t i = 0; i < p * p && same; i++) {
        const int64_t r = i / p, j = i % p;
        same = holding_has(all, r, n > 1 ? j * p + r : j) &&
               (j >= n || holding_has(few, r, r * n + j));
    }
    return same;
}

bool synthesized_objective(const CommandLine *line, Objective *objective)
{
    static const char *const names[] = {"throughput", "latency", "both"};
    *objective = OBJECTIVE_THROUGHPUT;
    if (!option_given(line, OPTION_OBJECTIVE))
        return true;
    const Text given = option_value(line, OPTION_OBJECTIVE);
    *objective = (Objective)text_among(given, names, COUNT_OF(names));
    return *objective < COUNT_OF(names) ||
           diag_error(line->diag, given.span, "expected throughput, latency or both");
}

static const char *name_of(const Synthesis *synthesis, const char *what)
{
    return arena_printf(synthesis->query->study.arena, "%s-%s", what, synthesis->place);
}

static void write_packing(const Synthesis *synthesis, const char *collective,
                          const TreePacking *packing, const char *name)
{
    const TreeForm form = !synthesis->is_usual                    ? TREES_OF_BLOCKS
                          : is_along_paths(synthesis->collective) ? TREES_ARE_PATHS
                                                                  : TREES_OF_ROOTS;
    packing_write(synthesis->text, packing, form, collective, name, synthesis->network.name);
}

static void keep(const Synthesis *synthesis, const TreePacking *packing, const char *name)
{
    write_packing(synthesis, synthesis->collective->head.name, packing, name);
    *ARRAY_PUSH(synthesis->query->study.arena, synthesis->made) =
        (SynthesizedTrees){name, packing->trees.count, packing->weight, packing->height};
}

static bool pack(const Synthesis *synthesis, bool is_inward, int64_t root, TreePacking *packing)
{
    const Study *study = &synthesis->query->study;
    return packing_find(study->arena, &synthesis->network, &study->rules,
                        (PackingTask){root, is_inward}, packing, study->diag);
}

/* Each block by itself. */
static bool find_ways(const Synthesis *synthesis, bool directly, const char *name)
{
    const Study *study = &synthesis->query->study;
    const int64_t most = directly ? LIMIT_PATHS_RANKS : LIMIT_SHARED_ALLTOALL;
    TreePacking packing;
    Errands errands = {0};
    Hops hops;
    if (!hops_find(study->arena, &synthesis->network, &study->rules, false, &hops, study->diag))
        return false;
    if (synthesis->contract.block_count > most * most)
        return diag_limit(
            study->diag, NOWHERE,
            "an alltoall is synthesized for at most %lld ranks, others for as many blocks",
            (long long)most);
    if (!ways_list_errands(study->arena, &synthesis->contract, &errands, study->diag))
        return false;
    if (directly && errands.count > 0) {
        ways_directly(&hops, &errands, synthesis->is_usual, &packing);
    } else if (errands.count == 0 || !ways_find(&hops, &errands, false, &packing)) {
        return diag_error(study->diag, NOWHERE,
                          errands.count ? "some rank of this network is not reached"
                                        : "nothing has to move");
    }
    keep(synthesis, &packing, name);
    return true;
}

static bool add_for_throughput(const Synthesis *synthesis)
{
    const Collective *collective = synthesis->collective;
    const Study *study = &synthesis->query->study;
    const char *name = name_of(synthesis, "trees");
    TreePacking packing;
    Hops hops;
    if (!synthesis->is_usual || is_along_paths(collective))
        return find_ways(synthesis, false,
                         synthesis->is_usual ? name_of(synthesis, "paths") : name);
    if (is_allreduce(collective)) {
        /* A reduce-scatter and an allgather, one after the other. */
        static const char *const halves[] = {"allgather", "reduce-scatter"};
        TreePacking packings[2];
        for (int i = 0; i < 2; i++) {
            if (!pack(synthesis, i == 1, -1, &packings[i]))
                return false;
            write_packing(synthesis, halves[i], &packings[i], name);
        }
        buffer_printf(synthesis->text,
                      "---\nalgorithm: %s\ncollective: %s\nsummary: Trees packed into the links of "
                      "%s.\nsequence:\n  - reduce-scatter/%s\n  - allgather/%s\n",
                      name, collective->head.name, synthesis->network.name, name, name);
        *ARRAY_PUSH(study->arena, synthesis->made) =
            (SynthesizedTrees){name, packings[0].trees.count + packings[1].trees.count,
                               packings[packings[1].weight > packings[0].weight].weight,
                               packings[packings[1].height > packings[0].height].height};
        const Errands errands = ways_list_roots(study->arena, synthesis->network.p, 0);
        if (hops_try(study->arena, &synthesis->network, &study->rules, false, &hops) &&
            ways_find(&hops, &errands, true, &packing)) /* ranks are not too many for them */
            keep(synthesis, &packing, name_of(synthesis, "two-way-trees"));
        return true;
    }
    if (!pack(synthesis, collective->combines, collective->rooted ? study->root : -1, &packing))
        return false;
    keep(synthesis, &packing, name);
    return true;
}

/* For each number of rounds in which links carry less than in fewer ones. */
static bool add_for_latency(const Synthesis *synthesis)
{
    const Study *study = &synthesis->query->study;
    const Collective *collective = synthesis->collective;
    double least = INFINITY, transfer;
    Hops hops;
    if (!synthesis->is_usual || is_along_paths(collective))
        return find_ways(synthesis, true, name_of(synthesis, "direct"));
    if (!hops_find(study->arena, &synthesis->network, &study->rules,
                   collective->combines && !is_allreduce(collective), &hops, study->diag))
        return false;
    int64_t root = collective->rooted ? study->root : -1;
    size_t nearest = SIZE_MAX;
    for (int64_t r = 0; is_allreduce(collective) && r < hops.p; r++) {
        /* The rank from which the farthest is nearest. */
        size_t farthest = 0;
        for (int64_t to = 0; to < hops.p; to++)
            farthest = hops_count(&hops, r, to) > farthest ? hops_count(&hops, r, to) : farthest;
        if (farthest < nearest)
            nearest = farthest, root = r;
    }
    int32_t most = 1;
    while ((int64_t)1 << most < hops.p)
        most++;
    if (root < 0 && hops.p > LIMIT_SHARED_ALLTOALL && most > FEWEST_ROUNDS)
        most = FEWEST_ROUNDS;
    for (int32_t i = 1; i <= most + 1; i++) {
        TreePacking packing;
        const int32_t rounds = i <= most ? i : 0;
        if (!relay_find(&hops, root, rounds, &packing, &transfer) || transfer >= least * (1 - 1e-9))
            continue;
        least = transfer;
        const int32_t all = is_allreduce(collective) ? 2 * rounds : rounds; /* and back */
        const char *name =
            name_of(synthesis, all == 0   ? "neighbours"
                               : all == 1 ? "one-round"
                                          : arena_printf(study->arena, "%d-rounds", all));
        keep(synthesis, &packing, name);
    }
    return true;
}

bool synthesized_add(const Query *query, size_t index, Objective objective, Buffer *text,
                     SynthesizedList *made)
{
    const Collective *collective = query->collective;
    const Study *study = &query->study;
    Synthesis synthesis = {.query = query, .collective = collective, .text = text, .made = made};
    const size_t before = text->count;
    if (!query_network(query, index, &synthesis.network))
        return false;
    if (synthesis.network.p < 2)
        return diag_error(study->diag, NOWHERE, "one rank needs no schedule");
    if (!contract_create(study->arena, collective, synthesis.network.p, study->root, 0,
                         &synthesis.contract, study->diag))
        return false;
    synthesis.is_usual = names_no_blocks(collective, &synthesis.contract);
    if (!synthesis.is_usual && (collective->combines || collective->rooted))
        return diag_error(study->diag, NOWHERE, "no schedule of %s can be synthesized",
                          collective->head.name);
    /* "torus-4x4", with a root other than 0 "torus-4x4-root-3" */
    char *place =
        arena_printf(study->arena, collective->rooted && study->root ? "%s-root-%lld" : "%s",
                     synthesis.network.name, (long long)study->root);
    for (char *c = place; (c = strpbrk(c, ":. /=")) != NULL;)
        *c = '-';
    synthesis.place = place;
    if ((objective != OBJECTIVE_LATENCY && !add_for_throughput(&synthesis)) ||
        (objective != OBJECTIVE_THROUGHPUT && !add_for_latency(&synthesis)))
        return false;
    return library_add_source(
        study->library,
        source_from_text(study->arena, "synthesized", text->items + before, text->count - before),
        study->diag);
}

bool synthesized_join(const Query *query)
{
    Buffer text = {.arena = query->study.arena};
    SynthesizedList made = {0};
    bool good = true;
    if (!option_given(query->line, OPTION_SYNTHESIZE))
        return true;
    if (query->only || !synthesized_is_possible(query->collective))
        return diag_error(query->study.diag, NOWHERE,
                          query->only
                              ? "--synthesize goes with a collective, not with one algorithm"
                              : "no schedule of %s can be synthesized",
                          query->collective->head.name);
    for (size_t i = 0; i < query->ranks.count && good; i++)
        if (query->ranks.items[i] > 1)
            good = synthesized_add(query, i, OBJECTIVE_BOTH, &text, &made);
    return good;
}

CommandLine synthesized_alone(const CommandLine *given, Context *context)
{
    CommandLine own = *given;
    *context = given->context ? *given->context : (Context){0};
    context->library = NULL;
    own.context = given->context ? context : NULL;
    return own;
}

const CommandLine *synthesized_line(const CommandLine *given, CommandLine *own, Context *context)
{
    if (!option_given(given, OPTION_SYNTHESIZE))
        return given;
    *own = synthesized_alone(given, context);
    return own;
}
