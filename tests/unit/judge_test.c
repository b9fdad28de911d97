/* Formulas of papers, in all their readings, against derived costs. */
#include "claims/judge.h"

#include "claims/verdicts.h"
#include "lang/parse.h"
#include "lang/show.h"
#include "unit.h"

#include <string.h>

/* A question and the answer. */
typedef struct {
    const Algorithm *algorithm;
    InformalLetters letters;
    Equation equation;
    SymbolList symbols;
    VerdictGrid grid;
    Judgement judgement;
} Question;

static void open_question(Fixture *fixture, const char *algorithm, const char *topology,
                          int64_t largest_p, Question *question)
{
    *question = (Question){.algorithm = algorithm_named(fixture, algorithm)};
    question->grid = verdict_grid_up_to(largest_p);
    question->grid.on =
        library_topology(fixture->library, text_of(fixture, topology), &fixture->diag);
}

static bool find_symbols(Fixture *fixture, const char *formula, const FixedMeaningArray *fixed,
                         Question *question)
{
    question->letters.names = readings_names(fixture->arena, fixed, question->algorithm);
    equation_read(fixture->arena, text_of(fixture, formula), &question->letters,
                  &question->equation, &fixture->diag);
    assert_no_error(fixture);
    return symbols_find(fixture->arena, question->equation.parts.items[0].formula, NULL, fixed,
                        question->algorithm, &question->symbols, &fixture->diag);
}

static bool judge(Fixture *fixture, Question *question)
{
    const VerdictQuestion asked = {fixture->arena,
                                   fixture->library,
                                   {.algorithm = question->algorithm},
                                   &question->grid,
                                   &fixture->diag};
    return judge_formula(&asked, &question->equation.parts.items[0], &question->symbols,
                         &question->judgement);
}

static void ask(Fixture *fixture, const char *formula, const char *algorithm, const char *topology,
                int64_t largest_p, Question *question)
{
    FixedMeaningArray none = {0};
    open_question(fixture, algorithm, topology, largest_p, question);
    ck_assert(find_symbols(fixture, formula, &none, question));
    ck_assert_msg(judge(fixture, question), "%s", take_messages(fixture));
}

static const char *read_as(Fixture *fixture, const JudgedReading *judged)
{
    return expr_show(fixture->arena, program_expr(judged->claim.formula.program));
}

static const struct {
    const char *formula, *algorithm, *topology, *read_as;
} right[] = {
    /* n is the whole, beta the time per byte: Thakur, Rabenseifner and Gropp 2005 */
    {"(p-1) α + (p-1)/p n β", "allgather/ring", "ring", "(p - 1) * ts + (p - 1) / p * M * tw"},
    {"log p α + (p-1)/p n β", "allgather/recursive-doubling", "full",
     "log2(p) * ts + (p - 1) / p * M * tw"},
    {"2 log p α + 2 (p-1)/p n β + (p-1)/p n γ", "allreduce/rabenseifner", "full",
     "2 * log2(p) * ts + 2 * (p - 1) / p * M * tw + (p - 1) / p * M * tc"},
    /* n is the number of ranks, B a bandwidth: nccl-tests */
    {"2(n-1)/n * S/B", "allreduce/ring", "ring", "2 * (p - 1) / p * M * tw"},
    {"\\frac{2(n-1)}{n B} S", "allreduce/ring", "ring", "2 * (p - 1) / p * tw * M"},
    {"2(n-1)(α + S/(n B))", "allreduce/ring", "full", "2 * (p - 1) * (ts + M / p * tw)"},
    {"(n-1) S B^{-1}/n", "allgather/ring", "full", "(p - 1) * M * tw / p"},
    /* LogGP: the startup time is L + 2 o */
    {"(P-1)(L + 2o + m G)", "allgather/ring", "full", "(p - 1) * (ts - 2 * o + 2 * o + m * tw)"},
    /* Bruck et al.: beta is a startup time, tau a time per byte */
    {"(n-1)(β + b τ)", "allgather/ring", "full", "(p - 1) * (ts + m * tw)"},
    /* n is the whole vector */
    {"⌈log p⌉(α + n β + n γ)", "reduce/binomial", "full", "clog2(p) * (ts + M * tw + M * tc)"},
    {"⌈log_{2} N⌉ t_s + (N-1) m t_w", "gather/binomial", "full",
     "clog2(p) * ts + (p - 1) * m * tw"},
    {"\\sum_{i=0}^{p-2} (ts + m tw)", "allgather/ring", "full", "sum(i, 0, p - 2, ts + m * tw)"},
    {"clog2(p) * (ts + th + m * tw)", "broadcast/binomial", "full",
     "clog2(p) * (ts + th + m * tw)"},
};

