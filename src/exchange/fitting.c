#include "exchange/fitting.h"

#include "model/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors of rows, as logarithms, that are larger count by their size, not its square. */
static const double loss_scale = 0.1;
/* Smaller residuals are as good as none. */
static const double least_residual = 1e-5;
/* Times that differ by less are the same. */
static const double same_time = 1e-9;
/* Logarithms of parameters stay within these distances of their start, startups of the machine's;
   what the machine need not have can get smaller. */
static const double farthest = 14, smallest = 7;
/* Nothing is shorter or longer, in seconds, also by byte: files of machines refuse such values. */
static const double shortest = 1e-24, longest = 1e24;
/* A row that is off by more than this factor, as few others, was not measured as its log says. */
static const double wild_factor = 20, most_wild = 0.1;
/* Values are told, and kept, with so many digits. */
enum { DIGITS = 4 };

/* About what fits of public logs find on systems whose rows show them. A call is in every
   collective, so that it is never unseen. */
static const UsualPart usual[] = {
    {"overhead", PARAMETER_TS, 0.2, "a fifth of the startup"},
    {"copy", PARAMETER_TW, 1, "as fast as messages"},
    {"first-touch", PARAMETER_TW, 3.5, "3.5 times as slow as messages"},
};

static const UsualPart *find_usual(const VariedParameter *varied)
{
    const UsualPart *found = NULL;
    for (size_t i = 0; i < COUNT_OF(usual); i++)
        found = strcmp(usual[i].name, varied->name) == 0 ? &usual[i] : found;
    return found;
}

/* The startup of the shortest messages, or what a byte of the longest takes; between nodes. */
const UsualPart *fitting_usual(const Fitting *fitting, size_t parameter, size_t *other)
{
    const FittedValue *all = fitting->parameters->items;
    const size_t count = fitting->parameters->count;
    const UsualPart *part = find_usual(&all[parameter].varied);
    const FitModel *model = &fitting->model;
    bool has_collective = false;
    *other = count;
    for (size_t i = 0; part && i < model->row_count; i++)
        has_collective |= strcmp(model->rows[i].row->collective, "point-to-point") != 0;
    if (!has_collective || !fitting->question->begins_anywhere)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const VariedParameter *varied = &all[i].varied;
        if (varied->parameter == (int)part->of &&
            !machine_find_level((Machine *)&fitting->start, varied->owner) &&
            (*other == count || part->of == PARAMETER_TW))
            *other = i;
    }
    return *other < count ? part : NULL;
}

bool fitting_is_spare(const Fitting *fitting, size_t i)
{
    const VariedParameter *varied = &fitting->parameters->items[i].varied;
    return varied->is_zero || varied_is_delay(varied) || varied_is_local(varied);
}

/* Within its bounds; *is_free, if that is no NULL: not at one of them. */
static double limited(const Fitting *fitting, size_t place, double at, bool *is_free)
{
    const size_t i = fitting->places[place];
    bool is_spare = fitting_is_spare(fitting, i);
    double least = fitting->first[i] - (is_spare ? farthest : smallest),
           most = fitting->first[i] + farthest;
    if (is_free)
        *is_free = at > least && at < most;
    return fmin(fmax(at, least), most);
}

/* What is 0 is fitted as a time, all else as a share of what there is. */
static double scale_of(const VariedParameter *varied)
{
    return varied->is_zero ? 1 : varied->most;
}

double fitting_log(const Fitting *fitting, const double *at, size_t parameter)
{
    const FittedValue *all = fitting->parameters->items;
    size_t leader = parameter;
    double ratio = 1;
    for (; fitting->leaders[leader] != leader; leader = fitting->leaders[leader])
        if (all[leader].varied.parameter != all[fitting->leaders[leader]].varied.parameter)
            ratio = find_usual(&all[leader].varied)->ratio;
    double logarithm = fitting->logs[leader];
    for (size_t j = 0; j < fitting->place_count && at; j++)
        logarithm = fitting->places[j] == leader ? limited(fitting, j, at[j], NULL) : logarithm;
    if (leader == parameter)
        return logarithm;
    logarithm += log(ratio * scale_of(&all[leader].varied) / scale_of(&all[parameter].varied));
    return at || ratio == 1 ? logarithm : fitting_round_log(fitting, parameter, logarithm);
}

