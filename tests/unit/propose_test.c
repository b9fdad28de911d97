#include "cost/propose.h"

#include "base/random.h"
#include "cost/claim.h"
#include "unit.h"

#include <string.h>

/* Sparse fits. */

typedef struct {
    Fixture *fixture;
    size_t rows, count;
    SparseColumn columns[16];
    Exact *target;
} Columns;

static int64_t power(int64_t base, int exponent)
{
    int64_t result = 1;
    for (int i = 0; i < exponent; i++)
        result *= base;
    return result;
}

/* Columns 1, p, p^2, p^3 for p = 1 .. rows, the simpler the lighter. */
static Columns powers(Fixture *fixture, size_t rows)
{
    Columns columns = {.fixture = fixture, .rows = rows, .count = 4};
    columns.target = ARENA_ARRAY(fixture->arena, Exact, rows);
    for (int c = 0; c < 4; c++) {
        Exact *values = ARENA_ARRAY(fixture->arena, Exact, rows);
        for (size_t row = 0; row < rows; row++)
            values[row] = exact_from_int(power((int64_t)row + 1, c));
        columns.columns[c] = (SparseColumn){values, c};
    }
    return columns;
}

static bool find(const Columns *columns, int count, int most_weight, SparseFit *fit)
{
    const SparseBasis *basis =
        sparse_basis(columns->fixture->arena, columns->columns, columns->count, columns->rows);
    return sparse_find(basis, columns->target, count, most_weight, fit);
}

/* factors[c] / bottom times column c */
static void set_target(Columns *columns, const int64_t factors[4], int64_t bottom)
{
    for (size_t row = 0; row < columns->rows; row++) {
        Exact sum = exact_from_int(0);
        for (int c = 0; c < 4; c++) {
            Exact factor = exact_divide(exact_from_int(factors[c]), exact_from_int(bottom));
            sum = exact_add(sum, exact_multiply(factor, columns->columns[c].values[row]));
        }
        columns->target[row] = sum;
    }
}

START_TEST(a_sparse_fit_finds_columns_and_fractions)
{
    Fixture *fixture = fixture_open();
    Columns columns = powers(fixture, 8);
    SparseFit fit;
    set_target(&columns, (int64_t[]){0, -2, 3, 0}, 6);
    ck_assert(!find(&columns, 1, 100, &fit));
    ck_assert(find(&columns, 2, 100, &fit));
    ck_assert_uint_eq(fit.columns[0], 1);
    ck_assert_uint_eq(fit.columns[1], 2);
    ck_assert_str_eq(exact_show(fixture->arena, fit.factors[0]), "-1/3");
    ck_assert_str_eq(exact_show(fixture->arena, fit.factors[1]), "1/2");
    ck_assert_uint_eq(fit.rows[0], 0);
    ck_assert_uint_eq(fit.rows[1], 1);
    ck_assert_int_eq(fit.weight, 3);
    ck_assert(!find(&columns, 2, 2, &fit));
    fixture_close(fixture);
}
END_TEST

/* The first row says nothing about the first column. */
START_TEST(a_sparse_fit_takes_rows_as_they_come)
{
    Fixture *fixture = fixture_open();
    Columns columns = powers(fixture, 9);
    SparseFit fit;
    for (size_t row = 0; row < 9; row++) {
        ((Exact *)columns.columns[0].values)[row] = exact_from_int((int64_t)(row * row * row));
        columns.target[row] = exact_from_int((int64_t)(2 * row * row * row + 5 * (row + 1)));
    }
    ck_assert(find(&columns, 2, 100, &fit));
    ck_assert_uint_eq(fit.columns[0], 0);
    ck_assert_str_eq(exact_show(fixture->arena, fit.factors[0]), "2");
    ck_assert_str_eq(exact_show(fixture->arena, fit.factors[1]), "5");
    fixture_close(fixture);
}
END_TEST

