#include "cli/cmd_import.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "exchange/schedule_formats.h"
#include "verify/verify.h"

/* SCHEDULE_FORMAT_COUNT after a report. */
static ScheduleFormat read_format(const CommandLine *line)
{
    const char *names[SCHEDULE_FORMAT_COUNT];
    for (int i = 0; i < SCHEDULE_FORMAT_COUNT; i++) {
        names[i] = schedule_formats[i].name;
        if (option_given(line, OPTION_FORMAT) &&
            text_equals(option_value(line, OPTION_FORMAT), names[i]))
            return (ScheduleFormat)i;
    }
    if (!option_given(line, OPTION_FORMAT)) {
        diag_error(line->diag, NOWHERE, "'export' needs --format");
    } else {
        diag_error(line->diag, option_value(line, OPTION_FORMAT).span, "there is no such format");
        diag_suggest(line->diag, option_value(line, OPTION_FORMAT), names, SCHEDULE_FORMAT_COUNT);
    }
    for (int i = 0; i < SCHEDULE_FORMAT_COUNT; i++)
        diag_note(line->diag, NOWHERE, "%s: %s", names[i], schedule_formats[i].what);
    return SCHEDULE_FORMAT_COUNT;
}

static Status run_export(const CommandLine *given)
{
    OneSchedule asked;
    ImportedModels models;
    Status status = imported_models(given, &models);
    if (status != STATUS_FINE)
        return status;
    const CommandLine *line = &models.line;
    Buffer text = {.arena = line->arena};
    const ScheduleFormat format = read_format(line);
    if (format == SCHEDULE_FORMAT_COUNT || !one_schedule_read(line, "export", &asked))
        return STATUS_BAD_INPUT;
    Query *query = &asked.query;
    const Collective *collective = asked.instance.algorithm->collective;
    if (!query_is_collective(query, line->operands.items[0], collective))
        return STATUS_BAD_INPUT;
    query_fill_size(query, collective);
    if (!query->sizes.count)
        return LACKING(line, NOWHERE, OPTION_SIZE, "'export' needs one size: give -m");
    /* Nothing leaves that was not run on data. */
    const size_t errors = line->diag->error_count, limits = line->diag->limit_count;
    const Verification found = verify_schedule(line->arena, &asked.instance, line->diag);
    if (!found.right && found.failure.text && line->diag->limit_count == limits) {
        diag_error(line->diag, found.failure.span, "the schedule is wrong: %s", found.failure.text);
        return STATUS_CHECK_FAILED;
    }
    if (!found.right && !found.on_data && line->diag->error_count == errors)
        diag_error(line->diag, NOWHERE,
                   "the schedule is too large to be run on data; only what was is exported");
    if (!found.right)
        return STATUS_BAD_INPUT;
    const Rules *rules = &query->study.rules;
    const bool is_free = rules->combining == COMBINING_NONE;
    const char *title = trace_add_choices(
        line->arena,
        arena_printf(line->arena, "%s on %s, m = %s",
                     algorithm_full_name(line->arena, asked.instance.algorithm), asked.network.name,
                     quantity_show_bytes(line->arena, query->sizes.items[0])),
        &asked.instance);
    if (collective->rooted)
        title = arena_printf(line->arena, "%s, root %lld", title, (long long)asked.instance.root);
    ListedSchedule schedule = {.title = title,
                               .parameters = rules->parameters,
                               .combine_s = is_free ? 0 : rules->parameters[PARAMETER_TC]};
    if (!schedule_list(line->arena, &asked.instance, &asked.network, rules, query->sizes.items[0],
                       &schedule, line->diag) ||
        !schedule_formats[format].write(&schedule, &text, line->diag))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_SAVE))
        return file_write(line, option_value(line, OPTION_SAVE), text.items, text.count);
    fwrite(text.items, 1, text.count, line->out);
    return STATUS_FINE;
}

const Command command_export = {
    .name = "export",
    .operands = "ALGORITHM|FILE",
    .summary = "a schedule as a file of another program",
    .description =
        "Runs an algorithm (COLLECTIVE/NAME) on data for this number of ranks, and writes its "
        "schedule as a file of another program, to the standard output or to --save FILE. "
        "--format csv has a row for each link of each message, dot is a graph for Graphviz, "
        "msccl is XML for MSCCL's runtimes, goal is for LogGOPSim.",
    .examples = "collcost export allreduce/ring -p 4 -m 1MiB --format msccl\n"
                "collcost export allgather/ring -p 4 -m 1KiB --format goal",
    .options = (OPTIONS_OF_COSTS & ~OPTION_BIT(OUTPUT)) | OPTIONS_OF_IMPORTS |
               OPTIONS(SIZES, CEIL_CHUNKS, USING, FORMAT, SAVE),
    .run = run_export,
};
