/* collcost-mpi: runs schedules of collcost on real ranks, by messages of MPI.

   Each rank expands the schedule by itself and does its part of it, with non-blocking messages. The
   bytes that it ends with are checked, before and after the runs that are timed. An iteration takes
   as long as its slowest rank, after a barrier. */
#include "cli/cmd_import.h"
#include "cli/query.h"
#include "exchange/schedule_text.h"
#include "mpi/parts.h"
#include "session/session.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* What one rank does of a schedule: what it sends, receives and combines, phase by phase.

   memory of a rank:  | a block of the schedule | another one | ..      only those that it touches

   In a phase all messages are posted at once, and then received blocks land, in the order of the
   schedule; so all reads come before all writes. A message of several blocks is packed. */

typedef struct {
    size_t from, to; /* where in the rank's memory, or in what it has received */
    size_t bytes;
    bool combines;
} PlannedCopy;

ARRAY_TYPE(PlannedCopies, PlannedCopy);

typedef struct {
    int32_t peer;
    bool sends;
    size_t buffer, bytes; /* where the message is packed */
} PlannedMessage;

ARRAY_TYPE(PlannedMessages, PlannedMessage);

/* Of a phase: the copies from `packs` pack messages, and local work; those from `lands` unpack. */
typedef struct {
    size_t messages, packs, lands; /* the ends of its parts of the lists */
} PlannedPhase;

ARRAY_TYPE(PlannedPhases, PlannedPhase);

typedef struct {
    size_t memory, buffers; /* bytes */
    PlannedPhases phases;
    PlannedMessages messages;
    PlannedCopies packs, lands;
    const int64_t *places; /* of each block of the schedule in the memory; -1: not touched */
} Plan;

/* Byte h m / k of a whole block of m bytes is where its chunk h of k begins. */
static size_t chunk_begin(const ListedSchedule *schedule, size_t m, int64_t block)
{
    const __int128 h = block % schedule->chunks;
    return (size_t)(h * (__int128)m / schedule->chunks);
}

static size_t chunk_bytes(const ListedSchedule *schedule, size_t m, int64_t block)
{
    const __int128 h = block % schedule->chunks + 1;
    return (size_t)(h * (__int128)m / schedule->chunks) - chunk_begin(schedule, m, block);
}

typedef struct {
    Arena *arena;
    const ListedSchedule *schedule;
    size_t m;
    int32_t me;
    int64_t *places;
    Plan *plan;
} Planner;

static size_t place_of(Planner *planner, int64_t block)
{
    if (planner->places[block] < 0) {
        planner->places[block] = (int64_t)planner->plan->memory;
        planner->plan->memory += chunk_bytes(planner->schedule, planner->m, block);
    }
    return (size_t)planner->places[block];
}

/* What a rank has before counts, and what it must have, also where no message carries it. */
static void place_held(Planner *planner, const Holding *holding)
{
    const int64_t chunks = planner->schedule->chunks;
    for (int64_t i = 0, count = holding_count(holding, planner->me); i < count; i++)
        for (int64_t h = 0; h < chunks; h++)
            place_of(planner, holding_block(holding, planner->me, i) * chunks + h);
}

static void add_message(Planner *planner, const ListedMessage *message, bool sends, size_t *used)
{
    Plan *plan = planner->plan;
    PlannedMessage planned = {
        .peer = sends ? message->to : message->from, .sends = sends, .buffer = *used};
    for (size_t i = 0; i < message->block_count; i++) {
        const int64_t block = sends ? message->blocks[i] : message->destination[i];
        const size_t bytes = chunk_bytes(planner->schedule, planner->m, block);
        const size_t place = place_of(planner, block), at = *used + planned.bytes;
        *ARRAY_PUSH(planner->arena, sends ? &plan->packs : &plan->lands) =
            sends ? (PlannedCopy){place, at, bytes, false}
                  : (PlannedCopy){at, place, bytes, message->combines[i]};
        planned.bytes += bytes;
    }
    *used += planned.bytes;
    if (message->from != message->to)
        *ARRAY_PUSH(planner->arena, &plan->messages) = planned;
}

