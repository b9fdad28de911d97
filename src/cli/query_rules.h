/* The options that say how schedules are costed. */
#ifndef COLLCOST_CLI_QUERY_RULES_H
#define COLLCOST_CLI_QUERY_RULES_H

#include "cli/command.h"
#include "cost/rules.h"

/* Fills the conventions of the rules: the machine's, and the options that override them. False
   after a report. */
bool query_read_rules(const CommandLine *line, const Machine *machine, Rules *rules);

#endif
