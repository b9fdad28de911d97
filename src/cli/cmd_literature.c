#include "cli/errata.h"

#include <stdlib.h>
#include <string.h>

ARRAY_TYPE(CoveredArray, const Covered *);

static int compare_numbers(const void *a, const void *b)
{
    const Covered *const *left = a, *const *right = b;
    return strcmp((*left)->number, (*right)->number);
}

static Status run_literature(const CommandLine *line)
{
    Query query;
    OriginArray origins = {0};
    CoveredArray rows = {0};
    size_t answered = 0;
    if (!query_read(line, &query) || !origins_load(&query, &origins))
        return STATUS_BAD_INPUT;
    /* Those of all sources that have the words, by number. */
    for (size_t i = 0; i < origins.count; i++)
        for (size_t j = 0; j < origins.items[i]->covered_count; j++) {
            const Covered *row = &origins.items[i]->covered[j];
            const char *const texts[] = {row->number,   row->operation, row->item,
                                         row->topology, row->switching, row->sources};
            if (have_words(texts, COUNT_OF(texts), &line->operands))
                *ARRAY_PUSH(line->arena, &rows) = row;
        }
    if (rows.count == 0)
        return BAD_INPUT(line->diag, line->operands.items[0].span, "no row has these words");
    qsort(rows.items, rows.count, sizeof *rows.items, compare_numbers);
    Table *table = query_table(&query, TABLE_literature);
    for (size_t i = 0; i < rows.count; i++) {
        const Covered *row = rows.items[i];
        PUT(table, row, number, operation, item, topology, switching);
        put_text(table, KEY_source, row->sources);
        put_text(table, KEY_answer, *row->answer ? row->answer : NULL);
        table_row(table);
        answered += *row->answer != '\0';
    }
    table_close(table);
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "\n%zu of %zu rows are answered\n", answered, rows.count);
    return STATUS_FINE;
}

const Command command_literature = {
    .name = "literature",
    .operands = "[WORD...]",
    .summary = "what the sources cover, and the command that answers it",
    .description =
        "Lists the operations, algorithms, bounds and definitions of the sources, one row each, "
        "with the command that answers it. With WORDs it takes only the rows that contain all "
        "of them.",
    .examples = "collcost literature\n"
                "collcost literature broadcast mesh",
    .options = OPTIONS(MODELS, OUTPUT),
    .run = run_literature,
};
