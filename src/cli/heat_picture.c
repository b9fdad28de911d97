#include "cli/pictures.h"

#include "cost/merging.h"
#include "net/link_groups.h"

#include <math.h>
#include <stdlib.h>

/* Messages of the round at hand, to be routed together. */
typedef struct {
    int64_t from, to, size;
    int64_t bundle; /* of messages that switches merge; -1: alone */
    int protocol;   /* -1: none */
} Sent;
ARRAY_TYPE(SentArray, Sent);

typedef struct {
    double bytes, busy; /* and for how long, in seconds */
} LinkUse;

typedef struct {
    const Query *query;
    const TraceSubject *subject;
    const Merging *merging;
    const Round *bundled; /* the round of which `bundles` are */
    const int64_t *bundles;
    int64_t step; /* the round at hand */
    SentArray sent;
    LinkUse *uses; /* of each link in the round at hand */
    int64_t *rows; /* of each link: its row; -1: nobody uses it */
    bool has_rows;
    bool failed;
    const LinkCost *costs; /* of classes of links */
    double *busy, *bytes;  /* of the map */
    LinkHeat *heat;
} Collector;

static const Network *network_of(const Collector *collector)
{
    return collector->subject->network;
}

typedef struct {
    int64_t link, bundle;
    size_t message;
} Crossing;

static int compare_crossings(const void *a, const void *b)
{
    const Crossing *left = a, *right = b;
    if (left->link != right->link)
        return left->link < right->link ? -1 : 1;
    return (left->bundle > right->bundle) - (left->bundle < right->bundle);
}

/* Adds what the links carry; the messages of one bundle load a link once. */
static void load_links(Collector *collector, Crossing *crossings, size_t count)
{
    const Network *network = network_of(collector);
    const Rules *rules = &collector->query->study.rules;
    if (collector->merging)
        qsort(crossings, count, sizeof *crossings, compare_crossings);
    for (size_t i = 0; i < count; i++) {
        const int64_t link = crossings[i].link;
        if (i && crossings[i].bundle >= 0 && link == crossings[i - 1].link &&
            crossings[i].bundle == crossings[i - 1].bundle)
            continue;
        /* The link carries the message, in one of its lanes. */
        const Sent *sent = &collector->sent.items[crossings[i].message];
        const LinkCost *cost =
            &collector->costs[network->starts ? network_link_class(network, link) : 0];
        const double per_byte = link_price(rules, cost, sent->protocol, PARAMETER_TW);
        const double bytes = (double)sent->size * collector->subject->block;
        collector->uses[link].bytes += bytes;
        collector->uses[link].busy += bytes * per_byte / (double)cost->lanes;
    }
}

/* Ends a round. */
static void flush(Collector *collector)
{
    LinkHeat *heat = collector->heat;
    size_t count = collector->sent.count;
    Arena *arena = arena_scratch(collector->query->study.arena);
    int64_t *from = ARENA_ROOM(arena, int64_t, count + 1);
    int64_t *to = ARENA_ROOM(arena, int64_t, count + 1);
    Routes routes = {0};
    for (size_t i = 0; i < count; i++) {
        from[i] = collector->sent.items[i].from;
        to[i] = collector->sent.items[i].to;
    }
    if (count && !collector->failed)
        collector->failed = !network_route(network_of(collector), arena, count, from, to, &routes,
                                           collector->query->study.diag);
    Crossing *crossings = ARENA_ROOM(arena, Crossing, routes.link_count + 1);
    for (size_t i = 0; i < routes.link_count; i++) {
        size_t message = (size_t)routes.message[i];
        crossings[i] =
            (Crossing){network_find_link(network_of(collector), routes.from[i], routes.to[i]),
                       collector->sent.items[message].bundle, message};
    }
    load_links(collector, crossings, routes.link_count);
    for (size_t i = 0; i < routes.link_count; i++) {
        const int64_t link = crossings[i].link;
        const LinkUse use = collector->uses[link];
        if (!(use.bytes > 0))
            continue;
        if (collector->has_rows) {
            const size_t column = (size_t)(collector->step / heat->together);
            const size_t cell = (size_t)collector->rows[link] * heat->column_count + column;
            collector->busy[cell] = fmax(collector->busy[cell], use.busy);
            collector->bytes[cell] = fmax(collector->bytes[cell], use.bytes);
            heat->most_busy = fmax(heat->most_busy, use.busy);
        } else {
            collector->rows[link] = 0;
        }
        collector->uses[link] = (LinkUse){0};
    }
    arena_destroy(arena);
    collector->sent.count = 0;
}

