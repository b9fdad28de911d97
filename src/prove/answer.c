#include "prove/prove.h"

#include "base/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One way to run an algorithm: a radix or ports, and which p. */
typedef struct {
    const Prover *prover;
    const Algorithm *algorithm;
    RankCase ranks;
    int64_t branches, ports, least_p;
    bool exact;
    const char *invariants[8];
    size_t count;
    const Node *recorded; /* cases to follow in place of a search; or NULL */
    /* what was found */
    Buffer *texts, *cases; /* of all obligations, and with which invariants */
    int obligations;
    const char *why;
    int64_t failed_p;
    bool asks_powers, gives_up; /* a solver could not tell */
    bool is_split;              /* one says unsat, the other sat */
    int unsure;                 /* bit i: solver i could not tell, but the other */
    int solved;                 /* proofs that solvers were asked about */
    int64_t work;
} Attempt;

/* What is done with one radix or number of ports to find invariants, as `Terms.work` counts; how
   long a solver has, and one that is asked where another says unsat. */
enum { MOST_WORK = 100000000, MOST_SOLVED = 3, SOLVER_SECONDS = 30, SECOND_SECONDS = 5 };

const char *const solver_names[2] = {"z3", "cvc5"};

static bool keep_text(const Attempt *attempt, const char *text, size_t number)
{
    const char *name = algorithm_full_name(attempt->prover->arena, attempt->algorithm);
    char *flat = arena_copy(attempt->prover->arena, name, strlen(name));
    for (char *c = flat; *c; c++)
        *c = *c == '/' ? '-' : *c;
    FILE *file = fopen(arena_printf(attempt->prover->arena, "%s/%s-%d%d%s-%02zu.smt2",
                                    attempt->prover->folder, flat, (int)attempt->branches,
                                    (int)attempt->ports,
                                    attempt->ranks == RANKS_POWERS ? "-powers" : "", number),
                       "w");
    if (!file)
        return false;
    const bool good = fputs(text, file) >= 0;
    return fclose(file) == 0 && good;
}

/* Does a solver say unsat, and none that is asked sat? One that cannot tell leaves it to the other.
 */
static bool is_refuted(Attempt *attempt, const char *text, const char *name)
{
    const Prover *prover = attempt->prover;
    bool refuted = false, satisfied = false;
    int unsure = 0;
    for (int i = 0; i < 2 && !satisfied; i++) {
        if (!((int)prover->solvers >> i & 1))
            continue;
        const char *answer = solver_answer(prover->arena, solver_names[i], text,
                                           refuted ? SECOND_SECONDS : SOLVER_SECONDS);
        satisfied = answer && strcmp(answer, "sat") == 0;
        attempt->is_split |= refuted && satisfied;
        if (answer && strcmp(answer, "unsat") == 0)
            refuted = true;
        else
            unsure |= 1 << i;
    }
    if (prover->solvers == SOLVER_NONE || (refuted && !satisfied)) {
        attempt->unsure |= unsure;
        return true;
    }
    attempt->gives_up = !satisfied;
    attempt->why = arena_printf(prover->arena, "%s: %s", name,
                                attempt->is_split ? "one solver says unsat, the other sat"
                                : satisfied       ? "a solver says sat"
                                                  : "no solver can tell");
    return false;
}

/* Are all obligations of the proof that was followed true? Without solvers they are only written.
 */
static bool solve(Attempt *attempt, Proof *proof)
{
    Arena *arena = attempt->prover->arena;
    const char *title = algorithm_full_name(arena, attempt->algorithm);
    if (attempt->algorithm->branching)
        title = arena_printf(arena, "%s, %s %" PRId64, title,
                             branching_names[attempt->algorithm->branching], attempt->branches);
    for (size_t i = 0; i < proof->obligations.count; i++) {
        const Obligation *obligation = &proof->obligations.items[i];
        const char *text = obligation_text(proof, obligation, title);
        if (!is_refuted(attempt, text, obligation->name))
            return false;
        if (attempt->prover->folder && !keep_text(attempt, text, i))
            attempt->why = "an obligation could not be written";
        buffer_printf(attempt->texts, "%s", text);
    }
    attempt->obligations += (int)proof->obligations.count;
    return true;
}

