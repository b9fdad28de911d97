#include "model/machine_parts.h"

#include <math.h>
#include <string.h>

/* What of a machine, a level or a protocol may be assumed: the key and where that is kept. */
typedef struct {
    const char *keys[PARAMETER_COUNT + 1 + DELAY_COUNT];
    bool *flags[PARAMETER_COUNT + 1 + DELAY_COUNT];
    size_t count;
} Assumable;

static void offer(Assumable *of, const char *key, bool *flag)
{
    of->keys[of->count] = key;
    of->flags[of->count++] = flag;
}

static void offer_delays(Assumable *of, Delay *delays, int count)
{
    for (int i = 0; i < count; i++)
        offer(of, delay_names[i], &delays[i].is_assumed);
}

/* "node.eager.startup": all before the last dot names a level or a protocol. */
static bool offer_part(Machine *machine, Text owner, Assumable *of, Diag *diag)
{
    Level *level = machine_find_level(machine, owner);
    Protocol *protocol = level ? NULL : machine_find_protocol(machine, owner);
    for (int i = 0; level && i < PARAMETER_COUNT; i++)
        if (i != PARAMETER_TC)
            offer(of, parameter_info[i].key, &level->assumed[i]);
    if (level) {
        offer_delays(of, level->delays, DELAYS_OF_LEVELS);
    } else if (protocol) {
        offer(of, parameter_info[PARAMETER_TS].key, &protocol->assumed[PARAMETER_TS]);
        offer(of, parameter_info[PARAMETER_TW].key, &protocol->assumed[PARAMETER_TW]);
    } else {
        diag_error(diag, owner.span, "the machine has no level or protocol '%.*s'",
                   (int)owner.length, owner.chars);
    }
    return of->count > 0;
}

static void offer_machine(Machine *machine, Assumable *of)
{
    for (int i = 0; i < PARAMETER_COUNT; i++)
        offer(of, parameter_info[i].key, &machine->assumed[i]);
    offer(of, MULTIPLY_KEY, &machine->multiply_assumed);
    offer_delays(of, machine->delays, DELAY_COUNT);
}

static bool read_assumed(const Node *node, Machine *machine, Diag *diag)
{
    for (size_t i = 0; i < node_item_count(node); i++) {
        Node item = *node_item(node, i);
        Assumable of = {.count = 0};
        size_t dot = item.kind == NODE_SCALAR ? item.text.length : 0;
        while (dot > 0 && item.text.chars[dot - 1] != '.')
            dot--;
        if (dot == 0)
            offer_machine(machine, &of);
        else if (!offer_part(machine, text_slice(item.text, 0, dot - 1), &of, diag))
            return false;
        item.text = text_slice(item.text, dot, item.text.length - dot);
        int found = read_word(&item, "an assumed parameter", of.keys, of.count, diag);
        if (found < 0)
            return false;
        *of.flags[found] = true;
    }
    return true;
}

static bool read_delays(const Node *map, Delay *delays, int count, Diag *diag)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        const Node *node = node_get(map, delay_names[i]);
        if (node)
            good &= node_is_scalar(node, delay_names[i], diag) &&
                    machine_read_delay(&delays[i], node->text, diag);
    }
    return good;
}

/* `rate`, and up to which size, where it is not the last. */
static bool read_working_price(const Node *map, Parameter parameter, bool is_last,
                               WorkingPrice *item, Diag *diag)
{
    static const char *const keys[] = {"up-to", "rate"};
    double prices[PARAMETER_COUNT] = {0};
    if (!node_is_map(map, "an item of the list", diag) ||
        !node_check_keys(map, "an item of the list", keys, 2, diag))
        return false;
    const Node *up_to = node_get(map, "up-to"), *rate = node_get(map, "rate");
    if (!rate || !up_to != is_last) {
        diag_error(diag, map->text.span,
                   !rate     ? "each item of the list needs a 'rate'"
                   : is_last ? "the last item is for all larger collectives: it takes no 'up-to'"
                             : "all items but the last need 'up-to', the most bytes of a rank");
        return false;
    }
    if (!node_is_scalar(rate, "a rate", diag) ||
        !machine_read_value(prices, parameter, rate->text, diag))
        return false;
    *item = (WorkingPrice){INFINITY, prices[parameter]};
    return is_last || (node_is_scalar(up_to, "a size", diag) &&
                       quantity_parse(up_to->text, DIMENSION_BYTES, &item->up_to, diag));
}

