#include "cost/derive_profile.h"

#include "cost/shared_run.h"

#include <math.h>
#include <string.h>

ARRAY_TYPE(ChoiceArray, ProtocolChoice);

/* Bends of one timeline that are followed. */
enum { MOST_BENDS = 4096 };

/* Lines that differ by less than this share are the same. */
static const double same_share = 1e-12, meeting_share = 1e-9;
/* So much beyond a size up to which there is one protocol, the next one counts. */
static const double beside_jump = 1e-12;

void profile_spans(const Profile *profile, const double *parameters, double block,
                   MessageSpan *spans, MessageWait *waits)
{
    const TimelineRun run = {.timeline = profile->timeline,
                             .paths = profile->paths,
                             .parameters = parameters,
                             .block = block,
                             .spans = spans,
                             .waits = waits};
    if (profile->timeline->sharing)
        shared_run(&run);
    else
        timeline_run(&run);
}

Overlap *overlaps_copy(Arena *arena, Overlap *overlaps)
{
    for (Overlap **at = &overlaps; *at; at = &(*at)->before) {
        *at = ARENA_COPY(arena, Overlap, *at, 1);
        (*at)->paths = paths_copy(arena, (*at)->paths, (*at)->path_count);
    }
    return overlaps;
}

Profile profile_copy(Arena *arena, const Profile *profile)
{
    Profile copy = *profile;
    copy.steps = ARENA_COPY(arena, PortStepCost, profile->steps, profile->step_count);
    copy.paths = paths_copy(arena, profile->paths, profile->path_count);
    for (size_t t = 0; t < copy.step_count; t++)
        copy.steps[t].earlier = overlaps_copy(arena, copy.steps[t].earlier);
    if (profile->timeline)
        copy.timeline = timeline_copy(arena, profile->timeline);
    return copy;
}

double profile_block(const Profile *profile, double bytes)
{
    double block = bytes / (double)profile->chunks;
    if (profile->unit > 0)
        return profile->unit;
    return profile->ceil_chunks ? ceil(block) : block;
}

CostParts port_step_cost(const PortStepCost *step, const PathCost *paths, const double *parameters,
                         double block)
{
    CostParts parts = {0}; /* local work has no paths; a profile of nothing else has none at all */
    if (step->path_count)
        parts = paths_slowest(paths + step->first_path, step->path_count, parameters, block);
    parts.compute = (double)step->combined * block * parameters[PARAMETER_TC];
    CostParts since = {0};
    for (const Overlap *other = step->earlier; other; other = other->before) {
        const CostParts end = port_step_cost(&other->end, other->paths, parameters, block);
        since = cost_sum(since, port_step_cost(&other->begin, other->paths, parameters, block));
        if (cost_total(end) - cost_total(since) > cost_total(parts))
            parts = cost_sum(end, cost_share(since, -1));
    }
    return parts;
}

const double *profile_parameters(const Profile *profile, const double *parameters, double bytes,
                                 double *settled)
{
    if (!profile->rules || !profile->rules->compute.count)
        return parameters;
    double block = bytes / (double)profile->chunks;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        settled[i] = parameters[i];
    settled[PARAMETER_TC] =
        working_price(&profile->rules->compute, (double)profile->peak_blocks * block);
    return settled;
}

/* What the C library of GNU does: a buffer that takes 32 MiB with its head is mapped for each call;
   others come from a heap, which is given back when more than twice the largest is free at its end;
   and below the first of these nothing is. See collcost-rules(7). */
static const double least_fresh = 0x1p17, always_fresh = 0x1p25 - 16;

/* By byte of m: the price is that of m bytes. */
static double local_price(const Profile *profile, LocalWork work, double bytes)
{
    const WorkingPrices *prices = profile->rules ? &profile->rules->local[work] : NULL;
    const LocalBytes *buffers = &profile->local[work];
    const double largest = buffers->largest * bytes;
    const bool is_fresh =
        largest > always_fresh || (largest > least_fresh && buffers->all >= 2 * buffers->largest);
    if (!prices || !prices->count || (work == LOCAL_TOUCH && !is_fresh))
        return 0;
    double chunk = bytes / (double)profile->chunks;
    return profile->local[work].all * working_price(prices, (double)profile->peak_blocks * chunk);
}

double profile_local(const Profile *profile, LocalWork work, double bytes)
{
    return local_price(profile, work, bytes) * bytes;
}

/* A sum that is rounded once, when it is read: port steps may come in any order, or as kinds with
   their counts, and take the same time to the last digit. Two doubles hold some 106 bits. */
