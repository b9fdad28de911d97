#include "base/utf8.h"
#include "unit.h"

#include <string.h>

START_TEST(characters_have_lengths)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {"\x7f", 1},
        {"\xc3\xa9", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},             /* nothing before it */
        {"\xc3", 0},             /* cut off */
        {"\xc3(", 0},            /* something else follows */
        {"\xc0\x80", 0},         /* too long for what it is */
        {"\xe0\x80\xaf", 0},     /* the same */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond the last */
        {"\xff", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_uint_eq(utf8_length(cases[i].bytes, strlen(cases[i].bytes)), cases[i].length);
}
END_TEST

START_TEST(what_is_no_text_becomes_a_sign)
{
    static const char *const turning[] = {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029",
                                          "\u202A", "\u202E", "\u2066", "\u2069"};
    static const char *const other[] = {"\u061B", "\u200D", "\u2010", "\u2027", "\u202F",
                                        "\u2065", "\u206A", "\u00A0", "\u0628", "\u5e38"};
    Arena *arena = arena_create(NULL);
    ck_assert_str_eq(utf8_clean(arena, "a\xc3\xa9\xff\x01\n\tb\x7f", 9), "a\xc3\xa9??\n\tb?");
    ck_assert_str_eq(utf8_clean(arena, "a\0b", 3), "a?b");
    ck_assert_str_eq(utf8_clean(arena, "\xe2\x82", 2), "??");
    ck_assert_str_eq(utf8_clean_line(arena, "a\u202Eb\nc\td\u2066\u20ac"), "a???b c d???\u20ac");
    for (unsigned i = 0; i < sizeof turning / sizeof *turning; i++)
        ck_assert_uint_eq(utf8_control(turning[i], 3), strlen(turning[i]));
    for (unsigned i = 0; i < sizeof other / sizeof *other; i++)
        ck_assert_uint_eq(utf8_control(other[i], strlen(other[i])), 0);
    ck_assert_str_eq(utf8_clean(arena, "\xc2\x9b\xc2\xa0\x1b[m", 7), "??\xc2\xa0?[m");
    arena_destroy(arena);
}
END_TEST

Suite *utf8_suite(void)
{
    Suite *suite = suite_create("utf8");
    TCase *characters = tcase_create("characters");
    tcase_add_test(characters, characters_have_lengths);
    tcase_add_test(characters, what_is_no_text_becomes_a_sign);
    suite_add_tcase(suite, characters);
    return suite;
}
