/* Diagnostics: messages with a place, the line and what of it is meant.

   A sink hands each diagnostic to its handler as it comes, and counts the errors; a function that
   fails has reported why to its sink. How a diagnostic looks is the handler's business: the
   program's own is cli/messages.h. */
#ifndef COLLCOST_BASE_DIAG_H
#define COLLCOST_BASE_DIAG_H

#include "base/source.h"

/* What users wrote is shown up to so many bytes where it may be anything; of a longer word nothing
   like it is sought. */
enum { LONGEST_WORD = 40 };

/* A note adds a second place, or a hint, to the error or warning before it. */
typedef enum { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

/* One finished diagnostic. Its texts live until the handler returns; the source lives on. */
typedef struct {
    Severity severity;
    const char *message;  /* one line, at most some 2000 bytes */
    const Source *source; /* NULL: no place, and then neither position nor line */
    Position position;
    const char *line; /* the line of the source, not terminated; NULL in an empty source */
    size_t line_length;
    size_t caret, caret_length; /* the bytes of the line that are meant; both lie in the line */
} Diagnostic;

typedef void DiagHandler(void *user, const Diagnostic *diagnostic);

/* Where a word was typed that may be one of other programs, or of papers. */
typedef enum {
    FOREIGN_OPTION, /* or command */
    FOREIGN_MODEL,
    FOREIGN_TOPOLOGY,
    FOREIGN_MACHINE,
    FOREIGN_SETTING,
    FOREIGN_NAME, /* in a formula */
    FOREIGN_UNIT,
    FOREIGN_FORMAT
} ForeignPlace;

/* How the meaning of such a word is written here, as a sentence; NULL: it is not known. */
typedef const char *ForeignMeaning(ForeignPlace place, Text word);

typedef struct {
    DiagHandler *handler;    /* NULL: count only */
    void *user;              /* for the handler */
    ForeignMeaning *foreign; /* NULL: no foreign word is known */
    size_t error_count;
    size_t limit_count;   /* of the errors, those by diag_limit */
    size_t refusal_count; /* by diag_refuse */
    size_t fault_count;   /* of the others, those of a trial */
    bool is_trial;
    size_t error_limit; /* further errors are counted but not handed over */
    Span line;          /* the line of a session that runs: the place of errors that have none */
} Diag;

Diag diag_create(DiagHandler *handler, void *user);
/* Of what follows, as many errors are handed over as if there had been none before. */
void diag_renew_limit(Diag *diag);
/* A sink that counts and says nothing, for questions such as "does this work at p = 3?". */
Diag diag_silent(void);

/* The message of the first error, in an arena; NULL: there is none. */
typedef struct {
    Arena *arena;
    const char *message;
} FirstError;

/* A sink that counts and keeps the first error. */
Diag diag_keep_first(FirstError *first);
/* Who says a thing once waits for somebody who hears it. */
bool diag_hears_warnings(const Diag *diag);

/* Returns false, as what fails then does: `return diag_error(...)`; so do the next two. */
bool diag_error(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where what fails is a pointer. */
#define DIAG_NULL(...) (diag_error(__VA_ARGS__), NULL)
/* An error that says that something good is too large to be followed: who asked for many things can
   go on without this one. */
bool diag_limit(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An error that says that the rules give something good no cost: who asked for many things can go
   on without this one. */
bool diag_refuse(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A trial is what follows the rules of a model for given ranks: lays out a network, expands a
   schedule. What is wrong there can be read, but does not work. Trials may be nested: the end takes
   what the begin has returned. */
bool diag_begin_trial(Diag *diag);
void diag_end_trial(Diag *diag, bool outer);
/* Are all errors those of trials? */
bool diag_has_faults_only(const Diag *diag);
/* Returns true: what is warned of goes on. */
bool diag_warning(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* diag_error or diag_warning, as a choice. */
typedef bool DiagSay(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A second place, or a hint, for the error or warning before it. False, as that error was. */
bool diag_note(Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of `count` candidates the one nearest to `word` by edit distance, or NULL if none is near. */
const char *diag_nearest(const char *word, size_t length, const char *const *candidates,
                         size_t count);
/* The note "did you mean 'X'?" if a candidate is near. False. */
bool diag_suggest(Diag *diag, Text word, const char *const *candidates, size_t count);

/* The note how the meaning of a foreign word is written here; false where the sink knows of none.
 */
bool diag_note_foreign(Diag *diag, ForeignPlace place, Text word);

/* No place: for messages about the command as a whole. */
#define NOWHERE ((Span){NULL, 0, 0})

#endif
