#include "cli/pictures.h"

#include "cli/files.h"
#include "cli/setting.h"

#include <math.h>

/* Sizes for each doubling, besides the switch points; and algorithms that are labelled even if they
   are nowhere the fastest. */
enum { SIZES_PER_OCTAVE = 6, LEAST_LABELLED = 4 };

static const double default_end = 0x1p30;

typedef struct {
    const Query *query;
    CostAxis axis;
    Case *opened;
    const SwitchPoints *points; /* NULL: not found */
    bool is_wrong;              /* one of the algorithms, which was reported */
    SizeArray sizes;            /* m */
    CostCurve *curves;
    double *means; /* of the logarithms of a curve's times */
} Plan;

static bool check_query(const Query *query)
{
    const Collective *collective = query->collective;
    const CommandLine *line = query->line;
    const SizeArray *sizes = &query->sizes;
    bool is_range = query->is_range && sizes->items[0] < sizes->items[sizes->count - 1];
    if (collective->problem)
        return diag_error(line->diag, line->operands.items[0].span,
                          "costs are drawn over message sizes, but %s is a product of matrices",
                          collective->head.name);
    if (query->ranks.count != 1)
        return diag_error(line->diag, option_value(line, OPTION_RANKS).span,
                          "a picture of costs needs one number of ranks");
    if (collective->is_empty)
        return diag_error(line->diag, line->operands.items[0].span,
                          "messages of %s carry no bytes: there is nothing to draw over their size",
                          collective->head.name);
    if (sizes->count && !is_range)
        return diag_error(line->diag, option_value(line, OPTION_SIZE).span,
                          "a picture of costs needs a range of sizes, such as 1..1GiB");
    if (sizes->count && !(sizes->items[0] > 0))
        return diag_error(line->diag, option_value(line, OPTION_SIZE).span,
                          "the sizes of a picture must be above 0");
    return true;
}

static bool follow_curve(Plan *plan, size_t index)
{
    const Query *query = plan->query;
    double *seconds = ARENA_ARRAY(query->study.arena, double, plan->sizes.count);
    bool is_wrong = false;
    for (size_t i = 0; i < plan->sizes.count; i++) {
        CurveCost cost;
        if (!curve_cost(plan->opened->candidates.curves[index], plan->sizes.items[i], &cost,
                        query->study.diag))
            return false;
        if (!is_wrong)
            is_wrong = case_check(plan->opened, index, cost.k, cost.branches, plan->sizes.items[i],
                                  CHECK_ONCE) == COST_WRONG;
        seconds[i] = cost.total;
        plan->means[index] += log(fmax(cost.total, 1e-300)) / (double)plan->sizes.count;
    }
    plan->is_wrong |= is_wrong;
    plan->curves[index] = (CostCurve){
        .name = plan->opened->candidates.algorithms.items[index]->head.name,
        .values = seconds,
        .style = -1,
    };
    return true;
}

/* Does it run along one that is labelled, which would hide it? */
static bool is_hidden(const Plan *plan, size_t index)
{
    const double *own = plan->curves[index].values;
    for (size_t c = 0; c < plan->opened->candidates.algorithms.count; c++) {
        size_t same = 0;
        while (plan->curves[c].style >= 0 && same < plan->sizes.count &&
               fabs(own[same] - plan->curves[c].values[same]) <= 1e-9 * own[same])
            same++;
        if (same == plan->sizes.count)
            return true;
    }
    return false;
}

/* The winners, in the order of their sizes, then those that are the fastest on the average. */
static size_t choose_labelled(Plan *plan)
{
    int used = 0;
    size_t count = plan->opened->candidates.algorithms.count;
    for (size_t i = 0; plan->points && i < plan->points->pieces.count; i++) {
        CostCurve *curve = &plan->curves[plan->points->pieces.items[i].curve];
        if (curve->style < 0 && used < CURVE_STYLES)
            curve->style = used++;
    }
    while (used < LEAST_LABELLED && (size_t)used < count) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (plan->curves[i].style < 0 &&
                (best == count || plan->means[i] < plan->means[best]) && !is_hidden(plan, i))
                best = i;
        if (best == count)
            break;
        plan->curves[best].style = used++;
    }
    return (size_t)used;
}

