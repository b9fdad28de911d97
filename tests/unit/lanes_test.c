#include "lang/kernels.h"
#include "lang/lanes.h"

#include "unit.h"

#include <string.h>

enum { P_SLOT, R_SLOT };

/* The items of a set as text: "0:3 1:4" is block 3 of lane 0 and block 4 of lane 1; tuples
   "0:(1,2)". NULL after a report. */
static const char *expanded(Fixture *fixture, const char *text, int64_t p)
{
    BlockSet syntax;
    CompiledSet set;
    SetItems items;
    Frame frame = {{NULL}};
    int64_t *ranks = ARENA_ARRAY(fixture->arena, int64_t, (size_t)p);
    for (int64_t r = 0; r < p; r++)
        ranks[r] = r;
    fixture->scope.count = 0;
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    frame.slots[P_SLOT] = &p;
    frame.slots[R_SLOT] = ranks;
    if (!parse_block_set(fixture->arena, text_of(fixture, text), &syntax, &fixture->diag) ||
        !set_compile(fixture->arena, &syntax, &fixture->scope, &set, &fixture->diag) ||
        !set_expand(&set, fixture->arena, &frame, (size_t)p, &items, &fixture->diag))
        return NULL;
    ck_assert_uint_eq(fixture->scope.count, 2);
    const char *list = "";
    for (size_t i = 0; i < items.count; i++) {
        list = arena_printf(fixture->arena, "%s%s%lld:", list, *list ? " " : "",
                            (long long)items.lanes[i]);
        for (int n = 0; n < set.index_count; n++)
            list = arena_printf(fixture->arena, "%s%s%lld", list, n ? "," : "",
                                (long long)items.indices[n][i]);
    }
    return list;
}

static const struct {
    const char *text, *items;
} sets[] = {
    {"r", "0:0 1:1 2:2 3:3"},
    {"7", "0:7 1:7 2:7 3:7"},
    {"(r + 1) mod p", "0:1 1:2 2:3 3:0"},
    {"0 .. r", "0:0 1:0 1:1 2:0 2:1 2:2 3:0 3:1 3:2 3:3"},
    {"r .. 1", "0:0 0:1 1:1"},
    {"1 .. 0", ""},
    {"r if r > 1", "2:2 3:3"},
    {"r if r > 9", ""},
    {"r if p > 9", ""},
    {"r if p > 1", "0:0 1:1 2:2 3:3"},
    {"(r, 9)", "0:0,9 1:1,9 2:2,9 3:3,9"},
    {"(r, p, r + p) if r == 2", "2:2,4,6"},
    {"j for j in 0 .. r if r < 2", "0:0 1:0 1:1"},
    {"j for j in r down to 0 if r < 2", "0:0 1:1 1:0"},
    {"j for j in 0 down to r if r < 2", "0:0"},
    {"10 * i + j for i in 0 .. 1 for j in 0 .. 1 if r == 0", "0:0 0:1 0:10 0:11"},
    {"10 * i + j for i in 0 .. r for j in i .. r if r == 1", "1:0 1:1 1:11"},
    {"(i, j) for i in 1 down to 0 for j in 0 .. i if r == 0", "0:1,0 0:1,1 0:0,0"},
    {"j for j in 0 .. 7 if bit(j, r) and r == 2", "2:4 2:5 2:6 2:7"},
    {"j .. j + 1 for j in 0 .. r if r == 1 and j == r", "1:1 1:2"},
    {"10 * j .. 10 * j + 1 for j in 0 .. 1 if r == 3", "3:0 3:1 3:10 3:11"},
    {"j for j in 1 .. 0", ""},
    {"j .. j - 1 for j in 0 .. 3", ""},
};

START_TEST(items_come_lane_by_lane)
{
    Fixture *fixture = fixture_open();
    const char *items = expanded(fixture, sets[_i].text, 4);
    assert_no_error(fixture);
    ck_assert_str_eq(items, sets[_i].items);
    fixture_close(fixture);
}
END_TEST

