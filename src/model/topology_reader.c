#include "model/topology.h"

typedef struct {
    const Resolver *resolver;
    Arena *arena;
    Topology *topology;
    Scope scope;
    Diag *diag;
} Reader;

/* Names of dimensions and sizes are used in expressions, so they are spelled as there. */
static bool is_variable(Reader *reader, const Node *node)
{
    const Expr *expr = expression_of(reader->arena, node->text);
    return expr && expr->kind == EXPR_VARIABLE;
}

static bool is_free_name(Reader *reader, const Node *node)
{
    if (scope_find(&reader->scope, node->text) < 0 && !text_equals(node->text, "to") &&
        !text_equals(node->text, "up"))
        return true;
    return diag_error(reader->diag, node->text.span, "'%s' is already defined",
                      node_string(reader->arena, node));
}

static bool read_named_dimension(Reader *reader, const Node *key, const Node *value)
{
    Topology *topology = reader->topology;
    if (!node_is_scalar(value, "the name of a size", reader->diag))
        return false;
    int64_t size = 0;
    const bool is_fixed =
        value->text.length && value->text.chars[0] >= '0' && value->text.chars[0] <= '9';
    if (topology->named_count && is_fixed != (topology->fixed.p > 0))
        return diag_error(reader->diag, value->text.span,
                          "either all sizes are numbers, or none is");
    if (is_fixed &&
        (!quantity_parse_integer(value->text, 1, topology_most_ranks, &size, reader->diag)))
        return false;
    const Node *wrong = !is_variable(reader, key)                  ? key
                        : !is_fixed && !is_variable(reader, value) ? value
                                                                   : NULL;
    if (wrong)
        return diag_error(reader->diag, wrong->text.span, "this cannot be a name in expressions");
    if (!is_fixed && !is_free_name(reader, value))
        return false;
    NamedDimension *named = &topology->named[topology->named_count++];
    if (is_fixed) {
        *named = (NamedDimension){node_string(reader->arena, key), ""};
        topology->fixed.sizes[topology->fixed.count++] = size;
        topology->fixed.p = 1; /* until all are known */
        return true;
    }
    *named = (NamedDimension){node_string(reader->arena, key), node_string(reader->arena, value)};
    scope_add(reader->arena, &reader->scope,
              (Variable){named->size, TYPE_INT, DIMENSION_NONE, false});
    return true;
}

/* {U: D}: U stands for a number that depends on the size D. */
static bool read_derived(Reader *reader, const Node *map, const char *key, int slot,
                         const char **name, int *dimension)
{
    const Node *node = node_get(map, key);
    Topology *topology = reader->topology;
    if (!node)
        return true;
    if (!node_is_map(node, arena_printf(reader->arena, "'%s'", key), reader->diag))
        return false;
    if (node->count != 1 || !is_variable(reader, node->keys[0]))
        return diag_error(
            reader->diag, node->text.span,
            "'%s' has one name for a number, and the size on which it depends: {U: D}", key);
    if (!node_is_scalar(node->values[0], "the name of a size", reader->diag))
        return false;
    for (int i = 0; i < topology->named_count; i++)
        if (text_equals(node->values[0]->text, topology->named[i].size)) {
            if (!is_free_name(reader, node->keys[0]))
                return false;
            *dimension = i;
            *name = node_string(reader->arena, node->keys[0]);
            reader->scope.items[slot].name = *name;
            return true;
        }
    return diag_error(reader->diag, node->values[0]->text.span,
                      "'dimensions' has no size of this name");
}

static bool read_dimensions(Reader *reader, const Node *map)
{
    static const char *const rules[] = {"any", "2 each"}, *const ends[] = {"first", "last"};
    const Node *node = node_get(map, "dimensions");
    Topology *topology = reader->topology;
    int rule = 0;
    if (node && node->kind == NODE_MAP) {
        topology->dimensions = DIMENSIONS_NAMED;
        if (node->count < 1 || node->count > MOST_DIMENSIONS)
            return diag_error(reader->diag, node->text.span, "there are 1 to %d dimensions",
                              MOST_DIMENSIONS);
        for (size_t i = 0; i < node->count; i++)
            if (!read_named_dimension(reader, node->keys[i], node->values[i]))
                return false;
    } else if (node) {
        rule = read_word(node, "'dimensions'", rules, 2, reader->diag);
        topology->dimensions = rule == 1 ? DIMENSIONS_TWOS : DIMENSIONS_ANY;
    }
    if (!read_either(map, "fastest", "'fastest'", ends, &topology->last_is_fastest, reader->diag) ||
        rule < 0)
        return false;
    if (!topology->fixed.p)
        return true;
    /* Sizes that are numbers, now that it is known which of them varies fastest. */
    const Shape given = topology->fixed;
    topology->fixed = (Shape){0};
    if (!topology_make_shape(topology, given.sizes, given.count, &topology->fixed))
        return diag_error(reader->diag, node->text.span, "too many ranks (more than 2^53)");
    topology->ranks = topology->fixed.p;
    return true;
}

