/* Machines fitted to times that the tool itself gives, with errors from fixed seeds. */
#include "exchange/fitting.h"

#include "base/random.h"
#include "base/sha256.h"
#include "exchange/least_squares.h"
#include "study/study.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* Normally distributed, by the sum of twelve. */
static double noise(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(random_next(state) >> 11) * 0x1p-53;
    return sum;
}

/* ### Least squares */

/* y = a x + b with one wild point. */
enum { LINE_POINTS = 9 };
static const double line_y[LINE_POINTS] = {1.01, 2.99, 5.02, 6.98, 9.01, 40, 12.99, 15.01, 16.99};

static bool line_residuals(void *context, const double *at, double *residuals)
{
    (void)context;
    for (int i = 0; i < LINE_POINTS; i++)
        residuals[i] = at[0] * i + at[1] - line_y[i];
    return true;
}

static bool line_slopes(void *context, const double *at, double *slopes)
{
    (void)context;
    (void)at;
    for (int i = 0; i < LINE_POINTS; i++)
        slopes[2 * i] = i, slopes[2 * i + 1] = 1;
    return true;
}

START_TEST(a_wild_point_hardly_counts)
{
    Fixture *fixture = fixture_open();
    const LeastSquares problem = {.rows = LINE_POINTS,
                                  .parameters = 2,
                                  .scale = 0.1,
                                  .residuals = line_residuals,
                                  .slopes = line_slopes};
    const double start[2] = {0, 0};
    LeastSquaresFit fit;
    ck_assert(least_squares_fit(fixture->arena, &problem, start, &fit));
    assert_near(fit.at[0], 2, 0.005);
    assert_near(fit.at[1], 1, 0.02);
    ck_assert_double_gt(fit.residuals[5], -29.2);
    /* without it the second weighs as much as the line says */
    const double weights[LINE_POINTS] = {1, 1, 1, 1, 1, 0, 1, 1, 1};
    LeastSquares without = problem;
    without.weights = weights;
    ck_assert(least_squares_fit(fixture->arena, &without, start, &fit));
    assert_near(fit.at[0], 1.9987, 1e-3);
    assert_near(fit.counted, 6, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* The line, if there were no other parameters than 0 and 0. */
static bool only_residuals(void *context, const double *at, double *residuals)
{
    return at[0] == 0 && at[1] == 0 && line_residuals(context, at, residuals);
}

/* So slight that steps stay long however much they are damped. */
static bool slight_slopes(void *context, const double *at, double *slopes)
{
    line_slopes(context, at, slopes);
    for (int i = 0; i < 2 * LINE_POINTS; i++)
        slopes[i] *= 1e-12;
    return true;
}

START_TEST(a_fit_without_a_better_place_stays_and_ends)
{
    Fixture *fixture = fixture_open();
    const LeastSquares problem = {.rows = LINE_POINTS,
                                  .parameters = 2,
                                  .scale = 0.1,
                                  .residuals = only_residuals,
                                  .slopes = slight_slopes};
    const double start[2] = {0, 0};
    LeastSquaresFit fit;
    ck_assert(least_squares_fit(fixture->arena, &problem, start, &fit));
    ck_assert_double_eq(fit.at[0], 0);
    ck_assert_double_eq(fit.at[1], 0);
    fixture_close(fixture);
}
END_TEST

/* ### Pieces */

static double protocol_time(double bytes)
{
    return bytes <= 128    ? 1e-6 + bytes / 1e9
           : bytes <= 8192 ? 1.6e-6 + bytes / 3e9
                           : 8e-6 + bytes / 10e9;
}

START_TEST(breaks_of_protocols_are_found)
{
    Fixture *fixture = fixture_open();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TimedSizeArray sizes = {0};
        uint64_t state = seed;
        for (double bytes = 1; bytes <= 4194304; bytes *= 2)
            *ARRAY_PUSH(fixture->arena, &sizes) =
                (TimedSize){bytes, protocol_time(bytes) * exp(0.01 * noise(&state))};
        MessagePieces pieces;
        ck_assert(message_pieces_find(fixture->arena, &sizes, 0, 4, &pieces));
        ck_assert_int_eq(pieces.count, 3);
        ck_assert(pieces.items[0].up_to == 128);
        ck_assert(pieces.items[1].up_to == 8192);
        assert_near(pieces.items[2].startup, 8e-6, 0.05);
        assert_near(pieces.items[2].seconds_per_byte, 1e-10, 0.03);
        ck_assert_double_lt(pieces.rms, 0.015);
        ck_assert(message_pieces_find(fixture->arena, &sizes, 2, 4, &pieces));
        ck_assert_int_eq(pieces.count, 2);
        ck_assert(!message_pieces_find(fixture->arena, &sizes, 9, 4, &pieces));
    }
    fixture_close(fixture);
}
END_TEST

/* More sizes than places of breaks that are tried at first; of the first two more than are looked
   at, which then are some 10 bytes apart. */
START_TEST(breaks_among_many_sizes_are_found)
{
    static const double gaps[] = {1, 3, 10}, ends[] = {128, 8192};
    Fixture *fixture = fixture_open();
    TimedSizeArray sizes = {0};
    for (double bytes = 1; bytes <= 10000; bytes += gaps[_i])
        *ARRAY_PUSH(fixture->arena, &sizes) = (TimedSize){bytes, protocol_time(bytes)};
    MessagePieces pieces;
    ck_assert(message_pieces_find(fixture->arena, &sizes, 0, 4, &pieces));
    ck_assert_int_eq(pieces.count, 3);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_le(pieces.items[i].up_to, ends[i]);
        ck_assert_double_gt(pieces.items[i].up_to, ends[i] - 11);
    }
    fixture_close(fixture);
}
END_TEST

