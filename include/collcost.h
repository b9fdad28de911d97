/* collcost: what collective communication costs, from the schedules themselves.

   A context holds memory, messages and the library of models. A study is a question as data: a
   machine, conventions, candidates, a root, a number of chunks. A case is one collective of a study
   on one network; it answers what its algorithms cost, which is the fastest from which size on,
   what no algorithm can beat, and whether the schedules are right. Products of matrices, whose size
   is n, have functions of their own.

       collcost_context *context;
       if (collcost_open(NULL, &context) != COLLCOST_FINE) ...
       collcost_study *study;
       collcost_study_create(context, &study);
       collcost_study_set(study, "machine", "h100-ndr");
       collcost_case *opened;
       collcost_case_open(study, "allreduce", "cluster:4x8", &opened);
       const collcost_cost *costs;
       size_t count;
       collcost_case_costs(opened, 1 << 20, &costs, &count);
       ...
       collcost_close(context);

   Units: seconds, bytes, bytes per second. Texts are UTF-8. What a function returns lives until its
   study is freed, or the context is closed.

   Every function that can fail returns a collcost_status and, where that is not COLLCOST_FINE,
   leaves its results alone; COLLCOST_CHECK_FAILED comes with results. What was wrong goes to the
   context's diagnostic handler. After COLLCOST_NO_MEMORY, COLLCOST_CANCELLED and COLLCOST_TOO_LARGE
   the studies of the context can only be freed; new ones can be created. Nothing here exits,
   prints, forks, catches signals or keeps state outside of a context. Threads may each use a
   context of their own; only collcost_cancel may be called for a context that another thread uses.
 */
#ifndef COLLCOST_H
#define COLLCOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, MAJOR.MINOR.PATCH as semver.org has it; and that of the library. */
#define COLLCOST_VERSION "0.1.0"
#define COLLCOST_VERSION_NUMBER 100 /* 10000 MAJOR + 100 MINOR + PATCH */
const char *collcost_version(void);

typedef enum {
    COLLCOST_FINE = 0,
    COLLCOST_CHECK_FAILED = 1, /* a schedule is wrong on data, or a closed form differs from it */
    COLLCOST_BAD_INPUT = 2, /* a name, a value, a model or a size; or it is too large to expand */
    COLLCOST_NO_MEMORY = 3,
    COLLCOST_CANCELLED = 4,
    COLLCOST_TOO_LARGE = 5 /* it would take more memory than the settings allow */
} collcost_status;

/* ### Contexts */

typedef struct collcost_context collcost_context;

typedef enum { COLLCOST_ERROR, COLLCOST_WARNING, COLLCOST_NOTE } collcost_severity;

/* A message; a note belongs to the error or warning before it. Lives until the handler returns. */
typedef struct {
    collcost_severity severity;
    const char *message;
    const char *source;  /* the file, or the argument, that is meant; NULL: none */
    size_t line, column; /* from 1; columns count characters */
    const char *text;    /* the line of the source, of text_length bytes */
    size_t text_length;
    size_t caret, caret_length; /* the bytes of the line that are meant */
} collcost_diagnostic;

/* All zero, or a NULL pointer: the memory of the C library, nobody is told anything, and the models
   that are built in. */
typedef struct {
    void (*diagnostic)(void *user, const collcost_diagnostic *diagnostic);
    /* At safe points of long work: item `number` of `total` begins (total 0: not known), or what is
       NULL and work goes on. It may call collcost_cancel. */
    void (*progress)(void *user, const char *what, int64_t number, int64_t total);
    /* Memory at a multiple of `alignment`, a power of two, or NULL; and its end. */
    void *(*allocate)(void *user, size_t alignment, size_t size);
    void (*release)(void *user, void *memory);
    void *user; /* for all five */
    const char *const
        *models; /* files and folders of models, which hide built-in ones of their names */
    size_t model_count;
    size_t memory_limit; /* bytes at once that a call may find in use; 0: 4 GiB */
    /* Reads descriptions of networks by other programs, which are no models: *models, NULL before,
       becomes their text as models, which is copied; where it stays NULL the file holds models. */
    void (*network)(void *user, const char *path, const char **models);
} collcost_settings;

