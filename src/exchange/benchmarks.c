#include "exchange/log_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static Text behind(Text text, size_t length)
{
    return text_trim(text_behind(text, length));
}

/* The length of what stands before an end; all of it, if it does not end so. */
static size_t length_before(Text name, const char *end)
{
    return name.length - (text_ends(name, end) ? strlen(end) : 0);
}

/* A test by its name; of one that is not read the table is passed over. */
static LogTable *open_test(LogReading *reading, BenchmarkId of, Text name, Text collective)
{
    LogTable table = log_table_new(of, name.span);
    table.name = text_string(reading->arena, name);
    table.operation = operation_find(collective);
    return log_table_open(reading, &table);
}

static LineFate opened(LogReading *reading, LogTable *table)
{
    if (!table->operation)
        log_pass_over(reading, text_plain(table->name), table->title);
    return LINE_TAKEN;
}

/* "MPI Allreduce Latency Test v5.8": what is between MPI, or MPI-CUDA, and Test. Titles of
   one-sided tests begin with MPI_Put and the like. */
static bool find_test(Text title, Text *test)
{
    static const char *const libraries[] = {"MPI", "NCCL", "RCCL", "XCCL"};
    const char *end = memmem(title.chars, title.length, " Test", 5);
    size_t prefix = 0;
    while (prefix < title.length && title.chars[prefix] != ' ')
        prefix++;
    if (!end || (size_t)(end - title.chars) <= prefix)
        return false;
    *test = behind(text_slice(title, 0, (size_t)(end - title.chars)), prefix);
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (text_begins(title, libraries[i]) && strchr(" -", title.chars[strlen(libraries[i])]))
            return true;
    return false;
}

/* "Non-blocking Allreduce", "Allreduce Persistent": in which way a collective was called; its name
   remains. */
static const char *cut_way(Text *test)
{
    static const char *const ways[] = {"Non-blocking", "non-blocking", "Persistent", "persistent"};
    for (size_t i = 0; i < COUNT_OF(ways); i += 2) {
        const size_t end = length_before(*test, ways[i]);
        const bool is_start = text_begins(*test, ways[i]);
        if (!is_start && end == test->length)
            continue;
        *test = is_start ? behind(*test, strlen(ways[i])) : text_trim(text_slice(*test, 0, end));
        return ways[i + 1];
    }
    return DEFAULT_ALGORITHM;
}

/* As log_begins, of words that begin with "# ", which pages take for a heading and leave out. */
static bool begins_comment(const LogLine *line, const char *words, Text *rest)
{
    return log_begins(line, words, rest) || log_begins(line, words + strlen("# "), rest);
}

/* "# OSU MPI Allreduce Latency Test v5.8", "# OMB-Py MPI Allreduce Latency Test". A program prints
   one table: that of the next one is not known by the line that started it. */
static LineFate open_osu(LogReading *reading, const LogLine *line)
{
    static const char latency[] = "Latency";
    const size_t length = strlen(latency);
    Text title, test;
    const bool is_comment = *line->text.chars == '#';
    if (!begins_comment(line, "# OSU", &title) && !begins_comment(line, "# OMB-Py", &title) &&
        !log_begins(line, "#OSU", &title))
        return LINE_FOREIGN;
    if (!find_test(title, &test))
        return is_comment ? opened(reading, open_test(reading, BENCHMARK_OSU, title, (Text){0}))
                          : LINE_FOREIGN;
    LogTable *table = open_test(reading, BENCHMARK_OSU, test, (Text){0});
    Text library, rest;
    if (text_split(title, ' ', &library, &rest) && !text_equals(library, "MPI"))
        table->details = log_join(reading, table->details, "%.*s", TEXT_ARGS(library));
    table->title = title.span;
    const bool is_many = text_equals(test, "Multiple Bandwidth / Message Rate");
    table->directions = text_equals(test, "Bi-Directional Bandwidth")
                            ? 2
                            : is_many || text_equals(test, "Bandwidth");
    table->pairs = is_many ? 0 : 1;
    const char *version = memmem(title.chars, title.length, " v", 2);
    table->is_old = version && version + 2 < title.chars + title.length && version[2] < '7' &&
                    version + 3 < title.chars + title.length && version[3] == '.';
    if (table->directions || text_equals(test, latency)) {
        table->operation = operation_find(text_plain(latency));
        table->algorithm = "direct";
        table->is_between_two = true;
        return LINE_TAKEN;
    }
    if (test.length > length && text_ends(test, latency)) {
        test = text_trim(text_slice(test, 0, test.length - length));
        table->algorithm = cut_way(&test);
        table->operation = operation_find(test);
    }
    return opened(reading, table);
}

