#include "model/machine.h"
#include "model/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Only protocols go up to a size: who has a size is meant as one. */
static bool report_protocol(const Machine *machine, Text name, Diag *diag)
{
    const char *names[LIMIT_PROTOCOLS];
    size_t count = 0;
    char copies[LIMIT_PROTOCOLS][64];
    diag_error(diag, name.span, "the machine has no protocol '%.*s'", TEXT_ARGS(name));
    for (int i = -1; i < machine->level_count; i++) {
        const Level *level = i < 0 ? NULL : &machine->levels[i];
        int first = level ? level->first_protocol : 0;
        int listed = level ? level->protocol_count : machine->protocol_count;
        for (int j = first; j < first + listed; j++) {
            const Text *known = &machine->protocols[j].name;
            int length = snprintf(
                copies[count], sizeof *copies, "%.*s%s%.*s", level ? (int)level->name.length : 0,
                level ? level->name.chars : "", level ? "." : "", TEXT_ARGS(*known));
            names[count] = copies[count];
            count += known->length > 0 && length < (int)sizeof *copies;
        }
    }
    return diag_suggest(diag, name, names, count);
}

/* The last protocol goes up to no size. */
static bool can_set(const ParameterInfo *info, Owner owner)
{
    return info && parameter_has(info, owner.kind) && parameter_is_set(info) &&
           (info->keeping != KEPT_SIZE || parameter_get(info, owner) >= 0);
}

/* What the owner has under that name that --set changes; NULL after a report. */
static const ParameterInfo *find_set(Owner owner, Text name, bool *inverse, Diag *diag)
{
    enum { MOST_NAMES = 128 };
    static const char *const whose[OWNER_KINDS] = {"a machine", "a level", "this protocol"};
    const char *names[MOST_NAMES];
    size_t count = 0;
    const ParameterInfo *info = parameter_find(owner.kind, name, inverse);
    if (can_set(info, owner))
        return info;
    for (info = parameter_info; info < parameter_info + parameter_info_count; info++)
        if (can_set(info, owner)) {
            names[count++] = info->name;
            names[count++] = info->key;
        }
    diag_error(diag, name.span, "%s has no parameter '%.*s'", whose[owner.kind], TEXT_ARGS(name));
    if (!diag_note_foreign(diag, FOREIGN_SETTING, name))
        diag_suggest(diag, name, names, count);
    return NULL;
}

/* A name of --set: what is changed, of whom. */
typedef struct {
    const ParameterInfo *info;
    Owner owner;
    double *price; /* an item of a list of the machine, "to-32MiB.compute"; or NULL */
    Text own;      /* the name behind the last dot */
    bool inverse;  /* it is that of a rate, while a time is kept */
} Named;

static Parameter cost_of(const Named *named)
{
    return (Parameter)(named->info - parameter_info);
}

/* "to-32MiB.compute": what a byte takes in collectives of that size; NULL: the list has no such
   item. */
static double *find_price(WorkingPrices *prices, Text name)
{
    Text kind, size;
    double bytes;
    if (!text_split(name, '-', &kind, &size) || !quantity_is(size, DIMENSION_BYTES, &bytes))
        return NULL;
    for (int i = 0; i + 1 < prices->count; i++) {
        if (round(prices->items[i].up_to) != bytes)
            continue;
        if (text_equals(kind, "to"))
            return &prices->items[i].price;
        if (text_equals(kind, "over") && i + 2 == prices->count)
            return &prices->items[i + 1].price;
    }
    return NULL;
}

/* A level is added where the file does not speak of it: the topology may. False after a report. */
static bool find_named(Machine *machine, Text name, Named *named, Diag *diag)
{
    Text owner;
    const bool has_owner = owner_split(name, &owner, &named->own);
    named->info = parameter_find(OF_MACHINE, named->own, &named->inverse);
    named->owner = owner_find(machine, has_owner ? owner : (Text){0});
    const bool is_combining = named->info == &parameter_info[PARAMETER_TC];
    named->price = has_owner && is_combining ? find_price(&machine->compute, owner) : NULL;
    if (named->price)
        return true;
    /* What is meant as a protocol, or belongs to ranks, is nothing of a level. */
    if (named->owner.kind == OF_LEVEL && !named->owner.of &&
        (memchr(owner.chars, '.', owner.length) || text_equals(named->own, "up-to")))
        return report_protocol(machine, owner, diag);
    if (named->owner.kind == OF_LEVEL && is_combining)
        return diag_error(diag, named->own.span, "ranks combine, not links: a level has no '%.*s'",
                          TEXT_ARGS(named->own));
    named->info = find_set(named->owner, named->own, &named->inverse, diag);
    if (!named->info || named->owner.of)
        return named->info != NULL;
    Level *level = named->owner.of = machine_add_level(machine, owner, diag);
    if (level)
        level->is_set = true;
    return level != NULL;
}