Machine fitting_machine(const Fitting *fitting, const double *at)
{
    Machine machine = fitting->start;
    for (size_t i = 0; i < fitting->parameters->count; i++) {
        /* What varied_set takes: a factor, or a value where there was none. */
        double logarithm = fitting_log(fitting, at, i);
        const VariedParameter *varied = &fitting->parameters->items[i].varied;
        if (!fitting->is_absent[i])
            varied_set(varied, &machine, exp(logarithm));
        else if (varied_is_delay(varied) || varied_is_local(varied))
            varied_set(varied, &machine, 0);
    }
    return machine;
}

/* The times with these parameters, of rows that count. */
static bool find_seconds(Fitting *fitting, const double *at)
{
    size_t size = fitting->place_count * sizeof *at;
    if (fitting->knows && memcmp(fitting->known_at, at, size) == 0)
        return true;
    Machine machine = fitting_machine(fitting, at);
    fitting->knows =
        fit_model_seconds(&fitting->model, &machine, fitting->counts, fitting->seconds);
    memcpy(fitting->known_at, at, size);
    return fitting->knows;
}

static bool residuals(void *context, const double *at, double *found)
{
    Fitting *fitting = context;
    if (!find_seconds(fitting, at))
        return false;
    for (size_t i = 0; i < fitting->model.row_count; i++)
        found[i] =
            fitting->counts[i] ? log(fitting->seconds[i]) - fitting->model.rows[i].log_seconds : 0;
    return true;
}

bool fitting_is_inside(const Fitting *fitting, const double *at, size_t place)
{
    bool is_free;
    limited(fitting, place, at[place], &is_free);
    return is_free;
}

static double *line_of(const Fitting *fitting, size_t row)
{
    return &fitting->lines[row * (fitting->parameters->count + 1)];
}

/* Between bends a time is linear in each parameter: a difference gives its slope exactly. */
static bool find_lines(Fitting *fitting, const double *at, const double *values)
{
    static const double share = 1e-4;
    size_t n = fitting->place_count, rows = fitting->model.row_count;
    for (size_t i = 0; i < rows; i++)
        if (fitting->moves[i])
            line_of(fitting, i)[0] = fitting->seconds[i];
    for (size_t j = 0; j < n; j++) {
        memcpy(fitting->moved_at, at, n * sizeof *at);
        fitting->moved_at[j] = log(values[j]) + log1p(share);
        Machine machine = fitting_machine(fitting, fitting->moved_at);
        if (!fit_model_seconds(&fitting->model, &machine, fitting->moves, fitting->moved))
            return false;
        for (size_t i = 0; i < rows; i++) {
            if (!fitting->moves[i])
                continue;
            double more = (fitting->moved[i] - fitting->seconds[i]) / share;
            line_of(fitting, i)[j + 1] = more / values[j];
            line_of(fitting, i)[0] -= more;
        }
    }
    return true;
}

static bool slopes(void *context, const double *at, double *found)
{
    Fitting *fitting = context;
    size_t n = fitting->place_count, rows = fitting->model.row_count;
    double *values = fitting->values;
    bool any = false, is_free;
    if (!find_seconds(fitting, at))
        return false;
    for (size_t j = 0; j < n; j++)
        values[j] = exp(limited(fitting, j, at[j], NULL));
    for (size_t i = 0; i < rows; i++) {
        /* A time is the largest of such lines: where it is on the line, that gives its slopes. */
        const double *line = line_of(fitting, i), known = fitting->seconds[i];
        double seconds = line[0];
        for (size_t j = 0; j < n; j++)
            seconds += line[j + 1] * values[j];
        fitting->moves[i] = fitting->counts[i] && !(fabs(seconds - known) <= same_time * known);
        any |= fitting->moves[i];
    }
    if (any && !find_lines(fitting, at, values))
        return false;
    for (size_t j = 0; j < n; j++) {
        limited(fitting, j, at[j], &is_free);
        for (size_t i = 0; i < rows; i++)
            found[i * n + j] = is_free && fitting->counts[i]
                                   ? line_of(fitting, i)[j + 1] * values[j] / fitting->seconds[i]
                                   : 0;
    }
    return true;
}

