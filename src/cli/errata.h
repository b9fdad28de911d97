/* What sources print, each item with its verdict: the claims, algorithms and definitions that cite
   it, judged. */
#ifndef COLLCOST_CLI_ERRATA_H
#define COLLCOST_CLI_ERRATA_H

#include "claims/verdicts.h"
#include "cli/query.h"
#include "study/check_cost.h"

typedef enum {
#define OUTCOME(id, word, stands) ITEM_##id,
#include "claims/outcomes.def"
#undef OUTCOME
#define ITEM(id, word) ITEM_##id,
#include "cli/items.def"
#undef ITEM
    ITEM_COUNT
} ItemVerdict;

extern const char *const item_words[ITEM_COUNT]; /* "holds" */

/* A claim about the item. */
typedef struct {
    const char *model;
    const Claim *claim;
    Verdict verdict;
} ItemClaim;
ARRAY_TYPE(ItemClaimArray, ItemClaim);

/* A model that names the item as what it is made after. */
typedef struct {
    const char *name;
    ModelKind kind;
    bool is_carried; /* over to something that is not printed: the citation has a remark */
    bool combines;   /* an algorithm that combines, in this order */
    CombiningOrder order;
    const char *fault; /* of an algorithm on data; NULL: none */
} ItemModel;
ARRAY_TYPE(ItemModelArray, ItemModel);

typedef struct {
    const Origin *origin;
    const Printed *printed;
    ItemVerdict verdict;
    ItemClaimArray claims;
    ItemModelArray models;
    const char *owned; /* of a partition: which element is another rank's; NULL: none */
} Item;
ARRAY_TYPE(ItemArray, Item);

/* Which items: those of one source, or of all (NULL), that have all of these words. */
typedef struct {
    const Origin *origin;
    TextArray words;
} ItemChoice;

/* The items, by the name of the source, in its order. Not STATUS_FINE after a report. */
Status errata_collect(const Query *query, const ItemChoice *choice, ItemArray *items);
/* The first claim that is refuted as printed, or NULL. */
const ItemClaim *errata_refuted(const Item *item);
/* The first that is refuted and holds under no condition that is known, or NULL. */
const ItemClaim *errata_worst(Arena *arena, const Item *item);
/* Does the item hold as it stands, or make no claim? */
bool errata_stands(const Item *item);
/* Is this claim, which holds, the one that is refuted, with a condition? */
bool errata_is_same(Arena *arena, const ItemClaim *claim, const ItemClaim *refuted);
/* Does the claim follow from the item without being printed there: has its citation a remark? */
bool errata_is_carried(const ItemClaim *claim);
ARRAY_TYPE(OriginArray, const Origin *);
/* All sources of the library. False after a report. */
bool origins_load(const Query *query, OriginArray *origins);
/* Is each of the words in one of the texts, in any case? */
bool have_words(const char *const *texts, size_t count, const TextArray *words);

#endif