static bool read_working_prices(const Node *list, Parameter parameter, WorkingPrices *prices,
                                Diag *diag)
{
    if (list->count < 1 || list->count > MOST_WORKING_PRICES) {
        diag_error(diag, list->text.span, "such a list has 1 to %d items", MOST_WORKING_PRICES);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const Node *item = node_item(list, i);
        WorkingPrice *price = &prices->items[prices->count++];
        if (!read_working_price(item, parameter, i + 1 == list->count, price, diag))
            return false;
        if (i > 0 && !(price->up_to > price[-1].up_to)) {
            diag_error(diag, item->text.span, "the items must be listed by increasing size");
            return false;
        }
    }
    return true;
}

/* One rate, or a list. */
static bool read_local_work(const Node *map, const char *key, WorkingPrices *prices, Diag *diag)
{
    const Node *node = node_get(map, key);
    if (node && node->kind == NODE_LIST)
        return read_working_prices(node, PARAMETER_TC, prices, diag);
    return !node ||
           (node_is_scalar(node, key, diag) && machine_read_rate(prices, node->text, diag));
}

static bool read_parameters(const Node *map, Machine *machine, Diag *diag)
{
    bool good = true;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const Node *node = node_get(map, parameter_info[i].key);
        if (!node)
            continue;
        if (i == PARAMETER_TC && node->kind == NODE_LIST) {
            good &= read_working_prices(node, PARAMETER_TC, &machine->compute, diag);
            machine->parameters[i] = machine->compute.items[0].price;
            continue;
        }
        if (!node_is_scalar(node, parameter_info[i].key, diag) ||
            !machine_read_value(machine->parameters, (Parameter)i, node->text, diag))
            good = false;
    }
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        good &= read_local_work(map, local_work_info[i].rate, &machine->local[i], diag);
    const Node *multiply = node_get(map, MULTIPLY_KEY);
    if (multiply && !(node_is_scalar(multiply, MULTIPLY_KEY, diag) &&
                      quantity_parse(multiply->text, DIMENSION_TIME, &machine->multiply, diag)))
        good = false;
    machine->knows_multiply = multiply != NULL;
    machine->ports = 1;
    const Node *ports = node_get(map, "ports");
    if (ports && !(node_is_scalar(ports, "the number of ports", diag) &&
                   ports_parse(ports->text, &machine->ports, &machine->all_ports,
                               &machine->level_ports, diag)))
        good = false;
    return good;
}

bool posting_read(const Node *map, Posting *posting, Diag *diag)
{
    const Node *node = node_get(map, "posting");
    int word =
        node ? read_word(node, "a way of posting", posting_names + 1, POSTING_COUNT - 1, diag) : -1;
    *posting = (Posting)(word + 1);
    return !node || word >= 0;
}

/* `switching`, `duplex` and `posting`, which are conventions more than parameters. */
static bool read_conventions(const Node *map, Machine *machine, Diag *diag)
{
    const Node *switching = node_get(map, "switching"), *duplex = node_get(map, "duplex");
    int word = 0;
    if (!posting_read(map, &machine->posting, diag))
        return false;
    if (switching)
        word = read_word(switching, "a switching mode", switching_names, SWITCHING_COUNT, diag);
    machine->switching = (Switching)word;
    int other = duplex ? read_word(duplex, "a duplex mode", duplex_names, DUPLEX_COUNT, diag) : 0;
    machine->duplex = (Duplex)other;
    return word >= 0 && other >= 0;
}

