/* Switch points of random algorithms on random machines: on a dense grid, denser around each of
   them, the algorithm of a piece is nowhere slower than any other with any numbers of chunks and of
   branches that are tried, so that no crossing was missed; and what is said of pieces and of their
   merging holds there too. The times of the grid are those of derived profiles alone.

   switches [CASES [FIRST]] */
#include "world.h"

#include "choose/margin.h"
#include "choose/winner.h"
#include "sched/branching.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_CASES = 160,
    MOST_CURVES = 5,
    MOST_RANKS = 12,
    MOST_CHUNKS = 24,
    PER_OCTAVE = 8,
    MOST_SIZES = 4096
};

static const double first_size = 1, last_size = 0x1p30, close = 1e-9;

/* Some algorithms for one collective on one network. */
typedef struct {
    World *world;
    Case drawn; /* its algorithm is the first */
    const Algorithm *algorithms[MOST_CURVES];
    Curve *curves[MOST_CURVES];
    size_t count;
    int64_t k; /* 0: free */
    PieceArray pieces;
    double sizes[MOST_SIZES]; /* the grid, rising within a piece */
    size_t size_count;
    const Profile *profiles[MOST_CURVES][MOST_RANKS + 1][MOST_CHUNKS + 1]; /* by branches, k */
} Trial;

typedef struct {
    int64_t least, most;
} Range;

/* Of the numbers of branches of one algorithm: just 0 where it has none. */
static Range range_of_branches(const Trial *trial, size_t i)
{
    Instance instance = trial->drawn.instance;
    Range range;
    instance.algorithm = trial->algorithms[i];
    if (!branches_range(&instance, &range.least, &range.most))
        return (Range){0, 0};
    return (Range){range.least, range.most > range.least ? range.most : range.least};
}

static int64_t first_chunks(const Trial *trial, size_t i)
{
    return trial->algorithms[i]->free_chunks && trial->k ? trial->k : 1;
}

static int64_t last_chunks(const Trial *trial, size_t i)
{
    bool is_free = trial->algorithms[i]->free_chunks && !trial->k;
    return is_free ? trial->drawn.rules.asynchronous ? 4 : MOST_CHUNKS : first_chunks(trial, i);
}

/* Rounds of one chunk, as many as there are or more; rounds of all; to neighbours or far away. */
static bool invent(World *world, int number, const char *name)
{
    Text text =
        text_of(world, arena_printf(world->arena,
                                    "algorithm: %s\n"
                                    "collective: broadcast\n"
                                    "summary: Invented, number %d.\n"
                                    "chunks: k\n"
                                    "schedule:\n"
                                    "  - repeat: i in 1 .. %d + %d * (k - 1)\n"
                                    "    steps:\n"
                                    "      - round:\n"
                                    "          - send: 0\n"
                                    "            if: r == root\n"
                                    "            to: (root + %d) mod p\n"
                                    "          - send: 0 .. min(k - 1, %d)\n"
                                    "            if: r == (root + 1) mod p and p > 1\n"
                                    "            to: (root + 2) mod p\n"
                                    "  - repeat: i in 1 .. %d\n"
                                    "    steps:\n"
                                    "      - send: 0 .. k - 1\n"
                                    "        if: r == root\n"
                                    "        to: (root + %d) mod p\n",
                                    name, number, (int)below(world, 6) + 1, (int)below(world, 3),
                                    (int)below(world, 4) + 1, (int)below(world, 3),
                                    (int)below(world, 4), (int)below(world, 4) + 1));
    return library_add_source(world->library, text.span.source, &world->diag);
}

static bool invent_all(Trial *trial)
{
    for (int i = 0; i < MOST_CURVES - 1; i++) {
        World *world = trial->world;
        const char *name = arena_printf(world->arena, "invented-%d", i);
        Text full = text_of(world, arena_printf(world->arena, "broadcast/%s", name));
        const Algorithm *algorithm =
            invent(world, i, name) ? library_algorithm(world->library, full, &world->diag) : NULL;
        if (!algorithm)
            return false;
        trial->algorithms[trial->count++] = algorithm;
    }
    return true;
}