/* `*settings` may go away after the call. */
collcost_status collcost_open(const collcost_settings *settings, collcost_context **context);
/* Frees all of it. NULL is fine. */
void collcost_close(collcost_context *context);
/* Ends what the context works on at its next safe point; also from a signal handler or another
 * thread. */
void collcost_cancel(collcost_context *context);

/* ### Studies */

typedef struct collcost_study collcost_study;

collcost_status collcost_study_create(collcost_context *context, collcost_study **study);
/* Frees its cases too. */
void collcost_study_free(collcost_study *study);
/* Sets one of these, by the names and with the values of the program's options:
     machine      a machine's name; comes first, since it sets the parameters anew
     startup, per-hop, bandwidth, compute, multiply, gap, overhead, call,
     LEVEL.NAME, PROTOCOL.NAME, ...
                  parameters of the machine, with a unit: "2 us", "64 GB/s", "x2"
     ports        a number, all, or levels
     k            a number of chunks; best: the best one
     switching, contention, duplex, combining, posting, ties
                  as the manual page has them
     asynchronous, overlap, real-k, ceil-chunks, loads
                  yes or no
     root, from, to
                  a rank
     along, members
                  groups of ranks that run the collective at the same time: dimensions, "node", or
                  lists of ranks, "0..3/4..7"
     weights      blocks of unequal sizes: an expression or a list, as the manual page has it
     among, without
                  algorithms: "ring,binomial"
     compose      compositions of algorithms as candidates: levels, none or all
     front        yes: compositions that may be on the Pareto front are candidates too
     using        an algorithm in place of those of its collective: "allgather/ring"
     element      bytes of an element of a matrix */
collcost_status collcost_study_set(collcost_study *study, const char *name, const char *value);
/* Its conventions in words. */
collcost_status collcost_study_rules(const collcost_study *study, const char **rules);

/* A machine with all that was set. */
typedef struct collcost_machine collcost_machine;
/* That of the study as it is now: later settings change it. Never NULL. */
const collcost_machine *collcost_study_machine(const collcost_study *study);

/* ### Cases */

typedef struct collcost_case collcost_case;

/* What an answer is to have beside the rest. */
enum {
    COLLCOST_DETAILS = 1, /* what pieces say at their ends, of ties and of the second best */
    COLLCOST_CHECKED = 2, /* the winners run on data where they begin: COLLCOST_CHECK_FAILED where
                             one is wrong */
    COLLCOST_QUIET = 4,   /* the diagnostic handler is not told why there is no answer */
    COLLCOST_FLOW = 8,    /* the bound "flow", which takes linear programs; see collcost_has_flow */
    COLLCOST_BREAK_EVENS = 16 /* what would reverse the order of two algorithms */
};

/* `subject`: a collective, "allreduce", whose algorithms are compared; or one algorithm,
   "allreduce/ring", or stages, "allreduce: reduce-scatter/ring, allgather/ring". `topology`:
   "torus:4x4", "full:8". A product of matrices is asked by collcost_products. */
collcost_status collcost_case_open(collcost_study *study, const char *subject, const char *topology,
                                   collcost_case **opened);
/* The collective, ranks, and the network's name in full. */
const char *collcost_case_collective(const collcost_case *opened);
int64_t collcost_case_ranks(const collcost_case *opened);
const char *collcost_case_network(const collcost_case *opened);
/* The largest size, in bytes, to which switch points can be sought: 2^53, or that of the most
   segments whose jumps are listed, where messages are cut into segments of a given size. */
double collcost_case_largest_size(const collcost_case *opened);
/* The conventions by which it is costed, in words. */
collcost_status collcost_case_rules(collcost_case *opened, const char **rules);

/* Why an algorithm of the collective is no candidate. */
typedef struct {
    const char *algorithm;
    const char *reason;
} collcost_left_out;
collcost_status collcost_case_left_out(collcost_case *opened, const collcost_left_out **list,
                                       size_t *count);

