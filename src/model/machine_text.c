#include "model/machine.h"
#include "model/parameters.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ### For people */

static const char *add_piece(Arena *arena, const char *text, const char *piece)
{
    return arena_printf(arena, "%s%s%s", text, *text ? ", " : "", piece);
}

/* "compute 14 GB/s up to 32 MiB, 5 GB/s beyond" */
static const char *describe_prices(Arena *arena, const char *key, const WorkingPrices *prices)
{
    const char *text = arena_printf(arena, "%s ", key);
    for (int i = 0; i < prices->count; i++) {
        const WorkingPrice *item = &prices->items[i];
        const char *rate = quantity_show_bandwidth(arena, 1 / item->price);
        const char *range =
            isfinite(item->up_to)
                ? arena_printf(arena, "up to %s", quantity_show_bytes(arena, item->up_to))
            : i > 0 ? "beyond"
                    : "";
        text =
            arena_printf(arena, "%s%s%s%s%s", text, i ? ", " : "", rate, *range ? " " : "", range);
    }
    return text;
}

/* "startup 1 us (assumed)"; NULL: there is nothing to tell. */
static const char *describe(Arena *arena, const ParameterInfo *info, Owner owner)
{
    const bool *assumed = parameter_assumed(info, owner);
    const WorkingPrices *prices = parameter_prices(info, owner);
    const double value = parameter_get(info, owner);
    if (info->keeping == KEPT_PORTS) {
        const Machine *machine = owner.of;
        return machine->all_ports     ? "all ports"
               : machine->level_ports ? "ports by level"
               : machine->ports != 1  ? arena_printf(arena, "%lld ports", (long long)machine->ports)
                                      : NULL;
    }
    if (!prices && value < 0)
        return NULL;
    if (info->keeping > KEPT_SIZE) {
        /* "8 ports", "an adapter for each device": a number, a word or an answer in a phrase
           of its own. */
        char number[LONGEST_NUMBER];
        if (info->told[0] && value == 1)
            return *info->told[0] ? info->told[0] : NULL;
        return info->told[1] ? arena_printf(arena, "%s%s%s", info->told[1],
                                            info->words ? info->words[(size_t)value]
                                                        : number_exactly(value, number),
                                            info->told[2])
                             : NULL;
    }
    const char *shown =
        prices ? describe_prices(arena, info->key, prices)
               : arena_printf(arena, "%s %s", info->key, parameter_show(arena, info, value));
    return assumed && *assumed ? arena_printf(arena, "%s (assumed)", shown) : shown;
}

/* What is free, and what counts in products alone; and where all protocols have a value of their
   own, the first that of the machine, it is told there. */
static bool is_untold(const ParameterInfo *info, Owner owner)
{
    if (info->keeping == KEPT_SIZE)
        return true; /* it is told as the range of the protocol */
    if (owner.kind != OF_MACHINE || parameter_prices(info, owner))
        return false;
    const Machine *machine = owner.of;
    const double value = parameter_get(info, owner);
    bool told = info->keeping == KEPT_VALUE && machine->protocol_count > 0;
    for (int i = 0; told && i < machine->protocol_count; i++) {
        const double own = parameter_has(info, OF_PROTOCOL)
                               ? parameter_get(info, owner_protocol(&machine->protocols[i]))
                               : -1;
        told = own >= 0 && (i > 0 || own == value);
    }
    return told || info->of_products || (info->keeping == KEPT_VALUE && value == 0);
}

/* What the owner has of its own, in one list. */
static const char *describe_owner(Arena *arena, Owner owner)
{
    const char *text = "";
    for (int i = 0; i < parameter_info_count; i++) {
        const ParameterInfo *info = &parameter_info[i];
        const char *piece = parameter_has(info, owner.kind) && !is_untold(info, owner)
                                ? describe(arena, info, owner)
                                : NULL;
        text = piece ? add_piece(arena, text, piece) : text;
    }
    return text;
}

