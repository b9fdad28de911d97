#include "model/machine.h"
#include "model/parameters.h"

#include <math.h>

enum { MOST_KEYS = 64 };

/* "node.eager.startup": all before the last dot names a level or a protocol. */
static bool read_assumed(const Node *node, const Machine *machine, Diag *diag)
{
    const char *keys[MOST_KEYS];
    bool *flags[MOST_KEYS];
    size_t count = 0;
    Node item = *node;
    Text name = {0};
    const bool has_owner = node->kind == NODE_SCALAR && owner_split(node->text, &name, &item.text);
    const Owner owner = owner_find(machine, name);
    if (!owner.of || (has_owner && !name.length))
        return diag_error(diag, name.span, "the machine has no level or protocol '%.*s'",
                          TEXT_ARGS(name));
    for (int i = 0; i < parameter_info_count; i++)
        if ((flags[count] = parameter_assumed(&parameter_info[i], owner)))
            keys[count++] = parameter_info[i].key;
    const int found = read_word(&item, "an assumed parameter", keys, count, diag);
    if (found >= 0)
        *flags[found] = true;
    return found >= 0;
}

static bool read_levels(const Node *map, Machine *machine, Diag *diag)
{
    const char *keys[MOST_KEYS] = {"protocols"};
    const size_t count = 1 + parameters_keys(OF_LEVEL, keys + 1);
    const Node *levels = node_get(map, "levels");
    if (!levels)
        return true;
    if (!node_is_map(levels, "the levels of a machine", diag))
        return false;
    bool good = true;
    for (size_t i = 0; i < levels->count; i++) {
        const Level *level = machine_add_level(machine, levels->keys[i]->text, diag);
        if (!level)
            return false;
        good &= read_map(levels->values[i], "a level", keys, count, diag) &&
                parameters_read(levels->values[i], owner_level(level), diag);
    }
    return good;
}

/* Appends a list of `least` protocols or more; the first is then number *first of all. */
static bool read_list(const Node *list, Machine *machine, size_t least, int *count, Diag *diag)
{
    int first = machine->listed_count;
    const char *keys[MOST_KEYS] = {"name"};
    const size_t key_count = 1 + parameters_keys(OF_PROTOCOL, keys + 1);
    if (list->kind != NODE_LIST || list->count < least || list->count > MOST_LISTED_PROTOCOLS)
        return diag_error(diag, list->text.span, "protocols are a list of %zu to %d", least,
                          MOST_LISTED_PROTOCOLS);
    for (size_t i = 0; i < list->count; i++) {
        const Node *item = node_item(list, i);
        bool is_last = i + 1 == list->count;
        Protocol protocol = {.up_to = INFINITY};
        for (int p = 0; p < PARAMETER_COUNT; p++)
            protocol.parameters[p] = -1;
        if (machine->listed_count == LIMIT_PROTOCOLS)
            return diag_error(diag, item->text.span, "a machine has at most %d protocols",
                              LIMIT_PROTOCOLS);
        if (!read_map(item, "a protocol", keys, key_count, diag) ||
            !parameters_read(item, owner_protocol(&protocol), diag) ||
            !read_key_text(item, "name", "a name", &protocol.name, diag))
            return false;
        /* Only where messages have protocols by their size, all but the last go up to one. */
        const Node *up_to = node_get(item, "up-to");
        if (!up_to != (is_last || machine->select_fastest))
            return diag_error(
                diag, up_to && machine->select_fastest ? up_to->text.span : item->text.span,
                machine->select_fastest ? "with 'select: fastest' a protocol takes no 'up-to'"
                : is_last ? "the last protocol is for all larger messages: it takes no 'up-to'"
                          : "all protocols but the last need 'up-to', their largest size");
        if (machine_find_listed(machine, first, machine->listed_count - first, protocol.name) ||
            (protocol.name.length && machine_find_level(machine, protocol.name)))
            return diag_error(diag, item->text.span, "duplicate name '%.*s' of a protocol or level",
                              TEXT_ARGS(protocol.name));
        /* those of one name have one number; those without a name have each their own */
        const Protocol *same =
            machine_find_listed(machine, 0, machine->listed_count, protocol.name);
        protocol.number = same ? same->number : machine->listed_count;
        machine->protocols[machine->listed_count++] = protocol;
        ++*count;
        if (!machine_check_rising(machine, item->text.span, diag))
            return false;
    }
    return true;
}

/* Those of levels stand behind those of the machine. */
static bool read_protocols(const Node *map, Machine *machine, Diag *diag)
{
    const Node *list = node_get(map, "protocols"), *levels = node_get(map, "levels");
    if (list && !read_list(list, machine, 2, &machine->protocol_count, diag))
        return false;
    /* What the machine lacks is that of its protocol for the smallest messages. */
    for (int i = 0; list && i < PARAMETER_COUNT; i++)
        if (!node_get(map, parameter_info[i].key) && machine->protocols[0].parameters[i] >= 0)
            machine->parameters[i] = machine->protocols[0].parameters[i];
    for (size_t i = 0; levels && i < levels->count; i++) {
        const Node *own = node_get(levels->values[i], "protocols");
        Level *level = &machine->levels[i];
        level->first_protocol = machine->listed_count;
        if (own && !read_list(own, machine, 1, &level->protocol_count, diag))
            return false;
    }
    return true;
}

Machine *machine_read(Arena *arena, const Node *map, Diag *diag)
{
    const char *keys[MOST_KEYS] = {"machine", "also",      "summary", "source",    "levels",
                                   "assumed", "protocols", "fitted",  HARDWARE_KEY};
    const size_t own = 9, count = own + parameters_keys(OF_MACHINE, keys + own);
    Machine *machine = ARENA_NEW(arena, Machine);
    machine->ports = 1;
    bool good = node_check_keys(map, "a machine", keys, count, diag);
    if (!read_head(arena, map, "machine", &machine->head, diag))
        return NULL;
    good &= parameters_read(map, owner_machine(machine), diag);
    good &= read_levels(map, machine, diag);
    good &= machine_read_hardware(map, machine, diag);
    if (!good || !read_protocols(map, machine, diag))
        return NULL;
    if (!node_get(map, "bandwidth") &&
        !(machine->protocol_count && machine->protocols[0].parameters[PARAMETER_TW] > 0))
        return DIAG_NULL(diag, machine->head.span, "a machine needs a bandwidth");
    const Node *fitted = node_get(map, "fitted"), *assumed = node_get(map, "assumed");
    if (fitted && !(machine->fitted = fitted_read(arena, fitted, diag)))
        return NULL;
    for (size_t i = 0; assumed && i < node_item_count(assumed); i++)
        if (!read_assumed(node_item(assumed, i), machine, diag))
            return NULL;
    return machine;
}
