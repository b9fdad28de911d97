#include "study/explain_rounds.h"

#include "cost/derive.h"
#include "net/network.h"

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
    size_t last;           /* the round whose messages were visited last */
    size_t wanted[WANTED]; /* rounds whose messages are listed, in the second run */
    bool lists;
    int64_t most_steps; /* that are followed then; 0: all */
    Messages messages[WANTED];
} Survey;

/* Local work in front of all messages belongs to the first round. */
static Seen *seen_of(Survey *survey, const CostedPortStep *step)
{
    SeenArray *rounds = &survey->rounds;
    size_t place = step->step < 0 ? 0 : (size_t)step->step;
    while (rounds->count <= place)
        *ARRAY_PUSH(survey->study->arena, rounds) = (Seen){.number = -1, .from = -1};
    return &rounds->items[place];
}

static void add_port_step(const Survey *survey, const CostedPortStep *step, Seen *seen)
{
    if (seen->number == step->number)
        return;
    seen->number = step->number;
    for (size_t e = 0; e < step->entry_count; e++)
        seen->seconds += cost_total(port_step_cost(&step->entries[e], step->paths,
                                                   survey->study->rules.parameters, survey->block));
}

static void list_message(Survey *survey, const CostedTransfer *costed)
{
    Arena *arena = survey->study->arena;
    for (int i = 0; i < WANTED; i++) {
        Messages *messages = &survey->messages[i];
        if ((size_t)costed->step->step != survey->wanted[i])
            continue;
        *ARRAY_PUSH(arena, &messages->from) = costed->transfer->from;
        *ARRAY_PUSH(arena, &messages->to) = costed->transfer->to;
        *ARRAY_PUSH(arena, &messages->sizes) = costed->size;
    }
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
    if (survey->lists) {
        if (!transfer_is_local(transfer))
            list_message(survey, costed);
        return;
    }
    Seen *seen = seen_of(survey, costed->step);
    add_port_step(survey, costed->step, seen);
    if (transfer_is_local(transfer))
        return;
    survey->last = (size_t)costed->step->step;
    double time = cost_total(paths_slowest(costed->paths, costed->path_count,
                                           survey->study->rules.parameters, survey->block));
    if (seen->from >= 0 && !(time > seen->slowest * (1 + same_share)))
        return;
    seen->slowest = time;
    seen->from = transfer->from, seen->to = transfer->to;
    seen->size = costed->size;
    seen->others = costed->load_blocks - costed->size;
}

static void see_again(void *context, const CostedPortStep *step)
{
    Survey *survey = context;
    Seen *seen = seen_of(survey, step);
    const Seen *last = &survey->rounds.items[survey->last];
    add_port_step(survey, step, seen);
    seen->slowest = last->slowest;
    seen->from = last->from, seen->to = last->to;
    seen->size = last->size;
    seen->others = last->others;
}

/* Where combining takes a time by what ranks hold, the survey gets a study in which it has that. */
static bool settle_compute(Survey *survey, const Network *network, const Instance *instance,
                           double bytes)
{
    Study *settled = ARENA_COPY(survey->study->arena, Study, survey->study, 1);
    Rules *rules = &settled->rules;
    double parameters[PARAMETER_COUNT];
    Profile profile;
    if (!profile_derive(settled->arena, instance, network, rules, &profile, settled->diag))
        return false;
    profile_parameters(&profile, rules->parameters, bytes, parameters);
    rules->parameters[PARAMETER_TC] = parameters[PARAMETER_TC];
    survey->study = settled;
    return true;
}

