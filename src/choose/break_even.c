#include "choose/break_even.h"

#include "choose/breakpoints.h"
#include "choose/envelope.h"

#include <math.h>

/* Values are sought between the one in force times and divided by 2^60; from zero on, in steps that
   cost less than a millionth of the time to begin with. */
enum { MOST_CUTS = 4000 };
static const int octaves[] = {1, 2, 4, 8, 16, 32, 60};
enum { OCTAVE_COUNT = COUNT_OF(octaves) };
static const double first_share = 1e-6, narrowest = 1e-12, polished_share = 1e-6,
                    largest_size = 0x1p53, beside = 1e-12, overtaken_share = 5e-13,
                    snapped_share = 1e-9, snapped_first = 1e-3;

typedef struct {
    VariedComparison *varying;
    int faster; /* as far as the search has come */
    int cuts;
    Crossing crossing;
} Search;

static bool read_both(VariedComparison *varying, double value, double seconds[2])
{
    return varied_time(varying, 0, value, &seconds[0]) &&
           varied_time(varying, 1, value, &seconds[1]);
}

static int order_of(const double seconds[2])
{
    return time_is_below(seconds[0], seconds[1]) ? -1 : time_is_below(seconds[1], seconds[0]);
}

/* Is the other one the faster there, by more than rounding? By half as much as varied_may_cross
   wants, so that no place is neither. */
static bool is_overtaken(Search *search, double value, bool *overtaken)
{
    double seconds[2];
    if (!read_both(search->varying, value, seconds))
        return false;
    *overtaken = seconds[!search->faster] < seconds[search->faster] * (1 - overtaken_share);
    return true;
}

/* Where the two break even, times taken for lines, which they are in the end: a little
   to one side of that, and then to the other. */
static bool choose_cut(Search *search, double near, double far, double somewhere, double *at)
{
    double begin[2], end[2], low = fmin(near, far), high = fmax(near, far);
    const double margin = (high - low) / 64;
    /* where the bounds leave most room, or in the middle: of wide intervals that of the octaves */
    if (search->cuts % 2 && somewhere > low + margin && somewhere < high - margin)
        *at = somewhere;
    else
        *at = low > 0 && high > 4 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
    if (search->cuts % 3 == 0)
        return true;
    if (!read_both(search->varying, near, begin) || !read_both(search->varying, far, end))
        return false;
    double before = begin[!search->faster] - begin[search->faster];
    double after = end[!search->faster] - end[search->faster];
    double side = (search->cuts % 3 == 1 ? -1 : 1) * narrowest * high / 3;
    double crossing = near + (far - near) * (before / (before - after)) + side;
    if (before > 0 && after < 0 && crossing > low && crossing < high)
        *at = crossing;
    return true;
}

/* The first crossing on the way from `near` to `far`. */
static bool search_crossing(Search *search, double near, double far)
{
    double low = fmin(near, far), high = fmax(near, far), somewhere;
    bool may, overtaken;
    if (!varied_may_cross(search->varying, search->faster, low, high, &may, &somewhere) || !may)
        return !may;
    if (++search->cuts > MOST_CUTS) {
        if (!is_overtaken(search, far, &overtaken))
            return false;
        search->crossing.is_open = !overtaken;
        if (!overtaken)
            return true;
    }
    double at;
    if (!choose_cut(search, near, far, somewhere, &at))
        return false;
    if (high - low <= narrowest * high || !(at > low && at < high)) {
        if (!is_overtaken(search, far, &overtaken))
            return false;
        search->crossing.is_found = overtaken;
        search->crossing.at = far;
        return true;
    }
    return search_crossing(search, near, at) &&
           (search->crossing.is_found || search->crossing.is_open ||
            search_crossing(search, at, far));
}

/* The value that was found is that of a crossing by more than rounding; a little nearer they are
 * equal.
 */
