#include "exchange/fit.h"

#include "base/watch.h"
#include "exchange/fit_model.h"
#include "exchange/fit_start.h"
#include "exchange/least_squares.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const holdout_names[HOLDOUT_COUNT] = {"none", "algorithm", "size", "log"};

/* Rows of logs are not taken to be known better than this. */
static const double sure_scale = 1e-5;
/* A parameter with a wider interval is not known. */
static const double widest_factor = 3;
/* Parameters with a stronger correlation cannot be told apart, where they are not known. */
static const double strong_correlation = 0.8;
/* Smaller parts of a time do not show. */
static const double least_effect = 1e-4;
/* Singular values below this share of the largest come from columns that are the same. */
static const double least_singular = 1e-5;
/* Logarithms of parameters stay within this distance of their start. */
static const double farthest = 14;
/* Values are told, and kept, with so many digits. */
enum { DIGITS = 4 };

/* What is fitted now, and what it is called with. */
typedef struct {
    const FitQuestion *question;
    Arena *arena;
    Machine start;
    FitModel model;
    FittedValueArray *parameters;
    double *logs;    /* of all parameters: where a fit begins; of fitted ones, where it ended */
    double *first;   /* the same, as they were at the very beginning */
    bool *is_absent; /* a parameter that the machine does not have: it is 0 */
    size_t *places;  /* of those that are fitted */
    size_t place_count;
    double *seconds, *moved; /* of modelled rows */
    double *moved_at;        /* parameters */
    double *weights;
} Fitting;

/* What varied_set takes: a factor, or a value where there was none. */
static void set_parameter(const Fitting *fitting, Machine *machine, size_t i, double logarithm)
{
    const VariedParameter *varied = &fitting->parameters->items[i].varied;
    if (!fitting->is_absent[i])
        varied_set(varied, machine, exp(logarithm));
}

/* With the fitted parameters `at`; NULL: as they are kept. */
static Machine machine_at(const Fitting *fitting, const double *at)
{
    Machine machine = fitting->start;
    for (size_t i = 0, next = 0; i < fitting->parameters->count; i++) {
        bool is_fitted = at && next < fitting->place_count && fitting->places[next] == i;
        set_parameter(fitting, &machine, i, is_fitted ? at[next++] : fitting->logs[i]);
    }
    return machine;
}

static bool residuals(void *context, const double *at, double *found)
{
    Fitting *fitting = context;
    for (size_t j = 0; j < fitting->place_count; j++)
        if (!(fabs(at[j] - fitting->first[fitting->places[j]]) < farthest))
            return false;
    Machine machine = machine_at(fitting, at);
    if (!fit_model_seconds(&fitting->model, &machine, fitting->seconds))
        return false;
    for (size_t i = 0; i < fitting->model.row_count; i++)
        found[i] = log(fitting->seconds[i]) - fitting->model.rows[i].log_seconds;
    return true;
}

/* Between bends a time is linear in each parameter, so that a difference gives its slope exactly.
 */
static bool slopes(void *context, const double *at, double *found)
{
    static const double share = 1e-4;
    Fitting *fitting = context;
    size_t n = fitting->place_count;
    Machine machine = machine_at(fitting, at);
    if (!fit_model_seconds(&fitting->model, &machine, fitting->seconds))
        return false;
    for (size_t j = 0; j < n; j++) {
        memcpy(fitting->moved_at, at, n * sizeof *at);
        fitting->moved_at[j] += log1p(share);
        machine = machine_at(fitting, fitting->moved_at);
        if (!fit_model_seconds(&fitting->model, &machine, fitting->moved))
            return false;
        for (size_t i = 0; i < fitting->model.row_count; i++)
            found[i * n + j] =
                (fitting->moved[i] - fitting->seconds[i]) / (share * fitting->seconds[i]);
    }
    return true;
}

static double round_digits(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    return strtod(text, NULL);
}

/* ### What is fitted */

static bool names_parameter(Text text, const VariedParameter *varied)
{
    return text_equals(text, varied->name) || text_equals(text, varied->time);
}

static bool is_wanted(const FitQuestion *question, const VariedParameter *varied)
{
    bool wanted = question->free.count == 0;
    for (size_t i = 0; i < question->free.count; i++)
        wanted |= names_parameter(question->free.items[i], varied);
    return wanted && !varied_is_size(varied);
}

