#include "model/fitted.h"

#include "model/reader.h"

#include <math.h>

const char *const fitted_rule_names[FITTED_RULES] = {"contention",  "combining", "asynchronous",
                                                     "posting",     "ties",      "real-k",
                                                     "ceil-chunks", "finish"};

static bool read_intervals(Arena *arena, const Node *map, Fitted *fitted, Diag *diag)
{
    bool good = true;
    if (!map)
        return true;
    if (!node_is_map(map, "the intervals of parameters", diag))
        return false;
    fitted->interval_count = map->count;
    fitted->intervals = ARENA_ARRAY(arena, FittedInterval, map->count + 1);
    for (size_t i = 0; i < map->count; i++) {
        const Text text = map->values[i]->text;
        FittedInterval *interval = &fitted->intervals[i];
        interval->parameter = map->keys[i]->text;
        good &= node_is_scalar(map->values[i], "an interval", diag) &&
                quantity_parse(text, DIMENSION_NONE, &interval->factor, diag) &&
                (interval->factor >= 1 ||
                 diag_error(diag, text.span, "an interval is a factor of 1 or more"));
    }
    return good;
}

static bool find_interval(const Fitted *fitted, const Node *name, size_t *found, Diag *diag)
{
    if (!node_is_scalar(name, "a parameter", diag))
        return false;
    for (size_t i = 0; i < fitted->interval_count; i++)
        if (text_same(fitted->intervals[i].parameter, name->text)) {
            *found = i;
            return true;
        }
    return diag_error(diag, name->text.span, "'%.*s' is not among the intervals",
                      TEXT_ARGS(name->text));
}

static bool read_correlations(Arena *arena, const Node *list, Fitted *fitted, Diag *diag)
{
    size_t count = list ? node_item_count(list) : 0;
    fitted->correlations = ARENA_ARRAY(arena, FittedCorrelation, count + 1);
    fitted->correlation_count = count;
    for (size_t i = 0; i < count; i++) {
        const Node *item = node_item(list, i);
        FittedCorrelation *pair = &fitted->correlations[i];
        if (item->kind != NODE_LIST || item->count != 3)
            return diag_error(diag, item->text.span, "expected [PARAMETER, PARAMETER, NUMBER]");
        if (!find_interval(fitted, item->values[0], &pair->first, diag) ||
            !find_interval(fitted, item->values[1], &pair->second, diag) ||
            !node_is_scalar(item->values[2], "a correlation", diag))
            return false;
        /* A number from -1 to 1; quantities have no sign. */
        const Text text = item->values[2]->text;
        const bool is_negative = text.length > 1 && text.chars[0] == '-';
        if (!quantity_parse(is_negative ? text_behind(text, 1) : text, DIMENSION_NONE, &pair->value,
                            diag))
            return false;
        if (is_negative)
            pair->value = -pair->value;
        if (!(fabs(pair->value) <= 1))
            return diag_error(diag, text.span, "a correlation lies between -1 and 1");
    }
    return true;
}

static bool read_rules(Arena *arena, const Node *map, Fitted *fitted, Diag *diag)
{
    bool good = true;
    if (!map)
        return true;
    if (!node_is_map(map, "the rules of a fit", diag) ||
        !node_check_keys(map, "the rules of a fit", fitted_rule_names, FITTED_RULES, diag))
        return false;
    fitted->rule_count = map->count;
    fitted->rules = ARENA_ARRAY(arena, FittedRule, map->count + 1);
    for (size_t i = 0; i < map->count && good; i++) {
        good = node_is_scalar(map->values[i], "a rule", diag);
        fitted->rules[i] = (FittedRule){map->keys[i]->text, map->values[i]->text};
    }
    return good;
}

/* - [allreduce, 2 KiB, 4.3%] */
static bool read_held_out(Arena *arena, const Node *list, Fitted *fitted, Diag *diag)
{
    bool good = true;
    fitted->held_out_count = list ? node_item_count(list) : 0;
    fitted->held_out = ARENA_ARRAY(arena, FittedHeldOut, fitted->held_out_count + 1);
    for (size_t i = 0; i < fitted->held_out_count && good; i++) {
        const Node *item = node_item(list, i);
        FittedHeldOut *held = &fitted->held_out[i];
        if (node_item_count(item) != 3)
            return diag_error(diag, item->text.span, "expected a collective, a size and an error");
        for (size_t j = 0; j < 3; j++)
            good = good && node_is_scalar(node_item(item, j), "an error of rows held out", diag);
        if (!good)
            return false;
        held->collective = node_item(item, 0)->text;
        good = quantity_parse(node_item(item, 1)->text, DIMENSION_BYTES, &held->up_to, diag) &&
               quantity_parse_share(node_item(item, 2)->text, &held->error, diag);
    }
    return good;
}