/* What was checked before a cost is shown. */
typedef enum {
    COLLCOST_VERIFIED,     /* the schedule ran on data, and its closed form is what was derived */
    COLLCOST_WRONG,        /* a diagnostic says what is */
    COLLCOST_NOT_VERIFIED, /* too large for a quick answer */
    COLLCOST_VERIFIED_SMALLER /* a composition that ran on data with fewer ranks of the same shape
                               */
} collcost_check;

/* A radix or a fan-out that is free to be chosen. */
typedef struct {
    const char *name; /* "radix" or "fanout"; NULL: there is none to choose */
    int64_t value;
} collcost_branches;

/* One algorithm at one size. */
typedef struct {
    const char *algorithm;
    bool has_chunks; /* k is free to be chosen */
    double k;        /* number of chunks */
    collcost_branches branches;
    const int64_t *tried; /* of which radices or fan-outs the best was taken, rising */
    size_t tried_count;
    int64_t rounds;
    double startup_s, hop_s, transfer_s, compute_s;
    double total_s;
    bool from_closed_form;     /* else derived from the schedule */
    double peak_bytes;         /* the most that a rank holds at once; negative: not known */
    double bound_s;            /* no algorithm is faster; negative: not known */
    bool is_optimal;           /* the total reaches the bound */
    const char *optimal_in[4]; /* parts that reach a bound of their own: "startup", ... */
    size_t optimal_in_count;
    collcost_check check;
    const char *stages; /* of a composition, as a line that can be asked about; NULL: a model */
} collcost_cost;

/* All candidates for messages of m bytes, the fastest first: of those within 1e-12 of the least
   time the first in the order of the library, then so among the rest. COLLCOST_CHECK_FAILED where
   one is wrong. */
collcost_status collcost_case_costs(collcost_case *opened, double bytes,
                                    const collcost_cost **costs, size_t *count);
/* Of all candidates those that no other one beats: it would be as good in startup (with the time of
   hops), in transfer and compute, and in memory where that is known, and better in one of them; of
   equal ones the first. By rising startup. Set "front" to yes, and compositions that can be among
   them are candidates. COLLCOST_CHECK_FAILED where one is wrong. */
collcost_status collcost_case_front(collcost_case *opened, double bytes,
                                    const collcost_cost **costs, size_t *count);
/* The fastest candidate alone. COLLCOST_CHECK_FAILED where it is wrong: a few of its schedules and
   its closed form at one size are tried for each network, and not again as long as the context. */
collcost_status collcost_case_best(collcost_case *opened, double bytes, const collcost_cost **best);

/* The times of one algorithm for some sizes on machines that change, as a fit asks for them: its
   schedule is derived again only where times on another machine do not follow. */
typedef struct collcost_times collcost_times;

/* Of a case of one algorithm; sizes in bytes are copied. Free it before its study. */
collcost_status collcost_times_create(collcost_case *opened, const double *sizes, size_t count,
                                      collcost_times **times);
void collcost_times_free(collcost_times *times);
/* seconds[i] of size i with the best number of chunks, where wanted[i]; NULL: of all. Parameters
   are those of the machine, conventions those of the case. COLLCOST_BAD_INPUT where one of the
   sizes has no time above 0. */
collcost_status collcost_times_on(collcost_times *times, const collcost_machine *machine,
                                  const bool *wanted, double *seconds);

/* What one algorithm sends over the links of one level, or along one dimension of a grid, all
   rounds together; and the least that any algorithm can send there. */
typedef struct {
    const char *algorithm;
    bool has_chunks;
    double k;
    collcost_branches branches;
    double total_s;       /* its time */
    const char *links;    /* the level, or the dimension: "node", "x"; "all links" */
    bool along_dimension; /* it is a dimension */
    int64_t link_count;   /* directed links */
    double bytes;         /* over all of them */
    double least_bytes;   /* NAN, as below: not known for this many ranks */
    double busiest_bytes; /* over the link that carries the most */
    double least_busiest_bytes;
    const char *stages; /* of a composition, as a line that can be asked about; NULL: a model */
} collcost_traffic;

