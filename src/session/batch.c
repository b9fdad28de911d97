#include "base/utf8.h"
#include "cli/files.h"
#include "cli/workers.h"
#include "session/phrase.h"
#include "session/report.h"
#include "session/session.h"
#include "session/state.h"

#include <string.h>
#include <time.h>

typedef struct {
    const char *chars;
    size_t length;
} LineBytes;

/* A line, and what it has printed: here or, of a crew, in another process. */
typedef struct {
    LineResult result;
    Arena *arena; /* its own, for what follows */
    int owner;    /* who runs it */
    bool is_definition, is_blank;
    LineBytes output, messages;
} RunLine;
ARRAY_TYPE(RunLineArray, RunLine);

/* As they stand in the file. */
typedef struct {
    Text line, raw;
} Phrase;
ARRAY_TYPE(PhraseArray, Phrase);

/* A batch while it runs. */
typedef struct {
    Session *session;
    Arena *arena; /* of the report */
    const Source *source;
    const BatchOptions *options;
    double started; /* processor seconds */
    int64_t own;    /* lines that this process has run by itself */
    BatchReport report;
    bool is_ended; /* by a line that is settled */
    /* Lines that do not depend on one another, for workers, of which so many are settled: */
    PhraseArray stretch;
    size_t taken;
    /* With a crew: */
    int dealt;            /* lines that one process runs, so far */
    RunLineArray waiting; /* process 0: the lines, of which so many are settled */
    size_t settled;
} Batch;

/* A line of the batch file on one line, however it is broken there. */
static const char *join_words(Arena *arena, Text line)
{
    char *chars = utf8_clean(arena, line.chars, line.length);
    size_t length = 0;
    for (size_t i = 0; i < line.length; i++) {
        bool is_space = chars[i] == ' ' || chars[i] == '\t' || chars[i] == '\n';
        if (!is_space || (length > 0 && chars[length - 1] != ' '))
            chars[length++] = is_space ? ' ' : chars[i];
    }
    chars[length] = '\0';
    return chars;
}

/* Ends the stream; what was printed is kept in the arena. */
static LineBytes take(Arena *arena, Kept *kept, Workspace *workspace)
{
    if (!kept_close(kept))
        workspace_fail(workspace, 0);
    const LineBytes printed = {arena_copy(arena, kept->text, kept->length), kept->length};
    kept_free(kept);
    return printed;
}

/* Runs a line with its output in memory. A report for programs keeps it; else it is printed later,
   as wide, and in such colours, as where it will be shown. */
static void run_captured(Batch *batch, RunLine *run, Text line, Text raw)
{
    Session *session = batch->session;
    FILE *out = session->out, *err = session->err, *shown = session->shown;
    Kept output, messages;
    kept_begin(&output, session->workspace);
    kept_begin(&messages, session->workspace);
    if (batch->options->format != REPORT_TEXT)
        session->shown = output.stream;
    session->out = output.stream, session->err = messages.stream;
    run->result.outcome = session_run(session, line, raw);
    session->out = out, session->err = err, session->shown = shown;
    run->messages = take(run->arena, &messages, session->workspace);
    run->output = take(run->arena, &output, session->workspace);
}

static RunLine line_start(const Batch *batch, Text line)
{
    Text rest;
    RunLine run = {.arena = batch->arena, .is_blank = line.length == 0};
    run.result.number = source_position(batch->source, line.span.offset).line;
    run.result.output = run.result.messages = "";
    run.is_definition = batch->session->is_defining;
    run.result.is_expectation =
        !run.is_definition && text_equals(phrase_first(line, &rest), "expect");
    return run;
}

/* Puts a line that has run into the report. */
static void report_line(Batch *batch, RunLine *run, Text line)
{
    LineResult *result = &run->result;
    const bool is_text = batch->options->format == REPORT_TEXT;
    const bool is_fine = result->outcome.status == STATUS_FINE;
    if (run->is_definition ? is_fine : run->is_blank)
        return;
    if (!is_text) {
        result->output = utf8_clean(batch->arena, run->output.chars, run->output.length);
        result->messages = utf8_clean(batch->arena, run->messages.chars, run->messages.length);
    }
    result->text = run->is_definition   ? "define"
                   : is_text && is_fine ? ""
                                        : join_words(batch->arena, line);
    report_add(batch->arena, &batch->report, batch->options->format, result);
}

/* Behind a line that the system has ended, others would run in a context that it has not set. */
static bool ends_batch(const Batch *batch, Outcome outcome)
{
    return outcome.interrupted || outcome.status == STATUS_SYSTEM ||
           (batch->options->stop && outcome.status != STATUS_FINE);
}

