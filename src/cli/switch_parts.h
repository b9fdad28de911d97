/* What `switch` shows: switch points as a table, over values of a parameter, by fitted machines,
   and how they depend on what was taken for granted. */
#ifndef COLLCOST_CLI_SWITCH_PARTS_H
#define COLLCOST_CLI_SWITCH_PARTS_H

#include "cli/query.h"

/* Switch points of the candidates on one network. */

/* What is said of switch points by size only. */
#define OPTIONS_OF_SIZES_ONLY (OPTIONS(TOLERANCE, VARY, RULES))

/* Reports sizes that are no range, and an algorithm where a collective is wanted. */
bool switchpoints_check_sizes(const Query *query);
bool switchpoints_check_subject(const Query *query);

/* One network of a question, with its switch points. */
typedef struct {
    Query query; /* sizes are m, whatever was asked for */
    collcost_case *opened;
    const char *rules;
    double from, to;  /* bytes */
    double tolerance; /* negative: none was given */
    const collcost_piece *pieces;
    size_t count;
    bool is_open;  /* no size was given, and nothing follows the last piece */
    bool is_wrong; /* a winner failed its check */
} SwitchCase;

/* The network with number `index` of those that were given, and the pieces with what is `wanted` of
   them. With asked->study.skips_refused it may have no candidates, and then no pieces. False after
   a report. */
bool switchcase_open(const Query *asked, size_t index, unsigned wanted, SwitchCase *switches);

/* switch --over p: the fastest algorithm by the number of ranks, at one size. Does --over ask for
   ranks? *good is false after a report. */
bool switch_over_asked(const CommandLine *line, bool *good);
Status switch_over_ranks(const Query *query);

/* Switch points as rows: one for each piece. */
Table *switch_table_open(const Query *query);
/* Numbers of chunks: "7", or "7..12" where it changes along a row. */
void switch_put_chunks(Table *table, double from_k, double to_k);
/* The rows of one network. False after a report. */
bool switch_table_write(Table *table, SwitchCase *switches);

/* How switch points depend on what was taken for granted: a parameter of the machine, a convention.
   --vary: for each switch point where it is if a parameter is less or more by a share; and those
   that appear only then. False after a report. */
Table *switch_vary_open(const Query *query);
bool switch_vary_write(Table *table, SwitchCase *switches);
/* Reports values of --vary that are none. */
bool switch_vary_check(const Query *query);

/* --rules all: the pieces under each convention that is not in force, and whether another algorithm
   is the fastest somewhere. False after a report. */
Table *switch_rules_open(const Query *query);
bool switch_rules_write(Table *table, SwitchCase *switches);
bool switch_rules_check(const Query *query);

#endif
