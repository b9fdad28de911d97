#include "base/random.h"
#include "exchange/decisions.h"
#include "exchange/measurement.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* A log that was read, or the reason why not. */
typedef struct {
    Fixture *fixture;
    bool is_read;
    MeasurementArray rows;
} Log;

static Log log_named(Fixture *fixture, const char *name, const char *text, int64_t p,
                     const char *collective)
{
    Log log = {.fixture = fixture};
    const LogFacts facts = {
        .p = p, .operation = collective ? operation_find(text_plain(collective)) : NULL};
    const Source *source = source_from_text(fixture->arena, name, text, strlen(text));
    log.is_read = log_read(fixture->arena, source, &facts, &log.rows, &fixture->diag);
    return log;
}

static Log log_of(Fixture *fixture, const char *text, int64_t p)
{
    return log_named(fixture, "log", text, p, NULL);
}

/* "allreduce default p=4 8 B 3 us mean x2 :4"; rows apart by "; ". */
static const char *rows_of(Log *log)
{
    const char *text = "";
    ck_assert(measurements_merge(log->fixture->arena, &log->rows, &log->fixture->diag));
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
        if (*row->ran)
            text = arena_printf(log->fixture->arena, "%s ran=%s", text, row->ran);
        text = arena_printf(log->fixture->arena, "%s :%zu", text, place.line);
    }
    return text;
}

static void assert_named_rows(const char *name, const char *text, int64_t p, const char *collective,
                              const char *rows)
{
    Fixture *fixture = fixture_open();
    Log log = log_named(fixture, name, text, p, collective);
    assert_no_error(fixture);
    ck_assert(log.is_read);
    ck_assert_str_eq(rows_of(&log), rows);
    fixture_close(fixture);
}

static void assert_rows(const char *text, int64_t p, const char *rows)
{
    assert_named_rows("log", text, p, NULL, rows);
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

#define IMB_ALLREDUCE                                                                              \
    "# Benchmarking Allreduce \n# #processes = 4 \n"                                               \
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"

#define NCCL_ONLY                                                                                  \
    "#       size  count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"

#define OSU_SCATTER                                                                                \
    "# OSU MPI Scatter Latency Test v5.8\n"                                                        \
    "# Size     Avg Latency(us)  Min Latency(us)  Max Latency(us)\n"

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
                8, "broadcast non-blocking (MPI-CUDA) p=8 4 B 5.25 us mean :5");
    assert_rows(
        "# OSU MPI Allgather Persistent Latency Test v7.4\n# Size  Avg Latency(us)\n4 2.50\n"
        "# OSU NCCL-CUDA Allreduce Latency Test v7.4\n# Size  Avg Latency(us)\n4 2.50\n",
        8,
        "allgather persistent p=8 4 B 2.5 us mean :3; "
        "allreduce default (NCCL-CUDA) p=8 4 B 2.5 us mean :6");
    assert_rows("[1,0]<stdout>:# OSU MPI Allreduce Latency Test v7.4\n"
                "[1,0]<stdout>:# Size       Avg Latency(us)        Validation\n"
                "[1,0]<stdout>:# Datatype: MPI_CHAR.\n"
                "[1,0]<stdout>:4   2.50      Pass\n",
                4, "allreduce default p=4 4 B 2.5 us mean :4");
}
END_TEST

/* Of a program that was started for this table, and says one number of ranks. */
START_TEST(lines_that_start_programs_say_on_how_many_ranks)
{
    static const struct {
        const char *line;
        int64_t p; /* 0: not known */
    } cases[] = {
        {"mpirun -np 16 ./osu_allreduce -f", 16},
        {"+ time mpiexec -n 12 --bind-to core /opt/osu/osu_allreduce", 12},
        {"$ srun -N 2 --ntasks=8 osu_allreduce -m 4:4096", 8},
        {"srun -n8 osu_iallreduce", 8},
        {"time jsrun -n 4 -a 6 -c 1 -r 1 ./osu_allreduce", 24},
        {"flux run -n 3 osu_allreduce_persistent", 3},
        {"srun --mpi=pmix -N2 --ntasks-per-node=4 /opt/osu/osu_allreduce -f", 8},
        {"srun --nodes 4 --ntasks-per-node 2 osu_allreduce", 8},
        {"mpirun -H a:4,b:4 ./osu_allreduce", 8},
        {"mpirun --host a,b ./osu_allreduce", 2},
        {"mpirun -H a:4,b -x A=1 ./osu_allreduce", 2},
        {"mpiexec.hydra -ppn 4 -hosts a,b ./osu_allreduce", 8},
        {"mpirun -n 6 -ppn 4 -hosts a,b ./osu_allreduce", 6},
        {"lrun -N 2 -T 4 ./osu_allreduce", 8},
        {"ibrun -n 5 ./osu_allreduce", 5},
        {"[me@login7 runs]$ PATH=x srun -n 3 osu_allreduce", 3},
        {"aprun -n 24 -N 12 ./osu_allreduce", 24},
        {"flux run -N2 --tasks-per-node=3 osu_allreduce", 6},
        {"srun -N 2 ./osu_allreduce", 0},
        {"mpiexec.hydra -hosts a,b ./osu_allreduce", 0},
        {"mpirun -np 16 ./osu_bcast", 0},
        {"mpirun ./osu_allreduce -np 16", 0},
        {"mpirun -np 16 -n 8 ./osu_allreduce", 0},
        {"mpirun -np 2 ./a : -np 14 ./osu_allreduce", 0},
        {"mpirun -np x ./osu_allreduce", 0},
        {"mpirun -np 1.5 ./osu_allreduce", 0},
        {"echo -np 16 ./osu_allreduce", 0},
        {"mpirun -np 16 ./osu_allreduce\nmpirun -np 16 ./osu_bcast", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        const char *text =
            arena_printf(fixture->arena, "%s\n" OSU_ALLREDUCE "4  2.50\n", cases[i].line);
        Log log = log_of(fixture, text, 0);
        ck_assert_msg(log.is_read == (cases[i].p > 0), "%s", cases[i].line);
        if (log.is_read)
            ck_assert_int_eq(log.rows.items[0].p, cases[i].p);
        take_messages(fixture);
        fixture_close(fixture);
    }
    assert_refused("mpirun -np 16 ./osu_allreduce\n" OSU_ALLREDUCE "4 2.50\n", 8, 1, 17,
                   "one of p = 16");
}
END_TEST

/* What launchers, services and terminals put before a line. */
START_TEST(marks_of_lines_are_passed_over)
{
    static const char *const marks[] = {
        "[0] ",
        "0: ",
        "[1,0]<stdout>:",
        "[1,0]<stdout>: ",
        "node-7: ",
        "worker-0  | ",
        "[2024-07-18T15:41:05.123Z] ",
        "2024-07-18T15:41:05.123456789Z ",
        "2024-07-18 15:41:05,123 ",
        "15:41:05  ",
        "Thu Jul 18 15:41:05 2024<stdout>:",
        "Thu Jul 18 15:41:05 2024[1,0]<stdout>:",
        "[pod/run-x7/worker] 2024-07-18T15:41:05+02:00 ",
        "\x1b[0;32m ",
        "> ",
        "pod/run-x7: ",
        "2024-07-18T15:41:05.123456Z 01O ",
        "2024-07-18T15:41:05.123456789Z stdout F ",
        "(worker, rank=0, pid=7) ",
        "Mar 05 15:41:05 node1 bash[12]: ",
        "2024-07-18T15:41:05+0200 node1 slurmstepd[12]: ",
        "run-x7 worker ",
        "INFO:root:",
        "build\tRun\t2024-07-18T15:41:05.123Z ",
        "I0718 15:41:05.123456 12 run.cc:4] ",
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        Fixture *fixture = fixture_open();
        const char *mark = marks[i];
        const char *text =
            arena_printf(fixture->arena, "%s%s%s%s%s4     2.50\x1b[0m\n%s1024  3.00\n", mark,
                         "# OSU MPI Allreduce Latency Test v5.8\n", mark,
                         "# Size       Avg Latency(us)\n", mark, mark);
        Log log = log_of(fixture, text, 4);
        assert_no_error(fixture);
        ck_assert_str_eq(rows_of(&log), "allreduce default p=4 4 B 2.5 us mean :3; "
                                        "allreduce default p=4 1024 B 3 us mean :4");
        fixture_close(fixture);
    }
    assert_refused("a b: # OSU MPI Allreduce Latency Test v5.8\n"
                   "a b: # Size       Avg Latency(us)\na b: 4 a b: # OSU MPI Allreduce 2.50\n",
                   4, 3, 6, "columns");
    assert_refused("4 2.50 x: # OSU MPI Allreduce Latency Test v5.8\n", 4, 1, 1, "no rows");
    assert_refused("0: # OSU MPI Allreduce Latency Test v5.8\n0: # Size       Avg Latency(us)\n"
                   "0: 4 2.50\n1: 8 2.60\n",
                   4, 4, 1, "another rank");
}
END_TEST

/* A row is used whole, or refused where it stands. */
START_TEST(rows_with_something_beside_them_are_refused)
{
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 3.00 (again)\n16 3.50\n", 4, 4, 1, "3 columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 3.00[a:7] 3 more\n16 3.50\n", 4, 4, 1, "4 columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\nwarning: late 8 3.00\n16 3.50\n", 4, 4, 1, "precedes");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 x.00\n16 3.50\n", 4, 4, 3, "cannot be");
    assert_refused(OSU_ALLREDUCE "late: 4 2.50\n8 3.00\n", 4, 3, 1, "precedes");
    assert_refused(OSU_ALLREDUCE "4 2.50\nx8 3.00\n", 4, 4, 1, "precedes");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8srun late 3.00\n", 4, 4, 1, "3 columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 mpirun -np 4 ./osu_bcast 3.00\n", 4, 4, 1, "columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n17x: 8 3.00\n", 4, 4, 1, "3 columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n.00\n", 4, 4, 1, "1 column,");
    assert_refused(IMB_ALLREDUCE "4 10x 2.00 3.00 2.50\n", 0, 4, 3, "cannot be");
    assert_refused(IMB_ALLREDUCE "4 1000 2.00 3.00 2.50 # slow\n", 0, 4, 1, "7 columns");
    assert_refused("# nThread 1 nGpus 4\n# Collective test starting: all_reduce_perf\n" NCCL_ONLY
                   "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A a:1 NCCL INFO b\n",
                   0, 4, 1, "columns");
    assert_refused("# nThread 1 nGpus 4\n# Collective test starting: all_reduce_perf\n" NCCL_ONLY
                   "a:1 NCCL INFO b8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n",
                   0, 4, 1, "precedes");
    assert_refused("# nThread 1 nGpus 4\n# Collective test starting: all_reduce_perf\n"
                   "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n",
                   0, 3, 1, "names the columns");
    assert_refused("|p|bytes|collective|time_us|\n|-|-|-|-|\nx |4|8|bcast|3|\n", 0, 3, 1,
                   "5 fields");
    assert_refused("collective,p,bytes,time_us\nbcast,4,8,3\nbca", 0, 3, 1, "1 field,");
    assert_rows(OSU_ALLREDUCE "4 2.50\n\n3 warnings\n", 4,
                "allreduce default p=4 4 B 2.5 us mean :3");
}
END_TEST

