#include "cli/composed.h"
#include "cli/cost_parts.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/setting.h"
#include "cli/switch_parts.h"
#include "cli/workers.h"

/* One of the tables: rows of one network. */
typedef struct {
    OptionId option; /* which asks for it; OPTION_COUNT: it is always there in text */
    const char *heading;
    Table *(*open)(const Query *query);
    bool (*write)(Table *table, SwitchCase *switches);
} Answer;

static const Answer answers[] = {
    {OPTION_COUNT, NULL, switch_table_open, switch_table_write},
    {OPTION_VARY, "how far switch points move", switch_vary_open, switch_vary_write},
    {OPTION_RULES, "under other costing rules", switch_rules_open, switch_rules_write},
};
enum { ANSWER_COUNT = COUNT_OF(answers) };

static bool open_case(const Query *query, size_t index, SwitchCase *switches)
{
    return switchcase_open(query, index, COLLCOST_DETAILS | COLLCOST_CHECKED, switches);
}

/* *is_wrong becomes true where a winner failed its check. */
static bool write_text(const Query *query, size_t index, bool *is_wrong)
{
    FILE *out = query->line->out;
    SwitchCase switches;
    if (!open_case(query, index, &switches))
        return false;
    fprintf(out, "%s%s on %s%s%s\n", setting_is_brief(query) && index == 0 ? "" : "\n",
            query->collective->head.name, collcost_case_network(switches.opened),
            setting_of_machine(query), query->nccl_sizes ? ", sizes as in NCCL: M, not m" : "");
    for (int i = 0; i < ANSWER_COUNT; i++) {
        const Answer *answer = &answers[i];
        if (answer->option != OPTION_COUNT && !option_given(query->line, answer->option))
            continue;
        if (answer->heading)
            fprintf(out, "\n%s\n", answer->heading);
        Table *table = answer->open(query);
        if (!answer->write(table, &switches))
            return false;
        table_close(table);
        if (answer->option == OPTION_COUNT) {
            StringArray written = {0};
            for (size_t j = 0; j < switches.count; j++)
                composed_write(query, switches.pieces[j].algorithm, switches.pieces[j].stages,
                               &written);
        }
    }
    *is_wrong |= switches.is_wrong;
    return true;
}

/* Numbers of ranks from `first` on. */
static Status print_ranks(void *context, size_t first, size_t end, const CommandLine *line)
{
    Query query = *(const Query *)context;
    bool is_wrong = false;
    query.line = line;
    if (query.format == FORMAT_TEXT)
        return !write_text(&query, first, &is_wrong) ? STATUS_BAD_INPUT
               : is_wrong                            ? STATUS_CHECK_FAILED
                                                     : STATUS_FINE;
    /* There is one kind of rows: that which an option asks for, else the pieces. */
    const Answer *answer = &answers[0];
    for (int i = 1; i < ANSWER_COUNT; i++) {
        if (!option_given(line, answers[i].option))
            continue;
        if (answer != &answers[0])
            return BAD_INPUT(query.study.diag, NOWHERE, "--vary and --rules cannot be combined");
        answer = &answers[i];
    }
    Table *table = answer->open(&query);
    for (size_t i = first; i < end; i++) {
        SwitchCase switches;
        if (!open_case(&query, i, &switches) || !answer->write(table, &switches))
            return STATUS_BAD_INPUT;
        is_wrong |= switches.is_wrong;
    }
    table_close(table);
    return is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status run(const CommandLine *given)
{
    Context alone;
    CommandLine own;
    const CommandLine *line = synthesized_line(given, &own, &alone);
    Query query;
    double tolerance;
    bool good, over_ranks = switch_over_asked(line, &good);
    if (!good || !picture_check(line))
        return STATUS_BAD_INPUT;
    /* What is drawn is one network, by size, under the settings as they are. */
    const OptionId other = option_among(line, OPTIONS_OF_SIZES_ONLY);
    if (other != OPTION_COUNT && option_given(line, OPTION_PICTURE))
        return BAD_INPUT(line->diag, option_value(line, other).span,
                         "--%s and --picture cannot be combined", option_name(other));
    if (!(over_ranks ? query_read_subject_over_ranks : query_read_subject)(line, &query))
        return STATUS_BAD_INPUT;
    if (query.collective->problem && !option_given(line, OPTION_PICTURE))
        return problem_switch(&query);
    if (!option_share(line, OPTION_TOLERANCE, &tolerance) || !switchpoints_check_subject(&query) ||
        !switch_vary_check(&query) || !switch_rules_check(&query) || !synthesized_join(&query))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE)) {
        /* Over ranks, and of problems, there is no picture of switch points. */
        if (!over_ranks)
            return cost_picture(&query, AXIS_SLOWDOWN);
        return BAD_INPUT(
            query.study.diag, option_value(query.line, OPTION_OVER).span,
            "--over p has no picture: 'map --picture' draws the fastest over ranks and sizes");
    }
    if (over_ranks)
        return switch_over_ranks(&query);
    const bool has_one_size = query.sizes.count == 1; /* its row is the fastest there */
    if (!has_one_size && !switchpoints_check_sizes(&query))
        return STATUS_BAD_INPUT;
    const AnswerParts parts = {.count = query.ranks.count,
                               .is_whole = true,
                               .between = "",
                               .names = query_network_names(&query),
                               .print = print_ranks,
                               .context = &query};
    if (query.format == FORMAT_TEXT)
        setting_write_machine(&query);
    const Status status = lists_print(line, query.format, &parts);
    setting_end(&query, NULL);
    return status;
}

const Command command_switch = {
    .name = "switch",
    .operands = "COLLECTIVE|PROBLEM",
    .summary = "the fastest algorithm by message size, with exact switch points",
    .description =
        "Shows which algorithm is the fastest in each range of message sizes. Switch points are "
        "computed, not sampled. A row gives the best number of chunks k at its lower end, "
        "algorithms that are equally fast, and by how much at most the second best is slower, "
        "which tells how much the row matters. -m LO..HI limits the range; --tolerance 5% "
        "merges rows where that costs at most 5%. For a product of matrices the range is that "
        "of the order n: up to 65536, or -n LO..HI. --picture plots what each algorithm loses "
        "against the fastest.",
    .examples = "collcost switch allreduce -t torus:4x4\n"
                "collcost switch allreduce -t cluster:4x8 --machine h100-ndr -m 1KiB..1GiB",
    .options =
        OPTIONS_OF_COSTS | OPTIONS_OF_PICTURES |
        OPTIONS(WEIGHTS, ALONG, MEMBERS, FINISH, SIZES, REAL_K, AMONG, FOR, COMPOSE, SYNTHESIZE,
                BRIEF, TOLERANCE, VARY, RULES, OVER, ORDER, ELEMENT, USING, AXIS, JOBS),
    .spoken = OPTIONS(SIZE, ORDER),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run,
};