/* True, with *expr NULL, where the key is missing. */
static bool read_tree(Reader *reader, const Node *map, const char *key, Expr **expr)
{
    const Node *node = node_get(map, key);
    if (!node)
        return true;
    if (!node_is_scalar(node, "an expression", reader->diag))
        return false;
    *expr = parse_expression(reader->arena, node->text, reader->diag);
    return *expr != NULL;
}

/* The ends of links are blocks with two indices, the number of lanes is a third. */
static bool read_ends(Reader *reader, const Node *map, LinkRule *rule)
{
    const Node *loops = node_get(map, "for");
    BlockSet syntax = {.text = map->text, .of_links = true, .index_count = 2};
    for (size_t i = 0; loops && i < node_item_count(loops); i++) {
        const Node *item = node_item(loops, i);
        if (syntax.loop_count == MOST_LOOPS)
            return diag_error(reader->diag, item->text.span, "a rule has at most %d 'for'",
                              MOST_LOOPS);
        if (!node_is_scalar(item, "'for'", reader->diag) ||
            !parse_loop(reader->arena, item->text, &syntax.loops[syntax.loop_count++],
                        reader->diag))
            return false;
    }
    if (!read_tree(reader, map, "from", &syntax.indices[0]) ||
        !read_tree(reader, map, "to", &syntax.indices[1]) ||
        !read_tree(reader, map, "lanes", &syntax.indices[2]) ||
        !read_tree(reader, map, "if", &syntax.condition))
        return false;
    if (!syntax.indices[0] || !syntax.indices[1])
        return diag_error(reader->diag, map->text.span, "a rule for links needs 'from' and 'to'");
    syntax.text.span = syntax.indices[0]->text.span;
    syntax.index_count += syntax.indices[2] != NULL;
    if (!set_compile(reader->arena, &syntax, &reader->scope, &rule->ends, reader->diag))
        return false;
    rule->of_ranks = rule->ends.varying >> TOPOLOGY_R & 1;
    return true;
}

static bool read_rule(Reader *reader, const Node *map, LinkRule *rule)
{
    static const char *const keys[] = {"for",   "from",  "to",        "if",     "both",
                                       "level", "lanes", "bandwidth", "latency"};
    const Topology *topology = reader->topology;
    double rate = 1;
    rule->tw = rule->th = -1;
    if (!read_map(map, "a rule for links", keys, COUNT_OF(keys), reader->diag) ||
        !read_ends(reader, map, rule) || !read_answer(map, "both", &rule->both, reader->diag))
        return false;
    const Node *level = node_get(map, "level"), *bandwidth = node_get(map, "bandwidth");
    if (level && topology->level_count == 0)
        return diag_error(reader->diag, level->text.span, "this topology has no 'levels'");
    if (level) {
        const int found =
            read_word(level, "'level'", topology->levels, topology->level_count, reader->diag);
        if (found < 0)
            return false;
        rule->level = topology->levels[found];
    }
    if (!read_key_quantity(map, "bandwidth", "a bandwidth", DIMENSION_BANDWIDTH, &rate,
                           reader->diag))
        return false;
    if (!(rate > 0) || !(1 / rate < 1e300))
        return diag_error(reader->diag, bandwidth->text.span, "this bandwidth is too small");
    rule->tw = bandwidth ? 1 / rate : -1;
    return read_key_quantity(map, "latency", "a latency", DIMENSION_TIME, &rule->th, reader->diag);
}

