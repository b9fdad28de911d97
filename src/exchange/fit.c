#include "exchange/fit_question.h"

#include "base/watch.h"
#include "exchange/fitting.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const holdout_names[HOLDOUT_COUNT] = {"none", "algorithm", "size", "log"};

/* A parameter with a wider interval is not known. */
static const double widest_factor = 3;
/* And one with such an interval is left open: nothing is told of it. */
static const double open_factor = 1e12;

/* ### What is not known */

static double deviation(const LeastSquaresFit *found, size_t n, size_t j)
{
    double variance = found->covariance[j * n + j];
    return variance >= 0 ? sqrt(variance) : INFINITY;
}

/* The 95 % interval as a factor. */
static double factor_of(const LeastSquaresFit *found, size_t n, size_t j)
{
    double freedom = found->counted >= 1 ? found->counted : 1;
    return exp(gsl_cdf_tdist_Pinv(0.975, freedom) * deviation(found, n, j));
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
    return !fitting->question->begins_anywhere || fitting_is_spare(fitting, i) ||
           find_leader(fitting, i) != i;
}

/* "; as node.startup": whose value it has; "; usually a fifth of the startup"; "": its own. */
static const char *tied(const Fitting *fitting, size_t i)
{
    const FittedValue *all = fitting->parameters->items;
    const size_t leader = fitting->leaders[i];
    size_t other;
    if (leader == i)
        return "";
    return all[leader].varied.parameter == all[i].varied.parameter
               ? arena_printf(fitting->arena, "; as %s", all[leader].varied.name)
               : arena_printf(fitting->arena, "; usually %s",
                              fitting_usual(fitting, i, &other)->words);
}

/* It keeps the value of the machine that was named, or follows another one: what no row has shown
   as is usual, if that is known. Else what the machine need not have gets 0. */
static void fix(Fitting *fitting, size_t which, bool keeps, bool is_unseen, const char *reason)
{
    size_t i = fitting->places[which];
    FittedValue *fixed = &fitting->parameters->items[i];
    fixed->reason = reason;
    bool is_idle = fixed->varied.is_zero || !keeps || fitting->question->begins_anywhere;
    fitting->place_count--;
    memmove(&fitting->places[which], &fitting->places[which + 1],
            (fitting->place_count - which) * sizeof *fitting->places);
    fitting->logs[i] = fitting->first[i];
    size_t leader = find_leader(fitting, i), usual;
    if (is_unseen && leader == i && fitting_usual(fitting, i, &usual))
        leader = usual, is_idle = false;
    fitting->is_absent[i] = is_idle && fitting_is_spare(fitting, i);
    fitting->leaders[i] = leader;
    if (leader != i)
        fixed->reason = arena_printf(fitting->arena, "%s%s", reason, tied(fitting, i));
}

/* ### The fit */

/* An algorithm that had a time on the machine to begin with has none on one that was tried. */
static bool report_no_time(const Fitting *fitting)
{
    diag_error(fitting->question->predictor->study->diag, fitting->model.rows[0].row->place,
               "these rows have no predicted times on a machine that the fit tried");
    return diag_note(fitting->question->predictor->study->diag, NOWHERE,
                     "--free chooses the parameters that are fitted");
}

static double median_error(const Fitting *fitting, const LeastSquaresFit *found, Arena *arena)
{
    double *sizes = ARENA_ARRAY(arena, double, fitting->model.row_count + 1);
    for (size_t i = 0; i < fitting->model.row_count; i++)
        sizes[i] = fabs(found->residuals[i]);
    sort_doubles(sizes, fitting->model.row_count);
    return expm1(sizes[fitting->model.row_count / 2]);
}

/* Why it is not fitted: what is lost without it. */
static const char *explain_loss(Arena *arena, double without, double with)
{
    const char *more = quantity_show_share(arena, without),
               *less = quantity_show_share(arena, with);
    return strcmp(more, less) == 0
               ? "these rows are predicted as well without it"
               : arena_printf(arena, "without it the median error is %s, with it %s", more, less);
}

/* How much a fit wants to be rid of a parameter; 0: not at all. What rows do not depend on goes
   first, then what is known least, at last what is known, but what the machine need not have. */
