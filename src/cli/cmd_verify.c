#include "cli/cmd_verify.h"

#include "base/watch.h"
#include "claims/grid.h"
#include "claims/verdicts.h"
#include "cli/query.h"
#include "study/model_check.h"
#include "study/parts.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_RANKS = 64 };

/* One run: an algorithm, shape and root, for some targets and numbers of chunks. */
typedef struct {
    const Algorithm *algorithm;
    const Shape *shape;
    int64_t root;
    bool right;
    const char *detail; /* "" where it is right */
} RunResult;
ARRAY_TYPE(RunArray, RunResult);

typedef struct {
    const char *model;
    const Claim *claim;
    Verdict verdict;
} ClaimResult;
ARRAY_TYPE(ClaimArray, ClaimResult);

/* One model's line in the text. */
typedef struct {
    const char *model;
    int64_t runs, wrong_runs, hold, refuted, compared;
    Refusal refusal; /* the last */
} ModelResult;
ARRAY_TYPE(ModelArray, ModelResult);

typedef struct {
    const Query *query;
    RunArray runs;
    ClaimArray claims;
    ModelArray models;
    int64_t passed, failed;
    bool too_large; /* some run could not be made: no verdict on the data */
} Report;

ARRAY_TYPE(EntryList, const ModelEntry *);

/* Runs one schedule for each target and number of chunks; the first that fails is the result. */
static RunResult run_chunks(Report *report, const Algorithm *algorithm, const Shape *shape,
                            int64_t root)
{
    const Query *query = report->query;
    int64_t chunks[5], targets[4], orders[VERDICT_ORDERS];
    bool is_problem = algorithm->collective->problem != NULL;
    int order_count = verdict_orders(is_problem, orders);
    int count = verdict_chunks(algorithm->free_chunks, chunks);
    int target_count = verdict_roots(algorithm->collective->targeted, shape->p, targets);
    RunResult result = {algorithm, shape, root, true, ""};
    for (int i = 0; i < count * target_count * order_count && result.right; i++) {
        int64_t ports =
            query->study.rules.all_ports ? shape->p - (shape->p > 1) : query->study.rules.ports;
        Instance instance = {algorithm,
                             shape->p,
                             root,
                             chunks[i % count],
                             ports,
                             shape,
                             targets[i / count % target_count],
                             orders[i / count / target_count]};
        Diag quiet = diag_silent();
        bool expected = algorithm->expect_wrong;
        Verification found =
            verify_schedule(query->study.arena, &instance, expected ? &quiet : query->study.diag);
        result.right = found.right;
        if (found.right)
            continue;
        result.detail = found.failure.text ? found.failure.text
                        : found.on_data    ? "the schedule cannot be expanded"
                                           : "too large to run on data";
        report->too_large |= !found.on_data && !found.failure.text;
        if (shape->count > 1)
            result.detail = arena_printf(query->study.arena, "%s, on %s", result.detail,
                                         shape_describe(query->study.arena, shape));
        Span step = found.failure.span;
        if (!expected)
            diag_error(query->study.diag, step.source ? step : algorithm->head.span, "%s",
                       result.detail);
    }
    return result;
}

/* Runs all roots on one shape, until one is wrong. */
static bool run_shape(Report *report, const Algorithm *algorithm, const Shape *shape,
                      ModelResult *model)
{
    const Query *query = report->query;
    int64_t roots[4];
    size_t errors = query->study.diag->error_count;
    bool allowed = schedule_allows(algorithm, shape, query->study.rules.ports, &model->refusal,
                                   query->study.diag);
    if (query->study.diag->error_count > errors)
        return false;
    int count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
    for (int r = 0; allowed && r < count && !model->wrong_runs; r++) {
        RunResult result = run_chunks(report, algorithm, shape, roots[r]);
        *ARRAY_PUSH(query->study.arena, &report->runs) = result;
        model->runs++;
        model->wrong_runs += !result.right;
    }
    return true;
}

/* After the first wrong run of a model no more are tried: one counterexample is enough. */
static bool run_algorithm(Report *report, const Algorithm *algorithm, ModelResult *model)
{
    const Query *query = report->query;
    ShapeArray shapes = {0};
    for (size_t i = 0; i < query->ranks.count; i++)
        if (option_given(query->line, OPTION_TOPOLOGY))
            *ARRAY_PUSH(query->study.arena, &shapes) = query_shape(query, i);
        else
            shapes_list(query->study.arena, algorithm, query->ranks.items[i], &shapes);
    for (size_t i = 0; i < shapes.count && !model->wrong_runs; i++)
        if (!run_shape(report, algorithm, &shapes.items[i], model))
            return false;
    if (model->runs == 0 && query->line->operands.count)
        diag_warning(query->study.diag, NOWHERE, "%s was not run: %s",
                     algorithm_full_name(query->study.arena, algorithm),
                     shapes.count ? schedule_explain(query->study.arena, &model->refusal)
                                  : "no grid of so many ranks suits it");
    bool as_expected = algorithm->expect_wrong == (model->wrong_runs > 0);
    if (algorithm->expect_wrong && !as_expected)
        diag_error(query->study.diag, algorithm->head.span,
                   "this algorithm is expected to be wrong, but "
                   "no run found a fault");
    report->passed += algorithm->expect_wrong ? as_expected : model->runs - model->wrong_runs;
    report->failed += algorithm->expect_wrong ? !as_expected : model->wrong_runs;
    return true;
}

