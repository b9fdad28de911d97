#include "exchange/schedule_text.h"

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

/* One row for link `l` of the path; local work has a row without one, and no path. */
static void write_row(const ListedSchedule *schedule, Buffer *text, size_t i, const Routes *path,
                      size_t l)
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
    if (path)
        buffer_printf(text, "%lld,%lld,%lld\n", (long long)path->slot[l] + 1,
                      (long long)path->from[l], (long long)path->to[l]);
    else
        buffer_printf(text, ",,\n");
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
            write_row(schedule, text, i, NULL, 0);
            continue;
        }
        if (!network_route(schedule->network, text->arena, 1, &from, &to, &routes, diag))
            return false;
        for (size_t l = 0; l < routes.link_count; l++)
            write_row(schedule, text, i, &routes, l);
    }
    return true;
}

/* A rank stands once for each port step in which it takes part, behind where it stands first. */
typedef struct {
    Buffer *text;
    int64_t *reached, *begun; /* of each rank: its last place, and the port step that led there */
} Drawing;

static void enter(Drawing *drawing, int64_t rank, int64_t port_step)
{
    if (drawing->begun[rank] == port_step)
        return;
    drawing->begun[rank] = port_step;
    drawing->reached[rank]++;
    buffer_printf(drawing->text, "  r%lld_%lld -> r%lld_%lld [style=dashed, arrowhead=none];\n",
                  (long long)rank, (long long)drawing->reached[rank] - 1, (long long)rank,
                  (long long)drawing->reached[rank]);
}

bool write_dot(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    const ListedMessages *messages = &schedule->messages;
    const size_t p = (size_t)schedule->network->p;
    Drawing drawing = {text, ARENA_ARRAY(text->arena, int64_t, p),
                       ARENA_ARRAY(text->arena, int64_t, p)};
    (void)diag;
    buffer_printf(text, "digraph schedule {\n  label=\"%s\";\n  rankdir=LR;\n", schedule->title);
    buffer_printf(text, "  node [shape=point];\n");
    for (size_t r = 0; r < p; r++) {
        drawing.begun[r] = -1;
        buffer_printf(text, "  r%zu_0 [shape=plaintext, label=\"rank %zu\"];\n", r, r);
    }
    for (size_t first = 0, end; first < messages->count; first = end) {
        const int64_t port_step = messages->items[first].port_step;
        for (end = first; end < messages->count && messages->items[end].port_step == port_step;
             end++) {
            enter(&drawing, messages->items[end].from, port_step);
            enter(&drawing, messages->items[end].to, port_step);
        }
        for (size_t i = first; i < end; i++) {
            const ListedMessage *message = &messages->items[i];
            buffer_printf(text, "  r%d_%lld -> r%d_%lld [label=\"%s", message->from,
                          (long long)drawing.reached[message->from] - 1, message->to,
                          (long long)drawing.reached[message->to], verb_info[message->verb].key);
            for (size_t b = 0; b < message->block_count; b++)
                buffer_printf(text, " %s",
                              blockspace_name(text->arena, &schedule->space, message->blocks[b]));
            buffer_printf(text, "\\n%.10g B\", tooltip=\"round %lld\"];\n", message->bytes,
                          (long long)message->round + 1);
        }
    }
    buffer_printf(text, "}\n");
    return true;
}