static double doubt(const Fitting *fitting, const LeastSquaresFit *found, size_t j)
{
    double factor = factor_of(found, fitting->place_count, j);
    bool is_spare = fitting_is_spare(fitting, fitting->places[j]);
    if (!can_go(fitting, j))
        return 0;
    if (found->lengths[j] < LEAST_EFFECT)
        return INFINITY;
    return factor > widest_factor || isnan(factor) ? fmin(factor, 1e300)
           : is_spare                              ? factor / widest_factor
                                                   : 0;
}

/* Fits without one of the parameters; what was there comes again where that is worse. */
static bool can_do_without(Fitting *fitting, Arena *arena, size_t which, LeastSquaresFit *found)
{
    const size_t i = fitting->places[which], n = fitting->place_count,
                 count = fitting->parameters->count;
    double share;
    const double before = fitting_criterion(fitting, found, n),
                 error = median_error(fitting, found, arena);
    double *logs = ARENA_COPY(arena, double, fitting->logs, count + 1);
    size_t *places = ARENA_COPY(arena, size_t, fitting->places, n + 1);
    const FittedValue value = fitting->parameters->items[i];
    LeastSquaresFit without;
    bool is_idle = found->lengths[which] < LEAST_EFFECT &&
                   fitting_moves(fitting, found->at, which, &share) && share < LEAST_EFFECT;
    bool is_unseen = false;
    if (is_idle) { /* would rows show the parameter, if it were not next to nothing? */
        double *at = ARENA_COPY(arena, double, found->at, n);
        at[which] = fitting->first[i];
        is_unseen = fitting_moves(fitting, at, which, &share) && share < LEAST_EFFECT;
    }
    fix(fitting, which, is_idle, is_unseen, "these rows do not depend on it");
    bool good = fitting_run(fitting, fitting->arena, &without) &&
                fitting_criterion(fitting, &without, n - 1) <= before;
    if (good) {
        if (!is_idle)
            fitting->parameters->items[i].reason = arena_printf(
                fitting->arena, "%s%s",
                explain_loss(fitting->arena, median_error(fitting, &without, arena), error),
                tied(fitting, i));
        *found = without;
        fitting_keep(fitting, found);
        return true;
    }
    fitting->parameters->items[i] = value;
    fitting->place_count = n;
    memcpy(fitting->places, places, n * sizeof *places);
    memcpy(fitting->logs, logs, count * sizeof *logs);
    fitting->is_absent[i] = false;
    fitting->leaders[i] = i;
    return false;
}

/* Drops one parameter after the other, as long as one can go. */
static void drop_all(Fitting *fitting, LeastSquaresFit *found)
{
    const int64_t steps = (int64_t)fitting->place_count + 1;
    bool dropped = true;
    for (int64_t step = 0; dropped; step++) {
        const size_t n = fitting->place_count;
        Arena *scratch = arena_scratch(fitting->arena);
        bool *tried = ARENA_ARRAY(scratch, bool, n + 1);
        watch_step(fitting->arena, "parameters", step, steps);
        dropped = false;
        for (size_t round = 0; round < n && !dropped; round++) {
            size_t worst = n;
            for (size_t j = 0; j < n; j++)
                if (!tried[j] && doubt(fitting, found, j) > 0 &&
                    (worst == n || doubt(fitting, found, j) >= doubt(fitting, found, worst)))
                    worst = j;
            if (worst == n)
                break;
            tried[worst] = true;
            dropped = can_do_without(fitting, scratch, worst, found);
        }
        arena_destroy(scratch);
    }
}

/* What schedules are derived slowly for comes last, where rows show it: what receivers take, and
 * new partners. */
