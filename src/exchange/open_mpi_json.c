#include "exchange/json_tree.h"
#include "exchange/open_mpi.h"

#include "base/limits.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Implementation *library;
    const char *version;
    TuningFile *file;
    int collective;
} Reader;

/* Keys that nothing reads. */
static void check_keys(Reader *reader, const JsonValue *object, const char *const *keys,
                       size_t count)
{
    for (size_t i = 0; i < object->count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < count; k++)
            is_known |= text_equals(object->keys[i]->text, keys[k]);
        if (!is_known)
            FAULT(IGNORED, object->keys[i]->text.span, "nothing reads this key");
    }
}

/* A whole number, or -1 for "inf"; `missing` where there is none. False: the file is dropped. */
static bool read_number(Reader *reader, const JsonValue *object, const char *key, int64_t missing,
                        int64_t *number)
{
    const JsonValue *value = json_tree_get(object, key);
    *number = missing;
    if (!value)
        return true;
    const Text text = value->text;
    char *end = NULL;
    const char *chars = arena_printf(reader->arena, "%.*s", (int)text.length, text.chars);
    if (value->kind == JSON_NUMBER)
        *number = strtoll(chars, &end, 10);
    else if (value->kind == JSON_STRING &&
             (strncmp(chars, "inf", 3) == 0 || strncmp(chars, "Inf", 3) == 0 ||
              strncmp(chars, "INF", 3) == 0))
        *number = -1;
    else
        end = (char *)chars;
    if (!end || (!*end && *chars))
        return true;
    FAULT(DROPPED, text.span, "%s is a whole number, or \"inf\": the file is dropped as a whole",
          key);
    return false;
}

/* The number of an algorithm by its name or number; negative: there is no such one. */
static int64_t read_algorithm(Reader *reader, const JsonValue *value)
{
    const TunedCollective *tuned = &tuned_collectives[reader->collective];
    const int most = open_mpi_most_algorithms(reader->version, reader->collective);
    if (value->kind == JSON_NUMBER) {
        const int64_t number =
            strtoll(arena_printf(reader->arena, "%.*s", (int)value->text.length, value->text.chars),
                    NULL, 10);
        return number >= 0 && number <= most ? number : -1;
    }
    if (text_equals(value->text, "ignore"))
        return 0;
    for (size_t i = 0; i < reader->library->algorithm_count; i++) {
        const LibraryAlgorithm *one = &reader->library->algorithms[i];
        const bool is_its = *tuned->collective ? text_equals(one->collective, tuned->collective) &&
                                                     strcmp(one->variant, tuned->variant) == 0
                                               : strcmp(one->variant, tuned->name) == 0;
        if (is_its && text_equals(value->text, one->name) && one->number > 0 &&
            implementation_has(one->versions, one->version_count, reader->version))
            return one->number;
    }
    return -1;
}

/* One rule by size, for the ranks of `rule`; those of its entry begin with number `first`. False:
   the file is dropped. */
static bool read_rule(Reader *reader, const JsonValue *object, size_t first, TuningRule rule)
{
    static const char *const keys[] = {"msg_size_min", "msg_size_max", "alg",
                                       "faninout",     "seg_size",     "reqs"};
    int64_t largest, requests;
    rule.span = (Span){object->text.span.source, object->text.span.offset, 1};
    if (!read_number(reader, object, "msg_size_min", 0, &rule.from_size) ||
        !read_number(reader, object, "msg_size_max", -1, &largest) ||
        !read_number(reader, object, "faninout", 0, &rule.fanout) ||
        !read_number(reader, object, "seg_size", 0, &rule.segment) ||
        !read_number(reader, object, "reqs", 0, &requests))
        return false;
    check_keys(reader, object, keys, sizeof keys / sizeof *keys);
    const JsonValue *algorithm = json_tree_get(object, "alg");
    rule.below_size = largest < 0 || largest == INT64_MAX ? INT64_MAX : largest + 1;
    if (!algorithm) {
        FAULT(REPLACED, rule.span, "without \"alg\" the library chooses by itself");
    } else {
        rule.span = algorithm->text.span;
        rule.algorithm = read_algorithm(reader, algorithm);
    }
    if (rule.algorithm < 0) {
        FAULT(IGNORED, rule.span, "%s has no such algorithm in version %s: the rule is left out",
              tuned_collectives[rule.collective].name, reader->version);
        rule.algorithm = 0;
        rule.below_size = rule.from_size;
    } else if (rule.from_size < 0 || rule.from_size >= rule.below_size) {
        FAULT(DEAD, rule.span, "the least size is above the largest one");
        rule.below_size = rule.from_size;
    } else if (tuning_shadow(&reader->file->rules, first, 0, &rule)) {
        FAULT(DEAD, rule.span, "a rule before is for all these sizes");
        rule.below_size = rule.from_size;
    } else if (rule.from_size > 0 || (rule.below_size < INT64_MAX &&
                                      tuned_collectives[rule.collective].measure != MEASURE_NONE)) {
        open_mpi_check_size(reader->arena, reader->file, &rule);
    }
    rule.runs =
        open_mpi_algorithm(reader->library, reader->version, rule.collective, rule.algorithm);
    open_mpi_check(reader->arena, reader->file, reader->version, &rule);
    *ARRAY_PUSH(reader->arena, &reader->file->rules) = rule;
    return true;
}

