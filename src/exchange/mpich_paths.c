#include "exchange/mpich.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of the calls that rules are for. */
static const MpichKnown usual[FACT_COUNT] = {
    [FACT_WITHIN] = YES,     [FACT_PARENT] = NO,   [FACT_ON_NODE] = NO,
    [FACT_CONSECUTIVE] = NO, [FACT_THREADED] = NO, [FACT_COMMUTATIVE] = YES,
    [FACT_BUILT_IN] = YES,   [FACT_IN_PLACE] = NO, [FACT_REGULAR] = YES};

static const MpichTest tests[] = {
    {"collective=", TEST_COLLECTIVE, 0, 0, 0, true, false, true},
    {"comm_type=intra", TEST_FACT, 0, FACT_WITHIN, YES, false, false, true},
    {"comm_type=inter", TEST_FACT, 0, FACT_WITHIN, NO, false, false, true},
    {"comm_hierarchy=parent", TEST_FACT, 0, FACT_PARENT, YES, false, false, true},
    {"comm_hierarchy=flat", TEST_FACT, 0, FACT_PARENT, NO, false, false, true},
    {"comm_hierarchy=node_roots", TEST_HIERARCHY, 0, 0, 0, false, false, true},
    {"comm_hierarchy=node", TEST_HIERARCHY, 0, 0, 0, false, false, true},
    {"is_node_consecutive=yes", TEST_FACT, 0, FACT_CONSECUTIVE, YES, false, false, true},
    {"is_node_consecutive=no", TEST_FACT, 0, FACT_CONSECUTIVE, NO, false, false, true},
    {"comm_size=pow2", TEST_FACT, 0, FACT_POWER, YES, false, false, false},
    {"comm_size=node_comm_size", TEST_FACT, 0, FACT_ON_NODE, YES, false, false, false},
    {"comm_size<=", TEST_RANKS, 0, 0, 0, true, false, false},
    {"comm_size<", TEST_RANKS, 0, 0, 0, true, true, false},
    {"comm_avg_ppn<=", TEST_PPN, 0, 0, 0, true, false, false},
    {"comm_avg_ppn<", TEST_PPN, 0, 0, 0, true, true, false},
    {"is_multi_threaded=yes", TEST_FACT, '-', FACT_THREADED, YES, false, false, true},
    {"is_multi_threaded=no", TEST_FACT, '-', FACT_THREADED, NO, false, false, true},
    {"avg_msg_size<=", TEST_AVERAGE, 'A', 0, 0, true, false, false},
    {"avg_msg_size<", TEST_AVERAGE, 'A', 0, 0, true, true, false},
    {"total_msg_size<=", TEST_TOTAL, 'T', 0, 0, true, false, false},
    {"total_msg_size<", TEST_TOTAL, 'T', 0, 0, true, true, false},
    {"count<=", TEST_ELEMENTS, 'N', 0, 0, true, false, false},
    {"count<pow2", TEST_FACT, 'N', FACT_MANY, NO, false, false, false},
    {"is_commutative=yes", TEST_FACT, 'C', FACT_COMMUTATIVE, YES, false, false, true},
    {"is_commutative=no", TEST_FACT, 'C', FACT_COMMUTATIVE, NO, false, false, true},
    {"is_op_built_in=yes", TEST_FACT, 'B', FACT_BUILT_IN, YES, false, false, true},
    {"is_op_built_in=no", TEST_FACT, 'B', FACT_BUILT_IN, NO, false, false, true},
    {"is_sendbuf_inplace=yes", TEST_FACT, 'I', FACT_IN_PLACE, YES, false, false, true},
    {"is_sendbuf_inplace=no", TEST_FACT, 'I', FACT_IN_PLACE, NO, false, false, true},
    {"is_block_regular=yes", TEST_FACT, 'R', FACT_REGULAR, YES, false, false, true},
    {"is_block_regular=no", TEST_FACT, 'R', FACT_REGULAR, NO, false, false, true},
};
enum { TEST_COUNT = COUNT_OF(tests) };

/* Conditions that always hold; MPICH 4.2 and later take any other that ends so. */
static const char *const any_tests[] = {"comm_size=any", "comm_hierarchy=any", "avg_msg_size=any",
                                        "total_msg_size=any", "count=any"};
static const MpichTest any_test = {"any", TEST_ANY, 0, 0, 0, false, false, true};
/* Before 4.2 more can follow this one, to no effect. */
static const MpichTest any_hierarchy_test = {
    "comm_hierarchy=any", TEST_ANY, 0, 0, 0, false, false, true};

Text mpich_key(MpichReader *reader, Text key)
{
    char *chars = ARENA_ARRAY(reader->in->arena, char, key.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < key.length; i++)
        if (!isspace((unsigned char)key.chars[i]))
            chars[length++] = key.chars[i];
    return (Text){chars, length, key.span, false};
}

const MpichTest *mpich_find_test(const MpichReader *reader, Text key)
{
    if (text_equals(key, any_hierarchy_test.text) && reader->number < 402)
        return &any_hierarchy_test;
    if (text_among(key, any_tests, COUNT_OF(any_tests)) < COUNT_OF(any_tests))
        return &any_test;
    for (int i = 0; i < TEST_COUNT; i++)
        if (tests[i].has_number ? text_begins(key, tests[i].text) : text_equals(key, tests[i].text))
            return tests[i].kind == TEST_PPN && tests[i].is_below && reader->number < 402
                       ? NULL
                       : &tests[i];
    return reader->number >= 402 && (text_equals(key, "any") || text_ends(key, "=any")) ? &any_test
                                                                                        : NULL;
}

