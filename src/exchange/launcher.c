#include "exchange/reading.h"

#include <string.h>

/* What a launcher's options say. */
typedef enum { SAYS_RANKS, SAYS_NODES, SAYS_PER_NODE, SAYS_HOSTS, SAYS_KINDS } Says;

typedef struct {
    const char *name;
    const char *options[SAYS_KINDS]; /* names, with blanks between them */
    bool has_sets;    /* what it counts as nodes are sets of resources, which can share one */
    bool host_is_one; /* a host without a number has one rank, where nothing says how many */
} LauncherInfo;

static const LauncherInfo launchers[] = {
#define LAUNCHER(name, ranks, nodes, per_node, hosts, has_sets, host_is_one)                       \
    {name, {ranks, nodes, per_node, hosts}, has_sets, host_is_one},
#include "exchange/launchers.def"
};

enum { LAUNCHERS = COUNT_OF(launchers) };

Text log_without_folder(Text word)
{
    size_t from = word.length;
    while (from > 0 && !strchr("/:", word.chars[from - 1]))
        from--;
    return text_behind(word, from);
}

/* "osu_allreduce", "all_reduce_perf": its name begins or ends like that of a benchmark. */
static bool is_program(Text word)
{
    static const char *const starts[] = {"osu_", "IMB-", "ucc_perftest"};
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (text_begins(word, starts[i]))
            return true;
    return text_equals(word, "benchmark") || text_ends(word, "_perf") ||
           text_ends(word, "_perf_mpi") ||
           (text_ends(word, "_test") && operation_find(text_slice(word, 0, word.length - 5)));
}

/* "-n 4", "-n4" and "--ntasks=4": the value of one of these options at word `at`; empty: it is
 * none. */
static Text value_of(const LogLine *line, int at, const char *names)
{
    Text word = line->words[at];
    for (Text rest = text_plain(names), name; text_next(&rest, ' ', &name);) {
        bool is_long = name.length > 2;
        if (text_same(word, name))
            return at + 1 < line->count ? line->words[at + 1] : (Text){0};
        if (name.length && word.length > name.length &&
            memcmp(word.chars, name.chars, name.length) == 0 &&
            (word.chars[name.length] == '=') == is_long)
            return text_behind(word, name.length + is_long);
    }
    return (Text){0};
}