/* ### Machines */

static Study *study_on(Fixture *fixture, double ts, double tw, double tc)
{
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    study->machine = (Machine){.ports = 1, .parameters = {ts, 0, tw, tc}};
    rules_follow_machine(&study->rules, &study->machine);
    return study;
}

static const char *const algorithms[][2] = {{"allreduce", "recursive-doubling"},
                                            {"allreduce", "ring"},
                                            {"allgather", "ring"},
                                            {"allgather", "bruck"},
                                            {"reduce", "binomial"},
                                            {"broadcast", "binomial"},
                                            {"reduce-scatter", "ring"},
                                            {"alltoall", "pairwise"}};
enum { LARGEST = 1 << 26, ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* What these take by a study on so many ranks, and then with an error of `share`; sizes rise by
   `ratio`. */
static MeasurementArray measure_on(Fixture *fixture, Predictor *truth, const int64_t *ranks,
                                   int count, double ratio, double share, uint64_t seed)
{
    MeasurementArray rows = {0};
    uint64_t state = seed;
    for (int a = 0; a < ALGORITHMS * count; a++)
        for (double bytes = 8; bytes <= LARGEST; bytes *= ratio) {
            Measurement row = {.collective = algorithms[a / count][0],
                               .algorithm = algorithms[a / count][1],
                               .ran = "",
                               .library = "",
                               .system = "",
                               .p = ranks[a % count],
                               .bytes = bytes,
                               .logged_bytes = bytes,
                               .place = NOWHERE,
                               .finish = FINISH_LAST,
                               .repeats = 1};
            Prediction found;
            const char *reason;
            ck_assert(prediction_find(truth, &row, &found, &reason));
            row.seconds = found.cost->total_s * exp(share * noise(&state));
            *ARRAY_PUSH(fixture->arena, &rows) = row;
        }
    return rows;
}

static MeasurementArray measure(Fixture *fixture, Predictor *truth, double share, uint64_t seed)
{
    return measure_on(fixture, truth, (int64_t[]){16}, 1, 8, share, seed);
}

static const FittedValue *fitted_named(const Fit *fit, const char *name)
{
    for (size_t i = 0; i < fit->parameters.count; i++)
        if (strcmp(fit->parameters.items[i].varied.name, name) == 0)
            return &fit->parameters.items[i];
    ck_abort_msg("there is no parameter %s", name);
    return NULL;
}

static bool is_covered(const FittedValue *fitted, double value)
{
    ck_assert_ptr_null(fitted->reason);
    return value >= fitted->value / fitted->factor && value <= fitted->value * fitted->factor;
}

START_TEST(parameters_are_recovered_and_intervals_cover_them)
{
    static const char *const names[] = {"startup", "bandwidth", "compute"};
    static const double truth[] = {2e-6, 1e-10, 2.5e-10};
    enum { RUNS = 100, NAMES = 3 };
    Fixture *fixture = fixture_open();
    Study *study = study_on(fixture, truth[0], truth[1], truth[2]);
    Predictor predictor = {
        .study = study,
        .topology = library_topology(fixture->library, text_of(fixture, "full"), &fixture->diag)};
    int covered[NAMES] = {0};
    double sums[NAMES] = {0};
    for (int run = 0; run < RUNS; run++) {
        MeasurementArray rows = measure(fixture, &predictor, 0.05, (uint64_t)run + 1);
        Study *blank = study_on(fixture, 0, 0, 0);
        Predictor fitting = {.study = blank, .topology = predictor.topology};
        const FitQuestion question = {
            .predictor = &fitting, .rows = &rows, .begins_anywhere = true};
        Fit fit;
        ck_assert(fit_find(&question, &fit));
        for (int i = 0; i < NAMES; i++) {
            const FittedValue *fitted = fitted_named(&fit, names[i]);
            covered[i] += is_covered(fitted, truth[i]);
            sums[i] += log(fitted->value / truth[i]);
            ck_assert_double_lt(fabs(log(fitted->value / truth[i])), 0.08);
        }
        ck_assert_ptr_nonnull(fitted_named(&fit, "per-hop")->reason);
    }
    for (int i = 0; i < NAMES; i++) {
        ck_assert_int_ge(covered[i], 89);
        ck_assert_int_le(covered[i], 99);
        ck_assert_double_lt(fabs(sums[i] / RUNS), 0.01);
    }
    fixture_close(fixture);
}
END_TEST

static Machine fourteen(const double *startups, const double *bandwidths, const double *rates,
                        double call)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const double sizes[] = {512, 8192, 131072, 2097152, INFINITY};
    static const double held[] = {262144, 8388608, INFINITY};
    Machine machine = {.ports = 1, .protocol_count = 5, .listed_count = 5, .compute.count = 3};
    machine.delays[DELAY_CALL] = (Delay){.is_given = true, .seconds = call};
    for (int i = 0; i < 5; i++)
        machine.protocols[i] = (Protocol){.name = {.chars = names[i], .length = 1, .span = NOWHERE},
                                          .number = i,
                                          .up_to = sizes[i],
                                          .parameters = {startups[i], -1, 1 / bandwidths[i], -1}};
    for (int i = 0; i < 3; i++)
        machine.compute.items[i] = (WorkingPrice){held[i], 1 / rates[i]};
    machine.parameters[PARAMETER_TS] = startups[0];
    machine.parameters[PARAMETER_TW] = 1 / bandwidths[0];
    machine.parameters[PARAMETER_TC] = 1 / rates[0];
    return machine;
}

