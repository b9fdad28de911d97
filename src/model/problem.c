#include "model/problem.h"

static bool same_name(const BlockSet *a, int x, const BlockSet *b, int y)
{
    return text_same(a->indices[x]->text, b->indices[y]->text);
}

static bool find_roles(const BlockSet sets[PROBLEM_ARRAYS], Problem *problem, Diag *diag)
{
    int seen = 0;
    bool are_names = true;
    for (int s = 0; s < PROBLEM_ARRAYS; s++) {
        const Text name = sets[s].name;
        int array = 0;
        while (array < PROBLEM_ARRAYS && !text_equals(name, problem->arrays[array].name))
            array++;
        if (array == PROBLEM_ARRAYS)
            return diag_error(diag, name.span, "unknown array '%.*s'", TEXT_ARGS(name));
        const int dimensions = problem->arrays[array].dimensions;
        if (dimensions != sets[s].index_count)
            return diag_error(diag, name.span, "'%.*s' has %s", TEXT_ARGS(name),
                              dimensions == 1 ? "one dimension" : "two dimensions");
        for (int x = 0; x < sets[s].index_count; x++)
            are_names &= sets[s].indices[x]->kind == EXPR_VARIABLE;
        problem->roles[s] = array;
        seen |= 1 << array;
    }
    /* The indices must be those of a product of matrices: (i, j) += (i, k) * (k, j), without j
       where the right one is a vector. */
    const BlockSet *left = &sets[ARRAY_LEFT], *right = &sets[ARRAY_RIGHT];
    const BlockSet *result = &sets[ARRAY_RESULT];
    const bool is_product = are_names && left->index_count == 2 &&
                            right->index_count == result->index_count &&
                            same_name(left, 0, result, 0) && same_name(left, 1, right, 0) &&
                            !same_name(left, 0, left, 1) &&
                            (right->index_count == 1 ||
                             (same_name(right, 1, result, 1) && !same_name(right, 1, left, 0) &&
                              !same_name(right, 1, left, 1)));
    return (seen == (1 << PROBLEM_ARRAYS) - 1 && is_product) ||
           diag_error(diag, sets[0].text.span,
                      "a problem is a product of its arrays: C(i, j) += A(i, k) * B(k, j), or "
                      "w(i) += A(i, j) * v(j)");
}

Problem *problem_read(const Resolver *resolver, const Node *map)
{
    Arena *arena = resolver->arena;
    Diag *diag = resolver->diag;
    Scope scope = scope_of_whole(arena, &(const char *){"n"}, 1, -1);
    const FormulaMap in = {arena, NULL, &scope, diag};
    static const char *const keys[] = {"problem", "also", "summary", "source", "arrays", "compute"};
    Problem *problem = ARENA_NEW(arena, Problem);
    Collective *collective = &problem->collective;
    const Node *compute = node_get(map, "compute"), *arrays = node_get(map, "arrays");
    BlockSet sets[PROBLEM_ARRAYS];
    if (!node_check_keys(map, "a problem", keys, COUNT_OF(keys), diag) ||
        !read_head(arena, map, "problem", &problem->head, diag))
        return NULL;
    if (!arrays || arrays->kind != NODE_MAP || arrays->count != PROBLEM_ARRAYS)
        return DIAG_NULL(
            diag, arrays ? arrays->text.span : problem->head.span,
            "a problem needs 'arrays', a map of three with their sizes: [n, n] or [n]");
    for (size_t a = 0; a < PROBLEM_ARRAYS; a++) {
        /* A: [n, n] */
        const Node *key = arrays->keys[a], *list = arrays->values[a];
        ProblemArray *array = &problem->arrays[a];
        Signature signature;
        if (!parse_signature(arena, key->text, &signature, diag))
            return NULL;
        array->name = node_string(arena, key);
        array->dimensions = (int)node_item_count(list);
        if (signature.parameter_count || array->dimensions < 1 || array->dimensions > 2)
            return DIAG_NULL(diag, key->text.span,
                             "an array has a name and a list of one or two sizes");
        for (int x = 0; x < array->dimensions; x++) {
            const Node *size = node_item(list, (size_t)x);
            if (!node_is_scalar(size, "a size", diag) ||
                !read_expression(in, size->text, TYPE_INT, DIMENSION_NONE, &array->sizes[x]))
                return NULL;
        }
    }
    if (!compute)
        return DIAG_NULL(diag, problem->head.span, "a problem needs 'compute'");
    if (!node_is_scalar(compute, "the value of 'compute'", diag) ||
        !parse_product(arena, compute->text, sets, diag) || !find_roles(sets, problem, diag))
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