static Proof *start(const Attempt *attempt, Arena *arena)
{
    Proof *proof = proof_start(arena, attempt->algorithm, attempt->ranks, attempt->branches,
                               attempt->ports, attempt->least_p, attempt->exact);
    proof->invariants = attempt->invariants;
    proof->invariant_count = attempt->count;
    return proof;
}

static const char *const rank_words[] = {"any", "others", "powers"};

/* With the invariants that are known: the same obligations each time. */
static bool solve_case(Attempt *attempt)
{
    Arena *arena = arena_scratch(attempt->prover->arena);
    Proof *proof = start(attempt, arena);
    proof->found_only = true;
    const bool good = proof_follow(proof) && solve(attempt, proof);
    if (good) {
        buffer_printf(attempt->cases, "  - \"%s %" PRId64 " %" PRId64 " %" PRId64 " %d",
                      rank_words[attempt->ranks], attempt->branches, attempt->ports,
                      attempt->least_p, attempt->exact);
        for (size_t i = 0; i < attempt->count; i++)
            buffer_printf(attempt->cases, " | %s", attempt->invariants[i]);
        buffer_printf(attempt->cases, "\"\n");
    }
    arena_destroy(arena);
    return good;
}

/* The recorded cases with this radix or number of ports. False: none, or one fails. */
static bool follow_recorded(Attempt *attempt)
{
    bool good = true;
    int followed = 0;
    const int64_t branches = attempt->branches, ports = attempt->ports;
    for (size_t i = 0; i < node_item_count(attempt->recorded) && good; i++) {
        Text rest = node_item(attempt->recorded, i)->text, part;
        char word[8];
        int exact;
        if (!text_split(rest, '|', &part, &rest))
            part = rest, rest = text_plain("");
        const char *head = arena_copy(attempt->prover->arena, part.chars, part.length);
        if (sscanf(head, "%7s %" SCNd64 " %" SCNd64 " %" SCNd64 " %d", word, &attempt->branches,
                   &attempt->ports, &attempt->least_p, &exact) != 5 ||
            attempt->branches != branches || attempt->ports != ports || exact != attempt->exact)
            continue;
        attempt->ranks = *word == 'a' ? RANKS_ANY : *word == 'o' ? RANKS_OTHERS : RANKS_POWERS;
        for (attempt->count = 0; rest.length && attempt->count < 8; attempt->count++) {
            if (!text_split(rest, '|', &part, &rest))
                part = rest, rest = text_plain("");
            part = text_trim(part);
            attempt->invariants[attempt->count] =
                arena_copy(attempt->prover->arena, part.chars, part.length);
        }
        good = solve_case(attempt);
        followed++;
    }
    attempt->branches = branches, attempt->ports = ports;
    attempt->why = "not as it was recorded";
    return good && followed;
}

static const char *keep_word(const Attempt *attempt, const char *text)
{
    return arena_copy(attempt->prover->arena, text, strlen(text));
}

static bool seek_invariants(Attempt *attempt);

/* Tries what may be the invariant that the proof wants next. */
static bool try_candidates(Attempt *attempt, Proof *proof)
{
    Conditions candidates = {0};
    invariants_list(proof->kernel->arena, attempt->algorithm, proof->index_wanted, attempt->ports,
                    &candidates);
    const char *why = attempt->why;
    for (size_t i = 0; i < candidates.count && attempt->work < MOST_WORK; i++) {
        if (!proof_may_begin(proof, candidates.items[i]))
            continue;
        attempt->invariants[attempt->count++] = candidates.items[i];
        if (seek_invariants(attempt))
            return true;
        if (attempt->gives_up)
            return false;
        attempt->count--;
    }
    attempt->asks_powers |= proof->kernel->asks_powers;
    attempt->why = why ? why
                       : arena_printf(attempt->prover->arena, "no invariant for the loop over %s",
                                      proof->index_wanted);
    return false;
}

