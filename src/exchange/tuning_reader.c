#include "exchange/tuning_reader.h"

#include "base/whole.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool tuning_fault(TuningReader *in, TuningEffect effect, const char *sentence, Span span, ...)
{
    TuningFile *file = in->file;
    const TuningFindings *found = &file->findings;
    size_t same = found->count;
    va_list arguments;
    va_start(arguments, span);
    while (same > 0 && found->items[same - 1].kind != sentence)
        same--;
    *ARRAY_PUSH(in->arena, &file->findings) =
        (TuningFinding){effect,       span,     arena_vprintf(in->arena, sentence, arguments),
                        found->count, sentence, same ? found->items[same - 1].before + 1 : 0};
    va_end(arguments);
    file->is_dropped |= effect == TUNING_DROPPED;
    file->is_fatal |= effect == TUNING_FATAL;
    return false;
}

void tuning_empty(TuningRule *rule)
{
    rule->below_size = rule->from_size;
}

static bool is_empty(const TuningRule *rule)
{
    return rule->from_ranks >= rule->below_ranks || rule->from_size >= rule->below_size ||
           (rule->nodes.below && rule->nodes.from >= rule->nodes.below) ||
           (rule->devices.below && rule->devices.from >= rule->devices.below);
}

bool tuning_is_reached(TuningReader *in, const TuningRule *rule, Span place, size_t first,
                       int64_t algorithm)
{
    const TuningRules *rules = &in->file->rules;
    if (is_empty(rule))
        return tuning_fault(in, FAULT(EMPTY), place);
    for (size_t i = first; i < rules->count && i < first + MOST_COMPARED; i++) {
        const TuningRule *one = &rules->items[i];
        if (one->collective == rule->collective && (!algorithm || one->algorithm == algorithm) &&
            !is_empty(one) && one->from_size <= rule->from_size &&
            one->below_size >= rule->below_size && one->from_ranks <= rule->from_ranks &&
            one->below_ranks >= rule->below_ranks && tuning_is_within(rule->nodes, one->nodes) &&
            tuning_is_within(rule->devices, one->devices)) {
            const Position at = source_position(one->span.source, one->span.offset);
            return tuning_fault(in, FAULT(SHADOWED), place, at.line, at.column);
        }
    }
    return true;
}

bool tuning_overlap(const TuningRule *a, const TuningRule *b)
{
    return a->collective == b->collective && a->from_size < b->below_size &&
           b->from_size < a->below_size && a->from_ranks < b->below_ranks &&
           b->from_ranks < a->below_ranks;
}

Text whole_of(const Source *source)
{
    return (Text){source->text, source->length, {source, 0, source->length}, true};
}

bool next_part(Text *rest, char delimiter, Text *part)
{
    while (text_next(rest, delimiter, part))
        if (part->length)
            return true;
    return false;
}

bool next_line(Text *rest, Text *line)
{
    while (next_part(rest, '\n', line)) {
        *line = strip(*line, " \t\r");
        if (line->length)
            return true;
    }
    return false;
}

bool is_number(Text text, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < text.length; i++) {
        const int c = (unsigned char)text.chars[i];
        if (!isdigit(c))
            return false;
        *value = whole_append_digit(*value, c - '0');
    }
    return true;
}

bool take_span(Text text, const char *endless, int64_t *from, int64_t *below)
{
    Text ends[3];
    size_t count = 0;
    while (count < 3 && next_part(&text, '-', &ends[count]))
        count++;
    if (count < 1 || count > 2 || !is_number(ends[0], from))
        return false;
    *below = *from;
    if (count == 2 && text_like(ends[1], endless))
        *below = INT64_MAX;
    else if (count == 2 && !is_number(ends[1], below))
        return false;
    *below += *below < INT64_MAX;
    return true;
}

Text strip(Text text, const char *set)
{
    size_t start = 0, end = text.length;
    while (start < end && text.chars[start] && strchr(set, text.chars[start]))
        start++;
    while (start < end && text.chars[end - 1] && strchr(set, text.chars[end - 1]))
        end--;
    return text_slice(text, start, end - start);
}

/* Where the characters of a set end, or those that are not in it. */
static size_t step_over(Text line, size_t at, const char *set, bool is_in)
{
    while (at < line.length && (strchr(set, line.chars[at]) != NULL) == is_in)
        at++;
    return at;
}