/* Of IMB, before a name: groups of ranks run it at the same time. */
static const char in_groups[] = "Multi-";

/* What stands above tables, before a name; and the columns, where no line names them. */
static const struct {
    const char *words;
    BenchmarkId of;
    const char *columns;
} titles[] = {
    {"# Benchmarking", BENCHMARK_IMB, ""},
    {"# Benchmarking:", BENCHMARK_CCL, ""},
    {"Collective:", BENCHMARK_UCC, ""},
    {"RDMA_Write", BENCHMARK_PERFTEST, ""},
    {"Send", BENCHMARK_PERFTEST, ""},
    {"RDMA_Read", BENCHMARK_PERFTEST, ""},
    {"# begin result", BENCHMARK_MPIBENCH, "bytes time error iters ranks"},
    {"START mpiBench", BENCHMARK_MPIBENCH,
     "test Bytes: bytes Iters: iters Avg: avg Min: min Max: max Comm: comm Ranks: ranks"},
};

/* "RDMA_Write Latency Test", "Send Bidirectional BW Test". Reads go there and back. */
static LineFate open_perftest(LogReading *reading, const LogLine *line, Text way)
{
    if (line->count < 3 || line->count > 6 || !text_ends(line->text, " Test"))
        return LINE_FOREIGN;
    if (reading->table && reading->table->of == BENCHMARK_PERFTEST && !reading->table->count)
        return WRONG_LINE(reading->diag, line->text.span,
                          "two programs of perftest wrote this log: give that of the client");
    const bool is_time = text_ends(way, "Latency Test"), is_rate = text_ends(way, "BW Test"),
               is_message = *line->text.chars == 'S' || line->text.chars[5] == 'W';
    LogTable *table = open_test(reading, BENCHMARK_PERFTEST, line->text,
                                text_plain(is_message && (is_time || is_rate) ? "latency" : ""));
    table->algorithm = "direct";
    table->is_between_two = true;
    table->pairs = 1;
    table->directions = !is_rate ? 0 : text_begins(way, "Bidirectional") ? 2 : 1;
    return opened(reading, table);
}

/* "# Benchmarking Allreduce", "# begin result "MPI_Bcast-procs""; and what was only started, "#
   Benchmarking Iallreduce_pure". */
static LineFate open_named(LogReading *reading, const LogLine *line)
{
    size_t i = 0;
    Text title = {0}, rest;
    while (i < COUNT_OF(titles) && !log_begins(line, titles[i].words, &title))
        i++;
    if (i == COUNT_OF(titles) || !title.length)
        return LINE_FOREIGN;
    if (titles[i].of == BENCHMARK_PERFTEST)
        return open_perftest(reading, line, title);
    const bool is_quoted = *title.chars == '"',
               is_many = titles[i].of == BENCHMARK_IMB && text_begins(title, in_groups);
    if (is_quoted)
        text_split(behind(title, 1), '-', &title, &rest);
    Text name = behind(title, is_many * strlen(in_groups));
    const bool is_started =
        name.length > 1 && name.chars[0] == 'I' && islower((unsigned char)name.chars[1]);
    name = is_started ? text_slice(name, 1, length_before(name, "_pure") - 1) : name;
    LogTable *table = open_test(reading, titles[i].of, title, name);
    table->algorithm = is_started                      ? "non-blocking"
                       : text_equals(name, "PingPong") ? "direct"
                                                       : DEFAULT_ALGORITHM;
    if (table->of == BENCHMARK_MPIBENCH && !is_quoted)
        table->name = NULL;
    LogLine columns = *line;
    columns.text = text_plain(titles[i].columns);
    if (columns.text.length && (table->operation || !table->name))
        log_table_name_columns(reading, table, &columns);
    return table->name ? opened(reading, table) : LINE_TAKEN;
}

