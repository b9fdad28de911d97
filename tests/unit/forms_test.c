#include "base/random.h"
#include "forms/fitting.h"
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
#include "forms/family.def"
    };
    static const double link_costs[PARAMETER_COUNT] = {1000003, 10007, 101, 11};
    fixture->scope = (Scope){0};
    for (int i = 0; i < FORM_VARIABLES; i++)
        name_whole(fixture, words[i], point->values[i]);
    name_real(fixture, "m", DIMENSION_BYTES, 840);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        name_real(fixture, parameter_info[i].name, parameter_info[i].dimension, link_costs[i]);
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
#define PART(first, second) splits++;
#include "forms/family.def"
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

/* False where a term has no value. */
static bool form_value(const Form *form, const FormPoint *point, Exact *value)
{
    Exact term, times, over;
    *value = exact_from_int(0);
    for (int i = 0; i < form->count; i++) {
        if (!family_value(form->terms[i], point, &term))
            return false;
        *value = exact_add(*value, exact_multiply(form->factors[i], term));
    }
    if (form->count == 0)
        return true;
    if (!family_value(&form->unit->times, point, &times) ||
        !family_value(&form->unit->over, point, &over))
        return false;
    *value = exact_divide(exact_multiply(*value, times), over);
    return value->exact;
}

/* sum over the parameters of form * cost * size */
static Exact sum_of_forms(Fixture *fixture, const Form *forms, const FormPoint *point)
{
    Exact sum = exact_from_int(0), value;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        ck_assert(form_value(&forms[i], point, &value));
        const char *link_cost =
            arena_printf(fixture->arena, "%s%s", per_byte ? "m * " : "", parameter_info[i].name);
        sum = exact_add(sum, exact_multiply(value, formula_value(fixture, link_cost)));
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

Suite *forms_suite(void)
{
    Suite *suite = suite_create("forms");
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
    return suite;
}
