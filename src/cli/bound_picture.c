#include "cli/pictures.h"

#include "bound/bounds.h"
#include "cli/files.h"
#include "cli/setting.h"
#include "format/network_picture.h"

#include <string.h>

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
    const CommandLine *line = asked->line;
    Diag *diag = line->diag;
    Arena *arena = asked->study.arena;
    Query query;
    Contract contract;
    NetworkCut cut;
    const char *what;
    if (asked->ranks.count != 1)
        return BAD_INPUT(diag, option_value(line, OPTION_RANKS).span,
                         "a picture of a cut needs one number of ranks");
    if (asked->sizes.count > 1)
        return BAD_INPUT(diag, option_value(line, OPTION_SIZE).span,
                         "a picture of a cut needs one size, or none");
    if (groups_are_given(&asked->study.groups))
        return BAD_INPUT(diag, NOWHERE, "a picture of a cut is one of all ranks");
    if (!query_settle_sizes(asked, asked->collective, asked->ranks.items[0], &query))
        return STATUS_BAD_INPUT;
    Case *opened = query_bound_case(&query, 0, asked->collective);
    if (!opened)
        return STATUS_BAD_INPUT;
    if (!network_is_drawable(arena, &opened->network, &what))
        return BAD_INPUT(diag, NOWHERE, "%s has too many %s", opened->network.name, what);
    if (!query_contract(opened, &contract))
        return STATUS_BAD_INPUT;
    if (!network_cut_find(arena, &contract, &opened->network, &opened->study.rules, &cut))
        return BAD_INPUT(
            diag, NOWHERE,
            "there is no cut to draw: nothing has to move, or there are too many links");
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
        return picture_write(line, drawing);
    return BAD_INPUT(diag, NOWHERE,
                     "this network cannot be drawn: links would overlap each other or nodes");
}
