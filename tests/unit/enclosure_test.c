/* Lines that enclose a time, by what they are made from, and around random times. */
#include "choose/enclosure.h"

#include "base/random.h"

#include "unit.h"

#include <math.h>

enum { MOST_PARTS = 5, MOST_SAMPLES = 12, STEPS = 16 };

/* The highest, or the lowest, of lines that rise and are not negative at 0; UNKNOWN: the longer of
   two lowest ones. */
typedef struct {
    Curvature curvature;
    size_t count;
    double base[MOST_PARTS], slope[MOST_PARTS];
} Time;

static double draw(uint64_t *random, double most)
{
    return most * (double)(random_next(random) % 1024) / 1024;
}

static double seconds_at(const Time *time, double at)
{
    double lowest = INFINITY, highest = 0, later = INFINITY;
    for (size_t i = 0; i < time->count; i++) {
        const double here = time->base[i] + time->slope[i] * at;
        highest = fmax(highest, here);
        lowest = i % 2 ? lowest : fmin(lowest, here);
        later = i % 2 ? fmin(later, here) : later;
    }
    return time->curvature == CURVATURE_CONVEX    ? highest
           : time->curvature == CURVATURE_CONCAVE ? fmin(lowest, later)
           : isinf(later)                         ? lowest
                                                  : fmax(lowest, later);
}

/* Both kept and found in whichever order they come. */
static SampleArray draw_samples(Fixture *fixture, const Time *time, uint64_t *random)
{
    SampleArray samples = {0};
    for (size_t n = random_next(random) % MOST_SAMPLES; n > 0; n--) {
        const double at = 1 + draw(random, 100);
        const Sample *known = samples_find(&samples, at);
        if (known)
            ck_assert_double_eq(known->at, at);
        else
            samples_insert(fixture->arena, &samples, (Sample){at, seconds_at(time, at)});
    }
    for (size_t i = 0; i < samples.count; i++) {
        ck_assert(i == 0 || samples.items[i - 1].at < samples.items[i].at);
        ck_assert_double_eq(samples.items[i].seconds, seconds_at(time, samples.items[i].at));
        ck_assert_ptr_eq(samples_find(&samples, samples.items[i].at), &samples.items[i]);
        ck_assert_ptr_null(samples_find(&samples, samples.items[i].at + 1e-3));
    }
    return samples;
}

static double chord_at(const Sample *one, const Sample *other, double at)
{
    return one->seconds + (other->seconds - one->seconds) / (other->at - one->at) * (at - one->at);
}

/* What the samples tell of a place between neighbours (NULL: none), from below and from above. */
static void bounds_at(const SampleArray *samples, Curvature curvature, size_t left, double at,
                      double *lower, double *upper)
{
    const Sample *before = left < samples->count ? &samples->items[left] : NULL;
    const Sample *after = left + 1 < samples->count ? &samples->items[left + 1] : NULL;
    const Sample *first = left > 0 && before ? before - 1 : NULL;
    const Sample *last = left + 2 < samples->count ? after + 1 : NULL;
    if (left == SIZE_MAX)
        after = samples->count > 0 ? samples->items : NULL,
        last = samples->count > 1 ? samples->items + 1 : NULL;
    *lower = 0, *upper = INFINITY;
    if (before)
        *lower = before->seconds, *upper = before->seconds / before->at * at;
    if (after)
        *lower = fmax(*lower, after->seconds / after->at * at),
        *upper = fmin(*upper, after->seconds);
    double *outer = curvature == CURVATURE_CONVEX ? lower : upper;
    const double sign = curvature == CURVATURE_CONVEX ? 1 : -1;
    if (curvature == CURVATURE_UNKNOWN)
        return;
    if (first)
        *outer = sign * fmax(sign * *outer, sign * chord_at(before, first, at));
    if (last)
        *outer = sign * fmax(sign * *outer, sign * chord_at(after, last, at));
    if (before && after && curvature == CURVATURE_CONVEX)
        *upper = fmin(*upper, chord_at(before, after, at));
    if (before && after && curvature == CURVATURE_CONCAVE)
        *lower = fmax(*lower, chord_at(before, after, at));
}

static double lowest_of(const Lines *lines, double at)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < lines->count; i++)
        lowest = fmin(lowest,
                      lines->items[i].base + lines->items[i].slope * (at - lines->items[i].from));
    return lowest;
}