/* For messages of m bytes: of all candidates, the fastest first, each with all levels. */
collcost_status collcost_case_traffic(collcost_case *opened, double bytes,
                                      const collcost_traffic **traffic, size_t *count);

/* The cost of one algorithm in symbols, for this number of ranks and for any. */
typedef struct {
    const char *algorithm;
    bool has_chunks;
    int64_t k;
    collcost_branches branches;
    int64_t rounds;
    const char *formula; /* "7 ts + 7 m tw"; parameters that are zero on the machine are left out */
    bool from_closed_form;   /* the formula; else derived from the schedule */
    const char *closed_form; /* for any number of ranks; NULL: there is none */
    collcost_check check;
    const char *stages; /* of a composition, as a line that can be asked about; NULL: a model */
} collcost_symbols;

/* Of all candidates, in the order of the library. Messages take what the machine's parameters say,
   not its protocols. */
collcost_status collcost_case_symbols(collcost_case *opened, const collcost_symbols **symbols,
                                      size_t *count);

/* One kind of lower bound. */
typedef struct {
    const char *kind;        /* "rounds", "cut", ... */
    const char *formula;     /* "3 ts", "7/8 m tw" */
    const char *closed_form; /* for any number of ranks; NULL: none is known */
    const char *reason;
    double seconds;
    bool binds;        /* it is the largest */
    bool may_be_loose; /* results are combined and then spread: no schedule need come close */
} collcost_bound;

/* `wanted`: COLLCOST_FLOW or nothing. */
collcost_status collcost_case_bounds(collcost_case *opened, double bytes, unsigned wanted,
                                     const collcost_bound **bounds, size_t *count);
/* Can GLPK, which solves linear programs, be loaded? */
bool collcost_has_flow(void);

/* Sizes up to which one algorithm is the fastest. */
typedef struct {
    double from_bytes, to_bytes;
    const char *algorithm;
    bool has_chunks;
    double from_k;
    collcost_branches branches; /* where it begins */
    double total_at_from_s;
    /* These are found with COLLCOST_DETAILS only. */
    double to_k;
    int64_t to_branches;
    double total_at_to_s;
    const char *const *tied; /* others that cost the same all along */
    size_t tied_count;
    const char *second; /* the fastest of the others, where it is slower by the largest share; NULL:
                           there is none */
    double second_slower_by;
    double second_slower_at_bytes;
    double slower_by;   /* than the fastest, at most, on a piece that was merged */
    const char *stages; /* of a composition, as a line that can be asked about; NULL: a model */
} collcost_piece;

/* The fastest algorithm between two sizes, with exact switch points. Pieces are merged as long as
   they lose no more than the share `tolerance`, from 0 on; -1: not. `wanted`: some of
   COLLCOST_DETAILS, COLLCOST_CHECKED and COLLCOST_QUIET.
 */
collcost_status collcost_case_switch_points(collcost_case *opened, double from, double to,
                                            double tolerance, unsigned wanted,
                                            const collcost_piece **pieces, size_t *count);

/* A switch point, and where it lies if a parameter is less or more; NAN: nowhere. */
typedef struct {
    const char *before, *after; /* algorithms */
    double bytes, less_bytes, more_bytes;
} collcost_moved;

/* The switch points with a parameter of the machine ("bandwidth") that is less and more by a share
   between 0 and 1. The same point is the nearest between the same two algorithms that no other has
   taken; those that appear with less or more only come last. COLLCOST_CHECK_FAILED where a winner
   is wrong then. */
collcost_status collcost_case_vary(collcost_case *opened, const char *parameter, double share,
                                   double from, double to, double tolerance,
                                   const collcost_moved **moved, size_t *count);

/* The same with the parameter times `less`, below 1, and times `more`, above 1. */
collcost_status collcost_case_vary_between(collcost_case *opened, const char *parameter,
                                           double less, double more, double from, double to,
                                           double tolerance, const collcost_moved **moved,
                                           size_t *count);

