#include "model/machine.h"

#include <math.h>
#include <string.h>
#include <strings.h>

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
const char *const merging_names[MERGING_COUNT] = {
    [MERGING_MULTICASTS] = "multicasts", [MERGING_COMBINES] = "combines"};
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
