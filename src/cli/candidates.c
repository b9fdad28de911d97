#include "cli/candidates.h"

#include "base/watch.h"
#include "cli/using.h"

/* The place of a name, which is without the collective, among all algorithms; their number after a
   report. */
static size_t find_named(const Query *query, const AlgorithmArray *all, Text name)
{
    const char **names = ARENA_ARRAY(query->arena, const char *, all->count + 1);
    for (size_t i = 0; i < all->count; i++) {
        names[i] = all->items[i]->head.name;
        if (text_equals(name, names[i]))
            return i;
    }
    Text collective;
    diag_error(query->diag, name.span, "there is no such algorithm here");
    query_split(name, '/', &collective, &name);
    diag_suggest(query->diag, name, names, all->count);
    return all->count;
}

static bool holds(const AlgorithmArray *algorithms, const Algorithm *algorithm)
{
    for (size_t i = 0; i < algorithms->count; i++)
        if (algorithms->items[i] == algorithm)
            return true;
    return false;
}

/* Those that an option lists by name, each once, in its order. */
static bool list_named(const Query *query, OptionId option, const AlgorithmArray *all,
                       AlgorithmArray *named)
{
    Text name, rest = option_value(query->line, option);
    for (bool more = true; more;) {
        more = query_split(rest, ',', &name, &rest);
        size_t i = find_named(query, all, more ? name : rest);
        if (i == all->count)
            return false;
        if (!holds(named, all->items[i]))
            *ARRAY_PUSH(query->arena, named) = all->items[i];
    }
    return true;
}

/* What --among and --without leave. */
static bool keep_wanted(const Query *query, AlgorithmArray *algorithms)
{
    AlgorithmArray all = *algorithms, among = {0}, without = {0};
    if (option_given(query->line, OPTION_AMONG)) {
        if (!list_named(query, OPTION_AMONG, &all, &among))
            return false;
        *algorithms = among;
    }
    if (!option_given(query->line, OPTION_WITHOUT))
        return true;
    if (!list_named(query, OPTION_WITHOUT, &all, &without))
        return false;
    AlgorithmArray left = {0};
    for (size_t i = 0; i < algorithms->count; i++)
        if (!holds(&without, algorithms->items[i]))
            *ARRAY_PUSH(query->arena, &left) = algorithms->items[i];
    *algorithms = left;
    if (left.count == 0)
        diag_error(query->diag, option_value(query->line, OPTION_WITHOUT).span,
                   "this leaves no algorithm");
    return left.count > 0;
}

/* All of the library, with the parts of --using; they keep the names that --among knows. */
static bool list_all(const Query *query, const Collective *collective, AlgorithmArray *all)
{
    return library_algorithms(query->library, collective, all, query->diag) &&
           using_check(query, all);
}

static bool is_named(const Query *query, const Algorithm *only)
{
    return only || option_given(query->line, OPTION_AMONG);
}

bool candidates_list(const Query *query, const Collective *collective, const Algorithm *only,
                     const Network *network, AlgorithmArray *algorithms)
{
    AlgorithmArray all = {0};
    if (only)
        *ARRAY_PUSH(query->arena, &all) = only;
    else if (!list_all(query, collective, &all))
        return false;
    if (!keep_wanted(query, &all))
        return false;
    bool named = is_named(query, only);
    for (size_t i = 0; i < all.count; i++) {
        const Algorithm *algorithm = only ? only : using_apply(query, all.items[i]);
        Refusal refusal;
        bool allowed = schedule_allows(algorithm, &network->shape,
                                       rules_ports(&query->rules, network), &refusal, query->diag);
        bool is_missed = named && !allowed && !query->skips_refused;
        if (is_missed)
            diag_error(query->diag, refusal.algorithm ? NOWHERE : refusal.dimension.span, "%s",
                       schedule_explain(query->arena, &refusal));
        if (is_missed)
            return false;
        if (allowed && (named || !algorithm->expect_wrong))
            *ARRAY_PUSH(query->arena, algorithms) = algorithm;
    }
    bool is_fine = algorithms->count > 0 || query->skips_refused;
    if (!is_fine)
        diag_error(query->diag, NOWHERE, "no algorithm for %s runs on %lld ranks",
                   collective->head.name, (long long)network->p);
    return is_fine;
}

/* Can the curve answer at all? Small messages are cut least, and ask for the shortest schedule. */
static bool probe(Curve *curve, Diag *diag)
{
    CurvePoint point;
    return curve_at(curve, 1, 1, &point, diag);
}

/* Is it kept? A fault that is none of size is reported, and *good is false. */
static bool try_one(const Query *query, const Algorithm *algorithm, bool named, Curve *curve,
                    bool *good)
{
    Diag silent = diag_silent();
    if (probe(curve, &silent))
        return true;
    if (!named && silent.limit_count == silent.error_count) {
        diag_warning(query->diag, NOWHERE, "%s is left out: it is too large to be followed here",
                     algorithm_full_name(query->arena, algorithm));
        return false;
    }
    *good = probe(curve, query->diag);
    return *good;
}

bool candidates_open(const Query *query, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates)
{
    AlgorithmArray all = {0};
    bool good = true;
    *candidates = (Candidates){0};
    if (!candidates_list(query, collective, only, network, &all))
        return false;
    candidates->curves = ARENA_ARRAY(query->arena, Curve *, all.count);
    for (size_t i = 0; i < all.count && good; i++) {
        const Algorithm *algorithm = all.items[i];
        watch_step(query->arena, algorithm_full_name(query->arena, algorithm), (int64_t)i,
                   (int64_t)all.count);
        Curve *curve =
            curve_create(query->curves ? query->curves : query->arena, algorithm, network,
                         query->root, query->target, &query->rules, query->k, query->diag);
        if (!curve)
            return false;
        if (!try_one(query, algorithm, is_named(query, only), curve, &good))
            continue;
        candidates->curves[candidates->algorithms.count] = curve;
        *ARRAY_PUSH(query->arena, &candidates->algorithms) = algorithm;
    }
    bool are_none = all.count > 0 && candidates->algorithms.count == 0;
    if (good && are_none)
        diag_error(query->diag, NOWHERE, "all algorithms are too large to be followed here");
    return good && !are_none;
}
