#include "exchange/prediction.h"

#include "base/watch.h"

#include <math.h>

/* The case of a row, which is one more, or was there before. */
static ModelledCase *add_case(FitModel *model, Case *opened)
{
    for (size_t i = 0; i < model->case_count; i++)
        if (model->cases[i].opened == opened)
            return &model->cases[i];
    model->cases[model->case_count] = (ModelledCase){.opened = opened};
    return &model->cases[model->case_count++];
}

static void open_times(const FitModel *model, ModelledCase *of)
{
    workspace_answered(
        arena_workspace(model->arena),
        collcost_times_create(of->opened, of->sizes.items, of->sizes.count, &of->times));
}

FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons)
{
    Arena *arena = predictor->study->arena;
    FitModel model = {.arena = arena,
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
        ModelledCase *of = add_case(&model, opened);
        *ARRAY_PUSH(arena, &of->sizes) = row->bytes;
        model.rows[model.row_count++] = (ModelledRow){row, (size_t)(of - model.cases),
                                                      of->sizes.count - 1, i, log(row->seconds)};
    }
    for (size_t i = 0; i < model.case_count; i++) {
        ModelledCase *of = &model.cases[i];
        of->wanted = ARENA_ARRAY(arena, bool, of->sizes.count);
        of->seconds = ARENA_ARRAY(arena, double, of->sizes.count);
        open_times(&model, of);
    }
    return model;
}

bool fit_model_seconds(const FitModel *model, const Machine *machine, const bool *wanted,
                       double *seconds)
{
    for (size_t i = 0; i < model->case_count; i++)
        model->cases[i].any = false;
    for (size_t i = 0; i < model->row_count; i++) {
        ModelledCase *of = &model->cases[model->rows[i].opened];
        of->wanted[model->rows[i].size] = !wanted || wanted[i];
        of->any |= !wanted || wanted[i];
    }
    for (size_t i = 0; i < model->case_count; i++) {
        const ModelledCase *of = &model->cases[i];
        if (!of->any)
            continue;
        if (!of->times ||
            !workspace_answered(arena_workspace(model->arena),
                                collcost_times_on(of->times, machine, of->wanted, of->seconds)))
            return false;
    }
    for (size_t i = 0; i < model->row_count; i++)
        if (!wanted || wanted[i])
            seconds[i] = model->cases[model->rows[i].opened].seconds[model->rows[i].size];
    return true;
}

void fit_model_forget(FitModel *model)
{
    fit_model_close(model);
    for (size_t i = 0; i < model->case_count; i++)
        open_times(model, &model->cases[i]);
}

void fit_model_close(FitModel *model)
{
    for (size_t i = 0; i < model->case_count; i++)
        collcost_times_free(model->cases[i].times);
}