START_TEST(right_formulas_hold_as_they_are_meant)
{
    Fixture *fixture = fixture_open();
    Question question;
    ask(fixture, right[_i].formula, right[_i].algorithm, right[_i].topology, 12, &question);
    const JudgedReading *chosen = question.judgement.chosen;
    ck_assert_msg(chosen->verdict.holds, "%s", chosen->verdict.counterexample);
    ck_assert_int_gt(chosen->verdict.cases, 0);
    ck_assert_str_eq(read_as(fixture, chosen), right[_i].read_as);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *formula, *algorithm, *topology, *counterexample, *condition;
} wrong[] = {
    {"(p-1) ts + p m tw", "allgather/ring", "ring",
     "ring, p = 2: claimed ts + 2 m tw, derived ts + m tw", NULL},
    {"(p-1) (ts + m tw)", "alltoall/ring", "ring",
     "ring, p = 3: claimed 2 ts + 2 m tw, derived 2 ts + 3 m tw", NULL},
    {"⌈log p⌉ (α + n/2 β)", "alltoall/bruck", "full",
     "full, p = 3: claimed 2 ts + 3 m tw, derived 2 ts + 2 m tw", "power_of_two(p)"},
    {"(p+k-2)(ts + m/k tw)", "broadcast/pipelined-chain", "full",
     "full, p = 1, k = 2: claimed ts + 1/2 m tw, derived 0", "p > 1"},
    {"(p+k-2)(ts + m/k tw)", "broadcast/pipelined-chain", "linear",
     "linear, p = 3, root = 1, store-and-forward: claimed 2 ts + 2 m tw, derived 2 ts + 3 m tw",
     "p > 1 and cut-through"},
    {"2 ts (√p - 1) + m tw (p - 1)", "allgather/dimension-by-dimension", "torus",
     "torus, p = 2: claimed 0.828427 ts + m tw, derived ts + m tw", "dims == 2 and X == Y"},
    {"(p-1)(ts + 2 th + m tw)", "allgather/ring", "ring",
     "ring, p = 2: claimed ts + 2 th + m tw, derived ts + th + m tw", "th = 0"},
    /* right for p = 9 and p = 25 only: too few for a condition */
    {"(p-1)(ts + m tw) + when(is_square(p) and p mod 2 == 1, 0, 1) ts", "allgather/ring", "full",
     "full, p = 2: claimed 2 ts + m tw, derived ts + m tw", NULL},
    {"(p-1)(ts + m tw) + when(is_square(p), 0, 1) ts", "allgather/ring", "full",
     "full, p = 2: claimed 2 ts + m tw, derived ts + m tw", "is_square(p)"},
};

START_TEST(wrong_formulas_are_refuted_at_the_smallest_place)
{
    Fixture *fixture = fixture_open();
    Question question;
    ask(fixture, wrong[_i].formula, wrong[_i].algorithm, wrong[_i].topology, 25, &question);
    const Judgement *judgement = &question.judgement;
    ck_assert(!judgement->chosen->verdict.holds);
    ck_assert_str_eq(judgement->chosen->verdict.counterexample, wrong[_i].counterexample);
    ck_assert_pstr_eq(judgement->condition.text, wrong[_i].condition);
    fixture_close(fixture);
}
END_TEST