/* Others for the same collective, where they run. */
static bool add_others(Trial *trial)
{
    AlgorithmArray all = {0};
    const Case *drawn = &trial->drawn;
    World *world = trial->world;
    trial->algorithms[trial->count++] = drawn->algorithm;
    if (!library_algorithms(world->library, drawn->algorithm->collective, &all, &world->diag))
        return false;
    uint64_t skip = below(world, all.count);
    for (size_t i = 0; i < all.count && trial->count < MOST_CURVES; i++) {
        const Algorithm *algorithm = all.items[(i + skip) % all.count];
        if (algorithm != drawn->algorithm && !algorithm->expect_wrong &&
            schedule_allows(algorithm, &drawn->network.shape, drawn->instance.ports, NULL,
                            &world->diag))
            trial->algorithms[trial->count++] = algorithm;
    }
    return true;
}

static bool draw(Trial *trial, bool invented)
{
    World *world = trial->world;
    Case *drawn = &trial->drawn;
    if (invented && !invent_all(trial))
        return false;
    do {
        drawn->algorithm = invented ? trial->algorithms[0] : random_algorithm(world);
        if (!drawn->algorithm)
            return false;
    } while (drawn->algorithm->expect_wrong);
    do {
        if (!draw_instance(world, true, drawn))
            return false;
    } while (drawn->instance.p > MOST_RANKS);
    if (below(world, 2))
        random_rules(world, drawn);
    drawn->rules.ties = drawn->network.ties;
    drawn->rules.ceil_chunks = false;
    drawn->rules.asynchronous &= drawn->instance.p <= 6 && !invented;
    if (!drawn->rules.asynchronous && drawn->rules.combining == COMBINING_OVERLAP)
        drawn->rules.combining = COMBINING_AFTER;
    trial->k = below(world, 3) ? 0 : 1 + (int64_t)below(world, 6);
    if (!invented && !add_others(trial))
        return false;
    if (!invented && !rules_have_local(&drawn->rules))
        random_sizes(world, drawn);
    return true;
}

static bool open_curves(Trial *trial)
{
    const Case *drawn = &trial->drawn;
    for (size_t i = 0; i < trial->count; i++) {
        trial->curves[i] = curve_create(
            trial->world->arena,
            &(CurveSubject){trial->algorithms[i],
                            &drawn->network,
                            &drawn->rules,
                            {.root = drawn->instance.root, .target = drawn->instance.target}},
            &(FreeChoice){.k = trial->k}, &trial->world->diag);
        if (!trial->curves[i])
            return false;
    }
    return true;
}

static bool derive_all(Trial *trial)
{
    World *world = trial->world;
    for (size_t i = 0; i < trial->count; i++) {
        Range range = range_of_branches(trial, i);
        for (int64_t b = range.least; b <= range.most; b++)
            for (int64_t k = first_chunks(trial, i); k <= last_chunks(trial, i); k++) {
                Instance instance = trial->drawn.instance;
                Profile *profile = ARENA_NEW(world->arena, Profile);
                instance.algorithm = trial->algorithms[i];
                instance.k = k;
                instance.branches = b;
                if (!profile_derive(world->arena, &instance, &trial->drawn.network,
                                    &trial->drawn.rules, profile, &world->diag))
                    return false;
                trial->profiles[i][b][k] = profile;
            }
    }
    return true;
}

static double profile_time(const Trial *trial, size_t i, int64_t b, int64_t k, double bytes)
{
    return cost_total(profile_cost(trial->profiles[i][b][k], trial->drawn.rules.parameters, bytes));
}

/* The least of all numbers of chunks and of branches that are tried. */
static double tried_time(const Trial *trial, size_t i, double bytes)
{
    double least = INFINITY;
    Range range = range_of_branches(trial, i);
    for (int64_t b = range.least; b <= range.most; b++)
        for (int64_t k = first_chunks(trial, i); k <= last_chunks(trial, i); k++)
            if (k == first_chunks(trial, i) || (double)k <= bytes)
                least = fmin(least, profile_time(trial, i, b, k, bytes));
    return least;
}

static double curve_time(const Trial *trial, size_t i, double bytes)
{
    CurvePoint point = {0};
    if (!curve_at(trial->curves[i], bytes, curve_most_chunks(bytes), &point, &trial->world->diag))
        return NAN;
    return point.total;
}

/* Not at a switch point, where rounding decides on which side of a jump a size is. */
static void add_size(Trial *trial, double size)
{
    for (size_t i = 0; i < trial->pieces.count; i++)
        if (fabs(size / trial->pieces.items[i].from - 1) < close)
            return;
    if (size > first_size && size < last_size && trial->size_count < MOST_SIZES)
        trial->sizes[trial->size_count++] = size;
}

