/* Schedules and conventions whose costs are worked out by hand. */
#ifndef RULES_CASES_H
#define RULES_CASES_H

#include "cost/rules.h"

#include "unit.h"

/* Steps of a reduction with 4 chunks. */

/* All send to the root at once. */
#define AT_ONCE "  - exchange: 0 .. 3\n    to: root\n    if: r != root\n"
/* 0 -> 2 with all, 1 -> 3 with a quarter: they meet on the link 1 -> 2. */
#define MEETING                                                                                    \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0\n        to: 3\n        if: r == 1\n"
/* 0 -> 2 and 0 -> 3, side by side with two ports. */
#define FORK                                                                                       \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 3\n        if: r == 0\n"
/* Far with little and near with much. */
#define FAR_AND_NEAR                                                                               \
    "  - round:\n      - exchange: 0\n        to: 3\n        if: r == 0\n"                         \
    "      - exchange: 0 .. 2\n        to: 5\n        if: r == 4\n"
#define PAIRS "  - exchange: 0 .. 3\n    to: r xor 1\n"
#define SHIFT "  - exchange: 0 .. 3\n    to: (r + 2) mod p\n"
/* 0 -> 1 with all and 2 -> 3 with a quarter, then 3 -> 4 with all. */
#define UNEVEN                                                                                     \
    "  - round:\n      - exchange: 0 .. 3\n        to: 1\n        if: r == 0\n"                    \
    "      - exchange: 0\n        to: 3\n        if: r == 2\n"                                     \
    "  - exchange: 0 .. 3\n    to: 4\n    if: r == 3\n"

/* 0 -> 1 with one quarter, then 1 -> 2 with another. */
#define OTHERS                                                                                     \
    "  - exchange: 0\n    to: 1\n    if: r == 0\n"                                                 \
    "  - exchange: 1\n    to: 2\n    if: r == 1\n"

/* a -> b with all and, at the same time, c -> e with a quarter. */
#define BOTH(a, b, c, e)                                                                           \
    "  - round:\n      - exchange: 0 .. 3\n        to: " #b "\n        if: r == " #a               \
    "\n      - exchange: 0\n        to: " #e "\n        if: r == " #c "\n"

#define ONE .ports = 1
#define BY_LEVEL .ports = 1, .level_ports = true
#define ALL .ports = 1, .all_ports = true
#define ASYNCHRONOUS .asynchronous = true
#define FREE .combining = COMBINING_NONE
#define INSIDE .ties = TIES_INSIDE
#define PARITY .ties = TIES_PARITY
#define FORWARD .switching = SWITCHING_STORE_AND_FORWARD
#define STARTUPS .switching = SWITCHING_STARTUPS
#define BY_MESSAGES .contention = CONTENTION_MESSAGES
#define WITHOUT_CONTENTION .contention = CONTENTION_NONE
#define POSTED .posting = POSTING_TOGETHER
#define HALF .duplex = DUPLEX_HALF
#define OVERLAP .asynchronous = true, .combining = COMBINING_OVERLAP

/* `algorithm` is a name of the library, or the steps of one. Expected are the coefficients of ts,
   th, m tw and m tc, each with the other parameters zero. Ties are those of the rules. */
typedef struct {
    const char *network;
    int64_t root, k;
    const char *algorithm;
    Rules rules;
    double ts, th, tw, tc;
} RuleCase;

void assert_rule_case(const RuleCase *expected);
Instance rules_instance(Fixture *fixture, const char *algorithm, int64_t root, int64_t k,
                        const Network *network, const Rules *rules);
double time_of(Fixture *fixture, const Instance *instance, const Network *network,
               const Rules *rules, Prices link_costs, double bytes);

#endif