START_TEST(lines_enclose_a_time_as_closely_as_samples_tell)
{
    Fixture *fixture = fixture_open();
    uint64_t random = (uint64_t)_i;
    Time time = {.curvature = (Curvature)(_i % 3), .count = 1 + random_next(&random) % MOST_PARTS};
    for (size_t i = 0; i < time.count; i++)
        time.base[i] = draw(&random, 50), time.slope[i] = draw(&random, 2);
    const SampleArray samples = draw_samples(fixture, &time, &random);
    for (size_t left = SIZE_MAX; left + 1 <= samples.count; left++) {
        const double begin = left == SIZE_MAX ? 1 : samples.items[left].at;
        const double end = left + 1 < samples.count ? samples.items[left + 1].at : 200;
        const bool starts_there = left != SIZE_MAX && random_next(&random) % 2;
        const double low = starts_there ? begin : begin + (end - begin) / 4;
        const double high = left + 1 < samples.count && random_next(&random) % 2
                                ? end
                                : begin + (end - begin) * 3 / 4;
        Lines upper = {.count = 0}, lower = {.count = 0};
        if (low >= high)
            continue;
        lines_add_upper(&upper, time.curvature, &samples, low, high);
        lines_add_lower(&lower, time.curvature, &samples, low, high);
        for (int step = 0; step <= STEPS; step++) {
            const double at = low + (high - low) * step / STEPS, seconds = seconds_at(&time, at);
            double least, most;
            bounds_at(&samples, time.curvature, left, at, &least, &most);
            ck_assert(lines_highest(&lower, at) <= seconds * (1 + 1e-12) + 1e-12);
            ck_assert(lowest_of(&upper, at) >= seconds * (1 - 1e-12) - 1e-12);
            assert_near(lines_highest(&lower, at) + 1, fmax(least, 0) + 1, 1e-9);
            if (isinf(most))
                ck_assert(isinf(lowest_of(&upper, at)));
            else
                assert_near(lowest_of(&upper, at) + 1, most + 1, 1e-9);
        }
    }
    fixture_close(fixture);
}
END_TEST

static Lines draw_lines(uint64_t *random)
{
    Lines lines = {.count = 0};
    for (uint64_t n = random_next(random) % (MOST_LINES + 1); n > 0; n--)
        lines_add(&lines, (Line){draw(random, 10), draw(random, 10), draw(random, 8) - 4});
    return lines;
}

static double room_at(const Lines *lower, const Lines *upper, double at)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < lower->count; i++)
        highest = fmax(highest,
                       lower->items[i].base + lower->items[i].slope * (at - lower->items[i].from));
    return lowest_of(upper, at) - highest;
}

/* The most room is at an end, or where two gaps between lines are equal. */
static double most_room(const Lines *lower, const Lines *upper, double low, double high)
{
    double gap_base[MOST_LINES * MOST_LINES], gap_slope[MOST_LINES * MOST_LINES];
    double most = fmax(room_at(lower, upper, low), room_at(lower, upper, high));
    size_t count = 0;
    for (size_t i = 0; i < lower->count; i++)
        for (size_t j = 0; j < upper->count; j++) {
            const Line *a = &lower->items[i], *b = &upper->items[j];
            gap_base[count] = a->base - a->slope * a->from - b->base + b->slope * b->from;
            gap_slope[count++] = a->slope - b->slope;
        }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const double at = (gap_base[j] - gap_base[i]) / (gap_slope[i] - gap_slope[j]);
            if (at > low && at < high)
                most = fmax(most, room_at(lower, upper, at));
        }
    return most;
}

START_TEST(lines_cross_where_they_leave_room)
{
    uint64_t random = (uint64_t)_i;
    for (int n = 0; n < 100; n++) {
        const Lines lower = draw_lines(&random), upper = draw_lines(&random);
        const double low = draw(&random, 5), high = low + 0.01 + draw(&random, 5);
        double somewhere = NAN;
        const bool may = lines_may_cross(&lower, &upper, low, high, &somewhere);
        ck_assert(somewhere >= low && somewhere <= high);
        if (lower.count == 0 || upper.count == 0) {
            ck_assert(may);
            ck_assert_double_eq(somewhere, low);
            continue;
        }
        const double most = most_room(&lower, &upper, low, high);
        /* more than there is can be said only where the room grows up to the end */
        if (most > 1e-9)
            ck_assert(may);
        else if (most < -1e-9 && room_at(&lower, &upper, high) < most - 1e-9)
            ck_assert(!may);
        assert_near(room_at(&lower, &upper, somewhere) + 1000, most + 1000, 1e-11);
    }
}
END_TEST

/* Lines that are as far apart as a tie are not apart. */
START_TEST(lines_as_near_as_a_tie_do_not_cross)
{
    static const double apart[] = {0, 1e-13, 0.9e-12, 1.1e-12, 1e-11};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        Lines lower = {.count = 0}, upper = {.count = 0};
        double somewhere;
        lines_add(&lower, (Line){3, 5 * (1 - apart[i]), 0});
        lines_add(&upper, (Line){1, 5, 0});
        ck_assert_int_eq(lines_may_cross(&lower, &upper, 1, 2, &somewhere), apart[i] > 1e-12);
    }
}
END_TEST

Suite *enclosure_suite(void)
{
    Suite *suite = suite_create("enclosure");
    TCase *samples = tcase_create("samples");
    tcase_add_loop_test(samples, lines_enclose_a_time_as_closely_as_samples_tell, 0, 300);
    suite_add_tcase(suite, samples);
    TCase *crossings = tcase_create("crossings");
    tcase_add_loop_test(crossings, lines_cross_where_they_leave_room, 0, 20);
    tcase_add_test(crossings, lines_as_near_as_a_tie_do_not_cross);
    suite_add_tcase(suite, crossings);
    return suite;
}
