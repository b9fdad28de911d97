/* How large a question, a file and an answer may be. limits.def is the one list; doc/LIMITS.md is
   made from it.

   Whatever is larger is refused at once, with a message that says what is too large, and status 2:
   what cannot be answered in a moment and in some hundred megabytes is mostly a slip or an attack.
   Limits are numbers and never what a host has left, so that a refusal is the same everywhere. */
#ifndef COLLCOST_BASE_LIMITS_H
#define COLLCOST_BASE_LIMITS_H

#include <stdint.h>

enum {
#define LIMIT(id, most, what, refusal) LIMIT_##id = (most),
#define LARGE_LIMIT(id, most, what, refusal)
#include "base/limits.def"
#undef LIMIT
#undef LARGE_LIMIT
};

#define LIMIT(id, most, what, refusal)
#define LARGE_LIMIT(id, most, what, refusal) static const int64_t limit_of_##id = (most);
#include "base/limits.def"
#undef LIMIT
#undef LARGE_LIMIT

/* Not for users to know one by one: of what is kept in lists, some tens of bytes each. */
enum { MOST_ENTRIES = 1 << 22 };

/* Of what is listed for people to get the idea; then it is said that there is more. */
enum { MOST_SHOWN = 8 };

#endif
