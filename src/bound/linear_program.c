#include "bound/linear_program.h"

#ifdef HAVE_GLPK

#include "base/watch.h"

#include <glpk.h>
#include <stdlib.h>

const bool route_mix_exists = true;

/* Steps of the simplex algorithm times rows: some seconds. */
static const size_t most_work = (size_t)1 << 22;

/* Rows: 1 .. links, then one for each sender. Columns: 1 is T, then the paths. */
struct RouteMix {
    glp_prob *program;
    size_t links, size; /* rows that are links, and all */
    int *rows;          /* room for a column */
    double *values;     /* from 1 on, as GLPK counts */
};

RouteMix *route_mix_open(const double *capacities, size_t links, size_t senders)
{
    watch_pause(); /* up to route_mix_close: GLPK's memory is not an arena's */
    RouteMix *mix = glp_alloc(1, sizeof *mix);
    int count = (int)links;
    *mix = (RouteMix){.program = glp_create_prob(),
                      .links = links,
                      .size = links + senders,
                      .rows = glp_alloc(count + 2, sizeof *mix->rows),
                      .values = glp_alloc(count + 2, sizeof *mix->values)};
    glp_add_rows(mix->program, count + (int)senders);
    for (int i = 1; i <= count + (int)senders; i++)
        glp_set_row_bnds(mix->program, i, i <= count ? GLP_UP : GLP_FX, i > count, i > count);
    for (int e = 1; e <= count; e++)
        mix->rows[e] = e, mix->values[e] = -capacities[e - 1];
    glp_set_obj_dir(mix->program, GLP_MIN);
    glp_add_cols(mix->program, 1);
    glp_set_col_bnds(mix->program, 1, GLP_LO, 0, 0);
    glp_set_obj_coef(mix->program, 1, 1);
    glp_set_mat_col(mix->program, 1, count, mix->rows, mix->values);
    return mix;
}

void route_mix_close(RouteMix *mix)
{
    glp_delete_prob(mix->program);
    glp_free(mix->rows);
    glp_free(mix->values);
    glp_free(mix);
    glp_free_env();
    watch_resume();
}

void route_mix_add(RouteMix *mix, size_t sender, const double *loads)
{
    int column = glp_add_cols(mix->program, 1), used = 0;
    for (size_t e = 0; e < mix->links; e++)
        if (loads[e] > 0) {
            mix->rows[++used] = (int)e + 1;
            mix->values[used] = loads[e];
        }
    mix->rows[++used] = (int)(mix->links + sender) + 1;
    mix->values[used] = 1;
    glp_set_col_bnds(mix->program, column, GLP_LO, 0, 0);
    glp_set_mat_col(mix->program, column, used, mix->rows, mix->values);
}

bool route_mix_solve(RouteMix *mix, double *fullest, double *weights)
{
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.it_lim = (int)(most_work / mix->size) - glp_get_it_cnt(mix->program);
    if (parameters.it_lim <= 0 || glp_simplex(mix->program, &parameters) != 0 ||
        glp_get_status(mix->program) != GLP_OPT)
        return false;
    *fullest = glp_get_obj_val(mix->program);
    for (size_t e = 0; e < mix->links; e++) {
        double weight = -glp_get_row_dual(mix->program, (int)e + 1);
        weights[e] = weight > 0 ? weight : 0;
    }
    return true;
}

#else

const bool route_mix_exists = false;

RouteMix *route_mix_open(const double *capacities, size_t links, size_t senders)
{
    (void)capacities, (void)links, (void)senders;
    return NULL;
}

void route_mix_close(RouteMix *mix)
{
    (void)mix;
}

void route_mix_add(RouteMix *mix, size_t sender, const double *loads)
{
    (void)mix, (void)sender, (void)loads;
}

bool route_mix_solve(RouteMix *mix, double *fullest, double *weights)
{
    (void)mix, (void)fullest, (void)weights;
    return false;
}

#endif