static bool read_rules(Reader *reader, const Node *map)
{
    const Node *links = node_get(map, "links"), *levels = node_get(map, "levels");
    Topology *topology = reader->topology;
    bool good = true;
    if (levels && !(topology->levels = read_names(reader->arena, levels, "the name of a level",
                                                  &topology->level_count, reader->diag)))
        return false;
    if (topology->level_count > LIMIT_LEVELS)
        return diag_error(reader->diag, levels->text.span, "there are at most %d levels",
                          LIMIT_LEVELS);
    for (size_t i = 0; i < topology->level_count; i++)
        if (text_among(text_plain(topology->levels[i]), topology->levels, i) < i)
            return diag_error(reader->diag, node_item(levels, i)->text.span, "duplicate level '%s'",
                              topology->levels[i]);
    if (!read_uniform_formula((FormulaMap){reader->arena, map, &reader->scope, reader->diag},
                              "switches", TYPE_INT, &topology->switches))
        return false;
    topology->rule_count = node_item_count(links);
    topology->rules = ARENA_ARRAY(reader->arena, LinkRule, topology->rule_count);
    for (size_t i = 0; i < topology->rule_count; i++)
        good = read_rule(reader, node_item(links, i), &topology->rules[i]) && good;
    return good;
}

/* With `forward: no`, or the levels over which ranks pass on what is for others. */
static bool read_routing(Reader *reader, const Node *map)
{
    Topology *topology = reader->topology;
    static const char *const words[] = {"shortest", "fastest"};
    const Node *next = node_get(map, "next"), *routing = node_get(map, "routing");
    const Node *forward = node_get(map, "forward");
    if (!next == !routing)
        return diag_error(reader->diag, next ? routing->text.span : topology->head.span,
                          "a topology needs either 'next' or 'routing'");
    if (routing) {
        const int word = read_word(routing, "'routing'", words, 2, reader->diag);
        topology->is_by_rate = word == 1;
        if (word < 0 || !forward)
            return word >= 0;
        topology->held = UINT32_MAX;
        if (forward->kind == NODE_SCALAR &&
            (text_equals(forward->text, "no") || text_equals(forward->text, "yes"))) {
            topology->held = text_equals(forward->text, "yes") ? 0 : UINT32_MAX;
            return true;
        }
        for (size_t i = 0; i < node_item_count(forward); i++) {
            const int level = read_word(node_item(forward, i), "a level", topology->levels,
                                        topology->level_count, reader->diag);
            if (level < 0)
                return false;
            topology->held &= ~(2u << level);
        }
        return true;
    }
    if (forward)
        return diag_error(
            reader->diag, forward->text.span,
            "'forward' is for 'routing': a rule 'next' says itself where messages go");
    reader->scope.items[TOPOLOGY_TO].name = "to";
    reader->scope.items[TOPOLOGY_UP].name = "up";
    return read_formula((FormulaMap){reader->arena, map, &reader->scope, reader->diag}, "next",
                        TYPE_INT, DIMENSION_NONE, &topology->next);
}

/* A topology by its name, or with sizes: then it is of that size only. */
static bool find_other(Reader *reader, Text text, Topology *found)
{
    Text name = text, sizes;
    Shape shape = {0};
    const bool is_sized = text_split(text, ':', &name, &sizes);
    const Topology *other = resolver_find(reader->resolver, KIND_TOPOLOGY, name);
    if (!other || (is_sized && !topology_parse_shape(other, sizes, &shape, reader->diag)))
        return false;
    *found = *other;
    if (is_sized)
        found->fixed = shape, found->ranks = shape.p;
    return true;
}

/* The levels of lines are those of the product, the fastest dimension first. */
static bool add_levels(Reader *reader, const Topology *factor, Span span)
{
    Topology *topology = reader->topology;
    const char **levels = ARENA_ARRAY(reader->arena, const char *, LIMIT_LEVELS);
    size_t count = topology->level_count;
    for (size_t i = 0; i < count; i++)
        levels[i] = topology->levels[i];
    for (size_t i = 0; i < factor->level_count; i++) {
        const size_t at = text_among(text_plain(factor->levels[i]), levels, count);
        if (at == LIMIT_LEVELS)
            return diag_error(reader->diag, span, "there are at most %d levels", LIMIT_LEVELS);
        levels[at] = factor->levels[i];
        count += at == count;
    }
    topology->levels = count ? levels : NULL, topology->level_count = count;
    return true;
}

