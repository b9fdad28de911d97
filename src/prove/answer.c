#include "prove/prove.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One way to run an algorithm: a radix or ports, and which p. */
typedef struct {
    const Prover *prover;
    const Algorithm *algorithm;
    ProofCase at;
    const ProofCases *recorded; /* cases to follow before a search; or NULL */
    /* what was found */
    Asked *asked;
    ProofCases *cases;
    const char *why;
    int64_t failed_p;
    bool asks_powers;
    int solved; /* proofs that solvers were asked about */
    int64_t work;
} Attempt;

/* What is done with one radix or number of ports to find invariants, as `Terms.work` counts. */
enum { MOST_WORK = 100000000, MOST_SOLVED = 3 };

static Proof *start(const Attempt *attempt, Arena *arena)
{
    Kernel *kernel = kernel_create(arena, attempt->at.ranks, attempt->at.branches,
                                   attempt->at.ports, attempt->at.least_p);
    Proof *proof = proof_start(kernel, attempt->algorithm, attempt->at.ranks, attempt->at.exact);
    proof->invariants = attempt->at.invariants;
    proof->invariant_count = attempt->at.count;
    return proof;
}

static const char *const rank_words[] = {"any", "others", "powers"};

/* With the invariants that are known: the same obligations each time. */
static bool solve_case(Attempt *attempt)
{
    Arena *arena = arena_scratch(attempt->prover->arena);
    Proof *proof = start(attempt, arena);
    proof->found_only = true;
    bool good = proof_follow(proof);
    const char *title = attempt->asked->name; /* "allgather/radix-bruck, radix 3" */
    if (attempt->algorithm->branching)
        title = arena_printf(attempt->prover->arena, "%s, %s %" PRId64, title,
                             branching_names[attempt->algorithm->branching], attempt->at.branches);
    if (good && !ask(attempt->asked, proof, title)) {
        attempt->why = attempt->asked->why;
        good = false;
    }
    if (good)
        *ARRAY_PUSH(attempt->prover->arena, attempt->cases) = attempt->at;
    arena_destroy(arena);
    return good;
}

static ProofCases read_cases(Arena *arena, const Node *list)
{
    ProofCases cases = {0};
    for (size_t i = 0; list && i < node_item_count(list); i++) {
        Text rest = node_item(list, i)->text, part;
        ProofCase at = {0};
        char word[8];
        int exact;
        text_next(&rest, '|', &part);
        if (sscanf(text_string(arena, part), "%7s %" SCNd64 " %" SCNd64 " %" SCNd64 " %d", word,
                   &at.branches, &at.ports, &at.least_p, &exact) != 5)
            continue;
        at.exact = exact;
        at.ranks = *word == 'a' ? RANKS_ANY : *word == 'o' ? RANKS_OTHERS : RANKS_POWERS;
        while (at.count < COUNT_OF(at.invariants) && text_next(&rest, '|', &part)) {
            part = text_trim(part);
            at.invariants[at.count++] = text_string(arena, part);
        }
        *ARRAY_PUSH(arena, &cases) = at;
    }
    return cases;
}

static const char *write_cases(Arena *arena, const ProofCases *cases)
{
    Buffer text = {.arena = arena};
    for (size_t i = 0; i < cases->count; i++) {
        const ProofCase *at = &cases->items[i];
        buffer_printf(&text, "  - \"%s %" PRId64 " %" PRId64 " %" PRId64 " %d",
                      rank_words[at->ranks], at->branches, at->ports, at->least_p, at->exact);
        for (size_t k = 0; k < at->count; k++)
            buffer_printf(&text, " | %s", at->invariants[k]);
        buffer_printf(&text, "\"\n");
    }
    return text.items ? text.items : "";
}

