#include "study/explain_rounds.h"

#include "cost/derive.h"
#include "cost/derive_posting.h"
#include "cost/plain.h"

#include <math.h>

/* Times of rounds that differ by less than this share are equal. */
static const double same_share = 1e-12;

/* A port step while its transfers are visited. */
typedef struct {
    double seconds;
    int64_t number; /* of what was added last */
    double slowest;
    int64_t from, to, size; /* of the slowest message */
    int64_t others;         /* blocks of other messages on its busiest link */
} Seen;
ARRAY_TYPE(SeenArray, Seen);

/* Messages of one round, in the order of the schedule. */
typedef struct {
    IntArray from, to, sizes;
} Messages;

enum { WANTED = 3 };

typedef struct {
    const Study *study;
    double block;
    SeenArray rounds;
    size_t wanted[WANTED]; /* rounds whose messages are listed, in the second run */
    bool lists;            /* the second run, which follows only these */
    int64_t most_steps;    /* that are followed then; 0: all */
    Messages messages[WANTED];
} Survey;

/* Local work in front of all messages belongs to the first round. */
static Seen *seen_of(Survey *survey, int64_t step)
{
    SeenArray *rounds = &survey->rounds;
    size_t place = step < 0 ? 0 : (size_t)step;
    while (rounds->count <= place)
        *ARRAY_PUSH(survey->study->arena, rounds) = (Seen){.number = -1, .from = -1};
    return &rounds->items[place];
}

static bool is_not_wanted(void *context, int64_t step)
{
    const Survey *survey = context;
    bool is_wanted = false;
    for (int i = 0; i < WANTED; i++)
        is_wanted |= step >= 0 && (size_t)step == survey->wanted[i];
    return !is_wanted;
}

static void see_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Survey *survey = context;
    const ScheduledTransfer *transfer = costed->transfer;
    (void)round;
    Seen *seen = seen_of(survey, costed->step->step);
    const CostedPortStep *step = costed->step;
    const double *parameters = survey->study->rules.parameters;
    if (!survey->lists && seen->number != step->number) {
        seen->number = step->number;
        for (size_t e = 0; e < step->entry_count; e++)
            seen->seconds += cost_total(
                port_step_cost(&step->entries[e], step->paths, parameters, survey->block));
    }
    if (transfer_is_local(transfer))
        return;
    for (int i = 0; i < WANTED && survey->lists; i++) {
        Messages *messages = &survey->messages[i];
        if ((size_t)step->step != survey->wanted[i])
            continue;
        *ARRAY_PUSH(survey->study->arena, &messages->from) = transfer->from;
        *ARRAY_PUSH(survey->study->arena, &messages->to) = transfer->to;
        *ARRAY_PUSH(survey->study->arena, &messages->sizes) = costed->size;
    }
    double time =
        cost_total(paths_slowest(costed->paths, costed->path_count, parameters, survey->block));
    /* Of those that are as slow the one of the lowest ranks: in which order messages come depends
       on how their round is found. */
    const bool is_as_slow = fabs(time - seen->slowest) <= seen->slowest * same_share;
    const bool is_lower =
        transfer->from < seen->from || (transfer->from == seen->from && transfer->to < seen->to);
    if (seen->from >= 0 && !(is_as_slow ? is_lower : time > seen->slowest))
        return;
    seen->slowest = time;
    seen->from = transfer->from, seen->to = transfer->to;
    seen->size = costed->size;
    seen->others = costed->load_blocks - costed->size;
}

/* The first run, where a profile tells what it would find: all but which message is the slowest. */
static void read_profile(Survey *survey, const Profile *profile)
{
    const double *parameters = survey->study->rules.parameters;
    int64_t round = 0;
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        const PathCost *paths = profile->paths + step->first_path;
        Seen found = {.from = -1, .slowest = -1};
        found.seconds = cost_total(port_step_cost(step, profile->paths, parameters, survey->block));
        for (size_t i = 0; i < step->path_count; i++) {
            double time = cost_total(paths_slowest(&paths[i], 1, parameters, survey->block));
            if (!(time > found.slowest * (1 + same_share)))
                continue;
            found.slowest = time;
            found.others = paths[i].load - step->message;
        }
        for (int64_t n = 0; n < step->repeat; n++)
            *seen_of(survey, round++) = found;
    }
}

static bool trace(Survey *survey, const Network *network, const Instance *instance)
{
    const Study *study = survey->study;
    const TraceVisitor visitor = {.transfer = see_transfer,
                                  .skips = survey->lists ? is_not_wanted : NULL,
                                  .context = survey,
                                  .sizes_only = true,
                                  .most_steps = survey->most_steps};
    const size_t errors = study->diag->error_count;
    Profile profile;
    Arena *scratch = arena_scratch(study->arena);
    bool good =
        profile_trace(scratch, instance, network, &study->rules, &visitor, &profile, study->diag);
    arena_destroy(scratch);
    return good || (survey->most_steps && study->diag->error_count == errors);
}

