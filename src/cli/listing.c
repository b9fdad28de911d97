#include "cli/show_parts.h"

#include "format/paper.h"
#include "lang/show.h"
#include "model/algorithm.h"

typedef struct {
    Arena *arena;
    FILE *stream;
    Diag *diag; /* what it is made of has been read before, so that there is nothing to report */
    int depth;
} Listing;

/* A paragraph whose further lines hang behind its first one. */
static void write_line(const Listing *listing, const char *text)
{
    fprintf(listing->stream, "\\par\\hangindent=%dem\\hangafter=1\\noindent\\hspace*{%d.5em}%s\n",
            listing->depth * 2 + 3, listing->depth * 2, text);
}

static const char *math(Arena *arena, const Expr *expr)
{
    return arena_printf(arena, "$%s$", expr_latex(arena, expr));
}

/* "every dimension" is no formula, nor is "ring". */
static const char *escaped(Arena *arena, Text text)
{
    return paper_escape_latex(arena, text_string(arena, text));
}

const char *listing_formula(Arena *arena, Text text)
{
    const Expr *expr = expression_of(arena, text);
    return expr ? math(arena, expr) : escaped(arena, text);
}

/* "$i = 0, \ldots, p - 1$" */
static const char *range(Arena *arena, const Loop *loop)
{
    return arena_printf(arena, "$%.*s = %s, \\ldots, %s$", TEXT_ARGS(loop->name),
                        expr_latex(arena, loop->from), expr_latex(arena, loop->to));
}

static const char *indices(Arena *arena, const BlockSet *set)
{
    const char *text = "";
    for (int i = 0; i < set->index_count; i++)
        text =
            arena_printf(arena, "%s%s%s", text, i ? ", " : "", expr_latex(arena, set->indices[i]));
    if (set->range_end)
        return arena_printf(arena, "$%s, \\ldots, %s$", text, expr_latex(arena, set->range_end));
    return arena_printf(arena, set->index_count > 1 ? "$(%s)$" : "$%s$", text);
}

/* The loops and the condition of a set, behind its blocks. */
static const char *behind(Arena *arena, const BlockSet *set)
{
    const char *text = "";
    for (int i = 0; i < set->loop_count; i++)
        text = arena_printf(arena, "%s for %s", text, range(arena, &set->loops[i]));
    return set->condition ? arena_printf(arena, "%s where %s", text, math(arena, set->condition))
                          : text;
}

static const char *blocks(const Listing *listing, const Node *node)
{
    Arena *arena = listing->arena;
    const char *text = "";
    for (size_t i = 0; i < node_item_count(node); i++) {
        BlockSet set;
        const Text item = node_item(node, i)->text;
        const char *part = escaped(arena, item);
        if (parse_block_set(arena, item, &set, listing->diag))
            part = set.all ? "all blocks"
                           : arena_printf(arena, "%s%s", indices(arena, &set), behind(arena, &set));
        text = arena_printf(arena, "%s%s%s", text, i ? "; " : "", part);
    }
    return text;
}

/* ", for each $c = 1, \ldots, d$" */
static const char *for_each(const Listing *listing, const Node *map)
{
    Arena *arena = listing->arena;
    const Node *loops = node_get(map, "for");
    const char *text = "";
    for (size_t i = 0; loops && i < node_item_count(loops); i++) {
        Loop loop;
        const Text item = node_item(loops, i)->text;
        text = arena_printf(arena, "%s, for each %s", text,
                            parse_loop(arena, item, &loop, listing->diag) ? range(arena, &loop)
                                                                          : escaped(arena, item));
    }
    return text;
}

static const char *condition(Arena *arena, const Node *map)
{
    const Node *node = node_get(map, "if");
    return node ? arena_printf(arena, " \\textbf{if} %s", listing_formula(arena, node->text)) : "";
}

/* "A(i, k)" */
static const char *element(Arena *arena, const BlockSet *set)
{
    const char *text = text_string(arena, set->name);
    for (int i = 0; i < set->index_count; i++)
        text =
            arena_printf(arena, "%s%s%s", text, i ? ", " : "(", expr_latex(arena, set->indices[i]));
    return arena_printf(arena, "%s)", text);
}

static const char *transfer(const Listing *listing, const Node *map, const char *verb)
{
    Arena *arena = listing->arena;
    const Node *to = node_get(map, "to"), *as = node_get(map, "as");
    const char *text = arena_printf(arena, "\\textbf{%s} %s \\textbf{to} %s", verb,
                                    blocks(listing, node_get(map, verb)),
                                    to ? listing_formula(arena, to->text) : "");
    if (as)
        text = arena_printf(arena, "%s \\textbf{as} %s", text, listing_formula(arena, as->text));
    return arena_printf(arena, "%s%s%s", text, condition(arena, map), for_each(listing, map));
}

/* Any value: a formula, a text, a list, a map. */
static const char *value(Arena *arena, const Node *node)
{
    if (node->kind == NODE_SCALAR)
        return listing_formula(arena, node->text);
    const char *text = "";
    for (size_t i = 0; i < node->count; i++) {
        const char *key =
            node->kind == NODE_MAP
                ? arena_printf(arena, "%s: ", listing_formula(arena, node->keys[i]->text))
                : "";
        text = arena_printf(arena, "%s%s%s%s", text,
                            i == 0                   ? ""
                            : node->kind == NODE_MAP ? "; "
                                                     : ", ",
                            key, value(arena, node->values[i]));
    }
    return text;
}

static void write_values(const Listing *listing, const Node *map)
{
    for (size_t i = 0; map && map->kind == NODE_MAP && i < map->count; i++)
        write_line(listing, arena_printf(listing->arena, "%s $\\gets$ %s",
                                         listing_formula(listing->arena, map->keys[i]->text),
                                         value(listing->arena, map->values[i])));
}