/* "Running benchmark OSU Allreduce with type Float32 on 2 MPI ranks", of MPIBenchmarks.jl, above a
   table of CSV. */
static LineFate open_julia(LogReading *reading, const LogLine *line)
{
    Text title, rest;
    if (!log_begins(line, "Running benchmark", &title) || !text_holds(title, " with type ") ||
        !text_split(title, ' ', &rest, &title))
        return LINE_FOREIGN;
    const char *end = memmem(title.chars, title.length, " with type ", strlen(" with type "));
    title = text_slice(title, 0, (size_t)(end - title.chars));
    LogTable *table = open_test(reading, BENCHMARK_CSV, title, title);
    for (int i = 3; i + 2 < line->count; i++)
        if (text_equals(line->words[i], "on") && text_equals(line->words[i + 2], "MPI") &&
            !log_whole(reading, line->words[i + 1], &table->p))
            return LINE_WRONG;
    return opened(reading, table);
}

/* "all_reduce" of all_reduce_perf, all_reduce_perf_mpi and, of MSCCL++, all_reduce_test_perf. */
static Text without_perf(Text program)
{
    program.length = length_before(program, "_mpi");
    program.length = length_before(program, "_perf");
    return text_slice(program, 0, length_before(program, "_test"));
}

static void name_run(LogReading *reading, LogTable *run, Text name)
{
    run->title = name.span;
    run->name = text_string(reading->arena, name);
    run->operation = operation_find(without_perf(name));
    if (!run->operation)
        log_pass_over(reading, name, name.span);
}

/* The value behind a word, "nGpus 8", by rccl-tests "nGpus: 8"; 1: it is not there. */
static double value_behind(const LogLine *line, const char *word)
{
    double value;
    for (int i = 0; i + 1 < line->count; i++)
        if (text_begins(line->words[i], word) && log_number(line->words[i + 1], &value))
            return value;
    return 1;
}

/* "# nThread ..." begins a run, in MSCCL++ "# minBytes ..."; "# Collective test starting:
   all_reduce_perf" names it since 2.14. MSCCL++ has the times in place first. */
static LineFate open_nccl(LogReading *reading, const LogLine *line)
{
    Text rest;
    const bool is_placed = log_begins(line, "# in-place out-of-place", &rest);
    const int at = text_equals(line->words[0], "#");
    const bool is_named = begins_comment(line, "# Collective test starting:", &rest);
    const Text start = line->words[at];
    const bool is_started =
        line->count > 2 && (text_equals(start, "nThread") || text_equals(start, "minBytes"));
    LogTable *run = reading->table && reading->table->of == BENCHMARK_NCCL ? reading->table : NULL;
    if (!is_named && !is_started && (!is_placed || (run && run->count)) &&
        !begins_comment(line, "# nccl-tests version", &rest) &&
        !begins_comment(line, "# Using devices", &rest))
        return LINE_FOREIGN;
    bool is_fresh = run && (run->ranks == 0 || is_placed) && run->count == 0;
    if (!is_fresh || (is_named && run->name)) {
        const LogTable fresh = log_table_new(BENCHMARK_NCCL, line->text.span);
        run = log_table_open(reading, &fresh);
    }
    run->is_in_place_first |= is_placed;
    if (is_named && rest.length)
        name_run(reading, run, line->words[at + 3]);
    if (is_started)
        run->devices = (int64_t)(value_behind(line, "nThread") * value_behind(line, "nGpus") *
                                 value_behind(line, "nRanks"));
    return LINE_TAKEN;
}

/* "#  Rank  0 Group  0 Pid 7 on HOST device  0 [0x07] NAME", "#   Device  0 ->  0 [0x0a] NAME". Of
   several groups, which run it at the same time, the hosts of the first count. */
