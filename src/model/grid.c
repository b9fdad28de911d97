#include "model/grid.h"

#include "lang/exact.h"

#include <string.h>

/* rank(i, j) = when(0 <= i and i < size of i and 0 <= j and ..., i + size of i * (j + ...), -1);
   `place` is for messages */
static bool add_rank(Arena *arena, Text place, const RankGrid *grid, Scope *scope, Diag *diag)
{
    Expr *rank = NULL, *inside = NULL;
    Signature signature = {.name = place, .parameter_count = grid->count};
    signature.name.chars = "rank";
    signature.name.length = 4;
    if (scope_find(scope, signature.name) >= 0)
        return diag_error(diag, place.span, "a coordinate cannot be called 'rank'");
    for (int x = grid->count - 1; x >= 0; x--) {
        const char *name = grid->dimensions[x].name;
        const char *size = scope->items[grid->dimensions[x].size_slot].name;
        Expr *above = expr_make(arena, EXPR_LESS_EQUAL, place, expr_number(arena, 0, place),
                                expr_variable(arena, name, place));
        Expr *below = expr_make(arena, EXPR_LESS, place, expr_variable(arena, name, place),
                                expr_variable(arena, size, place));
        Expr *within = expr_make(arena, EXPR_AND, place, above, below);
        inside = inside ? expr_make(arena, EXPR_AND, place, inside, within) : within;
        Expr *rest =
            rank ? expr_make(arena, EXPR_MULTIPLY, place, expr_variable(arena, size, place), rank)
                 : NULL;
        Expr *own = expr_variable(arena, name, place);
        rank = rest ? expr_make(arena, EXPR_ADD, place, own, rest) : own;
        signature.parameters[x] = own->text;
    }
    Expr *body = expr_make(arena, EXPR_WHEN, place, inside, rank);
    body->arguments[body->argument_count++] = expr_number(arena, -1, place);
    scope_add_function(arena, scope, &signature, body);
    return true;
}

bool grid_scope(Arena *arena, const Node *map, Scope *scope, Diag *diag)
{
    /* whoever uses r is told that sizes are the same for all ranks */
    static const char *const names[SCHEDULE_SLOTS] = {
        [SCHEDULE_P] = "p", [SCHEDULE_R] = "r", [SCHEDULE_D] = "d"};
    *scope = scope_of_whole(arena, names, SCHEDULE_SLOTS, SCHEDULE_R);
    return read_functions(arena, node_get(map, "let"), scope, diag);
}

static const char *const network_names[] = {"dims", "X", "Y", "Z"};

const char *grid_network_name(int slot)
{
    return slot < SCHEDULE_DIMS ? "" : network_names[slot - SCHEDULE_DIMS];
}

bool grid_is_network(const Node *map)
{
    const Node *node = node_get(map, "grid");
    return node && node->kind == NODE_SCALAR && text_equals(node->text, "network");
}

bool grid_read(Arena *arena, const Node *map, Scope *scope, RankGrid *grid, Diag *diag)
{
    const Node *node = node_get(map, "grid");
    *grid = (RankGrid){0};
    if (!node)
        return true;
    grid->span = node->text.span;
    if (grid_is_network(map)) {
        /* The sizes have slots of their own, which are named before. */
        static const char *const names[MOST_NETWORK_GRID] = {"x", "y", "z"};
        grid->is_network = true;
        grid->count = MOST_NETWORK_GRID;
        for (int i = 0; i < grid->count; i++)
            grid->dimensions[i] = (GridDimension){
                .name = names[i],
                .slot =
                    scope_add(arena, scope, (Variable){names[i], TYPE_INT, DIMENSION_NONE, true}),
                .size_slot = SCHEDULE_SIZES + i};
        return add_rank(arena, node->text, grid, scope, diag);
    }
    if (node->kind == NODE_SCALAR)
        return diag_error(diag, node->text.span, "a grid is a map of coordinates, or 'network'");
    if (!node_is_map(node, "the value of 'grid'", diag))
        return false;
    if (node->count < 1 || node->count > MOST_PARAMETERS)
        return diag_error(diag, node->text.span, "a grid has 1 to %d dimensions", MOST_PARAMETERS);
    grid->count = (int)node->count;
    Scope sizes;
    bool good = grid_scope(arena, map, &sizes, diag);
    for (int x = 0; good && x < grid->count; x++) {
        GridDimension *dimension = &grid->dimensions[x];
        const Text key = node->keys[x]->text;
        Signature signature;
        dimension->name = node_string(arena, node->keys[x]);
        good = read_uniform_formula((FormulaMap){arena, node, &sizes, diag}, dimension->name,
                                    TYPE_INT, &dimension->size) &&
               parse_signature(arena, key, &signature, diag);
        if (good && (signature.parameter_count || scope_find(scope, key) >= 0))
            good = diag_error(diag, key.span, "'%s' %s", dimension->name,
                              signature.parameter_count ? "is not the name of a coordinate"
                                                        : "is already defined");
        if (!good)
            break;
        const char *size = arena_printf(arena, "size of %s", dimension->name);
        dimension->slot =
            scope_add(arena, scope, (Variable){dimension->name, TYPE_INT, DIMENSION_NONE, true});
        dimension->size_slot =
            scope_add(arena, scope, (Variable){size, TYPE_INT, DIMENSION_NONE, false});
    }
    grid->reads_ports = sizes.read >> SCHEDULE_D & 1;
    return good && add_rank(arena, node->text, grid, scope, diag);
}

