#include "sched/reads.h"

bool lets_read(const LetList *lets, int slot)
{
    bool found = false;
    for (size_t i = 0; i < lets->count; i++)
        found |= program_uses(lets->items[i].program, slot);
    return found;
}

bool sets_read(const SetList *sets, int slot, bool but_last)
{
    bool found = false;
    for (size_t s = 0; s < sets->count; s++) {
        const CompiledSet *set = &sets->items[s];
        found |= program_uses(set->condition, slot);
        for (int i = 0; i < set->index_count - but_last; i++)
            found |= program_uses(set->indices[i], slot);
        for (int i = 0; i < set->loop_count; i++)
            found |= program_uses(set->loops[i].from, slot) || program_uses(set->loops[i].to, slot);
    }
    return found;
}

bool sets_name_all(const SetList *sets)
{
    bool all = false;
    for (size_t s = 0; s < sets->count; s++)
        all |= sets->items[s].syntax->all;
    return all;
}

bool loops_read(const ScheduleStep *step, int slot)
{
    bool found = false;
    for (size_t i = 0; i < step->loop_count; i++)
        found |= program_uses(step->loops[i].from, slot) || program_uses(step->loops[i].to, slot);
    return found;
}