typedef struct {
    double high, low;
} WideSum;

static void add_times(WideSum *sum, double count, double value)
{
    if (value == 0)
        return;
    const double product = count * value, rest = fma(count, value, -product);
    const double total = sum->high + product, part = total - sum->high;
    const double lost = (sum->high - (total - part)) + (product - part) + rest + sum->low;
    sum->high = total + lost;
    sum->low = isfinite(total) ? lost - (sum->high - total) : 0;
}

static CostParts messages_cost(const Profile *profile, const double *parameters, double bytes)
{
    CostParts parts = {0};
    double settled[PARAMETER_COUNT];
    parameters = profile_parameters(profile, parameters, bytes, settled);
    double block = profile_block(profile, bytes);
    const TimelineRun run = {.timeline = profile->timeline,
                             .paths = profile->paths,
                             .parameters = parameters,
                             .block = block};
    if (profile->timeline && profile->timeline->sharing)
        return shared_run(&run).parts;
    if (profile->timeline) {
        parts = timeline_run(&run);
        parts.transfer *= block;
        parts.compute *= block;
        return parts;
    }
    WideSum startup = {0}, hop = {0}, transfer = {0}, compute = {0};
    for (size_t t = 0; t < profile->step_count; t++) {
        double repeat = (double)profile->steps[t].repeat;
        CostParts step = port_step_cost(&profile->steps[t], profile->paths, parameters, block);
        add_times(&startup, repeat, step.startup);
        add_times(&hop, repeat, step.hop);
        add_times(&transfer, repeat, step.transfer);
        add_times(&compute, repeat, step.compute);
    }
    parts = (CostParts){startup.high, hop.high, transfer.high, compute.high};
    if (profile->averaged)
        parts = cost_share(parts, (double)profile->averaged);
    return parts;
}

CostParts profile_cost(const Profile *profile, const double *parameters, double bytes)
{
    CostParts parts = messages_cost(profile, parameters, bytes);
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        parts.compute += profile_local(profile, (LocalWork)i, bytes);
    return parts;
}

static bool is_whole(const Exact *value)
{
    return value->exact && value->denominator == 1;
}

/* False where some parameter is no whole number. */
static bool read_whole(const ExactParameters *parameters, int64_t values[PARAMETER_COUNT])
{
    bool whole = true;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        whole &= is_whole(&parameters->parameters[i]);
        values[i] = parameters->parameters[i].numerator;
    }
    return whole;
}

/* The slowest of the paths in whole numbers; false where something is none. */
static bool slowest_whole(const PortStepCost *step, const PathCost *paths, const int64_t *values,
                          int64_t block, int64_t *slowest)
{
    int64_t time;
    bool whole = true;
    *slowest = 0;
    for (size_t i = 0; whole && i < step->path_count; i++) {
        whole = path_whole(&paths[step->first_path + i], values, block, &time);
        if (whole && time > *slowest)
            *slowest = time;
    }
    return whole;
}

Exact port_step_cost_exact(const PortStepCost *step, const PathCost *paths,
                           const ExactParameters *parameters, Exact block)
{
    Exact compute = exact_multiply(block, parameters->parameters[PARAMETER_TC]);
    Exact slowest = exact_from_int(0);
    int64_t values[PARAMETER_COUNT], whole;
    if (is_whole(&block) && read_whole(parameters, values) &&
        slowest_whole(step, paths, values, block.numerator, &whole))
        slowest = exact_from_int(whole);
    else
        for (size_t i = 0; i < step->path_count; i++) {
            Exact time = path_exact(&paths[step->first_path + i], parameters->parameters, block);
            if (exact_compare(time, slowest) > 0)
                slowest = time;
        }
    Exact longest = exact_add(slowest, exact_times(compute, step->combined));
    Exact since = exact_from_int(0);
    for (const Overlap *other = step->earlier; other; other = other->before) {
        Exact end = port_step_cost_exact(&other->end, other->paths, parameters, block);
        since =
            exact_add(since, port_step_cost_exact(&other->begin, other->paths, parameters, block));
        end = exact_subtract(end, since);
        longest = exact_compare(end, longest) > 0 ? end : longest;
    }
    return longest;
}