/* Of a list for Kubernetes, "- name: X" and behind or below it "value: Y", which is X=Y. */
static void join_pair(Text line, size_t at, Text *name, Text *value)
{
    const Text whole = whole_of(line.span.source);
    const size_t end = line.span.offset + line.length;
    Text next, key, what, rest = text_behind(whole, end);
    size_t within = at;
    if (!text_like(*name, "name") || end > whole.length) /* a line that was made up */
        return;
    if (!next_assignment(line, &within, &key, &what)) {
        within = 0;
        if (!next_line(&rest, &next) || !next_assignment(next, &within, &key, &what))
            return;
    }
    if (text_like(key, "value")) {
        *name = *value;
        *value = what;
    }
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "abcdefghijklmnopqrstuvwxyz_0123456789";

/* Where a value of "--export=ALL,A=1,B=2" ends, before the next name. */
static size_t end_of_item(Text line, size_t from, size_t end)
{
    for (size_t at = from; at + 1 < end; at++) {
        if (line.chars[at] != ',' || !isupper((unsigned char)line.chars[at + 1]))
            continue;
        const size_t next = step_over(line, at + 1, letters, true);
        if (next < end && line.chars[next] == '=')
            return at;
    }
    return end;
}

bool next_assignment(Text line, size_t *at, Text *name, Text *value)
{
    static const char between[] = " \t;,\"'`([{";
    static const char *const pairs[] = {"setenv",    "-genv",  "-env",
                                        "ENV",       "-mca",   "--mca",
                                        "--gmca",    "-gx",    "os.environ.setdefault",
                                        "os.putenv", "pushenv"};
    const char *chars = line.chars;
    bool takes_two = false; /* setenv NAME VALUE */
    for (size_t start = step_over(line, *at, between, true), end;
         start < line.length && chars[start] != '#'; start = step_over(line, end, between, true)) {
        if (text_begins(text_behind(line, start), "$env:"))
            start += strlen("$env:");
        end = step_over(line, start, letters, true);
        const size_t sign = step_over(line, end, " \t,\"'])", true);
        const bool is_set = sign < line.length && (chars[sign] == '=' || chars[sign] == ':' ||
                                                   text_begins(text_behind(line, sign), "?="));
        size_t first = step_over(line, sign + is_set, " \t=", true);
        *name = text_slice(line, start, end - start);
        if (is_set &&
            (text_like(*name, "env") || text_like(*name, "environment"))) { /* env=NAME=VALUE */
            end = first;
            continue;
        }
        if (end > start && (is_set || (takes_two && sign > end))) {
            first -= !is_set && strchr("\"'", chars[first - 1]) != NULL;
            const char quote = first < line.length ? chars[first] : 0;
            const bool is_quoted = quote == '"' || quote == '\'';
            const char *ends = !is_quoted     ? quote == '`' ? " \t" : " \t\"'`"
                               : quote == '"' ? "\""
                                              : "'";
            *at = step_over(line, first + is_quoted, ends, false);
            if (!is_quoted)
                *at = end_of_item(line, first, *at);
            *value = text_slice(line, first + is_quoted, *at - first - is_quoted);
            /* settings of a variable that is for others: OPTIONS="--mca NAME VALUE" */
            if (is_quoted && memchr(value->chars, ' ', value->length))
                *at = first + 1;
            *value = strip(*value, "),}");
            join_pair(line, *at, name, value);
            return true;
        }
        end = step_over(line, start, between, false);
        *name = text_slice(line, start, end - start);
        takes_two = text_among(*name, pairs, COUNT_OF(pairs)) < COUNT_OF(pairs);
    }
    return false;
}

const SettingFamily *setting_family(Text name)
{
    static const SettingFamily families[] = {
#define SETTING(start, library, after, use) {start, library, after, SETTING_##use},
#include "exchange/settings.def"
    };
    for (size_t i = 0; i < COUNT_OF(families); i++)
        if (text_begins(name, families[i].start))
            return &families[i];
    return NULL;
}

int tuned_collective(const TunedCollective *collectives, int count, Text name)
{
    int found = 0;
    while (found < count && !text_equals(name, collectives[found].name))
        found++;
    return found;
}

const LibraryAlgorithm *tuned_next(const TuningReader *in, int collective, size_t *at)
{
    const TunedCollective *tuned = &in->format->collectives[collective];
    const LibraryAlgorithm *one;
    while (*tuned->collective && (one = implementation_next_for(in->library, in->version,
                                                                tuned->collective, BLOCKS_ANY, at)))
        if (strcmp(one->variant, tuned->variant) == 0)
            return one;
    return NULL;
}

const LibraryAlgorithm *tuned_named(const TuningReader *in, int collective, Text name)
{
    const LibraryAlgorithm *one;
    size_t at = 0;
    while ((one = tuned_next(in, collective, &at)) && !text_equals(name, one->name))
        ;
    return one;
}

const LibraryAlgorithm *tuned_numbered(const TuningReader *in, int collective, int64_t number)
{
    const LibraryAlgorithm *one;
    size_t at = 0;
    while ((one = tuned_next(in, collective, &at)) && one->number != number)
        ;
    return one;
}