/* The number behind a condition, as atoi takes it into an int. */
static int64_t read_limit(MpichReader *reader, Text key, size_t from)
{
    const char *text = key.chars + from;
    char *end;
    const long long value = strtoll(text, &end, 10);
    const int limit = (int)(unsigned int)(unsigned long long)value;
    if (end == text || *end)
        tuning_fault(reader->in, FAULT(CUT), key.span, (int64_t)limit);
    else if (value != limit)
        tuning_fault(reader->in, FAULT(WIDE), key.span, "this", (int64_t)limit);
    return limit;
}

/* The ways of the calls for which a fact is known, and of the others. */
static void split_fact(MpichFact fact, MpichKnown known, MpichPath *in, MpichPath *others)
{
    const MpichKnown before = in->facts[fact];
    in->is_nowhere |= before != EITHER && before != known;
    others->is_nowhere |= before == known;
    in->facts[fact] = known;
    others->facts[fact] = known == YES ? NO : YES;
    in->is_elsewhere |= usual[fact] != EITHER && usual[fact] != known;
    others->is_elsewhere |= usual[fact] == known;
    if (fact == FACT_POWER)
        in->rule.needs_power = true;
    if (fact == FACT_MANY)
        in->rule.needs_few = true;
}

/* The ways of calls below a limit of ranks, or of sizes, and of the others. */
static void split_range(bool by_ranks, int64_t below, MpichPath *in, MpichPath *others)
{
    const int64_t from = by_ranks ? in->rule.from_ranks : in->rule.from_size;
    int64_t *in_below = by_ranks ? &in->rule.below_ranks : &in->rule.below_size;
    int64_t *others_from = by_ranks ? &others->rule.from_ranks : &others->rule.from_size;
    in->is_nowhere |= below <= from;
    others->is_nowhere |= below >= *in_below && *in_below != INT64_MAX;
    *in_below = below < *in_below ? below : *in_below;
    *others_from = below > *others_from ? below : *others_from;
}

static void split_ranks(MpichReader *reader, const MpichTest *test, Text key, MpichPath *in,
                        MpichPath *others)
{
    int64_t below = read_limit(reader, key, strlen(test->text)) + !test->is_below;
    if (test->is_below && in->is_searched) {
        below++;
        tuning_fault(reader->in, FAULT(LATE), key.span);
    }
    split_range(true, below, in, others);
}

/* A limit within an earlier one of the same kind, 0 being none. */
static void narrow(int64_t *limit, int64_t below, MpichPath *in)
{
    in->is_nowhere |= below <= 0;
    *limit = *limit && *limit < below ? *limit : below;
}

static void split_size(MpichReader *reader, const MpichTest *test, Text key, MpichPath *in,
                       MpichPath *others)
{
    const int64_t below = read_limit(reader, key, strlen(test->text)) + !test->is_below;
    const bool is_average = mpich_has_test(in->collective, 'A');
    /* How one rank sees a size that others may see differently. */
    const int collective = in->collective;
    if (in->facts[FACT_WITHIN] != NO) {
        if (collective == MPICH_gather || collective == MPICH_scatter)
            tuning_fault(reader->in, FAULT(BY_ROOT), key.span);
        else if (collective == MPICH_alltoallv || collective == MPICH_alltoallw)
            tuning_fault(reader->in, FAULT(BY_EACH), key.span);
    }
    if (is_average == (test->kind == TEST_AVERAGE))
        split_range(false, below, in, others);
    else
        narrow(&in->rule.below_total, below, in);
}

void mpich_split(MpichReader *reader, const MpichTest *test, Text key, MpichPath *in,
                 MpichPath *others)
{
    const bool is_of_messages = test->letter && test->letter != '-';
    *in = *others;
    if (is_of_messages && in->collective == MPICH_COUNT) {
        tuning_fault(reader->in, FAULT(EARLY), key.span);
        return;
    }
    if (is_of_messages && !mpich_has_test(in->collective, test->letter)) {
        /* It has no value, and calls that get there end the job. */
        tuning_fault(reader->in, FAULT(NO_VALUE), key.span, mpich_collectives[in->collective].name);
        in->rule.aborts_from = others->rule.aborts_from = 1;
        return;
    }
    in->is_searched |= test->letter != 0;
    others->is_searched |= test->letter != 0;
    switch (test->kind) {
    case TEST_FACT:
        split_fact(test->fact, test->known, in, others);
        break;
    case TEST_HIERARCHY:
        in->is_elsewhere = true;
        break;
    case TEST_RANKS:
        split_ranks(reader, test, key, in, others);
        break;
    case TEST_PPN:
        /* from 5.0 on it is for communicators with several ranks on a node only */
        if (reader->number < 500 &&
            read_limit(reader, key, strlen(test->text)) + !test->is_below > 1)
            others->is_elsewhere = true;
        else
            in->is_elsewhere = true;
        break;
    case TEST_AVERAGE:
    case TEST_TOTAL:
        split_size(reader, test, key, in, others);
        break;
    case TEST_ELEMENTS:
        narrow(&in->rule.below_elements, read_limit(reader, key, strlen(test->text)) + 1, in);
        break;
    case TEST_ANY:
        others->is_nowhere = true;
        break;
    case TEST_COLLECTIVE:
        break;
    }
    /* of these the count is that of all ranks */
    if (test->letter == 'N' &&
        (in->collective == MPICH_reduce_scatter || in->collective == MPICH_allgatherv))
        in->is_unclear = others->is_unclear = true;
}

bool mpich_is_any(const MpichTest *test)
{
    return test == &any_test;
}
