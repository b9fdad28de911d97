#include "format/table.h"

#include "unit.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What a table writes. */
typedef struct {
    Fixture *fixture;
    FILE *stream;
    char *text;
    size_t length;
    Table *table;
} Written;

static void begin(Written *written, Format format, TableId id)
{
    *written = (Written){.fixture = fixture_open()};
    written->stream = open_memstream(&written->text, &written->length);
    written->table = table_open(written->fixture->arena, written->stream, format, id);
}

static void finish(Written *written, const char *expected)
{
    table_close(written->table);
    fclose(written->stream);
    ck_assert_str_eq(written->text, expected);
    free(written->text);
    fixture_close(written->fixture);
}

/* Two rows of `partition`: one with all cells, in another order than that of the columns. */
static void put_rows(Table *table)
{
    put_number(table, KEY_share, 0.25);
    put_text(table, KEY_columns, "0, 2");
    put_number(table, KEY_rank, 0);
    put_number(table, KEY_elements, 1e6);
    put_text(table, KEY_rows, "0..2");
    table_row(table);
    put_number(table, KEY_rank, 1);
    put_number(table, KEY_share, NAN);
    put_text(table, KEY_rows, NULL);
    put_shown(table, KEY_elements, "none");
    table_row(table);
}

START_TEST(rows_are_written_by_key)
{
    static const char *const expected[FORMAT_COUNT] = {
        [FORMAT_TEXT] = "rank  rows  columns  elements  share\n"
                        "   0  0..2  0, 2      1000000  0.250\n"
                        "   1  -     -            none      -\n",
        [FORMAT_CSV] = "rank,rows,columns,elements,share\n"
                       "0,0..2,\"0, 2\",1000000,0.25\n"
                       "1,,,,\n",
        [FORMAT_JSON] =
            "[\n"
            "  {\"rank\": 0, \"rows\": \"0..2\", \"columns\": \"0, 2\", \"elements\": 1000000, "
            "\"share\": 0.25},\n"
            "  {\"rank\": 1, \"rows\": null, \"columns\": null, \"elements\": null, "
            "\"share\": null}\n"
            "]\n",
        [FORMAT_MARKDOWN] = "| rank | rows | columns | elements | share |\n"
                            "|---:|---|---|---:|---:|\n"
                            "| 0 | 0..2 | 0, 2 | 1000000 | 0.250 |\n"
                            "| 1 | - | - | none | - |\n",
        [FORMAT_LATEX] = "\\begin{tabular}{rllrr}\n\\toprule\n"
                         "rank & rows & columns & elements & share \\\\\n\\midrule\n"
                         "0 & 0..2 & 0, 2 & 1000000 & 0.250 \\\\\n"
                         "1 & -- & -- & none & -- \\\\\n"
                         "\\bottomrule\n\\end{tabular}\n",
        [FORMAT_HTML] =
            "<table>\n<thead>\n<tr><th class=\"number\">rank</th><th>rows</th><th>columns</th>"
            "<th class=\"number\">elements</th><th "
            "class=\"number\">share</th></tr>\n</thead>\n<tbody>\n"
            "<tr><td class=\"number\">0</td><td>0..2</td><td>0, 2</td><td "
            "class=\"number\">1000000</td>"
            "<td class=\"number\">0.250</td></tr>\n"
            "<tr><td class=\"number\">1</td><td>-</td><td>-</td><td class=\"number\">none</td>"
            "<td class=\"number\">-</td></tr>\n</tbody>\n</table>\n",
    };
    Written written;
    begin(&written, (Format)_i, TABLE_partition);
    put_rows(written.table);
    finish(&written, expected[_i]);
}
END_TEST

START_TEST(no_rows_are_a_table_too)
{
    static const char *const expected[FORMAT_COUNT] = {"", "kind,name,summary\n", "[]\n", "", "",
                                                       ""};
    Written written;
    begin(&written, (Format)_i, TABLE_list);
    finish(&written, expected[_i]);
}
END_TEST

