#include "cli/judge_record.h"

#include "cli/files.h"
#include "format/charts.h"
#include "format/text_table.h"
#include "lang/show.h"

#include <string.h>

ARRAY_TYPE(TitledLines, TitledLine);

static Meaning meaning_in(const JudgeCase *asked, const JudgedReading *judged, int symbol)
{
    return asked->symbols.items[symbol].meanings[judged->reading.choices[symbol]];
}

/* The verdict on the chosen reading but for one symbol, which means the other thing; NULL: that is
   no time. */
static const JudgedReading *find_other(const JudgeCase *asked, int symbol, int choice)
{
    const Judgement *judgement = &asked->judgement;
    for (size_t i = 0; i < judgement->readings.count; i++) {
        const JudgedReading *judged = &judgement->readings.items[i];
        const int *own = judged->reading.choices, *chosen = judgement->chosen->reading.choices;
        bool differs_in_it_alone = own[symbol] == choice;
        for (int s = 0; s < asked->symbols.count; s++)
            differs_in_it_alone &= (own[s] == chosen[s]) == (s != symbol);
        if (differs_in_it_alone)
            return judged;
    }
    return NULL;
}

/* What became of the formula where a symbol means the other thing. */
typedef enum { OTHER_REFUTED, OTHER_HOLDS, OTHER_SILENT, OTHER_NO_TIME, OTHER_TAKEN } Other;

/* "; as buffer or block it is wrong" */
static const char *list_others(const JudgeCase *asked, int symbol, Other wanted, const char *words)
{
    Arena *arena = asked->query->study.arena;
    const Symbol *letter = &asked->symbols.items[symbol];
    const JudgedReading *chosen = asked->judgement.chosen;
    const char *text = "";
    for (int choice = 0; choice < letter->count; choice++) {
        if (choice == chosen->reading.choices[symbol])
            continue;
        const JudgedReading *other = find_other(asked, symbol, choice);
        bool is_taken = false; /* by another letter */
        for (int i = 0; i < asked->symbols.count; i++)
            is_taken |= i != symbol && meaning_in(asked, chosen, i) == letter->meanings[choice];
        const Other found =
            !other ? is_taken ? OTHER_TAKEN : OTHER_NO_TIME
            : verdict_outcome(&other->verdict) == OUTCOME_WRONG || !other->verdict.holds
                ? OTHER_REFUTED
            : other->verdict.cases == 0 ? OTHER_SILENT
                                        : OTHER_HOLDS;
        if (found == wanted)
            text = arena_printf(arena, "%s%s%s", text, *text ? " or " : "; as ",
                                meaning_info[letter->meanings[choice]].word);
    }
    return *text ? arena_printf(arena, "%s %s", text, words) : "";
}

/* Must it be said what the letter was taken for? */
static bool is_worth_saying(const JudgeCase *asked, int symbol)
{
    const Symbol *letter = &asked->symbols.items[symbol];
    const MeaningInfo *info = &meaning_info[meaning_in(asked, asked->judgement.chosen, symbol)];
    bool is_open = false;
    for (int choice = 0; choice < letter->count; choice++)
        is_open |= choice != asked->judgement.chosen->reading.choices[symbol] &&
                   find_other(asked, symbol, choice);
    return is_open || info->inverse || !text_equals(letter->name, info->name);
}

static const char *describe_choice(const JudgeCase *asked, const JudgedReading *judged, int symbol)
{
    const Text *name = &asked->symbols.items[symbol].name;
    return arena_printf(asked->query->study.arena, "%.*s=%s", TEXT_ARGS(*name),
                        meaning_info[meaning_in(asked, judged, symbol)].word);
}

/* "m=buffer": where another reading differs from the chosen one. */
static StringArray list_differences(const JudgeCase *asked, const JudgedReading *other)
{
    StringArray list = {0};
    for (int i = 0; i < asked->symbols.count; i++)
        if (other->reading.choices[i] != asked->judgement.chosen->reading.choices[i])
            *ARRAY_PUSH(asked->query->study.arena, &list) = describe_choice(asked, other, i);
    return list;
}

