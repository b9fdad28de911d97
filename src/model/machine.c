#include "model/machine.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const ParameterInfo parameter_info[PARAMETER_COUNT] = {
    [PARAMETER_TS] = {"ts", "ts", "startup", {1, 0}, {1, 0}, false},
    [PARAMETER_TH] = {"th", "th", "per-hop", {1, 0}, {1, 0}, false},
    [PARAMETER_TW] = {"tw", "m tw", "bandwidth", {1, -1}, {-1, 1}, true},
    [PARAMETER_TC] = {"tc", "m tc", "compute", {1, -1}, {-1, 1}, true},
};

const LocalWorkInfo local_work_info[LOCAL_WORK_COUNT] = {
#define LOCAL_WORK(id, rate, bytes, words) [LOCAL_##id] = {rate, bytes, words},
#include "model/local_work.def"
#undef LOCAL_WORK
};

const char *const switching_names[SWITCHING_COUNT] = {
    [SWITCHING_CUT_THROUGH] = "cut-through",
    [SWITCHING_STORE_AND_FORWARD] = "store-and-forward",
    [SWITCHING_STARTUPS] = "store-and-forward-startups",
};
const char *const switching_letters[SWITCHING_COUNT] = {
    [SWITCHING_CUT_THROUGH] = "ct",
    [SWITCHING_STORE_AND_FORWARD] = "sf",
    [SWITCHING_STARTUPS] = "sf-startups",
};
const char *const posting_names[POSTING_COUNT] = {
    [POSTING_UNSTATED] = "",
    [POSTING_IN_ORDER] = "in-order",
    [POSTING_TOGETHER] = "together",
    [POSTING_STREAMED] = "streamed",
};
const char *const merging_names[MERGING_COUNT] = {
    [MERGING_MULTICASTS] = "multicasts", [MERGING_COMBINES] = "combines"};
const char *const delay_names[DELAY_COUNT] = {
    [DELAY_OVERHEAD] = "overhead",       [DELAY_GAP] = "gap",
    [DELAY_RECEIVE] = RECEIVE_KEY,       [DELAY_CONTACT] = "contact",
    [DELAY_CONTACT_POSTED] = POSTED_KEY, [DELAY_CALL] = "call",
};
const char *const duplex_names[DUPLEX_COUNT] = {[DUPLEX_FULL] = "full", [DUPLEX_HALF] = "half"};

int switching_find(Text word)
{
    for (int i = 0; i < SWITCHING_COUNT; i++)
        if (text_equals(word, switching_names[i]) || text_equals(word, switching_letters[i]))
            return i;
    return -1;
}

DelayKind delay_find(Text name)
{
    int kind = 0;
    while (kind < DELAY_COUNT && !text_equals(name, delay_names[kind]))
        kind++;
    return (DelayKind)kind;
}

bool ports_parse(Text text, int64_t *ports, bool *all, bool *by_level, Diag *diag)
{
    *ports = 1;
    *all = text_equals(text, "all");
    *by_level = text_equals(text, "levels");
    return *all || *by_level || quantity_parse_integer(text, 1, LARGEST_PORTS, ports, diag);
}

const Level *level_find(const Level *levels, int count, const char *name)
{
    for (int i = 0; name && i < count; i++)
        if (text_equals(levels[i].name, name))
            return &levels[i];
    return NULL;
}

const Protocol *machine_protocols(const Machine *machine)
{
    return machine->listed_count ? machine->protocols : NULL;
}

Text machine_range_name(Arena *arena, const double *sizes, int count, int number)
{
    bool is_last = number + 1 == count;
    const char *which = is_last ? "over" : "to";
    double bytes = sizes[is_last ? number - 1 : number];
    const char *shown = quantity_show_bytes(arena, bytes);
    const char *blank = strchr(shown, ' ');
    bool is_whole = blank && !memchr(shown, '.', (size_t)(blank - shown));
    const char *name =
        is_whole ? arena_printf(arena, "%s-%.*s%s", which, (int)(blank - shown), shown, blank + 1)
                 : arena_printf(arena, "%s-%.0fB", which, bytes);
    return text_plain(name);
}

double working_price(const WorkingPrices *prices, double bytes)
{
    int i = bytes < 0 ? prices->count - 1 : 0;
    while (bytes > prices->items[i].up_to)
        i++;
    return prices->items[i].price;
}

LocalWork local_work_find(Text name)
{
    int work = 0;
    while (work < LOCAL_WORK_COUNT && !text_equals(name, local_work_info[work].rate))
        work++;
    return (LocalWork)work;
}

