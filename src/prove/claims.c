#include "model/claim.h"
#include "prove/prove.h"
#include "prove/sums.h"

#include <inttypes.h>
#include <string.h>

/* A claim while it is read. */
typedef struct {
    Costing *costing;
    Env env;
    bool fits;
} Reading;

static Poly read_claim(Reading *reading, const Expr *expr);

/* As one term; NULL: it has no translation. */
static const Term *read_term(Reading *reading, const Expr *expr)
{
    Kernel *kernel = reading->costing->kernel;
    const Term *term = kernel_translate(kernel, &reading->env, expr);
    const bool good = !kernel->why;
    kernel->why = NULL;
    return good ? term : NULL;
}

static Poly stuck(Reading *reading, const Expr *expr)
{
    if (reading->fits)
        reading->costing->why =
            arena_printf(reading->costing->kernel->arena, "'%.*s' in the claim has no translation",
                         TEXT_ARGS(expr->text));
    reading->fits = false;
    return (Poly){0};
}

static Poly read_sum(Reading *reading, const Expr *expr)
{
    const int slot = expr->arguments[0]->slot;
    const Term *low = read_term(reading, expr->arguments[1]);
    const Term *high = read_term(reading, expr->arguments[2]);
    if (!low || !high)
        return stuck(reading, expr);
    const Term *index = term_free(reading->costing->kernel->terms, "j", low, high);
    reading->env.slots[slot] = index;
    const Poly body = read_claim(reading, expr->arguments[3]);
    reading->env.slots[slot] = NULL;
    return reading->fits ? costing_sum(reading->costing, index, low, high, &body) : body;
}

/* a where the condition holds, else b. */
static Poly read_choice(Reading *reading, const Expr *expr)
{
    Arena *arena = reading->costing->kernel->arena;
    const Term *condition = read_term(reading, expr->arguments[0]);
    if (!condition)
        return stuck(reading, expr);
    if (term_is_true(condition) || term_is_false(condition))
        return read_claim(reading, expr->arguments[term_is_true(condition) ? 1 : 2]);
    const Poly a = read_claim(reading, expr->arguments[1]);
    const Poly b = read_claim(reading, expr->arguments[2]);
    const Poly is = costing_count(reading->costing, condition);
    Poly difference = poly_sum(arena, &a, -1, &b);
    difference = poly_times(arena, &is, &difference, &reading->fits);
    return poly_sum(arena, &b, 1, &difference);
}

/* What the claim says, as a sum of products of parameters, sizes and terms. */
static Poly read_claim(Reading *reading, const Expr *expr)
{
    Arena *arena = reading->costing->kernel->arena;
    Poly a, b, poly = {0};
    const Term *term;
    int64_t exponent;
    expr = expr_bare(expr);
    if (expr->kind == EXPR_NUMBER && expr->type != TYPE_INT && expr->exact) {
        poly = poly_int(arena, 1);
        poly.items[0].factor = *expr->exact;
        return poly;
    }
    switch (expr->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
        a = read_claim(reading, expr->arguments[0]);
        b = read_claim(reading, expr->arguments[1]);
        if (expr->kind == EXPR_MULTIPLY)
            poly = poly_times(arena, &a, &b, &reading->fits);
        else if (expr->kind != EXPR_DIVIDE)
            poly = poly_sum(arena, &a, expr->kind == EXPR_ADD ? 1 : -1, &b);
        else if (!poly_divide(arena, &a, &b, &poly))
            return stuck(reading, expr);
        return poly;
    case EXPR_NEGATE:
        a = read_claim(reading, expr->arguments[0]);
        return poly_sum(arena, &poly, -1, &a);
    case EXPR_POWER:
        if ((term = read_term(reading, expr)))
            return poly_of(arena, term);
        a = read_claim(reading, expr->arguments[0]);
        b = read_claim(reading, expr->arguments[1]);
        if (!poly_is_int(&b, &exponent) || exponent < 1 || exponent > 4)
            return stuck(reading, expr);
        for (poly = a; exponent > 1; exponent--)
            poly = poly_times(arena, &poly, &a, &reading->fits);
        return poly;
    case EXPR_SUM:
        term = read_term(reading, expr);
        return term ? poly_of(arena, term) : read_sum(reading, expr);
    case EXPR_WHEN:
        return read_choice(reading, expr);
    default:
        term = read_term(reading, expr);
        return term ? poly_of(arena, term) : stuck(reading, expr);
    }
}