double fitting_round(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    return strtod(text, NULL);
}

double fitting_value(const Fitting *fitting, size_t parameter, double logarithm)
{
    const VariedParameter *varied = &fitting->parameters->items[parameter].varied;
    double value = exp(logarithm) * scale_of(varied);
    return varied_info(varied)->inverse ? 1 / fitting_round(1 / value) : fitting_round(value);
}

double fitting_round_log(const Fitting *fitting, size_t parameter, double logarithm)
{
    return log(fitting_value(fitting, parameter, logarithm) /
               scale_of(&fitting->parameters->items[parameter].varied));
}

/* ### What is fitted */

/* "compute" is all items of its list, too. */
static bool names_parameter(Text text, const VariedParameter *varied)
{
    const ParameterInfo *info = &parameter_info[PARAMETER_TC];
    bool is_item = varied->parameter == PARAMETER_TC;
    return text_equals(text, varied->name) || text_equals(text, varied->time) ||
           (is_item && (text_equals(text, info->key) || text_equals(text, info->name)));
}

static bool is_wanted(const Fitting *fitting, const VariedParameter *varied)
{
    const FitQuestion *question = fitting->question;
    bool wanted = question->free.count == 0 || fitting->is_seeking;
    for (size_t i = 0; i < question->free.count; i++)
        wanted |= names_parameter(question->free.items[i], varied);
    return wanted && !varied_is_size(varied);
}

/* Protocols have it in its place, each of its own. */
static bool is_of_protocols(const Machine *machine, const VariedParameter *varied)
{
    bool all = machine->protocol_count > 0 && varied->owner.length == 0 &&
               varied->parameter < PARAMETER_COUNT;
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
                   TEXT_ARGS(name));
        return diag_suggest(diag, name, names, all->count);
    }
    return true;
}

/* Where a machine says nothing, a fit begins with a small part of what it says. */
static double guess_absent(const Machine *machine, const VariedParameter *varied)
{
    const double *values = machine->parameters;
    const ParameterInfo *info = varied_info(varied);
    return parameter_is_number(info) ? 1
           : info->inverse           ? values[PARAMETER_TW] / 4
                                     : values[PARAMETER_TS] / 10;
}

bool fitting_begin(Fitting *fitting)
{
    const FitQuestion *question = fitting->question;
    const Rules *rules = &question->predictor->study->rules;
    const Network *network = fitting->network;
    VariedParameterArray all =
        varied_list(fitting->arena, &fitting->start, network->classes, network->class_count);
    varied_list_items(fitting->arena, &fitting->start, &all);
    varied_list_others(fitting->arena, &fitting->start, network->classes, network->class_count,
                       &all);
    if (!fitting->is_seeking && !check_free(question, &all))
        return false;
    fitting->parameters->count = fitting->place_count = 0;
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(fitting, &all.items[i]) && !is_of_protocols(&fitting->start, &all.items[i]) &&
            !varied_is_of_items(&fitting->start, &all.items[i]))
            *ARRAY_PUSH(fitting->arena, fitting->parameters) =
                (FittedValue){.varied = all.items[i], .factor = NAN};
    size_t count = fitting->parameters->count;
    fitting->logs = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->first = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->moved_at = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->is_absent = ARENA_ARRAY(fitting->arena, bool, count + 1);
    fitting->leaders = ARENA_ARRAY(fitting->arena, size_t, count + 1);
    fitting->places = ARENA_ARRAY(fitting->arena, size_t, count + 1);
    const double startup = fitting->start.parameters[PARAMETER_TS];
    for (size_t i = 0; i < count; i++) {
        const VariedParameter *varied = &fitting->parameters->items[i].varied;
        fitting->first[i] = varied->is_zero ? log(guess_absent(&fitting->start, varied)) : 0;
        fitting->logs[i] = fitting->first[i];
        if (!varied->is_zero && varied->parameter == PARAMETER_TS && startup > 0)
            fitting->first[i] = log(startup / varied->most);
        fitting->leaders[i] = i;
        const bool is_late = question->free.count == 0 && varied->is_zero && varied_is_late(varied);
        /* A gap between messages that are posted in order is refused by some rules. */
        const bool is_refused = varied->is_zero && strcmp(varied->name, "gap") == 0 &&
                                (rules->switching != SWITCHING_CUT_THROUGH || rules->asynchronous);
        fitting->is_absent[i] = is_late || is_refused;
        if (is_late)
            fitting->parameters->items[i].reason = "no row shows it";
        else if (is_refused)
            fitting->parameters->items[i].reason = "under these rules it has no cost";
        else
            fitting->places[fitting->place_count++] = i;
    }
    fitting->known_at = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->values = ARENA_ARRAY(fitting->arena, double, count + 1);
    fitting->lines = ARENA_ARRAY(fitting->arena, double, fitting->model.row_count *(count + 1) + 1);
    return true;
}

