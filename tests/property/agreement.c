#include "agreement.h"

#include "study/composer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SESSION_EVERY = 3, ALONE_EVERY = 12 };

/* Sizes that differ by a smaller share are at the same switch point. */
static const double beside_point = 1e-9;

const char *const agreement_subjects[SUBJECT_COUNT] = {
    "all lines run",
    "cost lists algorithms by the rule, and none below the bound",
    "formulas have the winner, times, bound, ratio, chunks and rounds of cost",
    "expect holds for the winner of cost and for no other algorithm",
    "switch has the winner of cost in the row of a size, with its time and ties",
    "switch over a range begins with the winner and the time of cost",
    "map has the rows of switch over its range",
    "switch over ranks has the winner and the time of cost",
    "explain has the times of cost, and finds its winner no slower",
    "bound shows the bound of cost",
    "a session answers as options do",
    "a line alone answers as in a batch",
    "the winner stays where rounding alone tells times apart",
};

bool agreement_in_range(const Trial *trial, const Question *question)
{
    return question->bytes >= trial->setting.range_from;
}

bool agreement_in_session(const Trial *trial)
{
    return trial->statement_count > 0 && trial->number % SESSION_EVERY == 0;
}

/* And in a process of its own? */
static bool is_asked_alone(const Trial *trial)
{
    return trial->number % ALONE_EVERY == 0;
}