/* "ring, p up to 64; 1 to 3 ports; ..." */
static const char *describe_grid(const JudgeCase *asked)
{
    Arena *arena = asked->query->study.arena;
    const VerdictGrid *grid = &asked->grid;
    const JudgedReading *chosen = asked->judgement.chosen;
    const ShapeArray *shapes = &asked->shapes;
    const long long least = shapes->count ? shapes->items[0].p : 1;
    const long long most = shapes->count           ? shapes->items[shapes->count - 1].p
                           : chosen->verdict.holds ? chosen->verdict.largest_p
                                                   : grid->largest_p;
    const char *text =
        arena_printf(arena, "%s, p %s", grid->on->head.name,
                     !shapes->count  ? arena_printf(arena, "up to %lld", most)
                     : least == most ? arena_printf(arena, "= %lld", most)
                                     : arena_printf(arena, "from %lld to %lld", least, most));
    if (grid->most_ports > grid->ports)
        text = arena_printf(arena, "%s; %lld to %lld ports", text, (long long)grid->ports,
                            (long long)grid->most_ports);
    else if (grid->ports)
        text = arena_printf(arena, "%s; %lld port%s", text, (long long)grid->ports,
                            PLURAL_END(grid->ports));
    else
        text = arena_printf(arena, "%s; 1 to 3 ports%s", text,
                            grid->on->direct ? "" : " and one for each link");
    if (!grid->on->direct)
        text = arena_printf(arena, "%s; %s", text,
                            grid->switching >= 0 ? switching_names[grid->switching]
                            : chosen->verdict.switching < 0
                                ? "cut-through and store-and-forward"
                                : switching_names[chosen->verdict.switching]);
    if (asked->algorithm->collective->rooted && grid->root < 0)
        text = arena_printf(arena, "%s; roots 0, 1, p/2, p - 1", text);
    else if (asked->algorithm->collective->rooted)
        text = arena_printf(arena, "%s; root %lld", text, (long long)grid->root);
    if (asked->algorithm->collective->targeted && grid->farthest)
        text = arena_printf(arena, "%s; the farthest rank", text);
    if (grid->overlap || grid->asynchronous)
        text = arena_printf(arena, "%s; %s", text,
                            grid->overlap ? "combining overlaps receiving, no barriers"
                                          : "no barriers");
    return asked->algorithm->free_chunks ? arena_printf(arena, "%s; k = 1, 2, 3, 5, 8", text)
                                         : text;
}

/* "m=buffer (1015 comparisons)" */
static const char *describe_holding(const JudgeCase *asked, const char *condition,
                                    const JudgedReading *of, int64_t cases)
{
    const char *reading = "";
    StringArray list = list_differences(asked, of);
    for (size_t i = 0; i < list.count; i++)
        reading = arena_printf(asked->query->study.arena, "%s%s%s", reading, i ? ", " : "",
                               list.items[i]);
    return arena_printf(asked->query->study.arena, "%s%s%s (compared %lld times)", condition,
                        *condition && *reading ? ", read with "
                        : *reading             ? "read with "
                                               : "",
                        reading, (long long)cases);
}

/* The answer for programs and for people. */
typedef struct {
    Arena *arena;
    Table *table;
    TitledLines lines;
} Record;

/* A line for people; none where there is no text. */
static void add_line(Record *record, const char *title, const char *text)
{
    if (text)
        *ARRAY_PUSH(record->arena, &record->lines) = (TitledLine){title, text};
}

/* Under the key for programs, with the title for people. */
static void add_text(Record *record, Key key, const char *title, const char *text)
{
    put_text(record->table, key, text);
    add_line(record, title, text);
}

/* The terms with this verdict, also in words if there are others. */
static void add_terms(const JudgeCase *asked, Record *record, TermVerdict wanted, Key key,
                      const char *title)
{
    StringArray names = {0};
    bool others = false;
    const char *text = NULL;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        TermVerdict found = asked->judgement.terms[i];
        others |= found != TERM_ABSENT && found != wanted;
        if (found != wanted)
            continue;
        *ARRAY_PUSH(record->arena, &names) = parameter_info[i].name;
        text = arena_printf(record->arena, "%s%s%s", text ? text : "",
                            text ? ", " : "the terms of ", parameter_info[i].name);
    }
    put_list(record->table, key, names.items, names.count);
    add_line(record, title, others ? text : NULL);
}

