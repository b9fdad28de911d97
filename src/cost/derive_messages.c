#include "cost/deriver.h"

#include <string.h>

bool timeline_start(Arena *arena, const Rules *rules, int64_t p, int64_t block_count,
                    Timeline **timeline, Diag *diag)
{
    if (rules->contention == CONTENTION_SHARED && !sharing_is_possible(rules, diag))
        return false;
    if (!rules->asynchronous)
        return true;
    Timeline *made = *timeline = ARENA_NEW(arena, Timeline);
    made->workspace = arena_workspace(arena);
    made->overlaps = rules->combining == COMBINING_OVERLAP;
    made->p = p;
    made->averages = rules->averages;
    if (rules->contention == CONTENTION_SHARED) {
        made->sharing = ARENA_NEW(arena, Sharing);
        bool keeps_rules = rules->protocols || rules->varied.level.length;
        made->sharing->rules = keeps_rules ? rules : NULL;
    }
    if (!made->overlaps)
        return true;
    if (block_count < 0 || block_count > MOST_TIMED_MESSAGES / p)
        return diag_limit(
            diag, NOWHERE,
            "overlapped combining tracks every block at every rank, and %lld ranks have "
            "more than %d",
            (long long)p, MOST_TIMED_MESSAGES);
    made->block_count = block_count;
    return true;
}

/* The paths of a message, kept once where the message before it had the same. */
static size_t keep_paths(Arena *arena, PathList *kept, const PathCost *paths, size_t count)
{
    if (kept->count >= count &&
        memcmp(kept->items + kept->count - count, paths, count * sizeof *paths) == 0)
        return kept->count - count;
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(arena, kept) = paths[i];
    return kept->count - count;
}

bool timeline_note(Timeline *timeline, Arena *arena, const LoadContext *context, PathList *paths,
                   const Round *round, const PortStep *step, const int32_t *marks, bool ends_round,
                   Diag *diag)
{
    size_t all = step->count + step->local_count;
    if (timeline->messages.count + all > MOST_TIMED_MESSAGES)
        return diag_limit(diag, NOWHERE,
                          "this schedule has more than %d messages, too many for asynchronous or "
                          "overlapped costs",
                          MOST_TIMED_MESSAGES);
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = step->transfers[i];
        PathRange ranges = i < step->count ? step->ranges[i] : (PathRange){0, 0};
        TimedMessage message = {.from = (int32_t)transfer->from,
                                .to = (int32_t)transfer->to,
                                .path_count = (uint32_t)ranges.count,
                                .combined = (double)step->combines[i],
                                .first_block = timeline->blocks.count};
        if (ranges.count)
            message.first_path = keep_paths(arena, paths, step->paths + ranges.first, ranges.count);
        if (marks) {
            message.block_count = (uint32_t)transfer->block_count;
            for (size_t b = 0; b < transfer->block_count; b++) {
                size_t place = transfer->first_block + b;
                *ARRAY_PUSH(arena, &timeline->sources) = (int32_t)round->blocks[place];
                *ARRAY_PUSH(arena, &timeline->blocks) = marks[place];
            }
        }
        *ARRAY_PUSH(arena, &timeline->messages) = message;
    }
    *ARRAY_PUSH(arena, &timeline->steps) = (TimedPortStep){timeline->messages.count, ends_round};
    return !timeline->sharing || sharing_note(context, arena, step, timeline->sharing, diag);
}