START_TEST(titles_and_columns_belong_together)
{
    assert_rows("# OSU MPI Allreduce Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
                "# Size       Avg Latency(us)\n4 2.50\n# Datatype: MPI_INT.\n"
                "# Size       Avg Latency(us)\n4 2.75\n",
                4,
                "allreduce default p=4 4 B 2.5 us mean :4; "
                "allreduce default (MPI_INT) p=4 4 B 2.75 us mean :7");
    assert_refused("# OSU MPI Allreduce Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
                   "# Size       Avg Latency(us)\n4 2.50\n# Datatype: MPI_CHAR.\n"
                   "# Size       Avg Latency(us)\n4 2.75\n",
                   4, 6, 1, "without a title");
    assert_refused("mpirun -np 4 osu_bcast\n" OSU_LATENCY "4 2.50\n", 4, 3, 1, "not the columns");
    assert_refused("# OSU MPI Latency Test v7.5\n"
                   "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n",
                   4, 2, 1, "not the columns");
    assert_refused("# OSU MPI Allreduce Latency Test v7.5\n"
                   "# Size  Overall(us)  Compute(us)  Pure Comm.(us)  Overlap(%)\n",
                   4, 2, 1, "not the columns");
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
    assert_refused("# Size       Avg Latency(us)\n4 2.50\n", 4, 1, 1, "which collective");
    assert_refused("", 4, 1, 1, "no rows");
    assert_refused("4 2.50\n8 3.00\n", 4, 1, 1, "no rows");
    assert_refused(OSU_ALLREDUCE, 4, 1, 7, "no rows");
    assert_refused("# OSU MPI_Put Latency Test v5.8\n# Size          Latency (us)\n4 1.00\n", 4, 1,
                   7, "it has");
    assert_refused("# OSU MPI Allreduce Latency Test v5.8\n4 2.50\n", 4, 2, 1, "names the columns");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 2.\n", 4, 4, 3, "cut off");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 2.5\n", 4, 4, 3, "1 digit after");
    assert_refused(OSU_ALLREDUCE "4 2.50", 4, 3, 3, "no end");
    assert_rows(OSU_ALLREDUCE "4 2.50\r", 4, "allreduce default p=4 4 B 2.5 us mean :3");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8\n", 4, 4, 1, "1 column,");
    assert_refused(OSU_ALLREDUCE "4 2.50\n8 2.50 1\n", 4, 4, 1, "3 columns");
    assert_refused(OSU_ALLREDUCE "4 nan\n", 4, 3, 3, "above 0");
    assert_refused(OSU_ALLREDUCE "4 0.00\n", 4, 3, 3, "above 0");
    assert_refused(OSU_ALLREDUCE "4.5 2.00\n", 4, 3, 1, "whole number");
    assert_refused(OSU_ALLREDUCE "4 2.00\n4 2.00\n", 4, 4, 1, "rise");
    assert_refused(OSU_ALLREDUCE "4 2.00\n# Size          Latency (us)\n1 1.00\n", 4, 4, 1,
                   "without a title");
    assert_refused(OSU_ALLREDUCE "4 2.00\nsrun: error: node7: task 3: Killed\n", 4, 4, 1, "failed");
    assert_refused(OSU_ALLREDUCE "4 2.00\n[n1:9] *** An error occurred in MPI_Recv\n", 4, 4, 8,
                   "failed");
    assert_refused(OSU_ALLREDUCE "4 2.00\nFatal error in PMPI_Recv: Other\n", 4, 4, 1, "failed");
    assert_refused("# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n7.25\n7.25\n", 4, 4, 1,
                   "one row");
    assert_refused("# OSU MPI Barrier Latency Test v5.8\n# Size    Avg Latency(us)\n4 7.25\n", 4, 2,
                   1, "not the columns");
    assert_refused(OSU_SCATTER "4 2.00 1.00 1.50\n", 4, 3, 3, "between");
    assert_refused(OSU_SCATTER "4 2.00 2.50 3.00\n", 4, 3, 3, "between");
    assert_refused(OSU_SCATTER "4 2.00 1.00 2.5\n", 4, 3, 13, "cut off");
    assert_refused(OSU_SCATTER "4 2.00 1. 2.50\n", 4, 3, 8, "cut off");
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

