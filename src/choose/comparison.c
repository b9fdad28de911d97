#include "choose/comparison.h"

#include "base/watch.h"
#include "choose/breakpoints.h"

#include <math.h>
#include <string.h>

enum { MOST_LINES = 4, MOST_PAIRS = 2 * MOST_LINES * MOST_LINES, MOST_CORNERS = 64, BEST = 0 };

/* A time is summed up to this share of itself; two of them are equal up to the second. */
static const double rounding = 4e-15, tie_share = 1e-12, same_size = 4e-12;

typedef struct {
    double value, seconds;
} Sample;
ARRAY_TYPE(SampleArray, Sample);

typedef enum { BENDS_UPWARDS, BENDS_DOWNWARDS, BENDS_EITHER } Style;

/* One number of chunks of an algorithm, with all that was tried. */
typedef struct {
    int64_t k; /* BEST: the best that there is */
    SampleArray samples;
    SizeArray messages; /* where the knob is a size */
} Runner;
ARRAY_TYPE(RunnerArray, Runner);

typedef struct {
    Style style;
    RunnerArray runners;
    size_t fastest, closest; /* the runners that were these when last looked at */
} Side;

struct Race {
    Arena *arena;
    const Contest *contest;
    const Knob *knob;
    double value; /* at which the knob is on the course */
    Course *course;
    Side sides[2];
    Diag diag;
};

/* seconds = base + slope * (value - from) */
typedef struct {
    double from, base, slope;
} Line;

typedef struct {
    Line items[MOST_PAIRS];
    size_t count;
} Lines;

const Knob *race_knob(const Race *race)
{
    return race->knob;
}

double race_bytes(const Race *race)
{
    return race->contest->bytes;
}

double race_now(const Knob *knob)
{
    return knob_is_size(knob) ? knob->most : knob->is_zero ? 0 : 1;
}

static void set_machine(const Contest *contest, Course *course)
{
    const Machine *machine = &course->machine;
    course->rules = *contest->rules;
    memcpy(course->rules.parameters, machine->parameters, sizeof course->rules.parameters);
    course->rules.levels = machine->levels;
    course->rules.level_count = machine->level_count;
    course->rules.protocols = machine->protocol_count ? machine->protocols : NULL;
}

/* What links cost is in profiles: there it is the factor that changes. */
static void turn(Race *race, double value)
{
    const Knob *knob = race->knob;
    Course *course = race->course;
    race->value = value;
    course->machine = *race->contest->machine;
    knob_turn(knob, &course->machine, knob->of_links ? 1 : value);
    set_machine(race->contest, course);
    if (knob->of_links)
        course->rules.varied = (VariedLinkCost){knob->owner, (Parameter)knob->parameter, value};
}

static bool open_curves(Arena *arena, const Contest *contest, Course *course, Diag *diag)
{
    for (int i = 0; i < 2; i++) {
        course->curves[i] =
            curve_create(arena, contest->algorithms[i], contest->network, contest->root,
                         contest->target, &course->rules, contest->k, diag);
        if (!course->curves[i])
            return false;
    }
    return true;
}

bool contest_open(Arena *arena, Contest *contest, Diag *diag)
{
    contest->course = ARENA_NEW(arena, Course);
    contest->course->machine = *contest->machine;
    set_machine(contest, contest->course);
    return open_curves(arena, contest, contest->course, diag);
}

/* The course of the contest serves unless profiles hold what changes, or a claim counts which does
   not know a parameter that is zero: it must not be asked what else that could be. Such curves are
   made as if it were something. */
static bool find_course(Race *race)
{
    const Knob *knob = race->knob;
    Course *shared = race->contest->course;
    bool has_claim = curve_closed(shared->curves[0]) || curve_closed(shared->curves[1]);
    race->course = shared;
    race->value = race_now(knob);
    if (!knob->of_links && !(knob->is_zero && has_claim))
        return true;
    race->course = ARENA_NEW(race->arena, Course);
    turn(race, race->value > 0 ? race->value : 1);
    return open_curves(race->arena, race->contest, race->course, &race->diag);
}

static bool open_side(Race *race, int which, double value)
{
    Curve *curve = race->course->curves[which];
    Side *side = &race->sides[which];
    IntArray tried = {0};
    double bytes = race->contest->bytes;
    if (!curve_list_tried(curve, bytes, race->arena, &tried, &race->diag))
        return false;
    if (tried.count == 0) {
        side->style = curve_closed(curve) ? BENDS_DOWNWARDS : BENDS_EITHER;
        *ARRAY_PUSH(race->arena, &tried) = BEST;
    }
    for (size_t i = 0; i < tried.count; i++) {
        Runner *runner = ARRAY_PUSH(race->arena, &side->runners);
        *runner = (Runner){.k = tried.items[i]};
        if (knob_is_size(race->knob) &&
            !curve_messages(curve, runner->k, bytes, race->arena, &runner->messages, &race->diag))
            return false;
    }
    return race_time(race, which, value, &value);
}