/* What the formula neglects: terms, and a way of switching. */
static void add_missing(const JudgeCase *asked, Record *record)
{
    const JudgedReading *chosen = asked->judgement.chosen;
    StringArray terms = {0}, names = {0};
    const char *zero = NULL;
    for (int i = 0; i <= PARAMETER_COUNT; i++) {
        const char *term = asked->judgement.example.missing[i];
        if (i < PARAMETER_COUNT && chosen->verdict.lacks[i])
            *ARRAY_PUSH(record->arena, &names) = parameter_info[i].name;
        if (!term)
            continue;
        *ARRAY_PUSH(record->arena, &terms) = term;
        zero = arena_printf(record->arena, "%s%s%s", zero ? zero : "", zero ? " + " : "", term);
    }
    if (chosen->verdict.switching >= 0)
        *ARRAY_PUSH(record->arena, &names) = switching_names[!chosen->verdict.switching];
    put_list(record->table, KEY_left_out, terms.items, terms.count);
    put_list(record->table, KEY_neglects, names.items, names.count);
    add_line(
        record, "left out",
        zero ? arena_printf(record->arena, "%s, %s", zero,
                            chosen->claim.is_lower ? "which is zero at least" : "taken to be zero")
             : NULL);
    if (chosen->verdict.switching >= 0)
        add_line(record, "neglected",
                 arena_printf(record->arena, "%s, in which it is wrong",
                              switching_names[!chosen->verdict.switching]));
}

static void add_formula(const JudgeCase *asked, Record *record)
{
    const JudgedReading *chosen = asked->judgement.chosen;
    const Expr *when = chosen->reading.when;
    Arena *arena = record->arena;
    StringArray readings = {0};
    for (int i = 0; i < asked->symbols.count; i++)
        if (is_worth_saying(asked, i))
            *ARRAY_PUSH(arena, &readings) = describe_choice(asked, chosen, i);
    put_text(record->table, KEY_formula, asked->typed.chars);
    add_text(record, KEY_read_as, "formula",
             expr_show(arena, program_expr(chosen->claim.formula.program)));
    put_list(record->table, KEY_readings, readings.items, readings.count);
    if (chosen->claim.kind != CLAIM_TIME && *claim_info[chosen->claim.kind].words)
        add_line(record, "as", claim_info[chosen->claim.kind].words);
    for (int i = 0; i < asked->symbols.count; i++) {
        const Meaning meaning = meaning_in(asked, chosen, i);
        const MeaningInfo *info = &meaning_info[meaning];
        const Text letter = asked->symbols.items[i].name;
        const Text *buffer = &asked->algorithm->collective->buffer.text;
        if (!is_worth_saying(asked, i))
            continue;
        /* ", 1/tw" behind "a bandwidth"; the buffer also says how large it is */
        const char *name =
            meaning >= MEANING_EXACT ? ""
            : meaning == MEANING_BUFFER
                ? arena_printf(arena, ", %s = %.*s%sm", info->name, TEXT_ARGS(*buffer),
                               buffer->length ? " " : "")
                : arena_printf(arena, ", %s%s", info->inverse ? "1/" : "", info->name);
        add_line(record, text_string(arena, letter),
                 arena_printf(arena, "%s%s%s%s%s%s", info->what, name,
                              list_others(asked, i, OTHER_HOLDS, "it holds too"),
                              list_others(asked, i, OTHER_REFUTED, "it is wrong"),
                              list_others(asked, i, OTHER_SILENT, "it does not apply"),
                              list_others(asked, i, OTHER_NO_TIME, "it is not a time")));
    }
    const Text growth = asked->equation.growth, remark = asked->equation.remark;
    if (growth.length)
        add_line(record, "growth",
                 arena_printf(arena, "'%.*s' is left out: the formula before it is judged",
                              TEXT_ARGS(growth)));
    if (remark.length && !asked->equation.condition)
        add_line(record, "remark",
                 arena_printf(arena, "'%.*s' is no formula that is judged", TEXT_ARGS(remark)));
    if (asked->solved)
        add_line(record, "solved",
                 arena_printf(arena, "for the time: the formula is of %s", asked->solved));
    put_text(record->table, KEY_claimed_for, when ? expr_show(arena, when) : NULL);
    add_line(record, "where",
             when ? arena_printf(
                        arena, "%s%s", expr_show(arena, when),
                        asked->equation.condition ? "" : ", so that its logarithms are integers")
                  : NULL);
}

