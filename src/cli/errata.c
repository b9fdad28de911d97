#include "cli/errata.h"

#include "base/watch.h"
#include "model/claim_text.h"
#include "study/smoke_run.h"

#include <string.h>

enum { LARGEST_P = 64, LARGEST_TRIAL = 16 };

const ItemInfo item_info[ITEM_COUNT] = {
#define ITEM(id, word, plural) {word, plural},
#include "cli/items.def"
#undef ITEM
};

static Item *find_item(ItemArray *items, const Citation *citation)
{
    for (size_t i = 0; i < items->count && citation->printed; i++)
        if (items->items[i].printed == citation->printed)
            return &items->items[i];
    return NULL;
}

static void list_items(const Query *query, const Origin *origin, ItemArray *items)
{
    for (size_t i = 0; i < origin->printed_count; i++)
        *ARRAY_PUSH(query->study.arena, items) =
            (Item){.origin = origin, .printed = &origin->printed[i], .verdict = ITEM_OPEN};
}

/* The claims of a model that cite any of the items, judged. */
static bool add_claims(const Query *query, const char *model, const VerdictSubject *subject,
                       ItemArray *items)
{
    const ClaimList *all = verdict_claims(subject);
    ClaimList cited = {ARENA_ARRAY(query->study.arena, Claim, all->count), 0};
    VerdictGrid grid = verdict_grid_up_to(LARGEST_P);
    for (size_t i = 0; i < all->count; i++)
        if (find_item(items, &all->items[i].citation))
            cited.items[cited.count++] = all->items[i];
    Verdict *verdicts = ARENA_ARRAY(query->study.arena, Verdict, cited.count);
    if (cited.count && !verdicts_find(query->study.arena, query->study.library, subject, &cited,
                                      &grid, verdicts, query->study.diag))
        return false;
    for (size_t i = 0; i < cited.count; i++)
        *ARRAY_PUSH(query->study.arena, &find_item(items, &cited.items[i].citation)->claims) =
            (ItemClaim){model, &cited.items[i], verdicts[i]};
    return true;
}

static void add_model(const Query *query, const ModelEntry *entry, const Citation *citation,
                      const Algorithm *algorithm, ItemArray *items)
{
    Item *item = find_item(items, citation);
    ItemModel model = {entry->name, entry->kind, false, NULL};
    bool in_order;
    if (!item)
        return;
    model.is_carried = *citation->remark == '(';
    if (algorithm)
        model.fault = smoke_run(&query->study, algorithm, LARGEST_TRIAL, &in_order);
    *ARRAY_PUSH(query->study.arena, &item->models) = model;
}

static bool add_entry(const Query *query, const ModelEntry *entry, ItemArray *items)
{
    bool judged = entry->kind != KIND_MACHINE && entry->kind != KIND_ORIGIN;
    const void *model =
        judged ? library_load(query->study.library, entry, query->study.diag) : NULL;
    if (!model)
        return !judged;
    VerdictSubject subject = {entry->kind == KIND_ALGORITHM ? model : NULL,
                              entry->kind == KIND_COLLECTIVE ? model : NULL,
                              entry->kind == KIND_TOPOLOGY ? model : NULL};
    if (entry->kind == KIND_PROBLEM)
        subject.collective = &((const Problem *)model)->collective;
    const Citation *citation = subject.algorithm    ? &subject.algorithm->citation
                               : subject.collective ? &subject.collective->citation
                                                    : &subject.topology->citation;
    add_model(query, entry, citation, subject.algorithm, items);
    return add_claims(query, entry->name, &subject, items);
}

bool errata_is_carried(const ItemClaim *claim)
{
    return *claim->claim->citation.remark == '(';
}

static bool is_refuted(const ItemClaim *claim)
{
    return !claim->verdict.holds && !errata_is_carried(claim);
}

const ItemClaim *errata_refuted(const Item *item)
{
    for (size_t i = 0; i < item->claims.count; i++)
        if (is_refuted(&item->claims.items[i]))
            return &item->claims.items[i];
    return NULL;
}

bool errata_is_same(Arena *arena, const ItemClaim *claim, const ItemClaim *refuted)
{
    return claim->verdict.holds && !errata_is_carried(claim) &&
           claim->claim->kind == refuted->claim->kind &&
           strcmp(claim_formula(arena, claim->claim), claim_formula(arena, refuted->claim)) == 0;
}

/* Does it hold under some condition? */
static bool is_rescued(Arena *arena, const Item *item, const ItemClaim *refuted)
{
    for (size_t i = 0; i < item->claims.count; i++)
        if (errata_is_same(arena, &item->claims.items[i], refuted))
            return true;
    return false;
}

const ItemClaim *errata_worst(Arena *arena, const Item *item)
{
    for (size_t i = 0; i < item->claims.count; i++) {
        const ItemClaim *claim = &item->claims.items[i];
        if (is_refuted(claim) && !is_rescued(arena, item, claim))
            return claim;
    }
    return NULL;
}

/* Of an item with claims: wrong if one is refuted that holds nowhere. */
static ItemVerdict judge_claims(Arena *arena, const Item *item)
{
    if (errata_worst(arena, item))
        return ITEM_WRONG;
    if (errata_refuted(item))
        return ITEM_CONDITION;
    return item->printed->is_lost ? ITEM_RECOVERED : ITEM_HOLDS;
}

static ItemVerdict judge_models(const Item *item)
{
    ItemVerdict verdict = item->printed->is_definition ? ITEM_DEFINITION : ITEM_OPEN;
    for (size_t i = 0; i < item->models.count; i++) {
        const ItemModel *model = &item->models.items[i];
        if (model->is_carried)
            continue;
        if (model->fault)
            return ITEM_FAULTY;
        verdict = model->kind == KIND_ALGORITHM ? ITEM_RIGHT : ITEM_DEFINITION;
    }
    return verdict;
}

static bool has_own_claims(const Item *item)
{
    for (size_t i = 0; i < item->claims.count; i++)
        if (!errata_is_carried(&item->claims.items[i]))
            return true;
    return false;
}

bool errata_collect(const Query *query, const Origin *only, ItemArray *items)
{
    size_t count = library_entry_count(query->study.library);
    for (size_t i = 0; i < count; i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        if (entry->kind != KIND_ORIGIN)
            continue;
        const Origin *origin = library_load(query->study.library, entry, query->study.diag);
        if (!origin)
            return false;
        if (!only || origin == only)
            list_items(query, origin, items);
    }
    for (size_t i = 0; i < count; i++) {
        watch_step(query->study.arena, library_entry(query->study.library, i)->name, (int64_t)i,
                   (int64_t)count);
        if (!add_entry(query, library_entry(query->study.library, i), items))
            return false;
    }
    for (size_t i = 0; i < items->count; i++) {
        Item *item = &items->items[i];
        item->verdict =
            has_own_claims(item) ? judge_claims(query->study.arena, item) : judge_models(item);
    }
    return true;
}
