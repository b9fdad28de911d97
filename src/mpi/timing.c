#include "mpi/parts.h"

#include "base/random.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UPS = 2 };

void bytes_add(unsigned char *into, const unsigned char *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        into[i] = (unsigned char)(into[i] + from[i]);
}

void bytes_contribute(uint64_t origin, uint64_t block, unsigned times, size_t count,
                      unsigned char *bytes)
{
    uint64_t state = random_hash(random_hash(origin) ^ block), word = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            word = random_next(&state);
        bytes[i] = (unsigned char)(bytes[i] + times * (unsigned char)(word >> 8 * (i % 8)));
    }
}

const double *timing_measure(Arena *arena, void (*run)(void *context), void *context,
                             int64_t iterations)
{
    double *own = ARENA_ARRAY(arena, double, (size_t)iterations);
    double *slowest = ARENA_ARRAY(arena, double, (size_t)iterations);
    for (int64_t i = -WARM_UPS; i < iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        run(context);
        if (i >= 0)
            own[i] = MPI_Wtime() - start;
    }
    MPI_Reduce(own, slowest, (int)iterations, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    sort_doubles(slowest, (size_t)iterations);
    return slowest;
}

void timing_write(const CommandLine *line, const char *what, size_t m, int64_t iterations,
                  const double *times)
{
    const int64_t last = iterations - 1;
    fprintf(line->out, "%s,%zu,%lld,%.3f,%.3f,%.3f,%.3f\n", what, m, (long long)iterations,
            1e6 * times[0], 1e6 * times[iterations / 2], 1e6 * times[last * 9 / 10],
            1e6 * times[last]);
}

Status timing_agree(const CommandLine *line, const char *wrong, const char *name)
{
    int rank, first, mine, length = wrong ? (int)strlen(wrong) + 1 : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = wrong ? rank : -1;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (first < 0)
        return STATUS_FINE;
    MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
    char *text = ARENA_ARRAY(line->arena, char, (size_t)length);
    if (rank == first)
        memcpy(text, wrong, (size_t)length);
    MPI_Bcast(text, length, MPI_CHAR, first, MPI_COMM_WORLD);
    diag_error(line->diag, NOWHERE, "%s: %s", name, text);
    return STATUS_CHECK_FAILED;
}