/* What the names of claims mean. M is so many times m. */
static Env claim_env(Costing *costing, const Algorithm *algorithm)
{
    Kernel *kernel = costing->kernel;
    Env env = {0}, own = {0};
    env.slots[CLAIM_P] = own.slots[0] = kernel->p;
    env.slots[CLAIM_ROOT] = algorithm->collective->rooted ? kernel_root(kernel) : NULL;
    env.slots[CLAIM_TARGET] = algorithm->collective->targeted ? kernel_target(kernel) : NULL;
    env.slots[CLAIM_K] = algorithm->free_chunks ? kernel_chunks(kernel) : NULL;
    env.slots[CLAIM_D] = costing->ports;
    env.slots[CLAIM_BRANCHES] = term_int(kernel->terms, kernel->branches);
    if (kernel->ranks == RANKS_POWERS && algorithm->collective->rooted)
        env.slots[CLAIM_ROOT] = NULL; /* roots are alike, not the same */
    env.slots[CLAIM_SIZE] = costing->size;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        env.slots[CLAIM_TS + i] = costing->parameters[i];
    const Term *buffer = algorithm->collective->buffer.program
                             ? kernel_program(kernel, &own, algorithm->collective->buffer.program)
                             : term_int(kernel->terms, 1);
    env.slots[CLAIM_BUFFER] = buffer; /* times m: read apart */
    return env;
}

/* Adds the condition to what is known of p. False: it never holds here, or has no translation. */
static bool assume(Costing *costing, const Env *env, const Expr *expr, bool *never)
{
    Kernel *kernel = costing->kernel;
    const Expr *test = expr->kind == EXPR_NOT ? expr->arguments[0] : expr;
    if (expr->kind == EXPR_AND)
        return assume(costing, env, expr->arguments[0], never) &&
               assume(costing, env, expr->arguments[1], never);
    if (test->kind == EXPR_POWER_OF_TWO && test->arguments[0]->slot == CLAIM_P &&
        test->arguments[0]->kind == EXPR_VARIABLE) {
        *never |= kernel->ranks == (test == expr ? RANKS_OTHERS : RANKS_POWERS);
        if (test == expr)
            kernel->p_base = 2;
        if (test == expr || *never)
            return true;
    }
    const Term *condition = kernel_translate(kernel, env, expr);
    if (kernel->why)
        return false;
    *never |= term_is_false(condition);
    *ARRAY_PUSH(kernel->arena, &costing->main->hypotheses) = condition;
    return true;
}

/* How a part is proved with this radix or number of ports, for such p; or NULL. */
static const ProofCase *find_case(const Prover *prover, const Algorithm *algorithm,
                                  const Kernel *kernel)
{
    for (size_t i = 0; i < prover->parts->count; i++) {
        const ProvedPart *part = &prover->parts->items[i];
        for (size_t k = 0; part->algorithm == algorithm && k < part->cases.count; k++) {
            const ProofCase *at = &part->cases.items[k];
            if ((at->ranks == RANKS_ANY || at->ranks == kernel->ranks) &&
                at->ports == kernel->ports && at->least_p <= kernel->p->least &&
                (!algorithm->branching || at->branches == kernel->branches))
                return at;
        }
    }
    return NULL;
}

static void follow(const Prover *prover, Costing *costing, const Algorithm *algorithm);

/* The stages one after the other; of a whole vector that is cut each has a part for each rank. */
static void follow_stages(const Prover *prover, Costing *costing, const Algorithm *algorithm)
{
    Arena *arena = costing->kernel->arena;
    const Poly whole = costing->unit, ranks = poly_of(arena, costing->kernel->p);
    for (size_t i = 0; i < algorithm->step_count && !costing->why; i++) {
        const Use *use = &algorithm->steps[i].use;
        const int own = use->algorithm->collective->index_count;
        costing->unit = whole;
        if (use->along != ALONG_ALL_RANKS || algorithm->free_chunks || algorithm->pipelined ||
            (use->renumber.program && costing->net > NET_STAR))
            costing->why = "stages that are not alike on all ranks";
        else if (own > algorithm->collective->index_count &&
                 (own > 1 || !poly_divide(arena, &whole, &ranks, &costing->unit)))
            costing->why = "parts of blocks";
        else
            follow(prover, costing, use->algorithm);
    }
    costing->unit = whole;
}

