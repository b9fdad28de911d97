/* What each rank sends when a library of MPI runs an algorithm that it is told to run.

       mpirun -n RANKS sent CASES SECONDS

   A line of CASES is a call: the collective by the library's name, the algorithm by the library's
   number, p for a communicator of the first p ranks, root, m in bytes, segment size, fan-out and
   radix, 0 where the library has none. The answer is the line with `rank>to:bytes,to:bytes ...`
   behind it, the messages of each rank in its order. Elements have 4 bytes. A signal ends the job
   after so many seconds.

   Open MPI 4.1: the functions of its layer of messages stand in a table, mca_pml, whose entries are
   replaced. MPICH, with WRAPPED: the linker gives calls of its MPIC_* to functions here (--wrap).
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on;
static int rank;
static char text[1 << 22];
static size_t length;

static void note(int to, size_t count, void *type)
{
    int size;
    PMPI_Type_size((MPI_Datatype)(size_t)type, &size);
    if (is_on && to >= 0 && to != rank && length + 64 < sizeof text)
        length +=
            (size_t)sprintf(text + length, "%s%d:%zu", length ? "," : "", to, count * (size_t)size);
}

#ifdef WRAPPED
#define AS_POINTER(type) ((void *)(size_t)(type))
#define SENDS(name, declared, given)                                                               \
    int __real_MPIC_##name declared;                                                               \
    int __wrap_MPIC_##name declared                                                                \
    {                                                                                              \
        note(to, (size_t)n, AS_POINTER(type));                                                     \
        return __real_MPIC_##name given;                                                           \
    }
#define FIRST const void *b, MPI_Aint n, MPI_Datatype type, int to, int tag
SENDS(Send, (FIRST, void *c, void *e), (b, n, type, to, tag, c, e))
SENDS(Ssend, (FIRST, void *c, void *e), (b, n, type, to, tag, c, e))
SENDS(Isend, (FIRST, void *c, void *q, void *e), (b, n, type, to, tag, c, q, e))
SENDS(Issend, (FIRST, void *c, void *q, void *e), (b, n, type, to, tag, c, q, e))
SENDS(Sendrecv,
      (FIRST, void *rb, MPI_Aint rn, MPI_Datatype rt, int from, int rtag, void *c, void *s,
       void *e),
      (b, n, type, to, tag, rb, rn, rt, from, rtag, c, s, e))
SENDS(Sendrecv_replace, (FIRST, int from, int rtag, void *c, void *s, void *e),
      (b, n, type, to, tag, from, rtag, c, s, e))

static void open_library(void)
{
}
#else
typedef int Isend(const void *, size_t, void *, int, int, int, void *, void **);
typedef int Send(const void *, size_t, void *, int, int, int, void *);
static Isend *real_isend, *real_isend_init;
static Send *real_send;

static int noted_isend(const void *b, size_t n, void *type, int to, int tag, int mode, void *on,
                       void **request)
{
    note(to, n, type);
    return real_isend(b, n, type, to, tag, mode, on, request);
}

static int noted_isend_init(const void *b, size_t n, void *type, int to, int tag, int mode,
                            void *on, void **request)
{
    note(to, n, type);
    return real_isend_init(b, n, type, to, tag, mode, on, request);
}

static int noted_send(const void *b, size_t n, void *type, int to, int tag, int mode, void *on)
{
    note(to, n, type);
    return real_send(b, n, type, to, tag, mode, on);
}

static void open_library(void)
{
    enum { PLACE_OF_ISEND_INIT = 9, PLACE_OF_ISEND, PLACE_OF_SEND };
    void **table = dlsym(RTLD_DEFAULT, "mca_pml");
    real_isend_init = (Isend *)table[PLACE_OF_ISEND_INIT];
    real_isend = (Isend *)table[PLACE_OF_ISEND];
    real_send = (Send *)table[PLACE_OF_SEND];
    table[PLACE_OF_ISEND_INIT] = (void *)noted_isend_init;
    table[PLACE_OF_ISEND] = (void *)noted_isend;
    table[PLACE_OF_SEND] = (void *)noted_send;
}
#endif

typedef struct {
    char name[64];
    int algorithm, p, root, bytes, segment, fanout, radix;
} Case;

/* Sets a variable of the library; not all algorithms have all. */
static void set(int value, const char *format, ...)
{
    char name[128];
    va_list list;
    int index, count;
    MPI_T_cvar_handle handle;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS)
        return;
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_write(handle, &value);
    MPI_T_cvar_handle_free(&handle);
}

