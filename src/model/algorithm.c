#include "model/algorithm.h"

#include "lang/check.h"
#include "model/compose.h"
#include "model/library.h"
#include "model/use.h"

#include <string.h>

const VerbInfo verb_info[VERB_COUNT] = {
#define VERB(id, key, keeps, combines) {key, keeps, combines},
#include "model/verbs.def"
#undef VERB
};

typedef struct {
    struct Library *library;
    Arena *arena;
    Algorithm *algorithm;
    Algorithm *of_line; /* the program of a line, where there is `along`; else NULL */
    Scope scope;
    uint64_t lets;   /* slots of the scope with a value from `let` */
    int index_count; /* of a block, the chunk's index included */
    Diag *diag;
} Loader;

static bool load_steps(Loader *loader, const Node *list, bool in_round, ScheduleStep **steps,
                       size_t *count);

static bool has_room(Loader *loader, Span span)
{
    if (loader->scope.count < MOST_SLOTS)
        return true;
    diag_error(loader->diag, span, "there are too many names here (at most %d)", MOST_SLOTS);
    return false;
}

/* A name with its value, which is appended to `lets`; or a function. */
static bool load_let(Loader *loader, const Node *key, const Node *value, LetList *lets)
{
    Signature signature;
    if (!parse_signature(loader->arena, key->text, &signature, loader->diag))
        return false;
    const char *name = arena_copy(loader->arena, signature.name.chars, signature.name.length);
    if (scope_find(&loader->scope, signature.name) >= 0) {
        diag_error(loader->diag, signature.name.span, "'%s' has a meaning already", name);
        return false;
    }
    if (!node_is_scalar(value, "an expression", loader->diag))
        return false;
    Expr *expr = parse_expression(loader->arena, value->text, loader->diag);
    if (expr && signature.parameter_count)
        return check_function(loader->arena, &signature, expr, &loader->scope, loader->diag) &&
               has_room(loader, key->text.span);
    if (expr)
        expr = check_any(loader->arena, expr, &loader->scope, loader->diag);
    if (!expr)
        return false;
    Let *let = &lets->items[lets->count++];
    let->program = program_compile(loader->arena, expr, &loader->scope);
    let->varies = expr->varies;
    let->slot = scope_add(loader->arena, &loader->scope,
                          (Variable){name, expr->type, expr->dimension, expr->varies});
    if (!has_room(loader, key->text.span))
        return false;
    loader->lets |= (uint64_t)1 << let->slot;
    return true;
}

static bool load_lets(Loader *loader, const Node *map, LetList *lets)
{
    const Node *node = node_get(map, "let");
    if (!node)
        return true;
    if (!node_is_map(node, "the value of 'let'", loader->diag))
        return false;
    lets->items = ARENA_ARRAY(loader->arena, Let, node->count);
    bool good = true;
    for (size_t i = 0; i < node->count; i++)
        good = load_let(loader, node->keys[i], node->values[i], lets) && good;
    return good;
}

static int find_verb(const Node *map)
{
    for (int verb = 0; verb < VERB_COUNT; verb++)
        if (node_get(map, verb_info[verb].key))
            return verb;
    return -1;
}

static bool load_loop(Loader *loader, const Node *node, const char *what, StepLoop *loop)
{
    if (!node_is_scalar(node, what, loader->diag) ||
        !parse_loop(loader->arena, node->text, &loop->loop, loader->diag) ||
        !check_loop(loader->arena, &loop->loop, &loader->scope, false, loader->diag) ||
        !has_room(loader, node->text.span))
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
    return check_index_counts(sets, loader->index_count, algorithm->array_sizes,
                              algorithm->collective->head.name, loader->diag);
}

/* Blocks keep their indices where they land, so that array must not have one more. */
static bool can_land(const Loader *loader, int array, Span span)
{
    const Algorithm *algorithm = loader->algorithm;
    if (array == 0 || !algorithm->array_sizes[array - 1].program)
        return true;
    diag_error(loader->diag, span,
               "'%s' has an index in front, which 'as' cannot give: use 'combine'",
               algorithm->arrays[array - 1]);
    return false;
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
    int slot = scope_find(&loader->scope, node->text);
    if (slot >= 0 && loader->scope.items[slot].type == TYPE_ARRAY) {
        transfer->as = scope_array_number(&loader->scope, slot);
        loader->algorithm->moves_blocks = true;
        return can_land(loader, transfer->as, node->text.span);
    }
    diag_error(loader->diag, node->text.span, "there is no array '%.*s': 'arrays' lists them",
               (int)node->text.length, node->text.chars);
    diag_suggest(loader->diag, node->text, algorithm->arrays, algorithm->array_count);
    return false;
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
           read_formula(loader->arena, map, "if", &loader->scope, TYPE_BOOL, DIMENSION_NONE,
                        &step->condition, loader->diag);
}

