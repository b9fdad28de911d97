#include "forms/family.h"

#include "lang/check.h"

#include <string.h>

static const char *const variable_words[FORM_VARIABLES] = {
#define VARIABLE(id, word) word,
#include "forms/family.def"
};

typedef struct {
    int weight;
    const char *text;
} Product;

static const Product products[] = {
#define PRODUCT(weight, text) {weight, text},
#include "forms/family.def"
};

typedef struct {
    int weight;
    const char *text;
    int constant; /* taken off */
} Side;

static const Side sides_of_grids[] = {
#define SIDE(weight, text, constant) {weight, text, constant},
#include "forms/family.def"
};

static const char side_words[] = "XYZ";

enum { BIT_X = 1, BIT_Y = 2, BIT_Z = 4 };

typedef struct {
    int weight;
    const char *times;
    unsigned others[FORM_MOST_SIDES]; /* times which the function of each side counts */
} Lattice;

static const Lattice lattices[] = {
#define LATTICE(weight, times, x, y, z) {weight, times, {x, y, z}},
#include "forms/family.def"
};

typedef struct {
    int weight;
    const char *times, *over;
} Unit;

static const Unit units[] = {
#define UNIT(weight, times, over) {weight, times, over},
#include "forms/family.def"
};

typedef struct {
    int weight;
    const char *first, *second;
    bool is_part;
} Split;

static const Split splits[] = {
#define SPLIT(weight, first, second) {weight, first, second, false},
#define PART(first, second) {0, first, second, true},
#include "forms/family.def"
};

enum {
    PRODUCT_COUNT = COUNT_OF(products),
    SIDE_COUNT = COUNT_OF(sides_of_grids),
    LATTICE_COUNT = COUNT_OF(lattices),
    UNIT_COUNT = COUNT_OF(units),
    SPLIT_COUNT = COUNT_OF(splits)
};

FormTerm family_read(Arena *arena, const char *text, int weight)
{
    Scope scope = {0};
    Diag silent = diag_silent();
    for (int i = 0; i < FORM_VARIABLES; i++)
        scope_add(arena, &scope, (Variable){variable_words[i], TYPE_INT, DIMENSION_NONE, false});
    Expr *expr = parse_expression(arena, source_argument(arena, "form", text), &silent);
    expr = expr ? check_any(arena, expr, &scope, &silent) : NULL;
    FormTerm term = {text, expr, weight, 0};
    for (int i = 0; i < FORM_VARIABLES && expr; i++)
        term.variables |= expr_uses(expr, i) ? 1u << i : 0;
    return term;
}

static bool is_letter(char sign)
{
    return sign >= 'a' && sign <= 'z';
}

/* "(Y^2 - 1)" where it is to be multiplied, else "Y^2": what is taken off comes at the end. */
static const char *write_side(Arena *arena, const Side *side, char name, bool is_factor)
{
    /* The function of n for another name; the n of a word such as "min" stays. */
    char *text = arena_copy(arena, side->text, strlen(side->text));
    for (char *at = text; *at; at++)
        if (*at == 'n' && !is_letter(at[1]) && (at == text || !is_letter(at[-1])))
            *at = name;
    const char *close = strrchr(text, ')');
    if (is_factor && side->constant)
        return arena_printf(arena, "(%s - %d)", text, side->constant);
    bool is_open = strchr(close ? close : text, ' ') != NULL; /* "Y div 2", "(Y - 1) / Y" */
    return is_factor && is_open ? arena_printf(arena, "(%s)", text) : text;
}

/* "X + Y + Z - 3", or "p * (X^2 + Y^2)". */
static const char *write_lattice(Arena *arena, const Lattice *lattice, const Side *side, int sides)
{
    const char *text = "";
    int taken_off = 0;
    for (int i = 0; i < sides; i++) {
        const char *others = ""; /* "X * Y * " */
        for (int other = 0; other < sides; other++)
            if (lattice->others[i] & (1u << other))
                others = arena_printf(arena, "%s%c * ", others, side_words[other]);
        const char *function = write_side(arena, side, side_words[i], *others != '\0');
        text = arena_printf(arena, "%s%s%s%s", text, i ? " + " : "", others, function);
        taken_off += *others ? 0 : side->constant;
    }
    if (taken_off)
        text = arena_printf(arena, "%s - %d", text, taken_off);
    return *lattice->times ? arena_printf(arena, "%s(%s)", lattice->times, text) : text;
}

static void add_term(Arena *arena, FormTerms *terms, const char *text, int weight,
                     unsigned variables)
{
    FormTerm term = family_read(arena, text, weight);
    if ((term.variables & ~variables) == 0)
        *ARRAY_PUSH(arena, terms) = term;
}

Family family_create(Arena *arena, unsigned variables, int sides)
{
    Family family = {{0}, {0}, {0}};
    for (int i = 0; i < PRODUCT_COUNT; i++)
        add_term(arena, &family.terms, products[i].text, products[i].weight, variables);
    for (int s = 0; s < SIDE_COUNT && sides; s++)
        for (int l = 0; l < LATTICE_COUNT; l++)
            add_term(arena, &family.terms,
                     write_lattice(arena, &lattices[l], &sides_of_grids[s], sides),
                     sides_of_grids[s].weight + lattices[l].weight, variables);
    for (int i = 0; i < UNIT_COUNT; i++) {
        const Unit *unit = &units[i];
        FormUnit read = {family_read(arena, unit->times, 0), family_read(arena, unit->over, 0),
                         unit->weight};
        if (((read.times.variables | read.over.variables) & ~variables) == 0)
            *ARRAY_PUSH(arena, &family.units) = read;
    }
    for (int i = 0; i < SPLIT_COUNT; i++) {
        const Split *split = &splits[i];
        FormSplit read = {.weight = split->weight,
                          .first = family_read(arena, split->first, 0),
                          .is_part = split->is_part};
        if (split->second)
            read.second = family_read(arena, split->second, 0);
        if (((read.first.variables | read.second.variables) & ~variables) == 0)
            *ARRAY_PUSH(arena, &family.splits) = read;
    }
    return family;
}

bool family_value(const FormTerm *term, const FormPoint *point, Exact *value)
{
    Exact slots[MOST_SLOTS];
    for (int i = 0; i < FORM_VARIABLES; i++)
        slots[i] = exact_from_int(point->values[i]);
    return term->expr && exact_evaluate(term->expr, slots, value, NULL) && value->exact;
}

bool family_holds(const FormTerm *condition, const FormPoint *point)
{
    Exact value;
    return family_value(condition, point, &value) && value.numerator != 0;
}