START_TEST(imb_tables_are_read)
{
    assert_rows("# Benchmarking PingPong \n# #processes = 2 \n"
                "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                "            0         1000         1.25         0.00\n"
                "      1048576           40       100.00      10000.00\n",
                64,
                "point-to-point direct p=2 0 B 1.25 us round-trip :4; "
                "point-to-point direct p=2 1.04858e+06 B 100 us round-trip :5");
    assert_rows(IMB_ALLREDUCE "0 1000 0.00 0.00 0.00\n4 1000 2.00 3.00 2.50\n"
                              "# Benchmarking Reduce_scatter\n# #processes = 4 \n"
                              "# ( 4 additional processes waiting in MPI_Barrier)\n"
                              "t_max[usec] #bytes t_min[usec] t_avg[usec]\n",
                0, "allreduce default p=4 4 B 3 us iterations :5");
    assert_rows("# Benchmarking Reduce_scatter\n# #processes = 4 \n"
                "#bytes t_max[usec] t_min[usec] t_avg[usec]\n64 3.00 2.00 2.50\n",
                0, "reduce-scatter default p=4 16 B 3 us iterations :4");
    assert_rows("# Benchmarking Barrier\n# #processes = 8 \n"
                "#repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n1000 2.00 3.00 2.50\n",
                0, "barrier default p=8 0 B 3 us iterations :4");
    assert_rows(
        "# Benchmarking Ireduce_scatter\n# #processes = 4 \n"
        "#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%]\n"
        "64 1000 4.00 3.00 2.50 50.00\n128 time-out.; Time limit is over\n"
        "256 out-of-mem.; needed X=   4.001 GB; use flag \"-mem X\"\n512 int-overflow.; The size\n"
        "# Benchmarking Ibcast_pure\n# #processes = 4 \n"
        "#bytes t_max[usec] t_min[usec] t_avg[usec]\n64 3.00 2.00 2.50\n",
        0,
        "broadcast non-blocking p=4 64 B 3 us iterations :11; "
        "reduce-scatter non-blocking p=4 16 B 3 us iterations :4");
    assert_rows("# Benchmarking Window\n# #processes = 8 \n#bytes t[usec]\n4 1.00\n" IMB_ALLREDUCE
                "4 1000 2.00 3.00 2.50\n",
                0, "allreduce default p=4 4 B 3 us iterations :8");
}
END_TEST

/* -multi 0 and 1, -map, and what IMB was until version 2. */
START_TEST(imb_tables_of_groups_are_read)
{
#define GROUPS(collective)                                                                         \
    "# Benchmarking Multi-" collective " \n"                                                       \
    "# ( 2 groups of 4 processes each running simultaneous ) \n"                                   \
    "# Group  0:     0    1    2    3\n# \n# Group  1:     4    5    6    7\n# \n"
    assert_rows(
        GROUPS("Allreduce") "#bytes t_max[usec] t_min[usec] t_avg[usec]\n8 3.00 2.00 2.50\n", 0,
        "allreduce default (2 groups at once) p=4 8 B 3 us iterations :8");
    assert_rows(
        GROUPS(
            "Ibcast_pure") "        Group       #bytes  t_min[usec]  t_max[usec]  t_avg[usec]\n\n"
                           "            0            8         2.00         3.00         2.50\n"
                           "            1            8         2.00         4.00         2.50\n\n"
                           "            0           16         2.00         5.00         2.50\n",
        0,
        "broadcast non-blocking (2 groups at once, Group 0) p=4 8 B 3 us iterations :9; "
        "broadcast non-blocking (2 groups at once, Group 0) p=4 16 B 5 us iterations :12; "
        "broadcast non-blocking (2 groups at once, Group 1) p=4 8 B 4 us iterations :10");
    assert_rows(GROUPS("Barrier") "Group #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                                  "0 1000 2.00 3.00 2.50\n1 1000 2.00 4.00 2.50\n",
                0,
                "barrier default (2 groups at once, Group 0) p=4 0 B 3 us iterations :8; "
                "barrier default (2 groups at once, Group 1) p=4 0 B 4 us iterations :9");
    assert_refused(GROUPS("Allreduce") "Group #bytes t_max[usec] t_min[usec] t_avg[usec]\n"
                                       "0 16 3.00 2.00 2.50\n1 8 3.00 2.00 2.50\n",
                   0, 9, 3, "rise");
    assert_refused(GROUPS("PingPong") "#bytes t[usec] Mbytes/sec\n0 1.00 0.00\n", 0, 2, 17,
                   "2 processes");
#undef GROUPS
    assert_refused("# Benchmarking Multi-Allreduce\n# #processes = 4\n", 0, 2, 1, "one number");
    assert_rows("# Benchmarking Bcast\n# #processes = 4; rank order (rowwise): \n#     0    2\n# \n"
                "#     1    3\n# \n#bytes t_max[usec] t_min[usec] t_avg[usec]\n8 3.00 2.00 2.50\n",
                0, "broadcast default (ranks mapped) p=4 8 B 3 us iterations :8");
    assert_rows("# Benchmarking Bcast\n# ( #processes = 4 ) \n"
                "# ( 2 additional processes waiting in MPI_Barrier)\n"
                "#bytes t_max[usec] t_min[usec] t_avg[usec]\n8 3.00 2.00 2.50\n",
                0, "broadcast default p=4 8 B 3 us iterations :5");
}
END_TEST

START_TEST(imb_tables_that_contradict_themselves_are_refused)
{
    assert_refused(
        "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n4 9 1.00 2.00 1.50\n", 4, 1, 1,
        "which collective");
    assert_refused("# Benchmarking Bcast\n# #processes = 4 12\n", 0, 2, 1, "one number");
    assert_refused("# Benchmarking Bcast\n# #processes = 4\n"
                   "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  defects\n"
                   "4 9 1.00 2.00 1.50 0.00\n8 9 1.00 2.00 1.50 2.00\n",
                   0, 5, 20, "wrong");
    assert_refused("# Benchmarking Allreduce\n#bytes t_min[usec] t_max[usec] t_avg[usec]\n"
                   "4 2.00 3.00 2.50\n",
                   0, 2, 1, "number of processes");
    assert_refused(IMB_ALLREDUCE "# #processes = 8\n4 1000 2.00 3.00 2.50\n", 0, 4, 1,
                   "one number");
    assert_refused(IMB_ALLREDUCE "4 1000 2.00 3.00 3.50\n", 0, 4, 18, "between");
    assert_refused(IMB_ALLREDUCE "4 1000 2. 3.00 2.50\n", 0, 4, 8, "cut off");
    assert_refused(IMB_ALLREDUCE "4 1000 2.00 3.0 2.50\n", 0, 4, 13, "cut off");
    assert_refused(IMB_ALLREDUCE "4 1000 2.00 3.00\n", 0, 4, 1, "4 columns");
    assert_refused(IMB_ALLREDUCE "4 1000 2.00 3.00 2.50\n"
                                 "#bytes t_min[usec] t_max[usec] t_avg[usec]\n",
                   0, 5, 1, "without a title");
    assert_refused("# Benchmarking Allreduce\n# #processes = 8\n4 1000 2.00 3.00 2.50\n", 0, 3, 1,
                   "names the columns");
    assert_refused("# Benchmarking PingPong \n# #processes = 2 \n#bytes t[usec] Mbytes/sec\n"
                   "1048576 100.00 9000.00\n",
                   0, 4, 16, "contradicts");
}
END_TEST

#define NCCL_RANKS                                                                                 \
    "# nThread 1 nGpus 1 minBytes 8\n# Using devices\n"                                            \
    "#  Rank  0 Group  0 Pid  7 on a device  0 [0x07] X\n"                                         \
    "#  Rank  1 Group  0 Pid  8 on a device  1 [0x08] X\n"                                         \
    "#  Rank  2 Group  0 Pid  7 on b device  0 [0x07] X\n"                                         \
    "#  Rank  3 Group  0 Pid  8 on b device  1 [0x08] X\n"
#define NCCL_COLUMNS                                                                               \
    "#       size  count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"        \
    "#        (B)  (elements)            (us)  (GB/s)  (GB/s)    (us)  (GB/s)  (GB/s)\n"

START_TEST(nccl_tests_are_read)
{
    assert_rows(
        "# nccl-tests version 2.17\n# Collective test starting: all_reduce_perf\n" NCCL_RANKS
            NCCL_COLUMNS "0 0 float sum -1 0.10 0.00 0.00 0 0.10 0.00 0.00 0\n"
        "a:1:2 [0] NCCL INFO Channel 00\n"
        "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 N/A\n"
        "# Out of bounds values : 0 OK\n"
        "# Collective test starting: all_gather_perf\n" NCCL_RANKS NCCL_COLUMNS
        "1000000 62500 float none -1 100.0 10.00 7.50 0 N/A N/A N/A N/A\n",
        0,
        "allgather default p=4 250000 B 100 us iterations n=2 :24; "
        "allreduce default p=4 1e+06 B 100 us iterations n=2 :13");
    assert_rows("# Collective test starting: reduce_scatter_perf\n" NCCL_RANKS
                "#         in-place       out-of-place\n"
                "#  size count type redop time algbw busbw error time algbw busbw error\n"
                "1000000 250000 float sum 200.0 5.00 3.75 1e-07 100.0 10.00 7.50 1e-07\n",
                4, "reduce-scatter default p=4 250000 B 100 us iterations n=2 :10");
    assert_rows("# Collective test starting: all_reduce_perf\n# Using devices\n"
                "#  Rank  0 Group  0 Pid  7 on a device  0 [0x07] X\n"
                "#  Rank  1 Group  0 Pid  7 on b device  0 [0x07] X\n"
                "#  Rank  2 Group  0 Pid  8 on b device  1 [0x08] X\n"
                "#  Rank  3 Group  0 Pid  8 on a device  1 [0x08] X\n" NCCL_COLUMNS
                "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 0\n",
                0, "allreduce default p=4 1e+06 B 100 us iterations n=2 :9");
}
END_TEST