static bool read_product(Reader *reader, const Node *map)
{
    static const char *const others[] = {"links", "next", "routing", "switches", "levels"};
    const Node *product = node_get(map, "product");
    Topology *topology = reader->topology;
    const size_t count = node_item_count(product);
    if (!refuse_keys(map, others, COUNT_OF(others), "comes from the topology named by 'product'",
                     reader->diag))
        return false;
    if (count < 1 || (product->kind != NODE_SCALAR && (int)count != topology->named_count))
        return diag_error(
            reader->diag, product->text.span,
            "a product of several topologies has 'dimensions' with a name for each, such as "
            "{node: N, device: D}");
    const Topology **factors = ARENA_ARRAY(reader->arena, const Topology *, count);
    for (size_t i = 0; i < count; i++) {
        const size_t at = topology->last_is_fastest ? count - 1 - i : i;
        const Node *node = node_item(product, at);
        const Span span = node->text.span;
        Topology *factor = ARENA_NEW(reader->arena, Topology);
        if (!node_is_scalar(node, "a topology of a product", reader->diag) ||
            !find_other(reader, node->text, factor))
            return false;
        if (factor->factor_count)
            return diag_error(reader->diag, span,
                              "%s cannot be a line of a product: it is a product itself",
                              factor->head.name);
        if (!topology_allows(factor, factor->ranks ? factor->ranks : 1, span, reader->diag) ||
            !add_levels(reader, factor, span))
            return false;
        factors[at] = factor;
    }
    topology->factors = factors, topology->factor_count = (int)count;
    return true;
}

/* Marks linked[from * p + to]; false where a rule has no value. */
static bool mark_links(Arena *arena, const Topology *topology, int64_t p, bool *linked)
{
    Diag silent = diag_silent();
    Frame frame = {{&p, lanes_identity(arena, (size_t)p)}};
    for (size_t s = 0; s < topology->rule_count; s++) {
        const LinkRule *rule = &topology->rules[s];
        SetItems items;
        if (!set_expand(&rule->ends, arena, &frame, rule->of_ranks ? (size_t)p : 1, &items,
                        &silent))
            return false;
        for (size_t i = 0; i < items.count; i++) {
            int64_t from = items.indices[0][i], to = items.indices[1][i];
            if (from < 0 || from >= p || to < 0 || to >= p)
                return false;
            linked[from * p + to] = true;
            linked[to * p + from] |= rule->both;
        }
    }
    return true;
}

static bool is_direct(const Topology *topology)
{
    const Expr *next = topology->next.program ? program_expr(topology->next.program) : NULL;
    if (!next || next->kind != EXPR_VARIABLE || next->slot != TOPOLOGY_TO || topology->ranks ||
        topology->switches.program || topology->dimensions == DIMENSIONS_NAMED)
        return false;
    for (size_t i = 0; i < topology->rule_count; i++) {
        const LinkRule *rule = &topology->rules[i];
        if (rule->level || rule->tw >= 0 || rule->th >= 0 || rule->ends.index_count > 2)
            return false;
    }
    /* Is every rank everyone's neighbour? Tried for some p: a rule would have to be made up to
       join all for these and not for others. */
    static const int64_t tried[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 32, 65};
    bool complete = true;
    for (size_t t = 0; t < COUNT_OF(tried) && complete; t++) {
        int64_t p = tried[t];
        Arena *arena = arena_create(topology->head.workspace);
        bool *linked = ARENA_ARRAY(arena, bool, (size_t)(p * p));
        complete = mark_links(arena, topology, p, linked);
        for (int64_t i = 0; i < p * p; i++)
            complete &= linked[i] != (i / p == i % p);
        arena_destroy(arena);
    }
    return complete;
}

/* As many as there are ranks, or nodes. */
static bool read_node_names(Reader *reader, const Node *map)
{
    Topology *topology = reader->topology;
    const Node *node = node_get(map, "names");
    if (!node)
        return true;
    topology->names =
        read_names(reader->arena, node, "the name of a node", &topology->name_count, reader->diag);
    if (topology->names && topology->ranks && (int64_t)topology->name_count >= topology->ranks)
        return true;
    if (topology->names)
        diag_error(reader->diag, node->text.span,
                   topology->ranks ? "there are fewer names than ranks"
                                   : "only a topology of one size has names of nodes");
    return false;
}

static void level_links(Arena *arena, Topology *topology, const char *const *names)
{
    topology->rules = ARENA_COPY(arena, LinkRule, topology->rules, topology->rule_count);
    for (size_t i = 0; i < topology->rule_count; i++)
        topology->rules[i].level = names[0];
    topology->levels = names, topology->level_count = 1;
    topology->direct = false;
}

