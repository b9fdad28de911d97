#include "format/text_table.h"

#include "base/utf8.h"

#include <string.h>

/* A text is not made narrower than this for want of room; nor is one that is shorter. */
enum { GAP = 2, NARROW_TEXT = 16 };

/* A table while it is written. */
typedef struct {
    const TextTable *table;
    FILE *stream;
    size_t *shown; /* the columns of this part, by their numbers */
    size_t shown_count;
    size_t *full;     /* of each column: characters of its widest cell and heading */
    size_t *unbroken; /* where only the heading is broken */
    size_t *least;    /* where texts are broken, too */
    size_t *widths;   /* what it gets */
} Layout;

/* Columns of a terminal: characters, not bytes. */
static size_t width_of(const char *text)
{
    return utf8_count(text, strlen(text));
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* May a line end in front of text[at]? At blanks, and inside of names such as hier(ring+bine)
   behind their signs. */
static bool may_end(const char *text, size_t at)
{
    return text[at] == ' ' || text[at] == '\0' ||
           (at > 1 && strchr("+,/-", text[at - 1]) && text[at - 2] != ' ');
}

/* The bytes of the first line of a text that is broken at `width` characters: at a blank, if that
   leaves no more than half of the line empty. */
static size_t first_line(const char *text, size_t width)
{
    size_t end = 0, blank = 0, characters = 0, at = 0, wide = 0;
    for (; text[at]; at++) {
        const bool begins = ((unsigned char)text[at] & 0xC0) != 0x80;
        if (begins && at > 0 && may_end(text, at))
            end = at;
        if (text[at] == ' ')
            blank = at, wide = characters;
        if (begins && characters == width)
            return 2 * wide >= width ? blank : end ? end : at;
        characters += begins;
    }
    return at;
}

/* The rest of a text behind its first line. */
static const char *next_line(const char *text, size_t length)
{
    text += length;
    return text + strspn(text, " ");
}

static size_t longest_piece(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t length = 1;
        while (!may_end(text, length))
            length++;
        longest = larger(longest, utf8_count(text, length));
        text = next_line(text, length);
    }
    return longest;
}

static size_t total(const Layout *layout, const size_t *widths)
{
    size_t sum = 0;
    for (size_t i = 0; i < layout->shown_count; i++)
        sum += widths[layout->shown[i]] + (i ? GAP : 0);
    return sum;
}

/* Takes from the widest columns what is too much, down to `least`. */
static void narrow(Layout *layout, const size_t *least)
{
    for (size_t sum = total(layout, layout->widths); sum > layout->table->width; sum--) {
        size_t widest = SIZE_MAX;
        for (size_t i = 0; i < layout->shown_count; i++) {
            const size_t column = layout->shown[i];
            if (layout->widths[column] > least[column] &&
                (widest == SIZE_MAX || layout->widths[column] > layout->widths[widest]))
                widest = column;
        }
        if (widest == SIZE_MAX)
            return;
        layout->widths[widest]--;
    }
}

static void pad(FILE *stream, size_t count)
{
    while (count-- > 0)
        fputc(' ', stream);
}

/* One line of cells, of which texts[i] is what is left, after skips[i] empty lines. Empty cells at
   the end leave no blanks. Is anything left? */
static bool write_line(const Layout *layout, const char **texts, size_t *skips)
{
    size_t blanks = 0;
    bool is_more = false;
    for (size_t i = 0; i < layout->shown_count; i++) {
        const size_t column = layout->shown[i], width = layout->widths[column];
        const size_t length = skips[i] ? 0 : first_line(texts[i], width);
        const size_t gap = width - utf8_count(texts[i], length);
        const bool is_left = layout->table->columns[column].is_left;
        if (length > 0) {
            pad(layout->stream, blanks + (is_left ? 0 : gap));
            fwrite(texts[i], 1, length, layout->stream);
            blanks = GAP + (is_left ? gap : 0);
        } else {
            blanks += width + GAP;
        }
        if (skips[i])
            skips[i]--;
        else
            texts[i] = next_line(texts[i], length);
        is_more |= *texts[i] != '\0';
    }
    fputc('\n', layout->stream);
    return is_more;
}

static void write_part(Arena *arena, Layout *layout)
{
    const TextTable *table = layout->table;
    const char **texts = ARENA_ARRAY(arena, const char *, table->column_count);
    size_t *skips = ARENA_ARRAY(arena, size_t, table->column_count);
    memcpy(layout->widths, layout->full, table->column_count * sizeof *layout->widths);
    if (table->width && total(layout, layout->full) > table->width) {
        narrow(layout, layout->unbroken);
        narrow(layout, layout->least);
    }
    /* Headings end in the line above the cells. */
    size_t lines = 0;
    for (size_t i = 0; i < layout->shown_count; i++) {
        const char *text = texts[i] = layout->table->columns[layout->shown[i]].heading;
        for (skips[i] = 0; *text; skips[i]++)
            text = next_line(text, first_line(text, layout->widths[layout->shown[i]]));
        lines = larger(lines, skips[i]);
    }
    for (size_t i = 0; i < layout->shown_count; i++)
        skips[i] = lines - skips[i];
    while (write_line(layout, texts, skips))
        ;
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < layout->shown_count; i++)
            texts[i] = table->cells[row * table->column_count + layout->shown[i]];
        fputs(table->marks_first && row == 0 ? "\033[1m" : "", layout->stream);
        while (write_line(layout, texts, skips))
            ;
        fputs(table->marks_first && row == 0 ? "\033[0m" : "", layout->stream);
    }
}

