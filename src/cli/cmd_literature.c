#include "cli/errata.h"

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

static Status run(const CommandLine *line)
{
    Query query;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    Table *table = line_table(line, query.format, TABLE_literature);
    int shown = 0, answered = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        const Row *row = &rows[i];
        const char *const texts[] = {row->number,   row->operation, row->item,
                                     row->topology, row->switching, row->source};
        if (!have_words(texts, sizeof texts / sizeof *texts, &line->operands))
            continue;
        put_text(table, KEY_number, row->number);
        put_text(table, KEY_operation, row->operation);
        put_text(table, KEY_item, row->item);
        put_text(table, KEY_topology, row->topology);
        put_text(table, KEY_switching, row->switching);
        put_text(table, KEY_source, row->source);
        put_text(table, KEY_answer, row->answer);
        table_row(table);
        shown++;
        answered += row->answer != NULL;
    }
    table_close(table);
    if (shown == 0) {
        diag_error(line->diag, line->operands.items[0].span, "no row has these words");
        return STATUS_BAD_INPUT;
    }
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "\n%d of %d rows are answered\n", answered, shown);
    return STATUS_FINE;
}

const Command command_literature = {
    .name = "literature",
    .operands = "[WORD...]",
    .most_operands = 8,
    .summary = "what the sources cover, and the command that answers it",
    .description = "The operations, algorithms, bounds and definitions of the sources, one row "
                   "each, with the\n"
                   "command that answers it. With WORDs, only the rows that have them all.",
    .examples = "collcost literature\n"
                "collcost literature broadcast mesh",
    .options = OPTION_BIT(OUTPUT),
    .run = run,
};