/* "\textbf{use} allgather/ring \textbf{along} x" */
static const char *use(Arena *arena, const Node *map)
{
    const char *text = "";
    for (size_t i = 0; i < map->count; i++) {
        const Text key = map->keys[i]->text;
        const bool is_name = text_equals(key, "use") || text_equals(key, "along");
        if (text_equals(key, "if"))
            continue;
        text = arena_printf(arena, "%s%s\\textbf{%s} %s", text, i ? " " : "", escaped(arena, key),
                            is_name && map->values[i]->kind == NODE_SCALAR
                                ? escaped(arena, map->values[i]->text)
                                : value(arena, map->values[i]));
    }
    return arena_printf(arena, "%s%s", text, condition(arena, map));
}

static void write_step(Listing *listing, const Node *map);

static void write_steps(Listing *listing, const Node *steps)
{
    for (size_t i = 0; steps && i < node_item_count(steps); i++)
        write_step(listing, node_item(steps, i));
}

/* A repeat or a round: its heading, and one step deeper its names and steps. */
static void write_group(Listing *listing, const Node *map, const char *heading, const char *steps)
{
    write_line(listing,
               arena_printf(listing->arena, "%s%s", heading, condition(listing->arena, map)));
    listing->depth++;
    write_values(listing, node_get(map, "let"));
    write_steps(listing, node_get(map, steps));
    write_values(listing, node_get(map, "then"));
    listing->depth--;
}

static void write_step(Listing *listing, const Node *map)
{
    Arena *arena = listing->arena;
    for (int verb = 0; verb < VERB_COUNT; verb++)
        if (node_get(map, verb_info[verb].key)) {
            write_line(listing, transfer(listing, map, verb_info[verb].key));
            return;
        }
    const Node *repeat = node_get(map, "repeat"), *combine = node_get(map, "combine"),
               *compute = node_get(map, "compute");
    if (repeat) {
        Loop loop;
        const char *heading =
            parse_loop(arena, repeat->text, &loop, listing->diag)
                ? arena_printf(arena, "\\textbf{for} $%.*s = %s$ \\textbf{%s} $%s$",
                               TEXT_ARGS(loop.name), expr_latex(arena, loop.from),
                               loop.down ? "down to" : "to", expr_latex(arena, loop.to))
                : arena_printf(arena, "\\textbf{for} %s", escaped(arena, repeat->text));
        write_group(listing, map, heading, "steps");
    } else if (node_get(map, "round")) {
        write_group(listing, map, "\\textbf{at the same time}", "round");
    } else if (combine) {
        /* "combine $b$ into $a$" for a += b. */
        BlockSet into, from;
        const char *text =
            parse_combination(arena, combine->text, &into, &from, listing->diag)
                ? arena_printf(arena, "%s \\textbf{into} %s%s", indices(arena, &from),
                               indices(arena, &into), behind(arena, &into))
                : escaped(arena, combine->text);
        write_line(listing, arena_printf(arena, "\\textbf{combine} %s%s%s", text,
                                         condition(arena, map), for_each(listing, map)));
    } else if (compute) {
        /* "$C(i, j) \gets C(i, j) + A(i, k) \cdot B(k, j)$" */
        BlockSet sets[3];
        const char *text = escaped(arena, compute->text);
        if (parse_product(arena, compute->text, sets, listing->diag)) {
            const char *result = element(arena, &sets[2]);
            text = arena_printf(arena, "$%s \\gets %s + %s \\cdot %s$%s", result, result,
                                element(arena, &sets[0]), element(arena, &sets[1]),
                                behind(arena, &sets[2]));
        }
        write_line(listing,
                   arena_printf(arena, "\\textbf{compute} %s%s", text, condition(arena, map)));
    } else
        write_line(listing, map->kind == NODE_MAP ? use(arena, map) : value(arena, map));
}

void listing_write(Arena *arena, FILE *stream, const Node *document, Diag *diag)
{
    /* Keys of a file that are no part of the program: its head, claims, and work beside messages.
     */
    static const char *const beside[] = {"algorithm", "collective", "problem", "summary",
                                         "source",    "also",       "claims",  "schedule",
                                         "copies",    "allocates",  "library", "expect"};
    Listing listing = {arena, stream, diag, 0};
    for (size_t i = 0; i < document->count; i++) {
        const Text key = document->keys[i]->text;
        const Node *node = document->values[i];
        if (text_equals(key, "let"))
            write_values(&listing, node);
        else if (text_equals(key, "sequence")) {
            /* A stage is words: "reduce-scatter/ring along x". */
            for (size_t j = 0; j < node_item_count(node); j++) {
                const Node *stage = node_item(node, j);
                write_line(&listing, stage->kind == NODE_SCALAR
                                         ? arena_printf(listing.arena, "\\textbf{run} %s",
                                                        escaped(listing.arena, stage->text))
                                         : use(listing.arena, stage));
            }
        } else if (text_equals(key, "dual"))
            write_line(&listing, arena_printf(arena,
                                              "the rounds of %s in reverse, with senders and "
                                              "receivers, copies and combinations exchanged",
                                              escaped(arena, node->text)));
        else if (text_equals(key, "before") || text_equals(key, "after"))
            write_line(&listing, arena_printf(arena, "\\textbf{%s} %s", escaped(arena, key),
                                              blocks(&listing, node)));
        else if (text_among(key, beside, COUNT_OF(beside)) == COUNT_OF(beside))
            write_line(&listing, arena_printf(arena, "\\textbf{%s} %s", escaped(arena, key),
                                              value(arena, node)));
    }
    write_steps(&listing, node_get(document, "schedule"));
}
