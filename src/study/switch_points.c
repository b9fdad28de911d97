#include "study/case.h"

#include <math.h>
#include <string.h>

static ChoiceAxis axis_of(const Case *opened, double from, double to)
{
    const Candidates *candidates = &opened->candidates;
    return (ChoiceAxis){opened->study.arena, candidates->algorithms.count, from, to,
                        opened->study.diag,  .curves = candidates->curves};
}

const SwitchPoints *switch_points_find(Case *opened, double from, double to, double tolerance)
{
    const SwitchPoints *last = opened->found_points;
    if (last && last->from == from && last->to == to && last->tolerance == tolerance)
        return last;
    SwitchPoints *points = ARENA_NEW(opened->study.arena, SwitchPoints);
    *points = (SwitchPoints){.from = from, .to = to, .tolerance = tolerance};
    const Study *study = &opened->study;
    Candidates *candidates = &opened->candidates;
    /* How far a candidate is within a tolerance is known of those alone that are followed. */
    if (!followed_drop_losers(study, candidates) ||
        (tolerance >= 0 && !followed_finish(study, candidates)) ||
        !followed_envelope(study, candidates, from, to, &points->pieces))
        return NULL;
    const ChoiceAxis sizes = axis_of(opened, from, to);
    if (tolerance < 0)
        points->shown = points->pieces;
    else if (!margin_merge(&sizes, &points->pieces, tolerance, &points->shown))
        return NULL;
    opened->found_points = points;
    return points;
}

bool switch_points_check(const Case *opened, const SwitchPoints *points)
{
    bool right = true;
    for (size_t i = 0; i < points->shown.count; i++) {
        const Piece *piece = &points->shown.items[i];
        right &= case_check(opened, piece->curve, piece->start.k, piece->start.branches,
                            piece->from, CHECK_EACH) != COST_WRONG;
    }
    return right;
}

const collcost_piece *switch_points_list(Case *opened, const SwitchPoints *points,
                                         bool wants_details)
{
    size_t count = points->shown.count;
    collcost_piece *list = ARENA_ARRAY(opened->study.arena, collcost_piece, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Piece *piece = &points->shown.items[i];
        const Algorithm *algorithm = case_algorithm(opened, piece->curve);
        list[i] = (collcost_piece){
            .from_bytes = piece->from,
            .to_bytes = piece->to,
            .algorithm = algorithm->head.name,
            .has_chunks = algorithm->free_chunks,
            .from_k = piece->start.k,
            .branches = study_branches(algorithm, piece->start.branches),
            .total_at_from_s = piece->start.total,
            .stages = algorithm->composed,
        };
        if (!wants_details)
            continue;
        const ChoiceAxis sizes = axis_of(opened, piece->from, piece->to);
        PieceDetails details;
        Margin excess = {0};
        if (!followed_details(&opened->study, &opened->candidates, piece, &details) ||
            (points->tolerance >= 0 &&
             !margin_to_pieces(&sizes, &points->pieces, piece->curve, &excess)))
            return NULL;
        list[i].to_k = details.end.k;
        list[i].to_branches = details.end.branches;
        list[i].total_at_to_s = details.end.total;
        list[i].tied = details.tied;
        list[i].tied_count = details.tied_count;
        list[i].slower_by = excess.loss;
        if (details.second_name) {
            list[i].second = details.second_name;
            list[i].second_slower_by = details.second.loss;
            list[i].second_slower_at_bytes = details.second.at;
        }
    }
    return list;
}

/* The study of a case to be varied: sender and receiver stay those that were settled. */
static Study study_of(const Case *opened)
{
    Study study = opened->study;
    if (opened->collective->targeted && !study.given_root.role)
        study.given_root = (GivenRank){"sender", NOWHERE};
    return study;
}

static Case *case_again(const Study *study, const Case *opened)
{
    return case_open(study, opened->collective, opened->only, opened->topology, &opened->shape);
}

/* The answer of another study to the same question. */
typedef struct {
    const collcost_piece *pieces;
    size_t count;
    bool is_right; /* all winners stand their check */
} Answer;

