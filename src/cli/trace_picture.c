#include "cli/pictures.h"

#include "cli/files.h"

#include <math.h>

/* With more ranks that are busy in the mean round, or more messages, bars and arrows run into one
   another. */
static const double most_busy = 16, most_arrows = 32;

/* Less of a message's time than this share comes from rounding. */
static const double rounding = 1e-9;

ARRAY_TYPE(SecondsArray, double);

/* A schedule while it is followed. Where messages have barriers between them, `clock` is the end of
   the port step at hand; without, the times of messages are filled in at the end. */
typedef struct {
    const Query *query;
    double block;
    const MessageSpan *spans; /* of all messages; NULL: there are barriers */
    const MessageWait *waits; /* all clear unless messages share links in time */
    SecondsArray alone;       /* each message's time if it had its links for itself */
    size_t visited;
    SpaceTime data;
    int64_t step;              /* number of the port step at hand */
    double start, work, clock; /* its start, where local work begins, and its end */
    double *busy;              /* of each rank: the end of its local work */
    double round_seconds;
    bool leaves_out;
} Recorder;

static double message_seconds(const Recorder *recorder, const CostedTransfer *costed)
{
    return cost_total(paths_slowest(costed->paths, costed->path_count,
                                    recorder->query->study.rules.parameters, recorder->block));
}

/* Rounds that are not shown are the last ones. */
static bool is_shown(Recorder *recorder, int64_t round)
{
    bool shown = round < SPACE_TIME_MOST_ROUNDS;
    recorder->leaves_out |= !shown;
    if (shown && round >= recorder->data.steps)
        recorder->data.steps = round + 1;
    return shown;
}

static void record_alone(void *context, const CostedTransfer *costed, const Round *round)
{
    Recorder *recorder = context;
    (void)round;
    if (is_shown(recorder, costed->step->step))
        *ARRAY_PUSH(recorder->query->study.arena, &recorder->alone) =
            message_seconds(recorder, costed);
}

/* The round that is at hand, from the clock on; local work may belong to the one before. */
static SpaceTimeRound *open_round(Recorder *recorder, int64_t number)
{
    SpaceTimeRounds *rounds = &recorder->data.rounds;
    Arena *arena = recorder->query->study.arena;
    if (rounds->count == 0 || rounds->items[rounds->count - 1].number != number) {
        *ARRAY_PUSH(arena, rounds) =
            (SpaceTimeRound){.start = recorder->clock,
                             .number = number,
                             .words = arena_printf(arena, "round %lld", (long long)number)};
        recorder->round_seconds = 0;
    }
    return &rounds->items[rounds->count - 1];
}

static void end_round(Recorder *recorder, SpaceTimeRound *round, double seconds)
{
    recorder->clock += seconds;
    recorder->round_seconds += seconds;
    round->end = recorder->clock;
    round->detail = quantity_show_time(recorder->query->study.arena, recorder->round_seconds);
}

static void all_work_from(Recorder *recorder, double time)
{
    for (int64_t r = 0; r < recorder->data.ranks; r++)
        recorder->busy[r] = time;
}

/* Under way for `seconds`, and if it had its links for itself for `alone`. */
static void add_message(Recorder *recorder, const CostedTransfer *costed, double seconds,
                        double alone, bool is_critical)
{
    const Query *query = recorder->query;
    Arena *arena = query->study.arena;
    const ScheduledTransfer *transfer = costed->transfer;
    const char *size = quantity_show_bytes(arena, (double)costed->size * recorder->block);
    CostParts parts = paths_slowest(costed->paths, costed->path_count,
                                    query->study.rules.parameters, recorder->block);
    parts.transfer = fmax(0, parts.transfer + (seconds - cost_total(parts)));
    double late = seconds - alone;
    double shared = late > rounding * seconds ? fmin(late, parts.transfer) : 0;
    if (shared > 0) {
        /* Messages share links: not where each has a lane of its own. */
        SpaceTimeRounds *rounds = &recorder->data.rounds;
        if (rounds->count && costed->step->load_messages > 1)
            rounds->items[rounds->count - 1].contention =
                arena_printf(arena, "%lld on a link", (long long)costed->step->load_messages);
    }
    *ARRAY_PUSH(arena, &recorder->data.messages) = (SpaceTimeMessage){
        .from = transfer->from,
        .to = transfer->to,
        .start = recorder->start,
        .startup = parts.startup,
        .hops = parts.hop,
        .transfer = parts.transfer - shared,
        .shared = shared,
        .label = size,
        .is_critical = is_critical,
        .tip = arena_printf(arena, "round %lld: %lld to %lld, %s over %lld link%s, %s",
                            (long long)costed->step->step + 1, (long long)transfer->from,
                            (long long)transfer->to, size, (long long)costed->hops,
                            PLURAL_END(costed->hops), quantity_show_time(arena, seconds))};
}