/* The machine's own price is that of the first item. */
static void follow_items(Machine *machine)
{
    machine->parameters[PARAMETER_TC] = machine->compute.items[0].price;
}

/* What is assumed stays so until another value is set. */
static bool set_named(Machine *machine, const Named *named, Text text, Diag *diag)
{
    double value;
    bool *assumed = parameter_assumed(named->info, named->owner);
    if (!parameter_parse(named->info, named->own, text, &value, diag))
        return false;
    if (named->price) {
        *named->price = value;
        follow_items(machine);
        return true;
    }
    if (assumed && parameter_get(named->info, named->owner) != value)
        *assumed = false;
    /* What is set for all messages counts for all protocols, and for all sizes. */
    Level *level = named->owner.kind == OF_LEVEL ? named->owner.of : NULL;
    if (named->info->keeping == KEPT_VALUE) {
        if (level)
            level->link_scales[cost_of(named)] = -1;
        for (int i = 0; i < machine->protocol_count && named->owner.kind == OF_MACHINE; i++)
            machine->protocols[i].parameters[cost_of(named)] = -1;
        if (parameter_prices(named->info, named->owner))
            parameter_prices(named->info, named->owner)->count = 0;
    }
    parameter_put(named->info, named->owner, value);
    return named->info->keeping != KEPT_SIZE || machine_check_rising(machine, text.span, diag);
}

static bool report_nothing(Text name, Diag *diag)
{
    return diag_error(diag, name.span, "the machine has no '%.*s' that can be varied",
                      TEXT_ARGS(name));
}

/* Those of its own. */
static bool scale_list(Machine *machine, int first, int count, Parameter parameter, double factor)
{
    bool found = false;
    for (int i = first; i < first + count; i++) {
        double *own = &machine->protocols[i].parameters[parameter];
        found |= *own > 0;
        *own = *own > 0 ? *own * factor : *own;
    }
    return found;
}

/* What a protocol has that says nothing itself: of a level, what the level has, or the machine's
   protocol of its name. */
static double inherited_value(const Machine *machine, const Protocol *protocol, int parameter)
{
    int place = (int)(protocol - machine->protocols);
    if (place < machine->protocol_count)
        return machine->parameters[parameter];
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        int behind = place - level->first_protocol;
        if (behind >= 0 && behind < level->protocol_count && level->parameters[parameter] >= 0)
            return level->parameters[parameter];
    }
    for (int i = 0; i < machine->protocol_count; i++)
        if (machine->protocols[i].number == protocol->number &&
            machine->protocols[i].parameters[parameter] >= 0)
            return machine->protocols[i].parameters[parameter];
    return machine->parameters[parameter];
}

static bool scale_prices(WorkingPrices *prices, double factor)
{
    for (int i = 0; prices && i < prices->count; i++)
        prices->items[i].price *= factor;
    return prices != NULL;
}

/* What links of the topology state, and what protocols of the level have, is multiplied, too. */
static bool scale_level(Machine *machine, const Named *named, Text name, double factor, Diag *diag)
{
    Level *level = named->owner.of;
    const Parameter parameter = cost_of(named);
    double *scale = &level->link_scales[parameter], *own = &level->parameters[parameter];
    /* Each message pays by its protocol: a level has no cost for all of them that it could
       inherit. */
    bool any = false, lacks = level->protocol_count == 0;
    for (int i = 0; i < machine->protocol_count; i++)
        any |= machine->protocols[i].parameters[parameter] >= 0;
    for (int i = 0; i < level->protocol_count; i++)
        lacks |= machine->protocols[level->first_protocol + i].parameters[parameter] < 0;
    if (any && lacks && level->parameters[parameter] < 0) {
        diag_error(diag, name.span, "level '%.*s' has no '%.*s' of its own: its protocols set it",
                   TEXT_ARGS(level->name), TEXT_ARGS(named->own));
        return diag_note(diag, NOWHERE, "'%.*s' can be varied, for all of them",
                         TEXT_ARGS(named->own));
    }
    if (*scale >= 0)
        *scale = factor * (*scale > 0 ? *scale : 1);
    const bool has_list =
        scale_list(machine, level->first_protocol, level->protocol_count, parameter, factor);
    const double value = *own >= 0 ? *own : machine->parameters[parameter];
    if ((!has_list || *own >= 0) && value > 0)
        *own = value * factor;
    return true;
}