static void follow(const Prover *prover, Costing *costing, const Algorithm *algorithm)
{
    Kernel *kernel = costing->kernel;
    const ProofCase *at = find_case(prover, algorithm, kernel);
    if (algorithm->streams || algorithm->posts_together || algorithm->cutting.size.program) {
        costing->why = "messages that are posted together, or pieces that are not alike";
    } else if (algorithm->dual) {
        costing->backwards = !costing->backwards;
        follow(prover, costing, algorithm->dual);
        costing->backwards = !costing->backwards;
    } else if (algorithm->step_count && algorithm->steps[0].kind == STEP_USE) {
        follow_stages(prover, costing, algorithm);
    } else if (!at) {
        costing->why = "no proof for such p is recorded";
    } else {
        Proof *proof = proof_start(kernel, algorithm, at->ranks, at->exact);
        const Watch watch = {costing, costing_round, costing_loop};
        const Poly whole = costing->unit;
        for (size_t i = 0; i < proof->hypotheses.count; i++)
            *ARRAY_PUSH(kernel->arena, &costing->main->hypotheses) = proof->hypotheses.items[i];
        if (algorithm->chunks.program) {
            const Poly pieces = poly_of(
                kernel->arena, kernel_program(kernel, &proof->env, algorithm->chunks.program));
            if (kernel->why || !poly_divide(kernel->arena, &whole, &pieces, &costing->unit))
                costing->why = "pieces of which it is not known how many there are";
        }
        proof->invariants = at->invariants;
        proof->invariant_count = at->count;
        proof->watch = &watch;
        proof->found_only = true;
        if (!costing->why && !proof_follow(proof) && !costing->why)
            costing->why = kernel->why ? kernel->why : "the program is not followed";
        costing->unit = whole;
    }
}

/* The claim's formula without the parameters that it leaves out, for each of them alone. */
static bool compare_times(Costing *costing, const Claim *claim, const Poly *claimed)
{
    Kernel *kernel = costing->kernel;
    Arena *arena = kernel->arena;
    const Poly none = {0}, one = poly_int(arena, 1);
    Poly left = *claimed;
    bool good = true;
    for (int i = 0; i < PARAMETER_COUNT && good; i++) {
        Poly only = left, without;
        good = poly_replace(kernel, &left, costing->parameters[i], &none, &without);
        only = poly_sum(arena, &left, -1, &without);
        left = without;
        good &= poly_replace(kernel, &only, costing->parameters[i], &one, &only);
        if (claim_counts(claim, (Parameter)i) && !claim->neglects[i])
            good &= costing_equal(costing, &only, &costing->total.of[i]);
        if (!good)
            costing->why = arena_printf(arena, "the part with %s is not shown to be what follows",
                                        costing->parameters[i]->variable->stem);
    }
    return good && left.count == 0;
}

static bool has_arrays(const Algorithm *algorithm)
{
    bool has = algorithm->array_count > 0 || (algorithm->dual && has_arrays(algorithm->dual));
    for (size_t i = 0; i < algorithm->step_count && !has; i++)
        has = algorithm->steps[i].kind == STEP_USE && has_arrays(algorithm->steps[i].use.algorithm);
    return has;
}

static bool compare_peak(Costing *costing, const Algorithm *algorithm, const Poly *claimed)
{
    const Collective *collective = algorithm->collective;
    Arena *arena = costing->kernel->arena;
    Poly all = poly_of(arena, costing->size);
    bool fits = true;
    if (has_arrays(algorithm) || collective->is_empty) {
        costing->why = "blocks in other arrays";
        return false;
    }
    for (int i = 0; i < collective->index_count; i++) {
        const Poly extent = poly_of(arena, proof_extent(costing->main, 0, i));
        all = poly_times(arena, &all, &extent, &fits);
    }
    /* Some rank holds all blocks that there are, at the beginning or at the end (lemma H). */
    Proof *proof = costing->main;
    Kernel *kernel = proof->kernel;
    const Block block = proof_block(proof, 0);
    const Term *root = proof->env.slots[SCHEDULE_ROOT];
    bool holds = false;
    if (!root)
        root = term_int(kernel->terms, 0);
    for (int i = 0; i < 2 && !holds; i++) {
        const Term *held =
            proof_in_sets(proof, i ? &collective->after : &collective->before, root, &block);
        holds = !kernel->why && costing_always(costing, "holds all",
                                               "one rank holds all blocks that there are", held);
        if (!holds)
            kernel->why = NULL;
    }
    costing->why = holds ? "the claim is not all that there is" : "no rank holds all blocks";
    return holds && fits && costing_equal(costing, claimed, &all);
}

