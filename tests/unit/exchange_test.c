#include "exchange/log.h"
#include "unit.h"

#include <string.h>

/* A log that was read, or the reason why not. */
typedef struct {
    Fixture *fixture;
    bool is_read;
    MeasurementArray rows;
} Log;

static Log log_of(Fixture *fixture, const char *text, int64_t p)
{
    Log log = {.fixture = fixture};
    const LogFacts facts = {.p = p};
    const Source *source = source_from_text(fixture->arena, "log", text, strlen(text));
    log.is_read = log_read(fixture->arena, source, &facts, &log.rows, &fixture->diag);
    return log;
}

/* "allreduce default p=4 8 B 3 us mean x2 :4"; rows apart by "; ". */
static const char *rows_of(Log *log)
{
    const char *text = "";
    measurements_merge(log->fixture->arena, &log->rows);
    for (size_t i = 0; i < log->rows.count; i++) {
        const Measurement *row = &log->rows.items[i];
        Position place = source_position(row->place.source, row->place.offset);
        text = arena_printf(log->fixture->arena, "%s%s%s %s p=%lld %g B %.6g us %s", text,
                            i ? "; " : "", row->collective, row->algorithm, (long long)row->p,
                            row->bytes, row->seconds * 1e6, finish_info[row->finish].name);
        if (row->ranks_per_node)
            text = arena_printf(log->fixture->arena, "%s n=%lld", text,
                                (long long)row->ranks_per_node);
        if (row->repeats != 1)
            text = arena_printf(log->fixture->arena, "%s x%lld", text, (long long)row->repeats);
        text = arena_printf(log->fixture->arena, "%s :%zu", text, place.line);
    }
    return text;
}

static void assert_rows(const char *text, int64_t p, const char *rows)
{
    Fixture *fixture = fixture_open();
    Log log = log_of(fixture, text, p);
    assert_no_error(fixture);
    ck_assert(log.is_read);
    ck_assert_str_eq(rows_of(&log), rows);
    fixture_close(fixture);
}

/* One error at this place, with these words in it, and no rows. */
static void assert_refused(const char *text, int64_t p, size_t line, size_t column,
                           const char *words)
{
    Fixture *fixture = fixture_open();
    Log log = log_of(fixture, text, p);
    fflush(fixture->stream);
    ck_assert_msg(!log.is_read && strstr(fixture->messages, words), "\n%s\nfor\n%s",
                  fixture->messages, text);
    assert_error_at(fixture, "log", line, column);
    ck_assert_uint_eq(log.rows.count, 0);
    fixture_close(fixture);
}

#define OSU_ALLREDUCE "# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg Latency(us)\n"
#define OSU_LATENCY "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"

START_TEST(osu_tables_are_read)
{
    assert_rows("loading modules\n\n" OSU_ALLREDUCE "4     2.50\nwarning: 7 of them\n8   3.00\n"
                "real 2.71\n",
                4,
                "allreduce default p=4 4 B 2.5 us mean :5; allreduce default p=4 8 B 3 us mean :7");
    assert_rows(OSU_LATENCY "0    1.25\n1    1.50\n", 0,
                "point-to-point direct p=2 0 B 1.25 us round-trip :3; "
                "point-to-point direct p=2 1 B 1.5 us round-trip :4");
    assert_rows("# OSU MPI Reduce_scatter Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
                "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
                "64     2.50     2.00      4.00       1000\n",
                4, "reduce-scatter default p=4 16 B 4 us last :4");
    assert_rows("# OSU MPI All-to-All Personalized Exchange Latency Test v5.8\n"
                "# Avg Latency(us)   P50 Tail Lat(us)      Size\n"
                "2.50     9.00     4\n",
                8, "alltoall default p=8 4 B 2.5 us mean :3");
    assert_rows("# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n             7.25\n", 8,
                "barrier default p=8 0 B 7.25 us mean :3");
    assert_rows("# OSU MPI-CUDA Non-blocking Broadcast Latency Test v5.8\n# Overall = 1\n\n"
                "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        "
                "Overlap(%)\n"
                "4   9.50   6.50   5.25   42.00\n",
                8, "broadcast non-blocking p=8 4 B 5.25 us mean :5");
    assert_rows("[1,0]<stdout>:# OSU MPI Allreduce Latency Test v7.4\n"
                "[1,0]<stdout>:# Size       Avg Latency(us)        Validation\n"
                "[1,0]<stdout>:# Datatype: MPI_CHAR.\n"
                "[1,0]<stdout>:4   2.50      Pass\n",
                4, "allreduce default p=4 4 B 2.5 us mean :4");
}
END_TEST

