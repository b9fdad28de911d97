#include "cli/cmd_import.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/query.h"
#include "cli/setting.h"
#include "cost/derive_finish.h"
#include "study/explain_rounds.h"

#include <math.h>

typedef struct {
    CostedPortStep step;
    int64_t number; /* of what was added last; -1: nothing but products */
    CostParts parts;
} RoundTotal;

ARRAY_TYPE(RoundTotals, RoundTotal);

/* A message, for those that wait for it. */
typedef struct {
    int64_t round, from, to;
} Sent;

ARRAY_TYPE(SentArray, Sent);

typedef struct {
    const Query *query;
    const Network *network;
    const Network *all; /* of the ranks of all groups; without groups the same */
    BlockSpace space;
    const double *size;       /* m, or in a problem the bytes of an element; NULL: not given */
    double block;             /* bytes of one; in a problem of an element */
    RoundTotals rounds;       /* all, before the first row is written */
    size_t at;                /* the round of the last row */
    const MessageSpan *spans; /* of all messages, where they share links in time, else NULL; */
    const MessageWait *waits;
    SentArray sent;      /* all messages, where they do */
    size_t written;      /* of them */
    bool knows_messages; /* each has a time of its own */
    Table *table;
} Trace;

/* The total of a port step or of local work, which belong to the round `step`. */
static RoundTotal *find_total(Trace *trace, int64_t step, const CostedPortStep *costed)
{
    RoundTotal *last = trace->rounds.count ? &trace->rounds.items[trace->rounds.count - 1] : NULL;
    if (last && last->step.step == step)
        return last;
    last = ARRAY_PUSH(trace->query->study.arena, &trace->rounds);
    *last = (RoundTotal){.step = {.step = step}, .number = -1};
    if (costed)
        last->step = *costed;
    return last;
}

/* A port step comes with each of its transfers, but is added once, as is local work behind it. */
static void add_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Trace *trace = context;
    const CostedPortStep *step = costed->step;
    RoundTotal *total = find_total(trace, step->step, step);
    (void)round;
    if (trace->waits)
        *ARRAY_PUSH(trace->query->study.arena, &trace->sent) =
            (Sent){step->step + 1, network_rank(trace->all, costed->transfer->from),
                   network_rank(trace->all, costed->transfer->to)};
    if (total->number == step->number)
        return;
    total->number = step->number;
    total->parts = cost_sum(
        total->parts, port_step_total(step, trace->query->study.rules.parameters, trace->block));
}

/* What a compute step adds to the round behind which it stands, or, before the first, to round 0.
 */
static void add_product(void *context, const CostedProduct *costed)
{
    Trace *trace = context;
    if (costed->is_first)
        find_total(trace, costed->step, NULL)->parts.compute +=
            trace->query->study.machine.multiply.seconds * (double)costed->busiest;
}

/* Rows come in the order of their rounds. */
static const RoundTotal *total_of(Trace *trace, int64_t step)
{
    while (trace->rounds.items[trace->at].step.step != step)
        trace->at++;
    return &trace->rounds.items[trace->at];
}

/* Without barriers a round has no time of its own. */
static void put_round_time(Trace *trace, int64_t step)
{
    if (trace->size && !trace->query->study.rules.asynchronous)
        put_number(trace->table, KEY_round_time_s, cost_total(total_of(trace, step)->parts));
}

static void write_product(void *context, const CostedProduct *costed)
{
    Trace *trace = context;
    const Machine *machine = &trace->query->study.machine;
    bool sized = trace->size != NULL;
    Table *table = trace->table;
    put_number(table, KEY_round, (double)costed->step + 1);
    put_number(table, KEY_from, (double)costed->product->rank);
    put_number(table, KEY_to, (double)costed->product->rank);
    put_text(table, KEY_verb, "compute");
    const char **names = ARENA_ARRAY(trace->query->study.arena, const char *, PROBLEM_ARRAYS);
    for (int s = 0; s < PROBLEM_ARRAYS; s++)
        names[s] =
            blockspace_name(trace->query->study.arena, &trace->space, costed->product->blocks[s]);
    const char **text = ARENA_ARRAY(trace->query->study.arena, const char *, 1);
    *text = arena_printf(trace->query->study.arena, "%s += %s * %s", names[ARRAY_RESULT],
                         names[ARRAY_LEFT], names[ARRAY_RIGHT]);
    put_list(trace->table, KEY_blocks, text, 1);
    put_number(table, KEY_hops, 0);
    if (sized)
        put_number(table, KEY_multiply_adds, (double)costed->work);
    if (sized && machine->multiply.is_given)
        put_number(table, KEY_time_s, machine->multiply.seconds * (double)costed->work);
    put_round_time(trace, costed->step);
    table_row(table);
}

