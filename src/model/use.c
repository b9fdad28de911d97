#include "model/use.h"

#include <ctype.h>
#include <string.h>

static bool report_no_dual(const Algorithm *other, Span span, Diag *diag)
{
    diag_error(diag, span, "the collective %s has no dual", other->collective->head.name);
    return diag_note(
        diag, NOWHERE,
        "a dual reverses time and turns copies into combinations: broadcast becomes reduce, "
        "scatter gather, allgather reduce-scatter");
}

bool compose_dual(Algorithm *algorithm, const Algorithm *other, Span span, Diag *diag)
{
    const Collective *own = algorithm->collective, *theirs = other->collective;
    if (!theirs->dual)
        return report_no_dual(other, span, diag);
    if (strcmp(theirs->dual, own->head.name) != 0)
        return diag_error(diag, span, "the dual of a %s is a %s, not a %s", theirs->head.name,
                          theirs->dual, own->head.name);
    algorithm->dual = other;
    algorithm->is_builtin &= other->is_builtin;
    algorithm->chain = other->chain + 1;
    algorithm->uses = other->uses;
    algorithm->requires = other->requires;
    algorithm->grid = other->grid;
    algorithm->chunks = other->chunks;
    algorithm->free_chunks = other->free_chunks;
    algorithm->branching = other->branching;
    algorithm->least_branches = other->least_branches;
    algorithm->most_branches = other->most_branches;
    algorithm->arrays = other->arrays;
    algorithm->array_count = other->array_count;
    algorithm->array_sizes = other->array_sizes;
    algorithm->moves_blocks = other->moves_blocks;
    algorithm->keeps = other->combines; /* a copy becomes a combination, and back */
    algorithm->combines = other->keeps;
    algorithm->reads_ports = other->reads_ports;
    algorithm->reads_shape = other->reads_shape;
    memcpy(algorithm->local, other->local, sizeof algorithm->local);
    if (!algorithm->posting)
        algorithm->posting = other->posting;
    algorithm->posts_together |= other->posts_together;
    algorithm->streams |= other->streams;
    if (theirs->rooted == own->rooted && theirs->targeted == own->targeted &&
        theirs->index_count == own->index_count)
        return true;
    return diag_error(diag, span, "blocks of %s are not those of %s", theirs->head.name,
                      own->head.name);
}

void compose_note_use(Algorithm *algorithm, const Use *use)
{
    const Algorithm *used = use->algorithm;
    algorithm->names_all = true;
    algorithm->is_builtin &= used->is_builtin;
    algorithm->chain = used->chain < algorithm->chain ? algorithm->chain : used->chain + 1;
    algorithm->uses += 1 + used->uses;
    algorithm->free_chunks |= used->free_chunks;
    if (!algorithm->branching)
        algorithm->branching = used->branching;
    algorithm->moves_blocks |= used->moves_blocks;
    algorithm->keeps |= used->keeps;
    algorithm->combines |= used->combines;
    algorithm->reads_ports |= use->reads_ports || used->reads_ports;
    algorithm->posts_together |= used->posts_together;
    algorithm->streams |= used->streams;
    algorithm->reads_shape |=
        use->along != ALONG_ALL_RANKS || use->reads_shape || used->reads_shape;
}

bool compose_check(const Algorithm *algorithm, Diag *diag)
{
    if (algorithm->chain > LIMIT_CHAIN)
        return diag_error(diag, algorithm->head.span,
                          "algorithms are made from one another too deeply (more than %d levels)",
                          LIMIT_CHAIN);
    if (algorithm->uses > LIMIT_USES)
        return diag_error(diag, algorithm->head.span,
                          "algorithms use each other too often (more than %d times)", LIMIT_USES);
    return true;
}

ARRAY_TYPE(WordArray, Text);

/* What is being read, from the left. */
typedef struct {
    const Resolver *resolver;
    Arena *arena;
    const Collective *collective;
    Text rest;
    Diag *diag;
} Reader;

