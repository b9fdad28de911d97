#ifndef UNIT_H
#define UNIT_H

#include <check.h>

/* Declares arena_suite() and so on, for every suite of the list. */
#define SUITE(name) Suite *name##_suite(void);
#include "suites.h"
#undef SUITE

#endif
