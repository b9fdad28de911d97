#include "model/loader.h"
#include "model/trees.h"
#include "model/use.h"

/* `chunks: k`, or so many times k, makes k a free parameter; else the number of chunks is given. */
static bool load_chunks(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    const Node *node = node_get(map, "chunks");
    bool rooted = algorithm->collective->rooted, targeted = algorithm->collective->targeted;
    Text times, k;
    algorithm->free_chunks =
        node && node->kind == NODE_SCALAR &&
        (text_equals(node->text, "k") ||
         (text_split(node->text, '*', &times, &k) && text_equals(text_trim(k), "k")));
    const char *names[SCHEDULE_SLOTS] = {
        [SCHEDULE_P] = "p", [SCHEDULE_R] = "r", [SCHEDULE_D] = "d"};
    names[SCHEDULE_ROOT] = rooted ? "root" : NULL;
    names[SCHEDULE_K] = algorithm->free_chunks ? "k" : NULL;
    names[SCHEDULE_TARGET] = targeted ? "target" : NULL;
    names[SCHEDULE_BRANCHES] = branching_names[algorithm->branching];
    for (int i = SCHEDULE_DIMS; i < SCHEDULE_SLOTS && grid_is_network(map); i++)
        names[i] = grid_network_name(i);
    loader->scope = scope_of_whole(loader->arena, names, SCHEDULE_SLOTS, SCHEDULE_R);
    int indices = algorithm->collective->index_count;
    loader->index_count = indices + (node || indices == 0);
    return read_uniform_formula(loader_formulas(loader, map), "chunks", TYPE_INT,
                                &algorithm->chunks);
}

/* `requires` and the sizes of arrays are about p and d alone, so the other names are empty here. */
static Scope scope_of_ranks(Arena *arena)
{
    static const char *const names[SCHEDULE_SLOTS] = {[SCHEDULE_P] = "p", [SCHEDULE_D] = "d"};
    return scope_of_whole(arena, names, SCHEDULE_SLOTS, -1);
}

/* `radix: 2 .. p`, before the names of the program are known: it is one of them. */
static bool load_branching(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    for (Branching b = BRANCHING_NONE + 1; b < BRANCHING_COUNT; b++) {
        const Node *node = node_get(map, branching_names[b]);
        if (!node)
            continue;
        if (algorithm->branching)
            return diag_error(loader->diag, node->text.span,
                              "an algorithm has a radix or a fan-out, not both");
        algorithm->branching = b;
        Scope scope = scope_of_ranks(loader->arena);
        if (!read_whole_range((FormulaMap){loader->arena, map, &scope, loader->diag},
                              branching_names[b], "a range", &algorithm->least_branches,
                              &algorithm->most_branches))
            return false;
        algorithm->reads_ports |= scope.read >> SCHEDULE_D & 1;
    }
    return true;
}

/* The value of a key that is about p and d alone. */
static bool load_of_ranks(Loader *loader, const Node *map, const char *key, Type type,
                          Formula *formula)
{
    Scope scope = scope_of_ranks(loader->arena);
    const bool good = read_uniform_formula((FormulaMap){loader->arena, map, &scope, loader->diag},
                                           key, type, formula);
    loader->algorithm->reads_ports |= scope.read >> SCHEDULE_D & 1;
    return good;
}

static bool load_requirement(Loader *loader, const Node *map)
{
    return load_of_ranks(loader, map, "requires", TYPE_BOOL, &loader->algorithm->requires);
}

/* Where it is silent, the dual of an algorithm does as much. */
static bool load_local_work(Loader *loader, const Node *map)
{
    bool good = true;
    for (int i = 0; i < LOCAL_WORK_COUNT; i++) {
        Scope scope = scope_of_ranks(loader->arena);
        if (node_get(map, local_work_info[i].bytes))
            good &= read_uniform_formulas((FormulaMap){loader->arena, map, &scope, loader->diag},
                                          local_work_info[i].bytes, TYPE_REAL,
                                          &loader->algorithm->local[i]);
    }
    return good;
}

