#include "cli/cmd_cost.h"
#include "cli/files.h"
#include "study/settings.h"
#include "synth/tree_text.h"

#include <string.h>

/* What is synthesized of one collective on one network. */
typedef struct {
    Query *query;
    const Collective *collective;
    Network network;
    const char *name; /* of the models */
    Buffer text;      /* the model file */
    SynthesizedTrees shown;
} Synthesis;

/* Goes the data of the collective from roots to all ranks, or from all to roots? */
static bool is_along_trees(const Collective *collective)
{
    const bool has_blocks = collective->index_count == 1;
    return collective->rooted != has_blocks && collective->index_count < 2;
}

static bool is_allreduce(const Collective *collective)
{
    return collective->combines && !collective->rooted && collective->index_count == 0;
}

static bool can_be_synthesized(const Collective *collective, Text operand, Diag *diag)
{
    if (!collective->problem && !collective->targeted && !collective->is_empty &&
        !collective->rank_order && (is_along_trees(collective) || is_allreduce(collective)))
        return true;
    diag_error(diag, operand.span, "no schedule of %s can be synthesized", collective->head.name);
    diag_note(diag, NOWHERE,
              "broadcast, reduce, allgather, reduce-scatter and allreduce can be synthesized");
    return false;
}

/* "trees-torus-4x4", with a root other than 0 "trees-torus-4x4-root-3" */
static const char *name_models(Arena *arena, const Network *network, int64_t root)
{
    char *name = arena_printf(arena, root ? "trees-%s-root-%lld" : "trees-%s", network->name,
                              (long long)root);
    for (char *c = name; *c; c++)
        if (*c == ':' || *c == '.' || *c == ' ' || *c == '/')
            *c = '-';
    return name;
}

static bool pack(Synthesis *made, const char *collective, bool is_inward, int64_t root)
{
    const Query *query = made->query;
    TreePacking packing;
    if (!packing_find(query->study.arena, &made->network, &query->study.rules,
                      (PackingTask){root, is_inward}, &packing, query->study.diag))
        return false;
    packing_write(&made->text, &packing, collective, made->name, made->network.name);
    SynthesizedTrees *shown = &made->shown;
    shown->trees += packing.trees.count;
    shown->shares = packing.weight > shown->shares ? packing.weight : shown->shares;
    shown->height = packing.height > shown->height ? packing.height : shown->height;
    shown->share_of_cut =
        packing.share_of_cut < shown->share_of_cut ? packing.share_of_cut : shown->share_of_cut;
    return true;
}

static bool pack_all(Synthesis *made)
{
    const Collective *collective = made->collective;
    if (!is_allreduce(collective))
        return pack(made, collective->head.name, collective->combines,
                    collective->rooted ? made->query->study.root : -1);
    if (!pack(made, "reduce-scatter", true, -1) || !pack(made, "allgather", false, -1))
        return false;
    buffer_printf(&made->text,
                  "---\nalgorithm: %s\ncollective: %s\nsummary: Trees packed into the links of "
                  "%s.\nsequence:\n  - reduce-scatter/%s\n  - allgather/%s\n",
                  made->name, collective->head.name, made->network.name, made->name, made->name);
    return true;
}

/* The model becomes part of the library of this line. */
static const Algorithm *add_model(const Synthesis *made)
{
    const Query *query = made->query;
    const Source *source =
        source_from_text(query->study.arena, "synthesized", made->text.items, made->text.count);
    const char *full =
        arena_printf(query->study.arena, "%s/%s", made->collective->head.name, made->name);
    if (!library_add_source(query->study.library, source, query->study.diag))
        return NULL;
    return library_algorithm(query->study.library,
                             source_argument(query->study.arena, "synthesized", full),
                             query->study.diag);
}

/* All links at once, unless the line says otherwise. */
static bool read_question(const CommandLine *line, Query *query, const Collective **collective)
{
    const Algorithm *only;
    if (!query_read_subject(line, query, collective, &only))
        return false;
    if (only || query->ranks.count != 1 || !query->sizes.count) {
        diag_error(line->diag, only ? line->operands.items[0].span : NOWHERE,
                   only                      ? "expected a collective, not one algorithm"
                   : query->ranks.count != 1 ? "expected one network"
                                             : "the message size is missing: give -m");
        return false;
    }
    return can_be_synthesized(*collective, line->operands.items[0], line->diag) &&
           (option_given(line, OPTION_PORTS) ||
            study_set(&query->study, source_argument(line->arena, "--ports", "ports"),
                      source_argument(line->arena, "--ports", "all")));
}

static Status run(const CommandLine *given)
{
    /* The library of a session must not keep what is synthesized for one line. */
    Context alone = given->context ? *given->context : (Context){0};
    CommandLine line = *given;
    Query query;
    alone.library = NULL;
    line.context = given->context ? &alone : NULL;
    Synthesis made = {.query = &query, .text.arena = line.arena, .shown.share_of_cut = 1};
    if (!read_question(&line, &query, &made.collective) || !query_network(&query, 0, &made.network))
        return STATUS_BAD_INPUT;
    made.name =
        name_models(line.arena, &made.network, made.collective->rooted ? query.study.root : 0);
    if (!pack_all(&made))
        return STATUS_BAD_INPUT;
    const Algorithm *algorithm = add_model(&made);
    if (!algorithm)
        return STATUS_BAD_INPUT;
    const Status status = cost_synthesized(&query, made.collective, algorithm, &made.shown);
    if (status != STATUS_FINE || !option_given(&line, OPTION_SAVE))
        return status;
    return file_write(&line, option_value(&line, OPTION_SAVE), made.text.items, made.text.count)
               ? STATUS_FINE
               : STATUS_SYSTEM;
}

const Command command_synthesize = {
    .name = "synthesize",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "a schedule for this network that comes near the bound",
    .description =
        "Packs trees into the links of any network, so that a broadcast, reduce, allgather,\n"
        "reduce-scatter or allreduce of large messages runs at the rate of the tightest cut. The\n"
        "chunks of a block follow one another along the trees. The schedule is run on real data,\n"
        "costed and judged against the bound like any other. A rank sends over all links at once,\n"
        "unless --ports says otherwise. --save writes the trees as a model that other commands\n"
        "read.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(FINISH) | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) |
               OPTION_BIT(CEIL_CHUNKS) | OPTION_BIT(BANDWIDTHS) | OPTION_BIT(SAVE),
    .run = run,
};