static void add_verdicts(Report *report, const ClaimList *claims, const Verdict *verdicts,
                         ModelResult *model)
{
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->items[i];
        bool as_recorded = verdicts[i].holds == !claim->recorded_refuted;
        *ARRAY_PUSH(report->query->study.arena, &report->claims) =
            (ClaimResult){model->model, claim, verdicts[i]};
        model->hold += verdicts[i].holds;
        model->refuted += !verdicts[i].holds;
        model->compared += verdicts[i].cases;
        report->passed += as_recorded;
        report->failed += !as_recorded;
        if (as_recorded)
            continue;
        diag_error(report->query->study.diag, claim->span,
                   "this claim is recorded to %s, but it %s",
                   claim->recorded_refuted ? "be refuted" : "hold",
                   verdicts[i].holds ? "holds" : "does not");
        if (verdicts[i].counterexample)
            diag_note(report->query->study.diag, claim->formula.text.span, "%s",
                      verdicts[i].counterexample);
    }
}

static int64_t largest_ranks(const Query *query)
{
    int64_t largest = 1;
    for (size_t i = 0; i < query->ranks.count; i++)
        if (query->ranks.items[i] > largest)
            largest = query->ranks.items[i];
    return largest;
}

static bool judge_up_to(const Query *query, const VerdictSubject *subject, int64_t largest,
                        Verdict *verdicts)
{
    VerdictGrid grid = verdict_grid_up_to(largest);
    return verdicts_find(query->study.arena, query->study.library, subject, verdict_claims(subject),
                         &grid, verdicts, query->study.diag);
}

/* A claim that is recorded to be refuted may well hold for the few ranks asked for: its
   counterexample is then sought where `verify` seeks by default. */
static bool judge_claims(const Query *query, const VerdictSubject *subject, Verdict *verdicts)
{
    const ClaimList *claims = verdict_claims(subject);
    int64_t largest = largest_ranks(query);
    bool too_few = false;
    if (largest > DEFAULT_RANKS)
        largest = DEFAULT_RANKS;
    if (claims->count == 0)
        return true;
    if (!judge_up_to(query, subject, largest, verdicts))
        return false;
    for (size_t i = 0; i < claims->count; i++)
        too_few |= verdicts[i].holds && claims->items[i].recorded_refuted;
    return !too_few || largest >= DEFAULT_RANKS ||
           judge_up_to(query, subject, DEFAULT_RANKS, verdicts);
}

/* With the parts of --using, if it is an algorithm. */
static const void *load_entry(const Query *query, const ModelEntry *entry)
{
    const void *loaded = library_load(query->study.library, entry, query->study.diag);
    return loaded && entry->kind == KIND_ALGORITHM ? parts_apply(&query->study, loaded) : loaded;
}