/* Of what is wrong `diag` is told. False after a report. */
static bool ask_case(Case *again, const SwitchPoints *points, Diag *diag, Answer *answer)
{
    const SwitchPoints *found =
        again ? switch_points_find(again, points->from, points->to, points->tolerance) : NULL;
    if (!found)
        return false;
    again->study.diag = diag;
    *answer = (Answer){switch_points_list(again, found, false), found->shown.count,
                       switch_points_check(again, found)};
    return true;
}

/* ### Parameters */

typedef struct {
    const char *before, *after;
    double bytes;
    bool is_matched;
} SwitchPoint;
ARRAY_TYPE(SwitchPointArray, SwitchPoint);

static void list_points(Arena *arena, const collcost_piece *pieces, size_t count,
                        SwitchPointArray *list)
{
    for (size_t i = 1; i < count; i++)
        *ARRAY_PUSH(arena, list) = (SwitchPoint){pieces[i - 1].algorithm, pieces[i].algorithm,
                                                 pieces[i].from_bytes, false};
}

/* Where a switch point has gone: the nearest between the same two algorithms that no other has
   taken; NAN if it vanishes. */
static double match_point(const SwitchPoint *point, SwitchPointArray *moved)
{
    SwitchPoint *nearest = NULL;
    for (size_t i = 0; i < moved->count; i++) {
        SwitchPoint *other = &moved->items[i];
        if (other->is_matched ||
            !(strcmp(point->before, other->before) == 0 && strcmp(point->after, other->after) == 0))
            continue;
        if (!nearest ||
            fabs(log(other->bytes / point->bytes)) < fabs(log(nearest->bytes / point->bytes)))
            nearest = other;
    }
    if (!nearest)
        return NAN;
    nearest->is_matched = true;
    return nearest->bytes;
}

bool variation_find(Case *opened, const SwitchPoints *points, Text parameter,
                    const double factors[2], MovedSwitches *moved, bool *is_wrong)
{
    Arena *arena = opened->study.arena;
    SwitchPointArray now = {0}, with[2] = {{0}, {0}};
    *is_wrong = false;
    list_points(arena, switch_points_list(opened, points, false), points->shown.count, &now);
    for (int i = 0; i < 2; i++) {
        Study study = study_of(opened);
        Answer answer;
        if (!machine_scale(&study.machine, parameter, factors[i], study.diag))
            return false;
        rules_follow_machine(&study.rules, &study.machine);
        /* The case itself answers on the other machine where its profiles serve there. */
        const Case before = *opened;
        Case *again = !case_may_reopen(opened, &study.machine) ? case_again(&study, opened)
                      : case_reopen(opened, &study.machine)    ? opened
                                                               : NULL;
        const bool good = ask_case(again, points, study.diag, &answer);
        *opened = before;
        if (!good)
            return false;
        *is_wrong |= !answer.is_right;
        list_points(arena, answer.pieces, answer.count, &with[i]);
    }
    for (size_t i = 0; i < now.count; i++) {
        const SwitchPoint *point = &now.items[i];
        const double less = match_point(point, &with[0]), more = match_point(point, &with[1]);
        *ARRAY_PUSH(arena, moved) =
            (collcost_moved){point->before, point->after, point->bytes, less, more};
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < with[side].count; i++) {
            const SwitchPoint *point = &with[side].items[i];
            if (!point->is_matched)
                *ARRAY_PUSH(arena, moved) =
                    (collcost_moved){point->before, point->after, NAN, side ? NAN : point->bytes,
                                     side ? point->bytes : NAN};
        }
    return true;
}

/* ### Conventions */

/* A convention, and what is in force with it. */
typedef struct {
    const char *rule, *choice;
    Rules rules;
} Variant;
ARRAY_TYPE(Variants, Variant);

static Rules *add_variant(Arena *arena, Variants *variants, const char *rule, const char *choice,
                          const Rules *rules)
{
    Variant *variant = ARRAY_PUSH(arena, variants);
    *variant = (Variant){rule, choice, *rules};
    return &variant->rules;
}

