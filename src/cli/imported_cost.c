#include "base/utf8.h"
#include "cli/cmd_import.h"
#include "cli/setting.h"
#include "cost/derive_step.h"
#include "cost/gpu_time.h"
#include "exchange/goal.h"

/* Ports are those of the program, and nobody waits for a round. */
static void follow_program(Rules *rules, Contention contention, int64_t ports)
{
    rules->contention = contention;
    rules->asynchronous = true;
    rules->ports = ports;
    rules->fixed_ports = true;
    rules->all_ports = rules->level_ports = false;
}

/* `cost FILE` with the query of the line, whose operand is that file. */
static Status goal_cost(Query *query, const Source *source)
{
    const CommandLine *line = query->line;
    const char *file = line->operands.items[0].chars;
    GoalProgram program;
    GoalTime time;
    Network network;
    /* A GOAL file has messages of given sizes, and no links. */
    const OptionSet stated = OPTIONS(SIZE, SIZES, TILES, CONTENTION);
    if (!options_are_absent(line, stated, "is not for GOAL files, which state it themselves") ||
        !import_goal(line, source, &program) ||
        !query_settle_file_ranks(query, program.rank_count, program.span) ||
        !query_network(query, 0, &network))
        return STATUS_BAD_INPUT;
    Rules *rules = &query->study.rules;
    follow_program(rules, CONTENTION_NONE, program.nics);
    if (!goal_time(line->arena, &program, &network, rules, &time, line->diag))
        return STATUS_BAD_INPUT;
    const Status status = import_goal_end(line, &time);
    if (status != STATUS_FINE)
        return status;
    time.parts.startup += rules->delays[DELAY_CALL].seconds;
    const char *words = arena_printf(line->arena, "%s, messages are eager",
                                     rules_describe_on(line->arena, rules, &network));
    if (query->format == FORMAT_TEXT)
        fprintf(line->out, "%s on %s\n", utf8_clean_line(line->arena, file), network.name);
    setting_begin(query);
    Table *table = query_table(query, TABLE_goal_cost);
    setting_put(table, query, false, words);
    put_text(table, KEY_file, file);
    put_text(table, KEY_topology, network.name);
    put_number(table, KEY_p, program.rank_count);
    put_number(table, KEY_operations, (double)program.operations.count);
    put_number(table, KEY_sent_messages, (double)time.messages);
    PUT_TIMES(table, &time.parts, startup, hop, transfer, compute);
    put_number(table, KEY_total_s, cost_total(time.parts));
    table_row(table);
    table_close(table);
    setting_end(query, words);
    return STATUS_FINE;
}

/* One network. */
typedef struct {
    Query asked, query; /* with sizes as m in the latter */
    const GpuProgram *program;
    const char *file, *rules;
    const Collective *collective; /* NULL: of no known one */
    Network network;
    double blocks; /* M / m */
    int32_t tiles;
    LowerBound lower;
    bool has_bound;
} Imported;

/* What these say is not known of a file, or said by the file itself. */
static const OptionSet refused =
    OPTIONS(PORTS, POSTING, FROM, TO, WEIGHTS, FINISH, REAL_K, AMONG, USING, WITHOUT, FOR, COMPOSE,
            TRAFFIC, ORDER, BANDWIDTHS, ELEMENT, CEIL_CHUNKS, PICTURE, SYNTHESIZE, ALONG, MEMBERS,
            MATRIX, WITH, BRIEF);

