#include "claims/solve.h"

#include "lang/informal.h"
#include "model/problem.h"

#include <ctype.h>
#include <math.h>

typedef enum { OF_SPEEDUP, OF_EFFICIENCY, OF_OVERHEAD, OF_COST } Solved;

static const struct {
    const char *name;
    Solved what;
} names[] = {
    {"S", OF_SPEEDUP},
    {"Sp", OF_SPEEDUP},
    {"SP", OF_SPEEDUP},
    {"speedup", OF_SPEEDUP},
    {"Speedup", OF_SPEEDUP},
    {"E", OF_EFFICIENCY},
    {"Ep", OF_EFFICIENCY},
    {"EP", OF_EFFICIENCY},
    {"efficiency", OF_EFFICIENCY},
    {"To", OF_OVERHEAD},
    {"TO", OF_OVERHEAD},
    {"Efficiency", OF_EFFICIENCY},
    {"Tov", OF_OVERHEAD},
    {"Toverhead", OF_OVERHEAD},
    {"overhead", OF_OVERHEAD},
    {"pTp", OF_COST},
    {"pTP", OF_COST},
    {"pT", OF_COST},
    {"cost", OF_COST},
    {"C", OF_COST},
    {"Cp", OF_COST},
};
static const char *const words[] = {"the speedup", "the efficiency", "the overhead", "the cost"};

static Expr *make(Arena *arena, ExprKind kind, Text text, Expr *a, Expr *b)
{
    Expr *node = ARENA_NEW(arena, Expr);
    *node = (Expr){.kind = kind, .text = text, .arguments = {a, b}};
    node->argument_count = (a != NULL) + (b != NULL);
    return node;
}

static Expr *make_variable(Arena *arena, const char *name, Text at)
{
    Text text = {name, strlen(name), at.span, false};
    return make(arena, EXPR_VARIABLE, text, NULL, NULL);
}

static Expr *make_number(Arena *arena, int64_t value, Text at)
{
    Expr *number = make(arena, EXPR_NUMBER, at, NULL, NULL);
    number->type = TYPE_INT;
    number->integer = value;
    number->real = (double)value;
    return number;
}

/* "T_{\\text{o}}(W, p)" is To. */
static int find_name(Arena *arena, Text name)
{
    const char *plain = "";
    for (size_t i = 0; i < name.length && name.chars[i] != '('; i++) {
        if (name.chars[i] == '\\')
            while (i + 1 < name.length && isalpha((unsigned char)name.chars[i + 1]))
                i++;
        else if (isalpha((unsigned char)name.chars[i]))
            plain = arena_printf(arena, "%s%c", plain, name.chars[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(plain, names[i].name) == 0)
            return names[i].what;
    return -1;
}

/* The multiply-adds as a power of n; NULL where they are none. */
static Expr *work_of(Arena *arena, const Problem *problem, Text at)
{
    double one, two;
    Diag silent = diag_silent();
    if (!problem_work(problem, 1, &one, &silent) || !problem_work(problem, 2, &two, &silent) ||
        one != 1)
        return NULL;
    return make(arena, EXPR_POWER, at, make_variable(arena, "n", at),
                make_number(arena, (int64_t)log2(two), at));
}

/* Of F = above / below, in which tc is one: W below / above is the time of one rank over F. */
static Expr *solve_product(Arena *arena, Solved what, Expr *formula, Expr *work)
{
    Text text = formula->text;
    Expr *ranks = make_variable(arena, "p", text), *below = NULL;
    if (what == OF_OVERHEAD)
        formula = make(arena, EXPR_ADD, text, formula, work);
    if (what == OF_OVERHEAD || what == OF_COST)
        return make(arena, EXPR_DIVIDE, text, formula, ranks);
    formula = expr_replace(arena, formula, "tc", make_number(arena, 1, text));
    if (formula->kind == EXPR_DIVIDE)
        below = formula->arguments[1], formula = formula->arguments[0];
    else if (formula->kind == EXPR_POWER && formula->arguments[1]->kind == EXPR_NEGATE)
        below = formula->arguments[0], formula = make_number(arena, 1, text);
    if (what == OF_EFFICIENCY)
        formula = make(arena, EXPR_MULTIPLY, text, ranks, formula);
    if (below)
        work = make(arena, EXPR_MULTIPLY, text, work, below);
    return make(arena, EXPR_DIVIDE, text, work, formula);
}

/* B = x / t is t = x / B, and S / t = x is t = S / x. False: there is no t. */
static bool solve_bandwidth(Arena *arena, const InformalLetters *letters, Expr *left,
                            Expr **formula)
{
    Text text = (*formula)->text;
    Expr *time = make_variable(arena, "t", text);
    Expr *rate = make(arena, EXPR_DIVIDE, text, make_variable(arena, "S", text), time);
    left = expr_replace(arena, left, "algbw", rate);
    Expr *right = expr_replace(arena, *formula, "algbw", rate);
    bool is_rate = left->kind == EXPR_VARIABLE && informal_is_letter(letters, left->text);
    if (is_rate && expr_names(right, "t"))
        *formula = expr_replace(arena, right, "t", left);
    else if (left->kind == EXPR_DIVIDE && expr_names(left->arguments[1], "t"))
        *formula = expr_replace(arena, left, "t", right);
    else
        return false;
    return true;
}

const char *solve_for_time(Arena *arena, const Algorithm *algorithm, InformalLetters *letters,
                           Equation *equation)
{
    const Problem *problem = algorithm->collective->problem;
    const char *solved = NULL;
    Diag silent = diag_silent();
    Expr *left = equation->name.length && !problem
                     ? informal_parse(arena, equation->name, letters, &silent)
                     : NULL;
    int what = problem ? find_name(arena, equation->name) : -1;
    for (size_t i = 0; i < equation->parts.count; i++) {
        EquationPart *part = &equation->parts.items[i];
        Expr *work = what >= 0 ? work_of(arena, problem, part->formula->text) : NULL;
        if (work)
            part->formula = solve_product(arena, (Solved)what, part->formula, work);
        if (work)
            solved = words[what];
        else if (left && solve_bandwidth(arena, letters, left, &part->formula))
            solved = "the bandwidth";
        bool turns = solved && what != OF_OVERHEAD && what != OF_COST;
        if (turns && part->relation >= RELATION_AT_MOST)
            part->relation =
                part->relation == RELATION_AT_MOST ? RELATION_AT_LEAST : RELATION_AT_MOST;
    }
    return solved;
}
