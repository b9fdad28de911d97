#include "model/machine_text.h"

#include "model/machine_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The keys of a map, in braces on one line or one a line. */
typedef struct {
    Buffer *out;
    const char *joint; /* between two of them */
    bool any;
} Keys;

static void write_key(Keys *keys, const char *key, const char *value)
{
    buffer_printf(keys->out, "%s%s: %s", keys->any ? keys->joint : "", key, value);
    keys->any = true;
}

void machine_write_word(Buffer *out, Text text)
{
    bool is_plain = text.length > 0 && isalpha((unsigned char)text.chars[0]);
    for (size_t i = 0; i < text.length; i++)
        is_plain &= isalnum((unsigned char)text.chars[i]) || strchr("-_./", text.chars[i]);
    if (is_plain) {
        buffer_add(out, text.chars, text.length);
        return;
    }
    buffer_add(out, "'", 1);
    for (size_t i = 0; i < text.length; i++)
        buffer_add(out, text.chars[i] == '\'' ? "''" : &text.chars[i],
                   text.chars[i] == '\'' ? 2 : 1);
    buffer_add(out, "'", 1);
}

/* As people read it where that is as good as exact, else with all digits. */
static const char *show_exactly(Arena *arena, const char *shown, Dimension dimension, double value,
                                const char *unit)
{
    Diag silent = diag_silent();
    Text text = text_plain(shown);
    char number[LONGEST_NUMBER];
    double read = 0;
    if (quantity_parse(text, dimension, &read, &silent) && fabs(read - value) <= 1e-14 * value)
        return shown;
    return arena_printf(arena, "%s%s", number_exactly(value, number), unit);
}

const char *machine_show_time(Arena *arena, double seconds)
{
    return show_exactly(arena, quantity_show_time(arena, seconds), DIMENSION_TIME, seconds, " s");
}

const char *machine_show_bandwidth(Arena *arena, double rate)
{
    return show_exactly(arena, quantity_show_bandwidth(arena, rate), DIMENSION_BANDWIDTH, rate,
                        " B/s");
}

static const char *show_bytes(Arena *arena, double bytes)
{
    return show_exactly(arena, quantity_show_bytes(arena, bytes), DIMENSION_BYTES, bytes, " B");
}

static const char *show_value(Arena *arena, Parameter parameter, double value)
{
    return parameter_info[parameter].inverse ? machine_show_bandwidth(arena, number_inverse(value))
                                             : machine_show_time(arena, value);
}

/* Those that there are, and whose bit is not `omitted`. */
static bool write_values(Keys *keys, const double *values, int omitted, const char *what,
                         Diag *diag)
{
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (values[i] < 0 || omitted >> i & 1)
            continue;
        if (values[i] == 0 && parameter_info[i].inverse) {
            diag_error(diag, NOWHERE,
                       "%s has an endless %s, which the file of a machine cannot state", what,
                       parameter_info[i].key);
            return false;
        }
        write_key(keys, parameter_info[i].key,
                  show_value(keys->out->arena, (Parameter)i, values[i]));
    }
    return true;
}

static void write_delays(Keys *keys, const Delay *delays, int count)
{
    for (int i = 0; i < count; i++)
        if (delays[i].is_given)
            write_key(keys, delay_names[i], machine_show_time(keys->out->arena, delays[i].seconds));
}

/* Bits of what a file leaves out: what is free, is listed, or is that of the first protocol. */
static int find_omitted(const Machine *machine)
{
    int omitted = machine->compute.count ? 1 << PARAMETER_TC : 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool is_free = i != PARAMETER_TW && machine->parameters[i] == 0;
        bool is_first = machine->protocol_count > 0 &&
                        machine->protocols[0].parameters[i] == machine->parameters[i];
        /* a file that is silent has the first protocol's, not 0 */
        if (machine->protocol_count && machine->protocols[0].parameters[i] >= 0)
            is_free = false;
        omitted |= is_free || is_first ? 1 << i : 0;
    }
    return omitted;
}