bool grid_try_sizes(const RankGrid *grid, const Shape *shape, int64_t ports, int64_t *sizes)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &shape->p, [SCHEDULE_D] = &ports};
    int64_t ranks = 1;
    for (int x = 0; grid->is_network && x < grid->count; x++)
        sizes[x] = x < shape->count ? shape->sizes[x] : 1;
    if (grid->is_network)
        return shape->count <= grid->count;
    for (int x = 0; x < grid->count; x++) {
        sizes[x] = 0;
        if (!program_try(grid->dimensions[x].size.program, slots, 1, &sizes[x]) || sizes[x] < 1 ||
            __builtin_mul_overflow(ranks, sizes[x], &ranks))
            return false;
    }
    return ranks == shape->p;
}

bool grid_sizes(const RankGrid *grid, const Shape *shape, int64_t ports, int64_t *sizes, Diag *diag)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &shape->p, [SCHEDULE_D] = &ports};
    if (grid_try_sizes(grid, shape, ports, sizes))
        return true;
    for (int x = 0; x < grid->count && !grid->is_network; x++) {
        Program *size = grid->dimensions[x].size.program;
        if (!program_try(size, slots, 1, &sizes[x])) {
            /* Is it no integer for want of a root, as q = sqrt(p) is for most p? Else it has no
               value at all. */
            const Expr *of = program_expr(size);
            Exact value,
                exact[MOST_SLOTS] = {
                    [SCHEDULE_P] = exact_from_int(shape->p), [SCHEDULE_D] = exact_from_int(ports)};
            if (of->kind != EXPR_TO_WHOLE || !exact_evaluate(of->arguments[0], exact, &value, NULL))
                program_run_int(size, slots, &sizes[x], diag);
            break;
        }
        if (sizes[x] < 1)
            break;
    }
    return false;
}

const char *grid_requirement(Arena *arena, const RankGrid *grid)
{
    const char *product = "";
    if (grid->is_network)
        return "a network of at most 3 dimensions";
    for (int x = 0; x < grid->count; x++) {
        Text size = grid->dimensions[x].size.text;
        bool is_plain = true;
        for (size_t i = 0; i < size.length; i++)
            is_plain &= strchr(" +-*/", size.chars[i]) == NULL;
        product = arena_printf(arena, is_plain ? "%s%s%.*s" : "%s%s(%.*s)", product, x ? " * " : "",
                               TEXT_ARGS(size));
    }
    return arena_printf(arena, "%s == p", product);
}

bool grid_lay(const RankGrid *grid, Arena *arena, const Shape *shape, int64_t ports, Frame *frame,
              Diag *diag)
{
    const int64_t p = shape->p;
    int64_t *sizes = ARENA_ARRAY(arena, int64_t, MOST_PARAMETERS), stride = 1;
    size_t errors = diag->error_count;
    if (!grid_sizes(grid, shape, ports, sizes, diag)) {
        if (diag->error_count == errors)
            diag_error(diag, grid->span, "this grid does not have p = %lld ranks", (long long)p);
        return false;
    }
    for (int x = 0; x < grid->count; x++) {
        int64_t *coordinates = ARENA_ROOM(arena, int64_t, (size_t)p);
        for (int64_t r = 0; r < p; r++)
            coordinates[r] = r / stride % sizes[x];
        frame->slots[grid->dimensions[x].slot] = coordinates;
        frame->slots[grid->dimensions[x].size_slot] = &sizes[x];
        stride *= sizes[x];
    }
    return true;
}
