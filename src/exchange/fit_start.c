#include "exchange/fitting.h"

#include "model/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *first, const void *second)
{
    const TimedSize *a = first, *b = second;
    int order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return order ? order : (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

static TimedSizeArray messages_of(Arena *arena, const MeasurementArray *rows)
{
    TimedSizeArray sizes = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        if (strcmp(row->collective, "point-to-point") == 0 && row->finish != FINISH_STREAM)
            *ARRAY_PUSH(arena, &sizes) = (TimedSize){row->bytes, row->seconds};
    }
    if (sizes.count)
        qsort(sizes.items, sizes.count, sizeof *sizes.items, by_size);
    return sizes;
}

Protocol fit_protocol(Arena *arena, const double *sizes, int count, int number, double ts,
                      double tw)
{
    Protocol protocol = {.name = machine_range_name(arena, sizes, count, number),
                         .number = number,
                         .up_to = number + 1 < count ? sizes[number] : INFINITY,
                         .parameters = {-1, -1, -1, -1}};
    protocol.parameters[PARAMETER_TS] = ts;
    protocol.parameters[PARAMETER_TW] = tw;
    return protocol;
}

/* What a piece cannot tell, since a line through it has no startup, or no slope, is that of the
   piece beside it. */
static void set_protocols(Arena *arena, Machine *machine, const MessagePieces *pieces)
{
    double ts = 0, per_byte = 0, sizes[MOST_PIECES];
    for (int i = pieces->count - 1; i >= 0; i--) {
        ts = pieces->items[i].startup > 0 ? pieces->items[i].startup : ts;
        per_byte = fmax(per_byte, pieces->items[i].seconds_per_byte);
        sizes[i] = pieces->items[i].up_to;
    }
    machine->parameters[PARAMETER_TS] = ts;
    machine->parameters[PARAMETER_TW] = per_byte;
    if (pieces->count < 2)
        return;
    for (int i = 0; i < pieces->count; i++) {
        double next = 0;
        for (int later = i; later < pieces->count && next <= 0; later++)
            next = pieces->items[later].seconds_per_byte;
        ts = pieces->items[i].startup > 0 ? pieces->items[i].startup : ts;
        machine->protocols[i] =
            fit_protocol(arena, sizes, pieces->count, i, ts, next > 0 ? next : per_byte);
    }
    machine->protocol_count = machine->listed_count = pieces->count;
    machine->parameters[PARAMETER_TW] = machine->protocols[0].parameters[PARAMETER_TW];
}

/* A message takes no longer than the shortest row, and a byte no longer than in the fastest. */
static void guess(const MeasurementArray *rows, Machine *machine)
{
    double least = INFINITY, fastest = INFINITY;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        if (row->finish == FINISH_STREAM)
            continue;
        least = fmin(least, row->seconds);
        if (row->bytes >= 1)
            fastest = fmin(fastest, row->seconds / row->bytes);
    }
    machine->parameters[PARAMETER_TS] = isfinite(least) ? least / 4 : 1e-6;
    machine->parameters[PARAMETER_TW] = isfinite(fastest) ? fastest / 4 : 1e-10;
}

bool fit_start(const FitQuestion *question, Machine *machine, MessagePieces *pieces)
{
    const Topology *topology = question->predictor->topology;
    const Study *study = question->predictor->study;
    TimedSizeArray sizes = messages_of(study->arena, question->rows);
    const int most = topology->level_count > 1 ? 1 : USUAL_PIECES;
    *machine = study->machine;
    *pieces = (MessagePieces){0};
    bool found =
        sizes.count && message_pieces_find(study->arena, &sizes, question->pieces, most, pieces);
    if (!found && question->pieces > 1 && sizes.count)
        return diag_error(study->diag, NOWHERE,
                          "%zu sizes of messages between two ranks are too few for %d pieces",
                          sizes.count, question->pieces);
    if (!question->begins_anywhere)
        return true;
    /* Of a machine that nobody has named only the ports are asked for. */
    *machine = (Machine){.head = {.name = "fitted"},
                         .ports = machine->ports,
                         .all_ports = machine->all_ports,
                         .level_ports = machine->level_ports};
    if (found)
        set_protocols(study->arena, machine, pieces);
    else
        guess(question->rows, machine);
    for (size_t i = 1; i < topology->level_count; i++) {
        Level *level = machine_add_level(machine, text_plain(topology->levels[i]), study->diag);
        if (!level)
            return false;
        level->parameters[PARAMETER_TS] = machine->parameters[PARAMETER_TS];
        level->parameters[PARAMETER_TW] = machine->parameters[PARAMETER_TW];
    }
    return true;
}
