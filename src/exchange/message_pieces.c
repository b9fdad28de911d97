#include "exchange/message_pieces.h"

#include <math.h>

enum { LINE_STEPS = 60, MOST_POINTS = 1024, MOST_PLACES = 128 };

/* A fit is not taken to be nearer than this: what is printed has three or four digits, and what is
   measured is no more exact. */
static const double sure_error = 0.008;

typedef struct {
    double startup, per_byte;
    double squares; /* of the errors */
} FittedLine;

/* The best line with weights 1 / w^2 that is nowhere negative. */
static FittedLine weighted_line(const TimedSize *sizes, size_t count, const double *w)
{
    double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (w[i] * w[i]), x = sizes[i].bytes, y = sizes[i].seconds;
        s += weight, sx += weight * x, sxx += weight * x * x;
        sy += weight * y, sxy += weight * x * y;
    }
    double determinant = s * sxx - sx * sx;
    FittedLine line = {sy / s, 0, 0};
    if (determinant > 1e-12 * s * sxx) {
        line.startup = (sxx * sy - sx * sxy) / determinant;
        line.per_byte = (s * sxy - sx * sy) / determinant;
    }
    if (line.per_byte < 0)
        line = (FittedLine){sy / s, 0, 0};
    if (line.startup <= 0 && sxx > 0)
        line = (FittedLine){0, sxy / sxx, 0};
    return line;
}

/* Relative errors are those of logarithms where they are small: weights by what was measured, then
   by the geometric mean with what is fitted, come near to the least squares of logarithms. */
static FittedLine fit_line(Arena *arena, const TimedSize *sizes, size_t count)
{
    ArenaMark mark = arena_mark(arena);
    double *w = ARENA_ROOM(arena, double, count);
    for (size_t i = 0; i < count; i++)
        w[i] = sizes[i].seconds;
    FittedLine best = {.squares = INFINITY};
    for (int step = 0; step < LINE_STEPS; step++) {
        FittedLine line = weighted_line(sizes, count, w);
        double sum = 0;
        for (size_t j = 0; j < count; j++) {
            double error = log((line.startup + line.per_byte * sizes[j].bytes) / sizes[j].seconds);
            sum += error * error;
        }
        line.squares = sum;
        if (!(line.squares < best.squares * (1 - 1e-12)))
            break;
        best = line;
        for (size_t i = 0; i < count; i++)
            w[i] = sqrt(sizes[i].seconds * (line.startup + line.per_byte * sizes[i].bytes));
    }
    arena_release(arena, mark);
    return best;
}

typedef struct {
    TimedSizeArray sizes;
    size_t *places; /* where a piece may begin or end: places[0] = 0 .. places[n] = sizes.count */
    size_t n;
    FittedLine *lines; /* lines[from * (n + 1) + to], of the sizes between two places */
    double *least;     /* least[pieces * (n + 1) + to]: squares of all sizes before a place */
    size_t *from;      /* where the last of these pieces begins */
} Search;

static void search_pieces(Arena *arena, Search *search, int most)
{
    size_t n = search->n;
    search->lines = ARENA_ARRAY(arena, FittedLine, (n + 1) * (n + 1));
    search->least = ARENA_ARRAY(arena, double, (size_t)(most + 1) * (n + 1));
    search->from = ARENA_ARRAY(arena, size_t, (size_t)(most + 1) * (n + 1));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j <= n; j++) {
            size_t from = search->places[i], to = search->places[j];
            FittedLine *line = &search->lines[i * (n + 1) + j];
            line->squares = INFINITY;
            /* Different sizes among from .. to - 1. */
            int different = 1;
            for (size_t k = from + 1; k < to; k++)
                different += search->sizes.items[k].bytes > search->sizes.items[k - 1].bytes;
            if (different >= FEWEST_POINTS)
                *line = fit_line(arena, &search->sizes.items[from], to - from);
        }
    for (size_t to = 1; to <= n; to++)
        search->least[to] = INFINITY;
    for (int pieces = 1; pieces <= most; pieces++)
        for (size_t to = 0; to <= n; to++) {
            double *least = &search->least[(size_t)pieces * (n + 1) + to];
            *least = INFINITY;
            for (size_t from = 0; from < to; from++) {
                double squares = search->least[(size_t)(pieces - 1) * (n + 1) + from] +
                                 search->lines[from * (n + 1) + to].squares;
                if (squares < *least) {
                    *least = squares;
                    search->from[(size_t)pieces * (n + 1) + to] = from;
                }
            }
        }
}

