#include "model/machine_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool report_parameter(Text name, bool of_level, Diag *diag)
{
    const char *names[2 * PARAMETER_COUNT + LEVEL_SHARE_COUNT + 2 + LOCAL_WORK_COUNT + DELAY_COUNT];
    const char *owner = "a level";
    size_t count = 0;
    for (int i = 0; i < LEVEL_SHARE_COUNT && of_level; i++)
        names[count++] = level_share_names[i];
    if (!of_level)
        names[count++] = "tm", names[count++] = MULTIPLY_KEY;
    for (int i = 0; i < LOCAL_WORK_COUNT && !of_level; i++)
        names[count++] = local_work_info[i].rate;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (of_level && i == PARAMETER_TC)
            continue;
        names[count++] = parameter_info[i].name;
        names[count++] = parameter_info[i].key;
    }
    for (int i = 0; i < (of_level ? (int)DELAYS_OF_LEVELS : DELAY_COUNT); i++)
        names[count++] = delay_names[i];
    if (!of_level)
        owner = "a machine";
    diag_error(diag, name.span, "%s has no parameter '%.*s'", owner, (int)name.length, name.chars);
    if (!diag_note_foreign(diag, FOREIGN_SETTING, name))
        diag_suggest(diag, name, names, count);
    return false;
}

/* The names of papers, and of ping-pong benchmarks. */
static const struct {
    const char *name;
    Parameter parameter;
} other_names[] = {{"latency", PARAMETER_TS},
                   {"alpha", PARAMETER_TS},
                   {"beta", PARAMETER_TW},
                   {"gamma", PARAMETER_TC}};

bool parameter_find(Text name, Parameter *parameter, bool *inverse)
{
    *inverse = false;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (text_equals(name, other_names[i].name)) {
            *parameter = other_names[i].parameter;
            return true;
        }
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool is_key = text_equals(name, parameter_info[i].key);
        *parameter = (Parameter)i;
        *inverse = is_key && parameter_info[i].inverse;
        if (is_key || text_equals(name, parameter_info[i].name))
            return true;
    }
    return false;
}

/* `name` is one of the names of the parameter; beta is a time per byte or a bandwidth. */
static bool set_parameter(double *parameters, Parameter parameter, Text name, Text value,
                          Diag *diag)
{
    Diag silent = diag_silent();
    const Dimension dimension = parameter_info[parameter].dimension;
    const bool is_rate = text_equals(name, "beta") &&
                         !quantity_parse(value, dimension, &parameters[parameter], &silent);
    return is_rate || text_equals(name, parameter_info[parameter].key)
               ? machine_read_value(parameters, parameter, value, diag)
               : quantity_parse(value, parameter_info[parameter].dimension, &parameters[parameter],
                                diag);
}

/* "node.startup", "node.LL.startup": what stands before and behind the last dot; false where there
   is none. */
static bool split_name(Text name, Text *owner, Text *own)
{
    size_t length = name.length;
    while (length > 0 && name.chars[length - 1] != '.')
        length--;
    *owner = text_slice(name, 0, length ? length - 1 : 0);
    *own = text_slice(name, length, name.length - length);
    return length > 0;
}

/* Only protocols go up to a size: who has a size is meant as one. */
static bool report_protocol(const Machine *machine, Text name, Diag *diag)
{
    const char *names[MOST_PROTOCOLS];
    size_t count = 0;
    char copies[MOST_PROTOCOLS][64];
    diag_error(diag, name.span, "the machine has no protocol '%.*s'", (int)name.length, name.chars);
    for (int i = -1; i < machine->level_count; i++) {
        const Level *level = i < 0 ? NULL : &machine->levels[i];
        int first = level ? level->first_protocol : 0;
        int listed = level ? level->protocol_count : machine->protocol_count;
        for (int j = first; j < first + listed; j++) {
            const Text *known = &machine->protocols[j].name;
            int length = snprintf(
                copies[count], sizeof *copies, "%.*s%s%.*s", level ? (int)level->name.length : 0,
                level ? level->name.chars : "", level ? "." : "", (int)known->length, known->chars);
            names[count] = copies[count];
            count += known->length > 0 && length < (int)sizeof *copies;
        }
    }
    diag_suggest(diag, name, names, count);
    return false;
}

