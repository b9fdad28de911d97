/* Values that are packed for another process, and blocks of messages. */
#include "cli/packed.h"
#include "sched/packed.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Packed read_all(const Buffer *bytes)
{
    return (Packed){
        .arena = bytes->arena, .next = bytes->items, .end = bytes->items + bytes->count};
}

START_TEST(values_are_read_as_they_were_written)
{
    static const char *const three[] = {"ring", "", NULL};
    Buffer bytes = {.arena = arena_create(NULL)};
    double infinite = -INFINITY, small = 0x1.23456789abcdep-1000;
    const char *const *texts = three;
    const Carrier there = {.to = &bytes};
    bool flag = true;
    size_t count = 3;
    pack_int(&bytes, INT64_MIN);
    carry_double(there, &infinite);
    carry_double(there, &small);
    carry_flag(there, &flag);
    pack_text(&bytes, "two\nlines");
    pack_text(&bytes, NULL);
    pack_text(&bytes, "");
    carry_list(there, &texts, &count);
    pack_int(&bytes, 7);
    Packed packed = read_all(&bytes);
    const Carrier back = {.from = &packed};
    infinite = small = 0, flag = false, count = 0;
    ck_assert_int_eq(unpack_int(&packed), INT64_MIN);
    carry_double(back, &infinite);
    carry_double(back, &small);
    carry_flag(back, &flag);
    ck_assert(infinite == -INFINITY && small == 0x1.23456789abcdep-1000 && flag);
    ck_assert_str_eq(unpack_text(&packed), "two\nlines");
    ck_assert_ptr_null(unpack_text(&packed));
    ck_assert_str_eq(unpack_text(&packed), "");
    carry_list(back, &texts, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_str_eq(texts[0], "ring");
    ck_assert_str_eq(texts[1], "");
    ck_assert_ptr_null(texts[2]);
    ck_assert_int_eq(unpack_int(&packed), 7);
    ck_assert(packed.next == packed.end);
    arena_destroy(bytes.arena);
}
END_TEST

START_TEST(the_end_is_not_passed)
{
    Buffer bytes = {.arena = arena_create(NULL)};
    pack_text(&bytes, "ring");
    bytes.count--;
    Packed packed = read_all(&bytes);
    ck_assert_ptr_null(unpack_text(&packed));
    packed.next = packed.end;
    ck_assert_int_eq(unpack_int(&packed), 0);
    ck_assert_ptr_null(unpack_text(&packed));
    arena_destroy(bytes.arena);
}
END_TEST

enum { MOST_BLOCKS = 400 };

/* Some blocks behind one another, often as the last ones went on; first and goal of each are noted.
 */
static size_t add_blocks(Arena *arena, Packing *packing, int64_t *blocks, int64_t *goals)
{
    size_t count = 0;
    for (int part = rand() % 8 + 1; part > 0; part--) {
        const int64_t stride = rand() % 3 + 1, added = rand() % 3 ? 1 : rand() % 40 + 1;
        const int64_t first = count && rand() % 2 ? blocks[count - 1] + stride : rand() % 1000;
        const int64_t to = rand() % 4 ? first : first + rand() % 9;
        packing_add(arena, packing, first, added, to);
        for (int64_t i = 0; i < added; i++, count++)
            blocks[count] = first + i, goals[count] = to + i;
    }
    return count;
}

START_TEST(blocks_are_those_that_were_packed)
{
    Arena *arena = arena_create(NULL);
    Packing packing = {0};
    int64_t blocks[MOST_BLOCKS], goals[MOST_BLOCKS];
    srand(1);
    for (int message = 0; message < 2000; message++) {
        const size_t start = packing_start(&packing);
        const size_t count = add_blocks(arena, &packing, blocks, goals);
        const int32_t *next = packing.numbers.items + start;
        BlockRun run;
        for (size_t i = 0; i < count;) {
            next = packed_next(next, &run);
            for (int64_t n = 0; n < run.count; n++, i++) {
                ck_assert_int_eq(run.first + n * run.stride, blocks[i]);
                ck_assert_int_eq(run.to + n * run.to_stride, goals[i]);
            }
        }
        ck_assert_ptr_eq(next, packing.numbers.items + packing.numbers.count);
    }
    arena_destroy(arena);
}
END_TEST

/* Single blocks that follow one another by a stride become one run. */
START_TEST(rows_of_blocks_are_runs)
{
    Arena *arena = arena_create(NULL);
    Packing packing = {0};
    packing_start(&packing);
    for (int64_t block = 7; block < 307; block += 3)
        packing_add(arena, &packing, block, 1, block);
    ck_assert_uint_eq(packing.numbers.count, 5);
    arena_destroy(arena);
}
END_TEST

Suite *packed_suite(void)
{
    Suite *suite = suite_create("packed");
    TCase *all = tcase_create("all");
    tcase_add_test(all, values_are_read_as_they_were_written);
    tcase_add_test(all, the_end_is_not_passed);
    tcase_add_test(all, blocks_are_those_that_were_packed);
    tcase_add_test(all, rows_of_blocks_are_runs);
    suite_add_tcase(suite, all);
    return suite;
}
