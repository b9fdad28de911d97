#include "choose/break_even.h"

#include "base/sort.h"
#include "choose/breakpoints.h"
#include "choose/envelope.h"

#include <math.h>

/* Values are sought between the one in force times and divided by 2^60; from zero on, in steps that
   cost less than a millionth of the time to begin with. */
enum { MOST_CUTS = 4000 };
static const int octaves[] = {1, 2, 4, 8, 16, 32, 60};
enum { OCTAVE_COUNT = sizeof octaves / sizeof *octaves };
static const double first_share = 1e-6, narrowest = 1e-12, polished_share = 1e-6,
                    largest_size = 0x1p53, beside = 1e-12, turned_share = 5e-13,
                    snapped_share = 1e-9, snapped_first = 1e-3;

typedef struct {
    Race *race;
    int faster; /* as far as the search has come */
    int cuts;
    Turn turn;
} Search;

static bool read_both(Race *race, double value, double seconds[2])
{
    return race_time(race, 0, value, &seconds[0]) && race_time(race, 1, value, &seconds[1]);
}

static int order_of(const double seconds[2])
{
    return time_is_below(seconds[0], seconds[1]) ? -1 : time_is_below(seconds[1], seconds[0]);
}

/* Is the other one the faster there, by more than rounding? By half as much as race_may_turn asks
   for, so that no place is neither. */
static bool has_turned(Search *search, double value, bool *turned)
{
    double seconds[2];
    if (!read_both(search->race, value, seconds))
        return false;
    *turned = seconds[!search->faster] < seconds[search->faster] * (1 - turned_share);
    return true;
}

/* Where the bounds leave most room, or in the middle: of wide intervals that of the octaves. */
static double choose_middle(double low, double high, double somewhere, int cuts)
{
    double margin = (high - low) / 64;
    if (cuts % 2 && somewhere > low + margin && somewhere < high - margin)
        return somewhere;
    return low > 0 && high > 4 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
}

/* Where the order turns between the two, times taken for lines, which they are in the end: a little
   to one side of that, and then to the other. */
static bool choose_cut(Search *search, double near, double far, double somewhere, double *at)
{
    double begin[2], end[2], low = fmin(near, far), high = fmax(near, far);
    *at = choose_middle(low, high, somewhere, search->cuts);
    if (search->cuts % 3 == 0)
        return true;
    if (!read_both(search->race, near, begin) || !read_both(search->race, far, end))
        return false;
    double before = begin[!search->faster] - begin[search->faster];
    double behind = end[!search->faster] - end[search->faster];
    double side = (search->cuts % 3 == 1 ? -1 : 1) * narrowest * high / 3;
    double crossing = near + (far - near) * (before / (before - behind)) + side;
    if (before > 0 && behind < 0 && crossing > low && crossing < high)
        *at = crossing;
    return true;
}

/* The first turn on the way from `near` to `far`. */
static bool search_turn(Search *search, double near, double far)
{
    double low = fmin(near, far), high = fmax(near, far), somewhere;
    bool may, turned;
    if (!race_may_turn(search->race, search->faster, low, high, &may, &somewhere) || !may)
        return !may;
    if (++search->cuts > MOST_CUTS) {
        if (!has_turned(search, far, &turned))
            return false;
        search->turn.is_open = !turned;
        if (!turned)
            return true;
    }
    double at;
    if (!choose_cut(search, near, far, somewhere, &at))
        return false;
    if (high - low <= narrowest * high || !(at > low && at < high)) {
        if (!has_turned(search, far, &turned))
            return false;
        search->turn.is_found = turned;
        search->turn.at = far;
        return true;
    }
    return search_turn(search, near, at) &&
           (search->turn.is_found || search->turn.is_open || search_turn(search, at, far));
}

/* The value that was found is that of a turn by more than rounding; a little nearer they are equal.
 */
