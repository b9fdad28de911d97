/* Every command is asked the same question: which algorithm is the fastest, how long does it take,
   and what is the bound? `cost`, the questions of formulas, `expect`, `switch` over sizes and over
   ranks, `map`, `explain` and `bound` must agree, on a line with options, in a session, and in a
   process of their own; at random sizes, at 1 B, where algorithms tie, and at switch points and one
   ulp and one byte beside them. Times and bounds must be equal to the last bit.

   What `cost` lists is held against the rule, which is written here a second time: the first by
   name of those within 1e-12 of the least time.

   usage: commands [SETTINGS [FIRST]], from the folder where collcost was built */
#include "agreement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SETTINGS = 16, JSON_EVERY = 8 };

static double random_size(World *world, bool whole)
{
    double size = exp2((double)below(world, 30000) / 1000);
    return whole ? floor(size) : size;
}

/* At, or within a byte of, a switch point. */
static double size_of_point(World *world, const Rows *pieces)
{
    double at = rows_number(pieces, 1 + below(world, pieces->rows - 1), "from_bytes");
    const double sizes[] = {at, nextafter(at, INFINITY), nextafter(at, 0), at + 1, at - 1};
    return sizes[below(world, sizeof sizes / sizeof *sizes)];
}

/* Inside of a piece whose algorithm ties with others, if the one that is drawn has such. */
static double size_of_tie(World *world, const Rows *pieces)
{
    size_t row = below(world, pieces->rows);
    double from = rows_number(pieces, row, "from_bytes"), to = rows_number(pieces, row, "to_bytes");
    double share = (double)(1 + below(world, 1000)) / 1002;
    return *rows_text(pieces, row, "tied")
               ? from * pow((isnan(to) ? 1024 * from : to) / from, share)
               : random_size(world, false);
}

static double draw_size(World *world, const Trial *trial)
{
    uint64_t kind = below(world, 8);
    if (kind == 0)
        return 1;
    if (kind < 3 || !trial->has_pieces)
        return random_size(world, kind == 1);
    return kind < 5 || trial->pieces.rows < 2 ? size_of_tie(world, &trial->pieces)
                                              : fmax(size_of_point(world, &trial->pieces), 1);
}

/* "1,1024,4096.5" */
static const char *show_sizes(Arena *arena, const Trial *trial)
{
    const char *text = "";
    for (size_t i = 0; i < trial->count; i++)
        text = arena_printf(arena, "%s%s%.17g", text, i ? "," : "", trial->questions[i].bytes);
    return text;
}

static void ask_pieces(Test *test, Trial *trial)
{
    const Setting *setting = &trial->setting;
    const char *range =
        setting->range_from > 1 || below(&test->world, 2)
            ? arena_printf(test->world.arena, " -m %.17g..1GiB", setting->range_from)
            : "";
    trial->switch_line = trial->known_bound > 0
                             ? script_ask(&test->pieces, "reset")
                             : script_ask(&test->pieces, "switch %s%s%s -o csv",
                                          setting->collective, setting->options, range);
}

static void ask_costs(Test *test, Trial *trial)
{
    const Setting *setting = &trial->setting;
    const char *sizes = show_sizes(test->world.arena, trial);
    trial->cost_line = script_ask(&test->costs, "cost %s%s -m %s -o csv", setting->collective,
                                  setting->options, sizes);
    trial->bound_line = script_ask(&test->costs, "bound %s%s -m %s -o csv", setting->collective,
                                   setting->options_of_bounds, sizes);
}

static size_t ask_formula(Script *script, const Question *question, const Trial *trial,
                          const char *name)
{
    return script_ask(script, "eval '%s(%s, %.17g)'%s -o json", name, trial->setting.collective,
                      question->bytes, question->in_session ? "" : trial->setting.options);
}

static size_t ask_expect(Script *script, const Question *question, const Trial *trial,
                         const char *algorithm)
{
    return script_ask(script, "expect \"best(%s, %.17g) == '%s'\"%s", trial->setting.collective,
                      question->bytes, algorithm,
                      question->in_session ? "" : trial->setting.options);
}

static void ask_formulas(Script *script, const Trial *trial, Question *question)
{
    question->best = ask_formula(script, question, trial, "best");
    question->time = ask_formula(script, question, trial, "time");
    question->lower = ask_formula(script, question, trial, "bound");
    if (!question->in_session)
        return;
    question->ratio = ask_formula(script, question, trial, "ratio");
    question->chunks = ask_formula(script, question, trial, "chunks");
    question->rounds = ask_formula(script, question, trial, "rounds");
    question->holds = ask_expect(script, question, trial, question->winner);
    question->fails = ask_expect(script, question, trial, question->other);
}

