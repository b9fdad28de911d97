#include "cli/cmd_import.h"

#include "cli/files.h"
#include "cli/models.h"
#include "cli/show_parts.h"
#include "exchange/goal.h"
#include "exchange/program_blocks.h"
#include "exchange/program_readers.h"
#include "verify/gpu_run.h"

#include <string.h>

static bool has_root(GpuLabel label)
{
    return label == GPU_BROADCAST || label == GPU_REDUCE || label == GPU_GATHER ||
           label == GPU_SCATTER;
}

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
    if (has_root(program.label) && !option_given(&models->line, OPTION_ROOT) &&
        !option_given(&models->line, OPTION_FROM) && !option_given(&models->line, OPTION_TO))
        fill_option(&models->line, OPTION_ROOT, program.root);
    return STATUS_FINE;
}

bool imported_check_absent(const CommandLine *line)
{
    return options_are_absent(line, OPTIONS_OF_IMPORTS | OPTION_BIT(TILES),
                              "is for files of schedules only");
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

/* What the options say, in place of what files say. */
typedef struct {
    const CommandLine *line;
    Format format;
    GpuLabel label;  /* GPU_LABEL_COUNT: the file's */
    int32_t slots;   /* 0: by its protocol */
    bool sets_place; /* then only this: */
    bool in_place;
    Table *table;
    size_t networks; /* which are not in that table */
    bool saves;
    Buffer models;     /* what --save writes */
    StringArray names; /* of the models in it */
} Import;

static bool read_options(const CommandLine *line, Import *import)
{
    int64_t slots = 0;
    *import = (Import){
        .line = line, .saves = option_given(line, OPTION_SAVE), .models = {.arena = line->arena}};
    if (!query_read_format(line, &import->format))
        return false;
    import->label = GPU_LABEL_COUNT;
    if (option_given(line, OPTION_COLLECTIVE)) {
        const Text label = option_value(line, OPTION_COLLECTIVE);
        import->label = gpu_label_find(label);
        if (import->label == GPU_LABEL_COUNT) {
            const char *names[GPU_LABEL_COUNT];
            for (int i = 0; i < GPU_LABEL_COUNT; i++)
                names[i] = gpu_label_info[i].name;
            diag_error(line->diag, label.span, "unknown collective");
            return diag_suggest(line->diag, label, names, GPU_LABEL_COUNT);
        }
    }
    if (!option_integer(line, OPTION_SLOTS, 1, 1 << 20, &slots))
        return false;
    import->slots = (int32_t)slots;
    import->sets_place = option_given(line, OPTION_INPLACE);
    if (!import->sets_place)
        return true;
    const Text place = option_value(line, OPTION_INPLACE);
    import->in_place = text_equals(place, "yes");
    return import->in_place || text_equals(place, "no") ||
           diag_error(line->diag, place.span, "expected yes or no");
}

const Source *import_source(const CommandLine *line, Text path)
{
    const Source *source =
        models_read_source(line->context, line->arena, path, LIMIT_FILE_BYTES, line->diag);
    return source ? source_in_fences(line->arena, source) : NULL;
}

/* Reads the file, and does what options say in place of it. */
static bool read_program(const Import *import, const Source *source, GpuProgram *program)
{
    const CommandLine *line = import->line;
    if (!program_read(line->arena, source, program, line->diag))
        return false;
    if (program->contract && (import->label != GPU_LABEL_COUNT || import->sets_place ||
                              option_is_spoken(line, OPTION_ROOT)))
        return diag_error(line->diag, program->span,
                          "this file states its result, and where it lies: --collective, "
                          "--inplace and --root are for XML");
    if (import->label != GPU_LABEL_COUNT)
        program->label = import->label;
    if (import->slots)
        program->slots = import->slots;
    if (option_is_spoken(line, OPTION_ROOT)) {
        int64_t root;
        if (!quantity_parse_integer(option_value(line, OPTION_ROOT), 0, program->rank_count - 1,
                                    &root, line->diag))
            return false;
        program->has_root = true;
        program->root = (int32_t)root;
        if (!has_root(program->label))
            return diag_error(line->diag, option_value(line, OPTION_ROOT).span, "%s has no root",
                              gpu_label_info[program->label].name);
    }
    if (import->sets_place) {
        program->in_place = import->in_place;
        program->out_of_place = !import->in_place;
    }
    return true;
}

static Status report(const CommandLine *line, const GpuRun *found)
{
    if (!found->text)
        return STATUS_FINE;
    diag_error(line->diag, found->span, "%s: %s", gpu_verdict_names[found->verdict], found->text);
    return STATUS_CHECK_FAILED;
}

bool import_goal(const CommandLine *line, const Source *source, GoalProgram *program)
{
    return options_are_absent(line, OPTIONS_OF_IMPORTS | OPTIONS(ROOT, SAVE),
                              "is for MSCCL's files: GOAL has messages without data") &&
           goal_read(line->arena, source, program, line->diag);
}

Status import_goal_end(const CommandLine *line, const GoalTime *found)
{
    if (!found->stuck)
        return STATUS_FINE;
    diag_error(line->diag, found->span, "%s: %s", gpu_verdict_names[GPU_DEADLOCK], found->stuck);
    return STATUS_CHECK_FAILED;
}

/* Nothing is known of data in GOAL: whether all ends where messages take no time. */
static Status import_goal_file(const Import *import, Text path, const Source *source)
{
    Table *table = import->table;
    GoalProgram program;
    GoalTime found;
    if (!import_goal(import->line, source, &program) ||
        !goal_time(import->line->arena, &program, NULL, &(Rules){0}, &found, import->line->diag))
        return STATUS_BAD_INPUT;
    const Status status = import_goal_end(import->line, &found);
    put_text(table, KEY_file, path.chars);
    put_number(table, KEY_p, program.rank_count);
    put_number(table, KEY_steps, (double)program.operations.count);
    put_number(table, KEY_waits, (double)program.edges.count);
    if (!found.stuck)
        put_number(table, KEY_sent_messages, (double)found.messages);
    put_text(table, KEY_import_verdict, gpu_verdict_names[found.stuck ? GPU_DEADLOCK : GPU_RUNS]);
    put_text(table, KEY_detail, found.stuck ? found.stuck : "");
    table_row(table);
    return status;
}

/* The network, and where it goes if it is kept. */
static Status import_network(Import *import, Text path, const Source *source)
{
    const CommandLine *line = import->line;
    Query query = {.line = line,
                   .format = import->format,
                   .study = {.arena = line->arena, .diag = line->diag}};
    NetworkWish wish;
    Network network;
    Library *library = query.study.library = models_open(line->arena, NULL, line->diag);
    if (!library || !models_read_wish(line, &wish) ||
        !options_are_absent(line, OPTIONS_OF_IMPORTS, "is for files of schedules only"))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_ORDER) && !wish.order.length)
        return BAD_INPUT(line->diag, option_value(line, OPTION_ORDER).span,
                         "an order of ranks is leaf, name or given");
    wish.library = library;
    source = network_as_models(line->arena, source, &wish, line->diag);
    if (!source || !library_add_source(library, source, line->diag))
        return STATUS_BAD_INPUT;
    const Text names[] = {models_name_in(library, path, KIND_TOPOLOGY),
                          models_name_in(library, path, KIND_MACHINE)};
    const Topology *topology = library_topology(library, names[0], line->diag);
    const Machine *machine = library_machine(library, names[1], line->diag);
    if (!topology || !machine)
        return STATUS_BAD_INPUT;
    query.study.machine = *machine;
    const Shape shape = topology_shape(topology, topology->ranks);
    if (!study_network(&query.study, topology, &shape, &network))
        return STATUS_BAD_INPUT;
    const NetworkFacts facts = {&query, &network, true};
    const bool is_first = import->networks++ == 0;
    if (import->format == FORMAT_JSON && line->operands.count > 1)
        fputs(is_first ? "[\n" : ",\n", line->out);
    else if (!is_first)
        fputs("\n", line->out);
    facts_write_import(&facts, path, source);
    buffer_printf(&import->models, "%s", import->models.count ? "---\n" : "");
    buffer_add(&import->models, source->text, source->length);
    return STATUS_FINE;
}

