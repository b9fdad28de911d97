#include "format/captions.h"

#include <math.h>
#include <string.h>

enum { LINES_OF_NOTE = 3 };
static const double sample_width = 26, sample_height = 12, gap = 22, line_height = 20;
static const double note_height = 16, longest_line = 1100, least_line = 640;

void heading_note(Heading *heading, const char *note)
{
    size_t count = 0;
    while (heading->notes[count])
        count++;
    if (note)
        heading->notes[count] = note;
}

void heading_draw(Drawing *drawing, const Heading *heading, double left, double bottom)
{
    const char *lines[MOST_NOTES * LINES_OF_NOTE];
    const double width = fmax(drawing_box(drawing).most.x - left, least_line);
    size_t count = 0;
    for (size_t i = 0; i < MOST_NOTES && heading->notes[i]; i++) {
        /* Broken between words into lines of this width, the last of which is cut if need be. */
        const char *note = heading->notes[i];
        for (int n = 1; *note && n < LINES_OF_NOTE; n++) {
            const char *line = note;
            size_t end = strlen(note);
            while (end > 0 && text_width(STYLE_SMALL, line) > width) {
                while (end > 0 && note[--end] != ' ')
                    ;
                line = arena_copy(drawing->arena, note, end);
            }
            if (end == 0)
                break;
            lines[count++] = line;
            note += end + (note[end] == ' ');
        }
        if (*note)
            lines[count++] = text_shorten(drawing->arena, STYLE_SMALL, note, width);
    }
    double y = bottom - note_height * ((double)count - 0.5);
    drawing_text(drawing, STYLE_TITLE, (Point){left, y - 20}, ANCHOR_START,
                 text_shorten(drawing->arena, STYLE_TITLE, heading->title, longest_line));
    for (size_t i = 0; i < count; i++)
        drawing_text(drawing, STYLE_SMALL, (Point){left, y + note_height * (double)i}, ANCHOR_START,
                     lines[i]);
}

void legend_draw(Drawing *drawing, const LegendEntry *entries, size_t count, const bool *used,
                 Point at, double right)
{
    double left = at.x;
    for (size_t i = 0; i < count; i++) {
        if (used && !used[entries[i].style])
            continue;
        double width = sample_width + 6 + text_width(STYLE_LABEL, entries[i].words);
        if (at.x > left && at.x + width > right) {
            at.x = left;
            at.y += line_height;
        }
        /* Lines for what has no filling. */
        Box box = {{at.x, at.y - sample_height / 2},
                   {at.x + sample_width, at.y + sample_height / 2}};
        if (entries[i].style == STYLE_RANK)
            drawing_circle(drawing, entries[i].style, (Point){at.x + sample_width / 2, at.y},
                           sample_height / 2);
        else if (style_info[entries[i].style].fill[0] || style_info[entries[i].style].is_hatched)
            drawing_rectangle(drawing, entries[i].style, box);
        else
            drawing_line(drawing, entries[i].style, at, (Point){at.x + sample_width, at.y});
        drawing_text(drawing, STYLE_LABEL, (Point){at.x + sample_width + 6, at.y}, ANCHOR_START,
                     entries[i].words);
        at.x += width + gap;
    }
}