/* Follows the program with the invariants chosen so far, and seeks those that are missing. */
static bool seek_with(Attempt *attempt, Arena *arena)
{
    Proof *proof = start(attempt, arena);
    Kernel *kernel = proof->kernel;
    kernel->most_work = MOST_WORK - attempt->work;
    const bool done = proof_follow(proof);
    attempt->work += kernel->terms->work;
    attempt->asks_powers |= kernel->asks_powers;
    if (kernel->least_p > attempt->least_p) {
        attempt->least_p = kernel->least_p;
        return seek_invariants(attempt);
    }
    if (done) {
        for (size_t i = 0; i < attempt->count; i++)
            attempt->invariants[i] = keep_word(attempt, attempt->invariants[i]);
        return attempt->solved++ < MOST_SOLVED && solve_case(attempt);
    }
    if (proof->wants_more && attempt->count < sizeof attempt->invariants / sizeof(char *))
        return try_candidates(attempt, proof);
    if (kernel->why || !attempt->why)
        attempt->why = kernel->why
                           ? keep_word(attempt, kernel->why)
                           : arena_printf(attempt->prover->arena, "%s fails", proof->failed);
    attempt->failed_p = proof->failed_p;
    return false;
}

static bool seek_invariants(Attempt *attempt)
{
    Arena *arena = arena_scratch(attempt->prover->arena);
    const bool found = seek_with(attempt, arena);
    arena_destroy(arena);
    return found;
}

/* Any p, or powers of two and the others apart. */
static bool search_case(Attempt *attempt)
{
    attempt->count = 0;
    attempt->solved = 0;
    attempt->ranks = RANKS_ANY;
    attempt->asks_powers = attempt->gives_up = false;
    attempt->work = 0;
    attempt->why = NULL;
    if (seek_invariants(attempt))
        return true;
    if (!attempt->asks_powers)
        return false;
    if (attempt->algorithm->collective->rooted && !lemma_xor(attempt->algorithm)) {
        attempt->why = "with a power of two roots are not alike (lemma X)";
        return false;
    }
    for (RankCase ranks = RANKS_OTHERS; ranks <= RANKS_POWERS; ranks++) {
        attempt->solved = 0;
        attempt->count = 0;
        attempt->ranks = ranks;
        attempt->why = NULL;
        if (!seek_invariants(attempt))
            return false;
    }
    return true;
}

/* With one radix or number of ports. */
static bool prove_case(Attempt *attempt)
{
    const size_t texts = attempt->texts->count, cases = attempt->cases->count;
    const int obligations = attempt->obligations;
    if (attempt->recorded ? follow_recorded(attempt) : search_case(attempt))
        return true;
    attempt->texts->count = texts;
    attempt->cases->count = cases;
    attempt->obligations = obligations;
    return false;
}

/* The invariants, as they are to be told. */
static const char *show_invariants(const Attempt *attempt)
{
    Buffer text = {.arena = attempt->prover->arena};
    for (size_t i = 0; i < attempt->count; i++)
        buffer_printf(&text, "%s%s", i ? "; " : "", attempt->invariants[i]);
    return text.items ? text.items : "";
}

static void set_some(Arena *arena, Proved *proved)
{
    Buffer which = {.arena = arena};
    for (int value = 0; value < 32; value++)
        if (proved->values >> value & 1)
            buffer_printf(&which, "%s%d", which.count ? ", " : "", value);
    const bool ports = strcmp(proved->of, "ports") == 0;
    proved->verdict = which.count ? PROVED_SOME : NOT_PROVED;
    if (which.count)
        proved->text = ports ? arena_printf(arena, "proved for %s ports", which.items)
                             : arena_printf(arena, "proved for %s %s", proved->of, which.items);
}

/* Several values of a radix or fan-out, each proved by itself. */
static Proved prove_branches(Attempt *attempt, bool reads_ports)
{
    const int64_t first = attempt->algorithm->branching == BRANCHING_RADIX ? 2 : 1;
    const int64_t last = reads_ports ? 3 : 4;
    Proved proved = {.text = "not proved",
                     .of = reads_ports ? "ports" : branching_names[attempt->algorithm->branching]};
    if (reads_ports && attempt->algorithm->branching) {
        proved.why = "a free number beside that of ports";
        return proved;
    }
    for (int64_t value = first; value <= last; value++) {
        attempt->branches = reads_ports ? 0 : value;
        attempt->ports = reads_ports ? value : 1;
        if (prove_case(attempt)) {
            proved.values |= 1u << value;
            proved.why = show_invariants(attempt);
            proved.exact = attempt->exact;
        } else if (!proved.why) {
            proved.why = attempt->why;
        }
    }
    set_some(attempt->prover->arena, &proved);
    return proved;
}

