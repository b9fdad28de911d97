#include "model/claim.h"

#include "model/library.h"

#include <ctype.h>
#include <string.h>

const char *const bound_names[BOUND_KIND_COUNT] = {
#define BOUND(id, name, why) name,
#include "model/bounds.def"
#undef BOUND
};

/* Names that this subject does not have get an empty name, which no text can spell. */
static Scope claim_scope(Arena *arena, ClaimSubject subject, bool is_message, Type k_type)
{
    Scope scope = {0};
    scope_add(arena, &scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope,
              (Variable){subject.rooted ? "root" : "", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope,
              (Variable){subject.has_chunks ? "k" : "", k_type, DIMENSION_NONE, false});
    scope_add(arena, &scope, (Variable){"d", TYPE_INT, DIMENSION_NONE, false});
    static const char *const sizes[] = {"X", "Y", "Z", "dims"};
    for (int i = 0; i < 4; i++)
        scope_add(arena, &scope, (Variable){sizes[i], TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope,
              (Variable){subject.targeted ? "target" : "", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope, (Variable){is_message ? "j" : "", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope, (Variable){"m", TYPE_REAL, DIMENSION_BYTES, true});
    scope_add(arena, &scope, (Variable){"M", TYPE_REAL, DIMENSION_BYTES, true});
    for (int i = 0; i < PARAMETER_COUNT; i++)
        scope_add(
            arena, &scope,
            (Variable){parameter_info[i].name, TYPE_REAL, parameter_info[i].dimension, false});
    return scope;
}

/* "S3, eq. 7": a word of one capital letter and digits before the comma names a source model. */
static bool find_origin(struct Library *library, const Node *node, Claim *claim, Diag *diag)
{
    size_t length = 0;
    const Text *text = &node->text;
    while (length < text->length && text->chars[length] != ',')
        length++;
    bool is_id = length >= 2 && isupper((unsigned char)text->chars[0]);
    for (size_t i = 1; i < length; i++)
        is_id &= isdigit((unsigned char)text->chars[i]) != 0;
    if (!is_id)
        return true;
    claim->origin = library_origin(library, text_slice(*text, 0, length), diag);
    return claim->origin != NULL;
}

static bool read_source(struct Library *library, Arena *arena, const Node *map, Claim *claim,
                        Diag *diag)
{
    const Node *node = node_get(map, "source");
    if (!node) {
        diag_error(diag, claim->span, "a claim needs a 'source'");
        return false;
    }
    if (!node_is_scalar(node, "a source", diag))
        return false;
    claim->source = node_string(arena, node);
    claim->span = node->text.span;
    return find_origin(library, node, claim, diag);
}

static bool read_topologies(struct Library *library, Arena *arena, const Node *map, Claim *claim,
                            Diag *diag)
{
    const Node *node = node_get(map, "on");
    if (!node) {
        diag_error(diag, claim->span, "a claim needs 'on', the topologies of which it speaks");
        return false;
    }
    claim->on = read_names(arena, node, "a topology", &claim->on_count, diag);
    if (!claim->on)
        return false;
    for (size_t i = 0; i < claim->on_count; i++)
        if (!library_topology(library, node_item(node, i)->text, diag))
            return false;
    return true;
}

/* One mode, or both where the key is left out. */
static bool read_switching(const Node *map, Claim *claim, Diag *diag)
{
    const Node *node = node_get(map, "switching");
    claim->switching[SWITCHING_CUT_THROUGH] = claim->switching[SWITCHING_STORE_AND_FORWARD] = !node;
    if (!node)
        return true;
    int mode = read_word(node, "a way of switching", switching_names, SWITCHING_STARTUPS, diag);
    if (mode >= 0)
        claim->switching[mode] = true;
    return mode >= 0;
}

static bool read_bounds(const Node *node, Claim *claim, Diag *diag)
{
    for (size_t i = 0; i < node_item_count(node); i++) {
        int kind =
            read_word(node_item(node, i), "a kind of bound", bound_names, BOUND_KIND_COUNT, diag);
        if (kind < 0)
            return false;
        claim->bounds[kind] = true;
    }
    return true;
}

/* Exactly one of these keys says what is claimed. */
static const char *const claim_keys[] = {"time", "message", "limit", "reaches", "bound"};
enum { CLAIM_KEY_COUNT = sizeof claim_keys / sizeof *claim_keys };

static bool find_kind(const Node *map, ClaimSubject subject, Claim *claim, Diag *diag)
{
    int found = -1;
    bool is_bound = node_get(map, "bound") != NULL;
    for (int i = 0; i < CLAIM_KEY_COUNT; i++) {
        if (!node_get(map, claim_keys[i]) || (is_bound && i == CLAIM_TIME))
            continue;
        if (found >= 0) {
            diag_error(diag, claim->span, "a claim has one of '%s' and '%s', not both",
                       claim_keys[found], claim_keys[i]);
            return false;
        }
        found = i;
    }
    if (found < 0 || (is_bound && !node_get(map, "time"))) {
        diag_error(diag, claim->span,
                   subject.is_collective ? "a claim of a collective needs 'bound' and 'time'"
                                         : "a claim needs 'time', 'message', 'limit' or 'reaches'");
        return false;
    }
    claim->kind = (ClaimKind)found;
    if ((claim->kind == CLAIM_BOUND) == subject.is_collective)
        return true;
    diag_error(diag, claim->span, "'%s' does not belong to the claims of %s", claim_keys[found],
               subject.is_collective ? "a collective" : "an algorithm");
    return false;
}

static bool has_dimension(const Expr *expr)
{
    return !dimension_equal(expr->dimension, DIMENSION_NONE);
}

/* Quantities are only added, multiplied by numbers and chosen by numbers: no max of two times, no
   size rounded. Then the time is c_ts ts + c_th th + (c_tw tw + c_tc tc) m. */
static bool is_sum_of_terms(const Expr *expr)
{
    bool mixes = expr->kind == EXPR_MIN || expr->kind == EXPR_MAX || expr->kind == EXPR_LARGEST ||
                 expr->kind == EXPR_ABS || expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR ||
                 expr->kind == EXPR_SQRT || operation_info[expr->kind].rule == RULE_COMPARISON;
    for (int i = 0; i < expr->argument_count; i++) {
        bool divides = expr->kind == EXPR_DIVIDE && i == 1;
        if ((has_dimension(expr->arguments[i]) && (mixes || divides)) ||
            !is_sum_of_terms(expr->arguments[i]))
            return false;
    }
    return true;
}

/* Does it say mod, div or the like of k, which real k have no use for? */
static bool needs_whole_k(const Expr *expr)
{
    if (expr->kind == EXPR_TO_WHOLE && expr_uses(expr, CLAIM_K))
        return true;
    for (int i = 0; i < expr->argument_count; i++)
        if (needs_whole_k(expr->arguments[i]))
            return true;
    return false;
}

static bool read_kind(Arena *arena, const Node *map, ClaimSubject subject, Claim *claim, Diag *diag)
{
    if (!find_kind(map, subject, claim, diag))
        return false;
    if (claim->kind == CLAIM_REACHES)
        return read_bounds(node_get(map, "reaches"), claim, diag);
    if (claim->kind == CLAIM_BOUND && !read_bounds(node_get(map, "bound"), claim, diag))
        return false;
    bool is_message = claim->kind == CLAIM_MESSAGE;
    Scope scope = claim_scope(arena, subject, is_message, TYPE_INT);
    const char *key = claim->kind == CLAIM_BOUND ? "time" : claim_keys[claim->kind];
    if (!read_formula(arena, map, key, &scope, TYPE_REAL,
                      is_message ? DIMENSION_BYTES : DIMENSION_TIME, &claim->formula, diag))
        return false;
    claim->is_sum = is_sum_of_terms(program_expr(claim->formula.program));
    if (claim->kind == CLAIM_TIME && subject.has_chunks) {
        Formula real;
        Diag silent = diag_silent();
        scope = claim_scope(arena, subject, is_message, TYPE_REAL);
        if (read_formula(arena, map, key, &scope, TYPE_REAL, DIMENSION_TIME, &real, &silent) &&
            !needs_whole_k(program_expr(real.program)))
            claim->real_k = real.program;
    }
    return true;
}

static bool read_claim(struct Library *library, Arena *arena, const Node *map, ClaimSubject subject,
                       Claim *claim, Diag *diag)
{
    static const char *const keys[] = {"source",  "on",    "when",     "recorded",
                                       "note",    "time",  "message",  "limit",
                                       "reaches", "bound", "switching"};
    static const char *const verdicts[] = {"holds", "refuted"};
    claim->span = map->text.span;
    if (!node_is_map(map, "a claim", diag) ||
        !node_check_keys(map, "a claim", keys, sizeof keys / sizeof *keys, diag) ||
        !read_source(library, arena, map, claim, diag) ||
        !read_topologies(library, arena, map, claim, diag) || !read_switching(map, claim, diag) ||
        !read_kind(arena, map, subject, claim, diag))
        return false;
    Scope scope = claim_scope(arena, subject, false, TYPE_INT);
    scope.count = CLAIM_J; /* a condition is about p, root, target, k, d and the shape, never about
                              sizes and times */
    if (!read_uniform_formula(arena, map, "when", &scope, TYPE_BOOL, &claim->when, diag))
        return false;
    const Node *recorded = node_get(map, "recorded"), *note = node_get(map, "note");
    int verdict = recorded ? read_word(recorded, "a recorded verdict", verdicts, 2, diag) : 0;
    claim->recorded_refuted = verdict == 1;
    claim->note = note && node_is_scalar(note, "a note", diag) ? node_string(arena, note) : "";
    return verdict >= 0;
}

bool claims_read(struct Library *library, Arena *arena, const Node *list, ClaimSubject subject,
                 ClaimList *claims, Diag *diag)
{
    *claims = (ClaimList){0};
    if (!list)
        return true;
    if (list->kind != NODE_LIST) {
        diag_error(diag, list->text.span, "claims are a list: each begins with '- '");
        return false;
    }
    claims->items = ARENA_ARRAY(arena, Claim, list->count);
    bool good = true;
    for (size_t i = 0; i < list->count; i++)
        good &= read_claim(library, arena, list->values[i], subject, &claims->items[i], diag);
    claims->count = list->count;
    return good;
}

bool claim_is_on(const Claim *claim, const char *topology)
{
    for (size_t i = 0; i < claim->on_count; i++)
        if (strcmp(claim->on[i], topology) == 0)
            return true;
    return false;
}

bool claim_counts(const Claim *claim, Parameter parameter)
{
    return !claim->origin || claim->origin->counts[parameter];
}
