/* Proofs for all numbers of ranks, without a solver: what is assumed is true at sample points, and
   what is wrong fails at one. */
#include "prove/poly.h"
#include "prove/proof.h"
#include "unit.h"

static Proof *follow(Fixture *fixture, const char *name, RankCase ranks, const char *const *given,
                     size_t count)
{
    const Algorithm *algorithm = algorithm_named(fixture, name);
    Kernel *kernel = kernel_create(fixture->arena, ranks, algorithm->branching ? 3 : 0, 1, 2);
    Proof *proof = proof_start(kernel, algorithm, ranks, false);
    proof->invariants = given;
    proof->invariant_count = count;
    proof_follow(proof);
    return proof;
}

static const struct {
    const char *name;
    RankCase ranks;
    const char *invariants[2];
    size_t count;
} programs[] = {
    {"allgather/ring", RANKS_ANY, {"(r - blk) mod p < i"}, 1},
    {"allgather/radix-bruck", RANKS_ANY, {"(blk - r) mod p < radix^i"}, 1},
    {"allgather/sparbit", RANKS_ANY, {"(r - blk) mod p mod 2^i == 0"}, 1},
    {"alltoall/bruck", RANKS_ANY, {"(r - src) mod p == (dst - src) mod p mod 2^i"}, 1},
    {"alltoall/open-mpi-linear", RANKS_ANY, {NULL}, 0},
    {"scatter/binomial", RANKS_OTHERS, {"v mod 2^i == 0 and v_blk div 2^i == v div 2^i"}, 1},
    {"scatter/binomial", RANKS_POWERS, {"v mod 2^i == 0 and v_blk div 2^i == v div 2^i"}, 1},
    {"allreduce/recursive-doubling", RANKS_ANY, {"r div 2^i == con mod q div 2^i"}, 1},
    {"allreduce/rabenseifner",
     RANKS_ANY,
     {"r < q and r div 2^i == blk div 2^i and con mod q mod 2^i == r mod 2^i",
      "r < q and r div 2^i == blk div 2^i"},
     2},
    {"scan/hillis-steele", RANKS_ANY, {"con <= r and con > r - 2^i"}, 1},
};

/* Are all axioms of all variables true at sample points? Else the text of one that is not. */
static const char *false_axiom(Proof *proof, int points)
{
    Terms *terms = proof->kernel->terms;
    TermArray all = {0};
    for (size_t i = 0; i < terms->variables.count; i++) {
        const TermVariable *variable = terms->variables.items[i]->variable;
        for (size_t j = 0; j < variable->axioms.count; j++)
            if (variable->definition)
                *ARRAY_PUSH(terms->arena, &all) = variable->axioms.items[j];
    }
    for (size_t i = 0; i < all.count; i++) {
        Samples samples = samples_of(proof, &all.items[i], 1);
        samples.seed = i + 1;
        while (samples_next(&samples, points))
            if (!term_value(terms, all.items[i]) && !terms->undefined) {
                Buffer buffer = {.arena = terms->arena};
                term_print(&buffer, all.items[i]);
                return buffer.items;
            }
    }
    return NULL;
}

START_TEST(obligations_and_what_they_assume_are_true_at_sample_points)
{
    Fixture *fixture = fixture_open();
    Proof *proof = follow(fixture, programs[_i].name, programs[_i].ranks, programs[_i].invariants,
                          programs[_i].count);
    ck_assert_msg(!proof->kernel->why && !proof->failed, "%s: %s", programs[_i].name,
                  proof->kernel->why ? proof->kernel->why : proof->failed);
    ck_assert_uint_gt(proof->obligations.count, 2);
    const char *wrong = false_axiom(proof, 300);
    ck_assert_msg(!wrong, "%s: %s", programs[_i].name, wrong ? wrong : "");
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *name, *invariant, *fails;
} mistakes[] = {
    {"allgather/ring", "(r - blk) mod p <= i", "entry"},
    {"allgather/ring", "(blk - r) mod p < i", "sender holds"},
    {"allgather/bruck", "(blk - r) mod p < 2^i + 1", "entry"},
    {"allgather/sparbit", "(blk - r) mod p mod 2^i == 0", "sender holds"},
    {"scan/hillis-steele", "con <= r", "entry"},
};

START_TEST(wrong_invariants_fail_at_a_sample_point)
{
    Fixture *fixture = fixture_open();
    Proof *proof = follow(fixture, mistakes[_i].name, RANKS_ANY, &mistakes[_i].invariant, 1);
    ck_assert_ptr_nonnull(proof->failed);
    ck_assert_str_eq(proof->failed, mistakes[_i].fails);
    fixture_close(fixture);
}
END_TEST

START_TEST(sums_of_products_are_zero_where_terms_are)
{
    Fixture *fixture = fixture_open();
    Arena *arena = fixture->arena;
    Kernel *kernel = kernel_create(arena, RANKS_ANY, 0, 1, 1);
    const Term *q = term_free(kernel->terms, "q", term_int(kernel->terms, -3), kernel->p);
    const Poly p = poly_of(arena, kernel->p), one = poly_int(arena, 1);
    const Poly less = poly_of(arena, term_plus(kernel->terms, kernel->p, -1));
    const Poly of_q = poly_of(arena, q);
    bool fits = true;
    /* p (p - 1) - p p + p */
    const Poly a = poly_times(arena, &p, &less, &fits), b = poly_times(arena, &p, &p, &fits);
    Poly sum = poly_sum(arena, &a, -1, &b);
    sum = poly_sum(arena, &sum, 1, &p);
    ck_assert(fits && sum.count == 0);
    /* what all products have in common goes, and fractions; but of one product nothing that may be
       zero */
    sum = poly_times(arena, &of_q, &less, &fits);
    ck_assert_ptr_eq(poly_zero(kernel, &sum), term_plus(kernel->terms, kernel->p, -1));
    ck_assert_ptr_eq(poly_zero(kernel, &of_q), q);
    Poly quotient;
    ck_assert(poly_divide(arena, &less, &p, &quotient));
    ck_assert_ptr_eq(poly_zero(kernel, &quotient), term_plus(kernel->terms, kernel->p, -1));
    ck_assert(!poly_divide(arena, &p, &of_q, &quotient) &&
              !poly_divide(arena, &p, &less, &quotient));
    /* q = p - 1 in q p + 1 / p */
    sum = poly_times(arena, &of_q, &p, &fits);
    ck_assert(poly_divide(arena, &one, &p, &quotient));
    sum = poly_sum(arena, &sum, 1, &quotient);
    ck_assert(poly_replace(kernel, &sum, q, &less, &sum) && sum.count == 3);
    fixture_close(fixture);
}
END_TEST

Suite *prove_suite(void)
{
    Suite *suite = suite_create("prove");
    TCase *all = tcase_create("proofs");
    tcase_add_loop_test(all, obligations_and_what_they_assume_are_true_at_sample_points, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(all, sums_of_products_are_zero_where_terms_are);
    tcase_add_loop_test(all, wrong_invariants_fail_at_a_sample_point, 0,
                        sizeof mistakes / sizeof *mistakes);
    suite_add_tcase(suite, all);
    return suite;
}