/* The level, which is added where the file does not speak of it: the topology may. NULL after a
   report: `own` is nothing that a level has. */
static Level *level_to_change(Machine *machine, Text owner, Text own, Diag *diag)
{
    Parameter parameter;
    bool inverse, is_parameter = parameter_find(own, &parameter, &inverse);
    bool found = is_parameter || (int)delay_find(own) < DELAYS_OF_LEVELS ||
                 level_share_find(own) < LEVEL_SHARE_COUNT;
    Level *level = machine_find_level(machine, owner);
    bool names_protocol = memchr(owner.chars, '.', owner.length) || text_equals(own, "up-to");
    if (!level && names_protocol)
        report_protocol(machine, owner, diag);
    else if (is_parameter && parameter == PARAMETER_TC)
        diag_error(diag, own.span, "ranks combine, not links: a level has no '%.*s'",
                   (int)own.length, own.chars);
    else if (!found)
        report_parameter(own, true, diag);
    else if (level)
        return level;
    else if ((level = machine_add_level(machine, owner, diag)))
        level->is_set = true;
    return level && found ? level : NULL;
}

static bool set_of_level(Machine *machine, Text owner, Text name, Text value, Diag *diag)
{
    Parameter parameter;
    bool inverse;
    Level *level = level_to_change(machine, owner, name, diag);
    if (!level)
        return false;
    if ((int)delay_find(name) < DELAYS_OF_LEVELS)
        return machine_read_delay(&level->delays[delay_find(name)], value, diag);
    if (!parameter_find(name, &parameter, &inverse))
        return level_read_share(level, level_share_find(name), value, diag);
    level->assumed[parameter] = false;
    level->link_scales[parameter] = -1;
    return set_parameter(level->parameters, parameter, name, value, diag);
}

/* "to-32MiB.compute": what a byte takes in collectives of that size; NULL: the list has no such
   item. */