static void skip_spaces(Reader *reader)
{
    size_t spaces = 0;
    while (spaces < reader->rest.length && isspace((unsigned char)reader->rest.chars[spaces]))
        spaces++;
    reader->rest = text_behind(reader->rest, spaces);
}

/* The next word, empty at the end; it stays in view. */
static Text peek(Reader *reader)
{
    size_t length = 0;
    skip_spaces(reader);
    while (length < reader->rest.length && !isspace((unsigned char)reader->rest.chars[length]))
        length++;
    return text_slice(reader->rest, 0, length);
}

static Text take(Reader *reader)
{
    Text word = peek(reader);
    reader->rest = text_behind(reader->rest, word.length);
    return word;
}

static bool accept(Reader *reader, const char *word)
{
    bool found = text_equals(peek(reader), word);
    if (found)
        take(reader);
    return found;
}

static bool report(Reader *reader, Text word, const char *message)
{
    return diag_error(reader->diag, word.length ? word.span : reader->rest.span, "%s", message);
}

static bool read_algorithm(Reader *reader, Use *use)
{
    const Collective *whole = reader->collective;
    bool is_dual = accept(reader, "dual");
    Text name = take(reader);
    if (name.length == 0)
        return report(reader, name, "the name of an algorithm is missing");
    if (!memchr(name.chars, '/', name.length)) {
        /* A bare name is one of the same collective. */
        name.chars = arena_printf(reader->arena, "%s/%.*s", whole->head.name, TEXT_ARGS(name));
        name.length = strlen(name.chars);
        name.verbatim = false;
    }
    use->algorithm = resolver_find(reader->resolver, KIND_ALGORITHM, name);
    if (!use->algorithm)
        return false;
    if (is_dual) {
        /* A nameless dual, of the collective that its own turns into. */
        const Algorithm *other = use->algorithm;
        const char *turned = other->collective->dual;
        if (!turned)
            return report_no_dual(other, name.span, reader->diag);
        Algorithm *dual = ARENA_NEW(reader->arena, Algorithm);
        dual->head = other->head;
        dual->collective =
            resolver_find(reader->resolver, KIND_COLLECTIVE,
                          (Text){turned, strlen(turned), other->collective->dual_span, false});
        if (!dual->collective || !compose_dual(dual, other, name.span, reader->diag))
            return false;
        use->algorithm = dual;
    }
    const Collective *part = use->algorithm->collective;
    if (part->problem)
        return diag_error(reader->diag, name.span,
                          "an algorithm of a problem cannot be a part of another");
    /* Both have the same indices, or the part's has none, or cuts the vectors of the whole. */
    const bool cuts = whole->index_count == 0 && part->index_count == 1;
    return whole->problem || part->index_count == 0 || part->index_count == whole->index_count ||
           cuts ||
           diag_error(reader->diag, name.span,
                      "a part of '%s' cannot be made of '%s': their blocks have different indices",
                      whole->head.name, part->head.name);
}

static bool read_dimensions(Reader *reader, Use *use)
{
    if (accept(reader, "every")) {
        use->along = ALONG_EVERY_DIMENSION;
        use->by_level = accept(reader, "level");
        if (!use->by_level && !accept(reader, "dimension"))
            return report(reader, peek(reader), "'every' is followed by 'dimension' or 'level'");
        use->is_backwards = accept(reader, "backwards");
        return true;
    }
    WordArray names = {0};
    do {
        Text name = take(reader);
        if (name.length == 0)
            return report(reader, name, "the name of a dimension is missing");
        *ARRAY_PUSH(reader->arena, &names) = name;
    } while (accept(reader, "then"));
    use->along = ALONG_NAMED;
    use->dimensions = names.items;
    use->dimension_count = names.count;
    return true;
}

