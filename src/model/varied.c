#include "model/varied.h"

#include <math.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Machine *machine;
    const LinkClass *classes;
    size_t class_count;
    VariedParameterArray *parameters;
} Listing;

/* Does any link have the level? */
static bool has_level(const Listing *listing, Text level)
{
    bool any = false;
    for (size_t i = 0; i < listing->class_count; i++)
        any |= listing->classes[i].level && text_equals(level, listing->classes[i].level);
    return any;
}

const ParameterInfo *varied_info(const VariedParameter *varied)
{
    return &parameter_info[varied->parameter];
}

bool varied_is_size(const VariedParameter *varied)
{
    return varied_info(varied)->keeping == KEPT_SIZE;
}

bool varied_is_delay(const VariedParameter *varied)
{
    return varied_info(varied)->keeping == KEPT_DELAY;
}

bool varied_is_local(const VariedParameter *varied)
{
    return varied_info(varied)->keeping == KEPT_PRICES;
}

bool varied_is_late(const VariedParameter *varied)
{
    return varied_info(varied)->is_late;
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

/* "startup", "node.startup" */
static const char *full_name(Arena *arena, Text owner, const char *name)
{
    return owner.length ? arena_printf(arena, "%.*s.%s", TEXT_ARGS(owner), name) : name;
}

static VariedParameter new_parameter(const Listing *listing, Text owner, int parameter)
{
    const ParameterInfo *info = &parameter_info[parameter];
    return (VariedParameter){.name = full_name(listing->arena, owner, info->key),
                             .time = full_name(listing->arena, owner, info->name),
                             .owner = owner,
                             .parameter = parameter,
                             .most = -1};
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

/* What a level has, or the machine, of which it is zero where it is not given. */
static void list_fitted(const Listing *listing, const ParameterInfo *info, Owner owner, Text name)
{
    VariedParameter varied = new_parameter(listing, name, (int)(info - parameter_info));
    const WorkingPrices *prices = parameter_prices(info, owner);
    double value = prices ? 0 : parameter_get(info, owner);
    for (int i = 0; prices && i < prices->count; i++)
        value = fmax(value, prices->items[i].price);
    add_value(&varied, fmax(value, 0));
    varied.of_links = parameter_has(info, OF_LEVEL);
    keep_parameter(listing, &varied);
}

void varied_list_others(Arena *arena, const Machine *machine, const LinkClass *classes,
                        size_t class_count, VariedParameterArray *parameters)
{
    static const Keeping order[] = {KEPT_DELAY, KEPT_PRICES, KEPT_RATE};
    const Listing listing = {arena, machine, classes, class_count, parameters};
    for (int i = 0; i < parameter_info_count * (int)COUNT_OF(order); i++) {
        const ParameterInfo *info = &parameter_info[i % parameter_info_count];
        if (!info->is_fitted || info->keeping != order[i / parameter_info_count])
            continue;
        if (parameter_has(info, OF_MACHINE)) {
            list_fitted(&listing, info, owner_machine(machine), (Text){0});
            continue;
        }
        for (int j = 0; j < machine->level_count; j++)
            if (has_level(&listing, machine->levels[j].name))
                list_fitted(&listing, info, owner_level(&machine->levels[j]),
                            machine->levels[j].name);
    }
}

/* Number `place` of a list; "eager", or "node.eager". */
static void list_protocol(const Listing *listing, const Protocol *list, int place, Text owner)
{
    for (int i = 0; i < parameter_info_count; i++) {
        if (!parameter_has(&parameter_info[i], OF_PROTOCOL) ||
            !parameter_is_set(&parameter_info[i]))
            continue;
        VariedParameter varied = new_parameter(listing, owner, i);
        add_value(&varied, parameter_get(&parameter_info[i], owner_protocol(&list[place])));
        if (varied_is_size(&varied) && varied.most >= 0) {
            varied.above = place > 0 ? list[place - 1].up_to : 0;
            varied.below = list[place + 1].up_to;
        }
        keep_parameter(listing, &varied);
    }
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

/* Where some links of a level have a value that is not the machine's. */
static void list_of_level(const Listing *listing, const char *name, int parameter)
{
    const Machine *machine = listing->machine;
    const Level *level = level_find(machine->levels, machine->level_count, name);
    VariedParameter varied = new_parameter(listing, text_plain(name), parameter);
    bool inherits = false;
    for (size_t c = 0; c < listing->class_count; c++) {
        const LinkClass *links = &listing->classes[c];
        if (!links->level || strcmp(links->level, name) != 0)
            continue;
        add_value(&varied, value_of(links, level, parameter));
        inherits |= value_of(links, level, parameter) < 0;
        /* Can these links have a value by the protocol of a message? */
        const bool has_list =
            level && (parameter == PARAMETER_TS || (parameter == PARAMETER_TW && links->tw < 0));
        for (int i = 0; has_list && i < level->protocol_count; i++)
            add_value(&varied, machine->protocols[level->first_protocol + i].parameters[parameter]);
    }
    if (varied.most >= 0 && inherits)
        add_value(&varied, machine->parameters[parameter]);
    varied.of_links = true;
    /* With protocols there may be no price that a level inherits. */
    Machine copy = *machine;
    if (varied.most > 0 ? machine_try_scale(&copy, text_plain(varied.time), 1)
                        : level && level->parameters[parameter] == 0)
        keep_parameter(listing, &varied);
}

VariedParameterArray varied_list(Arena *arena, const Machine *machine, const LinkClass *classes,
                                 size_t class_count)
{
    VariedParameterArray parameters = {0};
    const Listing listing = {arena, machine, classes, class_count, &parameters};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        list_machine(&listing, i);
    for (size_t c = 0; c < class_count; c++) {
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
        if (has_level(&listing, machine->levels[i].name)) {
            const Level *level = &machine->levels[i];
            const Protocol *list = listing.machine->protocols + level->first_protocol;
            for (int j = 0; j < level->protocol_count; j++) {
                const char *owner = arena_printf(listing.arena, "%.*s.%.*s", TEXT_ARGS(level->name),
                                                 TEXT_ARGS(list[j].name));
                if (list[j].name.length)
                    list_protocol(&listing, list, j, text_plain(owner));
            }
        }
    return parameters;
}

void varied_set(const VariedParameter *varied, Machine *machine, double value)
{
    const ParameterInfo *info = varied_info(varied);
    if (info->keeping == KEPT_VALUE && !varied->is_zero) {
        machine_try_scale(machine, text_plain(varied->time), value);
        return;
    }
    const Owner owner = owner_find(machine, varied->owner);
    WorkingPrices *prices = varied->is_zero ? NULL : parameter_prices(info, owner);
    for (int i = 0; prices && i < prices->count; i++)
        prices->items[i].price *= value;
    if (!varied->is_zero && !varied_is_size(varied))
        value *= varied->most;
    if (!(value > 0) && (varied_is_delay(varied) || varied_is_local(varied)))
        value = -1; /* it is not given */
    if (!prices || value < 0)
        parameter_put(info, owner, value);
    for (int i = 0; i < machine->protocol_count && info->keeping == KEPT_VALUE; i++)
        if (varied->owner.length == 0)
            machine->protocols[i].parameters[varied->parameter] = -1;
}

void varied_is_known(const VariedParameter *varied, Machine *machine)
{
    const Owner owner = owner_find(machine, varied->owner);
    bool *assumed = owner.of ? parameter_assumed(varied_info(varied), owner) : NULL;
    if (assumed)
        *assumed = false;
}
