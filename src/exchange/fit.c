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

static int protocol_of(const Machine *machine, Text owner)
{
    for (int i = 0; i < machine->protocol_count; i++)
        if (text_same(machine->protocols[i].name, owner))
            return i;
    return -1;
}

/* How near two of the same parameter are: in protocols, by their numbers; else as levels, in the
   order of the list. -1: no value of one stands for the other. */
static int distance_of(const Fitting *fitting, size_t a, size_t b)
{
    const VariedParameter *first = &fitting->parameters->items[a].varied,
                          *second = &fitting->parameters->items[b].varied;
    int from = protocol_of(&fitting->start, first->owner),
        to = protocol_of(&fitting->start, second->owner);
    bool can = a != b && first->parameter == second->parameter && !first->is_zero &&
               !second->is_zero && (from < 0) == (to < 0);
    if (!can || (from < 0 && !fitting->question->begins_anywhere))
        return -1;
    return from >= 0 ? abs(from - to) : abs((int)a - (int)b);
}

/* The nearest that is fitted, whose value is this one's, too; itself where there is none. */
static size_t find_leader(const Fitting *fitting, size_t i)
{
    size_t leader = i;
    for (size_t j = 0; j < fitting->place_count; j++) {
        size_t other = fitting->places[j];
        int distance = distance_of(fitting, i, other);
        if (distance >= 0 && (leader == i || distance < distance_of(fitting, i, leader)))
            leader = other;
    }
    return leader;
}

/* Of a machine that nobody has named, what it begins with is a mere guess: where nothing else can
   stand for it, a wide interval says more. */
static bool can_go(const Fitting *fitting, size_t place)
{
    size_t i = fitting->places[place];
    return !fitting->question->begins_anywhere || fitting->parameters->items[i].varied.is_zero ||
           find_leader(fitting, i) != i;
}

/* Of what may go, or all, the parameter that is known least; as many as are fitted: none. */
static size_t find_least_known(const Fitting *fitting, const LeastSquaresFit *found, bool all)
{
    size_t n = fitting->place_count, worst = n;
    for (size_t j = 0; j < n; j++)
        if ((worst == n || !(deviation(found, n, j) <= deviation(found, n, worst))) &&
            (all || can_go(fitting, j)))
            worst = j;
    return worst;
}

/* Of what may go, or only of what the machine need not have, what is most correlated with it, and
   strongly; as many as are fitted: none. */
static size_t find_partner(const Fitting *fitting, const LeastSquaresFit *found, size_t which,
                           bool need_not)
{
    size_t n = fitting->place_count, partner = n;
    double strongest = strong_correlation;
    for (size_t j = 0; j < n; j++) {
        double strength = fabs(correlation(found, n, which, j));
        bool is_spare = fitting->parameters->items[fitting->places[j]].varied.is_zero;
        if (j == which || !(strength > strongest) || (need_not && !is_spare))
            continue;
        partner = j;
        strongest = strength;
    }
    return partner;
}

/* The least known, if it is not known well enough; of two that are strongly correlated, and both
   are not, the one behind. */
static bool find_unknown(Fitting *fitting, const LeastSquaresFit *found, size_t *which,
                         const char **reason)
{
    size_t n = fitting->place_count, worst = find_least_known(fitting, found, true), partner;
    if (factor_of(found, n, worst) <= widest_factor)
        return false;
    if (!can_go(fitting, worst) && (partner = find_partner(fitting, found, worst, true)) < n) {
        *reason = arena_printf(fitting->arena, "these rows hardly distinguish it from %s",
                               name_at(fitting, worst));
        *which = partner;
        memcpy(fitting->logs, fitting->first, fitting->parameters->count * sizeof *fitting->logs);
        return true;
    }
    worst = find_least_known(fitting, found, false);
    if (worst == n || factor_of(found, n, worst) <= widest_factor)
        return false;
    partner = find_partner(fitting, found, worst, false);
    bool swaps = partner < n && goes_first(fitting, worst, partner) && can_go(fitting, partner) &&
                 factor_of(found, n, partner) > widest_factor;
    *which = swaps ? partner : worst;
    if (partner < n)
        *reason = arena_printf(
            fitting->arena, "these rows hardly distinguish it from %s (correlation %.2f)",
            name_at(fitting, swaps ? worst : partner), correlation(found, n, worst, partner));
    else
        *reason = "these rows hardly depend on it";
    return true;
}

