/* Libraries that run collectives, such as Open MPI and NCCL: the algorithms that each of their
   versions has, by its own numbers and names, and the models that send the same messages.

       library: open-mpi
       versions: [4.1, 5.0]
       algorithms:
         - collective: broadcast
           number: 7
           name: knomial
           model: broadcast/open-mpi-knomial      or stages, "broadcast: STAGE, STAGE"
           radix: 4
           segment: none
           switches: node                         which multicast and combine, else it is not run
       decisions:
         - collective: broadcast
           choose:
             - when: p < 4
               choose:
                 - {when: m < 32, run: pipeline}
                 - {run: binary_tree}
             - {run: knomial}

   In the code such a library is an implementation, since a Library there is the collection of
   models. Conditions know p, the message size m, the largest buffer M, the bytes of an element, the
   number n of elements in m, the bytes of a segment, 0 for none, and the number of nodes, 0 where
   it is not known.

   A stage of a model can be what the library chooses for it, of a collective or of a variant:
   "reduce/chosen", or in lines along a dimension of clusters "ireduce/chosen along node". */
#ifndef COLLCOST_MODEL_IMPLEMENTATION_H
#define COLLCOST_MODEL_IMPLEMENTATION_H

#include "model/algorithm.h"
#include "model/tuning_model.h"

/* Where a library runs an algorithm: anywhere, on one node, where each node has one rank, on
   several nodes of several ranks each, or as a stage of others only. */
typedef enum {
#define PLACE(id, word, lacking) PLACE_##id,
#include "model/library_places.def"
#undef PLACE
    PLACE_COUNT
} LibraryPlace;

/* Of which collectives an algorithm is: those with blocks of equal sizes (MPI_Allgather), of sizes
   of their own (MPI_Allgatherv), or either (MPI_Reduce_scatter). As a question: BLOCKS_ANY asks for
   all algorithms. */
typedef enum { BLOCKS_EQUAL, BLOCKS_UNEQUAL, BLOCKS_ANY, BLOCKS_COUNT } LibraryBlocks;

/* What a library does with the parameters that a model leaves free. */
typedef struct {
    int64_t branches[BRANCHING_COUNT]; /* radix and fan-out; 0: not said */
    double segment;                    /* bytes; INFINITY: none, one chunk; 0: not said */
} LibrarySettings;

typedef struct {
    Text collective;     /* of the model */
    const char *variant; /* what the library calls it, where two of its collectives are one here;
                            else "" */
    LibraryBlocks blocks;
    int64_t number; /* negative: it has none */
    const char *name;
    const char *const *versions; /* those that have it; none: all */
    size_t version_count;
    Text model; /* without characters: no model sends the same messages */
    const char *note;
    int64_t recorded; /* runs of the library in which the model sent the same messages */
    LibrarySettings settings;
    Formula unless;       /* where it runs another one; no program: nowhere */
    const char *fallback; /* that one, by name; "chosen": what it chooses for the call */
    LibraryPlace place;
    const char *switches; /* the level whose switches have to multicast and combine; "": none */
    Span span;
} LibraryAlgorithm;

/* The first rule whose condition holds counts, of the first decision in which one does. */
typedef struct LibraryRule {
    Formula when;    /* no program: always */
    const char *run; /* an algorithm by name; NULL: `rules` say which */
    struct LibraryRule *rules;
    size_t rule_count;
    Span span;
} LibraryRule;

typedef struct {
    Text collective;
    const char *variant;
    const char *const *versions;
    size_t version_count;
    LibraryRule *rules;
    size_t rule_count;
} LibraryDecision;

typedef struct Implementation {
    Head head;
    const char *const *versions;
    size_t version_count;
    LibraryAlgorithm *algorithms; /* in the order of the file */
    size_t algorithm_count;
    LibraryDecision *decisions;
    size_t decision_count;
    TuningModel tuning; /* of collectives without a decision; no candidates: of none */
} Implementation;

/* What conditions are about. */
typedef struct {
    int64_t p;
    double m, buffer;       /* bytes */
    double element;         /* bytes; 0: of one byte */
    double segment;         /* bytes; 0: none */
    int64_t nodes;          /* on which the ranks are, as many on each; 0: not known, or one
                               communicator is asked about that knows of none */
    const Machine *machine; /* NULL: not known, and so what depends on it */
    bool is_instead;        /* of an algorithm that cannot run it */
} LibraryCall;

/* What a library runs. */
typedef struct {
    const LibraryAlgorithm *algorithm; /* NULL: its file does not say */
    const char *protocol;              /* "": it is not said */
} LibraryChoice;

/* NULL after reports. */
Implementation *implementation_read(const Resolver *resolver, const Node *map);
/* The version of the file that a typed one is: 4.1 for 4.1.4; of no text the last. NULL after a
   report that the file has no such version. */
const char *implementation_version(const Implementation *library, Text version, Diag *diag);
/* The same without a report. */
const char *implementation_try_version(const Implementation *library, Text version);
/* Is that one of them? None are all. */
bool implementation_has(const char *const *versions, size_t count, const char *version);
/* The next algorithm of a collective ("": any) for such blocks in this version, from place *at of
   the list on; NULL: there is none. */
const LibraryAlgorithm *implementation_next_for(const Implementation *library, const char *version,
                                                const char *collective, LibraryBlocks blocks,
                                                size_t *at);
/* implementation_next_for with blocks of equal sizes. */
const LibraryAlgorithm *implementation_next(const Implementation *library, const char *version,
                                            const char *collective, size_t *at);
/* Reports that it has none. */
void implementation_refuse(const Implementation *library, const char *version,
                           const char *collective, Diag *diag);
/* Has it this number, in digits? */
bool library_algorithm_has_number(const LibraryAlgorithm *algorithm, Text text);
/* Why the algorithm does not run with so many ranks on so many nodes; NULL: it does. */
const char *library_algorithm_lacks(const LibraryAlgorithm *algorithm, int64_t p, int64_t nodes);
/* The collective of which the library's choices have this variant; no characters: none. */
Text implementation_variant(const Implementation *library, const char *version, Text variant);
/* What really runs in place of an algorithm in this call, through all fallbacks. NULL after a
 * report.
 */
const LibraryAlgorithm *implementation_runs(const Implementation *library, const char *version,
                                            const LibraryAlgorithm *algorithm,
                                            const LibraryCall *call, Diag *diag);
/* What the library runs by itself; of no variant (NULL) by the first decision about equal blocks.
   No algorithm: its file does not say, or after a report. */
LibraryChoice implementation_choice(const Implementation *library, const char *version,
                                    const char *collective, const char *variant,
                                    const LibraryCall *call, Diag *diag);
/* The same without a report: no algorithm where it is not known. */
LibraryChoice implementation_try_choice(const Implementation *library, const char *version,
                                        const char *collective, const char *variant,
                                        const LibraryCall *call);
/* The algorithm of implementation_choice alone. NULL: the file does not say, or after a report. */
const LibraryAlgorithm *implementation_chooses(const Implementation *library, const char *version,
                                               const char *collective, const char *variant,
                                               const LibraryCall *call, Diag *diag);
/* "radix 4, segments of 64 KiB"; "" where nothing is said. */
const char *library_settings_describe(Arena *arena, const LibrarySettings *settings);

#endif