static const char *hash_of(const Buffer *texts)
{
    char hash[SHA256_DIGITS + 1];
    sha256(texts->items ? texts->items : "", texts->count, hash);
    return texts->count ? arena_copy(texts->arena, hash, SHA256_DIGITS) : "";
}

static Proved prove_direct(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Buffer texts = {.arena = prover->arena}, cases = texts;
    const bool asks = prover->solvers != SOLVER_NONE;
    const ProofRecord *record = asks ? NULL : proof_record(prover->arena, algorithm);
    Attempt attempt = {.prover = prover,
                       .algorithm = algorithm,
                       .ports = 1,
                       .least_p = 1,
                       .exact = exact,
                       .recorded = record ? record->cases : NULL,
                       .texts = &texts,
                       .cases = &cases};
    Proved proved = {.text = "not proved"};
    if (!asks && !attempt.recorded) {
        proved.why = "no proof of it is recorded";
    } else if (algorithm->branching || algorithm->reads_ports) {
        proved = prove_branches(&attempt, algorithm->reads_ports);
    } else if (prove_case(&attempt)) {
        proved = (Proved){.text = "proved for all p",
                          .verdict = PROVED_ALL_P,
                          .exact = exact,
                          .why = show_invariants(&attempt)};
    } else {
        proved.why = attempt.why;
        proved.failed_p = attempt.failed_p;
    }
    proved.obligations = attempt.obligations;
    proved.is_split = attempt.is_split;
    proved.unsure = attempt.unsure;
    proved.hash = hash_of(&texts);
    proved.cases = cases.count ? cases.items : "";
    return proved;
}

/* Which collectives one after the other are which one: after the first each block is where the
   second one wants it. */
static const char *const sequences[][3] = {
    {"broadcast", "scatter", "allgather"},
    {"reduce", "reduce-scatter", "gather"},
    {"allreduce", "reduce-scatter", "allgather"},
    {"allreduce", "reduce", "broadcast"},
};

static bool fits(const Algorithm *algorithm)
{
    const char *names[3] = {algorithm->collective->head.name, NULL, NULL};
    for (size_t i = 0; i < algorithm->step_count && i < 2; i++)
        names[1 + i] = algorithm->steps[i].use.algorithm->collective->head.name;
    if (algorithm->step_count == 1)
        return strcmp(names[0], names[1]) == 0;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences && algorithm->step_count == 2; i++)
        if (strcmp(sequences[i][0], names[0]) == 0 && strcmp(sequences[i][1], names[1]) == 0 &&
            strcmp(sequences[i][2], names[2]) == 0)
            return true;
    return false;
}

/* Lemma L: the ranks that are given other numbers are all, each once. */
static bool renumbers(const Prover *prover, const Algorithm *algorithm, const Use *use,
                      Proved *proved, Buffer *texts)
{
    Proof *proof = proof_start(prover->arena, algorithm, RANKS_ANY, 0, 1, 1, false);
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    Attempt attempt = {.prover = prover, .algorithm = algorithm, .texts = texts};
    const Term *ranks[2] = {proof_rank(proof, "r"), proof_rank(proof, "s")}, *to[2];
    for (int i = 0; i < 2; i++) {
        Env env = proof->env;
        env.slots[SCHEDULE_R] = ranks[i];
        to[i] = kernel_formula(kernel, &env, &use->renumber);
    }
    TermArray given = {0};
    proof_oblige(proof, "renumbered", "the new number of a rank exists", &given,
                 term_and(terms, term_le(terms, term_int(terms, 0), to[0]),
                          term_less(terms, to[0], kernel->p)));
    *ARRAY_PUSH(prover->arena, &given) = term_equal(terms, to[0], to[1]);
    proof_oblige(proof, "one to one", "no two ranks get the same number", &given,
                 term_equal(terms, ranks[0], ranks[1]));
    if (kernel->why || proof->failed || !solve(&attempt, proof)) {
        proved->why = kernel->why ? kernel->why : "new numbers of ranks that are not one to one";
        return false;
    }
    proved->obligations += attempt.obligations;
    return true;
}

