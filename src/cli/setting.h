/* What the times in a table rest on: machine, parameters that were set, what is assumed, rules. */
#ifndef COLLCOST_CLI_SETTING_H
#define COLLCOST_CLI_SETTING_H

#include "cli/query.h"

/* For all rows that follow, with what was put before; programs only. `multiplies`: the rows are
   about products; `rules` in words. */
void setting_put(Table *table, const Query *query, bool multiplies, const char *rules);
/* "machine sg2260: startup 1 us (assumed), ...", with the values in force; and as a line of output.
 */
const char *setting_machine(const Query *query);
void setting_write_machine(const Query *query);
/* The lines of a text around its table, but with --brief: the machine above, the rules below, each
   with an empty line between. `rules` NULL: those of the query. */
void setting_begin(const Query *query);
void setting_end(const Query *query, const char *rules);
/* --brief: only the table is asked for. */
bool setting_is_brief(const Query *query);
/* ", machine tpu-v4", for the heading of a table with --brief if there is one for each of several
   machines; else nothing. */
const char *setting_of_machine(const Query *query);
/* The rules in words; and as a line of output, "rules: ...". As lines of output neither is written
   with --brief. */
const char *setting_rules(const Query *query);
void setting_write_rules(const Query *query);

#endif