static void write_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Trace *trace = context;
    const Rules *rules = &trace->query->study.rules;
    const ScheduledTransfer *transfer = costed->transfer;
    const RoundTotal *total = total_of(trace, costed->step->step);
    Table *table = trace->table;
    double block = trace->block, load = (double)costed->load_blocks * block;
    double time =
        cost_total(paths_slowest(costed->paths, costed->path_count, rules->parameters, block));
    bool combines_here = transfer_is_local(transfer) && transfer->verb == VERB_EXCHANGE;
    if (transfer_is_local(transfer))
        time = (double)costed->combined * block * rules->parameters[PARAMETER_TC];
    bool sized = trace->size != NULL;
    if (trace->spans && !transfer_is_local(transfer))
        time = trace->spans[trace->written].end - trace->spans[trace->written].start;
    put_number(table, KEY_round, (double)costed->step->step + 1);
    put_number(table, KEY_from, (double)network_rank(trace->all, transfer->from));
    put_number(table, KEY_to, (double)network_rank(trace->all, transfer->to));
    put_text(table, KEY_verb, combines_here ? "combine" : verb_info[transfer->verb].key);
    Arena *arena = trace->query->study.arena;
    const char **names = ARENA_ARRAY(arena, const char *, transfer->block_count);
    for (size_t i = 0; i < transfer->block_count; i++) {
        const size_t at = transfer->first_block + i;
        names[i] = blockspace_name(arena, &trace->space, round->blocks[at]);
        if (round_destination(round, at) != round->blocks[at]) /* "3 as total(3)" */
            names[i] =
                arena_printf(arena, "%s as %s", names[i],
                             blockspace_name(arena, &trace->space, round_destination(round, at)));
    }
    put_list(trace->table, KEY_blocks, names, transfer->block_count);
    PUT(table, costed, hops, load_messages);
    put_number(table, KEY_round_load_messages, (double)total->step.load_messages);
    if (sized) {
        put_number(table, KEY_bytes, (double)costed->size * block);
        put_number(table, KEY_load_bytes, load);
        if (trace->knows_messages)
            put_number(table, KEY_time_s, time);
        put_number(table, KEY_round_load_bytes, (double)total->step.load_blocks * block);
    }
    if (trace->spans) {
        const MessageSpan *span = &trace->spans[trace->written];
        const MessageWait *wait = &trace->waits[trace->written];
        put_number(table, KEY_start_s, span->start);
        put_number(table, KEY_end_s, span->end);
        put_bool(table, KEY_critical, wait->critical);
        if (wait->cause >= 0) {
            const Sent *cause = &trace->sent.items[wait->cause];
            put_number(table, KEY_waits_for, (double)wait->cause + 1);
            put_shown(table, KEY_waits_for, "%lld: %lld > %lld", (long long)cause->round,
                      (long long)cause->from, (long long)cause->to);
            put_number(table, KEY_waits_at, (double)network_rank(trace->all, wait->rank));
        }
    }
    trace->written++;
    put_round_time(trace, costed->step->step);
    table_row(table);
}

/* The rounds, each with the busiest link, when each rank is done (NULL: not known), and the
   messages on which the end depends. */
static void write_tables(const Trace *trace, const Instance *instance, const double *ends)
{
    const Query *query = trace->query;
    FILE *out = query->line->out;
    const bool timed = trace->size && !query->study.rules.asynchronous;
    CriticalPath path;
    if (trace->rounds.count) {
        fputc('\n', out);
        Table *table = query_table(query, TABLE_trace_rounds);
        for (size_t i = 0; i < trace->rounds.count; i++) {
            const RoundTotal *total = &trace->rounds.items[i];
            put_number(table, KEY_round, (double)total->step.step + 1);
            PUT(table, &total->step, hops, load_messages);
            if (trace->size)
                put_number(table, KEY_load_bytes, (double)total->step.load_blocks * trace->block);
            if (timed) {
                put_number(table, KEY_compute_s, total->parts.compute);
                put_number(table, KEY_time_s, cost_total(total->parts));
            }
            table_row(table);
        }
        table_close(table);
        fputc('\n', out);
    }
    if (ends) {
        Table *table = query_table(query, TABLE_trace_finish);
        for (int64_t r = 0; r < trace->all->p; r++) {
            put_number(table, KEY_rank, (double)network_rank(trace->all, r));
            put_number(table, KEY_finish_s, ends[r]);
            table_row(table);
        }
        table_close(table);
        fputc('\n', out);
    }
    if (!trace->spans ||
        !critical_path_find(&query->study, instance, trace->network, *trace->size, &path))
        return;
    fputs("the critical path\n", out);
    Table *table = query_table(query, TABLE_trace_path);
    for (size_t i = 0; i < path.count; i++) {
        critical_path_put(table, &path.messages[i]);
        table_row(table);
    }
    table_close(table);
    fputc('\n', out);
}

