/* A line that is being typed, up to the word at its end, which is to be completed. Since nothing of
   it need be complete, nothing in it is an error.

       collcost cost -t torus:4x8 'allreduce: ring al
       in_shell      network       quoted          word

   Texts are pieces of the line; words are copies in the arena. O(length). */
#ifndef COLLCOST_SESSION_BEGUN_LINE_H
#define COLLCOST_SESSION_BEGUN_LINE_H

#include "base/source.h"
#include "session/help.h"

typedef struct {
    const char *word; /* that a completion takes the place of */
    size_t length;
    StringArray before; /* words, which signs part too; those with a comma behind them left out */
    int operands;       /* of a command, that are complete */
    bool in_quotes;     /* the word is a part of an operand, or a value, of several words */
    int quoted_for;     /* the option whose value that is; or -1 */
    Text quoted;        /* what stands of it so far, without the word */
    Text network;       /* the first value of --topology; empty: there is none */
    bool behind_sign;   /* a sign such as = or ( stands right before the word */
    bool in_shell;      /* "collcost" stands in front: the line is for a shell, not for a session */
} BegunLine;

BegunLine begun_line_read(Arena *arena, const char *line, size_t length);

/* How a stage of an algorithm that is typed in one line goes on (model/use.h), and another
   collective of --with: which words may follow those before.

       allreduce: ring along node channels 2     after "ring along": "every", or a dimension
       alltoall/pairwise along device of 1MiB    after "device": "along", "members", "of"

   Told from the words alone, in one pass over them; what is wrong in them has nothing to follow. */

/* Names that may follow beside the words. */
typedef enum { NAMES_NONE, NAMES_ALGORITHMS, NAMES_DIMENSIONS } StageNames;

enum { MOST_STAGE_WORDS = 3 };

typedef struct {
    const char *words[MOST_STAGE_WORDS];
    int count;
    StageNames names;
} StageWords;

/* Behind these stages, the last of which has begun: "ring along x, ring along". */
StageWords stage_words(Text stages);
/* Behind this beginning of a value of --with: "alltoall along". */
StageWords stage_words_of_part(Text part);

/* How a line can go on: at the prompt, and in a shell through `collcost --complete LINE`. */
typedef struct {
    StringArray words; /* all that begin like the word at the end of the line */
    bool wants_files;  /* a file's name may stand here */
    bool goes_on;      /* the one word is followed by more, as allreduce by /ring */
} Completion;

Completion completion_find(Arena *arena, Session *session, const char *line, size_t length);

#endif
