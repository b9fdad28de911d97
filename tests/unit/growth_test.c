/* Orders of isoefficiency functions, against those of textbooks and against numbers. */
#include "scale/scale.h"

#include "unit.h"

#include <math.h>
#include <string.h>

/* Powers as in Grama, Gupta, Karypis and Kumar, Introduction to Parallel Computing, 2nd edition,
   sections 8.1 and 8.2, where the library has what they have. */
static const struct {
    const char *algorithm, *topology;
    int64_t p;
    const char *order;
} library[] = {
    {"matmul/cannon", "full", 64, "p^1.5, by ts and th and tw"},
    {"matmul/cannon", "torus", 64, "p^1.5, by ts and th and tw"},
    {"matmul/cannon", "hypercube", 64, "p^1.5 log p, by th"},
    {"matmul/simple", "hypercube", 64, "p^1.5, by tw"},
    {"matmul/simple-ring", "torus", 49, "p^1.5, by ts and th and tw"},
    {"matmul/dns", "full", 64, "p (log p)^3, by tw and tc"},
    {"matvec/striped", "hypercube", 32, "p^2, by tw"},
    {"matvec/striped-ring", "ring", 11, "p^2, by ts and th and tw"},
    {"matvec/checkerboard", "mesh", 16, "p^1.5, by th"},
    {"matvec/checkerboard", "full", 16, "p (log p)^2, by tw and tc"},
};

START_TEST(orders_of_the_library)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, library[_i].topology, library[_i].p);
    Rules rules = rules_of((Prices){1, 1, 1, 1}, 1);
    const Algorithm *algorithm = algorithm_named(fixture, library[_i].algorithm);
    const ScaleCase scale = {algorithm, &network, &rules, 1, 8, false};
    const Claim *claim = scale_claim(&scale, scale.network->p);
    ck_assert_ptr_nonnull(claim);
    Growth growth = growth_find(fixture->arena, claim, &network.shape, rules.parameters,
                                scale_work_power(&scale));
    ck_assert_int_eq(growth.kind, GROWTH_FOUND);
    ck_assert_str_eq(growth_describe(fixture->arena, &growth), library[_i].order);
    fixture_close(fixture);
}
END_TEST

#define UNKNOWN "unknown"
#define NEVER "never"

/* Closed forms of a product whose work is n^3. */
static const struct {
    const char *formula, *order;
} formulas[] = {
    {"n^3 / p * tm", "nothing at all"},
    {"n^3 / p * tm + ts", "p, by ts"},
    {"n^3 / p * tm + log2(p)^2 * ts", "p (log p)^2, by ts"},
    {"n^3 / p * tm + tw * word * n", "p^1.5, by tw"},
    {"n^3 / p * tm + tw * word * n^2 * (1 - 1 / p)", "p^3, by tw"},
    {"n^3 / p * tm + (sqrt(p) - 1) * ts - sqrt(p) * ts", "p, by ts"},
    {"n^3 / p * tm + (p + 1)^2 * ts", "p^3, by ts"},
    {"n^3 / p * tm + cbrt(p) * log2(8 * p) * ts", "p^1.333 log p, by ts"},
    {"n^3 / p * tm + tw * word * (n / p)", "nothing at all"},
    {"n^3 / p * tm + tc * word * n^2 / sqrt(p) + ceil(sqrt(p)) * ts", "p^1.5, by ts and tc"},
    {"n^3 / p * tm + tw * word * n^3 / p", "nothing at all"},
    {"n^3 / p * tm + tw * word * n^3", NEVER},
    {"n^3 / p * tm + n^2 / sqrt(p) * tm", "p^1.5, by tm"},
    {"n^3 / p * tm + max(p, n) * ts", UNKNOWN},
    {"n^3 / p * tm + log2(p + 1) * ts", UNKNOWN},
    {"n^3 / p * tm + log2(n) * ts", UNKNOWN},
    {"n^3 / p * tm + 2^clog2(p) * ts", UNKNOWN},
    {"n^3 / p * tm + (p + n)^100 * ts", UNKNOWN},
    {"n^3 / p * tm + ((p + n)^8 * (p + log2(p))^8 + (p * n + 1)^8)^8 * ts", UNKNOWN},
    {"n^3 / p * tm + ts / (p + 1)", UNKNOWN},
    {"n^3 / p * tm + sum(i, 1, p, i) * ts", UNKNOWN},
};

static const char *order_of(Fixture *fixture, const char *formula)
{
    static const double parameters[PARAMETER_COUNT] = {1, 1, 1, 1};
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: x\nproblem: matmul\n"
                                     "blocks: {A: [1, 1], B: [1, 1], C: [1, 1]}\n"
                                     "before: A(0, 0)\nafter: C(0, 0)\nschedule: []\n"
                                     "claims:\n  - on: full\n    source: here\n    time: %s\n",
                                     formula));
    const Algorithm *algorithm = algorithm_named(fixture, "matmul/x");
    const Shape line = shape_line(16);
    Growth growth = growth_find(fixture->arena, &claims_all(&algorithm->claims)->items[0], &line,
                                parameters, 3);
    return growth.kind == GROWTH_UNKNOWN ? UNKNOWN
           : growth.kind == GROWTH_NEVER ? NEVER
                                         : growth_describe(fixture->arena, &growth);
}

START_TEST(orders_of_formulas)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(order_of(fixture, formulas[_i].formula), formulas[_i].order);
    fixture_close(fixture);
}
END_TEST

/* Where ts and th are free, p^1.5 is not only the order but the whole function. */
START_TEST(the_order_is_that_of_numbers)
{
    Fixture *fixture = fixture_open();
    Rules rules = rules_of((Prices){0, 0, 64, 0}, 1);
    const Algorithm *algorithm = algorithm_named(fixture, "matmul/cannon");
    double first = 0;
    for (int64_t q = 2; q <= 64; q *= 2) {
        Network network = network_of(fixture, "full", q * q);
        const ScaleCase scale = {algorithm, &network, &rules, 1, 8, false};
        collcost_product point;
        int64_t n;
        ck_assert(scale_order(&scale, 0.5, 1 << 20, &point, &n, &fixture->diag));
        double constant = pow((double)n, 3) / pow((double)(q * q), 1.5);
        first = first > 0 ? first : constant;
        assert_near(constant, first, 0.01);
    }
    fixture_close(fixture);
}
END_TEST

Suite *growth_suite(void)
{
    Suite *suite = suite_create("growth");
    TCase *orders = tcase_create("orders");
    tcase_set_timeout(orders, 300);
    tcase_add_loop_test(orders, orders_of_the_library, 0, sizeof library / sizeof *library);
    tcase_add_loop_test(orders, orders_of_formulas, 0, sizeof formulas / sizeof *formulas);
    tcase_add_test(orders, the_order_is_that_of_numbers);
    suite_add_tcase(suite, orders);
    return suite;
}