typedef enum {
    COLLCOST_CHANGES_NOTHING,
    COLLCOST_CHANGES_SIZES,  /* of the switch points */
    COLLCOST_CHANGES_FASTEST /* other algorithms win, or in another order */
} collcost_change;

/* One convention that is not in force. */
typedef struct {
    const char *rule, *choice; /* "contention", "none" */
    const char *rules;         /* all conventions then, in words */
    bool is_followed; /* else there are no costs, and the rest but `reason` means nothing */
    collcost_change change;
    const collcost_piece *pieces; /* without details */
    size_t piece_count;
    const char *reason; /* why costs are not followed; NULL where they are */
} collcost_convention;

/* The fastest algorithms under each convention that is not in force, each changed by itself.
   COLLCOST_CHECK_FAILED where one is wrong. */
collcost_status collcost_case_conventions(collcost_case *opened, double from, double to,
                                          double tolerance, const collcost_convention **conventions,
                                          size_t *count);

/* ### Numbers of ranks */

/* The fastest algorithm of a collective over the number of ranks. */
typedef struct collcost_sweep collcost_sweep;

/* Numbers of ranks with one winner. It need not run on all between the first and the last, and
   algorithms that run on some only, such as powers of two, may win there. */
typedef struct {
    const char *algorithm;
    bool has_chunks;
    int64_t from_p, to_p;
    const int64_t *covers; /* the numbers of ranks on which it wins */
    size_t cover_count;
    double from_k, to_k;
    collcost_branches branches; /* for the first number of ranks */
    int64_t to_branches;
    double total_at_from_s, total_at_to_s;
    const char *const *tied; /* others that cost the same on all of these */
    size_t tied_count;
    const char *second; /* the fastest of the others, where it is slower by the largest share; NULL:
                           there is none */
    double second_slower_by;
    int64_t second_slower_at_p;
} collcost_rank_row;

collcost_status collcost_sweep_create(collcost_study *study, const char *collective,
                                      collcost_sweep **sweep);
/* Adds the ranks of a case of that collective, unless it has no candidates. COLLCOST_CHECK_FAILED
   where the winner is wrong. */
collcost_status collcost_sweep_add(collcost_sweep *sweep, collcost_case *opened, double bytes);
/* In the order in which ranks were added. */
collcost_status collcost_sweep_rows(collcost_sweep *sweep, const collcost_rank_row **rows,
                                    size_t *count);

/* ### Explanations */

/* The parts of a time, which add up to the total; contention is what messages lose by sharing
   links. */
typedef enum {
    COLLCOST_STARTUP,
    COLLCOST_HOP,
    COLLCOST_TRANSFER,
    COLLCOST_CONTENTION,
    COLLCOST_COMPUTE,
    COLLCOST_TOTAL,
    COLLCOST_PART_COUNT
} collcost_part;

/* One round of a schedule: its slowest message, and the busiest link on the path of that. */
typedef struct {
    int64_t number;   /* from 1; 0: there is no such round */
    double seconds;   /* with what is combined behind it */
    int64_t from, to; /* negative: no message */
    double bytes;     /* of the message */
    bool has_link;
    int64_t link_from, link_to;
    int64_t messages; /* on the link, in this round */
    double load;      /* their bytes */
} collcost_round;

/* Of two schedules, beside one another. */
typedef struct {
    collcost_round first_difference; /* in time */
    collcost_round slowest;
    collcost_round most_contended; /* whose slowest message shares a link with the most bytes of
                                      others; none where links are not shared */
} collcost_rounds;

/* One message of the critical path, where messages share links in time. */
typedef struct {
    int64_t round; /* from 1 */
    int64_t from, to;
    double bytes;
    double start_s, end_s; /* until it has arrived, before combining */
    double contention_s;   /* of that what it lost by sharing links */
    int64_t waits_at; /* the rank that was busy with the message before; -1: it starts at once */
} collcost_message;

typedef struct {
    const char *algorithm;
    bool has_chunks;
    double k;
    collcost_branches branches;
    int64_t rounds;
    bool from_closed_form;
    double seconds[COLLCOST_PART_COUNT]; /* contention is NAN where it is not known */
    collcost_rounds of_note;
} collcost_side;

