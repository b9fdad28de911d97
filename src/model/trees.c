#include "model/trees.h"

#include <stdlib.h>

/* Of all trees of a block. */
static const int64_t most_weight = 1 << 20;

ARRAY_TYPE(Ranks, int32_t);

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

/* Numbers, with a dot for a root, and an x for a rank outside of the tree. */
static bool read_ranks(Loader *loader, Text text, Ranks *ranks)
{
    Text word, rest = text;
    while (next_word(&rest, &word)) {
        int64_t rank = text_equals(word, "x") ? TREE_OUTSIDE : TREE_ROOT;
        if (rank == TREE_ROOT && !text_equals(word, ".") &&
            !quantity_parse_integer(word, 0, MOST_ENTRIES, &rank, loader->diag))
            return false;
        *ARRAY_PUSH(loader->arena, ranks) = (int32_t)rank;
    }
    return true;
}

/* With a block of its own, a tree may have several roots, and leave ranks out. */
static bool read_parents(Loader *loader, Text text, bool has_block, Tree *tree, int64_t *p)
{
    Ranks parents = {0};
    Text word, rest = text;
    tree->root = -1;
    if (!read_ranks(loader, text, &parents))
        return false;
    for (int32_t r = 0; next_word(&rest, &word); r++) {
        if (parents.items[r] >= 0 ||
            (has_block && (tree->root >= 0 || parents.items[r] == TREE_OUTSIDE)))
            continue;
        if (tree->root >= 0 || parents.items[r] == TREE_OUTSIDE)
            return diag_error(loader->diag, word.span,
                              "a tree %s, unless 'block' says which it carries",
                              parents.items[r] == TREE_ROOT ? "has one root" : "has all ranks");
        tree->root = r;
    }
    if (tree->root < 0 || (*p && *p != (int64_t)parents.count))
        return diag_error(loader->diag, text.span,
                          tree->root < 0 ? "this tree has no root: a '.' in place of its parent"
                                         : "this tree has %zu ranks, those before it %lld",
                          parents.count, (long long)*p);
    *p = (int64_t)parents.count;
    tree->count = (int32_t)parents.count;
    tree->ranks = parents.items;
    return true;
}

static bool read_path(Loader *loader, Text text, Tree *tree)
{
    Ranks ranks = {0};
    if (!read_ranks(loader, text, &ranks))
        return false;
    bool good = ranks.count >= 2;
    for (size_t i = 0; i < ranks.count; i++) {
        good &= ranks.items[i] >= 0;
        for (size_t j = 0; j < i; j++)
            good &= ranks.items[i] != ranks.items[j];
    }
    if (!good)
        diag_error(loader->diag, text.span, "a path leads past two ranks at least, each once");
    tree->is_path = true;
    tree->count = (int32_t)ranks.count;
    tree->ranks = ranks.items;
    return good;
}

/* When each rank has its data: later than its parent. Not of trees with blocks of their own. */
static bool read_rounds(Loader *loader, const Node *node, Tree *tree)
{
    Ranks rounds = {0};
    if (!node_is_scalar(node, "the rounds of a tree", loader->diag) ||
        !read_ranks(loader, node->text, &rounds))
        return false;
    bool good = (int32_t)rounds.count == tree->count;
    for (int32_t r = 0; r < tree->count && good; r++)
        if (r == tree->root)
            good = rounds.items[r] < 0, rounds.items[r] = 0;
        else
            good = rounds.items[r] >= 1;
    for (int32_t r = 0; r < tree->count && good; r++)
        good = r == tree->root ||
               (tree->ranks[r] < tree->count && rounds.items[r] > rounds.items[tree->ranks[r]]);
    if (!good)
        diag_error(loader->diag, node->text.span,
                   "'rounds' are a '.' for the root, and for each other rank a number from 1 on, "
                   "greater than that of its parent");
    tree->rounds = rounds.items;
    return good;
}

