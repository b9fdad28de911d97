#include "cost/rules.h"

#include <math.h>
#include <string.h>

#define CONTENTION(id, name, words) name,
const char *const contention_names[CONTENTION_COUNT] = {
#include "cost/rules.def"
};
#define COMBINING(id, name, words) name,
const char *const combining_names[COMBINING_COUNT] = {
#include "cost/rules.def"
};
#define CONTENTION(id, name, words) words,
static const char *const contention_words[CONTENTION_COUNT] = {
#include "cost/rules.def"
};
#define COMBINING(id, name, words) words,
static const char *const combining_words[COMBINING_COUNT] = {
#include "cost/rules.def"
};

double delays_spacing(const Delay *delays, bool receives)
{
    const bool apart = receives && delays[DELAY_RECEIVE].is_given;
    return fmax(delays[apart ? DELAY_RECEIVE : DELAY_OVERHEAD].seconds, delays[DELAY_GAP].seconds);
}

void rules_follow_machine(Rules *rules, const Machine *machine)
{
    memcpy(rules->parameters, machine->parameters, sizeof rules->parameters);
    rules->ports = machine->ports;
    rules->all_ports = machine->all_ports;
    rules->level_ports = machine->level_ports;
    rules->levels = machine->levels;
    rules->level_count = machine->level_count;
    rules->protocols = machine_protocols(machine);
    rules->protocol_count = machine->protocol_count;
    rules->select_fastest = machine->select_fastest;
    rules->compute = machine->compute;
    memcpy(rules->local, machine->local, sizeof rules->local);
    memcpy(rules->delays, machine->delays, sizeof rules->delays);
    rules->contacts = machine->contacts ? machine->contacts : USUAL_CONTACTS;
    for (int receives = 0; receives < 2; receives++)
        rules->spacing[receives] = delays_spacing(rules->delays, receives);
    const double contact = rules->delays[DELAY_CONTACT].seconds;
    const Delay *posted = &rules->delays[DELAY_CONTACT_POSTED];
    rules->spacing[COUNTED_CONTACT] = contact;
    rules->spacing[COUNTED_POSTED] = contact > 0 && posted->is_given ? posted->seconds : contact;
    if (!rules->fixed_posting)
        rules->posting = machine->posting;
}

bool rules_post_together(const Rules *rules, Posting stated)
{
    return (rules->fixed_posting || !stated ? rules->posting : stated) >= POSTING_TOGETHER;
}

bool rules_stream(const Rules *rules, Posting stated)
{
    return (rules->fixed_posting || !stated ? rules->posting : stated) == POSTING_STREAMED;
}

Posting rules_loosest_posting(const Rules *rules, const Algorithm *algorithm)
{
    const Posting own = algorithm->streams          ? POSTING_STREAMED
                        : algorithm->posts_together ? POSTING_TOGETHER
                                                    : rules->posting;
    return own > rules->posting && !rules->fixed_posting ? own : rules->posting;
}

/* Those of the ranks of a network (NULL: as the machine says), which levels can set. */
static const char *describe_ports(Arena *arena, const Rules *rules, const Network *network)
{
    int64_t least = rules->ports, most = least;
    if (rules->all_ports || rules->level_ports)
        return rules->all_ports ? "all ports" : "ports by level";
    for (int64_t r = 0; network && rules->level_count && r < network->p; r++) {
        const int64_t ports = rules_send_ports(rules, network, r);
        least = r > 0 && least < ports ? least : ports;
        most = r > 0 && most > ports ? most : ports;
    }
    const char *up_to = least < most ? arena_printf(arena, "%lld to ", (long long)least) : "";
    return arena_printf(arena, "%s%lld port%s", up_to, (long long)most, PLURAL_END(most));
}

