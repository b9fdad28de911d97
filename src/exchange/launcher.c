#include "exchange/launcher.h"

#include <string.h>

typedef struct {
    const char *name;
    const char *ranks[5];   /* options for the number of ranks */
    const char *factors[3]; /* of tasks in each of these; 1 where it is not said */
} LauncherInfo;

static const LauncherInfo launchers[] = {
    {"mpirun", {"-np", "-n", "--np", "--n", "-c"}, {NULL}},
    {"mpiexec", {"-np", "-n", "--np", "--n", "-c"}, {NULL}},
    {"mpiexec.hydra", {"-np", "-n"}, {NULL}},
    {"orterun", {"-np", "-n", "--np", "--n", "-c"}, {NULL}},
    {"prterun", {"-np", "-n", "--np", "--n", "-c"}, {NULL}},
    {"mpirun_rsh", {"-np", "-n"}, {NULL}},
    {"srun", {"-n", "--ntasks"}, {NULL}},
    {"jsrun", {"-n", "--nrs", "-p", "--np"}, {"-a", "--tasks_per_rs"}},
    {"aprun", {"-n", "--pes"}, {NULL}},
    {"flux", {"-n", "--ntasks"}, {NULL}},
};

enum { LAUNCHERS = sizeof launchers / sizeof *launchers, MOST_WORDS_BEFORE = 4 };

static Text without_folder(Text word)
{
    size_t from = word.length;
    while (from > 0 && word.chars[from - 1] != '/')
        from--;
    return text_slice(word, from, word.length - from);
}

/* Behind few words, such as "time" or "+ ". -1: there is none. */
static int find_launcher(const LogLine *line, const LauncherInfo **launcher)
{
    for (int i = 0; i < line->count && i < MOST_WORDS_BEFORE; i++)
        for (int j = 0; j < LAUNCHERS; j++)
            if (text_equals(without_folder(line->words[i]), launchers[j].name)) {
                *launcher = &launchers[j];
                return i;
            }
    return -1;
}

/* "-n 4", "-n4" and "--ntasks=4": the value of one of these options at word `at`. */
static bool take_option(const LogLine *line, int at, const char *const *names, int count,
                        double *value)
{
    Text word = line->words[at];
    for (int i = 0; i < count && names[i]; i++) {
        size_t length = strlen(names[i]);
        if (text_equals(word, names[i]))
            return at + 1 < line->count && log_number(line->words[at + 1], value);
        if (word.length <= length || memcmp(word.chars, names[i], length) != 0)
            continue;
        bool is_long = names[i][1] == '-';
        if (is_long != (word.chars[length] == '='))
            continue;
        length += is_long;
        if (log_number(text_slice(word, length, word.length - length), value))
            return true;
    }
    return false;
}

bool launcher_find(const LogLine *line, const char *program_start, LaunchedProgram *launched)
{
    const LauncherInfo *launcher;
    double ranks = 0, tasks = 1, value;
    int from = find_launcher(line, &launcher);
    bool is_clear = true;
    if (from < 0)
        return false;
    for (int i = from + 1; i < line->count; i++) {
        Text program = without_folder(line->words[i]);
        if (program.length > strlen(program_start) &&
            memcmp(program.chars, program_start, strlen(program_start)) == 0) {
            ranks *= tasks;
            bool is_whole = ranks >= 1 && ranks <= 0x1p31 && ranks == (double)(int64_t)ranks;
            *launched = (LaunchedProgram){program, is_clear && is_whole ? (int64_t)ranks : 0};
            return true;
        }
        if (take_option(line, i, launcher->ranks, 5, &value)) {
            is_clear &= ranks == 0 || ranks == value;
            ranks = value;
        } else if (take_option(line, i, launcher->factors, 3, &value)) {
            tasks = value;
        }
        is_clear &= !text_equals(line->words[i], ":");
    }
    return false;
}
