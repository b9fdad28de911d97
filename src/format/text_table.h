/* Tables for people, as text: columns are aligned, with two blanks between them.

   Where a table is wider than the terminal, columns in which every cell is 0 or "-" are left out,
   and a line below names them; then headings, then texts are broken into several lines. Columns for
   which there is still no room follow below, after the first column once more. */
#ifndef COLLCOST_FORMAT_TEXT_TABLE_H
#define COLLCOST_FORMAT_TEXT_TABLE_H

#include "base/arena.h"

#include <stdio.h>

typedef struct {
    const char *heading;
    bool is_left; /* a text, which may be broken; else a number */
} TextColumn;

/* Is there a value in the cell, other than "0", "0 s" or "0%" if these count for nothing? */
bool cell_is_value(const char *cell, bool drops_zeros);

/* Cells row by row. */
typedef struct {
    const TextColumn *columns;
    size_t column_count, row_count;
    const char *const *cells;
    size_t width;     /* characters of a line; 0: as many as it takes */
    bool drops_empty; /* columns in which every cell is 0 or "-" are left out, wide or not */
    bool marks_first; /* the first row is bold, as terminals have it */
} TextTable;

void text_table_write(Arena *arena, FILE *stream, const TextTable *table);

/* A line, broken at `width` as texts of tables are; what does not fit follows, two blanks in if it
   `hangs`. */
void text_line_write(FILE *stream, const char *text, size_t width, bool hangs);

/* A line with a title. */
typedef struct {
    const char *title, *text;
} TitledLine;
/* The texts aligned behind the titles, broken at `width` as tables are. */
void titled_write(FILE *stream, const TitledLine *lines, size_t count, size_t width);

#endif
