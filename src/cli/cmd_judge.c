#include "base/limits.h"
#include "cli/judge_record.h"
#include "lang/informal.h"

#include <stdlib.h>

enum { LARGEST_P = 64 };

/* "ranks, block, ... and floor" */
static const char *list_words(Arena *arena)
{
    const char *text = "";
    for (int i = 0; i < MEANING_COUNT; i++)
        text = arena_printf(arena, "%s%s%s", text,
                            i == 0                   ? ""
                            : i == MEANING_COUNT - 1 ? " and "
                                                     : ", ",
                            meaning_info[i].word);
    return text;
}

/* "beta=bandwidth" */
static bool read_meaning(const Query *query, Text text, FixedMeaningArray *fixed)
{
    Text name, word;
    FixedMeaning one;
    if (!text_split(text, '=', &name, &word)) {
        diag_error(query->study.diag, text.span, "a reading is written NAME=READING");
        return false;
    }
    int meaning = meaning_find(word);
    if (meaning < 0) {
        diag_error(query->study.diag, word.span, "'%.*s' is not a reading", (int)word.length,
                   word.chars);
        diag_note(query->study.diag, NOWHERE, "readings are %s", list_words(query->study.arena));
        return false;
    }
    one.meaning = (Meaning)meaning;
    if (!informal_parse_name(query->study.arena, name, &one.name, query->study.diag))
        return false;
    *ARRAY_PUSH(query->study.arena, fixed) = one;
    return true;
}

static bool read_meanings(const Query *query, FixedMeaningArray *fixed)
{
    const TextArray *readings = &query->line->values[OPTION_READ];
    for (size_t i = 0; i < readings->count; i++)
        if (!read_meaning(query, readings->items[i], fixed))
            return false;
    return true;
}

/* NULL after a report. */
static Expr *read_formula_typed(JudgeCase *asked)
{
    const Query *query = asked->query;
    FixedMeaningArray fixed = {0};
    if (!read_meanings(query, &fixed))
        return NULL;
    Expr *formula = informal_parse(query->study.arena, asked->typed, query->study.diag);
    if (!formula || !readings_check_length(formula, query->study.diag))
        return NULL;
    if (symbols_find(query->study.arena, formula, &fixed, asked->algorithm, &asked->symbols,
                     query->study.diag))
        return formula;
    if (!asked->symbols.is_growth)
        diag_note(query->study.diag, NOWHERE,
                  "--read NAME=READING gives the meaning of a symbol: %s",
                  list_words(query->study.arena));
    return NULL;
}

static int compare_ranks(const void *a, const void *b)
{
    const Shape *left = a, *right = b;
    return (left->p > right->p) - (left->p < right->p);
}

/* The ranks given; without any, all up to 64. */
static bool read_shapes(JudgeCase *asked)
{
    const Query *query = asked->query;
    for (size_t i = 0; i < query->ranks.count; i++) {
        if (query->ranks.items[i] > LIMIT_JUDGED_RANKS) {
            diag_error(query->study.diag, NOWHERE, "formulas are judged for at most %d ranks",
                       LIMIT_JUDGED_RANKS);
            return false;
        }
        *ARRAY_PUSH(query->study.arena, &asked->shapes) = query_shape(query, i);
    }
    if (asked->shapes.count)
        qsort(asked->shapes.items, asked->shapes.count, sizeof(Shape), compare_ranks);
    asked->grid.shapes = asked->shapes.items;
    asked->grid.shape_count = asked->shapes.count;
    return true;
}

static bool read_ports(JudgeCase *asked)
{
    const Query *query = asked->query;
    if (!option_given(query->line, OPTION_PORTS))
        return true;
    asked->grid.ports = query->study.rules.ports;
    if (query->study.rules.all_ports || query->study.rules.level_ports)
        diag_error(query->study.diag, option_value(query->line, OPTION_PORTS).span,
                   "--ports needs a number here; without the option, several are tried");
    return !query->study.rules.all_ports && !query->study.rules.level_ports;
}

static bool read_switching(JudgeCase *asked)
{
    const Query *query = asked->query;
    if (!option_given(query->line, OPTION_SWITCHING))
        return true;
    asked->grid.switching = (int)query->study.rules.switching;
    if (query->study.rules.switching == SWITCHING_STARTUPS)
        diag_error(query->study.diag, option_value(query->line, OPTION_SWITCHING).span,
                   "formulas are judged for cut-through and store-and-forward only");
    return query->study.rules.switching != SWITCHING_STARTUPS;
}

/* What is not given is left open, and the formula claimed for all of it. */
static bool read_grid(JudgeCase *asked)
{
    const Query *query = asked->query;
    bool rooted = option_given(query->line, OPTION_ROOT) || option_given(query->line, OPTION_FROM);
    asked->grid = verdict_grid_up_to(LARGEST_P);
    asked->grid.on = query->topology;
    asked->grid.root = rooted ? query->study.root : -1;
    asked->grid.target = query->study.target;
    asked->grid.asynchronous = query->study.rules.asynchronous;
    asked->grid.overlap = query->study.rules.combining == COMBINING_OVERLAP;
    return read_ports(asked) && read_switching(asked) && read_shapes(asked);
}

static Status run(const CommandLine *line)
{
    Query query;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    JudgeCase asked = {.query = &query, .typed = line->operands.items[0]};
    asked.algorithm = query_algorithm(&query, line->operands.items[1]);
    bool fits = asked.algorithm &&
                query_is_collective(&query, line->operands.items[1], asked.algorithm->collective);
    Expr *formula = fits ? read_formula_typed(&asked) : NULL;
    if (!formula || !read_grid(&asked) ||
        !judge_formula(line->arena, query.study.library, asked.algorithm, formula, &asked.symbols,
                       &asked.grid, &asked.judgement, line->diag))
        return STATUS_BAD_INPUT;
    judge_record_write(&asked);
    return asked.judgement.chosen->verdict.holds ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_judge = {
    .name = "judge",
    .operands = "FORMULA COLLECTIVE/ALGORITHM",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "check a formula for the cost of an algorithm",
    .description =
        "Compares a closed form with the cost derived from the schedule, exactly, over a grid, and "
        "shows\nthe smallest counterexample. FORMULA is written as in a paper, plainly or in "
        "LaTeX:\n'(p-1) alpha + (p-1)/p n beta'. It must hold for all that it leaves open (ports, "
        "switching, root,\nnumber of ranks up to 64); options narrow that. Symbols with several "
        "meanings are tried with\neach. The exit status is 1 if it is refuted.",
    .examples = "collcost judge '(p-1) alpha + (p-1)/p n beta' allgather/ring -t ring\n"
                "collcost judge '\\lceil \\log_2 p \\rceil (t_s + m t_w)' broadcast/binomial",
    .options = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(PORTS) |
               OPTION_BIT(SWITCHING) | OPTION_BIT(ROOT) | OPTION_BIT(FROM) | OPTION_BIT(TO) |
               OPTION_BIT(OVERLAP) | OPTION_BIT(ASYNCHRONOUS) | OPTION_BIT(READ) |
               OPTION_BIT(MODELS) | OPTION_BIT(OUTPUT),
    .spoken = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(PORTS) | OPTION_BIT(SWITCHING) |
              OPTION_BIT(ROOT) | OPTION_BIT(OVERLAP) | OPTION_BIT(ASYNCHRONOUS),
    .run = run,
};