/* The part of rank `me`, with whole blocks of m bytes; it lives in `arena`. */
static Plan plan_make(Arena *arena, const ListedSchedule *schedule, size_t m, int32_t me)
{
    Plan plan = {0};
    Planner planner = {.arena = arena,
                       .schedule = schedule,
                       .m = m,
                       .me = me,
                       .places = ARENA_ROOM(arena, int64_t, (size_t)schedule->space.count),
                       .plan = &plan};
    const ListedMessages *messages = &schedule->messages;
    for (int64_t b = 0; b < schedule->space.count; b++)
        planner.places[b] = -1;
    place_held(&planner, &schedule->contract->before);
    place_held(&planner, &schedule->contract->after);
    for (size_t i = 0; i < messages->count;) {
        const int64_t round = messages->items[i].round;
        size_t used = 0;
        for (; i < messages->count && messages->items[i].round == round; i++) {
            const ListedMessage *message = &messages->items[i];
            if (message->from == me && message->to == me) {
                /* Work of the rank by itself goes through the buffer like a message, which is
                   nowhere sent. */
                size_t again = used;
                add_message(&planner, message, true, &used);
                add_message(&planner, message, false, &again);
            } else if (message->from == me || message->to == me)
                add_message(&planner, message, message->from == me, &used);
        }
        plan.buffers = used > plan.buffers ? used : plan.buffers;
        *ARRAY_PUSH(arena, &plan.phases) =
            (PlannedPhase){plan.messages.count, plan.packs.count, plan.lands.count};
    }
    plan.places = planner.places;
    return plan;
}

/* MPI's own collectives, with the data that the schedules of collcost have. */

/* The function of MPI for a collective, on blocks of m bytes, sums of bytes where it combines.
   `send` and `receive` have room for p blocks. False: MPI has none. */
