/* What the arenas of one context share: where their memory comes from, and how work on them ends.

   Work runs under workspace_run. It returns, or it ends half-way: at a safe point (watch.h) where
   it was cancelled, or at any allocation where memory runs out, or would be more than the limit.
   Then all that was made since is freed, newest first, and workspace_run returns. So code between
   needs no check and no cleanup ladder.

   The limit is a number, whatever the host has, so that what is too large here is too large
   everywhere. It counts what arenas hold, not what other libraries ask for.

   Meanwhile the thread has the locale "C", so that numbers are read and written with a point; the
   handlers below see that too.

   Workspaces share nothing: several threads can each work in one of their own. Within one workspace
   only workspace_cancel may be called by another thread. */
#ifndef COLLCOST_BASE_WORKSPACE_H
#define COLLCOST_BASE_WORKSPACE_H

#include "collcost.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { ENDING_DONE, ENDING_CANCELLED, ENDING_NO_MEMORY, ENDING_TOO_LARGE } Ending;

/* In which units sizes are shown: powers of 1024, of 1000, or those of 1024 where they are exact.
 */
typedef enum { SIZES_MIXED, SIZES_BINARY, SIZES_DECIMAL } SizeUnits;

/* What is worked on; the first of `total` has number 0. total 0: not known. */
typedef struct {
    const char *what; /* lives until the handler returns */
    int64_t number, total;
} WorkStep;

/* Something that is to be given back: an arena, or what only a foreign library can free. It is a
   member of what it stands for. */
typedef struct Resource {
    struct Workspace *workspace;
    struct Resource *older, *newer;
    uint64_t number; /* in the order in which they were made */
    void (*end)(struct Resource *resource);
} Resource;

/* All zero is a workspace with the memory of the C library and nobody who listens. It must stay
   where it is while there is an arena or a resource of it. */
typedef struct Workspace {
    /* Memory at a multiple of `alignment`, a power of two, or NULL; and its end. NULL:
       aligned_alloc and free. */
    void *(*allocate)(void *allocator, size_t alignment, size_t size);
    void (*release)(void *allocator, void *memory);
    void *allocator;
    /* At each safe point; `step` is NULL where no new one begins. It may cancel, but must not use
       arenas of this workspace. NULL: nobody is told. */
    void (*progress)(void *listener, const WorkStep *step);
    /* Memory has run out while no work runs. It must not return. NULL: the process traps, since
       that is a fault of whoever allocated outside of workspace_run. */
    void (*exhausted)(void *listener, size_t wanted);
    void *listener;
    size_t memory_limit;  /* bytes at once, while work runs; 0: that of limits.def */
    SizeUnits size_units; /* of what is asked */

    /* Private. */
    atomic_bool is_cancelled;
    size_t used;      /* bytes that are allocated */
    size_t most_used; /* at once, so far */
    size_t wanted;
    const char *refusal; /* of the work that was too large last; NULL: for its memory */
    Ending ending;       /* of the run that is being ended */
    Resource *newest;
    uint64_t made;            /* resources, ever */
    struct WorkspaceRun *run; /* the innermost */
} Workspace;

/* Runs work(context). Unless it is done, all that was made meanwhile is gone. Runs may be nested:
   the innermost ends, and reports it. A cancellation that comes while nothing runs ends the next
   run at its first safe point. */
Ending workspace_run(Workspace *workspace, void (*work)(void *context), void *context);
/* Asks the work that runs to end at its next safe point. May be called by a signal handler and by
   any thread. */
void workspace_cancel(Workspace *workspace);
/* Takes back a cancellation that has not ended anything yet. */
void workspace_forget(Workspace *workspace);
/* How many bytes could not be had when memory ran out last. */
size_t workspace_wanted(const Workspace *workspace);

/* Bytes that may be in use at once. */
size_t workspace_limit(const Workspace *workspace);
/* May so many bytes more be in use? workspace NULL: yes. */
bool workspace_has_room(const Workspace *workspace, size_t size);
/* With so many bytes more, is more in use than ever before? Then the memory is new to the process.
 */
bool workspace_is_fuller(const Workspace *workspace, size_t size);
/* Memory of the workspace; does not return without it. workspace NULL: of the C library. */
void *workspace_allocate(Workspace *workspace, size_t alignment, size_t size);
/* `size` as it was allocated. */
void workspace_free(Workspace *workspace, void *memory, size_t size);
/* Ends the run as memory does that runs out, or where `wanted` is beyond the limit, as too large:
   for sizes that overflow. */
_Noreturn void workspace_fail(Workspace *workspace, size_t wanted);
/* Ends the run as too large. `why`, a sentence, lives on; NULL: it takes too much memory. Returns
   where nothing runs. */
void workspace_refuse(Workspace *workspace, const char *why);
/* Why the work was too large that was so last; NULL: for its memory. */
const char *workspace_refusal(const Workspace *workspace);
/* Did a call of collcost.h, made by the run, leave an answer? Ends the run as the call ended where
   that was half-way. */
bool workspace_answered(Workspace *workspace, collcost_status status);

/* Keeps `resource`, whose end(resource) is called when work ends half-way, unless it is dropped
   before. Its memory must live until then; a frame below the run's does. workspace NULL: nothing
   ends half-way. */
void workspace_hold(Workspace *workspace, Resource *resource, void (*end)(Resource *resource));
/* Forgets the resource; its end is the caller's business. */
void workspace_drop(Resource *resource);

/* A safe point; see watch.h. */
void workspace_poll(Workspace *workspace, const WorkStep *step);

#endif
