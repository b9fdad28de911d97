/* Tables: rows for people as text, for programs as CSV or JSON.

   A column has a stable key for programs and a title for people. Programs get SI base units with 17
   digits; people get scaled units. A number that is missing or not finite is `null` in JSON and
   empty in CSV. CSV and JSON rows are written as they come, text rows when the table is closed. */
#ifndef COLLCOST_FORMAT_TABLE_H
#define COLLCOST_FORMAT_TABLE_H

#include "base/array.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_COUNT } Format;
/* "text", "csv", "json" */
extern const char *const format_names[FORMAT_COUNT];

typedef enum {
    COLUMN_TEXT,
    COLUMN_LIST, /* of strings: a JSON array; joined by blanks elsewhere */
    COLUMN_INT,
    COLUMN_REAL,
    COLUMN_SECONDS,
    COLUMN_BYTES,
    COLUMN_BANDWIDTH,
    COLUMN_RATIO,
    COLUMN_SHARE, /* of 1; per cent for people */
    COLUMN_BOOL
} ColumnKind;

typedef struct {
    const char *key;   /* for programs; NULL: not for programs */
    const char *title; /* for people; NULL: not for people */
    ColumnKind kind;
} Column;

/* Hides the column with this key, from programs and people; its cells stay and are ignored. */
void columns_hide(Column *columns, size_t count, const char *key);

typedef struct {
    bool missing;
    const char *text;
    const char *const *list;
    size_t list_count;
    double number;     /* also whole numbers, below 2^53 */
    const char *shown; /* for people, instead of the value; or NULL */
} Cell;

Cell cell_text(const char *text);
Cell cell_list(const char *const *items, size_t count);
Cell cell_number(double number);
Cell cell_bool(bool value);
Cell cell_missing(void);
/* The same value for programs, other words for people. */
Cell cell_shown(Cell cell, const char *shown);

typedef struct Table Table;

Table *table_open(Arena *arena, FILE *stream, Format format, const Column *columns, size_t count);
/* `cells` has one cell for each column. */
void table_row(Table *table, const Cell *cells);
void table_close(Table *table);

/* One record: a JSON object, a header and a line of CSV, or a line of text for each title with what
   is not missing. */
void record_write(Arena *arena, FILE *stream, Format format, const Column *columns, size_t count,
                  const Cell *cells);

/* A string as JSON, with its quotes. */
void json_string(FILE *stream, const char *text);
/* A number with 17 digits, or null. */
void json_number(FILE *stream, double number);

#endif
