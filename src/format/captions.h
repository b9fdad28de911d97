/* What is around a picture: its heading, and a legend, a sample of each style beside its
   meaning. */
#ifndef COLLCOST_FORMAT_CAPTIONS_H
#define COLLCOST_FORMAT_CAPTIONS_H

#include "format/drawing.h"

enum { MOST_NOTES = 4 };

typedef struct {
    const char *title;
    const char *notes[MOST_NOTES]; /* smaller, below it; NULL: no more */
} Heading;

/* Puts it behind the others; NULL: nothing. */
void heading_note(Heading *heading, const char *note);
/* Drawn last: it ends at the height `bottom`, and its lines are as wide as what is there. */
void heading_draw(Drawing *drawing, const Heading *heading, double left, double bottom);

typedef struct {
    Style style;
    const char *words;
} LegendEntry;

/* Entries whose styles are in `used` (NULL: all), side by side from `at` on, broken before `right`.
 */
void legend_draw(Drawing *drawing, const LegendEntry *entries, size_t count, const bool *used,
                 Point at, double right);

#endif
