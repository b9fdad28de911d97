/* Drawings as SVG: real texts, one file, no scripts; colours follow the reader's light or dark
   scheme. Tips of marks are what browsers show when they are pointed at. */
#ifndef COLLCOST_FORMAT_SVG_H
#define COLLCOST_FORMAT_SVG_H

#include "format/drawing.h"

#include <stdio.h>

/* NULL, or what is wrong: the stream does not take it. */
const char *svg_write(FILE *stream, const Drawing *drawing);

#endif