double working_price_least(const WorkingPrices *prices)
{
    double least = prices->items[0].price;
    for (int i = 1; i < prices->count; i++)
        least = fmin(least, prices->items[i].price);
    return least;
}

/* "LL-few" of "LL"; and what no message takes where it can have the other one, which is there for
   algorithms that name it. */
static bool may_stay(const Protocol *one, const Protocol *other)
{
    const double *mine = one->parameters, *others = other->parameters;
    const size_t length = other->name.length;
    return (one->name.length > length && one->name.chars[length] == '-' &&
            memcmp(one->name.chars, other->name.chars, length) == 0) ||
           (mine[PARAMETER_TS] >= others[PARAMETER_TS] &&
            mine[PARAMETER_TW] >= others[PARAMETER_TW]);
}

/* All protocols of a list become the one of that name, but for those that may stay where messages
   take the fastest. */
static bool keep_protocol(Protocol *list, int count, const char *name, bool fastest)
{
    int kept = 0;
    while (kept < count && (list[kept].name.length != strlen(name) ||
                            strncasecmp(list[kept].name.chars, name, strlen(name)) != 0))
        kept++;
    for (int i = 0; i < count && kept < count; i++)
        if (i != kept && !(fastest && may_stay(&list[i], &list[kept]))) {
            const double up_to = list[i].up_to;
            list[i] = list[kept];
            list[i].up_to = up_to;
        }
    return kept < count;
}

bool machine_keep_protocol(Machine *machine, const char *name)
{
    bool found =
        machine->listed_count > 0 &&
        (!machine->protocol_count ||
         keep_protocol(machine->protocols, machine->protocol_count, name, machine->select_fastest));
    for (int i = 0; i < machine->level_count && found; i++) {
        const Level *level = &machine->levels[i];
        found = !level->protocol_count ||
                keep_protocol(machine->protocols + level->first_protocol, level->protocol_count,
                              name, machine->select_fastest);
    }
    return found;
}

const Protocol *protocol_for(const Protocol *protocols, double bytes)
{
    while (bytes > protocols->up_to)
        protocols++;
    return protocols;
}

static const char *add_piece(Arena *arena, const char *text, const char *piece)
{
    return arena_printf(arena, "%s%s%s", text, *text ? ", " : "", piece);
}

static const char *describe_parameter(Arena *arena, Parameter parameter, double value, bool assumed)
{
    const ParameterInfo *info = &parameter_info[parameter];
    return arena_printf(arena, "%s %s%s", info->key,
                        info->inverse && value > 0 ? quantity_show_bandwidth(arena, 1 / value)
                                                   : quantity_show_time(arena, value),
                        assumed ? " (assumed)" : "");
}

/* "eager up to 8 KiB (startup 1 us)", "beyond (bandwidth 10 GB/s)", "LL (startup 1 us)" */
static const char *describe_protocol(Arena *arena, const Machine *machine, int number)
{
    const Protocol *protocol = &machine->protocols[number];
    const char *text = "", *name = arena_copy(arena, protocol->name.chars, protocol->name.length);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (protocol->parameters[i] >= 0)
            text = add_piece(arena, text,
                             describe_parameter(arena, (Parameter)i, protocol->parameters[i],
                                                protocol->assumed[i]));
    const char *range =
        isfinite(protocol->up_to)
            ? arena_printf(arena, "up to %s", quantity_show_bytes(arena, protocol->up_to))
        : machine->select_fastest ? ""
                                  : "beyond";
    return arena_printf(arena, "%s%s%s (%s)", name, *name && *range ? " " : "", range,
                        *text ? text : "as the machine");
}

/* "overhead 1 us, gap 0.5 us (assumed)" behind `text` */
static const char *describe_delays(Arena *arena, const char *text, const Delay *delays, int count)
{
    for (int i = 0; i < count; i++)
        if (delays[i].is_given)
            text = add_piece(arena, text,
                             arena_printf(arena, "%s %s%s", delay_names[i],
                                          quantity_show_time(arena, delays[i].seconds),
                                          delays[i].is_assumed ? " (assumed)" : ""));
    return text;
}