/* What the whole costs. */
static void write_total(const Trace *trace, const Instance *instance, const Profile *profile,
                        const double *ends)
{
    Arena *arena = trace->query->study.arena;
    const Rules *rules = &trace->query->study.rules;
    FILE *out = trace->query->line->out;
    const bool is_product = instance->algorithm->collective->problem != NULL;
    const double call = is_product ? 0 : rules->delays[DELAY_CALL].seconds;
    double local = 0, sum = 0, latest = 0;
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        local += profile_local(profile, (LocalWork)i, *trace->size);
    const double time = cost_total(profile_cost(profile, rules->parameters, *trace->size)) +
                        trace->query->study.machine.multiply.seconds * (double)profile->work;
    for (int64_t r = 0; ends && r < trace->all->p; r++)
        sum += ends[r], latest = fmax(latest, ends[r]);
    const double mean = ends ? sum / (double)trace->all->p + local : time;
    const double last = ends ? latest + local : time;
    if (rules->averages)
        fprintf(out, "total, mean over ranks: %s; last rank: %s",
                quantity_show_time(arena, mean + call), quantity_show_time(arena, last + call));
    else
        fprintf(out, "total: %s", quantity_show_time(arena, time + call));
    if (ends && !rules->averages)
        fprintf(out, "; mean over ranks: %s", quantity_show_time(arena, mean + call));
    for (int i = 0; i < LOCAL_WORK_COUNT; i++) {
        const double seconds = profile_local(profile, (LocalWork)i, *trace->size);
        if (seconds > 0)
            fprintf(out, "; with %s for %s", quantity_show_time(arena, seconds),
                    local_work_info[i].words);
    }
    if (call > 0)
        fprintf(out, "; with %s for the call", quantity_show_time(arena, call));
    fputc('\n', out);
}

static bool start(const Query *query, const Instance *instance, Trace *trace, Profile *profile)
{
    bool is_problem = instance->algorithm->collective->problem != NULL;
    trace->size = query->sizes.count ? query->sizes.items : NULL;
    /* Where hops follow one another, messages that are posted together share ports at each hop, and
       only the round has a time. */
    trace->knows_messages =
        query->study.rules.switching == SWITCHING_CUT_THROUGH ||
        rules_loosest_posting(&query->study.rules, instance->algorithm) < POSTING_TOGETHER;
    if (is_problem && query->orders.count)
        trace->size = &query->study.element;
    if (!schedule_blocks(instance, &trace->space, query->study.diag) ||
        !schedule_chunks(instance, &profile->chunks, query->study.diag))
        return false;
    profile->unit = instance->sizes.elements ? instance->sizes.unit : 0;
    trace->block = trace->size ? profile_block(profile, *trace->size) : 0;
    return true;
}

/* NULL where all ranks are done at the same time, no times are asked for, it is a problem, messages
   share links in time (their own ends tell), or have no times of their own; or after a report. */
static const double *find_ends(const Trace *trace, const Instance *instance)
{
    const Query *query = trace->query;
    const Rules *rules = &query->study.rules;
    const size_t p = (size_t)trace->all->p;
    TraceVisitor visitor;
    Averager *averager = averager_create(query->study.arena, trace->all->p, &visitor);
    Profile profile;
    if (!trace->size || trace->space.problem || rules->contention == CONTENTION_SHARED ||
        !trace->knows_messages ||
        !profile_trace(query->study.arena, instance, trace->network, rules, &visitor, &profile,
                       query->study.diag))
        return NULL;
    double *ends = ARENA_ARRAY(query->study.arena, double, p);
    if (profile.timeline)
        timeline_run(&(TimelineRun){.timeline = profile.timeline,
                                    .paths = profile.paths,
                                    .parameters = rules->parameters,
                                    .block = trace->block,
                                    .ends = ends});
    else
        averager_ends(averager, rules->parameters, trace->block, ends);
    bool differ = false;
    for (size_t r = 1; r < p; r++)
        differ |= fabs(ends[r] - ends[0]) > 1e-12 * ends[0];
    return differ ? ends : NULL;
}