/* The same sets counted, their indices below 100. */
static const char *counted(Fixture *fixture, const char *text, int64_t p)
{
    BlockSet syntax;
    CompiledSet set;
    const int64_t extents[MOST_INDICES] = {100, 100, 100, 100};
    int64_t *ranks = (int64_t *)(uintptr_t)lanes_identity(fixture->arena, (size_t)p);
    int64_t *counts = ARENA_ROOM(fixture->arena, int64_t, (size_t)p);
    Frame frame = {{&p, ranks}};
    fixture->scope.count = 0;
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    ck_assert(parse_block_set(fixture->arena, text_of(fixture, text), &syntax, &fixture->diag));
    ck_assert(set_compile(fixture->arena, &syntax, &fixture->scope, &set, &fixture->diag));
    if (!set_count(&set, fixture->arena, &frame, (uint64_t)1 << R_SLOT, (size_t)p, extents, counts))
        return "unknown";
    const char *list = "";
    for (int64_t r = 0; r < p; r++)
        list = arena_printf(fixture->arena, "%s%s%lld", list, r ? " " : "", (long long)counts[r]);
    return list;
}

START_TEST(items_are_counted_without_a_list)
{
    Fixture *fixture = fixture_open();
    int lanes[4] = {0};
    for (const char *at = sets[_i].items; (at = strchr(at, ':')); at++)
        lanes[at[-1] - '0']++;
    const char *listed =
        arena_printf(fixture->arena, "%d %d %d %d", lanes[0], lanes[1], lanes[2], lanes[3]);
    ck_assert_str_eq(counted(fixture, sets[_i].text, 4), listed);
    fixture_close(fixture);
}
END_TEST

/* Among 5 lanes. */
static const struct {
    const char *text, *counts;
} counts[] = {
    {"j for j in 1 .. 30 if j != r", "30 29 29 29 29"},
    {"j for j in 1 .. 30 if j != r and j != 2 * r and j != p", "29 27 27 27 27"},
    {"j for j in 1 .. 30 if r < j and j <= 10 and 3 > j", "2 1 0 0 0"},
    {"j for j in 1 .. 30 if j != r and j != 4 - r", "29 28 29 28 29"},
    {"j for j in 1 .. 30 if j == r", "0 1 1 1 1"},
    {"j for j in 30 down to 1 if j >= 28 - r", "3 4 5 6 7"},
    {"j for j in 1 .. 30 if r > 2 and j > 20", "0 0 0 10 10"},
    {"j for j in 1 .. 30 if r > 0 and 12 div r >= j", "0 12 6 4 3"},
    {"(i, j) for i in r .. r + 1 for j in 0 .. 9 if i != j", "18 18 18 18 18"},
    {"(i, j) for i in 0 .. r for j in 0 .. 9 if i + j < 3", "3 5 6 6 6"},
    {"(i, j) for i in 0 .. r for j in i .. 3 for k in 0 .. 9", "40 70 90 100 100"},
    {"(i, j) for j in 0 .. 9 for i in 0 .. 4 if bit(i, 0)", "20 20 20 20 20"},
    {"(r - r mod 2 + j, (r - j) mod p) for j in 0 .. 1", "2 2 2 2 2"},
    {"(2 * j + 1 - bit(r, 1)) * 2 for j in 0 .. r", "1 2 3 4 5"},
    {"j .. 9 for j in 0 .. r", "10 19 27 34 40"},
    {"r xor j for j in 0 .. 63", "64 64 64 64 64"},
    {"when(r < 2, j, r) for j in 90 .. 99 if j != 90 + r", "9 9 9 9 9"},
    {"99 .. 99 + when(r == 0, 0, -1)", "1 0 0 0 0"},
    {"r - 1 .. p - 2 if r > 0", "0 4 3 2 1"},
    {"j - 1 for j in r .. p if r != 0", "0 5 4 3 2"},
    {"j - 1 for j in r .. p if j != 0", "unknown"},
    {"r - 1 if r > 0", "unknown"},
    {"100 - r", "unknown"},
    {"96 + r .. 99", "4 3 2 1 0"},
    {"r div (r - 2)", "unknown"},
    {"j for j in 1 .. 9 if j > 4 div (r - 2)", "unknown"},
    {"sum(i, 0, r, i)", "unknown"},
    {"sum(i, 0, 3, bit(j, i)) for j in 0 .. r", "1 2 3 4 5"},
    {"sum(i, 3, 0, i) + largest(i, 1, 2, i * j) for j in 0 .. r", "1 2 3 4 5"},
    {"sum(i, 0, 63, bit(j, i)) for j in 0 .. r", "1 2 3 4 5"},
    {"sum(i, 0, 64, bit(j, i)) for j in 0 .. r", "unknown"},
    {"sum(i, 0, 3, 8 * (j + i)) for j in 0 .. r", "unknown"},
    {"sum(i, 0, 1, sum(l, 0, 1, i + l)) for j in 0 .. r", "unknown"},
    {"popcount(j) + 36 for j in 0 .. r", "1 2 3 4 5"},
    {"popcount(j) + 37 for j in 0 .. r", "unknown"},
    {"popcount(j - 1) for j in 0 .. r", "unknown"},
    {"16 - (-2) ^ j for j in 0 .. r", "1 2 3 4 5"},
    {"15 - (-2) ^ j for j in 0 .. r", "unknown"},
    {"0 .. 99 for i in 1 .. 200000", "20000000 20000000 20000000 20000000 20000000"},
    {"j mod 7 for j in 1 .. 3355443 if bit(j, 0)", "1677722 1677722 1677722 1677722 1677722"},
    {"j mod 7 for j in 1 .. 2 ^ 24 + 1 if bit(j, 0)", "unknown"},
    {"i mod 7 for i in 1 .. 2 ^ 20 for j in 1 .. 2 ^ 20 if j < 3", "unknown"},
    {"j mod 7 for j in 1 .. 2 ^ 40 if j < 3", "unknown"},
};