/* All port steps in whole numbers; false where something is none, or too large. */
static bool total_whole(const Profile *profile, const ExactParameters *parameters, Exact block,
                        int64_t *total)
{
    int64_t values[PARAMETER_COUNT], compute, combined, time;
    *total = 0;
    if (!is_whole(&block) || !read_whole(parameters, values) ||
        __builtin_mul_overflow(block.numerator, values[PARAMETER_TC], &compute))
        return false;
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        if (step->earlier || !slowest_whole(step, profile->paths, values, block.numerator, &time) ||
            __builtin_mul_overflow(compute, step->combined, &combined) ||
            __builtin_add_overflow(time, combined, &time) ||
            __builtin_mul_overflow(time, step->repeat, &time) ||
            __builtin_add_overflow(*total, time, total))
            return false;
    }
    return *total != INT64_MIN;
}

Exact profile_time_exact(const Profile *profile, const ExactParameters *parameters, Exact bytes)
{
    ExactParameters settled = *parameters;
    double values[PARAMETER_COUNT], price[PARAMETER_COUNT] = {0};
    if (profile->rules && profile->rules->compute.count) {
        memcpy(values, profile_parameters(profile, price, bytes.real, price), sizeof values);
        settled.parameters[PARAMETER_TC] = exact_from_double(values[PARAMETER_TC]);
        parameters = &settled;
    }
    if (profile->timeline) {
        for (int i = 0; i < PARAMETER_COUNT; i++)
            values[i] = parameters->parameters[i].real;
        return exact_from_double(cost_total(profile_cost(profile, values, bytes.real)));
    }
    Exact block = exact_divide(bytes, exact_from_int(profile->chunks));
    if (profile->ceil_chunks)
        block = exact_from_double(profile_block(profile, bytes.real));
    int64_t whole;
    bool is_added = total_whole(profile, parameters, block, &whole);
    Exact total = exact_from_int(is_added ? whole : 0);
    for (size_t t = 0; t < profile->step_count && !is_added; t++) {
        const PortStepCost *step = &profile->steps[t];
        Exact time = port_step_cost_exact(step, profile->paths, parameters, block);
        total = exact_add(total, exact_times(time, step->repeat));
    }
    if (profile->averaged)
        total = exact_divide(total, exact_from_int(profile->averaged));
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        if (profile->local[i].all > 0)
            total =
                exact_add(total, exact_multiply(bytes, exact_from_double(local_price(
                                                           profile, (LocalWork)i, bytes.real))));
    return profile->work ? exact_add(total, exact_times(parameters->multiply, profile->work))
                         : total;
}

int64_t profile_message(const Profile *profile, int64_t j)
{
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        if (step->continues || step->local)
            continue;
        if (j <= step->repeat)
            return step->message;
        j -= step->repeat;
    }
    return 0;
}

/* A time as a line in m. */
typedef struct {
    double intercept, slope;
} Line;

static Line line_of(CostParts by_byte)
{
    return (Line){by_byte.startup + by_byte.hop, by_byte.transfer + by_byte.compute};
}

static double line_at(Line line, double bytes)
{
    return line.intercept + line.slope * bytes;
}

/* Walks along the upper hull of the paths of a port step: from the slowest one at `from` to the
   first that overtakes it, and so on. Between the two no protocol changes. */
static void port_step_bends(const Profile *profile, const PortStepCost *step,
                            const double *parameters, const BendList *list)
{
    double from = list->from;
    double to = list->to;
    size_t count = step->path_count;
    Line *lines = ARENA_ROOM(list->arena, Line, count), now = {0, 0};
    double chunk = 1 / (double)profile->chunks, inside = from + (to - from) / 2;
    for (size_t i = 0; i < count; i++) {
        lines[i] = line_of(
            path_parts(&profile->paths[step->first_path + i], parameters, chunk, inside * chunk));
        double gain = line_at(lines[i], from) - line_at(now, from);
        if (i == 0 || gain > 0 || (gain == 0 && lines[i].slope > now.slope))
            now = lines[i];
    }
    for (;;) {
        double nearest = to;
        Line next = now;
        for (size_t i = 0; i < count; i++) {
            double rise = lines[i].slope - now.slope;
            double at = rise > 0 ? (now.intercept - lines[i].intercept) / rise : to;
            if (at < nearest || (at == nearest && at < to && lines[i].slope > next.slope))
                nearest = at, next = lines[i];
        }
        if (!(nearest < to))
            return;
        if (nearest > from)
            *ARRAY_PUSH(list->arena, list->sizes) = nearest;
        now = next;
    }
}

typedef struct {
    const Profile *profile;
    const double *parameters;
    const BendList *list;
    int64_t runs;
    size_t followed; /* messages of all runs, where they share in time: more than those of two of
                        the largest timelines take too long */
} BendSearch;