/* "node (startup 5 us, bandwidth 50 GB/s, 8 ports, LL up to 1 KiB (startup 1 us), ...)" */
static const char *describe_level(Arena *arena, const Machine *machine, const Level *level)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (level->parameters[i] >= 0)
            text = add_piece(
                arena, text,
                describe_parameter(arena, (Parameter)i, level->parameters[i], level->assumed[i]));
    text = describe_delays(arena, text, level->delays, DELAYS_OF_LEVELS);
    if (level->ports)
        text = add_piece(arena, text,
                         arena_printf(arena, "%lld port%s", (long long)level->ports,
                                      level->ports == 1 ? "" : "s"));
    if (level->capacity > 0)
        text = add_piece(
            arena, text,
            arena_printf(arena, "capacity %s", quantity_show_bandwidth(arena, level->capacity)));
    if (level->passes > 1)
        text = add_piece(arena, text, arena_printf(arena, "%lld passes", (long long)level->passes));
    for (int i = 0; i < MERGING_COUNT; i++)
        if (level->merges[i])
            text = add_piece(arena, text, merging_names[i]);
    if (level->merging > 0)
        text = add_piece(arena, text,
                         arena_printf(arena, "%g of the bandwidth for these", level->merging));
    if (level->devices_per_adapter)
        text = add_piece(arena, text,
                         level->devices_per_adapter == 1
                             ? "an adapter for each device"
                             : arena_printf(arena, "an adapter for %lld devices",
                                            (long long)level->devices_per_adapter));
    for (int i = 0; i < level->protocol_count; i++)
        text = add_piece(arena, text, describe_protocol(arena, machine, level->first_protocol + i));
    return arena_printf(arena, "%.*s (%s)", (int)level->name.length, level->name.chars,
                        *text ? text : "as the machine");
}

const char *machine_describe_multiply(Arena *arena, const Machine *machine)
{
    return arena_printf(arena, "multiply-add %s%s", quantity_show_time(arena, machine->multiply),
                        machine->multiply_assumed ? " (assumed)" : "");
}

/* Have all protocols a value of their own, the first that of the machine? Then it is told there. */
static bool is_told_by_protocols(const Machine *machine, int parameter)
{
    bool told = machine->protocol_count > 0 &&
                machine->protocols[0].parameters[parameter] == machine->parameters[parameter];
    for (int i = 0; i < machine->protocol_count; i++)
        told &= machine->protocols[i].parameters[parameter] >= 0;
    return told;
}

/* "compute 14 GB/s up to 32 MiB, 5 GB/s beyond" */
static const char *describe_prices(Arena *arena, const char *key, const WorkingPrices *prices,
                                   bool assumed)
{
    const char *text = arena_printf(arena, "%s ", key);
    for (int i = 0; i < prices->count; i++) {
        const WorkingPrice *item = &prices->items[i];
        const char *rate = quantity_show_bandwidth(arena, 1 / item->price);
        const char *range =
            isfinite(item->up_to)
                ? arena_printf(arena, "up to %s", quantity_show_bytes(arena, item->up_to))
            : i > 0 ? "beyond"
                    : "";
        text =
            arena_printf(arena, "%s%s%s%s%s", text, i ? ", " : "", rate, *range ? " " : "", range);
    }
    return arena_printf(arena, "%s%s", text, assumed ? " (assumed)" : "");
}

const char *machine_describe(Arena *arena, const Machine *machine)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (i == PARAMETER_TC && machine->compute.count)
            text = add_piece(arena, text,
                             describe_prices(arena, parameter_info[i].key, &machine->compute,
                                             machine->assumed[i]));
        else if (machine->parameters[i] != 0 && !is_told_by_protocols(machine, i))
            text = add_piece(arena, text,
                             describe_parameter(arena, (Parameter)i, machine->parameters[i],
                                                machine->assumed[i]));
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        if (machine->local[i].count)
            text = add_piece(
                arena, text,
                describe_prices(arena, local_work_info[i].rate, &machine->local[i], false));
    text = describe_delays(arena, text, machine->delays, DELAY_COUNT);
    if (machine->posting >= POSTING_TOGETHER)
        text = add_piece(arena, text, "posting together");
    if (machine->all_ports)
        text = add_piece(arena, text, "all ports");
    else if (machine->level_ports)
        text = add_piece(arena, text, "ports by level");
    else if (machine->ports != 1)
        text = add_piece(arena, text, arena_printf(arena, "%lld ports", (long long)machine->ports));
    for (int i = 0; i < machine->level_count; i++)
        text = add_piece(arena, text, describe_level(arena, machine, &machine->levels[i]));
    for (int i = 0; i < machine->protocol_count; i++)
        text = add_piece(arena, text, describe_protocol(arena, machine, i));
    if (machine->select_fastest)
        text = add_piece(arena, text, "the fastest protocol for each message");
    return *text ? text : "all times are 0";
}
