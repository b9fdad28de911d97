/* Which algorithms a library of MPI really runs: makes calls of collectives, and says for each what
   ran.

       mpirun -n RANKS ran POINTS SECONDS [dry]

   A line of POINTS is a call: the collective by the library's name, p for a communicator of the
   first p ranks, m in bytes as MPI counts it, and the bytes of an element, 1, 4 or 8. Behind the
   name can stand what is unusual: "alltoall-in-place", "allreduce-own-operation", which does not
   commute, and "scatter-root-counts", where other ranks say nothing. An answer is a line of CSV:
   collective, p, m, bytes of an element, algorithm; or in place of the algorithm the error that the
   call returned. Errors do not end the job, but where ranks run different algorithms it can crash
   or hang: a signal ends it after so many seconds.

   Open MPI: the algorithms of coll/base are functions that libmpi exports and coll/tuned calls
   through its table of imports. Functions of the same names in this program come first: each notes
   its name and calls the one of libmpi, whatever its arguments are. MPICH, with WRAPPED: the linker
   gives calls to functions of its static library to those here (--wrap). Twelve words are more than
   any of them has; on the usual machines of 64 bits a caller does not mind that those beyond are
   read. Of nested calls for the same collective the innermost counts: that is a fallback. A dry run
   only asks MPICH which algorithm it is, which then does nothing. */
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

static bool is_dry;

typedef long Wide(long, long, long, long, long, long, long, long, long, long, long, long);

static bool note(const char *collective, const char *name)
{
    const bool is_called = called && strcmp(called, collective) == 0;
    if (is_called)
        ran = name;
    return is_called;
}

#define WORDS                                                                                      \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l

#ifdef WRAPPED
#define RUNS(collective, symbol, name)                                                             \
    Wide __real_##symbol, __wrap_##symbol;                                                         \
    long __wrap_##symbol(WORDS)                                                                    \
    {                                                                                              \
        if (note(#collective, #name) && is_dry)                                                    \
            return MPI_SUCCESS;                                                                    \
        return __real_##symbol(a, b, c, d, e, f, g, h, i, j, k, l);                                \
    }
#else
static Wide *find(const char *symbol)
{
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
    Wide ompi_coll_base_##symbol;                                                                  \
    long ompi_coll_base_##symbol(WORDS)                                                            \
    {                                                                                              \
        note(#collective, #name);                                                                  \
        return find("ompi_coll_base_" #symbol)(a, b, c, d, e, f, g, h, i, j, k, l);                \
    }
#endif
#include "algorithms.def"
#undef RUNS

enum { MOST_RANKS = 64 };
static int rank;
static char *out, *in;
static int counts[MOST_RANKS], places[MOST_RANKS];

static void keep_first(void *in_data, void *out_data, int *length, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    memmove(out_data, in_data, (size_t)size * (size_t)*length);
}

/* MPI_MAX, or an operation of our own. */
static MPI_Op operation(const char *name)
{
    static MPI_Op own = MPI_OP_NULL;
    if (!strstr(name, "-own-operation"))
        return MPI_MAX;
    if (own == MPI_OP_NULL)
        MPI_Op_create(keep_first, 0, &own);
    return own;
}

static int call(const char *called_as, const char *name, int count, MPI_Datatype type, MPI_Comm on)
{
    const MPI_Op op = operation(called_as);
    const void *from = strstr(called_as, "-in-place") ? MPI_IN_PLACE : out;
    const bool is_silent = strstr(called_as, "-root-counts") && rank;
    for (int i = 0; i < MOST_RANKS; i++) {
        counts[i] = count;
        places[i] = i * count;
    }
    if (strcmp(name, "allgather") == 0)
        return MPI_Allgather(out, count, type, in, count, type, on);
    if (strcmp(name, "allgatherv") == 0)
        return MPI_Allgatherv(out, count, type, in, counts, places, type, on);
    if (strcmp(name, "allreduce") == 0)
        return MPI_Allreduce(out, in, count, type, op, on);
    if (strcmp(name, "alltoall") == 0)
        return MPI_Alltoall(from, count, type, in, count, type, on);
    if (strcmp(name, "alltoallv") == 0)
        return MPI_Alltoallv(out, counts, places, type, in, counts, places, type, on);
    if (strcmp(name, "barrier") == 0)
        return MPI_Barrier(on);
    if (strcmp(name, "bcast") == 0)
        return MPI_Bcast(out, count, type, 0, on);
    if (strcmp(name, "exscan") == 0)
        return MPI_Exscan(out, in, count, type, op, on);
    if (strcmp(name, "gather") == 0)
        return MPI_Gather(out, count, type, in, count, type, 0, on);
    if (strcmp(name, "reduce") == 0)
        return MPI_Reduce(out, in, count, type, op, 0, on);
    if (strcmp(name, "reduce_scatter") == 0)
        return MPI_Reduce_scatter(out, in, counts, type, op, on);
    if (strcmp(name, "reduce_scatter_block") == 0)
        return MPI_Reduce_scatter_block(out, in, count, type, op, on);
    if (strcmp(name, "scan") == 0)
        return MPI_Scan(out, in, count, type, op, on);
    if (strcmp(name, "scatter") == 0)
        return MPI_Scatter(out, is_silent ? 0 : count, type, in, count, type, 0, on);
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
    char called_as[64], name[64];
    long bytes;
    int p, element;
    while (fscanf(points, "%63s %d %ld %d", called_as, &p, &bytes, &element) == 4) {
        if (rank >= p)
            continue;
        MPI_Datatype type = element == 8 ? MPI_INT64_T : element == 4 ? MPI_INT32_T : MPI_INT8_T;
        out = calloc((size_t)p, (size_t)bytes + 1);
        in = calloc((size_t)p, (size_t)bytes + 1);
        if (!out || !in)
            return false;
        MPI_Comm on = first_ranks(p);
        ran = "";
        strcpy(name, called_as);
        name[strcspn(name, "-")] = '\0';
        called = name;
        const int status = call(called_as, name, (int)(bytes / element), type, on);
        called = NULL;
        if (rank == 0)
            printf("%s,%d,%ld,%d,%s\n", called_as, p, bytes, element, result_of(status));
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
    is_dry = argc == 4 && strcmp(argv[3], "dry") == 0;
    FILE *points = argc >= 3 && ranks <= MOST_RANKS ? fopen(argv[1], "r") : NULL;
    if (!points) {
        fputs("usage: mpirun -n RANKS ran POINTS SECONDS [dry], RANKS being at most 64\n", stderr);
        return 2;
    }
    alarm((unsigned)atoi(argv[2]));
    const bool good = run_points(points);
    fclose(points);
    MPI_Finalize();
    return good ? 0 : 3;
}