static LineFate take_rank(LogReading *reading, LogTable *run, const LogLine *line)
{
    double number, group = 0;
    const Text rank = line->words[1 + text_equals(line->words[0], "#")];
    if (!log_number(rank, &number) || number != (double)run->ranks || run->count)
        return WRONG_LINE(reading->diag, rank.span, "rank %lld was expected here",
                          (long long)run->ranks);
    Text host = text_plain("");
    for (int i = 2; i + 1 < line->count && !host.length; i++)
        if (text_equals(line->words[i], "on"))
            host = line->words[i + 1];
        else if (text_equals(line->words[i], "Group"))
            log_number(line->words[i + 1], &group);
    run->ranks++;
    run->groups = group >= (double)run->groups ? (int64_t)group + 1 : run->groups;
    if (group == 0)
        *ARRAY_PUSH(reading->arena, &run->hosts) = host;
    return LINE_TAKEN;
}

/* Of a log that does not say what was measured. False after a report. */
static bool take_operation(LogReading *reading, LogTable *table)
{
    table->operation = reading->facts->operation;
    return table->operation ||
           diag_error(reading->diag, table->title,
                      "this log does not say which collective was measured: give --collective");
}

static bool complete_nccl(LogReading *reading, LogTable *run)
{
    const LaunchedProgram *launched = &run->launched;
    run->algorithm = DEFAULT_ALGORITHM;
    run->is_old = text_equals(run->headings[run->of_kind[HOLDS_BUFFER]], "bytes") &&
                  text_equals(run->headings[run->of_kind[HOLDS_TIME]], "time");
    run->units[HOLDS_TIME] = run->is_old ? 1e3 : 1e6;
    if (!run->operation && !run->name && !reading->facts->operation) {
        if ((run->of == BENCHMARK_NCCOM
                 ? operation_find(launched->program) != NULL
                 : without_perf(launched->program).length < launched->program.length) &&
            !launched->has_rival)
            name_run(reading, run, launched->program);
        else
            run->operation = operation_in_name(
                reading->arena, log_without_folder(text_plain(reading->source->name)));
    }
    if (!run->operation && !run->name && !take_operation(reading, run))
        return false;
    run->ranks_per_node = nccl_ranks_per_node(&run->hosts);
    if (run->devices > 0 && run->ranks % run->devices != 0)
        return diag_error(reading->diag, run->title,
                          "the list of ranks has %lld, not %lld of each process",
                          (long long)run->ranks, (long long)run->devices);
    if (run->groups > 1 && (int64_t)run->hosts.count * run->groups != run->ranks)
        return diag_error(reading->diag, run->title, "some groups have more ranks than others");
    if (run->groups > 1)
        run->details =
            log_join(reading, run->details, "%lld groups at once", (long long)run->groups);
    if (run->ranks_per_node < 0)
        return diag_error(reading->diag, run->title,
                          "some hosts have more ranks than others: is one missing in their list?");
    return true;
}

/* The columns that a table of a benchmark must have. */
static bool has_needed(const LogTable *table)
{
    bool is_barrier = table->operation && strcmp(table->operation->name, "barrier") == 0;
    bool has_size = log_table_has(table, log_table_size(table)) || table->bytes > 0;
    bool has_least = log_table_has(table, HOLDS_LEAST), has_most = log_table_has(table, HOLDS_MOST);
    bool has_mean = log_table_has(table, HOLDS_MEAN) &&
                    (table->of != BENCHMARK_PERFTEST || log_table_has(table, HOLDS_MESSAGES));
    bool has_one = (has_mean && table->of != BENCHMARK_IMB && table->of != BENCHMARK_UCC) ||
                   log_table_has(table, HOLDS_TIME);
    bool has_time = has_least == has_most && (has_least ? has_mean : has_one);
    if (table->of == BENCHMARK_NCCL &&
        !(log_table_has(table, HOLDS_RATE) && log_table_has(table, HOLDS_BUS) &&
          table->of_kind[HOLDS_TIME] < table->of_kind[HOLDS_RATE]))
        return false;
    return (has_size != is_barrier || table->of == BENCHMARK_UCC) &&
           (table->directions ? log_table_has(table, HOLDS_RATE) : has_time);
}

