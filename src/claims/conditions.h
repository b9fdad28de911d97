/* Conditions under which a refuted formula may hold. */
#ifndef COLLCOST_CLAIMS_CONDITIONS_H
#define COLLCOST_CLAIMS_CONDITIONS_H

#include "model/claim.h"

typedef struct {
    const char *text;   /* "d == 1", "store-and-forward", "th = 0" */
    bool is_expression; /* as in `when` */
    int switching;      /* the only mode; -1: any */
    int neglected;      /* the parameter that is zero; -1: none */
} Condition;

/* All that are tried; *count: how many. */
const Condition *conditions_list(Arena *arena, size_t *count);
/* Adds conditions to a claim that has the condition `when`, or NULL. False where one of them means
   nothing here: a name that the claim cannot have, or a parameter that it does not have. */
bool conditions_add(Arena *arena, ClaimSubject subject, const Expr *when,
                    const Condition *const *conditions, size_t count, Claim *claim);

#endif