static bool polish(Search *search, double now)
{
    double far = search->crossing.at, seconds[2];
    double near =
        far > now ? fmax(now, far * (1 - polished_share)) : fmin(now, far * (1 + polished_share));
    if (!read_both(search->varying, near, seconds))
        return false;
    bool is_between = seconds[!search->faster] >= seconds[search->faster];
    for (double middle = near + (far - near) / 2; is_between && middle != near && middle != far;
         middle = near + (far - near) / 2) {
        if (!read_both(search->varying, middle, seconds))
            return false;
        *(seconds[!search->faster] >= seconds[search->faster] ? &near : &far) = middle;
    }
    search->crossing.at = near == now ? now : far;
    return true;
}

/* The nearest crossing in which `faster` is overtaken; it is open where the search fails. */
static Crossing find_crossing(VariedComparison *varying, int faster, double now, double first,
                              bool up)
{
    Search search = {.varying = varying, .faster = faster, .crossing.faster = !faster};
    Crossing *found = &search.crossing;
    const double begin = now == 0 ? first : now;
    bool good = now != 0 || !up || search_crossing(&search, 0, first);
    double near = begin;
    for (int i = 0; i < OCTAVE_COUNT && good && !found->is_found && !found->is_open; i++) {
        const double far = ldexp(begin, up ? octaves[i] : -octaves[i]);
        good = search_crossing(&search, near, far);
        near = far;
    }
    if (good && found->is_found)
        good = polish(&search, now);
    return good ? *found : (Crossing){.is_open = true};
}

/* Any change from the present value is one, as far as it is more than rounding: `little`. */
static Crossing nearest_of(const Crossing *a, const Crossing *b, bool up, double now, double little)
{
    const bool is_first = up ? a->at < b->at : a->at > b->at;
    Crossing nearest = a->is_found && (!b->is_found || is_first) ? *a : *b;
    if (!nearest.is_found)
        nearest.is_open = a->is_open || b->is_open;
    else if (fabs(nearest.at - now) <= little)
        nearest.at = now;
    return nearest;
}

/* Of two that cost the same at present: either can be overtaken, and the nearest crossing may be
   the present value. */
static BreakEven break_even_of_either(const BreakEven held[2], double now, double little)
{
    return (BreakEven){nearest_of(&held[0].below, &held[1].below, false, now, little),
                       nearest_of(&held[0].above, &held[1].above, true, now, little)};
}

static Crossing find_size(VariedComparison *varying, const VariedParameter *varied, int order,
                          const SizeArray *sizes, bool up)
{
    Crossing crossing = {0};
    for (size_t n = 0; n < sizes->count && !crossing.is_found; n++) {
        double size = sizes->items[up ? n : sizes->count - 1 - n];
        bool is_on_way = up ? size > varied->most && size < varied->below
                            : size <= varied->most && size > varied->above * (1 + 2 * beside);
        if (!is_on_way)
            continue;
        /* At the size of a message, which then has the lower protocol; just below it on the way
           down. */
        double seconds[2];
        varied_forget(varying, size);
        if (!read_both(varying, up ? size : size * (1 - beside), seconds)) {
            crossing.is_open = true;
            continue;
        }
        const int order_then = order_of(seconds);
        crossing.is_found = order_then != 0 && order_then != order;
        crossing.at = size;
        crossing.faster = order_then > 0;
    }
    for (size_t n = 0; n < sizes->count; n++)
        varied_forget(varying, sizes->items[n]);
    return crossing;
}

static bool find_break_even(Arena *arena, VariedComparison *varying, const VariedParameter *varied,
                            double bytes, BreakEven *break_even)
{
    double now = varied_now(varied), seconds[2];
    if (!read_both(varying, now, seconds))
        return false;
    int order = order_of(seconds);
    if (varied_is_size(varied)) {
        SizeArray sizes = {0};
        varied_messages(varying, arena, &sizes);
        sizes.count = sort_doubles_once(sizes.items, sizes.count);
        break_even->below = find_size(varying, varied, order, &sizes, false);
        break_even->above = find_size(varying, varied, order, &sizes, true);
        return true;
    }
    /* How large a parameter is, that is zero now, to matter at all. */
    const bool by_byte = varied->parameter == PARAMETER_TW || varied->parameter == PARAMETER_TC;
    double first = first_share * (by_byte ? seconds[0] / fmax(bytes, 1) : seconds[0]);
    first = first > 0 ? first : first_share;
    BreakEven held[2] = {{{0}, {0}}, {{0}, {0}}};
    for (int holder = 0; holder < 2; holder++) {
        if (order && holder != (order > 0))
            continue;
        if (!varied->is_zero)
            held[holder].below = find_crossing(varying, holder, now, first, false);
        held[holder].above = find_crossing(varying, holder, now, first, true);
    }
    *break_even = order ? held[order > 0]
                        : break_even_of_either(
                              held, now, now > 0 ? snapped_share * now : snapped_first * first);
    return true;
}