static void add_work(Recorder *recorder, int64_t rank, double seconds, bool is_product,
                     const char *tip)
{
    double start = recorder->busy[rank];
    recorder->busy[rank] += seconds;
    if (seconds > 0)
        *ARRAY_PUSH(recorder->query->study.arena, &recorder->data.works) =
            (SpaceTimeWork){rank, start, recorder->busy[rank], is_product, tip};
}

static void add_combining(Recorder *recorder, const CostedTransfer *costed)
{
    double seconds = (double)costed->combined * recorder->block *
                     recorder->query->study.rules.parameters[PARAMETER_TC];
    Arena *arena = recorder->query->study.arena;
    add_work(recorder, costed->transfer->to, seconds, false,
             arena_printf(arena, "rank %d combines %s, %s", costed->transfer->to,
                          quantity_show_bytes(arena, (double)costed->combined * recorder->block),
                          quantity_show_time(arena, seconds)));
}

static void record_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Recorder *recorder = context;
    size_t index = recorder->visited++;
    (void)round;
    if (!is_shown(recorder, costed->step->step))
        return;
    if (costed->step->number != recorder->step) {
        SpaceTimeRound *opened = open_round(recorder, costed->step->step + 1);
        CostParts parts =
            port_step_total(costed->step, recorder->query->study.rules.parameters, recorder->block);
        recorder->step = costed->step->number;
        recorder->start = recorder->clock;
        end_round(recorder, opened, cost_total(parts));
        recorder->work = recorder->clock - parts.compute;
        all_work_from(recorder, recorder->work);
    }
    if (!transfer_is_local(costed->transfer))
        add_message(recorder, costed, message_seconds(recorder, costed),
                    recorder->alone.items[index], false);
    add_combining(recorder, costed);
}

static void record_product(void *context, const CostedProduct *costed)
{
    Recorder *recorder = context;
    const Query *query = recorder->query;
    double multiply = query->study.machine.multiply.seconds;
    if (!is_shown(recorder, costed->step))
        return;
    if (costed->is_first) {
        all_work_from(recorder, recorder->clock);
        end_round(recorder, open_round(recorder, costed->step + 1),
                  multiply * (double)costed->busiest);
    }
    double seconds = multiply * (double)costed->work;
    add_work(recorder, costed->product->rank, seconds, true,
             arena_printf(query->study.arena, "rank %d multiplies, %s", costed->product->rank,
                          quantity_show_time(query->study.arena, seconds)));
}

/* Without barriers: a message and its combining where the timeline puts them. */
static void record_timed(void *context, const CostedTransfer *costed, const Round *round)
{
    Recorder *recorder = context;
    size_t index = recorder->visited++;
    const MessageSpan *span = &recorder->spans[index];
    const bool is_shared = recorder->query->study.rules.contention == CONTENTION_SHARED;
    (void)round;
    if (!is_shown(recorder, costed->step->step))
        return;
    recorder->start = span->start;
    if (!transfer_is_local(costed->transfer))
        add_message(recorder, costed,
                    is_shared ? span->end - span->start : message_seconds(recorder, costed),
                    recorder->alone.items[index], recorder->waits[index].critical);
    recorder->busy[costed->transfer->to] = span->combine_start;
    add_combining(recorder, costed);
    recorder->clock = fmax(recorder->clock, fmax(span->end, span->combine_end));
}

static bool follow(Recorder *recorder, const TraceSubject *subject, const Rules *rules,
                   const TraceVisitor *visitor, Profile *profile)
{
    const Query *query = recorder->query;
    recorder->visited = 0;
    return profile_trace(query->study.arena, subject->instance, subject->network, rules, visitor,
                         profile, query->study.diag);
}

static double total_of(const Query *query, const TraceSubject *subject, const Profile *profile)
{
    return cost_total(profile_cost(profile, query->study.rules.parameters, subject->size)) +
           query->study.machine.multiply.seconds * (double)profile->work +
           query->study.rules.delays[DELAY_CALL].seconds;
}

