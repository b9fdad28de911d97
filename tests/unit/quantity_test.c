#include "base/quantity.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *text;
    Dimension dimension;
    double value;
} values[] = {
    {"3us", {1, 0}, 3e-6},
    {"3 us", {1, 0}, 3e-6},
    {"1.5 us", {1, 0}, 1.5e-6},
    {"1.5µs", {1, 0}, 1.5e-6},
    {"50 ns", {1, 0}, 50e-9},
    {"7 ps", {1, 0}, 7e-12},
    {"0.3 ms", {1, 0}, 0.3e-3},
    {"2 s", {1, 0}, 2},
    {"0", {1, 0}, 0},
    {"64 GB/s", {-1, 1}, 64e9},
    {"512GB/s", {-1, 1}, 512e9},
    {"8 Gbit/s", {-1, 1}, 1e9},
    {"1 KiB/us", {-1, 1}, 1024e6},
    {"1.5e-05s/B", {1, -1}, 1.5e-5},
    {"1.5e-05 s/B", {1, -1}, 1.5e-5},
    {"15us/B", {1, -1}, 15e-6},
    {"4KiB", {0, 1}, 4096},
    {"1.5 MiB", {0, 1}, 1572864},
    {"3 kB", {0, 1}, 3000},
    {"1 TB", {0, 1}, 1e12},
    {"1TiB", {0, 1}, 0x1p40},
    {"1PB", {0, 1}, 1e15},
    {"3EB", {0, 1}, 3e18},
    {"1PiB", {0, 1}, 0x1p50},
    {"1EiB", {0, 1}, 0x1p60},
    {"16 bit", {0, 1}, 2},
    {"4096", {0, 1}, 4096},
    {"1e6", {0, 1}, 1e6},
    {"0.1", {0, 1}, 0.1},
    {"2.5", {0, 0}, 2.5},
    {"9007199254740993", {0, 0}, 9007199254740992},
    {"9007199254740992", {0, 1}, 9007199254740992},
    {"8 PiB", {0, 1}, 9007199254740992},
    {"0e-400", {0, 1}, 0},
    {"1e30 s", {1, 0}, 1e30},
    {"1e20 GB/s", {-1, 1}, 1e29},
};

