/* Rules as a tuning file of MPICH: a tree with all collectives, since it takes the place of all
   that MPICH knows. Where rules leave the choice to the library stands what that version chooses by
   itself (mpich_default.def). */
#include "exchange/mpich.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int from, to, collective;
    const char *conditions, *name;
} defaults[] = {
#define MPICH_DEFAULT(from, to, collective, conditions, name)                                      \
    {from, to, MPICH_##collective, conditions, name},
#include "exchange/mpich_default.def"
};
enum { DEFAULT_COUNT = COUNT_OF(defaults) };

/* A key of the tree with what is in its object. */
typedef struct Branch {
    const char *key;
    struct Branch *first, *last, *next;
} Branch;

/* Calls that get to a place: ranks, and sizes in the collective's measure. */
typedef struct {
    TuningRange ranks, sizes;
} Calls;

static const Calls all_calls = {{0, INT64_MAX}, {0, INT64_MAX}};

/* Leaves of the default tree below a place: the conditions of each from there on. */
typedef struct {
    const char *conditions;
    const char *name;
} Leaf;
ARRAY_TYPE(Leaves, Leaf);

typedef struct {
    Arena *arena;
    int version; /* 401 */
    int collective;
    Leaves leaves; /* of the collective */
} Writer;

/* Why no file names this algorithm; NULL: files may. */
static const char *refuses(const LibraryAlgorithm *algorithm, int protocol, const Shape *shape)
{
    static const struct {
        const char *name, *reason;
    } refused[] = {
        {"tree", "releases read its parameters differently"},
        {"pipelined_tree", "releases read its parameters differently"},
        {"circ_graph", "its parameters are not known here"},
        {"ccl", "it is for memory of GPUs"},
        {"pairwise_sendrecv_replace", "it is for calls in place"},
        {"noncommutative", "MPICH runs it where operations do not commute"},
    };
    (void)protocol;
    (void)shape;
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        if (strcmp(algorithm->name, refused[i].name) == 0)
            return refused[i].reason;
    return NULL;
}

static Branch *add_branch(const Writer *writer, Branch *parent, const char *key)
{
    Branch *branch = ARENA_NEW(writer->arena, Branch);
    branch->key = key;
    if (parent->last)
        parent->last->next = branch;
    else
        parent->first = branch;
    parent->last = branch;
    return branch;
}

/* An algorithm with its parameters: k is the radix of its model, others are off. */
static void add_algorithm(const Writer *writer, Branch *parent, const char *name, int64_t radix)
{
    const char *function = mpich_function(writer->arena, writer->collective, name);
    Branch *algorithm =
        add_branch(writer, parent, arena_printf(writer->arena, "algorithm=%s", function));
    const char *list = mpich_parameters(function);
    for (Text word; mpich_next_word(&list, &word);) {
        const int64_t k = !text_equals(word, "k") ? 0 : radix ? radix : 2;
        add_branch(writer, algorithm,
                   arena_printf(writer->arena, "%.*s=%" PRId64, TEXT_ARGS(word), k));
    }
}

/* The algorithm of a rule, and below conditions others for calls that it is not for. */
static void add_guarded(const Writer *writer, Branch *parent, const LibraryAlgorithm *algorithm)
{
    static const struct {
        char letter;
        const char *good, *others;
    } guards[] = {{'P', "comm_size=pow2", "comm_size=any"},
                  {'C', "is_commutative=yes", "is_commutative=no"},
                  {'O', "is_sendbuf_inplace=no", "is_sendbuf_inplace=yes"}};
    const int64_t radix = algorithm->settings.branches[BRANCHING_RADIX];
    const char *name = arena_printf(writer->arena, "intra_%s", algorithm->name);
    const MpichNeeds *needs = mpich_needs(mpich_function(writer->arena, writer->collective, name));
    const char letter = needs ? *needs->needs : 0;
    for (size_t i = 0; i < COUNT_OF(guards); i++)
        if (letter == guards[i].letter) {
            add_algorithm(writer, add_branch(writer, parent, guards[i].good), name, radix);
            add_algorithm(writer, add_branch(writer, parent, guards[i].others), needs->otherwise,
                          0);
            return;
        }
    if (letter != 'F') {
        add_algorithm(writer, parent, name, radix);
        return;
    }
    Branch *own = add_branch(writer, parent, "is_op_built_in=yes");
    add_algorithm(writer, add_branch(writer, own, "count<pow2"), needs->otherwise, 0);
    add_algorithm(writer, add_branch(writer, own, "count=any"), name, radix);
    add_algorithm(writer, add_branch(writer, parent, "is_op_built_in=no"), needs->otherwise, 0);
}

/* ### What MPICH chooses by itself */

/* Cuts a range at a limit. */
static void cut(int64_t limit, TuningRange *below, TuningRange *others)
{
    limit = limit < below->from ? below->from : limit > below->below ? below->below : limit;
    below->below = limit;
    others->from = limit;
}

static bool is_empty(const Calls *calls)
{
    return calls->ranks.from >= calls->ranks.below || calls->sizes.from >= calls->sizes.below;
}

/* The calls for which a condition holds, and the others; where that does not depend on ranks or
   sizes, both are all. */
static void split(const Writer *writer, const char *key, Calls *in, Calls *others)
{
    const char *size =
        mpich_has_test(writer->collective, 'A') ? "avg_msg_size<" : "total_msg_size<";
    const char *equal = strchr(key, '=');
    const char *below = strchr(key, '<');
    *in = *others;
    if (equal && strcmp(equal, "=any") == 0)
        others->ranks.from = others->ranks.below;
    if (!below || strcmp(below, "<pow2") == 0)
        return;
    const bool is_equal = below[1] == '=';
    const int64_t limit = strtoll(below + 1 + is_equal, NULL, 10) + is_equal;
    if (strncmp(key, "comm_size<", strlen("comm_size<")) == 0)
        cut(limit, &in->ranks, &others->ranks);
    else if (strncmp(key, size, strlen(size)) == 0)
        cut(limit, &in->sizes, &others->sizes);
}

/* The leaves from number `from` on that begin with that condition, without it. */
static Leaves take_alike(const Writer *writer, const Leaves *leaves, size_t from, const char *key)
{
    Leaves alike = {0};
    const size_t length = strlen(key);
    for (size_t i = from; i < leaves->count; i++) {
        const Leaf *leaf = &leaves->items[i];
        if (strncmp(leaf->conditions, key, length) != 0 || !strchr(" ", leaf->conditions[length]))
            break;
        const char *rest = leaf->conditions + length;
        *ARRAY_PUSH(writer->arena, &alike) = (Leaf){rest + (*rest == ' '), leaf->name};
    }
    return alike;
}

/* Adds what of these leaves, from number `from` on, can be reached by some calls. */
static void add_defaults(const Writer *writer, Branch *parent, const Leaves *leaves, size_t from,
                         Calls calls)
{
    bool is_first = true;
    Leaves below;
    for (size_t i = from; i < leaves->count && !is_empty(&calls); i += below.count) {
        const Leaf *leaf = &leaves->items[i];
        const int length = (int)strcspn(leaf->conditions, " ");
        Calls in;
        if (length == 0) {
            add_algorithm(writer, parent, leaf->name, 0);
            return;
        }
        const char *key = arena_printf(writer->arena, "%.*s", length, leaf->conditions);
        below = take_alike(writer, leaves, i, key);
        split(writer, key, &in, &calls);
        if (is_empty(&in))
            continue;
        /* a condition that all calls meet is none */
        const bool is_all = is_empty(&calls) && is_first;
        const bool is_last = is_empty(&calls) && strchr(key, '<');
        const char *name = key;
        if (is_last && !is_all)
            name = arena_printf(writer->arena, "%.*s=any", (int)strcspn(key, "<"), key);
        add_defaults(writer, is_all ? parent : add_branch(writer, parent, name), &below, 0, in);
        is_first = false;
    }
}

/* ### Rules */

/* "comm_size<=7", or "comm_size=any" for all others */
static const char *limit_key(const Writer *writer, const char *what, int64_t below)
{
    return below > INT_MAX ? arena_printf(writer->arena, "%s=any", what)
                           : arena_printf(writer->arena, "%s<=%" PRId64, what, below - 1);
}

/* The rules for some numbers of ranks, by size. */
static void add_sizes(const Writer *writer, Branch *parent, const TuningRule *rules, size_t count,
                      const Leaves *leaves)
{
    const char *what = mpich_has_test(writer->collective, 'A') ? "avg_msg_size" : "total_msg_size";
    for (size_t i = 0; i < count && rules[i].from_size <= INT_MAX; i++) {
        const bool is_last = i + 1 == count || rules[i + 1].from_size > INT_MAX;
        const int64_t below = is_last ? INT64_MAX : rules[i + 1].from_size;
        const Calls calls = {{rules[i].from_ranks, rules[i].below_ranks},
                             {rules[i].from_size, below}};
        Branch *branch =
            is_last && i == 0 ? parent : add_branch(writer, parent, limit_key(writer, what, below));
        if (rules[i].runs)
            add_guarded(writer, branch, rules[i].runs);
        else
            add_defaults(writer, branch, leaves, 0, calls);
    }
}

/* A collective with its rules, which begin with number `first`, if there are any: for calls within
   one group, by ranks, then by size. */
static void add_collective(const Writer *writer, Branch *tree, const TuningRules *rules,
                           size_t first)
{
    static const char condition[] = "comm_type=intra";
    Branch *collective = add_branch(
        writer, tree,
        arena_printf(writer->arena, "collective=%s", mpich_collectives[writer->collective].name));
    const size_t end = first + (first < rules->count ? tuning_alike(rules, first, false) : 0);
    const Leaves below =
        end > first ? take_alike(writer, &writer->leaves, 0, condition) : (Leaves){0};
    Branch *within = below.count ? add_branch(writer, collective, condition) : NULL;
    for (size_t i = first, alike; within && i < end; i += alike) {
        alike = tuning_alike(rules, i, true);
        const TuningRule *own = &rules->items[i];
        const int64_t below_ranks = i + alike < end ? own->below_ranks : INT64_MAX;
        Branch *branch = within;
        if (i > first || below_ranks < INT64_MAX)
            branch = add_branch(writer, within, limit_key(writer, "comm_size", below_ranks));
        add_sizes(writer, branch, own, alike, &below);
    }
    add_defaults(writer, collective, &writer->leaves, below.count, all_calls);
}

/* Objects with one algorithm stand on one line. */
static void write_branches(Buffer *text, const Branch *parent, int depth)
{
    for (const Branch *branch = parent->first; branch; branch = branch->next) {
        buffer_printf(text, "%*s\"%s\": {", 2 * depth, "", branch->key);
        const Branch *only = branch->first && !branch->first->next ? branch->first : NULL;
        if (only && !only->first) {
            buffer_printf(text, "\"%s\": {}", only->key);
        } else if (branch->first) {
            buffer_printf(text, "\n");
            write_branches(text, branch, depth + 1);
            buffer_printf(text, "%*s", 2 * depth, "");
        }
        buffer_printf(text, "}%s\n", branch->next ? "," : "");
    }
}

/* Rules are by collective, by ranks and by size, without gaps; `version` has all their algorithms.
   Sizes that do not fit in an int are left out: the rule before goes on. */
static void write_tree(Buffer *text, const TuningRules *rules, const char *version)
{
    Branch tree = {0};
    Writer writer = {.arena = text->arena, .version = mpich_version(version)};
    for (writer.collective = 0; writer.collective < MPICH_COUNT; writer.collective++) {
        size_t first = 0;
        writer.leaves.count = 0;
        for (int i = 0; i < DEFAULT_COUNT; i++)
            if (defaults[i].collective == writer.collective && defaults[i].from <= writer.version &&
                defaults[i].to >= writer.version)
                *ARRAY_PUSH(text->arena, &writer.leaves) =
                    (Leaf){defaults[i].conditions, defaults[i].name};
        while (first < rules->count && rules->items[first].collective != writer.collective)
            first++;
        add_collective(&writer, &tree, rules, first);
    }
    buffer_printf(text, "{\n");
    write_branches(text, &tree, 1);
    buffer_printf(text, "}\n");
}

const TuningFormat tuning_format_mpich = {
    .library = "mpich",
    .collectives = mpich_collectives,
    .count = MPICH_BLOCKING,
    .what = "Choices",
    .otherwise = "elsewhere it has what MPICH chooses by itself",
    .comment = "//",
    .refuses = refuses,
    .loading =
        "# To be loaded with both of\n"
        "#   MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE\n"
        "#   MPIR_CVAR_DEVICE_COLLECTIVES=none\n"
        "# Without the second one the device splits collectives by nodes, and rules count for "
        "the parts.\n"
        "# Other versions may end the job in MPI_Init.\n",
    .read = mpich_read,
    .write = write_tree,
};
