#include "mpi/parts.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_OF_SYSTEM = 3 };

/* Bytes on their way. */
typedef struct Sent {
    struct Sent *next;
    MPI_Request request;
    char bytes[];
} Sent;

static void fail(const char *what)
{
    fprintf(stderr, "collcost-mpi: error: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, STATUS_OF_SYSTEM);
}

static void *reserve(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        fail("no memory");
    return memory;
}

static void forget_arrived(RanksCrew *ranks, bool wait)
{
    for (Sent **link = &ranks->sent; *link;) {
        Sent *sent = *link;
        int is_done = 1;
        if (wait)
            MPI_Wait(&sent->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&sent->request, &is_done, MPI_STATUS_IGNORE);
        if (is_done) {
            *link = sent->next;
            free(sent);
        } else {
            link = &sent->next;
        }
    }
}

/* The number of batches, one inside of the other, keeps apart what is of an inner one. */
static void send_bytes(Crew *crew, const char *bytes, size_t length)
{
    RanksCrew *ranks = (RanksCrew *)crew;
    forget_arrived(ranks, false);
    if (length > INT_MAX)
        fail("a line prints more than MPI can send");
    Sent *sent = reserve(sizeof *sent + length);
    memcpy(sent->bytes, bytes, length);
    sent->next = ranks->sent, ranks->sent = sent;
    MPI_Isend(sent->bytes, (int)length, MPI_CHAR, 0, crew->batches, MPI_COMM_WORLD, &sent->request);
}

static bool receive_bytes(Crew *crew, int rank, bool wait, Buffer *bytes)
{
    MPI_Status status;
    int is_there = 1, length = 0;
    if (wait)
        MPI_Probe(rank, crew->batches, MPI_COMM_WORLD, &status);
    else
        MPI_Iprobe(rank, crew->batches, MPI_COMM_WORLD, &is_there, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_CHAR, &length);
    char *memory = reserve((size_t)length + 1);
    MPI_Recv(memory, length, MPI_CHAR, rank, crew->batches, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    buffer_add(bytes, memory, (size_t)length);
    free(memory);
    return true;
}

static int64_t agree(Crew *crew, int64_t value)
{
    (void)crew;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

/* A temporary file takes the place of the standard input: each rank reads it for itself. */
static void share_input(Crew *crew)
{
    enum { PIECE = 1 << 16 };
    RanksCrew *ranks = (RanksCrew *)crew;
    if (ranks->input)
        return;
    ranks->input = tmpfile();
    char *piece = reserve(PIECE);
    int length = 0;
    do {
        if (crew->rank == 0)
            length = (int)fread(piece, 1, PIECE, stdin);
        MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(piece, length, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (!ranks->input || fwrite(piece, 1, (size_t)length, ranks->input) != (size_t)length)
            fail("cannot write a temporary file");
    } while (length > 0);
    free(piece);
    rewind(ranks->input);
    if (dup2(fileno(ranks->input), STDIN_FILENO) < 0)
        fail("cannot read a temporary file");
    clearerr(stdin);
}

static void abandon(Crew *crew, const char *messages, size_t length)
{
    (void)crew;
    fwrite(messages, 1, length, stderr);
    fail("a rank has failed in the middle of a batch");
}

void ranks_crew_open(RanksCrew *ranks)
{
    *ranks = (RanksCrew){.crew = {.send = send_bytes,
                                  .receive = receive_bytes,
                                  .agree = agree,
                                  .share_input = share_input,
                                  .abandon = abandon}};
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->crew.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->crew.count);
}

void ranks_crew_close(RanksCrew *ranks)
{
    forget_arrived(ranks, true);
    if (ranks->input)
        fclose(ranks->input);
}