/* Are these columns those of what the title says? A lost word makes another test of it. */
static bool is_titled(const LogTable *table)
{
    Text program = table->launched.program;
    if (table->of != BENCHMARK_OSU || table->directions)
        return true;
    const Text mean =
        log_table_has(table, HOLDS_MEAN) ? table->headings[table->of_kind[HOLDS_MEAN]] : (Text){0};
    bool is_started = text_begins(program, "osu_") && !table->launched.has_rival &&
                      !text_begins(program, "osu_xccl_latency");
    return text_begins(mean, "Pure") == (strncmp(table->algorithm, "non-blocking", 12) == 0) &&
           !(table->is_between_two &&
             (log_table_has_three(table) || (is_started && !text_begins(program, "osu_latency")) ||
              (table->is_old && text_begins(mean, "Avg"))));
}

/* A line that names the columns of the table that is open. */
static LineFate take_headings(LogReading *reading, LogTable *table, const LogLine *line)
{
    LogTable named = *table;
    LineFate fate = log_table_name_columns(reading, &named, line);
    if (fate != LINE_TAKEN)
        return fate;
    if (table->count) {
        diag_error(reading->diag, line->text.span, "a second table follows without %s",
                   table->of == BENCHMARK_NCCL ? "its ranks" : "a title");
        diag_note(reading->diag, table->title, "the table before it begins here");
        return LINE_WRONG;
    }
    if ((table->of != BENCHMARK_CSV && !has_needed(&named)) || !is_titled(&named) ||
        ((table->of == BENCHMARK_IMB || table->of == BENCHMARK_CCL) && table->p == 0)) {
        diag_error(reading->diag, line->text.span, "these are not the columns of %s%s",
                   table->name ? table->name : benchmarks[table->of].what,
                   table->of == BENCHMARK_IMB ? ", or its number of processes is missing" : "");
        diag_note(reading->diag, table->title, "the table begins here");
        return LINE_WRONG;
    }
    *table = named;
    return table->of != BENCHMARK_NCCL || complete_nccl(reading, table) ? LINE_TAKEN : LINE_WRONG;
}

/* Files of PICO have the number of elements, the algorithm and the type in their names, and one row
   for each iteration: "1024_ring_int32.csv". */
static bool name_pico(LogReading *reading, LogTable *table)
{
    Text name = log_without_folder(text_plain(reading->source->name)), count, rest;
    double elements, element = 0;
    const char *dot = strrchr(name.chars, '.');
    name.length = dot ? (size_t)(dot - name.chars) : name.length;
    const char *end = text_split(name, '_', &count, &rest) && log_number(count, &elements)
                          ? memrchr(rest.chars, '_', rest.length)
                          : NULL;
    const size_t length = end ? (size_t)(end - rest.chars) : 0;
    if (length)
        element = log_type_size(behind(rest, length + 1));
    if (element == 0)
        return diag_error(
            reading->diag, table->title,
            "a file of PICO is named by its elements, algorithm and type, as 1024_ring_int32.csv");
    table->bytes = elements * element;
    table->algorithm = text_string(reading->arena, text_slice(rest, 0, length));
    return take_operation(reading, table);
}