static bool native_run(const char *collective, int root, size_t m, const void *send, void *receive)
{
    const int count = (int)m;
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_UNSIGNED_CHAR;
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

static const char timing_heading[] =
    "collective,algorithm,p,m_bytes,runs,least_us,median_us,p90_us,largest_us\n";

enum { DEFAULT_ITERATIONS = 20 };

/* One schedule at one rank. */
typedef struct {
    const ListedSchedule *schedule;
    Plan plan;
    size_t m;
    int rank;
    unsigned char *memory, *buffer;
    MPI_Request *requests;
} RankRun;

/* ---- data ---- */

/* What a rank contributes to a block; where nothing combines, all contribute the same. */
static void fill(const Contract *contract, int64_t rank, int64_t block, size_t m, bool adds,
                 unsigned char *bytes)
{
    if (!adds)
        memset(bytes, 0, m);
    bytes_contribute(contract->combines ? (uint64_t)rank + 1 : 0, (uint64_t)block, 1, m, bytes);
}

static void fill_memory(const RankRun *own, unsigned char *scratch)
{
    const Holding *before = &own->schedule->contract->before;
    const int64_t chunks = own->schedule->chunks;
    memset(own->memory, 0, own->plan.memory);
    for (int64_t i = 0, count = holding_count(before, own->rank); i < count; i++) {
        const int64_t block = holding_block(before, own->rank, i);
        fill(own->schedule->contract, own->rank, block, own->m, false, scratch);
        for (int64_t b = block * chunks; b < (block + 1) * chunks; b++)
            memcpy(own->memory + own->plan.places[b],
                   scratch + chunk_begin(own->schedule, own->m, b),
                   chunk_bytes(own->schedule, own->m, b));
    }
}

/* What is wrong, or NULL. */
static const char *check_memory(Arena *arena, const RankRun *own, unsigned char *scratch)
{
    const Contract *contract = own->schedule->contract;
    const int64_t chunks = own->schedule->chunks;
    const int rank = own->rank;
    for (int64_t i = 0, count = holding_count(&contract->after, rank); i < count; i++) {
        const int64_t block = holding_block(&contract->after, rank, i);
        const int64_t from = contract->combines ? per_rank(&contract->contributors_from, rank) : 0;
        const int64_t to = contract->combines ? per_rank(&contract->contributors_to, rank) : 0;
        for (int64_t q = from; q <= to; q++)
            fill(contract, q, block, own->m, q > from, scratch);
        for (int64_t b = block * chunks; b < (block + 1) * chunks; b++) {
            const unsigned char *found = own->memory + own->plan.places[b];
            const size_t begin = chunk_begin(own->schedule, own->m, b);
            for (size_t k = 0; k < chunk_bytes(own->schedule, own->m, b); k++)
                if (found[k] != scratch[begin + k])
                    return arena_printf(arena,
                                        "rank %d ends with a wrong block %s: byte %zu is %d, not "
                                        "%d",
                                        rank, blockspace_name(arena, &own->schedule->space, b),
                                        begin + k, found[k], scratch[begin + k]);
        }
    }
    return NULL;
}

/* ---- running ---- */

static void run_schedule(void *context)
{
    const RankRun *own = context;
    const Plan *plan = &own->plan;
    PlannedPhase before = {0};
    for (size_t f = 0; f < plan->phases.count; f++) {
        const PlannedPhase phase = plan->phases.items[f];
        int posted = 0;
        for (size_t i = before.messages; i < phase.messages; i++) {
            const PlannedMessage *message = &plan->messages.items[i];
            if (!message->sends)
                MPI_Irecv(own->buffer + message->buffer, (int)message->bytes, MPI_BYTE,
                          message->peer, 0, MPI_COMM_WORLD, &own->requests[posted++]);
        }
        for (size_t i = before.packs; i < phase.packs; i++) {
            const PlannedCopy *copy = &plan->packs.items[i];
            memcpy(own->buffer + copy->to, own->memory + copy->from, copy->bytes);
        }
        for (size_t i = before.messages; i < phase.messages; i++) {
            const PlannedMessage *message = &plan->messages.items[i];
            if (message->sends)
                MPI_Isend(own->buffer + message->buffer, (int)message->bytes, MPI_BYTE,
                          message->peer, 0, MPI_COMM_WORLD, &own->requests[posted++]);
        }
        MPI_Waitall(posted, own->requests, MPI_STATUSES_IGNORE);
        for (size_t i = before.lands; i < phase.lands; i++) {
            const PlannedCopy *copy = &plan->lands.items[i];
            if (copy->combines)
                bytes_add(own->memory + copy->to, own->buffer + copy->from, copy->bytes);
            else
                memcpy(own->memory + copy->to, own->buffer + copy->from, copy->bytes);
        }
        before = phase;
    }
}

typedef struct {
    const char *collective;
    int root;
    size_t m;
    unsigned char *send, *receive;
} Native;

static void run_native(void *context)
{
    const Native *native = context;
    native_run(native->collective, native->root, native->m, native->send, native->receive);
}

/* `algorithm` for one size, as `line` would have it if it named just these. */
static Status run_algorithm(const CommandLine *line, const char *name, double size,
                            int64_t iterations)
{
    CommandLine one = *line;
    OneSchedule asked;
    ListedSchedule schedule = {.title = name};
    one.operands = one.values[OPTION_SIZE] = (TextArray){0};
    *ARRAY_PUSH(line->arena, &one.operands) = source_argument(line->arena, "", name);
    *ARRAY_PUSH(line->arena, &one.values[OPTION_SIZE]) =
        source_argument(line->arena, "--size", arena_printf(line->arena, "%.0f", size));
    if (!one_schedule_read(&one, "collcost-mpi", &asked))
        return STATUS_BAD_INPUT;
    const Rules *rules = &asked.query.study.rules;
    const double m = asked.query.sizes.items[0];
    schedule.parameters = rules->parameters;
    if (!schedule_list(line->arena, &asked.instance, &asked.network, rules, m, &schedule,
                       line->diag))
        return STATUS_BAD_INPUT;
    const double all = m * (double)schedule.contract->buffer_blocks;
    if (all > MOST_BYTES)
        return BAD_INPUT(line->diag, NOWHERE, "a buffer of %s is too large",
                         quantity_show_bytes(line->arena, all));
    Arena *arena = arena_scratch(line->arena);
    RankRun own = {.schedule = &schedule, .m = schedule.contract->is_empty ? 0 : (size_t)m};
    int ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    own.plan = plan_make(arena, &schedule, own.m, own.rank);
    own.memory = ARENA_ARRAY(arena, unsigned char, own.plan.memory + 1);
    own.buffer = ARENA_ARRAY(arena, unsigned char, own.plan.buffers + 1);
    own.requests = ARENA_ARRAY(arena, MPI_Request, own.plan.messages.count + 1);
    unsigned char *scratch = ARENA_ARRAY(arena, unsigned char, own.m + 1);
    fill_memory(&own, scratch);
    run_schedule(&own);
    Status status = timing_agree(line, check_memory(line->arena, &own, scratch), name);
    if (status == STATUS_FINE && iterations) {
        const double *times = timing_measure(arena, run_schedule, &own, iterations);
        const char *what = arena_printf(arena, "%s,%s,%d", schedule.collective,
                                        asked.instance.algorithm->head.name, ranks);
        timing_write(line, what, (size_t)m, iterations, times);
        fill_memory(&own, scratch);
        run_schedule(&own);
        status = timing_agree(line, check_memory(line->arena, &own, scratch), name);
    }
    arena_destroy(arena);
    return status;
}

static void run_own(const CommandLine *line, const Query *query, const Collective *collective,
                    double size, int64_t iterations)
{
    Arena *arena = arena_scratch(line->arena);
    const int ranks = (int)query->ranks.items[0];
    const size_t m = (size_t)size, all = m * (size_t)ranks + 1;
    Native native = {collective->head.name, (int)query->study.root, m,
                     ARENA_ARRAY(arena, unsigned char, all),
                     ARENA_ARRAY(arena, unsigned char, all)};
    if (native_run(native.collective, native.root, m, native.send, native.receive))
        timing_write(line, arena_printf(arena, "%s,default,%d", native.collective, ranks), m,
                     iterations, timing_measure(arena, run_native, &native, iterations));
    arena_destroy(arena);
}

ARRAY_TYPE(CollectiveArray, const Collective *);

/* A collective, with all of its algorithms that run here, or one algorithm. `timed`: those of which
   MPI's own has been timed. */
static Status run_operand(const CommandLine *line, const Query *query, Text operand,
                          int64_t iterations, CollectiveArray *timed)
{
    const Collective *collective;
    const Algorithm *only;
    Query settled;
    Network network;
    AlgorithmArray algorithms = {0};
    Status status = STATUS_FINE;
    if (!subject_read(&query->study, operand, &collective, &only) ||
        !query_is_collective(query, operand, collective) ||
        !query_settle_sizes(query, collective, query->ranks.items[0], &settled) ||
        !query_network(query, 0, &network) ||
        !candidates_list(&query->study, collective, only, &network, &algorithms, NULL))
        return STATUS_BAD_INPUT;
    bool is_native = option_given(line, OPTION_NATIVE) && iterations;
    for (size_t i = 0; i < timed->count && is_native; i++)
        is_native = timed->items[i] != collective;
    if (is_native)
        *ARRAY_PUSH(line->arena, timed) = collective;
    for (size_t s = 0; s < settled.sizes.count; s++) {
        for (size_t i = 0; i < algorithms.count; i++) {
            const char *name =
                only ? operand.chars : algorithm_full_name(line->arena, algorithms.items[i]);
            const Status next = run_algorithm(line, name, query->sizes.items[s], iterations);
            status = next > status ? next : status;
        }
        if (is_native)
            run_own(line, query, collective, settled.sizes.items[s], iterations);
    }
    return status;
}

/* What two ranks cannot tell: many messages to many partners, of many to one, of all to all at once
   and in turn, many to one partner, and both ways between the same two. */
static Status probe_all(const CommandLine *line, const Query *query, int64_t iterations)
{
    static const char *const names[] = {"scatter/open-mpi-linear-nb",        "gather/mpich-linear",
                                        "alltoall/open-mpi-linear",          "alltoall/pairwise",
                                        "allgather/open-mpi-sparbit",        "allgather/ring",
                                        "allreduce/mpich-recursive-doubling"};
    static const double sizes[] = {8, 0x1p12, 0x1p18};
    const size_t given = query->sizes.count;
    Status status = STATUS_FINE;
    fputs(timing_heading, line->out);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t s = 0; s < (given ? given : COUNT_OF(sizes)); s++) {
            const double size = given ? query->sizes.items[s] : sizes[s];
            const Status next = run_algorithm(line, names[i], size, iterations);
            status = next > status ? next : status;
        }
    return status;
}

