#include "lang/check.h"
#include "model/loader.h"
#include "model/use.h"

#include <string.h>

static bool load_loop(Loader *loader, const Node *node, const char *what, StepLoop *loop)
{
    if (!node_is_scalar(node, what, loader->diag) ||
        !parse_loop(loader->arena, node->text, &loop->loop, loader->diag) ||
        !check_loop(loader->arena, &loop->loop, &loader->scope, false, loader->diag) ||
        !loader_has_room(loader, node->text.span))
        return false;
    loop->from = program_compile(loader->arena, loop->loop.from, &loader->scope);
    loop->to = program_compile(loader->arena, loop->loop.to, &loader->scope);
    return true;
}

/* The `for` of a transfer: one loop, or a list of loops. */
static bool load_step_loops(Loader *loader, const Node *node, ScheduleStep *step)
{
    step->loop_count = node ? node_item_count(node) : 0;
    step->loops = ARENA_ARRAY(loader->arena, StepLoop, step->loop_count);
    for (size_t i = 0; i < step->loop_count; i++)
        if (!load_loop(loader, node_item(node, i), "the value of 'for'", &step->loops[i]))
            return false;
    return true;
}

static bool has_index_counts(const Loader *loader, const SetList *sets)
{
    const Algorithm *algorithm = loader->algorithm;
    if (algorithm->collective->problem)
        return placement_check_sets(loader, sets);
    return check_index_counts(sets, loader->index_count, algorithm->array_sizes,
                              algorithm->collective->head.name, loader->diag);
}

/* `as`: the array in which blocks land. */
static bool load_target(Loader *loader, const Node *node, Transfer *transfer)
{
    transfer->as = -1;
    if (!node)
        return true;
    if (!node_is_scalar(node, "the name of an array", loader->diag))
        return false;
    const Algorithm *algorithm = loader->algorithm;
    if (algorithm->collective->problem)
        return diag_error(loader->diag, node->text.span,
                          "blocks of a problem stay in their arrays");
    int slot = scope_find(&loader->scope, node->text);
    if (slot >= 0 && loader->scope.items[slot].type == TYPE_ARRAY) {
        transfer->as = scope_array_number(&loader->scope, slot);
        loader->algorithm->moves_blocks = true;
        /* Blocks keep their indices where they land, so that array must not have one more. */
        int array = transfer->as;
        return array == 0 || !algorithm->array_sizes[array - 1].program ||
               diag_error(loader->diag, node->text.span,
                          "'%s' has an index in front, which 'as' cannot give: use 'combine'",
                          algorithm->arrays[array - 1]);
    }
    diag_error(loader->diag, node->text.span, "unknown array '%.*s': 'arrays' lists them",
               TEXT_ARGS(node->text));
    return diag_suggest(loader->diag, node->text, algorithm->arrays, algorithm->array_count);
}

/* `combine: X += Y` is an exchange of each rank with itself: Y is kept and combined into X. */
static bool load_combine(Loader *loader, const Node *map, ScheduleStep *step)
{
    static const char *const keys[] = {"combine", "if", "for"};
    const Node *node = node_get(map, "combine");
    Transfer *transfer = &step->transfer;
    BlockSet into, from;
    step->kind = STEP_TRANSFER;
    *transfer = (Transfer){.verb = VERB_EXCHANGE, .as = -1};
    loader->algorithm->has_transfers = loader->algorithm->combines = true;
    if (!node_check_keys(map, "a combine", keys, 3, loader->diag) ||
        !load_step_loops(loader, node_get(map, "for"), step) ||
        !node_is_scalar(node, "the value of 'combine'", loader->diag) ||
        !parse_combination(loader->arena, node->text, &into, &from, loader->diag))
        return false;
    transfer->into = (SetList){ARENA_NEW(loader->arena, CompiledSet), 1};
    transfer->blocks = (SetList){ARENA_NEW(loader->arena, CompiledSet), 1};
    loader->algorithm->moves_blocks = true;
    return set_compile(loader->arena, &into, &loader->scope, transfer->into.items, loader->diag) &&
           set_compile(loader->arena, &from, &loader->scope, transfer->blocks.items,
                       loader->diag) &&
           has_index_counts(loader, &transfer->into) &&
           has_index_counts(loader, &transfer->blocks) &&
           read_formula(loader_formulas(loader, map), "if", TYPE_BOOL, DIMENSION_NONE,
                        &step->condition);
}

