#include "cli/query.h"

typedef struct {
    const char *number, *operation, *item, *topology, *switching, *source;
    const char *answer; /* a command line, or NULL */
} Row;

static const Row rows[] = {
#define ROW(...) {__VA_ARGS__},
#include "cli/literature.def"
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static const Column columns[] = {
    {"number", "row", COLUMN_TEXT},          {"operation", "operation", COLUMN_TEXT},
    {"item", "item", COLUMN_TEXT},           {"topology", "topology", COLUMN_TEXT},
    {"switching", "switch", COLUMN_TEXT},    {"source", "source", COLUMN_TEXT},
    {"answer", "collcost ...", COLUMN_TEXT},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static Status run(const CommandLine *line)
{
    Query query;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    Table *table = table_open(line->arena, line->out, query.format, columns, COLUMN_COUNT);
    int answered = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        const Row *row = &rows[i];
        Cell cells[COLUMN_COUNT] = {
            cell_text(row->number),   cell_text(row->operation), cell_text(row->item),
            cell_text(row->topology), cell_text(row->switching), cell_text(row->source),
            cell_text(row->answer),
        };
        table_row(table, cells);
        answered += row->answer != NULL;
    }
    table_close(table);
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "\n%d of %d rows are answered\n", answered, ROW_COUNT);
    return STATUS_FINE;
}

const Command command_literature = {
    .name = "literature",
    .operands = "",
    .summary = "what the sources treat, and the command that answers it",
    .description = "The operations, algorithms, bounds and definitions of the sources, one row "
                   "each, with the\n"
                   "command that answers it.",
    .options = OPTION_BIT(OUTPUT),
    .run = run,
};