/* "eager up to 8 KiB (startup 1 us)", "beyond (bandwidth 10 GB/s)", "LL (startup 1 us)" */
static const char *describe_protocol(Arena *arena, const Machine *machine, int number)
{
    const Protocol *protocol = &machine->protocols[number];
    const char *text = describe_owner(arena, owner_protocol(protocol));
    const char *name = text_string(arena, protocol->name);
    const char *range =
        isfinite(protocol->up_to)
            ? arena_printf(arena, "up to %s", quantity_show_bytes(arena, protocol->up_to))
        : machine->select_fastest ? ""
                                  : "beyond";
    return arena_printf(arena, "%s%s%s (%s)", name, *name && *range ? " " : "", range,
                        *text ? text : "as the machine");
}

const char *machine_describe_multiply(Arena *arena, const Machine *machine)
{
    return arena_printf(arena, "multiply-add %s%s",
                        quantity_show_time(arena, machine->multiply.seconds),
                        machine->multiply.is_assumed ? " (assumed)" : "");
}

const char *machine_describe(Arena *arena, const Machine *machine)
{
    const char *text = describe_owner(arena, owner_machine(machine));
    for (int i = 0; i < machine->level_count; i++) {
        /* "node (startup 5 us, bandwidth 50 GB/s, 8 ports, LL up to 1 KiB (startup 1 us), ...)" */
        const Level *level = &machine->levels[i];
        const char *own = describe_owner(arena, owner_level(level));
        for (int j = level->first_protocol; j < level->first_protocol + level->protocol_count; j++)
            own = add_piece(arena, own, describe_protocol(arena, machine, j));
        text = add_piece(arena, text,
                         arena_printf(arena, "%.*s (%s)", TEXT_ARGS(level->name),
                                      *own ? own : "as the machine"));
    }
    for (int i = 0; i < machine->protocol_count; i++)
        text = add_piece(arena, text, describe_protocol(arena, machine, i));
    if (machine->select_fastest)
        text = add_piece(arena, text, "the fastest protocol for each message");
    return *text ? text : "all times are 0";
}

/* ### As a file */

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
    Text text = text_plain(shown);
    char number[LONGEST_NUMBER];
    double read = 0;
    if (quantity_is(text, dimension, &read) && fabs(read - value) <= 1e-14 * value)
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

/* What stands behind the key. */
static const char *show_value(Arena *arena, const ParameterInfo *info, double value)
{
    static const char *const answers[] = {"no", "yes"};
    char number[LONGEST_NUMBER];
    if (info->keeping == KEPT_WORD || info->keeping == KEPT_ANSWER)
        return (info->words ? info->words : answers)[(size_t)value];
    if (info->keeping == KEPT_COUNT || info->keeping == KEPT_SHARE || parameter_is_number(info))
        return arena_printf(arena, "%s", number_exactly(value, number));
    return info->inverse ? machine_show_bandwidth(arena, number_inverse(value))
                         : machine_show_time(arena, value);
}

/* Does the file of the machine leave it out, since it is free, or that of the first protocol? */
static bool is_left_out(const ParameterInfo *info, const Machine *machine)
{
    const int parameter = (int)(info - parameter_info);
    if (info->keeping == KEPT_PORTS)
        return machine->ports == 1 && !machine->all_ports && !machine->level_ports;
    if (info->keeping != KEPT_VALUE)
        return false;
    const double value = machine->parameters[parameter];
    const double first = machine->protocol_count ? machine->protocols[0].parameters[parameter] : -1;
    /* a file that is silent has the first protocol's, not 0 */
    return first == value || (value == 0 && first < 0 && parameter != PARAMETER_TW);
}

/* What the owner has of its own, but for lists and ranges. False after a report. */
static bool write_owner(Keys *keys, Owner owner, const char *what, Diag *diag)
{
    Arena *arena = keys->out->arena;
    for (int i = 0; i < parameter_info_count; i++) {
        const ParameterInfo *info = &parameter_info[i];
        const bool of_machine = owner.kind == OF_MACHINE;
        if (!parameter_has(info, owner.kind) || info->keeping == KEPT_SIZE ||
            (of_machine && is_left_out(info, owner.of)))
            continue;
        const double value = parameter_get(info, owner);
        const bool is_list = info->keeping == KEPT_VALUE && parameter_prices(info, owner);
        if (value < 0 || is_list)
            continue;
        if (value == 0 && info->inverse)
            return diag_error(diag, NOWHERE,
                              "%s has an endless %s, which the file of a machine cannot state",
                              what, info->key);
        const Machine *machine = info->keeping == KEPT_PORTS ? owner.of : NULL;
        write_key(keys, info->key,
                  !machine               ? show_value(arena, info, value)
                  : machine->level_ports ? "levels"
                  : machine->all_ports   ? "all"
                                         : arena_printf(arena, "%lld", (long long)machine->ports));
    }
    return true;
}

