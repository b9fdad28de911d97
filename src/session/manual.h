/* The manual pages as plain text, made from man/ at build time (build-aux/render-manual). */
#ifndef COLLCOST_SESSION_MANUAL_H
#define COLLCOST_SESSION_MANUAL_H

/* Each section behind a line "\f1 TITLE" or, inside of that one, "\f2 TITLE". */
extern const char manual_text[];

#endif