/* Lemmas C, L and P. */
static Proved prove_sequence(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Proved proved = {.text = "not proved", .exact = true, .hash = ""};
    Buffer parts = {.arena = prover->arena}, hashes = {.arena = prover->arena};
    if (!fits(algorithm) || algorithm->pipelined || algorithm->grid.count) {
        proved.why = "stages for which there is no lemma";
        return proved;
    }
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const Use *use = &algorithm->steps[i].use;
        const bool rooted = use->algorithm->collective->rooted;
        if (algorithm->steps[i].kind != STEP_USE || use->channels.program ||
            use->along == ALONG_NAMED || use->root.program || use->target.program ||
            (use->renumber.program && rooted)) {
            proved.why = "stages on some ranks, in channels, or with a root of their own";
            return proved;
        }
        const Proved part = prove_algorithm(prover, use->algorithm, exact);
        proved.obligations += part.obligations;
        proved.cases = use->is_own ? part.cases : proved.cases;
        proved.unsure |= part.unsure;
        if (part.verdict == NOT_PROVED) {
            proved.why = arena_printf(prover->arena, "%s: %s",
                                      algorithm_full_name(prover->arena, use->algorithm), part.why);
            return proved;
        }
        if (part.verdict == PROVED_SOME && proved.of && strcmp(proved.of, part.of) != 0) {
            proved.why = "stages with other free numbers each";
            return proved;
        }
        if (part.verdict == PROVED_SOME) { /* for those that all stages are proved for */
            proved.values = proved.of ? proved.values & part.values : part.values;
            proved.of = part.of;
        }
        proved.exact &= part.exact || use->algorithm->collective->combines;
        buffer_printf(&hashes, "%s\n", part.hash);
        buffer_printf(&parts, "%s%s%s", i ? ", then " : "",
                      algorithm_full_name(prover->arena, use->algorithm),
                      use->along == ALONG_EVERY_DIMENSION ? " along each dimension"
                      : use->renumber.program             ? " renumbered"
                                                          : "");
        if (use->renumber.program && !renumbers(prover, algorithm, use, &proved, &hashes))
            return proved;
    }
    proved.why = parts.items;
    proved.verdict = PROVED_ALL_P;
    proved.text = proved.of ? "not proved" : "proved for all p";
    if (proved.of)
        set_some(prover->arena, &proved);
    proved.hash = hash_of(&hashes);
    return proved;
}

/* Lemma D, for collectives whose contracts are one another backwards. */
static Proved prove_dual(const Prover *prover, const Algorithm *algorithm)
{
    const Algorithm *base = algorithm->dual;
    const char *dual = base->collective->dual;
    Proved proved = {.text = "not proved", .hash = ""};
    if (!dual || strcmp(dual, algorithm->collective->head.name) != 0 ||
        base->collective->combines) {
        proved.why = "the dual of what combines";
        return proved;
    }
    proved = prove_algorithm(prover, base, true);
    proved.cases = "";
    proved.why = arena_printf(prover->arena, proved.verdict ? "dual of %s" : "dual of %s: %s",
                              algorithm_full_name(prover->arena, base), proved.why);
    if (proved.verdict && !proved.exact) {
        proved = (Proved){.text = "not proved", .hash = ""};
        proved.why = arena_printf(prover->arena, "%s, which sends some block twice",
                                  algorithm_full_name(prover->arena, base));
    }
    return proved;
}

Proved prove_algorithm(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    if (algorithm->dual)
        return prove_dual(prover, algorithm);
    if (algorithm->step_count && algorithm->steps[0].kind == STEP_USE &&
        !algorithm->collective->problem)
        return prove_sequence(prover, algorithm, exact);
    const Proved proved = prove_direct(prover, algorithm, true);
    if (proved.verdict != NOT_PROVED || exact || algorithm->collective->combines)
        return proved;
    return prove_direct(prover, algorithm, false);
}