static bool write_imported_cost_row(const Imported *imported, size_t s, Table *table)
{
    const Query *query = &imported->query;
    const double size = query->sizes.items[s];
    const double chunk = size * imported->blocks / imported->program->chunks;
    GpuTime time;
    if (!gpu_time(query->study.arena, imported->program, &imported->network, &query->study.rules,
                  chunk, imported->tiles, &time, query->study.diag))
        return false;
    time.parts.startup += query->study.rules.delays[DELAY_CALL].seconds;
    const double total = cost_total(time.parts);
    const double bound = imported->has_bound ? lower_bound_seconds(&imported->lower, size) : 0;
    setting_put(table, query, false, imported->rules);
    PUT(table, imported, file, tiles);
    put_text(table, KEY_collective, gpu_label_info[imported->program->label].name);
    put_text(table, KEY_topology, imported->network.name);
    put_number(table, KEY_p, imported->program->rank_count);
    put_number(table, KEY_m_bytes, size);
    put_number(table, KEY_nccl_bytes, query->asked.items[s]);
    put_number(table, KEY_chunk_bytes, chunk);
    PUT_TIMES(table, &time.parts, startup, hop, transfer, compute);
    put_number(table, KEY_total_s, total);
    if (bound > 0) {
        put_number(table, KEY_bound_s, bound);
        put_number(table, KEY_ratio, total / bound);
    }
    table_row(table);
    return true;
}

static bool write_sizes(Imported *imported)
{
    /* With the root that the file is right from. */
    imported->has_bound = imported->collective != NULL;
    if (imported->has_bound) {
        imported->query.study.root = imported->program->root;
        imported->lower = lower_bound_find(&imported->query.study, imported->collective,
                                           &imported->network, BOUND_SEARCH_CUTS);
        imported->has_bound = imported->lower.known;
    }
    const Query *query = &imported->query;
    const bool is_text = query->format == FORMAT_TEXT;
    Table *table = NULL;
    for (size_t s = 0; s < query->sizes.count; s++) {
        if (is_text)
            fprintf(query->line->out, "%s%s on %s, %s\n", s ? "\n" : "",
                    gpu_label_info[imported->program->label].name, imported->network.name,
                    query_show_size(query, query->sizes.items[s], query->asked.items[s]));
        setting_begin(query);
        if (!table || is_text)
            table = query_table(query, TABLE_imported_cost);
        if (query->nccl_sizes)
            table_include(table, KEY_nccl_bytes);
        if (!write_imported_cost_row(imported, s, table))
            return false;
        if (is_text)
            table_close(table);
        setting_end(query, imported->rules);
    }
    if (!is_text)
        table_close(table);
    return true;
}

/* Whom a step takes from, and gives to; of signals and waits only one, if there is only one. */
static void put_ends(Table *table, const GpuProgram *program, int32_t rank,
                     const ThreadBlock *block, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const GpuSemaphore *semaphore =
        step->semaphore_count == 1 ? &program->semaphores.items[step->semaphores[0]] : NULL;
    const int32_t from = gpu_place_rank(step->source, rank);
    const int32_t to = gpu_place_rank(step->destination, rank);
    if (info->receives)
        put_number(table, KEY_receives_from, block->receive);
    else if (from != rank || (semaphore && gpu_step_waits(step->kind)))
        put_number(table, KEY_receives_from, semaphore ? semaphore->from : from);
    if (info->sends)
        put_number(table, KEY_sends_to, block->send);
    else if (to != rank || (semaphore && gpu_step_signals(step->kind)))
        put_number(table, KEY_sends_to, semaphore ? semaphore->to : to);
    if (!program->is_one_sided)
        put_number(table, KEY_channel, block->channel);
}

/* The steps of the first tile. */
static bool write_steps(Imported *imported)
{
    const Query *query = &imported->query;
    const GpuProgram *program = imported->program;
    const double chunk = query->sizes.items[0] * imported->blocks / program->chunks;
    Table *table = query_table(query, TABLE_imported_trace);
    GpuTime time;
    size_t at = 0;
    setting_put(table, query, false, imported->rules);
    if (!gpu_time(query->study.arena, program, &imported->network, &query->study.rules, chunk,
                  imported->tiles, &time, query->study.diag))
        return false;
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[b];
            for (size_t s = 0; s < block->steps.count; s++, at++) {
                const GpuStep *step = &block->steps.items[s];
                const GpuStepInfo *info = &gpu_step_info[step->kind];
                put_number(table, KEY_rank, r);
                put_number(table, KEY_thread_block, (double)b);
                put_number(table, KEY_step, (double)s);
                put_text(table, KEY_step_type, info->name);
                put_ends(table, program, r, block, step);
                put_number(table, KEY_step_bytes, step->count * chunk / imported->tiles);
                put_number(table, KEY_step_start_s, time.spans[at].start);
                put_number(table, KEY_step_end_s, time.spans[at].end);
                table_row(table);
            }
        }
    table_close(table);
    if (query->format != FORMAT_TEXT)
        return true;
    const double total = cost_total(time.parts) + query->study.rules.delays[DELAY_CALL].seconds;
    fprintf(query->line->out, "\ntotal: %s\n", quantity_show_time(query->study.arena, total));
    line_say(query->line, "rules: %s", imported->rules);
    return true;
}