static bool run_from(Fitting *fitting, Arena *arena, const double *start, LeastSquaresFit *found)
{
    const LeastSquares problem = {.context = fitting,
                                  .rows = fitting->model.row_count,
                                  .parameters = fitting->place_count,
                                  .weights = fitting->weights,
                                  .scale = loss_scale,
                                  .residuals = residuals,
                                  .slopes = slopes};
    const size_t rows = fitting->model.row_count;
    fitting->knows = false;
    memset(fitting->lines, 0, rows * (fitting->parameters->count + 1) * sizeof *fitting->lines);
    for (size_t i = 0; i < rows; i++)
        fitting->counts[i] = fitting->weights[i] > 0;
    return least_squares_fit(arena, &problem, start, found);
}

bool fitting_run(Fitting *fitting, Arena *arena, LeastSquaresFit *found)
{
    double *start = ARENA_ARRAY(arena, double, fitting->place_count + 1);
    for (size_t j = 0; j < fitting->place_count; j++) {
        bool is_free;
        start[j] = limited(fitting, j, fitting->logs[fitting->places[j]], &is_free);
        if (!is_free) /* from a bound nothing leads back */
            start[j] = fitting->first[fitting->places[j]];
    }
    return run_from(fitting, arena, start, found);
}

/* The values of which the lines of all rows come nearest to their times, by least squares of
   relative errors without negative values, one coordinate after the other; rows that are far off
   count less. False: a row has no line. */
static bool find_nonnegative(Fitting *fitting, double *at)
{
    enum { WEIGHTINGS = 6, SWEEPS = 200 };
    const size_t n = fitting->place_count, rows = fitting->model.row_count;
    double *values = fitting->values;
    for (size_t i = 0; i < rows; i++)
        fitting->moves[i] = fitting->counts[i];
    if (!find_seconds(fitting, at))
        return false;
    for (size_t j = 0; j < n; j++)
        values[j] = exp(limited(fitting, j, at[j], NULL));
    if (!find_lines(fitting, at, values))
        return false;
    Arena *scratch = arena_scratch(fitting->arena);
    double *times = ARENA_ROOM(scratch, double, rows);
    for (size_t i = 0; i < rows; i++)
        times[i] = exp(fitting->model.rows[i].log_seconds);
    for (int weighting = 0; weighting < WEIGHTINGS; weighting++)
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            for (size_t j = 0; j < n; j++) {
                double squares = 0, product = 0;
                for (size_t i = 0; i < rows; i++) {
                    if (!fitting->counts[i])
                        continue;
                    const double *line = line_of(fitting, i);
                    double time = times[i], sum = line[0];
                    if (sweep == 0 && j == 0) {
                        for (size_t k = 0; k < n; k++)
                            sum += line[k + 1] * values[k];
                        fitting->moved[i] = 1 / sqrt(1 + pow((sum / time - 1) / loss_scale, 2));
                        sum = line[0];
                    }
                    for (size_t k = 0; k < n; k++)
                        sum += k == j ? 0 : line[k + 1] * values[k];
                    double slope = line[j + 1] / time;
                    squares += fitting->moved[i] * slope * slope;
                    product += fitting->moved[i] * slope * (1 - sum / time);
                }
                values[j] = squares > 0 ? fmax(product / squares, 0) : values[j];
            }
    arena_destroy(scratch);
    for (size_t j = 0; j < n; j++)
        at[j] = limited(fitting, j, values[j] > 0 ? log(values[j]) : -INFINITY, NULL);
    return true;
}

