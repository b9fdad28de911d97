#include "cli/verify_parts.h"

#include "cli/models.h"
#include "cli/workers.h"
#include "model/claim.h"
#include "prove/prove.h"
#include "verify/verify.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROW_TEXTS = 7 };

/* The texts are `models/proofs.yaml`'s, by `row_keys`; of a claim its id is ROW_TEXT, and ROW_CASES
   why it is not proved. The rows of claims follow that of their algorithm. */
typedef struct {
    bool is_claim;
    const char *texts[ROW_TEXTS];
    int64_t obligations, seconds;
    bool is_wrong; /* or was proved, and is not now */
} ProofRow;

enum { ROW_MODEL, ROW_VERDICT, ROW_WHY, ROW_TEXT, ROW_BY, ROW_HASH, ROW_CASES };
static const char *const row_keys[ROW_TEXTS] = {"algorithm", "verdict", "why",
                                                "text",      "by",      "hash"};

ARRAY_TYPE(ProofRows, ProofRow);

typedef struct {
    Query *query;
    ModelEntries entries;
    Prover prover;
    bool recorded_first; /* what is recorded is not proved anew */
    ProofRows rows;
} Proofs;

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

/* Without a choice the first solver that is there is asked. */
static bool choose_solver(Prover *prover, bool any)
{
    for (int i = 0; any && !prover->solvers && i < 2; i++)
        if (solver_version(prover->arena, solver_names[i]))
            prover->solvers = (Solvers)(1 << i);
    return prover->solvers != SOLVER_NONE;
}

/* Was it recorded as proved, and is it still? Without solvers the obligations must be the same. */
static void compare_record(const Prover *prover, bool was_proved, const char *verdict,
                           const char *hash, ProofRow *row)
{
    if (prover->solvers == SOLVER_NONE &&
        (strcmp(row->texts[ROW_VERDICT], verdict) != 0 ||
         (was_proved && strcmp(row->texts[ROW_HASH], hash) != 0))) {
        row->texts[ROW_VERDICT] = "not proved";
        row->texts[row->is_claim ? ROW_CASES : ROW_WHY] =
            "its obligations are not those that were proved";
    }
    row->is_wrong |= was_proved && strncmp(row->texts[ROW_VERDICT], "proved", 6) != 0;
}

/* Proves it, or follows its record where no solver is asked. */
static Proved prove_anew(const Prover *prover, const Algorithm *algorithm,
                         const ProofRecord *record, ProofRow *row)
{
    Arena *arena = prover->arena;
    Diag silent = diag_silent();
    const Proved proved = prove_algorithm(prover, algorithm, false);
    row->texts[ROW_VERDICT] = proved.text;
    row->texts[ROW_WHY] = proved.why;
    row->obligations = proved.obligations;
    row->texts[ROW_HASH] = proved.verdict ? proved.hashes : "";
    row->texts[ROW_CASES] = proved.verdict && proved.cases ? proved.cases : "";
    if (proved.verdict) {
        /* Those that refuted all obligations; else that each was refuted by one of them. */
        const char *names = "";
        const int solvers = (int)prover->solvers;
        const bool some = (proved.unsure & solvers) == solvers;
        for (int i = 0; i < 2; i++)
            if (solvers >> i & 1 && (some || !(proved.unsure >> i & 1)))
                names = arena_printf(arena, "%s%s%s", names,
                                     !*names ? ""
                                     : some  ? " or "
                                             : " and ",
                                     solver_version(arena, solver_names[i]));
        row->texts[ROW_BY] = names;
    }
    row->is_wrong = proved.is_split;
    if (proved.failed_p && is_wrong(arena, algorithm, proved.failed_p, &silent)) {
        row->texts[ROW_VERDICT] = "wrong";
        row->texts[ROW_WHY] =
            arena_printf(arena, "run on data it fails for p = %d", (int)proved.failed_p);
        row->is_wrong = true;
    } else if (record) {
        compare_record(prover, record->is_proved, record->verdict, record->hash, row);
    }
    return proved;
}

/* An algorithm whose claims are proved. */
typedef struct {
    Prover *prover;
    const Algorithm *algorithm;
    const ProofRecord *record;
    const Proved *proved; /* now; NULL: what is recorded is not proved anew */
} Proven;