static void ask_question(Test *test, const Trial *trial, Question *question)
{
    Script *script = &test->rest;
    const Setting *setting = &trial->setting;
    const char *collective = setting->collective, *options = setting->options;
    bool is_turned = below(&test->world, 2);
    if (!question->in_session)
        ask_formulas(script, trial, question);
    if (trial->known_bound > 0)
        return;
    if (question->asks_ranges && agreement_in_range(trial, question)) {
        const char *range =
            arena_printf(test->world.arena, "%.17g..%.17g", question->bytes, question->to);
        question->range =
            script_ask(script, "switch %s%s -m %s -o csv", collective, options, range);
        question->map = script_ask(script, "map %s%s -m %s -o csv", collective,
                                   setting->options_by_ranks, range);
    }
    if (question->asks_ranges)
        return;
    question->ranks = script_ask(script, "switch %s --over p%s -m %.17g -o csv", collective,
                                 setting->options_by_ranks, question->bytes);
    if (trial->row_count > 1 && !agreement_is_composed(question->winner) &&
        !agreement_is_composed(question->other))
        question->explain = script_ask(script, "explain %s/%s %s%s -m %.17g -o %s", collective,
                                       is_turned ? question->other : question->winner,
                                       is_turned ? question->winner : question->other, options,
                                       question->bytes, question->explains_all ? "json" : "csv");
}

static void ask_session(Test *test, Trial *trial)
{
    Script *script = &test->rest;
    const char *statement = trial->setting.statements;
    trial->first_statement = script_ask(script, "reset");
    while (*statement) {
        size_t length = strcspn(statement, "\n");
        script_ask(script, "%.*s", (int)length, statement);
        statement += length + 1;
    }
    trial->statement_count = script->answers.count - trial->first_statement;
    for (size_t i = 0; i < trial->count; i++)
        if (trial->questions[i].in_session)
            ask_formulas(script, trial, &trial->questions[i]);
    if (agreement_in_session(trial))
        trial->session_line = script_ask(script, "cost %s -m %s -o csv", trial->setting.collective,
                                         show_sizes(test->world.arena, trial));
    script_ask(script, "reset");
}

/* What is drawn depends on the number of a trial alone, not on which others run. */
static void seed(Test *test, const Trial *trial, uint64_t phase)
{
    test->world.random = ((phase + 1) << 40) + trial->number * 1000003;
}

static void read_pieces(Test *test, Trial *trial)
{
    const Answer *answer = &test->pieces.answers.items[trial->switch_line];
    seed(test, trial, 1);
    trial->has_pieces = answer->status == ANSWER_GOOD && trial->known_bound == 0;
    test->without_pieces += !trial->has_pieces && trial->known_bound == 0;
    if (trial->has_pieces) {
        trial->pieces = rows_read(test->world.arena, answer->output);
        test->points += (int64_t)trial->pieces.rows - 1;
    }
    for (; trial->count < SIZES && !trial->is_given; trial->count++)
        trial->questions[trial->count].bytes = draw_size(&test->world, trial);
    ask_costs(test, trial);
}

static void read_costs(Test *test, Trial *trial)
{
    World *world = &test->world;
    seed(test, trial, 2);
    trial->costs = agreement_rows(test, trial, &test->costs, trial->cost_line);
    trial->bounds = agreement_rows(test, trial, &test->costs, trial->bound_line);
    trial->row_count = trial->costs.rows / trial->count;
    if (trial->row_count == 0)
        trial->count = 0;
    for (size_t i = 0; i < trial->count; i++) {
        Question *question = &trial->questions[i];
        size_t first = i * trial->row_count;
        question->first_row = first;
        question->winner = agreement_algorithm(trial, first);
        question->total = agreement_total(trial, first);
        question->bound = rows_number(&trial->costs, first, "bound_s");
        question->other_row =
            first + (trial->row_count > 1 ? 1 + below(world, trial->row_count - 1) : 0);
        question->other = agreement_algorithm(trial, question->other_row);
        question->in_session = i > 0 && !trial->setting.for_lines;
        question->asks_ranges = trial->known_bound > 0 || (trial->number + i) % 2;
        question->explains_all = below(world, JSON_EVERY) == 0;
        question->to = question->bytes * (1 + random_size(world, false) / 1000);
        ask_question(test, trial, question);
    }
    if (trial->count && trial->known_bound == 0 && !trial->setting.for_lines)
        ask_session(test, trial);
}

