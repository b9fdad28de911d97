/* Logs of NCCL's Inspector: objects of JSON, one after the other, {"header": {"n_ranks": 8,
   "nnodes": 1}, "coll_perf":
   {"coll": "AllReduce", "coll_msg_size_bytes": 1024, "coll_exec_time_us": 61, "coll_algobw_gbs":
   ...}}. Newer ones say the ranks in a marker before many objects. Each rank writes what it
   measured itself. */
#include "base/watch.h"
#include "exchange/reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Where the object ends that begins at `from`; `end`: nowhere. */
static size_t find_end(const Source *source, size_t from)
{
    int depth = 0;
    bool is_string = false;
    for (size_t i = from; i < source->length; i++) {
        char sign = source->text[i];
        if (is_string) {
            i += sign == '\\';
            is_string = sign != '"';
        } else if (sign == '"') {
            is_string = true;
        } else if (sign == '{') {
            depth++;
        } else if (sign == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return source->length + 1;
}

/* The value of a key that is there once, a string without its quotes; empty: it is not there. */
static Text value_of(Text object, const char *key)
{
    const char *at = memmem(object.chars, object.length, key, strlen(key));
    if (!at)
        return (Text){0};
    size_t from = (size_t)(at - object.chars) + strlen(key);
    while (from < object.length &&
           (isspace((unsigned char)object.chars[from]) || object.chars[from] == ':'))
        from++;
    bool is_string = from < object.length && object.chars[from] == '"';
    size_t end = from += is_string;
    while (end < object.length && !strchr(is_string ? "\"" : ",} \t\r\n", object.chars[end]))
        end++;
    return text_slice(object, from, end - from);
}

static bool read_number(LogReading *reading, Text object, const char *key, double *number)
{
    Text text = value_of(object, key);
    if (!text.length)
        return diag_error(reading->diag, text_span(object, 0, 1), "this object has no %s", key);
    return log_positive(reading, text, number);
}

static const char *name_choice(LogReading *reading, Text object)
{
    Text algorithm = value_of(object, "\"coll_algo\""),
         protocol = value_of(object, "\"coll_proto\"");
    if (!algorithm.length || !protocol.length || text_equals(algorithm, "unknown"))
        return "";
    char *name =
        arena_printf(reading->arena, "%.*s_%.*s", TEXT_ARGS(algorithm), TEXT_ARGS(protocol));
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

/* The size is that of a block or of the buffer, whichever gives the rates of the row. */
static bool find_size(LogReading *reading, Text object, const Operation *operation,
                      Measurement *row)
{
    double rate, bus;
    Text text = value_of(object, "\"coll_algobw_gbs\"");
    if (!read_number(reading, object, "\"coll_algobw_gbs\"", &rate) ||
        !read_number(reading, object, "\"coll_busbw_gbs\"", &bus))
        return false;
    double ratio = rate * 1e9 * row->seconds / row->logged_bytes;
    bool is_block = operation->is_per_rank && fabs(ratio - (double)row->p) < 0.01 * (double)row->p;
    if ((fabs(ratio - 1) < 0.01 || is_block) &&
        fabs(bus - rate * log_bus_factor(operation, row->p)) <= 1e-5 + 0.001 * bus) {
        row->bytes = is_block || !operation->is_per_rank ? row->logged_bytes
                                                         : row->logged_bytes / (double)row->p;
        return true;
    }
    return diag_error(reading->diag, text.span,
                      "this row contradicts itself: its size, its time and its rates do not agree");
}

static bool read_object(LogReading *reading, Text object, double *ranks, double *nodes)
{
    double us;
    Measurement row = {.library = "nccl",
                       .system = "",
                       .algorithm = DEFAULT_ALGORITHM,
                       .repeats = 1,
                       .finish = FINISH_MEAN};
    if (value_of(object, "\"n_ranks\"").length) {
        *nodes = 0;
        if (!read_number(reading, object, "\"n_ranks\"", ranks) ||
            (value_of(object, "\"nnodes\"").length &&
             !read_number(reading, object, "\"nnodes\"", nodes)))
            return false;
    }
    if (!value_of(object, "\"coll_perf\"").length)
        return true;
    Text name = value_of(object, "\"coll\""), time = value_of(object, "\"coll_exec_time_us\"");
    const Operation *operation = operation_find(name);
    if (!operation) {
        reading->unread = arena_copy(reading->arena, name.chars, name.length);
        return true;
    }
    row.collective = operation->name;
    row.place = time.span;
    row.ran = name_choice(reading, object);
    row.p = log_ranks(reading, (int64_t)*ranks, text_span(object, 0, 1), operation->name);
    row.ranks_per_node = *nodes > 0 && fmod(*ranks, *nodes) == 0 ? (int64_t)(*ranks / *nodes) : 0;
    if (row.p == 0 || !read_number(reading, object, "\"coll_msg_size_bytes\"", &row.logged_bytes) ||
        !read_number(reading, object, "\"coll_exec_time_us\"", &us))
        return false;
    row.seconds = us / 1e6;
    return find_size(reading, object, operation, &row) && log_add(reading, &row);
}

LineFate inspector_read(LogReading *reading)
{
    const Source *source = reading->source;
    const size_t length = source->length;
    double ranks = 0, nodes = 0;
    bool is_first = true;
    for (size_t at = source_mark(source), end;; at = end, is_first = false) {
        watch_step(reading->arena, "bytes of a log", (int64_t)at, (int64_t)length);
        while (at < length && isspace((unsigned char)source->text[at]))
            at++;
        bool is_object = at < length && source->text[at] == '{';
        if (is_first && !(is_object && strstr(source->text, "\"coll_perf\"")))
            return LINE_FOREIGN;
        if (at == length)
            return LINE_TAKEN;
        end = is_object ? find_end(source, at) : length + 1;
        if (end > length) {
            diag_error(reading->diag, (Span){source, at, 1},
                       "expected an object of JSON that ends");
            return LINE_WRONG;
        }
        Text object = {source->text + at, end - at, {source, at, end - at}, true};
        if (!read_object(reading, object, &ranks, &nodes))
            return LINE_WRONG;
    }
}
