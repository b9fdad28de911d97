/* Logs of NCCL's Inspector: objects of JSON, one after the other, {"header": {"n_ranks": 8,
   "nnodes": 1}, "coll_perf":
   {"coll": "AllReduce", "coll_msg_size_bytes": 1024, "coll_exec_time_us": 61, "coll_algobw_gbs":
   ...}}. Newer ones say the ranks in a marker before many objects. Each rank writes what it
   measured itself. */
#include "base/limits.h"
#include "base/watch.h"
#include "exchange/json_tree.h"
#include "exchange/reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool read_number(LogReading *reading, const JsonValue *object, const char *key,
                        double *number)
{
    Text text = json_tree_text(object, key);
    if (!text.length)
        return diag_error(reading->diag, object->text.span, "this object has no %s", key);
    return log_positive(reading, text, number);
}

/* The size is that of a block or of the buffer, whichever gives the rates of the row. */
static bool find_size(LogReading *reading, const JsonValue *object, const Operation *operation,
                      Measurement *row)
{
    double rate, bus;
    if (!read_number(reading, object, "coll_algobw_gbs", &rate) ||
        !read_number(reading, object, "coll_busbw_gbs", &bus))
        return false;
    double ratio = rate * 1e9 * row->seconds / row->logged_bytes;
    bool is_block = operation->is_per_rank && fabs(ratio - (double)row->p) < 0.01 * (double)row->p;
    if ((fabs(ratio - 1) < 0.01 || is_block) &&
        fabs(bus - rate * log_bus_factor(operation, row->p)) <= 1e-5 + 0.001 * bus) {
        row->bytes = is_block || !operation->is_per_rank ? row->logged_bytes
                                                         : row->logged_bytes / (double)row->p;
        return true;
    }
    return diag_error(reading->diag, json_tree_text(object, "coll_algobw_gbs").span,
                      "this row contradicts itself: its size, its time and its rates do not agree");
}

static bool read_object(LogReading *reading, const JsonValue *object, int64_t *ranks,
                        int64_t *nodes)
{
    double us;
    Measurement row = {.library = "nccl",
                       .system = "",
                       .algorithm = DEFAULT_ALGORITHM,
                       .repeats = 1,
                       .finish = FINISH_MEAN};
    if (json_tree_find(object, "n_ranks")) {
        *nodes = 0;
        if (!log_whole(reading, json_tree_text(object, "n_ranks"), ranks) ||
            (json_tree_find(object, "nnodes") &&
             !log_whole(reading, json_tree_text(object, "nnodes"), nodes)))
            return false;
    }
    if (!json_tree_find(object, "coll_perf"))
        return !json_tree_find(object, "coll_exec_time_us") ||
               diag_error(reading->diag, object->text.span, "this time is not in 'coll_perf'");
    Text name = json_tree_text(object, "coll");
    const Operation *operation = operation_find(name);
    if (!name.length)
        return diag_error(reading->diag, object->text.span, "this object has no coll");
    if (!operation) {
        log_pass_over(reading, name, name.span);
        return true;
    }
    row.collective = operation->name;
    row.place = json_tree_text(object, "coll_exec_time_us").span;
    const Text algorithm = json_tree_text(object, "coll_algo"),
               protocol = json_tree_text(object, "coll_proto");
    row.ran = algorithm.length && protocol.length && !text_equals(algorithm, "unknown")
                  ? nccl_name(reading->arena, algorithm, protocol)
                  : "";
    row.p = log_ranks(reading, *ranks, object->text.span, operation->name);
    row.ranks_per_node = *nodes > 0 && *ranks % *nodes == 0 ? *ranks / *nodes : 0;
    if (row.p == 0 || !read_number(reading, object, "coll_msg_size_bytes", &row.logged_bytes) ||
        !read_number(reading, object, "coll_exec_time_us", &us))
        return false;
    row.seconds = us / 1e6;
    return find_size(reading, object, operation, &row) && log_add(reading, &row);
}

LineFate inspector_read(LogReading *reading)
{
    const Source *source = reading->source;
    const size_t length = source->length;
    int64_t ranks = 0, nodes = 0;
    size_t at = source_mark(source);
    bool is_first = true;
    for (;; is_first = false) {
        watch_step(reading->arena, "bytes of a log", (int64_t)at, (int64_t)length);
        while (at < length && isspace((unsigned char)source->text[at]))
            at++;
        if (is_first &&
            !(at < length && source->text[at] == '{' && strstr(source->text, "\"coll_perf\"")))
            return LINE_FOREIGN;
        if (at == length)
            return LINE_TAKEN;
        JsonFault fault;
        const JsonValue *object = json_tree_parse(
            reading->arena, source, (JsonDialect){.depth = LIMIT_DEPTH, .from = &at}, &fault);
        if (!object)
            return WRONG_LINE(reading->diag, fault.span, "%s", fault.text);
        if (!read_object(reading, object, &ranks, &nodes))
            return LINE_WRONG;
    }
}
