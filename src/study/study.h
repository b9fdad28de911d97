/* A question about algorithms as data: on which machine, under which conventions, among which
   candidates, for which root and number of chunks. No text, no options, no tables.

   A question about one collective on one network is a Case (study/case.h). */
#ifndef COLLCOST_STUDY_STUDY_H
#define COLLCOST_STUDY_STUDY_H

#include "collcost.h"
#include "cost/profiles.h"
#include "model/library.h"
#include "sched/branching.h"
#include "study/groups.h"

/* Bytes: beyond any message, and the last power of two up to which all whole sizes are exact. */
#define LARGEST_SIZE 0x1p53

/* Algorithms by name, without their collective. */
typedef struct {
    bool is_given;
    Span place; /* of the list, for messages */
    TextArray names;
} NameList;

ARRAY_TYPE(ModelEntries, const ModelEntry *);

/* A rank that a question names, and where, for messages. */
typedef struct {
    const char *role; /* "root", "sender", "receiver"; NULL: not given */
    Span place;
} GivenRank;

/* Which compositions (study/plans.h) are candidates beside the library's algorithms: on
   networks with levels, none, on all networks with several dimensions. */
typedef enum { COMPOSE_LEVELS, COMPOSE_NONE, COMPOSE_ALL, COMPOSE_COUNT } Compose;
/* How the best stages of compositions are found: all tried, or those whose bounds leave open
   whether they are the best; by default where ranks are many. */
typedef enum { STAGES_BY_RANKS, STAGES_ALL, STAGES_BY_BOUNDS } StageSearch;

/* Of options and settings, by their places in a list of names, as bits: which count somewhere in an
   answer, and which do not where they were looked at. */
typedef struct Effects {
    unsigned counts, idles;
} Effects;

typedef struct collcost_study {
    Arena *arena;  /* answers live here */
    Arena *curves; /* where curves live that are needed for a short time; NULL: in `arena` */
    Diag *diag;
    Library *library;
    Machine machine; /* with all that was set */
    Rules rules;     /* for this machine */
    int64_t root;
    int64_t
        target; /* the receiver of a collective that has one; -1: the farthest from the sender */
    GivenRank given_root, given_target;
    FreeChoice chosen;                    /* numbers of chunks and of branches that are given */
    const Implementation *implementation; /* candidates are the algorithms of this library, */
    const char *version;                  /* of this version; NULL: all that are for everyone */
    const char *variant;  /* of its algorithms only those of this variant of collectives within one
                             communicator; NULL: all */
    AlgorithmArray parts; /* to be used in place of others of their collectives */
    Span parts_place;     /* for messages */
    NameList among, without; /* what the candidates are limited to */
    Compose compose;
    bool chose_compose; /* it was asked for */
    bool wants_front;   /* compositions on the Pareto front too, on all networks with dimensions */
    bool defers;        /* candidates are followed when they may matter: for the fastest alone */
    StageSearch stages; /* the answer is the same by each */
    bool skips_refused; /* named algorithms that do not run on a network are left out */
    GivenGroups groups;
    bool chose_contention; /* that of the rules was asked for */
    GivenWeights weights;  /* of blocks; rules.weights has them for one collective and network */
    double element;        /* bytes of an element of a matrix */
    double size;           /* m, if the question has one: by it libraries choose parts; else 0 */
    bool counts_loads;     /* loads and stores of matrix elements count as work */
    Effects *effects;      /* to be noted; NULL: nobody asks */
    const char **misfit;   /* to be noted: why the machine does not fit a network; NULL: likewise */
    /* For collcost.c: whose models these are, and calls of its context that ended half-way, now and
       when it was created. NULL: it belongs to no context. */
    struct OpenLibrary *opened;
    int *interruptions;
    int created_after;
} Study;

/* What is asked of it from now on is answered without reports. Returns who heard them before. */
Diag *study_silence(Study *study);
/* Notes whether an option or setting of that name counts in what the study is asked. */
void study_note(const Study *study, const char *name, bool counts);
/* Was it looked at, and has it counted nowhere? */
bool effects_lack(const Effects *effects, Text name);
/* Machine, root and rules make sense on a network of this shape, or on one of the groups in it that
   the study asks about. False after a report. */
bool study_network(const Study *study, const Topology *topology, const Shape *shape,
                   Network *network);
/* Groups that run at the same time contend for links in time, unless that is said otherwise. */
void study_share(Study *study, const Network *network);
/* Sets sender and receiver of a collective that has them: those given, or the farthest pair. False
   after a report: also where a receiver is given for a collective without. */
