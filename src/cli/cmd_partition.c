#include "sched/partition.h"

#include "cli/files.h"
#include "cli/query.h"
#include "format/charts.h"

/* Matrices up to this order are drawn. */
enum { LARGEST_DRAWN = 64 };

/* A matrix of order n on ranks that lie row by row on a grid. */
typedef struct {
    const Query *query;
    int64_t n, p;
    Partition rows, columns;
} Layout;

/* "0..2, 6..8, ..." */
static const char *list_runs(Arena *arena, const Partition *partition, int64_t part)
{
    const char *text = "";
    int64_t start, end = 0;
    for (int runs = 0; partition_run(partition, part, end, &start, &end); runs++) {
        const char *comma = *text ? ", " : "";
        if (runs == MOST_SHOWN)
            return arena_printf(arena, "%s, ...", text);
        text = end - start == 1 ? arena_printf(arena, "%s%s%lld", text, comma, (long long)start)
                                : arena_printf(arena, "%s%s%lld..%lld", text, comma,
                                               (long long)start, (long long)end - 1);
    }
    return text;
}

static int64_t elements_of(const Layout *layout, int64_t rank)
{
    return partition_share(&layout->rows, rank / layout->columns.parts) *
           partition_share(&layout->columns, rank % layout->columns.parts);
}

static bool begins_block(const Partition *partition, int64_t element)
{
    return element > 0 &&
           partition_owner(partition, element) != partition_owner(partition, element - 1);
}

/* The owner of each element, with lines between blocks. */
static void draw_partition(const Layout *layout)
{
    FILE *out = layout->query->line->out;
    int width = 2;
    for (int64_t p = layout->p - 1; p >= 10; p /= 10)
        width++;
    fputc('\n', out);
    for (int64_t i = 0; i < layout->n; i++) {
        if (begins_block(&layout->rows, i)) {
            for (int64_t j = 0; j < layout->n; j++) {
                if (begins_block(&layout->columns, j))
                    fputs("-+", out);
                for (int k = 0; k < width; k++)
                    fputc('-', out);
            }
            fputc('\n', out);
        }
        for (int64_t j = 0; j < layout->n; j++)
            fprintf(out, "%s%*lld", begins_block(&layout->columns, j) ? " |" : "", width,
                    (long long)(partition_owner(&layout->rows, i) * layout->columns.parts +
                                partition_owner(&layout->columns, j)));
        fputc('\n', out);
    }
}

/* "elements: largest share 4, smallest 4, mean 4; imbalance 1" */
static const char *describe_balance(const Layout *layout)
{
    int64_t largest = 0, smallest = INT64_MAX;
    double mean = (double)layout->n * (double)layout->n / (double)layout->p;
    for (int64_t r = 0; r < layout->p; r++) {
        int64_t elements = elements_of(layout, r);
        largest = elements > largest ? elements : largest;
        smallest = elements < smallest ? elements : smallest;
    }
    return arena_printf(layout->query->study.arena,
                        "elements: largest share %lld, smallest %lld, mean %.6g; imbalance %.4g",
                        (long long)largest, (long long)smallest, mean, (double)largest / mean);
}

static PartRuns list_parts(Arena *arena, const Partition *partition)
{
    PartRuns runs = {0};
    for (int64_t i = 0, start, end; i < partition->size && runs.count <= OWNERSHIP_MAP_MOST_RUNS;
         i = end) {
        int64_t part = partition_owner(partition, i);
        partition_run(partition, part, i, &start, &end);
        *ARRAY_PUSH(arena, &runs) = (PartRun){i, end, part};
    }
    return runs;
}

static Status draw_picture(const Layout *layout)
{
    const Query *query = layout->query;
    Arena *arena = query->study.arena;
    const OwnershipMap map = {
        .heading = {arena_printf(arena, "a matrix of order %lld on %lldx%lld ranks",
                                 (long long)layout->n, (long long)layout->rows.parts,
                                 (long long)layout->columns.parts),
                    {describe_balance(layout)}},
        .order = layout->n,
        .across = layout->columns.parts,
        .rows = list_parts(arena, &layout->rows),
        .columns = list_parts(arena, &layout->columns)};
    if (map.rows.count > OWNERSHIP_MAP_MOST_RUNS || map.columns.count > OWNERSHIP_MAP_MOST_RUNS)
        return BAD_INPUT(query->study.diag, NOWHERE,
                         "more than %d blocks side by side are too small for a picture",
                         OWNERSHIP_MAP_MOST_RUNS);
    return picture_write(query->line, ownership_map_draw(arena, &map));
}