static bool polish(Search *search, double now)
{
    double far = search->turn.at, seconds[2];
    double near =
        far > now ? fmax(now, far * (1 - polished_share)) : fmin(now, far * (1 + polished_share));
    if (!read_both(search->race, near, seconds))
        return false;
    bool is_between = seconds[!search->faster] >= seconds[search->faster];
    for (double middle = near + (far - near) / 2; is_between && middle != near && middle != far;
         middle = near + (far - near) / 2) {
        if (!read_both(search->race, middle, seconds))
            return false;
        *(seconds[!search->faster] >= seconds[search->faster] ? &near : &far) = middle;
    }
    search->turn.at = near == now ? now : far;
    return true;
}

static bool go_outwards(Search *search, double now, double first, bool up)
{
    double near = now;
    if (now == 0 && up && !search_turn(search, 0, first))
        return false;
    if (now == 0)
        near = now = first;
    for (int i = 0; i < OCTAVE_COUNT && !search->turn.is_found && !search->turn.is_open; i++) {
        double far = ldexp(now, up ? octaves[i] : -octaves[i]);
        if (!search_turn(search, near, far))
            return false;
        near = far;
    }
    return true;
}

/* The nearest turn in which `faster` is overtaken; it is open where the search fails. */
static Turn find_turn(Race *race, int faster, double now, double first, bool up)
{
    Search search = {.race = race, .faster = faster, .turn.faster = !faster};
    bool good = go_outwards(&search, now, first, up);
    if (good && search.turn.is_found)
        good = polish(&search, now);
    return good ? search.turn : (Turn){.is_open = true};
}

/* Of two that cost the same the nearest turn may be the value in force: then any change is one, as
   far as it is more than rounding. */
static void snap(Turn *turn, double now, double first)
{
    double little = now > 0 ? snapped_share * now : snapped_first * first;
    if (turn->is_found && fabs(turn->at - now) <= little)
        turn->at = now;
}

static bool is_nearer(const Turn *a, const Turn *b, bool up)
{
    return a->is_found && (!b->is_found || (up ? a->at < b->at : a->at > b->at));
}

/* By order: the one that is faster now, or either. */
static Turn find_nearest(Race *race, int order, double first, bool up)
{
    double now = race_now(race_knob(race));
    if (order)
        return find_turn(race, order > 0, now, first, up);
    Turn one = find_turn(race, 0, now, first, up), other = find_turn(race, 1, now, first, up);
    Turn *nearest = is_nearer(&one, &other, up) ? &one : &other;
    nearest->is_open = !nearest->is_found && (one.is_open || other.is_open);
    snap(nearest, now, first);
    return *nearest;
}

/* How large a parameter is, that is zero now, to matter at all. */
static double first_value(const Race *race, double seconds)
{
    const Knob *knob = race_knob(race);
    bool by_byte = knob->parameter == PARAMETER_TW || knob->parameter == PARAMETER_TC;
    double value = first_share * (by_byte ? seconds / fmax(race_bytes(race), 1) : seconds);
    return value > 0 ? value : first_share;
}

/* At the size of a message, which goes up to it then; beyond it on the way down. */
static bool try_size(Race *race, int order, double size, bool up, Turn *turn)
{
    double seconds[2];
    race_forget(race, size);
    if (!read_both(race, up ? size : size * (1 - beside), seconds))
        return false;
    int here = order_of(seconds);
    turn->is_found = here != 0 && here != order;
    turn->at = size;
    turn->faster = here > 0;
    return true;
}

static Turn find_size(Race *race, int order, SizeArray *sizes, bool up)
{
    const Knob *knob = race_knob(race);
    Turn turn = {0};
    for (size_t n = 0; n < sizes->count && !turn.is_found; n++) {
        double size = sizes->items[up ? n : sizes->count - 1 - n];
        bool is_on_way = up ? size > knob->most && size < knob->below
                            : size <= knob->most && size > knob->above * (1 + 2 * beside);
        if (is_on_way && !try_size(race, order, size, up, &turn))
            turn.is_open = true;
    }
    for (size_t n = 0; n < sizes->count; n++)
        race_forget(race, sizes->items[n]);
    return turn;
}

