/* Carriers: who writes a drawing into a file, chosen by the ending of the file's name. */
#ifndef COLLCOST_FORMAT_PICTURE_H
#define COLLCOST_FORMAT_PICTURE_H

#include "base/diag.h"
#include "format/drawing.h"

#include <stdio.h>

/* NULL, or what is wrong. */
typedef const char *(*PictureWriter)(FILE *stream, const Drawing *drawing);

/* By the name of a file; "-" is SVG. NULL after a report: an ending that this program cannot write.
 */
PictureWriter picture_writer(Text name, Diag *diag);

/* Drawings as SVG: real texts, one file, no scripts; colours follow the reader's light or dark
   scheme. Tips of marks are what browsers show when they are pointed at. */

/* NULL, or what is wrong: the stream does not take it. */
const char *svg_write(FILE *stream, const Drawing *drawing);

/* Text in XML, for pictures and reports. */

/* Between tags, and between double quotes. `text` is clean UTF-8 (utf8_clean). */
void xml_write(FILE *stream, const char *text);

#endif
