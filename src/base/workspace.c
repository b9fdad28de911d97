#include "base/workspace.h"

#include "base/limits.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>

struct WorkspaceRun {
    jmp_buf unwind;
    struct WorkspaceRun *outer;
    uint64_t made; /* resources before it began */
};

void workspace_hold(Workspace *workspace, Resource *resource, void (*end)(Resource *resource))
{
    *resource = (Resource){.workspace = workspace, .end = end};
    if (!workspace)
        return;
    resource->number = workspace->made++;
    resource->older = workspace->newest;
    if (workspace->newest)
        workspace->newest->newer = resource;
    workspace->newest = resource;
}

void workspace_drop(Resource *resource)
{
    if (resource->older)
        resource->older->newer = resource->newer;
    if (resource->newer)
        resource->newer->older = resource->older;
    else if (resource->workspace)
        resource->workspace->newest = resource->older;
}

/* Frees what the innermost run has made, and ends it. */
static _Noreturn void unwind(Workspace *workspace, Ending ending)
{
    struct WorkspaceRun *run = workspace->run;
    while (workspace->newest && workspace->newest->number >= run->made) {
        Resource *resource = workspace->newest;
        workspace_drop(resource);
        resource->end(resource);
    }
    workspace->ending = ending;
    longjmp(run->unwind, 1);
}

Ending workspace_run(Workspace *workspace, void (*work)(void *context), void *context)
{
    struct WorkspaceRun run = {.outer = workspace->run, .made = workspace->made};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t outer = uselocale(plain);
    workspace->run = &run;
    workspace->ending = ENDING_NO_MEMORY;
    if (plain && setjmp(run.unwind) == 0) {
        work(context);
        workspace->ending = ENDING_DONE;
    }
    workspace->run = run.outer;
    uselocale(outer);
    if (plain)
        freelocale(plain);
    return workspace->ending;
}

void workspace_cancel(Workspace *workspace)
{
    atomic_store_explicit(&workspace->is_cancelled, true, memory_order_relaxed);
}

void workspace_forget(Workspace *workspace)
{
    atomic_store_explicit(&workspace->is_cancelled, false, memory_order_relaxed);
}

size_t workspace_wanted(const Workspace *workspace)
{
    return workspace->wanted;
}

size_t workspace_limit(const Workspace *workspace)
{
    return workspace->memory_limit ? workspace->memory_limit : (size_t)limit_of_MEMORY;
}

bool workspace_has_room(const Workspace *workspace, size_t size)
{
    if (!workspace)
        return true;
    size_t limit = workspace_limit(workspace);
    return workspace->used <= limit && size <= limit - workspace->used;
}

bool workspace_is_fuller(const Workspace *workspace, size_t size)
{
    return size > workspace->most_used - workspace->used;
}

void workspace_refuse(Workspace *workspace, const char *why)
{
    if (!workspace || !workspace->run)
        return;
    workspace->refusal = why;
    unwind(workspace, ENDING_TOO_LARGE);
}

const char *workspace_refusal(const Workspace *workspace)
{
    return workspace->refusal;
}

bool workspace_answered(Workspace *workspace, collcost_status status)
{
    if (status == COLLCOST_NO_MEMORY)
        workspace_fail(workspace, workspace_wanted(workspace));
    if (status == COLLCOST_TOO_LARGE)
        workspace_refuse(workspace, workspace_refusal(workspace));
    if (status == COLLCOST_CANCELLED) {
        workspace_cancel(workspace);
        workspace_poll(workspace, NULL);
    }
    return status == COLLCOST_FINE || status == COLLCOST_CHECK_FAILED;
}

_Noreturn void workspace_fail(Workspace *workspace, size_t wanted)
{
    if (workspace)
        workspace->wanted = wanted;
    if (!workspace_has_room(workspace, wanted))
        workspace_refuse(workspace, NULL);
    if (workspace && workspace->run)
        unwind(workspace, ENDING_NO_MEMORY);
    if (workspace && workspace->exhausted)
        workspace->exhausted(workspace->listener, wanted);
    __builtin_trap();
}

void *workspace_allocate(Workspace *workspace, size_t alignment, size_t size)
{
    if (!workspace_has_room(workspace, size) && workspace->run)
        workspace_fail(workspace, size);
    void *memory = workspace && workspace->allocate
                       ? workspace->allocate(workspace->allocator, alignment, size)
                       : aligned_alloc(alignment, size);
    if (!memory)
        workspace_fail(workspace, size);
    if (!workspace)
        return memory;
    workspace->used += size;
    if (workspace->used > workspace->most_used)
        workspace->most_used = workspace->used;
    return memory;
}

void workspace_free(Workspace *workspace, void *memory, size_t size)
{
    if (workspace)
        workspace->used -= size;
    if (workspace && workspace->release)
        workspace->release(workspace->allocator, memory);
    else
        free(memory);
}

void workspace_poll(Workspace *workspace, const WorkStep *step)
{
    if (!workspace || !workspace->run)
        return;
    if (workspace->progress)
        workspace->progress(workspace->listener, step);
    if (atomic_load_explicit(&workspace->is_cancelled, memory_order_relaxed)) {
        workspace_forget(workspace);
        unwind(workspace, ENDING_CANCELLED);
    }
}
