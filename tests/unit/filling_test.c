/* Shares of what flows have in common, by the definition of max-min fairness; what is due next, by
   looking at all. */
#include "cost/sharing.h"

#include "base/heap.h"
#include "base/random.h"
#include "unit.h"

#include <math.h>

enum { RESOURCES = 6, FLOWS = 24, MOST_USES = 3, CHANGES = 400 };

typedef struct {
    ResourceUse uses[MOST_USES];
    FlowDemand demand;
    int32_t number; /* negative: it is not under way */
    double left;
} DrawnFlow;

static int64_t draw(uint64_t *state, int64_t below)
{
    return (int64_t)(random_next(state) % (uint64_t)below);
}

static void draw_flow(uint64_t *state, DrawnFlow *flow)
{
    bool used[RESOURCES] = {false};
    flow->demand = (FlowDemand){.uses = flow->uses, .alone = (double)(1 + draw(state, 8)) / 4};
    for (int64_t wanted = 1 + draw(state, MOST_USES); wanted > 0; wanted--) {
        int32_t resource = (int32_t)draw(state, RESOURCES);
        if (used[resource])
            continue;
        used[resource] = true;
        flow->uses[flow->demand.count++] =
            (ResourceUse){resource, (double)(1 + draw(state, 4)) / 2};
    }
}

/* Nobody can get more without taking it from one who has no more: each flow is as fast as it is
   alone, or passes a full resource on which no other is faster. */
static void check_shares(const Filling *filling, const DrawnFlow *flows, const double *lanes)
{
    double load[RESOURCES] = {0}, fastest[RESOURCES] = {0};
    for (int f = 0; f < FLOWS; f++) {
        if (flows[f].number < 0)
            continue;
        double rate = filling->flows.items[flows[f].number].rate;
        for (size_t u = 0; u < flows[f].demand.count; u++) {
            load[flows[f].uses[u].resource] += rate * flows[f].uses[u].price;
            fastest[flows[f].uses[u].resource] = fmax(fastest[flows[f].uses[u].resource], rate);
        }
    }
    for (int r = 0; r < RESOURCES; r++)
        ck_assert(load[r] <= lanes[r] * (1 + 1e-9));
    for (int f = 0; f < FLOWS; f++) {
        if (flows[f].number < 0)
            continue;
        double rate = filling->flows.items[flows[f].number].rate;
        bool ends = rate >= flows[f].demand.alone * (1 - 1e-9);
        ck_assert(rate > 0 && rate <= flows[f].demand.alone * (1 + 1e-9));
        for (size_t u = 0; u < flows[f].demand.count; u++) {
            int32_t r = flows[f].uses[u].resource;
            ends |= load[r] >= lanes[r] * (1 - 1e-9) && rate >= fastest[r] * (1 - 1e-9);
        }
        ck_assert(ends);
    }
}

/* What is left of each follows from the rates that it had, and when it ends from the present one.
 */
static void check_progress(const Filling *filling, const DrawnFlow *flows, double now)
{
    for (int f = 0; f < FLOWS; f++) {
        if (flows[f].number < 0)
            continue;
        const SharedFlow *flow = &filling->flows.items[flows[f].number];
        assert_near(flow->finish.at, now + flows[f].left / flow->rate, 1e-9);
        assert_near(flow->left.at - flow->rate * (now - flow->since.at), flows[f].left, 1e-9);
    }
}

START_TEST(shares_are_fair_whatever_begins_and_ends)
{
    Fixture *fixture = fixture_open();
    uint64_t state = (uint64_t)_i;
    double lanes[RESOURCES], now = 0;
    for (int r = 0; r < RESOURCES; r++)
        lanes[r] = (double)(1 + draw(&state, 3));
    Filling filling = filling_create(fixture->arena, RESOURCES, lanes);
    DrawnFlow flows[FLOWS];
    for (int f = 0; f < FLOWS; f++)
        flows[f] = (DrawnFlow){.number = -1};
    for (int change = 0; change < CHANGES; change++) {
        double passed = (double)draw(&state, 3);
        for (int f = 0; f < FLOWS; f++)
            if (flows[f].number >= 0)
                flows[f].left -= passed * filling.flows.items[flows[f].number].rate;
        now += passed;
        for (int64_t several = 1 + draw(&state, 3); several > 0; several--) {
            DrawnFlow *flow = &flows[draw(&state, FLOWS)];
            if (flow->number >= 0) {
                filling_end(&filling, flow->number);
                flow->number = -1;
                continue;
            }
            draw_flow(&state, flow);
            flow->left = 1e6;
            flow->number = filling_start(&filling, &flow->demand, 0, (Instant){flow->left, 0},
                                         (Instant){now, 0});
        }
        filling_settle(&filling, (Instant){now, 0});
        check_shares(&filling, flows, lanes);
        check_progress(&filling, flows, now);
    }
    ck_assert_uint_le(filling.flows.count, FLOWS); /* numbers are used again */
    fixture_close(fixture);
}
END_TEST

/* Of two flows of m bytes on one link, one twice as dear: from 2 s on each has a third of the
   link; the first, which ran alone, has m - 2 left. The size at hand is 5: rises are by byte of it.
 */
