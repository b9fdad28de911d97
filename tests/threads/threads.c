/* Two threads ask the library at the same time, each in a context of its own, and must get the
   answers that one thread gets alone; a third one is cancelled again and again meanwhile. Built for
   tests/threads.t with -fsanitize=thread, which ends the program where they share what is written.
 */
#include "collcost.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_ANSWERS = 200, CANCELLATIONS = 5 };

typedef struct {
    collcost_context *context;
    double answers[MOST_ANSWERS];
    int count;
    atomic_int rounds; /* asked so far */
    atomic_bool is_over;
    int cancelled;
} Asker;

static const struct {
    const char *collective, *topology;
} asked[] = {{"broadcast", "full:8"},
             {"allreduce", "ring:8"},
             {"alltoall", "mesh:3x2"},
             {"reduce", "hypercube:8"}};

static void answer(Asker *asker, double value)
{
    if (asker->count < MOST_ANSWERS)
        asker->answers[asker->count++] = value;
}

/* All costs at one size, the bounds, and the switch points. */
static collcost_status ask_case(Asker *asker, collcost_study *study, const char *collective,
                                const char *topology)
{
    collcost_case *opened;
    const collcost_cost *costs;
    const collcost_bound *bounds;
    const collcost_piece *pieces;
    size_t count;
    collcost_status status = collcost_case_open(study, collective, topology, &opened);
    if (status == COLLCOST_FINE)
        status = collcost_case_costs(opened, 1e6, &costs, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        answer(asker, costs[i].total_s + (double)costs[i].check);
    if (status == COLLCOST_FINE)
        status = collcost_case_bounds(opened, 1e6, 0, &bounds, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        answer(asker, bounds[i].seconds);
    if (status == COLLCOST_FINE)
        status = collcost_case_switch_points(opened, 1, 1e9, -1, COLLCOST_CHECKED, &pieces, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        answer(asker, pieces[i].from_bytes);
    return status;
}

static collcost_status ask_all(Asker *asker)
{
    collcost_study *study;
    const char *const models[] = {"scan"};
    const collcost_task task = {.models = models, .model_count = 1, .most = 4};
    collcost_verification found;
    collcost_status status = collcost_study_create(asker->context, &study);
    asker->count = 0;
    if (status != COLLCOST_FINE)
        return status;
    for (size_t i = 0; i < sizeof asked / sizeof *asked && status == COLLCOST_FINE; i++)
        status = ask_case(asker, study, asked[i].collective, asked[i].topology);
    if (status == COLLCOST_FINE)
        status = collcost_verify(study, &task, &found);
    if (status == COLLCOST_FINE)
        answer(asker, (double)found.run_count);
    collcost_study_free(study);
    return status;
}

static void *ask_once(void *context)
{
    Asker *asker = context;
    if (collcost_open(NULL, &asker->context) != COLLCOST_FINE)
        return NULL;
    if (ask_all(asker) != COLLCOST_FINE)
        asker->count = -1;
    collcost_close(asker->context);
    return NULL;
}

static void *ask_until_over(void *context)
{
    Asker *asker = context;
    while (!atomic_load(&asker->is_over)) {
        atomic_fetch_add(&asker->rounds, 1);
        asker->cancelled += ask_all(asker) == COLLCOST_CANCELLED;
    }
    return NULL;
}

/* Once in each of its first rounds. */
static void cancel_often(Asker *victim)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int seen = 0; seen < CANCELLATIONS; nanosleep(&pause, NULL)) {
        int rounds = atomic_load(&victim->rounds);
        if (rounds == seen)
            continue;
        seen = rounds;
        collcost_cancel(victim->context);
    }
}

int main(void)
{
    static Asker alone, first, second, victim;
    const Asker *const others[] = {&first, &second};
    pthread_t threads[3];
    ask_once(&alone);
    if (collcost_open(NULL, &victim.context) != COLLCOST_FINE)
        return 1;
    pthread_create(&threads[2], NULL, ask_until_over, &victim);
    pthread_create(&threads[0], NULL, ask_once, &first);
    pthread_create(&threads[1], NULL, ask_once, &second);
    cancel_often(&victim);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    atomic_store(&victim.is_over, true);
    collcost_cancel(victim.context);
    pthread_join(threads[2], NULL);
    collcost_close(victim.context);
    printf("%sok 1 - one thread has %d answers\n", alone.count > 20 ? "" : "not ", alone.count);
    for (int i = 0; i < 2; i++) {
        bool same = others[i]->count == alone.count &&
                    memcmp(others[i]->answers, alone.answers, sizeof alone.answers) == 0;
        printf("%sok %d - thread %d has the same ones\n", same ? "" : "not ", i + 2, i + 1);
    }
    printf("%sok 4 - a third one was cancelled %d times\n",
           victim.cancelled >= CANCELLATIONS ? "" : "not ", victim.cancelled);
    return 0;
}