static const char *describe(Arena *arena, const Rules *rules, const Network *network)
{
    static const char *const switching_words[SWITCHING_COUNT] = {
        [SWITCHING_CUT_THROUGH] = "cut-through",
        [SWITCHING_STORE_AND_FORWARD] = "store-and-forward",
        [SWITCHING_STARTUPS] = "store-and-forward with a startup at every hop",
    };
    /* which matter on rings only, so the default is not worth a word */
    static const char *const ties_words[TIES_COUNT] = {
        [TIES_PLUS] = "",
        [TIES_INSIDE] = ", ties inside",
        [TIES_PARITY] = ", ties by parity",
    };
    const char *posting = rules->posting == POSTING_STREAMED   ? ", streamed"
                          : rules->posting == POSTING_TOGETHER ? ", posted together"
                          : rules->fixed_posting               ? ", posted in order"
                                                               : "";
    const char *weights =
        rules->weights ? arena_printf(arena, ", weights %s", rules->weights->text) : "";
    return arena_printf(arena, "%s, %s%s, %s, %s duplex, %s%s, %s k%s%s%s%s%s",
                        switching_words[rules->switching], describe_ports(arena, rules, network),
                        posting, contention_words[rules->contention], duplex_names[rules->duplex],
                        combining_words[rules->combining],
                        rules->asynchronous ? ", asynchronous" : "",
                        rules->real_chunks && rules_have_closed_forms(rules) ? "real" : "integer",
                        rules->ceil_chunks ? ", whole bytes per chunk" : "",
                        rules->protocols && rules->select_fastest ? ", fastest protocol" : "",
                        rules->averages ? ", mean finish" : "", ties_words[rules->ties], weights);
}

const char *rules_describe(Arena *arena, const Rules *rules)
{
    return describe(arena, rules, NULL);
}

/* "integer k, levels host, local and global" */
const char *rules_describe_on(Arena *arena, const Rules *rules, const Network *network)
{
    const char *text = "";
    int later = 0;
    for (int i = rules->level_count - 1; i >= 0; i--) {
        Text name = rules->levels[i].name;
        if (!network_has_level(network, name))
            continue;
        const char *joint = later == 0 ? "" : later == 1 ? " and " : ", ";
        text = arena_printf(arena, "%.*s%s%s", TEXT_ARGS(name), joint, text);
        later++;
    }
    const char *conventions = describe(arena, rules, network);
    if (network_groups(network) > 1)
        conventions = arena_printf(arena, "%s, %lld groups at once", conventions,
                                   (long long)network_groups(network));
    return later == 0
               ? conventions
               : arena_printf(arena, "%s, level%s %s", conventions, later > 1 ? "s" : "", text);
}

const char *rules_describe_for(Arena *arena, const Rules *rules, const Network *network,
                               const Algorithm *const *algorithms, size_t count)
{
    const char *text = rules_describe_on(arena, rules, network), *names = "";
    size_t later = 0;
    for (size_t i = count; i-- > 0 && rules->posting < POSTING_TOGETHER;) {
        if (rules_loosest_posting(rules, algorithms[i]) < POSTING_TOGETHER)
            continue;
        names = arena_printf(arena, "%s%s%s", algorithms[i]->head.name,
                             later == 0   ? ""
                             : later == 1 ? " and "
                                          : ", ",
                             names);
        later++;
    }
    return later ? arena_printf(arena, "%s, posted together by %s", text, names) : text;
}

/* Does the machine, or a level, state any of these? */
static bool has_delays(const Rules *rules, DelayKind first, DelayKind end)
{
    bool any = false;
    for (int x = first; x < (int)end; x++) {
        any |= rules->delays[x].is_given;
        for (int i = 0; i < rules->level_count; i++)
            any |= rules->levels[i].delays[x].is_given;
    }
    return any;
}

bool rules_count_delays(const Rules *rules, DelayKind first, DelayKind end)
{
    bool alike = rules->keeps_spacing;
    for (int i = 0; i < rules->level_count && alike; i++)
        for (int x = first; x < (int)end; x++)
            alike &= !rules->levels[i].delays[x].is_given;
    return alike;
}

bool rules_have_contacts(const Rules *rules)
{
    return has_delays(rules, DELAY_CONTACT, DELAY_EXCHANGE);
}