START_TEST(nccl_tests_that_contradict_themselves_are_refused)
{
#define NCCL_START "# Collective test starting: all_gather_perf\n" NCCL_RANKS NCCL_COLUMNS
    assert_refused("# Collective test starting: all_reduce_perf\n# Using devices\n"
                   "#  Rank  0 Group  0 Pid  7 on a device  0 [0x07] X\n"
                   "#  Rank  1 Group  0 Pid  7 on b device  0 [0x07] X\n"
                   "#  Rank  2 Group  0 Pid  8 on b device  1 [0x08] X\n" NCCL_COLUMNS
                   "1000000 250000 float sum -1 100.0 10.00 13.33 0 200.0 5.00 6.67 0\n",
                   0, 1, 29, "some hosts have more ranks than others");
    assert_refused(NCCL_START "1000000 62500 float none -1 100.0 10.00 7.50 0\n", 0, 10, 1,
                   "9 columns");
    assert_refused(NCCL_START "1000000 62500 float none -1 100.0 11.00 7.50 0 1 1 1 0\n", 0, 10, 35,
                   "10.00 GB/s");
    assert_refused(NCCL_START "1000000 62500 float none -1 100.0 10.00 15.00 0 1 1 1 0\n", 0, 10,
                   41, "7.50 GB/s");
    assert_refused(NCCL_START "1000000 62500 float sum -1 100.0 10.00 7.50 0 1 1 1 0\n", 0, 10, 21,
                   "no such");
    assert_refused(NCCL_START "1000000 62500 float none -1 100.0 10.00 7.50 3 1 1 1 0\n", 0, 10, 46,
                   "wrong");
    assert_refused(NCCL_START "1000000 62500 float none -1 100.0 10.00 7.50 0 1 1 1 0\n", 8, 1, 29,
                   "not of 8");
    assert_refused("# nThread 1\n#  Rank  0 on a\n#  Rank  2 on a\n", 0, 3, 10, "rank 1");
    assert_refused("# nThread 1\n#  Rank  0 on a\n" NCCL_COLUMNS, 0, 1, 1, "--collective");
    assert_refused(NCCL_START "96 8 float none -1 100.0 0.00 0.00 0 1 1 1 0\n", 0, 10, 4,
                   "count does not give");
    assert_refused(NCCL_START "1000000 62500 float none -1 7 142.86 107.14 0 1 1 1 0\n", 0, 10, 29,
                   "no digits after");
    assert_refused(NCCL_START "a: Test NCCL failure common.cu:1012\n", 0, 10, 9, "failed");
}
END_TEST

/* 10 GB/s: the less digits a time has, the more may its rate differ. */
static const struct {
    const char *row;
    size_t column; /* of what contradicts; 0: nothing */
} rates[] = {
    {"10000 2500 int8 none -1 1.00 10.08 7.56", 0},
    {"10000 2500 int8 none -1 1.00 10.09 7.56", 30},
    {"10000 2500 int8 none -1 1.00 9.92 7.44", 0},
    {"10000 2500 int8 none -1 1.00 9.90 7.44", 30},
    {"100000 25000 int8 none -1 10.00 10.03 7.52", 0},
    {"100000 25000 int8 none -1 10.00 10.04 7.52", 33},
    {"100000 25000 int8 none -1 10.00 9.97 7.48", 0},
    {"100000 25000 int8 none -1 10.00 9.96 7.48", 33},
    /* 0.019 GB/s; the second rate is 3/4 of it, or of the first one as printed */
    {"1900 475 int8 none -1 100.00 0.01 0.00", 0},
    {"1900 475 int8 none -1 100.00 0.01 0.02", 0},
    {"1900 475 int8 none -1 100.00 0.01 0.03", 35},
};

START_TEST(printed_rates_are_rounded_or_cut_off)
{
    Fixture *fixture = fixture_open();
    const Log log = log_of(
        fixture, arena_printf(fixture->arena, NCCL_START "%s 0 1 1 1 0\n", rates[_i].row), 0);
    if (rates[_i].column)
        assert_error_at(fixture, "log", 10, rates[_i].column);
    else
        ck_assert_uint_eq(log.rows.count, 1);
    ck_assert(log.is_read == !rates[_i].column);
    fixture_close(fixture);
}
END_TEST

/* Versions that leave operation or root blank; names of files; tables without the lines above; what
 * NCCL says. */
START_TEST(nccl_tests_of_all_versions_are_read)
{
    assert_named_rows("nccl-all-gather.log",
                      "# nThread 1 nGpus 4\n" NCCL_ONLY
                      "1000000 62500 float none -1 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n",
                      4, NULL, "allgather default p=4 250000 B 100 us iterations :3");
    assert_named_rows("all_to_all-4gpu.log",
                      "#  size count type redop time algbw busbw error time algbw busbw error\n"
                      "1000000 62500 float 100.0 10.00 7.50 0e+00 200.0 5.00 3.75 0e+00\n",
                      4, NULL, "alltoall default p=4 250000 B 100 us iterations :2");
    assert_named_rows("log",
                      NCCL_ONLY "1000000 62500 float none 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n",
                      4, "gather", "gather default p=4 250000 B 100 us iterations :2");
    assert_named_rows("log", NCCL_ONLY "1000000 62500 float 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n",
                      4, "alltoall", "alltoall default p=4 250000 B 100 us iterations :2");
    assert_rows(
        "$ mpirun -np 2 ./all_reduce_perf -g 2\n# nThread 1 nGpus 2\n"
        "# Collective test starting: all_reduce_perf\n" NCCL_ONLY
        "a:1:2 [0] NCCL INFO AllReduce: 1000000 Bytes -> Algo RING proto LL128 channel{0..7}\n"
        "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 N/A\n",
        0, "allreduce default p=4 1e+06 B 100 us iterations ran=ring_ll128 :6");
    assert_rows("a:1:2 [0] NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 2 localRanks 2\n"
                "# Collective test starting: all_reduce_perf\n" NCCL_ONLY
                "a:1:2 [0] NCCL INFO 1000000 Bytes -> Algo 0 proto 2 time 9.5\n"
                "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 N/A\n",
                0, "allreduce default p=4 1e+06 B 100 us iterations n=2 ran=tree_simple :5");
    assert_named_rows(
        "allreduce.md",
        "| size (B) | count | type | redop | root | time (us) | algbw (GB/s) | busbw (GB/s) |\n"
        "|---:|---|---|---|---|---|---|---|\n"
        "| 1000000 | 250000 | float | sum | -1 | 100.0 | 10.00 | 15.00 |\n",
        4, NULL, "allreduce default p=4 1e+06 B 100 us iterations :3");
}
END_TEST

/* Before 2019 times are in ms, and rates of blocks are those of what other ranks have; the tests of
   NCCL 1 print the size of a block. */
START_TEST(nccl_tests_with_times_in_ms_are_read)
{
#define DEVICES "# Using devices\n#   Device  0 ->  0 [0x0a] X\n#   Device  1 ->  1 [0x09] X\n"
#define RANKS                                                                                      \
    "# Using devices\n#   Rank  0 on  a device  0 [0x0a] X\n#   Rank  1 on  a device  1 [0x09] "   \
    "X\n"
#define GATHERED "#      bytes             N    type     time  algbw  busbw      res\n"
    assert_rows(
        "$ ./build/test/single/all_reduce_test 10000000\n" DEVICES
        "#      bytes             N    type      op     time  algbw  busbw      res     time  "
        "algbw  busbw      res\n"
        "    10000000      10000000    char     sum    1.628   6.14   6.14    0e+00    1.932  "
        " 5.18   5.18    0e+00\n",
        0, "allreduce default p=2 1e+07 B 1628 us iterations :6");
    assert_named_rows("log",
                      RANKS GATHERED "1048576 131072 float 0.050 10.49 10.49 0e+00\n"
                                     "8 1 float 0.009 0.00 0.00 N/A\n",
                      0, "allgather",
                      "allgather default p=2 4 B 9 us iterations n=2 :6; "
                      "allgather default p=2 524288 B 50 us iterations n=2 :5");
    assert_named_rows("log", DEVICES GATHERED "524288 131072 float 0.050 10.49 10.49 0e+00\n", 0,
                      "allgather", "allgather default p=2 524288 B 50 us iterations :5");
    assert_refused("$ ./all_gather_test 5\n" DEVICES GATHERED
                   "524288 131072 float 0.050 10.49 5.24 0e+00\n",
                   0, 6, 33, "bus bandwidth of 10.49");
#undef DEVICES
#undef RANKS
#undef GATHERED
}
END_TEST

