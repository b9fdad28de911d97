/* What a session holds, and a line of it while it runs. */
#ifndef COLLCOST_SESSION_STATE_H
#define COLLCOST_SESSION_STATE_H

#include "cli/command.h"
#include "model/library.h"
#include "session/crew.h"
#include "session/phrase.h"

/* How far long work is, on standard error. On a terminal it is shown after a second, and erased
   when the work is done. Elsewhere, in the log of a job, it is a line after 2 seconds, and then
   whenever twice as much time has passed. Nothing is shown where COLLCOST_PROGRESS is `no`. */

enum { LONGEST_TASK = 60 };

typedef struct {
    bool is_silent, is_terminal, is_shown;
    double started;
    double next; /* seconds after the start until it is shown again */
    int64_t number, total;
    char task[LONGEST_TASK + 1];
} Progress;

Progress progress_start(void);
/* At a safe point of the work; step NULL: no new one. */
void progress_note(Progress *progress, const WorkStep *step);
/* Takes it off the terminal, before something else is written there. */
void progress_erase(Progress *progress);

/* Ends with what is behind a pointer of the session, if a line that made it ends half-way. */
typedef struct {
    Resource resource;
    struct Session *session;
} SessionMark;

typedef struct Session {
    const CommandTable *commands;
    Workspace *workspace;
    Arena *arena; /* the context, the sources of its values, and of lines, since it keeps pieces */
    Arena *scratch; /* one line */
    Arena *shelf;   /* the library */
    SessionMark library_mark, measures_mark;
    Progress *progress; /* of the line that runs; NULL: none does */
    FILE *out, *err;    /* where the next lines write: answers, messages */
    FILE *shown;        /* where that ends, which may be a terminal */
    Context context;
    bool is_defining; /* the next line is part of a definition */
    bool is_over;     /* a line has said to leave */
    bool is_interactive;
    bool has_noted;       /* the user was told of models in the place of built-in ones */
    TextArray definition; /* its lines so far */
    int definitions;
    int depth;  /* of batch files */
    Crew *crew; /* that runs the lines of batches with this process; NULL: it is alone */
} Session;

/* What became of a line. */
typedef struct {
    Status status;
    bool interrupted;
    const char *finding; /* of a check that failed: in the session's memory; or NULL */
} Outcome;

/* A line while it runs. */
typedef struct {
    Session *session;
    Arena *arena;
    Diag *diag;
    FILE *out;
    Text line, raw;
    Text operand;    /* what follows the name of a statement */
    TextArray words; /* instead of a line: arguments of the program */
    Status status;
    const char *finding;
} Run;

/* What formulas ask is remembered from now on. */
void session_open_measures(Session *session);
/* The context has changed: what was computed in the old one is dropped. */
void session_forget(Session *session);
/* Puts another library in the place of the old one. */
void session_put_library(Session *session, Arena *shelf, Library *library);
/* The library with what was loaded; NULL where it cannot be read. Opened here and not by a line, so
   that it outlives an interrupted one. Its faults are reported by each line that wants it. */
Library *session_library(Session *session);

/* What statements do to a session. */

Status statement_run(Run *run, StatementId statement);
/* Takes over the options of a command line that a context may have. */
void session_adopt(Session *session, const CommandLine *line);

/* Models that come into a session: typed, or from files. They are read, and run on real data,
   beside the library in force, which changes only if all of that is well. */

Status definition_start(Run *run);
/* One more line; the last is blank or `end`. */
Status definition_continue(Run *run);
/* `load FILE...` */
Status definition_load(Run *run);

/* The context of a session in words. */

/* As lines of a batch file that restore it. */
void describe_context(Arena *arena, const Context *context, FILE *stream);
/* In short, for a prompt: "torus:8x8 sg2260 ports=2"; "" where nothing is set. */
const char *describe_shortly(Arena *arena, const Context *context);

#endif