static Status run(const CommandLine *line)
{
    Query query;
    int64_t iterations = DEFAULT_ITERATIONS;
    int ranks;
    Status status = STATUS_FINE;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!query_read(line, &query) || !query_settle_ranks(&query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_ITERATIONS) &&
        !quantity_parse_integer(option_value(line, OPTION_ITERATIONS), 0, 1 << 20, &iterations,
                                line->diag))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PROBE) || !line->operands.count) {
        if (!line->operands.count && option_given(line, OPTION_PROBE)) {
            status = probe_run(line, &query, iterations);
            return status == STATUS_FINE && ranks > 2 ? probe_all(line, &query, iterations)
                                                      : status;
        }
        return BAD_INPUT(line->diag, NOWHERE,
                         "expected a collective, an algorithm or a file, or --probe alone");
    }
    if (query.ranks.count != 1 || query.ranks.items[0] != ranks || !query.sizes.count)
        return BAD_INPUT(line->diag, NOWHERE,
                         query.sizes.count ? "the topology has another number of ranks than MPI has"
                                           : "the message size is missing: give -m");
    fputs(timing_heading, line->out);
    CollectiveArray timed = {0};
    for (size_t i = 0; i < line->operands.count; i++) {
        const Text operand = line->operands.items[i];
        const Status next = import_is_file(operand)
                                ? gpu_program_run(line, &query, operand, iterations)
                                : run_operand(line, &query, operand, iterations, &timed);
        status = next > status ? next : status;
    }
    return status;
}

