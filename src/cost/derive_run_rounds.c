#include "cost/derive_run_rounds.h"

#include "cost/port_runs.h"

/* To read a run off a program takes as long as to follow so many messages, about. */
enum { MESSAGES_LIKE_RUN = 64 };

static int64_t sum_of(const MessageRun *run)
{
    const int64_t count = run->from.count;
    return count * run->blocks + count * (count - 1) / 2 * run->slope;
}

static int64_t most_of(const MessageRun *run)
{
    const int64_t last = run->blocks + (run->from.count - 1) * run->slope;
    return last > run->blocks ? last : run->blocks;
}

/* What runs of one port step make ranks combine, and what they send. */
typedef struct {
    const MessageRun *runs;
    size_t count;
    int64_t combined; /* the most of one rank */
} RunStep;

static bool cost_runs(Deriver *deriver, Arena *arena, const RunStep *of)
{
    int64_t message = 0;
    const bool is_local = run_is_local(&of->runs[0]);
    for (size_t i = 0; i < of->count && !is_local; i++) {
        message = most_of(&of->runs[i]) > message ? most_of(&of->runs[i]) : message;
        deriver->counts.moved += sum_of(&of->runs[i]);
    }
    deriver->counts.steps += !is_local;
    deriver->counts.steps_visited++;
    for (size_t i = 0; i < deriver->costing_count; i++) {
        Costing *costing = &deriver->costings[i];
        PathRange none = {0, 0};
        PortStep step = {.runs = of->runs,
                         .run_count = of->count,
                         .is_empty = deriver_sends_nothing(deriver),
                         .entries = &none,
                         .entry_count = 1};
        if (!is_local && !port_step_route(&costing->context, arena, &step, deriver->diag))
            return false;
        const PortStepCost entry = {.repeat = 1,
                                    .first_path = step.entries[0].first,
                                    .path_count = step.entries[0].count,
                                    .combined = of->combined,
                                    .message = step.is_empty ? 0 : message,
                                    .local = is_local};
        if (!is_local || of->combined)
            deriver_append(deriver, costing, &step, &entry);
    }
    return true;
}

/* Blocks depart from senders that do not keep them. */
static void depart_runs(Deriver *deriver, const MessageRun *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int64_t n = 0; n < runs[i].from.count && !verb_info[runs[i].verb].keeps; n++)
            ownership_lose(&deriver->ownership, run_sender(&runs[i], n),
                           runs[i].block + n * runs[i].block_step);
}

/* One run arrives. Returns the most that a rank combines. */
static int64_t arrive_run(Deriver *deriver, const MessageRun *run)
{
    const bool is_free = deriver->costings->context.rules->combining == COMBINING_NONE ||
                         deriver_sends_nothing(deriver) || !verb_info[run->verb].combines;
    int64_t had = 0;
    for (int64_t n = 0; n < run->from.count; n++)
        had += ownership_gain(&deriver->ownership, run_receiver(run, n),
                              run->goal + n * run->goal_step);
    deriver->counts.combined += is_free ? 0 : had;
    return !is_free && had;
}

/* A round whose messages are runs: by port step. */
static bool derive_runs(void *context, const MessageRun *runs, size_t count, Arena *arena)
{
    Deriver *deriver = context;
    const ArenaMark mark = arena_mark(arena);
    PortRunArray pieces = {0};
    deriver->counts.effort += (int64_t)count * MESSAGES_LIKE_RUN;
    const int64_t p = deriver->instance->p, ports = deriver->instance->ports;
    for (size_t i = 0; i < count; i++) {
        deriver->counts.transfers += runs[i].from.count;
        if (run_is_local(&runs[i]) && count > 1)
            return false;
    }
    const int64_t steps = port_runs_assign(arena, p, ports, runs, count, &pieces);
    bool good = steps > 0;
    deriver->counts.has_spare_ports &= steps == 1;
    MessageRun *of_step = ARENA_ROOM(arena, MessageRun, pieces.count + 1);
    int64_t *combined = ARENA_ARRAY(arena, int64_t, pieces.count + 1);
    if (deriver->has_ownership)
        depart_runs(deriver, runs, count);
    for (size_t i = 0; i < pieces.count && deriver->has_ownership; i++)
        combined[i] = arrive_run(deriver, &pieces.items[i].run);
    for (int64_t number = 0; number < steps && good; number++) {
        RunStep step = {of_step, 0, 0};
        for (size_t i = 0; i < pieces.count; i++)
            if (pieces.items[i].step == number) {
                of_step[step.count++] = pieces.items[i].run;
                step.combined = combined[i] > step.combined ? combined[i] : step.combined;
            }
        good = cost_runs(deriver, arena, &step);
    }
    arena_release(arena, mark);
    return good;
}

/* Where port steps come one after the other; with one port each rank receives one message in each.
 */
static bool may_take_runs(const Deriver *deriver)
{
    bool good = (!deriver_follows_blocks(deriver) || deriver->instance->ports == 1) &&
                !deriver->visitor && !deriver->timeline && !deriver->products.elements &&
                deriver->groups == 1 && deriver->ports.same_ports;
    const Algorithm *algorithm = deriver->instance->algorithm;
    for (size_t i = 0; good && i < deriver->costing_count; i++) {
        const Costing *costing = &deriver->costings[i];
        good = !costing->has_gaps && !costing->contacts && !costing->context.merging &&
               runs_have_cost(&costing->context) &&
               !rules_post_together(costing->context.rules, algorithm->posting) &&
               (!algorithm->dual ||
                !rules_post_together(costing->context.rules, algorithm->dual->posting));
    }
    return good;
}

bool derive_run_rounds(Deriver *deriver, const Instance *instance)
{
    return may_take_runs(deriver) &&
           runs_expand(instance, deriver->has_ownership, derive_runs, deriver);
}