static Status draw_cost_picture(Plan *plan)
{
    const Query *query = plan->query;
    Arena *arena = query->study.arena;
    const AlgorithmArray *algorithms = &plan->opened->candidates.algorithms;
    const char *rules = rules_describe_for(arena, &query->study.rules, &plan->opened->network,
                                           algorithms->items, algorithms->count);
    const LowerBound *bound = case_bound(plan->opened);
    double *shown = ARENA_ARRAY(arena, double, plan->sizes.count);
    double *bounds = ARENA_ARRAY(arena, double, plan->sizes.count);
    for (size_t i = 0; i < plan->sizes.count; i++) {
        shown[i] = plan->sizes.items[i] * query->m_count;
        bounds[i] = lower_bound_seconds(bound, plan->sizes.items[i]);
    }
    const char *others = cost_curves_note_others(arena, algorithms->count - choose_labelled(plan));
    if (!plan->points)
        others = arena_printf(arena, "%s%sswitch points: not found", others ? others : "",
                              others ? "; " : "");
    CostCurves data = {
        .heading = {NULL, {setting_machine(query), arena_printf(arena, "rules: %s", rules)}},
        .size_title = query->nccl_sizes ? "message size M (NCCL)" : "message size m",
        .size_count = plan->sizes.count,
        .sizes = shown,
        .curve_count = algorithms->count,
        .curves = plan->curves,
        .bound = bound->known ? bounds : NULL,
    };
    const bool has_pieces = plan->points && algorithms->count > 1;
    const size_t piece_count = has_pieces ? plan->points->pieces.count : 0;
    const double end = query->sizes.items[query->sizes.count - 1];
    CostPiece *pieces = ARENA_ARRAY(arena, CostPiece, piece_count + 1);
    for (size_t i = 0; i < piece_count; i++) {
        const Piece *piece = &plan->points->pieces.items[i];
        const double from = piece->from * query->m_count;
        pieces[i] = (CostPiece){from, fmin(piece->to, end) * query->m_count, piece->curve,
                                i ? quantity_show_bytes(arena, from) : NULL};
    }
    data.pieces = pieces, data.piece_count = piece_count;
    const char *words, *note;
    size_t best = 0;
    for (size_t i = 1; i < algorithms->count; i++)
        if (plan->means[i] < plan->means[best])
            best = i;
    if (!cost_axis_apply(&plan->axis, query, best, &data, &words, &note))
        return STATUS_BAD_INPUT;
    const char *what =
        query->only ? algorithm_full_name(arena, query->only) : query->collective->head.name;
    data.heading.title = arena_printf(arena, "%s on %s: %s by message size", what,
                                      plan->opened->network.name, words);
    heading_note(&data.heading, note);
    heading_note(&data.heading, others);
    Drawing *drawing = cost_curves_draw(arena, &data);
    if (!drawing)
        return BAD_INPUT(query->study.diag, NOWHERE, "all times are 0: there is nothing to draw");
    Status status = picture_write(query->line, drawing);
    return status == STATUS_FINE && plan->is_wrong ? STATUS_CHECK_FAILED : status;
}

Status cost_picture(const Query *asked, AxisKind usual)
{
    Query ranged = *asked, settled;
    Plan plan = {.query = &settled};
    if (!cost_axis_read(asked->line, usual, &plan.axis) || !check_query(asked))
        return STATUS_BAD_INPUT;
    if (!ranged.sizes.count) {
        *ARRAY_PUSH(ranged.study.arena, &ranged.sizes) = 1;
        *ARRAY_PUSH(ranged.study.arena, &ranged.sizes) = default_end;
        ranged.asked = ranged.sizes;
    }
    if (!query_settle_sizes(&ranged, asked->collective, asked->ranks.items[0], &settled))
        return STATUS_BAD_INPUT;
    plan.opened = query_case(&settled, 0, asked->collective, asked->only);
    if (!plan.opened)
        return STATUS_BAD_INPUT;
    const Query *query = plan.query;
    Case *opened = plan.opened;
    Diag *diag = study_silence(&opened->study);
    if (!query->study.rules.ceil_chunks)
        plan.points = switch_points_find(opened, query->sizes.items[0],
                                         query->sizes.items[query->sizes.count - 1], -1);
    opened->study.diag = diag;
    double from = query->sizes.items[0], to = query->sizes.items[query->sizes.count - 1];
    int steps = (int)ceil(log2(to / from) * SIZES_PER_OCTAVE) + 1;
    for (int i = 0; i <= steps; i++)
        *ARRAY_PUSH(query->study.arena, &plan.sizes) =
            i == steps ? to : from * pow(to / from, (double)i / steps);
    for (size_t i = 1; plan.points && i < plan.points->pieces.count; i++)
        *ARRAY_PUSH(query->study.arena, &plan.sizes) = plan.points->pieces.items[i].from;
    /* Where messages get another protocol, times jump: both ends of a jump are drawn, up to so
       many. */
    SizeArray jumps = {0};
    Diag silent = diag_silent();
    const BendList list = {from, to, query->study.arena, &jumps, &silent};
    for (size_t i = 0; i < opened->candidates.algorithms.count && query->study.rules.protocols; i++)
        curve_bends(opened->candidates.curves[i], &list);
    for (size_t i = 0; i < jumps.count && i < LIMIT_SEGMENTS; i++) {
        *ARRAY_PUSH(query->study.arena, &plan.sizes) = jumps.items[i];
        *ARRAY_PUSH(query->study.arena, &plan.sizes) = fmin(jumps.items[i] * (1 + 1e-9), to);
    }
    sort_doubles(plan.sizes.items, plan.sizes.count);
    const size_t count = opened->candidates.algorithms.count;
    plan.curves = ARENA_ARRAY(query->study.arena, CostCurve, count);
    plan.means = ARENA_ARRAY(query->study.arena, double, count);
    for (size_t i = 0; i < count; i++)
        if (!follow_curve(&plan, i))
            return STATUS_BAD_INPUT;
    return draw_cost_picture(&plan);
}
