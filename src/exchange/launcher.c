#include "exchange/reading.h"

#include <string.h>

enum { MOST_NAMES = 6 };

/* What a launcher's options say. */
typedef enum { SAYS_RANKS, SAYS_NODES, SAYS_PER_NODE, SAYS_HOSTS, SAYS_KINDS } Says;

typedef struct {
    const char *name;
    const char *options[SAYS_KINDS][MOST_NAMES];
    bool has_sets;    /* what it counts as nodes are sets of resources, which can share one */
    bool host_is_one; /* a host without a number has one rank, where nothing says how many */
} LauncherInfo;

static const char marks_of_program[] = "osu_|IMB-|ucc_perftest|_perf|benchmark";

#define OPEN_MPI                                                                                   \
    {                                                                                              \
        {"-np", "-n", "--np", "--n", "-c"}, {NULL},                                                \
            {"-npernode", "--npernode", "-N", "-ppn", "--ppn", "-perhost"},                        \
        {                                                                                          \
            "-H", "-host", "--host", "-hosts", "--hosts"                                           \
        }                                                                                          \
    }

static const LauncherInfo launchers[] = {
    {"mpirun", OPEN_MPI, false, true},
    {"mpiexec", OPEN_MPI, false, true},
    {"orterun", OPEN_MPI, false, true},
    {"prterun", OPEN_MPI, false, true},
    {"mpiexec.hydra", OPEN_MPI, false, false},
    {"mpirun_rsh", {{"-np", "-n"}}, false, false},
    {"srun",
     {{"-n", "--ntasks"}, {"-N", "--nodes"}, {"--ntasks-per-node", "--tasks-per-node"}},
     false,
     false},
    {"jsrun", {{"-p", "--np"}, {"-n", "--nrs"}, {"-a", "--tasks_per_rs"}}, true, false},
    {"lrun", {{"-n"}, {"-N"}, {"-T"}}, false, false},
    {"ibrun", {{"-n", "-np"}}, false, false},
    {"aprun", {{"-n", "--pes"}, {NULL}, {"-N"}}, false, false},
    {"flux", {{"-n", "--ntasks"}, {"-N", "--nodes"}, {"--tasks-per-node"}}, false, false},
};

enum { LAUNCHERS = COUNT_OF(launchers) };

static Text without_folder(Text word)
{
    size_t from = word.length;
    while (from > 0 && word.chars[from - 1] != '/')
        from--;
    return text_slice(word, from, word.length - from);
}

/* "osu_allreduce", "all_reduce_perf": its name begins or ends like that of a benchmark. */
static bool is_program(Text word)
{
    for (const char *mark = marks_of_program; *mark;) {
        size_t length = strcspn(mark, "|");
        bool is_end = *mark == '_';
        if (word.length >= length &&
            memcmp(is_end ? word.chars + word.length - length : word.chars, mark, length) == 0 &&
            (word.length > length || *mark == 'u' || *mark == 'b'))
            return true;
        mark += length + (mark[length] != '\0');
    }
    return false;
}

/* -1: there is none. */
static int find_launcher(const LogLine *line, const LauncherInfo **launcher)
{
    for (int i = 0; i < line->count; i++)
        for (int j = 0; j < LAUNCHERS; j++)
            if (text_equals(without_folder(line->words[i]), launchers[j].name)) {
                *launcher = &launchers[j];
                return i;
            }
    return -1;
}

/* "-n 4", "-n4" and "--ntasks=4": the value of one of these options at word `at`; empty: it is
 * none. */
static Text value_of(const LogLine *line, int at, const char *const *names)
{
    Text word = line->words[at];
    for (int i = 0; i < MOST_NAMES && names[i]; i++) {
        size_t length = strlen(names[i]);
        bool is_long = length > 2;
        if (text_equals(word, names[i]))
            return at + 1 < line->count ? line->words[at + 1] : (Text){0};
        if (word.length <= length || memcmp(word.chars, names[i], length) != 0 ||
            (word.chars[length] == '=') != is_long)
            continue;
        return text_slice(word, length + is_long, word.length - length - is_long);
    }
    return (Text){0};
}