/* What the rounds take, and how much of others the slowest message of each meets. */
static bool run_survey(Survey *survey, const Network *network, const Instance *instance,
                       double bytes)
{
    const Study *study = survey->study;
    const bool asks_peaks = study->rules.compute.count > 0;
    Arena *scratch = arena_scratch(study->arena);
    Profile profile;
    bool good = profile_derive_with(scratch, NULL, instance, network, &study->rules, asks_peaks,
                                    &profile, study->diag);
    if (good) {
        survey->block = profile_block(&profile, bytes);
        if (asks_peaks) {
            /* Where combining takes a time by what ranks hold, the survey gets a study in which it
             * has that. */
            Study *settled = ARENA_COPY(survey->study->arena, Study, survey->study, 1);
            double parameters[PARAMETER_COUNT];
            profile_parameters(&profile, settled->rules.parameters, bytes, parameters);
            settled->rules.parameters[PARAMETER_TC] = parameters[PARAMETER_TC];
            survey->study = settled;
        }
        /* Is each port step one entry, and are its messages as large as one another? */
        bool is_uniform = !profile.has_link_costs && !profile.is_uneven;
        for (size_t t = 0; t < profile.step_count && is_uniform; t++) {
            const PortStepCost *step = &profile.steps[t];
            is_uniform = !step->local && !step->continues && step->message > 0;
        }
        /* Is the load of each path that of its busiest link, and the slowest path one of those with
           most? */
        const Rules *rules = &survey->study->rules;
        const Network *all = network_of_all(network);
        const LoadContext context = {
            .rules = rules, .network = all, .link_costs = rules_link_costs(scratch, rules, all)};
        const bool are_plain =
            rules->contention == CONTENTION_BYTES && !rules->averages && !rules_merge(rules) &&
            rules_loosest_posting(rules, instance->algorithm) < POSTING_TOGETHER &&
            links_are_plain(&context) && !posting_has_gaps(&context) &&
            rules->parameters[PARAMETER_TW] * survey->block > 0;
        if (is_uniform && are_plain)
            read_profile(survey, &profile);
        else
            good = trace(survey, network, instance);
    }
    arena_destroy(scratch);
    return good;
}

/* The links that the slowest message crosses; the fact gets the one with the largest load. */
static bool find_link(const Survey *survey, const Network *network, const Messages *messages,
                      collcost_round *fact)
{
    Routes routes;
    if (!network_route(network, survey->study->arena, messages->from.count, messages->from.items,
                       messages->to.items, &routes, survey->study->diag))
        return false;
    for (size_t link = 0; link < routes.link_count; link++) {
        const int64_t mine = routes.message[link];
        int64_t count = 0;
        double load = 0;
        if (messages->from.items[mine] != fact->from || messages->to.items[mine] != fact->to)
            continue;
        for (size_t i = 0; i < routes.link_count; i++) {
            if (routes.from[i] != routes.from[link] || routes.to[i] != routes.to[link])
                continue;
            count++;
            load += (double)messages->sizes.items[routes.message[i]] * survey->block;
        }
        if (fact->has_link && !(load > fact->load))
            continue;
        fact->has_link = true;
        fact->link_from = routes.from[link];
        fact->link_to = routes.to[link];
        fact->messages = count;
        fact->load = load;
    }
    return true;
}

/* What is said of one of the wanted rounds. */
static bool find_fact(const Survey *survey, const Network *network, int which, collcost_round *fact)
{
    size_t index = survey->wanted[which];
    const Messages *messages = &survey->messages[which];
    const Network *all = network_of_all(network);
    *fact = (collcost_round){0};
    if (index >= survey->rounds.count)
        return true;
    const Seen *seen = &survey->rounds.items[index];
    *fact = (collcost_round){.number = (int64_t)index + 1,
                             .seconds = seen->seconds,
                             .from = seen->from,
                             .to = seen->to,
                             .bytes = (double)seen->size * survey->block};
    if (seen->from >= 0 && messages->from.count > 0 && !find_link(survey, all, messages, fact))
        return false;
    if (seen->from >= 0)
        fact->from = network_rank(all, fact->from), fact->to = network_rank(all, fact->to);
    if (fact->has_link)
        fact->link_from = network_rank(all, fact->link_from),
        fact->link_to = network_rank(all, fact->link_to);
    return true;
}

static double seconds_of(const Survey *survey, size_t index)
{
    return index < survey->rounds.count ? survey->rounds.items[index].seconds : 0;
}

