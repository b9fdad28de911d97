#include "cli/packed.h"
#include "unit.h"

#include <math.h>
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

Suite *packed_suite(void)
{
    Suite *suite = suite_create("packed");
    TCase *all = tcase_create("all");
    tcase_add_test(all, values_are_read_as_they_were_written);
    tcase_add_test(all, the_end_is_not_passed);
    suite_add_tcase(suite, all);
    return suite;
}