static void write_prices(Buffer *out, const ParameterInfo *info, const WorkingPrices *prices)
{
    buffer_printf(out, "%s:\n", info->key);
    for (int i = 0; i < prices->count; i++) {
        Keys keys = {out, ", ", false};
        buffer_printf(out, "  - {");
        if (i + 1 < prices->count)
            write_key(&keys, "up-to", show_bytes(out->arena, prices->items[i].up_to));
        write_key(&keys, "rate", show_value(out->arena, info, prices->items[i].price));
        buffer_printf(out, "}\n");
    }
}

/* The list of a level; NULL: that of the machine. */
static bool write_protocols(Buffer *out, const Machine *machine, const Level *level, Diag *diag)
{
    const int first = level ? level->first_protocol : 0;
    const int count = level ? level->protocol_count : machine->protocol_count;
    for (int i = first; i < first + count; i++) {
        const Protocol *protocol = &machine->protocols[i];
        Keys keys = {out, ", ", false};
        buffer_printf(out, "%s  - {", level ? "    " : "");
        if (protocol->name.length) {
            buffer_printf(out, "name: ");
            machine_write_word(out, protocol->name);
            keys.any = true;
        }
        if (isfinite(protocol->up_to))
            write_key(&keys, "up-to", show_bytes(out->arena, protocol->up_to));
        if (!write_owner(&keys, owner_protocol(protocol), "a protocol", diag))
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
    if (!write_owner(&keys, owner_level(level), "a level", diag))
        return false;
    buffer_printf(out, "%s%s\n", has_list && keys.any ? keys.joint : "",
                  has_list ? "protocols:" : "}");
    return write_protocols(out, machine, level, diag);
}

bool machine_write(Buffer *out, const Machine *machine, Diag *diag)
{
    Keys keys = {out, "\n", false};
    const Owner owner = owner_machine(machine);
    if (!write_owner(&keys, owner, "the machine", diag))
        return false;
    if (machine->hardware_count) {
        /* "{channels: 8, generation: 90}" */
        const char *text = "";
        for (int j = 0; j < machine->hardware_count; j++) {
            const HardwareFact *fact = &machine->hardware[j];
            char number[LONGEST_NUMBER];
            text = arena_printf(out->arena, "%s%s%.*s: %s", text, j ? ", " : "",
                                TEXT_ARGS(fact->name), number_exactly(fact->value, number));
        }
        write_key(&keys, HARDWARE_KEY, arena_printf(out->arena, "{%s}", text));
    }
    buffer_printf(out, "%s", keys.any ? "\n" : "");
    for (int i = 0; i < parameter_info_count; i++) {
        const WorkingPrices *prices = parameter_prices(&parameter_info[i], owner);
        if (prices && (prices->count > 1 || parameter_info[i].keeping == KEPT_VALUE))
            write_prices(out, &parameter_info[i], prices);
    }
    if (machine->level_count)
        buffer_printf(out, "levels:\n");
    for (int i = 0; i < machine->level_count; i++)
        if (!write_level(out, machine, &machine->levels[i], diag))
            return false;
    if (machine->protocol_count)
        buffer_printf(out, "protocols:\n");
    if (!write_protocols(out, machine, NULL, diag))
        return false;
    const char *const *assumed;
    const size_t count = machine_assumed(out->arena, machine, &assumed);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(out, "%s", i ? ", " : "assumed: [");
        machine_write_word(out, text_plain(assumed[i]));
    }
    buffer_printf(out, "%s", count ? "]\n" : "");
    return true;
}