static void collect(void *context, const CostedTransfer *costed, const Round *round)
{
    Collector *collector = context;
    const Query *query = collector->query;
    const Network *network = network_of(collector);
    const ScheduledTransfer *transfer = costed->transfer;
    if (costed->step->step != collector->step) {
        flush(collector);
        collector->bundled = NULL; /* rounds may lie where others have been */
    }
    collector->step = costed->step->step;
    if (transfer_is_local(transfer))
        return;
    if (collector->merging && collector->bundled != round) {
        /* Which other messages of the round the switches make one of this. */
        collector->failed |= !merging_bundle(query->study.arena, collector->merging, round,
                                             network->p, &collector->bundles, query->study.diag);
        collector->bundled = round;
    }
    *ARRAY_PUSH(query->study.arena, &collector->sent) = (Sent){
        transfer->from, transfer->to, costed->size,
        collector->merging && collector->bundles ? collector->bundles[transfer - round->transfers]
                                                 : -1,
        query->study.rules.protocols && costed->path_count
            ? choose_protocol(&costed->paths->choice, query->study.rules.parameters,
                              collector->subject->block)
            : -1};
}

static bool follow(Collector *collector)
{
    const Query *query = collector->query;
    const TraceVisitor visitor = {.transfer = collect, .context = collector};
    Profile profile;
    collector->step = 0;
    collector->bundled = NULL;
    if (!profile_trace(query->study.arena, collector->subject->instance, network_of(collector),
                       &query->study.rules, &visitor, &profile, query->study.diag))
        return false;
    flush(collector);
    return !collector->failed;
}

static const char *node_name(const Collector *collector, int64_t node)
{
    const int64_t p = network_of(collector)->p;
    return arena_printf(collector->query->study.arena, node < p ? "%lld" : "s%lld",
                        (long long)(node < p ? node : node - p));
}

/* The links of a row: one, or all those of a group that leave `fold` nodes in a row. */
static const char *row_name(const Collector *collector, int64_t fold, int64_t from, int64_t to)
{
    Arena *arena = collector->query->study.arena;
    const int64_t nodes = network_of(collector)->node_count;
    if (fold == 0)
        return arena_printf(arena, "%s to %s", node_name(collector, from),
                            node_name(collector, to));
    int64_t first = from / fold * fold, last = first + fold < nodes ? first + fold : nodes;
    return fold == 1 ? arena_printf(arena, "from %s", node_name(collector, from))
                     : arena_printf(arena, "from %s..%s", node_name(collector, first),
                                    node_name(collector, last - 1));
}

/* Gives the links that are used a row, group by group, and says how many rows that makes; with
   `rows` it fills them. */
static size_t assign_rows(Collector *collector, const LinkGroups *groups, int64_t fold,
                          LinkHeatRow *rows)
{
    const Network *network = network_of(collector);
    size_t count = 0;
    for (size_t g = 0; g < groups->count; g++) {
        int64_t before = -1;
        for (int64_t n = 0; n < network->node_count; n++) {
            int64_t first = network->starts ? network->starts[n] : n * network->p;
            int64_t end = network->starts ? network->starts[n + 1] : (n + 1) * network->p;
            for (int64_t i = first; i < end; i++) {
                int64_t to = network->starts ? network->neighbours[i] : i - first;
                size_t class = network->starts ? network_link_class(network, i) : 0;
                if (collector->rows[i] < 0 || link_groups_find(groups, n, to, class) != g)
                    continue;
                int64_t key = fold ? n / fold : i;
                if (key != before && rows)
                    rows[count] = (LinkHeatRow){row_name(collector, fold, n, to), g};
                count += key != before;
                before = key;
                collector->rows[i] = (int64_t)count - 1;
            }
        }
    }
    return count;
}

/* As few links to a row as there is room for. */
static const char *lay_rows(Collector *collector)
{
    const Network *network = network_of(collector);
    Arena *arena = collector->query->study.arena;
    LinkHeat *heat = collector->heat;
    LinkGroups *groups = ARENA_NEW(arena, LinkGroups);
    int64_t fold = 0;
    *groups = link_groups_list(network);
    const char **names = ARENA_ARRAY(arena, const char *, groups->count);
    for (size_t i = 0; i < groups->count; i++)
        names[i] = groups->by_dimension ? arena_printf(arena, "dimension %s", groups->items[i].name)
                   : groups->count > 1  ? arena_printf(arena, "level %s", groups->items[i].name)
                                        : "links";
    while ((heat->row_count = assign_rows(collector, groups, fold, NULL)) > LINK_HEAT_MOST_ROWS &&
           fold < network->node_count)
        fold = fold ? 2 * fold : 1;
    LinkHeatRow *rows = ARENA_ARRAY(arena, LinkHeatRow, heat->row_count + 1);
    assign_rows(collector, groups, fold, rows);
    heat->rows = rows;
    heat->groups = names;
    return fold ? "a row has the links that leave one node, or several; its shade is that of the "
                  "busiest"
                : NULL;
}

/* The time of each round, where rounds have one. */
typedef struct {
    const Collector *collector;
    double *rounds;
    int64_t number; /* of the port step at hand */
} Stopwatch;

static void time_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Stopwatch *watch = context;
    const Collector *collector = watch->collector;
    (void)round;
    if (costed->step->number == watch->number)
        return;
    watch->number = costed->step->number;
    watch->rounds[costed->step->step] += cost_total(port_step_total(
        costed->step, collector->query->study.rules.parameters, collector->subject->block));
}

