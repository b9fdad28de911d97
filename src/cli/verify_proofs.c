#include "cli/verify_proofs.h"

#include "cli/verify_entries.h"
#include "cli/workers.h"
#include "format/table.h"
#include "prove/prove.h"
#include "verify/verify.h"

#include <string.h>

enum { SOLVER_SECONDS = 4 };

typedef struct {
    const char *model, *verdict, *why;
    int64_t obligations;
} ProofRow;

ARRAY_TYPE(ProofRows, ProofRow);

typedef struct {
    Query *query;
    ModelEntries entries;
    Prover prover;
    ProofRows rows;
} Proofs;

static const char *name_item(const void *context, size_t item)
{
    return ((const Proofs *)context)->entries.items[item]->name;
}

/* Is the schedule wrong for so many ranks? A proof that fails does not say so by itself. */
static bool is_wrong(Arena *arena, const Algorithm *algorithm, int64_t p, Diag *diag)
{
    const Shape shape = shape_line(p);
    bool wrong = false;
    for (int64_t root = 0; root < (algorithm->collective->rooted ? p : 1) && !wrong; root++) {
        const Instance instance = {.algorithm = algorithm,
                                   .p = p,
                                   .root = root,
                                   .k = 3,
                                   .ports = 1,
                                   .shape = &shape,
                                   .branches = 2};
        const bool outer = diag_begin_trial(diag);
        const Verification found = verify_schedule(arena, &instance, diag);
        diag_end_trial(diag, outer);
        wrong = !found.right && found.on_data;
    }
    return wrong;
}

static bool prove_item(void *context, size_t item, Buffer *bytes)
{
    Proofs *proofs = context;
    Query *query = proofs->query;
    const ModelEntry *entry = proofs->entries.items[item];
    const Algorithm *algorithm =
        library_algorithm(query->study.library, text_plain(entry->name), query->study.diag);
    if (!algorithm)
        return false;
    Arena *arena = arena_scratch(query->study.arena);
    Prover prover = proofs->prover;
    prover.arena = arena;
    Proved proved = {.text = "refuted as printed", .why = "marked as wrong"};
    if (!algorithm->expect_wrong)
        proved = prove_algorithm(&prover, algorithm, false);
    Diag silent = diag_silent();
    if (proved.failed_p && is_wrong(arena, algorithm, proved.failed_p, &silent)) {
        proved.text = "wrong";
        proved.why = arena_printf(arena, "run on data it fails for p = %d", (int)proved.failed_p);
    }
    pack_text(bytes, entry->name);
    pack_text(bytes, proved.text);
    pack_text(bytes, proved.why);
    pack_int(bytes, proved.obligations);
    arena_destroy(arena);
    return true;
}

static bool take_proof(void *context, size_t item, Packed *answer)
{
    Proofs *proofs = context;
    ProofRow *row = ARRAY_PUSH(proofs->query->study.arena, &proofs->rows);
    (void)item;
    row->model = unpack_text(answer);
    row->verdict = unpack_text(answer);
    row->why = unpack_text(answer);
    row->obligations = unpack_int(answer);
    return true;
}

static bool read_solvers(const CommandLine *line, Prover *prover)
{
    static const char *const words[] = {"z3", "cvc5", "both"};
    prover->solvers = SOLVER_Z3;
    prover->seconds = SOLVER_SECONDS;
    if (option_given(line, OPTION_SOLVER)) {
        const Text value = option_value(line, OPTION_SOLVER);
        prover->solvers = SOLVER_NONE;
        for (int i = 0; i < 3; i++)
            if (text_equals(value, words[i]))
                prover->solvers = (Solvers)(SOLVER_Z3 + i);
        if (!prover->solvers) {
            diag_error(line->diag, value.span, "'%.*s' is no solver: z3, cvc5 or both",
                       (int)value.length, value.chars);
            return false;
        }
    }
    if (option_given(line, OPTION_SAVE))
        prover->folder = option_value(line, OPTION_SAVE).chars;
    return true;
}

/* Are the solvers there that will be asked? False after a report. */
static bool find_solvers(const Proofs *proofs)
{
    static const char *const words[] = {"z3", "cvc5"};
    const Query *query = proofs->query;
    bool asks = false;
    for (size_t i = 0; i < proofs->entries.count; i++) {
        const Algorithm *algorithm =
            library_load(query->study.library, proofs->entries.items[i], query->study.diag);
        if (!algorithm)
            return false;
        asks |= !algorithm->expect_wrong;
    }
    for (int i = 0; asks && i < 2; i++)
        if (((int)proofs->prover.solvers >> i & 1) &&
            !solver_version(query->study.arena, words[i])) {
            diag_error(query->study.diag, NOWHERE, "the solver '%s' is not on PATH", words[i]);
            return false;
        }
    return true;
}

Status verify_proofs(const CommandLine *line)
{
    Query query;
    Proofs proofs = {.query = &query};
    if (!query_read(line, &query) || !read_solvers(line, &proofs.prover) ||
        !verify_entries(&query, NULL, &proofs.entries))
        return STATUS_BAD_INPUT;
    size_t count = 0;
    for (size_t i = 0; i < proofs.entries.count; i++)
        if (proofs.entries.items[i]->kind == KIND_ALGORITHM)
            proofs.entries.items[count++] = proofs.entries.items[i];
    proofs.entries.count = count;
    if (!count) {
        diag_error(line->diag, NOWHERE, "there is no algorithm to prove");
        return STATUS_BAD_INPUT;
    }
    if (!find_solvers(&proofs))
        return STATUS_BAD_INPUT;
    const WorkItems items = {.count = count,
                             .name = name_item,
                             .work = prove_item,
                             .take = take_proof,
                             .context = &proofs};
    Status status = workers_run(line, &items);
    if (status != STATUS_FINE)
        return status;
    Table *table = line_table(line, query.format, TABLE_verify_proofs);
    for (size_t i = 0; i < proofs.rows.count; i++) {
        const ProofRow *row = &proofs.rows.items[i];
        put_text(table, KEY_kind, "algorithm");
        put_text(table, KEY_model, row->model);
        put_text(table, KEY_proof_verdict, row->verdict);
        put_number(table, KEY_obligations, (double)row->obligations);
        put_text(table, KEY_proof, row->why);
        table_row(table);
        if (strcmp(row->verdict, "wrong") == 0)
            status = STATUS_CHECK_FAILED;
    }
    table_close(table);
    return status;
}