/* As a worker sends it. */
static void carry_row(Carrier carrier, ProofRow *row)
{
    CARRY(carrier, row, is_claim, obligations, seconds, is_wrong);
    for (int i = 0; i < ROW_TEXTS; i++)
        carry_text(carrier, &row->texts[i]);
}

static void add_claims(const Proven *of, const char *model, Buffer *bytes)
{
    Prover *prover = of->prover;
    Arena *arena = prover->arena;
    const ClaimList *claims = claims_all(&of->algorithm->claims);
    Proved again = {0};
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->items[i];
        const ClaimRecord *known = proof_claim(arena, of->record, claim);
        ProofRow row = {true, {model, "", "", "", "", "", ""}, 0, 0, false};
        row.texts[ROW_TEXT] = proof_claim_id(arena, claim);
        /* Of the algorithm, now; NULL: the record answers, as it does without solvers where a claim
           is not proved. */
        const Proved *proved = of->proved;
        if (!proved && !known && !again.text && choose_solver(prover, true))
            again = prove_recorded(prover, of->algorithm);
        if (!proved && !known && again.text)
            proved = &again;
        if (proved && (prover->solvers != SOLVER_NONE || (known && known->is_proved))) {
            const Proved result = prove_claim(prover, of->algorithm, proved, claim);
            row.texts[ROW_VERDICT] = result.text;
            row.texts[ROW_HASH] = result.hashes;
            row.texts[ROW_CASES] = result.why;
            row.obligations = result.obligations;
            row.is_wrong = result.is_split;
            if (known) /* else solvers were asked */
                compare_record(prover, known->is_proved, known->verdict, known->hash, &row);
        } else if (known) {
            row.texts[ROW_VERDICT] = known->verdict;
            row.texts[known->is_proved ? ROW_HASH : ROW_CASES] = known->hash;
            row.obligations = known->obligations;
        } else {
            row.texts[ROW_VERDICT] = "not proved";
            row.texts[ROW_CASES] = "no proof of it is recorded";
        }
        const char *why = row.texts[ROW_CASES];
        row.texts[ROW_WHY] = arena_printf(arena, "%s %s: %s%s%s", claim_info[claim->kind].key,
                                          claim_where(arena, claim), claim_formula(arena, claim),
                                          *why ? "; " : "", why);
        carry_row((Carrier){.to = bytes}, &row);
    }
}

static bool prove_item(void *context, size_t item, Buffer *bytes)
{
    Proofs *proofs = context;
    Query *query = proofs->query;
    Arena *arena = arena_scratch(query->study.arena);
    const ModelEntry *entry = proofs->entries.items[item];
    const Algorithm *algorithm =
        library_algorithm(query->study.library, text_plain(entry->name), query->study.diag);
    if (!algorithm) {
        arena_destroy(arena);
        return false;
    }
    const ProofRecord *record = proof_record(arena, algorithm);
    ProvedParts parts = {0};
    Conditions asked = {0};
    Prover prover = proofs->prover;
    prover.arena = arena;
    prover.parts = &parts;
    prover.asked = &asked;
    ProofRow row = {.texts = {entry->name, "", "", proof_text_hash(arena, algorithm), "", "", ""}};
    Proved proved;
    bool anew = false;
    const time_t begin = time(NULL);
    Buffer claims = {.arena = arena};
    if (algorithm->expect_wrong) {
        row.texts[ROW_VERDICT] = "refuted as printed", row.texts[ROW_WHY] = "marked as wrong";
    } else if (record && (proofs->recorded_first || (!prover.solvers && !record->is_proved))) {
        row.texts[ROW_VERDICT] = record->verdict, row.texts[ROW_WHY] = record->why,
        row.texts[ROW_BY] = record->by;
        row.obligations = record->obligations;
    } else if (choose_solver(&prover, proofs->recorded_first) || record) {
        proved = prove_anew(&prover, algorithm, record, &row);
        anew = proved.verdict == PROVED_ALL_P || proved.verdict == PROVED_SOME;
    } else {
        row.texts[ROW_VERDICT] = "not proved";
        row.texts[ROW_WHY] = "its present text is not recorded, and no solver is used";
    }
    if (strncmp(row.texts[ROW_VERDICT], "proved", 6) == 0)
        add_claims(&(Proven){&prover, algorithm, record, anew ? &proved : NULL}, entry->name,
                   &claims);
    row.seconds = (int64_t)(time(NULL) - begin);
    carry_row((Carrier){.to = bytes}, &row);
    buffer_add(bytes, claims.items, claims.count);
    arena_destroy(arena);
    return true;
}