START_TEST(osu_streams_are_read)
{
    assert_rows("# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1000    500.00\n", 0,
                "point-to-point direct p=2 1000 B 2 us stream :3");
    assert_rows("# OSU MPI Bi-Directional Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n"
                "1000    500.00\n",
                0, "point-to-point direct p=2 1000 B 4 us stream :3");
    assert_rows("# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
                "# [ pairs: 8 ] [ window size: 64 ]\n"
                "# Size                  MB/s        Messages/s\n"
                "1000    500.00    500000.00\n",
                0, "point-to-point direct p=16 1000 B 16 us stream :4");
}
END_TEST

START_TEST(repeats_become_their_median)
{
    assert_rows(OSU_ALLREDUCE "4 2.50\n" OSU_LATENCY "4 1.00\n" OSU_ALLREDUCE "4 9.00\n8 3.00\n"
                              "\n" OSU_ALLREDUCE "4 3.50\n8 4.00\n",
                4,
                "allreduce default p=4 4 B 3.5 us mean x3 :3; "
                "allreduce default p=4 8 B 3.5 us mean x2 :10; "
                "point-to-point direct p=2 4 B 1 us round-trip :6");
}
END_TEST

START_TEST(osu_tables_that_contradict_themselves_are_refused)
{
    assert_refused(OSU_ALLREDUCE "4 2.50\n", 0, 1, 7, "give -p");
    assert_refused("", 4, 1, 1, "no rows");
    assert_refused("4 2.50\n8 3.00\n", 4, 1, 1, "no rows");
    assert_refused(OSU_ALLREDUCE, 4, 1, 1, "no rows");
    assert_refused("# OSU MPI_Put Latency Test v5.8\n# Size          Latency (us)\n4 1.00\n", 4, 1,
                   1, "it measures");
    assert_refused("# OSU MPI Allreduce Latency Test v5.8\n4 2.50\n", 4, 2, 1, "names the columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 2.\n", 4, 4, 3, "cut off");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8\n", 4, 4, 1, "1 columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 2.50 1\n", 4, 4, 1, "3 columns");
    assert_refused(OSU_ALLREDUCE "4 nan\n", 4, 3, 3, "above 0");
    assert_refused(OSU_ALLREDUCE "4 0.00\n", 4, 3, 3, "above 0");
    assert_refused(OSU_ALLREDUCE "4.5 2.00\n", 4, 3, 1, "whole number");
    assert_refused(OSU_ALLREDUCE "4 2.00\n4 2.00\n", 4, 4, 1, "rise");
    assert_refused(OSU_ALLREDUCE "4 2.00\n# Size          Latency (us)\n1 1.00\n", 4, 4, 3,
                   "without a title");
    assert_refused(OSU_ALLREDUCE "4 2.00\nsrun: error: node7: task 3: Killed\n", 4, 4, 1, "failed");
    assert_refused("# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n7.25\n7.25\n", 4, 4, 1,
                   "one row");
    assert_refused("# OSU MPI Barrier Latency Test v5.8\n# Size    Avg Latency(us)\n4 7.25\n", 4, 2,
                   3, "not the columns");
    assert_refused("# OSU MPI Scatter Latency Test v5.8\n# Size     Avg Latency(us)  Min "
                   "Latency(us)  Max Latency(us)\n4 2.00 1.00 1.50\n",
                   4, 3, 3, "between");
    assert_refused("# OSU MPI Scatter Latency Test v5.8\n# Size     Avg Latency(us)  Validation\n"
                   "4 2.00 Fail\n",
                   4, 3, 8, "wrong");
    assert_refused("# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
                   "# Size                  MB/s        Messages/s\n"
                   "1000    500.00    500000.00\n",
                   4, 1, 7, "pairs");
    assert_refused("# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
                   "# [ pairs: 8 ] [ window size: 64 ]\n"
                   "# Size                  MB/s        Messages/s\n"
                   "1000    500.00    600000.00\n",
                   4, 4, 19, "contradicts");
}
END_TEST

Suite *exchange_suite(void)
{
    Suite *suite = suite_create("exchange");
    TCase *osu = tcase_create("osu");
    tcase_add_test(osu, osu_tables_are_read);
    tcase_add_test(osu, osu_streams_are_read);
    tcase_add_test(osu, repeats_become_their_median);
    tcase_add_test(osu, osu_tables_that_contradict_themselves_are_refused);
    suite_add_tcase(suite, osu);
    return suite;
}