/* A line of headings without anything above it that says what they are of. */
static LineFate open_headings(LogReading *reading, const LogLine *line)
{
    static const BenchmarkId ids[] = {BENCHMARK_NCCL, BENCHMARK_NCCOM,    BENCHMARK_HCCL,
                                      BENCHMARK_OSU,  BENCHMARK_PERFTEST, BENCHMARK_IMB,
                                      BENCHMARK_PICO, BENCHMARK_REPROMPI, BENCHMARK_CSV};
    const LogTable *before = reading->table;
    const bool is_comment = line->text.chars[0] == '#',
               is_open = before && !before->count, /* its columns are not named yet */
        is_next = before && before->count && reading->launched.program.length > 0;
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        LogTable table = log_table_new(ids[i], line->text.span);
        const bool is_same = before && before->of == ids[i];
        const bool is_bare = ids[i] == BENCHMARK_NCCL || ids[i] == BENCHMARK_NCCOM ||
                             ids[i] == BENCHMARK_HCCL; /* no title of its own */
        if ((is_same && (is_open || (is_bare ? !is_next : is_comment))) ||
            (ids[i] == BENCHMARK_OSU && reading->facts->operation && before) ||
            (ids[i] == BENCHMARK_IMB && before))
            continue;
        LineFate fate = log_table_name_columns(reading, &table, line);
        if (fate == LINE_WRONG)
            return fate;
        if (fate != LINE_TAKEN ||
            (ids[i] != BENCHMARK_CSV && ids[i] != BENCHMARK_PICO && !has_needed(&table)))
            continue;
        log_table_open(reading, &table);
        if (is_bare)
            return complete_nccl(reading, reading->table) ? LINE_TAKEN : LINE_WRONG;
        if (ids[i] == BENCHMARK_PICO)
            return name_pico(reading, reading->table) ? LINE_TAKEN : LINE_WRONG;
        if (log_table_has(reading->table, HOLDS_COLLECTIVE) || ids[i] == BENCHMARK_CSV)
            return LINE_TAKEN;
        return take_operation(reading, reading->table) ? LINE_TAKEN : LINE_WRONG;
    }
    return LINE_FOREIGN;
}

LineFate benchmark_open(LogReading *reading, const LogLine *line)
{
    static LineFate (*const openers[])(LogReading *, const LogLine *) = {
        open_osu, open_named, open_julia, open_nccl, open_headings};
    LineFate fate = LINE_FOREIGN;
    for (size_t i = 0; i < COUNT_OF(openers) && fate == LINE_FOREIGN; i++)
        fate = openers[i](reading, line);
    return fate;
}

/* Was the table written by the program that was started last? "osu_allreduce" for allreduce,
   "osu_ibcast" and "osu_bcast_persistent" too; of others one program runs all. */
static bool is_launched(const LogTable *table, Text program)
{
    if (table->of == BENCHMARK_IMB)
        return text_begins(program, "IMB-");
    if (table->of == BENCHMARK_UCC || table->of == BENCHMARK_CCL || table->of == BENCHMARK_REPROMPI)
        return program.length > 0;
    bool is_osu = text_begins(program, "osu_");
    size_t from = text_begins(program, "osu_xccl_") ? strlen("osu_xccl_") : is_osu * strlen("osu_"),
           end = is_osu ? length_before(program, "_persistent") : without_perf(program).length;
    for (; from < end; from += program.chars[from] == 'i' && is_osu ? 1 : end) {
        const Operation *operation = operation_find(text_slice(program, from, end - from));
        if (operation && table->operation && strcmp(operation->name, table->operation->name) == 0)
            return true;
    }
    return false;
}

/* "# #processes = 144", "# #processes: 4", "# ( #processes = 2 )", "# #processes = 4; rank order
   (rowwise):", "# ( 2 groups of 4 processes each running simultaneous )". */
static LineFate take_processes(LogReading *reading, LogTable *table, const LogLine *line)
{
    const bool is_bracketed = text_equals(line->words[1], "(");
    const Text *words = &line->words[1 + is_bracketed];
    const bool is_many = text_equals(words[1], "groups");
    const int at = is_many ? 3 : text_equals(words[0], "#processes:") ? 1 : 2;
    Text number = words[at];
    const bool is_placed = text_ends(number, ";");
    number.length -= is_placed;
    if (text_equals(words[0], "Group")) /* the ranks of one */
        return LINE_TAKEN;
    if (!is_many && !text_begins(words[0], "#processes"))
        return LINE_FOREIGN;
    if (table->p > 0 || (text_begins(text_plain(table->name), in_groups) && !is_many) ||
        (!is_many && !is_placed && line->count != at + 2 + 2 * is_bracketed))
        return WRONG_LINE(reading->diag, line->text.span, "expected one number of processes");
    if (!log_whole(reading, number, &table->p))
        return LINE_WRONG;
    if (is_many)
        table->details =
            log_join(reading, table->details, "%.*s groups at once", TEXT_ARGS(words[0]));
    else if (is_placed)
        table->details = log_join(reading, table->details, "ranks mapped");
    if (table->p == table->launched.p && is_launched(table, table->launched.program))
        table->ranks_per_node = table->launched.ranks_per_node;
    if (table->p != 2 && strcmp(table->algorithm, "direct") == 0)
        return WRONG_LINE(reading->diag, number.span, "%s has 2 processes", table->name);
    return LINE_TAKEN;
}