static void add_verdict(const JudgeCase *asked, Record *record)
{
    const JudgedReading *chosen = asked->judgement.chosen;
    const Verdict *verdict = &chosen->verdict;
    const DerivedExample *example = &asked->judgement.example;
    put_text(record->table, KEY_topology, asked->grid.on->head.name);
    put_text(record->table, KEY_claim_verdict, outcome_info[asked->judgement.outcome].word);
    PUT(record->table, verdict, cases, counterexample);
    add_line(record, "compared",
             arena_printf(record->arena, "%lld times%s: %s", (long long)verdict->cases,
                          verdict->holds         ? ""
                          : verdict->fails_alone ? " with p > 1"
                                                 : " until it failed",
                          describe_grid(asked)));
    add_text(record, KEY_theorem, "theorem", asked->theorem);
    if (!example->place) /* it is about one round */
        add_line(record, "fails at", verdict->counterexample);
    add_text(record, KEY_place,
             verdict->error > 0 ? "farthest off"
             : verdict->holds   ? "for example"
                                : "fails at",
             example->place);
    add_text(record, KEY_claimed, "claimed", verdict->claimed);
    add_text(record, KEY_derived, "derived", example->derived);
    add_text(record, KEY_values, "in numbers", verdict->values);
    add_missing(asked, record);
    if (asked->judgement.is_measured && verdict->error > 0)
        add_line(
            record, "error",
            arena_printf(record->arena, "%.3g %% at most, %.3g %% for large m%s",
                         100 * verdict->error, 100 * verdict->large_error,
                         verdict->few_error < 0 || verdict->many_error < 0
                             ? ""
                             : arena_printf(record->arena,
                                            ", %.3g %% for 8 to 16 ranks, %.3g %% for more "
                                            "than 32",
                                            100 * verdict->few_error, 100 * verdict->many_error)));
    if (asked->judgement.is_measured && verdict->far_errors[1] >= 0)
        add_line(record, "far out",
                 arena_printf(record->arena, "%.3g %% for 4096 ranks, %.3g %% for 2^18",
                              100 * verdict->far_errors[0], 100 * verdict->far_errors[1]));
    if (asked->judgement.is_measured)
        put_number(record->table, KEY_approximation_error, verdict->error);
}

/* Nothing where `other` is NULL. */
static void put_differences(const JudgeCase *asked, Table *table, Key key,
                            const JudgedReading *other)
{
    if (!other)
        return;
    StringArray list = list_differences(asked, other);
    put_list(table, key, list.items, list.count);
}

/* What is true of a wrong formula nevertheless. */
static void add_rescue(const JudgeCase *asked, Record *record)
{
    const Judgement *judgement = &asked->judgement;
    const JudgedReading *chosen = judgement->chosen, *otherwise = judgement->otherwise;
    const HoldingCondition *condition = &judgement->condition;
    bool is_bound =
        outcome_info[verdict_outcome(&chosen->at_most)].stands && chosen->at_most.switching < 0;
    add_terms(asked, record, TERM_HOLDS, KEY_right_terms, "right");
    add_terms(asked, record, TERM_REFUTED, KEY_wrong_terms, "wrong");
    put_text(record->table, KEY_condition, condition->text);
    put_differences(asked, record->table, KEY_condition_readings, condition->of);
    put_differences(asked, record->table, KEY_otherwise, otherwise);
    put_bool(record->table, KEY_upper_bound, is_bound);
    /* Under what a wrong formula holds, if anything was found. */
    const char *reading = NULL, *when = NULL;
    if (otherwise) {
        const char *neglects =
            strstr(verdict_words(record->arena, &otherwise->verdict), "neglecting");
        reading =
            describe_holding(asked, neglects ? neglects : "", otherwise, otherwise->verdict.cases);
    }
    if (condition->text)
        when = describe_holding(asked, condition->text, condition->of, condition->cases);
    add_line(record, "holds if",
             reading && when ? arena_printf(record->arena, "%s; or %s", reading, when)
             : reading       ? reading
                             : when);
    add_line(record, "holds as", judgement->part);
    add_line(record, "bound",
             is_bound && !asked->bound && !chosen->verdict.holds
                 ? "it is never below the derived cost"
                 : NULL);
}