/* The recorded cases with this radix or number of ports. False: none, or one fails. */
static bool follow_recorded(Attempt *attempt)
{
    bool good = true;
    int followed = 0;
    for (size_t i = 0; i < attempt->recorded->count && good; i++) {
        const ProofCase *at = &attempt->recorded->items[i];
        if (at->branches != attempt->at.branches || at->ports != attempt->at.ports ||
            at->exact != attempt->at.exact)
            continue;
        attempt->at = *at;
        good = solve_case(attempt);
        followed++;
    }
    attempt->why = attempt->why ? attempt->why : "not as it was recorded";
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
    invariants_list(proof->kernel->arena, attempt->algorithm, proof->index_wanted,
                    attempt->at.ports, &candidates);
    const char *why = attempt->why;
    for (size_t i = 0; i < candidates.count && attempt->work < MOST_WORK; i++) {
        if (!proof_may_begin(proof, candidates.items[i]))
            continue;
        attempt->at.invariants[attempt->at.count++] = candidates.items[i];
        if (seek_invariants(attempt))
            return true;
        if (attempt->asked->gives_up)
            return false;
        attempt->at.count--;
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
    if (kernel->least_p > attempt->at.least_p) {
        attempt->at.least_p = kernel->least_p;
        return seek_invariants(attempt);
    }
    if (done) {
        for (size_t i = 0; i < attempt->at.count; i++)
            attempt->at.invariants[i] = keep_word(attempt, attempt->at.invariants[i]);
        return attempt->solved++ < MOST_SOLVED && solve_case(attempt);
    }
    if (proof->wants_more && attempt->at.count < sizeof attempt->at.invariants / sizeof(char *))
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
    attempt->at.count = 0;
    attempt->solved = 0;
    attempt->at.ranks = RANKS_ANY;
    attempt->asks_powers = attempt->asked->gives_up = false;
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
        attempt->at.count = 0;
        attempt->at.ranks = ranks;
        attempt->why = NULL;
        if (!seek_invariants(attempt))
            return false;
    }
    return true;
}

/* With one radix or number of ports. */
static bool prove_case(Attempt *attempt)
{
    const size_t hashes = attempt->asked->hashes.count, cases = attempt->cases->count;
    const int obligations = attempt->asked->obligations;
    for (int way = attempt->recorded ? 0 : 1; way < 2; way++) { /* as it was done, or anew */
        if (way ? attempt->prover->solvers != SOLVER_NONE && search_case(attempt)
                : follow_recorded(attempt))
            return true;
        buffer_cut(&attempt->asked->hashes, hashes);
        attempt->cases->count = cases;
        attempt->asked->obligations = obligations;
    }
    return false;
}

/* The invariants, as they are to be told. */
static const char *show_invariants(const Attempt *attempt)
{
    Buffer text = {.arena = attempt->prover->arena};
    for (size_t i = 0; i < attempt->at.count; i++)
        buffer_printf(&text, "%s%s", i ? "; " : "", attempt->at.invariants[i]);
    return text.items ? text.items : "";
}

void proved_for(Arena *arena, Proved *proved)
{
    Buffer which = {.arena = arena};
    for (int value = 0; value < 32; value++)
        if (proved->values >> value & 1)
            buffer_printf(&which, "%s%d", which.count ? ", " : "", value);
    const bool ports = strcmp(proved->of, "ports") == 0;
    proved->verdict = which.count ? PROVED_SOME : NOT_PROVED;
    if (which.count)
        proved->text = ports ? arena_printf(arena, "proved for %s port%s", which.items,
                                            strcmp(which.items, "1") == 0 ? "" : "s")
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
        attempt->at.branches = reads_ports ? 0 : value;
        attempt->at.ports = reads_ports ? value : 1;
        if (prove_case(attempt)) {
            proved.values |= 1u << value;
            proved.why = show_invariants(attempt);
            proved.exact = attempt->at.exact;
        } else if (!proved.why) {
            proved.why = attempt->why;
        }
    }
    proved_for(attempt->prover->arena, &proved);
    return proved;
}

