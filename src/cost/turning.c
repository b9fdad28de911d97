#include "cost/turning.h"

#include "cost/envelope.h"
#include "cost/stations.h"

#include <math.h>

/* Values are sought between the one in force times and divided by 2^60; from zero on, in steps that
   cost less than a millionth of the time to begin with. */
enum { OCTAVES = 60, MOST_EVALUATIONS = 20000 };
static const double first_share = 1e-6, narrowest = 1e-13, polished_share = 1e-6,
                    largest_size = 0x1p53;

/* Both times for one value of the parameter. */
typedef struct {
    double value, faster, slower; /* named after the order in force */
} Reading;

typedef struct {
    Contest *contest;
    double *parameter;
    int faster;
    int evaluations;
    bool is_found;
    double at;
} Search;

static bool time_of(const Contest *contest, int which, double *seconds)
{
    CurvePoint point;
    if (!curve_at(contest->curves[which], contest->bytes, curve_most_chunks(contest->bytes), &point,
                  contest->diag))
        return false;
    *seconds = point.total;
    return true;
}

bool contest_order(const Contest *contest, int *order)
{
    double first, second;
    if (!time_of(contest, 0, &first) || !time_of(contest, 1, &second))
        return false;
    *order = time_is_below(first, second) ? -1 : time_is_below(second, first);
    return true;
}

static bool read_at(Search *search, double value, Reading *reading)
{
    *search->parameter = value;
    reading->value = value;
    search->evaluations++;
    return time_of(search->contest, search->faster, &reading->faster) &&
           time_of(search->contest, !search->faster, &reading->slower);
}

static bool has_turned(const Reading *reading)
{
    return time_is_below(reading->slower, reading->faster);
}

/* Can the order have turned between two values, the smaller first? */
static bool can_turn(const Reading *low, const Reading *high)
{
    return time_is_below(low->slower, high->faster);
}

/* The first turn on the way from `near` to `far`. */
static bool search_turn(Search *search, const Reading *near, const Reading *far)
{
    const Reading *low = near->value < far->value ? near : far, *high = low == near ? far : near;
    Reading middle;
    double at = low->value + (high->value - low->value) / 2;
    bool is_spent = search->evaluations > MOST_EVALUATIONS && !has_turned(far);
    if (!can_turn(low, high) || is_spent)
        return true;
    if (high->value - low->value <= narrowest * high->value ||
        !(at > low->value && at < high->value)) {
        search->is_found = has_turned(far);
        search->at = far->value;
        return true;
    }
    return read_at(search, at, &middle) && search_turn(search, near, &middle) &&
           (search->is_found || search_turn(search, &middle, far));
}

/* The value that was found is that of a turn by more than rounding; a little nearer they are equal.
 */
static bool polish(Search *search, bool up)
{
    double near = search->at * (up ? 1 - polished_share : 1 + polished_share), far = search->at;
    Reading reading;
    if (!search->is_found || !read_at(search, near, &reading))
        return !search->is_found;
    bool is_between = reading.slower > reading.faster;
    for (double middle = near + (far - near) / 2; is_between && middle != near && middle != far;
         middle = near + (far - near) / 2) {
        if (!read_at(search, middle, &reading))
            return false;
        *(reading.slower > reading.faster ? &near : &far) = middle;
    }
    search->at = far;
    return true;
}

/* The values at which intervals end, outwards: factors of 2; 0 at the end. */
static double next_value(double from, double first, int step, bool up)
{
    if (up)
        return step == 0 && from == 0 ? first : 2 * from;
    return step + 1 < OCTAVES ? from / 2 : 0;
}

static bool go_outwards(Search *search, double from, double first, bool up)
{
    Reading near, far;
    search->is_found = false;
    search->evaluations = 0;
    if (!read_at(search, from, &near))
        return false;
    for (int step = 0; step < OCTAVES && !search->is_found; step++) {
        double value = next_value(near.value, first, step, up);
        if (!read_at(search, value, &far) || !search_turn(search, &near, &far))
            return false;
        near = far;
    }
    return polish(search, up);
}

/* How large a parameter is, that is zero now, to matter at all. */
static double first_value(const Contest *contest, Parameter parameter, double seconds)
{
    bool by_byte = parameter == PARAMETER_TW || parameter == PARAMETER_TC;
    double value = first_share * (by_byte ? seconds / fmax(contest->bytes, 1) : seconds);
    return value > 0 ? value : first_share;
}

static bool search_both_ways(Search *search, double value, double first, Turning *turn)
{
    if (!go_outwards(search, value, first, true))
        return false;
    turn->above_found = search->is_found;
    turn->above = search->at;
    if (value > 0 && !go_outwards(search, value, first, false))
        return false;
    turn->below_found = value > 0 && search->is_found;
    turn->below = search->at;
    return true;
}

bool contest_turn_parameter(Contest *contest, Parameter parameter, Turning *turn)
{
    int order;
    double seconds;
    *turn = (Turning){0};
    if (!contest_order(contest, &order) || !time_of(contest, 0, &seconds))
        return false;
    Search search = {.contest = contest,
                     .parameter = &contest->rules->parameters[parameter],
                     .faster = order > 0};
    double value = *search.parameter;
    bool good = order == 0 ||
                search_both_ways(&search, value, first_value(contest, parameter, seconds), turn);
    *search.parameter = value;
    return good;
}

/* The nearest ends of pieces that the slower one has. */
static void find_nearest(const PieceArray *pieces, size_t slower, double bytes, Turning *turn)
{
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        if (piece->curve != slower)
            continue;
        if (piece->to <= bytes) {
            turn->below_found = true;
            turn->below = piece->to;
        } else if (!turn->above_found) {
            turn->above_found = true;
            turn->above = piece->from;
        }
    }
}

bool contest_turn_size(Contest *contest, Turning *turn)
{
    int order;
    *turn = (Turning){0};
    if (!contest_order(contest, &order))
        return false;
    /* The faster one comes first, so that it has what is tied. */
    Curve *const curves[] = {contest->curves[order > 0], contest->curves[order <= 0]};
    Arena *scratch = arena_create();
    PieceArray pieces = {0};
    bool good = order == 0 || contest->bytes < 1 ||
                envelope_find(scratch, curves, 2, 1, largest_size, &pieces, contest->diag);
    if (good)
        find_nearest(&pieces, 1, contest->bytes, turn);
    arena_destroy(scratch);
    return good;
}
