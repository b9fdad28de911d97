#include "model/machine_parts.h"

#include <math.h>
#include <string.h>

bool machine_read_value(double *parameters, Parameter parameter, Text value, Diag *diag)
{
    const ParameterInfo *info = &parameter_info[parameter];
    double quantity;
    if (!quantity_parse(value, info->key_dimension, &quantity, diag))
        return false;
    if (info->inverse && quantity == 0) {
        diag_error(diag, value.span, "the %s must be positive", info->key);
        return false;
    }
    parameters[parameter] = info->inverse ? 1 / quantity : quantity;
    if (isfinite(parameters[parameter]))
        return true;
    diag_error(diag, value.span, "this %s is too small", info->key);
    return false;
}

bool machine_read_rate(WorkingPrices *prices, Text value, Diag *diag)
{
    double rate;
    if (!quantity_parse(value, DIMENSION_BANDWIDTH, &rate, diag))
        return false;
    if (!(rate > 0 && isfinite(1 / rate))) {
        diag_error(diag, value.span, "the rate must be positive");
        return false;
    }
    *prices = (WorkingPrices){{{INFINITY, 1 / rate}}, 1};
    return true;
}

bool machine_read_delay(Delay *delay, Text value, Diag *diag)
{
    *delay = (Delay){.is_given = true};
    return quantity_parse(value, DIMENSION_TIME, &delay->seconds, diag);
}

const char *const level_share_names[LEVEL_SHARE_COUNT] = {[SHARE_PORTS] = "ports",
                                                          [SHARE_PASSES] = "passes",
                                                          [SHARE_ADAPTER] = ADAPTER_KEY,
                                                          [SHARE_CAPACITY] = "capacity",
                                                          [SHARE_MERGING] = "merging"};

LevelShare level_share_find(Text name)
{
    int share = 0;
    while (share < LEVEL_SHARE_COUNT && !text_equals(name, level_share_names[share]))
        share++;
    return (LevelShare)share;
}

int64_t *level_counted(Level *level, LevelShare share)
{
    return share == SHARE_PORTS     ? &level->ports
           : share == SHARE_PASSES  ? &level->passes
           : share == SHARE_ADAPTER ? &level->devices_per_adapter
                                    : NULL;
}

bool level_read_share(Level *level, LevelShare share, Text value, Diag *diag)
{
    enum { MOST_PASSES = 16 };
    if (share < (LevelShare)COUNTED_SHARES)
        return quantity_parse_integer(value, 1, share == SHARE_PASSES ? MOST_PASSES : LARGEST_PORTS,
                                      level_counted(level, share), diag);
    if (share == SHARE_MERGING) {
        if (!quantity_parse(value, DIMENSION_NONE, &level->merging, diag))
            return false;
        if (level->merging >= LEAST_MERGING && level->merging <= 1)
            return true;
        diag_error(diag, value.span, "this share is from %g to 1", LEAST_MERGING);
        return false;
    }
    if (!quantity_parse(value, DIMENSION_BANDWIDTH, &level->capacity, diag))
        return false;
    if (level->capacity > 0 && isfinite(1 / level->capacity))
        return true;
    diag_error(diag, value.span, "the capacity must be positive");
    return false;
}

Level *machine_add_level(Machine *machine, Text name, Diag *diag)
{
    if (machine->level_count == MOST_LEVELS) {
        diag_error(diag, name.span, "a machine has at most %d levels", MOST_LEVELS);
        return NULL;
    }
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

static Protocol *find_listed(Machine *machine, int first, int count, Text name)
{
    for (int i = first; i < first + count && name.length; i++)
        if (text_same(machine->protocols[i].name, name))
            return &machine->protocols[i];
    return NULL;
}

Protocol *machine_find_protocol(Machine *machine, Text name)
{
    const char *dot = name.length ? memchr(name.chars, '.', name.length) : NULL;
    if (!dot)
        return find_listed(machine, 0, machine->protocol_count, name);
    size_t length = (size_t)(dot - name.chars);
    const Level *level = machine_find_level(machine, text_slice(name, 0, length));
    return level ? find_listed(machine, level->first_protocol, level->protocol_count,
                               text_slice(name, length + 1, name.length - length - 1))
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
    if (!good)
        diag_error(diag, span, "protocols must be listed by increasing size");
    return good;
}
