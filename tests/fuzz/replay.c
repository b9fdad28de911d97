/* replay FOLDER: runs every file FOLDER/TARGET/NAME once more, each in a process of its own, and
   reports as TAP. replay TARGET FILE...: runs these files. An input may take ten seconds of work,
   and a hundred seconds in all, where the machine is busy. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20, MOST_SECONDS = 10 };

static int run_file(const FuzzTarget *target, const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 2;
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const struct itimerval work = {.it_value.tv_sec = MOST_SECONDS};
    setitimer(ITIMER_VIRTUAL, &work, NULL);
    alarm(10 * MOST_SECONDS);
    fuzz_run(target, bytes, length);
    return 0;
}

/* In a process of its own, which may crash. */
static bool is_survived(const FuzzTarget *target, const char *path)
{
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(run_file(target, path));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder, const FuzzTarget *target, int *number)
{
    char path[4096];
    struct dirent **entries = NULL;
    int bad = 0;
    snprintf(path, sizeof path, "%s/%s", folder, target->name);
    int count = scandir(path, &entries, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, target->name, entries[i]->d_name);
        bool good = is_survived(target, path);
        printf("%sok %d - %s: %s\n", good ? "" : "not ", ++*number, target->name,
               entries[i]->d_name);
        bad += !good;
        free(entries[i]);
    }
    free(entries);
    return bad;
}

int main(int count, char **arguments)
{
    int number = 0, bad = 0;
    if (count == 2) {
        for (int i = 0; i < FUZZ_TARGET_COUNT; i++)
            bad += replay_folder(arguments[1], &fuzz_targets[i], &number);
        printf("1..%d\n", number);
        return bad > 0;
    }
    const FuzzTarget *target = count > 2 ? fuzz_target(arguments[1]) : NULL;
    if (!target) {
        fputs("usage: replay FOLDER | replay TARGET FILE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < count; i++)
        bad |= run_file(target, arguments[i]);
    return bad;
}
