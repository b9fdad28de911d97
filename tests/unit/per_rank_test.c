#include "sched/per_rank.h"
#include "unit.h"

enum { MOST_TRIED = 40 };

/* What is told of ranks that have the same value is so of each; filled by these it is the same. */
static void assert_stretches(Arena *arena, const PerRank *kept, int64_t p)
{
    PerRankFilling filling = per_rank_begin(arena, p);
    for (int64_t r = 0, next; r < p; r = next) {
        next = per_rank_next(kept, r) < p ? per_rank_next(kept, r) : p;
        ck_assert_int_gt(next, r);
        for (int64_t i = r; i < next; i++)
            ck_assert_int_eq(per_rank(kept, i), per_rank(kept, r));
        per_rank_push(&filling, per_rank(kept, r), next - r);
    }
    ck_assert_int_eq(filling.count, p);
    ck_assert_int_eq(filling.values.items != NULL, kept->items != NULL);
    ck_assert_int_eq(filling.values.last, kept->last);
    for (int64_t r = 0; r < p; r++)
        ck_assert_int_eq(per_rank(&filling.values, r), per_rank(kept, r));
}

/* Filled from an array, it says what the array does, in pieces or not. */
static PerRank assert_kept(Arena *arena, const int64_t *values, int64_t p)
{
    const PerRank kept = per_rank_of(arena, values, p);
    bool same = true;
    for (int64_t r = 0; r < p; r++) {
        ck_assert_int_eq(per_rank(&kept, r), values[r]);
        same &= values[r] == values[0];
    }
    ck_assert_int_eq(per_rank_is_same(&kept), same);
    assert_stretches(arena, &kept, p);
    return kept;
}

START_TEST(two_ranks_may_differ_from_the_others)
{
    Arena *arena = arena_create(NULL);
    for (int64_t p = 1; p <= MOST_TRIED; p++)
        for (int64_t a = 0; a < p; a++)
            for (int64_t b = a; b < p; b++) {
                int64_t flat[MOST_TRIED], steep[MOST_TRIED];
                for (int64_t r = 0; r < p; r++) {
                    flat[r] = r == a || r == b ? -3 : 7;
                    steep[r] = r == a ? 0 : r == b ? 5 : 11 * r - 4;
                }
                ck_assert_ptr_null(assert_kept(arena, flat, p).items);
                ck_assert_ptr_null(assert_kept(arena, steep, p).items);
            }
    arena_destroy(arena);
}
END_TEST

START_TEST(more_pieces_than_there_is_room_for_are_entries)
{
    Arena *arena = arena_create(NULL);
    int64_t values[MOST_TRIED];
    for (int64_t p = 1; p <= MOST_TRIED; p++) {
        for (int64_t r = 0; r < p; r++)
            values[r] = r * r;
        const PerRank squares = assert_kept(arena, values, p);
        ck_assert_int_eq(squares.items != NULL, p > 2 * MOST_RANK_PIECES);
    }
    arena_destroy(arena);
}
END_TEST

/* Where the next value would be beyond all numbers, another one follows, however it wraps. */
START_TEST(values_at_the_end_of_all_numbers)
{
    static const int64_t values[][6] = {
        {INT64_MAX - 1, INT64_MAX, INT64_MIN, INT64_MIN + 1, 0, 0},
        {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX},
        {0, INT64_MAX, -2, 3, INT64_MIN, INT64_MIN},
        {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
    };
    Arena *arena = arena_create(NULL);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int64_t p = 1; p <= 6; p++)
            assert_kept(arena, values[i], p);
    ck_assert_int_eq(per_rank_of(arena, values[0], 4).pieces[1].from, 2);
    arena_destroy(arena);
}
END_TEST

START_TEST(random_pieces)
{
    Arena *arena = arena_create(NULL);
    uint64_t state = 1;
    for (int round = 0; round < 2000; round++) {
        int64_t values[MOST_TRIED] = {0}, slope = 0;
        for (int64_t r = 0; r < MOST_TRIED; r++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const bool breaks = state >> 60 < (uint64_t)(round % 8);
            if (breaks)
                slope = (int64_t)(state >> 40 & 3) - 1;
            values[r] = breaks ? (int64_t)(state >> 50 & 7) : r ? values[r - 1] + slope : 0;
        }
        assert_kept(arena, values, MOST_TRIED);
    }
    arena_destroy(arena);
}
END_TEST

START_TEST(zeroed_it_is_zero_for_all)
{
    const PerRank zero = {0};
    ck_assert_int_eq(per_rank(&zero, 0), 0);
    ck_assert_int_eq(per_rank(&zero, INT64_MAX), 0);
    ck_assert(per_rank_is_same(&zero));
}
END_TEST

Suite *per_rank_suite(void)
{
    Suite *suite = suite_create("per_rank");
    TCase *kept = tcase_create("kept");
    tcase_add_test(kept, two_ranks_may_differ_from_the_others);
    tcase_add_test(kept, more_pieces_than_there_is_room_for_are_entries);
    tcase_add_test(kept, values_at_the_end_of_all_numbers);
    tcase_add_test(kept, random_pieces);
    tcase_add_test(kept, zeroed_it_is_zero_for_all);
    suite_add_tcase(suite, kept);
    return suite;
}