/* One claim on one network, for such p. */
typedef struct {
    const Prover *prover;
    const Algorithm *algorithm;
    const Claim *claim;
    const Proved *proved;
    Asked *asked;
    RankCase ranks;
    int64_t value; /* of the radix or the ports; 0: there is none */
    Net net;
    bool stores;
    bool applies; /* to some p, in some case */
    const char *why;
} ClaimCase;

enum { CONDITION_POINTS = 4000 };

static bool compare_claim(ClaimCase *at, Costing *costing)
{
    Kernel *kernel = costing->kernel;
    Arena *arena = kernel->arena;
    const Claim *claim = at->claim;
    Reading reading = {costing, claim_env(costing, at->algorithm), true};
    bool never = false;
    Poly claimed;
    if (kernel->ranks == RANKS_OTHERS) {
        const Term *log = kernel_log(kernel, 2, false, kernel->p);
        *ARRAY_PUSH(arena, &costing->main->hypotheses) = term_not(
            kernel->terms, term_equal(kernel->terms, kernel->p, kernel_power(kernel, 2, log)));
    }
    if (claim->when.program &&
        !assume(costing, &reading.env, program_expr(claim->when.program), &never)) {
        costing->why = "its condition has no translation";
        return false;
    }
    if (at->net == NET_HYPERCUBE)
        kernel->p_base = 2;
    if (never || (at->net == NET_HYPERCUBE && kernel->ranks == RANKS_OTHERS))
        return true;
    Samples samples = samples_of(costing->main, NULL, 0);
    if (!samples_next(&samples, CONDITION_POINTS)) {
        costing->why = "its condition was not met where it was tried";
        return false;
    }
    at->applies = true;
    const Poly size = poly_of(arena, costing->size);
    const Poly buffer = poly_of(arena, reading.env.slots[CLAIM_BUFFER]);
    const Poly bytes = poly_times(arena, &size, &buffer, &reading.fits);
    const Term *mark = term_free(kernel->terms, "M", term_int(kernel->terms, 0), kernel->p);
    reading.env.slots[CLAIM_BUFFER] = mark;
    if (claim->kind != CLAIM_PEAK)
        follow(at->prover, costing, at->algorithm);
    if (costing->why)
        return false;
    claimed = read_claim(&reading, program_expr(claim->formula.program));
    if (!reading.fits || costing->why || !poly_replace(kernel, &claimed, mark, &bytes, &claimed)) {
        if (!costing->why)
            costing->why = "the claim has no translation";
        return false;
    }
    if (claim->kind == CLAIM_PEAK)
        return compare_peak(costing, at->algorithm, &claimed);
    if (claim->kind == CLAIM_TIME)
        return compare_times(costing, claim, &claimed);
    costing->why = "the rounds are not shown to be so many";
    return costing_equal(costing, &claimed, &costing->total.of[PARAMETER_TS]);
}

/* The least p of the parts; and is one of them proved apart where p is a power of two? */
static int64_t least_ranks(const Prover *prover, bool *apart)
{
    int64_t least = 1;
    *apart = false;
    for (size_t i = 0; i < prover->parts->count; i++)
        for (size_t k = 0; k < prover->parts->items[i].cases.count; k++) {
            const ProofCase *at = &prover->parts->items[i].cases.items[k];
            least = at->least_p > least ? at->least_p : least;
            *apart |= at->ranks == RANKS_POWERS;
        }
    return least;
}

static bool prove_case(ClaimCase *at)
{
    const Prover *prover = at->prover;
    Arena *arena = arena_scratch(prover->arena);
    const bool ports = at->proved->of && strcmp(at->proved->of, "ports") == 0;
    bool apart;
    Kernel *kernel = kernel_create(arena, at->ranks, ports ? 0 : at->value, ports ? at->value : 1,
                                   ports ? least_ranks(prover, &apart) : 1);
    kernel->tests_powers = at->ranks == RANKS_ANY;
    Costing costing = {.kernel = kernel, .net = at->net, .stores = at->stores};
    costing.main = proof_start(kernel, at->algorithm, at->ranks, false);
    static const char *const names[PARAMETER_COUNT] = {"ts", "th", "tw", "tc"};
    Terms *terms = costing.kernel->terms;
    const Term *one = term_int(terms, 1);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        costing.parameters[i] = term_free(terms, names[i], one, costing.kernel->p);
    costing.size = term_free(terms, "m", one, costing.kernel->p);
    costing.unit = poly_of(arena, costing.size);
    costing.ports = ports ? term_int(kernel->terms, at->value)
                          : term_free(kernel->terms, "d", term_int(kernel->terms, 1), NULL);
    if (!ports)
        costing.ports->variable->high = kernel->p; /* of samples */
    bool good = !kernel->why && compare_claim(at, &costing) && !kernel->terms->overflows;
    const char *why = costing.why ? costing.why : kernel->why ? kernel->why : "numbers too large";
    if (good) {
        const char *title = arena_printf(
            prover->arena, "%s, %s on %s%s: %s", algorithm_full_name(prover->arena, at->algorithm),
            claim_info[at->claim->kind].key, net_names[at->net],
            at->stores ? ", store-and-forward" : "", claim_formula(prover->arena, at->claim));
        good = ask(at->asked, costing.main, title);
        why = at->asked->why;
    }
    at->why = good ? NULL : arena_printf(prover->arena, "%s", why);
    arena_destroy(arena);
    return good;
}