/* One value that is off spoils it, wherever it stands. */
START_TEST(a_sparse_fit_gives_every_row)
{
    Fixture *fixture = fixture_open();
    SparseFit fit;
    for (size_t row = 0; row < 12; row++) {
        Columns columns = powers(fixture, 12);
        set_target(&columns, (int64_t[]){5, 0, 1, 0}, 1);
        ck_assert(find(&columns, 2, 100, &fit));
        columns.target[row] = exact_add(columns.target[row], exact_from_int(1));
        for (int count = 1; count <= 3; count++)
            ck_assert(!find(&columns, count, 100, &fit));
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(a_sparse_fit_needs_four_rows_for_each_column)
{
    Fixture *fixture = fixture_open();
    SparseFit fit;
    for (int count = 1; count <= 4; count++)
        for (size_t rows = (size_t)count; rows < 20; rows++) {
            Columns columns = powers(fixture, rows);
            int64_t factors[4] = {0};
            for (int c = 0; c < count; c++)
                factors[3 - c] = 7;
            set_target(&columns, factors, 1);
            ck_assert_int_eq(find(&columns, count, 100, &fit), rows >= (size_t)count * 4);
        }
    fixture_close(fixture);
}
END_TEST

/* Twenty rows, but only four that differ in p: a parabola through them says nothing. A constant,
   and a column of two values, may repeat as often as they like. */
START_TEST(rows_must_differ_in_the_columns_of_a_fit)
{
    Fixture *fixture = fixture_open();
    Columns columns = powers(fixture, 20);
    SparseFit fit;
    set_target(&columns, (int64_t[]){0, 1, 1, 0}, 1);
    for (int c = 0; c < 4; c++)
        for (size_t row = 0; row < 20; row++)
            ((Exact *)columns.columns[c].values)[row] = exact_from_int(power((int64_t)row % 4, c));
    for (size_t row = 0; row < 20; row++)
        columns.target[row] = exact_from_int((int64_t)(row % 4) * (int64_t)(row % 4 + 1));
    ck_assert(!find(&columns, 2, 100, &fit));
    for (size_t row = 0; row < 20; row++)
        ((Exact *)columns.columns[1].values)[row] = exact_from_int((int64_t)row % 2);
    for (size_t row = 0; row < 20; row++)
        columns.target[row] = exact_from_int(3 - 2 * ((int64_t)row % 2));
    ck_assert(find(&columns, 2, 100, &fit));
    fixture_close(fixture);
}
END_TEST

/* The family and what is written. */

static const FormPoint some_points[] = {
    {{[FORM_P] = 24,
      [FORM_X] = 4,
      [FORM_Y] = 3,
      [FORM_Z] = 2,
      [FORM_DIMS] = 3,
      [FORM_K] = 5,
      [FORM_D] = 2,
      [FORM_ROOT] = 7,
      [FORM_TARGET] = 20}},
    {{[FORM_P] = 49,
      [FORM_X] = 7,
      [FORM_Y] = 7,
      [FORM_Z] = 1,
      [FORM_DIMS] = 2,
      [FORM_K] = 2,
      [FORM_D] = 3,
      [FORM_ROOT] = 48,
      [FORM_TARGET] = 0}},
    {{[FORM_P] = 64,
      [FORM_X] = 64,
      [FORM_Y] = 1,
      [FORM_Z] = 1,
      [FORM_DIMS] = 1,
      [FORM_K] = 1,
      [FORM_D] = 1,
      [FORM_ROOT] = 0,
      [FORM_TARGET] = 63}},
};
enum { POINT_COUNT = sizeof some_points / sizeof *some_points };

static Family whole_family(Fixture *fixture)
{
    return family_create(fixture->arena, (1u << FORM_VARIABLES) - 1, FORM_MOST_SIDES);
}

/* A form may name what a claim names. */
static void name_point(Fixture *fixture, const FormPoint *point)
{
    static const char *const words[FORM_VARIABLES] = {
#define VARIABLE(id, word) word,
#include "cost/family.def"
    };
    static const double prices[PARAMETER_COUNT] = {1000003, 10007, 101, 11};
    fixture->scope = (Scope){0};
    for (int i = 0; i < FORM_VARIABLES; i++)
        name_whole(fixture, words[i], point->values[i]);
    name_real(fixture, "m", DIMENSION_BYTES, 840);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        name_real(fixture, parameter_info[i].name, parameter_info[i].dimension, prices[i]);
}

START_TEST(every_term_of_the_family_can_be_read)
{
    Fixture *fixture = fixture_open();
    Family family = whole_family(fixture);
    size_t terms = 0, sides = 0, lattices = 0, splits = 0;
#define PRODUCT(weight, text) terms++;
#define SIDE(weight, text, constant) sides++;
#define LATTICE(weight, times, x, y, z) lattices++;
#define SPLIT(weight, first, second) splits++;
#define PART(condition) splits++;
#include "cost/family.def"
    ck_assert_uint_eq(family.terms.count, terms + sides * lattices);
    ck_assert_uint_eq(family.splits.count, splits);
    for (size_t i = 0; i < family.terms.count; i++)
        ck_assert_msg(family.terms.items[i].expr, "%s", family.terms.items[i].text);
    for (size_t i = 0; i < family.units.count; i++)
        ck_assert(family.units.items[i].times.expr && family.units.items[i].over.expr);
    for (size_t i = 0; i < family.splits.count; i++)
        ck_assert_msg(family.splits.items[i].first.expr, "%s", family.splits.items[i].first.text);
    fixture_close(fixture);
}
END_TEST

static const FormTerm *term_named(const Family *family, const char *text)
{
    for (size_t i = 0; i < family->terms.count; i++)
        if (strcmp(family->terms.items[i].text, text) == 0)
            return &family->terms.items[i];
    ck_abort_msg("the family has no %s", text);
    return NULL;
}

START_TEST(sides_of_grids_are_added_up)
{
    Fixture *fixture = fixture_open();
    Family family = whole_family(fixture), flat = family_create(fixture->arena, FORM_BIT(P), 0);
    term_named(&family, "X + Y + Z - 3");
    term_named(&family, "p * (X^2 + Y^2 + Z^2)");
    term_named(&family, "(X - 1)^2 + X * (Y - 1)^2 + X * Y * (Z - 1)^2");
    term_named(&family, "Y * Z * (X^2 - 1) + Z * (Y^2 - 1) + Z^2 - 1");
    term_named(&family, "Y * Z * (X div 2) + X * Z * (Y div 2) + X * Y * (Z div 2)");
    term_named(&family, "(p - 1) * (min(X - 1, 1) + min(Y - 1, 1) + min(Z - 1, 1))");
    family = family_create(fixture->arena, FORM_BIT(P) | FORM_BITS_OF_GRIDS, 2);
    term_named(&family, "X^2 + X * Y^2");
    for (size_t i = 0; i < flat.terms.count; i++)
        ck_assert_uint_eq(flat.terms.items[i].variables & ~FORM_BIT(P), 0);
    fixture_close(fixture);
}
END_TEST

/* A form written by hand: up to four terms with factors, in a unit. */
typedef struct {
    struct {
        const char *term;
        int64_t top, bottom;
    } parts[SPARSE_MOST_COLUMNS];
    const char *times, *over;
    const char *expected;
} FormCase;

static const FormCase form_cases[] = {
    {{{"p - 1", 1, 1}}, "1", "1", "p - 1"},
    {{{"p - 1", 2, 1}}, "1", "1", "2 * (p - 1)"},
    {{{"p - 1", 2, 1}}, "1", "p", "2 * (p - 1) / p"},
    {{{"p - 1", 1, 3}}, "1", "k * p", "(p - 1) / (3 * k * p)"},
    {{{"1", 3, 2}}, "1", "1", "3 / 2"},
    {{{"1", 1, 2}}, "p", "1", "p / 2"},
    {{{"p div 2", 1, 1}}, "1", "1", "p div 2"},
    {{{"p div 2", 3, 1}}, "1", "1", "3 * (p div 2)"},
    {{{"p div 2", 1, 1}}, "1", "k", "(p div 2) / k"},
    {{{"p", 1, 1}, {"k", 1, 1}, {"1", -2, 1}}, "1", "k", "(p + k - 2) / k"},
    {{{"p", 1, 1}, {"k", 1, 1}, {"1", 2, 1}}, "1", "1", "p + k + 2"},
    {{{"1", 1, 1}, {"p", -1, 2}}, "1", "1", "(2 - p) / 2"},
    {{{"p * clog2(p)", 1, 1}, {"p - 1", -1, 1}}, "1", "1", "p * clog2(p) - p + 1"},
    {{{"2^clog2(p) - 1", 2, 3}, {"clog2(p) mod 2", 1, 3}},
     "1",
     "1",
     "(clog2(p) mod 2 + 2 * 2^clog2(p) - 2) / 3"},
    {{{"X + Y + Z - 3", 2, 1}, {"clog2(p)", -1, 1}}, "1", "1", "2 * (X + Y + Z) - clog2(p) - 6"},
    {{{"clog2(p)", 1, 1}, {"X + Y + Z", -1, 1}}, "1", "1", "clog2(p) - (X + Y + Z)"},
};

static Form form_of(Fixture *fixture, const Family *family, const FormCase *test)
{
    Form form = {.count = 0};
    FormUnit *unit = ARENA_NEW(fixture->arena, FormUnit);
    unit->times = family_read(fixture->arena, test->times, 0);
    unit->over = family_read(fixture->arena, test->over, 0);
    form.unit = unit;
    while (form.count < SPARSE_MOST_COLUMNS && test->parts[form.count].term) {
        form.terms[form.count] = term_named(family, test->parts[form.count].term);
        form.factors[form.count] = exact_divide(exact_from_int(test->parts[form.count].top),
                                                exact_from_int(test->parts[form.count].bottom));
        form.count++;
    }
    return form;
}

START_TEST(forms_are_written_as_in_the_library)
{
    Fixture *fixture = fixture_open();
    Family family = whole_family(fixture);
    Form form = form_of(fixture, &family, &form_cases[_i]);
    ck_assert_str_eq(form_text(fixture->arena, &form), form_cases[_i].expected);
    fixture_close(fixture);
}
END_TEST

/* The forms of ts, th, m tw and m tc, and the formula of their sum. */
typedef struct {
    FormCase forms[PARAMETER_COUNT];
    const char *expected;
} SumCase;

#define NO_FORM                                                                                    \
    {                                                                                              \
        {{NULL, 0, 0}}, "1", "1", NULL                                                             \
    }
#define ONE(term, top, bottom, times, over)                                                        \
    {                                                                                              \
        {{term, top, bottom}}, times, over, NULL                                                   \
    }

static const SumCase sum_cases[] = {
    {{NO_FORM, NO_FORM, NO_FORM, NO_FORM}, "0 * ts"},
    {{ONE("p - 1", 1, 1, "1", "1"), ONE("p - 1", 1, 1, "1", "1"), ONE("p - 1", 1, 1, "1", "1"),
      NO_FORM},
     "(p - 1) * (ts + th + m * tw)"},
    {{ONE("p - 1", 2, 1, "1", "1"), ONE("p - 1", 2, 1, "1", "1"), ONE("p - 1", 2, 1, "1", "p"),
      ONE("p - 1", 1, 1, "1", "p")},
     "(p - 1) * (2 * (ts + th) + m / p * (2 * tw + tc))"},
    {{ONE("clog2(p)", 1, 1, "1", "1"), ONE("p - 1", 2, 1, "1", "1"),
      ONE("clog2(p)", 1, 2, "p", "1"), NO_FORM},
     "clog2(p) * (ts + p / 2 * m * tw) + 2 * (p - 1) * th"},
    {{ONE("1", 1, 1, "1", "1"), ONE("1", 2, 1, "1", "1"), ONE("1", 1, 1, "1", "1"), NO_FORM},
     "ts + 2 * th + m * tw"},
    {{ONE("p div 2", 3, 2, "1", "1"), ONE("p div 2", 3, 2, "1", "1"), NO_FORM, NO_FORM},
     "3 * (p div 2) / 2 * (ts + th)"},
    {{NO_FORM, NO_FORM, ONE("p", 1, 1, "1", "k"), ONE("p", 1, 1, "1", "k")},
     "p * m / k * (tw + tc)"},
    {{ONE("p", 1, 1, "1", "1"), ONE("p", 1, 2, "1", "1"), NO_FORM, ONE("p", 1, 3, "1", "1")},
     "p * (ts + th / 2 + m / 3 * tc)"},
    {{NO_FORM, NO_FORM, ONE("p - 1", 1, 1, "1", "p"), ONE("p - 1", 1, 1, "1", "1")},
     "(p - 1) * (m / p * tw + m * tc)"},
};

START_TEST(formulas_share_what_their_terms_share)
{
    Fixture *fixture = fixture_open();
    Family family = whole_family(fixture);
    Form forms[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        forms[i] = form_of(fixture, &family, &sum_cases[_i].forms[i]);
    ck_assert_str_eq(form_sum_text(fixture->arena, forms), sum_cases[_i].expected);
    fixture_close(fixture);
}
END_TEST

/* Any terms of the family with small factors, in any of its units. */
static Form random_form(const Family *family, uint64_t *state)
{
    Form form = {.count = (int)(random_next(state) % (SPARSE_MOST_COLUMNS + 1))};
    form.unit = &family->units.items[random_next(state) % family->units.count];
    for (int i = 0; i < form.count; i++) {
        form.terms[i] = &family->terms.items[random_next(state) % family->terms.count];
        for (int j = 0; j < i; j++)
            if (form.terms[j] == form.terms[i])
                return random_form(family, state);
        int64_t top = (int64_t)(random_next(state) % 5) + 1;
        int64_t sign = i && random_next(state) % 2 ? -1 : 1;
        form.factors[i] = exact_divide(exact_from_int(sign * top),
                                       exact_from_int((int64_t)(random_next(state) % 3) + 1));
    }
    return form;
}

/* The value of a formula at the point that has been named. */
static Exact formula_value(Fixture *fixture, const char *formula)
{
    Exact value;
    const Expr *expr = checked(fixture, formula);
    assert_no_error(fixture);
    bool valued = exact_value(fixture, expr, &value);
    assert_no_error(fixture);
    ck_assert_msg(valued, "%s has no value", formula);
    return value;
}

/* sum over the parameters of form * price * size */
static Exact sum_of_forms(Fixture *fixture, const Form *forms, const FormPoint *point)
{
    Exact sum = exact_from_int(0), value;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        ck_assert(form_value(&forms[i], point, &value));
        const char *price =
            arena_printf(fixture->arena, "%s%s", per_byte ? "m * " : "", parameter_info[i].name);
        sum = exact_add(sum, exact_multiply(value, formula_value(fixture, price)));
    }
    return sum;
}

static bool have_values(const Form *forms, const FormPoint *point)
{
    Exact value;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!form_value(&forms[i], point, &value))
            return false;
    return true;
}

START_TEST(what_is_written_means_what_was_fitted)
{
    Fixture *fixture = fixture_open();
    Family family = whole_family(fixture);
    uint64_t state = 7;
    int compared = 0;
    for (int run = 0; run < 300; run++) {
        const FormPoint *point = &some_points[run % POINT_COUNT];
        Form forms[PARAMETER_COUNT];
        for (int i = 0; i < PARAMETER_COUNT; i++)
            forms[i] =
                i && random_next(&state) % 3 == 0 ? forms[i - 1] : random_form(&family, &state);
        if (!have_values(forms, point))
            continue;
        name_point(fixture, point);
        const char *formula = form_sum_text(fixture->arena, forms);
        Exact written = formula_value(fixture, formula);
        ck_assert_msg(exact_equal(written, sum_of_forms(fixture, forms, point)), "%s is %s",
                      formula, exact_show(fixture->arena, written));
        for (int i = 0; i < PARAMETER_COUNT; i++) {
            Exact value;
            ck_assert(form_value(&forms[i], point, &value));
            ck_assert(
                exact_equal(value, formula_value(fixture, form_text(fixture->arena, &forms[i]))));
        }
        compared++;
    }
    ck_assert_int_gt(compared, 150);
    fixture_close(fixture);
}
END_TEST

/* Proposals. */

/* "allgather/ring" on a topology, over all shapes of so many ranks. */
typedef struct {
    const char *algorithm, *topology;
    Switching switching;
    int64_t largest;
    const char *when, *formula; /* NULL: at all points; no formula */
} ProposeCase;

static SampleQuestion question_of(Fixture *fixture, const ProposeCase *test)
{
    SampleQuestion question = {algorithm_named(fixture, test->algorithm), NULL,
                               rules_of((Prices){1, 1, 1, 1}, 1), -1, -1};
    question.topology =
        library_topology(fixture->library, text_of(fixture, test->topology), &fixture->diag);
    question.rules.switching = test->switching;
    assert_no_error(fixture);
    return question;
}

static Proposals proposals_for(Fixture *fixture, const SampleQuestion *question, int64_t largest)
{
    ShapeArray shapes = {0};
    Proposals proposals;
    samples_shapes(fixture->arena, question, largest, &shapes);
    bool good = propose_forms(fixture->arena, question, &shapes, &proposals, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    return proposals;
}

#define CT SWITCHING_CUT_THROUGH
#define SF SWITCHING_STORE_AND_FORWARD

static const ProposeCase known_cases[] = {
    {"allgather/ring", "full", CT, 32, NULL, "(p - 1) * (ts + th + m * tw)"},
    {"allgather/ring", "linear", SF, 32, NULL, "(p - 1) * ts + (p - 1)^2 * (th + m * tw)"},
    {"allgather/ring", "star", SF, 32, NULL, "(p - 1) * (ts + 2 * (th + m * tw))"},
    {"allgather/bruck", "ring", CT, 64, NULL,
     "clog2(p) * ts + (p - 1) * th + (4^clog2(p) + 3 * p^2 - 3 * p * 2^clog2(p) - 1) / 3 * m * tw"},
    {"allgather/recursive-doubling", "hypercube", CT, 64, NULL,
     "clog2(p) * (ts + th) + (p - 1) * m * tw"},
    {"allgather/recursive-doubling", "full", CT, 64, "power_of_two(p)",
     "clog2(p) * (ts + th) + (p - 1) * m * tw"},
    {"allreduce/ring", "ring", CT, 32, NULL, "(p - 1) * (2 * (ts + th) + m / p * (2 * tw + tc))"},
    {"alltoall/hypercube", "hypercube", CT, 32, NULL, "clog2(p) * (ts + th + p / 2 * m * tw)"},
    {"alltoall/bruck", "full", CT, 32, NULL,
     "clog2(p) * (ts + th) + sum(i, 1, p - 1, popcount(i)) * m * tw"},
    {"alltoall/pairwise", "ring", SF, 32, NULL, "(p - 1) * ts + p^2 div 4 * (th + m * tw)"},
    {"barrier/ring", "ring", CT, 32, NULL, "2 * (p - 1) * (ts + th)"},
    {"broadcast/pipelined-chain", "full", CT, 24, "p > 1", "(p + k - 2) * (ts + th + m / k * tw)"},
    {"reduce/pipelined-chain", "ring", SF, 24, "p > 1",
     "(p + k - 2) * (ts + th + m / k * (tw + tc))"},
    {"broadcast/halving", "mesh", CT, 32, "root == 0 and dims <= 3",
     "(clog2(X) + clog2(Y) + clog2(Z)) * (ts + m * tw) + (X + Y + Z - 3) * th"},
    {"allgather/dimension-by-dimension", "torus", CT, 64, "dims <= 3",
     "(X + Y + Z - 3) * (ts + th) + (p - 1) * m * tw"},
    {"allgather/dimension-by-dimension", "mesh", SF, 64, "dims <= 3",
     "(X + Y + Z - 3) * ts + ((X - 1)^2 + (Y - 1)^2 + (Z - 1)^2) * th + "
     "((X - 1)^2 + X * (Y - 1)^2 + X * Y * (Z - 1)^2) * m * tw"},
    {"allreduce/dimension-by-dimension", "torus", CT, 64, "dims <= 3",
     "2 * (X + Y + Z - 3) * (ts + th) + "
     "((X - 1) / X + (Y - 1) / Y + (Z - 1) / Z) * m * (2 * tw + tc)"},
    {"allgather/folded-ring", "linear", SF, 32, "p > 2", "(p - 1) * (ts + 2 * (th + m * tw))"},
    {"scatter/flat", "linear", CT, 32, NULL,
     "(p - 1) * (ts + m * tw) + (p * (p - 1) - 2 * root * (p - 1 - root)) / 2 * th"},
    {"point-to-point/direct", "uniring", CT, 24, "target != root",
     "ts + m * tw + (target - root) mod p * th"},
    {"alltoall/spread-out", "full", CT, 32, NULL, "(p - 2 + d) div d * (ts + th + m * tw)"},
    {"alltoall/two-way-ring", "ring", CT, 32, "d == 1",
     "2 * (p div 2) * (ts + th) + p^2 div 4 * m * tw"},
    {"broadcast/split-binary-tree", "full", CT, 24, NULL, NULL},
    {"allgather/bine", "ring", CT, 32, NULL, NULL}, /* of odd p it knows only 1 */
};

enum { KNOWN_COUNT = sizeof known_cases / sizeof *known_cases };

static void assert_same_text(const char *seen, const char *expected)
{
    ck_assert_msg(seen == expected || (seen && expected && strcmp(seen, expected) == 0),
                  "%s, but %s was expected", seen ? seen : "nothing",
                  expected ? expected : "nothing");
}

START_TEST(known_forms_are_found)
{
    Fixture *fixture = fixture_open();
    const ProposeCase *test = &known_cases[_i];
    SampleQuestion question = question_of(fixture, test);
    Proposals proposals = proposals_for(fixture, &question, test->largest);
    ck_assert_uint_eq(proposals.count, 1);
    ck_assert_int_eq(proposals.found, test->formula != NULL);
    assert_same_text(proposals.items[0].when, test->when);
    assert_same_text(proposals.items[0].formula, test->formula);
    fixture_close(fixture);
}
END_TEST

/* The proposal as a claim of a model. */
static const Claim *claim_of(Fixture *fixture, const SampleQuestion *question,
                             const Proposal *proposal)
{
    const char *collective = question->algorithm->collective->head.name;
    const char *when =
        proposal->when ? arena_printf(fixture->arena, "    when: %s\n", proposal->when) : "";
    use_models(fixture,
               arena_printf(fixture->arena,
                            "algorithm: proposed\ncollective: %s\n%sschedule: []\n"
                            "claims:\n  - source: a\n    on: full\n%s    time: %s\n",
                            collective, question->algorithm->free_chunks ? "chunks: k\n" : "", when,
                            proposal->formula));
    const Algorithm *algorithm =
        algorithm_named(fixture, arena_printf(fixture->arena, "%s/proposed", collective));
    return &algorithm->claims.items[0];
}

/* Compares the claim with the cost that is derived there; false where it does not speak of it. */
static bool compare_claim(Fixture *fixture, const SampleQuestion *question, const Claim *claim,
                          const Network *network, const Instance *instance)
{
    static const int64_t prices[PARAMETER_COUNT] = {1000003, 10007, 101, 11};
    ExactParameters parameters;
    ClaimPoint point = claim_point(&network->shape, instance->root, instance->k, instance->ports);
    Profile profile;
    Exact claimed, size;
    point.target = instance->target;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        parameters.parameters[i] = exact_from_int(prices[i]);
    if (!claim_applies(claim, &point, &fixture->diag))
        return false;
    ck_assert(profile_derive(fixture->arena, instance, network, &question->rules, &profile,
                             &fixture->diag));
    size = exact_from_int(profile.chunks * 12);
    ck_assert(claim_exact(claim, &point, &parameters, size, &claimed, &fixture->diag));
    ck_assert_msg(exact_equal(claimed, profile_time_exact(&profile, &parameters, size)),
                  "%.*s is wrong on %s, root %d, k %d", (int)claim->formula.text.length,
                  claim->formula.text.chars, network->name, (int)instance->root, (int)instance->k);
    return true;
}

/* All roots, targets and chunks of a network: other ones than a form is fitted to, too. */
static int compare_on(Fixture *fixture, const SampleQuestion *question, const Claim *claim,
                      const Network *network)
{
    const Collective *collective = question->algorithm->collective;
    const int64_t p = network->p, roots[] = {0, 1, p / 3, p - 1}, chunks[] = {1, 4, 7};
    int compared = 0;
    if (!schedule_allows(question->algorithm, &network->shape, 1, NULL, &fixture->diag))
        return 0;
    for (int r = 0; r < (collective->rooted ? 4 : 1); r++)
        for (int t = 0; t < (collective->targeted ? 4 : 1); t++)
            for (int k = 0; k < (question->algorithm->free_chunks ? 3 : 1); k++) {
                Instance instance = {question->algorithm, p,       roots[r], chunks[k], 1,
                                     &network->shape,     roots[t]};
                compared += compare_claim(fixture, question, claim, network, &instance);
            }
    return compared;
}

/* What was found for few ranks is read as a claim and compared with derived costs of more ranks, of
   larger grids and of other roots. It need not hold there, but each of these does. */
START_TEST(formulas_hold_beyond_the_points_of_the_fit)
{
    static const char *const lines[] = {"33", "37", "48", "61", "64", "127", "128"};
    static const char *const grids[] = {"9x2", "5x7", "3x12", "3x5x2", "5x3x4", "16x4"};
    Fixture *fixture = fixture_open();
    const ProposeCase *test = &known_cases[_i];
    if (!test->formula) {
        fixture_close(fixture);
        return;
    }
    SampleQuestion question = question_of(fixture, test);
    Proposals proposals = proposals_for(fixture, &question, test->largest);
    const Claim *claim = claim_of(fixture, &question, &proposals.items[0]);
    bool is_grid = strstr(test->algorithm, "dimension") || strcmp(test->topology, "mesh") == 0;
    bool is_cube = strcmp(test->topology, "hypercube") == 0;
    int compared = 0;
    for (int i = is_cube ? 4 : 0; i < (is_grid ? 6 : is_cube ? 5 : 7); i++) {
        const char *name =
            arena_printf(fixture->arena, "%s:%s", test->topology, is_grid ? grids[i] : lines[i]);
        Network network = network_named(fixture, name, TIES_PLUS);
        compared += compare_on(fixture, &question, claim, &network);
    }
    ck_assert_int_gt(compared, 0);
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(two_forms_share_the_points)
{
    static const ProposeCase chain = {"broadcast/chain", "linear", CT, 32, NULL, NULL};
    Fixture *fixture = fixture_open();
    SampleQuestion question = question_of(fixture, &chain);
    Proposals proposals = proposals_for(fixture, &question, 32);
    ck_assert(proposals.complete);
    ck_assert_uint_eq(proposals.count, 2);
    assert_same_text(proposals.items[0].when, "root == 0");
    assert_same_text(proposals.items[0].formula, "(p - 1) * (ts + th + m * tw)");
    assert_same_text(proposals.items[1].when, "root > 0");
    assert_same_text(proposals.items[1].formula, "(p - 1) * (ts + m * tw) + (2 * p - 3) * th");
    ck_assert_uint_eq(proposals.items[0].points.count, 32);
    ck_assert_uint_eq(proposals.items[0].points.count + proposals.items[1].points.count,
                      proposals.samples->count);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_given_root_is_a_condition)
{
    static const ProposeCase chain = {"broadcast/chain", "linear", CT, 32, NULL, NULL};
    Fixture *fixture = fixture_open();
    SampleQuestion question = question_of(fixture, &chain);
    question.root = 3;
    Proposals proposals = proposals_for(fixture, &question, 32);
    ck_assert_uint_eq(proposals.count, 1);
    assert_same_text(proposals.items[0].when, "root == 3");
    assert_same_text(proposals.items[0].formula, "(p - 1) * (ts + m * tw) + (2 * p - 3) * th");
    ck_assert_uint_eq(proposals.items[0].points.count, 29);
    fixture_close(fixture);
}
END_TEST

static const char far_or_large[] = "algorithm: far-or-large\n"
                                   "collective: allgather\n"
                                   "requires: p > 5\n"
                                   "schedule:\n"
                                   "  - round:\n"
                                   "      - send: r\n"
                                   "        to: p - 3\n"
                                   "        if: r == 0\n"
                                   "      - send: r - 1 .. r\n"
                                   "        to: p - 1\n"
                                   "        if: r == p - 2\n";

/* One message has a long way, the other two blocks: each coefficient has a form, and the time, as
   long as the slower of both takes, has none. */
START_TEST(a_largest_of_several_ways_is_no_sum)
{
    static const ProposeCase test = {"allgather/far-or-large", "linear", CT, 24, NULL, NULL};
    static const char *const expected[PARAMETER_COUNT] = {"1", "p - 3", "2", "0"};
    Fixture *fixture = fixture_open();
    use_models(fixture, far_or_large);
    SampleQuestion question = question_of(fixture, &test);
    Proposals proposals = proposals_for(fixture, &question, test.largest);
    const Proposal *whole = &proposals.items[0];
    ck_assert(!proposals.found);
    ck_assert_uint_eq(proposals.count, 1);
    ck_assert_ptr_null(whole->formula);
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        ck_assert(whole->coefficients[i].found);
        assert_same_text(form_text(fixture->arena, &whole->coefficients[i].form), expected[i]);
    }
    fixture_close(fixture);
}
END_TEST

/* Where one end is given, what counts is still where the other one lies. */
START_TEST(a_given_end_is_a_condition)
{
    static const ProposeCase direct = {"point-to-point/direct", "linear", CT, 24, NULL, NULL};
    Fixture *fixture = fixture_open();
    SampleQuestion question = question_of(fixture, &direct);
    question.root = 2;
    Proposals proposals = proposals_for(fixture, &question, direct.largest);
    assert_same_text(proposals.items[0].when, "target != root and root == 2");
    assert_same_text(proposals.items[0].formula, "ts + m * tw + abs(target - root) * th");
    question.target = 5;
    proposals = proposals_for(fixture, &question, direct.largest);
    assert_same_text(proposals.items[0].when, "root == 2 and target == 5");
    assert_same_text(proposals.items[0].formula, "ts + 3 * th + m * tw");
    fixture_close(fixture);
}
END_TEST

/* Away from rank 0 the chain's hops are 2 p - 3: two terms, which eight points may tell and seven
   not. Three points tell nothing. */
START_TEST(few_points_are_no_ground_for_a_formula)
{
    static const ProposeCase chain = {"broadcast/chain", "linear", CT, 0, NULL, NULL};
    Fixture *fixture = fixture_open();
    SampleQuestion question = question_of(fixture, &chain);
    ShapeArray shapes = {0};
    Proposals proposals;
    question.root = 1;
    for (int64_t p = 3; p <= 10; p++) {
        *ARRAY_PUSH(fixture->arena, &shapes) = shape_line(p);
        bool good = propose_forms(fixture->arena, &question, &shapes, &proposals, &fixture->diag);
        ck_assert_int_eq(good, p >= 6);
        if (good)
            ck_assert_int_eq(proposals.found, p == 10);
        else
            assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

Suite *propose_suite(void)
{
    Suite *suite = suite_create("propose");
    TCase *sparse = tcase_create("sparse fits");
    tcase_add_test(sparse, a_sparse_fit_finds_columns_and_fractions);
    tcase_add_test(sparse, a_sparse_fit_takes_rows_as_they_come);
    tcase_add_test(sparse, a_sparse_fit_gives_every_row);
    tcase_add_test(sparse, a_sparse_fit_needs_four_rows_for_each_column);
    tcase_add_test(sparse, rows_must_differ_in_the_columns_of_a_fit);
    suite_add_tcase(suite, sparse);
    TCase *forms = tcase_create("forms");
    tcase_add_test(forms, every_term_of_the_family_can_be_read);
    tcase_add_test(forms, sides_of_grids_are_added_up);
    tcase_add_loop_test(forms, forms_are_written_as_in_the_library, 0,
                        sizeof form_cases / sizeof *form_cases);
    tcase_add_loop_test(forms, formulas_share_what_their_terms_share, 0,
                        sizeof sum_cases / sizeof *sum_cases);
    tcase_add_test(forms, what_is_written_means_what_was_fitted);
    suite_add_tcase(suite, forms);
    TCase *proposals = tcase_create("proposals");
    tcase_set_timeout(proposals, 120);
    tcase_add_loop_test(proposals, known_forms_are_found, 0, KNOWN_COUNT);
    tcase_add_loop_test(proposals, formulas_hold_beyond_the_points_of_the_fit, 0, KNOWN_COUNT);
    tcase_add_test(proposals, two_forms_share_the_points);
    tcase_add_test(proposals, a_given_root_is_a_condition);
    tcase_add_test(proposals, a_given_end_is_a_condition);
    tcase_add_test(proposals, a_largest_of_several_ways_is_no_sum);
    tcase_add_test(proposals, few_points_are_no_ground_for_a_formula);
    suite_add_tcase(suite, proposals);
    return suite;
}