/* p, d, and the sizes of the network as it is along the line; `renumber` has r and channel too. */
static bool compile_of_line(Reader *reader, Text text, bool is_renumber, Use *use, Formula *formula)
{
    const char *names[SCHEDULE_CHANNEL + 1] = {[SCHEDULE_P] = "p", [SCHEDULE_D] = "d"};
    names[SCHEDULE_R] = is_renumber ? "r" : NULL;
    names[SCHEDULE_CHANNEL] = is_renumber ? "channel" : NULL;
    for (int slot = SCHEDULE_DIMS; slot < SCHEDULE_SLOTS; slot++)
        names[slot] = grid_network_name(slot);
    Scope scope = scope_of_whole(reader->arena, names, SCHEDULE_CHANNEL + 1, SCHEDULE_R);
    const FormulaMap in = {reader->arena, NULL, &scope, reader->diag};
    if (!read_expression(in, text, TYPE_INT, DIMENSION_NONE, formula))
        return false;
    use->reads_ports |= scope.read >> SCHEDULE_D & 1;
    for (int slot = SCHEDULE_DIMS; slot < SCHEDULE_SLOTS; slot++)
        use->reads_shape |= scope.read >> slot & 1;
    return true;
}

static bool read_channels(Reader *reader, Text text, Use *use)
{
    if (!reader->collective->problem)
        return compile_of_line(reader, text, false, use, &use->channels);
    return diag_error(reader->diag, text.span, "stages of a problem have no channels");
}

bool use_parse(const Resolver *resolver, const Collective *collective, Text text, Use *use)
{
    Reader reader = {resolver, resolver->arena, collective, text, resolver->diag};
    *use = (Use){0};
    if (!read_algorithm(&reader, use) ||
        (accept(&reader, "along") && !read_dimensions(&reader, use)))
        return false;
    if (accept(&reader, "channels")) {
        /* the words up to `renumber`, or the end */
        skip_spaces(&reader);
        const Text all = reader.rest;
        while (peek(&reader).length && !text_equals(peek(&reader), "renumber"))
            take(&reader);
        const Text words = text_trim(text_slice(all, 0, all.length - reader.rest.length));
        if (!read_channels(&reader, words, use))
            return false;
    }
    if (accept(&reader, "renumber")) {
        skip_spaces(&reader);
        return compile_of_line(&reader, reader.rest, true, use, &use->renumber);
    }
    Text word = peek(&reader);
    if (word.length == 0)
        return true;
    static const char *const words[] = {"along", "channels", "renumber"};
    diag_error(resolver->diag, word.span, "unexpected '%.*s'", TEXT_ARGS(word));
    return diag_suggest(resolver->diag, word, words, 3);
}

bool use_read_along(Arena *arena, const Node *node, Use *use, Diag *diag)
{
    if (node->kind == NODE_SCALAR) {
        Reader reader = {.arena = arena, .rest = node->text, .diag = diag};
        if (!read_dimensions(&reader, use))
            return false;
        Text word = peek(&reader);
        return word.length == 0 || report(&reader, word, "this is not a dimension");
    }
    Text *names = ARENA_ARRAY(arena, Text, node_item_count(node) + 1);
    for (size_t i = 0; i < node_item_count(node); i++) {
        if (!node_is_scalar(node_item(node, i), "the name of a dimension", diag))
            return false;
        names[i] = node_item(node, i)->text;
    }
    use->along = ALONG_NAMED;
    use->dimensions = names;
    use->dimension_count = node_item_count(node);
    return true;
}

bool use_read_copies(Arena *arena, const Collective *collective, const Node *map, Use *use,
                     Diag *diag)
{
    const Node *channels = node_get(map, "channels"), *renumber = node_get(map, "renumber");
    Reader reader = {.arena = arena, .collective = collective, .diag = diag};
    if (channels && (!node_is_scalar(channels, "an expression", diag) ||
                     !read_channels(&reader, channels->text, use)))
        return false;
    return !renumber || (node_is_scalar(renumber, "an expression", diag) &&
                         compile_of_line(&reader, renumber->text, true, use, &use->renumber));
}