/* `segments: full`, and `elements` or `bytes`. */
static bool load_cutting(Loader *loader, const Node *map)
{
    static const char *const words[] = {"even", "full", "nearest"};
    static const char *const names[CUTTING_SLOTS] = {"p", "k", "n", "s", "c"};
    Cutting *cutting = &loader->algorithm->cutting;
    int word;
    const bool is_cut = read_keyword(map, "segments", "'segments'", words, 3, &word, loader->diag);
    Scope scope = scope_of_whole(loader->arena, names, CUTTING_SLOTS, -1);
    cutting->of_bytes = node_get(map, "bytes") != NULL;
    if (cutting->of_bytes && node_get(map, "elements"))
        return diag_error(loader->diag, node_get(map, "bytes")->text.span,
                          "the sizes of chunks are in elements or in bytes, not both");
    const bool good =
        read_uniform_formula((FormulaMap){loader->arena, map, &scope, loader->diag},
                             cutting->of_bytes ? "bytes" : "elements", TYPE_INT, &cutting->size);
    cutting->reads_segment = scope.read >> CUTTING_SEGMENT & 1;
    cutting->segments = (Segments)word;
    return good && is_cut;
}

/* `arrays: [total]`: beside these there is the main one, for `as: main`. `arrays: {from: p}`: each
   block of `from` has an index in front, which says of which rank. */
static bool load_arrays(Loader *loader, const Node *node)
{
    Algorithm *algorithm = loader->algorithm;
    if (!node)
        return true;
    const bool sized = node->kind == NODE_MAP;
    const size_t count = sized ? node->count : node_item_count(node);
    const char **names = ARENA_ARRAY(loader->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (!sized && !node_is_scalar(node_item(node, i), "the name of an array", loader->diag))
            return false;
        names[i] = node_string(loader->arena, sized ? node->keys[i] : node_item(node, i));
    }
    if (count > LIMIT_ARRAYS)
        return diag_error(loader->diag, node->text.span, "an algorithm has at most %d arrays",
                          LIMIT_ARRAYS);
    algorithm->arrays = names;
    algorithm->array_count = count;
    algorithm->array_sizes = ARENA_ARRAY(loader->arena, Formula, count);
    scope_add(loader->arena, &loader->scope, (Variable){"main", TYPE_ARRAY, DIMENSION_NONE, false});
    for (size_t i = 0; i < count; i++) {
        const Text text = sized ? node->keys[i]->text : node_item(node, i)->text;
        const char *name = names[i];
        Signature signature;
        if (!parse_signature(loader->arena, text, &signature, loader->diag))
            return false;
        if (signature.parameter_count || scope_find(&loader->scope, text) >= 0)
            return diag_error(loader->diag, text.span, "'%s' %s", name,
                              signature.parameter_count ? "is not a name" : "is already defined");
        scope_add(loader->arena, &loader->scope,
                  (Variable){name, TYPE_ARRAY, DIMENSION_NONE, false});
        if (!loader_has_room(loader, text.span) ||
            (sized && !load_of_ranks(loader, node, name, TYPE_INT, &algorithm->array_sizes[i])))
            return false;
    }
    return true;
}

static bool load_program(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    const Node *schedule = node_get(map, "schedule");
    bool good =
        load_branching(loader, map) && load_chunks(loader, map) && load_requirement(loader, map) &&
        grid_read(loader->arena, map, &loader->scope, &algorithm->grid, loader->diag) &&
        (algorithm->collective->problem ? placement_read_blocks(loader, map)
                                        : load_arrays(loader, node_get(map, "arrays"))) &&
        loader_read_lets(loader, map, &algorithm->lets) && placement_read_ends(loader, map) &&
        steps_read(loader, schedule, false, &algorithm->steps, &algorithm->step_count);
    algorithm->names = loader->scope;
    algorithm->names.items =
        ARENA_COPY(loader->arena, Variable, loader->scope.items, loader->scope.count);
    algorithm->reads_ports |= algorithm->grid.reads_ports;
    algorithm->reads_shape |= algorithm->grid.is_network;
    return good;
}

/* The first of the keys that make the program that of a line, or of a channel; NULL: none. */
static const Node *find_line_key(const Node *map)
{
    const Node *along = node_get(map, "along"), *channels = node_get(map, "channels");
    return along ? along : channels ? channels : node_get(map, "renumber");
}

/* The program is that of a line, or of a channel, and the algorithm one use of it. Claims are about
   a line where there are no channels. */