/* The second run: follows the messages of the rounds that are spoken of. */
static bool find_facts(Survey *survey, const Network *network, const Instance *instance,
                       size_t first_difference, collcost_rounds *facts)
{
    survey->wanted[0] = first_difference;
    size_t slowest = 0;
    for (size_t i = 1; i < survey->rounds.count; i++)
        if (seconds_of(survey, i) > seconds_of(survey, slowest) * (1 + same_share))
            slowest = i;
    survey->wanted[1] = slowest;
    /* After the last round where none is contended. */
    size_t most_contended = survey->rounds.count;
    int64_t most = 0;
    for (size_t i = 0; i < survey->rounds.count; i++)
        if (survey->rounds.items[i].others > most) {
            most = survey->rounds.items[i].others;
            most_contended = i;
        }
    survey->wanted[2] = most_contended;
    survey->lists = true;
    for (int i = 0; i < WANTED; i++) {
        const size_t wanted = survey->wanted[i];
        if (wanted >= survey->rounds.count)
            continue;
        survey->rounds.items[wanted].from = -1;
        if ((int64_t)wanted >= survey->most_steps)
            survey->most_steps = (int64_t)wanted + 1;
    }
    return trace(survey, network, instance) &&
           find_fact(survey, network, 0, &facts->first_difference) &&
           find_fact(survey, network, 1, &facts->slowest) &&
           find_fact(survey, network, 2, &facts->most_contended);
}

bool explain_rounds(const Study *study, const Network *network, const Instance instances[2],
                    double bytes, collcost_rounds facts[2])
{
    Survey surveys[2];
    for (int i = 0; i < 2; i++) {
        surveys[i] = (Survey){.study = study};
        if (!run_survey(&surveys[i], network, &instances[i], bytes))
            return false;
    }
    /* The first round that takes another time; behind the last where there is none. */
    size_t index = 0;
    while (index < surveys[0].rounds.count || index < surveys[1].rounds.count) {
        double a = seconds_of(&surveys[0], index), b = seconds_of(&surveys[1], index);
        if (fabs(a - b) > same_share * fmax(a, b))
            break;
        index++;
    }
    size_t first_difference = index;
    return find_facts(&surveys[0], network, &instances[0], first_difference, &facts[0]) &&
           find_facts(&surveys[1], network, &instances[1], first_difference, &facts[1]);
}

/* All messages of a schedule, in the order of its timeline. */
ARRAY_TYPE(ListedMessages, collcost_message);

typedef struct {
    Arena *arena;
    ListedMessages messages;
} Followed;

static void list_timed(void *context, const CostedTransfer *costed, const Round *round)
{
    Followed *listing = context;
    (void)round;
    *ARRAY_PUSH(listing->arena, &listing->messages) =
        (collcost_message){.round = costed->step->step + 1,
                           .from = costed->transfer->from,
                           .to = costed->transfer->to,
                           .bytes = (double)costed->size};
}

bool critical_path_find(const Study *study, const Instance *instance, const Network *network,
                        double bytes, CriticalPath *path)
{
    Arena *arena = study->arena;
    const Rules *rules = &study->rules;
    const Network *all = network_of_all(network);
    Followed listing = {.arena = arena_scratch(arena)};
    const TraceVisitor visitor = {.transfer = list_timed, .context = &listing};
    Profile profile;
    *path = (CriticalPath){0};
    bool good =
        profile_trace(listing.arena, instance, network, rules, &visitor, &profile, study->diag);
    const size_t most = good ? profile.timeline->messages.count : 0;
    MessageSpan *spans = ARENA_ARRAY(listing.arena, MessageSpan, most);
    MessageWait *waits = ARENA_ARRAY(listing.arena, MessageWait, most);
    const double block = good ? profile_block(&profile, bytes) : 0;
    if (good)
        profile_spans(&profile, rules->parameters, block, spans, waits);
    for (size_t i = 0; i < most; i++)
        path->count += waits[i].critical;
    collcost_message *messages = ARENA_ARRAY(arena, collcost_message, path->count);
    path->messages = messages;
    for (size_t i = 0; i < most; i++) { /* a message comes behind the one that it waits for */
        const collcost_message *listed = &listing.messages.items[i];
        const MessageWait *wait = &waits[i];
        const double end = spans[i].end, lost = end - spans[i].start - wait->alone;
        if (wait->critical)
            *messages++ = (collcost_message){
                .round = listed->round,
                .from = network_rank(all, listed->from), /* by the numbers of the whole network */
                .to = network_rank(all, listed->to),
                .bytes = listed->bytes * block,
                .start_s = spans[i].start,
                .end_s = end,
                .contention_s = lost > 1e-12 * end ? lost : 0,
                .waits_at = wait->cause < 0 ? -1 : network_rank(all, wait->rank)};
    }
    arena_destroy(listing.arena);
    return good;
}
