#include "choose/varied.h"

#include "model/machine_parts.h"

#include <math.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Machine *machine;
    const Network *network;
    VariedParameterArray *parameters;
} Listing;

enum { FIRST_DELAY = PARAMETER_COUNT + 1, CAPACITY = FIRST_DELAY + DELAY_COUNT, FIRST_LOCAL };

bool varied_is_size(const VariedParameter *varied)
{
    return varied->parameter == PARAMETER_COUNT;
}

bool varied_is_delay(const VariedParameter *varied)
{
    return varied->parameter >= FIRST_DELAY && varied->parameter < CAPACITY;
}

bool varied_is_local(const VariedParameter *varied)
{
    return varied->parameter >= FIRST_LOCAL;
}

bool varied_is_derived(const VariedParameter *varied)
{
    const int delay = varied->parameter - FIRST_DELAY;
    return delay == DELAY_RECEIVE || delay == DELAY_CONTACT || delay == DELAY_CONTACT_POSTED;
}

const ParameterInfo *varied_info(const VariedParameter *varied)
{
    int parameter = varied->parameter;
    return &parameter_info[parameter < PARAMETER_COUNT ? parameter
                           : parameter == CAPACITY     ? PARAMETER_TW
                           : parameter >= FIRST_LOCAL  ? PARAMETER_TC
                                                       : PARAMETER_TS];
}

void varied_list_delays(Arena *arena, const Machine *machine, VariedParameterArray *parameters)
{
    for (int i = 0; i < DELAY_COUNT; i++) {
        double seconds = machine->delays[i].is_given ? machine->delays[i].seconds : 0;
        *ARRAY_PUSH(arena, parameters) = (VariedParameter){.name = delay_names[i],
                                                           .time = delay_names[i],
                                                           .parameter = FIRST_DELAY + i,
                                                           .least = seconds,
                                                           .most = seconds,
                                                           .is_zero = seconds <= 0,
                                                           .of_links = i < DELAYS_OF_LEVELS};
    }
}

void varied_list_local(Arena *arena, const Machine *machine, VariedParameterArray *parameters)
{
    for (int i = 0; i < LOCAL_WORK_COUNT; i++) {
        const WorkingPrices *prices = &machine->local[i];
        double most = 0;
        for (int j = 0; j < prices->count; j++)
            most = fmax(most, prices->items[j].price);
        *ARRAY_PUSH(arena, parameters) = (VariedParameter){.name = local_work_info[i].rate,
                                                           .time = local_work_info[i].rate,
                                                           .parameter = FIRST_LOCAL + i,
                                                           .least = most,
                                                           .most = most,
                                                           .is_zero = most <= 0};
    }
}

void varied_list_capacities(Arena *arena, const Machine *machine, const Network *network,
                            VariedParameterArray *parameters)
{
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        if (level->capacity <= 0 || !network_has_level(network, level->name))
            continue;
        const char *name = arena_printf(arena, "%.*s.%s", (int)level->name.length,
                                        level->name.chars, level_share_names[SHARE_CAPACITY]);
        *ARRAY_PUSH(arena, parameters) = (VariedParameter){.name = name,
                                                           .time = name,
                                                           .owner = level->name,
                                                           .parameter = CAPACITY,
                                                           .least = 1 / level->capacity,
                                                           .most = 1 / level->capacity,
                                                           .of_links = true};
    }
}

void varied_list_items(Arena *arena, const Machine *machine, VariedParameterArray *parameters)
{
    const WorkingPrices *prices = &machine->compute;
    double sizes[MOST_WORKING_PRICES];
    for (int i = 0; i < prices->count; i++)
        sizes[i] = prices->items[i].up_to;
    for (int i = 0; i < prices->count && prices->count > 1; i++) {
        const char *range = machine_range_name(arena, sizes, prices->count, i).chars;
        double price = prices->items[i].price;
        if (price > 0)
            *ARRAY_PUSH(arena, parameters) = (VariedParameter){
                .name = arena_printf(arena, "%s.%s", range, parameter_info[PARAMETER_TC].key),
                .time = arena_printf(arena, "%s.%s", range, parameter_info[PARAMETER_TC].name),
                .parameter = PARAMETER_TC,
                .least = price,
                .most = price};
    }
}