static bool load_transfer(Loader *loader, const Node *map, int verb, ScheduleStep *step)
{
    const char *const keys[] = {verb_info[verb].key, "to", "if", "for", "as"};
    Transfer *transfer = &step->transfer;
    step->kind = STEP_TRANSFER;
    loader->algorithm->has_transfers = true;
    transfer->verb = (Verb)verb;
    if (!node_check_keys(map, "a transfer", keys, 5, loader->diag) ||
        !load_step_loops(loader, node_get(map, "for"), step) ||
        !load_target(loader, node_get(map, "as"), transfer))
        return false;
    if (!node_get(map, "to")) {
        diag_error(loader->diag, map->text.span, "a transfer needs 'to', the rank that receives");
        return false;
    }
    const Node *blocks = node_get(map, verb_info[verb].key);
    bool good = read_sets(loader->arena, blocks, "a set of blocks", &loader->scope,
                          &transfer->blocks, loader->diag);
    good = good && has_index_counts(loader, &transfer->blocks);
    for (size_t i = 0; good && i < transfer->blocks.count; i++)
        loader->algorithm->names_all |= transfer->blocks.items[i].syntax->all;
    good = read_formula(loader->arena, map, "to", &loader->scope, TYPE_INT, DIMENSION_NONE,
                        &transfer->to, loader->diag) &&
           good;
    return read_formula(loader->arena, map, "if", &loader->scope, TYPE_BOOL, DIMENSION_NONE,
                        &step->condition, loader->diag) &&
           good;
}

static bool load_use(Loader *loader, const Node *map, ScheduleStep *step)
{
    step->kind = STEP_USE;
    if (!use_read(loader->library, loader->arena, loader->algorithm->collective, map,
                  &loader->scope, &step->use, loader->diag) ||
        !read_uniform_formula(loader->arena, map, "if", &loader->scope, TYPE_BOOL, &step->condition,
                              loader->diag))
        return false;
    compose_note_use(loader->algorithm, &step->use);
    return true;
}

static bool load_repeat_loop(Loader *loader, const Node *node, ScheduleStep *step)
{
    StepLoop loop = {0};
    bool good = load_loop(loader, node, "the value of 'repeat'", &loop);
    step->loop = loop.loop;
    step->from = loop.from;
    step->to = loop.to;
    return good;
}

/* The names of `then`. While the repeat runs, each rank has a value of its own. */
static bool find_then(Loader *loader, const Node *node, LetList *then)
{
    if (!node)
        return true;
    if (!node_is_map(node, "the value of 'then'", loader->diag))
        return false;
    then->items = ARENA_ARRAY(loader->arena, Let, node->count);
    for (size_t i = 0; i < node->count; i++) {
        Text name = node->keys[i]->text;
        int slot = scope_find(&loader->scope, name);
        if (slot < 0 || !(loader->lets >> slot & 1)) {
            diag_error(loader->diag, name.span,
                       "'then' gives new values to names of a 'let' outside of the repeat; '%.*s' "
                       "is none",
                       (int)name.length, name.chars);
            return false;
        }
        then->items[then->count++].slot = slot;
        loader->scope.items[slot].varies = true;
    }
    return true;
}

static bool load_then(Loader *loader, const Node *node, const LetList *then)
{
    for (size_t i = 0; i < then->count; i++) {
        Let *let = &then->items[i];
        const Variable *variable = &loader->scope.items[let->slot];
        if (!node_is_scalar(node->values[i], "an expression", loader->diag))
            return false;
        Expr *expr = parse_expression(loader->arena, node->values[i]->text, loader->diag);
        if (expr)
            expr = check_expression(loader->arena, expr, &loader->scope, variable->type,
                                    variable->dimension, loader->diag);
        if (!expr)
            return false;
        let->program = program_compile(loader->arena, expr, &loader->scope);
        let->varies = expr->varies;
    }
    return true;
}

static bool load_passes(Loader *loader, const Node *map, ScheduleStep *step)
{
    const Node *steps = node_get(map, "steps"), *then = node_get(map, "then");
    if (!find_then(loader, then, &step->then))
        return false;
    if (!steps) {
        diag_error(loader->diag, map->text.span, "a repeat needs 'steps'");
        return false;
    }
    return load_lets(loader, map, &step->lets) &&
           load_steps(loader, steps, false, &step->steps, &step->step_count) &&
           load_then(loader, then, &step->then);
}

