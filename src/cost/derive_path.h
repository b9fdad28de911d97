/* What one path costs, in the parts of a time. */
#ifndef COLLCOST_COST_DERIVE_PATH_H
#define COLLCOST_COST_DERIVE_PATH_H

#include "cost/rules.h"

/* Costs apart, in seconds. */
typedef struct {
    double startup, hop, transfer, compute;
} CostParts;

double cost_total(CostParts parts);
CostParts cost_sum(CostParts a, CostParts b);

/* Messages that pass a port with `lanes` lanes one after the other: `blocks` in all, each as long
   as the longest of the machine's tw, `rate` and `varied_rate` times the factor says. */
typedef struct PortShare {
    struct PortShare *next; /* which passes it too */
    int64_t blocks, lanes;
    bool by_machine; /* the machine's tw counts */
    double rate, varied_rate;
    int64_t message; /* blocks of each of them; 0 without protocols */
    const Protocol *protocols;
} PortShare;

/* The path of a message, which takes

       startups ts + startup  +  hops th + hop  +  load / lanes block tw + rate block

   with the machine's ts, th, tw, and what the links on the path cost by themselves. Without such
   links it crosses `hops` links, the busiest of which carries `load` blocks. Where the machine has
   protocols, ts and tw are those of one for `message` blocks. Where the rules vary the cost of
   some links, these add  (varied + varied_rate block) factor. */
typedef struct {
    int64_t startups, hops, load, lanes;
    double startup, hop, rate;
    double varied, varied_rate;
    const double *factor;      /* NULL: nothing varies */
    int64_t message;           /* 0 without protocols */
    const Protocol *protocols; /* NULL: none */
    const PortShare *shares;   /* of a port, which add up to the load of the path; NULL: none */
} PathCost;

/* One path, for blocks of `block` bytes; `compute` is 0. */
CostParts path_cost(const PathCost *path, const double *parameters, double block);
/* For messages that count `counted` bytes a block, but have the protocol of blocks of `block`
   bytes: 1 gives rates, with `transfer` by byte of a block. */
CostParts path_parts(const PathCost *path, const double *parameters, double counted, double block);
/* The slowest of some paths. */
CostParts paths_slowest(const PathCost *paths, size_t count, const double *parameters,
                        double block);
/* Less than, equal to or greater than 0: an order of lists of shares. */
int shares_compare(const PortShare *a, const PortShare *b);
/* With lists of their own in `arena`. */
PathCost *paths_copy(Arena *arena, const PathCost *paths, size_t count);
Exact path_exact(const PathCost *path, const Exact *parameters, Exact block);
/* The same in whole numbers; false where the path has costs of its own or the time is too large. */
bool path_whole(const PathCost *path, const int64_t *parameters, int64_t block, int64_t *time);

#endif