#define NCCL_GATHERED "1000000 62500 float none -1 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n"

/* The line that started a program of nccl-tests names it, but for where two could be meant. */
/* Something that falls into a word makes no other row of it; a date at the end is none. */
START_TEST(nccl_rows_name_what_is_known)
{
#define FOUR "# nThread 1 nGpus 4\n# Collective test starting: all_reduce_perf\n"
#define TIMES " 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
    assert_rows(FOUR NCCL_ONLY "8 2 float sum -1" TIMES "16 2 double prod -1" TIMES, 4,
                "allreduce default p=4 8 B 10 us iterations :4; "
                "allreduce default (type double, redop prod) p=4 16 B 10 us iterations :5");
    assert_refused(FOUR NCCL_ONLY "8 2 float sum -1" TIMES "16 4 flxoat sum -1" TIMES, 4, 5, 6,
                   "'flxoat' here, but 'float'");
    assert_refused(FOUR NCCL_ONLY "8 2 float sxum -1" TIMES "16 4 float sum -1" TIMES, 4, 5, 12,
                   "but 'sxum'");
    assert_refused(FOUR NCCL_ONLY "8 2 float sum -1" TIMES "16 4 float sum 1" TIMES, 4, 5, 16,
                   "but '-1'");
    assert_rows(FOUR "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong "
                     "timestamp\n"
                     "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 0 2025-03-05 10:11:12\n",
                4, "allreduce default p=4 8 B 10 us iterations :4");
#define JSON(alg)                                                                                  \
    "{\"args\": [\"a/all_gather_perf\", \"-J\"], \"config\": {\"devices\": [\n"                    \
    "{\"hostname\": \"a\"}, {\"hostname\": \"b\"}]}, \"results\": [\n"                             \
    "{\"size\": 1000000, \"count\": 125000, \"type\": \"float\", \"redop\": \"none\",\n"           \
    "\"root\": \"    -1\", \"out_of_place\": {\"time\": 100.5, \"alg_bw\": " #alg                  \
    ",\n\"bus_bw\": 4.97512, \"nwrong\": null}},\n"                                                \
    "{\"size\": 2000000, \"out_of_place\": null}]}\n"
    assert_rows(JSON(9.95024), 0, "allgather default p=2 500000 B 100.5 us iterations n=1 :3");
    assert_refused(JSON(9), 0, 3, 1, "contradicts itself");
#undef JSON
#undef FOUR
#undef TIMES
}
END_TEST

START_TEST(nccl_tests_are_named_by_what_started_them)
{
    static const char *const lines[] = {
        "mpirun -np 4 ./build/all_gather_perf -b 8\n",
        "$ ./all_gather_perf -b 8 -e 1G\n",
        "u@h:~$ NCCL_DEBUG=WARN build/all_gather_perf\n",
        "+ srun -n 4 all_gather_perf\n+ srun -n 4 all_gather_perf -b 8\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Fixture *fixture = fixture_open();
        const char *text = arena_printf(
            fixture->arena, "%s# nThread 1 nGpus 1\n" NCCL_ONLY NCCL_GATHERED, lines[i]);
        Log log = log_named(fixture, "reduce.log", text, 4, NULL);
        assert_no_error(fixture);
        ck_assert(strstr(rows_of(&log), "allgather default p=4 250000 B 100 us iterations :"));
        fixture_close(fixture);
    }
    assert_refused(
        "$ ./all_gather_perf -b 8\n$ ./all_reduce_perf -b 8\n# nThread 1 nGpus 1\n" NCCL_ONLY
            NCCL_GATHERED,
        4, 3, 1, "give --collective");
    assert_refused("mpirun ./all gather_perf\n# nThread 1 nGpus 1\n" NCCL_ONLY NCCL_GATHERED, 4, 4,
                   26, "gather has a root");
    assert_refused("all_gather_perf 4 12\n# nThread 1 nGpus 1\n" NCCL_ONLY NCCL_GATHERED, 4, 2, 1,
                   "give --collective");
    assert_rows("| Collective | Ranks | Size (bytes) | Avg Latency (us) |\n|---|---|---|---|\n"
                "| Allreduce | 4 | 8 | 2.5 |\n",
                0, "allreduce default p=4 8 B 2.5 us mean :3");
    assert_rows("collective,p,Size (KB),time_us\nallreduce,4,8,2.5\n", 0,
                "allreduce default p=4 8192 B 2.5 us last :2");
    assert_refused("#@datatype_extent_bytes=4\n  test  nrep  count  runtime_sec\n"
                   "  MPI_Allreduce  0  1  0.0000040000\n",
                   0, 2, 3, "on how many ranks ReproMPI was");
}
END_TEST

START_TEST(other_benchmarks_are_read)
{
    assert_rows("Collective:             Allreduce\nMemory type:            host\n\n"
                "       Count        Size                Time, us\n"
                "                                 avg         min         max\n"
                "           1           4        2.50        2.00        3.00\n"
                "           2           8        2.75        2.25        3.50\n",
                4,
                "allreduce default p=4 4 B 3 us last :6; allreduce default p=4 8 B 3.5 us last :7");
    assert_rows("  RDMA_Write Latency Test\n"
                " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n"
                "Conflicting CPU frequency values detected\n"
                " 2       1000          1.75           6.25         2.00                2.25"
                "             0.06            1.88                    6.12\n",
                0, "point-to-point direct p=2 2 B 2 us round-trip :4");
    assert_rows("  Send BW Test\n"
                " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
                " 1048576    1000           1100.00            1000.00              0.001000\n",
                0, "point-to-point direct p=2 1.04858e+06 B 1000 us stream :3");
    assert_refused(
        "  RDMA_Read BW Test\n #bytes     #iterations    BW average[MB/sec]\n 8  9  7.00\n", 2, 1,
        3, "it has");
    assert_rows(
        "# Benchmarking: reduce_scatter \n# #processes: 4\n"
        "#bytes  #elem_count  #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  stddev[%]\n"
        "64  16  100  2.00  3.00  2.50  1.00\n",
        0, "reduce-scatter default p=4 64 B 3 us iterations :4");
    assert_rows(
        "{\n \"header\": {\"rank\": 2, \"n_ranks\": 8, \"nnodes\": 2},\n \"coll_perf\": {\n"
        "  \"coll\": \"AllReduce\", \"coll_algo\": \"unknown\", \"coll_proto\": \"LL\", "
        "\"coll_msg_size_bytes\": 1000000,\n"
        "  \"coll_exec_time_us\": 100, \"coll_algobw_gbs\": 10.0, \"coll_busbw_gbs\": 17.5}}\n"
        "{\"coll_perf\":{\"coll\":\"AllGather\",\"coll_algo\":\"RING\",\"coll_proto\":\"LL\","
        "\"coll_msg_size_bytes\":1000,\"coll_exec_time_us\":10,"
        "\"coll_algobw_gbs\":0.8,\"coll_busbw_gbs\":0.7}}\n",
        0,
        "allgather default p=8 1000 B 10 us mean n=4 ran=ring_ll :6; "
        "allreduce default p=8 1e+06 B 100 us mean n=4 :5");
    assert_rows(
        "  Send Latency Test\n #bytes #iterations  t_avg[usec]    tps average\n 8 99 1.50 6.00\n",
        0, "point-to-point direct p=2 8 B 1.5 us round-trip :3");
    assert_rows("# Benchmarking: allreduce\n# #processes: 4\n#bytes  #repetitions  t_avg[usec]\n"
                "64  16  2.50\n",
                0, "allreduce default p=4 64 B 2.5 us iterations :4");
    assert_rows("Collective:   Barrier\n\n  Count  Size      Time, us\n      avg   min    max\n"
                "  N/A   N/A   2.50 2.00 3.00\n",
                4, "barrier default p=4 0 B 3 us last :5");
    assert_named_rows("a/256_ring_int32.csv",
                      "highest,rank0,rank1\n2000,2000,1500\n3000,100,3000\n", 0, "allgather",
                      "allgather ring p=2 512 B 2.5 us last x2 :2");
}
END_TEST

