#include "format/decision_map.h"

#include "base/quantity.h"
#include "format/axis.h"

#include <math.h>
#include <string.h>

void decision_map_add(DecisionMap *map, const char *network, int64_t p,
                      const collcost_piece *pieces, size_t count, double m_count)
{
    MapColumn *column = ARRAY_PUSH(map->arena, &map->columns);
    *column = (MapColumn){.p = p, .network = network, .m_count = m_count};
    for (size_t i = 0; i < count; i++) {
        const char *name = pieces[i].algorithm;
        const size_t winner = text_among(text_plain(name), map->winners.items, map->winners.count);
        if (winner == map->winners.count)
            *ARRAY_PUSH(map->arena, &map->winners) = name;
        *ARRAY_PUSH(map->arena, &column->pieces) =
            (MapPiece){.from = pieces[i].from_bytes * m_count,
                       .to = pieces[i].to_bytes * m_count,
                       .winner = winner,
                       .found = &pieces[i]};
    }
}

const MapPiece *decision_map_piece(const MapColumn *column, double bytes)
{
    const MapPiece *found = NULL;
    for (size_t i = 0; i < column->pieces.count; i++)
        if (i == 0 || column->pieces.items[i].from <= bytes)
            found = &column->pieces.items[i];
    return found;
}

typedef struct {
    const DecisionMap *decisions;
    Drawing *drawing;
    Axis size;
    double row;     /* height */
    Box *named;     /* the region of each winner in which its name stands */
    bool *lettered; /* winners that have their letter somewhere */
} Map;

static const double width = 640, least_row = 5, most_row = 34, usual_height = 360;
static const double least_high = 14, letter_high = 8; /* of a name, and of a letter */

/* Where the name of a winner stands: the largest box within its region that was found. */
typedef struct {
    Box box;
    bool fits;   /* the whole name */
    double size; /* its area, where the name fits; else its shorter side */
} Room;

static double top_of(const Map *map, size_t column)
{
    return map->row * (double)(map->decisions->columns.count - 1 - column);
}

/* "a", "b", ...: a second sign beside the colour, as in text. */
static const char *letter_of(Arena *arena, size_t winner)
{
    return winner < 26 ? arena_printf(arena, "%c", (int)('a' + winner))
                       : arena_printf(arena, "%zu", winner + 1);
}

static Box piece_box(const Map *map, size_t column, const MapPiece *piece)
{
    double top = top_of(map, column);
    return (Box){{axis_place(&map->size, piece->from), top},
                 {axis_place(&map->size, piece->to), top + map->row}};
}

static bool name_fits(const Map *map, size_t winner, const Box *box)
{
    return box->most.y - box->least.y >= least_high &&
           text_width(STYLE_LABEL, map->decisions->winners.items[winner]) + 4 <
               box->most.x - box->least.x;
}

/* The piece of one row, with the rows above and below in which the same wins at its middle, cut to
   what all of them share; as long as the name does not lose its room. */
static Room room_around(const Map *map, size_t column, const MapPiece *piece)
{
    const MapColumnArray *columns = &map->decisions->columns;
    double middle = sqrt(piece->from * piece->to);
    Box box = piece_box(map, column, piece);
    for (int step = -1; step <= 1; step += 2)
        for (size_t i = column + (size_t)step; i < columns->count; i += (size_t)step) {
            const MapPiece *other = decision_map_piece(&columns->items[i], middle);
            if (!other || other->winner != piece->winner)
                break;
            const Box next = piece_box(map, i, other);
            const Box more = {{fmax(box.least.x, next.least.x), fmin(box.least.y, next.least.y)},
                              {fmin(box.most.x, next.most.x), fmax(box.most.y, next.most.y)}};
            if (name_fits(map, piece->winner, &box) && !name_fits(map, piece->winner, &more))
                break;
            box = more;
        }
    double across = box.most.x - box.least.x, high = box.most.y - box.least.y;
    bool fits = name_fits(map, piece->winner, &box);
    return (Room){box, fits, fits ? across * high : fmin(across, high)};
}

static Room find_room(const Map *map, size_t winner)
{
    Room best = {.size = 0};
    for (size_t c = 0; c < map->decisions->columns.count; c++) {
        const MapPieceArray *pieces = &map->decisions->columns.items[c].pieces;
        for (size_t i = 0; i < pieces->count; i++) {
            if (pieces->items[i].winner != winner)
                continue;
            Room room = room_around(map, c, &pieces->items[i]);
            if (room.fits > best.fits || (room.fits == best.fits && room.size > best.size))
                best = room;
        }
    }
    return best;
}

static Point middle_of(const Box *box)
{
    return (Point){(box->least.x + box->most.x) / 2, (box->least.y + box->most.y) / 2};
}