bool rules_have_exchanges(const Rules *rules)
{
    return has_delays(rules, DELAY_EXCHANGE, DELAY_CALL);
}

bool rules_merge(const Rules *rules)
{
    bool any = false;
    for (int i = 0; i < rules->level_count; i++)
        for (int kind = 0; kind < MERGING_COUNT; kind++)
            any |= rules->levels[i].merges[kind];
    return any;
}

bool rules_are_usual(const Rules *rules)
{
    return rules->switching != SWITCHING_STARTUPS && rules->contention == CONTENTION_BYTES &&
           rules->duplex == DUPLEX_FULL && rules->combining == COMBINING_AFTER &&
           !rules->asynchronous && !rules->averages && !rules->ceil_chunks && !rules->posting &&
           !rules->weights && !has_delays(rules, DELAY_OVERHEAD, DELAY_CALL) && !rules_merge(rules);
}

bool rules_have_local(const Rules *rules)
{
    bool any = false;
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        any |= rules->local[i].count > 0;
    return any;
}

bool rules_price_local(const Rules *rules, const Algorithm *algorithm)
{
    bool any = false;
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        any |= rules->local[i].count && algorithm->local[i].count;
    return any;
}

bool rules_price_by_peak(const Rules *rules, const Algorithm *algorithm)
{
    bool any = rules->compute.count && algorithm->combines;
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        any |= rules->local[i].count > 1 && algorithm->local[i].count;
    return any;
}

bool rules_have_closed_forms(const Rules *rules)
{
    return rules_are_usual(rules) && !rules->protocols && !rules->compute.count &&
           !rules_have_local(rules);
}

int rules_protocol(const Rules *rules, Text name)
{
    int count = name.length && rules->protocols ? rules->protocol_count : 0, found = 0;
    for (int i = 0; i < rules->level_count && count; i++)
        count = rules->levels[i].protocol_count
                    ? rules->levels[i].first_protocol + rules->levels[i].protocol_count
                    : count;
    for (int i = 0; i < count && !found; i++)
        if (text_same(rules->protocols[i].name, name))
            found = rules->protocols[i].number + 1;
    return found;
}

bool rules_have_lists(const Rules *rules)
{
    bool any = false;
    for (int i = 0; rules->protocols && i < rules->level_count; i++)
        any |= rules->levels[i].protocol_count > 0;
    return any;
}

/* The least that a list of protocols says, or what stands in for that where one says nothing, or
   there are none. */
static double least_of_list(const Rules *rules, int first, int count, Parameter parameter,
                            double other)
{
    double least = count ? INFINITY : other;
    for (int i = first; i < first + count; i++) {
        const double own = rules->protocols[i].parameters[parameter];
        least = fmin(least, own >= 0 ? own : other);
    }
    return least;
}

/* The machine's own, or the least that a message of some size pays. */
static double least_link_cost(const Rules *rules, Parameter parameter)
{
    return least_of_list(rules, 0, rules->protocols ? rules->protocol_count : 0, parameter,
                         rules->parameters[parameter]);
}

/* What a message with a protocol, -1 for none, pays on links of a level: as its list says, else as
   the level does, else as the machine. */
static double price_of(const Rules *rules, const Level *level, int number, Parameter parameter)
{
    double value = -1;
    for (int i = 0; level && i < level->protocol_count; i++)
        if (rules->protocols[level->first_protocol + i].number == number)
            value = rules->protocols[level->first_protocol + i].parameters[parameter];
    if (value < 0 && level)
        value = level->parameters[parameter];
    for (int i = 0; value < 0 && i < rules->protocol_count; i++)
        if (rules->protocols[i].number == number)
            value = rules->protocols[i].parameters[parameter];
    return value >= 0 ? value : rules->parameters[parameter];
}

/* The least that any message pays on links of a level: its highest level may be this one or one
   above, and lists the protocols that it can have. */