/* Is every part of --using used by one of the algorithms? */
static bool check_parts(const Query *query, const EntryList *entries)
{
    AlgorithmArray algorithms = {0};
    for (size_t i = 0; i < entries->count && query->study.parts.count; i++) {
        if (entries->items[i]->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm =
            library_load(query->study.library, entries->items[i], query->study.diag);
        if (!algorithm)
            return false;
        *ARRAY_PUSH(query->study.arena, &algorithms) = algorithm;
    }
    return parts_check(&query->study, &algorithms);
}

static bool check_model(const Query *query, const VerdictSubject *subject)
{
    if (subject->topology)
        return model_check_topology(query->study.arena, subject->topology, query->study.diag);
    return !subject->collective ||
           model_check_collective(query->study.arena, subject->collective, query->study.diag);
}

static bool verify_entry(Report *report, const ModelEntry *entry)
{
    const Query *query = report->query;
    const void *loaded = load_entry(query, entry);
    ModelResult model = {.model = entry->name};
    VerdictSubject subject = {entry->kind == KIND_ALGORITHM ? loaded : NULL,
                              entry->kind == KIND_COLLECTIVE ? loaded : NULL,
                              entry->kind == KIND_TOPOLOGY ? loaded : NULL};
    if (!loaded || !check_model(query, &subject))
        return false;
    if (!subject.algorithm && !subject.collective &&
        !(subject.topology && subject.topology->claims.count))
        return true;
    if (subject.algorithm)
        model.model = algorithm_full_name(query->study.arena, subject.algorithm);
    if (subject.algorithm && !run_algorithm(report, loaded, &model))
        return false;
    const ClaimList *claims = verdict_claims(&subject);
    Verdict *verdicts = ARENA_ARRAY(query->study.arena, Verdict, claims->count + 1);
    bool judged = model.wrong_runs || judge_claims(query, &subject, verdicts);
    if (judged && !model.wrong_runs)
        add_verdicts(report, claims, verdicts, &model);
    *ARRAY_PUSH(query->study.arena, &report->models) = model;
    return judged;
}

static bool ends_with(Text text, const char *ending)
{
    size_t length = strlen(ending);
    return text.length > length && strcmp(text.chars + text.length - length, ending) == 0;
}

/* A file or folder, unless a model has that name. */
static bool is_path(const Query *query, Text text)
{
    return !library_find(query->study.library, text) &&
           (ends_with(text, ".yaml") || ends_with(text, ".yml") || access(text.chars, F_OK) == 0);
}

/* Does the path name the file itself, or a folder above it, however either is spelled? */
static bool is_below(const char *file, Text path)
{
    char *whole_file = realpath(file, NULL), *whole_path = realpath(path.chars, NULL);
    size_t length = whole_path ? strlen(whole_path) : 0;
    bool below = whole_file && whole_path && strncmp(whole_file, whole_path, length) == 0 &&
                 (whole_file[length] == '\0' || whole_file[length] == '/');
    free(whole_file);
    free(whole_path);
    return below;
}

/* A file's models, a collective with its algorithms, or one model. */
static bool list_named(const Query *query, Text name, EntryList *entries)
{
    size_t before = entries->count;
    if (library_is_typed(name) && access(name.chars, F_OK) != 0) {
        const ModelEntry *typed = library_add_typed(query->study.library, name, query->study.diag);
        *ARRAY_PUSH(query->study.arena, entries) = typed;
        return typed != NULL;
    }
    bool named_by_path = is_path(query, name);
    if (named_by_path && !library_add(query->study.library, name.chars, query->study.diag))
        return false;
    for (size_t i = 0; i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        bool inside =
            strncmp(entry->name, name.chars, name.length) == 0 && entry->name[name.length] == '/';
        bool matches = named_by_path ? entry->is_users && is_below(entry->path, name)
                                     : text_equals(name, entry->name) || inside;
        if (matches)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    if (entries->count > before)
        return true;
    const char **names =
        ARENA_ARRAY(query->study.arena, const char *, library_entry_count(query->study.library));
    for (size_t i = 0; i < library_entry_count(query->study.library); i++)
        names[i] = library_entry(query->study.library, i)->name;
    diag_error(query->study.diag, name.span,
               named_by_path ? "'%s' holds no models" : "there is no model '%s'", name.chars);
    diag_suggest(query->study.diag, name, names, library_entry_count(query->study.library));
    return false;
}

/* A model that is named twice is verified once. */
static void drop_repeated(EntryList *entries)
{
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        size_t before = 0;
        while (before < kept && entries->items[before] != entries->items[i])
            before++;
        if (before == kept)
            entries->items[kept++] = entries->items[i];
    }
    entries->count = kept;
}

/* Those that are named, else all, or all of one source. */
static bool list_entries(const Query *query, const Source *source, EntryList *entries)
{
    const TextArray *names = &query->line->operands;
    for (size_t i = 0; i < names->count; i++)
        if (!list_named(query, names->items[i], entries))
            return false;
    if (names->count > 1)
        drop_repeated(entries);
    for (size_t i = 0; names->count == 0 && i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        if (!source || entry->source == source)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    return true;
}

static const char *verdict_word(bool holds)
{
    return holds ? "holds" : "refuted";
}

static void write_runs(const Report *report, Format format)
{
    Table *table =
        table_open(report->query->study.arena, report->query->line->out, format, TABLE_verify_runs);
    for (size_t i = 0; i < report->runs.count; i++) {
        const RunResult *result = &report->runs.items[i];
        put_text(table, KEY_model,
                 algorithm_full_name(report->query->study.arena, result->algorithm));
        put_text(table, KEY_topology,
                 result->shape->count == 1
                     ? report->query->topology->head.name
                     : shape_describe(report->query->study.arena, result->shape));
        put_number(table, KEY_p, (double)result->shape->p);
        put_number(table, KEY_root, (double)result->root);
        put_text(table, KEY_data, result->right ? "ok" : "wrong");
        put_text(table, KEY_detail, result->detail);
        table_row(table);
    }
    table_close(table);
}

/* In text only refuted claims, with their counterexamples. */
static void write_claims(const Report *report, Format format)
{
    Table *table = table_open(report->query->study.arena, report->query->line->out, format,
                              TABLE_verify_claims);
    for (size_t i = 0; i < report->claims.count; i++) {
        const ClaimResult *result = &report->claims.items[i];
        if (format == FORMAT_TEXT && result->verdict.holds)
            continue;
        put_text(table, KEY_model, result->model);
        put_text(table, KEY_source, result->claim->source);
        put_list(table, KEY_on, result->claim->on, result->claim->on_count);
        put_text(table, KEY_claim_verdict, verdict_word(result->verdict.holds));
        put_text(table, KEY_recorded, verdict_word(!result->claim->recorded_refuted));
        put_text(table, KEY_counterexample, result->verdict.counterexample);
        table_row(table);
    }
    table_close(table);
}

static void write_models(const Report *report)
{
    Table *table = table_open(report->query->study.arena, report->query->line->out, FORMAT_TEXT,
                              TABLE_verify_models);
    for (size_t i = 0; i < report->models.count; i++) {
        const ModelResult *model = &report->models.items[i];
        put_text(table, KEY_model, model->model);
        if (model->runs)
            put_number(table, KEY_runs, (double)model->runs);
        put_text(table, KEY_data, model->wrong_runs ? "wrong" : model->runs ? "ok" : "-");
        put_number(table, KEY_hold, (double)model->hold);
        put_number(table, KEY_refuted, (double)model->refuted);
        put_number(table, KEY_compared, (double)model->compared);
        table_row(table);
    }
    table_close(table);
}

static void write_text(const Report *report)
{
    FILE *out = report->query->line->out;
    bool any_refuted = false;
    write_models(report);
    for (size_t i = 0; i < report->claims.count; i++)
        any_refuted |= !report->claims.items[i].verdict.holds;
    if (any_refuted) {
        fputs("\nrefuted claims\n\n", out);
        write_claims(report, FORMAT_TEXT);
    }
    fprintf(out, "\npassed %lld, failed %lld%s\n", (long long)report->passed,
            (long long)report->failed,
            report->passed + report->failed ? "" : ": no schedule was run, and no claim judged");
}

static void write_report(const Report *report)
{
    FILE *out = report->query->line->out;
    if (report->query->format == FORMAT_TEXT) {
        write_text(report);
    } else if (report->query->format == FORMAT_CSV) {
        write_runs(report, FORMAT_CSV);
        fputc('\n', out);
        write_claims(report, FORMAT_CSV);
    } else {
        fputs("{\"runs\": ", out);
        write_runs(report, FORMAT_JSON);
        fputs(", \"claims\": ", out);
        write_claims(report, FORMAT_JSON);
        fprintf(out, ", \"passed\": %lld, \"failed\": %lld}\n", (long long)report->passed,
                (long long)report->failed);
    }
}

Status verify_source(const CommandLine *line, const Source *source)
{
    Query query;
    EntryList entries = {0};
    bool on_topology = option_given(line, OPTION_TOPOLOGY); /* then its sizes must be given */
    if (!(on_topology ? query_read_ranks(line, &query) : query_read(line, &query)) ||
        !list_entries(&query, source, &entries) || !check_parts(&query, &entries))
        return STATUS_BAD_INPUT;
    bool all = query.ranks.count == 0;
    for (int64_t p = 1; all && p <= DEFAULT_RANKS; p++)
        *ARRAY_PUSH(line->arena, &query.ranks) = p;
    Report report = {.query = &query};
    for (size_t i = 0; i < entries.count; i++) {
        watch_step(line->arena, entries.items[i]->name, (int64_t)i, (int64_t)entries.count);
        if (!verify_entry(&report, entries.items[i]) || report.too_large)
            return STATUS_BAD_INPUT;
    }
    write_report(&report);
    return report.failed ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status run(const CommandLine *line)
{
    return verify_source(line, NULL);
}

const Command command_verify = {
    .name = "verify",
    .operands = "[MODEL...]",
    .most_operands = -1,
    .summary = "run on real data, check contracts and claims",
    .description = "Runs algorithms on real data, for every p from 1 to 64 (or -p), several roots "
                   "and numbers of\n"
                   "chunks, and compares every claim with the cost derived from the schedule or "
                   "with the lower\n"
                   "bound. MODEL is a collective, COLLECTIVE/ALGORITHM or a model file; by default "
                   "all models\n"
                   "are verified. The exit status is 1 if data is wrong or a verdict differs from "
                   "the recorded\n"
                   "one. -o json gives all runs and claims.",
    .options = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(PORTS) | OPTION_BIT(MODELS) |
               OPTION_BIT(USING) | OPTION_BIT(OUTPUT),
    .spoken = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(PORTS),
    .run = run,
};
