#include "cli/cmd_cost.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/members.h"
#include "study/settings.h"

#include <string.h>

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
        if (!only && query->ranks.count == 1)
            context_hint(line, OPTION_SIZE);
        return false;
    }
    if (!synthesized_is_possible(*collective)) {
        diag_error(line->diag, line->operands.items[0].span, "no schedule of %s can be synthesized",
                   (*collective)->head.name);
        diag_note(line->diag, NOWHERE,
                  "broadcast, reduce, scatter, gather, allgather, reduce-scatter, allreduce and "
                  "alltoall can be synthesized, and contracts without a root that combine nothing");
        return false;
    }
    return (option_given(line, OPTION_PORTS) ||
            study_set(&query->study, source_argument(line->arena, "--ports", "ports"),
                      source_argument(line->arena, "--ports", "all")));
}

/* "a,b" */
static const char *list_names(Arena *arena, const SynthesizedList *made)
{
    const char *names = made->items[0].name;
    for (size_t i = 1; i < made->count; i++)
        names = arena_printf(arena, "%s,%s", names, made->items[i].name);
    return names;
}

static Status run(const CommandLine *given)
{
    /* The library of a session must not keep what is synthesized for one line. */
    Context alone = given->context ? *given->context : (Context){0};
    CommandLine line = *given;
    Query query;
    Objective objective;
    const Collective *collective;
    SynthesizedList made = {0};
    Buffer text = {.arena = line.arena};
    alone.library = NULL;
    line.context = given->context ? &alone : NULL;
    if (!synthesized_objective(&line, &objective) || !read_question(&line, &query, &collective) ||
        !members_become_network(&query, &text) ||
        !synthesized_add(&query, collective, 0, objective, &text, &made) ||
        !study_set(&query.study, source_argument(line.arena, "--among", "among"),
                   source_argument(line.arena, "--among", list_names(line.arena, &made))))
        return STATUS_BAD_INPUT;
    const Status status = cost_synthesized(&query, collective, &made);
    if (status != STATUS_FINE || !option_given(&line, OPTION_SAVE))
        return status;
    return file_write(&line, option_value(&line, OPTION_SAVE), text.items, text.count)
               ? STATUS_FINE
               : STATUS_SYSTEM;
}

const Command command_synthesize = {
    .name = "synthesize",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "schedules for this network that come near the bound",
    .description =
        "Packs trees into the links of any network, so that a broadcast, reduce, allgather,\n"
        "reduce-scatter or allreduce of large messages runs at the rate of the tightest cut;\n"
        "scatter, gather and alltoall go along paths that share the links, and contracts of your\n"
        "own, such as M trainers to N generators, along trees and paths. Chunks of a block\n"
        "follow one another. --objective latency makes schedules of few rounds, for small\n"
        "messages. Schedules are run on real data, costed and judged against the bound like any\n"
        "other. A rank sends over all links at once, unless --ports says otherwise. --members "
        "makes\n"
        "them for some ranks of the network. --save writes\n"
        "a model file that other commands read.",
    .examples = "collcost synthesize allgather -t torus:3x3 -m 1MiB\n"
                "collcost synthesize broadcast -t cluster:2x4 -m 1MiB --save broadcast.yaml",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(FINISH) | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) |
               OPTION_BIT(CEIL_CHUNKS) | OPTION_BIT(BANDWIDTHS) | OPTION_BIT(OBJECTIVE) |
               OPTION_BIT(MEMBERS) | OPTION_BIT(SAVE),
    .run = run,
};
