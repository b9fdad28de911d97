#include "choose/comparison.h"

#include "choose/enclosure.h"

#include <math.h>
#include <string.h>

enum { BEST = 0 };

/* Sizes of messages that differ by less than this share are the same. */
static const double same_size = 4e-12;

/* One number of chunks of one alternative of an algorithm, with all that was tried. */
typedef struct {
    ChunkCurve *curve;
    int64_t k; /* BEST: the best that there is */
    Curvature curvature;
    SampleArray samples;
    SizeArray messages; /* where the parameter is a size */
} Candidate;
ARRAY_TYPE(CandidateArray, Candidate);

typedef struct {
    CandidateArray candidates;
    size_t fastest, closest; /* the candidates that were these when last looked at */
} Side;

struct VariedComparison {
    Arena *arena;
    const Comparison *comparison;
    const VariedParameter *varied;
    double value; /* of the parameter in `current` */
    VariedCurves *current;
    Side sides[2];
    Diag diag;
};

double varied_now(const VariedParameter *varied)
{
    return varied_is_size(varied) ? varied->most : varied->is_zero ? 0 : 1;
}

static void set_machine(const Comparison *comparison, VariedCurves *current)
{
    const Machine *machine = &current->machine;
    current->rules = *comparison->rules;
    memcpy(current->rules.parameters, machine->parameters, sizeof current->rules.parameters);
    current->rules.levels = machine->levels;
    current->rules.level_count = machine->level_count;
    current->rules.protocols = machine_protocols(machine);
    current->rules.protocol_count = machine->protocol_count;
    current->rules.select_fastest = machine->select_fastest;
    current->rules.compute = machine->compute;
    memcpy(current->rules.local, machine->local, sizeof current->rules.local);
}

/* What links cost is in profiles: there it is the factor that changes. */
static void set_value(VariedComparison *varying, double value)
{
    const VariedParameter *varied = varying->varied;
    VariedCurves *current = varying->current;
    varying->value = value;
    current->machine = *varying->comparison->machine;
    varied_set(varied, &current->machine, varied->of_links ? 1 : value);
    set_machine(varying->comparison, current);
    if (varied->of_links)
        current->rules.varied = (VariedLinkCost){varied->owner, varied->parameter, value};
}

static bool open_curves(Arena *arena, const Comparison *comparison, VariedCurves *current,
                        Diag *diag)
{
    for (int i = 0; i < 2; i++) {
        const CurveSubject of = {comparison->algorithms[i],
                                 comparison->network,
                                 &current->rules,
                                 {.root = comparison->root, .target = comparison->target}};
        current->curves[i] = curve_create(arena, &of, &comparison->chosen[i], diag);
        if (!current->curves[i])
            return false;
    }
    return true;
}

bool comparison_open(Arena *arena, Comparison *comparison, Diag *diag)
{
    comparison->current = ARENA_NEW(arena, VariedCurves);
    comparison->current->machine = *comparison->machine;
    set_machine(comparison, comparison->current);
    return open_curves(arena, comparison, comparison->current, diag);
}

static bool open_side(VariedComparison *varying, int which, double value)
{
    Side *side = &varying->sides[which];
    double bytes = varying->comparison->bytes;
    ChunkCurve *curve;
    for (size_t n = 0; (curve = curve_alternative(varying->current->curves[which], n)); n++) {
        Curvature curvature = CURVATURE_CONVEX;
        IntArray tried = {0};
        if (chunk_curve_is_too_large(curve))
            continue;
        if (!chunk_curve_list_tried(curve, bytes, varying->arena, &tried, &varying->diag))
            return false;
        if (tried.count == 0) {
            curvature = chunk_curve_closed(curve) ? CURVATURE_CONCAVE : CURVATURE_UNKNOWN;
            *ARRAY_PUSH(varying->arena, &tried) = BEST;
        }
        for (size_t i = 0; i < tried.count; i++) {
            Candidate *added = ARRAY_PUSH(varying->arena, &side->candidates);
            *added = (Candidate){.curve = curve, .k = tried.items[i], .curvature = curvature};
            if (varied_is_size(varying->varied) &&
                !chunk_curve_messages(curve, added->k, bytes, varying->arena, &added->messages,
                                      &varying->diag))
                return false;
        }
    }
    return varied_time(varying, which, value, &value);
}

VariedComparison *varied_open(Arena *arena, const Comparison *comparison,
                              const VariedParameter *varied)
{
    VariedComparison *varying = ARENA_NEW(arena, VariedComparison);
    double now = varied_now(varied);
    *varying = (VariedComparison){
        .arena = arena, .comparison = comparison, .varied = varied, .diag = diag_silent()};
    /* The curves of the comparison serve unless profiles hold what changes, or a claim counts which
       does not know a parameter that is zero: it must not be asked what else that could be. Such
       curves are made as if it were something. */
    VariedCurves *shared = comparison->current;
    const bool has_claim = curve_is_closed(shared->curves[0]) || curve_is_closed(shared->curves[1]);
    const bool serve = !varied->of_links && !(varied->is_zero && has_claim);
    varying->current = serve ? shared : ARENA_NEW(arena, VariedCurves);
    varying->value = now;
    if (!serve)
        set_value(varying, now > 0 ? now : 1);
    if ((serve || open_curves(arena, comparison, varying->current, &varying->diag)) &&
        open_side(varying, 0, now) && open_side(varying, 1, now))
        return varying;
    varied_close(varying);
    return NULL;
}

