/* The context of a session, which fills what a line leaves open. */
#ifndef COLLCOST_CLI_CONTEXT_H
#define COLLCOST_CLI_CONTEXT_H

#include "cli/command.h"

/* May a context give a value to this option? */
bool context_takes(OptionId option);
/* Gives a line the options of its context that are among `options` (bits) and that the line does
   not say, in these or in other words; those among `spoken` only where a range of sizes is meant.
 */
void context_fill(CommandLine *line, OptionSet options, OptionSet spoken);
/* In a session, a note behind the report that an option is missing: how the context has it. */
void context_hint(const CommandLine *line, OptionId option);

#endif
