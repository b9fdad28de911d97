#include "model/machine.h"

#include <math.h>
#include <string.h>

const LocalWorkInfo local_work_info[LOCAL_WORK_COUNT] = {
#define LOCAL_WORK(id, rate, bytes, words) [LOCAL_##id] = {bytes, words},
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
const char *const duplex_names[DUPLEX_COUNT] = {[DUPLEX_FULL] = "full", [DUPLEX_HALF] = "half"};

int switching_find(Text word)
{
    for (int i = 0; i < SWITCHING_COUNT; i++)
        if (text_equals(word, switching_names[i]) || text_equals(word, switching_letters[i]))
            return i;
    return -1;
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

double working_price_least(const WorkingPrices *prices)
{
    double least = prices->items[0].price;
    for (int i = 1; i < prices->count; i++)
        least = fmin(least, prices->items[i].price);
    return least;
}

/* All protocols of a list become the one of that name, but for those that may stay where messages
   take the fastest. */
static bool keep_protocol(Protocol *list, int count, const char *name, bool fastest)
{
    int kept = 0;
    while (kept < count && !text_like(list[kept].name, name))
        kept++;
    for (int i = 0; i < count && kept < count; i++) {
        /* "LL-few" of "LL" may; and what no message takes where it can have the other one, which is
           there for algorithms that name it */
        const Text own = list[i].name, other = list[kept].name;
        const double *mine = list[i].parameters, *others = list[kept].parameters;
        const bool may_stay = (own.length > other.length && own.chars[other.length] == '-' &&
                               memcmp(own.chars, other.chars, other.length) == 0) ||
                              (mine[PARAMETER_TS] >= others[PARAMETER_TS] &&
                               mine[PARAMETER_TW] >= others[PARAMETER_TW]);
        const double up_to = list[i].up_to;
        if (i == kept || (fastest && may_stay))
            continue;
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

Level *machine_add_level(Machine *machine, Text name, Diag *diag)
{
    if (machine->level_count == LIMIT_LEVELS)
        return DIAG_NULL(diag, name.span, "a machine has at most %d levels", LIMIT_LEVELS);
    Level *level = &machine->levels[machine->level_count++];
    *level = (Level){.name = name};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        level->parameters[i] = -1;
    return level;
}

Level *machine_find_level(Machine *machine, Text name)
{
    for (int i = 0; i < machine->level_count; i++)
        if (text_same(machine->levels[i].name, name))
            return &machine->levels[i];
    return NULL;
}

Protocol *machine_find_listed(Machine *machine, int first, int count, Text name)
{
    for (int i = first; i < first + count && name.length; i++)
        if (text_same(machine->protocols[i].name, name))
            return &machine->protocols[i];
    return NULL;
}

Protocol *machine_find_protocol(Machine *machine, Text name)
{
    Text owner, own;
    if (!text_split(name, '.', &owner, &own))
        return machine_find_listed(machine, 0, machine->protocol_count, name);
    const Level *level = machine_find_level(machine, owner);
    return level ? machine_find_listed(machine, level->first_protocol, level->protocol_count, own)
                 : NULL;
}

static bool is_rising(const Machine *machine, int first, int count)
{
    for (int i = first; i + 1 < first + count; i++)
        if (!(machine->protocols[i].up_to < machine->protocols[i + 1].up_to))
            return false;
    return true;
}

bool machine_check_rising(const Machine *machine, Span span, Diag *diag)
{
    bool good = machine->select_fastest || is_rising(machine, 0, machine->protocol_count);
    for (int i = 0; i < machine->level_count && !machine->select_fastest; i++)
        good &= is_rising(machine, machine->levels[i].first_protocol,
                          machine->levels[i].protocol_count);
    return good || diag_error(diag, span, "protocols must be listed by increasing size");
}

const double *machine_hardware(const Machine *machine, Text name)
{
    for (int i = 0; i < machine->hardware_count; i++)
        if (text_same(machine->hardware[i].name, name))
            return &machine->hardware[i].value;
    return NULL;
}

bool machine_set_hardware(Machine *machine, Text name, Text value, Diag *diag)
{
    double number;
    if (!quantity_parse(value, DIMENSION_NONE, &number, diag))
        return false;
    double *said = (double *)machine_hardware(machine, name);
    if (said) {
        *said = number;
        return true;
    }
    if (machine->hardware_count == MOST_HARDWARE_FACTS)
        return diag_error(diag, name.span, "a machine states at most %d facts about its hardware",
                          MOST_HARDWARE_FACTS);
    machine->hardware[machine->hardware_count++] = (HardwareFact){name, number};
    return true;
}

bool machine_read_hardware(const Node *map, Machine *machine, Diag *diag)
{
    const Node *facts = node_get(map, HARDWARE_KEY);
    bool good = !facts || node_is_map(facts, "the value of '" HARDWARE_KEY "'", diag);
    for (size_t i = 0; facts && good && i < facts->count; i++)
        good = node_is_scalar(facts->values[i], "a number", diag) &&
               machine_set_hardware(machine, facts->keys[i]->text, facts->values[i]->text, diag);
    return good;
}