START_TEST(counting_follows_bounds_and_conditions)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(counted(fixture, counts[_i].text, 5), counts[_i].counts);
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* Values at which lanes are computed another way: around whole quotients, 2^31, 2^50 and the ends.
 */
static const int64_t edges[] = {0,
                                1,
                                -1,
                                6,
                                7,
                                -7,
                                13,
                                -14,
                                49,
                                -49,
                                4095,
                                4096,
                                ((int64_t)1 << 31) - 1,
                                (int64_t)1 << 31,
                                -((int64_t)1 << 31),
                                UINT32_MAX,
                                ((int64_t)1 << 50) - 1,
                                (int64_t)1 << 50,
                                -((int64_t)1 << 50),
                                7 * (((int64_t)1 << 50) / 7),
                                1 - 7 * (((int64_t)1 << 50) / 7),
                                ((int64_t)1 << 61) + 3,
                                INT64_MAX,
                                -INT64_MAX,
                                POISON};

static int64_t one_lane(ExprKind kind, int64_t a, int64_t b)
{
    int64_t values[] = {a, b, 0};
    const LaneStep step = {LANE_CODE(kind, false, true), 2, 0, 1, 0};
    kernel_lane(&step, 1, values);
    return values[2];
}

START_TEST(many_lanes_are_as_one)
{
    enum { EDGES = sizeof edges / sizeof *edges };
    static const ExprKind kinds[] = {EXPR_MODULO, EXPR_QUOTIENT, EXPR_MULTIPLY};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int n = 1; n <= EDGES; n++) /* all below 2^31, 2^50, and all */
            for (int b = 0; b < EDGES; b++) {
                int64_t out[EDGES];
                kernel_binary(kinds[k], false, SHAPE_UNIFORM_B, out, edges, &edges[b], (size_t)n);
                for (int i = 0; i < n; i++)
                    ck_assert_int_eq(out[i], one_lane(kinds[k], edges[i], edges[b]));
                kernel_binary(kinds[k], false, SHAPE_UNIFORM_A, out, &edges[b], edges, (size_t)n);
                for (int i = 0; i < n; i++)
                    ck_assert_int_eq(out[i], one_lane(kinds[k], edges[b], edges[i]));
            }
    for (int n = 1; n <= EDGES; n++) {
        int64_t out[EDGES];
        kernel_binary(EXPR_MULTIPLY, false, SHAPE_VARY, out, edges, edges, (size_t)n);
        for (int i = 0; i < n; i++)
            ck_assert_int_eq(out[i], one_lane(EXPR_MULTIPLY, edges[i], edges[i]));
    }
}
END_TEST

