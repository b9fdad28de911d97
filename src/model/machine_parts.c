#include "model/machine_parts.h"

#include <math.h>

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

bool machine_read_delay(Delay *delay, Text value, Diag *diag)
{
    *delay = (Delay){.is_given = true};
    return quantity_parse(value, DIMENSION_TIME, &delay->seconds, diag);
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

Protocol *machine_find_protocol(Machine *machine, Text name)
{
    for (int i = 0; i < machine->protocol_count; i++)
        if (machine->protocols[i].name.length && text_same(machine->protocols[i].name, name))
            return &machine->protocols[i];
    return NULL;
}

bool machine_check_rising(const Machine *machine, Span span, Diag *diag)
{
    for (int i = 0; i + 1 < machine->protocol_count; i++)
        if (!(machine->protocols[i].up_to < machine->protocols[i + 1].up_to)) {
            diag_error(diag, span, "protocols must be listed by increasing size");
            return false;
        }
    return true;
}
