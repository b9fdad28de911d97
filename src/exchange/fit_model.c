#include "exchange/fit_model.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons)
{
    Arena *arena = predictor->study->arena;
    FitModel model = {.arena = arena,
                      .machine = predictor->study->machine,
                      .rows = ARENA_ARRAY(arena, ModelledRow, rows->count + 1),
                      .cases = ARENA_ARRAY(arena, ModelledCase, rows->count + 1)};
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        watch_step(arena, row->algorithm, (int64_t)i, (int64_t)rows->count);
        Case *opened = NULL;
        reasons[i] = NULL;
        if (measurement_is_default(row) && !naming_find(&predictor->naming, row))
            reasons[i] = "the library chose the algorithm; --algorithm or --map says which it is";
        else if (row->p == 1)
            reasons[i] = "nothing is sent by one rank";
        else
            opened = prediction_case(predictor, row, &reasons[i]);
        if (!opened)
            continue;
        size_t number = 0;
        while (number < model.case_count && model.cases[number].given != opened)
            number++;
        if (number == model.case_count)
            model.cases[model.case_count++] = (ModelledCase){opened, opened};
        model.rows[model.row_count++] = (ModelledRow){row, number, i, log(row->seconds)};
    }
    return model;
}

/* Have links costs of their own that are not those of the cases as they are? */
static bool is_derived_otherwise(const FitModel *model, const Machine *machine)
{
    const Machine *now = &model->machine;
    bool differs = machine->level_count != now->level_count;
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        differs |= machine->delays[i].is_given != now->delays[i].is_given ||
                   machine->delays[i].seconds != now->delays[i].seconds;
    for (int i = 0; i < machine->level_count && !differs; i++) {
        const Level *a = &machine->levels[i], *b = &now->levels[i];
        differs |= a->capacity != b->capacity;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            differs |=
                a->parameters[x] != b->parameters[x] || a->link_scales[x] != b->link_scales[x];
    }
    return differs;
}

void fit_model_open_again(FitModel *model, const Machine *machine)
{
    fit_model_close(model);
    model->machine = *machine;
    model->again = arena_scratch(model->arena);
    for (size_t i = 0; i < model->case_count; i++)
        model->cases[i].now = NULL;
}

/* NULL after a report to the predictor. */
static Case *find_case(FitModel *model, size_t number)
{
    ModelledCase *modelled = &model->cases[number];
    const Case *given = modelled->given;
    if (!modelled->now) {
        Study study = given->study;
        study.arena = model->again;
        study.machine = model->machine;
        rules_follow_machine(&study.rules, &study.machine);
        modelled->now = case_open(&study, given->collective, given->only, given->network.topology,
                                  &given->network.shape);
    }
    return modelled->now;
}

static bool row_seconds(FitModel *model, const ModelledRow *row, double *seconds)
{
    const Case *opened = find_case(model, row->opened);
    double bytes = row->row->bytes;
    return opened &&
           curve_seconds(opened->candidates.curves[0], bytes, curve_most_chunks(bytes), seconds,
                         opened->study.diag) &&
           *seconds > 0;
}

bool fit_model_seconds(FitModel *model, const Machine *machine, const bool *wanted, double *seconds)
{
    bool good = true;
    if (is_derived_otherwise(model, machine))
        fit_model_open_again(model, machine);
    for (size_t i = 0; i < model->case_count; i++)
        if (model->cases[i].now)
            case_change_costs(model->cases[i].now, machine);
    model->machine = *machine;
    for (size_t i = 0; i < model->row_count && good; i++)
        good = (wanted && !wanted[i]) || row_seconds(model, &model->rows[i], &seconds[i]);
    return good;
}

const char *fit_model_algorithm(const FitModel *model, size_t row)
{
    return case_algorithm(model->cases[model->rows[row].opened].now, 0)->head.name;
}

void fit_model_close(FitModel *model)
{
    if (model->again)
        arena_destroy(model->again);
    model->again = NULL;
    for (size_t i = 0; i < model->case_count; i++)
        model->cases[i].now = model->cases[i].given;
}
