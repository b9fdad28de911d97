#include "prove/prove.h"

#include "base/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One way to run an algorithm: a radix or ports, and which p. */
typedef struct {
    const Prover *prover;
    const Algorithm *algorithm;
    RankCase ranks;
    int64_t branches, ports, least_p;
    bool exact;
    const char *invariants[8];
    size_t count;
    /* what was found */
    Proof *proof;
    Buffer *texts; /* of all obligations */
    int obligations;
    const char *why;
    int64_t failed_p;
    bool asks_powers, gives_up; /* a solver could not tell */
    int tries;
} Attempt;

enum { MOST_TRIES = 250, MOST_SOLVED = 3 };

static bool keep_text(const Attempt *attempt, const char *text, size_t number)
{
    const char *name = algorithm_full_name(attempt->prover->arena, attempt->algorithm);
    char *flat = arena_copy(attempt->prover->arena, name, strlen(name));
    for (char *c = flat; *c; c++)
        *c = *c == '/' ? '-' : *c;
    mkdir(attempt->prover->folder, 0777);
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

/* Do all solvers that are asked say unsat? */
static bool is_refuted(Attempt *attempt, const char *text, const char *name)
{
    static const char *const programs[] = {"z3", "cvc5"};
    const Prover *prover = attempt->prover;
    for (int i = 0; i < 2; i++) {
        if (!((int)prover->solvers >> i & 1))
            continue;
        const char *answer = solver_answer(prover->arena, programs[i], text, prover->seconds);
        if (!answer || strcmp(answer, "unsat") != 0) {
            attempt->gives_up = !answer || strcmp(answer, "unknown") == 0;
            attempt->why = arena_printf(prover->arena, "%s: %s says %s", name, programs[i],
                                        answer ? answer : "nothing");
            return false;
        }
    }
    return true;
}

/* Are all obligations of the proof that was followed true? Without solvers they are only written.
 */
static bool solve(Attempt *attempt)
{
    Proof *proof = attempt->proof;
    Arena *arena = attempt->prover->arena;
    const char *title = algorithm_full_name(arena, attempt->algorithm);
    if (attempt->algorithm->branching)
        title = arena_printf(arena, "%s, %s %" PRId64, title,
                             branching_names[attempt->algorithm->branching], attempt->branches);
    const size_t before = attempt->texts->count;
    for (size_t i = 0; i < proof->obligations.count; i++) {
        const Obligation *obligation = &proof->obligations.items[i];
        const char *text = obligation_text(proof, obligation, title);
        if (!is_refuted(attempt, text, obligation->name)) {
            attempt->texts->count = before;
            return false;
        }
        if (attempt->prover->folder && !keep_text(attempt, text, i))
            attempt->why = "an obligation could not be written";
        buffer_printf(attempt->texts, "%s", text);
    }
    attempt->obligations += (int)proof->obligations.count;
    return true;
}

/* Follows the program with the invariants chosen so far, and seeks those that are missing. */
static bool seek_invariants(Attempt *attempt, int *solved)
{
    Arena *arena = attempt->prover->arena;
    Proof *proof = proof_start(arena, attempt->algorithm, attempt->ranks, attempt->branches,
                               attempt->ports, attempt->least_p, attempt->exact);
    proof->invariants = attempt->invariants;
    proof->invariant_count = attempt->count;
    const bool done = proof_follow(proof);
    attempt->asks_powers |= proof->kernel->asks_powers;
    if (proof->kernel->least_p > attempt->least_p) {
        attempt->least_p = proof->kernel->least_p;
        return seek_invariants(attempt, solved);
    }
    if (done) {
        attempt->proof = proof;
        return (*solved)++ < MOST_SOLVED && solve(attempt);
    }
    if (!proof->wants_more || attempt->count == sizeof attempt->invariants / sizeof(char *)) {
        if (proof->kernel->why || !attempt->why)
            attempt->why = proof->kernel->why ? proof->kernel->why
                                              : arena_printf(arena, "%s fails", proof->failed);
        attempt->failed_p = proof->failed_p;
        return false;
    }
    Conditions candidates = {0};
    invariants_list(arena, attempt->algorithm, proof->index_wanted, attempt->ports, &candidates);
    const char *why = attempt->why;
    for (size_t i = 0; i < candidates.count && attempt->tries < MOST_TRIES; i++) {
        if (!proof_may_begin(proof, candidates.items[i]))
            continue;
        attempt->tries++;
        attempt->invariants[attempt->count++] = candidates.items[i];
        if (seek_invariants(attempt, solved))
            return true;
        if (attempt->gives_up)
            return false;
        attempt->count--;
    }
    attempt->asks_powers |= proof->kernel->asks_powers;
    attempt->why =
        why ? why : arena_printf(arena, "no invariant for the loop over %s", proof->index_wanted);
    return false;
}

/* With one radix or number of ports; any p, or powers of two and the others apart. */
static bool prove_case(Attempt *attempt)
{
    int solved = 0;
    attempt->count = 0;
    attempt->ranks = RANKS_ANY;
    attempt->asks_powers = attempt->gives_up = false;
    attempt->tries = 0;
    attempt->why = NULL;
    if (seek_invariants(attempt, &solved))
        return true;
    if (!attempt->asks_powers)
        return false;
    if (attempt->algorithm->collective->rooted && !lemma_xor(attempt->algorithm)) {
        attempt->why = "with a power of two roots are not alike (lemma X)";
        return false;
    }
    for (RankCase ranks = RANKS_OTHERS; ranks <= RANKS_POWERS; ranks++) {
        solved = 0;
        attempt->count = 0;
        attempt->ranks = ranks;
        attempt->why = NULL;
        if (!seek_invariants(attempt, &solved))
            return false;
    }
    return true;
}

/* The invariants, as they are to be told. */
static const char *show_invariants(const Attempt *attempt)
{
    Buffer text = {.arena = attempt->prover->arena};
    for (size_t i = 0; i < attempt->count; i++)
        buffer_printf(&text, "%s%s", i ? "; " : "", attempt->invariants[i]);
    return text.items ? text.items : "";
}

/* Several values of a radix or fan-out, each proved by itself. */
static Proved prove_branches(Attempt *attempt, bool reads_ports)
{
    Arena *arena = attempt->prover->arena;
    Buffer which = {.arena = arena};
    Proved proved = {.text = "not proved"};
    const int64_t first = attempt->algorithm->branching == BRANCHING_RADIX ? 2 : 1;
    const int64_t last = reads_ports ? 3 : 4;
    for (int64_t value = first; value <= last; value++) {
        attempt->branches = reads_ports ? 0 : value;
        attempt->ports = reads_ports ? value : 1;
        if (reads_ports && attempt->algorithm->branching)
            attempt->branches = first;
        if (!prove_case(attempt)) {
            if (!proved.why)
                proved.why = attempt->why;
            continue;
        }
        buffer_printf(&which, "%s%" PRId64, which.count ? ", " : "", value);
        proved.why = show_invariants(attempt);
        proved.exact = attempt->exact;
    }
    if (which.count) {
        proved.verdict = PROVED_SOME;
        proved.text =
            reads_ports ? arena_printf(arena, "proved for %s ports", which.items)
                        : arena_printf(arena, "proved for %s %s",
                                       branching_names[attempt->algorithm->branching], which.items);
    }
    return proved;
}

static Proved prove_direct(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Buffer texts = {.arena = prover->arena};
    Attempt attempt = {.prover = prover,
                       .algorithm = algorithm,
                       .ports = 1,
                       .least_p = 1,
                       .exact = exact,
                       .texts = &texts};
    Proved proved = {.text = "not proved"};
    if (algorithm->branching || algorithm->reads_ports) {
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
    char hash[SHA256_DIGITS + 1];
    sha256(texts.items ? texts.items : "", texts.count, hash);
    proved.hash = arena_copy(prover->arena, hash, SHA256_DIGITS);
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
                      Proved *proved)
{
    Proof *proof = proof_start(prover->arena, algorithm, RANKS_ANY, 0, 1, 1, false);
    Kernel *kernel = proof->kernel;
    Terms *terms = kernel->terms;
    Buffer texts = {.arena = prover->arena};
    Attempt attempt = {.prover = prover, .algorithm = algorithm, .texts = &texts, .proof = proof};
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
    if (kernel->why || proof->failed || !solve(&attempt)) {
        proved->why = kernel->why ? kernel->why : "new numbers of ranks that are not one to one";
        return false;
    }
    proved->obligations += attempt.obligations;
    return true;
}

/* Lemmas C, L and P. */
static Proved prove_sequence(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Proved proved = {.text = "not proved", .verdict = PROVED_ALL_P, .exact = true, .hash = ""};
    Buffer parts = {.arena = prover->arena}, hashes = {.arena = prover->arena};
    proved.verdict = NOT_PROVED;
    if (!fits(algorithm) || algorithm->pipelined || algorithm->grid.count) {
        proved.why = "stages for which there is no lemma";
        return proved;
    }
    const char *text = "proved for all p";
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
        if (part.verdict == NOT_PROVED) {
            proved.why = arena_printf(prover->arena, "%s: %s",
                                      algorithm_full_name(prover->arena, use->algorithm), part.why);
            return proved;
        }
        if (part.verdict == PROVED_SOME)
            text = part.text, proved.verdict = PROVED_SOME;
        proved.exact &= part.exact || use->algorithm->collective->combines;
        buffer_printf(&hashes, "%s\n", part.hash);
        buffer_printf(&parts, "%s%s%s", i ? ", then " : "",
                      algorithm_full_name(prover->arena, use->algorithm),
                      use->along == ALONG_EVERY_DIMENSION ? " along each dimension"
                      : use->renumber.program             ? " renumbered"
                                                          : "");
        if (use->renumber.program && !renumbers(prover, algorithm, use, &proved)) {
            proved.verdict = NOT_PROVED;
            return proved;
        }
    }
    if (proved.verdict == NOT_PROVED)
        proved.verdict = PROVED_ALL_P;
    proved.text = text;
    proved.why = parts.items;
    char hash[SHA256_DIGITS + 1];
    sha256(hashes.items, hashes.count, hash);
    proved.hash = arena_copy(prover->arena, hash, SHA256_DIGITS);
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