/* All values of a rule but the one in force. */
#define ADD_OTHERS(rule, Type, values)                                                             \
    for (int i = 0; i < (values); i++)                                                             \
        if (i != (int)rules->rule)                                                                 \
    add_variant(arena, variants, #rule, rule##_names[i], rules)->rule = (Type)i

/* Overlapped combining is without barriers. */
static void list_variants(Arena *arena, Variants *variants, const Rules *rules)
{
    ADD_OTHERS(switching, Switching, SWITCHING_COUNT);
    ADD_OTHERS(contention, Contention, CONTENTION_SHARED);
    ADD_OTHERS(duplex, Duplex, DUPLEX_COUNT);
    ADD_OTHERS(ties, Ties, TIES_COUNT);
    if (!rules->all_ports)
        add_variant(arena, variants, "ports", "all", rules)->all_ports = true;
    for (int i = 0; i < COMBINING_COUNT; i++) {
        if (i == (int)rules->combining)
            continue;
        Rules *varied = add_variant(arena, variants, "combining", combining_names[i], rules);
        varied->combining = (Combining)i;
        varied->asynchronous |= i == COMBINING_OVERLAP;
    }
    if (rules->combining != COMBINING_OVERLAP && rules->contention != CONTENTION_SHARED)
        add_variant(arena, variants, "rounds", rules->asynchronous ? "barriers" : "asynchronous",
                    rules)
            ->asynchronous = !rules->asynchronous;
    if (rules_have_closed_forms(rules))
        add_variant(arena, variants, "k", rules->real_chunks ? "integer" : "real", rules)
            ->real_chunks = !rules->real_chunks;
}

bool variation_of_rules(Case *opened, const SwitchPoints *points, Conventions *conventions,
                        bool *is_wrong)
{
    Arena *arena = opened->study.arena;
    Variants variants = {0};
    Study quiet = opened->study;
    const collcost_piece *pieces = switch_points_list(opened, points, false);
    if (!pieces)
        return false;
    study_silence(&quiet);
    Diag *diag = study_silence(&opened->study);
    *is_wrong = !switch_points_check(opened, points); /* the case itself */
    opened->study.diag = diag;
    list_variants(arena, &variants, &opened->study.rules);
    for (size_t i = 0; i < variants.count; i++) {
        const Variant *variant = &variants.items[i];
        Study study = study_of(opened);
        FirstError reason = {study.arena, NULL};
        Diag kept = diag_keep_first(&reason);
        Answer answer = {0};
        study.diag = &kept;
        study.rules = variant->rules;
        const bool is_followed = ask_case(case_again(&study, opened), points,
                                          *is_wrong ? quiet.diag : opened->study.diag, &answer);
        *is_wrong |= is_followed && !answer.is_right;
        if (kept.limit_count)
            reason.message = "too large to expand";
        collcost_convention with = {
            .rule = variant->rule,
            .choice = variant->choice,
            .rules = rules_describe_on(study.arena, &variant->rules, &opened->network),
            .is_followed = is_followed,
            .pieces = answer.pieces,
            .piece_count = answer.count,
            .reason = is_followed ? NULL : reason.message,
        };
        const size_t count = points->shown.count;
        with.change = count == answer.count ? COLLCOST_CHANGES_NOTHING : COLLCOST_CHANGES_FASTEST;
        for (size_t n = 0; n < count && with.change != COLLCOST_CHANGES_FASTEST; n++) {
            const collcost_piece *now = &pieces[n], *other = &answer.pieces[n];
            if (strcmp(now->algorithm, other->algorithm) != 0)
                with.change = COLLCOST_CHANGES_FASTEST;
            else if (fabs(now->from_bytes - other->from_bytes) > 1e-9 * now->from_bytes)
                with.change = COLLCOST_CHANGES_SIZES;
        }
        *ARRAY_PUSH(arena, conventions) = with;
    }
    return true;
}
