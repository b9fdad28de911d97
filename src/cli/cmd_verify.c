#include "cli/cmd_import.h"
#include "cli/verify_parts.h"
#include "cli/workers.h"

ARRAY_TYPE(Runs, collcost_run);
ARRAY_TYPE(JudgedClaims, collcost_claim);
ARRAY_TYPE(VerifiedModels, collcost_verified);

/* A line's question and the answer to it. */
typedef struct {
    Query *query;
    collcost_task task; /* of all models */
    Runs runs;
    JudgedClaims claims;
    VerifiedModels models;
    collcost_verification found;
} Report;

static void write_runs(const Report *report)
{
    Table *table = query_table(report->query, TABLE_verify_runs);
    for (size_t i = 0; i < report->found.run_count; i++) {
        const collcost_run *run = &report->found.runs[i];
        PUT(table, run, model, p, root, detail);
        put_text(table, KEY_topology, run->grid ? run->grid : report->query->topology->head.name);
        put_text(table, KEY_data, run->is_right ? "ok" : "wrong");
        table_row(table);
    }
    table_close(table);
}

/* In text only refuted claims, with their counterexamples. */
static void write_claims(const Report *report)
{
    Table *table = query_table(report->query, TABLE_verify_claims);
    for (size_t i = 0; i < report->found.claim_count; i++) {
        const collcost_claim *claim = &report->found.claims[i];
        if (report->query->format == FORMAT_TEXT && claim->holds)
            continue;
        PUT(table, claim, model, source, counterexample);
        put_list(table, KEY_on, claim->on, claim->on_count);
        put_text(table, KEY_claim_verdict, claim->verdict);
        put_text(table, KEY_recorded, claim->recorded ? "holds" : "refuted");
        table_row(table);
    }
    table_close(table);
}

static void write_models(const Report *report)
{
    Table *table = query_table(report->query, TABLE_verify_models);
    for (size_t i = 0; i < report->found.model_count; i++) {
        const collcost_verified *model = &report->found.models[i];
        put_text(table, KEY_model, model->model);
        if (model->runs)
            put_number(table, KEY_run_count, (double)model->runs);
        put_text(table, KEY_data, model->wrong_runs ? "wrong" : model->runs ? "ok" : "-");
        PUT(table, model, hold, refuted, compared);
        table_row(table);
    }
    table_close(table);
}

static void write_report(const Report *report)
{
    const Format format = report->query->format;
    if (format == FORMAT_TEXT) {
        FILE *out = report->query->line->out;
        bool any_refuted = false;
        write_models(report);
        for (size_t i = 0; i < report->found.claim_count; i++)
            any_refuted |= !report->found.claims[i].holds;
        if (any_refuted) {
            fputs("\nrefuted claims\n\n", out);
            write_claims(report);
        }
        fprintf(out, "\npassed %lld, failed %lld\n", (long long)report->found.passed,
                (long long)report->found.failed);
    } else if (format == FORMAT_JSON) {
        Table *record = query_table(report->query, TABLE_verify);
        table_nest(record, KEY_runs);
        write_runs(report);
        table_nest(record, KEY_claims);
        write_claims(report);
        PUT(record, &report->found, passed, failed);
        table_close(record);
    } else {
        (format == FORMAT_CSV ? write_runs : write_models)(report);
        fputc('\n', report->query->line->out);
        write_claims(report);
    }
}

/* Models that other parts are used in are verified together: each part must be used by one of them.
 */
static size_t count_items(const Report *report)
{
    return report->query->study.parts.count ? 1 : report->task.model_count;
}

/* What was found, of which the report has so far what other items have brought: to another process,
   or added to the rest. */
static void carry_report(Carrier carrier, Report *report)
{
    Arena *arena = report->query->study.arena;
    int64_t runs = (int64_t)report->runs.count, claims = (int64_t)report->claims.count;
    int64_t models = (int64_t)report->models.count;
    int64_t passed = report->found.passed, failed = report->found.failed;
    carry_int(carrier, &runs);
    for (int64_t i = 0; i < runs; i++) {
        collcost_run *run = carrier.to ? &report->runs.items[i] : ARRAY_PUSH(arena, &report->runs);
        CARRY(carrier, run, model, grid, p, root, is_right, detail);
    }
    carry_int(carrier, &claims);
    for (int64_t i = 0; i < claims; i++) {
        collcost_claim *claim =
            carrier.to ? &report->claims.items[i] : ARRAY_PUSH(arena, &report->claims);
        CARRY(carrier, claim, model, source, holds, recorded, counterexample, verdict);
        carry_list(carrier, &claim->on, &claim->on_count);
    }
    carry_int(carrier, &models);
    for (int64_t i = 0; i < models; i++) {
        collcost_verified *model =
            carrier.to ? &report->models.items[i] : ARRAY_PUSH(arena, &report->models);
        CARRY(carrier, model, model, runs, wrong_runs, hold, refuted, compared);
    }
    carry_int(carrier, &passed);
    carry_int(carrier, &failed);
    if (carrier.from)
        report->found.passed += passed, report->found.failed += failed;
}

static bool take_item(void *context, size_t item, Packed *answer)
{
    (void)item;
    carry_report((Carrier){.from = answer}, context);
    return true;
}

