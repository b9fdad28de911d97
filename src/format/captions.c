#include "format/captions.h"

static const double sample_width = 26, sample_height = 12, gap = 22, line_height = 20;
static const double note_height = 16, longest_line = 1100;

void heading_draw(Drawing *drawing, const Heading *heading, double left, double bottom)
{
    size_t count = 0;
    while (count < MOST_NOTES && heading->notes[count])
        count++;
    double y = bottom - note_height * ((double)count - 0.5);
    drawing_text(drawing, STYLE_TITLE, (Point){left, y - 20}, ANCHOR_START,
                 text_shorten(drawing->arena, STYLE_TITLE, heading->title, longest_line));
    for (size_t i = 0; i < count; i++)
        drawing_text(drawing, STYLE_SMALL, (Point){left, y + note_height * (double)i}, ANCHOR_START,
                     text_shorten(drawing->arena, STYLE_SMALL, heading->notes[i], longest_line));
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
