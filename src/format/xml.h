/* Text in XML, for pictures and reports. */
#ifndef COLLCOST_FORMAT_XML_H
#define COLLCOST_FORMAT_XML_H

#include <stdio.h>

/* Between tags, and between double quotes. `text` is clean UTF-8 (utf8_clean). */
void xml_write(FILE *stream, const char *text);

#endif
