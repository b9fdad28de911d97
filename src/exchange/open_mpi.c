#include "exchange/open_mpi.h"

#include <inttypes.h>
#include <string.h>

const LibraryAlgorithm *open_mpi_algorithm(const Implementation *library, const char *version,
                                           int collective, int64_t number)
{
    const TunedCollective *tuned = &tuned_collectives[collective];
    const LibraryAlgorithm *one;
    size_t at = 0;
    while (*tuned->collective &&
           (one = implementation_next(library, version, tuned->collective, &at)))
        if (number && one->number == number && strcmp(one->variant, tuned->variant) == 0)
            return one;
    return NULL;
}

int open_mpi_most_algorithms(const char *version, int collective)
{
    const int place = strcmp(version, "4.1") == 0 ? 0 : strcmp(version, "5.0") == 0 ? 1 : 2;
    return tuned_collectives[collective].algorithms[place];
}

void open_mpi_check(Arena *arena, TuningFile *file, const char *version, TuningRule *rule)
{
    const char *name = tuned_collectives[rule->collective].name;
    const char *called = rule->runs ? rule->runs->name : "";
    const int most = open_mpi_most_algorithms(version, rule->collective);
    if (rule->from_ranks >= rule->below_ranks || rule->from_size >= rule->below_size)
        return;
    if (most >= 0 && rule->algorithm > most) {
        rule->aborts_from = 1;
        tuning_find_fault(
            arena, file, TUNING_ABORTS, rule->span,
            "%s has algorithms 0 to %d in version %s: a call to which this applies ends the job "
            "(MPI_ERR_ARG)",
            name, most, version);
    }
    const bool is_for_two =
        strcmp(called, "two_proc") == 0 || (rule->collective == 1 && rule->algorithm == 5);
    rule->aborts_from = is_for_two ? 3 : rule->aborts_from;
    if (is_for_two && (rule->from_ranks > 2 || rule->below_ranks > 3)) {
        const int64_t other = rule->from_ranks > 2 ? rule->from_ranks : 3;
        tuning_find_fault(arena, file, TUNING_ABORTS, rule->span,
                          "two_proc is for 2 ranks, but this applies to %" PRId64
                          " ranks too: there a call ends the job (MPI_ERR_UNSUPPORTED_OPERATION)",
                          other);
    }
    if (strcmp(called, "segmented_ring") == 0 && rule->segment == 0)
        tuning_find_fault(arena, file, TUNING_REPLACED, rule->span,
                          "segmented_ring without a segment size runs ring");
    if (strcmp(called, "chain") == 0 && rule->fanout == 0)
        tuning_find_fault(arena, file, TUNING_REPLACED, rule->span,
                          "a chain with fan-out 0 has one branch: this is pipeline");
    if (strcmp(called, "chain") == 0 && rule->fanout > MOST_FANOUT)
        tuning_find_fault(arena, file, TUNING_REPLACED, rule->span,
                          "a chain has at most %d branches", MOST_FANOUT);
}

void open_mpi_check_size(Arena *arena, TuningFile *file, const TuningRule *rule)
{
    const TunedCollective *tuned = &tuned_collectives[rule->collective];
    if (tuned->measure == MEASURE_NONE)
        tuning_find_fault(arena, file, TUNING_DEAD, rule->span,
                          "%s is looked up with size 0: only the first rule for it applies",
                          tuned->name);
    else if (tuned->measure == MEASURE_TYPE_TIMES_RANKS)
        tuning_find_fault(arena, file, TUNING_MISREAD, rule->span,
                          "%s is looked up with the bytes of an element times the number of ranks, "
                          "without the count: a threshold cannot work",
                          tuned->name);
    else if (strcmp(tuned->name, "scatter") == 0)
        tuning_find_fault(arena, file, TUNING_CRASHES, rule->span,
                          "ranks look up scatter with their own send count, which need not be set "
                          "but at the root: with a threshold they can run different algorithms");
}

const char open_mpi_loading[] =
    "# To be loaded with all of\n"
    "#   --mca coll_tuned_use_dynamic_rules 1\n"
    "#   --mca coll_tuned_dynamic_rules_filename FILE\n"
    "#   --mca coll ^han (from 5.0 on, where nodes have several ranks)\n";

size_t open_mpi_alike(const TuningRules *rules, size_t from, bool by_ranks)
{
    size_t count = 0;
    while (from + count < rules->count &&
           rules->items[from + count].collective == rules->items[from].collective &&
           (!by_ranks || rules->items[from + count].from_ranks == rules->items[from].from_ranks))
        count++;
    return count;
}
