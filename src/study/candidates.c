#include "study/followed.h"

#include "cost/derive_memo.h"
#include "study/composer.h"
#include "study/study.h"

#include <string.h>

static bool holds(const AlgorithmArray *algorithms, const Algorithm *algorithm)
{
    for (size_t i = 0; i < algorithms->count; i++)
        if (algorithms->items[i] == algorithm)
            return true;
    return false;
}

/* Those that are listed by name, which is without the collective, each once, in that order. */
static bool list_named(const Study *study, const NameList *list, const AlgorithmArray *all,
                       AlgorithmArray *named)
{
    for (size_t n = 0; n < list->names.count; n++) {
        Text name = list->names.items[n], collective;
        size_t i = 0;
        while (i < all->count && !text_equals(name, all->items[i]->head.name))
            i++;
        for (size_t other = 0; other < all->count && i == all->count; other++)
            i = head_is_called(&all->items[other]->head, name) ? other : i;
        if (i == all->count) {
            const char **names = ARENA_ARRAY(study->arena, const char *, all->count + 1);
            for (size_t other = 0; other < all->count; other++)
                names[other] = all->items[other]->head.name;
            diag_error(study->diag, name.span, "no such algorithm");
            text_split(name, '/', &collective, &name);
            return diag_suggest(study->diag, name, names, all->count);
        }
        if (!holds(named, all->items[i]))
            *ARRAY_PUSH(study->arena, named) = all->items[i];
    }
    return true;
}

/* What study->among and study->without leave. */
static bool keep_wanted(const Study *study, AlgorithmArray *algorithms)
{
    AlgorithmArray all = *algorithms, among = {0}, without = {0};
    if (study->among.is_given) {
        if (!list_named(study, &study->among, &all, &among))
            return false;
        *algorithms = among;
    }
    if (!study->without.is_given)
        return true;
    if (!list_named(study, &study->without, &all, &without))
        return false;
    AlgorithmArray left = {0};
    for (size_t i = 0; i < algorithms->count; i++)
        if (!holds(&without, algorithms->items[i]))
            *ARRAY_PUSH(study->arena, &left) = algorithms->items[i];
    *algorithms = left;
    if (left.count == 0)
        diag_error(study->diag, study->without.place, "this leaves no algorithm");
    return left.count > 0;
}

/* The models of what a library runs, in the order of its file, each once. */
static bool list_of_library(const Study *study, const Collective *collective,
                            const Network *network, AlgorithmArray *all)
{
    LibraryCall call;
    if (!study_call(study, collective, network->p, &network->shape,
                    study->size > 0 ? study->size : SIZE_OF_PARTS, &call))
        return false;
    const Implementation *library = study->implementation;
    const char *name = collective->head.name;
    size_t at = 0;
    bool has_any = false;
    const LibraryAlgorithm *one;
    while (
        (one = implementation_next_for(library, study->version, name, study_blocks(study), &at))) {
        has_any = true;
        if (!one->model.length || !(!study->variant || strcmp(one->variant, study->variant) == 0) ||
            one->place == PLACE_STAGE ||
            (one->place == PLACE_SEVERAL_NODES &&
             (study->variant || library_algorithm_lacks(one, call.p, call.nodes))))
            continue;
        const Algorithm *algorithm = subject_of_library(study, one, &call);
        if (!algorithm)
            return false;
        if (!holds(all, algorithm))
            *ARRAY_PUSH(study->arena, all) = algorithm;
    }
    if (all->count == 0 && !has_any && study->weights.text.length)
        diag_error(study->diag, study->weights.text.span,
                   "%s@%s has no algorithm of %s for unequal blocks", library->head.name,
                   study->version, name);
    else if (all->count == 0 && !has_any)
        implementation_refuse(library, study->version, name, study->diag);
    else if (all->count == 0)
        diag_error(study->diag, NOWHERE, "there is no model of an algorithm of %s of %s@%s", name,
                   library->head.name, study->version);
    return all->count > 0;
}

/* All of the library, with the study's parts; they keep the names that lists of names know. Models
   that copy a library are known by name. */
static bool list_all(const Study *study, const Collective *collective, const Network *network,
                     AlgorithmArray *all)
{
    if (study->implementation)
        return list_of_library(study, collective, network, all) && parts_check(study, all);
    if (!library_algorithms(study->library, collective, all, study->diag))
        return false;
    const Text owner = source_argument(study->arena, "collective", collective->head.name);
    for (size_t i = 0; i < study->among.names.count; i++) {
        const ModelEntry *entry =
            library_try_algorithm_of(study->library, owner, study->among.names.items[i]);
        const Algorithm *algorithm =
            entry ? library_load(study->library, entry, study->diag) : NULL;
        if (entry && !algorithm)
            return false;
        if (algorithm && *algorithm->library && !holds(all, algorithm))
            *ARRAY_PUSH(study->arena, all) = algorithm;
    }
    return parts_check(study, all);
}

