/* Tables for documents: Markdown with pipes, LaTeX with booktabs, HTML. Columns without any value
   are left out. */
#ifndef COLLCOST_FORMAT_PAPER_H
#define COLLCOST_FORMAT_PAPER_H

#include "base/arena.h"

#include <stdio.h>

typedef enum { PAPER_TEXT, PAPER_NUMBER, PAPER_FORMULA } PaperKind;

typedef struct {
    const char *heading; /* NULL: it is left out */
    PaperKind kind;
    bool is_setting; /* stands in a line above the table where it is the same in all rows */
} PaperColumn;

/* Cells row by row, as people read them; "-" where there is no value. In a record, of one row, each
   column is a line. */
typedef struct {
    const PaperColumn *columns;
    size_t column_count, row_count;
    const char *const *cells;
    bool is_record;
    bool is_brief; /* no line above the table, and no columns in which all numbers are 0 */
} Paper;

/* LaTeX is for a document that loads booktabs and, for formulas with cases, amsmath. HTML is a
   table element, and a paragraph before it where columns are the same in all rows; numbers are of
   the class "number". */
typedef enum { PAPER_MARKDOWN, PAPER_LATEX, PAPER_HTML } PaperMarkup;
void paper_write(Arena *arena, FILE *stream, PaperMarkup markup, const Paper *paper);
/* A text in which nothing means anything to LaTeX any more. */
const char *paper_escape_latex(Arena *arena, const char *text);

#endif