/* What no text says of hops and switching is neglected: then it is said where the formula fails. */
START_TEST(one_way_of_switching_is_enough)
{
    static const struct {
        const char *formula, *algorithm;
        Switching switching;
    } cases[] = {
        {"⌈log p⌉ (ts + m tw)", "broadcast/binomial", SWITCHING_CUT_THROUGH},
        {"ts + l th + m tw", "point-to-point/direct", SWITCHING_CUT_THROUGH},
        {"t_s + (mt_w + t_h)l", "point-to-point/direct", SWITCHING_STORE_AND_FORWARD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        ask(fixture, cases[i].formula, cases[i].algorithm, "ring", 12, &question);
        ck_assert_int_eq(question.judgement.outcome, OUTCOME_HOLDS);
        ck_assert_int_eq(question.judgement.chosen->verdict.switching, cases[i].switching);
        fixture_close(fixture);
    }
}
END_TEST

/* In products n is an order, and terms without a time count multiply-adds. */
START_TEST(products_have_times_too)
{
    static const struct {
        const char *formula, *algorithm;
        Outcome outcome;
    } cases[] = {
        {"n^2/p + ts log p + tw (p-1) n/p", "matvec/striped", OUTCOME_HOLDS},
        {"t_c n^2/q^2 + ts log p + tw (p-1) n/p", "matvec/striped", OUTCOME_HOLDS},
        {"n^3/p + ts log p", "matmul/dns", OUTCOME_WRONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        ask(fixture, cases[i].formula, cases[i].algorithm, "hypercube", 16, &question);
        ck_assert_msg(question.judgement.outcome == cases[i].outcome, "%s",
                      question.judgement.chosen->verdict.counterexample);
        fixture_close(fixture);
    }
}
END_TEST

/* With i free a formula is about each round. */
START_TEST(formulas_can_be_about_rounds)
{
    static const struct {
        const char *formula, *algorithm;
        Outcome outcome;
        ClaimKind kind;
    } cases[] = {
        {"t_s + 2^{i-1}mt_w", "allgather/recursive-doubling", OUTCOME_HOLDS, CLAIM_STEP},
        {"t_s + 2^i m t_w", "allgather/recursive-doubling", OUTCOME_HOLDS, CLAIM_STEP},
        {"2^{i-1}m", "allgather/recursive-doubling", OUTCOME_HOLDS, CLAIM_MESSAGE},
        {"t_s + i m t_w", "allgather/recursive-doubling", OUTCOME_WRONG, CLAIM_STEP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        ask(fixture, cases[i].formula, cases[i].algorithm, "hypercube", 16, &question);
        ck_assert_int_eq(question.judgement.outcome, cases[i].outcome);
        ck_assert_int_eq(question.judgement.chosen->claim.kind, cases[i].kind);
        fixture_close(fixture);
    }
}
END_TEST

/* m is one block here, M the whole; a formula that wants it the other way round is wrong as it
   stands. */
START_TEST(our_own_letters_keep_their_meaning)
{
    static const struct {
        const char *formula, *algorithm, *otherwise;
    } cases[] = {
        {"(p-1) α + (p-1)/p m β", "allgather/ring", "(p - 1) * ts + (p - 1) / p * M * tw"},
        {"(p-1)(ts + M tw)", "allgather/ring", "(p - 1) * (ts + m * tw)"},
        {"(p-1)/p (m tw + m tc) + (p-1) ts", "reduce-scatter/ring",
         "(p - 1) / p * (M * tw + M * tc) + (p - 1) * ts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        ask(fixture, cases[i].formula, cases[i].algorithm, "full", 12, &question);
        const Judgement *judgement = &question.judgement;
        ck_assert(!judgement->chosen->verdict.holds && !judgement->chosen->is_unusual);
        ck_assert_ptr_nonnull(judgement->otherwise);
        ck_assert_str_eq(read_as(fixture, judgement->otherwise), cases[i].otherwise);
        fixture_close(fixture);
    }
}
END_TEST

/* Exact for powers of two; rounded where that holds too. */
START_TEST(logarithms_are_claimed_where_they_are_whole)
{
    Fixture *fixture = fixture_open();
    Question question;
    ask(fixture, "log p (ts + m tw)", "broadcast/binomial", "full", 16, &question);
    const Judgement *judgement = &question.judgement;
    const JudgedReading *readings = judgement->readings.items;
    ck_assert_uint_eq(judgement->readings.count, 3);
    ck_assert_ptr_eq(judgement->chosen, &readings[0]);
    ck_assert_str_eq(expr_show(fixture->arena, readings[0].reading.when), "power_of_two(p)");
    bool any_wider = false;
    for (size_t i = 1; i < judgement->readings.count; i++)
        any_wider |= strcmp(read_as(fixture, &readings[i]), "clog2(p) * (ts + m * tw)") == 0 &&
                     readings[i].verdict.holds &&
                     readings[i].verdict.cases > readings[0].verdict.cases;
    ck_assert(any_wider);
    fixture_close(fixture);
}
END_TEST

/* Nowhere whole, so nothing is claimed there: the rounded reading is judged. */
START_TEST(a_reading_without_a_case_does_not_hold)
{
    Fixture *fixture = fixture_open();
    Question question;
    FixedMeaningArray none = {0};
    Shape six = shape_line(6);
    open_question(fixture, "broadcast/binomial", "full", 6, &question);
    question.grid.shapes = &six;
    question.grid.shape_count = 1;
    ck_assert(find_symbols(fixture, "log p (ts + m tw)", &none, &question));
    ck_assert(judge(fixture, &question));
    ck_assert(question.judgement.chosen->verdict.holds);
    ck_assert_str_eq(read_as(fixture, question.judgement.chosen), "clog2(p) * (ts + m * tw)");
    question.grid.root = 6;
    ck_assert(!judge(fixture, &question));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* Logarithms to other bases are counted, not rounded. */
START_TEST(logarithms_have_bases)
{
    static const struct {
        const char *formula;
        int64_t p, value;
    } cases[] = {{"⌈log_3 p⌉", 9, 2},  {"⌈log_3 p⌉", 10, 3},      {"⌊log_3 p⌋", 26, 2},
                 {"⌊log_3 p⌋", 27, 3}, {"⌈log_{d+1} p⌉", 125, 3}, {"⌈log_3 p⌉", 1, 0},
                 {"⌊log_3 p⌋", 1, 0},  {"⌈log_5 p⌉", 15625, 6},   {"⌈log_7 p⌉", 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        FixedMeaningArray none = {0};
        Claim claim;
        Exact value;
        ClaimPoint point = {.p = cases[i].p, .ports = 4, .sizes = {1, 1, 1}};
        ExactParameters one;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            one.parameters[x] = exact_from_int(1);
        open_question(fixture, "broadcast/binomial", "full", 4, &question);
        ck_assert(find_symbols(fixture, arena_printf(fixture->arena, "%s ts", cases[i].formula),
                               &none, &question));
        ck_assert(judge(fixture, &question));
        claim = question.judgement.readings.items[0].claim;
        ck_assert(claim_exact(&claim, &point, &one, exact_from_int(1), &value));
        ck_assert_int_eq(value.numerator, cases[i].value);
        ck_assert_int_eq(value.denominator, 1);
        fixture_close(fixture);
    }
}
END_TEST

/* What does not occur is said, and only hops may be left out. */
START_TEST(parameters_that_do_not_occur_are_shown)
{
    Fixture *fixture = fixture_open();
    Question question;
    ask(fixture, "2 (p-1)/p m tw", "allreduce/ring", "ring", 12, &question);
    const DerivedExample *example = &question.judgement.example;
    ck_assert_int_eq(question.judgement.outcome, OUTCOME_NEGLECTING);
    ck_assert_str_eq(judgement_words(fixture->arena, &question.judgement),
                     "holds neglecting ts and tc");
    ck_assert_str_eq(example->place, "ring, p = 8");
    ck_assert_str_eq(example->derived, "14 ts + 14 th + 7/4 m tw + 7/8 m tc");
    ck_assert_str_eq(example->missing[PARAMETER_TS], "14 ts");
    ck_assert_str_eq(example->missing[PARAMETER_TH], "14 th");
    ck_assert_ptr_null(example->missing[PARAMETER_TW]);
    ck_assert_str_eq(example->missing[PARAMETER_TC], "7/8 m tc");
    fixture_close(fixture);
}
END_TEST

START_TEST(terms_and_bounds_are_judged_apart)
{
    Fixture *fixture = fixture_open();
    Question question;
    ask(fixture, "(p-1) ts + p m tw", "allgather/ring", "full", 8, &question);
    const Judgement *judgement = &question.judgement;
    ck_assert_int_eq(judgement->terms[PARAMETER_TS], TERM_HOLDS);
    ck_assert_int_eq(judgement->terms[PARAMETER_TH], TERM_ABSENT);
    ck_assert_int_eq(judgement->terms[PARAMETER_TW], TERM_REFUTED);
    ck_assert(judgement->chosen->at_most.holds);
    ask(fixture, "(p-2) ts + p m tw", "allgather/ring", "full", 8, &question);
    ck_assert(!question.judgement.chosen->at_most.holds);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *algorithm, *formula, *fixed, *word;
    size_t column; /* of the error; 0: none */
} letters[] = {
    {"allgather/ring", "log p (ts + m tw)", NULL, NULL, 0},
    {"allgather/ring", "x ts", NULL, NULL, 1},
    {"allgather/ring", "q ts", NULL, NULL, 0},
    {"allgather/ring", "q ts", "q", "ranks", 0},
    {"allgather/ring", "q ts", "q", "p", 0},
    {"allgather/ring", "m/B", "B", "1/tw", 0},
    {"allgather/ring", "O(log p)", NULL, NULL, 1},
    {"allgather/ring", "log p (ts + mtw)", NULL, NULL, 0},
    {"allgather/ring", "(numProcs - 1) T_{byte} MsgSize/num_procs", NULL, NULL, 33},
    {"allgather/ring", "(nProcs - 1)(T_Start + count t_{Byte})", NULL, NULL, 0},
    {"allgather/ring", "(np - 1) TS", NULL, NULL, 10}, /* short names keep their case */
    {"allgather/ring", "log p (ts + xtw)", NULL, NULL, 13},
    {"allgather/ring", "log p ts", "m", "buffer", 1},
    {"allgather/ring", "log p ts", "log", "ceil", 0},
    {"allgather/ring", "log p ts", "log", "buffer", 1},
    {"allgather/ring", "p ts", "p", "ceil", 1},
    {"allgather/ring", "⌈log p⌉ ts", "log", "ceil", 1}, /* nothing is open */
    {"allgather/ring", "sum(i, 1, p, i) ts", NULL, NULL, 0},
    {"allgather/ring", "sum(i, 1, p, x) ts", NULL, NULL, 14},
    {"allgather/ring", "tm ts", NULL, NULL, 1},
    {"allgather/ring", "l m tw", NULL, NULL, 0},
    {"point-to-point/direct", "l ts", NULL, NULL, 0},
    {"allgather/ring", "a1 a2 a3 ts", NULL, NULL, 1},
    {"broadcast/pipelined-chain", "p n m M k d ts th tw tc alpha beta gamma", NULL, NULL, 36},
    {"broadcast/pipelined-chain", "k ts", NULL, NULL, 0},
    {"allgather/radix-bruck", "radix ts", NULL, NULL, 0},
    {"allgather/radix-bruck", "fanout ts", NULL, NULL, 1},
    {"allgather/ring", "radix ts", NULL, NULL, 1},
    {"allgather/ring", "k ts", "k", "ranks", 0},
};

START_TEST(letters_are_known_or_explained)
{
    Fixture *fixture = fixture_open();
    Question question;
    FixedMeaningArray fixed = {0};
    if (letters[_i].fixed) {
        int meaning = meaning_find(text_of(fixture, letters[_i].word));
        ck_assert_int_ge(meaning, 0);
        *ARRAY_PUSH(fixture->arena, &fixed) =
            (FixedMeaning){text_of(fixture, letters[_i].fixed), (Meaning)meaning};
    }
    open_question(fixture, letters[_i].algorithm, "full", 4, &question);
    bool good = find_symbols(fixture, letters[_i].formula, &fixed, &question);
    ck_assert_int_eq(good, letters[_i].column == 0);
    if (!good)
        assert_error_at(fixture, "text", 1, letters[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(what_is_no_time_is_refused)
{
    static const struct {
        const char *formula;
        size_t column;
    } cases[] = {{"p m m", 1}, {"ts + p", 1}, {"ts tw", 1}, {"log m ts", 5}, {"(p-1) M B", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        Question question;
        FixedMeaningArray none = {0};
        open_question(fixture, "allgather/ring", "full", 4, &question);
        ck_assert(find_symbols(fixture, cases[i].formula, &none, &question));
        ck_assert(!judge(fixture, &question));
        assert_error_at(fixture, "text", 1, cases[i].column);
        fixture_close(fixture);
    }
}
END_TEST

/* Typed in by a user. */
static const JudgedReading *judge_typed(Fixture *fixture, const Algorithm *algorithm,
                                        const Claim *claim, const char *topology)
{
    Question question;
    FixedMeaningArray none = {0};
    const char *text =
        arena_copy(fixture->arena, claim->formula.text.chars, claim->formula.text.length);
    const char *name = algorithm_full_name(fixture->arena, algorithm);
    open_question(fixture, name, topology, 7, &question);
    question.grid.overlap = claim->overlaps;
    if (!claim->switching[SWITCHING_CUT_THROUGH])
        question.grid.switching = SWITCHING_STORE_AND_FORWARD;
    if (!claim->switching[SWITCHING_STORE_AND_FORWARD])
        question.grid.switching = SWITCHING_CUT_THROUGH;
    ck_assert_msg(find_symbols(fixture, text, &none, &question), "%s", text);
    ck_assert_msg(judge(fixture, &question), "%s: %s", name, text);
    return question.judgement.chosen;
}

/* What is recorded as proved holds where it is compared. */
static Outcome compared(const Verdict *verdict)
{
    const Outcome outcome = verdict_outcome(verdict);
    return outcome == OUTCOME_PROVED ? OUTCOME_HOLDS : outcome;
}

/* Its verdict is that of errata on the claim. */
static void assert_same_verdict(Fixture *fixture, const Algorithm *algorithm, const Claim *claim)
{
    for (size_t t = 0; t < claim->on_count; t++) {
        Claim printed = *claim;
        Verdict verdict;
        VerdictGrid grid = verdict_grid_up_to(7);
        const ClaimList list = {&printed, 1};
        const VerdictQuestion asked = {
            fixture->arena, fixture->library, {.algorithm = algorithm}, &grid, &fixture->diag};
        const JudgedReading *chosen = judge_typed(fixture, algorithm, claim, claim->on[t]);
        printed.on = &claim->on[t];
        printed.on_count = 1;
        ck_assert(verdicts_find_printed(&asked, &list, &verdict));
        ck_assert(verdict.cases == 0 || !verdict.holds || !chosen->is_unusual);
        ck_assert_msg(verdict.cases == 0 || chosen->reading.when ||
                          compared(&chosen->verdict) == compared(&verdict),
                      "%s: %.*s: %s, %s", algorithm->head.name, (int)claim->formula.text.length,
                      claim->formula.text.chars, verdict_words(fixture->arena, &chosen->verdict),
                      verdict_words(fixture->arena, &verdict));
    }
}

START_TEST(claims_of_the_library_have_their_verdict_when_typed)
{
    Fixture *fixture = fixture_open();
    int judged = 0;
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        const Algorithm *algorithm = entry->kind == KIND_ALGORITHM
                                         ? library_load(fixture->library, entry, &fixture->diag)
                                         : NULL;
        for (size_t c = 0; algorithm && c < algorithm->claims.list.count; c++) {
            const Claim *claim = &claims_all(&algorithm->claims)->items[c];
            if (claim->kind != CLAIM_TIME || claim->when.program || claim->first.program ||
                algorithm->collective->problem)
                continue;
            assert_same_verdict(fixture, algorithm, claim);
            judged += (int)claim->on_count;
        }
    }
    ck_assert_int_gt(judged, 100);
    fixture_close(fixture);
}
END_TEST

Suite *judge_suite(void)
{
    Suite *suite = suite_create("judge");
    TCase *formulas = tcase_create("formulas");
    tcase_set_timeout(formulas, 300);
    tcase_add_loop_test(formulas, right_formulas_hold_as_they_are_meant, 0,
                        sizeof right / sizeof *right);
    tcase_add_loop_test(formulas, wrong_formulas_are_refuted_at_the_smallest_place, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_test(formulas, one_way_of_switching_is_enough);
    tcase_add_test(formulas, products_have_times_too);
    tcase_add_test(formulas, formulas_can_be_about_rounds);
    tcase_add_test(formulas, our_own_letters_keep_their_meaning);
    tcase_add_test(formulas, logarithms_are_claimed_where_they_are_whole);
    tcase_add_test(formulas, a_reading_without_a_case_does_not_hold);
    tcase_add_test(formulas, logarithms_have_bases);
    tcase_add_test(formulas, parameters_that_do_not_occur_are_shown);
    tcase_add_test(formulas, terms_and_bounds_are_judged_apart);
    tcase_add_test(formulas, claims_of_the_library_have_their_verdict_when_typed);
    suite_add_tcase(suite, formulas);
    TCase *mistakes = tcase_create("mistakes");
    tcase_add_loop_test(mistakes, letters_are_known_or_explained, 0,
                        sizeof letters / sizeof *letters);
    tcase_add_test(mistakes, what_is_no_time_is_refused);
    suite_add_tcase(suite, mistakes);
    return suite;
}