static void force(const Case *one, bool is_forced)
{
    char upper[64];
    for (size_t i = 0; i < sizeof upper; i++)
        upper[i] = (char)toupper(one->name[i]);
    set(is_forced ? one->algorithm : 0, "MPIR_CVAR_%s_INTRA_ALGORITHM", upper);
    set(is_forced ? one->algorithm : 0, "coll_tuned_%s_algorithm", one->name);
    set(one->segment, "coll_tuned_%s_algorithm_segmentsize", one->name);
    if (one->fanout)
        set(one->fanout, "coll_tuned_%s_algorithm_chain_fanout", one->name);
    if (one->radix)
        set(one->radix, "coll_tuned_%s_algorithm_knomial_radix", one->name);
}

static int call(const Case *one, MPI_Comm on)
{
    enum { MOST_RANKS = 64 };
    const int n = one->bytes / 4, p = one->p < MOST_RANKS ? one->p : MOST_RANKS;
    int counts[MOST_RANKS], places[MOST_RANKS];
    char *out = calloc((size_t)p, (size_t)one->bytes + 4);
    char *in = calloc((size_t)p, (size_t)one->bytes + 4);
    int status = MPI_ERR_OTHER;
    for (int i = 0; i < p; i++)
        counts[i] = n, places[i] = i * n;
#define CALL(collective, ...)                                                                      \
    if (strcmp(one->name, collective) == 0)                                                        \
        status = __VA_ARGS__;
    CALL("allgather", MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, on))
    CALL("allgatherv", MPI_Allgatherv(out, n, MPI_INT, in, counts, places, MPI_INT, on))
    CALL("allreduce", MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, on))
    CALL("alltoall", MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, on))
    CALL("alltoallv", MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, on))
    CALL("barrier", MPI_Barrier(on))
    CALL("bcast", MPI_Bcast(out, n, MPI_INT, one->root, on))
    CALL("exscan", MPI_Exscan(out, in, n, MPI_INT, MPI_SUM, on))
    CALL("gather", MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, one->root, on))
    CALL("reduce", MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, one->root, on))
    CALL("reduce_scatter", MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, on))
    CALL("reduce_scatter_block", MPI_Reduce_scatter_block(out, in, n, MPI_INT, MPI_SUM, on))
    CALL("scan", MPI_Scan(out, in, n, MPI_INT, MPI_SUM, on))
    CALL("scatter", MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, one->root, on))
    free(out);
    free(in);
    return status;
}

/* Rank 0 writes what all have noted. */
static void write_line(const Case *one, MPI_Comm on)
{
    static char other[sizeof text];
    if (rank) {
        PMPI_Send(text, (int)length + 1, MPI_CHAR, 0, 0, on);
        return;
    }
    printf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t", one->name, one->algorithm, one->p, one->root,
           one->bytes, one->segment, one->fanout, one->radix);
    const char *space = "";
    for (int r = 0; r < one->p; r++) {
        const char *said = text;
        if (r) {
            PMPI_Recv(other, sizeof other, MPI_CHAR, r, 0, on, MPI_STATUS_IGNORE);
            said = other;
        }
        if (*said)
            printf("%s%d>%s", space, r, said), space = " ";
    }
    putchar('\n');
}

static bool run_case(const Case *one)
{
    MPI_Comm on, fresh;
    MPI_Comm_split(MPI_COMM_WORLD, rank < one->p ? 0 : MPI_UNDEFINED, rank, &on);
    if (rank >= one->p)
        return true;
    force(one, true);
    MPI_Comm_dup(on, &fresh); /* which algorithms it runs is settled when it is made */
    length = 0;
    *text = '\0';
    is_on = true;
    const int status = call(one, fresh);
    is_on = false;
    force(one, false);
    write_line(one, on);
    MPI_Comm_free(&fresh);
    MPI_Comm_free(&on);
    return status == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int given;
    Case one;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *cases = argc == 3 ? fopen(argv[1], "r") : NULL;
    if (!cases) {
        fputs("usage: mpirun -n RANKS sent CASES SECONDS\n", stderr);
        return 2;
    }
    alarm((unsigned)atoi(argv[2]));
    open_library();
    bool good = true;
    while (good && fscanf(cases, "%63s %d %d %d %d %d %d %d", one.name, &one.algorithm, &one.p,
                          &one.root, &one.bytes, &one.segment, &one.fanout, &one.radix) == 8)
        good = run_case(&one);
    fclose(cases);
    MPI_Finalize();
    return good ? 0 : 3;
}
