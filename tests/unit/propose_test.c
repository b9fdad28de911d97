#include "forms/propose.h"

#include "cost/claim.h"
#include "unit.h"

#include <string.h>

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
    return &claims_all(&algorithm->claims)->items[0];
}

/* Compares the claim with the cost that is derived there; false where it does not speak of it. */
static bool compare_claim(Fixture *fixture, const SampleQuestion *question, const Claim *claim,
                          const Network *network, const Instance *instance)
{
    static const int64_t link_costs[PARAMETER_COUNT] = {1000003, 10007, 101, 11};
    ExactParameters parameters;
    ClaimPoint point = claim_point(&network->shape, instance->root, instance->k, instance->ports);
    Profile profile;
    Exact claimed, size;
    point.target = instance->target;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        parameters.parameters[i] = exact_from_int(link_costs[i]);
    if (!claim_applies(claim, &point))
        return false;
    ck_assert(profile_derive(fixture->arena, instance, network, &question->rules, &profile,
                             &fixture->diag));
    size = exact_from_int(profile.chunks * 12);
    ck_assert(claim_exact(claim, &point, &parameters, size, &claimed));
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
                Instance instance = {.algorithm = question->algorithm,
                                     .p = p,
                                     .root = roots[r],
                                     .k = chunks[k],
                                     .ports = 1,
                                     .shape = &network->shape,
                                     .target = roots[t]};
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
    TCase *proposals = tcase_create("proposals");
    tcase_set_timeout(proposals, 300);
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
