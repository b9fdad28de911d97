#include "cli/pictures.h"

#include "bound/bounds.h"
#include "cli/files.h"
#include "cli/setting.h"
#include "format/network_picture.h"

#include <string.h>

static bool check_query(const Query *query)
{
    const CommandLine *line = query->line;
    if (query->ranks.count != 1)
        return diag_error(line->diag, option_value(line, OPTION_RANKS).span,
                          "a picture of a cut needs one number of ranks");
    if (query->sizes.count > 1)
        return diag_error(line->diag, option_value(line, OPTION_SIZE).span,
                          "a picture of a cut needs one size, or none");
    if (groups_are_given(&query->study.groups))
        return diag_error(line->diag, NOWHERE, "a picture of a cut is one of all ranks");
    return true;
}

static bool find_cut(const Query *query, Case *opened, NetworkCut *cut)
{
    const Study *study = &opened->study;
    const char *what;
    Contract contract;
    if (!network_is_drawable(study->arena, &opened->network, &what))
        return diag_error(study->diag, NOWHERE, "%s has too many %s", opened->network.name, what);
    if (!query_contract(opened, &contract))
        return false;
    if (!network_cut_find(query->study.arena, &contract, &opened->network, &study->rules, cut))
        return diag_error(
            study->diag, NOWHERE,
            "there is no cut to draw: nothing has to move, or there are too many links");
    return true;
}

/* "cut: 15 m tw"; with a size "cut: 10.2 us; the largest bound at m = 1 MiB is node, 12 us". NULL
   after a report. */
static const char *describe_bounds(const Query *query, Case *opened)
{
    Arena *arena = query->study.arena;
    const collcost_bound *bounds, *cut = NULL, *largest = NULL;
    size_t count;
    double size = query->sizes.count ? query->sizes.items[0] : 0;
    if (!query_answered(query, collcost_case_bounds(opened, size, 0, &bounds, &count)))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(bounds[i].kind, "cut") == 0)
            cut = &bounds[i];
        if (bounds[i].binds)
            largest = &bounds[i];
    }
    if (!query->sizes.count || !cut || !largest)
        return arena_printf(arena, "cut: %s", cut ? cut->formula : "-");
    const char *at =
        arena_printf(arena, "at %s", query_show_size(query, size, query->asked.items[0]));
    const char *time = quantity_show_time(arena, cut->seconds);
    return cut == largest
               ? arena_printf(arena, "cut: %s, the largest bound %s", time, at)
               : arena_printf(arena, "cut: %s; the largest bound %s is %s: %s", time, at,
                              largest->kind, quantity_show_time(arena, largest->seconds));
}

Status bound_picture(const Query *asked)
{
    Query query;
    NetworkCut cut;
    if (!check_query(asked) ||
        !query_settle_sizes(asked, asked->collective, asked->ranks.items[0], &query))
        return STATUS_BAD_INPUT;
    Arena *arena = query.study.arena;
    Case *opened = query_bound_case(&query, 0, asked->collective);
    if (!opened || !find_cut(&query, opened, &cut))
        return STATUS_BAD_INPUT;
    const char *bounds = describe_bounds(&query, opened);
    if (!bounds)
        return STATUS_BAD_INPUT;
    const Heading heading = {arena_printf(arena, "%s on %s: the best cut",
                                          asked->collective->head.name, opened->network.name),
                             {setting_machine(&query),
                              arena_printf(arena, "rules: %s", setting_rules(&query)),
                              cut.bound.reason, bounds}};
    const NetworkSides sides = {cut.memories, cut.nodes, cut.both};
    Drawing *drawing = network_draw(arena, &opened->network, &heading, &sides);
    if (drawing)
        return picture_write(asked->line, drawing);
    return BAD_INPUT(query.study.diag, NOWHERE,
                     "this network cannot be drawn: links would overlap each other or nodes");
}