static bool complain(Test *test, const Trial *trial, const Question *question, Subject subject,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
static bool complain(Test *test, const Trial *trial, const Question *question, Subject subject,
                     const char *format, ...)
{
    va_list arguments;
    if (test->faults[subject]++ >= MOST_SHOWN)
        return false;
    printf("# setting %llu: %s%s", (unsigned long long)trial->number, trial->setting.collective,
           trial->setting.options);
    if (question)
        printf(" -m %.17g: %s takes %.17g", question->bytes, question->winner, question->total);
    printf("\n#   %s: ", agreement_subjects[subject]);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return false;
}

/* A line that ran. NULL after a complaint. */
static const Answer *take(Test *test, const Trial *trial, const Script *script, size_t line)
{
    const Answer *answer = &script->answers.items[line];
    test->asked[RUNS]++;
    if (answer->status == ANSWER_GOOD)
        return answer;
    complain(test, trial, NULL, RUNS, "'%s': %.*s", answer->line,
             (int)strcspn(answer->messages, "\n"), answer->messages);
    return NULL;
}

Rows agreement_rows(Test *test, const Trial *trial, const Script *script, size_t line)
{
    const Answer *answer = take(test, trial, script, line);
    return answer ? rows_read(test->world.arena, answer->output) : (Rows){0};
}

static bool is_below(double a, double b)
{
    return a < b - tie_tolerance * fabs(b);
}

double agreement_total(const Trial *trial, size_t row)
{
    return rows_number(&trial->costs, row, "total_s");
}

const char *agreement_algorithm(const Trial *trial, size_t row)
{
    return rows_text(&trial->costs, row, "algorithm");
}

bool agreement_is_composed(const char *algorithm)
{
    return compositions_is_name((Text){.chars = algorithm, .length = strlen(algorithm)});
}

/* The order of the library: algorithms by name, then those that leave a radix or fan-out free, then
   compositions, among which any order will do. */
static int class_of(const Trial *trial, size_t row)
{
    if (agreement_is_composed(agreement_algorithm(trial, row)))
        return 2;
    return !isnan(rows_number(&trial->costs, row, "radix")) ||
           !isnan(rows_number(&trial->costs, row, "fanout"));
}

static bool comes_before(const Trial *trial, size_t row, size_t other)
{
    int own = class_of(trial, row), theirs = class_of(trial, other);
    if (own != theirs || own == 2)
        return own < theirs;
    return strcmp(agreement_algorithm(trial, row), agreement_algorithm(trial, other)) < 0;
}

/* The rule: the row that comes first among `from` and those behind it. */
static size_t first_of(const Trial *trial, size_t from, size_t end)
{
    double least = INFINITY;
    size_t first = end;
    for (size_t i = from; i < end; i++)
        least = fmin(least, agreement_total(trial, i));
    for (size_t i = from; i < end; i++)
        if (!is_below(least, agreement_total(trial, i)) &&
            (first == end || comes_before(trial, i, first)))
            first = i;
    return first;
}

static bool check_cost(Test *test, const Trial *trial, const Question *question)
{
    size_t end = question->first_row + trial->row_count;
    double bytes = trial->setting.is_empty ? 0 : question->bytes;
    test->asked[COST]++;
    for (size_t i = question->first_row; i < end; i++) {
        size_t first = first_of(trial, i, end);
        double bound = rows_number(&trial->costs, i, "bound_s");
        if (rows_number(&trial->costs, i, "m_bytes") != bytes)
            return complain(test, trial, question, COST, "a row for another size");
        if (first != i)
            return complain(test, trial, question, COST, "%s comes before %s",
                            agreement_algorithm(trial, i), agreement_algorithm(trial, first));
        if (is_below(agreement_total(trial, i) * (1 + 1e-9), bound))
            return complain(test, trial, question, COST, "%s is below the bound",
                            agreement_algorithm(trial, i));
    }
    return true;
}

/* The total of an algorithm at the size of a question, as cost has it; NAN: there is none. */
static size_t row_named(const Trial *trial, const Question *question, const char *name)
{
    size_t i = question->first_row, end = i + trial->row_count;
    while (i < end && strcmp(agreement_algorithm(trial, i), name) != 0)
        i++;
    return i;
}

static double total_named(const Trial *trial, const Question *question, const char *name)
{
    size_t row = row_named(trial, question, name);
    return row < question->first_row + trial->row_count ? agreement_total(trial, row) : NAN;
}

/* A formula whose value is to be `expected`; NAN: that is not compared. */
static void check_value(Test *test, const Trial *trial, const Question *question, size_t line,
                        double expected)
{
    const Answer *answer = take(test, trial, &test->rest, line);
    const char *text = answer ? json_value(test->world.arena, answer->output, "value") : NULL;
    test->asked[FORMULAS]++;
    if (answer && !isnan(expected) && (!text || strtod(text, NULL) != expected))
        complain(test, trial, question, FORMULAS, "%s is %s, not %.17g", answer->line,
                 text ? text : answer->output, expected);
}

static void check_formulas(Test *test, const Trial *trial, const Question *question)
{
    const Rows *costs = &trial->costs;
    const Answer *best = take(test, trial, &test->rest, question->best);
    const Answer *ratio = &test->rest.answers.items[question->ratio]; /* in a session */
    const char *name = best ? json_value(test->world.arena, best->output, "value") : "";
    test->asked[FORMULAS]++;
    if (best && (!name || strcmp(name, question->winner) != 0))
        complain(test, trial, question, FORMULAS, "%s says %s", best->line, best->output);
    check_value(test, trial, question, question->time, question->total);
    check_value(test, trial, question, question->lower,
                isnan(question->bound) ? 0 : question->bound);
    if (!question->in_session)
        return;
    check_value(test, trial, question, question->chunks,
                rows_number(costs, question->first_row, "k"));
    check_value(test, trial, question, question->rounds,
                rows_number(costs, question->first_row, "rounds"));
    if (question->bound > 0)
        check_value(test, trial, question, question->ratio,
                    rows_number(costs, question->first_row, "ratio"));
    else if (ratio->status != ANSWER_WRONG)
        complain(test, trial, question, FORMULAS, "a ratio to no bound: %s", ratio->output);
}

static void check_expect(Test *test, const Trial *trial, const Question *question)
{
    const Answer *fails = &test->rest.answers.items[question->fails];
    const Answer *holds = &test->rest.answers.items[question->holds];
    if (!question->in_session)
        return;
    test->asked[EXPECT]++;
    if (holds->status != ANSWER_GOOD)
        complain(test, trial, question, EXPECT, "'%s' fails", holds->line);
    if (trial->row_count > 1 && fails->status != ANSWER_FAILED)
        complain(test, trial, question, EXPECT, "'%s' holds", fails->line);
}

/* Is a size in a piece? Its ends are. */
static bool holds_size(const Rows *pieces, size_t row, double bytes)
{
    double to = rows_number(pieces, row, "to_bytes");
    return bytes >= rows_number(pieces, row, "from_bytes") && !(bytes > to);
}

/* Is a size within rounding of the start of a piece? */
static bool is_near(const Trial *trial, const Question *question, size_t piece)
{
    double at = rows_number(&trial->pieces, piece, "from_bytes");
    return piece > 0 && fabs(question->bytes - at) <= beside_point * at;
}

/* May this be the winner of a piece in which a size lies? The winner there; and within rounding of
   a switch point, where both of its pieces cost the same, the winner of either. At a jump the range
   that begins there has what comes after. */
static bool may_win(const Trial *trial, const Question *question, const char *name)
{
    bool is_tied = !is_below(question->total, total_named(trial, question, name));
    if (strcmp(name, question->winner) == 0)
        return true;
    for (size_t i = 1; i < trial->pieces.rows; i++)
        if (is_near(trial, question, i) && (is_tied || trial->setting.has_jumps) &&
            (strcmp(name, rows_text(&trial->pieces, i, "algorithm")) == 0 ||
             strcmp(name, rows_text(&trial->pieces, i - 1, "algorithm")) == 0))
            return true;
    return false;
}

/* Those that tie all along a piece do so here, and come after its algorithm. At a jump they may do
   so only above the size. */
static void check_ties(Test *test, const Trial *trial, const Question *question, size_t row)
{
    const char *tied = rows_text(&trial->pieces, row, "tied");
    const char *winner = rows_text(&trial->pieces, row, "algorithm");
    double own = total_named(trial, question, winner);
    if (trial->setting.has_jumps && row > 0 && is_near(trial, question, row))
        return;
    while (*tied) {
        size_t length = strcspn(tied, " ");
        const char *name = arena_copy(test->world.arena, tied, length);
        double total = total_named(trial, question, name);
        if (is_below(own, total) || is_below(total, own) ||
            comes_before(trial, row_named(trial, question, name),
                         row_named(trial, question, winner)))
            complain(test, trial, question, SWITCH, "%s, %.17g, is tied with %s, %.17g", name,
                     total, winner, own);
        tied += length + (tied[length] == ' ');
    }
}

static void check_pieces(Test *test, const Trial *trial, const Question *question)
{
    const Rows *pieces = &trial->pieces;
    bool found = false;
    size_t in = 0;
    if (!trial->has_pieces || !agreement_in_range(trial, question))
        return;
    test->asked[SWITCH]++;
    for (size_t i = 0; i < pieces->rows; i++) {
        const char *name = rows_text(pieces, i, "algorithm");
        double from = rows_number(pieces, i, "from_bytes");
        double total = rows_number(pieces, i, "total_at_from_s");
        if (!holds_size(pieces, i, question->bytes))
            continue;
        found |= may_win(trial, question, name);
        in = i;
        check_ties(test, trial, question, i);
        if (from == question->bytes && !trial->setting.has_jumps &&
            total != total_named(trial, question, name))
            complain(test, trial, question, SWITCH, "%s takes %.17g, in the row %.17g", name,
                     total_named(trial, question, name), total);
    }
    if (!found)
        complain(test, trial, question, SWITCH, "the row from %.17g to %.17g has %s, %.17g",
                 rows_number(pieces, in, "from_bytes"), rows_number(pieces, in, "to_bytes"),
                 rows_text(pieces, in, "algorithm"),
                 total_named(trial, question, rows_text(pieces, in, "algorithm")));
}

/* The first row of a range that begins with the size of a question. Where that is a jump,
   the range has what comes after it. */
static void check_first(Test *test, const Trial *trial, const Question *question, const Rows *range)
{
    const char *name = rows_text(range, 0, "algorithm");
    double total = rows_number(range, 0, "total_at_from_s"),
           own = total_named(trial, question, name);
    bool is_after_jump = false;
    for (size_t i = 1; i < trial->pieces.rows && trial->setting.has_jumps; i++)
        is_after_jump |= is_near(trial, question, i);
    test->asked[RANGE]++;
    if (!may_win(trial, question, name) || (total != own && !is_after_jump))
        complain(test, trial, question, RANGE, "%s, %.17g; cost has %.17g for it", name, total,
                 own);
}

static void check_ranges(Test *test, const Trial *trial, const Question *question)
{
    if (!trial->has_pieces || !question->asks_ranges || !agreement_in_range(trial, question))
        return;
    Rows range = agreement_rows(test, trial, &test->rest, question->range);
    Rows map = agreement_rows(test, trial, &test->rest, question->map);
    check_first(test, trial, question, &range);
    test->asked[MAP]++;
    if (range.rows != map.rows || range.columns != map.columns)
        complain(test, trial, question, MAP, "%zu rows, not %zu", map.rows, range.rows);
    for (size_t row = 0; row < map.rows && row < range.rows; row++)
        for (size_t i = 0; i < map.columns; i++) {
            const char *key = range.cells[i], *own = rows_text(&map, row, key);
            bool is_rules = strcmp(key, "rules") == 0; /* of a map: those on any network */
            if (!is_rules && strcmp(own, rows_text(&range, row, key)) != 0)
                complain(test, trial, question, MAP, "row %zu, %s: %s, not %s", row, key, own,
                         rows_text(&range, row, key));
        }
}

static void check_ranks(Test *test, const Trial *trial, const Question *question)
{
    if (question->asks_ranges)
        return;
    Rows rows = agreement_rows(test, trial, &test->rest, question->ranks);
    const char *name = rows_text(&rows, 0, "algorithm");
    double total = rows_number(&rows, 0, "total_at_from_s");
    test->asked[RANKS]++;
    if (rows.rows != 1 || strcmp(name, question->winner) != 0 || total != question->total)
        complain(test, trial, question, RANKS, "%s, %.17g", name, total);
}

static void check_explain(Test *test, const Trial *trial, const Question *question)
{
    const char *names[2] = {question->winner, question->other};
    if (trial->row_count == 1 || question->asks_ranges || agreement_is_composed(names[0]) ||
        agreement_is_composed(names[1]))
        return;
    const Answer *answer = take(test, trial, &test->rest, question->explain);
    test->asked[EXPLAIN]++;
    if (answer && question->explains_all) {
        bool is_tie = !is_below(question->total, agreement_total(trial, question->other_row));
        const char *faster = json_value(test->world.arena, answer->output, "faster");
        if (!faster || strcmp(faster, is_tie ? "null" : question->winner) != 0)
            complain(test, trial, question, EXPLAIN, "faster than %s, %.17g, is %s",
                     question->other, agreement_total(trial, question->other_row), faster);
        return;
    }
    Rows rows = answer ? rows_read(test->world.arena, answer->output) : (Rows){0};
    for (size_t i = 0; i < rows.rows; i++)
        for (int which = 0; which < 2; which++) {
            double total = rows_number(&rows, i, "total_s");
            if (strcmp(rows_text(&rows, i, "algorithm"), names[which]) == 0 &&
                total != total_named(trial, question, names[which]))
                complain(test, trial, question, EXPLAIN, "%s takes %.17g, not %.17g", names[which],
                         total, total_named(trial, question, names[which]));
        }
}

static void check_bound(Test *test, const Trial *trial, size_t index)
{
    const Question *question = &trial->questions[index];
    const Rows *bounds = &trial->bounds;
    size_t kinds = bounds->rows / trial->count;
    double bound = NAN;
    for (size_t i = index * kinds; i < (index + 1) * kinds; i++)
        if (strcmp(rows_text(bounds, i, "binding"), "true") == 0)
            bound = rows_number(bounds, i, "bound_s");
    test->asked[BOUND]++;
    if (trial->known_bound > 0 && fabs(question->bound - trial->known_bound) > 0.05e-6)
        complain(test, trial, question, BOUND, "%.17g in cost", question->bound);
    if (!isnan(question->bound) && bound != question->bound)
        complain(test, trial, question, BOUND, "%.17g, not %.17g", bound, question->bound);
}

static void check_same(Test *test, const Trial *trial, Subject subject, const char *line,
                       const char *output, const char *other)
{
    test->asked[subject]++;
    if (!other || strcmp(output, other) != 0)
        complain(test, trial, NULL, subject, "'%s': %s, then %s", line, output,
                 other ? other : "nothing");
}

void agreement_check(Test *test, const Trial *trial)
{
    for (size_t i = 0; i < trial->count; i++) {
        const Question *question = &trial->questions[i];
        if (!check_cost(test, trial, question))
            continue;
        check_formulas(test, trial, question);
        check_expect(test, trial, question);
        check_pieces(test, trial, question);
        check_ranges(test, trial, question);
        check_ranks(test, trial, question);
        check_explain(test, trial, question);
        check_bound(test, trial, i);
    }
    const Answer *cost = &test->costs.answers.items[trial->cost_line];
    const Answer *best = &test->rest.answers.items[trial->questions[0].best];
    for (size_t i = 0; i < trial->statement_count; i++)
        take(test, trial, &test->rest, trial->first_statement + i);
    const Answer *session =
        agreement_in_session(trial) ? take(test, trial, &test->rest, trial->session_line) : NULL;
    if (session)
        check_same(test, trial, SESSION, cost->line, cost->output, session->output);
    if (!is_asked_alone(trial))
        return;
    check_same(test, trial, ALONE, cost->line, cost->output,
               script_run_alone(&test->costs, cost->line));
    if (!trial->questions[0].in_session)
        check_same(test, trial, ALONE, best->line, best->output,
                   script_run_alone(&test->rest, best->line));
}
