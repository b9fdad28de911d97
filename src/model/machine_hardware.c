#include "model/machine_parts.h"

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
    if (machine->hardware_count == MOST_HARDWARE_FACTS) {
        diag_error(diag, name.span, "a machine states at most %d facts about its hardware",
                   MOST_HARDWARE_FACTS);
        return false;
    }
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
