/* Costs by hand on the topologies where messages meet: each rule alone, and pairs of them. */
#include "cost/derive.h"

#include "rules_cases.h"

#include <math.h>

/* The root sends all to all others, in the order of ranks behind it. */
#define SPREAD                                                                                     \
    "  - exchange: 0 .. 3\n    to: (root + c) mod p\n    if: r == root\n    for: c in 1 .. p - "   \
    "1\n"
/* The same to as many as d. */
#define SPREAD_TO_D                                                                                \
    "  - exchange: 0 .. 3\n    to: (root + c) mod p\n    if: r == root\n    for: c in 1 .. d\n"
#define DOUBLING "allgather/recursive-doubling"
#define LINES "allgather/dimension-by-dimension"
#define RING "allgather/ring"
#define PAIRWISE "alltoall/pairwise"
#define CHAIN "broadcast/pipelined-chain"

static const RuleCase rings[] = {
    /* Neighbours only, the wrap among them */
    {"ring:4", 0, 0, RING, {ONE}, 3, 3, 3, 0},
    {"ring:4", 0, 0, RING, {ONE, HALF}, 3, 3, 3, 0},
    {"ring:2", 0, 0, RING, {ONE}, 1, 1, 1, 0},
    {"ring:2", 0, 0, RING, {ONE, HALF}, 1, 1, 2, 0},
    /* 1, 2 and 4 hops with 1, 2, 4 blocks. 0 -> 2 and 1 -> 3 share 1 -> 2: 1 + 4; then up, all 8
       over 4 of the 8 links: 4 messages of 4 on each. 1 + 4 + 16 */
    {"ring:8", 0, 0, DOUBLING, {ONE}, 3, 7, 21, 0},
    /* 0 .. 3 up, all over 3 -> 4: 16 again */
    {"ring:8", 0, 0, DOUBLING, {ONE, INSIDE}, 3, 7, 21, 0},
    /* four up and four down: 2 messages on a link, 1 + 4 + 8 */
    {"ring:8", 0, 0, DOUBLING, {ONE, PARITY}, 3, 7, 13, 0},
    {"ring:8", 0, 0, DOUBLING, {ONE, WITHOUT_CONTENTION}, 3, 7, 7, 0},
    {"ring:8", 0, 0, DOUBLING, {ONE, BY_MESSAGES}, 3, 7, 21, 0},
    /* both of a pair; 0 -> 2, 1 -> 3 and back; up only: 2 + 8 + 16 */
    {"ring:8", 0, 0, DOUBLING, {ONE, HALF}, 3, 7, 26, 0},
    /* four up and four down over 3 - 4: 2 + 8 + 32 */
    {"ring:8", 0, 0, DOUBLING, {ONE, HALF, INSIDE}, 3, 7, 42, 0},
    /* two up and two down: 2 + 8 + 16 */
    {"ring:8", 0, 0, DOUBLING, {ONE, HALF, PARITY}, 3, 7, 26, 0},
    /* In no slot do two share a link: 1 + 2 * 2 + 4 * 4, whichever way */
    {"ring:8", 0, 0, DOUBLING, {ONE, FORWARD}, 3, 7, 21, 0},
    {"ring:8", 0, 0, DOUBLING, {ONE, FORWARD, PARITY}, 3, 7, 21, 0},
    {"ring:8", 0, 0, DOUBLING, {ONE, FORWARD, WITHOUT_CONTENTION}, 3, 7, 21, 0},
    {"ring:8", 0, 0, DOUBLING, {ONE, STARTUPS}, 7, 7, 21, 0},
    /* 1 -> 3 and 2 -> 0 start on 1 - 2, 0 -> 2 and 3 -> 1 end there: 2 + 2 * 4; up only: 16 */
    {"ring:8", 0, 0, DOUBLING, {ONE, FORWARD, HALF}, 3, 7, 26, 0},
    /* r up and r + 1 down start on one link and stay with each other: 2 + 8 + 4 * 8 */
    {"ring:8", 0, 0, DOUBLING, {ONE, FORWARD, HALF, PARITY}, 3, 7, 42, 0},
    /* to both sides at once, 1 and 3 away: 1 + 3 vectors on each link, 2 + 2 combined; blocks:
       three messages of 1 share a link, then one of 3 */
    {"ring:9", 0, 0, "allreduce/trivance-latency", {.ports = 2}, 2, 4, 4, 4},
    {"ring:9", 0, 0, "allgather/trivance", {.ports = 2}, 2, 4, 6, 0},
    /* The three ties: 1 + 2 * 2, 1 + 2 * 2, 1 + 2 */
    {"ring:4", 0, 0, DOUBLING, {ONE}, 2, 3, 5, 0},
    {"ring:4", 0, 0, DOUBLING, {ONE, INSIDE}, 2, 3, 5, 0},
    {"ring:4", 0, 0, DOUBLING, {ONE, PARITY}, 2, 3, 3, 0},
    /* and 2 + 4, 2 + 8 (four over 1 - 2), 2 + 4 */
    {"ring:4", 0, 0, DOUBLING, {ONE, HALF}, 2, 3, 6, 0},
    {"ring:4", 0, 0, DOUBLING, {ONE, HALF, INSIDE}, 2, 3, 10, 0},
    {"ring:4", 0, 0, DOUBLING, {ONE, HALF, PARITY}, 2, 3, 6, 0},
    /* 1 up, 2 either way, 1 down: 1 + 2 + 1, 1 + 2 + 1, 1 + 1 + 1 */
    {"ring:4", 0, 0, PAIRWISE, {ONE}, 3, 4, 4, 0},
    {"ring:4", 0, 0, PAIRWISE, {ONE, INSIDE}, 3, 4, 4, 0},
    {"ring:4", 0, 0, PAIRWISE, {ONE, PARITY}, 3, 4, 3, 0},
    {"ring:4", 0, 0, PAIRWISE, {ONE, WITHOUT_CONTENTION}, 3, 4, 3, 0},
    /* 1 + 4 + 1 over 1 - 2 */
    {"ring:4", 0, 0, PAIRWISE, {ONE, HALF, INSIDE}, 3, 4, 6, 0},
    {"ring:4", 0, 0, PAIRWISE, {ONE, ASYNCHRONOUS}, 3, 4, 4, 0},
    /* Combining: 1 + 2 hops, 1 + 2 m with ties up, twice m */
    {"ring:4", 0, 0, "allreduce/recursive-doubling", {ONE}, 2, 3, 3, 2},
    {"ring:4", 0, 0, "allreduce/recursive-doubling", {ONE, FREE}, 2, 3, 3, 0},
    {"ring:4", 0, 0, "allreduce/recursive-doubling", {ONE, PARITY}, 2, 3, 2, 2},
    /* 3 + 3 rounds of a quarter */
    {"ring:4", 0, 0, "allreduce/ring", {ONE}, 6, 6, 1.5, .75},
    {"ring:4", 0, 0, "allreduce/ring", {ONE, OVERLAP}, 6, 6, 1.5, .75},
    /* 0 -> 2 and 1 -> 3 on 1 -> 2: 5/4, twice 1, 1; in different slots 1 + 1 */
    {"ring:6", 0, 0, MEETING, {ONE}, 1, 2, 1.25, 1},
    {"ring:6", 0, 0, MEETING, {ONE, BY_MESSAGES}, 1, 2, 2, 1},
    {"ring:6", 0, 0, MEETING, {ONE, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    {"ring:6", 0, 0, MEETING, {ONE, FORWARD, BY_MESSAGES}, 1, 2, 2, 1},
    /* Ports: 1, 2, 2, 1 hops; two up, then two down; all four at once, two on each side */
    {"ring:5", 0, 0, SPREAD, {ONE}, 4, 6, 4, 4},
    {"ring:5", 0, 0, SPREAD, {.ports = 2}, 2, 4, 4, 2},
    {"ring:5", 0, 0, SPREAD, {ALL}, 2, 4, 4, 2},
    {"ring:5", 0, 0, SPREAD, {.ports = 4}, 1, 2, 2, 1},
    {"ring:5", 0, 0, SPREAD, {.ports = 2, WITHOUT_CONTENTION}, 2, 4, 2, 2},
    /* slots of 2 and 1, twice */
    {"ring:5", 0, 0, SPREAD, {.ports = 2, FORWARD}, 2, 4, 6, 2},
    /* the receivers of the first two combine while the root sends to the others */
    {"ring:5", 0, 0, SPREAD, {.ports = 2, ASYNCHRONOUS}, 2, 4, 4, 1},
    {"ring:5", 0, 0, AT_ONCE, {ALL}, 2, 4, 4, 4},
    {"ring:5", 0, 0, SPREAD_TO_D, {ALL}, 1, 2, 2, 1},
    {"ring:6", 0, 0, UNEVEN, {ONE}, 2, 2, 2, 2},
    {"ring:6", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 2, 1.25, 1.25},
    {"ring:6", 0, 0, OTHERS, {ONE, ASYNCHRONOUS}, 2, 2, .5, .5},
    {"ring:6", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 1, .25, .25},

    /* One direction */
    {"uniring:4", 0, 0, RING, {ONE}, 3, 3, 3, 0},
    {"uniring:2", 0, 0, RING, {ONE, HALF}, 1, 1, 2, 0},
    /* 1 -> 0 and 3 -> 2 go 3 links: with the others 2 on each link; then 2 of 2: 2 + 4 */
    {"uniring:4", 0, 0, DOUBLING, {ONE}, 2, 5, 6, 0},
    {"uniring:4", 0, 0, DOUBLING, {ONE, HALF}, 2, 5, 6, 0},
    {"uniring:4", 0, 0, DOUBLING, {ONE, PARITY}, 2, 5, 6, 0},
    {"uniring:4", 0, 0, DOUBLING, {ONE, WITHOUT_CONTENTION}, 2, 5, 3, 0},
    /* 3 slots of 1, 2 slots of 2 */
    {"uniring:4", 0, 0, DOUBLING, {ONE, FORWARD}, 2, 5, 7, 0},
    {"uniring:4", 0, 0, DOUBLING, {ONE, STARTUPS}, 5, 5, 7, 0},
    /* one down is 3 up: 3 messages on a link, then 2 of 2 */
    {"uniring:4", 0, 0, "allgather/bruck", {ONE}, 2, 5, 7, 0},
    {"uniring:6", 0, 0, MEETING, {ONE}, 1, 2, 1.25, 1},
    {"uniring:6", 0, 0, MEETING, {ONE, BY_MESSAGES}, 1, 2, 2, 1},
    /* 1 + 2 + 3 hops; two on the first link, then one; a rank has one link */
    {"uniring:4", 0, 0, SPREAD, {ONE}, 3, 6, 3, 3},
    {"uniring:4", 0, 0, SPREAD, {.ports = 2}, 2, 5, 3, 2},
    {"uniring:4", 0, 0, SPREAD, {ALL}, 3, 6, 3, 3},
    {"uniring:4", 0, 0, SPREAD_TO_D, {ALL}, 1, 1, 1, 1},
    /* 1 and 2 share two links, then 3 */
    {"uniring:4", 0, 0, AT_ONCE, {.ports = 2}, 2, 4, 3, 3},
    {"uniring:4", 0, 0, AT_ONCE, {.ports = 2, FREE}, 2, 4, 3, 0},
    {"uniring:6", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 2, 1.25, 1.25},
    {"uniring:6", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 1, .25, .25},
};

static const RuleCase grids[] = {
    /* Along x the wrap goes back over 2 links, twice 1; along y 3 blocks */
    {"mesh:3x2", 0, 0, LINES, {ONE}, 3, 5, 5, 0},
    {"mesh:3x2", 0, 0, LINES, {ONE, WITHOUT_CONTENTION}, 3, 5, 5, 0},
    {"mesh:3x2", 0, 0, LINES, {ONE, ASYNCHRONOUS}, 3, 5, 5, 0},
    /* it meets all others: 2 * 2 + 6 */
    {"mesh:3x2", 0, 0, LINES, {ONE, HALF}, 3, 5, 10, 0},
    /* 2 slots of 1, twice, and 3 */
    {"mesh:3x2", 0, 0, LINES, {ONE, FORWARD}, 3, 5, 7, 0},
    {"mesh:3x2", 0, 0, LINES, {ONE, STARTUPS}, 5, 5, 7, 0},
    /* it meets 1 -> 2 in the first slot, nobody in the second: 2 * 3 + 6 */
    {"mesh:3x2", 0, 0, LINES, {ONE, FORWARD, HALF}, 3, 5, 12, 0},
    /* 3 * 3 + 1 hops, 3 + 4; half: 3 * 2 + 8 */
    {"mesh:4x2", 0, 0, LINES, {ONE}, 4, 10, 7, 0},
    {"mesh:4x2", 0, 0, LINES, {ONE, HALF}, 4, 10, 14, 0},
    /* along x 4 rounds of a third over 2 hops, along y 2 of a half: 4/3 + 1; 2/3 + 1/2 */
    {"mesh:3x2", 0, 0, "allreduce/dimension-by-dimension", {ONE}, 6, 10, 7. / 3, 7. / 6},
    {"mesh:3x2", 0, 0, "allreduce/dimension-by-dimension", {ONE, HALF}, 6, 10, 14. / 3, 7. / 6},
    {"mesh:3x2", 0, 0, "allreduce/dimension-by-dimension", {ONE, FREE}, 6, 10, 7. / 3, 0},
    /* 0 -> 4, 0 -> 2, then 2 -> 1 -> 0 -> 3 beside 0 -> 1: 2 + 2 + 3 hops */
    {"mesh:3x2", 0, 0, "broadcast/binomial", {ONE}, 3, 7, 3, 0},
    {"mesh:3x2", 0, 0, "broadcast/binomial", {ONE, HALF}, 3, 7, 4, 0},
    /* x first: 1 -> 0 -> 3 beside 0 -> 1 -> 2 */
    {"mesh:3x2", 0, 0, MEETING, {ONE}, 1, 2, 1, 1},
    {"mesh:3x2", 0, 0, MEETING, {ONE, HALF}, 1, 2, 1.25, 1},
    {"mesh:3x2", 0, 0, MEETING, {ONE, HALF, BY_MESSAGES}, 1, 2, 2, 1},
    {"mesh:3x2", 0, 0, MEETING, {ONE, HALF, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    /* 0 -> 1 -> 2 and 1 -> 2 -> 5 */
    {"mesh:3x2", 0, 0, BOTH(0, 2, 1, 5), {ONE}, 1, 2, 1.25, 1},
    {"mesh:3x2", 0, 0, BOTH(0, 2, 1, 5), {ONE, BY_MESSAGES}, 1, 2, 2, 1},
    {"mesh:3x2", 0, 0, BOTH(0, 2, 1, 5), {ONE, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    {"mesh:3x2", 0, 0, BOTH(0, 2, 1, 5), {ONE, FORWARD}, 1, 2, 2, 1},
    /* Ports: d is 3, a corner has 2: 1 and 2 share a link, then 3; the middle sends to 2, 3, 4 */
    {"mesh:3x2", 0, 0, SPREAD_TO_D, {ALL}, 2, 3, 3, 2},
    {"mesh:3x2", 1, 0, SPREAD_TO_D, {ALL}, 1, 2, 1, 1},
    /* 0, 2, 3 come over three links; 4 and 5 over one */
    {"mesh:3x2", 1, 0, AT_ONCE, {ALL}, 2, 4, 3, 5},
    /* 3 + 1 hops; the quarter goes on at once */
    {"mesh:3x2", 0, 0, UNEVEN, {ONE}, 2, 4, 2, 2},
    {"mesh:3x2", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 4, 1.25, 1.25},
    /* both over 0 - 1: 5/4 + 1 */
    {"mesh:3x2", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS, HALF}, 2, 4, 2.25, 1.25},
    /* slots of 1, 1/4, 1/4, then 1; on its own 3/4 + 1 */
    {"mesh:3x2", 0, 0, UNEVEN, {ONE, FORWARD}, 2, 4, 2.5, 2},
    {"mesh:3x2", 0, 0, UNEVEN, {ONE, FORWARD, ASYNCHRONOUS}, 2, 4, 1.75, 1.25},
    {"mesh:3x2", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 1, .25, .25},

    /* Neighbours only: 3 + 4; both directions of the one link along y: 3 + 8 */
    {"torus:4x2", 0, 0, LINES, {ONE}, 4, 4, 7, 0},
    {"torus:4x2", 0, 0, LINES, {ONE, HALF}, 4, 4, 11, 0},
    {"torus:4x2", 0, 0, LINES, {ONE, STARTUPS}, 4, 4, 7, 0},
    /* 2 + 3 + 6; 2 + 6 + 12 */
    {"torus:3x2x2", 0, 0, LINES, {ONE}, 4, 4, 11, 0},
    {"torus:3x2x2", 0, 0, LINES, {ONE, HALF}, 4, 4, 20, 0},
    /* x, half-way round x, y: 1 + 4 + 4; 1 + 2 + 4 */
    {"torus:4x2", 0, 0, DOUBLING, {ONE}, 3, 4, 9, 0},
    {"torus:4x2", 0, 0, DOUBLING, {ONE, INSIDE}, 3, 4, 9, 0},
    {"torus:4x2", 0, 0, DOUBLING, {ONE, PARITY}, 3, 4, 7, 0},
    {"torus:4x2", 0, 0, DOUBLING, {ONE, PARITY, FORWARD}, 3, 4, 9, 0},
    /* 2 + 4 + 8; four over the middle of each row: 2 + 8 + 8; 2 + 4 + 8 */
    {"torus:4x2", 0, 0, DOUBLING, {ONE, HALF}, 3, 4, 14, 0},
    {"torus:4x2", 0, 0, DOUBLING, {ONE, HALF, INSIDE}, 3, 4, 18, 0},
    {"torus:4x2", 0, 0, DOUBLING, {ONE, HALF, PARITY}, 3, 4, 14, 0},
    /* x as on a ring of 4, some messages y too: 2 + 3 + 2 + 1 + 2 + 3 + 2 hops; 2 on a link
       half-way round: 1 + 2 + 1 + 1 + 1 + 2 + 1 */
    {"torus:4x2", 0, 0, PAIRWISE, {ONE}, 7, 15, 9, 0},
    {"torus:4x2", 0, 0, PAIRWISE, {ONE, INSIDE}, 7, 15, 9, 0},
    {"torus:4x2", 0, 0, PAIRWISE, {ONE, PARITY}, 7, 15, 7, 0},
    {"torus:4x2", 0, 0, PAIRWISE, {ONE, WITHOUT_CONTENTION}, 7, 15, 7, 0},
    /* in each round two meet along y */
    {"torus:4x2", 0, 0, PAIRWISE, {ONE, HALF}, 7, 15, 14, 0},
    /* 0 -> 2 and 1 -> 3 half-way round; the odd one goes down */
    {"torus:4x2", 0, 0, MEETING, {ONE}, 1, 2, 1.25, 1},
    {"torus:4x2", 0, 0, MEETING, {ONE, BY_MESSAGES}, 1, 2, 2, 1},
    {"torus:4x2", 0, 0, MEETING, {ONE, PARITY}, 1, 2, 1, 1},
    {"torus:4x2", 0, 0, MEETING, {ONE, PARITY, HALF}, 1, 2, 1.25, 1},
    {"torus:4x2", 0, 0, MEETING, {ONE, FORWARD}, 1, 2, 2, 1},
    /* 1 and 4 = (1, 1) leave the root over one of its 4 links (one along y, one along z) */
    {"torus:3x2x2", 0, 0, SPREAD_TO_D, {ALL}, 1, 2, 2, 1},
    {"torus:3x2x2", 0, 0, SPREAD_TO_D, {ALL, FORWARD}, 1, 2, 3, 1},
    /* 3 and 4 over 3 -> 0; 6, 7 and 8 over 6 -> 0 */
    {"torus:3x3", 0, 0, AT_ONCE, {ALL}, 2, 4, 5, 8},
    {"torus:3x3", 0, 0, AT_ONCE, {ALL, FREE}, 2, 4, 5, 0},
    {"torus:3x3", 0, 0, AT_ONCE, {ALL, WITHOUT_CONTENTION}, 2, 4, 2, 8},
    /* 2 -> 0 -> 3 */
    {"torus:3x2", 0, 0, UNEVEN, {ONE}, 2, 3, 2, 2},
    {"torus:3x2", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 3, 1.25, 1.25},
    {"torus:3x2", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 1, .25, .25},
};

static const RuleCase others[] = {
    {"hypercube:8", 0, 0, DOUBLING, {ONE}, 3, 3, 7, 0},
    {"hypercube:8", 0, 0, DOUBLING, {ONE, HALF}, 3, 3, 14, 0},
    {"hypercube:8", 0, 0, DOUBLING, {ONE, STARTUPS}, 3, 3, 7, 0},
    /* Lowest bit first, as 3 -> 2 -> 0 -> 4: no two on a link, but 1 -> 0 -> 2 and 3 -> 2 -> 0 -> 4
       both ways over 0 - 2 */
    {"hypercube:8", 0, 0, RING, {ONE}, 7, 21, 7, 0},
    {"hypercube:8", 0, 0, RING, {ONE, HALF}, 7, 21, 14, 0},
    {"hypercube:8", 0, 0, RING, {ONE, FORWARD}, 7, 21, 21, 0},
    {"hypercube:8", 0, 0, RING, {ONE, STARTUPS}, 21, 21, 21, 0},
    /* 0 - 1, then 0 - 2, then 0 - 4 both ways */
    {"hypercube:8", 0, 0, RING, {ONE, FORWARD, HALF}, 7, 21, 42, 0},
    {"hypercube:4", 0, 0, PAIRWISE, {ONE}, 3, 5, 3, 0},
    {"hypercube:4", 0, 0, PAIRWISE, {ONE, HALF}, 3, 5, 6, 0},
    /* 0 -> 1 -> 3 and 1 -> 3 -> 7 */
    {"hypercube:8", 0, 0, BOTH(0, 3, 1, 7), {ONE}, 1, 2, 1.25, 1},
    {"hypercube:8", 0, 0, BOTH(0, 3, 1, 7), {ONE, BY_MESSAGES}, 1, 2, 2, 1},
    {"hypercube:8", 0, 0, BOTH(0, 3, 1, 7), {ONE, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    {"hypercube:8", 0, 0, BOTH(0, 3, 1, 7), {ONE, FORWARD}, 1, 2, 2, 1},
    /* 1 + 1 + 2 + 1 + 2 + 2 + 3 hops; by twos 1 + 2 + 2 + 3; 1, 2, 3 (two over 0 -> 1), 4, 5, 6,
       then 7 */
    {"hypercube:8", 0, 0, SPREAD, {ONE}, 7, 12, 7, 7},
    {"hypercube:8", 0, 0, SPREAD, {.ports = 2}, 4, 8, 4, 4},
    {"hypercube:8", 0, 0, SPREAD, {ALL}, 3, 7, 4, 3},
    /* the four odd ones over 0 -> 1; then 3 and 7 over 1 -> 3, then 7 */
    {"hypercube:8", 0, 0, SPREAD, {.ports = 7}, 1, 3, 4, 1},
    {"hypercube:8", 0, 0, SPREAD, {.ports = 7, FORWARD}, 1, 3, 7, 1},
    {"hypercube:8", 0, 0, SPREAD, {.ports = 7, FORWARD, WITHOUT_CONTENTION}, 1, 3, 3, 1},
    {"hypercube:8", 0, 0, SPREAD_TO_D, {ALL}, 1, 2, 2, 1},
    /* 2 and 3 over 2 -> 0; 4, 5 and 6 over 4 -> 0; 7 */
    {"hypercube:8", 0, 0, AT_ONCE, {ALL}, 3, 7, 6, 7},
    {"hypercube:8", 0, 0, AT_ONCE, {ALL, FREE}, 3, 7, 6, 0},
    /* 1 + 3 hops */
    {"hypercube:8", 0, 0, UNEVEN, {ONE}, 2, 4, 2, 2},
    {"hypercube:8", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 4, 1.25, 1.25},
    /* one after the other 1 + 2 hops; side by side 2 */
    {"hypercube:8", 0, 0, OTHERS, {ONE, ASYNCHRONOUS}, 2, 3, .5, .5},
    {"hypercube:8", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 2, .25, .25},

    /* Each rank sends one up and gets one down */
    {"star:4", 0, 0, PAIRWISE, {ONE}, 3, 6, 3, 0},
    {"star:4", 0, 0, PAIRWISE, {ONE, HALF}, 3, 6, 6, 0},
    {"star:4", 0, 0, PAIRWISE, {ONE, FORWARD}, 3, 6, 6, 0},
    {"star:4", 0, 0, PAIRWISE, {ONE, STARTUPS}, 6, 6, 6, 0},
    /* first all up, then all down */
    {"star:4", 0, 0, PAIRWISE, {ONE, FORWARD, HALF}, 3, 6, 6, 0},
    /* The root's link with 3; with 2, then 1; slots of 1 and 3 */
    {"star:4", 0, 0, AT_ONCE, {.ports = 3}, 1, 2, 3, 3},
    {"star:4", 0, 0, AT_ONCE, {.ports = 3, WITHOUT_CONTENTION}, 1, 2, 1, 3},
    {"star:4", 0, 0, AT_ONCE, {.ports = 3, FREE}, 1, 2, 3, 0},
    {"star:4", 0, 0, AT_ONCE, {.ports = 3, FORWARD}, 1, 2, 4, 3},
    {"star:4", 0, 0, AT_ONCE, {.ports = 2}, 2, 4, 3, 3},
    {"star:4", 0, 0, AT_ONCE, {.ports = 2, ASYNCHRONOUS}, 2, 4, 3, 3},
    {"star:4", 0, 0, AT_ONCE, {.ports = 2, OVERLAP}, 2, 4, 3, 3},
    {"star:4", 0, 0, AT_ONCE, {ALL}, 3, 6, 3, 3},
    {"star:4", 0, 0, SPREAD_TO_D, {ALL}, 1, 2, 1, 1},
    /* all of 1 and a quarter of 2 down to 0; in the second slot */
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2}, 1, 2, 1.25, 1.25},
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2, BY_MESSAGES}, 1, 2, 2, 1.25},
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2, WITHOUT_CONTENTION}, 1, 2, 1, 1.25},
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2, FORWARD}, 1, 2, 2.25, 1.25},
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2, FORWARD, BY_MESSAGES}, 1, 2, 3, 1.25},
    {"star:4", 0, 0, BOTH(1, 0, 2, 0), {.ports = 2, FORWARD, WITHOUT_CONTENTION}, 1, 2, 2, 1.25},
    /* Chunks: a rank in the middle gets one and sends one over its link: 1 + 2 + 2 + 2 + 1 */
    {"star:4", 0, 3, CHAIN, {ONE}, 5, 10, 5. / 3, 0},
    {"star:4", 0, 3, CHAIN, {ONE, HALF}, 5, 10, 8. / 3, 0},
    {"star:4", 0, 3, CHAIN, {ONE, HALF, WITHOUT_CONTENTION}, 5, 10, 5. / 3, 0},
    {"star:4", 0, 3, CHAIN, {ONE, FORWARD}, 5, 10, 10. / 3, 0},
    /* 1/4 and 1 over two links each, or 1 and 1 */
    {"star:6", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 4, 1.25, 1.25},
    {"star:6", 0, 0, UNEVEN, {ONE, FORWARD}, 2, 4, 4, 2},
    {"star:6", 0, 0, UNEVEN, {ONE, FORWARD, ASYNCHRONOUS}, 2, 4, 2.5, 1.25},
    {"star:6", 0, 0, OTHERS, {ONE, ASYNCHRONOUS}, 2, 4, .5, .5},
    {"star:6", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 2, .25, .25},

    /* 1, 1, 2, 2, 2, 2 hops, each alone in its round, so ports do not matter */
    {"tree:7", 0, 0, "broadcast/flat", {ONE}, 6, 10, 6, 0},
    {"tree:7", 0, 0, "broadcast/flat", {ALL}, 6, 10, 6, 0},
    {"tree:7", 0, 0, "broadcast/flat", {ALL, ASYNCHRONOUS}, 6, 10, 6, 0},
    {"tree:7", 0, 0, "broadcast/flat", {ONE, FORWARD}, 6, 10, 10, 0},
    /* In one round: 1 and 2; 3 and 4 over 0 -> 1; 5 and 6 over 0 -> 2 */
    {"tree:7", 0, 0, SPREAD, {ALL}, 3, 5, 5, 3},
    /* 1 and 3 over 0 -> 1, 5 and 6 over 0 -> 2 */
    {"tree:7", 0, 0, SPREAD, {.ports = 3}, 2, 4, 4, 2},
    {"tree:7", 0, 0, SPREAD, {.ports = 6}, 1, 2, 3, 1},
    {"tree:7", 0, 0, SPREAD, {.ports = 6, FORWARD}, 1, 2, 4, 1},
    {"tree:7", 0, 0, SPREAD, {.ports = 6, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    {"tree:7", 0, 0, SPREAD, {.ports = 6, FORWARD, WITHOUT_CONTENTION}, 1, 2, 2, 1},
    /* a leaf has one link: 2 + 4 + 4 + 2 + 1 + 3 hops */
    {"tree:7", 3, 0, SPREAD, {ALL}, 6, 16, 6, 6},
    /* d is 3, the root has 2 */
    {"tree:7", 0, 0, SPREAD_TO_D, {ALL}, 2, 3, 2, 2},
    {"tree:7", 0, 0, AT_ONCE, {ALL}, 3, 5, 5, 6},
    {"tree:7", 0, 0, AT_ONCE, {ALL, FREE}, 3, 5, 5, 0},
    /* rank 1 has three: 0, 2 (over 0 -> 1), 3; then 4, and 5 and 6 over 0 -> 1 */
    {"tree:7", 1, 0, AT_ONCE, {ALL}, 2, 5, 4, 6},
    /* 1 -> 2 and 2 -> 0 beside 0 -> 1 */
    {"tree:3", 0, 0, RING, {ONE}, 2, 4, 2, 0},
    {"tree:3", 0, 0, RING, {ONE, HALF}, 2, 4, 4, 0},
    {"tree:3", 0, 0, RING, {ONE, FORWARD}, 2, 4, 4, 0},
    {"tree:3", 0, 0, RING, {ONE, STARTUPS}, 4, 4, 4, 0},
    /* 0 -> 1 and 1 -> 0 first; 0 -> 2 is then alone */
    {"tree:3", 0, 0, RING, {ONE, FORWARD, HALF}, 2, 4, 6, 0},
    /* 0 -> 1 and 2 -> 3 over 0 -> 1, 1 -> 2 and 4 -> 5 over 1 -> 0; 4 -> 5 has 4 hops */
    {"tree:7", 0, 0, RING, {ONE}, 6, 24, 12, 0},
    {"tree:7", 0, 0, RING, {ONE, HALF}, 6, 24, 24, 0},
    {"tree:7", 0, 0, RING, {ONE, WITHOUT_CONTENTION}, 6, 24, 6, 0},
    {"tree:7", 0, 0, RING, {ONE, FORWARD}, 6, 24, 24, 0},
    /* slots of 2, 2, 1, 1 */
    {"tree:7", 0, 0, RING, {ONE, FORWARD, HALF}, 6, 24, 36, 0},
    /* 3 -> 1 -> 0 -> 2 and 4 -> 1 -> 0; slots of 1, of both, of 1 */
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE}, 1, 3, 1.25, 1},
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE, BY_MESSAGES}, 1, 3, 2, 1},
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE, WITHOUT_CONTENTION}, 1, 3, 1, 1},
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE, FORWARD}, 1, 3, 3.25, 1},
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE, FORWARD, BY_MESSAGES}, 1, 3, 4, 1},
    {"tree:7", 0, 0, BOTH(3, 2, 4, 0), {ONE, FORWARD, WITHOUT_CONTENTION}, 1, 3, 3, 1},
    /* 2 -> 3 shares 0 -> 1, then 3 -> 4: 5/4 + 1; by messages 2 + 1, or 1/2 + 1 on its own */
    {"tree:6", 0, 0, UNEVEN, {ONE}, 2, 5, 2.25, 2},
    {"tree:6", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 5, 2.25, 1.25},
    {"tree:6", 0, 0, UNEVEN, {ONE, BY_MESSAGES}, 2, 5, 3, 2},
    {"tree:6", 0, 0, UNEVEN, {ONE, BY_MESSAGES, ASYNCHRONOUS}, 2, 5, 2, 1.25},
    {"tree:6", 0, 0, UNEVEN, {ONE, WITHOUT_CONTENTION, ASYNCHRONOUS}, 2, 5, 1.25, 1.25},
    {"tree:6", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 2, .25, .25},

    /* Inside a node 2 hops, between nodes 4 */
    {"cluster:2x2", 0, 0, RING, {ONE}, 3, 12, 3, 0},
    {"cluster:2x2", 0, 0, RING, {ONE, HALF}, 3, 12, 6, 0},
    /* 1 inside; two of 2 over each link of a switch */
    {"cluster:2x2", 0, 0, DOUBLING, {ONE}, 2, 6, 5, 0},
    {"cluster:2x2", 0, 0, DOUBLING, {ONE, HALF}, 2, 6, 10, 0},
    {"cluster:2x2", 0, 0, DOUBLING, {ONE, WITHOUT_CONTENTION}, 2, 6, 3, 0},
    /* slots of 1, 1; 2, 4, 4, 2 */
    {"cluster:2x2", 0, 0, DOUBLING, {ONE, FORWARD}, 2, 6, 14, 0},
    {"cluster:2x2", 0, 0, DOUBLING, {ONE, STARTUPS}, 6, 6, 14, 0},
    {"cluster:2x2", 0, 0, DOUBLING, {ONE, FORWARD, HALF}, 2, 6, 14, 0},
    /* ports are the ranks': a switch has no more lanes for them */
    {"cluster:2x2", 0, 0, DOUBLING, {.ports = 2}, 2, 6, 5, 0},
    {"cluster:2x2", 0, 0, MEETING, {ONE}, 1, 4, 1.25, 1},
    {"cluster:2x2", 0, 0, MEETING, {ONE, BY_MESSAGES}, 1, 4, 2, 1},
    {"cluster:2x2", 0, 0, MEETING, {ONE, WITHOUT_CONTENTION}, 1, 4, 1, 1},
    {"cluster:2x2", 0, 0, "broadcast/binomial", {ONE}, 2, 6, 2, 0},
    {"cluster:2x2", 0, 0, "reduce/binomial", {ONE, FREE}, 2, 6, 2, 0},
    /* 1 and 2 over one link, then 3; one link, so one port */
    {"cluster:2x2", 0, 0, AT_ONCE, {.ports = 2}, 2, 8, 3, 3},
    {"cluster:2x2", 0, 0, AT_ONCE, {ALL}, 3, 10, 3, 3},
    {"cluster:3x2", 0, 0, UNEVEN, {ONE}, 2, 6, 2, 2},
    {"cluster:3x2", 0, 0, UNEVEN, {ONE, ASYNCHRONOUS}, 2, 6, 1.25, 1.25},
    {"cluster:2x2", 0, 0, OTHERS, {ONE, ASYNCHRONOUS}, 2, 6, .5, .5},
    {"cluster:2x2", 0, 0, OTHERS, {ONE, OVERLAP}, 1, 4, .25, .25},
};