static bool load_transfer(Loader *loader, const Node *map, int verb, ScheduleStep *step)
{
    const char *const keys[] = {verb_info[verb].key, "to", "if", "for", "as", "skip-empty"};
    const FormulaMap in = loader_formulas(loader, map);
    Transfer *transfer = &step->transfer;
    step->kind = STEP_TRANSFER;
    loader->algorithm->has_transfers = true;
    transfer->verb = (Verb)verb;
    loader->algorithm->keeps |= verb_info[verb].keeps;
    loader->algorithm->combines |= verb_info[verb].combines;
    if (!node_check_keys(map, "a transfer", keys, 6, loader->diag) ||
        !read_answer(map, "skip-empty", &transfer->skips_empty, loader->diag) ||
        !load_step_loops(loader, node_get(map, "for"), step) ||
        !load_target(loader, node_get(map, "as"), transfer))
        return false;
    if (!node_get(map, "to"))
        return diag_error(loader->diag, map->text.span,
                          "a transfer needs 'to', the rank that receives");
    bool good = read_sets(in, verb_info[verb].key, "a set of blocks", &transfer->blocks) &&
                has_index_counts(loader, &transfer->blocks);
    for (size_t i = 0; good && i < transfer->blocks.count; i++)
        loader->algorithm->names_all |= transfer->blocks.items[i].syntax->all;
    good &= read_formula(in, "to", TYPE_INT, DIMENSION_NONE, &transfer->to);
    return read_formula(in, "if", TYPE_BOOL, DIMENSION_NONE, &step->condition) && good;
}

static bool load_use(Loader *loader, const Node *map, ScheduleStep *step)
{
    step->kind = STEP_USE;
    if (!use_read(loader->resolver, loader->algorithm->collective, map, &loader->scope,
                  &step->use) ||
        !placement_read_of(loader, map, &step->use) ||
        !read_uniform_formula(loader_formulas(loader, map), "if", TYPE_BOOL, &step->condition))
        return false;
    compose_note_use(loader->algorithm, &step->use);
    return true;
}

static bool load_passes(Loader *loader, const Node *map, ScheduleStep *step)
{
    const Node *steps = node_get(map, "steps"), *then = node_get(map, "then");
    if (then && !node_is_map(then, "the value of 'then'", loader->diag))
        return false;
    step->then.items = then ? ARENA_ARRAY(loader->arena, Let, then->count) : NULL;
    /* While the repeat runs, each rank has a value of its own of these names. */
    for (size_t i = 0; then && i < then->count; i++) {
        const Text name = then->keys[i]->text;
        const int slot = scope_find(&loader->scope, name);
        if (slot < 0 || !(loader->lets >> slot & 1))
            return diag_error(
                loader->diag, name.span,
                "'then' gives new values to names of a 'let' outside of the repeat; '%.*s' "
                "is none",
                TEXT_ARGS(name));
        step->then.items[step->then.count++].slot = slot;
        loader->scope.items[slot].varies = true;
    }
    if (!steps)
        return diag_error(loader->diag, map->text.span, "a repeat needs 'steps'");
    if (!loader_read_lets(loader, map, &step->lets) ||
        !steps_read(loader, steps, false, &step->steps, &step->step_count))
        return false;
    for (size_t i = 0; i < step->then.count; i++) {
        Let *let = &step->then.items[i];
        const Variable *variable = &loader->scope.items[let->slot];
        Formula value;
        if (!node_is_scalar(then->values[i], "an expression", loader->diag) ||
            !read_expression(loader_formulas(loader, then), then->values[i]->text, variable->type,
                             variable->dimension, &value))
            return false;
        let->program = value.program;
        let->varies = program_varies(value.program);
    }
    return true;
}