/* The nearest value of a parameter beyond which another algorithm is the faster. */
typedef struct {
    bool is_found;
    bool is_open;  /* it could not be found out in a reasonable time; there may be one */
    double value;  /* NAN: the parameter has several values */
    double factor; /* of the present value, or of all; NAN: that is 0 */
    int faster;    /* which, beyond: 0 or 1 */
} collcost_crossing;

/* Where two algorithms break even if one parameter changes by itself. */
typedef struct {
    const char *parameter; /* "bandwidth", "node.bandwidth", "m" */
    const char *unit;      /* "s", "B/s" or "B" */
    double least, most;    /* the present value, or values */
    collcost_crossing below, above;
} collcost_break_even;

/* Two algorithms at one size. */
typedef struct {
    double bytes;
    collcost_side sides[2];
    double more[COLLCOST_PART_COUNT]; /* what the first pays more; 0 where that is rounding */
    int order;       /* -1: the first is faster, 1: the second, 0: they cost the same */
    bool has_rounds; /* both are short enough to be followed round by round, under barriers */
    const collcost_break_even *break_evens; /* only with COLLCOST_BREAK_EVENS */
    size_t break_even_count;
    /* With contention shared in time, where both are short enough to be followed: the critical path
       of each, each message behind the one that it waits for. */
    const collcost_message *critical_paths[2];
    size_t critical_counts[2];
} collcost_explanation;

/* The fastest algorithms of two cases of one study, one collective and one network: cases of one
   algorithm each, as a rule. `wanted`: COLLCOST_BREAK_EVENS or nothing. COLLCOST_CHECK_FAILED where
   one of them is wrong: then there are only the sides, without rounds. */
collcost_status collcost_explain(collcost_case *first, collcost_case *second, double bytes,
                                 unsigned wanted, const collcost_explanation **found);

/* ### Products of matrices */

/* A product, "matmul", on some networks: a question whose size is n, the order of the matrices. */
typedef struct collcost_products collcost_products;

/* `subject`: a problem, or one algorithm of it, "matmul/cannon". Each algorithm has multiplied
   small matrices, where there are no more than 128 ranks; COLLCOST_CHECK_FAILED, without a result,
   where one does not compute the product. Of several networks, some may have no algorithms. */
collcost_status collcost_products_open(collcost_study *study, const char *subject,
                                       const char *const *topologies, size_t topology_count,
                                       collcost_products **opened);

/* How the work of one algorithm must grow with p to keep an efficiency. */
typedef struct {
    double power;        /* of p, fitted where p cuts the matrices evenly; NAN: fewer than three */
    double from_p, to_p; /* to which it is fitted */
    const char *order;   /* by its closed form, "p^1.5, by tw"; NULL: it has none */
} collcost_growth;

/* One algorithm at one n on one network. */
typedef struct {
    const char *algorithm;
    const char *network;
    const char *rules; /* the conventions on it, in words */
    int64_t n, p;
    int64_t rounds; /* negative: not known */
    double startup_s, hop_s, transfer_s;
    double compute_s; /* multiplying and combining */
    double total_s;
    bool from_closed_form;
    double speedup, efficiency; /* against the serial product; NAN where that takes no time */
    double cost_s, overhead_s;  /* of all ranks together, and what of it the serial product lacks */
    double overhead_work;       /* operations that it lacks; NAN: not known */
    double peak_bytes, peak_total_bytes; /* of the rank with the most, and of all; NAN: not known */
    collcost_growth growth;              /* from collcost_products_orders only */
} collcost_product;

/* Each of these lists algorithms network by network. */

/* For each n the fastest first, as for collectives. */
collcost_status collcost_products_costs(collcost_products *opened, const int64_t *orders,
                                        size_t order_count, const collcost_product **list,
                                        size_t *count);
/* Each at each n, in the order of the library. */
collcost_status collcost_products_scaling(collcost_products *opened, const int64_t *orders,
                                          size_t order_count, const collcost_product **list,
                                          size_t *count);