/* Something that the machine need not have, by message or by byte as the other. */
static bool is_substitute(const VariedParameter *varied, const VariedParameter *other)
{
    return varied->is_zero && varied_info(varied)->inverse == varied_info(other)->inverse;
}

/* What a guess begins with, and a fit drives to nothing, is taken over by something that the
   machine need not have: that goes, and the fit begins again. */
static bool find_substitute(Fitting *fitting, const LeastSquaresFit *found, size_t *which,
                            const char **reason)
{
    static const double driven = 4;
    size_t gone = fitting->places[*which], longest = *which;
    const VariedParameter *varied = &fitting->parameters->items[gone].varied;
    if (!fitting->question->begins_anywhere || varied->is_zero ||
        protocol_of(&fitting->start, varied->owner) >= 0 ||
        found->at[*which] > fitting->first[gone] - driven)
        return false;
    for (size_t j = 0; j < fitting->place_count; j++)
        if (is_substitute(&fitting->parameters->items[fitting->places[j]].varied, varied) &&
            found->lengths[j] > found->lengths[longest])
            longest = j;
    if (longest == *which)
        return false;
    *reason = arena_printf(fitting->arena, "these rows cannot tell it from %s", varied->name);
    *which = longest;
    memcpy(fitting->logs, fitting->first, fitting->parameters->count * sizeof *fitting->logs);
    return true;
}

static bool find_superfluous(Fitting *fitting, const LeastSquaresFit *found, size_t *which,
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
    if (*which < n && find_substitute(fitting, found, which, reason))
        return true;
    return *which < n || find_same(fitting, found, which, reason) ||
           find_unknown(fitting, found, which, reason);
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
    size_t leader = find_leader(fitting, i);
    fitting->leaders[i] = leader;
    if (leader != i)
        fixed->reason = arena_printf(fitting->arena, "%s; as %s", reason,
                                     fitting->parameters->items[leader].varied.name);
}

/* ### The fit */

/* More rows than parameters: what the machine need not have goes first, then what can have the
   value of another. */
static void spare_rows(Fitting *fitting)
{
    for (size_t j = fitting->place_count; j-- > 0;)
        if (fitting->place_count >= fitting->model.row_count &&
            fitting->parameters->items[fitting->places[j]].varied.is_zero)
            fix(fitting, j, "these rows are too few to fit it");
    for (size_t j = fitting->place_count; j-- > 0;)
        if (fitting->place_count >= fitting->model.row_count && can_go(fitting, j))
            fix(fitting, j, "these rows are too few to fit it");
}

static bool report_few(const Fitting *fitting)
{
    diag_error(fitting->question->predictor->study->diag, fitting->model.rows[0].row->place,
               "%zu row%s cannot determine %zu parameters", fitting->model.row_count,
               fitting->model.row_count == 1 ? "" : "s", fitting->place_count);
    return false;
}

/* An algorithm that had a time on the machine to begin with has none on one that was tried. */
static bool report_no_time(const Fitting *fitting)
{
    diag_error(fitting->question->predictor->study->diag, fitting->model.rows[0].row->place,
               "these rows have no predicted times on a machine that the fit tried");
    diag_note(fitting->question->predictor->study->diag, NOWHERE,
              "--free chooses the parameters that are fitted");
    return false;
}