/* "for p = 3, 5, 6, 7 and 55 more of 64", or "from p = 3 on, up to 64" */
static const char *describe_differing(Arena *arena, const JudgedSides *sides)
{
    size_t first = sides->count, count = 0, shown = 0;
    const char *text = "for p =";
    for (size_t i = 0; i < sides->count; i++) {
        count += sides->items[i].differ;
        first = sides->items[i].differ && i < first ? i : first;
    }
    if (count == 0)
        return "nowhere";
    if (first + count == sides->count)
        return arena_printf(arena, "from p = %lld on, up to %lld", (long long)sides->items[first].p,
                            (long long)sides->items[sides->count - 1].p);
    for (size_t i = first; i < sides->count && shown < MOST_SHOWN; i++)
        if (sides->items[i].differ)
            text = arena_printf(arena, "%s%s %lld", text, shown++ ? "," : "",
                                (long long)sides->items[i].p);
    return arena_printf(arena, count > shown ? "%s and %zu more of %zu" : "%s", text, count - shown,
                        sides->count);
}

/* For people where they differ: the first ones, powers of two and the last. */
static void write_sides(const JudgeCase *asked)
{
    const Query *query = asked->query;
    const JudgedSides *sides = &asked->judgement.sides;
    Table *table = query_table(query, TABLE_judge_sides);
    size_t differing = 0;
    for (size_t i = 0; i < sides->count; i++) {
        const JudgedSide *side = &sides->items[i];
        differing += side->differ;
        if (query->format == FORMAT_TEXT &&
            (!side->differ ||
             (differing > MOST_SHOWN && (side->p & (side->p - 1)) && i + 1 < sides->count)))
            continue;
        PUT(table, side, p, claimed, derived, claimed_value, derived_value, differ);
        table_row(table);
    }
    table_close(table);
}

void judge_growth_write(const JudgeCase *asked, const char *verdict, const char *claimed,
                        const char *derived, const char *closed_form)
{
    static const Key lists[] = {KEY_readings,    KEY_left_out,    KEY_neglects,
                                KEY_right_terms, KEY_wrong_terms, KEY_chain};
    const Query *query = asked->query;
    FILE *out = query->line->out;
    const char *name = algorithm_full_name(query->study.arena, asked->algorithm);
    if (query->format == FORMAT_TEXT) {
        const TitledLine lines[] = {
            {"claimed", arena_printf(query->study.arena, "the work must grow as %s", claimed)},
            {"derived", arena_printf(query->study.arena, "%s, for large p", derived)},
            {"from", closed_form}};
        fprintf(out, "%s on %s: %s\n\n", name, asked->grid.on->head.name, verdict);
        titled_write(out, lines, COUNT_OF(lines), query->line->width);
        return;
    }
    Table *table = query_table(query, TABLE_judge);
    put_text(table, KEY_algorithm, name);
    put_text(table, KEY_formula, query->line->operands.items[0].chars);
    put_text(table, KEY_read_as, claimed);
    put_text(table, KEY_topology, asked->grid.on->head.name);
    put_text(table, KEY_claim_verdict, verdict);
    put_text(table, KEY_claimed, claimed);
    put_text(table, KEY_derived, derived);
    put_number(table, KEY_cases, 1);
    put_bool(table, KEY_upper_bound, false);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        put_list(table, lists[i], NULL, 0);
    table_close(table);
}

