#include "cli/models.h"
#include "cli/workers.h"
#include "session/report.h"
#include "session/state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST_BATCH = 16 };

static const Source *read_lines(Session *session, const CommandLine *line)
{
    Crew *crew = session->crew;
    const bool is_named = line->operands.count > 0;
    bool is_fed = false; /* lines that come from a pipe or a file need no name */
    if (!is_named && !session->is_interactive && !session->depth) {
        struct stat input;
        is_fed = fstat(STDIN_FILENO, &input) == 0 &&
                 (S_ISFIFO(input.st_mode) || S_ISREG(input.st_mode) || S_ISSOCK(input.st_mode));
        is_fed = crew ? crew->agree(crew, is_fed) : is_fed;
    }
    if (!is_named && !is_fed)
        return DIAG_NULL(line->diag, NOWHERE,
                         "'batch' needs a FILE, or '-' for the standard input");
    Text path = is_named ? line->operands.items[0] : source_argument(session->arena, "batch", "-");
    const bool is_input = text_equals(path, "-");
    if (crew && is_input && !session->context.reads_input)
        crew->share_input(crew);
    const Source *source =
        models_read_source(&session->context, session->arena, path, LIMIT_BATCH_BYTES, line->diag);
    session->context.reads_input |= is_input;
    const bool is_lost = crew && crew->agree(crew, !source);
    if (source && is_lost)
        diag_error(line->diag, path.span, "cannot read '%s': not all ranks can", source->name);
    return is_lost ? NULL : source;
}

static Status run(void *context, const CommandLine *line)
{
    Session *session = context;
    BatchOptions options = {.format = REPORT_TEXT,
                            .stop = option_given(line, OPTION_STOP),
                            .shares_all = option_given(line, OPTION_JOBS),
                            .line = line};
    if (option_given(line, OPTION_OUTPUT)) {
        const Text text = option_value(line, OPTION_OUTPUT);
        options.format = (ReportFormat)text_among(text, report_names, REPORT_COUNT);
        if (options.format == REPORT_COUNT) {
            diag_error(line->diag, text.span, "unknown report '%s'", text.chars);
            diag_note(line->diag, NOWHERE, "reports are text, tap, json and junit");
            return STATUS_BAD_INPUT;
        }
    }
    if (!workers_read_jobs(line, &options.jobs))
        return STATUS_BAD_INPUT;
    const Source *source = read_lines(session, line);
    if (!source)
        return STATUS_BAD_INPUT;
    if (session->depth == DEEPEST_BATCH)
        return BAD_INPUT(line->diag, (Span){source, 0, 0},
                         "batch files that run batch files are nested too deeply");
    session_adopt(session, line);
    session->depth++;
    Status status = batch_run(session, source, &options);
    session->depth--;
    return status;
}

const Command command_batch = {
    .name = "batch",
    .operands = "[FILE]",
    .summary = "run the lines of a file and check its expectations",
    .description =
        "Runs the commands in FILE (- or a pipe: standard input), one per line, as the prompt "
        "does: # begins a comment, a backslash at the end continues the line, 'use', 'machine', "
        "'set' and 'let' hold for the lines that follow, and 'expect EXPRESSION' checks "
        "something. All lines are run; the exit status is 1 if an expectation fails, 2 if a "
        "line is wrong. -o tap, json or junit writes a report for programs. Options such as -t "
        "or --machine hold for all lines, until one says something else.",
    .examples = "collcost batch tuning-gate.batch\n"
                "collcost batch tuning-gate.batch -o junit",
    .options =
        OPTIONS_OF_RULES | OPTIONS(STOP, JOBS, OUTPUT, TOPOLOGY, RANKS, SIZE, MACHINE, SET, PORTS),
    .spoken = OPTIONS_ANY,
    .formats = "text, tap, json or junit",
    .run_in = run,
};