/* The index of a sum and the variable of a loop must not stand in each other's place. */
static const struct {
    const char *text, *items;
} sums[] = {
    {"sum(i, 0, r, i)", "0:0 1:1 2:3 3:6"},
    {"sum(i, 0, r, i) .. sum(i, 0, r, i) + 1", "0:0 0:1 1:1 1:2 2:3 2:4 3:6 3:7"},
    {"sum(i, 0, r, i + r) .. sum(i, 0, r, i + r)", "0:0 1:3 2:9 3:18"},
    {"sum(i, 0, 3, i) .. 6", "0:6 1:6 2:6 3:6"},
    {"j for j in sum(i, 0, r, i + r) .. sum(i, 0, r, i + r)", "0:0 1:3 2:9 3:18"},
    {"j for j in sum(i, 0, r, i) .. largest(i, 0, r, i * i)", "0:0 1:1 2:3 2:4 3:6 3:7 3:8 3:9"},
    {"sum(i, 0, r, i * j) for j in 1 .. 2 if r < 2", "0:0 0:0 1:1 1:2"},
    {"j for j in 0 .. 3 if j == sum(i, 0, r, i + 0 * r)", "0:0 1:1 2:3"},
    {"(j, sum(i, 0, j, i)) for j in r .. 3 if r > 1", "2:2,3 2:3,6 3:3,6"},
};

START_TEST(sums_in_sets)
{
    Fixture *fixture = fixture_open();
    const char *items = expanded(fixture, sums[_i].text, 4);
    assert_no_error(fixture);
    ck_assert_str_eq(items, sums[_i].items);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} mistakes[] = {{"r div (r - 2)", 1},
                {"0 .. 1 mod (r - 1)", 6},
                {"j for j in 0 .. 6 div r", 17},
                {"r if 1 div r == 1", 6},
                {"j for r in 0 .. 3", 7},
                {"r / 2", 1},
                {"i + j for j in 0 .. 3", 1},
                {"0 .. 2 ^ 40", 1},
                {"j for j in 0 .. i for i in 0 .. 3", 17}};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    ck_assert_ptr_null(expanded(fixture, mistakes[_i].text, 4));
    assert_error_at(fixture, "text", 1, mistakes[_i].column);
    ck_assert_uint_eq(fixture->scope.count, 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(many_lanes_are_expanded)
{
    Fixture *fixture = fixture_open();
    BlockSet syntax;
    CompiledSet set;
    SetItems items;
    enum { COUNT = 3000 };
    int64_t p = COUNT, ranks[COUNT];
    Frame frame = {{&p, ranks}};
    for (int64_t r = 0; r < COUNT; r++)
        ranks[r] = r;
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    ck_assert(parse_block_set(fixture->arena,
                              text_of(fixture, "r + j for j in 0 .. 2 if r mod 3 != j"), &syntax,
                              &fixture->diag));
    ck_assert(set_compile(fixture->arena, &syntax, &fixture->scope, &set, &fixture->diag));
    ck_assert(set_expand(&set, fixture->arena, &frame, COUNT, &items, &fixture->diag));
    ck_assert_uint_eq(items.count, 2 * COUNT);
    size_t at = 0;
    for (int64_t r = 0; r < COUNT; r++)
        for (int64_t j = 0; j < 3; j++)
            if (r % 3 != j) {
                ck_assert_int_eq(items.lanes[at], r);
                ck_assert_int_eq(items.indices[0][at++], r + j);
            }
    fixture_close(fixture);
}
END_TEST

Suite *lanes_suite(void)
{
    Suite *suite = suite_create("lanes");
    TCase *items = tcase_create("items");
    tcase_add_loop_test(items, items_come_lane_by_lane, 0, sizeof sets / sizeof *sets);
    tcase_add_loop_test(items, sums_in_sets, 0, sizeof sums / sizeof *sums);
    tcase_add_test(items, many_lanes_are_expanded);
    tcase_add_test(items, many_lanes_are_as_one);
    tcase_add_loop_test(items, items_are_counted_without_a_list, 0, sizeof sets / sizeof *sets);
    tcase_add_loop_test(items, counting_follows_bounds_and_conditions, 0,
                        sizeof counts / sizeof *counts);
    suite_add_tcase(suite, items);
    TCase *errors = tcase_create("errors");
    tcase_add_loop_test(errors, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    suite_add_tcase(suite, errors);
    return suite;
}