/* ---- lines that other processes run ---- */

typedef struct {
    bool by_all; /* it changes what others run in, or runs lines itself */
    bool reads;  /* the standard input */
    bool writes; /* a file, which others may read */
    bool is_batch;
} LineShare;

/* --save, --picture or --certificate, perhaps cut short. */
static bool is_written_to(Text word)
{
    static const char *const options[] = {"--save", "--picture", "--certificate"};
    const char *equals = memchr(word.chars, '=', word.length);
    const size_t length = equals ? (size_t)(equals - word.chars) : word.length;
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (length > 3 && length <= strlen(options[i]) &&
            memcmp(options[i], word.chars, length) == 0)
            return true;
    return false;
}

static LineShare share_of(const Session *session, Arena *arena, Text line)
{
    Text rest, operand, first = phrase_first(line, &rest);
    TextArray words = {0};
    Diag silent = diag_silent();
    LineShare share = {.by_all = session->is_defining || line.length == 0};
    if (share.by_all)
        return share;
    for (; text_equals(first, "collcost") && rest.length > 0; first = phrase_first(line, &rest))
        line = rest;
    const int statement = statement_find(line, &operand);
    share.is_batch = text_equals(first, "batch");
    share.by_all = statement >= 0 || share.is_batch || text_equals(first, "repl");
    const bool has_value = /* which is `ans` for lines behind it */
        statement < 0 && (!command_find(session->commands, first) || text_equals(first, "eval"));
    const bool is_formula = has_value || text_equals(first, "expect");
    share.by_all |= has_value;
    if ((statement >= 0 && statement != STATEMENT_LOAD) || is_formula || share.is_batch ||
        !phrase_words(arena, line, &words, &silent))
        return share;
    for (size_t i = 1; i < words.count; i++) {
        const Text word = words.items[i];
        const bool is_input = text_equals(word, "-") ||
                              (word.length > 2 && word.chars[0] == '-' && text_ends(word, "=-"));
        share.writes |= is_written_to(word);
        share.reads |= is_input && !session->context.reads_input;
    }
    share.by_all |= share.reads && !share.writes;
    return share;
}

static void carry_printed(Carrier carrier, LineBytes *printed)
{
    int64_t length = (int64_t)printed->length;
    carry_int(carrier, &length);
    if (carrier.to) {
        buffer_add(carrier.to, printed->chars, printed->length);
        return;
    }
    *printed = (LineBytes){carrier.from->next, (size_t)length};
    carrier.from->next += length;
}

static void carry_line(const Batch *batch, Carrier carrier, RunLine *run)
{
    Outcome *outcome = &run->result.outcome;
    int64_t status = outcome->status;
    carry_int(carrier, &status);
    outcome->status = (Status)status;
    CARRY(carrier, outcome, interrupted, finding);
    if (carrier.from && outcome->finding)
        outcome->finding = arena_printf(batch->arena, "%s", outcome->finding);
    carry_printed(carrier, &run->output);
    carry_printed(carrier, &run->messages);
}

/* Of a line whose process was ended nothing is known. */
static void write_printed(LineBytes printed, FILE *file)
{
    if (printed.chars)
        fwrite(printed.chars, 1, printed.length, file);
}

/* Shows what became of a line that was run with its output in memory. */
static void settle_line(Batch *batch, RunLine *run, Text line)
{
    const Session *session = batch->session;
    if (batch->options->format == REPORT_TEXT) {
        write_printed(run->messages, session->err);
        write_printed(run->output, session->out);
        fflush(session->out);
    }
    report_line(batch, run, line);
    batch->is_ended = ends_batch(batch, run->result.outcome);
}

/* ---- workers ---- */

enum { LONGEST_STRETCH = 1024 };

/* Several processes gain nothing on lines that take microseconds each, and most files take less
   than half a second. */
static const double worth_a_line = 1e-3, worth_a_batch = 0.5;

/* Of this process. */
static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool work_on_line(void *context, size_t item, Buffer *bytes)
{
    Batch *batch = context;
    const Phrase *phrase = &batch->stretch.items[item];
    RunLine run = line_start(batch, phrase->line);
    run.arena = bytes->arena;
    run_captured(batch, &run, phrase->line, phrase->raw);
    carry_line(batch, (Carrier){.to = bytes}, &run);
    return true;
}

/* False where the line ends the batch; what was run behind it is dropped. */
static bool take_line(void *context, size_t item, Packed *answer)
{
    Batch *batch = context;
    const Text line = batch->stretch.items[item].line;
    RunLine run = line_start(batch, line);
    run.arena = answer->arena;
    carry_line(batch, (Carrier){.from = answer}, &run);
    settle_line(batch, &run, line);
    batch->taken++;
    return !batch->is_ended;
}

