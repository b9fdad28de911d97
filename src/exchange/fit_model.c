#include "exchange/fit_model.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

/* Times that differ by a smaller share are the same. */
static const double same_time = 1e-9;

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
            model.cases[model.case_count++] = (ModelledCase){.given = opened, .now = opened};
        model.rows[model.row_count++] = (ModelledRow){row, number, i, log(row->seconds)};
    }
    return model;
}

/* The machine, the levels of which that have no protocols of their own have such as say nothing:
   a profile then contains how much of each level a time has, and takes the price when it is asked,
   as it does of the machine's. With store-and-forward levels have none. */
static Machine with_lists(const FitModel *model, const Machine *machine)
{
    static const Protocol nothing = {.up_to = INFINITY, .parameters = {-1, -1, -1, -1}};
    const Protocol *own = machine->protocol_count ? machine->protocols : &nothing;
    const int count = machine->protocol_count ? machine->protocol_count : 1;
    Machine listed = *machine;
    const bool has_lists = model->case_count > 0 &&
                           model->cases[0].given->study.rules.switching == SWITCHING_CUT_THROUGH;
    for (int i = 0; i < listed.level_count && has_lists; i++) {
        Level *level = &listed.levels[i];
        if (level->protocol_count || listed.listed_count + count > LIMIT_PROTOCOLS)
            continue;
        level->first_protocol = listed.listed_count;
        level->protocol_count = count;
        for (int j = 0; j < count; j++) {
            Protocol *protocol = &listed.protocols[listed.listed_count++];
            *protocol = nothing;
            protocol->number = own[j].number;
            protocol->up_to = own[j].up_to;
            protocol->waits = own[j].waits;
        }
    }
    return listed;
}

static void close_case(ModelledCase *modelled)
{
    if (modelled->own)
        arena_destroy(modelled->own);
    modelled->own = NULL;
    modelled->now = NULL;
}

void fit_model_open_again(FitModel *model, const Machine *machine)
{
    model->machine = with_lists(model, machine);
    for (size_t i = 0; i < model->case_count; i++)
        close_case(&model->cases[i]);
}

static Case *open_case(const Case *given, Arena *arena, const Machine *machine, Diag *diag)
{
    Study study = given->study;
    study.arena = arena;
    study.machine = *machine;
    study.diag = diag;
    study.rules.keeps_spacing = true;
    rules_follow_machine(&study.rules, &study.machine);
    return case_open(&study, given->collective, given->only, given->network.topology,
                     &given->network.shape);
}

/* NULL after a report to the predictor. */
static Case *find_case(FitModel *model, size_t number)
{
    ModelledCase *modelled = &model->cases[number];
    if (!modelled->now) {
        close_case(modelled); /* it may have been opened in vain before */
        modelled->own = arena_scratch(model->arena);
        modelled->now =
            open_case(modelled->given, modelled->own, &model->machine, modelled->given->study.diag);
    }
    return modelled->now;
}

static bool case_seconds(const Case *opened, const ModelledRow *row, double *seconds)
{
    const double bytes = row->row->bytes;
    return opened &&
           curve_seconds(opened->candidates.curves[0], bytes, curve_most_chunks(bytes), seconds,
                         opened->study.diag) &&
           *seconds > 0;
}

/* Do the profiles of the case contain a delay? Those of messages that are posted together tell how
   many these are; contacts, and gaps in order, are in them. A delay of a second would show. */
static bool contains(FitModel *model, size_t number, int delay)
{
    ModelledCase *modelled = &model->cases[number];
    if (modelled->is_tried[delay])
        return modelled->depends[delay];
    Arena *scratch = arena_scratch(model->arena);
    Diag silent = diag_silent();
    Machine machine = model->machine;
    machine.delays[delay] = (Delay){.is_given = true, .seconds = machine.delays[delay].seconds + 1};
    const Case *delayed = open_case(modelled->given, scratch, &machine, &silent);
    bool depends = !delayed;
    case_change_costs(modelled->now, &machine);
    for (size_t i = 0; i < model->row_count && !depends; i++) {
        double before, after;
        depends = model->rows[i].opened == number &&
                  (!case_seconds(modelled->now, &model->rows[i], &before) ||
                   !case_seconds(delayed, &model->rows[i], &after) ||
                   fabs(after - before) > same_time * before);
    }
    case_change_costs(modelled->now, &model->machine);
    arena_destroy(scratch);
    modelled->is_tried[delay] = true;
    modelled->depends[delay] = depends;
    return depends;
}

/* Closes the cases that contain delays which are others by this machine; what exchanges take is
   asked for with each cost. */
static void close_delayed(FitModel *model, const Machine *machine)
{
    for (int i = 0; i < DELAYS_OF_LEVELS; i++) {
        const Delay *before = &model->machine.delays[i], *after = &machine->delays[i];
        if (after->is_given == before->is_given &&
            (i == DELAY_EXCHANGE || after->seconds == before->seconds))
            continue;
        for (size_t j = 0; j < model->case_count; j++)
            if (model->cases[j].now && contains(model, j, i))
                close_case(&model->cases[j]);
    }
}

bool fit_model_seconds(FitModel *model, const Machine *machine, const bool *wanted, double *seconds)
{
    bool good = true;
    const Machine listed = with_lists(model, machine);
    close_delayed(model, &listed);
    for (size_t i = 0; i < model->case_count; i++) {
        if (model->cases[i].now && case_is_derived_otherwise(model->cases[i].now, &listed))
            close_case(&model->cases[i]);
        if (model->cases[i].now)
            case_change_costs(model->cases[i].now, &listed);
    }
    model->machine = listed;
    for (size_t i = 0; i < model->row_count && good; i++)
        good = (wanted && !wanted[i]) ||
               case_seconds(find_case(model, model->rows[i].opened), &model->rows[i], &seconds[i]);
    return good;
}

const char *fit_model_algorithm(const FitModel *model, size_t row)
{
    return case_algorithm(model->cases[model->rows[row].opened].now, 0)->head.name;
}

void fit_model_close(FitModel *model)
{
    for (size_t i = 0; i < model->case_count; i++) {
        close_case(&model->cases[i]);
        model->cases[i].now = model->cases[i].given;
    }
}
