/* Several machines or networks in one question: --machine A,B or -t ring:8,torus:4x4. */
#ifndef COLLCOST_CLI_LISTS_H
#define COLLCOST_CLI_LISTS_H

#include "cli/command.h"

/* Splits at the first comma that ends a name: sizes go on behind others, as in mesh:4x4,8x2. False,
   with all of it in *rest, where there is none. */
bool lists_split(Text text, Text *first, Text *rest);

/* Runs the command for each combination of what its options `lists` name, networks in the outer
   loop, up to the first that fails. What they print becomes one answer: the rows of all in JSON and
   CSV, where an empty line stands before other columns; elsewhere one after the other, with an
   empty line between. */
Status lists_run(const Command *command, const CommandLine *line);

#endif