BreakEven break_even_by_parameter(const Comparison *comparison, const VariedParameter *varied)
{
    Arena *arena = arena_create(comparison->network->topology->head.workspace);
    BreakEven break_even = {{0}, {0}};
    VariedComparison *varying = varied_open(arena, comparison, varied);
    if (!varying || !find_break_even(arena, varying, varied, comparison->bytes, &break_even))
        break_even = (BreakEven){{.is_open = true}, {.is_open = true}};
    /* A protocol that gets slower is not taken any more, and the one that is may suffer less from
       contention: times may fall then, and what encloses them does not hold. */
    const Rules *rules = comparison->rules;
    if ((rules->protocols && rules->select_fastest &&
         (varied->parameter == PARAMETER_TS || varied->parameter == PARAMETER_TW)) ||
        rules->contention == CONTENTION_SHARED)
        break_even.below.is_open = break_even.above.is_open = true;
    if (varying)
        varied_close(varying);
    arena_destroy(arena);
    return break_even;
}

/* Where `holder` is overtaken: it comes first, so that it has the pieces where both are equal. */
static bool find_overtaken(Arena *arena, const Comparison *comparison, int holder,
                           BreakEven *overtaken, Diag *diag)
{
    PieceArray pieces = {0};
    double bytes = comparison->bytes;
    Curve *const *curves = comparison->current->curves;
    Curve *const in_order[] = {curves[holder], curves[!holder]};
    *overtaken = (BreakEven){{0}, {0}};
    const ChoiceAxis sizes = {arena, 2, 1, largest_size, diag, .curves = in_order};
    if (bytes >= 1 && !envelope_find(&sizes, &pieces))
        return false;
    for (size_t i = 0; i < pieces.count; i++) {
        const Piece *piece = &pieces.items[i];
        if (piece->curve == 0)
            continue;
        if (piece->to <= bytes)
            overtaken->below = (Crossing){.is_found = true, .at = piece->to, .faster = !holder};
        else if (!overtaken->above.is_found)
            overtaken->above =
                (Crossing){.is_found = true, .at = fmax(piece->from, bytes), .faster = !holder};
    }
    return true;
}

BreakEven break_even_by_size(const Comparison *comparison)
{
    Arena *arena = arena_create(comparison->network->topology->head.workspace);
    Diag silent = diag_silent();
    const double bytes = comparison->bytes;
    BreakEven held[2] = {{{0}, {0}}, {{0}, {0}}};
    double seconds[2] = {0};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        CurvePoint point = {.total = 0};
        good = curve_at(comparison->current->curves[i], bytes, curve_most_chunks(bytes), &point,
                        &silent);
        seconds[i] = point.total;
    }
    const int order = order_of(seconds);
    for (int holder = 0; holder < 2 && good; holder++)
        if (!order || holder == (order > 0))
            good = find_overtaken(arena, comparison, holder, &held[holder], &silent);
    const BreakEven break_even = !good   ? (BreakEven){{.is_open = true}, {.is_open = true}}
                                 : order ? held[order > 0]
                                         : break_even_of_either(held, bytes, snapped_share * bytes);
    arena_destroy(arena);
    return break_even;
}

BreakEvens break_evens_find(Arena *arena, const Comparison *comparison)
{
    BreakEvens found = {.parameters =
                            varied_list(arena, comparison->machine, comparison->network->classes,
                                        comparison->network->class_count)};
    found.by_parameter = ARENA_ARRAY(arena, BreakEven, found.parameters.count);
    for (size_t i = 0; i < found.parameters.count; i++)
        found.by_parameter[i] = break_even_by_parameter(comparison, &found.parameters.items[i]);
    found.by_size = break_even_by_size(comparison);
    return found;
}