static bool load_repeat(Loader *loader, const Node *map, ScheduleStep *step)
{
    static const char *const keys[] = {"repeat", "steps", "let", "if", "then"};
    const size_t names = loader->scope.count;
    Variable outer[MOST_SLOTS];
    memcpy(outer, loader->scope.items, names * sizeof *outer);
    step->kind = STEP_REPEAT;
    bool good = node_check_keys(map, "a repeat", keys, 5, loader->diag) &&
                read_uniform_formula(loader->arena, map, "if", &loader->scope, TYPE_BOOL,
                                     &step->condition, loader->diag) &&
                load_repeat_loop(loader, node_get(map, "repeat"), step) &&
                load_passes(loader, map, step);
    memcpy(loader->scope.items, outer, names * sizeof *outer); /* behind it nothing has changed */
    return good;
}

static bool load_round(Loader *loader, const Node *map, ScheduleStep *step)
{
    static const char *const keys[] = {"round", "let", "if"};
    step->kind = STEP_ROUND;
    return node_check_keys(map, "a round", keys, 3, loader->diag) &&
           read_uniform_formula(loader->arena, map, "if", &loader->scope, TYPE_BOOL,
                                &step->condition, loader->diag) &&
           load_lets(loader, map, &step->lets) &&
           load_steps(loader, node_get(map, "round"), true, &step->steps, &step->step_count);
}

static bool report_no_step(Loader *loader, const Node *map, bool in_round)
{
    static const char *const keys[] = {"send", "move", "reduce", "exchange", "repeat", "round",
                                       "to",   "if",   "let",    "steps",    "for",    "combine",
                                       "as",   "use",  "along",  "renumber", "root",   "then"};
    if (node_check_keys(map, "a step", keys, sizeof keys / sizeof *keys, loader->diag))
        diag_error(loader->diag, map->text.span,
                   in_round ? "a round holds transfers (send, move, reduce, exchange) and combine"
                            : "a step is a transfer (send, move, reduce, exchange), a combine, a "
                              "repeat, a round or a use");
    return false;
}

static bool load_step(Loader *loader, const Node *map, bool in_round, ScheduleStep *step)
{
    step->span = map->text.span;
    if (!node_is_map(map, "a step", loader->diag))
        return false;
    size_t names = loader->scope.count;
    int verb = find_verb(map);
    bool good;
    if (verb >= 0)
        good = load_transfer(loader, map, verb, step);
    else if (node_get(map, "combine"))
        good = load_combine(loader, map, step);
    else if (!in_round && node_get(map, "repeat"))
        good = load_repeat(loader, map, step);
    else if (!in_round && node_get(map, "round"))
        good = load_round(loader, map, step);
    else if (!in_round && node_get(map, "use"))
        good = load_use(loader, map, step);
    else
        good = report_no_step(loader, map, in_round);
    loader->scope.count = names;
    loader->lets &= ((uint64_t)1 << names) - 1;
    return good;
}

static bool load_steps(Loader *loader, const Node *list, bool in_round, ScheduleStep **steps,
                       size_t *count)
{
    if (list->kind != NODE_LIST) {
        diag_error(loader->diag, list->text.span, "steps are a list: each begins with '- '");
        return false;
    }
    *steps = ARENA_ARRAY(loader->arena, ScheduleStep, list->count);
    *count = list->count;
    bool good = true;
    for (size_t i = 0; i < list->count; i++)
        good = load_step(loader, list->values[i], in_round, &(*steps)[i]) && good;
    return good;
}

/* `chunks: k` with a bare k makes k a free parameter; otherwise the number of chunks is given. */
static bool load_chunks(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    const Node *node = node_get(map, "chunks");
    bool rooted = algorithm->collective->rooted, targeted = algorithm->collective->targeted;
    algorithm->free_chunks = node && node->kind == NODE_SCALAR && text_equals(node->text, "k");
    const char *const names[SCHEDULE_SLOTS] = {"p",
                                               "r",
                                               rooted ? "root" : "",
                                               algorithm->free_chunks ? "k" : "",
                                               "d",
                                               targeted ? "target" : ""};
    for (int i = 0; i < SCHEDULE_SLOTS; i++)
        scope_add(loader->arena, &loader->scope,
                  (Variable){names[i], TYPE_INT, DIMENSION_NONE, i == SCHEDULE_R});
    int indices = algorithm->collective->index_count;
    loader->index_count = indices + (node || indices == 0);
    return read_uniform_formula(loader->arena, map, "chunks", &loader->scope, TYPE_INT,
                                &algorithm->chunks, loader->diag);
}