static bool scale_named(Machine *machine, const Named *named, Text name, double factor, Diag *diag)
{
    const OwnerKind kind = named->owner.kind;
    const bool is_cost = named->info->keeping == KEPT_VALUE;
    if (named->inverse)
        factor = 1 / factor;
    if (named->price) {
        *named->price *= factor;
        follow_items(machine);
        return *named->price > 0 || report_nothing(name, diag);
    }
    if (!parameter_is_scaled(named->info))
        return report_nothing(name, diag);
    if (is_cost && kind == OF_LEVEL)
        return scale_level(machine, named, name, factor, diag);
    const ParameterInfo *info = named->info;
    WorkingPrices *prices = parameter_prices(info, named->owner);
    if (is_cost && kind == OF_MACHINE) {
        /* In all protocols and for all sizes. */
        double *own = &machine->parameters[cost_of(named)];
        const bool found = *own > 0;
        *own *= factor;
        scale_prices(prices, factor);
        return scale_list(machine, 0, machine->protocol_count, cost_of(named), factor) || found ||
               report_nothing(name, diag);
    }
    if (info->keeping == KEPT_PRICES)
        return scale_prices(prices, factor) || report_nothing(name, diag);
    /* What an owner has, or else what it has from another one, for it alone. */
    double value = parameter_get(info, named->owner);
    if (value < 0 && named->owner.kind == OF_PROTOCOL)
        value = inherited_value(machine, named->owner.of, cost_of(named));
    else if (value < 0 && parameter_has(info, OF_MACHINE))
        value = parameter_get(info, owner_machine(machine));
    if (!(value > 0))
        return report_nothing(name, diag);
    parameter_put(info, named->owner, value * factor);
    return info->keeping != KEPT_SIZE || machine_check_rising(machine, name.span, diag);
}

static bool is_of_hardware(Text name, Text *fact)
{
    Text owner;
    return owner_split(name, &owner, fact) && text_equals(owner, HARDWARE_KEY);
}

bool setting_multiplies(Text value)
{
    return value.length > 1 && value.chars[0] == 'x' && strchr("+-.0123456789", value.chars[1]);
}

bool machine_set(Machine *machine, Text name, Text value, Diag *diag)
{
    Named named;
    Text fact;
    double factor;
    if (is_of_hardware(name, &fact))
        return machine_set_hardware(machine, fact, value, diag);
    if (!find_named(machine, name, &named, diag))
        return false;
    if (!setting_multiplies(value) || named.info->keeping == KEPT_COUNT)
        return set_named(machine, &named, value, diag);
    if (!quantity_parse(text_behind(value, 1), DIMENSION_NONE, &factor, diag))
        return false;
    if (!(factor > 0))
        return diag_error(diag, value.span, "a factor must be positive");
    return scale_named(machine, &named, name, factor, diag);
}

bool machine_scale(Machine *machine, Text name, double factor, Diag *diag)
{
    Named named;
    Text fact;
    if (is_of_hardware(name, &fact))
        return report_nothing(name, diag);
    return find_named(machine, name, &named, diag) &&
           scale_named(machine, &named, name, factor, diag);
}

bool machine_try_scale(Machine *machine, Text name, double factor)
{
    Diag silent = diag_silent();
    return machine_scale(machine, name, factor, &silent);
}

/* "startup=1e-06s", of the machine; "node.startup=1e-06s" of an owner. An infinite bandwidth is no
   number: its inverse is. */
static const char *show_setting(Arena *arena, Text owner, const ParameterInfo *info, double value)
{
    const bool is_rate = info->inverse && value > 0;
    char number[LONGEST_NUMBER];
    return arena_printf(arena, "%.*s%s%s=%s%s", TEXT_ARGS(owner), owner.length ? "." : "",
                        info->inverse && !is_rate ? info->name : info->key,
                        number_exactly(is_rate ? number_inverse(value) : value, number),
                        dimension_unit(arena, is_rate ? info->key_dimension : info->dimension));
}

const char *machine_setting(Arena *arena, const Machine *machine, Text name)
{
    Machine copy = *machine;
    Diag silent = diag_silent();
    Named named;
    Text fact;
    char number[LONGEST_NUMBER];
    if (is_of_hardware(name, &fact)) {
        const double *said = machine_hardware(machine, fact);
        return said ? arena_printf(arena, "%s.%.*s=%s", HARDWARE_KEY, TEXT_ARGS(fact),
                                   number_exactly(*said, number))
                    : NULL;
    }
    if (!find_named(&copy, name, &named, &silent))
        return NULL;
    const Text owner = text_slice(name, 0, name.length - named.own.length);
    const Text shown = text_slice(owner, 0, owner.length ? owner.length - 1 : 0);
    if (named.price)
        return show_setting(arena, shown, named.info, *named.price);
    /* Has it one value, which is not a factor of what links of the topology state? */
    const bool is_value = named.info->keeping == KEPT_VALUE;
    const Level *level = named.owner.kind == OF_LEVEL ? named.owner.of : NULL;
    bool is_one = level && is_value ? !(level->link_scales[cost_of(&named)] > 0)
                                    : !parameter_prices(named.info, named.owner) ||
                                          named.info->keeping == KEPT_PRICES;
    for (int i = 0; i < machine->protocol_count && is_value && named.owner.kind == OF_MACHINE; i++)
        is_one &= machine->protocols[i].parameters[cost_of(&named)] < 0;
    const double value = parameter_get(named.info, named.owner);
    return value >= 0 && is_one ? show_setting(arena, shown, named.info, value) : NULL;
}
