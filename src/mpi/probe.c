#include "mpi/parts.h"

#include <math.h>
#include <mpi.h>

enum { WARM_UPS = 5, LARGEST_POWER = 1 << 22 };

static void probe_size(const CommandLine *line, const int partners[2], double size,
                       int64_t iterations)
{
    Arena *arena = arena_scratch(line->arena);
    const int m = (int)size;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *times = ARENA_ARRAY(arena, double, (size_t)iterations);
    unsigned char *bytes = ARENA_ARRAY(arena, unsigned char, (size_t)size + 1);
    for (int on_node = 0; on_node < 2; on_node++) {
        const int partner = partners[on_node];
        if (partner < 0)
            continue;
        /* Half the times there and back, rising, at rank 0. */
        MPI_Barrier(MPI_COMM_WORLD);
        for (int64_t i = -WARM_UPS; i < iterations && (rank == 0 || rank == partner); i++) {
            const double start = MPI_Wtime();
            if (rank == 0)
                MPI_Send(bytes, m, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
            MPI_Recv(bytes, m, MPI_BYTE, rank ? 0 : partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank)
                MPI_Send(bytes, m, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            if (i >= 0)
                times[i] = (MPI_Wtime() - start) / 2;
        }
        sort_doubles(times, (size_t)iterations);
        timing_write(line, arena_printf(arena, "point-to-point,direct,2,%d", 1 + on_node),
                     (size_t)rint(size), iterations, times);
    }
    arena_destroy(arena);
}

Status probe_run(const CommandLine *line, const Query *query, int64_t iterations)
{
    MPI_Comm node;
    int rank, ranks, partners[2] = {-1, -1};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2 || iterations < 1)
        return BAD_INPUT(line->diag, NOWHERE, "--probe needs two ranks, and an iteration");
    for (size_t s = 0; s < query->sizes.count; s++)
        if (query->sizes.items[s] > MOST_BYTES)
            return BAD_INPUT(line->diag, NOWHERE, "a message of %s is too large",
                             quantity_show_bytes(line->arena, query->sizes.items[s]));
    /* The first rank behind rank 0 that shares a node with it, and that does not; -1: none. */
    int leader = rank, *leaders = ARENA_ARRAY(line->arena, int, (size_t)ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&leader, 1, MPI_INT, leaders, 1, MPI_INT, MPI_COMM_WORLD);
    for (int q = ranks - 1; q > 0; q--)
        partners[leaders[q] == leaders[0]] = q;
    fputs("collective,algorithm,p,ranks_per_node,m_bytes,runs,least_us,median_us,p90_us,"
          "largest_us\n",
          line->out);
    for (size_t s = 0; s < query->sizes.count; s++)
        probe_size(line, partners, query->sizes.items[s], iterations);
    for (int m = 1; m <= LARGEST_POWER && !query->sizes.count; m *= 4)
        probe_size(line, partners, m, iterations);
    return STATUS_FINE;
}
