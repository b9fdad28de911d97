#include "session/state.h"

#include "session/phrase.h"

#include <string.h>

/* Beyond this a prompt has no room. */
enum { LONGEST_PROMPT = 48 };

/* A value that would not stand for itself behind `=`. */
static const char *quote_value(Arena *arena, const char *value)
{
    return *value == '\0' || strpbrk(value, "'\"\\#") ? phrase_quote(arena, value) : value;
}

static void write_option(Arena *arena, OptionId option, const char *value, FILE *stream)
{
    const char *equals = option == OPTION_SET ? strchr(value, '=') : NULL;
    if (option == OPTION_TOPOLOGY)
        fprintf(stream, "use %s\n", phrase_quote(arena, value));
    else if (option == OPTION_MACHINE)
        fprintf(stream, "machine %s\n", phrase_quote(arena, value));
    else if (equals)
        fprintf(stream, "set %.*s = %s\n", (int)(equals - value), value,
                quote_value(arena, equals + 1));
    else if (option_is_flag(option))
        fprintf(stream, "set %s\n", option_name(option));
    else
        fprintf(stream, "set %s = %s\n", option_name(option), quote_value(arena, value));
}

/* The machine first, since levels that are set are the machine's. */
void describe_context(Arena *arena, const Context *context, FILE *stream)
{
    fputs("# The context of a session; as a batch file it restores it.\n", stream);
    for (size_t i = 0; i < context->models.count; i++) {
        if (strncmp(context->models.items[i]->name, "definition ", strlen("definition ")) != 0)
            fprintf(stream, "load %s\n", phrase_quote(arena, context->models.items[i]->name));
        else
            fprintf(stream, "define\n%.*send\n", (int)context->models.items[i]->length,
                    context->models.items[i]->text);
    }
    for (int i = 0; i < OPTION_COUNT; i++)
        for (size_t v = 0; v < context->values[i].count; v++)
            write_option(arena, (OptionId)i, context->values[i].items[v].chars, stream);
    for (size_t i = 0; i < context->lets.count; i++)
        fprintf(stream, "let %s = %s\n", context->lets.items[i].name,
                value_exactly(arena, &context->lets.items[i].value));
}

const char *describe_shortly(Arena *arena, const Context *context)
{
    const char *text = "";
    for (int i = 0; i < OPTION_COUNT; i++)
        for (size_t v = 0; v < context->values[i].count; v++) {
            bool is_plain = i == OPTION_TOPOLOGY || i == OPTION_MACHINE || i == OPTION_SET;
            const char *name = is_plain ? "" : option_name((OptionId)i);
            const char *value = context->values[i].items[v].chars;
            const char *more =
                arena_printf(arena, "%s%s%s%s%s", text, *text ? " " : "", name,
                             is_plain || option_is_flag((OptionId)i) ? "" : "=", value);
            if (strlen(more) > LONGEST_PROMPT)
                return arena_printf(arena, "%s%s...", text, *text ? " " : "");
            text = more;
        }
    return text;
}