/* Protocols have it in its place, each of its own. */
static bool is_of_protocols(const Machine *machine, const VariedParameter *varied)
{
    bool all = machine->protocol_count > 0 && varied->owner.length == 0;
    for (int i = 0; i < machine->protocol_count; i++)
        all = all && machine->protocols[i].parameters[varied->parameter] >= 0;
    return all;
}

static bool check_free(const FitQuestion *question, const VariedParameterArray *all)
{
    Diag *diag = question->predictor->study->diag;
    Arena *arena = question->predictor->study->arena;
    const char **names = ARENA_ARRAY(arena, const char *, all->count + 1);
    for (size_t i = 0; i < all->count; i++)
        names[i] = all->items[i].name;
    for (size_t i = 0; i < question->free.count; i++) {
        Text name = question->free.items[i];
        bool found = false;
        for (size_t j = 0; j < all->count; j++)
            found |= names_parameter(name, &all->items[j]) && !varied_is_size(&all->items[j]);
        if (found)
            continue;
        diag_error(diag, name.span, "the machine has no parameter '%.*s' that can be fitted",
                   (int)name.length, name.chars);
        diag_suggest(diag, name, names, all->count);
        return false;
    }
    return true;
}

/* Where a machine says nothing, a fit begins with a small part of what it says. */
static double guess_absent(const Machine *machine, const VariedParameter *varied)
{
    const double *values = machine->parameters;
    bool is_by_byte = varied->parameter == PARAMETER_TW || varied->parameter == PARAMETER_TC;
    return is_by_byte ? values[PARAMETER_TW] / 4 : values[PARAMETER_TS] / 10;
}

static bool list_parameters(Fitting *fitting, const Network *network)
{
    const FitQuestion *question = fitting->question;
    VariedParameterArray all = varied_list(fitting->arena, &fitting->start, network);
    if (!check_free(question, &all))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(question, &all.items[i]) && !is_of_protocols(&fitting->start, &all.items[i]))
            *ARRAY_PUSH(fitting->arena, fitting->parameters) =
                (FittedValue){.varied = all.items[i], .factor = NAN};
    size_t count = fitting->parameters->count;
    fitting->logs = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->first = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->moved_at = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->is_absent = ARENA_ARRAY(fitting->arena, bool, count + 1);
    fitting->places = ARENA_ARRAY(fitting->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        const VariedParameter *varied = &fitting->parameters->items[i].varied;
        fitting->first[i] = varied->is_zero ? log(guess_absent(&fitting->start, varied)) : 0;
        fitting->logs[i] = fitting->first[i];
        fitting->places[fitting->place_count++] = i;
    }
    Machine machine = machine_at(fitting, NULL);
    return fit_model_open_again(&fitting->model, &machine);
}

/* ### What cannot be told apart */

static double deviation(const LeastSquaresFit *found, size_t n, size_t j)
{
    double variance = found->covariance[j * n + j];
    return variance >= 0 ? sqrt(variance) : INFINITY;
}

static double correlation(const LeastSquaresFit *found, size_t n, size_t a, size_t b)
{
    return found->covariance[a * n + b] / (deviation(found, n, a) * deviation(found, n, b));
}

/* The 95 % interval as a factor. */
static double factor_of(const LeastSquaresFit *found, size_t n, size_t j)
{
    double freedom = found->counted >= 1 ? found->counted : 1;
    return exp(gsl_cdf_tdist_Pinv(0.975, freedom) * deviation(found, n, j));
}

static const char *name_at(const Fitting *fitting, size_t j)
{
    return fitting->parameters->items[fitting->places[j]].varied.name;
}

/* Of two parameters, both of which are not known, the second goes: it is one that the machine did
   not have, or stands behind. */
static bool goes_first(const Fitting *fitting, size_t a, size_t b)
{
    const FittedValue *all = fitting->parameters->items;
    bool is_zero = all[fitting->places[a]].varied.is_zero;
    return is_zero != all[fitting->places[b]].varied.is_zero ? !is_zero : a < b;
}