static Status answer(const CommandLine *line, bool (*write)(Imported *imported), size_t most_sizes)
{
    Imported imported = {.file = line->operands.items[0].chars};
    GpuProgram program;
    int64_t tiles = 1;
    if (!options_are_absent(line, refused, "is not for files of schedules"))
        return STATUS_BAD_INPUT;
    if (option_is_spoken(line, OPTION_CONTENTION) &&
        !text_equals(option_value(line, OPTION_CONTENTION), contention_names[CONTENTION_SHARED]))
        return BAD_INPUT(line->diag, option_value(line, OPTION_CONTENTION).span,
                         "files of schedules have a cost with contention shared in time only");
    if (!query_read(line, &imported.asked) ||
        !option_integer(line, OPTION_TILES, 1, 1 << 16, &tiles))
        return STATUS_BAD_INPUT;
    const Source *source = import_source(line, line->operands.items[0]);
    if (!source)
        return STATUS_BAD_INPUT;
    if (goal_is_source(source) && write == write_sizes)
        return goal_cost(&imported.asked, source);
    if (goal_is_source(source))
        return BAD_INPUT(line->diag, line->operands.items[0].span,
                         "GOAL has a cost, and no trace: its messages have no blocks");
    const Status status = import_program(line, source, &program);
    if (status != STATUS_FINE)
        return status;
    imported.program = &program;
    imported.tiles = (int32_t)tiles;
    if (!query_settle_file_ranks(&imported.asked, program.rank_count, program.span) ||
        !query_network(&imported.asked, 0, &imported.network))
        return STATUS_BAD_INPUT;
    Rules *rules = &imported.asked.study.rules; /* thread blocks are ports */
    follow_program(rules, CONTENTION_SHARED, gpu_program_ports(&program));
    if (!sharing_is_possible(rules, line->diag))
        return STATUS_BAD_INPUT;
    const char *slots = program.is_one_sided
                            ? "bytes that are put have arrived with the last of them, signals take "
                              "startup and hops"
                        : program.slots >= MOST_GPU_CHUNKS
                            ? "any number of messages of a connection under way"
                            : arena_printf(line->arena, "%d slot%s for messages of a connection",
                                           program.slots, PLURAL_END(program.slots));
    imported.rules = arena_printf(line->arena, "%s, %s, %d tile%s",
                                  rules_describe_on(line->arena, rules, &imported.network), slots,
                                  imported.tiles, PLURAL_END(imported.tiles));
    if (!imported.asked.sizes.count)
        return LACKING(line, NOWHERE, OPTION_SIZE, "the message size is missing: give -m");
    if (!import_settle_sizes(&imported.asked, &program, &imported.collective, &imported.query,
                             &imported.blocks))
        return STATUS_BAD_INPUT;
    if (imported.query.sizes.count > most_sizes)
        return BAD_INPUT(line->diag, NOWHERE, "the steps of a schedule are shown for one size");
    return write(&imported) ? STATUS_FINE : STATUS_BAD_INPUT;
}

bool imported_is_asked(const CommandLine *line)
{
    return import_is_file(line->operands.items[0]) || text_equals(line->operands.items[0], "-");
}

Status imported_cost(const CommandLine *line)
{
    return answer(line, write_sizes, SIZE_MAX);
}

Status imported_trace(const CommandLine *line)
{
    return answer(line, write_steps, 1);
}
