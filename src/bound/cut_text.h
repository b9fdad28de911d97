/* A cut in words. */
#ifndef COLLCOST_BOUND_CUT_TEXT_H
#define COLLCOST_BOUND_CUT_TEXT_H

#include "bound/parts.h"

/* "3 m leave ranks 0..2 over 2 links (2 -> 3, 0 -> 7); best of all cuts" */
const char *cut_describe(const Bounder *bounder, const Cut *cut);

#endif
