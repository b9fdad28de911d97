#include "session/phrase.h"
#include "unit.h"

#include <string.h>

/* All lines of a text, each in brackets. */
static const char *lines_of(Fixture *fixture, const char *text)
{
    const Source *source = text_of(fixture, text).span.source;
    const char *all = "";
    size_t offset = 0;
    Text line, raw;
    while (phrase_next(fixture->arena, source, &offset, &line, &raw))
        all = arena_printf(fixture->arena, "%s[%.*s]", all, (int)line.length, line.chars);
    return all;
}

/* All words of a line, each in brackets; NULL after a report. */
static const char *words_of(Fixture *fixture, const char *text)
{
    const char *all = "";
    TextArray words = {0};
    if (!phrase_words(fixture->arena, text_of(fixture, text), &words, &fixture->diag))
        return NULL;
    for (size_t i = 0; i < words.count; i++) {
        ck_assert_uint_eq(strlen(words.items[i].chars), words.items[i].length);
        all = arena_printf(fixture->arena, "%s[%s]", all, words.items[i].chars);
    }
    return all;
}

START_TEST(lines_end_comment_and_go_on)
{
    static const struct {
        const char *text, *lines;
    } cases[] = {
        {"", ""},
        {"a", "[a]"},
        {"a\nb\n", "[a][b]"},
        {"\n \n", "[][]"},
        {"  a b\t\r\n", "[a b]"},
        {"a # b\nc#d", "[a][c#d]"},
        {"# a \\\nb\nc", "[][c]"},
        {"a \\\n b", "[a    b]"},
        {"a \\\r\n b", "[a     b]"},
        {"a \\", "[a \\]"},
        {"'a # b' # c", "['a # b']"},
        {"\"a \\\" # b\" # c", "[\"a \\\" # b\"]"},
        {"a \\' # b", "[a \\']"},
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(lines_of(fixture, cases[i].text), cases[i].lines);
    fixture_close(fixture);
}
END_TEST

START_TEST(words_are_as_in_a_shell)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"", ""},
        {"cost  reduce\t-p 8", "[cost][reduce][-p][8]"},
        {"'a b' \"c d\"", "[a b][c d]"},
        {"a'b c'd", "[ab cd]"},
        {"'' \"\"", "[][]"},
        {"a\\ b \\'c\\'", "[a b]['c']"},
        {"'a\\b' \"a\\\"b\\\\c\\d\"", "[a\\b][a\"b\\c\\d]"},
        {"--set=ts='1 us'", "[--set=ts=1 us]"},
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(words_of(fixture, cases[i].line), cases[i].words);
    ck_assert_ptr_null(words_of(fixture, "cost 'reduce -p 8"));
    assert_error_at(fixture, "text", 1, 6);
    ck_assert_ptr_null(words_of(fixture, "cost \"reduce\\\""));
    assert_error_at(fixture, "text", 1, 6);
    fixture_close(fixture);
}
END_TEST

/* A word that stands in the line as it is has places inside; another one is marked as a whole. */
START_TEST(words_know_their_places)
{
    Fixture *fixture = fixture_open();
    TextArray words = {0};
    Text line = text_of(fixture, "ab 'c d' e\\ f g'h'");
    static const size_t offsets[] = {0, 4, 9, 14}, lengths[] = {2, 3, 4, 4};
    ck_assert(phrase_words(fixture->arena, line, &words, &fixture->diag));
    ck_assert_uint_eq(words.count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(words.items[i].span.offset, offsets[i]);
        ck_assert_uint_eq(words.items[i].span.length, lengths[i]);
        ck_assert(words.items[i].verbatim == (i < 2));
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(quotes_make_one_word)
{
    static const char *const words[] = {"plain", "",     "a b",  "it's",    "'",
                                        "a\"b",  "a\\b", "#one", "'a' 'b'", "\t"};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *quoted = phrase_quote(fixture->arena, words[i]);
        const char *read = words_of(fixture, quoted);
        ck_assert_str_eq(read, arena_printf(fixture->arena, "[%s]", words[i]));
    }
    ck_assert_str_eq(phrase_quote(fixture->arena, "plain"), "plain");
    fixture_close(fixture);
}
END_TEST

START_TEST(an_open_line_ends_with_a_single_backslash)
{
    ck_assert(phrase_is_open("a \\", 3));
    ck_assert(phrase_is_open("a \\\\\\", 5));
    ck_assert(!phrase_is_open("a \\\\", 4));
    ck_assert(!phrase_is_open("", 0));
}
END_TEST

/* Memory and time grow with the length, not with its square. */
START_TEST(a_megabyte_of_words)
{
    Fixture *fixture = fixture_open();
    size_t length = 1 << 20;
    char *chars = arena_alloc(fixture->arena, length + 1);
    TextArray words = {0};
    memset(chars, ' ', length);
    for (size_t i = 0; i < length; i += 2)
        chars[i] = 'a';
    ck_assert(phrase_words(fixture->arena, text_of(fixture, chars), &words, &fixture->diag));
    ck_assert_uint_eq(words.count, length / 2);
    fixture_close(fixture);
}
END_TEST

Suite *phrase_suite(void)
{
    Suite *suite = suite_create("phrase");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, lines_end_comment_and_go_on);
    tcase_add_test(lines, words_are_as_in_a_shell);
    tcase_add_test(lines, words_know_their_places);
    tcase_add_test(lines, quotes_make_one_word);
    tcase_add_test(lines, an_open_line_ends_with_a_single_backslash);
    tcase_add_test(lines, a_megabyte_of_words);
    suite_add_tcase(suite, lines);
    return suite;
}