Race *race_open(Arena *arena, const Contest *contest, const Knob *knob)
{
    Race *race = ARENA_NEW(arena, Race);
    double now = race_now(knob);
    *race = (Race){.arena = arena, .contest = contest, .knob = knob, .diag = diag_silent()};
    if (find_course(race) && open_side(race, 0, now) && open_side(race, 1, now))
        return race;
    race_close(race);
    return NULL;
}

void race_close(Race *race)
{
    if (race->course == race->contest->course)
        turn(race, race_now(race->knob));
}

/* How many of the samples have smaller values. */
static size_t place_of(const SampleArray *samples, double value)
{
    size_t low = 0, high = samples->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (samples->items[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool run(Race *race, int which, const Runner *runner, double value, double *seconds)
{
    const Contest *contest = race->contest;
    Curve *curve = race->course->curves[which];
    CurvePoint point;
    workspace_poll(curve_workspace(curve), NULL);
    if (race->value != value)
        turn(race, value);
    if (runner->k != BEST)
        return curve_total(curve, runner->k, contest->bytes, seconds, &race->diag);
    if (!curve_at(curve, contest->bytes, curve_most_chunks(contest->bytes), &point, &race->diag))
        return false;
    *seconds = point.total;
    return true;
}

/* The time of one number of chunks. */
static bool time_runner(Race *race, int which, Runner *runner, double value, double *seconds)
{
    SampleArray *samples = &runner->samples;
    size_t place = place_of(samples, value);
    if (place < samples->count && samples->items[place].value == value) {
        *seconds = samples->items[place].seconds;
        return true;
    }
    if (!run(race, which, runner, value, seconds))
        return false;
    ARRAY_PUSH(race->arena, samples);
    memmove(&samples->items[place + 1], &samples->items[place],
            (samples->count - 1 - place) * sizeof *samples->items);
    samples->items[place] = (Sample){value, *seconds};
    return true;
}

static double line_at(const Line *line, double value)
{
    return line->base + line->slope * (value - line->from);
}

/* Through two samples; beyond them, on the side of `from`, it is lowered or raised by what they are
   rounded. */
static Line chord(const Sample *from, const Sample *other, double shift)
{
    double apart = from->value - other->value;
    double slope = (from->seconds - other->seconds) / apart;
    return (Line){from->value, from->seconds,
                  slope + shift * rounding * (from->seconds + other->seconds) / apart};
}

static void add_line(Lines *lines, Line line)
{
    lines->items[lines->count++] = line;
}

/* Chords of the samples outside of low .. high, made longer into it. */
static void add_outer(const SampleArray *samples, size_t left, size_t right, double shift,
                      Lines *lines)
{
    const Sample *items = samples->items;
    if (left >= 1 && left < samples->count)
        add_line(lines, chord(&items[left], &items[left - 1], shift));
    if (right + 1 < samples->count)
        add_line(lines, chord(&items[right], &items[right + 1], shift));
}

/* Lines that the time is nowhere above (or, with `is_lower`, below) from low to high. */
static void add_bounds(Style style, const SampleArray *samples, double low, double high,
                       bool is_lower, Lines *lines)
{
    size_t right = place_of(samples, high), left = place_of(samples, low);
    bool is_at = left < samples->count && samples->items[left].value == low;
    const Sample *before = is_at ? &samples->items[left] : left > 0 ? &samples->items[left - 1] : 0;
    const Sample *behind = right < samples->count ? &samples->items[right] : NULL;
    const Sample *flat = is_lower ? before : behind, *ray = is_lower ? behind : before;
    if (flat)
        add_line(lines, (Line){flat->value, flat->seconds, 0});
    if (ray && ray->value > 0)
        add_line(lines, (Line){ray->value, ray->seconds, ray->seconds / ray->value});
    if (style == BENDS_EITHER)
        return;
    if (is_lower == (style == BENDS_UPWARDS))
        add_outer(samples, before ? (size_t)(before - samples->items) : samples->count, right,
                  is_lower ? -1 : 1, lines);
    else if (before && behind && before < behind)
        add_line(lines, chord(before, behind, 0));
}

static double least_at(const Runner *runner, Style style, double value)
{
    Lines lines = {.count = 0};
    double least = 0;
    add_bounds(style, &runner->samples, value, value, true, &lines);
    for (size_t i = 0; i < lines.count; i++)
        least = fmax(least, line_at(&lines.items[i], value));
    return least;
}

/* The runner that was the fastest last comes first; those that cannot be faster are not timed. */
static bool find_fastest(Race *race, int which, double value, double *seconds)
{
    Side *side = &race->sides[which];
    size_t first = side->fastest;
    if (!time_runner(race, which, &side->runners.items[first], value, seconds))
        return false;
    for (size_t i = 0; i < side->runners.count; i++) {
        Runner *runner = &side->runners.items[i];
        double total;
        if (i == first || least_at(runner, side->style, value) >= *seconds)
            continue;
        if (!time_runner(race, which, runner, value, &total))
            return false;
        if (total < *seconds)
            *seconds = total, side->fastest = i;
    }
    return true;
}

/* A time by the size of a protocol is not kept by its value: see race_forget. */
static bool find_fastest_kept(Race *race, int which, double value, double *seconds)
{
    Side *side = &race->sides[which];
    *seconds = INFINITY;
    for (size_t i = 0; i < side->runners.count; i++) {
        Runner *runner = &side->runners.items[i];
        SampleArray *kept = &runner->samples;
        double total = kept->count ? kept->items[0].seconds : 0;
        if (!kept->count && !time_runner(race, which, runner, value, &total))
            return false;
        *seconds = fmin(*seconds, total);
    }
    return true;
}

bool race_time(Race *race, int which, double value, double *seconds)
{
    return knob_is_size(race->knob) ? find_fastest_kept(race, which, value, seconds)
                                    : find_fastest(race, which, value, seconds);
}

void race_messages(Race *race, Arena *arena, SizeArray *sizes)
{
    for (int which = 0; which < 2; which++) {
        const RunnerArray *runners = &race->sides[which].runners;
        for (size_t i = 0; i < runners->count; i++)
            for (size_t j = 0; j < runners->items[i].messages.count; j++)
                *ARRAY_PUSH(arena, sizes) = runners->items[i].messages.items[j];
    }
}

static void forget_runner(Runner *runner, double message)
{
    for (size_t i = 0; i < runner->messages.count; i++)
        if (fabs(runner->messages.items[i] - message) <= same_size * message)
            runner->samples.count = 0;
}

void race_forget(Race *race, double message)
{
    for (int which = 0; which < 2; which++) {
        const RunnerArray *runners = &race->sides[which].runners;
        for (size_t i = 0; i < runners->count; i++)
            forget_runner(&runners->items[i], message);
    }
}

/* What the lower lines are above the upper ones, a tie counting as above. */
static Lines subtract(const Lines *lower, const Lines *upper)
{
    Lines gaps = {.count = 0};
    for (size_t i = 0; i < lower->count; i++)
        for (size_t j = 0; j < upper->count; j++) {
            const Line *low = &lower->items[i];
            Line high = upper->items[j];
            high.base *= 1 - tie_share, high.slope *= 1 - tie_share;
            add_line(&gaps, (Line){low->from, low->base - line_at(&high, low->from),
                                   low->slope - high.slope});
        }
    return gaps;
}

static const Line *highest_at(const Lines *lines, double value)
{
    const Line *highest = &lines->items[0];
    for (size_t i = 1; i < lines->count; i++)
        if (line_at(&lines->items[i], value) > line_at(highest, value))
            highest = &lines->items[i];
    return highest;
}

/* Where the highest of some lines is the lowest: corner by corner. What is returned is not above
   it. */
static double lowest_corner(const Lines *lines, double low, double high, double *at)
{
    const Line *left = highest_at(lines, low), *right = highest_at(lines, high);
    *at = left->slope >= 0 ? low : high;
    for (int i = 0; i < MOST_CORNERS && left->slope < 0 && right->slope > 0; i++) {
        double drop = line_at(left, low) - line_at(right, low);
        *at = fmin(fmax(low + drop / (right->slope - left->slope), low), high);
        const Line *highest = highest_at(lines, *at);
        if (highest == left || highest == right)
            break;
        *(highest->slope < 0 ? &left : &right) = highest;
    }
    return fmin(line_at(left, *at), line_at(highest_at(lines, *at), *at));
}

static bool may_pass(const Runner *runner, Style style, const Lines *upper, double low, double high,
                     double *somewhere)
{
    Lines lower = {.count = 0};
    add_bounds(style, &runner->samples, low, high, true, &lower);
    Lines gaps = subtract(&lower, upper);
    *somewhere = low;
    return gaps.count == 0 || lowest_corner(&gaps, low, high, somewhere) < 0;
}

/* Above the faster algorithm: by what is its best number of chunks at either end. */
static bool find_upper(Race *race, int faster, double low, double high, Lines *upper)
{
    Side *side = &race->sides[faster];
    const double ends[2] = {low, high};
    double seconds;
    for (int i = 0; i < 2; i++) {
        if (!race_time(race, faster, ends[i], &seconds))
            return false;
        Runner *runner = &side->runners.items[side->fastest];
        if (!time_runner(race, faster, runner, low, &seconds) ||
            !time_runner(race, faster, runner, high, &seconds))
            return false;
        add_bounds(side->style, &runner->samples, low, high, false, upper);
    }
    return true;
}

bool race_may_turn(Race *race, int faster, double low, double high, bool *may, double *somewhere)
{
    Side *side = &race->sides[!faster];
    Lines upper = {.count = 0};
    size_t count = side->runners.count;
    double seconds;
    *may = false;
    if (!find_upper(race, faster, low, high, &upper))
        return false;
    for (size_t n = 0; n < count && !*may; n++) {
        size_t i = (n + side->closest) % count;
        Runner *runner = &side->runners.items[i];
        if (!may_pass(runner, side->style, &upper, low, high, somewhere))
            continue;
        if (!time_runner(race, !faster, runner, low, &seconds) ||
            !time_runner(race, !faster, runner, high, &seconds))
            return false;
        *may = may_pass(runner, side->style, &upper, low, high, somewhere);
        side->closest = *may ? i : side->closest;
    }
    return true;
}