static const Command command_run = {
    .name = "run",
    .operands = "[COLLECTIVE[/ALGORITHM]|FILE...]",
    .summary = "schedules on the ranks of MPI",
    .description = "Runs algorithms, and schedules of other programs in files, by messages of "
                   "MPI, checks every byte of the result at every "
                   "rank, and writes\n"
                   "times as CSV that fit and compare read: of the slowest rank in each iteration.",
    .examples = "mpirun -n 4 collcost-mpi allreduce/ring -m 1KiB..1MiB --native\n"
                "mpirun -n 2 collcost-mpi --probe",
    .options =
        OPTIONS(TOPOLOGY, RANKS, SIZE, SIZES, MACHINE, SET, PORTS, ROOT, FROM, TO, MODELS, USING,
                AMONG, WITHOUT, ITERATIONS, NATIVE, PROBE, COLLECTIVE, INPLACE, SLOTS),
    .run = run,
};

static const Command *const commands[] = {&command_run};
static const char *const titles[] = {"Commands"};
static const CommandTable table = {commands, titles, COUNT_OF(commands)};

static void leave_without_memory(void *listener, size_t wanted)
{
    (void)listener;
    fprintf(stderr, "collcost-mpi: error: no memory for %zu bytes\n", wanted);
    MPI_Abort(MPI_COMM_WORLD, STATUS_SYSTEM);
}

/* `batch` is that of collcost, with all of its commands, and the ranks run its lines. */
static Outcome run_batch(Workspace *workspace, FILE *out, FILE *err, int count, char **words)
{
    RanksCrew ranks;
    ranks_crew_open(&ranks);
    Session *session = session_open(&command_table, workspace, out, err);
    session->crew = ranks.crew.count > 1 ? &ranks.crew : NULL;
    const Outcome outcome = session_run_arguments(session, count, words);
    if (ranks.crew.batches)
        ranks.crew.abandon(&ranks.crew, "", 0);
    session_close(session);
    ranks_crew_close(&ranks);
    return outcome;
}

/* Words as they are, behind "run", and "-p" with the ranks of MPI. */
static Outcome run_schedules(Workspace *workspace, FILE *out, FILE *err, int count, char **words)
{
    int ranks, filled = 0;
    char number[16], verb[] = "run", option[] = "-p";
    bool asks_help = false;
    char **all = calloc((size_t)count + 3, sizeof *all);
    if (!all)
        leave_without_memory(NULL, (size_t)count * sizeof *all);
    all[filled++] = verb;
    for (int i = 0; i < count; i++) {
        asks_help |= strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0;
        all[filled++] = words[i];
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(number, sizeof number, "%d", ranks);
    if (!asks_help)
        all[filled++] = option, all[filled++] = number;
    Session *session = session_open(&table, workspace, out, err);
    const Outcome outcome = session_run_arguments(session, filled, all);
    session_close(session);
    free(all);
    return outcome;
}

int main(int count, char **arguments)
{
    int rank;
    setenv("COLLCOST_PROGRESS", "no", 1); /* of many ranks, it would be noise */
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        MPI_Abort(MPI_COMM_WORLD, STATUS_SYSTEM);
    FILE *out = rank ? nowhere : stdout, *err = rank ? nowhere : stderr;
    Workspace workspace = {.exhausted = leave_without_memory};
    const bool is_batch = count > 1 && strcmp(arguments[1], "batch") == 0;
    const Outcome outcome =
        (is_batch ? run_batch : run_schedules)(&workspace, out, err, count - 1, arguments + 1);
    fclose(nowhere);
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    MPI_Finalize();
    return failed ? STATUS_SYSTEM : outcome.status;
}
