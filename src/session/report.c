#include "session/report.h"

#include "format/picture.h"

#include <string.h>

const char *const report_names[REPORT_COUNT] = {
#define REPORT(id, name) name,
#include "session/reports.def"
#undef REPORT
};

static bool is_wrong(const LineResult *line)
{
    return line->outcome.status > STATUS_CHECK_FAILED;
}

static bool is_failed(const LineResult *line)
{
    return line->outcome.status == STATUS_CHECK_FAILED;
}

/* Expectations, and other lines where something is wrong. */
static bool is_case(const LineResult *line)
{
    return line->is_expectation || line->outcome.status != STATUS_FINE;
}

void report_add(Arena *arena, BatchReport *report, ReportFormat format, const LineResult *line)
{
    report->expectations += line->is_expectation;
    report->failed += is_failed(line);
    report->wrong += is_wrong(line);
    report->broke |= line->outcome.status == STATUS_SYSTEM;
    if (format != REPORT_TEXT || line->outcome.status != STATUS_FINE)
        *ARRAY_PUSH(arena, &report->lines) = *line;
}

Status report_status(const BatchReport *report)
{
    return report->broke    ? STATUS_SYSTEM
           : report->wrong  ? STATUS_BAD_INPUT
           : report->failed ? STATUS_CHECK_FAILED
                            : STATUS_FINE;
}

static const char *reason_of(const LineResult *line)
{
    return line->outcome.finding                   ? line->outcome.finding
           : line->outcome.interrupted             ? "interrupted"
           : line->outcome.status == STATUS_SYSTEM ? "the system failed"
           : is_wrong(line)                        ? "this line is wrong"
                                                   : "it failed";
}

/* Silent where nothing was expected and nothing went wrong, so that a batch prints what its lines
   print. */
static void write_report_text(FILE *stream, const BatchReport *report)
{
    if (report->expectations + report->failed + report->wrong == 0)
        return;
    fprintf(stream, "%s: %zu expectation%s, %zu failed", report->file, report->expectations,
            PLURAL_END(report->expectations), report->failed);
    if (report->wrong)
        fprintf(stream, ", %zu line%s wrong", report->wrong, PLURAL_END(report->wrong));
    fputs(report->stopped ? ", stopped\n" : "\n", stream);
    for (size_t i = 0; i < report->lines.count; i++) {
        const LineResult *line = &report->lines.items[i];
        fprintf(stream, "  %s:%zu: ", report->file, line->number);
        /* A line of megabytes is cut. */
        enum { LONGEST = 400 };
        size_t length = strlen(line->text), end = length;
        if (length > LONGEST)
            for (end = LONGEST; ((unsigned char)line->text[end] & 0xC0) == 0x80; end--)
                continue;
        fprintf(stream, "%.*s%s", (int)end, line->text, end < length ? "..." : "");
        fprintf(stream, ": %s\n", reason_of(line));
    }
}

/* Each line behind "# ". */
static void write_comment(FILE *stream, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(stream, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void write_tap(FILE *stream, const BatchReport *report)
{
    size_t count = 0;
    fputs("TAP version 13\n", stream);
    for (size_t i = 0; i < report->lines.count; i++) {
        const LineResult *line = &report->lines.items[i];
        if (is_case(line)) {
            bool good = line->outcome.status == STATUS_FINE;
            fprintf(stream, "%sok %zu - %s:%zu: ", good ? "" : "not ", ++count, report->file,
                    line->number);
            for (const char *c = line->text; *c; c++) /* a bare # would begin a directive */
                fprintf(stream, *c == '#' || *c == '\\' ? "\\%c" : "%c", *c);
            fputc('\n', stream);
            if (!good)
                fprintf(stream, "# %s\n", reason_of(line));
        }
        write_comment(stream, line->messages);
        write_comment(stream, line->output);
    }
    fprintf(stream, "1..%zu\n", count);
}

static void write_report_json(FILE *stream, const BatchReport *report)
{
    Table *record = table_open(report->arena, stream, FORMAT_JSON, TABLE_batch);
    PUT(record, report, file, expectations, failed, wrong, stopped);
    table_nest(record, KEY_lines);
    Table *table = table_open(report->arena, stream, FORMAT_JSON, TABLE_batch_lines);
    for (size_t i = 0; i < report->lines.count; i++) {
        const LineResult *line = &report->lines.items[i];
        put_number(table, KEY_line, (double)line->number);
        PUT(table, line, text, output, messages);
        put_bool(table, KEY_expectation, line->is_expectation);
        put_text(table, KEY_status, is_wrong(line) ? "wrong" : is_failed(line) ? "failed" : "ok");
        put_text(table, KEY_finding, line->outcome.finding);
        table_row(table);
    }
    table_close(table);
    table_close(record);
}

static void write_junit(FILE *stream, const BatchReport *report)
{
    size_t cases = 0;
    for (size_t i = 0; i < report->lines.count; i++)
        cases += is_case(&report->lines.items[i]);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", stream);
    xml_write(stream, report->file);
    fprintf(stream, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", cases, report->failed,
            report->wrong);
    for (size_t i = 0; i < report->lines.count; i++) {
        const LineResult *line = &report->lines.items[i];
        const char *fault = is_wrong(line) ? "error" : is_failed(line) ? "failure" : NULL;
        if (!is_case(line))
            continue;
        fputs("  <testcase classname=\"", stream);
        xml_write(stream, report->file);
        fprintf(stream, "\" name=\"line %zu: ", line->number);
        xml_write(stream, line->text);
        fputs("\">\n", stream);
        if (fault) {
            fprintf(stream, "    <%s message=\"", fault);
            xml_write(stream, reason_of(line));
            fputs("\">", stream);
            xml_write(stream, line->messages);
            fprintf(stream, "</%s>\n", fault);
        }
        if (*line->output) {
            fputs("    <system-out>", stream);
            xml_write(stream, line->output);
            fputs("</system-out>\n", stream);
        }
        fputs("  </testcase>\n", stream);
    }
    fputs("</testsuite>\n", stream);
}

void report_write(FILE *stream, ReportFormat format, const BatchReport *report)
{
    static void (*const writers[REPORT_COUNT])(FILE *, const BatchReport *) = {
        write_report_text, write_tap, write_report_json, write_junit};
    writers[format](stream, report);
}