/* Alltoall on full:8, where bruck and hypercube are told apart by rounding alone. */
static void ask_sweep(Test *test)
{
    test->first_sweep = test->rest.answers.count;
    for (int bytes = 1000; bytes <= 1200; bytes++)
        script_ask(&test->rest, "expect 'best(alltoall, %d) == bruck' -t full:8", bytes);
    test->sweep_count = test->rest.answers.count - test->first_sweep;
}

static void check_sweep(Test *test)
{
    for (size_t i = 0; i < test->sweep_count; i++) {
        const Answer *answer = &test->rest.answers.items[test->first_sweep + i];
        test->asked[SWEEP]++;
        if (answer->status != ANSWER_GOOD && test->faults[SWEEP]++ < MOST_SHOWN)
            printf("# '%s' fails\n", answer->line);
    }
}

/* Where a quick search for cuts would find a weaker bound than a long one: the network is large. */
static void add_given(Test *test)
{
    static const double sizes[] = {1024, 1040, 1200};
    Trial *trial = ARRAY_PUSH(test->world.arena, &test->trials);
    *trial = (Trial){.setting = setting_of(&test->world, "alltoall", "full:8", 8, ""),
                     .number = UINT32_MAX,
                     .is_given = true};
    for (; trial->count < sizeof sizes / sizeof *sizes; trial->count++)
        trial->questions[trial->count].bytes = sizes[trial->count];
    trial = ARRAY_PUSH(test->world.arena, &test->trials);
    *trial = (Trial){.setting = setting_of(&test->world, "alltoall", "cluster:32x8", 256,
                                           "startup=3.4us bandwidth=370GB/s node.startup=14us "
                                           "node.bandwidth=47GB/s node.ports=8"),
                     .number = UINT32_MAX,
                     .is_given = true,
                     .known_bound = 347.05e-6,
                     .count = 1};
    trial->questions[0].bytes = 65536;
}

static bool run_all(Test *test)
{
    TrialArray *trials = &test->trials;
    for (size_t i = 0; i < trials->count; i++) {
        seed(test, &trials->items[i], 3);
        ask_pieces(test, &trials->items[i]);
    }
    if (!script_run(&test->pieces))
        return false;
    for (size_t i = 0; i < trials->count; i++)
        read_pieces(test, &trials->items[i]);
    if (!script_run(&test->costs))
        return false;
    for (size_t i = 0; i < trials->count; i++)
        read_costs(test, &trials->items[i]);
    ask_sweep(test);
    if (!script_run(&test->rest))
        return false;
    for (size_t i = 0; i < trials->count; i++)
        agreement_check(test, &trials->items[i]);
    check_sweep(test);
    return true;
}

int main(int count, char **arguments)
{
    const CaseRange range = read_range(count, arguments, DEFAULT_SETTINGS);
    Arena *arena = arena_create(NULL);
    const char *folder = script_folder(arena);
    const Script script = {.arena = arena, .program = "./collcost", .folder = folder};
    Test test = {.world = {.arena = arena}, .pieces = script, .costs = script, .rest = script};
    Results results = {0};
    int64_t questions = 0;
    for (uint64_t n = range.first; n < range.first + range.cases; n++) {
        Trial *trial = ARRAY_PUSH(arena, &test.trials);
        *trial = (Trial){.number = n};
        seed(&test, trial, 0);
        trial->setting = setting_draw(&test.world);
    }
    add_given(&test);
    bool ran = folder && run_all(&test);
    for (size_t i = 0; i < test.trials.count; i++)
        questions += (int64_t)test.trials.items[i].count;
    printf("# %zu settings, %lld questions, %lld switch points, %lld settings without\n",
           test.trials.count, (long long)questions, (long long)test.points,
           (long long)test.without_pieces);
    result(&results, ran, "collcost runs");
    for (int i = 0; i < SUBJECT_COUNT; i++)
        result(&results, test.asked[i] > 0 && test.faults[i] == 0, agreement_subjects[i]);
    result(&results, test.without_pieces * 10 <= (int64_t)test.trials.count,
           "most settings have switch points");
    if (folder)
        script_remove_folder(folder);
    arena_destroy(arena);
    return results_end(&results);
}
