#include "cost/chunk_search.h"

#include <float.h>
#include <math.h>

enum { FEW_CHUNKS = 8 };

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

/* The least k in 1 .. most after which the time falls no more: doubling, then halving. Of a claim
   the first few are all tried, since small numbers of chunks can be exceptions to how it falls. */
bool chunk_search_whole(ChunkSearch search, double *k, Diag *diag)
{
    const int64_t most = search.most;
    int64_t few = at_most(search.is_claimed ? FEW_CHUNKS : 1, most);
    int64_t low = 0, high = few; /* falling at low; looking for a high where it is not */
    bool falling = true;
    double least = INFINITY;
    if (!best_between(search, 1, few, k, &least, diag))
        return false;
    while (falling && high < most) {
        if (!is_falling(search, high, &falling, diag))
            return false;
        if (falling) {
            low = high;
            high = high > most / 2 ? most : high * 2;
        }
    }
    while (high - low > 1 && high > few) {
        int64_t middle = low + (high - low) / 2;
        if (!is_falling(search, middle, &falling, diag))
            return false;
        if (falling)
            low = middle;
        else
            high = middle;
    }
    return best_between(search, high - 2, at_most(high + 2, most), k, &least, diag);
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
