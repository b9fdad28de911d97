/* Random settings of a question for the command line: a collective, a network, a machine, rules. */
#ifndef COLLCOST_TESTS_PROPERTY_SETTING_H
#define COLLCOST_TESTS_PROPERTY_SETTING_H

#include "world.h"

typedef struct {
    const char *collective, *topology;
    int64_t p;
    bool is_empty;                 /* the collective has no size */
    bool for_lines;                /* an option is for single lines, not for sessions */
    bool has_jumps;                /* times jump at sizes where messages change their protocol */
    double range_from;             /* switch points are sought from here on */
    const char *options;           /* as they stand on a line, with a space before each */
    const char *options_by_ranks;  /* the same, with a network of one dimension as `-t NAME -p P` */
    const char *options_of_bounds; /* those that say nothing of chunks */
    const char *statements;        /* as they stand in a session, each ended by a newline */
} Setting;

/* Everything is the library's own. */
Setting setting_draw(World *world);
/* One whose words are given, such as "full:8" and "startup=1us node.ports=8". */
Setting setting_of(World *world, const char *collective, const char *topology, int64_t p,
                   const char *settings);

#endif