static bool load_program_of_line(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    Algorithm *of_line = ARENA_COPY(loader->arena, Algorithm, algorithm, 1);
    ScheduleStep *step = ARENA_NEW(loader->arena, ScheduleStep);
    const Node *along = node_get(map, "along");
    step->kind = STEP_USE;
    step->span = find_line_key(map)->text.span;
    step->use = (Use){.algorithm = of_line, .is_own = true};
    algorithm->steps = step;
    algorithm->step_count = 1;
    loader->algorithm = of_line;
    bool good =
        (!along || use_read_along(loader->arena, along, &step->use, loader->diag)) &&
        use_read_copies(loader->arena, algorithm->collective, map, &step->use, loader->diag) &&
        load_program(loader, map);
    loader->algorithm = algorithm;
    compose_note_use(algorithm, &step->use);
    if (!step->use.channels.program && !step->use.renumber.program)
        loader->of_line = of_line;
    return good;
}

static bool load_dual(Loader *loader, const Node *map)
{
    static const char *const foreign[] = {"schedule",  "sequence", "chunks",  "requires", "let",
                                          "grid",      "arrays",   "along",   "radix",    "fanout",
                                          "pipelined", "channels", "renumber"};
    const Node *node = node_get(map, "dual");
    if (!refuse_keys(map, foreign, COUNT_OF(foreign), "comes from the algorithms named by 'dual'",
                     loader->diag) ||
        !node_is_scalar(node, "the value of 'dual'", loader->diag))
        return false;
    const Algorithm *other = resolver_find(loader->resolver, KIND_ALGORITHM, node->text);
    return other && compose_dual(loader->algorithm, other, node->text.span, loader->diag);
}

/* `sequence`: one stage, or a list of them. */
static bool load_sequence(Loader *loader, const Node *map)
{
    static const char *const foreign[] = {"schedule", "let",    "arrays",   "along",
                                          "radix",    "fanout", "channels", "renumber"};
    const Node *node = node_get(map, "sequence"), *chunks = node_get(map, "chunks");
    Algorithm *algorithm = loader->algorithm;
    if (!refuse_keys(map, foreign, COUNT_OF(foreign),
                     "comes from the algorithms named by 'sequence'", loader->diag) ||
        !load_chunks(loader, map) || !load_requirement(loader, map) ||
        !read_answer(map, "pipelined", &algorithm->pipelined, loader->diag))
        return false;
    /* `pipelined: yes` makes k a free parameter. */
    if (algorithm->pipelined && chunks)
        return diag_error(loader->diag, chunks->text.span,
                          "stages that are pipelined are cut into k chunks, not as 'chunks' says");
    algorithm->free_chunks |= algorithm->pipelined;
    if (!sequence_read_grid(loader->arena, map, algorithm, loader->diag))
        return false;
    for (size_t i = 0; i < node_item_count(node); i++)
        if (!node_is_scalar(node_item(node, i), "a stage of a sequence", loader->diag) ||
            !sequence_add_stage(loader->resolver, algorithm, node_item(node, i)->text))
            return false;
    return true;
}

static bool load_schedule(Loader *loader, const Node *map)
{
    if (node_get(map, "trees")) {
        /* `trees` alone, in place of a program. */
        static const char *const foreign[] = {
            "schedule", "sequence", "dual",   "chunks",    "let",      "grid",    "arrays",
            "along",    "radix",    "fanout", "pipelined", "channels", "renumber"};
        return refuse_keys(map, foreign, COUNT_OF(foreign), "does not go with 'trees'",
                           loader->diag) &&
               load_requirement(loader, map) && trees_read(loader, node_get(map, "trees"));
    }
    if (node_get(map, "dual"))
        return load_dual(loader, map);
    if (node_get(map, "sequence"))
        return load_sequence(loader, map);
    if (!node_get(map, "schedule"))
        return diag_error(loader->diag, loader->algorithm->head.span,
                          "an algorithm needs a 'schedule', a 'sequence', 'dual' or 'trees'");
    if (node_get(map, "pipelined"))
        return diag_error(loader->diag, node_get(map, "pipelined")->text.span,
                          "only the stages of a 'sequence' are pipelined");
    return find_line_key(map) ? load_program_of_line(loader, map) : load_program(loader, map);
}

static bool load_posting(Loader *loader, const Node *map)
{
    Algorithm *algorithm = loader->algorithm;
    const Node *node = node_get(map, "posting");
    const int word = node ? read_word(node, "a way of posting", posting_names + 1,
                                      POSTING_COUNT - 1, loader->diag)
                          : -1;
    algorithm->posting = (Posting)(word + 1);
    algorithm->streams = algorithm->posting == POSTING_STREAMED;
    algorithm->posts_together = algorithm->posting >= POSTING_TOGETHER;
    return (!node || word >= 0) && read_key_text(map, "protocol", "the name of a protocol",
                                                 &algorithm->protocol, loader->diag);
}

