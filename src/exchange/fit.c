#include "exchange/fit.h"

#include "base/watch.h"
#include "exchange/fit_breaks.h"
#include "exchange/fit_start.h"
#include "exchange/fitting.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const holdout_names[HOLDOUT_COUNT] = {"none", "algorithm", "size", "log"};

/* A parameter with a wider interval is not known. */
static const double widest_factor = 3;
/* Parameters with a stronger correlation cannot be told apart, where they are not known. */
static const double strong_correlation = 0.8;
/* Smaller parts of a time do not show. */
static const double least_effect = 1e-4;
/* Singular values below this share of the largest come from columns that are the same. */
static const double least_singular = 1e-5;

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

/* Fits, fixes what is not known, and fits again, until all is known. */
static bool fit_known(Fitting *fitting, LeastSquaresFit *found)
{
    size_t which, steps = fitting->place_count;
    const char *reason;
    for (size_t step = 0;; step++) {
        watch_step(fitting->arena, "parameters", (int64_t)step, (int64_t)steps + 1);
        if (fitting->place_count >= fitting->model.row_count ||
            !fitting_run(fitting, fitting->arena, found))
            return false;
        fitting_keep(fitting, found);
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
    return varied_info(varied)->inverse ? 1 / fitting_round(1 / value) : fitting_round(value);
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
            fitting_round(factor_of(found, n, j));
        for (size_t k = 0; k < j; k++)
            *ARRAY_PUSH(fitting->arena, &fit->correlations) = (Correlation){
                fitting->places[k], fitting->places[j], fitting_round(correlation(found, n, k, j))};
    }
    fit->machine = fitting_machine(fitting, NULL);
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
        bool good = fitting_run(fitting, scratch, &found);
        for (size_t j = 0; j < fitting->place_count && good; j++)
            found.at[j] = fitting_round(found.at[j]);
        Machine machine = good ? fitting_machine(fitting, found.at) : fit->machine;
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

/* Where no messages between two ranks tell protocols, collectives may. */
static bool find_breaks(Fitting *fitting, const Fit *fit)
{
    const FitQuestion *question = fitting->question;
    bool has_levels = question->predictor->topology->level_count > 1;
    if (fit->pieces.count || !question->begins_anywhere || has_levels || question->pieces == 1)
        return true;
    if (fit_breaks_find(fitting, fit->network, question->pieces, USUAL_PIECES) || !question->pieces)
        return true;
    diag_error(question->predictor->study->diag, NOWHERE,
               "%zu rows are too few to find pieces in, without messages between two ranks",
               fit->fitted);
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
        !open_fitting(question, &fitting, study, &predictor, fit) || !find_breaks(&fitting, fit) ||
        !fitting_begin(&fitting, fit->network))
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
