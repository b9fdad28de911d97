/* Which groups of ranks run a collective at the same time. */
#ifndef COLLCOST_STUDY_GROUPS_H
#define COLLCOST_STUDY_GROUPS_H

#include "net/network.h"

/* Along dimensions, or as lists of members. Empty: all ranks are one. */
typedef struct {
    Text along, members;
} GivenGroups;

static inline bool groups_are_given(const GivenGroups *given)
{
    return given->along.length || given->members.length;
}

/* "0,2,8..11": numbers[r] is the place of rank r of p in the list, and *count how many there are;
   those of ranks that are not named stay. False after a report, also where a rank has one. */
bool members_parse(Text list, int64_t p, int64_t *numbers, int64_t *count, Diag *diag);
/* `network` becomes that of one of the groups, if any are given. Lives in `arena`. False after a
   report. */
bool groups_apply(Arena *arena, const GivenGroups *given, Network *network, Diag *diag);

#endif