Status judge_picture(const JudgeCase *asked)
{
    const Query *query = asked->query;
    Arena *arena = query->study.arena;
    const JudgedSides *sides = &asked->judgement.sides;
    double *values[3]; /* of p, claimed and derived */
    for (int i = 0; i < 3; i++)
        values[i] = ARENA_ARRAY(arena, double, sides->count + 1);
    for (size_t i = 0; i < sides->count; i++) {
        values[0][i] = (double)sides->items[i].p;
        values[1][i] = sides->items[i].claimed_value;
        values[2][i] = sides->items[i].derived_value;
    }
    const char *claimed =
        expr_show(arena, program_expr(asked->judgement.chosen->claim.formula.program));
    const CostCurve curves[] = {{"claimed", values[1], 0}, {"derived", values[2], 1}};
    const CostCurves data = {
        .heading = {arena_printf(arena, "%s: %s", claimed,
                                 judgement_words(arena, &asked->judgement)),
                    {describe_grid(asked), sides->count ? sides->items[0].at : NULL}},
        .size_title = "number of ranks p",
        .size_count = sides->count,
        .sizes = values[0],
        .curve_count = 2,
        .curves = curves,
        .heights = {.show = axis_show_number},
        .show_size = axis_show_number};
    Drawing *drawing = sides->count > 1 ? cost_curves_draw(arena, &data) : NULL;
    if (drawing)
        return picture_write(query->line, drawing);
    return BAD_INPUT(query->study.diag, NOWHERE,
                     "there is nothing to draw over the number of ranks");
}

void judge_record_write(const JudgeCase *asked)
{
    const Query *query = asked->query;
    FILE *out = query->line->out;
    const JudgedSides *sides = &asked->judgement.sides;
    if (sides->count && query->format != FORMAT_TEXT) {
        write_sides(asked);
        return;
    }
    Table *table = query_table(query, TABLE_judge);
    Record record = {.arena = query->study.arena, .table = table};
    const char *name =
        asked->grid.bounds
            ? arena_printf(query->study.arena, "bound/%s", asked->algorithm->collective->head.name)
            : algorithm_full_name(query->study.arena, asked->algorithm);
    put_text(table, KEY_algorithm, name);
    add_text(&record, KEY_said_bound, "bound", asked->bound);
    StringArray chain = {0}; /* of several formulas, each with its verdict */
    for (size_t i = 0; i < asked->links.count && asked->links.count > 1; i++) {
        const Judgement *link = &asked->links.items[i].judgement;
        const Program *read = link->chosen->claim.formula.program;
        const char *text =
            arena_printf(record.arena, "%s: %s", expr_show(record.arena, program_expr(read)),
                         judgement_words(record.arena, link));
        *ARRAY_PUSH(record.arena, &chain) = text;
        add_line(&record, arena_printf(record.arena, "link %zu", i + 1), text);
    }
    put_list(table, KEY_chain, chain.items, chain.count);
    add_formula(asked, &record);
    /* Runs of letters that were taken for one thing and may be another. */
    const InformalRuns *runs = &asked->letters.doubtful;
    for (size_t i = 0; i < runs->count; i++) {
        const InformalRun *run = &runs->items[i];
        add_line(&record, text_string(record.arena, run->typed),
                 arena_printf(record.arena, "taken as %s; it could be %s", run->taken, run->other));
    }
    add_verdict(asked, &record);
    add_rescue(asked, &record);
    add_line(&record, "differ",
             sides->count ? describe_differing(query->study.arena, sides) : NULL);
    add_line(&record, "in symbols", asked->judgement.own);
    if (query->format != FORMAT_TEXT) {
        table_close(table);
        return;
    }
    fprintf(out, "%s on %s: %s\n\n", name, asked->grid.on->head.name,
            judgement_words(query->study.arena, &asked->judgement));
    titled_write(out, record.lines.items, record.lines.count, query->line->width);
    if (!asked->judgement.differs)
        return;
    fprintf(out, "\nboth sides over p, all else as above, in numbers for %s\n\n",
            sides->items[0].at);
    write_sides(asked);
}
