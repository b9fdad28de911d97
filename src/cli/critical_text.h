/* One message of a critical path as a row. */
#ifndef COLLCOST_CLI_CRITICAL_TEXT_H
#define COLLCOST_CLI_CRITICAL_TEXT_H

#include "collcost.h"
#include "format/table.h"

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
