/* How a library predicts the time of each of its algorithms and protocols, of which it then runs
   the one with the least, such as NCCL:

       tuning:
         hardware: {generation: required, channels: 8}
         let: {NAME: EXPRESSION, ...}
         candidates:
           - collective: allreduce
             run: tree
             protocol: LL
             when: nodes > 1
             latency: 6.8us + 2 * flog2(nodes) * 5us
             bandwidth: intra / 3.8
             factors: [1, 0.9]

   A call of b bytes takes latency + b / (bandwidth * factor), where the first factor is for 64 to
   127 B, each following one for sizes twice as large, and 1 for all others. The first of several
   equal ones runs.

   Expressions know the ranks p, of which `devices` are on each of the `nodes`; the bytes b, which
   are those of the largest buffer; the bandwidths `intra` of a device and `inter` of all lanes of
   a node; the number `minor` after the point of the library's version, 27 in 2.27; and by the
   names below `hardware` what the machine says there, else the value that is here. */
#ifndef COLLCOST_MODEL_TUNING_MODEL_H
#define COLLCOST_MODEL_TUNING_MODEL_H

#include "model/machine.h"
#include "model/resolver.h"

typedef struct {
    const char *name;
    bool is_required;
    double value;
} TuningHardware;

typedef struct {
    Text collective;
    const char *run;      /* an algorithm by name */
    const char *protocol; /* "": it is not said */
    Formula when;         /* no program: always */
    Formula latency, bandwidth;
    double *factors;
    size_t factor_count;
    Span span;
} TuningCandidate;

typedef struct {
    TuningHardware *hardware;
    size_t hardware_count;
    TuningCandidate *candidates;
    size_t candidate_count;
} TuningModel;

/* What the times are about. */
typedef struct {
    int64_t p, nodes, minor;
    double buffer; /* bytes */
    const Machine *machine;
} ForetoldCall;

/* False after reports. */
bool tuning_model_read(const Resolver *resolver, const Node *map, TuningModel *model);
/* Does it predict times of that collective? */
bool tuning_model_covers(const TuningModel *model, const char *collective);
/* Values of the hardware for a machine, by its place in the list. False after a report that the
   machine does not say what is needed. */
bool tuning_model_hardware(const TuningModel *model, const char *library, const Machine *machine,
                           double *values, Diag *diag);
/* The time that the library expects; INFINITY where the candidate does not run. False after a
   report. */
bool tuning_model_time(const TuningModel *model, const TuningCandidate *candidate,
                       const ForetoldCall *call, const double *hardware, double *seconds,
                       Diag *diag);

#endif
