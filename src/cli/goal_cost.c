#include "cli/cost_parts.h"

#include "base/utf8.h"
#include "cli/cmd_import.h"
#include "cli/setting.h"

/* A GOAL file has messages of given sizes, and no links. */
static bool check_options(const CommandLine *line)
{
    static const OptionId refused[] = {OPTION_SIZE, OPTION_SIZES, OPTION_TILES, OPTION_CONTENTION};
    return options_are_absent(line, refused, COUNT_OF(refused),
                              "is not for GOAL files, which state it themselves");
}

static const char *settle_rules(Query *query, const GoalProgram *program, const Network *network)
{
    Rules *rules = &query->study.rules;
    rules->contention = CONTENTION_NONE;
    rules->asynchronous = true;
    rules->ports = program->nics;
    rules->fixed_ports = true;
    rules->all_ports = rules->level_ports = false;
    return arena_printf(query->study.arena, "%s, messages are eager",
                        rules_describe_on(query->study.arena, rules, network));
}

static void write_answer(const Query *query, const Network *network, const GoalProgram *program,
                         const GoalTime *time, const char *rules)
{
    FILE *out = query->line->out;
    const bool is_text = query->format == FORMAT_TEXT;
    if (is_text) {
        fprintf(out, "%s on %s\n",
                utf8_clean_line(query->study.arena, query->line->operands.items[0].chars),
                network->name);
        setting_write_machine(query);
        fputc('\n', out);
    }
    Table *table = line_table(query->line, query->format, TABLE_goal_cost);
    setting_put(table, query, false, rules);
    put_text(table, KEY_file, query->line->operands.items[0].chars);
    put_text(table, KEY_topology, network->name);
    put_number(table, KEY_p, program->rank_count);
    put_number(table, KEY_operations, (double)program->operations.count);
    put_number(table, KEY_sent_messages, (double)time->messages);
    put_number(table, KEY_startup_s, time->parts.startup);
    put_number(table, KEY_hop_s, time->parts.hop);
    put_number(table, KEY_transfer_s, time->parts.transfer);
    put_number(table, KEY_compute_s, time->parts.compute);
    put_number(table, KEY_total_s, cost_total(time->parts));
    table_row(table);
    table_close(table);
    if (!is_text)
        return;
    fputc('\n', out);
    line_say(query->line, "rules: %s", rules);
}

Status goal_cost(Query *query, const Source *source)
{
    const CommandLine *line = query->line;
    GoalProgram program;
    GoalTime time;
    Network network;
    if (!check_options(line) || !import_goal(line, source, &program) ||
        !query_settle_file_ranks(query, program.rank_count, program.span) ||
        !query_network(query, 0, &network))
        return STATUS_BAD_INPUT;
    const char *rules = settle_rules(query, &program, &network);
    if (!goal_time(line->arena, &program, &network, &query->study.rules, &time, line->diag))
        return STATUS_BAD_INPUT;
    const Status status = import_goal_end(line, &time);
    if (status != STATUS_FINE)
        return status;
    time.parts.startup += query->study.rules.delays[DELAY_CALL].seconds;
    write_answer(query, &network, &program, &time, rules);
    return STATUS_FINE;
}
