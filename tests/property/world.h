/* Random cases for tests of what must always hold: seeded, so that every run tries the same. */
#ifndef COLLCOST_TESTS_PROPERTY_WORLD_H
#define COLLCOST_TESTS_PROPERTY_WORLD_H

#include "cost/derive.h"
#include "model/library.h"

typedef struct {
    Arena *arena; /* of one case */
    Diag diag;    /* errors of a case are written as comments of the test */
    Library *library;
    uint64_t random;
} World;

typedef struct {
    const Algorithm *algorithm;
    Network network;
    Instance instance;
    double link_costs[PARAMETER_COUNT];
    double bytes;
    Rules rules;
    Level levels[3];        /* of a cluster; `rules` may point to them */
    Protocol protocols[12]; /* the machine's, then those of levels */
} Case;

World world_open(uint64_t seed);
void world_close(World *world);

uint64_t below(World *world, uint64_t limit);
/* Between 10^least and 10^most, or zero now and then. */
double random_price(World *world, double least, double most);
Text text_of(World *world, const char *string);
bool make_network(World *world, const char *name, int64_t p, Network *network);
/* One that allows every number of ranks; without `any` those that most claims speak of. */
const char *random_topology(World *world, bool any);
void random_machine(World *world, Case *drawn);
/* The usual conventions, and the drawn costs. */
void set_rules(Case *drawn);
/* Any conventions; the number of ports stays. */
void random_rules(World *world, Case *drawn);
/* In one case of eight contention shared in time, with what has no such cost put aside. */
void random_sharing(World *world, Case *drawn);
/* In one case of three, where blocks have indices, weights for them, and what has no such cost put
   aside. */
void random_sizes(World *world, Case *drawn);
/* In one case of five other groups of ranks, which lie anywhere in a larger network, do the same at
   the same time. */
bool random_groups(World *world, Case *drawn);
/* Takes back what random_rules says about posting. */
void random_no_posting(Case *drawn);
/* Takes back that switches multicast or combine, which has a cost in rounds with barriers only. */
void random_no_merging(Case *drawn);
const Algorithm *random_algorithm(World *world);
/* Where the drawn algorithm may run. */
bool draw_instance(World *world, bool any, Case *drawn);
bool random_case(World *world, bool any, Case *drawn);
double derived_time(const Profile *profile, const Case *drawn);
/* As comments of the test. */
void describe(const Case *drawn);

/* Which cases a test tries. */
typedef struct {
    uint64_t cases, first;
} CaseRange;

/* As its arguments say: "[CASES [FIRST]]"; with MORE=N in the environment N times the usual cases.
 */
CaseRange read_range(int count, char **arguments, uint64_t usual_cases);

typedef struct {
    int tests, failures;
} Results;

void result(Results *results, bool good, const char *name);
/* The plan, and the status to exit with. */
int results_end(const Results *results);

#endif
