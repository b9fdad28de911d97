/* Settings of libraries that a log shows: in the line that starts a program, exported above it, or
   printed by NCCL ("NCCL INFO NCCL_ALGO set by environment to Ring."). Rows under others are no
   repeats. */
#include "exchange/reading.h"
#include "exchange/tuning_reader.h"

#include <ctype.h>
#include <string.h>

static const char mca[] = "OMPI_MCA_", dynamic_rules[] = "coll_tuned_use_dynamic_rules";

/* The collective in the name of a variable; NULL: there is none that is known. */
static const Operation *collective_of(const SettingFamily *family, Text name)
{
    const size_t start = family && family->after ? strlen(family->start) : name.length;
    Text rest = text_behind(name, start);
    const char *end =
        rest.length ? memmem(rest.chars, rest.length, family->after, strlen(family->after)) : NULL;
    if (end && *family->after)
        rest.length = (size_t)(end - rest.chars);
    return end && rest.length ? operation_find(rest) : NULL;
}

static void set(LogReading *reading, LogSettings *settings, Text name, Text value)
{
    static const char *const silent[] = {"DEBUG", "VERBOSE", "verbose", "_LOG_", "SOCKET_IFNAME"};
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        if (text_holds(name, silent[i]))
            return;
    size_t at = 0, prefix = text_begins(name, mca) ? strlen(mca) : 0;
    name = text_behind(name, prefix);
    while (at < settings->count && !text_same(settings->items[at].name, name))
        at++;
    if (at < settings->count)
        settings->items[at].value = value;
    else if (at < MOST_LOG_WORDS)
        *ARRAY_PUSH(reading->arena, settings) = (LogSetting){name, value};
}

void log_settings_add(LogReading *reading, LogSettings *settings, const LogSettings *more)
{
    for (size_t i = 0; i < more->count; i++)
        set(reading, settings, more->items[i].name, more->items[i].value);
}

void log_settings_take(LogReading *reading, LogSettings *settings, const LogLine *line)
{
    Text name, value;
    for (size_t at = 0; next_assignment(line->text, &at, &name, &value);) {
        const Text before =
            text_trim(text_slice(line->text, 0, (size_t)(name.chars - line->text.chars)));
        if (text_begins(name, mca) || text_ends(before, "mca") || setting_family(name))
            set(reading, settings, name, value);
    }
}

/* "export NAME=VALUE", "setenv NAME VALUE", "=== NAME=VALUE ===": nothing is run with it. */
static bool is_statement(const LogLine *line)
{
    int last = line->count - 1;
    for (int i = 0; i < line->count && i < 2; i++)
        if (text_equals(line->words[i], "export") || text_equals(line->words[i], "setenv"))
            return true;
    while (last > 0 && !isalnum((unsigned char)*line->words[last].chars))
        last--;
    return memchr(line->words[last].chars, '=', line->words[last].length) != NULL;
}

void log_settings_note(LogReading *reading, LogSettings *open, const LogLine *line)
{
    static const char by_nccl[] = " set by environment to ";
    const Text text = line->text;
    const char *found = memmem(text.chars, text.length, by_nccl, strlen(by_nccl));
    if (found) {
        size_t end = (size_t)(found - text.chars), from = end;
        while (from > 0 && text.chars[from - 1] != ' ')
            from--;
        const Text name = text_slice(text, from, end - from);
        end += strlen(by_nccl);
        if (text_equals(name, "NCCL_ALGO") || text_equals(name, "NCCL_PROTO"))
            set(reading, open ? open : &reading->launched.settings, name,
                strip(text_behind(text, end), " ."));
    } else if (text_ends(text, "\\")) /* the program follows */
        log_settings_take(reading, &reading->launched.settings, line);
    else if (is_statement(line))
        log_settings_take(reading, &reading->settings, line);
    else if (text_equals(line->words[0], "unset") && line->count > 1)
        set(reading, &reading->settings, line->words[1], (Text){.chars = ""});
}

/* Has it that value there? Of no characters: it is not set. */
static bool has_value(const LogSettings *settings, Text name, Text value)
{
    for (size_t i = 0; i < settings->count; i++)
        if (text_same(settings->items[i].name, name))
            return text_same(settings->items[i].value, value);
    return value.length == 0;
}

/* What does not is told where it is not as in the first table. */
static bool chooses(Text name)
{
    const SettingFamily *family = setting_family(name);
    return family && family->use != SETTING_OPTION;
}

const char *log_settings_name(const LogReading *reading, const LogSettings *settings,
                              const char *words, const Operation *of, const char **algorithm)
{
    const char *more = words ? words : "";
    bool is_dynamic = false;
    for (size_t i = 0; i < settings->count; i++)
        is_dynamic |= text_equals(settings->items[i].name, dynamic_rules) &&
                      settings->items[i].value.length &&
                      strchr("1tTyY", *settings->items[i].value.chars);
    for (size_t i = 0; i < settings->count; i++) {
        const Text name = settings->items[i].name, value = settings->items[i].value;
        const SettingFamily *family = setting_family(name);
        const Operation *operation = collective_of(family, name);
        const bool is_choice = operation && text_ends(name, family->after);
        bool is_one = value.length > 0; /* one algorithm, and not a list for sizes */
        for (size_t k = 0; k < value.length; k++)
            is_one &= isalnum((unsigned char)value.chars[k]) || value.chars[k] == '_';
        const bool is_none = is_choice && (text_equals(value, "0") || text_like(value, "auto") ||
                                           text_like(value, "ignore"));
        if (!value.length || is_none ||
            (!chooses(name) && has_value(&reading->usual, name, value)) ||
            text_equals(name, dynamic_rules) ||
            (operation &&
             (strcmp(operation->name, of->name) || operation->is_block != of->is_block)))
            continue;
        if (is_choice && !of->is_block && is_one && strcmp(*algorithm, DEFAULT_ALGORITHM) == 0 &&
            (is_dynamic || strcmp(family->library, "open-mpi") != 0))
            *algorithm = arena_printf(reading->arena, "%s:%.*s", family->library, TEXT_ARGS(value));
        else
            more = log_join(reading, more, "%s=%s", log_clean(reading, name),
                            log_clean(reading, value));
    }
    for (size_t i = 0; i < reading->usual.count; i++) {
        const Text name = reading->usual.items[i].name;
        if (!chooses(name) && reading->usual.items[i].value.length &&
            has_value(settings, name, (Text){.chars = ""}))
            more = log_join(reading, more, "no %s", log_clean(reading, name));
    }
    return more;
}
