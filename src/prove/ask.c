#include "prove/prove.h"

#include "base/sha256.h"
#include "model/builtin.h"

#include <stdio.h>
#include <string.h>

/* How long a solver has, and one that is asked where another says unsat. */
enum { SOLVER_SECONDS = 30, SECOND_SECONDS = 5, SHORT_HASH = 16 };

const char *const solver_names[2] = {"z3", "cvc5"};

static bool keep_text(const Asked *asked, const char *text)
{
    Arena *arena = asked->prover->arena;
    char *flat = arena_printf(arena, "%s/%s-%02d.smt2", asked->prover->folder, asked->name,
                              asked->obligations);
    for (char *c = flat + strlen(asked->prover->folder) + 1; *c; c++)
        *c = *c == '/' || *c == ' ' || *c == ',' ? '-' : *c;
    FILE *file = fopen(flat, "w");
    if (!file)
        return false;
    const bool good = fputs(text, file) >= 0;
    return fclose(file) == 0 && good;
}

/* Does a solver say unsat, and none that is asked sat? One that cannot tell leaves it to the other.
 */
static bool is_refuted(Asked *asked, const char *text, const char *name)
{
    const Prover *prover = asked->prover;
    bool refuted = false, satisfied = false;
    int unsure = 0;
    for (int i = 0; i < 2 && !satisfied; i++) {
        if (!((int)prover->solvers >> i & 1))
            continue;
        const char *answer = solver_answer(prover->arena, solver_names[i], text,
                                           refuted ? SECOND_SECONDS : SOLVER_SECONDS);
        satisfied = answer && strcmp(answer, "sat") == 0;
        asked->is_split |= refuted && satisfied;
        if (answer && strcmp(answer, "unsat") == 0)
            refuted = true;
        else
            unsure |= 1 << i;
    }
    if (prover->solvers == SOLVER_NONE || prover->solvers == SOLVER_RECORDED ||
        (refuted && !satisfied)) {
        asked->unsure |= unsure;
        return true;
    }
    asked->gives_up = !satisfied;
    asked->why = arena_printf(prover->arena, "%s: %s", name,
                              asked->is_split ? "one solver says unsat, the other sat"
                              : satisfied     ? "a solver says sat"
                                              : "no solver can tell");
    return false;
}

static bool is_true(Asked *asked, const char *text, const char *name, const char *hash)
{
    const Prover *prover = asked->prover;
    if (prover->solvers == SOLVER_RECORDED && !strstr(builtin_proofs, hash)) {
        asked->why =
            arena_printf(prover->arena, "%s: this is not recorded, and no solver is asked", name);
        return false;
    }
    /* Was the same formula refuted before? Claims of one algorithm have many in common. */
    Conditions *before = prover->asked;
    if (before && text_among(text_plain(hash), before->items, before->count) < before->count)
        return true;
    if (!is_refuted(asked, text, name))
        return false;
    if (before)
        *ARRAY_PUSH(prover->arena, before) = hash;
    return true;
}

bool ask(Asked *asked, Proof *proof, const char *title)
{
    for (size_t i = 0; i < proof->obligations.count; i++) {
        const Obligation *obligation = &proof->obligations.items[i];
        const char *text = obligation_text(proof, obligation, title);
        const char *formula = strchr(text, '\n'); /* without the title */
        char digits[SHA256_DIGITS + 1];
        sha256(formula, strlen(formula), digits);
        const char *hash = arena_copy(asked->prover->arena, digits, SHORT_HASH);
        if (!is_true(asked, text, obligation->name, hash))
            return false;
        if (asked->prover->folder && !keep_text(asked, text)) {
            asked->why = "an obligation could not be written";
            return false;
        }
        buffer_printf(&asked->hashes, "%s%s", asked->hashes.count ? " " : "", hash);
        asked->obligations++;
    }
    return true;
}

const char *asked_hashes(const Asked *asked)
{
    return asked->hashes.count ? asked->hashes.items : "";
}