/* In the middle, as large as a name if there is room, or beside what stands there. */
static bool place_letter(const Map *map, const Box *box, const char *letter)
{
    static const struct {
        Style style;
        double high, share;
    } tries[] = {{STYLE_LABEL, least_high, 0.5},
                 {STYLE_SMALL, letter_high, 0.5},
                 {STYLE_SMALL, letter_high, 0.25},
                 {STYLE_SMALL, letter_high, 0.75}};
    double high = box->most.y - box->least.y, across = box->most.x - box->least.x;
    Point at = middle_of(box);
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        double share = tries[i].share, room = 2 * fmin(share, 1 - share) * across - 4;
        at.x = box->least.x + share * across;
        if (high >= tries[i].high && text_width(tries[i].style, letter) < room &&
            drawing_label(map->drawing, tries[i].style, at, ANCHOR_MIDDLE, letter))
            return true;
    }
    return false;
}

/* Beside the colours, in every region with room for them. */
static void draw_letters(const Map *map)
{
    for (size_t c = 0; c < map->decisions->columns.count; c++) {
        const MapPieceArray *pieces = &map->decisions->columns.items[c].pieces;
        for (size_t i = 0; i < pieces->count; i++) {
            /* The letter of the winner, if this row is the middle one of a region that has no name.
             */
            Box row = piece_box(map, c, &pieces->items[i]),
                box = room_around(map, c, &pieces->items[i]).box;
            double middle = middle_of(&box).y;
            const Box *named = &map->named[pieces->items[i].winner];
            const bool has_name = box.least.x == named->least.x && box.least.y == named->least.y &&
                                  box.most.x == named->most.x && box.most.y == named->most.y;
            if (middle > row.least.y && middle <= row.most.y && !has_name &&
                place_letter(map, &box, letter_of(map->drawing->arena, pieces->items[i].winner)))
                map->lettered[pieces->items[i].winner] = true;
        }
    }
}

static void draw_rows(const Map *map)
{
    Arena *arena = map->drawing->arena;
    const MapColumnArray *columns = &map->decisions->columns;
    for (size_t c = 0; c < columns->count; c++) {
        const MapPieceArray *pieces = &columns->items[c].pieces;
        drawing_label(map->drawing, STYLE_SMALL, (Point){-8, top_of(map, c) + map->row / 2},
                      ANCHOR_END, columns->items[c].network);
        if (pieces->count == 0 && map->row >= least_high)
            drawing_text(map->drawing, STYLE_SMALL,
                         (Point){width / 2, top_of(map, c) + map->row / 2}, ANCHOR_MIDDLE,
                         "no algorithm runs here");
        for (size_t i = 0; i < pieces->count; i++) {
            const MapPiece *piece = &pieces->items[i];
            const Box box = piece_box(map, c, piece);
            Mark *region = drawing_rectangle(
                map->drawing, STYLE_REGION0 + (Style)(piece->winner % REGION_STYLES), box);
            drawing_explain(map->drawing, region,
                            arena_printf(arena, "%s on %s from %s to %s",
                                         map->decisions->winners.items[piece->winner],
                                         columns->items[c].network,
                                         quantity_show_bytes(arena, piece->from),
                                         quantity_show_bytes(arena, piece->to)));
            if (i > 0)
                drawing_line(map->drawing, STYLE_AXIS, box.least, (Point){box.least.x, box.most.y});
        }
    }
}

Drawing *winner_map_draw(Arena *arena, const DecisionMap *decisions, const Heading *heading,
                         const char *size_title)
{
    double rows = (double)decisions->columns.count;
    Map map = {.decisions = decisions,
               .drawing = drawing_create(arena, heading->title),
               .size = {decisions->from, decisions->to, 0, width, true},
               .row = fmin(fmax(floor(usual_height / rows), least_row), most_row),
               .named = ARENA_ARRAY(arena, Box, decisions->winners.count + 1),
               .lettered = ARENA_ARRAY(arena, bool, decisions->winners.count + 1)};
    double bottom = rows * map.row;
    axis_draw_sizes(map.drawing, &map.size, 0, bottom, size_title, quantity_show_bytes);
    draw_rows(&map);
    for (size_t winner = 0; winner < decisions->winners.count; winner++) {
        /* The name of a winner in the region with the most room for it. */
        Room room = find_room(&map, winner);
        if (name_fits(&map, winner, &room.box) &&
            drawing_label(map.drawing, STYLE_LABEL, middle_of(&room.box), ANCHOR_MIDDLE,
                          map.decisions->winners.items[winner]))
            map.named[winner] = room.box;
    }
    draw_letters(&map);
    const Point corner[] = {{0, 0}, {0, bottom}, {width, bottom}};
    drawing_path(map.drawing, STYLE_AXIS, corner, 3);
    const size_t count = decisions->winners.count;
    LegendEntry *entries = ARENA_ARRAY(arena, LegendEntry, count + 1);
    for (size_t i = 0; i < count; i++)
        entries[i] =
            (LegendEntry){STYLE_REGION0 + (Style)(i % REGION_STYLES),
                          arena_printf(arena, "%s%s%s", map.lettered[i] ? letter_of(arena, i) : "",
                                       map.lettered[i] ? "  " : "", decisions->winners.items[i])};
    legend_draw(map.drawing, entries, count, NULL, (Point){0, bottom + 60}, width);
    Box box = drawing_box(map.drawing);
    heading_draw(map.drawing, heading, fmin(box.least.x + 16, -60), -14);
    return map.drawing;
}
