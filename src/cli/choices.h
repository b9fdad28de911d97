/* Radices and fan-outs that an algorithm leaves free, in rows of answers. */
#ifndef COLLCOST_CLI_CHOICES_H
#define COLLCOST_CLI_CHOICES_H

#include "collcost.h"
#include "format/table.h"

/* The algorithm in this column, and its radix or fan-out if there is one to choose: "k-nomial
 * radix=4". */
void choices_put(Table *table, Arena *arena, Key key, const char *algorithm,
                 const collcost_branches *branches);
/* Collective, network and ranks of a row. */
void case_put(Table *table, const collcost_case *opened);
/* Whose costs a row has: collective, algorithm with its radix or fan-out, network, ranks. */
void choices_put_subject(Table *table, Arena *arena, const collcost_case *opened,
                         const char *algorithm, const collcost_branches *branches);
/* choices_put with the best ones at both ends of a row: "k-nomial radix=4..2". */
void choices_put_range(Table *table, Arena *arena, const char *algorithm,
                       const collcost_branches *branches, int64_t to);
/* "2..7, 9, 16" of rising numbers; with the sign " .. ", two in a row are "2, 3". */
const char *choices_show_ranges(Arena *arena, const int64_t *numbers, size_t count,
                                const char *sign);
/* "binomial up to 497.8 kB, then pipelined-chain"; sizes are M by so many m. */
const char *pieces_show(Arena *arena, const collcost_piece *pieces, size_t count, double m_count);

/* One message of a critical path as a row. */

static inline void critical_path_put(Table *table, const collcost_message *message)
{
    put_number(table, KEY_round, (double)message->round);
    put_number(table, KEY_from, (double)message->from);
    put_number(table, KEY_to, (double)message->to);
    put_number(table, KEY_bytes, message->bytes);
    put_number(table, KEY_start_s, message->start_s);
    put_number(table, KEY_end_s, message->end_s);
    put_number(table, KEY_contention_s, message->contention_s);
    if (message->waits_at >= 0)
        put_number(table, KEY_waits_at, (double)message->waits_at);
}

#endif
