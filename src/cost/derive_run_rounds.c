#include "base/whole.h"
#include "cost/deriver.h"
#include "sched/runs.h"

/* In which port step the messages of a round go that are runs: as port_steps_assign has it, for
   ranks that all have as many ports. */

/* Part of a run, whose messages go in one port step. Of named blocks it knows where they land
   (`goal`): they depart by whole runs. */
typedef struct {
    MessageRun run;
    int64_t step;
} PortRun;

ARRAY_TYPE(PortRunArray, PortRun);

/* Pieces of a round, at most. */
enum { MOST_PIECES = 256 };

/* Ranks start .. the start of the next stretch - 1, which have used their ports alike. The last one
   has no ranks. */
typedef struct {
    int64_t start;
    Port port;
} Stretch;

ARRAY_TYPE(Stretches, Stretch);

static size_t stretch_of(const Stretches *ports, int64_t rank)
{
    size_t i = 0;
    while (i + 1 < ports->count && ports->items[i + 1].start <= rank)
        i++;
    return i;
}

/* Makes a stretch begin at this rank. */
static void cut(Arena *arena, Stretches *ports, int64_t rank)
{
    const size_t i = stretch_of(ports, rank);
    if (ports->items[i].start == rank)
        return;
    *ARRAY_PUSH(arena, ports) = (Stretch){0};
    for (size_t j = ports->count - 1; j > i + 1; j--)
        ports->items[j] = ports->items[j - 1];
    ports->items[i + 1] = ports->items[i];
    ports->items[i + 1].start = rank;
}

static void use(Arena *arena, Stretches *ports, int64_t first, int64_t count, int64_t step)
{
    cut(arena, ports, first);
    cut(arena, ports, first + count);
    for (size_t i = stretch_of(ports, first); ports->items[i].start < first + count; i++)
        port_use(&ports->items[i].port, step);
}

/* Have these no rank in common? False also where that is not seen from their ends and strides. */
static bool are_apart(Progression a, Progression b)
{
    const int64_t least = a.stride < b.stride ? a.stride : b.stride;
    const int64_t most = a.stride < b.stride ? b.stride : a.stride;
    return progression_last(&a) < b.first || progression_last(&b) < a.first ||
           (most % least == 0 && (a.first - b.first) % least != 0);
}

static Progression receivers_of(const MessageRun *run)
{
    return (Progression){run->from.first + run->shift, run->from.stride, run->from.count};
}

/* Does each rank send and receive one message? */
static bool use_ports_once(const MessageRun *runs, size_t count)
{
    if (count > 16)
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (runs[i].mask || runs[j].mask || !are_apart(runs[i].from, runs[j].from) ||
                !are_apart(receivers_of(&runs[i]), receivers_of(&runs[j])))
                return false;
    return true;
}

/* The runs of a round in pieces, and how many port steps they take; -1, silently, where it is not
   known from their ends alone. Runs are cut where the ports of their senders or receivers differ.
   O(pieces squared). */
static int64_t port_runs_assign(Arena *arena, const Instance *instance, const MessageRun *runs,
                                size_t count, PortRunArray *pieces)
{
    const int64_t p = instance->p, ports = instance->ports;
    Stretches senders = {0}, receivers = {0};
    int64_t steps = 0;
    if (use_ports_once(runs, count)) {
        for (size_t i = 0; i < count; i++)
            *ARRAY_PUSH(arena, pieces) = (PortRun){runs[i], 0};
        return 1;
    }
    for (int64_t start = 0; start <= p; start += p) {
        *ARRAY_PUSH(arena, &senders) = (Stretch){.start = start};
        *ARRAY_PUSH(arena, &receivers) = (Stretch){.start = start};
    }
    for (const MessageRun *run = runs; run < runs + count; run++) {
        if (run->mask || (run->from.stride != 1 && run->from.count > 1))
            return -1;
        for (int64_t done = 0, some; done < run->from.count; done += some) {
            const int64_t from = run->from.first + done, to = from + run->shift;
            const Stretch *out = &senders.items[stretch_of(&senders, from)];
            const Stretch *in = &receivers.items[stretch_of(&receivers, to)];
            const int64_t alike =
                out[1].start - from < in[1].start - to ? out[1].start - from : in[1].start - to;
            some = alike < run->from.count - done ? alike : run->from.count - done;
            const int64_t step =
                whole_larger(port_free_step(&out->port, ports), port_free_step(&in->port, ports));
            if (pieces->count == MOST_PIECES)
                return -1;
            PortRun *piece = ARRAY_PUSH(arena, pieces);
            *piece = (PortRun){*run, step};
            piece->run.from = (Progression){run_sender(run, done), run->from.stride, some};
            piece->run.blocks += done * run->slope;
            piece->run.goal += done * run->goal_step;
            steps = whole_larger(steps, step + 1);
            use(arena, &senders, from, some, step);
            use(arena, &receivers, to, some, step);
        }
    }
    return steps;
}

/* To read a run off a program takes as long as to follow so many messages, about. */
enum { MESSAGES_LIKE_RUN = 64 };

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
        const MessageRun *run = &of->runs[i];
        const int64_t messages = run->from.count;
        message = whole_larger(message, whole_larger(run->blocks, run_blocks(run, messages - 1)));
        deriver->counts.moved +=
            messages * run->blocks + messages * (messages - 1) / 2 * run->slope;
        deriver->counts.is_uneven |= run->slope != 0 || run->blocks != of->runs[0].blocks;
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
    for (size_t i = 0; i < count; i++) {
        deriver->counts.transfers += runs[i].from.count;
        if (run_is_local(&runs[i]) && count > 1)
            return false;
    }
    const int64_t steps = port_runs_assign(arena, deriver->instance, runs, count, &pieces);
    bool good = steps > 0;
    deriver->counts.has_spare_ports &= steps == 1;
    MessageRun *of_step = ARENA_ROOM(arena, MessageRun, pieces.count + 1);
    int64_t *combined = ARENA_ARRAY(arena, int64_t, pieces.count + 1);
    if (deriver->has_ownership) {
        /* Blocks depart from senders that do not keep them. */
        for (size_t i = 0; i < count; i++)
            for (int64_t n = 0; n < runs[i].from.count && !verb_info[runs[i].verb].keeps; n++)
                ownership_lose(&deriver->ownership, run_sender(&runs[i], n),
                               runs[i].block + n * runs[i].block_step);
    }
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

bool derive_run_rounds(Deriver *deriver, Span *too_large)
{
    return may_take_runs(deriver) &&
           runs_expand(deriver->instance, deriver->has_ownership, derive_runs, deriver, too_large);
}
