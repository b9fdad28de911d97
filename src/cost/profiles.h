/* The profiles of an algorithm on a network by its number of chunks k: derived when they are first
   asked for, and kept; where k is free, or large, told by a bag of port steps (cost/bag.h) where
   that can be filled. */
#ifndef COLLCOST_COST_PROFILES_H
#define COLLCOST_COST_PROFILES_H

#include "cost/claim.h"
#include "cost/derive.h"

/* After how many chunks a pipeline does the same for the next ones. */

/* As it is claimed of the algorithm, or of what it turns round, and recorded to hold; of one that
   is made of others the least common multiple of theirs, in their lines; else 1. What follows from
   it is checked at each use (cost/bag.h). At least 1. */
int64_t period_find(const Instance *instance, const Network *network);

/* Profiles of more chunks are not kept, but for the last one. */
enum { MOST_DERIVED_CHUNKS = 256 };

typedef struct ChunkProfiles ChunkProfiles;

/* What is followed: an algorithm on a network by some rules, for one root, and one number of
   branches. It lives as long as what is found of it. */
typedef struct {
    const Algorithm *algorithm;
    const Network *network;
    const Rules *rules;
    ClaimPoint point; /* all but k */
} CurveSubject;
Instance curve_instance(const CurveSubject *of, int64_t k);

/* is_free: k is to be chosen, and where too many chunks are refused, fewer will
   do. has_siblings: there are other radices or fan-outs, which will do where a schedule is large.
 */
ChunkProfiles *profiles_create(Arena *arena, const CurveSubject *of, bool is_free,
                               bool has_siblings);
/* From now on, with `memo`, of this network and these rules, instead of one of its own. */
void profiles_share(ChunkProfiles *profiles, PortStepMemo *memo);
/* A profile to be timed: derived, or one that follows from those of fewer chunks. Valid until one
   of more than MOST_DERIVED_CHUNKS is asked for, if it is one. NULL after a report. */
const Profile *profiles_timed(ChunkProfiles *profiles, int64_t k, Diag *diag);
/* One for rounds and memory. It does not count among those that are timed: a time is the same to
   its last digit whatever was asked before. Valid until the next is asked for. NULL after a
   report. */
const Profile *profiles_untimed(ChunkProfiles *profiles, int64_t k, Diag *diag);
/* Is what each number of chunks up to `most` takes known without more derivations? */
bool profiles_are_all_known(ChunkProfiles *profiles, int64_t most);
/* Is it too long to be followed with k chunks, or more? */
bool profiles_are_beyond_reach(ChunkProfiles *profiles, int64_t k);
/* The most chunks with which it can be followed, as far as is known. */
int64_t profiles_most(const ChunkProfiles *profiles);
/* *share: of m, the most that a rank holds with k chunks; false where no claim says so. */
bool profiles_claimed_peak(const ChunkProfiles *profiles, int64_t k, Exact *share);

#endif
