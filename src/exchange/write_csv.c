#include "exchange/schedule_text.h"

enum { NO_LINK = -1 };

/* A field of CSV; names of blocks such as "(1, 2)" have a comma. */
static void write_blocks(const ListedSchedule *schedule, Buffer *text, const int64_t *blocks,
                         size_t count)
{
    buffer_printf(text, "\"");
    for (size_t i = 0; i < count; i++)
        buffer_printf(text, "%s%s", i ? " " : "",
                      blockspace_name(text->arena, &schedule->space, blocks[i]));
    buffer_printf(text, "\"");
}

/* One row for each link of the path; local work has a row without a link. */
static void write_row(const ListedSchedule *schedule, Buffer *text, size_t i, int64_t slot,
                      int64_t link_from, int64_t link_to)
{
    const ListedMessage *message = &schedule->messages.items[i];
    buffer_printf(text, "%zu,%lld,%lld,%d,%d,%s,", i, (long long)message->round + 1,
                  (long long)message->port_step + 1, message->from, message->to,
                  verb_info[message->verb].key);
    write_blocks(schedule, text, message->blocks, message->block_count);
    buffer_printf(text, ",");
    write_blocks(schedule, text, message->destination, message->block_count);
    buffer_printf(text, ",%s,%s,", number_exactly(message->bytes, (char[LONGEST_NUMBER]){0}),
                  number_exactly(message->combined_bytes, (char[LONGEST_NUMBER]){0}));
    if (slot == NO_LINK)
        buffer_printf(text, ",,\n");
    else
        buffer_printf(text, "%lld,%lld,%lld\n", (long long)slot + 1, (long long)link_from,
                      (long long)link_to);
}

bool write_csv(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    buffer_printf(text, "message,round,port_step,from,to,verb,blocks,become,bytes,combined_bytes,"
                        "hop,link_from,link_to\n");
    for (size_t i = 0; i < schedule->messages.count; i++) {
        const ListedMessage *message = &schedule->messages.items[i];
        const int64_t from = message->from, to = message->to;
        Routes routes;
        if (from == to) {
            write_row(schedule, text, i, NO_LINK, 0, 0);
            continue;
        }
        if (!network_route(schedule->network, text->arena, 1, &from, &to, &routes, diag))
            return false;
        for (size_t l = 0; l < routes.link_count; l++)
            write_row(schedule, text, i, routes.slot[l], routes.from[l], routes.to[l]);
    }
    return true;
}