typedef struct {
    Batch *batch;
    Status status;
} StretchRun;

static void run_workers(void *context)
{
    StretchRun *own = context;
    const PhraseArray *stretch = &own->batch->stretch;
    const char **names = ARENA_ARRAY(own->batch->arena, const char *, stretch->count);
    for (size_t i = 0; i < stretch->count; i++)
        names[i] = join_words(own->batch->arena, stretch->items[i].line);
    const WorkItems items = {.count = stretch->count,
                             .names = names,
                             .work = work_on_line,
                             .take = take_line,
                             .context = own->batch};
    CommandLine line = *own->batch->options->line;
    line.arena = arena_scratch(line.arena);
    own->status = workers_run(&line, &items);
    arena_destroy(line.arena);
}

/* The lines of the stretch, by several processes. False where one of them has ended the batch: a
   line whose process died, too, or that was waited for as the user interrupted. */
static bool run_stretch(Batch *batch)
{
    static const char interrupted[] = "interrupted\n";
    StretchRun own = {.batch = batch};
    const Ending ending = workspace_run(batch->session->workspace, run_workers, &own);
    if (!batch->is_ended && (ending != ENDING_DONE || own.status == STATUS_SYSTEM)) {
        const Text line = batch->stretch.items[batch->taken].line;
        RunLine run = line_start(batch, line);
        const bool is_interrupted = ending == ENDING_CANCELLED;
        if (is_interrupted)
            run.messages = (LineBytes){interrupted, strlen(interrupted)};
        run.result.outcome =
            (Outcome){.status = is_interrupted ? STATUS_CHECK_FAILED : STATUS_SYSTEM,
                      .interrupted = is_interrupted};
        settle_line(batch, &run, line);
    }
    batch->stretch.count = batch->taken = 0;
    return !batch->is_ended;
}

/* Keeps the line for workers, or runs what was kept and then the line. Blank lines are none. False
   where the batch has ended. */
static bool run_or_keep(Batch *batch, Arena *lines, Text line, Text raw)
{
    const BatchOptions *options = batch->options;
    const double seconds = processor_seconds() - batch->started;
    const bool is_blank = line.length == 0 && !batch->session->is_defining;
    const bool are_long = options->shares_all || (seconds >= worth_a_batch &&
                                                  seconds >= worth_a_line * (double)batch->own);
    /* May the line be run by another process, with what this one knows now? */
    bool is_kept =
        options->jobs > 1 && !is_blank && are_long && batch->session->context.library != NULL;
    if (is_kept) {
        const LineShare share = share_of(batch->session, lines, line);
        is_kept = !share.by_all && !share.reads && !share.writes;
    }
    if (is_kept)
        *ARRAY_PUSH(batch->arena, &batch->stretch) = (Phrase){line, raw};
    if (batch->stretch.count && (is_kept ? batch->stretch.count == LONGEST_STRETCH : !is_blank) &&
        !run_stretch(batch))
        return false;
    if (is_kept)
        return true;
    RunLine run = line_start(batch, line);
    batch->own++;
    if (options->format == REPORT_TEXT) {
        run.result.outcome = session_run(batch->session, line, raw);
        fflush(batch->session->out); /* messages of the next line come behind it */
    } else {
        run_captured(batch, &run, line, raw);
    }
    report_line(batch, &run, line);
    return !ends_batch(batch, run.result.outcome);
}

/* ---- a crew ---- */

/* Process 0: shows what became of lines, in their order, as far as it is known. What was run behind
   the line that ends the batch is dropped. */
static void settle(Batch *batch, bool wait)
{
    Crew *crew = batch->session->crew;
    for (; batch->settled < batch->waiting.count; batch->settled++) {
        RunLine *run = &batch->waiting.items[batch->settled];
        Buffer bytes = {.arena = run->arena};
        const bool is_here = run->owner == 0 || crew->receive(crew, run->owner, wait, &bytes);
        if (!is_here && !wait)
            break;
        if (!is_here) { /* its process is gone */
            run->result.outcome.status = STATUS_SYSTEM;
        } else if (run->owner > 0) {
            Packed packed = {run->arena, bytes.items, bytes.items + bytes.count};
            carry_line(batch, (Carrier){.from = &packed}, run);
        }
        if (!batch->is_ended)
            settle_line(batch, run, source_argument(run->arena, "", run->result.text));
        arena_destroy(run->arena);
    }
}