static bool load_repeat(Loader *loader, const Node *map, ScheduleStep *step)
{
    static const char *const keys[] = {"repeat", "steps", "let", "if", "then"};
    const size_t names = loader->scope.count;
    Variable outer[MOST_SLOTS];
    StepLoop loop = {0};
    memcpy(outer, loader->scope.items, names * sizeof *outer);
    step->kind = STEP_REPEAT;
    bool good =
        node_check_keys(map, "a repeat", keys, 5, loader->diag) &&
        read_uniform_formula(loader_formulas(loader, map), "if", TYPE_BOOL, &step->condition) &&
        load_loop(loader, node_get(map, "repeat"), "the value of 'repeat'", &loop) &&
        load_passes(loader, map, step);
    step->loop = loop.loop;
    step->from = loop.from;
    step->to = loop.to;
    memcpy(loader->scope.items, outer, names * sizeof *outer); /* behind it nothing has changed */
    return good;
}

static bool load_step(Loader *loader, const Node *map, bool in_round, ScheduleStep *step)
{
    static const char *const known[] = {
        "send",     "move",  "reduce", "exchange", "repeat", "round",     "to",    "if",
        "let",      "steps", "for",    "combine",  "as",     "use",       "along", "channels",
        "renumber", "root",  "then",   "compute",  "of",     "skip-empty"};
    step->span = map->text.span;
    if (!node_is_map(map, "a step", loader->diag))
        return false;
    size_t names = loader->scope.count;
    int verb = 0;
    bool good;
    while (verb < VERB_COUNT && !node_get(map, verb_info[verb].key))
        verb++;
    if (verb < VERB_COUNT)
        good = load_transfer(loader, map, verb, step);
    else if (!in_round && node_get(map, "compute"))
        good = placement_read_compute(loader, map, step);
    else if (node_get(map, "combine") && !loader->algorithm->collective->problem)
        good = load_combine(loader, map, step);
    else if (!in_round && node_get(map, "repeat"))
        good = load_repeat(loader, map, step);
    else if (!in_round && node_get(map, "round")) {
        static const char *const keys[] = {"round", "let", "if"};
        step->kind = STEP_ROUND;
        good =
            node_check_keys(map, "a round", keys, 3, loader->diag) &&
            read_uniform_formula(loader_formulas(loader, map), "if", TYPE_BOOL, &step->condition) &&
            loader_read_lets(loader, map, &step->lets) &&
            steps_read(loader, node_get(map, "round"), true, &step->steps, &step->step_count);
    } else if (!in_round && node_get(map, "use"))
        good = load_use(loader, map, step);
    else
        good = node_check_keys(map, "a step", known, COUNT_OF(known), loader->diag) &&
               diag_error(loader->diag, map->text.span,
                          in_round
                              ? "a round holds transfers (send, move, reduce, exchange) and combine"
                              : "a step is a transfer (send, move, reduce, exchange), a combine, a "
                                "repeat, a round or a use");
    loader->scope.count = names;
    loader->lets &= ((uint64_t)1 << names) - 1;
    return good;
}

bool steps_read(Loader *loader, const Node *list, bool in_round, ScheduleStep **steps,
                size_t *count)
{
    if (list->kind != NODE_LIST)
        return diag_error(loader->diag, list->text.span, "steps are a list: each begins with '- '");
    *steps = ARENA_ARRAY(loader->arena, ScheduleStep, list->count);
    *count = list->count;
    bool good = true;
    for (size_t i = 0; i < list->count; i++)
        good = load_step(loader, list->values[i], in_round, &(*steps)[i]) && good;
    return good;
}
