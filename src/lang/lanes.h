/* Block sets, compiled, and expanded for all ranks at once.

   A frame holds the variables of some lanes (ranks). Expanding a set gives one item for every
   block that some lane names, in the order lane by lane, loop by loop:

       set    (r + j) mod p for j in 0 .. r        lanes   r = 0    1      2
       items  index 0 | 1 2 | 2 0 1                lane        0    1 1    2 2 2                  */
#ifndef COLLCOST_LANG_LANES_H
#define COLLCOST_LANG_LANES_H

#include "lang/parse.h"
#include "lang/program.h"

/* slots[i]: the value of variable i, or its value in every lane. */
typedef struct {
    const void *slots[MOST_SLOTS];
} Frame;

typedef struct {
    int slot;
    Program *from, *to;
} SetLoop;

typedef struct {
    const BlockSet *syntax;
    Program *indices[MOST_INDICES];
    int index_count;
    SetLoop loops[MOST_LOOPS + 1]; /* a range is a loop of its own, the innermost */
    int loop_count;
    bool is_range;
    Program *condition;
    uint64_t varying;   /* slots whose values must follow their lane into the items */
    size_t outer_names; /* slots of names from outside; those behind them are its own */
    /* For counting: */
    uint64_t whole;   /* slots of whole numbers and conditions that it reads */
    uint64_t counted; /* of `varying`, those that bounds and condition read */
    uint64_t walked;  /* loops whose variables these read; of the others the length is enough */
    bool is_solved;   /* the condition bounds the innermost variable, which need not be walked */
} CompiledSet;

typedef struct {
    size_t count;
    size_t tried;                         /* with those that the condition left out */
    const int64_t *lanes;                 /* each item's lane */
    const int64_t *indices[MOST_INDICES]; /* each item's index or indices */
} SetItems;

/* Checks and compiles `syntax`; the scope is as before afterwards. False after a report. */
bool set_compile(Arena *arena, const BlockSet *syntax, Scope *scope, CompiledSet *set, Diag *diag);
/* Expands the set for lanes 0 .. count-1 of `frame` into memory of `arena`. Not for `all`. False
   after a report, also if more items than LIMIT_ITEMS are tried. */
bool set_expand(const CompiledSet *set, Arena *arena, const Frame *frame, size_t count,
                SetItems *items, Diag *diag);
/* counts[i]: how many items lane i has, found without listing them: a loop that nothing else
   depends on counts by its length, and what is the same for all lanes is looked at once. `varying`:
   slots of the frame with a value for each lane. Every index x must lie in 0 .. extents[x] - 1.
   False, silently, where that is not proven from the intervals of the names, where a value is
   missing, or where too many items are tried (2^40, or LIMIT_ITEMS that are looked at one by one):
   then set_expand has to tell. */
bool set_count(const CompiledSet *set, Arena *arena, const Frame *frame, uint64_t varying,
               size_t count, const int64_t *extents, int64_t *counts);
/* Reports that more items than LIMIT_ITEMS are tried. False. */
bool set_report_too_many(const CompiledSet *set, Diag *diag);
/* Lists of numbers, one for each lane: numbers[starts[r] .. starts[r + 1] - 1], rising, none twice.
 */
typedef struct {
    const int64_t *starts, *numbers;
} LaneLists;

/* Sorts the items of `count` expansions, item i of expansion s with the number numbers[s][i], into
   one list for each of `lanes` lanes. */
LaneLists lanes_lists(Arena *arena, const SetItems *items, int64_t *const *numbers, size_t count,
                      size_t lanes);
/* 0 .. count-1 */
const int64_t *lanes_identity(Arena *arena, size_t count);
/* Values of `lanes[0 .. count-1]` among 8-byte values. */
void *lanes_gather(Arena *arena, const void *values, const int64_t *lanes, size_t count);

#endif