/* Columns that are not known make rows others, where they say words or whole numbers. */
START_TEST(columns_keep_apart_what_differs)
{
    assert_rows(
        "collective,size_bytes,algorithm,protocol,channels,nodes,ranks,pipeOps,regBuff,latency_us\n"
        "allgather,1024,ring,ll,4,2,8,1,0,12.5\nallgather,1024,ring,simple,-1,2,8,1,0,11.5\n",
        0,
        "allgather ring_ll (channels 4, regBuff 0) p=8 128 B 12.5 us last n=4 :2; "
        "allgather ring_simple (regBuff 0) p=8 128 B 11.5 us last n=4 :3");
    assert_rows("collective,bytes,segsize,time_us,notes\nbcast,8,16,3,good\nbcast,8,32,5,bad\n", 4,
                "broadcast default (segsize 16) p=4 8 B 3 us last :2; "
                "broadcast default (segsize 32) p=4 8 B 5 us last :3");
    assert_rows("# nThreads: 1 nGpus: 2 nRanks: 2 minBytes: 8\n# Collective test starting: "
                "all_reduce_perf\n" NCCL_ONLY
                "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
                "8 4 half sum -1 12.00 0.00 0.00 0 13.00 0.00 0.00 N/A\n",
                4,
                "allreduce default p=4 8 B 10 us iterations :4; "
                "allreduce default (type half) p=4 8 B 12 us iterations :5");
    assert_rows("collective,bytes,transport,time_us,share\nbcast,8,tcp,3,0.5\nbcast,8,tcp,5,0.6\n"
                "bcast,8,ib,1,0.7\n",
                4,
                "broadcast default (transport ib) p=4 8 B 1 us last :4; "
                "broadcast default (transport tcp) p=4 8 B 4 us last x2 :2");
    assert_rows("| collective | p | bytes | median_us |\n|---|---|---|---|\n| bcast | `4` | 8 | "
                "**2.5** |\n",
                0, "broadcast default p=4 8 B 2.5 us last :3");
}
END_TEST

START_TEST(columns_are_read)
{
    assert_rows(
        "system,nodes,ranks_per_node,collective,algorithm,total_bytes,median_us,min_us,runs\n"
        "lumi,4,2,allgather,ring_x,800,12.5,11,3\n",
        0, "allgather ring_x p=8 100 B 12.5 us last n=2 x3 :2");
    assert_rows("Latency (ms);\"Algorithm\";Processes;Message Size;Collective\n"
                "0.5;\"flat\";8;100;MPI_Bcast\n",
                0, "broadcast flat p=8 100 B 500 us last :2");
    assert_rows("collective,bytes,avg_us,finish\nallreduce,8,3,last\nallreduce,8,4,last\n"
                "done\n",
                4, "allreduce default p=4 8 B 3.5 us last x2 :2");
    assert_rows("collective,bytes,time_us\nallreduce,8,3", 4,
                "allreduce default p=4 8 B 3 us last :2");
    assert_rows("coll,bytes,min_us,avg_us,max_us\nbcast,8,2,3,4\n", 4,
                "broadcast default p=4 8 B 4 us last :2");
    assert_rows("coll,bytes,min,avg_us,max_s\nbcast,8,2,3,0.000003\n", 4,
                "broadcast default p=4 8 B 3 us last :2");
    assert_rows("benchmark,collective,size_mb,time_us\nOSU,allreduce,2.5,3.5\n", 4,
                "allreduce default (benchmark OSU) p=4 2.62144e+06 B 3.5 us last :2");
    assert_rows("collective,size (GiB),time_us\nallreduce,1,3.5\n", 4,
                "allreduce default p=4 1.07374e+09 B 3.5 us last :2");
    assert_rows(
        "collective;bytes;time_us\nallreduce;8;3,25\nallreduce;16;4\nallreduce;32;1,234\nallreduce;"
        "64;5,50",
        4,
        "allreduce default p=4 8 B 3.25 us last :2; allreduce default p=4 16 B 4 us last :3; "
        "allreduce default p=4 32 B 1.234 us last :4; "
        "allreduce default p=4 64 B 5.5 us last :5");
}
END_TEST

/* What is lost in one row of many, or among the names. */
START_TEST(columns_that_lack_something_are_refused)
{
#define ROW(algorithm, m) algorithm ",4," #m ",3,bcast\n"
    assert_refused("algorithm,p,m,time_us,coll\n", 0, 1, 1, "no rows");
    assert_refused("algorithm,p,bytes,time_us,coll\n" ROW("a", 8) ROW("", 16) ROW("a", 32)
                       ROW("a", 64),
                   0, 3, 1, "only this row has no algorithm");
    assert_rows("algorithm,p,bytes,time_us,coll\n" ROW("a", 8) ROW("", 8), 0,
                "broadcast a p=4 8 B 3 us last :2; broadcast default p=4 8 B 3 us last :3");
    assert_refused("p,bytes,time_us,coll,\n4,8,3,bcast,a\n", 0, 1, 22, "no name");
    assert_rows(",p,bytes,time_us,coll\n0,4,8,3,bcast\n1,4,8,4,bcast\n", 0,
                "broadcast default p=4 8 B 3.5 us last x2 :2");
    assert_rows("NumProcs,MsgSize,AvgLatency_us,coll\n4,2KiB,3,bcast\n", 0,
                "broadcast default p=4 2048 B 3 us mean :2");
    assert_rows("world_size,size,time_us,coll,busbw\n4,1024,3,allgather,0.5\n", 0,
                "allgather default p=4 256 B 3 us last :2");
    assert_refused("p,bytes,coll,time_us\n4,8,bcast,3.25\n4,16,bcast,3.5", 0, 3, 12, "cut off");
    assert_refused("p,bytes,time_us,coll\n4,8,3,reduce-scatter\n4,16,3,reduce", 0, 3, 6, "cut off");
    assert_rows("p,bytes,coll,time_us\n4,8,bcast,3.25\n4,16,bcast,3.50", 0,
                "broadcast default p=4 8 B 3.25 us last :2; "
                "broadcast default p=4 16 B 3.5 us last :3");
    assert_rows("p | size | coll | avg_us\n---|---|---|---\n4 | 8 | bcast | 3\n", 0,
                "broadcast default p=4 8 B 3 us mean :3");
#undef ROW
}
END_TEST

START_TEST(columns_that_contradict_themselves_are_refused)
{
    assert_refused("collective,bytes,latency\nallreduce,8,3\n", 4, 1, 18, "--unit");
    assert_refused("bytes,latency_us\n8,3\n", 4, 2, 1, "--collective");
    assert_refused("collective,bytes,time_us\nallreduce,8,3\n", 0, 2, 1, "give -p");
    assert_refused("collective,bytes,time_us\nallreduce,8\n", 4, 2, 1, "2 fields");
    assert_refused("collective,bytes,time_us\nallreduce,8,.5\n", 4, 2, 13, "above 0");
    assert_refused("collective,bytes,time_us\nallreduce,x,3\n", 4, 2, 11, "whole number");
    assert_refused("collective,bytes,time_us\nallreduce,8,-3\n", 4, 2, 13, "above 0");
    assert_refused("coll,bytes,min_us,avg_us,max_us\nbcast,8,2,3,4\nbcast,16,20,30,4\n", 4, 3, 16,
                   "between the least");
    assert_refused("coll,bytes,t_max (us),time_ms\nbcast,8,4,0.03\n", 4, 2, 11,
                   "between the least");
    assert_refused("coll;bytes;time_us\nbcast;8;3,25\nbcast;16;4.5\n", 4, 3, 10, "decimal point");
    assert_refused("coll;bytes;time_us\nbcast;8;3.25\nbcast;16;4,5\n", 4, 3, 10, "decimal point");
    assert_refused("coll;bytes;time_us\nbcast;8;1,024\nbcast;16;12,345\n", 4, 2, 9, "thousands");
    assert_refused("coll;bytes;time_us\nbcast;8;1,024\ncoll;bytes;time_us\nbcast;8;1,02\n", 4, 2, 9,
                   "thousands");
    assert_refused("coll;bytes;time_us\nbcast;8;1,234,567\n", 4, 2, 9, "above 0");
    assert_refused("collective,bytes,time_us\nalreduce,8,3\n", 4, 2, 1, "not a known collective");
    assert_refused("collective,bytes,time_us,finish\nallreduce,8,3,first\n", 4, 2, 15,
                   "expected one of mean, last, iterations, barrier, round-trip, stream");
    assert_refused("collective,p,nodes,ppn,bytes,time_us\nbcast,8,2,2,8,3\n", 0, 2, 7,
                   "not 8 ranks");
}
END_TEST

