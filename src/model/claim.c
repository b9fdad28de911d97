#include "model/claim.h"

#include "lang/check.h"

#include <string.h>

const char *const bound_names[BOUND_KIND_COUNT] = {
#define BOUND(id, name, why) name,
#include "model/bounds.def"
#undef BOUND
};

const ClaimInfo claim_info[CLAIM_KIND_COUNT] = {
#define CLAIM(id, key, whose, names, unit, words)                                                  \
    {key, WHOSE_##whose, NAMES_##names, DIMENSION_##unit, words},
#include "model/claims.def"
#undef CLAIM
};

/* The names that formulas of this kind can use. Names that the subject does not have get an empty
   name, which no text can spell. */
static Scope make_scope(Arena *arena, ClaimSubject subject, ClaimKind kind, Type k_type)
{
    const ClaimNames names = claim_info[kind].names;
    const bool of_sender = names == NAMES_SENDER, of_pair = names == NAMES_PAIR;
    const bool of_place = names == NAMES_ROUND || of_sender || names == NAMES_APART;
    const char *const whole[CLAIM_SIZE] = {
        [CLAIM_P] = "p",
        [CLAIM_ROOT] = subject.rooted ? "root" : NULL,
        [CLAIM_K] = subject.has_chunks ? "k" : NULL,
        [CLAIM_D] = subject.owner != WHOSE_TOPOLOGY ? "d" : NULL,
        [CLAIM_X] = "X",
        [CLAIM_Y] = "Y",
        [CLAIM_Z] = "Z",
        [CLAIM_DIMENSIONS] = "dims",
        [CLAIM_TARGET] = subject.targeted ? "target" : NULL,
        [CLAIM_PATH] = subject.targeted && subject.is_judged ? "links" : NULL,
        [CLAIM_N] = subject.is_problem ? "n" : NULL,
        [CLAIM_BRANCHES] = subject.branches,
        [CLAIM_J] = of_place ? "j" : NULL,
        [CLAIM_R] = of_sender || of_pair ? "r" : NULL,
        [CLAIM_TO] = of_pair ? "to" : NULL,
    };
    Scope scope = scope_of_whole(arena, whole, CLAIM_SIZE, -1);
    const Variable sizes[] = {{subject.is_problem ? "word" : "m", TYPE_REAL, DIMENSION_BYTES, true},
                              {subject.is_problem ? "" : "M", TYPE_REAL, DIMENSION_BYTES, true}};
    const Variable times[] = {{subject.is_problem ? "tm" : "", TYPE_REAL, DIMENSION_TIME, false},
                              {subject.is_judged ? "o" : "", TYPE_REAL, DIMENSION_TIME, false}};
    scope.items[CLAIM_K].type = k_type;
    for (int i = 0; i < 2; i++)
        scope_add(arena, &scope, sizes[i]);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        scope_add(
            arena, &scope,
            (Variable){parameter_info[i].name, TYPE_REAL, parameter_info[i].dimension, false});
    for (int i = 0; i < 2; i++)
        scope_add(arena, &scope, times[i]);
    return scope;
}

static bool read_topologies(const Resolver *resolver, const Node *map, ClaimSubject subject,
                            Claim *claim)
{
    const Node *node = node_get(map, "on");
    if (subject.owner == WHOSE_TOPOLOGY) {
        const char **own = ARENA_NEW(resolver->arena, const char *);
        *own = subject.topology;
        claim->on = own;
        claim->on_count = 1;
        return !node || diag_error(resolver->diag, node->text.span,
                                   "a claim of a topology is about this topology");
    }
    if (!node)
        return diag_error(resolver->diag, claim->span,
                          "a claim needs 'on', the topologies that it is about");
    claim->on = read_names(resolver->arena, node, "a topology", &claim->on_count, resolver->diag);
    if (!claim->on)
        return false;
    for (size_t i = 0; i < claim->on_count && !resolver->is_known_right; i++)
        if (!resolver_find(resolver, KIND_TOPOLOGY, node_item(node, i)->text))
            return false;
    return true;
}

/* Which key says what is claimed: one, but that a bound has `time` beside it. */
static bool find_kind(const Node *map, ClaimSubject subject, Claim *claim, Diag *diag)
{
    static const char *const owners[] = {"an algorithm", "a collective", "a topology"};
    static const char *const needed[] = {"needs 'time', or another quantity",
                                         "of a collective needs 'bound' and 'time'",
                                         "of a topology needs 'diameter', or another quantity"};
    int found = -1;
    bool is_bound = node_get(map, claim_info[CLAIM_BOUND].key) != NULL;
    for (int i = 0; i < CLAIM_KIND_COUNT; i++) {
        if (!node_get(map, claim_info[i].key) || (is_bound && i == CLAIM_TIME))
            continue;
        if (found >= 0)
            return diag_error(diag, claim->span, "a claim has one of '%s' and '%s', not both",
                              claim_info[found].key, claim_info[i].key);
        found = i;
    }
    if (found < 0 || (found == CLAIM_BOUND && !node_get(map, "time")))
        return diag_error(diag, claim->span, "a claim %s", needed[subject.owner]);
    claim->kind = (ClaimKind)found;
    if (subject.is_problem && (found == CLAIM_REACHES || found == CLAIM_MISSES))
        return diag_error(diag, claim->span, "there are no lower bounds of problems");
    return claim_info[found].owner == subject.owner ||
           diag_error(diag, claim->span, "'%s' does not belong to the claims of %s",
                      claim_info[found].key, owners[subject.owner]);
}

/* Quantities are only added, multiplied by numbers and chosen by numbers: no max of two times, no
   size rounded. Then the time is c_ts ts + c_th th + (c_tw tw + c_tc tc) m. */
static bool is_sum_of_terms(const Expr *expr)
{
    bool mixes = expr->kind == EXPR_MIN || expr->kind == EXPR_MAX || expr->kind == EXPR_LARGEST ||
                 expr->kind == EXPR_ABS || expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR ||
                 expr->kind == EXPR_SQRT || expr->kind == EXPR_CBRT || expr->kind == EXPR_POWER ||
                 operation_info[expr->kind].rule == RULE_COMPARISON;
    for (int i = 0; i < expr->argument_count; i++) {
        bool divides = expr->kind == EXPR_DIVIDE && i == 1;
        if ((!dimension_equal(expr->arguments[i]->dimension, DIMENSION_NONE) &&
             (mixes || divides)) ||
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

/* Of one list of claims. */
typedef struct ClaimReader {
    Resolver resolver;
    ClaimSubject subject;
    Scope scopes[NAMES_PAIR + 1][2]; /* by names and whether k is real; empty: not made yet */
    const Node *list;
    bool *is_read; /* of each claim */
} ClaimReader;

/* What is added to it is not added to that of other claims. */
static Scope scope_for(ClaimReader *reader, ClaimKind kind, Type k_type)
{
    Scope *scope = &reader->scopes[claim_info[kind].names][k_type == TYPE_REAL];
    if (!scope->count)
        *scope = make_scope(reader->resolver.arena, reader->subject, kind, k_type);
    scope->capacity = scope->count;
    return *scope;
}

static bool read_kind(ClaimReader *reader, const Node *map, Claim *claim)
{
    const ClaimSubject subject = reader->subject;
    Arena *arena = reader->resolver.arena;
    Diag *diag = reader->resolver.diag;
    if (!find_kind(map, subject, claim, diag))
        return false;
    const ClaimInfo *info = &claim_info[claim->kind];
    const bool is_reached = claim->kind == CLAIM_REACHES || claim->kind == CLAIM_MISSES;
    /* The bounds before flow, which not every build can compute. */
    if ((is_reached || claim->kind == CLAIM_BOUND) &&
        !read_flags(node_get(map, info->key), "a kind of bound", bound_names, BOUND_FLOW,
                    claim->bounds, diag))
        return false;
    if (is_reached)
        return true;
    Scope scope = scope_for(reader, claim->kind, TYPE_INT);
    const char *key = claim->kind == CLAIM_BOUND ? "time" : info->key;
    const FormulaMap in = {arena, map, &scope, diag};
    if (reader->resolver.is_known_right)
        defer_formula(in, key, TYPE_REAL, info->dimension, &claim->formula);
    else if (!read_formula(in, key, TYPE_REAL, info->dimension, &claim->formula))
        return false;
    if (claim->kind == CLAIM_TIME && subject.has_chunks) {
        scope = scope_for(reader, claim->kind, TYPE_REAL);
        claim->real_k =
            program_defer(arena, claim->formula.text, &scope, TYPE_REAL, DIMENSION_TIME);
    }
    return true;
}

/* within: 1 .. X - 1 */
static bool read_within(FormulaMap in, Claim *claim)
{
    const Node *node = node_get(in.map, "within");
    if (!node)
        return true;
    ClaimNames names = claim_info[claim->kind].names;
    if (claim->kind != CLAIM_TIME && names != NAMES_ROUND && names != NAMES_SENDER)
        return diag_error(in.diag, node->text.span,
                          "'within' picks rounds of a time, or of what is claimed "
                          "for each round");
    return read_whole_range(in, "within", "the value of 'within'", &claim->first, &claim->last);
}

/* The keys of claims, those that say what is claimed behind the others. */
static bool check_keys(const Node *map, Diag *diag)
{
    static const char *const others[] = {"source", "on",     "when",       "switching", "recorded",
                                         "note",   "within", "neglecting", "combining"};
    enum { OTHERS = COUNT_OF(others) };
    const char *keys[OTHERS + CLAIM_KIND_COUNT];
    memcpy(keys, others, sizeof others);
    for (int i = 0; i < CLAIM_KIND_COUNT; i++)
        keys[OTHERS + i] = claim_info[i].key;
    return node_check_keys(map, "a claim", keys, COUNT_OF(keys), diag);
}

static bool read_claim(ClaimReader *reader, const Node *map, Claim *claim)
{
    static const char *const verdicts[] = {"holds", "refuted"}, *const ways[] = {"after",
                                                                                 "overlap"};
    const Resolver *resolver = &reader->resolver;
    Arena *arena = reader->resolver.arena;
    Diag *diag = reader->resolver.diag;
    claim->span = map->text.span;
    if (!node_is_map(map, "a claim", diag) || (!resolver->is_known_right && !check_keys(map, diag)))
        return false;
    const Node *source = node_get(map, "source"), *switching = node_get(map, "switching");
    const Node *neglected = node_get(map, "neglecting");
    const char *names[PARAMETER_COUNT + 1] = {[NEGLECTS_MULTIPLY] = "tm"};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        names[i] = parameter_info[i].name;
    if (!source)
        return diag_error(diag, claim->span, "a claim needs a 'source'");
    if (!node_is_scalar(source, "a source", diag))
        return false;
    claim->source = node_string(arena, source);
    claim->span = source->text.span;
    if (!origin_cite(resolver, source->text, &claim->citation) ||
        !read_topologies(resolver, map, reader->subject, claim))
        return false;
    /* one mode, or both where the key is left out */
    const int mode = switching ? read_word(switching, "a switching mode", switching_names,
                                           SWITCHING_STARTUPS, diag)
                               : 0;
    for (int i = 0; i < SWITCHING_STARTUPS; i++)
        claim->switching[i] = !switching || i == mode;
    if (mode < 0 ||
        !read_either(map, "combining", "the combining of a claim", ways, &claim->overlaps, diag) ||
        (neglected &&
         !read_flags(neglected, "a parameter", names, COUNT_OF(names), claim->neglects, diag)) ||
        !read_kind(reader, map, claim))
        return false;
    /* conditions are about the run, never about sizes and times */
    Scope scope = scope_for(reader, claim->kind, TYPE_INT);
    scope.count = scope.capacity = CLAIM_J;
    const FormulaMap in = {arena, map, &scope, diag};
    if (resolver->is_known_right)
        defer_formula(in, "when", TYPE_BOOL, DIMENSION_NONE, &claim->when);
    else if (!read_uniform_formula(in, "when", TYPE_BOOL, &claim->when))
        return false;
    if (!read_within(in, claim))
        return false;
    bool good = read_either(map, "recorded", "a recorded verdict", verdicts,
                            &claim->recorded_refuted, diag);
    good &= read_key_string(arena, map, "note", "a note", &claim->note, diag);
    return good;
}

bool claims_read(const Resolver *resolver, const Node *list, ClaimSubject subject,
                 ModelClaims *claims)
{
    *claims = (ModelClaims){0};
    if (!list)
        return true;
    if (list->kind != NODE_LIST)
        return diag_error(resolver->diag, list->text.span,
                          "claims are a list: each begins with '- '");
    ClaimReader reader = {.resolver = *resolver, .subject = subject, .list = list};
    claims->list = (ClaimList){ARENA_ARRAY(resolver->arena, Claim, list->count), list->count};
    if (resolver->is_known_right) {
        reader.is_read = ARENA_ARRAY(resolver->arena, bool, list->count);
        claims->reader = ARENA_COPY(resolver->arena, ClaimReader, &reader, 1);
        return true;
    }
    bool good = true;
    for (size_t i = 0; i < list->count; i++)
        good &= read_claim(&reader, list->values[i], &claims->list.items[i]);
    return good;
}

/* Where work ends in between, the claim is read again. */
static const Claim *claim_at(const ModelClaims *claims, size_t index)
{
    ClaimReader *reader = claims->reader;
    Claim *claim = &claims->list.items[index];
    Diag silent = diag_silent();
    if (!reader || reader->is_read[index])
        return claim;
    reader->resolver.diag = &silent;
    *claim = (Claim){0};
    reader->is_read[index] = read_claim(reader, reader->list->values[index], claim);
    return claim;
}

const ClaimList *claims_all(const ModelClaims *claims)
{
    for (size_t i = 0; i < claims->list.count; i++)
        claim_at(claims, i);
    return &claims->list;
}

const Claim *claims_on(const ModelClaims *claims, size_t index, const char *topology)
{
    const ClaimReader *reader = claims->reader;
    if (reader && !reader->is_read[index] && reader->subject.owner != WHOSE_TOPOLOGY) {
        /* `on` tells it of a claim that is not read */
        const Node *on = node_get(reader->list->values[index], "on");
        bool found = false;
        for (size_t i = 0; on && i < node_item_count(on); i++)
            found |= text_equals(node_item(on, i)->text, topology);
        if (!found)
            return NULL;
    }
    const Claim *claim = claim_at(claims, index);
    return claim_is_on(claim, topology) ? claim : NULL;
}

bool claim_names_time(const Expr *formula)
{
    static const char *const times[] = {"ts", "th", "tw", "tc", "tm", "o"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(times); i++)
        found |= expr_names(formula, times[i]);
    return found;
}

bool claim_compile(Arena *arena, ClaimSubject subject, Expr *formula, Claim *claim, Diag *diag)
{
    Text text = formula->text;
    bool has_time = claim_names_time(formula), is_of_rounds = expr_names(formula, "j");
    bool has_size = expr_names(formula, "m") || expr_names(formula, "M");
    ClaimKind kind = has_time                   ? is_of_rounds ? CLAIM_STEP : CLAIM_TIME
                     : has_size || is_of_rounds ? CLAIM_MESSAGE
                     : subject.targeted         ? CLAIM_HOPS
                                                : CLAIM_ROUND_COUNT;
    Scope scope = make_scope(arena, subject, kind, TYPE_INT);
    formula = check_expression(arena, formula, &scope, TYPE_REAL, claim_info[kind].dimension, diag);
    *claim = (Claim){.kind = kind, .source = "", .note = ""};
    claim->switching[SWITCHING_CUT_THROUGH] = claim->switching[SWITCHING_STORE_AND_FORWARD] = true;
    return formula_compile(arena, formula, text, &scope, &claim->formula);
}

bool claim_condition(Arena *arena, ClaimSubject subject, Expr *condition, Claim *claim, Diag *diag)
{
    Scope scope = make_scope(arena, subject, CLAIM_TIME, TYPE_INT);
    Text text = condition->text;
    scope.count = CLAIM_J;
    condition = check_expression(arena, condition, &scope, TYPE_BOOL, DIMENSION_NONE, diag);
    return formula_compile(arena, condition, text, &scope, &claim->when);
}

bool claim_is_sum(const Claim *claim)
{
    return is_sum_of_terms(program_expr(claim->formula.program));
}

Program *claim_real_k(const Claim *claim)
{
    const Expr *expr = claim->real_k ? program_expr(claim->real_k) : NULL;
    return expr && !needs_whole_k(expr) ? claim->real_k : NULL;
}

bool claim_is_on(const Claim *claim, const char *topology)
{
    return text_among(text_plain(topology), claim->on, claim->on_count) < claim->on_count;
}

bool claim_counts(const Claim *claim, Parameter parameter)
{
    const Origin *origin = claim->citation.origin;
    return !claim->neglects[parameter] && (!origin || origin->counts[parameter]);
}

const char *claim_words(Arena *arena, const Claim *claim)
{
    const char *text = claim_info[claim->kind].words;
    for (int i = 0; i < BOUND_KIND_COUNT && claim->kind == CLAIM_BOUND; i++)
        if (claim->bounds[i])
            text = arena_printf(arena, "%s%s%s bound", text, *text ? ", " : "", bound_names[i]);
    return text;
}

const char *claim_formula(Arena *arena, const Claim *claim)
{
    if (claim->formula.program)
        return text_string(arena, claim->formula.text);
    const char *text = arena_printf(arena, "%s the bounds", claim_info[claim->kind].key);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        if (claim->bounds[i])
            text = arena_printf(arena, "%s %s", text, bound_names[i]);
    return text;
}

static const char *add_formula(Arena *arena, const char *text, const char *word,
                               const Formula *formula)
{
    return formula->program
               ? arena_printf(arena, "%s, %s %.*s", text, word, TEXT_ARGS(formula->text))
               : text;
}

const char *claim_where(Arena *arena, const Claim *claim)
{
    const char *text = "on";
    bool ct = claim->switching[SWITCHING_CUT_THROUGH];
    for (size_t i = 0; i < claim->on_count; i++)
        text = arena_printf(arena, "%s %s", text, claim->on[i]);
    if (!ct || !claim->switching[SWITCHING_STORE_AND_FORWARD])
        text =
            arena_printf(arena, "%s, %s", text,
                         switching_names[ct ? SWITCHING_CUT_THROUGH : SWITCHING_STORE_AND_FORWARD]);
    if (claim->overlaps)
        text = arena_printf(arena, "%s, combining overlaps receiving", text);
    text = add_formula(arena, text, "rounds", &claim->first);
    text = add_formula(arena, text, "when", &claim->when);
    if (claim->neglects[NEGLECTS_MULTIPLY])
        text = arena_printf(arena, "%s, neglecting tm", text);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (claim->neglects[i])
            text = arena_printf(arena, "%s, neglecting %s", text, parameter_info[i].name);
    return text;
}
