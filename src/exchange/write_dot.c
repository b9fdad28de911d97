#include "exchange/schedule_text.h"

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

static void write_message(const ListedSchedule *schedule, const Drawing *drawing,
                          const ListedMessage *message)
{
    Buffer *text = drawing->text;
    buffer_printf(text, "  r%d_%lld -> r%d_%lld [label=\"%s", message->from,
                  (long long)drawing->reached[message->from] - 1, message->to,
                  (long long)drawing->reached[message->to], verb_info[message->verb].key);
    for (size_t i = 0; i < message->block_count; i++)
        buffer_printf(text, " %s",
                      blockspace_name(text->arena, &schedule->space, message->blocks[i]));
    buffer_printf(text, "\\n%.10g B\", tooltip=\"round %lld\"];\n", message->bytes,
                  (long long)message->round + 1);
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
    for (size_t i = 0; i < messages->count; i++) {
        const size_t first = i;
        while (i + 1 < messages->count &&
               messages->items[i + 1].port_step == messages->items[first].port_step)
            i++;
        for (size_t j = first; j <= i; j++) {
            enter(&drawing, messages->items[j].from, messages->items[j].port_step);
            enter(&drawing, messages->items[j].to, messages->items[j].port_step);
        }
        for (size_t j = first; j <= i; j++)
            write_message(schedule, &drawing, &messages->items[j]);
    }
    buffer_printf(text, "}\n");
    return true;
}
