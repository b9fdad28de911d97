#include "model/parameters.h"

#include "model/machine.h"

#include <math.h>
#include <stddef.h>

/* One line for each parameter: its key, what is kept and written, how, and by whom in which member.
 */
#define KEY(key) (key), (key)
#define MACHINE(member) [OF_MACHINE] = offsetof(Machine, member)
#define LEVEL(member) [OF_LEVEL] = offsetof(Level, member)
#define PROTOCOL(member) [OF_PROTOCOL] = offsetof(Protocol, member)
#define LINKS(member) MACHINE(member), LEVEL(member)
#define MESSAGES(member) LINKS(member), PROTOCOL(member)
#define A_TIME .dimension = {1, 0}, .key_dimension = {1, 0}
#define A_RATE .dimension = {1, -1}, .key_dimension = {-1, 1}, .inverse = true
#define A_SIZE .dimension = {0, 1}, .key_dimension = {0, 1}
#define COST(id, owners)                                                                           \
    .places = {owners(parameters[PARAMETER_##id])}, .assumed = {owners(assumed[PARAMETER_##id])}
#define DELAY(owners, member)                                                                      \
    .keeping = KEPT_DELAY, .places = {owners(member)}, .assumed = {owners(member.is_assumed)}
#define FITTED(id, owners) DELAY(owners, delays[DELAY_##id]), .is_fitted = true
#define COUNT(owners, member, limit)                                                               \
    .keeping = KEPT_COUNT, .places = {owners(member)}, .least = 1, .most = (limit)
#define ANSWER(owners, member) .keeping = KEPT_ANSWER, .places = {owners(member)}
#define WORD(names)                                                                                \
    .keeping = KEPT_WORD, .words = (names), .word_count = sizeof(names) / sizeof *(names)

ARRAY_TYPE(StringArray, const char *);

enum { MOST_PASSES = 16 };
static const char *const selections[] = {"size", "fastest"};

const ParameterInfo parameter_info[] = {
    [PARAMETER_TS] = {"ts", "startup", "ts", A_TIME, COST(TS, MESSAGES)},
    [PARAMETER_TH] = {"th", "per-hop", "th", A_TIME, COST(TH, LINKS)},
    [PARAMETER_TW] = {"tw", "bandwidth", "m tw", A_RATE, COST(TW, MESSAGES)},
    [PARAMETER_TC] = {"tc", "compute", "m tc", A_RATE, COST(TC, MACHINE),
                      .list = offsetof(Machine, compute)},
    {"tm", "multiply", A_TIME, DELAY(MACHINE, multiply), .of_products = true},
#define LOCAL_WORK(id, rate, bytes, words)                                                         \
    {KEY(rate),                                                                                    \
     A_RATE,                                                                                       \
     .keeping = KEPT_PRICES,                                                                       \
     .places = {MACHINE(local[LOCAL_##id])},                                                       \
     .list = offsetof(Machine, local[LOCAL_##id]),                                                 \
     .is_fitted = true},
#include "model/local_work.def"
#undef LOCAL_WORK
    {KEY("overhead"), A_TIME, FITTED(OVERHEAD, LINKS)},
    {KEY("gap"), A_TIME, FITTED(GAP, LINKS)},
    {KEY("receive-overhead"), A_TIME, FITTED(RECEIVE, LINKS), .is_late = true},
    {KEY("contact"), A_TIME, FITTED(CONTACT, LINKS), .is_late = true},
    {KEY("contact-posted"), A_TIME, FITTED(CONTACT_POSTED, LINKS), .is_late = true},
    {KEY("exchange"), FITTED(EXCHANGE, LINKS), .is_late = true},
    {KEY("call"), A_TIME, FITTED(CALL, MACHINE)},
    {KEY("contacts"), COUNT(MACHINE, contacts, MOST_CONTACTS)},
    {KEY("posting"), WORD(posting_names), .places = {MACHINE(posting)}, .what = "a way of posting",
     .told = {"", "posting ", ""}},
    {KEY("ports"), .keeping = KEPT_PORTS, .places = {MACHINE(ports)}, .what = "the number of ports",
     .told = {"", "", " ports"}},
    {KEY("switching"), WORD(switching_names), .places = {MACHINE(switching)},
     .what = "a switching mode"},
    {KEY("duplex"), WORD(duplex_names), .places = {MACHINE(duplex)}, .what = "a duplex mode"},
    {KEY("select"), ANSWER(MACHINE, select_fastest), .words = selections, .word_count = 2,
     .what = "a way to select protocols"},
    {KEY("ports"), COUNT(LEVEL, ports, LARGEST_PORTS), .told = {"1 port", "", " ports"}},
    {KEY("capacity"), A_RATE, .keeping = KEPT_RATE, .places = {LEVEL(capacity)}, .is_fitted = true,
     .is_late = true},
    {KEY("passes"), COUNT(LEVEL, passes, MOST_PASSES), .told = {"", "", " passes"}},
    {KEY("multicasts"), ANSWER(LEVEL, merges[MERGING_MULTICASTS]), .told = {"multicasts"}},
    {KEY("combines"), ANSWER(LEVEL, merges[MERGING_COMBINES]), .told = {"combines"}},
    {KEY("merging"), .keeping = KEPT_SHARE, .places = {LEVEL(merging)}, .least = LEAST_MERGING,
     .most = 1, .told = {"", "", " of the bandwidth for such messages"}},
    {KEY("devices-per-adapter"), COUNT(LEVEL, devices_per_adapter, LARGEST_PORTS),
     .told = {"an adapter for each device", "an adapter for ", " devices"}},
    {KEY("waits"), ANSWER(PROTOCOL, waits), .told = {"the next message waits for its end"}},
    {KEY("up-to"), A_SIZE, .keeping = KEPT_SIZE, .places = {PROTOCOL(up_to)}, .what = "a size"},
};
const int parameter_info_count = COUNT_OF(parameter_info);

Owner owner_machine(const Machine *machine)
{
    return (Owner){OF_MACHINE, (void *)machine};
}

Owner owner_level(const Level *level)
{
    return (Owner){OF_LEVEL, (void *)level};
}

Owner owner_protocol(const Protocol *protocol)
{
    return (Owner){OF_PROTOCOL, (void *)protocol};
}

bool owner_split(Text name, Text *owner, Text *own)
{
    size_t length = name.length;
    while (length > 0 && name.chars[length - 1] != '.')
        length--;
    *owner = text_slice(name, 0, length ? length - 1 : 0);
    *own = text_behind(name, length);
    return length > 0;
}

Owner owner_find(const Machine *machine, Text name)
{
    const Protocol *protocol = machine_find_protocol((Machine *)machine, name);
    return !name.length ? owner_machine(machine)
           : protocol   ? owner_protocol(protocol)
                        : owner_level(machine_find_level((Machine *)machine, name));
}

bool parameter_has(const ParameterInfo *info, OwnerKind kind)
{
    return info->places[kind] > 0;
}

/* The names of papers, and of ping-pong benchmarks. */
static const struct {
    const char *name;
    Parameter parameter;
} other_names[] = {{"latency", PARAMETER_TS},
                   {"alpha", PARAMETER_TS},
                   {"beta", PARAMETER_TW},
                   {"gamma", PARAMETER_TC}};

const ParameterInfo *parameter_find(OwnerKind kind, Text name, bool *inverse)
{
    const ParameterInfo *found = NULL;
    for (size_t i = 0; i < COUNT_OF(other_names) && !found; i++)
        if (text_equals(name, other_names[i].name))
            found = &parameter_info[other_names[i].parameter];
    for (int i = 0; i < parameter_info_count && !found; i++) {
        const ParameterInfo *info = &parameter_info[i];
        if (parameter_has(info, kind) &&
            (text_equals(name, info->key) || text_equals(name, info->name)))
            found = info;
    }
    *inverse = found && found->inverse && text_equals(name, found->key);
    return found && parameter_has(found, kind) ? found : NULL;
}

static void *place_of(const ParameterInfo *info, Owner owner)
{
    return (char *)owner.of + info->places[owner.kind];
}

WorkingPrices *parameter_prices(const ParameterInfo *info, Owner owner)
{
    WorkingPrices *prices = info->list && owner.kind == OF_MACHINE
                                ? (WorkingPrices *)((char *)owner.of + info->list)
                                : NULL;
    return prices && prices->count ? prices : NULL;
}

double parameter_get(const ParameterInfo *info, Owner owner)
{
    const void *place = place_of(info, owner);
    const Delay *delay = place;
    const WorkingPrices *prices = place;
    const double *real = place;
    double value;
    switch (info->keeping) {
    case KEPT_VALUE:
        return *real;
    case KEPT_DELAY:
        return delay->is_given ? delay->seconds : -1;
    case KEPT_PRICES:
        return prices->count == 1 ? prices->items[0].price : -1;
    case KEPT_RATE:
        return *real > 0 ? 1 / *real : -1;
    case KEPT_SIZE:
        return isfinite(*real) ? *real : -1;
    case KEPT_SHARE:
        value = *real;
        break;
    case KEPT_WORD:
        value = *(const unsigned *)place;
        break;
    case KEPT_ANSWER:
        value = *(const bool *)place;
        break;
    default:
        value = (double)*(const int64_t *)place;
    }
    return value > 0 ? value : -1;
}

void parameter_put(const ParameterInfo *info, Owner owner, double value)
{
    void *place = place_of(info, owner);
    switch (info->keeping) {
    case KEPT_DELAY:
        ((Delay *)place)->is_given = value >= 0;
        ((Delay *)place)->seconds = fmax(value, 0);
        break;
    case KEPT_PRICES:
        *(WorkingPrices *)place = (WorkingPrices){{{INFINITY, value}}, value >= 0};
        break;
    case KEPT_RATE:
        *(double *)place = number_inverse(value);
        break;
    case KEPT_WORD:
        *(unsigned *)place = (unsigned)value;
        break;
    case KEPT_ANSWER:
        *(bool *)place = value > 0;
        break;
    case KEPT_COUNT:
    case KEPT_PORTS:
        *(int64_t *)place = (int64_t)value;
        break;
    default:
        *(double *)place = value;
    }
}

bool *parameter_assumed(const ParameterInfo *info, Owner owner)
{
    const size_t place = info->assumed[owner.kind];
    return place ? (bool *)((char *)owner.of + place) : NULL;
}

bool parameter_is_set(const ParameterInfo *info)
{
    return info->keeping < KEPT_WORD;
}

bool parameter_is_number(const ParameterInfo *info)
{
    return info->keeping == KEPT_DELAY && dimension_equal(info->dimension, DIMENSION_NONE);
}

const char *parameter_show(Arena *arena, const ParameterInfo *info, double value)
{
    return parameter_is_number(info)    ? arena_printf(arena, "%.4g", value)
           : info->inverse && value > 0 ? quantity_show_bandwidth(arena, 1 / value)
                                        : quantity_show_time(arena, value);
}

bool parameter_is_scaled(const ParameterInfo *info)
{
    return info->keeping <= KEPT_SIZE;
}

bool parameter_parse(const ParameterInfo *info, Text name, Text text, double *value, Diag *diag)
{
    int64_t count = 0;
    if (info->keeping == KEPT_COUNT) {
        const bool good =
            quantity_parse_integer(text, (int64_t)info->least, (int64_t)info->most, &count, diag);
        *value = (double)count;
        return good;
    }
    /* beta is either */
    const bool is_key = text_equals(name, info->key) ||
                        (text_equals(name, "beta") && !quantity_is(text, info->dimension, value));
    if (!quantity_parse(text, is_key ? info->key_dimension : info->dimension, value, diag))
        return false;
    if (info->most > 0 && !(*value >= info->least && *value <= info->most))
        return diag_error(diag, text.span, "this share is from %g to %g", info->least, info->most);
    if (!info->inverse || !is_key)
        return true;
    /* Of a rate, the time of a byte is kept. */
    if (*value > 0 && isfinite(1 / *value)) {
        *value = 1 / *value;
        return true;
    }
    diag_error(diag, text.span, *value > 0 ? "this %s is too small" : "the %s must be positive",
               info->keeping == KEPT_PRICES ? "rate" : info->key);
    if (strcmp(info->name, info->key) != 0)
        diag_note(diag, NOWHERE, "as a time per byte it can be 0: %s=0", info->name);
    return false;
}

/* Items with a `rate`, and up to which size, where it is not the last. */
static bool read_prices(const Node *list, const ParameterInfo *info, WorkingPrices *prices,
                        Diag *diag)
{
    static const char *const keys[] = {"up-to", "rate"};
    if (list->count < 1 || list->count > MOST_WORKING_PRICES)
        return diag_error(diag, list->text.span, "such a list has 1 to %d items",
                          MOST_WORKING_PRICES);
    for (size_t i = 0; i < list->count; i++) {
        const Node *item = node_item(list, i);
        WorkingPrice *price = &prices->items[prices->count++];
        if (!read_map(item, "an item of the list", keys, 2, diag))
            return false;
        const Node *up_to = node_get(item, "up-to"), *rate = node_get(item, "rate");
        const bool is_last = i + 1 == list->count;
        if (!rate || !up_to != is_last)
            return diag_error(
                diag, item->text.span,
                !rate     ? "each item of the list needs a 'rate'"
                : is_last ? "the last item is for all larger collectives: it takes no 'up-to'"
                          : "all items but the last need 'up-to', the most bytes of a rank");
        price->up_to = INFINITY;
        if (!node_is_scalar(rate, "a rate", diag) ||
            !parameter_parse(info, text_plain(info->key), rate->text, &price->price, diag) ||
            !read_key_quantity(item, "up-to", "a size", DIMENSION_BYTES, &price->up_to, diag))
            return false;
        if (i > 0 && !(price->up_to > price[-1].up_to))
            return diag_error(diag, item->text.span, "the items must be listed by increasing size");
    }
    return true;
}

/* What stands behind the key in a file. */
static bool read_value(const Node *map, const Node *node, const ParameterInfo *info, Owner owner,
                       Diag *diag)
{
    Machine *machine = owner.of;
    double value = 0;
    if (info->words) {
        const int first = !*info->words[0];
        const int word = read_word(node, info->what, info->words + first,
                                   info->word_count - (size_t)first, diag);
        if (word >= 0)
            parameter_put(info, owner, word + first);
        return word >= 0;
    }
    if (info->keeping == KEPT_ANSWER)
        return read_answer(map, info->key, place_of(info, owner), diag);
    if (info->list && owner.kind == OF_MACHINE && node->kind == NODE_LIST) {
        WorkingPrices *prices = (WorkingPrices *)((char *)owner.of + info->list);
        const bool good = read_prices(node, info, prices, diag);
        if (info->keeping == KEPT_VALUE)
            parameter_put(info, owner, prices->items[0].price);
        return good;
    }
    if (!node_is_scalar(node, info->what ? info->what : info->key, diag))
        return false;
    if (info->keeping == KEPT_PORTS)
        return ports_parse(node->text, &machine->ports, &machine->all_ports, &machine->level_ports,
                           diag);
    if (!parameter_parse(info, text_plain(info->key), node->text, &value, diag))
        return false;
    parameter_put(info, owner, value);
    return true;
}

bool parameters_read(const Node *map, Owner owner, Diag *diag)
{
    bool good = true;
    for (int i = 0; i < parameter_info_count; i++) {
        const ParameterInfo *info = &parameter_info[i];
        const Node *node = parameter_has(info, owner.kind) ? node_get(map, info->key) : NULL;
        good &= !node || read_value(map, node, info, owner, diag);
    }
    return good;
}

size_t parameters_keys(OwnerKind kind, const char **keys)
{
    size_t count = 0;
    for (int i = 0; i < parameter_info_count; i++)
        if (parameter_has(&parameter_info[i], kind))
            keys[count++] = parameter_info[i].key;
    return count;
}

/* Appends what is assumed of one owner. */
static void add_assumed(Arena *arena, StringArray *names, const char *prefix, Owner owner)
{
    for (int i = 0; i < parameter_info_count; i++) {
        const bool *assumed = parameter_assumed(&parameter_info[i], owner);
        if (assumed && *assumed)
            *ARRAY_PUSH(arena, names) = arena_printf(arena, "%s%s", prefix, parameter_info[i].key);
    }
}

static const char *prefix_of(Arena *arena, const char *before, Text name)
{
    return name.length ? arena_printf(arena, "%s%.*s.", before, TEXT_ARGS(name)) : before;
}

size_t machine_assumed(Arena *arena, const Machine *machine, const char *const **names)
{
    StringArray list = {0};
    add_assumed(arena, &list, "", owner_machine(machine));
    for (int i = 0; i < machine->level_count; i++)
        add_assumed(arena, &list, prefix_of(arena, "", machine->levels[i].name),
                    owner_level(&machine->levels[i]));
    for (int i = 0; i < machine->protocol_count; i++)
        add_assumed(arena, &list, prefix_of(arena, "", machine->protocols[i].name),
                    owner_protocol(&machine->protocols[i]));
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        const char *before = prefix_of(arena, "", level->name);
        for (int j = level->first_protocol; j < level->first_protocol + level->protocol_count; j++)
            add_assumed(arena, &list, prefix_of(arena, before, machine->protocols[j].name),
                        owner_protocol(&machine->protocols[j]));
    }
    *names = list.items;
    return list.count;
}