/* All processes of the crew have run what they had to up to here: has a line ended the batch? */
static bool meet(Batch *batch)
{
    Crew *crew = batch->session->crew;
    if (crew->rank == 0)
        settle(batch, true);
    batch->is_ended = crew->agree(crew, batch->is_ended) != 0;
    return batch->is_ended;
}

/* A line that ends the work around it leaves a process that does not know where the others are. */
static void run_own(Batch *batch, RunLine *run, Text line, Text raw, const LineShare *share)
{
    Crew *crew = batch->session->crew;
    const int batches = crew->batches;
    run_captured(batch, run, line, raw);
    const bool is_inside = crew->batches == batches;
    if (is_inside &&
        !(share->by_all && !share->is_batch && run->result.outcome.status == STATUS_SYSTEM))
        return;
    if (is_inside && crew->rank == 0)
        settle(batch, true);
    crew->abandon(crew, run->messages.chars, run->messages.length);
    crew->batches = batches;
}

/* Opens the library where the line of another process does: it may have a note. */
static void skip_line(Session *session, Text line)
{
    FILE *err = session->err;
    Kept nothing;
    if (line.length == 0 || session->context.library || !kept_open(&nothing, session->workspace))
        return;
    session->err = nothing.stream;
    session_library(session);
    session->err = err;
    kept_close(&nothing);
    kept_free(&nothing);
}

/* False behind the last line. */
static bool run_with_crew(Batch *batch, Arena *lines, Text line, Text raw)
{
    Session *session = batch->session;
    Crew *crew = session->crew;
    const LineShare share = share_of(session, lines, line);
    RunLine run = line_start(batch, line);
    const bool is_alone = share.writes && !share.by_all;
    const bool changes =
        batch->options->stop && share.by_all && !run.is_definition && !run.is_blank;
    if ((is_alone || changes) && meet(batch))
        return false;
    if (share.reads)
        crew->share_input(crew);
    run.arena = arena_scratch(batch->arena);
    run.result.text = join_words(run.arena, line);
    run.owner = share.by_all || share.reads ? 0 : batch->dealt++ % crew->count;
    const bool is_own = share.by_all || run.owner == crew->rank;
    if (is_own)
        run_own(batch, &run, line, raw, &share);
    else
        skip_line(session, line);
    const Outcome outcome = run.result.outcome;
    if (is_own && run.owner > 0) {
        Buffer bytes = {.arena = run.arena};
        carry_line(batch, (Carrier){.to = &bytes}, &run);
        crew->send(crew, bytes.items, bytes.count);
    }
    if (crew->rank > 0) {
        arena_destroy(run.arena);
    } else {
        *ARRAY_PUSH(batch->arena, &batch->waiting) = run;
        settle(batch, false);
    }
    return !(is_alone && meet(batch)) && !session->is_over &&
           !(share.by_all && ends_batch(batch, outcome));
}

/* ---- a batch ---- */

Status batch_run(Session *session, const Source *source, const BatchOptions *options)
{
    Batch batch = {.session = session,
                   .arena = arena_scratch(session->arena),
                   .source = source,
                   .options = options,
                   .started = processor_seconds()};
    Text line, raw;
    size_t offset = 0;
    bool more = true;
    Arena *lines = arena_scratch(batch.arena);
    const ArenaMark start = arena_mark(lines);
    if (session->crew)
        session->crew->batches++;
    batch.report.arena = batch.arena;
    batch.report.file = utf8_clean_line(batch.arena, source->name);
    while (more && phrase_next(lines, source, &offset, &line, &raw)) {
        more = session->crew ? run_with_crew(&batch, lines, line, raw)
                             : run_or_keep(&batch, lines, line, raw) && !session->is_over;
        if (batch.stretch.count == 0)
            arena_release(lines, start);
    }
    if (batch.stretch.count)
        more = run_stretch(&batch);
    Crew *crew = session->crew;
    const bool is_cut = !more && !session->is_over, is_shown = !crew || crew->rank == 0;
    if (crew && meet(&batch))
        session->is_defining = false; /* begun behind the line that ends the batch */
    batch.report.stopped = batch.is_ended || is_cut;
    if (is_shown)
        batch.report.wrong += session_finish(session, source).status != STATUS_FINE;
    fflush(session->out);
    if (is_shown)
        report_write(session->out, options->format, &batch.report);
    Status status = report_status(&batch.report);
    if (crew) {
        status = (Status)crew->agree(crew, is_shown ? status : STATUS_FINE);
        crew->batches--;
    }
    arena_destroy(lines);
    arena_destroy(batch.arena);
    return status;
}
