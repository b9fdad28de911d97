#include "cli/composed.h"

#include "model/use.h"
#include "study/composer.h"

#include <string.h>

bool composed_may_occur(const Query *query)
{
    return !query->only && !query->study.among.is_given &&
           compositions_are_wanted(&query->study, query->topology);
}

const char *composed_rules(const Query *query, const char *rules)
{
    bool are_missed = query->line->command->options & OPTION_BIT(COMPOSE) &&
                      compositions_are_left_out(&query->study, query->topology);
    return are_missed ? arena_printf(query->study.arena, "%s, without compositions", rules) : rules;
}

void composed_write(const Query *query, const char *name, const char *stages, StringArray *written)
{
    if (!stages || strings_hold(written, stages))
        return;
    *ARRAY_PUSH(query->study.arena, written) = stages;
    line_say(query->line, "%s is '%s'", name, stages);
}

void composed_note(ComposedModels *models, const char *collective, const char *name,
                   const char *stages)
{
    Buffer *out = &models->text;
    Text stage, grid, rest = source_argument(out->arena, "composition", stages);
    if (strings_hold(&models->stages, stages))
        return;
    /* "hier-ring-bine", or with a number behind it where another one has that name. */
    char *plain = arena_copy(out->arena, name, strlen(name)), *end = plain;
    for (const char *c = name; *c; c++)
        if (*c != ')')
            *end++ = strchr("(+", *c) ? '-' : *c;
    *end = '\0';
    const char *model = plain;
    for (int n = 2; strings_hold(&models->names, model); n++)
        model = arena_printf(out->arena, "%s-%d", plain, n);
    *ARRAY_PUSH(out->arena, &models->names) = model;
    *ARRAY_PUSH(out->arena, &models->stages) = arena_copy(out->arena, stages, strlen(stages));
    sequence_split(rest, &stage, &grid, &rest);
    buffer_printf(out, "%salgorithm: %s\ncollective: %s\nsummary:%.*s.\n",
                  models->names.count > 1 ? "---\n" : "", model, collective, TEXT_ARGS(rest));
    if (grid.length)
        buffer_printf(out, "grid: %.*s\n", TEXT_ARGS(grid));
    buffer_printf(out, "%ssequence:\n", sequence_take_pipelined(&rest) ? "pipelined: yes\n" : "");
    while (text_next(&rest, ',', &stage))
        buffer_printf(out, "  - %.*s\n", TEXT_ARGS(text_trim(stage)));
}