static bool run_survey(Survey *survey, const Network *network, const Instance *instance,
                       double bytes)
{
    if (survey->study->rules.compute.count && !settle_compute(survey, network, instance, bytes))
        return false;
    const Study *study = survey->study;
    const TraceVisitor visitor = {.transfer = see_transfer,
                                  .again = survey->lists ? NULL : see_again,
                                  .skips = survey->lists ? is_not_wanted : NULL,
                                  .context = survey,
                                  .sizes_only = true,
                                  .most_steps = survey->most_steps};
    const size_t errors = study->diag->error_count;
    int64_t chunks;
    Profile profile = {.ceil_chunks = study->rules.ceil_chunks};
    if (!schedule_chunks(instance, &chunks, study->diag))
        return false;
    profile.chunks = chunks;
    survey->block = profile_block(&profile, bytes);
    Arena *scratch = arena_scratch(study->arena);
    bool good =
        profile_trace(scratch, instance, network, &study->rules, &visitor, &profile, study->diag);
    arena_destroy(scratch);
    return good || (survey->most_steps && study->diag->error_count == errors);
}

/* The load of each link that message `mine` crosses; the fact gets the largest one. */
static void count_link(const Messages *messages, const Routes *routes, size_t link, double block,
                       collcost_round *fact)
{
    int64_t count = 0;
    double load = 0;
    for (size_t i = 0; i < routes->link_count; i++) {
        if (routes->from[i] != routes->from[link] || routes->to[i] != routes->to[link])
            continue;
        count++;
        load += (double)messages->sizes.items[routes->message[i]] * block;
    }
    if (fact->has_link && !(load > fact->load))
        return;
    fact->has_link = true;
    fact->link_from = routes->from[link];
    fact->link_to = routes->to[link];
    fact->messages = count;
    fact->load = load;
}

static bool find_link(const Survey *survey, const Network *network, const Messages *messages,
                      collcost_round *fact)
{
    Routes routes;
    if (!network_route(network, survey->study->arena, messages->from.count, messages->from.items,
                       messages->to.items, &routes, survey->study->diag))
        return false;
    for (size_t i = 0; i < routes.link_count; i++) {
        int64_t message = routes.message[i];
        if (messages->from.items[message] == fact->from && messages->to.items[message] == fact->to)
            count_link(messages, &routes, i, survey->block, fact);
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

/* The first round that takes another time; behind the last where there is none. */
static size_t find_first_difference(const Survey surveys[2])
{
    size_t index = 0;
    while (index < surveys[0].rounds.count || index < surveys[1].rounds.count) {
        double a = seconds_of(&surveys[0], index), b = seconds_of(&surveys[1], index);
        if (fabs(a - b) > same_share * fmax(a, b))
            break;
        index++;
    }
    return index;
}

static size_t find_slowest(const Survey *survey)
{
    size_t slowest = 0;
    for (size_t i = 1; i < survey->rounds.count; i++)
        if (seconds_of(survey, i) > seconds_of(survey, slowest) * (1 + same_share))
            slowest = i;
    return slowest;
}

/* After the last round where none is contended. */
static size_t find_most_contended(const Survey *survey)
{
    size_t most_contended = survey->rounds.count;
    int64_t most = 0;
    for (size_t i = 0; i < survey->rounds.count; i++)
        if (survey->rounds.items[i].others > most) {
            most = survey->rounds.items[i].others;
            most_contended = i;
        }
    return most_contended;
}

/* A second run lists the messages of the rounds that are spoken of. */
static bool find_facts(Survey *survey, const Network *network, const Instance *instance,
                       double bytes, size_t first_difference, collcost_rounds *facts)
{
    survey->wanted[0] = first_difference;
    survey->wanted[1] = find_slowest(survey);
    survey->wanted[2] = find_most_contended(survey);
    survey->lists = true;
    for (int i = 0; i < WANTED; i++)
        if (survey->wanted[i] < survey->rounds.count &&
            (int64_t)survey->wanted[i] >= survey->most_steps)
            survey->most_steps = (int64_t)survey->wanted[i] + 1;
    return run_survey(survey, network, instance, bytes) &&
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
    size_t first_difference = find_first_difference(surveys);
    return find_facts(&surveys[0], network, &instances[0], bytes, first_difference, &facts[0]) &&
           find_facts(&surveys[1], network, &instances[1], bytes, first_difference, &facts[1]);
}