/* Two columns or more are the same: one of them, with a reason. */
static bool find_same(const Fitting *fitting, const LeastSquaresFit *found, size_t *which,
                      const char **reason)
{
    size_t n = fitting->place_count, least = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, found->singular[i]);
        least = found->singular[i] < found->singular[least] ? i : least;
    }
    if (found->singular[least] > least_singular * most)
        return false;
    const double *direction = &found->directions[least * n];
    size_t other = n;
    *which = n;
    for (size_t j = 0; j < n; j++) {
        if (fabs(direction[j]) < 0.1)
            continue;
        bool goes = *which == n || goes_first(fitting, *which, j);
        other = goes ? *which : j;
        *which = goes ? j : *which;
    }
    *reason = arena_printf(fitting->arena, "these rows cannot tell it from %s",
                           other < n ? name_at(fitting, other) : "others");
    return true;
}

/* The least known, if it is not known well enough; of two that are strongly correlated, and both
   are not, the one behind. */
static bool find_unknown(const Fitting *fitting, const LeastSquaresFit *found, size_t *which,
                         const char **reason)
{
    size_t n = fitting->place_count, worst = 0, partner = n;
    for (size_t j = 1; j < n; j++)
        if (!(deviation(found, n, j) <= deviation(found, n, worst)))
            worst = j;
    double factor = factor_of(found, n, worst);
    if (factor <= widest_factor)
        return false;
    for (size_t j = 0; j < n; j++)
        if (j != worst && fabs(correlation(found, n, worst, j)) > strong_correlation &&
            (partner == n ||
             fabs(correlation(found, n, worst, j)) > fabs(correlation(found, n, worst, partner))))
            partner = j;
    bool swaps = partner < n && goes_first(fitting, worst, partner) &&
                 factor_of(found, n, partner) > widest_factor;
    *which = swaps ? partner : worst;
    if (partner < n)
        *reason = arena_printf(
            fitting->arena, "these rows hardly tell it from %s (correlation %.2f)",
            name_at(fitting, swaps ? worst : partner), correlation(found, n, worst, partner));
    else
        *reason = "these rows hardly depend on it";
    return true;
}

static bool find_superfluous(const Fitting *fitting, const LeastSquaresFit *found, size_t *which,
                             const char **reason)
{
    size_t n = fitting->place_count;
    *which = n;
    if (n == 0)
        return false;
    for (size_t j = 0; j < n; j++)
        if (found->lengths[j] < least_effect)
            *which = j;
    *reason = "these rows do not depend on it";
    return *which < n || find_same(fitting, found, which, reason) ||
           find_unknown(fitting, found, which, reason);
}

static int protocol_of(const Machine *machine, Text owner)
{
    for (int i = 0; i < machine->protocol_count; i++)
        if (text_same(machine->protocols[i].name, owner))
            return i;
    return -1;
}

/* Of a parameter of a protocol, the nearest protocol in which it is not fixed, and the logarithm
   that makes both the same. NULL: none. */
static const FittedValue *find_neighbour(const Fitting *fitting, size_t i, double *logarithm)
{
    const FittedValue *own = &fitting->parameters->items[i], *found = NULL;
    int place = protocol_of(&fitting->start, own->varied.owner), nearest = 0;
    for (size_t j = 0; j < fitting->parameters->count && place >= 0; j++) {
        const FittedValue *other = &fitting->parameters->items[j];
        int at = protocol_of(&fitting->start, other->varied.owner);
        bool is_candidate =
            !other->reason && other->varied.parameter == own->varied.parameter && at >= 0;
        if (!is_candidate || (found && abs(at - place) >= abs(nearest - place)))
            continue;
        found = other;
        nearest = at;
        *logarithm = fitting->logs[j] + log(other->varied.most / own->varied.most);
    }
    return found;
}

static void fix(Fitting *fitting, size_t which, const char *reason)
{
    size_t i = fitting->places[which];
    FittedValue *fixed = &fitting->parameters->items[i];
    fixed->reason = reason;
    fitting->place_count--;
    memmove(&fitting->places[which], &fitting->places[which + 1],
            (fitting->place_count - which) * sizeof *fitting->places);
    fitting->logs[i] = fitting->first[i];
    fitting->is_absent[i] = fixed->varied.is_zero;
    const FittedValue *beside = find_neighbour(fitting, i, &fitting->logs[i]);
    if (beside)
        fixed->reason = arena_printf(fitting->arena, "%s; as %s", reason, beside->varied.name);
}

/* ### The fit */

