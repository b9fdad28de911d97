#include "model/problem.h"

/* "A(i, j)": an array by its name; -1: there is none. */
static int find_array(const Problem *problem, Text name)
{
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        if (text_equals(name, problem->arrays[a].name))
            return a;
    return -1;
}

/* A: [n, n] */
static bool read_array(Arena *arena, const Node *key, const Node *sizes, ProblemArray *array,
                       Diag *diag)
{
    Signature signature;
    Scope scope = scope_of_whole(arena, &(const char *){"n"}, 1, -1);
    if (!parse_signature(arena, key->text, &signature, diag))
        return false;
    array->name = node_string(arena, key);
    array->dimensions = (int)node_item_count(sizes);
    if (signature.parameter_count || array->dimensions < 1 || array->dimensions > 2)
        return diag_error(diag, key->text.span,
                          "an array has a name and a list of one or two sizes");
    for (int x = 0; x < array->dimensions; x++) {
        const Node *size = node_item(sizes, (size_t)x);
        if (!node_is_scalar(size, "a size", diag) ||
            !read_expression(arena, size->text, &scope, TYPE_INT, DIMENSION_NONE, &array->sizes[x],
                             diag))
            return false;
    }
    return true;
}

static bool read_arrays(Arena *arena, const Node *node, Problem *problem, Diag *diag)
{
    if (!node || node->kind != NODE_MAP || node->count != PROBLEM_ARRAYS)
        return diag_error(
            diag, node ? node->text.span : problem->head.span,
            "a problem needs 'arrays', a map of three with their sizes: [n, n] or [n]");
    for (size_t a = 0; a < PROBLEM_ARRAYS; a++)
        if (!read_array(arena, node->keys[a], node->values[a], &problem->arrays[a], diag))
            return false;
    return true;
}

static bool same_name(const BlockSet *a, int x, const BlockSet *b, int y)
{
    return text_same(a->indices[x]->text, b->indices[y]->text);
}

/* The indices must be those of a product of matrices: (i, j) += (i, k) * (k, j), without j where
   the right one is a vector. */
static bool is_product(const BlockSet sets[PROBLEM_ARRAYS])
{
    const BlockSet *left = &sets[ARRAY_LEFT], *right = &sets[ARRAY_RIGHT];
    const BlockSet *result = &sets[ARRAY_RESULT];
    for (int s = 0; s < PROBLEM_ARRAYS; s++)
        for (int x = 0; x < sets[s].index_count; x++)
            if (sets[s].indices[x]->kind != EXPR_VARIABLE)
                return false;
    return left->index_count == 2 && right->index_count == result->index_count &&
           same_name(left, 0, result, 0) && same_name(left, 1, right, 0) &&
           !same_name(left, 0, left, 1) &&
           (right->index_count == 1 ||
            (same_name(right, 1, result, 1) && !same_name(right, 1, left, 0) &&
             !same_name(right, 1, left, 1)));
}

static bool find_roles(const BlockSet sets[PROBLEM_ARRAYS], Problem *problem, Diag *diag)
{
    int seen = 0;
    for (int s = 0; s < PROBLEM_ARRAYS; s++) {
        problem->roles[s] = find_array(problem, sets[s].name);
        if (problem->roles[s] < 0)
            return diag_error(diag, sets[s].name.span, "unknown array '%.*s'",
                              TEXT_ARGS(sets[s].name));
        if (problem->arrays[problem->roles[s]].dimensions != sets[s].index_count) {
            bool is_vector = problem->arrays[problem->roles[s]].dimensions == 1;
            return diag_error(diag, sets[s].name.span, "'%.*s' has %s", TEXT_ARGS(sets[s].name),
                              is_vector ? "one dimension" : "two dimensions");
        }
        seen |= 1 << problem->roles[s];
    }
    if (seen != (1 << PROBLEM_ARRAYS) - 1 || !is_product(sets))
        diag_error(diag, sets[0].text.span,
                   "a problem is a product of its arrays: C(i, j) += A(i, k) * B(k, j), or "
                   "w(i) += A(i, j) * v(j)");
    return seen == (1 << PROBLEM_ARRAYS) - 1 && is_product(sets);
}

Problem *problem_read(const Resolver *resolver, const Node *map)
{
    Diag *diag = resolver->diag;
    static const char *const keys[] = {"problem", "also", "summary", "source", "arrays", "compute"};
    Problem *problem = ARENA_NEW(resolver->arena, Problem);
    Collective *collective = &problem->collective;
    const Node *compute = node_get(map, "compute");
    BlockSet sets[PROBLEM_ARRAYS];
    if (!node_check_keys(map, "a problem", keys, COUNT_OF(keys), diag) ||
        !read_head(resolver->arena, map, "problem", &problem->head, diag) ||
        !read_arrays(resolver->arena, node_get(map, "arrays"), problem, diag))
        return NULL;
    if (!compute)
        return DIAG_NULL(diag, problem->head.span, "a problem needs 'compute'");
    if (!node_is_scalar(compute, "the value of 'compute'", diag) ||
        !parse_product(resolver->arena, compute->text, sets, diag) ||
        !find_roles(sets, problem, diag))
        return NULL;
    collective->head = problem->head;
    collective->problem = problem;
    return origin_cite_head(resolver, map, &collective->citation) ? problem : NULL;
}

/* The first size that has no value or is out of range; NULL: there is none. */
static const Formula *find_unfit(const Problem *problem, int array, int64_t n, int64_t sizes[2])
{
    const void *slots[MOST_SLOTS] = {&n};
    sizes[1] = 1;
    for (int x = 0; x < problem->arrays[array].dimensions; x++) {
        const Formula *size = &problem->arrays[array].sizes[x];
        if (!program_try(size->program, slots, 1, &sizes[x]) || sizes[x] < 1 ||
            sizes[x] > LARGEST_ORDER)
            return size;
    }
    return NULL;
}

bool problem_try_sizes(const Problem *problem, int array, int64_t n, int64_t sizes[2])
{
    return !find_unfit(problem, array, n, sizes);
}

bool problem_sizes(const Problem *problem, int array, int64_t n, int64_t sizes[2], Diag *diag)
{
    int64_t size;
    const void *slots[MOST_SLOTS] = {&n};
    const Formula *unfit = find_unfit(problem, array, n, sizes);
    if (unfit && program_run_int(unfit->program, slots, &size, diag))
        diag_limit(diag, unfit->text.span, "for n = %lld this is %lld; it must be among 1 .. %d",
                   (long long)n, (long long)size, LARGEST_ORDER);
    return !unfit;
}

bool problem_try_work(const Problem *problem, int64_t n, double *work)
{
    int64_t left[2], right[2];
    if (!problem_try_sizes(problem, problem->roles[ARRAY_LEFT], n, left) ||
        !problem_try_sizes(problem, problem->roles[ARRAY_RIGHT], n, right))
        return false;
    *work = (double)left[0] * (double)left[1] * (double)right[1];
    return true;
}

bool problem_work(const Problem *problem, int64_t n, double *work, Diag *diag)
{
    int64_t sizes[2];
    return problem_sizes(problem, problem->roles[ARRAY_LEFT], n, sizes, diag) &&
           problem_sizes(problem, problem->roles[ARRAY_RIGHT], n, sizes, diag) &&
           problem_try_work(problem, n, work);
}