static double least_crossing_cost(const Rules *rules, const Network *network, const char *name,
                                  Parameter parameter)
{
    const Topology *topology = network->topology;
    const Level *level = level_find(rules->levels, rules->level_count, name);
    double least = INFINITY;
    for (int above = network_level(network, name); above <= (int)topology->level_count; above++) {
        const Level *highest = level_find(rules->levels, rules->level_count,
                                          above ? topology->levels[above - 1] : NULL);
        bool own = highest && highest->protocol_count;
        int first = own ? highest->first_protocol : 0,
            count = own ? highest->protocol_count : rules->protocol_count;
        if (count == 0)
            least = fmin(least, price_of(rules, level, -1, parameter));
        for (int i = first; i < first + count; i++)
            least = fmin(least, price_of(rules, level, rules->protocols[i].number, parameter));
    }
    return least;
}

bool rules_vary_level(const Rules *rules, Text level, int parameter)
{
    const VariedLinkCost *varied = &rules->varied;
    return varied->level.length && varied->parameter == parameter &&
           text_same(varied->level, level);
}

static LinkCost cost_link(const Rules *rules, const Network *network, const LinkClass *class)
{
    const Level *level = level_find(rules->levels, rules->level_count, class->level);
    const VariedLinkCost *varied = &rules->varied;
    const bool varies =
        class->level && varied->level.length && text_equals(varied->level, class->level);
    bool has_list = rules->protocols && level && level->protocol_count;
    LinkCost link_cost = {.level = network_level(network, class->level),
                          .list = has_list ? (int)(level - rules->levels) + 1 : 0,
                          .lanes = class->lanes,
                          .merging = level ? level->merging : 0};
    double links_own[PARAMETER_COUNT] = {
        [PARAMETER_TS] = -1,
        [PARAMETER_TH] = class->th,
        [PARAMETER_TW] = class->tw,
        [PARAMETER_TC] = -1,
    };
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double scale = level && level->link_scales[i] > 0 ? level->link_scales[i] : 1;
        if (level && level->link_scales[i] < 0)
            links_own[i] = -1;
        double value = links_own[i] >= 0 ? links_own[i] * scale : level ? level->parameters[i] : -1;
        link_cost.own[i] = value >= 0;
        link_cost.varied[i] = link_cost.own[i] && varies && varied->parameter == i;
        link_cost.values[i] = value >= 0 ? value : least_link_cost(rules, (Parameter)i);
        if (has_list && links_own[i] < 0 && (i == PARAMETER_TS || i == PARAMETER_TW)) {
            link_cost.listed[i] = link_cost.own[i] = true;
            link_cost.varied[i] = false;
            const double own = level->parameters[i];
            link_cost.values[i] =
                least_of_list(rules, level->first_protocol, level->protocol_count, (Parameter)i,
                              own >= 0 ? own : least_link_cost(rules, (Parameter)i));
        }
        if (i == PARAMETER_TW && links_own[i] < 0 && (has_list || value < 0) &&
            rules_have_lists(rules))
            link_cost.values[i] = least_crossing_cost(rules, network, class->level, PARAMETER_TW);
    }
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        link_cost.delays[i] =
            level && level->delays[i].is_given ? level->delays[i] : rules->delays[i];
    link_cost.exchange = level && level->delays[DELAY_EXCHANGE].is_given
                             ? &level->delays[DELAY_EXCHANGE]
                             : &rules->delays[DELAY_EXCHANGE];
    if (link_cost.lanes == 0)
        link_cost.lanes = level && level->ports ? level->ports : 1;
    return link_cost;
}

const LinkCost *rules_link_costs(Arena *arena, const Rules *rules, const Network *network)
{
    LinkCost *link_costs = ARENA_ARRAY(arena, LinkCost, network->class_count);
    int lowest = INT32_MAX;
    for (size_t i = 0; i < network->class_count; i++) {
        link_costs[i] = cost_link(rules, network, &network->classes[i]);
        lowest = link_costs[i].level < lowest ? link_costs[i].level : lowest;
    }
    /* The ports of the lowest level are those of the ranks, each with links of its own. */
    for (size_t i = 0; i < network->class_count; i++)
        if (link_costs[i].level == lowest && network->classes[i].lanes == 0)
            link_costs[i].lanes = 1;
    return link_costs;
}

