#include "format/paper.h"

#include "base/buffer.h"
#include "format/text_table.h"
#include "lang/informal.h"
#include "lang/show.h"

#include <string.h>

/* The columns of a document's table, in their order. */
typedef struct {
    const Paper *paper;
    size_t *items;
    size_t count;
} Selection;

/* A line above or below the headings, with a piece for each column. */
typedef struct {
    const char *begin, *of_number, *of_text, *end;
} PaperRule;

/* How a kind of document is written. */
typedef struct {
    const char *note, *end_note; /* around the line above */
    PaperRule above, below_headings;
    const char *row, *between, *end_row;
    const char *end;
    const char *heading, *cell; /* elements of XML; NULL: texts by themselves */
    const char *(*text)(Arena *arena, PaperKind kind, const char *text);
} Markup;

static bool is_value(const char *cell)
{
    return cell_is_value(cell, false);
}

static const char *cell_at(const Paper *paper, size_t row, size_t column)
{
    return paper->cells[row * paper->column_count + column];
}

static bool has_values(const Paper *paper, size_t column)
{
    const bool drops_zeros = paper->is_brief && paper->columns[column].kind == PAPER_NUMBER;
    for (size_t row = 0; row < paper->row_count && paper->columns[column].heading; row++)
        if (cell_is_value(cell_at(paper, row, column), drops_zeros))
            return true;
    return false;
}

static void write_row(Arena *arena, FILE *stream, const Selection *columns, const Markup *markup,
                      const char *const *cells)
{
    const Paper *paper = columns->paper;
    fputs(markup->row, stream);
    for (size_t i = 0; i < columns->count; i++) {
        const PaperColumn *column = &paper->columns[columns->items[i]];
        const char *element = cells ? markup->cell : markup->heading;
        fputs(i ? markup->between : "", stream);
        if (element)
            fprintf(stream, "<%s%s>", element,
                    column->kind == PAPER_NUMBER ? " class=\"number\"" : "");
        fputs(cells ? markup->text(arena, column->kind, cells[columns->items[i]])
                    : markup->text(arena, PAPER_TEXT, column->heading),
              stream);
        if (element)
            fprintf(stream, "</%s>", element);
    }
    fputs(markup->end_row, stream);
}

static void write_rule(FILE *stream, const Selection *columns, const PaperRule *rule)
{
    fputs(rule->begin, stream);
    for (size_t i = 0; i < columns->count; i++) {
        bool is_number = columns->paper->columns[columns->items[i]].kind == PAPER_NUMBER;
        fputs(is_number ? rule->of_number : rule->of_text, stream);
    }
    fputs(rule->end, stream);
}

static void write_table(Arena *arena, FILE *stream, const Paper *paper, const Markup *markup)
{
    Selection columns = {paper, ARENA_ARRAY(arena, size_t, paper->column_count + 1), 0};
    const char *before = markup->note;
    for (size_t i = 0; i < paper->column_count; i++) {
        const PaperColumn *column = &paper->columns[i];
        bool is_above = column->is_setting; /* the same in all rows */
        if (!has_values(paper, i))
            continue;
        for (size_t row = 1; row < paper->row_count && is_above; row++)
            is_above = strcmp(cell_at(paper, row, i), cell_at(paper, 0, i)) == 0;
        if (!is_above) {
            columns.items[columns.count++] = i;
        } else if (!paper->is_brief) {
            fprintf(stream, "%s%s: %s", before, markup->text(arena, PAPER_TEXT, column->heading),
                    markup->text(arena, column->kind, cell_at(paper, 0, i)));
            before = "; ";
        }
    }
    fputs(before == markup->note ? "" : markup->end_note, stream);
    if (columns.count == 0)
        return;
    write_rule(stream, &columns, &markup->above);
    write_row(arena, stream, &columns, markup, NULL);
    write_rule(stream, &columns, &markup->below_headings);
    for (size_t row = 0; row < paper->row_count; row++)
        write_row(arena, stream, &columns, markup, paper->cells + row * paper->column_count);
    fputs(markup->end, stream);
}

/* The text with `escape` in front of each of the characters. */
static const char *escape(Arena *arena, const char *text, const char *characters)
{
    char *escaped = arena_alloc(arena, 2 * strlen(text) + 1), *end = escaped;
    for (; *text; text++) {
        if (strchr(characters, *text))
            *end++ = '\\';
        *end++ = *text;
    }
    *end = '\0';
    return escaped;
}