/* `requires` and the sizes of arrays are about p and d alone, so the other names are empty here. */
static Scope scope_of_ranks(Arena *arena)
{
    Scope scope = {0};
    for (int i = 0; i < SCHEDULE_SLOTS; i++)
        scope_add(arena, &scope,
                  (Variable){i == SCHEDULE_P   ? "p"
                             : i == SCHEDULE_D ? "d"
                                               : "",
                             TYPE_INT, DIMENSION_NONE, false});
    return scope;
}

static bool load_requirement(Loader *loader, const Node *map)
{
    Scope scope = scope_of_ranks(loader->arena);
    return read_uniform_formula(loader->arena, map, "requires", &scope, TYPE_BOOL,
                                &loader->algorithm->requires, loader->diag);
}

static bool load_array(Loader *loader, size_t i, Text text)
{
    Signature signature;
    const char *name = loader->algorithm->arrays[i];
    if (!parse_signature(loader->arena, text, &signature, loader->diag))
        return false;
    if (signature.parameter_count || scope_find(&loader->scope, text) >= 0) {
        diag_error(loader->diag, text.span, "'%s' %s", name,
                   signature.parameter_count ? "is not a name" : "has a meaning already");
        return false;
    }
    scope_add(loader->arena, &loader->scope, (Variable){name, TYPE_ARRAY, DIMENSION_NONE, false});
    return has_room(loader, text.span);
}

/* `arrays: {from: p}`: each block of `from` has an index in front, which says of which rank. */
static bool load_array_size(Loader *loader, const Node *map, size_t i)
{
    Scope scope = scope_of_ranks(loader->arena);
    return read_uniform_formula(loader->arena, map, loader->algorithm->arrays[i], &scope, TYPE_INT,
                                &loader->algorithm->array_sizes[i], loader->diag);
}

static bool list_arrays(Loader *loader, const Node *node)
{
    Algorithm *algorithm = loader->algorithm;
    if (node->kind != NODE_MAP) {
        algorithm->arrays = read_names(loader->arena, node, "the name of an array",
                                       &algorithm->array_count, loader->diag);
    } else {
        const char **names = ARENA_ARRAY(loader->arena, const char *, node->count);
        for (size_t i = 0; i < node->count; i++)
            names[i] = node_string(loader->arena, node->keys[i]);
        algorithm->arrays = names;
        algorithm->array_count = node->count;
    }
    if (algorithm->arrays && algorithm->array_count > MOST_ARRAYS)
        diag_error(loader->diag, node->text.span, "an algorithm has at most %d arrays",
                   MOST_ARRAYS);
    algorithm->array_sizes = ARENA_ARRAY(loader->arena, Formula, algorithm->array_count);
    return algorithm->arrays && algorithm->array_count <= MOST_ARRAYS;
}

/* `arrays: [total]`: beside these there is the main one, for `as: main`. */
static bool load_arrays(Loader *loader, const Node *node)
{
    if (!node)
        return true;
    if (!list_arrays(loader, node))
        return false;
    scope_add(loader->arena, &loader->scope, (Variable){"main", TYPE_ARRAY, DIMENSION_NONE, false});
    for (size_t i = 0; i < loader->algorithm->array_count; i++) {
        bool sized = node->kind == NODE_MAP;
        if (!load_array(loader, i, sized ? node->keys[i]->text : node_item(node, i)->text) ||
            (sized && !load_array_size(loader, node, i)))
            return false;
    }
    return true;
}

static bool load_program(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    const Node *schedule = node_get(map, "schedule");
    return load_chunks(loader, map) && load_requirement(loader, map) &&
           grid_read(loader->arena, map, &loader->scope, &algorithm->grid, loader->diag) &&
           load_arrays(loader, node_get(map, "arrays")) &&
           load_lets(loader, map, &algorithm->lets) &&
           load_steps(loader, schedule, false, &algorithm->steps, &algorithm->step_count);
}

/* `along`: the program is that of a line, and the algorithm one use of it. */
static bool load_program_of_line(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    Algorithm *of_line = ARENA_COPY(loader->arena, Algorithm, algorithm, 1);
    ScheduleStep *step = ARENA_NEW(loader->arena, ScheduleStep);
    step->kind = STEP_USE;
    step->span = node_get(map, "along")->text.span;
    step->use = (Use){.algorithm = of_line, .is_own = true};
    algorithm->steps = step;
    algorithm->step_count = 1;
    loader->algorithm = of_line;
    bool good = use_read_along(loader->arena, node_get(map, "along"), &step->use, loader->diag) &&
                load_program(loader, map);
    loader->algorithm = algorithm;
    compose_note_use(algorithm, &step->use);
    loader->of_line = of_line;
    return good;
}