START_TEST(lines_in_the_size)
{
    Fixture *fixture = fixture_open();
    const ResourceUse once = {0, 1}, twice = {0, 2};
    const FlowDemand plain = {&once, 1, 10}, dear = {&twice, 1, 10};
    Filling filling = filling_create(fixture->arena, 1, (double[]){1});
    int32_t first = filling_start(&filling, &plain, 0, (Instant){5, 1}, (Instant){0, 0});
    filling_settle(&filling, (Instant){0, 0});
    const SharedFlow *flows = filling.flows.items;
    assert_near(flows[first].finish.at, 5, 1e-12);
    assert_near(flows[first].finish.rise, 1, 1e-12);
    int32_t second = filling_start(&filling, &dear, 0, (Instant){5, 1}, (Instant){2, 0});
    filling_settle(&filling, (Instant){2, 0});
    flows = filling.flows.items;
    ck_assert_uint_eq(filling.changed.count, 2);
    assert_near(flows[first].rate, 1.0 / 3, 1e-12);
    assert_near(flows[first].finish.at, 2 + 3 * 3, 1e-12);
    assert_near(flows[first].finish.rise, 3, 1e-12);
    assert_near(flows[second].finish.at, 2 + 3 * 5, 1e-12);
    assert_near(flows[second].finish.rise, 3, 1e-12);
    filling_end(&filling, first);
    filling_settle(&filling, (Instant){11, 3});
    assert_near(flows[second].rate, 1.0 / 2, 1e-12);
    assert_near(flows[second].finish.at, 11 + 2 * (5 - 3), 1e-12);
    assert_near(flows[second].finish.rise, 3 + 2 * (1 - 1), 1e-12);
    fixture_close(fixture);
}
END_TEST

/* The first of those with the least time, which has none afterwards. */
static int32_t take_least(double *times, int32_t count)
{
    int32_t least = -1;
    for (int32_t i = 0; i < count; i++)
        if (!isnan(times[i]) && (least < 0 || times[i] < times[least]))
            least = i;
    if (least >= 0)
        times[least] = NAN;
    return least;
}

static bool is_less(void *context, int32_t a, int32_t b)
{
    const double *times = context;
    return times[a] != times[b] ? times[a] < times[b] : a < b;
}

START_TEST(the_first_of_a_heap_is_the_least_of_all)
{
    Fixture *fixture = fixture_open();
    uint64_t state = (uint64_t)_i;
    enum { MOST = 40 };
    const int32_t count = (int32_t)(1 + draw(&state, MOST));
    double times[MOST], left[MOST];
    Heap heap = {.is_before = is_less,
                 .context = times,
                 .places = heap_places(fixture->arena, (size_t)count)};
    for (int32_t i = 0; i < count; i++)
        left[i] = NAN;
    for (int step = 0; step < 2000; step++) {
        if (draw(&state, 3) == 0) {
            ck_assert_int_eq(heap_take(&heap), take_least(left, count));
        } else {
            int32_t which = (int32_t)draw(&state, count);
            left[which] = times[which] = (double)draw(&state, 20);
            heap_set(fixture->arena, &heap, which);
        }
    }
    for (int32_t i = 0; i <= count; i++)
        ck_assert_int_eq(heap_take(&heap), take_least(left, count));
    fixture_close(fixture);
}
END_TEST

/* One flow takes a tenth of the resource, at a price beside which those of the others are lost. Of
   these one is no faster alone, and takes another tenth; so the third one gets all the rest. */
START_TEST(small_prices_count_beside_large_ones)
{
    Fixture *fixture = fixture_open();
    static const double lanes[] = {1}, rates[] = {1e-17, 0.1, 0.8};
    static const ResourceUse uses[] = {{0, 1e16}, {0, 1}, {0, 1}};
    static const FlowDemand demands[] = {
        {&uses[0], 1, 1e-17}, {&uses[1], 1, 0.1}, {&uses[2], 1, 10}};
    Filling filling = filling_create(fixture->arena, 1, lanes);
    int32_t flows[3];
    for (int i = 0; i < 3; i++)
        flows[i] = filling_start(&filling, &demands[i], 0, (Instant){1, 0}, (Instant){0, 0});
    filling_settle(&filling, (Instant){0, 0});
    for (int i = 0; i < 3; i++)
        assert_near(filling.flows.items[flows[i]].rate, rates[i], 1e-12);
    fixture_close(fixture);
}
END_TEST

Suite *filling_suite(void)
{
    Suite *suite = suite_create("filling");
    TCase *shares = tcase_create("shares");
    tcase_add_loop_test(shares, shares_are_fair_whatever_begins_and_ends, 0, 20);
    tcase_add_test(shares, lines_in_the_size);
    tcase_add_test(shares, small_prices_count_beside_large_ones);
    suite_add_tcase(suite, shares);
    TCase *heap = tcase_create("heap");
    tcase_add_loop_test(heap, the_first_of_a_heap_is_the_least_of_all, 0, 20);
    suite_add_tcase(suite, heap);
    return suite;
}