START_TEST(times_that_cannot_be_repeats_are_refused)
{
    Fixture *fixture = fixture_open();
    Log log = log_of(fixture, OSU_LATENCY "1 0.25\n" OSU_LATENCY "1 4000.00\n", 0);
    ck_assert(log.is_read);
    ck_assert(!measurements_merge(fixture->arena, &log.rows, &fixture->diag));
    assert_error_at(fixture, "log", 6, 3);
    fixture_close(fixture);
}
END_TEST

static size_t random_below(uint64_t *seed, size_t limit)
{
    return (size_t)(random_next(seed) % limit);
}

/* Changes that happen to logs: none turns a digit into another, which nobody could see. */
static char *damage(Fixture *fixture, const char *log, uint64_t *seed, bool is_csv)
{
    static const char *const noise[] = {"\n",
                                        "a:1:2 [0] NCCL INFO Channel 00/02 : 0 1\n",
                                        "real 2.71\n",
                                        "warning: 3 of them\n",
                                        "# a comment\n",
                                        "step 12 done\n"};
    Arena *arena = fixture->arena;
    size_t length = strlen(log), at = random_below(seed, length), from = at, end = at;
    while (from > 0 && log[from - 1] != '\n')
        from--;
    while (log[end] && log[end] != '\n')
        end++;
    end += log[end] == '\n';
    size_t next = end;
    while (log[next] && log[next] != '\n')
        next++;
    next += log[next] == '\n';
    char *copy = arena_printf(arena, "%s", log);
    bool is_digit = log[at] >= '0' && log[at] <= '9';
    switch (random_below(seed, 8)) {
    case 0: /* a line is lost */
        return arena_printf(arena, "%.*s%s", (int)from, log, log + end);
    case 1: /* a line comes twice */
        if (log[end - 1] != '\n')
            return copy;
        return arena_printf(arena, "%.*s%s", (int)end, log, log + from);
    case 2: /* lines change places */
        if (next == end || log[next - 1] != '\n')
            return copy;
        return arena_printf(arena, "%.*s%.*s%.*s%s", (int)from, log, (int)(next - end), log + end,
                            (int)(end - from), log + from, log + next);
    case 3: /* something comes between */
        return arena_printf(arena, "%.*s%s%s", (int)from, log,
                            noise[random_below(seed, sizeof noise / sizeof *noise)], log + from);
    case 4: /* the rest is lost */
        copy[at] = '\0';
        return copy;
    case 5: /* a sign is lost that is no digit */
        return is_digit || is_csv ? copy
                                  : arena_printf(arena, "%.*s%s", (int)at, log, log + at + 1);
    case 6: /* a sign is garbled; in fields of CSV any text may stand */
        if (!is_csv || is_digit || from == 0 || log[at] == ',')
            copy[at] = "x#\xff \t"[random_below(seed, is_digit ? 3 : 5)];
        return copy;
    default: /* lines run together */
        return end > from && log[end - 1] == '\n'
                   ? arena_printf(arena, "%.*s%s", (int)(end - 1), log, log + end)
                   : copy;
    }
}

static bool is_among(const Measurement *row, const MeasurementArray *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *right = &rows->items[i];
        if (row->p == right->p && row->bytes == right->bytes && row->seconds == right->seconds &&
            row->finish == right->finish && strcmp(row->collective, right->collective) == 0 &&
            measurement_name_length(row) == measurement_name_length(right) &&
            strncmp(row->algorithm, right->algorithm, measurement_name_length(row)) == 0 &&
            (row->ranks_per_node == 0 || row->ranks_per_node == right->ranks_per_node))
            return true;
    }
    return false;
}