static void turn_size_knob(Arena *arena, Race *race, int order, Turning *turning)
{
    SizeArray all = {0}, sizes = {0};
    race_messages(race, arena, &all);
    sort_doubles(all.items, all.count);
    for (size_t i = 0; i < all.count; i++)
        if (i == 0 || all.items[i] != all.items[i - 1])
            *ARRAY_PUSH(arena, &sizes) = all.items[i];
    turning->below = find_size(race, order, &sizes, false);
    turning->above = find_size(race, order, &sizes, true);
}

static bool turn_race(Arena *arena, Race *race, Turning *turning)
{
    const Knob *knob = race_knob(race);
    double seconds[2];
    if (!read_both(race, race_now(knob), seconds))
        return false;
    int order = order_of(seconds);
    double first = first_value(race, seconds[0]);
    if (knob_is_size(knob)) {
        turn_size_knob(arena, race, order, turning);
        return true;
    }
    if (!knob->is_zero)
        turning->below = find_nearest(race, order, first, false);
    turning->above = find_nearest(race, order, first, true);
    return true;
}

Turning contest_turn_knob(const Contest *contest, const Knob *knob)
{
    Arena *arena = arena_create(contest->network->topology->head.workspace);
    Turning turning = {{0}, {0}};
    Race *race = race_open(arena, contest, knob);
    if (!race || !turn_race(arena, race, &turning))
        turning = (Turning){{.is_open = true}, {.is_open = true}};
    if (race)
        race_close(race);
    arena_destroy(arena);
    return turning;
}

bool contest_order(const Contest *contest, int *order, Diag *diag)
{
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        CurvePoint point;
        if (!curve_at(contest->course->curves[i], contest->bytes, curve_most_chunks(contest->bytes),
                      &point, diag))
            return false;
        seconds[i] = point.total;
    }
    *order = order_of(seconds);
    return true;
}

/* The nearest ends of pieces that are not those of the faster one alone, or of both. */
static void find_ends(const PieceArray *pieces, int order, double bytes, const int numbers[2],
                      Turning *turn)
{
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        bool is_tied = piece->tied[!piece->curve];
        if (order ? piece->curve == 0 || is_tied : is_tied)
            continue;
        Turn end = {.is_found = true, .faster = numbers[piece->curve]};
        if (piece->to <= bytes) {
            turn->below = end;
            turn->below.at = piece->to;
        } else if (!turn->above.is_found && (order || piece->from >= bytes)) {
            turn->above = end;
            turn->above.at = piece->from;
        }
    }
}

/* The faster one comes first, so that it has what is tied. */
static bool find_by_size(Arena *arena, const Contest *contest, Turning *turn, Diag *diag)
{
    PieceArray pieces = {0};
    int order;
    if (!contest_order(contest, &order, diag))
        return false;
    const int numbers[2] = {order > 0, order <= 0};
    Curve *const *curves = contest->course->curves;
    Curve *const in_order[] = {curves[numbers[0]], curves[numbers[1]]};
    if (contest->bytes >= 1 && !envelope_find(arena, in_order, 2, 1, largest_size, &pieces, diag))
        return false;
    find_ends(&pieces, order, contest->bytes, numbers, turn);
    return true;
}

Turning contest_turn_size(const Contest *contest)
{
    Arena *arena = arena_create(contest->network->topology->head.workspace);
    Diag silent = diag_silent();
    Turning turn = {{0}, {0}};
    if (!find_by_size(arena, contest, &turn, &silent))
        turn = (Turning){{.is_open = true}, {.is_open = true}};
    arena_destroy(arena);
    return turn;
}