/* Each at the smallest n with this efficiency, if there is one. */
collcost_status collcost_products_orders(collcost_products *opened, double efficiency,
                                         const collcost_product **list, size_t *count);
/* For each algorithm and n the largest number of ranks with this efficiency, if there is one, on
   networks that grow. */
collcost_status collcost_products_largest_ranks(collcost_products *opened, const int64_t *orders,
                                                size_t order_count, double efficiency,
                                                const collcost_product **list, size_t *count);
/* Of a list the fastest at this n, on p ranks unless that is 0; and the fastest on the most ranks
   on which any has this efficiency. NULL: there is none. */
const collcost_product *collcost_products_fastest(const collcost_product *list, size_t count,
                                                  int64_t n, int64_t p);
const collcost_product *collcost_products_cost_optimal(const collcost_product *list, size_t count,
                                                       int64_t n, double efficiency);

/* A range of n, or of p, with one winner. */
typedef struct {
    const char *algorithm;
    const char *network, *rules; /* NULL: the range is one of p */
    int64_t p;                   /* 0: the range is one of p */
    int64_t from, to;
    double total_at_from_s;
    double total_at_to_s; /* NAN: the range is one of n */
} collcost_product_row;

/* Over n on each network; two changes back and forth between two n that are tried are not seen. */
collcost_status collcost_products_over_orders(collcost_products *opened, int64_t first,
                                              int64_t last, const collcost_product_row **rows,
                                              size_t *count);
/* Over the numbers of ranks of the networks. */
collcost_status collcost_products_over_ranks(collcost_products *opened, int64_t n,
                                             const collcost_product_row **rows, size_t *count);

/* ### Verification */

/* What is verified, and where. All zero: every model, on 1 to 64 ranks. */
typedef struct {
    const char *const *models;     /* "allreduce/ring"; "allreduce", with its algorithms; "torus" */
    size_t model_count;            /* 0: all of the library */
    bool is_exact;                 /* a collective without its algorithms */
    const int64_t *ranks;          /* algorithms run in all grids of so many that suit them */
    size_t rank_count;             /* 0: 1 .. most */
    int64_t most;                  /* 0: 64 */
    const char *const *topologies; /* "torus:4x4": if there are any, then on these alone */
    size_t topology_count;
    bool
        warns; /* of an algorithm that runs on none of them, and of claims that are about no case */
} collcost_task;

/* An algorithm with one root on so many ranks, run for some targets, chunks and orders. */
typedef struct {
    const char *model; /* "allreduce/ring" */
    const char *grid;  /* "4x8"; NULL: ranks lie in a line */
    int64_t p, root;
    bool is_right;
    const char *detail; /* what is wrong; "" where it is right */
} collcost_run;

/* A closed form compared with derived costs and bounds. */
typedef struct {
    const char *model;
    const char *source;    /* "S3, eq. cc-reduce-chain" */
    const char *const *on; /* topologies; none: wherever its stages have closed forms */
    size_t on_count;
    bool holds, recorded;       /* the verdict, and the one that the model records */
    const char *counterexample; /* NULL where it holds */
    const char *verdict;        /* in words: "holds", "holds for p > 1", "wrong" */
} collcost_claim;

typedef struct {
    const char *model;
    int64_t runs, wrong_runs;
    int64_t hold, refuted, compared; /* claims, and the comparisons made for them */
} collcost_verified;

/* Of a model that fails, one run is the counterexample: no more are made, and its claims are not
   judged. */
typedef struct {
    const collcost_run *runs;
    size_t run_count;
    const collcost_claim *claims;
    size_t claim_count;
    const collcost_verified *models;
    size_t model_count;
    int64_t passed, failed; /* runs and claims that went as the models record it, and others */
} collcost_verification;

/* Runs algorithms on data, and judges claims. COLLCOST_CHECK_FAILED where something is wrong, as
   diagnostics say. */
collcost_status collcost_verify(collcost_study *study, const collcost_task *task,
                                collcost_verification *found);

#ifdef __cplusplus
}
#endif

#endif