/* All links get the level that the node names. */
static bool give_level(Reader *reader, const Node *node)
{
    Topology *topology = reader->topology;
    if (topology->levels || node_item_count(node) != 1)
        return diag_error(reader->diag, node->text.span,
                          "one level is for a topology without levels");
    const char *const *names = read_names(reader->arena, node, "the name of a level",
                                          &topology->level_count, reader->diag);
    if (!names)
        return false;
    const Topology **factors = ARENA_ARRAY(reader->arena, const Topology *, topology->factor_count);
    for (int i = 0; i < topology->factor_count; i++) {
        Topology *factor = ARENA_COPY(reader->arena, Topology, topology->factors[i], 1);
        level_links(reader->arena, factor, names);
        factors[i] = factor;
    }
    topology->factors = factors;
    level_links(reader->arena, topology, names);
    return true;
}

/* A network of another topology, at one size, whose nodes have names. */
static bool read_likeness(Reader *reader, const Node *map)
{
    const Node *like = node_get(map, "like"), *level = node_get(map, "level");
    Topology *topology = reader->topology;
    Text name, sizes;
    Topology other;
    if (!node_is_scalar(like, "the value of 'like'", reader->diag))
        return false;
    if (!text_split(like->text, ':', &name, &sizes))
        return diag_error(reader->diag, like->text.span,
                          "'like' names a topology with its sizes, such as star:8");
    if (!find_other(reader, like->text, &other))
        return false;
    const char *summary = topology->head.summary;
    *topology = other;
    topology->head.summary = *summary ? summary : other.head.summary;
    topology->names = NULL;
    return (!level || give_level(reader, level)) && read_node_names(reader, map);
}

static bool read_body(Reader *reader, const Node *map)
{
    Topology *topology = reader->topology;
    const Node *ranks = node_get(map, "ranks");
    /* Links above a taper, and adapters of a node. */
    if (!read_dimensions(reader, map) ||
        !read_derived(reader, map, "taper", TOPOLOGY_UPLINKS, &topology->uplinks,
                      &topology->tapered) ||
        !read_derived(reader, map, "adapters", TOPOLOGY_ADAPTERS, &topology->adapters,
                      &topology->adapted) ||
        !read_key_whole(map, "ranks", "the number of ranks", 1, topology_most_ranks,
                        &topology->ranks, reader->diag) ||
        (ranks && topology->dimensions != DIMENSIONS_NAMED &&
         !topology_allows(topology, topology->ranks, ranks->text.span, reader->diag)))
        return false;
    if (node_get(map, "product"))
        return read_product(reader, map);
    if (!node_get(map, "links"))
        return diag_error(reader->diag, topology->head.span,
                          "a topology needs 'links', or 'product'");
    if (!read_rules(reader, map) || !read_routing(reader, map))
        return false;
    topology->direct = is_direct(topology);
    return read_node_names(reader, map);
}

Topology *topology_read(const Resolver *resolver, const Node *map)
{
    static const char *const keys[] = {"topology", "also",       "summary", "source",   "product",
                                       "ranks",    "dimensions", "fastest", "switches", "levels",
                                       "links",    "routing",    "next",    "claims",   "taper",
                                       "names",    "forward",    "like",    "level",    "adapters"};
    Topology *topology = ARENA_NEW(resolver->arena, Topology);
    Reader reader = {resolver, resolver->arena, topology, {0}, resolver->diag};
    bool known = node_check_keys(map, "a topology", keys, COUNT_OF(keys), resolver->diag);
    if (!read_head(resolver->arena, map, "topology", &topology->head, resolver->diag) || !known)
        return NULL;
    if (node_get(map, "like")) {
        static const char *const own[] = {"topology", "also",  "summary", "source",
                                          "like",     "level", "names"};
        return node_check_keys(map, "a topology like another one", own, COUNT_OF(own),
                               resolver->diag) &&
                       read_likeness(&reader, map)
                   ? topology
                   : NULL;
    }
    static const char *const names[TOPOLOGY_SIZES] = {"p", "r", "", "", "", ""};
    for (int i = 0; i < TOPOLOGY_SIZES; i++)
        scope_add(reader.arena, &reader.scope,
                  (Variable){names[i], i == TOPOLOGY_UP ? TYPE_BOOL : TYPE_INT, DIMENSION_NONE,
                             i != TOPOLOGY_P && i < TOPOLOGY_UPLINKS});
    ClaimSubject subject = {.owner = WHOSE_TOPOLOGY, .topology = topology->head.name};
    return read_body(&reader, map) && origin_cite_head(resolver, map, &topology->citation) &&
                   claims_read(resolver, node_get(map, "claims"), subject, &topology->claims)
               ? topology
               : NULL;
}
