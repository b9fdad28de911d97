/* One collective on one network: the candidates, each with its curve of time over size, and the
   lower bound. Every command that names a time, a winner or a bound asks a case, so that all of
   them give the same answer. */
#ifndef COLLCOST_STUDY_CASE_H
#define COLLCOST_STUDY_CASE_H

#include "bound/bounds.h"
#include "study/check_cost.h"
#include "study/followed.h"

/* The lower bound of a collective on one network, for any size. */

typedef struct {
    BoundSearch search;
    bool known;        /* false where the contract is too large to lay out */
    bool may_be_loose; /* blocks are combined for several ranks, so that results must come back */
    BoundSet bounds;
    double least[PARAMETER_COUNT]; /* what they are computed with */
    double call;                   /* which every algorithm pays beside them */
} LowerBound;

LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network, BoundSearch search);
/* Reports why it is not known. */
void lower_bound_report(const Study *study, const Collective *collective, const Network *network,
                        const LowerBound *lower);
/* The bound that binds, in seconds, with the call; 0 where none is known. */
double lower_bound_seconds(const LowerBound *lower, double bytes);
/* The formula of a claim about this kind of bound alone that is recorded to hold here, or NULL. */
const char *lower_bound_closed_form(const Study *study, const Collective *collective,
                                    const Network *network, BoundKind kind);

/* What of a cost cannot be better: what equals a lower bound. */

enum { ATTAINED_PARTS = 4 };

/* Parts that reach the largest bound in their parameter can still not be reached together. */
typedef struct {
    bool whole;                        /* the time reaches the largest bound */
    const char *parts[ATTAINED_PARTS]; /* "startup", ...: those that do by themselves */
    size_t count;
} Attained;

/* `least` is what bounds are computed with. */
Attained attained_find(const BoundSet *bounds, const double *least, CostParts parts, double bytes);

/* Lives in the study's arena and is not copied: curves point into it. */
typedef struct collcost_case {
    Study study; /* with sender and receiver settled for this network */
    const Collective *collective;
    const Algorithm *only; /* the only candidate that was asked for; NULL: all */
    const Topology
        *topology; /* and shape, as asked for: without groups, or what the machine says */
    Shape shape;
    Network network;
    Candidates candidates;
    const LowerBound *found_bounds[POSTING_COUNT]; /* NULL: not asked for yet */
    const struct SwitchPoints *found_points;       /* the last that were asked for; NULL: none */
    int64_t sizes;                                 /* for which costs were listed */
} Case;

/* What one candidate costs at one size. */
typedef struct {
    size_t candidate;
    CurveCost cost;
    CostCheck check; /* of a winner, once; else COST_TOO_LARGE */
} CaseCost;

/* A case without candidates, of which only the bound can be asked. NULL after a report. */
Case *case_create(const Study *study, const Collective *collective, const Topology *topology,
                  const Shape *shape);
/* One with the candidates of the collective, or `only` one algorithm. NULL after a report. */
Case *case_open(const Study *study, const Collective *collective, const Algorithm *only,
                const Topology *topology, const Shape *shape);
/* A copy of a case with one of its candidates alone, of whose times all is known that was found. */
Case *case_narrow(const Case *opened, size_t candidate);
const Algorithm *case_algorithm(const Case *opened, size_t candidate);
/* Takes over the costs of a machine with the same levels and protocols of which none that links
   have of their own has changed: no schedule is derived again. */
void case_change_costs(Case *opened, const Machine *machine);
/* Does the case have prices of levels in its profiles that are others on this machine? What lists
   of levels say it has not, but for streams with gaps, whose longest chain may be another one by
   them, and for routes. */
bool case_is_derived_otherwise(const Case *opened, const Machine *now);
/* Would no schedule be derived otherwise on this machine, which differs in one parameter? */
bool case_may_reopen(const Case *opened, const Machine *now);
/* Takes over the costs of such a machine, and finds the candidates anew, which ask the profiles of
   those before. A copy of the case before, put in its place, undoes it. False after a report. */
bool case_reopen(Case *opened, const Machine *machine);
/* How the rounds of candidates wait the least for one another. */
Posting case_posting(const Case *opened);
/* The bound that holds for all candidates; it is computed when it is first asked for. */
const LowerBound *case_bound(Case *opened);
/* The bound for one candidate: larger where only others post messages together. */
const LowerBound *case_bound_of(Case *opened, size_t candidate);
/* The bound for all candidates by one search. A case keeps that of the last search it was asked
   for. */