static bool read_level(const Node *map, Level *level, Diag *diag)
{
    static const char *const keys[] = {"startup",  "per-hop",    "bandwidth", "ports",
                                       "overhead", "gap",        "protocols", "capacity",
                                       "passes",   "multicasts", "combines",  RECEIVE_KEY,
                                       "contact",  POSTED_KEY,   "merging",   ADAPTER_KEY};
    if (!node_is_map(map, "a level", diag) ||
        !node_check_keys(map, "a level", keys, sizeof keys / sizeof *keys, diag))
        return false;
    bool good = true;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const Node *node = node_get(map, parameter_info[i].key);
        if (node)
            good &= node_is_scalar(node, parameter_info[i].key, diag) &&
                    machine_read_value(level->parameters, (Parameter)i, node->text, diag);
    }
    good &= read_delays(map, level->delays, DELAYS_OF_LEVELS, diag);
    for (int i = 0; i < LEVEL_SHARE_COUNT; i++) {
        const Node *node = node_get(map, level_share_names[i]);
        if (node)
            good &= node_is_scalar(node, level_share_names[i], diag) &&
                    level_read_share(level, (LevelShare)i, node->text, diag);
    }
    for (int i = 0; i < MERGING_COUNT; i++)
        good &= read_answer(map, merging_names[i], &level->merges[i], diag);
    return good;
}

static bool read_levels(const Node *map, Machine *machine, Diag *diag)
{
    const Node *levels = node_get(map, "levels");
    if (!levels)
        return true;
    if (!node_is_map(levels, "the levels of a machine", diag))
        return false;
    bool good = true;
    for (size_t i = 0; i < levels->count; i++) {
        Level *level = machine_add_level(machine, levels->keys[i]->text, diag);
        if (!level)
            return false;
        good &= read_level(levels->values[i], level, diag);
    }
    return good;
}

/* `ends`: up to a size. */
static bool read_protocol(const Node *map, Protocol *protocol, bool ends, Diag *diag)
{
    static const char *const keys[] = {"name", "up-to", "startup", "bandwidth"};
    if (!node_is_map(map, "a protocol", diag) ||
        !node_check_keys(map, "a protocol", keys, sizeof keys / sizeof *keys, diag))
        return false;
    bool good = true;
    *protocol = (Protocol){.up_to = INFINITY};
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const Node *node = node_get(map, parameter_info[i].key);
        protocol->parameters[i] = -1;
        if (node)
            good &= node_is_scalar(node, parameter_info[i].key, diag) &&
                    machine_read_value(protocol->parameters, (Parameter)i, node->text, diag);
    }
    const Node *name = node_get(map, "name"), *up_to = node_get(map, "up-to");
    if (name && (good &= node_is_scalar(name, "a name", diag)))
        protocol->name = name->text;
    if (up_to && ends)
        return good && node_is_scalar(up_to, "a size", diag) &&
               quantity_parse(up_to->text, DIMENSION_BYTES, &protocol->up_to, diag);
    return good;
}

/* Only where messages have protocols by their size, all but the last go up to one. */
static bool check_end(const Machine *machine, const Node *map, bool is_last, Diag *diag)
{
    const Node *up_to = node_get(map, "up-to");
    if (!up_to == (is_last || machine->select_fastest))
        return true;
    diag_error(diag, up_to && machine->select_fastest ? up_to->text.span : map->text.span,
               machine->select_fastest ? "with 'select: fastest' a protocol takes no 'up-to'"
               : is_last ? "the last protocol is for all larger messages: it takes no 'up-to'"
                         : "all protocols but the last need 'up-to', their largest size");
    return false;
}

/* Protocols of one name have one number; those without a name have each their own. */
static int number_of(const Machine *machine, const Protocol *protocol)
{
    for (int i = 0; i < machine->listed_count && protocol->name.length; i++)
        if (text_same(machine->protocols[i].name, protocol->name))
            return machine->protocols[i].number;
    return machine->listed_count;
}

static bool report_name(const Protocol *protocol, Span span, Diag *diag)
{
    diag_error(diag, span, "duplicate name '%.*s' of a protocol or level",
               (int)protocol->name.length, protocol->name.chars);
    return false;
}