/* Fits, fixes what is not known, and fits again, until all is known. */
static bool fit_known(Fitting *fitting, LeastSquaresFit *found)
{
    size_t which, steps = fitting->place_count;
    const char *reason;
    spare_rows(fitting);
    for (size_t step = 0;; step++) {
        watch_step(fitting->arena, "parameters", (int64_t)step, (int64_t)steps + 1);
        if (fitting->place_count >= fitting->model.row_count)
            return report_few(fitting);
        if (!fitting_run(fitting, fitting->arena, found))
            return report_no_time(fitting);
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
    double value = exp(fitting_log(fitting, NULL, i)) * (varied->is_zero ? 1 : varied->most);
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
    bool is_new = fitting->question->begins_anywhere && fit->machine.protocol_count > 0;
    for (int i = 0; i < PARAMETER_COUNT && is_new; i++)
        if (fit->machine.protocols[0].parameters[i] >= 0)
            fit->machine.parameters[i] = fit->machine.protocols[0].parameters[i];
}

static bool predict(Fitting *fitting, Fit *fit)
{
    if (!fit_model_seconds(&fitting->model, &fit->machine, NULL, fitting->seconds))
        return report_no_time(fitting);
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
    bool *held_rows = ARENA_ARRAY(fitting->arena, bool, model->row_count + 1);
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
            held_rows[j] = is;
            held += is;
        }
        if (model->row_count - held <= fitting->place_count)
            continue;
        fit->groups++;
        LeastSquaresFit found;
        Arena *scratch = arena_scratch(fitting->arena);
        bool good = fitting_run(fitting, scratch, &found);
        for (size_t j = 0; j < fitting->place_count && good; j++)
            found.at[j] = fitting_round_log(fitting, fitting->places[j], found.at[j]);
        Machine machine = good ? fitting_machine(fitting, found.at) : fit->machine;
        arena_destroy(scratch);
        if (!good || !fit_model_seconds(&fitting->model, &machine, held_rows, fitting->seconds))
            return report_no_time(fitting);
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
    fitting->counts = ARENA_ARRAY(fitting->arena, bool, count + 1);
    fitting->moves = ARENA_ARRAY(fitting->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        fitting->weights[i] = 1;
    if (count)
        return true;
    diag_error(study->diag, question->rows->items[0].place, "none of these rows can be fitted: %s",
               reasons[0]);
    return false;
}

/* Where no messages between two ranks tell protocols, collectives may; and what combining costs in
   caches and beyond. */
static bool find_breaks(Fitting *fitting, const Fit *fit)
{
    const FitQuestion *question = fitting->question;
    bool has_levels = question->predictor->topology->level_count > 1;
    bool is_settled = fit->pieces.count || question->pieces == 1;
    if (!question->begins_anywhere || has_levels)
        return true;
    if (fit_breaks_find(fitting, fit->network, is_settled ? 1 : question->pieces, USUAL_PIECES) ||
        is_settled || !question->pieces)
        return true;
    diag_error(question->predictor->study->diag, NOWHERE,
               "%zu rows are too few to find pieces in, without messages between two ranks",
               fit->fitted);
    return false;
}

bool fit_find(const FitQuestion *question, Fit *fit)
{
    Arena *arena = question->predictor->study->arena;
    Study *study = ARENA_COPY(arena, Study, question->predictor->study, 1);
    Fitting fitting = {.question = question, .arena = arena, .parameters = &fit->parameters};
    Predictor predictor;
    LeastSquaresFit found;
    *fit = (Fit){.rows = ARENA_ARRAY(arena, FittedRow, question->rows->count + 1),
                 .row_count = question->rows->count};
    const FitStart wanted = {question->predictor->study, question->predictor->topology,
                             question->rows, question->begins_anywhere, question->pieces};
    if (!check_systems(question) || !fit_start(&wanted, &fitting.start, &fit->pieces) ||
        !open_fitting(question, &fitting, study, &predictor, fit))
        return false;
    bool good = find_breaks(&fitting, fit) && fitting_begin(&fitting, fit->network) &&
                fit_known(&fitting, &found);
    if (good) {
        tell_parameters(&fitting, &found, fit);
        good = predict(&fitting, fit) &&
               (question->holdout == HOLDOUT_NONE || hold_out(&fitting, fit));
    }
    fit_model_close(&fitting.model);
    return good;
}

double fit_error(double predicted, double measured)
{
    return fmax(predicted / measured, measured / predicted) - 1;
}