static Study *study_with(Fixture *fixture, const Machine *machine)
{
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    study->machine = *machine;
    rules_follow_machine(&study->rules, &study->machine);
    return study;
}

/* What the logarithm of a fitted parameter should be. */
static double true_log(const FittedValue *fitted, const Machine *truth)
{
    const VariedParameter *varied = &fitted->varied;
    for (int i = 0; i < truth->protocol_count; i++)
        if (text_same(truth->protocols[i].name, varied->owner))
            return log(truth->protocols[i].parameters[varied->parameter]);
    if (varied->parameter == PARAMETER_TC)
        return log(truth->compute
                       .items[strcmp(varied->name, "to-256KiB.compute") == 0 ? 0
                              : strcmp(varied->name, "to-8MiB.compute") == 0 ? 1
                                                                             : 2]
                       .price);
    ck_assert_str_eq(varied->name, "call");
    return log(truth->delays[DELAY_CALL].seconds);
}

/* A thousand rows with an error of 5 % of a machine with five protocols, three rates of combining
   and a call, from a start where all protocols, and all rates, are the same. */
START_TEST(fourteen_parameters_are_recovered)
{
    static const double startups[] = {2e-6, 4e-6, 10e-6, 60e-6, 700e-6},
                        bandwidths[] = {0.1e9, 1e9, 3e9, 8e9, 12e9}, rates[] = {2e9, 1.5e9, 1e9},
                        same[] = {20e-6, 20e-6, 20e-6, 20e-6, 20e-6},
                        equal[] = {3e9, 3e9, 3e9, 3e9, 3e9};
    enum { RUNS = 4, PARAMETERS = 14, MOST = 32 };
    Fixture *fixture = fixture_open();
    const Machine truth = fourteen(startups, bandwidths, rates, 6e-6),
                  start = fourteen(same, equal, equal, 3e-6);
    const Topology *full =
        library_topology(fixture->library, text_of(fixture, "full"), &fixture->diag);
    Predictor predictor = {.study = study_with(fixture, &truth), .topology = full};
    double squares[MOST] = {0};
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
        MeasurementArray rows = measure_on(fixture, &predictor, (int64_t[]){4, 8, 16, 32}, 4, 1.5,
                                           0.05, (uint64_t)run + 1);
        ck_assert_uint_ge(rows.count, 1000);
        Predictor fitting = {.study = study_with(fixture, &start), .topology = full};
        const FitQuestion question = {.predictor = &fitting, .rows = &rows};
        Fit fit;
        ck_assert(fit_find(&question, &fit));
        int known = 0;
        for (size_t i = 0; i < fit.parameters.count; i++) {
            const FittedValue *fitted = &fit.parameters.items[i];
            if (isnan(fitted->factor))
                continue;
            double off = log(fitted->value) - true_log(fitted, &truth);
            covered += fabs(off) <= log(fitted->factor);
            squares[known++] += off * off;
        }
        ck_assert_int_eq(known, PARAMETERS);
    }
    for (int i = 0; i < PARAMETERS; i++)
        ck_assert_double_lt(sqrt(squares[i] / RUNS), 0.025);
    ck_assert_int_ge(covered, RUNS * PARAMETERS * 89 / 100);
    ck_assert_int_le(covered, RUNS * PARAMETERS * 99 / 100);
    fixture_close(fixture);
}
END_TEST

