#include "mpi/native.h"

#include <mpi.h>
#include <string.h>

bool native_run(const char *collective, int root, size_t m, int ranks, const void *send,
                void *receive)
{
    const int count = (int)m;
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_UNSIGNED_CHAR;
    (void)ranks;
    if (strcmp(collective, "broadcast") == 0)
        MPI_Bcast(receive, count, type, root, world);
    else if (strcmp(collective, "reduce") == 0)
        MPI_Reduce(send, receive, count, type, MPI_SUM, root, world);
    else if (strcmp(collective, "allreduce") == 0)
        MPI_Allreduce(send, receive, count, type, MPI_SUM, world);
    else if (strcmp(collective, "scan") == 0)
        MPI_Scan(send, receive, count, type, MPI_SUM, world);
    else if (strcmp(collective, "exscan") == 0)
        MPI_Exscan(send, receive, count, type, MPI_SUM, world);
    else if (strcmp(collective, "gather") == 0)
        MPI_Gather(send, count, type, receive, count, type, root, world);
    else if (strcmp(collective, "scatter") == 0)
        MPI_Scatter(send, count, type, receive, count, type, root, world);
    else if (strcmp(collective, "allgather") == 0)
        MPI_Allgather(send, count, type, receive, count, type, world);
    else if (strcmp(collective, "reduce-scatter") == 0)
        MPI_Reduce_scatter_block(send, receive, count, type, MPI_SUM, world);
    else if (strcmp(collective, "alltoall") == 0)
        MPI_Alltoall(send, count, type, receive, count, type, world);
    else if (strcmp(collective, "barrier") == 0)
        MPI_Barrier(world);
    else
        return false;
    return true;
}
