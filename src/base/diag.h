/* Diagnostics: messages with a place, the line, a caret and a suggestion.

       models/x.yaml:7:9: error: unknown name 'rot'
           send: rot
                 ^~~
       note: did you mean 'root'?

   A sink writes each message as it comes and counts the errors; a function
   that fails has reported why to its sink. */
#ifndef COLLCOST_BASE_DIAG_H
#define COLLCOST_BASE_DIAG_H

#include "base/source.h"

#include <stdio.h>

typedef struct {
    FILE *stream; /* NULL: count only */
    size_t error_count;
    size_t limit_count; /* of the errors, those by diag_limit */
    size_t error_limit; /* further errors are counted but not written */
    Span line;          /* the line of a session that runs: the place of errors that have none */
} Diag;

Diag diag_create(FILE *stream);
/* A sink that counts and says nothing, for questions such as "does this work at p = 3?". */
Diag diag_silent(void);

void diag_error(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An error that says that something good is too large to be followed: who asked for many things can
   go on without this one. */
void diag_limit(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A second place, or a hint, for the message before it. */
void diag_note(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of `count` candidates the one nearest to `word` by edit distance, or NULL if none is near. */
const char *diag_nearest(const char *word, size_t length, const char *const *candidates,
                         size_t count);
/* The note "did you mean 'X'?" if a candidate is near. */
void diag_suggest(Diag *diag, Text word, const char *const *candidates, size_t count);

/* No place: for messages about the command as a whole. */
#define NOWHERE ((Span){NULL, 0, 0})

#endif