bool cell_is_value(const char *cell, bool drops_zeros)
{
    const bool is_zero = cell[0] == '0' && (!cell[1] || strchr(" %", cell[1]));
    return *cell && strcmp(cell, "-") != 0 && !(drops_zeros && is_zero);
}

/* All columns that have something to say, in parts that fit. */
static void write_narrow(Arena *arena, Layout *layout)
{
    const TextTable *table = layout->table;
    bool *is_left_out = ARENA_ARRAY(arena, bool, table->column_count);
    const char *names = "";
    for (size_t i = 1; i < table->column_count; i++) {
        is_left_out[i] = true; /* without any value but 0 */
        for (size_t row = 0; row < table->row_count && is_left_out[i]; row++)
            is_left_out[i] = !cell_is_value(table->cells[row * table->column_count + i],
                                            !table->columns[i].is_left);
        if (is_left_out[i])
            names =
                arena_printf(arena, "%s%s%s", names, *names ? ", " : "", table->columns[i].heading);
    }
    size_t column = 1;
    do {
        layout->shown_count = 1; /* the first column */
        for (; column < table->column_count; column++) {
            if (is_left_out[column])
                continue;
            layout->shown[layout->shown_count++] = column;
            if (layout->shown_count > 2 && table->width &&
                total(layout, layout->least) > table->width) {
                layout->shown_count--;
                break;
            }
        }
        write_part(arena, layout);
        if (column < table->column_count)
            fputc('\n', layout->stream);
    } while (column < table->column_count);
    if (*names && !table->drops_empty)
        fprintf(layout->stream, "not shown, 0 or - in every row: %s\n", names);
}

void text_table_write(Arena *arena, FILE *stream, const TextTable *table)
{
    const size_t columns = table->column_count;
    Layout layout = {.table = table,
                     .stream = stream,
                     .shown = ARENA_ARRAY(arena, size_t, columns),
                     .full = ARENA_ARRAY(arena, size_t, columns),
                     .unbroken = ARENA_ARRAY(arena, size_t, columns),
                     .least = ARENA_ARRAY(arena, size_t, columns),
                     .widths = ARENA_ARRAY(arena, size_t, columns)};
    for (size_t i = 0; i < columns; i++) {
        const TextColumn *info = &table->columns[i];
        size_t widest = 0, piece = longest_piece(info->heading);
        for (size_t row = 0; row < table->row_count; row++) {
            const char *cell = table->cells[row * columns + i];
            widest = larger(widest, width_of(cell));
            if (table->width && info->is_left)
                layout.least[i] = larger(layout.least[i], longest_piece(cell));
        }
        layout.full[i] = larger(widest, width_of(info->heading));
        layout.unbroken[i] = larger(widest, piece);
        const size_t narrow = widest < NARROW_TEXT ? widest : NARROW_TEXT;
        layout.least[i] =
            info->is_left ? larger(larger(layout.least[i], narrow), piece) : layout.unbroken[i];
        if (table->width && layout.least[i] > table->width / 2) /* broken anywhere */
            layout.least[i] = table->width / 2;
        layout.shown[layout.shown_count++] = i;
    }
    if (table->drops_empty || (table->width && total(&layout, layout.full) > table->width))
        write_narrow(arena, &layout);
    else
        write_part(arena, &layout);
}

/* In lines of `width`, and from the second on of `next_width` behind so many blanks. */
static void write_wrapped(FILE *stream, const char *text, size_t width, size_t next_width,
                          size_t indent)
{
    size_t left = width ? width : SIZE_MAX, blanks = 0;
    do {
        const size_t length = first_line(text, left);
        pad(stream, blanks);
        fwrite(text, 1, length, stream);
        fputc('\n', stream);
        text = next_line(text, length);
        left = next_width;
        blanks = indent;
    } while (*text);
}

void text_line_write(FILE *stream, const char *text, size_t width, bool hangs)
{
    const size_t indent = hangs && width > 2 * NARROW_TEXT ? GAP : 0;
    write_wrapped(stream, text, width, width - indent, indent);
}

void titled_write(FILE *stream, const TitledLine *lines, size_t count, size_t width)
{
    size_t titles = 0;
    for (size_t i = 0; i < count; i++)
        titles = larger(titles, width_of(lines[i].title));
    const size_t left = width > titles + GAP + NARROW_TEXT ? width - titles - GAP : SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        fputs(lines[i].title, stream);
        pad(stream, titles - width_of(lines[i].title) + GAP);
        write_wrapped(stream, lines[i].text, left, left, titles + GAP);
    }
}