START_TEST(on_rings)
{
    assert_rule_case(&rings[_i]);
}
END_TEST

START_TEST(on_grids)
{
    assert_rule_case(&grids[_i]);
}
END_TEST

START_TEST(on_others)
{
    assert_rule_case(&others[_i]);
}
END_TEST

/* Link and combiner at once, in seconds: what a sum of coefficients does not say. A message over h
   links takes 1 + h + 4, and combining it `tc` * 4. */
static const struct {
    const char *network, *algorithm;
    Rules rules;
    double tc, time;
} mixed[] = {
    /* Messages of 8, 7, 6, 7, 6 arrive one after the other: 34, and the last is combined; or all
       wait for the combiner behind the first: 8 + 5 * 8. With barriers 34 + 5 * 8 */
    {"mesh:3x2", "reduce/flat", {ONE, OVERLAP}, .5, 34 + 2},
    {"mesh:3x2", "reduce/flat", {ONE, OVERLAP}, 2, 48},
    {"mesh:3x2", "reduce/flat", {ONE, ASYNCHRONOUS}, 2, 74},
    {"mesh:3x2", "reduce/flat", {ONE, FREE}, 2, 34},
    {"torus:3x2", "reduce/flat", {ONE, OVERLAP}, .5, 7 + 7 + 6 + 6 + 6 + 2},
    {"torus:3x2", "reduce/flat", {ONE, OVERLAP}, 2, 7 + 5 * 8},
    {"hypercube:4", "reduce/flat", {ONE, OVERLAP}, .5, 7 + 6 + 6 + 2},
    {"hypercube:4", "reduce/flat", {ONE, OVERLAP}, 2, 7 + 3 * 8},
    {"ring:5", "reduce/flat", {ONE, OVERLAP}, .5, 6 + 7 + 7 + 6 + 2},
    {"ring:5", "reduce/flat", {ONE, OVERLAP}, 2, 6 + 4 * 8},
    {"uniring:4", "reduce/flat", {ONE, OVERLAP}, .5, 6 + 7 + 8 + 2},
    {"uniring:4", "reduce/flat", {ONE, OVERLAP}, 2, 6 + 3 * 8},
    {"star:4", "reduce/flat", {ONE, OVERLAP}, 2, 7 + 3 * 8},
    {"star:4", "reduce/flat", {ONE, ASYNCHRONOUS}, 2, 3 * (7 + 8)},
    {"tree:7", "reduce/flat", {ONE, OVERLAP}, .5, 4 * 7 + 2 * 6 + 2},
    {"tree:7", "reduce/flat", {ONE, OVERLAP}, 2, 7 + 6 * 8},
    {"cluster:2x2", "reduce/flat", {ONE, OVERLAP}, .5, 9 + 9 + 7 + 2},
    /* the combiner waits for the second */
    {"cluster:2x2", "reduce/flat", {ONE, OVERLAP}, 2, 9 + 9 + 8 + 8},
    /* 0 -> 4: 7; 0 -> 2 and 4 -> 1 -> 0 -> 2 -> 6 with a load of 8: 13; 2 -> 3 with 8: 12 beside
       4 -> 5: 9 */
    {"tree:7", "broadcast/binomial", {ONE}, 0, 7 + 13 + 12},
    /* 0 -> 2 ends at 17 and 4 -> 6 at 20, then 17 + 12, 20 + 9 */
    {"tree:7", "broadcast/binomial", {ONE, ASYNCHRONOUS}, 0, 29},
    /* Overlap and 4 chunks of 1: 3 (L + C) + 3 max(L, C); L = 3 or, over the hub, 4. */
    {"ring:4", "reduce/pipelined-chain", {ONE, OVERLAP}, 2, 3 * 5 + 3 * 3},
    {"ring:4", "reduce/pipelined-chain", {ONE, OVERLAP}, 5, 3 * 8 + 3 * 5},
    {"ring:4", "reduce/pipelined-chain", {ONE, ASYNCHRONOUS}, 5, 6 * 8},
    {"star:4", "reduce/pipelined-chain", {ONE, OVERLAP}, 2, 3 * 6 + 3 * 4},
    {"star:4", "reduce/pipelined-chain", {ONE, OVERLAP}, 5, 3 * 9 + 3 * 5},
    {"star:4", "reduce/pipelined-chain", {ONE}, 5, 6 * 9},
    /* L = 1 + 2 + 2 where both slots take 1 */
    {"star:4", "reduce/pipelined-chain", {ONE, OVERLAP, FORWARD}, 2, 3 * 7 + 3 * 5},
    /* the first and the last message meet no other on their links, those between 2: L = 5 */
    {"star:4", "reduce/pipelined-chain", {ONE, HALF}, 0, 4 + 4 * 5 + 4},
};

