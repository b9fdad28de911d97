#include "base/array.h"
#include "unit.h"

#include <stdint.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

START_TEST(memory_is_zeroed_and_aligned)
{
    Arena *arena = arena_create(NULL);
    for (size_t size = 1; size < 100000; size *= 7) {
        unsigned char *bytes = arena_alloc(arena, size);
        ck_assert_uint_eq((uintptr_t)bytes % (size < 256 ? 16 : 64), 0);
        for (size_t i = 0; i < size; i++)
            ck_assert_uint_eq(bytes[i], 0);
        memset(bytes, 0xff, size);
    }
    arena_destroy(arena);
}
END_TEST

START_TEST(released_memory_is_zeroed_again)
{
    Arena *arena = arena_create(NULL);
    ArenaMark mark = arena_mark(arena);
    memset(arena_alloc(arena, 1000), 0xff, 1000);
    arena_release(arena, mark);
    const unsigned char *bytes = arena_alloc(arena, 1000);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(bytes[i], 0);
    arena_destroy(arena);
}
END_TEST

START_TEST(text_is_copied_and_printed)
{
    Arena *arena = arena_create(NULL);
    ck_assert_str_eq(arena_copy(arena, "binomial", 4), "bino");
    ck_assert_str_eq(arena_printf(arena, "%s:%d", "full", 8), "full:8");
    arena_destroy(arena);
}
END_TEST

/* Beside others, whose pages stay; it is used again when the arena is released. */
START_TEST(a_block_that_nobody_needs_is_given_back)
{
    enum { SIZE = 3 << 20 };
    Arena *arena = arena_create(NULL);
    const ArenaMark mark = arena_mark(arena);
    for (int again = 0; again < 2; again++) {
        unsigned char *blocks[3];
        for (int i = 0; i < 3; i++)
            blocks[i] = memset(arena_room(arena, SIZE + 77), 0x55, SIZE + 77);
        arena_discard(blocks[1], SIZE + 77);
        for (size_t i = 0; i < SIZE + 77; i++)
            ck_assert(blocks[0][i] == 0x55 && blocks[2][i] == 0x55);
        arena_release(arena, mark);
    }
    arena_destroy(arena);
}
END_TEST

START_TEST(an_array_that_gives_back_its_items_keeps_them)
{
    enum { COUNT = 1 << 20 };
    Arena *arena = arena_create(NULL);
    IntArray alone = {0}, beside = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        *ARRAY_PUSH_ALONE(arena, &alone) = i;
        *ARRAY_PUSH(arena, &beside) = -i;
    }
    for (int64_t i = 0; i < COUNT; i++)
        ck_assert(alone.items[i] == i && beside.items[i] == -i);
    arena_destroy(arena);
}
END_TEST

#ifdef __SANITIZE_ADDRESS__
/* Also where chunks have room behind it, and where it is used again. */
START_TEST(sanitizers_see_what_is_beyond_a_piece)
{
    static const size_t sizes[] = {1, 16, 64, 255, 256, 300, 65536, 100000};
    Arena *arena = arena_create(NULL);
    const ArenaMark mark = arena_mark(arena);
    for (int again = 0; again < 2; again++) {
        char *first = arena_room(arena, sizes[_i]), *second = arena_room(arena, sizes[_i]);
        ck_assert_ptr_null(__asan_region_is_poisoned(first, sizes[_i]));
        ck_assert_ptr_null(__asan_region_is_poisoned(second, sizes[_i]));
        ck_assert(__asan_address_is_poisoned(first + sizes[_i]));
        ck_assert(__asan_address_is_poisoned(second + sizes[_i]));
        arena_release(arena, mark);
        ck_assert(__asan_address_is_poisoned(first));
        ck_assert(__asan_address_is_poisoned(second));
    }
    arena_destroy(arena);
}
END_TEST
#endif

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, memory_is_zeroed_and_aligned);
    tcase_add_test(memory, released_memory_is_zeroed_again);
    tcase_add_test(memory, text_is_copied_and_printed);
    tcase_add_test(memory, a_block_that_nobody_needs_is_given_back);
    tcase_add_test(memory, an_array_that_gives_back_its_items_keeps_them);
#ifdef __SANITIZE_ADDRESS__
    tcase_add_loop_test(memory, sanitizers_see_what_is_beyond_a_piece, 0, 8);
#endif
    suite_add_tcase(suite, memory);
    return suite;
}