static void lay_grid(Trial *trial)
{
    int steps = trial->drawn.rules.asynchronous ? 2 : PER_OCTAVE;
    for (double size = first_size; size < last_size; size *= exp2(1.0 / steps))
        add_size(trial, size);
    for (size_t i = 1; i < trial->pieces.count; i++)
        for (double beside = 1e-7; beside < 0.05; beside *= 4) {
            add_size(trial, trial->pieces.items[i].from * (1 - beside));
            add_size(trial, trial->pieces.items[i].from * (1 + beside));
        }
}

static const Piece *piece_at(const PieceArray *pieces, double bytes)
{
    size_t i = 0;
    while (i + 1 < pieces->count && pieces->items[i].to < bytes)
        i++;
    return &pieces->items[i];
}

static bool complain(const Trial *trial, const char *what, double bytes, double a, double b)
{
    describe(&trial->drawn);
    printf("# k %lld, %s at %.17g: %.17g, %.17g\n", (long long)trial->k, what, bytes, a, b);
    for (size_t i = 0; i < trial->count; i++)
        printf("# curve %zu: %s\n", i, trial->algorithms[i]->head.name);
    for (size_t i = 0; i < trial->pieces.count; i++)
        printf("# from %.17g curve %zu\n", trial->pieces.items[i].from,
               trial->pieces.items[i].curve);
    return false;
}

/* Is the algorithm of each piece nowhere slower than another, and its time that of its schedule? */
static bool check_winners(const Trial *trial)
{
    for (size_t n = 0; n < trial->size_count; n++) {
        double bytes = trial->sizes[n];
        size_t winner = piece_at(&trial->pieces, bytes)->curve;
        double time = curve_time(trial, winner, bytes), own = tried_time(trial, winner, bytes);
        CurvePoint point;
        for (size_t i = 0; i < trial->count; i++) {
            double other = tried_time(trial, i, bytes);
            if (!(time <= other * (1 + close)))
                return complain(trial, "a faster algorithm", bytes, time, other);
        }
        if (!curve_at(trial->curves[winner], bytes, curve_most_chunks(bytes), &point,
                      &trial->world->diag))
            return false;
        if (point.k <= (double)last_chunks(trial, winner) && fabs(time - own) > close * own)
            return complain(trial, "another time", bytes, time, own);
    }
    return true;
}

/* Does a piece before or after the one of a size have this curve? */
static bool is_next_to(const PieceArray *pieces, double bytes, size_t curve)
{
    const Piece *piece = piece_at(pieces, bytes);
    bool is_first = piece == pieces->items, is_last = piece == &pieces->items[pieces->count - 1];
    return (!is_first && piece[-1].curve == curve) || (!is_last && piece[1].curve == curve);
}

/* Is the algorithm of each piece that which the rule of winner.h names at the size? Where two lines
   are nearly parallel they are equal to 12 digits even some way beside their switch point. */
static bool check_rule(const Trial *trial)
{
    for (size_t n = 0; n < trial->size_count; n++) {
        double bytes = trial->sizes[n], seconds[MOST_CURVES];
        for (size_t i = 0; i < trial->count; i++)
            seconds[i] = curve_time(trial, i, bytes);
        size_t winner = winner_find(seconds, trial->count);
        size_t named = piece_at(&trial->pieces, bytes)->curve;
        if (winner != named && !(time_is_equal(seconds[winner], seconds[named]) &&
                                 is_next_to(&trial->pieces, bytes, winner)))
            return complain(trial, "another winner by the rule", bytes, seconds[winner],
                            seconds[named]);
    }
    return true;
}

/* Beside each switch point, is each of the two the faster one on its side? */
static bool check_changes(const Trial *trial)
{
    for (size_t i = 1; i < trial->pieces.count; i++) {
        const Piece *before = &trial->pieces.items[i - 1], *after = &trial->pieces.items[i];
        double low = after->from * (1 - 1e-6), high = after->from * (1 + 1e-6);
        if (before->to != after->from || before->curve == after->curve)
            return complain(trial, "pieces that do not meet", low, before->to, after->from);
        if (low > before->from && !(curve_time(trial, before->curve, low) <=
                                    curve_time(trial, after->curve, low) * (1 + close)))
            return complain(trial, "no change below", low, 0, 0);
        if (high < after->to && !(curve_time(trial, after->curve, high) <=
                                  curve_time(trial, before->curve, high) * (1 + close)))
            return complain(trial, "no change above", high, 0, 0);
    }
    return true;
}

