#include "choose/enclosure.h"

#include "choose/winner.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 64 };

/* A time is summed up to this share of itself. */
static const double rounding = 4e-15;

typedef struct {
    Line items[MOST_LINES * MOST_LINES];
    size_t count;
} Gaps;

static double line_at(const Line *line, double at)
{
    return line->base + line->slope * (at - line->from);
}

void lines_add(Lines *lines, Line line)
{
    lines->items[lines->count++] = line;
}

/* How many of the samples have smaller places. */
static size_t place_of(const SampleArray *samples, double at)
{
    size_t low = 0, high = samples->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (samples->items[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const Sample *samples_find(const SampleArray *samples, double at)
{
    size_t place = place_of(samples, at);
    bool is_found = place < samples->count && samples->items[place].at == at;
    return is_found ? &samples->items[place] : NULL;
}

void samples_insert(Arena *arena, SampleArray *samples, Sample sample)
{
    size_t place = place_of(samples, sample.at);
    ARRAY_PUSH(arena, samples);
    memmove(&samples->items[place + 1], &samples->items[place],
            (samples->count - 1 - place) * sizeof *samples->items);
    samples->items[place] = sample;
}

/* Through two samples; `shift` lowers or raises it beyond them, on the side of `from`, by what they
   are rounded. */
static Line chord(const Sample *from, const Sample *other, double shift)
{
    double apart = from->at - other->at;
    double slope = (from->seconds - other->seconds) / apart;
    return (Line){from->at, from->seconds,
                  slope + shift * rounding * (from->seconds + other->seconds) / apart};
}

Line line_chord(const Sample *from, const Sample *to)
{
    return chord(from, to, 0);
}

static void add_bounds(Curvature curvature, const SampleArray *samples, double low, double high,
                       bool is_lower, Lines *lines)
{
    size_t right = place_of(samples, high), left = place_of(samples, low);
    bool is_at = left < samples->count && samples->items[left].at == low;
    const Sample *before = is_at ? &samples->items[left] : left > 0 ? &samples->items[left - 1] : 0;
    const Sample *after = right < samples->count ? &samples->items[right] : NULL;
    const Sample *flat = is_lower ? before : after, *ray = is_lower ? after : before;
    if (flat)
        lines_add(lines, (Line){flat->at, flat->seconds, 0});
    if (ray && ray->at > 0)
        lines_add(lines, (Line){ray->at, ray->seconds, ray->seconds / ray->at});
    if (curvature == CURVATURE_UNKNOWN)
        return;
    if (is_lower != (curvature == CURVATURE_CONVEX)) {
        if (before && after && before < after)
            lines_add(lines, line_chord(before, after));
        return;
    }
    /* Chords of the samples outside of low .. high, made longer into it. */
    const double shift = is_lower ? -1 : 1;
    if (before && before > samples->items)
        lines_add(lines, chord(before, before - 1, shift));
    if (after && right + 1 < samples->count)
        lines_add(lines, chord(after, after + 1, shift));
}

void lines_add_upper(Lines *lines, Curvature curvature, const SampleArray *samples, double low,
                     double high)
{
    add_bounds(curvature, samples, low, high, false, lines);
}

void lines_add_lower(Lines *lines, Curvature curvature, const SampleArray *samples, double low,
                     double high)
{
    add_bounds(curvature, samples, low, high, true, lines);
}

double lines_highest(const Lines *lines, double at)
{
    double highest = 0;
    for (size_t i = 0; i < lines->count; i++)
        highest = fmax(highest, line_at(&lines->items[i], at));
    return highest;
}

static const Line *highest_at(const Gaps *gaps, double value)
{
    const Line *highest = &gaps->items[0];
    for (size_t i = 1; i < gaps->count; i++)
        if (line_at(&gaps->items[i], value) > line_at(highest, value))
            highest = &gaps->items[i];
    return highest;
}

bool lines_may_cross(const Lines *lower, const Lines *upper, double low, double high,
                     double *somewhere)
{
    /* What the lower lines are above the upper ones, a tie counting as above. */
    Gaps gaps;
    gaps.count = 0;
    for (size_t i = 0; i < lower->count; i++)
        for (size_t j = 0; j < upper->count; j++) {
            const Line *line = &lower->items[i];
            Line above = upper->items[j];
            above.base *= 1 - tie_tolerance, above.slope *= 1 - tie_tolerance;
            gaps.items[gaps.count++] = (Line){line->from, line->base - line_at(&above, line->from),
                                              line->slope - above.slope};
        }
    *somewhere = low;
    if (gaps.count == 0)
        return true;
    /* Where the highest of these is the lowest, corner by corner. */
    const Line *left = highest_at(&gaps, low), *right = highest_at(&gaps, high);
    *somewhere = left->slope >= 0 ? low : high;
    for (int i = 0; i < MOST_CORNERS && left->slope < 0 && right->slope > 0; i++) {
        double drop = line_at(left, low) - line_at(right, low);
        *somewhere = fmin(fmax(low + drop / (right->slope - left->slope), low), high);
        const Line *highest = highest_at(&gaps, *somewhere);
        if (highest == left || highest == right)
            break;
        *(highest->slope < 0 ? &left : &right) = highest;
    }
    return line_at(left, *somewhere) < 0 || line_at(highest_at(&gaps, *somewhere), *somewhere) < 0;
}