START_TEST(quantities_are_read_to_the_nearest_double)
{
    Fixture *fixture = fixture_open();
    double value = -1;
    bool good = quantity_parse(text_of(fixture, values[_i].text), values[_i].dimension, &value,
                               &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    ck_assert_msg(value == values[_i].value, "%s is %.17g", values[_i].text, value);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    Dimension dimension;
    size_t column;
} mistakes[] = {
    {"", {1, 0}, 1},
    {"x", {1, 0}, 1},
    {"-1", {0, 1}, 1},
    {"-1 us", {1, 0}, 1},
    {"1e400", {0, 1}, 1},
    {"1e308 GB", {0, 1}, 1},
    {"1e-400", {0, 1}, 1},
    {"1e-310", {0, 0}, 1},
    {"9007199254740993", {0, 1}, 1},
    {"9007199254740993 B", {0, 1}, 1},
    {"9007199254740993B", {0, 1}, 1},
    {"1.1e30 s", {1, 0}, 1},
    {"1e31 s/B", {1, -1}, 1},
    {"1e-31 B/s", {-1, 1}, 1},
    {"5KB", {0, 1}, 2},
    {"5 KB", {0, 1}, 3},
    {"1 us", {0, 1}, 1},
    {"1 B", {1, 0}, 1},
    {"1", {1, 0}, 1},
    {"1 GB", {-1, 1}, 1},
    {"1 us 2", {1, 0}, 6},
    {"1 GB/", {-1, 1}, 5},
    {"1..2", {0, 1}, 2},
    {"inf", {0, 1}, 1},
    {"nan", {0, 1}, 1},
    {"1 us", {0, 0}, 1},
    {"9223372036854775808", {0, 1}, 1},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    double value;
    ck_assert(!quantity_parse(text_of(fixture, mistakes[_i].text), mistakes[_i].dimension, &value,
                              &fixture->diag));
    assert_error_at(fixture, "text", 1, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t length;
    double value;
    bool is_integer;
} starts[] = {
    {"0..7", 1, 0, true},
    {"12 .. 15", 2, 12, true},
    {"3us + ts", 3, 3e-6, false},
    {"3 us+ts", 4, 3e-6, false},
    {"64 GB/s*2", 7, 64e9, false},
    {"2 mod 3", 1, 2, true},
    {"1.5 * m", 3, 1.5, false},
    {"1e3", 3, 1000, false},
    {"1.0", 3, 1, false},
    {"7 / 2", 1, 7, true},
    {"9223372036854775807", 19, 0x1p63, true},
    {"2 s / 3", 3, 2, false},
    {"5)", 1, 5, true},
    {"1 s/B", 5, 1, false},
};

START_TEST(a_scan_stops_behind_the_quantity)
{
    Fixture *fixture = fixture_open();
    Quantity quantity;
    ck_assert(quantity_scan(text_of(fixture, starts[_i].text), &quantity, &fixture->diag));
    ck_assert_uint_eq(quantity.length, starts[_i].length);
    ck_assert_double_eq(quantity.value, starts[_i].value);
    ck_assert_int_eq(quantity.is_integer, starts[_i].is_integer);
    fixture_close(fixture);
}
END_TEST

START_TEST(whole_numbers_have_limits)
{
    Fixture *fixture = fixture_open();
    int64_t value;
    ck_assert(quantity_parse_integer(text_of(fixture, "9223372036854775807"), 0, INT64_MAX, &value,
                                     &fixture->diag));
    ck_assert_int_eq(value, INT64_MAX);
    ck_assert(quantity_parse_integer(text_of(fixture, "1"), 1, 8, &value, &fixture->diag));
    ck_assert(quantity_parse_integer(text_of(fixture, "8"), 1, 8, &value, &fixture->diag));
    assert_no_error(fixture);
    static const char *const bad[] = {"0",   "9", "1.0", "1e0", "9223372036854775808",
                                      "2 B", "x", "",    "-1",  "3 4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(
            !quantity_parse_integer(text_of(fixture, bad[i]), 1, 8, &value, &fixture->diag), "%s",
            bad[i]);
        assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(quantities_are_shown_to_people)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(quantity_show_time(fixture->arena, 29.25e-6), "29.25 us");
    ck_assert_str_eq(quantity_show_time(fixture->arena, 0), "0 s");
    ck_assert_str_eq(quantity_show_time(fixture->arena, 1), "1 s");
    ck_assert_str_eq(quantity_show_time(fixture->arena, 50e-9), "50 ns");
    ck_assert_str_eq(quantity_show_time(fixture->arena, 0.9999999), "1 s");
    ck_assert_str_eq(quantity_show_bytes(fixture->arena, 497777.777777), "497.8 kB");
    ck_assert_str_eq(quantity_show_bytes(fixture->arena, 1048576), "1 MiB");
    ck_assert_str_eq(quantity_show_bytes(fixture->arena, 4096), "4 KiB");
    ck_assert_str_eq(quantity_show_bytes(fixture->arena, 1), "1 B");
    ck_assert_str_eq(quantity_show_bytes(fixture->arena, 1e6), "1 MB");
    ck_assert_str_eq(quantity_show_bandwidth(fixture->arena, 64e9), "64 GB/s");
    fixture_close(fixture);
}
END_TEST

START_TEST(fractions_are_found)
{
    Fixture *fixture = fixture_open();
    static const struct {
        double number;
        const char *shown;
    } numbers[] = {{7.0 / 4, "7/4"},
                   {1.0 / 3 + 1.0 / 7, "10/21"},
                   {12, "12"},
                   {0, "0"},
                   {5e15, "5000000000000000"},
                   {1e300, "1e+300"},
                   {1023.0 / 1024, "1023/1024"},
                   {3.141592653589793, "3.141592654"},
                   {1e6 + 1.0 / 3, "3000001/3"},
                   {1e9 + 1.0 / 65537, "1000000000"},
                   {1e-300, "1e-300"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_str_eq(number_as_fraction(fixture->arena, numbers[i].number), numbers[i].shown);
    for (int below = 1; below < 1000; below += 7)
        for (int above = 1; above < 1000; above += 11) {
            const char *end, *shown = number_as_fraction(fixture->arena, (double)above / below);
            double first = strtod(shown, (char **)&end);
            ck_assert_double_eq(*end == '/' ? first / strtod(end + 1, NULL) : first,
                                (double)above / below);
        }
    fixture_close(fixture);
}
END_TEST

START_TEST(dimensions_have_names)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(dimension_unit(fixture->arena, DIMENSION_TIME), "s");
    ck_assert_str_eq(dimension_unit(fixture->arena, DIMENSION_BANDWIDTH), "B/s");
    ck_assert_str_eq(dimension_unit(fixture->arena, DIMENSION_TIME_PER_BYTE), "s/B");
    ck_assert_str_eq(dimension_unit(fixture->arena, DIMENSION_NONE), "");
    ck_assert_str_eq(dimension_unit(fixture->arena, (Dimension){2, 1}), "s^2 B");
    ck_assert_str_eq(dimension_name(fixture->arena, DIMENSION_TIME), "a time");
    ck_assert(dimension_equal(DIMENSION_TIME, (Dimension){1, 0}));
    ck_assert(!dimension_equal(DIMENSION_TIME, DIMENSION_BYTES));
    fixture_close(fixture);
}
END_TEST

START_TEST(numbers_have_the_fewest_digits_that_read_back)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {3e-6, "3e-06"},
                 {64e9, "64000000000"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {3.1920000000000001e-06, "3.192e-06"},
                 {3.1919999999999997e-06, "3.1919999999999997e-06"},
                 {0x1p53, "9007199254740992"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[LONGEST_NUMBER];
        ck_assert_str_eq(number_exactly(cases[i].number, text), cases[i].text);
        ck_assert(strtod(text, NULL) == cases[i].number);
    }
}
END_TEST

/* The double nearest to 1 / (1 / 64e9) is not 64e9. */
START_TEST(an_inverse_is_what_was_inverted)
{
    static const double rates[] = {64e9, 512e9, 370e9, 12345678901, 101.5105e6, 1, 3};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        ck_assert(number_inverse(1 / rates[i]) == rates[i]);
    for (double number = 1e-12; number < 1; number *= 1.37)
        ck_assert(fabs(number_inverse(number) * number - 1) < 1e-15);
}
END_TEST

Suite *quantity_suite(void)
{
    Suite *suite = suite_create("quantity");
    TCase *reading = tcase_create("reading");
    tcase_add_loop_test(reading, quantities_are_read_to_the_nearest_double, 0,
                        sizeof values / sizeof *values);
    tcase_add_loop_test(reading, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(reading, a_scan_stops_behind_the_quantity, 0,
                        sizeof starts / sizeof *starts);
    tcase_add_test(reading, whole_numbers_have_limits);
    suite_add_tcase(suite, reading);
    TCase *writing = tcase_create("writing");
    tcase_add_test(writing, quantities_are_shown_to_people);
    tcase_add_test(writing, fractions_are_found);
    tcase_add_test(writing, dimensions_have_names);
    tcase_add_test(writing, numbers_have_the_fewest_digits_that_read_back);
    tcase_add_test(writing, an_inverse_is_what_was_inverted);
    suite_add_tcase(suite, writing);
    return suite;
}