static bool take_proof(void *context, size_t item, Packed *answer)
{
    Proofs *proofs = context;
    (void)item;
    while (answer->next < answer->end)
        carry_row((Carrier){.from = answer}, ARRAY_PUSH(proofs->query->study.arena, &proofs->rows));
    return true;
}

/* The record of all, as models/proofs.yaml has it. */
static bool write_record(const Proofs *proofs, const char *folder)
{
    FILE *file = fopen(arena_printf(proofs->query->study.arena, "%s/proofs.yaml", folder), "w");
    if (!file)
        return false;
    fprintf(file, "kernel: %s\nproofs:\n", PROVE_KERNEL);
    for (size_t i = 0; i < proofs->rows.count; i++) {
        const ProofRow *row = &proofs->rows.items[i];
        if (row->is_claim) {
            if (!row[-1].is_claim)
                fprintf(file, "  claims:\n");
            fprintf(file, "  - \"%s | %s | %lld | %s\"\n", row->texts[ROW_TEXT],
                    row->texts[ROW_VERDICT], (long long)row->obligations,
                    row->texts[*row->texts[ROW_HASH] ? ROW_HASH : ROW_CASES]);
            continue;
        }
        for (int k = 0; k < ROW_CASES; k++)
            if (*row->texts[k])
                fprintf(file, k ? "  %s: \"%s\"\n" : "- %s: %s\n", row_keys[k], row->texts[k]);
        if (*row->texts[ROW_HASH])
            fprintf(file, "  obligations: %lld\n  seconds: %lld\n", (long long)row->obligations,
                    (long long)row->seconds);
        if (*row->texts[ROW_CASES])
            fprintf(file, "  cases:\n%s", row->texts[ROW_CASES]);
    }
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

static bool read_solvers(const CommandLine *line, Proofs *proofs)
{
    static const char *const words[] = {"none", "z3", "cvc5", "both"};
    Prover *prover = &proofs->prover;
    proofs->recorded_first = !option_given(line, OPTION_SOLVER);
    if (!proofs->recorded_first) {
        const Text value = option_value(line, OPTION_SOLVER);
        const size_t found = text_among(value, words, COUNT_OF(words));
        if (found == COUNT_OF(words))
            return diag_error(line->diag, value.span, "'%.*s' is no solver: z3, cvc5, both or none",
                              TEXT_ARGS(value));
        prover->solvers = (Solvers)found;
    }
    if (option_given(line, OPTION_SAVE))
        prover->folder = option_value(line, OPTION_SAVE).chars;
    if (prover->folder)
        mkdir(prover->folder, 0777);
    for (int i = 0; i < 2; i++)
        if (((int)prover->solvers >> i & 1) &&
            !solver_version(proofs->query->study.arena, solver_names[i]))
            return diag_error(line->diag, NOWHERE, "the solver '%s' is not on PATH",
                              solver_names[i]);
    return true;
}

Status verify_proofs(const CommandLine *line)
{
    Query query;
    Proofs proofs = {.query = &query};
    if (!query_read(line, &query) || !read_solvers(line, &proofs) ||
        !verify_entries(&query, NULL, &proofs.entries))
        return STATUS_BAD_INPUT;
    size_t count = 0;
    const char **names = ARENA_ARRAY(line->arena, const char *, proofs.entries.count);
    for (size_t i = 0; i < proofs.entries.count; i++)
        if (proofs.entries.items[i]->kind == KIND_ALGORITHM) {
            names[count] = proofs.entries.items[i]->name;
            proofs.entries.items[count++] = proofs.entries.items[i];
        }
    proofs.entries.count = count;
    if (!count)
        return BAD_INPUT(line->diag, NOWHERE, "there is no algorithm to prove");
    const WorkItems items = {
        .count = count, .names = names, .work = prove_item, .take = take_proof, .context = &proofs};
    Status status = workers_run(line, &items);
    if (status != STATUS_FINE)
        return status;
    Table *table = query_table(&query, TABLE_verify_proofs);
    for (size_t i = 0; i < proofs.rows.count; i++) {
        const ProofRow *row = &proofs.rows.items[i];
        put_text(table, KEY_kind, row->is_claim ? "claim" : "algorithm");
        put_text(table, KEY_model, row->texts[ROW_MODEL]);
        put_text(table, KEY_proof_verdict, row->texts[ROW_VERDICT]);
        put_number(table, KEY_obligations, (double)row->obligations);
        put_text(table, KEY_proof, row->texts[ROW_WHY]);
        table_row(table);
        if (row->is_wrong)
            status = STATUS_CHECK_FAILED;
    }
    if (proofs.prover.folder && !write_record(&proofs, proofs.prover.folder)) {
        diag_error(line->diag, NOWHERE, "cannot write proofs.yaml in %s", proofs.prover.folder);
        status = STATUS_SYSTEM;
    }
    table_close(table);
    return status;
}

/* Was the model read from that file, or from one in that folder? A pipe is known by what it gave,
   since it has no path. */
static bool is_from(const Library *library, const ModelEntry *entry, const char *path)
{
    char file[PATH_MAX], folder[PATH_MAX];
    const Source *source = library_source(library, path);
    if (!entry->is_users || source)
        return entry->is_users && entry->source == source;
    /* Does the folder hold the file, however either is spelled? */
    if (!realpath(entry->path, file) || !realpath(path, folder))
        return false;
    const size_t length = strlen(folder);
    return strncmp(file, folder, length) == 0 && (file[length] == '/' || length == 1);
}

/* A file's models, a collective with its algorithms, or one model. */
static bool list_named(const Query *query, Text name, ModelEntries *entries)
{
    size_t before = entries->count;
    if (library_is_typed(name) && access(name.chars, F_OK) != 0) {
        const ModelEntry *typed = library_add_typed(query->study.library, name, query->study.diag);
        *ARRAY_PUSH(query->study.arena, entries) = typed;
        return typed != NULL;
    }
    const ModelEntry *found = library_find(query->study.library, name);
    /* A file or folder, unless a model has that name. */
    const bool named_by_path = !found && (text_equals(name, "-") || text_ends(name, ".yaml") ||
                                          text_ends(name, ".yml") || access(name.chars, F_OK) == 0);
    size_t length = found ? strlen(found->name) : 0;
    if (named_by_path && (!models_may_read(query->line->context, name, query->study.diag) ||
                          !library_add(query->study.library, name.chars, query->study.diag)))
        return false;
    for (size_t i = 0; i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        bool matches = named_by_path ? is_from(query->study.library, entry, name.chars)
                                     : found && strncmp(entry->name, found->name, length) == 0 &&
                                           (!entry->name[length] || entry->name[length] == '/');
        if (matches)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    if (entries->count > before)
        return true;
    if (named_by_path)
        diag_error(query->study.diag, name.span, "'%s' has no models", name.chars);
    else
        library_report_missing(query->study.library, KIND_COUNT, name, query->study.diag);
    return false;
}

/* Those that are named, else all, or all of one source. */
bool verify_entries(const Query *query, const Source *source, ModelEntries *entries)
{
    const TextArray *names = &query->line->operands;
    for (size_t i = 0; i < names->count; i++)
        if (!list_named(query, names->items[i], entries))
            return false;
    /* A model that is named twice is verified once. */
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        size_t before = 0;
        while (before < kept && entries->items[before] != entries->items[i])
            before++;
        if (before == kept)
            entries->items[kept++] = entries->items[i];
    }
    entries->count = kept;
    for (size_t i = 0; names->count && i < entries->count; i++) {
        /* A model of the files that are named would pass unseen where one that was read later hides
           it; of other kinds nothing is verified. */
        const ModelEntry *entry = entries->items[i];
        const bool counts = entry->kind == KIND_ALGORITHM || entry->kind == KIND_COLLECTIVE ||
                            entry->kind == KIND_TOPOLOGY;
        for (const ModelEntry *hidden = counts ? entry->hides : NULL; hidden;
             hidden = hidden->hides)
            for (size_t n = 0; n < names->count; n++)
                if (is_from(query->study.library, hidden, names->items[n].chars))
                    return diag_error(query->study.diag, names->items[n].span,
                                      "%s of %s cannot be verified: that of %s takes its place",
                                      entry->name, hidden->path, entry->path);
    }
    for (size_t i = 0; names->count == 0 && i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        if (!source || entry->source == source)
            *ARRAY_PUSH(query->study.arena, entries) = entry;
    }
    return true;
}
