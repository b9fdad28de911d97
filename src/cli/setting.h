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

/* Radices and fan-outs that an algorithm leaves free, in rows of answers. */

/* The algorithm in this column, and its radix or fan-out if there is one to choose: "k-nomial
 * radix=4". */
void choices_put(Table *table, Key key, const char *algorithm, const collcost_branches *branches);
/* Collective, network and ranks of a row. */
void case_put(Table *table, const collcost_case *opened);
/* Whose costs a row has: collective, algorithm with its radix or fan-out, network, ranks. */
void choices_put_subject(Table *table, const collcost_case *opened, const char *algorithm,
                         const collcost_branches *branches);
/* choices_put with the best ones at both ends of a row: "k-nomial radix=4..2". */
void choices_put_range(Table *table, const char *algorithm, const collcost_branches *branches,
                       int64_t to);
/* "2..7, 9, 16" of rising numbers; with the sign " .. ", two in a row are "2, 3". */
const char *choices_show_ranges(Arena *arena, const int64_t *numbers, size_t count,
                                const char *sign);
/* "binomial up to 497.8 kB, then pipelined-chain"; sizes are M by so many m. */
const char *pieces_show(Arena *arena, const collcost_piece *pieces, size_t count, double m_count);
/* One message of a critical path as a row. */
void critical_path_put(Table *table, const collcost_message *message);

#endif
