#include "exchange/json_tree.h"
#include "exchange/open_mpi.h"

#include "base/limits.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Keys that nothing reads. */
static void check_keys(TuningReader *in, const JsonValue *object, const char *const *keys,
                       size_t count)
{
    for (size_t i = 0; i < object->count; i++)
        if (text_among(object->keys[i]->text, keys, count) == count)
            tuning_fault(in, FAULT(UNREAD_KEY), object->keys[i]->text.span);
}

/* A whole number, or -1 for "inf"; `missing` where there is none. False: the file is dropped. */
static bool read_number(TuningReader *in, const JsonValue *object, const char *key, int64_t missing,
                        int64_t *number)
{
    const JsonValue *value = json_tree_get(object, key);
    *number = missing;
    if (!value)
        return true;
    const Text text = value->text;
    char *end = NULL;
    const char *chars = arena_printf(in->arena, "%.*s", TEXT_ARGS(text));
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
    return tuning_fault(in, FAULT(NO_WHOLE), text.span, key);
}

/* The number of an algorithm by its name or number; negative: there is no such one. */
static int64_t read_algorithm(TuningReader *in, int collective, const JsonValue *value)
{
    const TunedCollective *tuned = &tuned_collectives[collective];
    const int most = open_mpi_most_algorithms(in->version, collective);
    if (value->kind == JSON_NUMBER) {
        const int64_t number =
            strtoll(arena_printf(in->arena, "%.*s", TEXT_ARGS(value->text)), NULL, 10);
        return number >= 0 && number <= most ? number : -1;
    }
    if (text_equals(value->text, "ignore"))
        return 0;
    for (size_t i = 0; i < in->library->algorithm_count; i++) {
        const LibraryAlgorithm *one = &in->library->algorithms[i];
        const bool is_its = *tuned->collective ? text_equals(one->collective, tuned->collective) &&
                                                     strcmp(one->variant, tuned->variant) == 0
                                               : strcmp(one->variant, tuned->name) == 0;
        if (is_its && text_equals(value->text, one->name) && one->number > 0 &&
            implementation_has(one->versions, one->version_count, in->version))
            return one->number;
    }
    return -1;
}

/* One rule by size, for the ranks of `rule`; those of its entry begin with number `first`. False:
   the file is dropped. */
static bool read_rule(TuningReader *in, const JsonValue *object, size_t first, TuningRule rule)
{
    static const char *const keys[] = {"msg_size_min", "msg_size_max", "alg",
                                       "faninout",     "seg_size",     "reqs"};
    const TunedCollective *tuned = &tuned_collectives[rule.collective];
    int64_t largest, requests;
    rule.span = (Span){object->text.span.source, object->text.span.offset, 1};
    if (!read_number(in, object, "msg_size_min", 0, &rule.from_size) ||
        !read_number(in, object, "msg_size_max", -1, &largest) ||
        !read_number(in, object, "faninout", 0, &rule.fanout) ||
        !read_number(in, object, "seg_size", 0, &rule.segment) ||
        !read_number(in, object, "reqs", 0, &requests))
        return false;
    check_keys(in, object, keys, COUNT_OF(keys));
    const JsonValue *algorithm = json_tree_get(object, "alg");
    rule.from_size = rule.from_size < 0 ? INT64_MAX : rule.from_size;
    rule.below_size = largest < 0 || largest == INT64_MAX ? INT64_MAX : largest + 1;
    if (!algorithm) {
        tuning_fault(in, FAULT(NO_ALG), rule.span);
    } else {
        rule.span = algorithm->text.span;
        rule.algorithm = read_algorithm(in, rule.collective, algorithm);
    }
    if (rule.algorithm < 0) {
        tuning_fault(in, FAULT(LEFT_OUT), rule.span, tuned->name, in->version);
        rule.algorithm = 0;
        tuning_empty(&rule);
    } else if (rule.from_ranks >= rule.below_ranks ||
               !tuning_is_reached(in, &rule, rule.span, first, 0)) {
        tuning_empty(&rule);
    } else if (rule.from_size > 0 ||
               (rule.below_size < INT64_MAX && tuned->measure != MEASURE_NONE)) {
        open_mpi_check_size(in, &rule);
    }
    open_mpi_check(in, &rule);
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
    return true;
}

/* The rules for some communicators. The first entry that fits counts alone: where none of its rules
   does, the library chooses by itself. False: the file is dropped. */
