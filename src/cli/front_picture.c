#include "cli/pictures.h"

#include "cli/files.h"
#include "cli/setting.h"
#include "format/charts.h"

#include <math.h>
#include <string.h>

/* "ring: startup 14 us, transfer and compute 30 us, 16 MiB held" */
static ParetoPoint point_of(Arena *arena, const collcost_cost *cost, bool on_front)
{
    double x = cost->startup_s + cost->hop_s, y = cost->transfer_s + cost->compute_s;
    const char *held = cost->peak_bytes >= 0 ? quantity_show_bytes(arena, cost->peak_bytes) : NULL;
    const char *name = cost->algorithm;
    if (on_front && held)
        name = arena_printf(arena, "%s (%s)", name, held);
    return (ParetoPoint){x, y, name,
                         arena_printf(arena, "%s: startup %s, transfer and compute %s%s%s",
                                      cost->algorithm, quantity_show_time(arena, x),
                                      quantity_show_time(arena, y), held ? ", " : "",
                                      held ? arena_printf(arena, "%s held", held) : ""),
                         on_front};
}

static bool list_points(const Query *query, collcost_case *opened, ParetoFront *data)
{
    Arena *arena = query->study.arena;
    const double size = query->sizes.items[0];
    const collcost_cost *found, *costs;
    size_t front_count, count;
    if (!query_answered(query, collcost_case_front(opened, size, &found, &front_count)))
        return false;
    const collcost_cost *front = ARENA_COPY(arena, collcost_cost, found, front_count);
    if (!query_answered(query, collcost_case_costs(opened, size, &costs, &count)))
        return false;
    ParetoPoint *points = ARENA_ARRAY(arena, ParetoPoint, front_count + count);
    for (size_t i = 0; i < front_count; i++)
        points[data->count++] = point_of(arena, &front[i], true);
    for (size_t i = 0; i < count; i++) {
        bool is_listed = false;
        for (size_t n = 0; n < front_count && !is_listed; n++)
            is_listed = strcmp(front[n].algorithm, costs[i].algorithm) == 0;
        if (!is_listed)
            points[data->count++] = point_of(arena, &costs[i], false);
    }
    data->points = points;
    return true;
}

Status front_picture(const CommandLine *line)
{
    Query asked, query;
    ParetoFront data = {0};
    const collcost_bound *bounds;
    const char *rules;
    size_t count;
    if (!query_read_subject(line, &asked) ||
        !query_is_collective(&asked, line->operands.items[0], asked.collective))
        return STATUS_BAD_INPUT;
    if (asked.only)
        return BAD_INPUT(line->diag, line->operands.items[0].span,
                         "expected a collective, not one algorithm");
    if (asked.sizes.count != 1 || asked.ranks.count != 1)
        return BAD_INPUT(
            line->diag, NOWHERE,
            "a picture of a front needs one number of ranks and one size, such as -m 1MiB");
    if (option_given(line, OPTION_SAVE))
        return BAD_INPUT(line->diag, option_value(line, OPTION_SAVE).span,
                         "--save and --picture cannot be combined");
    if (!query_settle_sizes(&asked, asked.collective, asked.ranks.items[0], &query))
        return STATUS_BAD_INPUT;
    query.study.wants_front = true;
    collcost_case *opened = query_case(&query, 0, asked.collective, NULL);
    if (!opened || !list_points(&query, opened, &data) ||
        !query_answered(&query,
                        collcost_case_bounds(opened, query.sizes.items[0], 0, &bounds, &count)) ||
        !query_answered(&query, collcost_case_rules(opened, &rules)))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < count; i++) {
        /* The largest bound of either kind of time. */
        bool is_start =
            strcmp(bounds[i].kind, "rounds") == 0 || strcmp(bounds[i].kind, "distance") == 0;
        double *least = is_start ? &data.least_x : &data.least_y;
        *least = fmax(*least, bounds[i].seconds);
    }
    bool has_stages = false; /* names of other algorithms have no '+' */
    for (size_t i = 0; i < data.count; i++)
        has_stages |= data.points[i].on_front && strchr(data.points[i].name, '+');
    data.x_title = "startup, with the time of hops";
    data.y_title = "transfer and compute";
    data.heading =
        (Heading){arena_printf(line->arena, "%s on %s, %s: the Pareto front",
                               asked.collective->head.name, collcost_case_network(opened),
                               query_show_size(&query, query.sizes.items[0], query.asked.items[0])),
                  {setting_machine(&query), arena_printf(line->arena, "rules: %s", rules),
                   "in parentheses: peak memory of a rank, the third criterion",
                   has_stages ? "name(a+b+..): algorithms of stages, one after the other" : NULL}};
    Drawing *drawing = pareto_front_draw(line->arena, &data);
    return drawing ? picture_write(line, drawing)
                   : BAD_INPUT(line->diag, NOWHERE, "all times are 0: there is nothing to draw");
}