bool varied_is_of_items(const Machine *machine, const VariedParameter *varied)
{
    return machine->compute.count > 1 && varied->parameter == PARAMETER_TC &&
           !memchr(varied->name, '.', strlen(varied->name));
}

static Text text_for(const char *chars)
{
    return (Text){.chars = chars, .length = strlen(chars), .span = NOWHERE};
}

static VariedParameter new_parameter(const Listing *listing, Text owner, int parameter)
{
    bool is_size = parameter == PARAMETER_COUNT;
    const char *key = is_size ? "up-to" : parameter_info[parameter].key;
    const char *name =
        owner.length ? arena_printf(listing->arena, "%.*s.%s", (int)owner.length, owner.chars, key)
                     : key;
    const char *time = is_size ? key : parameter_info[parameter].name;
    if (owner.length)
        time = arena_printf(listing->arena, "%.*s.%s", (int)owner.length, owner.chars, time);
    return (VariedParameter){
        .name = name, .time = time, .owner = owner, .parameter = parameter, .most = -1};
}

/* One of the values that there are; a negative one is none. */
static void add_value(VariedParameter *varied, double value)
{
    if (value < 0)
        return;
    varied->least = varied->most < 0 ? value : fmin(varied->least, value);
    varied->most = fmax(varied->most, value);
}

static void keep_parameter(const Listing *listing, VariedParameter *varied)
{
    varied->is_zero = varied->most == 0;
    if (varied->most >= 0)
        *ARRAY_PUSH(listing->arena, listing->parameters) = *varied;
}

/* With protocols the machine's own value counts where one of them has none. */
static void list_machine(const Listing *listing, int parameter)
{
    const Machine *machine = listing->machine;
    VariedParameter varied = new_parameter(listing, (Text){0}, parameter);
    for (int i = 0; i < machine->protocol_count; i++) {
        double own = machine->protocols[i].parameters[parameter];
        add_value(&varied, own >= 0 ? own : machine->parameters[parameter]);
    }
    if (machine->protocol_count == 0)
        add_value(&varied, machine->parameters[parameter]);
    for (int i = 0; i < machine->compute.count && parameter == PARAMETER_TC; i++)
        add_value(&varied, machine->compute.items[i].price);
    keep_parameter(listing, &varied);
}

/* Number `place` of a list; "eager", or "node.eager". */
static void list_protocol(const Listing *listing, const Protocol *list, int place, Text owner)
{
    const Protocol *protocol = &list[place];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        VariedParameter varied = new_parameter(listing, owner, i);
        add_value(&varied, protocol->parameters[i]);
        keep_parameter(listing, &varied);
    }
    if (isinf(protocol->up_to))
        return;
    VariedParameter varied = new_parameter(listing, owner, PARAMETER_COUNT);
    add_value(&varied, protocol->up_to);
    varied.above = place > 0 ? list[place - 1].up_to : 0;
    varied.below = list[place + 1].up_to;
    keep_parameter(listing, &varied);
}

/* What links say of themselves comes before what their level says; negative: neither does. */
static double value_of(const LinkClass *links, const Level *level, int parameter)
{
    double own = parameter == PARAMETER_TW ? links->tw : parameter == PARAMETER_TH ? links->th : -1;
    double scale = level && level->link_scales[parameter] > 0 ? level->link_scales[parameter] : 1;
    if (level && level->link_scales[parameter] < 0)
        own = -1;
    return own >= 0 ? own * scale : level ? level->parameters[parameter] : -1;
}

/* Can links have a value by the protocol of a message? */
static bool has_list_value(const LinkClass *links, int parameter)
{
    return parameter == PARAMETER_TS || (parameter == PARAMETER_TW && links->tw < 0);
}

/* With protocols there may be no price that a level inherits. */
static bool can_vary(const Listing *listing, const VariedParameter *varied)
{
    Machine copy = *listing->machine;
    Diag silent = diag_silent();
    return machine_scale(&copy, text_for(varied->time), 1, &silent);
}

