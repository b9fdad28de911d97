/* Growable arrays, positions in sources, messages. */
#include "base/array.h"
#include "base/diag.h"

#include "unit.h"

#include <string.h>

START_TEST(arrays_keep_their_items)
{
    Fixture *fixture = fixture_open();
    IntArray array = {0};
    for (int64_t i = 0; i < 10000; i++)
        *ARRAY_PUSH(fixture->arena, &array) = i * i;
    ck_assert_uint_eq(array.count, 10000);
    for (int64_t i = 0; i < 10000; i++)
        ck_assert_int_eq(array.items[i], i * i);
    ARRAY_RESERVE(fixture->arena, &array, 5000);
    ck_assert_uint_ge(array.capacity, 15000);
    ck_assert_uint_eq(array.count, 10000);
    fixture_close(fixture);
}
END_TEST

static const struct {
    size_t offset, line, column;
} places[] = {
    {0, 1, 1}, {1, 1, 2}, {3, 1, 3}, {4, 1, 4}, {5, 2, 1},
    {6, 2, 2}, {7, 2, 3}, {8, 3, 1}, {9, 4, 1}, {10, 4, 2},
};

/* Columns count characters: a µ of two bytes and a tab are one each. */
START_TEST(positions_count_characters)
{
    Fixture *fixture = fixture_open();
    const char *text = "aµb\n\tc\n\nd";
    const Source *source = source_from_text(fixture->arena, "s", text, strlen(text));
    Position position = source_position(source, places[_i].offset);
    ck_assert_uint_eq(position.line, places[_i].line);
    ck_assert_uint_eq(position.column, places[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(lines_are_without_their_ends)
{
    Fixture *fixture = fixture_open();
    size_t length;
    const Source *source = source_from_text(fixture->arena, "s", "ab\ncde\n", 7);
    ck_assert_mem_eq(source_line(source, 4, &length), "cde", 3);
    ck_assert_uint_eq(length, 3);
    source_line(source, 2, &length);
    ck_assert_uint_eq(length, 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(texts_know_their_pieces)
{
    Fixture *fixture = fixture_open();
    Text text = text_of(fixture, "binomial");
    Text piece = text_slice(text, 2, 3);
    ck_assert(text_equals(piece, "nom"));
    ck_assert(!text_equals(piece, "no") && !text_equals(piece, "nomi"));
    ck_assert_uint_eq(piece.span.offset, 2);
    ck_assert_uint_eq(text_span(piece, 1, 2).offset, 3);
    fixture_close(fixture);
}
END_TEST

/* Each mark must stand below what it marks. */
static const struct {
    const char *text;
    size_t offset, length;
    const char *line, *caret;
} marks[] = {
    {"send: rot", 6, 3, "  send: rot\n", "        ^~~\n"},
    {"µµ: rot", 6, 3, "  µµ: rot\n", "      ^~~\n"},
    {"a: µµ", 3, 4, "  a: µµ\n", "     ^~\n"},
    {"\tx: rot", 4, 3, "   x: rot\n", "      ^~~\n"},
    {"a\nb: rot\nc", 5, 3, "  b: rot\n", "     ^~~\n"},
    {"a: [1\n2]", 3, 5, "  a: [1\n", "     ^~\n"},
    {"ab", 2, 0, "  ab\n", "    ^\n"},
};

START_TEST(carets_stand_below)
{
    Fixture *fixture = fixture_open();
    const Source *source =
        source_from_text(fixture->arena, "s", marks[_i].text, strlen(marks[_i].text));
    diag_error(&fixture->diag, (Span){source, marks[_i].offset, marks[_i].length}, "wrong");
    const char *messages = take_messages(fixture);
    const char *excerpt = arena_printf(fixture->arena, "%s%s", marks[_i].line, marks[_i].caret);
    ck_assert_msg(strstr(messages, excerpt) != NULL, "%s", messages);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_long_line_is_cut_around_the_caret)
{
    Fixture *fixture = fixture_open();
    char text[5001];
    memset(text, 'x', 5000);
    memcpy(text + 4000, "rot", 3);
    const Source *source = source_from_text(fixture->arena, "s", text, 5000);
    diag_error(&fixture->diag, (Span){source, 4000, 3}, "wrong");
    const char *messages = take_messages(fixture);
    ck_assert_uint_lt(strlen(messages), 1000);
    const char *line = strchr(messages, '\n') + 1, *caret = strchr(line, '\n') + 1;
    ck_assert_mem_eq(line + strcspn(caret, "^"), "rot", 3);
    fixture_close(fixture);
}
END_TEST

START_TEST(errors_are_counted_beyond_the_limit)
{
    Fixture *fixture = fixture_open();
    for (int i = 0; i < 100; i++) {
        diag_error(&fixture->diag, NOWHERE, "wrong %d", i);
        diag_note(&fixture->diag, NOWHERE, "note %d", i);
    }
    ck_assert_uint_eq(fixture->diag.error_count, 100);
    size_t last = fixture->diag.error_limit - 1;
    const char *messages = take_messages(fixture);
    ck_assert(strstr(messages, arena_printf(fixture->arena, "wrong %zu\n", last)));
    ck_assert(strstr(messages, arena_printf(fixture->arena, "note %zu\n", last)));
    ck_assert(!strstr(messages, arena_printf(fixture->arena, "wrong %zu\n", last + 1)));
    ck_assert(!strstr(messages, arena_printf(fixture->arena, "note %zu\n", last + 1)));
    fixture_close(fixture);
}
END_TEST

START_TEST(warnings_are_no_errors)
{
    Fixture *fixture = fixture_open();
    diag_warning(&fixture->diag, NOWHERE, "take care");
    ck_assert_uint_eq(fixture->diag.error_count, 0);
    ck_assert(strstr(take_messages(fixture), "take care"));
    Diag silent = diag_silent();
    diag_error(&silent, NOWHERE, "nobody hears this");
    ck_assert_uint_eq(silent.error_count, 1);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    int count;
    Severity severity;
    Position position;
    char message[100], marked[100];
    const Source *source;
} Heard;

static void hear(void *user, const Diagnostic *diagnostic)
{
    Heard *heard = user;
    heard->count++;
    heard->severity = diagnostic->severity;
    heard->position = diagnostic->position;
    heard->source = diagnostic->source;
    snprintf(heard->message, sizeof heard->message, "%s", diagnostic->message);
    snprintf(heard->marked, sizeof heard->marked, "%.*s", (int)diagnostic->caret_length,
             diagnostic->line ? diagnostic->line + diagnostic->caret : "");
}

START_TEST(handlers_get_records)
{
    Fixture *fixture = fixture_open();
    Heard heard = {0};
    Diag diag = diag_create(hear, &heard);
    const Source *source = source_from_text(fixture->arena, "s", "a\nsend: rot\nb", 13);
    diag_error(&diag, (Span){source, 8, 5}, "unknown %s", "name");
    ck_assert_int_eq(heard.severity, SEVERITY_ERROR);
    ck_assert_str_eq(heard.message, "unknown name");
    ck_assert_str_eq(heard.marked, "rot");
    ck_assert(heard.source == source && heard.position.line == 2 && heard.position.column == 7);
    diag_note(&diag, NOWHERE, "a hint");
    ck_assert_int_eq(heard.severity, SEVERITY_NOTE);
    ck_assert_ptr_null(heard.source);
    ck_assert_str_eq(heard.marked, "");
    ck_assert_int_eq(heard.count, 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_note_has_no_place_of_its_own)
{
    Fixture *fixture = fixture_open();
    Heard heard = {0};
    Diag diag = diag_create(hear, &heard);
    diag.line = text_of(fixture, "cost reduce").span;
    diag_warning(&diag, NOWHERE, "take care");
    ck_assert_int_eq(heard.severity, SEVERITY_WARNING);
    ck_assert_ptr_eq(heard.source, diag.line.source);
    diag_note(&diag, NOWHERE, "a hint");
    ck_assert_ptr_null(heard.source);
    fixture_close(fixture);
}
END_TEST

START_TEST(long_messages_are_cut)
{
    Fixture *fixture = fixture_open();
    char *word = arena_alloc(fixture->arena, 5001);
    memset(word, 'x', 5000);
    diag_error(&fixture->diag, NOWHERE, "%s", word);
    const char *messages = take_messages(fixture);
    ck_assert_uint_eq(strlen(messages), strlen("collcost: error: ") + 2000 + strlen("...\n"));
    ck_assert_str_eq(strstr(messages, "x."), "x...\n");
    fixture_close(fixture);
}
END_TEST

static const char *const candidates[] = {"binomial", "chain", "flat", "root", "p"};

static const struct {
    const char *word, *nearest;
} words[] = {{"binomal", "binomial"},
             {"chian", "chain"},
             {"rot", "root"},
             {"roots", "root"},
             {"Flat", "flat"},
             {"hypercube", NULL},
             {"q", NULL},
             {"xyz", NULL},
             {"", NULL},
             {"binomial", "binomial"}};

START_TEST(near_words_are_suggested)
{
    Fixture *fixture = fixture_open();
    const char *nearest = diag_nearest(words[_i].word, strlen(words[_i].word), candidates, 5);
    if (words[_i].nearest)
        ck_assert_str_eq(nearest, words[_i].nearest);
    else
        ck_assert_ptr_null(nearest);
    diag_suggest(&fixture->diag, text_of(fixture, words[_i].word), candidates, 5);
    ck_assert_int_eq(strlen(take_messages(fixture)) > 0, words[_i].nearest != NULL);
    fixture_close(fixture);
}
END_TEST

Suite *diag_suite(void)
{
    Suite *suite = suite_create("diag");
    TCase *places_case = tcase_create("places");
    tcase_add_test(places_case, arrays_keep_their_items);
    tcase_add_loop_test(places_case, positions_count_characters, 0, sizeof places / sizeof *places);
    tcase_add_test(places_case, lines_are_without_their_ends);
    tcase_add_test(places_case, texts_know_their_pieces);
    suite_add_tcase(suite, places_case);
    TCase *messages = tcase_create("messages");
    tcase_add_loop_test(messages, carets_stand_below, 0, sizeof marks / sizeof *marks);
    tcase_add_test(messages, a_long_line_is_cut_around_the_caret);
    tcase_add_test(messages, errors_are_counted_beyond_the_limit);
    tcase_add_test(messages, warnings_are_no_errors);
    tcase_add_test(messages, handlers_get_records);
    tcase_add_test(messages, a_note_has_no_place_of_its_own);
    tcase_add_test(messages, long_messages_are_cut);
    tcase_add_loop_test(messages, near_words_are_suggested, 0, sizeof words / sizeof *words);
    suite_add_tcase(suite, messages);
    return suite;
}