void varied_close(VariedComparison *varying)
{
    if (varying->current == varying->comparison->current)
        set_value(varying, varied_now(varying->varied));
}

static bool time_candidate(VariedComparison *varying, Candidate *candidate, double value,
                           double *seconds)
{
    const Sample *kept = samples_find(&candidate->samples, value);
    if (kept) {
        *seconds = kept->seconds;
        return true;
    }
    const double bytes = varying->comparison->bytes;
    workspace_poll(arena_workspace(varying->arena), NULL);
    if (varying->value != value)
        set_value(varying, value);
    if (!(candidate->k != BEST
              ? chunk_curve_total(candidate->curve, candidate->k, bytes, seconds, &varying->diag)
              : chunk_curve_seconds(candidate->curve, bytes, curve_most_chunks(bytes), seconds,
                                    &varying->diag)))
        return false;
    samples_insert(varying->arena, &candidate->samples, (Sample){value, *seconds});
    return true;
}

/* The candidate that was the fastest last comes first; those that cannot be faster are not timed.
 */
bool varied_time(VariedComparison *varying, int which, double value, double *seconds)
{
    Side *side = &varying->sides[which];
    const size_t first = side->fastest;
    double total;
    if (varied_is_size(varying->varied)) { /* no time is kept by its value: see varied_forget */
        *seconds = INFINITY;
        for (size_t i = 0; i < side->candidates.count; i++) {
            Candidate *candidate = &side->candidates.items[i];
            if (!candidate->samples.count && !time_candidate(varying, candidate, value, &total))
                return false;
            *seconds = fmin(*seconds, candidate->samples.items[0].seconds);
        }
        return true;
    }
    if (!time_candidate(varying, &side->candidates.items[first], value, seconds))
        return false;
    for (size_t i = 0; i < side->candidates.count; i++) {
        Candidate *candidate = &side->candidates.items[i];
        Lines lower = {.count = 0};
        lines_add_lower(&lower, candidate->curvature, &candidate->samples, value, value);
        if (i == first || lines_highest(&lower, value) >= *seconds)
            continue;
        if (!time_candidate(varying, candidate, value, &total))
            return false;
        if (total < *seconds)
            *seconds = total, side->fastest = i;
    }
    return true;
}

void varied_messages(VariedComparison *varying, Arena *arena, SizeArray *sizes)
{
    for (int which = 0; which < 2; which++) {
        const CandidateArray *candidates = &varying->sides[which].candidates;
        for (size_t i = 0; i < candidates->count; i++)
            for (size_t j = 0; j < candidates->items[i].messages.count; j++)
                *ARRAY_PUSH(arena, sizes) = candidates->items[i].messages.items[j];
    }
}

void varied_forget(VariedComparison *varying, double message)
{
    for (int which = 0; which < 2; which++) {
        const CandidateArray *candidates = &varying->sides[which].candidates;
        for (size_t i = 0; i < candidates->count; i++) {
            Candidate *candidate = &candidates->items[i];
            for (size_t n = 0; n < candidate->messages.count; n++)
                if (fabs(candidate->messages.items[n] - message) <= same_size * message)
                    candidate->samples.count = 0;
        }
    }
}

static bool may_pass(const Candidate *candidate, const Lines *upper, double low, double high,
                     double *somewhere)
{
    Lines lower = {.count = 0};
    lines_add_lower(&lower, candidate->curvature, &candidate->samples, low, high);
    return lines_may_cross(&lower, upper, low, high, somewhere);
}

bool varied_may_cross(VariedComparison *varying, int faster, double low, double high, bool *may,
                      double *somewhere)
{
    Side *side = &varying->sides[!faster];
    const Side *below = &varying->sides[faster];
    const double ends[2] = {low, high};
    Lines upper = {.count = 0};
    size_t count = side->candidates.count;
    double seconds;
    *may = false;
    /* Above the faster algorithm: by what is its best number of chunks at either end. */
    for (int i = 0; i < 2; i++) {
        if (!varied_time(varying, faster, ends[i], &seconds))
            return false;
        Candidate *candidate = &below->candidates.items[below->fastest];
        if (!time_candidate(varying, candidate, low, &seconds) ||
            !time_candidate(varying, candidate, high, &seconds))
            return false;
        lines_add_upper(&upper, candidate->curvature, &candidate->samples, low, high);
    }
    for (size_t n = 0; n < count && !*may; n++) {
        size_t i = (n + side->closest) % count;
        Candidate *candidate = &side->candidates.items[i];
        if (!may_pass(candidate, &upper, low, high, somewhere))
            continue;
        if (!time_candidate(varying, candidate, low, &seconds) ||
            !time_candidate(varying, candidate, high, &seconds))
            return false;
        *may = may_pass(candidate, &upper, low, high, somewhere);
        side->closest = *may ? i : side->closest;
    }
    return true;
}