/* Where the ranks have to be. */
static void read_distribution(Reader *reader, const JsonValue *object, TuningRule *rule)
{
    static const TuningRange one = {1, 2};
    const JsonValue *value = json_tree_get(object, "comm_rank_distribution");
    if (!value || text_equals(value->text, "any"))
        return;
    if (text_equals(value->text, "single-node"))
        rule->nodes = one;
    else if (text_equals(value->text, "one-per-node"))
        rule->devices = one;
    else
        FAULT(IGNORED, value->text.span,
              "there are any, one-per-node and single-node: this is read as any");
}

/* The rules for some communicators. The first entry that fits counts alone: where none of its rules
   does, the library chooses by itself. False: the file is dropped. */
static bool read_entry(Reader *reader, const JsonValue *object, size_t first)
{
    static const char *const keys[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution",
                                       "rules"};
    int64_t largest;
    const Span span = {object->text.span.source, object->text.span.offset, 1};
    TuningRule rule = {.collective = reader->collective, .below_size = INT64_MAX, .span = span};
    if (object->kind != JSON_OBJECT) {
        FAULT(DROPPED, span, "communicators are described by objects: the file is dropped");
        return false;
    }
    if (!read_number(reader, object, "comm_size_min", 0, &rule.from_ranks) ||
        !read_number(reader, object, "comm_size_max", INT_MAX, &largest))
        return false;
    read_distribution(reader, object, &rule);
    check_keys(reader, object, keys, sizeof keys / sizeof *keys);
    const JsonValue *rules = json_tree_get(object, "rules");
    if (!rules || (rules->kind != JSON_ARRAY && rules->kind != JSON_OBJECT)) {
        FAULT(DROPPED, span, "\"rules\" has to be there, a list: the file is dropped as a whole");
        return false;
    }
    rule.below_ranks = largest == INT_MAX ? INT64_MAX : largest + 1;
    if (largest < 0)
        FAULT(DEAD, json_tree_get(object, "comm_size_max")->text.span,
              "this is read as -1 ranks: no call gets here; leave the key out");
    else if (rule.from_ranks >= rule.below_ranks)
        FAULT(DEAD, span, "the least number of ranks is above the largest one");
    else if (tuning_shadow(&reader->file->rules, first, 0, &rule))
        FAULT(DEAD, span, "an entry before is for all these ranks");
    const size_t own = reader->file->rules.count;
    for (size_t i = 0; i < rules->count; i++) {
        if (rules->values[i]->kind != JSON_OBJECT) {
            FAULT(REPLACED, rules->values[i]->text.span,
                  "this is no rule: the library chooses by itself");
            continue;
        }
        if (!read_rule(reader, rules->values[i], own, rule))
            return false;
    }
    rule.is_rest = true;
    *ARRAY_PUSH(reader->arena, &reader->file->rules) = rule;
    return true;
}

/* False: the file is dropped, or the job ends. */
static bool read_collective(Reader *reader, const JsonValue *key, const JsonValue *entries,
                            bool is_first)
{
    int id = 0;
    while (id < TUNED_COUNT && !text_equals(key->text, tuned_collectives[id].name))
        id++;
    if (id == TUNED_COUNT) {
        reader->file->is_fatal = !is_first;
        tuning_find_fault(reader->arena, reader->file, is_first ? TUNING_DROPPED : TUNING_ABORTS,
                          key->text.span,
                          "this is no collective: they are named as MPI names them, such as "
                          "reduce_scatter and allgatherv: %s",
                          is_first ? "the file is dropped as a whole" : "MPI_Init crashes");
        return false;
    }
    if (entries->kind != JSON_ARRAY) {
        FAULT(DROPPED, key->text.span, "a collective has a list: the file is dropped as a whole");
        return false;
    }
    reader->collective = id;
    if (open_mpi_most_algorithms(reader->version, id) < 0)
        FAULT(IGNORED, key->text.span,
              "coll/tuned does not choose for %s: these rules have no effect",
              tuned_collectives[id].name);
    const size_t first = reader->file->rules.count;
    for (size_t i = 0; i < entries->count; i++)
        if (!read_entry(reader, entries->values[i], first))
            return false;
    return true;
}