static void time_product(void *context, const CostedProduct *costed)
{
    Stopwatch *watch = context;
    if (costed->is_first)
        watch->rounds[costed->step < 0 ? 0 : costed->step] +=
            watch->collector->query->study.machine.multiply.seconds * (double)costed->busiest;
}

static bool time_columns(Collector *collector)
{
    const Query *query = collector->query;
    LinkHeat *heat = collector->heat;
    Arena *arena = query->study.arena;
    Stopwatch watch = {collector, ARENA_ARRAY(arena, double, (size_t)heat->rounds + 1), -1};
    const TraceVisitor visitor = {
        .transfer = time_transfer, .product = time_product, .context = &watch};
    Profile profile;
    double *columns = ARENA_ARRAY(arena, double, heat->column_count);
    if (query->study.rules.asynchronous)
        return true;
    if (!profile_trace(arena, collector->subject->instance, network_of(collector),
                       &query->study.rules, &visitor, &profile, query->study.diag))
        return false;
    for (int64_t i = 0; i < heat->rounds; i++) {
        double *column = &columns[i / heat->together];
        *column = fmax(*column, watch.rounds[i]);
        heat->most_seconds = fmax(heat->most_seconds, watch.rounds[i]);
    }
    heat->seconds = heat->most_seconds > 0 ? columns : NULL;
    return true;
}

typedef struct {
    ScheduleExtent *extent;
    int64_t *seen; /* of each rank: the last round, from 1, in which it was busy */
    int64_t busy;  /* in all rounds together */
} Surveyor;

static void survey_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Surveyor *surveyor = context;
    const ScheduledTransfer *transfer = costed->transfer;
    const int64_t ends[] = {transfer->from, transfer->to}, number = costed->step->step + 1;
    (void)round;
    if (number > surveyor->extent->rounds)
        surveyor->extent->rounds = number;
    if (transfer_is_local(transfer))
        return;
    surveyor->extent->messages++;
    for (int i = 0; i < 2; i++)
        if (surveyor->seen[ends[i]] != number) {
            surveyor->seen[ends[i]] = number;
            surveyor->busy++;
        }
}

bool schedule_extent_find(const Query *query, const TraceSubject *subject, ScheduleExtent *extent)
{
    Surveyor surveyor = {extent,
                         ARENA_ARRAY(query->study.arena, int64_t, (size_t)subject->network->p), 0};
    const TraceVisitor visitor = {.transfer = survey_transfer, .context = &surveyor};
    *extent = (ScheduleExtent){0};
    if (!profile_trace(query->study.arena, subject->instance, subject->network, &query->study.rules,
                       &visitor, &extent->profile, query->study.diag))
        return false;
    extent->busy = extent->rounds ? (double)surveyor.busy / (double)extent->rounds : 0;
    return true;
}

bool heat_find(const Query *query, const TraceSubject *subject, const ScheduleExtent *extent,
               LinkHeat *heat)
{
    Arena *arena = query->study.arena;
    const Network *network = subject->network;
    Collector collector = {.query = query, .subject = subject, .heat = heat};
    const size_t links = (size_t)network_link_count(network);
    if (extent->messages > LIMIT_TRAFFIC_MESSAGES)
        return diag_limit(query->study.diag, NOWHERE,
                          "the schedule has more than %d messages to draw", LIMIT_TRAFFIC_MESSAGES);
    if (links > LIMIT_TRAFFIC_LINKS)
        return diag_limit(query->study.diag, NOWHERE,
                          "%s has more than %d links, too many for a picture", network->name,
                          LIMIT_TRAFFIC_LINKS);
    if (extent->messages == 0)
        return diag_error(query->study.diag, NOWHERE,
                          "no message crosses a link: there is nothing to draw");
    *heat = (LinkHeat){.rounds = extent->rounds};
    heat->together = (extent->rounds + LINK_HEAT_MOST_COLUMNS - 1) / LINK_HEAT_MOST_COLUMNS;
    heat->column_count = (size_t)((extent->rounds + heat->together - 1) / heat->together);
    collector.uses = ARENA_ARRAY(arena, LinkUse, links + 1);
    collector.rows = ARENA_ARRAY(arena, int64_t, links + 1);
    for (size_t i = 0; i < links; i++)
        collector.rows[i] = -1;
    collector.costs = rules_link_costs(arena, &query->study.rules, network);
    collector.merging = merging_find(arena, &query->study.rules, network);
    if (!follow(&collector))
        return false;
    const char *rows = lay_rows(&collector);
    collector.busy = ARENA_ARRAY(arena, double, heat->row_count * heat->column_count + 1);
    collector.has_rows = true;
    collector.bytes = ARENA_ARRAY(arena, double, heat->row_count * heat->column_count + 1);
    heat->busy = collector.busy;
    heat->bytes = collector.bytes;
    if (!follow(&collector) || !time_columns(&collector))
        return false;
    heat->heading = trace_heading(query, subject, rows);
    return true;
}
