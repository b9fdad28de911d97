#include "model/machine_parts.h"

#include <string.h>

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