/* "a:4,b:4": how many hosts, and the sum of their numbers; 0: one has none. */
static void count_hosts(Text list, double *hosts, double *slots)
{
    bool has_all = true;
    *hosts = *slots = 0;
    while (list.length) {
        Text host, rest, name, number;
        double count;
        bool splits = text_split(list, ',', &host, &rest);
        host = splits ? host : list;
        list = splits ? rest : text_slice(list, list.length, 0);
        *hosts += 1;
        if (text_split(host, ':', &name, &number) && log_number(number, &count))
            *slots += count;
        else
            has_all = false;
    }
    *slots = has_all ? *slots : 0;
}

static bool is_count(double number)
{
    return number >= 1 && number <= 0x1p31 && number == (double)(int64_t)number;
}

/* How many ranks all options together say; 0: it is not clear. */
static LaunchedProgram count_ranks(const LauncherInfo *launcher, const double *said, double slots)
{
    double ranks = said[SAYS_RANKS], per_node = said[SAYS_PER_NODE], nodes = said[SAYS_NODES];
    LaunchedProgram launched = {.p = 0};
    if (launcher->has_sets && nodes > 0 && per_node == 0)
        per_node = 1;
    nodes = nodes > 0 ? nodes : said[SAYS_HOSTS];
    if (ranks == 0 && nodes > 0 && per_node > 0)
        ranks = nodes * per_node;
    else if (ranks == 0 && slots > 0)
        ranks = slots;
    else if (ranks == 0 && said[SAYS_HOSTS] > 0 && launcher->host_is_one)
        ranks = said[SAYS_HOSTS];
    if (is_count(ranks))
        launched.p = (int64_t)ranks;
    if (launched.p && !launcher->has_sets && is_count(per_node) &&
        launched.p % (int64_t)per_node == 0)
        launched.ranks_per_node = (int64_t)per_node;
    return launched;
}

/* "$ NCCL_ALGO=Ring ./build/all_reduce_perf -b 8": a program that a shell starts by itself. */
static bool find_bare(const LogLine *line, LaunchedProgram *launched)
{
    int at = 0;
    while (at < line->count && (strchr("$#>+", line->words[at].chars[line->words[at].length - 1]) ||
                                memchr(line->words[at].chars, '=', line->words[at].length)))
        at++;
    if (at == line->count || !is_program(without_folder(line->words[at])) ||
        (at + 1 < line->count && !log_starts_with(line->words[at + 1], "-")))
        return false;
    *launched = (LaunchedProgram){.program = without_folder(line->words[at])};
    return true;
}

bool launcher_find(const LogLine *line, LaunchedProgram *launched)
{
    const LauncherInfo *launcher;
    double said[SAYS_KINDS] = {0}, slots = 0, value;
    int from = find_launcher(line, &launcher);
    bool is_clear = true;
    if (from < 0)
        return find_bare(line, launched);
    for (int i = from + 1; i < line->count; i++) {
        Text program = without_folder(line->words[i]);
        if (is_program(program)) {
            *launched = is_clear ? count_ranks(launcher, said, slots) : (LaunchedProgram){0};
            launched->program = program;
            return true;
        }
        is_clear &= !text_equals(line->words[i], ":");
        for (int kind = 0; kind < SAYS_KINDS; kind++) {
            Text text = value_of(line, i, launcher->options[kind]);
            if (!text.length)
                continue;
            if (kind == SAYS_HOSTS)
                count_hosts(text, &value, &slots);
            else if (!log_number(text, &value))
                continue;
            is_clear &= said[kind] == 0 || said[kind] == value;
            said[kind] = value;
        }
    }
    return false;
}
