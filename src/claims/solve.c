#include "claims/judge.h"

#include "lang/informal.h"
#include "model/problem.h"

#include <ctype.h>
#include <math.h>

typedef enum { OF_SPEEDUP, OF_EFFICIENCY, OF_OVERHEAD, OF_COST } Solved;

/* By Solved. */
static const char *const names[] = {"S Sp SP speedup Speedup", "E Ep EP efficiency Efficiency",
                                    "To TO Tov Toverhead overhead", "pTp pTP pT cost C Cp"};
static const char *const words[] = {"the speedup", "the efficiency", "the overhead", "the cost"};

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
    for (int i = 0; i <= OF_COST; i++)
        for (const char *at = names[i]; *at; at += strcspn(at, " ") + (strchr(at, ' ') != NULL))
            if (*plain && strcspn(at, " ") == strlen(plain) &&
                strncmp(at, plain, strlen(plain)) == 0)
                return i;
    return -1;
}

/* The multiply-adds as a power of n; NULL where they are none. */
static Expr *work_of(Arena *arena, const Problem *problem, Text at)
{
    double one, two;
    if (!problem_try_work(problem, 1, &one) || !problem_try_work(problem, 2, &two) || one != 1)
        return NULL;
    return expr_make(arena, EXPR_POWER, at, expr_variable(arena, "n", at),
                     expr_number(arena, (int64_t)log2(two), at));
}

/* Of F = above / below, in which tc is one: W below / above is the time of one rank over F. */
static Expr *solve_product(Arena *arena, Solved what, Expr *formula, Expr *work)
{
    Text text = formula->text;
    Expr *ranks = expr_variable(arena, "p", text), *below = NULL;
    if (what == OF_OVERHEAD)
        formula = expr_make(arena, EXPR_ADD, text, formula, work);
    if (what == OF_OVERHEAD || what == OF_COST)
        return expr_make(arena, EXPR_DIVIDE, text, formula, ranks);
    for (int i = 0; i < 2; i++) /* a multiply-add is the unit of time */
        formula = expr_replace(arena, formula, i ? "tm" : "tc", expr_number(arena, 1, text));
    if (formula->kind == EXPR_DIVIDE)
        below = formula->arguments[1], formula = formula->arguments[0];
    else if (formula->kind == EXPR_POWER && formula->arguments[1]->kind == EXPR_NEGATE)
        below = formula->arguments[0], formula = expr_number(arena, 1, text);
    if (what == OF_EFFICIENCY)
        formula = expr_make(arena, EXPR_MULTIPLY, text, ranks, formula);
    if (below)
        work = expr_make(arena, EXPR_MULTIPLY, text, work, below);
    return expr_make(arena, EXPR_DIVIDE, text, work, formula);
}

/* B = x / t is t = x / B, and S / t = x is t = S / x. False: there is no t. */
static bool solve_bandwidth(Arena *arena, const InformalLetters *letters, Expr *left,
                            Expr **formula)
{
    Text text = (*formula)->text;
    Expr *time = expr_variable(arena, "t", text);
    Expr *rate = expr_make(arena, EXPR_DIVIDE, text, expr_variable(arena, "S", text), time);
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
    InformalLetters own = {.names = letters->names};
    Expr *left =
        equation->name.length && !problem ? informal_formula(arena, equation->name, &own) : NULL;
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
