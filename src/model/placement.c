#include "model/loader.h"

#include <string.h>

static const Problem *problem_of(const Loader *loader)
{
    return loader->algorithm->collective->problem;
}

bool placement_read_blocks(Loader *loader, const Node *map)
{
    const Problem *problem = problem_of(loader);
    const Node *blocks = node_get(map, "blocks");
    const char *names[PROBLEM_ARRAYS];
    Scope scope;
    if (!blocks)
        return diag_error(
            loader->diag, loader->algorithm->head.span,
            "an algorithm of a problem needs 'blocks': into how many parts arrays are cut");
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        names[a] = problem->arrays[a].name;
    if (!node_is_map(blocks, "the value of 'blocks'", loader->diag) ||
        !node_check_keys(blocks, "the map of a problem's blocks", names, PROBLEM_ARRAYS,
                         loader->diag) ||
        !grid_scope(loader->arena, map, &scope, loader->diag))
        return false;
    const FormulaMap in = {loader->arena, blocks, &scope, loader->diag};
    for (int a = 0; a < PROBLEM_ARRAYS; a++) {
        const Node *parts = node_get(blocks, names[a]);
        if (!parts)
            return diag_error(loader->diag, blocks->text.span, "'%s' is missing", names[a]);
        /* A: [q, q] */
        const int dimensions = problem->arrays[a].dimensions;
        Formula *counts = loader->algorithm->blocks.parts[a];
        if ((int)node_item_count(parts) != dimensions)
            return diag_error(loader->diag, parts->text.span, "'%s' has %s", names[a],
                              dimensions == 1 ? "one dimension" : "two dimensions");
        for (int x = 0; x < dimensions; x++) {
            const Node *item = node_item(parts, (size_t)x);
            if (!node_is_scalar(item, "a number of parts", loader->diag) ||
                !read_expression(in, item->text, TYPE_INT, DIMENSION_NONE, &counts[x]) ||
                !formula_is_uniform(&counts[x], loader->diag))
                return false;
        }
        scope_add(loader->arena, &loader->scope,
                  (Variable){names[a], TYPE_ARRAY, DIMENSION_NONE, false});
        if (!loader_has_room(loader, blocks->text.span))
            return false;
    }
    loader->algorithm->reads_ports |= scope.read >> SCHEDULE_D & 1;
    return true;
}

/* Is it written with the name of an array, and with as many indices? */
static bool check_set(const Loader *loader, const CompiledSet *set)
{
    const Problem *problem = problem_of(loader);
    const BlockSet *syntax = set->syntax;
    Text text = syntax->text;
    if (syntax->all)
        return true;
    bool named = false;
    for (int a = 0; a < PROBLEM_ARRAYS; a++) {
        size_t length = strlen(problem->arrays[a].name);
        named |= text.length > length && memcmp(text.chars, problem->arrays[a].name, length) == 0 &&
                 memchr(" (", text.chars[length], 2);
    }
    if (!named && !syntax->name.length)
        return diag_error(loader->diag, text.span, "a block of an array is written %s(...)",
                          problem->arrays[0].name);
    const ProblemArray *array = &problem->arrays[syntax->array];
    if (set->index_count != array->dimensions)
        diag_error(loader->diag, syntax->name.length ? syntax->name.span : text.span,
                   "a block of %s has %d %s, not %d", array->name, array->dimensions,
                   array->dimensions == 1 ? "index" : "indices", set->index_count);
    return set->index_count == array->dimensions;
}

bool placement_check_sets(const Loader *loader, const SetList *sets)
{
    bool good = true;
    for (size_t i = 0; i < sets->count; i++)
        good = check_set(loader, &sets->items[i]) && good;
    return good;
}

static bool read_end(Loader *loader, const Node *map, const char *key, SetList *sets)
{
    const Node *node = node_get(map, key);
    if (!node)
        return diag_error(loader->diag, loader->algorithm->head.span,
                          "an algorithm of a problem needs '%s': where blocks lie", key);
    if (!read_sets(loader_formulas(loader, map), key, key, sets) ||
        !placement_check_sets(loader, sets))
        return false;
    for (size_t i = 0; i < sets->count; i++)
        if (sets->items[i].syntax->all)
            return diag_error(loader->diag, node->text.span, "'all' is not allowed here");
    return true;
}

bool placement_read_ends(Loader *loader, const Node *map)
{
    return !problem_of(loader) || (read_end(loader, map, "before", &loader->algorithm->before) &&
                                   read_end(loader, map, "after", &loader->algorithm->after));
}

bool placement_read_compute(Loader *loader, const Node *map, ScheduleStep *step)
{
    static const char *const keys[] = {"compute", "if"};
    const Problem *problem = problem_of(loader);
    const Node *node = node_get(map, "compute");
    BlockSet *sets = ARENA_ARRAY(loader->arena, BlockSet, PROBLEM_ARRAYS);
    step->kind = STEP_COMPUTE;
    step->product = ARENA_ARRAY(loader->arena, CompiledSet, PROBLEM_ARRAYS);
    if (!problem)
        return diag_error(loader->diag, map->text.span, "only an algorithm of a problem computes");
    if (!node_check_keys(map, "a compute", keys, 2, loader->diag) ||
        !node_is_scalar(node, "the value of 'compute'", loader->diag) ||
        !parse_product(loader->arena, node->text, sets, loader->diag))
        return false;
    for (int s = 0; s < PROBLEM_ARRAYS; s++) {
        const ProblemArray *wanted = &problem->arrays[problem->roles[s]];
        if (!text_equals(sets[s].name, wanted->name))
            return diag_error(loader->diag, sets[s].name.span, "a block of %s belongs here",
                              wanted->name);
        if (!set_compile(loader->arena, &sets[s], &loader->scope, &step->product[s],
                         loader->diag) ||
            !check_set(loader, &step->product[s]))
            return false;
    }
    return read_formula(loader_formulas(loader, map), "if", TYPE_BOOL, DIMENSION_NONE,
                        &step->condition);
}

/* The names of the collective's indices stand for one of its blocks while `of` is read. */
bool placement_read_of(Loader *loader, const Node *map, Use *use)
{
    const Node *node = node_get(map, "of");
    const Collective *theirs = use->algorithm->collective;
    size_t names = loader->scope.count;
    if (!problem_of(loader) || !node) {
        if (problem_of(loader) || node)
            diag_error(loader->diag, map->text.span,
                       node ? "'of' names blocks of a problem's arrays"
                            : "a use in a problem needs 'of': the blocks that it moves");
        return !problem_of(loader) && !node;
    }
    use->of_slot = (int)names;
    for (int x = 0; x < theirs->index_count; x++)
        scope_add(loader->arena, &loader->scope,
                  (Variable){theirs->index_names[x], TYPE_INT, DIMENSION_NONE, true});
    bool good = loader_has_room(loader, node->text.span) &&
                read_sets(loader_formulas(loader, map), "of", "a set of blocks", &use->of) &&
                placement_check_sets(loader, &use->of);
    loader->scope.count = names;
    return good;
}