/* Depths of all ranks; false after a report: some parent is none, or leads to no root. */
static bool measure(Loader *loader, const Tree *tree, int64_t p, Span span, int32_t *depths)
{
    for (int64_t r = 0; r < p; r++)
        depths[r] = tree->ranks[r] == TREE_ROOT ? 0 : -1;
    for (int64_t r = 0; r < p; r++) {
        int32_t steps = 0;
        int64_t at = r;
        if (tree->ranks[r] == TREE_OUTSIDE)
            continue;
        for (; depths[at] < 0 && steps < p && tree->ranks[at] >= 0 && tree->ranks[at] < p; steps++)
            at = tree->ranks[at];
        if (depths[at] < 0)
            return diag_error(loader->diag, span, "rank %lld is not below the root of this tree",
                              (long long)r);
        const int32_t depth = depths[at] + steps;
        at = r;
        for (int32_t i = 0; i < steps; i++, at = tree->ranks[at])
            depths[at] = depth - i;
    }
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const TreeEdge *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    if (left->combines != right->combines)
        return left->combines ? -1 : 1;
    return left->tree < right->tree ? -1 : left->tree > right->tree;
}

/* In which round the edge above rank r carries the first chunk, away from the root; from 1 on. */
static int32_t round_of(const Tree *tree, const int32_t *depths, int64_t r)
{
    return tree->rounds ? tree->rounds[r] : depths[r];
}

static bool list_edges(Loader *loader, const Node *list, TreeSet *set)
{
    const Collective *collective = loader->algorithm->collective;
    const bool goes_back = !collective->rooted && collective->index_count == 0;
    const size_t p = (size_t)set->p;
    size_t room = 0;
    int32_t height = 0;
    for (size_t t = 0; t < set->count; t++)
        room += 2 * (size_t)set->items[t].count;
    if (room > 2 * (size_t)MOST_ENTRIES)
        return diag_limit(loader->diag, list->text.span, "trees have at most %d edges",
                          MOST_ENTRIES);
    TreeEdge *edges = ARENA_ROOM(loader->arena, TreeEdge, room);
    int32_t **depths = ARENA_ARRAY(loader->arena, int32_t *, set->count);
    for (size_t t = 0; t < set->count; t++) {
        const Tree *tree = &set->items[t];
        if (tree->is_path) {
            height = tree->count - 1 > height ? tree->count - 1 : height;
            continue;
        }
        depths[t] = ARENA_ROOM(loader->arena, int32_t, p);
        if (!measure(loader, tree, set->p, node_item(list, t)->text.span, depths[t]))
            return false;
        for (int64_t r = 0; r < set->p; r++) {
            const int32_t round = round_of(tree, depths[t], r);
            height = round > height ? round : height;
        }
    }
    for (uint32_t t = 0; t < set->count; t++) {
        const Tree *tree = &set->items[t];
        for (int32_t i = 0; i + 1 < tree->count && tree->is_path; i++)
            edges[set->edge_count++] = (TreeEdge){tree->ranks[i], tree->ranks[i + 1], t, i, false};
        for (int32_t r = 0; r < tree->count && !tree->is_path; r++) {
            if (tree->ranks[r] < 0)
                continue;
            const int32_t parent = tree->ranks[r], round = round_of(tree, depths[t], r);
            if (collective->combines)
                edges[set->edge_count++] = (TreeEdge){r, parent, t, height - round, true};
            if (!collective->combines || goes_back)
                edges[set->edge_count++] =
                    (TreeEdge){parent, r, t, (goes_back ? height : 0) + round - 1, false};
        }
    }
    qsort(edges, set->edge_count, sizeof *edges, compare_edges);
    for (size_t e = 0; e < set->edge_count; e++)
        set->rounds = edges[e].round >= set->rounds ? edges[e].round + 1 : set->rounds;
    set->edges = edges;
    return true;
}

