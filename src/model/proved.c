#include "model/proved.h"

#include "base/buffer.h"
#include "base/sha256.h"
#include "model/builtin.h"
#include "model/claim.h"

#include <stdlib.h>
#include <string.h>

/* Keys of which no proof knows. */
static const char *const unread[] = {"summary", "source",  "claims", "also",
                                     "library", "posting", "local",  "allocates"};

static void add_node(Buffer *out, const Node *node)
{
    buffer_printf(out, "%d %zu ", (int)node->kind,
                  node->kind == NODE_SCALAR ? node->text.length : node->count);
    if (node->kind == NODE_SCALAR)
        buffer_add(out, node->text.chars, node->text.length);
    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        if (node->keys)
            add_node(out, node->keys[i]);
        add_node(out, node->values[i]);
    }
}

static void add_head(Buffer *out, const Head *head)
{
    for (size_t i = 0; head->map && i < head->map->count; i++) {
        if (text_among(head->map->keys[i]->text, unread, COUNT_OF(unread)) < COUNT_OF(unread))
            continue;
        add_node(out, head->map->keys[i]);
        add_node(out, head->map->values[i]);
    }
}

static void add_algorithm(Buffer *out, const Algorithm *algorithm)
{
    add_head(out, &algorithm->head);
    add_head(out, &algorithm->collective->head);
    if (algorithm->dual)
        add_algorithm(out, algorithm->dual);
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (algorithm->steps[i].kind == STEP_USE && !algorithm->steps[i].use.is_own)
            add_algorithm(out, algorithm->steps[i].use.algorithm);
}

const char *proof_text_hash(Arena *arena, const Algorithm *algorithm)
{
    Buffer text = {.arena = arena};
    char hash[SHA256_DIGITS + 1];
    add_algorithm(&text, algorithm);
    sha256(text.items, text.count, hash);
    return arena_copy(arena, hash, SHA256_DIGITS);
}

static const char *value(Arena *arena, const Node *map, const char *key)
{
    const Node *node = node_get(map, key);
    return node ? node_string(arena, node) : "";
}

const ProofRecord *proof_record(Arena *arena, const Algorithm *algorithm)
{
    const char *begin =
        arena_printf(arena, "\n- algorithm: %s\n", algorithm_full_name(arena, algorithm));
    const char *from = strstr(builtin_proofs, begin);
    if (!from || strncmp(builtin_proofs, "kernel: " PROVE_KERNEL "\n", 9) != 0)
        return NULL;
    const char *next = strstr(from + 1, "\n- ");
    const Source *source =
        source_from_text(arena, "proofs.yaml", from, next ? (size_t)(next - from) : strlen(from));
    NodeArray documents = {0};
    Diag silent = diag_silent();
    if (!yaml_parse(arena, source, &documents, &silent) || documents.count != 1)
        return NULL;
    const Node *map = node_item(documents.items[0], 0);
    if (strcmp(value(arena, map, "text"), proof_text_hash(arena, algorithm)) != 0)
        return NULL;
    ProofRecord *record = ARENA_NEW(arena, ProofRecord);
    *record = (ProofRecord){.verdict = value(arena, map, "verdict"),
                            .why = value(arena, map, "why"),
                            .by = value(arena, map, "by"),
                            .obligations = atoi(value(arena, map, "obligations")),
                            .hash = value(arena, map, "hash"),
                            .cases = node_get(map, "cases"),
                            .claims = node_get(map, "claims")};
    record->is_proved = strncmp(record->verdict, "proved", 6) == 0;
    record->is_all = strcmp(record->verdict, "proved for all p") == 0;
    return record;
}

const char *proof_claim_id(Arena *arena, const Claim *claim)
{
    enum { SHORT_HASH = 16 };
    char hash[SHA256_DIGITS + 1];
    Buffer text = {.arena = arena};
    buffer_printf(&text, "%d %s %s %d", (int)claim->kind, claim_formula(arena, claim),
                  claim_where(arena, claim), claim->recorded_refuted);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        buffer_printf(&text, " %d", claim_counts(claim, (Parameter)i));
    sha256(text.items, text.count, hash);
    return arena_copy(arena, hash, SHORT_HASH);
}

const ClaimRecord *proof_claim(Arena *arena, const ProofRecord *record, const Claim *claim)
{
    const char *id = proof_claim_id(arena, claim);
    for (size_t i = 0; record && record->claims && i < node_item_count(record->claims); i++) {
        Text rest = node_item(record->claims, i)->text, parts[3];
        for (int k = 0; k < 3; k++) {
            text_split(rest, '|', &parts[k], &rest);
            parts[k] = text_trim(parts[k]);
        }
        if (!text_equals(parts[0], id))
            continue;
        ClaimRecord *found = ARENA_NEW(arena, ClaimRecord);
        rest = text_trim(rest);
        *found = (ClaimRecord){.verdict = text_string(arena, parts[1]),
                               .obligations = atoi(parts[2].chars),
                               .hash = text_string(arena, rest)};
        found->is_proved = strncmp(found->verdict, "proved", 6) == 0;
        found->is_all = strcmp(found->verdict, "proved for all p") == 0;
        return found;
    }
    return NULL;
}