static Status import_file(Import *import, Text path)
{
    const CommandLine *line = import->line;
    const Source *source = import_source(line, path);
    GpuProgram program;
    if (source && network_is_described(line->arena, source))
        return import_network(import, path, source);
    if (source &&
        !options_are_absent(line, OPTIONS_OF_DESCRIPTIONS, "is for descriptions of networks"))
        return STATUS_BAD_INPUT;
    if (source && goal_is_source(source))
        return import_goal_file(import, path, source);
    if (!source || !read_program(import, source, &program))
        return STATUS_BAD_INPUT;
    const GpuRun found = gpu_run(line->arena, &program, program.label);
    Table *table = import->table;
    put_text(table, KEY_file, path.chars);
    put_text(table, KEY_collective, gpu_label_info[program.label].name);
    put_number(table, KEY_p, program.rank_count);
    put_number(table, KEY_buffer_chunks, program.chunks);
    PUT(table, &found, channels, thread_blocks, steps, waits);
    if (found.verdict == GPU_RIGHT || found.verdict == GPU_RUNS || found.verdict == GPU_WRONG) {
        put_number(table, KEY_sent_messages, (double)found.messages);
        put_number(table, KEY_sent_chunks, (double)found.chunks);
        PUT(table, &found, depth, slots);
    }
    put_text(table, KEY_import_verdict, gpu_verdict_names[found.verdict]);
    put_text(table, KEY_detail, found.text ? found.text : "");
    table_row(table);
    if (program.in_place && !program.contract && !gpu_label_info[program.label].collective)
        diag_warning(line->diag, program.span,
                     "runtimes let input and output overlap here, compilers keep them apart; they "
                     "are apart here");
    const Status status = report(line, &found);
    if (status != STATUS_FINE || !import->saves)
        return status;
    /* Programs of one name, as compilers make them for several sizes, become models of several
       names. */
    const char *name = NULL;
    Buffer text;
    for (int64_t number = 1; !name || strings_hold(&import->names, name); number++) {
        text = (Buffer){.arena = line->arena};
        name =
            program_model(line->arena, &program, found.root, path.chars, number, &text, line->diag);
        if (!name)
            return STATUS_BAD_INPUT;
    }
    *ARRAY_PUSH(line->arena, &import->names) = name;
    buffer_printf(&import->models, "%s", import->models.count ? "---\n" : "");
    buffer_add(&import->models, text.items, text.count);
    return STATUS_FINE;
}

