/* What one path costs, in the parts of a time. */
#ifndef COLLCOST_COST_DERIVE_PATH_H
#define COLLCOST_COST_DERIVE_PATH_H

#include "cost/rules.h"

ARRAY_TYPE(SizeArray, double);

/* Costs apart, in seconds. */
typedef struct {
    double startup, hop, transfer, compute;
} CostParts;

double cost_total(CostParts parts);
CostParts cost_sum(CostParts a, CostParts b);
/* One of so many equal parts. */
CostParts cost_share(CostParts parts, double count);

/* What a byte takes on the slowest of some links: the longest of these. */
typedef struct {
    uint64_t listed; /* bit i: the tw of the list of level i is one of them; 0: the machine's */
    double rate;
    double varied_rate; /* times the factor of the rules */
} BytePrice;

/* Each of them takes what the slower one does. */
void byte_prices_join(BytePrice *a, BytePrice *b);

/* Less than, equal to or greater than 0: an order of them. */
int byte_prices_compare(const BytePrice *a, const BytePrice *b);

/* How the protocol of a message of `message` blocks is found. Levels are those of the rules,
 * from 1. */
typedef struct {
    int64_t message; /* 0 without protocols */
    int32_t only;    /* the number of the one that counts where the list has it, plus 1; 0: none */
    int32_t list;    /* the level whose list counts; 0: the machine's */
    const Rules *rules; /* of which protocols count; NULL: none */
    BytePrice alone;    /* to select the fastest: without others on its links */
} ProtocolChoice;

/* The startup is the machine's: a bit of `alone.listed`. */
#define PATH_STARTS_BY_MACHINE ((uint64_t)1 << 32)

/* Less than, equal to or greater than 0: an order of choices by the same rules. */
int choices_compare(const ProtocolChoice *a, const ProtocolChoice *b);

/* All; or those that say that messages behind one wait for its end, or do not. */
typedef enum { COUNTS_ALWAYS, COUNTS_WHERE_WAITING, COUNTS_WHERE_NOT } PathCounts;

/* Messages that pass a port with `lanes` lanes one after the other: `blocks` in all. */
typedef struct PortShare {
    struct PortShare *next; /* which passes it too */
    int64_t blocks, lanes;
    BytePrice price;       /* of each of them */
    ProtocolChoice choice; /* likewise */
} PortShare;

/* The path of a message, which takes

       startups ts + startup  +  hops th + hop  +  (load / lanes block tw + rate block) s

   with the machine's ts, th, tw, and what the links on the path cost by themselves. Without such
   links it crosses `hops` links, the busiest of which carries `load` blocks. Where the rules vary
   the cost of some links, these add  (varied + varied_rate block s) factor. s is 1, or 1 +
   exchange.

   Where the machine has protocols, ts and tw are those of the one that `message` blocks have. That
   is one of the list of the highest level on the path, or else of the machine's list; by size, or
   the one for which an uncontended message takes the least ts + size tw, with the slowest tw on the
   path. Levels are those of the rules, from 1. */
typedef struct {
    int32_t startups, hops;
    int64_t load, lanes;
    double startup, hop, rate;
    double varied, varied_rate;
    const double *factor;  /* NULL: nothing varies */
    const Delay *exchange; /* of the rules; NULL: nobody sends back */
    ProtocolChoice choice;
    int32_t list_startups; /* by the list of the level that the choice names */
    int16_t priced; /* the level whose list says what a byte of `load` takes; 0: the machine's */
    int16_t counts; /* for which protocols, as PathCounts has it; for others it takes no time */
    int32_t posts[COUNTED_DELAYS]; /* what its rank pays for before it, as CountedDelay has it: */
    const double *spacing;         /* each takes so long more; NULL: that is in `startup` */
    const PortShare *shares;       /* of a port, which add up to the load of the path; NULL: none */
} PathCost;

ARRAY_TYPE(PathList, PathCost);

/* The protocol of the message, by its number in the lists of the machine; -1: none. */
int choose_protocol(const ProtocolChoice *choice, const double *parameters, double block);
/* What protocol number `number` says of a level (0: the machine), or what stands in for it. */
double protocol_price(const Rules *rules, int level, int number, Parameter parameter,
                      const double *parameters);
/* Appends the sizes of messages, in bytes, rising, up to which such a message has one protocol and
   beyond which another. */
void choice_jumps(const ProtocolChoice *choice, const double *parameters, Arena *arena,
                  SizeArray *sizes);

/* For messages that count `counted` bytes a block, but have the protocol of blocks of `block`
   bytes: 1 gives rates, with `transfer` by byte of a block. */
CostParts path_parts(const PathCost *path, const double *parameters, double counted, double block);
/* The slowest of some paths. */
CostParts paths_slowest(const PathCost *paths, size_t count, const double *parameters,
                        double block);
/* Less than, equal to or greater than 0: an order of lists of shares. */
int shares_compare(const PortShare *a, const PortShare *b);
/* Paths with lists of their own in `arena`. */
PathCost *paths_copy(Arena *arena, const PathCost *paths, size_t count);
Exact path_exact(const PathCost *path, const Exact *parameters, Exact block);
/* The time of a path in whole numbers; false where the path has costs of its own or the time is too
   large. */
bool path_whole(const PathCost *path, const int64_t *parameters, int64_t block, int64_t *time);

#endif
