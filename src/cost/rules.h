/* How a schedule is costed: the machine's parameters and the conventions.

   The first of each list is the default, and all zero means all defaults. Rounds follow one
   another, each as long as its slowest transfer and then tc times the most bytes that one rank
   combined, unless the rules are asynchronous. */
#ifndef COLLCOST_COST_RULES_H
#define COLLCOST_COST_RULES_H

#include "lang/exact.h"
#include "net/network.h"
#include "sched/weights.h"

typedef enum {
#define CONTENTION(id, name, words) CONTENTION_##id,
#include "cost/rules.def"
    CONTENTION_COUNT
} Contention;

typedef enum {
#define COMBINING(id, name, words) COMBINING_##id,
#include "cost/rules.def"
    COMBINING_COUNT
} Combining;

extern const char *const contention_names[CONTENTION_COUNT],
    *const combining_names[COMBINING_COUNT];

/* Or what a byte takes by the capacity of its switches. */
enum { VARIED_CAPACITY = PARAMETER_COUNT };

/* One parameter of the links of a level, as they have it of their own, times a factor which may
   change while profiles live. */
typedef struct {
    Text level;    /* empty: none */
    int parameter; /* a Parameter, or VARIED_CAPACITY */
    double factor;
} VariedLinkCost;

/* What a profile can count in place of what it takes: messages that a rank sends, or receives, one
   behind the other; new contacts; others that are posted with one of these. */
typedef enum {
    COUNTED_SENT,
    COUNTED_RECEIVED,
    COUNTED_CONTACT,
    COUNTED_POSTED,
    COUNTED_DELAYS
} CountedDelay;

typedef struct {
    double parameters[PARAMETER_COUNT];
    int64_t ports;
    bool real_chunks; /* k may be any number >= 1; otherwise a whole one */
    Ties ties;
    Switching switching;
    Contention contention;
    Duplex duplex;
    Combining combining;
    bool averages;      /* the time is the mean over ranks of the end of each, not the last one */
    bool asynchronous;  /* always with overlapped combining */
    bool all_ports;     /* a rank has as many ports as links; `ports` does not count */
    bool fixed_ports;   /* `ports` counts whatever the levels say */
    bool level_ports;   /* a rank has a port for each level of its links; a message holds that of
                           the link it leaves by, and of the link it arrives by */
    Posting posting;    /* of algorithms that do not state theirs, */
    bool fixed_posting; /* or of all */
    Delay delays[DELAY_COUNT];
    int64_t contacts;               /* as the machine has them */
    bool keeps_spacing;             /* profiles count what ranks post, and take from here ... */
    double spacing[COUNTED_DELAYS]; /* ... what each takes */
    bool ceil_chunks;               /* a chunk has a whole number of bytes */
    const Level *levels;
    int level_count;
    const Protocol *protocols; /* those of levels among them; NULL: none */
    int protocol_count;        /* the machine's own list: the first so many */
    bool select_fastest;       /* of the list of a message, not by its size */
    WorkingPrices compute;     /* tc by the most that a rank holds at a time, else the parameter */
    WorkingPrices local[LOCAL_WORK_COUNT]; /* by the same, of other work; none: free */
    VariedLinkCost varied;
    const Weights
        *weights; /* of the blocks of one collective on one network; NULL: all are alike */
} Rules;

/* Parameters as exact numbers, for comparisons without tolerance. */
typedef struct {
    Exact parameters[PARAMETER_COUNT];
    Exact multiply; /* tm; counts in problems only */
} ExactParameters;

/* What the links of a class cost: their own values, where `own` says so, else the machine's; with
   protocols the least of those. */
