#include "model/trees.h"

#include "base/limits.h"

#include <stdlib.h>

/* Edges of all trees: each takes work in every round. */
enum { MOST_EDGES = 1 << 22 };
/* Of all trees of a root. */
static const int64_t most_weight = 1 << 20;

ARRAY_TYPE(Parents, int32_t);

/* The next word, between spaces; false at the end. */
static bool next_word(Text *rest, Text *word)
{
    size_t from = 0, to;
    while (from < rest->length && (rest->chars[from] == ' ' || rest->chars[from] == '\n'))
        from++;
    for (to = from; to < rest->length && rest->chars[to] != ' ' && rest->chars[to] != '\n';)
        to++;
    *word = text_slice(*rest, from, to - from);
    *rest = text_slice(*rest, to, rest->length - to);
    return word->length > 0;
}

static bool read_parents(Loader *loader, Text text, Tree *tree, int64_t *p)
{
    Parents parents = {0};
    Text word, rest = text;
    tree->root = -1;
    while (next_word(&rest, &word)) {
        int64_t parent = -1;
        if (text_equals(word, ".") && tree->root >= 0) {
            diag_error(loader->diag, word.span, "a tree has one root");
            return false;
        }
        if (text_equals(word, "."))
            tree->root = (int32_t)parents.count;
        else if (!quantity_parse_integer(word, 0, MOST_EDGES, &parent, loader->diag))
            return false;
        *ARRAY_PUSH(loader->arena, &parents) = (int32_t)parent;
    }
    if (tree->root < 0 || (*p && *p != (int64_t)parents.count)) {
        diag_error(loader->diag, text.span,
                   tree->root < 0 ? "this tree has no root: a '.' in place of its parent"
                                  : "this tree has %zu ranks, those before it %lld",
                   parents.count, (long long)*p);
        return false;
    }
    *p = (int64_t)parents.count;
    tree->parents = parents.items;
    return true;
}

/* Depths of all ranks; false after a report: some parent is none, or leads to no root. */
static bool measure(Loader *loader, const Tree *tree, int64_t p, Span span, int32_t *depths)
{
    for (int64_t r = 0; r < p; r++)
        depths[r] = r == tree->root ? 0 : -1;
    for (int64_t r = 0; r < p; r++) {
        int32_t steps = 0;
        int64_t at = r;
        for (; depths[at] < 0 && steps < p && tree->parents[at] < p; steps++)
            at = tree->parents[at];
        if (depths[at] < 0) {
            diag_error(loader->diag, span, "rank %lld is not below the root of this tree",
                       (long long)r);
            return false;
        }
        const int32_t depth = depths[at] + steps;
        at = r;
        for (int32_t i = 0; i < steps; i++, at = tree->parents[at])
            depths[at] = depth - i;
    }
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const TreeEdge *left = a, *right = b;
    if (left->parent != right->parent)
        return left->parent < right->parent ? -1 : 1;
    if (left->child != right->child)
        return left->child < right->child ? -1 : 1;
    return left->tree < right->tree ? -1 : left->tree > right->tree;
}

static bool list_edges(Loader *loader, const Node *list, TreeSet *set)
{
    const int64_t p = set->p;
    int32_t *depths = ARENA_ROOM(loader->arena, int32_t, (size_t)p);
    if ((int64_t)set->count > MOST_EDGES / p) {
        diag_limit(loader->diag, list->text.span, "trees have at most %d edges", MOST_EDGES);
        return false;
    }
    TreeEdge *edges = ARENA_ROOM(loader->arena, TreeEdge, set->count * (size_t)p);
    for (size_t t = 0; t < set->count; t++) {
        const Tree *tree = &set->items[t];
        if (!measure(loader, tree, p, node_item(list, t)->text.span, depths))
            return false;
        for (int64_t r = 0; r < p; r++) {
            if (r == tree->root)
                continue;
            edges[set->edge_count++] =
                (TreeEdge){tree->parents[r], (int32_t)r, (uint32_t)t, depths[r]};
            set->height = depths[r] > set->height ? depths[r] : set->height;
        }
    }
    qsort(edges, set->edge_count, sizeof *edges, compare_edges);
    set->edges = edges;
    return true;
}

/* Shares of each root's block, in the order of its trees. */
static bool share_out(Loader *loader, const Node *list, TreeSet *set, Tree *trees)
{
    int64_t *weights = ARENA_ARRAY(loader->arena, int64_t, (size_t)set->p);
    for (size_t t = 0; t < set->count; t++) {
        trees[t].first = weights[trees[t].root];
        weights[trees[t].root] += trees[t].weight;
        if (weights[trees[t].root] <= most_weight)
            continue;
        diag_limit(loader->diag, list->text.span, "the trees of a root weigh at most %lld",
                   (long long)most_weight);
        return false;
    }
    set->weight = weights[trees[0].root];
    for (int64_t r = 0; r < set->p; r++) {
        const bool is_first = r == trees[0].root;
        if (set->has_roots ? weights[r] == set->weight : is_first || weights[r] == 0)
            continue;
        if (set->has_roots)
            diag_error(loader->diag, list->text.span,
                       "the trees of rank %lld weigh %lld together, those of rank %d %lld",
                       (long long)r, (long long)weights[r], trees[0].root, (long long)set->weight);
        else
            diag_error(loader->diag, list->text.span,
                       "the trees of a %s have one root, not %d and %lld",
                       loader->algorithm->collective->head.name, trees[0].root, (long long)r);
        return false;
    }
    return true;
}

static bool read_tree(Loader *loader, const Node *map, Tree *tree, int64_t *p)
{
    static const char *const keys[] = {"parents", "weight"};
    if (!node_is_map(map, "a tree", loader->diag) ||
        !node_check_keys(map, "a tree", keys, 2, loader->diag))
        return false;
    const Node *parents = node_get(map, "parents"), *weight = node_get(map, "weight");
    if (!parents) {
        diag_error(loader->diag, map->text.span, "a tree needs 'parents'");
        return false;
    }
    tree->weight = 1;
    return node_is_scalar(parents, "the parents of a tree", loader->diag) &&
           read_parents(loader, parents->text, tree, p) &&
           (!weight ||
            (node_is_scalar(weight, "the weight of a tree", loader->diag) &&
             quantity_parse_integer(weight->text, 1, most_weight, &tree->weight, loader->diag)));
}

bool trees_read(Loader *loader, const Node *list)
{
    Algorithm *algorithm = loader->algorithm;
    const Collective *collective = algorithm->collective;
    TreeSet *set = ARENA_NEW(loader->arena, TreeSet);
    set->count = node_item_count(list);
    set->has_roots = collective->index_count > 0;
    if (collective->problem || collective->targeted || collective->is_empty ||
        collective->rank_order || collective->index_count > 1 ||
        collective->rooted == set->has_roots) {
        diag_error(loader->diag, list->text.span,
                   "trees are for broadcast, reduce, allgather and reduce-scatter, and for "
                   "collectives like these");
        return false;
    }
    Tree *trees = ARENA_ARRAY(loader->arena, Tree, set->count ? set->count : 1);
    set->items = trees;
    for (size_t t = 0; t < set->count; t++)
        if (!read_tree(loader, node_item(list, t), &trees[t], &set->p))
            return false;
    if (set->count == 0) {
        diag_error(loader->diag, list->text.span, "there are no trees");
        return false;
    }
    if (!share_out(loader, list, set, trees) || !list_edges(loader, list, set))
        return false;
    algorithm->trees = set;
    algorithm->free_chunks = true;
    algorithm->keeps |= !collective->combines;
    algorithm->combines |= collective->combines;
    return true;
}
