/* Programs with the values of some variables put in.

   What depends on nothing else is computed once: clog2(p) * (ts + m * tw) becomes 10 * (ts + m *
   tw) for p = 1024. Each operation that is left has the same arguments as before, so results are
   the same to the last bit. */
#ifndef COLLCOST_LANG_FOLD_H
#define COLLCOST_LANG_FOLD_H

#include "lang/program.h"

/* `known` has the bits of the slots whose values are put in, which slots[i] points to, if they do
   not vary; the others keep their numbers. What has no value there is left as it is, to be reported
   when the program runs. */
Program *program_fold(Arena *arena, const Program *program, uint64_t known,
                      const void *const *slots);

#endif