typedef struct {
    Search search;
    int count;
    size_t ends[MOST_PIECES]; /* the places where pieces end */
    double squares;
} Division;

static void list_ends(Division *division)
{
    const Search *search = &division->search;
    size_t to = search->n;
    for (int i = division->count - 1; i >= 0; i--) {
        division->ends[i] = to;
        to = search->from[(size_t)(i + 1) * (search->n + 1) + to];
    }
    division->squares = search->least[(size_t)division->count * (search->n + 1) + search->n];
}

/* Where places are few of many, all up to the neighbours of those where pieces end are looked at,
   too. */
static Division divide(Arena *arena, const Search *rough, int count)
{
    Division division = {.search = *rough, .count = count};
    const TimedSizeArray *sizes = &rough->sizes;
    list_ends(&division);
    if (rough->n < MOST_PLACES || isinf(division.squares))
        return division;
    size_t *places = ARENA_ROOM(arena, size_t, sizes->count + 1), found = 1;
    places[0] = 0;
    for (int i = 0; i + 1 < count; i++) {
        size_t first = rough->places[division.ends[i] - 1],
               last = rough->places[division.ends[i] + 1];
        for (size_t at = first > places[found - 1] ? first : places[found - 1] + 1;
             at <= last && at < sizes->count; at++)
            if (sizes->items[at - 1].bytes < sizes->items[at].bytes)
                places[found++] = at;
    }
    places[found] = sizes->count;
    division.search.places = places;
    division.search.n = found;
    search_pieces(arena, &division.search, count);
    list_ends(&division);
    return division;
}

static double criterion_of(const Division *division)
{
    double points = (double)division->search.sizes.count;
    double variance = division->squares / points + sure_error * sure_error;
    return points * log(variance) + 3 * division->count * log(points);
}

bool message_pieces_find(Arena *arena, const TimedSizeArray *sizes, int count, int most,
                         MessagePieces *pieces)
{
    *pieces = (MessagePieces){0};
    most = count ? count : most;
    if (sizes->count < FEWEST_POINTS || most > MOST_PIECES)
        return false;
    Search search = {.sizes = sizes->count > MOST_POINTS ? (TimedSizeArray){0} : *sizes};
    /* Of a great many points as many as are worth the time, evenly spread. */
    for (size_t i = 0; i < MOST_POINTS && sizes->count > MOST_POINTS; i++)
        *ARRAY_PUSH(arena, &search.sizes) =
            sizes->items[i * (sizes->count - 1) / (MOST_POINTS - 1)];
    /* Between different sizes; of a great many such places some, evenly spread. */
    size_t *places = ARENA_ROOM(arena, size_t, search.sizes.count + 1), found = 1;
    places[0] = 0;
    for (size_t i = 1; i < search.sizes.count; i++)
        if (search.sizes.items[i - 1].bytes < search.sizes.items[i].bytes)
            places[found++] = i;
    places[found] = search.sizes.count;
    search.places = places;
    search.n = found < MOST_PLACES ? found : MOST_PLACES;
    for (size_t i = 0; i <= search.n; i++)
        places[i] = places[i * found / search.n];
    search_pieces(arena, &search, most);
    Division best = divide(arena, &search, count ? count : 1);
    for (int i = best.count + 1; i <= most; i++) {
        Division division = divide(arena, &search, i);
        if (criterion_of(&division) < criterion_of(&best))
            best = division;
    }
    if (isinf(best.squares))
        return false;
    pieces->count = best.count;
    size_t from = 0;
    for (int i = 0; i < best.count; from = best.ends[i++]) {
        const FittedLine *line = &best.search.lines[from * (best.search.n + 1) + best.ends[i]];
        pieces->items[i] =
            (MessagePiece){search.sizes.items[best.search.places[from]].bytes,
                           search.sizes.items[best.search.places[best.ends[i]] - 1].bytes,
                           line->startup, line->per_byte};
    }
    pieces->rms = sqrt(best.squares / (double)search.sizes.count);
    return true;
}
