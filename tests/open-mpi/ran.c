/* Which algorithms Open MPI really runs: makes calls of collectives, and says for each what ran.

       mpirun -n RANKS ran POINTS SECONDS

   A line of POINTS is a call: the collective by Open MPI's name, p for a communicator of the first
   p ranks, m in bytes as MPI counts it, and the bytes of an element, 1, 4 or 8. An answer is a line
   of CSV: collective, p, m, bytes of an element, algorithm; or in place of the algorithm the error
   that the call returned. Errors do not end the job, but where ranks run different algorithms it
   can crash or hang: a signal ends it after so many seconds.

   The algorithms of coll/base are functions that libmpi exports and coll/tuned calls through its
   table of imports. Functions of the same names in this program come first: each notes its name and
   calls the one of libmpi, whatever its arguments are. Twelve words are more than any of them has;
   on the usual machines of 64 bits a caller does not mind that those beyond are read. Of nested
   calls for the same collective the innermost counts: that is a fallback. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *called;   /* the collective of the call under way */
static const char *ran = ""; /* what was noted for it */

typedef long Wide(long, long, long, long, long, long, long, long, long, long, long, long);

static Wide *note(const char *collective, const char *name, const char *symbol)
{
    if (called && strcmp(called, collective) == 0)
        ran = name;
    void *found = dlsym(RTLD_NEXT, symbol);
    Wide *function;
    if (!found) {
        fprintf(stderr, "ran: libmpi has no %s\n", symbol);
        exit(3);
    }
    memcpy(&function, &found, sizeof function);
    return function;
}

#define RUNS(collective, symbol, name)                                                             \
    long ompi_coll_base_##symbol(long a, long b, long c, long d, long e, long f, long g, long h,   \
                                 long i, long j, long k, long l);                                  \
    long ompi_coll_base_##symbol(long a, long b, long c, long d, long e, long f, long g, long h,   \
                                 long i, long j, long k, long l)                                   \
    {                                                                                              \
        return note(#collective, #name, "ompi_coll_base_" #symbol)(a, b, c, d, e, f, g, h, i, j,   \
                                                                   k, l);                          \
    }
#include "algorithms.def"
#undef RUNS

enum { MOST_RANKS = 64 };
static int rank;
static char *out, *in;
static int counts[MOST_RANKS], places[MOST_RANKS];

static int call(const char *name, int count, MPI_Datatype type, MPI_Comm on)
{
    for (int i = 0; i < MOST_RANKS; i++) {
        counts[i] = count;
        places[i] = i * count;
    }
    if (strcmp(name, "allgather") == 0)
        return MPI_Allgather(out, count, type, in, count, type, on);
    if (strcmp(name, "allgatherv") == 0)
        return MPI_Allgatherv(out, count, type, in, counts, places, type, on);
    if (strcmp(name, "allreduce") == 0)
        return MPI_Allreduce(out, in, count, type, MPI_MAX, on);
    if (strcmp(name, "alltoall") == 0)
        return MPI_Alltoall(out, count, type, in, count, type, on);
    if (strcmp(name, "alltoallv") == 0)
        return MPI_Alltoallv(out, counts, places, type, in, counts, places, type, on);
    if (strcmp(name, "barrier") == 0)
        return MPI_Barrier(on);
    if (strcmp(name, "bcast") == 0)
        return MPI_Bcast(out, count, type, 0, on);
    if (strcmp(name, "exscan") == 0)
        return MPI_Exscan(out, in, count, type, MPI_MAX, on);
    if (strcmp(name, "gather") == 0)
        return MPI_Gather(out, count, type, in, count, type, 0, on);
    if (strcmp(name, "reduce") == 0)
        return MPI_Reduce(out, in, count, type, MPI_MAX, 0, on);
    if (strcmp(name, "reduce_scatter") == 0)
        return MPI_Reduce_scatter(out, in, counts, type, MPI_MAX, on);
    if (strcmp(name, "reduce_scatter_block") == 0)
        return MPI_Reduce_scatter_block(out, in, count, type, MPI_MAX, on);
    if (strcmp(name, "scan") == 0)
        return MPI_Scan(out, in, count, type, MPI_MAX, on);
    if (strcmp(name, "scatter") == 0)
        return MPI_Scatter(out, count, type, in, count, type, 0, on);
    if (strcmp(name, "scatter-root-counts") == 0) /* what others say means nothing in MPI */
        return MPI_Scatter(out, rank ? 0 : count, type, in, count, type, 0, on);
    fprintf(stderr, "ran: what is %s?\n", name);
    exit(2);
}

/* MPI_Comm_create_group runs no collective: rules have no say in it. */
static MPI_Comm first_ranks(int p)
{
    static MPI_Comm made[MOST_RANKS + 1];
    if (made[p])
        return made[p];
    int list[MOST_RANKS];
    MPI_Group all, group;
    for (int i = 0; i < p; i++)
        list[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, p, list, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, p, &made[p]);
    MPI_Comm_set_errhandler(made[p], MPI_ERRORS_RETURN);
    return made[p];
}

static const char *result_of(int status)
{
    int class;
    if (status == MPI_SUCCESS)
        return ran;
    MPI_Error_class(status, &class);
    return class == MPI_ERR_ARG                     ? "MPI_ERR_ARG"
           : class == MPI_ERR_UNSUPPORTED_OPERATION ? "MPI_ERR_UNSUPPORTED_OPERATION"
                                                    : "another error";
}

static bool run_points(FILE *points)
{
    char name[64];
    long bytes;
    int p, element;
    while (fscanf(points, "%63s %d %ld %d", name, &p, &bytes, &element) == 4) {
        if (rank >= p)
            continue;
        MPI_Datatype type = element == 8 ? MPI_INT64_T : element == 4 ? MPI_INT32_T : MPI_INT8_T;
        out = calloc((size_t)p, (size_t)bytes + 1);
        in = calloc((size_t)p, (size_t)bytes + 1);
        if (!out || !in)
            return false;
        MPI_Comm on = first_ranks(p);
        ran = "";
        called = strncmp(name, "scatter", 7) == 0 ? "scatter" : name;
        const int status = call(name, (int)(bytes / element), type, on);
        called = NULL;
        if (rank == 0)
            printf("%s,%d,%ld,%d,%s\n", name, p, bytes, element, result_of(status));
        free(out);
        free(in);
    }
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *points = argc == 3 && ranks <= MOST_RANKS ? fopen(argv[1], "r") : NULL;
    if (!points) {
        fputs("usage: mpirun -n RANKS ran POINTS SECONDS, RANKS being at most 64\n", stderr);
        return 2;
    }
    alarm((unsigned)atoi(argv[2]));
    const bool good = run_points(points);
    fclose(points);
    MPI_Finalize();
    return good ? 0 : 3;
}