static bool fit_once(Fitting *fitting, Arena *arena, LeastSquaresFit *found)
{
    LeastSquares problem = {.context = fitting,
                            .rows = fitting->model.row_count,
                            .parameters = fitting->place_count,
                            .weights = fitting->weights,
                            .most_step = 2,
                            .sure_scale = sure_scale,
                            .residuals = residuals,
                            .slopes = slopes};
    double *start = ARENA_ARRAY(arena, double, fitting->place_count + 1);
    for (size_t j = 0; j < fitting->place_count; j++)
        start[j] = fitting->logs[fitting->places[j]];
    return least_squares_fit(arena, &problem, start, found);
}

static void keep(Fitting *fitting, const LeastSquaresFit *found)
{
    for (size_t j = 0; j < fitting->place_count; j++)
        fitting->logs[fitting->places[j]] = found->at[j];
}

/* Fits, fixes what is not known, and fits again, until all is known. */
static bool fit_known(Fitting *fitting, LeastSquaresFit *found)
{
    size_t which, steps = fitting->place_count;
    const char *reason;
    for (size_t step = 0;; step++) {
        watch_step(fitting->arena, "parameters", (int64_t)step, (int64_t)steps + 1);
        if (fitting->place_count >= fitting->model.row_count ||
            !fit_once(fitting, fitting->arena, found))
            return false;
        keep(fitting, found);
        if (!find_superfluous(fitting, found, &which, &reason))
            return true;
        fix(fitting, which, reason);
    }
}

/* As times, rounded in the quantity that is told: a bandwidth. */
static double value_of(const Fitting *fitting, size_t i)
{
    const VariedParameter *varied = &fitting->parameters->items[i].varied;
    double value = exp(fitting->logs[i]) * (varied->is_zero ? 1 : varied->most);
    if (fitting->is_absent[i])
        return 0;
    return parameter_info[varied->parameter].inverse ? 1 / round_digits(1 / value)
                                                     : round_digits(value);
}

static void tell_parameters(Fitting *fitting, const LeastSquaresFit *found, Fit *fit)
{
    size_t n = fitting->place_count;
    for (size_t i = 0; i < fitting->parameters->count; i++) {
        FittedValue *value = &fitting->parameters->items[i];
        value->value = value_of(fitting, i);
        if (!fitting->is_absent[i])
            fitting->logs[i] =
                log(value->varied.is_zero ? value->value : value->value / value->varied.most);
    }
    for (size_t j = 0; j < n; j++) {
        fitting->parameters->items[fitting->places[j]].factor =
            round_digits(factor_of(found, n, j));
        for (size_t k = 0; k < j; k++)
            *ARRAY_PUSH(fitting->arena, &fit->correlations) = (Correlation){
                fitting->places[k], fitting->places[j], round_digits(correlation(found, n, k, j))};
    }
    fit->machine = machine_at(fitting, NULL);
    for (int i = 0; i < PARAMETER_COUNT && fit->machine.protocol_count; i++)
        if (fit->machine.protocols[0].parameters[i] >= 0)
            fit->machine.parameters[i] = fit->machine.protocols[0].parameters[i];
}

static bool predict(Fitting *fitting, Fit *fit)
{
    if (!fit_model_seconds(&fitting->model, &fit->machine, fitting->seconds))
        return false;
    for (size_t i = 0; i < fitting->model.row_count; i++) {
        FittedRow *row = &fit->rows[fitting->model.rows[i].place];
        row->predicted = fitting->seconds[i];
        row->model = fit_model_algorithm(&fitting->model, i);
    }
    return true;
}

/* ### Held out */

static bool is_held(Holdout holdout, const Measurement *first, const Measurement *row)
{
    switch (holdout) {
    case HOLDOUT_ALGORITHM:
        return strcmp(first->collective, row->collective) == 0 &&
               strcmp(first->algorithm, row->algorithm) == 0;
    case HOLDOUT_SIZE:
        return first->logged_bytes == row->logged_bytes;
    case HOLDOUT_LOG:
        return first->place.source == row->place.source;
    default:
        return false;
    }
}