static int64_t ports_of(const Rules *rules, const Network *network, int64_t rank, int64_t links,
                        const uint32_t *levels)
{
    if (rules->all_ports)
        return links > 0 ? links : 1;
    if (rules->level_ports)
        return levels && levels[rank] ? __builtin_popcount(levels[rank]) : 1;
    if (rules->fixed_ports || rules->level_count == 0)
        return rules->ports;
    const char *lowest = network->classes[0].level; /* of the links that leave the rank */
    const bool differ = network->starts && network->link_classes;
    int least = INT32_MAX;
    for (int64_t i = differ ? network->starts[rank] : 0; differ && i < network->starts[rank + 1];
         i++) {
        const char *name = network->classes[network->link_classes[i]].level;
        const int own = network_level(network, name);
        if (own < least)
            least = own, lowest = name;
    }
    const Level *level = level_find(rules->levels, rules->level_count, lowest);
    return level && level->ports ? level->ports : rules->ports;
}

int64_t rules_send_ports(const Rules *rules, const Network *network, int64_t rank)
{
    return ports_of(rules, network, rank, rules->all_ports ? network_degree(network, rank) : 0,
                    network->levels_out);
}

int64_t rules_receive_ports(const Rules *rules, const Network *network, int64_t rank)
{
    return ports_of(rules, network, rank, rules->all_ports ? network_arrivals(network, rank) : 0,
                    network->levels_in);
}

bool rules_same_ports(const Rules *rules, const Network *network)
{
    for (int64_t r = 1; r < network->p; r++)
        if (rules_send_ports(rules, network, r) != rules_send_ports(rules, network, 0) ||
            rules_receive_ports(rules, network, r) != rules_receive_ports(rules, network, 0))
            return false;
    return true;
}

int64_t rules_ports(const Rules *rules, const Network *network)
{
    bool differs =
        rules->all_ports || rules->level_ports || (rules->level_count && !rules->fixed_ports);
    if (!differs || !network->starts)
        return rules_send_ports(rules, network, 0);
    int64_t most = 1;
    for (int64_t r = 0; r < network->p; r++) {
        int64_t out = rules_send_ports(rules, network, r);
        int64_t in = rules_receive_ports(rules, network, r);
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

bool rules_least_spacing(const Rules *rules, const Network *network, double *spacing)
{
    const bool together = rules->posting >= POSTING_TOGETHER;
    bool any = together;
    *spacing = rules->posting == POSTING_STREAMED ? 0 : INFINITY;
    for (size_t c = 0; c < network->class_count; c++) {
        const LinkCost link_cost = cost_link(rules, network, &network->classes[c]);
        const double overhead = link_cost.delays[DELAY_OVERHEAD].seconds;
        const double startup = link_cost.values[PARAMETER_TS];
        const Delay *receive = &link_cost.delays[DELAY_RECEIVE];
        const Delay *gap = &link_cost.delays[DELAY_GAP];
        /* What ranks receive may spread as what they send. In order, what has no gap takes its
           startup; and so does what is sent in the next round. */
        const double busy = receive->is_given ? fmin(overhead, receive->seconds) : overhead;
        const bool overlaps = together || gap->is_given;
        *spacing = fmin(*spacing, overlaps ? fmin(fmax(busy, gap->seconds), startup) : startup);
        any |= gap->is_given;
    }
    return any;
}

void rules_least(const Rules *rules, const Network *network, double least[PARAMETER_COUNT])
{
    for (int i = 0; i < PARAMETER_COUNT; i++)
        for (size_t c = 0; c < network->class_count; c++) {
            double value = cost_link(rules, network, &network->classes[c]).values[i];
            least[i] = c == 0 || value < least[i] ? value : least[i];
        }
    if (rules->compute.count)
        least[PARAMETER_TC] = working_price_least(&rules->compute);
}