static Proved prove_direct(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Asked asked = {.prover = prover,
                   .name = algorithm_full_name(prover->arena, algorithm),
                   .hashes = {.arena = prover->arena}};
    ProofCases cases = {0};
    const bool asks = prover->solvers != SOLVER_NONE;
    const ProofRecord *record = proof_record(prover->arena, algorithm);
    const ProofCases recorded = read_cases(prover->arena, record ? record->cases : NULL);
    Attempt attempt = {.prover = prover,
                       .algorithm = algorithm,
                       .at = {.ports = 1, .least_p = 1, .exact = exact},
                       .recorded = recorded.count ? &recorded : NULL,
                       .asked = &asked,
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
    proved.obligations = asked.obligations;
    proved.is_split = asked.is_split;
    proved.unsure = asked.unsure;
    proved.hashes = asked_hashes(&asked);
    proved.cases = write_cases(prover->arena, &cases);
    if (proved.verdict && prover->parts)
        *ARRAY_PUSH(prover->arena, prover->parts) = (ProvedPart){algorithm, cases};
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
    for (size_t i = 0; i < COUNT_OF(sequences) && algorithm->step_count == 2; i++)
        if (strcmp(sequences[i][0], names[0]) == 0 && strcmp(sequences[i][1], names[1]) == 0 &&
            strcmp(sequences[i][2], names[2]) == 0)
            return true;
    return false;
}

/* Lemma L: the ranks that are given other numbers are all, each once. */
static bool renumbers(const Prover *prover, const Algorithm *algorithm, const Use *use,
                      Proved *proved, Buffer *hashes)
{
    Kernel *kernel = kernel_create(prover->arena, RANKS_ANY, 0, 1, 1);
    Proof *proof = proof_start(kernel, algorithm, RANKS_ANY, false);
    Terms *terms = kernel->terms;
    Asked asked = {.prover = prover,
                   .name = algorithm_full_name(prover->arena, algorithm),
                   .hashes = {.arena = prover->arena}};
    const Term *ranks[2], *to[2];
    ranks[0] = proof_rank(proof, "r");
    ranks[1] = proof_rank(proof, "s");
    for (int i = 0; i < 2; i++) {
        Env env = proof->env;
        env.slots[SCHEDULE_R] = ranks[i];
        to[i] = kernel_program(kernel, &env, use->renumber.program);
    }
    TermArray given = {0};
    const Term *last = term_plus(terms, kernel->p, -1);
    proof_oblige(proof, "renumbered", "the new number of a rank exists", &given,
                 term_between(terms, term_int(terms, 0), to[0], last));
    *ARRAY_PUSH(prover->arena, &given) = term_equal(terms, to[0], to[1]);
    proof_oblige(proof, "one to one", "no two ranks get the same number", &given,
                 term_equal(terms, ranks[0], ranks[1]));
    if (kernel->why || proof->failed ||
        !ask(&asked, proof, algorithm_full_name(prover->arena, algorithm))) {
        proved->why = kernel->why ? kernel->why : "new numbers of ranks that are not one to one";
        return false;
    }
    buffer_printf(hashes, " %s", asked_hashes(&asked));
    proved->obligations += asked.obligations;
    return true;
}

/* Lemmas C, L and P. */
static Proved prove_sequence(const Prover *prover, const Algorithm *algorithm, bool exact)
{
    Proved proved = {.text = "not proved", .exact = true, .hashes = ""};
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
        buffer_printf(&hashes, "%s%s", i ? " " : "", part.hashes);
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
        proved_for(prover->arena, &proved);
    proved.hashes = hashes.items;
    return proved;
}

/* Lemma D, for collectives whose contracts are one another backwards. */
static Proved prove_dual(const Prover *prover, const Algorithm *algorithm)
{
    const Algorithm *base = algorithm->dual;
    const char *dual = base->collective->dual;
    Proved proved = {.text = "not proved", .hashes = ""};
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
        proved = (Proved){.text = "not proved", .hashes = ""};
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

/* All programs that it is made of, with the cases recorded for them. False: of one there is none.
 */
static bool list_parts(const Prover *prover, const Algorithm *algorithm)
{
    bool all = true;
    if (algorithm->dual)
        return list_parts(prover, algorithm->dual);
    for (size_t i = 0; i < algorithm->step_count && algorithm->steps[0].kind == STEP_USE; i++)
        all &= list_parts(prover, algorithm->steps[i].use.algorithm);
    if (algorithm->step_count && algorithm->steps[0].kind == STEP_USE)
        return all;
    const ProofRecord *record = proof_record(prover->arena, algorithm);
    const ProofCases cases = read_cases(prover->arena, record ? record->cases : NULL);
    if (cases.count)
        *ARRAY_PUSH(prover->arena, prover->parts) = (ProvedPart){algorithm, cases};
    return cases.count;
}

Proved prove_recorded(const Prover *prover, const Algorithm *algorithm)
{
    const ProofRecord *record = proof_record(prover->arena, algorithm);
    const bool all = record && record->is_all && list_parts(prover, algorithm);
    return (Proved){.text = all ? record->verdict : "not proved",
                    .verdict = all ? PROVED_ALL_P : NOT_PROVED,
                    .hashes = ""};
}