static bool add_late(Fitting *fitting, LeastSquaresFit *found)
{
    const size_t n = fitting->place_count, count = fitting->parameters->count;
    const double before = fitting_criterion(fitting, found, n);
    Arena *scratch = arena_scratch(fitting->arena);
    const double error = median_error(fitting, found, scratch);
    LeastSquaresFit with;
    for (size_t i = 0; i < count; i++) {
        FittedValue *value = &fitting->parameters->items[i];
        if (!value->reason || !fitting->is_absent[i] || !varied_is_late(&value->varied) ||
            fitting->place_count + 1 >= fitting->model.row_count)
            continue;
        fitting->is_absent[i] = false;
        fitting->places[fitting->place_count++] = i;
        fitting->logs[i] = fitting->first[i];
    }
    bool tries = fitting->place_count > n && fitting_run(fitting, fitting->arena, &with);
    bool good = tries && fitting_criterion(fitting, &with, fitting->place_count) < before;
    for (size_t j = n; j < fitting->place_count; j++) {
        const size_t i = fitting->places[j];
        if (tries)
            fitting->parameters->items[i].reason =
                good ? NULL
                : with.lengths[j] < LEAST_EFFECT
                    ? "these rows do not depend on it"
                    : explain_loss(fitting->arena, error, median_error(fitting, &with, scratch));
        fitting->is_absent[i] = !good;
    }
    arena_destroy(scratch);
    if (!good)
        fitting->place_count = n;
    else
        *found = with;
    return good;
}

/* Posted in order, small messages can be under way together where each large one waits: from the
   protocol on with which the rows are predicted best. A machine that was named says it itself. */
static void find_waiting(Fitting *fitting, LeastSquaresFit *found)
{
    Machine *machine = &fitting->start;
    const size_t n = fitting->place_count;
    int first = machine->protocol_count;
    double best = fitting_criterion(fitting, found, n);
    bool has_gap = false;
    LeastSquaresFit with;
    if (!fitting->question->begins_anywhere)
        return;
    for (size_t j = 0; j < n; j++)
        has_gap |= strcmp(fitting->parameters->items[fitting->places[j]].varied.name, "gap") == 0 &&
                   found->lengths[j] >= LEAST_EFFECT;
    for (int from = 1; has_gap && from < machine->protocol_count; from++) {
        for (int i = from - 1; i < machine->protocol_count; i++)
            machine->protocols[i].waits = i >= from;
        if (!fitting_run(fitting, fitting->arena, &with))
            continue;
        const double criterion = fitting_criterion(fitting, &with, n + 1);
        if (criterion < best)
            best = criterion, first = from, *found = with;
    }
    for (int i = 0; i < machine->protocol_count; i++)
        machine->protocols[i].waits = i >= first;
}

/* Fits, does without what is not needed, and fits again. */
static bool fit_known(Fitting *fitting, LeastSquaresFit *found, bool *finds_wild)
{
    /* More rows than parameters: what the machine need not have goes first, then what can have the
       value of another. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = fitting->place_count; j-- > 0;)
            if (fitting->place_count >= fitting->model.row_count &&
                (pass ? can_go(fitting, j)
                      : fitting->parameters->items[fitting->places[j]].varied.is_zero))
                fix(fitting, j, true, false, "these rows are too few to fit it");
    if (fitting->place_count >= fitting->model.row_count)
        return diag_error(fitting->question->predictor->study->diag,
                          fitting->model.rows[0].row->place,
                          "%zu row%s cannot determine %zu parameters", fitting->model.row_count,
                          PLURAL_END(fitting->model.row_count), fitting->place_count);
    if (!fitting_run_widely(fitting, fitting->arena, found))
        return report_no_time(fitting);
    *finds_wild = *finds_wild && fitting_leave_wild(fitting, found);
    if (*finds_wild)
        return true; /* and begin again without them */
    find_waiting(fitting, found);
    fitting_keep(fitting, found);
    drop_all(fitting, found);
    if (!fitting_run_widely(fitting, fitting->arena, found))
        return report_no_time(fitting);
    fitting_keep(fitting, found);
    if (add_late(fitting, found)) {
        fitting_keep(fitting, found);
        drop_all(fitting, found);
        fitting_keep(fitting, found);
    }
    return true;
}

