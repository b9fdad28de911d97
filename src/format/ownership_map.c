#include "format/charts.h"

static const double side = 480, least_high = 12, label_room = 16;

static double place(const OwnershipMap *map, int64_t element)
{
    return side * (double)element / (double)map->order;
}

Drawing *ownership_map_draw(Arena *arena, const OwnershipMap *map)
{
    Drawing *drawing = drawing_create(arena, map->heading.title);
    for (size_t i = 0; i < map->rows.count * map->columns.count; i++) {
        const PartRun *row = &map->rows.items[i / map->columns.count];
        const PartRun *column = &map->columns.items[i % map->columns.count];
        Box box = {{place(map, column->from), place(map, row->from)},
                   {place(map, column->to), place(map, row->to)}};
        long long owner = (long long)(row->part * map->across + column->part);
        const char *name = arena_printf(arena, "%lld", owner);
        /* Parts that touch each other differ. */
        Mark *block = drawing_rectangle(
            drawing, STYLE_REGION0 + (Style)((3 * row->part + column->part) % REGION_STYLES), box);
        drawing_explain(drawing, block,
                        arena_printf(arena, "rank %lld: rows %lld..%lld, columns %lld..%lld", owner,
                                     (long long)row->from, (long long)row->to - 1,
                                     (long long)column->from, (long long)column->to - 1));
        if (box.most.y - box.least.y >= least_high &&
            text_width(STYLE_SMALL, name) + 2 <= box.most.x - box.least.x)
            drawing_text(drawing, STYLE_LABEL,
                         (Point){(box.least.x + box.most.x) / 2, (box.least.y + box.most.y) / 2},
                         ANCHOR_MIDDLE, name);
    }
    /* The first row and column of each run, where there is room behind the one before. */
    double before = -side;
    for (size_t i = 0; i < map->rows.count; i++) {
        double y = place(map, map->rows.items[i].from);
        drawing_line(drawing, STYLE_PAPER_LINE, (Point){0, y}, (Point){side, y});
        if (y - before < label_room)
            continue;
        before = y;
        drawing_text(drawing, STYLE_SMALL, (Point){-8, y + 6}, ANCHOR_END,
                     arena_printf(arena, "%lld", (long long)map->rows.items[i].from));
    }
    before = -side;
    for (size_t i = 0; i < map->columns.count; i++) {
        double x = place(map, map->columns.items[i].from);
        const char *number = arena_printf(arena, "%lld", (long long)map->columns.items[i].from);
        drawing_line(drawing, STYLE_PAPER_LINE, (Point){x, 0}, (Point){x, side});
        if (x < before)
            continue;
        before = x + text_width(STYLE_SMALL, number) + 8;
        drawing_text(drawing, STYLE_SMALL, (Point){x, -10}, ANCHOR_START, number);
    }
    drawing_text(drawing, STYLE_SMALL, (Point){0, side + 14}, ANCHOR_START,
                 "numbers in blocks: ranks; at the edges: first row and column");
    heading_draw(drawing, &map->heading, drawing_box(drawing).least.x + 16, -26);
    return drawing;
}