typedef struct {
    int level; /* a message pays the startup of the highest level that it crosses */
    int list;  /* the level of the rules, from 1, that has protocols of its own; 0: none */
    bool own[PARAMETER_COUNT];
    bool listed[PARAMETER_COUNT]; /* `own` by the protocol of the message: the least is known */
    bool varied[PARAMETER_COUNT]; /* its own value counts times the factor of the rules */
    double values[PARAMETER_COUNT];
    int64_t lanes;
    double merging;                 /* as Level has it */
    Delay delays[DELAYS_OF_LEVELS]; /* a message pays those of the highest level that it crosses */
    const Delay *exchange;          /* that of the rules, whose value can change */
} LinkCost;

/* Takes over what the machine says: parameters, ports, levels and protocols. The machine must
   stay where it is. */
void rules_follow_machine(Rules *rules, const Machine *machine);
/* From one message that a rank sends, or receives, to the next, at least. */
double delays_spacing(const Delay *delays, bool receives);
/* "cut-through, 1 port, ..." */
const char *rules_describe(Arena *arena, const Rules *rules);
/* rules_describe, with the levels of the machine that the network has, and the ports of its ranks.
 */
const char *rules_describe_on(Arena *arena, const Rules *rules, const Network *network);
/* rules_describe_on, naming those of `count` algorithms that post messages together by themselves:
   "..., posted together by fan". */
const char *rules_describe_for(Arena *arena, const Rules *rules, const Network *network,
                               const Algorithm *const *algorithms, size_t count);
/* Are all conventions but ports and switching the default ones, posting left to algorithms? */
bool rules_are_usual(const Rules *rules);
/* Is work in memory beside messages not free? */
bool rules_have_local(const Rules *rules);
/* Does the algorithm do such work? */
bool rules_price_local(const Rules *rules, const Algorithm *algorithm);
/* Does some work of the algorithm have a price that depends on how much a rank holds? */
bool rules_price_by_peak(const Rules *rules, const Algorithm *algorithm);
/* Are these delays, from `first` to before `end`, alike on all levels, and counted by profiles? */
bool rules_count_delays(const Rules *rules, DelayKind first, DelayKind end);
/* Does a message to another rank than the last ones take longer? */
bool rules_have_contacts(const Rules *rules);
bool rules_have_exchanges(const Rules *rules);
/* Do switches of some level multicast or combine? */
bool rules_merge(const Rules *rules);
/* The number of the protocol of that name, plus 1; 0: there is none. */
int rules_protocol(const Rules *rules, Text name);
/* Has any level protocols of its own? */
bool rules_have_lists(const Rules *rules);
/* Can a closed form give a cost at all? Only there k need not be whole. */
bool rules_have_closed_forms(const Rules *rules);
/* Does the cost of the links of this level vary? */
bool rules_vary_level(const Rules *rules, Text level, int parameter);
/* Do the messages of a round start together, if its algorithm states this about it? */
bool rules_post_together(const Rules *rules, Posting stated);
/* And do they not wait for those of earlier rounds? */
bool rules_stream(const Rules *rules, Posting stated);
/* How the rounds of an algorithm wait the least for one another. */
Posting rules_loosest_posting(const Rules *rules, const Algorithm *algorithm);
/* Of each class of links of the network. */
const LinkCost *rules_link_costs(Arena *arena, const Rules *rules, const Network *network);
/* The largest number of ports of a rank: d in programs and formulas. */
int64_t rules_ports(const Rules *rules, const Network *network);
/* The ports of one rank to send, and to receive. */
int64_t rules_send_ports(const Rules *rules, const Network *network, int64_t rank);
int64_t rules_receive_ports(const Rules *rules, const Network *network, int64_t rank);
/* Have all ranks as many ports to send, and as many to receive? */
bool rules_same_ports(const Rules *rules, const Network *network);
/* From one message of a rank to the next, at least, where that is shorter than the startup of each:
   with a gap, or posted together; in streams nothing, since those of one round do not wait. False:
   each waits for the one before. */
bool rules_least_spacing(const Rules *rules, const Network *network, double *spacing);
/* The least that anything costs: what lower bounds are computed with. Where combining is free, no
   bound reads its price. */
void rules_least(const Rules *rules, const Network *network, double least[PARAMETER_COUNT]);

#endif
