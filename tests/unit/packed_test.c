/* Values that are packed for another process, and blocks of messages. */
#include "cli/workers.h"
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

/* What ranks of an alltoall of 4 send to the next one, as "block>where it lands", where that is
   another one. Block (s, t) is 4 s + t, that of a1 16 more. Rows are along the longest loop. */
static const struct {
    const char *set, *as, *sent[4];
} sets[] = {
    {"(i, 3 - j) for i in 0 .. 1 for j in 0 .. 2", "", {"3 2 1 7 6 5", "3 2 1 7 6 5"}},
    {"(i, j) for i in 0 .. 3 for j in r .. 1", "", {"0 4 8 12 1 5 9 13", "1 5 9 13", ""}},
    {"(r, 1 + i) for i in r .. 2", "", {"1 2 3", "6 7", "11", ""}},
    {"(r, i) for i in 3 down to r", "", {"3 2 1 0", "7 6 5", "11 10", "15"}},
    {"(i, 2 * j + 1) for i in 0 .. 3 for j in 0 .. 1", "", {"1 5 9 13 3 7 11 15"}},
    {"(j * 2, -(i - 3)) for i in 0 .. 3 for j in 0 .. 1", "", {"3 2 1 0 11 10 9 8"}},
    {"(i, i) for i in 0 .. r", "    as: a1\n", {"0>16", "0>16 5>21", "0>16 5>21 10>26"}},
    {"a1(i, 0) for i in 1 .. 2", "    as: main\n", {"20>4 24>8", "20>4 24>8"}},
    {"a1(i, 0) for i in 1 .. 2", "    as: a1\n", {"20 24", "20 24"}},
    {"(0, i * j) for i in 1 .. 1 for j in 2 .. 3", "", {"2 3", "2 3"}},
    /* these are no rows */
    {"(when(i < 4, i, -1), j) for i in 0 .. 3 for j in 0 .. 1", "", {"0 1 4 5 8 9 12 13"}},
    {"(i * j, i) for i in 0 .. 1 for j in 1 .. 3", "", {"0 0 0 5 9 13"}},
    {"(i, j * i) for i in 0 .. 1 for j in 1 .. 3", "", {"0 0 0 5 6 7"}},
    {"(0, i * i) for i in -1 .. 1", "", {"1 0 1"}},
    {"(0, i mod 2) for i in 0 .. 3", "", {"0 1 0 1", "0 1 0 1"}},
    {"(0, i - 4 * (i div 4)) for i in 2 .. 5", "", {"2 3 0 1"}},
    {"(0, i) for i in 0 .. 3 if i != 1", "", {"0 2 3", "0 2 3"}},
    {"(i, j) for i in 0 .. 1 for j in 0 .. i", "", {"0 4 5", "0 4 5"}},
    {"(i, 0) for i in 0 .. 1 for j in 0 .. i", "", {"0 4 4"}},
    {"(0, when(i > 1, 3 - i, i)) for i in 0 .. 3", "", {"0 1 1 0"}},
};

static bool write_packed(void *context, const Round *round, Arena *arena)
{
    Buffer *sent = context;
    (void)arena;
    ck_assert_ptr_nonnull(round->packed);
    for (size_t t = 0; t < round->count; t++) {
        Buffer *text = &sent[round->transfers[t].from];
        for (PackedBlocks at = packed_blocks(round, &round->transfers[t]); packed_more(&at);)
            for (int64_t i = 0; i < at.run.count; i++) {
                const int64_t block = at.run.first + i * at.run.stride;
                const int64_t to = at.run.to + i * at.run.to_stride;
                buffer_printf(text, text->count ? " %lld" : "%lld", (long long)block);
                if (to != block)
                    buffer_printf(text, ">%lld", (long long)to);
            }
    }
    return true;
}

START_TEST(sets_are_packed)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: sets\ncollective: alltoall\nsummary: One set.\n"
                                     "arrays: [a1]\nschedule:\n  - move: %s\n%s"
                                     "    to: (r + 1) mod p\n",
                                     sets[_i].set, sets[_i].as));
    const Instance instance = instance_of(fixture, "alltoall/sets", 4, 0, 1);
    const RoundsWanted wanted = {.takes_packed = true};
    Buffer sent[4];
    for (int r = 0; r < 4; r++)
        sent[r] = (Buffer){.arena = fixture->arena};
    ck_assert(schedule_expand_as(&instance, &wanted, write_packed, sent, &fixture->diag));
    for (int r = 0; r < 4; r++)
        if (sets[_i].sent[r])
            ck_assert_str_eq(sent[r].count ? sent[r].items : "", sets[_i].sent[r]);
    fixture_close(fixture);
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
    TCase *rows = tcase_create("block_rows");
    tcase_add_loop_test(rows, sets_are_packed, 0, COUNT_OF(sets));
    suite_add_tcase(suite, rows);
    return suite;
}
