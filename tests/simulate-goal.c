/* Usage: simulate-goal L g G <FILE

   Runs a GOAL file by the rules of LogGOPSim with o = O = 0 and messages that are all eager, and
   prints when its last operation ends. It knows nothing of collcost, and reads what collcost
   writes: one statement a line, operations before those that require them.

   A send waits for its adapter, holds it for g + (s - 1) G, and is done at once; its first byte is
   there L later. The message waits for the adapter of the receiver and holds it as long, whether
   its receive is posted or not; the receive is done (s - 1) G later, or when it is posted. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 1 << 18, MOST_EDGES = 1 << 20, MOST_ADAPTERS = 64, MOST_RANKS = 256 };

typedef enum { SEND, RECV, CALC } Kind;

typedef struct {
    Kind kind;
    int rank, peer, adapter, waits; /* adapter: of a calculation the processor */
    long tag;
    double size, ready; /* ready: when all that it requires are done */
    bool is_posted, is_matched, is_done;
    int first_edge, last_edge; /* in the order of the file */
} Operation;

typedef struct {
    int to, next;
} Edge;

typedef struct {
    double time;
    int operation, order;
    bool arrives; /* the message of this send, at its receiver; else the operation begins */
} Event;

static Operation operations[MOST_OPERATIONS];
static Edge edges[MOST_EDGES];
static Event heap[4 * MOST_OPERATIONS];
static int operation_count, edge_count, heap_count, order;
static double cpu_free[MOST_RANKS][MOST_ADAPTERS], send_free[MOST_RANKS][MOST_ADAPTERS],
    receive_free[MOST_RANKS][MOST_ADAPTERS];
static double last, L, g, G;

/* Messages that are there before their receives, with when they are complete. */
static int unexpected[MOST_OPERATIONS], unexpected_count;
static int posted[MOST_OPERATIONS], posted_count;

static void fail(const char *what, const char *line)
{
    fprintf(stderr, "simulate-goal: %s: %s\n", what, line);
    exit(2);
}

static bool before(const Event *a, const Event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void push(double time, int operation, bool arrives)
{
    int i = heap_count++;
    heap[i] = (Event){time, operation, order++, arrives};
    for (; i && before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        Event moved = heap[i];
        heap[i] = heap[(i - 1) / 2], heap[(i - 1) / 2] = moved;
    }
}

static Event pop(void)
{
    Event top = heap[0];
    heap[0] = heap[--heap_count];
    for (int i = 0, child; (child = 2 * i + 1) < heap_count; i = child) {
        if (child + 1 < heap_count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &heap[i]))
            break;
        Event moved = heap[i];
        heap[i] = heap[child], heap[child] = moved;
    }
    return top;
}

static void finish(int i, double time)
{
    operations[i].is_done = true;
    last = time > last ? time : last;
    for (int e = operations[i].first_edge; e >= 0; e = edges[e].next) {
        Operation *next = &operations[edges[e].to];
        next->ready = time > next->ready ? time : next->ready;
        if (--next->waits == 0)
            push(next->ready, edges[e].to, false);
    }
}

static bool matches(const Operation *receive, const Operation *send)
{
    return receive->rank == send->peer && receive->peer == send->rank && receive->tag == send->tag;
}

static void begin(int i, double time)
{
    Operation *at = &operations[i];
    if (at->kind == CALC) {
        if (cpu_free[at->rank][at->adapter] > time) {
            push(cpu_free[at->rank][at->adapter], i, false);
            return;
        }
        cpu_free[at->rank][at->adapter] = time + at->size;
        finish(i, time + at->size);
    } else if (at->kind == SEND) {
        double *free = &send_free[at->rank][at->adapter];
        if (*free > time) {
            push(*free, i, false);
            return;
        }
        *free = time + g + (at->size - 1) * G;
        push(time + L, i, true);
        finish(i, time);
    } else {
        for (int u = 0; u < unexpected_count; u++) {
            Operation *send = &operations[unexpected[u]];
            if (send->is_matched || !matches(at, send))
                continue;
            send->is_matched = true;
            finish(i, send->ready > time ? send->ready : time);
            return;
        }
        posted[posted_count++] = i;
    }
}

static void arrive(int i, double time)
{
    Operation *send = &operations[i];
    double *free = &receive_free[send->peer][send->adapter];
    if (*free > time) {
        push(*free, i, true);
        return;
    }
    *free = time + g + (send->size - 1) * G;
    send->ready = time + (send->size - 1) * G;
    for (int r = 0; r < posted_count; r++) {
        Operation *receive = &operations[posted[r]];
        if (receive->is_matched || !matches(receive, send))
            continue;
        receive->is_matched = send->is_matched = true;
        finish(posted[r], send->ready);
        return;
    }
    unexpected[unexpected_count++] = i;
}

static void add(const char *line, int rank)
{
    Operation *at = &operations[operation_count];
    char what[16];
    *at = (Operation){.rank = rank, .first_edge = -1};
    if (sscanf(line, "l%*d: calc %lf cpu %d", &at->size, &at->adapter) >= 1)
        at->kind = CALC;
    else if (sscanf(line, "l%*d: %15s %lfb %*s %d tag %ld nic %d", what, &at->size, &at->peer,
                    &at->tag, &at->adapter) >= 4 &&
             (!strcmp(what, "send") || !strcmp(what, "recv")))
        at->kind = what[0] == 's' ? SEND : RECV;
    else
        fail("not understood", line);
    if (rank >= MOST_RANKS || at->adapter >= MOST_ADAPTERS || ++operation_count >= MOST_OPERATIONS)
        fail("too large", line);
}

static void require(int later, int earlier)
{
    if (edge_count >= MOST_EDGES || earlier >= later || later >= operation_count)
        fail("cannot be required", "");
    edges[edge_count] = (Edge){later, -1};
    if (operations[earlier].first_edge < 0)
        operations[earlier].first_edge = edge_count;
    else
        edges[operations[earlier].last_edge].next = edge_count;
    operations[earlier].last_edge = edge_count++;
    operations[later].waits++;
}

static void read_file(void)
{
    char line[256];
    int rank = -1, first = 0, a, b;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "rank %d {", &rank) == 1)
            first = operation_count;
        else if (sscanf(line, "l%d requires l%d", &a, &b) == 2)
            require(first + a - 1, first + b - 1);
        else if (line[0] == 'l')
            add(line, rank);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        fail("usage", "simulate-goal L g G <FILE");
    L = atof(argv[1]), g = atof(argv[2]), G = atof(argv[3]);
    read_file();
    for (int i = 0; i < operation_count; i++)
        if (!operations[i].waits)
            push(0, i, false);
    while (heap_count) {
        Event event = pop();
        (event.arrives ? arrive : begin)(event.operation, event.time);
    }
    for (int i = 0; i < operation_count; i++)
        if (!operations[i].is_done || (operations[i].kind != CALC && operations[i].kind == SEND &&
                                       !operations[i].is_matched)) {
            fprintf(stderr, "simulate-goal: an operation of rank %d never ends\n",
                    operations[i].rank);
            return 1;
        }
    printf("%.9g\n", last);
    return 0;
}