START_TEST(columns_are_included_hidden_and_named)
{
    Written written;
    begin(&written, FORMAT_TEXT, TABLE_bound);
    table_include(written.table, KEY_nccl_bytes);
    table_hide(written.table, KEY_formula);
    table_hide(written.table, KEY_for_any_p);
    table_title(written.table, KEY_reason, "why");
    put_text(written.table, KEY_topology, "full:8");
    put_number(written.table, KEY_nccl_bytes, 2048);
    put_text(written.table, KEY_formula, "hidden");
    put_bool(written.table, KEY_binding, true);
    table_row(written.table);
    finish(&written, "topology  size  nccl size  kind  bound  binding  why\n"
                     "full:8       -      2 KiB  -         -  yes      -\n");
}
END_TEST

START_TEST(the_first_of_several_rows_is_bold)
{
    Written written;
    begin(&written, FORMAT_TEXT, TABLE_list);
    table_mark_first(written.table);
    for (int i = 0; i < 2; i++) {
        put_text(written.table, KEY_kind, "machine");
        put_text(written.table, KEY_name, i ? "b" : "a");
        table_row(written.table);
    }
    finish(&written, "kind     name  summary\n"
                     "\033[1mmachine  a     -\n\033[0m"
                     "machine  b     -\n");
}
END_TEST

START_TEST(what_is_kept_stands_in_all_rows)
{
    Written written;
    begin(&written, FORMAT_CSV, TABLE_list);
    put_text(written.table, KEY_kind, "machine");
    table_keep(written.table);
    put_text(written.table, KEY_name, "a");
    table_row(written.table);
    table_row(written.table);
    put_text(written.table, KEY_kind, "topology");
    table_row(written.table);
    finish(&written, "kind,name,summary\nmachine,a,\nmachine,,\ntopology,,\n");
}
END_TEST

START_TEST(rows_stand_in_a_record)
{
    Written written;
    begin(&written, FORMAT_JSON, TABLE_verify);
    table_nest(written.table, KEY_runs);
    table_close(table_open(written.fixture->arena, written.stream, FORMAT_JSON, TABLE_verify_runs));
    table_nest(written.table, KEY_claims);
    table_close(
        table_open(written.fixture->arena, written.stream, FORMAT_JSON, TABLE_verify_claims));
    put_number(written.table, KEY_failed, 2);
    finish(&written, "{\"runs\": []\n, \"claims\": []\n, \"passed\": null, \"failed\": 2}\n");
}
END_TEST

START_TEST(a_column_that_is_not_there_is_refused)
{
    Written written;
    begin(&written, FORMAT_JSON, TABLE_list);
    put_number(written.table, KEY_total_s, 1);
}
END_TEST

START_TEST(a_value_of_another_kind_is_refused)
{
    Written written;
    begin(&written, FORMAT_JSON, TABLE_cost);
    put_text(written.table, KEY_total_s, "1 s");
}
END_TEST

/* A name that programs see twice in a row would be lost. */
START_TEST(no_table_has_a_key_twice)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        for (size_t i = 0; i < table_info[t].column_count; i++)
            for (size_t j = 0; j < i; j++) {
                const Column *a = &table_info[t].columns[i], *b = &table_info[t].columns[j];
                const char *name = key_info[a->key].name, *other = key_info[b->key].name;
                ck_assert_msg(a->key != b->key && !(name && other && strcmp(name, other) == 0),
                              "%s has %s twice", table_info[t].name, name ? name : "a column");
            }
}
END_TEST

Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *writing = tcase_create("writing");
    tcase_add_loop_test(writing, rows_are_written_by_key, 0, FORMAT_COUNT);
    tcase_add_loop_test(writing, no_rows_are_a_table_too, 0, FORMAT_COUNT);
    tcase_add_test(writing, columns_are_included_hidden_and_named);
    tcase_add_test(writing, the_first_of_several_rows_is_bold);
    tcase_add_test(writing, what_is_kept_stands_in_all_rows);
    tcase_add_test(writing, rows_stand_in_a_record);
    const char *fork = getenv("CK_FORK");
    if (!fork ||
        strcmp(fork, "no") != 0) { /* else the one process would end here, and its tests with it */
        tcase_add_test_raise_signal(writing, a_column_that_is_not_there_is_refused, SIGABRT);
        tcase_add_test_raise_signal(writing, a_value_of_another_kind_is_refused, SIGABRT);
    }
    tcase_add_test(writing, no_table_has_a_key_twice);
    suite_add_tcase(suite, writing);
    return suite;
}
