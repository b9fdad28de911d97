#include "exchange/measurement.h"

#include "base/quantity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const FinishInfo finish_info[FINISH_COUNT] = {
#define FINISH(id, name, words) {name, words},
#include "exchange/finish.def"
};

enum { ONE = 0, PER_RANK = 1 };
#define BLOCK false, false
#define BUFFER true, false
#define OF_BLOCKS true, true

static const Operation operations[] = {
#define OPERATION(spelling, name, blocks, size) {spelling, name, blocks, size},
#include "exchange/operations.def"
};

const Operation *operation_find(Text name)
{
    static const char *const prefixes[] = {"MPI_", "nccl", "osu_"};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        const size_t length = strlen(prefixes[i]);
        if (text_begins(name, prefixes[i]))
            name = text_behind(name, length);
    }
    for (size_t n = 0; n < COUNT_OF(operations); n++) {
        const char *spelling = operations[n].spelling;
        bool is_same = true;
        for (size_t i = 0; i < name.length && is_same; i++) {
            const char sign = name.chars[i];
            const bool is_letter = (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
            if (is_letter || (sign >= '0' && sign <= '9'))
                is_same = *spelling++ == (is_letter ? (char)(sign | 0x20) : sign);
        }
        if (is_same && *spelling == '\0')
            return &operations[n];
    }
    return NULL;
}

const Operation *operation_in_name(Arena *arena, Text name)
{
    static const char *const names[] = {"allreduce", "allgather", "reducescatter", "alltoall",
                                        "broadcast", "sendrecv",  "bcast",         "reduce",
                                        "scatter",   "gather"};
    char *plain = text_string(arena, name), *to = plain;
    const Operation *found = NULL;
    for (const char *at = plain; *at; at++)
        if (isalnum((unsigned char)*at))
            *to++ = (char)tolower((unsigned char)*at);
    *to = '\0';
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (char *at; (at = strstr(plain, names[i]));) {
            const Operation *operation = operation_find(text_plain(names[i]));
            if (found && strcmp(found->name, operation->name) != 0)
                return NULL;
            found = operation;
            memset(at, ' ', strlen(names[i]));
        }
    return found;
}

bool operation_can_be_empty(const char *name)
{
    static const char *const names[] = {"barrier", "point-to-point", "ping-ping", "sendrecv",
                                        "exchange"};
    return text_among(text_plain(name), names, COUNT_OF(names)) < COUNT_OF(names);
}

size_t measurement_name_length(const Measurement *row)
{
    const char *more = strstr(row->algorithm, " (");
    return more ? (size_t)(more - row->algorithm) : strlen(row->algorithm);
}

bool measurement_is_default(const Measurement *row)
{
    size_t length = strlen(DEFAULT_ALGORITHM);
    return strncmp(row->algorithm, DEFAULT_ALGORITHM, length) == 0 &&
           strchr("_- ", row->algorithm[length]); /* also its end */
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

int measurement_compare_places(const Measurement *a, const Measurement *b)
{
    int order = strcmp(a->collective, b->collective);
    order = order ? order : strcmp(a->system, b->system);
    order = order ? order : by_number((double)a->p, (double)b->p);
    return order ? order : by_number((double)a->ranks_per_node, (double)b->ranks_per_node);
}

int measurement_compare_alternatives(const Measurement *a, const Measurement *b)
{
    int order = measurement_compare_places(a, b);
    order = order ? order : (int)a->finish - (int)b->finish;
    return order ? order : by_number(a->bytes, b->bytes);
}

bool measurement_is_same_subject(const Measurement *a, const Measurement *b)
{
    return measurement_compare_places(a, b) == 0 && strcmp(a->algorithm, b->algorithm) == 0;
}

/* Of rows for the same operation at the same size: 0. */
static int compare_subjects(const Measurement *a, const Measurement *b)
{
    int order = measurement_compare_places(a, b);
    order = order ? order : strcmp(a->algorithm, b->algorithm);
    order = order ? order : (int)a->finish - (int)b->finish;
    order = order ? order : by_number(a->bytes, b->bytes);
    return order ? order : strcmp(a->ran, b->ran);
}

static int compare_rows(const void *first, const void *second)
{
    const Measurement *a = first, *b = second;
    int order = compare_subjects(a, b);
    return order ? order : by_number(a->seconds, b->seconds);
}

bool measurements_merge(Arena *arena, MeasurementArray *rows, Diag *diag)
{
    static const double largest_spread = 1000; /* what differs by more is no repeat */
    MeasurementArray merged = {0};
    bool is_told = false;
    if (rows->count)
        qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count; to++)
            if (compare_subjects(&rows->items[from], &rows->items[to]) != 0)
                break;
        const Measurement *least = &rows->items[from], *most = &rows->items[to - 1];
        if (most->seconds > largest_spread * least->seconds) {
            diag_error(
                diag, most->place,
                "%s of %s takes %s here and %s elsewhere: these cannot be the same pairs, or nodes",
                most->collective, quantity_show_bytes(arena, most->bytes),
                quantity_show_time(arena, most->seconds),
                quantity_show_time(arena, least->seconds));
            return diag_note(diag, least->place, "the shorter time is here");
        }
        /* Their times rise: the middle one, or the mean of two. */
        const size_t count = to - from;
        Measurement *row = ARRAY_PUSH(arena, &merged);
        *row = *least;
        row->seconds = (least[(count - 1) / 2].seconds + least[count / 2].seconds) / 2;
        row->repeats = 0;
        for (const Measurement *one = least; one <= most; one++) {
            row->repeats += one->repeats;
            if (!is_told && one->above.length && least->above.length &&
                one->place.source == least->place.source && !text_same(one->above, least->above)) {
                is_told = true;
                diag_warning(diag, one->place,
                             "this counts as a repeat, but other lines stand above the tables: "
                             "'%.*s' and '%.*s'",
                             TEXT_ARGS(least->above), TEXT_ARGS(one->above));
            }
            if (one->place.source == row->place.source && one->place.offset < row->place.offset)
                row->place = one->place;
        }
    }
    *rows = merged;
    return true;
}
