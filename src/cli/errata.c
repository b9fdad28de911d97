#include "cli/errata.h"

#include "cli/workers.h"
#include "model/claim.h"
#include "sched/partition.h"

#include <string.h>
#include <strings.h>

enum { LARGEST_P = 64, LARGEST_TRIAL = 16 };

const char *const item_words[ITEM_COUNT] = {
#define OUTCOME(id, word, stands) word,
#include "claims/outcomes.def"
#undef OUTCOME
#define ITEM(id, word) word,
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

bool have_words(const char *const *texts, size_t count, const TextArray *words)
{
    bool have = true;
    for (size_t i = 0; i < words->count && have; i++) {
        const Text word = words->items[i];
        have = false;
        for (size_t j = 0; j < count; j++)
            for (const char *at = texts[j]; *at && !have; at++)
                have = strncasecmp(at, word.chars, word.length) == 0;
    }
    return have;
}

/* What is collected from all models. */
typedef struct {
    const Query *query;
    ItemArray *items;
} Collection;

/* A model with what may be judged of it. */
typedef struct {
    const ModelEntry *entry;
    VerdictSubject subject;
    const Citation *citation; /* NULL: nothing is */
    ClaimList cited;          /* claims that cite any of the items */
} Cited;

static bool load_cited(const Collection *collection, size_t index, Cited *cited)
{
    const Study *study = &collection->query->study;
    const ModelEntry *entry = library_entry(study->library, index);
    bool judged = entry->kind != KIND_MACHINE && entry->kind != KIND_ORIGIN &&
                  entry->kind != KIND_IMPLEMENTATION;
    const void *model = judged ? library_load(study->library, entry, study->diag) : NULL;
    *cited = (Cited){.entry = entry};
    if (!model)
        return !judged;
    VerdictSubject *subject = &cited->subject;
    *subject = (VerdictSubject){.algorithm = entry->kind == KIND_ALGORITHM ? model : NULL,
                                .collective = entry->kind == KIND_COLLECTIVE ? model : NULL,
                                .topology = entry->kind == KIND_TOPOLOGY ? model : NULL};
    if (entry->kind == KIND_PROBLEM)
        subject->collective = &((const Problem *)model)->collective;
    cited->citation = subject->algorithm    ? &subject->algorithm->citation
                      : subject->collective ? &subject->collective->citation
                                            : &subject->topology->citation;
    const ClaimList *all = verdict_claims(&cited->subject);
    cited->cited.items = ARENA_ARRAY(collection->query->study.arena, Claim, all->count);
    for (size_t i = 0; i < all->count; i++) {
        const Printed *printed = all->items[i].citation.printed;
        if (!find_item(collection->items, &all->items[i].citation))
            continue;
        Claim *claim = &cited->cited.items[cited->cited.count++];
        *claim = all->items[i];
        claim->is_approximate = claim->kind == CLAIM_TIME && printed->is_approximate;
    }
    return true;
}

/* What is told of a verdict; of an error whether there is one. */
static void carry_verdict(Carrier carrier, Verdict *verdict)
{
    int64_t switching = verdict->switching;
    CARRY(carrier, verdict, holds, error, is_proved, fails_alone, counterexample, cases);
    carry_int(carrier, &switching);
    verdict->switching = (int)switching;
    for (int x = 0; x < PARAMETER_COUNT; x++)
        carry_flag(carrier, &verdict->lacks[x]);
}

/* The fault of an algorithm that is named as made after an item, then a verdict for each claim. */
static bool judge_entry(void *context, size_t index, Buffer *bytes)
{
    const Collection *collection = context;
    const Study *study = &collection->query->study;
    const VerdictGrid grid = verdict_grid_up_to(LARGEST_P);
    const char *fault = NULL;
    CombiningOrder order = ORDER_OF_RANKS;
    Cited cited;
    if (!load_cited(collection, index, &cited))
        return false;
    if (!cited.citation)
        return true;
    if (cited.subject.algorithm && find_item(collection->items, cited.citation))
        fault = smoke_run(study, cited.subject.algorithm, LARGEST_TRIAL, &order);
    const VerdictQuestion asked = {study->arena, study->library, cited.subject, &grid, study->diag};
    Verdict *verdicts = ARENA_ARRAY(study->arena, Verdict, cited.cited.count);
    if (cited.cited.count && !verdicts_find_printed(&asked, &cited.cited, verdicts))
        return false;
    pack_text(bytes, fault);
    pack_int(bytes, order);
    for (size_t i = 0; i < cited.cited.count; i++) {
        Verdict told = verdicts[i];
        told.error = verdicts[i].error > 0;
        told.holds &= !told.error || verdict_vanishes(&verdicts[i]);
        carry_verdict((Carrier){.to = bytes}, &told);
    }
    return true;
}

static bool add_entry(void *context, size_t index, Packed *answer)
{
    const Collection *collection = context;
    Arena *arena = collection->query->study.arena;
    Cited cited;
    if (!load_cited(collection, index, &cited))
        return false;
    if (!cited.citation)
        return true;
    const char *name = cited.entry->name, *fault = unpack_text(answer);
    const CombiningOrder order = (CombiningOrder)unpack_int(answer);
    const Algorithm *algorithm = cited.subject.algorithm;
    Item *item = find_item(collection->items, cited.citation);
    if (item)
        *ARRAY_PUSH(arena, &item->models) =
            (ItemModel){name,
                        cited.entry->kind,
                        *cited.citation->remark == '(',
                        algorithm && algorithm->collective->combines,
                        order,
                        fault};
    for (size_t i = 0; i < cited.cited.count; i++) {
        const Claim *claim = &cited.cited.items[i];
        ItemClaim *judged =
            ARRAY_PUSH(arena, &find_item(collection->items, &claim->citation)->claims);
        *judged = (ItemClaim){.model = name, .claim = claim};
        carry_verdict((Carrier){.from = answer}, &judged->verdict);
    }
    return true;
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

/* What becomes of a claim of the item: where it fails, of the same formula, with what it leaves out
   said, or under a condition. */
static Outcome judge_claim(Arena *arena, const Item *item, const ItemClaim *claim)
{
    Outcome outcome = verdict_outcome(&claim->verdict);
    for (size_t i = 0; outcome >= OUTCOME_CONDITION && i < item->claims.count; i++) {
        const ItemClaim *other = &item->claims.items[i];
        if (claim->verdict.holds || !errata_is_same(arena, other, claim))
            continue;
        /* Is it about all topologies of this one, under the same condition? */
        bool is_as_wide = text_same(other->claim->when.text, claim->claim->when.text);
        for (size_t t = 0; t < claim->claim->on_count; t++)
            is_as_wide &= claim_is_on(other->claim, claim->claim->on[t]);
        Outcome found = is_as_wide ? verdict_outcome(&other->verdict) : OUTCOME_CONDITION;
        outcome = found < outcome ? found : outcome;
    }
    return outcome;
}

const ItemClaim *errata_worst(Arena *arena, const Item *item)
{
    for (size_t i = 0; i < item->claims.count; i++) {
        const ItemClaim *claim = &item->claims.items[i];
        if (is_refuted(claim) && judge_claim(arena, item, claim) == OUTCOME_WRONG)
            return claim;
    }
    return NULL;
}

bool errata_stands(const Item *item)
{
    return item->verdict == ITEM_FAULTY         ? false
           : (int)item->verdict < OUTCOME_COUNT ? outcome_info[item->verdict].stands
                                                : true;
}

static ItemVerdict judge_item(const Query *query, Item *item)
{
    /* Of an item with claims of its own: what the worst of them comes to. */
    bool has_own = false;
    Outcome worst = OUTCOME_PROVED;
    for (size_t i = 0; i < item->claims.count; i++) {
        if (errata_is_carried(&item->claims.items[i]))
            continue;
        const Outcome outcome = judge_claim(query->study.arena, item, &item->claims.items[i]);
        worst = outcome > worst ? outcome : worst;
        has_own = true;
    }
    if (has_own)
        return outcome_info[worst].stands && item->printed->is_lost ? ITEM_RECOVERED
                                                                    : (ItemVerdict)worst;
    const Printed *printed = item->printed;
    if (printed->partition_count == 0) {
        ItemVerdict verdict = printed->is_definition ? ITEM_DEFINITION : ITEM_OPEN;
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
    for (size_t n = 0; n < printed->partition_count && !item->owned; n++) {
        /* Who owns each element by the formula, and by the partition. */
        const PrintedPartition *part = &printed->partitions[n];
        const Partition rows = {part->order, part->rows, part->block};
        const Partition columns = {part->order, part->columns, part->block};
        for (int64_t at = 0; at < part->order * part->order && !item->owned; at++) {
            const int64_t i = at / part->order, j = at % part->order;
            const void *slots[] = {&i, &j};
            const int64_t owner =
                partition_owner(&rows, i) * part->columns + partition_owner(&columns, j);
            int64_t claimed;
            if (!program_run_int(part->owner.program, slots, &claimed, query->study.diag))
                item->owned = "the formula has no value";
            else if (claimed != owner)
                item->owned = arena_printf(
                    query->study.arena, "element (%lld, %lld): claimed rank %lld, found rank %lld",
                    (long long)i, (long long)j, (long long)claimed, (long long)owner);
        }
    }
    return item->owned ? ITEM_WRONG : printed->is_lost ? ITEM_RECOVERED : ITEM_HOLDS;
}

bool origins_load(const Query *query, OriginArray *origins)
{
    for (size_t i = 0; i < library_entry_count(query->study.library); i++) {
        const ModelEntry *entry = library_entry(query->study.library, i);
        if (entry->kind != KIND_ORIGIN)
            continue;
        const Origin *origin = library_load(query->study.library, entry, query->study.diag);
        if (!origin)
            return false;
        *ARRAY_PUSH(query->study.arena, origins) = origin;
    }
    return true;
}

Status errata_collect(const Query *query, const ItemChoice *choice, ItemArray *items)
{
    Collection collection = {query, items};
    OriginArray origins = {0};
    if (!origins_load(query, &origins))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < origins.count; i++) {
        const Origin *origin = origins.items[i];
        for (size_t j = 0; j < origin->printed_count; j++) {
            const Printed *printed = &origin->printed[j];
            const char *const texts[] = {printed->place, printed->about, printed->printed};
            if ((!choice->origin || origin == choice->origin) &&
                have_words(texts, COUNT_OF(texts), &choice->words))
                *ARRAY_PUSH(query->study.arena, items) =
                    (Item){.origin = origin, .printed = printed, .verdict = ITEM_OPEN};
        }
    }
    if (items->count == 0)
        return BAD_INPUT(query->study.diag,
                         choice->words.count ? choice->words.items[0].span : NOWHERE,
                         "no item of the sources has these words");
    const size_t count = library_entry_count(query->study.library);
    const char **names = ARENA_ARRAY(query->study.arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        names[i] = library_entry(query->study.library, i)->name;
    const WorkItems work = {.count = count,
                            .names = names,
                            .work = judge_entry,
                            .take = add_entry,
                            .context = &collection};
    Status status = workers_run(query->line, &work);
    for (size_t i = 0; status == STATUS_FINE && i < items->count; i++)
        items->items[i].verdict = judge_item(query, &items->items[i]);
    return status;
}
