#include "cost/together.h"

#include "cost/shared_run.h"

#include <math.h>
#include <string.h>

/* All schedules as one, whose blocks are bytes and combine in seconds: what a byte takes may differ
   from one to the other. */
typedef struct {
    Arena *arena;
    Timeline timeline;
    Sharing sharing;
    PathList paths;
} Joining;

static void join_sharing(Joining *joining, const Sharing *sharing, double block)
{
    Sharing *all = &joining->sharing;
    const int32_t first_route = (int32_t)all->routes.count;
    const int32_t first_message = (int32_t)all->messages.count;
    const size_t first_crossing = all->crossings.count;
    for (size_t i = 0; i < sharing->crossings.count; i++) {
        SharedCrossing crossing = sharing->crossings.items[i];
        const int32_t own = crossing.resource;
        int32_t *place =
            place_table_find(joining->arena, &all->known_resources, sharing->keys.items[own]);
        if (*place < 0) {
            *place = (int32_t)all->lanes.count;
            *ARRAY_PUSH(joining->arena, &all->lanes) = sharing->lanes.items[own];
        }
        crossing.resource = *place;
        *ARRAY_PUSH(joining->arena, &all->crossings) = crossing;
    }
    for (size_t i = 0; i < sharing->routes.count; i++)
        *ARRAY_PUSH(joining->arena, &all->routes) = (CrossingRange){
            sharing->routes.items[i].first + first_crossing, sharing->routes.items[i].count};
    for (size_t i = 0; i < sharing->messages.count; i++) {
        SharedMessage message = sharing->messages.items[i];
        message.route += message.route < 0 ? 0 : first_route;
        message.first += first_message;
        message.next += message.next < 0 ? 0 : first_message;
        message.blocks *= block;
        *ARRAY_PUSH(joining->arena, &all->messages) = message;
    }
}

/* Its ranks, messages and port steps behind those of the others. */
static void join(Joining *joining, const Profile *profile, double block, double combining)
{
    const Timeline *own = profile->timeline;
    Timeline *all = &joining->timeline;
    const size_t first_path = joining->paths.count, first_message = all->messages.count;
    join_sharing(joining, own->sharing, block);
    for (size_t i = 0; i < profile->path_count; i++)
        *ARRAY_PUSH(joining->arena, &joining->paths) = profile->paths[i];
    for (size_t i = 0; i < own->messages.count; i++) {
        TimedMessage message = own->messages.items[i];
        message.from += (int32_t)all->p, message.to += (int32_t)all->p;
        message.first_path += first_path;
        message.combined *= block * combining;
        *ARRAY_PUSH(joining->arena, &all->messages) = message;
    }
    for (size_t i = 0; i < own->steps.count; i++)
        *ARRAY_PUSH(joining->arena, &all->steps) = (TimedPortStep){
            own->steps.items[i].end + first_message, own->steps.items[i].ends_round};
    all->p += own->p;
}

void together_run(Arena *arena, const ScheduleTogether *schedules, size_t count,
                  const double *parameters, double *ends)
{
    Arena *scratch = arena_scratch(arena);
    Joining joining = {.arena = scratch, .timeline.workspace = arena_workspace(scratch)};
    joining.timeline.sharing = &joining.sharing;
    for (size_t i = 0; i < count; i++) {
        const ScheduleTogether *one = &schedules[i];
        double settled[PARAMETER_COUNT];
        join(&joining, one->profile, profile_block(one->profile, one->bytes),
             profile_parameters(one->profile, parameters, one->bytes, settled)[PARAMETER_TC]);
    }
    double seconds[PARAMETER_COUNT];
    memcpy(seconds, parameters, sizeof seconds);
    seconds[PARAMETER_TC] = 1;
    MessageSpan *spans = ARENA_ARRAY(scratch, MessageSpan, joining.timeline.messages.count);
    const TimelineRun run = {.timeline = &joining.timeline,
                             .paths = joining.paths.items,
                             .parameters = seconds,
                             .block = 1,
                             .spans = spans};
    shared_run(&run);
    const MessageSpan *span = spans;
    for (size_t i = 0; i < count; i++) {
        ends[i] = 0;
        for (size_t n = schedules[i].profile->timeline->messages.count; n > 0; n--, span++)
            ends[i] = fmax(ends[i], fmax(span->end, span->combine_end));
    }
    arena_destroy(scratch);
}