static bool record_diagram(const Query *query, const TraceSubject *subject, SpaceTime *diagram)
{
    Arena *arena = query->study.arena;
    const int64_t ranks = subject->network->p;
    const Rules *rules = &query->study.rules;
    Profile profile;
    Recorder recorder = {
        .query = query, .block = subject->block, .data = {.ranks = ranks}, .step = -1};
    recorder.busy = ARENA_ARRAY(arena, double, (size_t)ranks);
    Rules alone = *rules;
    const TraceVisitor first = {.transfer = record_alone, .context = &recorder};
    TraceVisitor second = {
        .transfer = record_transfer, .product = record_product, .context = &recorder};
    alone.contention = CONTENTION_NONE;
    if (!follow(&recorder, subject, &alone, &first, &profile))
        return false;
    if (rules->asynchronous) {
        if (!profile_derive(arena, subject->instance, subject->network, rules, &profile,
                            query->study.diag))
            return false;
        const size_t count = profile.timeline->messages.count;
        MessageSpan *spans = ARENA_ARRAY(arena, MessageSpan, count);
        MessageWait *waits = ARENA_ARRAY(arena, MessageWait, count);
        profile_spans(&profile, rules->parameters, recorder.block, spans, waits);
        recorder.spans = spans, recorder.waits = waits;
        second.transfer = record_timed;
    }
    if (!follow(&recorder, subject, rules, &second, &profile) ||
        !trace_check_length(query, recorder.clock))
        return false;
    *diagram = recorder.data;
    diagram->end = recorder.clock;
    diagram->total =
        arena_printf(arena, "%s: %s", recorder.leaves_out ? "total of all rounds" : "total",
                     quantity_show_time(arena, total_of(query, subject, &profile)));
    /* What is not shown is said in the picture, and to whoever asked for it. */
    const char *left_out = NULL;
    if (recorder.leaves_out) {
        left_out = arena_printf(arena, "only the first %d of %lld rounds are drawn",
                                SPACE_TIME_MOST_ROUNDS, (long long)profile.startups);
        diag_warning(query->study.diag, NOWHERE, "%s", left_out);
    }
    diagram->heading = trace_heading(query, subject, left_out);
    return true;
}

bool trace_wants_heat(const ScheduleExtent *extent, const Network *network)
{
    return extent->busy > most_busy || network->p > SPACE_TIME_MOST_RANKS ||
           (double)extent->messages > most_arrows * (double)extent->rounds;
}

bool trace_scene_find(const Query *query, const TraceSubject *subject, const ScheduleExtent *extent,
                      bool is_heat, TraceScene *scene)
{
    LinkHeat *heat = &scene->heat;
    *scene = (TraceScene){.is_heat = is_heat};
    if (!is_heat)
        return record_diagram(query, subject, &scene->diagram);
    const double seconds = total_of(query, subject, &extent->profile);
    if (!trace_check_length(query, seconds) || !heat_find(query, subject, extent, heat))
        return false;
    /* "62 rounds, total 95.73 us" */
    Arena *arena = query->study.arena;
    const char *time = quantity_show_time(arena, seconds);
    heading_note(&heat->heading,
                 heat->together > 1
                     ? arena_printf(arena, "%lld rounds, %lld to a column, total %s",
                                    (long long)extent->rounds, (long long)heat->together, time)
                     : arena_printf(arena, "%lld round%s, total %s", (long long)extent->rounds,
                                    PLURAL_END(extent->rounds), time));
    return true;
}

Drawing *trace_scene_draw(Arena *arena, const TraceScene *scene)
{
    return scene->is_heat ? link_heat_draw(arena, &scene->heat)
                          : space_time_draw(arena, &scene->diagram);
}

Status trace_picture(const Query *query, const TraceSubject *subject)
{
    ScheduleExtent extent;
    TraceScene scene;
    if (!schedule_extent_find(query, subject, &extent))
        return STATUS_BAD_INPUT;
    if (subject->instance->algorithm->collective->targeted && extent.messages == 1)
        return route_picture(query, subject, (double)extent.profile.moved * subject->block);
    return trace_scene_find(query, subject, &extent, trace_wants_heat(&extent, subject->network),
                            &scene)
               ? picture_write(query->line, trace_scene_draw(query->study.arena, &scene))
               : STATUS_BAD_INPUT;
}