/* Inside of nodes, and not between them, long messages begin later. */
START_TEST(breaks_inside_nodes_are_found)
{
    static const double startups[] = {1e-6, 30e-6};
    Fixture *fixture = fixture_open();
    Machine truth = {
        .ports = 1, .protocol_count = 2, .listed_count = 2, .parameters = {1e-6, 0, 1e-10, 2e-10}};
    for (int i = 0; i < 2; i++)
        truth.protocols[i] = (Protocol){.name = text_of(fixture, i ? "long" : "short"),
                                        .number = i,
                                        .up_to = i ? INFINITY : 16384,
                                        .parameters = {startups[i], -1, 1e-10, -1}};
    Level *node = machine_add_level(&truth, text_of(fixture, "node"), &fixture->diag);
    node->parameters[PARAMETER_TS] = 3e-6;
    node->parameters[PARAMETER_TW] = 1.5e-10;
    Predictor predictor = {
        .study = study_with(fixture, &truth),
        .topology = library_topology(fixture->library, text_of(fixture, "smp"), &fixture->diag)};
    *ARRAY_PUSH(fixture->arena, &predictor.shapes) =
        (Shape){.p = 16, .count = 2, .sizes = {4, 4}, .names = {"node", "core"}};
    MeasurementArray rows = measure(fixture, &predictor, 0.01, 1);
    Predictor fitting = {.study = study_on(fixture, 0, 0, 0),
                         .topology = predictor.topology,
                         .shapes = predictor.shapes};
    const FitQuestion question = {
        .predictor = &fitting, .rows = &rows, .pieces = 2, .begins_anywhere = true};
    Fit fit;
    ck_assert(fit_find(&question, &fit));
    assert_near(fitted_named(&fit, "to-16KiB.startup")->value, startups[0], 0.05);
    assert_near(fitted_named(&fit, "over-16KiB.startup")->value, startups[1], 0.05);
    assert_near(fitted_named(&fit, "node.startup")->value, 3e-6, 0.05);
    assert_near(fitted_named(&fit, "node.bandwidth")->value, 1.5e-10, 0.05);
    fixture_close(fixture);
}
END_TEST

/* Other costs of both levels; at times other delays, of which some are not given. */
static void change_levels(Machine *machine, bool has_gaps, uint64_t *state)
{
    for (int i = 0; i < 2; i++) {
        double *parameters = i ? machine->levels[0].parameters : machine->parameters;
        parameters[PARAMETER_TS] = 1e-6 * exp(3 * noise(state));
        parameters[PARAMETER_TW] = 1e-10 * exp(3 * noise(state));
    }
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        if (random_next(state) % 8 == 0 && (has_gaps || i != DELAY_GAP))
            machine->delays[i] = (Delay){.is_given = random_next(state) % 2,
                                         .seconds = 1e-6 * exp(3 * noise(state))};
}

