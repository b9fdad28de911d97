/* Tables: rows for people as text, for programs as CSV or JSON, for documents as Markdown, LaTeX or
   HTML, which have the rows of programs and the cells of people.

   keys.def lists the quantities of answers, each under one key with one meaning; tables.def lists
   the tables with their columns. A row is written by key: put_number(table, KEY_total_s, 1e-6).
   Programs get SI base units with the fewest digits that read back; people get scaled units. What
   is not put into a row, and a number that is not finite, is `null` in JSON, empty in CSV and "-"
   in text. CSV and JSON rows are written as they come, others when the table is closed. */
#ifndef COLLCOST_FORMAT_TABLE_H
#define COLLCOST_FORMAT_TABLE_H

#include "base/array.h"
#include "base/source.h"

#include <stdio.h>

typedef enum {
    FORMAT_TEXT,
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_MARKDOWN,
    FORMAT_LATEX,
    FORMAT_HTML,
    FORMAT_COUNT
} Format;
/* "text", "csv", ... */
extern const char *const format_names[FORMAT_COUNT];
/* FORMAT_COUNT: there is none of that name. */
Format format_find(Text name);

typedef enum {
    COLUMN_TEXT,
    COLUMN_FORMULA, /* text in the language of models, or as `cost` prints symbols */
    COLUMN_LIST,    /* of strings: a JSON array; joined by blanks elsewhere */
    COLUMN_INT,
    COLUMN_REAL,
    COLUMN_SECONDS,
    COLUMN_BYTES,
    COLUMN_BANDWIDTH, /* bytes/s */
    COLUMN_RATIO,
    COLUMN_SHARE, /* of 1; per cent for people */
    COLUMN_BOOL,
    COLUMN_VALUE, /* a number, a text or a truth value */
    COLUMN_ROWS   /* rows of another table, in JSON only */
} ColumnKind;

/* KEY_total_s, ...: what a column holds. */
typedef enum {
#define HOMONYM(id, key, kind, meaning) KEY_##id,
#include "format/keys.def"
    KEY_COUNT
} Key;

typedef struct {
    const char *name; /* for programs; NULL: not for programs */
    ColumnKind kind;
    const char *meaning;
} KeyInfo;
extern const KeyInfo key_info[KEY_COUNT];

/* TABLE_cost, ... */
typedef enum {
#define RECORD(id, meaning) TABLE_##id,
#define TABLE(id, meaning) TABLE_##id,
#include "format/tables.def"
    TABLE_COUNT
} TableId;

/* Who sees a column. OPTIONALLY: nobody, unless table_include() asks for it. */
typedef enum { SEEN_BY_ALL, SEEN_BY_PEOPLE, SEEN_IN_CSV, SEEN_OPTIONALLY } ColumnUse;

typedef struct {
    Key key;
    const char *title; /* for people; NULL: not for people */
    ColumnUse use;
    bool can_be_null;
    TableId rows; /* of COLUMN_ROWS */
} Column;

typedef struct {
    const char *name, *meaning;
    bool is_record; /* it has one row, which is an object in JSON */
    const Column *columns;
    size_t column_count;
} TableInfo;
extern const TableInfo table_info[TABLE_COUNT];

typedef struct Table Table;

/* Nothing is written before the first row or the end. */
Table *table_open(Arena *arena, FILE *stream, Format format, TableId id);
/* As text it is to fit into so many characters (text_table.h); 0: it takes what it needs. With
   `drops_empty` it has for people no columns in which every cell is 0 or "-", and in documents no
   line above it. */
void table_fit(Table *table, size_t width, bool drops_empty);
/* As text: the first of several rows, the best, is bold. */
void table_mark_first(Table *table);
/* Changes of the columns, before the first row: an optional column is shown, a column is shown to
   nobody, a column has another heading for people (NULL: none). */
void table_include(Table *table, Key key);
void table_hide(Table *table, Key key);
void table_title(Table *table, Key key, const char *title);

/* Cells of the row that is being made, in any order. The table must have the column, and it must
   be of the right kind; it may be hidden. Texts are not copied. */
void put_text(Table *table, Key key, const char *text); /* NULL: nothing */
void put_number(Table *table, Key key, double number);  /* also whole ones, below 2^53 */
void put_bool(Table *table, Key key, bool value);
void put_list(Table *table, Key key, const char *const *items, size_t count);
/* One of these, by the type of the value. */
#define put_value(table, key, value)                                                               \
    _Generic((value), const char *                                                                 \
             : put_text, char *                                                                    \
             : put_text, bool                                                                      \
             : put_bool, default                                                                   \
             : put_number)(table, key, value)
/* Up to ten members of the struct that `row` points to, each under the key of its name:
   PUT(table, row, rounds, total_s) puts row->rounds under KEY_rounds, ... */
#define PUT(table, row, ...) EACH_MEMBER(PUT_MEMBER, table, row, __VA_ARGS__)
#define PUT_MEMBER(table, row, member) put_value(table, KEY_##member, (row)->member)
/* Times whose keys say so: KEY_hop_s of the member `hop`. */
#define PUT_TIMES(table, row, ...) EACH_MEMBER(PUT_TIME, table, row, __VA_ARGS__)
#define PUT_TIME(table, row, member) put_number(table, KEY_##member##_s, (row)->member)
/* do(to, row, member) for each member, of up to ten. */
#define EACH_MEMBER(do, to, row, ...)                                                              \
    EACH_PICK(__VA_ARGS__, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3,        \
              EACH_2, EACH_1, )                                                                    \
    (do, to, row, __VA_ARGS__)
#define EACH_PICK(a, b, c, d, e, f, g, h, i, j, count, ...) count
#define EACH_1(do, t, r, m)                                                                        \
    do                                                                                             \
    (t, r, m)
#define EACH_2(do, t, r, m, ...) (do(t, r, m), EACH_1(do, t, r, __VA_ARGS__))
#define EACH_3(do, t, r, m, ...) (do(t, r, m), EACH_2(do, t, r, __VA_ARGS__))
#define EACH_4(do, t, r, m, ...) (do(t, r, m), EACH_3(do, t, r, __VA_ARGS__))
#define EACH_5(do, t, r, m, ...) (do(t, r, m), EACH_4(do, t, r, __VA_ARGS__))
#define EACH_6(do, t, r, m, ...) (do(t, r, m), EACH_5(do, t, r, __VA_ARGS__))
#define EACH_7(do, t, r, m, ...) (do(t, r, m), EACH_6(do, t, r, __VA_ARGS__))
#define EACH_8(do, t, r, m, ...) (do(t, r, m), EACH_7(do, t, r, __VA_ARGS__))
#define EACH_9(do, t, r, m, ...) (do(t, r, m), EACH_8(do, t, r, __VA_ARGS__))
#define EACH_10(do, t, r, m, ...) (do(t, r, m), EACH_9(do, t, r, __VA_ARGS__))
/* What people see in place of the value, or of "-" where there is none. */
void put_shown(Table *table, Key key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the row. */
void table_row(Table *table);
/* What was put since the last row, or is kept already, stands in all rows that follow. */
void table_keep(Table *table);
/* Of a record in JSON: writes what stands in front of the column, and its key. Its rows follow, as
   a table of their own on the same stream. */
void table_nest(Table *table, Key key);
/* A record ends without table_row: what was put is its row. */
void table_close(Table *table);

/* A string as JSON, with its quotes. */
void json_string(FILE *stream, const char *text);
/* A number with the fewest digits that read back, or null. */
void json_number(FILE *stream, double number);

#endif
