#include "exchange/message_pieces.h"

#include <math.h>

enum { LINE_STEPS = 60 };

/* A fit is not taken to be nearer than this: what is printed has three or four digits, and what is
   measured is no more exact. */
static const double sure_error = 0.008;

typedef struct {
    double startup, per_byte;
    double squares; /* of the errors */
} FittedLine;

static double squares_of(const TimedSize *sizes, size_t count, double startup, double per_byte)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double error = log((startup + per_byte * sizes[i].bytes) / sizes[i].seconds);
        sum += error * error;
    }
    return sum;
}

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
        line.squares = squares_of(sizes, count, line.startup, line.per_byte);
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
    const TimedSizeArray *sizes;
    FittedLine *lines; /* lines[from * (n + 1) + to], of sizes from .. to - 1 */
    double *least;     /* least[pieces * (n + 1) + to]: squares of sizes 0 .. to - 1 */
    size_t *from;      /* where the last of these pieces begins */
} Search;

static bool may_break(const TimedSizeArray *sizes, size_t at)
{
    return at == 0 || at == sizes->count || sizes->items[at - 1].bytes < sizes->items[at].bytes;
}

/* Different sizes among from .. to - 1. */
static bool has_enough(const TimedSizeArray *sizes, size_t from, size_t to)
{
    int different = 1;
    for (size_t i = from + 1; i < to; i++)
        different += sizes->items[i].bytes > sizes->items[i - 1].bytes;
    return different >= FEWEST_POINTS;
}

static void fit_lines(Arena *arena, Search *search)
{
    size_t n = search->sizes->count;
    for (size_t from = 0; from < n; from++)
        for (size_t to = from + 1; to <= n; to++) {
            bool is_piece = may_break(search->sizes, from) && may_break(search->sizes, to) &&
                            has_enough(search->sizes, from, to);
            FittedLine *line = &search->lines[from * (n + 1) + to];
            line->squares = INFINITY;
            if (is_piece)
                *line = fit_line(arena, &search->sizes->items[from], to - from);
        }
}

static void search_breaks(Search *search, int most)
{
    size_t n = search->sizes->count;
    for (size_t to = 0; to <= n; to++)
        search->least[to] = to == 0 ? 0 : INFINITY;
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

static int choose_count(const Search *search, int most)
{
    size_t n = search->sizes->count;
    double least = INFINITY, points = (double)n;
    int best = 0;
    for (int pieces = 1; pieces <= most; pieces++) {
        double variance =
            search->least[(size_t)pieces * (n + 1) + n] / points + sure_error * sure_error;
        double criterion = points * log(variance) + 3 * pieces * log(points);
        if (criterion < least)
            least = criterion, best = pieces;
    }
    return best;
}

bool message_pieces_find(Arena *arena, const TimedSizeArray *sizes, int count, int most,
                         MessagePieces *pieces)
{
    size_t n = sizes->count, cells = (n + 1) * (n + 1);
    *pieces = (MessagePieces){0};
    most = count ? count : most;
    if (n < FEWEST_POINTS || most > MOST_PIECES)
        return false;
    Search search = {sizes, ARENA_ARRAY(arena, FittedLine, cells),
                     ARENA_ARRAY(arena, double, (size_t)(most + 1) * (n + 1)),
                     ARENA_ARRAY(arena, size_t, (size_t)(most + 1) * (n + 1))};
    fit_lines(arena, &search);
    search_breaks(&search, most);
    pieces->count = count ? count : choose_count(&search, most);
    double squares = search.least[(size_t)pieces->count * (n + 1) + n];
    if (pieces->count == 0 || isinf(squares))
        return false;
    size_t to = n;
    for (int i = pieces->count - 1; i >= 0; i--) {
        size_t from = search.from[(size_t)(i + 1) * (n + 1) + to];
        const FittedLine *line = &search.lines[from * (n + 1) + to];
        pieces->items[i] = (MessagePiece){sizes->items[from].bytes, sizes->items[to - 1].bytes,
                                          line->startup, line->per_byte};
        to = from;
    }
    pieces->rms = sqrt(squares / (double)n);
    return true;
}