static void write_prices(Buffer *out, const char *key, const WorkingPrices *prices)
{
    buffer_printf(out, "%s:\n", key);
    for (int i = 0; i < prices->count; i++) {
        Keys keys = {out, ", ", false};
        buffer_printf(out, "  - {");
        if (i + 1 < prices->count)
            write_key(&keys, "up-to", show_bytes(out->arena, prices->items[i].up_to));
        write_key(&keys, "rate", show_value(out->arena, PARAMETER_TC, prices->items[i].price));
        buffer_printf(out, "}\n");
    }
}

/* "{channels: 8, generation: 90}" */
static const char *show_hardware(Arena *arena, const Machine *machine)
{
    const char *text = "";
    for (int i = 0; i < machine->hardware_count; i++) {
        const HardwareFact *fact = &machine->hardware[i];
        char number[LONGEST_NUMBER];
        text = arena_printf(arena, "%s%s%.*s: %s", text, i ? ", " : "", (int)fact->name.length,
                            fact->name.chars, number_exactly(fact->value, number));
    }
    return arena_printf(arena, "{%s}", text);
}

static void write_conventions(Keys *keys, const Machine *machine)
{
    if (machine->level_ports)
        write_key(keys, "ports", "levels");
    else if (machine->all_ports)
        write_key(keys, "ports", "all");
    else if (machine->ports != 1)
        write_key(keys, "ports", arena_printf(keys->out->arena, "%lld", (long long)machine->ports));
    if (machine->switching != SWITCHING_CUT_THROUGH)
        write_key(keys, "switching", switching_names[machine->switching]);
    if (machine->duplex != DUPLEX_FULL)
        write_key(keys, "duplex", duplex_names[machine->duplex]);
    if (machine->posting != POSTING_UNSTATED)
        write_key(keys, "posting", posting_names[machine->posting]);
    if (machine->select_fastest)
        write_key(keys, "select", "fastest");
    if (machine->hardware_count)
        write_key(keys, HARDWARE_KEY, show_hardware(keys->out->arena, machine));
}

/* The items of a list: `count` from `first` on, with `margin` before each. */
static bool write_protocols(Buffer *out, const Machine *machine, int first, int count,
                            const char *margin, Diag *diag)
{
    for (int i = first; i < first + count; i++) {
        const Protocol *protocol = &machine->protocols[i];
        Keys keys = {out, ", ", false};
        buffer_printf(out, "%s  - {", margin);
        if (protocol->name.length) {
            buffer_printf(out, "name: ");
            machine_write_word(out, protocol->name);
            keys.any = true;
        }
        if (isfinite(protocol->up_to))
            write_key(&keys, "up-to", show_bytes(out->arena, protocol->up_to));
        if (!write_values(&keys, protocol->parameters, 0, "a protocol", diag))
            return false;
        buffer_printf(out, "}\n");
    }
    return true;
}

static bool write_level(Buffer *out, const Machine *machine, const Level *level, Diag *diag)
{
    bool has_list = level->protocol_count > 0;
    Keys keys = {out, has_list ? "\n    " : ", ", false};
    buffer_printf(out, "  ");
    machine_write_word(out, level->name);
    buffer_printf(out, "%s", has_list ? ":\n    " : ": {");
    if (!write_values(&keys, level->parameters, 1 << PARAMETER_TC, "a level", diag))
        return false;
    write_delays(&keys, level->delays, DELAYS_OF_LEVELS);
    Level copy = *level;
    for (int i = 0; i < COUNTED_SHARES; i++)
        if (*level_counted(&copy, (LevelShare)i))
            write_key(
                &keys, level_share_names[i],
                arena_printf(out->arena, "%lld", (long long)*level_counted(&copy, (LevelShare)i)));
    if (level->capacity > 0)
        write_key(&keys, level_share_names[SHARE_CAPACITY],
                  machine_show_bandwidth(out->arena, level->capacity));
    if (level->merging > 0)
        write_key(&keys, level_share_names[SHARE_MERGING],
                  arena_printf(out->arena, "%.17g", level->merging));
    for (int i = 0; i < MERGING_COUNT; i++)
        if (level->merges[i])
            write_key(&keys, merging_names[i], "yes");
    buffer_printf(out, "%s%s\n", has_list && keys.any ? keys.joint : "",
                  has_list ? "protocols:" : "}");
    return write_protocols(out, machine, level->first_protocol, level->protocol_count, "    ",
                           diag);
}