Status import_program(const CommandLine *line, const Source *source, GpuProgram *program)
{
    Import import;
    if (!read_options(line, &import) || !read_program(&import, source, program))
        return STATUS_BAD_INPUT;
    const GpuRun found = gpu_run(line->arena, program, program->label);
    program->root = found.root;
    return report(line, &found);
}

bool import_settle_sizes(const Query *asked, const GpuProgram *program,
                         const Collective **collective, Query *settled, double *blocks)
{
    const Study *study = &asked->study;
    const char *name = gpu_label_info[program->label].collective;
    *collective = NULL;
    *settled = *asked;
    *blocks = 1;
    if (!name)
        return true;
    *collective = library_collective(study->library, source_argument(study->arena, "coll", name),
                                     study->diag);
    return *collective && query_settle_sizes(asked, *collective, program->rank_count, settled) &&
           query_largest_buffer(asked, *collective, program->rank_count, blocks);
}

bool import_is_file(Text operand)
{
    return program_has_ending(operand) || text_ends(operand, ".goal");
}

Status import_files(const CommandLine *line)
{
    Import import;
    Status status = STATUS_FINE;
    if (!read_options(line, &import))
        return STATUS_BAD_INPUT;
    import.table = line_table(line, import.format, TABLE_import);
    for (size_t i = 0; i < line->operands.count; i++) {
        const Status next = import_file(&import, line->operands.items[i]);
        status = next > status ? next : status;
    }
    if (status < STATUS_BAD_INPUT && import.networks && import.networks < line->operands.count &&
        import.format != FORMAT_TEXT)
        return BAD_INPUT(line->diag, NOWHERE,
                         "with this format networks are imported by themselves");
    if (!import.networks || import.format == FORMAT_TEXT)
        table_close(import.table);
    else if (import.format == FORMAT_JSON && line->operands.count > 1)
        fputs("]\n", line->out);
    if (!import.saves || status != STATUS_FINE)
        return status;
    return file_write(line, option_value(line, OPTION_SAVE), import.models.items,
                      import.models.count);
}

const Command command_import = {
    .name = "import",
    .operands = "FILE...",
    .summary = "schedules and networks of other programs, checked",
    .description =
        "Runs MSCCL algorithms (XML, JSON) and plans of MSCCL++ on symbolic data, as the "
        "runtimes do, and says whether each ends without a race, and with the result that its "
        "label, or the JSON, promises. --collective is for XML whose label is wrong or custom. "
        "--save writes a schedule that is right, or runs, as a model file with the same "
        "messages. The exit status is 1 if a schedule is wrong, 2 if a file holds none. For a "
        "description of a network (nvidia-smi topo -m, NCCL, ibnetdiscover, Slurm, ...) it says "
        "what was read and assumed, and --save writes a model.",
    .examples = "collcost export allreduce/ring -p 4 -m 1MiB --format msccl >ring.xml && collcost "
                "import ring.xml\n"
                "collcost cost ring.xml -m 1MiB",
    .options = OPTIONS_OF_DESCRIPTIONS | OPTIONS(COLLECTIVE, INPLACE, ROOT, SLOTS, SAVE, OUTPUT),
    .spoken = OPTION_BIT(ROOT),
    .run = import_files,
};