/* Why the library does not run it: it runs another one on so many ranks, or there are no nodes such
   as it runs on, or no switches that multicast and combine. NULL: it does. */
static const char *find_obstacle(const Study *study, const Algorithm *algorithm,
                                 const Network *network)
{
    const LibraryAlgorithm *one = study_library_algorithm(study, algorithm);
    const LibraryCall call = {
        .p = network->p, .m = LARGEST_SIZE, .buffer = LARGEST_SIZE, .segment = 1};
    if (!one)
        return NULL;
    if (implementation_runs(study->implementation, study->version, one, &call, study->diag) != one)
        return arena_printf(
            study->arena, "%s runs %s in its place for p = %lld", study->implementation->head.name,
            strcmp(one->fallback, "chosen") == 0 ? "what it chooses" : one->fallback,
            (long long)network->p);
    const char *lacks = library_algorithm_lacks(one, network->p, shape_node_count(&network->shape));
    if (lacks || !*one->switches)
        return lacks;
    const Rules *rules = &study->rules;
    bool does = false;
    for (int i = 0; i < rules->level_count; i++)
        does |= text_equals(rules->levels[i].name, one->switches) &&
                rules->levels[i].merges[MERGING_MULTICASTS] &&
                rules->levels[i].merges[MERGING_COMBINES] &&
                network_has_level(network, rules->levels[i].name);
    return does ? NULL
                : arena_printf(study->arena,
                               "switches of level %s that multicast and combine are needed",
                               one->switches);
}

bool candidates_list(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, AlgorithmArray *algorithms, LeftOutArray *left_out)
{
    AlgorithmArray all = {0};
    if (only)
        *ARRAY_PUSH(study->arena, &all) = only;
    else if (!list_all(study, collective, network, &all))
        return false;
    if (!keep_wanted(study, &all))
        return false;
    const bool named = only || study->among.is_given;
    for (size_t i = 0; i < all.count; i++) {
        const Algorithm *algorithm = only ? only : parts_apply(study, all.items[i]);
        Refusal refusal;
        bool allowed = schedule_allows(algorithm, &network->shape,
                                       rules_ports(&study->rules, network), &refusal, study->diag);
        if (!allowed && refusal.is_reported)
            return false;
        if (named && !allowed && !study->skips_refused)
            return diag_error(study->diag, refusal.algorithm ? NOWHERE : refusal.dimension.span,
                              "%s", schedule_explain(study->arena, &refusal));
        const char *obstacle = allowed && !only ? find_obstacle(study, algorithm, network) : NULL;
        bool is_candidate = allowed && !obstacle && (named || !algorithm->expect_wrong);
        if (is_candidate)
            *ARRAY_PUSH(study->arena, algorithms) = algorithm;
        else if (left_out)
            *ARRAY_PUSH(study->arena, left_out) =
                (LeftOut){.algorithm = algorithm,
                          .reason = obstacle  ? obstacle
                                    : allowed ? "it is kept to show that it is wrong"
                                              : schedule_explain(study->arena, &refusal)};
    }
    return algorithms->count > 0 || study->skips_refused ||
           diag_error(study->diag, NOWHERE, "no algorithm for %s runs for p = %lld",
                      collective->head.name, (long long)network->p);
}

bool candidates_open(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates)
{
    AlgorithmArray all = {0}, composed = {0};
    const bool named = only || study->among.is_given;
    const Candidates *former =
        candidates->memo ? ARENA_COPY(study->arena, Candidates, candidates, 1) : NULL;
    PortStepMemo *memo =
        former ? former->memo : memo_create(study->curves ? study->curves : study->arena);
    const Rules *rules = &study->rules;
    *candidates = (Candidates){.network = network, .memo = memo, .former = former};
    if (rules->contention == CONTENTION_SHARED && !sharing_is_possible(rules, study->diag))
        return false;
    if (!candidates_list(study, collective, only, network, &all, &candidates->left_out) ||
        !followed_add(study, &all, named, study->defers && !named, candidates))
        return false;
    if (all.count > 0 && candidates->algorithms.count == 0)
        return diag_error(study->diag, NOWHERE, "there is no algorithm left");
    study_note(study, "compose", !named && !study->implementation);
    if (named || study->implementation)
        return true;
    /* those that win beside few algorithms are all that win beside many, and more */
    const size_t first = candidates->algorithms.count;
    const bool are_few = candidates->put_off > 0;
    if (!compositions_find(study, collective, candidates, &composed) ||
        !followed_add(study, &composed, false, false, candidates))
        return false;
    /* beside what is cut into segments not all sizes can be looked at: all that were found stay */
    const bool can_drop = are_few && study->chosen.segment <= 0;
    candidates->unproven = can_drop ? candidates->algorithms.count - first : 0;
    return true;
}