/* Does each block go from one rank to another? */
static bool goes_along_paths(const Collective *collective)
{
    return collective->index_count == (collective->rooted ? 1 : 2) && !collective->combines;
}

/* Which block each path carries, and whose the root is. */
static bool find_blocks(Loader *loader, const Node *list, TreeSet *set, Tree *trees)
{
    const Collective *collective = loader->algorithm->collective;
    for (size_t t = 0; t < set->count; t++) {
        Tree *tree = &trees[t];
        if (!tree->is_path) {
            tree->block = set->names_blocks         ? tree->block
                          : collective->index_count ? tree->root
                                                    : 0;
            continue;
        }
        for (int32_t i = 0; i < tree->count; i++)
            set->p = tree->ranks[i] >= set->p ? tree->ranks[i] + 1 : set->p;
    }
    if (trees[0].is_path && set->p > LIMIT_ROOTS)
        return diag_limit(loader->diag, list->text.span, "paths lead past at most %d ranks",
                          LIMIT_ROOTS);
    for (size_t t = 0; t < set->count && !trees[0].is_path && set->is_rooted; t++)
        if (trees[t].root != trees[0].root)
            return diag_error(loader->diag, list->text.span,
                              "the trees of a %s have one root, not %d and %d",
                              collective->head.name, trees[0].root, trees[t].root);
    for (size_t t = 0; t < set->count && trees[0].is_path; t++) {
        Tree *tree = &trees[t];
        const int32_t first = tree->ranks[0], last = tree->ranks[tree->count - 1];
        /* Are blocks those of the ranks that paths begin at? In a gather only the root has some
         * after it.
         */
        const bool gathers = collective->rooted && collective->after.items[0].condition;
        tree->root = gathers ? last : first;
        tree->block = !collective->rooted ? first * set->p + last : gathers ? first : last;
        if (!collective->rooted || tree->root == trees[0].root)
            continue;
        return diag_error(loader->diag, node_item(list, t)->text.span,
                          "the paths of a %s have one root, not %d and %d", collective->head.name,
                          trees[0].root, tree->root);
    }
    return true;
}

/* Shares of each block, in the order of its trees. */
static bool share_out(Loader *loader, const Node *list, TreeSet *set, Tree *trees)
{
    const Collective *collective = loader->algorithm->collective;
    int64_t count = set->names_blocks || collective->index_count == 0 ? 1
                    : collective->index_count == 1                    ? set->p
                                                                      : set->p * set->p;
    for (size_t t = 0; t < set->count && set->names_blocks; t++)
        count = trees[t].block >= count ? trees[t].block + 1 : count;
    int64_t *weights = ARENA_ARRAY(loader->arena, int64_t, (size_t)count);
    for (size_t t = 0; t < set->count; t++) {
        trees[t].first = weights[trees[t].block];
        weights[trees[t].block] += trees[t].weight;
        if (weights[trees[t].block] <= most_weight)
            continue;
        return diag_limit(loader->diag, list->text.span, "the trees of a block weigh at most %lld",
                          (long long)most_weight);
    }
    set->weight = weights[trees[0].block];
    for (int64_t b = 0; b < count; b++) {
        /* Do all ranks that need the block have it from the start? */
        const bool stays = trees[0].is_path &&
                           (collective->rooted ? b == trees[0].root : b / set->p == b % set->p);
        if (weights[b] == set->weight || (set->names_blocks ? !weights[b] : stays))
            continue;
        const char *of = set->names_blocks
                             ? arena_printf(loader->arena, "of block %lld", (long long)b)
                         : collective->index_count == 2
                             ? arena_printf(loader->arena, "from rank %lld to rank %lld",
                                            (long long)(b / set->p), (long long)(b % set->p))
                             : arena_printf(loader->arena, "of rank %lld", (long long)b);
        return diag_error(loader->diag, list->text.span,
                          "the trees %s weigh %lld together, others %lld", of,
                          (long long)weights[b], (long long)set->weight);
    }
    return true;
}

