/* Asks libcollcost for a table of costs, for switch points, for what no algorithm can beat, and
   whether a schedule is right.

       cc embed.c $(pkg-config --cflags --libs collcost) -o embed && ./embed            */
#include <collcost.h>
#include <stdio.h>

static void tell(void *user, const collcost_diagnostic *diagnostic)
{
    static const char *const words[] = {"error", "warning", "note"};
    fprintf(user, "embed: %s: %s\n", words[diagnostic->severity], diagnostic->message);
}

static collcost_status write_costs(collcost_case *opened, double bytes)
{
    const collcost_cost *costs;
    size_t count;
    collcost_status status = collcost_case_costs(opened, bytes, &costs, &count);
    if (status != COLLCOST_FINE)
        return status;
    printf("%-24s %9s %9s %6s\n", "algorithm", "time", "bound", "ratio");
    for (size_t i = 0; i < count; i++)
        printf("%-24s %6.1f us %6.1f us %6.2f%s\n", costs[i].algorithm, costs[i].total_s * 1e6,
               costs[i].bound_s * 1e6, costs[i].total_s / costs[i].bound_s,
               costs[i].check == COLLCOST_VERIFIED ? "" : " (not verified)");
    return COLLCOST_FINE;
}

static collcost_status write_switch_points(collcost_case *opened, double from, double to)
{
    const collcost_piece *pieces;
    size_t count;
    collcost_status status =
        collcost_case_switch_points(opened, from, to, -1, COLLCOST_CHECKED, &pieces, &count);
    if (status != COLLCOST_FINE)
        return status;
    printf("\n");
    for (size_t i = 0; i < count; i++)
        printf("from %10.0f B: %s\n", pieces[i].from_bytes, pieces[i].algorithm);
    return COLLCOST_FINE;
}

static collcost_status write_bounds(collcost_case *opened, double bytes)
{
    const collcost_bound *bounds;
    size_t count;
    collcost_status status = collcost_case_bounds(opened, bytes, 0, &bounds, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        if (bounds[i].binds)
            printf("\nno algorithm takes less than %.1f us: %s\n", bounds[i].seconds * 1e6,
                   bounds[i].reason);
    return status;
}

static collcost_status write_verification(collcost_study *study)
{
    const char *const models[] = {"allreduce/rabenseifner"};
    const collcost_task task = {.models = models, .model_count = 1, .most = 16};
    collcost_verification found;
    collcost_status status = collcost_verify(study, &task, &found);
    if (status == COLLCOST_FINE)
        printf("allreduce/rabenseifner: %lld schedules are right on data, %lld claims are as "
               "recorded\n",
               (long long)found.run_count, (long long)found.claim_count);
    return status;
}

static collcost_status answer(collcost_context *context)
{
    const double bytes = 1 << 20;
    collcost_study *study;
    collcost_case *opened;
    collcost_status status = collcost_study_create(context, &study);
    if (status == COLLCOST_FINE)
        status = collcost_study_set(study, "machine", "h100-ndr");
    if (status == COLLCOST_FINE)
        status = collcost_study_set(study, "startup", "3 us");
    if (status == COLLCOST_FINE)
        status = collcost_case_open(study, "allreduce", "cluster:4x8", &opened);
    if (status == COLLCOST_FINE)
        status = write_costs(opened, bytes);
    if (status == COLLCOST_FINE)
        status = write_switch_points(opened, 1, 1 << 30);
    if (status == COLLCOST_FINE)
        status = write_bounds(opened, bytes);
    if (status == COLLCOST_FINE)
        status = write_verification(study);
    return status;
}

int main(void)
{
    const collcost_settings settings = {.diagnostic = tell, .user = stderr};
    collcost_context *context;
    collcost_status status = collcost_open(&settings, &context);
    if (status != COLLCOST_FINE)
        return status;
    status = answer(context);
    collcost_close(context);
    return status;
}