void bend_add(const BendList *list, double at)
{
    if (at > list->from && at < list->to)
        *ARRAY_PUSH(list->arena, list->sizes) = at;
}

static Line line_at_size(BendSearch *search, double bytes)
{
    static const double least = 1e-9; /* where a byte takes what it takes of any more */
    bytes = fmax(bytes, least);
    search->runs++;
    CostParts parts = messages_cost(search->profile, search->parameters, bytes);
    parts.transfer /= bytes;
    parts.compute /= bytes;
    return line_of(parts);
}

/* A longest path is convex in m, and a line where it keeps to one path: where the lines of two
   sizes meet is a bend, or the time there lies above both. At a bend the line may be that of either
   side, so lines can also meet at an end. Where they meet outside, the intercept of a line is lost
   in the rounding of long times: then the middle is tried. False where there are too many. */
static bool convex_bends(BendSearch *search, double from, double to, Line left, Line right)
{
    double rise = right.slope - left.slope;
    double at = (left.intercept - right.intercept) / rise;
    if (!(rise > same_share * right.slope))
        return true;
    bool is_inside = at > from && at < to;
    double end = at > from ? to : from, there = line_at(right, end);
    double middle = from + (to - from) / 2;
    if (!is_inside && (fabs(line_at(left, end) - there) <= meeting_share * there ||
                       !(middle > from && middle < to))) {
        bend_add(search->list, end);
        return true;
    }
    if (search->runs > MOST_BENDS)
        return false;
    if (!is_inside)
        at = middle;
    Line here = line_at_size(search, at);
    if (is_inside && line_at(here, at) <= line_at(left, at) * (1 + same_share)) {
        bend_add(search->list, at);
        return true;
    }
    return convex_bends(search, from, at, left, here) && convex_bends(search, at, to, here, right);
}

/* Shared in time, the time is a line up to where two events change places, and may bend either way
   there: piece after piece, each from a run just inside of it, the first one at `least`. With
   `joined` the search ends, and that is false, where one does not begin where the one before ends.
   */
static bool shared_pieces(BendSearch *search, double from, double to, double least, bool *joined)
{
    static const double inside = 1e-9, apart = 1e-6;
    const Profile *profile = search->profile;
    const double chunks = (double)profile->chunks;
    double at = from;
    Line before = {0, 0};
    while (at < to) {
        double settled[PARAMETER_COUNT];
        const double bytes = fmin(at > least ? at * (1 + inside) : least, (at + to) / 2);
        const TimelineRun run = {
            .timeline = profile->timeline,
            .paths = profile->paths,
            .parameters = profile_parameters(profile, search->parameters, bytes, settled),
            .block = profile_block(profile, bytes)};
        const SharedTime time = shared_run(&run);
        const Line here = {time.intercept, time.slope / chunks};
        const double gap = at > from ? fabs(line_at(here, at) - line_at(before, at)) : 0;
        if (joined && gap > apart * line_at(here, at)) {
            *joined = false;
            return true;
        }
        if (at > from && fabs(here.slope - before.slope) > inside * fabs(before.slope))
            bend_add(search->list, at);
        search->followed += profile->timeline->messages.count;
        if (search->runs++ > MOST_BENDS || search->followed > 2 * MOST_TIMED_MESSAGES)
            return false;
        before = here;
        at = time.until * chunks;
    }
    return true;
}

/* So few bytes take less than what rounding leaves of startups: events that differ by these alone
   happen at once there. Where pieces show that, the first one is of more bytes, still of less than
   one. */
static bool shared_bends(BendSearch *search, double from, double to)
{
    const size_t before = search->list->sizes->count;
    bool joined = true;
    if (!shared_pieces(search, from, to, 1e-9, &joined))
        return false;
    if (joined)
        return true;
    search->list->sizes->count = before;
    search->runs = 0;
    return shared_pieces(search, from, to, 1e-3, NULL);
}

