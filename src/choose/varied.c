#include "choose/varied.h"

#include "model/machine_parts.h"

#include <math.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Machine *machine;
    const Network *network;
    KnobArray *knobs;
} Listing;

bool knob_is_size(const Knob *knob)
{
    return knob->parameter == PARAMETER_COUNT;
}

static Text text_for(const char *chars)
{
    return (Text){.chars = chars, .length = strlen(chars), .span = NOWHERE};
}

static Knob new_knob(const Listing *listing, Text owner, int parameter)
{
    bool is_size = parameter == PARAMETER_COUNT;
    const char *key = is_size ? "up-to" : parameter_info[parameter].key;
    const char *name =
        owner.length ? arena_printf(listing->arena, "%.*s.%s", (int)owner.length, owner.chars, key)
                     : key;
    const char *time = is_size ? key : parameter_info[parameter].name;
    if (owner.length)
        time = arena_printf(listing->arena, "%.*s.%s", (int)owner.length, owner.chars, time);
    return (Knob){.name = name, .time = time, .owner = owner, .parameter = parameter, .most = -1};
}

/* One of the values that there are; a negative one is none. */
static void add_value(Knob *knob, double value)
{
    if (value < 0)
        return;
    knob->least = knob->most < 0 ? value : fmin(knob->least, value);
    knob->most = fmax(knob->most, value);
}

static void keep_knob(const Listing *listing, Knob *knob)
{
    knob->is_zero = knob->most == 0;
    if (knob->most >= 0)
        *ARRAY_PUSH(listing->arena, listing->knobs) = *knob;
}

/* With protocols the machine's own value counts where one of them has none. */
static void list_machine(const Listing *listing, int parameter)
{
    const Machine *machine = listing->machine;
    Knob knob = new_knob(listing, (Text){0}, parameter);
    for (int i = 0; i < machine->protocol_count; i++) {
        double own = machine->protocols[i].parameters[parameter];
        add_value(&knob, own >= 0 ? own : machine->parameters[parameter]);
    }
    if (machine->protocol_count == 0)
        add_value(&knob, machine->parameters[parameter]);
    keep_knob(listing, &knob);
}

static void list_protocol(const Listing *listing, int number)
{
    const Machine *machine = listing->machine;
    const Protocol *protocol = &machine->protocols[number];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        Knob knob = new_knob(listing, protocol->name, i);
        add_value(&knob, protocol->parameters[i]);
        keep_knob(listing, &knob);
    }
    if (isinf(protocol->up_to))
        return;
    Knob knob = new_knob(listing, protocol->name, PARAMETER_COUNT);
    add_value(&knob, protocol->up_to);
    knob.above = number > 0 ? machine->protocols[number - 1].up_to : 0;
    knob.below = machine->protocols[number + 1].up_to;
    keep_knob(listing, &knob);
}

/* What links say of themselves comes before what their level says; negative: neither does. */
static double value_of(const LinkClass *links, const Level *level, int parameter)
{
    double own = parameter == PARAMETER_TW ? links->tw : parameter == PARAMETER_TH ? links->th : -1;
    double scale = level && level->link_scales[parameter] > 0 ? level->link_scales[parameter] : 1;
    return own >= 0 ? own * scale : level ? level->parameters[parameter] : -1;
}

/* With protocols there may be no price that a level inherits. */
static bool can_turn(const Listing *listing, const Knob *knob)
{
    Machine copy = *listing->machine;
    Diag silent = diag_silent();
    return machine_scale(&copy, text_for(knob->time), 1, &silent);
}

/* Where some links of a level have a value that is not the machine's. */
static void list_of_level(const Listing *listing, const char *name, int parameter)
{
    const Machine *machine = listing->machine;
    const Level *level = level_find(machine->levels, machine->level_count, name);
    Knob knob = new_knob(listing, text_for(name), parameter);
    bool inherits = false;
    for (size_t c = 0; c < listing->network->class_count; c++) {
        const LinkClass *links = &listing->network->classes[c];
        if (!links->level || strcmp(links->level, name) != 0)
            continue;
        add_value(&knob, value_of(links, level, parameter));
        inherits |= value_of(links, level, parameter) < 0;
    }
    if (knob.most >= 0 && inherits)
        add_value(&knob, machine->parameters[parameter]);
    knob.of_links = true;
    if (knob.most > 0 ? can_turn(listing, &knob) : level && level->parameters[parameter] == 0)
        keep_knob(listing, &knob);
}

static void list_levels(const Listing *listing)
{
    const LinkClass *classes = listing->network->classes;
    for (size_t c = 0; c < listing->network->class_count; c++) {
        bool is_new = classes[c].level != NULL;
        for (size_t before = 0; before < c && is_new; before++)
            is_new = !classes[before].level || strcmp(classes[before].level, classes[c].level) != 0;
        for (int i = 0; i < PARAMETER_COUNT && is_new; i++)
            list_of_level(listing, classes[c].level, i);
    }
}

KnobArray knobs_list(Arena *arena, const Machine *machine, const Network *network)
{
    KnobArray knobs = {0};
    const Listing listing = {arena, machine, network, &knobs};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        list_machine(&listing, i);
    list_levels(&listing);
    for (int i = 0; i < machine->protocol_count; i++)
        if (machine->protocols[i].name.length)
            list_protocol(&listing, i);
    return knobs;
}

static void turn_zero(const Knob *knob, Machine *machine, double value)
{
    Level *level = machine_find_level(machine, knob->owner);
    Protocol *protocol = machine_find_protocol(machine, knob->owner);
    double *parameters = protocol ? protocol->parameters
                         : level  ? level->parameters
                                  : machine->parameters;
    parameters[knob->parameter] = value;
    for (int i = 0; i < machine->protocol_count && knob->owner.length == 0; i++)
        machine->protocols[i].parameters[knob->parameter] = -1;
}

void knob_turn(const Knob *knob, Machine *machine, double value)
{
    Diag silent = diag_silent();
    if (knob_is_size(knob))
        machine_find_protocol(machine, knob->owner)->up_to = value;
    else if (knob->is_zero)
        turn_zero(knob, machine, value);
    else
        machine_scale(machine, text_for(knob->time), value, &silent);
}
