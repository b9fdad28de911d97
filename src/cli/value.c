#include "cli/command.h"

#include <math.h>

static const char *const truth_names[] = {"false", "true"};

Value value_integer(int64_t integer)
{
    return (Value){.type = TYPE_INT, .integer = integer};
}

Value value_real(double real, Dimension dimension)
{
    return (Value){.type = TYPE_REAL, .real = real, .dimension = dimension};
}

double value_number(const Value *value)
{
    return value->type == TYPE_REAL ? value->real : (double)value->integer;
}

const char *value_show(Arena *arena, const Value *value)
{
    double number = value_number(value);
    Dimension dimension = value->dimension;
    if (value->name)
        return value->name;
    if (value->type == TYPE_BOOL)
        return truth_names[value->integer != 0];
    if (value->type == TYPE_INT)
        return arena_printf(arena, "%lld", (long long)value->integer);
    if (dimension_equal(dimension, DIMENSION_TIME))
        return quantity_show_time(arena, number);
    if (dimension_equal(dimension, DIMENSION_BYTES))
        return quantity_show_bytes(arena, number);
    if (dimension_equal(dimension, DIMENSION_BANDWIDTH))
        return quantity_show_bandwidth(arena, number);
    const char *unit = dimension_unit(arena, dimension);
    return arena_printf(arena, "%.10g%s%s", number, *unit ? " " : "", unit);
}

/* " * 1 s * 1 s" or " / 1 B": units that have no name are written out. */
static const char *spell_unit(Arena *arena, const char *unit, int exponent)
{
    const char *text = "";
    for (int i = 0; i < exponent || i < -exponent; i++)
        text = arena_printf(arena, "%s %c 1 %s", text, exponent > 0 ? '*' : '/', unit);
    return text;
}

const char *value_exactly(Arena *arena, const Value *value)
{
    if (value->type == TYPE_BOOL)
        return value->integer ? "1 == 1" : "1 == 0";
    if (value->type == TYPE_INT)
        return arena_printf(arena, "%lld", (long long)value->integer);
    const char *unit = dimension_unit(arena, value->dimension);
    for (const char *sign = unit; *sign; sign++)
        if (*sign == '^' || *sign == ' ')
            unit = NULL, sign = "-";
    if (!unit)
        return arena_printf(arena, "%.17g%s%s", value->real,
                            spell_unit(arena, "s", value->dimension.time),
                            spell_unit(arena, "B", value->dimension.bytes));
    const bool is_whole = fabs(value->real) < 0x1p63 && value->real == (double)(int64_t)value->real;
    if (!*unit) /* a whole number stays a real one */
        return arena_printf(arena, is_whole ? "%.17g / 1" : "%.17g", value->real);
    return arena_printf(arena, "%.17g %s", value->real, unit);
}

void value_write(Arena *arena, FILE *stream, Format format, const Value *value, const char *unit)
{
    const char *own = unit ? unit : "";
    const bool is_real = !value->name && value->type == TYPE_REAL;
    unit = unit ? unit : dimension_unit(arena, value->dimension);
    if (format == FORMAT_JSON) {
        fputs("{\"value\": ", stream);
        if (value->name)
            json_string(stream, value->name);
        else if (is_real)
            json_number(stream, value->real);
        else
            fputs(value_show(arena, value), stream);
        fputs(", \"unit\": ", stream);
        json_string(stream, unit);
        fputs("}\n", stream);
    } else if (format != FORMAT_CSV)
        fprintf(stream, "%s%s%s\n", value_show(arena, value), *own ? " " : "", own);
    else
        fprintf(stream, "value,unit\n%s,%s\n",
                is_real ? number_exactly(value->real, (char[LONGEST_NUMBER]){0})
                        : value_show(arena, value),
                is_real ? unit : "");
}
