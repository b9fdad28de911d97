/* Loaded in front of UCX, as MPICH uses it: a rank that finds nothing to do leaves the processor to
   the others. Else each of more ranks than processors spins through its share of time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned done = progress(worker);
    if (!done)
        sched_yield();
    return done;
}