const LowerBound *case_bound_by(Case *opened, BoundSearch search);
/* The time of each candidate at m bytes, with the best k, in their order. False after a report. */
bool case_points(const Case *opened, double bytes, CurvePoint *points);
/* The fastest candidate at m bytes, by the rule of choose/winner.h, and its cost, which is checked.
   False after a report, and without one where there are no candidates, which only a study that
   skips refused algorithms allows; a wrong winner is reported too, but returned. */
bool case_winner(const Case *opened, double bytes, CaseCost *winner);
/* All candidates at m bytes, the winner first, then the winner of the rest, and so on: fills as
   many as there are candidates, without those that are left out now. False after a report. */
bool case_costs(Case *opened, double bytes, CaseCost *costs);
/* The same of those that are followed, how many these are. */
bool case_followed_costs(const Case *opened, double bytes, CaseCost *costs, size_t *count);
/* Those candidates that no other one beats in startup (with hops), in transfer and compute, and in
   memory, and of equal ones the first; one whose memory is not known beats none by it. By rising
   startup. `costs` has room for
   all. False after a report. */
bool case_front(Case *opened, double bytes, CaseCost *costs, size_t *count);
/* Runs the schedule of a candidate with k chunks and so many branches on data, and compares its
   closed form with the derived cost; the time of one that is not built in with a bound. */
CostCheck case_check(const Case *opened, size_t candidate, double k, int64_t branches, double bytes,
                     CheckEffort effort);

/* What an algorithm costs in symbols: "7 ts + 7 m tw" for one number of ranks, and the closed form
   for any. */

typedef struct {
    int64_t k;        /* chunks */
    int64_t branches; /* the least, unless they are given */
    int64_t rounds;
    const char *formula;     /* parameters that are zero on the machine are left out */
    bool from_closed_form;   /* the formula; else it is derived from the schedule */
    const char *closed_form; /* for any number of ranks; NULL: there is none */
    CostCheck check;
} CostSymbols;

/* Without the machine's protocols: a formula leaves open which one a message has. False after a
 * report. */
bool case_symbols(const Case *opened, size_t candidate, CostSymbols *symbols);

/* Two algorithms of a collective on one network at one size: which is the faster, what each pays,
   the rounds that make the difference, and what would reverse it. */

/* The fastest candidate and the next one that is slower, or as fast where none is slower; where one
   is `given` by name, rivals[1] is the fastest of the others. The number of candidates: there is
   none. Of those that are put off only those are followed, and checked, that may be among these.
   False after a report. */
bool explanation_rivals(Case *opened, double bytes, const char *given, size_t rivals[2]);

/* The fastest candidates of a case over the message size, with exact switch points. */

typedef struct SwitchPoints {
    double from, to;  /* bytes: between these sizes */
    double tolerance; /* the share of time that merged pieces may lose; negative: none are merged */
    PieceArray pieces; /* one winner each; `curve` is the number of a candidate */
    PieceArray shown;  /* merged as far as the tolerance allows */
} SwitchPoints;

/* Found when they are first asked for, the last ones being kept. Without candidates there are no
   pieces. NULL after a report. */
const SwitchPoints *switch_points_find(Case *opened, double from, double to, double tolerance);
/* Nobody is sent to an algorithm that is wrong: runs the winners at the sizes where they begin.
   False after a report. */
bool switch_points_check(const Case *opened, const SwitchPoints *points);
/* The pieces that are shown, in the study's arena. NULL after a report. */
const collcost_piece *switch_points_list(Case *opened, const SwitchPoints *points,
                                         bool wants_details);

/* How switch points depend on what was taken for granted: a parameter of the machine, a
   convention. */

ARRAY_TYPE(MovedSwitches, collcost_moved);
ARRAY_TYPE(Conventions, collcost_convention);

/* With a parameter times a factor below 1 and times one above: see collcost_case_vary. *is_wrong:
   whether a winner failed its check, which was reported. False after a report. */
bool variation_find(Case *opened, const SwitchPoints *points, Text parameter,
                    const double factors[2], MovedSwitches *moved, bool *is_wrong);
/* Under each convention that is not in force: see collcost_convention. Of winners that fail their
   check one is reported, unless the case has one itself. False after a report. */
bool variation_of_rules(Case *opened, const SwitchPoints *points, Conventions *conventions,
                        bool *is_wrong);

#endif
