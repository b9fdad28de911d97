/* Loaded before the C library (LD_PRELOAD): fails one allocation, or one call that writes, of a
   program.

   COLLCOST_FAULT   memory=N   the Nth allocation fails
                    empty=N    the Nth, and all that follow
                    write=N    the Nth call that writes a file, or puts it into its place
                    size=N     files hold N bytes at most, streams of the C library as well
                    close=N    the standard streams whose bits are set in N are closed
   COLLCOST_COUNTS  a file: how many allocations, and how many such calls, there were

   What is counted begins where main is about to, whoever allocates: the program, libyaml, the C
   library; a process that is forked counts on together with its parent. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    int is_on;
    long memory, write;    /* which one fails; 0: none */
    int stays;             /* and all further ones */
    long memories, writes; /* so far */
} Fault;

static Fault before_main, *fault = &before_main; /* then shared with children */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int fails(long *count, long wanted, int stays)
{
    if (!fault->is_on)
        return 0;
    long number = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    return wanted && (number == wanted || (stays && number > wanted));
}

static int fails_memory(void)
{
    int does = fails(&fault->memories, fault->memory, fault->stays);
    if (does)
        errno = ENOMEM;
    return does;
}

static int fails_write(void)
{
    int does = fails(&fault->writes, fault->write, 0);
    if (does)
        errno = ENOSPC;
    return does;
}

void *malloc(size_t size)
{
    static __typeof__(&malloc) real;
    real = real ? real : REAL(malloc);
    return fails_memory() ? NULL : real(size);
}

void *calloc(size_t count, size_t size)
{
    static __typeof__(&calloc) real;
    real = real ? real : REAL(calloc);
    return fails_memory() ? NULL : real(count, size);
}

void *realloc(void *memory, size_t size)
{
    static __typeof__(&realloc) real;
    real = real ? real : REAL(realloc);
    return fails_memory() ? NULL : real(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static __typeof__(&aligned_alloc) real;
    real = real ? real : REAL(aligned_alloc);
    return fails_memory() ? NULL : real(alignment, size);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    static __typeof__(&write) real;
    real = real ? real : REAL(write);
    if (!fails_write())
        return real(file, bytes, length);
    if (length > 1 && real(file, bytes, length / 2) >= 0) /* a torso is left behind */
        errno = ENOSPC;
    return -1;
}

int fsync(int file)
{
    static __typeof__(&fsync) real;
    real = real ? real : REAL(fsync);
    return fails_write() ? -1 : real(file);
}

int fchmod(int file, mode_t mode)
{
    static __typeof__(&fchmod) real;
    real = real ? real : REAL(fchmod);
    return fails_write() ? -1 : real(file, mode);
}

int close(int file)
{
    static __typeof__(&close) real;
    real = real ? real : REAL(close);
    int failed = fails_write(); /* the file is closed all the same */
    int status = real(file);
    errno = failed ? EIO : errno;
    return failed ? -1 : status;
}

int rename(const char *from, const char *to)
{
    static __typeof__(&rename) real;
    real = real ? real : REAL(rename);
    return fails_write() ? -1 : real(from, to);
}

static void limit_files(long bytes)
{
    const struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("COLLCOST_FAULT"), *equals = wanted ? strchr(wanted, '=') : NULL;
    long number = equals ? atol(equals + 1) : 0;
    void *shared =
        mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    fault = shared;
    if (wanted && (wanted[0] == 'm' || wanted[0] == 'e'))
        fault->memory = number, fault->stays = wanted[0] == 'e';
    if (wanted && wanted[0] == 'w')
        fault->write = number;
    if (wanted && wanted[0] == 's')
        limit_files(number);
    for (int i = 0; wanted && wanted[0] == 'c' && i < 3; i++)
        if (number >> i & 1)
            close(i);
    free(malloc(1)); /* dlsym has done its part */
    fault->is_on = 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COLLCOST_COUNTS");
    fault->is_on = 0;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld %ld\n", fault->memories, fault->writes);
    fclose(file);
}