/* A log that is damaged is refused with a reason, or its rows are rows of the log. */
START_TEST(damaged_logs_have_no_wrong_rows)
{
    static const struct {
        const char *log;
        int64_t p;
        bool is_csv;
        const char *also; /* rows that are right, too */
    } cases[] = {
        {OSU_ALLREDUCE "4 2.50\n8 3.00\n1024 9.00\n" OSU_LATENCY "0 1.25\n1 1.50\n1024 2.00\n", 4,
         false, NULL},
        {"# OSU MPI Allgather Latency Test v7.4\n"
         "# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations\n"
         "1  2.50  2.00  4.00  1000\n64  2.75  2.50  4.25  1000\n"
         "4096  12.75  12.50  14.25  1000\n"
         "# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n7.25\n",
         4, false,
         "# OSU MPI Allgather Latency Test v7.4\n# Size  Avg Latency(us)\n"
         "1  2.50\n64  2.75\n4096 12.75\n"},
        {IMB_ALLREDUCE "0 1000 0.10 0.10 0.10\n4 1000 2.00 3.00 2.50\n64 1000 4.00 5.00 4.50\n"
                       "# Benchmarking PingPong\n# #processes = 2\n"
                       "#bytes #repetitions t[usec] Mbytes/sec\n0 1000 1.00 0.00\n"
                       "1048576 20 100.00 10485.76\n",
         0, false, NULL},
        {"# nccl-tests version 2.17\n# Collective test starting: all_reduce_perf\n" NCCL_RANKS
             NCCL_COLUMNS "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
         "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 N/A\n"
         "# Out of bounds values : 0 OK\n"
         "# Collective test starting: all_gather_perf\n" NCCL_RANKS NCCL_COLUMNS
         "16 1 float none -1 12.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
         "1000000 62500 float none -1 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n",
         0, false, NULL},
        {"mpirun -np 4 ./osu_allreduce\n" OSU_ALLREDUCE "4 2.50\n8 3.00\n1024 9.00\n"
         "srun --ntasks=8 osu_allreduce\n" OSU_ALLREDUCE "4 3.50\n8 4.00\n1024 11.00\n",
         0, false, NULL},
        {"Collective:   Allreduce\nDatatype:  float32\n\n"
         "  Count  Size      Time, us\n      avg   min    max\n"
         "1 4 2.50 2.00 3.00\n2 8 2.75 2.25 3.50\n4 16 3.25 3.00 4.50\n",
         4, false, NULL},
        {"  RDMA_Write Latency Test\n"
         " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]\n"
         " 2 1000 1.75 6.25 2.00 2.25\n 4 1000 1.75 6.75 2.25 2.50\n"
         "  Send BW Test\n"
         " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
         " 1048576    1000           1100.00            1000.00              0.001000\n",
         0, false, NULL},
        {"# Benchmarking: allreduce \n# #processes: 4\n"
         "#bytes  #elem_count  #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  stddev[%]\n"
         "64  16  100  2.00  3.00  2.50  1.00\n128  32  100  2.25  3.75  2.75  1.00\n",
         0, false, NULL},
        {"[1,0]<stdout>:# nThread 1 nGpus 4\n[1,0]<stdout>:# Collective test starting: "
         "alltoall_perf\n"
         "[1,0]<stdout>:#  size count type redop root time algbw busbw #wrong time algbw busbw "
         "#wrong\n"
         "[1,0]<stdout>:16 1 float none -1 12.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
         "[1,0]<stdout>:1000000 62500 float -1 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n",
         4, false, NULL},
        {"{\"header\": {\"rank\": 2, \"n_ranks\": 8, \"nnodes\": 2}, \"coll_perf\": {\n"
         "\"coll\": \"AllReduce\", \"coll_msg_size_bytes\": 1000000,\n"
         "\"coll_exec_time_us\": 100, \"coll_algobw_gbs\": 10.0, \"coll_busbw_gbs\": 17.5}}\n"
         "{\"coll_perf\": {\"coll\": \"AllGather\",\"coll_msg_size_bytes\":1000,\n"
         "\"coll_exec_time_us\":10, \"coll_algobw_gbs\":0.8,\"coll_busbw_gbs\":0.7}}\n",
         0, false, NULL},
        {"$ mpirun -np 4 ./all_gather_perf -b 8\n# nThread 1 nGpus 1\n" NCCL_ONLY
         "16 1 float none -1 12.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
         "1000000 62500 float none -1 100.0 10.00 7.50 0 200.0 5.00 3.75 0\n"
         "$ mpirun -np 4 ./all_reduce_perf -b 8\n# nThread 1 nGpus 1\n" NCCL_ONLY
         "8 2 float sum -1 10.00 0.00 0.00 0 11.00 0.00 0.00 N/A\n"
         "1000000 250000 float sum -1 100.0 10.00 15.00 0 200.0 5.00 7.50 N/A\n",
         0, false, NULL},
        {"nodes,ranks_per_node,collective,algorithm,total_bytes,median_us,runs\n"
         "4,2,allgather,ring,800,12.5,3\n4,2,allgather,bruck,800,10.5,3\n"
         "2,2,bcast,flat,800,8.25,3\n",
         0, true, NULL},
        {"collective;p;bytes;time_us;runs\nbcast;4;8;12,50;9\nbcast;4;16;12,75;9\nbcast;8;16;13,50;"
         "9\n",
         0, true, NULL},
        {"# Benchmarking Multi-Bcast \n# ( 2 groups of 4 processes each running simultaneous ) \n"
         "# Group  0:     0    1    2    3\n# \n# Group  1:     4    5    6    7\n# \n"
         "        Group       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n\n"
         "            0            8         1000         2.00         3.00         2.50\n"
         "            1            8         1000         2.00         4.00         2.50\n\n"
         "            0           64         1000         3.00         5.00         4.50\n"
         "            1           64         1000         4.00         6.00         4.50\n",
         0, false, NULL},
        {"$ ./all_gather_test 1000000\n# Using devices\n#   Rank  0 uses device  0 [0x0a] X\n"
         "#   Rank  1 uses device  1 [0x09] X\n"
         "#      bytes             N    type     time  algbw  busbw    delta\n"
         "     1000000       1000000    char    0.100  10.00  10.00    0e+00\n"
         "     1000000        250000     int    0.125   8.00   8.00    0e+00\n",
         0, false, NULL},
        {"$ ./all_reduce_perf -g 3\nnThread 1 nGpus 3 minBytes 8\n# NCCL Tests compiled with NCCL "
         "2.4\n# Using devices\n"
         "#   Rank  0 on  a device  0 [0x0a] X\n#   Rank  1 on  a device  1 [0x09] X\n"
         "#   Rank  2 on  a device  2 [0x08] X\n"
         "#      bytes             N    type      op     time  algbw  busbw      res     time  "
         "algbw  "
         "busbw      res\n"
         "           8             2   float     sum    0.010   0.00   0.00       N/A    0.009   "
         "0.00   "
         "0.00      N/A\n"
         "     1000000        250000   float     sum    0.125   8.00  10.67       N/A    0.250   "
         "4.00   "
         "5.33      N/A\n",
         0, false, NULL},
    };
    Fixture *fixture = fixture_open();
    int read = 0, refused = 0;
    for (uint64_t number = 0; number < 8000; number++) {
        size_t index = number % (sizeof cases / sizeof *cases);
        ArenaMark mark = arena_mark(fixture->arena);
        uint64_t seed = number + 1;
        Log right = log_of(fixture, cases[index].log, cases[index].p);
        const char *damaged = cases[index].log;
        const LogFacts facts = {.p = cases[index].p};
        ck_assert(right.is_read);
        if (cases[index].also) {
            const Source *also = source_from_text(fixture->arena, "also", cases[index].also,
                                                  strlen(cases[index].also));
            ck_assert(log_read(fixture->arena, also, &facts, &right.rows, &fixture->diag));
        }
        for (uint64_t times = random_below(&seed, 3) + 1; times > 0; times--)
            if (*damaged)
                damaged = damage(fixture, damaged, &seed, cases[index].is_csv);
        Log log = log_of(fixture, damaged, cases[index].p);
        ck_assert_msg(log.is_read == (fixture->diag.error_count == 0), "%s", damaged);
        for (size_t i = 0; i < log.rows.count; i++)
            ck_assert_msg(is_among(&log.rows.items[i], &right.rows), "%llu: row %zu of\n%s",
                          (unsigned long long)number, i, damaged);
        read += log.is_read;
        refused += !log.is_read;
        take_messages(fixture);
        arena_release(fixture->arena, mark);
    }
    ck_assert_int_gt(read, 1000);
    ck_assert_int_gt(refused, 1000);
    fixture_close(fixture);
}
END_TEST

/* The mean of one time and the largest of another are no alternatives, nor are two kinds of times
   of one algorithm. */
START_TEST(decisions_are_between_times_of_one_kind)
{
    static Measurement rows[] = {
        {.algorithm = "a", .bytes = 8, .seconds = 100, .finish = FINISH_MEAN},
        {.algorithm = "a", .bytes = 8, .seconds = 150, .finish = FINISH_LAST},
        {.algorithm = "b", .bytes = 8, .seconds = 120, .finish = FINISH_LAST},
    };
    const double predicted[] = {7, 7, 6};
    Fixture *fixture = fixture_open();
    for (int i = 0; i < 3; i++)
        rows[i].collective = "allreduce", rows[i].system = "";
    const MeasurementArray one = {rows, 2, 2}, all = {rows, 3, 3};
    ck_assert_uint_eq(
        decisions_find(fixture->arena, &one, &(DecisionBasis){.predicted = predicted}).count, 0);
    DecisionArray decisions =
        decisions_find(fixture->arena, &all, &(DecisionBasis){.predicted = predicted});
    ck_assert_uint_eq(decisions.count, 1);
    ck_assert_ptr_eq(decisions.items[0].fastest, &rows[2]);
    ck_assert_double_eq(decisions.items[0].chosen_loss, 0);
    fixture_close(fixture);
}
END_TEST

Suite *exchange_suite(void)
{
    Suite *suite = suite_create("exchange");
    TCase *osu = tcase_create("osu"), *others = tcase_create("others");
    tcase_add_test(osu, osu_tables_are_read);
    tcase_add_test(osu, lines_that_start_programs_say_on_how_many_ranks);
    tcase_add_test(osu, osu_streams_are_read);
    tcase_add_test(osu, repeats_become_their_median);
    tcase_add_test(osu, marks_of_lines_are_passed_over);
    tcase_add_test(osu, rows_with_something_beside_them_are_refused);
    tcase_add_test(others, nccl_tests_of_all_versions_are_read);
    tcase_add_test(others, nccl_tests_with_times_in_ms_are_read);
    tcase_add_test(others, nccl_tests_are_named_by_what_started_them);
    tcase_add_test(others, other_benchmarks_are_read);
    tcase_add_test(others, columns_keep_apart_what_differs);
    tcase_add_test(osu, osu_tables_that_contradict_themselves_are_refused);
    tcase_add_test(others, imb_tables_are_read);
    tcase_add_test(others, imb_tables_of_groups_are_read);
    tcase_add_test(others, imb_tables_that_contradict_themselves_are_refused);
    tcase_add_test(others, nccl_tests_are_read);
    tcase_add_test(others, nccl_tests_that_contradict_themselves_are_refused);
    tcase_add_loop_test(others, printed_rates_are_rounded_or_cut_off, 0, COUNT_OF(rates));
    tcase_add_test(others, columns_are_read);
    tcase_add_test(others, columns_that_contradict_themselves_are_refused);
    tcase_add_test(others, columns_that_lack_something_are_refused);
    tcase_add_test(osu, titles_and_columns_belong_together);
    tcase_add_test(others, nccl_rows_name_what_is_known);
    tcase_add_test(others, times_that_cannot_be_repeats_are_refused);
    tcase_add_test(others, damaged_logs_have_no_wrong_rows);
    tcase_add_test(others, decisions_are_between_times_of_one_kind);
    suite_add_tcase(suite, osu);
    suite_add_tcase(suite, others);
    return suite;
}