/* Appends a list of `least` protocols or more; the first is then number *first of all. */
static bool read_list(const Node *list, Machine *machine, size_t least, int *count, Diag *diag)
{
    int first = machine->listed_count;
    if (list->kind != NODE_LIST || list->count < least || list->count > MOST_LISTED_PROTOCOLS) {
        diag_error(diag, list->text.span, "protocols are a list of %zu to %d", least,
                   MOST_LISTED_PROTOCOLS);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const Node *item = node_item(list, i);
        bool is_last = i + 1 == list->count;
        Protocol protocol;
        if (machine->listed_count == MOST_PROTOCOLS) {
            diag_error(diag, item->text.span, "a machine has at most %d protocols", MOST_PROTOCOLS);
            return false;
        }
        if (!read_protocol(item, &protocol, !is_last, diag) ||
            !check_end(machine, item, is_last, diag))
            return false;
        for (int j = first; j < machine->listed_count && protocol.name.length; j++)
            if (text_same(machine->protocols[j].name, protocol.name))
                return report_name(&protocol, item->text.span, diag);
        if (protocol.name.length && machine_find_level(machine, protocol.name))
            return report_name(&protocol, item->text.span, diag);
        protocol.number = number_of(machine, &protocol);
        machine->protocols[machine->listed_count++] = protocol;
        ++*count;
        if (!machine_check_rising(machine, item->text.span, diag))
            return false;
    }
    return true;
}

/* What the machine lacks is that of its protocol for the smallest messages. */
static bool read_protocols(const Node *map, Machine *machine, Diag *diag)
{
    const Node *list = node_get(map, "protocols");
    if (!list)
        return true;
    if (!read_list(list, machine, 2, &machine->protocol_count, diag))
        return false;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!node_get(map, parameter_info[i].key) && machine->protocols[0].parameters[i] >= 0)
            machine->parameters[i] = machine->protocols[0].parameters[i];
    return true;
}

/* Behind those of the machine. */
static bool read_protocols_of_levels(const Node *map, Machine *machine, Diag *diag)
{
    const Node *levels = node_get(map, "levels");
    for (size_t i = 0; levels && i < levels->count; i++) {
        const Node *list = node_get(levels->values[i], "protocols");
        Level *level = &machine->levels[i];
        level->first_protocol = machine->listed_count;
        if (list && !read_list(list, machine, 1, &level->protocol_count, diag))
            return false;
    }
    return true;
}

/* How a message gets its protocol. */
static bool read_selection(const Node *map, Machine *machine, Diag *diag)
{
    static const char *const words[] = {"size", "fastest"};
    const Node *node = node_get(map, "select");
    int word = node ? read_word(node, "a way to select protocols", words, 2, diag) : 0;
    machine->select_fastest = word == 1;
    return word >= 0;
}

Machine *machine_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {
        "machine",    "also",     "summary",  "source",    "startup",  "per-hop",    "bandwidth",
        "compute",    "ports",    "assumed",  "switching", "duplex",   "levels",     "protocols",
        "posting",    "overhead", "gap",      "call",      "select",   MULTIPLY_KEY, "fitted",
        HARDWARE_KEY, "contact",  "contacts", RECEIVE_KEY, POSTED_KEY,
#define LOCAL_WORK(id, rate, bytes, words) rate,
#include "model/local_work.def"
#undef LOCAL_WORK
    };
    Machine *machine = ARENA_NEW(arena, Machine);
    bool good = node_check_keys(map, "a machine", keys, sizeof keys / sizeof *keys, diag);
    if (!read_head(arena, map, "machine", &machine->head, diag))
        return NULL;
    good &= read_parameters(map, machine, diag);
    good &= read_delays(map, machine->delays, DELAY_COUNT, diag);
    const Node *contacts = node_get(map, "contacts");
    if (contacts)
        good &= node_is_scalar(contacts, "the number of contacts", diag) &&
                quantity_parse_integer(contacts->text, 1, MOST_CONTACTS, &machine->contacts, diag);
    good &= read_conventions(map, machine, diag);
    good &= read_levels(map, machine, diag);
    good &= read_selection(map, machine, diag);
    good &= machine_read_hardware(map, machine, diag);
    if (!good || !read_protocols(map, machine, diag) ||
        !read_protocols_of_levels(map, machine, diag))
        return NULL;
    if (!node_get(map, "bandwidth") &&
        !(machine->protocol_count && machine->protocols[0].parameters[PARAMETER_TW] > 0)) {
        diag_error(diag, machine->head.span, "a machine needs a bandwidth");
        return NULL;
    }
    const Node *fitted = node_get(map, "fitted"), *assumed = node_get(map, "assumed");
    if (fitted && !(machine->fitted = fitted_read(arena, fitted, diag)))
        return NULL;
    if (assumed && !read_assumed(assumed, machine, diag))
        return NULL;
    return machine;
}
