/* Refuted claims in a second way: for each the place where it fails, what it says there and what
   is true, counted by hand (refuted_counts.h). A refutation without one fails the test. */
#include "claims/verdicts.h"

#include "refuted_counts.h"
#include "unit.h"

#include <string.h>

enum { LARGEST_P = 64 };

#define DERIVED "derived"
#define LIMIT "the derived limit is"
#define BOUND "the bound is"
#define FOUND "found"

typedef struct {
    const char *model, *source;
    Case at;
    const char *found_by;
    Count *count;
} Refutation;

static const Refutation refutations[] = {
#define REFUTED(found_by, counted, model, source, ...)                                             \
    {model, source, {__VA_ARGS__}, found_by, count_##counted},
#include "refuted.def"
#undef REFUTED
};
enum { REFUTATIONS = sizeof refutations / sizeof *refutations };

/* A refuted claim of the library, as verdicts have it. */
typedef struct {
    const char *model, *source, *counterexample;
} Refuted;
ARRAY_TYPE(RefutedArray, Refuted);

static VerdictSubject subject_of(const ModelEntry *entry, const void *model)
{
    return (VerdictSubject){.algorithm = entry->kind == KIND_ALGORITHM ? model : NULL,
                            .collective = entry->kind == KIND_COLLECTIVE ? model : NULL,
                            .topology = entry->kind == KIND_TOPOLOGY ? model : NULL};
}

static bool has_claims(const ModelEntry *entry)
{
    return entry->kind == KIND_ALGORITHM || entry->kind == KIND_COLLECTIVE ||
           entry->kind == KIND_TOPOLOGY;
}

/* Those that are recorded as refuted; that the record is right is what `verify` checks. */
static ClaimList recorded_of(Fixture *fixture, const VerdictSubject *subject)
{
    const ClaimList *claims = verdict_claims(subject);
    ClaimList refuted = {ARENA_ARRAY(fixture->arena, Claim, claims->count + 1), 0};
    for (size_t i = 0; i < claims->count; i++)
        if (claims->items[i].recorded_refuted)
            refuted.items[refuted.count++] = claims->items[i];
    return refuted;
}

static void add_refuted(Fixture *fixture, const ModelEntry *entry, RefutedArray *all)
{
    const void *model = library_load(fixture->library, entry, &fixture->diag);
    assert_no_error(fixture);
    VerdictSubject subject = subject_of(entry, model);
    ClaimList claims = recorded_of(fixture, &subject);
    Verdict *verdicts = ARENA_ARRAY(fixture->arena, Verdict, claims.count + 1);
    VerdictGrid grid = verdict_grid_up_to(LARGEST_P);
    const VerdictQuestion asked = {fixture->arena, fixture->library, subject, &grid,
                                   &fixture->diag};
    if (claims.count == 0)
        return;
    ck_assert(verdicts_find(&asked, &claims, verdicts));
    for (size_t i = 0; i < claims.count; i++)
        *ARRAY_PUSH(fixture->arena, all) =
            (Refuted){entry->name, claims.items[i].source,
                      verdicts[i].holds ? "it holds" : verdicts[i].counterexample};
}

static RefutedArray refuted_of_library(Fixture *fixture)
{
    RefutedArray all = {0};
    for (size_t i = 0; i < library_entry_count(fixture->library); i++)
        if (has_claims(library_entry(fixture->library, i)))
            add_refuted(fixture, library_entry(fixture->library, i), &all);
    ck_assert_uint_gt(all.count, 0);
    return all;
}

static const char *show_place(Arena *arena, Case at)
{
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"root", at.root}, {"target", at.target}, {"k", at.k}, {"n", at.n}, {"d", at.d}};
    const char *text = strchr(at.on, ':') ? at.on : arena_printf(arena, "%s, p = %d", at.on, at.p);
    for (int i = 0; i < 5; i++)
        if (numbers[i].value)
            text = arena_printf(arena, "%s, %s = %d", text, numbers[i].name, numbers[i].value);
    return at.stored ? arena_printf(arena, "%s, store-and-forward", text) : text;
}

/* The counterexample as it was counted by hand. */
static const char *counted(Arena *arena, const Refutation *refutation)
{
    Counts counts = refutation->count(arena, refutation->at);
    return arena_printf(arena, "%s: claimed %s, %s %s", show_place(arena, refutation->at),
                        counts.claimed, refutation->found_by, counts.found);
}

static bool is_about(const Refutation *refutation, const Refuted *refuted)
{
    return strcmp(refutation->model, refuted->model) == 0 &&
           strcmp(refutation->source, refuted->source) == 0;
}

/* Two claims can have one source: then each has its entry. */
static bool agrees(Arena *arena, const Refutation *refutation, const Refuted *refuted)
{
    return is_about(refutation, refuted) &&
           strcmp(counted(arena, refutation), refuted->counterexample) == 0;
}

/* What was counted for claims of that source, if none of it agrees; NULL where one does. */
static const char *find_disagreement(Arena *arena, const Refuted *refuted)
{
    const char *counts = "";
    for (size_t j = 0; j < REFUTATIONS; j++) {
        if (agrees(arena, &refutations[j], refuted))
            return NULL;
        if (is_about(&refutations[j], refuted))
            counts =
                arena_printf(arena, "%s\n    counted: %s", counts, counted(arena, &refutations[j]));
    }
    return arena_printf(arena, "\n%s, %s\n    verdict: %s%s", refuted->model, refuted->source,
                        refuted->counterexample, counts);
}

START_TEST(every_refuted_claim_is_counted)
{
    Fixture *fixture = fixture_open();
    RefutedArray all = refuted_of_library(fixture);
    const char *missing = "";
    for (size_t i = 0; i < all.count; i++) {
        const char *disagreement = find_disagreement(fixture->arena, &all.items[i]);
        if (disagreement)
            missing = arena_printf(fixture->arena, "%s%s", missing, disagreement);
    }
    ck_assert_msg(!*missing, "not in refuted.def, or otherwise:%s", missing);
    fixture_close(fixture);
}
END_TEST

START_TEST(every_count_is_of_a_refuted_claim)
{
    Fixture *fixture = fixture_open();
    RefutedArray all = refuted_of_library(fixture);
    for (size_t j = 0; j < REFUTATIONS; j++) {
        bool found = false;
        for (size_t i = 0; i < all.count && !found; i++)
            found = agrees(fixture->arena, &refutations[j], &all.items[i]);
        ck_assert_msg(found, "%s, %s: no verdict is '%s'", refutations[j].model,
                      refutations[j].source, counted(fixture->arena, &refutations[j]));
    }
    ck_assert_uint_eq(all.count, REFUTATIONS); /* where two have the same text, too */
    fixture_close(fixture);
}
END_TEST

Suite *refuted_suite(void)
{
    Suite *suite = suite_create("refuted");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, every_refuted_claim_is_counted);
    tcase_add_test(tests, every_count_is_of_a_refuted_claim);
    suite_add_tcase(suite, tests);
    return suite;
}
