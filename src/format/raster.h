/* Drawings as PNG and PDF through cairo, in light colours. Texts stand where the layout has them;
   one that the font makes wider than the layout's estimate is pressed together. */
#ifndef COLLCOST_FORMAT_RASTER_H
#define COLLCOST_FORMAT_RASTER_H

#include "format/drawing.h"

#include <stdio.h>

/* Two pixels of the PNG for each of the drawing, where that has no width of its own. NULL, or what
   is wrong: the library is not there, the stream does not take it, memory is short. */
const char *raster_write_png(FILE *stream, const Drawing *drawing);
const char *raster_write_pdf(FILE *stream, const Drawing *drawing);

#endif