START_TEST(link_and_combiner)
{
    const double m = 4;
    Fixture *fixture = fixture_open();
    const Rules *rules = &mixed[_i].rules;
    Network network = network_named(fixture, mixed[_i].network, rules->ties);
    Instance instance = rules_instance(fixture, mixed[_i].algorithm, 0, 4, &network, rules);
    const Prices link_costs = {1, 1, 1, mixed[_i].tc};
    assert_near(time_of(fixture, &instance, &network, rules, link_costs, m), mixed[_i].time, 1e-14);
    fixture_close(fixture);
}
END_TEST

/* Chunks of 10 bytes in 3 are 4 bytes: 5 rounds of 1 chunk, of 2 slots, or 8 by half duplex. */
START_TEST(whole_bytes)
{
    static const struct {
        const char *network;
        Rules rules;
        double chunks;
    } runs[] = {
        {"ring:4", {ONE}, 5},       {"uniring:4", {ONE}, 5}, {"star:4", {ONE, FORWARD}, 10},
        {"star:4", {ONE, HALF}, 8}, {"star:4", {ONE}, 5},    {"star:4", {ONE, ASYNCHRONOUS}, 5},
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Rules rules = runs[i].rules;
        Network network = network_named(fixture, runs[i].network, TIES_PLUS);
        Instance instance = rules_instance(fixture, CHAIN, 0, 3, &network, &rules);
        const Prices link_costs = {0, 0, 1, 0};
        assert_near(time_of(fixture, &instance, &network, &rules, link_costs, 10),
                    runs[i].chunks * 10 / 3, 1e-14);
        rules.ceil_chunks = true;
        assert_near(time_of(fixture, &instance, &network, &rules, link_costs, 10),
                    runs[i].chunks * 4, 1e-14);
    }
    fixture_close(fixture);
}
END_TEST

