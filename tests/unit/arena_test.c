#include "base/arena.h"

#include "unit.h"

#include <stdint.h>
#include <string.h>

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

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, memory_is_zeroed_and_aligned);
    tcase_add_test(memory, released_memory_is_zeroed_again);
    tcase_add_test(memory, text_is_copied_and_printed);
    suite_add_tcase(suite, memory);
    return suite;
}