static bool verify_item(void *context, size_t item, Buffer *bytes)
{
    const Report *report = context;
    Query *query = report->query;
    collcost_task task = report->task;
    Report own = {.query = query};
    collcost_verification *found = &own.found;
    Arena *arena = bytes->arena;
    if (count_items(report) == task.model_count) {
        task.models += item;
        task.model_count = 1;
    }
    if (!query_answered(query, collcost_verify(&query->study, &task, found)))
        return false;
    own.runs = (Runs){ARENA_COPY(arena, collcost_run, found->runs, found->run_count),
                      found->run_count, found->run_count};
    own.claims =
        (JudgedClaims){ARENA_COPY(arena, collcost_claim, found->claims, found->claim_count),
                       found->claim_count, found->claim_count};
    own.models =
        (VerifiedModels){ARENA_COPY(arena, collcost_verified, found->models, found->model_count),
                         found->model_count, found->model_count};
    carry_report((Carrier){.to = bytes}, &own);
    return true;
}

Status verify_source(const CommandLine *line, const Source *source, collcost_verification *found)
{
    Query query;
    Report report = {.query = &query};
    ModelEntries entries = {0};
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    library_check_formulas(query.study.library);
    /* Without a network, ranks lie as suits an algorithm; with one, its sizes must be given. */
    const bool on_topology = option_given(line, OPTION_TOPOLOGY);
    if (!verify_entries(&query, source, &entries) || (on_topology && !query_settle_ranks(&query)))
        return STATUS_BAD_INPUT;
    const char **names = ARENA_ARRAY(query.study.arena, const char *, entries.count + 1);
    for (size_t i = 0; i < entries.count; i++)
        names[i] = entries.items[i]->name;
    report.task = (collcost_task){.models = names,
                                  .model_count = entries.count,
                                  .topologies = query_network_names(&query),
                                  .topology_count = on_topology ? query.ranks.count : 0,
                                  .ranks = query.ranks.items,
                                  .rank_count = on_topology ? 0 : query.ranks.count,
                                  .is_exact = true,
                                  .warns = line->operands.count > 0};
    const WorkItems items = {.count = count_items(&report),
                             .names = names,
                             .work = verify_item,
                             .take = take_item,
                             .context = &report};
    Status status = workers_run(line, &items);
    if (status != STATUS_FINE)
        return status;
    report.found.runs = report.runs.items, report.found.run_count = report.runs.count;
    report.found.claims = report.claims.items, report.found.claim_count = report.claims.count;
    report.found.models = report.models.items, report.found.model_count = report.models.count;
    write_report(&report);
    *found = report.found;
    return report.found.failed ? STATUS_CHECK_FAILED : STATUS_FINE;
}

/* What has not been tried has not passed. */
static Status run_verify(const CommandLine *line)
{
    if (line->operands.count && import_is_file(line->operands.items[0])) {
        /* Schedules of other programs, which have ranks and data of their own. */
        for (size_t i = 0; i < line->operands.count; i++)
            if (!import_is_file(line->operands.items[i]))
                return BAD_INPUT(line->diag, line->operands.items[i].span,
                                 "files of schedules and models cannot be verified in one command");
        const OptionSet theirs = OPTIONS_OF_IMPORTS | OPTIONS(ROOT, OUTPUT);
        return options_are_absent(line, ~theirs, "is not for files of schedules")
                   ? import_files(line)
                   : STATUS_BAD_INPUT;
    }
    if (!imported_check_absent(line))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_ALL_P))
        return verify_proofs(line);
    if (option_is_spoken(line, OPTION_ROOT))
        return BAD_INPUT(
            line->diag, option_value(line, OPTION_ROOT).span,
            "models are verified from several roots: --root is for files of schedules");
    collcost_verification found;
    Status status = verify_source(line, NULL, &found);
    bool checked = status != STATUS_FINE;
    for (size_t i = 0; !checked && i < found.model_count; i++)
        checked = found.models[i].runs > 0 || found.models[i].compared > 0;
    if (checked)
        return status;
    return BAD_INPUT(line->diag, NOWHERE,
                     "nothing was verified: no schedule was run, and no claim compared");
}

const Command command_verify = {
    .name = "verify",
    .operands = "[MODEL...]",
    .summary = "run on real data, check contracts and claims",
    .description =
        "Runs algorithms on real data, for every p from 1 to 64 (or -p), several roots and "
        "numbers of chunks, and compares every claim with the cost derived from the schedule or "
        "with the lower bound. MODEL is a collective, COLLECTIVE/ALGORITHM or a model file; by "
        "default all models are verified. The exit status is 1 if data is wrong or a verdict "
        "differs from the recorded one, 2 if nothing was run or compared. -o json gives all "
        "runs and claims.",
    .examples = "collcost verify own-algorithm.yaml\n"
                "collcost verify allreduce/ring -p 2..9",
    .options = OPTIONS_OF_IMPORTS | OPTIONS(TOPOLOGY, RANKS, PORTS, MODELS, ALL_P, SOLVER, SAVE,
                                            USING, WEIGHTS, JOBS, OUTPUT, ROOT, WITHOUT),
    .spoken = OPTIONS(ROOT, WEIGHTS, TOPOLOGY, RANKS, PORTS),
    .run = run_verify,
};