bool use_read(const Resolver *resolver, const Collective *collective, const Node *map, Scope *scope,
              Use *use)
{
    Diag *diag = resolver->diag;
    static const char *const keys[] = {"use",  "along",  "channels", "renumber",
                                       "root", "target", "if",       "of"};
    const Node *name = node_get(map, "use"), *along = node_get(map, "along");
    if (!node_check_keys(map, "a use", keys, COUNT_OF(keys), diag) ||
        !node_is_scalar(name, "the name of an algorithm", diag) ||
        !use_parse(resolver, collective, name->text, use))
        return false;
    const FormulaMap in = {resolver->arena, map, scope, diag};
    const char *twice = along && use->along != ALONG_ALL_RANKS               ? "along"
                        : use->channels.program && node_get(map, "channels") ? "channels"
                        : use->renumber.program && node_get(map, "renumber") ? "renumber"
                                                                             : NULL;
    if (twice)
        return diag_error(diag, name->text.span, "duplicate '%s': it is also given as a key",
                          twice);
    /* In a problem, lines may have different roots: each has blocks of its own. */
    return use_read_copies(in.arena, collective, map, use, diag) &&
           (!along || use_read_along(in.arena, along, use, diag)) &&
           read_formula(in, "root", TYPE_INT, DIMENSION_NONE, &use->root) &&
           (collective->problem || formula_is_uniform(&use->root, diag)) &&
           read_uniform_formula(in, "target", TYPE_INT, &use->target);
}

/* Does a step use another algorithm of the collective than `known`? */
static bool steps_use(const ScheduleStep *steps, size_t count, const Collective *collective,
                      const Algorithm *known)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = (steps[i].kind == STEP_USE && steps[i].use.algorithm->collective == collective &&
                 steps[i].use.algorithm != known) ||
                steps_use(steps[i].steps, steps[i].step_count, collective, known);
    return found;
}

bool exchange_uses(const Algorithm *algorithm, const Collective *collective)
{
    return steps_use(algorithm->steps, algorithm->step_count, collective, NULL);
}

static ScheduleStep *copy_steps(Arena *arena, Algorithm *copy, const ScheduleStep *steps,
                                size_t count, const Algorithm *const *parts, size_t part_count)
{
    ScheduleStep *copies = ARENA_COPY(arena, ScheduleStep, steps, count);
    for (size_t i = 0; i < count; i++) {
        ScheduleStep *step = &copies[i];
        step->steps = copy_steps(arena, copy, step->steps, step->step_count, parts, part_count);
        if (step->kind != STEP_USE)
            continue;
        for (size_t n = 0; n < part_count; n++)
            if (parts[n]->collective == step->use.algorithm->collective && !step->use.is_own)
                step->use.algorithm = parts[n];
        compose_note_use(copy, &step->use);
    }
    return copies;
}

const Algorithm *exchange_parts(Arena *arena, const Algorithm *algorithm,
                                const Algorithm *const *parts, size_t count)
{
    const char *name = algorithm->head.name;
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        if (!steps_use(algorithm->steps, algorithm->step_count, parts[i]->collective, parts[i]))
            continue;
        name = arena_printf(arena, "%s%s%s", name, is_first ? " using " : ", ",
                            algorithm_full_name(arena, parts[i]));
        is_first = false;
    }
    if (is_first)
        return algorithm;
    Algorithm *copy = ARENA_COPY(arena, Algorithm, algorithm, 1);
    copy->head.name = name;
    copy->claims = (ModelClaims){0};
    copy->chain = 0, copy->uses = 0;
    if (!copy->chunks.program &&
        !copy->pipelined) /* what was let through from a part may be gone with it */
        copy->free_chunks = false;
    if (!copy->least_branches.program)
        copy->branching = BRANCHING_NONE;
    if (!copy->has_transfers)
        copy->keeps = copy->combines = false;
    copy->steps = copy_steps(arena, copy, algorithm->steps, algorithm->step_count, parts, count);
    return copy;
}