static Status write_trace(const Query *query, const Instance *instance, const Network *network)
{
    Arena *arena = query->study.arena;
    Diag *diag = query->study.diag;
    const Rules *rules = &query->study.rules;
    Trace trace = {.query = query, .network = network, .all = network_of_all(network)};
    const TraceVisitor adder = {
        .transfer = add_transfer, .product = add_product, .context = &trace};
    const TraceVisitor writer = {
        .transfer = write_transfer, .product = write_product, .context = &trace};
    Profile profile = {.ceil_chunks = query->study.rules.ceil_chunks};
    if (!start(query, instance, &trace, &profile))
        return STATUS_BAD_INPUT;
    if (query->format == FORMAT_TEXT) {
        fputs(trace_subject_text(query, instance, network), query->line->out);
        if (query->nccl_sizes && trace.size)
            fprintf(query->line->out, ", %s",
                    query_show_size(query, *trace.size, query->asked.items[0]));
        fputs("\n\n", query->line->out);
    }
    const bool is_problem = instance->algorithm->collective->problem != NULL;
    const bool has_spans = rules->contention == CONTENTION_SHARED && query->sizes.count;
    static const Key of_spans[] = {KEY_start_s, KEY_end_s, KEY_critical, KEY_waits_for,
                                   KEY_waits_at};
    trace.table = query_table(query, TABLE_trace);
    setting_put(trace.table, query, is_problem,
                rules_describe_for(arena, rules, network, &instance->algorithm, 1));
    if (is_problem)
        table_include(trace.table, KEY_multiply_adds);
    for (size_t i = 0; has_spans && i < COUNT_OF(of_spans); i++)
        table_include(trace.table, of_spans[i]);
    if (rules->contention == CONTENTION_SHARED && trace.size) {
        /* Messages share links in time: when each is under way. */
        Profile derived;
        if (!profile_derive(arena, instance, network, rules, &derived, diag))
            return STATUS_BAD_INPUT;
        const size_t count = derived.timeline->messages.count;
        MessageSpan *spans = ARENA_ARRAY(arena, MessageSpan, count);
        MessageWait *waits = ARENA_ARRAY(arena, MessageWait, count);
        profile_spans(&derived, rules->parameters, trace.block, spans, waits);
        trace.spans = spans, trace.waits = waits;
    }
    if (!profile_trace(arena, instance, network, rules, &adder, &profile, diag) ||
        !profile_trace(arena, instance, network, rules, &writer, &profile, diag))
        return STATUS_BAD_INPUT;
    table_close(trace.table);
    if (query->format != FORMAT_TEXT)
        return STATUS_FINE;
    const double *ends = find_ends(&trace, instance);
    write_tables(&trace, instance, ends);
    if (trace.size)
        write_total(&trace, instance, &profile, ends);
    line_say(query->line, "rules: %s",
             rules_describe_for(arena, rules, network, &instance->algorithm, 1));
    return STATUS_FINE;
}

static Status run_trace(const CommandLine *line)
{
    OneSchedule asked;
    if (imported_is_asked(line))
        return imported_trace(line);
    if (!imported_check_absent(line) || !picture_check(line) ||
        !one_schedule_read(line, "trace", &asked) ||
        !trace_settle_compute(&asked.query, &asked.instance, &asked.network))
        return STATUS_BAD_INPUT;
    const Query *query = &asked.query;
    const Instance *instance = &asked.instance;
    const Network *network = &asked.network;
    if (!option_given(line, OPTION_PICTURE))
        return write_trace(query, instance, network);
    Trace trace = {.query = query, .network = network, .all = network_of_all(network)};
    Profile profile = {.ceil_chunks = query->study.rules.ceil_chunks};
    if (!start(query, instance, &trace, &profile))
        return STATUS_BAD_INPUT;
    if (network->grouping)
        return BAD_INPUT(line->diag, NOWHERE, "a picture of a schedule is one of all ranks");
    if (!trace.size)
        return BAD_INPUT(line->diag, NOWHERE, "a picture of a schedule is drawn to scale: give %s",
                         trace.space.problem ? "-n" : "-m");
    const char *title = trace_subject_text(query, instance, network);
    if (query->sizes.count && !instance->algorithm->collective->is_empty)
        title = arena_printf(line->arena, "%s, %s", title,
                             query_show_size(query, *trace.size, query->asked.items[0]));
    const TraceSubject subject = {instance, network, *trace.size, trace.block, title};
    return trace_picture(query, &subject);
}

const Command command_trace = {
    .name = "trace",
    .operands = "ALGORITHM | FILE",
    .summary = "the rounds of a schedule, transfer by transfer",
    .description =
        "Lists the transfers of an algorithm (COLLECTIVE/NAME) round by round: who sends which "
        "blocks to whom, over how many links, and the largest load that the message meets; then "
        "what each round costs. With -m, or -n for a product of matrices, there are bytes and "
        "times too. --picture draws ranks against time. FILE.xml is a schedule of MSCCL; then "
        "the answer is when each step begins and ends.",
    .examples = "collcost trace allgather/ring -t ring:4 -m 1KiB\n"
                "collcost trace allreduce/swing -t ring:8 -m 1MiB --picture trace.svg",
    .options = OPTIONS_OF_COSTS | OPTIONS_OF_PICTURES |
               OPTIONS(WEIGHTS, ALONG, MEMBERS, FINISH, SIZES, CEIL_CHUNKS, FOR, ORDER, ELEMENT,
                       USING, COLLECTIVE, INPLACE, SLOTS, TILES),
    .run = run_trace,
};
