#include "exchange/schedule_text.h"

#include <math.h>

/* LogGOPSim [Hoefler, Schneider, Lumsdaine 2010] charges (s - 1) G for s bytes: with one byte more
   in each message, and with

       L = g = ts + th    o = 0    G = tw    O = 0    S = more than any message

   it says what the cost without barriers says where no links are shared: on `full`. */

/* The operations of one rank while they are written, labelled from 1 on. */
typedef struct {
    const ListedSchedule *schedule;
    Buffer *text;
    int64_t rank;
    int64_t count;
    int64_t first_waited, last_waited; /* the range that the next ones wait for: the port step
                                          before */
} RankText;

static void require(RankText *rank, int64_t first, int64_t last)
{
    for (int64_t i = first; i <= last; i++)
        buffer_printf(rank->text, "l%lld requires l%lld\n", (long long)rank->count, (long long)i);
}

/* With several ports, messages of a port step are on adapters of their own. */
static void write_message(RankText *rank, const ListedMessage *message, bool sends, int64_t number)
{
    const int64_t ports = rank->schedule->ports;
    buffer_printf(rank->text, "l%lld: %s %lldb %s %d tag %lld", (long long)++rank->count,
                  sends ? "send" : "recv", (long long)ceil(message->bytes) + 1,
                  sends ? "to" : "from", sends ? message->to : message->from,
                  (long long)message->port_step);
    if (number % ports)
        buffer_printf(rank->text, " nic %lld", (long long)(number % ports));
    buffer_printf(rank->text, "\n");
    require(rank, rank->first_waited, rank->last_waited);
}

static int64_t nanoseconds(double seconds)
{
    return (int64_t)round(seconds * 1e9);
}

/* messages[of[i]], of one port step; then what is combined. `holds`: something is, here or later.
 */
static void write_port_step(RankText *rank, const size_t *of, size_t count, bool holds)
{
    const ListedSchedule *schedule = rank->schedule;
    const ListedMessage *messages = schedule->messages.items;
    const double *parameters = schedule->parameters;
    const int64_t r = rank->rank, first = rank->count + 1;
    int64_t received = 0, sent = 0;
    double combined = 0;
    for (size_t i = 0; i < count; i++) {
        const ListedMessage *message = &messages[of[i]];
        combined += message->to == r ? ceil(message->combined_bytes) : 0;
        if (message->to == r && message->from != r)
            write_message(rank, message, false, received++);
    }
    for (size_t i = 0; i < count; i++) {
        const ListedMessage *message = &messages[of[i]];
        if (message->from == r && message->to != r)
            write_message(rank, message, true, sent++);
    }
    /* A send is done at once, but here its rank is busy until its last byte has arrived: a
       processor of its own is idle for as long. */
    sent = 0;
    for (size_t i = 0; i < count && holds; i++) {
        const ListedMessage *message = &messages[of[i]];
        if (message->from != r || message->to == r)
            continue;
        const double busy = parameters[PARAMETER_TS] + parameters[PARAMETER_TH] +
                            ceil(message->bytes) * parameters[PARAMETER_TW];
        const int64_t send = first + received + sent++;
        buffer_printf(rank->text, "l%lld: calc %lld cpu %lld\n", (long long)++rank->count,
                      (long long)nanoseconds(busy), (long long)sent);
        require(rank, send, send);
    }
    if (rank->count >= first)
        rank->first_waited = first, rank->last_waited = rank->count;
    if (combined * schedule->combine_s > 0) {
        buffer_printf(rank->text, "l%lld: calc %lld\n", (long long)++rank->count,
                      (long long)nanoseconds(combined * schedule->combine_s));
        require(rank, rank->first_waited, rank->last_waited);
        rank->first_waited = rank->last_waited = rank->count;
    }
}

static void write_rank(const ListedSchedule *schedule, Buffer *text, int64_t r, const size_t *of,
                       size_t count)
{
    const ListedMessage *messages = schedule->messages.items;
    RankText rank = {.schedule = schedule, .text = text, .rank = r, .first_waited = 1};
    size_t last_combining = 0;
    for (size_t i = 0; i < count; i++)
        if (messages[of[i]].to == r && messages[of[i]].combined_bytes > 0)
            last_combining = i + 1;
    for (size_t i = 0, next; i < count; i = next) {
        next = i;
        while (next < count && messages[of[next]].port_step == messages[of[i]].port_step)
            next++;
        write_port_step(&rank, of + i, next - i, i < last_combining && schedule->combine_s > 0);
    }
}

bool write_goal(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    const double startup = schedule->parameters[PARAMETER_TS] + schedule->parameters[PARAMETER_TH];
    const ListedMessages *messages = &schedule->messages;
    const size_t p = (size_t)schedule->network->p;
    /* The messages of each rank: of[starts[r] .. starts[r + 1] - 1], in their order. */
    size_t *starts = ARENA_ARRAY(text->arena, size_t, p + 1);
    size_t *ends = ARENA_ARRAY(text->arena, size_t, p + 1);
    size_t *of = ARENA_ARRAY(text->arena, size_t, 2 * messages->count + 1);
    if (schedule->overlaps)
        return diag_error(diag, NOWHERE,
                          "GOAL has no combining that overlaps with messages of its rank");
    for (size_t i = 0; i < messages->count; i++) {
        const ListedMessage *message = &messages->items[i];
        starts[message->from + 1]++;
        starts[message->to + 1] += message->to != message->from;
    }
    for (size_t r = 0; r < p; r++) {
        starts[r + 1] += starts[r];
        ends[r] = starts[r];
    }
    for (size_t i = 0; i < messages->count; i++) {
        const ListedMessage *message = &messages->items[i];
        of[ends[message->from]++] = i;
        if (message->to != message->from)
            of[ends[message->to]++] = i;
    }
    buffer_printf(text, "// %s\n", schedule->title);
    buffer_printf(text, "// LogGOPSim -L %.9g -o 0 -g %.9g -O 0 -G %.9g -S 4294967295\n",
                  startup * 1e9, startup * 1e9, schedule->parameters[PARAMETER_TW] * 1e9);
    buffer_printf(text, "// one byte more in each message: a message of s bytes takes (s - 1) G\n");
    buffer_printf(text, "num_ranks %zu\n", p);
    for (size_t r = 0; r < p; r++) {
        buffer_printf(text, "\nrank %zu {\n", r);
        write_rank(schedule, text, (int64_t)r, of + starts[r], starts[r + 1] - starts[r]);
        buffer_printf(text, "}\n");
    }
    return true;
}
