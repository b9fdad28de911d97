/* The port steps of one schedule for all numbers of chunks k, as bags of kinds: how many there are
   of each kind, in whatever order.

       k           1   2   3   4   5   6   7          K0  K0 + q
       kind 0      1   2   3   4   4   4   4   ...     4   4         a pipeline fills
       kind 1      0   0   0   0   1   2   3   ...                   and runs

   A pipeline fills, runs and drains: from some k on, q more chunks add some port steps of kinds
   that are there already, whichever k. q is the period that its model states, 1 where it states
   none. One window of k that adds the same is no proof, since short schedules look alike by chance;
   so the counts must also predict those of K0, K0 + 1 and K0 + q chunks, where a chunk that starts
   late meets all that it can meet: a chunk is under way for no more rounds than one chunk takes
   alone. Two rests by q are tried there since odd and even k may settle at different times.

   Where the schedule is long and q is 1, not every k up to there is derived: counts are lines
   between the k at which they bend, and a bend is looked for where the lines of two pairs of
   neighbours meet, until each pair lies on the line of the one before. Elsewhere all k are. */
#ifndef COLLCOST_COST_BAG_H
#define COLLCOST_COST_BAG_H

#include "cost/derive_profile.h"

typedef struct Bag Bag;

/* Derives the profile of k chunks in `arena`. False where it cannot, or does not want to. */
typedef bool (*ChunkDeriver)(void *context, int64_t k, Arena *arena, Profile *profile);

/* For up to `most` chunks, at least. Of these numbers few are derived, most often a dozen. NULL
   where deriving fails, or where profiles are no sums of port steps of k-th parts. Profiles are not
   kept. */
Bag *bag_fill(Arena *arena, int64_t period, int64_t most, ChunkDeriver derive, void *context);
/* Did it see that a period more adds the same? */
bool bag_repeats(const Bag *bag);
/* Does it know the counts of so many chunks? Of up to `most` it does. */
bool bag_knows(const Bag *bag, int64_t k);
/* Did it derive them? Else they follow from others. Up to `most`. */
bool bag_derived(const Bag *bag, int64_t k);
/* The profile of a k that it knows, as far as times depend on it, in `arena`, as long as which the
   bag must live. O(kinds). */
const Profile *bag_profile(const Bag *bag, Arena *arena, int64_t k);

#endif