static void tell_parameters(Fitting *fitting, const LeastSquaresFit *found, Fit *fit)
{
    size_t n = fitting->place_count;
    for (size_t i = 0; i < fitting->parameters->count; i++) {
        const double logarithm = fitting_log(fitting, NULL, i);
        if (fitting->is_absent[i])
            continue;
        fitting->parameters->items[i].value = fitting_value(fitting, i, logarithm);
        fitting->logs[i] = fitting_round_log(fitting, i, logarithm);
    }
    for (size_t j = 0; j < n; j++) {
        FittedValue *value = &fitting->parameters->items[fitting->places[j]];
        if (!fitting_is_inside(fitting, found->at, j)) {
            value->reason = "the best of it is next to nothing";
            continue;
        }
        value->factor = fitting_round(factor_of(found, n, j));
        if (!(value->factor < open_factor)) {
            value->factor = NAN;
            value->reason = "these rows leave it open";
            continue;
        }
        for (size_t k = 0; k < j; k++) {
            const double correlation =
                found->covariance[k * n + j] / (deviation(found, n, k) * deviation(found, n, j));
            if (!isnan(fitting->parameters->items[fitting->places[k]].factor))
                *ARRAY_PUSH(fitting->arena, &fit->correlations) =
                    (Correlation){fitting->places[k], fitting->places[j],
                                  isfinite(correlation) ? fitting_round(correlation) : 0};
        }
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
        row->is_wild = fitting->weights[i] == 0;
        row->model = fitting->model.cases[fitting->model.rows[i].opened].opened->only->head.name;
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

/* The machine of a fit to the rows that have a weight, without the parameters that these do not
   show: others keep no value of rows without one. */
static bool fit_others(Fitting *all, Arena *arena, Machine *machine)
{
    const size_t count = all->parameters->count;
    FittedValueArray parameters = {ARENA_COPY(arena, FittedValue, all->parameters->items, count),
                                   count, count};
    Fitting others = *all;
    LeastSquaresFit found;
    others.arena = arena;
    others.parameters = &parameters;
    others.logs = ARENA_COPY(arena, double, all->logs, count + 1);
    others.is_absent = ARENA_COPY(arena, bool, all->is_absent, count + 1);
    others.leaders = ARENA_COPY(arena, size_t, all->leaders, count + 1);
    others.places = ARENA_COPY(arena, size_t, all->places, count + 1);
    const bool good = fitting_run(&others, arena, &found);
    if (good) {
        fitting_keep(&others, &found);
        drop_all(&others, &found);
        for (size_t j = 0; j < others.place_count; j++)
            found.at[j] = fitting_round_log(&others, others.places[j], found.at[j]);
        *machine = fitting_machine(&others, found.at);
    }
    return good;
}

static void list_groups(const Fitting *fitting, Fit *fit)
{
    const FitModel *model = &fitting->model;
    const size_t count = fitting->question->holdout == HOLDOUT_NONE ? 0 : model->row_count;
    bool *is_done = ARENA_ARRAY(fitting->arena, bool, count + 1);
    fit->groups = ARENA_ARRAY(fitting->arena, HeldGroup, count + 1);
    for (size_t i = 0; i < count; i++) {
        HeldGroup *group = &fit->groups[fit->group_count];
        size_t held = 0;
        if (is_done[i])
            continue;
        *group = (HeldGroup){model->rows[i].row, ARENA_ARRAY(fitting->arena, bool, count)};
        for (size_t j = 0; j < count; j++) {
            group->rows[j] = is_held(fitting->question->holdout, group->first, model->rows[j].row);
            is_done[j] |= group->rows[j];
            held += group->rows[j];
        }
        fit->group_count += count - held > fitting->place_count;
    }
}

bool fit_hold_out(Fit *fit, size_t group)
{
    Fitting *fitting = fit->fitting;
    FitModel *model = &fitting->model;
    const bool *held = fit->groups[group].rows;
    Arena *scratch = arena_scratch(fitting->arena);
    const double *weights = ARENA_COPY(scratch, double, fitting->weights, model->row_count);
    Machine machine;
    fit_model_forget(model);
    for (size_t i = 0; i < model->row_count; i++)
        fitting->weights[i] = held[i] ? 0 : weights[i];
    const bool good = fit_others(fitting, scratch, &machine) &&
                      fit_model_seconds(model, &machine, held, fitting->seconds);
    memcpy(fitting->weights, weights, model->row_count * sizeof *weights);
    arena_destroy(scratch);
    if (!good)
        return report_no_time(fitting);
    for (size_t i = 0; i < model->row_count; i++)
        if (held[i])
            fit->rows[fit_row(fit, i)].held_out = fitting->seconds[i];
    return true;
}

size_t fit_row(const Fit *fit, size_t i)
{
    return fit->fitting->model.rows[i].place;
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
            return diag_note(diag, NOWHERE, "--system NAME chooses one");
        }
    return true;
}

/* Opens the rows on the machine to begin with. */
static bool open_fitting(const FitQuestion *question, Fitting *fitting, Study *study, Fit *fit)
{
    const char **reasons = ARENA_ARRAY(fitting->arena, const char *, question->rows->count + 1);
    study->machine = fitting->start;
    fitting->predictor = *question->predictor;
    fitting->predictor.study = study;
    fitting->model = fit_model_open(&fitting->predictor, question->rows, reasons);
    for (size_t i = 0; i < question->rows->count; i++)
        fit->rows[i] =
            (FittedRow){.row = &question->rows->items[i], .reason = reasons[i], .held_out = NAN};
    size_t count = fitting->model.row_count;
    fit->fitted = count;
    for (size_t i = 0; i < fitting->model.case_count; i++) {
        const Network *network = &fitting->model.cases[i].opened->network;
        if (!fitting->network || network->p > fitting->network->p)
            fitting->network = network;
    }
    fit->network = fitting->network;
    fitting->seconds = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->moved = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->weights = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->counts = ARENA_ARRAY(fitting->arena, bool, count + 1);
    fitting->moves = ARENA_ARRAY(fitting->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        fitting->weights[i] = 1;
    if (count)
        return true;
    /* The reason that more than half of the rows have, if one has (Boyer and Moore). */
    size_t row = 0, lead = 0;
    for (size_t i = 0; i < question->rows->count; i++) {
        const bool agrees = lead && strcmp(reasons[i], reasons[row]) == 0;
        row = lead ? row : i;
        lead = lead && !agrees ? lead - 1 : lead + 1;
    }
    return diag_error(study->diag, question->rows->items[row].place,
                      "none of these rows can be fitted: %s", reasons[row]);
}

/* Where no messages between two ranks tell protocols, collectives may; and what combining costs in
   caches and beyond. */
static bool find_breaks(Fitting *fitting, const Fit *fit)
{
    const FitQuestion *question = fitting->question;
    bool is_settled = fit->pieces.count || question->pieces == 1;
    if (!question->begins_anywhere)
        return true;
    if (fit_breaks_find(fitting, is_settled ? 1 : question->pieces, USUAL_PIECES) || is_settled ||
        !question->pieces)
        return true;
    return diag_error(question->predictor->study->diag, NOWHERE,
                      "%zu rows are too few to find pieces in, without messages between two ranks",
                      fit->fitted);
}

bool fit_find(const FitQuestion *question, Fit *fit)
{
    Arena *arena = question->predictor->study->arena;
    Study *study = ARENA_COPY(arena, Study, question->predictor->study, 1);
    Fitting *fitting = ARENA_NEW(arena, Fitting);
    LeastSquaresFit found;
    *fitting = (Fitting){.question = question, .arena = arena, .parameters = &fit->parameters};
    *fit = (Fit){.rows = ARENA_ARRAY(arena, FittedRow, question->rows->count + 1),
                 .row_count = question->rows->count,
                 .fitting = fitting};
    if (!check_systems(question) || !fit_start(question, &fitting->start, &fit->pieces) ||
        !open_fitting(question, fitting, study, fit))
        return false;
    const Machine start = fitting->start;
    bool good = true, has_wild = true;
    for (int pass = 0; pass < 2 && good && has_wild; pass++) {
        fitting->start = start;
        has_wild = pass == 0;
        good = find_breaks(fitting, fit) && fitting_begin(fitting) &&
               fit_known(fitting, &found, &has_wild);
    }
    if (good) {
        tell_parameters(fitting, &found, fit);
        list_groups(fitting, fit);
        good = predict(fitting, fit);
    }
    if (!good)
        fit_close(fit);
    return good;
}

void fit_close(Fit *fit)
{
    fit_model_close(&fit->fitting->model);
}

double fit_error(double predicted, double measured)
{
    return fmax(predicted / measured, measured / predicted) - 1;
}