/* On all networks of which the claim speaks, and for all p: powers of two and others apart where
   the program goes another way there. */
static bool prove_value(ClaimCase *at)
{
    const Claim *claim = at->claim;
    bool apart;
    least_ranks(at->prover, &apart);
    for (size_t i = 0; i < claim->on_count; i++) {
        int net = claim->kind == CLAIM_TIME ? 0 : NET_COUNT - 1;
        while (claim->kind == CLAIM_TIME && net < NET_COUNT &&
               strcmp(claim->on[i], net_names[net]) != 0)
            net++;
        if (net == NET_COUNT) {
            at->why = arena_printf(at->prover->arena, "%s: no lemma", claim->on[i]);
            return false;
        }
        at->net = claim->kind == CLAIM_TIME ? (Net)net : NET_FULL;
        for (int mode = 0; mode < 2; mode++) {
            at->stores = mode == 1;
            if (!claim->switching[mode ? SWITCHING_STORE_AND_FORWARD : SWITCHING_CUT_THROUGH] ||
                (mode == 1 && at->net == NET_FULL && claim->switching[SWITCHING_CUT_THROUGH]))
                continue;
            for (at->ranks = apart ? RANKS_OTHERS : RANKS_ANY;
                 at->ranks <= (apart ? RANKS_POWERS : RANKS_ANY); at->ranks++)
                if (!prove_case(at))
                    return false;
        }
        if (claim->kind != CLAIM_TIME)
            break; /* rounds and blocks are the same on all */
    }
    at->why = "it is about no p";
    return at->applies;
}

Proved prove_claim(const Prover *prover, const Algorithm *algorithm, const Proved *proved,
                   const Claim *claim)
{
    Asked asked = {.prover = prover,
                   .name = arena_printf(
                       prover->arena, "%s-%s-%s", algorithm_full_name(prover->arena, algorithm),
                       claim_info[claim->kind].key, proof_claim_id(prover->arena, claim)),
                   .hashes = {.arena = prover->arena}};
    ClaimCase at = {.prover = prover,
                    .algorithm = algorithm,
                    .claim = claim,
                    .proved = proved,
                    .asked = &asked};
    Proved result = {.text = "not proved", .of = proved->of, .hashes = ""};
    const bool known =
        claim->kind == CLAIM_TIME || claim->kind == CLAIM_ROUND_COUNT || claim->kind == CLAIM_PEAK;
    if (claim->recorded_refuted) {
        result.text = "refuted as printed", result.verdict = REFUTED_AS_PRINTED;
        result.why = "marked as wrong";
    } else if (!known || claim->first.program || claim->overlaps || claim->is_lower ||
               claim->is_upper || claim->is_approximate || !claim->formula.program) {
        result.why = "no such claim is proved";
    } else if (!proved->verdict) {
        result.why = "the algorithm is not proved for all p";
    } else if (!proved->of) {
        result.verdict = prove_value(&at) ? PROVED_ALL_P : NOT_PROVED;
        result.text = result.verdict ? "proved for all p" : "not proved";
    } else {
        for (int value = 0; value < 32; value++) {
            at.value = value;
            const size_t count = asked.hashes.count;
            const int obligations = asked.obligations;
            if (!(proved->values >> value & 1))
                continue;
            if (prove_value(&at)) {
                result.values |= 1u << value;
            } else {
                buffer_cut(&asked.hashes, count);
                asked.obligations = obligations;
            }
        }
        proved_for(prover->arena, &result);
    }
    if (!result.why)
        result.why = result.verdict ? "" : at.why;
    if (result.verdict == PROVED_ALL_P || result.verdict == PROVED_SOME) {
        result.hashes = asked_hashes(&asked);
        result.obligations = asked.obligations;
    }
    result.is_split = asked.is_split;
    result.unsure = asked.unsure;
    return result;
}