/* The share by which the best of the others takes longer on a piece: nowhere more than is said, and
   that much where it is said. */
static double loss_at(const Trial *trial, const Piece *piece, double bytes)
{
    double least = INFINITY;
    for (size_t i = 0; i < trial->count; i++)
        if (i != piece->curve && !piece->tied[i])
            least = fmin(least, curve_time(trial, i, bytes));
    double own = curve_time(trial, piece->curve, bytes);
    return least == own ? 0 : least / own - 1;
}

static ChoiceAxis axis_of(const Trial *trial, Diag *diag)
{
    return (ChoiceAxis){trial->world->arena, trial->count, first_size,
                        last_size,           diag,         .curves = trial->curves};
}

static bool check_margins(const Trial *trial)
{
    const ChoiceAxis axis = axis_of(trial, &trial->world->diag);
    for (size_t p = 0; p < trial->pieces.count; p++) {
        const Piece *piece = &trial->pieces.items[p];
        Margin margin;
        if (!margin_of_second(&axis, piece, &margin))
            return false;
        if (!isfinite(margin.loss))
            continue;
        for (size_t n = 0; n < trial->size_count; n++) {
            double bytes = trial->sizes[n], loss = loss_at(trial, piece, bytes);
            bool is_in = bytes > piece->from && bytes < piece->to;
            if (is_in && 1 + loss > (1 + margin.loss) * (1 + 1e-8))
                return complain(trial, "a larger loss", bytes, loss, margin.loss);
        }
        double here = loss_at(trial, piece, margin.at);
        double behind = loss_at(trial, piece, margin.at * (1 + 1e-9));
        double before = loss_at(trial, piece, margin.at * (1 - 1e-9));
        if (1 + fmax(fmax(here, behind), before) < (1 + margin.loss) * (1 - 1e-6))
            return complain(trial, "a smaller loss", margin.at, here, margin.loss);
    }
    return true;
}

static bool check_merged(const Trial *trial)
{
    static const double tolerances[] = {0, 0.01, 0.05, 0.3};
    double tolerance = tolerances[below(trial->world, 4)];
    PieceArray merged = {0};
    const ChoiceAxis axis = axis_of(trial, &trial->world->diag);
    if (!margin_merge(&axis, &trial->pieces, tolerance, &merged))
        return false;
    if (merged.count > trial->pieces.count)
        return complain(trial, "more pieces when merged", tolerance, 0, 0);
    for (size_t n = 0; n < trial->size_count; n++) {
        double bytes = trial->sizes[n];
        double chosen = curve_time(trial, piece_at(&merged, bytes)->curve, bytes);
        double best = curve_time(trial, piece_at(&trial->pieces, bytes)->curve, bytes);
        if (!(chosen <= best * (1 + tolerance) * (1 + close)))
            return complain(trial, "more than the tolerance", bytes, chosen, best);
    }
    return true;
}

typedef struct {
    int64_t cases, wrong, without, switches;
} Tally;

static bool check(Trial *trial, Tally *tally)
{
    Diag silent = diag_silent();
    if (!open_curves(trial))
        return false;
    const ChoiceAxis axis = axis_of(trial, &silent);
    if (!envelope_find(&axis, &trial->pieces)) {
        tally->without++; /* more chunks than can be followed */
        return true;
    }
    tally->switches += (int64_t)trial->pieces.count - 1;
    lay_grid(trial);
    return derive_all(trial) && check_winners(trial) && check_rule(trial) && check_changes(trial) &&
           check_margins(trial) && check_merged(trial);
}

static void run_case(uint64_t n, Tally *tally)
{
    World world = world_open(3000000 + n);
    Trial *trial = ARENA_NEW(world.arena, Trial);
    trial->world = &world;
    bool good = draw(trial, n % 2) && check(trial, tally);
    if (!good)
        printf("# case %llu\n", (unsigned long long)n);
    tally->wrong += !good;
    tally->cases++;
    world_close(&world);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t n = range.first; n < range.first + range.cases && tally.wrong < 5; n++)
        run_case(n, &tally);
    printf("# %lld cases, %lld switch points, %lld cases with too many chunks\n",
           (long long)tally.cases, (long long)tally.switches, (long long)tally.without);
    result(&results, tally.wrong == 0, "no crossing is missed, and what is said of pieces holds");
    result(&results, tally.without * 3 <= tally.cases, "most cases have switch points");
    return results_end(&results);
}