/* rows: p x 1; columns: 1 x p. */
static bool read_scheme(Layout *layout)
{
    static const char *const schemes[] = {"rows", "columns", "checkerboard"};
    const CommandLine *line = layout->query->line;
    int64_t *down = &layout->rows.parts, *across = &layout->columns.parts;
    Text scheme = line->operands.items[0], above, beside;
    const size_t found = text_among(scheme, schemes, COUNT_OF(schemes));
    if (found == COUNT_OF(schemes)) {
        diag_error(line->diag, scheme.span,
                   "unknown partition '%s'; valid are rows, columns and checkerboard",
                   scheme.chars);
        return diag_suggest(line->diag, scheme, schemes, COUNT_OF(schemes));
    }
    if (option_given(line, OPTION_GRID)) {
        const Text grid = option_value(line, OPTION_GRID);
        if (found != 2)
            return diag_error(line->diag, grid.span, "only a checkerboard has a grid of ranks");
        return (text_split(grid, 'x', &above, &beside) &&
                quantity_is_integer(above, 1, layout->p, down) &&
                quantity_is_integer(beside, 1, layout->p, across) &&
                *down * *across == layout->p) ||
               diag_error(line->diag, grid.span, "a grid of %lld ranks is needed, such as %lldx1",
                          (long long)layout->p, (long long)layout->p);
    }
    /* A checkerboard is as square as p lets it be, with the more rows. */
    *down = found == 0 ? layout->p : 1;
    while (found == 2 && (*down * *down < layout->p || layout->p % *down))
        ++*down;
    *across = layout->p / *down;
    return true;
}

static Status run_partition(const CommandLine *line)
{
    Query query;
    if (!picture_check(line) || !query_read(line, &query))
        return STATUS_BAD_INPUT;
    if (query.orders.count != 1 || query.ranks.count != 1)
        return BAD_INPUT(
            line->diag, NOWHERE,
            "give one order of the matrix and one number of ranks, such as -n 16 -p 4");
    Layout layout = {.query = &query, .n = query.orders.items[0], .p = query.ranks.items[0]};
    if (layout.p > LIMIT_ROWS) {
        diag_limit(line->diag, option_value(line, OPTION_RANKS).span,
                   "a table of %lld ranks has too many rows (more than %d)", (long long)layout.p,
                   LIMIT_ROWS);
        return STATUS_BAD_INPUT;
    }
    layout.rows = layout.columns = (Partition){.size = layout.n, .parts = 1};
    if (!read_scheme(&layout))
        return STATUS_BAD_INPUT;
    const bool is_cyclic = option_given(line, OPTION_CYCLIC);
    int64_t block = 0;
    if (!option_integer(line, OPTION_BLOCK, 1, layout.n, &block))
        return STATUS_BAD_INPUT;
    if (is_cyclic && block)
        return BAD_INPUT(line->diag, NOWHERE,
                         "--cyclic deals out single rows or columns: it takes no --block");
    block = is_cyclic ? 1 : block;
    layout.rows.block = layout.rows.parts > 1 ? block : 0;
    layout.columns.block = layout.columns.parts > 1 ? block : 0;
    if (option_given(line, OPTION_PICTURE))
        return draw_picture(&layout);
    Table *table = query_table(&query, TABLE_partition);
    for (int64_t r = 0; r < layout.p; r++) {
        const double elements = (double)elements_of(&layout, r);
        put_number(table, KEY_rank, (double)r);
        put_text(table, KEY_rows, list_runs(line->arena, &layout.rows, r / layout.columns.parts));
        put_text(table, KEY_columns,
                 list_runs(line->arena, &layout.columns, r % layout.columns.parts));
        put_number(table, KEY_elements, elements);
        put_number(table, KEY_share, elements / ((double)layout.n * (double)layout.n));
        table_row(table);
    }
    table_close(table);
    if (query.format != FORMAT_TEXT)
        return STATUS_FINE;
    fprintf(line->out, "\n%s\n", describe_balance(&layout));
    if (layout.n <= LARGEST_DRAWN)
        draw_partition(&layout);
    return STATUS_FINE;
}

const Command command_partition = {
    .name = "partition",
    .operands = "rows|columns|checkerboard",
    .summary = "which rank owns which part of a matrix",
    .description =
        "Shows which rank owns which part of a matrix of order n on p ranks: stripes of rows or "
        "columns, or a checkerboard; in one block each, dealt out one by one (--cyclic), or "
        "block by block (--block). It gives the largest share and the imbalance, and up to n = "
        "64 the owners as numbers. --picture draws them.",
    .examples = "collcost partition rows -n 16 -p 4\n"
                "collcost partition checkerboard -n 8 -p 4 --cyclic",
    .options = OPTIONS_OF_PICTURES | OPTIONS(ORDER, RANKS, GRID, BLOCK, CYCLIC, OUTPUT),
    .run = run_partition,
};
