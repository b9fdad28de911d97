#include "base/watch.h"

void watch_poll(const Arena *arena)
{
    workspace_poll(arena_workspace(arena), NULL);
}

void watch_step(const Arena *arena, const char *what, int64_t number, int64_t total)
{
    const WorkStep step = {what, number, total};
    workspace_poll(arena_workspace(arena), &step);
}