/* A formula is code, in which only bars mean something to tables. */
static const char *markdown_cell(Arena *arena, PaperKind kind, const char *text)
{
    if (kind == PAPER_FORMULA && is_value(text))
        return arena_printf(arena, "`%s`", escape(arena, text, "|"));
    return escape(arena, text, "\\`*_[]<>|#");
}

const char *paper_escape_latex(Arena *arena, const char *text)
{
    static const struct {
        char sign;
        const char *written;
    } signs[] = {{'\\', "\\textbackslash{}"}, {'^', "\\textasciicircum{}"},
                 {'~', "\\textasciitilde{}"}, {'<', "\\textless{}"},
                 {'>', "\\textgreater{}"},    {'|', "\\textbar{}"}};
    Buffer escaped = {.arena = arena};
    for (; *text; text++) {
        const char *written = NULL;
        for (size_t i = 0; i < COUNT_OF(signs); i++)
            if (signs[i].sign == *text)
                written = signs[i].written;
        if (written)
            buffer_printf(&escaped, "%s", written);
        else
            buffer_printf(&escaped, "%s%c", strchr("%&#$_{}", *text) ? "\\" : "", *text);
    }
    return escaped.items ? escaped.items : "";
}

static const char *latex_cell(Arena *arena, PaperKind kind, const char *text)
{
    if (!is_value(text))
        return *text ? "--" : "";
    if (kind == PAPER_FORMULA) {
        const Expr *expr = informal_formula(arena, source_argument(arena, "formula", text), NULL);
        return expr ? arena_printf(arena, "$%s$", expr_latex(arena, expr))
                    : paper_escape_latex(arena, text);
    }
    const char *unit = kind == PAPER_NUMBER ? strchr(text, ' ') : NULL;
    if (!unit)
        return paper_escape_latex(arena, text);
    /* "1.5 us": a thin space, and a Greek letter. */
    const char *letter = strcmp(unit, " us") == 0 ? "$\\mu$s" : paper_escape_latex(arena, unit + 1);
    return arena_printf(arena, "%.*s\\,%s", (int)(unit - text), text, letter);
}

static const char *html_text(Arena *arena, PaperKind kind, const char *text)
{
    Buffer escaped = {.arena = arena};
    for (const char *at = text; *at; at++)
        buffer_printf(&escaped, "%s",
                      *at == '&'   ? "&amp;"
                      : *at == '<' ? "&lt;"
                      : *at == '>' ? "&gt;"
                                   : (char[2]){*at, '\0'});
    if (!escaped.items)
        return "";
    return kind == PAPER_FORMULA && is_value(text)
               ? arena_printf(arena, "<code>%s</code>", escaped.items)
               : escaped.items;
}

static const Markup markups[] = {
    [PAPER_MARKDOWN] =
        {
            .note = "",
            .end_note = "\n\n",
            .row = "| ",
            .between = " | ",
            .end_row = " |\n",
            .above = {"", "", "", ""},
            .below_headings = {"", "|---:", "|---", "|\n"},
            .end = "",
            .text = markdown_cell,
        },
    [PAPER_LATEX] =
        {
            .note = "% ",
            .end_note = "\n\n",
            .above = {"\\begin{tabular}{", "r", "l", "}\n\\toprule\n"},
            .row = "",
            .between = " & ",
            .end_row = " \\\\\n",
            .below_headings = {"\\midrule\n", "", "", ""},
            .end = "\\bottomrule\n\\end{tabular}\n",
            .text = latex_cell,
        },
    [PAPER_HTML] =
        {
            .note = "<p>",
            .end_note = "</p>\n",
            .above = {"<table>\n<thead>\n", "", "", ""},
            .row = "<tr>",
            .between = "",
            .end_row = "</tr>\n",
            .below_headings = {"</thead>\n<tbody>\n", "", "", ""},
            .end = "</tbody>\n</table>\n",
            .heading = "th",
            .cell = "td",
            .text = html_text,
        },
};

void paper_write(Arena *arena, FILE *stream, PaperMarkup markup, const Paper *paper)
{
    /* A record: a line for each column that has a value. */
    static const PaperColumn headings[] = {{"quantity", PAPER_TEXT, false},
                                           {"value", PAPER_TEXT, false}};
    const char **cells = ARENA_ARRAY(arena, const char *, 2 * paper->column_count + 1);
    Paper turned = {.columns = headings, .column_count = 2, .cells = cells};
    for (size_t i = 0; i < paper->column_count && paper->is_record; i++)
        if (has_values(paper, i)) {
            cells[2 * turned.row_count] = paper->columns[i].heading;
            cells[2 * turned.row_count++ + 1] = cell_at(paper, 0, i);
        }
    write_table(arena, stream, paper->is_record ? &turned : paper, &markups[markup]);
}