static bool read_tree(Loader *loader, const Node *map, bool has_block, Tree *tree, int64_t *p)
{
    static const char *const keys[] = {"parents", "weight", "rounds"};
    static const char *const path_keys[] = {"path", "weight"};
    static const char *const block_keys[] = {"parents", "weight", "block"};
    const bool is_path = !has_block && goes_along_paths(loader->algorithm->collective);
    const char *what = is_path ? "a path" : "a tree", *key = is_path ? "path" : "parents";
    if (!node_is_map(map, what, loader->diag) || !node_check_keys(map, what,
                                                                  is_path     ? path_keys
                                                                  : has_block ? block_keys
                                                                              : keys,
                                                                  is_path ? 2 : 3, loader->diag))
        return false;
    const Node *block = node_get(map, "block"), *rounds = node_get(map, "rounds");
    const Node *ranks = node_get(map, key);
    if (!ranks || (has_block && !block))
        return diag_error(loader->diag, map->text.span, "%s needs '%s'", what,
                          ranks ? "block" : key);
    tree->weight = 1;
    return node_is_scalar(ranks, is_path ? "a path" : "the parents of a tree", loader->diag) &&
           (is_path ? read_path(loader, ranks->text, tree)
                    : read_parents(loader, ranks->text, has_block, tree, p)) &&
           read_key_whole(map, "block", "the block of a tree", 0, MOST_ENTRIES, &tree->block,
                          loader->diag) &&
           (!rounds || read_rounds(loader, rounds, tree)) &&
           read_key_whole(map, "weight", "the weight of a tree", 1, most_weight, &tree->weight,
                          loader->diag);
}

/* What is not a problem, and whose blocks go as trees or paths can; named ones go anywhere. */
static bool is_for_trees(const Collective *collective, bool names_blocks)
{
    return !collective->problem && !collective->targeted && !collective->is_empty &&
           !collective->rank_order &&
           (names_blocks
                ? !collective->combines && !collective->rooted
                : (collective->index_count < 2 || goes_along_paths(collective)) &&
                      (collective->rooted || collective->index_count > 0 || collective->combines) &&
                      (collective->index_count == 0 || !collective->rooted ||
                       !collective->combines));
}

bool trees_read(Loader *loader, const Node *list)
{
    Algorithm *algorithm = loader->algorithm;
    const Collective *collective = algorithm->collective;
    TreeSet *set = ARENA_NEW(loader->arena, TreeSet);
    set->count = node_item_count(list);
    set->is_rooted = collective->rooted;
    set->shifts_blocks = collective->rooted && collective->index_count > 0;
    const Node *first = set->count ? node_item(list, 0) : NULL;
    set->names_blocks = first && first->kind == NODE_MAP && node_get(first, "block");
    if (!is_for_trees(collective, set->names_blocks))
        return diag_error(
            loader->diag, list->text.span,
            "trees are for broadcast, reduce, allgather, reduce-scatter, allreduce, scatter, "
            "gather and alltoall, and for collectives like these; with a 'block' for all that "
            "combine nothing and have no root");
    Tree *trees = ARENA_ARRAY(loader->arena, Tree, set->count ? set->count : 1);
    set->items = trees;
    for (size_t t = 0; t < set->count; t++)
        if (!read_tree(loader, node_item(list, t), set->names_blocks, &trees[t], &set->p))
            return false;
    if (set->count == 0)
        return diag_error(loader->diag, list->text.span, "there are no trees");
    if (!find_blocks(loader, list, set, trees) || !share_out(loader, list, set, trees) ||
        !list_edges(loader, list, set))
        return false;
    algorithm->trees = set;
    algorithm->free_chunks = true;
    algorithm->keeps |= !collective->combines || !collective->index_count;
    algorithm->combines |= collective->combines;
    return true;
}