/* `collective`, or `problem`, which has some keys of its own. */
static bool load_subject(Loader *loader, const Node *map)
{
    static const char *const of_problems[] = {"blocks", "before", "after"};
    static const char *const of_collectives[] = {"chunks",   "arrays",  "sequence", "dual",
                                                 "along",    "radix",   "fanout",   "pipelined",
                                                 "channels", "renumber"};
    Algorithm *algorithm = loader->algorithm;
    const Node *collective = node_get(map, "collective"), *problem = node_get(map, "problem");
    const Node *name = problem ? problem : collective;
    if (!collective == !problem)
        return diag_error(loader->diag, algorithm->head.span, "an algorithm needs a 'collective'%s",
                          problem ? " or a 'problem', not both" : "");
    if (!node_is_scalar(name, "the name of a collective", loader->diag))
        return false;
    const Problem *of = problem ? resolver_find(loader->resolver, KIND_PROBLEM, name->text) : NULL;
    algorithm->collective = problem ? (of ? &of->collective : NULL)
                                    : resolver_find(loader->resolver, KIND_COLLECTIVE, name->text);
    return algorithm->collective &&
           (problem ? refuse_keys(map, of_collectives, COUNT_OF(of_collectives),
                                  "does not belong to an algorithm of a problem", loader->diag)
                    : refuse_keys(map, of_problems, COUNT_OF(of_problems),
                                  "does not belong to an algorithm of a collective", loader->diag));
}

Algorithm *algorithm_read(const Resolver *resolver, const Node *map)
{
    static const char *const keys[] = {
        "algorithm", "collective", "problem", "also",     "summary",   "source",   "expect",
        "requires",  "chunks",     "let",     "schedule", "sequence",  "dual",     "claims",
        "grid",      "arrays",     "along",   "blocks",   "before",    "after",    "posting",
        "radix",     "fanout",     "library", "trees",    "pipelined", "channels", "renumber",
        "segments",  "elements",   "bytes",   "protocol",
#define LOCAL_WORK(id, rate, bytes, words) bytes,
#include "model/local_work.def"
#undef LOCAL_WORK
    };
    static const char *const verdicts[] = {"right", "wrong"};
    Algorithm *algorithm = ARENA_NEW(resolver->arena, Algorithm);
    Loader loader = {.resolver = resolver,
                     .arena = resolver->arena,
                     .algorithm = algorithm,
                     .diag = resolver->diag};
    bool good = node_check_keys(map, "an algorithm", keys, COUNT_OF(keys), resolver->diag);
    if (!read_head(resolver->arena, map, "algorithm", &algorithm->head, resolver->diag) ||
        !load_subject(&loader, map))
        return NULL;
    algorithm->is_builtin =
        head_is_builtin(&algorithm->head) && head_is_builtin(&algorithm->collective->head);
    bool has_program = node_get(map, "schedule") || node_get(map, "dual") ||
                       node_get(map, "sequence") || node_get(map, "trees");
    if (!good && !has_program) /* its key may be one that is unknown */
        return NULL;
    good &=
        read_key_string(loader.arena, map, "library", "the name of a library", &algorithm->library,
                        loader.diag) &&
        read_either(map, "expect", "'expect'", verdicts, &algorithm->expect_wrong, loader.diag) &&
        load_posting(&loader, map) && load_schedule(&loader, map) && load_cutting(&loader, map) &&
        load_local_work(&loader, map);
    good &= compose_check(algorithm, resolver->diag);
    algorithm->reads_ports |= loader.scope.read >> SCHEDULE_D & 1;
    ClaimSubject subject = {.owner = WHOSE_ALGORITHM,
                            .rooted = algorithm->collective->rooted,
                            .has_chunks = algorithm->free_chunks,
                            .targeted = algorithm->collective->targeted,
                            .is_problem = algorithm->collective->problem != NULL,
                            .branches = branching_names[algorithm->branching]};
    good &= origin_cite_head(resolver, map, &algorithm->citation);
    good &= claims_read(resolver, node_get(map, "claims"), subject, &algorithm->claims);
    if (loader.of_line)
        loader.of_line->claims = algorithm->claims;
    return good ? algorithm : NULL;
}
