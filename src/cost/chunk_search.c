#include "cost/chunk_search.h"

#include <float.h>
#include <math.h>

enum { FEW_CHUNKS = 8, MOST_STEPS = 8 };

/* Times that are closer, relatively, may differ by rounding alone. */
static const double clearly = 1e-12;

static bool total_at(ChunkSearch search, double k, double *total, Diag *diag)
{
    return search.total(search.context, k, search.bytes, total, diag);
}

/* Is one chunk more better, or two? A claimed time is taken to fall, then rise, as k grows:
   startups grow with k while what waits for the first chunk shrinks. Where chunks go two paths, it
   may be another one for odd k than for even k. */
static bool is_falling(ChunkSearch search, int64_t k, bool *falling, Diag *diag)
{
    double here, next, behind;
    if (!total_at(search, (double)k, &here, diag) || !total_at(search, (double)k + 1, &next, diag))
        return false;
    *falling = next < here;
    if (*falling && search.is_claimed) /* what is derived is derived up to k + 2 in any case */
        return true;
    if (!total_at(search, (double)k + 2, &behind, diag))
        return false;
    *falling |= behind < here;
    return true;
}

/* The best of first .. last, the least of equals; *best stays where none is better than *least. */
static bool best_between(ChunkSearch search, int64_t first, int64_t last, double *best,
                         double *least, Diag *diag)
{
    double total;
    for (int64_t tried = first > 1 ? first : 1; tried <= last; tried++) {
        if (!total_at(search, (double)tried, &total, diag))
            return false;
        if (total < *least)
            *least = total, *best = (double)tried;
    }
    return true;
}

static int64_t at_most(int64_t k, int64_t most)
{
    return k < most ? k : most;
}

/* Most claimed times are a + b k + c / k, or nearly: where that is least, by k = 2, 4 and 8. */
static bool guess(ChunkSearch search, double *k, Diag *diag)
{
    double at_2, at_4, at_8;
    if (!total_at(search, 2, &at_2, diag) || !total_at(search, 4, &at_4, diag) ||
        !total_at(search, 8, &at_8, diag))
        return false;
    double b = ((at_2 - at_8) - 3 * (at_4 - at_8)) / 6, c = 8 * (at_4 - at_8) + 32 * b;
    *k = b > 0 && c > 0 ? sqrt(c / b) : 1;
    return true;
}

/* The time falls at *low, unless that is `few`, and not at *high, unless that is the most. All that
   are tried are multiples of `few`: where odd numbers cost more, the time falls behind each of
   them. */
static bool find_bracket(ChunkSearch search, int64_t few, int64_t *low, int64_t *high, Diag *diag)
{
    double guessed = 1;
    bool falling = true;
    *low = *high = few;
    if (few == FEW_CHUNKS && few < search.most && !guess(search, &guessed, diag))
        return false;
    if (guessed > (double)few)
        *high = guessed < (double)search.most ? (int64_t)guessed / few * few : search.most;
    for (int64_t step = few; falling && *high < search.most; step *= 2) {
        if (!is_falling(search, *high, &falling, diag))
            return false;
        if (falling) {
            *low = *high;
            *high = *high > search.most - step ? search.most : *high + step;
        }
    }
    for (int64_t step = few; *low == few && *high - few > step; step *= 2) {
        if (!is_falling(search, *high - step, &falling, diag))
            return false;
        if (falling)
            *low = *high - step;
        else
            *high -= step;
    }
    return true;
}

/* Where the time of k chunks is clearly more than *least, or k is not allowed: 1, and where it is
   clearly less: -1, with *least replaced; else 0. */
static bool compare_with(ChunkSearch search, int64_t k, double *least, int *order, Diag *diag)
{
    double total;
    *order = 1;
    if (k < 1 || k > search.most)
        return true;
    if (!total_at(search, (double)k, &total, diag))
        return false;
    *order = total > *least * (1 + clearly) ? 1 : total < *least * (1 - clearly) ? -1 : 0;
    *least = *order < 0 ? total : *least;
    return true;
}

/* Of a convex time, from where its least is expected: *k, better than both of its neighbours, is
   the best. Not *found where that is not clear, or too far. */
static bool walk_to_best(ChunkSearch search, double expected, double *k, bool *found, Diag *diag)
{
    double rounded = fmax(floor(expected + 0.5), 1), least;
    int64_t at = rounded < (double)search.most ? (int64_t)rounded : search.most;
    int below = -1, above = -1;
    if (!total_at(search, (double)at, &least, diag))
        return false;
    for (int steps = 0; steps < MOST_STEPS && below && above; steps++) {
        if (below < 0 && !compare_with(search, at - 1, &least, &below, diag))
            return false;
        if (below > 0 && above < 0 && !compare_with(search, at + 1, &least, &above, diag))
            return false;
        *found = below > 0 && above > 0;
        *k = (double)at;
        if (*found)
            return true;
        if (below < 0) /* its neighbour above is the one that it comes from */
            at--, above = 1;
        else if (above < 0)
            at++;
    }
    return true;
}

/* Where the best number of chunks follows from that of another size, or else from a few times. */
static bool find_near(ChunkSearch search, double *k, bool *found, Diag *diag)
{
    double guessed;
    *found = false;
    if (!search.is_convex || search.most <= FEW_CHUNKS)
        return true;
    if (search.near > 0 && !walk_to_best(search, search.near, k, found, diag))
        return false;
    return *found ||
           (guess(search, &guessed, diag) && walk_to_best(search, guessed, k, found, diag));
}

/* The least k in 1 .. most after which the time falls no more: from a guess on in steps that
   double, then by halving. Of a claim the first few are all tried, since small numbers of chunks
   can be exceptions to how it falls. */
bool chunk_search_whole(ChunkSearch search, double *k, Diag *diag)
{
    const int64_t few = at_most(search.is_claimed ? FEW_CHUNKS : 1, search.most);
    int64_t low, high;
    bool falling;
    double least = INFINITY;
    bool found;
    if (!find_near(search, k, &found, diag))
        return false;
    if (found)
        return true;
    if (!best_between(search, 1, few, k, &least, diag) ||
        !find_bracket(search, few, &low, &high, diag))
        return false;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (!is_falling(search, middle, &falling, diag))
            return false;
        if (falling)
            low = middle;
        else
            high = middle;
    }
    return best_between(search, high - 2, at_most(high + 2, search.most), k, &least, diag);
}

typedef struct {
    ChunkSearch search;
    Diag *diag;
    bool failed;
} Minimisation;

static double total_of_k(double k, void *context)
{
    Minimisation *minimisation = context;
    double total = 0;
    if (k == floor(k))
        k = nextafter(k, INFINITY);
    if (!total_at(minimisation->search, k, &total, minimisation->diag))
        minimisation->failed = true;
    return isfinite(total) ? total : DBL_MAX;
}

/* At the ends of the range there may be no real number that is better. */
bool chunk_search_real(ChunkSearch search, Minimum *minimum, double *k, Diag *diag)
{
    if (!chunk_search_whole(search, k, diag))
        return false;
    if (search.most <= 1)
        return true;
    Minimisation minimisation = {search, diag, false};
    double low = fmax(1, *k - 1), high = fmin((double)search.most, *k + 1);
    minimum_between(minimum, total_of_k, &minimisation, low, high, k);
    return !minimisation.failed;
}