static double *find_working_price(Machine *machine, Text owner, Text own, Parameter *parameter,
                                  bool *inverse)
{
    WorkingPrices *prices = &machine->compute;
    Text kind, size;
    double bytes;
    Diag silent = diag_silent();
    if (!parameter_find(own, parameter, inverse) || *parameter != PARAMETER_TC ||
        !text_split(owner, '-', &kind, &size) ||
        !quantity_parse(size, DIMENSION_BYTES, &bytes, &silent))
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

/* The machine's own price stays that of the first item. */
static bool set_working_price(Machine *machine, double *price, Text name, Text value, Diag *diag)
{
    double prices[PARAMETER_COUNT];
    if (!set_parameter(prices, PARAMETER_TC, name, value, diag))
        return false;
    *price = prices[PARAMETER_TC];
    machine->parameters[PARAMETER_TC] = machine->compute.items[0].price;
    return true;
}

/* What a protocol has: the parameter; PARAMETER_COUNT for the size that it goes up to; -1 after a
   report. */
static int find_of_protocol(const Protocol *protocol, Text name, Diag *diag)
{
    static const char *const names[] = {"startup", "ts", "bandwidth", "tw", "up-to"};
    Parameter parameter;
    bool inverse;
    if (text_equals(name, "up-to") && isfinite(protocol->up_to))
        return PARAMETER_COUNT;
    if (parameter_find(name, &parameter, &inverse) &&
        (parameter == PARAMETER_TS || parameter == PARAMETER_TW))
        return (int)parameter;
    diag_error(diag, name.span, "this protocol has no parameter '%.*s'", (int)name.length,
               name.chars);
    diag_suggest(diag, name, names, isfinite(protocol->up_to) ? 5 : 4);
    return -1;
}

static bool set_of_protocol(Machine *machine, Protocol *protocol, Text name, Text value, Diag *diag)
{
    int found = find_of_protocol(protocol, name, diag);
    if (found == PARAMETER_COUNT)
        return quantity_parse(value, DIMENSION_BYTES, &protocol->up_to, diag) &&
               machine_check_rising(machine, value.span, diag);
    if (found < 0)
        return false;
    protocol->assumed[found] = false;
    return set_parameter(protocol->parameters, (Parameter)found, name, value, diag);
}

/* "x2.5". A word that begins with x is none, and what is counted takes none: ports, and what a
   machine says of its hardware. */
static bool is_factor(Text name, Text value)
{
    Text owner, own;
    const bool has_owner = split_name(name, &owner, &own);
    const LevelShare share = level_share_find(own);
    const bool is_count = text_equals(owner, HARDWARE_KEY) || share < (LevelShare)COUNTED_SHARES;
    return !(has_owner && is_count) && value.length > 1 && value.chars[0] == 'x' &&
           strchr("+-.0123456789", value.chars[1]);
}

static bool read_factor(Text value, double *factor, Diag *diag)
{
    if (!quantity_parse(text_slice(value, 1, value.length - 1), DIMENSION_NONE, factor, diag))
        return false;
    if (*factor > 0)
        return true;
    diag_error(diag, value.span, "a factor must be positive");
    return false;
}

static bool is_multiply(Text name)
{
    return text_equals(name, "tm") || text_equals(name, MULTIPLY_KEY);
}

/* For all messages, whatever protocols say. */
static bool set_of_machine(Machine *machine, Text name, Text value, Diag *diag)
{
    Parameter parameter;
    bool inverse;
    if (is_multiply(name)) {
        machine->multiply_assumed = false;
        machine->knows_multiply = true;
        return quantity_parse(value, DIMENSION_TIME, &machine->multiply, diag);
    }
    if (delay_find(name) < DELAY_COUNT)
        return machine_read_delay(&machine->delays[delay_find(name)], value, diag);
    if (text_equals(name, "contacts"))
        return quantity_parse_integer(value, 1, MOST_CONTACTS, &machine->contacts, diag);
    if (local_work_find(name) < LOCAL_WORK_COUNT)
        return machine_read_rate(&machine->local[local_work_find(name)], value, diag);
    if (!parameter_find(name, &parameter, &inverse))
        return report_parameter(name, false, diag);
    for (int i = 0; i < machine->protocol_count; i++)
        machine->protocols[i].parameters[parameter] = -1;
    if (parameter == PARAMETER_TC)
        machine->compute.count = 0;
    return set_parameter(machine->parameters, parameter, name, value, diag);
}

bool machine_set(Machine *machine, Text name, Text value, Diag *diag)
{
    Text owner, own;
    double factor;
    if (is_factor(name, value))
        return read_factor(value, &factor, diag) && machine_scale(machine, name, factor, diag);
    if (!split_name(name, &owner, &own))
        return set_of_machine(machine, name, value, diag);
    if (text_equals(owner, HARDWARE_KEY))
        return machine_set_hardware(machine, own, value, diag);
    Parameter parameter;
    bool inverse;
    double *price = find_working_price(machine, owner, own, &parameter, &inverse);
    if (price)
        return set_working_price(machine, price, own, value, diag);
    Protocol *protocol = machine_find_protocol(machine, owner);
    return protocol ? set_of_protocol(machine, protocol, own, value, diag)
                    : set_of_level(machine, owner, own, value, diag);
}

static bool report_nothing(Text name, Diag *diag)
{
    diag_error(diag, name.span, "the machine has no '%.*s' that can be varied", (int)name.length,
               name.chars);
    return false;
}

/* What an owner has, or else what it has from the machine, for it alone. */
static bool scale_owned(double *own, double machines, double factor)
{
    double value = *own >= 0 ? *own : machines;
    if (value > 0)
        *own = value * factor;
    return value > 0;
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

static bool scale_machine(Machine *machine, Parameter parameter, double factor)
{
    bool found = machine->parameters[parameter] > 0;
    machine->parameters[parameter] *= factor;
    for (int i = 0; i < machine->compute.count && parameter == PARAMETER_TC; i++)
        machine->compute.items[i].price *= factor;
    return scale_list(machine, 0, machine->protocol_count, parameter, factor) || found;
}

/* Each message pays by its protocol: a level has no cost for all of them that it could inherit. */
static bool inherits_protocols(const Machine *machine, const Level *level, Parameter parameter)
{
    bool any = false, lacks = level->protocol_count == 0;
    for (int i = 0; i < machine->protocol_count; i++)
        any |= machine->protocols[i].parameters[parameter] >= 0;
    for (int i = 0; i < level->protocol_count; i++)
        lacks |= machine->protocols[level->first_protocol + i].parameters[parameter] < 0;
    return any && lacks && level->parameters[parameter] < 0;
}

/* A level's own, or else the machine's for it alone; NULL: of the machine. */
static bool scale_delay(Delay *delay, const Delay *machines, double factor)
{
    if (!delay->is_given && machines)
        *delay = *machines;
    delay->seconds *= factor;
    return delay->is_given && delay->seconds > 0;
}

static bool scale_level(Machine *machine, Text name, Text owner, Text own, double factor,
                        Diag *diag)
{
    Parameter parameter;
    bool inverse;
    Level *level = level_to_change(machine, owner, own, diag);
    if (!level)
        return false;
    int delay = delay_find(own);
    if (delay < (int)DELAYS_OF_LEVELS)
        return scale_delay(&level->delays[delay], &machine->delays[delay], factor) ||
               report_nothing(name, diag);
    if (level_share_find(own) == SHARE_CAPACITY) {
        level->capacity *= factor;
        return level->capacity > 0 || report_nothing(name, diag);
    }
    if (!parameter_find(own, &parameter, &inverse))
        return report_nothing(name, diag);
    if (inverse)
        factor = 1 / factor;
    if (inherits_protocols(machine, level, parameter)) {
        diag_error(diag, name.span, "level '%.*s' has no '%.*s' of its own: its protocols set it",
                   (int)owner.length, owner.chars, (int)own.length, own.chars);
        diag_note(diag, NOWHERE, "'%.*s' can be varied, for all of them", (int)own.length,
                  own.chars);
        return false;
    }
    if (level->link_scales[parameter] >= 0)
        level->link_scales[parameter] =
            factor * (level->link_scales[parameter] > 0 ? level->link_scales[parameter] : 1);
    bool has_list =
        scale_list(machine, level->first_protocol, level->protocol_count, parameter, factor);
    if (!has_list || level->parameters[parameter] >= 0)
        scale_owned(&level->parameters[parameter], machine->parameters[parameter], factor);
    return true;
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

static bool scale_protocol(Machine *machine, Protocol *protocol, Text name, Text own, double factor,
                           Diag *diag)
{
    int found = find_of_protocol(protocol, own, diag);
    Parameter parameter;
    bool inverse;
    if (found == PARAMETER_COUNT) {
        protocol->up_to *= factor;
        return machine_check_rising(machine, name.span, diag);
    }
    if (found < 0 || !parameter_find(own, &parameter, &inverse))
        return false;
    return scale_owned(&protocol->parameters[found], inherited_value(machine, protocol, found),
                       inverse ? 1 / factor : factor) ||
           report_nothing(name, diag);
}

bool machine_scale(Machine *machine, Text name, double factor, Diag *diag)
{
    Text owner, own;
    Parameter parameter;
    bool inverse;
    if (split_name(name, &owner, &own)) {
        if (text_equals(owner, HARDWARE_KEY))
            return report_nothing(name, diag);
        double *price = find_working_price(machine, owner, own, &parameter, &inverse);
        if (price) {
            *price *= inverse ? 1 / factor : factor;
            machine->parameters[PARAMETER_TC] = machine->compute.items[0].price;
            return *price > 0 || report_nothing(name, diag);
        }
        Protocol *protocol = machine_find_protocol(machine, owner);
        return protocol ? scale_protocol(machine, protocol, name, own, factor, diag)
                        : scale_level(machine, name, owner, own, factor, diag);
    }
    if (is_multiply(name) && machine->multiply > 0) {
        machine->multiply *= factor;
        return true;
    }
    const LocalWork work = local_work_find(name);
    if (work < LOCAL_WORK_COUNT) {
        WorkingPrices *prices = &machine->local[work];
        for (int i = 0; i < prices->count; i++)
            prices->items[i].price /= factor;
        return prices->count > 0 || report_nothing(name, diag);
    }
    if (delay_find(name) < DELAY_COUNT)
        return scale_delay(&machine->delays[delay_find(name)], NULL, factor) ||
               report_nothing(name, diag);
    if (!parameter_find(name, &parameter, &inverse) && !is_multiply(name))
        return report_parameter(name, false, diag);
    return (!is_multiply(name) &&
            scale_machine(machine, parameter, inverse ? 1 / factor : factor)) ||
           report_nothing(name, diag);
}

/* "startup=1e-06s", of the machine; "node.startup=1e-06s" of an owner. An infinite bandwidth is no
   number: its inverse is. */
static const char *show_setting(Arena *arena, Text owner, Parameter parameter, double value)
{
    const ParameterInfo *info = &parameter_info[parameter];
    bool inverse = info->inverse && value > 0;
    char number[LONGEST_NUMBER];
    return arena_printf(
        arena, "%.*s%s%s=%s%s", (int)owner.length, owner.chars, owner.length ? "." : "",
        info->inverse && !inverse ? info->name : info->key,
        number_exactly(inverse ? number_inverse(value) : value, number),
        dimension_unit(arena, inverse || !info->inverse ? info->key_dimension : info->dimension));
}

/* "multiply=1e-12s", "eager.up-to=16384B", "node.ports=8" */
static const char *show_plain(Arena *arena, const char *name, double value, const char *unit)
{
    char number[LONGEST_NUMBER];
    return arena_printf(arena, "%s=%s%s", name, number_exactly(value, number), unit);
}

const char *machine_setting(Arena *arena, const Machine *machine, Text name)
{
    Machine copy = *machine;
    Text owner, own;
    Parameter parameter;
    bool inverse, has_owner = split_name(name, &owner, &own);
    bool found = parameter_find(own, &parameter, &inverse);
    if (has_owner && text_equals(owner, HARDWARE_KEY)) {
        const double *fact = machine_hardware(machine, own);
        return fact ? show_plain(arena, arena_copy(arena, name.chars, name.length), *fact, "")
                    : NULL;
    }
    const double *price =
        has_owner ? find_working_price(&copy, owner, own, &parameter, &inverse) : NULL;
    if (price)
        return show_setting(arena, owner, parameter, *price);
    const Protocol *protocol = has_owner ? machine_find_protocol(&copy, owner) : NULL;
    const Level *level = has_owner && !protocol ? machine_find_level(&copy, owner) : NULL;
    DelayKind delay = delay_find(own);
    if (!protocol && delay < DELAY_COUNT) {
        const Delay *shown = level ? &level->delays[delay] : &machine->delays[delay];
        return show_plain(arena, arena_copy(arena, name.chars, name.length), shown->seconds, "s");
    }
    if (protocol)
        return found ? show_setting(arena, owner, parameter, protocol->parameters[parameter])
                     : show_plain(arena, arena_copy(arena, name.chars, name.length),
                                  protocol->up_to, "B");
    if (level && !found) {
        LevelShare share = level_share_find(own);
        Level shown = *level;
        double value = share == SHARE_CAPACITY  ? level->capacity
                       : share == SHARE_MERGING ? level->merging
                                                : (double)*level_counted(&shown, share);
        return show_plain(arena, arena_copy(arena, name.chars, name.length), value,
                          share == SHARE_CAPACITY ? "B/s" : "");
    }
    if (level)
        return level->link_scales[parameter] > 0
                   ? NULL
                   : show_setting(arena, owner, parameter, level->parameters[parameter]);
    const LocalWork work = local_work_find(own);
    if (work < LOCAL_WORK_COUNT)
        return machine->local[work].count == 1
                   ? show_plain(arena, local_work_info[work].rate,
                                1 / machine->local[work].items[0].price, "B/s")
                   : NULL;
    if (!found)
        return is_multiply(own) ? show_plain(arena, MULTIPLY_KEY, machine->multiply, "s") : NULL;
    for (int i = 0; i < machine->protocol_count; i++)
        if (machine->protocols[i].parameters[parameter] >= 0)
            return NULL;
    if (parameter == PARAMETER_TC && machine->compute.count)
        return NULL;
    return show_setting(arena, owner, parameter, machine->parameters[parameter]);
}