/* 6 ranks, ts = 1, m tw = 12: (4 + k) (1 + 12 / k) is (2 + sqrt(12))^2 at k = sqrt(48), and
   11 (1 + 12 / 7) at the whole number 7. */
START_TEST(chunks_as_a_real_number)
{
    static const char *const networks[] = {"full:6", "linear:6", "ring:6"};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        Network network = network_named(fixture, networks[i], TIES_PLUS);
        Rules rules = rules_of((Prices){1, 0, 1, 0}, 1);
        CurvePoint point;
        for (int real = 0; real < 2; real++) {
            rules.real_chunks = real;
            Curve *curve = curve_of(fixture, CHAIN, &network, 0, &rules, 0);
            ck_assert(curve_at(curve, 12, 12, &point, &fixture->diag));
            ck_assert_ptr_nonnull(curve_closed(curve, 0));
            assert_near(point.total, real ? 16 + 4 * sqrt(12) : 11 * (1 + 12. / 7), 1e-12);
        }
    }
    fixture_close(fixture);
}
END_TEST

/* As many ports as links: the inner ranks of a line have two. */
START_TEST(as_many_ports_as_links)
{
    static const struct {
        const char *network;
        int64_t send[4], receive[4];
        bool same;
    } ports[] = {
        {"ring:4", {2, 2, 2, 2}, {2, 2, 2, 2}, true},
        {"uniring:4", {1, 1, 1, 1}, {1, 1, 1, 1}, true},
        {"linear:4", {1, 2, 2, 1}, {1, 2, 2, 1}, false},
        {"linear:3", {1, 2, 1}, {1, 2, 1}, false},
        {"full:4", {3, 3, 3, 3}, {3, 3, 3, 3}, true},
    };
    Fixture *fixture = fixture_open();
    const Rules all = {.all_ports = true}, two = {.ports = 2};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        Network network = network_named(fixture, ports[i].network, TIES_PLUS);
        for (int64_t r = 0; r < network.p; r++) {
            ck_assert_int_eq(rules_send_ports(&all, &network, r), ports[i].send[r]);
            ck_assert_int_eq(rules_receive_ports(&all, &network, r), ports[i].receive[r]);
            ck_assert_int_eq(rules_send_ports(&two, &network, r), 2);
            ck_assert_int_eq(rules_receive_ports(&two, &network, r), 2);
        }
        ck_assert_int_eq(rules_same_ports(&all, &network), ports[i].same);
        ck_assert(rules_same_ports(&two, &network));
    }
    fixture_close(fixture);
}
END_TEST

#define ADD_CASES(test, table)                                                                     \
    tcase_add_loop_test(times, test, 0, (int)(sizeof(table) / sizeof *(table)))

Suite *rules_topology_suite(void)
{
    Suite *suite = suite_create("rules_topology");
    TCase *times = tcase_create("times");
    ADD_CASES(on_rings, rings);
    ADD_CASES(on_grids, grids);
    ADD_CASES(on_others, others);
    ADD_CASES(link_and_combiner, mixed);
    tcase_add_test(times, as_many_ports_as_links);
    tcase_add_test(times, whole_bytes);
    tcase_add_test(times, chunks_as_a_real_number);
    suite_add_tcase(suite, times);
    return suite;
}
