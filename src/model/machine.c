#include "model/machine.h"

#include <math.h>

const ParameterInfo parameter_info[PARAMETER_COUNT] = {
    [PARAMETER_TS] = {"ts", "startup", {1, 0}, {1, 0}, false},
    [PARAMETER_TH] = {"th", "per-hop", {1, 0}, {1, 0}, false},
    [PARAMETER_TW] = {"tw", "bandwidth", {1, -1}, {-1, 1}, true},
    [PARAMETER_TC] = {"tc", "compute", {1, -1}, {-1, 1}, true},
};

static bool set_natural(Machine *machine, Parameter parameter, Text value, Diag *diag)
{
    const ParameterInfo *info = &parameter_info[parameter];
    double quantity;
    if (!quantity_parse(value, info->key_dimension, &quantity, diag))
        return false;
    if (info->inverse && quantity == 0) {
        diag_error(diag, value.span, "a %s of zero would take forever", info->key);
        return false;
    }
    machine->parameters[parameter] = info->inverse ? 1 / quantity : quantity;
    if (isfinite(machine->parameters[parameter]))
        return true;
    diag_error(diag, value.span, "a %s so small cannot be computed with", info->key);
    return false;
}

bool machine_set(Machine *machine, Text name, Text value, Diag *diag)
{
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (text_equals(name, parameter_info[i].key))
            return set_natural(machine, (Parameter)i, value, diag);
        if (text_equals(name, parameter_info[i].name))
            return quantity_parse(value, parameter_info[i].dimension, &machine->parameters[i],
                                  diag);
    }
    const char *names[2 * PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        names[2 * i] = parameter_info[i].name;
        names[2 * i + 1] = parameter_info[i].key;
    }
    diag_error(diag, name.span, "a machine has no parameter '%.*s'", (int)name.length, name.chars);
    diag_suggest(diag, name, names, 2 * PARAMETER_COUNT);
    return false;
}

static bool read_assumed(const Node *node, Machine *machine, Diag *diag)
{
    const char *keys[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        keys[i] = parameter_info[i].key;
    for (size_t i = 0; i < node_item_count(node); i++) {
        int parameter =
            read_word(node_item(node, i), "an assumed parameter", keys, PARAMETER_COUNT, diag);
        if (parameter < 0)
            return false;
        machine->assumed[parameter] = true;
    }
    return true;
}

static bool read_parameters(const Node *map, Machine *machine, Diag *diag)
{
    bool good = true;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const Node *node = node_get(map, parameter_info[i].key);
        if (!node)
            continue;
        if (!node_is_scalar(node, parameter_info[i].key, diag) ||
            !set_natural(machine, (Parameter)i, node->text, diag))
            good = false;
    }
    machine->ports = 1;
    const Node *ports = node_get(map, "ports");
    if (ports && !(node_is_scalar(ports, "the number of ports", diag) &&
                   quantity_parse_integer(ports->text, 1, LARGEST_PORTS, &machine->ports, diag)))
        good = false;
    return good;
}

Machine *machine_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"machine",   "summary", "source", "startup", "per-hop",
                                       "bandwidth", "compute", "ports",  "assumed"};
    Machine *machine = ARENA_NEW(arena, Machine);
    bool known = node_check_keys(map, "a machine", keys, sizeof keys / sizeof *keys, diag);
    if (!read_head(arena, map, "machine", &machine->head, diag) ||
        !read_parameters(map, machine, diag) || !known)
        return NULL;
    if (!node_get(map, "bandwidth")) {
        diag_error(diag, machine->head.span, "a machine needs a bandwidth");
        return NULL;
    }
    const Node *assumed = node_get(map, "assumed");
    if (assumed && !read_assumed(assumed, machine, diag))
        return NULL;
    return machine;
}

const char *machine_describe(Arena *arena, const Machine *machine)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double value = machine->parameters[i];
        if (value == 0)
            continue;
        const ParameterInfo *info = &parameter_info[i];
        text = arena_printf(arena, "%s%s%s %s%s", text, *text ? ", " : "", info->key,
                            info->inverse ? quantity_show_bandwidth(arena, 1 / value)
                                          : quantity_show_time(arena, value),
                            machine->assumed[i] ? " (assumed)" : "");
    }
    if (machine->ports != 1)
        text = arena_printf(arena, "%s%s%lld ports", text, *text ? ", " : "",
                            (long long)machine->ports);
    return text;
}