/* Appends those of one owner to the list. */
static void add_assumed(Keys *keys, Text owner, const bool *assumed, const Delay *delays, int count)
{
    Buffer *out = keys->out;
    for (int i = 0; i < PARAMETER_COUNT + count; i++) {
        bool is = i < PARAMETER_COUNT ? assumed[i] : delays[i - PARAMETER_COUNT].is_assumed;
        if (!is)
            continue;
        buffer_printf(out, "%s", keys->any ? ", " : "assumed: [");
        keys->any = true;
        const char *name = arena_printf(
            out->arena, "%.*s%s%s", (int)owner.length, owner.chars, owner.length ? "." : "",
            i < PARAMETER_COUNT ? parameter_info[i].key : delay_names[i - PARAMETER_COUNT]);
        machine_write_word(out, text_plain(name));
    }
}

static void write_assumed(Buffer *out, const Machine *machine)
{
    Keys keys = {out, ", ", false};
    add_assumed(&keys, (Text){0}, machine->assumed, machine->delays, DELAY_COUNT);
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        add_assumed(&keys, level->name, level->assumed, level->delays, DELAYS_OF_LEVELS);
        for (int j = level->first_protocol; j < level->first_protocol + level->protocol_count;
             j++) {
            const Text *name = &machine->protocols[j].name;
            const char *owner = arena_printf(out->arena, "%.*s.%.*s", (int)level->name.length,
                                             level->name.chars, (int)name->length, name->chars);
            add_assumed(&keys, text_plain(owner), machine->protocols[j].assumed, NULL, 0);
        }
    }
    for (int i = 0; i < machine->protocol_count; i++)
        add_assumed(&keys, machine->protocols[i].name, machine->protocols[i].assumed, NULL, 0);
    if (machine->multiply_assumed)
        buffer_printf(out, "%s%s", keys.any ? ", " : "assumed: [", MULTIPLY_KEY);
    if (keys.any || machine->multiply_assumed)
        buffer_printf(out, "]\n");
}

bool machine_write(Buffer *out, const Machine *machine, Diag *diag)
{
    Keys keys = {out, "\n", false};
    if (!write_values(&keys, machine->parameters, find_omitted(machine), "the machine", diag))
        return false;
    if (machine->knows_multiply)
        write_key(&keys, MULTIPLY_KEY, machine_show_time(out->arena, machine->multiply));
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        if (machine->local[i].count == 1)
            write_key(&keys, local_work_info[i].rate,
                      show_value(out->arena, PARAMETER_TC, machine->local[i].items[0].price));
    write_delays(&keys, machine->delays, DELAY_COUNT);
    if (machine->contacts)
        write_key(&keys, "contacts",
                  arena_printf(out->arena, "%lld", (long long)machine->contacts));
    write_conventions(&keys, machine);
    buffer_printf(out, "%s", keys.any ? "\n" : "");
    if (machine->compute.count)
        write_prices(out, parameter_info[PARAMETER_TC].key, &machine->compute);
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        if (machine->local[i].count > 1)
            write_prices(out, local_work_info[i].rate, &machine->local[i]);
    if (machine->level_count)
        buffer_printf(out, "levels:\n");
    for (int i = 0; i < machine->level_count; i++)
        if (!write_level(out, machine, &machine->levels[i], diag))
            return false;
    if (machine->protocol_count)
        buffer_printf(out, "protocols:\n");
    if (!write_protocols(out, machine, 0, machine->protocol_count, "", diag))
        return false;
    write_assumed(out, machine);
    return true;
}