/* Between two jumps. */
static bool smooth_bends(const Profile *profile, const double *parameters, const BendList *list)
{
    const double from = list->from, to = list->to;
    SizeArray *sizes = list->sizes;
    BendSearch search = {profile, parameters, list, 0, 0};
    size_t before = sizes->count;
    bool is_path = profile->timeline != NULL; /* the longest one, not a sum of port steps */
    for (size_t t = 0; t < profile->step_count; t++)
        is_path |= profile->steps[t].earlier != NULL;
    for (size_t t = 0; t < profile->step_count && !is_path; t++)
        if (profile->steps[t].path_count > 1)
            port_step_bends(profile, &profile->steps[t], parameters, list);
    if (sizes->count > before)
        sort_doubles(sizes->items + before, sizes->count - before);
    double above = from * (1 + beside_jump), below = to * (1 - beside_jump);
    bool is_shared = profile->timeline && profile->timeline->sharing;
    if (is_shared && shared_bends(&search, from, to))
        return true;
    if (!is_path || (!is_shared && convex_bends(&search, from, to, line_at_size(&search, above),
                                                line_at_size(&search, below))))
        return true;
    if (search.followed > 2 * MOST_TIMED_MESSAGES)
        return diag_limit(
            list->diag, NOWHERE,
            "messages that share links in time change their order at too many sizes to find "
            "all switch points; fix the number of chunks with --set k=NUMBER, or ask cost "
            "about single sizes");
    return diag_limit(list->diag, NOWHERE,
                      "the slowest path changes at more than %d sizes, which are too many",
                      MOST_BENDS / 2);
}

IntArray profile_messages(const Profile *profile, Arena *arena)
{
    IntArray messages = {0};
    for (size_t i = 0; i < profile->path_count; i++) {
        int64_t message = profile->paths[i].choice.message;
        if (message > 0 && (i == 0 || message != profile->paths[i - 1].choice.message))
            *ARRAY_PUSH(arena, &messages) = message;
        for (const PortShare *share = profile->paths[i].shares; share; share = share->next)
            if (share->choice.message > 0)
                *ARRAY_PUSH(arena, &messages) = share->choice.message;
    }
    sort_whole(messages.items, messages.count);
    return messages;
}

static void add_choice(const ProtocolChoice *choice, Arena *arena, ChoiceArray *choices)
{
    bool is_known = !choice->rules || choice->message == 0;
    for (size_t other = choices->count; other > 0 && !is_known; other--)
        is_known = choices_compare(&choices->items[other - 1], choice) == 0;
    if (!is_known)
        *ARRAY_PUSH(arena, choices) = *choice;
}

/* Where ranks come to hold so much that combining, or local work, takes longer, or less long. */
static void list_working_jumps(const Profile *profile, const WorkingPrices *prices,
                               const BendList *jumps)
{
    for (int i = 0; profile->peak_blocks > 0 && i + 1 < prices->count; i++)
        bend_add(jumps,
                 prices->items[i].up_to * (double)profile->chunks / (double)profile->peak_blocks);
}

/* The sizes up to which some message has one protocol and beyond which another, rising. */
static void list_jumps(const Profile *profile, const double *parameters, const BendList *jumps)
{
    ChoiceArray choices = {0}; /* how messages get their protocols, each way once */
    SizeArray found = {0};
    for (size_t i = 0; i < profile->path_count; i++) {
        add_choice(&profile->paths[i].choice, jumps->arena, &choices);
        for (const PortShare *share = profile->paths[i].shares; share; share = share->next)
            add_choice(&share->choice, jumps->arena, &choices);
    }
    for (size_t i = 0; i < choices.count; i++) {
        found.count = 0;
        choice_jumps(&choices.items[i], parameters, jumps->arena, &found);
        for (size_t j = 0; j < found.count; j++)
            bend_add(jumps,
                     found.items[j] * (double)profile->chunks / (double)choices.items[i].message);
    }
    if (profile->rules)
        list_working_jumps(profile, &profile->rules->compute, jumps);
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        if (profile->rules && profile->local[i].all > 0)
            list_working_jumps(profile, &profile->rules->local[i], jumps);
    for (int i = 0; i < 2 && profile->rules && profile->rules->local[LOCAL_TOUCH].count; i++)
        bend_add(jumps, (i ? always_fresh : least_fresh) / profile->local[LOCAL_TOUCH].largest);
    sort_doubles(jumps->sizes->items, jumps->sizes->count);
}

bool profile_bends(const Profile *profile, const double *parameters, const BendList *list)
{
    SizeArray jumps = {0};
    BendList part = *list;
    part.sizes = &jumps;
    list_jumps(profile, parameters, &part);
    part.sizes = list->sizes;
    for (size_t i = 0; i < jumps.count; i++) {
        if (jumps.items[i] <= part.from)
            continue;
        part.to = jumps.items[i];
        if (!smooth_bends(profile, parameters, &part))
            return false;
        part.from = part.to;
        *ARRAY_PUSH(list->arena, list->sizes) = part.to;
    }
    part.to = list->to;
    return smooth_bends(profile, parameters, &part);
}
