#include "bound/spread.h"

/* Times at which ranks have been informed, earliest first. */
typedef struct {
    double *times;
    int64_t count;
} Heap;

static void sink(Heap *heap, int64_t at)
{
    for (;;) {
        int64_t least = at, left = 2 * at + 1;
        for (int64_t child = left; child < left + 2 && child < heap->count; child++)
            if (heap->times[child] < heap->times[least])
                least = child;
        if (least == at)
            return;
        double time = heap->times[at];
        heap->times[at] = heap->times[least], heap->times[least] = time;
        at = least;
    }
}

double spread_seconds(Arena *arena, int64_t start, int64_t wanted, int64_t ports, double spacing,
                      double startup)
{
    Heap heap = {ARENA_ARRAY(arena, double, (size_t)wanted), start};
    double last = 0;
    for (int64_t reached = start; reached < wanted;) {
        double now = heap.times[0];
        last = now + startup;
        heap.times[0] = now + spacing;
        sink(&heap, 0);
        for (int64_t i = 0; i < ports && reached < wanted; i++, reached++) {
            int64_t at = heap.count++;
            for (; at > 0 && heap.times[(at - 1) / 2] > last; at = (at - 1) / 2)
                heap.times[at] = heap.times[(at - 1) / 2];
            heap.times[at] = last;
        }
    }
    return last;
}
