#include "exchange/open_mpi.h"

#include <string.h>

int open_mpi_most_algorithms(const char *version, int collective)
{
    const int place = strcmp(version, "4.1") == 0 ? 0 : strcmp(version, "5.0") == 0 ? 1 : 2;
    return tuned_collectives[collective].algorithms[place];
}

void open_mpi_check(TuningReader *in, TuningRule *rule)
{
    const TunedCollective *tuned = &tuned_collectives[rule->collective];
    const int most = open_mpi_most_algorithms(in->version, rule->collective);
    rule->runs = rule->algorithm ? tuned_numbered(in, rule->collective, rule->algorithm) : NULL;
    const char *called = rule->runs ? rule->runs->name : "";
    const bool is_chain = strcmp(called, "chain") == 0;
    if (rule->from_ranks >= rule->below_ranks || rule->from_size >= rule->below_size)
        return;
    if (most >= 0 && rule->algorithm > most) {
        rule->aborts_from = 1;
        tuning_fault(in, FAULT(BEYOND), rule->span, tuned->name, most, in->version);
    }
    const bool is_for_two =
        strcmp(called, "two_proc") == 0 || (rule->collective == 1 && rule->algorithm == 5);
    rule->aborts_from = is_for_two ? 3 : rule->aborts_from;
    if (is_for_two && (rule->from_ranks > 2 || rule->below_ranks > 3))
        tuning_fault(in, FAULT(FOR_TWO), rule->span, rule->from_ranks > 2 ? rule->from_ranks : 3);
    if (strcmp(called, "segmented_ring") == 0 && rule->segment == 0)
        tuning_fault(in, FAULT(RING), rule->span);
    if (is_chain && rule->fanout == 0)
        tuning_fault(in, FAULT(ONE_BRANCH), rule->span);
    if (is_chain && rule->fanout > MOST_FANOUT)
        tuning_fault(in, FAULT(MANY_BRANCHES), rule->span, MOST_FANOUT);
}

void open_mpi_check_size(TuningReader *in, const TuningRule *rule)
{
    const TunedCollective *tuned = &tuned_collectives[rule->collective];
    if (tuned->measure == MEASURE_NONE)
        tuning_fault(in, FAULT(FLAT), rule->span, tuned->name);
    else if (tuned->measure == MEASURE_TYPE_TIMES_RANKS)
        tuning_fault(in, FAULT(BY_TYPE), rule->span, tuned->name);
    else if (strcmp(tuned->name, "scatter") == 0)
        tuning_fault(in, FAULT(BY_RANK), rule->span);
}

const char open_mpi_loading[] =
    "# To be loaded with all of\n"
    "#   --mca coll_tuned_use_dynamic_rules 1\n"
    "#   --mca coll_tuned_dynamic_rules_filename FILE\n"
    "#   --mca coll ^han (from 5.0 on, where nodes have several ranks)\n";
