#include "cli/cmd_import.h"

#include "exchange/goal.h"
#include "exchange/program_blocks.h"

#include <string.h>

static void fill_option(CommandLine *line, OptionId option, int64_t value)
{
    *ARRAY_PUSH(line->arena, &line->values[option]) = source_argument(
        line->arena, option_name(option), arena_printf(line->arena, "%lld", (long long)value));
}

static Status add_file(const CommandLine *line, ImportedModels *models, size_t i, size_t number)
{
    Text *operand = &models->line.operands.items[i];
    Buffer text = {.arena = line->arena};
    GpuProgram program;
    const Source *source = import_source(line, *operand);
    if (!source)
        return STATUS_BAD_INPUT;
    if (goal_is_source(source))
        return BAD_INPUT(
            line->diag, operand->span,
            "GOAL has a cost only: its messages have no blocks, which algorithms have");
    const Status status = import_program(line, source, &program);
    if (status != STATUS_FINE)
        return status;
    /* The file's own name, numbered where it is not the first file. */
    const char *slash = strrchr((*operand).chars, '/');
    const char *own = slash ? slash + 1 : (*operand).chars;
    program.name = number ? arena_printf(line->arena, "%s-%zu", own, number + 1) : own;
    const char *name =
        program_model(line->arena, &program, program.root, operand->chars, 1, &text, line->diag);
    if (!name)
        return STATUS_BAD_INPUT;
    *ARRAY_PUSH(line->arena, &models->context.models) =
        source_from_text(line->arena, program.name, text.items, text.count);
    *operand = (Text){name, strlen(name), (*operand).span, false};
    if (!option_given(&models->line, OPTION_RANKS) && !topology_has_sizes(&models->line))
        fill_option(&models->line, OPTION_RANKS, program.rank_count);
    if ((program.label == GPU_BROADCAST || program.label == GPU_REDUCE ||
         program.label == GPU_GATHER || program.label == GPU_SCATTER) &&
        !option_given(&models->line, OPTION_ROOT) && !option_given(&models->line, OPTION_FROM) &&
        !option_given(&models->line, OPTION_TO))
        fill_option(&models->line, OPTION_ROOT, program.root);
    return STATUS_FINE;
}

Status imported_models(const CommandLine *line, ImportedModels *models)
{
    const size_t count = line->operands.count;
    bool has_files = false;
    models->line = *line;
    for (size_t i = 0; i < count; i++)
        has_files |= import_is_file(line->operands.items[i]);
    if (!has_files)
        return imported_check_absent(line) ? STATUS_FINE : STATUS_BAD_INPUT;
    models->context = line->context ? *line->context : (Context){0};
    const SourceArray loaded = models->context.models;
    models->context.models = (SourceArray){0};
    for (size_t i = 0; i < loaded.count; i++)
        *ARRAY_PUSH(line->arena, &models->context.models) = loaded.items[i];
    models->context.library = NULL;
    models->context.measures = NULL;
    models->line.context = &models->context;
    models->line.operands = (TextArray){0};
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(line->arena, &models->line.operands) = line->operands.items[i];
    Status status = STATUS_FINE;
    for (size_t i = 0, files = 0; i < count && status == STATUS_FINE; i++)
        if (import_is_file(line->operands.items[i]))
            status = add_file(line, models, i, files++);
    return status;
}
