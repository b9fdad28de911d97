#include "cli/query.h"

#include <string.h>

static const Column columns[] = {
    {"round", "round", COLUMN_INT},
    {"from", "from", COLUMN_INT},
    {"to", "to", COLUMN_INT},
    {"verb", "verb", COLUMN_TEXT},
    {"blocks", "blocks", COLUMN_LIST},
    {"bytes", "bytes", COLUMN_BYTES},
    {"hops", "hops", COLUMN_INT},
    {"load_bytes", "load", COLUMN_BYTES},
    {"load_messages", "messages", COLUMN_INT},
    {"time_s", "time", COLUMN_SECONDS},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

typedef struct {
    const Query *query;
    BlockSpace space;
    const double *size; /* NULL: not given */
    int64_t chunks;
    Table *table;
} Trace;

/* "3", or "3 as total(3)" where it lands elsewhere. */
static const char *block_name(const Trace *trace, const Round *round, size_t i)
{
    Arena *arena = trace->query->arena;
    const char *name = blockspace_name(arena, &trace->space, round->blocks[i]);
    if (round_landing(round, i) == round->blocks[i])
        return name;
    return arena_printf(arena, "%s as %s", name,
                        blockspace_name(arena, &trace->space, round_landing(round, i)));
}

static Cell block_cell(const Trace *trace, const Round *round, const ScheduledTransfer *transfer)
{
    Arena *arena = trace->query->arena;
    const char **names = ARENA_ARRAY(arena, const char *, transfer->block_count);
    for (size_t i = 0; i < transfer->block_count; i++)
        names[i] = block_name(trace, round, transfer->first_block + i);
    return cell_list(names, transfer->block_count);
}

static void write_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    const Trace *trace = context;
    const double *parameters = trace->query->rules.parameters;
    const ScheduledTransfer *transfer = costed->transfer;
    double block = trace->size ? *trace->size / (double)trace->chunks : 0;
    double load = (double)costed->load_blocks * block;
    double time = parameters[PARAMETER_TS] + (double)costed->hops * parameters[PARAMETER_TH] +
                  load * parameters[PARAMETER_TW];
    if (transfer_is_local(transfer))
        time = (double)costed->combined * block * parameters[PARAMETER_TC];
    bool combines_here = transfer_is_local(transfer) && transfer->verb == VERB_EXCHANGE;
    bool sized = trace->size != NULL;
    Cell cells[COLUMN_COUNT] = {
        cell_number((double)costed->turn + 1),
        cell_number((double)transfer->from),
        cell_number((double)transfer->to),
        cell_text(combines_here ? "combine" : verb_info[transfer->verb].key),
        block_cell(trace, round, transfer),
        sized ? cell_number((double)transfer->block_count * block) : cell_missing(),
        cell_number((double)costed->hops),
        sized ? cell_number(load) : cell_missing(),
        cell_number((double)costed->load_messages),
        sized ? cell_number(time) : cell_missing(),
    };
    table_row(trace->table, cells);
}

/* The number of chunks: given, the best for the size, or one. */
static bool choose_k(const Query *query, const Algorithm *algorithm, const Network *network,
                     int64_t *k)
{
    *k = query->k ? query->k : 1;
    if (query->k || !algorithm->free_chunks || !query->sizes.count)
        return true;
    Curve *curve =
        curve_create(query->arena, algorithm, network, query->root, &query->rules, 0, query->diag);
    CurvePoint point;
    double size = query->sizes.items[0];
    if (!curve || !curve_at(curve, size, curve_most_chunks(size), &point, query->diag))
        return false;
    *k = (int64_t)point.k;
    return true;
}

static bool check_single(const Query *query)
{
    if (query->ranks.count == 1 && query->sizes.count <= 1)
        return true;
    diag_error(query->diag, NOWHERE, "a trace is of one number of ranks and one size");
    return false;
}

static bool is_allowed(const Query *query, const Algorithm *algorithm, const Network *network)
{
    AlgorithmArray algorithms = {0};
    return query_algorithms(query, algorithm->collective, algorithm, network, &algorithms);
}

static Status run(const CommandLine *line)
{
    Query query;
    Network network;
    if (!query_read_ranks(line, &query) || !check_single(&query))
        return STATUS_BAD_INPUT;
    const Algorithm *algorithm =
        library_algorithm(query.library, line->operands.items[0], line->diag);
    Instance instance = {algorithm, query.ranks.items[0], query.root,
                         1,         query.rules.ports,    &network.shape};
    if (!algorithm || !query_network(&query, instance.p, &network) ||
        !is_allowed(&query, algorithm, &network) ||
        !choose_k(&query, algorithm, &network, &instance.k))
        return STATUS_BAD_INPUT;
    Trace trace = {.query = &query, .size = query.sizes.count ? query.sizes.items : NULL};
    Profile profile;
    if (!schedule_blocks(&instance, &trace.space, line->diag) ||
        !schedule_chunks(&instance, &trace.chunks, line->diag))
        return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT) {
        fprintf(line->out, "%s on %s", algorithm_full_name(line->arena, algorithm), network.name);
        if (algorithm->free_chunks)
            fprintf(line->out, ", k = %lld", (long long)instance.k);
        fputs("\n\n", line->out);
    }
    trace.table = table_open(line->arena, line->out, query.format, columns, COLUMN_COUNT);
    if (!profile_trace(line->arena, &instance, &network, write_transfer, &trace, &profile,
                       line->diag))
        return STATUS_BAD_INPUT;
    table_close(trace.table);
    return STATUS_FINE;
}

const Command command_trace = {
    .name = "trace",
    .operands = "ALGORITHM",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the rounds of a schedule, transfer by transfer",
    .description = "The transfers of an algorithm (COLLECTIVE/NAME), round by round: who sends "
                   "which blocks to\n"
                   "whom, over how many links, and the largest load that the message meets. With "
                   "-m bytes and\n"
                   "times too.",
    .options = OPTIONS_OF_COSTS,
    .run = run,
};
