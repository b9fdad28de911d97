#include "cost/closed_chunks.h"

#include <math.h>
#include <string.h>

/* Periods are as long at most; and up to this k exceptions are looked for. */
enum { LONGEST_CLOSED_PERIOD = 16 };

/* a + b k + c / k */
typedef struct {
    double a, b, c;
} Law;

/* For the numbers of chunks of one rest: of what is paid for any message, and by byte. */
typedef struct {
    Law fixed, by_byte;
} Laws;

struct ClosedChunks {
    const ClosedForm *form;
    const Rules *rules;
    int64_t declared, period; /* 0: not of this form */
    int64_t exceptions;       /* up to which k some are */
    double parameters[PARAMETER_COUNT];
    bool is_known; /* for these parameters */
    Laws laws[LONGEST_CLOSED_PERIOD];
};

ClosedChunks *closed_chunks_create(Arena *arena, ClosedForm *form, const Rules *rules,
                                   int64_t period)
{
    ClosedChunks *chunks = ARENA_NEW(arena, ClosedChunks);
    *chunks = (ClosedChunks){.form = form, .rules = rules, .declared = period};
    return chunks;
}

static double law_at(Law law, double k)
{
    return law.a + law.b * k + law.c / k;
}

/* With k chunks, of no bytes, or of one byte without what is paid for any message. */
static bool find_part(const ClosedChunks *chunks, double k, bool by_byte, double *part, Diag *diag)
{
    double parameters[PARAMETER_COUNT];
    memcpy(parameters, chunks->rules->parameters, sizeof parameters);
    if (by_byte)
        parameters[PARAMETER_TS] = parameters[PARAMETER_TH] = 0;
    return closed_seconds(chunks->form, k, parameters, by_byte, part, diag);
}

/* The law through three numbers of chunks; *fits where it holds for others, which have other rests.
 */
static bool find_law(const ClosedChunks *chunks, int64_t first, int64_t period, bool by_byte,
                     Law *law, bool *fits, Diag *diag)
{
    static const int64_t through[] = {8, 67, 1030}, beyond[] = {17, 18, 1000003};
    double k[3], by_k[3], part;
    for (int i = 0; i < 3; i++) {
        k[i] = (double)(first + through[i] * period);
        if (!find_part(chunks, k[i], by_byte, &by_k[i], diag))
            return false;
        by_k[i] *= k[i];
    }
    /* k times the law is a parabola */
    const double low = (by_k[1] - by_k[0]) / (k[1] - k[0]);
    const double high = (by_k[2] - by_k[1]) / (k[2] - k[1]);
    law->b = (high - low) / (k[2] - k[0]);
    law->a = low - law->b * (k[0] + k[1]);
    law->c = by_k[0] - k[0] * (law->a + law->b * k[0]);
    for (int i = 0; i < 3 && *fits; i++) {
        const double other = (double)(first + beyond[i] * period);
        if (!find_part(chunks, other, by_byte, &part, diag))
            return false;
        *fits = fabs(law_at(*law, other) - part) <= 1e-9 * fabs(part);
    }
    return true;
}

static bool find_laws(ClosedChunks *chunks, int64_t period, bool *fits, Diag *diag)
{
    *fits = period <= LONGEST_CLOSED_PERIOD;
    for (int64_t rest = 0; rest < period && *fits; rest++) {
        Laws *laws = &chunks->laws[rest];
        if (!find_law(chunks, rest, period, false, &laws->fixed, fits, diag) ||
            !find_law(chunks, rest, period, true, &laws->by_byte, fits, diag))
            return false;
    }
    return true;
}

/* For the parameters of now. */
static bool know(ClosedChunks *chunks, Diag *diag)
{
    const size_t size = sizeof chunks->parameters;
    bool fits;
    if (chunks->is_known && memcmp(chunks->parameters, chunks->rules->parameters, size) == 0)
        return true;
    memcpy(chunks->parameters, chunks->rules->parameters, size);
    chunks->is_known = true;
    chunks->period = 1;
    if (!find_laws(chunks, 1, &fits, diag))
        return false;
    if (!fits && chunks->declared > 1) {
        chunks->period = chunks->declared;
        if (!find_laws(chunks, chunks->period, &fits, diag))
            return false;
    }
    if (!fits) {
        chunks->period = 0;
        return true;
    }
    chunks->exceptions = 0;
    for (int64_t k = LONGEST_CLOSED_PERIOD; k > 0 && !chunks->exceptions; k--) {
        const Laws *laws = &chunks->laws[k % chunks->period];
        double fixed, by_byte;
        if (!find_part(chunks, (double)k, false, &fixed, diag) ||
            !find_part(chunks, (double)k, true, &by_byte, diag))
            return false;
        if (fabs(law_at(laws->fixed, (double)k) - fixed) > 1e-9 * fixed ||
            fabs(law_at(laws->by_byte, (double)k) - by_byte) > 1e-9 * by_byte)
            chunks->exceptions = k;
    }
    return true;
}

/* A number of chunks that may be the best, where it is allowed. */
static bool try_one(const ClosedChunks *chunks, double bytes, double k, double most, double *best,
                    double *least, Diag *diag)
{
    double total;
    if (!(k >= 1 && k <= most))
        return true;
    if (!closed_seconds(chunks->form, k, chunks->rules->parameters, bytes, &total, diag))
        return false;
    if (total < *least || (total <= *least && k < *best))
        *least = total, *best = k;
    return true;
}

/* Where a law for a rest is the least, as a real number; at an end where it only falls, or rises.
 */
static double find_least(const Laws *laws, double bytes, double most)
{
    const double b = laws->fixed.b + bytes * laws->by_byte.b;
    const double c = laws->fixed.c + bytes * laws->by_byte.c;
    const double scale = 1e-12 * (fabs(laws->fixed.a) + bytes * fabs(laws->by_byte.a));
    if (c <= scale)
        return 1;
    return b > 0 ? fmin(sqrt(c / b), most) : most;
}

bool closed_chunks_best(ClosedChunks *chunks, double bytes, int64_t most, int64_t few, double *k,
                        Diag *diag)
{
    const double last = (double)most;
    double least = INFINITY;
    *k = 1;
    if (!know(chunks, diag))
        return false;
    const double period = (double)chunks->period;
    if (period == 1 && chunks->rules->real_chunks && closed_has_real_k(chunks->form)) {
        const double real = fmax(1, find_least(&chunks->laws[0], bytes, last));
        if (!try_one(chunks, bytes, real, last, k, &least, diag))
            return false;
    }
    const int64_t tried = chunks->period ? chunks->exceptions : few;
    for (int64_t i = 1; i <= tried && i <= most; i++)
        if (!try_one(chunks, bytes, (double)i, last, k, &least, diag))
            return false;
    for (int64_t rest = 0; rest < chunks->period; rest++) {
        const double at = find_least(&chunks->laws[rest], bytes, last) - (double)rest;
        const double below = (double)rest + floor(at / period) * period;
        if (!try_one(chunks, bytes, below, last, k, &least, diag) ||
            !try_one(chunks, bytes, below + period, last, k, &least, diag))
            return false;
    }
    return true;
}
