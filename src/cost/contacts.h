/* Ranks that keep in contact with the last few ranks they sent to, and pay for others: a network
   adapter that has few connections at a time has to make a new one first.

       contacts 2:   0 -> 1, 0 -> 2     free: the places for contacts have not been taken
                     0 -> 1             free: it is one of the last two
                     0 -> 3             `contact` more, in the place of 2, the longest not sent to

   Of several new ones that a rank posts together all but the first take `contact-posted`. A port
   step is longer by what the rank with the most to pay has. */
#ifndef COLLCOST_COST_CONTACTS_H
#define COLLCOST_COST_CONTACTS_H

#include "cost/derive_step.h"

typedef struct Contacts Contacts;

/* Of `ranks` ranks, or those of them that stand for all. NULL: no message costs more. */
Contacts *contacts_open(Arena *arena, const LoadContext *context, int64_t ranks);
/* Adds what new contacts take to a port step that has been costed. False after a report. */
bool contacts_add(Contacts *contacts, Arena *arena, PortStep *step, Diag *diag);
#endif
