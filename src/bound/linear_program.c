#include "bound/linear_program.h"

#ifdef HAVE_GLPK

#include <dlfcn.h>
#include <glpk.h>
#include <setjmp.h>

/* Steps of the simplex algorithm times rows: some seconds. */
static const size_t most_work = (size_t)1 << 22;

/* The library's functions. It is not linked: with those that it needs it is half of what every
   start of the program would load. */
typedef struct {
#define GLPK(name) __typeof__(&glp_##name) name;
#include "bound/glpk.def"
#undef GLPK
} Glpk;

/* Rows: 1 .. links, then one for each sender. Columns: 1 is T, then the paths. */
struct RouteMix {
    Resource resource;
    Workspace *workspace;
    Glpk glpk;
    bool owns_environment; /* GLPK's, of this thread */
    jmp_buf failed;
    glp_prob *program;
    size_t links, size; /* rows that are links, and all */
    int *rows;          /* room for a column */
    double *values;     /* from 1 on, as GLPK counts */
    int used;           /* of that room */
    bool is_solved;
};

static bool load(Glpk *glpk)
{
    void *library = dlopen(GLPK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool good = library != NULL;
#define GLPK(name) good = good && (*(void **)&glpk->name = dlsym(library, "glp_" #name));
#include "bound/glpk.def"
#undef GLPK
    return good;
}

bool route_mix_exists(void)
{
    Glpk glpk;
    return load(&glpk);
}

static void end_mix(Resource *resource)
{
    RouteMix *mix = (RouteMix *)(void *)resource; /* its first member */
    if (mix->program)
        mix->glpk.delete_prob(mix->program);
    if (mix->owns_environment)
        mix->glpk.free_env();
}

static void leave(void *mix)
{
    longjmp(((RouteMix *)mix)->failed, 1);
}

/* Where memory runs out GLPK ends the process, unless a hook leaves before; its environment cannot
   be used any more then. */
static void guard(RouteMix *mix, void (*work)(RouteMix *mix))
{
    Workspace *workspace = mix->workspace;
    int terminal = mix->glpk.term_out(GLP_OFF);
    if (setjmp(mix->failed) != 0) {
        workspace_drop(&mix->resource);
        mix->glpk.free_env();
        workspace_fail(workspace, mix->size * sizeof(double));
    }
    mix->glpk.error_hook(leave, mix);
    work(mix);
    mix->glpk.error_hook(NULL, NULL);
    mix->glpk.term_out(terminal);
}

/* T, whose coefficients stand in the room, and a row for each link and each sender. */
static void build_program(RouteMix *mix)
{
    int count = (int)mix->links;
    mix->program = mix->glpk.create_prob();
    mix->glpk.add_rows(mix->program, (int)mix->size);
    for (int i = 1; i <= (int)mix->size; i++)
        mix->glpk.set_row_bnds(mix->program, i, i <= count ? GLP_UP : GLP_FX, i > count, i > count);
    mix->glpk.set_obj_dir(mix->program, GLP_MIN);
    mix->glpk.add_cols(mix->program, 1);
    mix->glpk.set_col_bnds(mix->program, 1, GLP_LO, 0, 0);
    mix->glpk.set_obj_coef(mix->program, 1, 1);
    mix->glpk.set_mat_col(mix->program, 1, mix->used, mix->rows, mix->values);
}

RouteMix *route_mix_open(Arena *arena, const double *capacities, size_t links, size_t senders)
{
    RouteMix *mix = ARENA_NEW(arena, RouteMix);
    mix->workspace = arena_workspace(arena);
    if (!load(&mix->glpk)) /* route_mix_exists could, so memory is missing */
        workspace_fail(mix->workspace, sizeof mix->glpk);
    mix->links = links, mix->size = links + senders;
    mix->rows = ARENA_ROOM(arena, int, links + 2);
    mix->values = ARENA_ROOM(arena, double, links + 2);
    for (size_t e = 1; e <= links; e++)
        mix->rows[e] = (int)e, mix->values[e] = -capacities[e - 1];
    mix->used = (int)links;
    mix->owns_environment = mix->glpk.init_env() == 0;
    workspace_hold(mix->workspace, &mix->resource, end_mix);
    guard(mix, build_program);
    return mix;
}

void route_mix_close(RouteMix *mix)
{
    workspace_drop(&mix->resource);
    end_mix(&mix->resource);
}

static void add_column(RouteMix *mix)
{
    int column = mix->glpk.add_cols(mix->program, 1);
    mix->glpk.set_col_bnds(mix->program, column, GLP_LO, 0, 0);
    mix->glpk.set_mat_col(mix->program, column, mix->used, mix->rows, mix->values);
}

void route_mix_add(RouteMix *mix, size_t sender, const double *loads)
{
    mix->used = 0;
    for (size_t e = 0; e < mix->links; e++)
        if (loads[e] > 0) {
            mix->rows[++mix->used] = (int)e + 1;
            mix->values[mix->used] = loads[e];
        }
    mix->rows[++mix->used] = (int)(mix->links + sender) + 1;
    mix->values[mix->used] = 1;
    guard(mix, add_column);
}

static void solve_program(RouteMix *mix)
{
    glp_smcp parameters;
    mix->glpk.init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.it_lim = (int)(most_work / mix->size) - mix->glpk.get_it_cnt(mix->program);
    mix->is_solved = parameters.it_lim > 0 && mix->glpk.simplex(mix->program, &parameters) == 0 &&
                     mix->glpk.get_status(mix->program) == GLP_OPT;
}

bool route_mix_solve(RouteMix *mix, double *fullest, double *weights)
{
    guard(mix, solve_program);
    if (!mix->is_solved)
        return false;
    *fullest = mix->glpk.get_obj_val(mix->program);
    for (size_t e = 0; e < mix->links; e++) {
        double weight = -mix->glpk.get_row_dual(mix->program, (int)e + 1);
        weights[e] = weight > 0 ? weight : 0;
    }
    return true;
}

#else

bool route_mix_exists(void)
{
    return false;
}

RouteMix *route_mix_open(Arena *arena, const double *capacities, size_t links, size_t senders)
{
    (void)arena, (void)capacities, (void)links, (void)senders;
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