/* Profiles tell what levels cost at other values as if they were derived for these. */
START_TEST(levels_cost_the_same_without_deriving_again)
{
    static const char *const more[][2] = {{"allgather", "open-mpi-sparbit"},
                                          {"allreduce", "nccl-ring"},
                                          {"allreduce", "nccl-tree"},
                                          {"gather", "open-mpi-linear-sync"},
                                          {"alltoall", "open-mpi-linear"}};
    enum { MORE = sizeof more / sizeof *more, MACHINES = 8 };
    Fixture *fixture = fixture_open();
    uint64_t state = 7;
    MeasurementArray rows = {0};
    Study *study = study_on(fixture, 1e-6, 1e-10, 0);
    study->rules.switching = (Switching)_i;
    Predictor predictor = {
        .study = study,
        .topology = library_topology(fixture->library, text_of(fixture, "smp"), &fixture->diag)};
    *ARRAY_PUSH(fixture->arena, &predictor.shapes) =
        (Shape){.p = 12, .count = 2, .sizes = {4, 3}, .names = {"node", "core"}};
    for (int a = 0; a < ALGORITHMS + MORE; a++)
        for (double bytes = 64; bytes <= LARGEST; bytes *= 1024)
            *ARRAY_PUSH(fixture->arena, &rows) =
                (Measurement){.collective = a < MORE ? more[a][0] : algorithms[a - MORE][0],
                              .algorithm = a < MORE ? more[a][1] : algorithms[a - MORE][1],
                              .ran = "",
                              .library = "",
                              .system = "",
                              .p = 12,
                              .bytes = bytes,
                              .logged_bytes = bytes,
                              .seconds = 1,
                              .place = NOWHERE,
                              .repeats = 1};
    const char **reasons = ARENA_ARRAY(fixture->arena, const char *, rows.count);
    FitModel model = fit_model_open(&predictor, &rows, reasons);
    ck_assert_uint_eq(model.row_count, rows.count);
    double *seconds = ARENA_ARRAY(fixture->arena, double, rows.count);
    Machine machine = {.ports = 1, .parameters = {1e-6, 0, 1e-10, 2e-10}};
    machine_add_level(&machine, text_of(fixture, "node"), &fixture->diag);
    for (int run = 0; run < MACHINES; run++) {
        change_levels(&machine, _i == SWITCHING_CUT_THROUGH, &state);
        ck_assert(fit_model_seconds(&model, &machine, NULL, seconds));
        Study *own = study_with(fixture, &machine);
        own->rules.switching = study->rules.switching;
        Predictor plain = {
            .study = own, .topology = predictor.topology, .shapes = predictor.shapes};
        for (size_t i = 0; i < rows.count; i++) {
            Prediction found;
            const char *reason;
            ck_assert(prediction_find(&plain, &rows.items[i], &found, &reason));
            assert_near(seconds[i], found.cost->total_s, 1e-12);
        }
    }
    fit_model_close(&model);
    fixture_close(fixture);
}
END_TEST

START_TEST(hashes_are_those_of_the_standard)
{
    char text[SHA256_DIGITS + 1], many[1000];
    sha256("abc", 3, text);
    ck_assert_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256("", 0, text);
    ck_assert_str_eq(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, text);
    ck_assert_str_eq(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(many, 'a', sizeof many);
    sha256(many, sizeof many, text);
    ck_assert_str_eq(text, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}
END_TEST

Suite *fit_suite(void)
{
    Suite *suite = suite_create("fit");
    TCase *squares = tcase_create("least_squares");
    tcase_add_test(squares, a_wild_point_hardly_counts);
    tcase_add_test(squares, a_fit_without_a_better_place_stays_and_ends);
    suite_add_tcase(suite, squares);
    TCase *pieces = tcase_create("pieces");
    tcase_set_timeout(pieces, 300);
    tcase_add_test(pieces, breaks_of_protocols_are_found);
    tcase_add_loop_test(pieces, breaks_among_many_sizes_are_found, 0, 3);
    suite_add_tcase(suite, pieces);
    TCase *all = tcase_create("fit");
    tcase_set_timeout(all, 300);
    tcase_add_test(all, parameters_are_recovered_and_intervals_cover_them);
    tcase_add_test(all, fourteen_parameters_are_recovered);
    tcase_add_test(all, breaks_inside_nodes_are_found);
    tcase_add_loop_test(all, levels_cost_the_same_without_deriving_again, 0, SWITCHING_COUNT);
    tcase_add_test(all, hashes_are_those_of_the_standard);
    suite_add_tcase(suite, all);
    return suite;
}