double fitted_error(const Fitted *fitted, const char *collective, double bytes)
{
    double error = fitted->median_error;
    for (size_t i = 0; i < fitted->held_out_count; i++)
        error = fmax(error, fitted->held_out[i].error);
    for (size_t i = 0; i < fitted->held_out_count; i++) {
        const FittedHeldOut *held = &fitted->held_out[i];
        if (!text_equals(held->collective, collective))
            continue;
        error = held->error;
        if (bytes <= held->up_to)
            break;
    }
    return error;
}

const Fitted *fitted_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"logs",         "rows",  "median-error", "intervals",
                                       "correlations", "rules", "held-out"};
    static const char *const log_keys[] = {"name", "sha256"};
    Fitted *fitted = ARENA_NEW(arena, Fitted);
    if (!read_map(map, "a fit", keys, COUNT_OF(keys), diag))
        return NULL;
    const Node *error = node_get(map, "median-error");
    const Node *list = node_get(map, "logs");
    bool good = true;
    fitted->log_count = list ? node_item_count(list) : 0;
    fitted->logs = ARENA_ARRAY(arena, FittedLog, fitted->log_count + 1);
    for (size_t i = 0; i < fitted->log_count; i++) {
        const Node *item = node_item(list, i);
        FittedLog *log = &fitted->logs[i];
        good = read_map(item, "a log", log_keys, 2, diag) &&
               ((node_get(item, "name") && node_get(item, "sha256")) ||
                diag_error(diag, item->text.span, "a log has a 'name' and a 'sha256'")) &&
               read_key_string(arena, item, "name", "the name of a log", &log->name, diag) &&
               read_key_string(arena, item, "sha256", "the hash of a log", &log->hash, diag) &&
               good;
    }
    good &=
        read_key_whole(map, "rows", "a number of rows", 0, INT64_C(1) << 53, &fitted->rows, diag);
    good &= !error || (node_is_scalar(error, "an error", diag) &&
                       quantity_parse_share(error->text, &fitted->median_error, diag));
    good &= read_held_out(arena, node_get(map, "held-out"), fitted, diag) &&
            read_intervals(arena, node_get(map, "intervals"), fitted, diag) &&
            read_correlations(arena, node_get(map, "correlations"), fitted, diag) &&
            read_rules(arena, node_get(map, "rules"), fitted, diag);
    return good ? fitted : NULL;
}

double fitted_correlation(const Fitted *fitted, size_t a, size_t b)
{
    for (size_t i = 0; i < fitted->correlation_count; i++) {
        const FittedCorrelation *pair = &fitted->correlations[i];
        if ((pair->first == a && pair->second == b) || (pair->first == b && pair->second == a))
            return pair->value;
    }
    return a == b;
}

const char *fitted_describe(Arena *arena, const Fitted *fitted)
{
    return arena_printf(arena, "to %lld row%s of %zu log%s, median error %s",
                        (long long)fitted->rows, PLURAL_END(fitted->rows), fitted->log_count,
                        PLURAL_END(fitted->log_count),
                        quantity_show_share(arena, fitted->median_error));
}

const char *fitted_describe_intervals(Arena *arena, const Fitted *fitted)
{
    const char *text = "";
    for (size_t i = 0; i < fitted->interval_count; i++) {
        const FittedInterval *interval = &fitted->intervals[i];
        text = arena_printf(arena, "%s%s%.*s within %s", text, *text ? ", " : "",
                            TEXT_ARGS(interval->parameter),
                            quantity_show_share(arena, interval->factor - 1));
    }
    return *text ? text : "none";
}

const char *fitted_describe_rules(Arena *arena, const Fitted *fitted)
{
    const char *text = "";
    for (size_t i = 0; i < fitted->rule_count; i++) {
        const FittedRule *rule = &fitted->rules[i];
        text = arena_printf(arena, "%s%s%.*s %.*s", text, *text ? ", " : "", TEXT_ARGS(rule->name),
                            TEXT_ARGS(rule->value));
    }
    return text;
}