/* Each group in turn is predicted by a fit to all others. */
static bool hold_out(Fitting *fitting, Fit *fit)
{
    const FitModel *model = &fitting->model;
    bool *is_done = ARENA_ARRAY(fitting->arena, bool, model->row_count + 1);
    Holdout holdout = fitting->question->holdout;
    for (size_t i = 0; i < model->row_count; i++) {
        const Measurement *first = model->rows[i].row;
        size_t held = 0;
        if (is_done[i])
            continue;
        watch_step(fitting->arena, first->algorithm, (int64_t)i, (int64_t)model->row_count);
        for (size_t j = 0; j < model->row_count; j++) {
            bool is = is_held(holdout, first, model->rows[j].row);
            fitting->weights[j] = is ? 0 : 1;
            is_done[j] |= is;
            held += is;
        }
        if (model->row_count - held <= fitting->place_count)
            continue;
        fit->groups++;
        LeastSquaresFit found;
        Arena *scratch = arena_scratch(fitting->arena);
        bool good = fit_once(fitting, scratch, &found);
        for (size_t j = 0; j < fitting->place_count && good; j++)
            found.at[j] = round_digits(found.at[j]);
        Machine machine = good ? machine_at(fitting, found.at) : fit->machine;
        arena_destroy(scratch);
        if (!good || !fit_model_seconds(&fitting->model, &machine, fitting->seconds))
            return false;
        for (size_t j = 0; j < model->row_count; j++)
            if (fitting->weights[j] == 0)
                fit->rows[model->rows[j].place].held_out = fitting->seconds[j];
    }
    return true;
}

/* ### All of it */

static bool check_systems(const FitQuestion *question)
{
    const MeasurementArray *rows = question->rows;
    for (size_t i = 1; i < rows->count; i++)
        if (strcmp(rows->items[i].system, rows->items[0].system) != 0) {
            Diag *diag = question->predictor->study->diag;
            diag_error(diag, rows->items[i].place,
                       "rows of two systems, '%s' and '%s', cannot be fitted together",
                       rows->items[0].system, rows->items[i].system);
            diag_note(diag, NOWHERE, "--system NAME chooses one");
            return false;
        }
    return true;
}

/* Opens the rows on the machine to begin with. */
static bool open_fitting(const FitQuestion *question, Fitting *fitting, Study *study,
                         Predictor *predictor, Fit *fit)
{
    const char **reasons = ARENA_ARRAY(fitting->arena, const char *, question->rows->count + 1);
    study->machine = fitting->start;
    rules_follow_machine(&study->rules, &study->machine);
    *predictor = *question->predictor;
    predictor->study = study;
    fitting->model = fit_model_open(predictor, question->rows, reasons);
    for (size_t i = 0; i < question->rows->count; i++)
        fit->rows[i] =
            (FittedRow){.row = &question->rows->items[i], .reason = reasons[i], .held_out = NAN};
    size_t count = fitting->model.row_count;
    fit->fitted = count;
    for (size_t i = 0; i < fitting->model.case_count; i++) {
        const Network *network = &fitting->model.cases[i].given->network;
        if (!fit->network || network->p > fit->network->p)
            fit->network = network;
    }
    fitting->seconds = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->moved = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->weights = ARENA_ARRAY(fitting->arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        fitting->weights[i] = 1;
    if (count)
        return true;
    diag_error(study->diag, question->rows->items[0].place, "none of these rows can be fitted: %s",
               reasons[0]);
    return false;
}

bool fit_find(const FitQuestion *question, Fit *fit)
{
    Arena *arena = question->predictor->study->arena;
    Diag *diag = question->predictor->study->diag;
    Study *study = ARENA_COPY(arena, Study, question->predictor->study, 1);
    Fitting fitting = {.question = question, .arena = arena, .parameters = &fit->parameters};
    Predictor predictor;
    LeastSquaresFit found;
    *fit = (Fit){.rows = ARENA_ARRAY(arena, FittedRow, question->rows->count + 1),
                 .row_count = question->rows->count};
    const FitStart wanted = {question->predictor->study, question->predictor->topology,
                             question->rows, question->begins_anywhere, question->pieces};
    if (!check_systems(question) || !fit_start(&wanted, &fitting.start, &fit->pieces) ||
        !open_fitting(question, &fitting, study, &predictor, fit) ||
        !list_parameters(&fitting, fit->network))
        return false;
    bool good = fit_known(&fitting, &found);
    if (good) {
        tell_parameters(&fitting, &found, fit);
        good = predict(&fitting, fit) &&
               (question->holdout == HOLDOUT_NONE || hold_out(&fitting, fit));
    }
    fit_model_close(&fitting.model);
    if (!good)
        diag_error(diag, question->rows->items[0].place,
                   "%zu rows are too few to fit %zu parameters", fit->fitted, fitting.place_count);
    return good;
}

double fit_error(double predicted, double measured)
{
    return fmax(predicted / measured, measured / predicted) - 1;
}
