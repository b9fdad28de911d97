#include "cli/pictures.h"

#include "cli/files.h"

#include <math.h>

static const double gap = 30; /* between the two */

/* One of the two. It is not copied: its parts point at one another. */
typedef struct {
    Query query;
    Instance instance;
    TraceSubject subject;
    ScheduleExtent extent;
    TraceScene scene;
} Side;

static bool open_side(const Query *query, Case *opened, Side *side)
{
    const Algorithm *algorithm = opened->candidates.algorithms.items[0];
    const double size = query->sizes.items[0];
    CurveCost cost;
    Profile profile = {.ceil_chunks = query->study.rules.ceil_chunks};
    side->query = *query;
    side->query.study = opened->study;
    if (!curve_cost(opened->candidates.curves[0], size, &cost, query->study.diag))
        return false;
    side->instance =
        study_instance(&opened->study, algorithm, &opened->network, (int64_t)cost.k, cost.branches);
    if (!trace_settle_compute(&side->query, &side->instance, &opened->network) ||
        !schedule_chunks(&side->instance, &profile.chunks, query->study.diag))
        return false;
    side->subject =
        (TraceSubject){&side->instance, &opened->network, size, profile_block(&profile, size),
                       trace_subject_text(&side->query, &side->instance, &opened->network)};
    return schedule_extent_find(&side->query, &side->subject, &side->extent);
}

Status explain_picture(const Query *query, Case *const sides[2], const char *verdict)
{
    Arena *arena = query->study.arena;
    Side *both = ARENA_ARRAY(arena, Side, 2);
    bool is_heat = false;
    if (sides[0]->network.grouping)
        return BAD_INPUT(query->study.diag, NOWHERE, "a picture of schedules is one of all ranks");
    for (int i = 0; i < 2; i++) {
        if (!open_side(query, sides[i], &both[i]))
            return STATUS_BAD_INPUT;
        is_heat |= trace_wants_heat(&both[i].extent, &sides[i]->network);
    }
    for (int i = 0; i < 2; i++)
        if (!trace_scene_find(&both[i].query, &both[i].subject, &both[i].extent, is_heat,
                              &both[i].scene))
            return STATUS_BAD_INPUT;
    /* Both on one scale. */
    TraceScene *a = &both[0].scene, *b = &both[1].scene;
    a->diagram.end = b->diagram.end = fmax(a->diagram.end, b->diagram.end);
    a->diagram.steps = b->diagram.steps =
        a->diagram.steps > b->diagram.steps ? a->diagram.steps : b->diagram.steps;
    a->heat.most_busy = b->heat.most_busy = fmax(a->heat.most_busy, b->heat.most_busy);
    a->heat.most_seconds = b->heat.most_seconds = fmax(a->heat.most_seconds, b->heat.most_seconds);
    a->heat.is_compared = b->heat.is_compared = true;
    const Heading settings = trace_heading(&both[0].query, &both[0].subject, verdict);
    const Heading heading = {
        arena_printf(arena, "%s on %s, %s: two algorithms on one scale",
                     sides[0]->collective->head.name, sides[0]->network.name,
                     query_show_size(query, query->sizes.items[0], query->asked.items[0])),
        {settings.notes[0], settings.notes[1], settings.notes[2]}};
    Drawing *all = drawing_create(arena, heading.title);
    double top = 0;
    for (int i = 0; i < 2; i++) {
        TraceScene *scene = &both[i].scene;
        Heading *own = scene->is_heat ? &scene->heat.heading : &scene->diagram.heading;
        Heading alone = {.title = own->title}; /* what is the same for both stands above them */
        for (int n = 2; n < MOST_NOTES; n++)
            alone.notes[n - 2] = own->notes[n];
        *own = alone;
        Drawing *part = trace_scene_draw(arena, scene);
        drawing_make_part(part);
        Box box = drawing_box(part);
        drawing_append(all, part, (Point){-box.least.x, top - box.least.y});
        top += box.most.y - box.least.y + gap;
    }
    heading_draw(all, &heading, drawing_box(all).least.x + 16, -8);
    return picture_write(query->line, all);
}
