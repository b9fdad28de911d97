/* A map for people: a letter for each algorithm, sizes across, ranks down. */
#ifndef COLLCOST_CLI_MAP_TEXT_H
#define COLLCOST_CLI_MAP_TEXT_H

#include "cli/query.h"
#include "format/decision_map.h"

#include <stdio.h>

/* Sizes across on a logarithmic scale, as many letters an octave as fit on a line of 80. */
void map_write_text(FILE *out, const DecisionMap *map);

#endif