/* Keys that an algorithm made from others has no use for: they come from the others. */
static bool check_made_from(Loader *loader, const Node *map, const char *from,
                            const char *const *foreign, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Node *node = node_get(map, foreign[i]);
        if (!node)
            continue;
        diag_error(loader->diag, node->text.span, "'%s' comes from the algorithms named by '%s'",
                   foreign[i], from);
        return false;
    }
    return true;
}

static bool load_dual(Loader *loader, const Node *map)
{
    static const char *const foreign[] = {"schedule", "sequence", "chunks", "requires",
                                          "let",      "grid",     "arrays", "along"};
    const Node *node = node_get(map, "dual");
    if (!check_made_from(loader, map, "dual", foreign, sizeof foreign / sizeof *foreign) ||
        !node_is_scalar(node, "the value of 'dual'", loader->diag))
        return false;
    const Algorithm *other = library_algorithm(loader->library, node->text, loader->diag);
    return other && compose_dual(loader->algorithm, other, node->text.span, loader->diag);
}

/* `sequence`: one stage, or a list of them. */
static bool load_sequence(Loader *loader, const Node *map)
{
    static const char *const foreign[] = {"schedule", "let", "grid", "arrays", "along"};
    const Node *node = node_get(map, "sequence");
    Algorithm *algorithm = loader->algorithm;
    if (!check_made_from(loader, map, "sequence", foreign, sizeof foreign / sizeof *foreign) ||
        !load_chunks(loader, map) || !load_requirement(loader, map))
        return false;
    for (size_t i = 0; i < node_item_count(node); i++)
        if (!node_is_scalar(node_item(node, i), "a stage of a sequence", loader->diag) ||
            !compose_stage(loader->library, loader->arena, algorithm, node_item(node, i)->text,
                           loader->diag))
            return false;
    return true;
}

static bool load_schedule(Loader *loader, const Node *map)
{
    if (node_get(map, "dual"))
        return load_dual(loader, map);
    if (node_get(map, "sequence"))
        return load_sequence(loader, map);
    if (node_get(map, "along") && node_get(map, "schedule"))
        return load_program_of_line(loader, map);
    if (node_get(map, "schedule"))
        return load_program(loader, map);
    diag_error(loader->diag, loader->algorithm->head.span,
               "an algorithm needs a 'schedule', a 'sequence' or 'dual'");
    return false;
}

static bool load_expectation(Loader *loader, const Node *map)
{
    static const char *const words[] = {"right", "wrong"};
    const Node *node = node_get(map, "expect");
    int word = node ? read_word(node, "'expect'", words, 2, loader->diag) : 0;
    loader->algorithm->expect_wrong = word == 1;
    return word >= 0;
}

Algorithm *algorithm_read(struct Library *library, Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"algorithm", "collective", "summary", "source",   "expect",
                                       "requires",  "chunks",     "let",     "schedule", "sequence",
                                       "dual",      "claims",     "grid",    "arrays",   "along"};
    Algorithm *algorithm = ARENA_NEW(arena, Algorithm);
    Loader loader = {.library = library, .arena = arena, .algorithm = algorithm, .diag = diag};
    bool good = node_check_keys(map, "an algorithm", keys, sizeof keys / sizeof *keys, diag);
    if (!read_head(arena, map, "algorithm", &algorithm->head, diag))
        return NULL;
    const Node *collective = node_get(map, "collective");
    if (!collective) {
        diag_error(diag, algorithm->head.span, "an algorithm needs a 'collective'");
        return NULL;
    }
    if (!node_is_scalar(collective, "the name of a collective", diag))
        return NULL;
    algorithm->collective = library_collective(library, collective->text, diag);
    bool has_program =
        node_get(map, "schedule") || node_get(map, "dual") || node_get(map, "sequence");
    if (!algorithm->collective || (!good && !has_program)) /* its key may be one that is unknown */
        return NULL;
    good &= load_expectation(&loader, map) && load_schedule(&loader, map);
    ClaimSubject subject = {false, algorithm->collective->rooted, algorithm->free_chunks,
                            algorithm->collective->targeted};
    good &= claims_read(library, arena, node_get(map, "claims"), subject, &algorithm->claims, diag);
    if (loader.of_line)
        loader.of_line->claims = algorithm->claims;
    return good ? algorithm : NULL;
}

const char *algorithm_full_name(Arena *arena, const Algorithm *algorithm)
{
    return arena_printf(arena, "%s/%s", algorithm->collective->head.name, algorithm->head.name);
}