/* Files in JSON, which 6.0 reads beside the older format: tuned_dynamic_file_schema.json says what
   they are, coll_tuned_dynamic_file.c how they are read. */
static TuningFile read_json(Arena *arena, const Source *source, const Implementation *library,
                            const char *version)
{
    TuningFile file = {0};
    Reader state = {.arena = arena, .library = library, .version = version, .file = &file},
           *reader = &state;
    size_t start = 0;
    while (start < source->length && strchr(" \t\r\n", source->text[start]))
        start++;
    if (start == source->length || source->text[start] != '{')
        return tuning_read_open_mpi(arena, source, library, version);
    JsonFault fault;
    const JsonValue *root =
        json_tree_parse(arena, source, (JsonDialect){.depth = LIMIT_DEPTH}, &fault);
    const JsonValue *collectives = root ? json_tree_get(root, "collectives") : NULL;
    if (!root)
        FAULT(DROPPED, fault.span,
              "%s: this is no JSON, and is read as the older format and dropped", fault.text);
    else if (!collectives || collectives->kind != JSON_OBJECT)
        FAULT(DROPPED, ((Span){source, start, 1}),
              "\"collectives\" has to be there, an object: the file is dropped as a whole");
    for (size_t i = 0; collectives && collectives->kind == JSON_OBJECT && i < collectives->count;
         i++)
        if (!read_collective(reader, collectives->keys[i], collectives->values[i], i == 0))
            break;
    tuning_sort(&file);
    return file;
}

static bool names_any(const TuningRule *rules, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= rules[i].runs != NULL;
    return any;
}

static void write_entry(Buffer *text, const TuningRule *rules, size_t count)
{
    const char *comma = "";
    buffer_printf(text, "      {\"comm_size_min\": %" PRId64, rules->from_ranks);
    if (rules->below_ranks != INT64_MAX)
        buffer_printf(text, ", \"comm_size_max\": %" PRId64, rules->below_ranks - 1);
    buffer_printf(text, ", \"rules\": [");
    for (size_t i = 0; i < count; i++) {
        const TuningRule *rule = &rules[i];
        if (!rule->runs)
            continue;
        buffer_printf(text, "%s\n        {\"msg_size_min\": %" PRId64, comma, rule->from_size);
        if (rule->below_size != INT64_MAX)
            buffer_printf(text, ", \"msg_size_max\": %" PRId64, rule->below_size - 1);
        buffer_printf(text, ", \"alg\": \"%s\"", rule->runs->name);
        if (rule->fanout)
            buffer_printf(text, ", \"faninout\": %" PRId64, rule->fanout);
        if (rule->segment)
            buffer_printf(text, ", \"seg_size\": %" PRId64, rule->segment);
        buffer_printf(text, "}");
        comma = ",";
    }
    buffer_printf(text, "\n      ]}");
}

/* The rules as a file that is read back as these rules; rules that leave the choice to the library
   are left out. */
static void write_json(Buffer *text, const TuningRules *rules, const char *version)
{
    const char *between = "";
    (void)version;
    buffer_printf(text,
                  "  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {");
    for (size_t i = 0, count; i < rules->count; i += count) {
        const char *comma = "";
        count = open_mpi_alike(rules, i, false);
        if (!names_any(&rules->items[i], count))
            continue;
        buffer_printf(text, "%s\n    \"%s\": [", between,
                      tuned_collectives[rules->items[i].collective].name);
        for (size_t k = i, alike; k < i + count; k += alike) {
            alike = open_mpi_alike(rules, k, true);
            if (!names_any(&rules->items[k], alike))
                continue;
            buffer_printf(text, "%s\n", comma);
            write_entry(text, &rules->items[k], alike);
            comma = ",";
        }
        buffer_printf(text, "\n    ]");
        between = ",";
    }
    buffer_printf(text, "\n  }\n}\n");
}

const TuningFormat tuning_format_open_mpi_json = {
    .library = "open-mpi",
    .versions = "6.",
    .collectives = tuned_collectives,
    .count = TUNED_COUNT,
    .what = "Rules",
    .otherwise = "elsewhere the library chooses by itself",
    .is_json = true,
    .loading = open_mpi_loading,
    .read = read_json,
    .write = write_json,
};