/* Where some links of a level have a value that is not the machine's. */
static void list_of_level(const Listing *listing, const char *name, int parameter)
{
    const Machine *machine = listing->machine;
    const Level *level = level_find(machine->levels, machine->level_count, name);
    VariedParameter varied = new_parameter(listing, text_for(name), parameter);
    bool inherits = false;
    for (size_t c = 0; c < listing->network->class_count; c++) {
        const LinkClass *links = &listing->network->classes[c];
        if (!links->level || strcmp(links->level, name) != 0)
            continue;
        add_value(&varied, value_of(links, level, parameter));
        inherits |= value_of(links, level, parameter) < 0;
        for (int i = 0; level && i < level->protocol_count && has_list_value(links, parameter); i++)
            add_value(&varied, machine->protocols[level->first_protocol + i].parameters[parameter]);
    }
    if (varied.most >= 0 && inherits)
        add_value(&varied, machine->parameters[parameter]);
    varied.of_links = true;
    if (varied.most > 0 ? can_vary(listing, &varied) : level && level->parameters[parameter] == 0)
        keep_parameter(listing, &varied);
}

static void list_protocols_of_level(const Listing *listing, const Level *level)
{
    const Protocol *list = listing->machine->protocols + level->first_protocol;
    for (int i = 0; i < level->protocol_count; i++) {
        const char *owner =
            arena_printf(listing->arena, "%.*s.%.*s", (int)level->name.length, level->name.chars,
                         (int)list[i].name.length, list[i].name.chars);
        if (list[i].name.length)
            list_protocol(listing, list, i, text_for(owner));
    }
}

VariedParameterArray varied_list(Arena *arena, const Machine *machine, const Network *network)
{
    VariedParameterArray parameters = {0};
    const Listing listing = {arena, machine, network, &parameters};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        list_machine(&listing, i);
    const LinkClass *classes = listing.network->classes;
    for (size_t c = 0; c < listing.network->class_count; c++) {
        bool is_new = classes[c].level != NULL;
        for (size_t before = 0; before < c && is_new; before++)
            is_new = !classes[before].level || strcmp(classes[before].level, classes[c].level) != 0;
        for (int i = 0; i < PARAMETER_COUNT && is_new; i++)
            list_of_level(&listing, classes[c].level, i);
    }
    for (int i = 0; i < machine->protocol_count; i++)
        if (machine->protocols[i].name.length)
            list_protocol(&listing, machine->protocols, i, machine->protocols[i].name);
    for (int i = 0; i < machine->level_count; i++)
        if (network_has_level(network, machine->levels[i].name))
            list_protocols_of_level(&listing, &machine->levels[i]);
    return parameters;
}

void varied_set(const VariedParameter *varied, Machine *machine, double value)
{
    Diag silent = diag_silent();
    if (varied->parameter == CAPACITY)
        machine_find_level(machine, varied->owner)->capacity = 1 / (varied->most * value);
    else if (varied_is_local(varied)) {
        WorkingPrices *prices = &machine->local[varied->parameter - FIRST_LOCAL];
        if (varied->is_zero)
            *prices = (WorkingPrices){{{INFINITY, value}}, 1};
        for (int i = 0; i < prices->count && !varied->is_zero; i++)
            prices->items[i].price *= value;
        if (value <= 0)
            *prices = (WorkingPrices){0};
    } else if (varied->parameter >= FIRST_DELAY)
        machine->delays[varied->parameter - FIRST_DELAY] = (Delay){
            .is_given = value > 0, .seconds = varied->is_zero ? value : varied->most * value};
    else if (varied_is_size(varied))
        machine_find_protocol(machine, varied->owner)->up_to = value;
    else if (varied->is_zero) {
        Level *level = machine_find_level(machine, varied->owner);
        Protocol *protocol = machine_find_protocol(machine, varied->owner);
        double *parameters = protocol ? protocol->parameters
                             : level  ? level->parameters
                                      : machine->parameters;
        parameters[varied->parameter] = value;
        for (int i = 0; i < machine->protocol_count && varied->owner.length == 0; i++)
            machine->protocols[i].parameters[varied->parameter] = -1;
    } else
        machine_scale(machine, text_for(varied->time), value, &silent);
}

void varied_is_known(const VariedParameter *varied, Machine *machine)
{
    Level *level = machine_find_level(machine, varied->owner);
    Protocol *protocol = machine_find_protocol(machine, varied->owner);
    bool *assumed = protocol ? protocol->assumed : level ? level->assumed : machine->assumed;
    if (varied->parameter < PARAMETER_COUNT)
        assumed[varied->parameter] = false;
}
