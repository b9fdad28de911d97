#include "cli/map_text.h"

#include "base/quantity.h"

#include <math.h>
#include <string.h>

enum { LINE_WIDTH = 78, MOST_PER_OCTAVE = 8, LETTERS = 52, LEAST_WIDTH = 16 };

/* The letters of a line: `count` of them, from the smallest size to the largest. */
typedef struct {
    const DecisionMap *map;
    int margin; /* letters begin behind the names of networks */
    int count;
    double octaves; /* of all letters; 0: there is one size */
} Scale;

static char letter_of(size_t winner)
{
    static const char letters[LETTERS + 1] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return winner < LETTERS ? letters[winner] : '?';
}

static Scale choose_scale(const DecisionMap *map)
{
    Scale scale = {.map = map};
    for (size_t i = 0; i < map->columns.count; i++) {
        int length = (int)strlen(map->columns.items[i].network);
        scale.margin = length + 2 > scale.margin ? length + 2 : scale.margin;
    }
    int room = LINE_WIDTH - scale.margin;
    room = room < LEAST_WIDTH ? LEAST_WIDTH : room;
    scale.octaves = map->to > map->from ? log2(map->to / map->from) : 0;
    double per_octave = fmin(floor(room / fmax(scale.octaves, 1)), MOST_PER_OCTAVE);
    double count = per_octave < 1 ? room : ceil(per_octave * scale.octaves);
    scale.count = count < 1 ? 1 : count > room ? room : (int)count;
    return scale;
}

/* The size in the middle of a letter, or at a share of it. */
static double size_at(const Scale *scale, double letter)
{
    return scale->map->from * exp2(scale->octaves * letter / scale->count);
}

/* Sizes above the letters at which they begin: every fifth or tenth octave from the first. */
static void write_axis(FILE *out, const Scale *scale)
{
    static const int steps[] = {1, 2, 5, 10, 20, 50};
    enum { LABEL_WIDTH = 10, STEP_COUNT = sizeof steps / sizeof *steps };
    Arena *arena = scale->map->arena;
    double per_octave = scale->octaves > 0 ? scale->count / scale->octaves : 1;
    int step = 0;
    while (step + 1 < STEP_COUNT && steps[step] * per_octave < LABEL_WIDTH)
        step++;
    int column = fprintf(out, "%-*s", scale->margin, "");
    for (double octave = 0; octave * per_octave < scale->count; octave += steps[step]) {
        int at = scale->margin + (int)lround(octave * per_octave);
        const char *label = quantity_show_bytes(arena, scale->map->from * exp2(octave));
        if (at + (int)strlen(label) <= scale->margin + scale->count || octave == 0)
            column += fprintf(out, "%*s%s", at - column, "", label);
    }
    fputc('\n', out);
}

static void write_column(FILE *out, const Scale *scale, const MapColumn *column, bool *seen)
{
    fprintf(out, "%-*s", scale->margin, column->network);
    for (int i = 0; i < scale->count; i++) {
        const MapPiece *piece = decision_map_piece(column, size_at(scale, i + 0.5));
        fputc(piece ? letter_of(piece->winner) : '-', out);
        if (piece)
            seen[piece - column->pieces.items] = true;
    }
    fputc('\n', out);
}

static void write_legend(FILE *out, const DecisionMap *map)
{
    for (size_t i = 0; i < map->winners.count; i++)
        fprintf(out, "%c  %s\n", letter_of(i), map->winners.items[i]);
}

void map_write_text(FILE *out, const DecisionMap *map)
{
    Scale scale = choose_scale(map);
    size_t hidden = 0, empty = 0;
    write_axis(out, &scale);
    for (size_t i = 0; i < map->columns.count; i++) {
        const MapColumn *column = &map->columns.items[i];
        bool *seen = ARENA_ARRAY(map->arena, bool, column->pieces.count + 1);
        write_column(out, &scale, column, seen);
        for (size_t piece = 0; piece < column->pieces.count; piece++)
            hidden += !seen[piece];
        empty += column->pieces.count == 0;
    }
    fputc('\n', out);
    write_legend(out, map);
    if (empty)
        fputs("-  no algorithm runs there\n", out);
    if (hidden)
        fprintf(out, "%zu piece%s too narrow for a letter: see -o csv or collcost switch\n", hidden,
                hidden == 1 ? " is" : "s are");
}