static bool read_entry(TuningReader *in, int collective, const JsonValue *object, size_t first)
{
    static const char *const keys[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution",
                                       "rules"};
    int64_t largest;
    const Span span = {object->text.span.source, object->text.span.offset, 1};
    TuningRule rule = {.collective = collective, .below_size = INT64_MAX, .span = span};
    if (object->kind != JSON_OBJECT)
        return tuning_fault(in, FAULT(NO_OBJECT), span);
    if (!read_number(in, object, "comm_size_min", 0, &rule.from_ranks) ||
        !read_number(in, object, "comm_size_max", INT_MAX, &largest))
        return false;
    const JsonValue *placement = json_tree_get(object, "comm_rank_distribution");
    if (placement && text_equals(placement->text, "single-node"))
        rule.nodes = (TuningRange){1, 2};
    else if (placement && text_equals(placement->text, "one-per-node"))
        rule.devices = (TuningRange){1, 2};
    else if (placement && !text_equals(placement->text, "any"))
        tuning_fault(in, FAULT(NO_PLACE), placement->text.span);
    check_keys(in, object, keys, COUNT_OF(keys));
    const JsonValue *rules = json_tree_get(object, "rules");
    if (!rules || (rules->kind != JSON_ARRAY && rules->kind != JSON_OBJECT))
        return tuning_fault(in, FAULT(NO_KEY), span, "rules", "a list");
    rule.below_ranks = largest == INT_MAX ? INT64_MAX : largest + 1;
    if (largest < 0)
        tuning_fault(in, FAULT(INFINITE), json_tree_get(object, "comm_size_max")->text.span);
    else
        tuning_is_reached(in, &rule, span, first, 0);
    const size_t own = in->file->rules.count;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->values[i]->kind != JSON_OBJECT)
            tuning_fault(in, FAULT(NO_RULE), rules->values[i]->text.span);
        else if (!read_rule(in, rules->values[i], own, rule))
            return false;
    rule.is_rest = true;
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
    return true;
}

/* False: the file is dropped, or the job ends. */
static bool read_collective(TuningReader *in, const JsonValue *key, const JsonValue *entries,
                            bool is_first)
{
    const int id = tuned_collective(tuned_collectives, TUNED_COUNT, key->text);
    if (id == TUNED_COUNT && is_first)
        tuning_fault(in, FAULT(FIRST_COLLECTIVE), key->text.span);
    else if (id == TUNED_COUNT)
        tuning_fault(in, FAULT(LATER_COLLECTIVE), key->text.span);
    else if (entries->kind != JSON_ARRAY)
        tuning_fault(in, FAULT(NO_LIST), key->text.span);
    if (id == TUNED_COUNT || entries->kind != JSON_ARRAY)
        return false;
    if (open_mpi_most_algorithms(in->version, id) < 0)
        tuning_fault(in, FAULT(UNTUNED), key->text.span, tuned_collectives[id].name);
    const size_t first = in->file->rules.count;
    for (size_t i = 0; i < entries->count; i++)
        if (!read_entry(in, id, entries->values[i], first))
            return false;
    return true;
}

/* Files in JSON, which 6.0 reads beside the older format: tuned_dynamic_file_schema.json says what
   they are, coll_tuned_dynamic_file.c how they are read. */
static void read_json(TuningReader *in)
{
    const Source *source = in->source;
    size_t start = 0;
    while (start < source->length && strchr(" \t\r\n", source->text[start]))
        start++;
    if (start == source->length || source->text[start] != '{') {
        open_mpi_read_rules(in);
        return;
    }
    JsonFault fault;
    const JsonValue *root =
        json_tree_parse(in->arena, source, (JsonDialect){.depth = LIMIT_DEPTH}, &fault);
    const JsonValue *collectives = root ? json_tree_get(root, "collectives") : NULL;
    if (!root) {
        tuning_fault(in, FAULT(NO_JSON), fault.span, fault.text);
        return;
    }
    if (!collectives || collectives->kind != JSON_OBJECT) {
        tuning_fault(in, FAULT(NO_KEY), (Span){source, start, 1}, "collectives", "an object");
        return;
    }
    for (size_t i = 0; i < collectives->count; i++)
        if (!read_collective(in, collectives->keys[i], collectives->values[i], i == 0))
            break;
}

static void write_entry(Buffer *text, const TuningRule *rules, size_t count)
{
    buffer_printf(text, "      {\"comm_size_min\": %" PRId64, rules->from_ranks);
    if (rules->below_ranks != INT64_MAX)
        buffer_printf(text, ", \"comm_size_max\": %" PRId64, rules->below_ranks - 1);
    buffer_printf(text, ", \"rules\": [");
    for (const TuningRule *rule = rules; rule < rules + count; rule++) {
        buffer_printf(text, "%s\n        {\"msg_size_min\": %" PRId64, rule > rules ? "," : "",
                      rule->from_size);
        if (rule->below_size != INT64_MAX)
            buffer_printf(text, ", \"msg_size_max\": %" PRId64, rule->below_size - 1);
        buffer_printf(text, ", \"alg\": \"%s\"", rule->runs->name);
        if (rule->fanout)
            buffer_printf(text, ", \"faninout\": %" PRId64, rule->fanout);
        if (rule->segment)
            buffer_printf(text, ", \"seg_size\": %" PRId64, rule->segment);
        buffer_printf(text, "}");
    }
    buffer_printf(text, "\n      ]}");
}

/* The rules as a file that is read back as these rules; rules that leave the choice to the library
   are left out. */
static void write_json(Buffer *text, const TuningRules *rules, const char *version)
{
    TuningRules named = {0};
    (void)version;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].runs)
            *ARRAY_PUSH(text->arena, &named) = rules->items[i];
    buffer_printf(text,
                  "  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {");
    for (size_t i = 0, end; i < named.count; i = end) {
        end = i + tuning_alike(&named, i, false);
        buffer_printf(text, "%s\n    \"%s\": [", i ? "," : "",
                      tuned_collectives[named.items[i].collective].name);
        for (size_t k = i, alike; k < end; k += alike) {
            alike = tuning_alike(&named, k, true);
            buffer_printf(text, "%s\n", k > i ? "," : "");
            write_entry(text, &named.items[k], alike);
        }
        buffer_printf(text, "\n    ]");
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
