/* An XML document as a tree. */
#ifndef COLLCOST_EXCHANGE_XML_H
#define COLLCOST_EXCHANGE_XML_H

#include "base/buffer.h"
#include "base/diag.h"

typedef struct XmlElement {
    const char *name;
    const char *const *attributes;                   /* name, value, name, value, ..., NULL */
    struct XmlElement *parent, *first, *next, *last; /* the first one in it, the one behind it */
    Buffer text;                                     /* what stands in it outside of elements */
    Span span;                                       /* its tag, as far as the line goes */
} XmlElement;

/* The outermost element; NULL after a report. A document type is passed over where it declares
   nothing itself; entities are refused. */
const XmlElement *xml_read(Arena *arena, const Source *source, Diag *diag);
/* The name of the outermost element of what looks like XML; empty: it does not. */
Text xml_root_name(const Source *source);
/* NULL: the attribute is not there. */
const char *xml_get(const XmlElement *element, const char *name);
/* The same; empty if it is not there. */
const char *xml_value(const XmlElement *element, const char *name);
bool xml_is(const XmlElement *element, const char *name);
/* The element behind this one in the order of their tags, within `top`; NULL: there is none. */
const XmlElement *xml_after(const XmlElement *element, const XmlElement *top);

#endif
