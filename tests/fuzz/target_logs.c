/* A log of a benchmark, with what is known about it beside: rows that are handed over have ranks,
   sizes and times of measurements, and a place in the log. The same text as a list of names. */
#include "exchange/measurement.h"
#include "exchange/naming.h"
#include "fuzz.h"

#include <math.h>

/* Its length says what is known. */
static LogFacts find_facts(const FuzzInput *input)
{
    LogFacts facts = {.p_place = NOWHERE};
    size_t length = input->text.length;
    facts.p = length % 3 == 0 ? 4 : 0;
    facts.unit_s = length % 5 == 0 ? 1e-6 : 0;
    if (length % 7 == 0)
        facts.operation = operation_find(source_argument(input->arena, "", "allreduce"));
    return facts;
}

static bool is_measurement(const FuzzInput *input, const Measurement *row)
{
    return row->collective && row->algorithm && row->system && row->p > 0 && row->repeats > 0 &&
           isfinite(row->bytes) && row->bytes >= 0 && isfinite(row->seconds) && row->seconds > 0 &&
           row->finish < FINISH_COUNT && row->place.source == input->source &&
           row->place.offset < input->text.length;
}

static void read_log(FuzzInput *input)
{
    MeasurementArray rows = {0};
    const LogFacts facts = find_facts(input);
    if (!log_read(input->arena, input->source, &facts, &rows, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    for (size_t i = 0; i < rows.count; i++)
        if (!is_measurement(input, &rows.items[i]))
            fuzz_fail("a row is no measurement", input->text.chars);
    size_t all = rows.count;
    if (measurements_merge(input->arena, &rows, &input->diag) &&
        (rows.count > all || (all > 0) != (rows.count > 0)))
        fuzz_fail("rows are merged to more, or to none", input->text.chars);
}

void fuzz_logs(FuzzInput *input)
{
    Naming naming = {0};
    size_t errors = input->diag.error_count;
    if (!naming_read(input->arena, &naming, input->source, &input->diag) &&
        input->diag.error_count == errors)
        fuzz_fail("names are refused without a word", input->text.chars);
    input->diag.error_count = 0;
    read_log(input);
}