LineFate benchmark_take(LogReading *reading, LogTable *table, const LogLine *line)
{
    LineFate fate;
    Text rest;
    const bool has_rows = table->last_size >= 0;
    if ((table->of == BENCHMARK_IMB || table->of == BENCHMARK_CCL) && line->count > 2 &&
        text_equals(line->words[0], "#") &&
        (fate = take_processes(reading, table, line)) != LINE_FOREIGN)
        return fate;
    if (table->of == BENCHMARK_MPIBENCH && log_begins(line, "# end result", &rest))
        table->count = 0; /* rows that follow are those of another test */
    /* "# [ pairs: 8 ] [ window size: 64 ]" */
    if (table->of == BENCHMARK_OSU && log_begins(line, "# [ pairs:", &rest))
        return line->count < 4
                   ? WRONG_LINE(reading->diag, rest.span, "expected the number of pairs")
               : log_whole(reading, line->words[3], &table->pairs) ? LINE_TAKEN
                                                                   : LINE_WRONG;
    /* "# Datatype: MPI_INT.": the table of another type, whose rows are others. */
    if (table->of == BENCHMARK_OSU && !table->directions &&
        log_begins(line, "# Datatype:", &rest)) {
        rest.length = length_before(rest, ".");
        if (has_rows && (!table->type.length || text_same(rest, table->type) ||
                         reading->launched.program.length))
            return LINE_FOREIGN; /* a title is missing */
        if (has_rows) {
            table->count = 0;
            table->last_size = -1;
            table->other_type = rest;
        }
        table->type = rest;
        return LINE_TAKEN;
    }
    if (table->of == BENCHMARK_NCCL && line->count > 2 &&
        (log_begins(line, "# Rank", &rest) || log_begins(line, "# Device", &rest) ||
         (log_begins(line, "Rank", &rest) && text_holds(rest, " device "))))
        return table->is_cut_short ? LINE_TAKEN : take_rank(reading, table, line);
    if (table->hosts.count && !table->count && line->count <= 2 && text_ends(line->text, "...")) {
        table->hosts.count = 0;
        table->ranks = table->groups = 0;
        table->is_cut_short = true;
    }
    if (table->of != BENCHMARK_PICO && (table->of != BENCHMARK_CSV || !table->count))
        return take_headings(reading, table, line);
    return LINE_FOREIGN;
}

bool benchmark_ranks(LogReading *reading, LogTable *table)
{
    const LaunchedProgram *launched = &table->launched;
    if (table->is_between_two) {
        table->p = table->directions ? 2 * table->pairs : 2;
        if (table->p == 0)
            diag_error(reading->diag, table->title, "this test does not say how many pairs it has");
        return table->p > 0;
    }
    int64_t stated = (int64_t)table->hosts.count;
    Span place = table->title;
    if (!stated && launched->p && is_launched(table, launched->program)) {
        const int64_t known = table->devices ? table->devices : launched->devices,
                      devices = table->of == BENCHMARK_NCCL && known ? known : 1;
        stated = launched->p * devices;
        table->ranks_per_node = launched->ranks_per_node * devices;
        place = launched->program.span;
    }
    if (!stated && table->of == BENCHMARK_NCCL && reading->nccl.ranks > 0 && !reading->facts->p) {
        stated = reading->nccl.ranks;
        if (reading->nccl.nodes > 0 && stated % reading->nccl.nodes == 0)
            table->ranks_per_node = stated / reading->nccl.nodes;
    }
    table->p = log_ranks(reading, stated, place,
                         table->operation ? table->operation->name
                         : table->name    ? table->name
                                          : benchmarks[table->of].what);
    return table->p > 0;
}