/* Begins again elsewhere, and keeps what is better. */
static bool try_from(Fitting *fitting, Arena *arena, const double *start, LeastSquaresFit *found)
{
    LeastSquaresFit tried;
    if (!run_from(fitting, arena, start, &tried) || !(tried.loss < found->loss))
        return false;
    *found = tried;
    return true;
}

bool fitting_run_widely(Fitting *fitting, Arena *arena, LeastSquaresFit *found)
{
    const size_t n = fitting->place_count;
    double *start = ARENA_ARRAY(arena, double, n + 1);
    if (!fitting_run(fitting, arena, found))
        return false;
    memcpy(start, found->at, n * sizeof *start);
    for (int pass = 0; pass < 3 && find_nonnegative(fitting, start); pass++)
        if (try_from(fitting, arena, start, found))
            memcpy(start, found->at, n * sizeof *start);
    for (size_t j = 0; j < n; j++) { /* each level, or protocol, against the others */
        const Text owner = fitting->parameters->items[fitting->places[j]].varied.owner;
        bool is_first = owner.length > 0;
        for (size_t k = 0; k < j; k++)
            is_first &=
                !text_same(owner, fitting->parameters->items[fitting->places[k]].varied.owner);
        for (int sign = -1; sign <= 1 && is_first; sign += 2) {
            for (size_t k = 0; k < n; k++)
                start[k] =
                    found->at[k] +
                    (text_same(owner, fitting->parameters->items[fitting->places[k]].varied.owner)
                         ? sign
                         : 0);
            try_from(fitting, arena, start, found);
        }
    }
    return true;
}

double fitting_criterion(const Fitting *fitting, const LeastSquaresFit *found, size_t parameters)
{
    double count = 0, sum = 0;
    for (size_t i = 0; i < fitting->model.row_count; i++) {
        count += fitting->weights[i];
        sum += fitting->weights[i] * fmax(fabs(found->residuals[i]), least_residual);
    }
    return 2 * count * log(sum / count) + (double)parameters * log(count);
}

bool fitting_moves(Fitting *fitting, const double *at, size_t place, double *share)
{
    const size_t n = fitting->place_count, rows = fitting->model.row_count;
    *share = 0;
    if (!find_seconds(fitting, at))
        return false;
    for (int sign = -1; sign <= 1; sign += 2) {
        memcpy(fitting->moved_at, at, n * sizeof *at);
        fitting->moved_at[place] += sign;
        Machine machine = fitting_machine(fitting, fitting->moved_at);
        if (!fit_model_seconds(&fitting->model, &machine, fitting->counts, fitting->moved))
            return false;
        for (size_t i = 0; i < rows; i++)
            if (fitting->counts[i])
                *share = fmax(*share, fabs(fitting->moved[i] / fitting->seconds[i] - 1));
    }
    return true;
}

size_t fitting_leave_wild(Fitting *fitting, const LeastSquaresFit *found)
{
    const size_t rows = fitting->model.row_count;
    size_t wild = 0;
    for (size_t i = 0; i < rows; i++)
        wild += fitting->weights[i] > 0 && fabs(found->residuals[i]) > log(wild_factor);
    if ((double)wild > most_wild * (double)rows)
        return 0;
    for (size_t i = 0; i < rows && wild; i++)
        if (fabs(found->residuals[i]) > log(wild_factor))
            fitting->weights[i] = 0;
    return wild;
}

void fitting_keep(Fitting *fitting, const LeastSquaresFit *found)
{
    for (size_t j = 0; j < fitting->place_count; j++) {
        const VariedParameter *varied = &fitting->parameters->items[fitting->places[j]].varied;
        const double scale = scale_of(varied);
        const double at = limited(fitting, j, found->at[j], NULL);
        fitting->logs[fitting->places[j]] =
            fmin(fmax(at, log(shortest / scale)), log(longest / scale));
    }
}
