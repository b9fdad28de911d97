#include "exchange/tuning_planned.h"

#include <math.h>
#include <string.h>

/* Notes the library's algorithms for a collective that no model stands for. False: there are no
   others. */
static bool note_unmodelled(const Study *study, const TunedCollective *tuned, PlanNotes *notes)
{
    const LibraryAlgorithm *one;
    size_t at = 0;
    bool any = false;
    while ((
        one = implementation_next(study->implementation, study->version, tuned->collective, &at))) {
        if (strcmp(one->variant, tuned->variant) != 0)
            continue;
        any |= one->model.length > 0;
        if (!one->model.length)
            *ARRAY_PUSH(study->arena, notes) =
                (PlanNote){tuned->name, one->name, 0, one->note, false};
    }
    return any;
}

/* Notes numbers of ranks of the rows for a collective that no network has. */
static void note_other_ranks(Arena *arena, const PlanQuestion *question,
                             const TunedCollective *tuned, PlanNotes *notes)
{
    const MeasurementArray *rows = question->measured.rows;
    int64_t noted = 0;
    for (size_t i = 0; rows && i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        bool is_asked = strcmp(row->collective, tuned->collective) != 0 || row->p == noted;
        for (size_t s = 0; s < question->count; s++)
            is_asked |= question->shapes[s].p == row->p;
        if (is_asked)
            continue;
        noted = row->p;
        *ARRAY_PUSH(arena, notes) =
            (PlanNote){tuned->name, NULL, row->p,
                       "measured, but the question is about other numbers of ranks", false};
    }
}

/* Drops notes, from number `first` on, about algorithms that have a rule all the same: by a log,
   which needs no model. O(notes x rules). */
static void drop_notes(const PlannedRules *rules, size_t first, PlanNotes *notes)
{
    size_t kept = first;
    for (size_t i = first; i < notes->count; i++) {
        const PlanNote *note = &notes->items[i];
        bool is_named = false;
        for (size_t r = 0; r < rules->count && note->p == 0 && note->algorithm; r++)
            is_named |= rules->items[r].algorithm &&
                        strcmp(rules->items[r].algorithm->name, note->algorithm) == 0;
        if (!is_named)
            notes->items[kept++] = *note;
    }
    notes->count = kept;
}

/* Appends the rules of one collective; neighbouring numbers of ranks with the same rules are one.
 */
static void join_ranks(Arena *arena, const PlannedRules *found, PlannedRules *rules)
{
    size_t last = 0, last_count = 0; /* the rules of the numbers before, among `rules` */
    for (size_t from = 0, count; from < found->count; from += count) {
        const PlannedRule *first = &found->items[from]; /* of those for the same numbers of ranks */
        count = 1;
        while (from + count < found->count &&
               first[count].rule.from_ranks == first->rule.from_ranks)
            count++;
        bool same = count == last_count;
        for (size_t i = 0; i < count && same; i++) {
            const TuningRule *a = &rules->items[last + i].rule, *b = &first[i].rule;
            same = a->from_size == b->from_size && a->algorithm == b->algorithm &&
                   a->runs == b->runs && a->fanout == b->fanout && a->segment == b->segment &&
                   a->protocol == b->protocol;
        }
        for (size_t i = 0; i < last_count && same; i++) {
            PlannedRule *kept = &rules->items[last + i];
            kept->rule.below_ranks = first->rule.below_ranks;
            kept->gain = fmax(kept->gain, first[i].gain);
            kept->is_measured |= first[i].is_measured;
            kept->is_modelled |= first[i].is_modelled;
        }
        if (same)
            continue;
        last = rules->count;
        last_count = count;
        for (size_t i = 0; i < count; i++)
            *ARRAY_PUSH(arena, rules) = first[i];
    }
}

/* Appends those that name an algorithm, each for one number of ranks, then those of the largest for
   all others. */
static void single_ranks(Arena *arena, int64_t largest, const PlannedRules *found,
                         PlannedRules *rules)
{
    for (size_t i = 0; i < found->count; i++) {
        const PlannedRule *one = &found->items[i];
        if (!one->algorithm)
            continue;
        PlannedRule *rule = ARRAY_PUSH(arena, rules);
        *rule = *one;
        rule->rule.below_ranks = one->rule.from_ranks + 1;
    }
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].algorithm && found->items[i].rule.from_ranks == largest) {
            PlannedRule *rule = ARRAY_PUSH(arena, rules);
            *rule = found->items[i];
            rule->rule.from_ranks = 0;
            rule->rule.below_ranks = INT64_MAX;
            rule->is_measured = rule->is_modelled = false;
        }
}

/* The library's own choice for numbers of ranks that were not asked about. */
static PlannedRule own_rule(int collective, int64_t from, int64_t below)
{
    return (PlannedRule){.rule = {.collective = collective,
                                  .from_ranks = from,
                                  .below_ranks = below,
                                  .below_size = INT64_MAX},
                         .seconds = NAN,
                         .own_seconds = NAN};
}

bool tuning_plan(const Study *study, const PlanQuestion *question, int collective, TuningPlan *plan)
{
    const TunedCollective *tuned = &question->format->collectives[collective];
    Study asked = *study;
    TuningPlan found = {.notes = plan->notes};
    const size_t first_note = plan->notes.count;
    const Collective *model = library_collective(
        study->library, source_argument(study->arena, "collective", tuned->collective),
        study->diag);
    asked.skips_refused = true;
    /* rules with protocols are for nodes, too, and name also what runs on several only */
    asked.variant = question->format->protocols ? NULL : tuned->variant;
    asked.compose = COMPOSE_NONE;
    if (!model)
        return false;
    if (!note_unmodelled(study, tuned, &found.notes)) {
        plan->notes = found.notes;
        return true;
    }
    bool any = false, own_is_known = false;
    if (question->shapes[0].p > 1)
        *ARRAY_PUSH(study->arena, &found.rules) = own_rule(collective, 1, question->shapes[0].p);
    for (size_t i = 0; i < question->count; i++) {
        const size_t first = found.rules.count;
        const int64_t p = question->shapes[i].p;
        if (!tuning_network(&asked, question, i, collective, model, &found))
            return false;
        for (size_t r = first; r < found.rules.count; r++) {
            found.rules.items[r].rule.below_ranks = p + 1;
            any |= tuning_names_algorithm(&found.rules.items[r].rule);
            own_is_known |= !isnan(found.rules.items[r].own_seconds);
        }
        const int64_t next = i + 1 < question->count ? question->shapes[i + 1].p : INT64_MAX;
        if (next > p + 1)
            *ARRAY_PUSH(study->arena, &found.rules) = own_rule(collective, p + 1, next);
    }
    note_other_ranks(study->arena, question, tuned, &found.notes);
    drop_notes(&found.rules, first_note, &found.notes);
    plan->notes = found.notes;
    plan->is_measured |= found.is_measured;
    if (any && question->format->protocols)
        single_ranks(study->arena, question->shapes[question->count - 1].p, &found.rules,
                     &plan->rules);
    else if (any)
        join_ranks(study->arena, &found.rules, &plan->rules);
    else
        *ARRAY_PUSH(study->arena, &plan->notes) = (PlanNote){
            tuned->name, NULL, 0,
            own_is_known ? "no rule gains enough: the library chooses by itself"
                         : "what the library chooses by itself is not known, so that no gain is",
            false};
    return true;
}