bool study_settle_ends(Study *study, const Collective *collective, const Network *network);
/* The largest size to which switch points are sought unasked, in bytes: with candidates that are
   cut into segments of one size those up to which its jumps can be listed. */
double study_largest_size(const Study *study, const AlgorithmArray *candidates);
/* Reports a segment size for an algorithm that is cut into chunks, without a size of messages. */
bool study_check_segment(const Study *study, const Algorithm *algorithm, bool has_size);
/* Finds the weights that are given, for this collective on p ranks, for all that the rules decide
   about. False after a report, also where something else that is asked for is not known for unequal
   blocks. */
bool study_weigh(Study *study, const Collective *collective, int64_t p);
/* M / m: blocks of the largest buffer of a rank; with weights, what they sum up to. */
bool study_buffer_blocks(const Study *study, const Collective *collective, int64_t p,
                         double *blocks);
/* A call of m bytes on p ranks of a network of that shape, for what a library decides. False after
 * a report.
 */
bool study_call(const Study *study, const Collective *collective, int64_t p, const Shape *shape,
                double m, LibraryCall *call);
/* Reports ranks that this kind of collective cannot have. */
bool study_check_ends(const Study *study, const Collective *collective);
/* What is given of that which the algorithm leaves free: for the study, or by the library that is
   asked about. A segment is one of what the chunks are cut from: of a block, where the algorithm
   has cut messages into blocks before. */
FreeChoice study_choice(const Study *study, const Algorithm *algorithm, const Network *network);
/* What is followed of an algorithm on a network. */
CurveSubject study_subject(const Study *study, const Algorithm *algorithm, const Network *network);
/* Which blocks the study is about, for the library that is asked about. */
LibraryBlocks study_blocks(const Study *study);
/* The algorithm of that library that a model stands for, the first of several; NULL: none. */
const LibraryAlgorithm *study_library_algorithm(const Study *study, const Algorithm *algorithm);
/* The radix or fan-out of an algorithm for an answer. */
collcost_branches study_branches(const Algorithm *algorithm, int64_t branches);
/* A formula with what a call takes beside it: "3 ts", "3 ts + 6 us". */
const char *study_add_call(const Study *study, const char *formula);
/* The schedule of one algorithm with k chunks and so many branches on a network, as the study has
 * it.
 */
Instance study_instance(const Study *study, const Algorithm *algorithm, const Network *network,
                        int64_t k, int64_t branches);

/* What a study can be told by name, as the program's options are spelled: machine, parameters,
   conventions, ranks, candidates. */

/* The machine of a study that is told none. */
extern const char default_machine[];
/* By Compose: "levels", ... */
extern const char *const compose_names[COMPOSE_COUNT];
/* "last", "mean" */
extern const char *const finish_words[2];

/* A study of the default machine under its conventions, with all algorithms for candidates and root
   0. It must stay where it is. NULL after a report. */
Study *study_create(Arena *arena, Library *library, Diag *diag);
/* What is not a setting of its own is a parameter of the machine. False after a report: there is no
   such setting, or no such value; the study may then be half changed. */
bool study_set(Study *study, Text name, Text value);
/* A parameter of the machine, by the names that machine_set knows. */
bool study_set_parameter(Study *study, Text name, Text value);

/* The subject of a question, by name. */

/* m by which a library chooses its parts where a question has no size, or several. */
enum { SIZE_OF_PARTS = 1024 };

/* The model of what a library runs in this call, for which there is one: in stages whose algorithm
   is `chosen`, what it chooses for them by their own size. NULL after a report. */
const Algorithm *subject_of_library(const Study *study, const LibraryAlgorithm *one,
                                    const LibraryCall *call);
/* subject_model with the parts of the study in place of what the algorithm uses. NULL after a
   report. */
const Algorithm *subject_algorithm(const Study *study, Text text);
/* "allreduce"; or "allreduce/ring", or stages, and then *only is that algorithm, else NULL. False
   after a report. */
bool subject_read(const Study *study, Text text, const Collective **collective,
                  const Algorithm **only);
/* "torus:4x4"; a topology of a user may have a number of ranks of its own. NULL after a report. */
const Topology *subject_topology(const Study *study, Text text, Shape *shape);

/* Other algorithms in place of those that an algorithm uses for the same collectives. */

/* Adds an algorithm by its name to study->parts. False after a report: no such algorithm, one that
   is wrong, a second one of its collective. */
bool parts_add(Study *study, Text name);
/* The algorithm with those parts. */
const Algorithm *parts_apply(const Study *study, const Algorithm *algorithm);
/* False after a report: none of the algorithms uses the collective of some part. */
bool parts_check(const Study *study, const AlgorithmArray *algorithms);

#endif
