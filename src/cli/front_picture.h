/* `search --picture`: the Pareto front, and the other algorithms beside it. */
#ifndef COLLCOST_CLI_FRONT_PICTURE_H
#define COLLCOST_CLI_FRONT_PICTURE_H

#include "cli/query.h"

Status front_picture(const CommandLine *line);

#endif