/* "a:4,b:4": how many hosts, and the sum of their numbers; 0: one has none. */
static void count_hosts(Text list, double *hosts, double *slots)
{
    bool has_all = true;
    *hosts = *slots = 0;
    Text host, name, number;
    double count;
    while (list.length && text_next(&list, ',', &host)) {
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

/* "$ NCCL_ALGO=Ring ./build/all_reduce_perf -b 8", "./all_reduce_test 10000000": a program that a
   shell starts by itself. */
static bool find_bare(const LogLine *line, LaunchedProgram *launched)
{
    int at = 0;
    while (at < line->count && (strchr("$#>+", line->words[at].chars[line->words[at].length - 1]) ||
                                memchr(line->words[at].chars, '=', line->words[at].length)))
        at++;
    if (at == line->count || !is_program(log_without_folder(line->words[at])) ||
        (at + 1 < line->count && !strchr("-=", *line->words[at + 1].chars) &&
         !(text_begins(line->words[at], "./") && log_is_numeric(line->words[at + 1]))))
        return false;
    *launched = (LaunchedProgram){.program = log_without_folder(line->words[at])};
    return true;
}

/* "nccom-test -r 32 -N 2 --minbytes 1kb allg", which starts the ranks itself, whatever starts it.
 */
static bool find_nccom(const LogLine *line, LaunchedProgram *launched)
{
    int at = 0;
    double p = 0, nodes = 1, value;
    *launched = (LaunchedProgram){.p = 0};
    while (at < line->count && !text_equals(log_without_folder(line->words[at]), "nccom-test"))
        at++;
    for (; at < line->count; at++) {
        if (log_number(value_of(line, at, "-r --nworkers"), &value))
            p = value;
        if (log_number(value_of(line, at, "-N --nnodes"), &value))
            nodes = value;
        if (operation_find(line->words[at]))
            launched->program = line->words[at];
    }
    if (is_count(p) && is_count(nodes) && (int64_t)p % (int64_t)nodes == 0) {
        launched->p = (int64_t)p;
        launched->ranks_per_node = (int64_t)p / (int64_t)nodes;
    }
    return launched->program.length > 0;
}

/* "#@nprocs=4", "#@datatype_extent_bytes=8": what ReproMPI says of itself. */
static bool find_stated(Text word, LaunchedProgram *launched)
{
    Text name, text;
    double value;
    *launched = (LaunchedProgram){.program = word};
    if (!text_split(word, '=', &name, &text) || !log_number(text, &value) || !is_count(value))
        return false;
    launched->p = text_equals(name, "#@nprocs") ? (int64_t)value : 0;
    launched->element = text_equals(name, "#@datatype_extent_bytes") ? value : 0;
    return launched->p > 0 || launched->element > 0;
}

/* What one launcher starts up to word *at, where a colon stands, or the line ends. Options behind
   the program are its own. */
static LaunchedProgram read_part(const LauncherInfo *launcher, const LogLine *line, int *at)
{
    double said[SAYS_KINDS] = {0}, slots = 0, value;
    LaunchedProgram launched = {.p = 0};
    bool is_clear = true;
    for (; *at < line->count && !text_equals(line->words[*at], ":"); ++*at) {
        const Text program = log_without_folder(line->words[*at]);
        if (!launched.program.length && is_program(program)) {
            launched = is_clear ? count_ranks(launcher, said, slots) : (LaunchedProgram){0};
            launched.program = program;
            double devices = 1; /* of a process of nccl-tests: "-t 2 -g 8" */
            for (int i = *at + 1; i < line->count; i++)
                if (log_number(value_of(line, i, "-g -t --ngpus --nthreads"), &value))
                    devices *= value;
            launched.devices = is_count(devices) ? (int64_t)devices : 1;
        }
        for (int kind = 0; kind < SAYS_KINDS && !launched.program.length; kind++) {
            Text text = value_of(line, *at, launcher->options[kind]);
            if (!text.length)
                continue;
            if (kind == SAYS_HOSTS)
                count_hosts(text, &value, &slots);
            else {
                Text way, number, unit; /* of "ppr:4:node", as --map-by has it */
                if (text_split(text, ':', &way, &unit) && text_equals(way, "ppr") &&
                    text_split(unit, ':', &number, &unit) && text_begins(unit, "node"))
                    text = number;
                if (!log_number(text, &value))
                    continue;
            }
            const bool differs = said[kind] != 0 && said[kind] != value;
            is_clear &= !differs || kind == SAYS_PER_NODE;
            said[kind] = differs ? -1 : value; /* not known, where two are said */
        }
    }
    return launched;
}

/* Words of "mpirun" "-n" "4", of ['mpirun', '-n', '4'] and `mpirun -n 4`, as programs and pages
   show a command. */
static void unquote(LogLine *line)
{
    if (!memchr(line->text.chars, '"', line->text.length) &&
        !memchr(line->text.chars, '\'', line->text.length) &&
        !memchr(line->text.chars, '`', line->text.length))
        return;
    for (Text *word = line->words; word < line->words + line->count; word++) {
        size_t from = 0, end = word->length;
        while (from < end && strchr("`\"'[", word->chars[from]))
            from++;
        while (end > from && strchr("`\"'],", word->chars[end - 1]))
            end--;
        if (end > from)
            *word = text_slice(*word, from, end - from);
    }
}

bool launcher_find(const LogLine *given, LaunchedProgram *launched)
{
    const LauncherInfo *launcher = NULL;
    LogLine words = *given;
    const LogLine *line = &words;
    int at = 0; /* behind the launcher */
    unquote(&words);
    if (find_nccom(line, launched))
        return true;
    for (; at < line->count && !launcher; at++)
        for (int i = 0; i < LAUNCHERS && !launcher; i++)
            if (text_equals(log_without_folder(line->words[at]), launchers[i].name))
                launcher = &launchers[i];
    if (!launcher)
        return find_stated(line->words[0], launched) || find_bare(line, launched);
    *launched = read_part(launcher, line, &at);
    while (at++ < line->count) { /* "-n 4 ./osu_bcast : -n 4 ./osu_bcast" */
        const LaunchedProgram part = read_part(launcher, line, &at);
        launched->p = launched->p && part.p ? launched->p + part.p : 0;
        launched->program = part.program.length ? part.program : launched->program;
        launched->ranks_per_node = 0;
    }
    return launched->program.length > 0;
}
